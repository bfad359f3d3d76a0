//! Several processes over one database: nothing rests on there being one writer, and a server that goes away loses
//! nothing.

use std::collections::BTreeSet;
use std::io;
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use arena_rooms::RoomId;
use arena_store::{
    AccountId, DUTY_BYTES_MAX, Limits, News, Page, RoomError, ServerMessage, Store, StoreError, Topic, WorldName,
};
use sqlx::Connection as _;
use tempfile::TempDir;

use super::cluster::{Cluster, is_there};
use super::suite::{GAME, NOW, TERMS, bot_name, bytes, display, room_id};
use super::{fresh, open_at, open_hasty};
use crate::eventually::eventually;

/// Stores that do not know of each other, as those of several processes.
async fn stores(url: &str, count: usize, limits: Limits) -> Vec<Arc<Store>> {
    let mut stores = Vec::new();
    for _ in 0..count {
        stores.push(open_at(url, limits).await);
    }
    stores
}

/// Opens a room, however often a hasty store has to be asked.
async fn has_room(store: &Store, room: RoomId) {
    let look = async || {
        let opened = store.create_room(&room, "start", &TERMS, NOW).await;
        assert!(matches!(opened, Ok(_) | Err(RoomError::Store(StoreError::Unavailable(_)))), "{opened:?}");
        opened.map(drop)
    };
    eventually("the store to take a room", look).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn limits_and_places_hold_for_processes_that_share_a_database() {
    if !is_there() {
        return;
    }
    let limits = Limits { accounts_max: 5, versions_per_bot_per_day_max: 9, open_rooms_max: 3, ..Limits::DEFAULT };
    let url = fresh().await;
    let stores = stores(&url, 3, limits).await;
    let (owner, _) = stores[0].create_account(&display("Ada"), NOW).await.expect("an account");
    let room = room_id(0);
    stores[0].create_room(&room, "start", &TERMS, NOW).await.expect("a room");
    let callers = (0..12_u8).map(|caller| {
        let store = stores[usize::from(caller) % 3].clone();
        tokio::spawn(async move {
            let account = store.create_account(&display(&format!("player {caller}")), NOW).await.is_ok();
            let content = bytes(&caller.to_string());
            let submitted = store.submit(owner.id, &bot_name("racer"), GAME, content, NOW).await;
            let number = submitted.ok().map(|submission| submission.version().id.number);
            let opened = store.create_room(&room_id(1 + u128::from(caller)), "start", &TERMS, NOW).await.is_ok();
            let mut places = 0;
            for seq in 1..10 {
                match store.append(&room, seq, &format!("{caller} at {seq}"), NOW).await {
                    Ok(_) => places += 1,
                    Err(RoomError::Taken) => {}
                    Err(error) => panic!("{error:?}"),
                }
            }
            (account, number, opened, places)
        })
    });
    let callers: Vec<_> = callers.collect();
    let (mut accounts, mut numbers, mut rooms, mut places) = (1, Vec::new(), 1, 0);
    for caller in callers {
        let (account, number, opened, appended) = caller.await.expect("no panic");
        accounts += u32::from(account);
        numbers.extend(number);
        rooms += u32::from(opened);
        places += appended;
    }
    numbers.sort_unstable();
    assert_eq!((accounts, rooms, places), (5, 3, 9));
    assert_eq!(numbers, (1..=9).collect::<Vec<u32>>());
    for store in stores {
        assert_eq!(store.room(&room).await.expect("read").expect("the room").events.len(), 10);
        assert_eq!(store.problems().await.expect("readable"), [""; 0]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_waited_too_long_keeps_no_later_one_from_its_turn() {
    if !is_there() {
        return;
    }
    let url = fresh().await;
    let store = open_hasty(&url).await;
    let (first, second) = (room_id(1), room_id(2));
    has_room(&store, first).await;
    let mut other = sqlx::PgConnection::connect(&url).await.expect("a connection");
    sqlx::query("select pg_advisory_lock(7201839455)").execute(&mut other).await.expect("everybody's turn");
    for _twice in 0..2 {
        let refused = store.create_room(&second, "start", &TERMS, NOW).await;
        assert!(matches!(refused, Err(RoomError::Store(StoreError::Unavailable(_)))), "{refused:?}");
    }
    other.close().await.expect("closed");
    has_room(&store, second).await;
    assert_eq!(store.open_rooms(Page::first(10)).await.expect("read"), [first, second]);
}

/// Planned for lists of a hundred, the server reads whole tables of a million games.
#[tokio::test]
async fn a_list_in_a_statement_is_planned_for_as_a_short_one() {
    if !is_there() {
        return;
    }
    let url = fresh().await;
    let mut asked = sqlx::PgConnection::connect(&url).await.expect("a connection");
    let plan = "explain select seats.number from json_each('[]') t join game_seats seats on seats.tournament = t.value";
    let lines: Vec<(String,)> = sqlx::query_as(plan).fetch_all(&mut asked).await.expect("a plan");
    let plan: Vec<&str> = lines.iter().map(|(line,)| line.as_str()).collect();
    let of_list = plan.iter().find(|line| line.contains("json_each")).expect("it is not inlined");
    assert!(of_list.contains("rows=10 "), "{plan:?}");
}

/// How often the server is killed as a power cut would.
const CRASHES: u32 = 3;

/// A server of its own, whose disk is waited for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_a_server_that_dies_and_comes_back() {
    if !is_there() {
        return;
    }
    let cluster = tokio::task::spawn_blocking(|| Cluster::start("-c fsync=on -c full_page_writes=on"));
    let cluster = Arc::new(cluster.await.expect("a server"));
    let url = cluster.database(None);
    let store = open_hasty(&url).await;
    let room = room_id(1);
    has_room(&store, room).await;
    let (mut seq, mut refused) = (1, 0);
    for crash in 0..CRASHES {
        let dies = cluster.clone();
        let restart = tokio::task::spawn_blocking(move || dies.crash_and_restart());
        let until = seq + 5 + crash;
        while seq < until || !restart.is_finished() {
            // As a client does that was told to try again: whatever became of the call before, the event is there once.
            match store.append(&room, seq, &format!("event {seq}"), NOW).await {
                Ok(_) => seq += 1,
                Err(RoomError::Store(StoreError::Unavailable(_))) => refused += 1,
                Err(error) => panic!("{error:?}"),
            }
        }
        restart.await.expect("it comes back");
    }
    assert!(refused > 0, "the server was never missed");
    let events = store.room(&room).await.expect("read").expect("the room").events;
    assert_eq!(events.len() as u32, seq);
    assert_eq!(events.iter().collect::<BTreeSet<_>>().len(), events.len(), "an event is there twice");
    assert_eq!(store.open_rooms(Page::first(10)).await.expect("read"), [room]);
    assert_eq!(store.problems().await.expect("readable"), [""; 0]);
}

/// The name of the server's socket in its folder.
const SOCKET: &str = ".s.PGSQL.5432";

/// A way to the server on which it can vanish as a host without power does: nothing comes back, and nothing says so.
struct Line {
    folder: TempDir,
    /// The server's ends.
    ends: Arc<Mutex<Vec<UnixStream>>>,
}

impl Line {
    fn to(url: &str) -> Line {
        let folder = tempfile::tempdir().expect("a folder");
        let there = Path::new(url.split("host=").nth(1).expect("a folder")).join(SOCKET);
        let here = UnixListener::bind(folder.path().join(SOCKET)).expect("a socket");
        let ends: Arc<Mutex<Vec<UnixStream>>> = Arc::default();
        let line = Line { folder, ends: ends.clone() };
        thread::spawn(move || {
            for ours in here.incoming() {
                let mut ours = ours.expect("a connection");
                let mut theirs = UnixStream::connect(&there).expect("the server");
                ends.lock().expect("no panic").push(theirs.try_clone().expect("an end"));
                let (mut to, mut from) = (ours.try_clone().expect("an end"), theirs.try_clone().expect("an end"));
                thread::spawn(move || io::copy(&mut from, &mut to));
                thread::spawn(move || {
                    // Once the server is gone this end stays open, until who has it gives up.
                    let _ = io::copy(&mut ours, &mut theirs);
                    let _ = io::copy(&mut ours, &mut io::sink());
                    theirs.shutdown(Shutdown::Both)
                });
            }
        });
        line
    }

    /// The same database on this way.
    fn url(&self, url: &str) -> String {
        let (database, _) = url.split_once("host=").expect("a folder");
        format!("{database}host={}", self.folder.path().display())
    }

    /// The server is gone for all who are connected. It is there for those who come now.
    fn vanish(&self) {
        for end in self.ends.lock().expect("no panic").drain(..) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_vanishes_without_a_word_is_given_up_and_connected_to_again() {
    if !is_there() {
        return;
    }
    let url = fresh().await;
    let line = Line::to(&url);
    let store = open_hasty(&line.url(&url)).await;
    let mut notifications = store.notifications();
    has_room(&store, room_id(1)).await;
    eventually("a ring", async || notifications.news.has_changed().expect("it listens")).await;
    let mut other = sqlx::PgConnection::connect(&url).await.expect("a connection");
    sqlx::query("select pg_advisory_lock(7201839455)").execute(&mut other).await.expect("everybody's turn");
    let waits = tokio::spawn({
        let store = store.clone();
        async move { store.create_room(&room_id(2), "start", &TERMS, NOW).await }
    });
    let waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted
                   and database = (select oid from pg_database where datname = current_database())";
    let look = async || {
        let (waiting,): (i64,) = sqlx::query_as(waiting).fetch_one(&mut other).await.expect("a count");
        waiting > 0 || waits.is_finished()
    };
    eventually("somebody to wait for a turn", look).await;
    notifications.news.mark_unchanged();
    line.vanish();
    let refused = waits.await.expect("no panic");
    assert!(matches!(refused, Err(RoomError::Store(StoreError::Unavailable(_)))), "{refused:?}");
    other.close().await.expect("closed");
    has_room(&store, room_id(3)).await;
    let ready = async || {
        let ready = store.is_ready().await;
        assert!(matches!(ready, Ok(()) | Err(StoreError::Unavailable(_))), "{ready:?}");
        ready
    };
    eventually("the store to be read again", ready).await;
    eventually("a ring", async || notifications.news.has_changed().expect("it listens again")).await;
    assert_eq!(store.open_rooms(Page::first(10)).await.expect("read"), [room_id(1), room_id(3)]);
}

/// Longer than a test takes, and over at once.
const LEASES_MS: [u64; 2] = [600_000, 0];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_duty_is_one_servers_until_it_leaves_it_or_is_gone_or_its_lease_is_over() {
    if !is_there() {
        return;
    }
    let url = fresh().await;
    let stores = stores(&url, 3, Limits::DEFAULT).await;
    let takes = async |store: usize, duty: &str, lease: u64| stores[store].take_duty(duty, lease).await.expect("asked");
    assert!(takes(0, "judge", LEASES_MS[0]).await && takes(0, "judge", LEASES_MS[0]).await, "it keeps what it has");
    assert!(!takes(1, "judge", LEASES_MS[0]).await && takes(1, "world eden", LEASES_MS[1]).await);
    assert!(takes(2, "world eden", LEASES_MS[0]).await, "that lease was over");
    let kept = async |store: usize| stores[store].keep_duties(LEASES_MS[0]).await.expect("kept");
    assert_eq!(kept(0).await, BTreeSet::from(["judge".to_owned()]));
    assert_eq!(kept(1).await, BTreeSet::new());
    stores[0].leave_duties(Some("judge")).await.expect("left");
    assert!(takes(1, "judge", LEASES_MS[0]).await);
    // The database learns soon who is gone: nobody waits for that lease.
    stores[1].clone().close().await;
    eventually("the duty of who is gone", async || takes(0, "judge", LEASES_MS[0]).await).await;
    assert!(stores[0].take_duty(&"x".repeat(DUTY_BYTES_MAX + 1), LEASES_MS[0]).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_server_writes_and_says_the_others_hear() {
    if !is_there() {
        return;
    }
    let url = fresh().await;
    let stores = stores(&url, 2, Limits::DEFAULT).await;
    let [writes, hears] = &stores[..] else { panic!("two") };
    let mut notifications = hears.notifications();
    let begun = hears.news_after(None).await.expect("read");
    assert_eq!(begun, News { last: begun.last, ..News::default() });
    let (room, eden) = (room_id(7), WorldName::parse("eden").expect("a name"));
    let hello = ServerMessage::AccountChanged(AccountId(7));
    // What is said before somebody listens is lost, as it may be at any time.
    let look = async || {
        writes.send_to_servers(7, hello.clone()).await.expect("sent");
        notifications.messages.try_recv().ok()
    };
    let heard = eventually("somebody to listen", look).await;
    assert_eq!((heard.from, heard.number, &heard.message), (writes.server(), 7, &hello));
    notifications.news.mark_unchanged();
    writes.create_room(&room, "start", &TERMS, NOW).await.expect("a room");
    writes.append(&room, 1, "one", NOW).await.expect("next");
    eventually("a ring", async || notifications.news.has_changed().expect("it listens")).await;
    writes.finish_room(&room, &[], NOW).await.expect("finished");
    writes.begin_span(&eden, 0, "start").await.expect("begun");
    let (owner, _) = writes.create_account(&display("Ada"), NOW).await.expect("an account");
    writes.submit(owner.id, &bot_name("racer"), GAME, bytes("bot"), NOW).await.expect("taken");
    let news = hears.news_after(Some(begun.last)).await.expect("read");
    let topics = [Topic::Room(room, 1), Topic::RoomFinished(room), Topic::World(eden), Topic::Bots];
    assert_eq!((news.missed, news.topics), (false, BTreeSet::from(topics)));
    assert_eq!(hears.news_after(Some(news.last)).await.expect("read").topics, BTreeSet::new());
    assert!(hears.news_after(Some(news.last + 1)).await.expect("read").missed, "a database that was restored");
}
