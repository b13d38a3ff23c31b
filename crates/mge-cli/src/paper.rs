//! `mge paper`: every table and figure of the paper by one command, beside the published values.

use crate::analyze::write_report;
use crate::experiment_runner::{StoreArgs, WorkArgs, command_for_all};
use crate::flags::at_least_one;
use crate::print;
use anyhow::anyhow;
use clap::{Args, Subcommand};
use mge::data::LoadOptions;
use mge_experiment::analysis::{ANALYSED, GrowthOptions, LocalityOptions};
use mge_experiment::paper::{self, ExperimentReport, ITEMS, PaperItem};
use mge_experiment::{ExperimentPlan, Results};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Make a table or figure of the paper again, beside the published values
///
/// ITEM is an entry of `mge paper list`. Runs go into the store of `mge experiment`, so that nothing
/// runs twice. The table is printed. A folder gets the table (CSV, Markdown, LaTeX), its figures
/// (SVG), the plan and the versions.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:
  mge paper list
  mge paper table3 --data-sets wdbc,wine --runs 5
  mge paper table3 --quick"
)]
pub struct PaperArgs {
    #[command(subcommand)]
    command: Option<PaperCommand>,
    /// Table or figure
    #[arg(value_name = "ITEM", required = true)]
    item: Option<String>,
    /// Runs of each method on each data set [default: the paper's]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    runs: Option<NonZeroUsize>,
    /// Data sets [default: all that the paper has there]
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    data_sets: Option<Vec<String>>,
    /// Methods [default: all that the paper has there]
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    methods: Option<Vec<String>>,
    /// Short runs that show the form of the result: 2 runs of 20 generations, small samples. Its
    /// figures and tests are not comparable
    #[arg(long)]
    quick: bool,
    /// Use another grammar than the paper's, such as authors. Variants eta and mu need a monolithic
    /// one
    #[arg(long, value_name = "FILE")]
    grammar: Option<PathBuf>,
    /// Folder of the report [default: results/ITEM]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    work: WorkArgs,
}

#[derive(Subcommand)]
enum PaperCommand {
    /// List the tables and figures
    List,
}

impl PaperArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        if let Some(PaperCommand::List) = self.command {
            let lines = ITEMS.map(|item| (item.name, item.title.to_owned()));
            return print::out(&print::table(&lines));
        }
        let name = self.item.as_deref().unwrap_or_default();
        if name == "list" {
            return Err(anyhow!("`mge paper list` takes no options"));
        }
        let item = paper::find(name).ok_or_else(|| {
            let names = ITEMS.map(|item| item.name).join(", ");
            anyhow!("the paper has no item `{name}`; expected list, {names}")
        })?;
        match item.plan()? {
            Some(plan) => self.planned(item, plan),
            None => self.analysed(item),
        }
    }

    fn planned(self, item: PaperItem, plan: ExperimentPlan) -> anyhow::Result<()> {
        let mut settings = mge::Settings { grammar: self.grammar.clone(), ..Default::default() };
        if self.quick {
            settings.stop.generations = Some(20);
        }
        let runs = self.runs.map(NonZeroUsize::get).or(self.quick.then_some(2));
        let plan = plan.with_repetitions(runs).with_settings(settings);
        let plan = plan.with_data_sets(self.data_sets.clone())?;
        let plan = plan.with_methods(self.methods.clone())?;
        let plan =
            without_missing(plan.with_data_cache(self.store.data_cache()), self.work.is_quiet())?;
        let runs = plan.available_runs()?;
        let Some(outcome) = self.work.run_experiment(&plan, &runs, &self.store)? else {
            return Ok(());
        };
        if outcome.is_complete() {
            let results = Results::of(&plan, &outcome.finished)?;
            let mut report = item.report(&results, &plan.unavailable_methods())?;
            report.files.extend(plan.to_toml()?);
            report.name = item.name.to_owned();
            self.mark_quick(&mut report);
            write_report(report, self.out)?;
        }
        outcome.report(&command_for_all())
    }

    fn analysed(self, item: PaperItem) -> anyhow::Result<()> {
        let counts_runs = item.name == "fig-scalability";
        let own = [
            (self.data_sets.is_some(), "--data-sets"),
            (self.grammar.is_some(), "--grammar"),
            (self.runs.is_some() && !counts_runs, "--runs"),
        ];
        let given = own.into_iter().chain(self.work.given()).chain(self.store.given());
        if let Some((_, flag)) = given.into_iter().find(|(is_given, _)| *is_given) {
            return Err(anyhow!("{} analyses representations; {flag} has no meaning", item.name));
        }
        let methods = self.methods.clone().unwrap_or_else(|| ANALYSED.map(String::from).to_vec());
        let mut report = if counts_runs {
            let mut options = GrowthOptions::default();
            let default = if self.quick { 2 } else { options.runs };
            options.runs = self.runs.map_or(default, NonZeroUsize::get);
            if self.quick {
                options.generations = 50;
            }
            paper::scalability_report(&methods, &options)
        } else {
            let mut options = LocalityOptions::default();
            if self.quick {
                options.individuals = 200;
            }
            paper::locality_report(&methods, &options)
        }?;
        report.name = item.name.to_owned();
        self.mark_quick(&mut report);
        write_report(report, self.out)
    }

    /// Says in the table that its figures say nothing about the paper's.
    fn mark_quick(&self, report: &mut ExperimentReport) {
        if self.quick {
            report.table.notes.push(
                "With --quick the runs are few and short: its figures and tests are not \
                 comparable with the paper's, nor with those of the whole item."
                    .to_owned(),
            );
        }
    }
}

/// A plan without the data sets whose files are not there; tells which. An error if none is.
pub fn without_missing(plan: ExperimentPlan, quiet: bool) -> anyhow::Result<ExperimentPlan> {
    let load = |name: &str| plan.data_cache().get(name, LoadOptions::default());
    let mut there = Vec::new();
    for name in plan.data_sets() {
        let inside = mge::data::catalogue::find(&name).is_ok_and(|entry| entry.is_embedded());
        match if inside { None } else { load(&name).err() } {
            None => there.push(name),
            Some(error) if !quiet => print::note(format_args!("note: {name} is left out: {error}")),
            Some(_) => {}
        }
    }
    if there.is_empty() {
        return Err(anyhow!("none of the data sets of {} is there", plan.name));
    }
    Ok(plan.with_data_sets(Some(there))?)
}
