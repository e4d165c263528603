//! The cost panel of the mock's design: every figure shown there, and what happens where there is nothing to show.

use hashrange_design::cost::{
    CapacityMode, CostSettings, Money, PatternUse, Price, Rate, Region, Stored, StoredTable,
    TargetUse, Usage,
};
use hashrange_playground::cost::{CostKind, CostView, cost_view, markdown};
use hashrange_types::CapacityUnits;

fn read(table: &str, index: &str, halves: u64, bytes: Option<u64>) -> TargetUse {
    TargetUse {
        table: table.to_owned(),
        index: index.to_owned(),
        units: CapacityUnits::halves(halves),
        scanned_bytes: bytes,
        ..TargetUse::default()
    }
}

fn write(table: &str, index: &str, units: u64) -> TargetUse {
    TargetUse { is_write: true, units: CapacityUnits::whole(units), ..read(table, index, 0, None) }
}

/// The nine patterns of the mock, a thousand organisations like the sample.
fn factory_floor() -> Usage {
    let asked = |name: &str, per_second: f64, uses: Vec<TargetUse>| PatternUse {
        name: name.to_owned(),
        rate: Rate::per_second(per_second),
        uses,
    };
    let (base, events) = ("OrgDirectory", "SensorEvents");
    let stored = |index: &str, n_items, bytes| Stored {
        index: index.to_owned(),
        n_items,
        bytes,
        is_local: false,
    };
    Usage {
        patterns: vec![
            asked("Get an organisation", 120.0, vec![read(base, "", 1, None)]),
            asked("Organisation's projects", 40.0, vec![read(base, "", 6, None)]),
            asked("All of an organisation", 4.0, vec![read(base, "", 7, None)]),
            asked("Projects on hold", 24.0, vec![read(base, "", 7, None)]),
            asked("Project's employees", 40.0, vec![read(base, "", 1, None)]),
            asked("Employee's projects", 80.0, vec![read(base, "GSI1", 1, None)]),
            asked("Find a project by name", 0.05, vec![read(base, "", 4, Some(14_785))]),
            asked("Update a project", 4.0, vec![write(base, "", 3), write(base, "GSI1", 3)]),
            asked(
                "Record a sensor event",
                310.0,
                vec![write(events, "", 1), write(events, "bySensor", 1)],
            ),
        ],
        tables: vec![
            StoredTable {
                table: base.to_owned(),
                parts: vec![
                    stored("", 24, 14_785),
                    stored("GSI1", 24, 14_785),
                    stored("isOnHold", 3, 300),
                ],
            },
            StoredTable {
                table: events.to_owned(),
                parts: vec![stored("", 40, 8_000), stored("bySensor", 40, 8_000)],
            },
        ],
    }
}

fn settings() -> CostSettings {
    CostSettings { copies: 1_000, peak_percent: 903, ..CostSettings::default() }
}

