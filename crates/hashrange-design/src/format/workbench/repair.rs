//! `Repair`: one thing that was not as it should be, and what was done about it.
//!
//! Invariant: the list has a bounded length, however broken the file.

/// Most repairs listed one by one.
const LISTED_MAX: usize = 500;

/// One thing that was not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// What was found, such as `a plain value in a map`.
    pub found: String,
    /// What was done, such as `its type was worked out from the value`.
    pub done: String,
    /// Where, as a path in the file: `DataModel[0].TableData[3].address`.
    pub place: String,
}

/// The repairs so far.
#[derive(Debug, Default)]
pub(super) struct Repairs {
    listed: Vec<Repair>,
    n_unlisted: usize,
}

impl Repairs {
    /// Notes a repair; the same finding at the same place is noted once.
    pub(super) fn note(&mut self, place: &str, found: impl Into<String>, done: impl Into<String>) {
        let repair = Repair { found: found.into(), done: done.into(), place: place.to_owned() };
        if self
            .listed
            .iter()
            .rev()
            .take_while(|known| known.place == place)
            .any(|known| *known == repair)
        {
            return;
        }
        if self.listed.len() < LISTED_MAX {
            self.listed.push(repair);
        } else {
            self.n_unlisted += 1;
        }
    }

    /// All repairs, the last one saying how many are not listed.
    pub(super) fn finish(mut self) -> Vec<Repair> {
        if self.n_unlisted > 0 {
            self.listed.push(Repair {
                found: format!("{} more things like these", self.n_unlisted),
                done: "they were repaired the same way".to_owned(),
                place: String::new(),
            });
        }
        self.listed
    }
}
