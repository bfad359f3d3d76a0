//! The order of entrants: by the format's criteria, then by tie-breaks. Entrants that are equal in all of them share a
//! rank.

use std::cmp::Reverse;

use crate::Entrant;
use crate::standings::{Column, Rank, Value};

/// A criterion between otherwise equal entrants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// The sum of the opponents' points.
    Buchholz,
    /// The opponents' points, each multiplied by the score against that opponent.
    SonnebornBerger,
    /// Points from the games between those whom nothing before it told apart, if all of these have met.
    HeadToHead,
}

impl TieBreak {
    /// All of them, in the default order of a Swiss tournament.
    pub const ALL: [TieBreak; 3] = [TieBreak::Buchholz, TieBreak::SonnebornBerger, TieBreak::HeadToHead];

    /// Its name in definitions.
    pub fn name(self) -> &'static str {
        match self {
            TieBreak::Buchholz => "buchholz",
            TieBreak::SonnebornBerger => "sonneborn-berger",
            TieBreak::HeadToHead => "head-to-head",
        }
    }

    fn column(self) -> Column {
        let column = match self {
            TieBreak::Buchholz => Column::new("buchholz", "Buchholz").in_text(2, 8),
            TieBreak::SonnebornBerger => Column::new("sonneborn_berger", "S.-B.").in_text(2, 8),
            TieBreak::HeadToHead => Column::new("head_to_head", "h2h").in_text(2, 5),
        };
        column.in_json().in_csv()
    }
}

/// Tie-breaks in the order of their use, each at most once.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TieBreaks([Option<TieBreak>; TieBreak::ALL.len()]);

impl TieBreaks {
    /// These tie-breaks, in this order; `None` if one is repeated.
    pub fn new(tie_breaks: &[TieBreak]) -> Option<TieBreaks> {
        let mut places = [None; TieBreak::ALL.len()];
        for (number, one) in tie_breaks.iter().enumerate() {
            if tie_breaks[..number].contains(one) {
                return None;
            }
            *places.get_mut(number)? = Some(*one);
        }
        Some(TieBreaks(places))
    }

    /// The tie-breaks in order.
    pub fn iter(&self) -> impl Iterator<Item = TieBreak> {
        self.0.into_iter().flatten()
    }

    /// A column for each, with the value by which every entrant was ranked.
    pub(crate) fn columns(&self, ranking: &Ranking) -> Vec<(Column, Vec<Value>)> {
        let of = |(one, values): (TieBreak, &Vec<Option<u64>>)| {
            let value = |value: &Option<u64>| match (value, one) {
                (None, _) => Value::Nothing,
                (Some(quarters), TieBreak::SonnebornBerger) => Value::QuarterPoints(*quarters),
                (Some(half_points), _) => Value::Points(*half_points as u32),
            };
            (one.column(), values.iter().map(value).collect())
        };
        self.iter().zip(&ranking.broken_by).map(of).collect()
    }
}

/// The input of tie-breaks: meetings and their results, in half points.
pub(crate) struct Bouts {
    /// By entrant: the points it is ranked by.
    pub(crate) points: Vec<u32>,
    /// By entrant: its opponents, and its score against each.
    pub(crate) met: Vec<Vec<(usize, u32)>>,
    /// By entrant: its score in each round in which it played no game. As in chess, such a round counts as one against
    /// an opponent with the entrant's own points. Source: FIDE Handbook C.07, article 16.4.
    pub(crate) unplayed: Vec<Vec<u32>>,
}

impl Bouts {
    /// The value of a tie-break for each of a group that is level so far: in half points, for Sonneborn-Berger in
    /// quarters. `None` if it does not apply.
    fn values(&self, tie_break: TieBreak, level: &[usize]) -> Vec<Option<u64>> {
        match tie_break {
            TieBreak::HeadToHead if !self.have_all_met(level) => vec![None; level.len()],
            _ => level.iter().map(|entrant| Some(self.value(tie_break, *entrant, level))).collect(),
        }
    }

