//! Something to do a while later, unless it is dropped before.

/// A single run of a callback; dropping it calls it off.
pub(crate) struct Timer {
    _timeout: gloo::timers::callback::Timeout,
}

impl Timer {
    /// Runs `callback` in `milliseconds`.
    pub(crate) fn new(milliseconds: u32, callback: impl FnOnce() + 'static) -> Self {
        Self { _timeout: gloo::timers::callback::Timeout::new(milliseconds, callback) }
    }
}
