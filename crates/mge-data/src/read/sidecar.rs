//! Finds labels in a separate file next to the features: `t10k-labels-idx1-ubyte` for
//! `t10k-images-idx3-ubyte`, `y_train.npy` for `X_train.npy`.

use std::path::PathBuf;

use super::Input;

/// The first file in the input's folder with one of these names, plain or with `.gz`.
pub(super) fn find(input: &Input, names: impl Fn(&str) -> Vec<String>) -> Option<PathBuf> {
    let path = input.path.as_ref()?;
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let tried = names(name).into_iter().flat_map(|name| [name.clone(), format!("{name}.gz")]);
    tried.map(|name| path.with_file_name(name)).find(|path| path.is_file())
}

/// The names of a label file: `images` becomes `labels`, and `idx3` becomes `idx1`.
pub(super) fn idx_labels(name: &str) -> Vec<String> {
    if !name.contains("images") {
        return Vec::new();
    }
    let labels = name.replace("images", "labels");
    vec![labels.replace("idx3", "idx1"), labels]
}

/// The names of a label file: a leading `X` becomes `y`.
pub(super) fn npy_labels(name: &str) -> Vec<String> {
    match name.strip_prefix(['X', 'x']) {
        Some(rest) => vec![format!("y{rest}"), format!("Y{rest}")],
        None => Vec::new(),
    }
}
