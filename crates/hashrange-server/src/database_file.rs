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
use hashrange_wire::SNAPSHOT_FORMAT;

use crate::saved::{self, Unreadable};

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
    #[error("{} has format {format}, and this version of Hashrange reads format {SNAPSHOT_FORMAT}: use a newer version; the file was left untouched", path.display())]
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
        let is_compressed = self.path.extension().is_some_and(|ending| ending == COMPRESSED);
        self.replace(|file| write(store, file, is_compressed))
    }

    /// Puts what `write` writes in the place of what the file held, once all of it is on the disk.
    fn replace(&self, write: impl FnOnce(&File) -> io::Result<()>) -> Result<(), FileError> {
        let draft = beside(&self.path, DRAFT);
        let drafted = self.begin(&draft).and_then(|file| {
            write(&file)?;
            file.sync_all()
        });
        let saved = drafted.and_then(|()| fs::rename(&draft, &self.path));
        if let Err(error) = saved {
            // What was written in vain would keep a full disk full.
            let _ = fs::remove_file(&draft);
            return Err(machine(&self.path, "saved", error));
        }
        sync_folder(&self.path);
        Ok(())
    }

    /// An empty draft with the file's own permissions.
    fn begin(&self, draft: &Path) -> io::Result<File> {
        let file = File::create(draft)?;
        if let Ok(metadata) = fs::metadata(&self.path) {
            file.set_permissions(metadata.permissions())?;
        }
        Ok(file)
    }
}

/// Writes everything the store holds, to the last byte.
fn write(store: &Store, file: &File, is_compressed: bool) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    if is_compressed {
        let mut encoder = GzEncoder::new(&mut out, Compression::fast());
        saved::write(store, &mut encoder)?;
        encoder.finish()?;
    } else {
        saved::write(store, &mut out)?;
    }
    out.flush()
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
    let store = if GZIP_MAGIC.starts_with(&magic) {
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
        Unreadable::Machine(error) => machine(&path, "read", error),
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

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    const KEPT: &str =
        "{\"hashrange\":\"database\",\"format\":2}\n{\"end\":{\"tables\":0,\"items\":0}}\n";

    /// A folder of this test alone, and a file in it that holds an empty database.
    fn kept(test: &str) -> DatabaseFile {
        let folder = std::env::temp_dir().join(format!("hashrange-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("orders.db");
        fs::write(&path, KEPT).unwrap();
        DatabaseFile::open(&path).unwrap().0
    }

    #[track_caller]
    fn survives(file: DatabaseFile, write: impl FnOnce(&File) -> io::Result<()>) {
        let error = file.replace(write).unwrap_err();
        assert!(error.to_string().contains("orders.db can't be saved: "), "{error}");
        assert_eq!(fs::read_to_string(file.path()).unwrap(), KEPT);
        assert!(!beside(file.path(), DRAFT).exists(), "half a draft would keep the disk full");
        let folder = file.path().parent().unwrap().to_owned();
        drop(file);
        let _ = fs::remove_dir_all(folder);
    }

    #[test]
    fn the_file_survives_a_disk_that_fills_up_half_way() {
        survives(kept("full-half-way"), |mut file| {
            file.write_all(&KEPT.as_bytes()[..20])?;
            Err(ErrorKind::StorageFull.into())
        });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_noticed_however_little_there_is_to_write() {
        for is_compressed in [false, true] {
            let full = File::create("/dev/full").unwrap();
            survives(kept(&format!("full-{is_compressed}")), |_| {
                write(&Store::default(), &full, is_compressed)
            });
        }
    }
}
