//! `KeyTemplate`: `ORG#{org}/P#{p:02}` read as a pattern, both ways: slots to text and text to slots.
//!
//! Invariant: a template has at least one part and no two literals side by side; `fill` then `matches`
//! gives the slots back as long as no value holds the literal that follows it.
//!
//! Not here: which entity an item belongs to ([`crate::entity`]) and the arithmetic of recipe slots
//! ([`crate::recipe`]): a slot such as `{cycle:orgs:o}` is taken as a name like any other.

use std::fmt;

mod overlap;

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    Slot(Slot),
}

/// A place that holds a value.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Slot {
    /// What stands in the braces, the width not included.
    name: String,
    /// Smallest number of digits, for a slot written `{p:02}`; such a slot holds digits only.
    n_digits: Option<usize>,
}

/// Why a text is not a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// The text is empty.
    #[error("a key template cannot be empty")]
    Empty,
    /// A brace is open at the end or closed without having been opened.
    #[error("the brace at character {0} has no partner")]
    UnpairedBrace(usize),
    /// Two braces with nothing between them.
    #[error("the slot at character {0} has no name")]
    EmptySlot(usize),
}

/// What [`KeyTemplate::fill`] could not do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FillError {
    /// No value was given for this slot.
    #[error("the slot {{{0}}} has no value")]
    Missing(String),
    /// The value of a slot of digits holds something else.
    #[error("the slot {{{0}}} takes digits, not \"{1}\"")]
    NotDigits(String, String),
}

/// The values of a template's slots, by name, in the order of the slots.
pub type Slots = Vec<(String, String)>;

/// The pattern of a key: literals and slots.
///
/// ```
/// # use hashrange_design::KeyTemplate;
/// let template = KeyTemplate::parse("ORG#{org}/P#{p:02}").unwrap();
/// let slots = template.matches("ORG#acme/P#07").unwrap();
/// assert_eq!(slots, [("org".to_owned(), "acme".to_owned()), ("p".to_owned(), "07".to_owned())]);
/// assert_eq!(template.fill(&slots).unwrap(), "ORG#acme/P#07");
/// assert_eq!(template.prefix(), "ORG#");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyTemplate {
    parts: Vec<Part>,
}

