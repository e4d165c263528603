//! A JSON value and where it stands, so that what is wrong with it is said in one sentence.
//!
//! Not here: which members a document has (`settings_document`, `scenario`).

use std::fmt;
use std::ops::RangeInclusive;

use hashrange_types::Timestamp;
use serde_json::{Map, Value};

/// Most milliseconds that anything takes or waits: a year.
const MS_MAX: i64 = 366 * 24 * 3_600_000;
/// Most seconds that a part of a load lasts: 31 days.
const SECONDS_MAX: f64 = 2_678_400.0;
/// Letters of a wrong value that are shown.
const SHOWN_MAX: usize = 40;

/// What is wrong with a scenario: one sentence that names the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioError(pub(crate) String);

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ScenarioError {}

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Node<'v> {
    /// Such as `settings.cap.rcu`; empty for the document itself.
    pub(crate) path: String,
    pub(crate) value: &'v Value,
}

impl<'v> Node<'v> {
    /// The error that it is not what was wanted.
    pub(crate) fn not(&self, wanted: &str) -> ScenarioError {
        let mut shown = self.value.to_string();
        if let Some((cut, _)) = shown.char_indices().nth(SHOWN_MAX) {
            shown.truncate(cut);
            shown.push('…');
        }
        let path = if self.path.is_empty() { "the scenario" } else { &self.path };
        ScenarioError(format!("{path} must be {wanted}, not {shown}"))
    }

    /// The error that a member does not exist.
    pub(crate) fn unknown(&self, what: &str, names: &[&str]) -> ScenarioError {
        let path = &self.path;
        ScenarioError(format!("there is no {what} {path}: choose from {}", names.join(", ")))
    }

    /// The error that a member is missing.
    pub(crate) fn lacks(&self, name: &str) -> ScenarioError {
        ScenarioError(format!("{} is missing", self.path_of(name)))
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn object(&self) -> Result<&'v Map<String, Value>, ScenarioError> {
        self.value.as_object().ok_or_else(|| self.not("an object"))
    }

    /// The members of an object.
    pub(crate) fn members(&self) -> Result<Vec<(&'v str, Node<'v>)>, ScenarioError> {
        let members = self.object()?.iter();
        Ok(members
            .map(|(name, value)| (name.as_str(), Node { path: self.path_of(name), value }))
            .collect())
    }

    /// The members of an object, to take one after the other.
    pub(crate) fn open(&self) -> Result<Members<'v>, ScenarioError> {
        Ok(Members { of: self.clone(), left: self.members()?, asked: Vec::new() })
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> Result<Vec<Node<'v>>, ScenarioError> {
        let items = self.value.as_array().ok_or_else(|| self.not("a list"))?;
        let at = |(n, value)| Node { path: format!("{}[{n}]", self.path), value };
        Ok(items.iter().enumerate().map(at).collect())
    }

    pub(crate) fn text(&self) -> Result<&'v str, ScenarioError> {
        self.value.as_str().ok_or_else(|| self.not("text"))
    }

    pub(crate) fn truth(&self) -> Result<bool, ScenarioError> {
        self.value.as_bool().ok_or_else(|| self.not("true or false"))
    }

    /// A whole number within a range.
    pub(crate) fn whole(&self, range: RangeInclusive<u64>) -> Result<u64, ScenarioError> {
        let number = self.value.as_u64().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            self.not(&format!("a whole number from {} to {}", range.start(), range.end()))
        })
    }

    /// A whole number that fits 32 bits.
    pub(crate) fn count(&self, range: RangeInclusive<u32>) -> Result<u32, ScenarioError> {
        let number = self.whole(u64::from(*range.start())..=u64::from(*range.end()))?;
        Ok(u32::try_from(number).expect("the range fits 32 bits"))
    }

    /// Milliseconds, of which three decimals count, as microseconds.
    #[expect(clippy::cast_possible_truncation, reason = "a year of microseconds fits 53 bits")]
    #[expect(clippy::cast_precision_loss, reason = "a year of milliseconds fits 53 bits")]
    pub(crate) fn ms(&self) -> Result<i64, ScenarioError> {
        let ms = self.value.as_f64().filter(|ms| (0.0..=MS_MAX as f64).contains(ms));
        let ms = ms.ok_or_else(|| self.not(&format!("milliseconds from 0 to {MS_MAX}")))?;
        Ok((ms * 1_000.0).round() as i64)
    }

    /// Seconds, of which six decimals count, as microseconds.
    #[expect(clippy::cast_possible_truncation, reason = "a month of microseconds fits 53 bits")]
    pub(crate) fn seconds(&self) -> Result<i64, ScenarioError> {
        let seconds = self.value.as_f64().filter(|seconds| (0.0..=SECONDS_MAX).contains(seconds));
        let seconds =
            seconds.ok_or_else(|| self.not(&format!("seconds from 0 to {SECONDS_MAX}")))?;
        Ok((seconds * 1_000_000.0).round() as i64)
    }

    /// One of these words, by its position.
    pub(crate) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, ScenarioError> {
        let word = self.value.as_str();
        let found = words.iter().find(|(spelled, _)| Some(*spelled) == word);
        found.map(|(_, meant)| *meant).ok_or_else(|| {
            let words: Vec<&str> = words.iter().map(|(spelled, _)| *spelled).collect();
            self.not(&words.join(" or "))
        })
    }

    /// A moment in UTC, such as `2026-01-01T00:00:00Z`.
    pub(crate) fn moment(&self) -> Result<Timestamp, ScenarioError> {
        let moment = self.value.as_str().and_then(moment);
        moment.ok_or_else(|| self.not("a moment such as \"2026-01-01T00:00:00Z\""))
    }
}

