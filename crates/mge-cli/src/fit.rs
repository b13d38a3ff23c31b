//! `mge fit`: data in, a model and its run folder out.

use crate::flags::{self, EvolutionFlags, MethodFlags, StopFlags};
use crate::print;
use crate::progress::LiveLine;
use clap::Args;
use mge::data::{Kind, LoadOptions, Loaded, Table, Target, load};
use mge::{Fit, FitError, Fitted, ReadyFit, Resolved, RunFolder, RunPlan, Settings};
use miette::{IntoDiagnostic, miette};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const STANDARD_INPUT: &str = "-";

/// Evolve a classifier from a table
///
/// DATA is a built-in data set (see `mge data list`) or a file. The run goes into a folder:
/// run.json (data and settings), checkpoint.bin, history.csv and model.json.
#[derive(Args)]
#[command(after_help = "Examples:
  mge fit wdbc
  mge fit measurements.csv --target fault --seed 7 --out runs/fault
  mge fit digits --variant alpha --generations 300 --json
  mge fit --resume runs/fault")]
pub struct FitArgs {
    /// Built-in data set or file
    #[arg(value_name = "DATA", required_unless_present = "resume")]
    data: Option<String>,
    /// Column of labels [default: class, target, label or y, else the last column]
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
    /// File with the test rows; all rows of DATA then train
    #[arg(long, value_name = "FILE")]
    test: Option<String>,
    /// Folder to look for flame and mnist in [default: MGE_DATA_DIR, then the cache folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Run folder, new [default: runs/DATA-VARIANT-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run in this folder; only stopping rules may change
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "data", "target", "test", "out", "method", "variant", "grammar", "config", "loss",
            "scale", "train_fraction", "seed", "EvolutionFlags",
        ]
    )]
    resume: Option<PathBuf>,
    /// Threads; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seconds between checkpoints
    #[arg(long, value_name = "S", default_value_t = 5.0)]
    checkpoint_every: f64,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
    /// Print one JSON object on standard output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    method: MethodFlags,
    #[command(flatten)]
    stop: StopFlags,
    #[command(flatten)]
    evolution: EvolutionFlags,
}

impl FitArgs {
    /// Runs the subcommand.
    pub fn run(self) -> miette::Result<()> {
        let every = Duration::try_from_secs_f64(self.checkpoint_every).map_err(|_| {
            let found = self.checkpoint_every;
            miette!("--checkpoint-every is {found}, expected a number of seconds from 0 up")
        })?;
        let (json, quiet) = (self.json, self.quiet);
        let (ready, folder) = match self.resume.clone() {
            Some(folder) => self.resume(&folder)?,
            None => self.start()?,
        };
        let fitted = ready.run_with_checkpoints(folder.checkpoint_file(), every)?;
        folder.save(&fitted).into_diagnostic()?;
        report(&fitted, &folder, json)?;
        if !quiet && !json {
            let model = folder.model_file();
            print::note(format_args!("\nNext: mge show {}", model.display()));
        }
        Ok(())
    }

    /// A new run. Everything that can be wrong is found before its folder is made.
    fn start(self) -> miette::Result<(ReadyFit<'static>, RunFolder)> {
        let spec = self.data.clone().unwrap_or_default();
        let (data, test) = self.load(&spec, self.test.as_deref(), self.target.clone())?;
        let fit = self.fit()?;
        let settings = match &self.method.config {
            Some(file) => Settings::read(file).into_diagnostic()?,
            None => Settings::default(),
        };
        let settings = flags::settings(self.method, self.stop, self.evolution).over(settings);
        let settings = Fit::with(settings).resolve(&data)?;
        let data_spec = if data.entry.is_some() { spec.clone() } else { absolute(&spec) };
        let test_spec = self.test.as_deref().map(absolute);
        let plan = RunPlan::new(data_spec, test_spec, self.target, settings.clone());
        let out = self.out.unwrap_or_else(|| free_folder(&spec, &settings));
        let ready = prepare(fit, &data, test, settings)?;
        Ok((ready, RunFolder::create(out, &plan).into_diagnostic()?))
    }

    /// An earlier run that goes on.
    fn resume(self, folder: &Path) -> miette::Result<(ReadyFit<'static>, RunFolder)> {
        let (folder, mut plan) = RunFolder::open(folder).into_diagnostic()?;
        if plan.data == STANDARD_INPUT {
            let folder = folder.path().display();
            return Err(miette!(
                "{folder} was made from standard input, which is gone; expected a run from a file"
            ));
        }
        let (data, test) = self.load(&plan.data, plan.test.as_deref(), plan.target.clone())?;
        let fit = self.fit()?;
        plan.settings.stop = self.stop.settings().over(&plan.settings.stop);
        let ready = prepare(fit, &data, test, plan.settings.clone())?;
        folder.write_plan(&plan).into_diagnostic()?;
        Ok((ready, folder))
    }

    fn load(
        &self,
        spec: &str,
        test: Option<&str>,
        target: Option<String>,
    ) -> miette::Result<(Loaded, Option<Table>)> {
        let (target, data_dir) = (Target::from(target), self.data_dir.clone());
        let options = LoadOptions { target, data_dir, ..Default::default() };
        let data = load(spec, &options).into_diagnostic()?;
        if !self.quiet {
            data.notes.iter().for_each(|note| print::note(format_args!("note: {note}")));
        }
        let test = test.map(|file| load_test(file, &data)).transpose()?;
        Ok((data, test))
    }

