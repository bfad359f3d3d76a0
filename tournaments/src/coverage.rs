//! How often the claims of standings are true: simulated tournaments of entrants with known strengths.
//!
//! The formats themselves choose the games and make the standings; only results are drawn. Each row is compared with
//! the truth. `cargo xtask coverage` runs 10,000 tournaments of each kind; tests run fewer, with wider limits. Each
//! kind has limits for the two-sided intervals of ratings and of the difference to the next row. Rank intervals, and
//! orders that a stop declares settled, must hold at least 95 % of the time. All kinds of two-seat games together are
//! checked in the same way, without and with a stop. Bounds are only checked there: a bound is wrong in at most one of
//! 40 cases, but most wrong ones are among the few tournaments in which an entrant won every game by luck. The kinds of
//! fields have limits of their own, and their bounds are only printed.

#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

use std::thread;

use arena_rules::{BySeat, Rng};

use crate::rating::{ELO, Rating, expected};
use crate::scores::Scores;
use crate::testing::{entrants, play, won};
use crate::{
    Entrant, Field, Format, GameResult, Gap, Gauntlet, Knockout, Ladder, Lives, Ranks, RoundRobin, ScheduledGame,
    Seeding, Settled, Share, Standings, Stop, Swiss, TieBreak, TieBreaks, Value,
};

/// The range in which two-sided intervals must hold, in percent.
type Limits = [f64; 2];

const USUAL: Limits = [94.0, 96.0];
/// If one entrant is far ahead or many games are drawn, the farther of the two ends is a little too far.
const A_LITTLE_MORE: Limits = [94.0, 97.0];
/// Six or seven pairs each, and the pairings depend on the results.
const SHORT_LADDER: Limits = [93.0, 98.0];
/// Most entrants have met one or two others, in few games.
const FEW_GAMES: Limits = [94.0, 100.0];
/// Other claims must hold at least this often, for all kinds.
const AT_LEAST: Limits = [95.0, 100.0];

struct Kind {
    name: &'static str,
    entrants: usize,
    /// The standard deviation of the strengths, in Elo points.
    deviation: f64,
    /// The first entrant's lead over the mean of the others, in Elo points; `None` if it is drawn like the others.
    ahead: Option<f64>,
    /// The share of upsets that end in a draw instead.
    draws: f64,
    /// The advantage of the first seat, in units of strength.
    seat: f64,
    /// When the tournament ends early, and how many pairs it has at most.
    stop: Option<Stop>,
    /// By its seed and when it stops.
    format: fn(u64, Option<Stop>) -> Box<dyn Format>,
    limits: Limits,
}

const PLAIN: Kind = Kind {
    name: "",
    entrants: 8,
    deviation: 200.0,
    ahead: None,
    draws: 0.0,
    seat: 0.0,
    stop: None,
    format: |seed, _| Box::new(RoundRobin::new(seed, 10)),
    limits: USUAL,
};

const STOP: Stop = Stop { top: 3, confidence_per_mille: 950, within: None, max_pairs: 250 };
const WITHIN: Stop = Stop { top: 0, within: Some(60), ..STOP };

