//! Reports of the representation analyses: invalidity, sparsity, locality, scalability.

use super::comparison::{against, against_published, difference_cells, ours, p_value};
use super::published::pair;
use super::{PublishedRow, Report, compare, published};
use crate::distinct::distinct;
use crate::figure::{Axes, Curve, chart};
use crate::study::{self, GrowthPlan, LocalityPlan};
use crate::{Cell, Column, ExperimentError, Figure, ResultTable, Results, Row};
use mge_stats::Moments;

/// Shares of invalid individuals: all data sets together beside the published share, then each
/// data set; a figure of the share during evolution.
pub fn invalidity(results: &Results, not_built: &[String]) -> Result<Report, ExperimentError> {
    let title = "Share of individuals that map to nothing, of all evaluations";
    let sheet = compare("invalidity", title, &[Figure::Invalidity], results, not_built)?;
    let mut report = Report::new("invalidity", sheet);
    report.files.push(("data-sets.csv".to_owned(), each_row(results, Figure::Invalidity).csv()));
    let mut curves = Vec::new();
    for method in distinct(results.rows.iter().map(|row| row.method.as_str())) {
        let rows = results.rows.iter().filter(|row| row.method == method);
        let runs: Vec<_> = rows.flat_map(|row| &row.records).collect();
        let length = runs.iter().map(|run| run.curve.len()).min().unwrap_or(0);
        let points = (0..length).map(|place| {
            let at = runs.iter().map(|run| &run.curve[place]);
            let (invalid, all) = at.fold((0, 0), |(invalid, all), point| {
                (invalid + point.invalid_individuals, all + point.evaluations)
            });
            (runs[0].curve[place].generation as f64, invalid as f64 / all.max(1) as f64)
        });
        curves.push(Curve { name: method.to_owned(), points: points.collect() });
    }
    let axes = Axes {
        title: "Invalid individuals, share of all evaluations so far".to_owned(),
        x: "generation".to_owned(),
        y: "share".to_owned(),
    };
    report.files.push(("invalidity.svg".to_owned(), chart(&axes, &curves)?));
    Ok(report)
}

/// Sparsity of the evolved networks.
pub fn sparsity(results: &Results, not_built: &[String]) -> Result<Report, ExperimentError> {
    let title = "Sparsity of evolved networks (1 - connections / connections of the dense network)";
    let all = published()?;
    let told: Vec<&PublishedRow> = all.table("sparsity").collect();
    let mut sheet = each_row(results, Figure::Sparsity);
    sheet.title = title.to_owned();
    for row in told {
        let (runs, data) = (ours(row, results), row.data.clone().unwrap_or_default());
        if let Some((theirs, _)) = row.figure(Figure::Sparsity) {
            let built = if not_built.contains(&row.method) { ", not built here" } else { "" };
            let p = p_value(&against(row, &runs, Figure::Sparsity));
            let p = p.map_or(String::new(), |p| format!(", p {}", Cell::p_text(p)));
            let text =
                format!("The paper says about {theirs} for {} on {data}{p}{built}.", row.method);
            sheet.notes.push(text);
        }
    }
    let mut report = Report::new("sparsity", sheet);
    report.files.push(("runs.csv".to_owned(), each_run(results, Figure::Sparsity).csv()));
    for name in results.data_sets() {
        let axes = Axes {
            title: format!("{name}: sparsity of evolved networks, sorted"),
            x: "share of runs".to_owned(),
            y: "sparsity".to_owned(),
        };
        let rows = results.rows.iter().filter(|row| row.data == name);
        let curves: Vec<Curve> = rows.map(sparsity_curve).collect();
        report.files.push((format!("sparsity-{name}.svg"), chart(&axes, &curves)?));
    }
    Ok(report)
}

/// The runs of one method on one data set, from the densest to the sparsest network.
fn sparsity_curve(row: &Row) -> Curve {
    let mut values = row.sample(Figure::Sparsity);
    values.sort_by(f64::total_cmp);
    let last = values.len().max(2) as f64 - 1.0;
    let points = values.iter().enumerate().map(|(i, &value)| (i as f64 / last, value));
    Curve { name: row.title(), points: points.collect() }
}

