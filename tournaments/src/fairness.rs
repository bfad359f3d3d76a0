//! Whether a tournament was fair: the first seat's advantage, the seating, the seeds, and faults.
//!
//! Seats, scores and forfeits are those of counted games, as in the standings; seats are also counted over all games,
//! because the schedule assigns them. The same games always give the same bytes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use arena_limits::counted;
use arena_record::{EntrantId, Hex};
use arena_rules::Seat;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::bots::Bots;
use crate::names::Names;
use crate::rating::Z95;
use crate::report::codes;
use crate::scores::Scores;
use crate::transitivity::Transitivity;
use crate::{Entrant, Fate, SeatTally, Settled, Tally};

/// Repetitions listed in the text; the JSON has all.
const REPEATS_SHOWN_MAX: usize = 10;

/// The report on a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fairness {
    /// The first seat's score; `None` without a game.
    pub first_seat: Option<FirstSeat>,
    /// The seats of each entrant, in the order of the standings.
    pub entrants: Vec<EntrantSeats>,
    /// The number of the games' seeds, and their hash.
    pub seeds: Seeds,
    /// What went wrong.
    #[serde(flatten)]
    pub faults: Faults,
    /// Pairings in which games were repeated, in the order of the schedule.
    pub repeats: Vec<Repeats>,
    /// Whether one number for each entrant explains the results; `None` with too few pairings.
    pub transitivity: Option<Transitivity>,
}

/// Games that went wrong, or do not count.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Faults {
    /// Forfeits in counted games, by code.
    pub forfeits: BTreeMap<&'static str, u32>,
    /// Games that the machine lost and that were not replayed: they have no result.
    pub games_lost_to_the_machine: u32,
    /// Games that were played.
    pub games_played: u32,
    /// Distinct games among them: only these count.
    pub games_distinct: u32,
    /// Entrants that are one bot under several names, for each such bot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub equal_bytes: Vec<Vec<String>>,
}

impl Faults {
    /// The same as text, with the forfeits of each entrant.
    pub(crate) fn to_text<'a>(
        &self,
        of_entrants: impl Iterator<Item = (&'a str, &'a BTreeMap<&'static str, u32>)>,
        names: &Names<'_>,
    ) -> String {
        let mut text = format!("\nforfeits: {}\n", listed(&self.forfeits));
        for (name, forfeits) in of_entrants.filter(|(_, forfeits)| !forfeits.is_empty()) {
            let _ = writeln!(text, "  {}: {}", names.called(name), listed(forfeits));
        }
        let (lost, played) = (self.games_lost_to_the_machine, self.games_played);
        let _ = writeln!(text, "games lost to the machine: {lost} of {}", played + lost);
        let _ = writeln!(text, "games: {played} played, {} of them distinct", self.games_distinct);
        for group in &self.equal_bytes {
            let called: Vec<String> = group.iter().map(|name| names.called(name)).collect();
            let _ = writeln!(text, "  one bot under {} names: {}", group.len(), called.join(", "));
        }
        text
    }
}

/// The first seat's score over counted games, in tenths of a percent: 500 is neither better nor worse.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct FirstSeat {
    /// Its wins, draws and losses.
    pub games: Tally,
    /// Pairs that these games belong to; they are the unit of the interval.
    pub pairs: u32,
    /// Its share of the points, in thousandths.
    pub score_per_mille: i64,
    /// Half the width of the 95 % interval around it.
    pub half_interval_per_mille: i64,
}

impl FirstSeat {
    /// Whether the interval excludes an even score.
    pub fn is_uneven(&self) -> bool {
        (self.score_per_mille - 500).abs() > self.half_interval_per_mille
    }
}

/// An entrant's seats.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EntrantSeats {
    /// Its name.
    pub name: String,
    /// The hash of its bytes, or its built-in opponent.
    pub id: EntrantId,
    /// Games it moved first in, counted or not.
    pub played_first: u32,
    /// Games it moved second in, counted or not.
    pub played_second: u32,
    /// Its counted games by seat.
    pub counted: SeatTally,
    /// Its forfeits in counted games, by code.
    pub forfeits: BTreeMap<&'static str, u32>,
}

