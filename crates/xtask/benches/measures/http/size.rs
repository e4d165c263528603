//! How much memory `hashrange serve` holds with many items.

use std::fs;

use super::load::Connection;
use super::request;
use super::server::{Program, Server};
use crate::harness::Row;

/// Items of 300 B in the table.
const N_ITEMS: usize = 100_000;
/// What may be resident, in MB of 1,048,576 bytes.
const RESIDENT_BUDGET_MB: f64 = 120.0;

/// Resident memory once all items were put.
pub(crate) fn resident_memory(name: &str) -> Row {
    match resident_megabytes() {
        Ok(mb) => Row::of_budget(name, mb, "MB", "120 MB", RESIDENT_BUDGET_MB).at_most(1.0),
        Err(why) => Row::unmeasured(name, why),
    }
}

fn resident_megabytes() -> Result<f64, String> {
    let server = Server::start(Program::Hashrange)?;
    let mut connection = Connection::open(server.address)?;
    for table in request::tables(server.address) {
        connection.ask(&table)?;
    }
    for batch in request::many(server.address, N_ITEMS) {
        connection.ask(&batch)?;
    }
    let process = server.process_id().expect("a program has a process");
    let status = fs::read_to_string(format!("/proc/{process}/status"))
        .map_err(|_| "this system does not tell a process's memory in /proc".to_owned())?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: Option<f64> =
        resident.and_then(|text| text.trim().strip_suffix("kB")?.trim().parse().ok());
    Ok(kilobytes.ok_or("/proc does not tell the resident memory")? / 1_024.0)
}
