//! Pairings: the results of their games, and games for new ones.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::EntrantId;
use arena_rules::{BySeat, Seat, Seed};
use sha2::{Digest, Sha256};

use crate::bots::Bots;
use crate::{Entrant, Schedule, ScheduledGame, Settled, Stage};

/// Separates these hashes from all others.
const TAG: &[u8] = b"arena/game-seed/1";

/// A pairing, and the results of its games so far. Games that its entrants repeated count once.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    pub(crate) round: usize,
    pub(crate) pairing: usize,
    /// The two entrants; the first one had the first seat in the first game.
    pub(crate) entrants: [usize; 2],
    /// Half points of each in the games that count.
    pub(crate) half_points: [u32; 2],
    /// Games that are settled.
    pub(crate) settled: u32,
    /// Games that count, repeated ones included.
    pub(crate) played: u32,
    /// The number of the first of them.
    pub(crate) first: usize,
    /// The number of the last of them.
    pub(crate) last: usize,
}

/// The pairings, in the order of the schedule.
pub(crate) fn meetings(settled: &Settled) -> Vec<Meeting> {
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    let mut found: Vec<Meeting> = Vec::new();
    let mut seen = BTreeSet::new();
    for one in settled.games() {
        let [first, second] = *one.game.seats.values() else { continue };
        let place = *places.entry(one.game.pairing).or_insert_with(|| {
            let (round, pairing) = (one.game.round, one.game.pairing);
            let entrants = [first, second];
            let number = one.game.number;
            found.push(Meeting {
                round,
                pairing,
                entrants,
                half_points: [0; 2],
                settled: 0,
                played: 0,
                first: number,
                last: number,
            });
            found.len() - 1
        });
        let meeting = &mut found[place];
        meeting.settled += 1;
        meeting.played += u32::from(one.result.is_some());
        meeting.last = one.game.number;
        let Some(result) = one.result.as_ref().filter(|result| seen.insert((first, second, result.digest))) else {
            continue;
        };
        for (entrant, seat) in [(first, Seat(0)), (second, Seat(1))] {
            let side = usize::from(entrant != meeting.entrants[0]);
            meeting.half_points[side] += result.winner.map_or(1, |winner| 2 * u32::from(winner == seat));
        }
    }
    found
}

/// The entrants that have a bye in a round that is over: they were there when it began, and sit in none of its
/// meetings. Nobody before.
pub(crate) fn without_a_game(round: &[Meeting], entrants: usize, settled: &Settled) -> Vec<usize> {
    let Some(first) = round.iter().map(|meeting| meeting.first).min() else { return Vec::new() };
    let is_over = settled.is_over(round[0].round);
    let sits = |entrant: &usize| round.iter().any(|meeting| meeting.entrants.contains(entrant));
    (0..entrants).filter(|one| is_over && settled.was_there(*one, first) && !sits(one)).collect()
}

impl Meeting {
    /// Half points of each for the match: two for winning it, one for a level one. An entrant removed by its last game
    /// has none, and the other one two, unless it was removed, too.
    pub(crate) fn half_points_of_match(&self, settled: &Settled) -> [u32; 2] {
        let [one, other] = self.half_points;
        match self.entrants.map(|entrant| settled.is_out(entrant, self.last)) {
            [true, false] => [0, 2],
            [false, true] => [2, 0],
            [true, true] => [0, 0],
            [false, false] => match one.cmp(&other) {
                std::cmp::Ordering::Less => [0, 2],
                std::cmp::Ordering::Equal => [1, 1],
                std::cmp::Ordering::Greater => [2, 0],
            },
        }
    }
}

/// Games being scheduled after the settled ones.
pub(crate) struct Draft<'a> {
    seed: u64,
    entrants: &'a [Entrant],
    bots: Bots,
    number: usize,
    /// Entrants that have met, the smaller index first.
    met: BTreeSet<[usize; 2]>,
    /// Pairs of games played between two bots, the smaller index first.
    pairs: BTreeMap<[usize; 2], u32>,
    games: Schedule,
}

