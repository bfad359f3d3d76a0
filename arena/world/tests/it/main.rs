//! Tests of worlds.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod bots;
mod live;
mod world;

mod slow {
    mod watchers;
}
