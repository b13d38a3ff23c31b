//! Raw flags of `fit`, and how they become settings.

use crate::print;
use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use mge::data::{Categories, Scale};
use mge::hybrid::Pick;
use mge::net::Loss;
use mge::{
    ClassWeight, DataSettings, EvolutionSettings, Method, MethodTable, Settings, SettingsError,
    StopSettings, TaskChoice, Variant, Weights,
};
use std::num::{IntErrorKind, NonZeroUsize, ParseIntError};
use std::path::PathBuf;

/// The flags that newcomers need first stand at the top of the help, under no heading of their own.
const NO_HEADING: Option<&'static str> = None;

/// Settings of the method. Each overrides the same entry of `--config`.
#[derive(Args, Default)]
#[command(next_help_heading = "Method")]
pub struct MethodFlags {
    /// Search method [default: hybrid]
    #[arg(long, value_name = "METHOD", value_parser = MethodParser)]
    method: Option<Method>,
    /// Form of modularity of method mge: mge (single-layer modules), alpha (multi-layer modules), beta
    /// (multi-layer, coupled), eta (single-layer, monolithic), mu (multi-layer, monolithic)
    /// [default: mge]
    #[arg(long, value_name = "VARIANT")]
    variant: Option<Variant>,
    /// BNF file, or the name of a shipped grammar (mge, monolithic, authors, sparse, ...), of methods
    /// mge, ge, sge and dsge [default: the method's or variant's own]
    #[arg(long, value_name = "FILE")]
    grammar: Option<PathBuf>,
    /// TOML file with settings; flags override it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// One setting as the TOML file has it, such as neat.add_node=0.05; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// What to learn from the target: auto (the data decides), classify or regress [default: auto]
    #[arg(long)]
    task: Option<TaskChoice>,
    /// Loss to minimise: ce (cross-entropy) or mse (mean squared error); of numbers mse, mae,
    /// huber:DELTA or pinball:QUANTILE [default: ce, of numbers mse]
    #[arg(long)]
    loss: Option<Loss>,
    /// Predict this quantile of a number, such as 0.95: the same as --loss pinball:0.95
    #[arg(long, value_name = "FRACTION", value_parser = quantile, conflicts_with = "loss")]
    quantile: Option<Loss>,
    /// Input scaling, fitted on the training rows: zscore, minmax or none [default: zscore]
    #[arg(long, value_parser = scale)]
    scale: Option<Scale>,
    /// Fraction of the rows that train [default: the paper's for a built-in set, else 0.7]
    #[arg(long, value_name = "FRACTION", conflicts_with = "test")]
    train_fraction: Option<f64>,
    /// Seed of the split and the search; the same seed gives the same model [default: drawn and printed]
    #[arg(long, value_name = "N", help_heading = NO_HEADING, display_order = 5)]
    seed: Option<u64>,
}

/// Which columns are read, and how.
#[derive(Args, Default)]
#[command(next_help_heading = "Data")]
pub struct ColumnFlags {
    /// Columns to leave out
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',')]
    pub drop: Option<Vec<String>>,
    /// Columns to take as categories although they look like numbers
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',')]
    pub as_category: Option<Vec<String>>,
    /// Columns to take as numbers; text in them is then an error
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',')]
    pub as_number: Option<Vec<String>>,
}

/// How columns become features, and how rows are split and weighted.
#[derive(Args, Default)]
#[command(next_help_heading = "Data")]
pub struct DataFlags {
    #[command(flatten)]
    columns: ColumnFlags,
    /// How categories become numbers: onehot or ordinal [default: onehot]
    #[arg(long, value_parser = categories)]
    categories: Option<Categories>,
    /// Add a 0/1 feature for each column with missing cells: 1 where the cell is missing
    #[arg(long)]
    missing_indicator: bool,
    /// Keep the class proportions equal in training and test rows (and in all folds)
    #[arg(long)]
    stratified: bool,
    /// Class weights: none (every row counts the same) or balanced (every class counts the same)
    /// [default: none]
    #[arg(long, value_name = "WEIGHT")]
    class_weight: Option<ClassWeight>,
    /// Cross-validate with N folds first; the final model then trains on all rows
    #[arg(long, value_name = "N", conflicts_with_all = ["test", "train_fraction"])]
    folds: Option<usize>,
    /// Keep rows with the same value of this column together: in one part, and in one fold. The
    /// column is no feature. Use it where rows share a patient, a machine or a day
    #[arg(long, value_name = "COLUMN", conflicts_with = "time")]
    groups: Option<String>,
    /// Split by this column: the first rows train, the last ones test. It has numbers or dates, and
    /// is no feature
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["folds", "stratified"])]
    time: Option<String>,
    /// Make a feature of the column of --time, too
    #[arg(long, requires = "time")]
    time_feature: bool,
    /// Column of numbers that says how much each training row counts: a row of weight 3 is three rows.
    /// The column is no feature
    #[arg(long, value_name = "COLUMN")]
    weight: Option<String>,
}

