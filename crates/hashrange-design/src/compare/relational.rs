//! The same items modelled relationally: a table for each entity, an index for each foreign key, joins in the
//! client.
//!
//! Invariant: derived from the sample alone, by these rules. An entity's id is the last slot of its keys. A slot
//! that is another entity's id is a foreign key, and so is an attribute that holds such an id. A pattern asks each
//! entity it wants for its rows, then looks up, one item each, what those rows refer to and it has not got:
//! normalised rows hold no copies. Sizes are those of the sample's items, copies included.
//!
//! Not here: a relational engine; running such a design, for which there is no request.

use hashrange_engine::capacity::read_units;
use hashrange_engine::{Plan, execute, plan};
use hashrange_storage::{KeyRange, Store, Table};
use hashrange_types::{
    AttributeValue, CapacityUnits, EncodedKey, Item, Operation, Response, SortedMap, SortedSet,
    TableName, Timestamp,
};

use super::side::{Side, SidePattern};
use crate::cost::{PatternUse, Rate, Stored, StoredTable, TargetUse};
use crate::document::Design;
use crate::entity::EntityMatcher;
use crate::pattern::{PatternResult, PatternStatus, PatternSuite, Served};
use crate::template::KeyTemplate;

/// Items of a table that are looked at; a larger sample is taken by its first ones.
const ITEMS_MAX: usize = 20_000;
/// Shortest text taken for an id of something else: anything shorter may be an id by chance.
const ID_CHARACTERS_MIN: usize = 3;
/// Items of one BatchGetItem.
const BATCH_MAX: u64 = 100;

/// The relational copy of a design whose patterns have run.
pub fn relational(design: &Design, suite: &PatternSuite) -> Side {
    let sample = Sample::of(design, suite.store());
    let patterns = design.patterns.iter().zip(suite.results());
    Side {
        title: "Modelled relationally".to_owned(),
        tables: sample.tables(),
        patterns: patterns
            .map(|(pattern, result)| {
                let request = &pattern.request;
                let asked = Operation::from_name(&pattern.operation)
                    .and_then(|it| hashrange_wire::decode(it, &request.to_string()).ok())
                    .and_then(|request| plan(suite.store(), request).ok());
                match asked {
                    Some(plan) if !result.is_write => sample.read(&plan, suite.store(), result),
                    _ => sample.write(result),
                }
            })
            .collect(),
        heat: Vec::new(),
    }
}

/// An item as a row of its entity's table.
struct Row<'a> {
    entity: usize,
    /// Its id; empty if its keys have no slot.
    id: String,
    /// What its keys say of others: slot and value.
    slots: Vec<(String, String)>,
    bytes: u64,
    item: &'a Item,
}

/// What an entity is as a relational table.
struct EntityTable {
    name: String,
    /// The slot that is its id.
    own: Option<String>,
    /// Slots that are the ids of other entities, with their positions.
    foreign: Vec<(String, usize)>,
    /// Templates of its table's key, by attribute.
    templates: Vec<(String, KeyTemplate)>,
}

/// The sample as rows.
struct Sample<'a> {
    entities: Vec<EntityTable>,
    rows: Vec<Row<'a>>,
    by_key: SortedMap<(TableName, EncodedKey), usize>,
    /// Positions of rows by entity and id.
    by_id: SortedMap<(usize, String), usize>,
    matchers: Vec<(TableName, EntityMatcher)>,
}

impl<'a> Sample<'a> {
    fn of(design: &Design, store: &'a Store) -> Self {
        let mut it = Self {
            entities: entity_tables(design, store),
            rows: Vec::new(),
            by_key: SortedMap::new(),
            by_id: SortedMap::new(),
            matchers: Vec::new(),
        };
        for table in store.tables() {
            let name = &table.schema().name;
            let matcher = EntityMatcher::new(name.as_str(), &design.entities);
            for (key, row) in table.items().range(&KeyRange::all(), true).take(ITEMS_MAX) {
                if let Some(entity) = matcher.entity_of(&row.item) {
                    it.add((name.clone(), key.clone()), entity, &row.item, row.size_bytes.into());
                }
            }
            it.matchers.push((name.clone(), matcher));
        }
        it
    }

