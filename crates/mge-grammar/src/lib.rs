//! BNF grammars, derivation, and the representations that map genotypes to networks.
