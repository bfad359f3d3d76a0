//! The game that tests of the arena bring along: the laws that every new game has to keep.

use arena_rules::{BySeat, Rng, Ruleset, Seat, Seed};
use arena_wire::tiny_game::{COLS, Claim, Position, ROWS, TURNS};
use arena_wire::{Observation, Point};
use proptest::prelude::*;

use crate::laws;

fn any_claim() -> impl Strategy<Value = Claim> {
    let point = (0..5_u16, 0..400_u16).prop_map(|(row, col)| Point { row, col });
    prop::collection::vec(point, 0..5).prop_map(Claim)
}

fn any_position() -> impl Strategy<Value = Position> {
    prop::collection::vec(any_claim(), 0..usize::from(TURNS)).prop_map(|claims| {
        let mut position = Position::start(&(), &[0; 32]);
        for claim in claims {
            let mover = position.awaiting().iter().next();
            let turn = mover.and_then(|seat| Some((seat, position.check(seat, &claim).ok()?)));
            position
                .advance(BySeat::new(2, |seat| turn.clone().filter(|(mover, _)| *mover == seat).map(|(_, turn)| turn)));
        }
        position
    })
}

proptest! {
    #[test]
    fn actions_keep_the_laws(claim in any_claim(), noise in prop::collection::vec(any::<u8>(), 0..30)) {
        laws::of_actions::<Position>(&claim, &noise)?;
        laws::of_actions::<Position>(&claim, &[&[1, 1, 1, 0], &noise[..]].concat())?;
    }

    #[test]
    fn observations_keep_the_laws(
        (position, seat, seat_seed) in (any_position(), 0..2_u8, any::<Seed>()),
        change in (any::<prop::sample::Index>(), any::<u8>()),
        noise in prop::collection::vec(any::<u8>(), 0..1000),
    ) {
        laws::of_observations(Observation { position, seat: Seat(seat), seat_seed }, change, &noise)?;
    }

    #[test]
    fn what_is_offered_is_what_is_legal((position, seed) in (any_position(), any::<Seed>())) {
        let mut rng = Rng::new(&seed, 0);
        let points = || (0..=ROWS).flat_map(|row| (0..=COLS).map(move |col| Point { row, col }));
        let first = Point { row: rng.below(3) as u16, col: rng.below(300) as u16 };
        let claims = points().map(|point| vec![point]).chain(points().map(|point| vec![first, point])).chain([vec![]]);
        let seated = claims.flat_map(|claim| [(Seat(0), Claim(claim.clone())), (Seat(1), Claim(claim))]);
        let legal: Vec<_> = seated.filter(|(seat, claim)| position.check(*seat, claim).is_ok()).step_by(7).collect();
        laws::of_choices(&position, &legal, &mut rng)?;
    }
}
