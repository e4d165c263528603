//! What outcomes consumed is what partitions, metrics and events counted, and nothing more.

use hashrange_simulation::{EventKind, Metric};
use hashrange_types::operation::ConsumedCapacity;
use hashrange_types::{IndexName, TableName};

use super::Verdict;
use super::dice::Dice;
use super::play::{Play, lagging, limited};
use super::requests::{Kinds, Requests};
use crate::script::request;

/// Half units of reads and of writes.
type Halves = [u64; 2];

pub(super) fn units_charged_equal_units_consumed(seed: u64) -> Verdict {
    let mut dice = Dice::new(seed ^ 0x0417);
    let mut settings = if dice.chance(60) { limited(&mut dice) } else { lagging(&mut dice) };
    settings.ttl_sweep_delay_s = dice.pick(&[None, Some(2)]);
    let provisioned = dice.pick(&[None, Some(5), Some(50)]);
    let kinds = Kinds { writes: 60, is_strong: false, expires: true };
    let requests = Requests { kinds, n_versions: 0, begins_at_s: 0 };
    let mut play = Play::new(dice, settings, provisioned, requests);
    let mut open = Vec::new();
    let mut answered = Halves::default();
    for _ in 0..80 {
        if play.dice.chance(10) {
            play.act();
        }
        let (operation, body) = play.requests.next(&mut play.dice);
        open.push(play.cluster.submit(request(operation, &body)));
        if play.dice.chance(60) {
            let us_max = play.dice.pick(&[1_000, 50_000, 3_000_000]);
            play.wait(us_max);
        }
    }
    open.push(play.settle()?);
    for number in open {
        let Some(outcome) = play.cluster.take_reply(number) else {
            return Err(format!("{number:?} was never answered"));
        };
        for consumed in &outcome.consumed {
            answered[usize::from(consumed.is_write)] +=
                ConsumedCapacity::total(consumed).as_halves();
        }
    }
    let same = [("CloudWatch", metrics(&play)), ("heat", heat(&play))];
    for (name, counted) in same {
        if counted != answered {
            return Err(format!("half units {name}: {counted:?}, answers: {answered:?}"));
        }
    }
    let told = told(&play);
    let total: u64 = answered.iter().sum();
    if told == total {
        Ok(())
    } else {
        Err(format!("half units of events: {told}, of answers: {total}"))
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts of half units")]
fn metrics(play: &Play) -> Halves {
    let table = TableName::new("Orders").expect("a name");
    let index = IndexName::new("byColour").expect("a name");
    [Metric::ConsumedReadCapacityUnits, Metric::ConsumedWriteCapacityUnits].map(|metric| {
        let trees = [None, Some(&index)].into_iter();
        let minutes = trees.flat_map(|index| play.cluster.metrics(&table, index));
        minutes.map(|minute| (minute.sum(metric) * 2.0) as u64).sum()
    })
}

fn heat(play: &Play) -> Halves {
    let mut halves = Halves::default();
    let heat = play.cluster.heat();
    for (_, usage) in
        heat.flat_map(|(_, heat)| heat.minutes().chain(heat.seconds()).collect::<Vec<_>>())
    {
        halves[0] += usage.read.as_halves();
        halves[1] += usage.write.as_halves();
    }
    halves
}

fn told(play: &Play) -> u64 {
    let units = play.cluster.events().iter().map(|event| match &event.kind {
        EventKind::RequestDone { units, .. } | EventKind::RequestRefused { units, .. } => {
            units.as_halves()
        }
        _ => 0,
    });
    units.sum()
}
