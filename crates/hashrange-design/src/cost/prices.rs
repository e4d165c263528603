//! The price table: what AWS asks, by Region, with the date, the source and how sure it is.
//!
//! Invariant: every figure of the product stands in [`ROWS`], once; a Region's figure that is not known is
//! us-east-1's and says so ([`Confidence::Assumed`]).
//!
//! Not here: what is bought ([`super::bill`]), how prices read (`hashrange-playground`).

use super::money::{MONTH_HOURS, Money};

/// When the figures were gathered.
pub const AS_OF: &str = "November 2026";

/// The Regions with figures of their own, in the order shown. The first is the default.
pub const REGIONS: [&str; 7] = [
    "us-east-1",
    "us-west-2",
    "eu-west-1",
    "eu-central-1",
    "ap-southeast-2",
    "ap-northeast-1",
    "ap-south-1",
];

/// A Region with prices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Region(usize);

impl Region {
    /// The Region of that name, if its prices are known.
    pub fn named(name: &str) -> Option<Self> {
        REGIONS.iter().position(|known| *known == name).map(Self)
    }

    /// Its name, such as `eu-west-1`.
    pub fn name(self) -> &'static str {
        REGIONS[self.0]
    }
}

/// How sure a figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    /// Several sources agree.
    High,
    /// One source that is not AWS itself, or one that is older.
    Medium,
    /// Not known for this Region: the figure of us-east-1 stands in.
    Assumed,
    /// Entered by the person who uses it.
    Own,
}

/// What a price is for: the quantity it buys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// A million request units.
    Million,
    /// A hundred thousand streams read request units.
    HundredThousand,
    /// One unit or node for one hour.
    Hour,
    /// A GB (2^30 bytes) for a month.
    GbMonth,
    /// A GB, once.
    Gb,
    /// A block of 100 reserved units, paid at the start.
    Block,
    /// A block of 100 reserved units, for one hour.
    BlockHour,
}

impl Per {
    /// How many of the smallest things (units, bytes, unit-hours) the price buys.
    pub const fn quantity(self) -> u128 {
        match self {
            Self::Million => 1_000_000,
            Self::HundredThousand => 100_000,
            Self::GbMonth | Self::Gb => 1 << 30,
            Self::Hour | Self::Block | Self::BlockHour => 1,
        }
    }

    /// The quantity in words: `a million`, `an hour`.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Million => "a million",
            Self::HundredThousand => "100,000",
            Self::Hour => "an hour",
            Self::GbMonth => "a GB-month",
            Self::Gb => "a GB",
            Self::Block => "100 units, at once",
            Self::BlockHour => "100 units an hour",
        }
    }
}

/// One row of the price table.
#[derive(Debug, PartialEq, Eq)]
pub struct PriceRow {
    /// Its name in `design.json`.
    pub key: &'static str,
    /// What is bought, in words.
    pub words: &'static str,
    /// The quantity the price buys.
    pub per: Per,
    /// How sure the figure of us-east-1 is.
    confidence: Confidence,
    /// Billionths of a dollar by Region, in the order of [`REGIONS`]; 0 where not known.
    nanodollars: [u64; REGIONS.len()],
}

macro_rules! prices {
    ($($name:ident $key:literal $words:literal $per:ident $confidence:ident [$($figure:literal)*];)*) => {
        /// A price, by what it is for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "each is told by the words of its row")]
        pub enum Price { $($name,)* }

        /// Every price, in the order of [`ROWS`].
        pub const PRICES: &[Price] = &[$(Price::$name,)*];

        /// The table. Sources: us-east-1, facts 7.1 (AWS pricing pages, announcements of 1 November 2024);
        /// request units, storage and point-in-time recovery elsewhere, AWS Price List of August and
        /// September 2026 as others quote it; capacity units and reserved capacity elsewhere, the table of
        /// AWS's own reserved-capacity recommender (older; these prices did not change in 2024).
        /// us-west-2 costs what us-east-1 costs. The replicated write unit costs what the plain one does
        /// since November 2024.
        pub const ROWS: &[PriceRow] = &[$(PriceRow {
            key: $key,
            words: $words,
            per: Per::$per,
            confidence: Confidence::$confidence,
            nanodollars: [$($figure,)*],
        },)*];
    };
}

