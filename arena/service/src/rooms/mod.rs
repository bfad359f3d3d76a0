//! Live rooms: which are in memory, how one is opened, and when one is dropped. Not here: what may happen in a room
//! (`arena_rooms`) and who asks (`arena_server`).

mod bot_slots;
mod bot_turns;
mod bots;
mod chat;
mod error;
mod live;
mod messages;
mod opening;
mod people;
mod player;
mod presence;
mod reports;
mod snapshot;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arena_clock::Instant;
use arena_rooms::{PersonId, RoomId};
use arena_store::{PAGE_MAX, RoomError, StoreError, UnixSeconds};
use parking_lot::Mutex;
use tracing::{info, warn};

pub use bot_slots::BotSlots;
pub use chat::{ChatLine, Circle};
pub use error::{OpenRoomError, PlayError, RoomUnavailable};
pub use live::LiveRoom;
pub use opening::{NewRoom, Opponent};
pub use people::NewTable;
pub use presence::Attendee;
pub use reports::Report;
pub use snapshot::Snapshot;

use crate::core::{Core, with_causes};
use crate::leaderboard::Leaderboard;
use crate::limits::{
    CLEAN_EVERY, FLAG_PAUSE, LIVE_ROOMS_MAX, ROOM_IDLE, ROOM_SILENCE_SECONDS_MIN, SWEEP_EVERY, WAITING_SECONDS_MAX,
};
use live::LiveState;

pub(crate) use bot_slots::Unseated;

/// The rooms in memory.
pub struct Rooms {
    slots: Arc<BotSlots>,
    leaderboard: Arc<Leaderboard>,
    live: Mutex<BTreeMap<RoomId, Entry>>,
    /// Held while a person is paired, so that two who come at once find each other.
    pairing: tokio::sync::Mutex<()>,
}

struct Entry {
    room: Arc<LiveRoom>,
    /// Since when it was found neither held nor watched.
    idle_since: Option<Instant>,
}

impl Entry {
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.room) == 1 && self.room.watchers() == 0 && !self.room.is_kept()
    }
}

impl Rooms {
    pub(crate) fn start(core: Arc<Core>, leaderboard: Arc<Leaderboard>) -> Arc<Rooms> {
        let slots = Arc::new(BotSlots::new(core.clone()));
        let (live, pairing) = (Mutex::default(), tokio::sync::Mutex::default());
        let rooms = Arc::new(Rooms { slots, leaderboard, live, pairing });
        core.tasks.spawn(rooms.clone().tidy_up());
        rooms
    }

    /// What all rooms share.
    pub fn slots(&self) -> &BotSlots {
        &self.slots
    }

    /// The chat messages that were reported lately, the latest first.
    pub fn reports(&self) -> Vec<Report> {
        self.slots.reports.latest()
    }

    /// A room, from memory or from its log; `None` when there is none.
    ///
    /// # Errors
    /// When it cannot be read, or no more rooms fit into memory.
    pub async fn room(&self, id: &RoomId) -> Result<Option<Arc<LiveRoom>>, RoomUnavailable> {
        if let Some(entry) = self.live.lock().get_mut(id) {
            entry.idle_since = None;
            return Ok(Some(entry.room.clone()));
        }
        let Some(state) = live::read(&self.slots.core, id).await? else { return Ok(None) };
        self.keep(id, state).map(Some)
    }

    /// Puts a room into memory, unless it is there already.
    fn keep(&self, id: &RoomId, state: LiveState) -> Result<Arc<LiveRoom>, RoomUnavailable> {
        let mut live = self.live.lock();
        if let Some(entry) = live.get_mut(id) {
            entry.idle_since = None;
            return Ok(entry.room.clone());
        }
        if live.len() >= LIVE_ROOMS_MAX {
            live.retain(|_, entry| !entry.is_idle());
        }
        if live.len() >= LIVE_ROOMS_MAX {
            return Err(RoomUnavailable::Full);
        }
        let room = LiveRoom::new(self.slots.clone(), *id, state);
        live.insert(*id, Entry { room: room.clone(), idle_since: None });
        Ok(room)
    }

