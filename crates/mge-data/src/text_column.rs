//! A column of text, each distinct value stored once.
//!
//! Invariant: the categories are exactly the values that occur, in
//! [natural order](crate::order::natural); a code is a category's index or [`Text::MISSING`].

use std::collections::HashMap;

use crate::cell_text;
use crate::order;

/// Cells of text as codes into a list of categories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    codes: Vec<u32>,
    categories: Vec<String>,
}

impl Text {
    /// The code of a missing cell.
    pub const MISSING: u32 = u32::MAX;

    /// From cells; `None` is a missing one.
    pub fn from_cells<'a>(cells: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let mut known: HashMap<&str, u32> = HashMap::new();
        let mut categories = Vec::new();
        let codes = cells
            .into_iter()
            .map(|cell| match cell {
                None => Self::MISSING,
                Some(cell) => *known.entry(cell).or_insert_with(|| {
                    categories.push(cell.to_owned());
                    categories.len() as u32 - 1
                }),
            })
            .collect();
        Self::from_codes(codes, categories)
    }

    /// From numbers, each as the shortest text that reads back to it (`1`, not `1.0`); NaN is a
    /// missing cell.
    pub fn from_numbers(cells: &[f32]) -> Self {
        let texts: Vec<Option<String>> =
            cells.iter().map(|&x| (!x.is_nan()).then(|| cell_text::write(x))).collect();
        Self::from_cells(texts.iter().map(Option::as_deref))
    }

    /// From codes into a list of different categories in any order, some perhaps unused.
    ///
    /// # Panics
    /// When a code has no category.
    pub(crate) fn from_codes(mut codes: Vec<u32>, categories: Vec<String>) -> Self {
        let mut used = vec![false; categories.len()];
        for &code in codes.iter().filter(|&&code| code != Self::MISSING) {
            used[code as usize] = true;
        }
        let mut indices: Vec<u32> =
            (0..categories.len() as u32).filter(|&code| used[code as usize]).collect();
        indices.sort_by(|&a, &b| order::natural(&categories[a as usize], &categories[b as usize]));
        let mut new_codes = vec![Self::MISSING; categories.len()];
        for (new, &old) in indices.iter().enumerate() {
            new_codes[old as usize] = new as u32;
        }
        for code in codes.iter_mut().filter(|code| **code != Self::MISSING) {
            *code = new_codes[*code as usize];
        }
        let mut categories: Vec<Option<String>> = categories.into_iter().map(Some).collect();
        let categories =
            indices.iter().filter_map(|&old| categories[old as usize].take()).collect();
        Self { codes, categories }
    }

    /// One code for each row.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The values that occur, in natural order.
    pub fn categories(&self) -> &[String] {
        &self.categories
    }

    /// The text of a row, or `None` when it is missing (or there is no such row).
    pub fn get(&self, row: usize) -> Option<&str> {
        let code = *self.codes.get(row)?;
        self.categories.get(code as usize).map(String::as_str)
    }

    /// In a boolean column, the code that means yes.
    pub fn as_boolean(&self) -> Option<u32> {
        let [a, b] = self.categories.as_slice() else {
            return None;
        };
        truthy_index(a, b).map(|yes| yes as u32)
    }

    /// The column with `True` and `False` in place of their other spellings. `None` if it holds
    /// other values, or has these spellings already.
    pub(crate) fn with_canonical_booleans(&self) -> Option<Self> {
        const CANONICAL: [&str; 2] = ["False", "True"];
        let booleans: Option<Vec<bool>> =
            self.categories.iter().map(|category| parse_true_false(category)).collect();
        let booleans = booleans.filter(|booleans| !booleans.is_empty())?;
        if self.categories.iter().all(|category| CANONICAL.contains(&category.as_str())) {
            return None;
        }
        let code = |&code: &u32| match booleans.get(code as usize) {
            Some(&value) => u32::from(value),
            None => Self::MISSING,
        };
        let codes = self.codes.iter().map(code).collect();
        Some(Self::from_codes(codes, CANONICAL.map(str::to_owned).to_vec()))
    }

    pub(crate) fn select(&self, rows: &[u32]) -> Self {
        let codes = rows.iter().map(|&row| self.codes[row as usize]).collect();
        Self::from_codes(codes, self.categories.clone())
    }
}

/// The meaning of a word in a boolean column, in any spelling; 1 and 0 are such words too.
pub(crate) fn parse_bool(word: &str) -> Option<bool> {
    let is = |known: &&str| word.eq_ignore_ascii_case(known);
    if ["true", "yes", "t", "y"].iter().any(is) {
        return Some(true);
    }
    if ["false", "no", "f", "n"].iter().any(is) {
        return Some(false);
    }
    match word.parse::<f64>() {
        Ok(1.0) => Some(true),
        Ok(0.0) => Some(false),
        _ => None,
    }
}

/// The meaning of `true` and `false`, in any case.
pub(crate) fn parse_true_false(word: &str) -> Option<bool> {
    let is_plain = ["true", "false"].iter().any(|known| word.eq_ignore_ascii_case(known));
    parse_bool(word).filter(|_| is_plain)
}

/// The index, 0 or 1, of the word that means yes, if the other one means no.
pub(crate) fn truthy_index(a: &str, b: &str) -> Option<usize> {
    const PAIRS: [(&str, &str); 4] = [("false", "true"), ("no", "yes"), ("f", "t"), ("n", "y")];
    let is = |text: &str, word: &str| text.eq_ignore_ascii_case(word);
    PAIRS.iter().find_map(|(no, yes)| {
        if is(a, no) && is(b, yes) {
            Some(1)
        } else if is(a, yes) && is(b, no) {
            Some(0)
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_the_natural_order() {
        let text = Text::from_cells([Some("10"), Some("9"), None, Some("10")]);
        assert_eq!(text.categories(), ["9", "10"]);
        assert_eq!(text.codes(), [1, 0, Text::MISSING, 1]);
        assert_eq!(text.get(0), Some("10"));
        assert_eq!(text.get(2), None);
    }

    #[test]
    fn booleans_get_one_spelling() {
        let canonical = |cells: &[&str]| {
            Text::from_cells(cells.iter().copied().map(Some)).with_canonical_booleans()
        };
        let text = canonical(&["true", "FALSE", "True"]).unwrap();
        assert_eq!(
            (text.categories(), text.codes()),
            (&["False", "True"].map(String::from)[..], &[1, 0, 1][..])
        );
        assert_eq!(canonical(&["false"]).unwrap().categories(), ["False"]);
        assert_eq!(canonical(&["True", "False"]), None);
        assert_eq!(canonical(&["true", "maybe"]), None);
        assert_eq!(canonical(&["yes", "no"]), None);
        assert_eq!(canonical(&[]), None);
    }

    #[test]
    fn booleans_are_recognised_in_any_case() {
        assert_eq!(Text::from_cells([Some("True"), Some("False")]).as_boolean(), Some(1));
        assert_eq!(Text::from_cells([Some("n"), Some("Y")]).as_boolean(), Some(0));
        assert_eq!(Text::from_cells([Some("a"), Some("b")]).as_boolean(), None);
    }
}
