//! The service from outside: what people see of it, and what is left when it stops at any moment.
//!
//! Time stands still unless a test advances it; what happens in the background is watched.

mod contests;
mod fleet;
mod rooms;
mod space;
mod standing;
mod submissions;
mod worlds;

use std::fmt::Debug;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use arena_clock::Clock;
use arena_rooms::{Logged, Room, RoomId};
use arena_rules::Seat;
use arena_rules::conquerors::{Action, Cell, Position, Target, TurnDraft};
use arena_service::{Config, Edition, Games, Random, Service, Standing};
use arena_store::{AccountId, BotName, DisplayName, Store, UnixSeconds, Version, VersionId, VersionState};
use arena_wire::{GAMES, Game, Protocol};
use arena_worker::Pool;
use tempfile::TempDir;
use tokio::sync::watch;

use crate::eventually::{eventually, eventually_shown};

/// The game that most tests are about.
const FIRST: &Game = &GAMES[0];

const NOW: UnixSeconds = UnixSeconds(1_800_000_000);

/// How much time goes by between two looks, where it does: as much as between two of a site's at its queue.
const STEP: Duration = Duration::from_millis(100);

/// A place for a service, which goes away with the test.
struct Place {
    folder: TempDir,
    clock: Clock,
    random: Random,
    /// Games that have a standing tournament.
    held: &'static [Game],
}

impl Place {
    /// Where no standing tournament takes the machine.
    fn new() -> Place {
        let clock = Clock::manual(Duration::from_secs(NOW.0.unsigned_abs()));
        Place { folder: tempfile::tempdir().expect("a folder"), clock, random: Random::repeatable(), held: &[] }
    }

    /// Where the standing tournament of the first game is held.
    fn with_standing() -> Place {
        Place { held: &GAMES[..1], ..Place::new() }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The file at whose sight a worker dies instead of answering, and takes it along.
    fn death(&self) -> PathBuf {
        self.folder.path().join("death")
    }

    fn edition(&self, number: u32) -> PathBuf {
        self.data().join(format!("tournaments/standing-{number}"))
    }

    async fn open(&self) -> Service {
        self.open_with(env!("CARGO_BIN_EXE_service-test-worker").into(), 4).await
    }

    async fn open_with(&self, worker: PathBuf, idle_max: usize) -> Service {
        self.open_over(self.store().await, worker, idle_max).await
    }

    async fn open_over(&self, store: Arc<Store>, worker: PathBuf, idle_max: usize) -> Service {
        let pool = Pool::new(worker, vec![self.death().into()], idle_max);
        let config = Config {
            clock: self.clock.clone(),
            random: self.random.clone(),
            store,
            data: self.data(),
            pool,
            standing: self.held.iter().collect(),
            standing_threads: 2,
            bots_per_account: arena_service::limits::BOTS_PER_OWNER_MAX,
            games: Games::Here,
            volunteers: None,
        };
        Service::open(config).await.expect("a service")
    }

    /// The store alone, while no service has it.
    async fn store(&self) -> Arc<Store> {
        Arc::new(Store::open(&self.data()).await.expect("a store"))
    }
}

/// Waits until a watched value is as wanted, while time stands still.
#[track_caller]
fn until<T: Clone + Debug>(watched: watch::Receiver<T>, wanted: impl FnMut(&T) -> bool) -> impl Future<Output = T> {
    let place = Location::caller();
    async move { eventually_shown(&format!("what {place} wants"), watched, wanted).await }
}

/// Waits until a watched value is as wanted and stays so, while time goes by.
#[track_caller]
fn in_time<T: Clone + Debug>(
    clock: &Clock,
    watched: watch::Receiver<T>,
    wanted: impl Fn(&T) -> bool,
) -> impl Future<Output = T> {
    let place = Location::caller();
    async move {
        let look = async || {
            clock.advance(STEP);
            let shown = watched.borrow().clone();
            if wanted(&shown) { Ok(shown) } else { Err(format!("{shown:?}")) }
        };
        eventually(&format!("what {place} wants"), look).await
    }
}

/// Whether nothing is played and nobody waits to play.
fn is_settled(standing: &Arc<Standing>) -> bool {
    standing.edition.is_some() && standing.playing.is_none() && !standing.waiting && standing.trouble.is_none()
}

/// Whether so many games of an edition are played, or it is over.
fn has_played(edition: u32, games: usize) -> impl Fn(&Arc<Standing>) -> bool {
    move |standing| {
        let over = standing.edition.as_ref().is_some_and(|latest| latest.number >= edition);
        let playing = standing.playing.as_ref().filter(|progress| progress.edition == edition);
        over || playing.is_some_and(|progress| progress.played >= games)
    }
}

/// Waits until nothing is played and nobody waits to play; the latest edition.
async fn until_settled(service: &Service) -> Arc<Edition> {
    until(service.standing().watch(FIRST), is_settled).await.edition.clone().expect("an edition")
}

/// The same while time goes by: until something is tried again.
async fn settled(place: &Place, service: &Service) -> Arc<Edition> {
    let settled = in_time(&place.clock, service.standing().watch(FIRST), is_settled).await;
    settled.edition.clone().expect("an edition")
}

/// Waits until so many games of an edition are played, or it is over.
async fn until_played(service: &Service, edition: u32, games: usize) {
    until(service.standing().watch(FIRST), has_played(edition, games)).await;
}

async fn account(service: &Service, name: &str) -> AccountId {
    let name = DisplayName::parse(name).expect(name);
    service.store().create_account(&name, NOW).await.expect("an account").0.id
}

fn bot_name(name: &str) -> BotName {
    BotName::parse(name).expect(name)
}

/// A bot of the gallery.
fn mason() -> Arc<[u8]> {
    wat::parse_str(include_str!("../../../../../../bots/gallery/mason/bot.wat")).expect("a module").into()
}

/// Passes, and says so each time: legal where cells may be left alone.
const PASSER: &str = r#"(module (import "arena" "log" (func $log (param i32 i32)))
    (memory (export "memory") 1) (data (i32.const 0) "\01\00\00hi")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64)
        (call $log (i32.const 3) (i32.const 2)) (i64.const 0x300000000)))"#;