    /// Lets the clocks of all rooms stand still while visitors may change nothing.
    pub fn set_read_only(&self, read_only: bool) {
        self.slots.core.room_time.set_read_only(read_only);
    }

    /// Lets the clocks run again that stand still because the store refused a write, once it takes writes.
    async fn run_again(&self) {
        let Core { room_time, store, .. } = &*self.slots.core;
        if room_time.is_refused() && store.is_ready().await.is_ok() && store.has_space().is_ok() {
            room_time.taken();
        }
    }

    /// How many rooms are in memory.
    pub(crate) fn in_memory(&self) -> usize {
        self.live.lock().len()
    }

    /// Wanted rooms in memory whose game is in progress, those with most watchers first, at most `max`.
    pub fn going_on(&self, max: usize, is_wanted: impl Fn(&LiveRoom) -> bool) -> Vec<Arc<LiveRoom>> {
        let live: Vec<Arc<LiveRoom>> = self.live.lock().values().map(|entry| entry.room.clone()).collect();
        let listed = |room: &Arc<LiveRoom>| room.is_going_on() && room.is_public() && is_wanted(room);
        let mut live: Vec<Arc<LiveRoom>> = live.into_iter().filter(listed).collect();
        live.sort_by_key(|room| std::cmp::Reverse(room.watchers()));
        live.truncate(max);
        live
    }

    /// Rooms in memory in which a person has a seat and whose game is not over.
    pub fn with(&self, person: PersonId) -> Vec<Arc<LiveRoom>> {
        let live: Vec<Arc<LiveRoom>> = self.live.lock().values().map(|entry| entry.room.clone()).collect();
        let sits = |room: &Arc<LiveRoom>| {
            let room_now = room.snapshot();
            !room_now.finished && !room_now.over() && !room.seats_of(person).is_empty()
        };
        live.into_iter().filter(sits).collect()
    }

    /// Drops idle rooms from memory and closes silent ones, at intervals.
    async fn tidy_up(self: Arc<Self>) {
        let core = self.slots.core.clone();
        let (mut sweeps, mut cleanings) = (core.clock.interval(SWEEP_EVERY), core.clock.interval(CLEAN_EVERY));
        let (mut tries, mut listed) = (core.clock.interval(FLAG_PAUSE), BTreeSet::new());
        loop {
            tokio::select! {
                () = core.stopping.cancelled() => return,
                () = sweeps.tick() => {
                    self.sweep(core.clock.now());
                    self.look_who_waits(&mut listed, core.clock.now());
                    self.forget_the_gone(core.clock.now()).await;
                }
                () = tries.tick() => self.run_again().await,
                () = cleanings.tick() => {
                    if let Some(Err(error)) = core.stopping.run_until_cancelled(self.close_silent(core.now())).await {
                        warn!(cause = with_causes(&error), "cannot close silent rooms; trying again later");
                    }
                }
            }
        }
    }

    /// Withdraws the wishes for a rematch of people who have left.
    async fn forget_the_gone(&self, now: Instant) {
        for room in self.all().into_iter().filter(|room| !room.snapshot().rematch.is_empty()) {
            room.forget_the_gone(now).await;
        }
    }

    /// Drops the rooms that have been idle for [`ROOM_IDLE`].
    fn sweep(&self, now: Instant) {
        self.live.lock().retain(|_, entry| {
            if !entry.is_idle() {
                entry.idle_since = None;
                return true;
            }
            let since = *entry.idle_since.get_or_insert(now);
            now.saturating_duration_since(since) < ROOM_IDLE
        });
    }

    /// The earlier of this server's time and the database's: a server whose clock is ahead closes no room of another
    /// one sooner.
    async fn no_later(&self, now: UnixSeconds) -> Result<UnixSeconds, StoreError> {
        Ok(self.slots.core.store.shared_time().await?.map_or(now, |shared| now.min(shared)))
    }

    /// Closes the rooms that have been silent for as long as allowed.
    async fn close_silent(&self, now: UnixSeconds) -> Result<(), StoreError> {
        let now = self.no_later(now).await?;
        let forgotten = UnixSeconds(now.0.saturating_sub(WAITING_SECONDS_MAX));
        let (public, at) = (self.open_to_all(), self.slots.core.clock.now());
        for room in public.into_iter().chain(self.all_waiting().into_iter().filter(|room| room.is_forsaken(at))) {
            self.close(room.id(), forgotten, now).await?;
        }
        loop {
            let silent = self.slots.core.store.silent_rooms(now).await?;
            for id in &silent {
                self.close(id, now, now).await?;
            }
            if silent.len() < PAGE_MAX as usize {
                return Ok(());
            }
        }
    }

