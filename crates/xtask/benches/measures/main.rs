//! The benchmarks of `cargo xtask bench`: each row runs beside its yardstick.
//!
//! A new row is a function in a file of its subject, called from [`rows`]: `item.rs` holds what one
//! item costs, `growth.rs` what size does, `simulation.rs` what simulated time does and
//! `simulation_in_wasm.rs` what it does in wasm, `http` what a server does beside its peers, `package.rs` what the
//! JavaScript package does in a browser, `page.rs` what the built page costs it. A row's ratio says what a
//! machine's speed can't change.
//!
//! Invariant: a subject and its yardstick take turns in one process, so a busy machine slows both.
#![allow(clippy::print_stdout, reason = "a benchmark talks on standard output")]

mod door;
mod growth;
mod harness;
mod http;
mod item;
mod package;
mod page;
mod simulation;
mod simulation_in_wasm;

use std::env;
use std::process::ExitCode;

use harness::Row;
use http::{Contest, Load};

/// Makes one row; run only when its name is asked for.
enum Measure {
    /// By itself.
    Alone(fn(&str) -> Row),
    /// A load on so many connections to the servers that all such rows share.
    OverHttp(Load, usize),
}

/// Every row by its name, in the order of the table.
fn rows() -> Vec<(&'static str, Measure)> {
    use Measure::{Alone, OverHttp};
    vec![
        ("serde_json parse and write, PutItem of 1 KB", Alone(item::json_put_item)),
        ("PutItem of 1 KB through JSON", Alone(item::put_item)),
        ("GetItem of 1 KB through JSON", Alone(item::get_item)),
        ("GetItem from 1,000,000 items", Alone(growth::get_item)),
        ("Query of 100 x 300 B in 1,000,000 items", Alone(growth::query)),
        ("simulated requests, 80/20, Zipf of 100,000 items", Alone(simulation::requests)),
        ("snapshot of a simulation of 100,000 items", Alone(simulation::snapshot)),
        ("scrub in 10 simulated minutes of 10,000/s", Alone(simulation::scrub)),
        ("three replicas of 1,000,000 items in memory", Alone(simulation::memory)),
        ("simulated requests in Chromium, Zipf of 20,000", Alone(simulation_in_wasm::rate)),
        ("load over HTTP on a bare socket, 16 connections", Alone(http::ceiling)),
        ("PutItem of 1 KB over HTTP, 1 connection", OverHttp(Load::Put, 1)),
        ("PutItem of 1 KB over HTTP, 16 connections", OverHttp(Load::Put, 16)),
        ("GetItem of 1 KB over HTTP, 1 connection", OverHttp(Load::Get, 1)),
        ("GetItem of 1 KB over HTTP, 16 connections", OverHttp(Load::Get, 16)),
        ("Query of 100 x 300 B over HTTP, 1 connection", OverHttp(Load::Query, 1)),
        ("Query of 100 x 300 B over HTTP, 16 connections", OverHttp(Load::Query, 16)),
        ("filtered Scan of 10,000 over HTTP, 1 connection", OverHttp(Load::Scan, 1)),
        ("filtered Scan of 10,000 over HTTP, 16 connections", OverHttp(Load::Scan, 16)),
        ("TransactWriteItems of 10 over HTTP, 1 connection", OverHttp(Load::Transact, 1)),
        ("TransactWriteItems of 10 over HTTP, 16 connections", OverHttp(Load::Transact, 16)),
        ("hashrange serve: start to first answer over HTTP", Alone(http::first_answer)),
        ("hashrange serve: 100,000 items put over HTTP", Alone(http::resident_memory)),
        ("PutItem of 1 KB in Chromium", Alone(package::put_item)),
        ("GetItem of 1 KB in Chromium", Alone(package::get_item)),
        ("filtered Scan of 10,000 in Chromium", Alone(package::scan)),
        ("scroll of 100,000 items: longest frame", Alone(page::scroll)),
    ]
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    if has(simulation::PRINT_MEMORY) {
        simulation::print_memory();
        return ExitCode::SUCCESS;
    }
    let mut after_only = arguments.iter().skip_while(|argument| *argument != "--only");
    let only = after_only.nth(1).map_or("", String::as_str);
    let chosen = rows().into_iter().filter(|(name, _)| name.contains(only));
    if has("--list") {
        chosen.for_each(|(name, _)| println!("{name}"));
        return ExitCode::SUCCESS;
    }
    let is_json = has("--json");
    if !is_json {
        println!("{}", Row::table_head());
    }
    let mut contest = Contest::default();
    let mut is_within_limits = true;
    for (name, measure) in chosen {
        let row = match measure {
            Measure::Alone(measure) => measure(name),
            Measure::OverHttp(load, n_connections) => contest.row(name, load, n_connections),
        };
        println!("{}", if is_json { row.json() } else { row.table_line() });
        is_within_limits &= row.is_within_limit();
    }
    if is_within_limits { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
