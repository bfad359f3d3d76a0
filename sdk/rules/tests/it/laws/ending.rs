//! How turns and games end.

use arena_rules::conquerors::{
    Action, Board, ByColour, Colour, Options, Position, ROUNDS, Refusal, Setup, SetupError, Turn, TurnDraft,
};
use arena_rules::{BySeat, Outcome, Reason, Rng, Ruleset, Seat};

use super::play::{advanced, all_options, cell, many_positions, random_walk, target};

#[test]
fn every_random_game_ends_by_ply_24_and_stays_ended() {
    let mut rng = Rng::new(&[6; 32], 0);
    let mut reasons = [0; 4];
    let mut full_games = 0;
    for options in all_options() {
        for _ in 0..60 {
            let walk = random_walk(&mut rng, &options);
            let (last, before) = walk.split_last().expect("the start at least");
            assert!(walk.len() <= 1 + 2 * usize::from(ROUNDS));
            for (ply, position) in before.iter().enumerate() {
                assert_eq!(usize::from(position.ply()), ply);
                assert_eq!(position.outcome(), None);
                let mover = Seat((ply % 2) as u8);
                assert_eq!(position.awaiting().iter().collect::<Vec<_>>(), [mover]);
            }
            let outcome = last.outcome().expect("a walk goes to the end");
            assert_end(last, &outcome);
            reasons[Reason::ALL.iter().position(|reason| *reason == outcome.reason).expect("listed")] += 1;
            full_games += u32::from(walk.len() == 25);
        }
    }
    let [extinction, mutual, majority, forfeit] = reasons;
    assert!(extinction > 50 && mutual > 50 && majority > 50 && forfeit == 0, "{reasons:?}");
    assert!(full_games >= majority);
}

/// Checks what holds at the end of any game, and that nothing changes it afterwards.
fn assert_end(last: &Position, outcome: &Outcome) {
    let (counts, scores) = (last.board().counts(), last.board().scores());
    let tally = if last.options().weighted_majority { scores } else { counts };
    assert_eq!(outcome.tally, BySeat::from([tally.blue, tally.red]));
    let compared = match outcome.reason {
        Reason::MutualExtinction => {
            assert_eq!(counts, ByColour::default());
            counts
        }
        Reason::Extinction => {
            assert!((counts.blue == 0) != (counts.red == 0));
            counts
        }
        Reason::Majority => {
            assert!(counts.blue > 0 && counts.red > 0 && last.round() == 13);
            if last.options().weighted_majority { scores } else { counts }
        }
        other => panic!("no rule of Conquerors ends a game by {other:?}"),
    };
    let winner = match compared.blue.cmp(&compared.red) {
        std::cmp::Ordering::Greater => Some(Seat(0)),
        std::cmp::Ordering::Less => Some(Seat(1)),
        std::cmp::Ordering::Equal => None,
    };
    assert_eq!(outcome.winner, winner);

    assert!(last.awaiting().is_empty());
    assert_eq!(last.to_move(), None);
    for seat in [Seat(0), Seat(1), Seat(2)] {
        for action in [Action::Skip, Action::Pass, Action::Bomb(target(3, 3)), Action::Place(vec![target(3, 3)])] {
            assert_eq!(last.check(seat, &action), Err(Refusal::GameOver));
        }
        assert_eq!(TurnDraft::new(last, seat).map(drop), Err(Refusal::GameOver));
        let mut after = last.clone();
        after.forfeit(seat);
        assert_eq!(after, *last);
    }
    for turn in [None, Some(Turn::Skip), Some(Turn::Bomb(cell(3, 3)))] {
        let mut after = last.clone();
        after.advance(BySeat::from([turn.clone(), turn]));
        assert_eq!(after, *last);
    }
}

