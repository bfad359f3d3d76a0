//! Rooms that people find and join: seats, clocks, draws, and what a log of theirs holds.

use arena_record::{EntrantId, ForfeitCode, Hex};
use arena_rooms::{
    BadLog, Bot, CLOCK_MS_MAX, CLOCK_MS_MIN, Clock, Door, Event, IllegalEvent, JOINS_MAX, Logged, Newcomer, Opened,
    PersonId, Proposal, Rejected, Room, RoomCode, Seated, Seating, Table,
};
use arena_rules::conquerors::Action;
use arena_rules::{Reason, Rng, Seat};
use proptest::prelude::*;

use crate::table::{ANN, BOB, STRANGER, With, any_turn, board, command, easy, home_block, opened};
use crate::toy::{Toy, toy_opened};

const LOT: Hex<32> = Hex([9; 32]);

fn table(clock: Option<Clock>) -> Table {
    Table {
        host: ANN,
        programs: Vec::new(),
        door: Door::Private,
        code: RoomCode::of([1; RoomCode::CHARS]),
        invited: None,
        seating: Seating::Chosen,
        clock,
        rated: true,
        chat: true,
    }
}

/// A person in no browser that is known.
fn by(person: PersonId) -> Newcomer {
    Newcomer { person, program: false, browser: None }
}

/// A person in the browser with this number.
fn in_browser(person: PersonId, number: u8) -> Newcomer {
    Newcomer { browser: Some(Hex([number; 32])), ..by(person) }
}

fn program(person: PersonId) -> Newcomer {
    Newcomer { program: true, ..by(person) }
}

/// Ann waits for somebody.
fn waiting(clock: Option<Clock>) -> Room {
    let seats = [Seated::Person(ANN), Seated::Open];
    Room::open(Opened { table: Some(table(clock)), ..opened(seats) }).expect("a game of this release")
}

/// A room with its log as a store has it.
#[derive(Clone)]
struct Held {
    room: Room,
    lines: Vec<String>,
}

impl Held {
    fn new(room: Room) -> Held {
        let first = Event::Opened(Box::new(room.opened().clone())).to_line();
        Held { room, lines: vec![first] }
    }

    /// Ann and Bob at the board.
    fn begun(clock: Option<Clock>) -> Held {
        let mut held = Held::new(waiting(clock));
        held.does(0, |room| room.join(by(BOB), None, LOT)).expect("a seat is open");
        held
    }

    fn takes(&mut self, spent_ms: u64, event: Event) -> Result<(), IllegalEvent> {
        let next = self.room.next(event, spent_ms)?;
        self.lines.push(next.logged().to_line());
        self.room.advance(next);
        Ok(())
    }

    fn does(&mut self, spent_ms: u64, propose: impl Fn(&Room) -> Result<Proposal, Rejected>) -> Result<(), Rejected> {
        if let Proposal::Append(event) = propose(&self.room)? {
            self.takes(spent_ms, event).expect("it was proposed");
        }
        Ok(())
    }

    fn plays(&mut self, spent_ms: u64, person: PersonId, action: &Action) -> Result<(), Rejected> {
        self.does(spent_ms, |room| room.propose(person, &command(room.ply(), u64::from(room.ply()), action)))
    }

    fn again(&self) -> Result<Room, BadLog> {
        Room::from_log(self.lines.iter().map(|line| Logged::parse(line).expect(line)))
    }
}

#[test]
fn a_game_starts_when_the_last_seat_is_taken_and_not_before() {
    let mut held = Held::new(waiting(None));
    assert_eq!((held.room.has_started(), held.room.awaiting().count()), (false, 0));
    let early = held.plays(0, ANN, &home_block(3));
    assert_eq!(early, Err(Rejected::NotStarted));
    let refused = |propose: Result<Proposal, Rejected>| propose.expect_err("refused");
    assert_eq!(refused(held.room.resign(ANN, 0)), Rejected::NotStarted);
    assert_eq!(refused(held.room.draw(ANN, 0)), Rejected::NotStarted);
    assert_eq!(refused(held.room.join(by(ANN), None, LOT)), Rejected::AlreadySeated);
    assert_eq!(refused(held.room.join(by(BOB), Some(Seat(0)), LOT)), Rejected::SeatTaken);
    assert_eq!(refused(held.room.join(program(BOB), None, LOT)), Rejected::ProgramInRated);
    assert_eq!(refused(held.room.leave(ANN)), Rejected::HostStays);
    assert_eq!(refused(held.room.leave(BOB)), Rejected::NotYourSeat);
    held.does(5, |room| room.join(by(STRANGER), Some(Seat(1)), LOT)).expect("it is open");
    assert_eq!(held.room.seats(), [Seated::Person(ANN), Seated::Person(STRANGER)]);
    assert_eq!(refused(held.room.join(by(BOB), None, LOT)), Rejected::RoomTaken);
    assert_eq!(refused(held.room.leave(STRANGER)), Rejected::Started);
    held.plays(5, ANN, &home_block(3)).expect("now she may");
    assert_eq!(held.again().as_ref(), Ok(&held.room));
}

