//! From the parameters of PutItem, UpdateItem and DeleteItem to bound expressions, in DynamoDB's order.
//!
//! Not here: rules about the item and its table ([`crate::write_validation`]), and which messages PutItem and
//! UpdateItem put in an envelope (`hashrange_types::wording`).

use hashrange_expressions::{
    Condition, Substitutions, Update, legacy_expected, legacy_update, parse_condition, parse_update,
};
use hashrange_types::operation::{
    AttributeUpdate, ConditionalOperator, ExpectedAttribute, ExpressionNames, ExpressionValues,
    ReturnValues,
};
use hashrange_types::{ExpressionParameter, Rule, ValidationError};

use crate::validation::ParameterStyles;

/// The parameters of a write that change the item or set a condition.
#[derive(Debug, Default)]
pub(crate) struct WriteParameters {
    pub(crate) update_expression: Option<String>,
    pub(crate) condition_expression: Option<String>,
    pub(crate) names: Option<ExpressionNames>,
    pub(crate) values: Option<ExpressionValues>,
    pub(crate) attribute_updates: Option<Vec<AttributeUpdate>>,
    pub(crate) expected: Option<Vec<ExpectedAttribute>>,
    pub(crate) conditional_operator: Option<ConditionalOperator>,
    /// True where how deep values nest is not looked at here.
    pub(crate) takes_deep_values: bool,
}

/// What the parameters say, bound.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) update: Option<Update>,
    pub(crate) condition: Option<Condition>,
}

impl WriteParameters {
    /// Refuses mixed styles, and names or values without an expression (step 4 of facts 4.10.3).
    ///
    /// # Errors
    /// Messages 15 and 16 of facts 4.10.1.
    pub(crate) fn check_styles(&self, takes_update: bool) -> Result<(), ValidationError> {
        let expressions = [
            ("UpdateExpression", self.update_expression.is_some()),
            ("ConditionExpression", self.condition_expression.is_some()),
        ];
        let legacy = [
            ("AttributeUpdates", self.attribute_updates.is_some()),
            ("Expected", self.expected.is_some()),
            ("ConditionalOperator", self.conditional_operator.is_some()),
        ];
        let first = usize::from(!takes_update);
        ParameterStyles {
            expressions: &expressions[first..],
            legacy: &legacy[first..],
            has_names: self.names.is_some(),
            has_values: self.values.is_some(),
        }
        .check()
    }

    /// Parses and binds everything (steps 6 to 9 of facts 4.10.3).
    ///
    /// # Errors
    /// The first rule broken: legacy parameters, names and values, update, condition, what is unused.
    pub(crate) fn bind(&self) -> Result<Bound, ValidationError> {
        if self.conditional_operator.is_some() && self.expected.is_none() {
            return Err(ValidationError::new(
                "ConditionalOperator cannot be used without Filter or Expected",
            )
            .at_member(&["ConditionalOperator"]));
        }
        let operator = self.conditional_operator.unwrap_or(ConditionalOperator::And);
        let legacy_condition = self
            .expected
            .as_ref()
            .map(|expected| legacy_expected(expected, operator))
            .transpose()?;
        let legacy_update =
            self.attribute_updates.as_ref().map(|updates| legacy_update(updates)).transpose()?;
        let read =
            if self.takes_deep_values { Substitutions::of_any_depth } else { Substitutions::new };
        let mut substitutions = read(self.names.as_ref(), self.values.as_ref())?;
        let update = self
            .update_expression
            .as_ref()
            .map(|text| parse_update(text, &mut substitutions))
            .transpose()?;
        let condition = self
            .condition_expression
            .as_ref()
            .map(|text| parse_condition(ExpressionParameter::Condition, text, &mut substitutions))
            .transpose()?;
        substitutions.check_all_used()?;
        Ok(Bound { update: update.or(legacy_update), condition: condition.or(legacy_condition) })
    }
}

/// Refuses other ReturnValues than PutItem and DeleteItem know; true for `ALL_OLD`.
///
/// # Errors
/// Message 6 of facts 4.10.1.
pub(crate) fn returns_old(return_values: ReturnValues) -> Result<bool, ValidationError> {
    match return_values {
        ReturnValues::None => Ok(false),
        ReturnValues::AllOld => Ok(true),
        _ => Err(ValidationError::new("ReturnValues can only be ALL_OLD or NONE")
            .of(Rule::ReturnValues)
            .at_member(&["ReturnValues"])),
    }
}
