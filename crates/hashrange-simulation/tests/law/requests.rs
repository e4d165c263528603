//! Random requests about a few items of one table.

use serde_json::{Value, json};

use super::dice::Dice;
use crate::script::table;

/// Partition keys.
pub(crate) const PKS: usize = 5;
/// Sort keys of each.
pub(crate) const SKS: usize = 3;

/// What is asked: an operation and its JSON.
pub(crate) type Asked = (&'static str, Value);

/// Which requests a script has.
#[derive(Clone, Copy)]
pub(crate) struct Kinds {
    /// Hundredths of all that write.
    pub(crate) writes: usize,
    /// True if reads of the table are strongly consistent; else some are.
    pub(crate) is_strong: bool,
    /// True if some items expire.
    pub(crate) expires: bool,
}

/// Makes requests. Every write has a version of its own.
pub(crate) struct Requests {
    pub(crate) kinds: Kinds,
    pub(crate) n_versions: u32,
    /// Seconds since 1970 when the run begins.
    pub(crate) begins_at_s: i64,
}

/// The table `Orders` with `byColour`, and at random a local index `byVersion`, a stream and billing.
pub(crate) fn orders(dice: &mut Dice, provisioned: Option<u64>) -> Value {
    let mut more = json!({
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    });
    let units =
        provisioned.map(|units| json!({"ReadCapacityUnits": units, "WriteCapacityUnits": units}));
    match &units {
        Some(units) => more["ProvisionedThroughput"] = units.clone(),
        None => more["BillingMode"] = json!("PAY_PER_REQUEST"),
    }
    let mut orders = table(&more);
    if let Some(units) = units {
        orders["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"] = units;
    }
    if dice.chance(50) {
        let v = json!({"AttributeName": "v", "AttributeType": "N"});
        orders["AttributeDefinitions"].as_array_mut().expect("a list").push(v);
        orders["LocalSecondaryIndexes"] = json!([{
            "IndexName": "byVersion", "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "v", "KeyType": "RANGE"}],
        }]);
    }
    orders
}

/// The key of an item as its attributes.
pub(crate) fn key(pk: usize, sk: usize) -> Value {
    json!({"pk": {"S": format!("p{pk}")}, "sk": {"S": format!("s{sk}")}})
}

fn of_table(mut body: Value) -> Value {
    body["TableName"] = json!("Orders");
    body
}

impl Requests {
    fn version(&mut self) -> Value {
        self.n_versions += 1;
        json!({"N": self.n_versions.to_string()})
    }

    pub(crate) fn key(dice: &mut Dice) -> Value {
        key(dice.below(PKS), dice.below(SKS))
    }

    /// Different keys, one to `n`.
    fn keys(dice: &mut Dice, n: i64) -> Vec<Value> {
        let mut keys = Vec::new();
        for _ in 0..dice.between(1, n) {
            let key = Self::key(dice);
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    fn item(&mut self, dice: &mut Dice, key: Value) -> Value {
        let mut item = key;
        item["v"] = self.version();
        if dice.chance(70) {
            item["colour"] = json!({"S": dice.pick(&["red", "blue", "green"])});
        }
        if dice.chance(30) {
            let n = dice.pick(&[100, 900, 1_500, 5_000]);
            item["note"] = json!({"S": "x".repeat(n)});
        }
        if self.kinds.expires && dice.chance(40) {
            let at = self.begins_at_s + dice.pick(&[-100_i64, 1, 5, 100, 100_000_000]);
            item["gone_at"] = json!({"N": at.to_string()});
        }
        item
    }

    /// One request.
    pub(crate) fn next(&mut self, dice: &mut Dice) -> Asked {
        if dice.chance(self.kinds.writes) { self.write(dice) } else { self.read(dice) }
    }

    fn write(&mut self, dice: &mut Dice) -> Asked {
        let capacity = dice.pick(&["NONE", "TOTAL", "INDEXES"]);
        let (operation, mut body) = match dice.below(20) {
            0..=5 => {
                let key = Self::key(dice);
                let mut body = of_table(json!({"Item": self.item(dice, key)}));
                if dice.chance(20) {
                    body["ConditionExpression"] = json!("attribute_not_exists(pk)");
                }
                ("PutItem", body)
            }
            6..=8 => ("UpdateItem", self.update(dice)),
            9..=10 => {
                let body = json!({"Key": Self::key(dice), "ReturnValues": "ALL_OLD"});
                ("DeleteItem", of_table(body))
            }
            11..=13 => ("BatchWriteItem", self.batch(dice)),
            14..=16 => ("TransactWriteItems", self.transaction(dice)),
            17..=18 => {
                let key = Self::key(dice);
                ("ExecuteStatement", self.statement(dice, &key))
            }
            _ => {
                let keys = Self::keys(dice, 4).into_iter();
                let statements: Vec<Value> = keys.map(|key| self.statement(dice, &key)).collect();
                ("BatchExecuteStatement", json!({"Statements": statements}))
            }
        };
        body["ReturnConsumedCapacity"] = json!(capacity);
        (operation, body)
    }

    fn update(&mut self, dice: &mut Dice) -> Value {
        let colour = dice.pick(&["red", "blue"]);
        let (expression, values) = match dice.below(3) {
            0 => ("SET v = :v, colour = :c", json!({":v": self.version(), ":c": {"S": colour}})),
            1 => ("SET v = :v REMOVE colour, note", json!({":v": self.version()})),
            _ => ("SET v = :v ADD n :one", json!({":v": self.version(), ":one": {"N": "1"}})),
        };
        of_table(json!({"Key": Self::key(dice), "UpdateExpression": expression,
            "ExpressionAttributeValues": values, "ReturnValues": "ALL_NEW"}))
    }

    fn batch(&mut self, dice: &mut Dice) -> Value {
        let keys = Self::keys(dice, 5);
        let writes: Vec<Value> = keys
            .into_iter()
            .map(|key| {
                if dice.chance(25) {
                    json!({"DeleteRequest": {"Key": key}})
                } else {
                    json!({"PutRequest": {"Item": self.item(dice, key)}})
                }
            })
            .collect();
        json!({"RequestItems": {"Orders": writes}})
    }

    fn transaction(&mut self, dice: &mut Dice) -> Value {
        let keys = Self::keys(dice, 4);
        let actions: Vec<Value> = keys
            .into_iter()
            .map(|key| match dice.below(5) {
                0 => json!({"Delete": {"TableName": "Orders", "Key": key}}),
                1 => json!({"ConditionCheck": {"TableName": "Orders", "Key": key,
                    "ConditionExpression": "attribute_not_exists(zz)"}}),
                2 => json!({"Update": {"TableName": "Orders", "Key": key, "UpdateExpression": "SET v = :v",
                    "ExpressionAttributeValues": {":v": self.version()}}}),
                _ => json!({"Put": {"TableName": "Orders", "Item": self.item(dice, key)}}),
            })
            .collect();
        let mut body = json!({"TransactItems": actions});
        if dice.chance(30) {
            body["ClientRequestToken"] = json!(format!("t{}", self.version()["N"]));
        }
        body
    }

    fn statement(&mut self, dice: &mut Dice, key: &Value) -> Value {
        let [pk, sk] = ["pk", "sk"].map(|name| key[name]["S"].as_str().expect("text"));
        let version = self.version()["N"].as_str().expect("text").to_owned();
        let statement = match dice.below(3) {
            0 => format!(
                "INSERT INTO Orders VALUE {{'pk': '{pk}', 'sk': '{sk}', 'v': {version}, 'colour': 'red'}}"
            ),
            1 => format!("UPDATE Orders SET v = {version} WHERE pk = '{pk}' AND sk = '{sk}'"),
            _ => format!("DELETE FROM Orders WHERE pk = '{pk}' AND sk = '{sk}'"),
        };
        json!({"Statement": statement})
    }

    fn read(&mut self, dice: &mut Dice) -> Asked {
        let is_strong = self.kinds.is_strong || dice.chance(40);
        let (operation, body) = match dice.below(12) {
            0..=3 => ("GetItem", of_table(json!({"Key": Self::key(dice)}))),
            4..=5 => ("Query", of_table(query(dice.below(PKS)))),
            6 => ("Scan", of_table(json!({}))),
            7 => {
                let keys = Self::keys(dice, 5);
                return (
                    "BatchGetItem",
                    json!({"RequestItems":
                    {"Orders": {"Keys": keys, "ConsistentRead": is_strong}}}),
                );
            }
            8 => {
                let gets = Self::keys(dice, 4).into_iter();
                let gets: Vec<Value> =
                    gets.map(|key| json!({"Get": {"TableName": "Orders", "Key": key}})).collect();
                return ("TransactGetItems", json!({"TransactItems": gets}));
            }
            9 => {
                let statement = format!("SELECT * FROM Orders WHERE pk = 'p{}'", dice.below(PKS));
                ("ExecuteStatement", json!({"Statement": statement}))
            }
            _ if self.kinds.is_strong => ("Query", of_table(query(dice.below(PKS)))),
            _ => {
                return (
                    "Query",
                    of_table(json!({"IndexName": "byColour",
                "KeyConditionExpression": "colour = :c",
                "ExpressionAttributeValues": {":c": {"S": dice.pick(&["red", "blue"])}}})),
                );
            }
        };
        let mut body = body;
        body["ConsistentRead"] = json!(is_strong);
        body["ReturnConsumedCapacity"] = json!(dice.pick(&["NONE", "TOTAL"]));
        (operation, body)
    }
}

/// Query of an item collection.
pub(crate) fn query(pk: usize) -> Value {
    json!({"KeyConditionExpression": "pk = :p",
        "ExpressionAttributeValues": {":p": {"S": format!("p{pk}")}}})
}
