//! Plans: expansion into runs, keys, options, and the TOML form.

use crate::plan;
use mge::Settings;
use mge_experiment::{ExperimentPlan, RunEntry};

#[test]
fn a_plan_multiplies_everything_and_pairs_the_splits() {
    let runs = plan(
        "data = ['wdbc', 'wine']\nmethods = ['mge', 'mu']\nprotocol = ['3x70/30', '2-fold']\n\
         variations = [{ name = 'a' }, { name = 'b', settings = { loss = 'mse' } }]",
    )
    .runs()
    .unwrap();
    assert_eq!(runs.len(), 2 * 2 * 2 * (3 + 2));
    let mut keys: Vec<String> = runs.iter().map(RunEntry::key).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), runs.len(), "all keys differ");
    let seeds = |method: &str| -> Vec<u64> {
        let of_method = runs.iter().filter(|run| run.method == method);
        of_method.map(RunEntry::seed).collect()
    };
    assert_eq!(seeds("mge"), seeds("mu"));
}

#[test]
fn names_and_repetitions_are_not_in_the_key() {
    let key = |text: &str| plan(text).runs().unwrap()[0].key();
    let one = key("data = ['wdbc']\nmethods = ['mge']\nprotocol = '3x70/30'");
    let more = key("data = ['wdbc']\nmethods = [{name = 'x', method = 'mge'}]");
    assert_eq!(one, more);
    assert_ne!(one, key("seed = 2\ndata = ['wdbc']\nmethods = ['mge']"));
    // Stores outlive programs: a key changes only with the algorithm version.
    assert_eq!((mge::Method::MGE.algorithm_version(), one.as_str()), (1, "a6d0a53227127a97"));
}

#[test]
fn a_file_is_identified_by_its_content() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
    };
    write("x.csv", "a,b,c\n1,2,p\n2,1,q\n3,1,p\n");
    write("y.csv", "a,b,c\n1,2,p\n2,1,q\n3,1,p\n");
    write("z.csv", "a,b,c\n1,2,p\n2,1,q\n3,4,p\n");
    write("table", "a,b,c\n1,2,p\n2,1,q\n3,4,p\n");
    let keys = |data: &str| -> Vec<String> {
        let text = format!("data = {data}\nmethods = ['mge']\nprotocol = '1x70/30'");
        write("plan.toml", &text);
        let plan = ExperimentPlan::read(&folder.path().join("plan.toml")).unwrap();
        plan.runs().unwrap().iter().map(RunEntry::key).collect()
    };
    let key = keys("['x.csv']");
    assert_eq!(key, keys("['./x.csv']"));
    assert_eq!(key, keys("['y.csv']"));
    assert_ne!(key, keys("['z.csv']"));
    assert_eq!(keys("['z.csv']"), keys("['table']"));
    let two = keys("[{ name = 'x.csv', target = 'c' }, { name = 'x.csv', target = 'a' }]");
    assert!(two.len() == 2 && two[0] != two[1], "{two:?}");
    // The same holds for a grammar.
    let text = mge::grammar::shipped::find("authors").unwrap().text;
    write("g.bnf", text);
    write("h.bnf", text);
    let grammar = |name: &str| {
        let path = folder.path().join(name);
        let overrides = Settings { grammar: Some(path), ..Settings::default() };
        let plan = plan("data = ['wine']\nmethods = ['mge']").with_settings(overrides);
        plan.runs().unwrap()[0].key()
    };
    assert_eq!(grammar("g.bnf"), grammar("h.bnf"));
}

#[test]
fn the_toml_of_a_plan_repeats_its_runs() {
    let first = plan(
        "protocol = '3x70/30'\nseed = 5\n[settings]\nstop.generations = 5\n\
         [[parts]]\ndata = ['wdbc', { name = 'heart', settings = { stop = { generations = 7 } } }]\n\
         methods = ['mge', 'knn', { name = 'wide', method = 'mu', settings = { loss = 'mse' } }]\n\
         [[parts]]\ndata = ['wine']\nmethods = ['eta']\n\
         variations = [{ name = 'a' }, { name = 'b', settings = { stop = { generations = 9 } } }]",
    );
    let mut overrides = Settings { grammar: Some("authors".into()), ..Settings::default() };
    let names = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect());
    let mut chosen = vec![first.clone()];
    chosen.push(first.clone().with_repetitions(Some(2)).with_settings(overrides.clone()));
    overrides.stop.generations = Some(20);
    chosen.push(first.clone().with_data_sets(names(&["heart", "wine"])).unwrap());
    chosen.push(first.with_methods(names(&["wide"])).unwrap().with_settings(overrides));
    for plan in chosen {
        let files = plan.to_toml().unwrap();
        assert_eq!((files.len(), files[0].name.as_str()), (1, "plan.toml"));
        let again = ExperimentPlan::parse("other", &files[0].text).unwrap();
        assert_eq!(again.name, "test");
        assert_eq!(again.runs().unwrap(), plan.available_runs().unwrap(), "{}", files[0].text);
    }
}

#[test]
fn duplicate_names_give_one_run() {
    let count = |text: &str| plan(text).runs().unwrap().len();
    assert_eq!(count("data = ['wdbc', 'wdbc']\nmethods = ['mge', 'mge', 'mu']"), 2 * 30);
    let part = "[[parts]]\ndata = ['wdbc']\nmethods = ['mge']\n";
    assert_eq!(count(&format!("protocol = '3x70/30'\n{part}{part}")), 3);
    let other = "protocol = '2x70/30'\n";
    assert_eq!(count(&format!("protocol = '3x70/30'\n{part}{part}{other}")), 3 + 2);
}

#[test]
fn parts_inherit_from_the_top_level() {
    let plan = plan(
        "protocol = '1x70/30'\n[settings]\nstop.generations = 5\n\
         [[parts]]\ndata = ['wdbc']\nmethods = ['mge', 'ge-like']\n\
         [[parts]]\ndata = ['wine']\nmethods = ['eta']",
    );
    assert_eq!(plan.unavailable_methods(), ["ge-like"]);
    let names: Vec<String> =
        plan.available_runs().unwrap().iter().map(RunEntry::to_string).collect();
    assert_eq!(names, ["wdbc mge 70/30 #1", "wine eta 70/30 #1"]);
    assert!(plan.runs().is_err());
    let wine = Some(vec!["wine".to_owned()]);
    let only = plan.clone().with_data_sets(wine).unwrap().with_repetitions(Some(4));
    assert_eq!(only.available_runs().unwrap().len(), 4);
    let other = only.with_data_sets(Some(vec!["wdbc".to_owned()])).unwrap_err().to_string();
    assert_eq!(other, "the plan test has no data set `wdbc`; expected some of wine");
    let mge = plan.clone().with_methods(Some(vec!["mge".to_owned()])).unwrap();
    assert_eq!((mge.runs().unwrap().len(), mge.unavailable_methods().len()), (1, 0));
    assert!(plan.with_methods(Some(vec!["mu".to_owned()])).is_err());
}
