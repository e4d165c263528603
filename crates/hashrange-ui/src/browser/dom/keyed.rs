//! Lists whose rows keep their elements while their keys stay, as those of a picture that scrolls.
//!
//! Invariant: a row's signals live as long as the row, whatever the list reads.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::tachys::view::Render;

use super::{Built, effect};
use crate::markup::Row;

/// Rows in the page, and an empty text at their end.
pub(crate) struct BuiltRows {
    rows: Vec<BuiltRow>,
    end: web_sys::Node,
}

struct BuiltRow {
    key: String,
    built: Built,
    _owner: Owner,
}

impl BuiltRows {
    /// No rows yet.
    pub(super) fn new(end: web_sys::Node) -> Self {
        Self { rows: Vec::new(), end }
    }

    pub(super) fn first(&self) -> web_sys::Node {
        self.rows.first().map_or_else(|| self.end.clone(), |row| row.built.first())
    }

    pub(super) fn end(&self) -> &web_sys::Node {
        &self.end
    }

    pub(super) fn insert(&self, parent: &web_sys::Node, before: Option<&web_sys::Node>) {
        for row in &self.rows {
            row.built.insert(parent, before);
        }
    }
}

/// Draws rows in place of those that are drawn, now and whenever they change.
pub(super) fn draw(
    rows: Box<dyn Fn() -> Vec<Row>>,
    built: Rc<RefCell<BuiltRows>>,
) -> RenderEffect<()> {
    // Whatever a row makes is the list's, not the effect's, which forgets what it made when it runs again.
    let owner = Owner::current().unwrap_or_default();
    effect(Box::new(move || {
        let rows = rows();
        let last = std::mem::take(&mut built.borrow_mut().rows);
        let now = kept_and_new(rows, last, &owner);
        let mut built = built.borrow_mut();
        built.rows = now;
        put_in_order(&built);
    }))
}

/// Takes the rows that were there before out of `last`, draws the new ones, and removes what is left.
fn kept_and_new(rows: Vec<Row>, last: Vec<BuiltRow>, owner: &Owner) -> Vec<BuiltRow> {
    let mut last: Vec<Option<BuiltRow>> = last.into_iter().map(Some).collect();
    // The order seldom changes, so the next row is looked for behind the one that was found last.
    let mut at = 0;
    let mut now = Vec::with_capacity(rows.len());
    for row in rows {
        let is_it = |built: &Option<BuiltRow>| built.as_ref().is_some_and(|old| old.key == row.key);
        let found = (at..last.len()).chain(0..at).find(|place| is_it(&last[*place]));
        let kept = found.and_then(|place| {
            at = place + 1;
            last[place].take()
        });
        now.push(kept.unwrap_or_else(|| {
            let owner = owner.with(Owner::new);
            let built = owner.with(|| untrack(|| (row.draw)().build()));
            BuiltRow { key: row.key, built, _owner: owner }
        }));
    }
    for gone in last.into_iter().flatten() {
        gone.built.remove();
    }
    now
}

/// Moves only what does not stand where it should, so that whatever has the focus keeps it.
fn put_in_order(built: &BuiltRows) {
    // Before the list itself is in the page there is nowhere to put its rows.
    let Some(parent) = built.end.parent_node() else { return };
    let mut next = built.end.clone();
    for row in built.rows.iter().rev() {
        if row.built.last().next_sibling().as_ref() != Some(&next) {
            row.built.insert(&parent, Some(&next));
        }
        next = row.built.first();
    }
}
