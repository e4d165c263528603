//! Tokens -> trees as written, by recursive descent.
//!
//! Invariant: only syntax is judged here; names and values are not looked up. Nesting is limited, so no text can
//! use up the stack.
//!
//! Not here: the rules that a well-formed expression may still break ([`crate::rules`]).
//!
//! Source: facts 4.2 to 4.4; near windows as measured (facts 4.10.1 row 22, cases 012 and 024).

mod condition;
mod cursor;
mod path;
pub(crate) mod tree;
mod update;

pub(crate) use condition::condition_tree;
pub(crate) use path::projection_tree;
pub(crate) use update::update_tree;

#[cfg(test)]
mod tests {
    use crate::fixture::{complaint, condition, key_condition, projection, update};

    #[track_caller]
    fn condition_error(text: &str) -> (String, String) {
        complaint(text, condition(text))
    }

    #[track_caller]
    fn update_error(text: &str) -> (String, String) {
        complaint(text, update(text))
    }

    #[track_caller]
    fn check_syntax(found: (String, String), token: &str, near: &str) {
        let (message, blamed) = found;
        assert_eq!(message, format!("Syntax error; token: \"{token}\", near: \"{near}\""));
        assert_eq!(blamed, if token == "<EOF>" { "" } else { token });
    }

    #[test]
    fn a_syntax_error_shows_the_tokens_around_the_offending_one_as_they_stand() {
        check_syntax(update_error("INVALID SYNTAX"), "INVALID", "INVALID SYNTAX");
        check_syntax(condition_error("a  b = :a"), "b", "a  b =");
        check_syntax(update_error("SET a = :a b"), "b", ":a b");
        check_syntax(complaint("a b", projection("a b")), "b", "a b");
    }

    #[test]
    fn characters_that_start_no_token_are_quoted_alone() {
        check_syntax(complaint("!!", projection("!!")), "!", "!!");
        check_syntax(update_error("SET _123 = :a"), "_", "SET _123");
        check_syntax(update_error("SET 1st = :a"), "1", "SET 1st");
        check_syntax(condition_error("a = é"), "é", "= é");
    }

    #[test]
    fn an_early_end_shows_the_last_token() {
        check_syntax(update_error("SET a = :a, b = :b,"), "<EOF>", ",");
        check_syntax(update_error("SET"), "<EOF>", "SET");
        check_syntax(condition_error("a"), "<EOF>", "a");
        check_syntax(condition_error("NOT (a)"), "<EOF>", ")");
        check_syntax(condition_error("contains(a, :b"), "<EOF>", ":b");
        check_syntax(condition_error("a = "), "<EOF>", "=");
    }

    #[test]
    fn expressions_without_tokens_are_empty() {
        for text in ["", " \t\r\n"] {
            let empty = "The expression can not be empty;";
            assert_eq!(condition_error(text).0, empty);
            assert_eq!(update_error(text).0, empty);
            assert_eq!(complaint(text, projection(text)).0, empty);
        }
    }

    #[test]
    fn expressions_have_at_most_4096_bytes() {
        let fits = format!("{}a = :a", " ".repeat(4_090));
        assert!(condition(&fits).is_ok());
        let long = format!(" {fits}");
        let message = "Expression size has exceeded the maximum allowed size";
        assert_eq!(condition_error(&long).0, message);
        let given = crate::fixture::usual();
        let filter = crate::parse_condition(
            hashrange_types::ExpressionParameter::Filter,
            &long,
            &mut given.substitutions(),
        );
        assert_eq!(
            filter.unwrap_err().into_message(),
            format!("Invalid FilterExpression: {message}; expression size: 4097")
        );
    }

    #[test]
    fn expressions_have_at_most_300_operators() {
        let joined = |n: usize| vec!["a=:a"; n].join(" OR ");
        assert!(condition(&joined(150)).is_ok());
        assert_eq!(
            condition_error(&joined(151)).0,
            "The expression contains too many operators; operator count: 301"
        );
        assert!(condition(&format!("{}a=:a", "NOT ".repeat(100))).is_ok());
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_overflow() {
        let parenthesised = |n| format!("{}a = :a{}", "(".repeat(n), ")".repeat(n));
        for n in [3, 200, 2_000] {
            let message = "The expression has redundant parentheses;";
            assert_eq!(condition_error(&parenthesised(n)).0, message);
        }
        let called = |n| format!("SET a = {}a{}", "f(".repeat(n), ")".repeat(n));
        assert!(update_error(&called(200)).0.contains("nesting levels"));
        assert!(update_error(&called(1_300)).0.contains("operators"));
        assert!(condition_error(&"(".repeat(4_000)).0.contains("redundant"));
        assert!(condition_error(&"size(".repeat(800)).0.contains("nesting levels"));
        assert!(condition_error(&format!("{}a=:a", "NOT ".repeat(250))).0.contains("nesting"));
        let alternating = format!("{}a = :a{}", "NOT (".repeat(60), ")".repeat(60));
        assert!(condition(&alternating).is_ok());
    }

    #[test]
    fn keywords_are_read_in_any_case() {
        for text in ["a = :a and not b = :b Or c in (:a)", "a betWeen :a AND :b"] {
            assert!(condition(text).is_ok(), "{text}");
        }
        assert!(update("set a = :a Remove b aDd c :one delete d :ss").is_ok());
    }

    #[test]
    fn keywords_cannot_be_attribute_names() {
        check_syntax(condition_error("and = :a"), "and", "and =");
        check_syntax(condition_error("a.between = :a"), "between", ".between =");
        check_syntax(update_error("SET set = :a"), "set", "SET set =");
    }

    #[test]
    fn a_word_is_a_function_only_in_front_of_parentheses() {
        let text = "pk = :a AND begins_with sk :b";
        check_syntax(complaint(text, key_condition(text)), "sk", "begins_with sk :b");
    }

    #[test]
    fn paths_take_literal_indexes_only() {
        assert!(condition("a[0].b [ 1 ] . c = :a").is_ok());
        check_syntax(condition_error("a[:one] = :a"), ":one", "[:one]");
        check_syntax(condition_error("a[-1] = :a"), "-", "[-1");
        check_syntax(condition_error("a. = :a"), "=", ". = :a");
    }

    #[test]
    fn an_update_has_one_operator_on_a_right_hand_side() {
        assert!(update("SET a = (b + :one)").is_ok());
        assert!(update("SET a = (b) - (:one)").is_ok());
        check_syntax(update_error("SET a = b + :one + :two"), "+", ":one + :two");
        check_syntax(update_error("SET a = list_append(b + :one, c)"), "+", "b + :one");
        check_syntax(update_error("SET numx = numx / :one"), "/", "numx / :one");
    }

    #[test]
    fn add_and_delete_take_a_value_and_nothing_else() {
        check_syntax(update_error("ADD a b"), "b", "a b");
        check_syntax(update_error("DELETE a = :ss"), "=", "a = :ss");
        check_syntax(update_error("REMOVE a :ss"), ":ss", "a :ss");
    }
}
