//! What holds of every answer and of every database.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hashrange_tests::world::World;
use hashrange_types::{ApiError, Operation, Voice};
use serde_json::{Value as Json, json};

/// Names of exceptions in DynamoDB's service models and of its front end.
const EXCEPTIONS: [&str; 38] = [
    "AccessDeniedException",
    "BackupInUseException",
    "BackupNotFoundException",
    "ConditionalCheckFailedException",
    "ContinuousBackupsUnavailableException",
    "DuplicateItemException",
    "ExpiredIteratorException",
    "ExportConflictException",
    "ExportNotFoundException",
    "GlobalTableAlreadyExistsException",
    "GlobalTableNotFoundException",
    "IdempotentParameterMismatchException",
    "ImportConflictException",
    "ImportNotFoundException",
    "IndexNotFoundException",
    "InvalidExportTimeException",
    "InvalidRestoreTimeException",
    "ItemCollectionSizeLimitExceededException",
    "LimitExceededException",
    "PointInTimeRecoveryUnavailableException",
    "PolicyNotFoundException",
    "ProvisionedThroughputExceededException",
    "ReplicaAlreadyExistsException",
    "ReplicaNotFoundException",
    "RequestEntityTooLarge",
    "RequestLimitExceeded",
    "ResourceInUseException",
    "ResourceNotFoundException",
    "SerializationException",
    "TableAlreadyExistsException",
    "TableInUseException",
    "TableNotFoundException",
    "ThrottlingException",
    "TransactionCanceledException",
    "TransactionConflictException",
    "TrimmedDataAccessException",
    "UnknownOperationException",
    "ValidationException",
];

/// The megabyte of a page, and the largest item that may make it full.
const PAGE_BYTES_MAX: u32 = 1_048_576 + 409_600;

/// Puts a request to the database and checks the answer; true if it was done. A database that is watched is looked
/// through before and after a request that is refused.
pub(crate) fn put(
    world: &mut World,
    seed: usize,
    operation: &str,
    text: &str,
    is_watched: bool,
) -> bool {
    let shown: String = text.chars().take(2_000).collect();
    let place = format!("seed {seed}, {operation}\n{shown}");
    let Some(named) = Operation::from_name(operation) else { panic!("{place}: no operation") };
    world.database.advance(world.now);
    let before = is_watched.then(|| state(world));
    let called = catch_unwind(AssertUnwindSafe(|| {
        let outcome = hashrange_wire::decode(named, text)
            .map(|request| world.database.call(request, world.now));
        match outcome {
            Ok(outcome) => {
                let changes_nothing =
                    outcome.changes.is_empty() && outcome.index_entries.is_empty();
                answer(&outcome.reply, changes_nothing)
            }
            Err(error) => answer(&Err(error), true),
        }
    }));
    let Ok((body, is_done, changes_nothing)) = called else { panic!("panicked at {place}") };
    let is_empty = body.is_empty() && ["TagResource", "UntagResource"].contains(&operation);
    if is_done && is_empty {
        return true;
    }
    let json: Json = serde_json::from_str(&body)
        .unwrap_or_else(|error| panic!("{place}\nis answered by no JSON, {error}: {body}"));
    assert!(json.is_object(), "{place}\nis answered by {body}");
    if is_done {
        check_page(&json, &place);
        return true;
    }
    check_error(&json, &place);
    assert!(changes_nothing, "{place}\nis refused by {body} and changes something");
    if let Some(before) = before {
        assert_eq!(before, state(world), "{place}\nis refused by {body} and changes something");
    }
    false
}

/// The body, true if the request was done, and true if it changed nothing.
fn answer(
    reply: &Result<hashrange_types::Response, ApiError>,
    changes_nothing: bool,
) -> (String, bool, bool) {
    match reply {
        Ok(response) => (hashrange_wire::encode(response), true, changes_nothing),
        Err(error) => {
            (hashrange_wire::encode_error(error, &Voice::default()).body, false, changes_nothing)
        }
    }
}

