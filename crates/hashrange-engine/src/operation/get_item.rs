//! GetItem: read one item by its key.
//!
//! Invariant: the whole item is paid for, whatever the projection; a missing one costs the least there is.
//!
//! Source: facts 2.2 and 3.2.

use hashrange_expressions::ProjectionPaths;
use hashrange_storage::{Row, Store};
use hashrange_types::operation::{
    ConsumedCapacity, GetItemRequest, GetItemResponse, ReturnConsumedCapacity,
};
use hashrange_types::{
    ApiError, CapacityUnits, EncodedKey, Item, Response, TableReference, TableSchema, Timestamp,
    ValidationError,
};

use crate::capacity::read_units;
use crate::outcome::{Evaluated, Outcome};
use crate::read_validation::{bind_lone_projection, check_projected_keys, check_projection_styles};
use crate::validation::{encode_key, find_table};

/// A checked GetItem.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) table: TableReference,
    pub(crate) key: EncodedKey,
    pub(crate) is_consistent: bool,
    pub(crate) projection: Option<ProjectionPaths>,
    pub(crate) shown: ReturnConsumedCapacity,
}

/// Checks a GetItem in DynamoDB's order.
pub(crate) fn plan(store: &Store, request: GetItemRequest) -> Result<Plan, ApiError> {
    let GetItemRequest { projection_expression, attributes_to_get, names, .. } = &request;
    check_projection_styles(
        projection_expression.is_some(),
        attributes_to_get.is_some(),
        names.is_some(),
    )?;
    let key = request.key.clone()?;
    let projection = bind_lone_projection(
        projection_expression.as_deref(),
        attributes_to_get.as_deref(),
        names.as_ref(),
    )?;
    let schema = find_table(store, &request.table)?.schema();
    check_projected_keys(projection.as_ref(), schema)?;
    let key = encode_key(&schema.key, &key).map_err(|error| error.at_member(&["Key"]))?;
    Ok(Plan {
        table: request.table,
        key,
        is_consistent: request.consistent_read,
        projection,
        shown: request.return_consumed_capacity,
    })
}

impl Plan {
    /// Makes it the plan of the same request for another key.
    pub(crate) fn fit(&mut self, schema: &TableSchema, key: &Item) -> Result<(), ValidationError> {
        self.key = encode_key(&schema.key, key).map_err(|error| error.at_member(&["Key"]))?;
        Ok(())
    }
}

/// Reads the item.
pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    let Some(table) = store.table(plan.table.name.as_str()) else {
        return Outcome::free(Err(ApiError::ResourceNotFound));
    };
    answer(plan, table.get(&plan.key))
}

/// Answers with the item as it is there.
pub(crate) fn answer(plan: &Plan, row: Option<&Row>) -> Outcome {
    let size_bytes = row.map_or(0, |row| u64::from(row.size_bytes));
    let consumed = ConsumedCapacity {
        table_name: plan.table.given.clone(),
        table: read_units(size_bytes, plan.is_consistent),
        local_indexes: Vec::new(),
        global_indexes: Vec::new(),
        failed: CapacityUnits::ZERO,
        is_write: false,
        shown: plan.shown,
    };
    let n_found = u32::from(row.is_some());
    let found_key = row.map(|_| plan.key.clone());
    let evaluated = Evaluated {
        n_examined: n_found,
        n_returned: n_found,
        bytes_examined: size_bytes,
        bytes_returned: size_bytes,
        first_key: found_key.clone(),
        last_key: found_key,
        n_partitions: 1,
        page_end: None,
    };
    let item = row.map(|row| match &plan.projection {
        Some(paths) => paths.project(&row.item),
        None => row.item.clone(),
    });
    let reply = Ok(Response::GetItem(GetItemResponse { item, consumed: consumed.clone() }));
    Outcome { consumed: vec![consumed], evaluated, ..Outcome::free(reply) }
}

#[cfg(test)]
mod tests {
    use hashrange_types::{CapacityUnits, Request};

    use super::*;
    use crate::read_fixture::{Shelf, item, n, s, schema, schema_with_key, table_reference};

    fn get(key: Item) -> GetItemRequest {
        GetItemRequest {
            table: table_reference(),
            key: Ok(key),
            consistent_read: false,
            projection_expression: None,
            attributes_to_get: None,
            names: None,
            return_consumed_capacity: ReturnConsumedCapacity::Total,
        }
    }

    fn answer(shelf: &Shelf, request: &GetItemRequest) -> GetItemResponse {
        match shelf.outcome(Request::GetItem(request.clone())).reply {
            Ok(Response::GetItem(response)) => response,
            reply => panic!("a GetItem is answered by an item, not by {reply:?}"),
        }
    }

