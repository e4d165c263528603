//! The pages of `tests/spec` in a browser: what is true natively is true of the wasm build, whose `usize` is smaller.
#![cfg(target_arch = "wasm32")]

use std::collections::BTreeMap;

use hashrange_tests::pages::PAGES;
use hashrange_tests::spec;
use hashrange_tests::world::World;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn every_page_answers_as_it_is_written() {
    let mut failures = String::new();
    let mut n_passed = 0;
    for (name, page) in PAGES {
        let cases = spec::parse(page).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        for case in cases.iter().filter(|case| !case.steps.is_empty()) {
            let mut world = World::default();
            match spec::run(case, &mut |o, t| world.answer(o, t), &mut BTreeMap::new()) {
                Ok(()) => n_passed += 1,
                Err(difference) => {
                    failures.push_str(&format!("{name}: {}\n{difference}", case.title));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(n_passed > 100, "the pages hold many headings, not {n_passed}");
}
