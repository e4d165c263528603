//! How keys, indexes and settings of a table are spelled in a database's text.
//!
//! Invariant: every part of a [`TableSchema`] and a [`TableState`] is named here once, so that none is lost.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hashrange_types::operation::{IndexDescription, TableDescription};
use hashrange_types::snapshot::SnapshotPartitions;
use hashrange_types::table_state::{
    ContributorInsights, Effect, Encryption, IndexState, InsightsMode, KinesisDestination,
    OnDemandThroughput, PointInTimeRecovery, Replica, ResourcePolicy, RestoreSummary,
    StreamSettings, StreamViewType, TableClass, Tag, ThroughputHistory, TimeToLive, Transition,
};
use hashrange_types::{
    AttributeName, BillingMode, EncodedKey, GlobalSecondaryIndex, IndexName, KeyAttribute,
    KeySchema, LocalSecondaryIndex, Projection, ProvisionedThroughput, ScalarType, TableName,
    TableSchema, TableState, TableStatus, Timestamp,
};
use smol_str::SmolStr;

use crate::fields::Fields;

const SCALARS: &[(&str, ScalarType)] =
    &[("S", ScalarType::S), ("N", ScalarType::N), ("B", ScalarType::B)];
const NO_THROUGHPUT: ProvisionedThroughput = ProvisionedThroughput { read: 0, write: 0 };

#[expect(clippy::unnecessary_wraps, reason = "the other names can be wrong")]
fn attribute_name(text: &str) -> Option<AttributeName> {
    Some(AttributeName::new(text))
}

/// Keys, indexes and billing.
pub(super) fn schema(it: &mut TableSchema, f: &mut Fields<'_>) {
    f.name("name", &mut it.name, TableName::new);
    f.object("key", &mut it.key, key);
    let (name, projection) = (empty_index_name(), Projection::All);
    let local = LocalSecondaryIndex { name, key: empty_key(), projection };
    f.objects("local_indexes", &mut it.local_indexes, &local, |it, f| {
        index(&mut it.name, &mut it.key, &mut it.projection, f);
    });
    let LocalSecondaryIndex { name, key, projection } = local;
    let global = GlobalSecondaryIndex { name, key, projection, throughput: None };
    f.objects("global_indexes", &mut it.global_indexes, &global, |it, f| {
        index(&mut it.name, &mut it.key, &mut it.projection, f);
        f.maybe_object("throughput", &mut it.throughput, NO_THROUGHPUT, throughput);
    });
    billing(&mut it.billing, f);
}

pub(super) fn empty_schema() -> TableSchema {
    TableSchema {
        name: TableName::new("-").expect("a hyphen may stand in a name"),
        key: empty_key(),
        local_indexes: Vec::new(),
        global_indexes: Vec::new(),
        billing: BillingMode::PayPerRequest,
    }
}

pub(super) const fn empty_key() -> KeySchema {
    KeySchema { partition: Vec::new(), sort: Vec::new() }
}

fn empty_index_name() -> IndexName {
    IndexName::new("-").expect("a hyphen may stand in a name")
}

/// The attributes of a key.
pub(super) fn key(it: &mut KeySchema, f: &mut Fields<'_>) {
    let empty = KeyAttribute { name: AttributeName::new(""), scalar: ScalarType::S };
    let attribute = |it: &mut KeyAttribute, f: &mut Fields<'_>| {
        f.name("name", &mut it.name, attribute_name);
        f.word("type", &mut it.scalar, SCALARS);
    };
    f.objects("partition", &mut it.partition, &empty, attribute);
    f.objects("sort", &mut it.sort, &empty, attribute);
    if it.partition.is_empty() {
        f.complain("partition");
    }
}

