//! A whole store as lines, and lines as a store.
//!
//! Invariant: the lines of a store rebuild an equal one: items with their index entries, settings with what time
//! will bring them, logs, streams, backups, exports and imports, idempotency tokens. How long changes take
//! (`Delays`) is not among them, for it is the driver's to say.
//!
//! Not here: how lines are spelled (`hashrange-wire`) and where they are kept (drivers).

use std::sync::Arc;

use hashrange_storage::{
    Account, Backup, Change, KeyRange, Log, LogRecord, Partition, Row, Store, Stream, Table,
    TableChange, Token, TokenChange, TokenKey, TreeRef,
};
use hashrange_types::operation::SequenceNumber;
use hashrange_types::snapshot::{
    SnapshotBackup, SnapshotEnd, SnapshotLine, SnapshotPartitions, SnapshotRecord, SnapshotStream,
    SnapshotTable, SnapshotToken,
};
use hashrange_types::{EncodedKey, Item, KeySchema, Request, TableName};

use crate::fill::{create_table, lacks_key};
use crate::life::account_change;

/// Hands out the lines of everything a store holds, in the order in which they rebuild it.
///
/// # Errors
/// The first that `take` returns; no line follows it.
pub fn snapshot<E>(
    store: &Store,
    take: &mut dyn FnMut(SnapshotLine) -> Result<(), E>,
) -> Result<(), E> {
    let mut end = SnapshotEnd { sequence: store.sequence(), ..SnapshotEnd::default() };
    for table in store.tables() {
        table_lines(table, None, &mut end, take)?;
    }
    let account = store.account();
    for (path, backup) in &account.backups {
        let kept = SnapshotBackup {
            path: path.clone(),
            name: backup.name.clone(),
            created_at: backup.created_at,
            available_at: backup.available_at,
            expires_at: backup.expires_at,
        };
        table_lines(&backup.table, Some(kept), &mut end, take)?;
    }
    for stream in account.streams.values() {
        let table = store.table(stream.name.table.as_str());
        take(SnapshotLine::Stream(Box::new(stream_line(stream))))?;
        for record in stream.log.iter() {
            let shared = table.and_then(|table| table.log().shared(record.sequence));
            take(if shared.is_some_and(|shared| std::ptr::eq(&raw const *shared, record)) {
                SnapshotLine::SharedRecord(record.sequence)
            } else {
                record_line(record, table)
            })?;
        }
    }
    for transfer in account.transfers.values() {
        take(SnapshotLine::Transfer(Box::new((**transfer).clone())))?;
    }
    for (key, token) in store.tokens_oldest_first() {
        take(SnapshotLine::Token(Box::new(token_line(key, token))))?;
    }
    take(SnapshotLine::End(end))
}

fn table_lines<E>(
    table: &Table,
    backup: Option<SnapshotBackup>,
    end: &mut SnapshotEnd,
    take: &mut dyn FnMut(SnapshotLine) -> Result<(), E>,
) -> Result<(), E> {
    let schema = table.schema();
    let indexes = schema.global_indexes.iter();
    let index_partitions =
        indexes.filter_map(|index| table.index(index.name.as_str()).map(partitions)).collect();
    end.n_tables += 1;
    take(SnapshotLine::Table(Box::new(SnapshotTable {
        schema: schema.clone(),
        state: table.state().clone(),
        created_at: table.created_at(),
        partitions: partitions(table.items()),
        index_partitions,
        backup,
    })))?;
    for (_, row) in table.items().range(&KeyRange::all(), true) {
        end.n_items += 1;
        take(SnapshotLine::Item(row.item.clone()))?;
    }
    for record in table.log().iter() {
        take(record_line(record, Some(table)))?;
    }
    Ok(())
}

fn partitions(tree: TreeRef<'_>) -> SnapshotPartitions {
    let n =
        u32::try_from(tree.n_partitions()).expect("a table has thousands of partitions at most");
    if tree.is_even() {
        return SnapshotPartitions { n, starts: Vec::new() };
    }
    let start = |partition: &Partition| {
        let hash = partition.first_hash.to_be_bytes();
        partition.first_key.clone().unwrap_or_else(|| EncodedKey::from_bytes(&hash))
    };
    SnapshotPartitions { n, starts: tree.partitions().iter().map(start).collect() }
}

fn stream_line(stream: &Stream) -> SnapshotStream {
    SnapshotStream {
        name: stream.name.clone(),
        view_type: stream.view_type,
        created_at: stream.created_at,
        disabled_at: stream.disabled_at,
        key: stream.key.clone(),
        first: stream.first,
    }
}

