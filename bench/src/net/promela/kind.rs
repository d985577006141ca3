//! What stands in a Promela model, and where.

/// An enumeration whose members are counted and have names.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $member:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$about])* $member,)* }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$member,)*];

            pub fn name(self) -> &'static str {
                match self { $($name::$member => $text,)* }
            }

            pub fn index(self) -> u32 {
                self as u32
            }
        }
    };
}
pub(crate) use named;

named! {
    /// A statement, or a block around statements.
    Kind {
        Assign = "assign",
        AssignLocal = "assign-local",
        AssignElement = "assign-element",
        AssignField = "assign-field",
        AssignMtype = "assign-mtype",
        AssignHidden = "assign-hidden",
        /// A byte that wraps.
        Overflow = "overflow",
        /// The remainder of a negative number.
        Modulo = "modulo",
        Conditional = "conditional",
        Increment = "increment",
        Guard = "guard",
        GuardLocal = "guard-local",
        /// `P@label`, `P:x`.
        GuardRemote = "guard-remote",
        /// `_pid`, `_nr_pr`, `_last`.
        GuardSystem = "guard-system",
        /// `len`, `full`, `empty`, `nfull`, `nempty`.
        GuardQueue = "guard-queue",
        Poll = "poll",
        Else = "else",
        Timeout = "timeout",
        Skip = "skip",
        Printf = "printf",
        Assert = "assert",
        Goto = "goto",
        Break = "break",
        Declare = "declare",
        SetPriority = "set-priority",
        Run = "run",
        AssignRun = "assign-run",
        /// A rendezvous send.
        Meet = "meet",
        MeetReceive = "meet-receive",
        /// A rendezvous receive of a certain value.
        MeetMatch = "meet-match",
        Send = "send",
        SendSorted = "send-sorted",
        /// A channel in a message.
        SendChannel = "send-channel",
        Receive = "receive",
        ReceiveMatch = "receive-match",
        ReceiveRandom = "receive-random",
        ReceiveChannel = "receive-channel",
        Peek = "peek",
        PeekRandom = "peek-random",
        Select = "select",
        Braces = "braces",
        If = "if",
        Do = "do",
        Atomic = "atomic",
        DStep = "d_step",
        Unless = "unless",
        Inline = "inline",
        For = "for",
    }
}

named! {
    /// The innermost block around a statement.
    Where {
        Body = "body",
        Braces = "braces",
        If = "if",
        Do = "do",
        Atomic = "atomic",
        DStep = "d_step",
        Main = "unless-main",
        Escape = "unless-escape",
        Inline = "inline",
        For = "for",
    }
}

named! {
    /// Whether other processes may move in between: by the innermost `atomic` or `d_step` around.
    Hold {
        Free = "free",
        Atomic = "in atomic",
        DStep = "in d_step",
    }
}

named! {
    Position {
        First = "first",
        Later = "later",
    }
}

named! {
    /// How a statement knows its channel, and what the messages are.
    Access {
        Global = "global",
        Array = "array",
        Local = "local",
        Passed = "passed",
        Fields = "mtype and byte",
        Struct = "typedef",
    }
}

impl Kind {
    /// Whether it is a statement about a channel.
    pub fn is_communication(self) -> bool {
        (Kind::Meet..=Kind::PeekRandom).contains(&self) || self == Kind::Poll
    }

    pub fn is_meeting(self) -> bool {
        matches!(self, Kind::Meet | Kind::MeetReceive | Kind::MeetMatch)
    }

    pub fn is_block(self) -> bool {
        self >= Kind::Braces
    }

    /// Whether it may have to wait.
    pub fn may_block(self) -> bool {
        (Kind::Guard..=Kind::Poll).contains(&self)
            || self == Kind::Timeout
            || self.is_communication()
    }

    pub fn makes_process(self) -> bool {
        matches!(self, Kind::Run | Kind::AssignRun)
    }

    /// The kind of guard behind which this statement does not wait.
    pub fn assured_by(self) -> Kind {
        match self {
            Kind::Send | Kind::SendSorted | Kind::SendChannel => Kind::GuardQueue,
            kind if kind.is_communication() => Kind::Poll,
            kind => kind,
        }
    }
}