#[test]
fn seats_are_drawn_by_the_lot_in_the_log_and_both_ways_come_up() {
    let mut firsts = Vec::new();
    for lot in 0..16 {
        let drawn = Table { seating: Seating::Drawn, ..table(None) };
        let room = Room::open(Opened { table: Some(drawn), ..opened([Seated::Person(ANN), Seated::Open]) });
        let mut held = Held::new(room.expect("a room"));
        held.does(0, |room| room.join(by(BOB), Some(Seat(0)), Hex([lot; 32]))).expect("no seat is chosen");
        assert_eq!(held.again().as_ref(), Ok(&held.room));
        firsts.push(held.room.seats()[0].clone());
        let unlucky = Event::Joined { seat: 1, person: BOB, program: false, browser: None, lot: None };
        assert!(waiting(None).with(unlucky).is_ok(), "seats that are chosen need no lot");
    }
    assert!(firsts.contains(&Seated::Person(ANN)) && firsts.contains(&Seated::Person(BOB)), "{firsts:?}");
}

fn bot(name: &str, fuel: Option<u64>) -> Bot {
    let entrant = EntrantId::of_baseline(name, 1);
    Bot { entrant, opponent: Some(Hex([7; 32])), start: fuel }
}

/// The log of a room in which no time passed, as a store has it.
fn stamped(room: &Room) -> Vec<Logged> {
    let mut again = Room::open_as::<Toy>(room.opened().clone()).expect("it was opened");
    let first = Logged::from(Event::Opened(Box::new(room.opened().clone())));
    let later = room.later().iter().map(|event| {
        again.apply(event.clone()).expect("it was applied");
        Logged { event: event.clone(), stamp: Some(again.stamp()) }
    });
    [first].into_iter().chain(later).collect()
}

