//! Designs in IndexedDB: of each a record, and its contents as a blob in chunks.
//!
//! Up to version 1 there was one session, its chunks in a store of their own. It is taken over by the first who
//! lists the designs.
//!
//! Invariant: a transaction holds all of a change or nothing of it, because nothing else is awaited in it. A design
//! is written over only by who knows its latest revision. Only keeping something makes the database.

use std::cell::Cell;
use std::rc::Rc;

use hashrange_playground::ShelfRecord;
use idb::{
    Database, DatabaseEvent, Event, Factory, KeyRange, ObjectStore, ObjectStoreParams, Query,
    Request, Transaction, TransactionMode,
};
use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen_futures::JsFuture;
use web_sys::wasm_bindgen::{JsCast, JsValue};

const DATABASE: &str = "hashrange";
/// Numbered by the browser; values are records as text.
const RECORDS: &str = "designs";
/// Under `[design, chunk]`, both numbers; values are bytes.
const CHUNKS: &str = "chunks";
/// The session of version 1, under the number of the chunk.
const OLD: &str = "session";
const VERSION: u32 = 2;
/// Bytes of a chunk; larger values are slow to copy in some browsers.
const CHUNK_BYTES: usize = 256 * 1024;

/// Why nothing was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The browser keeps nothing for this page.
    Blocked,
    /// There is no room.
    Full,
    /// Another tab changed or erased the design.
    Changed,
}

impl From<idb::Error> for Failure {
    fn from(_: idb::Error) -> Self {
        Self::Blocked
    }
}

/// A connection, closed when it goes: one left open would keep others from erasing the database.
struct Connection(Database);

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Keeps `bytes` as the contents of a design, and returns the design's number. `id` is none for a new one;
/// otherwise `record.revision` must be one more than that of what is kept.
///
/// # Errors
/// The browser forbids storage or is out of room, or another tab wrote first. Then everything is as it was.
pub(crate) async fn save(
    id: Option<u32>,
    record: &ShelfRecord,
    bytes: &[u8],
) -> Result<u32, Failure> {
    let connection = open().await?;
    let transaction = connection.begin(&[RECORDS, CHUNKS], TransactionMode::ReadWrite)?;
    let put = put(&transaction, id, record, bytes).await;
    finish(transaction, put).await
}

async fn put(
    transaction: &Transaction,
    id: Option<u32>,
    record: &ShelfRecord,
    bytes: &[u8],
) -> Result<u32, Failure> {
    let records = transaction.object_store(RECORDS)?;
    if let Some(id) = id {
        let kept = records.get(JsValue::from(id))?.await?;
        if kept.map(|kept| record_of(&kept).revision + 1) != Some(record.revision) {
            return Err(Failure::Changed);
        }
        put_record(&records, id, record)?;
        put_chunks(transaction, id, bytes)?;
        return Ok(id);
    }
    add(transaction, record, bytes).await
}

/// Changes a design's record, not its contents; its revision goes up.
///
/// # Errors
/// As [`save`]; [`Failure::Changed`] if it is not kept any more.
pub(crate) async fn note(id: u32, change: impl FnOnce(&mut ShelfRecord)) -> Result<(), Failure> {
    let connection = open().await?;
    let transaction = connection.begin(&[RECORDS], TransactionMode::ReadWrite)?;
    let records = transaction.object_store(RECORDS)?;
    let kept = records.get(JsValue::from(id))?.await?.ok_or(Failure::Changed)?;
    let mut record = record_of(&kept);
    change(&mut record);
    record.revision += 1;
    let put = put_record(&records, id, &record);
    finish(transaction, put).await
}

/// Removes a design for good.
///
/// # Errors
/// The browser forbids storage.
pub(crate) async fn remove(id: u32) -> Result<(), Failure> {
    let connection = open().await?;
    let transaction = connection.begin(&[RECORDS, CHUNKS], TransactionMode::ReadWrite)?;
    transaction.object_store(RECORDS)?.delete(JsValue::from(id))?;
    transaction.object_store(CHUNKS)?.delete(chunks_of(id)?)?;
    finish(transaction, Ok(())).await
}

