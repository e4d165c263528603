//! The bill of a month: lines, their sum, and what each pattern and index is to blame for.
//!
//! Invariant: the sum is the sum of the lines; what patterns share of a line adds up to the line.
//!
//! Not here: how a bill reads (`hashrange-playground`).

use super::demand::{Amount, PARTS, Resource, demand};
use super::money::{MONTH_SECONDS, Money};
use super::prices::{Price, PriceList};
use super::settings::{CapacityMode, CostSettings, DaxNode, Reservation};
use super::usage::{Stored, Usage};

/// Units a reservation is sold in.
const BLOCK: u128 = 100;
/// What every account gets for nothing (facts 7.1): units of each kind, GB, streams reads.
const FREE_UNITS: u128 = 25;
const FREE_BYTES: u128 = 25 << 30;
const FREE_STREAM_READS: u128 = 2_500_000;
/// What a new on-demand table serves at once: reads, writes (facts 6.3).
pub const WARM_UNITS: [u128; 2] = [12_000, 4_000];
/// Bytes of a write unit.
const WRITE_BYTES: u128 = 1_024;

/// What a line of the bill is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charge {
    /// Requests or capacity units: reads.
    Reads,
    /// Requests or capacity units: writes.
    Writes,
    /// The same writes in the other Regions.
    ReplicaWrites,
    /// The same reads' capacity in the other Regions.
    ReplicaReads,
    /// Capacity bought ahead, by the month: the payment at the start spread over the term.
    Reserved,
    /// Data at rest.
    Storage,
    /// Continuous backups.
    PointInTime,
    /// Backups kept.
    Backups,
    /// GetRecords calls.
    StreamReads,
    /// Bytes sent to other Regions.
    Transfer,
    /// DAX nodes.
    DaxNodes,
    /// Once: a restore of everything.
    Restore,
    /// Once: what makes a new table serve the peak from its first second.
    WarmThroughput,
}

/// One line of a bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillLine {
    /// What for.
    pub charge: Charge,
    /// The table; empty where the line is for all.
    pub table: String,
    /// The index; empty for the base table or for all.
    pub index: String,
    /// True if the line is for writes.
    pub is_write: bool,
    /// The price; of a reservation, the payment at the start.
    pub price: Price,
    /// How much, in thousandths of what the price counts (request units, capacity units, bytes, nodes, blocks).
    pub thousandths: u128,
    /// How much of it costs nothing, likewise.
    pub free_thousandths: u128,
    /// What it costs.
    pub cost: Money,
    /// By pattern: its position and its share of the cost; empty where no pattern is to blame.
    pub shares: Vec<(usize, Money)>,
}

/// A month's bill.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bill {
    /// What is paid every month.
    pub lines: Vec<BillLine>,
    /// What is paid once, when wanted; not in the sum.
    pub once: Vec<BillLine>,
}

/// What a pattern is to blame for in a month.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PatternCost {
    /// Its reads.
    pub reads: Money,
    /// Its writes to tables.
    pub table_writes: Money,
    /// Its writes to indexes: table, index, cost.
    pub index_writes: Vec<(String, String, Money)>,
}

impl PatternCost {
    /// All of it.
    pub fn total(&self) -> Money {
        self.index_writes
            .iter()
            .map(|(.., cost)| *cost)
            .fold(self.reads + self.table_writes, |sum, cost| sum + cost)
    }
}

impl Bill {
    /// The sum of the month.
    pub fn total(&self) -> Money {
        self.lines.iter().map(|line| line.cost).sum()
    }

    /// What lines of these kinds cost together.
    pub fn sum(&self, is_wanted: impl Fn(&BillLine) -> bool) -> Money {
        self.lines.iter().filter(|line| is_wanted(line)).map(|line| line.cost).sum()
    }

