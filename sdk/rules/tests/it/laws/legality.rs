//! Legality of actions: a draft lists exactly what it accepts, and a refusal names its rule and changes nothing.

use arena_rules::conquerors::{
    Action, Board, ByColour, Cell, Colour, Options, PLACEMENTS, Plane, Position, Refusal, Setup, Turn, TurnDraft, Zone,
};
use arena_rules::{Rng, Ruleset, Seat};

use super::play::{all_targets, any_setup, cell, many_positions, target};

/// Checks that the draft accepts exactly the cells it lists, trying all 728 and some beyond the board before each placement.
fn assert_lists_what_it_accepts(draft: &TurnDraft<'_>) {
    let mut accepted = Plane::EMPTY;
    for target in all_targets() {
        let mut tried = draft.clone();
        match tried.place(target) {
            Ok(()) => {
                let cell = Cell::new(target.row, target.col).expect("only cells of the board are accepted");
                accepted.insert(cell);
                assert_eq!(tried.placed().last(), Some(&cell));
                assert_eq!(tried.placed().len(), draft.placed().len() + 1);
                assert_eq!(tried.placements_left(), draft.placements_left() - 1);
            }
            Err(_) => assert_same_draft(&tried, draft),
        }
    }
    assert_eq!(accepted, draft.placeable());
}

fn assert_same_draft(one: &TurnDraft<'_>, other: &TurnDraft<'_>) {
    assert_eq!(one.board(), other.board());
    assert_eq!(one.placed(), other.placed());
    assert_eq!(one.placements_left(), other.placements_left());
    assert_eq!(one.reach(), other.reach());
}

#[test]
fn what_is_listed_is_what_is_accepted() {
    let mut rng = Rng::new(&[2; 32], 0);
    let (mut reached_enemy, mut drafts) = (0, 0);
    for position in many_positions() {
        let Some(mover) = position.to_move() else { continue };
        let mut draft = TurnDraft::new(&position, mover.seat()).expect("it is the mover's turn");
        loop {
            assert_lists_what_it_accepts(&draft);
            drafts += 1;
            reached_enemy += u32::from(draft.reach().is_open(Zone::Enemy));
            let cells: Vec<Cell> = draft.placeable().cells().collect();
            if cells.is_empty() {
                break;
            }
            draft.place(cells[rng.below(cells.len() as u32) as usize].into()).expect("listed");
        }
        assert!(draft.placed().is_empty() || matches!(draft.clone().finish(), Ok(Turn::Place(_))));
    }
    assert!(reached_enemy > 100 && drafts > 3_000, "{reached_enemy} of {drafts} drafts reached the enemy's home");
}

#[test]
fn a_resumed_draft_has_what_is_left_of_the_turn() {
    let position = Position::start(&Options::V2.into(), &[0; 32]);
    for placed_before in 0..=255_u8 {
        let mut draft = TurnDraft::resume(&position, Seat(0), placed_before).expect("blue begins");
        let left = PLACEMENTS.saturating_sub(placed_before);
        assert_eq!(draft.placements_left(), left);
        assert_lists_what_it_accepts(&draft);
        for col in 0..left {
            draft.place(target(3, col)).expect("blue's home");
        }
        assert_eq!(draft.place(target(4, 0)), Err(Refusal::TooManyCells));
        if placed_before > 0 {
            assert_eq!(draft.clone().skip(), Err(Refusal::TurnStarted));
            assert_eq!(draft.clone().bomb(target(4, 0)), Err(Refusal::TurnStarted));
            assert_eq!(draft.pass(), Err(Refusal::PassNotNeeded));
        }
    }
}

