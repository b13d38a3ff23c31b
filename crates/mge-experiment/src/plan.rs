//! Plans: what to compare, as a TOML file.
//!
//! ```toml
//! name = "small"                      # default: the name of the file
//! seed = 1                            # repetition r runs with seed + r - 1
//! data = ["wdbc", { name = "own.csv", target = "fault" }]
//! methods = ["mge", "mu", { name = "wide", method = "mge", settings = { evolution.population = 500 } }]
//! protocol = "paper"                  # or "30x70/30", or a list of several
//! [settings]                          # for all runs, as in `mge fit --config`
//! stop.generations = 100
//! [[variations]]                      # each run is done once with each variation
//! name = "plain"
//! [[variations]]
//! name = "authors"
//! settings = { grammar = "authors" }
//! [[parts]]                           # further products; each inherits what it does not set
//! data = ["wine"]
//! methods = ["alpha"]
//! ```

mod data_fingerprints;
mod expand;
mod raw;
mod to_toml;

use crate::distinct::distinct;
use crate::{DataCache, ExperimentError, RunEntry, method_settings};
use data_fingerprints::DataFingerprints;
use mge::Settings;
use raw::{MethodEntry, MethodSpec, RawPart, RawPlan};
use std::path::{Path, PathBuf};

/// The largest number of runs of a plan. More are surely a mistake, and would exhaust the memory.
const MAX_RUNS: usize = 1_000_000;

/// A plan of experiments.
#[derive(Debug, Clone)]
pub struct ExperimentPlan {
    /// The name of the plan.
    pub name: String,
    raw: RawPlan,
    /// The folder of the plan file. Files that the plan names are searched there.
    folder: PathBuf,
    /// Options that restrict or override the plan.
    repetitions: Option<usize>,
    chosen_data: Option<Vec<String>>,
    chosen_methods: Option<Vec<String>>,
    overrides: Settings,
    fingerprints: DataFingerprints,
}

impl ExperimentPlan {
    /// Reads a plan from a file. Files that the plan names are searched beside it.
    pub fn read(path: &Path) -> Result<Self, ExperimentError> {
        let text =
            std::fs::read_to_string(path).map_err(ExperimentError::file("read the plan", path))?;
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { folder, ..Self::parse(&stem, &text)? })
    }

    /// Parses a plan. `name` is used if the text gives none.
    pub fn parse(name: &str, text: &str) -> Result<Self, ExperimentError> {
        let raw: RawPlan = toml::from_str(text)
            .map_err(|e| ExperimentError::Plan { name: name.to_owned(), source: Box::new(e) })?;
        Ok(Self {
            name: raw.name.clone().unwrap_or_else(|| name.to_owned()),
            raw,
            folder: PathBuf::new(),
            repetitions: None,
            chosen_data: None,
            chosen_methods: None,
            overrides: Settings::default(),
            fingerprints: DataFingerprints::default(),
        })
    }

    /// The plan with this number of repetitions; `None` changes nothing.
    pub fn with_repetitions(mut self, repetitions: Option<usize>) -> Self {
        self.repetitions = repetitions.or(self.repetitions);
        self
    }

    /// The plan restricted to some of its data sets; `None` changes nothing.
    pub fn with_data_sets(mut self, names: Option<Vec<String>>) -> Result<Self, ExperimentError> {
        let known = self.data_sets();
        self.check_known("data set", &names, &known)?;
        self.chosen_data = names.or(self.chosen_data);
        Ok(self)
    }

    /// The plan restricted to some of its methods, by their names in the plan; `None` changes
    /// nothing.
    pub fn with_methods(mut self, names: Option<Vec<String>>) -> Result<Self, ExperimentError> {
        let known = distinct(self.methods().into_iter().map(|method| method.name));
        self.check_known("method", &names, &known)?;
        self.chosen_methods = names.or(self.chosen_methods);
        Ok(self)
    }

    fn check_known(
        &self,
        what: &'static str,
        names: &Option<Vec<String>>,
        known: &[String],
    ) -> Result<(), ExperimentError> {
        match names.iter().flatten().find(|name| !known.contains(name)) {
            Some(found) => Err(ExperimentError::NotInPlan {
                name: self.name.clone(),
                what,
                found: found.clone(),
                known: known.join(", "),
            }),
            None => Ok(()),
        }
    }

    /// The plan with settings that override its own.
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.overrides = settings.over(self.overrides);
        self
    }

    /// The plan with data from this cache.
    pub fn with_data_cache(mut self, data: DataCache) -> Self {
        self.fingerprints = DataFingerprints::new(data);
        self
    }

    /// The cache of the plan's data, to share it with the runs.
    pub fn data_cache(&self) -> &DataCache {
        &self.fingerprints.data
    }

    /// The names of the data sets, in order.
    pub fn data_sets(&self) -> Vec<String> {
        let data = self.parts().into_iter().flat_map(|part| part.data.unwrap_or_default());
        distinct(data.map(|spec| spec.table().name).filter(|name| self.includes_data(name)))
    }

    /// The methods that the plan names but this program does not have.
    pub fn unavailable_methods(&self) -> Vec<String> {
        let methods = self.methods().into_iter();
        let chosen = methods.filter(|method| self.includes_method(&method.name));
        let names = chosen.map(|method| method.known().to_owned());
        distinct(names.filter(|name| method_settings(name).is_err()))
    }

    /// All runs, in order: parts, data sets, protocols, methods, variations, repetitions, folds.
    pub fn runs(&self) -> Result<Vec<RunEntry>, ExperimentError> {
        self.expand(|_| true)
    }

    /// The runs of all methods that this program has. [`ExperimentPlan::unavailable_methods`] names
    /// the others.
    pub fn available_runs(&self) -> Result<Vec<RunEntry>, ExperimentError> {
        self.expand(|method| method_settings(method).is_ok())
    }

    fn methods(&self) -> Vec<MethodEntry> {
        let specs = self.parts().into_iter().flat_map(|part| part.methods.unwrap_or_default());
        specs.map(MethodSpec::table).collect()
    }

    fn includes_data(&self, data: &str) -> bool {
        self.chosen_data.as_ref().is_none_or(|chosen| chosen.iter().any(|name| name == data))
    }

    fn includes_method(&self, method: &str) -> bool {
        self.chosen_methods.as_ref().is_none_or(|chosen| chosen.iter().any(|name| name == method))
    }

    /// The products of the plan, each with what it inherits.
    fn parts(&self) -> Vec<RawPart> {
        let raw = &self.raw;
        let top = RawPart {
            data: raw.data.clone(),
            methods: raw.methods.clone(),
            protocol: raw.protocol.clone(),
            repetitions: raw.repetitions,
            settings: raw.settings.clone(),
            variations: raw.variations.clone(),
        };
        // The top level is a product itself if it is complete, or if there are no parts.
        let is_product = (raw.data.is_some() && raw.methods.is_some()) || raw.parts.is_empty();
        let parts = raw.parts.iter().cloned().map(|part| RawPart {
            data: part.data.or(top.data.clone()),
            methods: part.methods.or(top.methods.clone()),
            protocol: part.protocol.or(top.protocol.clone()),
            repetitions: part.repetitions.or(top.repetitions),
            settings: part.settings.over(top.settings.clone()),
            variations: part.variations.or(top.variations.clone()),
        });
        let own = is_product.then(|| top.clone());
        own.into_iter().chain(parts).collect()
    }
}
