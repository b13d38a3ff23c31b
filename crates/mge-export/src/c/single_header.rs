//! C in one header that can be pasted into a project: every function in it is static.
//!
//! The header and the source of the folder form are joined. Public functions become
//! `static inline`, so that those which nobody calls cost nothing and warn of nothing. Private names
//! get the model's name in front, so that two models fit into one file.

use super::header_and_source;
use crate::exporter::Form;
use crate::files::OutFile;

/// The file.
pub(super) fn files(form: &Form<'_>) -> Vec<OutFile> {
    let name = &form.program.name;
    let [header, source] = header_and_source(form).map(|file| {
        // Both were made as text.
        String::from_utf8_lossy(&file.bytes).into_owned()
    });
    let include = format!("#include \"{name}.h\"\n");
    let source = source.split_once(&include).map_or(source.as_str(), |(_, rest)| rest);
    let private = private_names(source);
    let body = prefixed(&inlined(source), &private, name);
    let declared = header.split_inclusive('\n').map(|line| {
        if is_declaration(line, name) { format!("static inline {line}") } else { line.to_owned() }
    });
    let declared: String = declared.collect();
    // Headers that the body includes must not lie inside of `extern "C"`.
    let close = "#ifdef __cplusplus\n}\n#endif\n";
    let guard = format!("{close}\n#endif\n");
    let head = declared.strip_suffix(guard.as_str()).unwrap_or(&declared);
    vec![OutFile::text(format!("{name}.h"), format!("{head}{close}{body}\n#endif\n"))]
}

/// Whether a line declares a public function.
fn is_declaration(line: &str, name: &str) -> bool {
    !line.starts_with("typedef")
        && !line.starts_with(['#', ' ', '/', '*'])
        && line.contains(&format!("{name}_"))
        && line.ends_with(");\n")
}

/// The names of static functions and arrays.
fn private_names(source: &str) -> Vec<String> {
    let declared = |line: &str| {
        let rest = line.strip_prefix("static ").or_else(|| line.strip_prefix("} "))?;
        let end = rest.find(['(', '[']).filter(|_| !rest.starts_with("const struct"))?;
        let name = rest[..end].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
        (!name.is_empty()).then(|| name.to_owned())
    };
    let mut names: Vec<String> = source.lines().filter_map(declared).collect();
    names.sort();
    names.dedup();
    names
}

/// The source with its public functions inline.
fn inlined(source: &str) -> String {
    let line = |line: &str| {
        let is_function = line.ends_with(") {\n")
            && !line.starts_with([' ', '#', '/', '}'])
            && !line.starts_with("static ");
        let private = line.starts_with("static ") && line.ends_with(") {\n");
        match (is_function, private) {
            (true, _) => format!("static inline {line}"),
            (_, true) => line.replacen("static ", "static inline ", 1),
            _ => line.to_owned(),
        }
    };
    source.split_inclusive('\n').map(line).collect()
}

/// The source with a prefix before each of these names, outside of strings, comments and members.
fn prefixed(source: &str, names: &[String], prefix: &str) -> String {
    let mut made = String::with_capacity(source.len());
    let mut rest = source;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            string_length(rest)
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        let is_member = made.ends_with('.') || made.ends_with("->");
        if !is_member && names.iter().any(|name| name == token) {
            made.push_str(prefix);
            made.push('_');
        }
        made.push_str(token);
        rest = after;
    }
    made
}

/// The length of a string literal with both quotes.
fn string_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_names_get_a_prefix_in_code_alone() {
        let source = "static const uint8_t table[] = {\n};\nstatic int run(int x) {\n    \
                      /* table */ return table[x] + s.table + \"table\\\"\"[0];\n}\nint m_predict(int x) {\n    \
                      return run(x);\n}\n";
        let names = private_names(source);
        assert_eq!(names, ["run", "table"]);
        let made = prefixed(&inlined(source), &names, "m");
        assert!(made.contains("static const uint8_t m_table[]"), "{made}");
        assert!(
            made.contains("/* table */ return m_table[x] + s.table + \"table\\\"\"[0];"),
            "{made}"
        );
        assert!(made.contains("static inline int m_run(int x)"), "{made}");
        assert!(
            made.contains("static inline int m_predict(int x) {\n    return m_run(x);"),
            "{made}"
        );
    }
}