    #[track_caller]
    fn costs(size_bytes: usize, eventual: CapacityUnits, strong: CapacityUnits) {
        let sized = item([("pk", s("a")), ("d", s(&"x".repeat(size_bytes - 4)))]);
        let shelf = Shelf::with_items(schema_with_key("pk"), 4, [sized]);
        let mut request = get(item([("pk", s("a"))]));
        assert_eq!(answer(&shelf, &request).consumed.total(), eventual);
        request.consistent_read = true;
        assert_eq!(answer(&shelf, &request).consumed.total(), strong);
    }

    #[test]
    fn reads_round_up_to_4_kb_and_eventual_ones_cost_half() {
        costs(4_096, CapacityUnits::halves(1), CapacityUnits::whole(1));
        costs(4_097, CapacityUnits::whole(1), CapacityUnits::whole(2));
    }

    #[test]
    fn a_missing_item_is_no_item_and_costs_the_least() {
        let shelf = Shelf::new(schema_with_key("pk"), 4);
        let mut request = get(item([("pk", s("nobody"))]));
        let response = answer(&shelf, &request);
        assert_eq!((response.item, response.consumed.total()), (None, CapacityUnits::halves(1)));
        request.consistent_read = true;
        assert_eq!(answer(&shelf, &request).consumed.total(), CapacityUnits::whole(1));
        let evaluated = shelf.outcome(Request::GetItem(request)).evaluated;
        assert_eq!((evaluated.n_examined, evaluated.first_key), (0, None));
    }

    #[test]
    fn a_projection_keeps_its_paths_and_the_cost() {
        let big = item([("pk", s("a")), ("t", n(1)), ("d", s(&"x".repeat(9_000)))]);
        let shelf = Shelf::with_items(schema_with_key("pk"), 4, [big]);
        let mut request = get(item([("pk", s("a"))]));
        request.consistent_read = true;
        request.projection_expression = Some("t".to_owned());
        let response = answer(&shelf, &request);
        assert_eq!(response.item, Some(item([("t", n(1))])));
        assert_eq!(response.consumed.total(), CapacityUnits::whole(3));
        request.projection_expression = Some("nowhere".to_owned());
        assert_eq!(answer(&shelf, &request).item, Some(Item::new()));
        request.projection_expression = None;
        request.attributes_to_get = Some(vec!["t".into(), "pk".into()]);
        assert_eq!(answer(&shelf, &request).item, Some(item([("pk", s("a")), ("t", n(1))])));
    }

    #[test]
    fn a_number_key_is_found_by_any_spelling() {
        let shelf = Shelf::with_items(schema_with_key("id:N"), 4, [item([("id", n(100))])]);
        assert!(answer(&shelf, &get(item([("id", n("1e2"))]))).item.is_some());
    }

    #[track_caller]
    fn refuses(request: GetItemRequest, message: &str) {
        let shelf = Shelf::new(schema(), 4);
        assert_eq!(shelf.refusal(Request::GetItem(request)), message);
    }

    #[test]
    fn a_key_of_the_wrong_shape_or_type_does_not_match_the_schema() {
        for key in [
            item([("pk", s("a"))]),
            item([("pk", s("a")), ("sk", s("b")), ("x", s("c"))]),
            item([("pk", s("a")), ("sk", n(1))]),
        ] {
            refuses(get(key), "The provided key element does not match the schema");
        }
        refuses(
            get(item([("pk", s("a")), ("sk", s(""))])),
            "One or more parameter values are not valid. The AttributeValue for a key attribute \
             cannot contain an empty string value. Key: sk",
        );
    }

    #[test]
    fn the_first_broken_rule_in_dynamodbs_order_is_reported() {
        let wrong_key = || get(item([("wrong", s("a"))]));
        let mut request = wrong_key();
        request.table.name = hashrange_types::TableName::new("Missing").unwrap();
        refuses(request.clone(), "Requested resource not found");
        request.projection_expression = Some("a, a".to_owned());
        refuses(
            request.clone(),
            "Invalid ProjectionExpression: Two document paths overlap with each other; must remove \
             or rewrite one of these paths; path one: [a], path two: [a]",
        );
        request.attributes_to_get = Some(vec!["a".into()]);
        refuses(
            request,
            "Can not use both expression and non-expression parameters in the same request: \
             Non-expression parameters: {AttributesToGet} Expression parameters: \
             {ProjectionExpression}",
        );
        let mut request = wrong_key();
        request.names = Some(vec![("#a".into(), "a".into())]);
        refuses(
            request.clone(),
            "ExpressionAttributeNames can only be specified when using expressions",
        );
        request.projection_expression = Some("b".to_owned());
        refuses(
            request,
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}",
        );
        let mut request = wrong_key();
        request.attributes_to_get = Some(vec!["a".into(), "a".into()]);
        refuses(
            request,
            "One or more parameter values were invalid: Duplicate value in attribute name: a",
        );
        let mut request = wrong_key();
        request.projection_expression = Some("sk.x".to_owned());
        refuses(
            request,
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not \
             allowed: Key: sk",
        );
    }
}
