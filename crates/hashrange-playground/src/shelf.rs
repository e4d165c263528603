//! The shelf: the designs that are kept, as a list of them says it.
//!
//! Invariant: a deleted design stays for [`KEPT_DAYS`] days, so that a hasty deletion can be taken back.
//!
//! Not here: a design's contents ([`crate::save`]), where both are kept (the page).

use serde_json::{Value, json};

use crate::format::{counted, size};
use crate::session::Session;
use crate::view::{ShelfRow, ShelfView};

/// Days that a deleted design can be brought back.
const KEPT_DAYS: i64 = 7;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// What is kept of a design beside its contents. Times are in milliseconds since 1970.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShelfRecord {
    /// Its title.
    pub title: String,
    /// When it was changed last.
    pub changed_at: i64,
    /// Items in all its tables.
    pub n_items: u64,
    /// Bytes that its contents take up where they are kept.
    pub n_bytes: u64,
    /// Goes up with each time it is kept: who knows another revision must not write over it.
    pub revision: u32,
    /// When it was deleted, if it was.
    pub deleted_at: Option<i64>,
}

impl ShelfRecord {
    /// The record as text, for [`Self::from_text`].
    pub fn to_text(&self) -> String {
        json!({
            "title": self.title,
            "changed_at": self.changed_at,
            "n_items": self.n_items,
            "n_bytes": self.n_bytes,
            "revision": self.revision,
            "deleted_at": self.deleted_at,
        })
        .to_string()
    }

    /// The record of a text; what is missing in it or broken is as in an empty one.
    pub fn from_text(text: &str) -> Self {
        let record: Value = serde_json::from_str(text).unwrap_or_default();
        Self {
            title: record["title"].as_str().unwrap_or_default().to_owned(),
            changed_at: record["changed_at"].as_i64().unwrap_or_default(),
            n_items: record["n_items"].as_u64().unwrap_or_default(),
            n_bytes: record["n_bytes"].as_u64().unwrap_or_default(),
            revision: record["revision"].as_u64().and_then(|it| it.try_into().ok()).unwrap_or(0),
            deleted_at: record["deleted_at"].as_i64(),
        }
    }

    /// True if it was deleted so long ago that it goes for good.
    pub fn is_over(&self, now: i64) -> bool {
        self.deleted_at.is_some_and(|at| now.saturating_sub(at) >= KEPT_DAYS * DAY_MS)
    }
}

impl Session {
    /// What the shelf notes of this session when it is kept in `n_bytes`. The revision is the keeper's.
    pub fn shelf_record(&self, n_bytes: usize, now: i64) -> ShelfRecord {
        ShelfRecord {
            title: self.title(),
            changed_at: now,
            n_items: self.data().store.tables().map(|table| table.items().n_rows()).sum(),
            n_bytes: n_bytes as u64,
            ..ShelfRecord::default()
        }
    }

    /// A design with nothing in it.
    pub fn empty() -> Self {
        Self::over(hashrange_design::Design::default(), hashrange_storage::Store::default())
    }

    /// True if the design has nothing in it yet, so that the ways to begin are offered.
    pub fn is_blank(&self) -> bool {
        let design = self.design();
        let is_bare = design.tables.is_empty() && design.entities.is_empty();
        is_bare && design.patterns.is_empty() && self.data().store.tables().next().is_none()
    }
}

/// The list of kept designs, newest first. `records` has each with its number; `open` is the one in view.
pub fn shelf(records: &[(u32, ShelfRecord)], open: Option<u32>, now: i64) -> ShelfView {
    let mut order: Vec<&(u32, ShelfRecord)> = records.iter().collect();
    hashrange_types::sorted::sort_by(&mut order, |(_, a), (_, b)| {
        let at = |it: &ShelfRecord| it.deleted_at.unwrap_or(it.changed_at);
        at(b).cmp(&at(a))
    });
    let mut view = ShelfView::default();
    for (id, record) in order {
        let about = format!(
            "{} · {} · {}",
            counted(record.n_items, "item"),
            size(record.n_bytes),
            when(record, now)
        );
        let row = ShelfRow { id: *id, title: title(record), about, is_open: open == Some(*id) };
        if record.deleted_at.is_some() { &mut view.deleted } else { &mut view.designs }.push(row);
    }
    let n_bytes = records.iter().map(|(_, record)| record.n_bytes).sum();
    let n_designs = view.designs.len() as u64;
    view.summary = format!("{}, {} in all", counted(n_designs, "design"), size(n_bytes));
    let deleted = match view.deleted.len() as u64 {
        0 => String::new(),
        n => format!(", {} that can still be brought back", counted(n, "deleted design")),
    };
    view.erase_text = format!(
        "This erases {}{deleted}, your settings and what you typed and did not run. None of it can be brought back; designs you saved as files stay where they are.",
        counted(n_designs, "design")
    );
    view
}

fn title(record: &ShelfRecord) -> String {
    if record.title.is_empty() { "Untitled design".to_owned() } else { record.title.clone() }
}

