//! Functions on a table's stream: how late a search is, what a poisoned record does, what comes twice or not at
//! all.
#![allow(clippy::needless_pass_by_value, reason = "requests are written as literals")]

mod script;

use hashrange_simulation::{
    DiscardCause, EventKind, FunctionKind, FunctionSettings, Lag, World, WorldSettings,
};
use hashrange_types::Timestamp;
use script::{answer, request};
use serde_json::{Value, json};

const HOUR_MS: i64 = 3_600_000;

/// The articles of lesson 6.5.
struct Articles {
    world: World,
    start: Timestamp,
}

impl Articles {
    fn new() -> Self {
        let mut world = World::new(WorldSettings::default()).expect("the settings are right");
        let table = json!({
            "TableName": "Articles", "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        });
        world.call(0, request("CreateTable", &table));
        let start = world.now();
        Self { world, start }
    }

    fn put(&mut self, n: u32, title: &str) {
        let item = json!({"id": {"S": format!("a{n:03}")}, "title": {"S": title}});
        let body = json!({"TableName": "Articles", "Item": item});
        assert_eq!(answer(&self.world.call(0, request("PutItem", &body)).reply), json!({}));
    }

    fn connect(&mut self, settings: FunctionSettings) -> usize {
        self.world.connect(0, "Articles", settings).expect("the table has a stream")
    }

    fn at_ms(&mut self, ms: i64) {
        assert!(self.world.run_until(Timestamp(self.start.0 + ms * 1_000), 100_000));
    }

    fn told(&self, name: &str) -> usize {
        let events = self.world.cluster(0).events().iter();
        events.filter(|event| event.kind.name() == name).count()
    }

    fn hits(&self, function: usize, query: &str) -> usize {
        self.world.function(function).index().search(query).len()
    }
}

fn fixed(ms: i64) -> Lag {
    Lag::Fixed(vec![ms * 1_000])
}

fn index() -> FunctionSettings {
    FunctionSettings::new(FunctionKind::Index("title".into()))
}

fn count(is_idempotent: bool) -> FunctionSettings {
    let kind = FunctionKind::Count { is_idempotent };
    FunctionSettings { batch_size: 1, ..FunctionSettings::new(kind) }
}

#[test]
fn a_search_forgives_a_typo_where_the_table_finds_nothing() {
    let mut articles = Articles::new();
    let search = articles.connect(index());
    let topics = ["keys", "indexes", "partitions", "streams", "units"];
    for n in 0..500_u32 {
        let topic = topics[n as usize % 5];
        articles.put(n, &format!("On strange {topic}"));
    }
    articles.at_ms(1_000);
    assert_eq!(articles.world.function(search).index().len(), 500);
    assert_eq!(articles.hits(search, "partiton~"), 100);
    assert_eq!(articles.hits(search, "partiton"), 0);
    assert_eq!(articles.hits(search, "strange Keys"), 100);
    assert_eq!(articles.hits(search, "keys units"), 0);
    let body = json!({"TableName": "Articles", "Key": {"id": {"S": "a000"}}});
    articles.world.call(0, request("DeleteItem", &body));
    articles.at_ms(2_000);
    assert_eq!(articles.hits(search, "keys"), 99);
}

#[test]
fn a_search_is_as_late_as_the_stream_and_the_function_take() {
    let mut articles = Articles::new();
    articles.put(1, "old title");
    let settings =
        FunctionSettings { stream: Some(fixed(200)), duration: Some(fixed(300)), ..index() };
    let search = articles.connect(settings);
    articles.at_ms(1_000);
    articles.put(1, "new title");
    let seen = |articles: &Articles| (articles.hits(search, "old"), articles.hits(search, "new"));
    assert_eq!(seen(&articles), (1, 0));
    articles.at_ms(1_499);
    assert_eq!(seen(&articles), (1, 0));
    assert_eq!(articles.world.function(search).iterator_age_us(articles.world.now()), 499_000);
    articles.at_ms(1_500);
    assert_eq!(seen(&articles), (0, 1));
    assert_eq!(articles.world.function(search).iterator_age_us(articles.world.now()), 0);
}

#[test]
fn a_poisoned_record_is_cut_out_by_halves_and_the_other_nine_are_indexed() {
    let mut articles = Articles::new();
    let settings = FunctionSettings {
        batch_size: 10,
        window_us: 1_000_000,
        throws_on: Some("a007".into()),
        retries_max: Some(2),
        bisects: true,
        ..index()
    };
    let search = articles.connect(settings);
    for n in 1..=10 {
        articles.put(n, "On poison");
    }
    articles.at_ms(100);
    assert!(articles.world.function(search).iterator_age_us(articles.world.now()) >= 100_000);
    articles.at_ms(60_000);
    let function = articles.world.function(search);
    assert_eq!((function.index().len(), function.discarded().len()), (9, 1));
    assert_eq!(function.iterator_age_us(articles.world.now()), 0);
    let causes = articles.world.cluster(0).events().iter().filter_map(|event| match event.kind {
        EventKind::RecordDiscarded { cause, .. } => Some(cause),
        _ => None,
    });
    assert_eq!(causes.collect::<Vec<_>>(), [DiscardCause::Retries]);
    // 10, 6 to 10, 6 to 8, 6 to 7 and 7 throw, and 7 twice again.
    assert_eq!(articles.told("function.failed"), 7);
    assert_eq!(articles.told("function.retried"), 6);
}

#[test]
fn without_a_limit_a_poisoned_record_blocks_its_shard_for_a_day() {
    let mut articles = Articles::new();
    let settings = FunctionSettings { batch_size: 1, throws_on: Some("a001".into()), ..index() };
    let search = articles.connect(settings);
    articles.put(1, "poison");
    articles.put(2, "behind");
    articles.at_ms(23 * HOUR_MS);
    assert_eq!(articles.hits(search, "behind"), 0);
    articles.at_ms(24 * HOUR_MS + 120_000);
    let function = articles.world.function(search);
    assert_eq!((function.index().len(), function.discarded().len()), (0, 2), "both are trimmed");
}

#[test]
fn a_lost_answer_is_counted_twice_unless_the_count_is_idempotent() {
    for (is_idempotent, counted) in [(false, 11), (true, 10)] {
        let mut articles = Articles::new();
        let counter = articles.connect(count(is_idempotent));
        articles.world.lose_answers(counter, 1);
        for n in 1..=10 {
            articles.put(n, "On words");
        }
        articles.at_ms(10_000);
        assert_eq!(articles.world.function(counter).count(), counted);
    }
}

#[test]
fn of_25_changes_in_25_hours_the_oldest_is_trimmed() {
    let mut articles = Articles::new();
    let counter = articles.connect(count(false));
    articles.world.switch(counter, false);
    for n in 0..25_u32 {
        articles.at_ms(i64::from(n) * HOUR_MS + HOUR_MS / 2);
        articles.put(n, "On time");
    }
    articles.at_ms(25 * HOUR_MS);
    articles.world.switch(counter, true);
    articles.at_ms(25 * HOUR_MS + 1_000);
    let function = articles.world.function(counter);
    assert_eq!((function.count(), function.discarded().len()), (24, 1));
}

#[test]
fn a_write_that_changes_nothing_makes_no_record_and_a_late_function_may_begin_with_the_next() {
    let mut articles = Articles::new();
    articles.put(1, "On new things");
    let late = articles.connect(FunctionSettings { is_from_oldest: false, ..count(false) });
    articles.put(1, "On newer things");
    articles.put(1, "On newer things");
    let body = json!({"TableName": "Articles", "Key": {"id": {"S": "a001"}}});
    articles.world.call(0, request("DeleteItem", &body));
    articles.at_ms(1_000);
    assert_eq!(articles.world.function(late).count(), 2);
    let names = articles.world.cluster(0).events().iter().filter_map(|event| match event.kind {
        EventKind::StreamRecord { name, .. } => Some(name),
        _ => None,
    });
    assert_eq!(names.collect::<Vec<_>>(), ["INSERT", "MODIFY", "REMOVE"]);
}

#[test]
fn a_function_needs_a_stream_with_what_it_reads() {
    let mut articles = Articles::new();
    let body: Value =
        json!({"TableName": "Articles", "StreamSpecification": {"StreamEnabled": false}});
    articles.world.call(0, request("UpdateTable", &body));
    let error = articles.world.connect(0, "Articles", index()).expect_err("there is no stream");
    assert!(error.to_string().contains("has no stream"), "{error}");
    let keys_only = json!({"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"});
    let body = json!({"TableName": "Articles", "StreamSpecification": keys_only});
    articles.world.call(0, request("UpdateTable", &body));
    let error = articles.world.connect(0, "Articles", index()).expect_err("it shows keys alone");
    assert!(error.to_string().contains("no new image"), "{error}");
    assert!(articles.world.connect(0, "None", index()).is_err());
    assert!(articles.world.connect(1, "Articles", index()).is_err());
}

#[cfg(not(target_arch = "wasm32"))]
mod laws {
    use hashrange_types::operation::SequenceNumber;
    use proptest::prelude::*;

    use super::*;

    fn run(settings: FunctionSettings, writes: &[(u32, u32, i64)]) -> (Articles, usize) {
        let mut articles = Articles::new();
        let search = articles.connect(settings);
        for (n, word, ms) in writes {
            articles.put(*n, &format!("word{word}"));
            let later = Timestamp(articles.world.now().0 + ms * 1_000);
            articles.world.run_until(later, 10_000);
        }
        while articles.world.step() {}
        (articles, search)
    }

    fn writes() -> impl Strategy<Value = Vec<(u32, u32, i64)>> {
        prop::collection::vec((0_u32..6, 0_u32..3, 0_i64..300), 0..40)
    }

    fn settings() -> impl Strategy<Value = FunctionSettings> {
        (1_u32..8, 0_i64..500, 0_i64..300, 0_i64..300, any::<bool>()).prop_map(
            |(batch_size, window_ms, stream_ms, function_ms, bisects)| FunctionSettings {
                batch_size,
                window_us: window_ms * 1_000,
                stream: Some(fixed(stream_ms)),
                duration: Some(fixed(function_ms)),
                retries_max: Some(1),
                bisects,
                ..index()
            },
        )
    }

    /// The records made, and those that the function took, in order.
    fn told(articles: &Articles) -> (Vec<SequenceNumber>, Vec<SequenceNumber>) {
        let (mut made, mut taken) = (Vec::new(), Vec::new());
        for event in articles.world.cluster(0).events().iter() {
            match event.kind {
                EventKind::StreamRecord { sequence, .. } => made.push(sequence),
                EventKind::SearchUpdated { sequence, .. } => taken.push(sequence),
                _ => {}
            }
        }
        (made, taken)
    }

    proptest! {
        #[test]
        fn without_failures_every_record_comes_once_and_in_order(settings in settings(), writes in writes()) {
            let (articles, search) = run(settings, &writes);
            let (made, taken) = told(&articles);
            prop_assert_eq!(made, taken);
            let table = articles.world.cluster(0).store().table("Articles").expect("it was created");
            let n_items = usize::try_from(table.items().n_rows()).expect("few");
            prop_assert_eq!(articles.world.function(search).index().len(), n_items);
        }

        #[test]
        fn with_poison_every_record_comes_or_is_discarded_and_none_overtakes(settings in settings(), writes in writes(), lost in 0_u32..3) {
            let settings = FunctionSettings { throws_on: Some("a003".into()), ..settings };
            let mut articles = Articles::new();
            let search = articles.connect(settings);
            articles.world.lose_answers(search, lost);
            for (n, word, ms) in &writes {
                articles.put(*n, &format!("word{word}"));
                let later = Timestamp(articles.world.now().0 + ms * 1_000);
                articles.world.run_until(later, 10_000);
            }
            while articles.world.step() {}
            let (made, taken) = told(&articles);
            let discarded = articles.world.function(search).discarded();
            let mut answered: Vec<_> = taken.iter().chain(discarded).copied().collect();
            answered.sort_unstable();
            answered.dedup();
            prop_assert_eq!(&answered, &made);
            // A record comes again only before anything newer is answered for.
            let mut last: Vec<SequenceNumber> = Vec::new();
            for sequence in taken.iter().rev() {
                if !last.contains(sequence) {
                    last.push(*sequence);
                }
            }
            prop_assert!(last.is_sorted_by(|one, other| one > other));
        }
    }
}
