//! Known bills: those of the fact sheet (7.4) and of the lessons, to the cent, and laws every bill keeps.

use hashrange_design::Design;
use hashrange_design::cost::{
    Bill, CapacityMode, Charge, CostSettings, Money, PatternCost, PatternUse, Price, Rate, Region,
    Reservation, Stored, StoredTable, TargetUse, Usage, bill, break_even,
};
use hashrange_types::CapacityUnits;
use proptest::prelude::*;

const GB: u64 = 1 << 30;

fn read(table: &str, halves: u64) -> TargetUse {
    TargetUse {
        table: table.to_owned(),
        units: CapacityUnits::halves(halves),
        ..TargetUse::default()
    }
}

fn write(table: &str, index: &str, units: u64) -> TargetUse {
    TargetUse {
        table: table.to_owned(),
        index: index.to_owned(),
        is_write: true,
        units: CapacityUnits::whole(units),
        ..TargetUse::default()
    }
}

fn asked(name: &str, rate: Rate, uses: Vec<TargetUse>) -> PatternUse {
    PatternUse { name: name.to_owned(), rate, uses }
}

fn per_second(calls: f64, uses: Vec<TargetUse>) -> Usage {
    Usage { patterns: vec![asked("it", Rate::per_second(calls), uses)], ..Usage::default() }
}

fn stored(table: &str, parts: &[(&str, bool, u64, u64)]) -> StoredTable {
    let part = |(index, is_local, n_items, bytes): &(&str, bool, u64, u64)| Stored {
        index: (*index).to_owned(),
        is_local: *is_local,
        n_items: *n_items,
        bytes: *bytes,
    };
    StoredTable { table: table.to_owned(), parts: parts.iter().map(part).collect() }
}

fn default_bill(usage: &Usage) -> Bill {
    bill(usage, &CostSettings::default())
}

fn decimal(usage: &Usage) -> String {
    default_bill(usage).total().decimal()
}

fn charged(bill: &Bill, charge: Charge) -> Money {
    bill.sum(|line| line.charge == charge)
}

/// Facts 7.4.
fn worked_bill() -> Usage {
    Usage {
        patterns: vec![
            asked(
                "Writes of 1.5 KB",
                Rate::per_month(10_000_000),
                vec![write("Orders", "", 2), write("Orders", "byKey", 1)],
            ),
            asked("Reads of 3 KB", Rate::per_month(30_000_000), vec![read("Orders", 1)]),
        ],
        tables: vec![stored("Orders", &[("", false, 0, 20 * GB), ("byKey", false, 0, GB)])],
    }
}

#[test]
fn the_worked_bill_of_the_fact_sheet_is_20_63() {
    let settings = CostSettings { counts_free_tier: true, ..CostSettings::default() };
    let bill = bill(&worked_bill(), &settings);
    let lines: Vec<(Charge, String, String)> = bill
        .lines
        .iter()
        .map(|line| (line.charge, line.index.clone(), line.cost.decimal()))
        .collect();
    let line = |charge, index: &str, cost: &str| (charge, index.to_owned(), cost.to_owned());
    assert_eq!(
        lines,
        [
            line(Charge::Reads, "", "1.875"),
            line(Charge::Writes, "", "12.5"),
            line(Charge::Writes, "byKey", "6.25"),
            line(Charge::Storage, "", "0"),
            line(Charge::Storage, "byKey", "0"),
        ]
    );
    assert_eq!(bill.total().cents(), 2_063);
    let patterns = bill.by_pattern(2);
    assert_eq!(patterns[0].table_writes.decimal(), "12.5");
    assert_eq!(patterns[0].index_writes[0].2.decimal(), "6.25");
    assert_eq!(patterns[1].total().decimal(), "1.875");
}

#[test]
fn an_order_page_costs_180_68_normalised_and_16_43_together() {
    // Lesson 2.4 step 3.
    let apart =
        vec![read("Orders", 1), read("OrderLines", 1), read("Customers", 1), read("Products", 8)];
    assert_eq!(decimal(&per_second(100.0, apart)), "180.675");
    assert_eq!(decimal(&per_second(100.0, vec![read("Shop", 1)])), "16.425");
    let copies = per_second(0.0, Vec::new());
    let tables = vec![stored("Copies", &[("", false, 0, 5_000_000 * (300 + 8 * 120))])];
    assert_eq!(default_bill(&Usage { tables, ..copies }).total().cents(), 147);
}

