//! What generated code and its caller share: a plain struct whose fields both know by offset.

use lariat_model::ir::layout::MAX_LIVE;

/// What a generated function returns.
pub(crate) const OK: i64 = 0;
/// What a function that is asked a question returns for yes; no is [`OK`].
pub(crate) const YES: i64 = 1;
/// The interpreter must expand this state.
pub(crate) const ASK: i64 = 2;
/// The room for rows is used up: once more with more room.
pub(crate) const FULL: i64 = 3;

/// Memory of one expansion. Generated code reads and writes it through a pointer.
#[repr(C)]
pub(crate) struct Context {
    /// Where the next successor goes, and the last place where one may start.
    pub(crate) out: *mut u8,
    pub(crate) out_last: *mut u8,
    /// How many commands led to each successor, in step with `out`.
    pub(crate) commands: *mut u32,
    /// Where the next state inside an atomic sequence goes, and the last place for one.
    pub(crate) scratch: *mut u8,
    pub(crate) scratch_last: *mut u8,
    /// By command: whether it was executed.
    pub(crate) executed: *mut u8,
    pub(crate) atomic_steps: u64,
    /// Fairness: who took part in the step to each successor, as bits by pid, in step with `out`.
    pub(crate) movers: *mut u64,
    /// Who has on the way to the row at hand.
    pub(crate) together: u64,
    /// Who takes part in some step from its beginning on.
    pub(crate) able: u64,
    /// What the proposition function found, as bits.
    pub(crate) props: u64,
    pub(crate) deepest: u32,
    /// Whether `timeout` is true.
    pub(crate) timeout: u32,
    /// DVE: a process is at a committed control point.
    pub(crate) committed: u32,
    /// DVE: the system has moved, whether or not the property could join.
    pub(crate) moved: u32,
    /// Promela: which rendezvous channels somebody may receive from in the row, as bits (id
    /// modulo 32); all ones inside atomic sequences, where nobody has looked.
    pub(crate) listening: u32,
    /// How many channels rows of the last shape have.
    pub(crate) channel_count: u32,
    /// Where the frames of the row start, by pid.
    pub(crate) frames: [u32; MAX_LIVE + 1],
    /// Where the channels of the row start, by id - 1.
    pub(crate) channels: [u32; MAX_LIVE + 1],
    /// Their types. A row says them, too, but may come from anywhere.
    pub(crate) channel_types: [u32; MAX_LIVE + 1],
    /// Bytes of a process with its channels, by proctype.
    pub(crate) block_sizes: [u32; 256],
    /// The receiving halves of rendezvous, by proctype; null if there are none.
    pub(crate) receivers: [*const u8; 256],
    /// Whether a process is enabled, by proctype; null if there are no priorities.
    pub(crate) enabled: [*const u8; 256],
}

impl Context {
    pub(crate) fn new() -> Box<Context> {
        Box::new(Context {
            out: std::ptr::null_mut(),
            out_last: std::ptr::null_mut(),
            commands: std::ptr::null_mut(),
            scratch: std::ptr::null_mut(),
            scratch_last: std::ptr::null_mut(),
            executed: std::ptr::null_mut(),
            atomic_steps: 0,
            movers: std::ptr::null_mut(),
            together: 0,
            able: 0,
            props: 0,
            deepest: 0,
            timeout: 0,
            committed: 0,
            moved: 0,
            listening: 0,
            channel_count: 0,
            frames: [0; MAX_LIVE + 1],
            channels: [0; MAX_LIVE + 1],
            channel_types: [0; MAX_LIVE + 1],
            block_sizes: [0; 256],
            receivers: [std::ptr::null(); 256],
            enabled: [std::ptr::null(); 256],
        })
    }
}

/// The offset of a field, as generated code wants it.
macro_rules! offset {
    ($field:ident) => {
        std::mem::offset_of!($crate::context::Context, $field) as i32
    };
}
pub(crate) use offset;
