//! Settings as users give them: every one optional, in a TOML file, by flags or by the builder.
//!
//! [`Settings`] is what somebody asked for. [`Settings::resolve`] fills in the paper's defaults
//! for the number of classes and gives [`Resolved`]: every value that a run depends on, which is
//! what the model file and the run folder store.

use crate::DataOrigin;
use crate::data_settings::{DataRules, DataSettings};
use crate::grammar_text::GrammarText;
use mge_data::Scale;
use mge_evolve::{GenerationalParams, StopRules};
use mge_grammar::mge::{MgeParams, Variant};
use mge_net::Loss;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use thiserror::Error;

/// The search methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Modular Grammatical Evolution, as the paper has it.
    #[default]
    Mge,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 1] = [Method::Mge];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Method::Mge => "mge",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no method.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown method `{found}`; expected mge")]
pub struct UnknownMethod {
    /// What was given.
    pub found: String,
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let method = Self::ALL.into_iter().find(|method| method.name() == text);
        method.ok_or_else(|| UnknownMethod { found: text.to_owned() })
    }
}

/// What a user asked for; `None` is "as the paper does it".
///
/// In a TOML file the groups are tables:
///
/// ```
/// let settings: mge::Settings = toml::from_str(r#"
///     variant = "alpha"
///     seed = 7
///     [stop]
///     generations = 100
///     [evolution]
///     population = 500
///     [mge]
///     gene_length = 60
/// "#)?;
/// assert_eq!(settings.evolution.population, Some(500));
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The search method. Default `mge`.
    pub method: Option<Method>,
    /// The form of modularity. Default `mge`.
    pub variant: Option<Variant>,
    /// A shipped grammar's name or a BNF file. Default: the shipped grammar of the variant.
    /// Change it to choose activations, the digits of weights, or how sparse neurons are.
    pub grammar: Option<PathBuf>,
    /// What is minimised: `ce` (cross-entropy) or `mse`. Default `ce`. The paper uses `mse` where
    /// it compares error curves with other methods.
    pub loss: Option<Loss>,
    /// Input scaling: `zscore`, `minmax` or `none`. Default `zscore`. Weights lie in (-1, 1), so
    /// raw inputs of size 1000 saturate every neuron.
    pub scale: Option<Scale>,
    /// Share of the rows used for training. Default: the paper's for the data set, else 0.7.
    pub train_fraction: Option<f64>,
    /// Seed of the split and of the search. Default: drawn anew and reported.
    pub seed: Option<u64>,
    /// How the table is read, parted and weighed.
    pub data: DataSettings,
    /// When to stop.
    pub stop: StopSettings,
    /// The evolutionary loop.
    pub evolution: EvolutionSettings,
    /// The representation of MGE.
    pub mge: MgeSettings,
}

/// When to stop. The first rule that holds ends the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StopSettings {
    /// Populations to evaluate, the first included. Default 500 for up to three classes, else
    /// 3000; no limit when evaluations or seconds are given and this one is not.
    pub generations: Option<u64>,
    /// Evaluations that must not be exceeded. Use it to compare methods fairly.
    pub evaluations: Option<u64>,
    /// Seconds of search. Results then depend on the machine's speed.
    pub seconds: Option<f64>,
    /// Stop when the training loss is at most this.
    pub target_loss: Option<f64>,
}

/// The evolutionary loop; see [`GenerationalParams`] for when to change what.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "documented on GenerationalParams")]
pub struct EvolutionSettings {
    pub population: Option<usize>,
    pub crossover_rate: Option<f64>,
    pub tournament: Option<usize>,
    pub elite: Option<f64>,
}

/// The representation; see [`MgeParams`] for when to change what.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "documented on MgeParams")]
pub struct MgeSettings {
    pub least_genes: Option<usize>,
    pub most_genes: Option<usize>,
    pub gene_length: Option<usize>,
    pub mutation_rates: Option<Vec<f64>>,
    pub wraps: Option<u32>,
    pub codon_bits: Option<u32>,
}

/// A configuration file that cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("the configuration {} is wrong: {source}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
}

impl Settings {
    /// Reads a TOML file. A relative grammar file is looked up beside it.
    pub fn read(path: &std::path::Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        let mut settings: Self = toml::from_str(&text).map_err(|source| ConfigError::Parse {
            path: path.to_owned(),
            source: Box::new(source),
        })?;
        if let (Some(grammar), Some(folder)) = (&settings.grammar, path.parent()) {
            let beside = folder.join(grammar);
            if beside.is_file() {
                settings.grammar = Some(beside);
            }
        }
        Ok(settings)
    }

