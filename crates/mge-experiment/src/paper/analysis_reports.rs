//! Reports of the analyses: invalidity, sparsity, locality, scalability.

use super::comparison::{against, against_published, difference_cells, ours, p_value};
use super::published::pair;
use super::{ExperimentReport, PublishedRow, compare, published};
use crate::analysis::{self, GrowthOptions, LocalityOptions};
use crate::distinct::distinct;
use crate::{ExperimentError, Metric, ResultRow, ResultTable, Results, TableCell, TableColumn};
use mge_plot::{Axes, Curve, line_chart};
use mge_stats::Moments;

/// Reports the fraction of invalid individuals: of all data sets together beside the published
/// fraction, and of each data set. A figure shows the fraction during evolution.
pub fn invalidity(
    results: &Results,
    unavailable_methods: &[String],
) -> Result<ExperimentReport, ExperimentError> {
    let title = "Fraction of individuals that map to nothing, of all evaluations";
    let table = compare("invalidity", title, &[Metric::Invalidity], results, unavailable_methods)?;
    let mut report = ExperimentReport::new("invalidity", table);
    report.add_file("data-sets.csv", each_row(results, Metric::Invalidity).csv());
    let mut curves = Vec::new();
    for method in distinct(results.rows.iter().map(|row| row.method.as_str())) {
        let rows = results.rows.iter().filter(|row| row.method == method);
        let runs: Vec<_> = rows.flat_map(|row| &row.runs).collect();
        let length = runs.iter().map(|run| run.curve.len()).min().unwrap_or(0);
        let points = (0..length).map(|index| {
            let at = runs.iter().map(|run| &run.curve[index]);
            let (invalid, all) = at.fold((0, 0), |(invalid, all), point| {
                (invalid + point.invalid_individuals, all + point.evaluations)
            });
            (runs[0].curve[index].generation as f64, invalid as f64 / all.max(1) as f64)
        });
        curves.push(Curve::new(method, points.collect()));
    }
    let axes = Axes {
        title: "Invalid individuals, fraction of all evaluations so far".to_owned(),
        x: "generation".to_owned(),
        y: "fraction".to_owned(),
    };
    report.add_file("invalidity.svg", line_chart(&axes, &curves)?);
    Ok(report)
}

/// Reports the sparsity of the evolved networks.
pub fn sparsity(
    results: &Results,
    unavailable_methods: &[String],
) -> Result<ExperimentReport, ExperimentError> {
    let title = "Sparsity of evolved networks (1 - connections / connections of the dense network)";
    let all = published()?;
    let published_rows: Vec<&PublishedRow> = all.table("sparsity").collect();
    let mut table = each_row(results, Metric::Sparsity);
    table.title = title.to_owned();
    for row in published_rows {
        let (runs, data) = (ours(row, results), row.data.clone().unwrap_or_default());
        if let Some((theirs, _)) = row.metric(Metric::Sparsity) {
            let built =
                if unavailable_methods.contains(&row.method) { ", not built here" } else { "" };
            let p = p_value(&against(row, &runs, Metric::Sparsity));
            let p = p.map_or(String::new(), |p| format!(", p {}", TableCell::p_text(p)));
            let text =
                format!("The paper says about {theirs} for {} on {data}{p}{built}.", row.method);
            table.notes.push(text);
        }
    }
    let mut report = ExperimentReport::new("sparsity", table);
    report.add_file("runs.csv", each_run(results, Metric::Sparsity).csv());
    for name in results.data_sets() {
        let axes = Axes {
            title: format!("{name}: sparsity of evolved networks, sorted"),
            x: "fraction of runs".to_owned(),
            y: "sparsity".to_owned(),
        };
        let rows = results.rows.iter().filter(|row| row.data == name);
        let curves: Vec<Curve> = rows.map(sparsity_curve).collect();
        report.add_file(format!("sparsity-{name}.svg"), line_chart(&axes, &curves)?);
    }
    Ok(report)
}

/// The runs of one method on one data set, from the densest to the sparsest network.
fn sparsity_curve(row: &ResultRow) -> Curve {
    let mut values = row.sample(Metric::Sparsity);
    values.sort_by(f64::total_cmp);
    let last = values.len().max(2) as f64 - 1.0;
    let points = values.iter().enumerate().map(|(i, &value)| (i as f64 / last, value));
    Curve::new(row.title(), points.collect())
}

