//! What people and contenders may say, and what nothing comes of.

use arena_record::{Bytes, ForfeitCode};
use arena_referee::{Fault, Reply};
use arena_rooms::{Command, Event, IllegalEvent, Proposal, Rejected, Room, Seated};
use arena_rules::conquerors::{Action, Position, Target};
use arena_rules::{Reason, Seat};
use arena_wire::Protocol;

use crate::table::{
    ANN, BOB, STRANGER, With, after, ann_and_bob, ann_and_easy, answered, command, home_block, reread, room,
};

fn code(room: &Room, person: arena_rooms::PersonId, command: &Command) -> &'static str {
    room.propose(person, command).expect_err("rejected").code()
}

/// Ann and Bob have placed a block each.
fn two_plies() -> Room {
    let room = after(&ann_and_bob(), ANN, &command(0, 10, &home_block(3)));
    after(&room, BOB, &command(1, 20, &home_block(24)))
}

#[test]
fn every_rejection_has_its_code() {
    let start = ann_and_bob();
    let skip = |ply| command(ply, 1, &Action::Skip);
    assert_eq!(code(&start, STRANGER, &skip(0)), "not_your_seat");
    assert_eq!(code(&start, BOB, &skip(0)), "not_your_turn");
    assert_eq!(start.propose(ANN, &skip(1)), Err(Rejected::StalePly { current: 0 }));
    assert_eq!(two_plies().propose(ANN, &skip(0)), Err(Rejected::StalePly { current: 2 }));
    assert_eq!(two_plies().propose(BOB, &skip(0)), Err(Rejected::StalePly { current: 2 }));
    let bytes = Command { action: Bytes(vec![1, 9, 0]), ..skip(0) };
    assert_eq!(code(&start, ANN, &bytes), "bad_action");
    assert!(start.propose(ANN, &bytes).expect_err("rejected").to_string().contains("kind of action"));
    // The sentence is the rules' own.
    let again = two_plies().propose(ANN, &command(2, 1, &home_block(3)));
    assert_eq!(again, Err(Rejected::IllegalMove("the cell at row 12, column 3 is alive already".into())));
    assert_eq!(again.expect_err("rejected").code(), "illegal_move");
    let far = Action::Place((0..4).map(|row| Target { row, col: 12 }).collect());
    let refusal = start.propose(ANN, &command(0, 1, &far)).expect_err("rejected").to_string();
    assert_eq!(refusal, "row 0, column 12 is out of reach: neutral ground needs a living cell in your own home");
    let Ok(Proposal::Append(event)) = start.resign(ANN, 0) else { panic!("Ann is asked") };
    let over = start.with(event).expect("it was proposed");
    for person in [ANN, BOB] {
        assert_eq!(code(&over, person, &skip(0)), "game_over");
        assert_eq!(code(&over, person, &skip(1)), "game_over");
    }
    assert_eq!(code(&over, STRANGER, &skip(0)), "not_your_seat");
}

#[test]
fn the_same_command_again_is_acknowledged_and_applied_once() {
    let room = two_plies();
    for (person, command) in [(ANN, command(0, 10, &home_block(3))), (BOB, command(1, 20, &home_block(24)))] {
        assert_eq!(room.propose(person, &command), Ok(Proposal::AlreadyApplied));
        // Anything else in it makes another command, which comes too late.
        let reused = Command { action: Bytes(vec![1, 0, 0]), ..command.clone() };
        assert_eq!(room.propose(person, &reused), Err(Rejected::StaleSequence));
        let others =
            [Command { client_seq: 11, ..command.clone() }, Command { ply: 1 - command.ply, ..command.clone() }];
        for other in others {
            assert_eq!(room.propose(person, &other), Err(Rejected::StalePly { current: 2 }), "{other:?}");
        }
        // Nor is it another person's.
        let other = if person == ANN { BOB } else { ANN };
        assert_eq!(room.propose(other, &command), Err(Rejected::StalePly { current: 2 }));
        assert_eq!(room.propose(STRANGER, &command), Err(Rejected::NotYourSeat));
    }
}

#[test]
fn the_last_command_is_acknowledged_again_after_the_end() {
    let rooms = crate::table::played_out(1);
    let room = rooms.last().expect("a room");
    let Some(Event::Played { ply, seat, action, client_seq: Some(client_seq), .. }) = room.later().last() else {
        panic!("{:?}", room.later().last())
    };
    let last = Command { ply: *ply, client_seq: *client_seq, action: action.clone() };
    let person = [ANN, BOB][usize::from(*seat)];
    assert_eq!(room.propose(person, &last), Ok(Proposal::AlreadyApplied));
    assert_eq!(room.propose(person, &Command { client_seq: 8, ..last }), Err(Rejected::GameOver));
}

#[test]
fn one_person_may_sit_in_both_seats() {
    let room = room([Seated::Person(ANN), Seated::Person(ANN)]);
    let commands = [command(0, 1, &home_block(3)), command(1, 1, &home_block(24))];
    let room = commands.iter().fold(room, |room, command| after(&room, ANN, command));
    for command in &commands {
        assert_eq!(room.propose(ANN, command), Ok(Proposal::AlreadyApplied));
    }
    assert_eq!(room.awaiting().collect::<Vec<_>>(), [Seat(0)]);
}

