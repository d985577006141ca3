//! Where an expression of a model's language begins and ends inside a formula:
//! `[] (x < 4 -> <> P[0]@L)` has the propositions `x < 4` and `P[0]@L`.
//!
//! An expression is a maximal run of tokens that are not operators of LTL. Whether a
//! parenthesis opens a part of the formula or an operand is seen at what follows its end:
//! `(x + 1) < 5` goes on as an expression, `(x < 1) && p` does not.

use super::error::SyntaxError;
use super::lexer::{Spanned, Token};

/// The end (exclusive) of the expression that begins at token `start`, if one does.
pub(crate) fn model_expression(
    tokens: &[Spanned],
    start: usize,
) -> Result<Option<usize>, SyntaxError> {
    let goes_on = |at: usize| matches!(tokens[at].token, Token::ModelOp | Token::Bracket(true));
    let mut at = start;
    let mut wants_operand = true;
    loop {
        match &tokens[at].token {
            Token::Open if at == start => {
                let close = matching(tokens, at)?;
                if has_temporal(&tokens[at..close]) || !goes_on(close + 1) {
                    return Ok(None);
                }
                at = close + 1;
                wants_operand = false;
            }
            // An operand in parentheses, or the arguments after a name.
            Token::Open if wants_operand || matches!(tokens[at - 1].token, Token::Ap(_)) => {
                at = matching(tokens, at)? + 1;
                wants_operand = false;
            }
            // An index, or what is polled for: `c?[m]`.
            Token::Bracket(true) if at > start => {
                at = matching(tokens, at)? + 1;
                wants_operand = false;
            }
            Token::True | Token::False if wants_operand => {
                // Alone it is a constant of the formula.
                if at == start && !goes_on(at + 1) {
                    return Ok(None);
                }
                at += 1;
                wants_operand = false;
            }
            Token::Ap(_) | Token::Number if wants_operand => {
                at += 1;
                wants_operand = false;
            }
            Token::ModelOp => {
                at += 1;
                wants_operand = true;
            }
            Token::Not if wants_operand && at != start => at += 1,
            _ => break,
        }
    }
    if wants_operand && at > start {
        let found = match tokens[at].token {
            Token::End => "the formula ends",
            _ => "an operator follows",
        };
        return Err(SyntaxError::new(
            tokens[at - 1].span.clone(),
            format!("an operand is missing here: {found}"),
        ));
    }
    Ok((at > start).then_some(at))
}

/// The token that closes the parenthesis or bracket at `open`.
fn matching(tokens: &[Spanned], open: usize) -> Result<usize, SyntaxError> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.token {
            Token::Open | Token::Bracket(true) => depth += 1,
            Token::Close | Token::Bracket(false) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(at);
        }
    }
    Err(SyntaxError::new(tokens[open].span.clone(), "this parenthesis is never closed")
        .with_hint("add a `)`"))
}

fn has_temporal(tokens: &[Spanned]) -> bool {
    use crate::formula::Binary::*;
    tokens.iter().any(|token| {
        matches!(
            token.token,
            Token::Next
                | Token::Finally
                | Token::Globally
                | Token::Binary(Until | Release | WeakUntil | StrongRelease)
        )
    })
}
