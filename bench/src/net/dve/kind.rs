//! The parts of a DVE transition.

use crate::net::promela::kind::named;

named! {
    Guard {
        None = "no guard",
        Global = "guard of a global",
        Local = "guard of a local",
        Element = "guard of an element",
        /// `P.s`.
        Process = "guard of a process's state",
        /// `P->x`.
        Foreign = "guard of another's local",
        Bits = "guard of bits",
        Imply = "guard with imply",
    }
}

named! {
    Sync {
        None = "no sync",
        /// Rendezvous without a value.
        Send = "c!",
        Receive = "c?",
        SendValue = "d!v",
        ReceiveValue = "d?x",
        /// A typed channel without room.
        SendTyped = "e!v",
        ReceiveTyped = "e?x",
        /// Two values at once.
        SendTwo = "f!{v, v}",
        ReceiveTwo = "f?{x, x}",
        /// A channel with room.
        Put = "q!v",
        Take = "q?x",
        PutTwo = "p!{v, v}",
        TakeTwo = "p?{x, x}",
    }
}

named! {
    Effect {
        None = "no effect",
        Constant = "constant to a global",
        Global = "sum to a global",
        Local = "to a local",
        Element = "to an element",
        /// Two, the second of which sees the first.
        Two = "two effects",
        Negative = "negative remainder",
        Condition = "a comparison as a value",
        /// A value on the way that does not fit; now and then in the end, which is a run-time error.
        Wide = "wide arithmetic",
        /// `P.s` of itself, in the target already.
        State = "own state as a value",
    }
}

named! {
    Feature {
        Assert = "assert",
        Property = "property process",
        Commit = "commit",
        Constant = "const",
        Array = "array",
        Int = "int",
        Foreign = "another's local",
        Typed = "typed rendezvous",
        Buffered = "buffered channel",
        Room = "room for two",
        Lockstep = "system sync",
        Accept = "accept beside a property",
    }
}

impl Sync {
    /// The other side of a channel.
    pub fn partner(self) -> Option<Sync> {
        match self {
            Sync::None => None,
            _ if self.sends() => Some(Sync::ALL[self.index() as usize + 1]),
            _ => Some(Sync::ALL[self.index() as usize - 1]),
        }
    }

    pub fn sends(self) -> bool {
        self.index() % 2 == 1
    }

    /// Whether both sides move at once.
    pub fn meets(self) -> bool {
        (Sync::Send..=Sync::ReceiveTwo).contains(&self)
    }

    /// The name of the channel.
    pub fn channel(self) -> &'static str {
        &self.name()[..1]
    }
}
