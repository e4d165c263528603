//! Keys and indexes that could answer a read, and the Query that asks them.
//!
//! Invariant: a candidate's Query returns, on the sample, what the read returns now; DynamoDB would accept it.
//!
//! Not here: what an index costs ([`super::cost`]), which candidate is worth it ([`super::suggest`]).

use hashrange_engine::{create_table, plan};
use hashrange_storage::{KeyRange, Row, Store, Table};
use hashrange_types::letter_case;
use hashrange_types::schema::IndexSchema;
use hashrange_types::{
    AttributeName, AttributeValue, GlobalSecondaryIndex, IndexName, Item, KeyAttribute, KeySchema,
    LocalSecondaryIndex, Operation, Projection, ScalarType, TableSchema, Timestamp,
};
use serde_json::{Map, Value};

use super::terms::{Terms, What, placeholders};
use crate::document::Design;
use crate::fix::IndexPlan;

/// Rows looked at; of a larger table nothing is suggested.
const ROWS_MAX: usize = 100_000;

/// A key that could answer.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The index; none for the table's own key.
    pub(super) index: Option<IndexPlan>,
    /// True if the design has it already.
    pub(super) is_there: bool,
    /// An attribute that items would have to carry first.
    pub(super) needs_attribute: Option<String>,
    /// True if only the sample says that its entries are the items wanted.
    pub(super) is_by_sample: bool,
    /// Conditions that become the key condition.
    key_terms: Vec<usize>,
    /// Conditions that stay a filter.
    filter_terms: Vec<usize>,
    /// Bytes and number of the entries read.
    pub(super) bytes: u64,
    n_read: usize,
}

/// The rows a read could concern, and which of them it returns.
pub(super) struct Sample<'a> {
    pub(super) table: &'a Table,
    rows: Vec<(&'a Row, bool)>,
}

impl<'a> Sample<'a> {
    /// The item collection that a Query reads, or all that a Scan does. None if that is too much.
    pub(super) fn of(store: &'a Store, terms: &Terms) -> Option<Self> {
        let table = store.table(terms.table.as_str())?;
        let schema = table.schema();
        let (tree, key) = match &terms.index {
            Some(index) => (table.index(index.as_str())?, schema.index(index.as_str())?.key),
            None => (table.items(), &schema.key),
        };
        let range = if terms.is_scan {
            KeyRange::all()
        } else {
            KeyRange::starting_with(&key.encode_partition(&values(terms, key)?)?)
        };
        let mut rows = Vec::new();
        for (_, row) in tree.range(&range, true) {
            if rows.len() >= ROWS_MAX {
                return None;
            }
            let base = schema.key.encode(&row.item).and_then(|key| table.get(&key));
            let row = base.unwrap_or(row);
            rows.push((row, terms.hold(&row.item)));
        }
        Some(Self { table, rows })
    }

