//! `Design`: one value that holds a whole design, and its file `design.json`.
//!
//! Invariant: what a file held and this build does not know stays in the `unknown` bags and is written back;
//! a file that cannot be read changes nothing.
//!
//! Not here: sample data ([`crate::recipe`]), what a pattern costs, foreign formats ([`crate::format`]).

use hashrange_types::{KeySchema, SortedMap, TableName};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::cost::CostSettings;
use crate::guide::{Question, read_question};
use crate::members::{Members, wrong};
use crate::sample::{EntitySample, Relation, read_relation, read_sample};
use crate::schema::{create_table_request, key_schema};
use crate::template::{KeyTemplate, TemplateError};

/// The format this build writes, and the newest it reads.
pub const FORMAT: u32 = 1;

/// Why a text is not a design.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    /// The text is not JSON.
    #[error("This is not JSON: {reason}, at line {line}, column {column}.")]
    NotJson {
        /// What the parser says.
        reason: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// Written by a later build.
    #[error(
        "This design has format {0}; this version of Hashrange reads format {FORMAT}. Reload the page to get \
         the newest version. Nothing was changed."
    )]
    NewerFormat(u64),
    /// A member is needed and absent or empty.
    #[error("{place} is missing.")]
    Missing {
        /// Path of member names.
        place: String,
    },
    /// A member has another kind of value.
    #[error("{} must be {expected}, not {found}.", at(place))]
    Wrong {
        /// Path of member names; empty for the document itself.
        place: String,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A key template cannot be read.
    #[error("{place} is not a key template: {reason}.")]
    Template {
        /// Path of member names.
        place: String,
        /// What is wrong with it.
        reason: TemplateError,
    },
    /// Two tables have one name.
    #[error("{place} repeats the table name {name}.")]
    DuplicateTable {
        /// Path of member names.
        place: String,
        /// The name.
        name: String,
    },
    /// An entity or a recipe names a table the design does not have.
    #[error("{place} names the table {name}, which this design does not have.")]
    UnknownTable {
        /// Path of member names.
        place: String,
        /// The name.
        name: String,
    },
    /// A table of the design is not a CreateTable request DynamoDB would accept.
    #[error("{place}: {message}")]
    Table {
        /// Path of member names.
        place: String,
        /// DynamoDB's own message.
        message: String,
    },
    /// A setting of the bill has no meaning.
    #[error("{place}: {reason}.")]
    Cost {
        /// Path of member names.
        place: String,
        /// What is wrong and what to do.
        reason: String,
    },
}

fn at(place: &str) -> &str {
    if place.is_empty() { "The design" } else { place }
}

/// What a design is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DesignKind {
    /// Somebody's own work, or an import.
    #[default]
    Design,
    /// One of the gallery's examples.
    Example,
    /// A lesson with steps.
    Lesson,
}

/// A kind of thing kept in a table, and how its keys are made.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Entity {
    /// Its name, such as `Project`.
    pub name: String,
    /// The table its items are in.
    pub table: String,
    /// The letter (or two) shown beside its items.
    pub tag: String,
    /// Attribute name to key template, such as `SK` to `PROJECT#{project}`. An attribute that is not a key
    /// is allowed: a constant `type` tells entities apart where keys do not.
    pub keys: IndexMap<String, String>,
    /// How its sample items are made; none where they come from elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<EntitySample>,
    /// Members this build does not know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// A question the application asks, and the request that answers it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct AccessPattern {
    /// The question in words.
    pub words: String,
    /// The operation, such as `Query`.
    pub operation: String,
    /// The request in DynamoDB JSON.
    pub request: Value,
    /// What must hold for the answer; empty where nothing is stated.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub expect: Map<String, Value>,
    /// How often a second it is asked; feeds the bill.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_rate")]
    pub per_second: Option<f64>,
    /// What it asks, as the guided process has it: the request then follows keys and indexes. None for a request of
    /// somebody's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// Members this build does not know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// A finding of lint that somebody has looked at and wants to hear no more of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Silenced {
    /// The rule's name, such as `hot-key`.
    pub rule: String,
    /// What it is about, such as `pattern Record an event`; see [`crate::lint::Subject`].
    pub subject: String,
    /// Why it is fine as it is.
    pub reason: String,
    /// Members this build does not know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// A whole design.
