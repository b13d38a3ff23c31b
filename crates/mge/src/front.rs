//! The front of a run: the best network at every size, from methods that keep one.
//!
//! `front.json` is a [`NetworkFront`]. Pictures need only its [`Front`]. The metrics on training and
//! test rows are in a file of their own, so that nobody chooses by them by mistake.

use crate::method::Method;
use crate::model::{Model, PartMetrics};
use mge_hybrid::{Limits, Member, Pick, non_dominated, pick};
use mge_io::write_atomically;
use mge_net::Network;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Networks none of which another beats in both accuracy and operations, for pictures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Front {
    /// The rows that the accuracies were measured on, such as `validation`.
    pub part: String,
    /// The networks.
    pub points: Vec<FrontPoint>,
}

/// One network of a front.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FrontPoint {
    /// Operations of one prediction.
    pub operations: usize,
    /// The fraction of right answers.
    pub accuracy: f64,
}

impl Front {
    /// The front in a file, or `None` if there is no such file or it holds none.
    pub fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    /// The points that no other dominates: each is more accurate than all that cost no more. By
    /// rising operations.
    pub fn of(points: impl IntoIterator<Item = FrontPoint>, part: &str) -> Self {
        let mut points: Vec<FrontPoint> = points.into_iter().collect();
        points.sort_by(|a, b| {
            a.operations.cmp(&b.operations).then(b.accuracy.total_cmp(&a.accuracy))
        });
        let mut best = f64::NEG_INFINITY;
        points.retain(|point| {
            let better = point.accuracy > best;
            best = best.max(point.accuracy);
            better
        });
        Self { part: part.to_owned(), points }
    }
}

/// The content of `front.json`: every network of a front.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkFront {
    /// The rows that chose the networks, and that accuracies and losses are of.
    pub part: String,
    /// The networks, by rising cost: operations, unless the objective is another.
    pub points: Vec<FrontNetwork>,
}

/// One network of a front.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrontNetwork {
    /// The network, and how it did on the rows that chose it.
    #[serde(flatten)]
    pub member: Member,
    /// How it did on the training and the test rows. No choice looks at these, and `front.json` has
    /// them in earlier versions only.
    #[serde(default, skip_serializing)]
    pub metrics: Option<PartMetrics>,
}

/// One network of `front-metrics.json`, in the order of `front.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct NetworkMetrics {
    operations: usize,
    #[serde(flatten)]
    metrics: PartMetrics,
}

/// A front that cannot be used.
#[derive(Debug, Error)]
pub enum FrontError {
    /// A run without a front.
    #[error("there is no {}; expected a finished run of a method that keeps a front: {methods}", path.display())]
    None {
        /// Where it should be.
        path: PathBuf,
        /// The methods that keep a front.
        methods: String,
    },
    /// The file cannot be read.
    #[error("cannot read the front {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file that should have networks to start from.
    #[error("expected a run folder, a model or a front to start from; {reason}")]
    Neither {
        /// Why it is no model.
        reason: String,
    },
    /// The metrics of the networks are missing, or are those of another front.
    #[error("{} has no metrics of these networks: {reason}", path.display())]
    NoMetrics {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file is something else.
    #[error("{} is not a front: {reason}", path.display())]
    NotAFront {
        /// The file.
        path: PathBuf,
        /// Where and why.
        reason: String,
    },
}

/// The networks to start another search from: those of a front, or that of a model; of a run
/// folder its front, if it has one.
///
/// # Errors
/// When there is neither.
pub fn networks_in(path: &Path) -> Result<Vec<Network>, FrontError> {
    let front = path.join("front.json");
    if front.is_file() {
        return Ok(NetworkFront::load(&front)?.networks());
    }
    let model = if path.is_dir() { path.join("model.json") } else { path.to_owned() };
    match (Model::load(&model), NetworkFront::load(&model)) {
        (Ok(model), _) => Ok(vec![model.network]),
        (_, Ok(front)) => Ok(front.networks()),
        (Err(error), _) => Err(FrontError::Neither { reason: error.to_string() }),
    }
}

/// The names of the methods that keep a front.
fn methods_with_front() -> String {
    let with_front = Method::all().into_iter().filter(|method| method.info().keeps_front);
    with_front.map(Method::name).collect::<Vec<_>>().join(", ")
}

impl NetworkFront {
    /// The networks that no other dominates, each measured.
    pub(crate) fn of<E>(
        members: &[Member],
        measure: impl Fn(&Network) -> Result<PartMetrics, E>,
    ) -> Result<Self, E> {
        let measured = |member: &Member| -> Result<FrontNetwork, E> {
            Ok(FrontNetwork { metrics: Some(measure(&member.network)?), member: member.clone() })
        };
        let points = non_dominated(members).into_iter().map(measured).collect::<Result<_, E>>()?;
        Ok(Self { part: "validation".to_owned(), points })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When there is none or it is something else.
    pub fn load(path: &Path) -> Result<Self, FrontError> {
        let bytes = std::fs::read(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => {
                FrontError::None { path: path.to_owned(), methods: methods_with_front() }
            }
            _ => FrontError::Read { path: path.to_owned(), source },
        })?;
        serde_json::from_slice(&bytes).map_err(|error| FrontError::NotAFront {
            path: path.to_owned(),
            reason: error.to_string(),
        })
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let json = serde_json::to_vec(self).expect("a front has text keys and finite numbers only");
        write_atomically(path, &json)
    }

