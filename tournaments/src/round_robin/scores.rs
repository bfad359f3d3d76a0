//! Who won how often against whom, and how strong that makes everybody: a fold over games in schedule order.

use std::collections::BTreeMap;

use arena_record::ForfeitCode;
use arena_rules::Seat;

use crate::rating::{PairResult, Rating, ratings};
use crate::standings::{Column, Note, NoteKind, Row, Value};
use crate::{Entrant, ScheduledGame, SeatTally, Settled, Standings, Tally};

/// What the games of a round robin come to.
pub(super) struct Scores {
    /// The entrants, best first.
    pub(super) order: Vec<usize>,
    /// Of each entrant, in the entrants' order.
    pub(super) of: Vec<Score>,
    /// Games that were played.
    pub(super) played: u32,
    /// Games that count: those between the same entrants in the same seats with equal digests are one.
    pub(super) games: u32,
    /// Games that are void.
    pub(super) void: u32,
    /// Counted games from the first seat's view.
    pub(super) first_seat: Tally,
    /// All forfeits in counted games.
    pub(super) forfeits: BTreeMap<ForfeitCode, u32>,
}

/// What they come to for an entrant.
#[derive(Clone, Default)]
pub(super) struct Score {
    /// Strength and its interval.
    rating: Rating,
    /// Games it took part in.
    played: u32,
    /// Its games that are void.
    void: u32,
    quarantined: bool,
    /// Its counted games by seat.
    pub(super) by_seat: SeatTally,
    /// Its forfeits in counted games.
    pub(super) forfeits: BTreeMap<ForfeitCode, u32>,
    /// By entrant, in the entrants' order: its counted games against it.
    against: Vec<Tally>,
}

impl Score {
    fn tally(&self) -> Tally {
        self.by_seat.first + self.by_seat.second
    }
}

impl Scores {
    /// The fold. Of games that are one game only the first counts.
    pub(super) fn of(entrants: &[Entrant], settled: &Settled) -> Scores {
        let count = entrants.len();
        let score = Score { against: vec![Tally::default(); count], ..Score::default() };
        let mut scores = Scores {
            order: (0..count).collect(),
            of: vec![score; count],
            played: 0,
            games: 0,
            void: 0,
            first_seat: Tally::default(),
            forfeits: BTreeMap::new(),
        };
        for game in settled.void() {
            scores.void += 1;
            game.seats.values().iter().for_each(|entrant| scores.of[*entrant].void += 1);
        }
        settled.quarantined.keys().for_each(|entrant| scores.of[*entrant].quarantined = true);
        let pairs = scores.count(settled);
        for (score, rating) in scores.of.iter_mut().zip(ratings(count, &pairs)) {
            score.rating = rating;
        }
        let Scores { order, of, .. } = &mut scores;
        order.sort_by_key(|entrant| {
            let score = &of[*entrant];
            let best_first = std::cmp::Reverse((score.rating.tenths, score.tally().half_points()));
            (score.quarantined, best_first, &entrants[*entrant].name)
        });
        scores
    }

    /// Counts wins and forfeits; gives the results of the pairs.
    fn count(&mut self, settled: &Settled) -> Vec<PairResult> {
        let mut pairs: Vec<((usize, u32), PairResult)> = Vec::new();
        for ((game, result), is_first) in settled.counted().zip(settled.distinct()) {
            let [first, second] = *game.seats.values() else { continue };
            self.played += 1;
            self.of[first].played += 1;
            self.of[second].played += 1;
            if !is_first {
                continue;
            }
            self.games += 1;
            self.first_seat.add(result.winner.map(|winner| winner == Seat(0)));
            for (seat, code) in &result.forfeits {
                *self.forfeits.entry(*code).or_default() += 1;
                *self.of[game.seats[*seat]].forfeits.entry(*code).or_default() += 1;
            }
            for (own, other, seat) in [(first, second, Seat(0)), (second, first, Seat(1))] {
                let won = result.winner.map(|winner| winner == seat);
                let score = &mut self.of[own];
                score.against[other].add(won);
                let by_seat = if seat == Seat(0) { &mut score.by_seat.first } else { &mut score.by_seat.second };
                by_seat.add(won);
            }
            add(&mut pairs, &game, result.winner, (first.min(second), first.max(second)));
        }
        // The games of a pair follow each other, as a rule.
        pairs.sort_by_key(|(pair, _)| *pair);
        pairs.dedup_by(|(pair, more), (kept, result)| {
            let is_same = pair == kept;
            if is_same {
                result.games += more.games;
                result.half_points += more.half_points;
            }
            is_same
        });
        pairs.into_iter().map(|(_, result)| result).collect()
    }

