//! Everything a server of the arena runs: it judges submitted bots, plays the standing tournament, and holds the live
//! rooms in which people play. [`Service`] is all three over a store and a folder of tournaments.
//!
//! The store is the only memory: it holds the queue of versions to be judged, the logs of rooms and the index of games.
//! An edition of the standing tournament is a folder like any other tournament's. So a process that dies at any moment
//! loses nothing, and the next one resumes. What is acknowledged is on the disk: a person's turn is shown and answered
//! only once it is in the room's log.
//!
//! What this crate deliberately is not: it knows no HTTP, no page and no session. It decides no game: the referee, the
//! rooms' state machine and the rules do. It prints nothing, and logs through `tracing`. Its only clock is the
//! one that it is opened with.
//!
//! ```no_run
//! use arena_clock::Clock;
//! use arena_service::{Config, Games, NewRoom, Opponent, Random, Service, person_of_account};
//! use arena_store::{AccountId, Store, UnixSeconds};
//!
//! # async fn example(now: UnixSeconds) -> Result<(), Box<dyn std::error::Error>> {
//! let pool = arena_worker::Pool::of_this_binary(8)?;
//! let store = std::sync::Arc::new(Store::open("data".as_ref()).await?);
//! let (data, games, standing) = ("data".into(), Games::Here, arena_wire::GAMES.iter().collect());
//! let (standing_threads, bots_per_account) = (2, arena_service::limits::BOTS_PER_OWNER_MAX);
//! let (clock, random, volunteers) = (Clock::system(), Random::system(), None);
//! let config = Config { clock, random, store, data, pool, standing, standing_threads, bots_per_account, games, volunteers };
//! let service = Service::open(config).await?;
//! let person = person_of_account(AccountId(1));
//! let opponent = Opponent::Baseline("easy".into());
//! let game = &arena_wire::GAMES[0];
//! let id = service.open_room(NewRoom { person, browser: None, game, turns: None, seat: arena_rules::Seat(0), opponent }, now).await?;
//! let room = service.rooms().room(&id).await?.ok_or("it was just opened")?;
//! assert_eq!(room.seats_of(person), [0]);
//! service.close().await;
//! # Ok(())
//! # }
//! ```

#![warn(clippy::disallowed_methods)]

pub mod contests;
mod core;
mod cores;
mod error_chain;
#[cfg(test)]
#[path = "../../tests/eventually.rs"]
mod eventually;
mod fair_queue;
pub mod fleet;
mod games;
mod judge;
mod leaderboard;
pub mod limits;
mod logs;
mod people;
mod pictures;
mod profiles;
mod random;
mod room_time;
mod rooms;
mod servers;
mod service;
mod slots;
mod standing;
mod tournaments;
mod wakeup;
mod what_if;
mod worlds;

pub use self::core::with_causes;
pub use games::Games;
pub use judge::{Asker, CheckError, Checked, Judge};
pub use leaderboard::{Board, Leader, Leaderboard};
pub use logs::{GameLog, LogError};
pub use people::{GuestSecret, NotAGuest, account_of_person, person_of_account};
pub use pictures::pictures;
pub use profiles::GameProfile;
pub use random::Random;
pub use rooms::{
    Attendee, BotSlots, ChatLine, Circle, LiveRoom, NewRoom, NewTable, OpenRoomError, Opponent, PlayError, Report,
    RoomUnavailable, Rooms, Snapshot,
};
pub use servers::{FolderReplica, ReplicaError};
pub use service::{Config, Figures, OpenError, Queues, Service};
pub use standing::{
    Edition, LeftOut, OlderRelease, PastEdition, PastRow, Placing, Progress, Qualified, Standing, StandingTournaments,
    WhyOut, edition_of, editions_up_to,
};
pub use what_if::{Again, AgainError};
pub use worlds::{
    BaseInfo, CallError, LiveWorld, OpenWorldError, SlotInfo, TerritoryInfo, UnseatableError, Wipe, WorldSnapshot,
    Worlds, site_account, site_place, start_of,
};
