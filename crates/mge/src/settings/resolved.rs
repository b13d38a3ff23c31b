//! Settings with every default filled in: all that a run depends on besides the data.

use super::{ClassWeight, DataConfig, Settings, SettingsError, renamed};
use crate::FitError;
use crate::method::MethodConfig;
use crate::model::DataOrigin;
use crate::prepared_data::FitData;
use crate::task::{TaskName, TaskSize};
use mge_data::Scale;
use mge_evolve::StopRules;
use mge_net::Loss;
use mge_random::{Purpose, Stream};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Everything the search depends on besides the data. Stored in models and run folders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedSettings {
    /// The search method and its settings.
    pub method: MethodConfig,
    /// What is learned from the target.
    #[serde(default, skip_serializing_if = "is_classification")]
    pub task: TaskName,
    /// What is minimised.
    pub loss: Loss,
    /// Input scaling.
    pub scale: Scale,
    /// The fraction of training rows, if the user chose one.
    pub train_fraction: Option<f64>,
    /// Seed of the split and of the search.
    pub seed: u64,
    /// How the table is read, split and weighted.
    #[serde(default)]
    pub data: DataConfig,
    /// When to stop.
    pub stop: StopRules,
}

impl Settings {
    /// Fills in the defaults for some data. A seed is drawn if none was asked for.
    ///
    /// # Errors
    /// When settings do not go together, and when the data has no task.
    pub fn resolve<'d>(&self, data: impl Into<FitData<'d>>) -> Result<ResolvedSettings, FitError> {
        let data: FitData<'d> = data.into();
        let task = self.task.unwrap_or_default();
        let size = data.size(task, self.train_fraction, self.data.folds)?;
        Ok(self.resolve_for(size, draw_seed())?)
    }

    /// Fills in the defaults for a task of this size. `seed` is taken when none was asked for.
    ///
    /// # Errors
    /// When settings do not go together.
    pub fn resolve_for(
        &self,
        size: TaskSize,
        seed: u64,
    ) -> Result<ResolvedSettings, SettingsError> {
        let method = self.resolve_method(size)?;
        let losses = size.kind.losses();
        let loss = self.loss.unwrap_or(losses[0]);
        if !loss.fits(size.kind.link()) {
            let expected = losses.iter().map(|loss| loss.name()).collect();
            return Err(SettingsError::LossOfTask { loss, expected });
        }
        let generations = method.default_generations(size);
        let resolved = ResolvedSettings {
            task: size.kind.name(),
            loss,
            scale: self.scale.unwrap_or_default(),
            train_fraction: self.train_fraction,
            seed: self.seed.unwrap_or(seed),
            data: self.data.resolve(),
            stop: self.stop.resolve(generations),
            method,
        };
        resolved.check_task()?;
        Ok(resolved)
    }

    fn resolve_method(&self, size: TaskSize) -> Result<MethodConfig, SettingsError> {
        self.check_method_named()?;
        let method = self.method.unwrap_or_default();
        self.check_top_level(method)?;
        method.implementation().resolve(self, size)
    }
}

fn is_classification(task: &TaskName) -> bool {
    *task == TaskName::Classify
}

impl ResolvedSettings {
    /// Settings that only classes have are an error for numbers.
    pub(crate) fn check_task(&self) -> Result<(), SettingsError> {
        if self.task == TaskName::Regress && self.data.class_weight != ClassWeight::None {
            return Err(SettingsError::OfClasses { setting: "data.class_weight" });
        }
        Ok(())
    }

    /// A hash that is equal for two runs exactly when one may continue the other. It covers the
    /// data, the version of the algorithm, and all settings except the stopping rules.
    pub(crate) fn identity(&self, data: &DataOrigin) -> String {
        let endless = Self { stop: StopRules::default(), ..self.clone() };
        let version = self.method.method().algorithm_version();
        let text = serde_json::to_string(&(endless, version, &data.fingerprint, &data.split))
            .expect("settings have text keys only");
        let table = self.method.method().info().table;
        let digest = Sha256::digest(renamed::with_first_names(text, table).as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A seed nobody chose: from the time, mixed well enough that two runs in a row differ.
fn draw_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanos = now.map_or(0, |time| time.as_nanos() as u64);
    // Short enough to be typed again.
    Stream::at(nanos, Purpose::Seed, 0, 0).below(1_000_000_000)
}
