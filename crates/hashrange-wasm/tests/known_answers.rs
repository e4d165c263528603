//! The known answers of simulated time in a browser: the same tests as on this machine.
#![cfg(target_arch = "wasm32")]

#[path = "../../hashrange-simulation/tests/known_answers.rs"]
mod known_answers;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
