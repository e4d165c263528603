//! `Delays`: how long changes of tables take.
//!
//! Invariant: a delay of zero means that the change is complete in the reply to the request that asks for it.
//!
//! Source: facts 3.8, "Life cycle and timings".

/// Milliseconds that changes take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delays {
    /// CreateTable without global indexes.
    pub create_table: i64,
    /// CreateTable with global indexes.
    pub create_table_with_indexes: i64,
    /// DeleteTable.
    pub delete_table: i64,
    /// A change of provisioned capacity of a table or index.
    pub throughput: i64,
    /// From on demand to provisioned.
    pub to_provisioned: i64,
    /// From provisioned to on demand.
    pub to_on_demand: i64,
    /// More warm throughput.
    pub warm: i64,
    /// A stream on or off.
    pub stream: i64,
    /// Another table class.
    pub class: i64,
    /// Another encryption key.
    pub encryption: i64,
    /// A new index before it is filled.
    pub index_allocation: i64,
    /// Filling a new index.
    pub index_backfill: i64,
    /// Removing an index.
    pub index_delete: i64,
    /// A backup until it can be used.
    pub backup: i64,
    /// A restored table until it is ready.
    pub restore: i64,
    /// A replica until it is ready.
    pub replica: i64,
    /// Between two looks for expired items.
    pub time_to_live_sweep: i64,
    /// True if a change must wait a while after the one before it, as on AWS: 15 seconds for deletion
    /// protection, 31 minutes for time to live, a second and a half for tags.
    pub has_cool_downs: bool,
}

impl Delays {
    /// Everything is done at once; expired items are looked for every ten minutes.
    pub const INSTANT: Self = Self {
        create_table: 0,
        create_table_with_indexes: 0,
        delete_table: 0,
        throughput: 0,
        to_provisioned: 0,
        to_on_demand: 0,
        warm: 0,
        stream: 0,
        class: 0,
        encryption: 0,
        index_allocation: 0,
        index_backfill: 0,
        index_delete: 0,
        backup: 0,
        restore: 0,
        replica: 0,
        time_to_live_sweep: 600_000,
        has_cool_downs: false,
    };

    /// For servers that programs talk to: tables are ready and gone at once, since programs wait for that in
    /// steps of seconds, and later changes take 20 to 200 ms, so that a program that does not wait for them is
    /// found out. Expired items are looked for every ten seconds.
    pub const SHORT: Self = Self {
        throughput: 20,
        to_provisioned: 100,
        to_on_demand: 100,
        warm: 200,
        stream: 20,
        class: 20,
        encryption: 100,
        index_allocation: 50,
        index_backfill: 200,
        index_delete: 20,
        backup: 20,
        restore: 200,
        replica: 100,
        time_to_live_sweep: 10_000,
        ..Self::INSTANT
    };

    /// As measured on AWS in October 2026.
    pub const MEASURED: Self = Self {
        create_table: 6_100,
        create_table_with_indexes: 18_000,
        delete_table: 5_000,
        throughput: 2_000,
        to_provisioned: 79_000,
        to_on_demand: 150_000,
        warm: 393_000,
        stream: 4_500,
        class: 5_000,
        encryption: 22_000,
        index_allocation: 40_000,
        index_backfill: 600_000,
        index_delete: 4_000,
        backup: 50,
        restore: 300_000,
        replica: 30_000,
        time_to_live_sweep: 600_000,
        has_cool_downs: true,
    };
}

impl Default for Delays {
    fn default() -> Self {
        Self::INSTANT
    }
}
