//! Writes of one item: what they do, what they cost, how they are asked for and answered; batches of them.
//!
//! Source: facts 2.2, 2.3, 2.6, 3.2, 3.5 and 4.10.1 rows 33 and 45.

use serde_json::{Map, Value as Json, json};

use crate::answer::{
    Consumed, Shown, exception, insert, list, not_found, share, validation, write_units,
};
use crate::expression::{Condition, project};
use crate::table::{Attribute, Definition, Index, Keys, Table, Tables};
use crate::text::Text;
use crate::update::{Action, apply, creates};
use crate::value::{Item, Value, item_json, item_size, item_spelled};

const LONG_PARTITION_KEY: &str = "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes";
const LARGE_UPDATE: &str = "Item size to update has exceeded the maximum allowed size";
/// 400 KB.
const ITEM_BYTES_MAX: u64 = 409_600;
const LONG_SORT_KEY: &str = "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes";

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    Put(Item),
    /// The key, and the actions if there is an expression.
    Update(Item, Option<Vec<Action>>),
    Delete(Item),
    Check(Item),
}

/// One write with its condition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Write {
    pub(crate) table: String,
    pub(crate) change: Change,
    pub(crate) condition: Option<Condition>,
    /// ReturnValuesOnConditionCheckFailure=ALL_OLD.
    pub(crate) tells_item: bool,
}

/// What a write that is not refused does.
#[derive(Debug, Clone)]
pub(crate) struct Effect {
    pub(crate) before: Option<Item>,
    pub(crate) after: Option<Item>,
    pub(crate) consumed: Consumed,
}

/// Why a write is refused.
#[derive(Debug, Clone)]
pub(crate) enum Refusal {
    NotFound,
    /// One of these messages.
    Invalid(Vec<String>),
    /// With the item if it is to be told.
    Condition(Option<Item>),
}

impl Refusal {
    pub(crate) fn answers(&self) -> Vec<Json> {
        match self {
            Self::NotFound => vec![not_found()],
            Self::Invalid(messages) => messages.iter().map(|message| validation(message)).collect(),
            Self::Condition(item) => {
                let mut answer =
                    exception("ConditionalCheckFailedException", "The conditional request failed");
                if let Some(item) = item {
                    answer["Item"] = item_json(item);
                }
                vec![answer]
            }
        }
    }
}

pub(crate) fn size(item: Option<&Item>) -> u64 {
    item.map_or(0, item_size)
}

impl Write {
    /// The key of the item written.
    pub(crate) fn key(&self, definition: &Definition) -> Item {
        match &self.change {
            Change::Put(item) => definition.keys.of(item),
            Change::Update(key, _) | Change::Delete(key) | Change::Check(key) => key.clone(),
        }
    }

    /// What is wrong with the write whatever its condition says.
    pub(crate) fn after(
        &self,
        table: &Table,
        before: Option<&Item>,
    ) -> Result<Option<Item>, Vec<String>> {
        match &self.change {
            Change::Put(item) => {
                check_index_keys(&table.definition, item, None)?;
                Ok(Some(item.clone()))
            }
            Change::Update(key, actions) => {
                updated(&table.definition, before, key, actions.as_deref())
            }
            Change::Delete(_) => Ok(None),
            Change::Check(_) => Ok(before.cloned()),
        }
    }

    pub(crate) fn condition_holds(&self, before: Option<&Item>) -> bool {
        let nothing = Item::new();
        let item = before.unwrap_or(&nothing);
        self.condition.as_ref().is_none_or(|condition| condition.holds(item))
    }

    pub(crate) fn refused_condition(&self, before: Option<&Item>) -> Refusal {
        Refusal::Condition(before.filter(|_| self.tells_item).cloned())
    }

    /// What the write does as a request of its own: a fault of a Put comes before its condition, a fault of an update
    /// after it.
    pub(crate) fn effect(&self, tables: &Tables) -> Result<Effect, Refusal> {
        let table = tables.tables.get(&self.table).ok_or(Refusal::NotFound)?;
        let before = table.get(&self.key(&table.definition)).cloned();
        let holds = self.condition_holds(before.as_ref());
        let after = self.after(table, before.as_ref());
        let is_wrong_put = matches!(self.change, Change::Put(_)) && after.is_err();
        if !holds && !is_wrong_put {
            return Err(self.refused_condition(before.as_ref()));
        }
        let after = after.map_err(Refusal::Invalid)?;
        let consumed = consumed(&table.definition, before.as_ref(), after.as_ref());
        Ok(Effect { before, after, consumed })
    }

