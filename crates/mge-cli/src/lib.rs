//! The command line `mge`: one file for each subcommand.
//!
//! [`main`] is the whole program. A binary of one's own calls it after it has registered a search
//! method, and so has that method in every command.

mod already_finished;
mod baselines;
mod calibration;
mod choices;
mod colour;
mod completions;
mod data;
mod delayed_spinner;
mod describe;
mod device_figures;
mod doctor;
mod draw;
mod environment;
mod evaluate;
mod export;
mod export_report;
mod fit;
mod flags;
mod folds;
mod generation_bar;
mod grammar;
mod interrupt;
mod kept_columns;
mod loading;
#[cfg(feature = "manual")]
mod man;
mod map;
mod model_data;
mod old_flags;
mod open;
mod pick;
mod predict;
mod print;
mod progress;
mod report;
mod runs;
mod show;
mod size;
mod summary;

#[cfg(feature = "research")]
mod analyze;
#[cfg(feature = "research")]
mod bench;
#[cfg(feature = "research")]
mod experiment;
#[cfg(feature = "research")]
mod experiment_progress;
#[cfg(feature = "research")]
mod experiment_runner;
#[cfg(not(all(feature = "manual", feature = "research")))]
mod not_built;
#[cfg(feature = "research")]
mod paper;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::OnceLock;

/// The version, and the commit of the sources.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (commit ", env!("MGE_COMMIT"), ")");

/// Find tiny neural networks for a table, and use them.
#[derive(Parser)]
#[command(
    name = "mge",
    version = VERSION,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = environment::help(),
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Fit(Box<fit::FitArgs>),
    Runs(runs::RunsArgs),
    Open(open::OpenArgs),
    Pick(pick::PickArgs),
    Predict(predict::PredictArgs),
    Evaluate(evaluate::EvaluateArgs),
    Show(show::ShowArgs),
    Draw(draw::DrawArgs),
    Report(report::ReportArgs),
    Export(export::ExportArgs),
    Size(size::SizeArgs),
    Map(map::MapArgs),
    Grammar(grammar::GrammarArgs),
    Data(data::DataArgs),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
    #[cfg(feature = "manual")]
    Man(man::ManArgs),
    #[cfg(feature = "research")]
    Bench(bench::BenchArgs),
    #[cfg(feature = "research")]
    Experiment(Box<experiment::ExperimentArgs>),
    #[cfg(feature = "research")]
    Analyze(Box<analyze::AnalyzeArgs>),
    #[cfg(feature = "research")]
    Paper(Box<paper::PaperArgs>),
    #[cfg(not(feature = "manual"))]
    /// Write the manual pages of all commands (not in this build)
    Man(not_built::AnyArguments),
    #[cfg(not(feature = "research"))]
    #[command(flatten)]
    NotBuilt(not_built::Research),
}

/// The arguments of this process, or those that [`run`] was given.
static ARGUMENTS: OnceLock<Vec<OsString>> = OnceLock::new();

/// The arguments of the command, the program's name first.
fn arguments() -> &'static [OsString] {
    ARGUMENTS.get_or_init(|| std::env::args_os().collect())
}

/// What was typed behind the program's name.
#[cfg(feature = "research")]
fn words() -> Vec<String> {
    let words = arguments().iter().skip(1);
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The command line as data, for parsing, completions and manual pages.
fn command() -> clap::Command {
    with_negative_numbers(Cli::command())
}

/// A command in which `-5` is a value wherever a value is expected, and not an unknown flag.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let takes_values = |argument: &clap::Arg| argument.get_action().takes_values();
    let command = command.mut_args(|argument| match takes_values(&argument) {
        true => argument.allow_negative_numbers(true),
        false => argument,
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Parses the arguments of this process and runs the command.
pub fn main() -> ExitCode {
    run_command(arguments()).into()
}

/// Parses these arguments, the program's name first, and runs the command. Returns its exit code.
/// For programs inside of which the command line is only a part; one process runs one command.
pub fn run(arguments: Vec<OsString>) -> u8 {
    run_command(ARGUMENTS.get_or_init(|| arguments))
}

/// What shells take for a command that was misspelled.
const USAGE: u8 = 2;

fn run_command(arguments: &[OsString]) -> u8 {
    old_flags::print_notes(arguments);
    let matches = command().try_get_matches_from(arguments);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            // Nobody is left to tell when the output is gone.
            let _ = error.print();
            return if error.use_stderr() { USAGE } else { 0 };
        }
    };
    let outcome = match cli.command {
        Command::Fit(args) => args.run(),
        Command::Runs(args) => args.run(),
        Command::Open(args) => args.run(),
        Command::Pick(args) => args.run(),
        Command::Predict(args) => args.run(),
        Command::Evaluate(args) => args.run(),
        Command::Show(args) => args.run(),
        Command::Draw(args) => args.run(),
        Command::Report(args) => args.run(),
        Command::Export(args) => args.run(),
        Command::Size(args) => args.run(),
        Command::Map(args) => args.run(),
        Command::Grammar(args) => args.run(),
        Command::Data(args) => args.run(),
        Command::Doctor(args) => args.run(),
        Command::Completions(args) => args.run(),
        #[cfg(feature = "manual")]
        Command::Man(args) => args.run(),
        #[cfg(not(feature = "manual"))]
        Command::Man(_) => Err(not_built::error("man")),
        #[cfg(feature = "research")]
        Command::Bench(args) => args.run(),
        #[cfg(feature = "research")]
        Command::Experiment(args) => args.run(),
        #[cfg(feature = "research")]
        Command::Analyze(args) => args.run(),
        #[cfg(feature = "research")]
        Command::Paper(args) => args.run(),
        #[cfg(not(feature = "research"))]
        Command::NotBuilt(command) => command.run(),
    };
    match outcome {
        Ok(()) => 0,
        Err(error) => {
            print::error(&error);
            1
        }
    }
}
