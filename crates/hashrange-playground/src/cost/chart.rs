//! The two charts of the cost panel: against average use of a given peak, and against traffic.
//!
//! Invariant: places are worked out in whole tenths of a view unit, so they are the same everywhere; amounts are
//! those of [`Traffic::month`].

use std::fmt::Write as _;

use hashrange_design::cost::{
    CapacityMode, CostSettings, MODES, Money, Reservation, Traffic, break_even,
};

use super::text;
use super::view::{Chart, Line, LineKind, Spot, Tick};
use crate::format;

/// The box of a chart and the plot in it, in tenths of a view unit.
const BOX: [i64; 2] = [7_760, 3_480];
const LEFT: i64 = 580;
const TOP: i64 = 340;
const RIGHT: i64 = 6_280;
const BOTTOM: i64 = 3_100;
/// From the end of a line to its name.
const END_GAP: i64 = 140;
/// Traffic shown: from a tenth of a unit a second to a hundred thousand, in thousandths, six decades.
const LEAST_TRAFFIC: u64 = 100;
const DECADES: usize = 6;
/// Points of a decade, as equal steps of a logarithmic axis in thousandths.
const DECADE: [u64; 10] = [1_000, 1_259, 1_585, 1_995, 2_512, 3_162, 3_981, 5_012, 6_310, 7_943];
/// Least and most peak of the band, in percent of the average.
const BAND: [u32; 2] = [100, 1_000];
/// Lowest cost drawn on a logarithmic axis: a cent.
const LEAST_COST: Money = Money::from_nanodollars(10_000_000);

/// Cost against average use, as a share of what this peak needs.
pub(crate) fn by_use(traffic: &Traffic, settings: &CostSettings) -> Chart {
    let scale = UseScale::of(traffic, settings);
    let UseScale { peak, most, rented, .. } = scale;
    let even = break_even(traffic.is_write, Reservation::None, settings);
    let even_at = peak.saturating_mul(even).saturating_mul(1_000) / 10_000;
    let used = traffic.thousandths_a_second().saturating_mul(10) / peak.max(1);
    let own = traffic.month(CapacityMode::OnDemand, settings);
    let crossing = if even <= 10_000 {
        format!("They cross at {}.", text::percent(even))
    } else {
        "They never cross.".to_owned()
    };
    Chart {
        title: format!(
            "Monthly cost against average use. On demand rises to {} at 100 %; provisioned for the peak is {} \
             throughout. {crossing} Here {} is used: {} on demand.",
            text::about(most),
            text::about(rented),
            text::percent(used),
            text::about(own),
        ),
        x_name: format!(
            "average use, as a share of the peak of {} units a second",
            text::grouped(peak)
        ),
        x_ticks: (0..=5).map(|n| tick(use_x(n * 2_000), text::percent(n * 2_000))).collect(),
        top_ticks: [10_u128, 5, 2, 1].map(|n| tick(use_x(10_000 / n), format!("{n}×"))).into(),
        y_ticks: (0..=scale.n_steps)
            .map(|n| scale.step.times(n))
            .map(|cost| tick(scale.y(cost), text::about(cost)))
            .collect(),
        lines: use_lines(&scale, traffic.is_write, settings),
        even: (even <= 10_000).then(|| {
            let label = format!("break-even at {}", text::percent(even));
            let caption = format!("{}/s on average", text::number(even_at, 0));
            spot(use_x(even), scale.y(rented), label, caption)
        }),
        here: [own, rented]
            .map(|cost| spot(use_x(used), scale.y(cost), text::percent(used), text::about(cost)))
            .into(),
        rows: (0..=10)
            .map(|n| {
                let asked = thousandths(peak).saturating_mul(n) / 10;
                let name = text::percent(u128::from(n) * 1_000);
                row(name, traffic.is_write, asked, settings, Some(peak))
            })
            .collect(),
        ..empty()
    }
}

/// The axes of the chart by use.
struct UseScale {
    peak: u128,
    /// On demand, used all the time.
    most: Money,
    /// Provisioned for the peak.
    rented: Money,
    step: Money,
    n_steps: u128,
}

