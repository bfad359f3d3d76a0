//! Tests of worlds.

mod bots;
mod live;
mod world;

mod slow {
    mod watchers;
}