/// A table of a metric with one row for each run.
fn each_run(results: &Results, metric: Metric) -> ResultTable {
    let columns = ["Data set", "Method", "Seed", metric.title()].map(TableColumn::from).to_vec();
    let cells = |row: &ResultRow| -> Vec<Vec<TableCell>> {
        let runs = row.runs.iter().map(|run| {
            let value = TableCell::number(metric.of(run), metric.digits());
            let seed = run.entry.seed().to_string();
            vec![row.data.as_str().into(), row.title().into(), seed.into(), value]
        });
        runs.collect()
    };
    let rows = results.rows.iter().flat_map(cells).collect();
    ResultTable { title: metric.title().to_owned(), columns, rows, ..ResultTable::default() }
}

/// A table of the mean of a metric with one row for each method and data set.
fn each_row(results: &Results, metric: Metric) -> ResultTable {
    let columns = ["Data set", "Method", "Runs", metric.title()].map(TableColumn::from).to_vec();
    let rows = results.rows.iter().map(|row| {
        let runs = row.runs.len().to_string();
        vec![
            row.data.as_str().into(),
            row.title().into(),
            runs.into(),
            TableCell::mean(row.moments(metric), metric.digits(), false),
        ]
    });
    ResultTable {
        title: metric.title().to_owned(),
        columns,
        rows: rows.collect(),
        ..ResultTable::default()
    }
}

/// The number of decimals of tree edit distances.
const DISTANCE_DIGITS: usize = 2;

/// Reports the locality of each method beside the published table, with a figure of the distance
/// against the network size.
pub fn locality_report(
    methods: &[String],
    options: &LocalityOptions,
) -> Result<ExperimentReport, ExperimentError> {
    let mut columns: Vec<TableColumn> = vec!["Method".into(), "Individuals".into()];
    for bits in ["1 bit", "2 bits"] {
        columns.extend([bits.into(), format!("{bits} paper").into()]);
        columns.push(format!("{bits} difference").into());
        columns.push(TableColumn::detail(format!("{bits} difference 95 %")));
        columns.push(format!("{bits} p").into());
    }
    columns.extend(
        ["1 bit, if changed", "2 bits, if changed", "Silent 1 bit", "Invalid 1 bit"]
            .map(TableColumn::from),
    );
    let all = published()?;
    let mut table = ResultTable {
        title: "Tree edit distance between networks whose genotypes differ by 1 or 2 bits"
            .to_owned(),
        columns,
        notes: vec![
            "Bits are flipped anywhere in the genotype. Silent: the network did not change; if \
             changed: the mean without those. The \
             distance to an individual that maps to nothing is the size of the tree. p: Welch's t."
                .to_owned(),
        ],
        detail_notes: vec!["95 %: Welch's confidence interval of the difference.".to_owned()],
        ..ResultTable::default()
    };
    let mut sizes = ResultTable {
        columns: ["Method", "Neurons", "1 bit", "2 bits"].map(TableColumn::from).to_vec(),
        ..ResultTable::default()
    };
    let mut curves = Vec::new();
    for (order, method) in methods.iter().enumerate() {
        let published_row = all.table("table4").find(|row| row.method == *method);
        let theirs = [
            published_row.and_then(|row| pair(&row.one_bit)),
            published_row.and_then(|row| pair(&row.two_bits)),
        ];
        let mean = |moments: Option<Moments>| TableCell::mean(moments, DISTANCE_DIGITS, false);
        let found = analysis::find(method)?.locality(options)?;
        let mut row: Vec<TableCell> =
            vec![method.as_str().into(), found.all[0].count.to_string().into()];
        for (ours, theirs) in found.all.into_iter().zip(theirs) {
            row.push(mean(Some(ours)));
            row.push(TableCell::published(theirs, DISTANCE_DIGITS, false));
            row.extend(difference(&ours, theirs, published_row));
        }
        row.extend(found.changed.map(mean));
        row.extend([TableCell::number(found.silent[0], 3), TableCell::number(found.invalid[0], 3)]);
        table.rows.push(row);
        // One colour for a method; the line for two bits is dashed.
        for (bits, name) in ["1 bit", "2 bits"].into_iter().enumerate() {
            let points = found.sizes.iter().map(|s| (s.neurons as f64, s.distance[bits].mean));
            let curve = Curve::new(format!("{method}, {name}"), points.collect()).coloured(order);
            curves.push(if bits == 0 { curve } else { curve.dashed() });
        }
        sizes.rows.extend(found.sizes.iter().map(|size| {
            let neurons = TableCell::number(size.neurons as f64, 0);
            let [one, two] = size.distance.map(|distance| mean(Some(distance)));
            vec![method.as_str().into(), neurons, one, two]
        }));
    }
    let axes = Axes {
        title: "Locality: distance after 1 or 2 flipped bits".to_owned(),
        x: "hidden neurons".to_owned(),
        y: "tree edit distance".to_owned(),
    };
    let mut report = ExperimentReport::new("locality", table);
    report.add_file("locality.svg", line_chart(&axes, &curves)?);
    report.add_file("sizes.csv", sizes.csv());
    Ok(report)
}