fn index(
    name: &mut IndexName,
    key_schema: &mut KeySchema,
    projection: &mut Projection,
    f: &mut Fields<'_>,
) {
    f.name("name", name, IndexName::new);
    f.object("key", key_schema, key);
    let (mut kind, included) = match std::mem::replace(projection, Projection::All) {
        Projection::KeysOnly => (0_u8, Vec::new()),
        Projection::Include(names) => (1, names),
        Projection::All => (2, Vec::new()),
    };
    f.word("projection", &mut kind, &[("KEYS_ONLY", 0), ("INCLUDE", 1), ("ALL", 2)]);
    let mut texts = included.iter().map(|name| SmolStr::new(name.as_str())).collect();
    f.texts("included", &mut texts);
    *projection = match kind {
        0 => Projection::KeysOnly,
        1 => Projection::Include(texts.iter().map(|text| AttributeName::new(text)).collect()),
        _ => Projection::All,
    };
}

fn throughput(it: &mut ProvisionedThroughput, f: &mut Fields<'_>) {
    f.count("read", &mut it.read);
    f.count("write", &mut it.write);
}

/// Where partitions begin; their keys are bytes.
pub(super) fn partitions(it: &mut SnapshotPartitions, f: &mut Fields<'_>) {
    f.small_count("n", &mut it.n);
    let base64 = |start: &EncodedKey| SmolStr::new(STANDARD.encode(start.as_bytes()));
    let mut texts = it.starts.iter().map(base64).collect();
    f.texts("starts", &mut texts);
    it.starts.clear();
    for text in texts {
        match STANDARD.decode(text.as_bytes()) {
            // Eight bytes of hash come first in every key.
            Ok(bytes) if bytes.len() >= 8 => it.starts.push(EncodedKey::from_bytes(&bytes)),
            _ => f.complain("starts"),
        }
    }
}

/// Provisioned throughput, or none on demand.
fn billing(it: &mut BillingMode, f: &mut Fields<'_>) {
    let mut provisioned = match *it {
        BillingMode::PayPerRequest => None,
        BillingMode::Provisioned(throughput) => Some(throughput),
    };
    f.maybe_object("throughput", &mut provisioned, NO_THROUGHPUT, throughput);
    *it = provisioned.map_or(BillingMode::PayPerRequest, BillingMode::Provisioned);
}

/// Everything else about a table.
pub(super) fn state(it: &mut TableState, f: &mut Fields<'_>) {
    f.word("status", &mut it.status, TableStatus::ALL);
    let empty = Transition { at: Timestamp(0), effect: Effect::TableActive };
    f.objects("transitions", &mut it.transitions, &empty, transition);
    let mut indexes: Vec<_> = std::mem::take(&mut it.indexes).into_iter().collect();
    let empty = (empty_index_name(), IndexState::active(NO_THROUGHPUT));
    f.objects("indexes", &mut indexes, &empty, index_state);
    it.indexes.extend(indexes);
    history(&mut it.throughput, f);
    f.maybe_time("on_demand_since", &mut it.on_demand_since);
    maximum(&mut it.on_demand_maximum, f);
    f.object("warm", &mut it.warm, throughput);
    f.word("class", &mut it.class, TableClass::ALL);
    let mut changes: Vec<i64> = it.class_changes.iter().map(|at| at.0).collect();
    f.wholes("class_changes", &mut changes);
    it.class_changes = changes.into_iter().map(Timestamp).collect();
    f.flag("is_protected", &mut it.is_protected);
    f.maybe_time("protection_changed_at", &mut it.protection_changed_at);
    time_to_live(&mut it.time_to_live, f);
    options(it, f);
    lists(it, f);
}

