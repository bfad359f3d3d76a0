//! The contents of the lessons: positions made by the rules, a goal, and sentences.

use arena_rules::conquerors::{self, ByColour, Colour, Options, Setup};
use arena_rules::game_of_game_of_life as field;
use arena_rules::{BySeat, Seat, Seats, war_of_life};
use arena_wire::Protocol;

use crate::language::Message;
use crate::text;

/// Cells of a colour: row and column.
type Cells = &'static [(u8, u8)];

/// The start of a lesson. The learner is blue and moves.
pub(crate) enum Start {
    /// A round of Conquerors.
    Conquerors { round: u8, blue: Cells, red: Cells },
    /// A position of War of Life.
    WarOfLife { blue: Cells, red: Cells },
    /// A position of Game of Game of Life for two seats.
    Field { first: Cells, second: Cells },
}

/// A lesson.
pub(crate) struct Lesson {
    /// The name of its game in addresses.
    pub(crate) game: &'static str,
    pub(crate) title: Message,
    pub(crate) text: Message,
    pub(crate) task: Message,
    pub(crate) done: Message,
    /// The goal's name in `web/static/rooms/lesson.js`.
    pub(crate) goal: &'static str,
    /// The opponent.
    pub(crate) opponent: &'static str,
    pub(crate) start: Start,
}

impl Start {
    /// The position as the learner's seat sees it; `None` if the rules do not allow it.
    pub(crate) fn shown(&self) -> Option<Vec<u8>> {
        let seed = [0; 32];
        match self {
            Start::Conquerors { round, blue, red } => {
                let mut board = conquerors::Board::EMPTY;
                for (colour, cells) in [(Colour::Blue, blue), (Colour::Red, red)] {
                    for (row, col) in *cells {
                        board.set(conquerors::Cell::new(*row, *col)?, colour);
                    }
                }
                let setup = Setup {
                    options: Options::V2,
                    board,
                    to_move: Colour::Blue,
                    round: *round,
                    cooldown: ByColour { blue: 0, red: 0 },
                    skip_used: ByColour { blue: false, red: false },
                };
                Some(setup.position().ok()?.observation(Seat(0), &seed))
            }
            Start::WarOfLife { blue, red } => {
                let mut board = war_of_life::Board::EMPTY;
                for (colour, cells) in [(Colour::Blue, blue), (Colour::Red, red)] {
                    for (row, col) in *cells {
                        board.set(war_of_life::Cell::new(*row, *col)?, colour);
                    }
                }
                Some(war_of_life::Position::new(board, 0).ok()?.observation(Seat(0), &seed))
            }
            Start::Field { first, second } => {
                let side = field::Side::Twelve;
                let mut board = field::Board::empty(side, 2);
                for (seat, cells) in [(Seat(0), first), (Seat(1), second)] {
                    for (row, col) in *cells {
                        board.set(side.cell(*row, *col)?, field::Colour::Seat(seat));
                    }
                }
                let last = BySeat::new(2, |_| None);
                let setup = field::Setup { board, generation: 0, last, forfeited: Seats::NONE };
                Some(setup.position().ok()?.observation(Seat(0), &seed))
            }
        }
    }
}

/// Blocks of two by two cells, by their upper left cells.
pub(crate) const fn blocks<const N: usize>(corners: [(u8, u8); N]) -> [[(u8, u8); 4]; N] {
    let mut blocks = [[(0, 0); 4]; N];
    let mut at = 0;
    while at < N {
        let (row, col) = corners[at];
        blocks[at] = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
        at += 1;
    }
    blocks
}

/// A block of red far from everything else, so that red does not die out.
const AWAY: Cells = &[(3, 24), (3, 25), (4, 24), (4, 25)];
const AT_HOME: Cells = &[(12, 3), (12, 4), (13, 3), (13, 4)];
/// A block of blue in each zone, and more cells of red, all but one block along its edge.
const EVERYWHERE: &[[(u8, u8); 4]] = &blocks([(12, 3), (12, 12), (20, 22)]);
const MORE: &[[(u8, u8); 4]] = &blocks([(1, 24), (5, 24), (9, 24), (13, 24), (1, 21)]);