fn record_line(record: &LogRecord, table: Option<&Table>) -> SnapshotLine {
    let image = |row: &Option<Row>| row.as_ref().map(|row| row.item.clone());
    let mut after = image(&record.after);
    let current = table.and_then(|table| Some((table, &table.get(&record.key)?.item)));
    let is_current =
        |(_, item): &(_, &Item)| after.as_ref().is_some_and(|after| after.is_shared_with(item));
    let current_key = current.filter(is_current).map(|(table, item)| {
        after = None;
        table.schema().key.key_of(item)
    });
    SnapshotLine::Record(SnapshotRecord {
        sequence: record.sequence,
        at: record.at,
        before: image(&record.before),
        after,
        current_key,
        is_expiry: record.is_expiry,
    })
}

fn token_line(key: &TokenKey, token: &Token) -> SnapshotToken {
    SnapshotToken {
        operation: key.operation,
        token: key.token.as_ref().into(),
        completed_at: token.completed_at,
        fingerprint: token.fingerprint,
        image_bytes: token.image_bytes.clone(),
    }
}

/// Partitions beyond which a table is not believed: what no capacity here asks for, and no memory holds.
const PARTITIONS_MAX: u32 = 100_000;

/// A store that is being rebuilt from lines.
#[derive(Debug, Default)]
pub struct Rebuild {
    store: Store,
    begun: Option<Begun>,
    records: Vec<Arc<LogRecord>>,
    read: SnapshotEnd,
    is_ended: bool,
}

/// What the items and records being read belong to.
#[derive(Debug)]
enum Begun {
    Table(Box<Table>, Option<SnapshotBackup>),
    Stream(Box<SnapshotStream>),
}

impl Rebuild {
    /// Items read so far.
    pub const fn n_items(&self) -> u64 {
        self.read.n_items
    }

    /// Takes the next line.
    ///
    /// # Errors
    /// One sentence without its full stop if the line is out of place.
    pub fn take(&mut self, line: SnapshotLine) -> Result<(), String> {
        if self.is_ended {
            return Err("something stands after the end".to_owned());
        }
        match line {
            SnapshotLine::Item(item) => self.put(item),
            SnapshotLine::Record(record) => self.log(record),
            SnapshotLine::SharedRecord(sequence) => self.share(sequence),
            line => {
                self.finish_begun();
                self.begin(line)
            }
        }
    }

    /// The store; none if the last line is missing.
    pub fn finish(self) -> Option<Store> {
        self.is_ended.then_some(self.store)
    }

    /// Takes a line to which no line before it belongs.
    fn begin(&mut self, line: SnapshotLine) -> Result<(), String> {
        match line {
            SnapshotLine::Table(table) => self.begin_table(*table),
            SnapshotLine::Create { request, created_at } => {
                let name = request.table_name.clone();
                create_table(&mut self.store, Request::CreateTable(*request), created_at)
                    .map_err(|error| format!("the table {name} can't be made: {error}"))?;
                let table = self.store.table(name.as_str()).expect("it was just made").clone();
                self.read.n_tables += 1;
                self.begun = Some(Begun::Table(Box::new(table), None));
                Ok(())
            }
            SnapshotLine::Stream(stream) => {
                self.begun = Some(Begun::Stream(stream));
                Ok(())
            }
            SnapshotLine::Transfer(transfer) => {
                self.change_account(|account| {
                    account.transfers.insert(transfer.path.clone(), Arc::new(*transfer));
                });
                Ok(())
            }
            SnapshotLine::Token(token) => {
                self.remember(*token);
                Ok(())
            }
            SnapshotLine::End(end) => self.end(end),
            SnapshotLine::Item(_) | SnapshotLine::Record(_) | SnapshotLine::SharedRecord(_) => {
                unreachable!("they belong to a line before them")
            }
        }
    }

    fn begin_table(&mut self, line: SnapshotTable) -> Result<(), String> {
        let SnapshotTable { schema, state, created_at, partitions, index_partitions, backup } =
            line;
        let name = &schema.name;
        let trees = || index_partitions.iter().chain([&partitions]);
        if trees().any(|tree| tree.n > PARTITIONS_MAX) {
            return Err(format!("the table {name} has more than {PARTITIONS_MAX} partitions"));
        }
        let has_states =
            schema.global_indexes.iter().all(|index| state.indexes.contains_key(&index.name));
        if !has_states || schema.global_indexes.len() != index_partitions.len() {
            return Err(format!("a global index of the table {name} has no state or partitions"));
        }
        if backup.is_none() && self.store.table(name.as_str()).is_some() {
            return Err(format!("there are two tables {name}"));
        }
        // Those that are not even are split off from a first one.
        let n = |tree: &SnapshotPartitions| if tree.starts.is_empty() { tree.n } else { 1 };
        let n_index_partitions: Vec<u32> = index_partitions.iter().map(n).collect();
        let mut table = Table::new(schema.clone(), created_at, n(&partitions), &n_index_partitions);
        let names = schema.global_indexes.iter().map(|index| Some(&index.name));
        for (index, tree) in names.chain([None]).zip(trees()) {
            for start in &tree.starts {
                table = table.with_split(index, start);
            }
        }
        self.read.n_tables += 1;
        self.begun = Some(Begun::Table(Box::new(table.with_state(state)), backup));
        Ok(())
    }

