//! Decides what a column is, when all its cells are there.

use super::{Cells, ColumnBuilder, Findings, Numbers, Undecided, Wish};
use crate::cell::{self, Cell};
use crate::fault::BadCell;
use crate::form::FileForm;
use crate::note::Note;
use crate::table::{Column, Lines, Values};
use crate::text::{Text, plain_truth, truth_of};

/// A column with at least this share of numbers is a column of numbers, and its text is an error.
const MOSTLY: f64 = 0.9;

/// So few different numbers that each come so often, on average, may be names of something.
const FEW_NUMBERS: usize = 20;
const OFTEN: usize = 3;

/// How many cells say what.
#[derive(Default)]
struct Tally {
    numbers: usize,
    words: usize,
    marks: usize,
}

impl Tally {
    fn count(&mut self, meaning: Cell) {
        match meaning {
            Cell::Number(_) | Cell::NotFinite => self.numbers += 1,
            Cell::Text => self.words += 1,
            Cell::Mark => self.marks += 1,
            Cell::Missing => {}
        }
    }

    /// Whether nothing speaks against numbers. Next to words, a mark is a word.
    fn only_numbers(&self) -> bool {
        self.words == 0 && (self.numbers > 0 || self.marks == 0)
    }

    /// The share of numbers among the cells that say something.
    fn share(&self) -> f64 {
        self.numbers as f64 / (self.numbers + self.words + self.marks).max(1) as f64
    }
}

impl ColumnBuilder {
    /// The column; `form` is what a model knows about the file, and what is found out on the way
    /// goes to `findings`.
    pub fn finish(
        self,
        name: &str,
        lines: &Lines,
        form: &FileForm,
        findings: &mut Findings,
    ) -> Column {
        let mixed = |tally: &Tally| Note::MixedColumn { column: name.into(), share: tally.share() };
        let place = Place { name, lines };
        let values = match (self.cells, self.wish) {
            (Cells::Undecided(cells), Wish::Find | Wish::Words) => {
                let tally = cells.tally();
                let found = self.wish == Wish::Find;
                let mostly = found && tally.share() >= MOSTLY && !cells.are_codes(&tally);
                if tally.only_numbers() || mostly {
                    if !found && tally.numbers > 0 {
                        findings.notes.push(Note::NumbersAsText { column: name.to_owned() });
                    }
                    cells.into_numbers().settle(self.wish, &place, form, findings)
                } else {
                    findings.notes.extend((found && tally.numbers > 0).then(|| mixed(&tally)));
                    cells.into_text(self.wish)
                }
            }
            (Cells::Undecided(cells), wish) => cells.into_text(wish),
            (Cells::Numbers(numbers), Wish::Find) => {
                let tally = numbers.tally();
                // Numbers that are long cannot be given back as text, so their words are faults.
                if tally.only_numbers() || tally.share() >= MOSTLY || numbers.long {
                    numbers.settle(self.wish, &place, form, findings)
                } else {
                    findings.notes.push(mixed(&tally));
                    numbers.into_text()
                }
            }
            (Cells::Numbers(numbers), wish) => numbers.settle(wish, &place, form, findings),
        };
        Column { name: name.to_owned(), values }
    }
}

/// Where the cells of a column stand.
struct Place<'a> {
    name: &'a str,
    lines: &'a Lines,
}

impl Place<'_> {
    fn fault(&self, row: usize, found: &str) -> BadCell {
        let (place, column) = (self.lines.place(row), self.name.to_owned());
        BadCell { place, column, found: found.to_owned() }
    }
}

impl Undecided {
    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.codes.iter().for_each(|&code| tally.count(self.texts.texts[code as usize].1));
        tally
    }

    /// Whether numbers that come again and again stand beside a few words, as in `4, 6, 8, rotary`:
    /// names rather than measurements. One word that comes again means missing cells.
    fn are_codes(&self, tally: &Tally) -> bool {
        let words = self.texts.texts.iter().filter(|(_, meaning)| *meaning == Cell::Text).count();
        let is_marker = words == 1 && tally.words > 1;
        let few = self.numbers <= FEW_NUMBERS && tally.numbers >= OFTEN * self.numbers;
        few && words > 0 && !is_marker
    }

    fn into_text(mut self, wish: Wish) -> Values {
        let texts = self.texts.texts;
        for code in &mut self.codes {
            if texts[*code as usize].1 == Cell::Missing {
                *code = Text::MISSING;
            }
        }
        let categories = texts.into_iter().map(|(text, _)| text.to_string()).collect();
        let text = Text::from_codes(self.codes, categories);
        let alike = if wish == Wish::Label { None } else { text.truths_spelt_alike() };
        Values::Text(alike.unwrap_or(text))
    }
}

