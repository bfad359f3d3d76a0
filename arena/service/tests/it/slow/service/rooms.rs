//! Rooms: people against players that are asked.

use std::sync::Arc;
use std::time::Duration;

use arena_record::{Budgets, Bytes, EntrantId, Hex, Record};
use arena_referee::Player;
use arena_rooms::{
    CLOCK_MS_MAX, CLOCK_MS_MIN, Clock, Command, Door, Event, Logged, Newcomer, Opened, PersonId, Proposal, Rejected,
    Room, RoomId, Seated,
};
use arena_rules::conquerors::Position;
use arena_rules::{Ruleset, Seat, war_of_life};
use arena_runner::{Contender, Host, InProcess, Named};
use arena_sandbox::Sandbox;
use arena_service::{
    GuestSecret, LiveRoom, NewRoom, NewTable, OpenRoomError, Opponent, PlayError, Service, person_of_account,
};
use arena_store::{AccountId, RoomState, RoomTerms};
use arena_wire::{Game, Protocol, RoomWish};
use arena_worker::Wall;
use sqlx::{Connection as _, Executor as _, SqliteConnection};

use super::{FIRST, NOW, Place, bot_name, in_time, judged, legal, logged, mason, until};

const ANN: AccountId = AccountId(1);

fn ann() -> PersonId {
    person_of_account(ANN)
}

async fn open(service: &Service, colour: Seat, opponent: Opponent) -> (RoomId, Arc<LiveRoom>) {
    let id = service
        .open_room(NewRoom { person: ann(), browser: None, game: FIRST, turns: None, seat: colour, opponent }, NOW)
        .await
        .expect("opened");
    let room = live(service, &id).await;
    assert_eq!(room.seats_of(ann()), [colour.0]);
    (id, room)
}

async fn live(service: &Service, id: &RoomId) -> Arc<LiveRoom> {
    service.rooms().room(id).await.expect("readable").expect("the room")
}

/// Waits until a person is asked or the game is over.
async fn until_asked(service: &Service, room: &LiveRoom, seat: Seat) -> Room {
    until(room.watch(), |shown| shown.over() || shown.view.awaiting == [seat]).await;
    logged(service, room.id()).await
}

/// A legal command for a person that is asked.
fn command(room: &Room, seat: Seat) -> Command {
    let action = Bytes(legal(room.position().expect("its game"), seat));
    Command { ply: room.ply(), client_seq: 1_000 + u64::from(room.ply()), action }
}

/// Plays so many turns of a person, or to the end.
async fn play(service: &Service, room: &Arc<LiveRoom>, seat: Seat, turns: usize) {
    for _ in 0..turns {
        let known = until_asked(service, room, seat).await;
        if known.outcome().is_some() {
            return;
        }
        room.play(ann(), command(&known, seat), NOW).await.expect("legal");
    }
}

