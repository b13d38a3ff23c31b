//! What the rules mean together: names are resolved, and every rule can be reached and can end.

use std::collections::{HashMap, HashSet};

use super::error::{Found, Problem, Warning};
use super::range::{Range, hidden_range};
use super::scan::{RawPiece, RawRule};
use super::{Alternative, Piece, Rule};

/// Stands for a symbol without a rule; a template with one is never built.
const UNDEFINED: u32 = u32::MAX;

/// Rules with names resolved to rule numbers, and the places of ranges that are plain text.
pub(super) struct Resolved {
    pub rules: Vec<Rule>,
    pub ranges_in_text: Vec<(usize, String)>,
}

/// Resolves names. Of two rules with one name the first stands.
pub(super) fn resolve(raw: &[RawRule], found: &mut Vec<Found>) -> Resolved {
    let mut numbers: HashMap<&str, u32> = HashMap::with_capacity(raw.len());
    let mut first: Vec<&RawRule> = Vec::with_capacity(raw.len());
    for rule in raw {
        numbers.entry(rule.name).or_insert_with(|| {
            first.push(rule);
            first.len() as u32 - 1
        });
    }
    let mut names =
        Names { numbers, complained: HashSet::new(), found, ranges_in_text: Vec::new() };
    let mut rules = Vec::with_capacity(first.len());
    for rule in raw {
        let alternatives = rule.alternatives.iter().map(|p| names.alternative(p)).collect();
        let original = first[names.numbers[rule.name] as usize];
        if original.at == rule.at {
            rules.push(Rule { name: rule.name.into(), at: rule.at, len: rule.len, alternatives });
        } else {
            let problem = Problem::Duplicate { name: rule.name.to_owned(), first_line: 0 };
            let related = Some((original.at, original.len));
            names.found.push(Found { at: rule.at, len: rule.len, related, problem });
        }
    }
    Resolved { rules, ranges_in_text: names.ranges_in_text }
}

struct Names<'t, 'f> {
    numbers: HashMap<&'t str, u32>,
    /// Undefined names that are reported already: one message for each name is enough.
    complained: HashSet<&'t str>,
    found: &'f mut Vec<Found>,
    ranges_in_text: Vec<(usize, String)>,
}

impl<'t> Names<'t, '_> {
    fn alternative(&mut self, raw: &[RawPiece<'t>]) -> Alternative {
        if let [RawPiece::Plain { text, at }] = raw {
            match Range::read(text, *at) {
                Some(Ok(range)) => return Alternative::Range(range),
                Some(Err(problem)) => {
                    self.found.push(Found::new(*at, text.len(), Problem::Range(problem)));
                }
                None => {}
            }
        }
        Alternative::Sequence(raw.iter().filter_map(|piece| self.piece(piece)).collect())
    }

    /// `None` for the explicit empty text.
    fn piece(&mut self, raw: &RawPiece<'t>) -> Option<Piece> {
        let text = |text: &str| (!text.is_empty()).then(|| Piece::Text(text.into()));
        match raw {
            RawPiece::Plain { text: plain, at } => {
                if let Some(range) = hidden_range(plain) {
                    self.ranges_in_text.push((*at, range.to_owned()));
                }
                text(plain)
            }
            RawPiece::Quoted(quoted) => text(quoted),
            RawPiece::Space(spaces) => Some(Piece::Space(*spaces)),
            RawPiece::Symbol { name, at, len } => {
                let number = self.numbers.get(name).copied().unwrap_or(UNDEFINED);
                if number == UNDEFINED && self.complained.insert(name) {
                    let problem = Problem::Undefined { name: (*name).to_owned(), nearest: None };
                    self.found.push(Found::new(*at, *len, problem));
                }
                Some(Piece::Symbol(number))
            }
        }
    }
}

/// Reports the rules from which no derivation ever ends.
pub(super) fn check_endings(rules: &[Rule], found: &mut Vec<Found>) {
    let ends = ending(rules);
    let mut endless = rules.iter().zip(&ends).filter(|(_, ends)| !**ends).map(|(rule, _)| rule);
    let Some(first) = endless.next() else { return };
    let names = std::iter::once(first).chain(endless).map(|rule| rule.name.to_string()).collect();
    found.push(Found::new(first.at, first.len, Problem::NeverEnds { names }));
}

/// For each rule whether some derivation from it ends. Counts, for each alternative, the symbols
/// that are not yet known to end, and settles rules as the counts reach zero: linear in the text.
fn ending(rules: &[Rule]) -> Vec<bool> {
    let mut ends = vec![false; rules.len()];
    // For each alternative its rule and its open symbols; for each rule the alternatives using it.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); rules.len()];
    let mut settled = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        for alternative in &rule.alternatives {
            let mut symbols = 0;
            for symbol in alternative.symbols().filter(|s| *s != UNDEFINED) {
                users[symbol as usize].push(open.len());
                symbols += 1;
            }
            open.push((number, symbols));
            if symbols == 0 && !std::mem::replace(&mut ends[number], true) {
                settled.push(number);
            }
        }
    }
    while let Some(number) = settled.pop() {
        for &alternative in &users[number] {
            let (user, symbols) = &mut open[alternative];
            *symbols -= 1;
            if *symbols == 0 && !std::mem::replace(&mut ends[*user], true) {
                settled.push(*user);
            }
        }
    }
    ends
}

/// For each rule whether the first one leads to it.
pub(crate) fn reachable(rules: &[Rule]) -> Vec<bool> {
    let mut reached = vec![false; rules.len()];
    let mut open = Vec::new();
    if let Some(start) = reached.first_mut() {
        *start = true;
        open.push(0);
    }
    while let Some(number) = open.pop() {
        for symbol in rules[number].alternatives.iter().flat_map(Alternative::symbols) {
            if !std::mem::replace(&mut reached[symbol as usize], true) {
                open.push(symbol as usize);
            }
        }
    }
    reached
}

/// What is allowed but probably not meant, in the order of the text.
pub(super) fn warnings(
    source: &str,
    rules: &[Rule],
    ranges_in_text: Vec<(usize, String)>,
) -> Vec<Warning> {
    let unreachable = reachable(rules);
    let unreachable = rules.iter().zip(unreachable).filter(|(_, reached)| !reached);
    let mut places: Vec<(usize, Option<String>, &str)> =
        unreachable.map(|(rule, _)| (rule.at, None, &*rule.name)).collect();
    places.extend(ranges_in_text.into_iter().map(|(at, text)| (at, Some(text), "")));
    places.sort();
    let (mut line, mut counted) = (1, 0);
    let mut warnings = Vec::with_capacity(places.len());
    for (at, range, name) in places {
        line += source.as_bytes()[counted..at].iter().filter(|byte| **byte == b'\n').count();
        counted = at;
        warnings.push(match range {
            None => Warning::Unreachable { line, name: name.to_owned() },
            Some(text) => Warning::RangeInText { line, text },
        });
    }
    warnings
}
