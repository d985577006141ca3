//! Whether it pays to look for the steps of parts. Where most have to be computed, it does not: the
//! model is faster for a whole state.

/// States of a trial, and states that are expanded as a whole after one in vain. After two in vain,
/// parts are given up.
const STATES: u32 = 1 << 15;
const REST: u32 = 1 << 17;

/// What a trial says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Judgement {
    /// Go on.
    Pays,
    /// In vain for now.
    Rests,
    /// In vain, but most parts have no steps, which can be seen without the model.
    OnlySkips,
    /// In vain.
    GivenUp,
}

#[derive(Debug, Default)]
pub(super) struct Trial {
    /// States in this trial, their parts with steps, and those of them that were missing.
    states: u32,
    tried: u64,
    missed: u64,
    /// States that are left out.
    rest: u32,
    in_vain: u32,
    /// Everything is so many times halved, for tests.
    hurry: u32,
}

impl Trial {
    pub(super) fn new(hurry: u32) -> Self {
        Trial { hurry, ..Trial::default() }
    }

    pub(super) fn rests(&self) -> bool {
        self.rest > 0
    }

    /// Whether a state is left out.
    #[inline(always)]
    pub(super) fn rest(&mut self) -> bool {
        if self.rest == 0 {
            return false;
        }
        self.rest -= 1;
        true
    }

    /// Notes a state with so many parts that have steps, of `parts` in all.
    #[inline(always)]
    pub(super) fn note(&mut self, tried: u32, missed: u32, parts: usize) -> Judgement {
        self.states += 1;
        self.tried += u64::from(tried);
        self.missed += u64::from(missed);
        match self.states < STATES >> self.hurry {
            true => Judgement::Pays,
            false => self.judge(parts),
        }
    }

    #[cold]
    fn judge(&mut self, parts: usize) -> Judgement {
        let are_most_idle = self.tried < parts as u64 * u64::from(self.states) / 2;
        let is_in_vain = self.missed > self.tried / 2;
        (self.states, self.tried, self.missed) = (0, 0, 0);
        if !is_in_vain {
            self.in_vain = 0;
            return Judgement::Pays;
        }
        self.in_vain += 1;
        if self.in_vain < 2 {
            self.rest = REST >> self.hurry;
            return Judgement::Rests;
        }
        if are_most_idle { Judgement::OnlySkips } else { Judgement::GivenUp }
    }
}
