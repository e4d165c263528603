//! The page: Leptos panels over a headless session.
//!
//! Invariant: this crate sees `hashrange-playground` and nothing below it, so no component can hold engine
//! logic. Stores write, memos read, panels draw; only `browser` talks to the browser.

mod app;
mod browser;
mod markup;
mod panels;
mod signal;
mod start;
mod state;
#[cfg(test)]
mod testing;
mod widgets;
