//! Names of features and classes in code: any name leaves the code valid and harmless.
//!
//! Only the model's own name becomes an identifier, reduced to ASCII letters, digits and
//! underscores. Names in comments lose everything that could end the comment or hide text. Names in
//! string literals have everything but plain ASCII escaped.

use std::fmt::Write;

/// Names that a file, crate, module or header must not have: keywords, standard headers and
/// modules, and names that some systems reserve.
const RESERVED: &str = "\
    abstract alignas alignof alloc and arduino array as asm assert async auto avr await become \
    bool box break build case catch char class cmath com1 complex con const continue core crate \
    ctype debugger def default del delete deps do double dyn elif else enum errno except export \
    extends extern false fenv final finally float fn for from function gen global golden goto if \
    impl import in inline instanceof int interface inttypes is iso646 json lambda let limits \
    locale long loop lpt1 macro main match math mod move mut namespace new nonlocal not nul null \
    numpy operator or os override package pass priv private prn proc_macro protected pub public \
    raise random ref register restrict return self setjmp short signal signed sizeof static std \
    stdarg stdbool stddef stdint stdio stdlib string struct super switch sys template test \
    tgmath this throw time trait true try type typedef typeof union unsafe unsigned unsized use \
    using var virtual void volatile wchar where while with yield";

/// The largest length of an identifier.
const MAX_LENGTH: usize = 40;

/// An identifier of lower-case ASCII letters, digits and underscores. It is valid and no keyword in
/// every target, and can name a file, a crate or a module.
pub fn identifier(name: &str) -> String {
    let mut made = String::new();
    for character in name.chars() {
        if character.is_ascii_alphanumeric() {
            made.push(character.to_ascii_lowercase());
        } else if !made.is_empty() && !made.ends_with('_') {
            made.push('_');
        }
        if made.len() == MAX_LENGTH {
            break;
        }
    }
    let made = made.trim_end_matches('_');
    if made.is_empty() {
        return "model".to_owned();
    }
    if made.starts_with(|first: char| first.is_ascii_digit()) {
        return format!("model_{made}");
    }
    if RESERVED.split_whitespace().any(|word| word == made) {
        return format!("{made}_model");
    }
    made.to_owned()
}

/// Names of constants, one for each name: ASCII capitals, digits and underscores, all different, none
/// empty. They are meant to follow a prefix, so they may begin with a digit. Names of other scripts
/// become their number.
pub fn constants<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = std::collections::BTreeSet::new();
    let constant = |(index, name): (usize, &str)| {
        let signs = name.replace("<=", " LE ").replace(">=", " GE ").replace('=', " ");
        let mut made = String::new();
        for character in signs.chars() {
            if character.is_ascii_alphanumeric() {
                made.push(character.to_ascii_uppercase());
            } else if !made.is_empty() && !made.ends_with('_') {
                made.push('_');
            }
            if made.len() == MAX_LENGTH {
                break;
            }
        }
        let made = made.trim_end_matches('_');
        let readable = if made.is_empty() { index.to_string() } else { made.to_owned() };
        let mut unique = readable.clone();
        let mut count = 1;
        while !taken.insert(unique.clone()) {
            count += 1;
            unique = format!("{readable}_{count}");
        }
        unique
    };
    names.into_iter().enumerate().map(constant).collect()
}

/// Text for a comment, on one line. Letters and digits of every script, harmless ASCII and signs of
/// Latin-1 stay; every other character becomes its code point.
pub fn comment(text: &str) -> String {
    let mut made = String::new();
    for character in text.chars() {
        // Backslashes continue lines; two of `*`, `/` and `?` end comments or make trigraphs.
        let pairs = matches!(character, '*' | '/' | '?');
        let plain = match character {
            '\\' => false,
            _ if pairs => !made.ends_with(['*', '/', '?']),
            // Signs of Latin-1 (degrees, plus-minus), without the invisible soft hyphen.
            '\u{a1}'..='\u{ff}' => character != '\u{ad}',
            _ => character == ' ' || character.is_ascii_graphic() || character.is_alphanumeric(),
        };
        if plain {
            made.push(character);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(made, "<U+{:04X}>", u32::from(character));
        }
    }
    made
}

