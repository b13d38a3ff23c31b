//! Finds a value among known ones by what it means: other programs and formats write `1.0` for
//! `1` and `True` for `true`.

use std::collections::HashMap;

use crate::text::{plain_truth, truth_of};

/// Values that are known, classes or categories.
pub(crate) struct Known<'a> {
    by_text: HashMap<&'a str, usize>,
    /// By the bits of the number; `None` where two values are the same number.
    by_number: HashMap<u64, Option<usize>>,
    /// The places of no and yes.
    truths: [Option<usize>; 2],
    truth: fn(&str) -> Option<bool>,
}

impl<'a> Known<'a> {
    /// Classes or categories; only `true` and `false` may be spelt in another way.
    pub fn new(values: &'a [String]) -> Self {
        Self::with(values, plain_truth)
    }

    /// The two words of a column of yes and no; every word for yes is the same.
    pub fn yes_and_no(values: &'a [String]) -> Self {
        Self::with(values, truth_of)
    }

    fn with(values: &'a [String], truth: fn(&str) -> Option<bool>) -> Self {
        let mut known = Self {
            by_text: HashMap::with_capacity(values.len()),
            by_number: HashMap::new(),
            truths: [None; 2],
            truth,
        };
        let mut spelt = [0; 2];
        for (place, value) in values.iter().enumerate() {
            known.by_text.insert(value, place);
            if let Some(number) = number(value) {
                let only = known.by_number.entry(number).or_insert(Some(place));
                *only = only.filter(|only| *only == place);
            }
            if let Some(truth) = truth(value) {
                spelt[usize::from(truth)] += 1;
                known.truths[usize::from(truth)] = Some(place);
            }
        }
        // Where both `true` and `True` are known, `TRUE` is neither.
        for (place, spelt) in known.truths.iter_mut().zip(spelt) {
            *place = place.filter(|_| spelt == 1);
        }
        known
    }

    /// The value with exactly this text.
    pub fn by_text(&self, text: &str) -> Option<usize> {
        self.by_text.get(text).copied()
    }

    /// The value with this text, or else the only one that means the same.
    pub fn find(&self, text: &str) -> Option<usize> {
        let same_number = || self.by_number.get(&number(text)?).copied().flatten();
        let same_truth = || self.truths[usize::from((self.truth)(text)?)];
        self.by_text(text).or_else(same_number).or_else(same_truth)
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
        Known::new(&values).find(text)
    }

    #[test]
    fn text_first_then_meaning() {
        assert_eq!(find(&["1.0", "1"], "1"), Some(1));
        assert_eq!(find(&["0", "1.0"], "1"), Some(1));
        assert_eq!(find(&["0", "1.0"], "-0.0"), Some(0));
        assert_eq!(find(&["1.0", "1"], "01"), None, "which of them?");
        assert_eq!(find(&["false", "true"], "True"), Some(1));
        assert_eq!(find(&["True", "true"], "TRUE"), None);
        assert_eq!(find(&["no", "yes"], "true"), None, "only where yes and no is all there is");
        assert_eq!(find(&["a", "b"], "A"), None);
    }

    #[test]
    fn yes_however_it_is_spelt() {
        let words = ["no".to_owned(), "yes".to_owned()];
        let known = Known::yes_and_no(&words);
        let found = ["True", "0", "1.0", "?", "2"].map(|word| known.find(word));
        assert_eq!(found, [Some(1), Some(0), Some(1), None, None]);
    }
}
