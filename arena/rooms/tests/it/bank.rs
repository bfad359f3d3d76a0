//! A room of a game with a bank of fuel and more than two seats, all of which answer at once.

use arena_record::{Budgets, Bytes, ForfeitCode};
use arena_referee::{Fault, Reply, check};
use arena_rooms::{Command, Event, Opened, Proposal, Room, Seated};
use arena_rules::game_of_game_of_life::{Action, Position};
use arena_rules::{Ruleset, Seat};
use arena_wire::Protocol;

use crate::table::{ANN, easy, opened, reread};

const PER_MOVE: u64 = 10;

fn pass() -> Vec<u8> {
    Position::encode_action(&Action::Pass)
}

/// Ann and two contenders, whose bank lasts for three dear turns.
fn start() -> Room {
    let budgets = Budgets { fuel_per_move: PER_MOVE, fuel_per_game: Some(3 * PER_MOVE), ..Budgets::DEFAULT };
    let options = "seats=3,lots=fixed".to_owned();
    let seats = vec![Seated::Person(ANN), easy(), easy()];
    let two = opened([easy(), easy()]);
    let opened = Opened { ruleset: Position::ID.into(), options, budgets, starts: vec![None; 3], seats, ..two };
    Room::open(opened).expect("a game of this release")
}

fn answered(room: &mut Room, seat: Seat, fuel: u64) {
    let reply = Reply { action: pass(), fuel: Some(fuel) };
    let event = room.answer(room.ply(), seat, Ok(reply)).expect("it is asked");
    room.apply(event).expect("it was proposed");
}

fn ann_passes(room: &mut Room) {
    let command = Command { ply: room.ply(), client_seq: 1, action: Bytes(pass()) };
    let Ok(Proposal::Append(event)) = room.propose(ANN, &command) else { panic!("Ann is asked") };
    room.apply(event).expect("it was proposed");
}

#[test]
fn a_seat_whose_bank_is_empty_passes_and_is_not_asked() {
    let mut room = start();
    for turn in 0..3 {
        assert_eq!(room.awaiting().collect::<Vec<_>>(), [Seat(0), Seat(1), Seat(2)]);
        assert_eq!(room.fuel(Seat(1)), PER_MOVE, "turn {turn}");
        answered(&mut room, Seat(1), PER_MOVE);
        answered(&mut room, Seat(2), 0);
        ann_passes(&mut room);
    }
    assert_eq!(room.awaiting().collect::<Vec<_>>(), [Seat(0), Seat(2)]);
    let fuel = |seat| room.exchanges(seat).iter().map(|exchange| (exchange.fuel, exchange.used)).collect::<Vec<_>>();
    assert_eq!(fuel(Seat(1)), [(PER_MOVE, Some(PER_MOVE)); 3]);
    assert_eq!(fuel(Seat(2)), [(PER_MOVE, Some(0)); 3]);
    answered(&mut room, Seat(2), 1);
    ann_passes(&mut room);
    let play = &room.turns()[3].plays[1];
    assert_eq!((play.seat, &play.action.0, play.fuel), (1, &pass(), Some(0)));
    assert_eq!(room.later().len(), 3 * 3 + 2, "what follows from the log is not in it");
    assert_eq!(Room::from_log(reread(room.log())), Ok(room));
}

#[test]
fn the_call_that_empties_a_bank_comes_to_nothing() {
    let mut room = start();
    for _ in 0..2 {
        answered(&mut room, Seat(1), PER_MOVE);
        answered(&mut room, Seat(2), PER_MOVE);
        ann_passes(&mut room);
    }
    let hungry = Fault { code: ForfeitCode::FuelExhausted, detail: "hungry".into() };
    let event = room.answer(2, Seat(1), Err(hungry)).expect("it is asked");
    assert!(matches!(&event, Event::Played { fuel: Some(PER_MOVE), .. }), "{event:?}");
    room.apply(event).expect("it was proposed");
    // Ann gives up: in her own turn, after which the others play to the end.
    let Ok(Proposal::Append(event)) = room.resign(ANN, 2) else { panic!("the game goes on") };
    room.apply(event).expect("it was proposed");
    answered(&mut room, Seat(2), PER_MOVE);
    // Nobody has fuel: the room plays on by itself.
    let record = room.record().expect("over");
    assert_eq!((record.turns.len(), record.forfeits.len()), (1000, 1));
    assert_eq!(record.outcome.tally[0], 0);
    assert_eq!(check(&record), Ok(()));
    assert_eq!(Room::from_log(reread(room.log())), Ok(room));
}
