//! `Rival`: what a session is compared with, made ready in small steps.
//!
//! Invariant: making it ready and comparing leave the session as it is; a rival of the same design holds its items.
//!
//! Not here: what a scan-based or relational copy is (`hashrange_design::compare`).

use std::ops::Bound::{Excluded, Unbounded};

use hashrange_design::Design;
use hashrange_design::compare::{ScanBased, Side, relational};
use hashrange_design::cost::CostSettings;
use hashrange_design::pattern::PatternSuite;
use hashrange_storage::{KeyRange, Store};
use hashrange_types::{EncodedKey, TableName};

use super::{CompareView, compare_designs, compare_view};
use crate::edit::{Edited, empty};
use crate::format::{count, counted};
use crate::load;
use crate::session::Session;
use crate::view::Refusal;

/// Items copied in a step.
const ITEMS_PER_STEP: usize = 500;

/// What the other design is.
#[derive(Debug, Clone)]
enum Kind {
    /// A copy of the design, kept as it was.
    Version,
    /// The same items and questions without indexes and composite keys.
    ScanBased,
    /// A table for each entity, joined by the client.
    Relational,
    /// A design with items of its own.
    Other,
}

/// What a session is compared with.
#[derive(Debug, Clone)]
pub struct Rival {
    title: String,
    kind: Kind,
    design: Design,
    store: Store,
    suite: PatternSuite,
    copying: Option<Copying>,
    is_given: bool,
}

/// Items on their way to the scan-based copy.
#[derive(Debug, Clone)]
struct Copying {
    copy: ScanBased,
    from: Store,
    /// Tables still to copy; the last is the one at hand.
    tables: Vec<TableName>,
    /// The item copied last.
    after: Option<EncodedKey>,
    n_done: u64,
    n_all: u64,
}

/// How far a rival is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RivalProgress {
    /// `Copying items: 12,000 of 100,000`, `Asking pattern 3 of 9`.
    pub text: String,
    /// True when it can be compared.
    pub is_done: bool,
}

impl Rival {
    fn new(title: String, kind: Kind, design: Design, store: Store) -> Self {
        Self {
            title,
            kind,
            design,
            store,
            suite: PatternSuite::default(),
            copying: None,
            is_given: false,
        }
    }

    /// A copy of the session's design and items as they are now.
    pub fn version(of: &Session, title: String) -> Self {
        let suite = of.suite().clone();
        let store = of.data().store.clone();
        Self { suite, ..Self::new(title, Kind::Version, of.design().clone(), store) }
    }

    /// The same items and questions with one id as key and no index. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// DynamoDB's refusal of a table.
    pub fn scan_based(of: &Session, now: i64) -> Edited<Self> {
        let from = of.data().store.clone();
        let copy = ScanBased::of(of.design(), &from);
        let mut store = from.clone();
        let (mut tables, mut n_all) = (Vec::new(), 0);
        for table in &copy.design.tables {
            empty(&mut store, table, now)?;
            let name = table["TableName"].as_str().unwrap_or_default();
            if let Some(table) = from.table(name) {
                n_all += table.items().n_rows();
                tables.push(table.schema().name.clone());
            }
        }
        let title = copy.design.title.clone();
        let design = copy.design.clone();
        let copying = Some(Copying { copy, from, tables, after: None, n_done: 0, n_all });
        Ok(Self { copying, ..Self::new(title, Kind::ScanBased, design, store) })
    }

    /// The same thing modelled relationally, by the rules of [`relational`].
    pub fn relational() -> Self {
        let title = "Modelled relationally".to_owned();
        Self::new(title, Kind::Relational, Design::default(), Store::default())
    }

    /// Another design with its own items.
    pub fn other(session: &Session) -> Self {
        let store = session.data().store.clone();
        Self::new(session.title(), Kind::Other, session.design().clone(), store)
    }

    /// What it is called.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// True if it is a version of the session's own design, which can be kept in its place.
    pub fn can_be_kept(&self) -> bool {
        matches!(self.kind, Kind::Version | Kind::ScanBased)
    }

