//! Draws random networks of 3, 30 and 300 neurons, shallow and deep, in both themes, into a
//! folder: `cargo run -p mge-report --features png --example gallery -- target/gallery`.

use mge_report::{Style, Theme, png, samples, svg};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "target/gallery".to_owned());
    std::fs::create_dir_all(&folder)?;
    for (neurons, layers, outputs) in
        [(3, 1, 1), (3, 2, 3), (30, 1, 3), (30, 3, 4), (300, 1, 10), (300, 4, 10)]
    {
        let sample = samples::layered(1, neurons, layers, outputs);
        for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            let drawing = svg(&sample.diagram(), Style::Own(theme))?;
            let file = format!("{folder}/{neurons}-{layers}-{outputs}-{name}");
            std::fs::write(format!("{file}.png"), png(&drawing)?.bytes)?;
            std::fs::write(format!("{file}.svg"), drawing)?;
        }
    }
    Ok(())
}