async fn play_to_the_end(service: &Service, room: &Arc<LiveRoom>, seat: Seat) -> Record {
    play(service, room, seat, usize::MAX).await;
    until(room.watch(), |shown| shown.over()).await;
    let record = room.record().await.expect("it is over");
    arena_referee::check(&record).expect("by the rules");
    record
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_not_stored_is_refused_and_nobody_sees_it() {
    let place = Place::new();
    let service = place.open().await;
    let (id, room) = open(&service, Seat(0), Opponent::Baseline("easy".into())).await;
    let known = until_asked(&service, &room, Seat(0)).await;
    let file = format!("sqlite://{}", place.data().join("arena.db").display());
    let mut database = SqliteConnection::connect(&file).await.expect("the store's file");
    let refusing = "create trigger refusing before insert on room_events begin select raise(abort, 'refused'); end";
    database.execute(refusing).await.expect("a trigger");
    room.play(ann(), command(&known, Seat(0)), NOW).await.expect_err("it is not stored");
    assert!(room.watch().borrow().view.turns.is_empty());
    assert_eq!(logged(&service, &id).await.ply(), known.ply());
    database.execute("drop trigger refusing").await.expect("no trigger");
    room.play(ann(), command(&known, Seat(0)), NOW).await.expect("the same command");
    assert!(logged(&service, &id).await.ply() > known.ply());
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_against_each_tier_ends_in_a_record_by_the_rules() {
    let place = Place::new();
    let service = place.open().await;
    for (tier, colour) in [("easy", Seat(0)), ("normal", Seat(1)), ("hard", Seat(0))] {
        let (id, room) = open(&service, colour, Opponent::Baseline(tier.into())).await;
        assert!(room.record().await.is_none(), "it is not over");
        let record = play_to_the_end(&service, &room, colour).await;
        let theirs = &record.header.entrants[colour.opponent().index()];
        assert_eq!(*theirs, EntrantId::of_baseline(tier, 1));
        assert_eq!(record.header.entrants[colour.index()], EntrantId::of_person(ann().0));
        // The state that everybody sees has all of it.
        let shown = room.watch().borrow().clone();
        assert_eq!(shown.view.room, id);
        assert!(shown.view.turns.iter().map(|turn| &**turn).eq(&record.turns));
        assert_eq!(shown.view.outcome.as_ref(), Some(&record.outcome));
        assert_eq!(shown.trouble, None);
        assert_eq!(shown.view.seats[colour.index()], Seated::Person(ann()));
        // It is finished in the store as well, once the writer of the end has come that far.
        let refused = room.play(ann(), command_at(99), NOW).await.expect_err("over");
        assert_eq!(refused.code(), "game_over");
    }
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_against_an_opponent_of_the_v1_game_is_played_by_its_rules() {
    let place = Place::new();
    let service = place.open().await;
    let others: Vec<&str> = Contender::built_in(Position::ID)
        .filter(|name| !Contender::usual(Position::ID).any(|usual| usual == *name))
        .collect();
    assert_eq!(others, ["easy-v54", "normal-v54", "hard-v54", "easy-v55", "normal-v55", "hard-v55"]);
    for (name, seat) in others.into_iter().zip([Seat(0), Seat(1)].into_iter().cycle()) {
        let (_, room) = open(&service, seat, Opponent::Baseline(name.into())).await;
        let record = play_to_the_end(&service, &room, seat).await;
        assert_eq!(record.header.options, "", "neither rule of V2 is on");
        assert_eq!(record.header.entrants[seat.opponent().index()], EntrantId::of_baseline(name, 1));
    }
    service.close().await;
}

fn command_at(ply: u16) -> Command {
    Command { ply, client_seq: 0, action: Bytes(vec![1, 3, 0]) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_comes_back_from_its_log_in_the_middle_of_a_game() {
    let place = Place::new();
    let service = place.open().await;
    let (id, room) = open(&service, Seat(1), Opponent::Baseline("normal".into())).await;
    play(&service, &room, Seat(1), 3).await;
    let before = until_asked(&service, &room, Seat(1)).await;
    assert_eq!(before.ply(), 7);
    let shown = room.watch().borrow().view.clone();
    let repeated = command(&before, Seat(1));
    drop(room);
    service.close().await;

    let service = place.open().await;
    let room = live(&service, &id).await;
    assert_eq!(room.watch().borrow().view, shown);
    assert_eq!(logged(&service, &id).await, before);
    room.play(ann(), repeated.clone(), NOW).await.expect("legal");
    drop(room);
    service.close().await;

    // The command was acknowledged, so it is there, no matter who sends it again.
    let service = place.open().await;
    let room = live(&service, &id).await;
    room.play(ann(), repeated, NOW).await.expect("applied already");
    let record = play_to_the_end(&service, &room, Seat(1)).await;
    // What the brought back player did is what one does that was never away.
    let room = logged(&service, &id).await;
    assert_as_undisturbed(&record, &room, InProcess::new(Sandbox::new().expect("a sandbox")), &[]);
    service.close().await;
}

/// Compares the moves of seat 0's or 1's contender with those of a fresh player in this process.
fn assert_as_undisturbed(record: &Record, room: &Room, host: InProcess, bytes: &[u8]) {
    let seats = (0..).map(Seat).zip(&room.opened().seats);
    let contenders = seats.filter_map(|(seat, seated)| match seated {
        Seated::Contender(id) => Some((seat, id)),
        Seated::Person(_) | Seated::Open => None,
    });
    for (seat, id) in contenders {
        let contender = match id.baseline() {
            Some((tier, _)) => arena_runner::Contender::baseline("conquerors@2", tier).expect("a tier"),
            None => host.load(bytes, &Budgets::DEFAULT).expect("a bot"),
        };
        let mut player = contender.player(Wall::None);
        let exchanges = room.exchanges(seat);
        let started = player.start(exchanges[0].observation.len(), Budgets::DEFAULT.fuel_at_start).expect("it starts");
        assert_eq!(record.starts[seat.index()], started.fuel);
        let plays: Vec<_> =
            record.turns.iter().flat_map(|turn| &turn.plays).filter(|play| play.seat == seat.0).collect();
        assert_eq!(plays.len(), exchanges.len());
        for (exchange, play) in exchanges.iter().zip(plays) {
            let reply = player.turn(&exchange.observation, Budgets::DEFAULT.fuel_per_move).expect("it answers");
            assert_eq!((reply.action, reply.fuel), (play.action.0.clone(), play.fuel));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_whose_worker_dies_is_brought_back_and_goes_on_as_before() {
    let place = Place::new();
    let service = place.open().await;
    let owner = super::account(&service, "Ann").await;
    let bytes: Arc<[u8]> = Arc::from(&include_bytes!("../../../../../../bots/gallery/released/gardener.wasm")[..]);
    judged(&service, owner, "gardener", bytes.clone()).await;
    let (id, room) = open(&service, Seat(0), Opponent::Bot(bot_name("GARDENER"))).await;
    for _ in 0..3 {
        play(&service, &room, Seat(0), 2).await;
        until_asked(&service, &room, Seat(0)).await;
        std::fs::write(place.death(), "").expect("written");
    }
    let record = play_to_the_end(&service, &room, Seat(0)).await;
    assert!(!place.death().exists(), "the worker died");
    assert_eq!(record.forfeits, []);
    let room = logged(&service, &id).await;
    assert_as_undisturbed(&record, &room, InProcess::new(Sandbox::new().expect("a sandbox")), &bytes);
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_no_worker_can_be_had_people_are_told_and_the_game_goes_on_later() {
    let place = Place::new();
    let worker = place.folder.path().join("worker");
    let restore = || std::fs::copy(env!("CARGO_BIN_EXE_service-test-worker"), &worker).expect("copied");
    restore();
    // No worker is kept for others: a room whose worker died needs a new process.
    let service = place.open_with(worker.clone(), 0).await;
    let owner = super::account(&service, "Ann").await;
    judged(&service, owner, "mason", mason()).await;
    let (id, room) = open(&service, Seat(0), Opponent::Bot(bot_name("mason"))).await;
    play(&service, &room, Seat(0), 2).await;
    let known = until_asked(&service, &room, Seat(0)).await;
    std::fs::write(place.death(), "").expect("written");
    std::fs::remove_file(&worker).expect("removed");
    room.play(ann(), command(&known, Seat(0)), NOW).await.expect("legal");
    let told = until(room.watch(), |shown| shown.trouble.is_some()).await;
    assert!(told.trouble.as_ref().is_some_and(|trouble| trouble.contains("trying again")), "{told:?}");
    assert_eq!(logged(&service, &id).await.ply(), 5);
    let new = NewRoom {
        person: ann(),
        browser: None,
        game: FIRST,
        turns: None,
        seat: Seat(0),
        opponent: Opponent::Bot(bot_name("mason")),
    };
    assert!(matches!(service.open_room(new, NOW).await, Err(OpenRoomError::Machine(_))));

    restore();
    let told = in_time(&place.clock, room.watch(), |shown| shown.trouble.is_none()).await;
    assert_eq!(told.view.events, 1 + 6);
    let record = play_to_the_end(&service, &room, Seat(0)).await;
    let known = logged(&service, &id).await;
    assert_as_undisturbed(&record, &known, InProcess::new(Sandbox::new().expect("a sandbox")), &mason());
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_another_went_on_with_is_read_again() {
    let place = Place::new();
    let service = place.open().await;
    let (id, room) = open(&service, Seat(0), Opponent::Baseline("easy".into())).await;
    let known = until_asked(&service, &room, Seat(0)).await;
    // As if this process had written it and never learnt that it had.
    let (mine, other) = (command(&known, Seat(0)), Command { client_seq: 7, ..command(&known, Seat(0)) });
    let Ok(Proposal::Append(event)) = known.propose(ann(), &mine) else { panic!("legal") };
    service.store().append(&id, 1, &event.to_line(), NOW).await.expect("appended");
    let refused = room.play(ann(), other, NOW).await.expect_err("another has its place");
    assert!(matches!(refused.code(), "stale_ply" | "not_your_turn"), "{refused:?}");
    room.play(ann(), mine, NOW).await.expect("applied already");
    // The next player is asked.
    assert_eq!(until_asked(&service, &room, Seat(0)).await.ply(), 2);
    play_to_the_end(&service, &room, Seat(0)).await;
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_of_another_release_is_not_played_on() {
    let place = Place::new();
    let service = place.open().await;
    let (_, room) = open(&service, Seat(0), Opponent::Baseline("easy".into())).await;
    let opened = until_asked(&service, &room, Seat(0)).await.opened().clone();
    let old = RoomId(Hex([7; 16]));
    let seats = vec![opened.seats[1].clone(), opened.seats[0].clone()];
    let opened = Opened { room: old, semantics: "0".repeat(64), seats, ..opened };
    let first = Event::Opened(Box::new(opened)).to_line();
    let terms = RoomTerms { owner: ann(), silence_seconds_max: 60 };
    service.store().create_room(&old, &first, &terms, NOW).await.expect("opened");
    let room = live(&service, &old).await;
    let told = until(room.watch(), |shown| shown.trouble.is_some()).await;
    assert!(told.trouble.as_ref().is_some_and(|trouble| trouble.contains("another release")), "{told:?}");
    assert!(!told.over());
    assert_eq!(logged(&service, &old).await.ply(), 0);
    service.close().await;
}

/// Two people, because a built-in opponent may die out in a turn or two: who draws its cells is the room's seed, which
/// is random.
#[tokio::test(flavor = "multi_thread")]
async fn commands_that_come_at_once_are_applied_once() {
    let place = Place::new();
    let service = place.open().await;
    let (id, room, bob) = people(&service, None).await;
    let known = until_asked(&service, &room, Seat(0)).await;
    let first = command(&known, Seat(0));
    let (one, two) = tokio::join!(room.play(ann(), first.clone(), NOW), room.play(ann(), first.clone(), NOW));
    assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
    let replies = async || {
        let known = until_asked(&service, &room, Seat(1)).await;
        room.play(bob, command(&known, Seat(1)), NOW).await.expect("legal");
        until_asked(&service, &room, Seat(0)).await
    };

    // From two pages: each has its own number, and only one has the turn.
    let known = replies().await;
    assert_eq!(known.ply(), 2);
    let other = Command { client_seq: 7, ..command(&known, Seat(0)) };
    let (one, two) =
        tokio::join!(room.play(ann(), command(&known, Seat(0)), NOW), room.play(ann(), other.clone(), NOW));
    let late: Vec<PlayError> = [one, two].into_iter().filter_map(Result::err).collect();
    let [PlayError::Rejected(Rejected::StalePly { .. } | Rejected::NotYourTurn)] = late[..] else { panic!("{late:?}") };

    // Sent by a page that does not wait for the answer, which may be there at once.
    let third = command(&replies().await, Seat(0));
    {
        let sent = room.play(ann(), third.clone(), NOW);
        tokio::pin!(sent);
        std::future::poll_fn(|context| std::task::Poll::Ready(sent.as_mut().poll(context).is_pending())).await;
    }
    let known = until(room.watch(), |shown| shown.view.turns.len() == 5).await;
    assert!(!known.over(), "blocks stay where they are");
    room.play(ann(), third, NOW).await.expect("applied already");
    assert_eq!(logged(&service, &id).await.turns().len(), 5);
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_that_gives_up_has_lost_and_strangers_only_watch() {
    let place = Place::new();
    let service = place.open().await;
    let (id, room) = open(&service, Seat(0), Opponent::Baseline("hard".into())).await;
    let stranger = GuestSecret::random().expect("secrets").person();
    assert_eq!(room.seats_of(stranger), [0_u8; 0]);
    let known = until_asked(&service, &room, Seat(0)).await;
    let refused = room.play(stranger, command(&known, Seat(0)), NOW).await.expect_err("not theirs");
    assert_eq!(refused.code(), "not_your_seat");
    assert_eq!(room.resign(stranger, 0, NOW).await.expect_err("not theirs").code(), "not_your_seat");
    room.resign(ann(), 0, NOW).await.expect("asked");
    room.resign(ann(), 0, NOW).await.expect("the same once more");
    let record = room.record().await.expect("over");
    assert_eq!(record.outcome.winner, Some(1));
    arena_referee::check(&record).expect("by the rules");
    let stored = service.store().room(&id).await.expect("readable").expect("the room");
    assert_eq!(stored.state, RoomState::Finished { at: NOW });
    // From its log it is the same game.
    drop(room);
    service.close().await;
    let service = place.open().await;
    assert_eq!(live(&service, &id).await.record().await, Some(record));
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_of_the_gallery_plays_by_its_name_unless_a_submitted_one_has_it() {
    let place = Place::new();
    let service = place.open().await;
    let opponent = || Opponent::Bot(bot_name("mason"));
    let (_, room) = open(&service, Seat(0), opponent()).await;
    let record = play_to_the_end(&service, &room, Seat(0)).await;
    let released = Named::find(FIRST.ruleset, "mason").expect("it is in the gallery").id();
    assert_eq!(record.header.entrants[1], released);
    assert_eq!(record.forfeits, []);

    let owner = super::account(&service, "Ann").await;
    let other = mason().iter().copied().chain(*b"\0\x03\x01xy").collect();
    let submitted = judged(&service, owner, "mason", other).await;
    let (_, room) = open(&service, Seat(0), opponent()).await;
    assert_eq!(room.seats()[1].entrant(), Some(submitted.entrant));
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_no_room_against_nobody() {
    let place = Place::new();
    let service = place.open().await;
    for opponent in [Opponent::Baseline("harder".into()), Opponent::Bot(bot_name("nemo"))] {
        let new = NewRoom { person: ann(), browser: None, game: FIRST, turns: None, seat: Seat(0), opponent };
        let error = service.open_room(new, NOW).await.expect_err("nobody");
        assert!(matches!(error, OpenRoomError::NoSuchOpponent), "{error}");
    }
    let new = NewRoom {
        person: ann(),
        browser: None,
        game: FIRST,
        turns: None,
        seat: Seat(2),
        opponent: Opponent::Baseline("easy".into()),
    };
    assert!(matches!(service.open_room(new, NOW).await, Err(OpenRoomError::NoSuchSeat)));
    let nowhere = RoomId(Hex([7; 16]));
    assert!(service.rooms().room(&nowhere).await.expect("readable").is_none());
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_of_another_game_is_played_like_any_other_and_shows_its_history() {
    let place = Place::new();
    let service = place.open().await;
    let game = Game::named("war-of-life").expect("a game");
    let new = |seat, name: &str| NewRoom {
        person: ann(),
        browser: None,
        game,
        turns: None,
        seat,
        opponent: Opponent::Baseline(name.into()),
    };
    let refused = service.open_room(new(Seat(0), "hard"), NOW).await;
    assert!(matches!(refused, Err(OpenRoomError::NoSuchOpponent)), "hard plays another game");
    let id = service.open_room(new(Seat(1), "land-grab"), NOW).await.expect("opened");
    let room = live(&service, &id).await;
    assert_eq!(room.ruleset(), game.ruleset);
    let mut given_up = false;
    let over = loop {
        // Asked, or over: pieces die out of some deals at once.
        let shown = until(room.watch(), |shown| shown.over() || shown.view.awaiting == [Seat(1)]).await;
        if shown.over() {
            break shown;
        }
        let stored = service.store().room(&id).await.expect("readable").expect("the room");
        let events = stored.events.iter().map(|line| Logged::parse(line).expect("an event"));
        let known = Room::from_log(events).expect("a log");
        if known.ply() > 6 {
            room.resign(ann(), known.ply(), NOW).await.expect("asked");
            given_up = true;
            continue;
        }
        let step =
            known.position::<war_of_life::Position>().expect("its position").moves(Seat(1)).next().expect("a move");
        let action = Bytes(war_of_life::Position::encode_action(&step.into()));
        room.play(ann(), Command { ply: known.ply(), client_seq: 1, action }, NOW).await.expect("legal");
    };
    let record = room.record().await.expect("it is over");
    assert_eq!(arena_referee::check(&record), Ok(()));
    assert_eq!(record.header.ruleset, game.ruleset);
    assert_eq!(record.forfeits.len(), usize::from(given_up), "{:?}", record.forfeits);
    assert!(record.header.options.starts_with("start=deal:"), "{}", record.header.options);
    assert_eq!(over.view.options, record.header.options);
    assert!(over.view.turns.iter().map(|turn| &**turn).eq(&record.turns));
    let wide = Game::named("life2").expect("a game");
    let refused = NewRoom { game: wide, ..new(Seat(0), "expander") };
    assert!(matches!(service.open_room(refused, NOW).await, Err(OpenRoomError::NoRooms(_))));
    service.close().await;
}

/// Somebody in no browser.
fn by(person: PersonId) -> Newcomer {
    Newcomer { person, program: false, browser: None }
}

/// Ann and Bob at a board.
async fn people(service: &Service, clock: Option<Clock>) -> (RoomId, Arc<LiveRoom>, PersonId) {
    let bob = GuestSecret::random().expect("secrets").person();
    let table = NewTable {
        host: by(ann()),
        game: FIRST,
        wish: RoomWish::default(),
        seat: Some(Seat(0)),
        clock,
        door: Door::Private,
        invited: None,
        rated: false,
        chat: true,
    };
    let id = service.open_table(table, NOW).await.expect("opened");
    let room = live(service, &id).await;
    let early = room.play(ann(), command_at(0), NOW).await.expect_err("nobody is there");
    assert_eq!(early.code(), "not_started");
    service.rooms().join(&room, by(bob), None, NOW).await.expect("a seat is open");
    assert_eq!((room.seats_of(ann()), room.seats_of(bob)), (vec![0], vec![1]));
    (id, room, bob)
}

/// Nothing, in Game of Game of Life.
fn pass_at(ply: u16, client_seq: u64) -> Command {
    Command { ply, client_seq, action: Bytes(vec![1, 0, 0]) }
}

#[tokio::test(flavor = "multi_thread")]
async fn people_play_all_at_once_with_bots_in_the_seats_that_are_left() {
    let place = Place::new();
    let service = place.open().await;
    let bob = GuestSecret::random().expect("secrets").person();
    let game = Game::named("game-of-game-of-life").expect("a game");
    let table = NewTable {
        host: by(ann()),
        game,
        wish: RoomWish { seats: Some(4), turns: Some(50), ..RoomWish::default() },
        seat: Some(Seat(1)),
        clock: Some(Clock::Turn { ms: CLOCK_MS_MAX }),
        door: Door::Public,
        invited: None,
        rated: false,
        chat: true,
    };
    for (seats, turns) in [(Some(1), None), (Some(17), None), (None, Some(51))] {
        let wish = RoomWish { seats, turns, ..RoomWish::default() };
        let refused = service.open_table(NewTable { wish, ..table.clone() }, NOW).await;
        assert!(matches!(refused, Err(OpenRoomError::NoSuchGame(_))), "{refused:?}");
    }
    let id = service.open_table(table, NOW).await.expect("opened");
    let room = live(&service, &id).await;
    let greedy = Opponent::Baseline("greedy".into());
    let refused = service.rooms().fill(&room, bob, &greedy, None, NOW).await.expect_err("he opened nothing");
    assert!(matches!(&refused, OpenRoomError::Play(why) if why.code() == "not_host"), "{refused:?}");
    let refused = service.rooms().fill(&room, ann(), &Opponent::Baseline("hard".into()), None, NOW).await;
    assert!(matches!(refused, Err(OpenRoomError::NoSuchOpponent)), "hard plays another game");
    service.rooms().fill(&room, ann(), &greedy, Some(Seat(3)), NOW).await.expect("an open seat");
    service.rooms().join(&room, by(bob), Some(Seat(0)), NOW).await.expect("an open seat");
    assert!(room.snapshot().is_waiting(), "one is still open");
    service.rooms().fill(&room, ann(), &greedy, None, NOW).await.expect("an open seat");
    let refused = service.rooms().fill(&room, ann(), &greedy, None, NOW).await.expect_err("no seat is open");
    assert!(matches!(&refused, OpenRoomError::Play(why) if why.code() == "started"), "{refused:?}");
    let mut people = vec![(bob, Seat(0)), (ann(), Seat(1))];
    for ply in 0..50 {
        if ply == 10 {
            // The bots may still be asked for the turn before.
            until(room.watch(), |shown| shown.view.ply == ply).await;
            room.resign(bob, ply, NOW).await.expect("one of many gives up, and the others go on");
            people.remove(0);
        }
        for (person, seat) in &people {
            let shown = until(room.watch(), |shown| shown.over() || shown.view.ply >= ply).await;
            if shown.view.ply == ply && shown.view.awaiting.contains(seat) {
                room.play(*person, pass_at(ply, 7), NOW).await.expect("it is asked");
                room.play(*person, pass_at(ply, 7), NOW).await.expect("it was applied before");
            }
        }
    }
    let over = until(room.watch(), |shown| shown.over()).await;
    assert_eq!(
        over.view.forfeits.iter().map(|forfeit| (forfeit.seat, forfeit.turn)).collect::<Vec<_>>(),
        [(0, Some(10))]
    );
    let record = room.record().await.expect("over");
    assert_eq!(record.header.options, "seats=4,lots=fixed,generations=50");
    assert_eq!(record.header.opponents.len(), 1, "one built-in opponent in two seats");
    assert!(record.turns.iter().all(|turn| turn.plays.iter().filter(|play| play.seat == 1).count() <= 1));
    arena_referee::check(&record).expect("a record like any other");
    drop(room);
    service.close().await;
    let again = place.open().await;
    assert_eq!(live(&again, &id).await.record().await, Some(record), "the same from its log");
    again.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_comes_along_to_another_game_and_is_started_anew() {
    let place = Place::new();
    let service = place.open().await;
    let owner = super::account(&service, "Ann").await;
    judged(&service, owner, "mason", mason()).await;
    let table = NewTable {
        host: by(ann()),
        game: FIRST,
        wish: RoomWish::default(),
        seat: Some(Seat(0)),
        clock: None,
        door: Door::Private,
        invited: None,
        rated: false,
        chat: true,
    };
    let id = service.open_table(table, NOW).await.expect("opened");
    let room = live(&service, &id).await;
    service.rooms().fill(&room, ann(), &Opponent::Bot(bot_name("mason")), None, NOW).await.expect("an open seat");
    let early = service.rooms().rematch(&room, ann()).await.expect_err("it goes on");
    assert_eq!(early.code(), "not_over");
    room.resign(ann(), 0, NOW).await.expect("she may");
    let record = room.record().await.expect("over");
    service.rooms().rematch(&room, ann()).await.expect("the bot is willing");
    let next = room.snapshot().next.expect("another room");
    let opened = logged(&service, &next).await.opened().clone();
    assert_eq!(opened.seats, [room.seats()[1].clone(), room.seats()[0].clone()]);
    assert!(record.starts[1].is_some(), "its start took fuel");
    assert_eq!(opened.starts, [record.starts[1], None]);
    // It moves first now, and does.
    until_asked(&service, &*live(&service, &next).await, Seat(1)).await;
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_play_on_when_all_people_have_given_up_and_nobody_looks() {
    let place = Place::new();
    let service = place.open().await;
    let game = Game::named("game-of-game-of-life").expect("a game");
    let table = NewTable {
        host: by(ann()),
        game,
        wish: RoomWish { seats: Some(3), turns: Some(50), ..RoomWish::default() },
        seat: None,
        clock: None,
        door: Door::Private,
        invited: None,
        rated: false,
        chat: true,
    };
    let id = service.open_table(table, NOW).await.expect("opened");
    let room = live(&service, &id).await;
    service.rooms().fill(&room, ann(), &Opponent::Baseline("greedy".into()), None, NOW).await.expect("open seats");
    room.resign(ann(), 0, NOW).await.expect("she may");
    let over = until(room.watch(), |shown| shown.over()).await;
    assert_eq!((over.view.forfeits.len(), over.view.outcome.is_some()), (1, true));
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_stand_still_without_a_server_go_on_unasked_and_who_is_gone_loses() {
    let place = Place::new();
    let service = place.open().await;
    let (id, room, _) = people(&service, Some(Clock::Turn { ms: CLOCK_MS_MIN })).await;
    let known = logged(&service, &id).await;
    room.play(ann(), command(&known, Seat(0)), NOW).await.expect("in time");
    drop(room);
    service.close().await;
    place.clock.advance(Duration::from_secs(3_600));
    let again = place.open().await;
    assert_eq!(again.figures().await.expect("readable").rooms, 1, "in memory, although nobody looked");
    let room = live(&again, &id).await;
    let whole = Some(CLOCK_MS_MIN.into());
    assert_eq!(room.snapshot().left_ms(), [whole, whole], "nobody's ran");
    place.clock.advance(Duration::from_millis(CLOCK_MS_MIN.into()) - Duration::from_millis(1));
    assert_eq!(room.snapshot().left_ms(), [whole, Some(1)], "hers begins with her turn");
    assert!(!room.snapshot().over());
    // The flag is looked for a moment after its time.
    place.clock.advance(Duration::from_millis(2));
    let over = until(room.watch(), |shown| shown.over()).await;
    assert_eq!(over.view.outcome.as_ref().and_then(|outcome| outcome.winner), Some(0));
    assert_eq!(over.view.forfeits[0].code.as_str(), "out_of_time");
    let finished = room.finished().await.expect("over");
    assert!(finished.elapsed_ms.is_some_and(|ms| ms >= CLOCK_MS_MIN.into()), "{finished:?}");
    let record = room.record().await.expect("over");
    arena_referee::check(&record).expect("a record like any other");
    again.close().await;
}
