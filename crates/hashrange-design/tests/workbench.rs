//! NoSQL Workbench import, one small model of our own for each quirk.

use hashrange_design::format::workbench::{
    BAG, BYTES_MAX, ImportError, Repair, WorkbenchImport, import_workbench,
};
use hashrange_design::pattern::PatternSuite;
use hashrange_design::{Design, EntityMatcher};
use hashrange_storage::Store;
use hashrange_types::{Operation, Timestamp};
use serde_json::{Value, json};

macro_rules! model {
    ($name:literal) => {
        import_workbench(include_bytes!(concat!("models/", $name, ".json")))
            .expect("the model imports")
    };
}

/// Repairs as `place: found; done`.
fn repairs(import: &WorkbenchImport) -> Vec<String> {
    let line = |repair: &Repair| format!("{}: {}; {}", repair.place, repair.found, repair.done);
    import.repairs.iter().map(line).collect()
}

fn items(import: &WorkbenchImport) -> Vec<Value> {
    import.items.iter().map(|(_, item)| hashrange_wire::item_to_json(item)).collect()
}

/// Entities as `tag name: templates`.
fn entities(import: &WorkbenchImport) -> Vec<String> {
    import
        .design
        .entities
        .iter()
        .map(|entity| {
            let keys: Vec<&str> = entity.keys.values().map(String::as_str).collect();
            format!("{} {}: {}", entity.tag, entity.name, keys.join(" "))
        })
        .collect()
}

fn refusal(bytes: &[u8]) -> String {
    import_workbench(bytes).expect_err("the file is refused").to_string()
}

#[test]
fn a_model_with_a_name_and_a_key_is_enough() {
    let import = model!("bare");
    assert_eq!(import.design.title, "Bare");
    assert_eq!(
        import.design.tables,
        [json!({
            "TableName": "Bare",
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            "BillingMode": "PAY_PER_REQUEST"
        })]
    );
    assert_eq!((import.items, import.repairs), (Vec::new(), Vec::new()));
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    assert_eq!(model!("byte_order_mark").items.len(), 1);
}

#[test]
fn an_old_version_imports_and_entities_come_from_prefixes() {
    let import = model!("old_version");
    assert_eq!(import.design.about, "Bread and who buys it.\nTwo lines.");
    assert_eq!(repairs(&import), [""; 0]);
    assert_eq!(
        entities(&import),
        [
            "L Loaf: LOAF#{loaf} LOAF#{loaf}",
            "B Buyer: BUYER#{buyer} BUYER#{buyer}",
            "U Buyer loaf: BUYER#{buyer} LOAF#{loaf}"
        ]
    );
}

#[test]
fn members_nobody_knows_are_kept_without_the_items() {
    let import = model!("unknown_members");
    let bag = &import.design.unknown[BAG];
    assert_eq!(bag["ModelMetadata"]["Version"], "7.5");
    assert_eq!(bag["AccessPatternsOfTheFuture"], json!([{"n": 1}]));
    assert_eq!(bag["DataModel"][0]["x-own"], json!({"a": [1, 2]}));
    assert_eq!(bag["DataModel"][0]["SampleDataFormats"]["id"], json!(["identifiers", "Email"]));
    assert_eq!(bag["DataModel"][0].get("TableData"), None);
    let written = import.design.to_json();
    assert_eq!(Design::from_json(&written).expect("it reads back"), import.design);
}

#[test]
fn facets_become_entities_and_their_items_are_the_tables() {
    let import = model!("data_in_facets");
    assert_eq!(import.items.len(), 3);
    assert_eq!(import.item_facets, [Some(0), Some(0), Some(1)]);
    assert_eq!(
        entities(&import),
        [
            "M Member: MEMBER#{memberId} PROFILE",
            "V Visit: MEMBER#{memberId} VISIT#{day}",
            "F Fee: MEMBER#{memberId} FEE#{year}"
        ]
    );
    let matcher = EntityMatcher::new("Club", &import.design.entities);
    let found: Vec<_> = import.items.iter().map(|(_, item)| matcher.entity_of(item)).collect();
    assert_eq!(found, [Some(0), Some(0), Some(1)]);
}

