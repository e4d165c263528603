//! Sizes of item collections, for tables with local indexes, and their limit.
//!
//! DynamoDB's own estimate is refreshed in the background; this one is exact for the store as the request
//! found it. A write that would make a collection larger than its limit is refused; one that makes it smaller is not,
//! however large it is.
//!
//! Source: facts 1.5, 2.6, 3.6 and 10. What a refused write is charged is not published: nothing here.

use hashrange_storage::{KeyRange, Store, Table};
use hashrange_types::operation::ItemCollectionMetrics;
use hashrange_types::{Item, TableName};

use crate::write::{Written, size_of};

/// Bytes of a gigabyte as the estimate counts.
const GIGABYTE: u64 = 1 << 30;

/// Size of the collection the item with this key belongs to, its items and local index entries together. None for a table
/// without local indexes.
pub(crate) fn collection_metrics(table: &Table, key: &Item) -> Option<ItemCollectionMetrics> {
    let schema = table.schema();
    if schema.local_indexes.is_empty() {
        return None;
    }
    let size_bytes = size_bytes(table, Some(&schema.key.encode_partition(key)?));
    let floor = u32::try_from(size_bytes / GIGABYTE).unwrap_or(u32::MAX);
    let partition = &schema.key.partition;
    let item_collection_key = partition
        .iter()
        .filter_map(|attribute| {
            Some((attribute.name.clone(), key.get(attribute.name.as_str())?.clone()))
        })
        .collect();
    Some(ItemCollectionMetrics {
        item_collection_key,
        size_estimate_range_gb: [f64::from(floor), f64::from(floor) + 1.0],
    })
}

/// Bytes of the items and local index entries of a collection, or of the whole table, which costs nothing to know.
fn size_bytes(table: &Table, partition: Option<&[u8]>) -> u64 {
    let range = partition.map(KeyRange::starting_with);
    let mut trees = vec![table.items()];
    for index in &table.schema().local_indexes {
        trees.extend(table.index(index.name.as_str()));
    }
    let mut size_bytes = 0;
    for tree in trees {
        size_bytes += match &range {
            Some(range) => tree.size_bytes_in(range),
            None => tree.size_bytes(),
        };
    }
    size_bytes
}

/// By how many bytes the writes of one request make item collections larger.
#[derive(Debug, Default)]
pub(crate) struct Growth(Vec<(TableName, Vec<u8>, i64)>);

impl Growth {
    /// True if the item collection has room for one more write of the request, which then counts.
    pub(crate) fn admits(&mut self, store: &Store, written: &Written) -> bool {
        let Some(change) = &written.change else { return true };
        let Some(table) = store.table(change.table.as_str()) else { return true };
        let schema = table.schema();
        let Some(row) = change.after.as_ref().or(change.before.as_ref()) else { return true };
        if schema.local_indexes.is_empty() {
            return true;
        }
        let Some(partition) = schema.key.encode_partition(&row.item) else { return true };
        let mut growth =
            i64::from(size_of(change.after.as_ref())) - i64::from(size_of(change.before.as_ref()));
        for entry in &written.index_entries {
            if entry.is_local {
                growth += i64::from(size_of(entry.after.as_ref()))
                    - i64::from(size_of(entry.before.as_ref()));
            }
        }
        let known =
            self.0.iter().position(|(name, other, _)| *name == change.table && *other == partition);
        let position = known.unwrap_or(self.0.len());
        let grown = growth + known.map_or(0, |known| self.0[known].2);
        let max = store.account().item_collection_bytes_max;
        let is_over = |partition| size_bytes(table, partition).saturating_add_signed(grown) > max;
        // A table that is small enough as a whole has no collection that is too large.
        if growth > 0 && is_over(None) && is_over(Some(&partition)) {
            return false;
        }
        if known.is_none() {
            self.0.push((change.table.clone(), partition, 0));
        }
        self.0[position].2 = grown;
        true
    }
}

