//! `Arithmetic`: sums of whole numbers in slots, such as `n%3000+1`.
//!
//! Invariant: reading and working out end for every text; where a result does not fit or something is divided by
//! nothing, it is 0.

/// Most numbers, names and signs of one sum.
const STEPS_MAX: usize = 64;

/// A sum, with its operands before their signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Arithmetic(Vec<Step>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Number(i64),
    /// A variable, by its position.
    Variable(usize),
    /// One of `+-*/%`, or an open bracket while it is read.
    Sign(u8),
}

impl Arithmetic {
    /// Reads a sum of these variables; none if the text is none.
    pub(crate) fn parse(text: &str, variables: &[&str]) -> Option<Self> {
        let (mut steps, mut signs): (Vec<Step>, Vec<u8>) = (Vec::new(), Vec::new());
        let mut rest = text.trim();
        let mut wants_operand = true;
        while let Some(first) = rest.bytes().next() {
            if steps.len() + signs.len() > STEPS_MAX {
                return None;
            }
            if wants_operand && first == b'(' {
                signs.push(first);
                rest = &rest[1..];
            } else if wants_operand {
                let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric());
                let (operand, after) = rest.split_at(end.unwrap_or(rest.len()));
                let variable = variables.iter().position(|name| *name == operand);
                steps.push(match variable {
                    Some(position) => Step::Variable(position),
                    None => Step::Number(operand.parse().ok()?),
                });
                (rest, wants_operand) = (after, false);
            } else {
                let own = strength(first)?;
                let mut is_open = false;
                while let Some(sign) = signs.pop() {
                    is_open = sign == b'(';
                    if is_open || strength(sign) < Some(own) {
                        signs.push(sign);
                        break;
                    }
                    steps.push(Step::Sign(sign));
                }
                if first == b')' {
                    // It takes the open one with it.
                    signs.pop().filter(|_| is_open)?;
                }
                wants_operand = first != b')';
                signs.extend(wants_operand.then_some(first));
                rest = &rest[1..];
            }
            rest = rest.trim_start();
        }
        steps.extend(signs.iter().rev().map(|sign| Step::Sign(*sign)));
        let is_whole = !wants_operand && !signs.contains(&b'(');
        is_whole.then_some(Self(steps))
    }

    /// What it comes to with these values of the variables.
    pub(crate) fn value(&self, values: [i64; 2]) -> i64 {
        // Most slots are a variable and nothing more.
        if let [Step::Variable(position)] = self.0[..] {
            return values[position];
        }
        let mut stack = Vec::new();
        for step in &self.0 {
            let value = match step {
                Step::Number(number) => *number,
                Step::Variable(position) => values[*position],
                Step::Sign(sign) => {
                    let (right, left) = (stack.pop().unwrap_or(0), stack.pop().unwrap_or(0));
                    combined(*sign, left, right).unwrap_or(0)
                }
            };
            stack.push(value);
        }
        stack.pop().unwrap_or(0)
    }
}

const fn strength(sign: u8) -> Option<u8> {
    match sign {
        b')' => Some(0),
        b'+' | b'-' => Some(1),
        b'*' | b'/' | b'%' => Some(2),
        _ => None,
    }
}

const fn combined(sign: u8, left: i64, right: i64) -> Option<i64> {
    match sign {
        b'+' => left.checked_add(right),
        b'-' => left.checked_sub(right),
        b'*' => left.checked_mul(right),
        b'/' => left.checked_div_euclid(right),
        _ => left.checked_rem_euclid(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_come_before_sums_and_brackets_before_both() {
        for (text, expected) in [
            ("n", 23),
            ("n%5+1", 4),
            ("1 + n * 2 - key", 40),
            ("(1+n)*2", 48),
            ("((n-3)/(2))%7", 3),
            ("7-2-1", 4),
            ("n/0", 0),
            ("9223372036854775807+1", 0),
        ] {
            let sum = Arithmetic::parse(text, &["n", "key"]).expect(text);
            assert_eq!(sum.value([23, 7]), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_sum_is_none() {
        for text in ["", "n+", "(n", "n)", "m", "n n", "+n", "n#2", "()", "99999999999999999999"] {
            assert_eq!(Arithmetic::parse(text, &["n", "key"]), None, "{text}");
        }
    }
}
