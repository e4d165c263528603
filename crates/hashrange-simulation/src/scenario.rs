//! `Scenario`: a run as one JSON document: settings, tables, and steps at moments.
//!
//! Invariant: whatever the document, reading it gives a scenario or one sentence that names the place.
//!
//! Not here: playing it (`run`), what a request means (whoever plays it decodes requests).

use serde_json::Value;

use crate::document::{Node, ScenarioError};
use crate::settings::Settings;
use crate::settings_document;

/// Most requests of one step, and most steps.
const TIMES_MAX: u64 = 1_000_000;

/// Settings, the tables a run begins with, and what happens in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// What the run is set to.
    pub settings: Settings,
    /// CreateTable requests.
    pub tables: Vec<Value>,
    /// What happens, in any order.
    pub steps: Vec<Step>,
}

/// Something that happens at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Microseconds after the run's beginning.
    pub at_us: i64,
    /// What happens.
    pub what: Act,
}

/// What happens in a step.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// A request is sent, once or several times.
    Send {
        /// The operation's name.
        operation: String,
        /// Its members; `{n}` in a text becomes the number of the request, from 1.
        request: Value,
        /// How often.
        times: u64,
        /// Microseconds from one to the next.
        every_us: i64,
    },
    /// Settings change from now on.
    Set(Vec<(String, Value)>),
    /// Time passes, and nothing else.
    Wait,
    /// Expired items are removed now.
    Sweep,
    /// Something goes wrong with a partition, or is mended.
    Fault {
        /// What.
        fault: Fault,
        /// Where.
        place: FaultPlace,
        /// Which replica; 0 led at first.
        replica: u8,
    },
    /// The next so many replies never reach their client, though their requests take effect.
    LoseReplies(u64),
}

/// What is done to a partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A replica gets no changes, but still answers eventually consistent reads.
    CutOff,
    /// A replica fails.
    Fail,
    /// A replica works again.
    Restore,
    /// The partition is divided at a key.
    Divide,
}

/// A partition by its number, or by a key that it holds.
#[derive(Debug, Clone, PartialEq)]
pub enum FaultPlace {
    /// The number that events name it by.
    Partition(u32),
    /// A table's name, and a primary key in DynamoDB JSON.
    Key(String, Value),
}

const FAULTS: [(&str, Option<Fault>); 5] = [
    ("cut_off", Some(Fault::CutOff)),
    ("fail", Some(Fault::Fail)),
    ("restore", Some(Fault::Restore)),
    ("divide", Some(Fault::Divide)),
    ("lose_reply", None),
];

impl Scenario {
    /// Reads a scenario from JSON text.
    ///
    /// # Errors
    /// The text is no JSON, or a member is unknown or wrong.
    pub fn from_text(text: &str) -> Result<Self, ScenarioError> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| ScenarioError(format!("the scenario is not JSON: {error}")))?;
        Self::from_json(&value)
    }

    /// Reads a scenario: `{"settings": {…}, "tables": […], "steps": […]}`, all optional.
    ///
    /// # Errors
    /// A member is unknown or wrong.
    pub fn from_json(value: &Value) -> Result<Self, ScenarioError> {
        let empty = Value::Object(serde_json::Map::new());
        let default = Node { path: "settings".to_owned(), value: &empty };
        let (mut tables, mut steps) = (Vec::new(), Vec::new());
        let mut settings = settings_document::read(&default)?;
        for (name, node) in (Node { path: String::new(), value }).members()? {
            match name {
                "settings" => settings = settings_document::read(&node)?,
                "tables" => tables = node.items()?.iter().map(|node| node.value.clone()).collect(),
                "steps" => steps = node.items()?.iter().map(step).collect::<Result<_, _>>()?,
                _ => return Err(node.unknown("member", &["settings", "tables", "steps"])),
            }
        }
        Ok(Self { settings, tables, steps })
    }
}

/// The members of a step, those that are not there as none.
#[derive(Default)]
struct Members<'v> {
    at_us: i64,
    operation: Option<Node<'v>>,
    request: Option<Node<'v>>,
    times: Option<u64>,
    every_us: i64,
    set: Option<Node<'v>>,
    sweep: bool,
    fault: Option<Node<'v>>,
    table: Option<Node<'v>>,
    key: Option<Node<'v>>,
    partition: Option<u32>,
    replica: u8,
}

const STEP_NAMES: [&str; 12] = [
    "at_ms",
    "operation",
    "request",
    "times",
    "every_ms",
    "set",
    "sweep",
    "fault",
    "table",
    "key",
    "partition",
    "replica",
];