/// A C string literal of the UTF-8 bytes. NUL, which would end the string, becomes U+FFFD.
pub fn c_string(text: &str) -> String {
    let mut made = String::from("\"");
    for byte in text.replace('\0', "\u{fffd}").bytes() {
        if byte.is_ascii_alphanumeric() || b" _-.,:;=+<>()[]{}#&|~^!@$%'`".contains(&byte) {
            made.push(char::from(byte));
        } else {
            // Always three octal digits, so that a following digit is not read as a fourth.
            let _ = write!(made, "\\{byte:03o}");
        }
    }
    made.push('"');
    made
}

/// A Rust string literal.
pub fn rust_string(text: &str) -> String {
    escaped(text, |made, character| {
        let _ = write!(made, "\\u{{{:x}}}", u32::from(character));
    })
}

/// A JavaScript string literal that is safe inside an HTML `<script>` too.
pub fn js_string(text: &str) -> String {
    escaped(text, |made, character| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(made, "\\u{unit:04x}");
        }
    })
}

/// A Python string literal.
pub fn python_string(text: &str) -> String {
    escaped(text, |made, character| {
        let _ = write!(made, "\\U{:08x}", u32::from(character));
    })
}

fn escaped(text: &str, escape: impl Fn(&mut String, char)) -> String {
    let mut made = String::from("\"");
    for character in text.chars() {
        let plain = character.is_ascii_graphic() || character == ' ';
        if plain && !matches!(character, '"' | '\\' | '<' | '>' | '&' | '\'') {
            made.push(character);
        } else {
            escape(&mut made, character);
        }
    }
    made.push('"');
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_plain_and_no_keywords() {
        for (name, expected) in [
            ("digits", "digits"),
            ("My data (v2).csv", "my_data_v2_csv"),
            ("class", "class_model"),
            ("stdint", "stdint_model"),
            ("3d", "model_3d"),
            ("größe", "gr_e"),
            ("\"; system(\"x\"); //", "system_x"),
            ("日本", "model"),
            ("", "model"),
            ("___", "model"),
        ] {
            assert_eq!(identifier(name), expected, "{name:?}");
        }
    }

    #[test]
    fn constants_are_plain_and_different() {
        let names =
            ["load=heavy", "load heavy", "", "größe", "日本", "a*/", "3d", "load_heavy_2", "2"];
        let expected =
            ["LOAD_HEAVY", "LOAD_HEAVY_2", "2", "GR_E", "4", "A", "3D", "LOAD_HEAVY_2_2", "2_2"];
        assert_eq!(constants(names), expected);
    }

    #[test]
    fn comments_cannot_be_ended_continued_or_reordered() {
        assert_eq!(comment("a*/b"), "a*<U+002F>b");
        assert_eq!(comment("tail\\"), "tail<U+005C>");
        assert_eq!(comment("??/"), "?<U+003F>/");
        assert_eq!(comment("a\nb\u{202e}c"), "a<U+000A>b<U+202E>c");
        assert_eq!(comment("größe 日本 m/s ±1 °C"), "größe 日本 m/s ±1 °C");
        assert_eq!(comment("a\u{ad}b\u{a0}c"), "a<U+00AD>b<U+00A0>c");
    }

    #[test]
    fn literals_escape_what_ends_or_changes_them() {
        assert_eq!(c_string("a\"\\?\n1"), "\"a\\042\\134\\077\\0121\"");
        assert_eq!(rust_string("a\"{é}"), "\"a\\u{22}{\\u{e9}}\"");
        assert_eq!(js_string("</script>𝄞"), "\"\\u003c/script\\u003e\\ud834\\udd1e\"");
        assert_eq!(python_string("'\n"), "\"\\U00000027\\U0000000a\"");
    }
}
