//! What everyone may see of a room.

use arena_record::{Bytes, ForfeitCode, Hex};
use arena_rooms::{Event, Seated};
use arena_rules::conquerors::{Action, Position};
use arena_rules::{Ruleset, Seat};
use arena_wire::Protocol;

use crate::table::{ANN, BOB, With, after, ann_and_bob, command, home_block, played_out};

#[test]
fn a_view_has_the_turns_once_and_who_is_awaited() {
    let start = ann_and_bob();
    let room = after(&start, ANN, &command(0, 9, &home_block(3)));
    let view = room.view();
    assert_eq!((view.room, view.events, view.ply), (start.opened().room, 2, 1));
    assert_eq!((view.ruleset.as_str(), &view.options), (Position::ID, &start.opened().options));
    assert_eq!(
        (&view.awaiting[..], &view.seats[..]),
        (&[Seat(1)][..], &[Seated::Person(ANN), Seated::Person(BOB)][..])
    );
    assert_eq!((view.forfeits.len(), &view.outcome), (0, &None));
    let room = after(&room, BOB, &command(1, 1, &Action::Skip));
    let plays: Vec<(u8, Bytes)> =
        room.view().turns.iter().flat_map(|turn| turn.plays.clone()).map(|play| (play.seat, play.action)).collect();
    let played = |action: &Action| Bytes(Position::encode_action(action));
    assert_eq!(plays, [(0, played(&home_block(3))), (1, played(&Action::Skip))]);
}

#[test]
fn a_view_has_the_digest_of_the_game_so_far() {
    let start = ann_and_bob().view();
    assert_ne!(start.digest, Hex([0; 8]));
    for seed in 0..4 {
        let rooms = played_out(seed);
        for room in &rooms {
            let view = room.view();
            assert_eq!(view.digest, view.turns.last().map_or(start.digest, |turn| turn.digest));
        }
        let record = rooms.last().and_then(|room| room.record()).expect("over");
        let turns = rooms.last().map(|room| room.view().turns).unwrap_or_default();
        assert!(turns.iter().map(|turn| &**turn).eq(&record.turns));
    }
}

#[test]
fn a_view_of_the_end_says_how_it_ended() {
    for seed in 0..4 {
        let rooms = played_out(seed);
        for (number, room) in rooms.iter().enumerate() {
            let view = room.view();
            assert_eq!((view.events, view.ply, view.turns.len()), (number + 1, number as u16, number));
            let over = number + 1 == rooms.len();
            assert_eq!((view.awaiting.is_empty(), view.outcome.is_some()), (over, over));
        }
    }
    let over = ann_and_bob().with(Event::Resigned { ply: 0, seat: 0 }).expect("Ann is asked").view();
    assert_eq!(over.outcome.and_then(|outcome| outcome.winner), Some(1));
    assert_eq!(over.forfeits[0].code, ForfeitCode::Resigned);
}
