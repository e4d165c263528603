//! BatchWriteItem: up to 25 puts and deletes. Each is a write of its own; the batch as a whole is not atomic.
//!
//! Every element is checked before any takes effect. This build applies all of them, so nothing is left
//! unprocessed.
//!
//! Source: facts 2.2, 3.5 and 4.10.3.

use hashrange_storage::{Change, IndexEntryChange, Row, Store};
use hashrange_types::limits::BATCH_WRITE_REQUESTS_MAX;
use hashrange_types::operation::{
    BatchWriteItemRequest, BatchWriteItemResponse, ReturnConsumedCapacity, WriteRequest,
};
use hashrange_types::{
    ApiError, CapacityUnits, EncodedKey, Item, Response, SortedSet, TableName, TableReference,
    TableSchema, Timestamp, ValidationError,
};

use crate::item_collection::{Growth, distinct};
use crate::outcome::Outcome;
use crate::validation::{encode_key, find_table};
use crate::write::{Action, Write, Written, consumed_by};
use crate::write_validation::{
    Source, check_index_keys, check_nesting, check_size, check_size_with_local_indexes,
    encode_key_of_item,
};

/// A checked BatchWriteItem request.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) tables: Vec<(TableReference, Vec<Write>)>,
    shown: ReturnConsumedCapacity,
    returns_collection_metrics: bool,
}

/// A put or delete whose values are valid.
enum Element {
    Put(Row),
    Delete(Item),
}

pub(crate) fn plan(store: &Store, request: BatchWriteItemRequest) -> Result<Plan, ApiError> {
    check_count(&request)?;
    let mut settled = Vec::with_capacity(request.tables.len());
    for (table, requests) in request.tables {
        let elements = requests.into_iter().map(settle).collect::<Result<Vec<_>, _>>()?;
        settled.push((table, elements));
    }
    for (table, _) in &settled {
        find_table(store, table)?;
    }
    let mut keys: SortedSet<(TableName, EncodedKey)> = SortedSet::new();
    let mut tables = Vec::with_capacity(settled.len());
    for (table, elements) in settled {
        let schema = find_table(store, &table)?.schema();
        let mut writes = Vec::with_capacity(elements.len());
        for element in elements {
            let write = write_of(schema, &table, element)?;
            if !keys.insert((table.name.clone(), write.key.clone())) {
                return Err(
                    ValidationError::new("Provided list of item keys contains duplicates").into()
                );
            }
            writes.push(write);
        }
        tables.push((table, writes));
    }
    Ok(Plan {
        tables,
        shown: request.return_consumed_capacity,
        returns_collection_metrics: request.returns_collection_metrics,
    })
}

fn check_count(request: &BatchWriteItemRequest) -> Result<(), ValidationError> {
    let n_requests: usize = request.tables.iter().map(|(_, requests)| requests.len()).sum();
    if n_requests > BATCH_WRITE_REQUESTS_MAX {
        return Err(ValidationError::new("Too many items requested for the BatchWriteItem call")
            .at_member(&["RequestItems"]));
    }
    Ok(())
}

/// Step 5 of facts 4.10.3, and the size gate that needs no table.
fn settle(request: WriteRequest) -> Result<Element, ValidationError> {
    Ok(match request {
        WriteRequest::Put(item) => {
            let item = item?;
            check_nesting(&item)?;
            let row = Row::new(item);
            check_size(row.size_bytes, Source::Put)?;
            Element::Put(row)
        }
        WriteRequest::Delete(key) => Element::Delete(key?),
    })
}

fn write_of(
    schema: &TableSchema,
    table: &TableReference,
    element: Element,
) -> Result<Write, ValidationError> {
    let (key, action) = match element {
        Element::Put(row) => {
            let key = encode_key_of_item(schema, &row.item, false)?;
            check_index_keys(schema, &row.item, None)?;
            check_size_with_local_indexes(schema, &row.item, row.size_bytes, Source::Put)?;
            (key, Action::Put(row))
        }
        Element::Delete(key) => (encode_key(&schema.key, &key)?, Action::Delete { key }),
    };
    Ok(Write { table: table.clone(), key, condition: None, action })
}

pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    let mut outcome = Outcome::free(Err(ApiError::ResourceNotFound));
    let mut metrics = Vec::new();
    let mut growth = Growth::default();
    for (reference, writes) in &plan.tables {
        let table = match find_table(store, reference) {
            Ok(table) => table,
            Err(error) => return Outcome::free(Err(error)),
        };
        let mut table_units = CapacityUnits::ZERO;
        let mut entries: Vec<IndexEntryChange> = Vec::new();
        for write in writes {
            let written = match write.run(table) {
                Ok(written) => written,
                Err(refusal) => return Outcome::free(Err(refusal.into_error(false))),
            };
            if !growth.admits(store, &written) {
                return Outcome::free(Err(ApiError::ItemCollectionSizeLimitExceeded));
            }
            let Written { change, index_entries, table_units: units, .. } = written;
            table_units += units;
            outcome.changes.extend(change.map(Change::Item));
            entries.extend(index_entries);
        }
        let consumed = consumed_by(reference, table.schema(), table_units, &entries, plan.shown);
        outcome.consumed.push(consumed);
        outcome.index_entries.extend(entries);
        if plan.returns_collection_metrics {
            let sizes = distinct(writes.iter().filter_map(|write| write.collection_metrics(table)));
            if !sizes.is_empty() {
                metrics.push((reference.given.clone(), sizes));
            }
        }
    }
    outcome.reply = Ok(Response::BatchWriteItem(BatchWriteItemResponse {
        unprocessed: Vec::new(),
        item_collection_metrics: (!metrics.is_empty()).then_some(metrics),
        consumed: outcome.consumed.clone(),
    }));
    outcome
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::{BatchWriteItemRequest, ReturnConsumedCapacity, WriteRequest};
    use hashrange_types::{
        ApiError, Item, Projection, Request, Response, TableName, TableReference, TableSchema,
        Timestamp, ValidationError,
    };

    use crate::database::Database;
    use crate::read_fixture::{
        global, item, local, n, s, schema, schema_with_key, table_reference,
    };
    use crate::write_fixture::{database, put, sized, units};

    fn put_of(item: Item) -> WriteRequest {
        WriteRequest::Put(Ok(item))
    }

    fn delete_of(key: Item) -> WriteRequest {
        WriteRequest::Delete(Ok(key))
    }

    fn batch(requests: Vec<WriteRequest>) -> Request {
        batch_of(vec![(table_reference(), requests)])
    }

    fn batch_of(tables: Vec<(TableReference, Vec<WriteRequest>)>) -> Request {
        Request::BatchWriteItem(BatchWriteItemRequest {
            tables,
            return_consumed_capacity: ReturnConsumedCapacity::Indexes,
            returns_collection_metrics: true,
        })
    }

    fn with_two_items(schema: TableSchema) -> Database {
        let mut database = database(schema);
        database.run(Request::PutItem(put(sized("a", 1_500))));
        database.run(Request::PutItem(put(sized("b", 100))));
        database
    }

    #[test]
    fn each_request_is_charged_alone_and_summed_by_table() {
        let mut database = database(schema_with_key("pk"));
        let outcome = database.run(batch(vec![put_of(sized("a", 500)), put_of(sized("b", 3_500))]));
        assert_eq!(units(&outcome.consumed), "table 5");
        assert_eq!(outcome.changes.len(), 2);
        assert_eq!(database.store().table("T").unwrap().items().n_rows(), 2);
    }

    #[test]
    fn index_arms_are_summed_by_table() {
        let mut database = database(global(schema_with_key("pk"), "gsi", "gk", Projection::All));
        let outcome = database.run(batch(vec![
            put_of(item([("pk", s("1")), ("gk", s("x"))])),
            put_of(item([("pk", s("2"))])),
        ]));
        assert_eq!(units(&outcome.consumed), "table 2, gsi 1");
    }

    #[test]
    fn deletes_cost_the_items_removed_and_missing_ones_cost_one_unit() {
        let mut database = with_two_items(schema_with_key("pk"));
        let keys = ["a", "b", "none"].map(|pk| delete_of(item([("pk", s(pk))])));
        let outcome = database.run(batch(keys.to_vec()));
        assert_eq!(units(&outcome.consumed), "table 4");
        assert_eq!(outcome.changes.len(), 2);
    }

    #[test]
    fn one_item_may_not_be_written_twice_whatever_the_spelling_of_its_key() {
        let mut database = database(schema_with_key("id:N"));
        let ids = ["1000", "1e3"].map(|id| put_of(item([("id", n(id))])));
        let message = "Provided list of item keys contains duplicates";
        assert_eq!(database.refusal(batch(ids.to_vec())), message);
        let both = vec![put_of(item([("id", n(1))])), delete_of(item([("id", n(1))]))];
        assert_eq!(database.refusal(batch(both)), message);
    }

    #[test]
    fn a_put_with_a_wrong_key_gets_the_general_message() {
        let mut database = database(schema());
        for wrong in [item([("pk", s("a"))]), item([("pk", n(1)), ("sk", s("b"))])] {
            assert_eq!(
                database.refusal(batch(vec![put_of(wrong)])),
                "The provided key element does not match the schema"
            );
        }
    }

    #[test]
    fn more_than_25_requests_are_refused() {
        let mut database = database(schema_with_key("pk"));
        let puts = |n_puts: u32| {
            (0..n_puts).map(|id| put_of(item([("pk", s(&id.to_string()))]))).collect()
        };
        database.run(batch(puts(25)));
        assert_eq!(
            database.refusal(batch(puts(26))),
            "Too many items requested for the BatchWriteItem call"
        );
    }

    #[test]
    fn one_wrong_element_stops_the_whole_batch_before_any_effect() {
        let mut database = database(schema_with_key("pk"));
        let wrong = WriteRequest::Put(Err(ValidationError::new("wrong")));
        let outcome = database.call(batch(vec![put_of(sized("a", 100)), wrong]), Timestamp(0));
        assert_eq!(outcome.reply.unwrap_err().to_string(), "wrong");
        assert!(outcome.changes.is_empty() && outcome.consumed.is_empty());
    }

    #[test]
    fn values_are_checked_before_tables_and_tables_before_keys() {
        let mut database = database(schema_with_key("pk"));
        let missing = TableReference::by_name(TableName::new("Missing").unwrap());
        let large = vec![put_of(sized("a", 409_601))];
        let unknown = batch_of(vec![(missing.clone(), large)]);
        assert_eq!(database.refusal(unknown), "Item size has exceeded the maximum allowed size");
        let wrong_key = vec![delete_of(item([("other", s("a"))]))];
        let request = batch_of(vec![
            (table_reference(), wrong_key),
            (missing, vec![delete_of(item([("pk", s("a"))]))]),
        ]);
        assert_eq!(database.call(request, Timestamp(0)).reply, Err(ApiError::ResourceNotFound));
    }

    #[test]
    fn collection_metrics_name_each_collection_once() {
        let mut database = database(local(schema(), "lsi", "pk | l", Projection::All));
        let puts = ["1", "2"].map(|sk| put_of(item([("pk", s("a")), ("sk", s(sk))])));
        let reply = database.run(batch(puts.to_vec())).reply;
        let Ok(Response::BatchWriteItem(response)) = reply else {
            panic!("not the reply of a BatchWriteItem: {reply:?}")
        };
        assert!(response.unprocessed.is_empty());
        let metrics = response.item_collection_metrics.unwrap();
        assert_eq!(metrics.len(), 1);
        assert_eq!(metrics[0].0, "T");
        assert_eq!(metrics[0].1.len(), 1);
    }
}
