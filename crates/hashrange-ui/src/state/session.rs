//! The session store: the one owner of the running [`Session`].
//!
//! Invariant: nothing of the engine is mirrored into signals. The session is a stored value with one trigger
//! per aspect (design, contents, history); panels read memos that track only the aspects they draw.
//!
//! Not here: which entry or table is looked at (`history`, `screen`).

use hashrange_playground::Session;
use hashrange_playground::view::{
    EntryView, ErrorView, ExampleCard, GridLayout, GridRow, HistoryRow, Outline, RebuildView,
    Refusal, Target,
};
use leptos::prelude::*;

use crate::browser::clock;
use crate::signal::Memo;

/// Why nothing is changed here while another tab works on the design.
pub(crate) const IN_ANOTHER_TAB: &str =
    "Another tab works on this design, so nothing was changed. Take it over, or work on a copy.";

/// The running playground. Every change to it goes through here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SessionStore {
    session: StoredValue<Session>,
    put_aside: StoredValue<Option<Session>>,
    /// Goes up with everything that may have changed the session.
    version: StoredValue<u64>,
    /// True while another tab works on the design: then edits are refused.
    is_read_only: StoredValue<bool>,
    design: Trigger,
    contents: Trigger,
    history: Trigger,
    checked: Trigger,
    outline: Memo<Outline>,
    targets: Memo<Vec<Target>>,
    history_rows: Memo<Vec<HistoryRow>>,
    title: Memo<String>,
}

impl SessionStore {
    /// Takes the session over; the store lives as long as the current owner.
    pub(crate) fn new(session: Session) -> Self {
        let session = StoredValue::new(session);
        let (design, contents, history) = (Trigger::new(), Trigger::new(), Trigger::new());
        let checked = Trigger::new();
        Self {
            session,
            put_aside: StoredValue::new(None),
            version: StoredValue::new(0),
            is_read_only: StoredValue::new(false),
            design,
            contents,
            history,
            checked,
            outline: Memo::new(move |_| {
                checked.track();
                design.track();
                contents.track();
                history.track();
                session.with_value(Session::outline)
            }),
            targets: Memo::new(move |_| {
                design.track();
                session.with_value(Session::targets)
            }),
            history_rows: Memo::new(move |_| {
                history.track();
                session.with_value(Session::history)
            }),
            title: Memo::new(move |_| {
                design.track();
                session.with_value(Session::title)
            }),
        }
    }

    /// What the left column shows.
    pub(crate) fn outline(self) -> Memo<Outline> {
        self.outline
    }

    /// All tables and indexes, in the design's order.
    pub(crate) fn targets(self) -> Memo<Vec<Target>> {
        self.targets
    }

    /// The history, newest first.
    pub(crate) fn history(self) -> Memo<Vec<HistoryRow>> {
        self.history_rows
    }

    /// The design's title.
    pub(crate) fn title(self) -> Memo<String> {
        self.title
    }

    /// Makes the current computation run again whenever anything in the session changed.
    pub(crate) fn track(self) {
        self.design.track();
        self.contents.track();
        self.history.track();
    }

    /// Makes the current computation run again whenever design or items changed.
    pub(crate) fn track_work(self) {
        self.design.track();
        self.contents.track();
    }

    /// The shape of the picture of `target`, lit by entry `shown`. Tracks items and history.
    pub(crate) fn layout(self, target: &Target, shown: Option<u32>, filter: &str) -> GridLayout {
        self.track();
        self.session.with_value(|session| session.layout_of(target, shown, filter))
    }

    /// Reads something of the session. Tracks nothing.
    pub(crate) fn ask<T>(self, read: impl FnOnce(&Session) -> T) -> T {
        self.session.with_value(read)
    }

    /// The contents of some rows of a layout. Tracks nothing: the layout does.
    pub(crate) fn rows(self, layout: &GridLayout, range: std::ops::Range<u32>) -> Vec<GridRow> {
        self.session.with_value(|session| session.rows(layout, range))
    }

    /// A request that was run. Tracks the history.
    pub(crate) fn entry(self, number: u32) -> Option<EntryView> {
        self.history.track();
        self.session.with_value(|session| session.entry(number))
    }

    /// The newest entry's number. Tracks nothing.
    pub(crate) fn newest(self) -> Option<u32> {
        self.history_rows.with_untracked(|rows| rows.first().map(|row| row.number))
    }

    /// A starter request for the operation on the target. Tracks nothing.
    pub(crate) fn template(self, operation: &str, target: &Target) -> String {
        self.session.with_value(|session| session.template(operation, target, clock::now()))
    }

    /// What is wrong with a request as typed, if anything. Tracks the design.
    pub(crate) fn check(self, operation: &str, text: &str) -> Option<ErrorView> {
        self.design.track();
        self.session.with_value(|session| session.check(operation, text))
    }

    /// The request of an access pattern: operation and text.
    pub(crate) fn pattern_request(self, number: u32) -> Option<(String, String)> {
        self.session.with_value(|session| session.pattern_request(number))
    }

    /// A GetItem of the table's item with this key, given as DynamoDB JSON; none for entries of an index,
    /// whose names are longer than the key.
    pub(crate) fn item_request(target: &Target, key: &str) -> Option<String> {
        let table = &target.table;
        target.index.is_none().then(|| {
            format!(
                "{{\n  \"TableName\": \"{table}\",\n  \"Key\": {key},\n  \"ReturnConsumedCapacity\": \"INDEXES\"\n}}"
            )
        })
    }