impl KeyTemplate {
    /// Reads a template: text with slots in braces.
    ///
    /// # Errors
    /// The text is empty, a brace has no partner or a slot no name.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        if text.is_empty() {
            return Err(TemplateError::Empty);
        }
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut open: Option<(usize, String)> = None;
        for (at, character) in text.chars().enumerate() {
            match (character, &mut open) {
                ('{', None) => open = Some((at + 1, String::new())),
                ('{', Some(_)) | ('}', None) => {
                    return Err(TemplateError::UnpairedBrace(at + 1));
                }
                ('}', Some((start, name))) => {
                    if name.trim().is_empty() {
                        return Err(TemplateError::EmptySlot(*start));
                    }
                    push_literal(&mut parts, &mut literal);
                    parts.push(Part::Slot(Slot::parse(name)));
                    open = None;
                }
                (other, Some((_, name))) => name.push(other),
                (other, None) => literal.push(other),
            }
        }
        if let Some((start, _)) = open {
            return Err(TemplateError::UnpairedBrace(start));
        }
        push_literal(&mut parts, &mut literal);
        Ok(Self { parts })
    }

    /// The template that matches `text` alone, braces and all.
    pub fn literal(text: &str) -> Self {
        Self { parts: vec![Part::Literal(text.to_owned())] }
    }

    /// The literal text every match starts with; empty for a template that starts with a slot.
    pub fn prefix(&self) -> &str {
        match self.parts.first() {
            Some(Part::Literal(text)) => text,
            _ => "",
        }
    }

    /// Bytes of literal text: the more, the more a match says.
    pub fn literal_bytes(&self) -> usize {
        self.parts
            .iter()
            .map(|part| match part {
                Part::Literal(text) => text.len(),
                Part::Slot(_) => 0,
            })
            .sum()
    }

    /// Names of the slots in order, each as often as it occurs.
    pub fn slot_names(&self) -> impl Iterator<Item = &str> {
        self.slots().map(|slot| slot.name.as_str())
    }

    /// True for a template without slots.
    pub fn is_constant(&self) -> bool {
        self.slots().next().is_none()
    }

    fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.parts.iter().filter_map(|part| match part {
            Part::Slot(slot) => Some(slot),
            Part::Literal(_) => None,
        })
    }

    /// The slots' values if `text` has this shape. A slot takes at least one character and as few as it can.
    pub fn matches(&self, text: &str) -> Option<Slots> {
        let mut slots = Slots::new();
        self.walk(text, |name, value| slots.push((name.to_owned(), value.to_owned())))
            .then_some(slots)
            .filter(same_name_same_value)
    }

    /// True if `text` has this shape; as [`KeyTemplate::matches`] without keeping the values.
    pub fn is_match(&self, text: &str) -> bool {
        let mut seen: Vec<(&str, &str)> = Vec::new();
        let mut is_consistent = true;
        self.walk(text, |name, value| {
            is_consistent &= seen.iter().all(|(other, known)| *other != name || *known == value);
            seen.push((name, value));
        }) && is_consistent
    }

    /// Walks text and parts side by side, telling `found` each slot's name and value.
    fn walk<'a>(&'a self, text: &'a str, mut found: impl FnMut(&'a str, &'a str)) -> bool {
        let mut rest = text;
        let mut open: Option<&Slot> = None;
        let last = self.parts.len() - 1;
        for (index, part) in self.parts.iter().enumerate() {
            match part {
                Part::Slot(slot) => {
                    if let Some(before) = open.replace(slot) {
                        let Some(first) = rest.chars().next() else { return false };
                        let (value, tail) = rest.split_at(first.len_utf8());
                        if !before.takes(value) {
                            return false;
                        }
                        found(&before.name, value);
                        rest = tail;
                    }
                }
                Part::Literal(literal) => match open.take() {
                    None => match rest.strip_prefix(literal.as_str()) {
                        Some(tail) => rest = tail,
                        None => return false,
                    },
                    Some(slot) => {
                        let Some(at) = literal_after(rest, literal, index == last) else {
                            return false;
                        };
                        let value = &rest[..at];
                        if !slot.takes(value) {
                            return false;
                        }
                        found(&slot.name, value);
                        rest = &rest[at + literal.len()..];
                    }
                },
            }
        }
        match open {
            Some(slot) if slot.takes(rest) => {
                found(&slot.name, rest);
                true
            }
            Some(_) => false,
            None => rest.is_empty(),
        }
    }

    /// True if some text has the shape of both templates. A slot is taken to hold no punctuation that its own template
    /// writes out: `ORG#{org}` and `ORG#{org}#LOG` do not overlap, since an `org` with `#` in it would break both.
    pub fn overlaps(&self, other: &Self) -> bool {
        overlap::overlap(&self.shape(), &other.shape())
    }

    /// The template as a row of characters and classes of characters.
    fn shape(&self) -> Vec<overlap::Step> {
        let mut separators = String::new();
        for part in &self.parts {
            if let Part::Literal(text) = part {
                separators.extend(text.chars().filter(char::is_ascii_punctuation));
            }
        }
        let mut steps = Vec::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) => steps.extend(text.chars().map(overlap::Step::one)),
                Part::Slot(slot) => match slot.n_digits {
                    Some(n) => steps.extend((1..=n).map(|at| overlap::Step::digit(at == n))),
                    None => steps.push(overlap::Step::any_but(&separators)),
                },
            }
        }
        steps
    }

    /// The template with slot `name` padded with zeros to `width` digits; none if it has no such slot.
    pub fn padded(&self, name: &str, width: usize) -> Option<Self> {
        let mut padded = self.clone();
        let mut is_found = false;
        for part in &mut padded.parts {
            if let Part::Slot(slot) = part
                && slot.name == name
            {
                slot.n_digits = Some(width);
                is_found = true;
            }
        }
        is_found.then_some(padded)
    }

    /// The key's text up to the first slot that `fill` has no value for, and whether that is all of it.
    pub fn fill_known(&self, mut fill: impl FnMut(&str) -> Option<String>) -> (String, bool) {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Slot(slot) => match fill(&slot.name) {
                    Some(value) => text.push_str(&value),
                    None => return (text, false),
                },
            }
        }
        (text, true)
    }

    /// The key these slots give. Values of digit slots are padded with zeros to the slot's width.
    ///
    /// # Errors
    /// A slot has no value, or one that does not fit it.
    pub fn fill(&self, slots: &[(String, String)]) -> Result<String, FillError> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Slot(slot) => {
                    let (_, value) = slots
                        .iter()
                        .find(|(name, value)| *name == slot.name && !value.is_empty())
                        .ok_or_else(|| FillError::Missing(slot.name.clone()))?;
                    match slot.n_digits {
                        Some(_) if !value.bytes().all(|byte| byte.is_ascii_digit()) => {
                            return Err(FillError::NotDigits(slot.name.clone(), value.clone()));
                        }
                        Some(width) => {
                            let padded = format!("{value:0>width$}");
                            text.push_str(&padded);
                        }
                        None => text.push_str(value),
                    }
                }
            }
        }
        Ok(text)
    }
}

