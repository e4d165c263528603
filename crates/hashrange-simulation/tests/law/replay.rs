//! A run can be repeated, and gone back to.

use hashrange_simulation::{
    Act, ClientSettings, Fault, FaultPlace, Intervention, KeyDistribution, Pace, Phase, Rate, Run,
    Source, Timeline, Via, Workload, World,
};
use hashrange_types::Timestamp;
use serde_json::json;

use super::Verdict;
use super::dice::Dice;
use super::play::{Play, lagging, limited};
use super::requests::{Kinds, Requests};
use crate::script::{get, put, request};

const KINDS: Kinds = Kinds { writes: 60, is_strong: false, expires: true };

fn play(seed: u64) -> Play {
    let mut dice = Dice::new(seed);
    let mut settings = if dice.chance(50) { limited(&mut dice) } else { lagging(&mut dice) };
    settings.ttl_sweep_delay_s = dice.pick(&[None, Some(2)]);
    let provisioned = dice.pick(&[None, Some(5), Some(50)]);
    let requests = Requests { kinds: KINDS, n_versions: 0, begins_at_s: 0 };
    Play::new(dice, settings, provisioned, requests)
}

fn run_over(cluster: hashrange_simulation::Cluster) -> Run {
    Run::over(World::around(cluster), hashrange_wire::decode)
}

/// All that can be told of a run, and of what it leaves.
fn shown(run: &Run) -> String {
    let cluster = run.cluster();
    let told = cluster.events().fingerprint(cluster.settings().starts_at);
    let tallies: Vec<_> =
        run.loads().iter().flat_map(hashrange_simulation::Load::tallies).collect();
    let rows = cluster.store().tables().flat_map(|table| {
        table.items().partitions().iter().flat_map(hashrange_storage::Partition::rows)
    });
    let rows: Vec<_> = rows.collect();
    format!("{:?} {} {told:x} {tallies:?} {rows:?}", cluster.now(), run.n_steps())
}

pub(super) fn the_same_seed_and_script_give_the_same_events(seed: u64) -> Verdict {
    let run = || {
        let mut play = play(seed ^ 0x5A3E);
        for _ in 0..50 {
            if play.dice.chance(15) {
                play.act();
            }
            let (operation, body) = play.requests.next(&mut play.dice);
            play.cluster.submit(request(operation, &body));
            play.wait(100_000);
        }
        shown(&run_over(play.cluster))
    };
    let (one, other) = (run(), run());
    if one == other { Ok(()) } else { Err(format!("{one}\nand then\n{other}")) }
}

fn workload(dice: &mut Dice) -> Workload {
    let source = |operation: &str, body, rate| {
        let pace = Pace::Open(vec![Phase { lasts_us: 4_000_000, rate: Rate::Constant(rate) }]);
        let keys = KeyDistribution::Zipf { n: 50, exponent_percent: 99 };
        Source { keys, ..Source::new(operation, request(operation, &body), pace) }
    };
    let pace = Pace::Closed { n_clients: 1, think_us: 500_000, lasts_us: None };
    let some = request("Scan", &json!({"TableName": "Orders", "Limit": 3}));
    let scan = Source { is_sweep: true, ..Source::new("Scan", some, pace) };
    Workload {
        seed: dice.seed(),
        client: ClientSettings::sdk(),
        sources: vec![
            source("GetItem", get("p{key}", false), 20),
            source("PutItem", put("p{key}#{random:3}", 1), 15),
            scan,
        ],
    }
}

/// Something is done to the run from outside.
fn intervene(play: &mut Play, timeline: &Timeline) -> Intervention {
    let partition = play.dice.pick(&timeline.run().cluster().partitions()).partition;
    let replica = u8::try_from(play.dice.below(3)).expect("few");
    let (fault, place) = match play.dice.below(9) {
        0 => (Fault::Fail, FaultPlace::Partition(partition)),
        1 => (Fault::CutOff, FaultPlace::Partition(partition)),
        2 => (Fault::Restore, FaultPlace::Partition(partition)),
        3 => (Fault::Divide, FaultPlace::Key("Orders".into(), Requests::key(&mut play.dice))),
        4 => return Intervention::Act(None, Box::new(Act::Sweep)),
        _ => {
            let (operation, body) = play.requests.next(&mut play.dice);
            return Intervention::Send(0, Via::Table, Box::new(request(operation, &body)));
        }
    };
    Intervention::Act(None, Box::new(Act::Fault { fault, place, replica }))
}

pub(super) fn a_replay_from_a_snapshot_equals_the_straight_run(seed: u64) -> Verdict {
    let mut play = play(seed ^ 0x4E9);
    let every_us = play.dice.between(20_000, 4_000_000);
    let mut timeline = Timeline::new(run_over(play.cluster.clone()), every_us);
    let start = timeline.run().now();
    let mut straight = Vec::new();
    let begin = Intervention::Begin(Box::new(workload(&mut play.dice)));
    timeline.act(begin).map_err(|error| error.to_string())?;
    for tenth in 1..=60 {
        // Nothing is done from outside at the very moment that is gone back to.
        let moment = Timestamp(start.0 + tenth * 100_000 + 1);
        while !timeline.run_until(Timestamp(moment.0 - 1), 37) {}
        if play.dice.chance(50) {
            let act = intervene(&mut play, &timeline);
            timeline.act(act).map_err(|error| error.to_string())?;
        }
        while !timeline.run_until(moment, 50) {}
        if play.dice.chance(20) {
            straight.push((moment, timeline.run().clone()));
        }
    }
    for (moment, run) in &straight {
        let (expected, replayed) = (shown(run), shown(&timeline.at(*moment)));
        if replayed != expected {
            return Err(format!("at {moment:?}: {replayed}\nthe straight run was {expected}"));
        }
    }
    let Some((moment, run)) = straight.into_iter().next() else { return Ok(()) };
    let end = Timestamp(moment.0 + 2_000_000);
    let (mut run, mut fork) = (run, timeline.fork(moment));
    while !run.run_until(end, 100) {}
    while !fork.run_until(end, 63) {}
    let (expected, forked) = (shown(&run), shown(fork.run()));
    if forked == expected { Ok(()) } else { Err(format!("a fork: {forked}\nand not {expected}")) }
}
