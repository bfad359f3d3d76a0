//! What an owner of several accounts can still gain: a month of 30 days, simulated. `cargo xtask farming` prints the
//! table, and a test compares it with `docs/leaderboard.md`.
//!
//! Thirty people play each other and the built-in opponents. The owner plays the built-in opponents with one account as
//! they do. The owner's other accounts have browsers of their own and their games of practice behind them, and lose to
//! the first as often as it counts, each time in the way that gives most.

use std::fmt::Write;

use arena_people::{Browser, Finished, GAINS, Gain, Month, PAIR_GAMES_A_DAY_MAX, PRACTICE_GAMES_MIN};
use arena_people::{GameMode, People, Side, SignIns, Span, Verdict, Who};
use arena_record::{EntrantId, Hex};
use arena_rooms::{PersonId, RoomId};
use arena_rules::{BySeat, Outcome, Reason, Rng, Seat};

const HONEST: u64 = 30;
const DAYS: i64 = 30;
/// 2026-11-01T00:00:00Z.
const START: i64 = 1_793_491_200;
const DAY_SECONDS: i64 = 86_400;
/// Games that an honest person plays with others on a day.
const HONEST_GAMES_A_DAY: u64 = 3;
/// The built-in opponents of the usual rules, and how many games in a hundred an honest person wins against each. Games
/// against those made for other rules never count.
pub(crate) const BUILT_IN: [(&str, u32); 3] = [("easy", 80), ("normal", 60), ("hard", 30)];
/// What the random numbers begin with.
const SEED: [u8; 32] = [21; 32];

/// The owner's first account; the others follow.
const OWNER: u64 = 1_000;

#[expect(clippy::print_stdout, reason = "an example is an edge")]
fn main() {
    print!("{}", table(&gains()));
}

/// The months, one for each number of accounts.
pub(crate) fn gains() -> Vec<Gain> {
    let gain = |accounts| {
        let (on_purpose, points, place) = month(accounts);
        Gain { accounts, on_purpose, points, place }
    };
    GAINS.iter().map(|known| gain(known.accounts)).collect()
}

/// The table, as Markdown.
pub(crate) fn table(gains: &[Gain]) -> String {
    let mut text = String::from(
        "| accounts | won on purpose | points that count | times one account | place among 31 |\n|---:|---:|---:|---:|---:|\n",
    );
    for gain in gains {
        let (on_purpose, points) = (gain.on_purpose_written(), gain.points_written());
        let (accounts, times, place) = (gain.accounts, gain.times_one_account(), gain.place);
        writeln!(text, "| {accounts} | {on_purpose} | {points} | {times} | {place} |").expect("text takes everything");
    }
    text
}

/// What the owner of so many accounts won on purpose in a month, what counts of all of its first account's points, and
/// that account's place among the honest people.
fn month(accounts: u64) -> (u64, u64, u32) {
    let mut month = Simulated { people: People::default(), rng: Rng::new(&SEED, 0), games: 0, at: START - DAY_SECONDS };
    for who in (0..HONEST).chain(OWNER..OWNER + accounts) {
        for _ in 0..PRACTICE_GAMES_MIN {
            month.play([account(who), built_in("easy")], LOST);
        }
    }
    let mut on_purpose = 0;
    for day in 0..DAYS {
        month.at = START + day * DAY_SECONDS;
        for who in (0..HONEST).chain([OWNER]) {
            month.against_built_in(who);
        }
        for who in 0..HONEST {
            for _ in 0..HONEST_GAMES_A_DAY {
                month.among_honest(who);
            }
        }
        for helper in OWNER + 1..OWNER + accounts {
            for _ in 0..PAIR_GAMES_A_DAY_MAX {
                on_purpose += month.play([account(OWNER), account(helper)], BEST);
            }
        }
    }
    let table = month.people.table("conquerors", Span::Month(Month::of(START))).expect("games were played");
    let is_helper = |PersonId(Hex(number)): PersonId| u64::from_be_bytes(number) > OWNER;
    let owner = table.row(person(OWNER), |other| !is_helper(other)).expect("it played");
    (on_purpose, owner.points, owner.rank)
}

