//! Reads: GetItem, BatchGetItem, and the pages of Query and Scan.
//!
//! Invariant: a page is worked out by going through everything the table or index holds.
//!
//! Source: facts 2.2, 2.4 and 3.2 to 3.5.

use serde_json::{Map, Value as Json, json};

use crate::answer::{Consumed, Shown, insert, list, not_found, read_units, share, validation};
use crate::expression::{Condition, Path, Sort, project};
use crate::table::{Definition, Index, Position, Row, Table, Tables};
use crate::text::Text;
use crate::transaction::Get;
use crate::value::{Item, Value, item_json, item_size, item_spelled};
use crate::write::size;

/// Bytes after which a page is full.
const PAGE_BYTES: u64 = 1_048_576;

/// GetItem.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GetItem {
    pub(crate) get: Get,
    pub(crate) is_consistent: bool,
    pub(crate) shown: Shown,
}

impl GetItem {
    pub(crate) fn request(&self) -> (&'static str, Json) {
        let mut request = Map::new();
        request.insert("TableName".to_owned(), json!(self.get.table));
        request.insert("Key".to_owned(), item_spelled(&self.get.key));
        let mut text = Text::default();
        if let Some(paths) = &self.get.projection {
            request.insert("ProjectionExpression".to_owned(), json!(text.projection(paths)));
        }
        text.finish(&mut request);
        if self.is_consistent {
            request.insert("ConsistentRead".to_owned(), json!(true));
        }
        self.shown.ask(&mut request);
        ("GetItem", Json::Object(request))
    }

    pub(crate) fn expect(&self, tables: &Tables) -> Vec<Json> {
        let Some(table) = tables.tables.get(&self.get.table) else { return vec![not_found()] };
        let item = table.get(&self.get.key);
        let mut answer = Map::new();
        insert(
            &mut answer,
            "Item",
            item.map(|item| shown_item(item, self.get.projection.as_deref())),
        );
        let consumed = Consumed::of_table(read_units(size(item), self.is_consistent));
        insert(&mut answer, "ConsumedCapacity", consumed.json(&self.get.table, self.shown));
        vec![Json::Object(answer)]
    }
}

fn shown_item(item: &Item, projection: Option<&[Path]>) -> Json {
    match projection {
        Some(paths) => item_json(&project(paths, item)),
        None => item_json(item),
    }
}

/// One table of a BatchGetItem.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Keys {
    pub(crate) table: String,
    pub(crate) wanted: Vec<Item>,
    pub(crate) projection: Option<Vec<Path>>,
    pub(crate) is_consistent: bool,
}

/// BatchGetItem of distinct keys.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BatchGet {
    pub(crate) tables: Vec<Keys>,
    pub(crate) shown: Shown,
}

impl BatchGet {
    pub(crate) fn request(&self) -> (&'static str, Json) {
        let mut tables = Map::new();
        for keys in &self.tables {
            let mut members = Map::new();
            members.insert("Keys".to_owned(), keys.wanted.iter().map(item_spelled).collect());
            let mut text = Text::default();
            if let Some(paths) = &keys.projection {
                members.insert("ProjectionExpression".to_owned(), json!(text.projection(paths)));
            }
            text.finish(&mut members);
            if keys.is_consistent {
                members.insert("ConsistentRead".to_owned(), json!(true));
            }
            tables.insert(keys.table.clone(), Json::Object(members));
        }
        let mut request = Map::new();
        request.insert("RequestItems".to_owned(), Json::Object(tables));
        self.shown.ask(&mut request);
        ("BatchGetItem", Json::Object(request))
    }

    pub(crate) fn expect(&self, tables: &Tables) -> Vec<Json> {
        let mut all = Vec::new();
        let mut responses = Map::new();
        for keys in &self.tables {
            let Some(table) = tables.tables.get(&keys.table) else { return vec![not_found()] };
            let mut found = Vec::new();
            for key in &keys.wanted {
                let item = table.get(key);
                let units = read_units(size(item), keys.is_consistent);
                share(&mut all, &keys.table, None).add(&Consumed::of_table(units));
                found.extend(item.map(|item| shown_item(item, keys.projection.as_deref())));
            }
            responses.insert(keys.table.clone(), Json::Array(found));
        }
        let mut answer = Map::new();
        answer.insert("Responses".to_owned(), Json::Object(responses));
        answer.insert("UnprocessedKeys".to_owned(), json!({}));
        insert(&mut answer, "ConsumedCapacity", list(&all, self.shown));
        vec![Json::Object(answer)]
    }
}

