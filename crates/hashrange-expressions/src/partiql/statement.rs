//! Statements: SELECT, INSERT, UPDATE in both of its forms, DELETE, and EXISTS around a SELECT.

use super::cursor::{Cursor, LEFT_OVER};
use super::lexer::Lexeme;
use super::problem::{Problem, malformed, refused};
use super::tree::{RawSelect, RawSetOrRemove, RawSource, RawStatement, Returning, Term, TermKind};

/// Reads a whole statement; also how many parameters it has.
pub(super) fn statement_tree(text: &str) -> Result<(RawStatement, usize), Problem> {
    let mut cursor = Cursor::new(text)?;
    let statement = cursor.statement()?;
    cursor.expect_end()?;
    Ok((statement, cursor.n_parameters))
}

impl Cursor<'_> {
    fn statement(&mut self) -> Result<RawStatement, Problem> {
        if self.is_at("SELECT") {
            return Ok(RawStatement::Select(self.select()?));
        }
        if self.is_at("EXISTS") && self.next_lexeme() == Some(Lexeme::ParenthesisOpen) {
            return self.exists();
        }
        if self.eat_phrase("INSERT INTO") {
            return self.insert();
        }
        if self.eat_word("UPDATE") {
            return self.update();
        }
        if self.eat_phrase("DELETE FROM") {
            return self.delete();
        }
        if self.eat_word("FROM") {
            return self.update_from_first();
        }
        let start = self.span();
        let term = self.condition()?;
        if self.is_at_end() {
            return Err(unsupported(&term));
        }
        Err(malformed("Expected data manipulation", start))
    }

    fn exists(&mut self) -> Result<RawStatement, Problem> {
        self.expect_word("EXISTS")?;
        self.expect(Lexeme::ParenthesisOpen)?;
        if !self.is_at("SELECT") {
            return Err(self.unexpected());
        }
        let select = self.select()?;
        self.expect(Lexeme::ParenthesisClose)?;
        Ok(RawStatement::Exists(select))
    }

    fn select(&mut self) -> Result<RawSelect, Problem> {
        self.expect_word("SELECT")?;
        let columns = if self.eat(Lexeme::Star).is_some() {
            None
        } else {
            let mut columns = vec![self.column()?];
            while self.eat(Lexeme::Comma).is_some() {
                columns.push(self.column()?);
            }
            Some(columns)
        };
        self.expect_word("FROM")?;
        if !matches!(self.lexeme(), Some(Lexeme::Quoted | Lexeme::Word)) {
            return Err(self.unexpected());
        }
        let source = self.source(true)?;
        let condition = self.where_clause()?;
        let order = if self.eat_phrase("ORDER BY") { self.order()? } else { Vec::new() };
        Ok(RawSelect { columns, source, condition, order })
    }

    fn column(&mut self) -> Result<Term, Problem> {
        let column = self.sum()?;
        if self.is_at("AS") {
            return Err(refused("Aliasing is not supported", self.span()));
        }
        Ok(column)
    }

    fn order(&mut self) -> Result<Vec<(Term, bool)>, Problem> {
        let mut order = Vec::new();
        loop {
            let term = self.sum()?;
            let is_descending = self.eat_word("DESC");
            if !is_descending {
                self.eat_word("ASC");
            }
            order.push((term, is_descending));
            if self.eat(Lexeme::Comma).is_none() {
                return Ok(order);
            }
        }
    }

    fn insert(&mut self) -> Result<RawStatement, Problem> {
        let source = self.source(false)?;
        if !self.eat_word("VALUE") {
            // A list of columns, or whatever else stands there, is read as though it were the value.
            self.condition()?;
            return Err(malformed(LEFT_OVER, self.span()));
        }
        let value = self.sum()?;
        Ok(RawStatement::Insert { source, value })
    }

    fn update(&mut self) -> Result<RawStatement, Problem> {
        let source = self.source(true)?;
        let actions = self.actions()?;
        let condition = self.where_clause()?;
        let returning = self.returning()?.map(|(returning, _)| returning);
        Ok(RawStatement::Update { source, actions, condition, returning })
    }

    /// `FROM table WHERE condition SET ...`
    fn update_from_first(&mut self) -> Result<RawStatement, Problem> {
        let source = self.source(true)?;
        let condition = self.where_clause()?;
        let actions = self.actions()?;
        let returning = self.returning()?.map(|(returning, _)| returning);
        Ok(RawStatement::Update { source, actions, condition, returning })
    }

    fn delete(&mut self) -> Result<RawStatement, Problem> {
        let source = self.source(true)?;
        let condition = self.where_clause()?;
        let returning = self.returning()?;
        Ok(RawStatement::Delete { source, condition, returning })
    }

    /// `table` or `table.index`.
    fn source(&mut self, may_be_followed_by_alias: bool) -> Result<RawSource, Problem> {
        let start = self.span();
        let Some(table) = self.eat_name()? else {
            return Err(malformed("Expected identifier for simple path", start));
        };
        let mut index = None;
        while self.eat(Lexeme::Dot).is_some() {
            let span = self.span();
            let Some(name) = self.eat_name()? else {
                return Err(malformed("Invalid path dot component", span));
            };
            if index.is_some() {
                let message = "A path may contain at most 2 components in the FROM clause";
                return Err(refused(message, span));
            }
            index = Some(name.text);
        }
        let span = self.span_from(start);
        if may_be_followed_by_alias {
            let alias = self.span();
            if self.eat_word("AS") || (!self.is_at_clause() && self.eat_name()?.is_some()) {
                return Err(refused("Aliasing is not supported", alias));
            }
        }
        Ok(RawSource { table: table.text, index, span })
    }

    /// True at a word that begins a clause and is no keyword by itself.
    fn is_at_clause(&self) -> bool {
        self.is_at("RETURNING")
    }

    fn where_clause(&mut self) -> Result<Option<Term>, Problem> {
        if self.eat_word("WHERE") { self.condition().map(Some) } else { Ok(None) }
    }

    /// `SET path = value {, path = value}` and `REMOVE path`, as many as there are.
    fn actions(&mut self) -> Result<Vec<RawSetOrRemove>, Problem> {
        let mut actions = Vec::new();
        loop {
            if self.eat_word("SET") {
                loop {
                    let path = self.target()?;
                    self.expect(Lexeme::Equal)?;
                    actions.push(RawSetOrRemove::Set(path, self.sum()?));
                    if self.eat(Lexeme::Comma).is_none() {
                        break;
                    }
                }
            } else if self.eat_word("REMOVE") {
                actions.push(RawSetOrRemove::Remove(self.target()?));
                while self.eat(Lexeme::Comma).is_some() {
                    actions.push(RawSetOrRemove::Remove(self.target()?));
                }
            } else if actions.is_empty() {
                return Err(malformed("Expected data manipulation", self.span()));
            } else {
                return Ok(actions);
            }
        }
    }

    fn target(&mut self) -> Result<Term, Problem> {
        let start = self.span();
        let path = self.path()?.ok_or_else(|| self.unexpected())?;
        Ok(self.term(TermKind::Path(path), start))
    }

    fn returning(&mut self) -> Result<Option<(Returning, crate::lexer::Span)>, Problem> {
        let start = self.span();
        if !self.eat_word("RETURNING") {
            return Ok(None);
        }
        let is_modified = self.eat_word("MODIFIED");
        if !is_modified {
            self.expect_word("ALL")?;
        }
        let is_new = self.eat_word("NEW");
        if !is_new {
            self.expect_word("OLD")?;
        }
        self.expect(Lexeme::Star)?;
        Ok(Some((Returning { is_modified, is_new }, self.span_from(start))))
    }
}

/// A term stands where DynamoDB has no use for it.
pub(super) fn unsupported(term: &Term) -> Problem {
    let what = match &term.kind {
        TermKind::Path(path) if path.steps.is_empty() => "VariableReference",
        TermKind::Path(_) => "Path",
        TermKind::Parameter(_) => "Parameter",
        TermKind::Is(..) => "IsType",
        TermKind::Missing => "LiteralMissing",
        TermKind::Text(_) | TermKind::Number(_) | TermKind::Boolean(_) | TermKind::Null => {
            "Literal"
        }
        TermKind::List(_) | TermKind::Bag(_) => "Seq",
        TermKind::Tuple(_) => "Struct",
        _ => "NAry",
    };
    refused(format!("Unsupported operation: {what}"), term.span)
}