/// When to stop: the first rule that holds.
#[derive(Args, Default)]
#[command(next_help_heading = "Stopping")]
pub struct StopFlags {
    /// Generations, the first included [default: hybrid 20, or 40 from 4,000 training rows; mge,
    /// neat and ova-neat 500, or 3000 above three classes; ge 100; sge 500; dsge 2500]
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Maximum number of evaluations
    #[arg(long, value_name = "N")]
    evaluations: Option<u64>,
    /// Seconds of search; the result then depends on the speed of the machine
    #[arg(long, value_name = "S", help_heading = NO_HEADING, display_order = 2)]
    time_limit: Option<f64>,
    /// Stop when the best loss is at most this (training loss; for hybrid, validation loss)
    #[arg(long, value_name = "LOSS")]
    target_loss: Option<f64>,
    /// Stop when the best loss has not improved for N generations [default: never]
    #[arg(long, value_name = "N")]
    patience: Option<u64>,
}

/// The evolutionary loop, and the representation of method mge; the defaults are the paper's.
#[derive(Args, Default)]
#[command(next_help_heading = "Evolution (methods other than hybrid; defaults of method mge)")]
pub struct EvolutionFlags {
    /// Individuals in a population; more explores more widely [default: 200]
    #[arg(long, value_name = "N")]
    population: Option<usize>,
    /// Probability that two parents are crossed [default: 0.9]
    #[arg(long, value_name = "P")]
    crossover_rate: Option<f64>,
    /// Tournament size: individuals that compete to be a parent; more is greedier [default: 7]
    #[arg(long, value_name = "N")]
    tournament: Option<usize>,
    /// Fraction of the best individuals that survive unchanged [default: 0.05]
    #[arg(long, value_name = "FRACTION")]
    elite: Option<f64>,
    /// Minimum genes of a random genotype of method mge [default: 2, above three classes 30]
    #[arg(long, alias = "least-genes", value_name = "N")]
    min_genes: Option<usize>,
    /// Maximum genes of a random genotype of method mge [default: 10, above three classes 40]
    #[arg(long, alias = "most-genes", value_name = "N")]
    max_genes: Option<usize>,
    /// Codons of a gene of method mge; grammars with long sentences need more [default: 100, 40 with real weights]
    #[arg(long, value_name = "N")]
    gene_length: Option<usize>,
    /// Mutation rates of method mge; each offspring draws one of them [default:
    /// 0.001,0.002,0.003,0.01, with real weights 0.003,0.006,0.01,0.03]
    #[arg(long, value_name = "P,..", value_delimiter = ',', allow_hyphen_values = true)]
    mutation_rates: Option<Vec<f64>>,
    /// How often reading a gene of method mge may wrap around to its start [default: 0]
    #[arg(long, value_name = "N")]
    wraps: Option<u32>,
    /// Bits of a codon of method mge, 8 or 16 [default: 8, or 16 for a rule of more than 256
    /// alternatives]
    #[arg(long, value_name = "BITS")]
    codon_bits: Option<u32>,
    /// Where the weights of method mge come from: codon (digits that codons choose) or real (values
    /// of the genes, at the positions that the grammar marks) [default: codon]
    #[arg(long, value_name = "KIND")]
    weights: Option<Weights>,
}

/// Limits of a network, and the rule that picks one of the front within them.
#[derive(Args, Default)]
#[command(next_help_heading = "Front (method hybrid)")]
pub struct LimitFlags {
    /// Maximum operations of a prediction
    #[arg(long, value_name = "N", help_heading = NO_HEADING, display_order = 3)]
    max_ops: Option<usize>,
    /// Maximum bytes as a table of 8-bit weights and indices, without the program around it
    #[arg(long, value_name = "N")]
    max_bytes: Option<usize>,
    /// Maximum features that the network reads
    #[arg(long, value_name = "N")]
    max_features: Option<usize>,
    /// Maximum hidden neurons
    #[arg(long, value_name = "N")]
    max_neurons: Option<usize>,
    /// Which network within the limits: recommended, smallest, most-accurate, lowest-loss, knee or
    /// smallest-within-1se [default: lowest-loss with a limit, else recommended]
    #[arg(long, value_name = "RULE")]
    pick: Option<Pick>,
}

impl LimitFlags {
    /// As entries of the table `hybrid`.
    pub fn settings(&self) -> MethodTable {
        let mut table = MethodTable::default();
        set(&mut table, "max_ops", self.max_ops);
        set(&mut table, "max_bytes", self.max_bytes);
        set(&mut table, "max_features", self.max_features);
        set(&mut table, "max_neurons", self.max_neurons);
        set(&mut table, "pick", self.pick.map(|pick| pick.to_string()));
        table
    }
}

/// Sets an entry if a value was given.
fn set(table: &mut MethodTable, name: &str, value: Option<impl Into<serde_json::Value>>) {
    if let Some(value) = value {
        table.set(name, value);
    }
}

