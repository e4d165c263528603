//! Shape constraints: what DynamoDB's own front end checks before the operation sees a request.
//!
//! Each broken constraint is one element of `N validation errors detected: a; b`, at most ten of them (facts
//! 4.10.2). A broken table name is reported alone and before all others (4.10.3, step 3).
//!
//! Not here: rules that need more than one member, such as mixing expressions with legacy parameters.

use std::borrow::Cow;

use hashrange_types::name::has_name_characters;
use hashrange_types::{
    ApiError, Deferred, ErrorPlace, IndexName, Item, Rule, TableName, TableReference,
    ValidationError,
};
use smol_str::SmolStr;

use crate::members::{Members, Mismatch, Read};

/// Most elements one message lists.
const LISTED_MAX: usize = 10;
/// Longest table name, and longest index name.
const NAME_LENGTH_MAX: usize = 255;
/// Longest ARN in place of a table name.
const ARN_LENGTH_MAX: usize = 1_024;

/// Why a request was not decoded.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// A member has the wrong JSON type. Where it is in the text is not looked up yet.
    Mismatch(Mismatch),
    /// A constraint is broken.
    Api(Box<ApiError>),
}

impl From<Mismatch> for Refusal {
    fn from(mismatch: Mismatch) -> Self {
        Self::Mismatch(mismatch)
    }
}

impl From<ValidationError> for Refusal {
    fn from(error: ValidationError) -> Self {
        Self::Api(Box::new(error.into()))
    }
}

