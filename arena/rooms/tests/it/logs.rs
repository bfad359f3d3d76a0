//! A log makes the room, and only a whole log does.

use arena_record::{Bytes, EntrantId, ForfeitCode};
use arena_rooms::{BadLog, Event, IllegalEvent, Opened, ParseEventError, Room, Seated};
use arena_rules::Seat;
use arena_rules::conquerors::Action;
use arena_wire::UnknownGame;
use arena_wire::conquerors::Observation;

use crate::table::{
    ANN, BOB, With, after, ann_and_bob, ann_and_easy, answered, baseline_action, board, command, easy, opened,
    played_out, reread,
};

/// A finished log, and one that ends with a resignation.
fn logs() -> Vec<Vec<Event>> {
    let whole = played_out(2).pop().expect("a room");
    let early = played_out(3).remove(3);
    let event = Event::Resigned { ply: 3, seat: 1 };
    [whole, early.with(event).expect("Bob is asked")].map(|room| room.log().collect()).to_vec()
}

#[test]
fn every_prefix_is_the_room_at_that_point() {
    let rooms = played_out(4);
    let log = reread(rooms.last().expect("a room").log());
    assert_eq!(log.len(), rooms.len());
    for (number, live) in rooms.iter().enumerate() {
        let rebuilt: Room = Room::from_log(log[..=number].iter().cloned()).expect("a prefix");
        assert_eq!(rebuilt, *live);
        assert_eq!(rebuilt.record().is_some(), number + 1 == rooms.len());
    }
    let nothing = Room::from_log([] as [Event; 0]) as Result<Room, BadLog>;
    assert_eq!(nothing, Err(BadLog { at: 0, why: IllegalEvent::NotOpened }));
}

#[test]
fn a_log_with_an_event_removed_doubled_or_moved_is_refused() {
    for log in logs() {
        let refused = |changed: Vec<Event>| Room::from_log(changed) as Result<Room, BadLog>;
        assert!(refused(log.clone()).is_ok());
        for at in 0..log.len() {
            let mut removed = log.clone();
            removed.remove(at);
            // Without its last event a log is what it was before that.
            assert_eq!(refused(removed).is_ok(), at + 1 == log.len(), "event {at} removed");
            let mut doubled = log.clone();
            doubled.insert(at, log[at].clone());
            assert_eq!(refused(doubled).map_err(|bad| bad.at).err(), Some(at + 1), "event {at} doubled");
            for other in at + 1..log.len() {
                let mut swapped = log.clone();
                swapped.swap(at, other);
                assert_eq!(refused(swapped).map_err(|bad| bad.at).err(), Some(at), "{at} and {other} exchanged");
                let mut repeated = log.clone();
                repeated.insert(other + 1, log[at].clone());
                assert_eq!(refused(repeated).map_err(|bad| bad.at).err(), Some(other + 1), "{at} again after {other}");
            }
        }
    }
}

#[test]
fn events_that_nobody_can_have_made_are_refused() {
    let start = ann_and_easy();
    let later = after(&start, ANN, &command(0, 1, &Action::Skip));
    let skip = |ply, seat, fuel, client_seq| {
        let action = Bytes(vec![1, 3, 0]);
        Event::Played { ply, seat, action, fuel, client_seq }
    };
    let forfeited = |ply, seat, code| Event::Forfeited { ply, seat, code, detail: "".into() };
    type Check = fn(&IllegalEvent) -> bool;
    let role: Check = |why| matches!(why, IllegalEvent::Role { .. });
    let ply: Check = |why| matches!(why, IllegalEvent::Ply { .. });
    let not_asked: Check = |why| matches!(why, IllegalEvent::NotAsked(_));
    let action: Check = |why| matches!(why, IllegalEvent::Action { .. });
    let place_nothing = Bytes(vec![1, 1, 0]);
    let cases: [(&Room, Event, Check); 17] = [
        (&start, skip(0, 0, None, None), role),
        (&start, skip(0, 0, Some(3), Some(1)), role),
        (&later, skip(1, 1, None, Some(1)), role),
        (&start, skip(1, 0, None, Some(1)), ply),
        (&later, skip(0, 0, None, Some(1)), ply),
        (&start, skip(0, 1, None, None), not_asked),
        (&start, skip(0, 200, None, None), not_asked),
        (&start, Event::Played { ply: 0, seat: 0, action: Bytes(vec![]), fuel: None, client_seq: Some(1) }, action),
        (&start, Event::Played { ply: 0, seat: 0, action: place_nothing, fuel: None, client_seq: Some(1) }, action),
        (&start, forfeited(Some(0), 0, ForfeitCode::Trap), role),
        (&start, forfeited(None, 0, ForfeitCode::Trap), role),
        (&later, forfeited(Some(1), 1, ForfeitCode::Resigned), role),
        (&later, forfeited(Some(2), 1, ForfeitCode::Trap), ply),
        (&later, forfeited(None, 1, ForfeitCode::Trap), ply),
        (&later, Event::Resigned { ply: 1, seat: 1 }, role),
        (&later, Event::Resigned { ply: 0, seat: 0 }, ply),
        (&later, Event::Resigned { ply: 1, seat: 9 }, not_asked),
    ];
    for (room, event, expected) in cases {
        let why = room.with(event.clone()).expect_err("refused");
        assert!(expected(&why), "{event:?}: {why:?}");
    }
    assert_eq!(later.with(Event::Opened(Box::new(later.opened().clone()))), Err(IllegalEvent::OpenedTwice));
}

