//! Random walks of everything that can reach a room, beside a model of what a room is for.
//!
//! The model keeps a position and moves it by the rules alone; it knows neither events nor rooms.

use arena_record::Bytes;
use arena_referee::{Fault, Reply};
use arena_rooms::{Command, Event, PersonId, Proposal, Room, Seated};
use arena_rules::conquerors::{Action, Position};
use arena_rules::{BySeat, Rng, Ruleset, Seat};
use arena_wire::Protocol;
use proptest::prelude::*;

use crate::records::sound_record;
use crate::table::{ANN, BOB, STRANGER, With, any_turn, baseline_reply, board, easy, opened, reread};

/// What a game between such seats is, and what was acknowledged in it.
struct Model {
    seats: [Seated; 2],
    position: Position,
    applied: Vec<(PersonId, Command)>,
    plies: u16,
}

impl Model {
    /// What a room should say to a command: the code of its rejection, whether it is applied now, or was.
    fn expected(&self, person: PersonId, command: &Command) -> Result<&'static str, &'static str> {
        if !self.seats.contains(&Seated::Person(person)) {
            return Err("not_your_seat");
        }
        if self.applied.contains(&(person, command.clone())) {
            return Ok("already");
        }
        let Some(mover) = self.position.to_move() else { return Err("game_over") };
        let used = |one: &Command| (one.ply, one.client_seq) == (command.ply, command.client_seq);
        if self.applied.iter().any(|(by, one)| *by == person && used(one)) {
            return Err("stale_sequence");
        }
        if command.ply != self.plies {
            return Err("stale_ply");
        }
        if self.seats[mover.seat().index()] != Seated::Person(person) {
            return Err("not_your_turn");
        }
        let action = Position::decode_action(&command.action.0).map_err(|_| "bad_action")?;
        self.position.check(mover.seat(), &action).map(|_| "append").map_err(|_| "illegal_move")
    }

    fn play(&mut self, action: &[u8]) {
        let seat = self.position.to_move().expect("the game goes on").seat();
        let action = Position::decode_action(action).expect("legal");
        let mut turns = BySeat::new(2, |_| None);
        turns[seat] = Some(self.position.check(seat, &action).expect("legal"));
        self.position.advance(turns);
        self.plies += 1;
    }
}

/// What happens next; the numbers pick among what there is.
#[derive(Clone, Debug)]
enum Step {
    /// The person to move sends a legal turn, again and again until it is heard.
    Play { client_seq: u64, times: usize },
    /// A legal turn is sent for a ply that is this far from the one being played.
    Elsewhere { off: i16, client_seq: u64 },
    /// A person, to move or not, sends a turn that would be legal for the mover.
    From { person: usize, client_seq: u64 },
    /// Something that was sent before, by whomever, arrives again or late.
    Again { which: usize },
    /// A command that was sent before arrives from somebody else, or with another number.
    Altered { which: usize, person: usize, client_seq: u64 },
    /// Bytes that are no action, or an action that is not legal.
    Nonsense { bytes: Vec<u8> },
    /// The contender's reply arrives, for this ply or one before.
    Reply { ago: u16, times: usize },
    /// The process dies and the room is made again from its lines.
    Crash,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let seq = 0..3_u64;
    let step = prop_oneof![
        8 => (seq.clone(), 1..4_usize).prop_map(|(client_seq, times)| Step::Play { client_seq, times }),
        2 => (-3..4_i16, seq.clone()).prop_map(|(off, client_seq)| Step::Elsewhere { off, client_seq }),
        2 => (0..3_usize, seq.clone()).prop_map(|(person, client_seq)| Step::From { person, client_seq }),
        4 => any::<usize>().prop_map(|which| Step::Again { which }),
        2 => (any::<usize>(), 0..3_usize, seq).prop_map(|(which, person, client_seq)| Step::Altered { which, person, client_seq }),
        2 => prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..12),
            Just(vec![1, 0, 0]),
            Just(vec![1, 1, 0]),
            Just(vec![1, 2, 1, 5, 5]),
            Just(vec![1, 1, 1, 5, 5]),
        ].prop_map(|bytes| Step::Nonsense { bytes }),
        8 => (0..3_u16, 1..3_usize).prop_map(|(ago, times)| Step::Reply { ago: ago.saturating_sub(1), times }),
        1 => Just(Step::Crash),
    ];
    proptest::collection::vec(step, 0..90)
}

