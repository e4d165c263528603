//! Rules of reads: projections, filters, Select and starting keys, for tables and indexes.
//!
//! Invariant: a rule here decides from the request and the schema alone, never from items.
//!
//! Not here: rules that writes share (`validation`), key conditions (`operation::query`).
//!
//! Source: facts 3.3, 3.4 and 4.10.1, rows 36 to 42.

use hashrange_expressions::{
    Condition, ProjectionPaths, Substitutions, legacy_condition, legacy_projection,
    parse_condition, parse_projection,
};
use hashrange_storage::Store;
use hashrange_types::operation::{ConditionalOperator, ExpressionNames, ReadRequest, Select};
use hashrange_types::schema::IndexSchema;
use hashrange_types::{
    ApiError, AttributeName, DocumentPath, EncodedKey, ExpressionParameter, Item, KeySchema,
    Projection, Rule, SortedSet, TableSchema, TableStatus, ValidationError,
};
use smol_str::SmolStr;

use crate::page::{Output, PageIndex};
use crate::validation::{ParameterStyles, check_key_values, find_table};

/// Refuses AttributesToGet beside ProjectionExpression, and names without it.
pub(crate) fn check_projection_styles(
    has_projection: bool,
    has_attributes_to_get: bool,
    has_names: bool,
) -> Result<(), ValidationError> {
    ParameterStyles {
        expressions: &[("ProjectionExpression", has_projection)],
        legacy: &[("AttributesToGet", has_attributes_to_get)],
        has_names,
        has_values: false,
    }
    .check()
}

/// The projection of a request that has no other expression.
pub(crate) fn bind_lone_projection(
    expression: Option<&str>,
    attributes_to_get: Option<&[SmolStr]>,
    names: Option<&ExpressionNames>,
) -> Result<Option<ProjectionPaths>, ValidationError> {
    if expression.is_none() && attributes_to_get.is_none() && names.is_none() {
        return Ok(None);
    }
    let legacy = attributes_to_get.map(legacy_projection).transpose()?;
    let mut substitutions = Substitutions::new(names, None)?;
    let projection = match expression {
        Some(text) => Some(parse_projection(text, &mut substitutions)?),
        None => legacy,
    };
    substitutions.check_all_used()?;
    Ok(projection)
}

/// The parts of a read that were given in the old style, bound before any expression is (facts 4.10.3,
/// steps 5 and 6).
#[derive(Debug)]
pub(crate) struct LegacyParts {
    start_key: Option<Item>,
    projection: Option<ProjectionPaths>,
    filter: Option<Condition>,
}

/// What a Query or Scan asks for, apart from where.
#[derive(Debug)]
pub(crate) struct ReadParts {
    pub(crate) start_key: Option<Item>,
    pub(crate) projection: Option<ProjectionPaths>,
    pub(crate) filter: Option<Condition>,
}

impl LegacyParts {
    /// Binds them: starting key, then filter, then projection.
    pub(crate) fn bind(request: &ReadRequest) -> Result<Self, ValidationError> {
        let start_key = start_key_values(request)?;
        let operator = request.conditional_operator.unwrap_or(ConditionalOperator::And);
        let filter = request.filter.as_deref().filter(|conditions| !conditions.is_empty());
        let filter = filter.map(|conditions| legacy_condition(conditions, operator)).transpose()?;
        let projection = request.attributes_to_get.as_deref().map(legacy_projection).transpose()?;
        Ok(Self { start_key, projection, filter })
    }

    /// Binds the expressions, filter before projection, and refuses substitutions that none used.
    pub(crate) fn with_expressions(
        self,
        request: &ReadRequest,
        substitutions: &mut Substitutions<'_>,
    ) -> Result<ReadParts, ValidationError> {
        let filter = match &request.filter_expression {
            Some(text) => Some(parse_condition(ExpressionParameter::Filter, text, substitutions)?),
            None => self.filter,
        };
        let projection = match &request.projection_expression {
            Some(text) => Some(parse_projection(text, substitutions)?),
            None => self.projection,
        };
        substitutions.check_all_used()?;
        Ok(ReadParts { start_key: self.start_key, projection, filter })
    }
}

/// The table or index a Query or Scan reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadTree<'a> {
    pub(crate) schema: &'a TableSchema,
    pub(crate) index: Option<IndexSchema<'a>>,
}