    /// What each of `n` patterns is to blame for.
    pub fn by_pattern(&self, n: usize) -> Vec<PatternCost> {
        let mut costs = vec![PatternCost::default(); n];
        for line in &self.lines {
            for (pattern, share) in &line.shares {
                let Some(cost) = costs.get_mut(*pattern) else { continue };
                if !line.is_write {
                    cost.reads += *share;
                } else if line.index.is_empty() {
                    cost.table_writes += *share;
                } else {
                    let known = cost
                        .index_writes
                        .iter_mut()
                        .find(|(table, index, _)| *table == line.table && *index == line.index);
                    if let Some((.., sum)) = known {
                        *sum += *share;
                    } else {
                        let (table, index) = (line.table.clone(), line.index.clone());
                        cost.index_writes.push((table, index, *share));
                    }
                }
            }
        }
        costs
    }
}

/// The bill of a month of this usage.
pub fn bill(usage: &Usage, settings: &CostSettings) -> Bill {
    let is_on_demand = settings.mode == CapacityMode::OnDemand;
    let resources = demand(usage, settings, !is_on_demand);
    let mut biller = Biller { settings, lines: Vec::new() };
    if is_on_demand {
        biller.requests(&resources);
    } else {
        biller.capacity(&resources);
    }
    let writes = resources.iter().filter(|resource| resource.index.is_empty());
    let replicated: u128 = writes.map(|resource| resource.amounts[1].parts).sum();
    biller.storage(usage);
    biller.backups(usage);
    biller.around(replicated);
    let mut bill = Bill { lines: biller.lines, once: Vec::new() };
    bill.once = once(usage, settings, &resources);
    bill
}

/// Lines in the making.
struct Biller<'a> {
    settings: &'a CostSettings,
    lines: Vec<BillLine>,
}

