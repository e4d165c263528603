//! DescribeTable: a table's schema and what the table holds now.
//!
//! DynamoDB refreshes counts and sizes every six hours; these are live, and the page says so.

use std::sync::Arc;

use hashrange_storage::{Store, Table};
use hashrange_types::operation::{DescribeTableRequest, IndexDescription, TableDescription};
use hashrange_types::{ApiError, Response, TableName, Timestamp};

use crate::outcome::Outcome;

/// A checked DescribeTable request.
#[derive(Debug, Clone)]
pub struct Plan {
    table: TableName,
}

pub(crate) fn plan(store: &Store, request: DescribeTableRequest) -> Result<Plan, ApiError> {
    find(store, &request.table.name)?;
    Ok(Plan { table: request.table.name })
}

pub(crate) fn execute(store: &Store, plan: &Plan, now: Timestamp) -> Outcome {
    let description = find(store, &plan.table).map(|table| describe(&table, now));
    Outcome::free(description.map(Response::DescribeTable))
}

/// The table called `name`, or the control plane's refusal.
pub(crate) fn find(store: &Store, name: &TableName) -> Result<Arc<Table>, ApiError> {
    store.shared_table(name.as_str()).ok_or_else(|| ApiError::TableNotFound(name.clone()))
}

/// What table operations say about a table at `now`.
pub(crate) fn describe(table: &Table, now: Timestamp) -> TableDescription {
    let schema = table.schema();
    let indexes = schema
        .indexes()
        .map(|index| {
            let tree = table.index(index.name.as_str()).expect("a schema's index has a tree");
            IndexDescription {
                name: index.name.clone(),
                item_count: tree.n_rows(),
                size_bytes: tree.size_bytes(),
            }
        })
        .collect();
    TableDescription {
        schema: schema.clone(),
        status: table.state().status,
        state: table.shared_state(),
        now,
        created_at: table.created_at(),
        table_id: table_id(&schema.name, table.created_at()),
        item_count: table.items().n_rows(),
        size_bytes: table.items().size_bytes(),
        indexes,
    }
}

/// A UUID for a table: the same for one name and moment of creation, and different for another.
pub(crate) fn table_id(name: &TableName, created_at: Timestamp) -> String {
    let high = mixed(name, created_at, 0x9E37_79B9_7F4A_7C15);
    let low = mixed(name, created_at, 0xC2B2_AE3D_27D4_EB4F);
    let text = format!("{high:016x}{low:016x}");
    // Digit 13 is a UUID's version and digit 17 its variant: 4 and 8 mean "random".
    format!("{}-{}-4{}-8{}-{}", &text[..8], &text[8..12], &text[13..16], &text[17..20], &text[20..])
}

/// FNV-1a 64 over name and time with Murmur's finaliser, from a seed.
fn mixed(name: &TableName, created_at: Timestamp, seed: u64) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325 ^ seed;
    for byte in name.as_str().bytes().chain(created_at.0.to_be_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::TableStatus;
    use hashrange_types::{Projection, Request, TableReference};

    use super::*;
    use crate::database::Database;
    use crate::read_fixture::{global, item, s, schema_with_key, table_reference};
    use crate::write_fixture::{database, put};

    fn description(database: &mut Database) -> TableDescription {
        let request = DescribeTableRequest { table: table_reference() };
        match database.run(Request::DescribeTable(request)).reply {
            Ok(Response::DescribeTable(description)) => description,
            reply => panic!("not the reply of a DescribeTable: {reply:?}"),
        }
    }

    #[test]
    fn counts_and_sizes_are_those_of_now() {
        let mut database =
            database(global(schema_with_key("pk"), "gsi", "g", Projection::KeysOnly));
        database.run(Request::PutItem(put(item([("pk", s("a")), ("g", s("x")), ("d", s("yy"))]))));
        database.run(Request::PutItem(put(item([("pk", s("b"))]))));
        let found = description(&mut database);
        assert_eq!(found.status, TableStatus::Active);
        assert_eq!((found.item_count, found.size_bytes), (2, 11));
        assert_eq!((found.indexes[0].item_count, found.indexes[0].size_bytes), (1, 5));
    }

    #[test]
    fn an_unknown_table_is_named() {
        let missing = TableReference::by_name(TableName::new("Missing").unwrap());
        let request = Request::DescribeTable(DescribeTableRequest { table: missing });
        assert_eq!(
            Database::default().refusal(request),
            "Requested resource not found: Table: Missing not found"
        );
    }

    #[test]
    fn the_table_id_is_a_uuid_of_name_and_time() {
        let name = TableName::new("T").unwrap();
        let id = table_id(&name, Timestamp(1));
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(id, table_id(&name, Timestamp(1)));
        assert_ne!(id, table_id(&name, Timestamp(2)));
        assert_ne!(id, table_id(&TableName::new("U").unwrap(), Timestamp(1)));
    }
}
