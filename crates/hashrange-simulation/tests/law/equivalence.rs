//! Without lag, limits and faults a `Cluster` answers as a `Database`.

use hashrange_engine::Database;
use hashrange_simulation::Settings;
use serde_json::{Value, json};

use super::Verdict;
use super::dice::Dice;
use super::play::Play;
use super::requests::{Asked, Kinds, Requests};
use crate::script::{call, call_database};

pub(super) fn a_cluster_without_lag_limits_and_faults_answers_as_a_database(seed: u64) -> Verdict {
    let mut dice = Dice::new(seed ^ 0xE0);
    // Limits that nobody meets change nothing either, nor does when units come or expired items are looked for.
    let settings = Settings {
        seed,
        has_limits: dice.chance(50),
        is_by_the_second: dice.chance(50),
        ..Settings::default()
    };
    let provisioned = dice.pick(&[None, Some(1_000)]);
    let kinds = Kinds { writes: 60, is_strong: false, expires: true };
    let requests = Requests { kinds, n_versions: 0, begins_at_s: 0 };
    let mut play = Play::new(dice, settings, provisioned, requests);
    let mut database = Database::from_store(play.cluster.store().clone());
    let mut page = Value::Null;
    for _ in 0..50 {
        let (operation, body) = if play.dice.chance(15) {
            about_the_table(&mut play.dice, &page)
        } else {
            play.requests.next(&mut play.dice)
        };
        let expected = call_database(&mut database, operation, &body, play.cluster.now());
        let got = call(&mut play.cluster, operation, body.clone());
        if got != expected {
            return Err(format!("{operation} {body}: {got}\na database says {expected}"));
        }
        page = got["LastEvaluatedKey"].clone();
        let us_max = play.dice.pick(&[0, 0, 1_000_000, 1_000_000_000]);
        play.wait(us_max);
    }
    Ok(())
}

/// Pages, and what changes or shows the table itself.
fn about_the_table(dice: &mut Dice, page: &Value) -> Asked {
    match dice.below(6) {
        0..=2 => {
            let mut body = json!({"TableName": "Orders", "Limit": dice.between(1, 3)});
            if page.is_object() {
                body["ExclusiveStartKey"] = page.clone();
            }
            ("Scan", body)
        }
        3 => ("DescribeTable", json!({"TableName": "Orders"})),
        4 => ("UpdateTable", index_update(dice.chance(50))),
        _ => ("DescribeTimeToLive", json!({"TableName": "Orders"})),
    }
}

/// Makes the global index, or removes it.
pub(super) fn index_update(is_made: bool) -> Value {
    let update = if is_made {
        let key = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
        json!({"Create": {"IndexName": "byColour", "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [key("colour", "HASH"), key("sk", "RANGE")]}})
    } else {
        json!({"Delete": {"IndexName": "byColour"}})
    };
    let text = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let mut body = json!({"TableName": "Orders", "GlobalSecondaryIndexUpdates": [update]});
    if is_made {
        body["AttributeDefinitions"] = json!([text("pk"), text("sk"), text("colour")]);
    }
    body
}
