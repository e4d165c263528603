//! `Number`: 38 significant digits, exact arithmetic, and bytes that sort as the numbers do.
//!
//! Invariant: a `Number` is zero or has a magnitude of 1E-130 to 9.99…E+125 with at most 38 significant digits.
//!
//! Source: facts 1.2 and 1.3; Developer Guide, "Supported data types and naming rules".

use std::fmt;

use decimal_rs::Decimal;

/// A DynamoDB number. `Copy`, ordered by value, `-0` is `0`.
///
/// ```
/// # use hashrange_types::Number;
/// let number = Number::parse("1.50E2").unwrap();
/// assert_eq!(number.to_string(), "150");
/// assert_eq!(number, Number::parse("0150.0").unwrap());
/// assert_eq!(number.size_bytes(), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(Decimal);

/// Why a text is not a number, or a sum not one that can be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberError {
    /// The text does not follow the grammar of numbers.
    Syntax,
    /// More than 38 significant digits.
    TooPrecise,
    /// A magnitude above 9.99…E+125.
    Overflow,
    /// A magnitude below 1E-130 that is not zero.
    Underflow,
}

/// Significant digits a number may have.
const DIGITS_MAX: usize = 38;
/// Decimal exponent of the leading digit of the largest number.
const EXPONENT_MAX: i64 = 125;
/// Decimal exponent of the leading digit of the smallest number.
const EXPONENT_MIN: i64 = -130;

/// A number taken apart: sign, significant digits without zeros at either end, exponent of the first digit.
struct Parts {
    is_negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Number {
    /// Zero.
    pub fn zero() -> Self {
        Self(Decimal::ZERO)
    }

    /// Reads a number as DynamoDB does: sign, digits with at most one dot, optional exponent, no white space.
    ///
    /// # Errors
    /// [`NumberError`] says which rule the text breaks: grammar first, then precision, then range.
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        let parts = take_apart(text)?;
        let Some(parts) = parts else { return Ok(Self::zero()) };
        if parts.digits.len() > DIGITS_MAX {
            return Err(NumberError::TooPrecise);
        }
        if parts.exponent > EXPONENT_MAX {
            return Err(NumberError::Overflow);
        }
        if parts.exponent < EXPONENT_MIN {
            return Err(NumberError::Underflow);
        }
        let digits_after_first = i64::try_from(parts.digits.len()).expect("at most 38 digits") - 1;
        let mut int_val: u128 = 0;
        for digit in &parts.digits {
            int_val = int_val * 10 + u128::from(*digit);
        }
        let scale = i16::try_from(digits_after_first - parts.exponent).expect("range was checked");
        Decimal::from_parts(int_val, scale, parts.is_negative)
            .map(Self)
            .map_err(|_| NumberError::Overflow)
    }

    /// `self + other`, exactly.
    ///
    /// # Errors
    /// The sum leaves the range or would need more than 38 digits. Facts mark the latter (?) and recommend
    /// refusing.
    pub fn checked_add(self, other: Self) -> Result<Self, NumberError> {
        sum(&self.to_string(), &other.to_string())
    }

    /// `self - other`, exactly.
    ///
    /// # Errors
    /// As [`Number::checked_add`].
    pub fn checked_sub(self, other: Self) -> Result<Self, NumberError> {
        self.checked_add(Self(-other.0))
    }

    /// Bytes the number counts in an item: one per pair of decimal digits aligned on the point, one more,
    /// and one for a sign. Zero counts one.
    ///
    /// The facts (1.3) leave open whether `120` counts 2 or 3 (?); this is their recommendation, the
    /// base-100 layout, hence 3.
    pub fn size_bytes(self) -> u32 {
        if self.0.is_zero() {
            return 1;
        }
        let (_, scale, is_negative) = self.0.into_parts();
        let first_pair = self.exponent().div_euclid(2);
        let last_pair = (-i64::from(scale)).div_euclid(2);
        let n_pairs = u32::try_from(first_pair - last_pair + 1).expect("a number has few digits");
        1 + n_pairs + u32::from(is_negative)
    }

    /// Power of ten of the first significant digit. Digits are kept without zeros at their end.
    fn exponent(self) -> i64 {
        let (int_val, scale, _) = self.0.into_parts();
        i64::from(int_val.checked_ilog10().unwrap_or(0)) - i64::from(scale)
    }

