//! BatchGetItem: read up to 100 items by their keys.
//!
//! Invariant: every key is checked before any is read; each key read is charged alone, missing ones too, and
//! keys that come back as unprocessed are not charged.
//!
//! Source: facts 2.2 and 3.5.

use hashrange_expressions::ProjectionPaths;
use hashrange_storage::{Row, Store, Table};
use hashrange_types::limits::{BATCH_GET_KEYS_MAX, PAGE_BYTES_MAX, REQUEST_BYTES_MAX};
use hashrange_types::operation::{
    BatchGetItemRequest, BatchGetItemResponse, ConsumedCapacity, KeysAndAttributes,
    ReturnConsumedCapacity,
};
use hashrange_types::{
    ApiError, CapacityUnits, EncodedKey, Item, Response, Rule, SortedSet, Timestamp,
    ValidationError,
};

use crate::capacity::read_units;
use crate::outcome::{Evaluated, Outcome};
use crate::read_validation::{bind_lone_projection, check_projected_keys};
use crate::validation::{ParameterStyles, encode_key, find_table};

/// A checked BatchGetItem.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) tables: Vec<TableKeys>,
    pub(crate) shown: ReturnConsumedCapacity,
}

/// The keys to read from one table.
#[derive(Debug, Clone)]
pub(crate) struct TableKeys {
    /// What was asked for, to give back what is left unprocessed.
    pub(crate) request: KeysAndAttributes,
    /// The keys of the request, one for one.
    pub(crate) keys: Vec<EncodedKey>,
    pub(crate) projection: Option<ProjectionPaths>,
}

/// What became of one key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KeyRead<'a> {
    Found(&'a Row),
    Missing,
    Unprocessed,
}

/// Checks a BatchGetItem in DynamoDB's order, each step for every table before the next.
pub(crate) fn plan(store: &Store, request: BatchGetItemRequest) -> Result<Plan, ApiError> {
    let tables = &request.tables;
    check_counts(tables)?;
    check_styles(tables)?;
    let mut keys = Vec::with_capacity(tables.len());
    for table in tables {
        keys.push(table.keys.iter().cloned().collect::<Result<Vec<Item>, _>>()?);
    }
    if tables.iter().any(|table| table.has_duplicates) {
        let message = "Provided list of item keys contains duplicates";
        return Err(ValidationError::new(message).into());
    }
    let mut projections = Vec::with_capacity(tables.len());
    for table in tables {
        projections.push(bind_lone_projection(
            table.projection_expression.as_deref(),
            table.attributes_to_get.as_deref(),
            table.names.as_ref(),
        )?);
    }
    for table in tables {
        find_table(store, &table.table)?;
    }
    let mut planned = Vec::with_capacity(tables.len());
    for ((request, keys), projection) in request.tables.into_iter().zip(keys).zip(projections) {
        let schema = find_table(store, &request.table)?.schema();
        check_projected_keys(projection.as_ref(), schema)?;
        let keys = keys.iter().map(|key| encode_key(&schema.key, key)).collect::<Result<_, _>>()?;
        planned.push(TableKeys { request, keys, projection }.without_repeats());
    }
    Ok(Plan { tables: planned, shown: request.return_consumed_capacity })
}

