//! What an engine is made with.
//!
//! Invariant: an option nobody knows and a value nobody offers are refused, each in one sentence.

use hashrange_storage::Delays;
use hashrange_types::Voice;
use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};

use crate::input;

/// The options of an engine; without any, its tables are ready at once and its voice is the default.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) delays: Delays,
    pub(crate) voice: Voice,
    /// The scenario to simulate, as JSON; none for a database at the page's time.
    pub(crate) scenario: Option<String>,
}

impl Options {
    /// Reads them from an object such as `{ region: 'eu-west-2' }`, or from nothing.
    ///
    /// # Errors
    /// The sentence that says which option is wrong.
    pub(crate) fn read(given: &JsValue) -> Result<Self, String> {
        let mut options = Self { delays: Delays::INSTANT, voice: Voice::default(), scenario: None };
        if given.is_undefined() || given.is_null() {
            return Ok(options);
        }
        if !given.is_object() {
            return Err("the options must be an object, such as { delays: 'short' }".to_owned());
        }
        for name in Object::keys(given.unchecked_ref::<Object>()).iter() {
            let value = Reflect::get(given, &name).unwrap_or_default();
            if value.is_undefined() {
                continue;
            }
            let name = name.as_string().unwrap_or_default();
            if name == "simulate" {
                let text = input::text(value).map_err(|error| format!("simulate: {error}"))?;
                options.scenario = Some(text);
                continue;
            }
            let text = value.as_string().ok_or_else(|| format!("{name} must be text"))?;
            options.set(&name, &text)?;
        }
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "delays" => self.delays = delays(value)?,
            "region" => self.voice.region = region(value)?.into(),
            "wording" => {
                self.voice.wording = value.parse().map_err(|error| format!("{name}: {error}"))?;
            }
            _ => {
                return Err(format!(
                    "there is no option {name}: the options are delays, region, simulate and wording"
                ));
            }
        }
        Ok(())
    }
}

fn delays(text: &str) -> Result<Delays, String> {
    match text {
        "instant" => Ok(Delays::INSTANT),
        "short" => Ok(Delays::SHORT),
        "measured" => Ok(Delays::MEASURED),
        _ => Err(format!("delays is instant, short or measured; not {text}")),
    }
}

fn region(text: &str) -> Result<&str, String> {
    let is_nameable = (1..=32).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    is_nameable.then_some(text).ok_or_else(|| {
        format!("region is lower-case letters, digits and hyphens, such as eu-west-2; not {text}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_nobody_offers_is_refused_in_one_sentence() {
        let mut options =
            Options { delays: Delays::INSTANT, voice: Voice::default(), scenario: None };
        for (name, value, sentence) in [
            ("delays", "slow", "delays is instant, short or measured; not slow"),
            (
                "wording",
                "1999",
                "wording: there is no wording 1999: choose 2026-05 or 2026-07, which is today's",
            ),
            (
                "speed",
                "1",
                "there is no option speed: the options are delays, region, simulate and wording",
            ),
        ] {
            assert_eq!(options.set(name, value), Err(sentence.to_owned()));
        }
        for text in ["", "EU", "a b", "a:b", &"a".repeat(33)] {
            assert!(options.set("region", text).is_err(), "{text}");
        }
        for (name, value) in [("delays", "short"), ("region", "eu-west-2"), ("wording", "2026-05")]
        {
            assert_eq!(options.set(name, value), Ok(()));
        }
        assert_eq!(options.voice.wording.name(), "2026-05");
    }
}
