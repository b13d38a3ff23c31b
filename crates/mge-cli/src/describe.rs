//! `mge data describe`: what a table holds, and what `fit` would do with it.

use crate::flags::{self, DataFlags, EvolutionFlags, LimitFlags, MethodFlags, StopFlags};
use crate::print::short;
use crate::{loading, print};
use clap::Args;
use mge::data::{
    Description, DropReason, Dropped, Loaded, Note, Table, TargetColumn, TargetSummary,
};
use mge::{FitData, FitError, Folds, ResolvedSettings, RunOptions, Settings, SplitRecord};
use mge_report::clean;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// Describe a table: columns, missing cells, classes, and what `fit` would do with it
#[derive(Args)]
#[command(after_help = "Examples:
  mge data describe measurements.csv
  mge data describe cars.arff --target origin --json")]
pub struct DescribeArgs {
    /// Built-in data set or file; - is standard input
    data: String,
    /// Column of labels [default: class, target, label or y, else the last column]
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
    /// File with the test rows. All rows of DATA would then train
    #[arg(long, value_name = "FILE")]
    test: Option<String>,
    /// Folder with the files of flame and mnist [default: MGE_DATA_DIR, then the cache folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    method: MethodFlags,
    #[command(flatten)]
    table: DataFlags,
    #[command(flatten)]
    stop: StopFlags,
    #[command(flatten)]
    evolution: EvolutionFlags,
}

/// What `--json` prints.
#[derive(Serialize)]
struct DescribeReport<'a> {
    #[serde(flatten)]
    description: &'a Description,
    notes: &'a [Note],
    fit: FitPreview,
}

/// What a fit with the same flags would do, or why it would not.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum FitPreview {
    Possible(Box<Possible>),
    Impossible { reason: String },
}

#[derive(Serialize)]
struct Possible {
    split: SplitRecord,
    /// Whether the seed was given; a fit draws one otherwise, and other rows test.
    seed_chosen: bool,
    train_rows: usize,
    test_rows: usize,
    /// Test rows that also train, with equal features and target. Before a cross-validation, rows
    /// with an equal one in another fold.
    repeated_rows: usize,
    /// Classes without a training row.
    untrained_classes: Vec<String>,
    features: Vec<String>,
    dropped: Vec<Dropped>,
    settings: ResolvedSettings,
}

/// Columns that are shown; the rest is only counted.
const SHOWN: usize = 100;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

impl DescribeArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let base = self.method.base()?;
        let flags = flags::settings(
            self.method,
            self.table,
            self.stop,
            self.evolution,
            LimitFlags::default(),
        );
        let settings = flags::over(flags, base)?;
        let rules = settings.data.resolve();
        let mut options = rules.load_options(TargetColumn::from(self.target));
        options.data_dir = self.data_dir;
        let data = loading::with_bar(&self.data, options, false)?;
        let test = match &self.test {
            Some(file) => {
                let options = data.options_for_another(&rules.drop);
                Some(loading::with_bar(file, options, false)?.table)
            }
            None => None,
        };
        let description = data.describe();
        let plan = match plan(&data, test, settings) {
            Ok(possible) => FitPreview::Possible(Box::new(possible)),
            Err(error) => FitPreview::Impossible { reason: error.to_string() },
        };
        if self.json {
            let notes = &data.notes[..];
            return print::json(&DescribeReport { description: &description, notes, fit: plan });
        }
        print::out(&text(&description, &data.notes, &plan))
    }
}

fn plan(data: &Loaded, test: Option<Table>, mut settings: Settings) -> Result<Possible, FitError> {
    // A fit without a seed draws one; here the answer stays the same.
    let seed_chosen = settings.seed.is_some();
    settings.seed.get_or_insert(0);
    let rows = FitData::with_test(data, test.as_ref());
    let settings = settings.resolve(rows)?;
    let options = RunOptions::new();
    let ready = if settings.data.folds.is_some() {
        Folds::new(data, settings)?.prepare_final(options)?
    } else {
        settings.prepare(rows, options)?
    };
    let rows = ready.class_rows();
    let (train_rows, test_rows) = ready.row_counts();
    let untrained = ready.task().classes().iter().zip(&rows).filter(|(_, (train, _))| *train == 0);
    Ok(Possible {
        split: ready.split().clone(),
        seed_chosen,
        train_rows,
        test_rows,
        repeated_rows: ready.repeated_rows(),
        untrained_classes: untrained.map(|(class, _)| class.clone()).collect(),
        features: ready.preprocess().feature_names(),
        dropped: ready.preprocess().dropped().to_vec(),
        settings: ready.settings().clone(),
    })
}

