//! `DatabaseFile`: the one file that keeps a database between runs of the server.
//!
//! Invariant: the file is whole at any moment. A save goes to a file beside it, which takes its place only
//! when all of it is on the disk; whatever goes wrong before leaves the file as it was. One server at a time
//! holds it, by a lock on a file beside it that the machine gives back however the server ends.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use hashrange_storage::Store;

use crate::saved::{self, FORMAT, Unreadable};

/// What the names of the files beside it end with.
const LOCK: &str = "lock";
const DRAFT: &str = "saving";
/// A file with this ending is written compressed.
const COMPRESSED: &str = "gz";
/// What every gzip file begins with.
const GZIP_MAGIC: [u8; 2] = [0x1F, 0x8B];

/// A file that holds a database, reserved for this server.
#[derive(Debug)]
pub struct DatabaseFile {
    path: PathBuf,
    /// Held for as long as this lives.
    _lock: File,
}

/// Why a file cannot keep the database. None of these changed it.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Another server has it.
    #[error("{} is in use by another Hashrange server: stop that one, or name another file", .0.display())]
    InUse(PathBuf),
    /// The machine does not let us at it.
    #[error("{} can't be {doing}: {error}", path.display())]
    Machine {
        /// The file.
        path: PathBuf,
        /// `opened`, `read` or `saved`.
        doing: &'static str,
        /// What the machine says.
        error: io::Error,
    },
    /// It holds something else.
    #[error("{} is not a Hashrange database; it was left untouched", .0.display())]
    Foreign(PathBuf),
    /// A later build wrote it.
    #[error("{} has format {format}, and this version of Hashrange reads format {FORMAT}: use a newer version; the file was left untouched", path.display())]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: u64,
    },
    /// Its end is missing.
    #[error("{} was cut off after {n_items} items; it was left untouched: put a whole copy in its place, or name another file", path.display())]
    Cut {
        /// The file.
        path: PathBuf,
        /// Items before the end.
        n_items: u64,
    },
    /// A line of it is wrong.
    #[error("line {line} of {} is damaged: {reason}; the file was left untouched", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

impl DatabaseFile {
    /// Reserves the file and reads what it holds; none where it does not exist yet or is empty.
    ///
    /// # Errors
    /// Another server has it, or it cannot be read. It is never changed here.
    pub fn open(path: &Path) -> Result<(Self, Option<Store>), FileError> {
        // What a link points at is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let lock = lock(&path)?;
        let store = match File::open(&path) {
            Ok(file) => load(&path, file)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(machine(&path, "opened", error)),
        };
        Ok((Self { path, _lock: lock }, store))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the store's content in the place of what the file held.
    ///
    /// # Errors
    /// The disk is full or forbids it. The file is then what it was.
    pub fn save(&self, store: &Store) -> Result<(), FileError> {
        let draft = beside(&self.path, DRAFT);
        let saved = self.write(store, &draft).and_then(|()| fs::rename(&draft, &self.path));
        if let Err(error) = saved {
            // What was written in vain would keep a full disk full.
            let _ = fs::remove_file(&draft);
            return Err(machine(&self.path, "saved", error));
        }
        sync_folder(&self.path);
        Ok(())
    }

    /// Writes a draft, with the file's own permissions, down to the disk.
    fn write(&self, store: &Store, draft: &Path) -> io::Result<()> {
        let file = File::create(draft)?;
        if let Ok(metadata) = fs::metadata(&self.path) {
            file.set_permissions(metadata.permissions())?;
        }
        let mut out = BufWriter::new(&file);
        if self.path.extension().is_some_and(|ending| ending == COMPRESSED) {
            let mut encoder = GzEncoder::new(&mut out, Compression::fast());
            saved::write(store, &mut encoder)?;
            encoder.finish()?;
        } else {
            saved::write(store, &mut out)?;
        }
        out.flush()?;
        drop(out);
        file.sync_all()
    }
}

fn lock(path: &Path) -> Result<File, FileError> {
    let opened = |error| machine(path, "opened", error);
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(beside(path, LOCK))
        .map_err(opened)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(FileError::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(opened(error)),
    }
}

fn load(path: &Path, mut file: File) -> Result<Option<Store>, FileError> {
    let read = |error| machine(path, "read", error);
    let mut magic = Vec::new();
    (&file).take(2).read_to_end(&mut magic).map_err(read)?;
    file.rewind().map_err(read)?;
    if magic.is_empty() {
        return Ok(None);
    }
    let input = BufReader::new(file);
    let store = if magic == GZIP_MAGIC {
        saved::read(BufReader::new(MultiGzDecoder::new(input)))
    } else {
        saved::read(input)
    };
    let path = path.to_owned();
    store.map(Some).map_err(|error| match error {
        Unreadable::Foreign => FileError::Foreign(path),
        Unreadable::NewerFormat(format) => FileError::NewerFormat { path, format },
        Unreadable::Cut { n_items } => FileError::Cut { path, n_items },
        Unreadable::Damaged { line, reason } => FileError::Damaged { path, line, reason },
    })
}

/// The file of this ending beside `path`: `orders.db.lock`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Makes a rename last through a power cut, where the machine can.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

fn machine(path: &Path, doing: &'static str, error: io::Error) -> FileError {
    FileError::Machine { path: path.to_owned(), doing, error }
}
