//! Bots in a world: a span is a function of its snapshot, what people did, and the bots.

use std::collections::BTreeMap;

use arena_record::EntrantId;
use arena_rules::life2::{Account, Action, Call, Position, Target, View};
use arena_rules::{Rng, Seat};
use arena_wire::Protocol;
use arena_world::{
    ANSWERED_AFTER, ASKED_EVERY, Answer, BOTS_MAX, Event, IllegalEvent, Machine, Nobody, Players, SeatError, Span,
    SpanError, Turn,
};

use crate::live::Live;

fn id(name: &str) -> EntrantId {
    EntrantId::of_baseline(name, 1)
}

/// Bots that remember how often they were asked: `steady` places some of its own ground, `failing` fails the third
/// time, `looker` asks for another view, `gone` is not there.
#[derive(Default)]
struct Fakes {
    places: BTreeMap<usize, (EntrantId, u64)>,
    /// Rows and columns that each was shown, in order.
    shown: Vec<(EntrantId, u16, u16)>,
    /// Bots that are not available here.
    missing: Vec<EntrantId>,
}

impl Fakes {
    fn action(name: &EntrantId, asked: u64, observation: &[u8]) -> Option<Action> {
        let seen = Position::observe(observation).unwrap();
        let slot = arena_rules::life2::Slot::new(seen.seat.0 + 1).unwrap();
        let ground = seen.position.world().ground();
        let own: Vec<Target> = ground.of(slot).filter(|cell| !ground.is_alive(*cell)).map(Target::from).collect();
        let open: Vec<_> = own.into_iter().filter(|cell| seen.position.may_place(seen.seat, *cell).is_ok()).collect();
        // Its actions depend on how often it was asked: a player that was not restored would act differently.
        let mut rng = Rng::new(&seen.seat_seed, asked);
        let mut cells: Vec<Target> =
            (0..3).filter_map(|_| open.get(rng.below(open.len() as u32) as usize)).copied().collect();
        cells.dedup();
        match name.baseline().unwrap().0 {
            "failing" if asked == 2 => None,
            "looker" => Some(Action::Look(View::around(Target { row: 0, col: 511 }, 8, 16).unwrap(), cells)),
            _ if cells.is_empty() => Some(Action::Pass),
            _ => Some(Action::Place(cells)),
        }
    }
}

impl Players for Fakes {
    fn turn(&mut self, turn: &Turn) -> Vec<Answer> {
        if turn.afresh {
            self.places.clear();
        }
        for (at, bot) in &turn.places {
            match bot {
                Some(bot) => drop(self.places.insert(*at, (bot.clone(), 0))),
                None => drop(self.places.remove(at)),
            }
        }
        let answer = |(at, observation): &(usize, Vec<u8>)| {
            let (bot, asked) = self.places.get_mut(at).unwrap();
            if self.missing.contains(bot) {
                return Answer::Gone;
            }
            let header = arena_wire::wide::Header::decode(Position::TAG, observation).unwrap();
            self.shown.push((bot.clone(), header.window.rows, header.window.cols));
            let action = Fakes::action(bot, *asked, observation);
            *asked += 1;
            action.map_or(Answer::Failed, |action| Answer::Bytes(Position::encode_action(&action)))
        };
        turn.questions.iter().map(answer).collect()
    }
}

/// A life of some minutes with bots that come, fail and go, and a person who plays beside them.
fn life() -> Live {
    let (mut live, mut players) = (Live::new(), Fakes::default());
    live.attend(&mut players);
    for generation in 0..1_500_u64 {
        match generation {
            7 => ["steady", "failing", "looker"]
                .into_iter()
                .zip(1..)
                .for_each(|(bot, account)| live.seat(account, Some(id(bot)))),
            700 => live.seat(2, None),
            800 => live.seat(2, Some(id("steady"))),
            1_000 => live.seat(1, Some(id("looker"))),
            _ if generation % 97 == 0 => {
                let account = Account(9);
                let call =
                    if live.slot(9).is_none() { Call::Join { x: 440, y: 440 } } else { Call::Place(vec![(443, 443)]) };
                for call in [Call::Faucet, call] {
                    if let Ok(Some(event)) = live.machine.propose(account, &call) {
                        live.happens(&event);
                    }
                }
            }
            _ => {}
        }
        live.step(&mut players);
    }
    live.end();
    live
}

