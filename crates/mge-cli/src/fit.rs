//! `mge fit`: data in, a model and its run folder out.

use crate::flags::{self, DataFlags, EvolutionFlags, LimitFlags, MethodFlags, StopFlags};
use crate::folds::FoldsInFolder;
use crate::progress::LiveLine;
use crate::{already_finished, interrupt, loading, model_data, print, summary};
use anyhow::anyhow;
use clap::Args;
use mge::data::{LoadOptions, Loaded, Table, TargetColumn};
use mge::hybrid::Objective;
use mge::{
    Curves, DataConfig, EvaluationMode, EventLog, FitData, FitError, Folds, Model, PreparedFit,
    ResolvedSettings, RunFolder, RunOptions, RunPlan, RunSource, SplitRecord, TaskChoice, TaskName,
};
use std::mem::take;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const STANDARD_INPUT: &str = "-";

macro_rules! examples {
    () => {
        "Examples:
  mge fit wdbc
  mge fit measurements.csv --target fault --seed 7 --out runs/fault
  mge fit digits --time-limit 15
  mge fit digits --max-ops 300
  mge fit digits --method mge --variant alpha --generations 300 --json
  mge fit --resume runs/fault"
    };
}
const EXAMPLES: &str = examples!();
const AFTER_HELP: &str = concat!(
    "The run folder gets model.json (the classifier), report.html (all results for a browser), \
     front.json (the best network of each size, method hybrid only), baselines.json (simpler \
     classifiers on the same rows), history.csv and curves.csv. run.json and checkpoint.bin let \
     --resume continue the run.

Ctrl-C stops after the current generation and saves the best model so far. Method hybrid discards \
     the unfinished generation. A second Ctrl-C exits at once. --resume continues from the last \
     checkpoint in both cases.

",
    examples!()
);

/// Find a small classifier for a table
///
/// DATA is a built-in data set (see `mge data list`) or a file: CSV, TSV, ARFF, NPY, NPZ, Parquet,
/// LIBSVM or IDX, plain or compressed (.gz). - is standard input.
#[derive(Args)]
#[command(next_display_order = 10, after_help = EXAMPLES, after_long_help = AFTER_HELP)]
pub struct FitArgs {
    /// Built-in data set or file
    #[arg(value_name = "DATA", required_unless_present = "resume")]
    data: Option<String>,
    /// Column of labels [default: class, target, label or y, else the last column]
    #[arg(long, value_name = "COLUMN", display_order = 1)]
    target: Option<String>,
    /// File with the test rows. All rows of DATA then train
    #[arg(long, value_name = "FILE")]
    test: Option<String>,
    /// Folder with the files of flame and mnist [default: MGE_DATA_DIR, then the cache folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// New folder for the run [default: runs/DATA-METHOD-SEED]
    #[arg(short, long, value_name = "DIR", display_order = 4)]
    out: Option<PathBuf>,
    /// Continue the run in this folder. Of its settings, only the stopping rules may change
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "data", "target", "test", "out", "method", "variant", "grammar", "config", "set", "loss",
            "scale", "train_fraction", "seed", "start", "objective", "feature_cost", "EvolutionFlags",
            "DataFlags", "ColumnFlags", "LimitFlags",
        ]
    )]
    resume: Option<PathBuf>,
    /// Number of threads. Does not change the result [default: all cores]
    #[arg(long, value_name = "N", value_parser = flags::threads)]
    threads: Option<u16>,
    /// Memory for values that later networks may reuse. Does not change the result
    #[arg(long, value_name = "MIB", default_value = "512", value_parser = flags::at_least_one)]
    memory: NonZeroUsize,
    /// Evaluate each network from scratch. Slower, with the same result
    #[arg(long, conflicts_with = "memory")]
    no_incremental: bool,
    /// Seconds between checkpoints
    #[arg(long, value_name = "S", default_value_t = 5.0)]
    checkpoint_every: f64,
    /// Train no simpler classifiers for comparison (with --folds there are none)
    #[arg(long, alias = "no-company")]
    no_baselines: bool,
    /// Write no report.html
    #[arg(long)]
    no_report: bool,
    /// Write the numbers of each generation for TensorBoard, into the run folder
    #[arg(long)]
    tensorboard: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
    /// Print one JSON object on standard output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    method: MethodFlags,
    #[command(flatten)]
    table: DataFlags,
    #[command(flatten)]
    stop: StopFlags,
    #[command(flatten)]
    evolution: EvolutionFlags,
    /// Start from the networks of an earlier run: its folder, model.json or front.json
    #[arg(long, value_name = "PATH", help_heading = "Front (method hybrid)")]
    start: Option<PathBuf>,
    /// The cost of a network: operations, or bytes of a table of 8-bit weights
    /// [default: operations]
    #[arg(long, value_name = "KIND", help_heading = "Front (method hybrid)")]
    objective: Option<Objective>,
    /// What each feature that a network reads adds to its cost. Use it where features are sensors
    /// or take time to compute [default: 0]
    #[arg(long, value_name = "N", help_heading = "Front (method hybrid)")]
    feature_cost: Option<usize>,
    #[command(flatten)]
    limits: LimitFlags,
}

