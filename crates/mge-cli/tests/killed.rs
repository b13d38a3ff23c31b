//! Nothing is lost: runs that are killed at random moments and resumed write the same model as
//! one that was left alone, and a run that is interrupted keeps what it has.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn mge(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mge"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str], folder: &Path) -> Output {
    mge(arguments, folder).output().unwrap()
}

fn start(arguments: &[&str], folder: &Path) -> Child {
    mge(arguments, folder).spawn().unwrap()
}

fn model(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(folder.join("model.json")).unwrap()).unwrap()
}

#[test]
fn two_fits_with_one_seed_write_the_same_model_file() {
    let folder = tempfile::tempdir().unwrap();
    let fit = |out: &str, threads: &str| {
        let more = ["--generations", "2", "--threads", threads, "--out", out];
        assert!(run(&[&SETTINGS[..4], &more[..]].concat(), folder.path()).status.success());
        let bytes = |file: &str| std::fs::read(folder.path().join(out).join(file)).unwrap();
        let plan: serde_json::Value = serde_json::from_slice(&bytes("run.json")).unwrap();
        assert!(plan["record"]["seconds"].as_f64().unwrap() > 0.0, "{plan}");
        assert!(plan["record"]["date"].as_str().unwrap().ends_with('Z'), "{plan}");
        ["model.json", "front.json", "front-metrics.json", "history.csv"].map(bytes)
    };
    assert!(fit("one", "1") == fit("two", "2"), "some file differs");
}

#[test]
fn test_figures_are_shown_only_when_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert!(
        run(&[&SETTINGS[..4], &["--generations", "2", "--out", "run"]].concat(), here)
            .status
            .success()
    );
    let front = std::fs::read_to_string(here.join("run/front.json")).unwrap();
    assert!(!front.contains("test") && !front.contains("metrics"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for format in [&[][..], &["--json"]] {
        let own = run(&[&["pick", "run"], format].concat(), here);
        assert!(!text(&own.stdout).contains("test"), "{}", text(&own.stdout));
        let asked = run(&[&["pick", "run", "--test-figures"], format].concat(), here);
        assert!(text(&asked.stdout).contains("test"), "{}", text(&asked.stdout));
        assert!(text(&asked.stderr).contains("warning: test rows"), "{}", text(&asked.stderr));
    }
    // A picked model has its metrics all the same, which come from a file beside the front.
    assert!(run(&["pick", "run", "--pick", "accuracy", "-o", "m.json"], here).status.success());
    let picked: serde_json::Value =
        serde_json::from_slice(&std::fs::read(here.join("m.json")).unwrap()).unwrap();
    assert!(picked["metrics"]["test"]["rows"].as_u64().unwrap() > 0);
    std::fs::remove_file(here.join("run/front-metrics.json")).unwrap();
    assert!(run(&["pick", "run"], here).status.success());
    let missing = run(&["pick", "run", "--pick", "accuracy", "-o", "n.json"], here);
    assert!(text(&missing.stderr).contains("has no metrics of these networks"));
}

const SETTINGS: [&str; 6] = ["fit", "wine", "--seed", "8", "--checkpoint-every", "0"];
const SMALL: [&str; 4] = ["--population", "60", "--generations", "150"];
/// The fastest method, where the method does not matter.
const QUICK: [&str; 6] = ["--method", "mge", "--population", "60", "--generations", "150"];

/// A method, with settings that end soon.
fn by(method: mge::Method) -> Vec<&'static str> {
    let small = match method {
        mge::Method::HYBRID => &["--generations", "20", "--max-ops", "40"],
        _ => &SMALL,
    };
    // Some end when they stand still: how long they have is not to be forgotten either.
    let patience = if method == mge::Method::GE { &["--patience", "30"][..] } else { &[] };
    [&["--method", method.name()], &small[..], patience].concat()
}

fn fit_into<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&SETTINGS[..], &["--out", out], more].concat()
}

#[test]
fn killed_runs_go_on_to_the_same_model() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // Moments that no two test runs share; the promise holds for all of them.
    let mut random = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) % below
    };
    for (attempt, method) in (0..).zip(mge::Method::all()) {
        let by = by(method);
        let left_alone = format!("whole-{attempt}");
        assert!(run(&fit_into(&left_alone, &by), here).status.success());
        let whole = model(&here.join(&left_alone));
        let history = std::fs::read(here.join(&left_alone).join("history.csv")).unwrap();

        let out = format!("killed-{attempt}");
        let mut kills = 0;
        let mut child = start(&fit_into(&out, &by), here);
        while kills < 6 {
            sleep(Duration::from_millis(20 + next(180)));
            if child.try_wait().unwrap().is_some() {
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            if !here.join(&out).join("run.json").exists() {
                break;
            }
            let resume = ["fit", "--resume", &out, "--checkpoint-every", "0"];
            child = start(&resume, here);
        }
        let _ = child.wait();
        let again = if here.join(&out).join("run.json").exists() {
            run(&["fit", "--resume", &out], here)
        } else {
            run(&fit_into(&out, &by), here)
        };
        assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
        assert_eq!(model(&here.join(&out)), whole, "{method} after {kills} kills");
        assert_eq!(std::fs::read(here.join(&out).join("history.csv")).unwrap(), history);
        let leftovers = std::fs::read_dir(here.join(&out)).unwrap().filter(|entry| {
            entry.as_ref().unwrap().file_name().to_string_lossy().starts_with(".unfinished-")
        });
        assert_eq!(leftovers.count(), 0, "what {kills} killed writes left is gone");
    }
}

