//! Sentences on operations that touch no items: tables, streams, backups, tags and settings.
//!
//! Invariant: one table of plain data, so that each costs a visitor its letters alone. Every reply without items has
//! its entry.
//!
//! Not here: reads and writes of items ([`crate::sentence`]).

use hashrange_types::operation::{BackupDetails, TableDescription, Transfer};
use hashrange_types::table_state::StreamViewType;
use hashrange_types::{Response, Timestamp};

use crate::format::{self, counted};
use crate::history::Ran;

/// What is said of a reply. In both texts `{t}` is the table, `{0}` to `{2}` are the values.
struct Told {
    /// What follows the request's name.
    sentence: &'static str,
    /// The result's heading.
    summary: &'static str,
    values: [String; 3],
}

const NO_FILE: &str = "No file is read or written here, and nothing is sent.";

/// What follows the request's name in its sentence; none for replies about items.
pub(crate) fn sentence(ran: &Ran, reply: &Response) -> Option<String> {
    let told = told(ran, reply)?;
    let mut text = told.fill(told.sentence, ran);
    if !["cost", "capacity", "bills"].iter().any(|word| text.contains(word)) {
        text.push_str(" It uses no capacity.");
    }
    Some(text)
}

/// The result's heading; none for replies about items.
pub(crate) fn summary(ran: &Ran, reply: &Response) -> Option<String> {
    let told = told(ran, reply)?;
    Some(told.fill(told.summary, ran))
}

impl Told {
    fn fill(&self, text: &str, ran: &Ran) -> String {
        let mut text = text.replace("{no file}", NO_FILE);
        text = text.replace("{t}", ran.about.as_deref().unwrap_or("the table"));
        for (value, place) in self.values.iter().zip(["{0}", "{1}", "{2}"]) {
            text = text.replace(place, value);
        }
        text
    }
}

const fn say(sentence: &'static str, summary: &'static str, values: [String; 3]) -> Told {
    Told { sentence, summary, values }
}

const fn plain(sentence: &'static str, summary: &'static str) -> Told {
    say(sentence, summary, [String::new(), String::new(), String::new()])
}

const fn with(sentence: &'static str, summary: &'static str, value: String) -> Told {
    say(sentence, summary, [value, String::new(), String::new()])
}

/// A list of so many things.
fn list(n: usize, one: &str, sentence: &'static str) -> Told {
    with(sentence, "{0}", counted(n as u64, one))
}

/// Name, items and size.
fn of_table(table: &TableDescription) -> [String; 3] {
    let items = counted(table.item_count, "item");
    [table.table_name().to_string(), items, format::size(table.size_bytes)]
}

/// Name, table and contents.
fn of_backup(backup: &BackupDetails) -> [String; 3] {
    let [table, items, size] = of_table(&backup.table);
    [backup.name.to_string(), table, format!("{items} of {size}")]
}

/// Table and bucket.
fn of_transfer(transfer: &Transfer) -> [String; 3] {
    let table = transfer.table.table_name().to_string();
    [table, transfer.bucket.to_string(), String::new()]
}

/// `2026-01-31 12:00:00`.
fn moment(at: Timestamp) -> String {
    at.to_iso().chars().take(19).map(|it| if it == 'T' { ' ' } else { it }).collect()
}

fn told(ran: &Ran, reply: &Response) -> Option<Told> {
    Some(match reply {
        Response::CreateTable(table) => {
            let n = table.schema.indexes().count() as u64;
            let indexes = if n == 0 { "no index".to_owned() } else { counted(n, "index") };
            let values = [table.table_name().to_string(), indexes, String::new()];
            say(
                " made the table {0} with {1}. It can be used at once here; on AWS it takes a few seconds.",
                "Table {0} created",
                values,
            )
        }
        Response::DeleteTable(table) => say(
            " deleted the table {0} with its {1}. Undo brings it back.",
            "Table {0} deleted",
            of_table(table),
        ),
        Response::DescribeTable(table) => say(
            ": {0} holds {1} of {2} together. Describing a table costs nothing.",
            "Table {0}",
            of_table(table),
        ),
        Response::UpdateTable(_) => with(
            if ran.asked.changes.contains("is new") {
                " changed the table {t}: {0}. It is filled at once here; on AWS that takes minutes and costs write units \
                 of the index, none of the table."
            } else {
                " changed the table {t}: {0}. It holds at once here; on AWS it takes a moment."
            },
            "Table {t} changed",
            ran.asked.changes.clone(),
        ),
        Response::ListTables(list) => with(
            " names {0}. Listing tables costs nothing.",
            "{0}",
            counted(list.table_names.len() as u64, "table"),
        ),
        Response::UpdateTimeToLive(it) if it.is_enabled => with(
            " lets items of {t} expire: {0} holds the time, in seconds since 1970. They go with the next request after \
             that time here, within a few days on AWS. That they go costs nothing.",
            "Items expire by {0}",
            it.attribute.to_string(),
        ),
        Response::UpdateTimeToLive(_) => {
            plain(" switched expiry off: items of {t} stay until they are deleted.", "Expiry off")
        }
        Response::DescribeTimeToLive(it) => match &it.attribute {
            Some(attribute) => with(
                ": items of {t} expire at the time in {0}, in seconds since 1970.",
                "Items expire by {0}",
                attribute.to_string(),
            ),
            None => plain(": items of {t} do not expire.", "Expiry off"),
        },
        _ => {
            return stream(reply)
                .or_else(|| backup(reply))
                .or_else(|| setting(ran, reply))
                .or_else(|| transfer(reply));
        }
    })
}

