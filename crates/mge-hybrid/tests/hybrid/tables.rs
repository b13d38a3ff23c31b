//! A table of rings, and searches on it.

use mge_evolve::{Run, StopRules};
use mge_hybrid::{Dependence, Hybrid, HybridError, HybridParams, HybridState, TrainingData};
use mge_net::{Columns, Loss, Targets};
use mge_random::{Purpose, Stream};

pub struct Table {
    pub columns: Columns,
    pub labels: Vec<u32>,
}

/// Which of the two strategies a search uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    Small,
    Large,
}

pub const BOTH: [Size; 2] = [Size::Small, Size::Large];

/// The limit of all networks of these searches.
pub const MAX_OPS: usize = 90;

/// Classes are rings around the origin of the first two of five features.
pub fn rings(rows: usize, classes: u32) -> Table {
    let mut columns = vec![Vec::new(); 5];
    let mut labels = Vec::new();
    let mut stream = Stream::at(3, Purpose::Seed, 0, 0);
    for row in 0..rows {
        for column in &mut columns {
            column.push((4.0 * stream.unit() - 2.0) as f32);
        }
        let (x, y): (f32, f32) = (columns[0][row], columns[1][row]);
        labels.push(((x * x + y * y) as u32).min(classes - 1));
    }
    Table { columns: Columns::from_columns(columns).unwrap(), labels }
}

/// Rings with as many rows as the strategy needs.
pub fn rings_for(size: Size, classes: u32) -> Table {
    rings(if size == Size::Large { 1200 } else { 150 }, classes)
}

pub fn search(table: &Table, classes: usize, size: Size) -> Hybrid {
    search_with(table, classes, size, |params| params).unwrap()
}

pub fn search_with(
    table: &Table,
    classes: usize,
    size: Size,
    change: impl Fn(HybridParams) -> HybridParams,
) -> Result<Hybrid, HybridError> {
    let params = HybridParams {
        max_ops: Some(MAX_OPS),
        budgets: vec![33, 61],
        budget_ratio: Some(1.5),
        cv_folds: 3,
        cv_repeats: Some(1),
        iterations: 30,
        epochs: Some(40),
        large_table_rows: if size == Size::Large { 1000 } else { 10_000 },
        ..Default::default()
    };
    let params = change(params).check().unwrap();
    let (columns, loss) = (&table.columns, Loss::CrossEntropy);
    let targets = Targets::classes(&table.labels, classes);
    let data = TrainingData {
        columns,
        targets,
        loss,
        is_balanced: false,
        dependence: Dependence::Independent,
    };
    Hybrid::new(data, params, 5)
}

pub fn run(search: &Hybrid, generations: u64) -> HybridState {
    let stop = StopRules { generations: Some(generations), ..Default::default() };
    Run::new(search, stop.check().unwrap()).run().unwrap().state
}

/// Enough generations to vary configurations on small tables, and to breed offspring on large ones,
/// which begin after the five first configurations.
pub fn some_generations(size: Size) -> u64 {
    if size == Size::Large { 7 } else { 3 }
}