    /// These settings where they say something, `base` where they do not.
    pub fn over(self, base: Settings) -> Settings {
        Settings {
            method: self.method.or(base.method),
            variant: self.variant.or(base.variant),
            grammar: self.grammar.or(base.grammar),
            loss: self.loss.or(base.loss),
            scale: self.scale.or(base.scale),
            train_fraction: self.train_fraction.or(base.train_fraction),
            seed: self.seed.or(base.seed),
            data: self.data.over(base.data),
            stop: StopSettings {
                generations: self.stop.generations.or(base.stop.generations),
                evaluations: self.stop.evaluations.or(base.stop.evaluations),
                seconds: self.stop.seconds.or(base.stop.seconds),
                target_loss: self.stop.target_loss.or(base.stop.target_loss),
            },
            evolution: EvolutionSettings {
                population: self.evolution.population.or(base.evolution.population),
                crossover_rate: self.evolution.crossover_rate.or(base.evolution.crossover_rate),
                tournament: self.evolution.tournament.or(base.evolution.tournament),
                elite: self.evolution.elite.or(base.evolution.elite),
            },
            mge: MgeSettings {
                least_genes: self.mge.least_genes.or(base.mge.least_genes),
                most_genes: self.mge.most_genes.or(base.mge.most_genes),
                gene_length: self.mge.gene_length.or(base.mge.gene_length),
                mutation_rates: self.mge.mutation_rates.or(base.mge.mutation_rates),
                wraps: self.mge.wraps.or(base.mge.wraps),
                codon_bits: self.mge.codon_bits.or(base.mge.codon_bits),
            },
        }
    }

    /// Fills in the paper's defaults for a task with this many classes. `seed` is taken when
    /// none was asked for.
    pub fn resolve(&self, classes: usize, grammar: GrammarText, seed: u64) -> Resolved {
        Resolved {
            method: self.method.unwrap_or_default(),
            variant: self.variant.unwrap_or_default(),
            loss: self.loss.unwrap_or_default(),
            scale: self.scale.unwrap_or_default(),
            train_fraction: self.train_fraction,
            seed: self.seed.unwrap_or(seed),
            data: self.data.resolve(),
            stop: self.stop.resolve(classes),
            evolution: self.evolution.resolve(),
            mge: self.mge.resolve(classes),
            grammar,
        }
    }
}

impl StopSettings {
    fn resolve(&self, classes: usize) -> StopRules {
        let other_rule = self.evaluations.is_some() || self.seconds.is_some();
        let usual = if classes <= 3 { 500 } else { 3000 };
        StopRules {
            generations: self.generations.or((!other_rule).then_some(usual)),
            evaluations: self.evaluations,
            seconds: self.seconds,
            target_loss: self.target_loss,
        }
    }

    /// The rules of a run that goes on. Limits are those it had, unless any limit is given anew;
    /// a target loss is no limit and comes on top.
    pub fn over(self, before: &StopRules) -> StopRules {
        let Self { generations, evaluations, seconds, target_loss } = self;
        let target_loss = target_loss.or(before.target_loss);
        if generations.is_none() && evaluations.is_none() && seconds.is_none() {
            return StopRules { target_loss, ..before.clone() };
        }
        StopRules { generations, evaluations, seconds, target_loss }
    }
}

impl EvolutionSettings {
    fn resolve(&self) -> GenerationalParams {
        let usual = GenerationalParams::default();
        GenerationalParams {
            population: self.population.unwrap_or(usual.population),
            crossover_rate: self.crossover_rate.unwrap_or(usual.crossover_rate),
            tournament: self.tournament.unwrap_or(usual.tournament),
            elite: self.elite.unwrap_or(usual.elite),
        }
    }
}

impl MgeSettings {
    fn resolve(&self, classes: usize) -> MgeParams {
        let usual = MgeParams::for_classes(classes);
        // One end given: the other follows, so that `--least-genes 20` alone is a valid wish.
        let least = self
            .least_genes
            .unwrap_or_else(|| usual.least_genes.min(self.most_genes.unwrap_or(usual.least_genes)));
        let most = self.most_genes.unwrap_or(usual.most_genes.max(least));
        MgeParams {
            least_genes: least,
            most_genes: most,
            gene_length: self.gene_length.unwrap_or(usual.gene_length),
            mutation_rates: self.mutation_rates.clone().unwrap_or(usual.mutation_rates),
            wraps: self.wraps.unwrap_or(usual.wraps),
            codon_bits: self.codon_bits,
        }
    }
}

/// Everything the search depends on besides the data. Stored in models and run folders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolved {
    /// The search method.
    pub method: Method,
    /// The form of modularity.
    pub variant: Variant,
    /// What is minimised.
    pub loss: Loss,
    /// Input scaling.
    pub scale: Scale,
    /// Share of the training rows, if the user chose one.
    pub train_fraction: Option<f64>,
    /// Seed of the split and of the search.
    pub seed: u64,
    /// How the table is read, parted and weighed.
    #[serde(default)]
    pub data: DataRules,
    /// When to stop.
    pub stop: StopRules,
    /// The evolutionary loop.
    pub evolution: GenerationalParams,
    /// The representation.
    pub mge: MgeParams,
    /// The grammar.
    pub grammar: GrammarText,
}

impl Resolved {
    /// A text that is equal for two runs exactly when one may continue the other: everything but
    /// the stopping rules, and the data.
    pub(crate) fn identity(&self, data: &DataOrigin) -> String {
        let endless = Self { stop: StopRules::default(), ..self.clone() };
        let text = serde_json::to_string(&(endless, &data.fingerprint, &data.split))
            .expect("settings have text keys only");
        let digest = Sha256::digest(text.as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