/// When it was changed, or how long it can be brought back.
fn when(record: &ShelfRecord, now: i64) -> String {
    let Some(deleted_at) = record.deleted_at else {
        return format!("changed {}", ago(now.saturating_sub(record.changed_at)));
    };
    let left_ms = (KEPT_DAYS * DAY_MS).saturating_sub(now.saturating_sub(deleted_at));
    match left_ms / DAY_MS {
        ..1 => "gone for good within a day".to_owned(),
        n => format!("gone for good in {}", counted(n.unsigned_abs(), "day")),
    }
}

/// `just now`, `5 minutes ago`, `2 days ago`.
fn ago(ms: i64) -> String {
    let in_units =
        |unit_ms: i64, noun: &str| format!("{} ago", counted((ms / unit_ms).unsigned_abs(), noun));
    match ms {
        ..MINUTE_MS => "just now".to_owned(),
        MINUTE_MS..HOUR_MS => in_units(MINUTE_MS, "minute"),
        HOUR_MS..DAY_MS => in_units(HOUR_MS, "hour"),
        _ => in_units(DAY_MS, "day"),
    }
}

/// The title of a copy: that of the original with the first number from 2 that no other design has.
pub fn copy_title(title: &str, records: &[(u32, ShelfRecord)]) -> String {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let numbered = title.strip_suffix(')').and_then(|it| it.rsplit_once(" ("));
    let base = match numbered {
        Some((base, number)) if is_number(number) => base,
        _ => title,
    };
    // One more than there are designs: one of the titles is free.
    let mut titles = (2..records.len() + 3).map(|n| format!("{base} ({n})"));
    let is_free = |it: &String| records.iter().all(|(_, record)| record.title != *it);
    titles.find(is_free).unwrap_or_else(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(title: &str, changed_at: i64) -> ShelfRecord {
        ShelfRecord {
            title: title.to_owned(),
            changed_at,
            n_items: 1,
            n_bytes: 2_048,
            ..ShelfRecord::default()
        }
    }

    #[test]
    fn a_record_survives_as_text_and_a_broken_one_is_an_empty_one() {
        let record =
            ShelfRecord { revision: 7, deleted_at: Some(5), ..record("Tab\t\"quoted\" 😀", 9) };
        assert_eq!(ShelfRecord::from_text(&record.to_text()), record);
        for text in ["", "[]", "{", "null", r#"{"title":3,"revision":-1,"n_items":1e99}"#] {
            assert_eq!(ShelfRecord::from_text(text), ShelfRecord::default(), "{text}");
        }
    }

    #[test]
    fn the_newest_design_is_first_and_says_when_it_was_changed() {
        let now = 100 * DAY_MS;
        let records = [
            (1, record("Old", now - 3 * DAY_MS)),
            (4, record("", now - 5 * MINUTE_MS)),
            (9, ShelfRecord { deleted_at: Some(now - DAY_MS), ..record("Gone", now) }),
        ];
        let view = shelf(&records, Some(1), now);
        let seen: Vec<_> = view.designs.iter().map(|row| (row.id, row.is_open)).collect();
        assert_eq!(seen, [(4, false), (1, true)]);
        assert_eq!(view.designs[0].title, "Untitled design");
        let about = |row: &ShelfRow| row.about.replace('\u{a0}', " ");
        assert_eq!(about(&view.designs[0]), "1 item · 2.0 KB · changed 5 minutes ago");
        assert_eq!(about(&view.designs[1]), "1 item · 2.0 KB · changed 3 days ago");
        assert_eq!(about(&view.deleted[0]), "1 item · 2.0 KB · gone for good in 6 days");
        assert_eq!(view.summary.replace('\u{a0}', " "), "2 designs, 6.0 KB in all");
        assert!(view.erase_text.contains("2 designs, 1 deleted design that can"), "{view:?}");
    }

    #[test]
    fn a_deleted_design_goes_for_good_after_seven_days() {
        let deleted = ShelfRecord { deleted_at: Some(0), ..record("Gone", 0) };
        assert!(!deleted.is_over(KEPT_DAYS * DAY_MS - 1));
        assert!(deleted.is_over(KEPT_DAYS * DAY_MS));
        assert!(!record("Kept", 0).is_over(i64::MAX));
        // A clock set back does no harm.
        assert!(!deleted.is_over(i64::MIN));
        assert_eq!(shelf(&[(1, deleted)], None, i64::MIN).deleted.len(), 1);
    }

    #[test]
    fn a_copy_is_numbered_until_its_title_is_free() {
        let records = [(1, record("Shop", 0)), (2, record("Shop (2)", 0))];
        assert_eq!(copy_title("Shop", &records), "Shop (3)");
        assert_eq!(copy_title("Shop (2)", &records), "Shop (3)");
        assert_eq!(copy_title("Bikes (old)", &records), "Bikes (old) (2)");
    }
}
