//! A 64-bit fingerprint of what a transaction asks for, to tell a repeated request from another one.
//!
//! Invariant: requests that are equal as DynamoDB means it (the order of attributes, of a set's members and of
//! substitutions does not matter, nor does the spelling of numbers) have the same fingerprint. What only
//! shapes the reply, such as ReturnConsumedCapacity, is no part of it.
//!
//! FNV-1a with Murmur's 64-bit finaliser, over bytes alone, so that it is the same on every machine.

use hashrange_types::operation::{ParameterizedStatement, TransactAction, TransactWriteItem};
use hashrange_types::{AttributeValue, Item};

/// The fingerprint of a transaction's elements, in their order.
pub(crate) fn fingerprint(items: &[TransactWriteItem]) -> u64 {
    let mut print = Print::default();
    for item in items {
        print.number(of_element(item));
    }
    print.finish()
}

/// The fingerprint of PartiQL statements and their parameters, in their order.
pub(crate) fn statements_fingerprint(statements: &[ParameterizedStatement]) -> u64 {
    let mut print = Print::default();
    for statement in statements {
        print.text(&statement.statement);
        for value in statement.parameters.iter().flatten() {
            print.number(of_value(value));
        }
    }
    print.finish()
}

fn of_element(item: &TransactWriteItem) -> u64 {
    let mut print = Print::default();
    print.text(item.action.name());
    print.text(item.table.name.as_str());
    if let Ok(content) = item.action.item() {
        print.number(of_item(content));
    }
    if let TransactAction::Update { update_expression, .. } = &item.action {
        print.text(update_expression);
    }
    print.text(item.condition_expression.as_deref().unwrap_or_default());
    let names = item.names.iter().flatten();
    print.number(unordered(names.map(|(token, name)| {
        let mut print = Print::default();
        print.text(token);
        print.text(name);
        print.finish()
    })));
    let values = item.values.iter().flatten();
    print.number(unordered(values.filter_map(|(token, value)| {
        let mut print = Print::default();
        print.text(token);
        print.number(of_value(value.as_ref().ok()?));
        Some(print.finish())
    })));
    print.bytes(&[u8::from(item.returns_item_on_failure)]);
    print.finish()
}

fn of_item(item: &Item) -> u64 {
    unordered(item.iter().map(|(name, value)| of_entry(name.as_str(), value)))
}

fn of_entry(name: &str, value: &AttributeValue) -> u64 {
    let mut print = Print::default();
    print.text(name);
    print.number(of_value(value));
    print.finish()
}

fn of_value(value: &AttributeValue) -> u64 {
    let mut print = Print::default();
    print.text(value.tag());
    match value {
        AttributeValue::S(text) => print.text(text),
        AttributeValue::N(number) => print.number(of_number(*number)),
        AttributeValue::B(bytes) => print.bytes(bytes),
        AttributeValue::Bool(truth) => print.bytes(&[u8::from(*truth)]),
        AttributeValue::Null => {}
        AttributeValue::L(values) => values.iter().for_each(|value| print.number(of_value(value))),
        AttributeValue::M(entries) => {
            print.number(unordered(entries.iter().map(|(name, value)| of_entry(name, value))));
        }
        AttributeValue::Ss(set) => {
            print.number(unordered(set.members().iter().map(|text| of_bytes(text.as_bytes()))));
        }
        AttributeValue::Ns(set) => {
            print.number(unordered(set.members().iter().map(|number| of_number(*number))));
        }
        AttributeValue::Bs(set) => {
            print.number(unordered(set.members().iter().map(|bytes| of_bytes(bytes))));
        }
    }
    print.finish()
}

fn of_number(number: hashrange_types::Number) -> u64 {
    let mut bytes = Vec::new();
    number.push_sortable(&mut bytes);
    of_bytes(&bytes)
}

fn of_bytes(bytes: &[u8]) -> u64 {
    let mut print = Print::default();
    print.bytes(bytes);
    print.finish()
}

/// The same for any order of the parts.
fn unordered(parts: impl Iterator<Item = u64>) -> u64 {
    parts.fold(0, u64::wrapping_add)
}

/// A fingerprint being taken.
struct Print(u64);

impl Default for Print {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Print {
    /// Adds bytes and their number, so that what follows cannot be taken for more of them.
    fn bytes(&mut self, bytes: &[u8]) {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
        self.number(length);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn number(&mut self, number: u64) {
        for shift in (0..64).step_by(8) {
            self.0 = (self.0 ^ ((number >> shift) & 0xFF)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    const fn finish(&self) -> u64 {
        let mut hash = self.0;
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        hash = (hash ^ (hash >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        hash ^ (hash >> 33)
    }
}
