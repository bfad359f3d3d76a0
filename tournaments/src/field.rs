//! Standings of games with more than two seats: a fold over games in schedule order.
//!
//! A game gives each entrant its share of what the ruleset counts at the end, in millionths. The standing is the mean over
//! its games. Two-seat games of the same tournament count for nothing but ties.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use arena_record::{EntrantId, ForfeitCode};
use arena_rules::Seat;
use serde::Serialize;

use crate::report::codes;
use crate::{Entrant, GameResult, ScheduledGame, Tally, Void};

/// A whole game's worth, in the unit of shares.
const WHOLE: u64 = 1_000_000;
/// Standard errors on either side of a mean that make a 95 % interval.
const STANDARD_ERRORS: f64 = 1.96;

/// One entrant's place in a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldRow {
    /// From 1. Entrants that nothing tells apart have the same.
    pub rank: usize,
    /// The entrant's name.
    pub name: String,
    /// What it is.
    pub id: EntrantId,
    /// Its mean share, in millionths.
    pub mean: u64,
    /// Half of the 95 % interval of the mean over its games, in millionths; 0 for less than two games.
    pub half_interval: u64,
    /// Its counted games.
    pub games: u32,
    /// Games of which it had the largest share, alone.
    pub firsts: u32,
    /// Its two-seat games, which break ties.
    pub cage: Tally,
    /// Its forfeits in counted games of the field.
    pub forfeits: BTreeMap<ForfeitCode, u32>,
    /// Games of its schedule that are void.
    pub void: u32,
    /// Whether it was taken out of the tournament: it stands below everybody who was not.
    pub quarantined: bool,
}

/// The standings of a tournament with more than two seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldStandings {
    /// Best first.
    pub rows: Vec<FieldRow>,
    /// Seats of a game of the field.
    pub seats: u8,
    /// Games of the field that count.
    pub games: u32,
    /// Two-seat games that count.
    pub cage_games: u32,
    /// Games of the schedule that are void.
    pub void: u32,
    /// The mean share of each seat, in millionths: how even the seats are.
    pub by_seat: Vec<u64>,
}

/// What is summed for an entrant.
#[derive(Clone, Default)]
struct Sums {
    shares: Vec<u64>,
    firsts: u32,
    forfeits: BTreeMap<ForfeitCode, u32>,
    void: u32,
    quarantined: bool,
    /// By entrant: the two-seat games against it.
    cage: BTreeMap<usize, Tally>,
}

impl Sums {
    fn mean(&self) -> u64 {
        let (sum, games) = (self.shares.iter().sum::<u64>(), self.shares.len().max(1) as u64);
        (2 * sum + games) / (2 * games)
    }

    fn half_interval(&self) -> u64 {
        let games = self.shares.len() as f64;
        if self.shares.len() < 2 {
            return 0;
        }
        let mean = self.shares.iter().sum::<u64>() as f64 / games;
        let squares: f64 = self.shares.iter().map(|share| (*share as f64 - mean) * (*share as f64 - mean)).sum();
        let error = libm::sqrt(squares / (games - 1.0) / games);
        libm::round(STANDARD_ERRORS * error) as u64
    }

    /// Half points of the two-seat games against `rivals`.
    fn against(&self, rivals: &[usize]) -> u32 {
        rivals.iter().filter_map(|rival| self.cage.get(rival)).map(|tally| tally.half_points()).sum()
    }
}

