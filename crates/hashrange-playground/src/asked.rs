//! What a request asked for that its reply does not repeat: how much, and which operation its statements became.
//!
//! Invariant: taken from the request and its plan, before anything runs.

use hashrange_engine::{Plan, Target};
use hashrange_storage::KeyRange;
use hashrange_types::arn::Resource;
use hashrange_types::operation::{ReplicaAction, UpdateTableRequest};
use hashrange_types::{Operation, Request};
use serde_json::{Map, Value};

use crate::format::counted;

/// The part of a request that its sentence needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Elements of a transaction, statements, or tags.
    pub(crate) n: u64,
    /// What an UpdateTable changes, in words.
    pub(crate) changes: String,
    /// The operation that statements amount to; none for requests without statements.
    pub(crate) became: Option<Operation>,
    /// Ranges of keys that a SELECT reads one after the other.
    pub(crate) n_ranges: u64,
    /// True if a SELECT asks for some attributes alone.
    pub(crate) is_projected: bool,
}

impl Asked {
    /// What `request` asks; `targets` are those of its plan.
    pub(crate) fn of(request: &Request, plan: &Plan, targets: &[Target]) -> Self {
        let mut asked = Self { n: 1, n_ranges: targets.len() as u64, ..Self::default() };
        let is_write = plan.is_write();
        let became = |write, read| Some(if is_write { write } else { read });
        match request {
            Request::ExecuteStatement(it) => {
                let (verb, rest) = first_word(&it.statement.statement);
                let is_scan = targets.first().is_some_and(|target| target.range == KeyRange::all());
                asked.became = Some(match verb.to_ascii_uppercase().as_str() {
                    "INSERT" => Operation::PutItem,
                    "DELETE" => Operation::DeleteItem,
                    "UPDATE" => Operation::UpdateItem,
                    _ if is_scan => Operation::Scan,
                    _ => Operation::Query,
                });
                asked.is_projected = !is_write && !rest.starts_with('*');
            }
            Request::BatchExecuteStatement(it) => {
                asked.n = it.statements.len() as u64;
                asked.became = became(Operation::BatchWriteItem, Operation::BatchGetItem);
            }
            Request::ExecuteTransaction(it) => {
                asked.n = it.statements.len() as u64;
                asked.became = became(Operation::TransactWriteItems, Operation::TransactGetItems);
            }
            Request::TransactWriteItems(it) => asked.n = it.items.len() as u64,
            Request::TransactGetItems(it) => asked.n = it.items.len() as u64,
            Request::TagResource(it) => asked.n = it.tags.len() as u64,
            Request::UntagResource(it) => asked.n = it.keys.len() as u64,
            Request::UpdateTable(it) => asked.changes = changes(it).join(", "),
            _ => {}
        }
        asked
    }
}

/// The first word of a statement, and what follows it.
pub(crate) fn first_word(statement: &str) -> (&str, &str) {
    let statement = statement.trim_start();
    let end = statement.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(statement.len());
    (&statement[..end], statement[end..].trim_start())
}

/// Each change that an UpdateTable asks for.
fn changes(request: &UpdateTableRequest) -> Vec<String> {
    let mut all = Vec::new();
    for update in request.index_updates.iter().flatten() {
        if let Some(create) = &update.create {
            all.push(format!("the index {} is new", create.index.name));
        }
        if let Some(update) = &update.update {
            all.push(format!("the index {} has other limits", update.name));
        }
        if let Some(name) = &update.delete {
            all.push(format!("the index {name} is gone"));
        }
    }
    for replica in request.replica_updates.iter().flatten() {
        let change = match replica.action {
            ReplicaAction::Create => "is noted as new, and nothing is copied there",
            ReplicaAction::Update => "has other settings",
            ReplicaAction::Delete => "is no longer noted",
        };
        all.push(format!("the replica in {} {change}", replica.region));
    }
    match request.is_pay_per_request {
        Some(true) => all.push("requests are paid one by one".to_owned()),
        Some(false) => all.push("capacity is reserved by the second".to_owned()),
        None => {}
    }
    if let Some(units) = request.provisioned_throughput {
        let (read, write) = (counted(units.read, "read unit"), counted(units.write, "write unit"));
        all.push(format!("it reserves {read} and {write} a second"));
    }
    let options = &request.options;
    let mut note = |is_there: bool, words: &str| {
        if is_there {
            all.push(words.to_owned());
        }
    };
    note(options.stream.is_some_and(|it| it.is_enabled), "a stream records its writes from now on");
    note(options.stream.is_some_and(|it| !it.is_enabled), "its stream records nothing more");
    note(options.is_protected == Some(true), "it is protected from being deleted");
    note(options.is_protected == Some(false), "it may be deleted");
    note(options.class.is_some(), "its storage class is another");
    note(options.encryption.is_some(), "its encryption key is another");
    note(options.on_demand_maximum.is_some(), "its requests have another upper limit");
    note(options.warm.is_some(), "it is ready for other rates at once");
    all
}

/// The table that a request on tables, streams, backups and the like names.
pub(crate) fn named_table(text: &str) -> Option<String> {
    const MEMBERS: [&str; 8] = [
        "TableName",
        "TableArn",
        "ResourceArn",
        "SourceTableName",
        "BackupArn",
        "StreamArn",
        "ExportArn",
        "ImportArn",
    ];
    let request: Map<String, Value> = serde_json::from_str(text).ok()?;
    let given = MEMBERS.iter().find_map(|member| request.get(*member)?.as_str())?;
    if given.starts_with("arn:") {
        return Resource::new(given).table().map(|table| table.to_string());
    }
    Some(given.to_owned())
}