fn stream(reply: &Response) -> Option<Told> {
    Some(match reply {
        Response::ListStreams(it) => list(
            it.streams.len(),
            "stream",
            " names {0}. UpdateTable with StreamSpecification starts one for a table.",
        ),
        Response::DescribeStream(it) => {
            let view = match it.view_type {
                StreamViewType::KeysOnly => "its key alone",
                StreamViewType::NewImage => "the item as it is after it",
                StreamViewType::OldImage => "the item as it was before it",
                StreamViewType::NewAndOldImages => "the item before and after it",
            };
            let shards = counted(it.shards.len() as u64, "shard");
            say(
                ": the stream of {t} shows {0}, change by change: of each it holds {1}, for 24 hours.",
                "{0}",
                [shards, view.to_owned(), String::new()],
            )
        }
        Response::GetShardIterator(_) => plain(
            " marked a place in the stream of {t} to read from. GetRecords takes it, within 15 minutes.",
            "Good for 15 minutes",
        ),
        Response::GetRecords(it) if it.records.is_empty() => plain(
            " found no record after this place in the stream of {t}. Reading a stream uses no capacity of the table; AWS \
             bills each call, empty ones too.",
            "0 records",
        ),
        Response::GetRecords(it) => {
            let n_of = |name| it.records.iter().filter(|record| record.event_name == name).count();
            let n_expired = it.records.iter().filter(|record| record.is_expiry).count();
            let mut kinds = Vec::new();
            for (n, words) in [
                (n_of("INSERT"), "new"),
                (n_of("MODIFY"), "changed"),
                (n_of("REMOVE") - n_expired, "deleted"),
                (n_expired, "expired"),
            ] {
                if n > 0 {
                    kinds.push(format!("{} {words}", format::count(n as u64)));
                }
            }
            let records = counted(it.records.len() as u64, "record");
            say(
                " read {0} of the stream of {t}, oldest first: {1}. Reading a stream uses no capacity of the table; AWS \
                 bills each call.",
                "{0}",
                [records, kinds.join(", "), String::new()],
            )
        }
        _ => return None,
    })
}

fn backup(reply: &Response) -> Option<Told> {
    Some(match reply {
        Response::CreateBackup(it) => say(
            " made the backup {0} of {1}: {2}. It uses no capacity of the table; AWS bills its size by the month.",
            "Backup {0} made",
            of_backup(it),
        ),
        Response::DescribeBackup(it) => {
            say(": {0} is a backup of {1} with {2}.", "Backup {0}", of_backup(it))
        }
        Response::DeleteBackup(it) => say(
            " deleted the backup {0} of {1}. The table itself stays as it is.",
            "Backup {0} deleted",
            of_backup(it),
        ),
        Response::ListBackups(it) => {
            list(it.backups.len(), "backup", " names {0}. CreateBackup makes one.")
        }
        Response::RestoreTableFromBackup(it) | Response::RestoreTableToPointInTime(it) => {
            let [table, items, _] = of_table(it);
            say(
                " made the table {0} with {1}. The first table stays as it is; its tags, time to live and stream do not \
                 come along. AWS bills the size restored.",
                "Table {0} restored",
                [table, items, String::new()],
            )
        }
        Response::UpdateContinuousBackups(it) | Response::DescribeContinuousBackups(it) => {
            let Some(recovery) = it.recovery else {
                return Some(plain(
                    ": {t} keeps no earlier states. Point-in-time recovery is off.",
                    "Recovery off",
                ));
            };
            let (from, to) = it.window.unwrap_or_default();
            say(
                ": {t} can be restored to any second from {0} to {1} UTC; at most {2} back. AWS bills the table's size for \
                 it by the month.",
                "Recovery on",
                [moment(from), moment(to), counted(u64::from(recovery.period_days), "day")],
            )
        }
        _ => return None,
    })
}