    fn value(&self, tie_break: TieBreak, entrant: usize, level: &[usize]) -> u64 {
        let (met, own) = (self.met[entrant].iter(), u64::from(self.points[entrant]));
        let of = |other: &usize| u64::from(self.points[*other]);
        match tie_break {
            TieBreak::Buchholz => {
                met.map(|(other, _)| of(other)).sum::<u64>() + own * self.unplayed[entrant].len() as u64
            }
            TieBreak::SonnebornBerger => {
                let unplayed: u64 = self.unplayed[entrant].iter().map(|scored| own * u64::from(*scored)).sum();
                met.map(|(other, scored)| of(other) * u64::from(*scored)).sum::<u64>() + unplayed
            }
            TieBreak::HeadToHead => {
                met.filter(|(other, _)| level.contains(other)).map(|(_, scored)| u64::from(*scored)).sum()
            }
        }
    }

    /// Whether each of several entrants has met each other one.
    fn have_all_met(&self, level: &[usize]) -> bool {
        let met = |one: usize, other: usize| self.met[one].iter().any(|(known, _)| *known == other);
        level.len() > 1 && level.iter().all(|one| level.iter().all(|other| one == other || met(*one, *other)))
    }
}

/// Entrants in their order.
pub(crate) struct Ranking {
    /// Tied entrants form a group, in order of their names.
    groups: Vec<Vec<usize>>,
    /// Entrants that have no place, in order of their names.
    unplaced: Vec<usize>,
    /// By tie-break, by entrant: the value that ranked it; `None` where the tie-break did not apply.
    broken_by: Vec<Vec<Option<u64>>>,
}

impl Ranking {
    /// A ranking by a key, the smallest first; those without a key have no place.
    pub(crate) fn by<K: Ord>(entrants: &[Entrant], key: impl Fn(usize) -> Option<K>) -> Ranking {
        let (placed, unplaced) = (0..entrants.len()).partition(|entrant| key(*entrant).is_some());
        let unplaced = split(entrants, unplaced, &|_| ()).concat();
        Ranking { groups: split(entrants, placed, &key), unplaced, broken_by: Vec::new() }
    }

    /// The ranking with ties broken by tie-breaks, one after the other.
    pub(crate) fn broken(self, entrants: &[Entrant], tie_breaks: &TieBreaks, bouts: &Bouts) -> Ranking {
        let Ranking { mut groups, unplaced, mut broken_by } = self;
        for one in tie_breaks.iter() {
            let mut values = vec![None; entrants.len()];
            for group in groups.iter().map(|group| &group[..]).chain(unplaced.chunks(1)) {
                let of_group = bouts.values(one, group);
                group.iter().zip(of_group).for_each(|(entrant, value)| values[*entrant] = value);
            }
            let parts =
                groups.into_iter().flat_map(|group| split(entrants, group, &|entrant| Reverse(values[entrant])));
            groups = parts.collect();
            broken_by.push(values);
        }
        Ranking { groups, unplaced, broken_by }
    }

    /// The entrants, best first, each with its rank; those without a place at the end.
    pub(crate) fn places(&self) -> impl Iterator<Item = (Rank, usize)> {
        let above = self.groups.iter().scan(0, |above, group| {
            let rank = *above + 1;
            *above += group.len();
            Some((Rank(Some(rank)), group))
        });
        let placed = above.flat_map(|(rank, group)| group.iter().map(move |entrant| (rank, *entrant)));
        placed.chain(self.unplaced.iter().map(|entrant| (Rank(None), *entrant)))
    }
}

