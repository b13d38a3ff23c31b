//! Checks of the rules together: names are resolved, and every rule must be able to end.

use std::collections::{HashMap, HashSet};

use super::error::{Mistake, Problem, Warning};
use super::range::{Range, hidden_range};
use super::scan::{RawPiece, RawRule};
use super::{Alternative, Piece, Rule};

/// Stands for a symbol without a rule. A template never has one.
const UNDEFINED: u32 = u32::MAX;

/// Rules with names resolved to rule numbers, and the ranges that are plain text with their
/// positions.
pub(super) struct ResolvedRules {
    pub rules: Vec<Rule>,
    pub ranges_in_text: Vec<(usize, String)>,
}

/// Resolves names. Of two rules with one name the first is kept.
pub(super) fn resolve(raw: &[RawRule], mistakes: &mut Vec<Mistake>) -> ResolvedRules {
    let mut numbers: HashMap<&str, u32> = HashMap::with_capacity(raw.len());
    let mut first: Vec<&RawRule> = Vec::with_capacity(raw.len());
    for rule in raw {
        numbers.entry(rule.name).or_insert_with(|| {
            first.push(rule);
            first.len() as u32 - 1
        });
    }
    let mut names =
        NameResolver { numbers, reported: HashSet::new(), mistakes, ranges_in_text: Vec::new() };
    let mut rules = Vec::with_capacity(first.len());
    for rule in raw {
        let alternatives = rule.alternatives.iter().map(|p| names.alternative(p)).collect();
        let original = first[names.numbers[rule.name] as usize];
        if original.at == rule.at {
            rules.push(Rule { name: rule.name.into(), at: rule.at, len: rule.len, alternatives });
        } else {
            let problem = Problem::Duplicate { name: rule.name.to_owned(), first_line: 0 };
            let related = Some((original.at, original.len));
            names.mistakes.push(Mistake { at: rule.at, len: rule.len, related, problem });
        }
    }
    ResolvedRules { rules, ranges_in_text: names.ranges_in_text }
}

struct NameResolver<'t, 'f> {
    numbers: HashMap<&'t str, u32>,
    /// Undefined names that were reported: each is reported once.
    reported: HashSet<&'t str>,
    mistakes: &'f mut Vec<Mistake>,
    ranges_in_text: Vec<(usize, String)>,
}

impl<'t> NameResolver<'t, '_> {
    fn alternative(&mut self, raw: &[RawPiece<'t>]) -> Alternative {
        if let [RawPiece::Plain { text, at }] = raw {
            match Range::read(text, *at) {
                Some(Ok(range)) => return Alternative::Range(range),
                Some(Err(problem)) => {
                    self.mistakes.push(Mistake::new(*at, text.len(), Problem::Range(problem)));
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
                if number == UNDEFINED && self.reported.insert(name) {
                    let problem = Problem::Undefined { name: (*name).to_owned(), nearest: None };
                    self.mistakes.push(Mistake::new(*at, *len, problem));
                }
                Some(Piece::Symbol(number))
            }
        }
    }
}

/// Reports the rules from which no derivation ends.
pub(super) fn check_endings(rules: &[Rule], mistakes: &mut Vec<Mistake>) {
    let ends = ending(rules);
    let mut endless = rules.iter().zip(&ends).filter(|(_, ends)| !**ends).map(|(rule, _)| rule);
    let Some(first) = endless.next() else { return };
    let names = std::iter::once(first).chain(endless).map(|rule| rule.name.to_string()).collect();
    mistakes.push(Mistake::new(first.at, first.len, Problem::NeverEnds { names }));
}

/// For each rule, whether some derivation from it ends. The time is linear in the text.
///
/// Each alternative counts the symbols that are not yet known to end. When the count of one of its
/// alternatives is zero, a rule ends.
fn ending(rules: &[Rule]) -> Vec<bool> {
    let mut ends = vec![false; rules.len()];
    // For each alternative, its rule and its count; for each rule, the alternatives that use it.
    let mut counts: Vec<(usize, usize)> = Vec::new();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); rules.len()];
    let mut stack = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        for alternative in &rule.alternatives {
            let mut symbols = 0;
            for symbol in alternative.symbols().filter(|s| *s != UNDEFINED) {
                users[symbol as usize].push(counts.len());
                symbols += 1;
            }
            counts.push((number, symbols));
            if symbols == 0 && !std::mem::replace(&mut ends[number], true) {
                stack.push(number);
            }
        }
    }
    while let Some(number) = stack.pop() {
        for &alternative in &users[number] {
            let (user, symbols) = &mut counts[alternative];
            *symbols -= 1;
            if *symbols == 0 && !std::mem::replace(&mut ends[*user], true) {
                stack.push(*user);
            }
        }
    }
    ends
}

/// For each rule, whether the first one leads to it.
pub(crate) fn reachable(rules: &[Rule]) -> Vec<bool> {
    let mut reached = vec![false; rules.len()];
    let mut stack = Vec::new();
    if let Some(start) = reached.first_mut() {
        *start = true;
        stack.push(0);
    }
    while let Some(number) = stack.pop() {
        for symbol in rules[number].alternatives.iter().flat_map(Alternative::symbols) {
            if !std::mem::replace(&mut reached[symbol as usize], true) {
                stack.push(symbol as usize);
            }
        }
    }
    reached
}

/// What is valid but probably a mistake, in the order of the text.
pub(super) fn warnings(
    source: &str,
    rules: &[Rule],
    ranges_in_text: Vec<(usize, String)>,
) -> Vec<Warning> {
    let unreachable = reachable(rules);
    let unreachable = rules.iter().zip(unreachable).filter(|(_, reached)| !reached);
    let mut positions: Vec<(usize, Option<String>, &str)> =
        unreachable.map(|(rule, _)| (rule.at, None, &*rule.name)).collect();
    positions.extend(ranges_in_text.into_iter().map(|(at, text)| (at, Some(text), "")));
    positions.sort();
    let (mut line, mut counted) = (1, 0);
    let mut warnings = Vec::with_capacity(positions.len());
    for (at, range, name) in positions {
        line += source.as_bytes()[counted..at].iter().filter(|byte| **byte == b'\n').count();
        counted = at;
        warnings.push(match range {
            None => Warning::Unreachable { line, name: name.to_owned() },
            Some(text) => Warning::RangeInText { line, text },
        });
    }
    warnings
}
