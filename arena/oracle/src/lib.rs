//! The games a second time: slow, plain, and written from the rules alone. [`war_of_life`], [`life2`] and
//! [`game_of_game_of_life`] have their own modules; the rest is Conway's Conquerors.
//!
//! Tests and benchmarks compare the fast implementation with this one, so it shares no code with it and uses none
//! of its tricks: a board is a grid of bytes, a generation visits every cell and counts eight neighbours, a
//! candidate is scored by placing it and looking at the 25 cells around it. It deliberately has no dependencies, no
//! floating point, no clock and no random source of its own: the caller brings the draws.
//!
//! "RR-001" in the `Source:` lines is the game's research report, "the shipped client" the original program, whose
//! numbers are used where the report gives none.
//!
//! ```
//! use arena_oracle::{Cell, Game, Options, Turn};
//!
//! let mut game = Game::new(Options::V2);
//! let block = [(12, 3), (12, 4), (13, 3), (13, 4)].map(|(row, column)| Cell { row, column });
//! game.play(&Turn::Place(block.to_vec())).expect("blue's home is always open");
//! game.play(&Turn::Skip).expect("red has not skipped yet");
//! let outcome = game.outcome.expect("red has no cell left");
//! assert_eq!(outcome.cells.blue, 4);
//! ```

mod board;
mod reach;

mod game;
mod leaderboard;
mod opening;

mod params;
mod view;

mod bombing;
mod plan;
mod score;
mod stamp;

mod choose;
mod v5;

pub mod game_of_game_of_life;
pub mod life2;
pub mod war_of_life;

pub use board::{
    Board, BySeat, COLUMNS, Cell, EMPTY, Player, ROWS, all_cells, blast, counts, neighbours, next, parse_board,
    text_fnv1a, to_text,
};
pub use bombing::bomb_target;
pub use choose::{choose_turn, play_game, seeded_draws};
pub use game::{BOMB_COOLDOWN, BOMB_ROUND_MIN, Draft, Game, Outcome, PLACEMENTS, ROUNDS, Reason, Refusal, Turn};
pub use leaderboard::{Finish, Rival, points};
pub use opening::{start_after_turns, symmetric_start};
pub use params::{POINT, Params, TWENTIETH, Tier, index_below, noise};
pub use plan::{Plan, evaluation, plan};
pub use reach::{HOME_WIDTH, Options, Reach, Zone, legal_cells, scores, zone, zones};
pub use score::{Impact, Scored, cell_scores, impact, pick};
pub use stamp::block;
pub use v5::{Release, choose_turn_v5};
pub use view::View;