    pub(crate) fn commit(&self, tables: &mut Tables, effect: &Effect) {
        let table = tables.tables.get_mut(&self.table).expect("the write found its table");
        let key = self.key(&table.definition);
        table.set(&key, effect.after.clone());
    }

    /// The members that ask for the write, and its placeholders.
    pub(crate) fn members(&self) -> Map<String, Json> {
        let mut request = Map::new();
        let mut text = Text::default();
        request.insert("TableName".to_owned(), json!(self.table));
        match &self.change {
            Change::Put(item) => {
                request.insert("Item".to_owned(), item_spelled(item));
            }
            Change::Update(key, actions) => {
                request.insert("Key".to_owned(), item_spelled(key));
                if let Some(actions) = actions {
                    request.insert("UpdateExpression".to_owned(), json!(text.update(actions)));
                }
            }
            Change::Delete(key) | Change::Check(key) => {
                request.insert("Key".to_owned(), item_spelled(key));
            }
        }
        if let Some(condition) = &self.condition {
            request.insert("ConditionExpression".to_owned(), json!(text.condition(condition)));
        }
        if self.tells_item {
            let member = "ReturnValuesOnConditionCheckFailure";
            request.insert(member.to_owned(), json!("ALL_OLD"));
        }
        text.finish(&mut request);
        request
    }
}

fn updated(
    definition: &Definition,
    before: Option<&Item>,
    key: &Item,
    actions: Option<&[Action]>,
) -> Result<Option<Item>, Vec<String>> {
    let actions = actions.unwrap_or_default();
    if before.is_none() && !creates(actions) {
        return Ok(None);
    }
    let nothing = Item::new();
    let mut item = apply(actions, before.unwrap_or(&nothing))
        .map_err(|faults| faults.into_iter().map(str::to_owned).collect::<Vec<_>>())?;
    item.extend(key.clone());
    let touched: Vec<&str> = actions.iter().map(|action| action.path().head.as_str()).collect();
    check_index_keys(definition, &item, Some(&touched))?;
    if size_with_local_entries(definition, &item) > ITEM_BYTES_MAX {
        return Err(vec![LARGE_UPDATE.to_owned()]);
    }
    Ok(Some(item))
}

/// Bytes of an item and of its entries in local indexes.
fn size_with_local_entries(definition: &Definition, item: &Item) -> u64 {
    let local = definition.indexes.iter().filter(|index| index.is_local);
    let entries = local.filter_map(|index| index.view(&definition.keys, item));
    item_size(item) + entries.map(|entry| item_size(&entry)).sum::<u64>()
}

/// Attributes of index keys have the right type and are not empty. The first index by name is blamed.
fn check_index_keys(
    definition: &Definition,
    item: &Item,
    touched: Option<&[&str]>,
) -> Result<(), Vec<String>> {
    let mut indexes: Vec<&Index> = definition.indexes.iter().collect();
    indexes.sort_by(|a, b| a.name.cmp(&b.name));
    for index in indexes {
        let checked = || {
            index.keys.attributes().filter(|attribute| {
                touched.is_none_or(|names| names.contains(&attribute.name.as_str()))
            })
        };
        for attribute in checked() {
            let Some(value) = item.get(&attribute.name) else { continue };
            if value.tag() != attribute.letter {
                return Err(vec![format!(
                    "One or more parameter values were invalid: Type mismatch for Index Key {} Expected: {} Actual: {} IndexName: {}",
                    attribute.name,
                    attribute.letter,
                    value.tag(),
                    index.name
                )]);
            }
        }
        for attribute in checked() {
            let kind = match item.get(&attribute.name) {
                Some(Value::S(text)) if text.is_empty() => "string",
                Some(Value::B(bytes)) if bytes.is_empty() => "binary",
                _ => continue,
            };
            return Err(vec![empty_index_key(index, &attribute.name, kind, touched.is_some())]);
        }
        if checked().next().is_some() {
            check_key_sizes(&index.keys, item)?;
        }
    }
    Ok(())
}