/// Reads the items, until a partition has given more than 1 MB or the reply holds 16 MB.
pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    let mut response = BatchGetItemResponse {
        responses: Vec::with_capacity(plan.tables.len()),
        unprocessed: Vec::new(),
        consumed: Vec::with_capacity(plan.tables.len()),
    };
    let mut evaluated = Evaluated::NOTHING;
    let mut returned_bytes = 0;
    for table_keys in &plan.tables {
        let Some(table) = store.table(table_keys.request.table.name.as_str()) else {
            return Outcome::free(Err(ApiError::ResourceNotFound));
        };
        let mut items = Vec::new();
        let mut unprocessed = Vec::new();
        let mut units = CapacityUnits::ZERO;
        table_keys.read(table, &mut returned_bytes, |position, read| {
            let size_bytes = match read {
                KeyRead::Unprocessed => {
                    unprocessed.push(table_keys.request.keys[position].clone());
                    return;
                }
                KeyRead::Missing => 0,
                KeyRead::Found(row) => {
                    items.push(table_keys.returned(row));
                    evaluated.add_returned(&table_keys.keys[position], row);
                    u64::from(row.size_bytes)
                }
            };
            units += read_units(size_bytes, table_keys.request.consistent_read);
        });
        evaluated.n_partitions += table_keys.n_partitions(table);
        response.responses.push((table_keys.request.table.given.clone(), items));
        if !unprocessed.is_empty() {
            let rest = KeysAndAttributes { keys: unprocessed, ..table_keys.request.clone() };
            response.unprocessed.push(rest);
        }
        response.consumed.push(ConsumedCapacity {
            table_name: table_keys.request.table.given.clone(),
            table: units,
            local_indexes: Vec::new(),
            global_indexes: Vec::new(),
            failed: CapacityUnits::ZERO,
            is_write: false,
            shown: plan.shown,
        });
    }
    let consumed = response.consumed.clone();
    Outcome { consumed, evaluated, ..Outcome::free(Ok(Response::BatchGetItem(response))) }
}

impl TableKeys {
    /// The same keys, each once: those that only spell a number in another way name the same item, which is read
    /// and charged once (?).
    fn without_repeats(mut self) -> Self {
        let mut known = SortedSet::new();
        let is_new: Vec<bool> = self.keys.iter().map(|key| known.insert(key)).collect();
        if is_new.contains(&false) {
            let mut is_kept = is_new.iter();
            self.request.keys.retain(|_| is_kept.next() == Some(&true));
            let mut is_kept = is_new.iter();
            self.keys.retain(|_| is_kept.next() == Some(&true));
        }
        self
    }

    /// Reads key after key. `visit` gets each key's position and what became of it; `returned_bytes` counts
    /// over all tables of the request.
    pub(crate) fn read<'a>(
        &self,
        table: &'a Table,
        returned_bytes: &mut usize,
        mut visit: impl FnMut(usize, KeyRead<'a>),
    ) {
        let items = table.items();
        let mut partition_bytes = vec![0_u64; items.n_partitions()];
        for (position, key) in self.keys.iter().enumerate() {
            let partition = &mut partition_bytes[items.partition_position(key)];
            let row = table.get(key);
            let size_bytes = row.map_or(0, |row| row.size_bytes);
            let size = usize::try_from(size_bytes).unwrap_or(usize::MAX);
            let is_partition_done = *partition > u64::from(PAGE_BYTES_MAX);
            if is_partition_done || *returned_bytes + size > REQUEST_BYTES_MAX {
                visit(position, KeyRead::Unprocessed);
                continue;
            }
            *partition += u64::from(size_bytes);
            *returned_bytes += size;
            visit(position, row.map_or(KeyRead::Missing, KeyRead::Found));
        }
    }

    fn returned(&self, row: &Row) -> Item {
        match &self.projection {
            Some(paths) => paths.project(&row.item),
            None => row.item.clone(),
        }
    }

    /// Partitions of the table that the keys are in.
    fn n_partitions(&self, table: &Table) -> u32 {
        let positions: SortedSet<usize> =
            self.keys.iter().map(|key| table.items().partition_position(key)).collect();
        u32::try_from(positions.len()).unwrap_or(u32::MAX)
    }
}

fn check_counts(tables: &[KeysAndAttributes]) -> Result<(), ValidationError> {
    for table in tables {
        if table.keys.len() > BATCH_GET_KEYS_MAX {
            let given = &table.table.given;
            return Err(ValidationError::new(format!(
                "Value at 'RequestItems.{given}.member.Keys' failed to satisfy constraint: Member must \
                 have length less than or equal to {BATCH_GET_KEYS_MAX}"
            ))
            .of(Rule::Shape)
            .at_member(&["RequestItems", given, "Keys"]));
        }
    }
    if tables.iter().map(|table| table.keys.len()).sum::<usize>() > BATCH_GET_KEYS_MAX {
        return Err(ValidationError::new("Too many items requested for the BatchGetItem call"));
    }
    Ok(())
}

