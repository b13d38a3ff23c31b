//! The binary `mge`: one file for each subcommand.

mod analyze;
mod baselines;
#[cfg(feature = "bench")]
mod bench;
mod data;
mod describe;
mod draw;
mod evaluate;
mod experiment;
mod experiment_progress;
mod experiment_runner;
mod export;
mod fit;
mod flags;
mod folds;
mod interrupt;
mod loading;
mod map;
mod model_data;
mod paper;
mod patience;
mod pick;
mod predict;
mod print;
mod progress;
mod report;
mod show;
mod size;
mod summary;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Evolve tiny, modular neural networks from a grammar, and use them.
#[derive(Parser)]
#[command(name = "mge", version, arg_required_else_help = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Fit(Box<fit::FitArgs>),
    Pick(pick::PickArgs),
    Predict(predict::PredictArgs),
    Evaluate(evaluate::EvaluateArgs),
    Show(show::ShowArgs),
    Draw(draw::DrawArgs),
    Report(report::ReportArgs),
    Export(export::ExportArgs),
    Size(size::SizeArgs),
    Map(map::MapArgs),
    Data(data::DataArgs),
    #[cfg(feature = "bench")]
    Bench(bench::BenchArgs),
    Experiment(Box<experiment::ExperimentArgs>),
    Analyze(Box<analyze::AnalyzeArgs>),
    Paper(Box<paper::PaperArgs>),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Fit(args) => args.run(),
        Command::Pick(args) => args.run(),
        Command::Predict(args) => args.run(),
        Command::Evaluate(args) => args.run(),
        Command::Show(args) => args.run(),
        Command::Draw(args) => args.run(),
        Command::Report(args) => args.run(),
        Command::Export(args) => args.run(),
        Command::Size(args) => args.run(),
        Command::Map(args) => args.run(),
        Command::Data(args) => args.run(),
        #[cfg(feature = "bench")]
        Command::Bench(args) => args.run(),
        Command::Experiment(args) => args.run(),
        Command::Analyze(args) => args.run(),
        Command::Paper(args) => args.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print::error(&error);
            ExitCode::FAILURE
        }
    }
}
