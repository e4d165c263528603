//! `CostSettings`: what a design says about its bill, and the member `cost` of `design.json`.
//!
//! Invariant: a setting that exists is in range; what this build does not know is written back.
//!
//! Not here: what the settings come to ([`super::bill`]).

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::money::Money;
use super::prices::{Price, PriceList, Region};
use crate::document::DesignError;
use crate::members::{Members, wrong};

/// Least and most target utilisation of auto scaling, in percent (facts 6.4).
pub const TARGET_PERCENT: [u32; 2] = [20, 90];
/// Least and most peak as a percentage of the average.
pub const PEAK_PERCENT: [u32; 2] = [100, 100_000];

/// How capacity is paid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CapacityMode {
    /// By request.
    #[default]
    OnDemand,
    /// By the hour, provisioned for the peak.
    Provisioned,
    /// By the hour, following the traffic at the target utilisation.
    AutoScaled,
}

/// Capacity bought ahead.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reservation {
    /// None.
    #[default]
    None,
    /// For one year.
    OneYear,
    /// For three years.
    ThreeYears,
}

/// A size of DAX node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DaxNode {
    /// dax.t3.small.
    #[default]
    Small,
    /// dax.r5.large.
    Large,
}

/// Each choice with its name in `design.json`.
const MODES: [(&str, CapacityMode); 3] = [
    ("on-demand", CapacityMode::OnDemand),
    ("provisioned", CapacityMode::Provisioned),
    ("auto-scaled", CapacityMode::AutoScaled),
];
const RESERVATIONS: [(&str, Reservation); 3] = [
    ("none", Reservation::None),
    ("1-year", Reservation::OneYear),
    ("3-years", Reservation::ThreeYears),
];
const NODES: [(&str, DaxNode); 2] =
    [("dax.t3.small", DaxNode::Small), ("dax.r5.large", DaxNode::Large)];
const CLASSES: [(&str, bool); 2] = [("standard", false), ("standard-ia", true)];

/// What a design says about its bill. The default is what most calculators take: on demand, Standard, list
/// prices of us-east-1, nothing else switched on, free tier left out.
#[derive(Debug, Clone, PartialEq)]
pub struct CostSettings {
    /// Region and own prices.
    pub prices: PriceList,
    /// How capacity is paid.
    pub mode: CapacityMode,
    /// True for the table class Standard-IA.
    pub is_infrequent_access: bool,
    /// Peak of the traffic as a percentage of its average, in [`PEAK_PERCENT`].
    pub peak_percent: u32,
    /// Utilisation auto scaling aims at, in [`TARGET_PERCENT`].
    pub target_percent: u32,
    /// Capacity bought ahead; counts in [`CapacityMode::Provisioned`].
    pub reservation: Reservation,
    /// How many times the tables hold what the sample holds; at least 1.
    pub copies: u32,
    /// True to take off what AWS gives every account for nothing.
    pub counts_free_tier: bool,
    /// GetRecords calls a second; triggers and replicas read for nothing.
    pub stream_reads_per_second: u32,
    /// True for continuous backups.
    pub has_point_in_time_recovery: bool,
    /// Backups kept.
    pub n_backups: u32,
    /// Regions besides the home Region that hold a replica.
    pub n_replica_regions: u32,
    /// Nodes of a DAX cluster in front; 0 for none.
    pub n_dax_nodes: u32,
    /// Their size.
    pub dax_node: DaxNode,
    /// Eventually consistent reads the cache answers, in percent.
    pub dax_hit_percent: u32,
    /// Members this build does not know.
    pub unknown: Map<String, Value>,
}

impl Default for CostSettings {
    fn default() -> Self {
        Self {
            prices: PriceList::default(),
            mode: CapacityMode::OnDemand,
            is_infrequent_access: false,
            peak_percent: 200,
            target_percent: 70,
            reservation: Reservation::None,
            copies: 1,
            counts_free_tier: false,
            stream_reads_per_second: 0,
            has_point_in_time_recovery: false,
            n_backups: 0,
            n_replica_regions: 0,
            n_dax_nodes: 0,
            dax_node: DaxNode::Small,
            dax_hit_percent: 90,
            unknown: Map::new(),
        }
    }
}

impl CostSettings {
    /// Average use of what is provisioned for the peak, in hundredths of a percent.
    pub fn utilisation(&self) -> u32 {
        1_000_000 / self.peak_percent
    }

