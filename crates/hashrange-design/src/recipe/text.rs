//! Texts with slots: `PROJECT#{cycle:orgs:o}-p{p:02}`.
//!
//! Invariant: a text is read once, every list and variable resolved; filling draws from chance in the order
//! of the slots, so the same seed gives the same text.

use super::RecipeError;
use super::arithmetic::{Arithmetic, remainder_down};
use super::calendar::{parse_date, parse_time, write_date, write_time};
use super::chance::SplitMix64;

/// Most hexadecimal digits one slot may ask for.
const HEX_DIGITS_MAX: usize = 4_096;

/// What a group's texts may refer to.
pub(crate) struct Scope<'a> {
    /// Names of the group's `for`, in order.
    pub(crate) names: &'a [String],
    /// Names of the recipe's lists, in order.
    pub(crate) lists: &'a [(String, Vec<String>)],
}

/// A text taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text(Vec<Piece>);

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Literal(String),
    Slot(Slot),
}

#[derive(Debug, Clone, PartialEq)]
enum Slot {
    Number { number: Arithmetic, width: Width },
    Pick { list: usize },
    Cycle { list: usize, position: Arithmetic },
    Between { low: i64, n_values: u64 },
    Hex { n_digits: usize },
    Date { base: i64, days: Arithmetic },
    Time { base: i64, seconds: Arithmetic },
}

/// How a number is filled up to a width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    Plain,
    Spaces(usize),
    Zeros(usize),
}

impl Text {
    /// Reads a text; braces that do not hold a slot are text.
    pub(crate) fn parse(text: &str, scope: &Scope<'_>) -> Result<Self, RecipeError> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let (before, after) = (&rest[..open], &rest[open + 1..]);
            literal.push_str(before);
            match after.find(['{', '}']) {
                Some(end) if end > 0 && after[end..].starts_with('}') => {
                    if !literal.is_empty() {
                        pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                    }
                    pieces.push(Piece::Slot(Slot::parse(&after[..end], scope)?));
                    rest = &after[end + 1..];
                }
                _ => {
                    literal.push('{');
                    rest = after;
                }
            }
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal));
        }
        Ok(Self(pieces))
    }

    /// The text for these values of the variables. None where a slot has no value.
    pub(crate) fn fill(
        &self,
        values: &[i64],
        lists: &[(String, Vec<String>)],
        chance: &mut SplitMix64,
    ) -> Option<String> {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Literal(literal) => text.push_str(literal),
                Piece::Slot(slot) => slot.push(&mut text, values, lists, chance)?,
            }
        }
        Some(text)
    }
}

impl Slot {
    fn parse(text: &str, scope: &Scope<'_>) -> Result<Self, RecipeError> {
        let parts: Vec<&str> = text.split(':').collect();
        let refuse =
            |reason: &str| RecipeError::Slot { text: text.to_owned(), reason: reason.to_owned() };
        let calculation = |part: Option<&&str>| {
            let part = part.ok_or_else(|| refuse("it ends too early"))?;
            Arithmetic::parse(part, scope.names)
        };
        match parts[0] {
            "pick" => Ok(Self::Pick { list: scope.list(parts.get(1), text)? }),
            "cycle" => Ok(Self::Cycle {
                list: scope.list(parts.get(1), text)?,
                position: calculation(parts.get(2))?,
            }),
            "int" => {
                let number =
                    |index: usize| parts.get(index).and_then(|part| part.parse::<i64>().ok());
                let (Some(low), Some(high)) = (number(1), number(2)) else {
                    return Err(refuse("it needs two whole numbers, as in {int:1:99}"));
                };
                let n_values = high.checked_sub(low).filter(|span| *span >= 0 && *span < i64::MAX);
                match n_values.and_then(|span| u64::try_from(span + 1).ok()) {
                    Some(n_values) => Ok(Self::Between { low, n_values }),
                    None => Err(refuse("its second number is smaller than its first")),
                }
            }
            "hex" => match parts.get(1).and_then(|part| part.parse::<usize>().ok()) {
                Some(n_digits) if n_digits <= HEX_DIGITS_MAX => Ok(Self::Hex { n_digits }),
                _ => Err(refuse("it needs a number of digits, at most 4,096, as in {hex:8}")),
            },
            "date" => {
                let base = parts.get(1).and_then(|part| parse_date(part));
                let base = base.ok_or_else(|| refuse("it needs a date such as 2026-01-31"))?;
                Ok(Self::Date { base, days: calculation(parts.get(2))? })
            }
            "time" => {
                let base = parts.get(1..4).and_then(|parts| parse_time(&parts.join(":")));
                let base =
                    base.ok_or_else(|| refuse("it needs a time such as 2026-01-31T23:59:59Z"))?;
                Ok(Self::Time { base, seconds: calculation(parts.get(4))? })
            }
            number => {
                let number = Arithmetic::parse(number, scope.names)?;
                let width = Width::parse(parts.get(1).copied().unwrap_or_default())
                    .ok_or_else(|| refuse("its width must be a number such as 02"))?;
                Ok(Self::Number { number, width })
            }
        }
    }

