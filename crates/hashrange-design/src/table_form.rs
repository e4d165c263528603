//! `TableForm`: a table's keys and indexes as plain fields, and the CreateTable request they stand for.
//!
//! Invariant: what is read of a request and written into it again leaves the request as it was, apart from the order
//! of its members; members that the form does not show (tags, table class) stay.
//!
//! Not here: whether DynamoDB accepts the table (`hashrange-engine`).

use serde_json::{Map, Value, json};

/// A key attribute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyField {
    /// The attribute's name.
    pub name: String,
    /// Its type: `S`, `N` or `B`.
    pub scalar: String,
}

impl KeyField {
    /// A text attribute.
    pub fn text(name: &str) -> Self {
        Self { name: name.to_owned(), scalar: "S".to_owned() }
    }
}

/// What an index holds beside the keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ProjectionForm {
    /// `KEYS_ONLY`.
    KeysOnly,
    /// `INCLUDE` these attributes.
    Include(Vec<String>),
    /// `ALL`.
    #[default]
    All,
}

/// A secondary index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexForm {
    /// Its name.
    pub name: String,
    /// True for a local index, which has its table's partition key.
    pub is_local: bool,
    /// Partition key attributes: one, or up to four for a global index.
    pub partition: Vec<KeyField>,
    /// Sort key attributes: none, one, or up to four for a global index.
    pub sort: Vec<KeyField>,
    /// What it holds beside the keys.
    pub projection: ProjectionForm,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableForm {
    /// Its name.
    pub name: String,
    /// Its partition key.
    pub partition: KeyField,
    /// Its sort key, if it has one.
    pub sort: Option<KeyField>,
    /// Read and write units a second; none for on-demand.
    pub provisioned: Option<(u64, u64)>,
    /// Its stream's view type, if it has a stream.
    pub stream: Option<String>,
    /// Its indexes, local ones first.
    pub indexes: Vec<IndexForm>,
}

impl TableForm {
    /// The form of a CreateTable request. What the request lacks is empty in the form.
    ///
    /// ```
    /// # use hashrange_design::table_form::TableForm;
    /// let table = serde_json::json!({"TableName": "T",
    ///     "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    ///     "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "N"}]});
    /// let form = TableForm::of(&table);
    /// assert_eq!((form.partition.name.as_str(), form.partition.scalar.as_str()), ("pk", "N"));
    /// ```
    pub fn of(table: &Value) -> Self {
        let (mut partition, mut sort) = keys(table, table);
        let throughput = &table["ProvisionedThroughput"];
        let units = |name: &str| throughput[name].as_u64();
        let mut indexes = Vec::new();
        for (list, is_local) in [("LocalSecondaryIndexes", true), ("GlobalSecondaryIndexes", false)]
        {
            for index in list_of(table, list) {
                indexes.push(index_form(table, index, is_local));
            }
        }
        Self {
            name: text(table, "TableName"),
            partition: partition.pop().unwrap_or_default(),
            sort: sort.pop(),
            provisioned: units("ReadCapacityUnits")
                .zip(units("WriteCapacityUnits"))
                .filter(|_| table["BillingMode"] != "PAY_PER_REQUEST"),
            stream: table["StreamSpecification"]["StreamViewType"].as_str().map(str::to_owned),
            indexes,
        }
    }

