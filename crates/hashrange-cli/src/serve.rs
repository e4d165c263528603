//! `hashrange serve`: a DynamoDB endpoint on this machine.
//!
//! Invariant: the database file is saved whenever it has changed, at the latest when the server stops.

use std::io::{self, ErrorKind, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use hashrange_server::{
    DatabaseFile, Delays, Endpoint, Origins, Settings, SimulatedClock, Voice, Wording, seed, serve,
};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::time::sleep;

/// Shortest time from one save of a changed database to the next.
const SAVE_EVERY: Duration = Duration::from_secs(2);
/// A save waits this many times as long as the one before took, so that large databases leave time to answer.
const SAVE_REST: u32 = 10;
/// Room for the calls of one request; expressions may nest, and builds without optimisation need more.
const STACK_BYTES: usize = 8 * 1_024 * 1_024;

/// Options of `hashrange serve`.
#[derive(Args)]
pub(crate) struct Options {
    /// Port to answer on; 0 takes any free one
    #[arg(long, default_value_t = 8000)]
    port: u16,
    /// Address to answer on
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,
    /// Origin whose web pages may send requests, such as http://localhost:3000; * for every page; may be
    /// repeated
    #[arg(long, value_name = "ORIGIN")]
    cors: Vec<String>,
    /// Start with the tables and items of this design (or its folder) or NoSQL Workbench model
    #[arg(long, value_name = "FILE")]
    design: Option<PathBuf>,
    /// Keep the database in this file: read at the start, saved after changes and at the end
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Play this scenario: simulated time, partitions, replicas and throttling (see
    /// playground-examples/README.md). GET /_hashrange/events tells what happened
    #[arg(long, value_name = "SCENARIO", conflicts_with = "data")]
    simulate: Option<PathBuf>,
    /// What moves simulated time: the machine's clock (wall), or requests and POST /_hashrange/clock with
    /// {"advance_ms": n} only (manual)
    #[arg(long, default_value = "wall", value_parser = clock, requires = "simulate")]
    clock: SimulatedClock,
    /// Region that ARNs and messages name
    #[arg(long, default_value = "us-east-1", value_parser = region)]
    region: String,
    /// How long changes of tables take: instant, short (20 to 200 ms, but tables are made and deleted at once)
    /// or as measured on AWS
    #[arg(long, default_value = "short", value_parser = delays)]
    delays: Delays,
    /// Edition of DynamoDB's messages: 2026-07, which is today's, or 2026-05
    #[arg(long, value_name = "EDITION", default_value_t)]
    wording: Wording,
}

/// Serves until a signal comes.
///
/// # Errors
/// One sentence: an option, a file or the address is wrong, or the last save failed.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(n_workers())
        .enable_all()
        .thread_stack_size(STACK_BYTES)
        .build()
        .map_err(|error| format!("the server can't start: {error}"))?;
    runtime.block_on(start(options))
}

/// Half of the machine's cores: the clients run on it too, and requests take effect one after another, so
/// that more would mostly wait for each other.
fn n_workers() -> usize {
    std::thread::available_parallelism().map_or(1, |n_cores| n_cores.get().div_ceil(2))
}

async fn start(options: &Options) -> Result<(), String> {
    let origins = Origins::new(&options.cors).map_err(|error| error.to_string())?;
    // Before the files, so that nobody waits for a large one to learn that a port is taken.
    let address = SocketAddr::new(options.host, options.port);
    let listener = TcpListener::bind(address).await.map_err(|error| refusal(address, &error))?;
    let opened = options.data.as_deref().map(DatabaseFile::open).transpose();
    let (file, kept) = opened.map_err(|error| error.to_string())?.unzip();
    let kept = kept.flatten();
    let is_new = kept.is_none();
    let store = match (kept, &options.design) {
        (Some(store), design) => {
            if design.is_some() {
                eprintln!(
                    "The design was not loaded, because the database file has tables of its own."
                );
            }
            store
        }
        (None, Some(design)) => {
            let seed = seed(design).map_err(|error| error.to_string())?;
            for repair in &seed.repairs {
                eprintln!("{repair}");
            }
            seed.store
        }
        (None, None) => hashrange_server::Store::default(),
    };
    let voice = Voice { region: options.region.as_str().into(), wording: options.wording };
    let settings = Settings { voice, origins, delays: options.delays };
    let endpoint = match &options.simulate {
        Some(path) => {
            let scenario = hashrange_server::scenario(path)?;
            Endpoint::simulated(store, settings, &scenario, options.clock)?
        }
        None => Endpoint::new(store, settings),
    };
    // Before anybody learns of the server, so that a signal right after it is heard.
    let stop = Stop::listen();
    announce(&listener);
    converse(listener, Arc::new(endpoint), file.map(Arc::new), stop, is_new).await
}

/// Answers and saves until a signal comes, then saves what is left.
async fn converse(
    listener: TcpListener,
    endpoint: Arc<Endpoint>,
    file: Option<Arc<DatabaseFile>>,
    stop: Stop,
    is_new: bool,
) -> Result<(), String> {
    let is_stopping = Arc::new(Notify::new());
    let saving = file.map(|file| {
        let saving = Saving { file, endpoint: endpoint.clone(), saved: (!is_new).then_some(0) };
        tokio::spawn(keep(saving, is_stopping.clone()))
    });
    serve(listener, endpoint, stop.asked()).await;
    is_stopping.notify_one();
    match saving {
        Some(saving) => {
            saving.await.map_err(|error| format!("the database was not saved: {error}"))?
        }
        None => Ok(()),
    }
}

/// A database and the file it is kept in.
struct Saving {
    file: Arc<DatabaseFile>,
    endpoint: Arc<Endpoint>,
    /// The number of changes that the file has; none if it holds nothing yet.
    saved: Option<u64>,
}

/// Saves after changes until the server stops, and then once more.
async fn keep(mut saving: Saving, is_stopping: Arc<Notify>) -> Result<(), String> {
    let mut pause = SAVE_EVERY;
    let mut complaint = None;
    loop {
        let is_last = tokio::select! {
            () = sleep(pause) => false,
            () = is_stopping.notified() => true,
        };
        let started = Instant::now();
        let result = saving.save().await;
        if is_last {
            return result;
        }
        pause = SAVE_EVERY.max(started.elapsed() * SAVE_REST);
        // A full disk is told once, not every few seconds.
        let sentence = result.err();
        if let Some(sentence) = sentence.as_ref().filter(|_| sentence != complaint) {
            eprintln!("warning: {sentence}; it will be tried again");
        }
        complaint = sentence;
    }
}

impl Saving {
    async fn save(&mut self) -> Result<(), String> {
        if self.saved == Some(self.endpoint.n_changes()) {
            return Ok(());
        }
        let (store, n_changes) = self.endpoint.snapshot();
        let file = self.file.clone();
        let saved = tokio::task::spawn_blocking(move || file.save(&store)).await;
        saved.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
        self.saved = Some(n_changes);
        Ok(())
    }
}

/// How the machine or a person asks the server to stop: signals, heard from the moment this is made.
struct Stop {
    #[cfg(unix)]
    signals: Vec<tokio::signal::unix::Signal>,
}

impl Stop {
    fn listen() -> Self {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let kinds = [SignalKind::terminate(), SignalKind::interrupt()];
            Self { signals: kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect() }
        }
        #[cfg(not(unix))]
        Self {}
    }

    /// Completes when it was asked. Where signals can't be heard, the machine ends the server its own way.
    async fn asked(mut self) {
        #[cfg(unix)]
        std::future::poll_fn(|context| {
            let heard = self.signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if heard { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
        #[cfg(not(unix))]
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

fn announce(listener: &TcpListener) {
    let address =
        listener.local_addr().map_or_else(|_| "its address".to_owned(), |a| a.to_string());
    // Nobody may be listening to standard output; the server is no worse for it.
    let _ = writeln!(io::stdout(), "Hashrange answers DynamoDB requests at http://{address}");
}

fn clock(text: &str) -> Result<SimulatedClock, String> {
    match text {
        "wall" => Ok(SimulatedClock::Wall),
        "manual" => Ok(SimulatedClock::Manual),
        _ => Err("the clock is wall or manual".to_owned()),
    }
}

fn delays(text: &str) -> Result<Delays, String> {
    match text {
        "instant" => Ok(Delays::INSTANT),
        "short" => Ok(Delays::SHORT),
        "measured" => Ok(Delays::MEASURED),
        _ => Err("delays are instant, short or measured".to_owned()),
    }
}

fn region(text: &str) -> Result<String, String> {
    let is_region = !text.is_empty()
        && text.len() <= 32
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if is_region {
        Ok(text.to_owned())
    } else {
        Err("a Region is lower-case letters, digits and hyphens, such as eu-west-2".to_owned())
    }
}

fn refusal(address: SocketAddr, error: &io::Error) -> String {
    let port = address.port();
    match error.kind() {
        ErrorKind::AddrInUse => format!("port {port} is taken: choose another with --port"),
        ErrorKind::PermissionDenied => {
            format!("port {port} needs more rights: choose one above 1023 with --port")
        }
        ErrorKind::AddrNotAvailable => {
            format!("{} is not an address of this machine", address.ip())
        }
        _ => format!("{address} can't be used: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_that_no_arn_could_name_is_refused() {
        assert_eq!(region("eu-west-2"), Ok("eu-west-2".to_owned()));
        for text in ["", "EU", "a b", "a:b", &"a".repeat(33)] {
            assert!(region(text).is_err(), "{text}");
        }
    }
}
