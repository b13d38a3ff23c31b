//! Settings as users give them: every one optional, in a TOML file, by flags or by the builder.
//!
//! [`Settings`] is what somebody asked for. [`Settings::resolve`] fills in the method's defaults
//! for the size of the table and gives [`ResolvedSettings`]: every value that a run depends on, which is
//! what the model file and the run folder store.

use crate::DataOrigin;
use crate::data_settings::{DataConfig, DataSettings};
use crate::method::{
    EvolutionSettings, Method, MethodConfig, MgeSettings, PartialParams, SettingsError,
};
use mge_data::Scale;
use mge_evolve::StopRules;
use mge_grammar::dsge::DsgeParams;
use mge_grammar::ge::GeParams;
use mge_grammar::mge::Variant;
use mge_grammar::sge::SgeParams;
use mge_hybrid::HybridParams;
use mge_neat::NeatParams;
use mge_net::Loss;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use thiserror::Error;

/// What a user asked for; `None` is as usual: what the method's paper has.
///
/// In a TOML file the groups are tables:
///
/// ```
/// let settings: mge::Settings = toml::from_str(r#"
///     method = "mge"
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
    /// The search method. Default `hybrid`.
    pub method: Option<Method>,
    /// The form of modularity of method mge. Default `mge`.
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
    /// The representation of GE; see [`GeParams`].
    pub ge: PartialParams<GeParams>,
    /// The representation of SGE; see [`SgeParams`].
    pub sge: PartialParams<SgeParams>,
    /// The representation of DSGE; see [`DsgeParams`].
    pub dsge: PartialParams<DsgeParams>,
    /// NEAT and one-versus-all NEAT; see [`NeatParams`].
    pub neat: PartialParams<NeatParams>,
    /// The hybrid method; see [`HybridParams`].
    pub hybrid: PartialParams<HybridParams>,
}

/// Settings of the hybrid method that have a flag of their own.
const HYBRID_FLAGS: [&str; 8] = [
    "max_ops",
    "max_bytes",
    "max_features",
    "max_neurons",
    "pick",
    "start",
    "objective",
    "feature_cost",
];

/// Methods that map by a grammar, and those that have a population.
const GRAMMAR_METHODS: &str = "methods mge, ge, sge and dsge";
const POPULATION_METHODS: &str = "methods mge, ge, sge, dsge, neat and ova-neat";

/// When to stop. The first rule that holds ends the run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StopSettings {
    /// Populations to evaluate, the first included. Default: 20 in method hybrid, 40 on large
    /// tables; in mge 500 for up to three classes, else 3000. No limit when evaluations or seconds
    /// are given and this one is not.
    pub generations: Option<u64>,
    /// Evaluations that must not be exceeded. Use it to compare methods fairly.
    pub evaluations: Option<u64>,
    /// Seconds of search. Results then depend on the machine's speed.
    pub seconds: Option<f64>,
    /// Stop when the best loss is at most this: that of the training rows, in method hybrid that of
    /// the validation rows.
    pub target_loss: Option<f64>,
    /// Stop when that loss has not fallen for this many generations. Default: never. It comes on
    /// top of the other rules and replaces none of them.
    pub patience: Option<u64>,
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

/// A single setting that cannot be used.
#[derive(Debug, Error)]
#[error("--set {entry}: {reason}")]
pub struct EntryError {
    entry: String,
    reason: String,
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

