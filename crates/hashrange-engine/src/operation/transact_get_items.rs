//! TransactGetItems: read up to 100 items as they were at one moment.
//!
//! Invariant: every key is checked before any is read; each is charged two reads, missing items too.
//!
//! Source: facts 2.2, 3.6 and 4.8.

use hashrange_expressions::ProjectionPaths;
use hashrange_storage::{Row, Store};
use hashrange_types::operation::{
    ConsumedCapacity, ReturnConsumedCapacity, TransactGetItemsRequest, TransactGetItemsResponse,
};
use hashrange_types::{
    ApiError, CapacityUnits, EncodedKey, Item, Response, SortedSet, TableReference, Timestamp,
    ValidationError,
};

use crate::capacity::read_units;
use crate::outcome::{Evaluated, Outcome};
use crate::read_validation::{bind_lone_projection, check_projected_keys, check_projection_styles};
use crate::transaction::{ByTable, at_element, check_bytes, check_distinct, settle_keys};
use crate::validation::{encode_key, find_table};

/// A checked TransactGetItems.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) gets: Vec<Get>,
    shown: ReturnConsumedCapacity,
}

/// One read of a transaction.
#[derive(Debug, Clone)]
pub(crate) struct Get {
    pub(crate) table: TableReference,
    pub(crate) key: EncodedKey,
    projection: Option<ProjectionPaths>,
}

impl Plan {
    /// Reads of whole items, already checked.
    pub(crate) fn of_keys(
        keys: impl IntoIterator<Item = (TableReference, EncodedKey)>,
        shown: ReturnConsumedCapacity,
    ) -> Self {
        let get = |(table, key)| Get { table, key, projection: None };
        Self { gets: keys.into_iter().map(get).collect(), shown }
    }
}

/// Checks a TransactGetItems: the elements one by one, then all tables, then all keys.
pub(crate) fn plan(store: &Store, request: TransactGetItemsRequest) -> Result<Plan, ApiError> {
    let placed = |error: ValidationError, index| at_element(error, index, "Get");
    let mut settled: Vec<(TableReference, Item, Option<ProjectionPaths>)> = Vec::new();
    for (index, get) in request.items.into_iter().enumerate() {
        let bind = || {
            let projection = get.projection_expression.as_deref();
            check_projection_styles(projection.is_some(), false, get.names.is_some())?;
            let key = get.key.clone()?;
            Ok((key, bind_lone_projection(projection, None, get.names.as_ref())?))
        };
        let (key, projection) = bind().map_err(|error| placed(error, index))?;
        settled.push((get.table, key, projection));
    }
    for (table, ..) in &settled {
        find_table(store, table)?;
    }
    let mut keys = Vec::with_capacity(settled.len());
    for (index, (table, key, projection)) in settled.iter().enumerate() {
        let schema = find_table(store, table)?.schema();
        check_projected_keys(projection.as_ref(), schema).map_err(|error| placed(error, index))?;
        let key = encode_key(&schema.key, key).map_err(|error| error.at_member(&["Key"]));
        keys.push(key.map_err(|error| placed(error, index)));
    }
    let keys = settle_keys(keys)?;
    check_distinct(settled.iter().map(|(table, ..)| table).zip(&keys))?;
    let gets = settled.into_iter().zip(keys);
    let gets = gets.map(|((table, _, projection), key)| Get { table, key, projection }).collect();
    Ok(Plan { gets, shown: request.return_consumed_capacity })
}

/// Reads the items, all from the same store.
pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    let mut responses = Vec::with_capacity(plan.gets.len());
    let mut units: ByTable<CapacityUnits> = ByTable::default();
    let mut partitions: ByTable<Vec<usize>> = ByTable::default();
    let mut evaluated = Evaluated::NOTHING;
    for get in &plan.gets {
        let table = match find_table(store, &get.table) {
            Ok(table) => table,
            Err(error) => return Outcome::free(Err(error)),
        };
        let row = table.get(&get.key);
        let size_bytes = row.map_or(0, |row| u64::from(row.size_bytes));
        *units.share(&get.table) += read_units(size_bytes, true).times(2);
        partitions.share(&get.table).push(table.items().partition_position(&get.key));
        if let Some(row) = row {
            evaluated.add_returned(&get.key, row);
        }
        responses.push(row.and_then(|row| get.returned(row)));
    }
    evaluated.n_partitions = partitions.into_shares().map(|(_, touched)| n_distinct(touched)).sum();
    let consumed: Vec<ConsumedCapacity> = units
        .into_shares()
        .map(|(table, units)| ConsumedCapacity {
            table_name: table.given,
            table: units,
            local_indexes: Vec::new(),
            global_indexes: Vec::new(),
            failed: CapacityUnits::ZERO,
            is_write: false,
            shown: plan.shown,
        })
        .collect();
    let reply = check_bytes(evaluated.bytes_examined).map_err(ApiError::from).map(|()| {
        Response::TransactGetItems(TransactGetItemsResponse {
            responses,
            consumed: consumed.clone(),
        })
    });
    Outcome { consumed, evaluated, ..Outcome::free(reply) }
}

