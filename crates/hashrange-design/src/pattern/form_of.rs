//! An access pattern read back into plain fields, where its request says no more than a form can.
//!
//! Invariant: the pattern that the fields build says what the one they were read of said, member for member.
//!
//! Not here: the fields and building a request of them ([`super::form`]).

use hashrange_expressions::{
    Comparator, Condition, Operand, SetValue, Substitutions, UpdateAction, UpdateOperand,
    parse_condition, parse_projection, parse_update,
};
use hashrange_storage::Store;
use hashrange_types::operation::{ExpressionNames, ExpressionValues, ReadRequest};
use hashrange_types::{AttributeValue, ExpressionParameter, Item, Operation, Request, TableSchema};
use serde_json::Value;

use super::PatternShape;
use super::form::{FormAttribute, FormComparison, FormCondition, FormKind, PatternForm};
use super::shape::written;
use crate::document::AccessPattern;
use crate::words;

impl PatternForm {
    /// The fields of a pattern of `table`; none where its request says what a form cannot.
    pub fn of(pattern: &AccessPattern, table: &TableSchema) -> Option<Self> {
        let operation = Operation::from_name(&pattern.operation)?;
        let decode = |request: &Value| hashrange_wire::decode(operation, &request.to_string()).ok();
        let request = decode(&pattern.request)?;
        let mut form = Self {
            words: pattern.words.clone(),
            operation: pattern.operation.clone(),
            per_second: pattern.per_second,
            expected_items: pattern
                .expect
                .get("Count")
                .and_then(Value::as_u64)
                .and_then(|n| u32::try_from(n).ok()),
            units_max: pattern.expect.get("units_max").and_then(Value::as_f64),
            ..Self::default()
        };
        form.read_request(&request, table)?;
        // Words are all the form lacks of a new pattern, and no reason to show JSON instead.
        let words = if form.words.trim().is_empty() { "x" } else { &form.words };
        let built = Self { words: words.to_owned(), ..form.clone() }.build(table).ok()?;
        let again = decode(&built.request)?;
        let is_same =
            said(&request) == said(&again) && members(&pattern.request) == members(&built.request);
        is_same.then_some(form)
    }

    fn read_request(&mut self, request: &Request, table: &TableSchema) -> Option<()> {
        let key_of = |item: &Item| -> Vec<(String, String)> {
            item.iter().map(|(name, value)| (name.to_string(), words::value(value))).collect()
        };
        match request {
            Request::GetItem(it) => {
                self.key = key_of(it.key.as_ref().ok()?);
                self.is_consistent = it.consistent_read;
                self.attributes =
                    projected(it.projection_expression.as_deref(), it.names.as_ref())?;
            }
            Request::DeleteItem(it) => self.key = key_of(it.key.as_ref().ok()?),
            Request::PutItem(it) => {
                for (name, value) in it.item.as_ref().ok()? {
                    if table.key.contains(name.as_str()) {
                        self.key.push((name.to_string(), words::value(value)));
                    } else {
                        self.attributes.push(attribute(name.as_str(), value)?);
                    }
                }
            }
            Request::UpdateItem(it) => {
                self.key = key_of(it.key.as_ref().ok()?);
                let mut substitutions =
                    Substitutions::new(it.names.as_ref(), it.values.as_ref()).ok()?;
                let update =
                    parse_update(it.update_expression.as_deref()?, &mut substitutions).ok()?;
                for action in update.actions() {
                    let UpdateAction::Set {
                        path,
                        value: SetValue::Operand(UpdateOperand::Value(value)),
                    } = action
                    else {
                        return None;
                    };
                    let name = path.is_top_level().then(|| path.attribute.as_str())?;
                    self.attributes.push(attribute(name, value)?);
                }
            }
            Request::Query(it) => {
                self.is_descending = !it.scan_index_forward;
                self.read_options_of(&it.read)?;
                let key = match &it.read.index {
                    Some(index) => table.index(index.as_str())?.key,
                    None => &table.key,
                };
                for asked in conditions(it.key_condition_expression.as_deref(), &it.read)? {
                    if key.partition.iter().any(|known| known.name.as_str() == asked.attribute) {
                        self.key.push((asked.attribute, asked.value));
                    } else if self.sort.replace(asked).is_some() {
                        return None;
                    }
                }
            }
            Request::Scan(it) => self.read_options_of(&it.read)?,
            _ => return None,
        }
        Some(())
    }

