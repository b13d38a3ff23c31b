//! Errors of plans: what is wrong, where, and what was expected.

use crate::plan;
use mge_experiment::ExperimentPlan;

fn parse_error(text: &str) -> String {
    ExperimentPlan::parse("small", text).unwrap_err().to_string()
}

#[test]
fn invalid_plans_are_errors() {
    let error = |text: &str| plan(text).runs().unwrap_err().to_string();
    assert_eq!(
        error("methods = ['mge']"),
        "the plan test has no data set, expected at least one in `data`"
    );
    let seconds = "data = ['wdbc']\nmethods = ['mge']\nsettings.stop.seconds = 3";
    assert!(error(seconds).starts_with("a plan cannot set `stop.seconds`"));
    let variant = "data = ['wdbc']\nmethods = ['mge', 'eta']\nsettings.variant = 'mu'";
    assert!(error(variant).starts_with("a plan cannot set `variant`"));
    let method = "data = ['wdbc']\nmethods = ['ge']\nsettings.method = 'sge'";
    assert!(error(method).starts_with("a plan cannot set `method`"));
    let same = "data = ['wdbc']\nmethods = ['mge', {name = 'mge', method = 'mu'}]";
    assert!(error(same).starts_with("the plan has two different runs named wdbc mge"));
    let none = "data = ['wdbc']\nmethods = ['mge']\nrepetitions = 0";
    assert!(error(none).contains("has no repetition, expected at least one"));
    for protocol in ["99999999x70/30", "9999999999-fold", "9999999999x9999999999-fold"] {
        let much = format!("data = ['wdbc']\nmethods = ['mge']\nprotocol = '{protocol}'");
        assert!(error(&much).contains("more than 1000000 runs"), "{protocol}");
    }
    assert_eq!(
        error("data = ['wdbc']\nmethods = ['mge']\nprotocol = []"),
        "the plan test has no protocol, expected at least one in `protocol`"
    );
    let unknown = error("data = ['wdbc', 'wibe']\nmethods = ['mge']");
    assert!(unknown.starts_with("the plan test, `data`: "), "{unknown}");
    assert!(unknown.contains("`wibe`") && unknown.contains("wine"), "{unknown}");
    let missing = error("data = ['no-such-file.csv']\nmethods = ['mge']");
    assert!(missing.contains("no-such-file.csv"), "{missing}");
    assert!(ExperimentPlan::parse("x", "dta = []").is_err());
}

#[test]
fn unknown_entries_and_wrong_types_are_reported_with_their_line() {
    let error = parse_error("data = ['wine']\nmethod = ['mge']");
    assert!(error.starts_with("the plan small is wrong: "), "{error}");
    assert!(error.contains("line 2") && error.contains("unknown field `method`"), "{error}");
    assert!(error.contains("`methods`"), "the error names the known entries: {error}");
    assert!(parse_error("data = 'wine'").contains("line 1"));
    assert!(parse_error("[[parts]]\nvariations = [{ settings = {} }]").contains("name"));
    assert!(parse_error("[settings]\nhybrid.no_such = 1").contains("no_such"));
    assert!(parse_error("data = [").contains("line 1"));
}

#[test]
fn an_unknown_method_and_an_unavailable_one_differ() {
    let error = |method: &str| {
        plan(&format!("data = ['wine']\nmethods = ['{method}']")).runs().unwrap_err().to_string()
    };
    let unknown = error("mgee");
    assert!(unknown.starts_with("unknown method `mgee`; expected one of mge, alpha"), "{unknown}");
    assert!(unknown.contains("hybrid") && unknown.contains("ova-neat"), "{unknown}");
    assert_eq!(error("knn"), "method knn is not built");
}

#[test]
fn a_missing_plan_file_is_an_error_with_its_path() {
    let error = ExperimentPlan::read(std::path::Path::new("no-such-plan.toml")).unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with("cannot read the plan no-such-plan.toml: "), "{error}");
}

#[test]
fn a_wrong_protocol_is_an_error_with_examples() {
    let text = "data = ['wine']\nmethods = ['mge']\nprotocol = '70-30'";
    let error = plan(text).runs().unwrap_err().to_string();
    assert!(error.starts_with("unknown protocol `70-30`; expected 30x70/30"), "{error}");
}