    fn add(&mut self, key: (TableName, EncodedKey), entity: usize, item: &'a Item, bytes: u64) {
        let told = &self.entities[entity];
        let mut slots: Vec<(String, String)> = Vec::new();
        for (attribute, template) in &told.templates {
            let text = match item.get(attribute) {
                Some(AttributeValue::S(text)) => text.to_string(),
                Some(AttributeValue::N(number)) => number.to_string(),
                _ => continue,
            };
            slots.extend(template.matches(&text).unwrap_or_default());
        }
        let own = told.own.as_ref();
        let id = slots.iter().rev().find(|(slot, _)| Some(slot) == own);
        let id = id.map(|(_, id)| id.clone()).unwrap_or_default();
        let at = self.rows.len();
        if !id.is_empty() {
            self.by_id.insert((entity, id.clone()), at);
        }
        self.by_key.insert(key, at);
        self.rows.push(Row { entity, id, slots, bytes, item });
    }

    /// The tables: rows of an entity, and an index for each foreign key.
    fn tables(&self) -> Vec<StoredTable> {
        let mut tables = Vec::new();
        for (at, entity) in self.entities.iter().enumerate() {
            let rows = || self.rows.iter().filter(|row| row.entity == at);
            let stored = |index: String| Stored {
                index,
                is_local: false,
                n_items: rows().count() as u64,
                bytes: rows().map(|row| row.bytes).sum(),
            };
            if rows().next().is_some() {
                let indexes = entity.foreign.iter().map(|(slot, _)| stored(index_name(slot)));
                let parts = std::iter::once(stored(String::new())).chain(indexes).collect();
                tables.push(StoredTable { table: entity.name.clone(), parts });
            }
        }
        tables
    }

    /// A pattern that reads: what it wants, entity by entity, then what that refers to.
    fn read(&self, plan: &Plan, store: &Store, result: &PatternResult) -> SidePattern {
        let wanted = self.wanted(plan, store);
        let is_consistent = result.shape.is_consistent;
        let is_scan = result.served == Served::Scan;
        let is_by_key =
            matches!(result.operation.as_str(), "GetItem" | "BatchGetItem" | "TransactGetItems");
        let mut uses = Vec::new();
        let mut n_requests = 0;
        for (entity, rows) in &wanted {
            let bytes = rows.iter().map(|at| self.rows[*at].bytes);
            let units = if is_by_key {
                bytes.clone().map(|bytes| read_units(bytes, is_consistent)).sum()
            } else {
                read_units(bytes.clone().sum(), is_consistent)
            };
            n_requests += if is_by_key { (rows.len() as u64).div_ceil(BATCH_MAX) } else { 1 };
            uses.push(TargetUse {
                scanned_bytes: is_scan.then(|| bytes.sum()),
                ..self.reading(*entity, units, is_consistent)
            });
        }
        let n_wanted = n_requests;
        for (entity, ids) in self.referred(&wanted) {
            let sizes = ids.iter().filter_map(|id| self.by_id.get(&(entity, (*id).to_owned())));
            let units = sizes.map(|at| read_units(self.rows[*at].bytes, is_consistent)).sum();
            n_requests += (ids.len() as u64).div_ceil(BATCH_MAX);
            uses.push(self.reading(entity, units, is_consistent));
        }
        if wanted.is_empty() {
            return kept(result);
        }
        let status = match result.served {
            Served::Scan => PatternStatus::Scan,
            Served::Filtered => PatternStatus::Filtered,
            Served::ByKey | Served::Refused => PatternStatus::ByKey,
        };
        let tables =
            if n_wanted == 1 { "1 table".to_owned() } else { format!("{n_wanted} tables") };
        let how = match n_requests - n_wanted {
            0 => tables,
            joins => format!("{tables}, then {} joined", crate::words::counted(joins, "table")),
        };
        SidePattern {
            status,
            how,
            n_items: result.n_items(),
            n_requests,
            usage: usage(result, uses),
        }
    }

