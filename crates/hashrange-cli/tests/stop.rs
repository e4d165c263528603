//! The server as a process of its own, and signals that come early.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test with nothing to unwrap has failed")]

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

#[test]
fn a_server_that_is_stopped_as_soon_as_it_has_said_its_address_still_saves() {
    let folder = std::env::temp_dir().join(format!("hashrange-stop-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for n in 0..5 {
        let file = folder.join(format!("{n}.jsonl"));
        let mut server = Command::new(env!("CARGO_BIN_EXE_hashrange"))
            .args(["serve", "--port", "0", "--data"])
            .arg(&file)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let pid = server.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        assert!(server.wait().unwrap().success());
        assert!(file.is_file(), "{line}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