#[test]
fn who_opened_a_room_puts_bots_into_its_seats_and_the_last_one_begins_the_game() {
    let table = |seating| Table { seating, rated: false, ..table(None) };
    let seats = [Seated::Open, Seated::Person(ANN), Seated::Open, Seated::Open];
    let open = |seating| -> Room {
        Room::open_as::<Toy>(Opened { table: Some(table(seating)), ..toy_opened(&seats, 7) }).expect("a room")
    };
    let put = |room: &Room, who, bot, seat| match room.seat_bot(who, bot, seat, LOT)? {
        Proposal::Append(event) => Ok(room.with(event).expect("it was proposed")),
        Proposal::AlreadyApplied => panic!("each is a new one"),
    };
    let chosen = open(Seating::Chosen);
    assert_eq!(put(&chosen, BOB, bot("easy", None), None), Err(Rejected::NotHost));
    assert_eq!(put(&chosen, ANN, bot("easy", None), Some(Seat(1))), Err(Rejected::SeatTaken));
    let one = put(&chosen, ANN, bot("easy", Some(5)), Some(Seat(2))).expect("open");
    let two = put(&one, ANN, bot("hard", None), None).expect("open");
    assert!(!two.has_started() && two.seats()[3] == Seated::Open);
    let begun = put(&two, ANN, bot("easy", Some(5)), None).expect("open");
    assert!(begun.has_started());
    assert_eq!(put(&begun, ANN, bot("easy", None), None), Err(Rejected::Started));
    let mut over = begun.clone();
    for seat in [0, 1, 2, 3] {
        let event = match over.seats()[seat as usize] {
            Seated::Contender(_) => {
                Event::Forfeited { ply: Some(over.ply()), seat, code: ForfeitCode::Trap, detail: String::new() }
            }
            _ => Event::Resigned { ply: over.ply(), seat },
        };
        over.apply(event).expect("its turn, or a person's word");
    }
    let record = over.record().expect("nobody is left");
    assert_eq!((record.starts.as_slice(), record.header.opponents.len()), (&[None, None, Some(5), Some(5)][..], 2));
    assert_eq!(Room::from_log_as::<Toy>(stamped(&over)), Ok(over));

    // By lot, everybody at the board is drawn, with what its start took.
    let drawn = open(Seating::Drawn);
    let full = ["easy", "easy", "hard"]
        .into_iter()
        .fold(drawn, |room, name| put(&room, ANN, bot(name, (name == "hard").then_some(9)), None).expect("open"));
    let hard = full.seats().iter().position(|seated| *seated == Seated::Contender(EntrantId::of_baseline("hard", 1)));
    assert_eq!(full.seats_of(ANN).count(), 1);
    let mut over = full.clone();
    over.apply(Event::Resigned { ply: 0, seat: full.seats_of(ANN).next().expect("she sits").0 }).expect("she may");
    loop {
        let Some(seat) = over.awaiting().next() else { break };
        let (ply, code) = (Some(over.ply()), ForfeitCode::Trap);
        over.apply(Event::Forfeited { ply, seat: seat.0, code, detail: String::new() }).expect("its turn");
    }
    let starts = over.record().expect("nobody is left").starts;
    assert_eq!(starts.iter().position(Option::is_some), hard);
    assert_eq!(Room::from_log_as::<Toy>(stamped(&full)), Ok(full));

    let rated = Table { rated: true, ..table(Seating::Chosen) };
    let rated = Room::open_as::<Toy>(Opened { table: Some(rated), ..toy_opened(&seats, 7) }).expect("a room");
    assert_eq!(put(&rated, ANN, bot("easy", None), None), Err(Rejected::ProgramInRated));
    let other = Bot { opponent: Some(Hex([8; 32])), ..bot("easy", None) };
    let Bot { entrant, opponent, start } = other;
    let event = |entrant, opponent| Event::Filled { seat: 0, entrant, opponent, start, lot: None };
    for wrong in [
        event(entrant.clone(), opponent),
        event(entrant, None),
        event(EntrantId::of_person(ANN.0), None),
        Event::Filled { seat: 2, entrant: EntrantId::of_baseline("hard", 1), opponent, start, lot: None },
    ] {
        assert!(one.with(wrong.clone()).is_err(), "{wrong:?}");
    }
}

#[test]
fn browsers_go_with_those_who_came_in_them() {
    let (of_ann, of_bob) = (Some(Hex([1; 32])), Some(Hex([2; 32])));
    for lot in 0..8 {
        let drawn = Table { seating: Seating::Drawn, ..table(None) };
        let seats = [Seated::Person(ANN), Seated::Open];
        let room = Room::open(Opened { table: Some(drawn), browsers: vec![of_ann, None], ..opened(seats) });
        let mut held = Held::new(room.expect("a room"));
        held.does(0, |room| room.join(in_browser(BOB, 2), None, Hex([lot; 32]))).expect("a seat is open");
        let swapped = held.room.seats()[0] == Seated::Person(BOB);
        assert_eq!(held.room.browsers(), if swapped { [of_bob, of_ann] } else { [of_ann, of_bob] });
        assert_eq!(held.again().as_ref(), Ok(&held.room));
        held.does(0, |room| room.resign(ANN, 0)).expect("she may");
        let finished = held.room.finished().expect("over");
        assert_eq!((finished.rated, finished.browsers.as_slice()), (true, held.room.browsers()));
    }
    let seats = [Seated::Person(ANN), Seated::Open, Seated::Open];
    let table = Table { rated: false, ..table(None) };
    let mut three = Room::open_as::<Toy>(Opened { table: Some(table), ..toy_opened(&seats, 7) }).expect("a room");
    for (newcomer, browser) in [(in_browser(BOB, 2), of_bob), (program(BOB), None)] {
        let Ok(Proposal::Append(event)) = three.join(newcomer, Some(Seat(2)), LOT) else { panic!("it is open") };
        three = three.with(event).expect("it was proposed");
        assert_eq!(three.browsers(), [None, None, browser]);
        three = three.with(Event::Left { seat: 2 }).expect("the game has not begun");
        assert_eq!(three.browsers(), [None; 3]);
    }
    let both = Event::Joined { seat: 2, person: BOB, program: true, browser: of_bob, lot: None };
    assert!(three.with(both).is_err(), "a program has no browser");
}