/// The designs that are kept, by number. Takes over what an earlier version kept; `describe` makes its record.
///
/// # Errors
/// The browser forbids storage.
pub(crate) async fn list(
    describe: impl FnOnce(&[u8]) -> ShelfRecord,
) -> Result<Vec<(u32, ShelfRecord)>, Failure> {
    let Some(connection) = open_if_there().await? else { return Ok(Vec::new()) };
    if connection.0.store_names().iter().any(|name| name == OLD) {
        take_over(&connection, describe).await?;
    }
    let transaction = connection.begin(&[RECORDS], TransactionMode::ReadOnly)?;
    let store = transaction.object_store(RECORDS)?;
    let keys = store.get_all_keys(None::<Query>, None)?;
    let values = store.get_all(None::<Query>, None)?;
    let (keys, values) = (keys.await?, values.await?);
    let numbered = keys.iter().zip(&values);
    Ok(numbered.filter_map(|(key, value)| Some((number(key)?, record_of(value)))).collect())
}

/// Record and contents of a design, if it is kept.
///
/// # Errors
/// The browser forbids storage.
pub(crate) async fn load(id: u32) -> Result<Option<(ShelfRecord, Vec<u8>)>, Failure> {
    let Some(connection) = open_if_there().await? else { return Ok(None) };
    let transaction = connection.begin(&[RECORDS, CHUNKS], TransactionMode::ReadOnly)?;
    let record = transaction.object_store(RECORDS)?.get(JsValue::from(id))?;
    let chunks = transaction.object_store(CHUNKS)?.get_all(Some(chunks_of(id)?.into()), None)?;
    let (record, chunks) = (record.await?, chunks.await?);
    Ok(record.map(|record| (record_of(&record), joined(&chunks))))
}

/// Erases the database.
///
/// # Errors
/// The browser forbids storage.
pub(crate) async fn erase() -> Result<(), Failure> {
    Ok(Factory::new()?.delete(DATABASE)?.await?)
}

/// Makes the session of version 1 a design like the others.
async fn take_over(
    connection: &Connection,
    describe: impl FnOnce(&[u8]) -> ShelfRecord,
) -> Result<(), Failure> {
    let reading = connection.begin(&[OLD], TransactionMode::ReadOnly)?;
    let chunks = reading.object_store(OLD)?.get_all(None::<Query>, None)?.await?;
    let bytes = joined(&chunks);
    if bytes.is_empty() {
        return Ok(());
    }
    let record = describe(&bytes);
    let transaction = connection.begin(&[OLD, RECORDS, CHUNKS], TransactionMode::ReadWrite)?;
    let moved = move_old(&transaction, &record, &bytes).await;
    finish(transaction, moved).await
}

async fn move_old(
    transaction: &Transaction,
    record: &ShelfRecord,
    bytes: &[u8],
) -> Result<(), Failure> {
    let old = transaction.object_store(OLD)?;
    // Another tab may have been faster.
    if old.count(None)?.await? > 0 {
        add(transaction, record, bytes).await?;
        old.clear()?;
    }
    Ok(())
}

impl Connection {
    fn begin(&self, stores: &[&str], mode: TransactionMode) -> Result<Transaction, Failure> {
        Ok(self.0.transaction(stores, mode)?)
    }
}

/// A connection to the database, which is made if there is none.
async fn open() -> Result<Connection, Failure> {
    let mut request = Factory::new()?.open(DATABASE, Some(VERSION))?;
    request.on_upgrade_needed(|event| {
        if let Ok(database) = event.database() {
            // Failing leaves a database without the stores, and then nothing can be kept or found.
            let mut numbered = ObjectStoreParams::new();
            numbered.auto_increment(true);
            let _ = database.create_object_store(RECORDS, numbered);
            let _ = database.create_object_store(CHUNKS, ObjectStoreParams::new());
        }
    });
    Ok(Connection(request.await?))
}