impl Biller<'_> {
    fn prices(&self) -> &PriceList {
        &self.settings.prices
    }

    /// Adds a line unless there is nothing to say.
    fn line(&mut self, line: BillLine) {
        if line.thousandths > 0 {
            self.lines.push(line);
        }
    }

    /// On demand: every unit has its price.
    fn requests(&mut self, resources: &[Resource]) {
        for resource in resources {
            for (is_write, amount) in [false, true].into_iter().zip(&resource.amounts) {
                let price = self.unit_price(is_write, resource.index.is_empty(), true);
                // A price counts units; the amount is in thousandths of halves.
                let cost = |price, parts: u128| {
                    self.prices().of(price).share(parts, PARTS * price.row().per.quantity())
                };
                let own = cost(price, amount.parts);
                let mut line = told(resource, is_write, price, amount.parts / 2, own);
                line.shares = shares(own, amount);
                let n_replicas = u128::from(self.settings.n_replica_regions);
                let mut copies = line.clone();
                self.line(line);
                if is_write && n_replicas > 0 {
                    copies.charge = Charge::ReplicaWrites;
                    copies.thousandths = copies.thousandths.saturating_mul(n_replicas);
                    copies.cost = copies.cost.times(n_replicas);
                    copies.shares = shares(copies.cost, amount);
                    self.line(copies);
                }
            }
        }
    }

    /// Provisioned: every hour of capacity has its price, used or not.
    fn capacity(&mut self, resources: &[Resource]) {
        let reserved = self.reserved(resources);
        let is_free = self.settings.counts_free_tier && !self.settings.is_infrequent_access;
        let mut free = [if is_free { FREE_UNITS } else { 0 }; 2];
        let mut covered = reserved.map(|blocks| blocks * BLOCK);
        let n_replicas = u128::from(self.settings.n_replica_regions);
        for resource in resources {
            for (kind, amount) in resource.amounts.iter().enumerate() {
                let is_write = kind == 1;
                let price = self.unit_price(is_write, resource.index.is_empty(), false);
                let units = capacity_units(amount, self.settings);
                let nothing = free[kind].min(units);
                free[kind] -= nothing;
                let bought = covered[kind].min(units - nothing);
                covered[kind] -= bought;
                let paid = units - nothing - bought;
                let own = self.prices().month(price, paid);
                let mut line = told(resource, is_write, price, units * 1_000, own);
                line.free_thousandths = (nothing + bought) * 1_000;
                line.shares = shares(own, amount);
                let mut copies = line.clone();
                self.line(line);
                if n_replicas > 0 {
                    copies.charge =
                        if is_write { Charge::ReplicaWrites } else { Charge::ReplicaReads };
                    copies.thousandths = units * 1_000 * n_replicas;
                    copies.free_thousandths = 0;
                    copies.cost = self.prices().month(price, units * n_replicas);
                    copies.shares = shares(copies.cost, amount);
                    self.line(copies);
                }
            }
        }
        self.reservations(resources, reserved);
    }

    /// Whole blocks of reads and writes that a reservation covers all month. Reserved capacity is for the
    /// Standard class, one Region, and capacity that is always there.
    fn reserved(&self, resources: &[Resource]) -> [u128; 2] {
        let settings = self.settings;
        let is_on_offer = settings.reservation != Reservation::None
            && settings.mode == CapacityMode::Provisioned
            && !settings.is_infrequent_access
            && settings.n_replica_regions == 0;
        if !is_on_offer {
            return [0; 2];
        }
        let total = |kind: usize| -> u128 {
            resources.iter().map(|it| capacity_units(&it.amounts[kind], settings)).sum()
        };
        let free = if settings.counts_free_tier { FREE_UNITS } else { 0 };
        [0, 1].map(|kind| total(kind).saturating_sub(free) / BLOCK)
    }

    fn reservations(&mut self, resources: &[Resource], blocks: [u128; 2]) {
        for (kind, n) in blocks.into_iter().enumerate() {
            if n == 0 {
                continue;
            }
            let mut amount = Amount::default();
            for it in resources {
                amount.parts += it.amounts[kind].parts;
                amount.by_pattern.extend(&it.amounts[kind].by_pattern);
            }
            let is_write = kind == 1;
            let price = reserved_price(is_write, self.settings.reservation);
            let cost = reserved_month(self.prices(), is_write, self.settings.reservation).times(n);
            self.line(BillLine {
                charge: Charge::Reserved,
                thousandths: n * 1_000,
                shares: shares(cost, &amount),
                ..all(is_write, price, cost)
            });
        }
    }

    fn storage(&mut self, usage: &Usage) {
        let is_ia = self.settings.is_infrequent_access;
        let price = if is_ia { Price::StorageIa } else { Price::Storage };
        let mut free = if self.settings.counts_free_tier && !is_ia { FREE_BYTES } else { 0 };
        let n_regions = u128::from(self.settings.n_replica_regions) + 1;
        for table in &usage.tables {
            for part in &table.parts {
                let bytes = part.billed_bytes(self.settings.copies);
                let nothing = free.min(bytes);
                free -= nothing;
                let cost = self.prices().cost(price, (bytes - nothing).saturating_mul(n_regions));
                self.line(BillLine {
                    charge: Charge::Storage,
                    table: table.table.clone(),
                    index: part.index.clone(),
                    thousandths: bytes.saturating_mul(n_regions * 1_000),
                    free_thousandths: nothing.saturating_mul(n_regions * 1_000),
                    ..all(false, price, cost)
                });
            }
        }
    }

    fn backups(&mut self, usage: &Usage) {
        let bytes = backed_up_bytes(usage, self.settings.copies);
        let continuous = u128::from(self.settings.has_point_in_time_recovery);
        for (charge, price, n) in [
            (Charge::PointInTime, Price::PointInTime, continuous),
            (Charge::Backups, Price::Backup, self.settings.n_backups.into()),
        ] {
            let bytes = bytes.saturating_mul(n);
            let cost = self.prices().cost(price, bytes);
            let thousandths = bytes.saturating_mul(1_000);
            self.line(BillLine { charge, thousandths, ..all(false, price, cost) });
        }
    }

    /// What stands around the tables: streams, replicas' traffic, the cache.
    fn around(&mut self, replicated_parts: u128) {
        let settings = self.settings;
        let reads = u128::from(settings.stream_reads_per_second) * u128::from(MONTH_SECONDS);
        let free = if settings.counts_free_tier { FREE_STREAM_READS.min(reads) } else { 0 };
        let cost = self.prices().cost(Price::StreamRead, reads - free);
        self.line(BillLine {
            charge: Charge::StreamReads,
            thousandths: reads * 1_000,
            free_thousandths: free * 1_000,
            ..all(false, Price::StreamRead, cost)
        });
        let bytes = replicated_parts
            .saturating_mul(WRITE_BYTES * u128::from(settings.n_replica_regions))
            / PARTS;
        let cost = self.prices().cost(Price::Transfer, bytes);
        self.line(BillLine {
            charge: Charge::Transfer,
            thousandths: bytes.saturating_mul(1_000),
            ..all(false, Price::Transfer, cost)
        });
        let price = match settings.dax_node {
            DaxNode::Small => Price::DaxSmall,
            DaxNode::Large => Price::DaxLarge,
        };
        let n = u128::from(settings.n_dax_nodes);
        let cost = self.prices().month(price, n);
        let thousandths = n * 1_000;
        self.line(BillLine { charge: Charge::DaxNodes, thousandths, ..all(false, price, cost) });
    }

    /// The price of a unit: replicated where the table is and has replicas; indexes are written plainly in
    /// each Region.
    fn unit_price(&self, is_write: bool, is_base: bool, is_on_demand: bool) -> Price {
        let kind = match UnitKind::plain(is_write) {
            UnitKind::Write if is_base && self.settings.n_replica_regions > 0 => {
                UnitKind::ReplicatedWrite
            }
            plain => plain,
        };
        unit_price(kind, is_on_demand, self.settings.is_infrequent_access)
    }
}

