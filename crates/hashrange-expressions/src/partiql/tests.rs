//! What statements mean and how wrong ones are refused.

use hashrange_types::{AttributeValue, ErrorPlace, Item};

use super::{Column, Select, Statement, parse};
use crate::fixture::{item, l, m, n, ns, s, ss};

fn select(text: &str) -> Select {
    match parse(text, &[]) {
        Ok(Statement::Select(select)) => select,
        other => panic!("{text}: {other:?}"),
    }
}

/// Whether `SELECT * FROM T WHERE condition` takes the item.
#[track_caller]
fn holds(item: &Item, condition: &str) -> bool {
    let select = select(&format!("SELECT * FROM T WHERE {condition}"));
    select.condition.unwrap().holds(item)
}

#[track_caller]
fn refuses(text: &str, message: &str) {
    refuses_with(text, &[], message);
}

#[track_caller]
fn refuses_with(text: &str, parameters: &[AttributeValue], message: &str) {
    match parse(text, parameters) {
        Err(error) => assert_eq!(error.message, message, "{text}"),
        Ok(statement) => panic!("{text} means {statement:?}"),
    }
}

#[track_caller]
fn malformed(text: &str, detail: &str) {
    refuses(text, &format!("Statement wasn't well formed, can't be processed: {detail}"));
}

/// The statement with `?` taken out, and the place of it as messages write it.
fn marked(text: &str, length: usize) -> (String, String) {
    let at = text.find('^').unwrap();
    (text.replace('^', ""), format!("1:{}:{length}", at + 1))
}

#[track_caller]
fn refuses_at(text: &str, length: usize, message: &str) {
    let (text, place) = marked(text, length);
    refuses(&text, &format!("{message} at {place}"));
}

fn updated(text: &str, before: &[(&str, AttributeValue)]) -> Item {
    match parse(&format!("UPDATE T {text} WHERE pk = 'a'"), &[]) {
        Ok(Statement::Update { update, .. }) => update.apply(&item(before)).unwrap(),
        other => panic!("{text}: {other:?}"),
    }
}

#[track_caller]
fn refuses_update(text: &str, message: &str) {
    refuses(&format!("UPDATE T {text} WHERE pk = 'a'"), message);
}

fn inserted(value: &str) -> Item {
    match parse(&format!("INSERT INTO T VALUE {value}"), &[]) {
        Ok(Statement::Insert { item, .. }) => item,
        other => panic!("{value}: {other:?}"),
    }
}

#[test]
fn a_select_names_its_table_index_columns_and_order() {
    let found = select(
        "select pk, m.k[0], \"size\" FROM \"My.Table\".\"by-date\" WHERE pk = 'a' ORDER BY sk DESC, pk",
    );
    assert_eq!(found.source.table, "My.Table");
    assert_eq!(found.source.index.as_deref(), Some("by-date"));
    let columns = found.columns.unwrap();
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["pk", "k[0]", "size"]);
    let order: Vec<_> =
        found.order.iter().map(|term| (term.attribute.as_str(), term.is_descending)).collect();
    assert_eq!(order, [("sk", true), ("pk", false)]);
    assert!(select("SELECT * FROM T").columns.is_none());
}

#[test]
fn columns_are_called_after_the_end_of_their_path() {
    let columns = select("SELECT m.deep, l[0], nope FROM T").columns.unwrap();
    let found = Column::project(
        &columns,
        &item(&[("m", m(&[("deep", n("1"))])), ("l", l(&[s("x")])), ("other", s("y"))]),
    );
    assert_eq!(found, item(&[("deep", n("1")), ("l[0]", s("x"))]));
}

