//! Sizes to units: what reads and writes cost.
//!
//! Source: facts 2.1 to 2.4; Developer Guide, "DynamoDB read and write operations".

use hashrange_types::CapacityUnits;
use hashrange_types::limits::{READ_UNIT_BYTES, WRITE_UNIT_BYTES};

/// Units consumed by reading `size_bytes` in one go: 4 KB a unit, rounded up, at least one, half of it when
/// eventually consistent.
///
/// ```
/// # use hashrange_engine::capacity::read_units;
/// # use hashrange_types::CapacityUnits;
/// assert_eq!(read_units(4_096, true), CapacityUnits::whole(1));
/// assert_eq!(read_units(4_097, false), CapacityUnits::whole(1));
/// assert_eq!(read_units(0, false), CapacityUnits::halves(1));
/// ```
pub fn read_units(size_bytes: u64, is_consistent: bool) -> CapacityUnits {
    let rounded = size_bytes.div_ceil(u64::from(READ_UNIT_BYTES)).max(1);
    if is_consistent { CapacityUnits::whole(rounded) } else { CapacityUnits::halves(rounded) }
}

/// Units consumed by writing `size_bytes`: 1 KB a unit, rounded up, at least one.
///
/// ```
/// # use hashrange_engine::capacity::write_units;
/// # use hashrange_types::CapacityUnits;
/// assert_eq!(write_units(1_024), CapacityUnits::whole(1));
/// assert_eq!(write_units(1_025), CapacityUnits::whole(2));
/// ```
pub fn write_units(size_bytes: u32) -> CapacityUnits {
    CapacityUnits::whole(u64::from(size_bytes.div_ceil(WRITE_UNIT_BYTES).max(1)))
}
