//! How a plan becomes runs: every data set with every protocol, method, variation and repetition.

use super::raw::{DataSpec, DataTable, MethodSpec, OneOrMany, RawPart, Variation};
use super::{MOST_RUNS, Plan};
use crate::entry::short_hash;
use crate::{ExperimentError, Parts, Protocol, RunEntry, method_settings};
use mge::Settings;
use mge::data::{DataError, catalogue};
use mge::grammar::shipped;
use std::collections::BTreeMap;

impl Plan {
    pub(super) fn expand(
        &self,
        takes: impl Fn(&str) -> bool,
    ) -> Result<Vec<RunEntry>, ExperimentError> {
        let mut runs = Vec::new();
        for part in self.parts() {
            self.expand_part(part, &takes, &mut runs)?;
        }
        each_once(runs)
    }

    fn expand_part(
        &self,
        part: RawPart,
        takes: &impl Fn(&str) -> bool,
        runs: &mut Vec<RunEntry>,
    ) -> Result<(), ExperimentError> {
        let nothing = |what, key| ExperimentError::Nothing { name: self.name.clone(), what, key };
        let data = some(part.data).ok_or_else(|| nothing("data set", "data"))?;
        let methods = some(part.methods).ok_or_else(|| nothing("method", "methods"))?;
        let plain = vec![Variation { name: String::new(), settings: Settings::default() }];
        let variations = some(part.variations).unwrap_or(plain);
        let data: Vec<DataTable> = data.into_iter().map(DataSpec::table).collect();
        for table in &data {
            self.check_name(&table.name)?;
        }
        for data in data.into_iter().filter(|data| self.wants(&data.name)) {
            let protocols = protocols(&part.protocol, &data.name)?;
            if protocols.is_empty() {
                return Err(nothing("protocol", "protocol"));
            }
            for protocol in protocols {
                let protocol = match self.repetitions.or(part.repetitions) {
                    Some(0) => return Err(nothing("repetition", "repetitions")),
                    Some(count) => protocol.repeated(count),
                    None => protocol,
                };
                for method in methods.iter().cloned().map(MethodSpec::table) {
                    let known = method.known();
                    if !takes(known) || !self.wants_method(&method.name) {
                        continue;
                    }
                    for variation in &variations {
                        let settings = [&data.settings, &method.settings, &variation.settings]
                            .into_iter()
                            .fold(part.settings.clone(), |base, more| more.clone().over(base));
                        let settings = self.over.clone().over(settings);
                        let own = method_settings(known)?;
                        check_settings(&settings, &own)?;
                        let settings = settings.over(own);
                        let row = RowOf { data: &data, method: &method.name, variation };
                        self.add_runs(row, protocol, settings, runs)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn add_runs(
        &self,
        row: RowOf<'_>,
        protocol: Protocol,
        mut settings: Settings,
        runs: &mut Vec<RunEntry>,
    ) -> Result<(), ExperimentError> {
        if runs.len().saturating_add(protocol.runs()) > MOST_RUNS {
            return Err(ExperimentError::TooManyRuns { name: self.name.clone(), most: MOST_RUNS });
        }
        let files = self.files(row.data, &mut settings)?;
        match protocol.parts {
            Parts::Percent(train) => settings.train_fraction = Some(f64::from(train) / 100.0),
            Parts::Folds(folds) => settings.data.folds = Some(folds),
            Parts::Standard => {}
        }
        let folds = match protocol.parts {
            Parts::Folds(folds) => (1..=folds).map(Some).collect(),
            _ => vec![None],
        };
        for repetition in 1..=protocol.repetitions {
            settings.seed = Some(self.raw.seed.wrapping_add(repetition as u64 - 1));
            runs.extend(folds.iter().map(|&fold| RunEntry {
                data: self.beside(&row.data.name),
                target: row.data.target.clone(),
                method: row.method.to_owned(),
                setting: Some(row.variation.name.clone()).filter(|name| !name.is_empty()),
                protocol,
                repetition,
                fold,
                files: files.clone(),
                settings: settings.clone(),
            }));
        }
        Ok(())
    }

    /// A data file beside the plan; a built-in name stays what it is.
    fn beside(&self, data: &str) -> String {
        let path = self.folder.join(data);
        let is_beside = catalogue::find(data).is_err() && path.is_file();
        if is_beside { path.display().to_string() } else { data.into() }
    }

    /// Refuses a name that is no data set and no file.
    fn check_name(&self, data: &str) -> Result<(), ExperimentError> {
        let is_path = data.contains(['/', '\\', '.']);
        let beside = self.beside(data);
        match catalogue::find(data) {
            Err(error) if !is_path && !std::path::Path::new(&beside).is_file() => {
                Err(self.data_error(error))
            }
            _ => Ok(()),
        }
    }

    fn data_error(&self, source: DataError) -> ExperimentError {
        ExperimentError::PlanData { name: self.name.clone(), source: Box::new(source) }
    }

    /// What stands for the content of the data and of the grammar, where their names do not.
    fn files(
        &self,
        data: &DataTable,
        settings: &mut Settings,
    ) -> Result<Vec<String>, ExperimentError> {
        let path = self.beside(&data.name);
        let content = self.contents.of(&path, data.target.as_ref(), &settings.data);
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

/// What a row of the table is called.
struct RowOf<'a> {
    data: &'a DataTable,
    method: &'a str,
    variation: &'a Variation,
}

fn some<T>(list: Option<Vec<T>>) -> Option<Vec<T>> {
    list.filter(|list| !list.is_empty())
}

fn protocols(asked: &Option<OneOrMany>, data: &str) -> Result<Vec<Protocol>, ExperimentError> {
    let texts = match asked {
        None => vec!["paper"],
        Some(OneOrMany::One(text)) => vec![text.as_str()],
        Some(OneOrMany::Many(texts)) => texts.iter().map(String::as_str).collect(),
    };
    let read = |text: &str| match text {
        "paper" => Ok(Protocol::of_paper(data)),
        text => Ok(text.parse()?),
    };
    texts.into_iter().map(read).collect()
}

/// The runs without repetitions: a plan that names something twice means it once. Runs of one name
/// must be the same run, or a table would mix them up.
fn each_once(runs: Vec<RunEntry>) -> Result<Vec<RunEntry>, ExperimentError> {
    let mut known: BTreeMap<String, (String, Vec<Protocol>)> = BTreeMap::new();
    let mut kept = Vec::with_capacity(runs.len());
    for run in runs {
        let (name, key) = (run.to_string(), run.key());
        let same = known.entry(name).or_insert_with(|| (key.clone(), Vec::new()));
        if same.0 != key {
            return Err(ExperimentError::SameName { name: run.to_string() });
        }
        if !same.1.contains(&run.protocol) {
            same.1.push(run.protocol);
            kept.push(run);
        }
    }
    Ok(kept)
}

/// Refuses settings that the plan itself decides. `own` are those that the method's name stands for.
fn check_settings(settings: &Settings, own: &Settings) -> Result<(), ExperimentError> {
    let differs = |is_same: Option<bool>| is_same == Some(false);
    let named = "`methods` names the method and its variant";
    let parted = "`protocol` parts the rows";
    let refused = [
        (differs(settings.method.map(|it| own.method == Some(it))), "method", named),
        (differs(settings.variant.map(|it| own.variant == Some(it))), "variant", named),
        (settings.seed.is_some(), "seed", "the plan's own `seed` gives each run its own"),
        (settings.train_fraction.is_some(), "train_fraction", parted),
        (settings.data.folds.is_some(), "data.folds", parted),
        (
            settings.stop.seconds.is_some(),
            "stop.seconds",
            "results would depend on the machine; expected stop.generations or stop.evaluations",
        ),
    ];
    match refused.into_iter().find(|(is_refused, ..)| *is_refused) {
        Some((_, setting, why)) => Err(ExperimentError::NotForPlans { setting, why }),
        None => Ok(()),
    }
}
