//! The laws of simulated time in a browser: what holds for a seed natively holds there, whose `usize` is smaller.
//!
//! They are the same functions as `hashrange-simulation` tries with many more seeds on this machine.
#![cfg(target_arch = "wasm32")]

#[path = "../../hashrange-simulation/tests/law/mod.rs"]
mod law;
#[path = "../../hashrange-simulation/tests/script/mod.rs"]
mod script;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
