//! Standings: a fold over games in schedule order.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::{Digest, EntrantId, ForfeitCode, Record};
use arena_rules::{BySeat, Outcome, Seat};
use serde::Serialize;

use crate::rating::{PairResult, Rating, ratings};
use crate::{Entrant, ScheduledGame};

/// What a game counts for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The seat that won; `None` is a draw.
    pub winner: Option<Seat>,
    /// Who forfeited, and how.
    pub forfeits: Vec<(Seat, ForfeitCode)>,
    /// What the ruleset ranks seats by, at the end.
    pub tally: BySeat<u32>,
    /// The game's digest.
    pub digest: Digest,
}

impl GameResult {
    /// The result in a record.
    pub fn of(record: &Record) -> GameResult {
        let forfeits = record.forfeits.iter().map(|forfeit| (Seat(forfeit.seat), forfeit.code));
        let Outcome { winner, tally, .. } = record.outcome();
        GameResult { winner, forfeits: forfeits.collect(), tally, digest: record.digest.0 }
    }
}

/// Games of a schedule that have no result, by no fault in the sense of the rules: nobody gains or loses by them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Void {
    /// The games, in schedule order.
    pub games: Vec<ScheduledGame>,
    /// Entrants that were taken out of the tournament, as indices.
    pub quarantined: BTreeSet<usize>,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// All games.
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Two for a win, one for a draw.
    pub fn half_points(self) -> u32 {
        2 * self.wins + self.draws
    }

    pub(crate) fn add(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.wins += 1,
            Some(false) => self.losses += 1,
            None => self.draws += 1,
        }
    }
}

/// A tally per seat of a two-seat game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct SeatTally {
    /// Games in the seat that moves first.
    pub first: Tally,
    /// Games in the other seat.
    pub second: Tally,
}

/// One entrant's place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// From 1.
    pub rank: usize,
    /// The entrant's name.
    pub name: String,
    /// What it is.
    pub id: EntrantId,
    /// Strength and its interval.
    pub rating: Rating,
    /// Games of the schedule it took part in.
    pub played: u32,
    /// Its counted games.
    pub tally: Tally,
    /// The same by seat.
    pub by_seat: SeatTally,
    /// Its forfeits in counted games.
    pub forfeits: BTreeMap<ForfeitCode, u32>,
    /// Games of its schedule that are void.
    pub void: u32,
    /// Whether it was taken out of the tournament: it stands below everybody who was not.
    pub quarantined: bool,
    /// Its counted games against each entrant, in the order of the rows; against itself no game.
    pub against: Vec<Tally>,
}

/// The standings of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standings {
    /// Best first.
    pub rows: Vec<Row>,
    /// Games that were played.
    pub played: u32,
    /// Games that count: those between the same entrants in the same seats with equal digests are one.
    pub games: u32,
    /// Games of the schedule that are void.
    pub void: u32,
    /// Counted games from the first seat's view.
    pub first_seat: Tally,
    /// All forfeits in counted games.
    pub forfeits: BTreeMap<ForfeitCode, u32>,
}

/// The standings after `games`, which are in schedule order. Of games that are one game only the first counts.
/// Ranked by rating, then points, then name.
pub fn standings(entrants: &[Entrant], games: &[(ScheduledGame, GameResult)]) -> Standings {
    standings_with_void(entrants, games, &Void::default())
}