    fn read_options_of(&mut self, read: &ReadRequest) -> Option<()> {
        self.index = read.index.as_ref().map(ToString::to_string).unwrap_or_default();
        self.limit = read.limit;
        self.is_consistent = read.consistent_read;
        self.filter = conditions(read.filter_expression.as_deref(), read)?;
        self.attributes = projected(read.projection_expression.as_deref(), read.names.as_ref())?;
        Some(())
    }
}

/// What a request says, its update included.
fn said(request: &Request) -> (PatternShape, String) {
    let update = match request {
        Request::UpdateItem(it) => {
            written(it.update_expression.as_deref(), it.names.as_ref(), it.values.as_ref())
        }
        Request::PutItem(it) => it.item.as_ref().map(words::key).unwrap_or_default(),
        _ => String::new(),
    };
    (PatternShape::of(request, &Store::default()), update)
}

/// The names of a request's members, in order.
fn members(request: &Value) -> Vec<&str> {
    let members = request.as_object().into_iter().flat_map(|members| members.keys());
    let mut names: Vec<&str> = members.map(String::as_str).collect();
    hashrange_types::sorted::sort(&mut names);
    // Names and values that stand in expressions come and go with how an expression is written.
    names.retain(|name| !name.starts_with("ExpressionAttribute"));
    names
}

fn attribute(name: &str, value: &AttributeValue) -> Option<FormAttribute> {
    let (kind, text) = typed(value)?;
    Some(FormAttribute { name: name.to_owned(), value: text, kind })
}

fn typed(value: &AttributeValue) -> Option<(FormKind, String)> {
    Some(match value {
        AttributeValue::S(text) => (FormKind::Text, text.to_string()),
        AttributeValue::N(number) => (FormKind::Number, number.to_string()),
        AttributeValue::Bool(truth) => (FormKind::Truth, truth.to_string()),
        _ => return None,
    })
}

fn projected(text: Option<&str>, names: Option<&ExpressionNames>) -> Option<Vec<FormAttribute>> {
    let Some(text) = text else { return Some(Vec::new()) };
    let mut substitutions = Substitutions::new(names, None).ok()?;
    let paths = parse_projection(text, &mut substitutions).ok()?;
    let name = |path: &hashrange_types::DocumentPath| {
        let name = path.attribute.to_string();
        path.is_top_level().then(|| FormAttribute { name, ..FormAttribute::default() })
    };
    paths.paths().iter().map(name).collect()
}

/// The conditions that AND joins.
fn conditions(text: Option<&str>, read: &ReadRequest) -> Option<Vec<FormCondition>> {
    let Some(text) = text else { return Some(Vec::new()) };
    let values: Option<&ExpressionValues> = read.values.as_ref();
    let mut substitutions = Substitutions::new(read.names.as_ref(), values).ok()?;
    let condition = parse_condition(ExpressionParameter::Filter, text, &mut substitutions).ok()?;
    let mut found = Vec::new();
    gather(&condition, &mut found)?;
    Some(found)
}

fn gather(condition: &Condition, found: &mut Vec<FormCondition>) -> Option<()> {
    let one = |operand: &Operand, comparison, value: &Operand| {
        let (Operand::Path(path), Operand::Value(value)) = (operand, value) else { return None };
        let (kind, value) = typed(value)?;
        let attribute = path.is_top_level().then(|| path.attribute.to_string())?;
        Some(FormCondition { attribute, comparison, value, kind, ..FormCondition::default() })
    };
    found.push(match condition {
        Condition::All(all) => {
            for condition in all {
                gather(condition, found)?;
            }
            return Some(());
        }
        Condition::Compare { comparator, left, right } => {
            let comparison = match comparator {
                Comparator::Equal => FormComparison::Equal,
                Comparator::NotEqual => FormComparison::NotEqual,
                Comparator::Less => FormComparison::Less,
                Comparator::LessOrEqual => FormComparison::LessOrEqual,
                Comparator::Greater => FormComparison::Greater,
                Comparator::GreaterOrEqual => FormComparison::GreaterOrEqual,
            };
            one(left, comparison, right)?
        }
        Condition::Between { operand, lower, upper } => {
            let upper = one(operand, FormComparison::Between, upper)?;
            FormCondition { second: upper.value, ..one(operand, FormComparison::Between, lower)? }
        }
        Condition::BeginsWith { operand, prefix } => {
            one(operand, FormComparison::BeginsWith, prefix)?
        }
        Condition::Contains { operand, member } => one(operand, FormComparison::Contains, member)?,
        Condition::AttributeExists(path) if path.is_top_level() => FormCondition {
            attribute: path.attribute.to_string(),
            comparison: FormComparison::Exists,
            ..FormCondition::default()
        },
        _ => return None,
    });
    Some(())
}