/// A group split by a key; those with equal keys stay together, by name.
fn split<K: Ord>(entrants: &[Entrant], mut group: Vec<usize>, key: &impl Fn(usize) -> K) -> Vec<Vec<usize>> {
    group.sort_by_cached_key(|entrant| (key(*entrant), entrants[*entrant].name.clone()));
    group.chunk_by(|one, other| key(*one) == key(*other)).map(<[usize]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Trials, entrants};

    /// Four entrants who met each other once: a won and b won against d; c beat a; b beat c; a drew b; c drew d.
    fn bouts() -> Bouts {
        let met = vec![
            vec![(1, 1), (2, 0), (3, 2)],
            vec![(0, 1), (2, 2), (3, 2)],
            vec![(0, 2), (1, 0), (3, 1)],
            vec![(0, 0), (1, 0), (2, 1)],
        ];
        let points = met.iter().map(|met| met.iter().map(|(_, scored)| scored).sum()).collect();
        Bouts { points, met, unplayed: vec![Vec::new(); 4] }
    }

    #[test]
    fn tie_breaks_are_what_they_are_called() {
        let bouts = bouts();
        assert_eq!(bouts.points, [3, 5, 3, 1]);
        // Computed by hand, in half points (quarters for Sonneborn-Berger): b 5, a and c 3, d 1.
        for (one, wanted) in
            [(TieBreak::Buchholz, [9, 7, 9, 11]), (TieBreak::SonnebornBerger, [5 + 2, 3 + 6 + 2, 6 + 1, 3])]
        {
            let values: Vec<u64> = (0..4).map(|entrant| bouts.value(one, entrant, &[])).collect();
            assert_eq!(values, wanted, "{one:?}");
        }
        assert_eq!(bouts.value(TieBreak::HeadToHead, 0, &[0, 2]), 0);
        assert_eq!(bouts.value(TieBreak::HeadToHead, 2, &[0, 2]), 2);
    }

    #[test]
    fn other_programs_and_published_examples_have_the_same_tie_breaks() {
        // Source: lichess, scalachess, TiebreakersTest.scala: five players, a to e, by half points in rows. It has
        // Buchholz 7.5 and Sonneborn-Berger 4.0 of a, Buchholz 8.125 in the mean of a's opponents, and between a and d
        // 0 and 1 by direct encounter.
        let lichess = [[0, 2, 1, 0, 2], [0, 0, 2, 1, 0], [1, 0, 0, 2, 1], [2, 1, 0, 0, 2], [0, 2, 1, 0, 0]];
        let bouts = of_table(&lichess);
        let value = |one, entrant, level: &[usize]| bouts.value(one, entrant, level);
        assert_eq!(bouts.points, [5, 3, 4, 5, 3]);
        assert_eq!([TieBreak::Buchholz, TieBreak::SonnebornBerger].map(|one| value(one, 0, &[])), [15, 16]);
        assert_eq!((1..5).map(|other| value(TieBreak::Buchholz, other, &[])).sum::<u64>(), 4 * 8 * 2 + 1);
        assert_eq!([0, 3].map(|one| value(TieBreak::HeadToHead, one, &[0, 3])), [0, 2]);
        // Source: fiveinline.com/sbps.html, example 1: a double round robin of four, with Sonneborn-Berger 11, 9, 6 and
        // 4.
        let bouts = of_table(&[[0, 2, 4, 2], [2, 0, 2, 4], [0, 2, 0, 4], [2, 0, 0, 0]]);
        let quarters: Vec<u64> = (0..4).map(|entrant| bouts.value(TieBreak::SonnebornBerger, entrant, &[])).collect();
        assert_eq!((bouts.points, quarters), (vec![8, 8, 6, 2], vec![44, 36, 24, 16]));
    }

    /// The bouts of a round robin, from the half points of each entrant (a row) against each other.
    fn of_table<const N: usize>(table: &[[u32; N]; N]) -> Bouts {
        let met = |(own, row): (usize, &[u32; N])| {
            row.iter().copied().enumerate().filter(|(other, _)| *other != own).collect::<Vec<_>>()
        };
        Bouts {
            points: table.iter().map(|row| row.iter().sum()).collect(),
            met: table.iter().enumerate().map(met).collect(),
            unplayed: vec![Vec::new(); N],
        }
    }

    #[test]
    fn who_is_level_shares_a_rank_until_a_tie_break_tells_them_apart() {
        let (names, bouts) = (entrants(4), bouts());
        let ranks = |tie_breaks: &[TieBreak]| {
            let tie_breaks = TieBreaks::new(tie_breaks).expect("each once");
            let level = Ranking::by(&names, |entrant| Some(Reverse(bouts.points[entrant])));
            let places = level.broken(&names, &tie_breaks, &bouts);
            places.places().map(|(rank, entrant)| (rank.0.unwrap_or(0), entrant)).collect::<Vec<_>>()
        };
        assert_eq!(ranks(&[]), [(1, 1), (2, 0), (2, 2), (4, 3)]);
        assert_eq!(ranks(&[TieBreak::Buchholz, TieBreak::SonnebornBerger]), ranks(&[]));
        assert_eq!(ranks(&[TieBreak::Buchholz, TieBreak::HeadToHead]), [(1, 1), (2, 2), (3, 0), (4, 3)]);
        assert_eq!(TieBreaks::new(&[TieBreak::Buchholz, TieBreak::Buchholz]), None);
    }

    #[test]
    fn a_round_without_a_game_counts_as_one_against_an_opponent_with_ones_own_points() {
        // The first has a bye, the second a bye and a round that it missed.
        let met = vec![vec![(1, 2)], vec![(0, 0)]];
        let bouts = Bouts { points: vec![4, 2], met, unplayed: vec![vec![2], vec![2, 0]] };
        let values = |one| [0, 1].map(|entrant| bouts.value(one, entrant, &[]));
        assert_eq!(values(TieBreak::Buchholz), [2 + 4, 4 + 2 + 2]);
        assert_eq!(values(TieBreak::SonnebornBerger), [2 * 2 + 4 * 2, 2 * 2]);
    }

    #[test]
    fn head_to_head_is_asked_only_of_those_still_level_who_have_all_met() {
        // All have three points. Buchholz leaves a and b level, who met, and c, d and e, of whom c and d did not.
        let points = vec![6, 6, 6, 6, 6, 9, 8, 8];
        let met = vec![
            vec![(1, 0), (5, 2)],
            vec![(0, 2), (5, 2)],
            vec![(4, 2), (6, 1)],
            vec![(4, 1), (7, 2)],
            vec![(2, 0), (3, 1)],
            vec![(0, 0), (1, 0)],
            vec![(2, 1)],
            vec![(3, 0)],
        ];
        let bouts = Bouts { points, met, unplayed: vec![Vec::new(); 8] };
        let (names, tie_breaks) = (entrants(8), [TieBreak::Buchholz, TieBreak::HeadToHead]);
        let tie_breaks = TieBreaks::new(&tie_breaks).expect("each once");
        // The fifth has no place.
        let level = Ranking::by(&names, |entrant| (entrant != 4).then_some(Reverse(bouts.points[entrant])));
        let ranking = level.broken(&names, &tie_breaks, &bouts);
        let places: Vec<(String, usize)> =
            ranking.places().map(|(rank, entrant)| (rank.to_string(), entrant)).collect();
        let wanted = [("1", 5), ("2", 6), ("2", 7), ("4", 1), ("5", 0), ("6", 2), ("6", 3), ("–", 4)];
        assert_eq!(places, wanted.map(|(rank, entrant)| (rank.to_string(), entrant)));
        let columns = tie_breaks.columns(&ranking);
        let shown = |entrant: usize| columns[1].1[entrant].to_string();
        assert_eq!([0, 1, 2, 3, 4, 5].map(shown), ["0.0", "1.0", "", "", "", ""]);
    }

    #[test]
    fn the_printed_values_are_those_that_rank() {
        let trials = Trials::new(300, 5);
        let mut rng = trials.rng(1);
        for _ in 0..trials.count {
            let count = 3 + rng.below(8) as usize;
            let mut met = vec![Vec::new(); count];
            for one in 0..count {
                for other in one + 1..count {
                    if rng.below(3) > 0 {
                        let scored = rng.below(3);
                        met[one].push((other, scored));
                        met[other].push((one, 2 - scored));
                    }
                }
            }
            let byes = (0..count).map(|_| vec![2; rng.below(2) as usize]);
            let unplayed: Vec<Vec<u32>> = byes.collect();
            let own = |(met, unplayed): (&Vec<(usize, u32)>, &Vec<u32>)| {
                met.iter().map(|(_, scored)| scored).chain(unplayed).sum()
            };
            let bouts = Bouts { points: met.iter().zip(&unplayed).map(own).collect(), met, unplayed };
            let (names, mut order) = (entrants(count), TieBreak::ALL);
            rng.shuffle(&mut order);
            let tie_breaks = TieBreaks::new(&order).expect("each once");
            let level = Ranking::by(&names, |entrant| Some(Reverse(bouts.points[entrant])));
            let ranking = level.broken(&names, &tie_breaks, &bouts);
            let key = |entrant: usize| {
                (bouts.points[entrant], ranking.broken_by.iter().map(|by| by[entrant]).collect::<Vec<_>>())
            };
            let places: Vec<(Rank, usize)> = ranking.places().collect();
            for pair in places.windows(2) {
                let [(rank, one), (next, other)] = pair else { panic!("two") };
                assert_eq!(rank == next, key(*one) == key(*other), "{places:?}");
                assert!(key(*one) >= key(*other), "{places:?}");
            }
        }
    }
}