/// The styles of all tables together: one may not use expressions and another legacy parameters.
fn check_styles(tables: &[KeysAndAttributes]) -> Result<(), ValidationError> {
    let styles = |tables: &[KeysAndAttributes]| {
        ParameterStyles {
            expressions: &[(
                "ProjectionExpression",
                tables.iter().any(|table| table.projection_expression.is_some()),
            )],
            legacy: &[(
                "AttributesToGet",
                tables.iter().any(|table| table.attributes_to_get.is_some()),
            )],
            has_names: tables.iter().any(|table| table.names.is_some()),
            has_values: false,
        }
        .check()
    };
    styles(tables)?;
    tables.iter().try_for_each(|table| styles(std::slice::from_ref(table)))
}

#[cfg(test)]
mod tests {
    use hashrange_types::{Request, TableName, TableReference};

    use super::*;
    use crate::read_fixture::{Shelf, item, n, s, schema, schema_with_key, table_reference};

    fn keys(keys: impl IntoIterator<Item = Item>) -> KeysAndAttributes {
        KeysAndAttributes {
            table: table_reference(),
            keys: keys.into_iter().map(Ok).collect(),
            consistent_read: false,
            projection_expression: None,
            attributes_to_get: None,
            names: None,
            has_duplicates: false,
        }
    }

    fn batch(tables: Vec<KeysAndAttributes>) -> Request {
        Request::BatchGetItem(BatchGetItemRequest {
            tables,
            return_consumed_capacity: ReturnConsumedCapacity::Total,
        })
    }

    fn answer(shelf: &Shelf, tables: Vec<KeysAndAttributes>) -> BatchGetItemResponse {
        match shelf.outcome(batch(tables)).reply {
            Ok(Response::BatchGetItem(response)) => response,
            reply => panic!("a BatchGetItem is answered by items, not by {reply:?}"),
        }
    }

    fn sized(pk: &str, size_bytes: usize) -> Item {
        item([("pk", s(pk)), ("d", s(&"x".repeat(size_bytes - 3 - pk.len())))])
    }

    fn key_of(pk: &str) -> Item {
        item([("pk", s(pk))])
    }

    #[test]
    fn every_key_is_charged_alone_missing_ones_too() {
        let items = [sized("a", 1_536), sized("b", 6_656)];
        let shelf = Shelf::with_items(schema_with_key("pk"), 4, items.clone());
        let mut asked = keys(["a", "b"].map(key_of));
        asked.consistent_read = true;
        let response = answer(&shelf, vec![asked]);
        assert_eq!(response.consumed[0].total(), CapacityUnits::whole(3));
        assert_eq!(response.responses, [("T".into(), items.to_vec())]);
        assert!(response.unprocessed.is_empty());

        let response = answer(&shelf, vec![keys(["a", "nobody"].map(key_of))]);
        assert_eq!(response.consumed[0].total(), CapacityUnits::whole(1));
        assert_eq!(response.responses[0].1.len(), 1);
    }

    #[test]
    fn every_table_has_an_entry_and_its_own_consistency() {
        let mut shelf = Shelf::with_items(schema_with_key("pk"), 4, [sized("a", 10)]);
        let mut other = schema_with_key("pk");
        other.name = TableName::new("Other").unwrap();
        shelf.add_table(other, 4);
        let mut asked = keys([key_of("a")]);
        asked.table = TableReference::by_name(TableName::new("Other").unwrap());
        asked.consistent_read = true;
        let response = answer(&shelf, vec![keys([key_of("a")]), asked]);
        assert_eq!(response.responses[1], ("Other".into(), Vec::new()));
        let units: Vec<_> = response.consumed.iter().map(ConsumedCapacity::total).collect();
        assert_eq!(units, [CapacityUnits::halves(1), CapacityUnits::whole(1)]);
    }