///
/// ```
/// # use hashrange_design::Design;
/// let text = r#"{"format": 1, "title": "Mine", "tables": [], "later": [1]}"#;
/// let design = Design::from_json(text).unwrap();
/// assert_eq!(design.title, "Mine");
/// assert!(design.to_json().contains("later"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Design {
    /// Always [`FORMAT`].
    pub format: u32,
    /// What it is for.
    pub kind: DesignKind,
    /// Folder name and link; empty for somebody's own design.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub slug: String,
    /// Chapter of a lesson.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chapter: Option<u32>,
    /// Place in the chapter or gallery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<u32>,
    /// Its name.
    pub title: String,
    /// The question its card asks.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub question: String,
    /// Minutes it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u32>,
    /// What one learns from it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub surprise: String,
    /// One paragraph about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// CreateTable requests in DynamoDB JSON, in the order shown.
    pub tables: Vec<Value>,
    /// Kinds of items; an entity's index decides its colour.
    pub entities: Vec<Entity>,
    /// The seed its items were made from; none where they come from elsewhere. While there is one, items follow the
    /// entities' keys and samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// Which entities belong together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<Relation>,
    /// The questions the design must answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<AccessPattern>,
    /// Findings of lint that are fine as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub silenced: Vec<Silenced>,
    /// What differs from the simulator's defaults.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub simulation: Map<String, Value>,
    /// What the bill is made with, where it differs from the default.
    #[serde(skip_serializing_if = "CostSettings::is_default")]
    pub cost: CostSettings,
    /// Free text of the author.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// Members this build does not know.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl Default for Design {
    fn default() -> Self {
        Self {
            format: FORMAT,
            kind: DesignKind::default(),
            slug: String::new(),
            chapter: None,
            order: None,
            title: String::new(),
            question: String::new(),
            minutes: None,
            surprise: String::new(),
            about: String::new(),
            tables: Vec::new(),
            entities: Vec::new(),
            seed: None,
            relations: Vec::new(),
            patterns: Vec::new(),
            silenced: Vec::new(),
            simulation: Map::new(),
            cost: CostSettings::default(),
            notes: String::new(),
            unknown: Map::new(),
        }
    }
}

impl Design {
    /// Reads `design.json`.
    ///
    /// # Errors
    /// One sentence that says what is wrong and where.
    pub fn from_json(text: &str) -> Result<Self, DesignError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value = serde_json::from_str(text).map_err(|error| not_json(&error))?;
        Self::from_value(value)
    }

    /// Reads a design that is already a JSON value.
    ///
    /// # Errors
    /// As [`Design::from_json`].
    pub fn from_value(value: Value) -> Result<Self, DesignError> {
        let mut members = Members::of(value, "")?;
        read_format(&mut members)?;
        let design = Self {
            format: FORMAT,
            kind: read_kind(&mut members)?,
            slug: members.text("slug")?,
            chapter: members.whole("chapter")?,
            order: members.whole("order")?,
            title: members.text("title")?,
            question: members.text("question")?,
            minutes: members.whole("minutes")?,
            surprise: members.text("surprise")?,
            about: members.text("about")?,
            tables: read_tables(members.list("tables")?)?,
            entities: read_each(members.list("entities")?, "entities", read_entity)?,
            seed: members.whole("seed")?,
            relations: read_each(members.list("relations")?, "relations", read_relation)?,
            patterns: read_each(members.list("patterns")?, "patterns", read_pattern)?,
            silenced: read_each(members.list("silenced")?, "silenced", read_silenced)?,
            simulation: members.object("simulation")?,
            cost: CostSettings::from_members(members.object("cost")?)?,
            notes: members.text("notes")?,
            unknown: members.rest(),
        };
        for (index, entity) in design.entities.iter().enumerate() {
            if !design.table_names().any(|name| name == entity.table) {
                return Err(DesignError::UnknownTable {
                    place: format!("entities[{index}].table"),
                    name: entity.table.clone(),
                });
            }
        }
        Ok(design)
    }

    /// The design as `design.json`: members in one fixed order, two spaces, a line end at the end.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a design has text keys alone");
        text.push('\n');
        text
    }

    /// The CreateTable request of a table.
    pub fn table(&self, name: &str) -> Option<&Value> {
        self.tables.iter().find(|table| table_name(table) == Some(name))
    }

    /// Names of the tables, in the order shown.
    pub fn table_names(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().filter_map(table_name)
    }

    /// The primary key of every table.
    ///
    /// # Errors
    /// A table is not a CreateTable request.
    pub fn key_schemas(&self) -> Result<SortedMap<TableName, KeySchema>, DesignError> {
        self.tables
            .iter()
            .enumerate()
            .map(|(index, table)| {
                let place = format!("tables[{index}]");
                let request = create_table_request(table, &place)?;
                let key = key_schema(&request, &place)?;
                Ok((request.table_name, key))
            })
            .collect()
    }
}

