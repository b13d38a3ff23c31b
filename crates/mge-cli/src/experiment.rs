//! `mge experiment`: the runs of a plan, and what they say.

use crate::experiment_runner::{StoreArgs, WorkArgs};
use crate::print;
use crate::progress::clock;
use anyhow::anyhow;
use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Args, Subcommand};
use mge_experiment::{
    ExperimentPlan, FinishedRuns, RankTest, Results, RunEntry, SummaryColumn, TableFormat, estimate,
};
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
  mge experiment table plan.toml --format latex -o table.tex
  mge experiment table plan.toml --columns data,method,accuracy,operations,p"
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
    Export(ExportRunsArgs),
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
    /// and Davenport are then printed below the table. It needs three methods or more
    #[arg(long, value_name = "FILE")]
    diagram: Option<PathBuf>,
    /// Columns of the table, in this order [default: those of the paper's tables]
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', value_parser = column_parser())]
    columns: Option<Vec<SummaryColumn>>,
    /// Title of the table, and caption in LaTeX [default: the name of the plan, and what the figures
    /// are]
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
    /// Label in LaTeX [default: tab:PLAN]
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
    /// File to write to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Args)]
struct ExportRunsArgs {
    #[command(flatten)]
    plan: PlanArgs,
    /// Print CSV in place of JSON lines
    #[arg(long)]
    csv: bool,
    /// File to write to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Parses the name of a column; the help lists all of them.
fn column_parser() -> ValueParser {
    let names = SummaryColumn::ALL.map(SummaryColumn::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<SummaryColumn>()).into()
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
    let too_few = Results::of(&plan, &FinishedRuns::default())?.too_few_runs();
    if let Some(note) = too_few.filter(|_| !work.is_quiet()) {
        print::note(format_args!("note: {note}"));
    }
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
    let mut table = match &args.columns {
        Some(columns) => results.summary_table_of(columns),
        None => results.summary_table(),
    };
    if let Some(path) = &args.diagram {
        match results.ranking()? {
            Some(ranking) => {
                print::to(Some(path), &ranking.svg(&results.name)?)?;
                table.notes.extend(ranking.notes());
            }
            None => print::note(format_args!(
                "note: no diagram, {} is not written; expected at least three methods finished on \
                 two data sets",
                path.display()
            )),
        }
    }
    let mut table = if args.intervals { table.with_details() } else { table };
    table.title = args.caption.clone().unwrap_or(table.title);
    table.label = args.label.clone().unwrap_or(table.label);
    print::to(args.out.as_deref(), &table.in_format(args.format))
}

fn export(args: &ExportRunsArgs) -> anyhow::Result<()> {
    let results = args.plan.results()?;
    if args.csv {
        return print::to(args.out.as_deref(), &results.runs_table().csv());
    }
    let mut text = String::new();
    for run in results.rows.iter().flat_map(|row| &row.runs) {
        text += &serde_json::to_string(run)?;
        text.push('\n');
    }
    print::to(args.out.as_deref(), &text)
}
