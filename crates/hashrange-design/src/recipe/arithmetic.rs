//! Whole-number arithmetic of slots and conditions: `(p-1)*6+k`, with `/` and `%` rounding down.
//!
//! Invariant: an expression is read once, with its variables resolved; evaluating never panics.

use super::RecipeError;

/// Longest expression, so that reading one cannot exhaust the stack.
const EXPRESSION_BYTES_MAX: usize = 400;

/// An expression over the variables of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Number(i64),
    /// The variable at this position of the group's `for`.
    Variable(usize),
    Negative(Box<Self>),
    Binary(Operator, Box<Self>, Box<Self>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Arithmetic {
    /// Reads `text`, whose variables are `names`.
    pub(crate) fn parse(text: &str, names: &[String]) -> Result<Self, RecipeError> {
        let refuse = |reason: String| RecipeError::Expression { text: text.to_owned(), reason };
        if text.len() > EXPRESSION_BYTES_MAX {
            return Err(refuse(format!("it is longer than {EXPRESSION_BYTES_MAX} bytes")));
        }
        let mut reader = Reader { rest: text, names };
        let expression = reader.sum().map_err(refuse)?;
        reader.skip_space();
        if reader.rest.is_empty() {
            Ok(expression)
        } else {
            Err(refuse(format!("\"{}\" was not expected", reader.rest)))
        }
    }

    /// The value where the variables have these values; none where it leaves 64 bits or divides by 0.
    pub(crate) fn value(&self, values: &[i64]) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Variable(index) => values.get(*index).copied(),
            Self::Negative(inner) => inner.value(values)?.checked_neg(),
            Self::Binary(operator, left, right) => {
                operator.apply(left.value(values)?, right.value(values)?)
            }
        }
    }
}

impl Operator {
    fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Self::Add => left.checked_add(right),
            Self::Subtract => left.checked_sub(right),
            Self::Multiply => left.checked_mul(right),
            Self::Divide => divide_down(left, right),
            Self::Remainder => remainder_down(left, right),
        }
    }
}

/// The quotient rounded towards minus infinity.
fn divide_down(left: i64, right: i64) -> Option<i64> {
    let quotient = left.checked_div(right)?;
    let is_exact = left % right == 0;
    Some(if is_exact || (left < 0) == (right < 0) { quotient } else { quotient - 1 })
}

/// The remainder that goes with [`divide_down`]: it has the divisor's sign.
pub(crate) fn remainder_down(left: i64, right: i64) -> Option<i64> {
    let remainder = left.checked_rem(right)?;
    Some(if remainder == 0 || (remainder < 0) == (right < 0) {
        remainder
    } else {
        remainder + right
    })
}

/// Recursive descent over the text that is left.
struct Reader<'a> {
    rest: &'a str,
    names: &'a [String],
}

impl<'a> Reader<'a> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
    }

    fn take(&mut self, choices: &[(char, Operator)]) -> Option<Operator> {
        self.skip_space();
        let first = self.rest.chars().next()?;
        let (_, operator) = choices.iter().find(|(sign, _)| *sign == first)?;
        self.rest = &self.rest[1..];
        Some(*operator)
    }

    fn sum(&mut self) -> Result<Arithmetic, String> {
        let mut left = self.product()?;
        while let Some(operator) = self.take(&[('+', Operator::Add), ('-', Operator::Subtract)]) {
            left = Arithmetic::Binary(operator, Box::new(left), Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Arithmetic, String> {
        let mut left = self.atom()?;
        let choices =
            [('*', Operator::Multiply), ('/', Operator::Divide), ('%', Operator::Remainder)];
        while let Some(operator) = self.take(&choices) {
            left = Arithmetic::Binary(operator, Box::new(left), Box::new(self.atom()?));
        }
        Ok(left)
    }

    fn atom(&mut self) -> Result<Arithmetic, String> {
        self.skip_space();
        let Some(first) = self.rest.chars().next() else {
            return Err("it ends too early".to_owned());
        };
        match first {
            '(' => {
                self.rest = &self.rest[1..];
                let inner = self.sum()?;
                self.skip_space();
                let Some(tail) = self.rest.strip_prefix(')') else {
                    return Err("a bracket is not closed".to_owned());
                };
                self.rest = tail;
                Ok(inner)
            }
            '-' => {
                self.rest = &self.rest[1..];
                Ok(Arithmetic::Negative(Box::new(self.atom()?)))
            }
            '0'..='9' => {
                let digits = self.word(|character| character.is_ascii_digit());
                digits.parse().map(Arithmetic::Number).map_err(|_| format!("{digits} is too large"))
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let name =
                    self.word(|character| character.is_ascii_alphanumeric() || character == '_');
                match self.names.iter().position(|known| known == name) {
                    Some(index) => Ok(Arithmetic::Variable(index)),
                    None => Err(format!("\"{name}\" is not one of the names under \"for\"")),
                }
            }
            other => Err(format!("\"{other}\" was not expected")),
        }
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|character| !belongs(character)).unwrap_or(self.rest.len());
        let (word, tail) = self.rest.split_at(end);
        self.rest = tail;
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calculate(text: &str) -> Option<i64> {
        let names = ["p".to_owned(), "k".to_owned()];
        Arithmetic::parse(text, &names).unwrap().value(&[7, -3])
    }

    #[test]
    fn operators_bind_as_in_arithmetic() {
        assert_eq!(calculate("((p-1)*6+k-1)%36+1"), Some(33));
        assert_eq!(calculate("2+3*4-10/4"), Some(12));
        assert_eq!(calculate(" - p * 2 "), Some(-14));
    }

    #[test]
    fn division_and_remainder_round_down() {
        assert_eq!(calculate("k/2"), Some(-2));
        assert_eq!(calculate("k%2"), Some(1));
        assert_eq!(calculate("p/-2"), Some(-4));
        assert_eq!(calculate("p%-2"), Some(-1));
    }

    #[test]
    fn what_has_no_value_is_none_and_never_a_panic() {
        assert_eq!(calculate("p/0"), None);
        assert_eq!(calculate("p%0"), None);
        assert_eq!(calculate("9223372036854775807+p"), None);
        assert_eq!(calculate("(-9223372036854775807-1)/-1"), None);
        assert_eq!(calculate("(-9223372036854775807-1)%-1"), None);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for text in ["", "p+", "(p", "p)", "q", "p**2", "1.5", "p q", "99999999999999999999"] {
            assert!(Arithmetic::parse(text, &["p".to_owned()]).is_err(), "{text}");
        }
        assert!(Arithmetic::parse(&"(".repeat(100_000), &[]).is_err());
    }
}
