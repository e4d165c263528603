//! ListTables: names of tables, byte by byte in order, a page at a time.
//!
//! Source: facts 3.8, "ListTables".

use hashrange_storage::Store;
use hashrange_types::limits::LIST_TABLES_MAX;
use hashrange_types::operation::{ListTablesRequest, ListTablesResponse};
use hashrange_types::{ApiError, Response, TableName, Timestamp};

use crate::outcome::Outcome;

/// A checked ListTables request.
#[derive(Debug, Clone)]
pub struct Plan {
    start: Option<TableName>,
    limit: usize,
}

#[expect(clippy::unnecessary_wraps, reason = "every operation is planned by one signature")]
pub(crate) fn plan(_store: &Store, request: ListTablesRequest) -> Result<Plan, ApiError> {
    let limit = request.limit.unwrap_or(LIST_TABLES_MAX).clamp(1, LIST_TABLES_MAX);
    let limit = usize::try_from(limit).expect("at most 100");
    Ok(Plan { start: request.exclusive_start_table_name, limit })
}

pub(crate) fn execute(store: &Store, plan: &Plan, _now: Timestamp) -> Outcome {
    let mut names = store.tables_after(plan.start.as_ref()).map(|table| &table.schema().name);
    let table_names: Vec<TableName> = names.by_ref().take(plan.limit).cloned().collect();
    let last_evaluated_table_name =
        names.next().is_some().then(|| table_names.last().cloned()).flatten();
    Outcome::free(Ok(Response::ListTables(ListTablesResponse {
        table_names,
        last_evaluated_table_name,
    })))
}

#[cfg(test)]
mod tests {
    use hashrange_types::{Request, Timestamp};

    use super::*;
    use crate::database::Database;
    use crate::table_fixture::create;

    fn page(
        names: &[&str],
        start: Option<&str>,
        limit: Option<u32>,
    ) -> (Vec<String>, Option<String>) {
        let mut database = Database::default();
        for name in names {
            database.run(Request::CreateTable(create(name, "pk", "pk")));
        }
        let request = ListTablesRequest {
            exclusive_start_table_name: start.map(|name| TableName::new(name).unwrap()),
            limit,
        };
        match database.call(Request::ListTables(request), Timestamp(0)).reply {
            Ok(Response::ListTables(response)) => (
                response.table_names.iter().map(ToString::to_string).collect(),
                response.last_evaluated_table_name.map(|name| name.to_string()),
            ),
            reply => panic!("not the reply of a ListTables: {reply:?}"),
        }
    }

    #[test]
    fn names_are_listed_byte_by_byte_with_upper_case_first() {
        assert_eq!(
            page(&["beta", "alpha", "Zulu"], None, None),
            (vec!["Zulu".to_owned(), "alpha".to_owned(), "beta".to_owned()], None)
        );
    }

    #[test]
    fn a_full_page_names_its_last_table_only_if_more_follow() {
        let names = ["a", "b", "c"];
        assert_eq!(page(&names, None, Some(2)).1, Some("b".to_owned()));
        assert_eq!(page(&names, None, Some(3)).1, None);
        assert_eq!(page(&names, Some("b"), Some(1)), (vec!["c".to_owned()], None));
    }

    #[test]
    fn the_start_need_not_exist() {
        assert_eq!(page(&["a", "c"], Some("b"), None).0, ["c"]);
        assert_eq!(page(&["a"], Some("z"), None), (Vec::new(), None));
    }
}
