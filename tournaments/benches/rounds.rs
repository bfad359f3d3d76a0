//! What rounds and standings of 1,000 entrants cost, in processor time: `cargo bench --package arena-tournaments`.

use std::time::Duration;

use arena_record::EntrantId;
use arena_rules::{BySeat, Rng, Seat};
use arena_tournaments::{
    Entrant, Format, GameResult, Ladder, ScheduledGame, Settled, SettledGame, Swiss, TieBreak, TieBreaks,
};
use cpu_time::ProcessTime;

const ENTRANTS: usize = 1_000;
const ROUNDS: u32 = 11;

fn entrants() -> Vec<Entrant> {
    let make = |number: usize| {
        let name = format!("bot{number}");
        Entrant { id: EntrantId::of_bytes(name.as_bytes()), name }
    };
    (0..ENTRANTS).map(make).collect()
}

/// The stronger, whose number is smaller, wins more often.
fn result(rng: &mut Rng, game: &ScheduledGame) -> GameResult {
    let (first, second) = (game.seats.values()[0] as f64, game.seats.values()[1] as f64);
    let chance = 1.0 / (1.0 + ((first - second) / 200.0).exp());
    let winner = Some(Seat(u8::from(f64::from(rng.word()) >= chance * 4_294_967_296.0)));
    let mut digest = [0; 32];
    digest[..8].copy_from_slice(&(game.number as u64).to_le_bytes());
    GameResult {
        winner,
        forfeits: Vec::new(),
        tally: BySeat::from([0, 0]),
        digest,
        reason: arena_rules::Reason::Majority,
        turns: 0,
    }
}

/// Plays a tournament; the time that each round took to choose.
fn play(format: &dyn Format, entrants: &[Entrant]) -> (Settled, Vec<Duration>) {
    let (mut settled, mut rng, mut times) = (Settled::default(), Rng::new(&[1; 32], 0), Vec::new());
    loop {
        let start = ProcessTime::now();
        let games = format.next(entrants, &settled);
        if games.is_empty() {
            return (settled, times);
        }
        times.push(start.elapsed());
        settled.extend(games.into_iter().map(|game| {
            let result = Some(result(&mut rng, &game));
            SettledGame { game, result }
        }));
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark says what it found")]
fn main() {
    let entrants = entrants();
    let tie_breaks = TieBreaks::new(&[TieBreak::Buchholz, TieBreak::SonnebornBerger, TieBreak::HeadToHead]);
    let swiss = Swiss { seed: 1, pairs: 1, rounds: ROUNDS, tie_breaks: tie_breaks.unwrap_or_default() };
    let ladder = Ladder { seed: 1, rounds: ROUNDS, stop: None };
    for format in [&swiss as &dyn Format, &ladder] {
        let (settled, times) = play(format, &entrants);
        let seconds = |time: Option<&Duration>| time.map_or(0.0, Duration::as_secs_f64);
        let all: f64 = times.iter().map(Duration::as_secs_f64).sum();
        println!(
            "{}: a round of {ENTRANTS} takes {:.2} to {:.2} s (at most 1); {ROUNDS} rounds {all:.2} s (at most 15)",
            format.name(),
            seconds(times.iter().min()),
            seconds(times.iter().max())
        );
        let start = ProcessTime::now();
        let rows = format.standings(&entrants, &settled).rows.len();
        println!(
            "{}: standings of {rows} with rank intervals take {:.2} s (at most 2)",
            format.name(),
            start.elapsed().as_secs_f64()
        );
    }
}
