//! Tests of the stores. What every store does is in `suite`, which each of them includes.
#![warn(clippy::disallowed_methods)]
#![expect(clippy::duplicate_mod, reason = "each store includes the suite")]

#[path = "../../../tests/eventually.rs"]
mod eventually;
#[path = "../../../tests/left_out.rs"]
mod left_out;
mod memory;

mod slow {
    mod postgres;
    mod sqlite;
}
