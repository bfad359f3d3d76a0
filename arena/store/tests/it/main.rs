//! Tests of the stores. What every store does is in `suite`, which each of them includes.
#![expect(clippy::duplicate_mod, reason = "each store includes the suite")]

#[path = "../../../tests/left_out.rs"]
mod left_out;
mod memory;

mod slow {
    mod postgres;
    mod sqlite;
}
