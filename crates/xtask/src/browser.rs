//! What the test of the HTML pages needs: Chromium from the system's packages and
//! `playwright-core`, which drives it, from npm. Installed once, into `target/browser-tools`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names that Chromium goes by.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Installs what is missing. Tells only what went wrong, and how to help.
pub fn install() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let folder = target.join("browser-tools");
    let ready = folder.join("chromium-path");
    if std::fs::read_to_string(&ready).is_ok_and(|path| Path::new(path.trim()).exists()) {
        return Ok(());
    }
    println!("installing a browser for the tests of HTML pages, once");
    let chromium = match find_chromium() {
        Some(path) => path,
        None => {
            let install = ["apt-get", "-o", "DPkg::Lock::Timeout=600", "install", "-y"];
            let packages = ["--no-install-recommends", "chromium"];
            run(&[&install[..], &packages[..]].concat(), &root).map_err(|error| {
                format!("{error}\nInstall Chromium by hand and run this again.")
            })?;
            find_chromium().ok_or("apt-get installed chromium, but it is not in PATH")?
        }
    };
    let wanted = root.join("crates/mge-cli/tests/browser/package.json");
    let copied = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::copy(&wanted, folder.join("package.json")));
    copied.map_err(|error| format!("cannot copy {}: {error}", wanted.display()))?;
    run(&["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], &folder)
        .map_err(|error| format!("{error}\nThe tests of HTML pages need Node and npm."))?;
    std::fs::write(&ready, chromium.display().to_string())
        .map_err(|error| format!("cannot write {}: {error}", ready.display()))
}

fn find_chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let files = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

/// Runs a program in silence; its words are part of the error if it fails.
fn run(command: &[&str], folder: &Path) -> Result<(), String> {
    let said = command.join(" ");
    let output = Command::new(command[0])
        .args(&command[1..])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot run {said}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let error = String::from_utf8_lossy(&output.stderr);
    Err(format!("{said} failed ({}):\n{}", output.status, error.trim()))
}
