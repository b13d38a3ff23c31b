//! `mge pick`: another network of a front, without searching again.

use crate::flags::LimitFlags;
use crate::{model_data, print};
use anyhow::anyhow;
use clap::Args;
use mge::hybrid::{CheckedParams, HybridParams};
use mge::net::{Network, Size};
use mge::{FrontNetwork, NetworkFront, RunFolder, RunPlan};
use serde::Serialize;
use std::path::PathBuf;

/// Pick another network from the front of a run
///
/// A run of method hybrid keeps the best network of each size in front.json. Without --out this
/// lists the front and marks the network that would be picked. Limits and rule that are not given
/// here are those of the run.
#[derive(Args)]
#[command(after_help = "Examples:
  mge pick runs/digits-hybrid-7
  mge pick runs/digits-hybrid-7 --max-ops 300 --out small.json
  mge pick runs/digits-hybrid-7 --pick smallest-within-1se --out tiny.json")]
pub struct PickArgs {
    /// Run folder
    run: PathBuf,
    /// Model file to write
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object on standard output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitFlags,
}

/// One network of the front, as printed.
#[derive(Serialize)]
pub struct Line {
    /// What the front weighs, where that is not operations alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<usize>,
    operations: usize,
    bytes: usize,
    features: usize,
    neurons: usize,
    validation_loss: f64,
    validation_accuracy: f64,
    test_accuracy: f64,
    is_picked: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct PickReport {
    front: Vec<Line>,
    model: Option<PathBuf>,
}

impl PickArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let (folder, plan) = RunFolder::read(&self.run)?;
        let front = NetworkFront::load(&folder.front_file())?;
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
            model.with_network(picked).save(out)?;
        }
        let lines = lines(&front, &picked.member.network);
        if self.json {
            return print::json(&PickReport { front: lines, model: self.out });
        }
        let has_cost = lines.iter().any(|line| line.cost.is_some());
        let head = if has_cost { "         cost" } else { "" };
        let mut text = format!(
            "{head}    operations  bytes  features  neurons  loss    validation  test accuracy\n"
        );
        for line in &lines {
            let mark = if line.is_picked { ">" } else { " " };
            let cost = line.cost.map_or_else(String::new, |cost| format!("{cost:>12} "));
            text += &format!(
                "{mark}{cost}  {:>11}{:>7}{:>10}{:>9}  {:<8.4}{:<12.4}{:.4}\n",
                line.operations,
                line.bytes,
                line.features,
                line.neurons,
                line.validation_loss,
                line.validation_accuracy,
                line.test_accuracy
            );
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

/// The networks of a front, by rising cost.
pub fn lines(front: &NetworkFront, picked: &Network) -> Vec<Line> {
    let line = |point: &FrontNetwork| {
        let size = Size::of(&point.member.network);
        Line {
            cost: point.member.cost,
            operations: size.operations,
            bytes: mge::net::table_bytes(&point.member.network),
            features: size.features,
            neurons: size.neurons,
            validation_loss: point.member.loss,
            validation_accuracy: point.member.accuracy,
            test_accuracy: point.metrics.test.accuracy,
            is_picked: point.member.network == *picked,
        }
    };
    front.points.iter().map(line).collect()
}