/// The seeds of the games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Seeds {
    /// Pairs of games.
    pub pairs: u32,
    /// Distinct seeds among them.
    pub distinct: u32,
    /// Pairs whose two games have the same seed, as they should.
    pub pairs_sharing_their_seed: u32,
    /// SHA-256 of the pairs' seeds in the order of the schedule, 32 bytes each.
    pub sha256: String,
}

/// A pairing in which games were repeated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Repeats {
    /// The two entrants.
    pub entrants: [String; 2],
    /// Games between them.
    pub played: u32,
    /// Distinct games among them.
    pub distinct: u32,
}

/// The report after two-seat games, in the order of the ratings. Removed entrants are last, as in the standings.
pub fn fairness(entrants: &[Entrant], settled: &Settled) -> Fairness {
    let scores = Scores::of(entrants, settled);
    Fairness {
        first_seat: first_seat(scores.first_seat, settled, &scores.bots),
        entrants: seats(entrants, settled, &scores),
        seeds: seeds(settled),
        faults: Faults {
            forfeits: codes(&scores.forfeits),
            games_lost_to_the_machine: scores.void,
            games_played: scores.played,
            games_distinct: scores.games,
            equal_bytes: equal_bytes(entrants, &scores.bots),
        },
        repeats: repeats(entrants, settled, &scores.bots),
        transitivity: scores.transitivity(entrants),
    }
}

/// The first seat's score and its interval.
///
/// The pair is the unit: it has the first seat's points p of its n counted games. The score is S = sum p / sum n, its
/// variance the pairs' sum of (p - S n)^2 over (sum n)^2. To these squares two pseudo-pairs are added, one won by each
/// seat, because otherwise a few equal pairs would claim certainty; they do not change the score.
fn first_seat(tally: Tally, settled: &Settled, bots: &Bots) -> Option<FirstSeat> {
    let counted = settled.counted().zip(settled.distinct(|entrant| bots.bot(entrant)));
    let counted = counted.filter(|(_, is_first)| *is_first).map(|((game, result), _)| {
        let half_points = result.winner.map_or(1, |winner| 2 * u32::from(winner == Seat(0)));
        ((game.pairing as u32, game.pair), half_points)
    });
    let mut of_games: Vec<((u32, u32), u32)> = counted.collect();
    of_games.sort_unstable_by_key(|(pair, _)| *pair);
    // The number of games of each pair, and the first seat's half points.
    let pairs = of_games.chunk_by(|(one, _), (other, _)| one == other);
    let pairs = pairs.map(|games| (games.len() as u32, games.iter().map(|(_, half_points)| half_points).sum()));
    let pairs: Vec<(u32, u32)> = pairs.collect();
    let games: f64 = pairs.iter().fold(0.0, |sum, (games, _)| sum + f64::from(*games));
    let points = pairs.iter().fold(0.0, |sum, (_, half_points)| sum + f64::from(*half_points) / 2.0);
    if pairs.is_empty() {
        return None;
    }
    let score = points / games;
    let pseudo = [(2, 4), (2, 0)];
    let all = pairs.iter().copied().chain(pseudo);
    let squares = all.fold(0.0, |sum, (games, half_points)| {
        let surplus = f64::from(half_points) / 2.0 - score * f64::from(games);
        sum + surplus * surplus
    });
    let per_mille = |value: f64| libm::round(1000.0 * value) as i64;
    Some(FirstSeat {
        games: tally,
        pairs: pairs.len() as u32,
        score_per_mille: per_mille(score),
        half_interval_per_mille: per_mille(Z95 * libm::sqrt(squares) / games).min(1000),
    })
}

