//! Windows of Life2: legal turns, winners, and that a window behaves exactly like a world.

use arena_rules::life2::{
    Account, Action, BASE_COST, Bases, CELLS_A_TURN, Call, Census, GENERATIONS, GENERATIONS_A_TURN, Length, Options,
    Position, Refusal, Side, Slot, Target, Turn, TurnRefusal, WindowSetup,
};
use arena_rules::{BySeat, Reason, Ruleset, Seat};

const FIXED: Options = Options { seats: 2, coins: 100, bases: Bases::Fixed, length: Length::Full };

fn start(options: &Options) -> Position {
    Position::start(options, &[0; 32])
}

fn place(cells: &[(u16, u16)]) -> Action {
    Action::Place(cells.iter().map(|(row, col)| Target { row: *row, col: *col }).collect())
}

fn pass(position: &mut Position) {
    position.advance(BySeat::new(position.seats(), |_| None));
}

#[test]
fn a_turn_is_refused_for_its_first_reason() {
    let position = start(&Options { coins: 4, ..FIXED });
    let (first, out) = (Seat(0), Seat(2));
    let many: Vec<(u16, u16)> = (0..=CELLS_A_TURN as u16).map(|col| (61, col)).collect();
    for (cells, refusal) in [
        (&many[..], TurnRefusal::TooManyCells(CELLS_A_TURN + 1)),
        (&[(61, 61), (61, 62), (61, 63), (61, 64), (0, 0)], TurnRefusal::Coins(5, 4)),
        (&[(61, 61), (61, 61)], TurnRefusal::Twice(Target { row: 61, col: 61 })),
        (&[(61, 61), (512, 0)], TurnRefusal::Cell(Target { row: 512, col: 0 }, Refusal::OutOfRange)),
        (&[(61, 189)], TurnRefusal::Cell(Target { row: 61, col: 189 }, Refusal::NotYourTerritory)),
        (&[(60, 60)], TurnRefusal::Cell(Target { row: 60, col: 60 }, Refusal::NotYourTerritory)),
    ] {
        assert_eq!(position.check(first, &place(cells)), Err(refusal));
    }
    assert_eq!(position.check(first, &Action::Pass), Ok(Turn::Pass));
    assert_eq!(position.check(out, &Action::Pass), Err(TurnRefusal::NotAwaited));
}

#[test]
fn seats_place_at_once_and_the_world_goes_on() {
    let mut position = start(&FIXED);
    let blinkers = [place(&[(63, 62), (63, 63), (63, 64)]), place(&[(63, 190), (63, 191), (63, 192)])];
    let mut world = position.world().clone();
    let turns: Vec<_> =
        (0..).map(Seat).zip(&blinkers).map(|(seat, action)| position.check(seat, action).ok()).collect();
    position.advance(BySeat::from(turns));
    for (account, col) in [(0, 62), (1, 190)] {
        let cells = (col..col + 3).map(|col| (col, 63)).collect();
        world.call(Account(account), &Call::Place(cells)).expect("legal");
    }
    (0..GENERATIONS_A_TURN).for_each(|_| drop(world.step()));
    assert_eq!(position.world(), &world);
    assert_eq!((position.turns(), position.coins(Seat(1))), (1, 97));
    assert_eq!(position.kingdom(Seat(1)).map(|kingdom| kingdom.coins), Some(BASE_COST + 3));
}

#[test]
fn the_most_ground_wins_and_then_the_most_living_cells() {
    let short = Options { length: Length::Short, ..FIXED };
    let played = |cells: &[&[(u16, u16)]]| {
        let mut position = start(&short);
        let turn = |(seat, cells): (u8, &&[(u16, u16)])| position.check(Seat(seat), &place(cells)).ok();
        let turns: Vec<_> = (0..).zip(cells).map(turn).collect();
        position.advance(BySeat::from(turns));
        while position.outcome().is_none() {
            pass(&mut position);
        }
        (position.turns(), position.outcome().expect("over"))
    };
    // A block takes no ground, and neither does a pair, which dies.
    let block = &[(62, 62), (62, 63), (63, 62), (63, 63)][..];
    let (turns, tie) = played(&[block, &[(62, 190), (62, 191)]]);
    assert_eq!((turns, tie.reason, tie.winner), (200, Reason::Majority, Some(Seat(0))));
    assert_eq!(tie.tally, BySeat::from([36, 36]));
    let (_, draw) = played(&[&[(62, 62), (62, 63)], &[(62, 190), (62, 191)]]);
    assert_eq!((draw.winner, draw.tally), (None, BySeat::from([36, 36])));
    // The wipe after the last generation is quadrant 1's, where seat 1 is.
    let (_, wiped) = played(&[block, &[(62, 190), (62, 191), (63, 190), (63, 191)]]);
    assert_eq!(wiped.winner, Some(Seat(0)));
    // A glider takes the ground that it crosses.
    let (_, won) = played(&[block, &[(61, 190), (62, 191), (63, 189), (63, 190), (63, 191)]]);
    assert_eq!(won.winner, Some(Seat(1)));
    assert!(won.tally[Seat(1)] > 300, "{won:?}");
}

