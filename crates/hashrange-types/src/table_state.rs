//! `TableState`: where a table is in its life, and its settings apart from keys and indexes.
//!
//! Invariant: a state is a value; what time brings stands in `transitions`, in the order it comes due. Nothing
//! here decides (`hashrange-engine`), keys and indexes are a [`TableSchema`](crate::TableSchema).
//!
//! Source: facts 3.8 to 3.12.

use smol_str::SmolStr;

use crate::name::{AttributeName, IndexName};
use crate::schema::{BillingMode, ProvisionedThroughput};
use crate::sorted::SortedMap;
use crate::units::Timestamp;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident => $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            /// Every value with DynamoDB's word for it.
            pub const ALL: &[(&'static str, Self)] = &[$(($word, Self::$variant)),*];

            /// DynamoDB's word for it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }
    };
}

words! {
    /// Where a table or index is in its life.
    TableStatus {
        /// Being made.
        Creating => "CREATING",
        /// Being changed; data operations work.
        Updating => "UPDATING",
        /// Being removed.
        Deleting => "DELETING",
        /// Ready.
        Active => "ACTIVE",
    }
}

words! {
    /// What a stream's records hold besides the key.
    StreamViewType {
        /// The item as it is now.
        NewImage => "NEW_IMAGE",
        /// The item as it was.
        OldImage => "OLD_IMAGE",
        /// Both.
        NewAndOldImages => "NEW_AND_OLD_IMAGES",
        /// Nothing else.
        KeysOnly => "KEYS_ONLY",
    }
}

words! {
    /// How storage is paid for.
    TableClass {
        /// DynamoDB Standard.
        Standard => "STANDARD",
        /// DynamoDB Standard-Infrequent Access.
        InfrequentAccess => "STANDARD_INFREQUENT_ACCESS",
    }
}

words! {
    /// What contributor insights count.
    InsightsMode {
        /// Accessed and throttled keys.
        AccessedAndThrottled => "ACCESSED_AND_THROTTLED_KEYS",
        /// Throttled keys alone.
        Throttled => "THROTTLED_KEYS",
    }
}

/// The most that on-demand requests may use, in request units a second; none for no maximum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OnDemandThroughput {
    /// MaxReadRequestUnits.
    pub read: Option<i64>,
    /// MaxWriteRequestUnits.
    pub write: Option<i64>,
}

/// When capacity was raised and lowered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ThroughputHistory {
    /// When it was raised last.
    pub last_increase: Option<Timestamp>,
    /// When it was lowered last.
    pub last_decrease: Option<Timestamp>,
    /// How often it was lowered on the UTC day of `last_decrease`.
    pub n_decreases: u32,
}

impl ThroughputHistory {
    /// How often it was lowered on the UTC day of `now`.
    pub fn decreases_today(&self, now: Timestamp) -> u32 {
        match self.last_decrease {
            Some(last) if last.day() == now.day() => self.n_decreases,
            _ => 0,
        }
    }
}

/// The state of one global index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexState {
    /// Where it is in its life.
    pub status: TableStatus,
    /// While it is being made: true once it is being filled.
    pub is_backfilling: bool,
    /// When its capacity was changed.
    pub throughput: ThroughputHistory,
    /// What its requests may use at most.
    pub on_demand_maximum: OnDemandThroughput,
    /// Throughput it can serve at once.
    pub warm: ProvisionedThroughput,
}

/// The stream a table writes now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamSettings {
    /// Label of the stream, an ISO time.
    pub label: SmolStr,
    /// What its records hold; none once it is switched off and only the label lingers.
    pub view_type: Option<StreamViewType>,
}

/// Encryption with a key that is not DynamoDB's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encryption {
    /// True while a change is under way.
    pub is_updating: bool,
    /// ARN of the key, or what an ARN of the database's own Region ends in: `key/…` or `alias/…`.
    pub key: SmolStr,
}

/// Expiry of items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimeToLive {
    /// The attribute with the expiry time; none while expiry is off.
    pub attribute: Option<AttributeName>,
    /// When it was switched on or off last.
    pub changed_at: Option<Timestamp>,
    /// When expired items are looked for next.
    pub next_sweep: Option<Timestamp>,
}

/// Point-in-time recovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointInTimeRecovery {
    /// When it was enabled; nothing before can be restored.
    pub enabled_at: Timestamp,
    /// Days it reaches back, 1 to 35.
    pub period_days: u32,
}

/// A tag of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Its key, 1 to 128 characters.
    pub key: SmolStr,
    /// Its value, up to 256 characters.
    pub value: SmolStr,
}

/// A resource policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourcePolicy {
    /// The policy's JSON, as sent.
    pub text: SmolStr,
    /// Names this state of the policy.
    pub revision: SmolStr,
}

/// A Kinesis stream that item changes would go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KinesisDestination {
    /// ARN of the Kinesis stream.
    pub stream_arn: SmolStr,
    /// True while item changes go there.
    pub is_active: bool,
    /// `MILLISECOND` or `MICROSECOND`, where it was said.
    pub precision: Option<SmolStr>,
}

/// A copy of the table in another Region. Kept as state only: nothing is replicated here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replica {
    /// The Region.
    pub region: SmolStr,
    /// Where the copy is in its life.
    pub status: TableStatus,
}

/// Contributor insights of a table or of one of its indexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContributorInsights {
    /// The index; none for the table.
    pub index: Option<IndexName>,
    /// True if they are enabled.
    pub is_enabled: bool,
    /// What they count.
    pub mode: InsightsMode,
    /// When they were changed last.
    pub updated_at: Timestamp,
}

/// Where a restored table came from; shown while it is being restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreSummary {
    /// The backup, as the part of its ARN after the account; none for a point in time.
    pub backup: Option<SmolStr>,
    /// The source table.
    pub table: SmolStr,
    /// The moment restored.
    pub restored_to: Timestamp,
}