    /// Runs a request and returns its number in the history.
    pub(crate) fn run(self, operation: &str, text: &str) -> u32 {
        self.change(|session| session.run(operation, text, clock::now()))
    }

    /// Runs an access pattern and returns its number in the history.
    pub(crate) fn run_pattern(self, number: u32) -> u32 {
        self.change(|session| session.run_pattern(number, clock::now()))
    }

    /// Reads the next page of an entry; false if there is none.
    pub(crate) fn next_page(self, entry: u32) -> bool {
        self.change(|session| session.next_page(entry, clock::now())).is_some()
    }

    /// Takes the last write back; false if there was none.
    pub(crate) fn undo(self) -> bool {
        let is_done = self.change(Session::undo);
        self.design.notify();
        is_done
    }

    /// Does again what was taken back last; false if there was nothing.
    pub(crate) fn redo(self) -> bool {
        let is_done = self.change(Session::redo);
        self.design.notify();
        is_done
    }

    /// What undo would take back, if it can. Tracks items and history.
    pub(crate) fn undo_label(self) -> Option<String> {
        self.track();
        self.session
            .with_value(|session| session.can_undo().then(|| session.undo_label()).flatten())
    }

    /// True if something was taken back and can be done again. Tracks items and history.
    pub(crate) fn can_redo(self) -> bool {
        self.track();
        self.session.with_value(Session::can_redo)
    }

    /// The examples there are.
    pub(crate) fn examples() -> Vec<ExampleCard> {
        Session::examples()
    }

    /// The whole session as one value for storage. Tracks nothing.
    pub(crate) fn save(self) -> Vec<u8> {
        self.session.with_value(Session::save)
    }

    /// Refuses edits, or no longer.
    pub(crate) fn set_read_only(self, is_read_only: bool) {
        self.is_read_only.set_value(is_read_only);
    }

    /// Another number after everything that may have changed the session. Tracks nothing.
    pub(crate) fn version(self) -> u64 {
        self.version.get_value()
    }

    /// Puts another session in place of this one, which is forgotten.
    pub(crate) fn set(self, session: Session) {
        self.session.set_value(session);
        self.notify_all();
    }

    /// Puts another session in place of this one, which is kept aside.
    pub(crate) fn replace(self, session: Session) {
        let mut next = Some(session);
        self.session.update_value(|current| {
            if let Some(session) = next.take() {
                self.put_aside.set_value(Some(std::mem::replace(current, session)));
            }
        });
        self.notify_all();
    }

    /// Brings back what [`Self::replace`] put aside; false if nothing was.
    pub(crate) fn bring_back(self) -> bool {
        let aside = self.put_aside.try_update_value(Option::take).flatten();
        let Some(session) = aside else { return false };
        self.session.set_value(session);
        self.notify_all();
        true
    }

    /// Runs the access patterns on in `n` small steps after a change of design or items; true when all that is
    /// shown of them is up to date. Wakes what [`Self::checked`] reads when it is.
    pub(crate) fn check_patterns(self, n: u32) -> bool {
        let run = self.session.try_update_value(|session| session.check_patterns(n));
        let is_done = run.is_none_or(|run| run.is_done);
        if is_done {
            self.checked.notify();
        }
        is_done
    }

    /// Reads what the latest finished run of the access patterns found. Tracks it, and the design.
    pub(crate) fn checked<T>(self, read: impl FnOnce(&Session) -> T) -> T {
        self.checked.track();
        self.design.track();
        self.session.with_value(read)
    }

    /// Reads the session. Tracks nothing.
    pub(crate) fn read<T>(self, read: impl FnOnce(&Session) -> T) -> T {
        self.session.with_value(read)
    }

    /// Reads what the design says of its tables. Tracks design and items.
    pub(crate) fn rebuilds(self) -> Vec<RebuildView> {
        self.track_work();
        self.session.with_value(Session::rebuilds)
    }

    /// Makes an edit; what refuses it, if anything does, is the answer.
    pub(crate) fn edit<E: From<Refusal>>(
        self,
        verb: impl FnOnce(&mut Session, i64) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.is_read_only.get_value() {
            let message = IN_ANOTHER_TAB.to_owned();
            return Err(Refusal { name: "", message, explanation: "" }.into());
        }
        let result = self.session.try_update_value(|session| verb(session, clock::now()));
        self.notify_all();
        result.unwrap_or(Ok(()))
    }

    /// Runs `verb` on the session and wakes the aspects it may have changed.
    fn change<T>(self, verb: impl FnOnce(&mut Session) -> T) -> T {
        let (result, is_same_design) = self
            .session
            .try_update_value(|session| {
                let before = session.targets();
                let result = verb(session);
                (result, before == session.targets())
            })
            .expect("the session lives as long as the page");
        if !is_same_design {
            self.design.notify();
        }
        self.version.update_value(|version| *version += 1);
        self.contents.notify();
        self.history.notify();
        result
    }

    fn notify_all(self) {
        self.version.update_value(|version| *version += 1);
        self.design.notify();
        self.contents.notify();
        self.history.notify();
    }
}
