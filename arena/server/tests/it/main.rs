//! The server from outside, over real connections. The modules of `slow` follow `src/router.rs`: who asks, then what
//! for, in a file called like the module that answers ([`slow::layout`] holds that); `layers` is what holds for every
//! address. Each address has a snapshot of an answer in `tests/snapshots` (see [`snapshot`]).
#![warn(clippy::disallowed_methods)]

mod client;
mod counted;
#[path = "../../../tests/eventually.rs"]
mod eventually;
mod fixture;
#[path = "../../../tests/made_once.rs"]
mod made_once;
mod openapi;
#[path = "../../../cli/benches/costs/routes.rs"]
mod routes;
mod snapshot;

mod slow {
    mod api;
    mod layers;
    mod layout;
    mod machines;
    mod metrics;
    mod people;
}
