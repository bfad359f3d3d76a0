//! Write a bot for the arena in Rust: implement [`Bot`], call [`bot!`], build for `wasm32-unknown-unknown`.
//!
//! `arena new mybot --lang rust` makes a project with all of this in place. From here:
//!
//! | you want to | look at |
//! |---|---|
//! | play one of the four games | [the examples](#the-four-games) |
//! | know what is legal and what follows from a turn | [what a bot can ask](#what-a-bot-can-ask) |
//! | search for a good turn | [`kit`] |
//! | replay a lost game to the bot, natively | [`testing`] |
//! | measure it | [`mod@bench`] |
//! | know what will stay | [what is stable](#what-is-stable) |
//!
//! # The four games
//!
//! Conway's Conquerors, [`conquerors`]: a turn places four cells.
//!
//! ```
//! use arena_sdk::conquerors::{Action, Target};
//! use arena_sdk::{Bot, Observation, Ruleset};
//!
//! /// Places a block in the middle of its home, over and over.
//! #[derive(Default)]
//! struct Blocks;
//!
//! impl Bot for Blocks {
//!     fn turn(&mut self, observation: &Observation) -> Action {
//!         let col = if observation.colour().name() == "blue" { 3 } else { 23 };
//!         let row = 2 * observation.position.round();
//!         let block = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
//!         let block = Action::Place(block.map(|(row, col)| Target { row, col }).to_vec());
//!         match observation.position.check(observation.seat, &block) {
//!             Ok(_) => block,
//!             Err(refusal) => {
//!                 arena_sdk::log(&format!("no block: {refusal}"));
//!                 arena_sdk::first_legal(observation)
//!             }
//!         }
//!     }
//! }
//!
//! arena_sdk::bot!(Blocks);
//! ```
//!
//! War of Life, [`war_of_life`]: a turn moves a piece to an empty neighbour.
//!
//! ```
//! use arena_sdk::war_of_life::{Action, Position, Start};
//! use arena_sdk::{Bot, Observation, Ruleset, Seat};
//!
//! /// Makes any move, drawn by lot.
//! #[derive(Default)]
//! struct Mover;
//!
//! impl Bot<Position> for Mover {
//!     fn turn(&mut self, seen: &Observation<Position>) -> Action {
//!         let moves: Vec<_> = seen.position.moves(seen.seat).collect();
//!         moves[seen.rng().below(moves.len() as u32) as usize].into()
//!     }
//! }
//!
//! arena_sdk::bot!(Mover: Position);
//!
//! let position = Position::start(&Start::Random, &[0; 32]);
//! let seen = Observation { position, seat: Seat(0), seat_seed: [7; 32] };
//! assert!(seen.position.check(seen.seat, &Mover.turn(&seen)).is_ok());
//! ```
//!
//! Game of Game of Life, [`game_of_game_of_life`]: all seats act at once, and each changes one cell.
//!
//! ```
//! use arena_sdk::game_of_game_of_life::{Action, Options, Position};
//! use arena_sdk::{Bot, Observation, Ruleset, Seat};
//!
//! /// Brings a dead cell near its own ones to life.
//! #[derive(Default)]
//! struct Grower;
//!
//! impl Bot<Position> for Grower {
//!     fn turn(&mut self, seen: &Observation<Position>) -> Action {
//!         let board = seen.position.board();
//!         let dead = board.reach(seen.seat) & !board.living();
//!         dead.cells().next().map_or(Action::Pass, |cell| Action::Cell(cell.into()))
//!     }
//! }
//!
//! arena_sdk::bot!(Grower: Position);
//!
//! let position = Position::start(&Options::default(), &[0; 32]);
//! let seen = Observation { position, seat: Seat(1), seat_seed: [7; 32] };
//! assert!(seen.position.check(seen.seat, &Grower.turn(&seen)).is_ok());
//! ```
//!
//! Life2, [`life2`]: up to nine kingdoms fight for ground; a turn brings cells of your own ground to life.
//!
//! ```
//! use arena_sdk::life2::{Action, Options, Position, Side};
//! use arena_sdk::{Bot, Observation, Ruleset, Seat};
//!
//! /// Three cells in a row inside its base, which turn and turn.
//! #[derive(Default)]
//! struct Blinker;
//!
//! impl Bot<Position> for Blinker {
//!     fn turn(&mut self, seen: &Observation<Position>) -> Action {
//!         let Some(kingdom) = seen.position.kingdom(seen.seat) else { return Action::Pass };
//!         let cells: Vec<_> = kingdom.base.interior(Side::WORLD).skip(14).take(3).map(Into::into).collect();
//!         let free = cells.iter().all(|cell| seen.position.may_place(seen.seat, *cell).is_ok());
//!         if free && seen.position.coins(seen.seat) >= 3 { Action::Place(cells) } else { Action::Pass }
//!     }
//! }
//!
//! arena_sdk::bot!(Blinker: Position);
//!
//! let position = Position::start(&Options::default(), &[0; 32]);
//! let seen = Observation { position, seat: Seat(8), seat_seed: [7; 32] };
//! let turn = Blinker.turn(&seen);
//! assert!(matches!(&turn, Action::Place(cells) if cells.len() == 3));
//! assert!(seen.position.check(seen.seat, &turn).is_ok());
//! ```
//!
//! In a world that never ends, an [`Action::Look`](life2::Action::Look) also chooses what the bot sees from then on:
//! [`View::around`](life2::View::around) a cell of the world.
//!
//! One bot may play all of them: implement [`Bot`] for each, and name them all in [`bot!`].
//!
//! An instance lives for one game and keeps its memory between turns. Randomness comes from [`Observation::rng`]: the same
//! game always gives the same numbers. A bot has no clock, no files, no network, and does not know its opponent.
//!
//! # What a bot can ask
//!
//! The rules are the referee's own code: they say what is legal, what a turn does to the board, and what follows.
//!
//! ```
//! use arena_sdk::conquerors::{Action, Board, Cell, Impacts, Position, Reach, Start, Zone};
//! use arena_sdk::kit::Lookahead;
//! use arena_sdk::{BySeat, Observation, Ruleset, Seat};
//!
//! // As a bot gets it: blue's first turn.
//! let position = Position::start(&Start::default(), &[0; 32]);
//! let seen = Observation { position, seat: Seat(0), seat_seed: [7; 32] };
//! let me = seen.colour();
//!
//! // Which zones are open, and which cells may be placed first.
//! let reach: Reach = seen.position.reach(me);
//! assert!(reach.is_open(Zone::Home) && !reach.is_open(Zone::Neutral));
//! assert_eq!(seen.position.placeable(me), Zone::home_of(me));
//!
//! // A turn is made cell by cell. The first cell at home opens neutral ground for the next.
//! let mut draft = seen.draft().expect("it is this bot's turn");
//! let block = [(12, 6), (12, 7), (13, 6), (13, 7)].map(|(row, col)| Cell::new(row, col).expect("on the board"));
//! for cell in block {
//!     assert!(draft.placeable().contains(cell));
//!     draft.place(cell.into()).expect("it is placeable");
//! }
//! let turn = draft.finish().expect("four cells are placed");
//!
//! // Or an action is made at once, and checked.
//! let action = Action::Place(block.map(Into::into).to_vec());
//! assert_eq!(seen.position.check(seen.seat, &action), Ok(turn.clone()));
//!
//! // What it makes of the board: the turn and its generation, and more generations.
//! let after: Board = seen.position.preview(me, &turn);
//! assert_eq!(after.next().scores()[me], 4);
//!
//! // What one more cell would change around it, for all cells at once.
//! let corner = Cell::new(14, 8).expect("on the board");
//! assert_eq!(Impacts::of(&after, me).own(corner), 0, "itself and a cell of the block die, two are born");
//!
//! // What many turns would lead to in a few generations: computed only where it differs.
//! let future = Lookahead::of(seen.position.board(), 4);
//! assert_eq!(future.with(&block, me).census(4).score(me), 4);
//! assert_eq!(future.with(&block[..3], me).census(4).cells(me), 4, "three of a block make the fourth");
//!
//! // To play on, for both sides.
//! let mut next = seen.position.clone();
//! next.advance(BySeat::from([Some(turn), None]));
//! assert_eq!(next.to_move(), Some(me.other()));
//! ```
//!
//! With [`kit`] these make a bot in a few lines. On your own machine, [`testing`] replays recorded games to a bot, and
//! [`mod@bench`] measures it.
//!
//! # What is stable
//!
//! - **The contract**, the bytes between arena and bot, has a version (`arena_wire::VERSION`). A built module keeps playing as long
//!   as that version does; it needs no newer SDK.
//! - **The rules** of a game have an id with a version ([`Ruleset::ID`], such as `conquerors@2`). Under one id they do not change.
//! - **This crate's interface** follows semantic versioning. Before 1.0 a minor version may change names and types; the changelog
//!   lists them. A project keeps the SDK that it started with until you replace it.
//! - **The kit's choices** are not stable: [`kit::best_turn`] may find better turns in any release. A built module is not affected.

