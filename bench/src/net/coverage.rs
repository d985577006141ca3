//! Which pairs the generators have made, and which to make next.

use std::fmt::{self, Display};

use super::case::Language;
use super::{dve, promela};
use crate::random::Rng;

/// Counts of pairs in both languages. A pair is known by its number.
#[derive(Clone, Debug)]
pub struct Coverage {
    promela: Vec<Table>,
    dve: Vec<Table>,
}

#[derive(Clone, Debug)]
struct Table {
    name: &'static str,
    /// The number of its first pair.
    first: u32,
    /// How often each pair was made; none for those that cannot be.
    made: Vec<Option<u64>>,
    /// Possible pairs that were made in no round before this one, and perhaps not in this.
    missing: Vec<u32>,
    /// How often every pair was made at least.
    round: u64,
    /// How often each pair was wanted in vain.
    asked: Vec<u8>,
    describe: fn(u32) -> String,
}

/// A pair that is asked for so often without being made is given up, and stays in the list of
/// those never made.
const PATIENCE: u8 = 20;

impl Table {
    fn all(
        tables: &[(&'static str, u32)],
        impossible: fn(u32) -> Option<&'static str>,
        describe: fn(u32) -> String,
    ) -> Vec<Table> {
        let mut first = 0;
        let mut all = Vec::new();
        for &(name, cells) in tables {
            let numbers = first..first + cells;
            let made: Vec<_> =
                numbers.clone().map(|number| impossible(number).is_none().then_some(0)).collect();
            let missing = numbers.filter(|n| made[(n - first) as usize].is_some()).collect();
            let asked = vec![0; cells as usize];
            all.push(Table { name, first, made, missing, round: 0, asked, describe });
            first += cells;
        }
        all
    }

    /// How many pairs are missing in this round.
    fn forget_made(&mut self) -> usize {
        let (made, asked) = (&self.made, &self.asked);
        self.missing.retain(|number| {
            let index = (number - self.first) as usize;
            made[index] <= Some(self.round) && asked[index] < PATIENCE
        });
        self.missing.len()
    }

    /// One of the missing pairs that fits, if some draws meet one.
    fn want(&mut self, rng: &mut Rng, fits: impl Fn(u32) -> bool) -> Option<u32> {
        let many = self.missing.len() as u64;
        let draws = if many == 0 { 0 } else { 40 };
        let number = (0..draws)
            .map(|_| self.missing[rng.below(many) as usize])
            .find(|&number| fits(number))?;
        let asked = &mut self.asked[(number - self.first) as usize];
        *asked = asked.saturating_add(1);
        Some(number)
    }

    fn begin_round(&mut self) {
        self.asked.fill(0);
        let possible = self.made.iter().flatten();
        self.round = possible.min().copied().unwrap_or(0).max(self.round + 1);
        self.missing = (self.first..)
            .zip(&self.made)
            .filter(|(_, times)| times.is_some_and(|times| times <= self.round))
            .map(|(number, _)| number)
            .collect();
    }

    fn counts(&self) -> (usize, usize) {
        let possible = self.made.iter().flatten();
        (possible.clone().filter(|&&times| times > 0).count(), possible.count())
    }
}

impl Default for Coverage {
    fn default() -> Coverage {
        Coverage::new()
    }
}

impl Coverage {
    pub fn new() -> Coverage {
        Coverage {
            promela: Table::all(&promela::TABLES, promela::impossible, promela::describe),
            dve: Table::all(&dve::TABLES, dve::impossible, dve::describe),
        }
    }

    fn tables(&self, language: Language) -> &[Table] {
        match language {
            Language::Promela => &self.promela,
            Language::Dve => &self.dve,
        }
    }

    fn tables_mut(&mut self, language: Language) -> &mut [Table] {
        match language {
            Language::Promela => &mut self.promela,
            Language::Dve => &mut self.dve,
        }
    }

    /// One more pair of this number was made.
    pub fn note(&mut self, language: Language, number: u32) {
        let tables = self.tables_mut(language);
        let Some(table) = tables.iter_mut().rev().find(|table| number >= table.first) else {
            return;
        };
        if let Some(Some(times)) = table.made.get_mut((number - table.first) as usize) {
            *times += 1;
        }
    }

    /// Pairs that were never made, by chance: one of each table, and more of the table that lacks
    /// most. When all are made, those that were made least often. Only those that fit.
    pub fn wanted(
        &mut self,
        language: Language,
        rng: &mut Rng,
        many: usize,
        fits: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let tables = self.tables_mut(language);
        let missing: usize = tables.iter_mut().map(Table::forget_made).sum();
        if missing == 0 {
            tables.iter_mut().for_each(Table::begin_round);
        }
        let mut wanted: Vec<u32> = Vec::new();
        for table in tables.iter_mut() {
            wanted.extend(table.want(rng, &fits));
        }
        if let Some(most) = tables.iter_mut().max_by_key(|table| table.missing.len()) {
            for _ in wanted.len()..many {
                wanted.extend(most.want(rng, &fits));
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }

    /// How many of the possible pairs were made, and how many there are.
    pub fn pairs(&self, language: Language) -> (usize, usize) {
        let counts = self.tables(language).iter().map(Table::counts);
        counts.fold((0, 0), |sum, table| (sum.0 + table.0, sum.1 + table.1))
    }

    /// The possible pairs that were never made, in words.
    pub fn never_made(&self, language: Language) -> Vec<String> {
        let mut never = Vec::new();
        for table in self.tables(language) {
            for (number, times) in (table.first..).zip(&table.made) {
                if *times == Some(0) {
                    never.push((table.describe)(number));
                }
            }
        }
        never
    }
}

/// A line for each table, and their sums.
impl Display for Coverage {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (language, name) in [(Language::Promela, "Promela"), (Language::Dve, "DVE")] {
            let sum = ("all pairs", self.pairs(language));
            let tables = self.tables(language).iter().map(|table| (table.name, table.counts()));
            for (table, (made, possible)) in tables.chain([sum]) {
                let percent = 100.0 * made as f64 / possible.max(1) as f64;
                writeln!(to, "{name:8} {table:24} {made:6} of {possible:6}  {percent:5.1} %")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every table forgets what was made, also behind one that lacks pairs.
    #[test]
    fn only_missing_pairs_are_wanted() {
        let mut coverage = Coverage::new();
        let mut rng = Rng::new(1);
        let last = coverage.tables(Language::Promela).last().expect("a table");
        let (first, many) = (last.first, last.made.len() as u32);
        for number in first..first + many {
            coverage.note(Language::Promela, number);
        }
        for _ in 0..100 {
            let wanted = coverage.wanted(Language::Promela, &mut rng, 4, |_| true);
            assert!(wanted.iter().all(|&number| number < first), "{wanted:?}");
        }
    }
}
