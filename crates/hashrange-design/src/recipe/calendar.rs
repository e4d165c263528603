//! Dates of slots: days and seconds since the epoch to `2026-01-01` and `2026-01-01T00:00:00Z`, and back.
//!
//! Invariant: the proleptic Gregorian calendar, years 1 to 9999; no clock and no time zones.

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Days from 1970-01-01 to a date, or none where the date does not exist.
fn days_of(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days_in_month = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1..=days_in_month).contains(&day) {
        return None;
    }
    // Years start in March, so that the leap day is the last of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - 719_468)
}

/// Reads `2026-01-01`.
pub(crate) fn parse_date(text: &str) -> Option<i64> {
    let [year, month, day] = numbers(text, '-', [4, 2, 2])?;
    days_of(year, month, day)
}

/// Reads `2026-01-01T00:00:00Z` as seconds since the epoch.
pub(crate) fn parse_time(text: &str) -> Option<i64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    Some(parse_date(date)? * DAY + hour * 3_600 + minute * 60 + second)
}

/// Writes days since the epoch as `2026-01-01`; none outside the years 1 to 9999.
pub(crate) fn write_date(days: i64) -> Option<String> {
    let first = days_of(1, 1, 1)?;
    let last = days_of(9999, 12, 31)?;
    if !(first..=last).contains(&days) {
        return None;
    }
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// Writes seconds since the epoch as `2026-01-01T00:00:00Z`; none outside the years 1 to 9999.
pub(crate) fn write_time(seconds: i64) -> Option<String> {
    let date = write_date(seconds.div_euclid(DAY))?;
    let second = seconds.rem_euclid(DAY);
    Some(format!("{date}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60))
}

/// Three numbers of these widths between separators.
fn numbers(text: &str, separator: char, widths: [usize; 3]) -> Option<[i64; 3]> {
    let mut found = [0; 3];
    let mut parts = text.split(separator);
    for (number, width) in found.iter_mut().zip(widths) {
        let part = parts.next()?;
        if part.len() != width || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_four_centuries_reads_back() {
        let first = parse_date("1899-12-31").unwrap();
        for days in first..first + 146_097 {
            assert_eq!(parse_date(&write_date(days).unwrap()), Some(days));
        }
        assert_eq!(write_date(0).unwrap(), "1970-01-01");
        assert_eq!(parse_date("2026-01-01"), Some(20_454));
    }

    #[test]
    fn times_carry_over_midnight_and_leap_days() {
        let base = parse_time("2024-02-28T23:59:30Z").unwrap();
        assert_eq!(write_time(base + 60).unwrap(), "2024-02-29T00:00:30Z");
        assert_eq!(write_time(base + 86_460).unwrap(), "2024-03-01T00:00:30Z");
        assert_eq!(write_time(-1).unwrap(), "1969-12-31T23:59:59Z");
    }

    #[test]
    fn dates_that_do_not_exist_are_none() {
        for text in ["2026-02-29", "2026-13-01", "2026-1-1", "0000-01-01", "2026-01-01-01", ""] {
            assert_eq!(parse_date(text), None, "{text}");
        }
        assert_eq!(parse_time("2026-01-01T24:00:00Z"), None);
        assert_eq!(write_date(i64::MAX / 2), None);
    }
}