#[test]
fn every_operator_and_function_of_a_condition_is_understood() {
    let item = item(&[
        ("n", n("1")),
        ("flag", s("right")),
        ("ss", ss(&["a", "b"])),
        ("m", m(&[("sub", s("x"))])),
        ("nul", AttributeValue::Null),
        ("yes", AttributeValue::Bool(true)),
    ]);
    for text in [
        "n = 1.0 AND n <> 2 AND n != 2 AND n < 2 AND n <= 1 AND n > 0 AND n >= 1",
        "n BETWEEN 0 AND 5 AND n NOT BETWEEN 2 AND 3",
        "n IN [1, 2] AND n IN (3, 1) AND n NOT IN [2] AND flag IN <<'right'>>",
        "NOT n = 2 AND (n = 2 OR flag = 'right')",
        "attribute_exists(m.sub) AND ATTRIBUTE_NOT_EXISTS (nope) AND attribute_exists(\"n\")",
        "attribute_type(ss, 'SS') AND begins_with(flag, 'ri') AND contains(ss, 'a')",
        "size(flag) = 5 AND m['sub'] = 'x'",
        "nul IS NULL AND n IS NOT NULL AND nope IS MISSING AND n IS NOT MISSING",
        "yes IS BOOL AND flag IS STRING AND n IS INT8 AND ss IS BAG AND n is double precision",
        "nope IS NOT NULL AND n > -5 AND n = - - 1 AND -.5 < n",
        "attribute_exists(nope) = false AND true = attribute_exists(n)",
        "attribute_exists(n) <> 1 AND contains(nope, 'z') = false",
        "(n BETWEEN 0 AND 5) = true AND (n = 5 OR flag = 'x') = false",
        "attribute_exists(nope) IN [true, false] AND attribute_exists(n) = yes",
        "attribute_exists(n) = attribute_exists(flag) AND ss = <<'b', 'a'>>",
    ] {
        assert!(holds(&item, text), "{text}");
    }
    for text in [
        "nope IS NULL",
        "flag IS BOOL",
        "attribute_exists(n) = 1",
        "NOT attribute_exists(n) = true",
        "(attribute_exists(n) = true) = false",
        "attribute_exists(n) = flag",
        "n IN []",
    ] {
        assert!(!holds(&item, text), "{text}");
    }
}

#[test]
fn comments_and_a_semicolon_at_the_end_mean_nothing() {
    let text =
        "-- first\nSELECT/**/* FROM T -- the table\nWHERE pk/* key */='a' AND s = 'a--b /*c*/'; --";
    assert!(
        select(text).condition.unwrap().holds(&item(&[("pk", s("a")), ("s", s("a--b /*c*/"))]))
    );
}

#[test]
fn literals_of_every_type_become_values() {
    assert_eq!(
        inserted(
            "{'pk': 'it''s', 'n': -1.5E3, 'half': .5, 't': true, 'z': null, 'l': [1, 'x', [false]], 'm': {'k': {}}, \
             'ss': <<'a', 'b'>>, 'ns': <<1, 2.5>>}"
        ),
        item(&[
            ("pk", s("it's")),
            ("n", n("-1500")),
            ("half", n("0.5")),
            ("t", AttributeValue::Bool(true)),
            ("z", AttributeValue::Null),
            ("l", l(&[n("1"), s("x"), l(&[AttributeValue::Bool(false)])])),
            ("m", m(&[("k", m(&[]))])),
            ("ss", ss(&["a", "b"])),
            ("ns", ns(&["1", "2.5"])),
        ])
    );
}

#[test]
fn parameters_take_the_place_of_question_marks_in_order() {
    let text = "INSERT INTO T VALUE {'pk': ?, 'v': ?}";
    let Ok(Statement::Insert { item: found, .. }) = parse(text, &[s("a"), n("1")]) else {
        panic!()
    };
    assert_eq!(found, item(&[("pk", s("a")), ("v", n("1"))]));
    let whole = parse("INSERT INTO T VALUE ?", &[m(&[("pk", s("a"))])]);
    assert_eq!(whole, parse("INSERT INTO T VALUE {'pk': 'a'}", &[]));
    for parameters in [vec![], vec![s("a")], vec![s("a"), n("1"), n("2")]] {
        let message = "Number of parameters in request and statement don't match.";
        refuses_with(text, &parameters, message);
    }
}

#[test]
fn updates_set_remove_and_change_lists_and_sets() {
    let before = [
        ("n", n("5")),
        ("l", l(&[n("1"), s("x")])),
        ("ss", ss(&["a", "b"])),
        ("m", m(&[("k", n("1")), ("gone", n("2"))])),
    ];
    assert_eq!(
        updated(
            "SET n=n-1 SET l = LIST_APPEND(l, [4]), ss = set_add(ss, <<'c'>>) REMOVE m.gone SET m.new = m.k + 1",
            &before
        ),
        item(&[
            ("n", n("4")),
            ("l", l(&[n("1"), s("x"), n("4")])),
            ("ss", ss(&["a", "b", "c"])),
            ("m", m(&[("k", n("1")), ("new", n("2"))])),
        ])
    );
    assert_eq!(updated("SET ss = SET_DELETE(ss, <<'a', 'b'>>)", &before[2..3]), item(&[]));
    assert_eq!(updated("SET fresh = set_add(fresh, <<1>>)", &[]), item(&[("fresh", ns(&["1"]))]));
    assert_eq!(updated("SET n = n - - 2", &before[..1]), item(&[("n", n("7"))]));
}

