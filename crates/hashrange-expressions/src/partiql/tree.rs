//! Trees of statements as written.
//!
//! Names and values carry labels, `#0` and `:1`, under which the rules that statements share with other expressions
//! look them up.

use smol_str::SmolStr;

use crate::lexer::Span;
use crate::syntax::Comparator;

/// One attribute name of a path.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) label: SmolStr,
    pub(super) span: Span,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Entry(Name),
    /// The digits between brackets.
    Index(String, Span),
}

#[derive(Debug, Clone)]
pub(super) struct Path {
    pub(super) head: Name,
    pub(super) steps: Vec<Step>,
}

/// An operand, a value or a condition: only binding tells which of them fits where.
#[derive(Debug, Clone)]
pub(super) struct Term {
    pub(super) kind: TermKind,
    pub(super) span: Span,
    /// The label of a value.
    pub(super) label: SmolStr,
}

#[derive(Debug, Clone)]
pub(super) enum TermKind {
    Path(Path),
    /// `?`, counted from 0.
    Parameter(usize),
    Text(String),
    /// A number with its sign.
    Number(String),
    Boolean(bool),
    Null,
    Missing,
    List(Vec<Term>),
    Tuple(Vec<(String, Term)>),
    Bag(Vec<Term>),
    /// A function's name, its place, and its arguments.
    Call(String, Span, Vec<Term>),
    Sum(Box<Term>, Box<Term>),
    Difference(Box<Term>, Box<Term>),
    Not(Box<Term>),
    All(Vec<Term>),
    Any(Vec<Term>),
    Compare(Comparator, Box<Term>, Box<Term>),
    Between(Box<Term>, Box<Term>, Box<Term>),
    In(Box<Term>, Vec<Term>),
    /// `IS` and the name of a type.
    Is(Box<Term>, &'static TypeName),
}

/// A type that IS asks for: its name, and the tags of the attribute values that have it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TypeName {
    pub(super) name: &'static str,
    pub(super) tags: &'static [&'static str],
}

/// `MISSING` is no type of a value.
pub(super) const MISSING: &str = "MISSING";

/// Names of types that IS knows, those of two words first.
pub(super) const TYPE_NAMES: &[TypeName] = &[
    TypeName { name: "DOUBLE PRECISION", tags: &["N"] },
    TypeName { name: "CHARACTER VARYING", tags: &["S"] },
    TypeName { name: MISSING, tags: &[] },
    TypeName { name: "NULL", tags: &["NULL"] },
    TypeName { name: "BOOL", tags: &["BOOL"] },
    TypeName { name: "BOOLEAN", tags: &["BOOL"] },
    TypeName { name: "STRING", tags: &["S"] },
    TypeName { name: "VARCHAR", tags: &["S"] },
    TypeName { name: "CHAR", tags: &["S"] },
    TypeName { name: "CHARACTER", tags: &["S"] },
    TypeName { name: "SYMBOL", tags: &["S"] },
    TypeName { name: "INT", tags: &["N"] },
    TypeName { name: "INT2", tags: &["N"] },
    TypeName { name: "INT4", tags: &["N"] },
    TypeName { name: "INT8", tags: &["N"] },
    TypeName { name: "INTEGER", tags: &["N"] },
    TypeName { name: "SMALLINT", tags: &["N"] },
    TypeName { name: "BIGINT", tags: &["N"] },
    TypeName { name: "FLOAT", tags: &["N"] },
    TypeName { name: "REAL", tags: &["N"] },
    TypeName { name: "DECIMAL", tags: &["N"] },
    TypeName { name: "DEC", tags: &["N"] },
    TypeName { name: "NUMERIC", tags: &["N"] },
    TypeName { name: "BLOB", tags: &["B"] },
    TypeName { name: "LIST", tags: &["L"] },
    TypeName { name: "STRUCT", tags: &["M"] },
    TypeName { name: "TUPLE", tags: &["M"] },
    TypeName { name: "BAG", tags: &["SS", "NS", "BS"] },
];

/// What a statement reads or writes: a table, and perhaps one of its indexes.
#[derive(Debug, Clone)]
pub(super) struct RawSource {
    pub(super) table: String,
    pub(super) index: Option<String>,
    pub(super) span: Span,
}

#[derive(Debug, Clone)]
pub(super) struct RawSelect {
    /// None for `*`.
    pub(super) columns: Option<Vec<Term>>,
    pub(super) source: RawSource,
    pub(super) condition: Option<Term>,
    /// Each with true for DESC.
    pub(super) order: Vec<(Term, bool)>,
}

#[derive(Debug, Clone)]
pub(super) enum RawSetOrRemove {
    Set(Term, Term),
    Remove(Term),
}

/// What RETURNING asks for: all or modified, old or new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Returning {
    /// True for MODIFIED: only what the statement touched.
    pub is_modified: bool,
    /// True for NEW: as it is after the statement.
    pub is_new: bool,
}

#[derive(Debug, Clone)]
pub(super) enum RawStatement {
    Select(RawSelect),
    Exists(RawSelect),
    Insert {
        source: RawSource,
        value: Term,
    },
    Update {
        source: RawSource,
        actions: Vec<RawSetOrRemove>,
        condition: Option<Term>,
        returning: Option<Returning>,
    },
    Delete {
        source: RawSource,
        condition: Option<Term>,
        returning: Option<(Returning, Span)>,
    },
}
