//! PutItem: put a whole item in the place of whatever has its key.

use hashrange_storage::{Row, Store};
use hashrange_types::operation::{PutItemRequest, PutItemResponse};
use hashrange_types::{ApiError, Item, Response, TableSchema, Timestamp, ValidationError};

use crate::outcome::Outcome;
use crate::validation::find_table;
use crate::write::{Action, ReplyOptions, Write, execute_single};
use crate::write_plan::{WriteParameters, returns_old};
use crate::write_validation::{
    Source, check_index_keys, check_nesting, check_size, check_size_with_local_indexes,
    encode_key_of_item,
};

/// A checked PutItem request.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) write: Write,
    options: ReplyOptions,
    returns_old: bool,
}

pub(crate) fn plan(store: &Store, request: PutItemRequest) -> Result<Plan, ApiError> {
    let item = request.item?;
    check_nesting(&item)?;
    let parameters = WriteParameters {
        condition_expression: request.condition_expression,
        names: request.names,
        values: request.values,
        expected: request.expected,
        conditional_operator: request.conditional_operator,
        ..WriteParameters::default()
    };
    parameters.check_styles(false)?;
    let returns_old = returns_old(request.return_values)?;
    let row = Row::new(item);
    check_size(row.size_bytes, Source::Put)?;
    let bound = parameters.bind()?;
    let schema = find_table(store, &request.table)?.schema();
    let key = encode_key_of_item(schema, &row.item, true)?;
    check_index_keys(schema, &row.item, None)?;
    check_size_with_local_indexes(schema, &row.item, row.size_bytes, Source::Put)?;
    Ok(Plan {
        write: Write {
            table: request.table,
            key,
            condition: bound.condition,
            action: Action::Put(row),
        },
        options: ReplyOptions {
            returns_item_on_failure: request.returns_item_on_failure,
            shown: request.return_consumed_capacity,
            returns_collection_metrics: request.returns_collection_metrics,
        },
        returns_old,
    })
}

impl Plan {
    /// Makes it the plan of the same request for another item.
    pub(crate) fn fit(&mut self, schema: &TableSchema, item: &Item) -> Result<(), ValidationError> {
        check_nesting(item)?;
        let row = Row::new(item.clone());
        check_size(row.size_bytes, Source::Put)?;
        self.write.key = encode_key_of_item(schema, item, true)?;
        check_index_keys(schema, item, None)?;
        check_size_with_local_indexes(schema, item, row.size_bytes, Source::Put)?;
        self.write.action = Action::Put(row);
        Ok(())
    }
}

pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    execute_single(store, &plan.write, plan.options, |written, consumed, metrics| {
        let old = written.before.as_ref().filter(|_| plan.returns_old);
        Response::PutItem(PutItemResponse {
            attributes: old.map(|row| row.item.clone()),
            consumed,
            item_collection_metrics: metrics,
        })
    })
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::{ExpectedAttribute, ReturnValues};
    use hashrange_types::{
        ApiError, AttributeValue, Item, Projection, Request, Rule, TableName, TableReference,
        Timestamp, ValidationError,
    };

    use crate::read_fixture::{global, include, item, local, n, s, schema, schema_with_key};
    use crate::write_fixture::{database, named, put, sized, units};

    fn put_if(item: Item, condition: &str, values: &[AttributeValue]) -> Request {
        let mut request = put(item);
        request.condition_expression = Some(condition.to_owned());
        request.values = named(values);
        request.returns_item_on_failure = true;
        Request::PutItem(request)
    }

    #[track_caller]
    fn refuses(item: Item, message: &str) {
        let schema = global(schema(), "zulu", "g", Projection::All);
        let mut database = database(global(schema, "alpha", "g h:N", Projection::All));
        assert_eq!(database.refusal(Request::PutItem(put(item))), message);
    }

    #[test]
    fn a_put_replaces_the_whole_item_and_returns_the_old_one_if_asked() {
        let mut database = database(schema_with_key("pk"));
        let mut request = put(item([("pk", s("a")), ("x", n(1))]));
        request.return_values = ReturnValues::AllOld;
        assert_eq!(database.attributes(Request::PutItem(request.clone())), None);
        request.item = Ok(item([("pk", s("a")), ("y", n(2))]));
        assert_eq!(
            database.attributes(Request::PutItem(request)),
            Some(item([("pk", s("a")), ("x", n(1))]))
        );
        let key = item([("pk", s("a"))]);
        assert_eq!(database.item(&key), Some(&item([("pk", s("a")), ("y", n(2))])));
    }

    #[test]
    fn other_return_values_are_refused_in_the_envelope() {
        let mut request = put(item([("pk", s("a"))]));
        request.return_values = ReturnValues::AllNew;
        assert_eq!(
            database(schema_with_key("pk")).refusal(Request::PutItem(request)),
            "1 validation error detected: ReturnValues can only be ALL_OLD or NONE"
        );
    }

    #[test]
    fn a_key_attribute_that_is_missing_or_of_another_type_is_named() {
        refuses(
            item([("pk", s("a"))]),
            "One or more parameter values were invalid: Missing the key sk in the item",
        );
        refuses(
            item([("pk", n(1)), ("sk", s("b"))]),
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N",
        );
        refuses(
            item([("pk", AttributeValue::Null)]),
            "One or more parameter values were invalid: Missing the key sk in the item",
        );
    }

    #[test]
    fn key_values_are_neither_empty_nor_too_long() {
        refuses(
            item([("pk", s("a")), ("sk", s(""))]),
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot \
             contain an empty string value. Key: sk",
        );
        refuses(
            item([("pk", s(&"é".repeat(1_025))), ("sk", s("b"))]),
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size \
             limit of2048 bytes",
        );
        refuses(
            item([("pk", s("a")), ("sk", s(&"x".repeat(1_025)))]),
            "One or more parameter values were invalid: Aggregated size of all range keys has exceeded \
             the size limit of 1024 bytes",
        );
    }

    #[test]
    fn an_index_key_of_the_wrong_type_is_refused_naming_the_alphabetically_first_index() {
        refuses(
            item([("pk", s("a")), ("sk", s("b")), ("g", n(5))]),
            "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S \
             Actual: N IndexName: alpha",
        );
        refuses(
            item([("pk", s("a")), ("sk", s("b")), ("g", s(""))]),
            "One or more parameter values are not valid. A value specified for a secondary index key is \
             not supported. The AttributeValue for a key attribute cannot contain an empty string value. \
             IndexName: alpha, IndexKey: g",
        );
    }

    #[test]
    fn an_item_without_the_index_key_is_stored_and_not_in_the_index() {
        let mut database = database(global(schema_with_key("pk"), "gsi", "g", Projection::All));
        assert_eq!(database.units(Request::PutItem(put(item([("pk", s("a"))])))), "table 1");
        assert_eq!(database.store().table("T").unwrap().index("gsi").unwrap().n_rows(), 0);
    }

    #[test]
    fn an_item_of_400_kb_is_stored_and_one_byte_more_is_refused_before_the_table_is_looked_up() {
        let mut database = database(schema_with_key("pk"));
        database.run(Request::PutItem(put(sized("a", 409_600))));
        let mut request = put(sized("a", 409_601));
        request.table = TableReference::by_name(TableName::new("Missing").unwrap());
        assert_eq!(
            database.refusal(Request::PutItem(request)),
            "Item size has exceeded the maximum allowed size"
        );
    }

    #[test]
    fn an_item_and_its_local_index_entries_share_the_400_kb() {
        let local = local(schema(), "lsi", "pk | l", Projection::All);
        let mut item = sized("a", 250_000);
        item.insert("sk".into(), s("b"));
        let mut database = database(local);
        database.run(Request::PutItem(put(item.clone())));
        item.insert("l".into(), s("c"));
        assert_eq!(
            database.refusal(Request::PutItem(put(item))),
            "Item size has exceeded the maximum allowed size"
        );
    }

    #[test]
    fn a_value_of_33_levels_is_refused() {
        let nested = (0..32).fold(s("x"), |value, _| AttributeValue::L(vec![value]));
        refuses(
            item([("pk", s("a")), ("sk", s("b")), ("d", nested)]),
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels \
             beyond supported limit",
        );
    }

    #[test]
    fn a_wrong_set_is_enveloped_and_a_wrong_number_is_not() {
        let refusal = |message: &str, rule: Rule| {
            let mut request = put(Item::new());
            request.item = Err(ValidationError::new(message).of(rule));
            database(schema_with_key("pk")).refusal(Request::PutItem(request))
        };
        let set = "One or more parameter values were invalid: An string set  may not be empty";
        assert_eq!(refusal(set, Rule::Set), format!("1 validation error detected: {set}"));
        let number = "The parameter cannot be converted to a numeric value: x";
        assert_eq!(refusal(number, Rule::Other), number);
    }

    #[test]
    fn both_styles_of_condition_cannot_be_mixed() {
        let mut request = put(item([("pk", s("a"))]));
        request.condition_expression = Some("attribute_exists(pk)".to_owned());
        request.expected = Some(vec![ExpectedAttribute {
            attribute: "x".into(),
            value: None,
            exists: Some(false),
            operator: None,
            values: None,
        }]);
        assert_eq!(
            database(schema_with_key("pk")).refusal(Request::PutItem(request)),
            "1 validation error detected: Can not use both expression and non-expression parameters in \
             the same request: Non-expression parameters: {Expected} Expression parameters: \
             {ConditionExpression}"
        );
    }

    #[test]
    fn values_without_an_expression_are_refused() {
        let mut request = put(item([("pk", s("a"))]));
        request.values = named(&[n(1)]);
        assert_eq!(
            database(schema_with_key("pk")).refusal(Request::PutItem(request)),
            "1 validation error detected: ExpressionAttributeValues can only be specified when using \
             expressions: ConditionExpression is null"
        );
    }

    #[test]
    fn a_syntax_error_is_enveloped_and_an_unused_value_is_not() {
        let mut database = database(schema_with_key("pk"));
        let wrong = database.refusal(put_if(item([("pk", s("a"))]), "a = ", &[]));
        assert!(
            wrong.starts_with(
                "1 validation error detected: Invalid ConditionExpression: Syntax error; token: \"<EOF>\""
            ),
            "{wrong}"
        );
        let condition = "attribute_not_exists(pk)";
        assert_eq!(
            database.refusal(put_if(item([("pk", s("a"))]), condition, &[n(1)])),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:a}"
        );
    }

    #[test]
    fn an_expression_is_parsed_before_the_table_is_looked_up_and_the_key_checked_after() {
        let missing = |condition: &str| {
            let mut request = put(Item::new());
            request.table = TableReference::by_name(TableName::new("Missing").unwrap());
            request.condition_expression = Some(condition.to_owned());
            database(schema_with_key("pk")).call(Request::PutItem(request), Timestamp(0)).reply
        };
        assert!(matches!(missing("status = "), Err(ApiError::Validation(_))));
        assert_eq!(missing("attribute_exists(a)"), Err(ApiError::ResourceNotFound));
    }

    #[test]
    fn a_false_condition_changes_nothing_costs_the_larger_item_and_returns_the_stored_one() {
        let mut database = database(schema_with_key("pk"));
        let stored = sized("a", 1_500);
        database.run(Request::PutItem(put(stored.clone())));
        let request = put_if(sized("a", 3_000), "attribute_not_exists(pk)", &[]);
        let outcome = database.call(request, Timestamp(0));
        assert_eq!(
            outcome.reply,
            Err(ApiError::ConditionalCheckFailed(Some(Box::new(stored.clone()))))
        );
        assert_eq!(units(&outcome.consumed), "table 3");
        assert!(outcome.changes.is_empty() && outcome.index_entries.is_empty());
        assert_eq!(database.item(&stored), Some(&stored));
    }

    #[test]
    fn a_false_condition_on_a_missing_item_costs_one_unit() {
        let mut database = database(schema_with_key("pk"));
        let request = put_if(sized("a", 3_000), "attribute_exists(pk)", &[]);
        let outcome = database.call(request, Timestamp(0));
        assert_eq!(outcome.reply, Err(ApiError::ConditionalCheckFailed(None)));
        assert_eq!(units(&outcome.consumed), "table 1");
    }

    #[test]
    fn a_put_costs_one_unit_a_kilobyte_of_the_larger_image() {
        let mut database = database(schema_with_key("pk"));
        let mut cost = |pk: &str, size| database.units(Request::PutItem(put(sized(pk, size))));
        assert_eq!(cost("a", 1_024), "table 1");
        assert_eq!(cost("b", 1_025), "table 2");
        assert_eq!(cost("c", 3_072), "table 3");
        assert_eq!(cost("c", 100), "table 3");
        assert_eq!(cost("c", 100), "table 1");
    }

    #[test]
    fn a_put_charges_each_index_whose_entry_it_changes_and_none_when_repeated() {
        let schema = global(schema_with_key("pk"), "one", "g", Projection::All);
        let mut database = database(global(schema, "two", "d", Projection::All));
        let mut written = sized("a", 600);
        written.insert("g".into(), s("x"));
        assert_eq!(database.units(Request::PutItem(put(written.clone()))), "table 1, one 1, two 1");
        let outcome = database.run(Request::PutItem(put(written)));
        assert_eq!(units(&outcome.consumed), "table 1");
        assert!(outcome.changes.is_empty());
    }

    #[test]
    fn an_index_is_charged_by_its_entry_and_not_by_the_item() {
        let schema = global(schema_with_key("pk"), "gsi", "g", include(&["p"]));
        let mut database = database(schema);
        let mut written = sized("a", 9_000);
        written.insert("g".into(), s("x"));
        written.insert("p".into(), s(&"y".repeat(1_500)));
        assert_eq!(database.units(Request::PutItem(put(written.clone()))), "table 11, gsi 2");
        written.insert("d".into(), s("outside the projection"));
        assert_eq!(database.units(Request::PutItem(put(written.clone()))), "table 11");
        written.insert("g".into(), s("moved"));
        assert_eq!(database.units(Request::PutItem(put(written))), "table 2, gsi 4");
    }

    #[test]
    fn collection_metrics_are_given_for_tables_with_a_local_index_alone() {
        let metrics = |schema| {
            let mut request = put(item([("pk", s("a")), ("sk", s("b"))]));
            request.returns_collection_metrics = true;
            match database(schema).run(Request::PutItem(request)).reply {
                Ok(hashrange_types::Response::PutItem(response)) => {
                    response.item_collection_metrics
                }
                reply => panic!("not the reply of a PutItem: {reply:?}"),
            }
        };
        assert_eq!(metrics(schema()), None);
        let found = metrics(local(schema(), "lsi", "pk | l", Projection::All)).unwrap();
        assert_eq!(found.item_collection_key, item([("pk", s("a"))]));
        assert_eq!(found.size_estimate_range_gb.map(|bound| bound.to_string()), ["0", "1"]);
    }
}
