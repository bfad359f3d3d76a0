//! Tests of the service, with a store and with workers.
#![warn(clippy::disallowed_methods)]

#[path = "../../../store/tests/it/slow/postgres/cluster.rs"]
mod cluster;
#[path = "../../../tests/eventually.rs"]
mod eventually;
#[path = "../../../tests/left_out.rs"]
mod left_out;

mod slow {
    mod fleet;
    mod service;
}
