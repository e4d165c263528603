//! `Session`: a person's whole work as one value: design, tables, history, undo.
//!
//! Invariant: text in, plain view values out. No text, file or number given makes it panic, and what is
//! refused leaves it as it was.
//!
//! Not here: what requests do (`hashrange-engine`), drawing (`hashrange-ui`).

use std::ops::Range;
use std::sync::Arc;

use hashrange_design::{AccessPattern, Design};
use hashrange_storage::{Change, Store};
use hashrange_types::{EncodedKey, sorted};

use crate::census::Census;
use crate::designer::Checked;
use crate::history::{Entry, History, RunResult};
use crate::import::PendingImport;
use crate::recognition::Recognition;
use crate::undo::Undo;
use crate::view::{
    EntryView, ErrorView, ExampleCard, GridLayout, GridRow, HistoryRow, Outline, Target, TextForm,
};
use crate::{entry_view, example, grid, import, outline, refusal, request, run, save, template};

/// A person's work: a design, the tables with their items, and what was run on them.
#[derive(Debug, Clone)]
pub struct Session {
    pub(crate) work: Work,
    pub(crate) history: History,
    undo: Undo,
    /// Goes up with every change of the data, undone ones included.
    pub(crate) data_version: u64,
    /// The design's patterns as tests.
    pub(crate) checked: Checked,
}

/// What is worked on, and what undo brings back: a design and its tables. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Work {
    pub(crate) design: Arc<Design>,
    pub(crate) recognition: Arc<Recognition>,
    pub(crate) data: Tables,
    /// The table that the latest write put items into, and their keys, ascending.
    pub(crate) written: Written,
}

/// A table and keys of items in it, ascending.
pub(crate) type Written = (String, Arc<Vec<EncodedKey>>);

/// The tables with what is counted of them. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tables {
    pub(crate) store: Store,
    pub(crate) census: Census,
}

impl Session {
    /// A session over tables that are there already.
    pub(crate) fn over(design: Design, store: Store) -> Self {
        Self::of_work(Work::over(design, store))
    }

    /// A session over this work, with no history.
    pub(crate) fn of_work(work: Work) -> Self {
        Self {
            work,
            history: History::default(),
            undo: Undo::default(),
            data_version: 0,
            checked: Checked::default(),
        }
    }

    pub(crate) fn design(&self) -> &Design {
        &self.work.design
    }

    pub(crate) fn data(&self) -> &Tables {
        &self.work.data
    }

    /// Puts other work in place of this, as one step that undo takes back.
    pub(crate) fn replace_work(&mut self, work: Work, label: String) {
        let before = std::mem::replace(&mut self.work, work);
        self.undo.push(before, label);
        self.data_version += 1;
    }

    /// The examples that come with the page.
    pub fn examples() -> Vec<ExampleCard> {
        example::cards()
    }

    /// Opens an example. `now` is in milliseconds since 1970; it becomes the tables' creation time.
    ///
    /// # Errors
    /// One sentence if there is no such example.
    pub fn open_example(slug: &str, now: i64) -> Result<Self, String> {
        example::open(slug, now)
    }

    /// What a new visitor finds: the first example with a query of two pages already run.
    pub fn first_visit(now: i64) -> Self {
        example::first_visit(now)
    }

    /// Reads a file somebody picked or dropped: a NoSQL Workbench model, a design, or a saved session. Nothing
    /// changes until the import is taken.
    ///
    /// # Errors
    /// One sentence on what is wrong with the file.
    pub fn read_import(file_name: &str, bytes: &[u8]) -> Result<PendingImport, String> {
        import::read(file_name, bytes)
    }

    /// The design's name.
    pub fn title(&self) -> String {
        if self.work.design.title.trim().is_empty() {
            "Untitled design".to_owned()
        } else {
            self.work.design.title.clone()
        }
    }

    /// The left column.
    pub fn outline(&self) -> Outline {
        let work = &self.work;
        let mut outline = outline::outline(
            &work.design,
            &work.data.store,
            &work.data.census,
            &work.recognition,
            self.title(),
            |pattern| self.units_of_pattern(pattern),
        );
        for pattern in &mut outline.patterns {
            let results = self.pattern_results();
            let found = results
                .iter()
                .find(|result| result.number == pattern.number && result.words == pattern.words);
            if let Some(result) = found {
                let status = result.status();
                (pattern.glyph, pattern.status) = (status.glyph(), status.words());
                pattern.units_text = Some(result.units_text());
            }
        }
        outline
    }

    /// Every table followed by its indexes.
    pub fn targets(&self) -> Vec<Target> {
        outline::targets(&self.work.design, &self.work.data.store)
    }

    /// The picture of one target, with what entry number `shown` read of it lit up.
    pub fn layout(&self, target: &Target, shown: Option<u32>) -> GridLayout {
        self.layout_of(target, shown, "")
    }

