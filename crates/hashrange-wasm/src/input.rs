//! A JavaScript object as JSON text, as `JSON.stringify` would write it.
//!
//! Members that are `undefined` are left out, bytes become base64, and numbers that JSON can't say become
//! `null`.
//!
//! Invariant: whatever the object, this ends: an object that contains itself is given up at
//! [`LEVELS_MAX`]. A getter that throws goes through to whoever called; nothing is borrowed meanwhile.
//!
//! Not here: what the text means (`hashrange-wire`).

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserializer as _, Error as _, MapAccess, SeqAccess, Visitor};
use wasm_bindgen::JsValue;

/// Most levels of nesting written; the wire reads fewer.
const LEVELS_MAX: usize = 128;

/// The object's JSON text. One that nests too deep becomes a text that the wire refuses for its depth.
///
/// # Errors
/// A value JSON has no word for, such as a `Set` or a function.
pub(crate) fn text(object: JsValue) -> Result<String, serde_wasm_bindgen::Error> {
    let mut out = Vec::with_capacity(1_024);
    let mut is_too_deep = false;
    let node = Node { out: &mut out, is_too_deep: &mut is_too_deep, level: 0 };
    let written = node.write(object);
    if is_too_deep {
        return Ok("[".repeat(LEVELS_MAX) + &"]".repeat(LEVELS_MAX));
    }
    written?;
    Ok(String::from_utf8(out).expect("serde_json and base64 write text"))
}

/// Where the next value is written.
struct Node<'t> {
    out: &'t mut Vec<u8>,
    is_too_deep: &'t mut bool,
    level: usize,
}

impl Node<'_> {
    fn write(mut self, value: JsValue) -> Result<(), serde_wasm_bindgen::Error> {
        // Most values are text; asking for that first saves four questions to JavaScript.
        match value.as_string() {
            Some(text) => {
                self.string(&text);
                Ok(())
            }
            None => serde_wasm_bindgen::Deserializer::from(value).deserialize_any(self),
        }
    }

    fn inner<E: serde::de::Error>(&mut self) -> Result<Node<'_>, E> {
        if self.level == LEVELS_MAX {
            *self.is_too_deep = true;
            return Err(E::custom("too deep"));
        }
        Ok(Node { out: self.out, is_too_deep: self.is_too_deep, level: self.level + 1 })
    }

    fn word(self, word: &str) {
        self.out.extend_from_slice(word.as_bytes());
    }

    fn string(&mut self, text: &str) {
        serde_json::to_writer(&mut *self.out, text).expect("a Vec takes all text");
    }
}

/// A value of an object or a list, before it is known what it is.
#[derive(serde::Deserialize)]
struct Value(#[serde(with = "serde_wasm_bindgen::preserve")] JsValue);

impl<'de> Visitor<'de> for Node<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object, a list, text, a number, a boolean, null or bytes")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.word("null");
        Ok(())
    }

    fn visit_bool<E>(self, truth: bool) -> Result<(), E> {
        self.word(if truth { "true" } else { "false" });
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.word(&number.to_string());
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.word(&number.to_string());
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        if number.is_finite() {
            self.word(&format!("{number:?}"));
        } else {
            self.word("null");
        }
        Ok(())
    }

    fn visit_byte_buf<E>(mut self, bytes: Vec<u8>) -> Result<(), E> {
        self.string(&STANDARD.encode(bytes));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        self.out.push(b'[');
        while let Some(Value(value)) = list.next_element()? {
            self.inner()?.write(value).map_err(A::Error::custom)?;
            self.out.push(b',');
        }
        end(self.out, b']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut object: A) -> Result<(), A::Error> {
        self.out.push(b'{');
        while let Some(name) = object.next_key::<String>()? {
            let Value(value) = object.next_value()?;
            if value.is_undefined() {
                continue;
            }
            self.string(&name);
            self.out.push(b':');
            self.inner()?.write(value).map_err(A::Error::custom)?;
            self.out.push(b',');
        }
        end(self.out, b'}');
        Ok(())
    }
}

/// Closes a list or an object in place of the last comma.
fn end(out: &mut Vec<u8>, bracket: u8) {
    out.pop_if(|last| *last == b',');
    out.push(bracket);
}
