//! Names from a user's file, made harmless for SVG, DOT and HTML.
//!
//! A column may be called `"><script>`, or hold newlines, NUL or characters that change the writing
//! direction. [`clean`] removes what no format can show. Each format escapes the rest, so that a
//! name is always text and never markup.

/// The name without what cannot be shown. Line ends and tabs become spaces. Characters that XML
/// forbids, and those that change the writing direction, become `U+FFFD`.
pub fn clean(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => ' ',
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => {
                '\u{fffd}'
            }
            '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// At most `max` characters; a longer text ends in an ellipsis.
pub fn shorten(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(max.saturating_sub(1)).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

/// Text or an attribute's value in XML and HTML.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A quoted string of DOT. Backslashes are doubled, so that `\N` and the like are not replaced.
pub fn dot(text: &str) -> String {
    let text = clean(text).replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

/// The approximate width of a text in a condensed font of this size, in the same unit.
pub fn width(text: &str, size: f64) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | 'I' | ' ' => 0.32,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.86,
            'A'..='Z' => 0.62,
            '\u{1100}'.. => 1.0,
            _ => 0.57,
        })
        .sum();
    ems * size
}

/// A weight for readers: three decimals and a minus sign.
pub fn number(value: f64) -> String {
    let text = if value != 0.0 && value.abs() < 0.0005 || value.abs() >= 1e6 {
        format!("{value:.2e}")
    } else {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_never_markup() {
        let hostile = "</svg><script>alert('1')</script>\0\n\u{202e}\"&";
        let safe = escape(hostile);
        assert!(!safe.contains(['<', '>', '"', '\'', '\0', '\n', '\u{202e}']), "{safe}");
        assert!(safe.ends_with("\u{fffd} \u{fffd}&quot;&amp;"), "{safe}");
    }

    #[test]
    fn dot_strings_end_at_their_quote() {
        assert_eq!(dot(r#"a"b\"#), r#""a\"b\\""#);
        assert_eq!(dot("two\nlines"), "\"two lines\"");
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        assert_eq!(shorten("größenordnung", 5), "größ…");
        assert_eq!(shorten("short", 5), "short");
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.5, -0.25, 0.0, -0.0, 1.23456, 0.00001].map(number);
        assert_eq!(shown, ["0.5", "−0.25", "0", "0", "1.235", "1.00e−5"]);
    }
}