/// Where a constrained value is in the request: a chain of steps on the stack, innermost first.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'p> {
    Root,
    /// A member of a structure.
    Member(&'p Place<'p>, &'p str),
    /// An entry of a map.
    Entry(&'p Place<'p>, &'p str),
    /// An element of a list, from 0.
    Element(&'p Place<'p>, usize),
}

impl<'p> Place<'p> {
    pub(crate) const fn member(&'p self, name: &'p str) -> Self {
        Self::Member(self, name)
    }

    pub(crate) const fn entry(&'p self, name: &'p str) -> Self {
        Self::Entry(self, name)
    }

    pub(crate) const fn element(&'p self, index: usize) -> Self {
        Self::Element(self, index)
    }

    /// The path as DynamoDB prints it, such as `keySchema.1.member.keyType`.
    fn print(&self, out: &mut String) {
        let (parent, step): (&Place, Cow<str>) = match self {
            Self::Root => return,
            Self::Member(parent, name) => (parent, lower_first(name).into()),
            Self::Entry(parent, name) => (parent, format!("{name}.member").into()),
            Self::Element(parent, index) => (parent, format!("{}.member", index + 1).into()),
        };
        parent.print(out);
        if !out.is_empty() {
            out.push('.');
        }
        out.push_str(&step);
    }

    /// The path as member names, for the editor.
    pub(crate) fn names(&self) -> Vec<String> {
        let (parent, step) = match self {
            Self::Root => return Vec::new(),
            Self::Member(parent, name) | Self::Entry(parent, name) => (parent, (*name).to_owned()),
            Self::Element(parent, index) => (parent, index.to_string()),
        };
        let mut names = parent.names();
        names.push(step);
        names
    }
}

fn lower_first(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

/// The legal values of an enumerated member, in the order DynamoDB prints them.
pub(crate) type Choices<T> = [(&'static str, T)];

/// The broken constraints found so far.
#[derive(Debug, Default)]
pub(crate) struct Constraints {
    elements: Vec<String>,
    first_place: Option<Vec<String>>,
}

impl Constraints {
    /// Notes that the value at `place` breaks `rule`; `value` is how it prints, none for null.
    pub(crate) fn broken(&mut self, value: Option<&str>, place: &Place, rule: &str) {
        let mut path = String::new();
        place.print(&mut path);
        let value = value.map_or_else(|| "null".to_owned(), |value| format!("'{value}'"));
        self.push(
            format!("Value {value} at '{path}' failed to satisfy constraint: {rule}"),
            place.names(),
        );
    }

    /// Notes a broken constraint whose message does not follow the common form.
    pub(crate) fn push(&mut self, element: String, place: Vec<String>) {
        if self.elements.len() < LISTED_MAX {
            self.elements.push(element);
            self.first_place.get_or_insert(place);
        }
    }

    /// Refuses an absent member.
    pub(crate) fn required<T>(&mut self, value: Option<T>, place: &Place) -> Option<T> {
        if value.is_none() {
            self.broken(None, place, "Member must not be null");
        }
        value
    }

    /// Refuses an absent item or key; the empty item stands in for it until the refusal is reported.
    pub(crate) fn required_item(
        &mut self,
        item: Option<Deferred<Item>>,
        place: &Place,
    ) -> Deferred<Item> {
        self.required(item, place).unwrap_or_else(|| Ok(Item::new()))
    }

    /// Reads the enumerated member `name` of the structure at `parent`.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        members: &mut Members,
        name: &str,
        choices: &Choices<T>,
        parent: &Place,
    ) -> Read<Option<T>> {
        let Some(text) = members.text(name)? else { return Ok(None) };
        let chosen = choices.iter().find(|(choice, _)| *choice == text);
        if chosen.is_none() {
            let legal: Vec<&str> = choices.iter().map(|(choice, _)| *choice).collect();
            let rule = format!("Member must satisfy enum value set: [{}]", legal.join(", "));
            self.broken(Some(&text), &parent.member(name), &rule);
        }
        Ok(chosen.map(|(_, value)| *value))
    }

    /// Refuses a number outside `least..=most`.
    pub(crate) fn range(&mut self, number: i64, least: i64, most: i64, place: &Place) {
        let rule = if number < least {
            format!("Member must have value greater than or equal to {least}")
        } else if number > most {
            format!("Member must have value less than or equal to {most}")
        } else {
            return;
        };
        self.broken(Some(&number.to_string()), place, &rule);
    }

    /// Refuses a length outside `least..=most`; `shown` prints the value.
    pub(crate) fn length(
        &mut self,
        length: usize,
        (least, most): (usize, usize),
        place: &Place,
        shown: impl FnOnce() -> String,
    ) {
        let rule = if length < least {
            format!("Member must have length greater than or equal to {least}")
        } else if length > most {
            format!("Member must have length less than or equal to {most}")
        } else {
            return;
        };
        self.broken(Some(&shown()), place, &rule);
    }

    /// Refuses a name of a table or index that is too short, too long or has other characters than
    /// `[a-zA-Z0-9_.-]`.
    pub(crate) fn name(&mut self, name: &str, length_min: usize, place: &Place) {
        self.length(name.chars().count(), (length_min, NAME_LENGTH_MAX), place, || name.to_owned());
        if !name.is_empty() && !has_name_characters(name) {
            self.broken(
                Some(name),
                place,
                "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
            );
        }
    }

    /// Reads IndexName.
    pub(crate) fn index_name(&mut self, members: &mut Members) -> Read<Option<IndexName>> {
        let Some(name) = members.text("IndexName")? else { return Ok(None) };
        self.name(&name, 1, &Place::Root.member("IndexName"));
        Ok(IndexName::new(&name))
    }

    /// True if no constraint is broken so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Ends the collection.
    ///
    /// # Errors
    /// Any constraint was broken.
    pub(crate) fn finish(self) -> Result<(), Refusal> {
        let mut elements = self.elements.into_iter();
        let Some(first) = elements.next() else { return Ok(()) };
        let mut error = ValidationError::new(first).of(Rule::Shape);
        error.others = elements.collect();
        error.place = self.first_place.map(ErrorPlace::Member);
        Err(error.into())
    }
}

/// Which rules a table name follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plane {
    /// Reads and writes of items: one character is enough.
    Data,
    /// Operations on tables: three characters at least.
    Control,
}

/// Checks a TableName, which may be an ARN.
pub(crate) fn table(given: Option<Cow<str>>, on: Plane) -> Result<TableReference, Refusal> {
    let place = Place::Root.member("TableName");
    let mut constraints = Constraints::default();
    let Some(given) = given else {
        if on == Plane::Control {
            return Err(ValidationError::new(
                "The parameter 'TableName' is required but was not present in the request",
            )
            .at_member(&["TableName"])
            .into());
        }
        constraints.broken(None, &place, "Member must not be null");
        return Err(constraints.finish().expect_err("a constraint was broken"));
    };
    table_at(&given, on, &place, &mut constraints)
        .ok_or_else(|| constraints.finish().expect_err("a name that is refused breaks a rule"))
}

/// Checks a table name or ARN found at `place`; none where it breaks a constraint, which is noted.
pub(crate) fn table_at(
    given: &str,
    on: Plane,
    place: &Place,
    constraints: &mut Constraints,
) -> Option<TableReference> {
    let least = if on == Plane::Control { 3 } else { 1 };
    // A table that only its ARN could name could not be asked for by the name that ListTables gives.
    if let Some(name) = name_in_arn(given).filter(|name| name.as_str().len() >= least) {
        return Some(TableReference { name, given: SmolStr::new(given) });
    }
    let before = constraints.elements.len();
    constraints.name(given, least, place);
    if constraints.elements.len() > before {
        return None;
    }
    TableName::new(given).map(TableReference::by_name)
}

/// The table named by an ARN such as `arn:aws:dynamodb:us-east-1:000000000000:table/Orders`.
fn name_in_arn(text: &str) -> Option<TableName> {
    if text.len() > ARN_LENGTH_MAX {
        return None;
    }
    let mut parts = text.strip_prefix("arn:")?.splitn(5, ':');
    let (_partition, service) = (parts.next()?, parts.next()?);
    let (_region, _account) = (parts.next()?, parts.next()?);
    let name = parts.next()?.strip_prefix("table/")?;
    (service == "dynamodb" && (1..=NAME_LENGTH_MAX).contains(&name.len()))
        .then(|| TableName::new(name))
        .flatten()
}
