//! What a request costs over HTTP on this machine, beside peers that run the same load.
//!
//! Invariant: the contestants of a row take turns, so that a busy machine slows all of them; the ratio is
//! the median of the ratios of neighbouring turns.

mod load;
mod request;
mod server;
mod size;
mod start;

use std::time::Duration;

use load::Connection;
use server::{Program, Server};

use crate::harness::{Row, median};

pub(crate) use request::Load;
pub(crate) use size::resident_memory;
pub(crate) use start::first_answer;

/// How long each contestant answers in one turn.
const TURN: Duration = Duration::from_millis(800);
/// How long it answers before the first turn.
const WARM_UP: Duration = Duration::from_millis(200);
const TURNS: usize = 5;
/// What the rate of the faster peer may be, in ours.
const PEER_SHARE_MAX: f64 = 1.0 / 3.0;
/// What the rate of an empty answer may be, in ours.
const EMPTY_SHARE_MAX: f64 = 1.5;
/// What the rate of an empty answer may be in that of a bare socket, so that the load is no bottleneck.
const BARE_SHARE_MAX: f64 = 0.8;

/// The servers that take part, started when the first row asks for them.
#[derive(Default)]
pub(crate) struct Contest {
    started: Option<Result<Vec<Contestant>, String>>,
}

/// A server with the tables and items that the loads need, or why there is none.
struct Contestant {
    name: &'static str,
    server: Result<Server, String>,
}

/// How fast one contestant was in each turn, or why it was not.
struct Rates {
    name: &'static str,
    rates: Result<Vec<f64>, String>,
}

impl Contest {
    /// The rate of a load on our server against the faster peer; of GetItem against an empty answer.
    pub(crate) fn row(&mut self, name: &str, load: Load, n_connections: usize) -> Row {
        let contestants = match self.started.get_or_insert_with(start).as_ref() {
            Ok(contestants) => contestants,
            Err(why) => return Row::unmeasured(name, why.clone()),
        };
        let (ours, others) = match take_turns(contestants, load, n_connections) {
            Ok(rates) => rates,
            Err(why) => return Row::unmeasured(name, why),
        };
        let shares = others.iter().filter_map(|rates| {
            let theirs = rates.rates.as_ref().ok()?;
            let share = theirs.iter().zip(&ours).map(|(theirs, ours)| theirs / ours).collect();
            Some((rates.name == EMPTY, median(share)))
        });
        let (empty, peers): (Vec<_>, Vec<_>) = shares.partition(|(is_empty, _)| *is_empty);
        let faster = |shares: Vec<(bool, f64)>| {
            shares.into_iter().map(|(_, share)| share).max_by(f64::total_cmp)
        };
        let (empty, peer) = (faster(empty), faster(peers));
        let (ratio, limit) = match load {
            Load::Get => (empty, Some(EMPTY_SHARE_MAX)),
            // Nobody answers faster than a server with nothing to do: where that is not three times as fast
            // as the peer, because waking up is what takes the time, being near it has to do.
            _ if empty.is_some_and(|empty| empty <= EMPTY_SHARE_MAX) => (peer, None),
            _ => (peer, Some(PEER_SHARE_MAX)),
        };
        let Some(ratio) = ratio else {
            return Row::unmeasured(name, all_said(&others));
        };
        let row = Row::of_rate(name, median(ours), all_said(&others), ratio);
        match limit {
            Some(limit) => row.at_most(limit),
            None => row,
        }
    }
}

/// The load on a bare socket against the same on the stack of our server with nothing behind it.
pub(crate) fn ceiling(name: &str) -> Row {
    let measured = || -> Result<Row, String> {
        let n_connections = 16;
        let empty = Server::empty()?;
        let (mut bare_rates, mut ratios) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            let rate = load::rate(empty.address, n_connections, &requests(empty.address), TURN)?;
            let one = requests(empty.address)[0].len();
            let bare = Server::bare(n_connections, one)?;
            let bare = load::rate(bare.address, n_connections, &requests(empty.address), TURN)?;
            bare_rates.push(bare);
            ratios.push(rate / bare);
        }
        let yardstick = format!("{EMPTY} is slower than the load on a bare socket");
        Ok(Row::of_rate(name, median(bare_rates), yardstick, median(ratios))
            .at_most(BARE_SHARE_MAX))
    };
    measured().unwrap_or_else(|why| Row::unmeasured(name, why))
}

