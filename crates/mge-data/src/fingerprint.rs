//! Identifies a table by its content, so that a model can name its training data.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::table::{Table, Values};

/// The SHA-256 of a table's content: names, kinds, values and labels in the table's order. The
/// file's name, its format and its line ends do not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The hash, in 64 hexadecimal digits.
    pub sha256: String,
    /// How many rows.
    pub rows: usize,
    /// How many columns, the target among them.
    pub columns: usize,
}

impl Fingerprint {
    /// The fingerprint of a table.
    pub fn of(table: &Table) -> Self {
        let mut hash = Sha256::new();
        let (rows, columns) = (table.rows(), table.columns().len());
        hash.update(b"mge table 1\n");
        hash.update((rows as u64).to_le_bytes());
        hash.update((columns as u64).to_le_bytes());
        for column in table.columns() {
            text(&mut hash, &column.name);
            match &column.values {
                Values::Number(cells) => {
                    hash.update([0]);
                    let bits = |x: &f32| {
                        if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() }
                    };
                    words(&mut hash, cells.iter().map(bits));
                }
                Values::Text(cells) => {
                    // Labels keep their spelling, but `true` and `True` are the same content.
                    let canonical = cells.with_canonical_booleans();
                    let cells = canonical.as_ref().unwrap_or(cells);
                    hash.update([1]);
                    hash.update((cells.categories().len() as u64).to_le_bytes());
                    cells.categories().iter().for_each(|category| text(&mut hash, category));
                    words(&mut hash, cells.codes().iter().copied());
                }
            }
        }
        let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Self { sha256, rows, columns }
    }
}

/// Text with its length before it, so that no two lists of texts give the same bytes.
fn text(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}

/// Hashes blocks of words: a call for each word costs more than the hash itself.
fn words(hash: &mut Sha256, words: impl Iterator<Item = u32>) {
    let mut block = [0u8; 4096];
    let mut filled = 0;
    for word in words {
        block[filled..filled + 4].copy_from_slice(&word.to_le_bytes());
        filled += 4;
        if filled == block.len() {
            hash.update(block);
            filled = 0;
        }
    }
    hash.update(&block[..filled]);
}

#[cfg(test)]
mod tests {
    use crate::{LoadOptions, load_bytes};

    fn fingerprint(text: &str) -> String {
        load_bytes("t.csv", text, &LoadOptions::default()).unwrap().fingerprint.sha256
    }

    #[test]
    fn the_content_decides_and_the_format_does_not() {
        let plain = fingerprint("a,class\n1,x\n2,y\n");
        assert_eq!(plain, fingerprint("\u{feff}\"a\",class\r\n1.0, x\r\n\r\n2,y"));
        for other in [
            "b,class\n1,x\n2,y\n",
            "a,class\n1,x\n2,x\n",
            "a,class\n1,x\n3,y\n",
            "a,class\n2,y\n1,x",
        ] {
            assert_ne!(plain, fingerprint(other), "{other}");
        }
    }

    #[test]
    fn the_hash_of_a_table_never_changes() {
        assert_eq!(
            fingerprint("a,class\n1,x\n,y\n"),
            "711bf1f9005e0009672ec5ecc3861c60f098c2718bd8c4c8d6cb607c05a1286b"
        );
    }
}
