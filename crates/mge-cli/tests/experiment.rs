//! Experiments that are killed, shared and split end in the same table, byte for byte.

#![allow(clippy::unwrap_used)]

use mge::random::{Purpose, Stream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const PLAN: &str = r#"
name = "small"
data = ["wine", "wdbc"]
methods = ["mge", "mu"]
protocol = ["3x70/30", "2-fold"]
[settings]
stop.generations = 120
evolution.population = 40
"#;
const RUNS: usize = 2 * 2 * (3 + 2);

fn mge(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mge"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str], folder: &Path) -> Output {
    mge(arguments, folder).output().unwrap()
}

fn start(arguments: &[&str], folder: &Path) -> Child {
    mge(arguments, folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn lines(folder: &Path, store: &str) -> usize {
    let text = std::fs::read_to_string(folder.join(store).join("runs.jsonl")).unwrap_or_default();
    text.lines().filter(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()).count()
}

fn table(folder: &Path, store: &str) -> Vec<u8> {
    let output = run(&["experiment", "table", "plan.toml", "--store", store], folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn killed_and_sharded_experiments_end_in_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("plan.toml"), PLAN).unwrap();
    let whole = ["experiment", "plan.toml", "--quiet", "--store", "whole"];
    let output = run(&whole, here);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = table(here, "whole");
    assert_eq!(output.stdout, expected, "running prints the table");
    assert_eq!(lines(here, "whole"), RUNS);

    // Killed at random moments, then left alone.
    let killed = ["experiment", "plan.toml", "--quiet", "--store", "killed"];
    let mut moments = Stream::at(7, Purpose::Seed, 0, 0);
    for _ in 0..6 {
        let mut child = start(&killed, here);
        // Killed before the first lock there would be nothing to see, as on a busy machine.
        let begun = Instant::now();
        while !here.join("killed/locks").is_dir() && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(20 + moments.below(250)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // What a write that died in the middle leaves.
    let runs = here.join("killed/runs.jsonl");
    let mut text = std::fs::read_to_string(&runs).unwrap_or_default();
    text += "{\"key\": \"half";
    std::fs::write(&runs, text).unwrap();
    assert!(run(&killed, here).status.success());
    assert_eq!(table(here, "killed"), expected);
    assert_eq!(lines(here, "killed"), RUNS, "no run was done twice");

    // Three shards at once in one store, and everything again.
    let shards = ["1/3", "2/3", "3/3"].map(|shard| {
        start(&["experiment", "plan.toml", "--store", "shards", "--shard", shard], here)
    });
    for mut shard in shards {
        assert!(shard.wait().unwrap().success());
    }
    assert_eq!(table(here, "shards"), expected);
    assert_eq!(lines(here, "shards"), RUNS, "no run is in two shards");
    let again = run(&["experiment", "plan.toml", "--store", "shards"], here);
    assert!(String::from_utf8_lossy(&again.stderr).contains("20 runs were finished before, 0 are"));
    assert_eq!(lines(here, "shards"), RUNS, "finished runs are not repeated");

    // Two processes with the same work never do the same run, and each ends with the whole table.
    let both = ["experiment", "plan.toml", "--quiet", "--store", "both"];
    let piped = || mge(&both, here).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for process in [piped(), piped()] {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.stdout, expected);
    }
    assert_eq!(table(here, "both"), expected);
    assert_eq!(lines(here, "both"), RUNS);
}

#[test]
fn a_share_is_not_taken_for_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("plan.toml"), PLAN.replace("120", "3")).unwrap();
    let shard = |i| run(&["experiment", "plan.toml", "--quiet", "--shard", i], here);
    let first = shard("1/2");
    assert!(first.status.success() && first.stdout.is_empty());
    let told = String::from_utf8_lossy(&first.stderr).into_owned();
    assert_eq!(
        told,
        "shard 1/2 is finished, 10 of 20 runs of the plan are not: no table yet; when all are \
         finished, this gives it: mge experiment table plan.toml\n"
    );
    let second = shard("2/2");
    assert_eq!(second.stdout, table(here, "experiments"), "the last one has the table");
    assert!(second.stderr.is_empty());

    let quick = ["paper", "table3", "--quick", "--data-sets", "wdbc", "--quiet", "--shard", "1/2"];
    let half = run(&quick, here);
    let told = String::from_utf8_lossy(&half.stderr).into_owned();
    assert!(half.status.success() && half.stdout.is_empty(), "{told}");
    let command = "gives it: mge paper table3 --quick --data-sets wdbc --quiet\n";
    assert!(told.ends_with(command), "{told}");
    assert!(!here.join("results").exists());
}

#[test]
fn a_plan_is_shown_exported_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("plan.toml"), PLAN.replace("\"wine\", ", "")).unwrap();
    let dry = run(&["experiment", "plan.toml", "--dry-run", "--shard", "2/2"], here);
    let text = String::from_utf8_lossy(&dry.stdout).into_owned();
    assert!(text.contains("to do  wdbc mge 70/30 #2"), "{text}");
    assert!(text.contains("5 runs to do"), "{text}");
    // Who only looks leaves nothing behind.
    std::fs::write(here.join("wrong.toml"), "data = ['wdbc']\nmethods = ['mgee']").unwrap();
    let wrong = run(&["experiment", "wrong.toml"], here);
    assert!(!wrong.status.success());
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("unknown method `mgee`"));
    for look in ["status", "table", "export"] {
        assert!(run(&["experiment", look, "plan.toml"], here).status.success(), "{look}");
    }
    assert!(!here.join("experiments").exists());
    assert!(run(&["experiment", "plan.toml", "--quiet"], here).status.success());
    let status = run(&["experiment", "status", "plan.toml"], here);
    let text = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(text.contains("10 of 10 runs"), "{text}");
    let csv = run(&["experiment", "export", "plan.toml", "--csv"], here);
    assert_eq!(String::from_utf8_lossy(&csv.stdout).lines().count(), 11);
    for (format, sign) in [("latex", "$\\pm$"), ("markdown", "| --- |"), ("csv", "Acc._t")] {
        let table = run(&["experiment", "table", "plan.toml", "--format", format], here);
        assert!(String::from_utf8_lossy(&table.stdout).contains(sign), "{format}");
    }
    let table = |options: &[&str]| {
        let command = ["experiment", "table", "plan.toml"];
        let output = run(&[&command, options].concat(), here);
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    assert!(table(&["--format", "csv"]).contains("Acc._t 95 % low,Acc._t 95 % high"));
    let (brief, full) = (table(&[]), table(&["--intervals", "--test", "rank-sum"]));
    assert!(brief.contains("signed-rank p") && !brief.contains("95 %"), "{brief}");
    assert!(full.contains("rank-sum p") && full.contains("Difference 95 %"), "{full}");
    assert!(full.contains("Welch's interval"), "{full}");
    assert!(table(&["--diagram", "cd.svg"]).contains("expected at least three methods"));
    let magic = std::fs::read(here.join("experiments/runs.sqlite"));
    assert_eq!(magic.unwrap()[..15], *b"SQLite format 3");
    // Lines that are no records, and runs of programs that behave otherwise, are told and not used.
    let file = here.join("experiments/runs.jsonl");
    let lines = std::fs::read_to_string(&file).unwrap();
    let (first, rest) = lines.split_once('\n').unwrap();
    let old = first.replace("\"algorithm_version\":1", "\"algorithm_version\":0");
    std::fs::write(&file, format!("{old}\n{{}}\nno json\n\u{0}\u{ff}\n{rest}")).unwrap();
    let status = run(&["experiment", "status", "plan.toml"], here);
    let text = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(text.contains("9 of 10 runs"), "{text}");
    assert!(text.contains("3 lines of experiments/runs.jsonl are broken and ignored"), "{text}");
    assert!(text.contains("1 run of a version that behaves otherwise, not used"), "{text}");
    std::fs::write(&file, format!("{old}\n{{}}\n{rest}")).unwrap();
    let status = run(&["experiment", "status", "plan.toml"], here);
    let text = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(text.contains("1 line of experiments/runs.jsonl is broken and ignored"), "{text}");
    // A lock file whose process is gone does not keep others from the run.
    let locks = here.join("experiments/locks");
    let key = first.split('"').nth(3).unwrap();
    assert_eq!(key.len(), 16);
    std::fs::write(locks.join(key), "").unwrap();
    let again = run(&["experiment", "plan.toml"], here);
    let text = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(text.contains("9 runs were finished before, 1 is finished now"), "{text}");
}

