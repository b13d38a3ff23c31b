//! A cell of a table. People see rounded text; programs get values in full precision.

use mge_stats::{Interval, Moments, TTest};

/// The confidence level of intervals in tables.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum TableCell {
    /// A text.
    Text(String),
    /// A number, with its deviation if it is a mean.
    Number {
        /// The number.
        mean: f64,
        /// The standard deviation of the sample.
        deviation: Option<f64>,
        /// The number of decimals.
        digits: usize,
        /// Whether it is one of the best.
        bold: bool,
    },
    /// A difference, always shown with its sign.
    Difference {
        /// The difference.
        value: f64,
        /// The number of decimals.
        digits: usize,
    },
    /// A confidence interval, if there is one.
    Interval {
        /// The interval.
        range: Option<Interval>,
        /// The number of decimals.
        digits: usize,
    },
    /// A p-value. Small ones show as powers of ten, and those below the precision as `<1e-15`.
    P(f64),
    /// An empty cell.
    Empty,
}

impl TableCell {
    /// A plain number.
    pub fn number(mean: f64, digits: usize) -> Self {
        Self::Number { mean, deviation: None, digits, bold: false }
    }

    /// A mean, with its deviation if there is more than one value. Empty without values.
    pub(crate) fn mean(moments: Option<Moments>, digits: usize, bold: bool) -> Self {
        Self::published(moments.map(|m| (m.mean, m.known_deviation())), digits, bold)
    }

    /// A published mean, with its deviation if that is known. Empty without a mean.
    pub(crate) fn published(value: Option<(f64, Option<f64>)>, digits: usize, bold: bool) -> Self {
        match value {
            Some((mean, deviation)) => Self::Number { mean, deviation, digits, bold },
            None => Self::Empty,
        }
    }

    /// The confidence interval of the difference of a test. Empty if the samples are constant,
    /// because they do not tell how far the difference may be off.
    pub(crate) fn interval(test: Option<&TTest>, digits: usize) -> Self {
        let test = test.filter(|test| test.has_spread());
        let range = test.and_then(|test| test.confidence(CONFIDENCE).ok());
        Self::Interval { range, digits }
    }

    /// A p-value as text.
    pub(crate) fn p_text(p: f64) -> String {
        match p {
            p if p < 1e-15 => "<1e-15".to_owned(),
            p if p < 0.0005 => format!("{p:.0e}"),
            p => format!("{p:.3}"),
        }
    }

    /// The rounded text for people. `plus_minus` separates a mean from its deviation.
    pub(crate) fn show(&self, plus_minus: &str) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Empty | Self::Interval { range: None, .. } => String::new(),
            Self::Number { mean, deviation: None, digits, .. } => format!("{mean:.digits$}"),
            Self::Number { mean, deviation: Some(deviation), digits, .. } => {
                format!("{mean:.digits$}{plus_minus}{deviation:.digits$}")
            }
            Self::Difference { value, digits } => format!("{value:+.digits$}"),
            Self::Interval { range: Some(Interval { low, high }), digits } => {
                format!("[{low:.digits$}, {high:.digits$}]")
            }
            Self::P(p) => Self::p_text(*p),
        }
    }

    /// One or two values in full precision, for programs.
    pub(crate) fn values(&self) -> (String, String) {
        match self {
            Self::Number { mean, deviation, .. } => {
                (mean.to_string(), deviation.map(|d| d.to_string()).unwrap_or_default())
            }
            Self::Difference { value, .. } => (value.to_string(), String::new()),
            Self::Interval { range, .. } => {
                let ends = range.map(|Interval { low, high }| (low.to_string(), high.to_string()));
                ends.unwrap_or_default()
            }
            // The debug form writes tiny values as powers of ten.
            Self::P(p) => (format!("{p:?}"), String::new()),
            Self::Text(_) | Self::Empty => (self.show(""), String::new()),
        }
    }

    /// What follows the name of the column in the heads of its one or two values.
    pub(crate) fn value_names(&self) -> [Option<&'static str>; 2] {
        match self {
            Self::Number { deviation: Some(_), .. } => [None, Some("deviation")],
            Self::Interval { .. } => [Some("low"), Some("high")],
            _ => [None, None],
        }
    }

    pub(crate) fn is_bold(&self) -> bool {
        matches!(self, Self::Number { bold: true, .. })
    }
}

impl From<&str> for TableCell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for TableCell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_stats::one_sample_t;

    #[test]
    fn text_is_rounded_and_values_have_all_digits() {
        let test = one_sample_t(&Moments { count: 4, mean: 0.25, deviation: 0.5 }, 1.0).unwrap();
        let interval = TableCell::interval(Some(&test), 2);
        assert_eq!(interval.show(""), "[-1.55, 0.05]");
        assert!(interval.values().0.starts_with("-1.5456"), "{:?}", interval.values());
        let difference = TableCell::Difference { value: 0.12345, digits: 2 };
        assert_eq!(
            (difference.show("").as_str(), difference.values().0.as_str()),
            ("+0.12", "0.12345")
        );
        assert_eq!(
            (TableCell::P(2.5e-40).show(""), TableCell::P(2.5e-40).values().0),
            ("<1e-15".into(), "2.5e-40".into())
        );
    }

    #[test]
    fn a_constant_sample_has_no_interval() {
        let test = one_sample_t(&Moments { count: 4, mean: 0.25, deviation: 0.0 }, 1.0).unwrap();
        assert_eq!(
            TableCell::interval(Some(&test), 2),
            TableCell::Interval { range: None, digits: 2 }
        );
    }
}
