//! The time of day. The only clock of the page; everything below takes time as an argument.

/// Milliseconds since 1970, UTC.
#[cfg(target_arch = "wasm32")]
pub(crate) fn now() -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds far below 2^53")]
    let now = js_sys::Date::now() as i64;
    now
}

/// Outside a browser time stands still, so that tests agree.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn now() -> i64 {
    1_767_225_600_000
}