#[test]
fn the_paper_comes_in_one_command() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let arguments = ["paper", "table3", "--quick", "--data-sets", "wdbc", "--quiet"];
    let output = run(&arguments, here);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("0.967 ± 0.020*"), "{text}");
    for file in ["table.csv", "table.md", "table.tex", "plan.toml", "versions.txt", "ours.csv"] {
        assert!(here.join("results/table3").join(file).is_file(), "{file}");
    }
    let versions = std::fs::read_to_string(here.join("results/table3/versions.txt")).unwrap();
    let version = format!("\nalgorithm versions: mge {},", mge::Method::MGE.algorithm_version());
    assert!(versions.contains(&version), "{versions}");
    let commit = versions.lines().find_map(|line| line.strip_prefix("commit: ")).unwrap();
    let commit = commit.strip_suffix(", with changes").unwrap_or(commit);
    let is_id = commit.len() >= 40 && commit.chars().all(|letter| letter.is_ascii_hexdigit());
    assert!(is_id || commit == "unknown", "{versions}");
    // The folder's plan alone repeats what the options said.
    let grammar = mge::grammar::shipped::find("authors").unwrap().text;
    std::fs::write(here.join("own.bnf"), grammar).unwrap();
    let options = ["--methods", "mge", "--grammar", "own.bnf", "--out", "own"];
    let own: Vec<&str> = arguments.iter().chain(&options).copied().collect();
    assert!(run(&own, here).status.success());
    for plan in ["results/table3/plan.toml", "own/plan.toml"] {
        let dry = run(&["experiment", plan, "--dry-run"], here);
        let text = String::from_utf8_lossy(&dry.stdout).into_owned();
        assert!(dry.status.success() && text.contains("0 runs to do"), "{plan}: {text}");
    }
    assert!(here.join("own/own.bnf").is_file());
    let quick = run(&["paper", "table4", "--quick"], here);
    let text = String::from_utf8_lossy(&quick.stdout).into_owned();
    assert!(quick.status.success() && text.contains("1.24 ± 3.31"), "{text}");
    assert!(here.join("results/table4/locality.svg").is_file());
    let unknown = run(&["paper", "table9"], here);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("has no item `table9`"));
}
