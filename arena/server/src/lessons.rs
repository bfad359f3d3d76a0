//! The contents of the lessons: positions made by the rules, a goal, and sentences.

use arena_rules::conquerors::{self, ByColour, Colour, Options, Setup};
use arena_rules::game_of_game_of_life as field;
use arena_rules::{BySeat, Seat, Seats, war_of_life};
use arena_wire::Protocol;

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
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    pub(crate) task: &'static str,
    pub(crate) done: &'static str,
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

/// A block of red far from everything else, so that red does not die out.
const AWAY: Cells = &[(3, 24), (3, 25), (4, 24), (4, 25)];
const AT_HOME: Cells = &[(12, 3), (12, 4), (13, 3), (13, 4)];

/// All lessons, game by game.
pub(crate) const LESSONS: &[Lesson] = &[
    Lesson {
        game: "conquerors",
        title: "Four cells a turn",
        text: "You are blue. A turn places four cells, then the board advances one generation: a cell with two or three living neighbours lives on. In a square of two by two each cell has three.",
        task: "Place a square of two by two in your home, on the left, and end the turn.",
        done: "A block like this lives for ever, unless other cells come near it.",
        goal: "alive",
        opponent: "easy",
        start: Start::Conquerors { round: 1, blue: &[], red: AWAY },
    },
    Lesson {
        game: "conquerors",
        title: "Births",
        text: "An empty cell with exactly three living neighbours is born, in the colour that most of them have. A pair alone dies: each cell has only one neighbour. Three cells in a corner give birth to a fourth.",
        task: "Save the pair and place your cells so that at least one more is born than dies.",
        done: "More cells than you have placed: births are how a game is won.",
        goal: "grows",
        opponent: "easy",
        start: Start::Conquerors { round: 1, blue: &[(12, 3), (12, 4)], red: AWAY },
    },
    Lesson {
        game: "conquerors",
        title: "The neutral zone",
        text: "Your home is always open to you. The neutral zone in the middle is open while at least one cell of yours lives in your home: your anchor. The dots show which cells are open.",
        task: "Place four cells in the neutral zone so that one of yours lives there afterwards.",
        done: "The first link of the chain: home, then neutral.",
        goal: "zone:1",
        opponent: "easy",
        start: Start::Conquerors { round: 2, blue: AT_HOME, red: AWAY },
    },
    Lesson {
        game: "conquerors",
        title: "The anchor",
        text: "If the last cell in your home dies, the neutral zone closes, and you can no longer help your cells there. Here your anchor is a pair, and a pair dies.",
        task: "End the turn with a living cell in your home.",
        done: "Two blocks at home are a better anchor than one.",
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
        title: "Into the enemy’s home",
        text: "The enemy’s home opens with cells of yours in your home, in the neutral zone and in the enemy’s home itself. So the first one there cannot be placed: it must be born. Three cells in a column become three in a row, and the row reaches across the border.",
        task: "Place three cells in a column at the right edge of the neutral zone, column 19, and one wherever you like.",
        done: "A cell of yours lives in the enemy’s home: the chain is whole, and next turn you may place there.",
        goal: "zone:2",
        opponent: "easy",
        start: Start::Conquerors { round: 4, blue: AT_HOME, red: AWAY },
    },
    Lesson {
        game: "conquerors",
        title: "How scores count",
        text: "Each cell counts one point, or two in the enemy’s home. Your chain is whole here, but red has more cells.",
        task: "Lead after your turn.",
        done: "Four cells there were worth eight.",
        goal: "leads",
        opponent: "easy",
        start: Start::Conquerors {
            round: 5,
            blue: &[
                (12, 3),
                (12, 4),
                (13, 3),
                (13, 4),
                (12, 12),
                (12, 13),
                (13, 12),
                (13, 13),
                (20, 22),
                (20, 23),
                (21, 22),
                (21, 23),
            ],
            red: &[
                (1, 24),
                (1, 25),
                (2, 24),
                (2, 25),
                (5, 24),
                (5, 25),
                (6, 24),
                (6, 25),
                (9, 24),
                (9, 25),
                (10, 24),
                (10, 25),
                (13, 24),
                (13, 25),
                (14, 24),
                (14, 25),
                (1, 21),
                (1, 22),
                (2, 21),
                (2, 22),
            ],
        },
    },
    Lesson {
        game: "conquerors",
        title: "The bomb",
        text: "From round 7 on each player has a bomb. It takes a whole turn and clears a square of three by three, both colours alike; then the generation follows. It is ready again after the ends of three turns, your own included, so you can use it every second turn.",
        task: "Bomb red’s block: choose Bomb, then a cell of it, then end the turn.",
        done: "The bomb needs no chain: it reaches every cell of the board.",
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
        title: "The skip",
        text: "Once a game you may skip: you place nothing, and the generation follows all the same. Otherwise a turn must place four cells while four can be placed.",
        task: "Skip, and watch the row turn.",
        done: "Nothing was placed, yet the row turned, and turned back after red’s turn.",
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
        title: "The end",
        text: "After twelve rounds the higher score wins. A player with no cells left at the end of a turn loses at once. This is the last round, and you are behind by some points.",
        task: "Take the lead with your last turn; red answers, and the scores decide.",
        done: "That was all. The rest is practice.",
        goal: "leads",
        opponent: "easy",
        start: Start::Conquerors {
            round: 12,
            blue: &[
                (12, 3),
                (12, 4),
                (13, 3),
                (13, 4),
                (12, 12),
                (12, 13),
                (13, 12),
                (13, 13),
                (20, 22),
                (20, 23),
                (21, 22),
                (21, 23),
            ],
            red: &[
                (1, 24),
                (1, 25),
                (2, 24),
                (2, 25),
                (5, 24),
                (5, 25),
                (6, 24),
                (6, 25),
                (9, 24),
                (9, 25),
                (10, 24),
                (10, 25),
                (13, 24),
                (13, 25),
                (14, 24),
                (14, 25),
                (1, 21),
                (1, 22),
                (2, 21),
                (2, 22),
            ],
        },
    },
    Lesson {
        game: "war-of-life",
        title: "Move a piece",
        text: "You are blue. A turn moves one of your pieces to an adjacent empty cell, in any of eight directions; then the board advances one generation. Neighbours of either colour keep a piece alive.",
        task: "Choose a piece, then a cell with a dot, and end the turn.",
        done: "Every move changes which pieces are neighbours.",
        goal: "turn",
        opponent: "random",
        start: Start::WarOfLife {
            blue: &[(1, 1), (1, 2), (2, 1), (2, 2), (5, 1), (5, 2), (5, 3)],
            red: &[(5, 6), (5, 7), (6, 6), (6, 7)],
        },
    },
    Lesson {
        game: "war-of-life",
        title: "Grow",
        text: "Three pieces around an empty cell give birth to a fourth, in the colour that most of them have. Here your three pieces are too far apart.",
        task: "Bring them together: end the turn with more pieces than before.",
        done: "Three in a corner become a block, which lives on.",
        goal: "more",
        opponent: "random",
        start: Start::WarOfLife { blue: &[(2, 2), (2, 3), (4, 3)], red: &[(5, 6), (5, 7), (6, 6), (6, 7)] },
    },
    Lesson {
        game: "war-of-life",
        title: "Win",
        text: "A player without pieces loses. Red’s only piece lives because it has two neighbours, and both are yours.",
        task: "Move one of them away.",
        done: "With one neighbour a piece dies: you have won. Which pieces you leave is as important as where you go.",
        goal: "wins",
        opponent: "random",
        start: Start::WarOfLife { blue: &[(0, 0), (0, 1), (1, 0), (1, 1), (4, 4), (6, 6)], red: &[(5, 5)] },
    },
    Lesson {
        game: "game-of-game-of-life",
        title: "One cell a turn",
        text: "The first colour is yours. In every turn all players name one cell at the same time: a dead cell within two cells of yours comes to life. The board has no edges: what leaves it on one side comes in on the other.",
        task: "Your two cells will die of loneliness. Name a cell that completes a corner, and end the turn.",
        done: "Three cells in a corner gave birth to a fourth, and a block lives on for ever.",
        goal: "grows",
        opponent: "nothing",
        start: Start::Field { first: &[(5, 3), (5, 4)], second: &[(0, 9), (0, 10), (1, 9), (1, 10)] },
    },
    Lesson {
        game: "game-of-game-of-life",
        title: "The colour of a birth",
        text: "A cell is born in the colour that most of its three neighbours have, and neighbours of any colour keep a cell alive. Here the birth next to your cell will go to the opponent, who has two of its three neighbours.",
        task: "End the turn with more cells than before.",
        done: "A cell that you name is yours, and the opponent’s cells keep it alive.",
        goal: "more",
        opponent: "nothing",
        start: Start::Field { first: &[(5, 4)], second: &[(5, 5), (6, 5)] },
    },
];