/// What is kept as a setting and has no effect here.
fn setting(ran: &Ran, reply: &Response) -> Option<Told> {
    let tags = counted(ran.asked.n, "tag");
    Some(match reply {
        Response::TagResource(_) => {
            with(" put {0} on {t}. Reads and writes do not see tags.", "{0} put on {t}", tags)
        }
        Response::UntagResource(_) => with(
            " took {0} off {t}. One that was not there is no mistake.",
            "{0} taken off {t}",
            tags,
        ),
        Response::ListTagsOfResource(it) => list(it.tags.len(), "tag", " names {0} on {t}."),
        Response::PutResourcePolicy(_) => plain(
            " keeps the policy of {t} as a setting. Nobody is asked who they are here, so it allows and forbids nothing.",
            "Policy kept",
        ),
        Response::GetResourcePolicy(_) => plain(
            " shows the policy of {t}. It is a setting alone: here it allows and forbids nothing.",
            "Policy of {t}",
        ),
        Response::DeleteResourcePolicy(it) if it.revision.is_none() => {
            plain(" found no policy of {t} to take away.", "No policy")
        }
        Response::DeleteResourcePolicy(_) => {
            plain(" took the policy of {t} away. It was a setting alone.", "Policy deleted")
        }
        Response::UpdateContributorInsights(it) | Response::DescribeContributorInsights(it) => {
            let is_on = it.insights.as_ref().is_some_and(|insights| insights.is_enabled);
            with(
                ": contributor insights, which count the keys asked for most, are {0} for {t}. This is a setting alone: \
                 nothing is counted here.",
                "Insights {0}",
                if is_on { "on" } else { "off" }.to_owned(),
            )
        }
        Response::ListContributorInsights(it) => list(
            it.len(),
            "setting",
            " names {0} for contributor insights, which count the keys asked for most. Nothing is counted here.",
        ),
        Response::ListGlobalTables(_) => plain(
            " names no global table: those of 2017 cannot be made any more. UpdateTable with ReplicaUpdates adds a \
             replica.",
            "0 global tables",
        ),
        Response::DescribeLimits(_) => plain(
            ": an account may reserve 80,000 units a second for reads and as many for writes, 40,000 of each in one table. \
             Tables paid by request reserve none.",
            "Limits of the account",
        ),
        Response::DescribeEndpoints(_) => plain(
            " names the address that a client of AWS would call. This page calls nobody: everything runs in it.",
            "1 address",
        ),
        _ => return None,
    })
}

/// Kinesis streams, exports and imports: noted, and nothing is sent.
fn transfer(reply: &Response) -> Option<Told> {
    Some(match reply {
        Response::EnableKinesisStreamingDestination(_) => plain(
            " keeps the Kinesis stream of {t} as a setting: nothing is sent anywhere.",
            "Kinesis stream kept",
        ),
        Response::UpdateKinesisStreamingDestination(_) => plain(
            " changed the Kinesis stream of {t}, which is a setting alone: nothing is sent anywhere.",
            "Kinesis stream changed",
        ),
        Response::DisableKinesisStreamingDestination(_) => plain(
            " switched the Kinesis stream of {t} off. It was a setting alone: nothing was sent to it.",
            "Kinesis stream off",
        ),
        Response::DescribeKinesisStreamingDestination(it) => list(
            it.destinations.len(),
            "Kinesis stream",
            " names {0} of {t}, kept as settings: nothing is sent anywhere.",
        ),
        Response::ExportTableToPointInTime(it) => say(
            " notes an export of {0} to the bucket {1}. {no file} On AWS it uses no capacity, and its size is paid for.",
            "Export noted",
            of_transfer(it),
        ),
        Response::ImportTable(it) => say(
            " made the empty table {0} and notes an import from the bucket {1}. {no file}",
            "Table {0} created, import noted",
            of_transfer(it),
        ),
        Response::DescribeExport(it) => say(
            ": the export of {0} to the bucket {1} is noted as complete. {no file}",
            "Export noted",
            of_transfer(it),
        ),
        Response::DescribeImport(it) => say(
            ": the import of {0} from the bucket {1} is noted as complete. {no file}",
            "Import noted",
            of_transfer(it),
        ),
        Response::ListExports(it) => list(it.transfers.len(), "export", " names {0}. {no file}"),
        Response::ListImports(it) => list(it.transfers.len(), "import", " names {0}. {no file}"),
        _ => return None,
    })
}
