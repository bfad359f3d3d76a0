//! Game of Game of Life: what the opponents do, and who beats whom.

use arena_baselines::game_of_game_of_life::{Gains, Strategy, choose};
use arena_baselines::{Opponent, Opponents};
use arena_rules::game_of_game_of_life::{Action, Board, Colour, Options, Position, Side, Turn};
use arena_rules::{BySeat, Rng, Ruleset, Seat, Seed};
use arena_wire::{Observation, Protocol};

/// Games of each cage match here; the study plays 500.
const GAMES: u64 = 12;

fn seed(number: u64, seat: u8) -> Seed {
    let mut seed = [seat; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

/// Plays a game, showing every position.
fn play(strategies: &[Strategy], number: u64, mut see: impl FnMut(&Position)) -> Position {
    let options = Options { seats: strategies.len() as u8, ..Options::default() };
    let mut position = Position::start(&options, &seed(number, 0));
    while position.outcome().is_none() {
        see(&position);
        let mut turns = BySeat::new(position.seats(), |_| None);
        for seat in position.awaiting().iter() {
            let action = choose(&position, seat, strategies[seat.index()], &seed(number, seat.0 + 1));
            turns[seat] = Some(position.check(seat, &action).expect("opponents play legal actions"));
        }
        position.advance(turns);
    }
    position
}

/// Games won by the first of two, seats swapped, in halves: the larger share wins, equal ones are half a game each.
fn halves(first: Strategy, second: Strategy) -> u64 {
    let game = |number| {
        let swapped = number % 2 == 1;
        let strategies = if swapped { [second, first] } else { [first, second] };
        let tally = play(&strategies, number / 2, |_| {}).tally();
        let own = Seat(swapped.into());
        match tally[own].cmp(&tally[own.opponent()]) {
            std::cmp::Ordering::Greater => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 0,
        }
    };
    (0..GAMES).map(game).sum()
}

#[test]
fn the_stronger_beats_the_weaker_in_a_cage() {
    for (stronger, weaker) in [
        (Strategy::Planner, Strategy::Safety),
        (Strategy::Planner, Strategy::Greedy),
        (Strategy::Safety, Strategy::Greedy),
        (Strategy::Planner, Strategy::Nothing),
        (Strategy::Safety, Strategy::Nothing),
        (Strategy::Greedy, Strategy::Nothing),
    ] {
        let halves = halves(stronger, weaker);
        // 11 of 12 by chance between equals: once in 300.
        assert!(
            halves >= 2 * GAMES - 2,
            "{} over {}: {halves} halves of {GAMES} games",
            stronger.name(),
            weaker.name()
        );
    }
}

#[test]
fn nothing_never_acts_and_random_mostly_to_no_effect() {
    let start = Position::start(&Options::default(), &[0; 32]);
    let effects = |strategy| {
        let act = |number| choose(&start, Seat(0), strategy, &seed(number, 0));
        (0..1000).filter(|number| start.check(Seat(0), &act(*number)) != Ok(Turn::Pass)).count()
    };
    assert_eq!(effects(Strategy::Nothing), 0);
    // 36 of 144 cells are within reach of a block.
    assert!((200..300).contains(&effects(Strategy::Random)), "{}", effects(Strategy::Random));
    let actions = (0..1000).map(|number| choose(&start, Seat(0), Strategy::Random, &seed(number, 0)));
    let corners =
        actions.filter(|action| matches!(action, Action::Cell(target) if target.row == 11 && target.col >= 10));
    assert!(corners.count() > 0);
}

/// Every strategy passes without cells, and acts the same from bytes as from the position.
#[test]
fn an_action_is_a_function_of_what_is_observed() {
    let field = [Strategy::Greedy, Strategy::Safety, Strategy::Planner, Strategy::Random, Strategy::Nothing];
    let mut turns = 0;
    play(&field, 4, |position| {
        if position.generation() % 50 > 0 {
            return;
        }
        for (seat, strategy) in (0..5).map(Seat).zip(field) {
            let action = choose(position, seat, strategy, &seed(9, seat.0));
            assert!(!position.board().seat(seat).is_empty() || action == Action::Pass);
            let bytes = Observation { position: position.clone(), seat, seat_seed: seed(9, seat.0) }.encode();
            let opponent = Opponent::named(Position::ID, strategy.name()).expect("built in");
            assert_eq!(opponent.answer(&bytes), Ok(Position::encode_action(&action)));
            let built_in = Position::ALL.iter().find(|built_in| built_in.name == strategy.name()).expect("built in");
            assert_eq!((built_in.choose)(position, seat, &seed(9, seat.0)), Some(action));
            turns += 1;
        }
    });
    assert!(turns >= 25);
    let names: Vec<&str> = Position::ALL.iter().map(|built_in| built_in.name).collect();
    assert_eq!(names, ["nothing", "random", "greedy", "safety", "planner"]);
    assert_eq!(Opponent::sample(Position::ID).map(|opponent| opponent.name()), Some("nothing"));
}

/// A random board of three seats and black.
fn board(side: Side, rng: &mut Rng) -> Board {
    let mut board = Board::empty(side, 3);
    for cell in side.cells() {
        match rng.below(9) {
            seat @ 0..3 => board.set(cell, Colour::Seat(Seat(seat as u8))),
            3 => board.set(cell, Colour::Black),
            _ => {}
        }
    }
    board
}

/// What is counted for all cells at once is what happens when the action is played.
#[test]
fn gains_are_what_a_generation_shows() {
    let mut rng = Rng::new(&[5; 32], 0);
    for round in 0..60 {
        let board = board(Side::ALL[round % 3], &mut rng);
        let count = |cells: &BySeat<_>, colour: Seat| {
            let mut next = board.acted(cells).0;
            next.step();
            next.seat(colour).count() as i32
        };
        let mut cells = BySeat::new(3, |_| None);
        for (mover, colour) in [(0, 0), (0, 1), (2, 1), (1, 1)].map(|(mover, colour)| (Seat(mover), Seat(colour))) {
            let gains = Gains::of(&board, mover, colour);
            cells[mover] = None;
            let passing = count(&cells, colour);
            for cell in board.side().cells() {
                let gain = match board.colour_at(cell) {
                    None => gains.claim(cell),
                    Some(owner) if owner == Colour::Seat(mover) => gains.kill(cell),
                    Some(_) => continue,
                };
                cells[mover] = Some(cell);
                assert_eq!(count(&cells, colour) - passing, gain, "{mover} at {cell:?}, counting {colour}");
            }
            cells[mover] = None;
        }
    }
}