fn check_error(error: &Json, place: &str) {
    let kind = error["__type"].as_str().unwrap_or_default();
    let name = kind.rsplit('#').next().unwrap_or_default();
    assert!(EXCEPTIONS.contains(&name), "{place}\nis refused by {error}");
    let message = error.get("message").or_else(|| error.get("Message"));
    let has_message = message.and_then(Json::as_str).is_some_and(|message| !message.is_empty());
    let is_bare = ["RequestEntityTooLarge", "SerializationException", "UnknownOperationException"]
        .contains(&name);
    assert!(has_message || is_bare, "{place}\nis refused without a word: {error}");
}

fn check_page(answer: &Json, place: &str) {
    let Some(items) = answer["Items"].as_array() else { return };
    let bytes: u32 = items
        .iter()
        .map(|item| {
            let item = hashrange_wire::item_from_json(item);
            item.unwrap_or_else(|_| panic!("{place}\nreturns an item that is none")).size_bytes()
        })
        .sum();
    assert!(bytes <= PAGE_BYTES_MAX, "{place}\nreturns a page of {bytes} bytes");
    if let (Some(n), Some(n_scanned)) = (answer["Count"].as_u64(), answer["ScannedCount"].as_u64())
    {
        assert!(n <= n_scanned, "{place}\nreturns more than it scanned");
    }
}

fn ask(world: &mut World, operation: &str, request: &Json) -> Json {
    let (_, text) = world.answer(operation, &request.to_string());
    serde_json::from_str(&text).expect("answers are JSON")
}

fn tables(world: &mut World) -> Vec<String> {
    let mut names = Vec::new();
    let mut request = json!({});
    loop {
        let page = ask(world, "ListTables", &request);
        let found = page["TableNames"].as_array().into_iter().flatten();
        names.extend(found.filter_map(|name| Some(name.as_str()?.to_owned())));
        match page.get("LastEvaluatedTableName") {
            Some(last) => request = json!({"ExclusiveStartTableName": last}),
            None => return names,
        }
    }
}

/// Everything that can be asked for without changing anything.
fn state(world: &mut World) -> String {
    let mut state = String::new();
    for table in tables(world) {
        let request = json!({"TableName": table});
        for operation in
            ["DescribeTable", "Scan", "DescribeTimeToLive", "DescribeContinuousBackups"]
        {
            state.push_str(&ask(world, operation, &request).to_string());
        }
    }
    for operation in ["ListBackups", "ListExports", "ListImports", "ListGlobalTables"] {
        state.push_str(&ask(world, operation, &json!({})).to_string());
    }
    state
}

/// Checks that counts and sizes of tables and their indexes are what scanning them gives.
pub(crate) fn check_counts(world: &mut World, seed: usize) {
    for table in tables(world) {
        let told = ask(world, "DescribeTable", &json!({"TableName": table}))["Table"].take();
        check_tree(world, seed, &json!({"TableName": table}), &told, "TableSizeBytes");
        for member in ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"] {
            for index in told[member].as_array().into_iter().flatten() {
                if index["IndexStatus"].as_str().is_some_and(|status| status != "ACTIVE") {
                    continue;
                }
                let request = json!({"TableName": table, "IndexName": index["IndexName"]});
                check_tree(world, seed, &request, index, "IndexSizeBytes");
            }
        }
    }
}

fn check_tree(world: &mut World, seed: usize, request: &Json, told: &Json, size_member: &str) {
    let (mut n_items, mut n_bytes) = (0_u64, 0_u64);
    let mut request = request.clone();
    loop {
        let page = ask(world, "Scan", &request);
        for item in page["Items"].as_array().into_iter().flatten() {
            let item = hashrange_wire::item_from_json(item).expect("items are items");
            n_items += 1;
            n_bytes += u64::from(item.size_bytes());
        }
        match page.get("LastEvaluatedKey") {
            Some(last) => request["ExclusiveStartKey"] = last.clone(),
            None => break,
        }
    }
    let found = (told["ItemCount"].as_u64(), told[size_member].as_u64());
    assert_eq!(found, (Some(n_items), Some(n_bytes)), "seed {seed}, {request}: {told}");
}
