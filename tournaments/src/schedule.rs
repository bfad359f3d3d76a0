//! Who plays whom, when, and with which seed.

use arena_record::EntrantId;
use arena_rules::{BySeat, Rng, Seed};
use sha2::{Digest, Sha256};

/// Sets these hashes apart from all others.
const TAG: &[u8] = b"arena/game-seed/1";
/// The same, for games of more than two seats.
const FIELD_TAG: &[u8] = b"arena/field-seed/1";
/// The same, for who sits where in them.
const DEAL_TAG: &[u8] = b"arena/field-deal/1";

/// An entrant with its bytes known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Its name in the standings.
    pub name: String,
    /// What it is.
    pub id: EntrantId,
}

/// A game of the schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Its place in the schedule, from 0.
    pub number: usize,
    /// The round of the tournament, from 0.
    pub round: usize,
    /// The pairing it belongs to, from 0 over the whole tournament.
    pub pairing: usize,
    /// The pair within the pairing, from 0. Both games of a pair have the same seed.
    pub pair: u32,
    /// Who sits where, as indices of the entrants.
    pub seats: BySeat<usize>,
    /// The game's seed.
    pub seed: Seed,
}

/// A round robin by the circle method: rounds in which everybody plays at most once, every pairing in exactly one of them,
/// and in each pairing `pairs` pairs of games with the seats exchanged.
pub fn schedule(seed: u64, entrants: &[Entrant], pairs: u32) -> Vec<ScheduledGame> {
    let mut games = Vec::new();
    let mut pairing = 0;
    for (round, pairings) in circle(entrants.len()).into_iter().enumerate() {
        for (home, away) in pairings {
            for pair in 0..pairs {
                let seed = game_seed(seed, &entrants[home].id, &entrants[away].id, pair);
                for seats in [[home, away], [away, home]] {
                    let (number, seats) = (games.len(), BySeat::from(seats));
                    games.push(ScheduledGame { number, round, pairing, pair, seats, seed });
                }
            }
            pairing += 1;
        }
    }
    games
}

/// Games of more than two seats, and after them a round robin of two-seat games, which counts only where two entrants have
/// the same score. Who plays is dealt from a shuffled deck of all entrants, so that everybody plays as often, give or take
/// one; who sits where is shuffled again. Everything is drawn from `seed`.
pub fn field_schedule(seed: u64, entrants: &[Entrant], seats: u8, games: u32, pairs: u32) -> Vec<ScheduledGame> {
    let mut deal = Rng::new(&hash(DEAL_TAG, seed, &[]), 0);
    let mut deck: Vec<usize> = Vec::new();
    let mut field = Vec::new();
    for game in 0..games {
        let mut seated: Vec<usize> = Vec::new();
        while seated.len() < seats.into() {
            match deck.iter().position(|entrant| !seated.contains(entrant)) {
                Some(place) => seated.push(deck.remove(place)),
                None if entrants.len() < seats.into() => return Vec::new(),
                None => {
                    let mut fresh: Vec<usize> = (0..entrants.len()).collect();
                    shuffle(&mut fresh, &mut deal);
                    deck.extend(fresh);
                }
            }
        }
        shuffle(&mut seated, &mut deal);
        let (number, seed) = (field.len(), hash(FIELD_TAG, seed, &game.to_le_bytes()));
        let seats = BySeat::from(seated);
        field.push(ScheduledGame { number, round: number, pairing: number, pair: 0, seats, seed });
    }
    let behind = field.len();
    let cages = schedule(seed, entrants, pairs).into_iter().map(|game| ScheduledGame {
        number: behind + game.number,
        round: behind + game.round,
        pairing: behind + game.pairing,
        ..game
    });
    field.into_iter().chain(cages).collect()
}

/// Fisher and Yates, from the end.
fn shuffle(entrants: &mut [usize], rng: &mut Rng) {
    for last in (1..entrants.len()).rev() {
        entrants.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

fn hash(tag: &[u8], seed: u64, more: &[u8]) -> Seed {
    Sha256::new().chain_update(tag).chain_update(seed.to_le_bytes()).chain_update(more).finalize().into()
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
    fn a_field_is_dealt_evenly_into_every_seat() {
        for (count, seats) in [(5, 5), (7, 5), (9, 4), (16, 16)] {
            let games = field_schedule(3, &entrants(count), seats, 700, 2);
            assert_eq!(games.len(), 700 + count * (count - 1) * 2);
            assert!(games.iter().enumerate().all(|(number, game)| game.number == number));
            let (field, cages) = games.split_at(700);
            let mut played = vec![0_usize; count];
            let mut sat: BTreeMap<(usize, usize), usize> = BTreeMap::new();
            for game in field {
                let distinct: BTreeSet<usize> = game.seats.values().iter().copied().collect();
                assert_eq!(distinct.len(), usize::from(seats));
                for (seat, entrant) in game.seats.iter() {
                    played[*entrant] += 1;
                    *sat.entry((seat.index(), *entrant)).or_default() += 1;
                }
            }
            let (least, most) = (played.iter().min().copied(), played.iter().max().copied());
            assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "{played:?}");
            // Each entrant in each seat about 700 / count times: five standard deviations.
            let expected = 700.0 / count as f64;
            let far = sat.values().find(|times| (**times as f64 - expected).abs() > 5.0 * expected.sqrt());
            assert_eq!((far, sat.len()), (None, count * usize::from(seats)));
            assert!(cages.iter().all(|game| game.seats.seats() == 2));
            let seeds: BTreeSet<_> = field.iter().map(|game| game.seed).collect();
            assert_eq!(seeds.len(), 700);
        }
        assert!(field_schedule(3, &entrants(4), 5, 10, 1).is_empty(), "too few to fill the seats");
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
}