fn seats(entrants: &[Entrant], settled: &Settled, scores: &Scores) -> Vec<EntrantSeats> {
    let mut played = vec![[0; 2]; entrants.len()];
    for (game, _) in settled.counted() {
        game.seats.values().iter().zip(0..2).for_each(|(entrant, seat)| played[*entrant][seat] += 1);
    }
    let row = |entrant: &usize| {
        let [played_first, played_second] = played[*entrant];
        let (Entrant { name, id, .. }, score) = (&entrants[*entrant], &scores.of[*entrant]);
        EntrantSeats {
            name: name.clone(),
            id: id.clone(),
            played_first,
            played_second,
            counted: score.by_seat,
            forfeits: codes(&score.forfeits),
        }
    };
    scores.ranking(entrants).places().map(|(_, entrant)| row(&entrant)).collect()
}

fn seeds(settled: &Settled) -> Seeds {
    // Each seed of a pair once, from one of its games. Both games usually have the same seed, and follow each other.
    let mut seeds: Vec<[u32; 3]> = Vec::with_capacity(settled.len() / 2);
    let of = |[pairing, pair, place]: &[u32; 3]| (*pairing, *pair, settled.seed(*place as usize));
    for (place, (game, fate, result)) in settled.all().enumerate() {
        let seed = [game.pairing as u32, game.pair, place as u32];
        let counts = fate == Fate::Counted && result.is_some();
        if counts && seeds.last().is_none_or(|last| of(last) != of(&seed)) {
            seeds.push(seed);
        }
    }
    seeds.sort_unstable_by(|one, other| of(one).cmp(&of(other)));
    seeds.dedup_by(|one, other| of(one) == of(other));
    let pairs = seeds.chunk_by(|one, other| one[..2] == other[..2]);
    let (all, sharing) = pairs.fold((0, 0), |(all, sharing), pair| (all + 1, sharing + u32::from(pair.len() == 1)));
    let mut hasher = Sha256::new();
    seeds.iter().filter_map(|seed| of(seed).2).for_each(|seed| hasher.update(seed));
    seeds.sort_unstable_by_key(|seed| of(seed).2);
    seeds.dedup_by_key(|seed| of(seed).2);
    Seeds {
        pairs: all,
        distinct: seeds.len() as u32,
        pairs_sharing_their_seed: sharing,
        sha256: Hex::<32>(hasher.finalize().into()).to_string(),
    }
}

/// The names of each bot that has several.
pub(crate) fn equal_bytes(entrants: &[Entrant], bots: &Bots) -> Vec<Vec<String>> {
    let names = |group: Vec<usize>| group.into_iter().map(|entrant| entrants[entrant].name.clone()).collect();
    bots.shared().into_iter().map(names).collect()
}

fn repeats(entrants: &[Entrant], settled: &Settled, bots: &Bots) -> Vec<Repeats> {
    let mut pairings: BTreeMap<usize, Repeats> = BTreeMap::new();
    for ((game, _), is_first) in settled.counted().zip(settled.distinct(|entrant| bots.bot(entrant))) {
        let [first, second] = *game.seats.values() else { continue };
        let names = || [first.min(second), first.max(second)].map(|entrant| entrants[entrant].name.clone());
        let repeats = pairings.entry(game.pairing);
        let repeats = repeats.or_insert_with(|| Repeats { entrants: names(), played: 0, distinct: 0 });
        repeats.played += 1;
        repeats.distinct += u32::from(is_first);
    }
    pairings.into_values().filter(|repeats| repeats.distinct < repeats.played).collect()
}

