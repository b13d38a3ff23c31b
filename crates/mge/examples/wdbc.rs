fn main() {
    let args: Vec<String> = std::env::args().collect();
    let data = mge::data::load(&args[1], &Default::default()).unwrap();
    let generations: u64 = args[2].parse().unwrap();
    let threads: usize = args[3].parse().unwrap();
    let variant: mge::Variant = args.get(4).map_or("mge", |s| s.as_str()).parse().unwrap();
    let evaluation = if std::env::var_os("PLAIN").is_some() {
        mge::Evaluation::Full
    } else {
        Default::default()
    };
    let t = std::time::Instant::now();
    let fitted = mge::Fit::new()
        .variant(variant)
        .generations(generations)
        .threads(threads)
        .evaluation(evaluation)
        .seed(1)
        .run(&data)
        .unwrap();
    println!(
        "{} evals in {:.3}s (search {:.3}) loss {:?} acc {:.4}",
        fitted.model.search.evaluations,
        t.elapsed().as_secs_f64(),
        fitted.model.run.seconds,
        fitted.model.search.best_loss,
        fitted.model.metrics.test.accuracy
    );
}
