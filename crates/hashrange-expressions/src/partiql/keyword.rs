//! The words a statement cannot use as a bare name: those of SQL-92, and a few of PartiQL's own.
//!
//! Source: SQL-92, 5.2 "token and separator"; PartiQL specification, "Keywords". `YEAR` and the other parts of
//! dates are names in PartiQL.

/// In alphabetical order, lower case.
const KEYWORDS: &str = "absolute action add all allocate alter and any are as asc assertion at authorization avg \
    begin between bit bit_length both by cascade cascaded case cast catalog char char_length character \
    character_length check close coalesce collate collation column commit connect connection constraint constraints \
    continue convert corresponding count create cross current current_date current_time current_timestamp \
    current_user cursor date deallocate dec decimal declare default deferrable deferred delete desc describe \
    descriptor diagnostics disconnect distinct domain double drop else end escape except exception exec execute \
    exists external extract false fetch first float for foreign found from full get global go goto grant group \
    having identity immediate in index indicator initially inner input insensitive insert int integer intersect \
    interval into is isolation join key language last leading left level like limit local lower match max min \
    missing module names national natural nchar next no not null nullif numeric octet_length of on only open option \
    or order outer output overlaps pad partial pivot position precision prepare preserve primary prior privileges \
    procedure public read real references relative remove restrict revoke right rollback rows schema scroll section \
    select session session_user set size smallint some space sql sqlcode sqlerror sqlstate substring sum system_user \
    table temporary then time timestamp to trailing transaction translate translation trim true tuple union unique \
    unknown unpivot update upper usage user using value values varchar varying view when whenever where with work \
    write zone";

/// Keywords that stand between operands.
const OPERATORS: [&str; 7] = ["and", "between", "in", "is", "like", "not", "or"];

/// True if `word` cannot be a bare name, in any case.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.split_ascii_whitespace().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// True for keywords that are operators.
pub(super) fn is_operator(word: &str) -> bool {
    OPERATORS.iter().any(|operator| operator.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_known_in_any_case_and_everyday_names_are_none() {
        assert!(["size", "KEY", "Inner", "value", "date"].into_iter().all(is_keyword));
        assert!(!["data", "name", "status", "year", "type", "pk"].into_iter().any(is_keyword));
        assert!(is_operator("LIKE") && !is_operator("order"));
    }
}
