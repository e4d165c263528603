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

/// Waits a while.
pub(crate) async fn pause(milliseconds: u32) {
    let over = js_sys::Promise::new(&mut |done, _| {
        let done = move || {
            // It only resolves a promise.
            let _ = done.call0(&web_sys::wasm_bindgen::JsValue::UNDEFINED);
        };
        gloo::timers::callback::Timeout::new(milliseconds, done).forget();
    });
    // The promise is never rejected.
    let _ = wasm_bindgen_futures::JsFuture::from(over).await;
}