    fn put(&mut self, item: Item) -> Result<(), String> {
        let Some(Begun::Table(table, _)) = &mut self.begun else {
            return Err("an item stands before the first table".to_owned());
        };
        let schema = table.schema();
        let key = schema.key.encode(&item).ok_or_else(|| lacks_key(&schema.name))?;
        table.put(key, Row::new(item));
        self.read.n_items += 1;
        Ok(())
    }

    fn log(&mut self, line: SnapshotRecord) -> Result<(), String> {
        let (schema, name) = self.logged()?;
        let SnapshotRecord { sequence, at, before, after, current_key, is_expiry } = line;
        let image = current_key.as_ref().or(after.as_ref()).or(before.as_ref());
        let key = image.and_then(|item| schema.encode(item)).ok_or_else(|| lacks_key(name))?;
        let mut after = after.map(Row::new);
        if current_key.is_some() {
            let table = match &self.begun {
                Some(Begun::Table(table, _)) => Some(&**table),
                _ => self.store.table(name.as_str()),
            };
            after = table.and_then(|table| table.get(&key)).cloned();
            if after.is_none() {
                return Err(format!("the table {name} lacks the item of record {}", sequence.0));
            }
        }
        let before = before.map(Row::new);
        self.push(Arc::new(LogRecord { sequence, at, key, before, after, is_expiry }))
    }

    /// Key and name of the table whose records are being read.
    fn logged(&self) -> Result<(&KeySchema, &TableName), String> {
        match &self.begun {
            Some(Begun::Table(table, _)) => Ok((&table.schema().key, &table.schema().name)),
            Some(Begun::Stream(stream)) => Ok((&stream.key, &stream.name.table)),
            None => Err("a record stands before the first table or stream".to_owned()),
        }
    }

    fn share(&mut self, sequence: SequenceNumber) -> Result<(), String> {
        let (_, name) = self.logged()?;
        let table = self.store.table(name.as_str());
        let record = table.and_then(|table| table.log().shared(sequence));
        let record = record
            .ok_or_else(|| format!("the log of the table {name} has no record {}", sequence.0))?;
        self.push(record)
    }

    fn push(&mut self, record: Arc<LogRecord>) -> Result<(), String> {
        if self.records.last().is_some_and(|last| last.sequence >= record.sequence) {
            return Err(format!("the record {} is out of order", record.sequence.0));
        }
        self.records.push(record);
        Ok(())
    }

    /// Puts what is complete into the store.
    fn finish_begun(&mut self) {
        let log: Log = self.records.drain(..).collect();
        match self.begun.take() {
            None => {}
            Some(Begun::Table(table, None)) => {
                let name = table.schema().name.clone();
                let before = self.store.shared_table(name.as_str());
                let after = Some(Arc::new(table.with_log(log)));
                self.store.apply(&Change::Table(TableChange { name, before, after }));
            }
            Some(Begun::Table(table, Some(backup))) => {
                let SnapshotBackup { path, name, created_at, available_at, expires_at } = backup;
                let table = Arc::new(table.with_log(log));
                let backup = Backup { name, table, created_at, available_at, expires_at };
                self.change_account(|account| {
                    account.backups.insert(path, Arc::new(backup));
                });
            }
            Some(Begun::Stream(line)) => {
                let SnapshotStream { name, view_type, created_at, disabled_at, key, first } = *line;
                let id = (name.table.clone(), name.label.clone());
                let shards = Vec::new();
                let stream =
                    Stream { name, view_type, created_at, disabled_at, key, first, log, shards };
                self.change_account(|account| {
                    account.streams.insert(id, Arc::new(stream));
                });
            }
        }
    }

    fn change_account(&mut self, change: impl FnOnce(&mut Account)) {
        let mut account = self.store.account().clone();
        change(&mut account);
        let change = account_change(&self.store, account);
        self.store.apply(&change);
    }

    fn remember(&mut self, line: SnapshotToken) {
        let SnapshotToken { operation, token, completed_at, fingerprint, image_bytes } = line;
        let key = TokenKey { operation, token: token.as_str().into() };
        let after = Some(Arc::new(Token { completed_at, fingerprint, image_bytes }));
        self.store.apply(&Change::Token(TokenChange { key, before: None, after }));
    }

    fn end(&mut self, end: SnapshotEnd) -> Result<(), String> {
        let SnapshotEnd { n_tables, n_items, .. } = self.read;
        if (n_tables, n_items) != (end.n_tables, end.n_items) {
            return Err(format!(
                "there are {n_tables} tables and {n_items} items, not {} and {}",
                end.n_tables, end.n_items
            ));
        }
        let store = std::mem::take(&mut self.store);
        self.store = store.numbered_after(end.sequence);
        self.is_ended = true;
        Ok(())
    }
}
