//! UpdateItem: change attributes of one item, or create it.
//!
//! Source: facts 3.2 and 4.7.

use hashrange_storage::{Row, Store};
use hashrange_types::operation::{ReturnValues, UpdateItemRequest, UpdateItemResponse};
use hashrange_types::{ApiError, Item, Response, Timestamp};

use crate::outcome::Outcome;
use crate::validation::{encode_key, find_table};
use crate::write::{Action, ReplyOptions, Write, Written, execute_single};
use crate::write_plan::WriteParameters;
use crate::write_validation::check_update_spares_key;

/// A checked UpdateItem request.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) write: Write,
    options: ReplyOptions,
    return_values: ReturnValues,
}

pub(crate) fn plan(store: &Store, request: UpdateItemRequest) -> Result<Plan, ApiError> {
    let parameters = WriteParameters {
        update_expression: request.update_expression,
        condition_expression: request.condition_expression,
        names: request.names,
        values: request.values,
        attribute_updates: request.attribute_updates,
        expected: request.expected,
        conditional_operator: request.conditional_operator,
        takes_deep_values: false,
    };
    parameters.check_styles(true)?;
    let key = request.key?;
    let bound = parameters.bind()?;
    let schema = find_table(store, &request.table)?.schema();
    let encoded = encode_key(&schema.key, &key)?;
    if let Some(update) = &bound.update {
        check_update_spares_key(schema, update.touched_paths())?;
    }
    Ok(Plan {
        write: Write {
            table: request.table,
            key: encoded,
            condition: bound.condition,
            action: Action::Update { key, update: bound.update },
        },
        options: ReplyOptions {
            returns_item_on_failure: request.returns_item_on_failure,
            shown: request.return_consumed_capacity,
            returns_collection_metrics: request.returns_collection_metrics,
        },
        return_values: request.return_values,
    })
}

pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    execute_single(store, &plan.write, plan.options, |written, consumed, metrics| {
        Response::UpdateItem(UpdateItemResponse {
            attributes: plan.returned(written),
            consumed,
            item_collection_metrics: metrics,
        })
    })
}

impl Plan {
    /// What ReturnValues asks for; none where there is nothing to return.
    fn returned(&self, written: &Written) -> Option<Item> {
        let whole = |row: &Option<Row>| row.as_ref().map(|row| row.item.clone());
        match self.return_values {
            ReturnValues::None => None,
            ReturnValues::AllOld => whole(&written.before),
            ReturnValues::AllNew => whole(&written.after),
            ReturnValues::UpdatedOld => self.touched_part(written.before.as_ref()),
            ReturnValues::UpdatedNew => self.touched_part(written.after.as_ref()),
        }
    }

    /// The paths the update touched, as a fragment of the item.
    fn touched_part(&self, row: Option<&Row>) -> Option<Item> {
        let Action::Update { update: Some(update), .. } = &self.write.action else { return None };
        update.fragment(&row?.item)
    }
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::{
        AttributeAction, AttributeUpdate, ReturnValues, UpdateItemRequest,
    };
    use hashrange_types::{ApiError, AttributeValue, Item, Projection, Request, Timestamp};

    use crate::database::Database;
    use crate::read_fixture::{global, include, item, local, n, s, schema, schema_with_key};
    use crate::write_fixture::{database, named, names, put, sized, units, update};

    fn key() -> Item {
        item([("pk", s("a"))])
    }

    fn holding(stored: Item) -> Database {
        let mut database = database(schema_with_key("pk"));
        database.run(Request::PutItem(put(stored)));
        database
    }

    fn returning(
        return_values: ReturnValues,
        expression: &str,
        values: &[AttributeValue],
    ) -> Request {
        let mut request = update(key(), expression, values);
        request.return_values = return_values;
        Request::UpdateItem(request)
    }