/// A figure of every run.
fn each_run(results: &Results, figure: Figure) -> ResultTable {
    let columns = ["Data set", "Method", "Seed", figure.title()].map(Column::from).to_vec();
    let cells = |row: &Row| -> Vec<Vec<Cell>> {
        let runs = row.records.iter().map(|run| {
            let value = Cell::number(figure.of(run), figure.digits());
            let seed = run.entry.seed().to_string();
            vec![row.data.as_str().into(), row.title().into(), seed.into(), value]
        });
        runs.collect()
    };
    let rows = results.rows.iter().flat_map(cells).collect();
    ResultTable { title: figure.title().to_owned(), columns, rows, ..ResultTable::default() }
}

fn each_row(results: &Results, figure: Figure) -> ResultTable {
    let columns = ["Data set", "Method", "Runs", figure.title()].map(Column::from).to_vec();
    let rows = results.rows.iter().map(|row| {
        let runs = row.records.len().to_string();
        vec![
            row.data.as_str().into(),
            row.title().into(),
            runs.into(),
            Cell::mean(row.moments(figure), figure.digits(), false),
        ]
    });
    ResultTable {
        title: figure.title().to_owned(),
        columns,
        rows: rows.collect(),
        ..ResultTable::default()
    }
}

/// Digits of tree edit distances.
const DISTANCE_DIGITS: usize = 2;

/// Locality of each method beside the published table; a curve for each against network size.
pub fn locality_report(methods: &[String], plan: &LocalityPlan) -> Result<Report, ExperimentError> {
    let mut columns: Vec<Column> = vec!["Method".into(), "Individuals".into()];
    for bits in ["1 bit", "2 bits"] {
        columns.extend([bits.into(), format!("{bits} paper").into()]);
        columns.push(format!("{bits} difference").into());
        columns.push(Column::detail(format!("{bits} difference 95 %")));
        columns.push(format!("{bits} p").into());
    }
    columns.extend(
        ["1 bit, if changed", "2 bits, if changed", "Silent 1 bit", "Invalid 1 bit"]
            .map(Column::from),
    );
    let all = published()?;
    let mut sheet = ResultTable {
        title: "Tree edit distance between networks whose genotypes differ by 1 or 2 bits"
            .to_owned(),
        columns,
        rows: Vec::new(),
        notes: vec![
            "Bits are flipped anywhere in the genotype. Silent: the network did not change; if \
             changed: the mean without those. The \
             distance to an individual that maps to nothing is the size of the tree. p: Welch's t."
                .to_owned(),
        ],
        detail_notes: vec!["95 %: Welch's confidence interval of the difference.".to_owned()],
    };
    let mut sizes = ResultTable {
        columns: ["Method", "Neurons", "1 bit", "2 bits"].map(Column::from).to_vec(),
        ..ResultTable::default()
    };
    let mut curves = Vec::new();
    for method in methods {
        let told = all.table("table4").find(|row| row.method == *method);
        let theirs =
            [told.and_then(|row| pair(&row.one_bit)), told.and_then(|row| pair(&row.two_bits))];
        let mean = |moments: Option<Moments>| Cell::mean(moments, DISTANCE_DIGITS, false);
        let found = study::find(method)?.locality(plan)?;
        let mut row: Vec<Cell> =
            vec![method.as_str().into(), found.all[0].count.to_string().into()];
        for (ours, theirs) in found.all.into_iter().zip(theirs) {
            row.push(mean(Some(ours)));
            row.push(Cell::published(theirs, DISTANCE_DIGITS, false));
            row.extend(difference(&ours, theirs, told));
        }
        row.extend(found.changed.map(mean));
        row.extend([Cell::number(found.silent[0], 3), Cell::number(found.invalid[0], 3)]);
        sheet.rows.push(row);
        for (bits, name) in ["H.M.=1", "H.M.=2"].into_iter().enumerate() {
            let points = found.sizes.iter().map(|s| (s.neurons as f64, s.distance[bits].mean));
            curves.push(Curve { name: format!("{method} {name}"), points: points.collect() });
        }
        sizes.rows.extend(found.sizes.iter().map(|size| {
            let neurons = Cell::number(size.neurons as f64, 0);
            let [one, two] = size.distance.map(|distance| mean(Some(distance)));
            vec![method.as_str().into(), neurons, one, two]
        }));
    }
    let axes = Axes {
        title: "Locality: distance after 1 or 2 flipped bits".to_owned(),
        x: "hidden neurons".to_owned(),
        y: "tree edit distance".to_owned(),
    };
    let mut report = Report::new("locality", sheet);
    report.files.push(("locality.svg".to_owned(), chart(&axes, &curves)?));
    report.files.push(("sizes.csv".to_owned(), sizes.csv()));
    Ok(report)
}

