//! Starter requests on tables, streams, backups and settings: texts with places for what the account holds now.
//!
//! Invariant: where the account holds what a request is about, the request runs as it stands; where it does not, it
//! has the right shape and its refusal says what to make first.
//!
//! Not here: requests about items ([`crate::template`]).

use hashrange_engine::{execute, plan};
use hashrange_storage::Store;
use hashrange_types::{Operation, Timestamp};
use serde_json::Value;

/// In an ARN, for what there is none of yet.
const NONE_YET: &str = "1970-01-01T00:00:00.000";
const NO_SHARD: &str = "shardId-00000000000000000000-00000000";

/// The text of each operation. `$` begins a place that [`Account::value`] fills.
#[rustfmt::skip]
const TEXTS: &[(Operation, &str)] = &[
    (Operation::CreateTable, r#"{"TableName":"$orders","AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}],"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],"BillingMode":"PAY_PER_REQUEST"}"#),
    (Operation::DescribeTable, TABLE),
    (Operation::DeleteTable, TABLE),
    (Operation::ListTables, "{}"),
    (Operation::UpdateTable, r#"{"TableName":"$table","StreamSpecification":$specification}"#),
    (Operation::ListStreams, TABLE),
    (Operation::DescribeStream, r#"{"StreamArn":"$stream"}"#),
    (Operation::GetShardIterator, r#"{"StreamArn":"$stream","ShardId":"$shard","ShardIteratorType":"TRIM_HORIZON"}"#),
    (Operation::GetRecords, r#"{"ShardIterator":"$iterator"}"#),
    (Operation::UpdateTimeToLive, r#"{"TableName":"$table","TimeToLiveSpecification":$expiry}"#),
    (Operation::DescribeTimeToLive, TABLE),
    (Operation::CreateBackup, r#"{"TableName":"$table","BackupName":"before-the-change"}"#),
    (Operation::DescribeBackup, BACKUP),
    (Operation::DeleteBackup, BACKUP),
    (Operation::ListBackups, TABLE),
    (Operation::RestoreTableFromBackup, r#"{"TargetTableName":"$restored","BackupArn":"$backup"}"#),
    (Operation::UpdateContinuousBackups, r#"{"TableName":"$table","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}"#),
    (Operation::DescribeContinuousBackups, TABLE),
    (Operation::RestoreTableToPointInTime, r#"{"SourceTableName":"$table","TargetTableName":"$restored","UseLatestRestorableTime":true}"#),
    (Operation::TagResource, r#"{"ResourceArn":"$arn","Tags":[{"Key":"team","Value":"orders"}]}"#),
    (Operation::UntagResource, r#"{"ResourceArn":"$arn","TagKeys":["team"]}"#),
    (Operation::ListTagsOfResource, RESOURCE),
    (Operation::ExportTableToPointInTime, r#"{"TableArn":"$arn","S3Bucket":"our-exports"}"#),
    (Operation::DescribeExport, r#"{"ExportArn":"$export"}"#),
    (Operation::ListExports, r#"{"TableArn":"$arn"}"#),
    (Operation::ImportTable, r#"{"S3BucketSource":{"S3Bucket":"our-imports"},"InputFormat":"DYNAMODB_JSON","TableCreationParameters":{"TableName":"$orders","AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}}"#),
    (Operation::DescribeImport, r#"{"ImportArn":"$import"}"#),
    (Operation::ListImports, "{}"),
    (Operation::PutResourcePolicy, r#"{"ResourceArn":"$arn","Policy":"{\"Version\": \"2012-10-17\", \"Statement\": []}"}"#),
    (Operation::GetResourcePolicy, RESOURCE),
    (Operation::DeleteResourcePolicy, RESOURCE),
    (Operation::UpdateContributorInsights, r#"{"TableName":"$table","ContributorInsightsAction":"ENABLE"}"#),
    (Operation::DescribeContributorInsights, TABLE),
    (Operation::ListContributorInsights, "{}"),
    (Operation::EnableKinesisStreamingDestination, KINESIS),
    (Operation::DisableKinesisStreamingDestination, KINESIS),
    (Operation::UpdateKinesisStreamingDestination, r#"{"TableName":"$table","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/changes","UpdateKinesisStreamingConfiguration":{"ApproximateCreationDateTimePrecision":"MICROSECOND"}}"#),
    (Operation::DescribeKinesisStreamingDestination, TABLE),
    (Operation::DescribeLimits, "{}"),
    (Operation::DescribeEndpoints, "{}"),
    (Operation::ListGlobalTables, "{}"),
    (Operation::CreateGlobalTable, r#"{"GlobalTableName":"$table","ReplicationGroup":[{"RegionName":"eu-west-1"}]}"#),
    (Operation::DescribeGlobalTable, GLOBAL),
    (Operation::UpdateGlobalTable, r#"{"GlobalTableName":"$table","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]}"#),
    (Operation::DescribeGlobalTableSettings, GLOBAL),
    (Operation::UpdateGlobalTableSettings, GLOBAL),
];

const TABLE: &str = r#"{"TableName":"$table"}"#;
const RESOURCE: &str = r#"{"ResourceArn":"$arn"}"#;
const BACKUP: &str = r#"{"BackupArn":"$backup"}"#;
const GLOBAL: &str = r#"{"GlobalTableName":"$table"}"#;
const KINESIS: &str =
    r#"{"TableName":"$table","StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/changes"}"#;

/// The request's text; none for operations on items.
pub(crate) fn request(
    store: &Store,
    operation: Operation,
    table: &str,
    now_ms: i64,
) -> Option<String> {
    let (_, text) = TEXTS.iter().find(|(named, _)| *named == operation)?;
    let account = Account { store, table, now: Timestamp::from_millis(now_ms) };
    let mut request = String::new();
    let mut pieces = text.split('$');
    request.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let end = piece.find(|it: char| !it.is_ascii_lowercase()).unwrap_or(piece.len());
        request.push_str(&account.value(&piece[..end]));
        request.push_str(&piece[end..]);
    }
    Some(request)
}

/// What the account holds about a table.
struct Account<'a> {
    store: &'a Store,
    table: &'a str,
    now: Timestamp,
}

impl Account<'_> {
    /// What stands at a place of a text.
    fn value(&self, place: &str) -> String {
        let state = self.store.table(self.table).map(hashrange_storage::Table::state);
        match place {
            "table" => self.table.to_owned(),
            "orders" => self.free_name("Orders"),
            "restored" => {
                let name: String = self.table.chars().take(240).collect();
                self.free_name(&format!("{name}-restored"))
            }
            "specification" => {
                let is_on = state.is_some_and(|state| state.enabled_stream().is_some());
                let on = r#"{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}"#;
                if is_on { r#"{"StreamEnabled":false}"# } else { on }.to_owned()
            }
            "expiry" => {
                let attribute = state.and_then(|state| state.time_to_live.attribute.as_ref());
                let name = attribute.map_or("expiresAt", |attribute| attribute.as_str());
                let name = Value::from(name);
                format!(r#"{{"Enabled":{},"AttributeName":{name}}}"#, attribute.is_none())
            }
            "shard" => {
                let text = format!(r#"{{"StreamArn":"{}"}}"#, self.value("stream"));
                let shard = self.answer(Operation::DescribeStream, &text);
                shard.unwrap_or_else(|| NO_SHARD.to_owned())
            }
            "iterator" => {
                let asked = request(
                    self.store,
                    Operation::GetShardIterator,
                    self.table,
                    self.now.0.div_euclid(1_000),
                );
                let text = asked.unwrap_or_default();
                let iterator = self.answer(Operation::GetShardIterator, &text);
                iterator.unwrap_or_else(|| "none yet".to_owned())
            }
            kind => self.arn(kind),
        }
    }

    /// The ARN of the table, or of its latest stream, backup, export or import.
    fn arn(&self, kind: &str) -> String {
        let of_table = TABLE.replace("$table", self.table);
        if kind == "arn" {
            let arn = self.answer(Operation::DescribeTable, &of_table);
            let table = self.table;
            return arn.unwrap_or_else(|| {
                format!("arn:aws:dynamodb:us-east-1:000000000000:table/{table}")
            });
        }
        let arn = self.arn("arn");
        let found = match kind {
            "stream" => self.answer(Operation::ListStreams, &of_table),
            "backup" => self.answer(Operation::ListBackups, &of_table),
            "export" => self.answer(Operation::ListExports, &format!(r#"{{"TableArn":"{arn}"}}"#)),
            _ => self.answer(Operation::ListImports, "{}"),
        };
        found.unwrap_or_else(|| format!("{arn}/{kind}/{NONE_YET}"))
    }

    /// What a request that changes nothing answers: its latest ARN, shard or iterator.
    fn answer(&self, operation: Operation, text: &str) -> Option<String> {
        let request = hashrange_wire::decode(operation, text).ok()?;
        let plan = plan(self.store, request).ok()?;
        let reply = execute(self.store, &plan, self.now).reply.ok()?;
        let reply: Value = serde_json::from_str(&hashrange_wire::encode(&reply)).ok()?;
        let latest = |list: &Value, member: &str| list.as_array()?.last()?.get(member).cloned();
        let found = match operation {
            Operation::DescribeTable => reply.get("Table")?.get("TableArn").cloned(),
            Operation::ListStreams => latest(reply.get("Streams")?, "StreamArn"),
            Operation::DescribeStream => {
                latest(reply.get("StreamDescription")?.get("Shards")?, "ShardId")
            }
            Operation::GetShardIterator => reply.get("ShardIterator").cloned(),
            Operation::ListBackups => latest(reply.get("BackupSummaries")?, "BackupArn"),
            Operation::ListExports => latest(reply.get("ExportSummaries")?, "ExportArn"),
            _ => latest(reply.get("ImportSummaryList")?, "ImportArn"),
        };
        Some(found?.as_str()?.to_owned())
    }

    /// `name`, or the first of `name2`, `name3` that no table has.
    fn free_name(&self, name: &str) -> String {
        let is_free = |name: &String| self.store.table(name).is_none();
        let mut names = (2_u32..=9_999).map(|n| format!("{name}{n}"));
        let name = name.to_owned();
        if is_free(&name) { name } else { names.find(is_free).unwrap_or(name) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_a_request_of_its_operation() {
        let store = Store::default();
        for (operation, _) in TEXTS {
            let text = request(&store, *operation, "Orders", 0).expect("it has a text");
            assert!(!text.contains('$'), "{text}");
            let read = hashrange_wire::decode(*operation, &text);
            assert_eq!(read.map(|request| request.operation()), Ok(*operation), "{text}");
        }
    }
}