    fn reading(&self, entity: usize, units: CapacityUnits, is_consistent: bool) -> TargetUse {
        let table = self.entities[entity].name.clone();
        TargetUse { table, is_consistent, units, ..TargetUse::default() }
    }

    /// The rows a request examines, by entity: of the entities it returns, where it returns any.
    fn wanted(&self, plan: &Plan, store: &Store) -> Vec<(usize, Vec<usize>)> {
        let mut by_entity: Vec<(usize, Vec<usize>)> = Vec::new();
        for target in plan.targets() {
            let Some(table) = store.table(target.table.as_str()) else { continue };
            let tree = match &target.index {
                Some(index) => table.index(index.as_str()),
                None => Some(table.items()),
            };
            let Some(tree) = tree else { continue };
            for (_, row) in tree.range(&target.range, true).take(ITEMS_MAX) {
                let Some(at) = self.position(table, &row.item) else { continue };
                let entity = self.rows[at].entity;
                match by_entity.iter_mut().find(|(known, _)| *known == entity) {
                    Some((_, rows)) => rows.push(at),
                    None => by_entity.push((entity, vec![at])),
                }
            }
        }
        let returned = self.returned(plan, store);
        if by_entity.iter().any(|(entity, _)| returned.contains(entity)) {
            by_entity.retain(|(entity, _)| returned.contains(entity));
        }
        by_entity
    }

    fn position(&self, table: &Table, item: &Item) -> Option<usize> {
        let key = table.schema().key.encode(item)?;
        self.by_key.get(&(table.schema().name.clone(), key)).copied()
    }

    /// Entities of the items on the first page of the answer.
    fn returned(&self, plan: &Plan, store: &Store) -> SortedSet<usize> {
        let reply = execute(store, plan, Timestamp(0)).reply;
        let items = match reply {
            Ok(Response::Query(page) | Response::Scan(page)) => page.items.unwrap_or_default(),
            _ => Vec::new(),
        };
        let mut found = SortedSet::new();
        for target in plan.targets() {
            let known = self.matchers.iter().find(|(name, _)| *name == target.table);
            let table = store.table(target.table.as_str());
            let (Some((_, matcher)), Some(table)) = (known, table) else { continue };
            for item in &items {
                let row = self.position(table, item).map(|at| self.rows[at].entity);
                if let Some(entity) = row.or_else(|| matcher.entity_of(item)) {
                    found.insert(entity);
                }
            }
        }
        found
    }

    /// What the wanted rows refer to and do not include, by entity, each id once. A value that all of them share is
    /// what was asked for, and known.
    fn referred(&self, wanted: &[(usize, Vec<usize>)]) -> Vec<(usize, SortedSet<&str>)> {
        let all: Vec<&Row<'_>> =
            wanted.iter().flat_map(|(_, rows)| rows.iter().map(|at| &self.rows[*at])).collect();
        let mut found: SortedMap<usize, SortedSet<&str>> = SortedMap::new();
        let is_wanted = |entity: usize| wanted.iter().any(|(known, _)| *known == entity);
        let mut refer = |from: &Row<'_>, entity: usize, id: &str| {
            if entity == from.entity || is_wanted(entity) {
                return;
            }
            if let Some(at) = self.by_id.get(&(entity, id.to_owned())) {
                found.get_or_insert_with(entity, SortedSet::new).insert(&self.rows[*at].id);
            }
        };
        for row in &all {
            for (slot, entity) in &self.entities[row.entity].foreign {
                let value = |row: &Row<'_>| {
                    row.slots.iter().find(|(name, _)| name == slot).map(|(_, value)| value.clone())
                };
                let Some(id) = value(row) else { continue };
                if all.iter().any(|other| value(other).is_some_and(|other| other != id)) {
                    refer(row, *entity, &id);
                }
            }
            let keys = &self.entities[row.entity].templates;
            for (name, value) in row.item {
                let AttributeValue::S(text) = value else { continue };
                let is_key = keys.iter().any(|(key, _)| name.as_str() == key);
                if !is_key && text.chars().count() >= ID_CHARACTERS_MIN {
                    (0..self.entities.len()).for_each(|entity| refer(row, entity, text));
                }
            }
        }
        found.into_iter().collect()
    }

    /// A pattern that writes: its rows, and each foreign key's index.
    fn write(&self, result: &PatternResult) -> SidePattern {
        let entity = result.entity.filter(|_| result.is_write).and_then(|at| self.entities.get(at));
        let Some(entity) = entity else { return kept(result) };
        let units: CapacityUnits =
            result.units.iter().filter(|it| it.index.is_none()).map(|it| it.units).sum();
        // Indexes are written once, in transactions too.
        let is_transaction = result.operation.starts_with("Transact");
        let once = CapacityUnits::halves(units.as_halves() / if is_transaction { 2 } else { 1 });
        let writing = |index: String, units| TargetUse {
            table: entity.name.clone(),
            index,
            is_write: true,
            units,
            ..TargetUse::default()
        };
        let indexes = entity.foreign.iter().map(|(slot, _)| writing(index_name(slot), once));
        let uses = std::iter::once(writing(String::new(), units)).chain(indexes).collect();
        SidePattern {
            status: PatternStatus::ByKey,
            how: "1 table".to_owned(),
            n_items: result.n_items(),
            n_requests: 1,
            usage: usage(result, uses),
        }
    }
}