#[test]
fn facets_suggest_patterns_that_find_their_items() {
    let import = model!("facets_as_patterns");
    let mut store = Store::default();
    for table in &import.design.tables {
        let request = hashrange_wire::decode(Operation::CreateTable, &table.to_string());
        let request = request.expect("an import can be made");
        hashrange_engine::create_table(&mut store, request, Timestamp(0)).expect("it is made");
    }
    for (table, item) in &import.items {
        hashrange_engine::put_item(&mut store, table, item.clone()).expect("items fit");
    }
    let mut suite = PatternSuite::default();
    suite.change(&import.design, &store);
    while !suite.step(100).is_done {}
    let found: Vec<(&str, &str, u64)> = suite
        .results()
        .iter()
        .map(|it| (it.words.as_str(), it.status().words(), it.n_items()))
        .collect();
    assert_eq!(
        found,
        [
            ("reader: one by its key", "served by key", 1),
            ("book: one by its key", "served by key", 1),
            ("loan: one by its key", "served by key", 1),
            ("loan: all of one PK", "served by key", 2),
            ("loan: by G1-PK in byBook", "served by key", 2),
        ]
    );
    assert!(import.design.patterns.iter().all(|pattern| pattern.per_second == Some(1.0)));
    let told: Vec<&str> = import.repairs.iter().map(|it| it.done.as_str()).collect();
    let suggested = "5 access patterns are suggested and named after them, each asked once a second until you say how often";
    assert!(told.contains(&suggested), "{told:?}");
}

#[test]
fn plain_and_twice_wrapped_maps_are_read_and_reported() {
    let import = model!("plain_and_wrapped_maps");
    let items = items(&import);
    assert_eq!(
        items[0]["extras"],
        json!({"M": {"heated": {"BOOL": true}, "version": {"S": "v1 beta"}, "seats": {"N": "5"},
            "none": {"NULL": true}, "years": {"L": [{"N": "2024"}, {"S": "2025"}]},
            "deep": {"M": {"a": {"M": {"b": {"BOOL": false}}}}}}})
    );
    assert_eq!(items[1]["extras"], json!({"M": {"HP": {"N": "50"}}}));
    assert_eq!(items[2]["extras"], json!({"M": {"M": {"S": "a map with an entry called M"}}}));
    assert_eq!(items[3], json!({"vin": {"S": "V4"}, "colour": {"S": "red"}, "doors": {"N": "4"}}));
    let repairs = repairs(&import);
    let place = "DataModel[0].TableData";
    assert_eq!(
        repairs[0],
        format!(
            "{place}[0].extras: plain values inside a list or map; their types were worked out from the values"
        )
    );
    assert!(
        repairs.contains(&format!(
            "{place}[1].extras: a map wrapped twice; one wrapping was taken off"
        ))
    );
    assert!(!repairs.iter().any(|repair| repair.contains("[2]")));
    assert!(repairs.contains(&format!(
        "{place}[3].colour: a plain value without a type; its type was worked out from the value"
    )));
}

#[test]
fn odd_values_are_repaired_one_by_one() {
    let import = model!("odd_values");
    let items = items(&import);
    assert_eq!(
        items[0],
        json!({"id": {"N": "1"}, "price": {"N": "12.5"}, "big": {"S": "1e400"}, "word": {"S": "twelve"},
            "text": {"S": "7"}, "flag": {"BOOL": true}, "nothing": {"NULL": true}})
    );
    assert_eq!(
        items[1],
        json!({"id": {"N": "2"}, "tags": {"SS": ["a", "b"]}, "counts": {"NS": ["1", "2"]},
            "mixed": {"L": [{"S": "1"}, {"S": "x"}]}, "bytes": {"B": "aGk="}, "broken": {"S": "%%%"},
            "blobs": {"BS": ["aGk="]}})
    );
    let repairs = repairs(&import);
    for expected in [
        "[0].id: a number written without quotes; it was taken as a number",
        "[0].word: \"twelve\" as a number; it was kept as a text",
        "[0].text: a text written without quotes; it was taken as text",
        "[0].flag: true or false written as a text or number; it was taken as true or false",
        "[1].tags: a set that repeats a member; it holds the member once",
        "[1].none: an empty set; it was left out",
        "[1].mixed: a set with members of another type; it was kept as a list",
        "[1].broken: binary data that is not base64; it was kept as a text",
    ] {
        assert!(
            repairs.contains(&format!("DataModel[0].TableData{expected}")),
            "{expected}: {repairs:#?}"
        );
    }
}