/// Actions of all kinds that no position of the first round accepts, with their refusals.
#[test]
fn refusals_name_the_broken_rule_and_touch_nothing() {
    let start = Position::start(&Options::V2.into(), &[0; 32]);
    let home = |count: u8| (0..count).map(|col| target(3, col)).collect::<Vec<_>>();
    let place = |cells: &[(u8, u8)]| Action::Place(cells.iter().map(|(row, col)| target(*row, *col)).collect());
    let rows = [
        (Action::Place(home(0)), Refusal::NoCells),
        (Action::Place(home(1)), Refusal::TooFewCells(1)),
        (Action::Place(home(3)), Refusal::TooFewCells(3)),
        (Action::Place(home(5)), Refusal::TooManyCells),
        (place(&[(3, 3), (3, 3), (3, 4), (3, 5)]), Refusal::Occupied(cell(3, 3))),
        (place(&[(3, 8), (3, 3), (3, 4), (3, 5)]), Refusal::Unreachable(cell(3, 8), Zone::Neutral)),
        (place(&[(3, 3), (3, 20), (3, 4), (3, 5)]), Refusal::Unreachable(cell(3, 20), Zone::Enemy)),
        (place(&[(3, 3), (3, 8), (3, 20), (3, 5)]), Refusal::Unreachable(cell(3, 20), Zone::Enemy)),
        (place(&[(26, 0), (3, 3), (3, 4), (3, 5)]), Refusal::OffBoard(target(26, 0))),
        (place(&[(3, 3), (0, 28), (3, 4), (3, 5)]), Refusal::OffBoard(target(0, 28))),
        (place(&[(255, 255)]), Refusal::OffBoard(target(255, 255))),
        (Action::Bomb(target(3, 3)), Refusal::BombTooEarly),
        (Action::Bomb(target(26, 28)), Refusal::BombTooEarly),
        (Action::Pass, Refusal::PassNotNeeded),
    ];
    for (action, wanted) in rows {
        assert_eq!(start.check(Seat(0), &action), Err(wanted), "{action:?}");
        for stranger in [Seat(1), Seat(2), Seat(255)] {
            assert_eq!(start.check(stranger, &action), Err(Refusal::NotYourTurn), "{action:?}");
        }
        assert_eq!(start, Position::start(&Options::V2.into(), &[0; 32]));
    }

    let late = |cooldown, skip_used| {
        let setup = Setup {
            round: 7,
            cooldown: ByColour { blue: cooldown, red: 0 },
            skip_used: ByColour { blue: skip_used, red: false },
            ..*start.setup()
        };
        setup.position().expect("within its ranges")
    };
    assert_eq!(late(0, false).check(Seat(0), &Action::Bomb(target(25, 27))), Ok(Turn::Bomb(cell(25, 27))));
    for off in [target(26, 0), target(0, 28), target(255, 255)] {
        assert_eq!(late(0, false).check(Seat(0), &Action::Bomb(off)), Err(Refusal::OffBoard(off)));
    }
    for turn_ends in 1..=3 {
        let refusal = late(turn_ends, false).check(Seat(0), &Action::Bomb(target(3, 3)));
        assert_eq!(refusal, Err(Refusal::BombCooling(turn_ends)));
    }
    assert_eq!(late(0, true).check(Seat(0), &Action::Skip), Err(Refusal::SkipUsed));
    assert_eq!(late(0, false).check(Seat(0), &Action::Skip), Ok(Turn::Skip));
}

#[test]
fn a_bomb_or_skip_after_a_placement_is_refused_and_the_draft_goes_on() {
    let setup = Setup { round: 7, ..*Position::start(&Options::V2.into(), &[0; 32]).setup() };
    let position = setup.position().expect("within its ranges");
    let mut draft = TurnDraft::new(&position, Seat(0)).expect("blue moves");
    for placed in 1..=PLACEMENTS {
        draft.place(target(3, placed)).expect("blue's home");
        let before = draft.clone();
        assert_eq!(draft.clone().bomb(target(3, 3)), Err(Refusal::TurnStarted));
        assert_eq!(draft.clone().skip(), Err(Refusal::TurnStarted));
        assert_eq!(draft.clone().pass(), Err(Refusal::PassNotNeeded));
        for bad in [target(3, placed), target(26, 0), target(3, 20)] {
            assert!(draft.place(bad).is_err());
        }
        assert_same_draft(&draft, &before);
    }
    assert_eq!(draft.finish(), Ok(Turn::Place((1..=4).map(|col| cell(3, col)).collect())));
}

#[test]
fn checking_anything_leaves_the_position_as_it_was() {
    let mut rng = Rng::new(&[3; 32], 0);
    for position in many_positions() {
        let before = position.clone();
        for seat in [Seat(0), Seat(1), Seat(9)] {
            let cells = (0..rng.below(6)).map(|_| target(rng.below(28) as u8, rng.below(30) as u8)).collect();
            let bomb = Action::Bomb(target(rng.below(28) as u8, rng.below(30) as u8));
            for action in [Action::Place(cells), bomb, Action::Skip, Action::Pass] {
                if let Ok(turn) = position.check(seat, &action) {
                    assert_eq!(Action::from(&turn), action);
                    assert!(position.awaiting().contains(seat));
                }
            }
        }
        assert_eq!(position, before);
    }
}