    /// Makes it ready, `n` pieces of work at a time: a few milliseconds each.
    ///
    /// # Errors
    /// One sentence where an item does not fit its new key.
    pub fn step(&mut self, n: u32) -> Result<RivalProgress, String> {
        for _ in 0..n {
            if let Some(copying) = &mut self.copying {
                if !copying.step(&mut self.store)? {
                    let (done, all) = (count(copying.n_done), counted(copying.n_all, "item"));
                    let text = format!("Copying: {done} of {all}");
                    return Ok(RivalProgress { text, is_done: false });
                }
                self.copying = None;
            }
        }
        if !self.is_given {
            self.suite.change(&self.design, &self.store);
            self.is_given = true;
        }
        let progress = self.suite.step(n);
        let all = counted(progress.n_all as u64, "pattern");
        let text = format!("Asking: {} of {all}", progress.n_done);
        Ok(RivalProgress { text, is_done: progress.is_done })
    }

    /// What kind of thing it is, in a sentence.
    const fn about(&self) -> &'static str {
        match self.kind {
            Kind::Version => "The same design, as it was when this copy was kept.",
            Kind::ScanBased => {
                "The same items and questions, with one id as key and no index: what is not asked by id reads all."
            }
            Kind::Relational => {
                "A table for each entity and an index for each foreign key; the client joins. Worked out from the \
                 sample, with the rates and prices of A."
            }
            Kind::Other => {
                "Another design with its own items. Questions of the same words stand side by side, at the rates of A."
            }
        }
    }
}

impl Copying {
    /// Copies some items; true when none are left.
    fn step(&mut self, store: &mut Store) -> Result<bool, String> {
        let Some(name) = self.tables.last().cloned() else { return Ok(true) };
        let Some(table) = self.from.table(name.as_str()) else {
            self.tables.pop();
            return Ok(false);
        };
        let lower = self.after.take().map_or(Unbounded, Excluded);
        let range = KeyRange { lower, upper: Unbounded };
        let mut n_copied = 0;
        for (key, row) in table.items().range(&range, true).take(ITEMS_PER_STEP) {
            load::put(store, &name, self.copy.item(name.as_str(), &row.item))?;
            n_copied += 1;
            self.after = Some(key.clone());
        }
        self.n_done += n_copied as u64;
        if n_copied < ITEMS_PER_STEP {
            self.after = None;
            self.tables.pop();
        }
        Ok(self.tables.is_empty())
    }
}

impl Session {
    /// The session's design beside another that is ready, by the latest finished runs of both.
    pub fn compare(&self, rival: &Rival) -> CompareView {
        let design = self.shown_design().unwrap_or(self.design());
        let own = Side::of(&self.title(), self.suite());
        let mut view = if matches!(rival.kind, Kind::Relational) {
            let other = relational(design, self.suite());
            compare_view([&own, &other], [&design.cost, &design.cost], &[])
        } else {
            let other = Side::of(&rival.title, &rival.suite);
            let cost = match rival.kind {
                Kind::Other => design.cost.clone(),
                _ => CostSettings { copies: design.cost.copies, ..rival.design.cost.clone() },
            };
            let against = Design { cost, ..rival.design.clone() };
            compare_designs([design, &against], [&own, &other])
        };
        rival.about().clone_into(&mut view.about);
        view
    }

    /// Puts a version of the design in place of it, as one step that undo takes back.
    ///
    /// # Errors
    /// One sentence where it is no version of this design, or not ready.
    pub fn keep_rival(&mut self, rival: &Rival) -> Edited {
        if !rival.can_be_kept() || rival.copying.is_some() {
            return Err(Refusal::ours(format!(
                "{} is no version of this design that can be kept.",
                rival.title
            )));
        }
        let title = self.design().title.clone();
        let design = Design { title, ..rival.design.clone() };
        self.put_in_place(design, rival.store.clone(), format!("keeping {}", rival.title));
        Ok(())
    }
}
