//! Update expressions.

use hashrange_types::ExpressionParameter;

use super::cursor::Cursor;
use super::tree::{RawAction, RawChange, RawSetValue, RawUpdate, Section};
use crate::error::Located;
use crate::lexer::Lexeme;

/// Reads a whole UpdateExpression.
pub(crate) fn update_tree(text: &str) -> Result<RawUpdate<'_>, Located> {
    let mut cursor = Cursor::new(ExpressionParameter::Update, text)?;
    let mut update = RawUpdate { actions: Vec::new(), repeated: None, redundant: None };
    let mut sections: Vec<Section> = Vec::new();
    while cursor.token().is_some() {
        let found = Section::ALL
            .into_iter()
            .find_map(|section| Some((section, cursor.eat_keyword(section.keyword())?)));
        let Some((section, span)) = found else {
            return Err(cursor.syntax_error());
        };
        if sections.contains(&section) {
            update.repeated.get_or_insert((section, span));
        }
        sections.push(section);
        update.actions.push(cursor.action(section)?);
        while cursor.eat(Lexeme::Comma).is_some() {
            update.actions.push(cursor.action(section)?);
        }
    }
    update.redundant = cursor.redundant;
    Ok(update)
}

impl<'t> Cursor<'t> {
    fn action(&mut self, section: Section) -> Result<RawAction<'t>, Located> {
        let path = self.path()?;
        let change = match section {
            Section::Set => {
                self.expect(Lexeme::Equal)?;
                RawChange::Set(self.set_value()?.0)
            }
            Section::Remove => RawChange::Remove,
            Section::Add | Section::Delete => {
                let value = self.eat_name(Lexeme::Value).ok_or_else(|| self.syntax_error())?;
                if section == Section::Add {
                    RawChange::Add(value)
                } else {
                    RawChange::Delete(value)
                }
            }
        };
        Ok(RawAction { path, change })
    }

    /// `term [ ("+"|"-") term ]`, perhaps in parentheses; also whether it was one pair of them.
    fn set_value(&mut self) -> Result<(RawSetValue<'t>, bool), Located> {
        let (left, is_grouped) = if let Some(open) = self.eat(Lexeme::ParenthesisOpen) {
            self.enter()?;
            let (value, is_doubled) = self.set_value()?;
            let close = self.expect(Lexeme::ParenthesisClose)?;
            self.leave();
            if is_doubled {
                self.note_redundant(open.to(close));
            }
            match value {
                RawSetValue::Operand(operand) => (operand, true),
                arithmetic => return Ok((arithmetic, true)),
            }
        } else {
            (self.operand()?, false)
        };
        if self.eat(Lexeme::Plus).is_some() {
            return Ok((RawSetValue::Sum(left, self.operand()?), false));
        }
        if self.eat(Lexeme::Minus).is_some() {
            return Ok((RawSetValue::Difference(left, self.operand()?), false));
        }
        Ok((RawSetValue::Operand(left), is_grouped))
    }
}