    fn map<const N: usize>(entries: [(&str, AttributeValue); N]) -> AttributeValue {
        AttributeValue::M(entries.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    #[test]
    fn right_hand_sides_read_the_item_as_it_was() {
        let mut database = holding(item([("pk", s("a")), ("a", n(1)), ("b", n(2))]));
        assert_eq!(
            database.attributes(returning(ReturnValues::AllNew, "SET a = b, b = a", &[])),
            Some(item([("pk", s("a")), ("a", n(2)), ("b", n(1))]))
        );
    }

    #[test]
    fn a_missing_item_starts_as_its_key() {
        let mut database = database(schema_with_key("pk"));
        let expression = "SET n = if_not_exists(n, :a) + :b";
        assert_eq!(
            database.attributes(returning(ReturnValues::UpdatedNew, expression, &[n(0), n(1)])),
            Some(item([("n", n(1))]))
        );
        assert_eq!(database.item(&key()), Some(&item([("pk", s("a")), ("n", n(1))])));
    }

    #[test]
    fn an_update_that_only_removes_creates_no_item() {
        let mut database = database(schema_with_key("pk"));
        let outcome = database.run(Request::UpdateItem(update(key(), "REMOVE x", &[])));
        assert!(outcome.changes.is_empty());
        assert_eq!(units(&outcome.consumed), "table 1");
        assert_eq!(database.item(&key()), None);
    }

    #[test]
    fn an_update_of_nothing_creates_the_item_with_its_key_alone() {
        let mut database = database(schema_with_key("pk"));
        let request = UpdateItemRequest { update_expression: None, ..update(key(), "", &[]) };
        database.run(Request::UpdateItem(request.clone()));
        assert_eq!(database.item(&key()), Some(&key()));
        let outcome = database.run(Request::UpdateItem(request));
        assert!(outcome.changes.is_empty());
        assert_eq!(units(&outcome.consumed), "table 1");
    }

    #[test]
    fn updated_old_and_updated_new_return_only_the_touched_paths() {
        let stored = item([("pk", s("a")), ("m", map([("x", s("old")), ("keep", s("k"))]))]);
        let mut database = holding(stored);
        assert_eq!(
            database.attributes(returning(ReturnValues::UpdatedNew, "SET m.x = :a", &[s("new")])),
            Some(item([("m", map([("x", s("new"))]))]))
        );
        assert_eq!(
            database.attributes(returning(ReturnValues::UpdatedOld, "SET m.x = :a", &[s("newer")])),
            Some(item([("m", map([("x", s("new"))]))]))
        );
    }

    #[test]
    fn there_are_no_attributes_where_nothing_is_to_be_returned() {
        let mut database = holding(item([("pk", s("a")), ("b", s("y"))]));
        assert_eq!(database.attributes(returning(ReturnValues::UpdatedNew, "REMOVE b", &[])), None);
        let missing = |return_values| {
            let mut database = crate::write_fixture::database(schema_with_key("pk"));
            database.attributes(returning(return_values, "ADD n :a", &[n(5)]))
        };
        assert_eq!(missing(ReturnValues::UpdatedOld), None);
        assert_eq!(missing(ReturnValues::AllOld), None);
        assert_eq!(missing(ReturnValues::None), None);
    }

    #[test]
    fn a_key_attribute_cannot_be_updated() {
        let mut database = holding(key());
        assert_eq!(
            database.refusal(Request::UpdateItem(update(key(), "SET pk = :a", &[s("b")]))),
            "One or more parameter values were invalid: Cannot update attribute pk. This attribute is \
             part of the key"
        );
    }

    #[test]
    fn a_path_through_nothing_and_a_missing_operand_are_bare_errors_that_cost_nothing() {
        let mut database = holding(key());
        for (expression, message) in [
            (
                "SET zz.b = :a",
                "The document path provided in the update expression is invalid for update",
            ),
            (
                "SET x = y + :a",
                "The provided expression refers to an attribute that does not exist in the item",
            ),
        ] {
            let request = Request::UpdateItem(update(key(), expression, &[n(1)]));
            let outcome = database.call(request, Timestamp(0));
            assert_eq!(outcome.reply.unwrap_err().to_string(), message);
            assert_eq!(outcome.consumed, []);
        }
    }

    #[test]
    fn a_false_condition_comes_before_errors_of_applying_the_update() {
        let mut database = database(schema_with_key("pk"));
        let mut request = update(key(), "SET zz.b = :a", &[n(1)]);
        request.condition_expression = Some("attribute_exists(pk)".to_owned());
        let outcome = database.call(Request::UpdateItem(request), Timestamp(0));
        assert_eq!(outcome.reply, Err(ApiError::ConditionalCheckFailed(None)));
        assert_eq!(database.item(&key()), None);
    }

    #[test]
    fn a_wrong_key_comes_before_a_false_condition_and_a_wrong_expression_before_a_wrong_key() {
        let mut database = holding(key());
        let wrong = item([("wrong", s("x"))]);
        let mut request = update(wrong.clone(), "SET a = :a", &[n(1)]);
        request.condition_expression = Some("attribute_not_exists(pk)".to_owned());
        assert_eq!(
            database.refusal(Request::UpdateItem(request)),
            "The provided key element does not match the schema"
        );
        let message =
            database.refusal(Request::UpdateItem(update(wrong, "SET a = :a, a = :a", &[n(1)])));
        assert!(
            message.starts_with(
                "1 validation error detected: Invalid UpdateExpression: Two document paths overlap"
            ),
            "{message}"
        );
    }

    #[test]
    fn an_index_key_may_not_become_empty_or_of_another_type() {
        let mut database = database(global(schema_with_key("pk"), "gsi", "g", Projection::All));
        assert_eq!(
            database.refusal(Request::UpdateItem(update(key(), "SET g = :a", &[n(1)]))),
            "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S \
             Actual: N IndexName: gsi"
        );
        assert_eq!(
            database.refusal(Request::UpdateItem(update(key(), "SET g = :a", &[s("")]))),
            "One or more parameter values are not valid. The update expression attempted to update a \
             secondary index key to a value that is not supported. The AttributeValue for a key \
             attribute cannot contain an empty string value."
        );
    }

    #[test]
    fn an_update_that_makes_the_item_too_large_is_refused() {
        let mut database = holding(sized("a", 409_500));
        let big = s(&"x".repeat(200));
        assert_eq!(
            database.refusal(Request::UpdateItem(update(key(), "SET b = :a", &[big]))),
            "Item size to update has exceeded the maximum allowed size"
        );
    }

    #[test]
    fn an_update_costs_the_larger_of_both_images_and_a_no_op_still_costs_the_table() {
        let mut database = holding(sized("a", 3_000));
        let mut cost = |expression, values: &[AttributeValue]| {
            let outcome = database.run(Request::UpdateItem(update(key(), expression, values)));
            (units(&outcome.consumed), outcome.changes.len())
        };
        assert_eq!(cost("SET tiny = :a", &[n(1)]), ("table 3".to_owned(), 1));
        assert_eq!(cost("SET tiny = :a", &[n(1)]), ("table 3".to_owned(), 0));
        assert_eq!(cost("SET d = :a", &[s("small")]), ("table 3".to_owned(), 1));
        assert_eq!(cost("SET d = :a", &[s("small")]), ("table 1".to_owned(), 0));
    }

    #[test]
    fn each_index_arm_is_sized_on_its_own_entry() {
        let schema = global(schema_with_key("pk"), "gsi", "gk", include(&["proj"]));
        let mut database = database(schema);
        database.run(Request::PutItem(put(item([
            ("pk", s("a")),
            ("gk", s("g1")),
            ("proj", s(&"x".repeat(3_000))),
            ("noise", s(&"y".repeat(9_000))),
        ]))));
        let mut cost = |expression, value: &str| {
            database.units(Request::UpdateItem(update(key(), expression, &[s(value)])))
        };
        assert_eq!(cost("SET proj = :a", "short"), "table 12, gsi 3");
        assert_eq!(cost("SET proj = :a REMOVE noise", &"x".repeat(1_500)), "table 9, gsi 2");
        assert_eq!(cost("SET aside = :a", "outside the projection"), "table 2");
        assert_eq!(cost("SET gk = :a", "g2"), "table 2, gsi 4");
    }

    #[test]
    fn local_and_global_arms_are_reported_apart() {
        let with_local = local(schema(), "lsi", "pk | l", Projection::KeysOnly);
        let mut database = database(global(with_local, "gsi", "g", Projection::KeysOnly));
        let key = item([("pk", s("a")), ("sk", s("b"))]);
        let outcome =
            database.run(Request::UpdateItem(update(key, "SET l = :a, g = :a", &[s("x")])));
        assert_eq!(units(&outcome.consumed), "table 1, lsi 1, gsi 1");
        assert_eq!(outcome.consumed[0].local_indexes.len(), 1);
        assert_eq!(outcome.consumed[0].total(), hashrange_types::CapacityUnits::whole(3));
    }

    #[test]
    fn a_legacy_update_does_what_its_expression_would() {
        let mut database = holding(item([("pk", s("a")), ("n", n(1)), ("x", s("gone"))]));
        let mut request = update(key(), "", &[]);
        request.update_expression = None;
        request.attribute_updates = Some(vec![
            AttributeUpdate {
                attribute: "n".into(),
                action: AttributeAction::Add,
                value: Some(Ok(n(2))),
            },
            AttributeUpdate { attribute: "x".into(), action: AttributeAction::Delete, value: None },
        ]);
        request.return_values = ReturnValues::AllNew;
        assert_eq!(
            database.attributes(Request::UpdateItem(request)),
            Some(item([("pk", s("a")), ("n", n(3))]))
        );
    }

    #[test]
    fn names_and_values_that_nothing_uses_are_refused_bare() {
        let mut database = holding(key());
        let mut request = update(key(), "SET x = :a", &[n(1), n(2)]);
        assert_eq!(
            database.refusal(Request::UpdateItem(request.clone())),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}"
        );
        request.values = named(&[n(1)]);
        request.names = Some(names(&[("#u", "u")]));
        assert_eq!(
            database.refusal(Request::UpdateItem(request)),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#u}"
        );
    }
}