prices! {
    // us-east-1, us-west-2, eu-west-1, eu-central-1, ap-southeast-2, ap-northeast-1, ap-south-1
    Write "write_request" "Write request units" Million High
        [625_000_000 625_000_000 705_000_000 762_500_000 710_000_000 715_000_000 710_000_000];
    Read "read_request" "Read request units" Million High
        [125_000_000 125_000_000 141_500_000 152_500_000 142_500_000 142_500_000 142_500_000];
    ReplicatedWrite "replicated_write_request" "Replicated write request units" Million High
        [625_000_000 625_000_000 705_000_000 762_500_000 710_000_000 715_000_000 710_000_000];
    WriteHour "write_capacity_hour" "Write capacity unit" Hour High
        [650_000 650_000 735_000 793_000 740_000 742_000 740_000];
    ReadHour "read_capacity_hour" "Read capacity unit" Hour High
        [130_000 130_000 147_000 158_600 148_000 148_400 148_000];
    ReplicatedWriteHour "replicated_write_capacity_hour" "Replicated write capacity unit" Hour High
        [650_000 650_000 735_000 793_000 740_000 742_000 740_000];
    Storage "storage" "Storage" GbMonth High
        [250_000_000 250_000_000 283_000_000 306_000_000 285_000_000 285_000_000 285_000_000];
    WriteIa "write_request_ia" "Write request units, Standard-IA" Million Medium
        [780_000_000 780_000_000 885_000_000 955_000_000 0 0 0];
    ReadIa "read_request_ia" "Read request units, Standard-IA" Million Medium
        [155_000_000 155_000_000 177_000_000 190_500_000 0 0 0];
    ReplicatedWriteIa "replicated_write_request_ia" "Replicated write request units, Standard-IA"
        Million Medium [780_000_000 780_000_000 885_000_000 955_000_000 0 0 0];
    WriteHourIa "write_capacity_hour_ia" "Write capacity unit, Standard-IA" Hour Medium
        [810_000 810_000 0 0 0 0 0];
    ReadHourIa "read_capacity_hour_ia" "Read capacity unit, Standard-IA" Hour Medium
        [160_000 160_000 0 0 0 0 0];
    ReplicatedWriteHourIa "replicated_write_capacity_hour_ia"
        "Replicated write capacity unit, Standard-IA" Hour Medium [810_000 810_000 0 0 0 0 0];
    StorageIa "storage_ia" "Storage, Standard-IA" GbMonth High
        [100_000_000 100_000_000 113_200_000 122_400_000 0 0 0];
    StreamRead "stream_read" "Streams read request units" HundredThousand High
        [20_000_000 20_000_000 0 0 0 0 0];
    PointInTime "point_in_time_recovery" "Point-in-time recovery" GbMonth High
        [200_000_000 200_000_000 220_000_000 244_800_000 228_000_000 228_000_000 0];
    Backup "backup" "On-demand backup" GbMonth High [100_000_000 100_000_000 0 0 0 114_000_000 0];
    Restore "restore" "Restore" Gb High [150_000_000 150_000_000 0 0 0 171_000_000 0];
    Transfer "transfer" "Transfer between Regions" Gb Medium [20_000_000 20_000_000 0 0 0 0 0];
    DaxSmall "dax_t3_small" "DAX node dax.t3.small" Hour Medium [40_000_000 40_000_000 0 0 0 0 0];
    DaxLarge "dax_r5_large" "DAX node dax.r5.large" Hour Medium
        [255_000_000 255_000_000 0 0 0 0 0];
    WriteYear "reserved_write_1" "Reserved write capacity, 1 year" Block Medium
        [150_000_000_000 150_000_000_000 169_500_000_000 183_000_000_000 171_000_000_000
         171_400_000_000 171_000_000_000];
    WriteYearHour "reserved_write_1_hour" "Reserved write capacity, 1 year" BlockHour Medium
        [12_800_000 12_800_000 14_500_000 15_700_000 14_600_000 14_700_000 14_600_000];
    ReadYear "reserved_read_1" "Reserved read capacity, 1 year" Block Medium
        [30_000_000_000 30_000_000_000 33_900_000_000 36_600_000_000 34_200_000_000
         34_200_000_000 34_200_000_000];
    ReadYearHour "reserved_read_1_hour" "Reserved read capacity, 1 year" BlockHour Medium
        [2_500_000 2_500_000 2_900_000 3_200_000 2_900_000 2_900_000 2_900_000];
    WriteThree "reserved_write_3" "Reserved write capacity, 3 years" Block Medium
        [180_000_000_000 180_000_000_000 203_400_000_000 219_600_000_000 205_200_000_000
         205_600_000_000 203_400_000_000];
    WriteThreeHour "reserved_write_3_hour" "Reserved write capacity, 3 years" BlockHour Medium
        [8_100_000 8_100_000 9_200_000 9_900_000 9_300_000 9_300_000 9_200_000];
    ReadThree "reserved_read_3" "Reserved read capacity, 3 years" Block Medium
        [36_000_000_000 36_000_000_000 40_680_000_000 43_800_000_000 41_040_000_000
         41_000_000_000 40_680_000_000];
    ReadThreeHour "reserved_read_3_hour" "Reserved read capacity, 3 years" BlockHour Medium
        [1_600_000 1_600_000 1_800_000 1_900_000 1_800_000 1_800_000 1_800_000];
}