fn text(data: &Description, notes: &[Note], plan: &FitPreview) -> String {
    let kinds: Vec<String> =
        data.kinds().iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let (rows, cells) = (data.rows, data.rows * data.columns.len());
    let missing = match data.missing_cells {
        0 => "none".to_owned(),
        n => format!("{} ({:.1} %)", print::count(n, "cell"), 100.0 * n as f64 / cells as f64),
    };
    let constant: Vec<&str> =
        data.columns.iter().filter(|c| c.constant).map(|c| c.name.as_str()).collect();
    let mut summary = vec![
        ("data", data.name.clone()),
        ("rows", rows.to_string()),
        (
            "columns",
            format!(
                "{} besides the {}: {}",
                data.kinds().values().sum::<usize>(),
                match (data.values.is_empty(), data.targets.len()) {
                    (true, _) => "labels",
                    (false, 1) => "target",
                    (false, _) => "targets",
                },
                if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") }
            ),
        ),
        ("missing", missing),
        ("constant", if constant.is_empty() { "none".to_owned() } else { list_names(&constant) }),
        ("repeated", print::count(data.duplicate_rows, "row")),
    ];
    if data.values.is_empty() {
        summary.push(("labels", data.target.clone().unwrap_or_else(|| "none".to_owned())));
    } else {
        let name = if data.targets.len() > 1 { "targets" } else { "target" };
        summary.push((name, data.targets.join(", ")));
    }
    // A task that is plain from its classes is not worth a line.
    if let Some(task) = data.task.as_ref()
        && (!data.values.is_empty() || task.contains("--task"))
    {
        summary.push(("task", task.clone()));
    }
    let several = data.values.len() > 1;
    for values in &data.values {
        let of = if several { format!("{}: ", values.name) } else { String::new() };
        summary.push(("values", of + &value_line(values)));
    }
    if !data.classes.is_empty() {
        let fraction = |rows_of: usize| 100.0 * rows_of as f64 / rows.max(1) as f64;
        let classes: Vec<String> = data
            .classes
            .iter()
            .map(|class| format!("{} {} ({:.1} %)", class.value, class.rows, fraction(class.rows)))
            .collect();
        let classes: Vec<&str> = classes.iter().map(String::as_str).collect();
        summary.push(("classes", format!("{}: {}", data.classes.len(), list_names(&classes))));
    }
    let mut text = print::table(&summary);
    text.push('\n');
    text += &columns(data);
    if !notes.is_empty() {
        text += "\nunderstood as follows:\n";
        notes.iter().for_each(|note| text += &print::harmless(&format!("  {note}\n")));
    }
    text.push('\n');
    text + &preview_text(plan)
}

/// The spread of a numeric target in one line.
pub(crate) fn value_line(values: &TargetSummary) -> String {
    let [min, lower, median, upper, max] = values.quantiles.map(short);
    format!(
        "{min} to {max}, quartiles {lower}, {median} and {upper}, mean {}, deviation {}",
        short(values.mean),
        short(values.deviation)
    )
}

/// The first of many names.
fn list_names(names: &[&str]) -> String {
    let shown = names.iter().take(30).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(30) {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}

fn columns(data: &Description) -> String {
    let cut = |name: &str, max: usize| match name.char_indices().nth(max) {
        None => clean(name),
        Some((at, _)) => format!("{}…", clean(&name[..at])),
    };
    let names: Vec<String> = data.columns.iter().map(|c| cut(&c.name, 30)).collect();
    let width = names.iter().take(SHOWN).map(|n| n.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:<width$}  {:<8} {:>7} {:>8}  {:<16}  range or most frequent\n",
        "column", "kind", "missing", "distinct", "distribution"
    );
    for (column, name) in data.columns.iter().zip(&names).take(SHOWN) {
        let numeric_target = data.values.iter().find(|values| values.name == column.name);
        let kind = match (numeric_target, data.targets.contains(&column.name)) {
            (Some(_), _) => "target",
            (None, true) => "labels",
            (None, false) => column.kind.name(),
        };
        let values = match (&column.range, numeric_target) {
            (_, Some(values)) => {
                let [min, _, median, _, max] = values.quantiles.map(short);
                format!("{min} to {max}, median {median}")
            }
            (Some(range), None) => {
                format!("{} to {}, median {}", range.min, range.max, range.median)
            }
            (None, None) => {
                let frequent = column.frequent.iter().take(4);
                let frequent: Vec<String> = frequent
                    .map(|count| format!("{} {}", cut(&count.value, 20), count.rows))
                    .collect();
                frequent.join(", ")
            }
        };
        let line = sparkline(numeric_target.map_or(&column.histogram, |values| &values.histogram));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name:<width$}  {kind:<8} {:>7} {:>8}  {line:<16}  {values}",
            column.missing, column.distinct
        );
    }
    if data.columns.len() > SHOWN {
        text += &format!("... and {} more columns\n", data.columns.len() - SHOWN);
    }
    text
}