fn check_key_sizes(keys: &Keys, item: &Item) -> Result<(), Vec<String>> {
    let bytes = |attributes: &[Attribute]| -> u64 {
        attributes.iter().filter_map(|attribute| item.get(&attribute.name)).map(Value::size).sum()
    };
    if bytes(&keys.partition) > 2_048 {
        return Err(vec![LONG_PARTITION_KEY.to_owned()]);
    }
    if bytes(&keys.sort) > 1_024 {
        return Err(vec![LONG_SORT_KEY.to_owned()]);
    }
    Ok(())
}

fn empty_index_key(index: &Index, name: &str, kind: &str, is_update: bool) -> String {
    let start = "One or more parameter values are not valid.";
    let end =
        format!("The AttributeValue for a key attribute cannot contain an empty {kind} value.");
    if is_update {
        format!(
            "{start} The update expression attempted to update a secondary index key to a value that is not supported. {end}"
        )
    } else {
        format!(
            "{start} A value specified for a secondary index key is not supported. {end} IndexName: {}, IndexKey: {name}",
            index.name
        )
    }
}

/// True if the message is about an empty key value, which no transaction turns into a reason.
pub(crate) fn is_about_emptiness(message: &str) -> bool {
    message.contains("cannot contain an empty")
}

/// What it costs to turn one image of an item into the other.
pub(crate) fn consumed(
    definition: &Definition,
    before: Option<&Item>,
    after: Option<&Item>,
) -> Consumed {
    let mut consumed = Consumed::of_table(write_units(size(before).max(size(after))));
    for index in &definition.indexes {
        let view = |item: Option<&Item>| index.view(&definition.keys, item?);
        let units = match (view(before), view(after)) {
            (None, None) => continue,
            (Some(entry), None) | (None, Some(entry)) => write_units(item_size(&entry)),
            (Some(old), Some(new)) if old == new => continue,
            (Some(old), Some(new)) => {
                let (old_size, new_size) = (item_size(&old), item_size(&new));
                if index.keys.of(&old) == index.keys.of(&new) {
                    write_units(old_size.max(new_size))
                } else {
                    write_units(old_size) + write_units(new_size)
                }
            }
        };
        let arm = if index.is_local { &mut consumed.local } else { &mut consumed.global };
        arm.insert(index.name.clone(), units);
    }
    consumed
}

/// The size of an item's collection; none for a table without local indexes. All are below a gigabyte.
pub(crate) fn metrics(definition: &Definition, key: &Item) -> Option<Json> {
    if !definition.has_local() {
        return None;
    }
    let partition = &definition.keys.partition[0].name;
    Some(json!({
        "ItemCollectionKey": {partition: key[partition].json()},
        "SizeEstimateRangeGB": [0.0, 1.0],
    }))
}

/// PutItem, UpdateItem or DeleteItem.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Single {
    pub(crate) write: Write,
    /// ReturnValues.
    pub(crate) returns: &'static str,
    pub(crate) shown: Shown,
    pub(crate) asks_metrics: bool,
}

impl Single {
    pub(crate) fn request(&self) -> (&'static str, Json) {
        let mut request = self.write.members();
        if self.returns != "NONE" {
            request.insert("ReturnValues".to_owned(), json!(self.returns));
        }
        if self.asks_metrics {
            request.insert("ReturnItemCollectionMetrics".to_owned(), json!("SIZE"));
        }
        self.shown.ask(&mut request);
        let operation = match self.write.change {
            Change::Put(_) => "PutItem",
            Change::Update(..) => "UpdateItem",
            Change::Delete(_) | Change::Check(_) => "DeleteItem",
        };
        (operation, Json::Object(request))
    }

    pub(crate) fn expect(&self, tables: &mut Tables) -> Vec<Json> {
        let effect = match self.write.effect(tables) {
            Ok(effect) => effect,
            Err(refusal) => return refusal.answers(),
        };
        self.write.commit(tables, &effect);
        let definition = &tables.tables[&self.write.table].definition;
        let mut answer = Map::new();
        insert(&mut answer, "Attributes", self.attributes(&effect).as_ref().map(item_json));
        insert(
            &mut answer,
            "ConsumedCapacity",
            effect.consumed.json(&self.write.table, self.shown),
        );
        let metrics =
            self.asks_metrics.then(|| metrics(definition, &self.write.key(definition))).flatten();
        insert(&mut answer, "ItemCollectionMetrics", metrics);
        vec![Json::Object(answer)]
    }