#[test]
fn openings_that_make_no_game_are_refused() {
    let refused = |change: &dyn Fn(&mut Opened)| {
        let mut changed = opened([Seated::Person(ANN), easy()]);
        change(&mut changed);
        (Room::open(changed) as Result<Room, _>).expect_err("refused")
    };
    let unknown = refused(&|opened| opened.ruleset = "conquerors@3".into());
    assert_eq!(unknown, IllegalEvent::Unknown(UnknownGame::Ruleset("conquerors@3".into())));
    let options = refused(&|opened| opened.options = "weighted_majority,chain_needs_home".into());
    assert!(matches!(options, IllegalEvent::Unknown(UnknownGame::Options { .. })));
    let study = refused(&|opened| opened.options = "chain_needs_home,weighted_majority,shared_home".into());
    assert_eq!(study, IllegalEvent::ForStudy);
    let v1 = Opened { options: String::new(), ..opened([Seated::Person(ANN), easy()]) };
    assert!((Room::open(v1) as Result<Room, _>).is_ok(), "people may play options that count for no standings");
    let from_seed = refused(&|opened| opened.options = "chain_needs_home,weighted_majority,opening=symmetric:8".into());
    assert_eq!(from_seed, IllegalEvent::StartsFromSeed);
    assert_eq!(refused(&|opened| opened.seats.push(easy())), IllegalEvent::Seats { seats: 2, found: 3 });
    assert_eq!(refused(&|opened| opened.starts.truncate(1)), IllegalEvent::Seats { seats: 2, found: 1 });
    assert!(matches!(refused(&|opened| opened.starts[0] = Some(1)), IllegalEvent::Role { seat: Seat(0), .. }));
    let person = Seated::Contender(EntrantId::of_person(BOB.0));
    assert!(matches!(refused(&|opened| opened.seats[1] = person.clone()), IllegalEvent::Role { seat: Seat(1), .. }));
}

#[test]
fn one_line_stands_for_an_event() {
    let room = answered(&after(&ann_and_easy(), ANN, &command(0, 1, &Action::Skip)), Seat(1));
    let forfeited =
        Event::Forfeited { ply: None, seat: 1, code: ForfeitCode::StackOverflow, detail: "é \"\n\u{1}".into() };
    let events = room.log().chain([forfeited, Event::Resigned { ply: 65535, seat: 255 }]);
    for event in events {
        let line = event.to_line();
        assert_eq!(Event::parse(&line).expect(&line), event);
        assert_eq!(line.lines().count(), 1);
        assert!(line.starts_with("{\"event\":\"") && line.ends_with("}\n"), "{line}");
        let respelt = [
            line.trim_end().to_owned(),
            format!(" {line}"),
            line.replacen("\":", "\": ", 1),
            line.replacen(",\"", ", \"", 1),
            format!("{},\"extra\":1}}\n", line.trim_end().trim_end_matches('}')),
            line.replacen("{\"event\":", "{\"extra\":null,\"event\":", 1),
            line.replacen("\"seat\":", "\"seat\":0,\"seat\":", 1),
            line.replacen("null", "", 1),
            line.replacen(",\"fuel\":null", "", 1),
            line.replacen("arena-room/1", "arena-room/2", 1),
            line.replacen("person:a1", "person:A1", 1),
            line.replacen("\"room\":\"01", "\"room\":\"0g", 1),
            line.replacen("\"played\"", "\"ended\"", 1),
        ];
        for respelt in respelt.into_iter().filter(|respelt| *respelt != line) {
            assert!(Event::parse(&respelt).is_err(), "{respelt}");
        }
        // Every proper prefix is torn, as a crash may leave the last line of a file.
        for end in (0..line.len()).filter(|end| line.is_char_boundary(*end)) {
            assert!(Event::parse(&line[..end]).is_err());
        }
    }
    let swapped = "{\"event\":\"resigned\",\"seat\":0,\"ply\":0}\n";
    assert!(matches!(Event::parse(swapped), Err(ParseEventError::NotCanonical)));
}

#[test]
fn a_contender_is_brought_back_by_what_it_was_shown() {
    let mut room = ann_and_easy();
    let mut shown: Vec<Vec<u8>> = Vec::new();
    let mut rng = arena_rules::Rng::new(&[8; 32], 0);
    while room.outcome().is_none() {
        let turn = crate::table::any_turn(board(&room), &mut rng);
        room = after(&room, ANN, &command(room.ply(), 1, &turn));
        if let Some(observation) = room.observation(Seat(1)) {
            shown.push(observation);
            room = answered(&room, Seat(1));
        }
    }
    let rebuilt: Room = Room::from_log(reread(room.log())).expect("its own log");
    let exchanges = rebuilt.exchanges(Seat(1));
    assert_eq!(
        exchanges.iter().map(|exchange| &exchange.observation).collect::<Vec<_>>(),
        shown.iter().collect::<Vec<_>>()
    );
    for exchange in &exchanges {
        let observation = Observation::decode(&exchange.observation).expect("an observation");
        assert_eq!(observation.seat, Seat(1));
        assert_eq!(baseline_action(&observation), exchange.action);
    }
    assert!(exchanges.len() > 3, "a game of {} turns", exchanges.len());
    assert!(ann_and_bob().exchanges(Seat(0)).is_empty());
}
