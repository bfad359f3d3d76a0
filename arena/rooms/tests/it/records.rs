//! A finished room's record is one like any other.

use arena_record::{ForfeitCode, Header, Record};
use arena_referee::{Failure, Fault, Player, Reply, Started, check, play};
use arena_rooms::{Event, Room, Seated};
use arena_rules::conquerors::Action;
use arena_rules::{BySeat, Seat};

use crate::table::{ANN, BOB, With, after, ann_and_bob, ann_and_easy, command, easy, played_out, room};

/// Gives the answers a room has for one seat, then fails as it did.
struct Script {
    start: Option<Fault>,
    answers: std::vec::IntoIter<Reply>,
    end: Option<Fault>,
}

impl Player for Script {
    fn start(&mut self, _observation_len: usize, _fuel: u64) -> Result<Started, Failure> {
        self.start.take().map_or(Ok(Started { fuel: None }), |fault| Err(Failure::Own(fault)))
    }

    fn turn(&mut self, _observation: &[u8], _fuel: u64) -> Result<Reply, Failure> {
        self.answers.next().map_or_else(|| Err(Failure::Own(self.end.take().expect("asked once more"))), Ok)
    }
}

/// The same game, played by the referee between scripts.
pub(crate) fn refereed(header: Header, log: &[Event]) -> Record {
    let mut scripts = [0, 1].map(|own| {
        let answers = log.iter().filter_map(|event| match event {
            Event::Played { seat, action, fuel, .. } if *seat == own => {
                Some(Reply { action: action.0.clone(), fuel: *fuel })
            }
            _ => None,
        });
        let (mut start, mut end) = (None, None);
        for event in log {
            match event {
                Event::Forfeited { ply, seat, code, detail } if *seat == own => {
                    let fault = Some(Fault { code: *code, detail: detail.clone() });
                    *(if ply.is_none() { &mut start } else { &mut end }) = fault;
                }
                Event::Resigned { seat, .. } if *seat == own => {
                    end = Some(Fault { code: ForfeitCode::Resigned, detail: "gave up".into() });
                }
                _ => {}
            }
        }
        Script { start, answers: answers.collect::<Vec<_>>().into_iter(), end }
    });
    let [blue, red] = &mut scripts;
    play(header, BySeat::from(vec![blue as &mut dyn Player, red])).expect("a game was played")
}

/// The room's record, after all that is true of every record was found true of it.
pub(crate) fn sound_record(room: &Room) -> Record {
    let record = room.record().expect("the game is over");
    assert_eq!(check(&record), Ok(()));
    assert_eq!(Record::parse(&record.to_text()).expect("its own text"), record);
    assert_eq!(refereed(record.header.clone(), room.later()), record);
    record
}

#[test]
fn a_game_between_people_is_recorded_as_the_referee_would() {
    for seed in 0..8 {
        let rooms = played_out(seed);
        let record = sound_record(rooms.last().expect("a room"));
        let entrants: Vec<_> = record.header.entrants.iter().map(|id| id.as_str()).collect();
        assert_eq!(entrants, ["person:a1a1a1a1a1a1a1a1", "person:b2b2b2b2b2b2b2b2"]);
        assert!(rooms[..rooms.len() - 1].iter().all(|room| room.record().is_none()));
    }
}

#[test]
fn a_resignation_is_recorded() {
    let room = after(&ann_and_bob(), ANN, &command(0, 1, &Action::Skip));
    let record = sound_record(&room.with(Event::Resigned { ply: 1, seat: 1 }).expect("Bob is asked"));
    let [forfeit] = &record.forfeits[..] else { panic!("{:?}", record.forfeits) };
    assert_eq!((forfeit.seat, forfeit.turn, forfeit.code), (1, Some(1), ForfeitCode::Resigned));
    assert_eq!(record.outcome().winner, Some(Seat(0)));
}

#[test]
fn faults_of_contenders_are_recorded() {
    let fault = || Fault { code: ForfeitCode::Trap, detail: "unreachable".into() };
    let start = ann_and_easy();
    let early = start.failed_to_start(Seat(1), fault()).expect("nobody has played");
    let record = sound_record(&start.with(early).expect("it was proposed"));
    assert_eq!((record.forfeits[0].turn, record.turns.len()), (None, 0));
    let room = after(&start, ANN, &command(0, 1, &Action::Skip));
    let late = room.answer(1, Seat(1), Err(fault())).expect("it is asked");
    let record = sound_record(&room.with(late).expect("it was proposed"));
    assert_eq!((record.forfeits[0].turn, record.turns.len()), (Some(1), 1));
}

#[test]
fn the_fuel_of_starts_and_turns_is_in_the_record() {
    let mut opened = crate::table::opened([easy(), Seated::Person(BOB)]);
    opened.starts[0] = Some(4321);
    let room: Room = Room::open(opened).expect("a game");
    let reply = Reply { action: vec![1, 3, 0], fuel: Some(99) };
    let room = room.with(room.answer(0, Seat(0), Ok(reply)).expect("it is asked")).expect("it was proposed");
    let record = room.with(Event::Resigned { ply: 1, seat: 1 }).expect("Bob is asked").record().expect("over");
    assert_eq!(record.starts, [Some(4321), None]);
    assert_eq!(record.turns[0].plays[0].fuel, Some(99));
    assert_eq!(check(&record), Ok(()));
}

#[test]
fn the_record_does_not_say_when_commands_were_sent() {
    // Two pages that number their commands differently make one record.
    let numbered = |client_seq| {
        let room =
            after(&room([Seated::Person(ANN), Seated::Person(BOB)]), ANN, &command(0, client_seq, &Action::Skip));
        room.with(Event::Resigned { ply: 1, seat: 1 }).expect("Bob is asked").record()
    };
    assert_eq!(numbered(1), numbered(2));
}