#[test]
fn from_first_is_an_update() {
    let usual = parse("UPDATE T SET c = 1 REMOVE a WHERE pk = 'x' RETURNING ALL NEW *", &[]);
    let from_first = parse("FROM T WHERE pk = 'x' SET c = 1 REMOVE a RETURNING ALL NEW *", &[]);
    let (Ok(usual), Ok(from_first)) = (usual, from_first) else { panic!() };
    assert_eq!(usual, from_first);
    malformed("FROM T SET c = 1 WHERE pk = 'x'", "Unexpected token after expression");
}

#[test]
fn a_delete_returns_all_old_and_nothing_else() {
    let text = "DELETE FROM T WHERE pk = 'a' RETURNING ALL OLD *";
    assert!(matches!(parse(text, &[]), Ok(Statement::Delete { returns_old: true, .. })));
    refuses(
        "DELETE FROM T WHERE pk = 'a' RETURNING MODIFIED OLD *",
        "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.",
    );
}

#[test]
fn a_token_too_many_is_left_over() {
    for text in [
        "SELECT * FROM T WHERE pk = 1 foo",
        "SELECT * FROM T WHERE pk = 1 e5",
        "SELECT * FROM T WHERE pk = 1)",
        "INSERT INTO T VALUE {'pk': 1} foo",
        "INSERT INTO T t VALUE {'pk': 'x'}",
        "INSERT INTO T (pk, v) VALUES ('a', 1)",
        "UPDATE T SET a = 9 WHERE pk = 1 foo",
        "DELETE FROM T WHERE pk = 1 ORDER BY pk",
        "SELECT * FROM T ORDER BY pk WHERE pk = 1",
    ] {
        if text.contains("(pk, v)") {
            assert!(parse(text, &[]).unwrap_err().message.contains("wasn't well formed"), "{text}");
        } else {
            malformed(text, "Unexpected token after expression");
        }
    }
}

#[test]
fn what_is_missing_or_misplaced_is_named() {
    for (text, detail) in [
        ("SELECT * FROM T WHERE", "Unexpected term"),
        ("SELECT * FROM T WHERE;", "Unexpected term"),
        ("SELECT * FROM T WHERE NOT", "Unexpected term"),
        ("SELECT * FROM T WHERE (", "Unexpected term"),
        ("SELECT * FROM", "Unexpected term"),
        ("UPDATE T SET a = 1 WHERE", "Unexpected term"),
        ("SELECT * FROM T WHERE ORDER BY pk", "Unexpected keyword"),
        ("FETCH everything", "Unexpected keyword"),
        ("INSERT INTO urls (key) VALUES (1)", "Unexpected keyword"),
        ("SELECT * FROM T WHERE IS NULL", "Unexpected operator"),
        ("SELECT * FROM T WHERE pk = LIKE", "Unexpected operator"),
        ("SELECT * FROM T WHERE pk = 'a' AND x IS FOO", "Expected type name"),
        ("SELECT * FROM T WHERE attribute_exists(m.inner)", "Invalid path dot component"),
        ("SELECT payload.size FROM T", "Invalid path dot component"),
        ("DELETE FROM", "Expected identifier for simple path"),
        ("DELETE FROM;", "Expected identifier for simple path"),
        ("DELETE FROM WHERE pk = 'a'", "Expected identifier for simple path"),
        ("SLECT * FROM T", "Expected data manipulation"),
        ("UPDATE Payment-x SET a = 1", "Expected data manipulation"),
        ("SELECT * FROM T WHERE pk = 1 # note", ""),
        ("SELECT * FROM T WHERE pk = 1 /* note", ""),
        ("SELECT * FROM T WHERE pk = 'oops", ""),
        ("SELECT * FROM \"abc", ""),
        ("SELECT * FROM T WHERE pk = 1e2147483648", ""),
        ("SELECT * FROM T WHERE pk = 1.5e-2147483647", ""),
    ] {
        malformed(text, detail);
    }
    for end in ["AND", "OR", "OR;"] {
        let text = format!("SELECT * FROM T WHERE pk = 'a' {end}");
        malformed(&text, "Missing right-hand side expression of infix operator");
    }
    assert!(parse("SELECT * FROM T WHERE n > -?", &[n("1")]).is_err());
}

