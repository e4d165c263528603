//! CreateTable: check a table's definition and make the empty table.
//!
//! The table is ACTIVE at once, or CREATING for a while (`Delays`).
//!
//! Source: facts 3.8 and the control-plane rows of 4.10.1.

pub(super) mod definition;
pub(super) mod index;
pub(super) mod options;

use std::sync::Arc;

use hashrange_storage::{Change, Store, Table, TableChange};
use hashrange_types::operation::{CreateTableRequest, SequenceNumber, TableStatus};
use hashrange_types::table_state::Effect;
use hashrange_types::{ApiError, Response, TableSchema, TableState, Timestamp};

use crate::life::{account_change, open_stream, partitions, settled, throughput_of};
use crate::operation::describe_table::describe;
use crate::outcome::Outcome;

/// A checked CreateTable request.
#[derive(Debug, Clone)]
pub struct Plan {
    schema: TableSchema,
    options: options::Options,
}

#[expect(clippy::needless_pass_by_value, reason = "every operation is planned by one signature")]
pub(crate) fn plan(store: &Store, request: CreateTableRequest) -> Result<Plan, ApiError> {
    let schema = definition::schema_of(&request)?;
    let options = options::Options::of(&request, &schema)?;
    if store.table(schema.name.as_str()).is_some() {
        return Err(already_exists(&schema));
    }
    Ok(Plan { schema, options })
}

pub(crate) fn execute(store: &Store, plan: &Plan, now: Timestamp) -> Outcome {
    let schema = &plan.schema;
    if store.table(schema.name.as_str()).is_some() {
        return Outcome::free(Err(already_exists(schema)));
    }
    let table = new_table(schema, now);
    let mut state = table.state().clone();
    plan.options.set(&mut state);
    let mut changes = Vec::new();
    if let Some(view_type) = plan.options.stream {
        let mut account = store.account().clone();
        let next = SequenceNumber(store.sequence().0 + 1);
        state.stream = Some(open_stream(&mut account, &table, view_type, next, now));
        changes.push(account_change(store, account));
    }
    let delays = store.delays();
    let delay = if schema.global_indexes.is_empty() {
        delays.create_table
    } else {
        delays.create_table_with_indexes
    };
    begin(&mut state, now.plus_millis(delay));
    let table = settled(table.with_state(state), now).expect("a new table does not go");
    let reply = Response::CreateTable(describe(&table, now));
    changes.push(Change::Table(TableChange {
        name: schema.name.clone(),
        before: None,
        after: Some(Arc::new(table)),
    }));
    Outcome { changes, ..Outcome::free(Ok(reply)) }
}

/// Lets a table and its indexes be CREATING until `ready_at`.
pub(crate) fn begin(state: &mut TableState, ready_at: Timestamp) {
    state.status = TableStatus::Creating;
    for index in state.indexes.values_mut() {
        index.status = TableStatus::Creating;
    }
    state.expect(ready_at, Effect::TableActive);
}

/// An empty table of this schema, ACTIVE, in as many partitions as its capacity asks for.
pub(crate) fn new_table(schema: &TableSchema, now: Timestamp) -> Table {
    let n_partitions = partitions(throughput_of(schema.billing));
    let indexes = schema.global_indexes.iter();
    let n_index_partitions: Vec<u32> = indexes.map(|index| partitions(index.throughput)).collect();
    Table::new(schema.clone(), now, n_partitions, &n_index_partitions)
}

fn already_exists(schema: &TableSchema) -> ApiError {
    ApiError::ResourceInUse(format!("Table already exists: {}", schema.name))
}

#[cfg(test)]
mod tests {
    use hashrange_types::operation::{CreateTableRequest, KeyType};
    use hashrange_types::{ProvisionedThroughput, Request, Timestamp};

    use super::*;
    use crate::database::Database;
    use crate::table_fixture::{create, definitions, global, index, projection, throughput};

    #[track_caller]
    fn refuses(request: CreateTableRequest, message: &str) {
        let reply = Database::default().call(Request::CreateTable(request), Timestamp(0)).reply;
        assert_eq!(reply.unwrap_err().to_string(), message);
    }

