//! The order of entrants: by the format's criteria, then by tie-breaks. Entrants that are equal in all of them share a rank.

use std::cmp::Reverse;

use crate::Entrant;
use crate::standings::{Column, Value};

/// A criterion between otherwise equal entrants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// The sum of the opponents' points. A bye counts as an opponent with the entrant's own points.
    Buchholz,
    /// The opponents' points, each multiplied by the score against that opponent.
    SonnebornBerger,
    /// Points from the games between the tied entrants.
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

    /// A column for each, with its value for every entrant.
    pub(crate) fn columns(&self, ranking: &Ranking, bouts: &Bouts) -> Vec<(Column, Vec<Value>)> {
        let of = |one: TieBreak| {
            let values = (0..bouts.points.len()).map(|entrant| {
                let value = bouts.value(one, entrant, ranking.level_with(entrant));
                match one {
                    TieBreak::SonnebornBerger => Value::QuarterPoints(value),
                    _ => Value::Points(value as u32),
                }
            });
            (one.column(), values.collect())
        };
        self.iter().map(of).collect()
    }
}

/// The input of tie-breaks: meetings and their results, in half points.
pub(crate) struct Bouts {
    /// By entrant: the points it is ranked by.
    pub(crate) points: Vec<u32>,
    /// By entrant: its opponents, and its score against each.
    pub(crate) met: Vec<Vec<(usize, u32)>>,
    /// By entrant: the number of its byes.
    pub(crate) byes: Vec<u32>,
}

impl Bouts {
    /// The value of a tie-break for an entrant: in half points, for Sonneborn-Berger in quarters.
    fn value(&self, tie_break: TieBreak, entrant: usize, level: &[usize]) -> u64 {
        let met = self.met[entrant].iter();
        match tie_break {
            TieBreak::Buchholz => {
                let byes = u64::from(self.byes[entrant]) * u64::from(self.points[entrant]);
                met.map(|(other, _)| u64::from(self.points[*other])).sum::<u64>() + byes
            }
            TieBreak::SonnebornBerger => {
                met.map(|(other, scored)| u64::from(self.points[*other]) * u64::from(*scored)).sum()
            }
            TieBreak::HeadToHead => {
                met.filter(|(other, _)| level.contains(other)).map(|(_, scored)| u64::from(*scored)).sum()
            }
        }
    }
}

/// Entrants in their order.
pub(crate) struct Ranking {
    /// Tied entrants form a group, in order of their names.
    groups: Vec<Vec<usize>>,
    /// By entrant: the entrants with which it was tied before the tie-breaks, including itself.
    level: Vec<Vec<usize>>,
}

impl Ranking {
    /// A ranking by a key; the smallest first.
    pub(crate) fn by<K: Ord>(entrants: &[Entrant], key: impl Fn(usize) -> K) -> Ranking {
        let everybody = (0..entrants.len()).collect();
        let groups = split(entrants, everybody, &key);
        let mut level = vec![Vec::new(); entrants.len()];
        for group in &groups {
            group.iter().for_each(|entrant| level[*entrant].clone_from(group));
        }
        Ranking { groups, level }
    }

    /// The ranking with ties broken by tie-breaks, one after the other.
    pub(crate) fn broken(self, entrants: &[Entrant], tie_breaks: &TieBreaks, bouts: &Bouts) -> Ranking {
        let Ranking { mut groups, level } = self;
        for one in tie_breaks.iter() {
            let value = |group: &[usize], entrant: usize| Reverse(bouts.value(one, entrant, group));
            let parts = groups.into_iter().flat_map(|group| {
                let level = group.clone();
                split(entrants, group, &|entrant| value(&level, entrant))
            });
            groups = parts.collect();
        }
        Ranking { groups, level }
    }

    /// The entrants, best first, each with its rank from 1.
    pub(crate) fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let above = self.groups.iter().scan(0, |above, group| {
            let rank = *above + 1;
            *above += group.len();
            Some((rank, group))
        });
        above.flat_map(|(rank, group)| group.iter().map(move |entrant| (rank, *entrant)))
    }

    fn level_with(&self, entrant: usize) -> &[usize] {
        &self.level[entrant]
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
    use crate::testing::entrants;

    /// Four entrants who met each other once: a won and b won against d; c beat a; b beat c; a drew b; c drew d.
    fn bouts() -> Bouts {
        let met = vec![
            vec![(1, 1), (2, 0), (3, 2)],
            vec![(0, 1), (2, 2), (3, 2)],
            vec![(0, 2), (1, 0), (3, 1)],
            vec![(0, 0), (1, 0), (2, 1)],
        ];
        let points = met.iter().map(|met| met.iter().map(|(_, scored)| scored).sum()).collect();
        Bouts { points, met, byes: vec![0; 4] }
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
        // Source: lichess, scalachess, TiebreakersTest.scala: five players, a to e, by half points in rows. It has Buchholz 7.5 and
        // Sonneborn-Berger 4.0 of a, Buchholz 8.125 in the mean of a's opponents, and between a and d 0 and 1 by direct encounter.
        let lichess = [[0, 2, 1, 0, 2], [0, 0, 2, 1, 0], [1, 0, 0, 2, 1], [2, 1, 0, 0, 2], [0, 2, 1, 0, 0]];
        let bouts = of_table(&lichess);
        let value = |one, entrant, level: &[usize]| bouts.value(one, entrant, level);
        assert_eq!(bouts.points, [5, 3, 4, 5, 3]);
        assert_eq!([TieBreak::Buchholz, TieBreak::SonnebornBerger].map(|one| value(one, 0, &[])), [15, 16]);
        assert_eq!((1..5).map(|other| value(TieBreak::Buchholz, other, &[])).sum::<u64>(), 4 * 8 * 2 + 1);
        assert_eq!([0, 3].map(|one| value(TieBreak::HeadToHead, one, &[0, 3])), [0, 2]);
        // Source: fiveinline.com/sbps.html, example 1: a double round robin of four, with Sonneborn-Berger 11, 9, 6 and 4.
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
            byes: vec![0; N],
        }
    }

    #[test]
    fn who_is_level_shares_a_rank_until_a_tie_break_tells_them_apart() {
        let (names, bouts) = (entrants(4), bouts());
        let ranks = |tie_breaks: &[TieBreak]| {
            let tie_breaks = TieBreaks::new(tie_breaks).expect("each once");
            let level = Ranking::by(&names, |entrant| Reverse(bouts.points[entrant]));
            level.broken(&names, &tie_breaks, &bouts).places().collect::<Vec<_>>()
        };
        assert_eq!(ranks(&[]), [(1, 1), (2, 0), (2, 2), (4, 3)]);
        assert_eq!(ranks(&[TieBreak::Buchholz, TieBreak::SonnebornBerger]), ranks(&[]));
        assert_eq!(ranks(&[TieBreak::Buchholz, TieBreak::HeadToHead]), [(1, 1), (2, 2), (3, 0), (4, 3)]);
        assert_eq!(TieBreaks::new(&[TieBreak::Buchholz, TieBreak::Buchholz]), None);
    }

    #[test]
    fn a_bye_counts_as_an_opponent_with_ones_own_points() {
        let bouts = Bouts { points: vec![4, 2], met: vec![vec![(1, 2)], vec![(0, 0)]], byes: vec![1, 1] };
        assert_eq!([0, 1].map(|entrant| bouts.value(TieBreak::Buchholz, entrant, &[])), [2 + 4, 4 + 2]);
    }
}
