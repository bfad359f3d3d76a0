//! The opponents of Game of Game of Life: nothing, random, greedy, safety, planner.
//!
//! Each represents an idea of a bot that was submitted to the question; the details are our own. All assume that
//! everybody else passes. Ties are broken with the seat's seed. Source: question 199658 of the code golf site, its answers.

mod gains;
mod greedy;
mod planner;
mod safety;

use arena_rules::game_of_game_of_life::{Action, Cell, Position, Target};
use arena_rules::{Rng, Seat, Seed};

use crate::{BuiltIn, Opponents};

pub use gains::Gains;
pub use planner::{AHEAD_MAX, AHEAD_MIN, CELLS_A_TURN};

/// A way to choose actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Always passes; its block lives until another colour comes.
    Nothing,
    /// Any cell of the board, all equally likely, so mostly one too far away. The question's example.
    Random,
    /// The most own cells after the next generation.
    Greedy,
    /// Keeps own cells from dying of loneliness, then grows where there is room and harms the strongest rival.
    Safety,
    /// The best sum, over the next generations, of own cells minus those of all others.
    Planner,
}

impl Strategy {
    /// All of them, weakest first.
    pub const ALL: [Strategy; 5] =
        [Strategy::Nothing, Strategy::Random, Strategy::Greedy, Strategy::Safety, Strategy::Planner];

    /// Its name in tournaments and commands.
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::Nothing => "nothing",
            Strategy::Random => "random",
            Strategy::Greedy => "greedy",
            Strategy::Safety => "safety",
            Strategy::Planner => "planner",
        }
    }

    /// The strategy of this name.
    pub fn from_name(name: &str) -> Option<Strategy> {
        Strategy::ALL.into_iter().find(|strategy| strategy.name() == name)
    }
}

impl Opponents for Position {
    const ALL: &'static [BuiltIn<Position>] = &[
        BuiltIn::first(
            Strategy::Nothing.name(),
            "58220773d384c13d5f3a7020d25f0364264892e5c85ff34e4f2b08446c1b0374",
            |position, seat, seed| Some(choose(position, seat, Strategy::Nothing, seed)),
        )
        .about("passes, and lives on its first block"),
        BuiltIn::first(
            Strategy::Random.name(),
            "6a6e75a0c908933b0e5c1f6438a4572803cf6a47a005eb9a7e96a52dacf10c50",
            |position, seat, seed| Some(choose(position, seat, Strategy::Random, seed)),
        )
        .about("changes any cell, mostly one out of its reach"),
        BuiltIn::first(
            Strategy::Greedy.name(),
            "5fb326c532db88dac4e9c939efc9b9de514b3cd99ab52ff8b93d1f79ed8137d8",
            |position, seat, seed| Some(choose(position, seat, Strategy::Greedy, seed)),
        )
        .about("takes the cell after which it has the most"),
        BuiltIn::first(
            Strategy::Safety.name(),
            "c990c39e49b624bb519cfdc22671b9a48a4284cab1a50861441919d565c28531",
            |position, seat, seed| Some(choose(position, seat, Strategy::Safety, seed)),
        )
        .about("saves its lonely cells first, then harms the strongest"),
        BuiltIn::first(
            Strategy::Planner.name(),
            "e413e993aa96c74fe4de72c612589b82ec19c6d62d8df62c4008f11e2bdc3a74",
            |position, seat, seed| Some(choose(position, seat, Strategy::Planner, seed)),
        )
        .about("looks some generations ahead for itself and all others"),
    ];
}

/// The action of a strategy in `position`. The same arguments always give the same action; a seat without cells passes.
///
/// The generator is keyed by the seat's seed, its stream the generation.
pub fn choose(position: &Position, seat: Seat, strategy: Strategy, seat_seed: &Seed) -> Action {
    if position.board().seat(seat).is_empty() {
        return Action::Pass;
    }
    let mut rng = Rng::new(seat_seed, position.generation().into());
    let cell = match strategy {
        Strategy::Nothing => None,
        Strategy::Random => Some(anywhere(position, &mut rng)),
        Strategy::Greedy => greedy::choose(position.board(), seat, &mut rng),
        Strategy::Safety => safety::choose(position.board(), seat, &mut rng),
        Strategy::Planner => planner::choose(position.board(), seat, &mut rng),
    };
    cell.map_or(Action::Pass, Action::Cell)
}

fn anywhere(position: &Position, rng: &mut Rng) -> Target {
    let side = position.board().side().length();
    let mut coordinate = || rng.below(side.into()) as u8;
    Target { row: coordinate(), col: coordinate() }
}

/// The best candidate so far, and how many are equally good: one of them is kept, all equally likely.
struct Best {
    value: i32,
    cell: Option<Cell>,
    equals: u32,
}

impl Best {
    /// At first passing, with this value.
    fn passing(value: i32) -> Best {
        Best { value, cell: None, equals: 1 }
    }

    /// Considers a cell. A word is drawn if it is as good as the best.
    fn offer(&mut self, cell: Cell, value: i32, rng: &mut Rng) {
        if value > self.value {
            *self = Best { value, cell: Some(cell), equals: 1 };
        } else if value == self.value {
            self.equals += 1;
            if rng.below(self.equals) == 0 {
                self.cell = Some(cell);
            }
        }
    }

    fn target(self) -> Option<Target> {
        self.cell.map(Target::from)
    }
}