impl UseScale {
    fn of(traffic: &Traffic, settings: &CostSettings) -> Self {
        let peak = traffic.peak_units(settings);
        let full = Traffic::per_second(traffic.is_write, thousandths(peak));
        let flat = CostSettings { peak_percent: 100, ..settings.clone() };
        let most = full.month(CapacityMode::OnDemand, settings);
        let step = nice_step(most);
        Self {
            peak,
            most,
            rented: full.month(CapacityMode::Provisioned, &flat),
            step,
            n_steps: most.picodollars().div_ceil(step.picodollars().max(1)).max(1),
        }
    }

    fn y(&self, cost: Money) -> i64 {
        let top = self.step.times(self.n_steps).picodollars();
        BOTTOM - scaled(cost.picodollars(), top, BOTTOM - TOP)
    }
}

fn use_lines(scale: &UseScale, is_write: bool, settings: &CostSettings) -> Vec<Line> {
    let UseScale { peak, most, rented, .. } = *scale;
    let unit = if is_write { "WCU" } else { "RCU" };
    let target = settings.target_percent;
    let ideal_end = u128::from(target) * 100;
    let full = Traffic::per_second(is_write, thousandths(peak));
    let million = text::price(full.million(CapacityMode::OnDemand, settings));
    let line = |mode, caption: String, name_at: (i64, i64), places: [(i64, i64); 2]| {
        let (kind, name) = line_kind(mode);
        Line {
            kind,
            path: path(&places),
            end: spot(name_at.0, name_at.1, name.to_owned(), caption),
        }
    };
    let start = (use_x(0), scale.y(Money::ZERO));
    let beside = |cost| (RIGHT + END_GAP, scale.y(cost));
    vec![
        line(
            CapacityMode::AutoScaled,
            format!("at {target}{}%, if it could follow every change", format::GAP),
            (use_x(ideal_end / 2), scale.y(rented.share(1, 2)) + END_GAP),
            [start, (use_x(ideal_end), scale.y(rented))],
        ),
        line(
            CapacityMode::Provisioned,
            format!("{} {unit}, always on", text::grouped(peak)),
            beside(rented),
            [(use_x(0), scale.y(rented)), (RIGHT, scale.y(rented))],
        ),
        line(
            CapacityMode::OnDemand,
            format!("{million} a million"),
            beside(most),
            [start, (RIGHT, scale.y(most))],
        ),
    ]
}

/// The place of so many hundredths of a percent of use.
fn use_x(hundredths: u128) -> i64 {
    LEFT + scaled(hundredths, 10_000, RIGHT - LEFT)
}

/// Cost against traffic, for the peak of these settings, with a band for peaks of once to ten times the average.
pub(crate) fn by_traffic(traffic: &Traffic, settings: &CostSettings) -> Chart {
    let scale = TrafficScale::of(traffic.is_write, settings);
    let own = settings.peak_percent;
    let here_at = u64::try_from(traffic.thousandths_a_second()).unwrap_or(u64::MAX);
    let crossing = crossing(&scale.points, |at| {
        let cost = |mode| scale.cost(mode, at, own);
        cost(CapacityMode::Provisioned) < cost(CapacityMode::OnDemand)
    });
    let verdict = match crossing {
        Some(at) => {
            format!(
                "Provisioned for the peak is cheaper from about {} units a second on.",
                speed(at)
            )
        }
        None => "Provisioned for the peak is never cheaper.".to_owned(),
    };
    let mut band = scale.places(CapacityMode::Provisioned, BAND[0]);
    band.extend(scale.places(CapacityMode::Provisioned, BAND[1]).into_iter().rev());
    Chart {
        title: format!(
            "Monthly cost against traffic whose peak is {} times its average, both axes logarithmic. {verdict}",
            text::number(u128::from(own) * 10, 2)
        ),
        x_name: "average units a second".to_owned(),
        x_ticks: decades().map(|at| tick(scale.x(at), speed(at))).collect(),
        y_ticks: money_decades(scale.top)
            .map(|cost| tick(scale.y(cost), text::about(cost)))
            .collect(),
        band: path(&band) + "Z",
        lines: MODES.map(|mode| scale.line(mode)).into(),
        even: crossing.map(|at| {
            let cost = scale.cost(CapacityMode::OnDemand, at, own);
            let label = "provisioned is cheaper from here on".to_owned();
            spot(scale.x(at), scale.y(cost), label, format!("{}/s", speed(at)))
        }),
        here: MODES
            .map(|mode| {
                let cost = traffic.month(mode, settings);
                let label = format!("{}/s", speed(here_at));
                spot(scale.x(here_at), scale.y(cost), label, text::about(cost))
            })
            .into(),
        rows: decades()
            .map(|at| row(format!("{}/s", speed(at)), traffic.is_write, at, settings, None))
            .collect(),
        ..empty()
    }
}