impl Fairness {
    /// One line of JSON with a newline.
    ///
    /// # Panics
    /// Never: all fields are plain values.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("names and numbers always serialise") + "\n"
    }

    /// The same as files, by name.
    pub(crate) fn files(&self) -> Vec<(&'static str, String)> {
        vec![("fairness.json", self.to_json()), ("fairness.txt", self.to_text())]
    }

    /// The report as text for people.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let names = Names::of(self.entrants.iter().map(|entrant| (&*entrant.name, &entrant.id)));
        self.first_seat_text(&mut text);
        self.seats_text(&mut text, &names);
        let Seeds { pairs, distinct, pairs_sharing_their_seed, sha256 } = &self.seeds;
        let _ = writeln!(
            text,
            "\nseeds: {} of games, {}, {} with one seed for both games\n       SHA-256 of the seeds in the order of the \
             schedule {sha256}",
            counted(*pairs, "pair"),
            counted(*distinct, "different seed"),
            counted(*pairs_sharing_their_seed, "pair")
        );
        let of_entrants = self.entrants.iter().map(|entrant| (&*entrant.name, &entrant.forfeits));
        text += &self.faults.to_text(of_entrants, &names);
        for Repeats { entrants: [one, other], played, distinct } in self.repeats.iter().take(REPEATS_SHOWN_MAX) {
            let [one, other] = [one, other].map(|name| names.called(name));
            let _ = writeln!(text, "  {one} - {other}: {distinct} distinct of {played}");
        }
        if let more @ 1.. = self.repeats.len().saturating_sub(REPEATS_SHOWN_MAX) {
            let _ = writeln!(text, "  and {} with repeated games", counted(more, "other pairing"));
        }
        text += &self.transitivity.iter().map(|found| found.to_text(&names)).collect::<String>();
        text
    }

    fn first_seat_text(&self, text: &mut String) {
        let Some(first) = &self.first_seat else {
            let _ = writeln!(text, "first seat: no game was played");
            return;
        };
        let Tally { wins, draws, losses } = first.games;
        let worth = match (first.is_uneven(), first.score_per_mille > 500) {
            (false, _) => "no advantage of either seat is shown",
            (true, true) => "the first seat is the better one",
            (true, false) => "the second seat is the better one",
        };
        let _ = writeln!(
            text,
            "first seat: score {} ± {} %, 95 % interval over {}: {worth}\n            won {wins}, drew {draws}, lost {losses}",
            tenths(first.score_per_mille),
            tenths(first.half_interval_per_mille),
            counted(first.pairs, "pair")
        );
    }

    fn seats_text(&self, text: &mut String, names: &Names<'_>) {
        let _ = writeln!(
            text,
            "\n{}  {:>13}  {:>13}  score first  score second",
            names.cells("bot", "id"),
            "games first",
            "games second"
        );
        for EntrantSeats { name, id, played_first, played_second, counted, .. } in &self.entrants {
            let score = |tally| crate::report::percent(tally);
            let _ = writeln!(
                text,
                "{}  {played_first:>13}  {played_second:>13}  {:>11}  {:>12}",
                names.cells(name, id.short()),
                score(counted.first),
                score(counted.second)
            );
        }
        let unbalanced = self.entrants.iter().filter(|entrant| entrant.played_first != entrant.played_second).count();
        let _ = match unbalanced {
            0 => writeln!(text, "every bot moved first as often as second"),
            _ => writeln!(text, "{} moved first more or less often than second", counted(unbalanced, "bot")),
        };
    }
}

/// Per mille as percent with one decimal.
fn tenths(per_mille: i64) -> String {
    format!("{}.{}", per_mille / 10, per_mille % 10)
}