#[test]
fn who_is_invited_joins_and_nobody_else() {
    let table = Table { invited: Some(BOB), ..table(None) };
    let seats = [Seated::Person(ANN), Seated::Open];
    let room: Room = Room::open(Opened { table: Some(table), ..opened(seats) }).expect("a room");
    assert_eq!(room.join(by(STRANGER), None, LOT), Err(Rejected::NotInvited));
    let Ok(Proposal::Append(event)) = room.join(by(BOB), None, LOT) else { panic!("he is invited") };
    assert!(room.with(event).expect("it was proposed").has_started());
}

#[test]
fn a_game_with_a_bot_counts_when_the_person_came_in_a_browser() {
    let room = |browsers| Room::open(Opened { browsers, ..opened([Seated::Person(ANN), easy()]) }) as Result<Room, _>;
    assert!(!room(Vec::new()).expect("a room").is_rated(), "a program's");
    assert!(room(vec![Some(Hex([1; 32])), None]).expect("a room").is_rated());
    for bad in [vec![None, Some(Hex([1; 32]))], vec![Some(Hex([1; 32]))]] {
        assert!(room(bad).is_err(), "a bot has no browser, and each seat its place");
    }
}

#[test]
fn a_game_by_other_rules_never_counts_whatever_its_table_says() {
    let of_ann = vec![Some(Hex([1; 32])), None];
    let with = |options: &str, table, seats| {
        let opened = Opened { options: options.into(), browsers: of_ann.clone(), table, ..opened(seats) };
        let room: Room = Room::open(opened).expect("a room");
        room.is_rated()
    };
    let usual = opened([easy(), easy()]).options;
    for (options, counts) in [(usual.as_str(), true), ("", false)] {
        assert_eq!(with(options, None, [Seated::Person(ANN), easy()]), counts, "against a bot, {options:?}");
        let people = [Seated::Person(ANN), Seated::Open];
        assert_eq!(with(options, Some(table(None)), people), counts, "at a table, {options:?}");
    }
}

#[test]
fn a_clock_for_the_game_runs_for_who_is_asked_and_adds_its_increment() {
    let mut held = Held::begun(Some(Clock::Game { ms: 60_000, increment_ms: 2_000 }));
    assert_eq!(held.room.stamp().left_ms, [Some(60_000), Some(60_000)]);
    held.plays(10_000, ANN, &home_block(3)).expect("in time");
    assert_eq!(held.room.stamp().left_ms, [Some(52_000), Some(60_000)]);
    held.plays(59_999, BOB, &home_block(24)).expect("just in time");
    assert_eq!(held.room.stamp().left_ms, [Some(52_000), Some(2_001)]);
    assert_eq!((held.room.flag_in_ms(), held.room.flagged(51_999)), (Some(52_000), None));
    let seat = held.room.flagged(52_000).expect("her time is up");
    assert!(held.room.next(held.room.flag(seat), 51_999).is_err(), "a millisecond too early");
    let late = held.room.propose(ANN, &command(2, 9, &home_block(5))).expect("time comes in with the event");
    let Proposal::Append(late) = late else { panic!("{late:?}") };
    assert!(held.room.next(late, 52_000).is_err(), "a turn without time");
    held.takes(52_000, held.room.flag(seat)).expect("her time is up");
    assert_eq!(held.room.forfeits()[0].code, ForfeitCode::OutOfTime);
    assert_eq!(held.room.outcome().expect("over").winner, Some(Seat(1)));
    let finished = held.room.finished().expect("over");
    assert_eq!((finished.elapsed_ms, finished.rated, finished.turns), (Some(121_999), true, 2));
    assert_eq!(held.again().as_ref(), Ok(&held.room));
    arena_referee::check(&held.room.record().expect("over")).expect("a record like any other");
}