#[test]
fn bills_of_the_lessons_come_out_to_the_cent() {
    let cents = |usage: &Usage| default_bill(usage).total().cents();
    // 3.3 step 5: 10,000 orders a day keep an index, 24 reports a day filter.
    let day = |n: u64, uses| Usage {
        patterns: vec![asked("it", Rate::per_month(n * 730 / 24), uses)],
        ..Usage::default()
    };
    assert_eq!(cents(&day(10_000, vec![write("Orders", "byStatus", 7)])), 133);
    assert_eq!(decimal(&day(24, vec![read("Orders", 20)])), "0.0009125");
    // 4.1 step 6: strong reads cost twice.
    assert_eq!(decimal(&per_second(1_000.0, vec![read("users", 1)])), "164.25");
    assert_eq!(decimal(&per_second(1_000.0, vec![read("users", 2)])), "328.5");
    // 5.4 step 5: 76 bytes too many.
    assert_eq!(decimal(&per_second(100.0, vec![write("T", "", 2)])), "328.5");
    // 6.2 step 7: two units a payment and one retry in a hundred.
    let payments = Usage {
        patterns: vec![
            asked("Claim and finish", Rate::per_second(50.0), vec![write("Idempotency", "", 2)]),
            asked("Retry", Rate::per_second(0.5), vec![write("Idempotency", "", 1)]),
        ],
        ..Usage::default()
    };
    assert_eq!(cents(&payments), 16_507);
    // 2.3: moving 50 million small items to new keys.
    let rewrite = asked("Rewrite", Rate::per_month(50_000_000), vec![write("T", "", 1)]);
    assert_eq!(decimal(&Usage { patterns: vec![rewrite], ..Usage::default() }), "31.25");
}

/// Lesson 5.4 step 7: ten questions and three writes over the design of lesson 2.1.
fn work() -> Usage {
    let reads = [
        (5.0, 1),
        (20.0, 3),
        (10.0, 4),
        (2.0, 7),
        (50.0, 1),
        (30.0, 1),
        (20.0, 1),
        (20.0, 1),
        (5.0, 1),
        (1.0, 2),
    ];
    let writes = [(2.0, 3), (1.0, 3), (5.0, 2)];
    let read = |(rate, halves)| asked("read", Rate::per_second(rate), vec![read("Work", halves)]);
    let write =
        |(rate, units)| asked("write", Rate::per_second(rate), vec![write("Work", "", units)]);
    let patterns = reads.into_iter().map(read).chain(writes.into_iter().map(write)).collect();
    Usage { patterns, ..Usage::default() }
}

#[test]
fn who_pays_for_what_adds_up_to_71_61() {
    let bill = default_bill(&work());
    assert_eq!(charged(&bill, Charge::Reads).cents(), 4_041);
    assert_eq!(charged(&bill, Charge::Writes).cents(), 3_121);
    assert_eq!(bill.total().cents(), 7_161);
    let patterns = bill.by_pattern(13);
    assert_eq!(patterns[1].total().cents(), 986);
    assert!(patterns[..10].iter().all(|cost| cost.reads <= patterns[1].reads));
    assert_eq!(patterns.iter().map(PatternCost::total).sum::<Money>(), bill.total());
}

#[test]
fn sixty_gigabytes_cost_15_in_standard_8_75_with_the_free_part_and_6_in_standard_ia() {
    let tables = vec![stored("Old", &[("", false, 0, 60 * GB)])];
    let usage = Usage { tables, ..Usage::default() };
    let total = |settings: CostSettings| bill(&usage, &settings).total().decimal();
    let standard = CostSettings::default();
    assert_eq!(total(standard.clone()), "15");
    assert_eq!(total(CostSettings { counts_free_tier: true, ..standard.clone() }), "8.75");
    let ia = CostSettings { is_infrequent_access: true, counts_free_tier: true, ..standard };
    assert_eq!(total(ia), "6");
}

#[test]
fn a_cache_costs_its_nodes_and_saves_the_reads_it_answers() {
    // Lesson 4.3 step 7.
    let usage = per_second(1_000.0, vec![read("Products", 1)]);
    let settings = CostSettings { n_dax_nodes: 3, dax_hit_percent: 95, ..CostSettings::default() };
    let bill = bill(&usage, &settings);
    assert_eq!(charged(&bill, Charge::Reads).decimal(), "8.2125");
    assert_eq!(charged(&bill, Charge::DaxNodes).decimal(), "87.6");
    assert_eq!(bill.total().cents(), 9_581);
}

#[test]
fn a_cache_answers_no_strong_read_and_takes_no_write() {
    let mut strong = read("T", 2);
    strong.is_consistent = true;
    let usage = per_second(10.0, vec![strong, write("T", "", 1)]);
    let settings = CostSettings { n_dax_nodes: 1, ..CostSettings::default() };
    let cached = bill(&usage, &settings);
    let nodes = charged(&cached, Charge::DaxNodes);
    assert_eq!(cached.total().minus(nodes), default_bill(&usage).total());
}

