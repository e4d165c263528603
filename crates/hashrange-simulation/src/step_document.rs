//! A `Step` as JSON: a moment, a Region, and one word that says what happens.
//!
//! Invariant: what is written reads as the same step.
//!
//! Not here: loads (`workload_document`).

use serde_json::{Map, Value};

use crate::document::{Members, Node, ScenarioError, ms_value, put};
use crate::scenario::{Act, Fault, FaultPlace, RequestText, Step};
use crate::world::Via;
use crate::{act_document, workload_document};

/// Most requests of one step.
const TIMES_MAX: u64 = 1_000_000;

type Read = fn(&mut Members<'_>, &Node<'_>) -> Result<Act, ScenarioError>;

/// Words that say what happens, and how the rest of the step is read.
const ACTS: [(&str, Read); 13] = [
    ("operation", send),
    ("load", workload_document::act),
    ("set", set),
    ("sweep", sweep),
    ("fault", fault),
    ("expect", act_document::expect),
    ("program", act_document::program),
    ("pause", act_document::pause),
    ("resume", act_document::resume),
    ("recreate", act_document::recreate),
    ("late_reply", act_document::late_reply),
    ("function", act_document::function),
    ("search", act_document::search),
];

const FAULTS: [(&str, Option<Fault>); 5] = [
    ("cut_off", Some(Fault::CutOff)),
    ("fail", Some(Fault::Fail)),
    ("restore", Some(Fault::Restore)),
    ("divide", Some(Fault::Divide)),
    ("lose_reply", None),
];
const VIAS: [(&str, Via); 2] = [("table", Via::Table), ("dax", Via::Dax)];

/// Reads a step.
pub(crate) fn read(step: &Node<'_>) -> Result<Step, ScenarioError> {
    let mut members = step.open()?;
    let at_us = members.ms("at_ms")?.unwrap_or(0);
    let region = members.text("region")?.map(Into::into);
    let mut given = ACTS.iter().filter(|(word, _)| members.has(word));
    let what = match (given.next(), given.next()) {
        (Some((word, read)), None) => {
            let node = members.need(word)?;
            read(&mut members, &node)?
        }
        (None, _) => {
            // Named in a refusal.
            for (word, _) in &ACTS {
                members.take(word);
            }
            Act::Wait
        }
        _ => {
            let words: Vec<&str> = ACTS.iter().map(|(word, _)| *word).collect();
            let words = words.join(", ");
            return Err(step.not(&format!("one of {words}, or none for time that passes")));
        }
    };
    members.end()?;
    Ok(Step { at_us, region, what })
}

/// Reads which way a request takes.
pub(crate) fn via(members: &mut Members<'_>) -> Result<Via, ScenarioError> {
    members.take("via").map_or(Ok(Via::Table), |node| node.word(&VIAS))
}

/// Writes which way a request takes, unless it is the usual one.
pub(crate) fn put_via(to: &mut Map<String, Value>, via: Via) {
    put(to, "via", (via == Via::Dax).then_some("dax"));
}

fn send(members: &mut Members<'_>, operation: &Node<'_>) -> Result<Act, ScenarioError> {
    let operation = operation.text()?.to_owned();
    Ok(Act::Send {
        request: RequestText { operation, members: members.need("request")?.value.clone() },
        via: via(members)?,
        times: members.take("times").map_or(Ok(1), |node| node.whole(1..=TIMES_MAX))?,
        every_us: members.ms("every_ms")?.unwrap_or(0),
    })
}

fn set(_: &mut Members<'_>, settings: &Node<'_>) -> Result<Act, ScenarioError> {
    let members = settings.members()?.into_iter();
    Ok(Act::Set(members.map(|(name, node)| (name.to_owned(), node.value.clone())).collect()))
}

fn sweep(_: &mut Members<'_>, is_swept: &Node<'_>) -> Result<Act, ScenarioError> {
    Ok(if is_swept.truth()? { Act::Sweep } else { Act::Wait })
}

fn fault(members: &mut Members<'_>, word: &Node<'_>) -> Result<Act, ScenarioError> {
    let Some(fault) = word.word(&FAULTS)? else {
        let times = members.take("times").map_or(Ok(1), |node| node.whole(1..=TIMES_MAX))?;
        return Ok(Act::LoseReplies(times));
    };
    let replica = members.take("replica").map_or(Ok(0), |node| node.count(0..=2))?;
    let replica = u8::try_from(replica).expect("at most 2");
    let (table, key) = (members.take("table"), members.take("key"));
    let place = match (table, key, members.take("partition")) {
        (Some(table), Some(key), None) => {
            FaultPlace::Key(table.text()?.to_owned(), key.value.clone())
        }
        (None, None, Some(partition)) if fault != Fault::Divide => {
            FaultPlace::Partition(partition.count(1..=u32::MAX)?)
        }
        _ if fault == Fault::Divide => {
            return Err(members.not("a fault with table and key, where it is divided"));
        }
        _ => return Err(members.not("a fault with table and key, or with partition")),
    };
    Ok(Act::Fault { fault, place, replica })
}

