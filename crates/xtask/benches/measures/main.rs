//! The benchmarks of `cargo xtask bench`: each row runs beside its yardstick.
//!
//! A new row is a function in a file of its subject, called from [`rows`]: `item.rs` holds what one
//! item costs, `growth.rs` what size does, `page.rs` what the built page costs a browser. A row's ratio says what a machine's speed can't change.
//!
//! Invariant: a subject and its yardstick take turns in one process, so a busy machine slows both.
#![allow(clippy::print_stdout, reason = "a benchmark talks on standard output")]

mod door;
mod growth;
mod harness;
mod item;
mod page;

use std::env;
use std::process::ExitCode;

use harness::Row;

/// Makes one row; called only when its name is asked for.
type Measure = fn(&str) -> Row;

/// Every row by its name, in the order of the table.
fn rows() -> Vec<(&'static str, Measure)> {
    vec![
        ("serde_json parse and write, PutItem of 1 KB", item::json_put_item as Measure),
        ("PutItem of 1 KB through JSON", item::put_item),
        ("GetItem of 1 KB through JSON", item::get_item),
        ("GetItem from 1,000,000 items", growth::get_item),
        ("Query of 100 x 300 B in 1,000,000 items", growth::query),
        ("scroll of 100,000 items: longest frame", page::scroll),
    ]
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let is_json = arguments.iter().any(|argument| argument == "--json");
    let mut after_only = arguments.iter().skip_while(|argument| *argument != "--only");
    let only = after_only.nth(1).map_or("", String::as_str);
    let mut is_within_limits = true;
    if !is_json {
        println!("{}", Row::table_head());
    }
    for (name, measure) in rows().into_iter().filter(|(name, _)| name.contains(only)) {
        let row = measure(name);
        println!("{}", if is_json { row.json() } else { row.table_line() });
        is_within_limits &= row.is_within_limit();
    }
    if is_within_limits { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