/// The axes of the chart by traffic.
struct TrafficScale<'a> {
    is_write: bool,
    settings: &'a CostSettings,
    /// Traffic at which lines have a point, in thousandths of a unit a second.
    points: Vec<u64>,
    /// The dearest drawn.
    top: Money,
    /// Logarithms at the bottom and at the top.
    heights: [i64; 2],
}

impl<'a> TrafficScale<'a> {
    fn of(is_write: bool, settings: &'a CostSettings) -> Self {
        let mut points: Vec<u64> = Vec::new();
        for decade in decades().take(DECADES) {
            points.extend(DECADE.map(|point| point * decade / 1_000));
        }
        points.extend(decades().last());
        let heights = [log(LEAST_COST.picodollars()); 2];
        let mut scale = Self { is_write, settings, points, top: LEAST_COST, heights };
        let last = scale.last();
        let on_demand = scale.cost(CapacityMode::OnDemand, last, BAND[0]);
        scale.top = on_demand.max(scale.cost(CapacityMode::Provisioned, last, BAND[1]));
        let decade = money_decades(scale.top).last().unwrap_or(LEAST_COST);
        scale.heights[1] = log(decade.picodollars());
        scale
    }

    fn last(&self) -> u64 {
        self.points.last().copied().unwrap_or(LEAST_TRAFFIC)
    }

    fn cost(&self, mode: CapacityMode, at: u64, peak_percent: u32) -> Money {
        let settings = CostSettings { peak_percent, ..self.settings.clone() };
        Traffic::per_second(self.is_write, at).month(mode, &settings)
    }

    fn x(&self, at: u64) -> i64 {
        let (first, last) = (log(LEAST_TRAFFIC.into()), log(self.last().into()));
        let place = (log(at.into()) - first).clamp(0, last - first);
        LEFT + place * (RIGHT - LEFT) / (last - first).max(1)
    }

    fn y(&self, cost: Money) -> i64 {
        let [bottom, top] = self.heights;
        let height = (log(cost.picodollars()) - bottom).clamp(0, top - bottom);
        BOTTOM - height * (BOTTOM - TOP) / (top - bottom).max(1)
    }

    fn places(&self, mode: CapacityMode, peak_percent: u32) -> Vec<(i64, i64)> {
        let place = |at: &u64| (self.x(*at), self.y(self.cost(mode, *at, peak_percent)));
        self.points.iter().map(place).collect()
    }

    fn line(&self, mode: CapacityMode) -> Line {
        let own = self.settings.peak_percent;
        let end = self.cost(mode, self.last(), own);
        let (kind, name) = line_kind(mode);
        Line {
            kind,
            path: path(&self.places(mode, own)),
            end: spot(RIGHT + END_GAP, self.y(end), name.to_owned(), text::about(end)),
        }
    }
}

/// The ends of the decades of traffic, in thousandths of a unit a second.
fn decades() -> impl Iterator<Item = u64> {
    (0..=DECADES).map(|decade| LEAST_TRAFFIC * 10_u64.pow(u32::try_from(decade).unwrap_or(0)))
}

/// Style and name of a mode's line.
pub(crate) const fn line_kind(mode: CapacityMode) -> (LineKind, &'static str) {
    match mode {
        CapacityMode::OnDemand => (LineKind::OnDemand, "on-demand"),
        CapacityMode::Provisioned => (LineKind::Provisioned, "provisioned"),
        CapacityMode::AutoScaled => (LineKind::AutoScaled, "auto scaling"),
    }
}