/// The same in a tournament some games of which are void.
pub fn standings_with_void(entrants: &[Entrant], games: &[(ScheduledGame, GameResult)], void: &Void) -> Standings {
    let count = entrants.len();
    let mut sums: Vec<Sums> = vec![Sums { against: vec![Tally::default(); count], ..Sums::default() }; count];
    let mut total = Standings {
        rows: Vec::new(),
        played: games.len() as u32,
        games: 0,
        void: void.games.len() as u32,
        first_seat: Tally::default(),
        forfeits: BTreeMap::new(),
    };
    for entrant in void.games.iter().flat_map(|game| game.seats.values()) {
        sums[*entrant].void += 1;
    }
    for entrant in &void.quarantined {
        sums[*entrant].quarantined = true;
    }
    let mut seen = BTreeSet::new();
    let mut pairs: BTreeMap<(usize, u32), PairResult> = BTreeMap::new();
    for (game, result) in games {
        let [first, second] = game.seats.values() else { continue };
        let seats = BySeat::from([*first, *second]);
        sums[*first].played += 1;
        sums[*second].played += 1;
        if !seen.insert((*first, *second, result.digest)) {
            continue;
        }
        total.games += 1;
        total.first_seat.add(result.winner.map(|winner| winner == Seat(0)));
        for (seat, code) in &result.forfeits {
            *total.forfeits.entry(*code).or_default() += 1;
            *sums[seats[*seat]].forfeits.entry(*code).or_default() += 1;
        }
        for (seat, entrant) in seats.iter() {
            let won = result.winner.map(|winner| winner == seat);
            let sums = &mut sums[*entrant];
            sums.against[seats[seat.opponent()]].add(won);
            let by_seat = if seat == Seat(0) { &mut sums.by_seat.first } else { &mut sums.by_seat.second };
            by_seat.add(won);
        }
        let (low, high) = (*first.min(second), *first.max(second));
        let none = PairResult { first: low, second: high, games: 0, half_points: 0 };
        let pair = pairs.entry((game.pairing, game.pair)).or_insert(none);
        pair.games += 1;
        pair.half_points += match result.winner {
            None => 1,
            Some(winner) => 2 * u32::from(seats[winner] == low),
        };
    }
    let pairs: Vec<PairResult> = pairs.into_values().collect();
    rank(entrants, sums, &ratings(count, &pairs), &mut total);
    total
}

/// What is summed for an entrant.
#[derive(Clone, Default)]
struct Sums {
    played: u32,
    void: u32,
    quarantined: bool,
    by_seat: SeatTally,
    forfeits: BTreeMap<ForfeitCode, u32>,
    /// By entrant, in the entrants' order.
    against: Vec<Tally>,
}

impl Sums {
    fn tally(&self) -> Tally {
        let SeatTally { first, second } = self.by_seat;
        Tally {
            wins: first.wins + second.wins,
            draws: first.draws + second.draws,
            losses: first.losses + second.losses,
        }
    }
}