#[test]
fn included_keys_and_repeated_declarations_are_taken_out() {
    let import = model!("included_keys");
    let indexes = &import.design.tables[0]["GlobalSecondaryIndexes"];
    assert_eq!(
        indexes[0]["Projection"],
        json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["zip"]})
    );
    assert_eq!(indexes[1]["Projection"], json!({"ProjectionType": "KEYS_ONLY"}));
    assert_eq!(indexes[2]["Projection"], json!({"ProjectionType": "ALL"}));
    assert_eq!(
        import.design.unknown[BAG]["DataModel"][0]["NonKeyAttributes"].as_array().map(Vec::len),
        Some(2)
    );
    let repairs = repairs(&import);
    assert_eq!(repairs.len(), 7, "{repairs:#?}");
    assert!(repairs.contains(
        &"DataModel[0].NonKeyAttributes: 2 attributes that were declared already; they are kept once".to_owned()
    ));
}

#[test]
fn items_with_one_key_or_none_are_left_out_and_named() {
    let import = model!("twice_the_same_key");
    assert_eq!(
        items(&import),
        [
            json!({"id": {"S": "a"}, "n": {"N": "1"}}),
            json!({"id": {"S": "b"}}),
            json!({"id": {"S": "5"}})
        ]
    );
    assert_eq!(
        repairs(&import),
        [
            "DataModel[0].TableData[1]: an item with the key of an earlier one; the earlier one was kept",
            "DataModel[0].TableData[3]: the same item once more; the earlier one was kept",
            "DataModel[0].TableData[4]: an item without its key attribute id; the item was left out",
            "DataModel[0].TableData[5]: the key attribute id, which is empty; the item was left out",
            "DataModel[0].TableData[6]: an item that is not an object; it was left out",
            "DataModel[0].TableData[7].id: a key of type N instead of S; its type was changed",
            "DataModel[0].TableData[8]: the key attribute id of type M instead of S; the item was left out",
        ]
    );
}

#[test]
fn an_index_that_could_be_local_stays_global_and_is_mentioned() {
    let import = model!("local_in_disguise");
    assert_eq!(import.design.tables[0].get("LocalSecondaryIndexes"), None);
    assert_eq!(import.design.tables[0]["GlobalSecondaryIndexes"][0]["IndexName"], "byName");
    assert_eq!(
        repairs(&import),
        [
            "DataModel[0].GlobalSecondaryIndexes[0]: the index byName with the table's own partition key; \
             nothing was changed; it could be a local index",
            "DataModel[0].TableData[1].name: a key of type N instead of S; its type was changed",
            "DataModel[0].TableData[2].name: a value that no index key of type S may have; the attribute was left out",
        ]
    );
}

#[test]
fn billing_modes_become_capacity() {
    let import = model!("provisioned");
    let tables = &import.design.tables;
    let capacity = json!({"ReadCapacityUnits": 7, "WriteCapacityUnits": 3});
    assert_eq!(tables[0]["ProvisionedThroughput"], capacity);
    assert_eq!(tables[0]["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"], capacity);
    assert_eq!(tables[1]["BillingMode"], "PAY_PER_REQUEST");
    assert_eq!(
        tables[2]["ProvisionedThroughput"],
        json!({"ReadCapacityUnits": 5, "WriteCapacityUnits": 5})
    );
    assert_eq!(tables[3]["BillingMode"], "PAY_PER_REQUEST");
    assert_eq!(import.repairs.len(), 3);
    let kept = &import.design.unknown[BAG]["DataModel"][0]["ProvisionedCapacitySettings"];
    assert!(kept["AutoScalingRead"].is_object());
}

