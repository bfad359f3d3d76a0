//! A player can lose its own game, and no other.

use arena_record::{Forfeit, ForfeitCode, Record};
use arena_referee::{Divergence, Failure, Fault, check, play, replay};
use arena_rules::conquerors::{Action, Position, Target};
use arena_rules::{Reason, Seat};

use crate::players::{Baseline, Script, header, scripted, seated, verdict};

/// What a player can do wrong in its own turn.
fn faults_of_a_turn(offender: Seat) -> Vec<(Script, ForfeitCode, &'static str)> {
    let own = ForfeitCode::ALL
        .into_iter()
        .take(4)
        .map(|code| (Script::failing(Fault { code, detail: format!("scripted {code}") }), code, "scripted "));
    let bytes = [
        (vec![], "at least 3 bytes"),
        (vec![1, 3], "at least 3 bytes"),
        (vec![2, 3, 0], "version"),
        (vec![1, 9, 0], "kind of action"),
        (vec![1, 3, 1, 0, 0], "does not come with"),
        (vec![1, 1, 4, 0, 0], "has 11 bytes"),
        (vec![1, 3, 0, 0], "has 3 bytes"),
        (vec![0; 4096], "version"),
    ];
    let bad = bytes.into_iter().map(|(bytes, why)| (Script::answering(bytes), ForfeitCode::BadOutput, why));
    let home = if offender == Seat(0) { 3 } else { 24 };
    let place =
        |cells: &[(u8, u8)]| Action::Place(cells.iter().map(|(row, col)| Target { row: *row, col: *col }).collect());
    let refused = [
        (place(&[]), "at least one cell"),
        (place(&[(3, home)]), "1 of 4 cells"),
        (place(&[(3, 12), (3, 13), (3, 14), (3, 15)]), "out of reach"),
        (place(&[(200, 3)]), "not on the board"),
        (Action::Bomb(Target { row: 3, col: 3 }), "round 7"),
        (Action::Pass, "a pass is legal only"),
    ];
    let illegal = refused.into_iter().map(|(action, why)| (Script::of(vec![action]), ForfeitCode::IllegalMove, why));
    own.chain(bad).chain(illegal).collect()
}

#[test]
fn a_fault_in_a_turn_loses_that_turns_players_game_only() {
    for offender in [Seat(0), Seat(1)] {
        for (mut script, code, detail) in faults_of_a_turn(offender) {
            let mut fair = Script::of(vec![Action::Skip]);
            let record = match offender {
                Seat(0) => scripted(&mut script, &mut fair),
                _ => scripted(&mut fair, &mut script),
            };
            let [forfeit] = &record.forfeits[..] else { panic!("{:?}", record.forfeits) };
            assert_eq!((forfeit.seat, forfeit.turn, forfeit.code), (offender.0, Some(offender.0.into()), code));
            assert!(forfeit.detail.contains(detail), "{forfeit:?} does not say {detail:?}");
            assert_eq!(record.turns.len(), offender.index());
            assert_eq!(record.outcome().winner, Some(offender.opponent()));
            assert_eq!(record.outcome().reason, Reason::Forfeit);
            assert_eq!(check(&record), Ok(()));
            assert_eq!(Record::parse(&record.to_text()).map(|read| check(&read)).ok(), Some(Ok(())));
            assert_eq!(script.turns_asked, 1);
            assert_eq!(fair.turns_asked, offender.index());
            assert_forfeit_cannot_move(&record, offender);
        }
    }
}

/// Blaming the other seat, another turn or nobody is noticed.
fn assert_forfeit_cannot_move(record: &Record, offender: Seat) {
    let blamed = verdict(record, |record| record.forfeits[0].seat ^= 1);
    assert_eq!(blamed, Err(Divergence::Forfeit(offender.opponent())));
    let later = verdict(record, |record| record.forfeits[0].turn = Some(9));
    assert_eq!(later, Err(Divergence::Forfeit(offender)));
    let (rules, turns) = (record.turns.len() + 1, record.turns.len());
    let nobody = verdict(record, |record| record.forfeits.clear());
    assert_eq!(nobody, Err(Divergence::Length { rules, record: turns }));
    let winner = verdict(record, |record| record.outcome.winner = Some(offender.0));
    assert_eq!(winner, Err(Divergence::Outcome));
}

#[test]
fn a_fault_at_the_start_loses_before_the_first_turn() {
    for offender in [Seat(0), Seat(1)] {
        for code in ForfeitCode::ALL {
            let fault = Fault { code, detail: "scripted".into() };
            let mut broken = Script { start: Err(Failure::Own(fault)), ..Script::of(vec![]) };
            let mut fair = Script { fuel: Some(11), ..Script::of(vec![Action::Skip]) };
            let record = match offender {
                Seat(0) => scripted(&mut broken, &mut fair),
                _ => scripted(&mut fair, &mut broken),
            };
            let wanted = Forfeit { seat: offender.0, turn: None, code, detail: "scripted".into() };
            assert_eq!(record.forfeits, [wanted]);
            assert_eq!(record.starts[offender.index()], None);
            assert_eq!(record.starts[offender.opponent().index()], Some(11));
            assert_eq!((record.turns.len(), record.outcome().winner), (0, Some(offender.opponent())));
            assert_eq!((broken.turns_asked, fair.turns_asked), (0, 0));
            assert_eq!(check(&record), Ok(()));
            assert!(matches!(replay::<Position>(&record), Ok(game) if game.positions().count() == 1));
        }
    }
}

#[test]
fn when_both_fail_to_start_both_are_named_and_the_first_loses() {
    let fault = |code| Err(Failure::Own(Fault { code, detail: "scripted".into() }));
    let mut blue = Script { start: fault(ForfeitCode::Trap), ..Script::of(vec![]) };
    let mut red = Script { start: fault(ForfeitCode::StackOverflow), ..Script::of(vec![]) };
    let record = scripted(&mut blue, &mut red);
    let named: Vec<_> = record.forfeits.iter().map(|forfeit| (forfeit.seat, forfeit.turn, forfeit.code)).collect();
    assert_eq!(named, [(0, None, ForfeitCode::Trap), (1, None, ForfeitCode::StackOverflow)]);
    assert_eq!(record.outcome().winner, Some(Seat(1)));
    assert_eq!(check(&record), Ok(()));
}

#[test]
fn a_forfeit_late_in_a_game_keeps_the_turns_before_it() {
    let mut blue = Baseline::new("normal");
    let mut red = Baseline { turns_left: 5, ..Baseline::new("normal") };
    let record =
        play(header(["baseline:normal@1", "baseline:hard@1"], 1), seated(&mut blue, &mut red)).expect("played");
    assert_eq!(record.turns.len(), 11);
    assert_eq!(record.forfeits[0].turn, Some(11));
    assert_eq!(record.outcome().winner, Some(Seat(0)));
    assert_eq!(check(&record), Ok(()));
    let earlier = verdict(&record, |record| record.forfeits[0].turn = Some(9));
    assert_eq!(earlier, Err(Divergence::Forfeit(Seat(1))));
}
