//! `ExpressionError`: one variant for each message DynamoDB gives about an expression.
//!
//! Invariant: `Display` is the message without its `Invalid <Kind>: ` in front; [`Located::raise`] adds that.
//!
//! Source: facts 4.10.1, rows 17 to 29 and 36 to 37.

use hashrange_types::{DocumentPath, ErrorPlace, ExpressionParameter, Rule, ValidationError};

use crate::lexer::Span;

/// What is wrong with the text of an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ExpressionError {
    #[error("The expression can not be empty;")]
    Empty,
    #[error("Expression size has exceeded the maximum allowed size")]
    TooLong,
    #[error("Expression size has exceeded the maximum allowed size; expression size: {0}")]
    FilterTooLong(usize),
    #[error("The expression contains too many operators; operator count: {0}")]
    TooManyOperators(usize),
    #[error("The expression has too many nesting levels; nesting levels: {0}")]
    TooDeep(usize),
    #[error("Syntax error; token: \"{token}\", near: \"{near}\"")]
    Syntax { token: String, near: String },
    #[error("The expression has redundant parentheses;")]
    RedundantParentheses,
    #[error("Invalid function name; function: {0}")]
    UnknownFunction(String),
    #[error("The function is not allowed in a condition expression; function: {0}")]
    UpdateFunction(String),
    #[error("The function is not allowed in an update expression; function: {0}")]
    ConditionFunction(String),
    #[error("The function is not allowed to be used this way in an expression; function: {0}")]
    MisusedFunction(String),
    #[error("Attribute name is a reserved keyword; reserved keyword: {0}")]
    ReservedWord(String),
    #[error(
        "An expression attribute name used in the document path is not defined; attribute name: {0}"
    )]
    UndefinedName(String),
    #[error(
        "An expression attribute value used in expression is not defined; attribute value: {0}"
    )]
    UndefinedValue(String),
    #[error("List index is not within the allowable range; index: [{0}]")]
    IndexOutOfRange(String),
    #[error("The document path has too many nesting levels; nesting levels: {0}")]
    PathTooDeep(usize),
    #[error(
        "Incorrect number of operands for operator or function; operator or function: {operator}, number of operands: {count}"
    )]
    OperandCount { operator: &'static str, count: usize },
    #[error("The IN operator is provided with too many operands; number of operands: {0}")]
    TooManyOperands(usize),
    #[error(
        "The first operand must be distinct from the remaining operands for this operator or function; operator: {operator}, first operand: {path}"
    )]
    NotDistinct { operator: &'static str, path: DocumentPath },
    #[error("Operator or function requires a document path; operator or function: {0}")]
    NeedsPath(&'static str),
    #[error(
        "Incorrect operand type for operator or function; operator or function: {operator}, operand type: {found}"
    )]
    OperandType { operator: &'static str, found: &'static str },
    #[error(
        "Incorrect operand type for operator or function; operator: {action}, operand type: {found}"
    )]
    ActionOperandType { action: &'static str, found: &'static str },
    #[error(
        "Invalid attribute type name found; type: {0}, valid types: {{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}"
    )]
    UnknownType(String),
    #[error(
        "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {{{lower}}}, upper bound operand: AttributeValue: {{{upper}}}"
    )]
    BetweenTypes { lower: String, upper: String },
    #[error(
        "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {{{lower}}}, upper bound operand: AttributeValue: {{{upper}}}"
    )]
    BetweenOrder { lower: String, upper: String },
    #[error("The \"{0}\" section can only be used once in an update expression;")]
    RepeatedSection(&'static str),
    #[error(
        "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: {0}, path two: {1}"
    )]
    Overlap(DocumentPath, DocumentPath),
    #[error(
        "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: {0}, path two: {1}"
    )]
    Conflict(DocumentPath, DocumentPath),
    #[error("KeyConditionExpressions must only contain one condition per key")]
    RepeatedKey,
    #[error("Invalid operator used in KeyConditionExpression: {0}")]
    KeyOperator(&'static str),
    #[error("KeyConditionExpressions cannot have conditions on nested attributes")]
    NestedKey,
    #[error("KeyConditionExpressions cannot contain nested operations")]
    NestedOperation,
    #[error("Invalid condition in KeyConditionExpression: No key attribute specified")]
    NoKey,
    #[error(
        "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"
    )]
    SeveralKeys,
    #[error(
        "Invalid condition in KeyConditionExpression: {0} operator must have the key attribute as its first operand"
    )]
    KeyNotFirst(&'static str),
}

/// An error and the text to blame for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    /// Apart, because errors are large and every `?` moves them.
    pub(crate) error: Box<ExpressionError>,
    pub(crate) span: Span,
}

impl ExpressionError {
    /// The error, found at `span`.
    pub(crate) fn at(self, span: Span) -> Located {
        Located { error: Box::new(self), span }
    }
}

impl Located {
    /// The error as the client sees it.
    pub(crate) fn raise(self, parameter: ExpressionParameter) -> ValidationError {
        let mut message = String::from("Invalid ");
        message.push_str(parameter.name());
        message.push_str(": ");
        message.push_str(&self.error.to_string());
        let Span { start, end } = self.span;
        ValidationError::new(message).of(Rule::Expression).at(ErrorPlace::Expression {
            parameter,
            start,
            end,
        })
    }
}

/// Why an update that is right by itself cannot be applied to the item at hand. Always sent bare (facts 4.10.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ApplyError {
    #[error("The document path provided in the update expression is invalid for update")]
    InvalidPath,
    #[error("An operand in the update expression has an incorrect data type")]
    OperandType,
    #[error("The provided expression refers to an attribute that does not exist in the item")]
    MissingAttribute,
    #[error("Type mismatch for attribute to update")]
    LegacyTypeMismatch,
    #[error("Attempting to store more than 38 significant digits in a Number")]
    TooPrecise,
    #[error(
        "Number overflow. Attempting to store a number with magnitude larger than supported range"
    )]
    Overflow,
    #[error(
        "Number underflow. Attempting to store a number with magnitude smaller than supported range"
    )]
    Underflow,
    #[error(
        "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
    )]
    TooDeep,
}

impl From<ApplyError> for ValidationError {
    fn from(error: ApplyError) -> Self {
        Self::new(error.to_string())
    }
}
