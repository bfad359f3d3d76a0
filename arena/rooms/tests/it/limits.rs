//! Each limit at its last good value and one past it.

use arena_record::{Bytes, EntrantId, ForfeitCode, Hex};
use arena_referee::{Fault, Reply};
use arena_rooms::{
    ACTION_BYTES_MAX, BadLog, Command, DETAIL_BYTES_MAX, EVENT_BYTES_MAX, EVENTS_MAX, Event, IllegalEvent,
    NOTE_BYTES_MAX, Opened, ParseEventError, Proposal, Rejected, Room, RoomId, Seated,
};
use arena_rules::conquerors::Action;
use arena_rules::{Seat, Seats};

use crate::table::{ANN, With, after, ann_and_easy, command, easy, opened};
use crate::toy::{Toy, toy_opened};

#[test]
fn a_room_has_so_many_events_and_not_one_more() {
    let person = Seated::Person(ANN);
    let command = |ply| Command { ply, client_seq: 0, action: Bytes(vec![1]) };
    let mut room = Room::open_as::<Toy>(toy_opened(&[person], 60_000)).expect("a toy");
    for ply in 0..(EVENTS_MAX - 1) as u16 {
        let Ok(Proposal::Append(event)) = room.propose(ANN, &command(ply)) else { panic!("refused in turn {ply}") };
        room.apply(event).expect("it was proposed");
    }
    let log: Vec<Event> = room.log().collect();
    assert_eq!(log.len(), EVENTS_MAX);
    assert_eq!(Room::from_log_as::<Toy>(log.clone()).as_ref(), Ok(&room));
    let ply = room.ply();
    assert_eq!(room.propose(ANN, &command(ply)), Err(Rejected::RoomFull));
    assert_eq!(room.resign(ANN, ply), Err(Rejected::RoomFull));
    let one_more = Event::Played { ply, seat: 0, action: Bytes(vec![1]), fuel: None, client_seq: Some(0) };
    let too_long = Room::from_log_as::<Toy>(log.into_iter().chain([one_more]));
    assert_eq!(too_long, Err(BadLog { at: EVENTS_MAX, why: IllegalEvent::TooMany }));
}

#[test]
fn an_action_has_so_many_bytes_and_not_one_more() {
    let room = Room::open_as::<Toy>(toy_opened(&[Seated::Person(ANN)], 10)).expect("a toy");
    let of = |bytes: usize| Command { ply: 0, client_seq: 0, action: Bytes([&[1][..], &vec![0; bytes - 1]].concat()) };
    let Ok(Proposal::Append(event)) = room.propose(ANN, &of(ACTION_BYTES_MAX)) else { panic!("at the limit") };
    assert!(Event::parse(&event.to_line()).is_ok());
    assert!(room.with(event).is_ok());
    let error = room.propose(ANN, &of(ACTION_BYTES_MAX + 1)).expect_err("past the limit");
    assert!(matches!(&error, Rejected::BadAction(why) if why.contains("1025 bytes; 1024")), "{error}");
    let action = of(ACTION_BYTES_MAX + 1).action;
    let event = Event::Played { ply: 0, seat: 0, action, fuel: None, client_seq: Some(0) };
    assert!(matches!(room.with(event), Err(IllegalEvent::TooLong { found: 1025, .. })));
    // A contender that sends one forfeits, as in the sandbox.
    let room = Room::open_as::<Toy>(toy_opened(&[easy()], 10)).expect("a toy");
    let reply = Reply { action: of(ACTION_BYTES_MAX + 1).action.0, fuel: None };
    let event = room.answer(0, Seat(0), Ok(reply)).expect("it is asked");
    assert!(matches!(event, Event::Forfeited { code: ForfeitCode::BadOutput, .. }), "{event:?}");
}

#[test]
fn a_detail_is_cut_to_so_many_bytes() {
    let room = after(&ann_and_easy(), ANN, &command(0, 1, &Action::Skip));
    let detail_of = |detail: String| {
        let event = room.answer(1, Seat(1), Err(Fault { code: ForfeitCode::Trap, detail })).expect("it is asked");
        assert!(room.with(event.clone()).is_ok());
        let Event::Forfeited { detail, .. } = event else { panic!("{event:?}") };
        detail
    };
    assert_eq!(detail_of("x".repeat(DETAIL_BYTES_MAX)).len(), DETAIL_BYTES_MAX);
    assert_eq!(detail_of("x".repeat(DETAIL_BYTES_MAX + 1)).len(), DETAIL_BYTES_MAX);
    // Never within a character.
    assert_eq!(detail_of(format!("x{}", "é".repeat(DETAIL_BYTES_MAX / 2))).len(), DETAIL_BYTES_MAX - 1);
    let forfeited = |bytes| {
        let (code, detail) = (ForfeitCode::Trap, "x".repeat(bytes));
        room.with(Event::Forfeited { ply: Some(1), seat: 1, code, detail })
    };
    assert!(forfeited(DETAIL_BYTES_MAX).is_ok());
    assert!(matches!(forfeited(DETAIL_BYTES_MAX + 1), Err(IllegalEvent::TooLong { found: 1025, .. })));
}

