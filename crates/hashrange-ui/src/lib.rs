//! The page: Leptos panels over a headless session.
//!
//! Invariant: this crate sees `hashrange-playground` and nothing below it, so no component can hold engine
//! logic. Stores write, memos read, panels draw; only `browser` talks to the browser.

#![allow(
    unreachable_pub,
    reason = "the component macro of Leptos makes items public inside private modules"
)]

mod app;
mod browser;
mod panels;
mod signal;
mod start;
mod state;
#[cfg(test)]
mod testing;
mod widgets;
