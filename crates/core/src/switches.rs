//! On/off switches, each declared in one place: by the crate that looks at it.
//!
//! [`switches!`](macro@crate::switches) makes a struct with a `bool` for each switch, all off by default,
//! and a table of them. Who reads arguments makes one of each row and needs no change for a new
//! switch; the crate itself knows nothing about how arguments are read.
//!
//! ```
//! use lariat_core::{Audience, Switches, switches};
//!
//! switches! {
//!     /// How to walk.
//!     pub struct WalkSwitches {
//!         /// Walk backwards
//!         backwards: "--backwards" for Users,
//!         /// Do not remember where
//!         /// the walk has been
//!         no_memory: "--no-memory" for Tests,
//!     }
//! }
//!
//! let switches = WalkSwitches { backwards: true, ..WalkSwitches::default() };
//! assert_eq!(switches.given(), ["--backwards"]);
//! let row = &WalkSwitches::TABLE[1];
//! assert_eq!(row.help.trim(), "Do not remember where the walk has been");
//! assert_eq!(row.audience, Audience::Tests);
//! ```

/// Whom a switch is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Everybody.
    Users,
    /// The tests of lariat itself: answers are the same either way.
    Tests,
}

/// What there is to say about a switch of `S`.
pub struct Switch<S> {
    /// As it is written on the command line, with its dashes.
    pub option: &'static str,
    /// What it does when it is on.
    pub help: &'static str,
    /// Whom it is there for.
    pub audience: Audience,
    /// Where it is kept.
    pub field: fn(&mut S) -> &mut bool,
}

/// Made by [`switches!`](macro@crate::switches).
pub trait Switches: Copy + Default + 'static {
    /// All switches, in the order in which they are declared.
    const TABLE: &'static [Switch<Self>];

    /// The options of those that are on.
    fn given(mut self) -> Vec<&'static str> {
        let is_on = |switch: &&Switch<Self>| *(switch.field)(&mut self);
        Self::TABLE.iter().filter(is_on).map(|switch| switch.option).collect()
    }
}

/// Declares switches; see [the module](mod@crate::switches). The comment above each is its help.
#[macro_export]
macro_rules! switches {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident {
            $($(#[doc = $help:literal])+ $field:ident: $option:literal for $audience:ident,)+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $name {
            $($(#[doc = $help])+ pub $field: bool,)+
        }

        impl $crate::Switches for $name {
            const TABLE: &'static [$crate::Switch<Self>] = &[$($crate::Switch {
                option: $option,
                help: concat!($($help),+),
                audience: $crate::Audience::$audience,
                field: |switches| &mut switches.$field,
            },)+];
        }
    };
}