/// A run that is ready to start.
struct Job {
    ready: PreparedFit<'static>,
    folder: RunFolder,
    plan: RunPlan,
    curves: Curves,
    log: EventLog,
    /// For the cross-validation, if one is asked for.
    folds: Option<FoldsInput>,
}

/// What the folds of a cross-validation are made from.
struct FoldsInput {
    data: Loaded,
    settings: ResolvedSettings,
}

impl FitArgs {
    /// Runs the subcommand.
    pub fn run(mut self) -> anyhow::Result<()> {
        let every = Duration::try_from_secs_f64(self.checkpoint_every).map_err(|_| {
            let found = self.checkpoint_every;
            anyhow!("--checkpoint-every is {found}, expected a number of seconds from 0 up")
        })?;
        let interrupt = interrupt::flag("the run")?;
        let job = match self.resume.clone() {
            Some(folder) => match self.resume(&folder, &interrupt)? {
                Some(job) => job,
                None => return Ok(()),
            },
            None => self.start(&interrupt)?,
        };
        let Job { ready, folder, plan, curves, log, folds } = job;
        curves.write_to(folder.curves_file());
        log.write_lines(&folder.events_file())?;
        if self.tensorboard {
            log.write_tensorboard(&folder.tensorboard_folder())?;
        }
        print_warnings(&ready);
        let fitted = match &folds {
            None => ready.run_with_checkpoints(folder.checkpoint_file(), every)?,
            Some(FoldsInput { data, settings }) => {
                let folds = FoldsInFolder {
                    folds: &Folds::new(data, settings.clone())?,
                    folder: &folder,
                    every,
                    reported: (!self.no_report).then_some(&plan),
                    quiet: self.quiet,
                };
                folds.run(ready, || self.options(&interrupt))?
            }
        };
        folder.save(&fitted)?;
        if let Err(error) = log.finish() {
            print::note(format_args!("warning: the events could not be written: {error}"));
        }
        let curves = curves.finish(&fitted.model)?;
        let fitted = if self.no_report {
            fitted
        } else {
            crate::report::of_fit(fitted, curves, plan, &folder)?
        };
        summary::print(&fitted, &folder, self.json)?;
        if !self.quiet && !self.json {
            let model = folder.model_file();
            print::note(format_args!("\nNext: mge show {}", model.display()));
            if !self.no_report {
                let report = folder.report_file();
                print::note(format_args!("      and {} in a browser", report.display()));
            }
        }
        Ok(())
    }

