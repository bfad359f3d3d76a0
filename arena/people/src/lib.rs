//! The leaderboard of people: points and Glicko-2, as folds over finished games. `docs/leaderboard.md` explains the
//! rules.
//!
//! [`People`] takes [`Finished`] games in the order in which they ended, and computes from them a [`Table`] of points
//! for every game and month and for all time, a [`Strength`] for everybody who played against people, and a [`Verdict`]
//! for each game. When a game is about to begin, [`People::admits`] says whether it may be rated. The answer is then
//! stored with the game ([`GameMode`]), so that players know it before they play, and later deletions do not change it.
//!
//! What this crate deliberately is not: it has no clock, no I/O and no randomness. It knows neither names nor which
//! accounts still exist, and it does not play: whether a game was really played like this is for the room's log and its
//! record to show.
//!
//! ```
//! use arena_people::{Browser, Finished, People, Side, Span, GameMode, Verdict, Who};
//! use arena_record::{EntrantId, Hex};
//! use arena_rooms::{PersonId, RoomId};
//! use arena_rules::{BySeat, Outcome, Reason, Seat};
//!
//! let ann = PersonId(Hex([7; 8]));
//! let game = Finished {
//!     room: RoomId(Hex([3; 16])),
//!     ruleset: "conquerors@2".into(),
//!     terms: GameMode::Rated,
//!     sides: BySeat::from([
//!         Side { who: Who::Account(ann), browser: Some(Browser(Hex([1; 32]))) },
//!         Side { who: Who::BuiltIn(EntrantId::of_baseline("hard", 1)), browser: None },
//!     ]),
//!     outcome: Outcome { winner: Some(Seat(0)), reason: Reason::Majority, tally: BySeat::from([40, 28]) },
//!     round: Some(13),
//!     elapsed_s: 300,
//!     digest: Hex([9; 32]),
//!     finished_at: 1_790_000_000,
//!     annulled: None,
//! };
//! let people = People::fold([&game]);
//! // 120 for `hard`, 28 for five minutes, 18 for a lead of 12.
//! assert_eq!(people.verdict(&game.room), Some(Verdict::Counts { points: 166 }));
//! let table = people.table("conquerors", Span::AllTime).expect("somebody played it");
//! assert_eq!(table.row(ann, |_| true).expect("Ann is on it").points, 166);
//! ```

mod day;
mod game;
mod limits;

mod careers;
mod gains;
mod ledger;
mod people;
mod strengths;
mod table;
mod worth;

pub use careers::{SignIns, Unrated};
pub use day::{Day, Month, ParseMonthError};
pub use gains::{GAINS, Gain};
pub use game::{Annulled, Browser, Finished, GameMode, Moment, Side, Who};
pub use ledger::{Span, Uncounted, Verdict};
pub use limits::{PAIR_GAMES_A_DAY_MAX, PARTNER_PART, PRACTICE_GAMES_MIN};
pub use people::{OutOfOrder, People};
pub use strengths::Strength;
pub use table::{Row, Table};
pub use worth::worth;
