//! Tokens -> trees as written, by recursive descent.
//!
//! Invariant: only syntax is judged here; names and values are not looked up. Nesting is limited, so no text can
//! use up the stack.
//!
//! Not here: the rules that a well-formed expression may still break ([`crate::rules`]).
//!
//! Source: facts 4.2 to 4.4; near windows as measured (facts 4.10.1 row 22, cases 012 and 024).

mod condition;
mod cursor;
mod path;
pub(crate) mod tree;
mod update;

pub(crate) use condition::condition_tree;
pub(crate) use path::projection_tree;
pub(crate) use update::update_tree;