    /// Closes the rooms in which a person waits whose account has ended.
    pub(crate) async fn close_waiting(&self, person: PersonId, now: UnixSeconds) -> Result<(), StoreError> {
        for room in self.all_waiting().into_iter().filter(|room| room.host() == Some(person)) {
            self.close(room.id(), now, now).await?;
        }
        Ok(())
    }

    /// Closes the room that has been silent for longest, if that is long enough; whether a place became free.
    async fn make_place(&self, now: UnixSeconds) -> Result<bool, StoreError> {
        let now = self.no_later(now).await?;
        let since = UnixSeconds(now.0.saturating_sub(ROOM_SILENCE_SECONDS_MIN));
        let Some(id) = self.slots.core.store.quietest_room(since).await? else { return Ok(false) };
        info!(room = live::short(&id), "the most silent room makes way for another");
        self.close(&id, since, now).await?;
        Ok(true)
    }

    /// Closes a room if nothing has happened in it since `silent_since`.
    async fn close(&self, id: &RoomId, silent_since: UnixSeconds, now: UnixSeconds) -> Result<(), StoreError> {
        let live = self.live.lock().get(id).map(|entry| entry.room.clone());
        let closed = match live {
            Some(room) => room.close(silent_since, now).await,
            // Rooms of several people are always in memory while they are open, so this is another kind.
            None => self.slots.core.store.finish_room(id, &[], now).await,
        };
        match closed {
            Ok(()) | Err(RoomError::NoSuchRoom) => Ok(()),
            Err(RoomError::Store(error)) => Err(error),
            Err(error) => Err(StoreError::Damaged(Box::new(error))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use arena_clock::Clock;
    use arena_rooms::{Door, Newcomer};
    use arena_store::{Limits, RoomState, Sent, ServerId, ServerMessage, Store};
    use arena_wire::RoomWish;

    use super::*;
    use crate::limits::{GUEST_ROOM_SILENCE_SECONDS_MAX, HERE_FOR, LOBBY_ROWS_MAX, ROOM_SILENCE_SECONDS_MAX};

    const ANN: PersonId = PersonId(arena_record::Hex([7; 8]));

    async fn rooms() -> Rooms {
        rooms_with(Limits::DEFAULT).await
    }

    /// Applies what they send, as the service does.
    fn listening(rooms: Rooms) -> Arc<Rooms> {
        let rooms = Arc::new(rooms);
        let (hears, mut messages) = (rooms.clone(), rooms.slots.core.store.notifications().messages);
        tokio::spawn(async move {
            while let Ok(sent) = messages.recv().await {
                hears.receive(&sent).await;
                hears.slots.core.messages.applied(&sent);
            }
        });
        rooms
    }

    async fn rooms_with(limits: Limits) -> Rooms {
        rooms_over(Arc::new(Store::in_memory(limits).await.expect("a store")))
    }

    fn rooms_over(store: Arc<Store>) -> Rooms {
        let core = Core::without_bots(store);
        Rooms {
            leaderboard: Arc::new(Leaderboard::over(core.store.clone())),
            slots: Arc::new(BotSlots::new(core)),
            live: Mutex::default(),
            pairing: tokio::sync::Mutex::default(),
        }
    }

    async fn try_open(rooms: &Rooms, person: PersonId, now: i64) -> Result<RoomId, OpenRoomError> {
        let opponent = Opponent::Baseline("easy".into());
        let game = &arena_wire::GAMES[0];
        let new = NewRoom { person, browser: None, game, turns: None, seat: arena_rules::Seat(0), opponent };
        rooms.open(new, UnixSeconds(now)).await
    }

    async fn open_of(rooms: &Rooms, person: PersonId, now: i64) -> RoomId {
        try_open(rooms, person, now).await.expect("a room")
    }

    async fn open(rooms: &Rooms, now: i64) -> RoomId {
        open_of(rooms, ANN, now).await
    }

    #[tokio::test]
    async fn a_room_leaves_memory_when_nobody_has_held_or_watched_it_for_long_enough() {
        let rooms = rooms().await;
        let id = open(&rooms, 0).await;
        let start = rooms.slots.core.clock.now();
        let live = |after: Duration| {
            rooms.sweep(start + after);
            rooms.live.lock().len()
        };
        let second = Duration::from_secs(1);
        let held = rooms.room(&id).await.expect("readable").expect("the room");
        assert_eq!(live(ROOM_IDLE * 2), 1, "it is held");
        let watched = held.watch();
        drop(held);
        assert_eq!(live(ROOM_IDLE * 4), 1, "it is watched");
        drop(watched);
        assert_eq!(live(ROOM_IDLE * 5), 1, "idle from now on");
        assert_eq!(live(ROOM_IDLE * 6 - second), 1);
        drop(rooms.room(&id).await.expect("readable"));
        assert_eq!(live(ROOM_IDLE * 6), 1, "it was used since");
        assert_eq!(live(ROOM_IDLE * 7), 0);
        // Its log is still there.
        assert!(rooms.room(&id).await.expect("readable").is_some());
    }

    async fn is_open(rooms: &Rooms, id: &RoomId) -> bool {
        let stored = rooms.slots.core.store.room(id).await.expect("readable").expect("the room");
        stored.state == RoomState::Open
    }

    #[tokio::test]
    async fn a_room_is_closed_when_nothing_has_happened_in_it_for_long_a_guests_sooner() {
        const LONG: i64 = ROOM_SILENCE_SECONDS_MAX;
        let rooms = rooms().await;
        let guest = crate::GuestSecret::random().expect("secrets").person();
        let (away, watched, later) = (open(&rooms, 0).await, open(&rooms, 0).await, open(&rooms, 1).await);
        let of_guest = open_of(&rooms, guest, LONG - GUEST_ROOM_SILENCE_SECONDS_MAX).await;
        rooms.live.lock().retain(|id, _| *id == watched);
        let page = rooms.room(&watched).await.expect("readable").expect("the room");
        let shown = page.watch();
        rooms.close_silent(UnixSeconds(LONG - 1)).await.expect("the store works");
        for id in [&away, &watched, &later, &of_guest] {
            assert!(is_open(&rooms, id).await, "{id}");
        }
        rooms.close_silent(UnixSeconds(LONG)).await.expect("the store works");
        for (id, open) in [(&away, false), (&watched, false), (&later, true), (&of_guest, false)] {
            assert_eq!(is_open(&rooms, id).await, open, "{id}");
        }
        let told = |shown: &Snapshot| shown.trouble.as_ref().is_some_and(|text| text.contains("without a result"));
        assert!(told(&shown.borrow()), "watchers see it");
        let closed = rooms.room(&away).await.expect("readable").expect("the room");
        assert!(told(&closed.watch().borrow()));
        let refused = page.resign(ANN, 0, UnixSeconds(LONG)).await.expect_err("closed");
        assert_eq!(refused.code(), "game_over");
    }

    /// Both servers share a database, and one of them is an hour ahead of it.
    #[tokio::test]
    async fn a_server_whose_clock_is_ahead_closes_no_room_of_another_one_too_early() {
        const NOW: i64 = 1_800_000_000;
        const AHEAD: i64 = 3_600;
        let clock = Clock::manual(Duration::from_secs(NOW.unsigned_abs()));
        let store = Store::in_memory(Limits::DEFAULT).await.expect("a store").with_clock(clock.clone());
        let one = rooms_over(Arc::new(store));
        let other = rooms_over(one.slots.core.store.clone());
        let guest = crate::GuestSecret::random().expect("secrets").person();
        let of_guest = open_of(&one, guest, NOW).await;
        let at = |after: i64| {
            clock.advance(Duration::from_secs((NOW + after).abs_diff(clock.unix_seconds())));
            UnixSeconds(NOW + after + AHEAD)
        };
        let made = other.make_place(at(ROOM_SILENCE_SECONDS_MIN - 1)).await.expect("the store works");
        assert!(!made && is_open(&one, &of_guest).await, "it is not silent for long enough to make way");
        for (after, open) in [(GUEST_ROOM_SILENCE_SECONDS_MAX - 1, true), (GUEST_ROOM_SILENCE_SECONDS_MAX, false)] {
            other.close_silent(at(after)).await.expect("the store works");
            assert_eq!(is_open(&one, &of_guest).await, open, "{after} s later");
        }
    }

    fn by(person: u8) -> Newcomer {
        Newcomer { person: PersonId(arena_record::Hex([person; 8])), program: false, browser: None }
    }

    /// A table for two that waits for a second player.
    fn table(host: Newcomer, door: Door) -> NewTable {
        let (game, wish, clock) = (&arena_wire::GAMES[0], RoomWish::default(), None);
        NewTable { host, game, wish, seat: None, clock, door, invited: None, rated: false, chat: true }
    }

    #[tokio::test]
    async fn a_private_room_that_waits_is_closed_when_its_host_stays_away() {
        let rooms = rooms().await;
        let (clock, away) = (rooms.slots.core.clock.clone(), Duration::from_secs(WAITING_SECONDS_MAX.unsigned_abs()));
        let id = open_one(&rooms, table(by(1), Door::Private)).await;
        let page = rooms.room(&id).await.expect("readable").expect("the room").attend(Some(by(1).person));
        clock.advance(2 * away);
        rooms.close_silent(UnixSeconds(2 * WAITING_SECONDS_MAX)).await.expect("the store works");
        assert!(is_open(&rooms, &id).await, "its host waits there");
        drop(page);
        clock.advance(away - Duration::from_secs(1));
        rooms.close_silent(UnixSeconds(3 * WAITING_SECONDS_MAX)).await.expect("the store works");
        assert!(is_open(&rooms, &id).await);
        clock.advance(Duration::from_secs(1));
        rooms.close_silent(UnixSeconds(3 * WAITING_SECONDS_MAX)).await.expect("the store works");
        assert!(!is_open(&rooms, &id).await);
    }

    #[tokio::test]
    async fn a_room_whose_host_this_process_has_never_seen_is_closed_as_if_the_host_had_left_then() {
        let rooms = rooms().await;
        let invitation = NewTable { invited: Some(by(2).person), ..table(by(1), Door::Public) };
        let id = open_one(&rooms, invitation).await;
        // As a restart leaves it: in the store, and in the memory of another process.
        let restarted = Rooms {
            leaderboard: rooms.leaderboard.clone(),
            slots: rooms.slots.clone(),
            live: Mutex::default(),
            pairing: tokio::sync::Mutex::default(),
        };
        for (rooms, after) in [(&rooms, 0), (&restarted, 1)] {
            rooms.resume().await.expect("the store works");
            let away = Duration::from_secs(WAITING_SECONDS_MAX.unsigned_abs());
            let now = UnixSeconds((2 + after) * WAITING_SECONDS_MAX);
            rooms.slots.core.clock.advance(away - Duration::from_secs(1));
            rooms.close_silent(now).await.expect("the store works");
            assert!(is_open(rooms, &id).await, "its host may still come");
            if after == 1 {
                rooms.slots.core.clock.advance(Duration::from_secs(1));
                rooms.close_silent(now).await.expect("the store works");
                assert!(!is_open(rooms, &id).await);
            }
        }
    }

    #[tokio::test]
    async fn the_rooms_in_which_a_person_waits_end_with_the_account_and_no_others_do() {
        let rooms = rooms().await;
        let (mine, other) = (open_one(&rooms, table(by(1), Door::Private)).await, table(by(2), Door::Public));
        let other = open_one(&rooms, other).await;
        rooms.close_waiting(by(1).person, UnixSeconds(1)).await.expect("the store works");
        assert!(!is_open(&rooms, &mine).await && is_open(&rooms, &other).await);
    }

    async fn open_one(rooms: &Rooms, table: NewTable) -> RoomId {
        rooms.open_table(table, UnixSeconds(0)).await.expect("a room")
    }

    #[tokio::test]
    async fn a_room_is_listed_while_somebody_is_there() {
        let rooms = rooms().await;
        let id = open_one(&rooms, table(by(7), Door::Public)).await;
        let room = rooms.room(&id).await.expect("readable").expect("the room");
        let late = room.opened_at() + people::PAGE_LOADS + Duration::from_secs(10);
        let (mut before, changes) = (std::collections::BTreeSet::new(), rooms.watch_lobby());
        let mut listed = |at| {
            let known = *changes.borrow();
            rooms.look_who_waits(&mut before, at);
            (rooms.waiting(at).len(), *changes.borrow() > known)
        };
        assert_eq!(listed(room.opened_at()), (1, true), "its page is loading");
        assert_eq!(listed(late), (0, true), "it was closed");
        assert_eq!(listed(late), (0, false));
        let page = room.attend(Some(by(7).person));
        assert_eq!(listed(late), (1, true), "its host is there again");
        let watcher = room.attend(None);
        drop(page);
        assert_eq!(listed(late), (0, true), "who looks on is nobody to play with");
        drop(watcher);
    }

    #[tokio::test]
    async fn who_watches_a_room_hears_at_once_of_a_player_who_is_back() {
        let rooms = rooms().await;
        let clock = rooms.slots.core.clock.clone();
        let id = open_one(&rooms, table(by(7), Door::Public)).await;
        let room = rooms.room(&id).await.expect("readable").expect("the room");
        let mut watched = room.watch();
        let mut news = || {
            let is_new = watched.has_changed().expect("the room is there");
            (is_new, watched.borrow_and_update().version)
        };
        let page = room.attend(Some(by(7).person));
        let (came, first) = news();
        assert!(came);
        let other = room.attend(Some(by(7).person));
        drop(room.attend(None));
        assert_eq!(news(), (false, first), "another page of theirs, and who looks on, change nothing");
        drop((page, other));
        clock.advance(HERE_FOR);
        let back = room.attend(Some(by(7).person));
        let (came, second) = news();
        assert!(came && second > first);
        drop(back);
    }

    #[tokio::test]
    async fn games_against_bots_keep_none_between_people_out_of_the_lobby() {
        let rooms = rooms().await;
        let mut watches = Vec::new();
        for person in 1..=u8::try_from(LOBBY_ROWS_MAX).expect("a few") {
            let id = open_of(&rooms, by(person).person, 0).await;
            let room = rooms.room(&id).await.expect("readable").expect("the room");
            watches.extend([room.watch(), room.watch()]);
        }
        let id = open_one(&rooms, table(by(101), Door::Public)).await;
        let room = rooms.room(&id).await.expect("readable").expect("the room");
        room.join(by(102), None, UnixSeconds(0)).await.expect("a seat is open");
        watches.push(room.watch());
        let playing: Vec<RoomId> = rooms.lobby().1.iter().map(|room| *room.id()).collect();
        assert_eq!(playing, [id], "though fewer look on");
        drop(watches);
    }

    #[tokio::test]
    async fn who_wants_any_opponent_gets_a_usual_game_and_people_first() {
        let rooms = rooms().await;
        let ggl = arena_wire::Game::named("game-of-game-of-life").expect("a game");
        let clock = |ms| Some(arena_rooms::Clock::Turn { ms });
        open_one(&rooms, table(by(1), Door::Public)).await;
        open_one(&rooms, NewTable { clock: clock(5_000), ..table(by(2), Door::Public) }).await;
        open_one(&rooms, NewTable { clock: clock(60_000), ..table(by(3), Door::Private) }).await;
        let turns = RoomWish { turns: Some(1_000), ..RoomWish::default() };
        let long = NewTable { game: ggl, wish: turns, clock: clock(60_000), ..table(by(4), Door::Public) };
        open_one(&rooms, long).await;
        let v1 = RoomWish { kind: Some("v1".into()), ..RoomWish::default() };
        open_one(&rooms, NewTable { wish: v1, clock: clock(60_000), ..table(by(10), Door::Public) }).await;
        let pair =
            async |who: Newcomer, game| rooms.pair(who, game, false, UnixSeconds(0)).await.expect("it is looked");
        for game in [&arena_wire::GAMES[0], ggl] {
            assert_eq!(pair(by(9), game).await, None, "no clock, a rush, not public, too long, by other rules");
        }
        let program = Newcomer { program: true, ..by(5) };
        let of_program = open_one(&rooms, NewTable { clock: clock(60_000), ..table(program, Door::Public) }).await;
        let of_person = open_one(&rooms, NewTable { clock: clock(60_000), ..table(by(6), Door::Public) }).await;
        assert_eq!(pair(by(9), &arena_wire::GAMES[0]).await, Some(of_person), "though the program came first");
        assert_eq!(pair(by(8), &arena_wire::GAMES[0]).await, Some(of_program), "there is nobody else");
        let alone = rooms.pair(by(8), &arena_wire::GAMES[0], true, UnixSeconds(0)).await.expect("a room");
        assert!(rooms.is_waiting(&alone.expect("a room")), "where nobody waits one is opened, if one may");
    }

    #[tokio::test]
    async fn a_public_room_that_nobody_joins_is_closed_after_ten_minutes() {
        let rooms = rooms().await;
        let (public, private) =
            (open_one(&rooms, table(by(7), Door::Public)).await, open_one(&rooms, table(by(7), Door::Private)).await);
        for (at, open) in [(WAITING_SECONDS_MAX - 1, true), (WAITING_SECONDS_MAX, false)] {
            rooms.close_silent(UnixSeconds(at)).await.expect("the store works");
            assert_eq!((is_open(&rooms, &public).await, is_open(&rooms, &private).await), (open, true), "after {at} s");
        }
    }

    #[tokio::test]
    async fn when_places_run_short_the_most_silent_room_makes_way_and_no_other() {
        let rooms = rooms_with(Limits { open_rooms_max: 2, ..Limits::DEFAULT }).await;
        let (first, second) = (open(&rooms, 0).await, open(&rooms, 10).await);
        let refused = try_open(&rooms, ANN, ROOM_SILENCE_SECONDS_MIN - 1).await;
        assert!(matches!(refused, Err(OpenRoomError::Full)), "{refused:?}");
        // The first one is being played in, so the second is the most silent.
        let page = rooms.room(&first).await.expect("readable").expect("the room");
        page.resign(ANN, 0, UnixSeconds(20)).await.expect("a person may give up");
        let third = open(&rooms, 20).await;
        let fourth = open(&rooms, 10 + ROOM_SILENCE_SECONDS_MIN).await;
        for (id, open) in [(&second, false), (&third, true), (&fourth, true)] {
            assert_eq!(is_open(&rooms, id).await, open, "{id}");
        }
    }

    #[tokio::test]
    async fn a_person_has_so_many_rooms_and_is_told_when_there_is_one_again() {
        let rooms = rooms_with(Limits { open_rooms_per_owner_max: 2, ..Limits::DEFAULT }).await;
        open(&rooms, 0).await;
        open(&rooms, 100).await;
        let refused = try_open(&rooms, ANN, 200).await;
        let Err(OpenRoomError::TooMany { max: 2, again_in }) = refused else { panic!("{refused:?}") };
        let again = 200 + again_in as i64;
        rooms.close_silent(UnixSeconds(again)).await.expect("the store works");
        open(&rooms, again).await;
    }

    #[tokio::test]
    async fn what_a_deleted_account_said_is_forgotten_by_every_server() {
        let rooms = listening(rooms().await);
        let host = Newcomer { person: ANN, program: false, browser: None };
        let id = open_one(&rooms, table(host, Door::Public)).await;
        let room = rooms.room(&id).await.expect("readable").expect("the room");
        let other = PersonId(arena_record::Hex([8; 8]));
        for (person, text) in [(ANN, "rude"), (other, "well")] {
            room.post(person, text).await.expect("said");
        }
        let first = room.snapshot().chat.first().map(|line| line.number).expect("a line");
        room.report(other, first, UnixSeconds(0)).await.expect("reported");
        // As the server that deleted the account announces it.
        rooms.receive(&Sent::new(ServerId(arena_record::Hex([9; 16])), 0, ServerMessage::PersonDeleted(ANN))).await;
        let left: Vec<String> = room.snapshot().chat.iter().map(|line| line.text.clone()).collect();
        assert_eq!((left, rooms.slots().reports.latest()), (vec!["well".to_owned()], Vec::new()));
    }
}
