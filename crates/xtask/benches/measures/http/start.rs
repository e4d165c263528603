//! How long `hashrange serve` takes from its start to its first answer.

use std::thread;
use std::time::{Duration, Instant};

use super::load::Connection;
use super::request;
use super::server::{Program, Server};
use crate::harness::{Row, median};

/// What it may take, in ms.
const START_BUDGET_MS: f64 = 50.0;
/// How many times it is started.
const STARTS: usize = 11;

/// The median time from starting the program to its answer to ListTables.
pub(crate) fn first_answer(name: &str) -> Row {
    match (0..STARTS).map(|_| milliseconds()).collect::<Result<Vec<f64>, String>>() {
        Ok(times) => Row::of_budget(name, median(times), "ms", "a start of 50 ms", START_BUDGET_MS)
            .at_most(1.0),
        Err(why) => Row::unmeasured(name, why),
    }
}

fn milliseconds() -> Result<f64, String> {
    let started = Instant::now();
    let server = Server::start(Program::Hashrange)?;
    Connection::open(server.address)?.ask(&request::list_tables(server.address))?;
    let took = started.elapsed();
    // The next start should not have to share the machine with this one's end.
    drop(server);
    thread::sleep(Duration::from_millis(20));
    Ok(took.as_secs_f64() * 1_000.0)
}