/// The standings after `games`, which are in schedule order. Of games that are one game only the first counts.
/// Ranked by mean share; entrants with the same one by their two-seat games among each other.
pub fn field_standings(
    entrants: &[Entrant],
    seats: u8,
    games: &[(ScheduledGame, GameResult)],
    void: &Void,
) -> FieldStandings {
    let mut sums = vec![Sums::default(); entrants.len()];
    void.games.iter().flat_map(|game| game.seats.values()).for_each(|entrant| sums[*entrant].void += 1);
    void.quarantined.iter().for_each(|entrant| sums[*entrant].quarantined = true);
    let mut by_seat = vec![0_u64; seats.into()];
    let (mut counted, mut cage_games) = (0_u32, 0_u32);
    let mut seen = BTreeSet::new();
    for (game, result) in games {
        if !seen.insert((game.seats.values().to_vec(), result.digest)) {
            continue;
        }
        if let ([first, second], true) = (game.seats.values(), seats > 2) {
            cage_games += 1;
            for (own, other, seat) in [(first, second, Seat(0)), (second, first, Seat(1))] {
                sums[*own].cage.entry(*other).or_default().add(result.winner.map(|winner| winner == seat));
            }
            continue;
        }
        counted += 1;
        let whole: u64 = result.tally.values().iter().map(|tally| u64::from(*tally)).sum();
        let most = result.tally.values().iter().max().copied().unwrap_or(0);
        let leaders = result.tally.values().iter().filter(|tally| **tally == most).count();
        for (seat, entrant) in game.seats.iter() {
            let tally = result.tally[seat];
            let share = (u64::from(tally) * WHOLE).checked_div(whole).unwrap_or(0);
            by_seat[seat.index()] += share;
            sums[*entrant].shares.push(share);
            sums[*entrant].firsts += u32::from(most > 0 && tally == most && leaders == 1);
        }
        for (seat, code) in &result.forfeits {
            *sums[game.seats[*seat]].forfeits.entry(*code).or_default() += 1;
        }
    }
    let per_game = |sum: u64| sum / u64::from(counted.max(1));
    FieldStandings {
        rows: rank(entrants, &sums),
        seats,
        games: counted,
        cage_games,
        void: void.games.len() as u32,
        by_seat: by_seat.into_iter().map(per_game).collect(),
    }
}

fn rank(entrants: &[Entrant], sums: &[Sums]) -> Vec<FieldRow> {
    let level = |entrant: &usize| (sums[*entrant].quarantined, std::cmp::Reverse(sums[*entrant].mean()));
    let mut order: Vec<usize> = (0..entrants.len()).collect();
    order.sort_by_key(level);
    let mut rows = Vec::new();
    for tied in order.chunk_by(|a, b| level(a) == level(b)) {
        let points = |entrant: &usize| std::cmp::Reverse(sums[*entrant].against(tied));
        let mut tied_order = tied.to_vec();
        tied_order.sort_by_key(|entrant| (points(entrant), &entrants[*entrant].name));
        let above = rows.len();
        for same in tied_order.chunk_by(|a, b| points(a) == points(b)) {
            let rank = 1 + above + tied_order.iter().filter(|other| points(other) < points(&same[0])).count();
            rows.extend(same.iter().map(|entrant| row(rank, &entrants[*entrant], &sums[*entrant])));
        }
    }
    rows
}

fn row(rank: usize, entrant: &Entrant, sums: &Sums) -> FieldRow {
    let mut cage = Tally::default();
    for tally in sums.cage.values() {
        cage.wins += tally.wins;
        cage.draws += tally.draws;
        cage.losses += tally.losses;
    }
    FieldRow {
        rank,
        name: entrant.name.clone(),
        id: entrant.id.clone(),
        mean: sums.mean(),
        half_interval: sums.half_interval(),
        games: sums.shares.len() as u32,
        firsts: sums.firsts,
        cage,
        forfeits: sums.forfeits.clone(),
        void: sums.void,
        quarantined: sums.quarantined,
    }
}

/// `standings.json`. Scores are shares from 0 to 1.
#[derive(Serialize)]
struct Json<'a> {
    entrants: Vec<JsonRow<'a>>,
    seats: u8,
    games_counted: u32,
    cage_games_counted: u32,
    games_void: u32,
    score_by_seat: Vec<f64>,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    rank: usize,
    name: &'a str,
    id: &'a str,
    score: f64,
    score_low: f64,
    score_high: f64,
    games: u32,
    firsts: u32,
    cage: Tally,
    forfeits: BTreeMap<&'static str, u32>,
    void: u32,
    quarantined: bool,
}

fn share(millionths: u64) -> f64 {
    millionths as f64 / WHOLE as f64
}

/// Percent with one decimal, rounded half up.
fn percent(millionths: u64) -> String {
    let per_mille = (millionths + 500) / 1_000;
    format!("{}.{}", per_mille / 10, per_mille % 10)
}

impl FieldRow {
    /// The mean share with its interval, for people: `41.2 ± 3.0 %`.
    pub fn score(&self) -> String {
        format!("{} ± {} %", percent(self.mean), percent(self.half_interval))
    }
}

