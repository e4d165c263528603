//! `Prepared`: the plan of a request that is asked again and again about other items.
//!
//! Invariant: what comes of it is what [`plan`](crate::plan()) gives of the same request with that item. Whatever an item or its key
//! may break is checked every time; what the request says besides was checked once, against a schema that is still the
//! table's.

use std::sync::Arc;

use hashrange_storage::Store;
use hashrange_types::{ApiError, Item, Operation, TableReference, TableSchema, ValidationError};

use crate::plan::Plan;
use crate::validation::is_there;

/// A plan of GetItem, PutItem, UpdateItem or DeleteItem that is made ready for one item after the other.
#[derive(Debug, Clone)]
pub struct Prepared {
    plan: Plan,
    operation: Operation,
    schema: Arc<TableSchema>,
}

impl Prepared {
    /// A plan that was just made of this store; none if it is of another operation.
    pub fn new(store: &Store, operation: Operation, plan: Plan) -> Option<Self> {
        let schema = store.table(table_of(&plan)?.name.as_str())?.shared_schema();
        Some(Self { plan, operation, schema })
    }

    /// True if the table is what it was; otherwise the request has to be planned anew.
    pub fn is_of(&self, store: &Store) -> bool {
        let table = table_of(&self.plan).and_then(|table| store.table(table.name.as_str()));
        table.is_some_and(|table| is_there(table) && table.has_schema(&self.schema))
    }

    /// The plan of the request about this item: PutItem's whole item, the others' key. A GetItem is strongly
    /// consistent or not, as is said.
    ///
    /// # Errors
    /// The first rule that the item breaks.
    pub fn about(&mut self, item: &Item, is_consistent: bool) -> Result<&Plan, ApiError> {
        match self.fit(item, is_consistent) {
            Ok(()) => Ok(&self.plan),
            Err(error) => Err(ApiError::from(error).within(self.operation)),
        }
    }

    fn fit(&mut self, item: &Item, is_consistent: bool) -> Result<(), ValidationError> {
        match &mut self.plan {
            Plan::GetItem(plan) => {
                plan.is_consistent = is_consistent;
                plan.fit(&self.schema, item)
            }
            Plan::PutItem(plan) => plan.fit(&self.schema, item),
            Plan::UpdateItem(plan) => plan.write.fit_key(&self.schema, item),
            Plan::DeleteItem(plan) => plan.write.fit_key(&self.schema, item),
            _ => Ok(()),
        }
    }
}

/// The table of the operations that can be prepared.
fn table_of(plan: &Plan) -> Option<&TableReference> {
    match plan {
        Plan::GetItem(plan) => Some(&plan.table),
        Plan::PutItem(plan) => Some(&plan.write.table),
        Plan::UpdateItem(plan) => Some(&plan.write.table),
        Plan::DeleteItem(plan) => Some(&plan.write.table),
        _ => None,
    }
}