mod host;

#[cfg(not(target_family = "wasm"))]
pub mod bench;
pub mod kit;
#[cfg(not(target_family = "wasm"))]
pub mod testing;

pub use arena_rules::{
    BySeat, Outcome, Rng, Ruleset, Seat, Seed, conquerors, game_of_game_of_life, life2, war_of_life,
};
pub use arena_wire::{Observation, ObservationError, Protocol};
pub use host::{Host, fuel, log};

use conquerors::{Action, Position, Target};

/// A player of one game; without a parameter: of Conway's Conquerors. A type that plays several games implements it for
/// each.
pub trait Bot<G: Protocol = Position>: Default {
    /// The action for this turn.
    fn turn(&mut self, observation: &Observation<G>) -> G::Action;
}

/// Some legal action, for when a bot has no better idea: the first cells that may be placed, row by row; where none may,
/// the skip, else the bomb in the first corner, else the pass.
pub fn first_legal(observation: &Observation) -> Action {
    let Ok(mut draft) = observation.draft() else { return Action::Pass };
    while let Some(cell) = draft.placeable().cells().next() {
        if draft.place(cell.into()).is_err() {
            break;
        }
    }
    let placed = draft.finish().map(|turn| Action::from(&turn));
    let others = [Action::Skip, Action::Bomb(Target { row: 0, col: 0 })];
    let legal = |action: &Action| observation.position.check(observation.seat, action).is_ok();
    placed.ok().or_else(|| others.into_iter().find(legal)).unwrap_or(Action::Pass)
}

/// Exports a [`Bot`] under the names the arena calls; once per module. `bot!(Mine)` plays Conway's Conquerors,
/// `bot!(Mine: some_game::Position)` another game, and with several games, separated by commas, all of them.
#[macro_export]
macro_rules! bot {
    ($bot:ty) => {
        $crate::bot!($bot: $crate::conquerors::Position);
    };
    ($bot:ty: $($game:ty),+ $(,)?) => {
        const _: () = {
            std::thread_local! {
                static HOST: std::cell::RefCell<$crate::Host<$bot>> =
                    std::cell::RefCell::new($crate::Host::default());
            }

            #[unsafe(no_mangle)]
            extern "C" fn arena_observation(len: usize) -> *mut u8 {
                HOST.with_borrow_mut(|host| host.observation_buffer(len))
            }

            #[unsafe(no_mangle)]
            extern "C" fn arena_turn(len: usize) -> u64 {
                HOST.with_borrow_mut(|host| {
                    $(if host.is_of::<$game>() {
                        return host.turn::<$game>(len);
                    })+
                    host.stranger()
                })
            }
        };
    };
}
