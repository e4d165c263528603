//! From an error to what its panel shows: name, DynamoDB's own text, one plain explanation, and the place.
//!
//! Invariant: every error has an explanation; a place is inside the text, in UTF-16 code units.
//!
//! Not here: deciding what is an error (`hashrange-engine`).

use std::ops::Range;

use hashrange_storage::Store;
use hashrange_types::{ApiError, CancellationReason, Request};

use crate::about::whole_key;
use crate::asked::first_word;
use crate::request::pretty_item;
use crate::view::{ErrorView, ReasonView, TextRange};

/// What an error's panel shows. `text` is the request as typed, `request` what was read of it.
pub(crate) fn error_view(
    error: &ApiError,
    text: &str,
    request: Option<&Request>,
    store: &Store,
) -> ErrorView {
    let message = error.to_string();
    let range = error.place().and_then(|place| hashrange_wire::locate(text, place));
    let item = match error {
        ApiError::ConditionalCheckFailed(Some(item)) => Some(pretty_item(item)),
        ApiError::TransactionCanceled(reasons) => {
            reasons.iter().find_map(CancellationReason::item).map(pretty_item)
        }
        _ => None,
    };
    ErrorView {
        is_refusal: true,
        name: error.name(),
        explanation: explanation(error.name(), &message, item.is_some()),
        reasons: reasons(error, request, store),
        message,
        place: range.map(|range| utf16_range(text, range)),
        item_json: item,
    }
}

/// A byte range of `text` in UTF-16 code units, with line and column. Bytes beyond the end or inside a
/// character are moved to the nearest border before them.
pub(crate) fn utf16_range(text: &str, range: Range<usize>) -> TextRange {
    let start = border(text, range.start);
    let end = border(text, range.end).max(start);
    let units = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
    let before = &text[..start];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let n_lines = before.bytes().filter(|byte| *byte == b'\n').count();
    let start_units = units(before);
    TextRange {
        start: start_units,
        end: start_units + units(&text[start..end]),
        line: u32::try_from(n_lines).unwrap_or(u32::MAX - 1) + 1,
        column: units(&text[line_start..start]) + 1,
    }
}

fn border(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// One plain sentence or two on what to do about an error.
fn explanation(name: &str, message: &str, has_item: bool) -> &'static str {
    match name {
        "SerializationException" if message.is_empty() => {
            "The request is not JSON: it cannot be read from the marked place on. Nothing was run and it costs \
             nothing."
        }
        "ConditionalCheckFailedException" if has_item => {
            "The condition is false for the item that is there, shown below. Nothing was written; the check is \
             still paid for."
        }
        _ => NAMED
            .iter()
            .find(|(named, needle, _)| *named == name && message.contains(needle))
            .map(|(.., it)| *it)
            .or_else(|| {
                VALIDATION.iter().find(|(needle, _)| message.contains(needle)).map(|(_, it)| *it)
            })
            .unwrap_or(
                "The request breaks a rule of DynamoDB. Nothing was run and it costs nothing.",
            ),
    }
}

/// What became of each element of a cancelled transaction; nothing for other errors.
fn reasons(error: &ApiError, request: Option<&Request>, store: &Store) -> Box<[ReasonView]> {
    let ApiError::TransactionCanceled(reasons) = error else { return Box::default() };
    let view = |(at, reason): (usize, &CancellationReason)| {
        let why = match reason {
            CancellationReason::None => "nothing is wrong with it".to_owned(),
            CancellationReason::ConditionalCheckFailed(_) => {
                "its condition is false for the item as it is now".to_owned()
            }
            CancellationReason::DuplicateItem => {
                "an item with this key is there already".to_owned()
            }
            CancellationReason::ResourceNotFound => "its table is not there".to_owned(),
            CancellationReason::ItemCollectionSizeLimitExceeded => {
                "its partition key has 10 GB already, the most beside local indexes".to_owned()
            }
            CancellationReason::TransactionConflict => {
                "another transaction holds its item; try again in a moment".to_owned()
            }
            CancellationReason::Throttled(_) => {
                "its partition serves no more at present; slow down and try again".to_owned()
            }
            CancellationReason::ValidationError(error) => {
                format!("it breaks a rule: {}", error.message.trim_end_matches('.'))
            }
        };
        let is_to_blame = *reason != CancellationReason::None;
        let code = if is_to_blame { format!(" ({})", reason.code()) } else { String::new() };
        let element = request.and_then(|request| element(request, at, store)).unwrap_or_default();
        ReasonView { is_to_blame, text: format!("{} · {element}: {why}{code}.", at + 1) }
    };
    reasons.iter().enumerate().map(view).collect()
}

