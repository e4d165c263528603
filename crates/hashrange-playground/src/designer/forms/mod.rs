//! The designer's forms: what is typed, as texts by field name; what of it is wrong; and the edit it comes to.
//!
//! Invariant: a draft holds exactly what was typed, right or wrong; nothing of the design changes before a form is
//! applied, and a refused form changes nothing.
//!
//! Not here: the edits themselves (`crate::edit`), drawing.

mod entity;
pub(super) mod index;
mod pattern;
mod table;

use hashrange_types::SortedMap;

use crate::session::Session;
use crate::view::{FactView, FieldKind, FieldView, FormRefusal, FormView, Refusal};

/// What a form is of: something there is, or with nothing named, something new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A table, by name.
    Table(Option<String>),
    /// An index of a table.
    Index {
        /// The table.
        table: String,
        /// The index, by name.
        name: Option<String>,
    },
    /// An entity, by its place in the design, from 0.
    Entity(Option<usize>),
    /// An access pattern, by its number, from 1.
    Pattern(Option<u32>),
}

/// What stands in the fields of a form, by name. Rows of a list are `list.0.field`, `list.1.field` and so on.
///
/// Two drafts are equal when the same stands in every field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FormDraft {
    fields: SortedMap<String, String>,
}

/// The outcome of reading a form.
type Read<T = ()> = Result<T, FormRefusal>;

impl FormDraft {
    /// What stands in a field; nothing if it was never filled.
    pub fn get(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    /// Puts a text into a field.
    pub fn set(&mut self, name: &str, text: impl Into<String>) {
        let text = text.into();
        if text.is_empty() {
            self.fields.remove(name);
        } else {
            self.fields.insert(name.to_owned(), text);
        }
    }

    fn is(&self, name: &str) -> bool {
        self.get(name) == "true"
    }

    fn trimmed(&self, name: &str) -> String {
        self.get(name).trim().to_owned()
    }

    /// Rows of a list.
    fn n_rows(&self, list: &str) -> usize {
        self.get(&format!("{list}.n")).parse().unwrap_or(0)
    }

    fn add_row(&mut self, list: &str) -> usize {
        let n = self.n_rows(list);
        self.set(&format!("{list}.n"), (n + 1).to_string());
        n
    }

    fn set_row(&mut self, list: &str, at: usize, field: &str, text: impl Into<String>) {
        self.set(&format!("{list}.{at}.{field}"), text);
    }

    fn row(&self, list: &str, at: usize, field: &str) -> &str {
        self.get(&format!("{list}.{at}.{field}"))
    }

    fn remove_row(&mut self, list: &str, at: usize) {
        let n = self.n_rows(list);
        for (name, text) in std::mem::take(&mut self.fields) {
            let place = name.strip_prefix(list).and_then(|rest| rest.strip_prefix('.'));
            let place = place.and_then(|rest| rest.split_once('.'));
            match place.and_then(|(row, field)| Some((row.parse::<usize>().ok()?, field))) {
                Some((row, _)) if row == at => {}
                Some((row, field)) if row > at => {
                    self.set(&format!("{list}.{}.{field}", row - 1), text);
                }
                _ => self.set(&name, text),
            }
        }
        let left = n.saturating_sub(1);
        self.set(&format!("{list}.n"), if left == 0 { String::new() } else { left.to_string() });
    }
}

impl Session {
    /// What a form holds before anything is typed.
    pub fn form_draft(&self, form: &Form) -> FormDraft {
        match form {
            Form::Table(name) => table::draft(self, name.as_deref()),
            Form::Index { table, name } => index::draft(self, table, name.as_deref()),
            Form::Entity(at) => entity::draft(self, *at),
            Form::Pattern(number) => pattern::draft(self, *number),
        }
    }

    /// The form as it is drawn with what was typed.
    pub fn form_view(&self, form: &Form, draft: &FormDraft) -> FormView {
        match form {
            Form::Table(name) => table::view(self, name.as_deref(), draft),
            Form::Index { table, name } => index::view(self, table, name.as_deref(), draft),
            Form::Entity(at) => entity::view(self, *at, draft),
            Form::Pattern(number) => pattern::view(self, *number, draft),
        }
    }

    /// What a button inside a form does to what was typed: `add attribute`, `remove attribute.2`, and what the form
    /// itself knows.
    pub fn press_in_form(&self, form: &Form, draft: &FormDraft, verb: &str) -> FormDraft {
        let mut next = draft.clone();
        let (act, rest) = verb.split_once(' ').unwrap_or((verb, ""));
        match act {
            "add" => {
                next.add_row(rest);
            }
            "remove" => {
                if let Some((list, at)) = rest.rsplit_once('.')
                    && let Ok(at) = at.parse()
                {
                    next.remove_row(list, at);
                }
            }
            // Into the field that had the focus last, or the first there is.
            "insert" => {
                let to = next.get("at").to_owned();
                let text = format!("{}{rest}", next.get(&to));
                next.set(&to, text);
            }
            _ => {
                if matches!(form, Form::Pattern(_)) {
                    pattern::press(self, &mut next, act);
                }
            }
        }
        next
    }

