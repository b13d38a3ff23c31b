//! Labels in a file of their own, next to the features: `t10k-labels-idx1-ubyte` beside
//! `t10k-images-idx3-ubyte`, `y_train.npy` beside `X_train.npy`.

use std::path::PathBuf;

use super::Input;

/// The first file beside the input that has one of these names, plain or with `.gz`.
pub(super) fn find(input: &Input, names: impl Fn(&str) -> Vec<String>) -> Option<PathBuf> {
    let path = input.path.as_ref()?;
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let tried = names(name).into_iter().flat_map(|name| [name.clone(), format!("{name}.gz")]);
    tried.map(|name| path.with_file_name(name)).find(|path| path.is_file())
}

/// `images` becomes `labels`, three dimensions become one.
pub(super) fn idx_labels(name: &str) -> Vec<String> {
    if !name.contains("images") {
        return Vec::new();
    }
    let labels = name.replace("images", "labels");
    vec![labels.replace("idx3", "idx1"), labels]
}

/// `X` at the start becomes `y`.
pub(super) fn npy_labels(name: &str) -> Vec<String> {
    match name.strip_prefix(['X', 'x']) {
        Some(rest) => vec![format!("y{rest}"), format!("Y{rest}")],
        None => Vec::new(),
    }
}