impl<'a> ReadTree<'a> {
    /// Finds what the request reads (facts 4.10.3, step 10 and the first rules of step 11).
    pub(crate) fn find(
        store: &'a Store,
        request: &ReadRequest,
        is_scan: bool,
    ) -> Result<Self, ApiError> {
        let table = find_table(store, &request.table)?;
        let schema = table.schema();
        let Some(name) = &request.index else {
            return Ok(Self { schema, index: None });
        };
        let Some(index) = schema.index(name.as_str()) else {
            // A Scan looks at its starting key first, which then fits nothing.
            let message = if is_scan && request.exclusive_start_key.is_some() {
                INVALID_START_KEY.to_owned()
            } else {
                format!("The table does not have the specified index: {name}")
            };
            return Err(ValidationError::new(message).at_member(&["IndexName"]).into());
        };
        let state = table.state().indexes.get(name);
        if state.is_some_and(|state| state.status == TableStatus::Creating) {
            let message = format!("Cannot read from backfilling global secondary index: {name}");
            return Err(ValidationError::new(message).at_member(&["IndexName"]).into());
        }
        if request.consistent_read && !index.is_local {
            let message = "Consistent reads are not supported on global secondary indexes";
            return Err(ValidationError::new(message).at_member(&["ConsistentRead"]).into());
        }
        Ok(Self { schema, index: Some(index) })
    }

    /// The key that orders what is read.
    pub(crate) fn key(self) -> &'a KeySchema {
        self.index.map_or(&self.schema.key, |index| index.key)
    }

    /// The attributes among `paths` that entries of the index do not hold.
    fn lacking<'p>(
        self,
        paths: impl IntoIterator<Item = &'p DocumentPath>,
    ) -> impl Iterator<Item = &'p AttributeName> {
        let lacks = move |name: &AttributeName| {
            self.index.is_some_and(|index| !index.projects(self.schema, name.as_str()))
        };
        paths.into_iter().map(|path| &path.attribute).filter(move |name| lacks(name))
    }
}

/// What Select and the projection together ask for, and from where it comes.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    pub(crate) output: Output,
    pub(crate) index: Option<PageIndex>,
}

/// Applies the rules of Select (row 39).
pub(crate) fn select(
    tree: ReadTree<'_>,
    request: &ReadRequest,
    projection: Option<ProjectionPaths>,
    filter: Option<&Condition>,
    is_scan: bool,
) -> Result<Selection, ValidationError> {
    check_select(tree, request)?;
    check_projected_keys(projection.as_ref(), tree.schema)?;
    let unprojected: Vec<&AttributeName> =
        projection.iter().flat_map(|paths| tree.lacking(paths.paths())).collect();
    let unfiltered: Vec<&AttributeName> =
        filter.iter().flat_map(|filter| tree.lacking(filter.attributes())).collect();
    let wants_table_items = projection.is_none()
        && request.select == Some(Select::AllAttributes)
        && tree.index.is_some_and(|index| *index.projection != Projection::All);
    if let Some(index) = tree.index.filter(|index| !index.is_local) {
        let prefix = "One or more parameter values were invalid:";
        if !unprojected.is_empty() {
            return Err(ValidationError::new(format!(
                "{prefix} Global secondary index {} does not project {}",
                index.name,
                listed(&unprojected)
            )));
        }
        if !is_scan && !unfiltered.is_empty() {
            return Err(ValidationError::new(format!(
                "{prefix} Secondary index {} does not project one or more filter attributes: {}",
                index.name,
                listed(&unfiltered)
            )));
        }
    }
    let lacks_something = wants_table_items || !unprojected.is_empty() || !unfiltered.is_empty();
    let output = match projection {
        Some(paths) => Output::Paths(paths),
        None if request.select == Some(Select::Count) => Output::Count,
        None if wants_table_items => Output::TableItem,
        None => Output::Entry,
    };
    let index = tree.index.map(|index| PageIndex {
        name: index.name.clone(),
        is_local: index.is_local,
        fetches_items: index.is_local && lacks_something,
    });
    Ok(Selection { output, index })
}

fn listed(names: &[&AttributeName]) -> String {
    let distinct: SortedSet<&str> = names.iter().map(|name| name.as_str()).collect();
    let distinct: Vec<&str> = distinct.into_iter().collect();
    format!("[{}]", distinct.join(", "))
}