fn empty() -> Chart {
    Chart {
        width: units(BOX[0]),
        height: units(BOX[1]),
        plot: [LEFT, TOP, RIGHT, BOTTOM].map(units),
        ..Chart::default()
    }
}

/// A row of the table behind a chart; `peak` where all is provisioned for it.
fn row(
    name: String,
    is_write: bool,
    thousandths_a_second: u64,
    settings: &CostSettings,
    peak: Option<u128>,
) -> [String; 4] {
    let traffic = Traffic::per_second(is_write, thousandths_a_second);
    let [on_demand, provisioned, scaled] = MODES.map(|mode| match (mode, peak) {
        (CapacityMode::Provisioned, Some(peak)) => {
            let flat = CostSettings { peak_percent: 100, ..settings.clone() };
            Traffic::per_second(is_write, thousandths(peak)).month(mode, &flat)
        }
        _ => traffic.month(mode, settings),
    });
    [name, text::dollars(on_demand), text::dollars(provisioned), text::dollars(scaled)]
}

/// The first point from which on it holds for every point.
fn crossing(points: &[u64], holds: impl Fn(u64) -> bool) -> Option<u64> {
    let n = points.iter().rev().take_while(|at| holds(**at)).count();
    points.get(points.len() - n).copied()
}

fn speed(thousandths: u64) -> String {
    text::number(thousandths.into(), 1)
}

fn thousandths(units: u128) -> u64 {
    u64::try_from(units.saturating_mul(1_000)).unwrap_or(u64::MAX)
}

/// `part` of `whole` on an axis `length` long; never beyond its end.
fn scaled(part: u128, whole: u128, length: i64) -> i64 {
    // Low bits of amounts this large move nothing.
    let shift = 128_u32.saturating_sub(whole.leading_zeros()).saturating_sub(64);
    let (part, whole) = (part.min(whole) >> shift, (whole >> shift).max(1));
    let length_units = u128::from(length.unsigned_abs());
    i64::try_from((part * length_units + whole / 2) / whole).unwrap_or(length).min(length)
}

/// Thousandths of the decimal logarithm of `n`, which is at least 1. In whole numbers, so that a picture is the
/// same natively and in the page.
fn log(n: u128) -> i64 {
    const BITS: u32 = 16;
    let whole = n.max(1).ilog2();
    // The mantissa in [1, 2) with 32 bits after the point, squared for bit after bit of the logarithm.
    let mut mantissa = if whole > 32 { n >> (whole - 32) } else { n.max(1) << (32 - whole) };
    let mut binary = u64::from(whole) << BITS;
    for bit in (0..BITS).rev() {
        mantissa = (mantissa * mantissa) >> 32;
        if mantissa >= 2 << 32 {
            mantissa >>= 1;
            binary |= 1 << bit;
        }
    }
    // log10(2) = 0.30103.
    i64::try_from((binary * 30_103 / 100) >> BITS).unwrap_or(i64::MAX)
}

/// Powers of ten from the least cost drawn to the first that is not below `most`.
fn money_decades(most: Money) -> impl Iterator<Item = Money> {
    let mut next = Some(LEAST_COST);
    std::iter::from_fn(move || {
        let now = next?;
        next = (now < most).then(|| now.times(10));
        Some(now)
    })
}

/// The smallest of 1, 2 and 5 times a power of ten of which at most five make `most`.
fn nice_step(most: Money) -> Money {
    let mut power = Money::from_nanodollars(1);
    loop {
        for n in [1, 2, 5] {
            let step = power.times(n);
            if step.times(5) >= most {
                return step;
            }
        }
        power = power.times(10);
    }
}

fn path(places: &[(i64, i64)]) -> String {
    let mut text = String::new();
    for (at, (x, y)) in places.iter().enumerate() {
        let letter = if at == 0 { 'M' } else { 'L' };
        // Writing to a String cannot fail.
        let _ = write!(text, "{letter}{}.{} {}.{}", x / 10, x % 10, y / 10, y % 10);
    }
    text
}