    /// What does not depend on data and settings.
    fn fit(&self) -> miette::Result<Fit<'static>> {
        let mut fit = Fit::new().interrupted_by(interrupt_flag()?);
        if let Some(threads) = self.threads {
            fit = fit.threads(threads.into());
        }
        if let Some(line) = LiveLine::new(self.quiet) {
            fit = fit.watched_by(line);
        }
        Ok(fit)
    }
}

fn prepare(
    fit: Fit<'static>,
    data: &Loaded,
    test: Option<Table>,
    settings: Resolved,
) -> Result<ReadyFit<'static>, FitError> {
    match test {
        Some(table) => fit.tested_on(table).prepare(data, settings),
        None => fit.prepare(data, settings),
    }
}

/// The path of a file wherever the run is resumed; a name stays a name.
fn absolute(spec: &str) -> String {
    match std::path::absolute(spec) {
        Ok(path) if spec != STANDARD_INPUT => path.display().to_string(),
        _ => spec.to_owned(),
    }
}

/// The test table, its columns read as those of the training table.
fn load_test(file: &str, data: &Loaded) -> miette::Result<Table> {
    let target = data.target.clone();
    let features =
        data.table.columns().iter().filter(|column| Some(&column.name) != target.as_ref());
    let expected: BTreeMap<String, Kind> =
        features.map(|column| (column.name.clone(), column.values.kind())).collect();
    let options = LoadOptions { target: Target::from(target), expected, ..Default::default() };
    Ok(load(file, &options).into_diagnostic()?.table)
}

/// `runs/DATA-VARIANT-SEED`, with a number behind it when that is taken.
fn free_folder(spec: &str, settings: &Resolved) -> PathBuf {
    let stem = if spec == STANDARD_INPUT { "stdin" } else { spec };
    let stem = Path::new(stem).file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{stem}-{}-{}", settings.variant, settings.seed);
    let first = Path::new("runs").join(&name);
    let others = (2..).map(|n: u64| Path::new("runs").join(format!("{name}-{n}")));
    std::iter::once(first).chain(others).find(|path| !path.exists()).unwrap_or_default()
}

/// Set by the first Ctrl-C; the second one quits at once.
fn interrupt_flag() -> miette::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = flag.clone();
    ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        print::note("stopping after this generation; press Ctrl-C again to quit at once");
    })
    .into_diagnostic()?;
    Ok(flag)
}

/// What `fit --json` prints.
#[derive(Serialize)]
struct FitReport<'a> {
    dataset: &'a str,
    method: String,
    variant: String,
    seed: u64,
    generations: u64,
    evaluations: u64,
    stop_reason: String,
    seconds: f64,
    train_loss: f64,
    train_accuracy: f64,
    test_accuracy: f64,
    train_rmse: f64,
    test_rmse: f64,
    hidden_layers: usize,
    neurons: usize,
    connections: usize,
    features: usize,
    operations: usize,
    sparsity: f64,
    invalid_genes: u64,
    invalid_individuals: u64,
    grammar: &'a str,
    train_rows: usize,
    test_rows: usize,
    test_loss: f64,
    model: String,
}

fn report(fitted: &Fitted, folder: &RunFolder, json: bool) -> miette::Result<()> {
    let model = &fitted.model;
    let (train, test, size) = (&model.metrics.train, &model.metrics.test, &model.size);
    let path = folder.model_file().display().to_string();
    if json {
        return print::json(&FitReport {
            dataset: &model.data.name,
            method: model.settings.method.to_string(),
            variant: model.settings.variant.to_string(),
            seed: model.settings.seed,
            generations: model.search.generations,
            evaluations: model.search.evaluations,
            stop_reason: model.search.stop_reason.to_string(),
            seconds: model.run.seconds,
            train_loss: train.loss,
            train_accuracy: train.accuracy,
            test_accuracy: test.accuracy,
            train_rmse: train.rmse,
            test_rmse: test.rmse,
            hidden_layers: size.hidden_layers,
            neurons: size.neurons,
            connections: size.connections,
            features: size.features,
            operations: size.operations,
            sparsity: size.sparsity,
            invalid_genes: model.search.invalid_genes,
            invalid_individuals: model.search.invalid_individuals,
            grammar: &model.settings.grammar.name,
            train_rows: train.rows,
            test_rows: test.rows,
            test_loss: test.loss,
            model: path,
        });
    }
    let search = &model.search;
    let rate = search.evaluations as f64 / model.run.seconds.max(1e-9);
    print::out(&print::table(&[
        ("accuracy", format!("test {:.4}, training {:.4}", test.accuracy, train.accuracy)),
        ("rmse", format!("test {:.4}, training {:.4}", test.rmse, train.rmse)),
        ("loss", format!("test {:.4}, training {:.4}", test.loss, train.loss)),
        ("network", crate::show::size_line(size)),
        ("cost", format!("{} operations for each prediction", size.operations)),
        (
            "search",
            format!(
                "{} generations, {} evaluations in {:.2} s ({rate:.0}/s), stopped by {}",
                search.generations, search.evaluations, model.run.seconds, search.stop_reason
            ),
        ),
        (
            "invalid",
            format!("{} genes, {} individuals", search.invalid_genes, search.invalid_individuals),
        ),
        ("seed", model.settings.seed.to_string()),
        ("model", path),
    ]))
}
