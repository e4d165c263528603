//! Building an access pattern: from plain fields, or from a request that was run.
//!
//! Invariant: every name stands behind a `#` and every value behind a `:`, so no attribute's name is too special; the
//! request decodes.
//!
//! Not here: whether the request is right, which running it shows.

use hashrange_types::{Operation, ScalarType, TableSchema};
use serde_json::{Map, Value, json};

use crate::document::AccessPattern;
use crate::expression_attributes::ExpressionAttributes;

/// How an attribute is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FormComparison {
    /// `=`
    #[default]
    Equal,
    /// `<>`, for filters alone.
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `BETWEEN`, with a second value.
    Between,
    /// `begins_with`
    BeginsWith,
    /// `contains`, for filters alone.
    Contains,
    /// `attribute_exists`, for filters alone; takes no value.
    Exists,
}

impl FormComparison {
    /// True for those a sort key may be asked with.
    pub const fn is_for_keys(self) -> bool {
        !matches!(self, Self::NotEqual | Self::Contains | Self::Exists)
    }
}

/// A condition on one attribute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FormCondition {
    /// The attribute.
    pub attribute: String,
    /// How it is compared.
    pub comparison: FormComparison,
    /// With what: text as typed.
    pub value: String,
    /// The upper end of a `BETWEEN`.
    pub second: String,
    /// The value's type, for filters; keys have the type of their table. A number's text, `true` or `false`.
    pub kind: FormKind,
}

/// The type of a value in a filter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FormKind {
    /// Text.
    #[default]
    Text,
    /// A number.
    Number,
    /// True or false.
    Truth,
}

impl FormKind {
    const fn tag(self) -> &'static str {
        match self {
            Self::Text => "S",
            Self::Number => "N",
            Self::Truth => "BOOL",
        }
    }
}

/// An attribute that is read, put or changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FormAttribute {
    /// Its name.
    pub name: String,
    /// Its value, for writes.
    pub value: String,
    /// The value's type.
    pub kind: FormKind,
}

/// An access pattern as a person fills it in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PatternForm {
    /// The question in words.
    pub words: String,
    /// `GetItem`, `Query`, `Scan`, `PutItem`, `UpdateItem` or `DeleteItem`.
    pub operation: String,
    /// The index to read; empty for the table itself.
    pub index: String,
    /// Values of the key attributes, by name.
    pub key: Vec<(String, String)>,
    /// What is asked of the sort key of a Query.
    pub sort: Option<FormCondition>,
    /// Conditions of the filter, joined by AND.
    pub filter: Vec<FormCondition>,
    /// Attributes to return, all of them if none is named; those a put item has besides its key; those an update sets.
    pub attributes: Vec<FormAttribute>,
    /// True to read strongly consistent.
    pub is_consistent: bool,
    /// True for descending sort keys.
    pub is_descending: bool,
    /// Most items to read.
    pub limit: Option<u32>,
    /// Calls a second.
    pub per_second: Option<f64>,
    /// Items the answer should have.
    pub expected_items: Option<u32>,
    /// Units it may take.
    pub units_max: Option<f64>,
}

impl FormAttribute {
    fn typed(&self) -> Result<Value, String> {
        typed(&self.name, &self.value, self.kind.tag())
    }
}

/// A condition as an expression.
fn written(
    expressions: &mut ExpressionAttributes,
    condition: &FormCondition,
    tag: &str,
) -> Result<String, String> {
    let name = expressions.name(&condition.attribute);
    if condition.comparison == FormComparison::Exists {
        return Ok(format!("attribute_exists({name})"));
    }
    let value = typed(&condition.attribute, &condition.value, tag)?;
    let value = expressions.value("v", value);
    let symbol = match condition.comparison {
        FormComparison::Equal => "=",
        FormComparison::NotEqual => "<>",
        FormComparison::Less => "<",
        FormComparison::LessOrEqual => "<=",
        FormComparison::Greater => ">",
        FormComparison::GreaterOrEqual => ">=",
        FormComparison::Between => {
            let second =
                expressions.value("v", typed(&condition.attribute, &condition.second, tag)?);
            return Ok(format!("{name} BETWEEN {value} AND {second}"));
        }
        FormComparison::BeginsWith => return Ok(format!("begins_with({name}, {value})")),
        _ => return Ok(format!("contains({name}, {value})")),
    };
    Ok(format!("{name} {symbol} {value}"))
}

