//! Whether it pays to look for the steps of parts. Where most have to be computed, it does not: the
//! model is faster for a whole state.

/// States of a trial, and states that are expanded as a whole after one in vain: by then tables are
/// larger. After two in vain, parts are given up.
pub(super) const STATES: u32 = 1 << 13;
const REST: u32 = 1 << 15;

/// What a trial says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Judgement {
    /// Go on.
    Pays,
    /// In vain for now.
    Rests,
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

    /// One has just ended, or none has begun.
    pub(super) fn is_over(&self) -> bool {
        self.states == 0
    }

    /// The last one was not in vain, if there was one.
    pub(super) fn pays(&self) -> bool {
        self.in_vain == 0
    }

    /// Does not rest: something is different now.
    pub(super) fn begin_anew(&mut self) {
        *self = Trial::new(self.hurry);
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

    /// Notes a state with so many parts, all of which were found. False if the trial ends with it: then it is to be noted as any other.
    #[inline(always)]
    pub(super) fn note_known(&mut self, tried: u32) -> bool {
        if self.states + 1 >= STATES >> self.hurry {
            return false;
        }
        self.states += 1;
        self.tried += u64::from(tried);
        true
    }

    /// Notes a state with so many parts that have steps.
    #[inline(always)]
    pub(super) fn note(&mut self, tried: u32, missed: u32) -> Judgement {
        self.states += 1;
        self.tried += u64::from(tried);
        self.missed += u64::from(missed);
        match self.states < STATES >> self.hurry {
            true => Judgement::Pays,
            false => self.judge(),
        }
    }

    #[cold]
    fn judge(&mut self) -> Judgement {
        let is_in_vain = self.missed > self.tried / 2;
        (self.states, self.tried, self.missed) = (0, 0, 0);
        self.in_vain = if is_in_vain { self.in_vain + 1 } else { 0 };
        match self.in_vain {
            0 => Judgement::Pays,
            1 => {
                self.rest = REST >> self.hurry;
                Judgement::Rests
            }
            _ => Judgement::GivenUp,
        }
    }
}
