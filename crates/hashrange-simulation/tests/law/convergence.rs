//! When nothing is due any more, followers and indexes equal their leader, whatever went wrong before.

use std::collections::BTreeSet;

use hashrange_engine::Database;
use hashrange_types::Timestamp;
use serde_json::{Value, json};

use super::Verdict;
use super::dice::Dice;
use super::equivalence::index_update;
use super::play::{Play, lagging, limited};
use super::requests::{Kinds, Requests};
use crate::script::{call, call_database, request};

pub(super) fn followers_and_indexes_equal_the_leader_when_nothing_is_due(seed: u64) -> Verdict {
    let mut dice = Dice::new(seed ^ 0xC0);
    let mut settings = if dice.chance(40) { limited(&mut dice) } else { lagging(&mut dice) };
    settings.ttl_sweep_delay_s = dice.pick(&[None, Some(0), Some(3)]);
    let kinds = Kinds { writes: 85, is_strong: false, expires: true };
    let requests = Requests { kinds, n_versions: 0, begins_at_s: 0 };
    let mut play = Play::new(dice, settings, None, requests);
    for _ in 0..80 {
        if play.dice.chance(15) {
            play.act();
        }
        if play.dice.chance(3) {
            let is_made = play.dice.chance(50);
            play.cluster.submit(request("UpdateTable", &index_update(is_made)));
        }
        if play.dice.chance(8) {
            replace_index(&mut play);
        }
        ask(&mut play);
        if play.dice.chance(60) {
            let us_max = play.dice.pick(&[1_000, 50_000, 3_000_000]);
            play.wait(us_max);
        }
    }
    play.settle()?;
    play.cluster.set("eventual_reads", &json!("round-robin")).expect("reads may change");
    check_index(&play)?;
    let described = call(&mut play.cluster, "DescribeTable", json!({"TableName": "Orders"}));
    let has = |kind: &str| described["Table"].get(kind).is_some();
    let mut scans = vec![json!({"TableName": "Orders"})];
    let indexes = [("GlobalSecondaryIndexes", "byColour"), ("LocalSecondaryIndexes", "byVersion")];
    for (_, index) in indexes.into_iter().filter(|(kind, _)| has(kind)) {
        scans.push(json!({"TableName": "Orders", "IndexName": index}));
    }
    for scan in scans {
        for _ in 0..3 {
            // Buckets are full again.
            let later = Timestamp(play.cluster.now().0 + 600_000_000);
            play.cluster.run_until(later, 1_000_000);
            let mut leader = Database::from_store(play.cluster.store().clone());
            let expected = call_database(&mut leader, "Scan", &scan, later);
            let got = call(&mut play.cluster, "Scan", scan.clone());
            if got != expected {
                return Err(format!("{scan}: {got}\nthe leader has {expected}"));
            }
        }
    }
    Ok(())
}

fn ask(play: &mut Play) {
    let (operation, body) = play.requests.next(&mut play.dice);
    play.cluster.submit(request(operation, &body));
}

/// Removes the global index and makes another of that name, while entries are on their way and more is written.
fn replace_index(play: &mut Play) {
    for is_made in [false, true] {
        for _ in 0..play.dice.between(1, 5) {
            ask(play);
        }
        let us_max = play.dice.pick(&[0, 1_000, 40_000]);
        play.wait(us_max);
        play.cluster.submit(request("UpdateTable", &index_update(is_made)));
    }
}

/// The global index holds the items that have its key, and nothing else.
fn check_index(play: &Play) -> Verdict {
    let table = play.cluster.store().table("Orders").expect("it is there");
    let Some(index) = table.index("byColour") else { return Ok(()) };
    let rows = |tree: hashrange_storage::TreeRef<'_>| -> BTreeSet<String> {
        let all = hashrange_storage::KeyRange::all();
        let rows = tree.range(&all, true).filter(|(_, row)| row.item.get("colour").is_some());
        rows.map(|(_, row)| format!("{:?}", row.item)).collect()
    };
    let (items, entries) = (rows(table.items()), rows(index));
    let n_entries = usize::try_from(index.n_rows()).expect("few");
    if items == entries && n_entries == entries.len() {
        return Ok(());
    }
    let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<Value> {
        one.difference(other).map(|row| json!(row)).collect()
    };
    Err(format!(
        "{n_entries} entries; only in the table {:?}; only in the index {:?}",
        only(&items, &entries),
        only(&entries, &items)
    ))
}