#[test]
fn a_forfeit_gives_the_game_to_the_opponent_once() {
    for position in many_positions() {
        if position.outcome().is_some() {
            continue;
        }
        for seat in [Seat(0), Seat(1)] {
            let mut after = position.clone();
            after.forfeit(seat);
            let outcome = after.outcome().expect("a forfeit ends a game of two");
            assert_eq!((outcome.winner, outcome.reason), (Some(seat.opponent()), Reason::Forfeit));
            assert_eq!(after.setup(), position.setup());
            assert!(after.awaiting().is_empty());
            let ended = after.clone();
            after.forfeit(seat.opponent());
            assert_eq!(after, ended);
        }
    }
}

/// The position with a board, in a round, with `to_move` to move; everything else as at the start.
fn position(board: Board, round: u8, to_move: Colour, options: Options) -> Position {
    let start = Position::start(&options.into(), &[0; 32]);
    Setup { board, round, to_move, ..*start.setup() }.position().expect("within its ranges")
}

fn still_block(board: &mut Board, row: u8, col: u8, colour: Colour) {
    for (row, col) in [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)] {
        board.set(cell(row, col), colour);
    }
}

/// Rows about the order of checks at the end of a turn: who has cells after it, in which round, after whose turn.
#[test]
fn the_end_of_a_turn_asks_in_its_order() {
    use Colour::{Blue, Red};
    let end = |winner: Option<Colour>, reason| Some((winner.map(Colour::seat), reason));
    let (blue_wins, red_wins) = (end(Some(Blue), Reason::Extinction), end(Some(Red), Reason::Extinction));
    let (nobody, both) = (end(None, Reason::MutualExtinction), end(None, Reason::Majority));
    // Cells of blue and red after the turn, round and mover of the turn, round after it, outcome.
    let rows = [
        // Before red has moved, extinction does not count, not even of both.
        ((0, 0), 1, Blue, 1, None),
        ((4, 0), 1, Blue, 1, None),
        ((0, 4), 1, Blue, 1, None),
        // The round is counted up before extinction is checked: red's first turn is the first that can end the game.
        ((0, 0), 1, Red, 2, nobody),
        ((4, 0), 1, Red, 2, blue_wins),
        ((0, 4), 1, Red, 2, red_wins),
        ((4, 4), 1, Red, 2, None),
        ((0, 0), 2, Blue, 2, nobody),
        ((4, 0), 2, Blue, 2, blue_wins),
        ((0, 4), 2, Blue, 2, red_wins),
        // The last round: extinction before majority, and majority only after red's turn.
        ((4, 4), 12, Blue, 12, None),
        ((0, 4), 12, Blue, 12, red_wins),
        ((0, 0), 12, Red, 13, nobody),
        ((4, 0), 12, Red, 13, blue_wins),
        ((0, 4), 12, Red, 13, red_wins),
        ((4, 4), 12, Red, 13, both),
        ((8, 4), 12, Red, 13, end(Some(Blue), Reason::Majority)),
        ((4, 8), 12, Red, 13, end(Some(Red), Reason::Majority)),
        ((4, 4), 11, Red, 12, None),
    ];
    for ((blue, red), round, mover, round_after, wanted) in rows {
        let mut board = Board::EMPTY;
        (0..blue / 4).for_each(|number| still_block(&mut board, 4 * number, 1, Blue));
        (0..red / 4).for_each(|number| still_block(&mut board, 4 * number, 25, Red));
        let before = position(board, round, mover, Options::V2);
        let after = advanced(&before, Turn::Skip);
        let what = format!("{blue} and {red} cells, {mover:?} in round {round}");
        assert_eq!(after.outcome().map(|outcome| (outcome.winner, outcome.reason)), wanted, "{what}");
        assert_eq!(after.round(), round_after, "{what}");
        // The sides change only while the game goes on.
        assert_eq!(after.setup().to_move, if wanted.is_some() { mover } else { mover.other() }, "{what}");
        assert!(after.skip_used()[mover], "{what}");
    }
}

