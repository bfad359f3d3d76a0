//! The programs of the price sweep (`benches/prices`), without measuring: none is missing, and each is a bot.

#[path = "../../../../benches/prices/chases.rs"]
mod chases;
#[path = "../../../../benches/prices/operators.rs"]
pub(crate) mod operators;
#[path = "../../../../benches/prices/programs.rs"]
mod programs;
#[path = "../../../../benches/prices/special.rs"]
mod special;

use super::bots::{is_out_of_fuel, load, turn_on};

/// How often a piece stands in its loop: more would only be measured better.
const TIMES: usize = 2;

#[test]
fn every_operator_that_bots_may_use_has_a_program() {
    let by_operator = programs::by_operator().unwrap_or_else(|odd| panic!("operators nobody has thought of: {odd:?}"));
    // The smallest of each is loaded, runs, and goes on until the fuel ends: a loop that trapped would measure nothing.
    let mut numbers = 0;
    for (name, programs) in by_operator {
        let endless = programs.iter().any(|program| {
            let bytes = wat::parse_str(&program.module)
                .unwrap_or_else(|error| panic!("{}: {}: {error}", program.operator, program.what));
            is_out_of_fuel(&turn_on(&load(&bytes), 10_000))
        });
        assert!(endless || programs.is_empty(), "{name}: no program runs");
        numbers += 1;
    }
    // As many as the standard has, with vectors.
    assert!(numbers > 430, "{numbers} operators");
}

#[test]
fn a_chase_goes_on_until_the_fuel_ends() {
    for chase in chases::chases() {
        let bytes = wat::parse_str(&chase.module).unwrap_or_else(|error| panic!("{}: {error}", chase.what));
        assert!(is_out_of_fuel(&turn_on(&load(&bytes), 10_000_000)), "{}", chase.what);
    }
}