fn sparkline(histogram: &[usize]) -> String {
    let max = histogram.iter().copied().max().unwrap_or(0).max(1);
    let bar = |&rows: &usize| match rows {
        0 => ' ',
        rows => BARS[(rows * BARS.len()).div_ceil(max).clamp(1, BARS.len()) - 1],
    };
    histogram.iter().map(bar).collect()
}

fn by_groups(column: &Option<String>) -> String {
    column.as_ref().map_or_else(String::new, |column| format!(", groups of {column} together"))
}

fn preview_text(plan: &FitPreview) -> String {
    let possible = match plan {
        FitPreview::Impossible { reason } => {
            return print::harmless(&format!("fit would refuse it: {reason}\n"));
        }
        FitPreview::Possible(possible) => possible,
    };
    let reason = |dropped: &Dropped| match dropped.reason {
        DropReason::Constant => "constant",
        DropReason::AllMissing => "all missing",
        DropReason::Identifier => "differs in nearly every row",
    };
    let dropped: Vec<String> =
        possible.dropped.iter().map(|one| format!("{} ({})", one.column, reason(one))).collect();
    let dropped: Vec<&str> = dropped.iter().map(String::as_str).collect();
    let features: Vec<&str> = possible.features.iter().map(String::as_str).collect();
    let split = match &possible.split {
        SplitRecord::Fraction { train_fraction, stratified, groups } => {
            let each = if *stratified { " of each class" } else { "" };
            let groups = by_groups(groups);
            let seed = match possible.seed_chosen {
                true => format!("by seed {}", possible.settings.seed),
                false => "by the seed that is drawn, here 0".to_owned(),
            };
            format!(" ({:.0} %{each}, shuffled {seed}{groups})", 100.0 * train_fraction)
        }
        SplitRecord::Standard => " (as published)".to_owned(),
        SplitRecord::TestTable { name, .. } => format!(" (from {name})"),
        SplitRecord::Time { column, train_fraction } => {
            format!(" (the first {:.0} % by {column} train)", 100.0 * train_fraction)
        }
        SplitRecord::Folds { folds, stratified, groups } => {
            let kind = if *stratified { "stratified folds" } else { "folds" };
            format!(" ({folds} {kind} test each row once before{})", by_groups(groups))
        }
        SplitRecord::Fold { .. } => String::new(),
    };
    let settings = &possible.settings;
    let grammar = settings.method.grammar().map(|text| format!(" with grammar {}", text.name));
    let stop = settings.stop.generations.map(|count| format!("{count} generations"));
    let population = settings.method.population().map(|count| format!("{count} individuals"));
    let work: Vec<String> = stop.into_iter().chain(population).collect();
    let work = if work.is_empty() { String::new() } else { work.join(" of ") + ", " };
    let mut lines = vec![
        ("features", format!("{}: {}", features.len(), list_names(&features))),
        ("left out", if dropped.is_empty() { "nothing".to_owned() } else { list_names(&dropped) }),
        ("rows", format!("{} train, {} test{split}", possible.train_rows, possible.test_rows)),
        (
            "search",
            format!(
                "{}{}, {work}{}",
                settings.method.short_name(),
                grammar.unwrap_or_default(),
                settings.loss,
            ),
        ),
    ];
    if possible.repeated_rows > 0 {
        let rows = print::count(possible.repeated_rows, "row");
        let advice = format!("{rows} with an equal one in another part; see --groups");
        lines.push(("repeated", advice));
    }
    if !possible.untrained_classes.is_empty() {
        let classes = possible.untrained_classes.join(", ");
        let advice = format!("{classes}: no row may train it; --stratified spreads classes");
        lines.push(("rare", advice));
    }
    let mut text = String::from("fit would do this:\n");
    print::table(&lines).lines().for_each(|line| text += &format!("  {line}\n"));
    text
}