    /// Settings from entries as a TOML file has them, `stop.generations=100`; of two for the same
    /// setting the later one stands. A word may be without quotes, as on every command line.
    pub fn of_entries<S: AsRef<str>>(entries: &[S]) -> Result<Self, EntryError> {
        let mut settings = Settings::default();
        for entry in entries.iter().map(AsRef::as_ref) {
            let wrong = |reason: String| EntryError { entry: entry.to_owned(), reason };
            let Some((name, value)) = entry.split_once('=') else {
                return Err(wrong("expected NAME=VALUE, such as seed=7".to_owned()));
            };
            let of_word = || toml::from_str(&format!("{name}={:?}", value.trim()));
            let one: Settings = match toml::from_str(entry) {
                Ok(one) => Ok(one),
                Err(error) => match (of_word(), toml::from_str::<toml::Table>(entry)) {
                    (Ok(one), _) => Ok(one),
                    // What is no TOML by itself was meant as a word.
                    (Err(of_word), Err(_)) => Err(of_word.message().to_owned()),
                    (Err(_), Ok(_)) => Err(error.message().to_owned()),
                },
            }
            .map_err(wrong)?;
            settings = one.over(settings);
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
                patience: self.stop.patience.or(base.stop.patience),
            },
            evolution: self.evolution.over(base.evolution),
            mge: self.mge.over(base.mge),
            ge: self.ge.over(base.ge),
            sge: self.sge.over(base.sge),
            dsge: self.dsge.over(base.dsge),
            neat: self.neat.over(base.neat),
            hybrid: self.hybrid.over(base.hybrid),
        }
    }

    /// A setting that is given here and that the method does not have, with what would have been
    /// right. Entries of tables that another method reads count too: use it for what a user asked
    /// of this very run, not for a file that serves several methods.
    pub fn check_for(&self, method: Method) -> Result<(), SettingsError> {
        let wrong =
            |setting, expected| Err(SettingsError::NotOfMethod { setting, method, expected });
        if let (Some(setting), true) = (self.mge.given(), method != Method::Mge) {
            return wrong(setting, "an entry of the method's own table, such as --set ge.wraps=2");
        }
        let is_neat = matches!(method, Method::Neat | Method::OvaNeat);
        if let (Some(setting), true) = (self.evolution.of_tournaments(), is_neat) {
            return wrong(setting, "an entry of the table neat, which has its own selection");
        }
        let is_hybrid = method == Method::Hybrid;
        if let (Some(setting), true) = (self.evolution.given(), is_hybrid) {
            return wrong(setting, "an entry of the table hybrid, which has no population");
        }
        if let (Some(entry), false) = (self.hybrid.first(), is_hybrid) {
            let setting = HYBRID_FLAGS.into_iter().find(|flag| *flag == entry);
            return wrong(setting.unwrap_or("hybrid"), "method hybrid, which keeps a front");
        }
        Ok(())
    }

    /// A setting that the default method does not have although no method is named: whoever gives
    /// one means another method, and must not get a run that ignores it.
    pub fn check_method_named(&self) -> Result<(), SettingsError> {
        if self.method.is_some() {
            return Ok(());
        }
        let table = |name: &str, entry: Option<&str>| entry.map(|entry| format!("{name}.{entry}"));
        let given = [
            (self.variant.map(|_| "variant".to_owned()), "method mge", Method::Mge),
            (self.mge.given().map(str::to_owned), "method mge", Method::Mge),
            (self.evolution.of_tournaments().map(str::to_owned), GRAMMAR_METHODS, Method::Mge),
            (self.grammar.as_ref().map(|_| "grammar".to_owned()), GRAMMAR_METHODS, Method::Mge),
            (self.evolution.given().map(str::to_owned), POPULATION_METHODS, Method::Mge),
            (table("ge", self.ge.first()), "method ge", Method::Ge),
            (table("sge", self.sge.first()), "method sge", Method::Sge),
            (table("dsge", self.dsge.first()), "method dsge", Method::Dsge),
            (table("neat", self.neat.first()), "methods neat and ova-neat", Method::Neat),
        ];
        let found = given.into_iter().find_map(|(setting, owners, add)| {
            Some(SettingsError::NoMethodNamed { setting: setting?, owners, add })
        });
        found.map_or(Ok(()), Err)
    }

    /// Fills in the papers' defaults for a table of this size. `seed` is taken when none was asked
    /// for.
    pub fn resolve(&self, size: TableSize, seed: u64) -> Result<ResolvedSettings, SettingsError> {
        let method = MethodConfig::resolve(self, size.classes)?;
        let generations = method.default_generations(size);
        Ok(ResolvedSettings {
            loss: self.loss.unwrap_or_default(),
            scale: self.scale.unwrap_or_default(),
            train_fraction: self.train_fraction,
            seed: self.seed.unwrap_or(seed),
            data: self.data.resolve(),
            stop: self.stop.resolve(generations),
            method,
        })
    }
}

