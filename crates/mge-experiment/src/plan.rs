//! Plans: what is to be compared, as a TOML file.
//!
//! ```toml
//! name = "small"                      # default: the file's name
//! seed = 1                            # repetition r runs with seed + r - 1
//! data = ["wdbc", { name = "own.csv", target = "fault" }]
//! methods = ["mge", "mu", { name = "wide", method = "mge", settings = { evolution.population = 500 } }]
//! protocol = "paper"                  # or "30x70/30", or a list of several
//! [settings]                          # of all runs, as in `mge fit --config`
//! stop.generations = 100
//! [[variations]]                      # each run once with each of these
//! name = "plain"
//! [[variations]]
//! name = "authors"
//! settings = { grammar = "authors" }
//! [[parts]]                           # more products; each inherits what it does not say
//! data = ["wine"]
//! methods = ["alpha"]
//! ```

mod content;
mod expand;
mod raw;
mod written;

use crate::distinct::distinct;
use crate::{ExperimentError, RunEntry, Tables, method_settings};
use content::Contents;
use mge::Settings;
use raw::{MethodSpec, MethodTable, RawPart, RawPlan};
use std::path::{Path, PathBuf};

/// The most runs of a plan: what is more is a slip of the pen, and would not fit into memory.
const MOST_RUNS: usize = 1_000_000;

/// A plan that was read.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    raw: RawPlan,
    folder: PathBuf,
    repetitions: Option<usize>,
    only: Option<Vec<String>>,
    only_methods: Option<Vec<String>>,
    over: Settings,
    contents: Contents,
}