    fn attributes(&self, effect: &Effect) -> Option<Item> {
        returned(&self.write.change, self.returns, effect)
    }
}

/// What ReturnValues gives of a write; none where that is nothing.
pub(crate) fn returned(change: &Change, returns: &str, effect: &Effect) -> Option<Item> {
    let touched = |item: Option<&Item>| {
        let Change::Update(_, Some(actions)) = change else { return None };
        let paths: Vec<_> = actions.iter().map(|action| action.path().clone()).collect();
        Some(project(&paths, item?)).filter(|kept| !kept.is_empty())
    };
    match returns {
        "ALL_OLD" => effect.before.clone(),
        "ALL_NEW" => effect.after.clone(),
        "UPDATED_OLD" => touched(effect.before.as_ref()),
        "UPDATED_NEW" => touched(effect.after.as_ref()),
        _ => None,
    }
}

/// BatchWriteItem: puts and deletes of distinct items.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Batch {
    pub(crate) writes: Vec<Write>,
    pub(crate) shown: Shown,
    pub(crate) asks_metrics: bool,
}

impl Batch {
    pub(crate) fn request(&self) -> (&'static str, Json) {
        let mut tables: Map<String, Json> = Map::new();
        for write in &self.writes {
            let element = match &write.change {
                Change::Put(item) => json!({"PutRequest": {"Item": item_spelled(item)}}),
                Change::Update(key, _) | Change::Delete(key) | Change::Check(key) => {
                    json!({"DeleteRequest": {"Key": item_spelled(key)}})
                }
            };
            let elements = tables.entry(write.table.clone()).or_insert_with(|| json!([]));
            elements.as_array_mut().expect("elements are a list").push(element);
        }
        let mut request = Map::new();
        request.insert("RequestItems".to_owned(), Json::Object(tables));
        if self.asks_metrics {
            request.insert("ReturnItemCollectionMetrics".to_owned(), json!("SIZE"));
        }
        self.shown.ask(&mut request);
        ("BatchWriteItem", Json::Object(request))
    }

    pub(crate) fn expect(&self, tables: &mut Tables) -> Vec<Json> {
        let effects: Result<Vec<Effect>, Refusal> =
            self.writes.iter().map(|write| write.effect(tables)).collect();
        let effects = match effects {
            Ok(effects) => effects,
            Err(refusal) => {
                let missing =
                    self.writes.iter().any(|write| !tables.tables.contains_key(&write.table));
                return if missing { vec![not_found()] } else { self.faults(tables, &refusal) };
            }
        };
        let mut all = Vec::new();
        for (write, effect) in self.writes.iter().zip(&effects) {
            write.commit(tables, effect);
            share(&mut all, &write.table, None).add(&effect.consumed);
        }
        let mut answer = Map::new();
        answer.insert("UnprocessedItems".to_owned(), json!({}));
        insert(&mut answer, "ConsumedCapacity", list(&all, self.shown));
        if self.asks_metrics {
            insert(&mut answer, "ItemCollectionMetrics", collections(&self.writes, tables));
        }
        vec![Json::Object(answer)]
    }

    /// The faults of all writes: which of them is told is not known.
    fn faults(&self, tables: &Tables, first: &Refusal) -> Vec<Json> {
        let mut answers = first.answers();
        for write in &self.writes {
            if let Err(refusal) = write.effect(tables) {
                answers.extend(refusal.answers());
            }
        }
        answers
    }
}

/// Sizes of the item collections written, by table, each once.
pub(crate) fn collections(writes: &[Write], tables: &Tables) -> Option<Json> {
    let mut found: Map<String, Json> = Map::new();
    for write in writes.iter().filter(|write| !matches!(write.change, Change::Check(_))) {
        let definition = &tables.tables[&write.table].definition;
        let Some(metrics) = metrics(definition, &write.key(definition)) else { continue };
        let entry = found.entry(write.table.clone()).or_insert_with(|| json!([]));
        let list = entry.as_array_mut().expect("metrics are a list");
        if !list.contains(&metrics) {
            list.push(metrics);
        }
    }
    (!found.is_empty()).then_some(Json::Object(found))
}
