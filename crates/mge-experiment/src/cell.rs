//! A cell of a table, and what it reads like for people and for programs.

use mge_stats::{Interval, Moments, TTest};

/// Of intervals in tables.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number with its deviation, if it is a mean.
    Figure {
        /// The number.
        mean: f64,
        /// The standard deviation of the sample.
        deviation: Option<f64>,
        /// Digits behind the point.
        digits: usize,
        /// Whether it is among the best.
        bold: bool,
    },
    /// A difference: its sign is always shown.
    Difference {
        /// The difference.
        value: f64,
        /// Digits behind the point.
        digits: usize,
    },
    /// A confidence interval, where there is one.
    Interval {
        /// Both ends.
        range: Option<Interval>,
        /// Digits behind the point.
        digits: usize,
    },
    /// A p-value: small ones in powers of ten, and none smaller than the arithmetic behind it.
    P(f64),
    /// Nothing.
    Empty,
}

impl Cell {
    /// A plain number.
    pub fn number(mean: f64, digits: usize) -> Self {
        Self::Figure { mean, deviation: None, digits, bold: false }
    }

    /// A mean with its deviation, where more than one value made it; empty without any.
    pub(crate) fn mean(moments: Option<Moments>, digits: usize, bold: bool) -> Self {
        Self::published(moments.map(|m| (m.mean, m.known_deviation())), digits, bold)
    }

    /// A mean with its deviation, where it is known.
    pub(crate) fn published(figure: Option<(f64, Option<f64>)>, digits: usize, bold: bool) -> Self {
        match figure {
            Some((mean, deviation)) => Self::Figure { mean, deviation, digits, bold },
            None => Self::Empty,
        }
    }

    /// Where the difference of a test lies. Empty where nothing varied: a constant sample does not
    /// tell how far off its mean may be.
    pub(crate) fn interval(test: Option<&TTest>, digits: usize) -> Self {
        let test = test.filter(|test| test.has_spread());
        let range = test.and_then(|test| test.confidence(CONFIDENCE).ok());
        Self::Interval { range, digits }
    }

    /// A p-value in running text: small ones are not 0.000.
    pub(crate) fn p_text(p: f64) -> String {
        match p {
            p if p < 1e-15 => "<1e-15".to_owned(),
            p if p < 0.0005 => format!("{p:.0e}"),
            p => format!("{p:.3}"),
        }
    }

    /// For people; `between` a mean and its deviation.
    pub(crate) fn show(&self, between: &str) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Empty | Self::Interval { range: None, .. } => String::new(),
            Self::Figure { mean, deviation: None, digits, .. } => format!("{mean:.digits$}"),
            Self::Figure { mean, deviation: Some(deviation), digits, .. } => {
                format!("{mean:.digits$}{between}{deviation:.digits$}")
            }
            Self::Difference { value, digits } => format!("{value:+.digits$}"),
            Self::Interval { range: Some(Interval { low, high }), digits } => {
                format!("[{low:.digits$}, {high:.digits$}]")
            }
            Self::P(p) => Self::p_text(*p),
        }
    }

    /// For programs: one or two values in full precision.
    pub(crate) fn values(&self) -> (String, String) {
        match self {
            Self::Figure { mean, deviation, .. } => {
                (mean.to_string(), deviation.map(|d| d.to_string()).unwrap_or_default())
            }
            Self::Difference { value, .. } => (value.to_string(), String::new()),
            Self::Interval { range, .. } => {
                let ends = range.map(|Interval { low, high }| (low.to_string(), high.to_string()));
                ends.unwrap_or_default()
            }
            // Powers of ten, not three hundred zeros.
            Self::P(p) => (format!("{p:?}"), String::new()),
            Self::Text(_) | Self::Empty => (self.show(""), String::new()),
        }
    }

    /// What programs call its values, behind the name of the column.
    pub(crate) fn value_names(&self) -> [Option<&'static str>; 2] {
        match self {
            Self::Figure { deviation: Some(_), .. } => [None, Some("deviation")],
            Self::Interval { .. } => [Some("low"), Some("high")],
            _ => [None, None],
        }
    }

    pub(crate) fn is_bold(&self) -> bool {
        matches!(self, Self::Figure { bold: true, .. })
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_stats::one_sample_t;

    #[test]
    fn people_see_rounded_values_and_programs_all_digits() {
        let test = one_sample_t(&Moments { count: 4, mean: 0.25, deviation: 0.5 }, 1.0).unwrap();
        let interval = Cell::interval(Some(&test), 2);
        assert_eq!(interval.show(""), "[-1.55, 0.05]");
        assert!(interval.values().0.starts_with("-1.5456"), "{:?}", interval.values());
        let difference = Cell::Difference { value: 0.12345, digits: 2 };
        assert_eq!(
            (difference.show("").as_str(), difference.values().0.as_str()),
            ("+0.12", "0.12345")
        );
        assert_eq!(
            (Cell::P(2.5e-40).show(""), Cell::P(2.5e-40).values().0),
            ("<1e-15".into(), "2.5e-40".into())
        );
    }

    #[test]
    fn a_constant_sample_has_no_interval() {
        let test = one_sample_t(&Moments { count: 4, mean: 0.25, deviation: 0.0 }, 1.0).unwrap();
        assert_eq!(Cell::interval(Some(&test), 2), Cell::Interval { range: None, digits: 2 });
    }
}