fn difference(
    ours: &Moments,
    theirs: Option<(f64, Option<f64>)>,
    row: Option<&PublishedRow>,
) -> [Cell; 3] {
    let (means, test) = match theirs.zip(row) {
        Some((theirs, row)) => {
            (Some((ours.mean, theirs.0)), against_published(row, ours, theirs).ok())
        }
        None => (None, None),
    };
    difference_cells(means, test.as_ref(), DISTANCE_DIGITS)
}

/// Growth of each method; the paper gives a figure without numbers.
pub fn scalability_report(
    methods: &[String],
    plan: &GrowthPlan,
) -> Result<Report, ExperimentError> {
    let columns = ["Method", "Runs", "First best", "Last best", "First mean", "Last mean"];
    let mut sheet = ResultTable {
        title: format!(
            "Connections when only they count: {} generations of {}",
            plan.generations, plan.population
        ),
        columns: columns.map(Column::from).to_vec(),
        rows: Vec::new(),
        notes: vec!["best: of the fittest; mean: of the population; means of all runs.".to_owned()],
        detail_notes: Vec::new(),
    };
    let mut points = ResultTable {
        columns: ["Method", "Generation", "Best", "Mean"].map(Column::from).to_vec(),
        ..ResultTable::default()
    };
    let mut curves = Vec::new();
    for method in methods {
        let growth = study::find(method)?.scalability(plan)?;
        let end = |values: &[f64], last: bool| {
            let value = if last { values.last() } else { values.first() };
            Cell::number(value.copied().unwrap_or(0.0), 1)
        };
        sheet.rows.push(vec![
            method.as_str().into(),
            plan.runs.to_string().into(),
            end(&growth.best, false),
            end(&growth.best, true),
            end(&growth.mean, false),
            end(&growth.mean, true),
        ]);
        for (generation, (&best, &mean)) in growth.best.iter().zip(&growth.mean).enumerate() {
            let generation = Cell::number(generation as f64 + 1.0, 0);
            points.rows.push(vec![
                method.as_str().into(),
                generation,
                Cell::number(best, 1),
                Cell::number(mean, 1),
            ]);
        }
        let line = growth.mean.iter().enumerate().map(|(i, &mean)| (i as f64 + 1.0, mean));
        curves.push(Curve { name: method.clone(), points: line.collect() });
    }
    let axes = Axes {
        title: "Connections when only they count, mean of the population".to_owned(),
        x: "generation".to_owned(),
        y: "connections".to_owned(),
    };
    let mut report = Report::new("scalability", sheet);
    report.files.push(("scalability.svg".to_owned(), chart(&axes, &curves)?));
    report.files.push(("growth.csv".to_owned(), points.csv()));
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conditions, Plan, Store, run_experiment};

    #[test]
    fn sparsity_has_a_figure_for_each_data_set_with_a_curve_for_each_method() {
        let plan = Plan::parse(
            "test",
            "data = ['wine', 'heart']\nmethods = ['mge', 'mu']\nprotocol = '2x70/30'\n\
             settings = { evolution = { population = 10 }, stop = { generations = 2 } }",
        )
        .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("store"));
        run_experiment(&plan.runs().unwrap(), &store, &Conditions::default(), |_| {}).unwrap();
        let results = Results::of(&plan, &store.read().unwrap()).unwrap();
        let report = sparsity(&results, &[]).unwrap();
        let names: Vec<&str> = report.files.iter().map(|file| file.0.as_str()).collect();
        assert_eq!(names, ["runs.csv", "sparsity-wine.svg", "sparsity-heart.svg"]);
        assert_eq!(report.files[0].1.lines().count(), 1 + 2 * 2 * 2);
        for (name, svg) in &report.files[1..] {
            let words: Vec<&str> = svg.lines().map(str::trim).collect();
            assert!(words.contains(&"mge") && words.contains(&"mu"), "{name}");
        }
    }
}