fn listed(forfeits: &BTreeMap<&'static str, u32>) -> String {
    if forfeits.is_empty() {
        return "none".into();
    }
    forfeits.iter().map(|(code, games)| format!("{games} {code}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use arena_record::{EntrantId, ForfeitCode};
    use arena_rules::Rng;

    use super::*;
    use crate::{Format, GameResult, RoundRobin, ScheduledGame, SettledGame};

    fn entrants(count: usize) -> Vec<Entrant> {
        let names = ["ant", "bee", "cat", "dog"];
        let make = |name: &&str| Entrant::new(*name, EntrantId::of_bytes(name.as_bytes()));
        names[..count].iter().map(make).collect()
    }

    /// All games of a schedule, with the winners and digests that `end` gives for each number.
    fn played(entrants: &[Entrant], pairs: u32, mut end: impl FnMut(usize) -> (Option<Seat>, u8)) -> Settled {
        let result = |game: ScheduledGame| {
            let (winner, digest) = end(game.number);
            let mut bytes = [digest; 32];
            bytes[1..9].copy_from_slice(&(if digest == 0 { game.number as u64 + 1 } else { 0 }).to_le_bytes());
            (
                game,
                GameResult {
                    winner,
                    forfeits: Vec::new(),
                    tally: arena_rules::BySeat::from([0, 0]),
                    digest: bytes,
                    reason: arena_rules::Reason::Majority,
                    turns: 0,
                },
            )
        };
        RoundRobin::new(7, pairs).games(entrants).iter().map(result).collect()
    }

    /// The same games with other results.
    fn ended(settled: &Settled, mut end: impl FnMut(&ScheduledGame, &mut GameResult)) -> Settled {
        let changed = |(game, mut result)| {
            end(&game, &mut result);
            (game, result)
        };
        settled.counted().map(changed).collect()
    }

    #[test]
    fn the_first_seats_score_is_its_points() {
        let names = entrants(2);
        // The first seat wins three of four games, and every pair is alike.
        let games = played(&names, 100, |number| ([Some(Seat(0)), None][number % 2], 0));
        let report = fairness(&names, &games);
        let first = report.first_seat.expect("games were played");
        assert_eq!((first.score_per_mille, first.pairs), (750, 100));
        assert!(first.is_uneven() && (1..=20).contains(&first.half_interval_per_mille), "{first:?}");
        // Swapping all winners mirrors the score, with the same interval.
        let turned = played(&names, 100, |number| ([Some(Seat(1)), None][number % 2], 0));
        let other = fairness(&names, &turned).first_seat.expect("games were played");
        assert_eq!((other.score_per_mille, other.half_interval_per_mille), (250, first.half_interval_per_mille));
        // A single pair proves nothing.
        let one = fairness(&names, &played(&names, 1, |_| (Some(Seat(0)), 0))).first_seat.expect("a pair");
        assert_eq!(one.score_per_mille, 1000);
        assert!(!one.is_uneven(), "{one:?}");
        assert_eq!(fairness(&names, &Settled::default()).first_seat, None);
    }

    #[test]
    fn seats_seeds_and_repeats_are_counted() {
        let names = entrants(3);
        // Between ant and bee every game is the same in each seat; all other games are distinct.
        let schedule: Vec<ScheduledGame> = RoundRobin::new(7, 5).games(&names).iter().collect();
        let same = |number: usize| {
            let mut seats = schedule[number].seats.values().to_vec();
            seats.sort_unstable();
            seats == [0, 1]
        };
        let mut games = played(&names, 5, |number| (Some(Seat(0)), if same(number) { 1 } else { 0 }));
        let lost = schedule[..3].iter().map(|game| SettledGame { game: game.clone(), result: None });
        games.extend(lost);
        let report = fairness(&names, &games);
        assert_eq!((report.faults.games_played, report.faults.games_distinct), (30, 22));
        let [repeats] = &report.repeats[..] else { panic!("{:?}", report.repeats) };
        assert_eq!((&repeats.entrants, repeats.played, repeats.distinct), (&["ant".into(), "bee".into()], 10, 2));
        for entrant in &report.entrants {
            assert_eq!((entrant.played_first, entrant.played_second), (10, 10));
            assert_eq!(entrant.counted.first.games(), entrant.counted.second.games());
        }
        let Seeds { pairs, distinct, pairs_sharing_their_seed, .. } = report.seeds;
        assert_eq!((pairs, distinct, pairs_sharing_their_seed), (15, 15, 15));
        let text = report.to_text();
        let [ant, bee] = [0, 1].map(|entrant: usize| names[entrant].id.short());
        let repeated = format!("ant {ant} - bee {bee}: 2 distinct of 10");
        for line in [&*repeated, "games lost to the machine: 3 of 33", "30 played, 22 of them distinct"] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(text.contains("every bot moved first as often as second"), "{text}");
        // One game fewer is visible.
        let less: Settled = games.games().skip(1).collect();
        let unbalanced = fairness(&names, &less);
        assert!(unbalanced.to_text().contains("2 bots moved first more or less often"), "{}", unbalanced.to_text());
        let foreign = |(game, result): (ScheduledGame, GameResult)| match game.number {
            0 => (ScheduledGame { seed: [0; 32], ..game }, result),
            _ => (game, result),
        };
        let foreign: Settled = games.counted().map(foreign).collect();
        let seeds = fairness(&names, &foreign).seeds;
        assert_eq!((seeds.distinct, seeds.pairs_sharing_their_seed), (16, 14));
        assert_ne!(seeds.sha256, report.seeds.sha256);
    }

    #[test]
    fn the_quarantined_stand_last_as_in_the_standings() {
        let names = entrants(3);
        let mut games = played(&names, 4, |_| (Some(Seat(0)), 0));
        games.left.insert(0, crate::Left { from: 9, why: crate::Leave::Quarantined });
        let report = fairness(&names, &games);
        let found = report.entrants.iter().map(|row| row.name.clone()).collect::<Vec<_>>();
        let standings = RoundRobin::new(7, 4).standings(&names, &games);
        assert_eq!(found, standings.rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>());
        assert_eq!(found.last().map(String::as_str), Some("ant"));
    }

    #[test]
    fn forfeits_are_listed_by_code_and_entrant() {
        let names = entrants(2);
        let games = ended(&played(&names, 2, |_| (Some(Seat(0)), 0)), |game, result| {
            let bee = game.seats.iter().find(|(_, entrant)| **entrant == 1).map(|(seat, _)| seat);
            result.forfeits = bee.map(|seat| (seat, ForfeitCode::Trap)).into_iter().collect();
        });
        let report = fairness(&names, &games);
        assert_eq!(report.faults.forfeits, BTreeMap::from([("trap", 4)]));
        let text = report.to_text();
        let said = format!("forfeits: 4 trap\n  bee {}: 4 trap\n", names[1].id.short());
        assert!(text.contains(&said), "{text}");
        let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("JSON");
        assert_eq!(json["forfeits"]["trap"], 4);
        assert_eq!(json["first_seat"]["score_per_mille"], 1000);
        assert_eq!(json["entrants"].as_array().map(Vec::len), Some(2));
        assert!(report.to_json().ends_with("}\n"));
    }

    mod slow {
        use super::*;

        #[test]
        fn intervals_cover_the_truth_about_as_often_as_they_say() {
            let names = entrants(4);
            // Some pairings are lopsided, so that the games of a pair depend on each other.
            let (trials, mut covered) = (400, 0);
            for trial in 0..trials {
                let mut rng = Rng::new(&[4; 32], trial);
                let games = ended(&played(&names, 15, |_| (None, 0)), |game, result| {
                    let [first, second] = *game.seats.values() else { panic!("two seats") };
                    let percent = match (first / 2).cmp(&(second / 2)) {
                        std::cmp::Ordering::Equal => 60,
                        std::cmp::Ordering::Less => 95,
                        std::cmp::Ordering::Greater => 15,
                    };
                    result.winner = Some(Seat(u8::from(rng.below(100) >= percent)));
                });
                // Of six pairings two are even, with 60 %, and four are lopsided, with 55 % over both games.
                let truth = (2 * 600 + 4 * 550) / 6;
                let first = fairness(&names, &games).first_seat.expect("games were played");
                covered += u32::from((first.score_per_mille - truth).abs() <= first.half_interval_per_mille);
            }
            let trials = trials as u32;
            assert!((trials * 92 / 100..=trials * 99 / 100).contains(&covered), "{covered} of {trials}");
        }
    }
}
