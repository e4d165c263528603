//! The machine's clock: the only place where this server reads the time.

use std::time::{SystemTime, UNIX_EPOCH};

use hashrange_types::Timestamp;

/// The moment that it is, to the microsecond; the epoch on a machine whose clock stands before it.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}