fn step(node: &Node<'_>) -> Result<Step, ScenarioError> {
    let mut given = Members::default();
    for (name, node) in node.members()? {
        match name {
            "at_ms" => given.at_us = node.ms()?,
            "operation" => given.operation = Some(node),
            "request" => given.request = Some(node),
            "times" => given.times = Some(node.whole(1..=TIMES_MAX)?),
            "every_ms" => given.every_us = node.ms()?,
            "set" => given.set = Some(node),
            "sweep" => given.sweep = node.truth()?,
            "fault" => given.fault = Some(node),
            "table" => given.table = Some(node),
            "key" => given.key = Some(node),
            "partition" => given.partition = Some(node.count(1..=u32::MAX)?),
            "replica" => given.replica = u8::try_from(node.count(0..=2)?).expect("at most 2"),
            _ => return Err(node.unknown("member", &STEP_NAMES)),
        }
    }
    let at_us = given.at_us;
    Ok(Step { at_us, what: given.act(node)? })
}

impl Members<'_> {
    fn act(self, step: &Node<'_>) -> Result<Act, ScenarioError> {
        match (&self.operation, &self.set, &self.fault) {
            (Some(operation), None, None) => Ok(Act::Send {
                operation: operation.text()?.to_owned(),
                request: self.request.ok_or_else(|| step.lacks("request"))?.value.clone(),
                times: self.times.unwrap_or(1),
                every_us: self.every_us,
            }),
            (None, Some(set), None) => {
                let members = set.members()?.into_iter();
                Ok(Act::Set(
                    members.map(|(name, node)| (name.to_owned(), node.value.clone())).collect(),
                ))
            }
            (None, None, Some(fault)) => match fault.word(&FAULTS)? {
                None => Ok(Act::LoseReplies(self.times.unwrap_or(1))),
                Some(fault) => {
                    Ok(Act::Fault { fault, replica: self.replica, place: self.place(step, fault)? })
                }
            },
            (None, None, None) if self.sweep => Ok(Act::Sweep),
            (None, None, None) => Ok(Act::Wait),
            _ => Err(step.not("one of operation, set and fault, or none for time that passes")),
        }
    }

    fn place(self, step: &Node<'_>, fault: Fault) -> Result<FaultPlace, ScenarioError> {
        match (self.table, self.key, self.partition) {
            (Some(table), Some(key), None) => {
                Ok(FaultPlace::Key(table.text()?.to_owned(), key.value.clone()))
            }
            (None, None, Some(partition)) if fault != Fault::Divide => {
                Ok(FaultPlace::Partition(partition))
            }
            _ if fault == Fault::Divide => {
                Err(step.not("a fault with table and key, where it is divided"))
            }
            _ => Err(step.not("a fault with table and key, or with partition")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scenario_is_read_with_its_steps() {
        let text = r#"{"settings": {"preset": "lesson", "seed": 5}, "tables": [{"TableName": "T"}], "steps": [
            {"operation": "PutItem", "request": {}, "times": 3, "every_ms": 0.5},
            {"at_ms": 7, "fault": "fail", "partition": 2, "replica": 1},
            {"at_ms": 8, "fault": "lose_reply"}, {"at_ms": 9}, {"set": {"lag.gsi_ms": 4}}, {"sweep": true}]}"#;
        let scenario = Scenario::from_text(text).unwrap();
        assert_eq!(scenario.settings, Settings::lesson(5));
        let steps: Vec<_> = scenario.steps.iter().map(|step| (step.at_us, &step.what)).collect();
        let sent = Act::Send {
            operation: "PutItem".to_owned(),
            request: serde_json::json!({}),
            times: 3,
            every_us: 500,
        };
        let failed = Act::Fault { fault: Fault::Fail, place: FaultPlace::Partition(2), replica: 1 };
        let changed = Act::Set(vec![("lag.gsi_ms".to_owned(), 4.into())]);
        let expected = [
            (0, &sent),
            (7_000, &failed),
            (8_000, &Act::LoseReplies(1)),
            (9_000, &Act::Wait),
            (0, &changed),
            (0, &Act::Sweep),
        ];
        assert_eq!(steps, expected);
    }

    #[test]
    fn what_is_wrong_is_said_in_one_sentence_with_its_place() {
        for (text, sentence) in [
            ("{", "the scenario is not JSON: EOF while parsing an object at line 1 column 1"),
            ("[]", "the scenario must be an object, not []"),
            (r#"{"seed": 1}"#, "there is no member seed: choose from settings, tables, steps"),
            (r#"{"steps": [{}, {"operation": "PutItem"}]}"#, "steps[1].request is missing"),
            (
                r#"{"steps": [{"operation": 1, "request": {}}]}"#,
                "steps[0].operation must be text, not 1",
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
                "steps[0] must be one of operation, set and fault, or none for time that passes, not {\"set\":{},\"fault\":\"fail\"}",
            ),
        ] {
            assert_eq!(Scenario::from_text(text).unwrap_err().to_string(), sentence);
        }
    }
}
