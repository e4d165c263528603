//! Lists the pages of `tests/spec` for builds that have no disk to read them from.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder");
    let folder = Path::new(&root).join("spec");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("tests/spec is part of the checkout")
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .filter_map(|name| Some(name.strip_suffix(".md")?.to_owned()))
        .collect();
    names.sort();
    let mut list = String::from("&[\n");
    for name in names {
        let path = folder.join(format!("{name}.md")).display().to_string();
        writeln!(list, "({name:?}, include_str!({path:?})),").expect("strings take all text");
    }
    list.push(']');
    let folder = env::var("OUT_DIR").expect("cargo names the folder");
    fs::write(Path::new(&folder).join("pages.rs"), list).expect("the folder can be written to");
}