    #[track_caller]
    fn refuses_value(request: CreateTableRequest, rest: &str) {
        refuses(request, &format!("One or more parameter values were invalid: {rest}"));
    }

    #[track_caller]
    fn created(request: CreateTableRequest) -> Database {
        let mut database = Database::default();
        database.run(Request::CreateTable(request));
        database
    }

    fn provisioned(read: u64, write: u64) -> CreateTableRequest {
        CreateTableRequest {
            is_pay_per_request: None,
            provisioned_throughput: Some(throughput(read, write)),
            ..create("T", "pk", "pk")
        }
    }

    #[test]
    fn a_table_is_active_at_once_and_its_name_is_taken() {
        let mut database = created(create("T", "pk | sk", "pk sk"));
        let table = database.store().table("T").unwrap();
        assert_eq!(table.schema().key.sort.len(), 1);
        assert_eq!(
            database.refusal(Request::CreateTable(create("T", "pk", "pk"))),
            "Table already exists: T"
        );
    }

    #[test]
    fn an_on_demand_table_starts_with_four_partitions_and_so_do_its_global_indexes() {
        let mut request = create("T", "pk", "pk g");
        request.global_indexes = Some(vec![global(index("gsi", "g"))]);
        let database = created(request);
        let table = database.store().table("T").unwrap();
        assert_eq!(table.items().n_partitions(), 4);
        assert_eq!(table.index("gsi").unwrap().n_partitions(), 4);
    }

    #[test]
    fn a_provisioned_table_has_a_partition_for_each_3_000_reads_or_1_000_writes_a_second() {
        for (read, write, n_partitions) in
            [(1, 1, 1), (3_000, 0, 1), (1_500, 500, 1), (3_000, 1, 2), (40_000, 40_000, 54)]
        {
            let units = ProvisionedThroughput { read, write };
            assert_eq!(partitions(Some(units)), n_partitions, "{read} and {write}");
        }
        let database = created(provisioned(3_000, 1_000));
        assert_eq!(database.store().table("T").unwrap().items().n_partitions(), 2);
    }

    #[test]
    fn a_key_is_one_hash_element_and_at_most_one_range_element() {
        refuses(
            create("T", "| pk", "pk"),
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
        );
        refuses(
            create("T", "pk sk", "pk sk"),
            "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
        );
        refuses(
            create("T", "pk | pk", "pk"),
            "Invalid KeySchema: Some index key attribute have no definition",
        );
        refuses(
            create("T", "pk | pk", "pk x"),
            "Both the Hash Key and the Range Key element in the KeySchema have the same name",
        );
        refuses(
            create("T", "pk | sk x", "pk sk x"),
            "1 validation error detected: Value '[KeySchemaElement(attributeName=pk, keyType=HASH), \
             KeySchemaElement(attributeName=sk, keyType=RANGE), \
             KeySchemaElement(attributeName=x, keyType=RANGE)]' at 'keySchema' failed to satisfy \
             constraint: Member must have length less than or equal to 2",
        );
    }

    #[test]
    fn definitions_are_exactly_the_key_attributes() {
        refuses(
            create("T", "pk", "other"),
            "Invalid KeySchema: Some index key attribute have no definition",
        );
        refuses_value(
            create("T", "pk", "pk extra"),
            "Number of attributes in KeySchema does not exactly match number of attributes defined in \
             AttributeDefinitions",
        );
        let mut request = create("T", "pk", "pk sk extra");
        request.global_indexes = Some(vec![global(index("gsi", "sk"))]);
        refuses_value(
            request.clone(),
            "Some AttributeDefinitions are not used. AttributeDefinitions: [pk, sk, extra], keys used: \
             [pk, sk]",
        );
        request.attribute_definitions = definitions("pk");
        refuses_value(
            request,
            "Some index key attributes are not defined in AttributeDefinitions. Keys: [sk], \
             AttributeDefinitions: [pk]",
        );
    }

