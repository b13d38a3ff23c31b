//! The search loop: selection, replacement, stopping, events, checkpoints.