impl Price {
    /// Its row of the table.
    pub fn row(self) -> &'static PriceRow {
        &ROWS[self as usize]
    }

    /// The price of that name in `design.json`.
    pub fn named(key: &str) -> Option<Self> {
        ROWS.iter().position(|row| row.key == key).map(|at| PRICES[at])
    }
}

/// The prices of one Region, with what somebody entered instead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PriceList {
    /// Where.
    pub region: Region,
    /// Prices entered, each once, in the order entered.
    pub own: Vec<(Price, Money)>,
}

impl PriceList {
    /// The price and how sure it is.
    pub fn figure(&self, price: Price) -> (Money, Confidence) {
        if let Some((_, own)) = self.own.iter().find(|(known, _)| *known == price) {
            return (*own, Confidence::Own);
        }
        let row = price.row();
        let (figure, confidence) = match row.nanodollars[self.region.0] {
            0 => (row.nanodollars[0], Confidence::Assumed),
            figure if self.region.0 == 0 => (figure, row.confidence),
            figure => (figure, Confidence::Medium),
        };
        (Money::from_nanodollars(figure), confidence)
    }

    /// The price alone.
    pub fn of(&self, price: Price) -> Money {
        self.figure(price).0
    }

    /// What `quantity` of the smallest things (units, bytes, unit-hours) cost.
    pub fn cost(&self, price: Price, quantity: u128) -> Money {
        self.of(price).share(quantity, price.row().per.quantity())
    }

    /// What so many units, nodes or blocks cost that run all month.
    pub fn month(&self, price: Price, n: u128) -> Money {
        self.cost(price, n.saturating_mul(u128::from(MONTH_HOURS)))
    }

    /// Puts an own price in place of the table's; none takes it away again.
    pub fn set(&mut self, price: Price, own: Option<Money>) {
        self.own.retain(|(known, _)| *known != price);
        self.own.extend(own.map(|own| (price, own)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us() -> PriceList {
        PriceList::default()
    }

    #[test]
    fn every_row_has_a_name_of_its_own_and_a_figure_for_us_east_1() {
        assert_eq!(PRICES.len(), ROWS.len());
        for (at, row) in ROWS.iter().enumerate() {
            assert_eq!(Price::named(row.key), Some(PRICES[at]), "{} stands twice", row.key);
            assert!(row.nanodollars[0] > 0 && !row.words.is_empty(), "{}", row.key);
        }
    }

    #[test]
    fn figures_are_those_of_the_fact_sheet() {
        for (price, decimal) in [
            (Price::Write, "0.625"),
            (Price::Read, "0.125"),
            (Price::WriteHour, "0.00065"),
            (Price::ReadHour, "0.00013"),
            (Price::WriteIa, "0.78"),
            (Price::WriteHourIa, "0.00081"),
            (Price::ReadHourIa, "0.00016"),
            (Price::Storage, "0.25"),
            (Price::StorageIa, "0.1"),
            (Price::StreamRead, "0.02"),
            (Price::PointInTime, "0.2"),
            (Price::DaxSmall, "0.04"),
            (Price::WriteYear, "150"),
            (Price::ReadThreeHour, "0.0016"),
        ] {
            assert_eq!(us().of(price).decimal(), decimal, "{price:?}");
        }
    }

    #[test]
    fn a_figure_a_region_lacks_is_the_default_one_and_says_so() {
        let sydney =
            PriceList { region: Region::named("ap-southeast-2").unwrap(), own: Vec::new() };
        assert_eq!(sydney.figure(Price::Write).0.decimal(), "0.71");
        assert_eq!(sydney.figure(Price::Write).1, Confidence::Medium);
        assert_eq!(
            sydney.figure(Price::StreamRead),
            (us().of(Price::StreamRead), Confidence::Assumed)
        );
        assert_eq!(Region::named("eu-moon-1"), None);
    }

    #[test]
    fn an_own_price_counts_until_it_is_taken_away() {
        let mut list = us();
        list.set(Price::Write, Money::parse("1.25").ok());
        assert_eq!(list.figure(Price::Write).1, Confidence::Own);
        assert_eq!(list.cost(Price::Write, 1_000_000).cents(), 125);
        list.set(Price::Write, None);
        assert_eq!(list, us());
    }

    #[test]
    fn idle_provisioned_tables_cost_what_the_lessons_say() {
        // Lesson 2.4 step 6 and lesson 5.4 step 4: five units of each kind, eight and ten tables.
        let table =
            |n: u128| us().month(Price::ReadHour, 5 * n) + us().month(Price::WriteHour, 5 * n);
        assert_eq!(table(1).decimal(), "2.847");
        assert_eq!(table(8).decimal(), "22.776");
        assert_eq!(table(10).decimal(), "28.47");
        // Lesson 5.1 step 3: 9,000 writes and 3,000 reads.
        let rented = us().month(Price::WriteHour, 9_000) + us().month(Price::ReadHour, 3_000);
        assert_eq!(rented.cents(), 455_520);
    }
}