#[rustfmt::skip]
const KINDS: [Kind; 21] = [
    Kind { name: "round robin, near each other", entrants: 4, deviation: 60.0,
        format: |seed, _| Box::new(RoundRobin::new(seed, 40)), ..PLAIN },
    Kind { name: "round robin", ..PLAIN },
    Kind { name: "round robin of twelve", entrants: 12, deviation: 150.0,
        format: |seed, _| Box::new(RoundRobin::new(seed, 20)), ..PLAIN },
    Kind { name: "round robin, half of the upsets drawn", entrants: 6, deviation: 150.0, draws: 0.5,
        format: |seed, _| Box::new(RoundRobin::new(seed, 20)), ..PLAIN },
    Kind { name: "round robin, far from each other, draws", deviation: 400.0, draws: 0.3, limits: A_LITTLE_MORE, ..PLAIN },
    Kind { name: "round robin, strong seats", seat: 1.0, ..PLAIN },
    Kind { name: "round robin, seats decide", seat: 2.5, ..PLAIN },
    // Fields of 24, one entrant far ahead, all far from each other.
    Kind { name: "round robin of 24 bots", entrants: 24, deviation: 300.0, draws: 0.1, seat: 0.5,
        format: |seed, _| Box::new(RoundRobin::new(seed, 6)), ..PLAIN },
    Kind { name: "round robin, the best 800 ahead, 8 pairs", ahead: Some(800.0), limits: A_LITTLE_MORE,
        format: |seed, _| Box::new(RoundRobin::new(seed, 8)), ..PLAIN },
    Kind { name: "round robin, the best 1,500 ahead, 6 pairs", ahead: Some(1_500.0),
        format: |seed, _| Box::new(RoundRobin::new(seed, 6)), ..PLAIN },
    Kind { name: "round robin, a deviation of 800, 8 pairs", entrants: 5, deviation: 800.0,
        format: |seed, _| Box::new(RoundRobin::new(seed, 8)), ..PLAIN },
    Kind { name: "gauntlet", draws: 0.1, seat: 0.5, limits: A_LITTLE_MORE,
        format: |seed, _| Box::new(Gauntlet { seed, pairs: 50, stop: None }), ..PLAIN },
    Kind { name: "Swiss of 24", entrants: 24, deviation: 250.0, draws: 0.1, seat: 0.5, limits: A_LITTLE_MORE,
        format: |seed, _| Box::new(Swiss { seed, pairs: 4, rounds: 7, tie_breaks: tie_breaks() }), ..PLAIN },
    Kind { name: "ladder of 24, 7 rounds", entrants: 24, deviation: 250.0, draws: 0.1, seat: 0.5, limits: SHORT_LADDER,
        format: |seed, _| Box::new(Ladder { seed, rounds: 7, stop: None }), ..PLAIN },
    Kind { name: "knockout of 16", entrants: 16, deviation: 250.0, draws: 0.1, seat: 0.5, limits: FEW_GAMES,
        format: |seed, _| Box::new(knockout(seed, Lives::One)), ..PLAIN },
    Kind { name: "double knockout of 16", entrants: 16, deviation: 250.0, draws: 0.1, seat: 0.5, limits: FEW_GAMES,
        format: |seed, _| Box::new(knockout(seed, Lives::Two)), ..PLAIN },
    Kind { name: "round robin with a stop", entrants: 6,
        stop: Some(STOP),
        format: |seed, stop| Box::new(RoundRobin { stop, ..RoundRobin::new(seed, 5) }), ..PLAIN },
    Kind { name: "round robin with a stop, far from each other", entrants: 5, deviation: 500.0, limits: A_LITTLE_MORE,
        stop: Some(Stop { max_pairs: 160, ..STOP }),
        format: |seed, stop| Box::new(RoundRobin { stop, ..RoundRobin::new(seed, 4) }), ..PLAIN },
    Kind { name: "round robin until ratings are within 60", entrants: 6, limits: A_LITTLE_MORE, stop: Some(WITHIN),
        format: |seed, stop| Box::new(RoundRobin { stop, ..RoundRobin::new(seed, 5) }), ..PLAIN },
    Kind { name: "gauntlet with a stop", deviation: 300.0, draws: 0.1, limits: A_LITTLE_MORE,
        stop: Some(Stop { max_pairs: 1_400, ..STOP }),
        format: |seed, stop| Box::new(Gauntlet { seed, pairs: 20, stop }), ..PLAIN },
    Kind { name: "ladder with a stop", deviation: 250.0, draws: 0.1, seat: 0.5, limits: A_LITTLE_MORE,
        stop: Some(Stop { max_pairs: 60, ..STOP }),
        format: |seed, stop| Box::new(Ladder { seed, rounds: 100, stop }), ..PLAIN },
];

fn tie_breaks() -> TieBreaks {
    TieBreaks::new(&TieBreak::ALL).expect("each once")
}

fn knockout(seed: u64, lives: Lives) -> Knockout {
    Knockout { seed, pairs: 4, further_pairs: 8, seeding: Seeding::Draw, lives }
}

/// The number of claims, and how many of them were true.
#[derive(Clone, Copy, Default, Debug)]
struct Claims {
    made: u64,
    kept: u64,
}

impl Claims {
    fn note(&mut self, kept: bool) {
        self.made += 1;
        self.kept += u64::from(kept);
    }

    fn percent(self) -> f64 {
        100.0 * self.kept as f64 / self.made.max(1) as f64
    }
}

