//! The end of a fit: what the search found becomes a model, measured on both parts.

use super::{FitError, Fitted};
use crate::front::NetworkFront;
use crate::method::prepared::SearchResult;
use crate::model::{DataOrigin, Model, ModelParts, PartMetrics, RunRecord, SearchRecord};
use crate::prepare::{Part, Prepared};
use crate::settings::ResolvedSettings;
use mge_hybrid::Member;
use mge_net::{Metrics, Network, Size, reference};

/// The best individual becomes a model, measured on both parts.
pub(super) fn finish(
    prepared: Prepared,
    settings: ResolvedSettings,
    data: DataOrigin,
    found: SearchResult,
    (codon_bits, threads): (Option<u32>, usize),
) -> Result<Fitted, FitError> {
    let SearchResult { network, genotype, front, history, reason, progress, seconds } = found;
    let network = network.ok_or_else(|| nothing(front.as_deref(), progress.generation))?;
    let on = |part: &Part, network: &Network| -> Result<Metrics, FitError> {
        if part.labels.is_empty() {
            let confusion = vec![vec![0; network.classes()]; network.classes()];
            return Ok(Metrics { rows: 0, loss: 0.0, accuracy: 0.0, rmse: 0.0, confusion });
        }
        Ok(Metrics::of(
            &reference::probabilities_of(network, &part.columns)?,
            &part.labels,
            settings.loss,
        )?)
    };
    let measure = |network: &Network| -> Result<PartMetrics, FitError> {
        let (train, test) = (on(&prepared.train, network)?, on(&prepared.test, network)?);
        Ok(PartMetrics { train, test })
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
    let run = RunRecord { seconds, threads, mge_version: env!("CARGO_PKG_VERSION").to_owned() };
    let model = Model::new(ModelParts {
        classes: prepared.task.classes().to_vec(),
        target: prepared.task.column().to_owned(),
        network,
        preprocess: prepared.preprocess,
        metrics,
        data,
        settings,
        search,
        run,
    });
    Ok(Fitted { model, genotype, history, front, baselines: Vec::new() })
}

/// Why a search came home without a network.
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