#[test]
fn a_clock_for_the_turn_begins_anew_and_bots_have_none() {
    let mut held = Held::begun(Some(Clock::Turn { ms: 10_000 }));
    for turn in 0..3 {
        let person = if turn % 2 == 0 { ANN } else { BOB };
        held.plays(9_000, person, &home_block([3, 24, 6][turn])).expect("in time");
        assert_eq!(held.room.stamp().left_ms, [Some(10_000), Some(10_000)]);
    }
    let with_bot =
        Opened { table: Some(table(Some(Clock::Turn { ms: 10_000 }))), ..opened([Seated::Person(ANN), easy()]) };
    let room: Room = Room::open(with_bot).expect("a room");
    assert_eq!(room.stamp().left_ms, [Some(10_000), None]);
    assert_eq!(room.draw(ANN, 0), Err(Rejected::BotsAgreeToNothing));
}

#[test]
fn a_draw_takes_both_and_an_offer_lapses_when_the_other_plays() {
    let mut held = Held::begun(None);
    held.does(0, |room| room.draw(BOB, 0)).expect("off turn, too");
    assert_eq!(held.room.draw(BOB, 0), Ok(Proposal::AlreadyApplied));
    held.plays(0, ANN, &home_block(3)).expect("she declines by playing");
    assert_eq!(held.room.draw(ANN, 0), Err(Rejected::StalePly { current: 1 }));
    held.does(0, |room| room.draw(ANN, 1)).expect("an offer");
    assert_eq!(held.room.outcome(), None, "Bob's offer has lapsed");
    let alone = Event::Drawn { ply: 1, seat: 0 };
    assert!(held.room.with(alone).is_err(), "nobody agrees with itself");
    held.does(7, |room| room.draw(BOB, 1)).expect("he agrees");
    let outcome = held.room.outcome().expect("over");
    assert_eq!((outcome.winner, outcome.reason), (None, Reason::Agreed));
    assert_eq!(held.room.draw(BOB, 1), Err(Rejected::GameOver));
    assert_eq!(held.again().as_ref(), Ok(&held.room));
    arena_referee::check(&held.room.record().expect("over")).expect("a record like any other");
}

#[test]
fn an_offer_of_a_draw_is_declined_by_another_and_not_made_again_in_the_same_turn() {
    let mut held = Held::begun(None);
    assert_eq!(held.room.decline_draw(ANN, 0), Ok(Proposal::AlreadyApplied), "there is no offer");
    assert!(held.room.with(Event::DrawDeclined { ply: 0, seat: 0 }).is_err());
    held.does(0, |room| room.draw(BOB, 0)).expect("an offer");
    assert_eq!(held.room.decline_draw(BOB, 0), Ok(Proposal::AlreadyApplied), "one's own offer stands");
    assert!(held.room.with(Event::DrawDeclined { ply: 0, seat: 1 }).is_err());
    held.does(0, |room| room.decline_draw(ANN, 0)).expect("no, thanks");
    assert_eq!(held.room.view().offers, []);
    assert_eq!(held.room.draw(BOB, 0), Ok(Proposal::AlreadyApplied), "once a turn");
    held.does(0, |room| room.draw(ANN, 0)).expect("an offer of her own");
    assert_eq!(held.room.outcome(), None, "what was declined is no agreement");
    held.plays(0, ANN, &home_block(3)).expect("she plays on");
    assert_eq!(held.room.decline_draw(BOB, 0), Err(Rejected::StalePly { current: 1 }));
    assert_eq!(held.again().as_ref(), Ok(&held.room));
}

#[test]
fn a_number_is_for_one_command_of_a_turn() {
    let mut held = Held::begun(None);
    let first = command(0, 5, &home_block(3));
    held.does(0, |room| room.propose(ANN, &first)).expect("legal");
    assert_eq!(held.room.propose(ANN, &first), Ok(Proposal::AlreadyApplied));
    assert_eq!(held.room.propose(ANN, &command(0, 5, &Action::Skip)), Err(Rejected::StaleSequence));
    assert_eq!(held.room.propose(ANN, &command(0, 6, &Action::Skip)), Err(Rejected::StalePly { current: 1 }));
}

#[test]
fn joining_and_leaving_keeps_room_for_the_game() {
    let seats = [Seated::Person(ANN), Seated::Open, Seated::Open];
    let mut room = Room::open_as::<Toy>(Opened { table: Some(table(None)), ..toy_opened(&seats, 7) }).expect("a toy");
    let mut joins = 0;
    let refused = loop {
        match room.join(by(BOB), None, LOT) {
            Ok(Proposal::Append(event)) => room = room.with(event).expect("it was proposed"),
            other => break other,
        }
        joins += 1;
        let Ok(Proposal::Append(event)) = room.leave(BOB) else { panic!("the game has not begun") };
        room = room.with(event).expect("it was proposed");
    };
    assert_eq!((joins, refused), (JOINS_MAX, Err(Rejected::RoomFull)));
}

