//! Swiss tournaments: in each round, entrants meet others with equal points whom they have not met yet.
//!
//! Winning a meeting is one point, a level one half a point, and losing none; a bye counts as a won meeting. Each round
//! is the best matching of the entrants still playing, under costs in this order of priority: rematches, the bye,
//! differences of points, large differences, the first seat, floats. A lot drawn from the seed for each pair decides
//! what is left, so the best matching is unique, whatever algorithm finds it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::format::{Format, SWISS};
use crate::matching::{Edge, heaviest};
use crate::meetings::{Draft, Meeting, lot, meetings, without_a_game};
use crate::note::{Note, Remark};
use crate::ranking::{Bouts, TieBreaks};
use crate::rounds::{Round, rounds};
use crate::scores::Scores;
use crate::standings::{Column, Value};
use crate::{Entrant, Schedule, Settled, Standings, fairness};

/// The number of entrants, nearest by points, that are candidates for a pairing at first; it is doubled until all
/// entrants are paired.
const NEAREST: usize = 40;
/// Bits of a drawn lot: with 20,000 edges, two choices are equally good once in 50 million rounds.
const LOT_BITS: u32 = 40;
/// The largest imbalance of first seats that differs from a smaller one. Seats are swapped within each pair anyway.
const IMBALANCE_MAX: i32 = 3;
/// Separates the lots of pairings from others.
const PAIR_TAG: &[u8] = b"arena/swiss-pair/1";
/// The same, for the order of entrants with equal points.
const ORDER_TAG: &[u8] = b"arena/swiss-order/1";

/// A Swiss tournament with a number of rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swiss {
    /// The seed from which all draws and the games' seeds are derived.
    pub seed: u64,
    /// Pairs of games per pairing.
    pub pairs: u32,
    /// The number of rounds.
    pub rounds: u32,
    /// Tie-breaks between equal points.
    pub tie_breaks: TieBreaks,
}

/// An entrant between two rounds.
#[derive(Clone, Default, Debug)]
struct Player {
    /// Half points: two for a meeting won or a bye, one for a level one.
    points: u32,
    met: BTreeSet<usize>,
    byes: u32,
    /// Its score in each round in which it played no game: byes, meetings of which no game was played, and rounds that
    /// it missed.
    unplayed: Vec<u32>,
    /// How many more times it had the first seat in a meeting's first game than the second seat.
    firsts: i32,
    /// Above 0 if in the last round it met an entrant with fewer points or had a bye, below 0 if one with more.
    float: i8,
}

impl Swiss {
    /// All entrants after the rounds so far, and the bye of each round. The last round may be unfinished: its bye is
    /// not known yet.
    fn players(&self, entrants: usize, settled: &Settled, met: &[Meeting]) -> (Vec<Player>, Vec<Vec<usize>>) {
        let mut players = vec![Player::default(); entrants];
        let mut byes = Vec::new();
        for round in met.chunk_by(|one, other| one.round == other.round) {
            let before: Vec<u32> = players.iter().map(|player| player.points).collect();
            for meeting in round.iter().filter(|meeting| self.is_over(meeting)) {
                let [home, away] = meeting.entrants;
                let half_points = meeting.half_points_of_match(settled);
                for (own, other, gained, first) in [(home, away, half_points[0], 1), (away, home, half_points[1], -1)] {
                    let player = &mut players[own];
                    player.points += gained;
                    player.met.insert(other);
                    player.firsts += first;
                    player.float = before[own].cmp(&before[other]) as i8;
                    player.unplayed.extend((meeting.played == 0).then_some(gained));
                }
            }
            let alone = without_a_game(round, entrants, settled);
            for entrant in &alone {
                let player = &mut players[*entrant];
                (player.points, player.byes, player.float) = (player.points + 2, player.byes + 1, 1);
                player.unplayed.push(2);
            }
            if settled.is_over(round[0].round) {
                let sits = |entrant: &usize| round.iter().any(|meeting| meeting.entrants.contains(entrant));
                let missed = (0..entrants).filter(|entrant| !sits(entrant) && !alone.contains(entrant));
                missed.for_each(|entrant| players[entrant].unplayed.push(0));
            }
            byes.push(alone);
        }
        (players, byes)
    }

    fn is_over(&self, meeting: &Meeting) -> bool {
        meeting.settled == 2 * self.pairs
    }