impl<'a> Draft<'a> {
    pub(crate) fn behind(settled: &Settled, seed: u64, entrants: &'a [Entrant]) -> Draft<'a> {
        let (bots, number, games) = (Bots::of(entrants), settled.len(), Schedule::default());
        let (met, pairs) = (BTreeSet::new(), BTreeMap::new());
        let mut draft = Draft { seed, entrants, bots, number, met, pairs, games };
        for one in settled.games() {
            if let [first, second] = *one.game.seats.values() {
                let known = draft.pairs_of([first, second]);
                *known = (*known).max(one.game.pair + 1);
            }
        }
        draft
    }

    /// The number of pairs that two entrants, or others with their bytes, have played; from now on they have met.
    fn pairs_of(&mut self, [one, other]: [usize; 2]) -> &mut u32 {
        self.met.insert([one.min(other), one.max(other)]);
        let [one, other] = [one, other].map(|entrant| self.bots.bot(entrant));
        self.pairs.entry([one.min(other), one.max(other)]).or_default()
    }

    /// Whether two entrants have not met yet, and neither has left.
    pub(crate) fn is_missing(&self, [one, other]: [usize; 2], settled: &Settled) -> bool {
        let are_there = [one, other].iter().all(|entrant| !settled.left.contains_key(entrant));
        are_there && !self.met.contains(&[one.min(other), one.max(other)])
    }

    /// Adds pairs of games of two entrants. Their numbers continue those of earlier meetings of these bytes, and with
    /// them the seeds: nobody plays the same games again under another name.
    pub(crate) fn add(&mut self, round: usize, pairing: usize, [home, away]: [usize; 2], pairs: u32) {
        let known = *self.pairs_of([home, away]);
        self.games.reserve(pairs as usize);
        for pair in known..known + pairs {
            let seed = game_seed(self.seed, &self.entrants[home].id, &self.entrants[away].id, pair);
            for seats in [[home, away], [away, home]] {
                let (number, seats) = (self.number + self.games.len(), BySeat::from(seats));
                let stage = Stage::Main;
                self.games.push(&ScheduledGame { number, round, pairing, pair, stage, seats, seed });
            }
        }
        *self.pairs_of([home, away]) += pairs;
    }

    pub(crate) fn games(self) -> Schedule {
        self.games
    }
}

/// The seed of a pair: it depends only on the tournament's seed, the two entrants and the pair's number.
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

/// Bits drawn from a tournament's seed, to decide where nothing else does.
pub(crate) fn lot(seed: u64, tag: &[u8], of: &[usize]) -> u64 {
    let mut hasher = Sha256::new().chain_update(tag).chain_update(seed.to_le_bytes());
    for part in of {
        hasher.update((*part as u64).to_le_bytes());
    }
    let bytes: [u8; 32] = hasher.finalize().into();
    bytes[..8].iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_what_anybody_computes() {
        // Source: the documented bytes through another SHA-256.
        let [easy, hard] = ["easy", "hard"].map(|tier| EntrantId::of_baseline(tier, 1));
        let seed = arena_record::Hex(game_seed(2026, &hard, &easy, 3)).to_string();
        assert_eq!(seed, "f108589cea74c5514b61af46e07ba4b051727a5521428a053c35f809222e3544");
    }

    #[test]
    fn pairs_go_on_where_two_met_before() {
        let names: Vec<Entrant> = crate::testing::entrants(2);
        let mut draft = Draft::behind(&Settled::default(), 5, &names);
        draft.add(0, 0, [0, 1], 2);
        draft.add(1, 1, [1, 0], 1);
        let together: Vec<ScheduledGame> = draft.games().iter().collect();
        let settled: Settled = together[..4].iter().cloned().map(|game| (game, crate::testing::drawn())).collect();
        let mut draft = Draft::behind(&settled, 5, &names);
        draft.add(1, 1, [1, 0], 1);
        assert_eq!(draft.games().iter().collect::<Vec<_>>(), together[4..]);
        assert_eq!(together.iter().map(|game| game.pair).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2]);
    }
}
