//! The end of a fit: what the search found becomes a model, measured on both parts.

use super::{FitError, Fitted};
use crate::front::NetworkFront;
use crate::method::SearchResult;
use crate::model::{DataOrigin, Model, ModelParts, PartMetrics, RunRecord, SearchRecord};
use crate::prepared_data::{Part, PreparedData};
use crate::settings::ResolvedSettings;
use crate::task::measure;
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
    let PreparedData { task, preprocess, scale, train, test, calibration, .. } = prepared;
    let of_part = |network: &Network, part: &Part| {
        measure(network, &part.columns, &part.targets, scale.as_ref(), settings.loss)
    };
    let of_both = |network: &Network| -> Result<PartMetrics, FitError> {
        Ok(PartMetrics { train: of_part(network, &train)?, test: of_part(network, &test)? })
    };
    let metrics = of_both(&network)?;
    let front = front.map(|members| NetworkFront::of(&members, of_both)).transpose()?;
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
        targets: task.columns().to_vec(),
        scale,
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
