//! Recursion of rules: how soon a rule can end, and how to remove recursion, for codon lists of fixed
//! length (Lourenco, Pereira and Costa 2016).
//!
//! To remove recursion, each recursive rule is copied once for each level. A recursive reference in
//! a copy refers to the copy of the next level. The last level has only the alternatives without
//! recursion. Then every derivation is finite, and the number of replacements of each symbol is
//! bounded.

use crate::bnf::{Alternative, Piece, Rule, Template};
use crate::grammar::Grammar;

/// The largest number of rules, with all copies.
pub(crate) const MAX_RULES: usize = 4096;
/// The largest number of codons in all lists together.
pub(crate) const MAX_CODONS: usize = 1 << 20;

impl Template {
    /// The same grammar with at most `levels` nested recursive steps. The copies of `<Sum>` are
    /// called `<Sum.1>`, `<Sum.2>` and so on. `None` when there are more than 4096 rules.
    pub(crate) fn without_recursion(&self, levels: usize) -> Option<Self> {
        let rules = &self.parsed.rules;
        if rules.len() > MAX_RULES {
            return None;
        }
        let groups = groups(rules);
        let copies =
            |rule: usize| if groups[rule].is_some() { levels.saturating_add(1) } else { 1 };
        // The index of each rule's first copy.
        let mut first = Vec::with_capacity(rules.len());
        let mut count = 0usize;
        for rule in 0..rules.len() {
            first.push(count as u32);
            count = count.saturating_add(copies(rule));
            if count > MAX_RULES {
                return None;
            }
        }
        let heights = heights(rules);
        let mut expanded = Vec::with_capacity(count);
        for (number, rule) in rules.iter().enumerate() {
            let back =
                |symbol: u32| groups[number].is_some_and(|g| groups[symbol as usize] == Some(g));
            for level in 0..copies(number) {
                let last = groups[number].is_some() && level == levels;
                let target = |symbol: u32| {
                    let level = if last { level } else { level + 1 };
                    first[symbol as usize] + if back(symbol) { level as u32 } else { 0 }
                };
                let ending = rule.alternatives.iter().any(|a| !a.symbols().any(back));
                let kept = rule.alternatives.iter().filter(|alternative| match (last, ending) {
                    (false, _) => true,
                    (true, true) => !alternative.symbols().any(back),
                    // All are recursive: keep those that end soonest.
                    (true, false) => height(alternative, &heights) < heights[number],
                });
                let alternatives = kept.map(|a| renumbered(a, target)).collect();
                let name = match level {
                    0 => rule.name.clone(),
                    _ => format!("{}.{level}", rule.name).into(),
                };
                expanded.push(Rule { name, at: rule.at, len: rule.len, alternatives });
            }
        }
        Some(self.with_rules(expanded))
    }
}

fn renumbered(alternative: &Alternative, target: impl Fn(u32) -> u32) -> Alternative {
    match alternative {
        Alternative::Range(range) => Alternative::Range(range.clone()),
        Alternative::Sequence(pieces) => {
            let piece = |piece: &Piece| match piece {
                Piece::Symbol(symbol) => Piece::Symbol(target(*symbol)),
                other => other.clone(),
            };
            Alternative::Sequence(pieces.iter().map(piece).collect())
        }
    }
}

/// For each recursive rule, the first rule of its cycle: of those that it leads to and that lead
/// back to it.
fn groups(rules: &[Rule]) -> Vec<Option<usize>> {
    let reached: Vec<Vec<bool>> = (0..rules.len()).map(|rule| reached_from(rules, rule)).collect();
    let group = |rule: usize| (0..rules.len()).find(|&o| reached[rule][o] && reached[o][rule]);
    (0..rules.len()).map(|rule| reached[rule][rule].then(|| group(rule)).flatten()).collect()
}

/// The rules that a rule leads to in at least one step.
fn reached_from(rules: &[Rule], rule: usize) -> Vec<bool> {
    let mut reached = vec![false; rules.len()];
    let mut stack = vec![rule];
    while let Some(rule) = stack.pop() {
        for symbol in rules[rule].alternatives.iter().flat_map(Alternative::symbols) {
            if !std::mem::replace(&mut reached[symbol as usize], true) {
                stack.push(symbol as usize);
            }
        }
    }
    reached
}

/// The height of the lowest derivation tree of each rule, 1 for one with plain text.
fn heights(rules: &[Rule]) -> Vec<u32> {
    let mut heights = vec![u32::MAX; rules.len()];
    loop {
        let lowest = |rule: &Rule| {
            let lowest = rule.alternatives.iter().map(|a| height(a, &heights)).min();
            lowest.map_or(u32::MAX, |height| height.saturating_add(1))
        };
        let next: Vec<u32> = rules.iter().map(lowest).collect();
        if next == heights {
            return heights;
        }
        heights = next;
    }
}

/// The height below an alternative: 0 for plain text.
fn height(alternative: &Alternative, heights: &[u32]) -> u32 {
    alternative.symbols().map(|symbol| heights[symbol as usize]).max().unwrap_or(0)
}

impl Grammar {
    /// For each rule, the alternatives that end soonest.
    pub(crate) fn shortest_alternatives(&self) -> Vec<Vec<u16>> {
        let rules = &self.template().parsed.rules;
        let heights = heights(rules);
        let shortest = |(number, rule): (usize, &Rule)| {
            let mut first = 0usize;
            let mut shortest = Vec::new();
            for alternative in &rule.alternatives {
                let entries = match alternative {
                    Alternative::Sequence(_) => 1,
                    Alternative::Range(range) => range.len(self.shape()) as usize,
                };
                if height(alternative, &heights) < heights[number] {
                    shortest.extend((first..first + entries).map(|index| index as u16));
                }
                first += entries;
            }
            shortest
        };
        rules.iter().enumerate().map(shortest).collect()
    }

