//! The shape of the trees: which values of one level are a node of the next.
//!
//! ```text
//! level 2            •   4        root: (•, 4)
//! level 1      •     •   4        the odd one goes up as it is
//! level 0     0 1   2 3  4        the words of the row
//! ```

/// Levels of values, one behind the other in one array. The last level has two values, the
/// root, unless the row has one word only.
#[derive(Debug)]
pub(super) struct Shape {
    levels: Vec<Level>,
    pub(super) values: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Shape {
    pub(super) fn new(width: usize) -> Self {
        assert!(width > 0, "a row has at least one word");
        let mut levels = vec![Level { start: 0, len: width }];
        let mut level = levels[0];
        while level.len > 2 {
            level = Level { start: level.start + level.len, len: level.len.div_ceil(2) };
            levels.push(level);
        }
        Shape { levels, values: level.start + level.len }
    }

    pub(super) fn width(&self) -> usize {
        self.levels[0].len
    }

    /// The level of the root.
    pub(super) fn top(&self) -> Level {
        self.levels[self.levels.len() - 1]
    }

    pub(super) fn levels(&self) -> usize {
        self.levels.len()
    }

    #[inline(always)]
    pub(super) fn level(&self, at: usize) -> Level {
        self.levels[at]
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn levels_halve() {
        let lens = |width| {
            let shape = Shape::new(width);
            shape.levels.iter().map(|level| level.len).collect::<Vec<_>>()
        };
        assert_eq!(lens(1), [1]);
        assert_eq!(lens(2), [2]);
        assert_eq!(lens(5), [5, 3, 2]);
        assert_eq!(lens(16), [16, 8, 4, 2]);
        assert_eq!(lens(17), [17, 9, 5, 3, 2]);
    }
}
