//! The same searches written by hand for the one graph: no search stack, no product, no
//! `Graph`; only the store is lariat's. What the traits cost is the ratio to these.

use lariat_core::{Batch, Fixed, Intern, Pending, Store, Word};
use lariat_store::Exact;

pub(crate) type Table<T> = Exact<T, Vec<[Word; 4]>>;

pub(crate) struct Out {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
}

/// The successors in the product with `F G ¬p`.
#[inline(always)]
fn expand(n: Word, s: [Word; 4], out: &mut Fixed<4>) {
    let p = s[..3].contains(&0);
    if s[3] == 1 && p {
        return;
    }
    for i in 0..3 {
        let row = out.push_copy(&s);
        row[i] = if s[i] + 1 == n { 0 } else { s[i] + 1 };
    }
    if s[3] == 0 && !p {
        for i in 0..3 {
            out.duplicate(i)[3] = 1;
        }
    }
}

struct Stack {
    /// State, start of its pending successors, whether they were generated.
    frames: Vec<(u32, u32, bool)>,
    pending: Vec<Pending<u32>>,
}

/// Depth-first search that visits every state.
pub(crate) fn dfs(n: Word, table: &mut Table<bool>) -> Out {
    let mut out = Out { states: 1, transitions: 0 };
    let mut batch = Fixed::new(usize::MAX);
    let mut stack = Stack { frames: vec![], pending: vec![] };
    let root = table.intern(&[0; 4]);
    table.set_tag(root, true);
    stack.frames.push((root, 0, false));
    while let Some(frame) = stack.frames.last_mut() {
        if stack.pending.len() > frame.1 as usize {
            let Some(Pending { dst, .. }) = stack.pending.pop() else { break };
            out.transitions += 1;
            if !table.tag(dst) {
                table.set_tag(dst, true);
                out.states += 1;
                stack.frames.push((dst, stack.pending.len() as u32, false));
            }
        } else if frame.2 {
            stack.frames.pop();
        } else {
            frame.2 = true;
            batch.clear();
            expand(n, *lariat_core::States::row(table, frame.0), &mut batch);
            table.intern_all(&batch, &mut stack.pending);
        }
    }
    out
}

const WHITE: u8 = 0;
const CYAN: u8 = 1;
const BLUE: u8 = 2;
const RED: u8 = 3;

/// Schwoon and Esparza's nested search on the same graph, which has no accepting cycle.
pub(crate) fn se(n: Word, table: &mut Table<u8>) -> Out {
    let mut out = Out { states: 1, transitions: 0 };
    let mut batch = Fixed::new(usize::MAX);
    let mut blue = Stack { frames: vec![], pending: vec![] };
    let mut red = Stack { frames: vec![], pending: vec![] };
    let accepting = |table: &Table<u8>, id: u32| lariat_core::States::row(table, id)[3] == 1;
    let root = table.intern(&[0; 4]);
    table.set_tag(root, CYAN);
    blue.frames.push((root, 0, false));
    while let Some(frame) = blue.frames.last_mut() {
        let s = frame.0;
        if blue.pending.len() > frame.1 as usize {
            let Some(Pending { dst, .. }) = blue.pending.pop() else { break };
            out.transitions += 1;
            match table.tag(dst) {
                WHITE => {
                    table.set_tag(dst, CYAN);
                    out.states += 1;
                    blue.frames.push((dst, blue.pending.len() as u32, false));
                }
                CYAN => assert!(!accepting(table, s) && !accepting(table, dst)),
                _ => {}
            }
        } else if frame.2 {
            blue.frames.pop();
            if accepting(table, s) {
                red.frames.push((s, 0, false));
                while let Some(frame) = red.frames.last_mut() {
                    if red.pending.len() > frame.1 as usize {
                        let Some(Pending { dst, .. }) = red.pending.pop() else { break };
                        out.transitions += 1;
                        match table.tag(dst) {
                            BLUE => {
                                table.set_tag(dst, RED);
                                red.frames.push((dst, red.pending.len() as u32, false));
                            }
                            tag => assert_ne!(tag, CYAN),
                        }
                    } else if frame.2 {
                        red.frames.pop();
                    } else {
                        frame.2 = true;
                        fill(n, frame.0, table, &mut batch, &mut red.pending);
                    }
                }
                table.set_tag(s, RED);
            } else {
                table.set_tag(s, BLUE);
            }
        } else {
            frame.2 = true;
            fill(n, s, table, &mut batch, &mut blue.pending);
        }
    }
    out
}

#[inline(always)]
fn fill(
    n: Word,
    id: u32,
    table: &mut Table<u8>,
    batch: &mut Fixed<4>,
    out: &mut Vec<Pending<u32>>,
) {
    batch.clear();
    expand(n, *lariat_core::States::row(table, id), batch);
    table.intern_all(batch, out);
}