/// A kind of unit, as prices tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnitKind {
    /// Read units.
    Read,
    /// Write units.
    Write,
    /// Write units of a table with replicas.
    ReplicatedWrite,
}

impl UnitKind {
    /// The kind of a table or index without replicas.
    pub(crate) const fn plain(is_write: bool) -> Self {
        if is_write { Self::Write } else { Self::Read }
    }
}

/// The price of a unit of this kind: asked for or rented, of either table class.
pub(crate) const fn unit_price(
    kind: UnitKind,
    is_on_demand: bool,
    is_infrequent_access: bool,
) -> Price {
    let [read, write, replicated] = match (is_on_demand, is_infrequent_access) {
        (true, false) => [Price::Read, Price::Write, Price::ReplicatedWrite],
        (true, true) => [Price::ReadIa, Price::WriteIa, Price::ReplicatedWriteIa],
        (false, false) => [Price::ReadHour, Price::WriteHour, Price::ReplicatedWriteHour],
        (false, true) => [Price::ReadHourIa, Price::WriteHourIa, Price::ReplicatedWriteHourIa],
    };
    match kind {
        UnitKind::Read => read,
        UnitKind::Write => write,
        UnitKind::ReplicatedWrite => replicated,
    }
}

/// Capacity units rented for this amount: for the peak, or what auto scaling keeps on average.
pub(crate) fn capacity_units(amount: &Amount, settings: &CostSettings) -> u128 {
    match settings.mode {
        CapacityMode::AutoScaled => {
            // Units at the target are average × 100 / target: exact, then rounded up.
            let second = PARTS * u128::from(MONTH_SECONDS) * u128::from(settings.target_percent);
            amount.parts.saturating_mul(100).div_ceil(second.max(1)).max(1)
        }
        CapacityMode::OnDemand | CapacityMode::Provisioned => {
            amount.capacity(settings.peak_percent.into())
        }
    }
}

/// The payment at the start of a reservation.
const fn reserved_price(is_write: bool, reservation: Reservation) -> Price {
    match (is_write, reservation) {
        (true, Reservation::ThreeYears) => Price::WriteThree,
        (true, _) => Price::WriteYear,
        (false, Reservation::ThreeYears) => Price::ReadThree,
        (false, _) => Price::ReadYear,
    }
}