#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    /// Two-sided intervals of ratings, or of mean shares, and of the difference to the next row.
    ratings: Claims,
    differences: Claims,
    bounds: Claims,
    ranks: Claims,
    /// Claims that the order of the first places is settled.
    settled: Claims,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (all, one) in [
            (&mut self.ratings, other.ratings),
            (&mut self.differences, other.differences),
            (&mut self.bounds, other.bounds),
            (&mut self.ranks, other.ranks),
            (&mut self.settled, other.settled),
        ] {
            all.made += one.made;
            all.kept += one.kept;
        }
    }

    /// Prints the counts, and returns what is outside the limits, which are widened by `slack`.
    fn judge(self, name: &str, limits: Limits, bounds: Option<Limits>, slack: f64) -> Vec<String> {
        let mut missed = Vec::new();
        println!("{name}");
        for (what, claims, limits) in [
            ("ratings", self.ratings, Some(limits)),
            ("differences to the next", self.differences, Some(limits)),
            ("bounds", self.bounds, bounds),
            ("rank intervals", self.ranks, Some(AT_LEAST)),
            ("settled orders", self.settled, Some(AT_LEAST)),
        ] {
            if claims.made == 0 {
                continue;
            }
            let percent = claims.percent();
            let wanted = match limits {
                None => String::new(),
                Some([least, most]) if most < 100.0 => format!(", wanted {least} to {most} %"),
                // Claims that may hold more often than promised: their excess is printed.
                Some([least, _]) => format!(", wanted at least {least} %: {:+.2}", percent - least),
            };
            println!("  {what:<24}{percent:6.2} % of {:>8}{wanted}", claims.made);
            // Too few claims prove nothing.
            let holds = |[least, most]: Limits| (least - slack..=most + slack).contains(&percent);
            if claims.made > 500 && limits.is_some_and(|limits| !holds(limits)) {
                missed.push(format!("{name}: {what} {percent:.2} % of {}", claims.made));
            }
        }
        missed
    }
}

/// A number from 0 to 1.
fn uniform(rng: &mut Rng) -> f64 {
    f64::from(rng.word()) / 4_294_967_296.0
}

/// A normal value as the sum of twelve uniform ones: close enough for strengths.
fn normal(rng: &mut Rng) -> f64 {
    (0..12).fold(-6.0, |sum, _| sum + uniform(rng))
}

/// An entrant's chance in the first seat; `chance` is its mean over both seats.
fn in_first_seat(chance: f64, seat: f64) -> f64 {
    if seat == 0.0 {
        return chance;
    }
    let [mut low, mut high] = [-30.0, 30.0];
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let mean = (expected(middle + seat, 0.0) + expected(middle - seat, 0.0)) / 2.0;
        if mean < chance { low = middle } else { high = middle }
    }
    expected(low + seat, 0.0)
}

/// The true strengths in tenths of an Elo point, or shares in millionths, relative to `middle`.
struct Truth<'a> {
    of: &'a [f64],
    middle: f64,
}

impl Truth<'_> {
    fn judge(&self, standings: &Standings, names: &[Entrant], tally: &mut Tally) {
        let place = |name: &str| names.iter().position(|entrant| entrant.name == name).expect("an entrant");
        let order: Vec<usize> = standings.rows.iter().map(|row| place(&row.name)).collect();
        let mut claim = |value: &Value, truth: f64, is_lead: bool| {
            let Some((is_two_sided, low, high)) = ends(value) else { return };
            let claims = match (is_two_sided, is_lead) {
                (false, _) => &mut tally.bounds,
                (true, false) => &mut tally.ratings,
                (true, true) => &mut tally.differences,
            };
            claims.note((low..=high).contains(&truth));
        };
        for (number, row) in standings.rows.iter().enumerate() {
            let own = self.of[order[number]];
            let value = |column| standings.value(row, column).expect("a column");
            let rated = if standings.columns.iter().any(|column| column.name == "rating") { "rating" } else { "score" };
            claim(value(rated), own - self.middle, false);
            if let Some(next) = order.get(number + 1) {
                claim(value("lead"), own - self.of[*next], true);
            }
        }
        for (number, row) in standings.rows.iter().enumerate() {
            let Some(Value::Ranks(Some(Ranks { best, worst }))) = standings.value(row, "rank") else {
                panic!("no ranks")
            };
            let own = self.of[order[number]];
            let rank =
                |is_above: fn(&f64, &f64) -> bool| self.of.iter().filter(|other| is_above(other, &own)).count() as u32;
            // Equal entrants share all of their ranks.
            let [first, last] = [1 + rank(f64::gt), rank(f64::ge)];
            tally.ranks.note(*best <= last && first <= *worst);
        }
    }
}

