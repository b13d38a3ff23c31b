//! Crossover and structural mutation on genomes made by hand.

use mge_neat::vary::{add_link, add_node, crossover, random, reenable_link, toggle_link};
use mge_neat::{Genome, InnovationCounters, Innovations, LinkGene, NeatParams, NodeId, Shape};
use mge_random::{Purpose, Stream};

const SHAPE: Shape = Shape { inputs: 2, outputs: 1 };

fn stream(index: u64) -> Stream {
    Stream::at(1, Purpose::Crossover, 0, index)
}

fn link(innovation: u32, from: u32, to: u32, weight: f32, enabled: bool) -> LinkGene {
    LinkGene { innovation, from: NodeId(from), to: NodeId(to), weight, enabled }
}

/// Two parents that share links 0, 1, 2; the first was split at 0, the second at 1 and grew on.
fn parents() -> [Genome; 2] {
    let first = vec![
        link(0, 0, 3, 1.0, false),
        link(1, 1, 3, 1.0, true),
        link(2, 2, 3, 1.0, true),
        link(3, 0, 4, 1.0, true),
        link(4, 4, 3, 1.0, true),
    ];
    let second = vec![
        link(0, 0, 3, 2.0, true),
        link(1, 1, 3, 2.0, false),
        link(2, 2, 3, 2.0, true),
        link(5, 1, 5, 2.0, true),
        link(6, 5, 3, 2.0, true),
        link(7, 0, 5, 2.0, true),
    ];
    [
        Genome::new(SHAPE, vec![NodeId(4)], first).unwrap(),
        Genome::new(SHAPE, vec![NodeId(5)], second).unwrap(),
    ]
}

fn numbers(genome: &Genome) -> Vec<u32> {
    genome.links().iter().map(|link| link.innovation).collect()
}

#[test]
fn a_child_has_the_structure_of_the_fitter_parent_and_weights_of_both() {
    let [first, second] = parents();
    let (mut from_other, mut disabled) = (0, 0);
    for index in 0..1000 {
        let child = crossover(&first, &second, 0.75, &mut stream(index));
        assert_eq!((numbers(&child), child.hidden()), (vec![0, 1, 2, 3, 4], first.hidden()));
        assert!(child.links()[3..].iter().all(|gene| gene.weight == 1.0 && gene.enabled));
        assert!(child.links()[2].enabled, "enabled in both");
        from_other += child.links()[..3].iter().filter(|gene| gene.weight == 2.0).count();
        disabled += child.links()[..2].iter().filter(|gene| !gene.enabled).count();
        let child = crossover(&second, &first, 0.75, &mut stream(index));
        assert_eq!((numbers(&child), child.hidden()), (vec![0, 1, 2, 5, 6, 7], second.hidden()));
    }
    assert!((from_other as f64 / 3000.0 - 0.5).abs() < 0.05, "{from_other}");
    assert!((disabled as f64 / 2000.0 - 0.75).abs() < 0.05, "{disabled}");
}

#[test]
fn a_gene_of_the_fitter_parent_alone_stays_enabled_or_disabled() {
    let only = |enabled| Genome::new(SHAPE, vec![], vec![link(0, 0, 3, 1.0, enabled)]).unwrap();
    let other = Genome::new(SHAPE, vec![], vec![link(1, 1, 3, 1.0, true)]).unwrap();
    for enabled in [true, false] {
        assert_eq!(crossover(&only(enabled), &other, 0.75, &mut stream(0)), only(enabled));
    }
}