#[test]
fn two_first_skips_are_a_draw_by_mutual_extinction() {
    let start = Position::start(&Options::V2.into(), &[0; 32]);
    let after_blue = advanced(&start, Turn::Skip);
    assert_eq!(after_blue.outcome(), None);
    let outcome = advanced(&after_blue, Turn::Skip).outcome().expect("nobody lives");
    assert_eq!((outcome.winner, outcome.reason), (None, Reason::MutualExtinction));
    assert_eq!(outcome.tally, BySeat::from([0, 0]));
}

#[test]
fn a_missing_turn_is_a_pass_and_a_strangers_turn_is_none() {
    let start = Position::start(&Options::V2.into(), &[0; 32]);
    let passed = advanced(&start, Turn::Pass);
    for turns in [BySeat::from(vec![]), BySeat::from([None, None]), BySeat::from([None, Some(Turn::Skip)])] {
        let mut after = start.clone();
        after.advance(turns);
        assert_eq!(after, passed);
    }
}

#[test]
fn a_bomb_cools_for_its_throwers_next_turn() {
    let mut board = Board::EMPTY;
    still_block(&mut board, 20, 1, Colour::Blue);
    still_block(&mut board, 20, 25, Colour::Red);
    still_block(&mut board, 0, 12, Colour::Red);
    let mut now = position(board, 7, Colour::Blue, Options::V2);
    let bomb = Action::Bomb(target(0, 12));
    let mut cooldowns = Vec::new();
    for turn in [Turn::Bomb(cell(0, 12)), Turn::Skip, Turn::Skip, Turn::Bomb(cell(10, 12))] {
        let seat = now.setup().to_move.seat();
        assert_eq!(now.check(seat, &Action::from(&turn)), Ok(turn.clone()));
        if turn == Turn::Skip && seat == Seat(0) {
            assert_eq!(now.check(seat, &bomb), Err(Refusal::BombCooling(1)));
        }
        now = advanced(&now, turn);
        cooldowns.push([now.cooldown().blue, now.cooldown().red]);
    }
    assert_eq!(cooldowns, [[2, 0], [1, 0], [0, 0], [0, 2]]);
    assert_eq!(now.board().counts(), ByColour { blue: 4, red: 4 });
    assert_eq!(now.check(Seat(0), &bomb), Ok(Turn::Bomb(cell(0, 12))));
}

#[test]
fn majority_counts_the_enemys_home_twice_unless_v5() {
    // Blue: four blocks, two of them in red's home: 16 cells, 24 points. Red: five blocks at home: 20 of either.
    let mut board = Board::EMPTY;
    for (row, col) in [(1, 1), (5, 1), (1, 25), (5, 25)] {
        still_block(&mut board, row, col, Colour::Blue);
    }
    for row in [9, 12, 15, 18, 21] {
        still_block(&mut board, row, 22, Colour::Red);
    }
    for (options, winner, tally) in [(Options::V2, Seat(0), [24, 20]), (Options::V5, Seat(1), [16, 20])] {
        let outcome = advanced(&position(board, 12, Colour::Red, options), Turn::Skip).outcome().expect("round 12");
        assert_eq!((outcome.winner, outcome.reason), (Some(winner), Reason::Majority));
        assert_eq!(outcome.tally, BySeat::from(tally));
    }
}

#[test]
fn setups_out_of_range_are_no_positions() {
    let setup = *Position::start(&Options::V2.into(), &[0; 32]).setup();
    for round in [0, 13, 255] {
        assert_eq!(Setup { round, ..setup }.position(), Err(SetupError::Round(round)));
    }
    for round in [1, 12] {
        assert!(Setup { round, ..setup }.position().is_ok());
    }
    for cooldown in [ByColour { blue: 4, red: 0 }, ByColour { blue: 0, red: 4 }] {
        assert_eq!(Setup { cooldown, ..setup }.position(), Err(SetupError::Cooldown(4)));
    }
    assert!(Setup { cooldown: ByColour { blue: 3, red: 3 }, ..setup }.position().is_ok());
}
