//! A plan as text with its options inside, so that the text alone repeats the runs.

use super::Plan;
use super::raw::{DataSpec, MethodSpec, RawPart, RawPlan};
use crate::{ExperimentError, method_settings};
use mge::Settings;
use mge::grammar::shipped;

impl Plan {
    /// Files that repeat these runs by `mge experiment plan.toml`: `plan.toml` with all that was
    /// chosen by options (repetitions, data sets, methods, settings; methods that are not built left
    /// out), and the grammar if an option named a file.
    pub fn written(&self) -> Result<Vec<(String, String)>, ExperimentError> {
        let mut files = Vec::new();
        let mut over = self.over.clone();
        if let Some(path) = &mut over.grammar
            && path.to_str().and_then(shipped::find).is_none()
        {
            let text =
                std::fs::read_to_string(&*path).map_err(ExperimentError::file("read", path))?;
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let name = name.unwrap_or_else(|| "grammar.bnf".to_owned());
            *path = name.clone().into();
            files.push((name, text));
        }
        let parts = self.parts().into_iter().map(|part| self.chosen(part, &over));
        let mut parts: Vec<RawPart> = parts.flatten().collect();
        let whole = if parts.len() == 1 { parts.pop() } else { None }.unwrap_or_default();
        let plan = RawPlan {
            name: Some(self.name.clone()),
            seed: self.raw.seed,
            data: whole.data,
            methods: whole.methods,
            protocol: whole.protocol,
            repetitions: whole.repetitions,
            settings: whole.settings,
            variations: whole.variations,
            parts,
        };
        let mut text = "# `mge experiment plan.toml` repeats these runs.\n".to_owned();
        let not_built = self.not_built();
        if !not_built.is_empty() {
            text += &format!("# Left out, not built: {}.\n", not_built.join(", "));
        }
        text += &toml::to_string(&plan).map_err(|source| ExperimentError::PlanText {
            name: self.name.clone(),
            source: Box::new(source),
        })?;
        files.insert(0, ("plan.toml".to_owned(), text));
        Ok(files)
    }

    /// What the options leave of a part; `None` if nothing.
    fn chosen(&self, part: RawPart, over: &Settings) -> Option<RawPart> {
        // What stands nearer to a run wins, so the options' settings go wherever there are some.
        let is_set = |settings: &Settings| *settings != Settings::default();
        let data = part.data?.into_iter().filter_map(|spec| match spec {
            DataSpec::Name(name) => self.wants(&name).then_some(DataSpec::Name(name)),
            DataSpec::Table(mut table) => self.wants(&table.name).then(|| {
                if is_set(&table.settings) {
                    table.settings = over.clone().over(table.settings.clone());
                }
                DataSpec::Table(table)
            }),
        });
        let methods = part.methods?.into_iter().filter_map(|spec| {
            let table = spec.clone().table();
            if method_settings(table.known()).is_err() || !self.wants_method(&table.name) {
                return None;
            }
            Some(match spec {
                MethodSpec::Table(mut table) if is_set(&table.settings) => {
                    table.settings = over.clone().over(table.settings.clone());
                    MethodSpec::Table(table)
                }
                spec => spec,
            })
        });
        let (data, methods): (Vec<_>, Vec<_>) = (data.collect(), methods.collect());
        let variations = part.variations.map(|mut variations| {
            for variation in variations.iter_mut().filter(|one| is_set(&one.settings)) {
                variation.settings = over.clone().over(variation.settings.clone());
            }
            variations
        });
        (!data.is_empty() && !methods.is_empty()).then(|| RawPart {
            data: Some(data),
            methods: Some(methods),
            protocol: part.protocol,
            repetitions: self.repetitions.or(part.repetitions),
            settings: over.clone().over(part.settings),
            variations,
        })
    }
}
