//! Starter requests of PartiQL: statements with a question mark for each value, and the values as parameters.
//!
//! Invariant: names stand in quotes, so that any name will do.

use hashrange_types::{Item, KeyAttribute, KeySchema, Operation};
use serde_json::{Map, Value};

use crate::template::{Starter, sample_key, value_of};

/// A statement being written, with its parameters.
struct Statement {
    text: String,
    parameters: Vec<Value>,
}

impl Starter<'_> {
    /// The request for one of the operations on statements.
    pub(crate) fn statements(&self, operation: Operation) -> Value {
        let key = &self.table.schema().key;
        let mut items = self.first_items(2);
        if items.is_empty() {
            items.push(sample_key(key));
        }
        let (member, statements): (&str, Vec<Value>) = match operation {
            Operation::BatchExecuteStatement => {
                let reads =
                    items.iter().map(|item| self.keyed("SELECT * FROM ", item, key).value());
                ("Statements", reads.collect())
            }
            Operation::ExecuteTransaction => {
                let like = self.first_items(1).pop();
                let insert = self.new_items(like.as_ref(), 1).first().map(|new| self.insert(new));
                let update = like.map(|item| self.update(&item));
                ("TransactStatements", insert.into_iter().chain(update).collect())
            }
            _ => return self.select().value(),
        };
        let mut request = Map::new();
        request.insert(member.to_owned(), statements.into());
        Value::Object(request)
    }

    /// The first item collection of the table or index, narrowed like a Query's.
    fn select(&self) -> Statement {
        let schema = self.table.schema();
        let index = self.index.and_then(|name| schema.index(name));
        let key = index.map_or(&schema.key, |index| index.key);
        let sample = self.first_entry(key);
        let mut statement = self.begin("SELECT * FROM ");
        if let Some(index) = self.index {
            statement.text.push('.');
            statement.name(index);
        }
        statement.pins(&key.partition, &sample);
        if let ([attribute], Some(prefix)) = (key.sort.as_slice(), self.sort_prefix(&sample, key)) {
            statement.text.push_str(" AND begins_with(");
            statement.name(attribute.name.as_str());
            statement.text.push_str(", ?)");
            let mut value = Map::new();
            value.insert("S".to_owned(), prefix.into());
            statement.parameters.push(value.into());
        }
        statement
    }

    fn begin(&self, verb: &str) -> Statement {
        let mut statement = Statement { text: verb.to_owned(), parameters: Vec::new() };
        statement.name(self.table.schema().name.as_str());
        statement
    }

    fn keyed(&self, verb: &str, item: &Item, key: &KeySchema) -> Statement {
        let mut statement = self.begin(verb);
        let attributes: Vec<KeyAttribute> = key.attributes().cloned().collect();
        statement.pins(&attributes, item);
        statement
    }

    fn insert(&self, new: &Item) -> Value {
        let mut statement = self.begin("INSERT INTO ");
        for (position, (name, value)) in new.iter().enumerate() {
            statement.text.push_str(if position == 0 { " VALUE {" } else { ", " });
            statement.text.push('\'');
            statement.text.push_str(&name.as_str().replace('\'', "''"));
            statement.text.push_str("': ?");
            statement.parameters.push(hashrange_wire::value_to_json(value));
        }
        statement.text.push('}');
        statement.value()
    }

    fn update(&self, item: &Item) -> Value {
        let (attribute, value) = self.changed_attribute(Some(item));
        let mut statement = self.begin("UPDATE ");
        statement.text.push_str(" SET ");
        statement.name(&attribute);
        statement.text.push_str(" = ?");
        statement.parameters.push(value);
        let attributes: Vec<KeyAttribute> = self.table.schema().key.attributes().cloned().collect();
        statement.pins(&attributes, item);
        statement.value()
    }
}

impl Statement {
    /// A name in double quotes.
    fn name(&mut self, name: &str) {
        self.text.push('"');
        self.text.push_str(&name.replace('"', "\"\""));
        self.text.push('"');
    }

    /// ` WHERE "PK" = ? AND "SK" = ?`.
    fn pins(&mut self, attributes: &[KeyAttribute], item: &Item) {
        for (position, attribute) in attributes.iter().enumerate() {
            self.text.push_str(if position == 0 { " WHERE " } else { " AND " });
            self.name(attribute.name.as_str());
            self.text.push_str(" = ?");
            self.parameters.push(value_of(item, attribute));
        }
    }

    fn value(self) -> Value {
        let mut request = Map::new();
        request.insert("Statement".to_owned(), self.text.into());
        request.insert("Parameters".to_owned(), self.parameters.into());
        Value::Object(request)
    }
}