    /// The form as a CreateTable request. `table` is the request so far, whose other members are kept; `Value::Null`
    /// for a new table.
    ///
    /// # Errors
    /// One sentence where an attribute has two types.
    pub fn write_into(&self, table: &Value) -> Result<Value, String> {
        let mut members = table.as_object().cloned().unwrap_or_default();
        let known: Vec<Value> = list_of(table, "GlobalSecondaryIndexes").cloned().collect();
        for name in [
            "LocalSecondaryIndexes",
            "GlobalSecondaryIndexes",
            "StreamSpecification",
            "ProvisionedThroughput",
        ] {
            members.shift_remove(name);
        }
        members.insert("TableName".to_owned(), Value::from(self.name.as_str()));
        members.insert("AttributeDefinitions".to_owned(), self.definitions()?);
        let sort: Vec<KeyField> = self.sort.iter().cloned().collect();
        let own = key_schema(std::slice::from_ref(&self.partition), &sort);
        members.insert("KeySchema".to_owned(), own);
        for (list, is_local) in [("LocalSecondaryIndexes", true), ("GlobalSecondaryIndexes", false)]
        {
            let indexes: Vec<Value> = self
                .indexes
                .iter()
                .filter(|index| index.is_local == is_local)
                .map(|index| self.index_value(index, &known))
                .collect();
            if !indexes.is_empty() {
                members.insert(list.to_owned(), Value::Array(indexes));
            }
        }
        let mode = if self.provisioned.is_some() { "PROVISIONED" } else { "PAY_PER_REQUEST" };
        members.insert("BillingMode".to_owned(), Value::from(mode));
        if let Some((read, write)) = self.provisioned {
            members.insert("ProvisionedThroughput".to_owned(), throughput(read, write));
        }
        if let Some(view) = &self.stream {
            let stream = json!({"StreamEnabled": true, "StreamViewType": view});
            members.insert("StreamSpecification".to_owned(), stream);
        }
        Ok(Value::Object(members))
    }

    /// The index called `name`.
    pub fn index(&self, name: &str) -> Option<&IndexForm> {
        self.indexes.iter().find(|index| index.name == name)
    }

    /// All key attributes, each once, in the order of their first use.
    ///
    /// # Errors
    /// One sentence where an attribute has two types.
    pub fn key_fields(&self) -> Result<Vec<&KeyField>, String> {
        let own = std::iter::once(&self.partition).chain(&self.sort);
        let indexed =
            self.indexes.iter().flat_map(|index| index.partition.iter().chain(&index.sort));
        let mut fields: Vec<&KeyField> = Vec::new();
        for field in own.chain(indexed) {
            match fields.iter().find(|known| known.name == field.name) {
                None => fields.push(field),
                Some(known) if known.scalar == field.scalar => {}
                Some(known) => {
                    return Err(format!(
                        "The key attribute {} is {} in one place and {} in another: an attribute of a table's keys \
                         has one type. Choose one of them.",
                        field.name, known.scalar, field.scalar
                    ));
                }
            }
        }
        Ok(fields)
    }

    fn definitions(&self) -> Result<Value, String> {
        let define =
            |field: &KeyField| json!({"AttributeName": field.name, "AttributeType": field.scalar});
        Ok(self.key_fields()?.into_iter().map(define).collect())
    }

    fn index_value(&self, index: &IndexForm, known: &[Value]) -> Value {
        let mut value = Map::new();
        value.insert("IndexName".to_owned(), Value::from(index.name.as_str()));
        value.insert("KeySchema".to_owned(), key_schema(&index.partition, &index.sort));
        let projection = match &index.projection {
            ProjectionForm::KeysOnly => json!({"ProjectionType": "KEYS_ONLY"}),
            ProjectionForm::All => json!({"ProjectionType": "ALL"}),
            ProjectionForm::Include(names) => {
                json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names})
            }
        };
        value.insert("Projection".to_owned(), projection);
        if let Some((read, write)) = self.provisioned.filter(|_| !index.is_local) {
            let own = known.iter().find(|known| known["IndexName"] == index.name.as_str());
            let own = own.and_then(|own| own.get("ProvisionedThroughput")).cloned();
            let units = own.unwrap_or_else(|| throughput(read, write));
            value.insert("ProvisionedThroughput".to_owned(), units);
        }
        Value::Object(value)
    }
}

fn throughput(read: u64, write: u64) -> Value {
    json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write})
}

