//! Rooms of any game: the log says which.

use arena_record::{Bytes, EntrantId};
use arena_rooms::{Command, Event, IllegalEvent, Opened, Proposal, Room, Seated};
use arena_rules::{Ruleset, war_of_life};
use arena_wire::{GAMES, Protocol};

use crate::table::{ANN, With, opened};

fn opened_of(ruleset: &str, options: String) -> Opened {
    let two = opened([Seated::Person(ANN), Seated::Contender(EntrantId::of_baseline("random", 1))]);
    Opened { ruleset: ruleset.into(), options, ..two }
}

/// The room with Ann's first move that is legal.
fn moved(room: &Room) -> Room {
    let position = room.position::<war_of_life::Position>().expect("its game");
    let step = position.moves(arena_rules::Seat(0)).next().expect("Ann can move");
    let action = Bytes(war_of_life::Position::encode_action(&step.into()));
    let proposed = room.propose(ANN, &Command { ply: room.ply(), client_seq: 1, action }).expect("legal");
    let Proposal::Append(event) = proposed else { panic!("it is new") };
    room.with(event).expect("it was proposed")
}

#[test]
fn every_game_with_two_seats_has_rooms_and_they_come_back_from_their_logs() {
    for game in GAMES {
        let opened = opened_of(game.ruleset, game.casual_number(7));
        let room = Room::open(opened.clone()).expect(game.ruleset);
        assert_eq!(room.opened(), &opened);
        let log = vec![Event::Opened(Box::new(opened))];
        let again = Room::from_log(log).expect(game.ruleset);
        assert_eq!(again.view(), room.view());
    }
    let unknown = Room::open(opened_of("chess@1", String::new())).err();
    assert!(matches!(unknown, Some(IllegalEvent::Unknown(_))), "{unknown:?}");
    let empty = Room::from_log(Vec::<Event>::new()).expect_err("no room");
    assert_eq!((empty.at, empty.why), (0, IllegalEvent::NotOpened));
}

#[test]
fn a_view_shows_all_that_it_takes_to_compute_the_board() {
    let options = war_of_life::Position::casual(41);
    assert_eq!(options, "start=deal:41");
    let room = Room::open(opened_of(war_of_life::Position::ID, options.clone())).expect("a room");
    let room = moved(&room);
    let view = room.view();
    assert_eq!((view.ruleset.as_str(), &view.options), (war_of_life::Position::ID, &options));
    // The board from what is shown, by the rules alone.
    let start = war_of_life::Position::parse_options(&view.options).expect("canonical");
    let mut position = war_of_life::Position::start(&start, &[9; 32]);
    for turn in &view.turns {
        let mut turns = arena_rules::BySeat::new(2, |_| None);
        for play in &turn.plays {
            let seat = arena_rules::Seat(play.seat);
            let action = war_of_life::Position::decode_action(&play.action.0).expect("an action");
            turns[seat] = Some(position.check(seat, &action).expect("legal"));
        }
        position.advance(turns);
    }
    assert_eq!(view.turns.len(), 1);
    let (seat, _) = room.to_ask().next().expect("the contender is asked");
    let observed = war_of_life::Position::observe(&room.observation(seat).expect("asked")).expect("an observation");
    assert_eq!(observed.position, position);
}