fn tables() -> impl Strategy<Value = [Seated; 2]> {
    let (ann, bob) = (Seated::Person(ANN), Seated::Person(BOB));
    prop_oneof![
        Just([ann.clone(), bob.clone()]),
        Just([ann.clone(), easy()]),
        Just([easy(), bob]),
        Just([ann.clone(), ann]),
        Just([easy(), easy()]),
    ]
}

/// A room, its model, the room before each of its events, and everything that people ever sent.
struct Walk {
    room: Room,
    model: Model,
    before: Vec<Room>,
    sent: Vec<(PersonId, Command)>,
    rng: Rng,
}

impl Walk {
    fn append(&mut self, event: Event) {
        self.before.push(self.room.clone());
        self.room = self.room.with(event).expect("it was proposed");
    }

    fn send(&mut self, person: PersonId, command: Command) {
        let expected = self.model.expected(person, &command);
        let got = self.room.propose(person, &command);
        match (expected, got) {
            (Ok("append"), Ok(Proposal::Append(event))) => {
                self.append(event);
                self.model.play(&command.action.0);
                self.model.applied.push((person, command.clone()));
            }
            (Ok("already"), Ok(Proposal::AlreadyApplied)) => {}
            (Err(code), Err(rejected)) => assert_eq!(rejected.code(), code, "{command:?}"),
            (expected, got) => panic!("{command:?}: {expected:?} expected, {got:?} came"),
        }
        self.sent.push((person, command));
    }

    /// A legal turn for the seat to move; a skip when the game is over.
    fn legal(&mut self) -> Bytes {
        let over = self.model.position.to_move().is_none();
        let turn = if over { Action::Skip } else { any_turn(&self.model.position, &mut self.rng) };
        Bytes(Position::encode_action(&turn))
    }

    /// The person to move; Ann if a bot is.
    fn mover(&self) -> PersonId {
        let seat = self.model.position.to_move().map(|colour| colour.seat().index());
        match seat.map(|seat| &self.model.seats[seat]) {
            Some(Seated::Person(person)) => *person,
            _ => ANN,
        }
    }

    fn reply(&mut self, ply: u16) {
        let asked: Option<Seat> = self.room.to_ask().map(|(seat, _)| seat).next();
        let mover = self.model.position.to_move().map(|colour| colour.seat());
        let is_contender = |seat: &Seat| matches!(self.model.seats[seat.index()], Seated::Contender(_));
        assert_eq!(asked, mover.filter(is_contender));
        let seat = asked.unwrap_or(Seat(1));
        let reply = asked.map_or(Reply { action: vec![1, 3, 0], fuel: None }, |seat| baseline_reply(&self.room, seat));
        match self.room.answer(ply, seat, Ok(reply.clone())) {
            Ok(event) => {
                assert_eq!((asked, ply), (Some(seat), self.model.plies));
                self.append(event);
                self.model.play(&reply.action);
            }
            Err(rejected) => assert!(asked.is_none() || ply != self.model.plies, "{rejected}"),
        }
    }