    /// Does what a form says, as one step of undo.
    ///
    /// # Errors
    /// DynamoDB's refusal or one sentence, and the field it belongs to.
    pub fn apply_form(
        &mut self,
        form: &Form,
        draft: &FormDraft,
        now: i64,
    ) -> Result<(), FormRefusal> {
        match form {
            Form::Table(name) => table::apply(self, name.as_deref(), draft, now),
            Form::Index { table, name } => index::apply(self, table, name.as_deref(), draft, now),
            Form::Entity(at) => entity::apply(self, *at, draft),
            Form::Pattern(number) => pattern::apply(self, *number, draft),
        }
    }

    /// Removes what a form is of, as one step of undo.
    ///
    /// # Errors
    /// DynamoDB's refusal.
    pub fn remove_formed(&mut self, form: &Form, now: i64) -> Result<(), Refusal> {
        match form {
            Form::Table(Some(name)) => self.remove_table(name, now),
            Form::Index { table, name: Some(name) } => index::remove(self, table, name, now),
            Form::Entity(Some(at)) => {
                self.remove_entity(*at);
                Ok(())
            }
            Form::Pattern(Some(number)) => {
                self.remove_pattern(place(*number));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// A pattern's place in the design, from 0.
fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1)
}

fn refuse<T>(field: &str, message: impl Into<String>) -> Read<T> {
    Err(FormRefusal { field: field.to_owned(), message: message.into() })
}

/// A refusal of an edit at the field it belongs to.
fn refused_at(field: &str) -> impl Fn(Refusal) -> FormRefusal {
    move |refusal| FormRefusal { field: field.to_owned(), message: refusal.words() }
}

/// Types a key attribute can have.
fn key_types() -> Vec<(String, String)> {
    choices(&[("S", "S, text"), ("N", "N, number"), ("B", "B, bytes")])
}

fn choices(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(value, words)| ((*value).to_owned(), (*words).to_owned())).collect()
}

/// A name that may be left out stands for itself.
fn same(names: impl IntoIterator<Item = String>) -> Vec<(String, String)> {
    names.into_iter().map(|name| (name.clone(), name)).collect()
}

/// A field with what stands in it.
fn field(draft: &FormDraft, name: &str, label: &str, kind: FieldKind) -> FieldView {
    FieldView {
        name: name.to_owned(),
        label: label.to_owned(),
        kind,
        value: draft.get(name).to_owned(),
        hint: String::new(),
        note: String::new(),
        problem: String::new(),
        is_fixed: false,
    }
}

impl FieldView {
    fn plain(label: &str, kind: FieldKind) -> Self {
        field(&FormDraft::default(), "", label, kind)
    }

    fn heading(label: &str, note: &str) -> Self {
        Self::plain(label, FieldKind::Heading).note(note)
    }

    fn words(label: &str, note: impl Into<String>) -> Self {
        Self::plain(label, FieldKind::Words).note(note)
    }

    fn facts(label: &str, facts: Vec<FactView>) -> Self {
        Self::plain(label, FieldKind::Facts(facts))
    }

    fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    fn problem(mut self, problem: impl Into<String>) -> Self {
        self.problem = problem.into();
        self
    }

    fn fixed(mut self, is_fixed: bool) -> Self {
        self.is_fixed = is_fixed;
        self
    }
}

/// The button that adds a row to a list.
fn add_button(list: &str, words: &str) -> FieldView {
    FieldView::plain("", FieldKind::Actions(vec![(format!("add {list}"), words.to_owned())]))
}

/// A row of a list: its fields, and the button that removes it.
fn list_row(list: &str, at: usize, what: &str, mut fields: Vec<FieldView>) -> FieldView {
    let remove = vec![(format!("remove {list}.{at}"), format!("Remove {what}"))];
    fields.push(FieldView::plain("", FieldKind::Actions(remove)));
    FieldView::plain("", FieldKind::Row(fields))
}

/// A whole number, or nothing where the field is empty.
fn whole<N: std::str::FromStr>(draft: &FormDraft, name: &str, what: &str) -> Read<Option<N>> {
    let text = draft.get(name).trim().replace(',', "");
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse() {
        Ok(n) => Ok(Some(n)),
        Err(_) => refuse(name, format!("{what} is a whole number, not {text}.")),
    }
}

/// A number that is not negative, or nothing where the field is empty.
fn decimal(draft: &FormDraft, name: &str, what: &str) -> Read<Option<f64>> {
    let text = draft.trimmed(name);
    if text.is_empty() {
        return Ok(None);
    }
    let number = serde_json::from_str::<serde_json::Value>(&text).ok().and_then(|it| it.as_f64());
    match number.filter(|it| it.is_finite() && *it >= 0.0) {
        Some(number) => Ok(Some(number)),
        None => refuse(name, format!("{what} is a number such as 2.5, not {text}.")),
    }
}
