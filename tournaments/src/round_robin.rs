//! Each against each: pairs of two-seat games by the circle method, and the standings by rating.

mod fairness;
mod scores;

use arena_record::EntrantId;
use arena_rules::{BySeat, Seed};
use sha2::{Digest, Sha256};

use crate::format::ROUND_ROBIN;
use crate::{Entrant, Format, ScheduledGame, Settled, Stage, Standings};

pub use fairness::{EntrantSeats, Fairness, FirstSeat, Repeats, Seeds, fairness};
use scores::Scores;

/// Sets these hashes apart from all others.
const TAG: &[u8] = b"arena/game-seed/1";

/// Each against each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundRobin {
    /// What all games' seeds are derived from.
    pub seed: u64,
    /// Pairs of games per pairing.
    pub pairs: u32,
}

impl RoundRobin {
    /// All games: rounds in which everybody plays at most once, every pairing in exactly one of them, and in each pairing
    /// pairs of games with the seats exchanged.
    pub fn games(self, entrants: &[Entrant]) -> Vec<ScheduledGame> {
        let mut games = Vec::new();
        let mut pairing = 0;
        for (round, pairings) in circle(entrants.len()).into_iter().enumerate() {
            for (home, away) in pairings {
                for pair in 0..self.pairs {
                    let seed = game_seed(self.seed, &entrants[home].id, &entrants[away].id, pair);
                    for seats in [[home, away], [away, home]] {
                        let (number, seats) = (games.len(), BySeat::from(seats));
                        let stage = Stage::Main;
                        games.push(ScheduledGame { number, round, pairing, pair, stage, seats, seed });
                    }
                }
                pairing += 1;
            }
        }
        games
    }
}

impl Format for RoundRobin {
    fn name(&self) -> &'static str {
        ROUND_ROBIN
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn next(&self, entrants: &[Entrant], settled: &Settled) -> Vec<ScheduledGame> {
        if settled.is_empty() { self.games(entrants) } else { Vec::new() }
    }

    fn games_max(&self, entrants: usize) -> usize {
        entrants * entrants.saturating_sub(1) * self.pairs as usize
    }

    /// Ranked by rating, then points, then name. Of games that are one game only the first counts.
    fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings {
        Scores::of(entrants, settled).standings(entrants)
    }

    fn reports(&self, entrants: &[Entrant], settled: &Settled) -> Vec<(&'static str, String)> {
        let fairness = fairness(entrants, settled);
        vec![("fairness.json", fairness.to_json()), ("fairness.txt", fairness.to_text())]
    }
}

/// The pairings of each round. The first entrant (or, for an odd number, the bye) stays, the others turn around it.
fn circle(entrants: usize) -> Vec<Vec<(usize, usize)>> {
    let places = entrants + entrants % 2;
    let mut ring: Vec<usize> = (1..places).collect();
    let mut rounds = Vec::new();
    for round in 0..places.saturating_sub(1) {
        let opposite = (0..places / 2).map(|place| {
            let other = if place == 0 { 0 } else { ring[place - 1] };
            let across = ring[places - 2 - place];
            // The fixed place changes sides from round to round, so that nobody is always named first.
            if place == 0 && round % 2 == 1 { (across, other) } else { (other, across) }
        });
        rounds.push(opposite.filter(|(a, b)| *a < entrants && *b < entrants).collect());
        ring.rotate_right(1);
    }
    rounds
}