impl FieldStandings {
    /// One line of JSON with a newline.
    ///
    /// # Panics
    /// Never: all fields are plain values.
    pub fn to_json(&self) -> String {
        let entrants = self.rows.iter().map(|row| JsonRow {
            rank: row.rank,
            name: &row.name,
            id: row.id.as_str(),
            score: share(row.mean),
            score_low: share(row.mean.saturating_sub(row.half_interval)),
            score_high: share((row.mean + row.half_interval).min(WHOLE)),
            games: row.games,
            firsts: row.firsts,
            cage: row.cage,
            forfeits: codes(&row.forfeits),
            void: row.void,
            quarantined: row.quarantined,
        });
        let json = Json {
            entrants: entrants.collect(),
            seats: self.seats,
            games_counted: self.games,
            cage_games_counted: self.cage_games,
            games_void: self.void,
            score_by_seat: self.by_seat.iter().map(|mean| share(*mean)).collect(),
        };
        serde_json::to_string(&json).expect("names and numbers always serialise") + "\n"
    }

    /// A line per entrant, comma-separated, with a header line.
    pub fn to_csv(&self) -> String {
        let mut text = String::from(
            "rank,name,id,score,score_low,score_high,games,firsts,cage_wins,cage_draws,cage_losses,forfeits,void,quarantined\n",
        );
        for row in &self.rows {
            let (low, high) = (row.mean.saturating_sub(row.half_interval), (row.mean + row.half_interval).min(WHOLE));
            let _ = writeln!(
                text,
                "{},{},{},{:.6},{:.6},{:.6},{},{},{},{},{},{},{},{}",
                row.rank,
                row.name,
                row.id,
                share(row.mean),
                share(low),
                share(high),
                row.games,
                row.firsts,
                row.cage.wins,
                row.cage.draws,
                row.cage.losses,
                row.forfeits.values().sum::<u32>(),
                row.void,
                row.quarantined
            );
        }
        text
    }

