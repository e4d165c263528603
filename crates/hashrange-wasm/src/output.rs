//! A reply's JSON text as plain JavaScript objects, and refusals as errors.
//!
//! Invariant: the objects are what `JSON.parse` makes of the text.

use std::cell::RefCell;
use std::fmt;

use hashrange_types::{ApiError, Voice};
use js_sys::{Error, JSON, Object, Reflect};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};
use wasm_bindgen::{JsCast as _, JsValue};

/// Members of an error's body that the error says in its own way.
const OWN_MEMBERS: [&str; 3] = ["__type", "message", "Message"];

/// The objects that a reply's text describes.
///
/// # Errors
/// The text is no JSON, which no reply is.
pub(crate) fn object(text: &str) -> Result<JsValue, JsValue> {
    // Some operations answer nothing at all.
    if text.is_empty() {
        return Ok(Object::new().into());
    }
    // Setting a member of this name would change what the object inherits instead.
    if text.contains("\"__proto__\"") {
        return JSON::parse(text);
    }
    let mut source = serde_json::Deserializer::from_str(text);
    let objects = serde_wasm_bindgen::Serializer::json_compatible();
    Ok(Node(RefCell::new(Some(&mut source))).serialize(&objects)?)
}

/// A refusal as a JavaScript error: `name` is the exception, `status` and `body` what the endpoint would send,
/// `$metadata` and `$fault` as the AWS SDK has them; what else the body holds becomes members too.
pub(crate) fn thrown(error: &ApiError, voice: &Voice) -> JsValue {
    let encoded = hashrange_wire::encode_error(error, voice);
    let thrown = Error::new(&error.message(voice));
    thrown.set_name(error.name());
    let body = JSON::parse(&encoded.body).unwrap_or_default();
    for name in Object::keys(body.unchecked_ref::<Object>()).iter() {
        let text = name.as_string().unwrap_or_default();
        if !OWN_MEMBERS.contains(&text.as_str()) {
            set(&thrown, &text, &Reflect::get(&body, &name).unwrap_or_default());
        }
    }
    let status = encoded.status.into();
    let metadata = Object::new();
    set(&metadata, "httpStatusCode", &status);
    set(&thrown, "$metadata", &metadata);
    let fault = if encoded.status < 500 { "client" } else { "server" };
    set(&thrown, "$fault", &fault.into());
    set(&thrown, "status", &status);
    set(&thrown, "body", &encoded.body.as_str().into());
    thrown.into()
}

/// Sets a member of an object made here.
pub(crate) fn set(object: &JsValue, name: &str, value: &JsValue) {
    let is_set = Reflect::set(object, &name.into(), value);
    debug_assert!(is_set.is_ok(), "a new object takes any member");
}

/// A value that is read while it is written, so that no tree stands between text and objects.
struct Node<D>(RefCell<Option<D>>);

impl<'de, D: Deserializer<'de>> Serialize for Node<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let source = self.0.take().expect("a value is written once");
        source.deserialize_any(Copy(serializer)).map_err(S::Error::custom)
    }
}

/// Writes what it is shown.
struct Copy<S>(S);

impl<'de, S: Serializer> Visitor<'de> for Copy<S> {
    type Value = S::Ok;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<S::Ok, E> {
        self.0.serialize_unit().map_err(E::custom)
    }

    fn visit_bool<E: serde::de::Error>(self, truth: bool) -> Result<S::Ok, E> {
        self.0.serialize_bool(truth).map_err(E::custom)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<S::Ok, E> {
        self.0.serialize_i64(number).map_err(E::custom)
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<S::Ok, E> {
        self.0.serialize_u64(number).map_err(E::custom)
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<S::Ok, E> {
        self.0.serialize_f64(number).map_err(E::custom)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<S::Ok, E> {
        self.0.serialize_str(text).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<S::Ok, A::Error> {
        let mut list = self.0.serialize_seq(None).map_err(A::Error::custom)?;
        while access.next_element_seed(Element(&mut list))?.is_some() {}
        list.end().map_err(A::Error::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<S::Ok, A::Error> {
        let mut object = self.0.serialize_map(None).map_err(A::Error::custom)?;
        while access.next_key_seed(Name(&mut object))?.is_some() {
            access.next_value_seed(Member(&mut object))?;
        }
        object.end().map_err(A::Error::custom)
    }
}

struct Element<'s, L>(&'s mut L);
struct Name<'s, O>(&'s mut O);
struct Member<'s, O>(&'s mut O);

impl<'de, L: SerializeSeq> DeserializeSeed<'de> for Element<'_, L> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        self.0.serialize_element(&Node(RefCell::new(Some(source)))).map_err(D::Error::custom)
    }
}

impl<'de, O: SerializeMap> DeserializeSeed<'de> for Name<'_, O> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        self.0.serialize_key(&Node(RefCell::new(Some(source)))).map_err(D::Error::custom)
    }
}

impl<'de, O: SerializeMap> DeserializeSeed<'de> for Member<'_, O> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        self.0.serialize_value(&Node(RefCell::new(Some(source)))).map_err(D::Error::custom)
    }
}
