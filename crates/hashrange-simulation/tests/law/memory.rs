//! A run that goes on for days over the same items takes no more memory than after its first ones.
//!
//! Memory is measured by what a run shows of itself: all it holds stands in its debug text.

use hashrange_simulation::{Settings, World, WorldSettings};
use hashrange_types::Timestamp;

use super::Verdict;
use super::dice::Dice;
use super::play::{Play, limited};
use super::requests::{Kinds, Requests, orders};
use crate::script::request;

/// Days of a run.
const DAYS: usize = 6;
const HOUR_US: i64 = 3_600_000_000;
const KINDS: Kinds = Kinds { writes: 70, is_strong: false, expires: true };

fn settings(dice: &mut Dice) -> Settings {
    Settings { ttl_sweep_delay_s: dice.pick(&[None, Some(2)]), ..limited(dice) }
}

pub(super) fn memory_is_bounded_however_long_a_run_is(seed: u64) -> Verdict {
    of_a_cluster(seed)?;
    of_a_world(seed)
}

/// How much a value shows, without the padding of items, which chance makes long or short.
fn size(value: &impl std::fmt::Debug) -> usize {
    format!("{value:?}").bytes().filter(|byte| *byte != b'x').count()
}

/// How much there is on the third day and on the sixth, on average: about as much.
fn compare(what: &str, sizes: [usize; 2]) -> Verdict {
    let [before, after] = sizes;
    if after <= before + before / 3 {
        return Ok(());
    }
    Err(format!("{what} shows {before} bytes on the third day and {after} on the sixth"))
}

fn of_a_cluster(seed: u64) -> Verdict {
    let mut dice = Dice::new(seed ^ 0x3E3);
    let settings = settings(&mut dice);
    let requests = Requests { kinds: KINDS, n_versions: 0, begins_at_s: 0 };
    let mut play = Play::new(dice, settings, None, requests);
    play.cluster.keep_events(50);
    let mut sizes = [0; 2];
    for day in 0..DAYS {
        for hour in 0..24 {
            for _ in 0..10 {
                let (operation, body) = play.requests.next(&mut play.dice);
                play.cluster.call(request(operation, &body));
            }
            let later = Timestamp(play.cluster.now().0 + HOUR_US);
            play.cluster.run_until(later, 1_000_000);
            if hour % 4 == 0 && day % 3 == 2 {
                sizes[day / 3] += size(&play.cluster);
            }
        }
    }
    compare("a cluster", sizes)
}

fn of_a_world(seed: u64) -> Verdict {
    let mut dice = Dice::new(seed ^ 0x3E4);
    let regions = vec!["us-east-1".into(), "us-west-2".into()];
    let cluster = settings(&mut dice);
    let region_lag = cluster.indexes.clone();
    let settings = WorldSettings { cluster, regions, region_lag, ..WorldSettings::default() };
    let mut world = World::new(settings).expect("the settings are right");
    world.call(0, request("CreateTable", &orders(&mut dice, None)));
    let mut requests =
        Requests { kinds: KINDS, n_versions: 0, begins_at_s: world.now().whole_seconds() };
    let mut sizes = [0; 2];
    for day in 0..DAYS {
        for hour in 0..24 {
            for _ in 0..5 {
                let (operation, body) = requests.next(&mut dice);
                world.call(hour % 2, request(operation, &body));
            }
            let later = Timestamp(world.now().0 + HOUR_US);
            world.run_until(later, 1_000_000);
            if hour % 4 == 0 && day % 3 == 2 {
                let rest = |region| size(world.cluster(region).events());
                sizes[day / 3] += size(&world).saturating_sub(rest(0) + rest(1));
            }
        }
    }
    compare("a world", sizes)
}
