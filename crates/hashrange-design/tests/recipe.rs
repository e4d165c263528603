//! Recipes against the reference generator, whose output is frozen in `vectors/reference.json`, and their limits.

use hashrange_design::{Budget, Recipe, RecipeError};
use hashrange_types::{Item, KeyAttribute, KeySchema, ScalarType, SortedMap, TableName};
use serde_json::{Value, json};

const REFERENCE: &str = include_str!("vectors/reference.json");

fn keys(table: &str, partition: &str, sort: Option<&str>) -> SortedMap<TableName, KeySchema> {
    let attribute = |name: &str| KeyAttribute { name: name.into(), scalar: ScalarType::S };
    let key = KeySchema {
        partition: vec![attribute(partition)],
        sort: sort.map(attribute).into_iter().collect(),
    };
    SortedMap::from_iter([(TableName::new(table).expect("a valid name"), key)])
}

fn items(recipe: &Value) -> Result<Vec<Item>, RecipeError> {
    let made =
        Recipe::from_json(&recipe.to_string())?.items(Budget::default(), keys("T", "id", None))?;
    Ok(made.into_iter().map(|(_, item)| item).collect())
}

fn group(range: [i64; 2], id: &str) -> Value {
    json!({"groups": [{"table": "T", "entity": "E", "for": {"n": range}, "item": {"id": {"S": id}}}]})
}

#[test]
fn items_are_those_of_the_reference_byte_for_byte() {
    let reference: Value = serde_json::from_str(REFERENCE).unwrap();
    let recipe = Recipe::from_json(&reference["recipe"].to_string()).unwrap();
    let made = recipe.items(Budget::default(), keys("Work", "PK", Some("SK"))).unwrap();
    let expected = reference["items"].as_array().unwrap();
    assert_eq!(made.len(), expected.len());
    for ((table, item), expected) in made.iter().zip(expected) {
        assert_eq!(table.as_str(), expected["table"]);
        assert_eq!(*item, hashrange_wire::item_from_json(&expected["item"]).unwrap());
    }
}

#[test]
fn a_recipe_followed_one_step_at_a_time_gives_the_same_items() {
    let recipe = Recipe::from_json(&group([1, 40], "{hex:6}-{n}").to_string()).unwrap();
    let whole = recipe.items(Budget::default(), keys("T", "id", None)).unwrap();
    let mut generator = recipe.generate(Budget::default(), keys("T", "id", None));
    let mut steps = Vec::new();
    loop {
        let progress = generator.step(1).unwrap();
        assert!(progress.items.len() <= 1);
        steps.extend(progress.items);
        assert_eq!(progress.n_items, steps.len());
        if progress.is_done {
            break;
        }
    }
    assert_eq!(steps, whole);
    assert!(generator.step(5).unwrap().items.is_empty());
}

#[test]
fn appending_a_group_does_not_change_earlier_items() {
    let mut recipe = group([1, 5], "{hex:6}-{n}");
    let before = items(&recipe).unwrap();
    recipe["groups"]
        .as_array_mut()
        .unwrap()
        .push(json!({"table": "T", "entity": "More", "item": {"id": {"S": "more"}}}));
    assert_eq!(items(&recipe).unwrap()[..5], before);
}

#[test]
fn a_padded_text_that_is_there_is_continued_with_whole_sentences() {
    let recipe = json!({"seed": 1, "filler": ["One fox.", "Two dogs."], "groups": [{"table": "T",
        "entity": "E", "item": {"id": {"S": "a"}, "text": {"S": "It begins. "}}, "size": 40, "pad": "text"}]});
    let made = items(&recipe).unwrap();
    assert_eq!(made[0].size_bytes(), 40);
    let text = format!("{:?}", made[0].get("text").unwrap());
    assert!(
        text.contains("It begins. One fox. Two") || text.contains("It begins. Two dogs. On"),
        "{text}"
    );
}

#[test]
fn two_items_with_one_key_are_refused() {
    let error = items(&group([1, 4], "{n%3}")).unwrap_err();
    assert_eq!(error.to_string(), "T/E/0/4 has the same key as an earlier item of the table.");
}

#[test]
fn more_than_the_budget_is_refused() {
    assert!(items(&group([1, 20_000], "{n}")).is_ok());
    let error = items(&group([1, 20_001], "{n}")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "The recipe makes more than 20000 items; nothing of it was loaded."
    );
    let mut large = group([1, 14], "{n}");
    large["groups"][0]["size"] = json!(400_000);
    assert!(matches!(items(&large), Err(RecipeError::OverBudget { .. })));
}

#[test]
fn a_loop_that_keeps_nothing_ends() {
    let mut recipe = group([1, i64::MAX], "{n}");
    recipe["groups"][0]["where"] = json!({"n": {"to": 0}});
    let recipe = Recipe::from_json(&recipe.to_string()).unwrap();
    let mut generator = recipe.generate(Budget::default(), keys("T", "id", None));
    assert!(!generator.step(100).unwrap().is_done);
    assert!(matches!(
        recipe.items(Budget::default(), keys("T", "id", None)),
        Err(RecipeError::OverBudget { .. })
    ));
}

#[test]
fn a_range_that_is_empty_makes_nothing() {
    assert_eq!(items(&group([3, 1], "{n}")).unwrap(), []);
}

#[test]
fn bad_recipes_say_what_and_where() {
    let sentence = |text: &str| Recipe::from_json(text).unwrap_err().to_string();
    assert_eq!(
        sentence("{"),
        "This is not JSON: EOF while parsing an object, at line 1, column 1."
    );
    assert_eq!(sentence("[]"), "The recipe: this must be an object, not a list.");
    assert_eq!(sentence("{}"), "groups: this must be a list, not nothing.");
    assert_eq!(
        sentence(r#"{"groups": [{"table": "T", "entity": "E", "for": {"n": [1]}, "item": {}}]}"#),
        "groups[0].for.n: this must be two whole numbers, first and last."
    );
    assert_eq!(
        sentence(r#"{"groups": [{"table": "T", "entity": "E", "item": {"id": {"S": "{q}"}}}]}"#),
        "The calculation \"q\" cannot be read: \"q\" is not one of the names under \"for\"."
    );
    let deep = format!(
        r#"{{"groups": [{{"table": "T", "entity": "E", "item": {{"a": {}1{}}}}}]}}"#,
        "[".repeat(100),
        "]".repeat(100)
    );
    assert_eq!(sentence(&deep), "groups[0].item: the item is nested too deeply.");
}

#[test]
fn an_item_that_cannot_be_made_is_named() {
    let mut recipe = group([1, 1], "a");
    recipe["groups"][0]["size"] = json!(2);
    assert_eq!(
        items(&recipe).unwrap_err().to_string(),
        "T/E/0/1: it already has 7 bytes, more than 2."
    );
    recipe["groups"][0]["size"] = json!(20);
    recipe["groups"][0]["item"] = json!({"other": {"S": "a"}});
    assert_eq!(
        items(&recipe).unwrap_err().to_string(),
        "T/E/0/1: it lacks an attribute of its table's key, or has it with another type."
    );
}