#[test]
fn a_span_with_bots_is_computed_again_and_a_restart_does_the_same() {
    let life = life();
    let log = &life.log;
    let mut players = Fakes::default();
    let span = Span::verify(&log.concat(), &mut players).expect("its own");
    assert_eq!((span.from, span.to, span.taken.len()), (0, 1_500, 0));
    assert!(span.calls > 60, "{}", span.calls);
    assert!((1..=3).all(|account| life.slot(account).is_some()), "all have kingdoms");
    // Whatever line was the last: what comes after is what came.
    for cut in (1..log.len()).step_by(9) {
        let mut players = Fakes::default();
        let mut again = Live::resumed(&log[..cut], &mut players);
        again.attend(&mut players);
        while again.log.len() < log.len() {
            let next = Event::parse(&log[again.log.len()]).unwrap();
            if next.generation() > again.machine.world().generation() {
                again.step(&mut players);
                continue;
            }
            match &next {
                Event::Checked { .. } => {
                    again.machine.apply(&next).unwrap();
                    again.log.push(next.to_line());
                }
                Event::Called { account, .. } if account.0 != [0, 0, 0, 0, 0, 0, 0, 9] => panic!("no bot did {next:?}"),
                next => again.happens(next),
            }
        }
        assert_eq!(again.log, *log, "after line {cut}");
        assert_eq!(again.machine.digest(), life.machine.digest());
    }
}

#[test]
fn a_bot_is_asked_by_generations_and_begins_afresh_with_each_snapshot() {
    let life = life();
    let events = life.log.iter().map(|line| Event::parse(line).unwrap());
    let (mut by_failing, mut placed) = (Vec::new(), 0);
    for event in events {
        if let Event::Called { generation, account, call: arena_world::LoggedCall::Place(_), .. } = event {
            let account = u64::from_be_bytes(account.0);
            if account <= 3 {
                assert_eq!(generation % ASKED_EVERY, ANSWERED_AFTER, "an answer counts so much later");
                placed += 1;
            }
            if account == 2 && generation < 700 {
                by_failing.push(generation);
            }
        }
    }
    assert!(placed > 30, "{placed}");
    // Seated in generation 7, asked from 60 on; it fails the third time, and restarts at 600.
    assert!(by_failing.iter().all(|at| [70, 130, 610, 670].contains(at)), "{by_failing:?}");
    assert!(by_failing.len() >= 3, "{by_failing:?}");
}

#[test]
fn a_bot_sees_what_it_asked_for() {
    let (mut live, mut players) = (Live::new(), Fakes::default());
    live.seat(3, Some(id("looker")));
    for _ in 0..200 {
        live.step(&mut players);
    }
    let shown: Vec<_> = players.shown.iter().map(|(_, rows, cols)| (*rows, *cols)).collect();
    assert_eq!(shown, [(64, 64), (8, 16), (8, 16)]);
    let position = Position::of_world(live.machine.world()).unwrap();
    let view = View::around(Target { row: 0, col: 511 }, 8, 16).unwrap();
    assert_eq!((view.corner.x, view.corner.y, view.centre()), (503, 508, Target { row: 0, col: 511 }));
    let seen = Position::observe(&position.clone().looking(view).observation(Seat(0), &[1; 32])).unwrap();
    for cell in view.cells() {
        assert_eq!(seen.position.world().ground().owner(cell), live.machine.world().ground().owner(cell));
        assert_eq!(seen.position.world().ground().is_alive(cell), live.machine.world().ground().is_alive(cell));
    }
    assert_eq!(seen.position.census()[1..], position.census()[1..], "counts are of the whole world");
    for (centre, rows, cols) in [(512, 8, 8), (0, 7, 8), (0, 8, 65)] {
        assert_eq!(View::around(Target { row: centre, col: 0 }, rows, cols), None);
    }
}