/// Something that time brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// When.
    pub at: Timestamp,
    /// What.
    pub effect: Effect,
}

/// What a transition does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// The table is ready.
    TableActive,
    /// The table goes.
    TableGone,
    /// Billing and capacity are as asked for.
    Billing(BillingMode),
    /// Capacity of an index is as asked for.
    IndexThroughput(IndexName, Option<ProvisionedThroughput>),
    /// A new index begins to be filled.
    IndexBackfills(IndexName),
    /// An index is ready.
    IndexActive(IndexName),
    /// An index goes.
    IndexGone(IndexName),
    /// A change of encryption is done; true if the key is DynamoDB's own again.
    EncryptionSettled {
        /// True if the key is DynamoDB's own again.
        is_default: bool,
    },
    /// The table is as warm as asked for.
    Warm(ProvisionedThroughput),
    /// A storage class is as asked for.
    Class(TableClass),
    /// A replica is ready.
    ReplicaActive(SmolStr),
    /// A replica goes.
    ReplicaGone(SmolStr),
}

/// Everything about a table except its keys, indexes and items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableState {
    /// Where it is in its life.
    pub status: TableStatus,
    /// What time will bring, soonest first.
    pub transitions: Vec<Transition>,
    /// States of its global indexes.
    pub indexes: SortedMap<IndexName, IndexState>,
    /// When its capacity was changed.
    pub throughput: ThroughputHistory,
    /// When it became an on-demand table last.
    pub on_demand_since: Option<Timestamp>,
    /// What its requests may use at most.
    pub on_demand_maximum: OnDemandThroughput,
    /// Throughput it can serve at once. Never shrinks.
    pub warm: ProvisionedThroughput,
    /// Its latest stream.
    pub stream: Option<StreamSettings>,
    /// Its storage class.
    pub class: TableClass,
    /// When the class was changed, oldest first.
    pub class_changes: Vec<Timestamp>,
    /// True if it cannot be deleted.
    pub is_protected: bool,
    /// When that was changed last.
    pub protection_changed_at: Option<Timestamp>,
    /// Encryption, unless with DynamoDB's own key.
    pub encryption: Option<Encryption>,
    /// Expiry of items.
    pub time_to_live: TimeToLive,
    /// Point-in-time recovery, if it is on.
    pub recovery: Option<PointInTimeRecovery>,
    /// Tags in the order they were set.
    pub tags: Vec<Tag>,
    /// Its policy.
    pub policy: Option<ResourcePolicy>,
    /// Policy of its stream.
    pub stream_policy: Option<ResourcePolicy>,
    /// Contributor insights of the table and its indexes, as far as they were ever set.
    pub insights: Vec<ContributorInsights>,
    /// Kinesis streams.
    pub kinesis: Vec<KinesisDestination>,
    /// Copies in other Regions.
    pub replicas: Vec<Replica>,
    /// Where it came from, while it is being restored.
    pub restore: Option<RestoreSummary>,
}

/// Throughput a new on-demand table or index is warm for.
pub const ON_DEMAND_WARM: ProvisionedThroughput =
    ProvisionedThroughput { read: 12_000, write: 4_000 };

/// The throughput a new table of this billing is warm for.
pub const fn warm_for(billing: BillingMode) -> ProvisionedThroughput {
    match billing {
        BillingMode::PayPerRequest => ON_DEMAND_WARM,
        BillingMode::Provisioned(throughput) => throughput,
    }
}

impl IndexState {
    /// An index that is ready.
    pub const fn active(warm: ProvisionedThroughput) -> Self {
        Self {
            status: TableStatus::Active,
            is_backfilling: false,
            throughput: ThroughputHistory {
                last_increase: None,
                last_decrease: None,
                n_decreases: 0,
            },
            on_demand_maximum: OnDemandThroughput { read: None, write: None },
            warm,
        }
    }
}

impl TableState {
    /// A table that is ready, without any option.
    pub fn active(billing: BillingMode, created_at: Timestamp) -> Self {
        Self {
            status: TableStatus::Active,
            transitions: Vec::new(),
            indexes: SortedMap::new(),
            throughput: ThroughputHistory::default(),
            on_demand_since: (billing == BillingMode::PayPerRequest).then_some(created_at),
            on_demand_maximum: OnDemandThroughput::default(),
            warm: warm_for(billing),
            stream: None,
            class: TableClass::Standard,
            class_changes: Vec::new(),
            is_protected: false,
            protection_changed_at: None,
            encryption: None,
            time_to_live: TimeToLive::default(),
            recovery: None,
            tags: Vec::new(),
            policy: None,
            stream_policy: None,
            insights: Vec::new(),
            kinesis: Vec::new(),
            replicas: Vec::new(),
            restore: None,
        }
    }

    /// When something is due next.
    pub fn due_at(&self) -> Option<Timestamp> {
        let transition = self.transitions.first().map(|transition| transition.at);
        let sweep = self.time_to_live.next_sweep;
        transition.into_iter().chain(sweep).min()
    }

    /// Notes what time will bring.
    pub fn expect(&mut self, at: Timestamp, effect: Effect) {
        let position = self.transitions.partition_point(|transition| transition.at <= at);
        self.transitions.insert(position, Transition { at, effect });
    }

    /// What item changes are written to, if to anything.
    pub fn enabled_stream(&self) -> Option<(&SmolStr, StreamViewType)> {
        let stream = self.stream.as_ref()?;
        Some((&stream.label, stream.view_type?))
    }

    /// True if every item change is kept in a log.
    pub fn keeps_log(&self) -> bool {
        self.recovery.is_some() || self.enabled_stream().is_some()
    }
}