fn check_select(tree: ReadTree<'_>, request: &ReadRequest) -> Result<(), ValidationError> {
    let projection = if request.projection_expression.is_some() {
        Some("ProjectionExpression")
    } else {
        request.attributes_to_get.as_ref().map(|_| "AttributesToGet")
    };
    let message = match (request.select, projection) {
        (None, _) | (Some(Select::SpecificAttributes), Some(_)) => return Ok(()),
        (Some(Select::AllProjectedAttributes), _) if tree.index.is_none() => {
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName".to_owned()
        }
        (Some(select), Some(projection)) => {
            let what = match select {
                Select::Count => "only the Count",
                Select::AllProjectedAttributes => "ALL_PROJECTED_ATTRIBUTES",
                _ => "ALL_ATTRIBUTES",
            };
            format!("Cannot specify the {projection} when choosing to get {what}")
        }
        (Some(Select::SpecificAttributes), None) => {
            return Err(ValidationError::new(
                "Must specify the AttributesToGet or ProjectionExpression when choosing to get \
                 SPECIFIC_ATTRIBUTES",
            )
            .of(Rule::Select)
            .at_member(&["Select"]));
        }
        (Some(Select::AllAttributes), None) => match tree.index {
            Some(index) if !index.is_local && *index.projection != Projection::All => format!(
                "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not \
                 supported for global secondary index {} because its projection type is not ALL",
                index.name
            ),
            _ => return Ok(()),
        },
        (Some(Select::Count | Select::AllProjectedAttributes), None) => return Ok(()),
    };
    Err(ValidationError::new(message).at_member(&["Select"]))
}

/// What DynamoDB says of a starting key it cannot use.
pub(crate) const INVALID_START_KEY: &str = "The provided starting key is invalid";

/// The starting key's values, which are looked at before the expressions.
///
/// Of the rules for values, most are reported as a fault of the key, numbers and duplicates by themselves.
pub(crate) fn start_key_values(request: &ReadRequest) -> Result<Option<Item>, ValidationError> {
    match &request.exclusive_start_key {
        None => Ok(None),
        Some(Ok(key)) => Ok(Some(key.clone())),
        Some(Err(error)) => {
            let inner = error.message.as_str();
            let is_prefixed = inner.starts_with("Supplied AttributeValue")
                || inner.contains("Null attribute value types")
                || inner.contains("An string set")
                || inner.contains("Binary sets");
            let mut error = error.clone();
            if is_prefixed {
                error.message = format!("{INVALID_START_KEY}: {inner}");
            }
            Err(error)
        }
    }
}

/// The position a starting key names: exactly the attributes a LastEvaluatedKey holds, of the right types.
pub(crate) fn encode_start_key(
    tree: ReadTree<'_>,
    start: &Item,
    is_scan: bool,
) -> Result<EncodedKey, ValidationError> {
    let at_key = |message: String| ValidationError::new(message).at_member(&["ExclusiveStartKey"]);
    let table_key = &tree.schema.key;
    let only_in_index = tree.index.map_or(0, |index| {
        let own = index.key.attributes();
        own.filter(|attribute| !table_key.contains(attribute.name.as_str())).count()
    });
    let has_shape = start.len() == table_key.attributes().count() + only_in_index
        && table_key.matches(start)
        && tree.key().matches(start);
    let invalid = || {
        if is_scan && tree.index.is_none() {
            at_key(format!(
                "{INVALID_START_KEY}: The provided key element does not match the schema"
            ))
        } else {
            at_key(INVALID_START_KEY.to_owned())
        }
    };
    if !has_shape {
        return Err(invalid());
    }
    for key in [table_key, tree.key()] {
        check_key_values(key, start)
            .map_err(|error| at_key(format!("{INVALID_START_KEY}: {error}")))?;
    }
    let position = table_key.encode(start).ok_or_else(invalid)?;
    match tree.index {
        None => Ok(position),
        Some(index) => Ok(index.key.encode(start).ok_or_else(invalid)?.followed_by(&position)),
    }
}

/// Refuses projected paths below a key attribute.
pub(crate) fn check_projected_keys(
    projection: Option<&ProjectionPaths>,
    schema: &TableSchema,
) -> Result<(), ValidationError> {
    projection.map_or(Ok(()), |paths| check_key_paths(paths.paths(), schema))
}

/// Refuses paths below a key attribute, which can only be a scalar.
pub(crate) fn check_key_paths<'p>(
    paths: impl IntoIterator<Item = &'p DocumentPath>,
    schema: &TableSchema,
) -> Result<(), ValidationError> {
    for path in paths.into_iter().filter(|path| !path.is_top_level()) {
        let name = &path.attribute;
        let kind = if schema.key.contains(name.as_str()) {
            "Key"
        } else if schema.indexes().any(|index| index.key.contains(name.as_str())) {
            "IndexKey"
        } else {
            continue;
        };
        return Err(ValidationError::new(format!(
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not \
             allowed: {kind}: {name}"
        )));
    }
    Ok(())
}