    /// The number as the reference hash reads it: plain where no zeros are needed to write it, else with an
    /// exponent (`1.2E+2`), as the General Decimal Arithmetic specification prints a reduced number.
    pub(crate) fn to_scientific(self) -> String {
        let (int_val, scale, is_negative) = self.0.into_parts();
        let exponent = self.exponent();
        if self.0.is_zero() || (scale >= 0 && exponent >= -6) {
            return self.to_string();
        }
        let digits = int_val.to_string();
        let (first, rest) = digits.split_at(1);
        let sign = if is_negative { "-" } else { "" };
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}{first}{point}{rest}E{exponent:+}")
    }

    /// Appends bytes whose order is the order of numbers: sign, exponent, digits, end mark. No number's
    /// bytes start another's.
    pub fn push_sortable(self, bytes: &mut Vec<u8>) {
        if self.0.is_zero() {
            bytes.push(0x80);
            return;
        }
        let (int_val, _, is_negative) = self.0.into_parts();
        let flip = if is_negative { 0xFF } else { 0x00 };
        bytes.push(if is_negative { 0x7F } else { 0x81 });
        let exponent =
            u8::try_from(self.exponent() - EXPONENT_MIN).expect("exponents span 256 values");
        bytes.push(exponent ^ flip);
        let mut unit = 10_u128.pow(int_val.ilog10());
        let mut rest = int_val;
        while unit > 0 {
            let digit = u8::try_from(rest / unit).expect("one digit");
            bytes.push((digit + 1) ^ flip);
            rest %= unit;
            unit /= 10;
        }
        bytes.push(flip);
    }
}

/// Reads the grammar of facts 1.2. None is zero.
fn take_apart(text: &str) -> Result<Option<Parts>, NumberError> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let is_negative = bytes.first() == Some(&b'-');
    if matches!(bytes.first(), Some(b'+' | b'-')) {
        at = 1;
    }
    let mut digits: Vec<u8> = Vec::new();
    let mut n_before_point: Option<usize> = None;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' => digits.push(byte - b'0'),
            b'.' if n_before_point.is_none() => n_before_point = Some(digits.len()),
            _ => break,
        }
        at += 1;
    }
    if digits.is_empty() {
        return Err(NumberError::Syntax);
    }
    let exponent = read_exponent(&bytes[at..])?;
    let n_before_point = n_before_point.unwrap_or(digits.len());
    let Some(first) = digits.iter().position(|digit| *digit != 0) else { return Ok(None) };
    let last = digits.iter().rposition(|digit| *digit != 0).expect("one digit is not zero");
    let position = |n: usize| i64::try_from(n).unwrap_or(i64::MAX / 4);
    let exponent = exponent.saturating_add(position(n_before_point) - position(first) - 1);
    Ok(Some(Parts { is_negative, digits: digits[first..=last].to_vec(), exponent }))
}

/// Reads `e` and a signed whole number, or nothing. Huge exponents are clamped: they are out of range anyway.
fn read_exponent(bytes: &[u8]) -> Result<i64, NumberError> {
    let Some((first, rest)) = bytes.split_first() else { return Ok(0) };
    if !matches!(first, b'e' | b'E') {
        return Err(NumberError::Syntax);
    }
    let (sign, digits) = match rest.split_first() {
        Some((b'-', digits)) => (-1, digits),
        Some((b'+', digits)) => (1, digits),
        _ => (1, rest),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(NumberError::Syntax);
    }
    let mut exponent: i64 = 0;
    for digit in digits {
        exponent = (exponent * 10 + i64::from(digit - b'0')).min(1_000_000_000);
    }
    Ok(sign * exponent)
}

