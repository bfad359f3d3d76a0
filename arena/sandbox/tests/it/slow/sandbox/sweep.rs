//! The programs of the price sweep (`benches/prices`), without measuring: none is missing, and each is a bot.

#[path = "../../../../benches/prices/chases.rs"]
mod chases;
#[path = "../../../../benches/prices/operators.rs"]
pub(crate) mod operators;
#[path = "../../../../benches/prices/programs.rs"]
pub(crate) mod programs;
#[path = "../../../../benches/prices/special.rs"]
mod special;

use super::bots::{is_out_of_fuel, load, turn_on};

/// How often a piece stands in its loop: more would only be measured better.
const TIMES: usize = 2;
/// Every so many operators one's program is run: the sweep itself runs them all, at night.
const SAMPLED: usize = 3;

#[test]
fn every_operator_that_bots_may_use_has_a_program() {
    let by_operator = programs::by_operator().unwrap_or_else(|odd| panic!("operators nobody has thought of: {odd:?}"));
    // As many as the standard has, with vectors.
    assert!(by_operator.len() > 430, "{} operators", by_operator.len());
    // The smallest of each is loaded, runs, and continues until the fuel ends: a loop that trapped would measure
    // nothing.
    for (name, programs) in by_operator.into_iter().step_by(SAMPLED) {
        let endless = programs.iter().any(|program| {
            let bytes = wat::parse_str(&program.module)
                .unwrap_or_else(|error| panic!("{}: {}: {error}", program.operator, program.what));
            is_out_of_fuel(&turn_on(&load(&bytes), 10_000))
        });
        assert!(endless || programs.is_empty(), "{name}: no program runs");
    }
}

#[test]
fn a_chase_goes_on_until_the_fuel_ends() {
    for chase in chases::chases() {
        let bytes = wat::parse_str(&chase.module).unwrap_or_else(|error| panic!("{}: {error}", chase.what));
        assert!(is_out_of_fuel(&turn_on(&load(&bytes), 10_000_000)), "{}", chase.what);
    }
}
