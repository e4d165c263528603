//! Something to do a while later, unless it is dropped before.

/// A single run of a callback; dropping it calls it off.
pub(crate) struct Timer {
    _timeout: Option<gloo::timers::callback::Timeout>,
}

impl Timer {
    /// Runs `callback` in `milliseconds`; never, where there is no browser.
    pub(crate) fn new(milliseconds: u32, callback: impl FnOnce() + 'static) -> Self {
        let start = || gloo::timers::callback::Timeout::new(milliseconds, callback);
        Self { _timeout: super::IS_BROWSER.then(start) }
    }
}