    fn push(
        &self,
        text: &mut String,
        values: &[i64],
        lists: &[(String, Vec<String>)],
        chance: &mut SplitMix64,
    ) -> Option<()> {
        match self {
            Self::Number { number, width } => width.push(text, number.value(values)?),
            Self::Pick { list } => {
                let entries = &lists[*list].1;
                text.push_str(&entries[chance.index(entries.len())]);
            }
            Self::Cycle { list, position } => {
                let entries = &lists[*list].1;
                let n_entries = i64::try_from(entries.len()).ok()?;
                let at = remainder_down(position.value(values)?, n_entries)?;
                text.push_str(&entries[usize::try_from(at).ok()?]);
            }
            Self::Between { low, n_values } => {
                let above = i64::try_from(chance.below(*n_values)).ok()?;
                text.push_str(&low.checked_add(above)?.to_string());
            }
            Self::Hex { n_digits } => {
                for _ in 0..*n_digits {
                    let digit = u32::try_from(chance.below(16)).ok()?;
                    text.push(char::from_digit(digit, 16)?);
                }
            }
            Self::Date { base, days } => {
                text.push_str(&write_date(base.checked_add(days.value(values)?)?)?);
            }
            Self::Time { base, seconds } => {
                text.push_str(&write_time(base.checked_add(seconds.value(values)?)?)?);
            }
        }
        Some(())
    }
}

impl Width {
    fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::Plain);
        }
        let width = text.parse::<usize>().ok().filter(|width| *width <= 64)?;
        Some(if text.starts_with('0') { Self::Zeros(width) } else { Self::Spaces(width) })
    }

    fn push(self, text: &mut String, number: i64) {
        let digits = match self {
            Self::Plain => number.to_string(),
            Self::Spaces(width) => format!("{number:width$}"),
            Self::Zeros(width) => format!("{number:0width$}"),
        };
        text.push_str(&digits);
    }
}

impl Scope<'_> {
    fn list(&self, name: Option<&&str>, slot: &str) -> Result<usize, RecipeError> {
        let name = name.copied().unwrap_or_default();
        self.lists.iter().position(|(known, _)| known == name).ok_or_else(|| RecipeError::Slot {
            text: slot.to_owned(),
            reason: format!("there is no list called \"{name}\""),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists() -> Vec<(String, Vec<String>)> {
        vec![("orgs".to_owned(), ["hi", "acme", "zen"].map(str::to_owned).to_vec())]
    }

    fn filled(text: &str) -> Option<String> {
        let (names, lists) = (["p".to_owned()], lists());
        let text = Text::parse(text, &Scope { names: &names, lists: &lists }).unwrap();
        text.fill(&[5], &lists, &mut SplitMix64::new(7))
    }

    #[test]
    fn slots_by_position_are_filled() {
        assert_eq!(
            filled("A#{cycle:orgs:p-1}-{p:03}|{p*7%50:02}|{p:3}").unwrap(),
            "A#acme-005|35|  5"
        );
        assert_eq!(filled("{date:2026-01-30:p}").unwrap(), "2026-02-04");
        assert_eq!(filled("{time:2026-01-01T00:00:00Z:p*60}").unwrap(), "2026-01-01T00:05:00Z");
        assert_eq!(filled("{0-p:03}").unwrap(), "-05");
    }

    #[test]
    fn braces_that_hold_no_slot_are_text() {
        assert_eq!(filled("{}{{p}}{").unwrap(), "{}{5}{");
    }

    #[test]
    fn a_slot_without_a_value_is_none() {
        assert_eq!(filled("{p/0}"), None);
        assert_eq!(filled("{date:9999-12-31:p}"), None);
    }

    #[test]
    fn a_slot_that_cannot_be_read_is_refused() {
        let lists = lists();
        let scope = Scope { names: &[], lists: &lists };
        for text in [
            "{pick:none}",
            "{cycle:orgs}",
            "{int:9:1}",
            "{int:a:b}",
            "{hex:5000}",
            "{hex}",
            "{q}",
            "{date:2026-02-30:1}",
            "{time:2026-01-01:1}",
            "{1:x}",
        ] {
            assert!(Text::parse(text, &scope).is_err(), "{text}");
        }
    }
}
