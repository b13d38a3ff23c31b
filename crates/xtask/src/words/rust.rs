//! The code of a Rust file without its comments and strings.

/// The file with every comment, string and character blanked out, line for line.
pub fn code_of(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < letters.len() {
        let end = end_of_token(&letters, at);
        match end {
            Some(end) => {
                let blanked = letters[at..end].iter();
                code.extend(blanked.map(|&letter| if letter == '\n' { '\n' } else { ' ' }));
                at = end;
            }
            None => {
                code.push(letters[at]);
                at += 1;
            }
        }
    }
    code
}

/// Where the comment, string or character ends that begins here; `None` if none does.
fn end_of_token(letters: &[char], at: usize) -> Option<usize> {
    let rest = &letters[at..];
    let is_in_name = at > 0 && (letters[at - 1].is_alphanumeric() || letters[at - 1] == '_');
    match rest {
        ['/', '/', ..] => Some(at + position(rest, "\n").unwrap_or(rest.len())),
        ['/', '*', ..] => Some(at + position(&rest[2..], "*/").map_or(rest.len(), |end| end + 4)),
        ['"', ..] => Some(at + 1 + end_of_string(&rest[1..])),
        ['b', '"', ..] if !is_in_name => Some(at + 2 + end_of_string(&rest[2..])),
        ['r', '"' | '#', ..] | ['b', 'r', '"' | '#', ..] if !is_in_name => raw_string(rest, at),
        ['\'', '\\', ..] => Some(at + 3 + position(&rest[3..], "'").map_or(0, |end| end + 1)),
        // A lifetime has no second quotation mark.
        ['\'', _, '\'', ..] => Some(at + 3),
        _ => None,
    }
}

fn end_of_string(inner: &[char]) -> usize {
    let mut at = 0;
    while at < inner.len() {
        match inner[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    inner.len()
}

fn raw_string(rest: &[char], at: usize) -> Option<usize> {
    let start = rest.iter().position(|&letter| letter == 'r')? + 1;
    let marks = rest[start..].iter().take_while(|&&letter| letter == '#').count();
    if rest.get(start + marks) != Some(&'"') {
        return None;
    }
    let close = format!("\"{}", "#".repeat(marks));
    let inner = &rest[start + marks + 1..];
    let end = position(inner, &close).map_or(inner.len(), |end| end + close.len());
    Some(at + start + marks + 1 + end)
}

fn position(letters: &[char], wanted: &str) -> Option<usize> {
    let wanted: Vec<char> = wanted.chars().collect();
    letters.windows(wanted.len()).position(|window| window == wanted)
}

/// The names of a line of code, in order.
pub fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    code.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_blanked_out() {
        let text =
            "let a = \"place \\\" b\"; // place\nlet c = r#\"place\"#; /* place\n place */ d";
        let code = code_of(text);
        assert!(!code.contains("place"), "{code}");
        assert_eq!(code.lines().count(), text.lines().count());
        assert!(code.contains("let a") && code.contains("let c") && code.ends_with(" d"));
    }

    #[test]
    fn characters_are_no_lifetimes() {
        let code = code_of("fn f<'a>(x: &'a str) { g('\\'', '\"', 'x'); place }");
        assert!(code.contains("fn f<'a>(x: &'a str)") && code.contains("place"), "{code}");
    }
}
