//! All states, level by level, or in one phase.

use lariat_core::{Broken, headway};

use super::Search;
use crate::spread::checkpoint::{self, Beside, Keeper};
use crate::spread::shard::{Mode, Shard};
use crate::spread::status::{Agreed, End, Halted, agree};
use crate::spread::visit::{Keeps, Visit, Visitor};
use crate::spread::{NARROW, Pace, Resumed};

/// How a search has gone through the states.
pub(super) struct Outcome {
    pub(super) end: Option<End>,
    /// The last level that was expanded.
    pub(super) level: u64,
    pub(super) has_least: bool,
    /// Not all of it by levels.
    pub(super) was_free: bool,
}

/// Where a search is, for its checkpoints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) level: u64,
    pub(super) mode: Mode,
    /// Of states that were found free, hints say nothing.
    pub(super) keeps: Keeps,
}

impl Place {
    pub(super) fn begin(pace: Pace, stops_at_error: bool, reduces: bool) -> Place {
        let mode = if pace == Pace::Free { Mode::Free } else { Mode::Level };
        let keeps = match mode {
            Mode::Level if reduces => Keeps::HintsAndLevels,
            Mode::Level if stops_at_error => Keeps::Hints,
            _ => Keeps::Nothing,
        };
        Place { level: 0, mode, keeps }
    }

    pub(super) fn write(self) -> [u64; 3] {
        let keeps = match self.keeps {
            Keeps::Nothing => 0,
            Keeps::Hints => 1,
            Keeps::HintsAndLevels => 2,
        };
        [self.level, u64::from(self.mode == Mode::Free), keeps]
    }
}

impl From<[u64; 3]> for Place {
    fn from([level, is_free, keeps]: [u64; 3]) -> Place {
        let mode = if is_free == 1 { Mode::Free } else { Mode::Level };
        let keeps = match keeps {
            0 => Keeps::Nothing,
            1 => Keeps::Hints,
            _ => Keeps::HintsAndLevels,
        };
        Place { level, mode, keeps }
    }
}

impl<'s> Search<'_, 's> {
    /// Goes through all states, or to the first level with an error; from where a checkpoint was on, if there is one.
    pub(super) fn search(
        &self,
        shard: &mut Shard<'_, 's, Visitor<'_, 's>>,
        (pace, place): (Pace, Place),
        keeper: &mut Keeper,
        from: Option<Resumed>,
    ) -> Result<Outcome, Broken> {
        let Place { level, mut mode, keeps } = place;
        let mut pass = Visit { keeps, level };
        let mut narrow = 0;
        let failed = |end| Outcome { end, level, has_least: false, was_free: mode == Mode::Free };
        if !shard.start_again(keeps.keys()) {
            let end = agree(shard.own.exchange, Halted::Here(End::Unfit), &[0, 0], &[])?.end;
            return Ok(failed(end));
        }
        if let Some(resumed) = &from {
            let beside = match checkpoint::load(shard, resumed)? {
                Ok(beside) => beside,
                Err(end) => return Ok(failed(Some(end))),
            };
            self.inherit(shard, &beside)?;
        }
        shard.own.keeps = keeper.keeps();
        shard.own.cut_after = keeper.cut_after();
        headway::begin();
        loop {
            shard.own.due = keeper.due();
            let halted = shard.phase(&mut pass, mode)?;
            let has_least = u64::from(shard.expander.least.is_some());
            let counts = [shard.own.waiting, has_least];
            let Agreed { end, pause, counts, .. } =
                agree(shard.own.exchange, halted, &counts, &[])?;
            let (waiting, has_least) = (counts[0], counts[1] > 0);
            let was_free = mode == Mode::Free;
            let outcome = |end| Outcome { end, level: pass.level, has_least, was_free };
            if let Some(end) = end {
                return Ok(outcome(Some(end.with_own(halted))));
            }
            if let Some(limit) = pause {
                let own = vec![self.counted(shard)];
                let place = Place { level: pass.level, mode, keeps };
                checkpoint::save(
                    shard,
                    keeper,
                    &place.write(),
                    &Beside { own, beyond: Vec::new() },
                )?;
                if let Some(limit) = limit {
                    return Ok(outcome(Some(End::Stopped(limit.into()))));
                }
                shard.go_on();
                continue;
            }
            if shard.own.left_open {
                let what = "a worker has left questions without answers".to_owned();
                return Err(Broken { what });
            }
            if has_least || waiting == 0 {
                return Ok(outcome(None));
            }
            pass.level += 1;
            headway::note_level(pass.level, waiting);
            narrow = if waiting < NARROW { narrow + 1 } else { 0 };
            let needs_levels = keeps == Keeps::HintsAndLevels;
            if matches!(pace, Pace::Narrow(most) if narrow >= most) && !needs_levels {
                mode = Mode::Free;
            }
        }
    }
}