#[test]
fn statements_that_can_be_read_are_refused_in_their_own_words() {
    let aliasing = "Aliasing is not supported";
    for text in [
        "SELECT * FROM T t WHERE pk = 'x'",
        "SELECT * FROM T AS t WHERE pk = 'x'",
        "UPDATE T t SET a = 3 WHERE pk = 'x'",
        "DELETE FROM T t WHERE pk = 'x'",
    ] {
        refuses(text, aliasing);
    }
    refuses("x IS INT4", "Unsupported operation: IsType");
    refuses("SELECT * FROM \"\"", "Path component cannot be an empty string");
    refuses("SELECT * FROM T.\"\"", "Path component cannot be an empty string");
    refuses(
        "SELECT * FROM T.i.\"more\"",
        "A path may contain at most 2 components in the FROM clause",
    );
    refuses(
        "UPDATE nosuchtable.i SET a = 1 WHERE pk = 'p'",
        "This operation is not supported on an index",
    );
    refuses("DELETE FROM T.i WHERE pk = 'p'", "This operation is not supported on an index");
    refuses(
        "INSERT INTO T.i VALUE {'pk': 'w'}",
        "FROM clause may only contain a single table name in data manipulation statements",
    );
}

#[test]
fn messages_about_a_token_say_where_it_stands() {
    refuses_at("SELECT ^COUNT(*) FROM T", 5, "Unexpected path component");
    refuses_at("SELECT ^attribute_exists(ss) FROM T", 16, "Unexpected path component");
    refuses_at("SELECT * FROM T WHERE ^EXISTS(ss)", 6, "Unrecognized function: exists");
    refuses_at(
        "SELECT * FROM T WHERE ^set_add(ss, <<'x'>>) = ss",
        7,
        "Unrecognized function: set_add",
    );
    refuses_at(
        "SELECT l[-^1] FROM T",
        1,
        "List index is not within the allowable range; index: [-1]",
    );
    refuses_at(
        "SELECT l[^2147483648] FROM T",
        10,
        "List index is not within the allowable range; index: [2147483648]",
    );
    assert!(parse("SELECT l[-0], l[2147483647] FROM T", &[]).is_ok());
    refuses_at(
        "UPDATE T SET t = ^set_add(ss, <<'x'>>) WHERE pk = 'a'",
        7,
        "The first argument to SET_ADD must equal the assignment value",
    );
    refuses_at(
        "UPDATE T SET \"s\" = set_delete(^\"s\", ['x']) WHERE pk = 'a'",
        3,
        "The second argument to SET_DELETE must be a value with type SET",
    );
    refuses_at(
        "UPDATE T SET ss = ^set_add(ss) WHERE pk = 'a'",
        7,
        "SET_ADD must have exactly two arguments",
    );
    refuses_at(
        "INSERT INTO T VALUE {'pk': 'a', 'ss': ^set_add(<<'a'>>, <<'b'>>)}",
        7,
        "Unsupported data type: set_add under key root",
    );
    let text = "UPDATE T\nSET s = set_add(s, 'x')\nWHERE pk = 'a'";
    refuses(text, "The second argument to SET_ADD must be a value with type SET at 2:17:1");
    let text = "INSERT INTO T VALUE {'pk': 'a', 'm': {'k': ?}}";
    let message = "Unsupported data type: Parameter under key root.k at 1:44:1";
    refuses_with(text, &[s("v")], message);
}