impl KeyTemplate {
    /// The template's text with each slot replaced by what `fill` makes of its name and, for a slot of digits, their
    /// number.
    ///
    /// # Errors
    /// The first of `fill`.
    pub fn expand<E>(
        &self,
        mut fill: impl FnMut(&str, Option<usize>) -> Result<String, E>,
    ) -> Result<String, E> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Slot(slot) => text.push_str(&fill(&slot.name, slot.n_digits)?),
            }
        }
        Ok(text)
    }
}

impl Slot {
    /// Reads `p:02` as digits and anything else as a name.
    fn parse(text: &str) -> Self {
        if let Some((name, width)) = text.rsplit_once(':')
            && !name.is_empty()
            && width.len() > 1
            && width.starts_with('0')
            && let Ok(n_digits) = width.parse::<usize>()
            && (1..=64).contains(&n_digits)
        {
            return Self { name: name.to_owned(), n_digits: Some(n_digits) };
        }
        Self { name: text.to_owned(), n_digits: None }
    }

    fn takes(&self, value: &str) -> bool {
        match self.n_digits {
            Some(n_digits) => {
                value.len() >= n_digits && value.bytes().all(|byte| byte.is_ascii_digit())
            }
            None => !value.is_empty(),
        }
    }
}

/// Where `literal` stands in `rest` after at least one character: the first place, or the end if it must be.
fn literal_after(rest: &str, literal: &str, is_last: bool) -> Option<usize> {
    let first = rest.chars().next()?.len_utf8();
    if is_last {
        let at = rest.len().checked_sub(literal.len())?;
        (at >= first && rest.ends_with(literal)).then_some(at)
    } else {
        rest[first..].find(literal).map(|at| at + first)
    }
}

fn push_literal(parts: &mut Vec<Part>, literal: &mut String) {
    if !literal.is_empty() {
        parts.push(Part::Literal(std::mem::take(literal)));
    }
}

fn same_name_same_value(slots: &Slots) -> bool {
    slots.iter().enumerate().all(|(index, (name, value))| {
        slots[..index].iter().all(|(other, known)| other != name || known == value)
    })
}