    #[test]
    fn a_partition_that_gave_more_than_1_mb_leaves_its_other_keys_unprocessed_and_free() {
        let items = ["a", "b", "c", "d"].map(|pk| sized(pk, 400_000));
        let shelf = Shelf::with_items(schema_with_key("pk"), 1, items);
        let response = answer(&shelf, vec![keys(["a", "b", "c", "d"].map(key_of))]);
        assert_eq!(response.responses[0].1.len(), 3);
        assert_eq!(response.unprocessed, [keys([key_of("d")])]);
        // Three times 98 units of 4 KB, eventually consistent.
        assert_eq!(response.consumed[0].total(), CapacityUnits::whole(147));
    }

    #[test]
    fn a_reply_holds_at_most_16_mb() {
        let names: Vec<String> = (0..60).map(|number| format!("{number:02}")).collect();
        let items = names.iter().map(|pk| sized(pk, 400_000));
        let shelf = Shelf::with_items(schema_with_key("pk"), 200, items);
        let response = answer(&shelf, vec![keys(names.iter().map(|pk| key_of(pk)))]);
        assert_eq!(response.responses[0].1.len(), 41);
        assert_eq!(response.unprocessed[0].keys.len(), 19);
    }

    #[track_caller]
    fn refuses(tables: Vec<KeysAndAttributes>, message: &str) {
        let shelf = Shelf::new(schema(), 4);
        assert_eq!(shelf.refusal(batch(tables)), message);
    }

    fn pair(pk: &str, number: usize) -> Item {
        item([("pk", s(pk)), ("sk", s(&number.to_string()))])
    }

    #[test]
    fn a_key_that_stands_twice_is_refused_before_the_table_is_looked_for() {
        let mut twice = keys([pair("a", 1), pair("a", 1)]);
        twice.has_duplicates = true;
        twice.table = TableReference::by_name(TableName::new("Nobody").unwrap());
        refuses(vec![twice], "Provided list of item keys contains duplicates");
    }

    #[test]
    fn keys_that_differ_in_the_spelling_of_a_number_are_read_and_charged_once() {
        let shelf = Shelf::with_items(schema_with_key("pk"), 4, [sized("a", 10)]);
        let response = answer(&shelf, vec![keys(["a", "nobody", "a", "nobody"].map(key_of))]);
        assert_eq!(response.responses[0].1.len(), 1);
        assert_eq!(response.consumed[0].total(), CapacityUnits::whole(1));
    }

    #[test]
    fn batches_stop_at_a_hundred_keys() {
        refuses(
            vec![keys((0..101).map(|number| pair("a", number)))],
            "1 validation error detected: Value at 'RequestItems.T.member.Keys' failed to satisfy \
             constraint: Member must have length less than or equal to 100",
        );
        let mut other = keys((0..60).map(|number| pair("a", number)));
        other.table = TableReference::by_name(TableName::new("Other").unwrap());
        refuses(
            vec![keys((0..60).map(|number| pair("a", number))), other],
            "Too many items requested for the BatchGetItem call",
        );
    }

    #[test]
    fn styles_of_projection_may_not_be_mixed_between_tables() {
        let mut new_style = keys([pair("a", 1)]);
        new_style.projection_expression = Some("v".to_owned());
        let mut old_style = keys([pair("a", 1)]);
        old_style.table = TableReference::by_name(TableName::new("Other").unwrap());
        old_style.attributes_to_get = Some(vec!["v".into()]);
        refuses(
            vec![new_style, old_style],
            "Can not use both expression and non-expression parameters in the same request: \
             Non-expression parameters: {AttributesToGet} Expression parameters: \
             {ProjectionExpression}",
        );
    }

    #[test]
    fn one_wrong_key_refuses_the_whole_batch() {
        let wrong = item([("pk", s("a")), ("sk", n(1))]);
        refuses(
            vec![keys([pair("a", 1), wrong])],
            "The provided key element does not match the schema",
        );
        refuses(
            vec![keys([item([("pk", s("")), ("sk", s("b"))])])],
            "One or more parameter values are not valid. The AttributeValue for a key attribute \
             cannot contain an empty string value. Key: pk",
        );
        let mut missing = keys([pair("a", 1)]);
        missing.table = TableReference::by_name(TableName::new("Missing").unwrap());
        refuses(vec![missing], "Requested resource not found");
    }
}
