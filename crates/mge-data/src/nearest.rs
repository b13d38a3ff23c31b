//! "Did you mean ...?": the known name that a mistyped one is closest to.

/// The most similar candidate, if it is similar enough.
pub(crate) fn nearest<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let mut best: Option<(f64, &str)> = None;
    for candidate in candidates {
        let similarity = strsim::jaro_winkler(&wanted, &candidate.to_lowercase());
        // Unrelated short words score about 0.5.
        if similarity >= 0.75 && best.is_none_or(|(top, _)| similarity > top) {
            best = Some((similarity, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// `; did you mean "x"?`, or nothing.
pub(crate) fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_if_similar() {
        let names = ["wdbc", "wine", "heart"];
        assert_eq!(nearest("wdcb", names), Some("wdbc"));
        assert_eq!(nearest("HEART", names), Some("heart"));
        assert_eq!(nearest("zzz", names), None);
    }
}