/// What a month of a reserved block costs: its hours and its share of the payment at the start.
pub(crate) fn reserved_month(
    prices: &PriceList,
    is_write: bool,
    reservation: Reservation,
) -> Money {
    let (hour, months) = match (is_write, reservation) {
        (_, Reservation::None) => return Money::ZERO,
        (true, Reservation::OneYear) => (Price::WriteYearHour, 12),
        (true, Reservation::ThreeYears) => (Price::WriteThreeHour, 36),
        (false, Reservation::OneYear) => (Price::ReadYearHour, 12),
        (false, Reservation::ThreeYears) => (Price::ReadThreeHour, 36),
    };
    prices.of(reserved_price(is_write, reservation)).share(1, months) + prices.month(hour, 1)
}

/// A line for a table or an index.
fn told(
    resource: &Resource,
    is_write: bool,
    price: Price,
    thousandths: u128,
    cost: Money,
) -> BillLine {
    BillLine {
        charge: if is_write { Charge::Writes } else { Charge::Reads },
        table: resource.table.clone(),
        index: resource.index.clone(),
        thousandths,
        ..all(is_write, price, cost)
    }
}

/// A line for everything.
fn all(is_write: bool, price: Price, cost: Money) -> BillLine {
    BillLine {
        charge: Charge::Storage,
        table: String::new(),
        index: String::new(),
        is_write,
        price,
        thousandths: 0,
        free_thousandths: 0,
        cost,
        shares: Vec::new(),
    }
}

/// A cost shared out as the patterns ask; what rounding leaves goes to the last.
fn shares(cost: Money, amount: &Amount) -> Vec<(usize, Money)> {
    let mut left = cost;
    let mut shares: Vec<(usize, Money)> = amount
        .by_pattern
        .iter()
        .map(|(pattern, parts)| {
            let share = cost.share(*parts, amount.parts).min(left);
            left = left.minus(share);
            (*pattern, share)
        })
        .collect();
    if let Some((_, last)) = shares.last_mut() {
        *last += left;
    }
    shares
}

/// Bytes of tables and local indexes: what backups hold (facts 7.2).
fn backed_up_bytes(usage: &Usage, copies: u32) -> u128 {
    let is_backed_up = |part: &&Stored| part.index.is_empty() || part.is_local;
    usage
        .tables
        .iter()
        .flat_map(|table| table.parts.iter().filter(is_backed_up))
        .map(|part| part.billed_bytes(copies))
        .sum()
}

/// What is paid once, when wanted: a restore, and warm throughput for a peak that a new table cannot serve.
fn once(usage: &Usage, settings: &CostSettings, resources: &[Resource]) -> Vec<BillLine> {
    let mut lines = Vec::new();
    let prices = &settings.prices;
    if settings.has_point_in_time_recovery || settings.n_backups > 0 {
        let bytes = backed_up_bytes(usage, settings.copies);
        let thousandths = bytes.saturating_mul(1_000);
        let cost = prices.cost(Price::Restore, bytes);
        lines.push(BillLine {
            charge: Charge::Restore,
            thousandths,
            ..all(false, Price::Restore, cost)
        });
    }
    if settings.mode != CapacityMode::OnDemand {
        return lines;
    }
    for resource in resources {
        for (kind, amount) in resource.amounts.iter().enumerate() {
            let peak = amount.capacity(settings.peak_percent.into());
            let Some(more) = peak.checked_sub(WARM_UNITS[kind] + 1).map(|n| n + 1) else {
                continue;
            };
            let is_write = kind == 1;
            let price = unit_price(UnitKind::plain(is_write), false, settings.is_infrequent_access);
            let line = told(resource, is_write, price, more * 1_000, prices.cost(price, more));
            lines.push(BillLine { charge: Charge::WarmThroughput, ..line });
        }
    }
    lines
}
