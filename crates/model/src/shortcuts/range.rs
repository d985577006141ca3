//! Bounds of an expression's value, and whether its evaluation can go wrong.

use crate::ir::{BinaryOp, Expr, ExprId, Model, Place, Scalar, UnaryOp};

/// All values that an expression may have, and perhaps more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) low: i64,
    pub(super) high: i64,
}

const ANY: Range = Range { low: i32::MIN as i64, high: i32::MAX as i64 };
const TRUTH: Range = Range { low: 0, high: 1 };

impl Range {
    /// Sums and products that leave 32 bits wrap around: then nothing is known.
    fn new(low: i64, high: i64) -> Range {
        if low < ANY.low || high > ANY.high { ANY } else { Range { low, high } }
    }

    fn contains(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }

    fn is_within(self, low: i64, high: i64) -> bool {
        low <= self.low && self.high <= high
    }

    fn with(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

fn of_scalar(scalar: Scalar) -> Range {
    match scalar {
        Scalar::Bits(bits @ 0..=31) => Range { low: 0, high: (1 << bits) - 1 },
        Scalar::Byte => Range { low: 0, high: 255 },
        Scalar::Short => Range { low: i16::MIN as i64, high: i16::MAX as i64 },
        Scalar::Bits(_) | Scalar::Int => ANY,
    }
}

// Recursion is as deep as the expression, which the parsers limit.
pub(super) fn range(model: &Model, id: ExprId) -> Range {
    match model.exprs.get(id) {
        Expr::Const(value) => Range { low: i64::from(*value), high: i64::from(*value) },
        Expr::Var(_, _, scalar) => of_scalar(*scalar),
        Expr::Load(place) => of_scalar(place.scalar),
        Expr::Remote(remote) => of_scalar(remote.place.scalar).with(TRUTH),
        Expr::Table(values, _) => {
            let bounds = values.iter().map(|&value| i64::from(value));
            let low = bounds.clone().min().unwrap_or(0);
            Range { low: low.min(0), high: bounds.max().unwrap_or(0).max(0) }
        }
        Expr::Unary(UnaryOp::Not, _) => TRUTH,
        Expr::Unary(UnaryOp::Negate, operand) => {
            let of = range(model, *operand);
            Range::new(-of.high, -of.low)
        }
        Expr::Unary(UnaryOp::Complement, _) => ANY,
        Expr::Binary(op, left, right) => of_binary(*op, range(model, *left), range(model, *right)),
        Expr::Conditional(_, then, otherwise) => range(model, *then).with(range(model, *otherwise)),
        Expr::Pid
        | Expr::NrProcesses
        | Expr::Last
        | Expr::Priority
        | Expr::Len(_)
        | Expr::GetPriority(_) => Range { low: 0, high: 255 },
        Expr::NonProgress
        | Expr::AtAccept
        | Expr::Timeout
        | Expr::Probe(..)
        | Expr::Poll(_)
        | Expr::Enabled(_)
        | Expr::At(_) => TRUTH,
        Expr::PcValue(_) => Range { low: 0, high: i64::from(u16::MAX) },
        Expr::Run(_) => ANY,
    }
}

fn of_binary(op: BinaryOp, left: Range, right: Range) -> Range {
    match op {
        BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::Greater
        | BinaryOp::LessEqual
        | BinaryOp::GreaterEqual => TRUTH,
        BinaryOp::Add => Range::new(left.low + right.low, left.high + right.high),
        BinaryOp::Subtract => Range::new(left.low - right.high, left.high - right.low),
        BinaryOp::Multiply => {
            let corners = [
                left.low * right.low,
                left.low * right.high,
                left.high * right.low,
                left.high * right.high,
            ];
            let (low, high) = corners.iter().fold((i64::MAX, i64::MIN), |(low, high), &corner| {
                (low.min(corner), high.max(corner))
            });
            Range::new(low, high)
        }
        BinaryOp::Divide if left.low >= 0 && right.low > 0 => {
            Range { low: left.low / right.high, high: left.high / right.low }
        }
        BinaryOp::Remainder if right.low > 0 => {
            let most = right.high - 1;
            Range { low: if left.low < 0 { -most } else { 0 }, high: most.min(left.high.max(0)) }
        }
        BinaryOp::BitAnd if left.low >= 0 && right.low >= 0 => {
            Range { low: 0, high: left.high.min(right.high) }
        }
        BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::Divide
        | BinaryOp::Remainder => ANY,
    }
}

/// The value can always be found and finding it changes nothing: no division by zero, no
/// index out of range, no channel that is not there, no `run`.
pub(super) fn is_harmless(model: &Model, id: ExprId) -> bool {
    let mut harmless = true;
    model.exprs.walk(id, &mut |_, node| {
        harmless &= match node {
            Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, left, right) => {
                let divisor = range(model, *right);
                let overflow = divisor.contains(-1) && range(model, *left).contains(ANY.low);
                !divisor.contains(0) && !overflow
            }
            Expr::Load(place) => has_harmless_subscripts(model, place),
            Expr::Remote(remote) => has_harmless_subscripts(model, &remote.place),
            Expr::Table(values, index) => {
                range(model, *index).is_within(0, values.len() as i64 - 1)
            }
            Expr::Len(_) | Expr::Probe(..) | Expr::Poll(_) | Expr::Run(_) | Expr::Enabled(_) => {
                false
            }
            _ => true,
        };
    });
    harmless
}

/// No subscript of the place itself is ever out of range.
fn has_harmless_subscripts(model: &Model, place: &Place) -> bool {
    let within = |index: &crate::ir::Index| {
        range(model, index.value).is_within(0, i64::from(index.count) - 1)
    };
    place.indices.iter().all(within)
}

/// The place can always be found.
pub(super) fn is_harmless_place(model: &Model, place: &Place) -> bool {
    has_harmless_subscripts(model, place)
        && place.indices.iter().all(|index| is_harmless(model, index.value))
}

/// Nothing is lost when the value is stored.
pub(super) fn always_fits(model: &Model, value: ExprId, scalar: Scalar) -> bool {
    let room = of_scalar(scalar);
    range(model, value).is_within(room.low, room.high)
}