#[test]
fn one_table_models_and_saved_queries_become_entities_and_patterns() {
    let import = model!("one_table_schema");
    assert_eq!(
        entities(&import),
        [
            "P patient: patient {PK} {SK}",
            "S stay: stay {PK} {from}#{room}",
            "V visit: visit {PK} {SK}",
            "W Ward: {PK} {SK}"
        ]
    );
    let patterns = &import.design.patterns;
    assert_eq!(patterns.len(), 2);
    assert_eq!(
        patterns[0].request,
        json!({"TableName": "Ward", "KeyConditionExpression": "#pk = :pk AND #sk BETWEEN :sk AND :to",
            "ExpressionAttributeNames": {"#pk": "PK", "#sk": "SK"},
            "ExpressionAttributeValues": {":pk": {"S": "P1"}, ":sk": {"S": "2026-01"}, ":to": {"S": "2026-02"}}})
    );
    assert_eq!(patterns[1].request["IndexName"], "byRoom");
    assert_eq!(patterns[1].request["KeyConditionExpression"], "#pk = :pk");
    let repairs = repairs(&import);
    assert_eq!(repairs.len(), 3, "{repairs:#?}");
}

#[test]
fn invalid_names_are_made_valid_and_tables_without_key_left_out() {
    let import = model!("bad_names");
    let names: Vec<&str> = import.design.table_names().collect();
    assert_eq!(names, ["n--w-", "n--w--2", "Table3"]);
    let indexes: Vec<&str> = import.design.tables[0]["GlobalSecondaryIndexes"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|index| index["IndexName"].as_str())
        .collect();
    assert_eq!(indexes, ["a-b", "a-b-2", "GSI3", "same"]);
    let repairs = repairs(&import);
    for expected in [
        "DataModel[0].TableName: an invalid name, \"né w!\"; it is called n--w-",
        "DataModel[0].GlobalSecondaryIndexes[2].IndexName: no name; it is called GSI3",
        "DataModel[0].GlobalSecondaryIndexes[3].KeyAttributes.SortKey: the partition key once more; the sort key was left out",
        "DataModel[0].GlobalSecondaryIndexes[4]: an index without a partition key; it was left out",
        "DataModel[1].KeyAttributes.PartitionKey: the key attribute id with type BOOL; its type is S",
        "DataModel[2].TableName: no name; it is called Table3",
        "DataModel[3].KeyAttributes: no partition key; the table was left out",
        "DataModel[4]: a table that is not an object; it was left out",
    ] {
        assert!(repairs.contains(&expected.to_owned()), "{expected}: {repairs:#?}");
    }
}

#[test]
fn key_types_are_one_for_each_attribute() {
    let import = model!("wrong_key_types");
    assert_eq!(
        import.design.tables[0]["AttributeDefinitions"],
        json!([{"AttributeName": "day", "AttributeType": "N"}, {"AttributeName": "hour", "AttributeType": "N"}])
    );
    assert_eq!(items(&import), [json!({"day": {"N": "1"}, "hour": {"N": "9"}})]);
}

