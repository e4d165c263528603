//! `Fields`: the members of one object of our own documents, written and read by one description.
//!
//! A description is a function that names each part of a value once. With `Fields` that write, it shows what
//! the value holds; with `Fields` that read, it sets it.
//!
//! Invariant: what a description writes, it reads back equal. Reading sets every part that is named: what is
//! absent becomes none, empty or false. A member that nothing names is an error, for it would be lost.
//!
//! Not here: DynamoDB's own objects, which have complaints of their own ([`crate::members`]).

use std::borrow::Cow;

use hashrange_types::Timestamp;
use smol_str::SmolStr;

use crate::json::Json;
use crate::writer::Writer;

/// Names each part of a `T`.
pub(crate) type Describe<T> = fn(&mut T, &mut Fields<'_>);

/// The members of one object.
pub(crate) struct Fields<'j> {
    members: Vec<(Cow<'j, str>, Json<'j>)>,
    is_writing: bool,
    /// Path to the first member that is missing, wrong or unknown.
    wrong: Option<String>,
}

/// What `describe` shows of the value, as an object.
pub(crate) fn written<T>(value: &mut T, describe: Describe<T>) -> Json<'static> {
    object(&mut |fields| describe(value, fields))
}

/// Sets what `describe` names from an object.
///
/// # Errors
/// The path to the first member that is missing, wrong or unknown; empty where this is no object.
pub(crate) fn read<T>(json: Json<'_>, value: &mut T, describe: Describe<T>) -> Result<(), String> {
    parse(json, &mut |fields| describe(value, fields))
}

/// Writes a tree that a description made.
pub(crate) fn print(writer: &mut Writer, json: &Json<'_>) {
    match json {
        Json::Bool(truth) => writer.boolean(*truth),
        Json::Integer(number) => writer.signed(*number),
        Json::Text(text) => writer.text(text),
        Json::List(elements) => writer.list(elements, print),
        Json::Object(members) => writer.object(|object| {
            for (name, value) in members {
                print(object.member(name), value);
            }
        }),
        Json::Null | Json::Decimal(_) => unreachable!("no description writes it"),
    }
}

