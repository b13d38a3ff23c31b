//! Tables in, views out: readers, catalogue, scaling, splits.
