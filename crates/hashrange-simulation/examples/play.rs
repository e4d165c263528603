//! Plays a scenario: `play FILE [SEED] [--print]`. `cargo xtask simulate --scenario` runs this.
#![allow(clippy::print_stdout, reason = "a command line tool talks on standard output")]

use std::collections::BTreeMap;
use std::process::ExitCode;

use hashrange_simulation::{Act, Event, EventKind, Pace, Run, Scenario, Tally};
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
    let last_us = scenario.steps.iter().map(|step| end_us(step.at_us, &step.what)).max();
    let last_us = last_us.unwrap_or(0);
    let end = Timestamp(scenario.settings.cluster.starts_at.0 + last_us + REST_US);
    while let Some(at) = run.next_at().filter(|at| *at <= end) {
        run.run_until(at, 10_000);
    }
    if prints {
        print_events(&run);
    }
    summarise(&run, &scenario);
    for load in run.loads() {
        for (name, tally) in load.tallies() {
            print_tally(name, tally);
        }
    }
    match run.failures() {
        [] => Ok(()),
        failures => Err(format!("not as expected:\n  {}", failures.join("\n  "))),
    }
}

/// When what a step begins has ended, if it says.
fn end_us(at_us: i64, what: &Act) -> i64 {
    let Act::Load(workload) = what else { return at_us };
    let lasts = workload.sources.iter().map(|source| match &source.pace {
        Pace::Open(phases) => phases.iter().map(|phase| phase.lasts_us).sum(),
        Pace::Closed { lasts_us, .. } => lasts_us.unwrap_or(0),
    });
    at_us + lasts.max().unwrap_or(0)
}

/// All events of all Regions, in one order.
fn events<'r>(run: &'r Run) -> Vec<(&'r str, &'r Event)> {
    let names = run.world().regions().enumerate();
    let of = |(region, name): (usize, &'r smol_str::SmolStr)| {
        let events = run.world().cluster(region).events().iter();
        events.map(move |event| (name.as_str(), event))
    };
    let mut events: Vec<_> = names.flat_map(of).collect();
    events.sort_by_key(|(_, event)| event.at);
    events
}

fn print_events(run: &Run) {
    let begins_at = run.world().settings().cluster.starts_at;
    let has_more = run.world().regions().count() > 1;
    for (region, event) in events(run) {
        let line = event.line(begins_at);
        if has_more {
            println!("{region:<14} {line}");
        } else {
            println!("{line}");
        }
    }
}

fn print_tally(name: &str, tally: &Tally) {
    println!(
        "load {name}: asked {}, served {}, failed {}, dropped {}, retries {}, {} units",
        tally.n_requests,
        tally.n_done,
        tally.n_failed,
        tally.n_dropped,
        tally.n_retries,
        tally.units
    );
    for (reason, n) in &tally.throttled_by {
        println!("  throttled  {n} {reason}");
    }
    let of = |permille| milliseconds(tally.latencies.percentile_us(permille));
    println!("  latency    p50 {}, p99 {}", of(500), of(990));
    println!("  stale      {}", tally.n_stale);
}

fn milliseconds(us: u64) -> String {
    format!("{}.{:03} ms", us / 1_000, us % 1_000)
}

fn summarise(run: &Run, scenario: &Scenario) {
    let (mut n_done, mut n_reads) = (0, 0);
    let mut units = CapacityUnits::ZERO;
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    let mut behind_us: Vec<i64> = Vec::new();
    for (_, event) in events(run) {
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
            let rank = (behind_us.len() * percent).div_ceil(100).max(1);
            milliseconds(behind_us[rank - 1].unsigned_abs())
        };
        println!("stale by     p50 {}, p99 {}", rank(50), rank(99));
    }
    for (region, name) in run.world().regions().enumerate() {
        let fingerprint = run.world().cluster(region).events().fingerprint(begins_at);
        println!("events       {fingerprint:016x} {name}");
    }
}
