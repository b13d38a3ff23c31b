//! Where an export comes from, and who may use it: the lines at the top of every file.

use crate::files::OutFile;
use crate::names;

/// The licence of generated code: whoever has it may do anything with it, without a notice.
pub const LICENCE: &str = "0BSD";

/// Where an export comes from. Fields that are not known stay empty, and give no line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The tool with its version, such as `mge 0.1.0 (3f2a91c)`.
    pub tool: String,
    /// The command that made the export.
    pub command: String,
    /// A hash of the model.
    pub model: String,
    /// The name of the data.
    pub data: String,
    /// A fingerprint of the data.
    pub fingerprint: String,
    /// How good the model is, and on which rows.
    pub accuracy: String,
    /// The seed of the model.
    pub seed: Option<u64>,
}

impl Provenance {
    /// The lines, each harmless in a comment.
    pub fn lines(&self) -> Vec<String> {
        let tool = if self.tool.is_empty() { "mge" } else { &self.tool };
        let mut lines = vec![
            format!("SPDX-License-Identifier: {LICENCE}"),
            format!("Made by {}. You may use this file for any purpose.", names::comment(tool)),
        ];
        let seed = self.seed.map_or_else(String::new, |seed| seed.to_string());
        let fields = [
            ("command", &self.command),
            ("model", &self.model),
            ("data", &self.data),
            ("fingerprint", &self.fingerprint),
            ("accuracy", &self.accuracy),
            ("seed", &seed),
        ];
        let known = fields.into_iter().filter(|(_, text)| !text.is_empty());
        lines.extend(known.map(|(name, text)| format!("{name}: {}", names::comment(text))));
        lines
    }

    /// The file with these lines at its top. Files without comments stay as they are.
    pub(crate) fn annotate(&self, file: OutFile) -> OutFile {
        let Ok(text) = String::from_utf8(file.bytes.clone()) else { return file };
        let ending = file.path.rsplit(['.', '/']).next().unwrap_or_default();
        let with = |prefix: &str| -> String {
            self.lines().iter().map(|line| format!("{prefix}{line}\n")).collect()
        };
        let made = match ending {
            "c" | "h" | "ld" => format!("/*\n{} */\n{text}", with(" * ")),
            "rs" | "mjs" | "ino" => with("// ") + &text,
            "py" | "toml" | "properties" | "Makefile" => with("# ") + &text,
            "html" => {
                // A page may hold no text that looks like markup.
                let lines = with("  ").replace('<', "(").replace('>', ")").replace("--", "- -");
                match text.strip_prefix("<!doctype html>\n") {
                    Some(rest) => format!("<!doctype html>\n<!--\n{lines}-->\n{rest}"),
                    None => text,
                }
            }
            _ => return file,
        };
        OutFile { bytes: made.into_bytes(), ..file }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provenance() -> Provenance {
        Provenance {
            tool: "mge 0.1.0 */".into(),
            command: "mge export \"a\n--> b\"".into(),
            seed: Some(7),
            ..Provenance::default()
        }
    }

    #[test]
    fn every_kind_of_file_says_whose_it_is() {
        let kinds = ["a.c", "a.h", "a.ld", "a.rs", "a.mjs", "a.ino", "a.py", "Cargo.toml"];
        for path in kinds.into_iter().chain(["x/library.properties", "x/Makefile", "i.html"]) {
            let file = provenance().annotate(OutFile::text(path, "<!doctype html>\n"));
            let text = String::from_utf8(file.bytes).unwrap();
            assert!(text.contains("SPDX-License-Identifier: 0BSD\n"), "{path}: {text}");
            assert!(text.contains("seed: 7\n") && !text.contains("data:"), "{text}");
        }
    }

    #[test]
    fn no_line_leaves_its_comment() {
        let lines = provenance().lines();
        assert!(lines.iter().all(|line| !line.contains("*/") && !line.contains('\n')), "{lines:?}");
        let page = provenance().annotate(OutFile::text("i.html", "<!doctype html>\n<p>"));
        let page = String::from_utf8(page.bytes).unwrap();
        assert_eq!(page.matches("-->").count(), 1, "{page}");
    }
}
