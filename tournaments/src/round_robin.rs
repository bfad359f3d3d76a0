//! Round robins: pairs of two-seat games by the circle method or by the Berger tables, and the standings by rating.

use crate::format::{Format, ROUND_ROBIN};
use crate::meetings::Draft;
use crate::ranking::TieBreaks;
use crate::scores::Scores;
use crate::stop::Stop;
use crate::{Entrant, Schedule, Settled, Standings};

/// A round robin: each entrant meets each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundRobin {
    /// The seed from which all games' seeds are derived.
    pub seed: u64,
    /// Pairs of games per pairing.
    pub pairs: u32,
    /// How often each entrant meets each other: once in a single round robin, twice in a double one.
    pub cycles: u32,
    /// The order of the pairings.
    pub table: Table,
    /// Tie-breaks between equal ratings and points.
    pub tie_breaks: TieBreaks,
    /// When to stop repeating the whole schedule.
    pub stop: Option<Stop>,
}

/// The order in which entrants meet.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Table {
    /// The circle method: the first entrant is fixed, the others rotate.
    #[default]
    Circle,
    /// The Berger tables of chess. Source: FIDE Handbook C.05, annex 1.
    Berger,
}

impl RoundRobin {
    /// A single round robin, by the circle method.
    pub fn new(seed: u64, pairs: u32) -> RoundRobin {
        let (table, tie_breaks) = (Table::Circle, TieBreaks::default());
        RoundRobin { seed, pairs, cycles: 1, table, tie_breaks, stop: None }
    }

    /// All games up to the first decision about a stop: rounds in which each entrant plays at most once, with every
    /// pairing in exactly one round of each cycle, and in each pairing pairs of games with the seats swapped.
    pub fn games(self, entrants: &[Entrant]) -> Schedule {
        self.behind(entrants, &Settled::default(), |_| true)
    }

    /// The same pairings once more, or the wanted ones, after the games so far.
    fn behind(self, entrants: &[Entrant], settled: &Settled, is_wanted: impl Fn([usize; 2]) -> bool) -> Schedule {
        let mut draft = Draft::behind(settled, self.seed, entrants);
        let last = settled.last();
        let (mut round, mut pairing) = last.map_or((0, 0), |game| (game.round + 1, game.pairing + 1));
        for cycle in 0..self.cycles {
            for mut pairings in self.table.rounds(entrants.len()) {
                pairings.retain(|pair| is_wanted(*pair));
                if pairings.is_empty() {
                    continue;
                }
                for [home, away] in pairings {
                    draft.add(round, pairing, if cycle % 2 == 0 { [home, away] } else { [away, home] }, self.pairs);
                    pairing += 1;
                }
                round += 1;
            }
        }
        draft.games()
    }

    /// The number of pairs that an entrant plays between decisions about a stop.
    fn pairs_each(&self, entrants: usize) -> u32 {
        u32::try_from(entrants.saturating_sub(1))
            .unwrap_or(u32::MAX)
            .saturating_mul(self.cycles)
            .saturating_mul(self.pairs)
    }
}

impl Format for RoundRobin {
    fn name(&self) -> &'static str {
        ROUND_ROBIN
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn next(&self, entrants: &[Entrant], settled: &Settled) -> Schedule {
        let played = Draft::behind(settled, self.seed, entrants);
        let missing = self.behind(entrants, settled, |pair| played.is_missing(pair, settled));
        match self.stop {
            _ if !missing.is_empty() => missing,
            Some(stop) if stop.continues(&Scores::of(entrants, settled), settled, self.pairs_each(entrants.len())) => {
                self.behind(entrants, settled, |_| true)
            }
            _ => missing,
        }
    }

    fn last_entry(&self) -> Option<usize> {
        None
    }

    fn games_max(&self, entrants: usize) -> usize {
        let once = entrants * entrants.saturating_sub(1) * self.cycles as usize * self.pairs as usize;
        once * self.stop.map_or(1, |stop| stop.repeats_max(self.pairs_each(entrants)))
    }

    /// Ranked by rating, then points, then the tie-breaks. Repeated games count once.
    fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings {
        let scores = Scores::of(entrants, settled);
        let ranking = scores.ranking(entrants).broken(entrants, &self.tie_breaks, &scores.bouts());
        let more = self.tie_breaks.columns(&ranking);
        let crosstable = Some(scores.crosstable(&ranking));
        Standings { crosstable, ..scores.standings(entrants, &ranking, more) }
    }
}

impl Table {
    /// The pairings of each round; the entrant with the first seat in the first game comes first.
    fn rounds(self, entrants: usize) -> Vec<Vec<[usize; 2]>> {
        match self {
            Table::Circle => circle(entrants),
            Table::Berger => berger(entrants),
        }
    }
}

/// The last entrant (or, for an odd number, the bye) is fixed and meets each other in turn. Source: FIDE Handbook C.05,
/// annex 1.
fn berger(entrants: usize) -> Vec<Vec<[usize; 2]>> {
    let places = entrants + entrants % 2;
    let (fixed, turning) = (places.saturating_sub(1), places.saturating_sub(1));
    let round = |round: usize| {
        let met = round * (places / 2) % turning;
        let first = if round.is_multiple_of(2) { [met, fixed] } else { [fixed, met] };
        let others = (1..places / 2).map(|step| [(met + step) % turning, (met + turning - step) % turning]);
        std::iter::once(first).chain(others).filter(|pair| pair.iter().all(|one| *one < entrants)).collect()
    };
    (0..turning).map(round).collect()
}

