//! The engine against a naive oracle: random tables, items and expressions, and answers that must be the same.
//!
//! The oracle (`answer`, `expression`, `update`, `table`, `read`, `write`, `transaction`, `sql`, `sql_batch`, `control`) keeps the
//! items of a table in a plain list and goes through all of them for every request. It is written from the facts and
//! shares nothing with the engine: values, decimals, expressions and the placement hash are its own. Requests
//! (`generate`) are made as trees, written as JSON (`text`, `statement`) and put to the engine through the wire.
//!
//! A case that differs is cut down and printed as the requests that show it (`case`). `HASHRANGE_CASES` in the environment
//! is how many cases are run, `HASHRANGE_SEED` the first seed.
//!
//! Not here: what a wrong request is answered (`tests/spec`, `storm`).

mod answer;
mod case;
mod control;
mod expression;
mod generate;
mod op;
mod read;
mod sql;
mod sql_batch;
mod statement;
mod table;
mod text;
mod transaction;
mod update;
mod value;
mod write;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

/// Cases of a normal run.
const CASES: u64 = if cfg!(target_arch = "wasm32") { 300 } else { 2_500 };

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn the_engine_answers_as_the_oracle_does() {
    let first = setting("HASHRANGE_SEED", 1);
    let n_requests: usize = (first..first + setting("HASHRANGE_CASES", CASES))
        .map(|seed| case::check(seed, generate::case(seed)))
        .sum();
    assert!(n_requests > 0, "there are cases");
}
