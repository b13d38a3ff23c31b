//! `mge experiment`: the runs of a plan, and what they say.

use crate::experiment_runner::{StoreArgs, WorkArgs};
use crate::print;
use crate::progress::clock;
use anyhow::anyhow;
use clap::{Args, Subcommand};
use mge_experiment::{ExperimentPlan, RankTest, Results, RunEntry, TableFormat, estimate};
use std::path::PathBuf;

/// Run the experiments of a plan, and test which differences are significant
///
/// PLAN is a TOML file: data sets x methods x settings x repetitions. The page
/// docs/how-to/run-an-experiment.md describes it. Finished runs go into a store and are never
/// repeated. A killed run is done again. Several processes, also on several machines with a common
/// folder, may use one store.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  mge experiment plan.toml
  mge experiment plan.toml --shard 2/3
  mge experiment table plan.toml --format latex"
)]
pub struct ExperimentArgs {
    #[command(subcommand)]
    command: Option<ExperimentCommand>,
    /// Plan file
    #[arg(value_name = "PLAN", required = true)]
    plan: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    work: WorkArgs,
}

#[derive(Subcommand)]
enum ExperimentCommand {
    /// Print how many runs are finished, and what is left
    Status(PlanArgs),
    /// Print the table of a plan: average and deviation, with the best marked
    Table(TableArgs),
    /// Print the finished runs of a plan, one per line
    Export(ExportArgs),
}

/// A plan and where its runs are.
#[derive(Args)]
struct PlanArgs {
    /// Plan file
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Args)]
struct TableArgs {
    #[command(flatten)]
    plan: PlanArgs,
    /// text, csv, markdown or latex
    #[arg(long, default_value_t = TableFormat::Text)]
    format: TableFormat,
    /// Test against the best method: signed-rank (pairs of the same split) or rank-sum (all runs,
    /// unpaired)
    #[arg(long, value_name = "NAME", default_value_t = RankTest::SignedRank)]
    test: RankTest,
    /// Show 95 % confidence intervals of the accuracy and of its difference to the best. Formats csv and
    /// markdown always have them
    #[arg(long)]
    intervals: bool,
    /// Also draw the critical-difference diagram into this SVG file. The tests of Friedman and of Iman
    /// and Davenport are then printed below the table
    #[arg(long, value_name = "FILE")]
    diagram: Option<PathBuf>,
}

#[derive(Args)]
struct ExportArgs {
    #[command(flatten)]
    plan: PlanArgs,
    /// Print CSV in place of JSON lines
    #[arg(long)]
    csv: bool,
}

impl PlanArgs {
    fn read(&self) -> anyhow::Result<ExperimentPlan> {
        let plan = ExperimentPlan::read(&self.plan)?;
        Ok(plan.with_data_cache(self.store.data_cache()))
    }

    fn results(&self) -> anyhow::Result<Results> {
        let plan = self.read()?;
        Results::of(&plan, &self.store.open_store()?).map_err(anyhow::Error::from)
    }
}

impl ExperimentArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            Some(ExperimentCommand::Status(args)) => status(&args),
            Some(ExperimentCommand::Table(args)) => table(&args),
            Some(ExperimentCommand::Export(args)) => export(&args),
            None => {
                let plan = self.plan.ok_or_else(|| anyhow!("expected a plan"))?;
                let plan = PlanArgs { plan, store: self.store };
                run(&plan, &self.work)
            }
        }
    }
}

fn run(args: &PlanArgs, work: &WorkArgs) -> anyhow::Result<()> {
    let plan = args.read()?;
    let runs = plan.runs()?;
    let Some(outcome) = work.run_experiment(&plan, &runs, &args.store)? else { return Ok(()) };
    if outcome.is_complete() {
        let results = Results::of(&plan, &outcome.finished)?;
        print::out(&results.summary_table().text())?;
    }
    outcome.report(&format!(
        "mge experiment table {}{}",
        args.plan.display(),
        args.store.as_typed()
    ))
}

fn status(args: &PlanArgs) -> anyhow::Result<()> {
    let plan = args.read()?;
    let finished = args.store.open_store()?;
    let results = Results::of(&plan, &finished)?;
    let mut text = String::new();
    let (mut done, mut planned) = (0, 0);
    for row in &results.rows {
        let name = format!("{} {} {}", row.data, row.title(), row.protocol);
        text += &format!("{:>4} of {:<4}  {name}\n", row.runs.len(), row.planned);
        (done, planned) = (done + row.runs.len(), planned + row.planned);
    }
    let runs = plan.available_runs()?;
    let left: Vec<&RunEntry> =
        runs.iter().filter(|run| !finished.runs.contains_key(&run.key())).collect();
    let seconds = estimate(left, &finished).seconds;
    text += &format!("{done} of {planned} runs, about {} of one core left\n", clock(seconds));
    if finished.broken_lines > 0 {
        let lines = print::count(finished.broken_lines, "line");
        let are = if finished.broken_lines == 1 { "is" } else { "are" };
        let file = args.store.store().runs_file();
        text += &format!("{lines} of {} {are} broken and ignored\n", file.display());
    }
    if finished.outdated > 0 {
        let runs = print::count(finished.outdated, "run");
        text += &format!("{runs} of a version that behaves otherwise, not used\n");
    }
    print::out(&text)
}

fn table(args: &TableArgs) -> anyhow::Result<()> {
    let results = args.plan.results()?.with_test(args.test);
    let mut table = results.summary_table();
    if let Some(path) = &args.diagram {
        let ranking = results.ranking()?.ok_or_else(|| {
            anyhow!("no diagram: expected at least three methods finished on two data sets")
        })?;
        let svg = ranking.svg(&results.name)?;
        mge_io::write_atomically(path, svg.as_bytes())
            .map_err(|error| anyhow!("cannot write {}: {error}", path.display()))?;
        table.notes.extend(ranking.notes());
    }
    let table = if args.intervals { table.with_details() } else { table };
    print::out(&table.in_format(args.format))
}

fn export(args: &ExportArgs) -> anyhow::Result<()> {
    let results = args.plan.results()?;
    if args.csv {
        return print::out(&results.runs_table().csv());
    }
    let mut text = String::new();
    for run in results.rows.iter().flat_map(|row| &row.runs) {
        text += &serde_json::to_string(run)?;
        text.push('\n');
    }
    print::out(&text)
}
