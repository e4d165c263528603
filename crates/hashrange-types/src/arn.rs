//! ARNs: which resource a request means.
//!
//! Invariant: the engine knows resources by the part of an ARN after Region and account, such as
//! `table/Orders/stream/2026-01-31T12:00:00.000`; the wire writes what stands before it.

use smol_str::SmolStr;

use crate::TableName;

/// A resource as a request names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// What the request said, word for word.
    pub given: SmolStr,
    /// The part after the account; none where it is not an ARN of DynamoDB.
    pub path: Option<SmolStr>,
}

impl Resource {
    /// Reads an ARN.
    ///
    /// ```
    /// # use hashrange_types::arn::Resource;
    /// let resource = Resource::new("arn:aws:dynamodb:us-east-1:000000000000:table/Orders/index/i");
    /// assert_eq!(resource.path.as_deref(), Some("table/Orders/index/i"));
    /// assert_eq!(resource.table().map(|table| table.to_string()).as_deref(), Some("Orders"));
    /// assert_eq!(resource.below_table("index"), Some("i"));
    /// assert_eq!(Resource::new("Orders").path, None);
    /// ```
    pub fn new(given: &str) -> Self {
        let path = given.strip_prefix("arn:").and_then(|rest| {
            let mut parts = rest.splitn(5, ':');
            let (_partition, service) = (parts.next()?, parts.next()?);
            let (_region, _account) = (parts.next()?, parts.next()?);
            parts.next().filter(|path| service == "dynamodb" && !path.is_empty())
        });
        Self { given: given.into(), path: path.map(SmolStr::new) }
    }

    /// The table, or the table that the resource belongs to.
    pub fn table(&self) -> Option<TableName> {
        let rest = self.path.as_deref()?.strip_prefix("table/")?;
        TableName::new(rest.split('/').next()?)
    }

    /// What comes after `table/NAME/KIND/`.
    pub fn below_table(&self, kind: &str) -> Option<&str> {
        let (_, rest) = self.path.as_deref()?.strip_prefix("table/")?.split_once('/')?;
        let (found, rest) = rest.split_once('/')?;
        (found == kind).then_some(rest)
    }

    /// True for a table itself.
    pub fn is_table(&self) -> bool {
        let rest = self.path.as_deref().and_then(|path| path.strip_prefix("table/"));
        rest.is_some_and(|rest| !rest.contains('/'))
    }
}