/// The ends of a value's interval, and whether it has two.
fn ends(value: &Value) -> Option<(bool, f64, f64)> {
    let end = |end: Option<i64>, open: f64| end.map_or(open, |end| end as f64);
    match value {
        Value::Rating(rating) | Value::Lead(Some(Gap::Elo(rating))) => {
            let is_two_sided = matches!(rating, Rating::Estimate { .. });
            Some((is_two_sided, end(rating.low(), f64::NEG_INFINITY), end(rating.high(), f64::INFINITY)))
        }
        Value::Share(share) | Value::Lead(Some(Gap::Share(share))) => {
            let is_two_sided = share.low.is_some() && share.high.is_some();
            Some((is_two_sided, end(share.low, f64::NEG_INFINITY), end(share.high, f64::INFINITY)))
        }
        _ => None,
    }
}

/// Plays a tournament of a kind.
fn tournament(kind: &Kind, rng: &mut Rng, tally: &mut Tally) {
    let mut truth: Vec<f64> = (0..kind.entrants).map(|_| kind.deviation / ELO * normal(rng)).collect();
    if let Some(ahead) = kind.ahead {
        truth[0] = truth[1..].iter().sum::<f64>() / (kind.entrants - 1) as f64 + ahead / ELO;
    }
    let row = |one: &f64| truth.iter().map(|other| in_first_seat(expected(*one, *other), kind.seat)).collect();
    let chances: Vec<Vec<f64>> = truth.iter().map(row).collect();
    let (format, names) = ((kind.format)(rng.word().into(), kind.stop), entrants(kind.entrants));
    let winner = |game: &ScheduledGame| {
        let [first, second] = *game.seats.values() else { panic!("two seats") };
        let chance = chances[first][second];
        let drawn = kind.draws * chance.min(1.0 - chance);
        match uniform(rng) {
            value if value < chance - drawn => Some(first),
            value if value < chance + drawn => None,
            _ => Some(second),
        }
    };
    let settled = play(&*format, &names, winner);
    let scores = Scores::of(&names, &settled);
    let middle = truth.iter().zip(scores.strengths.weights()).fold(0.0, |sum, (truth, weight)| sum + truth * weight);
    let in_tenths: Vec<f64> = truth.iter().map(|strength| strength * ELO * 10.0).collect();
    let standings = format.standings(&names, &settled);
    Truth { of: &in_tenths, middle: middle * ELO * 10.0 }.judge(&standings, &names, tally);
    if let Some(stop) = kind.stop.filter(|stop| stop.top > 0)
        && settled.len() < format.games_max(kind.entrants)
    {
        let mut order: Vec<usize> = (0..kind.entrants).collect();
        order.sort_by_key(|entrant| std::cmp::Reverse(scores.of[*entrant].strength_tenths));
        let is_true = |place: usize| order[place + 1..].iter().all(|other| truth[order[place]] > truth[*other]);
        tally.settled.note((0..stop.top as usize).all(is_true));
    }
}

/// Games of several seats whose mean shares are known.
struct Games {
    name: &'static str,
    games: u32,
    /// In proportion to these weights an entrant gets a share, or wins the game. Empty for five that are drawn, from 1
    /// to 8.
    weights: &'static [u32],
    /// The least that a game's winner takes; anything from that to everything is as probable. `None` if shares have a
    /// Dirichlet distribution.
    winner: Option<f64>,
    limits: Limits,
}

/// In few games in which the winner takes nearly everything, losers hardly differ from game to game until they win.
const WITHOUT_A_WIN: Limits = [60.0, 100.0];

const THREE: Games = Games { name: "", games: 3, weights: &[9, 7, 4], winner: Some(1.0), limits: FEW_GAMES };

#[rustfmt::skip]
const FIELDS: [Games; 7] = [
    Games { name: "field of five, 40 games", games: 40, weights: &[], winner: None, limits: USUAL },
    Games { name: "field of five, 3 games", weights: &[], winner: None, ..THREE },
    Games { name: "field of three, 3 games, the winner takes all", ..THREE },
    Games { name: "field of three, 40 games, the winner takes all", games: 40, ..THREE },
    Games { name: "field of three, 3 games, one wins 90 %", weights: &[45, 3, 2], ..THREE },
    Games { name: "field of three, 40 games, one wins 90 %", games: 40, weights: &[45, 3, 2], ..THREE },
    Games { name: "field of three, 3 games, the winner takes 80 to 100 %", winner: Some(0.8), limits: WITHOUT_A_WIN, ..THREE },
];