/// `Put of a in Pairs`, `INSERT`.
fn element(request: &Request, at: usize, store: &Store) -> Option<String> {
    let (action, table, key) = match request {
        Request::TransactWriteItems(it) => {
            let element = it.items.get(at)?;
            (element.action.name(), &element.table, element.action.item())
        }
        Request::TransactGetItems(it) => {
            let element = it.items.get(at)?;
            ("Get", &element.table, &element.key)
        }
        Request::ExecuteTransaction(it) => {
            return Some(first_word(&it.statements.get(at)?.statement).0.to_owned());
        }
        _ => return None,
    };
    let name = table.name.as_str();
    let key = key.as_ref().ok().and_then(|key| whole_key(store, name, key));
    let of = key.map(|key| format!(" of {key}")).unwrap_or_default();
    Some(format!("{action}{of} in {name}"))
}

/// An exception, a piece of its message, and its explanation. The first that fits counts.
#[rustfmt::skip]
const NAMED: &[(&str, &str, &str)] = &[
    ("SerializationException", "", "A member has another JSON type than this operation expects there. Attribute values are objects such as {\"S\": \"text\"} or {\"N\": \"12\"}; numbers are written as text."),
    ("UnknownOperationException", "", "DynamoDB has no such operation, or this build does not run it yet. Choose one from the list."),
    ("ResourceNotFoundException", "tream", "There is no such stream. UpdateTable with StreamSpecification starts one for a table; ListStreams names those there are."),
    ("ResourceNotFoundException", "hard", "The stream has no such shard. DescribeStream names those it has."),
    ("ResourceNotFoundException", "", "There is no table or index of this name. Names are case-sensitive; ListTables shows what there is."),
    ("TableNotFoundException", "", "There is no table of this name. Names are case-sensitive; ListTables shows what there is."),
    ("ResourceInUseException", "", "A table of this name exists already, or is being changed. Choose another name or delete it first."),
    ("TableAlreadyExistsException", "", "A restore makes a new table, and there is one of this name already. Choose another TargetTableName."),
    ("TableInUseException", "", "The table is being made, changed or deleted. Wait until DescribeTable says ACTIVE, then try again."),
    ("ConditionalCheckFailedException", "", "The condition is false for the item as it is now. Nothing was written; the check is still paid for. With ReturnValuesOnConditionCheckFailure=ALL_OLD the reply shows the item."),
    ("DuplicateItemException", "", "An item with this key is there already, and an INSERT replaces nothing. Change it with UPDATE, replace it with PutItem, or take another key."),
    ("TransactionCanceledException", "", "One element or more stopped the transaction, so nothing was written. Mend what is to blame below; the elements stand in the order of the request."),
    ("IdempotentParameterMismatchException", "", "The same ClientRequestToken came with another request less than ten minutes ago. Take a new token for a new request."),
    ("TransactionConflictException", "", "Another transaction holds one of the items. An SDK waits and tries again."),
    ("TransactionInProgressException", "", "The transaction with this token still runs. An SDK waits and tries again."),
    ("LimitExceededException", "", "This is more than an account may have at a time. Wait for the changes that are under way, or ask for less."),
    ("ItemCollectionSizeLimitExceededException", "", "A table with local indexes holds at most 10 GB for one partition key, index entries included. Delete items of it, or divide it over several keys."),
    ("RequestEntityTooLarge", "", "A request may have up to 16 MB. Send less in one go."),
    ("ProvisionedThroughputExceededException", "", "More was asked than the table, an index or one partition serves in a second. Slow down, spread the keys, or raise the capacity; an SDK waits and tries again."),
    ("ThrottlingException", "", "More was asked than is served at once. Wait a little longer before each new try, as an SDK does."),
    ("RequestLimitExceeded", "", "The account asks for more in a second than it may. Slow down, or have the quota raised."),
    ("BackupNotFoundException", "", "There is no such backup. ListBackups names those there are; CreateBackup makes one."),
    ("BackupInUseException", "", "The backup is being made, restored or deleted. Wait until that is done."),
    ("ContinuousBackupsUnavailableException", "", "Point-in-time recovery cannot be switched on for the table yet. Wait until DescribeTable says ACTIVE."),
    ("PointInTimeRecoveryUnavailableException", "", "The table keeps no earlier states. Switch point-in-time recovery on with UpdateContinuousBackups first."),
    ("InvalidRestoreTimeException", "", "The table cannot be restored to this time. DescribeContinuousBackups says from when to when it can."),
    ("InvalidExportTimeException", "", "The table cannot be exported as of this time. DescribeContinuousBackups says from when to when it can."),
    ("ExportNotFoundException", "", "There is no such export. ListExports names those there are."),
    ("ImportNotFoundException", "", "There is no such import. ListImports names those there are."),
    ("PolicyNotFoundException", "", "There is no policy, or it has another revision than ExpectedRevisionId. PutResourcePolicy makes one; GetResourcePolicy shows the one there is."),
    ("GlobalTableNotFoundException", "", "There is no global table of 2017, and none can be made any more. UpdateTable with ReplicaUpdates adds a replica to a table."),
    ("ExpiredIteratorException", "", "A shard iterator is good for 15 minutes. Ask GetShardIterator for a new one."),
    ("TrimmedDataAccessException", "", "A stream keeps records for 24 hours, and this one is gone. Read on from TRIM_HORIZON, the oldest record that is kept."),
    ("AccessDeniedException", "", "DynamoDB does not tell whether a resource exists that one may not see. Check the ARN; DescribeTable shows it."),
    ("InternalServerError", "", "The fault is not the request's. Try again, as an SDK does."),
    ("ValidationException", "Invalid ShardIterator", "A shard iterator is a text that GetShardIterator gives; it cannot be written by hand. UpdateTable with StreamSpecification starts a stream, whose records it then reads."),
    ("ValidationException", "2017.11.29", "AWS makes no global tables of 2017 any more. UpdateTable with ReplicaUpdates adds a replica to a table."),
    ("ValidationException", "TimeToLive is active on a different", "Items expire by one attribute. Switch expiry off for the attribute there is, then on for the other."),
    ("ValidationException", "TimeToLive is already", "Expiry is so already; DescribeTimeToLive shows it."),
    ("ValidationException", "Kinesis streaming destination", "DescribeKinesisStreamingDestination shows which Kinesis streams the table has, and whether they are on."),
    ("ValidationException", "Statement wasn't well formed", "The statement cannot be understood. Names of tables and attributes stand in double quotes, texts in single ones."),
    ("ValidationException", "Read and write requests together", "A batch of statements reads or writes. Send those that read apart from those that write."),
    ("ValidationException", "both read and write", "A transaction of statements reads or writes. Send those that read apart from those that write."),
    ("ValidationException", "multiple operations on one item", "A transaction names each item once. Put the check and the change of one item into the same element."),
];