impl Plan {
    /// Reads a plan from a file. Files that it names are looked up beside it.
    pub fn read(path: &Path) -> Result<Self, ExperimentError> {
        let text =
            std::fs::read_to_string(path).map_err(ExperimentError::file("read the plan", path))?;
        let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { folder, ..Self::parse(&stem, &text)? })
    }

    /// Reads a plan from a text; `name` is taken if it has none.
    pub fn parse(name: &str, text: &str) -> Result<Self, ExperimentError> {
        let raw: RawPlan = toml::from_str(text)
            .map_err(|e| ExperimentError::Plan { name: name.to_owned(), source: Box::new(e) })?;
        Ok(Self {
            name: raw.name.clone().unwrap_or_else(|| name.to_owned()),
            text: text.to_owned(),
            raw,
            folder: PathBuf::new(),
            repetitions: None,
            only: None,
            only_methods: None,
            over: Settings::default(),
            contents: Contents::default(),
        })
    }

    /// The plan with other repetitions.
    pub fn repeated(mut self, repetitions: Option<usize>) -> Self {
        self.repetitions = repetitions.or(self.repetitions);
        self
    }

    /// The plan for some of its data sets only; `None` for all of them.
    pub fn only_data(mut self, names: Option<Vec<String>>) -> Result<Self, ExperimentError> {
        let known = self.data_sets();
        self.check_known("data set", &names, &known)?;
        self.only = names.or(self.only);
        Ok(self)
    }

    /// The plan for some of its methods only, by the names that the plan gives them; `None` for all
    /// of them.
    pub fn only_methods(mut self, names: Option<Vec<String>>) -> Result<Self, ExperimentError> {
        let known = distinct(self.methods().into_iter().map(|method| method.name));
        self.check_known("method", &names, &known)?;
        self.only_methods = names.or(self.only_methods);
        Ok(self)
    }

    fn check_known(
        &self,
        what: &'static str,
        names: &Option<Vec<String>>,
        known: &[String],
    ) -> Result<(), ExperimentError> {
        match names.iter().flatten().find(|name| !known.contains(name)) {
            Some(found) => Err(ExperimentError::NotInPlan {
                name: self.name.clone(),
                what,
                found: found.clone(),
                known: known.join(", "),
            }),
            None => Ok(()),
        }
    }

    /// The plan with settings that win over its own.
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.over = settings.over(self.over);
        self
    }

    /// The plan with data from these tables.
    pub fn with_tables(mut self, tables: Tables) -> Self {
        self.contents = Contents::new(tables);
        self
    }

    /// Where its data comes from, for those who do its runs or look whether it is there.
    pub fn tables(&self) -> &Tables {
        &self.contents.tables
    }

    /// The names of the data sets, in order.
    pub fn data_sets(&self) -> Vec<String> {
        let data = self.parts().into_iter().flat_map(|part| part.data.unwrap_or_default());
        distinct(data.map(|spec| spec.table().name).filter(|name| self.wants(name)))
    }

    /// Methods that the plan names and this build does not have.
    pub fn not_built(&self) -> Vec<String> {
        let wanted = self.methods().into_iter().filter(|method| self.wants_method(&method.name));
        let names = wanted.map(|method| method.known().to_owned());
        distinct(names.filter(|name| method_settings(name).is_err()))
    }

    /// All runs, in order: parts, data sets, protocols, methods, settings, repetitions, folds.
    pub fn runs(&self) -> Result<Vec<RunEntry>, ExperimentError> {
        self.expand(|_| true)
    }

    /// All runs of methods that this build has; see [`Plan::not_built`] for the others.
    pub fn runs_of_built(&self) -> Result<Vec<RunEntry>, ExperimentError> {
        self.expand(|method| method_settings(method).is_ok())
    }

    fn methods(&self) -> Vec<MethodTable> {
        let specs = self.parts().into_iter().flat_map(|part| part.methods.unwrap_or_default());
        specs.map(MethodSpec::table).collect()
    }

    fn wants(&self, data: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|name| name == data))
    }

    fn wants_method(&self, method: &str) -> bool {
        self.only_methods.as_ref().is_none_or(|only| only.iter().any(|name| name == method))
    }

    fn parts(&self) -> Vec<RawPart> {
        let raw = &self.raw;
        let whole = RawPart {
            data: raw.data.clone(),
            methods: raw.methods.clone(),
            protocol: raw.protocol.clone(),
            repetitions: raw.repetitions,
            settings: raw.settings.clone(),
            variations: raw.variations.clone(),
        };
        // The plan's own product counts only if it is whole, or if there is no other.
        let own = (raw.data.is_some() && raw.methods.is_some()) || raw.parts.is_empty();
        let others = raw.parts.iter().cloned().map(|part| RawPart {
            data: part.data.or(whole.data.clone()),
            methods: part.methods.or(whole.methods.clone()),
            protocol: part.protocol.or(whole.protocol.clone()),
            repetitions: part.repetitions.or(whole.repetitions),
            settings: part.settings.over(whole.settings.clone()),
            variations: part.variations.or(whole.variations.clone()),
        });
        let own = own.then(|| whole.clone());
        own.into_iter().chain(others).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Plan {
        Plan::parse("test", text).unwrap()
    }

    #[test]
    fn everything_is_multiplied_and_splits_are_paired() {
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
        assert_eq!(keys.len(), runs.len(), "every run is another one");
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
        // Stores outlive programs: a key changes with the behaviour alone.
        assert_eq!((mge::Method::MGE.algorithm_version(), one.as_str()), (1, "a6d0a53227127a97"));
    }

    #[test]
    fn a_file_is_known_by_its_content() {
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
            let plan = Plan::read(&folder.path().join("plan.toml")).unwrap();
            plan.runs().unwrap().iter().map(RunEntry::key).collect()
        };
        let key = keys("['x.csv']");
        assert_eq!(key, keys("['./x.csv']"));
        assert_eq!(key, keys("['y.csv']"));
        assert_ne!(key, keys("['z.csv']"));
        assert_eq!(keys("['z.csv']"), keys("['table']"));
        let two = keys("[{ name = 'x.csv', target = 'c' }, { name = 'x.csv', target = 'a' }]");
        assert!(two.len() == 2 && two[0] != two[1], "{two:?}");
        // So is a grammar.
        let text = mge::grammar::shipped::find("authors").unwrap().text;
        write("g.bnf", text);
        write("h.bnf", text);
        let grammar = |name: &str| {
            let path = folder.path().join(name);
            let over = Settings { grammar: Some(path), ..Settings::default() };
            let plan = plan("data = ['wine']\nmethods = ['mge']").with_settings(over);
            plan.runs().unwrap()[0].key()
        };
        assert_eq!(grammar("g.bnf"), grammar("h.bnf"));
    }

    #[test]
    fn a_written_plan_repeats_its_runs() {
        let first = plan(
            "protocol = '3x70/30'\nseed = 5\n[settings]\nstop.generations = 5\n\
             [[parts]]\ndata = ['wdbc', { name = 'heart', settings = { stop = { generations = 7 } } }]\n\
             methods = ['mge', 'knn', { name = 'wide', method = 'mu', settings = { loss = 'mse' } }]\n\
             [[parts]]\ndata = ['wine']\nmethods = ['eta']\n\
             variations = [{ name = 'a' }, { name = 'b', settings = { stop = { generations = 9 } } }]",
        );
        let mut over = Settings { grammar: Some("authors".into()), ..Settings::default() };
        let names = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect());
        let mut chosen = vec![first.clone()];
        chosen.push(first.clone().repeated(Some(2)).with_settings(over.clone()));
        over.stop.generations = Some(20);
        chosen.push(first.clone().only_data(names(&["heart", "wine"])).unwrap());
        chosen.push(first.only_methods(names(&["wide"])).unwrap().with_settings(over));
        for plan in chosen {
            let files = plan.written().unwrap();
            assert_eq!((files.len(), files[0].0.as_str()), (1, "plan.toml"));
            let again = Plan::parse("other", &files[0].1).unwrap();
            assert_eq!(again.name, "test");
            assert_eq!(again.runs().unwrap(), plan.runs_of_built().unwrap(), "{}", files[0].1);
        }
    }

    #[test]
    fn what_is_named_twice_is_run_once() {
        let count = |text: &str| plan(text).runs().unwrap().len();
        assert_eq!(count("data = ['wdbc', 'wdbc']\nmethods = ['mge', 'mge', 'mu']"), 2 * 30);
        let part = "[[parts]]\ndata = ['wdbc']\nmethods = ['mge']\n";
        assert_eq!(count(&format!("protocol = '3x70/30'\n{part}{part}")), 3);
        let other = "protocol = '2x70/30'\n";
        assert_eq!(count(&format!("protocol = '3x70/30'\n{part}{part}{other}")), 3 + 2);
    }

    #[test]
    fn parts_inherit_and_add() {
        let plan = plan(
            "protocol = '1x70/30'\n[settings]\nstop.generations = 5\n\
             [[parts]]\ndata = ['wdbc']\nmethods = ['mge', 'ge-like']\n\
             [[parts]]\ndata = ['wine']\nmethods = ['eta']",
        );
        assert_eq!(plan.not_built(), ["ge-like"]);
        let names: Vec<String> =
            plan.runs_of_built().unwrap().iter().map(RunEntry::to_string).collect();
        assert_eq!(names, ["wdbc mge 70/30 #1", "wine eta 70/30 #1"]);
        assert!(plan.runs().is_err());
        let wine = Some(vec!["wine".to_owned()]);
        let only = plan.clone().only_data(wine).unwrap().repeated(Some(4));
        assert_eq!(only.runs_of_built().unwrap().len(), 4);
        let other = only.only_data(Some(vec!["wdbc".to_owned()])).unwrap_err().to_string();
        assert_eq!(other, "the plan test has no data set `wdbc`; expected some of wine");
        let mge = plan.clone().only_methods(Some(vec!["mge".to_owned()])).unwrap();
        assert_eq!((mge.runs().unwrap().len(), mge.not_built().len()), (1, 0));
        assert!(plan.only_methods(Some(vec!["mu".to_owned()])).is_err());
    }

    #[test]
    fn what_a_plan_cannot_mean_is_an_error() {
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
        assert!(Plan::parse("x", "dta = []").is_err());
    }
}