/// The name of the contestant that answers a constant.
const EMPTY: &str = "empty answer";

fn requests(address: std::net::SocketAddr) -> Vec<Vec<u8>> {
    Load::Get.requests(address)
}

fn start() -> Result<Vec<Contestant>, String> {
    let ours = filled(Program::Hashrange)?;
    let mut contestants = vec![Contestant { name: Program::Hashrange.name(), server: Ok(ours) }];
    contestants.push(Contestant { name: EMPTY, server: Server::empty() });
    for peer in [Program::Dynalite, Program::Dynoxide] {
        contestants.push(Contestant { name: peer.name(), server: filled(peer) });
    }
    Ok(contestants)
}

/// Starts a program and gives it the tables and items.
fn filled(program: Program) -> Result<Server, String> {
    let server = Server::start(program)?;
    let mut connection = Connection::open(server.address)?;
    let mut fill = || -> Result<(), String> {
        for table in request::tables(server.address) {
            connection.ask(&table)?;
        }
        for table in ["Orders", "Shelf"] {
            while !connection.ask(&request::describe(server.address, table))?.contains("\"ACTIVE\"")
            {
            }
        }
        request::fill(server.address).iter().try_for_each(|batch| connection.ask(batch).map(drop))
    };
    fill().map_err(|why| format!("{} could not be filled: {why}", program.name()))?;
    Ok(server)
}

/// Our rates, and those of the others.
fn take_turns(
    contestants: &[Contestant],
    load: Load,
    n_connections: usize,
) -> Result<(Vec<f64>, Vec<Rates>), String> {
    let mut runners: Vec<(Rates, Option<&Server>)> = contestants
        .iter()
        .map(|contestant| {
            let server = contestant.server.as_ref().map_err(Clone::clone);
            let is_able =
                server.and_then(|server| can(server, contestant.name, load).map(|()| server));
            let rates = Rates {
                name: contestant.name,
                rates: is_able.as_ref().map(|_| Vec::new()).map_err(Clone::clone),
            };
            (rates, is_able.ok())
        })
        .collect();
    for turn in 0..=TURNS {
        for (Rates { rates, .. }, server) in &mut runners {
            let (Ok(found), Some(server)) = (rates.as_mut(), server) else { continue };
            let requests = load.requests(server.address);
            let time = if turn == 0 { WARM_UP } else { TURN };
            match load::rate(server.address, n_connections, &requests, time) {
                Ok(rate) if turn > 0 => found.push(rate),
                Ok(_) => {}
                Err(why) => *rates = Err(why),
            }
        }
    }
    let mut rates = runners.into_iter().map(|(rates, _)| rates);
    let ours = rates.next().expect("we are the first contestant").rates?;
    Ok((ours, rates.collect()))
}

/// Whether the server does the work of this load.
fn can(server: &Server, name: &str, load: Load) -> Result<(), String> {
    let request = &load.requests(server.address)[0];
    let answer = Connection::open(server.address)?.ask(request)?;
    if name == EMPTY || answer.contains(load.sign()) {
        return Ok(());
    }
    Err(format!("it answers {}", short(&answer)))
}

/// What the other contestants did, in one line.
fn all_said(others: &[Rates]) -> String {
    let said: Vec<String> = others
        .iter()
        .map(|Rates { name, rates }| match rates {
            Ok(rates) => format!("{name} {:.0}/s", median(rates.clone())),
            Err(why) => format!("{name} not measured ({})", short(why)),
        })
        .collect();
    said.join(", ")
}

/// The beginning of what a server said.
fn short(text: &str) -> String {
    text.chars().take(60).collect()
}