    /// A table for a terminal.
    pub fn to_table(&self) -> String {
        let width = self.rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max("bot".len());
        let mut text = format!("  #  {:<width$}  {:>16}   games  first   cage  forfeits\n", "bot", "score");
        for row in &self.rows {
            let cage = format!("{}-{}-{}", row.cage.wins, row.cage.draws, row.cage.losses);
            let forfeits: u32 = row.forfeits.values().sum();
            let end = if row.quarantined { "  QUARANTINED" } else { "" };
            let _ = writeln!(
                text,
                "{:>3}  {:<width$}  {:>16}  {:>6} {:>6} {cage:>6} {forfeits:>9}{end}",
                row.rank,
                row.name,
                row.score(),
                row.games,
                row.firsts
            );
        }
        let by_seat: Vec<String> = self.by_seat.iter().map(|mean| percent(*mean)).collect();
        let _ = writeln!(
            text,
            "\nscore: mean share of coloured cells at the end of a game; 95 % interval over games. Ties go by the {} two-seat games",
            self.cage_games
        );
        let _ = writeln!(text, "{} games of {} seats; by seat: {} %", self.games, self.seats, by_seat.join(", "));
        if self.void > 0 {
            let _ = writeln!(
                text,
                "{} games are void and count for nobody: a bot's process died in them each time, or a bot was quarantined before",
                self.void
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use arena_rules::BySeat;

    use super::*;
    use crate::field_schedule;

    fn entrants(names: &[&str]) -> Vec<Entrant> {
        let make = |name: &&str| Entrant { name: (*name).into(), id: EntrantId::of_bytes(name.as_bytes()) };
        names.iter().map(make).collect()
    }

    /// Results of which `tally` says what an entrant has at the end, and `winner` who wins a two-seat game.
    fn results(
        names: &[Entrant],
        tally: impl Fn(usize, usize) -> u32,
        winner: impl Fn(usize, usize) -> usize,
    ) -> Vec<(ScheduledGame, GameResult)> {
        let result = |(number, game): (usize, ScheduledGame)| {
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&(number as u64).to_le_bytes());
            let seats = game.seats.clone();
            let winner = match seats.values() {
                [a, b] => seats.iter().find(|(_, entrant)| **entrant == winner(*a, *b)).map(|(seat, _)| seat),
                _ => None,
            };
            let tally: BySeat<u32> = seats.map(|entrant| tally(entrant, number));
            (game, GameResult { winner, forfeits: Vec::new(), tally, digest })
        };
        field_schedule(1, names, 3, 90, 1).into_iter().enumerate().map(result).collect()
    }

    #[test]
    fn shares_are_averaged_and_the_mean_decides() {
        let names = entrants(&["ant", "bee", "cat", "dog"]);
        // Equal in all games but for the first entrant, who always has three times as much.
        let games = results(&names, |entrant, _| if entrant == 2 { 30 } else { 10 }, |a, b| a.min(b));
        let table = field_standings(&names, 3, &games, &Void::default());
        assert_eq!((table.rows[0].name.as_str(), table.rows[0].mean, table.rows[0].half_interval), ("cat", 600_000, 0));
        assert_eq!(table.rows[0].firsts, table.rows[0].games);
        assert_eq!((table.games, table.cage_games), (90, 12));
        assert_eq!(table.rows.iter().map(|row| row.games).sum::<u32>(), 3 * 90);
    }

    #[test]
    fn the_cage_decides_between_equals_and_only_there() {
        let names = entrants(&["ant", "bee", "cat"]);
        // In the cage the last beats everybody, and the second the first.
        let games = results(&names, |entrant, _| if entrant == 2 { 1 } else { 10 }, |a, b| a.max(b));
        let table = field_standings(&names, 3, &games, &Void::default());
        let order: Vec<(usize, &str)> = table.rows.iter().map(|row| (row.rank, row.name.as_str())).collect();
        assert_eq!(order, [(1, "bee"), (2, "ant"), (3, "cat")], "a won cage does not lift a lower score");
        assert_eq!(table.rows[0].mean, table.rows[1].mean);
        // Without a winner in the cage nothing tells them apart.
        let even = results(&names, |_, _| 1, |_, _| usize::MAX);
        let table = field_standings(&names, 3, &even, &Void::default());
        assert!(table.rows.iter().all(|row| row.rank == 1));
        assert_eq!(table.rows[0].name, "ant");
    }

    #[test]
    fn a_board_without_survivors_gives_nobody_anything() {
        let names = entrants(&["ant", "bee", "cat"]);
        let games = results(&names, |entrant, number| u32::from(number % 2 == 0 && entrant == 0), |a, _| a);
        let table = field_standings(&names, 3, &games, &Void::default());
        assert_eq!((table.rows[0].mean, table.rows[1].mean), (500_000, 0));
        assert!(table.rows[0].half_interval > 90_000 && table.rows[0].half_interval < 110_000);
    }

    #[test]
    fn equal_games_count_once_and_the_quarantined_stand_last() {
        let names = entrants(&["ant", "bee", "cat"]);
        let mut games = results(&names, |entrant, _| if entrant == 0 { 5 } else { 1 }, |a, _| a);
        games.iter_mut().for_each(|(_, result)| result.digest = [0; 32]);
        let void = Void { games: Vec::new(), quarantined: BTreeSet::from([0]) };
        let table = field_standings(&names, 3, &games, &void);
        assert!(table.games <= 6, "one game for each way to sit");
        assert_eq!(table.rows.last().map(|row| (row.name.as_str(), row.quarantined)), Some(("ant", true)));
    }

    #[test]
    fn all_three_texts_say_the_same() {
        let names = entrants(&["ant", "bee", "cat"]);
        let games = results(&names, |entrant, number| (entrant * number % 7) as u32, |a, _| a);
        let table = field_standings(&names, 3, &games, &Void::default());
        let json: serde_json::Value = serde_json::from_str(&table.to_json()).expect("JSON");
        let (csv, text) = (table.to_csv(), table.to_table());
        for (number, row) in table.rows.iter().enumerate() {
            assert_eq!(json["entrants"][number]["score"].as_f64(), Some(share(row.mean)));
            assert!(csv.lines().nth(number + 1).is_some_and(|line| line.contains(&format!("{:.6}", share(row.mean)))));
            assert!(text.lines().nth(number + 1).is_some_and(|line| line.contains(&row.score())), "{text}");
        }
    }
}
