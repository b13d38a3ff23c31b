//! `mge analyze`: what representations do (section "Representation Analysis").

use crate::experiment_runner::{StoreArgs, WorkArgs, command_for_all};
use crate::flags::at_least_one;
use crate::print;
use clap::{Args, Subcommand};
use mge_experiment::analysis::{ANALYSED, GrowthOptions, LocalityOptions};
use mge_experiment::paper::{self, ExperimentReport};
use mge_experiment::{ExperimentPlan, Results};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Analyse representations: invalidity, locality, scalability, sparsity
///
/// Each analysis prints a table, and writes a folder with the table, its data and a figure (SVG).
#[derive(Args)]
#[command(after_help = "Examples:
  mge analyze locality --individuals 500
  mge analyze invalidity --data-sets wdbc,wine --runs 5")]
pub struct AnalyzeArgs {
    #[command(subcommand)]
    command: AnalyzeCommand,
}

#[derive(Subcommand)]
enum AnalyzeCommand {
    /// Fraction of individuals that map to nothing during evolution
    Invalidity(EvolvedArgs),
    /// Tree edit distance between networks whose genotypes differ by one or two bits
    Locality(LocalityArgs),
    /// Connections when evolution maximises connections
    Scalability(ScalabilityArgs),
    /// Fraction of connections that evolved networks do without
    Sparsity(EvolvedArgs),
}

/// Methods, and the folder of the report.
#[derive(Args)]
struct AnalysisArgs {
    /// Methods to analyse: mge, ge, sge, dsge, ge-two-points (GE with a crossover point in each
    /// parent)
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', default_values_t = ANALYSED.map(String::from))]
    methods: Vec<String>,
    /// Folder of the report [default: results/NAME]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Args)]
struct EvolvedArgs {
    /// Data sets [default: the small ones of the paper]
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    data_sets: Option<Vec<String>>,
    /// Runs of each method on each data set
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    runs: Option<NonZeroUsize>,
    /// Folder of the report [default: results/NAME]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    work: WorkArgs,
}

#[derive(Args)]
struct LocalityArgs {
    #[command(flatten)]
    report: AnalysisArgs,
    /// Individuals of each network size (2 to 9 neurons)
    #[arg(long, value_name = "N", default_value = "5000", value_parser = at_least_one)]
    individuals: NonZeroUsize,
    /// Seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Args)]
struct ScalabilityArgs {
    #[command(flatten)]
    report: AnalysisArgs,
    /// Runs of each method
    #[arg(long, value_name = "N", default_value = "30", value_parser = at_least_one)]
    runs: NonZeroUsize,
    /// Generations of a run
    #[arg(long, value_name = "N", default_value_t = 500)]
    generations: u64,
    /// Seed of the first run
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl AnalyzeArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            AnalyzeCommand::Invalidity(args) => args.run(paper::invalidity),
            AnalyzeCommand::Sparsity(args) => args.run(paper::sparsity),
            AnalyzeCommand::Locality(args) => {
                let options = LocalityOptions {
                    individuals: args.individuals.get(),
                    seed: args.seed,
                    ..LocalityOptions::default()
                };
                let report = paper::locality_report(&args.report.methods, &options);
                write_report(report?, args.report.out)
            }
            AnalyzeCommand::Scalability(args) => {
                let options = GrowthOptions {
                    runs: args.runs.get(),
                    generations: args.generations,
                    seed: args.seed,
                    ..GrowthOptions::default()
                };
                let report = paper::scalability_report(&args.report.methods, &options);
                write_report(report?, args.report.out)
            }
        }
    }
}

type Reporter =
    fn(&Results, &[String]) -> Result<ExperimentReport, mge_experiment::ExperimentError>;

impl EvolvedArgs {
    /// Both analyses use the runs of the paper's plan for invalidity.
    fn run(self, reporter: Reporter) -> anyhow::Result<()> {
        let item = paper::find("invalidity").and_then(|item| item.plan().transpose());
        let plan: ExperimentPlan = item.expect("it is an item with a plan")?;
        let plan = plan.with_repetitions(self.runs.map(NonZeroUsize::get));
        let plan = plan.with_data_sets(self.data_sets)?;
        let plan = plan.with_data_cache(self.store.data_cache());
        let plan = crate::paper::without_missing(plan, self.work.is_quiet())?;
        let runs = plan.available_runs()?;
        let Some(outcome) = self.work.run_experiment(&plan, &runs, &self.store)? else {
            return Ok(());
        };
        if outcome.is_complete() {
            let results = Results::of(&plan, &outcome.finished)?;
            let mut report = reporter(&results, &plan.unavailable_methods())?;
            report.files.extend(plan.to_toml()?);
            write_report(report, self.out)?;
        }
        outcome.report(&command_for_all())
    }
}

/// Prints the table and writes the folder.
pub fn write_report(report: ExperimentReport, out: Option<PathBuf>) -> anyhow::Result<()> {
    let folder = out.unwrap_or_else(|| PathBuf::from("results").join(&report.name));
    let report = report.with_versions(&command(), env!("MGE_COMMIT"));
    report.write(&folder)?;
    print::out(&report.table.text())?;
    print::note(format_args!("written to {}", folder.display()));
    Ok(())
}

/// The command line, as it was typed.
fn command() -> String {
    format!("mge {}", crate::words().join(" "))
}