/// A board on which neither of `colour`'s first placements is possible: its home is full of the other's cells.
fn full_home(colour: Colour) -> Board {
    let mut board = Board::EMPTY;
    Zone::home_of(colour).cells().for_each(|cell| board.set(cell, colour.other()));
    board
}

#[test]
fn a_pass_is_legal_exactly_when_nothing_else_is() {
    let mut rng = Rng::new(&[4; 32], 0);
    let mut seen = [0; 2];
    for number in 0..4_000 {
        let mut setup = any_setup(&mut rng, Options::V2, [0, 2, 50, 100][number % 4]);
        if number % 8 < 4 {
            setup.board = full_home(setup.to_move);
        }
        let position = setup.position().expect("within its ranges");
        let (colour, seat) = (setup.to_move, setup.to_move.seat());
        let nothing_else = position.placeable(colour).is_empty()
            && position.check(seat, &Action::Skip).is_err()
            && position.check(seat, &Action::Bomb(target(0, 0))).is_err();
        assert_eq!(position.check(seat, &Action::Pass).is_ok(), nothing_else, "{setup:?}");
        seen[usize::from(nothing_else)] += 1;
    }
    assert!(seen[0] > 1_000 && seen[1] > 300, "{seen:?}");
}

#[test]
fn a_turn_is_short_only_when_no_cell_is_left() {
    for (mover, own_home, middle) in [(Colour::Blue, 0..8, 8..20), (Colour::Red, 20..28, 8..20)] {
        // All but `holes` cells of home and neutral are the other's; the holes are in home.
        for holes in 1..=5_u8 {
            let mut board = Board::EMPTY;
            for (row, col) in (0..26).flat_map(|row| own_home.clone().chain(middle.clone()).map(move |col| (row, col)))
            {
                board.set(cell(row, col), mover.other());
            }
            let free: Vec<Cell> = (0..holes).map(|row| cell(row, own_home.start + 3)).collect();
            let mut area = Plane::EMPTY;
            free.iter().for_each(|cell| area.insert(*cell));
            board.clear(area);
            let setup = Setup { board, to_move: mover, ..*Position::start(&Options::V2.into(), &[0; 32]).setup() };
            let position = setup.position().expect("within its ranges");
            for placed in 0..=holes {
                let cells: Vec<Cell> = free[..placed.into()].to_vec();
                let verdict = position.check(mover.seat(), &Action::from(&Turn::Place(cells.clone())));
                let wanted = match placed {
                    0 => Err(Refusal::NoCells),
                    5 => Err(Refusal::TooManyCells),
                    4 => Ok(Turn::Place(cells)),
                    _ if placed == holes => Ok(Turn::Place(cells)),
                    _ => Err(Refusal::TooFewCells(placed)),
                };
                assert_eq!(verdict, wanted, "{placed} of {holes}");
            }
        }
    }
}

#[test]
fn the_chain_opens_within_a_turn() {
    // V2: home, neutral and a foothold in the enemy's home; the foothold alone is not enough, each link counts at once.
    let mut board = Board::EMPTY;
    board.set(cell(5, 25), Colour::Blue);
    let setup = Setup { board, ..*Position::start(&Options::V2.into(), &[0; 32]).setup() };
    let place = |cells: [(u8, u8); 4]| Action::Place(cells.map(|(row, col)| target(row, col)).to_vec());
    let v2 = setup.position().expect("within its ranges");
    assert!(v2.check(Seat(0), &place([(3, 3), (3, 10), (3, 22), (3, 23)])).is_ok());
    let unlinked = place([(3, 3), (3, 22), (3, 10), (3, 23)]);
    assert_eq!(v2.check(Seat(0), &unlinked), Err(Refusal::Unreachable(cell(3, 22), Zone::Enemy)));

    // v5 does not ask for the home, only for neutral and enemy presence.
    board.set(cell(5, 12), Colour::Blue);
    let invade = place([(3, 22), (3, 23), (3, 24), (3, 25)]);
    for (options, open) in [(Options::V2, false), (Options::V5, true)] {
        let position = Setup { board, options, ..setup }.position().expect("within its ranges");
        assert_eq!(position.check(Seat(0), &invade).is_ok(), open, "{options:?}");
        assert!(position.check(Seat(0), &place([(3, 10), (3, 3), (3, 4), (3, 5)])).is_err());
    }
}