    /// The pairings of a round among the entrants still playing; the one with the first seat in the first game comes
    /// first.
    fn pairings(&self, round: usize, playing: &[usize], players: &[Player]) -> Vec<[usize; 2]> {
        let mut order = playing.to_vec();
        order.sort_by_key(|entrant| (Reverse(players[*entrant].points), lot(self.seed, ORDER_TAG, &[round, *entrant])));
        let bye = (order.len() % 2 == 1).then_some(order.len());
        let of = |pair: [usize; 2]| pair.map(|place| order[place]);
        let pairs = self.chosen(round, &order, players, bye).1.into_iter().filter(|pair| Some(pair[1]) != bye);
        pairs.map(|pair| self.seated(round, of(pair), players)).collect()
    }

    /// The candidates of a round, and the best matching of them.
    fn chosen(
        &self,
        round: usize,
        order: &[usize],
        players: &[Player],
        bye: Option<usize>,
    ) -> (Vec<Edge>, Vec<[usize; 2]>) {
        let places = order.len() + usize::from(bye.is_some());
        let mut reach = NEAREST / 2;
        loop {
            let edges = self.edges(round, order, players, reach, bye);
            let chosen = heaviest(places, &edges);
            if chosen.len() == places / 2 {
                return (edges, chosen);
            }
            if reach >= order.len() {
                // The remaining entrants have all met: some meet again.
                let edges = self.rematches(round, order, players, bye);
                let chosen = heaviest(places, &edges);
                return (edges, chosen);
            }
            reach *= 2;
        }
    }

    /// The entrant with the first seat in the first game: the one that had it less often, else by lot.
    fn seated(&self, round: usize, [one, other]: [usize; 2], players: &[Player]) -> [usize; 2] {
        let key = |entrant: usize| (players[entrant].firsts, lot(self.seed, ORDER_TAG, &[round, entrant]));
        if key(one) <= key(other) { [one, other] } else { [other, one] }
    }

    fn edges(&self, round: usize, order: &[usize], players: &[Player], reach: usize, bye: Option<usize>) -> Vec<Edge> {
        let near = |place: usize| place + 1..order.len().min(place + 1 + reach);
        let two = (0..order.len()).flat_map(|place| near(place).map(move |other| [place, other]));
        let new = two.filter(|[one, other]| !players[order[*one]].met.contains(&order[*other]));
        let fresh = |place: &usize| players[order[*place]].byes == 0;
        let byes = bye.into_iter().flat_map(|bye| (0..order.len()).filter(fresh).map(move |place| [place, bye]));
        self.weighed(round, order, players, new.chain(byes).collect())
    }

    /// All edges, if no matching is possible without a rematch or a second bye.
    fn rematches(&self, round: usize, order: &[usize], players: &[Player], bye: Option<usize>) -> Vec<Edge> {
        let places = order.len() + usize::from(bye.is_some());
        let two = (0..places).flat_map(|place| (place + 1..places).map(move |other| [place, other]));
        self.weighed(round, order, players, two.collect())
    }

    /// Edges between places of the order with the weights that make the cheapest matching the heaviest.
    fn weighed(&self, round: usize, order: &[usize], players: &[Player], ends: Vec<[usize; 2]>) -> Vec<Edge> {
        let costs: Vec<Costs> = ends.iter().map(|ends| self.costs(round, order, players, *ends)).collect();
        let pairs = (order.len().div_ceil(2)) as i128;
        let mut unit = 1_i128;
        let mut units = [0_i128; COSTS];
        for (place, unit_here) in units.iter_mut().enumerate().rev() {
            *unit_here = unit;
            let most = costs.iter().map(|costs| costs.0[place]).max().unwrap_or(0);
            unit *= i128::from(most) * pairs + 1;
        }
        let cost = |costs: &Costs| costs.0.iter().zip(units).map(|(cost, unit)| i128::from(*cost) * unit).sum::<i128>();
        let costs: Vec<i128> = costs.iter().map(cost).collect();
        let most = costs.iter().max().copied().unwrap_or(0);
        ends.into_iter().zip(costs).map(|(ends, cost)| Edge { ends, weight: most - cost + 1 }).collect()
    }