    /// The same as standings.
    pub(super) fn standings(&self, entrants: &[Entrant]) -> Standings {
        let columns = vec![
            Column::new("rating", "rating").in_json().in_csv().in_text(3, 12),
            Column::new("played", "played").in_json(),
            Column::new("games", "games").in_json().in_csv().in_text(2, 6),
            Column::new("wins", "won").in_json().in_csv().in_text(1, 5),
            Column::new("draws", "drawn").in_json().in_csv().in_text(1, 5),
            Column::new("losses", "lost").in_json().in_csv().in_text(1, 5),
            Column::new("points", "points").in_json().in_csv().in_text(2, 7),
            Column::new("score", "score").in_text(2, 6),
            Column::new("by_seat", "by seat").in_json(),
            Column::new("forfeits", "forfeits").in_json().in_csv().in_text(2, 0),
        ];
        let row = |(place, entrant): (usize, &usize)| {
            let (Entrant { name, id }, score) = (&entrants[*entrant], &self.of[*entrant]);
            let tally = score.tally();
            let values = vec![
                Value::Rating(score.rating),
                Value::Count(score.played),
                Value::Count(tally.games()),
                Value::Count(tally.wins),
                Value::Count(tally.draws),
                Value::Count(tally.losses),
                Value::Points(tally.half_points()),
                Value::Score(tally),
                Value::BySeat(score.by_seat),
                Value::Forfeits(score.forfeits.clone()),
            ];
            let (void, quarantined) = (score.void, score.quarantined);
            Row { rank: place + 1, name: name.clone(), id: id.clone(), values, void, quarantined }
        };
        let against = |entrant: &usize| self.order.iter().map(|other| self.of[*entrant].against[*other]).collect();
        Standings {
            columns,
            rows: self.order.iter().enumerate().map(row).collect(),
            totals: vec![
                ("games_played", Value::Count(self.played)),
                ("games_counted", Value::Count(self.games)),
                ("games_void", Value::Count(self.void)),
                ("first_seat", Value::Tally(self.first_seat)),
                ("forfeits", Value::Forfeits(self.forfeits.clone())),
            ],
            void: self.void,
            notes: self.notes(),
            crosstable: Some(self.order.iter().map(against).collect()),
        }
    }

    fn notes(&self) -> Vec<Note> {
        let rating = "rating: Bradley-Terry strength in Elo points above the field, one pseudo-draw per entrant; 95 % interval over pairs";
        let Tally { wins, draws, losses } = self.first_seat;
        let games = if self.games == self.played {
            format!("{} games, all distinct", self.played)
        } else {
            format!(
                "{} games, {} distinct: games that were played alike count once (bots that ignore their seed repeat themselves)",
                self.played, self.games
            )
        };
        let first_seat = format!("first seat: won {wins}, drew {draws}, lost {losses}");
        let before = [Note { kind: NoteKind::Meaning, text: rating.into() }, Note::fact(first_seat)];
        before.into_iter().chain(Note::void(self.void)).chain([Note::fact(games)]).collect()
    }
}

/// Adds a game to its pair, of which `low` is the one whose points are counted.
fn add(
    pairs: &mut Vec<((usize, u32), PairResult)>,
    game: &ScheduledGame,
    winner: Option<Seat>,
    (low, high): (usize, usize),
) {
    let half_points = winner.map_or(1, |winner| 2 * u32::from(game.seats[winner] == low));
    let key = (game.pairing, game.pair);
    match pairs.last_mut() {
        Some((last, pair)) if *last == key => {
            pair.games += 1;
            pair.half_points += half_points;
        }
        _ => pairs.push((key, PairResult { first: low, second: high, games: 1, half_points })),
    }
}

#[cfg(test)]
mod tests {
    use arena_record::EntrantId;
    use arena_rules::BySeat;

    use super::*;
    use crate::{Format, GameResult, RoundRobin, SettledGame};

    fn entrants(names: &[&str]) -> Vec<Entrant> {
        let make = |name: &&str| Entrant { name: (*name).into(), id: EntrantId::of_bytes(name.as_bytes()) };
        names.iter().map(make).collect()
    }

    fn round_robin(pairs: u32) -> RoundRobin {
        RoundRobin { seed: 1, pairs }
    }

