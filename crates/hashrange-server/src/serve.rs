//! Connections: taken in, given time limits, and let finish when the server stops.
//!
//! Invariant: a connection that stays silent ends by itself, and one that fails ends alone.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::endpoint::Endpoint;
use crate::http::answer;

/// How long a connection may wait for its next request, and a request's headers may take.
const HEADERS_TIME_MAX: Duration = Duration::from_secs(30);
/// Most bytes of a request's headers.
const HEADERS_BYTES_MAX: usize = 64 * 1_024;
/// Most headers of a request.
const HEADERS_MAX: usize = 100;
/// How long requests under way may take to finish once the server stops.
const STOP_TIME_MAX: Duration = Duration::from_secs(3);
/// Pause after the machine had no room for a connection, so that others can end.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers connections until `stop` completes, then lets requests under way finish, for 3 seconds at most.
pub async fn serve(listener: TcpListener, endpoint: Arc<Endpoint>, stop: impl Future<Output = ()>) {
    let builder = connection_builder();
    let (stopping, is_stopping) = watch::channel(());
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.as_mut() => break,
        };
        match accepted {
            Ok((stream, _)) => {
                tokio::spawn(converse(
                    stream,
                    builder.clone(),
                    endpoint.clone(),
                    is_stopping.clone(),
                ));
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(_) => sleep(PAUSE).await,
        }
    }
    drop((listener, is_stopping));
    stopping.send_replace(());
    // Each connection holds a receiver until it ends; those that do not end in time are cut.
    let _ = timeout(STOP_TIME_MAX, stopping.closed()).await;
}

fn connection_builder() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_TIME_MAX)
        .max_header_size(HEADERS_BYTES_MAX)
        .max_headers(HEADERS_MAX)
        // A client that has said all it will still hears the answer, also that its body ended early.
        .half_close(true);
    builder
}

/// Answers one connection's requests until it ends. How it ends concerns nobody else.
async fn converse(
    stream: TcpStream,
    builder: http1::Builder,
    endpoint: Arc<Endpoint>,
    mut is_stopping: watch::Receiver<()>,
) {
    // Answers are written whole, so waiting to gather more bytes would only delay them.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let endpoint = endpoint.clone();
        async move { Ok::<_, Infallible>(answer(&endpoint, request).await) }
    });
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        biased;
        _ = connection.as_mut() => return,
        _ = is_stopping.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// True for an error that says this connection failed, not that the machine has no room.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