    /// As [`Session::layout`], of the items that have a text somewhere.
    pub fn layout_of(&self, target: &Target, shown: Option<u32>, filter: &str) -> GridLayout {
        let read = shown
            .and_then(|number| self.history.get(number)?.ran()?.shown.get(target))
            .map(Arc::clone);
        let table = self.work.data.store.shared_table(&target.table);
        let (name, keys) = &self.work.written;
        let written = if *name == target.table { Arc::clone(keys) } else { Arc::default() };
        let shown = grid::Shown { read, written, filter: filter.to_owned() };
        grid::layout(table, &self.work.recognition, target, shown)
    }

    /// Rows of a layout whose items have a text somewhere, small and capital letters alike.
    pub fn find(&self, layout: &GridLayout, text: &str) -> Vec<u32> {
        grid::find(&layout.shape, text)
    }

    /// Keys of the items in some ranges of rows of a layout.
    pub fn ids(&self, layout: &GridLayout, ranges: &[Range<u32>]) -> Vec<String> {
        grid::ids(&layout.shape, ranges)
    }

    /// The row of the item with this key in a layout.
    pub fn row_of(&self, layout: &GridLayout, id: &str) -> Option<u32> {
        grid::row_of(&layout.shape, id)
    }

    /// The items in some ranges of rows of a layout as text.
    pub fn copied(&self, layout: &GridLayout, ranges: &[Range<u32>], form: TextForm) -> String {
        grid::copied(&layout.shape, ranges, form)
    }

    /// Why the item in a row of a layout comes before the next.
    pub fn order_words(&self, layout: &GridLayout, row: u32) -> Option<String> {
        grid::order_words(&layout.shape, row)
    }

    /// The key of the first item that the latest write put, as the grid has it.
    pub fn latest_written(&self) -> Option<String> {
        let (table, keys) = &self.work.written;
        let table = self.work.data.store.table(table)?;
        let item = &table.get(keys.first()?)?.item;
        Some(request::key_json(&table.schema().key.key_of(item)))
    }

    /// The contents of the rows `range` of a layout. Costs as much as the range is long.
    pub fn rows(&self, layout: &GridLayout, range: Range<u32>) -> Vec<GridRow> {
        grid::rows(&layout.shape, range)
    }

    /// A request to start from: indented DynamoDB JSON that runs on what the target holds at `now`, in milliseconds
    /// since 1970.
    pub fn template(&self, operation: &str, target: &Target, now: i64) -> String {
        template::template(&self.work.data.store, &self.work.recognition, operation, target, now)
    }

    /// Operation and request of an access pattern, by its number from 1.
    pub fn pattern_request(&self, number: u32) -> Option<(String, String)> {
        let at = usize::try_from(number.checked_sub(1)?).ok()?;
        let pattern = self.work.design.patterns.get(at)?;
        Some((pattern.operation.clone(), request::pretty(&pattern.request.to_string())))
    }

    /// Runs a request and returns its number in the history; a refusal has one as well.
    pub fn run(&mut self, operation: &str, text: &str, now: i64) -> u32 {
        self.run_as(operation, text, None, now)
    }

    /// Runs an access pattern's request. A number no pattern has is a refusal in the history.
    pub fn run_pattern(&mut self, number: u32, now: i64) -> u32 {
        match self.pattern_request(number) {
            Some((operation, text)) => self.run_as(&operation, &text, Some(number), now),
            None => self.run_as("", "{}", None, now),
        }
    }

    fn run_as(&mut self, operation: &str, text: &str, pattern: Option<u32>, now: i64) -> u32 {
        let number = self.history.next_number();
        let exchange = self.exchange(operation, text, now, number);
        let ran = exchange.begin(operation, &self.work.recognition);
        self.history.push(Entry {
            number,
            operation: operation.to_owned(),
            request: text.to_owned(),
            pattern,
            data_version: self.data_version,
            result: RunResult::Ran(Box::new(ran)),
        });
        let patterns = &self.work.design.patterns;
        self.history.thin_out(|entry| {
            let words = |pattern| words_of(patterns, pattern);
            entry_view::history_rows(std::iter::once(entry), words).pop()
        });
        number
    }

    /// Runs the request that reads on where an entry ended and adds its page to the entry. None if there is
    /// nothing to read on.
    pub fn next_page(&mut self, entry: u32, now: i64) -> Option<u32> {
        let found = self.history.get(entry)?;
        let operation = found.operation.clone();
        let text = found.ran()?.last().next_request.clone()?;
        let exchange = self.exchange(&operation, &text, now, entry);
        let version = self.data_version;
        let found = self.history.get_mut(entry)?;
        let RunResult::Ran(ran) = &mut found.result else { return None };
        exchange.append_to(ran);
        // Pages of different versions of the data cannot be read again as they were.
        if found.data_version != version {
            found.data_version = u64::MAX;
        }
        Some(entry)
    }

