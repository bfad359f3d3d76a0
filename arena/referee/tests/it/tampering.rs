//! A record that was changed does not pass the check.

use arena_record::{EntrantId, Forfeit, ForfeitCode, Record};
use arena_referee::{Divergence, check, replay};
use arena_rules::conquerors::{Action, Position};
use arena_rules::{Reason, Seat};
use arena_wire::{Protocol, UnknownGame};

use crate::players::{baseline_game, verdict};

/// A game that goes through all rounds, so that every turn can be tampered with.
fn full_game() -> Record {
    let games = (0..50).map(|seed| baseline_game(["normal", "normal"], seed));
    games.into_iter().find(|record| record.turns.len() == 24).expect("most games are full ones")
}

#[test]
fn tampering_with_any_turn_is_noticed() {
    let record = full_game();
    for turn in 0..record.turns.len() {
        let number = turn + 1;
        let other_digest = verdict(&record, |record| record.turns[turn].digest.0[7] ^= 1);
        assert_eq!(other_digest, Err(Divergence::Digest(number)));

        let missing = verdict(&record, |record| record.turns[turn].plays.clear());
        assert_eq!(missing, Err(Divergence::Missing { turn: number, seat: Seat((turn % 2) as u8) }));

        let stranger = verdict(&record, |record| record.turns[turn].plays[0].seat ^= 1);
        assert!(matches!(stranger, Err(Divergence::Action { turn, .. }) if turn == number), "{stranger:?}");
        let nobody = verdict(&record, |record| record.turns[turn].plays[0].seat = 255);
        assert!(matches!(nobody, Err(Divergence::Action { turn, seat: Seat(255), .. }) if turn == number));

        let twice = verdict(&record, |record| {
            let play = record.turns[turn].plays[0].clone();
            record.turns[turn].plays.push(play);
        });
        assert!(matches!(twice, Err(Divergence::Action { turn, .. }) if turn == number), "{twice:?}");

        let left_out = verdict(&record, |record| drop(record.turns.remove(turn)));
        assert!(left_out.is_err());
        let cut = verdict(&record, |record| record.turns.truncate(turn));
        assert_eq!(cut, Err(Divergence::Length { rules: number, record: turn }));

        // Every byte of every action: another action, none, or one that the rules refuse.
        for at in 0..record.turns[turn].plays[0].action.0.len() {
            for bit in 0..8 {
                let other = verdict(&record, |record| record.turns[turn].plays[0].action.0[at] ^= 1 << bit);
                let here = match &other {
                    Err(Divergence::Action { turn, .. }) | Err(Divergence::Digest(turn)) => *turn == number,
                    _ => false,
                };
                assert!(here, "byte {at} of turn {number}: {other:?}");
            }
        }
        let cells_exchanged = verdict(&record, |record| {
            let action = &mut record.turns[turn].plays[0].action.0;
            let replaced = Position::encode_action(&Action::Skip);
            *action = if *action == replaced { Position::encode_action(&Action::Pass) } else { replaced };
        });
        assert!(cells_exchanged.is_err());
    }
}

#[test]
fn tampering_with_the_end_is_noticed() {
    let record = full_game();
    type Change = fn(&mut Record);
    let ends: [(&str, Change); 6] = [
        ("winner", |record| record.outcome.winner = if record.outcome.winner == Some(0) { Some(1) } else { Some(0) }),
        ("draw", |record| record.outcome.winner = if record.outcome.winner.is_none() { Some(0) } else { None }),
        ("reason", |record| record.outcome.reason = Reason::Extinction.code().into()),
        ("tally", |record| record.outcome.tally[1] += 1),
        ("digest", |record| record.digest.0[31] ^= 1),
        ("another tally", |record| record.outcome.tally.swap(0, 1)),
    ];
    for (what, change) in ends {
        let mut changed = record.clone();
        change(&mut changed);
        if changed != record {
            assert_eq!(check(&changed), Err(Divergence::Outcome), "{what}");
        }
    }
    let longer = verdict(&record, |record| record.turns.push(record.turns[0].clone()));
    assert_eq!(longer, Err(Divergence::Length { rules: 24, record: 25 }));
}

#[test]
fn tampering_with_the_header_is_noticed() {
    let record = full_game();
    let unknown = verdict(&record, |record| record.header.ruleset = "conquerors@3".into());
    assert_eq!(unknown, Err(Divergence::Unknown(UnknownGame::Ruleset("conquerors@3".into()))));
    let options = verdict(&record, |record| record.header.options = "weighted_majority,chain_needs_home".into());
    assert!(matches!(options, Err(Divergence::Unknown(UnknownGame::Options { .. }))));
    // Other options of the same ruleset are another game from the first turn on.
    let other = verdict(&record, |record| record.header.options = "weighted_majority".into());
    assert_eq!(other, Err(Divergence::Digest(1)));
    let third = verdict(&record, |record| record.header.entrants.push(EntrantId::of_baseline("hard", 1)));
    assert_eq!(third, Err(Divergence::Seats(3)));
    let mut foreign = record.clone();
    foreign.header.ruleset = "war_of_life@1".into();
    let Err(Divergence::Unknown(UnknownGame::Ruleset(_))) = replay::<Position>(&foreign) else {
        panic!("a position of one ruleset cannot replay another")
    };
}

#[test]
fn an_invented_forfeit_is_noticed() {
    let record = full_game();
    let forfeit = |seat, turn| Forfeit { seat, turn, code: ForfeitCode::Trap, detail: "invented".into() };
    for seat in [0, 1] {
        let early = verdict(&record, |record| record.forfeits = vec![forfeit(seat, None)]);
        assert_eq!(early, Err(Divergence::Length { rules: 0, record: 24 }));
        // After the end, whether in the next turn or far beyond, nobody is asked.
        for turn in [24, 25, u16::MAX] {
            let late = verdict(&record, |record| record.forfeits = vec![forfeit(seat, Some(turn))]);
            assert_eq!(late, Err(Divergence::Forfeit(Seat(seat))), "turn {turn}");
        }
        for turn in 0..24_u16 {
            // One seat answered in that turn, the other was not asked.
            let within = verdict(&record, |record| record.forfeits = vec![forfeit(seat, Some(turn))]);
            assert_eq!(within, Err(Divergence::Forfeit(Seat(seat))), "turn {turn}");
        }
    }
    let stranger = verdict(&record, |record| record.forfeits = vec![forfeit(2, None)]);
    assert_eq!(stranger, Err(Divergence::Forfeit(Seat(2))));
    for pair in [[(0, None), (0, None)], [(1, None), (0, None)], [(0, Some(2)), (1, None)]] {
        let forfeits = pair.map(|(seat, turn)| forfeit(seat, turn)).to_vec();
        let unordered = verdict(&record, |record| record.forfeits = forfeits.clone());
        assert_eq!(unordered, Err(Divergence::Forfeit(Seat(pair[1].0))));
    }
}