    /// Prepares a new run. All checks come before its folder is created.
    fn start(&mut self, interrupt: &Arc<AtomicBool>) -> anyhow::Result<Job> {
        let spec = self.data.clone().unwrap_or_default();
        let base = self.method.base()?;
        let mut flags = flags::settings(
            take(&mut self.method),
            take(&mut self.table),
            take(&mut self.stop),
            take(&mut self.evolution),
            take(&mut self.limits),
        );
        if let Some(path) = &self.start {
            let networks = mge::networks_in(path)?;
            flags.methods.of("hybrid").set("start", serde_json::to_value(networks)?);
        }
        if let Some(objective) = self.objective {
            flags.methods.of("hybrid").set("objective", objective.to_string());
        }
        if let Some(cost) = self.feature_cost {
            flags.methods.of("hybrid").set("feature_cost", cost);
        }
        let mut settings = flags::over(flags, base)?;
        let earlier = self.start.as_deref().map(RunFolder::read).and_then(Result::ok);
        if let (Some((_, earlier)), None) = (&earlier, settings.seed) {
            settings.seed = Some(earlier.settings.seed);
        }
        if self.test.is_some() && settings.train_fraction.is_some() {
            return Err(anyhow!(
                "train_fraction and --test exclude each other; expected one of them"
            ));
        }
        let rules = settings.data.resolve();
        let (data, test) = self.load(&spec, self.test.as_deref(), self.target.clone(), &rules)?;
        let asked = settings.task.unwrap_or_default();
        let settings = settings.resolve(FitData::with_test(&data, test.as_ref()))?;
        print_task(asked, &data, &settings)?;
        if self.start.is_some() && self.test.is_none() && data.standard_test.is_none() {
            note_foreign_split(earlier.map(|(_, plan)| plan), &data, &settings);
        }
        let data_spec = if data.entry.is_some() { spec.clone() } else { absolute(&spec) };
        let source = RunSource {
            data: data_spec,
            fingerprint: data.fingerprint.clone(),
            data_dir: self.data_dir.as_deref().map(std::path::absolute).transpose()?,
            test: self.test.as_deref().map(absolute),
            target: self.target.clone(),
        };
        let plan =
            RunPlan::new(source, settings.clone()).with_command(command(Some(settings.seed)));
        let out = self.out.clone().unwrap_or_else(|| free_folder(&spec, &settings));
        let (curves, log) = (Curves::new(), EventLog::new());
        let (ready, folds) =
            prepare(self.final_options(interrupt, &curves, &log), data, test, settings)?;
        if let Some(path) = &self.start {
            check_features(path, &ready)?;
        }
        let folder = RunFolder::create(out, &plan)?;
        Ok(Job { ready, folder, plan, curves, log, folds })
    }

    /// Prepares the continuation of an earlier run. `None` if there is nothing left to do, which it
    /// prints.
    fn resume(
        &mut self,
        folder: &Path,
        interrupt: &Arc<AtomicBool>,
    ) -> anyhow::Result<Option<Job>> {
        let (folder, mut plan) = RunFolder::open(model_data::run_folder(folder)?)?;
        let stop_before = plan.settings.stop.clone();
        plan.settings.stop = take(&mut self.stop).settings().over_rules(&stop_before);
        if plan.settings.stop == stop_before
            && let Some(model) = already_finished::model(&folder)
        {
            already_finished::print(&folder, &model, self.json)?;
            return Ok(None);
        }
        let source = plan.source.clone();
        if source.data == STANDARD_INPUT {
            let folder = folder.path().display();
            return Err(anyhow!(
                "{folder} was made from standard input, which is gone; expected a run from a file"
            ));
        }
        self.data_dir = self.data_dir.take().or(source.data_dir);
        let (test, target) = (source.test.as_deref(), source.target);
        let (data, test) = self.load(&source.data, test, target, &plan.settings.data)?;
        if data.fingerprint != source.fingerprint {
            return Err(anyhow!(
                "{} has changed since the run began; expected the rows and columns of then",
                source.data
            ));
        }
        let (curves, log) = (Curves::new(), EventLog::new());
        let options = self.final_options(interrupt, &curves, &log);
        let (ready, folds) = prepare(options, data, test, plan.settings.clone())?;
        // With the same stopping rules, the commands in the report stay as they are.
        if plan.settings.stop != stop_before {
            plan = plan.with_command(command(None));
        }
        folder.write_plan(&plan)?;
        Ok(Some(Job { ready, folder, plan, curves, log, folds }))
    }

