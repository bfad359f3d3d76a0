//! Games that people end: by giving up in any turn, by running out of time, by agreeing.

use arena_record::{Bytes, ForfeitCode, Record};
use arena_referee::{
    Divergence, Ending, Fault, Player, Referee, Refused, Reply, Step, check, endings, play_with, replay,
};
use arena_rules::conquerors::{Action, Position, Start};
use arena_rules::game_of_game_of_life::{self, Options};
use arena_rules::{BySeat, Reason, Ruleset, Seat};
use arena_wire::Protocol;

use crate::players::{Baseline, Script, header, seated, verdict};

fn gave_up(code: ForfeitCode) -> Fault {
    Fault { code, detail: "a person's word".into() }
}

/// A game that ends as people say.
fn ended(endings: &[(u16, Ending)]) -> Record {
    let (mut blue, mut red) = (Baseline::new("easy"), Baseline::new("easy"));
    play_with(header(["person:00000000000000a1", "person:00000000000000b2"], 1), seated(&mut blue, &mut red), endings)
        .expect("a game")
}

#[test]
fn a_person_can_give_up_or_run_out_of_time_in_any_turn() {
    for code in [ForfeitCode::Resigned, ForfeitCode::OutOfTime] {
        for turn in 0..3_u16 {
            for seat in [Seat(0), Seat(1)] {
                let record = ended(&[(turn, Ending::Out(seat, gave_up(code)))]);
                assert_eq!(record.turns.len(), usize::from(turn));
                let forfeit = &record.forfeits[0];
                assert_eq!((forfeit.seat, forfeit.turn, forfeit.code), (seat.0, Some(turn), code));
                assert_eq!(record.outcome().winner, Some(seat.opponent()));
                assert_eq!(record.outcome().reason, Reason::Forfeit);
                assert_eq!(check(&record), Ok(()));
                assert_eq!(Record::parse(&record.to_text()).as_ref().ok(), Some(&record));
                assert_eq!(endings(&record), [(turn, Ending::Out(seat, gave_up(code)))]);
                let asked = replay::<Position>(&record).expect("checked").asked(turn.into()).expect("it was asked");
                assert_eq!(asked.outcome(), None);
                // A bot that is not asked cannot fail.
                if seat.0 != (turn % 2) as u8 {
                    let trap = verdict(&record, |record| record.forfeits[0].code = ForfeitCode::Trap);
                    assert_eq!(trap, Err(Divergence::Forfeit(seat)));
                }
            }
        }
    }
}

#[test]
fn people_can_agree_to_a_draw() {
    let record = ended(&[(2, Ending::Agreed)]);
    assert_eq!((record.turns.len(), record.forfeits.len()), (2, 0));
    assert_eq!((record.outcome().winner, record.outcome().reason), (None, Reason::Agreed));
    assert_eq!(check(&record), Ok(()));
    assert_eq!(endings(&record), [(2, Ending::Agreed)]);
    assert_eq!(Record::parse(&record.to_text()).as_ref().ok(), Some(&record));
    let won = verdict(&record, |record| record.outcome.winner = Some(0));
    assert_eq!(won, Err(Divergence::Outcome));
    let not_agreed = verdict(&record, |record| record.outcome.reason = Reason::Majority.code().into());
    assert_eq!(not_agreed, Err(Divergence::Length { rules: 3, record: 2 }));
}

#[test]
fn what_ends_otherwise_is_not_agreed() {
    let record = ended(&[(1, Ending::Out(Seat(0), gave_up(ForfeitCode::Resigned)))]);
    let agreed = verdict(&record, |record| record.outcome.reason = Reason::Agreed.code().into());
    assert_eq!(agreed, Err(Divergence::Outcome));
}