impl MethodFlags {
    /// The settings of `--set`, which override those of the `--config` file.
    pub fn base(&self) -> anyhow::Result<Settings> {
        let file = match &self.config {
            Some(file) => Settings::read(file)?,
            None => Settings::default(),
        };
        let settings = Settings::of_entries(&self.set)?.over(file);
        settings
            .notes_on_old_names()
            .iter()
            .for_each(|note| print::note(format_args!("note: {note}")));
        Ok(settings)
    }
}

/// Names of methods, with their summaries in the help.
#[derive(Clone)]
struct MethodParser;

impl TypedValueParser for MethodParser {
    type Value = Method;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Method, clap::Error> {
        let parse = |name: &str| name.parse::<Method>();
        parse.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let methods = Method::all().into_iter().map(Method::info);
        Some(Box::new(methods.map(|info| PossibleValue::new(info.name).help(info.summary))))
    }
}

fn scale(text: &str) -> Result<Scale, String> {
    match text {
        "zscore" => Ok(Scale::ZScore),
        "minmax" => Ok(Scale::MinMax),
        "none" => Ok(Scale::None),
        _ => Err("expected zscore, minmax or none".to_owned()),
    }
}

fn categories(text: &str) -> Result<Categories, String> {
    match text {
        "onehot" => Ok(Categories::OneHot),
        "ordinal" => Ok(Categories::Ordinal),
        _ => Err("expected onehot or ordinal".to_owned()),
    }
}

impl DataFlags {
    /// As settings.
    pub fn settings(self) -> DataSettings {
        DataSettings {
            drop: self.columns.drop,
            as_category: self.columns.as_category,
            as_number: self.columns.as_number,
            categories: self.categories,
            missing_indicator: self.missing_indicator.then_some(true),
            stratified: self.stratified.then_some(true),
            class_weight: self.class_weight,
            folds: self.folds,
            groups: self.groups,
            time: self.time,
            time_feature: self.time_feature.then_some(true),
            weight: self.weight,
        }
    }
}

impl StopFlags {
    /// As settings.
    pub fn settings(self) -> StopSettings {
        StopSettings {
            generations: self.generations,
            evaluations: self.evaluations,
            seconds: self.time_limit,
            target_loss: self.target_loss,
            patience: self.patience,
        }
    }
}

/// All flags as settings.
pub fn settings(
    method: MethodFlags,
    data: DataFlags,
    stop: StopFlags,
    evolution: EvolutionFlags,
    limits: LimitFlags,
) -> Settings {
    let mut settings = Settings {
        method: method.method,
        variant: method.variant,
        grammar: method.grammar,
        task: method.task,
        loss: method.quantile.or(method.loss),
        scale: method.scale,
        train_fraction: method.train_fraction,
        seed: method.seed,
        data: data.settings(),
        stop: stop.settings(),
        evolution: EvolutionSettings {
            population: evolution.population,
            crossover_rate: evolution.crossover_rate,
            tournament: evolution.tournament,
            elite: evolution.elite,
        },
        ..Settings::default()
    };
    let mge = settings.methods.of("mge");
    set(mge, "min_genes", evolution.min_genes);
    set(mge, "max_genes", evolution.max_genes);
    set(mge, "gene_length", evolution.gene_length);
    set(mge, "mutation_rates", evolution.mutation_rates);
    set(mge, "wraps", evolution.wraps);
    set(mge, "codon_bits", evolution.codon_bits);
    set(mge, "weights", evolution.weights.and_then(|weights| serde_json::to_value(weights).ok()));
    *settings.methods.of("hybrid") = limits.settings();
    settings
}

/// Combines flags with the settings of `--config` and `--set`; flags override.
///
/// A flag that the method does not have is an error. `base` may hold settings of other methods,
/// but only if a method is named.
pub fn over(flags: Settings, base: Settings) -> Result<Settings, SettingsError> {
    let mut settings = flags.clone().over(base);
    settings.check_method_named()?;
    flags.check_for(settings.method.unwrap_or_default())?;
    // NEAT has a population in its own table; the flag is one for all methods.
    if let Some(population) = flags.evolution.population {
        settings.methods.of("neat").set("population", population);
    }
    Ok(settings)
}

/// Parses a quantile as the loss that it stands for.
fn quantile(text: &str) -> Result<Loss, String> {
    let loss = format!("pinball:{text}").parse();
    loss.map_err(|_| "expected a number between 0 and 1, such as 0.95".to_owned())
}

/// Parses a whole number from 1 on.
pub fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => format!("expected at most {}", usize::MAX),
        _ => "expected a whole number from 1 on".to_owned(),
    })
}

/// Parses a number of threads.
pub fn threads(text: &str) -> Result<u16, String> {
    let count = text.parse().ok().filter(|count| (1..=MAX_THREADS).contains(count));
    count.ok_or_else(|| format!("expected a whole number from 1 to {MAX_THREADS}"))
}

const MAX_THREADS: u16 = 1024;