/// The seed of a pair: it depends on the tournament's seed, the two entrants and the pair's number, and on nothing else.
fn game_seed(seed: u64, a: &EntrantId, b: &EntrantId, pair: u32) -> Seed {
    let mut ids = [a.as_str(), b.as_str()];
    ids.sort_unstable();
    let mut hasher = Sha256::new();
    hasher.update(TAG);
    hasher.update(seed.to_le_bytes());
    for id in ids {
        hasher.update((id.len() as u32).to_le_bytes());
        hasher.update(id);
    }
    hasher.update(pair.to_le_bytes());
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn schedule(seed: u64, entrants: &[Entrant], pairs: u32) -> Vec<ScheduledGame> {
        RoundRobin { seed, pairs }.games(entrants)
    }

    fn entrants(count: usize) -> Vec<Entrant> {
        let make = |number: usize| {
            let name = format!("bot{number}");
            Entrant { id: EntrantId::of_bytes(name.as_bytes()), name }
        };
        (0..count).map(make).collect()
    }

    #[test]
    fn everybody_meets_everybody_once_and_nobody_twice_in_a_round() {
        for count in 2..=13 {
            let rounds = circle(count);
            assert_eq!(rounds.len(), count - 1 + count % 2);
            let mut met = BTreeSet::new();
            for pairings in &rounds {
                let players: BTreeSet<usize> = pairings.iter().flat_map(|(a, b)| [*a, *b]).collect();
                assert_eq!(players.len(), 2 * (count / 2), "{count} entrants");
                for (a, b) in pairings {
                    assert!(met.insert((a.min(b), a.max(b))));
                }
            }
            assert_eq!(met.len(), count * (count - 1) / 2);
        }
    }

    #[test]
    fn seats_are_balanced_and_a_pair_shares_its_seed() {
        let games = schedule(5, &entrants(7), 3);
        assert_eq!(games.len(), 21 * 3 * 2);
        let mut first: BTreeMap<usize, usize> = BTreeMap::new();
        for (number, pair) in games.chunks(2).enumerate() {
            let [one, two] = pair else { panic!("an odd number of games") };
            assert_eq!((one.number, two.number), (2 * number, 2 * number + 1));
            assert_eq!(one.seed, two.seed);
            assert_eq!(
                one.seats.values().iter().rev().collect::<Vec<_>>(),
                two.seats.values().iter().collect::<Vec<_>>()
            );
            for game in pair {
                *first.entry(game.seats.values()[0]).or_default() += 1;
            }
        }
        assert!(first.values().all(|games| *games == 6 * 3), "{first:?}");
        let seeds: BTreeSet<_> = games.iter().map(|game| game.seed).collect();
        assert_eq!(seeds.len(), 21 * 3);
    }

    #[test]
    fn a_pairing_keeps_its_seeds_whoever_else_plays() {
        let seeds = |games: Vec<ScheduledGame>, names: &[Entrant]| {
            let id = |entrant: usize| names[entrant].id.clone();
            let wanted: BTreeSet<EntrantId> = entrants(2).into_iter().map(|entrant| entrant.id).collect();
            let meets =
                |game: &&ScheduledGame| game.seats.values().iter().map(|e| id(*e)).collect::<BTreeSet<_>>() == wanted;
            games.iter().filter(meets).map(|game| game.seed).collect::<Vec<_>>()
        };
        let two = seeds(schedule(9, &entrants(2), 4), &entrants(2));
        let mut six = entrants(6);
        six.reverse();
        assert_eq!(two.len(), 8);
        assert_eq!(two, seeds(schedule(9, &six, 4), &six));
        assert_ne!(two, seeds(schedule(8, &six, 4), &six));
    }

    #[test]
    fn seeds_are_what_anybody_computes() {
        // Source: the documented bytes through another SHA-256.
        let [easy, hard] = ["easy", "hard"].map(|tier| EntrantId::of_baseline(tier, 1));
        let seed = arena_record::Hex(game_seed(2026, &hard, &easy, 3)).to_string();
        assert_eq!(seed, "f108589cea74c5514b61af46e07ba4b051727a5521428a053c35f809222e3544");
    }

    #[test]
    fn everything_is_said_in_one_round() {
        let (names, format) = (entrants(5), RoundRobin { seed: 3, pairs: 2 });
        let all = format.next(&names, &Settled::default());
        assert_eq!((all.len(), &all), (format.games_max(5), &format.games(&names)));
        let void = |game| crate::SettledGame { game, result: None };
        let settled: Settled = all.into_iter().map(void).collect();
        assert_eq!(format.next(&names, &settled), []);
    }
}