impl fmt::Display for KeyTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Literal(text) => f.write_str(text)?,
                Part::Slot(Slot { name, n_digits: None }) => write!(f, "{{{name}}}")?,
                Part::Slot(Slot { name, n_digits: Some(width) }) => {
                    write!(f, "{{{name}:0{width}}}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn template(text: &str) -> KeyTemplate {
        KeyTemplate::parse(text).unwrap()
    }

    #[test]
    fn a_template_without_slots_matches_itself_alone() {
        let meta = template("META");
        assert!(meta.is_match("META") && meta.is_constant());
        assert!(!meta.is_match("METADATA") && !meta.is_match("MET"));
    }

    #[test]
    fn a_literal_at_the_end_is_looked_for_at_the_end() {
        let slots = template("{a}#X").matches("1#X#X").unwrap();
        assert_eq!(slots, [("a".to_owned(), "1#X".to_owned())]);
    }

    #[test]
    fn a_slot_takes_at_least_one_character() {
        assert!(!template("ORG#{org}").is_match("ORG#"));
        assert!(!template("{a}#{b}").is_match("#x"));
        assert!(template("{a}{b}").is_match("éx"));
    }

    #[test]
    fn a_digit_slot_takes_digits_of_its_width_or_more() {
        let page = template("P#{p:02}");
        assert!(page.is_match("P#07") && page.is_match("P#123"));
        assert!(!page.is_match("P#7") && !page.is_match("P#ab"));
        assert_eq!(page.fill(&[("p".into(), "7".into())]).unwrap(), "P#07");
        assert!(matches!(page.fill(&[("p".into(), "x".into())]), Err(FillError::NotDigits(..))));
    }

    #[test]
    fn the_same_slot_twice_must_hold_the_same_value() {
        let twice = template("{a}/{a}");
        assert!(twice.is_match("x/x") && twice.matches("x/x").is_some());
        assert!(!twice.is_match("x/y") && twice.matches("x/y").is_none());
    }

    #[test]
    fn recipe_slots_are_names_like_any_other() {
        let text = "EMPLOYEE#{cycle:orgs:o}-e{((p-1)*6+k-1)%36+1:02}";
        assert_eq!(template(text).to_string(), text);
        assert!(template(text).is_match("EMPLOYEE#hi-e07"));
        assert!(!template(text).is_match("PROJECT#hi-e07"));
    }

    #[test]
    fn unpaired_braces_and_nameless_slots_are_refused() {
        assert_eq!(KeyTemplate::parse(""), Err(TemplateError::Empty));
        assert_eq!(KeyTemplate::parse("A#{b"), Err(TemplateError::UnpairedBrace(3)));
        assert_eq!(KeyTemplate::parse("A#b}"), Err(TemplateError::UnpairedBrace(4)));
        assert_eq!(KeyTemplate::parse("{{a}}"), Err(TemplateError::UnpairedBrace(2)));
        assert_eq!(KeyTemplate::parse("A#{}"), Err(TemplateError::EmptySlot(3)));
    }

    #[test]
    fn templates_overlap_if_some_text_has_the_shape_of_both() {
        let overlap = |a: &str, b: &str| {
            let (a, b) = (template(a), template(b));
            assert_eq!(a.overlaps(&b), b.overlaps(&a));
            a.overlaps(&b)
        };
        assert!(overlap("ORDER#{id}", "ORDER#{id}"));
        assert!(overlap("{sk}", "PROJECT#{p}"));
        assert!(overlap("{a}X", "Y{b}"));
        assert!(overlap("V{n:03}", "V{v}") && overlap("V{n:02}", "V0{m:02}"));
        assert!(!overlap("ORDER#{id}", "ORDERS#{id}"));
        assert!(!overlap("ORG#{org}", "ORG#{org}#LOG"));
        assert!(!overlap("V{n:03}", "VX{v}"));
        assert!(!overlap("META", "METADATA"));
    }

    #[test]
    fn a_slot_is_padded_where_it_stands() {
        assert_eq!(template("P#{p}#{q}").padded("p", 4).unwrap().to_string(), "P#{p:04}#{q}");
        assert_eq!(template("P#{p:02}").padded("p", 3).unwrap().to_string(), "P#{p:03}");
        assert_eq!(template("P#{p}").padded("x", 3), None);
    }

    proptest! {
        #[test]
        fn what_is_filled_in_is_read_back(
            literals in proptest::collection::vec("[A-Z]{1,4}#", 1..5),
            values in proptest::collection::vec("[a-z0-9é]{1,6}", 5),
            starts_with_slot in any::<bool>(),
        ) {
            let mut text = String::new();
            let mut slots = Slots::new();
            if starts_with_slot {
                text.push_str("{first}");
                slots.push(("first".to_owned(), "0".to_owned()));
            }
            for (index, literal) in literals.iter().enumerate() {
                text.push_str(literal);
                text.extend(["{s", &index.to_string(), "}"]);
                slots.push((format!("s{index}"), values[index].clone()));
            }
            let template = KeyTemplate::parse(&text).unwrap();
            prop_assert_eq!(template.to_string(), text);
            let key = template.fill(&slots).unwrap();
            prop_assert!(key.len() >= template.prefix().len());
            prop_assert_eq!(template.matches(&key), Some(slots));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".*", key in ".*") {
            if let Ok(template) = KeyTemplate::parse(&text) {
                let _ = template.to_string();
                prop_assert_eq!(template.is_match(&key), template.matches(&key).is_some());
            }
        }
    }
}
