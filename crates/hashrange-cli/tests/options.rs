//! Options that cannot be given together, as the process itself refuses them.
#![allow(clippy::unwrap_used, reason = "a test with nothing to unwrap has failed")]

use std::process::Command;

#[test]
fn a_scenario_is_not_played_into_a_database_file_and_one_sentence_says_so() {
    let folder = std::env::temp_dir().join(format!("hashrange-options-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let kept = folder.join("kept.jsonl");
    // A scenario that is not there: no server begins, even if the two were allowed together.
    let refused = Command::new(env!("CARGO_BIN_EXE_hashrange"))
        .args(["serve", "--port", "0", "--simulate"])
        .arg(folder.join("no-such-scenario.json"))
        .arg("--data")
        .arg(&kept)
        .output()
        .unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert_eq!(
        said.lines().next(),
        Some("error: the argument '--simulate <SCENARIO>' cannot be used with '--data <FILE>'"),
    );
    assert!(refused.stdout.is_empty() && !kept.exists());
    std::fs::remove_dir_all(&folder).unwrap();
}
