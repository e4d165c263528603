//! The bill of a session, and its settings as a person changes them.
//!
//! Invariant: what is set is read by the same rules as a design's file, so nothing else can be set.

use hashrange_design::Design;
use hashrange_design::cost::{CostSettings, Money, PatternCost, Usage, bill};
use serde_json::{Map, Value};

use super::{CostView, cost_view, markdown};
use crate::edit::Edited;
use crate::session::Session;
use crate::view::Refusal;

/// The peak told the other way round: average use of it in percent.
pub(super) const USE_PERCENT: &str = "use_percent";
/// Settings that are true or false.
const TRUTHS: [&str; 2] = ["free_tier", "point_in_time_recovery"];
/// Settings that are words.
const WORDS: [&str; 5] = ["region", "mode", "table_class", "reserved", "dax_node"];

impl Session {
    /// What a month costs by the latest finished run of the patterns. `chosen` is the traffic of the charts.
    pub fn cost(&self, chosen: Option<usize>) -> CostView {
        cost_view(&self.usage(), &self.design().cost, chosen)
    }

    /// The bill as Markdown.
    pub fn cost_as_markdown(&self) -> String {
        markdown(&self.cost(None))
    }

    /// What each of the patterns is to blame for in a month, in the design's order.
    pub(crate) fn pattern_costs(&self) -> Vec<Money> {
        let usage = self.usage();
        let bill = bill(&usage, &self.design().cost);
        bill.by_pattern(usage.patterns.len()).iter().map(PatternCost::total).collect()
    }

    fn usage(&self) -> Usage {
        Usage::of(self.suite())
    }

    /// A setting of the bill as text, such as `mode` or `peak_percent`; empty where it is the default.
    pub fn cost_setting(&self, name: &str) -> String {
        match members(&self.design().cost).get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => String::new(),
        }
    }

    /// Changes a setting of the bill, or a price by its key (`prices.…`). An empty text is the default.
    ///
    /// # Errors
    /// One sentence where the setting does not exist or the value does not fit it.
    pub fn set_cost(&mut self, name: &str, text: &str) -> Edited {
        let mut settings = members(&self.design().cost);
        let text = text.trim();
        if name == USE_PERCENT {
            let used: Option<u32> = text.parse().ok().filter(|used| (1..=100).contains(used));
            let used = used.ok_or_else(|| {
                Refusal::ours(
                    "Average use of the peak must be a whole number from 1 to 100.".to_owned(),
                )
            })?;
            return self.set_cost("peak_percent", &(10_000 / used).to_string());
        }
        let (list, key) = match name.split_once('.') {
            Some((_, key)) => {
                let list = settings
                    .entry("prices")
                    .or_insert_with(|| Value::Object(Map::new()))
                    .as_object_mut()
                    .ok_or_else(|| Refusal::ours("The prices cannot be read.".to_owned()))?;
                (list, key)
            }
            None => (&mut settings, name),
        };
        if text.is_empty() {
            list.shift_remove(key);
        } else {
            list.insert(key.to_owned(), value(name, text));
        }
        let cost =
            CostSettings::from_members(settings).map_err(|it| Refusal::ours(it.to_string()))?;
        let design = Design { cost, ..self.design().clone() };
        self.describe(design, "what the bill counts".to_owned());
        Ok(())
    }
}

fn value(name: &str, text: &str) -> Value {
    if TRUTHS.contains(&name) {
        Value::Bool(text == "true")
    } else if WORDS.contains(&name) || name.contains('.') {
        Value::from(text)
    } else {
        text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from)
    }
}

fn members(settings: &CostSettings) -> Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}
