//! `Repeated`: a load's request for one item, planned once and made ready for each sending.
//!
//! Invariant: what comes of it is what comes of the request that its template binds.

use hashrange_engine::{Plan, Prepared, plan};
use hashrange_storage::Store;
use hashrange_types::{ApiError, Item, Request};

use crate::random::Random;
use crate::template::{Binding, Pieces, Template};

/// A request that is sent over and over.
#[derive(Debug, Clone)]
pub(crate) struct Repeated {
    template: Template,
    /// True if a read is strongly consistent unless something else is said.
    is_consistent: bool,
    /// The item or key as it was sent last.
    item: Item,
    /// Which of its attributes have slots; none where slots are elsewhere too.
    slots: Option<Vec<(usize, Pieces)>>,
    prepared: Option<Prepared>,
    /// What was planned anew.
    planned: Option<Plan>,
}

impl Repeated {
    /// The template, if it is one of a request for one item.
    pub(crate) fn new(template: &Template) -> Option<Self> {
        let item = item_of(template.request())?.clone();
        let slots = template.slots_of(&item);
        let request = template.request();
        let is_consistent = matches!(request, Request::GetItem(get) if get.consistent_read);
        let template = template.clone();
        Some(Self { template, is_consistent, item, slots, prepared: None, planned: None })
    }

    /// The plan of one sending.
    ///
    /// # Errors
    /// The first rule that the request breaks.
    pub(crate) fn plan(&mut self, store: &Store, binding: &Binding) -> Result<&Plan, ApiError> {
        self.bind(binding);
        if !self.prepared.as_ref().is_some_and(|prepared| prepared.is_of(store)) {
            return self.plan_anew(store, binding);
        }
        let is_consistent = binding.is_consistent.unwrap_or(self.is_consistent);
        let prepared = self.prepared.as_mut().expect("it was just looked at");
        prepared.about(&self.item, is_consistent)
    }

    fn bind(&mut self, binding: &Binding) {
        let mut random = Random::new(binding.seed);
        let mut values = self.item.values_mut().enumerate();
        for (position, pieces) in self.slots.iter().flatten() {
            if let Some((_, value)) = values.find(|(other, _)| other == position) {
                *value = pieces.filled(0, binding, &mut random);
            }
        }
    }

    fn plan_anew(&mut self, store: &Store, binding: &Binding) -> Result<&Plan, ApiError> {
        let planned = plan(store, *self.template.bind(binding))?;
        if self.slots.is_some() {
            self.prepared = Prepared::new(store, self.template.operation(), planned.clone());
        }
        Ok(self.planned.insert(planned))
    }
}

/// PutItem's item, the others' key.
fn item_of(request: &Request) -> Option<&Item> {
    let item = match request {
        Request::GetItem(request) => &request.key,
        Request::PutItem(request) => &request.item,
        Request::UpdateItem(request) => &request.key,
        Request::DeleteItem(request) => &request.key,
        _ => return None,
    };
    item.as_ref().ok()
}

#[cfg(test)]
mod tests {
    use hashrange_engine::Database;
    use hashrange_types::{Operation, Timestamp};
    use hashrange_wire::decode;
    use serde_json::{Value, json};

    use super::*;

    fn request(operation: Operation, body: &Value) -> Request {
        decode(operation, &body.to_string()).unwrap()
    }

    fn create(database: &mut Database, sort: &str) {
        let table = json!({
            "TableName": "Table", "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"},
            ],
            "AttributeDefinitions": [
                {"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": sort, "AttributeType": "S"},
                {"AttributeName": "g", "AttributeType": "S"},
            ],
            "GlobalSecondaryIndexes": [{
                "IndexName": "by-group", "Projection": {"ProjectionType": "ALL"},
                "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            }],
        });
        database.call(request(Operation::CreateTable, &table), Timestamp(0)).reply.unwrap();
    }

    fn requests() -> Vec<Request> {
        let key = json!({"pk": {"S": "a#{key}"}, "sk": {"S": "{time}"}});
        let odd = json!({"pk": {"S": "{n}"}, "sk": {"S": "x".repeat(1_020) + "{n*n*n}"}});
        let mut requests = Vec::new();
        for key in [&key, &odd] {
            let mut item = key.clone();
            item["note"] = json!({"L": [{"M": {"x": {"S": "deep"}}}]});
            item["g"] = json!({"S": "{random:3}"});
            let get =
                json!({"TableName": "Table", "Key": key, "ProjectionExpression": "pk, note[0].x"});
            requests.push(request(Operation::GetItem, &get));
            requests.push(request(Operation::GetItem, &json!({"TableName": "Table", "Key": key})));
            let condition = "attribute_not_exists(pk)";
            let put = json!({"TableName": "Table", "Item": item, "ConditionExpression": condition});
            requests.push(request(Operation::PutItem, &put));
            item["deep"] = json!({"L": [{"S": "{n}"}]});
            requests
                .push(request(Operation::PutItem, &json!({"TableName": "Table", "Item": item})));
            let update = json!({
                "TableName": "Table", "Key": key, "UpdateExpression": "ADD n :n SET m = :m",
                "ExpressionAttributeValues": {":n": {"N": "1"}, ":m": {"S": "fixed"}},
            });
            requests.push(request(Operation::UpdateItem, &update));
            let bound = json!({
                "TableName": "Table", "Key": key, "UpdateExpression": "SET m = :m",
                "ExpressionAttributeValues": {":m": {"S": "{n}"}},
            });
            requests.push(request(Operation::UpdateItem, &bound));
            requests
                .push(request(Operation::DeleteItem, &json!({"TableName": "Table", "Key": key})));
        }
        requests
    }

    #[test]
    fn what_is_prepared_is_what_is_planned() {
        let mut tables = vec![Database::default(); 3];
        create(&mut tables[1], "sk");
        create(&mut tables[2], "other");
        let mut n_refused = 0;
        for asked in requests() {
            let template = Template::new(asked, None).unwrap();
            let mut repeated = Repeated::new(&template).unwrap();
            for n in 0..300_u64 {
                let step = usize::try_from(n).unwrap();
                let table = &tables[[1, 1, 1, 1, 1, 0, 1, 1, 2, 1][step / 7 % 10]];
                let binding = Binding {
                    key: n % 5,
                    running: n * (n % 4),
                    at: Timestamp(i64::try_from(n * n).unwrap()),
                    seed: n,
                    is_consistent: [None, Some(true), Some(false)][step % 3],
                    ..Binding::default()
                };
                let planned = plan(table.store(), *template.bind(&binding));
                n_refused += u32::from(planned.is_err());
                let prepared = repeated.plan(table.store(), &binding);
                assert_eq!(
                    format!("{prepared:?}"),
                    format!("{:?}", planned.as_ref()),
                    "{binding:?}"
                );
            }
        }
        assert!(n_refused > 300, "{n_refused}");
    }
}
