//! Expands a plan into runs: every data set with every protocol, method, variation and repetition.

use super::raw::{DataSpec, DataTable, MethodSpec, OneOrMany, RawPart, SettingsVariation};
use super::{ExperimentPlan, MAX_RUNS};
use crate::run_entry::short_hash;
use crate::{ExperimentError, RunEntry, SplitProtocol, SplitScheme, method_settings};
use mge::Settings;
use mge::data::{DataError, catalogue};
use mge::grammar::shipped;
use std::collections::BTreeMap;

impl ExperimentPlan {
    pub(super) fn expand(
        &self,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<RunEntry>, ExperimentError> {
        let mut runs = Vec::new();
        for part in self.parts() {
            self.expand_part(part, &is_wanted, &mut runs)?;
        }
        without_duplicates(runs)
    }

    fn expand_part(
        &self,
        part: RawPart,
        is_wanted: &impl Fn(&str) -> bool,
        runs: &mut Vec<RunEntry>,
    ) -> Result<(), ExperimentError> {
        let empty = |what, key| ExperimentError::Empty { name: self.name.clone(), what, key };
        let data = non_empty(part.data).ok_or_else(|| empty("data set", "data"))?;
        let methods = non_empty(part.methods).ok_or_else(|| empty("method", "methods"))?;
        let plain = vec![SettingsVariation { name: String::new(), settings: Settings::default() }];
        let variations = non_empty(part.variations).unwrap_or(plain);
        let data: Vec<DataTable> = data.into_iter().map(DataSpec::table).collect();
        for table in &data {
            self.check_name(&table.name)?;
        }
        for data in data.into_iter().filter(|data| self.includes_data(&data.name)) {
            let protocols = protocols(&part.protocol, &data.name)?;
            if protocols.is_empty() {
                return Err(empty("protocol", "protocol"));
            }
            for protocol in protocols {
                let protocol = match self.repetitions.or(part.repetitions) {
                    Some(0) => return Err(empty("repetition", "repetitions")),
                    Some(count) => protocol.with_repetitions(count),
                    None => protocol,
                };
                for method in methods.iter().cloned().map(MethodSpec::table) {
                    let known = method.known();
                    if !is_wanted(known) || !self.includes_method(&method.name) {
                        continue;
                    }
                    for variation in &variations {
                        let settings = [&data.settings, &method.settings, &variation.settings]
                            .into_iter()
                            .fold(part.settings.clone(), |base, more| more.clone().over(base));
                        let settings = self.overrides.clone().over(settings);
                        let of_method = method_settings(known)?;
                        check_settings(&settings, &of_method)?;
                        let settings = settings.over(of_method);
                        let names = RunNames { data: &data, method: &method.name, variation };
                        self.add_runs(names, protocol, settings, runs)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn add_runs(
        &self,
        names: RunNames<'_>,
        protocol: SplitProtocol,
        mut settings: Settings,
        runs: &mut Vec<RunEntry>,
    ) -> Result<(), ExperimentError> {
        if runs.len().saturating_add(protocol.runs()) > MAX_RUNS {
            return Err(ExperimentError::TooManyRuns { name: self.name.clone(), max: MAX_RUNS });
        }
        let files = self.files(names.data, &mut settings)?;
        match protocol.scheme {
            SplitScheme::Percent(train) => settings.train_fraction = Some(f64::from(train) / 100.0),
            SplitScheme::Folds(folds) => settings.data.folds = Some(folds),
            SplitScheme::Standard => {}
        }
        let folds = match protocol.scheme {
            SplitScheme::Folds(folds) => (1..=folds).map(Some).collect(),
            _ => vec![None],
        };
        for repetition in 1..=protocol.repetitions {
            settings.seed = Some(self.raw.seed.wrapping_add(repetition as u64 - 1));
            runs.extend(folds.iter().map(|&fold| RunEntry {
                data: self.resolve_path(&names.data.name),
                target: names.data.target.clone(),
                method: names.method.to_owned(),
                setting: Some(names.variation.name.clone()).filter(|name| !name.is_empty()),
                protocol,
                repetition,
                fold,
                files: files.clone(),
                settings: settings.clone(),
            }));
        }
        Ok(())
    }

    /// The path of a data file beside the plan. Other names stay as they are.
    fn resolve_path(&self, data: &str) -> String {
        let path = self.folder.join(data);
        let is_beside = catalogue::find(data).is_err() && path.is_file();
        if is_beside { path.display().to_string() } else { data.into() }
    }

    /// Rejects a name that is neither a data set nor a file.
    fn check_name(&self, data: &str) -> Result<(), ExperimentError> {
        let is_path = data.contains(['/', '\\', '.']);
        let path = self.resolve_path(data);
        match catalogue::find(data) {
            Err(error) if !is_path && !std::path::Path::new(&path).is_file() => {
                Err(self.data_error(error))
            }
            _ => Ok(()),
        }
    }

    fn data_error(&self, source: DataError) -> ExperimentError {
        ExperimentError::PlanData { name: self.name.clone(), source: Box::new(source) }
    }

    /// The hashes of data and grammar that are files. Resolves the path of the grammar.
    fn files(
        &self,
        data: &DataTable,
        settings: &mut Settings,
    ) -> Result<Vec<String>, ExperimentError> {
        let path = self.resolve_path(&data.name);
        let content = self.fingerprints.of(&path, data.target.as_ref(), &settings.data);
        let content = content.map_err(|error| self.data_error(error))?;
        let mut files: Vec<String> = content.into_iter().collect();
        if let Some(grammar) = &mut settings.grammar
            && grammar.to_str().and_then(shipped::find).is_none()
        {
            let beside = self.folder.join(&grammar);
            if beside.is_file() {
                *grammar = beside;
            }
            let bytes = std::fs::read(&*grammar).map_err(ExperimentError::file("read", grammar))?;
            files.push(short_hash(&bytes));
        }
        Ok(files)
    }
}

/// The names of a run in the plan.
struct RunNames<'a> {
    data: &'a DataTable,
    method: &'a str,
    variation: &'a SettingsVariation,
}

/// A list that is neither missing nor empty.
fn non_empty<T>(list: Option<Vec<T>>) -> Option<Vec<T>> {
    list.filter(|list| !list.is_empty())
}

/// The protocols that a part names; the default is that of the paper.
fn protocols(names: &Option<OneOrMany>, data: &str) -> Result<Vec<SplitProtocol>, ExperimentError> {
    let texts = match names {
        None => vec!["paper"],
        Some(OneOrMany::One(text)) => vec![text.as_str()],
        Some(OneOrMany::Many(texts)) => texts.iter().map(String::as_str).collect(),
    };
    let read = |text: &str| match text {
        "paper" => Ok(SplitProtocol::of_paper(data)),
        text => Ok(text.parse()?),
    };
    texts.into_iter().map(read).collect()
}

/// The runs of one name that were seen.
struct SeenRuns {
    /// The key that all of them must have.
    key: String,
    protocols: Vec<SplitProtocol>,
}

/// Removes duplicate runs. Different runs of one name are an error, because a table would mix them.
fn without_duplicates(runs: Vec<RunEntry>) -> Result<Vec<RunEntry>, ExperimentError> {
    let mut known: BTreeMap<String, SeenRuns> = BTreeMap::new();
    let mut kept = Vec::with_capacity(runs.len());
    for run in runs {
        let (name, key) = (run.to_string(), run.key());
        let seen = known
            .entry(name)
            .or_insert_with(|| SeenRuns { key: key.clone(), protocols: Vec::new() });
        if seen.key != key {
            return Err(ExperimentError::SameName { name: run.to_string() });
        }
        if !seen.protocols.contains(&run.protocol) {
            seen.protocols.push(run.protocol);
            kept.push(run);
        }
    }
    Ok(kept)
}

/// A setting that a plan may not have.
struct RejectedSetting {
    is_given: bool,
    name: &'static str,
    why: &'static str,
}

/// Rejects settings that the plan itself decides. `of_method` are those of the method's name.
fn check_settings(settings: &Settings, of_method: &Settings) -> Result<(), ExperimentError> {
    let differs = |is_same: Option<bool>| is_same == Some(false);
    let by_methods = "`methods` names the method and its variant";
    let by_protocol = "`protocol` splits the rows";
    let rejected = |is_given, name, why| RejectedSetting { is_given, name, why };
    let rejected = [
        rejected(
            differs(settings.method.map(|it| of_method.method == Some(it))),
            "method",
            by_methods,
        ),
        rejected(
            differs(settings.variant.map(|it| of_method.variant == Some(it))),
            "variant",
            by_methods,
        ),
        rejected(settings.seed.is_some(), "seed", "the plan's own `seed` gives each run its own"),
        rejected(settings.train_fraction.is_some(), "train_fraction", by_protocol),
        rejected(settings.data.folds.is_some(), "data.folds", by_protocol),
        rejected(
            settings.stop.seconds.is_some(),
            "stop.seconds",
            "results would depend on the machine; expected stop.generations or stop.evaluations",
        ),
    ];
    match rejected.into_iter().find(|setting| setting.is_given) {
        Some(RejectedSetting { name, why, .. }) => {
            Err(ExperimentError::NotForPlans { setting: name, why })
        }
        None => Ok(()),
    }
}
