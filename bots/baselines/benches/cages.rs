//! Who beats whom in Game of Game of Life: `cargo bench -p arena-baselines --bench cages`, with an optional number of games after `--`.
//!
//! Cages are games of two seats on lots shuffled by the seed, each seed twice with seats swapped; the larger share of coloured
//! cells wins, and equal shares are half a win each. A field has all five in one game, with rotating seats; its result is the mean share.

use std::thread;

use arena_baselines::game_of_game_of_life::{Strategy, choose};
use arena_rules::game_of_game_of_life::{Options, Position};
use arena_rules::{BySeat, Ruleset, Seat, Seed};

/// Games of each pair and of the field by default.
const GAMES: u64 = 500;
/// What a share is counted in.
const MILLION: u64 = 1_000_000;

/// Pairs of which the first should win more than half, at a one-sided confidence of 99 %; the last pair is for information.
const CAGES: [(Strategy, Strategy); 7] = [
    (Strategy::Planner, Strategy::Greedy),
    (Strategy::Planner, Strategy::Safety),
    (Strategy::Planner, Strategy::Nothing),
    (Strategy::Safety, Strategy::Nothing),
    (Strategy::Greedy, Strategy::Nothing),
    (Strategy::Safety, Strategy::Greedy),
    (Strategy::Random, Strategy::Nothing),
];
/// Standard errors above one half for a one-sided confidence of 99 %.
const ONE_SIDED_99: f64 = 2.326;
/// Standard errors to either side of a two-sided interval of 95 %.
const TWO_SIDED_95: f64 = 1.96;

fn seed(number: u64, seat: u8) -> Seed {
    let mut seed = [seat; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

/// The shares of all seats at the end of a game, in millionths; all 0 if no colour is left.
fn play(strategies: &[Strategy], number: u64) -> Vec<u64> {
    let options = Options { seats: strategies.len() as u8, ..Options::default() };
    let mut position = Position::start(&options, &seed(number, 0));
    while position.outcome().is_none() {
        let mut turns = BySeat::new(position.seats(), |_| None);
        for seat in position.awaiting().iter() {
            let action = choose(&position, seat, strategies[seat.index()], &seed(number, seat.0 + 1));
            turns[seat] = position.check(seat, &action).ok();
        }
        position.advance(turns);
    }
    let tally = position.tally();
    let all: u64 = tally.values().iter().map(|count| u64::from(*count)).sum();
    tally.values().iter().map(|count| u64::from(*count) * MILLION / all.max(1)).collect()
}

/// Games `0..games` over two threads, in order.
fn over_threads<T: Send>(games: u64, game: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let game = &game;
    let (even, odd) = thread::scope(|scope| {
        let odd = scope.spawn(move || (1..games).step_by(2).map(game).collect::<Vec<T>>());
        ((0..games).step_by(2).map(game).collect::<Vec<T>>(), odd.join().expect("a game does not panic"))
    });
    even.into_iter().chain(odd).collect()
}

/// Mean and standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, (variance / count).sqrt())
}

#[expect(clippy::print_stdout, reason = "a report is for reading")]
fn main() {
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let games = asked.unwrap_or(GAMES);
    println!(
        "cages, {games} games each: score of the first, with 95 % interval; its mean share; beyond one-sided 99 %"
    );
    for (first, second) in CAGES {
        let results = over_threads(games, |number| {
            let own = Seat((number % 2) as u8);
            let strategies = if own == Seat(0) { [first, second] } else { [second, first] };
            let shares = play(&strategies, number / 2);
            let (own, other) = (shares[own.index()], shares[own.opponent().index()]);
            let score = if own == other { 0.5 } else { f64::from(u8::from(own > other)) };
            (score, own as f64 / MILLION as f64)
        });
        let scores: Vec<f64> = results.iter().map(|(score, _)| *score).collect();
        let (score, error) = mean(&scores);
        let (share, _) = mean(&results.iter().map(|(_, share)| *share).collect::<Vec<_>>());
        // Under the hypothesis of equal strength a game's score deviates by at most one half.
        let beyond = score - ONE_SIDED_99 * 0.5 / (games as f64).sqrt() > 0.5;
        let (low, high) = (score - TWO_SIDED_95 * error, score + TWO_SIDED_95 * error);
        let names = format!("{} over {}", first.name(), second.name());
        println!(
            "  {names:<22}{score:.3}  ({low:.3} - {high:.3})  share {share:.3}  {}",
            if beyond { "yes" } else { "no" }
        );
    }
    println!("the field of all five on 18 x 18, {games} games: mean share with 95 % interval");
    let field = Strategy::ALL;
    let shares = over_threads(games, |number| {
        let turned = (number % field.len() as u64) as usize;
        let seats: Vec<Strategy> = (0..field.len()).map(|seat| field[(seat + turned) % field.len()]).collect();
        let shares = play(&seats, number);
        (0..field.len()).map(|index| shares[(index + field.len() - turned) % field.len()]).collect::<Vec<u64>>()
    });
    for (index, strategy) in field.into_iter().enumerate() {
        let own: Vec<f64> = shares.iter().map(|shares| shares[index] as f64 / MILLION as f64).collect();
        let (share, error) = mean(&own);
        let name = strategy.name();
        println!("  {name:<22}{share:.3}  ({:.3} - {:.3})", share - TWO_SIDED_95 * error, share + TWO_SIDED_95 * error);
    }
}
