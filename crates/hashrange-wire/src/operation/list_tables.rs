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

#[cfg(test)]
mod tests {
    use hashrange_types::{Operation::ListTables, Response};

    use super::*;
    use crate::expect::{accepted, encoded, refused, table};

    #[test]
    fn both_members_are_optional() {
        let request = ListTablesRequest { exclusive_start_table_name: None, limit: None };
        assert_eq!(accepted(ListTables, "{}"), Request::ListTables(request));
        let request =
            ListTablesRequest { exclusive_start_table_name: Some(table("abc")), limit: Some(3) };
        assert_eq!(
            accepted(ListTables, r#"{"ExclusiveStartTableName": "abc", "Limit": 3}"#),
            Request::ListTables(request)
        );
    }

    #[test]
    fn a_limit_is_between_1_and_100() {
        assert!(refused(ListTables, r#"{"Limit": 0}"#).ends_with("greater than or equal to 1"));
        assert!(refused(ListTables, r#"{"Limit": 101}"#).ends_with("less than or equal to 100"));
    }

    #[test]
    fn the_last_name_is_there_only_where_more_follow() {
        let mut response = ListTablesResponse {
            table_names: vec![table("A"), table("B")],
            last_evaluated_table_name: None,
        };
        assert_eq!(encoded(&Response::ListTables(response.clone())), r#"{"TableNames":["A","B"]}"#);
        response.last_evaluated_table_name = Some(table("B"));
        assert_eq!(
            encoded(&Response::ListTables(response)),
            r#"{"TableNames":["A","B"],"LastEvaluatedTableName":"B"}"#
        );
    }
}
