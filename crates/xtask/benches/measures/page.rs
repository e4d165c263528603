//! What the built page costs a browser.
//!
//! Invariant: a machine without the page, Node.js or Chromium gets a row that says what is missing.
//!
//! Not here: how it is measured, which is `tests/browser/scroll-frames.mjs`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::harness::Row;

/// What a frame may take, in ms: two of these in a row are seen as a stutter.
const FRAME_BUDGET_MS: f64 = 50.0;

/// The longest frame while 100,000 items scroll by under the wheel, in time of the page's main thread.
pub(crate) fn scroll(name: &str) -> Row {
    match longest_frame_ms() {
        Ok(ms) => Row::of_budget(name, ms, "ms", "a frame of 50 ms", FRAME_BUDGET_MS).at_most(1.0),
        Err(why) => Row::unmeasured(name, why),
    }
}

fn longest_frame_ms() -> Result<f64, String> {
    let has_page =
        root().join("web/dist/index.html").is_file() || std::env::var_os("BASE_URL").is_some();
    if !has_page {
        return Err("web/dist holds no page; build it with `cargo xtask web`".to_owned());
    }
    let found = ran("tests/browser/scroll-frames.mjs", &[])?;
    found["longest_frame_ms"].as_f64().ok_or_else(|| "no frame was timed".to_owned())
}

/// The checkout this benchmark was built from.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The JSON object that a script of ours prints.
pub(crate) fn ran(script: &str, arguments: &[&str]) -> Result<Value, String> {
    let output = Command::new("node").arg(root().join(script)).args(arguments).output().map_err(
        |error| format!("Node.js could not be started ({error}); see `cargo xtask setup`"),
    )?;
    let found: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    found.filter(Value::is_object).ok_or_else(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("{script} said: {}", said.trim())
    })
}