fn rank(entrants: &[Entrant], sums: Vec<Sums>, ratings: &[Rating], total: &mut Standings) {
    let mut order: Vec<usize> = (0..entrants.len()).collect();
    order.sort_by_key(|entrant| {
        let best_first = std::cmp::Reverse((ratings[*entrant].tenths, sums[*entrant].tally().half_points()));
        (sums[*entrant].quarantined, best_first, &entrants[*entrant].name)
    });
    let row = |(place, entrant): (usize, &usize)| {
        let (Entrant { name, id }, sums) = (&entrants[*entrant], &sums[*entrant]);
        Row {
            rank: place + 1,
            name: name.clone(),
            id: id.clone(),
            rating: ratings[*entrant],
            played: sums.played,
            tally: sums.tally(),
            by_seat: sums.by_seat,
            forfeits: sums.forfeits.clone(),
            void: sums.void,
            quarantined: sums.quarantined,
            against: order.iter().map(|other| sums.against[*other]).collect(),
        }
    };
    total.rows = order.iter().enumerate().map(row).collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule;

    fn entrants(names: &[&str]) -> Vec<Entrant> {
        let make = |name: &&str| Entrant { name: (*name).into(), id: EntrantId::of_bytes(name.as_bytes()) };
        names.iter().map(make).collect()
    }

    /// Results in which the entrant that is earlier in `strongest_first` always wins; digests count up, or are all equal.
    fn results(games: Vec<ScheduledGame>, distinct: bool) -> Vec<(ScheduledGame, GameResult)> {
        let result = |(number, game): (usize, ScheduledGame)| {
            let winner = Seat(u8::from(game.seats.values()[0] > game.seats.values()[1]));
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&if distinct { number as u64 } else { 0 }.to_le_bytes());
            (game, GameResult { winner: Some(winner), forfeits: Vec::new(), tally: BySeat::from([0, 0]), digest })
        };
        games.into_iter().enumerate().map(result).collect()
    }

    #[test]
    fn the_stronger_is_above_and_points_add_up() {
        let names = entrants(&["ant", "bee", "cat", "dog"]);
        let standings = standings(&names, &results(schedule(1, &names, 5), true));
        let order: Vec<&str> = standings.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(order, ["ant", "bee", "cat", "dog"]);
        assert_eq!((standings.played, standings.games), (60, 60));
        assert_eq!(standings.rows.iter().map(|row| row.tally.half_points()).sum::<u32>(), 2 * 60);
        assert_eq!(standings.rows[0].tally, Tally { wins: 30, draws: 0, losses: 0 });
        assert_eq!(standings.rows[1].against[0], Tally { wins: 0, draws: 0, losses: 10 });
        assert_eq!(standings.first_seat, Tally { wins: 30, draws: 0, losses: 30 });
    }

    #[test]
    fn equal_games_count_once() {
        let names = entrants(&["ant", "bee"]);
        let all_equal = standings(&names, &results(schedule(1, &names, 50), false));
        let one_pair = standings(&names, &results(schedule(1, &names, 1), false));
        assert_eq!((all_equal.played, all_equal.games), (100, 2));
        assert_eq!(all_equal.rows[0].rating, one_pair.rows[0].rating);
        assert_eq!(all_equal.rows[0].tally, one_pair.rows[0].tally);
    }

    #[test]
    fn names_do_not_change_ratings_and_ties_go_by_name() {
        let names = entrants(&["dog", "cat"]);
        let mut games = results(schedule(1, &names, 4), true);
        games.iter_mut().for_each(|(_, result)| result.winner = None);
        let order: Vec<String> = standings(&names, &games).rows.into_iter().map(|row| row.name).collect();
        assert_eq!(order, ["cat", "dog"]);
    }

    #[test]
    fn void_games_count_for_nobody_and_the_quarantined_stand_last() {
        let names = entrants(&["ant", "bee", "cat"]);
        let games = results(schedule(1, &names, 5), true);
        // The strongest is taken out after its first games.
        let is_void = |game: &ScheduledGame| game.number >= 4 && game.seats.values().contains(&0);
        let (void, counted): (Vec<_>, Vec<_>) = games.into_iter().partition(|(game, _)| is_void(game));
        let void = Void { games: void.into_iter().map(|(game, _)| game).collect(), quarantined: BTreeSet::from([0]) };
        let with = standings_with_void(&names, &counted, &void);
        let order: Vec<(&str, u32, bool)> =
            with.rows.iter().map(|row| (row.name.as_str(), row.void, row.quarantined)).collect();
        assert_eq!(with.void as usize, void.games.len());
        assert_eq!(order.iter().map(|(_, void, _)| void).sum::<u32>(), 2 * with.void);
        assert_eq!(order.last().map(|(name, _, quarantined)| (*name, *quarantined)), Some(("ant", true)));
        let without = standings(&names, &counted);
        for row in &with.rows {
            let same = without.rows.iter().find(|other| other.name == row.name);
            assert_eq!(same.map(|row| (row.tally, row.rating)), Some((row.tally, row.rating)));
        }
    }

    #[test]
    fn forfeits_are_counted_for_whoever_sat_there() {
        let names = entrants(&["ant", "bee"]);
        let mut games = results(schedule(1, &names, 2), true);
        for (game, result) in &mut games {
            let bee = game.seats.iter().find(|(_, entrant)| **entrant == 1).map(|(seat, _)| seat);
            result.forfeits = bee.map(|seat| (seat, ForfeitCode::Trap)).into_iter().collect();
        }
        let standings = standings(&names, &games);
        assert_eq!(standings.forfeits, BTreeMap::from([(ForfeitCode::Trap, 4)]));
        assert_eq!(standings.rows[1].forfeits, standings.forfeits);
        assert!(standings.rows[0].forfeits.is_empty());
    }
}
