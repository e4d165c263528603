//! `Scenario`: a run as one value: settings, tables, functions, and steps at moments.
//!
//! Invariant: whatever the document, reading it gives a scenario or one sentence that names the place; what is
//! written reads as the same scenario.
//!
//! Not here: the documents of settings (`world_document`), steps (`step_document`), loads (`workload_document`)
//! and functions (`function_document`); playing it (`run`); what a request means (whoever plays it decodes them).

use serde_json::{Value, json};
use smol_str::SmolStr;

use crate::document::{Node, ScenarioError};
use crate::expectation::Expectation;
use crate::program::Program;
use crate::workload::Workload;
use crate::world::{FunctionSettings, Via, WorldSettings};
use crate::{function_document, step_document, world_document};

/// Settings, what a run begins with, and what happens in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// What the run is set to.
    pub settings: WorldSettings,
    /// CreateTable requests. With several Regions every table is a global table with a replica in each.
    pub tables: Vec<Value>,
    /// Functions that read the tables' streams from the beginning.
    pub functions: Vec<FunctionText>,
    /// What happens, in any order.
    pub steps: Vec<Step>,
}

/// Something that happens at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Microseconds after the run's beginning.
    pub at_us: i64,
    /// The Region where it happens; none for the first.
    pub region: Option<SmolStr>,
    /// What happens.
    pub what: Act,
}

/// What happens in a step.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// A request is sent, once or several times.
    Send {
        /// The request; `{n}` in a text becomes its number, from 1.
        request: RequestText,
        /// Which way it takes.
        via: Via,
        /// How often.
        times: u64,
        /// Microseconds from one to the next.
        every_us: i64,
    },
    /// A load begins.
    Load(Box<Workload<RequestText>>),
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
    /// What lessons do beside that.
    Cue(Box<Cue>),
}

/// What lessons do beside requests, loads and faults.
#[derive(Debug, Clone, PartialEq)]
pub enum Cue {
    /// What happened since the expectation before is compared with this.
    Expect(Expectation),
    /// Clients begin a program, on this way.
    Program(Program, Via),
    /// The next write or transaction is stopped in the middle of its commit.
    Pause,
    /// What was stopped goes on.
    Resume,
    /// Tables are deleted, if they are there, and made by these CreateTable requests.
    Recreate(Vec<RequestText>),
    /// Replies reach their clients late.
    DelayReplies {
        /// How many of the next.
        times: u64,
        /// Microseconds.
        by_us: i64,
    },
    /// One more function reads.
    Connect(FunctionText),
    /// A function is switched on or off.
    Switch {
        /// Which, by the order of their coming.
        function: usize,
        /// On or off.
        is_on: bool,
    },
    /// The answers of a function's next runs are lost, after what they did.
    LoseAnswers {
        /// Which, by the order of their coming.
        function: usize,
        /// How many.
        times: u32,
    },
    /// The index that a function keeps is searched.
    Search {
        /// Which, by the order of their coming.
        function: usize,
        /// Words; one marked `~` may differ by two letters.
        query: String,
    },
}

/// A request as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestText {
    /// The operation's name.
    pub operation: String,
    /// Its members.
    pub members: Value,
}

/// A function that reads a table's stream.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionText {
    /// The table, which has a stream.
    pub table: String,
    /// The Region whose stream it reads; none for the first.
    pub region: Option<SmolStr>,
    /// How it reads, and what it does.
    pub settings: FunctionSettings,
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

    /// Reads a scenario: `{"settings": {…}, "tables": […], "functions": […], "steps": […]}`, all optional.
    ///
    /// # Errors
    /// A member is unknown or wrong.
    pub fn from_json(value: &Value) -> Result<Self, ScenarioError> {
        let empty = Value::Object(serde_json::Map::new());
        let default = Node { path: "settings".to_owned(), value: &empty };
        let mut members = Node { path: String::new(), value }.open()?;
        let settings = world_document::read(&members.take("settings").unwrap_or(default))?;
        let tables = members.list("tables", |node| Ok(node.value.clone()))?;
        let functions = members.list("functions", function_document::read)?;
        let steps = members.list("steps", step_document::read)?;
        members.end()?;
        Ok(Self { settings, tables, functions, steps })
    }

    /// The scenario as [`Scenario::from_json`] reads it.
    pub fn to_json(&self) -> Value {
        json!({
            "settings": self.settings.to_json(),
            "tables": self.tables,
            "functions": self.functions.iter().map(function_document::value).collect::<Vec<_>>(),
            "steps": self.steps.iter().map(step_document::value).collect::<Vec<_>>(),
        })
    }
}