#[test]
fn literals_that_break_rules_of_values_say_where() {
    let overflow =
        "Number overflow. Attempting to store a number with magnitude larger than supported range";
    refuses("SELECT * FROM T WHERE pk = 1e126", &format!("{overflow} under root"));
    refuses(
        "INSERT INTO T VALUE {'pk': 1, 'm': {'x': 1e126}}",
        &format!("{overflow} under root.x"),
    );
    refuses("INSERT INTO T VALUE {'pk': 1, 'l': [1, 1e126]}", &format!("{overflow} under root[1]"));
    refuses(
        "UPDATE T SET a = 1e-131 WHERE pk = 1",
        "Number underflow. Attempting to store a number with magnitude smaller than supported range under root",
    );
    refuses(
        &format!("SELECT * FROM T WHERE pk = {}", "1".repeat(39)),
        "Attempting to store more than 38 significant digits in a Number under root",
    );
    refuses_update("SET a = <<>>", "Empty bags are not supported");
    refuses_update(
        "SET a = <<1, 'a'>>",
        "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags",
    );
    let duplicates = "One or more parameter values were invalid: Input collection";
    refuses_update(
        "SET a = set_add(a, <<'b','b'>>)",
        &format!("{duplicates} [b, b] contains duplicates."),
    );
    refuses_update(
        "SET a = <<2, 2.0>>",
        &format!("{duplicates} [2, 2.0] contains duplicates! under root"),
    );
    let deep = format!("{}1{}", "{'a':".repeat(32), "}".repeat(32));
    let message =
        format!("Nesting Levels have exceeded supported limits under root{}", ".a".repeat(32));
    refuses_update(&format!("SET a = {deep}"), &message);
    inserted(&format!("{{'pk': 'a', 'd': {}1{}}}", "[".repeat(31), "]".repeat(31)));
}

#[test]
fn the_rules_of_other_expressions_hold_without_their_prefix() {
    let operand = "Incorrect operand type for operator or function; operator or function:";
    for (condition, message) in [
        ("val < true", format!("{operand} <, operand type: BOOL")),
        ("val BETWEEN true AND false", format!("{operand} BETWEEN, operand type: BOOL")),
        ("attribute_exists(n) > false", format!("{operand} >, operand type: BOOL")),
        ("attribute_type(l, 1)", format!("{operand} attribute_type, operand type: N")),
        (
            "attribute_exists('ss')",
            "Operator or function requires a document path; operator or function: attribute_exists".to_owned(),
        ),
        (
            "attribute_exists()",
            "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 0".to_owned(),
        ),
        (
            "attribute_type(Total, 'X')",
            "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}".to_owned(),
        ),
    ] {
        refuses(&format!("SELECT * FROM T WHERE {condition}"), &message);
    }
    let values = vec!["1"; 101].join(",");
    refuses(
        &format!("SELECT * FROM T WHERE f IN [{values}]"),
        "The IN operator is provided with too many operands; number of operands: 101",
    );
    refuses_update("SET n = 'a' + 1", &format!("{operand} +, operand type: S"));
    refuses_update("SET n = n - null", &format!("{operand} -, operand type: NULL"));
    refuses_update(
        "SET a = 1, a.b = 2",
        "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]",
    );
}

#[test]
fn an_error_knows_the_part_of_the_statement_to_blame() {
    let text = "SELECT * FROM T WHERE a = 1e126";
    let Some(ErrorPlace::Expression { start, end, .. }) =
        parse(text, &[]).unwrap_err().place.clone()
    else {
        panic!()
    };
    assert_eq!(&text[start as usize..end as usize], "1e126");
}

#[test]
fn no_nesting_uses_up_the_stack() {
    for n in [100, 127, 200, 2_000] {
        for text in [
            format!("SELECT * FROM T WHERE {}a = 1{}", "(".repeat(n), ")".repeat(n)),
            format!("SELECT * FROM T WHERE {}a = 1", "NOT ".repeat(n)),
            format!("SELECT * FROM T WHERE {}a{} = 1", "size(".repeat(n), ")".repeat(n)),
            format!("INSERT INTO T VALUE {{'pk': {}1{}}}", "[".repeat(n), "]".repeat(n)),
            format!("INSERT INTO T VALUE {{'pk': {}1{}}}", "{'a':".repeat(n), "}".repeat(n)),
            format!("UPDATE T SET a = {}", "<<".repeat(n)),
            format!("SELECT * FROM T WHERE a = {}1", "-".repeat(n)),
        ] {
            let found = parse(&text, &[]);
            if n > 200 && !text.contains("--") {
                assert!(found.unwrap_err().message.contains("nesting levels"), "{text}");
            }
        }
    }
}

#[test]
fn conditions_compared_with_conditions_do_not_grow_without_bounds() {
    let mut text = "a = 1".to_owned();
    for _ in 0..60 {
        text = format!("({text}) = (b = 2)");
    }
    let found = parse(&format!("SELECT * FROM T WHERE {text}"), &[]).unwrap_err();
    assert!(found.message.contains("too many operators"), "{}", found.message);
}