    /// Games in which the entrant that is earlier always wins; digests count up, or are all equal.
    fn results(names: &[Entrant], pairs: u32, distinct: bool) -> Settled {
        let result = |game: ScheduledGame| {
            let winner = Seat(u8::from(game.seats.values()[0] > game.seats.values()[1]));
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&if distinct { game.number as u64 } else { 0 }.to_le_bytes());
            (game, GameResult { winner: Some(winner), forfeits: Vec::new(), tally: BySeat::from([0, 0]), digest })
        };
        round_robin(pairs).games(names).into_iter().map(result).collect()
    }

    fn names(standings: &Standings) -> Vec<&str> {
        standings.rows.iter().map(|row| row.name.as_str()).collect()
    }

    /// What the file of the standings says of a row, in the words of people.
    fn told(standings: &Standings, row: usize, columns: &[&str]) -> Vec<String> {
        let row = &standings.rows[row];
        columns.iter().map(|column| standings.value(row, column).expect("a column").to_string()).collect()
    }

    #[test]
    fn the_stronger_is_above_and_points_add_up() {
        let entrants = entrants(&["ant", "bee", "cat", "dog"]);
        let scores = Scores::of(&entrants, &results(&entrants, 5, true));
        assert_eq!((scores.played, scores.games), (60, 60));
        assert_eq!(scores.of.iter().map(|score| score.tally().half_points()).sum::<u32>(), 2 * 60);
        assert_eq!(scores.first_seat, Tally { wins: 30, draws: 0, losses: 30 });
        let standings = scores.standings(&entrants);
        assert_eq!(names(&standings), ["ant", "bee", "cat", "dog"]);
        assert_eq!(
            told(&standings, 0, &["wins", "draws", "losses", "points", "score"]),
            ["30", "0", "0", "30.0", "100.0 %"]
        );
        let crosstable = standings.crosstable.expect("a crosstable");
        assert_eq!(crosstable[1][0], Tally { wins: 0, draws: 0, losses: 10 });
    }

    #[test]
    fn equal_games_count_once() {
        let entrants = entrants(&["ant", "bee"]);
        let all_equal = Scores::of(&entrants, &results(&entrants, 50, false));
        let one_pair = Scores::of(&entrants, &results(&entrants, 1, false));
        assert_eq!((all_equal.played, all_equal.games), (100, 2));
        assert_eq!(all_equal.of[0].rating, one_pair.of[0].rating);
        assert_eq!(all_equal.of[0].tally(), one_pair.of[0].tally());
    }

    #[test]
    fn names_do_not_change_ratings_and_ties_go_by_name() {
        let entrants = entrants(&["dog", "cat"]);
        let mut games = results(&entrants, 4, true);
        games = games.counted().map(|(game, result)| (game, GameResult { winner: None, ..result })).collect();
        assert_eq!(names(&round_robin(4).standings(&entrants, &games)), ["cat", "dog"]);
    }

    #[test]
    fn void_games_count_for_nobody_and_the_quarantined_stand_last() {
        let entrants = entrants(&["ant", "bee", "cat"]);
        // The strongest is taken out after its first games.
        let taken_out = |(game, result): (ScheduledGame, GameResult)| {
            let is_void = game.number >= 4 && game.seats.values().contains(&0);
            SettledGame { game, result: (!is_void).then_some(result) }
        };
        let mut games: Settled = results(&entrants, 5, true).counted().map(taken_out).collect();
        games.quarantined.insert(0, 4);
        let void = games.void().count() as u32;
        let with = round_robin(5).standings(&entrants, &games);
        assert!(void > 0 && with.void == void);
        assert_eq!(with.rows.iter().map(|row| row.void).sum::<u32>(), 2 * void);
        assert_eq!(with.rows.last().map(|row| (row.name.as_str(), row.quarantined)), Some(("ant", true)));
        assert!(with.notes.iter().any(|note| note.kind == NoteKind::Void));
        let counted = games.counted().collect();
        let without = round_robin(5).standings(&entrants, &counted);
        for row in &with.rows {
            let same = without.rows.iter().find(|other| other.name == row.name);
            assert_eq!(same.map(|row| &row.values), Some(&row.values));
        }
    }

    #[test]
    fn forfeits_are_counted_for_whoever_sat_there() {
        let entrants = entrants(&["ant", "bee"]);
        let trapped = |(game, result): (ScheduledGame, GameResult)| {
            let bee = game.seats.iter().find(|(_, entrant)| **entrant == 1).map(|(seat, _)| seat);
            let forfeits = bee.map(|seat| (seat, ForfeitCode::Trap)).into_iter().collect();
            (game, GameResult { forfeits, ..result })
        };
        let games: Settled = results(&entrants, 2, true).counted().map(trapped).collect();
        let scores = Scores::of(&entrants, &games);
        assert_eq!(scores.forfeits, BTreeMap::from([(ForfeitCode::Trap, 4)]));
        assert_eq!(scores.of[1].forfeits, scores.forfeits);
        assert!(scores.of[0].forfeits.is_empty());
    }
}