    /// Reads the metrics on the training and the test rows, which [`NetworkFront::save_metrics`]
    /// wrote. Files of earlier versions have them in the front itself.
    ///
    /// # Errors
    /// When there are none of these networks.
    pub fn load_metrics(&mut self, path: &Path) -> Result<(), FrontError> {
        if self.points.iter().all(|point| point.metrics.is_some()) {
            return Ok(());
        }
        let none = |reason: String| FrontError::NoMetrics { path: path.to_owned(), reason };
        let bytes = std::fs::read(path).map_err(|error| none(error.to_string()))?;
        let read: Vec<NetworkMetrics> =
            serde_json::from_slice(&bytes).map_err(|error| none(error.to_string()))?;
        let own = self.points.iter().map(|point| point.member.operations);
        if !read.iter().map(|network| network.operations).eq(own) {
            return Err(none("they are of another front".to_owned()));
        }
        for (point, NetworkMetrics { metrics, .. }) in self.points.iter_mut().zip(read) {
            point.metrics = Some(metrics);
        }
        Ok(())
    }

    /// Writes the metrics of all networks that have some, whole or not at all.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn save_metrics(&self, path: &Path) -> io::Result<()> {
        let of = |point: &FrontNetwork| {
            let (operations, metrics) = (point.member.operations, point.metrics.clone()?);
            Some(NetworkMetrics { operations, metrics })
        };
        let metrics: Vec<NetworkMetrics> = self.points.iter().filter_map(of).collect();
        let json = serde_json::to_vec(&metrics).expect("text keys and finite numbers only");
        write_atomically(path, &json)
    }

    /// The front for pictures.
    pub fn summary(&self) -> Front {
        let point = |network: &FrontNetwork| FrontPoint {
            operations: network.member.operations,
            accuracy: network.member.accuracy,
        };
        Front { part: self.part.clone(), points: self.points.iter().map(point).collect() }
    }

    fn networks(self) -> Vec<Network> {
        self.points.into_iter().map(|point| point.member.network).collect()
    }

    /// The network inside the limits that a rule picks; `None` if there is none.
    pub fn pick(&self, limits: &Limits, rule: Pick) -> Option<&FrontNetwork> {
        let members: Vec<Member> = self.points.iter().map(|point| point.member.clone()).collect();
        let picked = pick(&members, limits, rule)?;
        let index = members.iter().position(|member| member == picked)?;
        Some(&self.points[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dominated_points_are_left_out() {
        let points = [(50, 0.9), (10, 0.5), (20, 0.5), (10, 0.4), (60, 0.9), (40, 0.8)];
        let points = points.map(|(operations, accuracy)| FrontPoint { operations, accuracy });
        let front = Front::of(points, "training");
        let kept: Vec<_> = front.points.iter().map(|p| (p.operations, p.accuracy)).collect();
        assert_eq!(kept, [(10, 0.5), (40, 0.8), (50, 0.9)]);
    }
}