/// Settings that a table may have.
fn options(it: &mut TableState, f: &mut Fields<'_>) {
    let empty = StreamSettings { label: SmolStr::default(), view_type: None };
    f.maybe_object("stream", &mut it.stream, empty, |it, f| {
        f.text("label", &mut it.label);
        f.maybe_word("view_type", &mut it.view_type, StreamViewType::ALL);
    });
    let empty = Encryption { is_updating: false, key: SmolStr::default() };
    f.maybe_object("encryption", &mut it.encryption, empty, |it, f| {
        f.flag("is_updating", &mut it.is_updating);
        f.text("key", &mut it.key);
    });
    let empty = PointInTimeRecovery { enabled_at: Timestamp(0), period_days: 0 };
    f.maybe_object("recovery", &mut it.recovery, empty, |it, f| {
        f.time("enabled_at", &mut it.enabled_at);
        f.small_count("period_days", &mut it.period_days);
    });
    let policy = |it: &mut ResourcePolicy, f: &mut Fields<'_>| {
        f.text("text", &mut it.text);
        f.text("revision", &mut it.revision);
    };
    let empty = ResourcePolicy { text: SmolStr::default(), revision: SmolStr::default() };
    f.maybe_object("policy", &mut it.policy, empty.clone(), policy);
    f.maybe_object("stream_policy", &mut it.stream_policy, empty, policy);
    let (table, restored_to) = (SmolStr::default(), Timestamp(0));
    let empty = RestoreSummary { backup: None, table, restored_to };
    f.maybe_object("restore", &mut it.restore, empty, |it, f| {
        f.maybe_text("backup", &mut it.backup);
        f.text("table", &mut it.table);
        f.time("restored_to", &mut it.restored_to);
    });
}

/// Settings of which a table may have several.
fn lists(it: &mut TableState, f: &mut Fields<'_>) {
    let empty = Tag { key: SmolStr::default(), value: SmolStr::default() };
    f.objects("tags", &mut it.tags, &empty, |it, f| {
        f.text("key", &mut it.key);
        f.text("value", &mut it.value);
    });
    let empty = ContributorInsights {
        index: None,
        is_enabled: false,
        mode: InsightsMode::Throttled,
        updated_at: Timestamp(0),
    };
    f.objects("insights", &mut it.insights, &empty, |it, f| {
        f.maybe_name("index", &mut it.index, IndexName::new);
        f.flag("is_enabled", &mut it.is_enabled);
        f.word("mode", &mut it.mode, InsightsMode::ALL);
        f.time("updated_at", &mut it.updated_at);
    });
    let stream_arn = SmolStr::default();
    let empty = KinesisDestination { stream_arn, is_active: false, precision: None };
    f.objects("kinesis", &mut it.kinesis, &empty, |it, f| {
        f.text("stream_arn", &mut it.stream_arn);
        f.flag("is_active", &mut it.is_active);
        f.maybe_text("precision", &mut it.precision);
    });
    let empty = Replica { region: SmolStr::default(), status: TableStatus::Active };
    f.objects("replicas", &mut it.replicas, &empty, |it, f| {
        f.text("region", &mut it.region);
        f.word("status", &mut it.status, TableStatus::ALL);
    });
}

fn history(it: &mut ThroughputHistory, f: &mut Fields<'_>) {
    f.maybe_time("last_increase", &mut it.last_increase);
    f.maybe_time("last_decrease", &mut it.last_decrease);
    f.small_count("n_decreases", &mut it.n_decreases);
}

fn maximum(it: &mut OnDemandThroughput, f: &mut Fields<'_>) {
    f.maybe_whole("maximum_read", &mut it.read);
    f.maybe_whole("maximum_write", &mut it.write);
}

fn time_to_live(it: &mut TimeToLive, f: &mut Fields<'_>) {
    f.maybe_name("ttl_attribute", &mut it.attribute, attribute_name);
    f.maybe_time("ttl_changed_at", &mut it.changed_at);
    f.maybe_time("ttl_next_sweep", &mut it.next_sweep);
}

fn index_state((name, it): &mut (IndexName, IndexState), f: &mut Fields<'_>) {
    f.name("name", name, IndexName::new);
    f.word("status", &mut it.status, TableStatus::ALL);
    f.flag("is_backfilling", &mut it.is_backfilling);
    history(&mut it.throughput, f);
    maximum(&mut it.on_demand_maximum, f);
    f.object("warm", &mut it.warm, throughput);
}

/// An effect in parts: which it is, the index or Region it is about, and what it brings.
#[derive(Default)]
struct EffectParts {
    kind: u8,
    name: Option<SmolStr>,
    throughput: Option<ProvisionedThroughput>,
    class: Option<TableClass>,
    is_default: bool,
}

