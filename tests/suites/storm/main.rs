//! 100,000 random requests: those of the pages in `tests/spec`, as they are and damaged in every way, against databases
//! that live on between them.
//!
//! Nothing panics. Every answer is JSON; every error has a name that DynamoDB's clients know and changes nothing; a page
//! of items ends at its megabyte; counts and sizes of tables and indexes stay what scanning them gives.
//!
//! `HASHRANGE_REQUESTS` in the environment is how many requests are sent, `HASHRANGE_SEED` the first seed.
//!
//! Not here: what the right answer is (`tests/spec`, `differential`).

mod check;
mod damage;

use std::collections::BTreeMap;

use hashrange_tests::pages::PAGES;
use hashrange_tests::spec::{self, Case, Step};
use hashrange_tests::world::World;
use hashrange_types::Operation;
use serde_json::Value as Json;

use check::{check_counts, put};
use damage::damaged;
use hashrange_tests::random::Random;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

/// Requests of a normal run.
const REQUESTS: usize = if cfg!(target_arch = "wasm32") { 10_000 } else { 100_000 };
/// Requests put to one database before the next begins.
const REQUESTS_OF_ONE: usize = 100;

/// A request of a page: its operation and JSON.
type Asked = (String, Json);

/// What the pages ask.
struct Pages {
    /// Headings whose steps prepare a database.
    cases: Vec<Case>,
    /// Every request, by operation.
    by_operation: BTreeMap<String, Vec<Json>>,
}

fn requests(case: &Case) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for step in &case.steps {
        match step {
            Step::Setup(requests) => {
                found.extend(requests.iter().map(|(o, t)| (o.as_str(), t.as_str())));
            }
            Step::Request { operation, text, .. } => found.push((operation, text)),
            Step::World(..) => {}
        }
    }
    found
}

impl Pages {
    fn read() -> Self {
        let mut pages = Self { cases: Vec::new(), by_operation: BTreeMap::new() };
        for (_, page) in PAGES {
            for case in spec::parse(page).expect("the spec suite reads the pages too") {
                for (operation, text) in requests(&case) {
                    let of_operation = pages.by_operation.entry(operation.to_owned()).or_default();
                    of_operation.extend(serde_json::from_str::<Json>(text));
                }
                if !case.steps.is_empty() {
                    pages.cases.push(case);
                }
            }
        }
        pages
    }

    /// A request of the heading, or of any operation.
    fn pick(&self, case: &Case, random: &mut Random) -> Asked {
        let own = requests(case);
        if !own.is_empty() && random.chance(60) {
            let (operation, text) = *random.pick(&own);
            if let Ok(request) = serde_json::from_str(text) {
                return (operation.to_owned(), request);
            }
        }
        let operation = random.pick::<Operation>(Operation::ALL).name();
        let of_operation = &self.by_operation[operation];
        (operation.to_owned(), random.pick::<Json>(of_operation).clone())
    }
}

fn setting(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn every_operation_is_asked_by_some_page() {
    let pages = Pages::read();
    for operation in Operation::ALL {
        assert!(pages.by_operation.contains_key(operation.name()), "{}", operation.name());
    }
}

#[test]
fn random_requests_are_answered_or_refused_and_change_what_they_say() {
    let pages = Pages::read();
    let n_worlds = setting("HASHRANGE_REQUESTS", REQUESTS).div_ceil(REQUESTS_OF_ONE);
    let first = setting("HASHRANGE_SEED", 1);
    let (mut n_done, mut n_refused) = (0, 0);
    for seed in first..first + n_worlds {
        let mut random = Random::new(u64::try_from(seed).expect("seeds fit"));
        let case = random.pick(&pages.cases);
        let mut world = World::default();
        for (operation, text) in requests(case) {
            put(&mut world, seed, operation, text, false);
        }
        for at in 0..REQUESTS_OF_ONE {
            let (operation, request) = pages.pick(case, &mut random);
            let other = pages.pick(case, &mut random).1;
            let text = damaged(&mut random, request, &other);
            if random.chance(5) {
                let millis = i64::try_from(random.below(100_000_000)).expect("a day is short");
                world.now = world.now.plus_millis(millis);
            }
            let is_watched = at % 50 == 25;
            if put(&mut world, seed, &operation, &text, is_watched) {
                n_done += 1;
            } else {
                n_refused += 1;
            }
        }
        check_counts(&mut world, seed);
    }
    // Both kinds must be many, or the requests are too damaged or not damaged at all.
    assert!(n_done > n_worlds * REQUESTS_OF_ONE / 20, "{n_done} of them were done");
    assert!(n_refused > n_worlds * REQUESTS_OF_ONE / 8, "{n_refused} of them were refused");
}
