//! With more than two seats a forfeit is not the end: the seat drops out and the others go on.

use arena_record::{Bytes, ForfeitCode};
use arena_referee::{Fault, Reply, replay};
use arena_rooms::{Command, Event, IllegalEvent, Proposal, Rejected, Room, Seated};
use arena_rules::{Reason, Seat};

use crate::table::{ANN, With, easy, reread};
use crate::toy::{Toy, toy_opened};

fn fault() -> Fault {
    Fault { code: ForfeitCode::Trap, detail: "unreachable".into() }
}

/// Ann and two contenders, seven turns.
fn start() -> Room {
    Room::open_as::<Toy>(toy_opened(&[easy(), Seated::Person(ANN), easy()], 7)).expect("a toy")
}

fn answered(room: Room, digit: u8) -> Room {
    let seat = room.awaiting().next().expect("the game goes on");
    let reply = Reply { action: vec![digit], fuel: Some(1) };
    let event = match room.seats()[seat.index()] {
        Seated::Contender(_) => room.answer(room.ply(), seat, Ok(reply)).expect("it is asked"),
        Seated::Person(_) | Seated::Open => {
            let command = Command { ply: room.ply(), client_seq: 1, action: Bytes(vec![digit]) };
            let Ok(Proposal::Append(event)) = room.propose(ANN, &command) else { panic!("Ann is asked") };
            event
        }
    };
    room.with(event).expect("it was proposed")
}

#[test]
fn the_others_go_on() {
    let room = answered(answered(start(), 5), 6);
    let failed = room.answer(2, Seat(2), Err(fault())).expect("it is asked");
    let room = room.with(failed).expect("it was proposed");
    assert_eq!((room.ply(), room.outcome()), (3, None));
    assert!(room.turns()[2].plays.is_empty());
    assert_eq!(room.answer(3, Seat(2), Err(fault())), Err(Rejected::NotYourTurn));
    let mut room = room;
    while room.outcome().is_none() {
        assert_ne!(room.awaiting().next(), Some(Seat(2)));
        let observed = room.awaiting().map(|seat| (seat, room.observation(seat))).collect::<Vec<_>>();
        room = answered(room, 7);
        for (seat, observation) in observed {
            let last = room.exchanges(seat).pop().expect("just answered");
            assert_eq!((Some(last.observation), last.action), (observation, vec![7]));
        }
    }
    let outcome = room.outcome().expect("over");
    assert_eq!((outcome.winner, outcome.reason), (Some(Seat(1)), Reason::Majority));
    assert_eq!(outcome.tally.values(), [19, 20, 0]);
    let record = room.record().expect("over");
    assert_eq!(replay::<Toy>(&record).map(|game| game.positions().last()).ok(), Some(room.position::<Toy>().cloned()));
    assert_eq!(Room::from_log_as::<Toy>(reread(room.log())), Ok(room));
}

#[test]
fn several_can_fail_to_start_and_are_told_in_order() {
    let room = start();
    let event = |room: &Room, seat| room.failed_to_start(Seat(seat), fault());
    // Seat 0 moves first. It is out, so Ann moves; what she plays is on the record after the forfeit.
    let room = room.with(event(&room, 0).expect("nobody has played")).expect("it was proposed");
    assert_eq!(event(&room, 0), Err(Rejected::StalePly { current: 0 }));
    let room = room.with(event(&room, 2).expect("nobody has played")).expect("it was proposed");
    let mut room = room;
    for _ in 0..7 {
        room = answered(room, 9);
    }
    let record = room.record().expect("over");
    assert!(replay::<Toy>(&record).is_ok());
    assert_eq!(record.outcome().tally.values(), [0, 63, 0]);
    let mut log: Vec<Event> = room.log().collect();
    log.swap(1, 2);
    let bad = Room::from_log_as::<Toy>(log).expect_err("told in another order");
    assert_eq!((bad.at, bad.why), (2, IllegalEvent::Ply { current: 0 }));
}