fn object(describe: &mut dyn FnMut(&mut Fields<'static>)) -> Json<'static> {
    let mut fields = Fields { members: Vec::new(), is_writing: true, wrong: None };
    describe(&mut fields);
    Json::Object(fields.members)
}

fn parse<'j>(json: Json<'j>, describe: &mut dyn FnMut(&mut Fields<'j>)) -> Result<(), String> {
    let Json::Object(members) = json else { return Err(String::new()) };
    let mut fields = Fields { members, is_writing: false, wrong: None };
    describe(&mut fields);
    let unknown = fields.members.iter().find(|(_, value)| !value.is_null());
    match fields.wrong.or_else(|| unknown.map(|(name, _)| name.to_string())) {
        Some(path) => Err(path),
        None => Ok(()),
    }
}

impl<'j> Fields<'j> {
    fn set(&mut self, name: &'static str, json: Json<'static>) {
        self.members.push((Cow::Borrowed(name), json));
    }

    fn take(&mut self, name: &str) -> Option<Json<'j>> {
        let (_, value) = self.members.iter_mut().find(|(other, _)| other == name)?;
        Some(std::mem::take(value)).filter(|value| !value.is_null())
    }

    /// Says that a member is missing or wrong.
    pub(crate) fn complain(&mut self, name: &str) {
        self.wrong.get_or_insert_with(|| name.to_owned());
    }

    fn complain_within(&mut self, name: &str, rest: &str) {
        let path = if rest.is_empty() { name.to_owned() } else { format!("{name}.{rest}") };
        self.complain(&path);
    }

    /// A whole number, or none.
    pub(crate) fn maybe_whole(&mut self, name: &'static str, slot: &mut Option<i64>) {
        if self.is_writing {
            if let Some(number) = *slot {
                self.set(name, Json::Integer(number));
            }
            return;
        }
        *slot = None;
        match self.take(name) {
            None => {}
            Some(Json::Integer(number)) => *slot = Some(number),
            Some(_) => self.complain(name),
        }
    }

    /// A whole number.
    pub(crate) fn whole(&mut self, name: &'static str, slot: &mut i64) {
        let mut number = Some(*slot);
        self.maybe_whole(name, &mut number);
        match number {
            Some(number) => *slot = number,
            None => self.complain(name),
        }
    }

    /// A number of things; more than 2^63 of them do not occur.
    pub(crate) fn count(&mut self, name: &'static str, slot: &mut u64) {
        let mut number = i64::try_from(*slot).unwrap_or(i64::MAX);
        self.whole(name, &mut number);
        match u64::try_from(number) {
            Ok(number) => *slot = number,
            Err(_) => self.complain(name),
        }
    }

    /// A small number of things.
    pub(crate) fn small_count(&mut self, name: &'static str, slot: &mut u32) {
        let mut number = u64::from(*slot);
        self.count(name, &mut number);
        match u32::try_from(number) {
            Ok(number) => *slot = number,
            Err(_) => self.complain(name),
        }
    }

    /// Small numbers in order.
    pub(crate) fn small_counts(&mut self, name: &'static str, slot: &mut Vec<u32>) {
        let mut numbers: Vec<i64> = slot.iter().copied().map(i64::from).collect();
        self.wholes(name, &mut numbers);
        slot.clear();
        for number in numbers {
            match u32::try_from(number) {
                Ok(number) => slot.push(number),
                Err(_) => self.complain(name),
            }
        }
    }

    /// Whole numbers in order.
    pub(crate) fn wholes(&mut self, name: &'static str, slot: &mut Vec<i64>) {
        if self.is_writing {
            if !slot.is_empty() {
                self.set(name, Json::List(slot.iter().copied().map(Json::Integer).collect()));
            }
            return;
        }
        slot.clear();
        for element in self.elements(name) {
            match element {
                Json::Integer(number) => slot.push(number),
                _ => self.complain(name),
            }
        }
    }

    /// A moment, in microseconds since 1970.
    pub(crate) fn time(&mut self, name: &'static str, slot: &mut Timestamp) {
        self.whole(name, &mut slot.0);
    }

    /// A moment, or none.
    pub(crate) fn maybe_time(&mut self, name: &'static str, slot: &mut Option<Timestamp>) {
        let mut number = slot.map(|time| time.0);
        self.maybe_whole(name, &mut number);
        *slot = number.map(Timestamp);
    }

    /// True or, where it is absent, false.
    pub(crate) fn flag(&mut self, name: &'static str, slot: &mut bool) {
        if self.is_writing {
            if *slot {
                self.set(name, Json::Bool(true));
            }
            return;
        }
        *slot = false;
        match self.take(name) {
            None => {}
            Some(Json::Bool(truth)) => *slot = truth,
            Some(_) => self.complain(name),
        }
    }

    /// A text, or none.
    pub(crate) fn maybe_text(&mut self, name: &'static str, slot: &mut Option<SmolStr>) {
        if self.is_writing {
            if let Some(text) = slot {
                self.set(name, Json::Text(Cow::Owned(text.to_string())));
            }
            return;
        }
        *slot = None;
        match self.take(name) {
            None => {}
            Some(Json::Text(text)) => *slot = Some(SmolStr::new(text)),
            Some(_) => self.complain(name),
        }
    }

    /// A text.
    pub(crate) fn text(&mut self, name: &'static str, slot: &mut SmolStr) {
        let mut text = Some(slot.clone());
        self.maybe_text(name, &mut text);
        match text {
            Some(text) => *slot = text,
            None => self.complain(name),
        }
    }

    /// Texts in order.
    pub(crate) fn texts(&mut self, name: &'static str, slot: &mut Vec<SmolStr>) {
        if self.is_writing {
            if !slot.is_empty() {
                let texts = slot.iter().map(|text| Json::Text(Cow::Owned(text.to_string())));
                self.set(name, Json::List(texts.collect()));
            }
            return;
        }
        slot.clear();
        for element in self.elements(name) {
            match element {
                Json::Text(text) => slot.push(SmolStr::new(text)),
                _ => self.complain(name),
            }
        }
    }

    /// A name that `new` checks, or none.
    pub(crate) fn maybe_name<T: AsRef<str>>(
        &mut self,
        name: &'static str,
        slot: &mut Option<T>,
        new: fn(&str) -> Option<T>,
    ) {
        let mut text = slot.as_ref().map(|slot| SmolStr::new(slot.as_ref()));
        self.maybe_text(name, &mut text);
        *slot = text.as_ref().and_then(|text| new(text));
        if slot.is_some() != text.is_some() {
            self.complain(name);
        }
    }

    /// A name that `new` checks.
    pub(crate) fn name<T: AsRef<str>>(
        &mut self,
        name: &'static str,
        slot: &mut T,
        new: fn(&str) -> Option<T>,
    ) {
        let mut text = SmolStr::new(slot.as_ref());
        self.text(name, &mut text);
        match new(&text) {
            Some(new) => *slot = new,
            None => self.complain(name),
        }
    }

    /// One of `all`, each with its word, or none.
    pub(crate) fn maybe_word<T: Copy + PartialEq>(
        &mut self,
        name: &'static str,
        slot: &mut Option<T>,
        all: &[(&'static str, T)],
    ) {
        let spelled = slot.and_then(|slot| all.iter().find(|(_, value)| *value == slot));
        let mut text = spelled.map(|(word, _)| SmolStr::new_static(word));
        self.maybe_text(name, &mut text);
        let found = text.as_ref().map(|text| all.iter().find(|(word, _)| word == text));
        *slot = found.flatten().map(|(_, value)| *value);
        if found.is_some() && slot.is_none() {
            self.complain(name);
        }
    }

    /// One of `all`, each with its word.
    pub(crate) fn word<T: Copy + PartialEq>(
        &mut self,
        name: &'static str,
        slot: &mut T,
        all: &[(&'static str, T)],
    ) {
        let mut word = Some(*slot);
        self.maybe_word(name, &mut word, all);
        match word {
            Some(word) => *slot = word,
            None => self.complain(name),
        }
    }

    /// An object.
    pub(crate) fn object<T>(&mut self, name: &'static str, slot: &mut T, describe: Describe<T>) {
        if self.is_writing {
            self.set(name, written(slot, describe));
            return;
        }
        let json = self.take(name).unwrap_or_default();
        self.read_into(name, json, slot, describe);
    }

    /// An object, or none. Reading starts from `empty`.
    pub(crate) fn maybe_object<T>(
        &mut self,
        name: &'static str,
        slot: &mut Option<T>,
        mut empty: T,
        describe: Describe<T>,
    ) {
        if self.is_writing {
            if let Some(slot) = slot {
                self.set(name, written(slot, describe));
            }
            return;
        }
        *slot = None;
        if let Some(json) = self.take(name) {
            self.read_into(name, json, &mut empty, describe);
            *slot = Some(empty);
        }
    }

    /// Objects in order. Reading starts each from `empty`.
    pub(crate) fn objects<T: Clone>(
        &mut self,
        name: &'static str,
        slot: &mut Vec<T>,
        empty: &T,
        describe: Describe<T>,
    ) {
        if self.is_writing {
            if !slot.is_empty() {
                let elements = slot.iter_mut().map(|element| written(element, describe));
                self.set(name, Json::List(elements.collect()));
            }
            return;
        }
        slot.clear();
        for json in self.elements(name) {
            let mut element = empty.clone();
            self.read_into(name, json, &mut element, describe);
            slot.push(element);
        }
    }

    fn elements(&mut self, name: &str) -> Vec<Json<'j>> {
        match self.take(name) {
            None => Vec::new(),
            Some(Json::List(elements)) => elements,
            Some(_) => {
                self.complain(name);
                Vec::new()
            }
        }
    }

    fn read_into<T>(&mut self, name: &str, json: Json<'j>, slot: &mut T, describe: Describe<T>) {
        if let Err(rest) = read(json, slot, describe) {
            self.complain_within(name, &rest);
        }
    }
}
