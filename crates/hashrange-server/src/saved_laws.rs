//! The law of a saved database: what is read back equals what was written, and goes on like it.
//!
//! Histories are made of the requests below, most of which set something that only a saved database could
//! lose. Refusals are part of a history, too.

use std::sync::Arc;

use hashrange_engine::{Database, Delays, due};
use hashrange_storage::{Change, KeyRange, Store, TableChange};
use hashrange_types::{IndexName, Operation, Timestamp};
use proptest::prelude::*;

use crate::saved::{read, write};

/// Requests; `{t}` is a table, `{k}` a key, `{n}` a number that rises, `{backup}` and `{stream}` the newest.
const REQUESTS: &[(&str, &str)] = &[
    (
        "CreateTable",
        r#"{"TableName":"{t}","BillingMode":"PAY_PER_REQUEST",
        "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
        "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}"#,
    ),
    (
        "CreateTable",
        r#"{"TableName":"{t}","BillingMode":"PROVISIONED",
        "ProvisionedThroughput":{"ReadCapacityUnits":9000,"WriteCapacityUnits":3},
        "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
        "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
            {"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"a","AttributeType":"N"},
            {"AttributeName":"b","AttributeType":"B"}],
        "LocalSecondaryIndexes":[{"IndexName":"byA","Projection":{"ProjectionType":"KEYS_ONLY"},
            "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"a","KeyType":"RANGE"}]}],
        "GlobalSecondaryIndexes":[{"IndexName":"byB",
            "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x","y"]},
            "ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":4},
            "KeySchema":[{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"a","KeyType":"HASH"},
                {"AttributeName":"sk","KeyType":"RANGE"}]}],
        "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},
        "SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"alias/mine"},
        "Tags":[{"Key":"team","Value":"\"blue\"\n"}],"TableClass":"STANDARD_INFREQUENT_ACCESS",
        "WarmThroughput":{"ReadUnitsPerSecond":15000,"WriteUnitsPerSecond":5000},
        "ResourcePolicy":"{\"Version\":\"2012-10-17\",\"Statement\":[]}"}"#,
    ),
    (
        "PutItem",
        r#"{"TableName":"{t}","Item":{"pk":{"S":"{k}"},"sk":{"S":"{n}"},"a":{"N":"{n}.5"},
        "b":{"B":"AA=="},"x":{"M":{"z":{"L":[{"NULL":true}]},"a":{"SS":["q","p"]}}},"ttl":{"N":"1767000000"}}}"#,
    ),
    ("PutItem", r#"{"TableName":"{t}","Item":{"x":{"N":"{n}"},"sk":{"S":"s"},"pk":{"S":"{k}"}}}"#),
    (
        "UpdateItem",
        r#"{"TableName":"{t}","Key":{"pk":{"S":"{k}"},"sk":{"S":"s"}},
        "UpdateExpression":"SET y = :n","ExpressionAttributeValues":{":n":{"N":"{n}"}}}"#,
    ),
    (
        "UpdateItem",
        r#"{"TableName":"{t}","Key":{"pk":{"S":"{k}"}},
        "UpdateExpression":"SET y = :n","ExpressionAttributeValues":{":n":{"N":"{n}"}}}"#,
    ),
    ("DeleteItem", r#"{"TableName":"{t}","Key":{"pk":{"S":"{k}"},"sk":{"S":"s"}}}"#),
    ("DeleteItem", r#"{"TableName":"{t}","Key":{"pk":{"S":"{k}"}}}"#),
    (
        "TransactWriteItems",
        r#"{"ClientRequestToken":"token {n}","TransactItems":[{"Put":{"TableName":"{t}",
        "Item":{"pk":{"S":"{k}"},"sk":{"S":"s"},"by":{"S":"transaction"}}}}]}"#,
    ),
    (
        "ExecuteTransaction",
        r#"{"ClientRequestToken":"token {n}","TransactStatements":[{
        "Statement":"INSERT INTO {t} VALUE {'pk':'{n}','sk':'s'}"}]}"#,
    ),
    (
        "UpdateTimeToLive",
        r#"{"TableName":"{t}","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":false}}"#,
    ),
    (
        "UpdateTimeToLive",
        r#"{"TableName":"{t}","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}"#,
    ),
    (
        "UpdateContinuousBackups",
        r#"{"TableName":"{t}","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":false}}"#,
    ),
    (
        "UpdateContinuousBackups",
        r#"{"TableName":"{t}","PointInTimeRecoverySpecification":{
        "PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":3}}"#,
    ),
    ("DeleteBackup", r#"{"BackupArn":"{backup}"}"#),
    ("CreateBackup", r#"{"TableName":"{t}","BackupName":"backup-{n}"}"#),
    ("RestoreTableFromBackup", r#"{"TargetTableName":"Restored-{n}","BackupArn":"{backup}"}"#),
    (
        "RestoreTableToPointInTime",
        r#"{"SourceTableName":"{t}","TargetTableName":"Earlier-{n}","UseLatestRestorableTime":true}"#,
    ),
    ("UpdateTable", r#"{"TableName":"{t}","StreamSpecification":{"StreamEnabled":false}}"#),
    (
        "UpdateTable",
        r#"{"TableName":"{t}","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}"#,
    ),
    (
        "UpdateTable",
        r#"{"TableName":"{t}","AttributeDefinitions":[{"AttributeName":"y","AttributeType":"N"}],
        "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"byY","Projection":{"ProjectionType":"ALL"},
            "KeySchema":[{"AttributeName":"y","KeyType":"HASH"}]}}]}"#,
    ),
    (
        "UpdateTable",
        r#"{"TableName":"{t}","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"byY"}}]}"#,
    ),
    (
        "UpdateTable",
        r#"{"TableName":"{t}","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"byB",
        "ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":6}}}]}"#,
    ),
    (
        "UpdateTable",
        r#"{"TableName":"{t}","BillingMode":"PROVISIONED",
        "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":2}}"#,
    ),
    ("UpdateTable", r#"{"TableName":"{t}","BillingMode":"PAY_PER_REQUEST"}"#),
    (
        "UpdateTable",
        r#"{"TableName":"{t}","OnDemandThroughput":{"MaxReadRequestUnits":40,"MaxWriteRequestUnits":50}}"#,
    ),
    (
        "UpdateTable",
        r#"{"TableName":"{t}","WarmThroughput":{"ReadUnitsPerSecond":20000,"WriteUnitsPerSecond":9000}}"#,
    ),
    ("UpdateTable", r#"{"TableName":"{t}","TableClass":"STANDARD_INFREQUENT_ACCESS"}"#),
    ("UpdateTable", r#"{"TableName":"{t}","SSESpecification":{"Enabled":false}}"#),
    (
        "UpdateTable",
        r#"{"TableName":"{t}","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-2"}}]}"#,
    ),
    ("UpdateTable", r#"{"TableName":"{t}","DeletionProtectionEnabled":true}"#),
    ("UpdateTable", r#"{"TableName":"{t}","DeletionProtectionEnabled":false}"#),
    (
        "PutResourcePolicy",
        r#"{"ResourceArn":"{stream}","Policy":"{\"Version\":\"2012-10-17\",\"Statement\":[]}"}"#,
    ),
    ("UpdateContributorInsights", r#"{"TableName":"{t}","ContributorInsightsAction":"ENABLE"}"#),
    (
        "UpdateContributorInsights",
        r#"{"TableName":"{t}","IndexName":"byB","ContributorInsightsAction":"ENABLE",
        "ContributorInsightsMode":"THROTTLED_KEYS"}"#,
    ),
    (
        "EnableKinesisStreamingDestination",
        r#"{"TableName":"{t}","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/s{k}",
        "EnableKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}}"#,
    ),
    (
        "DisableKinesisStreamingDestination",
        r#"{"TableName":"{t}","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/s{k}"}"#,
    ),
    (
        "TagResource",
        r#"{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/{t}",
        "Tags":[{"Key":"{k}","Value":"{n}"}]}"#,
    ),
    (
        "ExportTableToPointInTime",
        r#"{"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/{t}",
        "S3Bucket":"bucket","S3Prefix":"prefix","ClientToken":"{n}"}"#,
    ),
    (
        "ImportTable",
        r#"{"S3BucketSource":{"S3Bucket":"bucket"},"InputFormat":"CSV","TableCreationParameters":{
        "TableName":"Imported-{n}","BillingMode":"PAY_PER_REQUEST",
        "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
        "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}}"#,
    ),
    ("DeleteTable", r#"{"TableName":"{t}"}"#),
];

/// Seconds that pass before a request: nothing, transitions, sweeps, forgotten records.
const PAUSES: [i64; 6] = [0, 1, 45, 700, 5 * 3_600, 30 * 3_600];

/// A request (or, beyond the last, a split), its table, its key, and which pause comes before it.
type Step = (usize, bool, u8, usize);

/// A database with its clock and a count of what it was asked.
struct History {
    database: Database,
    now: Timestamp,
    n: u32,
}

impl History {
    fn new(delays: Delays) -> Self {
        let now = Timestamp(1_767_225_600_000_123);
        Self { database: Database::with_delays(delays), now, n: 0 }
    }

    fn store(&self) -> &Store {
        self.database.store()
    }

    /// Divides a partition of the table or of its index where an item or entry is, as a busy table does.
    fn split(&mut self, (_, is_first_table, key, pause): Step) {
        let mut store = self.store().clone();
        let name = if is_first_table { "Orders" } else { "Parts" };
        let Some(before) = store.shared_table(name) else { return };
        let index = IndexName::new("byB").filter(|name| before.index(name.as_str()).is_some());
        let index = index.filter(|_| pause % 2 == 1);
        let tree = index.as_ref().map_or(Some(before.items()), |name| before.index(name.as_str()));
        let mut rows = tree.unwrap().range(&KeyRange::all(), true);
        let Some((at, _)) = rows.nth(key.into()) else { return };
        let after = Some(Arc::new(before.with_split(index.as_ref(), at)));
        let name = before.schema().name.clone();
        let change = TableChange { name, before: Some(Arc::clone(&before)), after };
        store.apply(&Change::Table(change));
        self.database = Database::from_store(store);
    }

    /// Sends the request and says whether it was answered.
    fn send(&mut self, step: Step) -> bool {
        let (request, is_first_table, key, pause) = step;
        let Some((operation, template)) = REQUESTS.get(request) else {
            self.split(step);
            return true;
        };
        self.now = self.now.plus_millis(PAUSES[pause % PAUSES.len()] * 1_000);
        self.n += 1;
        let arn = |path: &str| format!("arn:aws:dynamodb:us-east-1:000000000000:{path}");
        let account = self.store().account();
        let backup = account.backups.keys().next_back().map_or("none", |path| path.as_str());
        let stream =
            account.streams.keys().next_back().map_or(String::new(), |(table, label)| {
                arn(&format!("table/{table}/stream/{label}"))
            });
        let text = template
            .replace("{t}", if is_first_table { "Orders" } else { "Parts" })
            .replace("{k}", &key.to_string())
            .replace("{n}", &self.n.to_string())
            .replace("{backup}", &arn(backup))
            .replace("{stream}", &stream);
        let operation = Operation::from_name(operation).unwrap();
        let Ok(request) = hashrange_wire::decode(operation, &text) else {
            panic!("{text}: {:?}", hashrange_wire::decode(operation, &text))
        };
        self.database.call(request, self.now).reply.is_ok()
    }
}

fn text(store: &Store) -> String {
    let mut out = Vec::new();
    write(store, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Saves and reads the store, and lets time pass over both.
#[track_caller]
fn check(history: &History) {
    let store = history.store();
    let written = text(store);
    let again = read(written.as_bytes()).unwrap().delayed(*store.delays());
    // Text first: it shows where two stores differ, and knows the order of attributes.
    assert_eq!(text(&again), written);
    assert!(again == *store, "two stores of one text differ: {store:?}\n{again:?}");
    let (mut one, mut other) = (store.clone(), again);
    for hours in [0, 1, 24, 30, 24 * 40] {
        let now = history.now.plus_millis(hours * 3_600 * 1_000);
        for store in [&mut one, &mut other] {
            for change in due(store, now, 3) {
                store.apply(&change);
            }
        }
        assert!(one == other, "after {hours} hours: {one:?}\n{other:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_history_is_saved_and_read_back_whole(
        is_slow: bool,
        begin in prop::collection::vec((0_usize..2, any::<bool>(), Just(0_u8), 0_usize..3), 0..3),
        steps in prop::collection::vec((0_usize..REQUESTS.len() + 2, any::<bool>(), 0_u8..4, 0_usize..6), 0..60),
    ) {
        let mut history = History::new(if is_slow { Delays::MEASURED } else { Delays::INSTANT });
        for step in begin.into_iter().chain(steps) {
            history.send(step);
        }
        check(&history);
    }
}

/// Words of the format; together they name nearly every kind of part that a database can have.
const WORDS: &[&str] = &[
    "\"table\"",
    "\"item\"",
    "\"record\"",
    "\"shared_record\"",
    "\"stream\":",
    "\"transfer\"",
    "\"token\"",
    "\"backup\"",
    "\"end\"",
    "local_indexes",
    "global_indexes",
    "INCLUDE",
    "KEYS_ONLY",
    "transitions",
    "is_backfilling",
    "last_increase",
    "last_decrease",
    "on_demand_since",
    "maximum_read",
    "class_changes",
    "is_protected",
    "protection_changed_at",
    "encryption",
    "is_updating",
    "ttl_attribute",
    "ttl_changed_at",
    "ttl_next_sweep",
    "\"recovery\"",
    "\"tags\"",
    "\"policy\"",
    "\"stream_policy\"",
    "\"insights\"",
    "\"kinesis\"",
    "\"replicas\"",
    "\"restore\"",
    "index_partitions",
    "disabled_at",
    "before",
    "after",
    "current_key",
    "is_expiry",
    "expires_at",
    "image_bytes",
    "starts",
    "TableActive",
    "TableGone",
    "Billing",
    "IndexThroughput",
    "IndexBackfills",
    "IndexActive",
    "IndexGone",
    "EncryptionSettled",
    "Warm",
    "Class",
    "ReplicaActive",
];

/// Everything once, with the time it takes in between, so that each request is answered by one table or the
/// other, and all that a database can have was there at some moment.
#[test]
fn everything_a_database_can_have_is_kept() {
    let mut missing: Vec<&str> = WORDS.to_vec();
    let mut unanswered: Vec<usize> = (0..REQUESTS.len()).collect();
    let mut history = History::new(Delays::MEASURED);
    let mut note = |history: &mut History, request: usize, is_first_table: bool, pause: usize| {
        if history.send((request, is_first_table, 1, pause)) {
            unanswered.retain(|other| *other != request);
        }
        let written = text(history.store());
        missing.retain(|word| !written.contains(word));
        check(history);
    };
    for (request, is_first_table) in [(0, true), (1, false)] {
        note(&mut history, request, is_first_table, 2);
    }
    for (round, pause) in [3, 2, 4, 3].into_iter().enumerate() {
        for request in 2..REQUESTS.len() - 1 {
            for is_first_table in [true, false] {
                note(&mut history, request, is_first_table, pause);
                // A record and an item to expire for whatever was just set.
                note(&mut history, 2 + round % 2, is_first_table, 0);
            }
        }
    }
    for (pause, is_first_table) in [(0, true), (0, false), (1, false)] {
        note(&mut history, REQUESTS.len(), is_first_table, pause);
    }
    for is_first_table in [true, false] {
        note(&mut history, REQUESTS.len() - 1, is_first_table, 0);
        note(&mut history, 2, is_first_table, 2);
    }
    let unanswered: Vec<_> = unanswered.into_iter().map(|request| REQUESTS[request]).collect();
    assert!(unanswered.is_empty() && missing.is_empty(), "{unanswered:?} {missing:?}");
}
