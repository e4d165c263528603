//! Writing JSON straight into a string: objects, scalars, attribute values and items.
//!
//! Invariant: what is written is JSON as long as every `object` and `list` closure writes only through the
//! writer it is handed.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hashrange_types::{AttributeValue, CapacityUnits, Item, Number, Timestamp, Voice};

/// The account that owns everything here.
const ACCOUNT: &str = "000000000000";

/// A JSON text being written.
#[derive(Debug)]
pub(crate) struct Writer {
    out: String,
    /// How the database speaks.
    voice: Voice,
}

impl Default for Writer {
    fn default() -> Self {
        Self::with_room(0)
    }
}

/// The members of the object being written; puts the commas.
#[derive(Debug)]
pub(crate) struct ObjectWriter<'w> {
    writer: &'w mut Writer,
    is_first: bool,
}

impl Writer {
    pub(crate) fn with_room(bytes: usize) -> Self {
        Self { out: String::with_capacity(bytes), voice: Voice::default() }
    }

    /// A writer that goes on after `text`.
    pub(crate) fn onto(text: String) -> Self {
        Self { out: text, voice: Voice::default() }
    }

    /// The same writer for a database with another voice.
    pub(crate) fn in_voice(mut self, voice: &Voice) -> Self {
        self.voice = voice.clone();
        self
    }

    pub(crate) fn finish(self) -> String {
        self.out
    }

    /// Writes an object whose members `members` writes.
    pub(crate) fn object(&mut self, members: impl FnOnce(&mut ObjectWriter)) {
        self.out.push('{');
        members(&mut ObjectWriter { writer: self, is_first: true });
        self.out.push('}');
    }

    /// Writes a list with one element for each of `elements`.
    pub(crate) fn list<T>(
        &mut self,
        elements: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.out.push('[');
        for (index, element) in elements.into_iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write(self, element);
        }
        self.out.push(']');
    }

    /// Writes a string, escaping what JSON must.
    pub(crate) fn text(&mut self, text: &str) {
        self.out.push('"');
        if text.bytes().any(needs_escape) {
            self.escaped(text);
        } else {
            self.out.push_str(text);
        }
        self.out.push('"');
    }

    fn escaped(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.bytes().position(needs_escape) {
            self.out.push_str(&rest[..at]);
            match rest.as_bytes()[at] {
                b'"' => self.out.push_str("\\\""),
                b'\\' => self.out.push_str("\\\\"),
                b'\n' => self.out.push_str("\\n"),
                b'\r' => self.out.push_str("\\r"),
                b'\t' => self.out.push_str("\\t"),
                control => {
                    write!(self.out, "\\u{control:04x}").expect("a String takes all text");
                }
            }
            rest = &rest[at + 1..];
        }
        self.out.push_str(rest);
    }

    pub(crate) fn boolean(&mut self, truth: bool) {
        self.out.push_str(if truth { "true" } else { "false" });
    }

    pub(crate) fn integer(&mut self, number: u64) {
        write!(self.out, "{number}").expect("a String takes all text");
    }

    /// Writes a whole number that may be negative.
    pub(crate) fn signed(&mut self, number: i64) {
        write!(self.out, "{number}").expect("a String takes all text");
    }

    /// Writes a number with at least one decimal.
    pub(crate) fn decimal(&mut self, number: f64) {
        write!(self.out, "{number:?}").expect("a String takes all text");
    }

    /// Writes capacity units: `0.5`, `1.0`.
    pub(crate) fn units(&mut self, units: CapacityUnits) {
        let halves = units.as_halves();
        let tenths = if halves % 2 == 1 { 5 } else { 0 };
        write!(self.out, "{}.{tenths}", halves / 2).expect("a String takes all text");
    }

    /// Writes a number the way attribute values carry it: as a string.
    fn number(&mut self, number: Number) {
        write!(self.out, "\"{number}\"").expect("a String takes all text");
    }

    /// Writes bytes as base64.
    fn bytes(&mut self, bytes: &[u8]) {
        self.out.push('"');
        STANDARD.encode_string(bytes, &mut self.out);
        self.out.push('"');
    }

    /// Writes `{"S": …}` and its like.
    pub(crate) fn value(&mut self, value: &AttributeValue) {
        self.out.push_str("{\"");
        self.out.push_str(value.tag());
        self.out.push_str("\":");
        match value {
            AttributeValue::S(text) => self.text(text),
            AttributeValue::N(number) => self.number(*number),
            AttributeValue::B(bytes) => self.bytes(bytes),
            AttributeValue::Bool(truth) => self.boolean(*truth),
            AttributeValue::Null => self.boolean(true),
            AttributeValue::L(values) => self.list(values, Self::value),
            AttributeValue::M(entries) => self.object(|object| {
                for (name, value) in entries {
                    object.member(name).value(value);
                }
            }),
            AttributeValue::Ss(set) => self.list(set.members(), |w, text| w.text(text)),
            AttributeValue::Ns(set) => self.list(set.members(), |w, number| w.number(*number)),
            AttributeValue::Bs(set) => self.list(set.members(), |w, bytes| w.bytes(bytes)),
        }
        self.out.push('}');
    }

    /// Writes an item or a key.
    pub(crate) fn item(&mut self, item: &Item) {
        self.object(|object| {
            for (name, value) in item {
                object.member(name.as_str()).value(value);
            }
        });
    }
}

