//! Memory for columns that only one population needs: each is given up after the last network
//! that reads it, so that a few, which stay in the first-level cache, serve thousands.

use super::plan::{NetworkJob, Plan};
use super::slots::Place;

/// Not given to anybody yet.
const NOWHERE: u32 = u32::MAX;

/// Which passing columns share memory. The buffers are used again.
#[derive(Debug, Default)]
pub(super) struct Reuse {
    /// The last network that reads a column.
    last: Vec<u32>,
    /// Where it is.
    place: Vec<u32>,
    free: Vec<u32>,
}

impl Reuse {
    /// Renumbers the passing columns of a plan; tells how many places are enough for them.
    pub(super) fn renumber(&mut self, plan: &mut Plan, columns: usize) -> usize {
        let Self { last, place, free } = self;
        if columns == 0 {
            return 0;
        }
        last.clear();
        last.resize(columns, 0);
        place.clear();
        place.resize(columns, NOWHERE);
        free.clear();
        let networks = std::mem::take(&mut plan.networks);
        for (index, network) in (0..).zip(&networks) {
            plan.for_each_passing(network, |column| last[*column as usize] = index);
        }
        let (mut places, mut over) = (0, Vec::new());
        for (index, network) in (0..).zip(&networks) {
            plan.for_each_passing(network, |column| {
                let own = &mut place[*column as usize];
                if *own == NOWHERE {
                    *own = free.pop().unwrap_or_else(|| {
                        places += 1;
                        places - 1
                    });
                }
                if last[*column as usize] == index {
                    last[*column as usize] = NOWHERE;
                    over.push(*own);
                }
                *column = *own;
            });
            // Not before the network is done with all of its columns.
            free.append(&mut over);
        }
        plan.networks = networks;
        places as usize
    }
}

impl Plan {
    /// All passing columns that a network's jobs write or read.
    fn for_each_passing(&mut self, network: &NetworkJob, mut visit: impl FnMut(&mut u32)) {
        let mut visit = |place: &mut Place| {
            if let Place::Passing(column) = place {
                visit(column);
            }
        };
        let span = &network.span;
        self.neurons[span.neurons.clone()].iter_mut().for_each(|job| visit(&mut job.place));
        self.links[span.links.clone()].iter_mut().for_each(|(place, _)| visit(place));
        self.outputs[span.outputs.clone()].iter_mut().for_each(|job| visit(&mut job.place));
        self.terms[span.terms.clone()].iter_mut().for_each(|term| visit(&mut term.place));
        self.places[span.places.clone()].iter_mut().for_each(visit);
    }
}
