//! TransactWriteItems and TransactGetItems.
//!
//! Source: facts 2.2, 2.3 and 3.6.

use serde_json::{Map, Value as Json, json};

use crate::answer::{Consumed, Shown, insert, list, not_found, read_units, share, validation};
use crate::expression::{Path, project};
use crate::table::Tables;
use crate::text::Text;
use crate::value::{Item, item_json, item_spelled};
use crate::write::{
    Change, Effect, Refusal, Write, collections, consumed, is_about_emptiness, size,
};

/// TransactWriteItems on distinct items.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TransactWrite {
    pub(crate) writes: Vec<Write>,
    pub(crate) token: Option<String>,
    pub(crate) shown: Shown,
    pub(crate) asks_metrics: bool,
}

/// The messages of each element that has a fault.
type Faults = Vec<Option<Vec<String>>>;

impl TransactWrite {
    fn elements(&self) -> Json {
        self.writes
            .iter()
            .map(|write| {
                let action = match write.change {
                    Change::Put(_) => "Put",
                    Change::Update(..) => "Update",
                    Change::Delete(_) => "Delete",
                    Change::Check(_) => "ConditionCheck",
                };
                json!({action: write.members()})
            })
            .collect()
    }

    pub(crate) fn request(&self) -> (&'static str, Json) {
        let mut request = Map::new();
        request.insert("TransactItems".to_owned(), self.elements());
        if let Some(token) = &self.token {
            request.insert("ClientRequestToken".to_owned(), json!(token));
        }
        if self.asks_metrics {
            request.insert("ReturnItemCollectionMetrics".to_owned(), json!("SIZE"));
        }
        self.shown.ask(&mut request);
        ("TransactWriteItems", Json::Object(request))
    }

    pub(crate) fn expect(&self, tables: &mut Tables) -> Vec<Json> {
        if self.writes.iter().any(|write| !tables.tables.contains_key(&write.table)) {
            return vec![not_found()];
        }
        let asked = self.elements().to_string();
        if let Some(token) = &self.token
            && let Some((_, images)) = tables.tokens.get(token).filter(|(done, _)| *done == asked)
        {
            return vec![self.replayed(images, tables)];
        }
        let effects = match self.effects(tables) {
            Ok(effects) => effects,
            Err(answers) => return answers,
        };
        let mut all = Vec::new();
        let mut images = Vec::new();
        for (write, effect) in self.writes.iter().zip(&effects) {
            write.commit(tables, effect);
            images.push(size(effect.before.as_ref()).max(size(effect.after.as_ref())));
            let twice = Consumed { table: effect.consumed.table * 2.0, ..effect.consumed.clone() };
            share(&mut all, &write.table, Some("Write")).add(&twice);
        }
        if let Some(token) = &self.token {
            tables.tokens.insert(token.clone(), (asked, images));
        }
        vec![self.answer(&all, tables)]
    }

    /// What every element does, or why none does anything.
    fn effects(&self, tables: &Tables) -> Result<Vec<Effect>, Vec<Json>> {
        let mut effects = Vec::new();
        let mut faults: Faults = Vec::new();
        let mut reasons = Vec::new();
        for write in &self.writes {
            let table = &tables.tables[&write.table];
            let before = table.get(&write.key(&table.definition)).cloned();
            let is_refused = !write.condition_holds(before.as_ref());
            reasons.push(is_refused.then(|| write.refused_condition(before.as_ref())));
            // An update is not tried on an item that its own condition refused.
            if is_refused && !matches!(write.change, Change::Put(_)) {
                faults.push(None);
                continue;
            }
            match write.after(table, before.as_ref()) {
                Ok(after) => {
                    let consumed = consumed(&table.definition, before.as_ref(), after.as_ref());
                    effects.push(Effect { before, after, consumed });
                    faults.push(None);
                }
                Err(messages) => faults.push(Some(messages)),
            }
        }
        let empty = faults.iter().flatten().flatten().find(|message| is_about_emptiness(message));
        if let Some(message) = empty {
            return Err(vec![validation(message)]);
        }
        if let Some(at) = faults.iter().position(Option::is_some) {
            let messages = faults[at].clone().expect("a fault was found there");
            let told = |message: &String| self.canceled_by_fault(at, message);
            return Err(messages.iter().map(told).collect());
        }
        if reasons.iter().any(Option::is_some) {
            return Err(vec![canceled(
                &reasons.iter().map(|refusal| reason(refusal.as_ref())).collect::<Vec<_>>(),
            )]);
        }
        Ok(effects)
    }

