//! Pieces of text that several targets share: filled templates, numbers and lists.

use std::fmt::Display;

use crate::names;
use crate::program::Program;

/// A template with `@key@` replaced by its value. Keys inside values stay as they are.
pub fn filled(template: &str, values: &[(&str, String)]) -> String {
    let mut made = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find('@') {
        made.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let value = rest.find('@').and_then(|end| {
            let (_, value) = values.iter().find(|(key, _)| *key == &rest[..end])?;
            Some((value, end))
        });
        match value {
            Some((value, end)) => {
                made.push_str(value);
                rest = &rest[end + 1..];
            }
            None => made.push('@'),
        }
    }
    made + rest
}

/// Items with commas, in lines of at most 96 characters, each line indented.
pub fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut made = String::new();
    let mut line = String::from("   ");
    for item in items {
        let item = format!(" {item},");
        if line.len() + item.len() > 96 {
            made += &line;
            made.push('\n');
            line = String::from("   ");
        }
        line += &item;
    }
    made + &line
}

/// A number rounded to f32, written so that reading it gives the same f32.
pub fn f32_text(number: f64) -> String {
    let number = (number as f32).clamp(f32::MIN, f32::MAX);
    format!("{number:?}")
}

/// A number, written so that reading it gives the same f64.
pub fn f64_text(number: f64) -> String {
    format!("{:?}", number.clamp(f64::MIN, f64::MAX))
}

/// The inputs of the function, one on each line behind `prefix`. `extra` adds to an input's line.
pub fn inputs(program: &Program, prefix: &str, extra: impl Fn(usize) -> String) -> String {
    let mut made = String::new();
    for (index, input) in program.inputs.iter().enumerate() {
        let name = names::comment(&input.name);
        let description = names::comment(&input.description);
        let unused = if input.used { "" } else { " (not used)" };
        let text = if description == format!("column {name}") {
            name
        } else {
            format!("{name}: {description}")
        };
        made += &format!("{prefix}x[{index}] {text}{unused}{}\n", extra(index));
    }
    made
}

/// The classes, one on each line behind `prefix`.
pub fn classes(program: &Program, prefix: &str) -> String {
    let classes = program.classes.iter().enumerate();
    classes.map(|(index, class)| format!("{prefix}{index} {}\n", names::comment(class))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_inside_values_stay_as_they_are() {
        let values = [("a", "@b@".to_owned()), ("b", "x".to_owned())];
        assert_eq!(filled("me@home @a@ @b@@", &values), "me@home @b@ x@");
    }
}
