//! Fits a [`Preprocess`] on training rows; no other row is looked at.

use std::collections::HashSet;

use super::{
    Categories, DropReason, Dropped, Encoding, Feature, Preprocess, PreprocessOptions, RawColumn,
    Scale,
};
use crate::error::DataError;
use crate::table::{Column, Table, Values};
use crate::text_column::{Text, truthy_index};

/// A text column is an identifier if more than this fraction of its values are distinct, and more
/// than [`FEW_VALUES`] of them.
const IDENTIFIER_FRACTION: f64 = 0.9;
const FEW_VALUES: usize = 20;

impl Preprocess {
    /// Fits encoding, filling and scaling on the training rows of a table. `target` is no feature.
    ///
    /// # Panics
    /// When a row is out of range.
    pub fn fit(
        table: &Table,
        target: &str,
        train_rows: &[u32],
        options: &PreprocessOptions,
    ) -> Result<Self, DataError> {
        Self::fit_for_targets(table, &[target], train_rows, options)
    }

    /// As [`Preprocess::fit`], for several targets: none of them is a feature.
    ///
    /// # Panics
    /// When a row is out of range.
    pub fn fit_for_targets(
        table: &Table,
        targets: &[impl AsRef<str>],
        train_rows: &[u32],
        options: &PreprocessOptions,
    ) -> Result<Self, DataError> {
        for target in targets {
            table.column(target.as_ref())?;
        }
        let is_target = |name: &str| targets.iter().any(|target| target.as_ref() == name);
        let no_features = |reason: &str| {
            Err(DataError::NoFeatures { file: table.name().to_owned(), reason: reason.to_owned() })
        };
        if train_rows.is_empty() {
            return no_features("the training part is empty");
        }
        let is_feature =
            |column: &&Column| !is_target(&column.name) && !options.left_out.contains(&column.name);
        if !table.columns().iter().any(|column| is_feature(&column)) {
            let left_out = options.left_out.iter().any(|name| table.position(name).is_some());
            let others = if left_out { ", besides those that split the rows" } else { "" };
            return no_features(&format!("the labels are the only column{others}"));
        }
        let mut fit = Fitter {
            options,
            names: HashSet::new(),
            made: Preprocess { columns: Vec::new(), features: Vec::new(), dropped: Vec::new() },
        };
        for column in table.columns().iter().filter(is_feature) {
            let raw = match &column.values {
                Values::Number(cells) => fit.numbers(&column.name, cells, train_rows),
                Values::Text(text) => fit.text(&column.name, text, train_rows),
            };
            match raw {
                Ok(raw) => fit.made.columns.push(raw),
                Err(reason) => {
                    fit.made.dropped.push(Dropped { column: column.name.clone(), reason });
                }
            }
        }
        if fit.made.features.is_empty() {
            const NONE: &str =
                "every column is constant, empty or an identifier in the training part";
            let holes = table.columns().iter().any(|column| column.values.missing() > 0);
            let hint = "; if missing cells are informative, try --missing-indicator";
            return no_features(&format!("{NONE}{}", if holes { hint } else { "" }));
        }
        Ok(fit.made)
    }
}

struct Fitter<'a> {
    options: &'a PreprocessOptions,
    names: HashSet<String>,
    made: Preprocess,
}