fn view() -> CostView {
    cost_view(&factory_floor(), &settings(), None)
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

#[test]
fn patterns_cost_what_the_mock_says() {
    let view = view();
    let months: Vec<&str> = view.patterns.iter().map(|row| row.month.as_str()).collect();
    assert_eq!(
        months,
        ["$19.71", "$39.42", "$4.60", "$27.59", "$6.57", "$13.14", "$29.65", "$39.42", "$1,018.35"]
    );
    assert_eq!(view.patterns_total, "$1,198.45");
    assert_eq!(view.patterns[6].rate, "3/min");
    assert_eq!(plain(&view.patterns[7].units), "3 + 3 WCU");
    assert_eq!(plain(&view.patterns[8].share), "85 %");
    assert_eq!(view.headline, "About $1,198 a month on demand.");
    assert_eq!(
        plain(&view.sentence),
        "Record a sensor event is 85 % of it, and 50 % of that pays for the index bySensor. All reads together are \
         $141, storage is $0.01."
    );
}

#[test]
fn the_bar_is_filled_from_the_dearest_pattern_on() {
    let stack = view().stack;
    assert_eq!(stack[0].label, "9 · Record a sensor event $509");
    assert_eq!((stack[0].kind, stack[0].x), (CostKind::Write, 0.0));
    assert_eq!(stack[1].label, "9 · Record a sensor event, its index bySensor $509");
    assert_eq!((stack[2].label.as_str(), stack[2].kind), ("2", CostKind::Read));
    let last = stack.last().unwrap();
    assert!((last.x + last.width - 1_000.0).abs() < 0.01);
    for (one, next) in stack.iter().zip(&stack[1..]) {
        assert!((one.x + one.width - next.x).abs() < 0.01);
    }
}

#[test]
fn indexes_show_how_they_multiply_writes() {
    let indexes = view().indexes;
    let row = |at: usize| {
        let row = &indexes[at];
        [row.name.as_str(), row.writes.as_str(), row.reads.as_str(), row.amplification.as_str()]
    };
    assert_eq!(row(0), ["OrgDirectory.GSI1", "$19.71", "$13.14", "1 WCU for each of the table's"]);
    assert_eq!(
        row(1),
        ["OrgDirectory.isOnHold", "$0.00", "$0.00", "0 WCU for each of the table's"]
    );
    assert_eq!(row(2)[..2], ["SensorEvents.bySensor", "$509.18"]);
}

#[test]
fn the_bill_reads_as_a_table_with_its_sum() {
    let bill = view().bill;
    let rows: Vec<[String; 4]> = bill
        .rows
        .iter()
        .map(|row| [&row.what, &row.quantity, &row.price, &row.cost].map(|text| plain(text)))
        .collect();
    assert_eq!(
        rows[0],
        ["Reads of OrgDirectory", "1,020,321,000 units", "$0.125 a million", "$127.54"]
    );
    let events = rows.iter().find(|row| row[0] == "Writes to SensorEvents.bySensor").unwrap();
    assert_eq!(events[1..], ["814,680,000 units", "$0.625 a million", "$509.18"]);
    let storage = rows.iter().find(|row| row[0] == "Storage of OrgDirectory").unwrap();
    assert_eq!(storage[1..], ["16.4 MB", "$0.25 a GB-month", "$0.004"]);
    assert_eq!(bill.total, "$1,198.46");
    assert_eq!(
        bill.notes,
        [
            "us-east-1 list prices of November 2026, on-demand, Standard table class, free tier left out. A month is \
             730 hours."
        ]
    );
}

#[test]
fn the_modes_of_the_dearest_traffic_are_those_of_the_mock() {
    let traffic = view().traffic.unwrap();
    assert_eq!(traffic.choices[traffic.chosen], "writes to SensorEvents");
    assert_eq!((traffic.average.as_str(), traffic.peak.as_str()), ("310/s", "2,800/s"));
    let rows: Vec<(&str, &str)> =
        traffic.modes.iter().map(|row| (row.million.as_str(), row.month.as_str())).collect();
    assert_eq!(rows, [("$0.625", "$509"), ("$1.631", "$1,329"), ("$0.258", "$210")]);
    assert!(traffic.modes[0].is_current);
    let sentence = plain(&traffic.sentence);
    assert!(
        sentence.starts_with(
            "Average use is 11.1 % of the peak. Below 28.9 % on-demand costs less than provisioning for the peak: \
             here $819 a month less."
        ),
        "{sentence}"
    );
}

#[test]
fn another_region_says_which_figures_stand_in() {
    let mut settings = settings();
    settings.prices.region = Region::named("ap-southeast-2").unwrap();
    settings.prices.set(Price::Read, Money::parse("0.1").ok());
    settings.n_replica_regions = 1;
    settings.mode = CapacityMode::AutoScaled;
    let view = cost_view(&factory_floor(), &settings, Some(99));
    assert_eq!(
        view.bill.notes[1],
        "Transfer between Regions: not known for ap-southeast-2, so the figure of us-east-1 stands in; enter your own."
    );
    assert_eq!(view.bill.notes.len(), 5);
    let read = view.prices.iter().find(|row| row.key == "read_request").unwrap();
    assert_eq!((read.price.as_str(), read.number.as_str(), read.is_own), ("$0.10", "0.1", true));
    assert!(view.headline.ends_with(" a month auto scaling."), "{}", view.headline);
}

#[test]
fn a_design_that_asks_nothing_costs_nothing_and_says_so() {
    let view = cost_view(&Usage::default(), &CostSettings::default(), None);
    assert_eq!(view.headline, "About $0.00 a month on demand.");
    assert_eq!(view.sentence, "No pattern states a rate, so what is asked costs nothing yet.");
    assert!(view.stack.is_empty() && view.bill.rows.is_empty() && view.traffic.is_none());
}

#[test]
fn the_markdown_keeps_rows_and_cells_whatever_a_pattern_is_called() {
    let mut usage = factory_floor();
    usage.patterns[0].name = "a|b\nc".to_owned();
    let text = markdown(&cost_view(&usage, &settings(), None));
    assert!(plain(&text).contains("| 1 | a\\|b c | 120/s | 0.5 RCU | $19.71 |\n"), "{text}");
    assert!(text.contains("| Total |  |  |  | $1,198.46 |\n"));
    let cells = text.lines().filter(|line| line.starts_with('|'));
    assert!(cells.into_iter().all(|line| line.replace("\\|", "").matches('|').count() == 6));
}
