//! On-demand, provisioned and auto scaling, side by side: break-even, a month at any traffic, a day with spikes.
//!
//! Invariant: a month here costs what the same units cost on the bill.
//!
//! Not here: the chart (`hashrange-playground`).

use super::bill::{UnitKind, capacity_units, reserved_month, unit_price};
use super::demand::{Amount, PARTS, demand};
use super::money::{MONTH_SECONDS, Money};
use super::settings::{CapacityMode, CostSettings, Reservation};
use super::usage::Usage;

/// The modes, in the order shown.
pub const MODES: [CapacityMode; 3] =
    [CapacityMode::OnDemand, CapacityMode::Provisioned, CapacityMode::AutoScaled];

/// Seconds auto scaling takes to follow a jump: two points of a minute (facts 6.4).
const SCALE_OUT_SECONDS: u64 = 120;
/// Seconds of unused capacity a table keeps for bursts.
const BURST_SECONDS: u64 = 300;

/// How much of one kind of units one table or index is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traffic {
    /// The table.
    pub table: String,
    /// The index; empty for the base table.
    pub index: String,
    /// True for writes.
    pub is_write: bool,
    /// Units a month, in thousandths of half units.
    parts: u128,
}

impl Traffic {
    /// Traffic of so many thousandths of a unit a second.
    pub fn per_second(is_write: bool, thousandths: u64) -> Self {
        let parts = u128::from(thousandths) * u128::from(MONTH_SECONDS) * (PARTS / 1_000);
        Self { table: String::new(), index: String::new(), is_write, parts }
    }

    /// Average units a second, in thousandths.
    pub const fn thousandths_a_second(&self) -> u128 {
        self.parts / (MONTH_SECONDS as u128 * (PARTS / 1_000))
    }

    /// Units a second at the peak, as many as are provisioned for it.
    pub fn peak_units(&self, settings: &CostSettings) -> u128 {
        self.amount().capacity(settings.peak_percent.into())
    }

    /// What a month costs in this mode, in one Region, nothing reserved or free.
    pub fn month(&self, mode: CapacityMode, settings: &CostSettings) -> Money {
        let is_on_demand = mode == CapacityMode::OnDemand;
        let price =
            unit_price(UnitKind::plain(self.is_write), is_on_demand, settings.is_infrequent_access);
        if is_on_demand {
            let whole = PARTS * price.row().per.quantity();
            return settings.prices.of(price).share(self.parts, whole);
        }
        let settings = CostSettings { mode, ..settings.clone() };
        settings.prices.month(price, capacity_units(&self.amount(), &settings))
    }

    /// What a million units come to in this mode.
    pub fn million(&self, mode: CapacityMode, settings: &CostSettings) -> Money {
        self.month(mode, settings).share(PARTS * 1_000_000, self.parts)
    }

    fn amount(&self) -> Amount {
        Amount { parts: self.parts, by_pattern: Vec::new() }
    }
}

/// All the traffic there is, tables and indexes in order; what nobody asks for is left out.
pub fn traffic(usage: &Usage, settings: &CostSettings) -> Vec<Traffic> {
    let mut found = Vec::new();
    for resource in demand(usage, settings, true) {
        for (is_write, amount) in [false, true].into_iter().zip(resource.amounts) {
            if amount.parts > 0 {
                let (table, index) = (resource.table.clone(), resource.index.clone());
                found.push(Traffic { table, index, is_write, parts: amount.parts });
            }
        }
    }
    found
}

/// Average utilisation, in hundredths of a percent, from which on provisioned capacity is cheaper than on
/// demand; more than 10,000 if it never is.
///
/// ```
/// # use hashrange_design::cost::{break_even, CostSettings, Reservation};
/// assert_eq!(break_even(true, Reservation::None, &CostSettings::default()), 2_889);
/// ```
pub fn break_even(is_write: bool, reservation: Reservation, settings: &CostSettings) -> u128 {
    let is_ia = settings.is_infrequent_access;
    let prices = &settings.prices;
    let request = unit_price(UnitKind::plain(is_write), true, is_ia);
    // A month of one unit used all the time, either way.
    let on_demand = prices.cost(request, u128::from(MONTH_SECONDS)).picodollars();
    let rented = match reservation {
        Reservation::None => prices.month(unit_price(UnitKind::plain(is_write), false, is_ia), 1),
        _ => reserved_month(prices, is_write, reservation).share(1, 100),
    };
    let rented = rented.picodollars().saturating_mul(10_000);
    (rented + on_demand / 2).checked_div(on_demand).unwrap_or(u128::MAX)
}

/// A day of two speeds, day after day for a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// Hours at the peak, up to 24.
    pub peak_hours: u32,
    /// Units a second at the peak.
    pub peak: u64,
    /// Units a second otherwise.
    pub base: u64,
}

/// What such a month costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayCost {
    /// By mode, in the order of [`MODES`]; auto scaling as if it followed at once.
    pub months: [Money; 3],
    /// Average units a second, in thousandths.
    pub average_thousandths: u64,
    /// Units refused at each day's jump, until auto scaling has followed and after the burst is used up.
    pub throttled: u64,
}