/// A piece of a ValidationException's message, and its explanation. The first that is found counts.
#[rustfmt::skip]
const VALIDATION: &[(&str, &str)] = &[
    ("Query condition missed key schema element", "A Query needs the whole partition key, with an equals sign. Where you know another attribute, use an index that has it as its partition key; otherwise a Scan."),
    ("Query key condition not supported", "The partition key takes = alone. The sort key takes =, <, <=, >, >=, BETWEEN or begins_with, once."),
    ("KeyConditionExpression parameter must be specified", "A Query says which items it wants with a KeyConditionExpression, such as PK = :pk."),
    ("KeyConditionExpressions must only contain one condition per key", "Each key attribute may stand in the key condition once. Use BETWEEN for a range."),
    ("reserved keyword", "This word has a meaning of its own in expressions. Write #name in its place, and say in ExpressionAttributeNames what #name stands for."),
    ("attribute value used in expression is not defined", "The expression uses a :value that ExpressionAttributeValues does not define. Add it there, or correct its name."),
    ("attribute name used in the document path is not defined", "The expression uses a #name that ExpressionAttributeNames does not define. Add it there, or correct its name."),
    ("unused in expressions", "Something is defined that no expression uses. DynamoDB wants every #name and :value used: take it out."),
    ("can only be specified when using expressions", "Names and values belong to an expression, and this request has none. Add the expression or take them out."),
    ("Syntax error", "The expression cannot be understood at the marked place. Check spelling, brackets and the order of its words."),
    ("The expression can not be empty", "An expression that is there must say something. Take the parameter out if it is not needed."),
    ("Invalid function name", "This is not a function DynamoDB knows here. Function names are case-sensitive."),
    ("Incorrect operand type for operator or function", "This operator or function does not take a value of that type."),
    ("Incorrect number of operands", "This operator or function takes another number of operands."),
    ("can only contain non-primary key attributes", "A filter may not test key attributes: they belong to the key condition, which decides what is read."),
    ("Can not use both expression and non-expression parameters", "Expressions and the older parameters do not mix in one request. Use the expressions."),
    ("does not match the schema", "The key must hold the table's key attributes, all of them and nothing else, each with its type."),
    ("Missing the key", "Every item needs all key attributes of its table. The marked one is missing."),
    ("required keys was not given a value", "Every item needs all key attributes of its table. One is missing."),
    ("Type mismatch for Index Key", "An attribute that is the key of an index must have that key's type, or be left out."),
    ("Type mismatch for key", "A key attribute must have the type the table was made with. \"1\" as text is not the number 1."),
    ("Condition parameter type does not match schema type", "The value compared with a key attribute has another type than the key. \"1\" as text is not the number 1."),
    ("empty string value", "A key attribute may not be empty. Other attributes may."),
    ("empty binary value", "A key attribute may not be empty. Other attributes may."),
    ("does not have the specified index", "The table has no index of this name. Names are case-sensitive."),
    ("Consistent reads are not supported on global secondary indexes", "A global index follows its table a moment later, so it offers eventually consistent reads alone. Leave ConsistentRead out, or read the table."),
    ("not projected into", "This index does not hold the attribute asked for. Ask for what it projects, or read the table."),
    ("Select type", "What Select asks for does not fit the other parameters or the index."),
    ("Supplied AttributeValue is empty", "An attribute value needs exactly one type, such as {\"S\": \"text\"}."),
    ("more than one datatypes", "An attribute value has exactly one type. Keep one of those given."),
    ("cannot be converted to a numeric value", "A number is written as text in digits, such as {\"N\": \"12.5\"}."),
    ("38 significant digits", "A number has at most 38 digits that matter. Store longer ones as text."),
    ("Number overflow", "Numbers reach up to 9.9E+125. Store larger ones as text."),
    ("Number underflow", "Numbers other than zero are at least 1E-130. Store smaller ones as text."),
    ("Item size has exceeded", "An item may have up to 400 KB, attribute names included. Split it, or keep the large part elsewhere."),
    ("Item size to update has exceeded", "The update would make the item larger than 400 KB. Split it, or keep the large part elsewhere."),
    ("Nesting Levels", "Lists and maps may be nested 32 levels deep."),
    ("contains duplicates", "The same thing may be named once only in one request."),
    ("Two document paths overlap", "Two parts of the update touch the same attribute. An update sees each path once."),
    ("Two document paths conflict", "Two parts of the update take the same attribute for different things, such as a list and a map."),
    ("document path provided in the update expression is invalid", "The path leads through something that is not there or is not a map or list. Create the outer attribute first."),
    ("refers to an attribute that does not exist in the item", "The update reads an attribute this item does not have. if_not_exists gives it a value to start with."),
    ("operand in the update expression has an incorrect data type", "The attribute or value has a type this action cannot work with; ADD takes numbers and sets."),
    ("This attribute is part of the key", "Key attributes cannot be changed. Put a new item and delete the old one."),
    ("The provided starting key is", "ExclusiveStartKey must be a key of this table or index inside the range asked for, as LastEvaluatedKey gives it."),
    ("Exclusive Start Key must have same size", "ExclusiveStartKey must hold all key attributes: on an index those of the index and of the table."),
    ("Too many items requested", "A batch has a limit on its size: 100 keys to get, 25 items to write."),
    ("less than or equal to 25", "BatchWriteItem takes up to 25 puts and deletes."),
    ("TotalSegments", "A parallel Scan needs both Segment and TotalSegments, and Segment counts from 0."),
    ("Expression size has exceeded", "An expression may have up to 4 KB."),
    ("no type has been defined", "AttributeDefinitions must give the type of every key attribute, and of nothing else."),
    ("KeySchema", "A key is one partition key attribute (HASH) and at most one sort key attribute (RANGE), each defined in AttributeDefinitions."),
    ("AttributeDefinitions", "AttributeDefinitions must give the type of every key attribute of the table and its indexes, and of nothing else."),
    ("ProvisionedThroughput", "Capacity is given for PROVISIONED tables alone; PAY_PER_REQUEST tables have none."),
    ("ReadCapacityUnits", "Capacity is given for PROVISIONED tables alone; PAY_PER_REQUEST tables have none."),
    ("Projection", "An index needs a Projection: KEYS_ONLY, ALL, or INCLUDE with the attributes."),
    ("Member must not be null", "A parameter this operation needs is missing."),
    ("failed to satisfy constraint", "A parameter has a value it does not take; the message says which are allowed."),
    ("was not used", "The request gives something that nothing uses."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use hashrange_types::{ErrorPlace, ValidationError};
    use proptest::prelude::*;

    #[test]
    fn places_are_counted_as_browsers_count() {
        let text = "{\n \"😀é\": x}";
        let at = text.find('x').unwrap();
        let range = utf16_range(text, at..at + 1);
        assert_eq!((range.start, range.end), (10, 11));
        assert_eq!((range.line, range.column), (2, 9));
    }

    #[test]
    fn a_reserved_word_is_marked_behind_an_emoji() {
        let text = "{\"FilterExpression\": \"😀status = :s\"}";
        let error = ApiError::Validation(
            ValidationError::new("Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: status")
                .at(ErrorPlace::Expression {
                    parameter: hashrange_types::ExpressionParameter::Filter,
                    start: 4,
                    end: 10,
                }),
        );
        let view = error_view(&error, text, None, &Store::default());
        let place = view.place.expect("the word is in the text");
        let units: Vec<u16> = text.encode_utf16().collect();
        let marked = &units[place.start as usize..place.end as usize];
        assert_eq!(String::from_utf16(marked).unwrap(), "status");
        assert!(view.explanation.starts_with("This word has a meaning"));
    }

    #[test]
    fn every_explanation_is_made_of_sentences() {
        let named = NAMED.iter().map(|(.., explanation)| explanation);
        for explanation in VALIDATION.iter().map(|(_, explanation)| explanation).chain(named) {
            assert!(explanation.ends_with('.') && !explanation.contains('!'), "{explanation}");
        }
    }

    proptest! {
        #[test]
        fn any_range_of_any_text_is_clamped_to_it(
            text in "[a-z😀é\n\"{}]{0,40}", start in 0_usize..90, length in 0_usize..90,
        ) {
            let range = utf16_range(&text, start..start.saturating_add(length));
            let n_units = u32::try_from(text.encode_utf16().count()).unwrap();
            prop_assert!(range.start <= range.end && range.end <= n_units);
            prop_assert!(range.line >= 1 && range.column >= 1);
            let units: Vec<u16> = text.encode_utf16().collect();
            let marked = &units[range.start as usize..range.end as usize];
            prop_assert!(String::from_utf16(marked).is_ok());
        }
    }
}