    /// True if anything differs from the default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Reads the member `cost` of a design.
    ///
    /// # Errors
    /// A member has the wrong kind of value or is out of range.
    pub fn from_members(members: Map<String, Value>) -> Result<Self, DesignError> {
        let mut members = Members::of(Value::Object(members), "cost")?;
        let default = Self::default();
        let mut settings = Self {
            prices: read_prices(&mut members)?,
            mode: choice(&mut members, "mode", &MODES, "on-demand, provisioned or auto-scaled")?,
            is_infrequent_access: choice(
                &mut members,
                "table_class",
                &CLASSES,
                "standard or standard-ia",
            )?,
            reservation: choice(
                &mut members,
                "reserved",
                &RESERVATIONS,
                "none, 1-year or 3-years",
            )?,
            counts_free_tier: truth(&mut members, "free_tier")?,
            has_point_in_time_recovery: truth(&mut members, "point_in_time_recovery")?,
            dax_node: choice(&mut members, "dax_node", &NODES, "dax.t3.small or dax.r5.large")?,
            ..default
        };
        for whole in WHOLES {
            let found = members.whole(whole.name)?;
            if let Some(n) = found {
                if n < whole.least || n > whole.most {
                    let place = members.place_of(whole.name);
                    return Err(wrong(&place, whole.range, &Value::from(n)));
                }
                *(whole.of)(&mut settings) = n;
            }
        }
        settings.unknown = members.rest();
        Ok(settings)
    }
}

/// A setting that is a whole number.
struct Whole {
    name: &'static str,
    least: u32,
    most: u32,
    range: &'static str,
    of: fn(&mut CostSettings) -> &mut u32,
}

const WHOLES: [Whole; 8] = [
    Whole {
        name: "peak_percent",
        least: PEAK_PERCENT[0],
        most: PEAK_PERCENT[1],
        range: "a whole number from 100 to 100000",
        of: |settings| &mut settings.peak_percent,
    },
    Whole {
        name: "target_percent",
        least: TARGET_PERCENT[0],
        most: TARGET_PERCENT[1],
        range: "a whole number from 20 to 90",
        of: |settings| &mut settings.target_percent,
    },
    Whole {
        name: "copies",
        least: 1,
        most: 1_000_000_000,
        range: "a whole number from 1 to 1000000000",
        of: |settings| &mut settings.copies,
    },
    Whole {
        name: "stream_reads_per_second",
        least: 0,
        most: 1_000_000,
        range: "a whole number up to 1000000",
        of: |settings| &mut settings.stream_reads_per_second,
    },
    Whole {
        name: "backups",
        least: 0,
        most: 10_000,
        range: "a whole number up to 10000",
        of: |settings| &mut settings.n_backups,
    },
    Whole {
        name: "replica_regions",
        least: 0,
        most: 30,
        range: "a whole number up to 30",
        of: |settings| &mut settings.n_replica_regions,
    },
    Whole {
        name: "dax_nodes",
        least: 0,
        most: 11,
        range: "a whole number up to 11",
        of: |settings| &mut settings.n_dax_nodes,
    },
    Whole {
        name: "dax_hit_percent",
        least: 0,
        most: 100,
        range: "a whole number up to 100",
        of: |settings| &mut settings.dax_hit_percent,
    },
];

