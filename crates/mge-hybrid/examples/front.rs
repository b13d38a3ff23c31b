//! Fronts on the data sets of the paper.
//!
//! `front DATA SEEDS [GENERATIONS] [BUDGET,BUDGET..] [SETTING=VALUE..]`, where SEEDS is a number of
//! seeds, or `2-3` for the seeds 2 and 3.
//!
//! Prints the test accuracy at each budget and along the whole front, split by split, then mean and
//! deviation. Networks are chosen without the test rows.

use mge_data::catalogue::Protocol;
use mge_data::{LoadOptions, Preprocess, PreprocessOptions, Split, class_labels, load};
use mge_evolve::{Run, Search, StopRules};
use mge_hybrid::{
    Dependence, Hybrid, HybridParams, Limits, Member, Pick, TrainingData, non_dominated, pick,
};
use mge_net::{BatchEvaluator, Loss, Scratch, Size, Targets};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().map_or("wdbc", String::as_str);
    let seeds = arguments.get(1).map_or("3", String::as_str);
    let (first, last) = seeds.split_once('-').unwrap_or(("1", seeds));
    let seeds = first.parse::<u64>()?..=last.parse()?;
    let generations: u64 = arguments.get(2).map_or(Ok(20), |text| text.parse())?;
    let budgets: Vec<usize> = match arguments.get(3) {
        Some(text) => text.split(',').map(str::parse).collect::<Result<_, _>>()?,
        None => vec![50, 100, 200],
    };
    // The rest are settings: name=value.
    let mut params = serde_json::to_value(HybridParams {
        max_ops: budgets.iter().max().copied(),
        budgets: budgets.clone(),
        ..Default::default()
    })?;
    let mut loss = Loss::CrossEntropy;
    for setting in arguments.iter().skip(4) {
        match setting.split_once('=').ok_or("settings are name=value")? {
            ("loss", name) => loss = name.parse()?,
            (key, value) => params[key] = serde_json::from_str(value)?,
        }
    }
    let params: HybridParams = serde_json::from_value(params)?;

    let loaded = load(name, &LoadOptions::default())?;
    let task = loaded.class_target()?;
    let mut table: Vec<Vec<f64>> = vec![Vec::new(); budgets.len()];
    for seed in seeds {
        let rows = loaded.table.rows();
        let split = match loaded.entry.map(|entry| entry.protocol) {
            Some(Protocol::Standard) => Split::all_train(rows),
            Some(Protocol::Fraction(fraction)) => Split::by_fraction(rows, fraction, seed)?,
            None => Split::by_fraction(rows, 0.7, seed)?,
        };
        let options = PreprocessOptions::default();
        let preprocess = Preprocess::fit(&loaded.table, task.column(), &split.train, &options)?;
        let train = preprocess.apply(&loaded.table, Some(&split.train))?.columns;
        let (test, test_labels) = match &loaded.standard_test {
            Some(table) => {
                let test = preprocess.apply(table, None)?.columns;
                (test, class_labels(table, task.column(), task.classes())?)
            }
            None => {
                let test = preprocess.apply(&loaded.table, Some(&split.test))?.columns;
                (test, task.labels_of(&split.test))
            }
        };
        let classes = task.classes().len();
        let train_labels = task.labels_of(&split.train);
        let began = Instant::now();
        let rows = TrainingData {
            columns: &train,
            targets: Targets::classes(&train_labels, classes),
            loss,
            is_balanced: false,
            dependence: Dependence::Independent,
        };
        let search = Hybrid::new(rows, params.clone().check()?, seed)?;
        drop(train);
        let targets = Targets::classes(&test_labels, classes);
        let test_rows = BatchEvaluator::new(&test, targets, Loss::CrossEntropy)?;
        let stop = StopRules { generations: Some(generations), ..Default::default() }.check()?;
        let mut next = 1;
        let outcome = Run::new(&search, stop)
            .observer(|event: &mge_evolve::Event<'_, _>| {
                if let mge_evolve::Event::Generation { progress, seconds, .. } = event
                    && progress.generation >= next
                {
                    next = progress.generation + 10;
                    eprintln!(
                        "  {} {:.1} s {:.5}",
                        progress.generation, seconds, progress.best_loss
                    );
                }
            })
            .run()?;
        let mean = search.history(&outcome.state).last().map_or(0.0, |record| record.mean_loss);
        let members = search.final_front(&outcome.state);
        print!("{name} seed {seed} {:.0} s mean loss {mean:.5}", began.elapsed().as_secs_f64());
        for (budget, accuracies) in budgets.iter().zip(&mut table) {
            let limits = Limits { max_ops: Some(*budget), ..Default::default() };
            let Some(best) = pick(&members, &limits, Pick::LowestLoss) else { continue };
            let accuracy = test_rows.accuracy(&best.network, &mut Scratch::new());
            let size = Size::of(&best.network);
            let direct: usize = (best.network.outputs().iter())
                .map(|o| {
                    o.links.iter().filter(|l| matches!(l.source, mge_net::Source::Input(_))).count()
                })
                .sum();
            let test_loss = test_rows.loss(&best.network, &mut Scratch::new());
            accuracies.push(accuracy);
            let Size { operations, neurons, .. } = size;
            print!(
                " | {budget}: {accuracy:.4} (test loss {test_loss:.4}, validation {:.4}, ",
                best.loss
            );
            print!("{operations} ops, {neurons} hidden, {direct} direct)");
        }
        println!();
        let point = |member: &&Member| {
            let accuracy = test_rows.accuracy(&member.network, &mut Scratch::new());
            format!("{} {accuracy:.4}", member.cost())
        };
        let points: Vec<String> = non_dominated(&members).iter().map(point).collect();
        println!("{name} seed {seed} front: {}", points.join(" | "));
    }
    for (budget, values) in budgets.iter().zip(&table) {
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let square = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>();
        let deviation = (square / (count - 1.0).max(1.0)).sqrt();
        println!("{name} {budget}: {mean:.4} +- {deviation:.4} over {}", values.len());
    }
    Ok(())
}
