//! Which games count: a fold over the schedule, so the order of playing does not matter.
//!
//! A void game counts for nobody. A bot that is convicted in it is quarantined from there on: its later games in the
//! schedule are void, too, even if they were played before; its earlier games count.
//!
//! An entrant that the organiser took out plays no game from a certain round on: those games are cancelled.

use std::collections::BTreeMap;

use arena_tournaments::{Fate, Leave, Left, Settled};

use crate::VoidGame;

/// Decides the fate of each game, as far as results and void games allow, and returns the games still to be played.
/// `gone` are the entrants that the organiser took out.
pub(crate) fn settle(
    games: &mut Settled,
    void: &BTreeMap<usize, VoidGame>,
    mut gone: BTreeMap<usize, Left>,
) -> Vec<usize> {
    let mut open = Vec::new();
    let mut quarantined = BTreeMap::new();
    for number in 0..games.len() {
        let fate = if games.seated(number).any(|entrant| quarantined.contains_key(&entrant)) {
            Fate::Void
        } else if games.seated(number).any(|entrant| gone.get(&entrant).is_some_and(|left| left.from <= number)) {
            Fate::Cancelled
        } else if let Some(void) = void.get(&number) {
            let convicted = (0..).zip(games.seated(number)).filter(|(seat, _)| void.quarantined.contains(seat));
            quarantined.extend(convicted.map(|(_, entrant)| (entrant, number)));
            Fate::Void
        } else if games.has_result(number) {
            Fate::Counted
        } else {
            open.push(number);
            Fate::Open
        };
        games.decide(number, fate);
    }
    for (entrant, from) in quarantined {
        let left = gone.entry(entrant).or_insert(Left { from, why: Leave::Quarantined });
        left.from = left.from.min(from);
    }
    games.left = gone;
    open
}

#[cfg(test)]
mod tests {
    use arena_record::EntrantId;
    use arena_rules::Rng;
    use arena_tournaments::{Entrant, GameResult, RoundRobin, Schedule, ScheduledGame};

    use super::*;
    use crate::testing::record;

    fn schedule() -> Schedule {
        let entrant = |name: &str| Entrant::new(name, EntrantId::of_bytes(name.as_bytes()));
        RoundRobin::new(1, 3).games(&["ant", "bee", "cat", "dog"].map(entrant))
    }

    /// Game 5 convicts the first seat, game 9 both, game 20 none.
    fn void(number: usize) -> Option<VoidGame> {
        let quarantined = match number {
            5 => vec![0],
            9 => vec![0, 1],
            20 => vec![],
            _ => return None,
        };
        Some(VoidGame { tries: 3, quarantined })
    }

    /// Plays open games until there are none, each time in the order that `pick` chooses; returns also the number of
    /// games played.
    fn played(mut pick: impl FnMut(&[usize]) -> usize) -> (Settled, usize) {
        let result = GameResult::of(&record(1));
        let (mut settled, mut voids, mut count) = (Settled::default(), BTreeMap::new(), 0);
        settled.append(schedule());
        loop {
            let open = settle(&mut settled, &voids, BTreeMap::new());
            if open.is_empty() {
                return (settled, count);
            }
            let number = open[pick(&open)];
            assert!(!settled.has_result(number) && !voids.contains_key(&number), "a game is played once");
            count += 1;
            match void(number) {
                Some(void) => drop(voids.insert(number, void)),
                None => settled.keep(number, &result),
            }
        }
    }

    fn fates(games: &Settled) -> Vec<Option<Fate>> {
        (0..games.len()).map(|number| games.fate(number)).collect()
    }

    #[test]
    fn the_order_of_playing_does_not_matter() {
        let (in_order, fewest) = played(|_| 0);
        assert!(fates(&in_order).iter().all(|fate| matches!(fate, Some(Fate::Counted | Fate::Void))));
        assert!(in_order.left.values().all(|left| in_order.fate(left.from) == Some(Fate::Void)));
        let mut rng = Rng::new(&[7; 32], 0);
        let mut mixed = |open: &[usize]| rng.below(open.len() as u32) as usize;
        let backwards = played(|open| open.len() - 1);
        for (other, all) in (0..50).map(|_| played(&mut mixed)).chain([backwards]) {
            assert_eq!((fates(&other), &other.left), (fates(&in_order), &in_order.left));
            assert!(all >= fewest);
        }
    }

    #[test]
    fn a_void_game_counts_for_nobody_and_quarantines_only_who_was_convicted() {
        let (settled, _) = played(|_| 0);
        let (schedule, left): (Vec<ScheduledGame>, _) = (schedule().iter().collect(), &settled.left);
        let convicted = schedule[5].seats.values()[0];
        assert_eq!(left[&convicted].from, 5);
        for game in &schedule {
            let from = |entrant: &usize| left.get(entrant).is_some_and(|left| left.from < game.number);
            let expected = game.seats.values().iter().any(from) || matches!(game.number, 5 | 9 | 20);
            assert_eq!(settled.fate(game.number) == Some(Fate::Void), expected, "game {}", game.number);
        }
    }
}
