//! War of Life, fast against plain, on random boards and in whole games.

use arena_baselines::war_of_life::{OnePly, Strategy, Terminals, choose};
use arena_oracle::war_of_life as plain;
use arena_rules::war_of_life::{Board, ByColour, Cells, Colour, MOVES_MAX, Move, Position, Start};
use arena_rules::{BySeat, Reason, Rng, Ruleset};
use plain::{End, Grid, LastPly, Sight};

/// Boards of which an eighth, a quarter, half and three quarters of the cells have a piece.
fn boards(count: u32) -> impl Iterator<Item = Board> {
    let mut rng = Rng::new(&[5; 32], 0);
    (0..count).map(move |number| {
        let mut bits = || u64::from(rng.word()) << 32 | u64::from(rng.word());
        let living = match number % 4 {
            0 => bits() & bits() & bits(),
            1 => bits() & bits(),
            2 => bits(),
            _ => bits() | bits(),
        };
        let red = bits();
        let half = |bits| Cells::from_bits(living & bits);
        Board::new(ByColour { blue: half(!red), red: half(red) }).expect("no cell has two colours")
    })
}

fn grid(board: &Board) -> Grid {
    plain::parse_grid(&board.to_string()).expect("a text of a board")
}

fn plain_colour(colour: Colour) -> u8 {
    match colour {
        Colour::Blue => plain::BLUE,
        Colour::Red => plain::RED,
    }
}

fn plain_move(step: Move) -> plain::Move {
    [step.from.row(), step.from.col(), step.to.row(), step.to.col()]
}

#[test]
fn a_generation_is_the_plain_one() {
    for board in boards(20_000) {
        assert_eq!(board.next().to_string(), plain::to_text(&plain::crank(&grid(&board))), "{board}");
    }
}

#[test]
fn moves_and_what_they_lead_to_are_the_plain_ones() {
    for board in boards(400) {
        for colour in Colour::BOTH {
            let steps: Vec<Move> = board.moves(colour).collect();
            let plain_steps: Vec<plain::Move> = steps.iter().copied().map(plain_move).collect();
            assert_eq!(plain_steps, plain::moves(&grid(&board), plain_colour(colour)), "{board}");
            for step in steps {
                let after = plain::played(&grid(&board), plain_move(step));
                assert_eq!(board.after(colour, step).to_string(), plain::to_text(&after), "{board} {step:?}");
            }
        }
    }
}

#[test]
fn ends_are_the_plain_ones() {
    let emptied = [Board::EMPTY].into_iter().chain(boards(400)).flat_map(|board| {
        let only = |kept: Colour| {
            Board::new(ByColour::new(|colour| if colour == kept { board.of(colour) } else { Cells::EMPTY }))
                .expect("no cell has two colours")
        };
        [board, only(Colour::Blue), only(Colour::Red)]
    });
    for board in emptied {
        for ply in [0, 1, MOVES_MAX - 1, MOVES_MAX] {
            let position = Position::new(board, ply).expect("not too many moves");
            let got = position.outcome().map(|outcome| match outcome.reason {
                Reason::MutualExtinction => End::Nobody,
                Reason::Exhausted => End::Exhausted,
                Reason::Extinction => {
                    End::Won(plain_colour(outcome.winner.and_then(Colour::of).expect("somebody won")))
                }
                Reason::Stalemate => End::Stalemate,
                other => panic!("no rule of War of Life ends a game by {other:?}"),
            });
            assert_eq!(got, plain::end(&grid(&board), ply), "{board} after {ply}");
        }
    }
}

fn plain_choice(board: &Board, colour: Colour, strategy: Strategy) -> Option<plain::Move> {
    let (grid, colour) = (grid(board), plain_colour(colour));
    match strategy {
        Strategy::Random => panic!("it draws"),
        Strategy::OnePly(OnePly::Bloodlust) => plain::best_of_one_ply(&grid, colour, Sight::Bloodlust),
        Strategy::OnePly(OnePly::SelfPreservation) => plain::best_of_one_ply(&grid, colour, Sight::SelfPreservation),
        Strategy::OnePly(OnePly::LandGrab) => plain::best_of_one_ply(&grid, colour, Sight::LandGrab),
        Strategy::Minimax(Terminals::Clean) => plain::best_of_two_plies(&grid, colour, LastPly::ByTheRules),
        Strategy::Minimax(Terminals::Coursework) => plain::best_of_two_plies(&grid, colour, LastPly::LeftOut),
    }
}

const DETERMINED: [Strategy; 5] = [
    Strategy::OnePly(OnePly::Bloodlust),
    Strategy::OnePly(OnePly::SelfPreservation),
    Strategy::OnePly(OnePly::LandGrab),
    Strategy::Minimax(Terminals::Clean),
    Strategy::Minimax(Terminals::Coursework),
];

/// Sparse boards above all: there moves lead to an end, and minimax's two ways part.
#[test]
fn choices_are_the_plain_ones() {
    let mut rng = Rng::new(&[0; 32], 0);
    let mut parted = 0;
    for board in boards(160) {
        for colour in Colour::BOTH {
            let chosen = DETERMINED.map(|strategy| {
                let chosen = choose(&board, colour, strategy, &mut rng).map(plain_move);
                assert_eq!(chosen, plain_choice(&board, colour, strategy), "{board} {strategy:?}");
                chosen
            });
            parted += u32::from(chosen[3] != chosen[4]);
        }
    }
    assert!(parted > 0, "on these boards one cannot tell the two ways of minimax apart");
}

#[test]
fn whole_games_are_the_plain_ones() {
    for (number, first) in (0..).zip(DETERMINED) {
        for second in DETERMINED {
            let mut position = Position::start(&Start::Deal(number), &[0; 32]);
            let mut grid = grid(position.board());
            while let Some(colour) = position.to_move() {
                let strategy = if colour == Colour::Blue { first } else { second };
                let Some(step) = plain_choice(position.board(), colour, strategy) else { break };
                let found = position.moves(colour.seat()).find(|known| plain_move(*known) == step);
                position.advance(BySeat::new(2, |seat| found.filter(|_| seat == colour.seat())));
                grid = plain::played(&grid, step);
                assert_eq!(position.board().to_string(), plain::to_text(&grid));
                assert_eq!(position.outcome().is_some(), plain::end(&grid, position.ply()).is_some());
            }
        }
    }
}