#[test]
fn files_that_are_no_models_are_refused_in_one_sentence() {
    assert_eq!(refusal(b" \n "), "This file is empty.");
    assert_eq!(
        refusal(b"{\"DataModel\": [\n  {\"TableName\": \"Or"),
        "This file ends too early, at line 2, column 19: it was probably cut off."
    );
    assert_eq!(
        refusal(b"TableName,PK\nOrders,1"),
        "This file is not JSON: expected value, at line 1, column 1."
    );
    assert_eq!(
        refusal(b"\x89PNG\r\n"),
        "This file is not text in UTF-8. A NoSQL Workbench model is a JSON file."
    );
    assert!(refusal(&[0xFF, 0xFE, b'{', 0]).contains("it looks like UTF-16"));
    let foreign = |text: &str| refusal(text.as_bytes());
    let not_a_model = "This is not a NoSQL Workbench model: it looks like";
    assert_eq!(foreign("[]"), format!("{not_a_model} a list of values."));
    assert_eq!(foreign("7"), format!("{not_a_model} a single value."));
    assert_eq!(
        foreign(r#"{"Resources": {}}"#),
        format!("{not_a_model} a CloudFormation template.")
    );
    assert_eq!(
        foreign(r#"{"TableName": "T", "KeySchema": []}"#),
        format!("{not_a_model} a CreateTable request.")
    );
    assert_eq!(
        foreign("{}"),
        format!("{not_a_model} other JSON, without a member called DataModel.")
    );
    let no_tables = "This model has no table with a partition key, so there is nothing to show.";
    assert_eq!(foreign(r#"{"DataModel": []}"#), no_tables);
    assert_eq!(foreign(r#"{"DataModel": "x"}"#), no_tables);
    assert_eq!(foreign(r#"{"DataModel": [{"TableName": "T"}]}"#), no_tables);
}

#[test]
fn deep_nesting_is_refused_or_its_item_left_out() {
    let open = "{\"DataModel\":".to_owned() + &"[".repeat(200_000);
    assert!(matches!(import_workbench(open.as_bytes()), Err(ImportError::TooDeep { .. })));
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let model = format!(
        r#"{{"DataModel": [{{"TableName": "Deep", "KeyAttributes": {{"PartitionKey":
            {{"AttributeName": "id", "AttributeType": "S"}}}},
            "TableData": [{{"id": {{"S": "a"}}, "x": {deep}}}, {{"id": {{"S": "b"}}}}]}}]}}"#
    );
    let import = import_workbench(model.as_bytes()).expect("the model imports");
    assert_eq!(import.items.len(), 1);
    assert!(
        import
            .repairs
            .iter()
            .any(|repair| { repair.found == "the attribute x nested in more than 32 levels" })
    );
}

#[test]
fn more_than_100_mb_are_refused_before_anything_is_read() {
    let bytes = vec![b'{'; BYTES_MAX + 1];
    assert_eq!(
        refusal(&bytes),
        "This file has 101 MB; a model may have up to 100 MB. Nothing was changed."
    );
}

#[test]
fn a_file_full_of_faults_gives_a_list_one_can_read() {
    let broken = vec!["1"; 10_000].join(",");
    let model = format!(
        r#"{{"DataModel": [{{"TableName": "Many", "KeyAttributes": {{"PartitionKey":
            {{"AttributeName": "id", "AttributeType": "S"}}}}, "TableData": [{broken}]}}]}}"#
    );
    let import = import_workbench(model.as_bytes()).expect("the model imports");
    assert_eq!(import.repairs.len(), 501);
    assert_eq!(import.repairs[500].found, "9500 more things like these");
}

#[test]
fn every_prefix_of_a_model_is_refused_and_none_panics() {
    let model = include_bytes!("models/one_table_schema.json");
    for end in 0..model.len() - 2 {
        assert!(import_workbench(&model[..end]).is_err(), "{end}");
    }
}

#[test]
fn any_member_may_be_anything() {
    let strange = [json!(null), json!(7), json!("x"), json!([]), json!({}), json!([[{"a": null}]])];
    let models = [
        include_str!("models/one_table_schema.json"),
        include_str!("models/data_in_facets.json"),
        include_str!("models/provisioned.json"),
        include_str!("models/odd_values.json"),
    ];
    for model in models {
        let model: Value = serde_json::from_str(model).expect("it is JSON");
        let mut places = Vec::new();
        collect_places(&model, String::new(), &mut places);
        for place in places {
            for value in &strange {
                let mut changed = model.clone();
                *changed.pointer_mut(&place).expect("the place exists") = value.clone();
                if let Ok(import) = import_workbench(changed.to_string().as_bytes()) {
                    let written = import.design.to_json();
                    assert!(Design::from_json(&written).is_ok(), "{place} = {value}");
                    assert!(import.design.key_schemas().is_ok(), "{place} = {value}");
                }
            }
        }
    }
}

fn collect_places(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                collect_places(
                    member,
                    format!("{place}/{}", name.replace('~', "~0").replace('/', "~1")),
                    places,
                );
            }
        }
        Value::Array(values) => {
            for (index, member) in values.iter().enumerate() {
                collect_places(member, format!("{place}/{index}"), places);
            }
        }
        _ => {}
    }
    places.push(place);
}