/// What a Query asks of the keys.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KeyCondition {
    pub(crate) partition: Vec<(String, Value)>,
    pub(crate) sorts: Vec<(String, Sort)>,
}

/// Query if there is a key condition, else Scan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Read {
    pub(crate) table: String,
    pub(crate) index: Option<String>,
    pub(crate) keyed: Option<KeyCondition>,
    pub(crate) filter: Option<Condition>,
    pub(crate) projection: Option<Vec<Path>>,
    pub(crate) select: Option<&'static str>,
    pub(crate) limit: Option<usize>,
    pub(crate) is_consistent: bool,
    pub(crate) is_backward: bool,
    pub(crate) start: Option<Item>,
    /// Number and how many there are.
    pub(crate) segment: Option<(u32, u32)>,
    pub(crate) shown: Shown,
}

/// What a page holds.
pub(crate) struct Page {
    /// What is returned of each item that passed the filter.
    pub(crate) items: Vec<Item>,
    pub(crate) n_evaluated: usize,
    pub(crate) last: Option<Item>,
    pub(crate) consumed: Consumed,
}

impl Read {
    pub(crate) fn request(&self) -> (&'static str, Json) {
        let mut request = Map::new();
        let mut text = Text::default();
        let mut put = |member: &str, value: Json| request.insert(member.to_owned(), value);
        put("TableName", json!(self.table));
        if let Some(KeyCondition { partition, sorts }) = &self.keyed {
            put("KeyConditionExpression", json!(text.key_condition(partition, sorts)));
        }
        if let Some(index) = &self.index {
            put("IndexName", json!(index));
        }
        if let Some(filter) = &self.filter {
            put("FilterExpression", json!(text.condition(filter)));
        }
        if let Some(paths) = &self.projection {
            put("ProjectionExpression", json!(text.projection(paths)));
        }
        if let Some(select) = self.select {
            put("Select", json!(select));
        }
        if let Some(limit) = self.limit {
            put("Limit", json!(limit));
        }
        if self.is_consistent {
            put("ConsistentRead", json!(true));
        }
        if self.is_backward {
            put("ScanIndexForward", json!(false));
        }
        if let Some(start) = &self.start {
            put("ExclusiveStartKey", item_spelled(start));
        }
        if let Some((number, total)) = self.segment {
            put("Segment", json!(number));
            put("TotalSegments", json!(total));
        }
        text.finish(&mut request);
        self.shown.ask(&mut request);
        (if self.keyed.is_some() { "Query" } else { "Scan" }, Json::Object(request))
    }

    pub(crate) fn expect(&self, tables: &Tables) -> Vec<Json> {
        let page = match self.page(tables) {
            Ok(page) => page,
            Err(answer) => return vec![answer],
        };
        let mut answer = Map::new();
        if self.select != Some("COUNT") {
            answer.insert("Items".to_owned(), page.items.iter().map(item_json).collect());
        }
        answer.insert("Count".to_owned(), json!(page.items.len()));
        answer.insert("ScannedCount".to_owned(), json!(page.n_evaluated));
        insert(&mut answer, "LastEvaluatedKey", page.last.as_ref().map(item_json));
        insert(&mut answer, "ConsumedCapacity", page.consumed.json(&self.table, self.shown));
        vec![Json::Object(answer)]
    }

    /// The page, or the error that takes its place.
    pub(crate) fn page(&self, tables: &Tables) -> Result<Page, Json> {
        let table = tables.tables.get(&self.table).ok_or_else(not_found)?;
        let definition = &table.definition;
        let index = match &self.index {
            None => None,
            Some(name) => Some(definition.index(name).ok_or_else(|| {
                validation(&format!("The table does not have the specified index: {name}"))
            })?),
        };
        let rows = self.rows(table, index);
        let fetches = index.is_some_and(|index| self.fetches(definition, index));
        let mut page =
            Page { items: Vec::new(), n_evaluated: 0, last: None, consumed: Consumed::default() };
        let mut bytes = 0;
        let mut end = None;
        for row in &rows {
            page.n_evaluated += 1;
            bytes += item_size(&row.view);
            if fetches {
                page.consumed.table += read_units(item_size(&row.base), self.is_consistent);
            }
            let seen = if fetches { &row.base } else { &row.view };
            if self.filter.as_ref().is_none_or(|filter| filter.holds(seen)) {
                page.items.push(self.output(seen, &row.view));
            }
            if bytes >= PAGE_BYTES || self.limit == Some(page.n_evaluated) {
                let mut last = definition.keys.of(&row.view);
                if let Some(index) = index {
                    last.extend(index.keys.of(&row.view));
                }
                page.last = Some(last);
                end = Some(row.position.hash);
                break;
            }
        }
        self.charge(&mut page.consumed, bytes, self.n_partitions(definition, index, end), index);
        Ok(page)
    }

