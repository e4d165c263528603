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
    /// The facts (1.3) leave open whether `120` counts 2 or 3; this is their recommendation, the base-100
    /// layout, hence 3.
    pub fn size_bytes(self) -> u32 {
        let text = self.to_string();
        let (sign, text) = match text.strip_prefix('-') {
            Some(rest) => (1, rest),
            None => (0, text.as_str()),
        };
        if text == "0" {
            return 1;
        }
        let (left, right) = text.split_once('.').unwrap_or((text, ""));
        let pairs = digit_pairs(left, right);
        1 + u32::try_from(pairs).expect("a number has few digits") + sign
    }

    /// The number as the reference hash reads it: plain where no zeros are needed to write it, else with an
    /// exponent (`1.2E+2`), as the General Decimal Arithmetic specification prints a reduced number.
    pub(crate) fn to_scientific(self) -> String {
        let text = self.to_string();
        let Some(parts) = take_apart(&text).expect("a number prints as a number") else {
            return text;
        };
        let last =
            parts.exponent - i64::try_from(parts.digits.len()).expect("at most 38 digits") + 1;
        if last <= 0 && parts.exponent >= -6 {
            return text;
        }
        let digits: String = parts.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        let (first, rest) = digits.split_at(1);
        let sign = if parts.is_negative { "-" } else { "" };
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}{first}{point}{rest}E{:+}", parts.exponent)
    }

    /// Appends bytes whose order is the order of numbers: class and sign, exponent, digits, end mark.
    pub fn push_sortable(self, bytes: &mut Vec<u8>) {
        let text = self.to_string();
        let Some(parts) = take_apart(&text).expect("a number prints as a number") else {
            bytes.push(0x80);
            return;
        };
        let flip = if parts.is_negative { 0xFF } else { 0x00 };
        bytes.push(if parts.is_negative { 0x7F } else { 0x81 });
        let exponent =
            u8::try_from(parts.exponent - EXPONENT_MIN + 1).expect("exponents span 256 values");
        bytes.push(exponent ^ flip);
        for digit in parts.digits {
            bytes.push((digit + 1) ^ flip);
        }
        bytes.push(flip);
    }
}

/// Base-100 digit pairs of a plain decimal, aligned on the point, zero pairs at both ends not counted.
fn digit_pairs(left: &str, right: &str) -> usize {
    let mut pairs: Vec<[u8; 2]> = Vec::new();
    let left: Vec<u8> =
        if left.len() % 2 == 1 { format!("0{left}") } else { left.to_owned() }.into_bytes();
    let right: Vec<u8> =
        if right.len() % 2 == 1 { format!("{right}0") } else { right.to_owned() }.into_bytes();
    for pair in left.chunks(2).chain(right.chunks(2)) {
        pairs.push([pair[0], pair[1]]);
    }
    let first = pairs.iter().position(|pair| pair != b"00").unwrap_or(pairs.len());
    let last = pairs.iter().rposition(|pair| pair != b"00").map_or(first, |at| at + 1);
    last - first
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
    Number::parse(&write_columns(&mut columns, bottom))
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