impl Get {
    /// What the reply holds of an item; none where the projection leaves nothing of it.
    fn returned(&self, row: &Row) -> Option<Item> {
        match &self.projection {
            Some(paths) => Some(paths.project(&row.item)).filter(|item| !item.is_empty()),
            None => Some(row.item.clone()),
        }
    }
}

fn n_distinct(positions: Vec<usize>) -> u32 {
    let positions: SortedSet<usize> = positions.into_iter().collect();
    u32::try_from(positions.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use hashrange_types::{Request, TableName};

    use super::*;
    use crate::read_fixture::{Shelf, item, s, schema, schema_with_key};
    use crate::transaction_fixture::{read, reasons};
    use crate::write_fixture::{sized, units};

    fn key(pk: &str) -> Item {
        item([("pk", s(pk))])
    }

    fn shelf() -> Shelf {
        let items = [sized("small", 100), sized("edge", 4_096), sized("large", 4_097)];
        Shelf::with_items(schema_with_key("pk"), 4, items)
    }

    #[track_caller]
    fn costs(keys: &[&str], expected: &str) {
        let request = read(keys.iter().map(|pk| key(pk)).collect());
        let outcome = shelf().outcome(Request::TransactGetItems(request));
        assert_eq!(units(&outcome.consumed), expected);
    }

    #[test]
    fn each_item_costs_two_reads_rounded_by_itself() {
        costs(&["small"], "table 2");
        costs(&["edge"], "table 2");
        costs(&["large"], "table 4");
        costs(&["nobody"], "table 2");
        costs(&["small", "nobody", "large"], "table 8");
    }

    #[test]
    fn what_was_examined_counts_the_items_found() {
        let request = read(vec![key("small"), key("nobody"), key("edge")]);
        let evaluated = shelf().outcome(Request::TransactGetItems(request)).evaluated;
        assert_eq!((evaluated.n_examined, evaluated.n_returned), (2, 2));
        assert_eq!(evaluated.bytes_examined, 4_196);
    }

    #[test]
    fn items_of_more_than_4_mb_together_are_refused() {
        let name = |index: usize| format!("{index:02}");
        let items = (0..12).map(|index| sized(&name(index), 350_000));
        let shelf = Shelf::with_items(schema_with_key("pk"), 4, items);
        let gets = |n: usize| {
            let keys = (0..n).map(|index| key(&name(index))).collect();
            shelf.outcome(Request::TransactGetItems(read(keys))).reply
        };
        assert!(gets(11).is_ok());
        assert_eq!(gets(12).unwrap_err().name(), "ValidationException");
    }

    #[test]
    fn the_first_broken_rule_in_order_is_reported() {
        let shelf = Shelf::new(schema(), 4);
        let mut request = read(vec![key("a"), key("a")]);
        let refusal = |request: &TransactGetItemsRequest| {
            shelf.plan(Request::TransactGetItems(request.clone())).unwrap_err()
        };
        let canceled = refusal(&request);
        assert_eq!(
            reasons(&canceled),
            (
                vec!["ValidationError", "None"],
                Some("The provided key element does not match the schema".to_owned())
            )
        );
        let place = ["TransactItems", "0", "Get", "Key"].map(str::to_owned).to_vec();
        assert_eq!(canceled.place(), Some(&hashrange_types::ErrorPlace::Member(place)));
        request.items[1].table.name = TableName::new("Missing").unwrap();
        assert_eq!(refusal(&request), ApiError::ResourceNotFound);
        request.items[1].names = Some(vec![("#a".into(), "a".into())]);
        assert_eq!(
            refusal(&request).to_string(),
            "ExpressionAttributeNames can only be specified when using expressions"
        );
        request.items[0].key = Err(ValidationError::new("wrong"));
        assert_eq!(refusal(&request).to_string(), "wrong");
    }
}
