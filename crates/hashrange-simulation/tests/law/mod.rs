//! Laws that hold in every run, each a function of a seed: natively thousands of seeds, in a browser some.
//!
//! A law that fails says which seed it was and what to type to see it again. Seeds that once failed stand in
//! `tests/seeds/laws.txt` and are tried first.
//!
//! `HASHRANGE_SEED` in the environment is the one seed to try, `HASHRANGE_SEEDS` how many.

mod convergence;
mod dice;
mod equivalence;
mod history;
mod memory;
mod meter;
mod play;
mod regions;
mod replay;
mod requests;
mod streams;
mod units;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// What a law says of a seed: nothing, or what is wrong.
pub(crate) type Verdict = Result<(), String>;

/// Seeds that once failed: a law, a seed and why, a line each.
const ONCE_FAILED: &str = include_str!("../../../../tests/seeds/laws.txt");

/// Makes a test of each law: where it stands, its name, and how many seeds are tried natively and in a browser.
macro_rules! laws {
    ($($place:ident::$name:ident: $native:literal, $browser:literal;)*) => {
        $(#[test]
        fn $name() {
            let n_seeds = if cfg!(target_arch = "wasm32") { $browser } else { $native };
            try_seeds(stringify!($name), $place::$name, n_seeds);
        })*

        /// The names of all laws.
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

laws! {
    equivalence::a_cluster_without_lag_limits_and_faults_answers_as_a_database: 400, 40;
    history::strong_reads_never_miss_an_acknowledged_write: 400, 40;
    history::no_acknowledged_write_is_lost_by_a_fail_over: 400, 40;
    convergence::followers_and_indexes_equal_the_leader_when_nothing_is_due: 250, 25;
    units::units_charged_equal_units_consumed: 300, 30;
    meter::no_partition_admits_above_its_ceiling_and_burst_in_any_second: 200, 20;
    meter::tokens_are_never_negative: 200, 20;
    replay::a_replay_from_a_snapshot_equals_the_straight_run: 60, 6;
    replay::the_same_seed_and_script_give_the_same_events: 150, 15;
    regions::global_replicas_converge: 200, 20;
    streams::a_stream_delivers_each_change_once_per_shard_in_the_order_of_each_key: 250, 25;
    memory::memory_is_bounded_however_long_a_run_is: 4, 1;
}

/// Tries a law with the seeds that once failed and then with the first `n_seeds`.
///
/// # Panics
/// It fails for one.
fn try_seeds(name: &str, law: fn(u64) -> Verdict, n_seeds: u64) {
    let set = |variable: &str| std::env::var(variable).ok()?.parse::<u64>().ok();
    let seeds: Vec<u64> = match set("HASHRANGE_SEED") {
        Some(seed) => vec![seed],
        None => once_failed(name).chain(1..=set("HASHRANGE_SEEDS").unwrap_or(n_seeds)).collect(),
    };
    for seed in seeds {
        if let Err(problem) = verdict(law, seed) {
            panic!(
                "seed {seed}: {problem}\nto see it again: cargo xtask simulate --law {name} --seed {seed}"
            );
        }
    }
}

/// A law that panics fails too, and its seed is to be known.
#[cfg(not(target_arch = "wasm32"))]
fn verdict(law: fn(u64) -> Verdict, seed: u64) -> Verdict {
    std::panic::catch_unwind(|| law(seed)).unwrap_or_else(|_| Err("it panicked, see above".into()))
}

#[cfg(target_arch = "wasm32")]
fn verdict(law: fn(u64) -> Verdict, seed: u64) -> Verdict {
    law(seed)
}

/// The seeds of a law that once failed.
fn once_failed(name: &str) -> impl Iterator<Item = u64> + '_ {
    lines().filter(move |(law, ..)| *law == name).map(|(_, seed, _)| seed)
}

fn lines() -> impl Iterator<Item = (&'static str, u64, &'static str)> {
    let lines = ONCE_FAILED.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let mut parts = line.splitn(3, ' ');
        let mut part = || parts.next().unwrap_or_default();
        (part(), part().parse().expect("a seed is a number"), part())
    })
}

#[test]
fn every_seed_that_once_failed_is_of_a_law_and_says_why() {
    for (law, seed, why) in lines() {
        assert!(NAMES.contains(&law), "{law} is no law");
        assert!(!why.is_empty(), "{law} {seed} says no reason");
    }
}