/// One entry for each item collection, however many of its items were written.
pub(crate) fn distinct(
    sizes: impl Iterator<Item = ItemCollectionMetrics>,
) -> Vec<ItemCollectionMetrics> {
    let mut distinct: Vec<ItemCollectionMetrics> = Vec::new();
    for size in sizes {
        if distinct.iter().all(|seen| seen.item_collection_key != size.item_collection_key) {
            distinct.push(size);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::{
        BatchExecuteStatementRequest, BatchWriteItemRequest, ExecuteStatementRequest,
        ParameterizedStatement, ReturnConsumedCapacity, WriteRequest,
    };
    use hashrange_types::{
        ApiError, AttributeValue, Projection, Request, Response, TableSchema, Timestamp,
    };

    use super::*;
    use crate::database::Database;
    use crate::read_fixture::{Shelf, global, item, local, n, s, schema, table_reference};
    use crate::transaction_fixture::{self, reasons, write};
    use crate::write_fixture::{delete, put, update};

    const FULL: ApiError = ApiError::ItemCollectionSizeLimitExceeded;

    /// An item of `size` bytes.
    fn sized(sk: &str, size: usize) -> Item {
        item([("pk", s("a")), ("sk", s(sk)), ("l", s("x")), ("d", s(&"x".repeat(size - 9)))])
    }

    fn with_index() -> TableSchema {
        local(schema(), "lsi", "pk | l", Projection::KeysOnly)
    }

    /// A table whose collection `a` has one item, of 1,000 bytes, and may have 1,200.
    fn nearly_full(schema: TableSchema) -> Database {
        let shelf = Shelf::with_items(schema, 4, [sized("1", 1_000)]);
        Database::from_store(shelf.store.with_collections_up_to(1_200))
    }

    fn answer(database: &mut Database, request: Request) -> Result<Response, ApiError> {
        let outcome = database.call(request, Timestamp(0));
        assert_eq!(outcome.reply.is_err(), outcome.changes.is_empty());
        outcome.reply
    }

    fn statement(text: &str) -> ParameterizedStatement {
        ParameterizedStatement {
            statement: text.to_owned(),
            parameters: Vec::new(),
            consistent_read: false,
            returns_item_on_failure: false,
        }
    }

    fn insert(sk: &str, size: usize) -> ParameterizedStatement {
        let rest = "x".repeat(size - 9);
        statement(&format!("INSERT INTO T VALUE {{'pk':'a','sk':'{sk}','l':'x','d':'{rest}'}}"))
    }

    fn batch(items: &[Item]) -> Request {
        let puts = items.iter().map(|item| WriteRequest::Put(Ok(item.clone()))).collect();
        Request::BatchWriteItem(BatchWriteItemRequest {
            tables: vec![(table_reference(), puts)],
            return_consumed_capacity: ReturnConsumedCapacity::None,
            returns_collection_metrics: false,
        })
    }

    #[test]
    fn a_collection_grows_to_its_limit_with_its_index_entries_and_not_a_byte_further() {
        let mut database = nearly_full(with_index());
        let entry = database.store().table("T").unwrap().index("lsi").unwrap().size_bytes();
        let left = usize::try_from(1_200 - 1_000 - 2 * entry).unwrap();
        let one_more = Request::PutItem(put(sized("2", left + 1)));
        assert_eq!(answer(&mut database, one_more.clone()), Err(FULL));
        assert!(answer(&mut database, Request::PutItem(put(sized("2", left)))).is_ok());
        assert_eq!(answer(&mut database, one_more), Err(FULL));
        let same = Request::PutItem(put(sized("2", left)));
        assert!(database.call(same, Timestamp(0)).reply.is_ok());
        let mut other = sized("1", 1_000);
        other.insert("pk".into(), s("b"));
        assert!(answer(&mut database, Request::PutItem(put(other))).is_ok());
    }

    #[test]
    fn tables_without_local_indexes_have_no_limit() {
        let mut database = nearly_full(global(schema(), "gsi", "l", Projection::All));
        assert!(answer(&mut database, Request::PutItem(put(sized("2", 5_000)))).is_ok());
    }

    #[test]
    fn an_update_may_shrink_an_item_of_a_collection_that_is_too_large_and_not_enlarge_it() {
        let shelf = Shelf::with_items(with_index(), 4, [sized("1", 1_000), sized("2", 1_000)]);
        let mut database = Database::from_store(shelf.store.with_collections_up_to(1_200));
        let mut set = |value: AttributeValue| {
            let key = item([("pk", s("a")), ("sk", s("1"))]);
            answer(&mut database, Request::UpdateItem(update(key, "SET d = :a", &[value])))
        };
        assert_eq!(set(s(&"x".repeat(992))), Err(FULL));
        assert!(set(n(7)).is_ok());
        let key = item([("pk", s("a")), ("sk", s("2"))]);
        assert!(answer(&mut database, Request::DeleteItem(delete(key))).is_ok());
        assert!(answer(&mut database, Request::PutItem(put(sized("2", 1_000)))).is_ok());
    }

    #[test]
    fn the_writes_of_one_batch_are_counted_together() {
        let mut database = nearly_full(with_index());
        let both = [sized("2", 100), sized("3", 100)];
        assert_eq!(answer(&mut database, batch(&both)), Err(FULL));
        assert!(answer(&mut database, batch(&both[..1])).is_ok());
    }

    #[test]
    fn a_transaction_is_cancelled_for_the_element_that_has_no_room() {
        let mut database = nearly_full(with_index());
        let puts = ["2", "3"].map(|sk| transaction_fixture::put(sized(sk, 100)));
        let error = answer(&mut database, write(puts.to_vec())).unwrap_err();
        assert_eq!(reasons(&error).0, ["None", "ItemCollectionSizeLimitExceeded"]);
        assert_eq!(reasons(&error).1.as_deref(), Some("Collection size exceeded."));
        assert!(answer(&mut database, write(puts[..1].to_vec())).is_ok());
    }

    #[test]
    fn statements_are_refused_alone_and_in_a_batch_one_by_one() {
        let mut database = nearly_full(with_index());
        let request = Request::ExecuteStatement(ExecuteStatementRequest {
            statement: insert("2", 300),
            next_token: None,
            limit: None,
            return_consumed_capacity: ReturnConsumedCapacity::None,
        });
        assert_eq!(answer(&mut database, request), Err(FULL));
        let request = Request::BatchExecuteStatement(BatchExecuteStatementRequest {
            statements: vec![insert("2", 100), insert("3", 100), insert("4", 20)],
            return_consumed_capacity: ReturnConsumedCapacity::None,
        });
        let Ok(Response::BatchExecuteStatement(response)) = answer(&mut database, request) else {
            panic!("a batch of statements is answered one by one");
        };
        let errors = response.responses.into_iter().map(|one| one.error);
        assert_eq!(errors.collect::<Vec<_>>(), [None, Some(FULL), None]);
    }
}