#[test]
fn a_second_region_pays_for_each_write_again() {
    // Lesson 4.4 step 4: 164.25 in one Region, 328.50 in two, before data transfer.
    let usage = per_second(100.0, vec![write("Profiles", "", 1)]);
    let settings = CostSettings { n_replica_regions: 1, ..CostSettings::default() };
    let two = bill(&usage, &settings);
    let transfer = charged(&two, Charge::Transfer);
    assert_eq!(two.total().minus(transfer).decimal(), "328.5");
    // 262.8 million writes of at most 1 KB leave the Region: 250.6 GB.
    assert_eq!(transfer.cents(), 501);
}

#[test]
fn warm_throughput_is_paid_once_for_what_a_new_table_cannot_serve() {
    let settings = CostSettings { peak_percent: 100, ..CostSettings::default() };
    let once = |uses, rate| {
        let bill = bill(&per_second(rate, uses), &settings);
        bill.once.iter().map(|line| line.cost.decimal()).collect::<Vec<_>>()
    };
    assert_eq!(once(vec![write("T", "", 1)], 6_000.0), ["1.3"]);
    assert_eq!(once(vec![write("T", "", 1), read("T", 2)], 40_000.0), ["3.64", "23.4"]);
    assert!(once(vec![write("T", "", 1)], 4_000.0).is_empty());
}

#[test]
fn backups_hold_tables_and_local_indexes_but_no_global_ones() {
    let part = |index, is_local| (index, is_local, 0, 10 * GB);
    let tables = vec![stored("T", &[part("", false), part("lsi", true), part("gsi", false)])];
    let settings =
        CostSettings { has_point_in_time_recovery: true, n_backups: 2, ..CostSettings::default() };
    let bill = bill(&Usage { tables, ..Usage::default() }, &settings);
    assert_eq!(charged(&bill, Charge::Storage).decimal(), "7.5");
    assert_eq!(charged(&bill, Charge::PointInTime).decimal(), "4");
    assert_eq!(charged(&bill, Charge::Backups).decimal(), "4");
    assert_eq!(bill.once[0].cost.decimal(), "3");
}

#[test]
fn stream_reads_are_counted_and_the_first_are_free() {
    let settings = CostSettings { stream_reads_per_second: 4, ..CostSettings::default() };
    let usage = Usage::default();
    assert_eq!(bill(&usage, &settings).total().decimal(), "2.1024");
    let free = CostSettings { counts_free_tier: true, ..settings };
    assert_eq!(bill(&usage, &free).total().decimal(), "1.6024");
}

#[test]
fn provisioned_tables_are_rented_for_the_peak_and_for_one_unit_at_least() {
    let usage = Usage {
        tables: vec![stored("T", &[("", false, 0, 0), ("gsi", false, 0, 0), ("lsi", true, 0, 0)])],
        ..per_second(
            10.0,
            vec![write("T", "", 1), write("T", "gsi", 1), {
                TargetUse { is_local: true, ..write("T", "lsi", 2) }
            }],
        )
    };
    let settings = CostSettings {
        mode: CapacityMode::Provisioned,
        peak_percent: 300,
        ..CostSettings::default()
    };
    let bill = bill(&usage, &settings);
    let lines: Vec<(Charge, &str, u128)> = bill
        .lines
        .iter()
        .map(|line| (line.charge, line.index.as_str(), line.thousandths / 1_000))
        .collect();
    // The local index draws on its table: (1 + 2) × 10 × 3.
    assert_eq!(
        lines,
        [
            (Charge::Reads, "", 1),
            (Charge::Writes, "", 90),
            (Charge::Reads, "gsi", 1),
            (Charge::Writes, "gsi", 30),
        ]
    );
}

#[test]
fn reserved_blocks_cover_whole_hundreds_and_cost_54_percent_less() {
    let usage = per_second(250.0, vec![write("T", "", 1)]);
    let flat = CostSettings {
        mode: CapacityMode::Provisioned,
        peak_percent: 100,
        ..CostSettings::default()
    };
    let reserved = CostSettings { reservation: Reservation::OneYear, ..flat.clone() };
    let line = bill(&usage, &reserved);
    let blocks = line.lines.iter().find(|line| line.charge == Charge::Reserved).unwrap();
    assert_eq!(blocks.thousandths, 2_000);
    // 2 × (150 / 12 + 0.0128 × 730)
    assert_eq!(blocks.cost.decimal(), "43.688");
    let writes = line.sum(|line| line.charge == Charge::Writes);
    assert_eq!(writes.decimal(), "23.725");
    assert!(line.total() < bill(&usage, &flat).total());
}