impl ObjectWriter<'_> {
    /// The ARN of the resource with this path, such as `table/Orders`.
    pub(crate) fn arn_of(&self, path: &str) -> String {
        format!("arn:aws:dynamodb:{}:{ACCOUNT}:{path}", self.writer.voice.region)
    }

    /// Writes the ARN of the resource with this path.
    pub(crate) fn arn(&mut self, name: &str, path: &str) {
        let arn = self.arn_of(path);
        self.text(name, &arn);
    }

    /// The ARN of a key for encryption: what a request named, whole or in its Region.
    pub(crate) fn key_arn(&mut self, name: &str, key: &str) {
        if key.starts_with("arn:") {
            return self.text(name, key);
        }
        let arn = format!("arn:aws:kms:{}:{ACCOUNT}:{key}", self.writer.voice.region);
        self.text(name, &arn);
    }

    /// How the database speaks.
    pub(crate) fn voice(&self) -> &Voice {
        &self.writer.voice
    }

    /// Writes a moment as DynamoDB does: seconds since the epoch, to the millisecond.
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of this era fit 53 bits")]
    pub(crate) fn time(&mut self, name: &str, time: Timestamp) {
        self.member(name).decimal(time.0.div_euclid(1_000) as f64 / 1_000.0);
    }

    /// Writes the name of the next member; its value must follow.
    pub(crate) fn member(&mut self, name: &str) -> &mut Writer {
        if !std::mem::replace(&mut self.is_first, false) {
            self.writer.out.push(',');
        }
        self.writer.text(name);
        self.writer.out.push(':');
        self.writer
    }

    pub(crate) fn text(&mut self, name: &str, text: &str) {
        self.member(name).text(text);
    }

    /// Writes an item, if there is one.
    pub(crate) fn item(&mut self, name: &str, item: Option<&Item>) {
        if let Some(item) = item {
            self.member(name).item(item);
        }
    }
}

const fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(write: impl FnOnce(&mut Writer)) -> String {
        let mut writer = Writer::default();
        write(&mut writer);
        writer.finish()
    }

    #[test]
    fn what_json_cannot_hold_is_escaped_and_the_rest_is_not() {
        assert_eq!(written(|w| w.text("a\"b\\c\n\u{1}é/")), "\"a\\\"b\\\\c\\n\\u0001é/\"");
    }

    #[test]
    fn units_always_have_one_decimal() {
        assert_eq!(written(|w| w.units(CapacityUnits::halves(1))), "0.5");
        assert_eq!(written(|w| w.units(CapacityUnits::whole(1))), "1.0");
        assert_eq!(written(|w| w.units(CapacityUnits::ZERO)), "0.0");
    }

    #[test]
    fn commas_stand_between_members_and_elements_only() {
        let text = written(|w| {
            w.object(|object| {
                object.member("a").list([1, 2], Writer::integer);
                object.member("b").list([0_u64; 0], Writer::integer);
                object.member("c").object(|_| {});
            });
        });
        assert_eq!(text, r#"{"a":[1,2],"b":[],"c":{}}"#);
    }

    proptest! {
        #[test]
        fn any_text_reads_back_as_it_was(text in any::<String>()) {
            let written = written(|w| w.text(&text));
            prop_assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        }
    }
}