fn field(kind: &Games, rng: &mut Rng, tally: &mut Tally) {
    let weights: Vec<u32> = match kind.weights {
        [] => (0..5).map(|_| 1 + rng.below(8)).collect(),
        weights => weights.to_vec(),
    };
    let seats = weights.len();
    let whole = f64::from(weights.iter().sum::<u32>());
    // What the winner leaves is divided equally among the others.
    let left = kind.winner.map_or(0.0, |least| (1.0 - least) / 2.0);
    let share = |weight: &u32| {
        let won = f64::from(*weight) / whole;
        Share::WHOLE as f64 * (won * (1.0 - left) + (1.0 - won) * left / (seats - 1) as f64)
    };
    let shares: Vec<f64> = weights.iter().map(share).collect();
    let format = Field { seed: rng.word().into(), seats: seats as u8, games: kind.games, pairs: 0 };
    let names = entrants(seats);
    // The sum of `weight` exponential values has a gamma distribution.
    let gamma = |rng: &mut Rng, weight: u32| {
        (0..weight).fold(0.0, |sum, _| sum - libm::log((f64::from(rng.word()) + 0.5) / 4_294_967_296.0))
    };
    let result = |game: ScheduledGame| {
        let tallies: Vec<f64> = match kind.winner {
            None => game.seats.values().iter().map(|entrant| gamma(rng, weights[*entrant])).collect(),
            Some(least) => {
                let (mut drawn, taken) = (rng.below(weights.iter().sum()), least + (1.0 - least) * uniform(rng));
                let winner = weights.iter().position(|weight| {
                    let is_it = drawn < *weight;
                    drawn = drawn.saturating_sub(*weight);
                    is_it
                });
                let share = |entrant: &usize| match Some(*entrant) == winner {
                    true => taken,
                    false => (1.0 - taken) / (seats - 1) as f64,
                };
                game.seats.values().iter().map(share).collect()
            }
        };
        let tally = BySeat::from(tallies.into_iter().map(|tally| (1e6 * tally) as u32).collect::<Vec<u32>>());
        let result = GameResult { tally, ..won(None, game.number) };
        (game, result)
    };
    let settled: Settled = format.games(&names).iter().map(result).collect();
    Truth { of: &shares, middle: 0.0 }.judge(&format.standings(&names, &settled), &names, tally);
}

mod slow {
    use super::*;

    #[test]
    fn claims_are_kept_as_often_as_they_say() {
        let count =
            |name: &str, usual: u64| std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(usual);
        let (tournaments, seed) = (count("ARENA_TOURNAMENTS", 10), count("ARENA_TOURNAMENT_SEED", 1));
        // The allowance for chance in a small sample.
        let slack = if tournaments < 5_000 { 2.5 } else { 0.0 };
        let simulate = |number: usize| {
            let mut tally = Tally::default();
            for trial in 0..tournaments {
                let mut rng = Rng::new(&[seed as u8; 32], (number as u64) << 32 | trial);
                match KINDS.get(number) {
                    Some(kind) => tournament(kind, &mut rng, &mut tally),
                    None => field(&FIELDS[number - KINDS.len()], &mut rng, &mut tally),
                }
            }
            tally
        };
        // Each kind has its own random numbers, so all can run at once.
        let tallies: Vec<Tally> = thread::scope(|scope| {
            let kinds = 0..KINDS.len() + FIELDS.len();
            let playing: Vec<_> = kinds.map(|number| scope.spawn(move || simulate(number))).collect();
            playing.into_iter().map(|one| one.join().expect("no tournament fails")).collect()
        });
        let mut missed = Vec::new();
        for (name, stops) in [("all of fixed length", false), ("all with a stop", true)] {
            let mut all = Tally::default();
            for (kind, tally) in KINDS.iter().zip(&tallies).filter(|(kind, _)| kind.stop.is_some() == stops) {
                missed.extend(tally.judge(kind.name, kind.limits, None, slack));
                all.add(*tally);
            }
            missed.extend(all.judge(name, USUAL, Some(AT_LEAST), slack));
        }
        for (kind, tally) in FIELDS.iter().zip(&tallies[KINDS.len()..]) {
            missed.extend(tally.judge(kind.name, kind.limits, None, slack));
        }
        assert!(missed.is_empty(), "{missed:#?}");
    }
}
