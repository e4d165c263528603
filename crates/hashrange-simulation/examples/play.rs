//! Plays a scenario: `play FILE [SEED] [--print]`. `cargo xtask simulate --scenario` runs this.
#![allow(clippy::print_stdout, reason = "a command line tool talks on standard output")]

use std::collections::BTreeMap;
use std::process::ExitCode;

use hashrange_simulation::{EventKind, Run, Scenario};
use hashrange_storage::Store;
use hashrange_types::{CapacityUnits, Timestamp};
use serde_json::Value;

/// Events that are kept: all of a scenario that a person reads.
const EVENTS_KEPT: usize = 5_000_000;
/// How long a run goes on after its last step if something is always due: a day.
const REST_US: i64 = 86_400_000_000;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let prints = arguments.iter().any(|argument| argument == "--print");
    arguments.retain(|argument| argument != "--print");
    match play(&arguments, prints) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("error: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn play(arguments: &[String], prints: bool) -> Result<(), String> {
    let (file, seed) = match arguments {
        [file] => (file, None),
        [file, seed] => (file, Some(seed)),
        _ => return Err("name one scenario: play FILE [SEED] [--print]".to_owned()),
    };
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut scenario = Scenario::from_text(&text).map_err(|error| format!("{file}: {error}"))?;
    if let Some(seed) = seed {
        let seed: Value = seed.parse().map_err(|_| format!("the seed is no number: {seed}"))?;
        scenario.settings.set("seed", &seed).map_err(|error| error.to_string())?;
    }
    let run = Run::new(Store::default(), &scenario, hashrange_wire::decode);
    let mut run = run.map_err(|error| format!("{file}: {error}"))?;
    run.keep_events(EVENTS_KEPT);
    let last_us = scenario.steps.iter().map(|step| step.at_us).max().unwrap_or(0);
    let end = Timestamp(scenario.settings.cluster.starts_at.0 + last_us + REST_US);
    while let Some(at) = run.next_at().filter(|at| *at <= end) {
        run.run_until(at, 10_000);
    }
    if prints {
        for event in run.cluster().events().iter() {
            println!("{}", event.line(scenario.settings.cluster.starts_at));
        }
    }
    summarise(&run, &scenario);
    match run.failures() {
        [] => Ok(()),
        failures => Err(format!("not as expected:\n  {}", failures.join("\n  "))),
    }
}

fn summarise(run: &Run, scenario: &Scenario) {
    let (mut n_done, mut n_reads) = (0, 0);
    let mut units = CapacityUnits::ZERO;
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    let mut behind_us: Vec<i64> = Vec::new();
    for event in run.cluster().events().iter() {
        match &event.kind {
            EventKind::RequestDone { units: used, .. } => {
                n_done += 1;
                units += *used;
            }
            EventKind::RequestRefused { code, units: used, .. } => {
                *refused.entry((*code).to_owned()).or_default() += 1;
                units += *used;
            }
            EventKind::Throttled { reason, .. } => {
                *refused.entry(format!("  {}", reason.spelled())).or_default() += 1;
            }
            EventKind::ReadServed { n_missing, behind_us: late_us, .. } => {
                n_reads += 1;
                if *n_missing > 0 {
                    behind_us.push(*late_us);
                }
            }
            _ => {}
        }
    }
    behind_us.sort_unstable();
    let begins_at = scenario.settings.cluster.starts_at;
    println!("seed         {}", scenario.settings.cluster.seed);
    println!("answered     {n_done} requests, {units} units");
    for (code, n) in refused {
        println!("refused      {n} {code}");
    }
    println!("replica reads {n_reads}, stale {}", behind_us.len());
    if !behind_us.is_empty() {
        let rank = |percent: usize| {
            let us = behind_us[(behind_us.len() * percent).div_ceil(100).max(1) - 1];
            format!("{}.{:03} ms", us / 1_000, us % 1_000)
        };
        println!("stale by     p50 {}, p99 {}", rank(50), rank(99));
    }
    println!("events       {:016x}", run.cluster().events().fingerprint(begins_at));
}