    #[test]
    fn an_attribute_too_many_hides_the_errors_of_indexes() {
        let mut request = create("T", "pk", "pk g extra");
        request.global_indexes = Some(vec![global(index("gsi", "g")), global(index("gsi", "g"))]);
        let reply = Database::default().call(Request::CreateTable(request), Timestamp(0)).reply;
        let message = reply.unwrap_err().to_string();
        assert!(message.contains("Some AttributeDefinitions are not used"), "{message}");
    }

    #[test]
    fn throughput_is_given_exactly_for_provisioned_tables_and_their_global_indexes() {
        let mut request = provisioned(1, 1);
        request.is_pay_per_request = Some(true);
        refuses_value(
            request,
            "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is \
             PAY_PER_REQUEST",
        );
        let mut request = create("T", "pk", "pk");
        request.is_pay_per_request = None;
        refuses_value(
            request,
            "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is \
             PROVISIONED",
        );
        let with_index = |mut request: CreateTableRequest, units| {
            request.attribute_definitions = definitions("pk g");
            let mut index = global(index("gsi", "g"));
            index.provisioned_throughput = units;
            request.global_indexes = Some(vec![index]);
            request
        };
        refuses_value(
            with_index(provisioned(1, 1), None),
            "ProvisionedThroughput is not specified for index: gsi",
        );
        refuses_value(
            with_index(create("T", "pk", "pk"), Some(throughput(1, 1))),
            "ProvisionedThroughput should not be specified for index: gsi when BillingMode is \
             PAY_PER_REQUEST",
        );
        created(with_index(provisioned(1, 1), Some(throughput(1, 1))));
    }

    #[test]
    fn throughput_is_between_1_and_40_000() {
        refuses(
            provisioned(0, 1),
            "1 validation error detected: Value '0' at 'provisionedThroughput.readCapacityUnits' failed \
             to satisfy constraint: Member must have value greater than or equal to 1",
        );
        created(provisioned(40_000, 40_000));
        refuses(
            provisioned(40_001, 1),
            "The requested ReadCapacityUnits, 40001, is above the per table maximum for the account in \
             us-east-1. Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide for \
             current limits and how to request higher limits.",
        );
    }

    fn with_local(key: &str, index_keys: &[(&str, &str)]) -> CreateTableRequest {
        let mut request = create("T", key, "pk sk l");
        let indexes = index_keys.iter().map(|(name, key)| index(name, key)).collect();
        request.local_indexes = Some(indexes);
        request
    }

    #[test]
    fn local_indexes_share_the_partition_key_of_a_table_with_a_sort_key() {
        created(with_local("pk | sk", &[("lsi", "pk | l")]));
        let mut request = with_local("pk", &[("lsi", "pk | l")]);
        request.attribute_definitions = definitions("pk l");
        refuses_value(
            request,
            "Table KeySchema does not have a range key, which is required when specifying a \
             LocalSecondaryIndex",
        );
        refuses_value(
            with_local("pk | sk", &[("lsi", "l | sk")]),
            "Index KeySchema does not have the same leading hash key as table KeySchema for index: lsi. \
             index hash key: l, table hash key: pk",
        );
        let mut request = with_local("pk | sk", &[("lsi", "pk")]);
        request.attribute_definitions = definitions("pk sk");
        refuses_value(request, "Index KeySchema does not have a range key for index: lsi");
        let mut request = with_local("pk | sk", &[]);
        request.attribute_definitions = definitions("pk sk");
        refuses_value(request, "List of LocalSecondaryIndexes is empty");
    }

    #[test]
    fn there_are_at_most_5_local_and_20_global_indexes_of_distinct_names() {
        let keys = ["one", "two", "three", "four", "five", "six"].map(|name| (name, "pk | l"));
        created(with_local("pk | sk", &keys[..5]));
        refuses_value(
            with_local("pk | sk", &keys),
            "Number of LocalSecondaryIndexes exceeds per-table limit of 5",
        );
        let globals = |n_indexes: u32| {
            let mut request = create("T", "pk", "pk g");
            let indexes = (0..n_indexes).map(|at| global(index(&format!("gsi-{at}"), "g")));
            request.global_indexes = Some(indexes.collect());
            request
        };
        created(globals(20));
        refuses_value(globals(21), "GlobalSecondaryIndex count exceeds the per-table limit of 20");
        let mut request = with_local("pk | sk", &[("same", "pk | l")]);
        request.global_indexes = Some(vec![global(index("same", "l"))]);
        refuses_value(request, "Duplicate index name: same");
        let mut request = create("T", "pk", "pk");
        request.global_indexes = Some(Vec::new());
        refuses_value(request, "List of GlobalSecondaryIndexes is empty");
    }

