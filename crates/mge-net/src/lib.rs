//! The phenotype: sparse feed-forward networks, evaluation, loss, metrics and cost.
