//! A table of points for one game and one period.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use arena_rooms::PersonId;
use arena_rules::Seat;

use crate::{PARTNER_PART, Who};

/// What everybody earned in the games of one table. Its sums do not depend on the order of games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Table(BTreeMap<PersonId, Earned>);

/// A line of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The place, from 1: one more than the number of people with more points, or as many and more wins. Equals share a
    /// place.
    pub rank: u32,
    /// The account.
    pub account: PersonId,
    /// Points that count.
    pub points: u64,
    /// Points that were won but do not count, because one partner gives at most a part of the total.
    pub held_back: u64,
    /// Games that count: won, drawn and lost.
    pub games: u32,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Earned {
    from_built_in: u64,
    from_person: BTreeMap<PersonId, u64>,
    won: u32,
    drawn: u32,
    lost: u32,
}

impl Table {
    pub(crate) fn add(&mut self, seated: &[Who; 2], winner: Option<Seat>, points: u32) {
        for (seat, who) in (0..).map(Seat).zip(seated) {
            let Some(account) = who.account() else { continue };
            let earned = self.0.entry(account).or_default();
            match winner {
                None => earned.drawn += 1,
                Some(winner) if winner == seat => {
                    earned.won += 1;
                    *match seated[seat.opponent().index()].account() {
                        Some(partner) => earned.from_person.entry(partner).or_default(),
                        None => &mut earned.from_built_in,
                    } += u64::from(points);
                }
                Some(_) => earned.lost += 1,
            }
        }
    }

    /// The lines of the people who are shown, best first; equals in the order of their ids. People who are not shown,
    /// such as deleted accounts, take no place.
    pub fn rows(&self, shown: impl Fn(PersonId) -> bool) -> Vec<Row> {
        let mut rows: Vec<Row> = self
            .0
            .iter()
            .filter(|(account, _)| shown(**account))
            .map(|(account, earned)| earned.row(*account))
            .collect();
        rows.sort_by_key(|row| (Reverse((row.points, row.won)), row.account));
        let mut best: Option<Row> = None;
        for (place, row) in (1..).zip(&mut rows) {
            let equal = best.filter(|best| (best.points, best.won) == (row.points, row.won));
            row.rank = equal.map_or(place, |best| best.rank);
            best = Some(*row);
        }
        rows
    }

    /// The line of one account, with its place among those who are shown; `None` if none of its games counts here.
    pub fn row(&self, account: PersonId, shown: impl Fn(PersonId) -> bool) -> Option<Row> {
        let own = self.0.get(&account)?.row(account);
        let others = self.0.iter().filter(|(other, _)| **other != account && shown(**other));
        let better = others
            .map(|(other, earned)| earned.row(*other))
            .filter(|other| (other.points, other.won) > (own.points, own.won));
        Some(Row { rank: 1 + u32::try_from(better.count()).unwrap_or(u32::MAX - 1), ..own })
    }
}

impl Earned {
    /// The line without a place.
    fn row(&self, account: PersonId) -> Row {
        let &Earned { won, drawn, lost, .. } = self;
        let (points, all) = (self.points(self.partner_max()), self.points(u64::MAX));
        Row { rank: 0, account, points, held_back: all - points, games: won + drawn + lost, won, drawn, lost }
    }

    /// The points if one partner gives at most `partner_max`.
    fn points(&self, partner_max: u64) -> u64 {
        self.from_built_in + self.from_person.values().map(|points| (*points).min(partner_max)).sum::<u64>()
    }

    /// The most that one partner may give: the largest number that is at most a [`PARTNER_PART`]th of the points that
    /// result.
    ///
    /// The points are concave in this number and start at or above 0, so all numbers up to some limit are small enough:
    /// bisection finds it. Points from fewer than ten partners and no built-in opponent all vanish.
    fn partner_max(&self) -> u64 {
        let most = self.from_person.values().copied().max().unwrap_or(0);
        let (mut fits, mut over) = (0, most + 1);
        while over - fits > 1 {
            let middle = fits + (over - fits) / 2;
            if PARTNER_PART * middle <= self.points(middle) { fits = middle } else { over = middle }
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use arena_record::Hex;
    use proptest::prelude::*;

    use super::*;

    fn earned(from_built_in: u64, partners: &[u64]) -> Earned {
        let person = |number: usize| PersonId(Hex((number as u64).to_be_bytes()));
        let from_person = partners.iter().enumerate().map(|(number, points)| (person(number), *points)).collect();
        Earned { from_built_in, from_person, ..Earned::default() }
    }

    fn counted(from_built_in: u64, partners: &[u64]) -> u64 {
        let earned = earned(from_built_in, partners);
        earned.points(earned.partner_max())
    }

    #[test]
    fn a_partner_gives_at_most_a_tenth() {
        assert_eq!(counted(900, &[1_000]), 1_000); // 900 and a tenth of 1,000
        assert_eq!(counted(900, &[40]), 940);
        assert_eq!(counted(800, &[1_000, 1_000]), 1_000);
        assert_eq!(counted(0, &[500; 9]), 0); // nine of them can never be a tenth each
        assert_eq!(counted(0, &[500; 10]), 5_000);
        assert_eq!(counted(0, &[500, 500, 500, 500, 500, 500, 500, 500, 500, 20]), 200);
        assert_eq!(counted(0, &[]), 0);
    }

    proptest! {
        /// What counts is allowed, and one point more from each partner would not be.
        #[test]
        fn what_counts_is_the_most_that_is_allowed(
            built_in in 0_u64..5_000,
            partners in proptest::collection::vec(0_u64..3_000, 0..25),
        ) {
            let earned = earned(built_in, &partners);
            let most = earned.partner_max();
            let points = earned.points(most);
            for given in partners.iter().map(|points| (*points).min(most)) {
                prop_assert!(PARTNER_PART * given <= points);
            }
            let more = earned.points(most + 1);
            prop_assert!(more == points || PARTNER_PART * (most + 1) > more);
        }

        /// A win never costs points.
        #[test]
        fn more_of_anything_is_never_less(
            built_in in 0_u64..5_000,
            mut partners in proptest::collection::vec(0_u64..3_000, 1..25),
            which in any::<prop::sample::Index>(),
            more in 1_u64..300,
        ) {
            let before = counted(built_in, &partners);
            prop_assert!(counted(built_in + more, &partners) >= before);
            *which.get_mut(&mut partners) += more;
            prop_assert!(counted(built_in, &partners) >= before);
        }
    }
}
