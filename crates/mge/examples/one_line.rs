//! One line: a fit by the default method with default settings.
//!
//! `cargo run --release -p mge --example one_line`

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = mge::data::load("wine", &Default::default())?;
    let fitted = mge::fit(&data)?;
    let model = &fitted.model;
    println!(
        "seed {}: {:.3} of the test rows are right",
        model.settings.seed, model.metrics.test.accuracy
    );
    Ok(())
}