    pub(super) fn n_rows(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn n_returned(&self) -> usize {
        self.rows.iter().filter(|(_, is_returned)| *is_returned).count()
    }

    /// Attributes that all returned items carry and no other: what a sparse index could be made of.
    fn telling_attributes(&self) -> Vec<(String, ScalarType)> {
        let Some((first, _)) = self.rows.iter().find(|(_, is_returned)| *is_returned) else {
            return Vec::new();
        };
        let tells = |name: &AttributeName| {
            let name = name.as_str();
            self.rows.iter().all(|(row, is_returned)| row.item.contains(name) == *is_returned)
        };
        let scalars = first.item.iter().filter(|(name, _)| tells(name));
        scalars.filter_map(|(name, value)| Some((name.to_string(), value.scalar_type()?))).collect()
    }
}

/// Values of the partition attributes of `key`, as far as the conditions fix them.
fn values(terms: &Terms, key: &KeySchema) -> Option<Item> {
    let value = |attribute: &KeyAttribute| {
        let (_, value) = terms.equal(attribute.name.as_str())?;
        (value.scalar_type() == Some(attribute.scalar))
            .then(|| (attribute.name.clone(), value.clone()))
    };
    key.partition.iter().map(value).collect()
}

/// Every key that would answer: those that are there, then those that could be.
pub(super) fn candidates(sample: &Sample<'_>, terms: &Terms) -> Vec<Candidate> {
    let mut found = existing(sample, terms);
    let schema = sample.table.schema();
    for plan in plans(sample, terms) {
        let Some(with) = with_index(schema, &plan) else { continue };
        let Some(index) = with.index(&plan.name) else { continue };
        let Some(mut candidate) = fit(terms, Some(plan.clone()), index.key) else { continue };
        let mut is_whole = true;
        for (row, is_returned) in &sample.rows {
            let is_read = candidate.key_terms.iter().all(|at| terms.all[*at].holds(&row.item));
            // Making an entry costs more than finding out that it is not read.
            let entry = if is_read { index.entry(&with, &row.item) } else { None };
            match entry {
                Some(entry) => {
                    candidate.n_read += 1;
                    candidate.bytes += u64::from(entry.size_bytes());
                }
                None => is_whole &= !is_returned,
            }
        }
        if is_whole {
            candidate.is_by_sample = candidate.n_read == sample.n_returned()
                && plan.sort.as_ref().is_some_and(|(sort, _)| terms.sortable(sort).is_none());
            if candidate.is_by_sample {
                candidate.filter_terms.clear();
            }
            found.push(candidate);
        }
    }
    found.extend(marked(sample, terms));
    found
}

/// The table's own key and the indexes that are there.
fn existing(sample: &Sample<'_>, terms: &Terms) -> Vec<Candidate> {
    let schema = sample.table.schema();
    let mut found = Vec::new();
    if terms.index.is_some() || terms.is_scan {
        let own = fit(terms, None, &schema.key).and_then(|mut candidate| {
            let prefix = schema.key.encode_partition(&values(terms, &schema.key)?)?;
            for (_, row) in sample.table.items().range(&KeyRange::starting_with(&prefix), true) {
                if candidate.key_terms.iter().all(|at| terms.all[*at].holds(&row.item)) {
                    candidate.n_read += 1;
                    candidate.bytes += u64::from(row.size_bytes);
                }
            }
            Some(candidate)
        });
        found.extend(own);
    }
    let others = schema.indexes().filter(|index| Some(index.name) != terms.index.as_ref());
    for index in others.filter(|index| index.is_local || !terms.is_consistent) {
        found.extend(existing_index(sample, terms, index));
    }
    found
}

fn existing_index(sample: &Sample<'_>, terms: &Terms, index: IndexSchema<'_>) -> Option<Candidate> {
    let schema = sample.table.schema();
    let scalars = |attributes: &[KeyAttribute]| -> Vec<(String, ScalarType)> {
        attributes.iter().map(|it| (it.name.to_string(), it.scalar)).collect()
    };
    let plan = IndexPlan {
        name: index.name.to_string(),
        is_local: index.is_local,
        partition: scalars(&index.key.partition),
        sort: scalars(&index.key.sort).into_iter().next(),
        projection: index.projection.clone(),
    };
    let mut candidate = fit(terms, Some(plan), index.key)?;
    candidate.is_there = true;
    let prefix = index.key.encode_partition(&values(terms, index.key)?)?;
    let mut n_wanted = 0;
    let tree = sample.table.index(index.name.as_str())?;
    for (_, row) in tree.range(&KeyRange::starting_with(&prefix), true).take(ROWS_MAX) {
        let base = schema.key.encode(&row.item).and_then(|key| sample.table.get(&key))?;
        if candidate.key_terms.iter().all(|at| terms.all[*at].holds(&base.item)) {
            candidate.n_read += 1;
            candidate.bytes += u64::from(row.size_bytes);
            n_wanted += usize::from(terms.hold(&base.item));
        }
    }
    // Items that never enter the index would be missed.
    if n_wanted != sample.n_returned() {
        return None;
    }
    let lacks = |name: &AttributeName| !index.projects(schema, name.as_str());
    let is_filter_there =
        candidate.filter_terms.iter().all(|at| !terms.all[*at].attributes().any(lacks));
    let is_exact = candidate.n_read == n_wanted;
    if !is_filter_there || (is_exact && candidate.has_free_sort(terms)) {
        if !is_exact {
            return None;
        }
        candidate.is_by_sample = !candidate.filter_terms.is_empty();
        candidate.filter_terms.clear();
    }
    Some(candidate)
}

impl Candidate {
    /// True if nothing is asked of its sort key, so that only who is in the index tells items apart.
    fn has_free_sort(&self, terms: &Terms) -> bool {
        let sort = self.index.as_ref().and_then(|index| index.sort.as_ref());
        sort.is_some_and(|(sort, _)| terms.sortable(sort).is_none())
    }

