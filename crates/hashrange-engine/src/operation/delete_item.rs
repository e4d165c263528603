//! DeleteItem: remove one item by its key. A missing item is no error.

use hashrange_storage::Store;
use hashrange_types::operation::{DeleteItemRequest, DeleteItemResponse};
use hashrange_types::{ApiError, Response, Timestamp};

use crate::outcome::Outcome;
use crate::validation::{encode_key, find_table};
use crate::write::{Action, ReplyOptions, Write, execute_single};
use crate::write_plan::{WriteParameters, returns_old};

/// A checked DeleteItem request.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) write: Write,
    options: ReplyOptions,
    returns_old: bool,
}

pub(crate) fn plan(store: &Store, request: DeleteItemRequest) -> Result<Plan, ApiError> {
    let parameters = WriteParameters {
        condition_expression: request.condition_expression,
        names: request.names,
        values: request.values,
        expected: request.expected,
        conditional_operator: request.conditional_operator,
        ..WriteParameters::default()
    };
    parameters.check_styles(false)?;
    let key = request.key?;
    let returns_old = returns_old(request.return_values)?;
    let bound = parameters.bind()?;
    let schema = find_table(store, &request.table)?.schema();
    let encoded = encode_key(&schema.key, &key)?;
    Ok(Plan {
        write: Write {
            table: request.table,
            key: encoded,
            condition: bound.condition,
            action: Action::Delete { key },
        },
        options: ReplyOptions {
            returns_item_on_failure: request.returns_item_on_failure,
            shown: request.return_consumed_capacity,
            returns_collection_metrics: request.returns_collection_metrics,
        },
        returns_old,
    })
}

pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    execute_single(store, &plan.write, plan.options, |written, consumed, metrics| {
        let old = written.before.as_ref().filter(|_| plan.returns_old);
        Response::DeleteItem(DeleteItemResponse {
            attributes: old.map(|row| row.item.clone()),
            consumed,
            item_collection_metrics: metrics,
        })
    })
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::ReturnValues;
    use hashrange_types::{ApiError, Projection, Request, Timestamp};

    use crate::read_fixture::{global, item, n, s, schema, schema_with_key};
    use crate::write_fixture::{database, delete, named, put, sized, units};

    #[test]
    fn a_delete_removes_the_item_and_costs_its_size() {
        let mut database = database(schema_with_key("pk"));
        let stored = sized("a", 2_900);
        database.run(Request::PutItem(put(stored.clone())));
        let mut request = delete(item([("pk", s("a"))]));
        request.return_values = ReturnValues::AllOld;
        let outcome = database.run(Request::DeleteItem(request.clone()));
        assert_eq!(units(&outcome.consumed), "table 3");
        assert_eq!(database.item(&stored), None);
        assert_eq!(database.attributes(Request::DeleteItem(request)), None);
    }

    #[test]
    fn deleting_a_missing_item_succeeds_and_costs_one_unit() {
        let mut database = database(schema_with_key("pk"));
        let outcome = database.run(Request::DeleteItem(delete(item([("pk", s("a"))]))));
        assert_eq!(units(&outcome.consumed), "table 1");
        assert!(outcome.changes.is_empty());
    }

    #[test]
    fn a_delete_charges_the_index_for_the_entry_removed() {
        let mut database = database(global(schema_with_key("pk"), "gsi", "d", Projection::All));
        database.run(Request::PutItem(put(sized("a", 1_500))));
        assert_eq!(
            database.units(Request::DeleteItem(delete(item([("pk", s("a"))])))),
            "table 2, gsi 2"
        );
    }

    #[test]
    fn a_key_with_missing_other_or_additional_attributes_does_not_match_the_schema() {
        let mut database = database(schema());
        for key in [
            item([("pk", s("a"))]),
            item([("pk", s("a")), ("other", s("b"))]),
            item([("pk", s("a")), ("sk", n(1))]),
        ] {
            assert_eq!(
                database.refusal(Request::DeleteItem(delete(key))),
                "The provided key element does not match the schema"
            );
        }
    }

    #[test]
    fn a_false_condition_keeps_the_item_and_costs_its_size() {
        let mut database = database(schema_with_key("pk"));
        let stored = sized("a", 2_000);
        database.run(Request::PutItem(put(stored.clone())));
        let mut request = delete(item([("pk", s("a"))]));
        request.condition_expression = Some("d = :a".to_owned());
        request.values = named(&[s("other")]);
        let outcome = database.call(Request::DeleteItem(request), Timestamp(0));
        assert_eq!(outcome.reply, Err(ApiError::ConditionalCheckFailed(None)));
        assert_eq!(units(&outcome.consumed), "table 2");
        assert_eq!(database.item(&stored), Some(&stored));
    }

    #[test]
    fn errors_of_a_delete_are_bare() {
        let mut request = delete(item([("pk", s("a"))]));
        request.return_values = ReturnValues::UpdatedOld;
        assert_eq!(
            database(schema_with_key("pk")).refusal(Request::DeleteItem(request)),
            "ReturnValues can only be ALL_OLD or NONE"
        );
        let mut request = delete(item([("pk", s("a"))]));
        request.condition_expression = Some(String::new());
        assert_eq!(
            database(schema_with_key("pk")).refusal(Request::DeleteItem(request)),
            "Invalid ConditionExpression: The expression can not be empty;"
        );
    }
}