#[test]
fn a_split_keeps_the_weight_of_the_link_out_of_the_new_node() {
    let params = NeatParams::default().check(SHAPE).unwrap();
    let mut innovations = Innovations::new(SHAPE, InnovationCounters::first(SHAPE));
    let before =
        vec![link(0, 0, 3, 0.7, true), link(1, 1, 3, 0.2, false), link(2, 2, 3, 0.9, true)];
    let mut genome = Genome::new(SHAPE, vec![], before).unwrap();
    add_node(&mut genome, &params, &mut innovations, &mut stream(0));
    // Link 1 is disabled and link 2 comes from the bias, so there is only one choice.
    let after = vec![
        link(0, 0, 3, 0.7, false),
        link(1, 1, 3, 0.2, false),
        link(2, 2, 3, 0.9, true),
        link(3, 0, 4, 1.0, true),
        link(4, 4, 3, 0.7, true),
    ];
    assert_eq!(genome, Genome::new(SHAPE, vec![NodeId(4)], after).unwrap());
    assert_eq!(innovations.counters(), InnovationCounters { link: 5, node: 5 });
}

#[test]
fn new_links_close_no_cycle_and_reach_every_free_pair() {
    let params = NeatParams::default().check(SHAPE).unwrap();
    let mut innovations = Innovations::new(SHAPE, InnovationCounters { link: 20, node: 6 });
    let links =
        vec![link(10, 0, 4, 1.0, true), link(11, 4, 5, 1.0, false), link(12, 5, 3, 1.0, true)];
    let mut genome = Genome::new(SHAPE, vec![NodeId(4), NodeId(5)], links).unwrap();
    for index in 0..200 {
        add_link(&mut genome, &params, &mut innovations, &mut stream(index));
    }
    // 3 sensors x (2 hidden + output), 4 -> 5, 4 -> out, 5 -> out; never 5 -> 4 or a loop.
    assert_eq!(genome.links().len(), 12);
    assert!(!genome.has_link(NodeId(5), NodeId(4)));
    let known = genome.links().iter().find(|gene| gene.from.0 == 1 && gene.to.0 == 3).unwrap();
    assert_eq!(known.innovation, 1, "a direct link has the number it always has");
    let mut full = random(&params, &mut stream(0));
    let before = full.clone();
    add_link(&mut full, &params, &mut innovations, &mut stream(1));
    assert_eq!(full, before, "no free pair is left");
}

#[test]
fn recurrent_links_are_added_when_they_are_allowed() {
    let params = NeatParams { recurrent: true, ..Default::default() }.check(SHAPE).unwrap();
    let mut innovations = Innovations::new(SHAPE, InnovationCounters { link: 20, node: 5 });
    let links = vec![link(10, 0, 4, 1.0, true), link(11, 4, 3, 1.0, true)];
    let mut genome = Genome::new(SHAPE, vec![NodeId(4)], links).unwrap();
    for index in 0..300 {
        add_link(&mut genome, &params, &mut innovations, &mut stream(index));
    }
    // All of (3 sensors + hidden + output) x (hidden + output).
    assert_eq!(genome.links().len(), 10);
    assert!(genome.has_link(NodeId(3), NodeId(4)) && genome.has_link(NodeId(4), NodeId(4)));
}

#[test]
fn links_are_enabled_and_disabled() {
    let [first, _] = parents();
    let mut genome = first.clone();
    reenable_link(&mut genome);
    assert!(genome.links().iter().all(|gene| gene.enabled));
    toggle_link(&mut genome, &mut stream(0));
    assert_eq!(genome.links().iter().filter(|gene| !gene.enabled).count(), 1);
}

#[test]
fn sparse_genomes_start_with_a_link_for_each_output() {
    let shape = Shape { inputs: 50, outputs: 3 };
    let check = |density, expected: f64| {
        let params = NeatParams { initial_links: density, ..Default::default() };
        let params = params.check(shape).unwrap();
        let mut total = 0;
        for index in 0..300 {
            let genome = random(&params, &mut stream(index));
            assert!((0..3).all(|o| genome.links().iter().any(|gene| gene.to == shape.output(o))));
            assert!(genome.links().iter().all(|gene| gene.weight.abs() <= 1.0));
            total += genome.links().len();
        }
        assert!((total as f64 / 300.0 - expected).abs() < 0.05 * expected, "{density}: {total}");
    };
    check(0.0, 3.0);
    check(0.5, 76.5);
    check(1.0, 153.0);
}