    /// The rows the read may look at, in its order.
    fn rows(&self, table: &Table, index: Option<&Index>) -> Vec<Row> {
        let start: Option<Position> =
            self.start.as_ref().map(|start| table.definition.position(index, start));
        let mut rows = table.rows(index);
        if self.is_backward {
            rows.reverse();
        }
        rows.retain(|row| {
            let is_behind = start.as_ref().is_none_or(|start| {
                if self.is_backward { row.position < *start } else { row.position > *start }
            });
            let is_wanted = self.keyed.as_ref().is_none_or(|keyed| {
                keyed.partition.iter().all(|(name, value)| row.view[name] == *value)
                    && keyed.sorts.iter().all(|(name, sort)| sort.accepts(&row.view[name]))
            });
            let (first, last) = self.hashes();
            is_behind && is_wanted && (first..=last).contains(&row.position.hash)
        });
        rows
    }

    /// The first and last placement hash of the segment.
    fn hashes(&self) -> (u64, u64) {
        let Some((number, total)) = self.segment else { return (0, u64::MAX) };
        let begin = |number: u32| (u128::from(number) << 64) / u128::from(total);
        let hash = |hash: u128| u64::try_from(hash).expect("shares of 2^64 are below it");
        (hash(begin(number)), hash(begin(number + 1) - 1))
    }

    /// True if something that is asked for is not in the local index, so that each item is fetched.
    fn fetches(&self, definition: &Definition, index: &Index) -> bool {
        let is_away = |name: &str| !index.projects(&definition.keys, name);
        let paths = self.projection.iter().flatten();
        let filtered = self.filter.iter().flat_map(Condition::names);
        let wants_all = self.select == Some("ALL_ATTRIBUTES")
            && index.projection != crate::table::Projection::All;
        index.is_local
            && (wants_all
                || paths.into_iter().any(|path| is_away(&path.head))
                || filtered.into_iter().any(is_away))
    }

    fn output(&self, seen: &Item, view: &Item) -> Item {
        match (&self.projection, self.select) {
            (Some(paths), _) => project(paths, seen),
            (None, Some("ALL_ATTRIBUTES")) => seen.clone(),
            _ => view.clone(),
        }
    }

    /// Partitions from the beginning of the page to its end; a Query is in one.
    fn n_partitions(
        &self,
        definition: &Definition,
        index: Option<&Index>,
        end: Option<u64>,
    ) -> u64 {
        if self.keyed.is_some() {
            return 1;
        }
        let (mut first, mut last) = self.hashes();
        if let Some(start) = &self.start {
            first = definition.position(index, start).hash;
        }
        last = end.unwrap_or(last);
        let total = u128::from(definition.n_partitions());
        let partition = |hash: u64| (u128::from(hash) * total) >> 64;
        u64::try_from(partition(last) - partition(first) + 1).expect("few partitions")
    }

    fn charge(
        &self,
        consumed: &mut Consumed,
        bytes: u64,
        n_partitions: u64,
        index: Option<&Index>,
    ) {
        let units = read_units(bytes.max(n_partitions * 4_096), self.is_consistent);
        match index {
            None => consumed.table = units,
            Some(index) if index.is_local => {
                consumed.local.insert(index.name.clone(), units);
            }
            Some(index) => {
                consumed.global.insert(index.name.clone(), units);
            }
        }
    }
}

impl Read {
    /// A Scan of a whole table.
    pub(crate) fn everything(table: &str) -> Self {
        Self {
            table: table.to_owned(),
            index: None,
            keyed: None,
            filter: None,
            projection: None,
            select: None,
            limit: None,
            is_consistent: false,
            is_backward: false,
            start: None,
            segment: None,
            shown: Shown::Indexes,
        }
    }
}