    /// Runs a request on the data, noting what it changed.
    fn exchange(&mut self, operation: &str, text: &str, now: i64, number: u32) -> run::Exchange {
        let before = self.work.clone();
        let exchange = run::exchange(&mut self.work.data.store, operation, text, now);
        if exchange.changes.iter().any(is_change) {
            self.note_changes(&exchange.changes, before, format!("{operation} {number}"));
        }
        exchange
    }

    /// True if a request would change tables or items now. Nothing is run.
    pub fn would_change(&self, operation: &str, text: &str, now: i64) -> bool {
        let mut store = self.work.data.store.clone();
        let exchange = run::exchange(&mut store, operation, text, now);
        exchange.changes.iter().any(is_change)
    }

    fn note_changes(&mut self, changes: &[Change], before: Work, label: String) {
        if changes.iter().any(|change| matches!(change, Change::Table(_))) {
            let recognition = Arc::make_mut(&mut self.work.recognition);
            recognition.find_copies(&self.work.design, &self.work.data.store);
        }
        self.work.data.census.apply(&self.work.data.store, &self.work.recognition, changes);
        self.work.written = put_by(changes);
        self.undo.push(before, label);
        self.data_version += 1;
    }

    /// The history, newest first.
    pub fn history(&self) -> Vec<HistoryRow> {
        entry_view::history_rows(self.history.newest_first(), |pattern| {
            words_of(&self.work.design.patterns, pattern)
        })
    }

    /// All that the panels show of an entry.
    pub fn entry(&self, number: u32) -> Option<EntryView> {
        self.history.get(number).map(entry_view::entry_view)
    }

    /// What is wrong with a request that is being typed; none if it would run. Nothing is run.
    pub fn check(&self, operation: &str, text: &str) -> Option<ErrorView> {
        run::check(&self.work.data.store, operation, text)
            .err()
            .map(|error| refusal::error_view(&error, text, None, &self.work.data.store))
    }

    /// Takes back the latest write, table change or edit; false if there is none.
    pub fn undo(&mut self) -> bool {
        let done = self.undo.undo(&mut self.work);
        self.data_version += u64::from(done);
        done
    }

    /// Makes the change that was taken back last again; false if there is none.
    pub fn redo(&mut self) -> bool {
        let done = self.undo.redo(&mut self.work);
        self.data_version += u64::from(done);
        done
    }

    /// True if there is something to take back.
    pub fn can_undo(&self) -> bool {
        self.undo.undo_label().is_some()
    }

    /// True if something was taken back.
    pub fn can_redo(&self) -> bool {
        self.undo.can_redo()
    }

    /// What undo takes back, such as `PutItem 7`.
    pub fn undo_label(&self) -> Option<String> {
        self.undo.undo_label().map(str::to_owned)
    }

    /// What redo makes again, such as `PutItem 7`.
    pub fn redo_label(&self) -> Option<String> {
        self.undo.redo_label().map(str::to_owned)
    }

    /// The whole session as one compact value for [`Session::restore`]. Steps to take back are not part of it.
    pub fn save(&self) -> Vec<u8> {
        save::save(self)
    }

    /// The session of a saved value.
    ///
    /// # Errors
    /// One sentence if the value is damaged, is something else, or was written by a newer version.
    pub fn restore(bytes: &[u8]) -> Result<Self, String> {
        save::restore(bytes)
    }

    fn units_of_pattern(&self, pattern: u32) -> Option<String> {
        let entry = self.history.newest_first().find(|entry| entry.pattern == Some(pattern))?;
        let ran = entry.ran()?;
        let units = ran.units();
        (!units.is_zero()).then(|| crate::format::units(units, ran.is_write()))
    }
}

/// What changes put, so that it can be seen.
pub(crate) fn put_by(changes: &[Change]) -> Written {
    let mut table = String::new();
    let mut keys: Vec<EncodedKey> = Vec::new();
    for change in changes {
        if let Change::Item(change) = change
            && change.after.is_some()
            && (keys.is_empty() || change.table.as_str() == table)
        {
            change.table.as_str().clone_into(&mut table);
            keys.push(change.key.clone());
        }
    }
    sorted::sort(&mut keys);
    (table, Arc::new(keys))
}

/// True for what undo takes back.
fn is_change(change: &Change) -> bool {
    matches!(change, Change::Item(_) | Change::Table(_) | Change::Account(_))
}

/// The words of the pattern with this number, from 1.
fn words_of(patterns: &[AccessPattern], number: u32) -> Option<String> {
    let at = usize::try_from(number.checked_sub(1)?).ok()?;
    patterns.get(at).map(|pattern| pattern.words.clone())
}