fn passer() -> Arc<[u8]> {
    wat::parse_str(PASSER).expect("a module").into()
}

/// Submits a version and waits for its verdict.
async fn judged(service: &Service, account: AccountId, name: &str, bytes: Arc<[u8]>) -> Version {
    let submission = service.judge().submit(account, &bot_name(name), None, bytes, NOW).await.expect("taken");
    verdict(service, submission.version().id).await
}

/// A version once it is judged, or cannot be.
async fn verdict(service: &Service, id: VersionId) -> Version {
    let look = async || {
        let version = service.judge().verdict(id, Duration::ZERO).await.expect("readable").expect("the version");
        let is_open = version.state == VersionState::Pending && !service.judge().is_unjudgeable(id);
        if is_open { Err("it is pending") } else { Ok(version) }
    };
    eventually(&format!("the verdict on {id:?}"), look).await
}

/// A room as its log in the store has it.
async fn logged(service: &Service, id: &RoomId) -> Room {
    let stored = service.store().room(id).await.expect("readable").expect("the room");
    Room::from_log(stored.events.iter().map(|line| Logged::parse(line).expect("an event"))).expect("a log")
}

/// A legal action of the seat to move: a block where it stays, so that games are long; else the first there is.
fn legal(position: &Position, seat: Seat) -> Vec<u8> {
    let draft = || TurnDraft::new(position, seat).expect("to move");
    let living = position.board().living();
    let alive = |row: i8, col: i8| {
        let cell = u8::try_from(row).ok().zip(u8::try_from(col).ok()).and_then(|(row, col)| Cell::new(row, col));
        cell.is_some_and(|cell| living.contains(cell))
    };
    let block = |corner: Cell| {
        let (row, col) = (corner.row() as u8, corner.col() as u8);
        let around = (-1..=2).flat_map(|down| (-1..=2).map(move |right| (row as i8 + down, col as i8 + right)));
        if around.into_iter().any(|(row, col)| alive(row, col)) {
            return None;
        }
        let mut draft = draft();
        for (down, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            draft.place(Target { row: row + down, col: col + right }).ok()?;
        }
        draft.finish().ok()
    };
    let first = || {
        let mut draft = draft();
        while draft.placements_left() > 0 {
            let Some(cell) = draft.placeable().cells().next() else { break };
            draft.place(Target { row: cell.row() as u8, col: cell.col() as u8 }).ok()?;
        }
        draft.finish().ok()
    };
    let turn = draft().placeable().cells().find_map(block).or_else(first);
    let turn = turn.or_else(|| draft().skip().ok()).or_else(|| draft().pass().ok()).expect("something is legal");
    Position::encode_action(&Action::from(&turn))
}