impl Day {
    /// What a month of such days costs, by mode.
    pub fn cost(self, is_write: bool, settings: &CostSettings) -> DayCost {
        let hours = [self.peak_hours.min(24), 24 - self.peak_hours.min(24)].map(u128::from);
        let speeds = [self.peak, self.base].map(u128::from);
        let day = hours[0] * speeds[0] + hours[1] * speeds[1];
        let unit = unit_price(UnitKind::plain(is_write), true, settings.is_infrequent_access);
        let hour = unit_price(UnitKind::plain(is_write), false, settings.is_infrequent_access);
        let prices = &settings.prices;
        let whole = unit_quantity(unit) * 24;
        let on_demand = prices.of(unit).share(day * u128::from(MONTH_SECONDS), whole);
        let kept = speeds.map(|speed| scaled(speed, settings.target_percent));
        let auto_scaled = prices.month(hour, hours[0] * kept[0] + hours[1] * kept[1]).share(1, 24);
        let before = u64::try_from(kept[1]).unwrap_or(u64::MAX);
        let missing = self.peak.saturating_sub(before);
        DayCost {
            months: [on_demand, prices.month(hour, speeds[0].max(1)), auto_scaled],
            average_thousandths: u64::try_from(day * 1_000 / 24).unwrap_or(u64::MAX),
            throttled: missing
                .saturating_mul(SCALE_OUT_SECONDS)
                .saturating_sub(before.saturating_mul(BURST_SECONDS)),
        }
    }
}

fn unit_quantity(price: super::prices::Price) -> u128 {
    price.row().per.quantity()
}

/// Units auto scaling keeps for a steady speed.
fn scaled(units: u128, target_percent: u32) -> u128 {
    (units * 100).div_ceil(u128::from(target_percent.max(1))).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Price, Region};

    fn settings() -> CostSettings {
        CostSettings::default()
    }

    #[test]
    fn provisioned_pays_from_28_9_percent_on_and_from_14_4_at_former_prices() {
        for is_write in [false, true] {
            assert_eq!(break_even(is_write, Reservation::None, &settings()), 2_889);
        }
        let mut former = settings();
        former.prices.set(Price::Write, Money::parse("1.25").ok());
        former.prices.set(Price::Read, Money::parse("0.25").ok());
        assert_eq!(break_even(true, Reservation::None, &former), 1_444);
        assert_eq!(break_even(false, Reservation::None, &former), 1_444);
    }

    #[test]
    fn reserved_capacity_pays_from_13_3_and_6_6_percent_on() {
        assert_eq!(break_even(true, Reservation::OneYear, &settings()), 1_330);
        assert_eq!(break_even(true, Reservation::ThreeYears, &settings()), 664);
    }

    #[test]
    fn the_break_even_of_ireland_is_its_own() {
        let mut ireland = settings();
        ireland.prices.region = Region::named("eu-west-1").unwrap();
        assert_eq!(break_even(true, Reservation::None, &ireland), 2_896);
    }

    #[test]
    fn a_steady_month_costs_what_lesson_5_4_says() {
        let month = |mode, peak_percent| {
            let settings = CostSettings { peak_percent, ..settings() };
            let sum = Traffic::per_second(true, 100_000).month(mode, &settings)
                + Traffic::per_second(false, 250_000).month(mode, &settings);
            sum.decimal()
        };
        assert_eq!(month(CapacityMode::OnDemand, 100), "246.375");
        assert_eq!(month(CapacityMode::Provisioned, 100), "71.175");
        assert_eq!(month(CapacityMode::AutoScaled, 100), "101.8277");
    }

    #[test]
    fn the_sensor_events_of_the_mock_cost_509_1329_and_210() {
        let settings = CostSettings { peak_percent: 903, ..settings() };
        let events = Traffic::per_second(true, 310_000);
        let cents = MODES.map(|mode| events.month(mode, &settings).cents());
        assert_eq!(cents[0], 50_918);
        assert_eq!(events.peak_units(&settings), 2_800);
        assert_eq!(cents[1], 132_860);
        assert_eq!(cents[2], 21_020);
        // 11.1 % of use: $1.631 a million.
        assert_eq!(events.million(CapacityMode::Provisioned, &settings).cents(), 163);
        assert_eq!(settings.utilisation(), 1_107);
    }

    #[test]
    fn a_day_with_a_spike_costs_what_lesson_5_4_says() {
        let day = Day { peak_hours: 2, peak: 1_000, base: 20 }.cost(true, &settings());
        assert_eq!(day.months.map(Money::cents), [16_699, 47_450, 6_912]);
        assert_eq!(day.throttled, 107_820);
        assert_eq!(day.average_thousandths, 101_666);
    }

    #[test]
    fn a_million_writes_at_full_use_cost_18_06_cents() {
        let full = Traffic::per_second(true, 1_000);
        let settings = CostSettings { peak_percent: 100, ..settings() };
        assert_eq!(full.million(CapacityMode::Provisioned, &settings).decimal(), "0.180555555556");
        assert_eq!(full.month(CapacityMode::Provisioned, &settings).decimal(), "0.4745");
        assert_eq!(full.month(CapacityMode::OnDemand, &settings).decimal(), "1.6425");
    }
}
