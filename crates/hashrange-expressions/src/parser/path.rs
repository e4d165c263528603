//! Document paths, and projections, which are lists of them.

use hashrange_types::ExpressionParameter;

use super::cursor::Cursor;
use super::tree::{RawName, RawPath, RawStep};
use crate::error::Located;
use crate::lexer::Lexeme;

/// Reads a whole ProjectionExpression.
pub(crate) fn projection_tree(text: &str) -> Result<Vec<RawPath<'_>>, Located> {
    let mut cursor = Cursor::new(ExpressionParameter::Projection, text)?;
    let mut paths = vec![cursor.path()?];
    while cursor.eat(Lexeme::Comma).is_some() {
        paths.push(cursor.path()?);
    }
    cursor.expect_end()?;
    Ok(paths)
}

impl<'t> Cursor<'t> {
    /// `ident ( '.' ident | '[' digits ']' )*`
    pub(super) fn path(&mut self) -> Result<RawPath<'t>, Located> {
        let head = self.identifier()?;
        let mut path = RawPath { head, steps: Vec::new(), span: head.span };
        self.path_steps(&mut path)?;
        Ok(path)
    }

    /// Reads further steps of a path that has begun.
    pub(super) fn path_steps(&mut self, path: &mut RawPath<'t>) -> Result<(), Located> {
        loop {
            let (step, end) = if self.eat(Lexeme::Dot).is_some() {
                let name = self.identifier()?;
                (RawStep::Entry(name), name.span)
            } else if self.eat(Lexeme::BracketOpen).is_some() {
                let index = self.eat_name(Lexeme::Integer).ok_or_else(|| self.syntax_error())?;
                (RawStep::Index(index), self.expect(Lexeme::BracketClose)?)
            } else {
                return Ok(());
            };
            path.steps.push(step);
            path.span = path.span.to(end);
        }
    }

    fn identifier(&mut self) -> Result<RawName<'t>, Located> {
        self.eat_name(Lexeme::Name).or_else(|| self.eat_word()).ok_or_else(|| self.syntax_error())
    }
}
