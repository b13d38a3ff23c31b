//! The name that was most likely meant, for errors of serde about unknown fields and variants.

use crate::nearest;

/// The suggestion for a message such as "unknown field `sede`, expected one of `seed`, `data`": the
/// expected name that is most similar. `None` for other messages, and if no name is similar.
///
/// ```
/// let message = "unknown field `hybird`, expected `neat` or `hybrid`";
/// assert_eq!(mge_names::suggestion(message), Some("hybrid"));
/// ```
pub fn suggestion(message: &str) -> Option<&str> {
    const BEGINNINGS: [&str; 2] = ["unknown field `", "unknown variant `"];
    let rest = BEGINNINGS.iter().find_map(|beginning| Some(message.split_once(beginning)?.1))?;
    let (wanted, rest) = rest.split_once('`')?;
    let (_, expected) = rest.split_once("expected ")?;
    // Every second part stands between backticks.
    let names = expected.lines().next()?.split('`').skip(1).step_by(2);
    nearest(wanted, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_expected_name_is_suggested() {
        let one_of = "TOML parse error\nunknown field `populaton`, expected one of `elite`, `population`, `tournament`\n";
        assert_eq!(suggestion(one_of), Some("population"));
        assert_eq!(suggestion("unknown field `nmae`, expected `name`"), Some("name"));
        assert_eq!(
            suggestion("unknown variant `knea`, expected `knee` or `accuracy`"),
            Some("knee")
        );
        assert_eq!(suggestion("unknown field `zzz`, expected `name` or `data`"), None);
        assert_eq!(suggestion("unknown field `x`, there are no fields"), None);
        assert_eq!(suggestion("invalid type: string, expected u64"), None);
    }
}