fn spot(x: i64, y: i64, label: String, caption: String) -> Spot {
    Spot { x: units(x), y: units(y), label, caption }
}

fn tick(at: i64, label: String) -> Tick {
    Tick { at: units(at), label }
}

/// Tenths as the picture's own units.
fn units(tenths: i64) -> f32 {
    f32::from(i16::try_from(tenths).unwrap_or(i16::MAX)) / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events() -> (Traffic, CostSettings) {
        let settings = CostSettings { peak_percent: 903, ..CostSettings::default() };
        (Traffic::per_second(true, 310_000), settings)
    }

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for (n, thousandths) in
            [(1, 0), (2, 301), (10, 1_000), (1_000, 3_000), (5_012, 3_700), (u128::MAX, 38_531)]
        {
            assert!((log(n) - thousandths).abs() <= 1, "{n}: {}", log(n));
        }
    }

    #[test]
    fn the_chart_of_the_mock_crosses_at_28_9_percent() {
        let (traffic, settings) = events();
        let chart = by_use(&traffic, &settings);
        let even = chart.even.unwrap();
        assert_eq!(even.label.replace(format::GAP, " "), "break-even at 28.9 %");
        assert_eq!(even.caption, "809/s on average");
        // As drawn there: 58 + 570 × 0.2889 across, 236.7 down.
        assert!((even.x - 222.7).abs() < 0.11, "{}", even.x);
        assert!((even.y - 236.7).abs() < 0.11, "{}", even.y);
        assert_eq!(chart.y_ticks.last().unwrap().label, "$5,000");
        assert_eq!(chart.here[0].caption, "$509");
        assert_eq!(chart.here[1].caption, "$1,329");
        assert_eq!(chart.lines[1].path, "M58.0 236.7L628.0 236.7");
        assert_eq!(chart.rows[10][1..3], ["$4,599.00", "$1,328.60"]);
    }

    #[test]
    fn on_a_logarithmic_axis_lines_rise_and_provisioned_has_steps() {
        let (traffic, settings) = events();
        let chart = by_traffic(&traffic, &CostSettings { peak_percent: 150, ..settings });
        assert_eq!(chart.x_ticks.len(), 7);
        assert_eq!(chart.x_ticks[0].label, "0.1");
        assert_eq!(chart.x_ticks[6].label, "100,000");
        assert_eq!((chart.x_ticks[0].at, chart.x_ticks[6].at), (58.0, 628.0));
        // One unit at least: the first points of what is provisioned are level.
        let provisioned = &chart.lines[1].path;
        let heights: Vec<&str> = provisioned
            .split(['M', 'L'])
            .skip(1)
            .map(|place| place.split(' ').nth(1).unwrap())
            .collect();
        assert_eq!(heights[0], heights[7]);
        assert_ne!(heights[0], heights[9]);
        assert!(chart.band.ends_with('Z'));
        assert_eq!(chart.rows[4], ["1,000/s", "$1,642.50", "$711.75", "$678.06"]);
    }

    #[test]
    fn at_a_high_peak_provisioned_is_never_cheaper_and_at_a_low_one_from_a_few_units_on() {
        let (traffic, settings) = events();
        let even = |peak_percent| {
            by_traffic(&traffic, &CostSettings { peak_percent, ..settings.clone() }).even
        };
        assert_eq!(even(400), None);
        assert_eq!(even(100).unwrap().caption, "0.3/s");
    }

    #[test]
    fn nothing_is_drawn_outside_its_box() {
        let settings = CostSettings::default();
        for thousandths in [0, 1, 100, 1_000_000, u64::MAX] {
            let traffic = Traffic::per_second(false, thousandths);
            for chart in [by_use(&traffic, &settings), by_traffic(&traffic, &settings)] {
                let spots = chart.here.iter().chain(&chart.even);
                for spot in spots {
                    assert!(
                        spot.x >= chart.plot[0] && spot.x <= chart.plot[2],
                        "{thousandths}: {spot:?}"
                    );
                    assert!(
                        spot.y >= chart.plot[1] && spot.y <= chart.plot[3],
                        "{thousandths}: {spot:?}"
                    );
                }
            }
        }
    }
}