/// The members of an object, taken one after the other; what is left over is refused.
#[derive(Debug)]
pub(crate) struct Members<'v> {
    of: Node<'v>,
    left: Vec<(&'v str, Node<'v>)>,
    /// Names asked for, which a refusal lists.
    asked: Vec<&'static str>,
}

impl<'v> Members<'v> {
    /// The member called so, if it is there.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<Node<'v>> {
        self.asked.push(name);
        let position = self.left.iter().position(|(given, _)| *given == name)?;
        Some(self.left.remove(position).1)
    }

    /// The member called so, which must be there.
    pub(crate) fn need(&mut self, name: &'static str) -> Result<Node<'v>, ScenarioError> {
        self.take(name).ok_or_else(|| self.of.lacks(name))
    }

    /// The error that a member is missing.
    pub(crate) fn lacks(&self, name: &str) -> ScenarioError {
        self.of.lacks(name)
    }

    /// The error that the whole is not what was wanted.
    pub(crate) fn not(&self, wanted: &str) -> ScenarioError {
        self.of.not(wanted)
    }

    /// Milliseconds, as microseconds.
    pub(crate) fn ms(&mut self, name: &'static str) -> Result<Option<i64>, ScenarioError> {
        self.take(name).map(|node| node.ms()).transpose()
    }

    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<&'v str>, ScenarioError> {
        self.take(name).map(|node| node.text()).transpose()
    }

    /// The items of a list; none where it is not there.
    pub(crate) fn list<T>(
        &mut self,
        name: &'static str,
        read: fn(&Node<'_>) -> Result<T, ScenarioError>,
    ) -> Result<Vec<T>, ScenarioError> {
        self.take(name).map_or(Ok(Vec::new()), |node| node.items()?.iter().map(read).collect())
    }

    /// True if the member is there and was not taken.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.left.iter().any(|(given, _)| *given == name)
    }

    /// Refuses members that nobody asked for.
    pub(crate) fn end(mut self) -> Result<(), ScenarioError> {
        match self.left.pop() {
            None => Ok(()),
            Some((_, node)) => Err(node.unknown("member", &self.asked)),
        }
    }
}

/// Reads `2026-01-01T00:00:00Z`, also with milliseconds, and refuses days that no calendar has.
pub(crate) fn moment(text: &str) -> Option<Timestamp> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let seconds = number(11, 13)? * 3_600 + number(14, 16)? * 60 + number(17, 19)?;
    let ms = if text.len() == 20 { 0 } else { number(20, 23)? };
    // The days of a year counted from March, so that a leap day comes last.
    let (from_march, year_from_march) = ((month + 9) % 12, year - i64::from(month < 3));
    let era = year_from_march.div_euclid(400);
    let of_era = year_from_march.rem_euclid(400);
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let moment = Timestamp::from_millis((days * 86_400 + seconds) * 1_000 + ms);
    let spelled = moment.to_iso();
    let is_same = match text.len() {
        20 => spelled.strip_suffix(".000") == text.strip_suffix('Z'),
        _ => Some(spelled.as_str()) == text.strip_suffix('Z'),
    };
    is_same.then_some(moment)
}

/// Writes a member, if there is something to write.
pub(crate) fn put<T: Into<Value>>(to: &mut Map<String, Value>, name: &str, value: Option<T>) {
    if let Some(value) = value {
        to.insert(name.to_owned(), value.into());
    }
}

/// Microseconds as milliseconds.
#[expect(clippy::cast_precision_loss, reason = "centuries of microseconds fit 53 bits")]
pub(crate) fn ms_value(us: i64) -> Value {
    if us % 1_000 == 0 { Value::from(us / 1_000) } else { Value::from(us as f64 / 1_000.0) }
}

/// Microseconds as seconds.
#[expect(clippy::cast_precision_loss, reason = "centuries of microseconds fit 53 bits")]
pub(crate) fn seconds_value(us: i64) -> Value {
    if us % 1_000_000 == 0 {
        Value::from(us / 1_000_000)
    } else {
        Value::from(us as f64 / 1_000_000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_to_the_millisecond_and_a_day_that_never_was_is_not() {
        for text in
            ["2026-01-01T00:00:00.000", "2024-02-29T23:59:59.007", "1999-12-31T12:00:00.500"]
        {
            assert_eq!(moment(&format!("{text}Z")).map(Timestamp::to_iso), Some(text.to_owned()));
        }
        assert_eq!(moment("2026-01-01T00:00:00Z"), Some(Timestamp::from_millis(1_767_225_600_000)));
        for text in [
            "",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01 00:00:00Z",
            "2026-01-01T00:00:00",
            "+026-01-01T00:00:00Z",
            "é026-01-01T00:00:00Z",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