/// Adds two plain decimals digit by digit, so that nothing is rounded before the limits are checked.
fn sum(left: &str, right: &str) -> Result<Number, NumberError> {
    let (Some(a), Some(b)) = (take_apart(left)?, take_apart(right)?) else {
        return if take_apart(left)?.is_none() {
            Number::parse(right)
        } else {
            Number::parse(left)
        };
    };
    let low = |parts: &Parts| parts.exponent - i64::try_from(parts.digits.len()).unwrap_or(0) + 1;
    let bottom = low(&a).min(low(&b));
    let top = a.exponent.max(b.exponent) + 1;
    let n_columns = usize::try_from(top - bottom + 1).expect("top is above bottom");
    let mut columns = vec![0_i16; n_columns];
    for parts in [&a, &b] {
        let sign = if parts.is_negative { -1 } else { 1 };
        for (index, digit) in parts.digits.iter().enumerate() {
            let offset = parts.exponent - i64::try_from(index).unwrap_or(0) - bottom;
            columns[usize::try_from(offset).expect("inside the columns")] +=
                sign * i16::from(*digit);
        }
    }
    let text = write_columns(&mut columns, bottom);
    // A sum that is both too large and too precise overflows.
    if take_apart(&text)?.is_some_and(|parts| parts.exponent > EXPONENT_MAX) {
        return Err(NumberError::Overflow);
    }
    Number::parse(&text)
}

/// Carries and borrows through the columns (lowest first) and writes them as a number.
fn write_columns(columns: &mut [i16], bottom: i64) -> String {
    let is_negative =
        columns.iter().rev().find(|column| **column != 0).is_some_and(|column| *column < 0);
    if is_negative {
        for column in columns.iter_mut() {
            *column = -*column;
        }
    }
    for index in 0..columns.len() {
        let carry = columns[index].div_euclid(10);
        columns[index] = columns[index].rem_euclid(10);
        if let Some(next) = columns.get_mut(index + 1) {
            *next += carry;
        }
    }
    let digits: String = columns
        .iter()
        .rev()
        .map(|column| char::from(b'0' + u8::try_from(*column).unwrap_or(0)))
        .collect();
    format!("{}{digits}e{bottom}", if is_negative { "-" } else { "" })
}

