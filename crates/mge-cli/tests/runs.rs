//! Commands on run folders: unfinished runs, pages in a browser, finished runs that are resumed, and
//! colours.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn mge(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mge"));
    command.args(arguments).current_dir(folder);
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

fn run(arguments: &[&str], folder: &Path) -> Output {
    mge(arguments, folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with a run of one generation.
fn with_run() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let fit = ["fit", "wine", "--seed", "3", "--generations", "1", "--no-baselines", "--out"];
    let output = run(&[&fit[..], &["runs/one"]].concat(), folder.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
    // Neither colours nor bars where no terminal is.
    for printed in [&output.stdout, &output.stderr] {
        assert!(!printed.contains(&0x1b) && !printed.contains(&b'\r'), "{}", text(printed));
    }
    folder
}

#[test]
fn a_run_without_a_model_is_unfinished_everywhere() {
    let folder = with_run();
    let here = folder.path();
    std::fs::remove_file(here.join("runs/one/model.json")).unwrap();
    for command in
        [&["show", "runs/one"][..], &["report", "runs/one"], &["draw", "runs/one", "-o", "n.svg"]]
    {
        let output = run(command, here);
        let error = text(&output.stderr);
        assert!(!output.status.success(), "{command:?}");
        assert!(error.contains("the run in runs/one is not finished"), "{command:?}: {error}");
        assert!(error.contains("mge fit --resume runs/one"), "{command:?}: {error}");
    }
    let line = text(&run(&["runs"], here).stdout);
    assert!(line.contains("unfinished") && line.contains("wine"), "{line}");
    let output = run(&["fit", "--resume", "runs/one/run.json"], here);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&run(&["runs"], here).stdout).contains("  finished"));
}

#[test]
fn a_damaged_run_is_listed_with_the_reason() {
    let folder = with_run();
    let here = folder.path();
    std::fs::write(here.join("runs/one/run.json"), "{}").unwrap();
    let line = text(&run(&["runs"], here).stdout);
    assert!(line.contains("damaged: runs/one/run.json is damaged"), "{line}");
}

#[test]
fn resuming_a_finished_run_changes_no_file() {
    let folder = with_run();
    let here = folder.path();
    let state = || {
        let mut files: Vec<_> = std::fs::read_dir(here.join("runs/one"))
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.path(), entry.metadata().unwrap().modified().unwrap()))
            .collect();
        files.sort();
        files
    };
    let before = state();
    let output = run(&["fit", "--resume", "runs/one"], here);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("runs/one is already finished: 1 generation"));
    assert_eq!(state(), before);
    let more = run(&["fit", "--resume", "runs/one", "--generations", "2", "--no-baselines"], here);
    assert!(more.status.success() && state() != before);
}

#[test]
fn without_a_display_the_path_of_the_page_is_printed() {
    let folder = with_run();
    let output = run(&["open", "runs/one"], folder.path());
    assert!(output.status.success());
    let path = text(&output.stdout);
    let page = folder.path().join("runs/one/report.html");
    assert_eq!(Path::new(path.trim()).canonicalize().unwrap(), page.canonicalize().unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn with_a_display_the_page_goes_to_the_opener() {
    use std::os::unix::fs::PermissionsExt;
    let folder = with_run();
    let here = folder.path();
    let script = |code: u8| {
        let opener = here.join("xdg-open");
        std::fs::write(&opener, format!("#!/bin/sh\necho \"$1\" > opened\nexit {code}\n")).unwrap();
        std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
        mge(&["open", "runs/one"], here).env("DISPLAY", ":0").env("PATH", here).output().unwrap()
    };
    let output = script(0);
    assert!(text(&output.stderr).starts_with("opened "), "{}", text(&output.stderr));
    assert!(text(&output.stdout).is_empty());
    let opened = std::fs::read_to_string(here.join("opened")).unwrap();
    assert!(opened.trim().ends_with("runs/one/report.html"), "{opened}");
    // One that fails leaves the path.
    assert!(text(&script(1).stdout).trim().ends_with("runs/one/report.html"));
}

#[test]
fn colours_follow_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let error = |variables: &[(&str, &str)]| {
        let mut command = mge(&["show", "nothing.json"], folder.path());
        text(&command.envs(variables.iter().copied()).output().unwrap().stderr)
    };
    assert!(error(&[]).starts_with("error: "), "{}", error(&[]));
    assert!(error(&[("CLICOLOR_FORCE", "1")]).starts_with("\u{1b}["));
    assert!(error(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).starts_with("error: "));
}

#[test]
fn completions_know_the_commands_and_flags() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = text(&run(&["completions", shell], folder.path()).stdout);
        for word in ["predict", "time-limit", "doctor"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn the_doctor_lists_tools_and_features() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["doctor", "--json"], folder.path());
    let checks: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let find = |name: &str| {
        let mut all = checks.as_array().unwrap().iter();
        all.find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name}")).clone()
    };
    assert_eq!(find("threads")["ok"], true);
    assert_eq!(find("png")["ok"], cfg!(feature = "png"));
    assert!(find("avr-gcc")["needed_for"].as_str().unwrap().contains("AVR"));
    let nothing = mge(&["doctor"], folder.path()).env("PATH", "").output().unwrap();
    let lines = text(&nothing.stdout);
    assert!(lines.contains("missing  simavr"), "{lines}");
}

#[cfg(feature = "manual")]
#[test]
fn manual_pages_are_written_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["man", "--out", "man1"], folder.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
    for page in ["mge.1", "mge-fit.1", "mge-data-describe.1", "mge-grammar-show.1"] {
        let written = std::fs::read_to_string(folder.path().join("man1").join(page)).unwrap();
        assert!(written.contains(".TH mge"), "{page}");
    }
}
