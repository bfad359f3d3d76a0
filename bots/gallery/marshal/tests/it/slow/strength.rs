//! Whole games: every answer is legal, and the bot is as strong as it should be.

use arena_baselines::war_of_life::{OnePly, Strategy, Terminals, choose};
use arena_sdk::war_of_life::{Board, ByColour, Cells, Move, Position, Start};
use arena_sdk::{Bot, BySeat, Observation, Rng, Ruleset, Seat, Seed};
use marshal::Marshal;

/// A seed that nothing else shares.
fn seed(number: u32, who: u8) -> Seed {
    let mut seed = [who; 32];
    seed[..4].copy_from_slice(&number.to_le_bytes());
    seed
}

/// The bot's move, checked as the referee checks it.
fn answer(bot: &mut Marshal, position: &Position, seat: Seat, number: u32) -> Move {
    let observation = Observation { position: position.clone(), seat, seat_seed: seed(number, 0) };
    arena_sdk::testing::refuel();
    match position.check(seat, &bot.turn(&observation)) {
        Ok(step) => step,
        Err(refusal) => panic!("number {number}, ply {}: {refusal}\n{}", position.ply(), position.board()),
    }
}

/// Twice the points of `pairs` pairs of games against a strategy: 2 a win, 1 a draw. The seats are swapped within a pair,
/// which has a random start of its own.
fn half_points(strategy: Strategy, pairs: u32) -> u32 {
    let game = |number: u32, seat: Seat| {
        let mut position = Position::start(&Start::Random, &seed(number, 2));
        let mut bot = Marshal;
        while let Some(colour) = position.to_move() {
            let step = if colour.seat() == seat {
                Some(answer(&mut bot, &position, seat, number))
            } else {
                let mut rng = Rng::new(&seed(number, 1), position.ply().into());
                choose(position.board(), colour, strategy, &mut rng)
            };
            position.advance(BySeat::new(2, |other| step.filter(|_| other == colour.seat())));
        }
        match position.outcome().and_then(|outcome| outcome.winner) {
            None => 1,
            Some(winner) => 2 * u32::from(winner == seat),
        }
    };
    (0..pairs).map(|number| game(number, Seat(0)) + game(number, Seat(1))).sum()
}

#[test]
fn every_move_of_whole_games_is_legal() {
    for strategy in Strategy::ALL {
        half_points(strategy, 1);
    }
}

/// On boards from nearly empty to nearly full, early and late.
#[test]
fn every_answer_in_odd_positions_is_legal() {
    let mut rng = Rng::new(&seed(0, 3), 0);
    for number in 0..100 {
        let mut bits = || u64::from(rng.word()) << 32 | u64::from(rng.word());
        let (living, red) = if number % 2 == 0 { (bits() & bits(), bits()) } else { (bits() | bits(), bits()) };
        let half = |bits| Cells::from_bits(living & bits);
        let board = Board::new(ByColour { blue: half(!red), red: half(red) }).expect("no cell has two colours");
        let position = Position::new(board, rng.below(250) as u16).expect("not too many moves");
        if let Some(colour) = position.to_move() {
            answer(&mut Marshal, &position, colour.seat(), number);
        }
    }
}

/// The bar is at 70 %; longer samples gave 98.8 % and 96.0 %, see the README of the gallery.
#[test]
fn it_beats_land_grab_and_minimax() {
    for strategy in [Strategy::OnePly(OnePly::LandGrab), Strategy::Minimax(Terminals::Clean)] {
        let points = half_points(strategy, 15);
        assert!(points >= 42, "{} of 30 points against {}", f64::from(points) / 2.0, strategy.name());
    }
}
