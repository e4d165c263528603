//! `WorldSettings` as JSON: the settings of a scenario, those of each Region's database among them.
//!
//! Invariant: what is written reads as the same settings.
//!
//! Not here: settings of one database (`settings_document`).

use serde_json::{Value, json};

use crate::dax::DaxSettings;
use crate::document::{Node, ScenarioError, ms_value};
use crate::settings::Settings;
use crate::settings_document::{self, NAMES, lag, lag_value, preset};
use crate::world::WorldSettings;

/// Settings of what is around databases; those with `true` may change while a run goes on.
pub(crate) const WORLD_NAMES: [(&str, bool); 10] = [
    ("lag.region_ms", true),
    ("stream_ms", true),
    ("function_ms", true),
    ("regions", false),
    ("multi_region_consistency", false),
    ("strong_write_ms", false),
    ("dax", false),
    ("mode", false),
    ("partitions", false),
    ("warm", false),
];
const CONSISTENCIES: [(&str, bool); 2] = [("eventual", false), ("strong", true)];

impl WorldSettings {
    /// What lessons begin with: see [`Settings::lesson`]; one Region, and nothing that takes time around it.
    pub fn lesson(seed: u64) -> Self {
        Self { cluster: Settings::lesson(seed), ..Self::default() }
    }

    /// Reads settings from an object such as `{"preset": "lesson", "lag": {"gsi_ms": 600}}`. A preset, which is
    /// `realistic` unless `lesson` is asked for, is read first; the rest is put over it.
    ///
    /// # Errors
    /// A name that does not exist, or a value of the wrong type or out of range.
    pub fn from_json(value: &Value) -> Result<Self, ScenarioError> {
        read(&Node { path: "settings".to_owned(), value })
    }

    /// Changes one setting, such as `lag.gsi_ms`.
    ///
    /// # Errors
    /// A name that does not exist, or a value of the wrong type or out of range.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), ScenarioError> {
        set(self, name, &Node { path: name.to_owned(), value })
    }

    /// All settings as an object that [`WorldSettings::from_json`] reads.
    pub fn to_json(&self) -> Value {
        let mut value = self.cluster.to_json();
        value["lag"]["region_ms"] = lag_value(&self.region_lag);
        value["stream_ms"] = lag_value(&self.stream);
        value["function_ms"] = lag_value(&self.function);
        value["regions"] = self.regions.iter().map(smol_str::SmolStr::as_str).collect();
        value["multi_region_consistency"] = CONSISTENCIES[usize::from(self.is_strong)].0.into();
        value["strong_write_ms"] = ms_value(self.strong_write_us);
        self.tables.put_all(&mut value);
        value["dax"] = self.dax.as_ref().map_or(Value::Null, dax_value);
        value
    }
}

/// Reads settings; see [`WorldSettings::from_json`].
pub(crate) fn read(node: &Node<'_>) -> Result<WorldSettings, ScenarioError> {
    let seed = Settings::default().seed;
    let preset = if preset(node)? { WorldSettings::lesson } else { WorldSettings::realistic };
    let mut settings = preset(seed);
    for (name, node) in node.members()? {
        set(&mut settings, name, &node)?;
    }
    match settings.check() {
        Ok(()) => Ok(settings),
        Err(error) => Err(ScenarioError(format!("{}.regions: {error}", node.path))),
    }
}

fn set(to: &mut WorldSettings, name: &str, node: &Node<'_>) -> Result<(), ScenarioError> {
    match name {
        "lag" => {
            for (inner, node) in node.members()? {
                set(to, &format!("lag.{inner}"), &node)?;
            }
        }
        "lag.region_ms" => to.region_lag = lag(node)?,
        "stream_ms" => to.stream = lag(node)?,
        "function_ms" => to.function = lag(node)?,
        "regions" => {
            let names = node.items()?;
            let names = names.iter().map(|name| name.text().map(Into::into));
            to.regions = names.collect::<Result<_, _>>()?;
        }
        "multi_region_consistency" => to.is_strong = node.word(&CONSISTENCIES)?,
        "strong_write_ms" => to.strong_write_us = node.ms()?,
        "dax" => to.dax = dax(node)?,
        _ if to.tables.set(name, node)? => {}
        _ if matches!(name, "cap" | "limits") || NAMES.contains(&name) => {
            settings_document::set(&mut to.cluster, name, node)?;
        }
        _ => {
            let world = WORLD_NAMES.iter().map(|(name, _)| *name);
            let names: Vec<&str> = NAMES.iter().copied().chain(world).collect();
            return Err(node.unknown("setting", &names));
        }
    }
    Ok(())
}

/// `null`, or `{"item_ttl_s": 300, "nodes": 3}` with any of the members.
fn dax(node: &Node<'_>) -> Result<Option<DaxSettings>, ScenarioError> {
    if node.value.is_null() {
        return Ok(None);
    }
    let mut to = DaxSettings::default();
    let mut members = node.open()?;
    if let Some(node) = members.take("item_ttl_s") {
        to.item_ttl_s = node.count(0..=31_622_400)?;
    }
    if let Some(node) = members.take("query_ttl_s") {
        to.query_ttl_s = node.count(0..=31_622_400)?;
    }
    if let Some(node) = members.take("negative") {
        to.keeps_absences = node.truth()?;
    }
    if let Some(node) = members.take("nodes") {
        to.n_nodes = u8::try_from(node.count(1..=11)?).expect("at most 11");
    }
    if let Some(node) = members.take("bytes") {
        to.bytes_max = node.whole(0..=1 << 40)?;
    }
    to.node_lag_us = members.ms("node_lag_ms")?.unwrap_or(to.node_lag_us);
    members.end()?;
    Ok(Some(to))
}

fn dax_value(dax: &DaxSettings) -> Value {
    json!({
        "item_ttl_s": dax.item_ttl_s,
        "query_ttl_s": dax.query_ttl_s,
        "negative": dax.keeps_absences,
        "nodes": dax.n_nodes,
        "bytes": dax.bytes_max,
        "node_lag_ms": ms_value(dax.node_lag_us),
    })
}