/// What becomes of a text in a column of numbers.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Missing,
    Truth(bool),
    Endless,
    Strange,
}

impl Numbers {
    fn tally(&self) -> Tally {
        let numbers = self.values.iter().filter(|value| !value.is_nan()).count();
        let mut tally = Tally { numbers, ..Tally::default() };
        self.others.iter().for_each(|&(_, code)| tally.count(self.texts.texts[code as usize].1));
        tally
    }

    /// Numbers as the shortest text that is the same number, others as they are.
    fn into_text(self) -> Values {
        let mut others = self.others.iter().peekable();
        let texts: Vec<Option<String>> = (0..self.values.len())
            .map(|row| match others.next_if(|(next, _)| *next == row) {
                Some(&(_, code)) => Some(self.texts.texts[code as usize].0.to_string()),
                None => Some(self.values[row]).filter(|x| !x.is_nan()).map(cell::write),
            })
            .collect();
        Values::Text(Text::from_cells(texts.iter().map(Option::as_deref)))
    }

    /// Numbers, and faults where a cell is none.
    fn settle(
        mut self,
        wish: Wish,
        place: &Place<'_>,
        form: &FileForm,
        findings: &mut Findings,
    ) -> Values {
        let column = || place.name.to_owned();
        let mut verdicts = self.verdicts(wish, place.name, form);
        if wish == Wish::Find
            && let Some((code, cells)) = self.marker(&verdicts)
        {
            verdicts[code] = Verdict::Missing;
            let word = self.texts.texts[code].0.to_string();
            findings.form.missing_words.insert(column(), word.clone());
            findings.notes.push(Note::TakenAsMissing { column: column(), word, cells });
        }
        if verdicts.iter().any(|verdict| matches!(verdict, Verdict::Truth(_))) {
            findings.form.truths.insert(column());
            findings.notes.push(Note::TruthsAsNumbers { column: column() });
        }
        let text =
            if wish == Wish::Modelled { &mut findings.unexpected } else { &mut findings.text };
        for &(row, code) in &self.others {
            let fault = || place.fault(row, &self.texts.texts[code as usize].0);
            match verdicts[code as usize] {
                Verdict::Missing => {}
                Verdict::Truth(truth) => self.values[row] = f32::from(u8::from(truth)),
                Verdict::Endless => findings.endless.add(fault),
                Verdict::Strange => text.add(fault),
            }
        }
        let mut known = self.values.iter().filter(|value| !value.is_nan());
        if self.varied && known.next().is_some_and(|first| known.all(|value| value == first)) {
            findings.notes.push(Note::Indistinct { column: column() });
        }
        Values::Number(self.values)
    }

    fn verdicts(&self, wish: Wish, name: &str, form: &FileForm) -> Vec<Verdict> {
        let truth: fn(&str) -> Option<bool> = match wish {
            Wish::AsNumber => truth_of,
            Wish::Modelled if form.truths.contains(name) => truth_of,
            Wish::Modelled => plain_truth,
            _ => |_| None,
        };
        let missing = form.missing_words.get(name).filter(|_| wish == Wish::Modelled);
        let verdict = |text: &str, meaning: Cell| match meaning {
            Cell::Missing | Cell::Mark => Verdict::Missing,
            Cell::NotFinite => Verdict::Endless,
            Cell::Text | Cell::Number(_) => match truth(text) {
                Some(truth) => Verdict::Truth(truth),
                None if missing.is_some_and(|word| word == text) => Verdict::Missing,
                None => Verdict::Strange,
            },
        };
        self.texts.texts.iter().map(|(text, meaning)| verdict(text, *meaning)).collect()
    }

