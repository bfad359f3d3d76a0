//! The evaluation kit: its turns are always legal, it sees how a game ends, and it is strong.

#[path = "../../../../bots/gallery/testing/mod.rs"]
mod testing;

use arena_baselines::conquerors::Tier;
use arena_sdk::conquerors::{Action, Board, ByColour, Cell, Colour, Options, ROUNDS, Setup, Target};
use arena_sdk::kit::{Weights, best_turn};
use arena_sdk::{Bot, Observation};

#[derive(Default)]
struct Leads;

impl Bot for Leads {
    fn turn(&mut self, seen: &Observation) -> Action {
        best_turn(seen, 4, 10_000_000, |branch| Weights::LEAD.worth(branch, seen.colour()))
    }
}

/// Has no fuel to try anything.
#[derive(Default)]
struct Starves;

impl Bot for Starves {
    fn turn(&mut self, seen: &Observation) -> Action {
        best_turn(seen, 8, 0, |_| panic!("there is nothing to judge with"))
    }
}

#[test]
fn every_answer_in_odd_positions_is_legal() {
    testing::answer_anywhere::<Leads>(60);
    testing::answer_anywhere::<Starves>(200);
}

/// It won all of 300 games against each.
#[test]
fn it_beats_normal_and_hard() {
    for tier in [Tier::Normal, Tier::Hard] {
        let wins = testing::wins::<Leads>(tier, 10);
        assert!(wins >= 18, "{wins} of 20 games against {}", tier.name());
    }
}

fn seen(round: u8, cells: &[(u8, u8, Colour)]) -> Observation {
    let mut board = Board::EMPTY;
    for (row, col, colour) in cells {
        board.set(Cell::new(*row, *col).expect("on the board"), *colour);
    }
    let setup = Setup {
        options: Options::default(),
        board,
        to_move: Colour::Red,
        round,
        cooldown: ByColour::default(),
        skip_used: ByColour::new(|_| false),
    };
    Observation { position: setup.position().expect("a position"), seat: Colour::Red.seat(), seat_seed: [0; 32] }
}

fn block(row: u8, col: u8, colour: Colour) -> [(u8, u8, Colour); 4] {
    [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)].map(|(row, col)| (row, col, colour))
}

#[test]
fn a_win_is_worth_more_than_any_lead() {
    // Blue's only block, to be bombed; any placement would leave it alive.
    let cells = [block(5, 5, Colour::Blue), block(5, 22, Colour::Red)].concat();
    let action = best_turn(&seen(7, &cells), 4, 10_000_000, |_| 500_000);
    let Action::Bomb(Target { row, col }) = action else { panic!("{action:?}") };
    assert!((5..=6).contains(&row) && (5..=6).contains(&col), "{row}, {col}");
}

#[test]
fn at_the_end_of_the_game_the_score_decides_and_not_the_weights() {
    let cells = [block(5, 5, Colour::Blue), block(12, 22, Colour::Red), block(20, 12, Colour::Red)].concat();
    let last = seen(ROUNDS, &cells);
    let spoiler = best_turn(&last, 4, 10_000_000, |branch| -(branch.census(1).cells(Colour::Red) as i32));
    assert_eq!(spoiler, best_turn(&last, 1, 10_000_000, |_| 0));
}

#[test]
#[should_panic(expected = "a generation at the earliest")]
fn a_turn_is_not_judged_before_its_generation() {
    best_turn(&seen(7, &[]), 0, 1, |_| 0);
}