#[test]
fn giving_up_loses_and_is_said_once() {
    let room = after(&ann_and_bob(), ANN, &command(0, 1, &Action::Skip));
    assert_eq!(room.resign(STRANGER, 1), Err(Rejected::NotYourSeat));
    assert_eq!(room.resign(BOB, 0), Err(Rejected::StalePly { current: 1 }));
    let Ok(Proposal::Append(event)) = room.resign(BOB, 1) else { panic!("Bob is asked") };
    assert_eq!(event, Event::Resigned { ply: 1, seat: 1 });
    let over = room.with(event).expect("it was proposed");
    assert_eq!(over.resign(BOB, 1), Ok(Proposal::AlreadyApplied));
    assert_eq!(over.resign(ANN, 1), Err(Rejected::GameOver));
    let outcome = over.outcome().expect("over");
    assert_eq!((outcome.winner, outcome.reason), (Some(Seat(0)), Reason::Forfeit));
    assert_eq!(over.awaiting().count(), 0);
}

#[test]
fn people_can_give_up_while_the_other_is_to_move() {
    let room = after(&ann_and_easy(), ANN, &command(0, 1, &Action::Skip));
    let Ok(Proposal::Append(event)) = room.resign(ANN, 1) else { panic!("the game goes on") };
    assert_eq!(event, Event::Resigned { ply: 1, seat: 0 });
    let over = room.with(event).expect("it was proposed");
    assert_eq!(over.resign(ANN, 1), Ok(Proposal::AlreadyApplied));
    let record = over.record().expect("over");
    assert_eq!((record.outcome.winner, record.forfeits[0].turn), (Some(1), Some(1)));
    assert_eq!(arena_referee::check(&record), Ok(()));
    assert_eq!(Room::from_log(reread(over.log())), Ok(over));
}

#[test]
fn contenders_are_asked_and_answer_once() {
    let room = ann_and_easy();
    assert_eq!(room.to_ask().count(), 0);
    assert_eq!(room.observation(Seat(1)), None);
    let reply = Reply { action: Position::encode_action(&home_block(24)), fuel: Some(9) };
    assert_eq!(room.answer(0, Seat(1), Ok(reply.clone())), Err(Rejected::NotYourTurn));
    let room = after(&room, ANN, &command(0, 1, &home_block(3)));
    let asked: Vec<_> = room.to_ask().map(|(seat, id)| (seat, id.to_string())).collect();
    assert_eq!(asked, [(Seat(1), "baseline:easy@1".to_owned())]);
    let event = room.answer(1, Seat(1), Ok(reply.clone())).expect("it is asked");
    let played =
        Event::Played { ply: 1, seat: 1, action: Bytes(reply.action.clone()), fuel: Some(9), client_seq: None };
    assert_eq!(event, played);
    let next = room.with(event).expect("it was proposed");
    // A second process answers the same turn: too late.
    assert_eq!(next.answer(1, Seat(1), Ok(reply.clone())), Err(Rejected::StalePly { current: 2 }));
    assert_eq!(room.answer(1, Seat(0), Ok(reply.clone())), Err(Rejected::NotYourSeat));
    assert_eq!(room.answer(1, Seat(9), Ok(reply)), Err(Rejected::NotYourSeat));
}

#[test]
fn a_contenders_fault_is_its_forfeit() {
    let room = after(&ann_and_easy(), ANN, &command(0, 1, &Action::Skip));
    let reply = |action: &[u8]| Ok(Reply { action: action.to_vec(), fuel: Some(1) });
    let trap = Fault { code: ForfeitCode::Trap, detail: "unreachable".into() };
    let faults = [
        (Err(trap), ForfeitCode::Trap, "unreachable"),
        (reply(&[]), ForfeitCode::BadOutput, "at least 3 bytes"),
        (reply(&[1, 0, 0]), ForfeitCode::IllegalMove, "a pass is legal only"),
    ];
    for (reply, code, detail) in faults {
        let event = room.answer(1, Seat(1), reply).expect("it is asked");
        let over = room.with(event).expect("it was proposed");
        let [forfeit] = over.forfeits() else { panic!("{:?}", over.forfeits()) };
        assert_eq!((forfeit.seat, forfeit.turn, forfeit.code), (1, Some(1), code));
        assert!(forfeit.detail.contains(detail), "{forfeit:?}");
        assert_eq!(over.outcome().expect("over").winner, Some(Seat(0)));
    }
}

#[test]
fn a_contender_can_fail_to_start_before_anyone_plays() {
    let fault = || Fault { code: ForfeitCode::FuelExhausted, detail: "at the start".into() };
    let start = ann_and_easy();
    assert_eq!(start.failed_to_start(Seat(0), fault()), Err(Rejected::NotYourSeat));
    // Both seats are in the game at the start; it is Ann's turn, and easy could not even begin.
    let both = room([crate::table::easy(), Seated::Person(BOB)]);
    let event = both.failed_to_start(Seat(0), fault()).expect("nobody has played");
    let over = both.with(event.clone()).expect("it was proposed");
    assert_eq!(over.outcome().expect("over").winner, Some(Seat(1)));
    assert_eq!(over.failed_to_start(Seat(0), fault()), Err(Rejected::GameOver));
    assert_eq!(over.with(event.clone()), Err(IllegalEvent::Over));

    let event = start.failed_to_start(Seat(1), fault()).expect("nobody has played");
    let over = start.with(event.clone()).expect("it was proposed");
    assert_eq!(over.outcome().expect("over").winner, Some(Seat(0)));
    let late = answered(&after(&start, ANN, &command(0, 1, &home_block(3))), Seat(1));
    assert_eq!(late.failed_to_start(Seat(1), fault()), Err(Rejected::StalePly { current: 2 }));
    assert_eq!(late.with(event), Err(IllegalEvent::Ply { current: 2 }));
}