    fn load(
        &self,
        spec: &str,
        test: Option<&str>,
        target: Option<String>,
        rules: &DataConfig,
    ) -> anyhow::Result<(Loaded, Option<Table>)> {
        let data_dir = self.data_dir.clone();
        let options = LoadOptions { data_dir, ..rules.load_options(TargetColumn::from(target)) };
        let data = loading::table(spec, options, self.quiet)?;
        let test = test.map(|file| load_test(file, &data, rules, self.quiet)).transpose()?;
        Ok((data, test))
    }

    /// The options of the final fit, with baselines. The fits of folds have none, since their
    /// models are not kept.
    fn final_options(
        &self,
        interrupt: &Arc<AtomicBool>,
        curves: &Curves,
        log: &EventLog,
    ) -> RunOptions<'static> {
        let options = self.options(interrupt).baselines(!self.no_baselines);
        options.observer(curves.clone()).observer(log.clone())
    }

    /// The options of every fit.
    fn options(&self, interrupt: &Arc<AtomicBool>) -> RunOptions<'static> {
        let evaluation = if self.no_incremental {
            EvaluationMode::Full
        } else {
            EvaluationMode::Incremental { mebibytes: self.memory.get() }
        };
        let mut options = RunOptions::new().cancel_flag(interrupt.clone()).evaluation(evaluation);
        if let Some(threads) = self.threads {
            options = options.threads(threads.into());
        }
        options.observer(LiveLine::new(self.quiet))
    }
}

/// Says aloud that the data made it a regression, and where it leaves a doubt.
fn print_task(asked: TaskChoice, data: &Loaded, settings: &ResolvedSettings) -> anyhow::Result<()> {
    if asked == TaskChoice::Auto && data.entry.is_none() {
        let detected = data.detect_task()?;
        if detected.is_doubtful() {
            print::note(format_args!("note: {detected}"));
        } else if settings.task == TaskName::Regress {
            // Several targets are never classes.
            let is_single = data.targets.len() == 1;
            let advice =
                if is_single { "; --task classify takes each number for a class" } else { "" };
            print::note(format_args!("{detected}{advice}"));
        }
    }
    Ok(())
}

/// Checks that the networks to start from have the features of the data. A network knows its
/// inputs by index only.
fn check_features(start: &Path, ready: &PreparedFit<'_>) -> anyhow::Result<()> {
    let file = if start.is_dir() { start.join("model.json") } else { start.to_owned() };
    // A front alone has no names of features.
    let Ok(model) = Model::load(&file) else { return Ok(()) };
    let (known, own) = (model.preprocess.feature_names(), ready.preprocess().feature_names());
    let differs = known.iter().zip(&own).position(|(known, own)| known != own);
    match differs {
        Some(index) => Err(anyhow!(
            "feature {} of the networks to start from is `{}`, expected `{}` as in the data",
            index + 1,
            known[index],
            own[index]
        )),
        None => Ok(()),
    }
}

/// Prints a note if test rows of this run may have trained the networks to start from.
fn note_foreign_split(earlier: Option<RunPlan>, data: &Loaded, settings: &ResolvedSettings) {
    let Some(earlier) = earlier else {
        print::note(
            "it is not known which rows trained the networks to start from; only a run folder has \
             its split",
        );
        return;
    };
    let same_rows = earlier.source.fingerprint == data.fingerprint;
    let same_split = earlier.settings.seed == settings.seed
        && earlier.settings.train_fraction == settings.train_fraction
        && earlier.settings.data == settings.data
        && earlier.source.test.is_none();
    if same_rows && !same_split {
        print::note(
            "the split is not that of the run to start from: test rows of this run have trained \
             its networks, so the test accuracy may be too high",
        );
    }
}

/// Prepares the final fit. With `--folds`, it also returns what the folds are made from.
fn prepare(
    options: RunOptions<'static>,
    data: Loaded,
    test: Option<Table>,
    settings: ResolvedSettings,
) -> Result<(PreparedFit<'static>, Option<FoldsInput>), FitError> {
    if settings.data.folds.is_some() {
        let ready = Folds::new(&data, settings.clone())?.prepare_final(options)?;
        return Ok((ready, Some(FoldsInput { data, settings })));
    }
    let rows = FitData::with_test(&data, test.as_ref());
    Ok((settings.prepare(rows, options)?, None))
}

