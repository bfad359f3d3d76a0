//! Shared tests of all Rust bots: whole games against a built-in opponent, and answers in unusual positions.

use arena_baselines::conquerors::{Params, Tier, choose};
use arena_sdk::conquerors::{Board, ByColour, Colour, Options, Plane, ROUNDS, Setup};
use arena_sdk::conquerors::{Position, Turn};
use arena_sdk::{Bot, BySeat, Observation, Rng, Ruleset, Seat, Seed};

/// Games won of `pairs` pairs against `tier`; the seats are swapped within a pair.
///
/// # Panics
/// When the bot answers with an illegal action.
pub(crate) fn wins<B: Bot>(tier: Tier, pairs: u64) -> u64 {
    let seats = [Seat(0), Seat(1)];
    (0..pairs).flat_map(|game| seats.map(|seat| u64::from(winner::<B>(seat, tier, game) == Some(seat)))).sum()
}

/// Asks for an answer in random positions, including those with hardly any free cell or none.
///
/// # Panics
/// When the bot answers with an illegal action.
pub(crate) fn answer_anywhere<B: Bot>(positions: u64) {
    let mut rng = Rng::new(&seed(0, 2), 0);
    for number in 0..positions {
        let position = random_position(&mut rng);
        if let Some(colour) = position.to_move() {
            answer(&mut B::default(), &position, colour, number);
        }
    }
}

/// Plays a game of `bot` in `seat`; returns the seat that won.
fn winner<B: Bot>(seat: Seat, tier: Tier, game: u64) -> Option<Seat> {
    let mut position = Position::start(&Options::default().into(), &[0; 32]);
    let mut bot = B::default();
    while let Some(colour) = position.to_move() {
        let turn = if colour.seat() == seat {
            answer(&mut bot, &position, colour, game)
        } else {
            choose(&position, colour.seat(), tier, &Params::SHIPPED, &seed(game, 1))
        };
        let mut turns = BySeat::new(2, |_| None);
        turns[colour.seat()] = Some(turn);
        position.advance(turns);
    }
    position.outcome().and_then(|outcome| outcome.winner)
}

/// The bot's turn, checked as the referee checks it.
fn answer(bot: &mut impl Bot, position: &Position, colour: Colour, number: u64) -> Turn {
    let observation = Observation { position: position.clone(), seat: colour.seat(), seat_seed: seed(number, 0) };
    match position.check(colour.seat(), &bot.turn(&observation)) {
        Ok(turn) => turn,
        Err(refusal) => panic!("number {number}, ply {}: {refusal}\n{}", position.ply(), position.board()),
    }
}

/// A position whose zones are each empty, sparse, half full, nearly full or full, of one colour or of both.
fn random_position(rng: &mut Rng) -> Position {
    let living_per_mille: [u32; 3] = core::array::from_fn(|_| [0, 50, 500, 990, 1000][rng.below(5) as usize]);
    let red_percent: [u32; 3] = core::array::from_fn(|_| [0, 50, 100][rng.below(3) as usize]);
    let mut board = Board::EMPTY;
    for cell in Plane::FULL.cells() {
        let zone = usize::from(cell.col() >= 8) + usize::from(cell.col() >= 20);
        let colour = if rng.below(100) < red_percent[zone] { Colour::Red } else { Colour::Blue };
        if rng.below(1000) < living_per_mille[zone] {
            board.set(cell, colour);
        }
    }
    let setup = Setup {
        options: Options::default(),
        board,
        to_move: Colour::BOTH[rng.below(2) as usize],
        round: 1 + rng.below(ROUNDS.into()) as u8,
        cooldown: ByColour::new(|_| rng.below(3) as u8),
        skip_used: ByColour::new(|_| rng.below(2) == 1),
    };
    setup.position().expect("round and cooldowns are in range")
}

/// A seed that nothing else shares.
fn seed(number: u64, who: u8) -> Seed {
    let mut seed = [who; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}
