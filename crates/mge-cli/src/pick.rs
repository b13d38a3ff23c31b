//! `mge pick`: another network of a front, without searching again.

use crate::flags::LimitFlags;
use crate::{model_data, print};
use anyhow::anyhow;
use clap::Args;
use mge::hybrid::{CheckedParams, HybridParams};
use mge::net::{Network, Size};
use mge::{FrontNetwork, NetworkFront, RunFolder, RunPlan, TaskName};
use serde::Serialize;
use std::path::PathBuf;

/// Pick another network from the front of a run
///
/// A run of method hybrid keeps the best network of each size in front.json. Without --out this
/// lists the front and marks the network that would be picked. Limits and rule that are not given
/// here are those of the run.
///
/// The figures are those of rows that did not train the network but chose it (validation). Test
/// rows tell how good a network is only as long as nobody chooses by them.
#[derive(Args)]
#[command(after_help = "Examples:
  mge pick runs/digits-hybrid-7
  mge pick runs/digits-hybrid-7 --max-ops 300 --out small.json
  mge pick runs/digits-hybrid-7 --pick smallest-within-1se --out tiny.json")]
pub struct PickArgs {
    /// Run folder, or a file in it
    run: PathBuf,
    /// Model file to write
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Show the test accuracy of every network too. Whoever then picks by it has no honest test
    /// figure left
    #[arg(long)]
    test_figures: bool,
    /// Print one JSON object on standard output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitFlags,
}

/// One network of the front, as printed.
#[derive(Serialize)]
pub struct FrontLine {
    /// What the front weighs, where that is not operations alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<usize>,
    operations: usize,
    bytes: usize,
    features: usize,
    neurons: usize,
    validation_loss: f64,
    validation_accuracy: f64,
    /// Only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    test_accuracy: Option<f64>,
    is_picked: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct PickReport {
    front: Vec<FrontLine>,
    model: Option<PathBuf>,
}

impl PickArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let (folder, plan) = RunFolder::read(model_data::run_folder(&self.run)?)?;
        let mut front = NetworkFront::load(&folder.front_file())?;
        if self.test_figures || self.out.is_some() {
            front.load_metrics(&folder.front_metrics_file())?;
        }
        let wanted = self.wanted(&plan)?;
        let picked = front.pick(&wanted.limits(), wanted.pick()).ok_or_else(|| {
            let smallest = front.points.iter().min_by_key(|point| point.member.operations);
            let smallest = smallest.map_or_else(String::new, |point| {
                let (operations, bytes) =
                    (point.member.operations, mge::net::table_bytes(&point.member.network));
                format!("; the smallest has {operations} operations and {bytes} bytes")
            });
            anyhow!("no network of {} keeps the limits{smallest}", folder.front_file().display())
        })?;
        if let Some(out) = &self.out {
            let model = model_data::model(&folder.model_file())?;
            let metrics = picked.metrics.clone();
            let metrics = metrics.ok_or_else(|| anyhow!("the front has no metrics"))?;
            model.with_network(&picked.member, metrics).save(out)?;
        }
        let lines = lines(&front, &picked.member.network, self.test_figures);
        if self.test_figures {
            print::note(
                "warning: test rows are for one last look at a network that is chosen. A network \
                 picked by its test accuracy is worse on new rows than that figure says; choose by \
                 validation",
            );
        }
        if self.json {
            return print::json(&PickReport { front: lines, model: self.out });
        }
        let has_cost = lines.iter().any(|line| line.cost.is_some());
        let head = if has_cost { "         cost" } else { "" };
        // As wide as each other, so that the columns keep their places.
        let (score, test) = match plan.settings.task {
            TaskName::Classify => ("validation accuracy", "test accuracy"),
            TaskName::Regress => ("validation r2      ", "test r2"),
        };
        let tail = if self.test_figures { test } else { "" };
        let heads =
            format!("{head}    operations  bytes  features  neurons  loss    {score}  {tail}");
        let mut text = format!("{}\n", heads.trim_end());
        for line in &lines {
            let mark = if line.is_picked { ">" } else { " " };
            let cost = line.cost.map_or_else(String::new, |cost| format!("{cost:>12} "));
            let test = line.test_accuracy.map_or_else(String::new, |test| format!("{test:.4}"));
            let cells = format!(
                "{mark}{cost}  {:>11}{:>7}{:>10}{:>9}  {:<8.4}{:<21.4}{test}",
                line.operations,
                line.bytes,
                line.features,
                line.neurons,
                line.validation_loss,
                line.validation_accuracy,
            );
            text += &format!("{}\n", cells.trim_end());
        }
        print::out(&text)?;
        match &self.out {
            Some(out) => print::note(format_args!("written: {}", out.display())),
            None => print::note(format_args!("> is picked; --out FILE writes it as a model")),
        }
        Ok(())
    }

    /// The limits and the rule of the run, with those of the flags in their place.
    fn wanted(&self, plan: &RunPlan) -> anyhow::Result<CheckedParams> {
        let own = plan.settings.method.get::<HybridParams>().cloned().unwrap_or_default();
        let wanted = self.limits.settings().apply(&own)?;
        if let (Some(searched), Some(asked)) = (own.max_ops, wanted.max_ops)
            && asked > searched
        {
            print::note(format_args!(
                "the run looked for networks of up to {searched} operations only"
            ));
        }
        wanted.check().map_err(anyhow::Error::from)
    }
}

/// The networks of a front, by rising cost; with their accuracy on the test rows if it is asked for.
pub fn lines(front: &NetworkFront, picked: &Network, with_test: bool) -> Vec<FrontLine> {
    let line = |point: &FrontNetwork| {
        let size = Size::of(&point.member.network);
        FrontLine {
            cost: point.member.cost,
            operations: size.operations,
            bytes: mge::net::table_bytes(&point.member.network),
            features: size.features,
            neurons: size.neurons,
            validation_loss: point.member.loss,
            validation_accuracy: point.member.accuracy,
            test_accuracy: point
                .metrics
                .as_ref()
                .filter(|_| with_test)
                .map(|metrics| metrics.test.accuracy),
            is_picked: point.member.network == *picked,
        }
    };
    front.points.iter().map(line).collect()
}
