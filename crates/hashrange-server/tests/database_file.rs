//! The file of a database: reserved, read, replaced whole, and never harmed.
#![allow(clippy::unwrap_used, reason = "a test with nothing to unwrap has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use hashrange_server::{DatabaseFile, FileError, Seed, Store, seed};

const DESIGN: &str = r#"{"format": 1, "title": "Orders", "tables": [{"TableName": "Orders",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST"}]}"#;
const RECIPE: &str = r#"{"seed": 7, "groups": [{"table": "Orders", "entity": "Order",
    "for": {"n": [1, 50]}, "item": {"pk": {"S": "ORDER#{n:03}"}}}]}"#;
const MODEL: &str = r#"{"ModelName": "Pets", "DataModel": [{"TableName": "Pets",
    "KeyAttributes": {"PartitionKey": {"AttributeName": "name", "AttributeType": "S"}},
    "TableData": [{"name": {"S": "Rex"}, "age": {"N": 3}}]}]}"#;

/// A new empty folder of this test alone.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::write(path, text).unwrap();
}

fn orders(folder: &Path) -> Seed {
    write(&folder.join("design.json"), DESIGN);
    write(&folder.join("data.json"), RECIPE);
    seed(folder).unwrap()
}

fn n_items(store: &Store, table: &str) -> u64 {
    store.table(table).map_or(0, |table| table.items().n_rows())
}

#[track_caller]
fn refusal(path: &Path) -> String {
    DatabaseFile::open(path).map(|(_, store)| store.is_some()).unwrap_err().to_string()
}

#[test]
fn a_design_starts_with_the_items_of_the_recipe_beside_it() {
    let seed = orders(&folder("recipe"));
    assert_eq!((seed.n_tables, seed.n_items), (1, 50));
    assert_eq!(n_items(&seed.store, "Orders"), 50);
}

#[test]
fn a_workbench_model_starts_with_its_own_items_and_says_what_it_repaired() {
    let path = folder("workbench").join("pets.json");
    write(&path, MODEL);
    let seed = seed(&path).unwrap();
    assert_eq!(n_items(&seed.store, "Pets"), 1);
    assert!(seed.repairs[0].starts_with("DataModel[0].TableData[0].age: "), "{:?}", seed.repairs);
}

#[test]
fn a_design_that_cannot_be_read_is_refused_with_its_name() {
    let folder = folder("bad_design");
    let path = folder.join("design.json");
    for (text, ending) in [
        ("{", "This is not JSON: EOF while parsing an object, at line 1, column 1."),
        (r#"{"format": 9}"#, "Nothing was changed."),
        ("[]", "not an object"),
    ] {
        write(&path, text);
        let sentence = seed(&path).unwrap_err().to_string();
        assert!(sentence.starts_with(path.to_str().unwrap()), "{sentence}");
        assert!(sentence.contains(ending) || text == "[]", "{sentence}");
    }
    assert!(seed(&folder.join("none.json")).is_err());
}

#[test]
fn what_is_saved_is_there_at_the_next_start() {
    let folder = folder("again");
    let store = orders(&folder).store;
    for name in ["plain.db", "small.db.gz"] {
        let path = folder.join(name);
        let (file, before) = DatabaseFile::open(&path).unwrap();
        assert!(before.is_none());
        file.save(&store).unwrap();
        drop(file);
        let (_, after) = DatabaseFile::open(&path).unwrap();
        assert_eq!(n_items(&after.unwrap(), "Orders"), 50, "{name}");
        assert!(!folder.join(format!("{name}.saving")).exists());
    }
    let plain = fs::metadata(folder.join("plain.db")).unwrap().len();
    assert!(fs::metadata(folder.join("small.db.gz")).unwrap().len() < plain / 2);
}

#[test]
fn two_servers_cannot_have_one_file() {
    let path = folder("two").join("orders.db");
    let first = DatabaseFile::open(&path).unwrap();
    assert!(refusal(&path).ends_with(
        "orders.db is in use by another Hashrange server: stop that one, or name another file"
    ));
    drop(first);
    assert!(DatabaseFile::open(&path).is_ok());
}

#[test]
fn a_file_cut_at_any_byte_is_refused_and_left_as_it_is() {
    let folder = folder("cut");
    let store = orders(&folder).store;
    for name in ["orders.db", "orders.db.gz"] {
        let path = folder.join(name);
        let (file, _) = DatabaseFile::open(&path).unwrap();
        file.save(&store).unwrap();
        drop(file);
        let whole = fs::read(&path).unwrap();
        // The line end at the very end says nothing; all else does.
        for length in 1..whole.len() - 1 {
            write(&path, &whole[..length]);
            let sentence = refusal(&path);
            assert!(sentence.contains(" was cut off after "), "{length}: {sentence}");
            assert!(sentence.contains("; it was left untouched: put a whole copy"), "{sentence}");
            assert_eq!(fs::read(&path).unwrap(), &whole[..length]);
        }
    }
}

#[test]
fn a_file_of_something_else_or_of_a_later_version_is_refused_and_left_as_it_is() {
    let folder = folder("foreign");
    let later = "{\"hashrange\":\"database\",\"format\":99}\n{\"secret\":1}\n";
    for (name, content, ending) in [
        ("notes.txt", "my notes\n", "is not a Hashrange database; it was left untouched"),
        ("design.json", DESIGN, "is not a Hashrange database; it was left untouched"),
        (
            "later.db",
            later,
            "later.db has format 99, and this version of Hashrange reads format 2: use a newer version; \
             the file was left untouched",
        ),
    ] {
        let path = folder.join(name);
        write(&path, content);
        assert!(refusal(&path).ends_with(ending), "{}", refusal(&path));
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
}

#[test]
fn a_compressed_file_that_is_damaged_is_refused_and_left_as_it_is() {
    let folder = folder("damaged");
    let path = folder.join("orders.db.gz");
    let (file, _) = DatabaseFile::open(&path).unwrap();
    file.save(&orders(&folder).store).unwrap();
    drop(file);
    let mut content = fs::read(&path).unwrap();
    let checksum = content.len() - 8;
    content[checksum] ^= 1;
    write(&path, &content);
    let sentence = refusal(&path);
    assert!(sentence.contains("is damaged: "), "{sentence}");
    assert_eq!(fs::read(&path).unwrap(), content);
}

#[test]
fn a_save_that_fails_leaves_the_file_that_was() {
    let folder = folder("failed_save");
    let path = folder.join("orders.db");
    let (file, _) = DatabaseFile::open(&path).unwrap();
    file.save(&orders(&folder).store).unwrap();
    let before = fs::read(&path).unwrap();
    // A folder where the draft should go fails like a full disk: the draft can't be written.
    fs::create_dir(folder.join("orders.db.saving")).unwrap();
    let error = file.save(&Store::default()).unwrap_err();
    assert!(matches!(error, FileError::Machine { doing: "saved", .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn a_save_keeps_permissions_and_follows_links() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = folder("permissions");
    let (path, link) = (folder.join("orders.db"), folder.join("link.db"));
    write(&path, "");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&path, &link).unwrap();
    let (file, _) = DatabaseFile::open(&link).unwrap();
    file.save(&orders(&folder).store).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(fs::metadata(&path).unwrap().len() > 0);
}