/// A value of DynamoDB JSON.
fn typed(attribute: &str, text: &str, tag: &str) -> Result<Value, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(format!("{attribute} needs a value."));
    }
    let value = match (tag, text) {
        ("BOOL", "true") => json!({"BOOL": true}),
        ("BOOL", "false") => json!({"BOOL": false}),
        ("BOOL", _) => return Err(format!("{attribute} is true or false, not {text}.")),
        (tag, text) => json!({tag: text}),
    };
    hashrange_wire::value_from_json(&value)
        .map_err(|_| format!("{attribute} is a value of type {tag}, which {text} is not."))?;
    Ok(value)
}

impl PatternForm {
    /// The pattern these fields make of `table`.
    ///
    /// # Errors
    /// One sentence: the first field that is missing or does not fit.
    pub fn build(&self, table: &TableSchema) -> Result<AccessPattern, String> {
        let words = self.words.trim();
        if words.is_empty() {
            return Err(
                "Say in words what the pattern asks, such as Orders of a customer.".to_owned()
            );
        }
        let mut request = Map::new();
        request.insert("TableName".to_owned(), table.name.as_str().into());
        let mut expressions = ExpressionAttributes::default();
        match Operation::from_name(&self.operation) {
            Some(Operation::GetItem) => {
                request.insert("Key".to_owned(), self.key(table)?);
                self.read_options(&mut request, &mut expressions);
            }
            Some(Operation::DeleteItem) => {
                request.insert("Key".to_owned(), self.key(table)?);
            }
            Some(Operation::PutItem) => {
                let Value::Object(mut item) = self.key(table)? else {
                    return Err("A key is an object.".to_owned());
                };
                for attribute in &self.attributes {
                    item.insert(attribute.name.clone(), attribute.typed()?);
                }
                request.insert("Item".to_owned(), Value::Object(item));
            }
            Some(Operation::UpdateItem) => {
                request.insert("Key".to_owned(), self.key(table)?);
                let mut sets = Vec::new();
                for attribute in &self.attributes {
                    let value = expressions.value("v", attribute.typed()?);
                    sets.push(format!("{} = {value}", expressions.name(&attribute.name)));
                }
                if sets.is_empty() {
                    return Err("Say which attributes the update changes.".to_owned());
                }
                let text = format!("SET {}", sets.join(", "));
                request.insert("UpdateExpression".to_owned(), text.into());
            }
            Some(Operation::Query | Operation::Scan) => {
                self.read(table, &mut request, &mut expressions)?;
            }
            _ => return Err(format!("A form cannot make a {}.", self.operation)),
        }
        expressions.write_into(&mut request);
        Ok(AccessPattern {
            words: words.to_owned(),
            operation: self.operation.clone(),
            request: Value::Object(request),
            expect: self.expect(),
            per_second: self.per_second.filter(|rate| rate.is_finite() && *rate >= 0.0),
            ..AccessPattern::default()
        })
    }

    fn expect(&self) -> Map<String, Value> {
        let mut expect = Map::new();
        if let Some(n) = self.expected_items {
            expect.insert("Count".to_owned(), n.into());
        }
        if let Some(most) = self.units_max {
            expect.insert("units_max".to_owned(), most.into());
        }
        expect
    }

    fn value_of(&self, attribute: &str, scalar: ScalarType) -> Result<Value, String> {
        let found = self.key.iter().find(|(name, _)| name == attribute);
        typed(attribute, found.map_or("", |(_, text)| text.as_str()), scalar.letter())
    }

    fn key(&self, table: &TableSchema) -> Result<Value, String> {
        let attribute = |it: &hashrange_types::KeyAttribute| {
            let name = it.name.as_str();
            Ok((name.to_owned(), self.value_of(name, it.scalar)?))
        };
        table
            .key
            .attributes()
            .map(attribute)
            .collect::<Result<Map<_, _>, String>>()
            .map(Value::Object)
    }

