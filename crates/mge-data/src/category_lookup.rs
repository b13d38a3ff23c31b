//! Looks up categories by meaning: other programs and formats write `1.0` for `1` and `True` for
//! `true`.

use std::collections::HashMap;

use crate::text_column::{parse_bool, parse_true_false};

/// An index of classes or categories.
pub(crate) struct CategoryLookup<'a> {
    by_text: HashMap<&'a str, usize>,
    /// By the bits of the number; `None` if two categories are the same number.
    by_number: HashMap<u64, Option<usize>>,
    /// The indices of the categories that mean no and yes.
    booleans: [Option<usize>; 2],
    parse_bool: fn(&str) -> Option<bool>,
}

impl<'a> CategoryLookup<'a> {
    /// Indexes classes or categories. Only `true` and `false` have other spellings.
    pub fn new(values: &'a [String]) -> Self {
        Self::with(values, parse_true_false)
    }

    /// Indexes the two words of a boolean column. All words for yes are equal, and so are all for no.
    pub fn boolean(values: &'a [String]) -> Self {
        Self::with(values, parse_bool)
    }

    fn with(values: &'a [String], parse_bool: fn(&str) -> Option<bool>) -> Self {
        let mut lookup = Self {
            by_text: HashMap::with_capacity(values.len()),
            by_number: HashMap::new(),
            booleans: [None; 2],
            parse_bool,
        };
        let mut spellings = [0; 2];
        for (index, value) in values.iter().enumerate() {
            lookup.by_text.insert(value, index);
            if let Some(number) = number(value) {
                let only = lookup.by_number.entry(number).or_insert(Some(index));
                *only = only.filter(|only| *only == index);
            }
            if let Some(value) = parse_bool(value) {
                spellings[usize::from(value)] += 1;
                lookup.booleans[usize::from(value)] = Some(index);
            }
        }
        // With both `true` and `True` among the categories, `TRUE` is ambiguous.
        for (index, spellings) in lookup.booleans.iter_mut().zip(spellings) {
            *index = index.filter(|_| spellings == 1);
        }
        lookup
    }

    /// The index of the category with exactly this text.
    pub fn by_text(&self, text: &str) -> Option<usize> {
        self.by_text.get(text).copied()
    }

    /// The index of the category with this text, or else of the only one with the same meaning.
    pub fn find(&self, text: &str) -> Option<usize> {
        let same_number = || self.by_number.get(&number(text)?).copied().flatten();
        let same_boolean = || self.booleans[usize::from((self.parse_bool)(text)?)];
        self.by_text(text).or_else(same_number).or_else(same_boolean)
    }
}

/// The bits of the number that a text is.
fn number(text: &str) -> Option<u64> {
    let number = text.parse::<f64>().ok().filter(|x| x.is_finite())?;
    Some((number + 0.0).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(values: &[&str], text: &str) -> Option<usize> {
        let values: Vec<String> = values.iter().map(|value| value.to_string()).collect();
        CategoryLookup::new(&values).find(text)
    }

    #[test]
    fn text_is_compared_before_meaning() {
        assert_eq!(find(&["1.0", "1"], "1"), Some(1));
        assert_eq!(find(&["0", "1.0"], "1"), Some(1));
        assert_eq!(find(&["0", "1.0"], "-0.0"), Some(0));
        assert_eq!(find(&["1.0", "1"], "01"), None, "ambiguous");
        assert_eq!(find(&["false", "true"], "True"), Some(1));
        assert_eq!(find(&["True", "true"], "TRUE"), None);
        assert_eq!(find(&["no", "yes"], "true"), None, "not a boolean column");
        assert_eq!(find(&["a", "b"], "A"), None);
    }

    #[test]
    fn booleans_match_in_any_spelling() {
        let words = ["no".to_owned(), "yes".to_owned()];
        let known = CategoryLookup::boolean(&words);
        let found = ["True", "0", "1.0", "?", "2"].map(|word| known.find(word));
        assert_eq!(found, [Some(1), Some(0), Some(1), None, None]);
    }
}