#[test]
fn the_free_tier_covers_25_provisioned_units_of_each_kind() {
    let usage = per_second(30.0, vec![write("T", "", 1), read("T", 2)]);
    let settings = CostSettings {
        mode: CapacityMode::Provisioned,
        peak_percent: 100,
        counts_free_tier: true,
        ..CostSettings::default()
    };
    let bill = bill(&usage, &settings);
    assert_eq!(charged(&bill, Charge::Writes).decimal(), "2.3725");
    assert_eq!(charged(&bill, Charge::Reads).decimal(), "0.4745");
}

#[test]
fn own_prices_and_the_region_stay_with_the_design() {
    let text = r#"{"format": 1, "tables": [],
        "cost": {"region": "eu-west-1", "prices": {"read_request": "0.1"}}}"#;
    let design = Design::from_json(text).unwrap();
    assert_eq!(design.cost.prices.region, Region::named("eu-west-1").unwrap());
    assert_eq!(design.cost.prices.of(Price::Read).decimal(), "0.1");
    assert_eq!(design.cost.prices.of(Price::Write).decimal(), "0.705");
    assert_eq!(Design::from_json(&design.to_json()).unwrap(), design);
    let wrong = r#"{"format": 1, "tables": [], "cost": {"peak_percent": 50}}"#;
    assert_eq!(
        Design::from_json(wrong).unwrap_err().to_string(),
        "cost.peak_percent must be a whole number from 100 to 100000, not a number."
    );
}

fn any_settings() -> impl Strategy<Value = CostSettings> {
    let mode = prop_oneof![
        Just(CapacityMode::OnDemand),
        Just(CapacityMode::Provisioned),
        Just(CapacityMode::AutoScaled)
    ];
    (mode, any::<bool>(), 100..2_000_u32, 20..=90_u32, any::<bool>(), 0..3_u32, 0..3_u32).prop_map(
        |(mode, is_infrequent_access, peak_percent, target_percent, free, replicas, nodes)| {
            CostSettings {
                mode,
                is_infrequent_access,
                peak_percent,
                target_percent,
                counts_free_tier: free,
                n_replica_regions: replicas,
                n_dax_nodes: nodes,
                ..CostSettings::default()
            }
        },
    )
}

fn any_usage(rate: u64, other: u64) -> Usage {
    Usage {
        patterns: vec![
            asked("one", Rate::per_month(rate), vec![read("A", 3), write("A", "gsi", 2)]),
            asked("other", Rate::per_month(other), vec![read("A", 1), write("B", "", 5)]),
        ],
        tables: vec![stored("A", &[("", false, 7, 999), ("gsi", false, 7, 99)])],
    }
}

proptest! {
    #[test]
    fn asking_more_often_never_costs_less(
        settings in any_settings(), rate in 0..1_u64 << 40, more in 0..1_u64 << 40, other: u32,
    ) {
        let cost = |rate| bill(&any_usage(rate, other.into()), &settings).total();
        prop_assert!(cost(rate) <= cost(rate + more));
    }

    #[test]
    fn what_patterns_share_adds_up_to_the_lines(
        settings in any_settings(), rate in 1..1_u64 << 50, other in 1..1_u64 << 50,
    ) {
        let bill = bill(&any_usage(rate, other), &settings);
        let shared = bill.sum(|line| !line.shares.is_empty());
        let patterns = bill.by_pattern(2);
        prop_assert_eq!(patterns[0].total() + patterns[1].total(), shared);
    }

    #[test]
    fn no_rate_is_too_large_to_bill(settings in any_settings(), rate: u64, other: u64) {
        prop_assert!(bill(&any_usage(rate, other), &settings).total() >= Money::ZERO);
    }

    #[test]
    fn provisioned_is_cheaper_above_the_break_even_and_dearer_below(
        peak_percent in 100..2_000_u32,
    ) {
        // Enough traffic that rounding to whole units does not matter.
        let usage = per_second(1_000_000.0, vec![write("T", "", 1)]);
        let cost = |mode| {
            let settings = CostSettings { mode, peak_percent, ..CostSettings::default() };
            bill(&usage, &settings).sum(|line| line.is_write)
        };
        let (demand, rented) = (cost(CapacityMode::OnDemand), cost(CapacityMode::Provisioned));
        let even = break_even(true, Reservation::None, &CostSettings::default());
        let used = u128::from(1_000_000 / peak_percent);
        if used > even + 1 {
            prop_assert!(rented < demand);
        } else if used < even {
            prop_assert!(rented > demand);
        }
    }
}
