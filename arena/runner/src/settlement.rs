//! Which games count: a fold over the schedule, so that it does not matter in which order the games were played.
//!
//! A void game counts for nobody. A bot that was convicted in it is quarantined from there on: its later games of the
//! schedule are void, too, whether somebody played them before it was known or not; its earlier ones count.

use std::collections::{BTreeMap, BTreeSet};

use arena_tournaments::ScheduledGame;

use crate::Ended;

/// What is known of a tournament's games, in schedule order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Settlement {
    /// Games with a record that counts.
    pub(crate) counted: BTreeSet<usize>,
    /// Games that are void.
    pub(crate) void: BTreeSet<usize>,
    /// Games that are still to be played.
    pub(crate) open: Vec<usize>,
    /// Entrants that are quarantined, each with the game from which on.
    pub(crate) quarantined: BTreeMap<usize, usize>,
}

/// Settles what can be settled with the games that have ended.
pub(crate) fn settle<'a>(schedule: &[ScheduledGame], ended: impl Fn(usize) -> Option<&'a Ended>) -> Settlement {
    let mut settled = Settlement::default();
    for game in schedule {
        if game.seats.values().iter().any(|entrant| settled.quarantined.contains_key(entrant)) {
            settled.void.insert(game.number);
            continue;
        }
        match ended(game.number) {
            None => settled.open.push(game.number),
            Some(Ended::Played(_)) => drop(settled.counted.insert(game.number)),
            Some(Ended::Void(void)) => {
                settled.void.insert(game.number);
                let convicted = game.seats.iter().filter(|(seat, _)| void.quarantined.contains(&seat.0));
                settled.quarantined.extend(convicted.map(|(_, entrant)| (*entrant, game.number)));
            }
        }
    }
    settled
}

#[cfg(test)]
mod tests {
    use arena_record::EntrantId;
    use arena_tournaments::{Entrant, RoundRobin};

    use super::{BTreeMap, Ended, ScheduledGame, Settlement, settle};
    use crate::VoidGame;
    use crate::testing::played as a_game;

    fn games() -> Vec<ScheduledGame> {
        let entrant = |name: &str| Entrant { name: name.into(), id: EntrantId::of_bytes(name.as_bytes()) };
        RoundRobin::new(1, 3).games(&["ant", "bee", "cat", "dog"].map(entrant))
    }

    /// What becomes of each game, if it is played: game 5 convicts who sits first, game 9 both, game 20 nobody.
    fn fate(number: usize, record: &Ended) -> Ended {
        let void = |quarantined| Ended::Void(VoidGame { tries: 3, quarantined });
        match number {
            5 => void(vec![0]),
            9 => void(vec![0, 1]),
            20 => void(vec![]),
            _ => record.clone(),
        }
    }

    /// Plays what is open until nothing is, each time in the order that `pick` makes of it.
    fn played(mut pick: impl FnMut(&[usize]) -> usize) -> (Settlement, usize) {
        let (schedule, record) = (games(), a_game(1));
        let mut ended = BTreeMap::new();
        loop {
            let settled = settle(&schedule, |number| ended.get(&number));
            if settled.open.is_empty() {
                return (settled, ended.len());
            }
            let number = settled.open[pick(&settled.open) % settled.open.len()];
            assert!(ended.insert(number, fate(number, &record)).is_none(), "a game is played once");
        }
    }

    #[test]
    fn the_order_of_playing_does_not_matter() {
        let (in_order, fewest) = played(|_| 0);
        assert_eq!(in_order.counted.len() + in_order.void.len(), games().len());
        assert!(in_order.quarantined.values().all(|from| in_order.void.contains(from)));
        let (backwards, _) = played(|open| open.len() - 1);
        assert_eq!(backwards, in_order);
        let mut state = 7_usize;
        for _ in 0..50 {
            let (mixed, all) = played(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state >> 33
            });
            assert_eq!(mixed, in_order);
            assert!(all >= fewest);
        }
    }

    #[test]
    fn a_void_game_counts_for_nobody_and_quarantines_only_who_was_convicted() {
        let (settled, _) = played(|_| 0);
        let schedule = games();
        let convicted = schedule[5].seats.values()[0];
        assert_eq!(settled.quarantined[&convicted], 5);
        for game in &schedule {
            let quarantined = game
                .seats
                .values()
                .iter()
                .any(|entrant| settled.quarantined.get(entrant).is_some_and(|from| *from < game.number));
            let expected = quarantined || matches!(game.number, 5 | 9 | 20);
            assert_eq!(settled.void.contains(&game.number), expected, "game {}", game.number);
        }
    }
}
