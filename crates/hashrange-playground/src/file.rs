//! A design as a file to take along: JSON that a person can read, with design, settings and data in it.
//!
//! ```text
//! {
//!   "hashrange": 1,
//!   "design": { … as in design.json … },
//!   "database": [
//!     {"hashrange":"database","format":2},
//!     {"table":…},
//!     {"item":{"PK":{"S":"a"}}},
//!     {"end":…}
//!   ]
//! }
//! ```
//!
//! Invariant: the same design and data are the same text; what is read back is written as the same text again.
//!
//! Not here: the history of requests, which stays in the browser ([`crate::save`]).

use hashrange_types::letter_case::small;
use std::convert::Infallible;

use hashrange_design::Design;
use hashrange_engine::snapshot;
use serde_json::Value;

use crate::save;
use crate::session::Session;

/// The format this build writes, and the newest it reads.
const FORMAT: u64 = 1;

/// The member that such a file begins with.
pub(crate) const MARK: &str = "hashrange";

impl Session {
    /// The design with its data as the text of a file. The history is not part of it.
    pub fn export_file(&self) -> String {
        let design = self.design().to_json();
        // Line ends within texts are escaped, so those that are left stand between members.
        let design = design.trim_end().replace('\n', "\n  ");
        let mut text = format!(
            "{{\n  \"{MARK}\": {FORMAT},\n  \"design\": {design},\n  \"database\": [\n    "
        );
        text.push_str(hashrange_wire::snapshot_head().trim_end());
        let written: Result<(), Infallible> = snapshot(&self.data().store, &mut |line| {
            text.push_str(",\n    ");
            hashrange_wire::snapshot_line_to_text(&line, &mut text);
            text.truncate(text.trim_end().len());
            Ok(())
        });
        let Ok(()) = written;
        text.push_str("\n  ]\n}\n");
        text
    }

    /// A name for the file: `factory-floor.hashrange.json`.
    pub fn export_name(&self) -> String {
        let mut name = String::new();
        for character in self.title().chars().take(60) {
            match character {
                it if it.is_alphanumeric() => name.push(small(it)),
                _ if name.is_empty() || name.ends_with('-') => {}
                _ => name.push('-'),
            }
        }
        let name = name.trim_end_matches('-');
        format!("{}.hashrange.json", if name.is_empty() { "design" } else { name })
    }
}

/// The session of a file.
///
/// # Errors
/// One sentence if it is damaged or was written by a newer version.
pub(crate) fn read(mut file: Value) -> Result<Session, String> {
    let format = file[MARK].as_u64().unwrap_or(0);
    if format > FORMAT {
        return Err(format!(
            "It was saved by a newer version of Hashrange: it has format {format}, this page reads format {FORMAT}. Reload the page to get the newest version. Nothing was changed."
        ));
    }
    if format == 0 {
        return Err(format!("Its format ({MARK}) must be {FORMAT}. Nothing was changed."));
    }
    let design = Design::from_value(file["design"].take()).map_err(|error| error.to_string())?;
    let Value::Array(lines) = file["database"].take() else {
        return Err(
            "Its database is missing, which must be a list. Nothing was changed.".to_owned()
        );
    };
    let mut text = String::new();
    for line in lines {
        text.push_str(&line.to_string());
        text.push('\n');
    }
    let store = save::rebuilt(&text)
        .map_err(|reason| format!("It is damaged: {reason}. Nothing was changed."))?;
    Ok(Session::over(design, store))
}