const EFFECTS: &[(&str, u8)] = &[
    ("TableActive", 0),
    ("TableGone", 1),
    ("Billing", 2),
    ("IndexThroughput", 3),
    ("IndexBackfills", 4),
    ("IndexActive", 5),
    ("IndexGone", 6),
    ("EncryptionSettled", 7),
    ("Warm", 8),
    ("Class", 9),
    ("ReplicaActive", 10),
    ("ReplicaGone", 11),
];

impl EffectParts {
    fn of(effect: &Effect) -> Self {
        let mut parts = Self::default();
        let index = |index: &IndexName| Some(SmolStr::new(index.as_str()));
        parts.kind = match effect {
            Effect::TableActive => 0,
            Effect::TableGone => 1,
            Effect::Billing(BillingMode::PayPerRequest) => 2,
            Effect::Billing(BillingMode::Provisioned(throughput)) => {
                parts.throughput = Some(*throughput);
                2
            }
            Effect::IndexThroughput(name, throughput) => {
                (parts.name, parts.throughput) = (index(name), *throughput);
                3
            }
            Effect::IndexBackfills(name) => {
                parts.name = index(name);
                4
            }
            Effect::IndexActive(name) => {
                parts.name = index(name);
                5
            }
            Effect::IndexGone(name) => {
                parts.name = index(name);
                6
            }
            Effect::EncryptionSettled { is_default } => {
                parts.is_default = *is_default;
                7
            }
            Effect::Warm(throughput) => {
                parts.throughput = Some(*throughput);
                8
            }
            Effect::Class(class) => {
                parts.class = Some(*class);
                9
            }
            Effect::ReplicaActive(region) => {
                parts.name = Some(region.clone());
                10
            }
            Effect::ReplicaGone(region) => {
                parts.name = Some(region.clone());
                11
            }
        };
        parts
    }

    fn effect(self) -> Option<Effect> {
        let Self { kind, name, throughput, class, is_default } = self;
        let index = || name.as_deref().and_then(IndexName::new);
        Some(match kind {
            0 => Effect::TableActive,
            1 => Effect::TableGone,
            2 => Effect::Billing(
                throughput.map_or(BillingMode::PayPerRequest, BillingMode::Provisioned),
            ),
            3 => Effect::IndexThroughput(index()?, throughput),
            4 => Effect::IndexBackfills(index()?),
            5 => Effect::IndexActive(index()?),
            6 => Effect::IndexGone(index()?),
            7 => Effect::EncryptionSettled { is_default },
            8 => Effect::Warm(throughput?),
            9 => Effect::Class(class?),
            10 => Effect::ReplicaActive(name?),
            _ => Effect::ReplicaGone(name?),
        })
    }
}

fn transition(it: &mut Transition, f: &mut Fields<'_>) {
    let mut parts = EffectParts::of(&it.effect);
    f.time("at", &mut it.at);
    f.word("effect", &mut parts.kind, EFFECTS);
    f.maybe_text("name", &mut parts.name);
    f.maybe_object("throughput", &mut parts.throughput, NO_THROUGHPUT, throughput);
    f.maybe_word("class", &mut parts.class, TableClass::ALL);
    f.flag("is_default", &mut parts.is_default);
    match parts.effect() {
        Some(effect) => it.effect = effect,
        None => f.complain("effect"),
    }
}

/// A table as it was described once.
pub(super) fn description(it: &mut TableDescription, f: &mut Fields<'_>) {
    f.object("schema", &mut it.schema, schema);
    f.word("status", &mut it.status, TableStatus::ALL);
    f.object("state", Arc::make_mut(&mut it.state), state);
    f.time("now", &mut it.now);
    f.time("created_at", &mut it.created_at);
    let mut id = SmolStr::new(&it.table_id);
    f.text("table_id", &mut id);
    it.table_id = id.to_string();
    f.count("item_count", &mut it.item_count);
    f.count("size_bytes", &mut it.size_bytes);
    let empty = IndexDescription { name: empty_index_name(), item_count: 0, size_bytes: 0 };
    f.objects("indexes", &mut it.indexes, &empty, |it, f| {
        f.name("name", &mut it.name, IndexName::new);
        f.count("item_count", &mut it.item_count);
        f.count("size_bytes", &mut it.size_bytes);
    });
}
