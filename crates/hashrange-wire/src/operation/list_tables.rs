//! ListTables on the wire.

use hashrange_types::limits::LIST_TABLES_MAX;
use hashrange_types::operation::{ListTablesRequest, ListTablesResponse};
use hashrange_types::{Request, TableName};

use crate::constraint::{Constraints, Place, Refusal};
use crate::members::Members;
use crate::writer::Writer;

pub(super) fn decode(mut members: Members) -> Result<Request, Refusal> {
    let mut constraints = Constraints::default();
    let start = members.text("ExclusiveStartTableName")?;
    if let Some(start) = &start {
        constraints.name(start, 3, &Place::Root.member("ExclusiveStartTableName"));
    }
    let limit = members.integer("Limit")?;
    if let Some(limit) = limit {
        constraints.range(limit, 1, LIST_TABLES_MAX.into(), &Place::Root.member("Limit"));
    }
    constraints.finish()?;
    Ok(Request::ListTables(ListTablesRequest {
        exclusive_start_table_name: start.and_then(|start| TableName::new(&start)),
        limit: limit.map(|limit| u32::try_from(limit).expect("the range was checked")),
    }))
}

pub(super) fn encode(response: &ListTablesResponse, writer: &mut Writer) {
    writer.object(|object| {
        object.member("TableNames").list(&response.table_names, |w, name| w.text(name.as_str()));
        if let Some(last) = &response.last_evaluated_table_name {
            object.text("LastEvaluatedTableName", last.as_str());
        }
    });
}