#[test]
fn notes_and_ids_have_so_many_bytes_and_not_one_more() {
    type Set = fn(&mut Opened, String);
    let notes: [Set; 2] = [|opened, text| opened.semantics = text, |opened, text| opened.build = text];
    for set in notes {
        let with = |bytes: usize| {
            let mut changed = opened([Seated::Person(ANN), easy()]);
            set(&mut changed, "x".repeat(bytes));
            Room::open(changed) as Result<Room, _>
        };
        assert!(with(NOTE_BYTES_MAX).is_ok());
        assert!(matches!(with(NOTE_BYTES_MAX + 1), Err(IllegalEvent::TooLong { found: 129, .. })));
    }
    // Ruleset and options are told too long before they are told unknown.
    for (bytes, too_long) in [(NOTE_BYTES_MAX, false), (NOTE_BYTES_MAX + 1, true)] {
        for set in
            [|opened: &mut Opened, text| opened.ruleset = text, |opened: &mut Opened, text| opened.options = text]
        {
            let mut changed = opened([Seated::Person(ANN), easy()]);
            set(&mut changed, "x".repeat(bytes));
            let why = (Room::open(changed) as Result<Room, _>).expect_err("no such game");
            assert_eq!(matches!(why, IllegalEvent::TooLong { .. }), too_long, "{why}");
        }
    }
    let seated = |bytes: usize| {
        let id = EntrantId::of_baseline(&"x".repeat(bytes - "baseline:@1".len()), 1);
        Room::open(opened([Seated::Person(ANN), Seated::Contender(id)])) as Result<Room, _>
    };
    assert!(seated(NOTE_BYTES_MAX).is_ok());
    assert!(matches!(seated(NOTE_BYTES_MAX + 1), Err(IllegalEvent::TooLong { .. })));
    assert_eq!("0a".repeat(16).parse(), Ok(RoomId(Hex([10; 16]))));
    for bad in ["", "../x", &"A".repeat(32), &"0".repeat(31), &"0".repeat(33), &"é".repeat(16)] {
        assert!(bad.parse::<RoomId>().is_err(), "{bad:?}");
    }
}

#[test]
fn the_longest_events_are_read_and_not_a_byte_more() {
    let name = "x".repeat(NOTE_BYTES_MAX - "baseline:@4294967280".len());
    let worst = "\u{1}".repeat(NOTE_BYTES_MAX);
    let ids = (0..Seats::MAX).map(|seat| EntrantId::of_baseline(&name, u32::MAX - u32::from(seat)));
    let opponents = ids.clone().map(|id| (id, Hex([0xff; 32]))).collect();
    let seats: Vec<Seated> = ids.map(Seated::Contender).collect();
    let opened = Opened {
        semantics: worst.clone(),
        build: worst.clone(),
        ruleset: worst.clone(),
        options: worst,
        starts: vec![Some(u64::MAX); seats.len()],
        seats,
        opponents,
        ..opened([easy(), easy()])
    };
    let action = Bytes(vec![0xff; ACTION_BYTES_MAX]);
    let played = Event::Played { ply: u16::MAX, seat: 255, action, fuel: Some(u64::MAX), client_seq: Some(u64::MAX) };
    let (code, detail) = (ForfeitCode::FuelExhausted, "\u{1}".repeat(DETAIL_BYTES_MAX));
    let forfeited = Event::Forfeited { ply: Some(u16::MAX), seat: 255, code, detail };
    for event in [Event::Opened(Box::new(opened)), played, forfeited] {
        let line = event.to_line();
        assert_eq!(Event::parse(&line).expect("within the limit"), event);
    }
    let of = |bytes| Event::parse(&" ".repeat(bytes)).expect_err("spaces are no event");
    assert!(matches!(of(EVENT_BYTES_MAX), ParseEventError::Json(_)));
    assert!(matches!(of(EVENT_BYTES_MAX + 1), ParseEventError::TooLong(bytes) if bytes == EVENT_BYTES_MAX + 1));
}