fn key_schema(partition: &[KeyField], sort: &[KeyField]) -> Value {
    let element =
        |field: &KeyField, role: &str| json!({"AttributeName": field.name, "KeyType": role});
    let mut elements: Vec<Value> = Vec::new();
    elements.extend(partition.iter().map(|field| element(field, "HASH")));
    elements.extend(sort.iter().map(|field| element(field, "RANGE")));
    Value::Array(elements)
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

fn list_of<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value[name].as_array().into_iter().flatten()
}

/// Partition and sort attributes of the KeySchema in `at`, typed by the definitions of `table`.
fn keys(table: &Value, at: &Value) -> (Vec<KeyField>, Vec<KeyField>) {
    let (mut partition, mut sort) = (Vec::new(), Vec::new());
    for element in list_of(at, "KeySchema") {
        let name = text(element, "AttributeName");
        let definition = list_of(table, "AttributeDefinitions")
            .find(|definition| definition["AttributeName"] == name.as_str());
        let scalar = definition.map(|found| text(found, "AttributeType")).unwrap_or_default();
        let to = if element["KeyType"] == "HASH" { &mut partition } else { &mut sort };
        to.push(KeyField { name, scalar });
    }
    (partition, sort)
}

fn index_form(table: &Value, index: &Value, is_local: bool) -> IndexForm {
    let (partition, sort) = keys(table, index);
    let projection = &index["Projection"];
    IndexForm {
        name: text(index, "IndexName"),
        is_local,
        partition,
        sort,
        projection: match projection["ProjectionType"].as_str() {
            Some("KEYS_ONLY") => ProjectionForm::KeysOnly,
            Some("INCLUDE") => ProjectionForm::Include(
                list_of(projection, "NonKeyAttributes")
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect(),
            ),
            _ => ProjectionForm::All,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders() -> Value {
        json!({
            "TableName": "Orders",
            "AttributeDefinitions": [
                {"AttributeName": "PK", "AttributeType": "S"},
                {"AttributeName": "SK", "AttributeType": "S"},
                {"AttributeName": "day", "AttributeType": "N"},
                {"AttributeName": "team", "AttributeType": "S"},
            ],
            "KeySchema": [
                {"AttributeName": "PK", "KeyType": "HASH"},
                {"AttributeName": "SK", "KeyType": "RANGE"},
            ],
            "LocalSecondaryIndexes": [{
                "IndexName": "byDay",
                "KeySchema": [
                    {"AttributeName": "PK", "KeyType": "HASH"},
                    {"AttributeName": "day", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["total"]},
            }],
            "GlobalSecondaryIndexes": [{
                "IndexName": "byTeam",
                "KeySchema": [{"AttributeName": "team", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
                "ProvisionedThroughput": {"ReadCapacityUnits": 7, "WriteCapacityUnits": 8},
            }],
            "BillingMode": "PROVISIONED",
            "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
            "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"},
            "TableClass": "STANDARD",
        })
    }

    #[test]
    fn a_request_read_and_written_again_is_the_same() {
        let table = orders();
        let form = TableForm::of(&table);
        assert_eq!(form.provisioned, Some((5, 6)));
        assert_eq!(form.index("byDay").map(|index| index.is_local), Some(true));
        assert_eq!(form.write_into(&table), Ok(table));
    }

    #[test]
    fn what_only_a_removed_index_used_is_defined_no_more() {
        let table = orders();
        let mut form = TableForm::of(&table);
        form.indexes.retain(|index| index.name != "byTeam");
        let written = form.write_into(&table).unwrap();
        assert!(written.get("GlobalSecondaryIndexes").is_none());
        let names: Vec<String> =
            list_of(&written, "AttributeDefinitions").map(|it| text(it, "AttributeName")).collect();
        assert_eq!(names, ["PK", "SK", "day"]);
        assert_eq!(written["TableClass"], "STANDARD");
    }

    #[test]
    fn an_attribute_of_two_types_is_refused() {
        let mut form = TableForm::of(&orders());
        form.indexes[0].sort[0].name = "team".to_owned();
        let refusal = form.write_into(&Value::Null).unwrap_err();
        assert!(refusal.starts_with("The key attribute team is N in one place and S in another"));
    }
}
