//! What the JavaScript package answers a second in a browser.
//!
//! Invariant: a machine without the package, Node.js or Chromium gets a row that says what is missing.
//!
//! Not here: how it is measured, which is `tests/browser/engine-rates.mjs`.

use crate::harness::Row;
use crate::page::{ran, root};

/// The rates that an engine in a page has to reach.
const ITEM_PER_SECOND_MIN: f64 = 20_000.0;
const SCAN_PER_SECOND_MIN: f64 = 60.0;

/// PutItem of 1 KB, objects in and out.
pub(crate) fn put_item(name: &str) -> Row {
    rate(name, "put", ITEM_PER_SECOND_MIN)
}

/// GetItem of 1 KB, objects in and out.
pub(crate) fn get_item(name: &str) -> Row {
    rate(name, "get", ITEM_PER_SECOND_MIN)
}

/// Scan of 10,000 items with a filter that one in 100 passes.
pub(crate) fn scan(name: &str) -> Row {
    rate(name, "scan", SCAN_PER_SECOND_MIN)
}

fn rate(name: &str, load: &str, min: f64) -> Row {
    if !root().join("web/npm/pkg/hashrange_wasm_bg.wasm").is_file() {
        return Row::unmeasured(
            name,
            "web/npm/pkg is empty; build it with `cargo xtask web`".into(),
        );
    }
    let measured = ran("tests/browser/engine-rates.mjs", &[load]).and_then(|found| {
        let rate =
            |member: &str| found[member].as_f64().ok_or_else(|| format!("{member} is missing"));
        Ok((rate("per_second")?, rate("text_per_second")?))
    });
    match measured {
        Ok((objects, text)) => {
            let yardstick = format!("at least {min:.0}/s; with JSON text {text:.0}/s");
            Row::of_rate(name, objects, yardstick, min / objects).at_most(1.0)
        }
        Err(why) => Row::unmeasured(name, why),
    }
}
