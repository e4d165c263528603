//! What a scenario says, made ready to be played: requests decoded, settings tried, Regions found.
//!
//! Invariant: what could never happen is refused before it is to happen, in one sentence with its place.

use hashrange_types::{Operation, Request, TableName};
use serde_json::{Value, json};

use crate::cue::PlannedCue;
use crate::document::ScenarioError;
use crate::run::Run;
use crate::scenario::{Act, Fault, FaultPlace, FunctionText, RequestText};
use crate::template::{NUMBER, Template};
use crate::workload::{Source, Workload};
use crate::world::Via;

/// What is to happen.
#[derive(Debug, Clone)]
pub(crate) enum Planned {
    Send {
        region: usize,
        via: Via,
        operation: Operation,
        request: String,
        n: u64,
        times: u64,
        every_us: i64,
    },
    Begin(Box<Workload>),
    Set(Vec<(String, Value)>),
    Wait,
    Sweep(usize),
    Fault {
        region: usize,
        fault: Fault,
        place: PlannedPlace,
        replica: u8,
    },
    LoseReplies(u64),
    Cue(usize, Box<PlannedCue>),
}

#[derive(Debug, Clone)]
pub(crate) enum PlannedPlace {
    Partition(u32),
    /// A request for one key, which says where it lies.
    Key(Box<Request>),
}

impl Run {
    /// Answers a CreateTable request.
    pub(crate) fn make_table(&mut self, path: &str, table: &Value) -> Result<(), ScenarioError> {
        let settings = self.world.settings().tables.clone();
        let table = settings.applied(table);
        let (_, request) = self.read(path, "CreateTable", &table)?;
        if let Err(error) = self.world.call(0, request).reply {
            return Err(ScenarioError(format!("{path} was refused: {error}")));
        }
        // Until the other Regions have it as well.
        let now = self.now();
        self.world.run_until(now, usize::MAX);
        let name = table["TableName"].as_str().and_then(TableName::new);
        let (Some(name), Some(n)) = (name, settings.partitions) else { return Ok(()) };
        for region in 0..self.world.regions().count() {
            if !self.world.cluster_now(region).divide_into(&name, n) {
                return Err(ScenarioError(format!(
                    "settings.partitions must be at least what {path} begins with, not {n}"
                )));
            }
        }
        Ok(())
    }

    /// Lets a function read.
    pub(crate) fn connect(
        &mut self,
        path: &str,
        function: &FunctionText,
    ) -> Result<(), ScenarioError> {
        let region = self.region(path, function.region.as_deref())?;
        let connected = self.world.connect(region, &function.table, function.settings.clone());
        match connected {
            Ok(_) => Ok(()),
            Err(error) => Err(ScenarioError(format!("{path}: {error}"))),
        }
    }

    fn region(&self, path: &str, name: Option<&str>) -> Result<usize, ScenarioError> {
        let Some(name) = name else { return Ok(0) };
        self.world.region(name).ok_or_else(|| {
            let names = self.world.settings().regions.join(" or ");
            ScenarioError(format!("{path}.region must be {names}, not {name:?}"))
        })
    }

    /// Decodes a request.
    pub(crate) fn read(
        &self,
        path: &str,
        operation: &str,
        request: &Value,
    ) -> Result<(Operation, Request), ScenarioError> {
        let known = Operation::from_name(operation);
        let known = known.ok_or_else(|| {
            ScenarioError(format!("{path}.operation must be one of DynamoDB's, not {operation:?}"))
        })?;
        let decoded = (self.decode)(known, &request.to_string());
        let decoded = decoded
            .map_err(|error| ScenarioError(format!("{path} is no {operation} request: {error}")))?;
        Ok((known, decoded))
    }

    /// Makes ready what a step says.
    pub(crate) fn prepare(
        &self,
        path: &str,
        region: Option<&str>,
        act: &Act,
    ) -> Result<Planned, ScenarioError> {
        let region = self.region(path, region)?;
        Ok(match act {
            Act::Wait => Planned::Wait,
            Act::Sweep => Planned::Sweep(region),
            Act::LoseReplies(n) => Planned::LoseReplies(*n),
            Act::Cue(cue) => Planned::Cue(region, Box::new(self.prepare_cue(path, cue)?)),
            Act::Set(settings) => {
                // On a copy, so that a wrong one is refused before the run begins.
                let mut copy = self.world.clone();
                for (name, value) in settings {
                    copy.set(name, value)
                        .map_err(|error| ScenarioError(format!("{path}.set: {error}")))?;
                }
                Planned::Set(settings.clone())
            }
            Act::Send { request, via, times, every_us } => Planned::Send {
                region,
                via: *via,
                operation: self.read(path, &request.operation, &request.members)?.0,
                request: request.members.to_string(),
                n: 1,
                times: *times,
                every_us: *every_us,
            },
            Act::Load(workload) => Planned::Begin(Box::new(self.workload(
                &format!("{path}.load"),
                region,
                workload,
            )?)),
            Act::Fault { fault, place, replica } => {
                let place = match place {
                    FaultPlace::Partition(number) => PlannedPlace::Partition(*number),
                    FaultPlace::Key(table, key) => {
                        let get = json!({"TableName": table, "Key": key});
                        PlannedPlace::Key(Box::new(self.read(path, "GetItem", &get)?.1))
                    }
                };
                Planned::Fault { region, fault: *fault, place, replica: *replica }
            }
        })
    }

    /// Decodes the requests of a load. Sources without a Region ask the step's.
    fn workload(
        &self,
        path: &str,
        region: usize,
        workload: &Workload<RequestText>,
    ) -> Result<Workload, ScenarioError> {
        let mut sources = Vec::with_capacity(workload.sources.len());
        for (n, source) in workload.sources.iter().enumerate() {
            let path = format!("{path}[{n}]");
            self.region(&path, source.region.as_deref())?;
            let RequestText { operation, members } = &source.template;
            let mut members = members.clone();
            mark_numbers(&mut members);
            let (_, template) = self.read(&path, operation, &members)?;
            Template::new(template.clone(), source.padded.as_ref())
                .map_err(|error| ScenarioError(format!("{path}: {error}")))?;
            let own = &self.world.settings().regions[region];
            sources.push(Source {
                name: source.name.clone(),
                template,
                padded: source.padded.clone(),
                keys: source.keys.clone(),
                pace: source.pace.clone(),
                consistent_percent: source.consistent_percent,
                is_sweep: source.is_sweep,
                region: Some(source.region.as_ref().unwrap_or(own).clone()),
                via: source.via,
            });
        }
        Ok(Workload { seed: workload.seed, client: workload.client.clone(), sources })
    }
}

/// Turns numbers with slots into marked texts, since no request may hold them.
fn mark_numbers(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let slots = members.get("N").and_then(Value::as_str).filter(|text| text.contains('{'));
            match slots.filter(|_| members.len() == 1).map(str::to_owned) {
                Some(text) => *value = json!({"S": format!("{NUMBER}{text}")}),
                None => members.values_mut().for_each(mark_numbers),
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mark_numbers),
        _ => {}
    }
}