impl fmt::Display for Number {
    /// Plain decimal without an exponent, no zeros to spare, as DynamoDB returns it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.normalize(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
    }

    #[test]
    fn numbers_are_returned_as_plain_decimals() {
        for (given, plain) in [
            ("1.50E2", "150"),
            ("-0.0", "0"),
            ("0012.3400", "12.34"),
            (".5", "0.5"),
            ("5.", "5"),
            ("+1.5", "1.5"),
            ("1.23E10", "12300000000"),
            ("1e-2", "0.01"),
            ("00042", "42"),
        ] {
            assert_eq!(number(given).to_string(), plain, "{given}");
        }
        assert_eq!(number("1E-130").to_string(), format!("0.{}1", "0".repeat(129)));
    }

    #[test]
    fn what_is_not_a_number_is_a_syntax_error() {
        for text in [
            "", "e2", "+e2", "1+2", "1.2.3", "++5", "+-5", "+", "-", "1e", "1e+", ".", "0x5",
            "NaN", "Infinity", "1_000", " 1", "1 ", "1e2.5", "1 2",
        ] {
            assert_eq!(Number::parse(text), Err(NumberError::Syntax), "{text:?}");
        }
    }

    #[test]
    fn thirty_eight_digits_pass_and_thirty_nine_are_too_precise() {
        assert!(Number::parse(&"9".repeat(38)).is_ok());
        assert_eq!(Number::parse(&"9".repeat(39)), Err(NumberError::TooPrecise));
        assert!(Number::parse(&format!("1{}", "0".repeat(100))).is_ok());
    }

    #[test]
    fn magnitudes_end_at_1e_minus_130_and_below_1e126() {
        assert_eq!(Number::parse("1e126"), Err(NumberError::Overflow));
        assert_eq!(Number::parse("-1e126"), Err(NumberError::Overflow));
        assert_eq!(Number::parse("1e-131"), Err(NumberError::Underflow));
        assert_eq!(Number::parse("1e99999999999999999999"), Err(NumberError::Overflow));
        assert!(Number::parse(&format!("{}e88", "9".repeat(38))).is_ok());
        assert!(Number::parse("1E-130").is_ok());
        assert_eq!(Number::parse("0.0e126"), Ok(Number::zero()));
    }

    #[test]
    fn sizes_are_those_measured_at_the_400_kb_gate() {
        for (text, size) in [
            ("0", 1),
            ("-0", 1),
            ("1", 2),
            ("12", 2),
            ("0042", 2),
            ("0.15", 2),
            ("100", 2),
            ("0.0000001", 2),
            ("1E125", 2),
            ("1E-100", 2),
            ("1.5", 3),
            ("1.200", 3),
            ("123", 3),
            ("1010", 3),
            ("12345", 4),
            ("1.234", 4),
            ("100.5", 4),
            ("1234567", 5),
            ("3.14159", 5),
            ("123456789", 6),
            ("12345678912", 7),
            ("1234567890123456789", 11),
            ("-42", 3),
            ("-1E125", 3),
            ("-0.15", 3),
            ("-12345", 5),
        ] {
            assert_eq!(number(text).size_bytes(), size, "{text}");
        }
        assert_eq!(number(&"1".repeat(38)).size_bytes(), 20);
    }

    #[test]
    fn the_reference_hash_reads_reduced_numbers() {
        for (text, read) in
            [("120", "1.2E+2"), ("12", "12"), ("-1.50", "-1.5"), ("0.0000001", "1E-7"), ("0", "0")]
        {
            assert_eq!(number(text).to_scientific(), read);
        }
    }

    #[test]
    fn sums_outside_the_limits_are_refused() {
        let most = number(&format!("{}e88", "9".repeat(38)));
        assert_eq!(most.checked_add(most), Err(NumberError::Overflow));
        assert_eq!(number("1e40").checked_add(number("1")), Err(NumberError::TooPrecise));
        assert_eq!(number("1.5").checked_sub(number("1.5")), Ok(Number::zero()));
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod laws {
        use super::*;
        use bigdecimal::BigDecimal;
        use proptest::prelude::*;
        use std::str::FromStr;

        fn texts() -> impl Strategy<Value = String> {
            ("-?[0-9]{1,38}", -140_i32..140)
                .prop_map(|(digits, exponent)| format!("{digits}e{exponent}"))
        }

        fn close_texts() -> impl Strategy<Value = String> {
            ("-?[0-9]{1,12}", -6_i32..6)
                .prop_map(|(digits, exponent)| format!("{digits}e{exponent}"))
        }

        proptest! {
            #[test]
            fn numbers_and_their_bytes_sort_as_big_decimals_do(a in texts(), b in texts()) {
                let (Ok(x), Ok(y)) = (Number::parse(&a), Number::parse(&b)) else { return Ok(()) };
                let order = BigDecimal::from_str(&a).unwrap().cmp(&BigDecimal::from_str(&b).unwrap());
                let (mut p, mut q) = (Vec::new(), Vec::new());
                x.push_sortable(&mut p);
                y.push_sortable(&mut q);
                prop_assert_eq!(x.cmp(&y), order);
                prop_assert_eq!(p.cmp(&q), order);
            }

            #[test]
            fn sums_and_differences_are_exact(a in close_texts(), b in close_texts()) {
                let (x, y) = (number(&a), number(&b));
                let (p, q) = (BigDecimal::from_str(&a).unwrap(), BigDecimal::from_str(&b).unwrap());
                let sum = x.checked_add(y).unwrap().to_string();
                let difference = x.checked_sub(y).unwrap().to_string();
                prop_assert_eq!(BigDecimal::from_str(&sum).unwrap(), &p + &q);
                prop_assert_eq!(BigDecimal::from_str(&difference).unwrap(), &p - &q);
            }

            #[test]
            fn wide_sums_are_exact_or_refused(a in texts(), b in texts()) {
                let (Ok(x), Ok(y)) = (Number::parse(&a), Number::parse(&b)) else { return Ok(()) };
                let sum = BigDecimal::from_str(&a).unwrap() + BigDecimal::from_str(&b).unwrap();
                match x.checked_add(y) {
                    Ok(found) => prop_assert_eq!(BigDecimal::from_str(&found.to_string()).unwrap(), sum),
                    Err(NumberError::TooPrecise) => prop_assert!(sum.normalized().digits() > 38),
                    Err(_) => prop_assert!(sum.normalized().digits() <= 38),
                }
            }

            #[test]
            fn a_printed_number_reads_back_as_itself(a in texts()) {
                let Ok(x) = Number::parse(&a) else { return Ok(()) };
                prop_assert_eq!(Number::parse(&x.to_string()), Ok(x));
            }

            #[test]
            fn any_text_is_a_number_or_an_error(text in "\\PC{0,20}") {
                let _ = Number::parse(&text);
            }
        }
    }
}
