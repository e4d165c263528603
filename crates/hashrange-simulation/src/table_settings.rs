//! What the tables of a scenario begin with, whatever their requests say: how they are billed, how warm they are,
//! and in how many partitions.
//!
//! Invariant: what is written reads as the same; a request that is changed is still DynamoDB's to check.
//!
//! Source: shared lessons, shared settings: `mode`, `partitions`, `warm`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::document::{Node, ScenarioError};

/// Most units that a setting asks for.
const UNITS_MAX: u64 = 10_000_000;
/// Most partitions of one table.
const PARTITIONS_MAX: u32 = 4_096;

/// What tables begin with; none of it by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableSettings {
    /// How they are billed; none for what their requests say (`mode`).
    pub mode: Option<Mode>,
    /// Into how many partitions each table and global index is divided; none for as many as DynamoDB makes
    /// (`partitions`).
    pub partitions: Option<u32>,
    /// How many reads and writes a second on-demand tables are warm for; none for what their requests say (`warm`).
    pub warm: Option<[u64; 2]>,
}

/// How a table is billed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// By request.
    OnDemand,
    /// By capacity.
    Provisioned {
        /// Units of reads and writes a second of the table.
        units: [u64; 2],
        /// The same of global indexes by name; others have what the table has.
        indexes: BTreeMap<String, [u64; 2]>,
    },
}

impl TableSettings {
    /// A CreateTable request as these settings want it.
    pub(crate) fn applied(&self, table: &Value) -> Value {
        let mut table = table.clone();
        let Some(members) = table.as_object_mut() else { return table };
        if let Some(mode) = &self.mode {
            members.remove("ProvisionedThroughput");
            let (billing, units) = match mode {
                Mode::OnDemand => ("PAY_PER_REQUEST", None),
                Mode::Provisioned { units, .. } => ("PROVISIONED", Some(throughput(*units))),
            };
            members.insert("BillingMode".to_owned(), billing.into());
            members.extend(units.map(|units| ("ProvisionedThroughput".to_owned(), units)));
        }
        let is_on_demand = members.get("BillingMode").is_some_and(|mode| mode == "PAY_PER_REQUEST");
        if let Some([reads, writes]) = self.warm.filter(|_| is_on_demand) {
            let warm = json!({"ReadUnitsPerSecond": reads, "WriteUnitsPerSecond": writes});
            members.insert("WarmThroughput".to_owned(), warm);
        }
        let indexes = members.get_mut("GlobalSecondaryIndexes").and_then(Value::as_array_mut);
        for index in indexes.into_iter().flatten().filter_map(Value::as_object_mut) {
            match &self.mode {
                None => {}
                Some(Mode::OnDemand) => {
                    index.remove("ProvisionedThroughput");
                }
                Some(Mode::Provisioned { units, indexes }) => {
                    let name = index.get("IndexName").and_then(Value::as_str);
                    let own = name.and_then(|name| indexes.get(name)).unwrap_or(units);
                    index.insert("ProvisionedThroughput".to_owned(), throughput(*own));
                }
            }
        }
        table
    }

    /// Reads one of these settings; false if it is none of them.
    pub(crate) fn set(&mut self, name: &str, node: &Node<'_>) -> Result<bool, ScenarioError> {
        let is_null = node.value.is_null();
        match name {
            "mode" => self.mode = if is_null { None } else { Some(mode(node)?) },
            "partitions" => {
                self.partitions =
                    if is_null { None } else { Some(node.count(1..=PARTITIONS_MAX)?) };
            }
            "warm" => self.warm = if is_null { None } else { Some(warm(node)?) },
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Writes these settings into an object.
    pub(crate) fn put_all(&self, to: &mut Value) {
        to["mode"] = self.mode.as_ref().map_or(Value::Null, |mode| match mode {
            Mode::OnDemand => "on-demand".into(),
            Mode::Provisioned { units, indexes } => {
                json!({"provisioned": units, "indexes": indexes})
            }
        });
        to["partitions"] = self.partitions.into();
        to["warm"] =
            self.warm.map_or(Value::Null, |[reads, writes]| json!({"rcu": reads, "wcu": writes}));
    }
}

fn throughput([reads, writes]: [u64; 2]) -> Value {
    json!({"ReadCapacityUnits": reads, "WriteCapacityUnits": writes})
}

/// `"on-demand"`, or `{"provisioned": [400, 400], "indexes": {"byTeam": [100, 5]}}`.
fn mode(node: &Node<'_>) -> Result<Mode, ScenarioError> {
    if node.value == "on-demand" {
        return Ok(Mode::OnDemand);
    }
    if !node.value.is_object() {
        return Err(node.not("on-demand, or {\"provisioned\": [reads, writes]}"));
    }
    let mut members = node.open()?;
    let units = pair(&members.need("provisioned")?)?;
    let mut indexes = BTreeMap::new();
    for (name, node) in members.take("indexes").map_or(Ok(Vec::new()), |node| node.members())? {
        indexes.insert(name.to_owned(), pair(&node)?);
    }
    members.end()?;
    Ok(Mode::Provisioned { units, indexes })
}

fn pair(node: &Node<'_>) -> Result<[u64; 2], ScenarioError> {
    match node.items()?.as_slice() {
        [reads, writes] => Ok([reads.whole(1..=UNITS_MAX)?, writes.whole(1..=UNITS_MAX)?]),
        _ => Err(node.not("a list of reads and writes a second")),
    }
}

fn warm(node: &Node<'_>) -> Result<[u64; 2], ScenarioError> {
    let mut members = node.open()?;
    let mut of = |name| members.need(name)?.whole(1..=UNITS_MAX);
    let warm = [of("rcu")?, of("wcu")?];
    members.end()?;
    Ok(warm)
}