    fn step(&mut self, step: Step) {
        let people = [ANN, BOB, STRANGER];
        let ply = self.model.plies;
        match step {
            Step::Play { client_seq, times } => {
                let command = Command { ply, client_seq, action: self.legal() };
                let person = self.mover();
                (0..times).for_each(|_| self.send(person, command.clone()));
            }
            Step::Elsewhere { off, client_seq } => {
                let command = Command { ply: ply.saturating_add_signed(off), client_seq, action: self.legal() };
                self.send(self.mover(), command);
            }
            Step::From { person, client_seq } => {
                let command = Command { ply, client_seq, action: self.legal() };
                self.send(people[person], command);
            }
            Step::Again { which } => {
                if let Some((person, command)) = self.sent.get(which % self.sent.len().max(1)).cloned() {
                    self.send(person, command);
                }
            }
            Step::Altered { which, person, client_seq } => {
                if let Some((_, command)) = self.sent.get(which % self.sent.len().max(1)).cloned() {
                    self.send(people[person], Command { client_seq, ..command });
                }
            }
            Step::Nonsense { bytes } => {
                self.send(self.mover(), Command { ply, client_seq: 0, action: Bytes(bytes) });
            }
            Step::Reply { ago, times } => (0..times).for_each(|_| self.reply(ply.saturating_sub(ago))),
            Step::Crash => self.room = Room::from_log(reread(self.room.log())).expect("its own log"),
        }
        assert_eq!((board(&self.room), self.room.ply()), (&self.model.position, self.model.plies));
    }

    /// Plays on to the end, one turn of the seat to move after another.
    fn finish(&mut self) {
        while self.room.outcome().is_none() {
            self.reply(self.model.plies);
            if self.room.to_ask().next().is_none() && self.room.outcome().is_none() {
                self.step(Step::Play { client_seq: 0, times: 1 });
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_room_does_what_the_model_does(seats in tables(), steps in steps(), seed in any::<[u8; 32]>(), early in any::<bool>()) {
        let room: Room = Room::open(opened(seats.clone())).expect("a game");
        let position = board(&room).clone();
        let model = Model { seats, position, applied: Vec::new(), plies: 0 };
        let mut walk = Walk { room, model, before: Vec::new(), sent: Vec::new(), rng: Rng::new(&seed, 0) };
        for step in steps {
            walk.step(step);
        }
        if early && walk.room.outcome().is_none() {
            let ply = walk.room.ply();
            let person = walk.mover();
            let event = match walk.room.to_ask().map(|(seat, _)| seat).next() {
                Some(seat) => walk.room.answer(ply, seat, Err(Fault {
                    code: arena_record::ForfeitCode::FuelExhausted,
                    detail: "tired".into(),
                })).expect("it is asked"),
                None => match walk.room.resign(person, ply) {
                    Ok(Proposal::Append(event)) => event,
                    other => panic!("{other:?}"),
                },
            };
            walk.append(event);
        } else {
            walk.finish();
            prop_assert_eq!(walk.room.outcome().cloned(), walk.model.position.outcome());
        }

        // Each ply is in the log exactly once, in order; each acknowledged command is one of them.
        let plies: Vec<u16> = walk.room.later().iter().filter_map(|event| match event {
            Event::Played { ply, .. } => Some(*ply),
            _ => None,
        }).collect();
        prop_assert_eq!(&plies, &(0..walk.model.plies).collect::<Vec<_>>());
        let people: Vec<Command> = walk.room.later().iter().filter_map(|event| match event {
            Event::Played { ply, action, client_seq: Some(client_seq), .. } => {
                Some(Command { ply: *ply, client_seq: *client_seq, action: action.clone() })
            }
            _ => None,
        }).collect();
        prop_assert_eq!(people, walk.model.applied.iter().map(|(_, command)| command.clone()).collect::<Vec<_>>());
        for (person, command) in &walk.model.applied {
            prop_assert_eq!(walk.room.propose(*person, command), Ok(Proposal::AlreadyApplied));
        }

        // Every prefix is the room at that point.
        let log = reread(walk.room.log());
        walk.before.push(walk.room.clone());
        prop_assert_eq!(log.len(), walk.before.len());
        for (number, live) in walk.before.iter().enumerate() {
            let rebuilt: Room = Room::from_log(log[..=number].iter().cloned()).expect("a prefix");
            prop_assert_eq!(&rebuilt, live);
        }
        sound_record(&walk.room);
    }
}
