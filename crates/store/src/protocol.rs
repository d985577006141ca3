//! Parts of what threads agree on. Tests under loom leave each out in turn, to see that somebody notices.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Who has seen something old looks once more: whether the line is as it was, the root still one, the pair not numbered meanwhile.
    SecondLook,
    /// What others may follow is stored with release.
    Release,
    /// Who has read a line looks only then whether it was written meanwhile.
    ReadersFence,
    /// What is written to a line is seen by nobody who has not seen its lock.
    WritersFence,
    /// Who makes a root a child hands on what it holds, as it is then.
    HandOn,
    /// One thread at a time makes a root a child.
    RootLock,
    /// Lists are put together while nobody takes their states off.
    ListLock,
}

#[cfg(not(all(feature = "loom", test)))]
#[inline(always)]
pub(crate) fn has(_: Part) -> bool {
    true
}

#[cfg(all(feature = "loom", test))]
pub(crate) use under_loom::{has, model, notice};

#[cfg(all(feature = "loom", test))]
mod under_loom {
    use super::Part;
    use std::cell::Cell;

    thread_local!(static LEFT_OUT: Cell<Option<Part>> = const { Cell::new(None) });

    pub(crate) fn has(part: Part) -> bool {
        LEFT_OUT.get() != Some(part)
    }

    /// With so many changes of threads that are not asked for; `LOOM_MAX_PREEMPTIONS` says another number.
    pub(crate) fn model(test: fn()) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = builder.preemption_bound.or(Some(3));
        builder.check(test);
    }

    /// Some of these tests fail if any of these parts is left out.
    pub(crate) fn notice(tests: &[fn()], parts: &[Part]) {
        std::panic::set_hook(Box::new(|_| ()));
        let is_missed = |part: &Part| {
            LEFT_OUT.set(Some(*part));
            let is_fine = |&test: &fn()| std::panic::catch_unwind(|| model(test)).is_ok();
            let is_missed = tests.iter().all(is_fine);
            LEFT_OUT.set(None);
            is_missed
        };
        let missed: Vec<Part> = parts.iter().copied().filter(is_missed).collect();
        let _ = std::panic::take_hook();
        assert_eq!(missed, []);
    }
}