/// The step as [`read`] takes it.
pub(crate) fn value(step: &Step) -> Value {
    let mut to = Map::new();
    put(&mut to, "at_ms", Some(step.at_us).filter(|us| *us != 0).map(ms_value));
    put(&mut to, "region", step.region.as_deref());
    match &step.what {
        Act::Wait => {}
        Act::Sweep => put(&mut to, "sweep", Some(true)),
        Act::Send { request, via, times, every_us } => {
            put(&mut to, "operation", Some(request.operation.as_str()));
            put(&mut to, "request", Some(request.members.clone()));
            put_via(&mut to, *via);
            put(&mut to, "times", Some(*times).filter(|times| *times != 1));
            put(&mut to, "every_ms", Some(*every_us).filter(|us| *us != 0).map(ms_value));
        }
        Act::Load(workload) => workload_document::put_load(&mut to, workload),
        Act::Set(settings) => {
            let settings: Map<String, Value> = settings.iter().cloned().collect();
            put(&mut to, "set", Some(settings));
        }
        Act::Fault { fault, place, replica } => {
            put_fault(&mut to, Some(*fault));
            put(&mut to, "replica", Some(*replica).filter(|replica| *replica != 0));
            match place {
                FaultPlace::Partition(number) => put(&mut to, "partition", Some(*number)),
                FaultPlace::Key(table, key) => {
                    put(&mut to, "table", Some(table.as_str()));
                    put(&mut to, "key", Some(key.clone()));
                }
            }
        }
        Act::LoseReplies(times) => {
            put_fault(&mut to, None);
            put(&mut to, "times", Some(*times));
        }
        Act::Cue(cue) => act_document::put_cue(&mut to, cue),
    }
    Value::Object(to)
}

fn put_fault(to: &mut Map<String, Value>, fault: Option<Fault>) {
    put(to, "fault", FAULTS.iter().find(|(_, of)| *of == fault).map(|(word, _)| *word));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scenario::Scenario;

    #[test]
    fn a_scenario_is_read_with_its_steps() {
        let text = r#"{"settings": {"preset": "lesson", "seed": 5}, "tables": [{"TableName": "T"}], "steps": [
            {"operation": "PutItem", "request": {}, "times": 3, "every_ms": 0.5},
            {"at_ms": 7, "fault": "fail", "partition": 2, "replica": 1},
            {"at_ms": 8, "fault": "lose_reply"}, {"at_ms": 9}, {"set": {"lag.gsi_ms": 4}},
            {"sweep": true, "region": "eu-west-1"}]}"#;
        let scenario = Scenario::from_text(text).unwrap();
        assert_eq!(scenario.settings, crate::world::WorldSettings::lesson(5));
        let step = |at_us, what| Step { at_us, region: None, what };
        let request = RequestText { operation: "PutItem".to_owned(), members: json!({}) };
        let sent = Act::Send { request, via: Via::Table, times: 3, every_us: 500 };
        let failed = Act::Fault { fault: Fault::Fail, place: FaultPlace::Partition(2), replica: 1 };
        let expected = vec![
            step(0, sent),
            step(7_000, failed),
            step(8_000, Act::LoseReplies(1)),
            step(9_000, Act::Wait),
            step(0, Act::Set(vec![("lag.gsi_ms".to_owned(), 4.into())])),
            Step { at_us: 0, region: Some("eu-west-1".into()), what: Act::Sweep },
        ];
        assert_eq!(scenario.steps, expected);
        assert_eq!(Scenario::from_json(&scenario.to_json()), Ok(scenario));
    }

    #[test]
    fn what_is_wrong_is_said_in_one_sentence_with_its_place() {
        for (text, sentence) in [
            ("{", "the scenario is not JSON: EOF while parsing an object at line 1 column 1"),
            ("[]", "the scenario must be an object, not []"),
            (
                r#"{"seed": 1}"#,
                "there is no member seed: choose from settings, tables, functions, steps",
            ),
            (r#"{"steps": [{}, {"operation": "PutItem"}]}"#, "steps[1].request is missing"),
            (
                r#"{"steps": [{"operation": 1, "request": {}}]}"#,
                "steps[0].operation must be text, not 1",
            ),
            (
                r#"{"steps": [{"operation": "GetItem", "request": {}, "replica": 1}]}"#,
                "there is no member steps[0].replica: choose from at_ms, region, operation, request, via, times, every_ms",
            ),
            (
                r#"{"steps": [{"fault": "burn"}]}"#,
                "steps[0].fault must be cut_off or fail or restore or divide or lose_reply, not \"burn\"",
            ),
            (
                r#"{"steps": [{"fault": "fail"}]}"#,
                "steps[0] must be a fault with table and key, or with partition, not {\"fault\":\"fail\"}",
            ),
            (
                r#"{"steps": [{"fault": "divide", "partition": 1}]}"#,
                "steps[0] must be a fault with table and key, where it is divided, not {\"fault\":\"divide\",\"partition\":1}",
            ),
            (
                r#"{"steps": [{"set": {}, "fault": "fail"}]}"#,
                "steps[0] must be one of operation, load, set, sweep, fault, expect, program, pause, resume, recreate, late_reply, function, search, or none for time that passes, not {\"set\":{},\"fault\":\"fail\"}",
            ),
            (
                r#"{"steps": [{"at": 5}]}"#,
                "there is no member steps[0].at: choose from at_ms, region, operation, load, set, sweep, fault, expect, program, pause, resume, recreate, late_reply, function, search",
            ),
        ] {
            assert_eq!(Scenario::from_text(text).unwrap_err().to_string(), sentence);
        }
    }
}