#[test]
fn what_is_refused_leaves_the_game_as_it_was() {
    let start = Position::start(&Start::default(), &[0; 32]);
    let options = Position::options_text(&Start::default());
    let mut game = Referee::new(start, &options, &header(["baseline:easy@1"; 2], 0).budgets);
    let skip = |fuel| Reply { action: Position::encode_action(&Action::Skip), fuel };
    let before = game.clone();
    let trap = || gave_up(ForfeitCode::Trap);
    assert_eq!(game.submit(Seat(1), skip(None)), Err(Refused::NotAsked(Seat(1))));
    assert_eq!(game.submit(Seat(255), skip(None)), Err(Refused::NotAsked(Seat(255))));
    assert!(matches!(game.submit(Seat(0), Reply { action: vec![9], fuel: None }), Err(Refused::Action(..))));
    let most = game.fuel(Seat(0));
    assert_eq!(game.submit(Seat(0), skip(Some(most + 1))), Err(Refused::Fuel { took: most + 1, allowed: most }));
    assert_eq!(game.forfeit(Seat(1), trap()), Err(Refused::NotAsked(Seat(1))));
    assert_eq!(game.forfeit(Seat(7), gave_up(ForfeitCode::Resigned)), Err(Refused::NotAsked(Seat(7))));
    assert_eq!(game.fail_to_start(Seat(2), trap()), Err(Refused::NotAsked(Seat(2))));
    assert_eq!(game.pass(), Step::Waiting, "somebody is to be asked");
    assert_eq!(game, before);
    assert_eq!(game.submit(Seat(0), skip(Some(most))), Ok(Step::Turned));
    let before = game.clone();
    assert_eq!(game.fail_to_start(Seat(0), trap()), Err(Refused::Started));
    assert_eq!(game, before);
    assert_eq!(game.agree(), Ok(Step::Over));
    let over = game.clone();
    assert_eq!(game.agree(), Err(Refused::Over));
    assert_eq!(game.submit(Seat(1), skip(None)), Err(Refused::Over));
    assert_eq!(game.forfeit(Seat(1), gave_up(ForfeitCode::Resigned)), Err(Refused::Over));
    assert_eq!(game, over);
}

/// Where seats answer at once, an answer that was given falls with its person, and the others play on.
#[test]
fn a_person_of_three_can_give_up_after_its_answer() {
    type Field = game_of_game_of_life::Position;
    let options = Options { seats: 3, ..Options::default() };
    let text = Field::options_text(&options);
    let header = header(["person:00000000000000a1"; 2], 1);
    let mut game = Referee::new(Field::start(&options, &[7; 32]), &text, &header.budgets);
    let pass = || Reply { action: Field::encode_action(&game_of_game_of_life::Action::Pass), fuel: None };
    assert_eq!(game.submit(Seat(0), pass()), Ok(Step::Waiting));
    assert_eq!(game.forfeit(Seat(0), gave_up(ForfeitCode::OutOfTime)), Ok(Step::Waiting));
    assert_eq!(game.forfeit(Seat(0), gave_up(ForfeitCode::OutOfTime)), Err(Refused::NotAsked(Seat(0))));
    assert_eq!(game.submit(Seat(2), pass()), Ok(Step::Waiting));
    assert_eq!(game.submit(Seat(1), pass()), Ok(Step::Turned));
    assert_eq!(game.turns()[0].plays.iter().map(|play| play.seat).collect::<Vec<_>>(), [1, 2]);
    assert!(!game.awaiting().contains(Seat(0)));
    // With one of the two left there is nothing to play for: the game ends before the third has answered.
    assert_eq!(game.forfeit(Seat(2), gave_up(ForfeitCode::Resigned)), Ok(Step::Over));
    let three = vec!["person:00000000000000a1".parse().expect("an id"); 3];
    let header = arena_record::Header {
        ruleset: Field::ID.into(),
        options: text,
        seed: arena_record::Hex([7; 32]),
        entrants: three,
        ..header
    };
    let record = game.record(header, vec![None; 3]).expect("over");
    assert_eq!(check(&record), Ok(()));
    assert_eq!(record.forfeits.len(), 2);
    let answered = verdict(&record, |record| {
        let pass = Bytes(pass().action);
        record.turns[0].plays.insert(0, arena_record::Play { seat: 0, action: pass, fuel: None });
    });
    assert_eq!(answered, Err(Divergence::Forfeit(Seat(0))));
}

/// Endings that no game can have are ours to answer for, not a player's.
#[test]
fn an_ending_after_the_end_is_a_platform_fault() {
    let (mut blue, mut red) = (Script::of(vec![Action::Skip]), Script::of(vec![Action::Skip]));
    let twice = vec![(1, Ending::Agreed), (1, Ending::Agreed)];
    let players: BySeat<&mut dyn Player> = seated(&mut blue, &mut red);
    let error = play_with(header(["person:00000000000000a1", "person:00000000000000b2"], 1), players, &twice);
    assert!(matches!(error, Err(arena_referee::PlayError::Platform(_))), "{error:?}");
}