/// A pattern the rules say nothing about: as it was.
fn kept(result: &PatternResult) -> SidePattern {
    SidePattern {
        status: result.status(),
        how: result.operation.clone(),
        n_items: result.n_items(),
        n_requests: result.pages.len() as u64,
        usage: PatternUse::of(result),
    }
}

fn usage(result: &PatternResult, uses: Vec<TargetUse>) -> PatternUse {
    let rate = Rate::per_second(result.per_second.unwrap_or(0.0));
    PatternUse { name: result.words.clone(), rate, uses }
}

fn index_name(slot: &str) -> String {
    format!("by {slot}")
}

/// The entities as tables: their ids, and which slots are the ids of others.
fn entity_tables(design: &Design, store: &Store) -> Vec<EntityTable> {
    let mut tables: Vec<EntityTable> = design
        .entities
        .iter()
        .map(|entity| {
            let keys = store.table(&entity.table).map(|table| table.schema().key.clone());
            let names = keys.iter().flat_map(|key| key.attributes().map(|it| it.name.to_string()));
            let templates: Vec<(String, KeyTemplate)> = names
                .filter_map(|name| {
                    let template = KeyTemplate::parse(entity.keys.get(&name)?).ok()?;
                    Some((name, template))
                })
                .collect();
            let own = templates.iter().flat_map(|(_, template)| template.slot_names()).last();
            EntityTable {
                name: entity.name.clone(),
                own: own.map(str::to_owned),
                foreign: Vec::new(),
                templates,
            }
        })
        .collect();
    for at in 0..tables.len() {
        let mut foreign: Vec<(String, usize)> = Vec::new();
        for slot in tables[at].templates.iter().flat_map(|(_, template)| template.slot_names()) {
            // The entity whose id it is: the one with the fewest slots, since a junction's last slot is another's id.
            let owner = (0..tables.len())
                .filter(|other| *other != at && tables[*other].own.as_deref() == Some(slot))
                .min_by_key(|other| n_slots(&tables[*other]));
            let Some(owner) = owner else { continue };
            let is_own = tables[at].own.as_deref() == Some(slot)
                && n_slots(&tables[at]) <= n_slots(&tables[owner]);
            if !is_own && foreign.iter().all(|(known, _)| known != slot) {
                foreign.push((slot.to_owned(), owner));
            }
        }
        tables[at].foreign = foreign;
    }
    tables
}

/// Different slots of an entity's keys.
fn n_slots(table: &EntityTable) -> usize {
    let mut names: Vec<&str> =
        table.templates.iter().flat_map(|(_, template)| template.slot_names()).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}
