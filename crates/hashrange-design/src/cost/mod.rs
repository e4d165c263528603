//! What a design costs: prices, the bill of a month, and the modes side by side.
//!
//! Invariant: money is counted in whole picodollars and written out once, by whoever shows it.
//!
//! Not here: what a request consumes (`hashrange-engine`), words and pictures (`hashrange-playground`).
//!
//! ```
//! # use hashrange_design::cost::{bill, CostSettings, PatternUse, Rate, TargetUse, Usage};
//! # use hashrange_types::CapacityUnits;
//! let events = PatternUse {
//!     name: "Record an event".to_owned(),
//!     rate: Rate::per_second(100.0),
//!     uses: vec![TargetUse {
//!         table: "Events".to_owned(),
//!         is_write: true,
//!         units: CapacityUnits::whole(1),
//!         ..TargetUse::default()
//!     }],
//! };
//! let usage = Usage { patterns: vec![events], ..Usage::default() };
//! assert_eq!(bill(&usage, &CostSettings::default()).total().decimal(), "164.25");
//! ```

mod bill;
mod demand;
mod modes;
mod money;
mod prices;
mod settings;
mod usage;

pub use bill::{Bill, BillLine, Charge, PatternCost, WARM_UNITS, bill};
pub use modes::{Day, DayCost, MODES, Traffic, break_even, traffic};
pub use money::{MONTH_HOURS, MONTH_SECONDS, Money, PriceError, Rate};
pub use prices::{
    AS_OF, Confidence, PRICES, Per, Price, PriceList, PriceRow, REGIONS, ROWS, Region,
};
pub use settings::{
    CapacityMode, CostSettings, DaxNode, PEAK_PERCENT, Reservation, TARGET_PERCENT,
};
pub use usage::{PatternUse, Stored, StoredTable, TargetUse, Usage};
