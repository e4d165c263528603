//! `Fix`: one change of a design that a person may take with one click.
//!
//! Invariant: applying a fix touches what its label says and nothing else, and never fails: a fix whose table, index
//! or pattern is gone leaves the design as it is.
//!
//! Not here: whether a fix is a good idea ([`crate::suggest`], [`crate::lint`]); the items, which a new key template
//! does not rewrite.

use hashrange_types::{AttributeName, Projection, ScalarType, TableSchema};
use serde_json::Value;

use crate::document::Design;
use crate::table_form::{IndexForm, KeyField, ProjectionForm, TableForm};

/// An index that a design could have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexPlan {
    /// Its name.
    pub name: String,
    /// True for a local index, which is made together with its table.
    pub is_local: bool,
    /// Its partition attributes.
    pub partition: Vec<(String, ScalarType)>,
    /// Its sort attribute.
    pub sort: Option<(String, ScalarType)>,
    /// What its entries hold.
    pub projection: Projection,
}

/// A change of a design.
#[derive(Debug, Clone, PartialEq)]
pub enum Fix {
    /// Adds an index to a table, and asks a pattern's question of it.
    AddIndex {
        /// The table.
        table: String,
        /// The index.
        index: IndexPlan,
        /// The pattern's number, from 1, and its new Query.
        pattern: u32,
        /// The Query.
        request: Value,
    },
    /// Gives a pattern another request.
    SetRequest {
        /// The pattern's number, from 1.
        pattern: u32,
        /// Its operation from now on.
        operation: String,
        /// Its request from now on.
        request: Value,
        /// What that changes, for the label, such as `Ask isOnHold`.
        label: String,
    },
    /// Removes an index that nothing needs.
    RemoveIndex {
        /// The table.
        table: String,
        /// The index.
        index: String,
    },
    /// Lets an index hold fewer attributes.
    SetProjection {
        /// The table.
        table: String,
        /// The index.
        index: String,
        /// What its entries hold from now on.
        projection: Projection,
    },
    /// Gives an entity another key template.
    SetTemplate {
        /// The entity's index in the design.
        entity: usize,
        /// The key attribute.
        attribute: String,
        /// The template from now on.
        template: String,
    },
}

impl Fix {
    /// What the button says.
    pub fn label(&self) -> String {
        match self {
            Self::AddIndex { index, .. } => format!("Add the index {}", index.name),
            Self::SetRequest { label, .. } => label.clone(),
            Self::RemoveIndex { index, .. } => format!("Remove the index {index}"),
            Self::SetProjection { index, projection: Projection::KeysOnly, .. } => {
                format!("Project keys alone into {index}")
            }
            Self::SetProjection { index, projection: Projection::All, .. } => {
                format!("Project everything into {index}")
            }
            Self::SetProjection { index, projection: Projection::Include(names), .. } => {
                let names: Vec<&str> = names.iter().map(AttributeName::as_str).collect();
                format!("Project {} into {index}", names.join(", "))
            }
            Self::SetTemplate { attribute, template, .. } => {
                format!("Write {attribute} as {template}")
            }
        }
    }

    /// The design with the change made.
    #[must_use]
    pub fn apply(&self, design: &Design) -> Design {
        let mut changed = design.clone();
        // A change that finds nothing to change leaves everything as it is.
        if self.change(&mut changed).is_none() {
            return design.clone();
        }
        changed
    }

    fn change(&self, design: &mut Design) -> Option<()> {
        match self {
            Self::AddIndex { table, index, pattern, request } => {
                change_table(design, table, |form| {
                    if form.index(&index.name).is_some() {
                        return None;
                    }
                    form.indexes.push(index.form());
                    Some(())
                })?;
                set_request(design, *pattern, "Query", request)
            }
            Self::SetRequest { pattern, operation, request, .. } => {
                set_request(design, *pattern, operation, request)
            }
            Self::RemoveIndex { table, index } => change_table(design, table, |form| {
                form.index(index)?;
                form.indexes.retain(|it| it.name != *index);
                Some(())
            }),
            Self::SetProjection { table, index, projection } => {
                change_table(design, table, |form| {
                    let index = form.indexes.iter_mut().find(|it| it.name == *index)?;
                    index.projection = projection_form(projection);
                    Some(())
                })
            }
            Self::SetTemplate { entity, attribute, template } => {
                let entity = design.entities.get_mut(*entity)?;
                entity.keys.get_mut(attribute)?.clone_from(template);
                Some(())
            }
        }
    }
}

/// Changes a table's form; none where the design has no such table or the change finds nothing.
fn change_table(
    design: &mut Design,
    name: &str,
    change: impl FnOnce(&mut TableForm) -> Option<()>,
) -> Option<()> {
    let table = design.tables.iter_mut().find(|table| table["TableName"] == name)?;
    let mut form = TableForm::of(table);
    change(&mut form)?;
    *table = form.write_into(table).ok()?;
    Some(())
}

fn set_request(design: &mut Design, number: u32, operation: &str, request: &Value) -> Option<()> {
    let at = usize::try_from(number.checked_sub(1)?).ok()?;
    let pattern = design.patterns.get_mut(at)?;
    operation.clone_into(&mut pattern.operation);
    pattern.request = request.clone();
    // From now on it is the request that somebody chose.
    pattern.question = None;
    Some(())
}

fn projection_form(projection: &Projection) -> ProjectionForm {
    match projection {
        Projection::KeysOnly => ProjectionForm::KeysOnly,
        Projection::All => ProjectionForm::All,
        Projection::Include(names) => {
            ProjectionForm::Include(names.iter().map(ToString::to_string).collect())
        }
    }
}

impl IndexPlan {
    /// The table's schema with the index added; none if its name cannot be one.
    pub fn added_to(&self, schema: &TableSchema) -> Option<TableSchema> {
        crate::suggest::with_index(schema, self)
    }

    pub(crate) fn form(&self) -> IndexForm {
        let field = |(name, scalar): &(String, ScalarType)| KeyField {
            name: name.clone(),
            scalar: scalar.letter().to_owned(),
        };
        IndexForm {
            name: self.name.clone(),
            is_local: self.is_local,
            partition: self.partition.iter().map(field).collect(),
            sort: self.sort.iter().map(field).collect(),
            projection: projection_form(&self.projection),
        }
    }
}
