//! Damage: a request with parts taken away, doubled, swapped and spoiled, or its text cut.

use serde_json::{Map, Value as Json, json};

use hashrange_tests::random::Random;

/// The request's text after up to four kinds of damage; sometimes none. `other` lends parts.
pub(crate) fn damaged(random: &mut Random, mut request: Json, other: &Json) -> String {
    let n_kinds = *random.pick(&[0, 0, 1, 1, 1, 2, 3, 4]);
    for _ in 0..n_kinds {
        let at = random.below(n_nodes(&request));
        let lent = pick_node(random, other);
        spoil(random, &mut request, at, &lent);
    }
    let text = request.to_string();
    if random.chance(4) { spoil_text(random, &text) } else { text }
}

/// Values inside the value, itself included.
fn n_nodes(value: &Json) -> usize {
    1 + match value {
        Json::Array(values) => values.iter().map(n_nodes).sum(),
        Json::Object(members) => members.values().map(n_nodes).sum(),
        _ => 0,
    }
}

/// The value at this position, counted from the outside in.
fn node(value: &mut Json, at: usize) -> Option<&mut Json> {
    if at == 0 {
        return Some(value);
    }
    let mut left = at - 1;
    let inner: Vec<&mut Json> = match value {
        Json::Array(values) => values.iter_mut().collect(),
        Json::Object(members) => members.values_mut().collect(),
        _ => return None,
    };
    for value in inner {
        let n = n_nodes(value);
        if left < n {
            return node(value, left);
        }
        left -= n;
    }
    None
}

fn pick_node(random: &mut Random, value: &Json) -> Json {
    let mut copy = value.clone();
    let at = random.below(n_nodes(value));
    node(&mut copy, at).map(Json::take).unwrap_or_default()
}

fn spoil(random: &mut Random, request: &mut Json, at: usize, lent: &Json) {
    let Some(node) = node(request, at) else { return };
    match random.below(9) {
        0 => *node = junk(random),
        1 => *node = lent.clone(),
        2 => {
            *node = if random.chance(50) { json!([node.take()]) } else { json!({"S": node.take()}) }
        }
        _ => match node {
            Json::Object(members) => spoil_members(random, members, lent),
            Json::Array(values) => spoil_list(random, values, lent),
            Json::String(text) => *text = spoiled(random, text),
            Json::Number(_) => *node = junk_number(random),
            _ => *node = junk(random),
        },
    }
}

fn spoil_members(random: &mut Random, members: &mut Map<String, Json>, lent: &Json) {
    if members.is_empty() {
        members.insert(odd_text(random), lent.clone());
        return;
    }
    let at = random.below(members.len());
    let name = members.keys().nth(at).cloned().unwrap_or_default();
    match random.below(4) {
        0 | 1 => {
            members.shift_remove(&name);
        }
        2 => {
            let value = members.shift_remove(&name).unwrap_or_default();
            members.insert(spoiled(random, &name), value);
        }
        _ => {
            members.insert(odd_text(random), lent.clone());
        }
    }
}

fn spoil_list(random: &mut Random, values: &mut Vec<Json>, lent: &Json) {
    if values.is_empty() || random.chance(20) {
        values.push(lent.clone());
        return;
    }
    let at = random.below(values.len());
    match random.below(4) {
        0 => {
            values.remove(at);
        }
        1 => values.push(values[at].clone()),
        2 => {
            let last = values.len() - 1;
            values.swap(at, last);
        }
        _ => *values = vec![values[at].clone(); *random.pick(&[2, 26, 101])],
    }
}

/// Text with a piece cut out, put in, moved or repeated.
fn spoiled(random: &mut Random, text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let (a, b) = (random.below(letters.len() + 1), random.below(letters.len() + 1));
    let (from, to) = (a.min(b), a.max(b));
    let part = |range: &[char]| range.iter().collect::<String>();
    match random.below(7) {
        0 => part(&letters[from..to]),
        1 => part(&letters[..from]) + &part(&letters[to..]),
        2 => part(&letters[..from]) + &odd_text(random) + &part(&letters[from..]),
        3 => part(&letters[to..]) + &part(&letters[..to]),
        4 => part(&letters[..to]) + &part(&letters[from..]),
        5 => {
            let mut words: Vec<&str> = text.split(' ').collect();
            let (a, b) = (random.below(words.len()), random.below(words.len()));
            words.swap(a, b);
            words.join(" ")
        }
        _ => odd_text(random),
    }
}

fn odd_text(random: &mut Random) -> String {
    let texts = [
        "",
        " ",
        "\u{0}",
        "\u{FFFF}",
        "\u{10FFFF}",
        "\u{202E}abc",
        "é",
        "'",
        "\"",
        "#",
        ":",
        ":v",
        "#n",
        "a.b",
        "[0]",
        "(",
        ")",
        "((",
        "0",
        "-1",
        "1e999",
        "NaN",
        "SET",
        "REMOVE a",
        "a = :a",
        "size(a)",
        "SELECT * FROM t",
        "?",
        "ALL_OLD",
        "TableName",
        "ab",
        "null",
        "AAAA",
        "=",
        "arn:aws:dynamodb:us-east-1:000000000000:table/T",
    ];
    match random.below(30) {
        0 => "x".repeat(70_000),
        1 => "(".repeat(2_000),
        2 => "a.".repeat(300),
        3 => "NOT ".repeat(1_000),
        _ => (*random.pick(&texts)).to_owned(),
    }
}

fn junk_number(random: &mut Random) -> Json {
    let numbers =
        ["0", "-1", "1", "2147483648", "9223372036854775807", "1e308", "-0.5", "101", "1000001"];
    serde_json::from_str(random.pick::<&str>(&numbers)).unwrap_or_default()
}

fn junk(random: &mut Random) -> Json {
    match random.below(14) {
        0 => Json::Null,
        1 => json!(true),
        2 | 3 => junk_number(random),
        4 => json!([]),
        5 => json!({}),
        6 => (0..*random.pick(&[5, 33, 60]))
            .fold(json!({"S": "x"}), |inner, _| json!({"L": [inner]})),
        7 => (0..*random.pick(&[5, 110, 400])).fold(json!(1), |inner, _| json!([inner])),
        8 => json!({"N": odd_text(random)}),
        9 => json!({"S": odd_text(random)}),
        10 => json!({"B": odd_text(random)}),
        11 => json!({"NS": ["1", "1.0", odd_text(random)]}),
        12 => json!({"M": {odd_text(random): {"NULL": true}}}),
        _ => json!(odd_text(random)),
    }
}

/// JSON that may be none any more.
fn spoil_text(random: &mut Random, text: &str) -> String {
    match random.below(4) {
        0 => spoiled(random, text),
        1 => "[".repeat(*random.pick(&[10, 200, 100_000])),
        2 => text.replacen('{', r#"{"TableName": "T", "TableName": 5, "#, 1),
        _ => text.replacen('"', "\\ud800\"", 2),
    }
}