    /// The Query that asks it, made from the read's own request.
    pub(super) fn request(&self, terms: &Terms, old: &Value) -> Option<Value> {
        let join = |terms_at: &[usize]| {
            let texts: Vec<&str> = terms_at.iter().map(|at| terms.all[*at].text.as_str()).collect();
            texts.join(" AND ")
        };
        let mut request: Map<String, Value> = old.as_object()?.clone();
        for gone in
            ["Segment", "TotalSegments", "ExclusiveStartKey", "FilterExpression", "IndexName"]
        {
            request.shift_remove(gone);
        }
        if let Some(index) = &self.index {
            request.insert("IndexName".to_owned(), index.name.as_str().into());
        }
        request.insert("KeyConditionExpression".to_owned(), join(&self.key_terms).into());
        if !self.filter_terms.is_empty() {
            request.insert("FilterExpression".to_owned(), join(&self.filter_terms).into());
        }
        let mut used: Vec<String> = Vec::new();
        for member in ["KeyConditionExpression", "FilterExpression", "ProjectionExpression"] {
            let text = request.get(member).and_then(Value::as_str).unwrap_or_default();
            used.extend(placeholders(text).map(str::to_owned));
        }
        for member in ["ExpressionAttributeNames", "ExpressionAttributeValues"] {
            let Some(Value::Object(map)) = request.get_mut(member) else { continue };
            map.retain(|name, _| used.iter().any(|it| it == name));
            if map.is_empty() {
                request.shift_remove(member);
            }
        }
        Some(Value::Object(request))
    }
}

/// True if the tables of `design` take the request.
pub(super) fn is_accepted(design: &Design, request: &Value) -> bool {
    let mut store = Store::default();
    for table in &design.tables {
        let made = hashrange_wire::decode(Operation::CreateTable, &table.to_string())
            .and_then(|table| create_table(&mut store, table, Timestamp(0)));
        if made.is_err() {
            return false;
        }
    }
    hashrange_wire::decode(Operation::Query, &request.to_string())
        .and_then(|request| plan(&store, request))
        .is_ok()
}

/// Which conditions a key takes; none if its partition is not fixed by them.
fn fit(terms: &Terms, index: Option<IndexPlan>, key: &KeySchema) -> Option<Candidate> {
    let mut key_terms = Vec::new();
    for attribute in &key.partition {
        let (at, value) = terms.equal(attribute.name.as_str())?;
        if value.scalar_type() != Some(attribute.scalar) {
            return None;
        }
        key_terms.push(at);
    }
    for attribute in &key.sort {
        let Some(at) = terms.sortable(attribute.name.as_str()) else { break };
        key_terms.push(at);
        if !matches!(terms.all[at].what, What::Equal(..)) {
            break;
        }
    }
    let exists = |at: usize| match &terms.all[at].what {
        What::Exists(name) => key.contains(name.as_str()),
        _ => false,
    };
    let filter_terms: Vec<usize> =
        (0..terms.all.len()).filter(|at| !key_terms.contains(at) && !exists(*at)).collect();
    // A filter may not name the key of what it reads.
    let names_key = |at: &usize| key.attributes().any(|it| terms.all[*at].names(it.name.as_str()));
    if filter_terms.iter().any(names_key) {
        return None;
    }
    Some(Candidate {
        index,
        is_there: false,
        needs_attribute: None,
        is_by_sample: false,
        key_terms,
        filter_terms,
        bytes: 0,
        n_read: 0,
    })
}

/// Indexes the design could have: by what the filter compares, or by an attribute that only the items wanted carry.
fn plans(sample: &Sample<'_>, terms: &Terms) -> Vec<IndexPlan> {
    let schema = sample.table.schema();
    let mut sorts: Vec<(String, ScalarType)> = Vec::new();
    let mut partitions: Vec<(String, ScalarType)> = Vec::new();
    for term in &terms.all {
        match &term.what {
            What::Equal(name, value) => {
                let scalar = value.scalar_type().unwrap_or(ScalarType::S);
                partitions.push((name.to_string(), scalar));
                sorts.push((name.to_string(), scalar));
            }
            What::Range(name, range) => {
                let scalar = range.values().next().and_then(AttributeValue::scalar_type);
                sorts.push((name.to_string(), scalar.unwrap_or(ScalarType::S)));
            }
            What::Exists(_) | What::Other => {}
        }
    }
    sorts.extend(sample.telling_attributes());
    let mut found = Vec::new();
    if terms.is_scan {
        for partition in &partitions {
            let other = sorts.iter().find(|sort| sort.0 != partition.0).cloned();
            found.push((vec![partition.clone()], other));
        }
    } else {
        let read = terms.index.as_ref().and_then(|index| schema.index(index.as_str()));
        let key = read.map_or(&schema.key, |index| index.key);
        let partition: Vec<(String, ScalarType)> =
            key.partition.iter().map(|it| (it.name.to_string(), it.scalar)).collect();
        for sort in sorts {
            if !key.contains(&sort.0) {
                found.push((partition.clone(), Some(sort)));
            }
        }
    }
    let is_local = terms.is_consistent;
    found
        .into_iter()
        .filter(|(partition, _)| {
            let own = schema.key.partition.iter().map(|it| it.name.as_str());
            !is_local || partition.iter().map(|it| it.0.as_str()).eq(own)
        })
        .map(|(partition, sort)| {
            let by = sort.as_ref().filter(|_| !terms.is_scan).unwrap_or(&partition[0]);
            IndexPlan {
                name: free_name(schema, "by", &by.0),
                is_local,
                projection: projection(terms, &partition, sort.as_ref()),
                partition,
                sort,
            }
        })
        .collect()
}

/// A sparse index on an attribute that items do not carry yet: the application would set it on those wanted alone.
fn marked(sample: &Sample<'_>, terms: &Terms) -> Option<Candidate> {
    let n_returned = sample.n_returned();
    if terms.is_scan || terms.is_consistent || n_returned == 0 || n_returned * 5 > sample.rows.len()
    {
        return None;
    }
    let schema = sample.table.schema();
    let read = terms.index.as_ref().and_then(|index| schema.index(index.as_str()));
    let key = read.map_or(&schema.key, |index| index.key);
    let value = terms.all.iter().find_map(|term| match &term.what {
        What::Equal(name, value) if !key.contains(name.as_str()) => {
            Some(crate::words::value(value))
        }
        _ => None,
    })?;
    let is_carried = |name: &str| sample.rows.iter().any(|(row, _)| row.item.contains(name));
    let attribute = capitalised("is", &value);
    if attribute == "is" || is_carried(&attribute) || !sample.telling_attributes().is_empty() {
        return None;
    }
    let mut candidate = fit(terms, None, &KeySchema { sort: Vec::new(), ..key.clone() })?;
    let partition: Vec<(String, ScalarType)> =
        key.partition.iter().map(|it| (it.name.to_string(), it.scalar)).collect();
    candidate.index = Some(IndexPlan {
        name: free_name(schema, "", &attribute),
        is_local: false,
        projection: Projection::All,
        partition,
        sort: Some((attribute.clone(), ScalarType::S)),
    });
    candidate.needs_attribute = Some(attribute);
    candidate.filter_terms.clear();
    candidate.n_read = n_returned;
    let returned = sample.rows.iter().filter(|(_, is_returned)| *is_returned);
    candidate.bytes = returned.map(|(row, _)| u64::from(row.size_bytes)).sum();
    Some(candidate)
}

/// What the entries must hold: everything, unless the read asks for some attributes.
fn projection(
    terms: &Terms,
    partition: &[(String, ScalarType)],
    sort: Option<&(String, ScalarType)>,
) -> Projection {
    let Some(projected) = &terms.projected else { return Projection::All };
    let is_key =
        |name: &AttributeName| partition.iter().chain(sort).any(|(key, _)| key == name.as_str());
    let mut names: Vec<AttributeName> = Vec::new();
    let filtered = terms.all.iter().flat_map(super::terms::Term::attributes);
    for name in projected.iter().chain(filtered) {
        if !is_key(name) && !names.contains(name) {
            names.push(name.clone());
        }
    }
    if names.is_empty() { Projection::KeysOnly } else { Projection::Include(names) }
}

/// The table's schema with the index added; none if its name cannot be one.
pub(crate) fn with_index(schema: &TableSchema, plan: &IndexPlan) -> Option<TableSchema> {
    let attributes = |keys: &[(String, ScalarType)]| -> Vec<KeyAttribute> {
        let attribute = |(name, scalar): &(String, ScalarType)| KeyAttribute {
            name: name.as_str().into(),
            scalar: *scalar,
        };
        keys.iter().map(attribute).collect()
    };
    let key = KeySchema {
        partition: attributes(&plan.partition),
        sort: attributes(plan.sort.as_slice()),
    };
    let name = IndexName::new(&plan.name)?;
    let projection = plan.projection.clone();
    let mut with = schema.clone();
    if plan.is_local {
        with.local_indexes.push(LocalSecondaryIndex { name, key, projection });
    } else {
        with.global_indexes.push(GlobalSecondaryIndex { name, key, projection, throughput: None });
    }
    Some(with)
}

/// `byStatus`, or the first of `byStatus2` and so on that no index has; characters a name cannot hold are left out.
fn free_name(schema: &TableSchema, prefix: &str, attribute: &str) -> String {
    let mut name =
        if prefix.is_empty() { attribute.to_owned() } else { capitalised(prefix, attribute) };
    name.retain(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.'));
    // An index name has three characters at least.
    while name.len() < 3 {
        name.push('x');
    }
    name.truncate(200);
    if schema.index(&name).is_none() {
        return name;
    }
    crate::numbered::numbered(&name, "", |it| schema.index(it).is_none())
}

/// `is` and `ON_HOLD` make `isOnHold`.
fn capitalised(prefix: &str, text: &str) -> String {
    let mut name = prefix.to_owned();
    let is_shouting = !text.chars().any(letter_case::is_small);
    let mut begins_word = true;
    for character in text.chars() {
        if !character.is_alphanumeric() {
            begins_word = true;
        } else if begins_word {
            name.push(letter_case::capital(character));
            begins_word = false;
        } else if is_shouting {
            name.push(letter_case::small(character));
        } else {
            name.push(character);
        }
    }
    name
}
