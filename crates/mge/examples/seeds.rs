//! Fits data sets with a method's usual settings over several seeds and prints mean and deviation
//! of the test accuracy. The method is the paper's unless another is named.
//!
//! `cargo run --release -p mge --example seeds -- 10 wdbc wine ionosphere heart`
//! `cargo run --release -p mge --example seeds -- 10 method=dsge evolution.crossover_rate=0.9 wdbc`

use mge::{Fit, Method, Settings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seeds: u64 = arguments.next().unwrap_or_else(|| "10".to_owned()).parse()?;
    let (entries, names): (Vec<String>, Vec<String>) =
        arguments.partition(|argument| argument.contains('='));
    let paper = Settings { method: Some(Method::MGE), ..Settings::default() };
    let settings = Settings::of_entries(&entries)?.over(paper);
    println!(
        "{:<11} {:>5}  test accuracy     training loss  neurons  features  operations",
        "set", "seeds"
    );
    for name in &names {
        let data = mge::data::load(name, &Default::default())?;
        let mut runs = Vec::new();
        for seed in 1..=seeds {
            let settings = Settings { seed: Some(seed), ..settings.clone() };
            runs.push(Fit::with(settings).run(&data)?.model);
        }
        let mean = |of: &dyn Fn(&mge::Model) -> f64| {
            runs.iter().map(of).sum::<f64>() / runs.len().max(1) as f64
        };
        let accuracy = mean(&|model| model.metrics.test.accuracy);
        let spread = mean(&|model| (model.metrics.test.accuracy - accuracy).powi(2));
        let freedom = (seeds.max(2) - 1) as f64 / seeds.max(1) as f64;
        println!(
            "{name:<11} {seeds:>5}  {accuracy:.4} +- {:.4}  {:>13.4}  {:>7.1}  {:>8.1}  {:>10.1}",
            (spread / freedom).sqrt(),
            mean(&|model| model.metrics.train.loss),
            mean(&|model| model.size.neurons as f64),
            mean(&|model| model.size.features as f64),
            mean(&|model| model.size.operations as f64),
        );
    }
    Ok(())
}
