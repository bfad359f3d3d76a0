//! What pages are shown.

use arena_rooms::Event;
use arena_rules::conquerors::{Action, Board};

use crate::table::{ANN, BOB, after, ann_and_bob, command, home_block, played_out};

#[test]
fn a_view_as_json() {
    let room = after(&ann_and_bob(), ANN, &command(0, 9, &home_block(3)));
    let board = room.position().board().to_string();
    let expected = format!(
        "{{\"room\":\"01010101010101010101010101010101\",\"events\":2,\"ply\":1,\"awaiting\":[1],\
         \"seats\":[\"person:a1a1a1a1a1a1a1a1\",\"person:b2b2b2b2b2b2b2b2\"],\
         \"last_plays\":[{{\"seat\":0,\"action\":\"0101040c030c040d030d04\",\"fuel\":null}}],\"forfeits\":[],\"outcome\":null,\
         \"game\":{{\"round\":1,\"board\":\"{board}\",\"to_move\":\"red\",\"cooldown\":{{\"blue\":0,\"red\":0}},\
         \"skip_used\":{{\"blue\":false,\"red\":false}},\"reach\":[\"home\"],\"counts\":{{\"blue\":4,\"red\":0}},\
         \"scores\":{{\"blue\":4,\"red\":0}},\
         \"last_turn\":{{\"colour\":\"blue\",\"kind\":\"place\",\"cells\":[[12,3],[12,4],[13,3],[13,4]]}}}}}}"
    );
    assert_eq!(serde_json::to_string(&room.view()).expect("plain values"), expected);
    let room = after(&after(&room, BOB, &command(1, 1, &home_block(24))), ANN, &command(2, 1, &Action::Skip));
    let view = room.view();
    assert_eq!((view.game.to_move, view.game.reach), (Some("red"), vec!["home", "neutral"]));
    assert_eq!(view.game.last_turn.map(|turn| turn.kind), Some("skip"));
    assert!(view.game.skip_used.blue && !view.game.skip_used.red);
}

#[test]
fn a_view_of_the_end_says_how_it_ended() {
    for seed in 0..4 {
        let rooms = played_out(seed);
        for (number, room) in rooms.iter().enumerate() {
            let view = room.view();
            assert_eq!((view.events, view.ply), (number + 1, number as u16));
            assert_eq!(view.game.board.parse::<Board>().as_ref(), Ok(room.position().board()));
            let over = number + 1 == rooms.len();
            assert_eq!(
                (view.game.to_move.is_none(), view.awaiting.is_empty(), view.outcome.is_some()),
                (over, over, over)
            );
            assert_eq!(view.game.reach.is_empty(), over);
            assert_eq!(view.last_plays.is_empty(), number == 0);
        }
    }
    let over = ann_and_bob().with(Event::Resigned { ply: 0, seat: 0 }).expect("Ann is asked");
    let json = serde_json::to_value(over.view()).expect("plain values");
    assert_eq!(json["outcome"]["winner"], 1);
    assert_eq!(json["forfeits"][0]["code"], "resigned");
}

#[test]
fn a_view_never_shows_the_seed() {
    let room = played_out(1).pop().expect("a room");
    let seed = room.opened().seed.to_string();
    let text = serde_json::to_string(&room.view()).expect("plain values");
    assert!(room.log().next().expect("the first").to_line().contains(&seed) && !text.contains(&seed));
}