/// What of a table the usual settings depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableSize {
    /// Rows that train, about.
    pub rows: usize,
    /// Classes.
    pub classes: usize,
}

impl StopSettings {
    fn resolve(&self, usual: u64) -> StopRules {
        let other_rule = self.evaluations.is_some() || self.seconds.is_some();
        StopRules {
            generations: self.generations.or((!other_rule).then_some(usual)),
            evaluations: self.evaluations,
            seconds: self.seconds,
            target_loss: self.target_loss,
            patience: self.patience,
        }
    }

    /// The rules of a run that goes on. Limits are those it had, unless any limit is given anew;
    /// a target loss and patience are no limits and come on top.
    pub fn over(self, before: &StopRules) -> StopRules {
        let Self { generations, evaluations, seconds, target_loss, patience } = self;
        let target_loss = target_loss.or(before.target_loss);
        let patience = patience.or(before.patience);
        if generations.is_none() && evaluations.is_none() && seconds.is_none() {
            return StopRules { target_loss, patience, ..before.clone() };
        }
        StopRules { generations, evaluations, seconds, target_loss, patience }
    }
}

/// Everything the search depends on besides the data. Stored in models and run folders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedSettings {
    /// The search method and its settings.
    pub method: MethodConfig,
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
    pub data: DataConfig,
    /// When to stop.
    pub stop: StopRules,
}

impl ResolvedSettings {
    /// A text that is equal for two runs exactly when one may continue the other: everything but
    /// the stopping rules, how the method behaves, and the data.
    pub(crate) fn identity(&self, data: &DataOrigin) -> String {
        let endless = Self { stop: StopRules::default(), ..self.clone() };
        let behaviour = self.method.method().algorithm_version();
        let text = serde_json::to_string(&(endless, behaviour, &data.fingerprint, &data.split))
            .expect("settings have text keys only");
        let digest = Sha256::digest(text.as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: TableSize = TableSize { rows: 100, classes: 2 };

    #[test]
    fn settings_of_another_method_ask_for_its_name() {
        for (entry, owner, add) in [
            ("variant='alpha'", "variant is a setting of method mge,", "mge"),
            ("grammar='authors'", "grammar is a setting of methods mge, ge, sge and dsge,", "mge"),
            ("mge.wraps=1", "wraps is a setting of method mge,", "mge"),
            ("mge.real.step=0.1", "real is a setting of method mge,", "mge"),
            ("evolution.population=9", "population is a setting of methods mge, ge,", "mge"),
            ("evolution.elite=0", "elite is a setting of methods mge, ge, sge and dsge,", "mge"),
            ("ge.wraps=1", "ge.wraps is a setting of method ge,", "ge"),
            ("sge.recursion=4", "sge.recursion is a setting of method sge,", "sge"),
            ("dsge.max_depth=9", "dsge.max_depth is a setting of method dsge,", "dsge"),
            ("neat.add_node=0.1", "neat.add_node is a setting of methods neat and", "neat"),
        ] {
            let settings = Settings::of_entries(&[entry]).unwrap();
            let error = settings.resolve(SIZE, 1).unwrap_err().to_string();
            assert!(error.starts_with(owner), "{entry}: {error}");
            assert!(error.contains(&format!("; add --method {add} ")), "{entry}: {error}");
            let named = Settings::of_entries(&[format!("method={add}")]).unwrap();
            assert_eq!(settings.over(named).resolve(SIZE, 1).unwrap().method.method().name(), add);
        }
        let usual = Settings::of_entries(&["loss=mse", "hybrid.max_ops=50", "stop.patience=3"]);
        let usual = usual.unwrap().resolve(SIZE, 1).unwrap();
        assert_eq!(usual.method.method(), Method::Hybrid);
    }
}