    fn costs(&self, round: usize, order: &[usize], players: &[Player], ends: [usize; 2]) -> Costs {
        let [Some(one), Some(other)] = ends.map(|place| order.get(place).copied()) else {
            // The bye goes to the entrant with the fewest points.
            let entrant = order[ends[0]];
            let Player { points, byes, float, .. } = players[entrant];
            let lot = lot(self.seed, PAIR_TAG, &[round, entrant]) >> (u64::BITS - LOT_BITS);
            return Costs([u64::from(byes), u64::from(points), 0, 0, 0, u64::from(float > 0), lot]);
        };
        let (higher, lower) = if players[one].points >= players[other].points { (one, other) } else { (other, one) };
        let difference = u64::from(players[higher].points - players[lower].points);
        let floats = u64::from(difference > 0 && players[higher].float > 0)
            + u64::from(difference > 0 && players[lower].float < 0);
        let imbalance = (players[one].firsts + players[other].firsts).abs().min(IMBALANCE_MAX) as u64;
        let rematch = u64::from(players[one].met.contains(&other));
        let lot = lot(self.seed, PAIR_TAG, &[round, one.min(other), one.max(other)]) >> (u64::BITS - LOT_BITS);
        Costs([rematch, 0, difference, difference * difference, imbalance, floats, lot])
    }
}

/// The number of kinds of costs.
const COSTS: usize = 7;

/// The costs of a pairing, the weightiest first: a rematch or second bye, the points of the entrant with the bye, the
/// difference of points, its square, the imbalance of first seats, floats in the direction of the last round, the lot.
#[derive(Clone, Copy, Debug)]
struct Costs([u64; COSTS]);

impl Format for Swiss {
    fn name(&self) -> &'static str {
        SWISS
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn next(&self, entrants: &[Entrant], settled: &Settled) -> Schedule {
        let met = meetings(settled);
        let (round, pairing) = met.last().map_or((0, 0), |last| (last.round + 1, last.pairing + 1));
        let mut draft = Draft::behind(settled, self.seed, entrants);
        let playing: Vec<usize> = (0..entrants.len()).filter(|entrant| !settled.left.contains_key(entrant)).collect();
        if round < self.rounds as usize && playing.len() > 1 {
            let (players, _) = self.players(entrants.len(), settled, &met);
            for (number, pair) in self.pairings(round, &playing, &players).into_iter().enumerate() {
                draft.add(round, pairing + number, pair, self.pairs);
            }
        }
        draft.games()
    }

    fn last_entry(&self) -> Option<usize> {
        Some(self.rounds.saturating_sub(1) as usize)
    }

    fn games_max(&self, entrants: usize) -> usize {
        entrants / 2 * 2 * self.pairs as usize * self.rounds as usize
    }

    /// Ranked by points of meetings, then the tie-breaks; removed entrants are last, withdrawn ones keep their places
    /// if they played half of the rounds.
    fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings {
        let met = meetings(settled);
        let (players, _) = self.players(entrants.len(), settled, &met);
        let due = |entrant: usize, _| 2 * self.pairs * self.rounds.saturating_sub(players[entrant].byes);
        let scores = Scores::of(entrants, settled).placed(settled.placings(entrants.len(), due));
        let bouts = self.bouts(settled, &met, &players);
        let level = scores.ranking_by(entrants, |entrant| Reverse(players[entrant].points));
        let ranking = level.broken(entrants, &self.tie_breaks, &bouts);
        let points = players.iter().map(|player| Value::Points(player.points)).collect();
        let byes = players.iter().map(|player| Value::Count(player.byes)).collect();
        let mut more = vec![(Column::new("match_points", "match").in_json().in_csv().in_text(2, 6), points)];
        more.extend(self.tie_breaks.columns(&ranking));
        more.push((Column::new("byes", "byes").in_json().in_csv().in_text(1, 5), byes));
        let mut standings = scores.standings(entrants, &ranking, more);
        let text = "match: a point for each meeting that is won or a bye, half a point for a level one";
        standings.notes.insert(0, Note::meaning(text, Remark::MatchPoints));
        standings
    }

    fn reports(&self, _title: Option<&str>, entrants: &[Entrant], settled: &Settled) -> Vec<(&'static str, String)> {
        let met = meetings(settled);
        let (_, byes) = self.players(entrants.len(), settled, &met);
        let by_round = met.chunk_by(|one, other| one.round == other.round).zip(byes).zip(1..);
        let by_round: Vec<Round> = by_round
            .map(|((meetings, byes), number)| Round {
                title: format!("round {number}"),
                meetings: meetings.to_vec(),
                byes,
            })
            .collect();
        fairness(entrants, settled).files().into_iter().chain(rounds(entrants, &by_round)).collect()
    }
}