#[test]
fn what_is_changed_in_a_log_is_noticed_and_what_nobody_can_ask_is_said() {
    let log = life().log;
    let verify = |text: &str| Span::verify(text, &mut Fakes::default());
    let its = |line: &&String| line.contains("\"called\"") && line.contains("\"account\":\"0000000000000001\"");
    let call = log.iter().rfind(its).unwrap();
    let text = log.concat();
    let differs = |found: Result<Span, SpanError>| match found {
        Err(SpanError::Differs { why, .. }) => why,
        found => panic!("{found:?}"),
    };
    assert!(matches!(differs(verify(&text.replace(call.as_str(), ""))), IllegalEvent::BotCalls(_)), "left out");
    let another = call.replace("\"place\":[[", "\"place\":[[1");
    assert!(verify(&text.replace(call.as_str(), &another)).is_err(), "changed");
    let other_bot = text.replace("baseline:steady@1", "baseline:looker@1");
    assert!(verify(&other_bot).is_err(), "another bot would have done something else");
    // The bots are not available: their logged actions are believed, and reported as such.
    let span = Span::verify(&text, &mut Nobody).expect("it may be so");
    assert_eq!(span.taken.len(), 3, "{:?}", span.taken);
    let mut some = Fakes { missing: vec![id("looker")], ..Fakes::default() };
    assert_eq!(Span::verify(&text, &mut some).expect("the others do the same").taken, [id("looker")]);
    // What bots are said to have done in a generation in which nobody asks them is theirs to have done.
    let snapshot = &log[0];
    let forged =
        snapshot.replace("}\n", ",\"bots\":[{\"account\":\"0000000000000002\",\"bot\":\"baseline:steady@1\"}]}\n");
    assert!(verify(&(forged + &log[1..].concat())).is_err(), "a bot that was not there");
}

#[test]
fn a_bot_that_is_gone_leaves_and_the_log_says_so() {
    let (mut live, mut players) = (Live::new(), Fakes::default());
    live.seat(1, Some(id("steady")));
    live.seat(2, Some(id("looker")));
    for generation in 0..500 {
        if generation == 290 {
            players.missing.push(id("steady"));
        }
        live.step(&mut players);
    }
    live.end();
    let left: Vec<_> = live.log.iter().filter(|line| line.contains("\"bot\":null")).collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(left[0].contains(&format!("\"generation\":{}", 300 + ANSWERED_AFTER)), "{left:?}");
    assert_eq!(live.machine.bots().count(), 1);
    // Those who have it find no fault, others believe what it did before.
    let log = live.log.concat();
    assert_eq!(Span::verify(&log, &mut Fakes::default()).expect("its own").taken, []);
    let span = Span::verify(&log, &mut players).expect("its own");
    assert_eq!(span.taken, [id("steady")]);
}

#[test]
fn a_world_has_so_many_bots_and_a_log_no_seat_that_changes_nothing() {
    let mut live = Live::new();
    for account in 1..=BOTS_MAX as u64 {
        live.seat(account, Some(id("steady")));
    }
    assert_eq!(live.machine.seat(Account(99), Some(id("steady"))), Err(SeatError::TooMany));
    assert_eq!(live.machine.seat(Account(1), Some(id("steady"))), Ok(None));
    assert_eq!(live.machine.seat(Account(99), None), Ok(None));
    assert!(live.machine.seat(Account(1), Some(id("looker"))).unwrap().is_some(), "another one for the same account");
    let again = Event::parse(&live.log[1]).unwrap();
    assert_eq!(live.machine.apply(&again), Err(IllegalEvent::Seated));
    let opened = live.machine.opened("a test").to_line();
    let Ok(Event::Opened(opened)) = Event::parse(&opened) else { panic!("a snapshot") };
    assert_eq!(opened.bots.len(), BOTS_MAX);
    let mut twice = opened.clone();
    twice.bots[1] = twice.bots[0].clone();
    assert!(Machine::open(&twice).is_err());
    assert!(Machine::open(&opened).unwrap().bots().eq(live.machine.bots()));
}
