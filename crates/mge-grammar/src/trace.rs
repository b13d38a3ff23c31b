//! The slow, obvious twin of the fast derivation.