/// All lessons, game by game.
pub(crate) const LESSONS: &[Lesson] = &[
    Lesson {
        game: "conquerors",
        title: text::lesson_four_cells_a_turn,
        text: text::lesson_you_are_blue_a_turn_places,
        task: text::lesson_place_a_square_of_two_by_two_in_your,
        done: text::lesson_a_block_like_this,
        goal: "alive",
        opponent: "easy",
        start: Start::Conquerors { round: 1, blue: &[], red: AWAY },
    },
    Lesson {
        game: "conquerors",
        title: text::lesson_births,
        text: text::lesson_an_empty_cell_with_exactly,
        task: text::lesson_save_the_pair_and_place,
        done: text::lesson_more_cells_than_you,
        goal: "grows",
        opponent: "easy",
        start: Start::Conquerors { round: 1, blue: &[(12, 3), (12, 4)], red: AWAY },
    },
    Lesson {
        game: "conquerors",
        title: text::lesson_the_neutral_zone,
        text: text::lesson_your_home_is_always,
        task: text::lesson_place_four_cells_in_the_neutral,
        done: text::lesson_the_first_link_of_the_chain,
        goal: "zone:1",
        opponent: "easy",
        start: Start::Conquerors { round: 2, blue: AT_HOME, red: AWAY },
    },
    Lesson {
        game: "conquerors",
        title: text::lesson_the_anchor,
        text: text::lesson_if_the_last_cell,
        task: text::lesson_end_the_turn_with_a_living,
        done: text::lesson_two_blocks_at_home,
        goal: "zone:0",
        opponent: "easy",
        start: Start::Conquerors {
            round: 3,
            blue: &[(12, 3), (12, 4), (12, 12), (12, 13), (13, 12), (13, 13)],
            red: AWAY,
        },
    },
    Lesson {
        game: "conquerors",
        title: text::lesson_into_the_enemys_home,
        text: text::lesson_the_enemys_home_opens,
        task: text::lesson_place_three_cells_in_a_column,
        done: text::lesson_a_cell_of_yours,
        goal: "zone:2",
        opponent: "easy",
        start: Start::Conquerors { round: 4, blue: AT_HOME, red: AWAY },
    },
    Lesson {
        game: "conquerors",
        title: text::lesson_how_scores_count,
        text: text::lesson_each_cell_counts_one_point,
        task: text::lesson_lead_after_your_turn,
        done: text::lesson_four_cells_there_were,
        goal: "leads",
        opponent: "easy",
        start: Start::Conquerors { round: 5, blue: EVERYWHERE.as_flattened(), red: MORE.as_flattened() },
    },
    Lesson {
        game: "conquerors",
        title: text::lesson_the_bomb,
        text: text::lesson_from_round_7_on_each,
        task: text::lesson_bomb_reds_block_choose,
        done: text::lesson_the_bomb_needs_no_chain,
        goal: "tool:bomb",
        opponent: "easy",
        start: Start::Conquerors {
            round: 7,
            blue: AT_HOME,
            red: &[(3, 24), (3, 25), (4, 24), (4, 25), (20, 24), (20, 25), (21, 24), (21, 25)],
        },
    },
    Lesson {
        game: "conquerors",
        title: text::lesson_the_skip,
        text: text::lesson_once_a_game_you,
        task: text::lesson_skip_and_watch_the_row,
        done: text::lesson_nothing_was_placed_yet,
        goal: "tool:skip",
        opponent: "easy",
        start: Start::Conquerors {
            round: 5,
            blue: &[(12, 3), (12, 4), (13, 3), (13, 4), (6, 5), (6, 6), (6, 7)],
            red: AWAY,
        },
    },
    Lesson {
        game: "conquerors",
        title: text::lesson_the_end,
        text: text::lesson_after_twelve_rounds_the_higher,
        task: text::lesson_take_the_lead_with_your,
        done: text::lesson_that_was_all_the_rest,
        goal: "leads",
        opponent: "easy",
        start: Start::Conquerors { round: 12, blue: EVERYWHERE.as_flattened(), red: MORE.as_flattened() },
    },
    Lesson {
        game: "war-of-life",
        title: text::lesson_move_a_piece,
        text: text::lesson_you_are_blue_a_turn_moves,
        task: text::lesson_choose_a_piece_then,
        done: text::lesson_every_move_changes_which_pieces,
        goal: "turn",
        opponent: "random",
        start: Start::WarOfLife {
            blue: &[(1, 1), (1, 2), (2, 1), (2, 2), (5, 1), (5, 2), (5, 3)],
            red: &[(5, 6), (5, 7), (6, 6), (6, 7)],
        },
    },
    Lesson {
        game: "war-of-life",
        title: text::lesson_grow,
        text: text::lesson_three_pieces_around_an_empty,
        task: text::lesson_bring_them_together_end,
        done: text::lesson_three_in_a_corner,
        goal: "more",
        opponent: "random",
        start: Start::WarOfLife { blue: &[(2, 2), (2, 3), (4, 3)], red: &[(5, 6), (5, 7), (6, 6), (6, 7)] },
    },
    Lesson {
        game: "war-of-life",
        title: text::lesson_win,
        text: text::lesson_a_player_without_pieces,
        task: text::lesson_move_one_of_them,
        done: text::lesson_with_one_neighbour_a_piece,
        goal: "wins",
        opponent: "random",
        start: Start::WarOfLife { blue: &[(0, 0), (0, 1), (1, 0), (1, 1), (4, 4), (6, 6)], red: &[(5, 5)] },
    },
    Lesson {
        game: "game-of-game-of-life",
        title: text::lesson_one_cell_a_turn,
        text: text::lesson_the_first_colour_is_yours,
        task: text::lesson_your_two_cells_will,
        done: text::lesson_three_cells_in_a_corner,
        goal: "grows",
        opponent: "nothing",
        start: Start::Field { first: &[(5, 3), (5, 4)], second: &[(0, 9), (0, 10), (1, 9), (1, 10)] },
    },
    Lesson {
        game: "game-of-game-of-life",
        title: text::lesson_the_colour_of_a_birth,
        text: text::lesson_a_cell_is_born,
        task: text::lesson_end_the_turn_with_more_cells,
        done: text::lesson_a_cell_that_you,
        goal: "more",
        opponent: "nothing",
        start: Start::Field { first: &[(5, 4)], second: &[(5, 5), (6, 5)] },
    },
];

#[cfg(test)]
mod tests {
    use arena_wire::{Game, Visitor};

    use super::*;

    #[test]
    fn every_lesson_begins_with_a_position_in_which_the_learner_moves() {
        for lesson in LESSONS {
            let game = Game::named(lesson.game).expect("a game");
            let shown = lesson.start.shown().unwrap_or_else(|| panic!("{}", (lesson.title)()));
            struct Moves(Vec<u8>);
            impl Visitor for Moves {
                type Out = bool;
                fn visit<P: Protocol>(self, _: P) -> bool {
                    let position = P::observe(&self.0).expect("a position").position;
                    position.outcome().is_none() && position.awaiting().contains(Seat(0))
                }
            }
            let moves = arena_wire::start(game.ruleset, game.casual, &[0; 32], Moves(shown));
            assert_eq!(moves.ok(), Some(true), "{}", (lesson.title)());
            assert!(arena_runner::Contender::baseline(game.ruleset, lesson.opponent).is_ok(), "{}", (lesson.title)());
        }
    }
}