#[test]
fn tables_that_cannot_be_are_refused() {
    let refused = |table: Option<Table>, seats: [Seated; 2]| {
        (Room::open(Opened { table, ..opened(seats) }) as Result<Room, _>).is_err()
    };
    let (ann, bob) = (Seated::Person(ANN), Seated::Person(BOB));
    assert!(refused(None, [ann.clone(), Seated::Open]), "nobody can join");
    assert!(refused(Some(table(None)), [bob.clone(), Seated::Open]), "the host has no seat");
    assert!(refused(Some(Table { programs: vec![0], ..table(None) }), [ann.clone(), Seated::Open]), "a program, rated");
    for (ms, sound) in
        [(CLOCK_MS_MIN - 1, false), (CLOCK_MS_MIN, true), (CLOCK_MS_MAX, true), (CLOCK_MS_MAX + 1, false)]
    {
        assert_eq!(refused(Some(table(Some(Clock::Turn { ms }))), [ann.clone(), Seated::Open]), !sound, "{ms}");
    }
}

#[test]
fn codes_are_what_people_type() {
    let code = RoomCode::of([0, 31, 32, 64, 255, 7]);
    assert_eq!(code.to_string(), "a9aa9h");
    assert_eq!(RoomCode::typed(" A9AA9H "), Ok(code));
    for bad in ["", "a9aa9", "a9aa9hh", "a9aa9l", "a9aa9é"] {
        assert!(RoomCode::typed(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_line_has_its_stamp_in_one_spelling() {
    let held = Held::begun(Some(Clock::Turn { ms: 5_000 }));
    let line = &held.lines[1];
    let wanted = format!(
        "{{\"event\":\"joined\",\"seat\":1,\"person\":\"b2b2b2b2b2b2b2b2\",\"stamp\":{{\"digest\":\"{}\",\"elapsed_ms\":0,\"left_ms\":[5000,5000]}}}}\n",
        held.room.digest()
    );
    assert_eq!(*line, wanted);
    for bad in [
        line.replace("\"elapsed_ms\":0", "\"elapsed_ms\":00"),
        line.replace("\"stamp\"", "\"program\":false,\"stamp\""),
    ] {
        assert!(Logged::parse(&bad).is_err(), "{bad}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Two people at random: what is in the log makes the same room, a log with a stamp changed or left out makes none,
    /// and time is neither lost nor found.
    #[test]
    fn the_log_of_people_is_the_room(seed: [u8; 32], game: bool, changed in 1_usize..60) {
        let clock = if game { Clock::Game { ms: 30_000, increment_ms: 1_000 } } else { Clock::Turn { ms: 8_000 } };
        let mut rng = Rng::new(&seed, 0);
        let mut held = Held::begun(Some(clock));
        let mut spent = 0;
        while held.room.outcome().is_none() {
            let spent_ms = u64::from(rng.below(6_000));
            let person = [ANN, BOB][rng.below(2) as usize];
            let ply = held.room.ply();
            if let Some(seat) = held.room.flagged(spent_ms) {
                held.takes(spent_ms, held.room.flag(seat)).expect("time is up");
            } else {
                let action = any_turn(board(&held.room), &mut rng);
                let done = match rng.below(20) {
                    0 => held.does(spent_ms, |room| room.draw(person, ply)),
                    2 => held.does(spent_ms, |room| room.decline_draw(person, ply)),
                    1 if rng.below(8) == 0 => held.does(spent_ms, |room| room.resign(person, ply)),
                    _ => held.plays(spent_ms, person, &action),
                };
                if done.is_err() || held.room.stamp().elapsed_ms == spent {
                    continue;
                }
            }
            spent = held.room.stamp().elapsed_ms;
        }
        prop_assert_eq!(&held.again().expect("its own log"), &held.room);
        let at = changed % held.lines.len();
        let mut other = held.clone();
        if at > 0 {
            let mut line = Logged::parse(&other.lines[at]).expect("a line");
            if let Some(Some(left)) = line.stamp.as_mut().and_then(|stamp| stamp.left_ms.first_mut()) {
                *left += 1;
            }
            other.lines[at] = line.to_line();
            prop_assert!(other.again().is_err(), "a stamp that does not follow");
            line.stamp = None;
            other.lines[at] = line.to_line();
            prop_assert!(other.again().is_err(), "a stamp that is missing");
        }
    }
}

/// What a setting of the environment says: how many schedules are tried, or which.
fn setting(name: &str, otherwise: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A person's page: it says its command again, over either of two ways, until it hears of it.
struct Page {
    person: PersonId,
    next_seq: u64,
    /// What is not answered yet.
    open: Option<arena_rooms::Command>,
}

/// What is under way in a network that loses, repeats and reorders.
enum Packet {
    Command(usize, arena_rooms::Command),
    /// Of a command of this ply and number: that it is in the log, or will never be.
    Answer(usize, u16, u64),
}

#[test]
fn whatever_the_network_does_each_command_is_in_the_log_once() {
    for schedule in 0..setting("ARENA_SCHEDULES", 300) {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&schedule.to_le_bytes());
        seed[4..8].copy_from_slice(&setting("ARENA_SCHEDULE_SEED", 1).to_le_bytes());
        let mut rng = Rng::new(&seed, 0);
        let mut held = Held::begun(None);
        let mut pages = [ANN, BOB].map(|person| Page { person, next_seq: 0, open: None });
        let mut network: Vec<Packet> = Vec::new();
        let mut acknowledged: Vec<(PersonId, u16, u64)> = Vec::new();
        for _ in 0..400 {
            if held.room.outcome().is_some() {
                break;
            }
            let at = rng.below(2) as usize;
            match (rng.below(4), network.len() as u32) {
                // A page makes a turn when it is asked, or says the same again: a socket that broke, another way that
                // stands in.
                (0 | 1, waiting) if waiting < 40 => {
                    let page = &mut pages[at];
                    if page.open.is_none() && held.room.awaiting().any(|seat| seat.index() == at) {
                        page.next_seq += 1;
                        let action = any_turn(board(&held.room), &mut rng);
                        page.open = Some(command(held.room.ply(), page.next_seq, &action));
                    }
                    if let Some(open) = &page.open {
                        network.push(Packet::Command(at, open.clone()));
                    }
                }
                (_, 0) => {}
                // Something arrives, in any order; now and then it arrives again later, or never.
                (_, waiting) => {
                    let packet = network.swap_remove(rng.below(waiting) as usize);
                    let (lost, twice) = (rng.below(4) == 0, rng.below(4) == 0);
                    match packet {
                        Packet::Command(from, said) if !lost => {
                            let (ply, number) = (said.ply, said.client_seq);
                            if twice {
                                network.push(Packet::Command(from, said.clone()));
                            }
                            let person = pages[from].person;
                            if held.does(1, |room| room.propose(person, &said)).is_ok() {
                                acknowledged.push((person, ply, number));
                            }
                            network.push(Packet::Answer(from, ply, number));
                        }
                        Packet::Answer(to, ply, number) if !lost => {
                            let page = &mut pages[to];
                            if page.open.as_ref().is_some_and(|open| (open.ply, open.client_seq) == (ply, number)) {
                                page.open = None;
                            }
                        }
                        Packet::Command(..) | Packet::Answer(..) => {}
                    }
                }
            }
        }
        let log: Vec<Event> = held.room.log().collect();
        let in_log = |(person, at, number): &(PersonId, u16, u64)| {
            let is_it = |event: &&Event| {
                matches!(event, Event::Played { ply, seat, client_seq, .. }
                    if (ply, *client_seq) == (at, Some(*number)) && held.room.seats()[usize::from(*seat)] == Seated::Person(*person))
            };
            log.iter().filter(is_it).count()
        };
        assert!(held.room.ply() > 0, "schedule {schedule} comes to nothing");
        assert!(acknowledged.iter().all(|one| in_log(one) == 1), "schedule {schedule}");
        let plies: Vec<u16> = log
            .iter()
            .filter_map(|event| if let Event::Played { ply, .. } = event { Some(*ply) } else { None })
            .collect();
        assert_eq!(plies, (0..held.room.ply()).collect::<Vec<_>>(), "schedule {schedule}: each ply once");
        assert_eq!(held.again().as_ref(), Ok(&held.room), "schedule {schedule}");
    }
}