    #[test]
    fn a_global_index_has_up_to_four_hash_and_four_range_attributes() {
        let with_key = |key: &str, attributes: &str| {
            let mut request = create("T", "pk", &format!("pk {attributes}"));
            request.global_indexes = Some(vec![global(index("gsi", key))]);
            request
        };
        let database = created(with_key("a b c d | e f g h", "a b c d e f g h"));
        let schema = database.store().table("T").unwrap().schema().clone();
        assert_eq!(schema.global_indexes[0].key.partition.len(), 4);
        assert_eq!(schema.global_indexes[0].key.sort.len(), 4);
        refuses(
            with_key("a b c d e", "a b c d e"),
            "Invalid KeySchema: A global secondary index has at most 4 HASH and 4 RANGE key elements",
        );
        refuses(
            with_key("a b | a", "a b"),
            "Both the Hash Key and the Range Key element in the KeySchema have the same name",
        );
        let mut request = with_key("a | b c", "a b c");
        let elements = &mut request.global_indexes.as_mut().unwrap()[0].index.key_schema;
        elements[2].key_type = KeyType::Hash;
        refuses(
            request,
            "Invalid KeySchema: All HASH key elements must come before the RANGE key elements",
        );
    }

    #[test]
    fn a_projection_has_a_type_and_names_exactly_if_it_is_include() {
        let projecting = |kind: Option<&str>, names: Option<&[&str]>| {
            let mut index = index("gsi", "g");
            index.projection = projection(kind.unwrap_or_default(), names);
            index.projection.projection_type = kind.map(Into::into);
            let mut request = create("T", "pk", "pk g");
            request.global_indexes = Some(vec![global(index)]);
            request
        };
        created(projecting(Some("KEYS_ONLY"), None));
        created(projecting(Some("INCLUDE"), Some(&["a", "b"])));
        refuses_value(projecting(None, None), "Unknown ProjectionType: null");
        refuses_value(
            projecting(Some("ALL"), Some(&["a"])),
            "ProjectionType is ALL, but NonKeyAttributes is specified",
        );
        refuses_value(
            projecting(Some("INCLUDE"), None),
            "ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
        );
        let names: Vec<String> = (0..21).map(|at| format!("a{at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        created(projecting(Some("INCLUDE"), Some(&names[..20])));
        let reply = Database::default()
            .call(Request::CreateTable(projecting(Some("INCLUDE"), Some(&names))), Timestamp(0))
            .reply;
        let message = reply.unwrap_err().to_string();
        assert!(message.ends_with("Member must have length less than or equal to 20"), "{message}");
    }

    #[test]
    fn all_indexes_together_name_at_most_100_projected_attributes() {
        let names: Vec<String> = (0..20).map(|at| format!("a{at}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let naming = |n_indexes: u32| {
            let indexes = (0..n_indexes).map(|at| {
                let mut index = index(&format!("gsi-{at}"), "g");
                index.projection = projection("INCLUDE", Some(&names));
                global(index)
            });
            let mut request = create("T", "pk", "pk g");
            request.global_indexes = Some(indexes.collect());
            request
        };
        created(naming(5));
        refuses_value(
            naming(6),
            "Number of NonKeyAttributes of all indexes exceeds the per-table limit of 100",
        );
    }

    #[test]
    fn members_without_a_meaning_here_are_refused_by_name() {
        let mut request = create("T", "pk", "pk");
        request.unsupported = vec!["VectorIndexes".into()];
        refuses(request, "VectorIndexes is not supported by this build of Hashrange.");
    }
}
