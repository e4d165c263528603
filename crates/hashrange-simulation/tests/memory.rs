//! What nobody takes does not pile up.

mod script;

use hashrange_simulation::{RequestNumber, World, WorldSettings};
use script::{cluster, request};
use serde_json::json;

#[test]
fn outcomes_that_nobody_takes_make_way_for_newer_ones() {
    let mut cluster = cluster(hashrange_simulation::Settings::default());
    let list = request("ListTables", &json!({}));
    let numbers: Vec<RequestNumber> = (0..10_001).map(|_| cluster.submit(list.clone())).collect();
    cluster.forget(numbers[5]);
    while cluster.step() {}
    let mut is_there = |at: usize| cluster.take_reply(numbers[at]).is_some();
    assert!(is_there(0), "10,000 are kept, and one was forgotten");
    assert!(!is_there(5), "nobody waited for it");
    let more: Vec<RequestNumber> = (0..3).map(|_| cluster.submit(list.clone())).collect();
    while cluster.step() {}
    let mut is_there = |number: RequestNumber| cluster.take_reply(number).is_some();
    assert!(!is_there(numbers[1]) && !is_there(numbers[2]));
    assert!(is_there(numbers[3]) && is_there(more[2]));
}

#[test]
fn a_world_keeps_as_many() {
    let mut world = World::new(WorldSettings::default()).expect("the settings are right");
    let list = request("ListTables", &json!({}));
    let tickets: Vec<_> = (0..10_002).map(|_| world.submit(0, list.clone())).collect();
    while world.step() {}
    assert!(world.take_reply(tickets[1]).is_none());
    assert!(world.take_reply(tickets[2]).is_some() && world.take_reply(tickets[10_001]).is_some());
}