    /// The one word that stands for missing cells, and its cells: it comes again and nothing else
    /// is strange. A word that comes once may as well be a slip of the pen.
    fn marker(&self, verdicts: &[Verdict]) -> Option<(usize, usize)> {
        let mut strange = (0..verdicts.len()).filter(|&at| verdicts[at] == Verdict::Strange);
        let (code, None) = (strange.next()?, strange.next()) else {
            return None;
        };
        let cells = self.others.iter().filter(|(_, other)| *other as usize == code).count();
        (cells >= 2).then_some((code, cells))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::DataError;
    use crate::table::Kind;

    type Found = Result<(Vec<Note>, FileForm), DataError>;

    fn build_for<S: AsRef<str>>(form: &FileForm, wish: Wish, cells: &[S]) -> (Values, Found) {
        let mut builder = ColumnBuilder::new(wish, false);
        cells.iter().for_each(|cell| builder.push(cell.as_ref()));
        let mut findings = Findings::default();
        let column = builder.finish("c", &Lines::From(2), form, &mut findings);
        (column.values, findings.check("t.csv"))
    }

    fn build<S: AsRef<str>>(wish: Wish, cells: &[S]) -> (Values, Found) {
        build_for(&FileForm::default(), wish, cells)
    }

    #[test]
    fn kinds_are_found() {
        let kind = |wish, cells: &[&str]| build(wish, cells).0.kind();
        assert_eq!(kind(Wish::Find, &["1", "?", "2.5", "None"]), Kind::Number);
        assert_eq!(kind(Wish::Find, &["a", "?", "b", "none"]), Kind::Category);
        assert_eq!(kind(Wish::Find, &["yes", "No", ""]), Kind::Boolean);
        assert_eq!(kind(Wish::Find, &["", "?"]), Kind::Number);
        assert_eq!(kind(Wish::Category, &["1", "2"]), Kind::Category);
    }

    #[test]
    fn a_mark_is_missing_among_numbers_and_a_word_among_words() {
        assert_eq!(build(Wish::Find, &["1", "-", "2"]).0.missing(), 1);
        assert_eq!(build(Wish::Find, &["a", "-", "b"]).0.missing(), 0);
    }

    #[test]
    fn a_few_words_among_numbers_are_faults_and_many_are_categories() {
        let mut cells: Vec<String> = (0..19).map(|i| format!("{i}.5")).collect();
        cells.push("oops".to_owned());
        let error = build(Wish::Find, &cells).1.unwrap_err().to_string();
        assert!(error.contains("line 21, column `c`: `oops`"), "{error}");
        assert!(error.contains("--as-category c"), "{error}");

        let (values, found) = build(Wish::Find, &["1", "2", "x"]);
        assert_eq!(values.kind(), Kind::Category);
        assert!(matches!(&found.unwrap().0[..], [Note::MixedColumn { .. }]));
    }

    #[test]
    fn few_numbers_that_come_again_beside_a_word_are_names() {
        let mut cells: Vec<&str> = ["4", "6", "8"].repeat(10);
        cells.push("rotary");
        let (values, found) = build(Wish::Find, &cells);
        assert_eq!(values.kind(), Kind::Category);
        assert!(matches!(&found.unwrap().0[..], [Note::MixedColumn { .. }]));
        cells.push("rotary");
        assert_eq!(build(Wish::Find, &cells).0.missing(), 2, "it comes again");
    }

    #[test]
    fn one_word_among_numbers_that_comes_again_means_missing() {
        let mut cells: Vec<String> = (0..30).map(|i| format!("{i}.5")).collect();
        cells.extend(["unknown", "unknown"].map(str::to_owned));
        let (values, found) = build(Wish::Find, &cells);
        let (notes, form) = found.unwrap();
        assert_eq!(values.missing(), 2);
        assert!(notes[0].to_string().contains("2 cells `unknown`"), "{}", notes[0]);
        assert_eq!(form.missing_words["c"], "unknown");
        for wish in [Wish::Number, Wish::AsNumber] {
            assert!(build(wish, &cells).1.is_err(), "who asks for numbers wants to know");
        }
        cells.push("other".to_owned());
        assert!(build(Wish::Find, &cells).1.is_err(), "two words are no marker");
    }

    #[test]
    fn a_model_lets_only_the_word_through_that_it_knows() {
        let mut form = FileForm::default();
        form.missing_words.insert("c".into(), "unknown".into());
        let (values, found) = build_for(&form, Wish::Modelled, &["1", "unknown", "-", ""]);
        assert!(found.is_ok());
        assert_eq!(values.missing(), 3);
        let words = ["1", "oops", "oops", "unknown"];
        let error = build_for(&form, Wish::Modelled, &words).1.unwrap_err().to_string();
        assert!(error.contains("line 3, column `c`: `oops`"), "{error}");
        assert!(error.contains("line 4, column `c`: `oops`"), "{error}");
        assert!(!error.contains("--as-category"), "no remedy at prediction: {error}");
        assert!(build(Wish::Modelled, &["1", "unknown", "unknown"]).1.is_err());
        let many: Vec<String> = (0..25).map(|_| "oops".to_owned()).collect();
        let error = build(Wish::Modelled, &many).1.unwrap_err().to_string();
        assert!(error.contains("... and 15 more"), "{error}");
    }

    #[test]
    fn yes_and_no_are_numbers_to_who_asks_for_numbers() {
        let (values, found) = build(Wish::AsNumber, &["yes", "No", "1", ""]);
        assert_eq!(values, Values::Number(vec![1.0, 0.0, 1.0, f32::NAN]));
        let form = found.unwrap().1;
        assert_eq!(
            build_for(&form, Wish::Modelled, &["no", "YES"]).0,
            Values::Number(vec![0.0, 1.0])
        );
        assert!(build(Wish::Modelled, &["yes"]).1.is_err(), "a model that never saw it");
        assert!(build(Wish::Number, &["yes"]).1.is_err(), "the format declares numbers");
        let (values, found) = build(Wish::Modelled, &["True", "false"]);
        assert_eq!((values, found.is_ok()), (Values::Number(vec![1.0, 0.0]), true));
    }

    #[test]
    fn labels_keep_their_text() {
        let (values, _) = build(Wish::Label, &["1", "1.0", "01", "true"]);
        let Values::Text(text) = values else { panic!("text") };
        let texts: Vec<_> = (0..4).map(|row| text.get(row).unwrap()).collect();
        assert_eq!(texts, ["1", "1.0", "01", "true"]);
        let Values::Text(text) = build(Wish::Find, &["true", "FALSE"]).0 else { panic!("text") };
        assert_eq!(text.categories(), ["False", "True"], "features have one spelling");
    }

    #[test]
    fn many_numbers_give_what_few_give() {
        let cells: Vec<String> = (0..10_000).map(|i| format!("{}", i as f32 / 8.0)).collect();
        let expected = (0..10_000).map(|i| i as f32 / 8.0).collect();
        assert_eq!(build(Wish::Find, &cells).0, Values::Number(expected));
    }

    /// Many numbers and a share of words, the words first or last.
    fn both_orders(words: usize, number: fn(usize) -> String) -> [Vec<String>; 2] {
        let numbers: Vec<String> = (0..5000).map(number).collect();
        let words: Vec<String> = (0..words).map(|i| format!("w{}", i % 7)).collect();
        [[&words[..], &numbers[..]].concat(), [&numbers[..], &words[..]].concat()]
    }

    #[test]
    fn the_order_of_rows_does_not_decide_the_kind() {
        for (words, kind) in [(5000, Some(Kind::Category)), (100, None)] {
            for cells in both_orders(words, |i| format!("{i}")) {
                let (values, found) = build(Wish::Find, &cells);
                assert_eq!(found.is_ok().then(|| values.kind()), kind, "{words}");
            }
        }
        let [first, last] = both_orders(5000, |i| format!("{}.50", i % 4500));
        let text = |cells| {
            let Values::Text(text) = build(Wish::Find, cells).0 else { panic!("text") };
            text.categories().to_vec()
        };
        assert_eq!(text(&first), text(&last));
        for cells in both_orders(5000, |i| format!("12345{i:06}")) {
            let error = build(Wish::Find, &cells).1.unwrap_err().to_string();
            assert!(error.contains("--as-category c"), "{error}");
        }
    }

    #[test]
    fn numbers_that_differ_too_little_are_said_to() {
        let note = |cells: &[&str]| build(Wish::Find, cells).1.unwrap().0.first().cloned();
        let close = note(&["100000000.1", "100000000.2", ""]);
        assert!(matches!(close, Some(Note::Indistinct { .. })), "{close:?}");
        assert_eq!(note(&["100000000.1", "100000000.10", ""]), None);
        assert_eq!(note(&["1", "2"]), None);
    }
}
