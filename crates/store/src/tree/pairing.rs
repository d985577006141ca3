//! Which parts of a root become pairs, where all of them together need too many bits.
//!
//! As in `plan`, from a sample: of all neighbours, those with the fewest different values together become a pair, until what is left fits. What
//! varies together, or hardly, needs fewer bits as a pair than apart.

use super::plan::{Join, LEAST_BITS, bits_for};

/// With more than one value for so many rows of the sample, there are others that it does not have.
const ROWS_PER_VALUE: usize = 4;

struct Column {
    part: u32,
    bits: u32,
    values: Vec<u32>,
}

/// Pairs of parts, so that the root has about as many bits as are aimed at, or two parts, or one if it would have too many bits else;
/// the next part has this number. `parts`: with the bits that each needs; `rows`: their values in some states, of so many.
pub(super) fn pairs(
    parts: &[(u32, u32)],
    (rows, states): (&[u32], usize),
    mut next: u32,
    (most, target): (u32, u32),
) -> Vec<(u32, u32)> {
    let width = parts.len();
    let times = (states * width).div_ceil(rows.len().max(1));
    let mut join = Join::default();
    let column = |(at, &(part, bits)): (usize, &(u32, u32))| {
        let values = rows.iter().skip(at).step_by(width).map(|&value| (value, 0));
        Column { part, bits, values: join.values(values).0 }
    };
    let mut columns: Vec<Column> = parts.iter().enumerate().map(column).collect();
    let mut both = |left: &Column, right: &Column| {
        let values = left.values.iter().copied().zip(right.values.iter().copied());
        join.values(values)
    };
    let mut counts: Vec<u32> = columns.windows(2).map(|two| both(&two[0], &two[1]).1).collect();
    let mut pairs = Vec::new();
    loop {
        let sum = columns.iter().map(|column| column.bits).sum::<u32>();
        if sum <= if columns.len() > 2 { target } else { most } {
            break;
        }
        let Some(at) = (0..counts.len()).min_by_key(|&at| counts[at]) else { break };
        let (left, right) = (&columns[at], &columns[at + 1]);
        pairs.push((left.part, right.part));
        let (values, count) = both(left, right);
        // With few values in the sample, these are nearly all; with many, each may stand for others.
        let is_known = count as usize * ROWS_PER_VALUE <= rows.len() / width;
        let all = if is_known { count as usize } else { count as usize * times };
        let bits = bits_for(all).max(LEAST_BITS).min(left.bits + right.bits).min(u32::BITS);
        columns[at] = Column { part: next, bits, values };
        next += 1;
        columns.remove(at + 1);
        counts.remove(at);
        for neighbour in [at.checked_sub(1), Some(at)].into_iter().flatten() {
            if let Some(count) = counts.get_mut(neighbour) {
                *count = both(&columns[neighbour], &columns[neighbour + 1]).1;
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_varies_together_becomes_a_pair() {
        let mut rows = Vec::new();
        for at in 0..4_000_u32 {
            let (left, right) = (at % 50, at / 50);
            rows.extend([left, left * 7, right, right + 1]);
        }
        let parts = [(0, 9), (1, 9), (2, 9), (5, 9)];
        let pairs = |rows: &[u32], most, target| pairs(&parts, (rows, 4_000), 6, (most, target));
        assert_eq!(pairs(&rows, 64, 36), []);
        assert_eq!(pairs(&rows, 64, 27), [(0, 1)]);
        assert_eq!(pairs(&rows, 64, 20), [(0, 1), (2, 5)]);
        // Two parts are better than one, if they may be.
        assert_eq!(pairs(&rows, 13, 3), [(0, 1), (2, 5)]);
        assert_eq!(pairs(&rows, 12, 3), [(0, 1), (2, 5), (6, 7)]);
        // There is no more to be done with one part.
        assert_eq!(pairs(&rows, 3, 3), [(0, 1), (2, 5), (6, 7)]);
        assert_eq!(pairs(&[], 64, 30).len(), 1);
    }
}
