//! `mge bench`: what the search costs on this machine, against its targets.

use crate::print;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mge_bench::{BenchEvent, BenchPlan, BenchRow, BenchStep};
use serde::Serialize;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Measure the speed of the search against its targets
///
/// Measures whole searches on WDBC, Letter and MNIST, and the evaluator alone. Rates are per second
/// of processor time, the best of several repetitions. Use a quiet machine all the same. Without the
/// MNIST files (see `mge data list`) random rows of the same shape are used.
#[derive(Args)]
#[command(after_help = "Examples:
  mge bench --quick
  mge bench --only letter
  mge bench --data-dir DIR --json")]
pub struct BenchArgs {
    /// Smaller sizes, under a minute in all
    #[arg(long)]
    quick: bool,
    /// Measure this part alone
    #[arg(long, value_name = "PART", value_parser = part_parser())]
    only: Option<BenchStep>,
    /// Folder with the files of mnist [default: MGE_DATA_DIR, then the cache folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Print one JSON object on standard output
    #[arg(long)]
    json: bool,
}

fn part_parser() -> impl TypedValueParser<Value = BenchStep> {
    let named = |name: String| BenchStep::ALL.into_iter().find(|step| step.name() == name);
    PossibleValuesParser::new(BenchStep::ALL.map(BenchStep::name))
        .try_map(move |name| named(name).ok_or("no such part"))
}

#[derive(Serialize)]
struct BenchReport {
    quick: bool,
    rows: Vec<BenchRow>,
    peak_memory_bytes: Option<u64>,
}

impl BenchArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        // A folder that is named has to have the files, however it is named.
        let variable = || std::env::var_os("MGE_DATA_DIR").filter(|folder| !folder.is_empty());
        let data_dir = self.data_dir.or_else(|| variable().map(PathBuf::from));
        let plan = BenchPlan { quick: self.quick, only: self.only, data_dir };
        let mut printed = Ok(());
        let mut bar = None;
        if self.only.is_none() {
            print::note(if self.quick {
                "takes under a minute on two quiet cores"
            } else {
                "takes four to seven minutes on two cores, most of them for 3,000 generations \
                 of MNIST; --quick takes one"
            });
        }
        let rows = mge_bench::run(&plan, |event| match event {
            BenchEvent::Begins { step, steps, work } => {
                print::note(format_args!("[{step}/{steps}] {work}"));
            }
            BenchEvent::Generation { done, of } => show(&mut bar, done, of),
            BenchEvent::Measured(row) if !self.json && printed.is_ok() => {
                printed = print::out(&line(row));
            }
            _ => {}
        })?;
        printed?;
        if self.json {
            let peak_memory_bytes = mge_bench::peak_memory();
            return print::json(&BenchReport { quick: self.quick, rows, peak_memory_bytes });
        }
        print::out(&summary(&rows))?;
        if self.quick {
            print::out(
                "--quick measures smaller work: its figures are not comparable with those of the \
                 whole benchmark\n",
            )?;
        }
        Ok(())
    }
}

/// A bar for a long search, on a terminal.
fn show(slot: &mut Option<ProgressBar>, done: u64, of: u64) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let bar = slot.get_or_insert_with(|| {
        let bar = ProgressBar::with_draw_target(Some(of), ProgressDrawTarget::stderr());
        let style = "{bar:24.cyan/dim} generation {pos} of {len}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar
    });
    bar.set_position(done);
    if done >= of {
        bar.finish_and_clear();
        // The next search has another length.
        *slot = None;
    }
}

fn summary(rows: &[BenchRow]) -> String {
    let judged: Vec<bool> = rows.iter().filter_map(|row| row.reached).collect();
    let reached = judged.iter().filter(|&&reached| reached).count();
    let text = format!("{reached} of {} targets reached", judged.len());
    match rows.len() - judged.len() {
        0 => text + "\n",
        1 => text + ", 1 row without a decision\n",
        others => text + &format!(", {others} rows without a decision\n"),
    }
}

fn line(row: &BenchRow) -> String {
    let outcome = match row.reached {
        Some(true) => "reached",
        Some(false) => "MISSED",
        None => "-",
    };
    let sign = if row.more_is_better { "at least" } else { "at most" };
    let (measured, target) = (number(row.measured), number(row.target));
    let mut text = format!(
        "{outcome:<8} {}\n         {measured} {}; target {sign} {target}; ratio {:.2}\n",
        row.work, row.unit, row.ratio
    );
    if !row.note.is_empty() {
        text += &format!("         {}\n", row.note);
    }
    text
}

fn number(value: f64) -> String {
    if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.3}") }
}