#[cfg(test)]
mod tests {
    use arena_wire::{Game, Visitor};

    use super::*;
    use crate::language::{Language, found, speaking};

    #[test]
    fn every_lesson_begins_with_a_position_in_which_the_learner_moves() {
        for lesson in LESSONS {
            let game = Game::named(lesson.game).expect("a game");
            let shown = lesson.start.shown().unwrap_or_else(|| panic!("{}", lesson.title));
            struct Moves(Vec<u8>);
            impl Visitor for Moves {
                type Out = bool;
                fn visit<P: Protocol>(self, _: P) -> bool {
                    let position = P::observe(&self.0).expect("a position").position;
                    position.outcome().is_none() && position.awaiting().contains(Seat(0))
                }
            }
            let moves = arena_wire::start(game.ruleset, game.casual, &[0; 32], Moves(shown));
            assert_eq!(moves.ok(), Some(true), "{}", lesson.title);
            assert!(arena_runner::Contender::baseline(game.ruleset, lesson.opponent).is_ok(), "{}", lesson.title);
        }
    }

    #[test]
    fn every_lesson_is_there_in_both_languages() {
        for lesson in LESSONS {
            for text in [lesson.title, lesson.text, lesson.task, lesson.done] {
                assert!(speaking(Language::Spanish, || found(text)).is_some(), "{text}");
            }
        }
    }
}
