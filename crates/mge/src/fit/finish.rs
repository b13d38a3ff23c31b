//! The end of a fit: what the search found becomes a model, measured on both parts.

use super::{FitError, Fitted};
use crate::front::NetworkFront;
use crate::method::SearchResult;
use crate::model::{DataOrigin, Model, ModelParts, PartMetrics, RunRecord, SearchRecord};
use crate::prepared_data::PreparedData;
use crate::settings::ResolvedSettings;
use mge_hybrid::Member;
use mge_net::{Network, Size};

/// The best network becomes a model, measured on both parts.
pub(super) fn finish(
    prepared: PreparedData,
    settings: ResolvedSettings,
    origin: DataOrigin,
    found: SearchResult,
    codon_bits: Option<u32>,
    threads: usize,
) -> Result<Fitted, FitError> {
    let SearchResult { network, genotype, front, history, reason, progress, seconds } = found;
    let network = network.ok_or_else(|| nothing(front.as_deref(), progress.generation))?;
    let PreparedData { task, preprocess, train, test, calibration, .. } = prepared;
    let measure = |network: &Network| -> Result<PartMetrics, FitError> {
        Ok(PartMetrics {
            train: task.measure(network, &train.columns, &train.labels, settings.loss)?,
            test: task.measure(network, &test.columns, &test.labels, settings.loss)?,
        })
    };
    let metrics = measure(&network)?;
    let front = front.map(|members| NetworkFront::of(&members, measure)).transpose()?;
    let search = SearchRecord {
        generations: progress.generation,
        evaluations: progress.evaluations,
        stop_reason: reason,
        best_loss: progress.best_loss,
        invalid_individuals: progress.invalid_individuals,
        invalid_genes: progress.invalid_parts,
        codon_bits,
    };
    let run = RunRecord::now(seconds, threads);
    let model = Model::new(ModelParts {
        classes: task.classes().to_vec(),
        target: task.column().to_owned(),
        network,
        preprocess,
        metrics,
        data: origin,
        settings,
        search,
    });
    let calibration = calibration.for_model(&model);
    Ok(Fitted { model, run, genotype, history, front, baselines: Vec::new(), calibration })
}

/// Why a search ended without a network.
fn nothing(front: Option<&[Member]>, generations: u64) -> FitError {
    let smallest = front.and_then(|members| members.iter().min_by_key(|m| m.operations));
    match smallest {
        Some(Member { network, .. }) => {
            let Size { operations, features, neurons, .. } = Size::of(network);
            let bytes = mge_net::table_bytes(network);
            let size = format!(
                "{operations} operations, {bytes} bytes, features: {features}, neurons: {neurons}"
            );
            FitError::NothingWithin { size }
        }
        None => FitError::NothingFound { generations },
    }
}