    fn read(
        &self,
        table: &TableSchema,
        request: &mut Map<String, Value>,
        expressions: &mut ExpressionAttributes,
    ) -> Result<(), String> {
        let key = if self.index.is_empty() {
            &table.key
        } else {
            let index = table.index(&self.index);
            let index =
                index.ok_or_else(|| format!("{} has no index {}.", table.name, self.index))?;
            request.insert("IndexName".to_owned(), self.index.as_str().into());
            index.key
        };
        if self.operation == "Query" {
            let mut conditions = Vec::new();
            for attribute in &key.partition {
                let name = attribute.name.as_str();
                let value = expressions.value("v", self.value_of(name, attribute.scalar)?);
                conditions.push(format!("{} = {value}", expressions.name(name)));
            }
            if let Some(sort) = &self.sort {
                let attribute = key.sort.iter().find(|it| it.name.as_str() == sort.attribute);
                let attribute =
                    attribute.ok_or_else(|| format!("{} is not the sort key.", sort.attribute))?;
                if !sort.comparison.is_for_keys() {
                    return Err(format!("A key cannot be asked so; filter by {}.", sort.attribute));
                }
                conditions.push(written(expressions, sort, attribute.scalar.letter())?);
            }
            let text = conditions.join(" AND ");
            request.insert("KeyConditionExpression".to_owned(), text.into());
            if self.is_descending {
                request.insert("ScanIndexForward".to_owned(), false.into());
            }
        }
        let mut filters = Vec::new();
        for condition in &self.filter {
            filters.push(written(expressions, condition, condition.kind.tag())?);
        }
        if !filters.is_empty() {
            request.insert("FilterExpression".to_owned(), filters.join(" AND ").into());
        }
        if let Some(limit) = self.limit {
            request.insert("Limit".to_owned(), limit.into());
        }
        self.read_options(request, expressions);
        Ok(())
    }

    fn read_options(
        &self,
        request: &mut Map<String, Value>,
        expressions: &mut ExpressionAttributes,
    ) {
        let names: Vec<String> =
            self.attributes.iter().map(|it| expressions.name(&it.name)).collect();
        if !names.is_empty() {
            request.insert("ProjectionExpression".to_owned(), names.join(", ").into());
        }
        if self.is_consistent {
            request.insert("ConsistentRead".to_owned(), true.into());
        }
    }
}

/// What a request that was run says of one moment alone: it has no place in a pattern.
const OF_ONE_CALL: [&str; 4] =
    ["ExclusiveStartKey", "NextToken", "ClientRequestToken", "ReturnConsumedCapacity"];

/// A request from the history as an access pattern. Without words it is named after what it asks.
///
/// # Errors
/// One sentence if the text is no request of that operation.
pub fn keep_as_pattern(words: &str, operation: &str, text: &str) -> Result<AccessPattern, String> {
    let kind = Operation::from_name(operation)
        .ok_or_else(|| format!("There is no operation {operation}."))?;
    let decoded = hashrange_wire::decode(kind, text)
        .map_err(|error| format!("This request cannot be kept: {error}."))?;
    let mut request: Value = serde_json::from_str(text)
        .map_err(|error| format!("This request cannot be kept: {error}."))?;
    if let Some(members) = request.as_object_mut() {
        for member in OF_ONE_CALL {
            members.shift_remove(member);
        }
    }
    let words = match words.trim() {
        "" => {
            let shape = super::PatternShape::of(&decoded, &hashrange_storage::Store::default());
            let asked =
                if shape.key_condition.is_empty() { &shape.filter } else { &shape.key_condition };
            let place = shape.place();
            if asked.is_empty() {
                format!("{operation} {place}")
            } else {
                format!("{place} where {asked}")
            }
        }
        words => words.to_owned(),
    };
    Ok(AccessPattern {
        words,
        operation: operation.to_owned(),
        request,
        ..AccessPattern::default()
    })
}