#[test]
fn a_seat_that_is_out_keeps_its_kingdom_and_scores_nothing() {
    let mut position = start(&Options { seats: 3, ..FIXED });
    position.forfeit(Seat(1));
    assert_eq!(position.awaiting().iter().collect::<Vec<_>>(), [Seat(0), Seat(2)]);
    assert!(position.kingdom(Seat(1)).is_some() && position.outcome().is_none());
    assert_eq!(position.tally(), BySeat::from([36, 0, 36]));
    position.forfeit(Seat(0));
    let outcome = position.outcome().expect("one is left");
    assert_eq!((outcome.reason, outcome.winner), (Reason::Forfeit, Some(Seat(2))));
    position.forfeit(Seat(2));
    assert_eq!(position.outcome(), Some(outcome));
}

#[test]
fn a_kingdom_that_falls_is_out() {
    // The rest of a world in which seat 1 has fallen.
    let standing = start(&FIXED);
    let mut ground = arena_rules::life2::Ground::empty(Side::WORLD);
    let base = standing.kingdom(Seat(0)).expect("it stands").base;
    base.interior(Side::WORLD).for_each(|cell| ground.set_owner(cell, Slot::new(1)));
    let bases = vec![Some((base, BASE_COST)), None];
    let beyond = [Census::default(); 10];
    let setup = WindowSetup { seats: 2, turns: 7, ground, bases, wallets: vec![5, 5], beyond };
    let fallen = setup.position().expect("a position");
    let outcome = fallen.outcome().expect("over");
    assert_eq!((outcome.reason, outcome.winner), (Reason::Extinction, Some(Seat(0))));
    assert_eq!(outcome.tally, BySeat::from([36, 0]));
    assert!(fallen.awaiting().is_empty());
    assert_eq!(fallen.check(Seat(0), &Action::Pass), Err(TurnRefusal::GameOver));
}

/// Every quadrant has at most one base, whatever the seed; nothing lives at the start, and a short game ends when a full one does.
#[test]
fn starts_are_fair() {
    for seed in 0..50_u8 {
        let position = Position::start(&Options::default(), &[seed; 32]);
        let mut quadrants: Vec<(u16, u16)> = Vec::new();
        for seat in (0..9).map(Seat) {
            let base = position.kingdom(seat).expect("it stands").base;
            assert_eq!((base.x % 128, base.y % 128), (60, 60));
            quadrants.push((base.x / 128, base.y / 128));
        }
        quadrants.sort_unstable();
        quadrants.dedup();
        assert_eq!(quadrants.len(), 9);
        assert_eq!(position.world().ground().living().count(), 0);
    }
    let short = start(&Options { length: Length::Short, ..FIXED });
    assert_eq!((short.turns(), short.world().generation()), (180, 5_400));
}

#[test]
fn nobody_falls_by_grace_in_a_window() {
    let mut position = start(&Options { bases: Bases::Fixed, ..Options::default() });
    // A lone cell dies in the first generation: no kingdom can lose its last one sooner. The others never have any.
    let lone = position.check(Seat(0), &place(&[(62, 62)])).expect("its own ground");
    let seats = position.seats();
    position.advance(BySeat::new(seats, |seat| (seat == Seat(0)).then(|| lone.clone())));
    while position.outcome().is_none() {
        pass(&mut position);
    }
    assert_eq!(position.world().generation(), u64::from(GENERATIONS));
    assert_eq!(position.world().kingdoms().count(), usize::from(seats));
}