/// A connection to the database, if there is one: looking for designs leaves nothing behind.
async fn open_if_there() -> Result<Option<Connection>, Failure> {
    let is_new = Rc::new(Cell::new(false));
    let mut request = Factory::new()?.open(DATABASE, None)?;
    let found = Rc::clone(&is_new);
    request.on_upgrade_needed(move |event| {
        found.set(true);
        if let Some(transaction) = event.target().ok().and_then(|request| request.transaction()) {
            // What cannot be called off leaves an empty database, which does no harm.
            let _ = transaction.abort();
        }
    });
    let opened = request.await.map(Connection);
    match opened {
        _ if is_new.get() => Ok(None),
        // One of version 1.
        Ok(connection) if connection.0.version()? < VERSION => {
            drop(connection);
            open().await.map(Some)
        }
        Ok(connection) => Ok(Some(connection)),
        Err(error) => Err(error.into()),
    }
}

/// Waits until all is written; where something was refused, all of the transaction is called off.
async fn finish<T>(transaction: Transaction, outcome: Result<T, Failure>) -> Result<T, Failure> {
    if outcome.is_err() {
        // One that has ended by itself needs no calling off.
        let _ = transaction.abort();
        return outcome;
    }
    let mut transaction = transaction;
    let ended = Promise::new(&mut |tell, _| {
        let tell_too = tell.clone();
        // The browser calls it off itself when there is no room. They only resolve a promise.
        transaction.on_complete(move |_| drop(tell.call1(&JsValue::UNDEFINED, &JsValue::TRUE)));
        transaction.on_abort(move |_| drop(tell_too.call1(&JsValue::UNDEFINED, &JsValue::FALSE)));
    });
    // It is kept until it has ended, since it holds what listens to its end.
    let _transaction = transaction.commit()?;
    match JsFuture::from(ended).await {
        Ok(is_complete) if is_complete.is_truthy() => outcome,
        _ => Err(Failure::Full),
    }
}

/// Adds a design under a new number.
async fn add(
    transaction: &Transaction,
    record: &ShelfRecord,
    bytes: &[u8],
) -> Result<u32, Failure> {
    let text = JsValue::from(record.to_text());
    let key = transaction.object_store(RECORDS)?.add(&text, None).map_err(full)?.await;
    let id = number(&key.map_err(full)?).ok_or(Failure::Blocked)?;
    put_chunks(transaction, id, bytes)?;
    Ok(id)
}

fn put_record(records: &ObjectStore, id: u32, record: &ShelfRecord) -> Result<(), Failure> {
    let text = JsValue::from(record.to_text());
    records.put(&text, Some(&JsValue::from(id))).map(drop).map_err(full)
}

fn put_chunks(transaction: &Transaction, id: u32, bytes: &[u8]) -> Result<(), Failure> {
    let store = transaction.object_store(CHUNKS)?;
    store.delete(chunks_of(id)?)?;
    for (index, chunk) in (0_u32..).zip(bytes.chunks(CHUNK_BYTES)) {
        let key = Array::of2(&id.into(), &index.into());
        store.put(&Uint8Array::from(chunk), Some(&key)).map_err(full)?;
    }
    Ok(())
}

/// The keys of a design's chunks: a list comes after every number.
fn chunks_of(id: u32) -> Result<KeyRange, Failure> {
    let (first, last) = (Array::of1(&id.into()), Array::of2(&id.into(), &Array::new()));
    Ok(KeyRange::bound(&first, &last, None, None)?)
}

fn joined(chunks: &[JsValue]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for chunk in chunks {
        // What is no chunk was not written by us; the contents will be found damaged.
        if let Some(chunk) = chunk.dyn_ref::<Uint8Array>() {
            bytes.extend(chunk.to_vec());
        }
    }
    bytes
}

fn number(key: &JsValue) -> Option<u32> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counted from 1")]
    key.as_f64().map(|number| number as u32)
}

fn record_of(value: &JsValue) -> ShelfRecord {
    ShelfRecord::from_text(&value.as_string().unwrap_or_default())
}

fn full(_: idb::Error) -> Failure {
    Failure::Full
}
