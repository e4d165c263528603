//! The saved session in IndexedDB: one blob in chunks, written in one transaction.
//!
//! Invariant: a transaction holds all chunks of one save or none of them, because nothing else is awaited in it.

use idb::{Database, DatabaseEvent, Factory, ObjectStoreParams, Query, TransactionMode};
use js_sys::Uint8Array;
use web_sys::wasm_bindgen::{JsCast, JsValue};

const DATABASE: &str = "hashrange";
const STORE: &str = "session";
const VERSION: u32 = 1;
/// Bytes of a chunk; larger values are slow to copy in some browsers.
const CHUNK_BYTES: usize = 256 * 1024;

/// The browser keeps nothing for this page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unavailable;

impl From<idb::Error> for Unavailable {
    fn from(_: idb::Error) -> Self {
        Self
    }
}

/// Keeps `bytes` in place of what was kept before.
///
/// # Errors
///
/// The browser forbids storage or is out of room.
pub(crate) async fn save(bytes: &[u8]) -> Result<(), Unavailable> {
    let database = open().await?;
    let chunks: Vec<Uint8Array> = bytes.chunks(CHUNK_BYTES).map(Uint8Array::from).collect();
    let transaction = database.transaction(&[STORE], TransactionMode::ReadWrite)?;
    let store = transaction.object_store(STORE)?;
    store.clear()?;
    for (index, chunk) in (0_u32..).zip(&chunks) {
        store.put(chunk, Some(&JsValue::from(index)))?;
    }
    transaction.commit()?.await?;
    database.close();
    Ok(())
}

/// What was kept, if anything was.
///
/// # Errors
///
/// The browser forbids storage.
pub(crate) async fn load() -> Result<Option<Vec<u8>>, Unavailable> {
    let database = open().await?;
    let transaction = database.transaction(&[STORE], TransactionMode::ReadOnly)?;
    let chunks = transaction.object_store(STORE)?.get_all(None::<Query>, None)?.await?;
    database.close();
    let mut bytes = Vec::new();
    for chunk in &chunks {
        let chunk: &Uint8Array = chunk.dyn_ref().ok_or(Unavailable)?;
        bytes.extend(chunk.to_vec());
    }
    Ok((!bytes.is_empty()).then_some(bytes))
}

async fn open() -> Result<Database, Unavailable> {
    let mut request = Factory::new()?.open(DATABASE, Some(VERSION))?;
    request.on_upgrade_needed(|event| {
        if let Ok(database) = event.database() {
            // Failing leaves a database without the store, and then nothing can be saved or loaded.
            let _ = database.create_object_store(STORE, ObjectStoreParams::new());
        }
    });
    Ok(request.await?)
}