/// The pairings of each round. The first entrant (or, for an odd number, the bye) is fixed, the others rotate.
fn circle(entrants: usize) -> Vec<Vec<[usize; 2]>> {
    let places = entrants + entrants % 2;
    let mut ring: Vec<usize> = (1..places).collect();
    let mut rounds = Vec::new();
    for round in 0..places.saturating_sub(1) {
        let opposite = (0..places / 2).map(|place| {
            let other = if place == 0 { 0 } else { ring[place - 1] };
            let across = ring[places - 2 - place];
            // The fixed entrant's side alternates between rounds, so that it is not always named first.
            if place == 0 && round % 2 == 1 { [across, other] } else { [other, across] }
        });
        rounds.push(opposite.filter(|pair| pair.iter().all(|one| *one < entrants)).collect());
        ring.rotate_right(1);
    }
    rounds
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::testing::{by_strength, entrants, play};
    use crate::{Rating, ScheduledGame};
    use arena_record::EntrantId;
    use arena_rules::Rng;

    fn schedule(seed: u64, entrants: &[Entrant], pairs: u32) -> Vec<ScheduledGame> {
        RoundRobin::new(seed, pairs).games(entrants).iter().collect()
    }

    #[test]
    fn everybody_meets_everybody_once_and_nobody_twice_in_a_round() {
        for (count, table) in (2..=13).flat_map(|count| [(count, Table::Circle), (count, Table::Berger)]) {
            let rounds = table.rounds(count);
            assert_eq!(rounds.len(), count - 1 + count % 2);
            let mut met = BTreeSet::new();
            for pairings in &rounds {
                let players: BTreeSet<usize> = pairings.iter().flatten().copied().collect();
                assert_eq!(players.len(), 2 * (count / 2), "{count} entrants");
                for [a, b] in pairings {
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
    fn a_pairing_keeps_its_seeds_in_any_company() {
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
    fn everything_is_said_in_one_round() {
        let (names, format) = (entrants(5), RoundRobin::new(3, 2));
        let all = format.next(&names, &Settled::default());
        assert_eq!((all.len(), &all), (format.games_max(5), &format.games(&names)));
        let void = |game| crate::SettledGame { game, result: None };
        let settled: Settled = all.iter().map(void).collect();
        assert!(format.next(&names, &settled).is_empty());
    }

    #[test]
    fn berger_tables_are_those_of_chess() {
        // Source: FIDE Handbook C.05, annex 1, tables for 3 or 4, 5 or 6 and 7 or 8 players.
        let told = |count: usize| -> Vec<String> {
            let pairs = |pairs: &Vec<[usize; 2]>| {
                pairs.iter().map(|[a, b]| format!("{}-{}", a + 1, b + 1)).collect::<Vec<_>>().join(" ")
            };
            berger(count).iter().map(pairs).collect()
        };
        assert_eq!(told(4), ["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
        assert_eq!(told(6), ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]);
        assert_eq!(told(8)[..3], ["1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6"]);
        assert_eq!(told(3), ["2-3", "1-2", "3-1"]);
    }

    #[test]
    fn a_double_round_robin_exchanges_the_seats_and_goes_on_with_the_seeds() {
        let names = entrants(5);
        let (single, double) =
            (schedule(5, &names, 2), RoundRobin { cycles: 2, ..RoundRobin::new(5, 2) }.games(&names));
        let double: Vec<ScheduledGame> = double.iter().collect();
        assert_eq!(single, double[..single.len()]);
        let seeds: BTreeSet<_> = double.iter().map(|game| game.seed).collect();
        assert_eq!((double.len(), seeds.len()), (2 * single.len(), single.len()));
        for (one, other) in single.iter().zip(&double[single.len()..]) {
            let (one, other) = (one.seats.values(), other.seats.values());
            assert!(one[0] == other[1] && one[1] == other[0]);
        }
        assert_eq!(double[0].pair + 2, double[single.len()].pair);
    }

    #[test]
    fn it_is_played_again_until_ratings_are_known_well_enough() {
        let names = entrants(4);
        let played = |within| {
            let stop = Stop { top: 0, confidence_per_mille: 950, within: Some(within), max_pairs: 400 };
            let format = RoundRobin { stop: Some(stop), ..RoundRobin::new(5, 5) };
            let settled = play(&format, &names, by_strength(&mut Rng::new(&[6; 32], 3), 0.3));
            let standings = format.standings(&names, &settled);
            let reach = |row: &crate::Row| match standings.value(row, "rating") {
                Some(crate::Value::Rating(Rating::Estimate { tenths, low, high })) => (tenths - low).max(high - tenths),
                other => panic!("{other:?}"),
            };
            (settled.len(), format.games_max(4), standings.rows.iter().map(reach).max().expect("four rows"))
        };
        let (games, most, reach) = played(60);
        assert!(60 < games && games < most && reach <= 600, "{games} of {most}: {reach}");
        let (games, most, reach) = played(5);
        assert!(games == most && reach > 50, "{games} of {most}: {reach}");
    }
}
