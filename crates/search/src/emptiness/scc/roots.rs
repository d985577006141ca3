//! `rstack` of RDKP §4.1: the roots of the components on the search path, as depths on the
//! search stack, each with the marks seen inside its component.
//!
//! [`Compressed`] is RDKP §4.2: consecutive trivial components share one entry. A pop takes
//! one position off the range, so that a merge that ends inside a range splits it and sees
//! every position of it above the end. Each of them has an edge whose marks count.

use super::frame::Acc;

/// Which stack of roots a check uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Roots {
    /// One entry for each component ("−cs").
    #[default]
    Plain,
    /// One entry for a range of trivial components ("+cs").
    Compressed,
}

/// A component on the search path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root<A> {
    /// Where the root is on the search stack.
    pub depth: u32,
    /// What is on the edges inside.
    pub acc: A,
    /// Whether no cycle was seen in it.
    pub trivial: bool,
}

/// RDKP's `rstack`.
pub trait RootStack<A>: Default {
    /// The state at `depth`, the new top of the search stack, is a component of its own.
    fn push_trivial(&mut self, depth: u32);

    /// The states of the search stack from `begin` to `end`, its top, are one component.
    fn push_non_trivial(&mut self, acc: A, begin: u32, end: u32);

    /// Takes the topmost root away.
    fn pop(&mut self) -> Root<A>;

    /// The depth of the topmost root.
    fn top_root(&self) -> u32;

    /// Entries in use.
    fn len(&self) -> usize;
}

/// A plain stack of roots.
#[derive(Clone, Debug)]
pub struct Plain<A>(Vec<Root<A>>);

impl<A> Default for Plain<A> {
    fn default() -> Self {
        Plain(Vec::new())
    }
}

impl<A: Acc> RootStack<A> for Plain<A> {
    #[inline]
    fn push_trivial(&mut self, depth: u32) {
        self.0.push(Root { depth, acc: A::default(), trivial: true });
    }

    #[inline]
    fn push_non_trivial(&mut self, acc: A, begin: u32, _end: u32) {
        self.0.push(Root { depth: begin, acc, trivial: false });
    }

    #[inline]
    fn pop(&mut self) -> Root<A> {
        self.0.pop().expect("a state on the search stack has a root")
    }

    #[inline]
    fn top_root(&self) -> u32 {
        self.0.last().expect("a state on the search stack has a root").depth
    }

    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }
}

/// One non-trivial component, or a range of trivial ones.
#[derive(Clone, Copy, Debug)]
struct Entry<A> {
    /// The last depth that belongs to the entry; it begins after the last one of the entry
    /// below. Of a non-trivial entry it is brought up to date when another comes on top:
    /// the search may have gone back and forth in between.
    last: u32,
    trivial: bool,
    acc: A,
}

/// A stack of ranges.
#[derive(Clone, Debug)]
pub struct Compressed<A>(Vec<Entry<A>>);

impl<A> Default for Compressed<A> {
    fn default() -> Self {
        Compressed(Vec::new())
    }
}

impl<A> Compressed<A> {
    /// Where the topmost entry begins.
    #[inline]
    fn top_begin(&self) -> u32 {
        match self.0.len() {
            0 | 1 => 0,
            len => self.0[len - 2].last + 1,
        }
    }
}

impl<A: Acc> RootStack<A> for Compressed<A> {
    #[inline]
    fn push_trivial(&mut self, depth: u32) {
        match self.0.last_mut() {
            Some(top) if top.trivial => top.last = depth,
            top => {
                if let Some(below) = top {
                    below.last = depth - 1;
                }
                self.0.push(Entry { last: depth, trivial: true, acc: A::default() });
            }
        }
    }

    #[inline]
    fn push_non_trivial(&mut self, acc: A, begin: u32, end: u32) {
        debug_assert_eq!(begin, self.0.last().map_or(0, |below| below.last + 1));
        self.0.push(Entry { last: end, trivial: false, acc });
    }

    #[inline]
    fn pop(&mut self) -> Root<A> {
        let begin = self.top_begin();
        let top = self.0.last_mut().expect("a state on the search stack has a root");
        if top.trivial && top.last > begin {
            top.last -= 1;
            return Root { depth: top.last + 1, acc: A::default(), trivial: true };
        }
        let Entry { trivial, acc, .. } = *top;
        self.0.pop();
        Root { depth: begin, acc, trivial }
    }

    #[inline]
    fn top_root(&self) -> u32 {
        let top = self.0.last().expect("a state on the search stack has a root");
        if top.trivial { top.last } else { self.top_begin() }
    }

    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }
}
