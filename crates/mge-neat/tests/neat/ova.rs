//! One-versus-all: several binary searches as one.

use crate::tasks::{FiveLinks, Rows, lively};
use mge_evolve::{Evaluate, Run, Search, StopRules};
use mge_neat::{
    Genome, Mapper, NeatParamError, NeatParams, OvaGenome, OvaNeat, OvaState, Shape, Workspace,
};
use mge_net::{OutputLink, reference};

fn search(rows: &Rows, classes: u32, raw: NeatParams) -> OvaNeat<impl Evaluate<Genome> + use<>> {
    let params = raw.check(Shape { outputs: 1, ..rows.shape }).unwrap();
    let binary = |class: u32| -> Vec<u32> {
        rows.labels.iter().map(|&label| u32::from(label == class)).collect()
    };
    let evaluator = |class| rows.loss(&binary(class), &params);
    OvaNeat::new((0..classes).map(evaluator).collect(), &params, 3).unwrap()
}

fn accuracy(best: &OvaGenome, rows: &Rows) -> f64 {
    let params = NeatParams::default().check(Shape { outputs: 1, ..rows.shape }).unwrap();
    let network = best.map(&Mapper::new(&params), &mut Workspace::default()).unwrap();
    let link = OutputLink::for_outputs(network.outputs().len());
    let all = reference::probabilities_of(&network, link, &rows.columns).unwrap();
    let right = all.predicted_classes().zip(&rows.labels);
    let right = right.filter(|(class, label)| *class == **label as usize).count();
    right as f64 / rows.labels.len() as f64
}

#[test]
fn sectors_are_classified_and_evaluations_are_summed() {
    for classes in [2, 4] {
        let rows = Rows::sectors(classes, 200);
        let raw = NeatParams { population: 50, ..Default::default() };
        let search = search(&rows, classes as u32, raw);
        let budget = 50 * classes as u64 * 40;
        assert_eq!(search.cost_of_start(), 50 * classes as u64);
        let stop = StopRules { evaluations: Some(budget + 1), ..Default::default() };
        let outcome = Run::new(&search, stop.check().unwrap()).run().unwrap();
        assert_eq!(outcome.progress.evaluations, budget);
        assert_eq!(search.history(&outcome.state).len(), 40);
        let losses: Vec<f64> = outcome.state.searches().iter().map(|s| s.best_loss()).collect();
        let mean = losses.iter().sum::<f64>() / classes as f64;
        assert_eq!(outcome.progress.best_loss, mean);
        let accuracy = accuracy(search.best(&outcome.state), &rows);
        assert!(accuracy > 0.85, "{classes}: {accuracy}");
    }
}

/// The outputs of the merged network are those of the binary ones, or their difference.
#[test]
fn a_merged_network_has_the_outputs_of_its_parts() {
    for classes in [2, 3] {
        let rows = Rows::sectors(classes, 60);
        let search = search(&rows, classes as u32, lively(20));
        let mut state = search.start();
        (0..30).for_each(|_| search.step(&mut state));
        let mapper = Mapper::new(search.searches()[0].params());
        let workspace = &mut Workspace::default();
        let best = search.best(&state);
        let parts: Vec<_> =
            best.classes.iter().map(|genome| mapper.map(genome, workspace).unwrap()).collect();
        assert!(parts.iter().any(|part| !part.neurons().is_empty()));
        let whole = best.map(&mapper, workspace).unwrap();
        let neurons: usize = parts.iter().map(|part| part.neurons().len()).sum();
        assert_eq!(
            (whole.neurons().len(), whole.outputs().len()),
            (neurons, OutputLink::for_classes(classes).outputs())
        );
        for row in [[0.3, -0.8], [-0.5, 0.1]] {
            let mut expected: Vec<f64> =
                parts.iter().map(|part| reference::outputs(part, &row)[0]).collect();
            if classes == 2 {
                expected = vec![expected[1] - expected[0]];
            }
            for (found, expected) in reference::outputs(&whole, &row).iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-5, "{found} {expected}");
            }
        }
    }
}

#[test]
fn the_searches_are_independent_and_can_be_resumed() {
    let rows = Rows::sectors(3, 60);
    let whole = || {
        let search = search(&rows, 3, lively(20));
        let mut state = search.start();
        (0..10).for_each(|_| search.step(&mut state));
        postcard::to_stdvec(&state).unwrap()
    };
    let first = search(&rows, 3, lively(20)).start();
    assert_ne!(first.searches()[0].genomes(), first.searches()[1].genomes());

    let mut state = first;
    for _ in 0..10 {
        let bytes = postcard::to_stdvec(&state).unwrap();
        state = postcard::from_bytes::<OvaState>(&bytes).unwrap();
        let search = search(&rows, 3, lively(20));
        assert!(search.is_valid_state(&state));
        search.step(&mut state);
    }
    assert_eq!(postcard::to_stdvec(&state).unwrap(), whole());
    assert!(!search(&rows, 3, lively(21)).is_valid_state(&state));
    assert!(!search(&Rows::sectors(4, 60), 4, lively(20)).is_valid_state(&state));
}

#[test]
fn too_few_classes_and_several_outputs_are_refused() {
    let shape = Shape { inputs: 2, outputs: 1 };
    let binary = lively(10).check(shape).unwrap();
    let error = OvaNeat::new(vec![FiveLinks], &binary, 1).unwrap_err();
    assert_eq!(error, NeatParamError::Classes { found: 1 });
    let several = lively(10).check(Shape { outputs: 3, ..shape }).unwrap();
    let error = OvaNeat::new(vec![FiveLinks, FiveLinks], &several, 1).unwrap_err();
    assert_eq!(error, NeatParamError::NotBinary { outputs: 3 });
}