/// Prints warnings, also with `--quiet`.
fn print_warnings(ready: &PreparedFit<'_>) {
    if let Some(grammar) = ready.settings().method.grammar() {
        for warning in ready.grammar_warnings() {
            print::note(format_args!("warning: grammar {}: {warning}", grammar.name));
        }
    }
    for unseen in ready.unseen_in_test() {
        print::note(format_args!("note: test rows: {unseen}"));
    }
    let repeated = ready.repeated_rows();
    if repeated > 0 {
        print::note(format_args!("warning: {}", repeated_rows(repeated, ready.split())));
    }
    for (class, (train, _)) in ready.task().classes().iter().zip(ready.class_rows()) {
        if train == 0 {
            print::note(format_args!(
                "warning: class `{class}` has no training row and will never be predicted; \
                 --stratified gives each class its share"
            ));
        }
    }
}

/// What it means that rows occur more than once.
fn repeated_rows(count: usize, split: &SplitRecord) -> String {
    let is_one = count == 1;
    let (which, verb, location) = match split {
        SplitRecord::Folds { .. } => ("row", "has", "an equal row in another fold"),
        _ => ("test row", "occurs", "among the training rows, too"),
    };
    let verb = match (verb, is_one) {
        (verb, true) => verb,
        ("has", false) => "have",
        (_, false) => "occur",
    };
    let advice = match split {
        SplitRecord::TestTable { .. } | SplitRecord::Standard | SplitRecord::Time { .. } => "",
        _ => "; --groups COLUMN keeps rows of one group together",
    };
    format!(
        "{} {verb} {location}, with equal features and target, so the test accuracy may be too \
         high{advice}",
        print::count(count, which)
    )
}

/// The command line of this process, for the report. It has the seed that was drawn, and no
/// `--out`: that folder exists now.
fn command(seed: Option<u64>) -> Vec<String> {
    let mut arguments: Vec<String> =
        crate::arguments().iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    if let Some(program) = arguments.first_mut() {
        "mge".clone_into(program);
    }
    without_out(&mut arguments);
    let is_seed = |argument: &String| argument == "--seed" || argument.starts_with("--seed=");
    if let Some(seed) = seed.filter(|_| !arguments.iter().any(is_seed)) {
        arguments.extend(["--seed".to_owned(), seed.to_string()]);
    }
    arguments
}

/// Takes out the folder of the run, however it was given.
fn without_out(arguments: &mut Vec<String>) {
    if let Some(index) = arguments.iter().position(|text| text == "--out" || text == "-o") {
        arguments.drain(index..(index + 2).min(arguments.len()));
    }
    let is_attached = |text: &str| text.starts_with("-o") && text.len() > 2;
    arguments.retain(|text| !text.starts_with("--out=") && !is_attached(text));
}

/// The absolute path of a file, so that the run can be resumed from any folder. `-` stays `-`.
fn absolute(spec: &str) -> String {
    match std::path::absolute(spec) {
        Ok(path) if spec != STANDARD_INPUT => path.display().to_string(),
        _ => spec.to_owned(),
    }
}

/// The test table, its columns read as those of the training table.
fn load_test(file: &str, data: &Loaded, rules: &DataConfig, quiet: bool) -> anyhow::Result<Table> {
    let options = data.options_for_another(&rules.drop);
    Ok(loading::table(file, options, quiet)?.table)
}

/// `runs/DATA-METHOD-SEED`, followed by a number if that folder exists.
fn free_folder(spec: &str, settings: &ResolvedSettings) -> PathBuf {
    let stem = if spec == STANDARD_INPUT { "stdin" } else { spec };
    let stem = Path::new(stem).file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{stem}-{}-{}", settings.method.short_name(), settings.seed);
    let first = Path::new("runs").join(&name);
    let others = (2..).map(|n: u64| Path::new("runs").join(format!("{name}-{n}")));
    std::iter::once(first).chain(others).find(|path| !path.exists()).unwrap_or_default()
}
