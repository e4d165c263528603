//! Going back to a moment, and taking a run up from there.
#![cfg(not(target_arch = "wasm32"))]

mod script;

use hashrange_simulation::{
    Act, ClientSettings, Fault, FaultPlace, Intervention, KeyDistribution, Pace, Phase, Rate, Run,
    Settings, Source, Timeline, Via, Workload, World,
};
use hashrange_types::Timestamp;
use proptest::prelude::*;
use script::{cluster, get, put, request};

const SECOND: i64 = 1_000_000;

fn workload(seed: u64) -> Workload {
    let source = |operation: &str, body, rate| {
        let pace = Pace::Open(vec![Phase { lasts_us: 8 * SECOND, rate: Rate::Constant(rate) }]);
        let keys = KeyDistribution::Zipf { n: 50, exponent_percent: 99 };
        Source { keys, ..Source::new(operation, request(operation, &body), pace) }
    };
    Workload {
        seed,
        client: ClientSettings::sdk(),
        sources: vec![
            source("GetItem", get("p{key}", false), 60),
            source("PutItem", put("p{key}#{random:3}", 1), 30),
        ],
    }
}

fn fault(fault: Fault, partition: u32, replica: u8) -> Intervention {
    let place = FaultPlace::Partition(partition);
    Intervention::Act(None, Box::new(Act::Fault { fault, place, replica }))
}

/// All that can be told of a run.
fn shown(run: &Run) -> String {
    let events: Vec<_> = run.cluster().events().iter().collect();
    let tallies: Vec<_> =
        run.loads().iter().flat_map(hashrange_simulation::Load::tallies).collect();
    format!("{} {} {tallies:?} {events:?}", run.now().0, run.n_steps())
}

/// A timeline of ten seconds with acts in between, and the run as it was each half second. Nothing is done from
/// outside at these very moments.
fn lived(seed: u64, every_us: i64) -> (Timeline, Vec<(Timestamp, Run)>) {
    let mut timeline = Timeline::new(
        Run::over(World::around(cluster(Settings::realistic(seed))), hashrange_wire::decode),
        every_us,
    );
    let start = timeline.run().now();
    timeline.act(Intervention::Begin(Box::new(workload(seed)))).expect("the slots exist");
    let mut straight = Vec::new();
    for half in 1..=20_i64 {
        let moment = Timestamp(start.0 + half * SECOND / 2);
        // Budgets end in the middle of moments.
        while !timeline.run_until(moment, 37) {
            let is_between = timeline.run().now() < moment;
            if is_between && timeline.run().n_steps().is_multiple_of(5) {
                let write = request("PutItem", &put("extra", 7));
                timeline
                    .act(Intervention::Send(0, Via::Table, Box::new(write)))
                    .expect("the slots exist");
            }
        }
        straight.push((moment, timeline.run().clone()));
        while !timeline.run_until(Timestamp(moment.0 + SECOND / 10), 50) {}
        let act = match half {
            4 => fault(Fault::Fail, 1, 0),
            9 => fault(Fault::CutOff, 2, 1),
            13 => fault(Fault::Restore, 2, 1),
            _ => continue,
        };
        timeline.act(act).expect("the slots exist");
    }
    (timeline, straight)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_replay_from_a_snapshot_equals_the_straight_run(seed in any::<u64>(), every_us in 20_000..4 * SECOND) {
        let (timeline, seen) = lived(seed, every_us);
        for (moment, straight) in &seen {
            let replayed = timeline.at(*moment);
            prop_assert!(shown(&replayed) == shown(straight), "at {moment:?}");
            prop_assert!(replayed.cluster().store() == straight.cluster().store(), "at {moment:?}");
        }
    }

    #[test]
    fn a_fork_has_the_past_of_its_run_and_goes_on_by_itself(seed in any::<u64>(), every_us in 20_000..4 * SECOND) {
        let (timeline, seen) = lived(seed, every_us);
        let (moment, straight) = &seen[12];
        let mut fork = timeline.fork(*moment);
        prop_assert!(shown(fork.run()) == shown(straight));
        let mut again = timeline.fork(*moment);
        let end = Timestamp(moment.0 + 2 * SECOND);
        while !fork.run_until(end, 100) {}
        while !again.run_until(end, 63) {}
        prop_assert!(shown(fork.run()) == shown(again.run()));
        let (earlier, before) = &seen[5];
        prop_assert!(shown(&fork.at(*earlier)) == shown(before));
        let middle = Timestamp(moment.0 + SECOND / 2);
        prop_assert!(shown(&fork.at(middle)) == shown(&again.at(middle)));
    }
}

#[test]
fn snapshots_are_bounded_however_long_a_run_is() {
    let mut timeline = Timeline::new(
        Run::over(World::around(cluster(Settings::realistic(1))), hashrange_wire::decode),
        1_000,
    );
    let start = timeline.run().now();
    timeline.act(Intervention::Begin(Box::new(workload(1)))).unwrap();
    assert!(timeline.run_until(Timestamp(start.0 + 10 * SECOND), 10_000_000));
    assert!((250..=512).contains(&timeline.n_snapshots()), "{}", timeline.n_snapshots());
    assert_eq!(timeline.begins_at(), start);
}