/// Writes a rate as people do: `120`, not `120.0`.
#[expect(clippy::ref_option, reason = "the shape serde asks for")]
fn write_rate<S: serde::Serializer>(rate: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    let rate = rate.unwrap_or_default();
    // Display of a whole number has no point, and stays short below 2^53.
    match rate.to_string().parse::<u64>() {
        Ok(whole) if whole < 1 << 53 => serializer.serialize_u64(whole),
        _ => serializer.serialize_f64(rate),
    }
}

fn table_name(table: &Value) -> Option<&str> {
    table.get("TableName").and_then(Value::as_str)
}

pub(crate) fn not_json(error: &serde_json::Error) -> DesignError {
    DesignError::NotJson { reason: reason(error), line: error.line(), column: error.column() }
}

/// The parser's words without the place it appends.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.as_str(), |(reason, _)| reason).to_owned()
}

fn read_format(members: &mut Members) -> Result<(), DesignError> {
    let Some(format) = members.take("format") else {
        return Err(DesignError::Missing { place: "format".to_owned() });
    };
    match format.as_u64() {
        Some(1) => Ok(()),
        Some(later) if later > u64::from(FORMAT) => Err(DesignError::NewerFormat(later)),
        _ => Err(wrong("format", "the number 1", &format)),
    }
}

fn read_kind(members: &mut Members) -> Result<DesignKind, DesignError> {
    match members.text("kind")?.as_str() {
        "" | "design" => Ok(DesignKind::Design),
        "example" => Ok(DesignKind::Example),
        "lesson" => Ok(DesignKind::Lesson),
        other => Err(wrong("kind", "design, example or lesson", &Value::from(other))),
    }
}

fn read_tables(tables: Vec<Value>) -> Result<Vec<Value>, DesignError> {
    let mut names: Vec<String> = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let place = format!("tables[{index}]");
        if !table.is_object() {
            return Err(wrong(&place, "an object", table));
        }
        let place = format!("{place}.TableName");
        let Some(name) = table_name(table) else { return Err(DesignError::Missing { place }) };
        if names.iter().any(|known| known == name) {
            return Err(DesignError::DuplicateTable { place, name: name.to_owned() });
        }
        names.push(name.to_owned());
    }
    Ok(tables)
}

fn read_each<T>(
    values: Vec<Value>,
    place: &str,
    read: impl Fn(Members) -> Result<T, DesignError>,
) -> Result<Vec<T>, DesignError> {
    values
        .into_iter()
        .enumerate()
        .map(|(index, value)| read(Members::of(value, &format!("{place}[{index}]"))?))
        .collect()
}

fn read_entity(mut members: Members) -> Result<Entity, DesignError> {
    let name = members.needed_text("name")?;
    let table = members.needed_text("table")?;
    let tag = members.text("tag")?;
    let mut keys = IndexMap::new();
    let place = members.place_of("keys");
    for (attribute, template) in members.object("keys")? {
        let place = format!("{place}.{attribute}");
        let Value::String(template) = template else {
            return Err(wrong(&place, "a text", &template));
        };
        KeyTemplate::parse(&template).map_err(|reason| DesignError::Template { place, reason })?;
        keys.insert(attribute, template);
    }
    let sample = read_sample(&mut members)?;
    Ok(Entity { name, table, tag, keys, sample, unknown: members.rest() })
}

fn read_pattern(mut members: Members) -> Result<AccessPattern, DesignError> {
    let question = members.take("question").map(read_question).transpose();
    let (question, unread) = match question {
        Ok(question) => (question, None),
        Err(unread) => (None, Some(unread)),
    };
    let mut pattern = AccessPattern {
        words: members.needed_text("words")?,
        operation: members.needed_text("operation")?,
        request: Value::Object(members.object("request")?),
        expect: members.object("expect")?,
        per_second: members.rate("per_second")?,
        question,
        unknown: members.rest(),
    };
    if let Some(unread) = unread {
        pattern.unknown.insert("question".to_owned(), unread);
    }
    Ok(pattern)
}

fn read_silenced(mut members: Members) -> Result<Silenced, DesignError> {
    Ok(Silenced {
        rule: members.needed_text("rule")?,
        subject: members.needed_text("subject")?,
        reason: members.needed_text("reason")?,
        unknown: members.rest(),
    })
}