impl Swiss {
    fn bouts(&self, settled: &Settled, met: &[Meeting], players: &[Player]) -> Bouts {
        let mut of = vec![Vec::new(); players.len()];
        for meeting in met.iter().filter(|meeting| self.is_over(meeting) && meeting.played > 0) {
            let [home, away] = meeting.entrants;
            let [at_home, away_from_home] = meeting.half_points_of_match(settled);
            of[home].push((away, at_home));
            of[away].push((home, away_from_home));
        }
        Bouts {
            points: players.iter().map(|player| player.points).collect(),
            met: of,
            unplayed: players.iter().map(|player| player.unplayed.clone()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use arena_rules::{Rng, Seat};

    use super::*;
    use crate::matching::tests::{best_of_all, worth};
    use crate::ranking::TieBreak;
    use crate::testing::{Trials, by_strength, entrants, play};
    use crate::{Fate, Leave, Left};

    fn swiss(seed: u64, rounds: u32) -> Swiss {
        Swiss { seed, pairs: 1, rounds, tie_breaks: TieBreaks::new(&TieBreak::ALL).expect("each once") }
    }

    /// The sum of the differences of points within the pairings of each round, in half points.
    fn differences(format: &Swiss, entrants: usize, settled: &Settled, met: &[Meeting]) -> Vec<u32> {
        let sum = |round: usize| {
            let before: Vec<Meeting> = met.iter().filter(|meeting| meeting.round < round).cloned().collect();
            let (players, _) = format.players(entrants, settled, &before);
            let now = met.iter().filter(|meeting| meeting.round == round);
            now.map(|meeting| players[meeting.entrants[0]].points.abs_diff(players[meeting.entrants[1]].points)).sum()
        };
        (0..format.rounds as usize).map(sum).collect()
    }

    #[test]
    fn tie_breaks_count_a_round_without_a_game_as_chess_does() {
        for seed in 0..40 {
            let count = 3 + seed as usize % 9;
            let (names, format) = (entrants(count), swiss(seed, (count as u32).min(5)));
            let mut rng = Rng::new(&[seed as u8; 32], 9);
            let settled = play(&format, &names, |game| {
                let both = game.seats.values();
                [None, Some(both[0]), Some(both[1])][rng.below(3) as usize]
            });
            let standings = format.standings(&names, &settled);
            let number = |row: &crate::Row, column: &str| -> Option<f64> {
                standings.value(row, column).and_then(|value| value.to_string().parse().ok())
            };
            let points = |row: &crate::Row| number(row, "match_points").expect("points");
            let named = |name: &str| standings.rows.iter().find(|row| row.name == name).expect("an entrant");
            for row in &standings.rows {
                let own = names.iter().position(|entrant| entrant.name == row.name).expect("an entrant");
                let byes = number(row, "byes").expect("a count");
                // Source: FIDE Handbook C.07: the round of a bye is one against an opponent with the same points, who
                // lost.
                let (mut buchholz, mut berger, mut scored) = (byes * points(row), byes * points(row), byes);
                for meeting in meetings(&settled).iter().filter(|meeting| meeting.entrants.contains(&own)) {
                    let side = usize::from(meeting.entrants[1] == own);
                    let other = points(named(&names[meeting.entrants[1 - side]].name));
                    let gained = f64::from(meeting.half_points_of_match(&settled)[side]) / 2.0;
                    (buchholz, berger, scored) = (buchholz + other, berger + gained * other, scored + gained);
                }
                let found = ["match_points", "buchholz", "sonneborn_berger"].map(|column| number(row, column));
                assert_eq!(found, [scored, buchholz, berger].map(Some), "{seed}: {}", row.name);
            }
        }
    }

    #[test]
    fn rounds_that_a_late_entrant_missed_count_as_against_an_opponent_with_its_points() {
        let (names, format) = (entrants(5), swiss(3, 3));
        // The last one enters before the third round, and the first one wins all games.
        let mut settled = Settled::default();
        for round in 0..3 {
            if round == 2 {
                settled.entered.insert(4, settled.len());
            }
            let next = format.next(&names[..4 + usize::from(round == 2)], &settled);
            settled.extend(next.iter().map(|game| {
                let best = game.seats.iter().min_by_key(|(_, entrant)| **entrant).map(|(seat, _)| seat);
                let result = Some(crate::testing::won(best, game.number));
                crate::SettledGame { game, result }
            }));
            settled.entered.entry(4).or_insert(usize::MAX);
        }
        let met = meetings(&settled);
        let (players, _) = format.players(5, &settled, &met);
        let missed = players[4].unplayed.iter().filter(|scored| **scored == 0).count();
        assert_eq!((missed, players[0].unplayed.len()), (2, 0), "{players:?}");
    }

    /// Plays a tournament whose entrants come late, are withdrawn, disqualified and quarantined at random, as a runner
    /// does.
    fn played_with_changes(format: &Swiss, names: &[Entrant], rng: &mut Rng) -> Settled {
        let mut settled = Settled::default();
        let late = 1 + rng.below(2) as usize;
        settled.entered.extend((names.len() - late..names.len()).map(|entrant| (entrant, usize::MAX)));
        loop {
            for entrant in names.len() - late..names.len() {
                if settled.entered[&entrant] == usize::MAX && rng.below(3) == 0 {
                    settled.entered.insert(entrant, settled.len());
                }
            }
            let there = names.len() - settled.entered.values().filter(|first| **first == usize::MAX).count();
            // Late entrants come in order: those behind the first that is missing wait for it.
            let there = (0..there).take_while(|one| settled.entered.get(one) != Some(&usize::MAX)).count();
            let first = settled.len();
            for entrant in there..names.len() {
                settled.entered.insert(entrant, usize::MAX);
            }
            settled.append(format.next(&names[..there], &settled));
            if settled.len() == first {
                return settled;
            }
            // Some leave after the draw, before a game of the round has ended, whether they have an opponent or the
            // bye.
            for entrant in 0..there {
                if rng.below(12) == 0 {
                    let why = if rng.below(3) == 0 { Leave::Disqualified } else { Leave::Withdrawn };
                    settled.left.entry(entrant).or_insert(Left { from: first, why });
                }
            }
            for place in first..settled.len() {
                let seated: Vec<usize> = settled.seated(place).collect();
                let why = seated.iter().find_map(|entrant| settled.leave(*entrant));
                if let Some(why) = why {
                    settled.decide(place, if why == Leave::Quarantined { Fate::Void } else { Fate::Cancelled });
                } else if rng.below(40) == 0 {
                    settled.left.insert(seated[0], Left { from: place, why: Leave::Quarantined });
                    settled.decide(place, Fate::Void);
                } else {
                    let winner = [None, Some(Seat(0)), Some(Seat(1))][rng.below(3) as usize];
                    settled.keep(place, &crate::testing::won(winner, place));
                    settled.decide(place, Fate::Counted);
                }
            }
        }
    }

    #[test]
    fn entrants_come_and_leave_and_the_printed_numbers_are_those_that_rank() {
        let (mut byes_beside_leavers, mut unplaced, mut told) = (0, 0, 0);
        let trials = Trials::new(300, 8);
        for number in 0..trials.count {
            let mut rng = trials.rng(number);
            let names = entrants(5 + rng.below(8) as usize);
            let format = swiss(number, 3 + rng.below(3));
            let settled = played_with_changes(&format, &names, &mut rng);
            let standings = format.standings(&names, &settled);
            let met = meetings(&settled);
            let rounds = met.last().map_or(0, |last| last.round + 1);
            let of = |name: &str| names.iter().position(|entrant| entrant.name == name).expect("an entrant");
            let number_of = |row: &crate::Row, column: &str| -> Option<f64> {
                standings.value(row, column).and_then(|value| value.to_string().parse().ok())
            };
            let row_of = |entrant: usize| standings.rows.iter().find(|row| of(&row.name) == entrant).expect("a row");
            for row in &standings.rows {
                let own = of(&row.name);
                // Points and Buchholz again, from the games alone. Source: docs/tournaments.md.
                let (mut points, mut buchholz, mut without, mut byes) = (0.0, 0.0, 0, 0);
                for round in 0..rounds {
                    let start = settled.first_of(round);
                    let is_there = settled.entered.get(&own).is_none_or(|first| *first <= start)
                        && settled.left.get(&own).is_none_or(|left| {
                            left.from > start || left.why == Leave::Quarantined && left.from == start
                        });
                    let sits = met.iter().find(|meeting| meeting.round == round && meeting.entrants.contains(&own));
                    match sits {
                        Some(meeting) => {
                            let side = usize::from(meeting.entrants[1] == own);
                            let other = meeting.entrants[1 - side];
                            let gone = |entrant: usize| {
                                settled.left.get(&entrant).is_some_and(|left| left.from <= meeting.last)
                            };
                            points += match (gone(own), gone(other)) {
                                (true, _) => 0.0,
                                (false, true) => 1.0,
                                (false, false) => {
                                    let [mine, its] = [meeting.half_points[side], meeting.half_points[1 - side]];
                                    [0.0, 0.5, 1.0][1 + usize::from(mine > its) - usize::from(mine < its)]
                                }
                            };
                            if meeting.played > 0 {
                                buchholz += number_of(row_of(other), "match_points").expect("points");
                            } else {
                                without += 1;
                            }
                        }
                        None => {
                            (points, byes) = if is_there { (points + 1.0, byes + 1) } else { (points, byes) };
                            without += 1;
                        }
                    }
                }
                let leavers = settled.left.values().any(|left| left.why != Leave::Quarantined);
                byes_beside_leavers += u32::from(byes > 0 && leavers);
                let wanted = [points, buchholz + f64::from(without) * points, f64::from(byes)];
                let found = ["match_points", "buchholz", "byes"].map(|column| number_of(row, column));
                assert_eq!(found, wanted.map(Some), "{number}: {}\n{}", row.name, standings.to_table());
                let games = settled.counted().filter(|(game, _)| game.seats.values().contains(&own)).count()
                    + settled.void().filter(|game| game.seats.values().contains(&own)).count();
                let half = games as u32 >= format.rounds.saturating_sub(byes as u32);
                let is_placed = row.left != Some(Leave::Withdrawn) || half;
                assert_eq!(row.rank.0.is_some(), is_placed, "{number}: {}\n{}", row.name, standings.to_table());
                unplaced += u32::from(!is_placed);
            }
            // Rows stand in the order of what is printed, and share a rank exactly where all of it is equal.
            let printed = |row: &crate::Row| {
                let last = row.left.is_some_and(|why| why != Leave::Withdrawn);
                let columns = ["match_points", "buchholz", "sonneborn_berger", "head_to_head"];
                let key = columns.map(|column| number_of(row, column).map_or(-1, |value| (4.0 * value) as i64));
                (Reverse(last), key)
            };
            let placed: Vec<&crate::Row> = standings.rows.iter().filter(|row| row.rank.0.is_some()).collect();
            for pair in placed.windows(2) {
                let (one, next) = (printed(pair[0]), printed(pair[1]));
                assert!(one >= next, "{number}\n{}", standings.to_table());
                assert_eq!(one == next, pair[0].rank == pair[1].rank, "{number}\n{}", standings.to_table());
            }
            // Head-to-head is printed only where all that are level have met.
            for row in placed.iter().filter(|row| number_of(row, "head_to_head").is_some()) {
                let before = |row: &crate::Row| {
                    let (last, [points, buchholz, berger, _]) = printed(row);
                    (last, points, buchholz, berger)
                };
                for other in placed.iter().filter(|other| other.name != row.name && before(other) == before(row)) {
                    let both = [of(&row.name), of(&other.name)];
                    let have = met.iter().any(|meeting| {
                        meeting.played > 0 && both.iter().all(|entrant| meeting.entrants.contains(entrant))
                    });
                    assert!(have, "{number}: {} and {}\n{}", row.name, other.name, standings.to_table());
                    told += 1;
                }
            }
        }
        assert!(byes_beside_leavers > 50 && unplaced > 50 && told > 20, "{byes_beside_leavers} {unplaced} {told}");
    }

    #[test]
    fn a_bye_counts_however_many_leave_after_the_draw() {
        let (names, format) = (entrants(9), swiss(4, 3));
        let mut settled = Settled::default();
        settled.append(format.next(&names, &settled));
        let sits = |entrant: &usize| (0..settled.len()).any(|place| settled.seated(place).any(|one| one == *entrant));
        let alone = (0..9).find(|entrant| !sits(entrant)).expect("a bye");
        let gone: Vec<usize> = (0..9).filter(|entrant| *entrant != alone).take(2).collect();
        for entrant in gone {
            settled.left.insert(entrant, Left { from: 0, why: Leave::Withdrawn });
        }
        for place in 0..settled.len() {
            let fate = if settled.seated(place).any(|one| settled.left.contains_key(&one)) {
                Fate::Cancelled
            } else {
                settled.keep(place, &crate::testing::won(None, place));
                Fate::Counted
            };
            settled.decide(place, fate);
        }
        let (players, byes) = format.players(9, &settled, &meetings(&settled));
        assert_eq!((byes, players[alone].points), (vec![vec![alone]], 2));
    }

    #[test]
    fn nobody_meets_twice_has_two_byes_or_sits_first_much_more_often() {
        for count in [2, 3, 5, 8, 13, 24, 41] {
            for seed in 0..6 {
                let names = entrants(count);
                let format = swiss(seed, ((count - 1 + count % 2) as u32).min(7));
                let settled = play(&format, &names, by_strength(&mut Rng::new(&[5; 32], seed), 0.1));
                let met = meetings(&settled);
                let (players, byes) = format.players(count, &settled, &met);
                let sorted = |[one, other]: [usize; 2]| [one.min(other), one.max(other)];
                let two: BTreeSet<[usize; 2]> = met.iter().map(|meeting| sorted(meeting.entrants)).collect();
                // If nearly all entrants meet each other, the rest may have no matching.
                let rematches = met.len() - two.len();
                assert!(rematches == 0 || count <= 8, "{count} entrants, {rematches} rematches");
                assert!(
                    count <= 8 || players.iter().all(|player| player.byes <= 1 && player.firsts.abs() <= 3),
                    "{players:?}"
                );
                assert!(byes.iter().all(|byes| byes.len() == count % 2));
                assert_eq!(met.len(), format.rounds as usize * (count / 2));
                let points: u32 = players.iter().map(|player| player.points).sum();
                assert_eq!(points as usize, 2 * format.rounds as usize * count.div_ceil(2));
            }
        }
    }

    #[test]
    fn equals_meet_equals_as_far_as_can_be() {
        let names = entrants(16);
        let format = swiss(3, 4);
        let settled = play(&format, &names, |game| game.seats.values().iter().min().copied());
        let met = meetings(&settled);
        assert_eq!(differences(&format, 16, &settled, &met), [0; 4]);
        let standings = format.standings(&names, &settled);
        assert_eq!(standings.rows[0].name, "bot0");
        assert_eq!(standings.value(&standings.rows[0], "match_points"), Some(&Value::Points(8)));
    }

    #[test]
    fn the_same_seed_pairs_the_same_and_another_does_not() {
        let names = entrants(20);
        let first = |seed| swiss(seed, 3).next(&names, &Settled::default());
        assert_eq!(first(1), first(1));
        assert_ne!(first(1), first(2));
    }

    #[test]
    fn who_is_taken_out_is_paired_no_more_and_the_opponent_has_the_point() {
        let names = entrants(6);
        let format = swiss(1, 3);
        let mut settled = Settled::default();
        for round in 0..3 {
            for game in format.next(&names, &settled).iter() {
                let quarantined = settled.left.contains_key(&2) || game.seats.values().contains(&2) && round == 1;
                if quarantined && game.seats.values().contains(&2) {
                    settled.left.entry(2).or_insert(Left { from: game.number, why: Leave::Quarantined });
                }
                let is_void = settled.is_out(2, game.number) && game.seats.values().contains(&2);
                let result = (!is_void).then(|| crate::testing::won(None, game.number));
                settled.extend([crate::SettledGame { game, result }]);
            }
        }
        let met = meetings(&settled);
        let (players, byes) = format.players(6, &settled, &met);
        assert!(met.iter().all(|meeting| meeting.round < 2 || !meeting.entrants.contains(&2)));
        assert_eq!(players[2].points, 1, "a drawn meeting, and one that is the other's");
        assert_eq!(byes.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 1]);
        assert_eq!(players.iter().map(|player| player.points).sum::<u32>(), 6 + 6 + 2 * 3);
        assert!(format.standings(&names, &settled).rows[5].is_quarantined());
    }

    #[test]
    fn what_can_be_paired_without_a_rematch_is() {
        // Two groups of three: each has met all of the others, so a greedy choice would leave only rematches within a
        // group.
        let players: Vec<Player> = (0..4)
            .map(|one| Player { met: [(one + 2) % 4].into(), points: if one < 2 { 4 } else { 0 }, ..Player::default() })
            .collect();
        let format = swiss(1, 2);
        for round in 0..10 {
            for pair in format.pairings(round, &[0, 1, 2, 3], &players) {
                assert!(!players[pair[0]].met.contains(&pair[1]), "{pair:?}");
            }
        }
    }

    #[test]
    fn who_has_met_the_nearest_meets_others_no_farther_away_than_needed() {
        let (format, count, near) = (swiss(1, 7), 60, NEAREST / 2);
        // Nobody is level, so everybody's place is known: 40 neighbours, 20 on either side.
        let met = |one: usize| (0..count).filter(move |other| *other != one && one.abs_diff(*other) <= near);
        let player = |one: usize| Player { points: (count - one) as u32, met: met(one).collect(), ..Player::default() };
        let (players, order): (Vec<Player>, Vec<usize>) = (0..count).map(|one| (player(one), one)).unzip();
        assert!(format.edges(0, &order, &players, near, None).is_empty(), "all of the nearest have met");
        let (edges, chosen) = format.chosen(0, &order, &players, None);
        assert!(edges.iter().all(|edge| (near + 1..=2 * near).contains(&(edge.ends[1] - edge.ends[0]))));
        assert_eq!(chosen.len(), count / 2, "everybody is paired");
        let pairings = format.pairings(0, &order, &players);
        assert_eq!(pairings.iter().flatten().collect::<BTreeSet<_>>().len(), count);
        assert!(pairings.iter().all(|[one, other]| !players[*one].met.contains(other)), "nobody meets again");
    }

    /// The number of tournaments for each one of 60 to 120 entrants, in which only the nearest entrants are candidates.
    const LARGE: u64 = 50;

    /// The maximum number of entrants for which every matching is tried here.
    const TRIED_MAX: usize = 9;

    /// Rounds of drawn tournaments as JSON, a line for each tournament: candidates with their weights, what was chosen,
    /// who met whom and what came of it; where candidates are not all, also what the best of all would come to.
    /// `cargo xtask pairings` has other programs judge them (`tests/pairings.py`).
    #[test]
    fn each_round_is_the_best_matching_of_its_candidates() {
        let out = std::env::var_os("ARENA_PAIRINGS");
        let count =
            |name: &str, usual: u64| std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(usual);
        let (tournaments, seed) = (count("ARENA_TOURNAMENTS", 20), count("ARENA_TOURNAMENT_SEED", 1));
        let mut lines = String::new();
        for number in 0..tournaments + tournaments / LARGE {
            let mut rng = Rng::new(&[seed as u8; 32], number);
            let is_large = number >= tournaments;
            let count = if is_large { 60 + rng.below(61) as usize } else { 6 + rng.below(15) as usize };
            let (names, format) = (entrants(count), swiss(number, (count as u32 / 2).min(7)));
            let mut strength = by_strength(&mut rng, 0.1);
            let settled = play(&format, &names, |game| strength(game).filter(|_| game.number % 7 != 0));
            let met = meetings(&settled);
            let mut rounds = Vec::new();
            for round in 0..format.rounds as usize {
                let before: Vec<Meeting> = met.iter().filter(|meeting| meeting.round < round).cloned().collect();
                let (players, _) = format.players(count, &settled, &before);
                let mut order: Vec<usize> = (0..count).collect();
                order.sort_by_key(|one| (Reverse(players[*one].points), lot(format.seed, ORDER_TAG, &[round, *one])));
                let bye = (count % 2 == 1).then_some(count);
                let (edges, chosen) = format.chosen(round, &order, &players, bye);
                if count <= TRIED_MAX {
                    assert_eq!(worth(&edges, &chosen), best_of_all(count + count % 2, &edges), "{number}, {round}");
                }
                let differences = |pairs: &[[usize; 2]]| -> u32 {
                    let two = pairs.iter().filter(|pair| Some(pair[1]) != bye);
                    two.map(|pair| pair.map(|place| players[order[place]].points))
                        .map(|[one, other]| one.abs_diff(other))
                        .sum()
                };
                let all =
                    is_large.then(|| heaviest(count + count % 2, &format.edges(round, &order, &players, count, bye)));
                let of_all = all.map(|all| [differences(&chosen), differences(&all)]);
                let now: Vec<&Meeting> = met.iter().filter(|meeting| meeting.round == round).collect();
                let sits = |entrant: usize| now.iter().any(|meeting| meeting.entrants.contains(&entrant));
                for pair in chosen.iter().filter(|pair| Some(pair[1]) != bye) {
                    let both = pair.map(|place| order[place]);
                    assert!(
                        now.iter().any(|meeting| meeting.entrants == both || meeting.entrants == [both[1], both[0]])
                    );
                }
                let edges: Vec<_> = edges.iter().map(|edge| (edge.ends, edge.weight.to_string())).collect();
                let pairings: Vec<_> =
                    now.iter().map(|one| (one.entrants, one.half_points_of_match(&settled))).collect();
                rounds.push(serde_json::json!({
                    "edges": edges, "chosen": chosen, "pairings": pairings, "of_all": of_all, "bye": (0..count).find(|one| !sits(*one)),
                }));
            }
            lines += &(serde_json::json!({ "entrants": count, "rounds": rounds }).to_string() + "\n");
        }
        if let Some(out) = out {
            std::fs::write(out, lines).expect("the folder is there");
        }
    }
}