impl Fitter<'_> {
    fn numbers(
        &mut self,
        name: &str,
        cells: &[f32],
        rows: &[u32],
    ) -> Result<RawColumn, DropReason> {
        let mut values: Vec<f32> = rows.iter().map(|&row| cells[row as usize]).collect();
        let known: Vec<f32> = values.iter().copied().filter(|x| !x.is_nan()).collect();
        let missing = values.len() - known.len();
        let fill = median(known).ok_or(DropReason::AllMissing)?;
        values.iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = fill);
        let whole = self.feature(name.to_owned(), name, Encoding::Value, values.iter().copied());
        let marked = self.indicator(name, missing, rows, |row| cells[row].is_nan());
        if whole || marked {
            return Ok(RawColumn::Number { name: name.to_owned(), fill });
        }
        Err(DropReason::Constant)
    }

    fn text(&mut self, name: &str, text: &Text, rows: &[u32]) -> Result<RawColumn, DropReason> {
        let codes: Vec<u32> = rows.iter().map(|&row| text.codes()[row as usize]).collect();
        let mut counts = vec![0usize; text.categories().len()];
        let known = codes.iter().filter(|&&code| code != Text::MISSING);
        known.for_each(|&code| counts[code as usize] += 1);
        let cells: usize = counts.iter().sum();
        let mut by_count: Vec<usize> = (0..counts.len()).filter(|&code| counts[code] > 0).collect();
        // The sort is stable: equally frequent categories stay in natural order.
        by_count.sort_by_key(|&code| std::cmp::Reverse(counts[code]));
        let Some(&top_category) = by_count.first() else {
            return Err(DropReason::AllMissing);
        };
        let distinct = by_count.len();
        if distinct > FEW_VALUES && distinct as f64 > IDENTIFIER_FRACTION * cells as f64 {
            return Err(DropReason::Identifier);
        }
        let one_hot = self.options.categories == Categories::OneHot;
        let limit = if one_hot { self.options.max_categories.max(2) } else { usize::MAX };
        let rare = if distinct > limit { by_count.split_off(limit) } else { Vec::new() };
        let in_order = |mut chosen: Vec<usize>| {
            chosen.sort_unstable();
            chosen
        };
        let (chosen, rare) = (in_order(by_count), in_order(rare));
        let filled = codes.iter().map(|&code| match code {
            Text::MISSING => top_category,
            code => code as usize,
        });

        let categories = text.categories();
        // Only words of the training part count: a third word elsewhere changes nothing.
        let yes = match chosen[..] {
            [a, b] if rare.is_empty() => {
                truthy_index(&categories[a], &categories[b]).map(|second| chosen[second])
            }
            _ => None,
        };
        let mut any = false;
        if let Some(yes) = yes {
            let encoding = Encoding::Is(categories[yes].clone());
            let is = filled.clone().map(|code| f32::from(u8::from(code == yes)));
            any |= self.feature(name.to_owned(), name, encoding, is);
        } else if one_hot {
            // Of two categories, one feature is enough.
            let skip = usize::from(chosen.len() == 2 && rare.is_empty());
            for &category in &chosen[skip..] {
                let value = &categories[category];
                let is = filled.clone().map(|code| f32::from(u8::from(code == category)));
                let encoding = Encoding::Is(value.clone());
                any |= self.feature(format!("{name}={value}"), name, encoding, is);
            }
        } else {
            let indices = filled.map(|code| chosen.partition_point(|&known| known < code) as f32);
            any |= self.feature(name.to_owned(), name, Encoding::Ordinal, indices);
        }
        let missing = codes.len() - cells;
        any |= self.indicator(name, missing, rows, |row| text.codes()[row] == Text::MISSING);
        if !any {
            return Err(DropReason::Constant);
        }
        let texts =
            |chosen: &[usize]| chosen.iter().map(|&code| categories[code].clone()).collect();
        let (name, fill) = (name.to_owned(), categories[top_category].clone());
        let categories = texts(&chosen);
        Ok(match yes {
            Some(_) => RawColumn::Boolean { name, categories, fill },
            None => RawColumn::Category { name, categories, rare: texts(&rare), fill },
        })
    }

    fn indicator(
        &mut self,
        column: &str,
        missing: usize,
        rows: &[u32],
        is_missing: impl Fn(usize) -> bool + Clone,
    ) -> bool {
        if !self.options.missing_indicator || missing == 0 {
            return false;
        }
        let marks = rows.iter().map(|&row| f32::from(u8::from(is_missing(row as usize))));
        self.feature(format!("missing({column})"), column, Encoding::Missing, marks)
    }

    /// Adds a feature with these values in the training part. Returns false if they are all equal.
    fn feature(
        &mut self,
        mut name: String,
        column: &str,
        encoding: Encoding,
        values: impl Iterator<Item = f32> + Clone,
    ) -> bool {
        let Some((offset, factor)) = scaling(values, self.options.scale) else {
            return false;
        };
        while !self.names.insert(name.clone()) {
            name.push('\'');
        }
        let column = column.to_owned();
        self.made.features.push(Feature { name, column, encoding, offset, factor });
        true
    }
}

/// Offset and factor, or `None` if the values are equal. Computed in f64, in the
/// order of the rows.
fn scaling(values: impl Iterator<Item = f32> + Clone, scale: Scale) -> Option<(f32, f32)> {
    let (mut low, mut high, mut sum, mut count) = (f32::INFINITY, f32::NEG_INFINITY, 0.0, 0.0);
    for value in values.clone() {
        low = low.min(value);
        high = high.max(value);
        sum += f64::from(value);
        count += 1.0;
    }
    if low >= high {
        return None;
    }
    let (offset, spread) = match scale {
        Scale::None => (0.0, 1.0),
        Scale::MinMax => (f64::from(low), f64::from(high) - f64::from(low)),
        Scale::ZScore => {
            let mean: f64 = sum / count;
            let squares: f64 = values.map(|x| (f64::from(x) - mean) * (f64::from(x) - mean)).sum();
            (mean, (squares / count).sqrt())
        }
    };
    let factor = (1.0 / spread) as f32;
    (factor.is_finite() && factor > 0.0).then_some((offset as f32, factor))
}

/// The middle value, or the mean of the two middle ones.
fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_unstable_by(f32::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    if values.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = values[middle - 1];
    Some(((f64::from(lower) + f64::from(upper)) / 2.0) as f32)
}