impl Serialize for CostSettings {
    /// Writes what differs from the default.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = Map::new();
        let default = Self::default();
        let mut write = |name: &str, value: Value, is_default: bool| {
            if !is_default {
                members.insert(name.to_owned(), value);
            }
        };
        let region = self.prices.region;
        write("region", region.name().into(), region == Region::default());
        write("mode", name_of(&MODES, self.mode).into(), self.mode == default.mode);
        let class = name_of(&CLASSES, self.is_infrequent_access);
        write("table_class", class.into(), !self.is_infrequent_access);
        let reserved = name_of(&RESERVATIONS, self.reservation);
        write("reserved", reserved.into(), self.reservation == default.reservation);
        write("free_tier", true.into(), !self.counts_free_tier);
        write("point_in_time_recovery", true.into(), !self.has_point_in_time_recovery);
        let node = name_of(&NODES, self.dax_node);
        write("dax_node", node.into(), self.dax_node == default.dax_node);
        let (mut own, mut usual) = (self.clone(), default);
        for whole in WHOLES {
            let (own, usual) = (*(whole.of)(&mut own), *(whole.of)(&mut usual));
            write(whole.name, own.into(), own == usual);
        }
        let prices: Map<String, Value> = self
            .prices
            .own
            .iter()
            .map(|(price, own)| (price.row().key.to_owned(), own.decimal().into()))
            .collect();
        write("prices", Value::Object(prices), self.prices.own.is_empty());
        members.extend(self.unknown.clone());
        let mut map = serializer.serialize_map(Some(members.len()))?;
        for (name, value) in &members {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

fn name_of<T: Copy + PartialEq>(choices: &[(&'static str, T)], chosen: T) -> &'static str {
    choices.iter().find(|(_, choice)| *choice == chosen).map_or("", |(name, _)| name)
}

/// One of a few names; the first choice where absent.
fn choice<T: Copy>(
    members: &mut Members,
    name: &str,
    choices: &[(&'static str, T)],
    expected: &'static str,
) -> Result<T, DesignError> {
    let text = members.text(name)?;
    if text.is_empty() {
        return Ok(choices[0].1);
    }
    choices
        .iter()
        .find(|(known, _)| *known == text)
        .map(|(_, choice)| *choice)
        .ok_or_else(|| wrong(&members.place_of(name), expected, &Value::from(text)))
}

fn truth(members: &mut Members, name: &str) -> Result<bool, DesignError> {
    match members.take(name) {
        None => Ok(false),
        Some(Value::Bool(truth)) => Ok(truth),
        Some(other) => Err(wrong(&members.place_of(name), "true or false", &other)),
    }
}

fn read_prices(members: &mut Members) -> Result<PriceList, DesignError> {
    let region = members.text("region")?;
    let mut list = PriceList::default();
    if !region.is_empty() {
        list.region = Region::named(&region).ok_or_else(|| DesignError::Cost {
            place: members.place_of("region"),
            reason: format!(
                "prices are known for {}, not for {region}: choose one and enter your own prices",
                super::prices::REGIONS.join(", ")
            ),
        })?;
    }
    let place = members.place_of("prices");
    for (key, value) in members.object("prices")? {
        let place = format!("{place}.{key}");
        let refuse = |reason: String| DesignError::Cost { place: place.clone(), reason };
        let price = Price::named(&key).ok_or_else(|| refuse("no price has this name".into()))?;
        let Value::String(text) = value else { return Err(wrong(&place, "a text", &value)) };
        let own = Money::parse(&text).map_err(|error| refuse(error.to_string()))?;
        list.set(price, Some(own));
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<CostSettings, String> {
        let Value::Object(members) = serde_json::from_str(text).unwrap() else { panic!() };
        CostSettings::from_members(members).map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_written_means_the_default_and_the_default_writes_nothing() {
        assert_eq!(read("{}").unwrap(), CostSettings::default());
        assert_eq!(serde_json::to_string(&CostSettings::default()).unwrap(), "{}");
    }

    #[test]
    fn every_setting_survives_being_written_and_read() {
        let text = r#"{"region":"eu-west-1","mode":"auto-scaled","table_class":"standard-ia",
            "reserved":"3-years","free_tier":true,"point_in_time_recovery":true,
            "dax_node":"dax.r5.large","peak_percent":900,"target_percent":50,"copies":1000,
            "stream_reads_per_second":4,"backups":2,"replica_regions":1,"dax_nodes":3,
            "dax_hit_percent":95,"prices":{"write_request":"1.25"},"later":[1]}"#;
        let settings = read(text).unwrap();
        let written = serde_json::to_value(&settings).unwrap();
        assert_eq!(written, serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(settings.utilisation(), 1_111);
    }

    #[test]
    fn what_is_out_of_range_is_refused_with_its_place() {
        for (text, message) in [
            (
                r#"{"mode":"free"}"#,
                "cost.mode must be on-demand, provisioned or auto-scaled, not a text.",
            ),
            (
                r#"{"copies":0}"#,
                "cost.copies must be a whole number from 1 to 1000000000, not a number.",
            ),
            (
                r#"{"target_percent":95}"#,
                "cost.target_percent must be a whole number from 20 to 90, not a number.",
            ),
            (r#"{"free_tier":1}"#, "cost.free_tier must be true or false, not a number."),
            (r#"{"prices":{"read":"1"}}"#, "cost.prices.read: no price has this name."),
            (
                r#"{"prices":{"storage":"-1"}}"#,
                "cost.prices.storage: a price is a number of dollars such as 0.625, without a sign or a currency.",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), message);
        }
        assert!(read(r#"{"region":"eu-moon-1"}"#).unwrap_err().contains("known for us-east-1,"));
    }
}