    /// For each rule, the largest number of its replacements in one derivation from the start.
    /// `None` when the sum over all rules exceeds [`MAX_CODONS`]. The grammar must have no
    /// recursion.
    pub(crate) fn max_replacements(&self) -> Option<Vec<usize>> {
        let rules = &self.template().parsed.rules;
        let order = topological_order(rules);
        let max_of = |counted: usize| {
            // The largest count below each rule. The count of an alternative is the sum over its
            // symbols.
            let mut max = vec![0usize; rules.len()];
            for &rule in &order {
                let below = |alternative: &Alternative| {
                    let counts = alternative.symbols().map(|symbol| max[symbol as usize]);
                    counts.fold(0, usize::saturating_add)
                };
                let largest = rules[rule].alternatives.iter().map(below).max().unwrap_or(0);
                max[rule] = largest.saturating_add(usize::from(rule == counted));
            }
            max[0]
        };
        let all: Vec<usize> = (0..rules.len()).map(max_of).collect();
        let total = all.iter().copied().fold(0, usize::saturating_add);
        (total <= MAX_CODONS).then_some(all)
    }
}

/// The rules in topological order: each after all rules that it uses.
fn topological_order(rules: &[Rule]) -> Vec<usize> {
    // For each rule, how many of its symbols are not in the order yet.
    let mut remaining: Vec<usize> = Vec::with_capacity(rules.len());
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); rules.len()];
    let mut order = Vec::with_capacity(rules.len());
    for (number, rule) in rules.iter().enumerate() {
        let symbols = rule.alternatives.iter().flat_map(Alternative::symbols);
        let used = symbols.map(|symbol| users[symbol as usize].push(number)).count();
        remaining.push(used);
        if used == 0 {
            order.push(number);
        }
    }
    let mut next = 0;
    while let Some(&rule) = order.get(next) {
        next += 1;
        for &user in &users[rule] {
            remaining[user] -= 1;
            if remaining[user] == 0 {
                order.push(user);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    fn expanded(text: &str, levels: usize) -> Vec<(String, usize, usize)> {
        let template = Template::parse("test", text).expect("a right grammar");
        let template = template.without_recursion(levels).expect("few rules");
        let grammar =
            template.bind(Shape { features: 3, outputs: 1 }).expect("ranges have entries");
        let replacements = grammar.max_replacements().expect("short lists");
        let rule =
            |(symbol, max)| (grammar.name(symbol).to_owned(), grammar.alternatives(symbol), max);
        grammar.symbols().zip(replacements).map(rule).collect()
    }

    fn rule(name: &str, alternatives: usize, replacements: usize) -> (String, usize, usize) {
        (name.to_owned(), alternatives, replacements)
    }

    #[test]
    fn a_linear_recursion_has_one_copy_for_each_level() {
        let rules = expanded("<start> ::= <exp>\n<exp> ::= 0 | 1 <exp>", 2);
        let expected =
            [rule("start", 1, 1), rule("exp", 2, 1), rule("exp.1", 2, 1), rule("exp.2", 1, 1)];
        assert_eq!(rules, expected);
    }

    #[test]
    fn a_double_recursion_doubles_with_each_level() {
        let rules = expanded("<e> ::= <e><o><e> | <v>\n<o> ::= + | -\n<v> ::= x1..xd", 2);
        // Two levels: four values and three operators at most.
        let expected = [
            rule("e", 2, 1),
            rule("e.1", 2, 2),
            rule("e.2", 1, 4),
            rule("o", 2, 3),
            rule("v", 3, 4),
        ];
        assert_eq!(rules, expected);
        assert_eq!(expanded("<e> ::= <e><e> | 1", 0), [rule("e", 1, 1)]);
    }

    #[test]
    fn mutually_recursive_rules_have_common_levels() {
        // <s> leads to <a>, and <a> to <b> of the last level, which is 7. <a> of the last level can
        // only lead to <b> of the last level, too.
        let rules = expanded("<s> ::= <a>\n<a> ::= (<b>)\n<b> ::= <a> | <b><b> | 7", 1);
        let expected = [
            rule("s", 1, 1),
            rule("a", 1, 1),
            rule("a.1", 1, 0),
            rule("b", 3, 0),
            rule("b.1", 1, 1),
        ];
        assert_eq!(rules, expected);
    }

    #[test]
    fn too_many_rules_and_too_long_lists_are_refused() {
        let template = Template::parse("test", "<e> ::= <e><e> | 1").expect("a right grammar");
        assert!(template.without_recursion(usize::MAX).is_none());
        let deep = template.without_recursion(60).expect("61 rules");
        let grammar = deep.bind(Shape { features: 1, outputs: 1 }).expect("no ranges");
        assert_eq!(grammar.max_replacements(), None);
    }

    #[test]
    fn the_shortest_alternatives_of_each_rule() {
        let text = "<s> ::= <n> | <d>\n<n> ::= 0.<d> | <n><n>\n<d> ::= 0..3 | <n> | 9";
        let template = Template::parse("test", text).expect("a right grammar");
        let grammar = template.bind(Shape { features: 1, outputs: 1 }).expect("a range of digits");
        let expected: [&[u16]; 3] = [&[1], &[0], &[0, 1, 2, 3, 5]];
        assert_eq!(grammar.shortest_alternatives(), expected);
    }
}
