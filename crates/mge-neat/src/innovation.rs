//! Innovation numbers (section 3.2): the same structural mutation in one generation gets the same
//! number. So genes with a common origin can be aligned.
//!
//! Numbers are assigned sequentially, in the order of the offspring. Only the two counters outlive
//! a generation; checkpoints hold them.

use crate::genome::{NodeId, Shape};
use serde::{Deserialize, Serialize};

/// The next free numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct InnovationCounters {
    /// The next innovation number.
    pub link: u32,
    /// The next hidden neuron.
    pub node: u32,
}

impl InnovationCounters {
    /// The counters before any structural mutation. Direct links have fixed numbers below them.
    pub fn first(shape: Shape) -> Self {
        Self { link: shape.direct_links() as u32, node: shape.first_hidden().0 }
    }
}

/// A node that splits a link, and the numbers of the links into and out of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeSplit {
    /// The new neuron.
    pub node: NodeId,
    /// The number of the link into it.
    pub innovation_in: u32,
    /// The number of the link out of it.
    pub innovation_out: u32,
}

/// The structural mutations of one generation so far.
#[derive(Debug)]
pub struct Innovations {
    shape: Shape,
    counters: InnovationCounters,
    /// Sorted by ends.
    links: Vec<((NodeId, NodeId), u32)>,
    /// Sorted by the number of the link that was split.
    splits: Vec<(u32, NodeSplit)>,
}

impl Innovations {
    /// No mutation yet.
    pub fn new(shape: Shape, counters: InnovationCounters) -> Self {
        Self { shape, counters, links: Vec::new(), splits: Vec::new() }
    }

    /// The counters for the next generation.
    pub fn counters(&self) -> InnovationCounters {
        self.counters
    }

    /// The number of a new link; `None` when all are used up.
    pub fn link(&mut self, from: NodeId, to: NodeId) -> Option<u32> {
        if let Some(direct) = self.shape.direct_innovation(from, to) {
            return Some(direct);
        }
        match self.links.binary_search_by_key(&(from, to), |&(ends, _)| ends) {
            Ok(known) => Some(self.links[known].1),
            Err(index) => {
                let number = take(&mut self.counters.link)?;
                self.links.insert(index, ((from, to), number));
                Some(number)
            }
        }
    }

    /// The node that splits the link with this number; `None` when all numbers are used up.
    pub fn split(&mut self, link: u32) -> Option<NodeSplit> {
        match self.splits.binary_search_by_key(&link, |&(number, _)| number) {
            Ok(known) => Some(self.splits[known].1),
            Err(index) => {
                let split = NodeSplit {
                    innovation_in: take(&mut self.counters.link)?,
                    innovation_out: take(&mut self.counters.link)?,
                    node: NodeId(take(&mut self.counters.node)?),
                };
                self.splits.insert(index, (link, split));
                Some(split)
            }
        }
    }
}

fn take(counter: &mut u32) -> Option<u32> {
    let number = *counter;
    *counter = number.checked_add(1)?;
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { inputs: 2, outputs: 1 };

    #[test]
    fn the_same_mutation_in_one_generation_has_one_number() {
        let mut now = Innovations::new(SHAPE, InnovationCounters::first(SHAPE));
        let first = now.split(1).unwrap();
        assert_eq!(
            first,
            NodeSplit { node: NodeId(4), innovation_in: 3, innovation_out: 4 },
            "three direct links and four nodes come before"
        );
        let other = now.split(0).unwrap();
        assert_eq!((other.node, other.innovation_in), (NodeId(5), 5));
        assert_eq!(now.split(1), Some(first));
        let across = now.link(NodeId(4), NodeId(5));
        assert_eq!(across, Some(7));
        assert_eq!(now.link(NodeId(5), NodeId(4)), Some(8));
        assert_eq!(now.link(NodeId(4), NodeId(5)), across);
        assert_eq!(now.link(NodeId(1), NodeId(3)), Some(1), "direct links keep their number");

        let mut later = Innovations::new(SHAPE, now.counters());
        let again = later.split(1).unwrap();
        assert_eq!((again.node, again.innovation_in), (NodeId(6), 9));
    }

    #[test]
    fn exhausted_numbers_are_not_assigned_twice() {
        let counters = InnovationCounters { link: u32::MAX - 1, node: u32::MAX };
        let mut last = Innovations::new(SHAPE, counters);
        assert_eq!(last.split(0), None);
        assert_eq!(last.link(NodeId(4), NodeId(3)), None);
    }
}