#[test]
fn threads_do_not_change_the_model_file() {
    let folder = tempfile::tempdir().unwrap();
    let fit = |threads| {
        let out = format!("threads-{threads}");
        assert!(
            run(&fit_into(&out, &[&QUICK[..], &["--threads", threads]].concat()), folder.path())
                .status
                .success()
        );
        model(&folder.path().join(out))
    };
    let one = fit("1");
    assert_eq!(one, fit("2"));
    assert_eq!(one, fit("7"));
}

/// What programs that read `fit --json` rely on.
const JSON_KEYS: [&str; 21] = [
    "dataset",
    "method",
    "variant",
    "seed",
    "generations",
    "evaluations",
    "stop_reason",
    "seconds",
    "train_loss",
    "train_accuracy",
    "test_accuracy",
    "train_rmse",
    "test_rmse",
    "hidden_layers",
    "neurons",
    "connections",
    "features",
    "operations",
    "invalid_genes",
    "invalid_individuals",
    "model",
];

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_best_and_can_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let quick = ["fit", "wine", "--method", "mge", "--seed", "8"];
    let endless = ["--generations", "100000000", "--out", "stopped", "--json"];
    let child = start(&[&quick[..], &endless].concat(), here);
    let began = std::time::Instant::now();
    while !here.join("stopped/checkpoint.bin").exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint after a minute");
        sleep(Duration::from_millis(10));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["stop_reason"], "interrupted");
    for key in JSON_KEYS {
        assert!(report.get(key).is_some(), "fit --json has {key}");
    }
    let done = model(&here.join("stopped"))["search"]["generations"].as_u64().unwrap();
    let more = (done + 5).to_string();
    let rest = run(&["fit", "--resume", "stopped", "--generations", &more], here);
    assert!(rest.status.success(), "{}", String::from_utf8_lossy(&rest.stderr));
    let end = model(&here.join("stopped"));
    assert_eq!(end["search"]["generations"].as_u64(), Some(done + 5));

    // The same as one that was never stopped.
    let whole = [&quick[..], &["--generations", &more, "--out", "whole"]].concat();
    assert!(run(&whole, here).status.success());
    let whole = model(&here.join("whole"));
    assert_eq!((&end["network"], &end["search"]), (&whole["network"], &whole["search"]));
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_a_run_at_once_and_it_can_go_on() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let quick = ["fit", "wine", "--method", "mge", "--seed", "8", "--checkpoint-every", "0"];
    let long = ["--population", "30000", "--generations", "100000000", "--quiet", "--no-report"];
    // Now and then the generation is done before the second interrupt comes.
    let ended = (0..6).any(|attempt| {
        let out = format!("run-{attempt}");
        let mut child = start(&[&quick[..], &long, &["--out", &out]].concat(), here);
        let began = std::time::Instant::now();
        while !here.join(&out).join("checkpoint.bin").exists() {
            assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint after a minute");
            sleep(Duration::from_millis(10));
        }
        let id = child.id().to_string();
        let interrupt = || Command::new("kill").args(["-INT", &id]).status().unwrap().success();
        assert!(interrupt());
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        assert_eq!(
            said.next().as_deref(),
            Some("finishing the run; press Ctrl-C again to stop now")
        );
        interrupt();
        if child.wait().unwrap().code() != Some(130) {
            return false;
        }
        assert!(!here.join(&out).join("model.json").exists(), "it did not finish");
        let rest = run(&["fit", "--resume", &out, "--generations", "1", "--no-report"], here);
        assert!(rest.status.success(), "{}", String::from_utf8_lossy(&rest.stderr));
        true
    });
    assert!(ended, "six times the second interrupt did not end the run");
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("taken"), "a file, not a folder").unwrap();
    let output = run(&fit_into("taken/run", &QUICK), folder.path());
    assert!(!output.status.success());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("cannot make the run folder taken/run"), "{message}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_damaged_checkpoint_is_named_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert!(run(&fit_into("run", &QUICK), here).status.success());
    let file = here.join("run/checkpoint.bin");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    // Without a new limit there would be nothing to do.
    let output = run(&["fit", "--resume", "run", "--generations", "1000"], here);
    assert!(!output.status.success());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("checkpoint.bin is damaged: its checksum is wrong"), "{message}");
    assert_eq!(std::fs::read(&file).unwrap(), bytes, "nothing was overwritten");
}