/// How a game of the first side went.
#[derive(Clone, Copy)]
struct Course {
    winner: Option<u8>,
    reason: Reason,
    round: u32,
    elapsed_s: u32,
    margin: u32,
}

/// What gives most: an extinction in the second round, within a minute, by so many cells that more give nothing.
const BEST: Course = Course { winner: Some(0), reason: Reason::Extinction, round: 2, elapsed_s: 60, margin: 30 };
/// A full game that was lost.
const LOST: Course = Course { winner: Some(1), reason: Reason::Majority, round: 13, elapsed_s: 300, margin: 10 };

struct Simulated {
    people: People,
    rng: Rng,
    games: u64,
    /// Unix seconds of the last game.
    at: i64,
}

impl Simulated {
    /// One game against each of the built-in opponents.
    fn against_built_in(&mut self, who: u64) {
        for (name, wins) in BUILT_IN {
            let winner = u8::from(self.rng.below(100) >= wins);
            let course = self.course(Some(winner));
            self.play([account(who), built_in(name)], course);
        }
    }

    /// A game with any other; one in ten is drawn.
    fn among_honest(&mut self, who: u64) {
        let other = (who + 1 + u64::from(self.rng.below(HONEST as u32 - 1))) % HONEST;
        let winner = if self.rng.below(10) == 0 { None } else { Some(self.rng.below(2) as u8) };
        let course = self.course(winner);
        self.play([account(who), account(other)], course);
    }

    /// A full game or, one time in three, an early end.
    fn course(&mut self, winner: Option<u8>) -> Course {
        let (elapsed_s, margin) = (120 + self.rng.below(600), self.rng.below(25));
        if winner.is_some() && self.rng.below(3) == 0 {
            Course { winner, reason: Reason::Extinction, round: 4 + self.rng.below(9), elapsed_s, margin }
        } else {
            Course { winner, reason: Reason::Majority, round: 13, elapsed_s, margin }
        }
    }

    /// The points that a game is worth to its winner, if it counts.
    fn play(&mut self, sides: [Side; 2], course: Course) -> u64 {
        let sides = BySeat::from(sides);
        let terms =
            if self.people.admits(&sides, &SignIns::new()).is_ok() { GameMode::Rated } else { GameMode::Casual };
        self.games += 1;
        self.at += 1;
        let mut tally = [20; 2];
        if let Some(winner) = course.winner {
            tally[usize::from(winner)] += course.margin;
        }
        let verdict = self.people.add(&Finished {
            room: RoomId(Hex(u128::from(self.games).to_be_bytes())),
            ruleset: "conquerors@2".into(),
            terms,
            sides,
            outcome: Outcome { winner: course.winner.map(Seat), reason: course.reason, tally: BySeat::from(tally) },
            round: Some(course.round),
            elapsed_s: course.elapsed_s,
            // No game is played twice.
            digest: Hex(std::array::from_fn(|index| self.games.to_be_bytes()[index % 8])),
            finished_at: self.at,
            annulled: None,
        });
        match verdict.expect("games come in their order") {
            Verdict::Counts { points } => u64::from(points),
            Verdict::Not(_) => 0,
        }
    }
}

fn person(number: u64) -> PersonId {
    PersonId(Hex(number.to_be_bytes()))
}

/// An account in a browser that no other account has.
fn account(number: u64) -> Side {
    let browser = Browser(Hex(std::array::from_fn(|index| number.to_be_bytes()[index % 8])));
    Side { who: Who::Account(person(number)), browser: Some(browser) }
}

fn built_in(name: &str) -> Side {
    Side { who: Who::BuiltIn(EntrantId::of_baseline(name, 1)), browser: None }
}
