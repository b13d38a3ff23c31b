//! A builder: settings of your own, an observer, and a model file.
//!
//! `cargo run --release -p mge --example builder`

use mge::{Fit, FitEvent, Method, Model, Variant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = mge::data::load("wine", &Default::default())?;
    let mut improvements = 0;
    let fitted = Fit::new()
        .method(Method::MGE)
        .variant(Variant::Alpha)
        .population(100)
        .generations(60)
        .seed(7)
        .observer(|event: &FitEvent<'_>| {
            if let FitEvent::Improved { .. } = event {
                improvements += 1;
            }
        })
        .run(&data)?;
    println!("the best network changed {improvements} times");

    let file = std::env::temp_dir().join(format!("mge-builder-{}.json", std::process::id()));
    fitted.model.save(&file)?;
    let model = Model::load(&file)?;
    std::fs::remove_file(&file)?;
    let predictions = model.predict(&data.table)?;
    for (row, class) in predictions.classes().take(3).enumerate() {
        println!("row {}: {}", row + 1, model.class_name(class));
    }
    Ok(())
}
