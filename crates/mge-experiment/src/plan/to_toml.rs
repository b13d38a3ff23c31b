//! Writes a plan with all options applied, so that the file alone repeats the runs.

use super::ExperimentPlan;
use super::raw::{DataSpec, MethodSpec, RawPart, RawPlan};
use crate::paper::OutputFile;
use crate::{ExperimentError, method_settings};
use mge::Settings;
use mge::grammar::shipped;

impl ExperimentPlan {
    /// The files that repeat these runs by `mge experiment plan.toml`. The first is `plan.toml`
    /// with all options applied: repetitions, data sets, methods and settings. It leaves out
    /// unavailable methods. The grammar follows if an option named a file.
    pub fn to_toml(&self) -> Result<Vec<OutputFile>, ExperimentError> {
        let mut files = Vec::new();
        let mut overrides = self.overrides.clone();
        if let Some(path) = &mut overrides.grammar
            && path.to_str().and_then(shipped::find).is_none()
        {
            let text =
                std::fs::read_to_string(&*path).map_err(ExperimentError::file("read", path))?;
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let name = name.unwrap_or_else(|| "grammar.bnf".to_owned());
            *path = name.clone().into();
            files.push(OutputFile { name, text });
        }
        let parts = self.parts().into_iter().map(|part| self.restricted(part, &overrides));
        let mut parts: Vec<RawPart> = parts.flatten().collect();
        let top = if parts.len() == 1 { parts.pop() } else { None }.unwrap_or_default();
        let plan = RawPlan {
            name: Some(self.name.clone()),
            seed: self.raw.seed,
            data: top.data,
            methods: top.methods,
            protocol: top.protocol,
            repetitions: top.repetitions,
            settings: top.settings,
            variations: top.variations,
            parts,
        };
        let mut text = "# `mge experiment plan.toml` repeats these runs.\n".to_owned();
        let unavailable_methods = self.unavailable_methods();
        if !unavailable_methods.is_empty() {
            text += &format!("# Left out, not built: {}.\n", unavailable_methods.join(", "));
        }
        text += &toml::to_string(&plan).map_err(|source| ExperimentError::PlanText {
            name: self.name.clone(),
            source: Box::new(source),
        })?;
        files.insert(0, OutputFile { name: "plan.toml".to_owned(), text });
        Ok(files)
    }

    /// The part restricted to the chosen data sets and methods; `None` if nothing is left.
    fn restricted(&self, part: RawPart, overrides: &Settings) -> Option<RawPart> {
        // Inner settings win over outer ones, so the overrides go to every place that has settings.
        let is_set = |settings: &Settings| *settings != Settings::default();
        let data = part.data?.into_iter().filter_map(|spec| match spec {
            DataSpec::Name(name) => self.includes_data(&name).then_some(DataSpec::Name(name)),
            DataSpec::Table(mut table) => self.includes_data(&table.name).then(|| {
                if is_set(&table.settings) {
                    table.settings = overrides.clone().over(table.settings.clone());
                }
                DataSpec::Table(table)
            }),
        });
        let methods = part.methods?.into_iter().filter_map(|spec| {
            let table = spec.clone().table();
            if method_settings(table.known()).is_err() || !self.includes_method(&table.name) {
                return None;
            }
            Some(match spec {
                MethodSpec::Table(mut table) if is_set(&table.settings) => {
                    table.settings = overrides.clone().over(table.settings.clone());
                    MethodSpec::Table(table)
                }
                spec => spec,
            })
        });
        let (data, methods): (Vec<_>, Vec<_>) = (data.collect(), methods.collect());
        let variations = part.variations.map(|mut variations| {
            for variation in variations.iter_mut().filter(|one| is_set(&one.settings)) {
                variation.settings = overrides.clone().over(variation.settings.clone());
            }
            variations
        });
        (!data.is_empty() && !methods.is_empty()).then(|| RawPart {
            data: Some(data),
            methods: Some(methods),
            protocol: part.protocol,
            repetitions: self.repetitions.or(part.repetitions),
            settings: overrides.clone().over(part.settings),
            variations,
        })
    }
}