fn difference(
    ours: &Moments,
    theirs: Option<(f64, Option<f64>)>,
    row: Option<&PublishedRow>,
) -> [TableCell; 3] {
    let (means, test) = match theirs.zip(row) {
        Some((theirs, row)) => {
            (Some((ours.mean, theirs.0)), against_published(row, ours, theirs).ok())
        }
        None => (None, None),
    };
    difference_cells(means, test.as_ref(), DISTANCE_DIGITS)
}

/// Reports the growth of networks for each method. The paper gives a figure without numbers.
pub fn scalability_report(
    methods: &[String],
    options: &GrowthOptions,
) -> Result<ExperimentReport, ExperimentError> {
    let columns = ["Method", "Runs", "First best", "Last best", "First mean", "Last mean"];
    let mut table = ResultTable {
        title: format!(
            "Connections when only they count: {} generations of {}",
            options.generations, options.population
        ),
        columns: columns.map(TableColumn::from).to_vec(),
        notes: vec!["best: of the fittest; mean: of the population; means of all runs.".to_owned()],
        ..ResultTable::default()
    };
    let mut points = ResultTable {
        columns: ["Method", "Generation", "Best", "Mean"].map(TableColumn::from).to_vec(),
        ..ResultTable::default()
    };
    let mut curves = Vec::new();
    for method in methods {
        let growth = analysis::find(method)?.scalability(options)?;
        let end = |values: &[f64], last: bool| {
            let value = if last { values.last() } else { values.first() };
            TableCell::number(value.copied().unwrap_or(0.0), 1)
        };
        table.rows.push(vec![
            method.as_str().into(),
            options.runs.to_string().into(),
            end(&growth.best, false),
            end(&growth.best, true),
            end(&growth.mean, false),
            end(&growth.mean, true),
        ]);
        for (generation, (&best, &mean)) in growth.best.iter().zip(&growth.mean).enumerate() {
            let generation = TableCell::number(generation as f64 + 1.0, 0);
            points.rows.push(vec![
                method.as_str().into(),
                generation,
                TableCell::number(best, 1),
                TableCell::number(mean, 1),
            ]);
        }
        let line = growth.mean.iter().enumerate().map(|(i, &mean)| (i as f64 + 1.0, mean));
        curves.push(Curve::new(method, line.collect()));
    }
    let axes = Axes {
        title: "Connections when only they count, mean of the population".to_owned(),
        x: "generation".to_owned(),
        y: "connections".to_owned(),
    };
    let mut report = ExperimentReport::new("scalability", table);
    report.add_file("scalability.svg", line_chart(&axes, &curves)?);
    report.add_file("growth.csv", points.csv());
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::OutputFile;
    use crate::{ExperimentOptions, ExperimentPlan, Store, run_experiment};

    #[test]
    fn sparsity_has_a_figure_for_each_data_set_with_a_curve_for_each_method() {
        let plan = ExperimentPlan::parse(
            "test",
            "data = ['wine', 'heart']\nmethods = ['mge', 'mu']\nprotocol = '2x70/30'\n\
             settings = { evolution = { population = 10 }, stop = { generations = 2 } }",
        )
        .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("store"));
        run_experiment(&plan.runs().unwrap(), &store, &ExperimentOptions::default(), |_| {})
            .unwrap();
        let results = Results::of(&plan, &store.read().unwrap()).unwrap();
        let report = sparsity(&results, &[]).unwrap();
        let names: Vec<&str> = report.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["runs.csv", "sparsity-wine.svg", "sparsity-heart.svg"]);
        assert_eq!(report.files[0].text.lines().count(), 1 + 2 * 2 * 2);
        for OutputFile { name, text: svg } in &report.files[1..] {
            let words: Vec<&str> = svg.lines().map(str::trim).collect();
            assert!(words.contains(&"mge") && words.contains(&"mu"), "{name}");
        }
    }
}
