//! From the target of a request to a file and its type.
//!
//! Invariant: [`find_file`] returns only existing files inside the served folder.

use std::path::{Path, PathBuf};

/// Addresses of the page itself, which it tells apart by its own means.
const PAGE_PATHS: [&str; 2] = ["", "embed"];

/// The file a target names: the page for `/` and `/embed`, else the file of that name.
pub(crate) fn find_file(root: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let names = decode(path)?;
    let mut file = root.to_path_buf();
    for name in names.split('/').filter(|name| !name.is_empty()) {
        if name.starts_with('.') || name.contains(['\\', ':', '\0']) {
            return None;
        }
        file.push(name);
    }
    if file.is_dir() {
        file.push("index.html");
    }
    if !file.is_file() && PAGE_PATHS.contains(&names.trim_end_matches('/')) {
        file = root.join("index.html");
    }
    let file = file.canonicalize().ok()?;
    (file.is_file() && file.starts_with(root)).then_some(file)
}

/// The media type of a file by its ending, with its character set where it is text.
pub(crate) fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json; charset=utf-8",
        "webmanifest" => "application/manifest+json; charset=utf-8",
        "md" => "text/markdown; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "svg" => "image/svg+xml; charset=utf-8",
        "wasm" => "application/wasm",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

/// Whether gzip makes such a file smaller.
pub(crate) fn is_compressible(content_type: &str) -> bool {
    content_type.contains("charset") || content_type == "application/wasm"
}

/// Undoes percent-encoding; nothing when it is broken or hides what is not UTF-8.
fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let (digits, after) = after.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source_folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src").canonicalize().unwrap()
    }

    #[test]
    fn a_target_names_the_file_below_the_folder() {
        let root = source_folder();
        assert_eq!(find_file(&root, "/main.rs?v=1"), Some(root.join("main.rs")));
        assert_eq!(find_file(&root, "/server/m%6Fd.rs"), Some(root.join("server/mod.rs")));
    }

    #[test]
    fn nothing_outside_the_folder_is_found() {
        let root = source_folder();
        for target in
            ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/server/..%2f../Cargo.toml", "//etc/passwd"]
        {
            assert_eq!(find_file(&root, target), None, "{target}");
        }
    }

    #[test]
    fn broken_targets_are_not_found() {
        let root = source_folder();
        for target in ["", "main.rs", "/%", "/%zz", "/%ff", "/nowhere", "/server"] {
            assert_eq!(find_file(&root, target), None, "{target}");
        }
    }

    #[test]
    fn wasm_has_the_type_that_streaming_compilation_asks_for() {
        assert_eq!(content_type(Path::new("a_bg.wasm")), "application/wasm");
        assert!(is_compressible("application/wasm"));
        assert!(!is_compressible("image/png"));
    }
}