    /// The answer where element `at` has a fault.
    pub(crate) fn canceled_by_fault(&self, at: usize, message: &str) -> Json {
        let reasons: Vec<Json> = (0..self.writes.len())
            .map(|index| {
                if index == at {
                    json!({"Code": "ValidationError", "Message": message})
                } else {
                    json!({"Code": "None"})
                }
            })
            .collect();
        canceled(&reasons)
    }

    fn replayed(&self, images: &[u64], tables: &Tables) -> Json {
        let mut all = Vec::new();
        for (write, bytes) in self.writes.iter().zip(images) {
            let read = Consumed::of_table(2.0 * read_units(*bytes, true));
            share(&mut all, &write.table, Some("Read")).add(&read);
        }
        self.answer(&all, tables)
    }

    fn answer(&self, all: &[(String, Consumed)], tables: &Tables) -> Json {
        let mut answer = Map::new();
        insert(&mut answer, "ConsumedCapacity", list(all, self.shown));
        if self.asks_metrics {
            insert(&mut answer, "ItemCollectionMetrics", collections(&self.writes, tables));
        }
        Json::Object(answer)
    }
}

fn reason(refusal: Option<&Refusal>) -> Json {
    let Some(Refusal::Condition(item)) = refusal else { return json!({"Code": "None"}) };
    let mut reason =
        json!({"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"});
    if let Some(item) = item {
        reason["Item"] = item_json(item);
    }
    reason
}

/// The error of a transaction with these reasons.
pub(crate) fn canceled(reasons: &[Json]) -> Json {
    let codes: Vec<&str> = reasons
        .iter()
        .map(|reason| reason["Code"].as_str().expect("a reason has a code"))
        .collect();
    json!({
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "Message": format!(
            "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
            codes.join(", ")
        ),
        "CancellationReasons": reasons,
    })
}

/// One Get of TransactGetItems.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Get {
    pub(crate) table: String,
    pub(crate) key: Item,
    pub(crate) projection: Option<Vec<Path>>,
}

/// TransactGetItems of distinct items.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TransactGet {
    pub(crate) gets: Vec<Get>,
    pub(crate) shown: Shown,
}

impl TransactGet {
    pub(crate) fn request(&self) -> (&'static str, Json) {
        let gets = self.gets.iter().map(|get| {
            let mut members = Map::new();
            members.insert("TableName".to_owned(), json!(get.table));
            members.insert("Key".to_owned(), item_spelled(&get.key));
            let mut text = Text::default();
            if let Some(paths) = &get.projection {
                members.insert("ProjectionExpression".to_owned(), json!(text.projection(paths)));
            }
            text.finish(&mut members);
            json!({"Get": members})
        });
        let mut request = Map::new();
        request.insert("TransactItems".to_owned(), gets.collect());
        self.shown.ask(&mut request);
        ("TransactGetItems", Json::Object(request))
    }

    pub(crate) fn expect(&self, tables: &Tables) -> Vec<Json> {
        let mut all = Vec::new();
        let mut responses = Vec::new();
        for get in &self.gets {
            let Some(table) = tables.tables.get(&get.table) else { return vec![not_found()] };
            let item = table.get(&get.key);
            let units = 2.0 * read_units(size(item), true);
            share(&mut all, &get.table, Some("Read")).add(&Consumed::of_table(units));
            let found = match (item, &get.projection) {
                (Some(item), Some(paths)) => {
                    Some(project(paths, item)).filter(|kept| !kept.is_empty())
                }
                (item, _) => item.cloned(),
            };
            responses
                .push(found.map_or_else(|| json!({}), |item| json!({"Item": item_json(&item)})));
        }
        let mut answer = Map::new();
        answer.insert("Responses".to_owned(), Json::Array(responses));
        insert(&mut answer, "ConsumedCapacity", list(&all, self.shown));
        vec![Json::Object(answer)]
    }
}
