//! Tests of games and tournaments that the runner plays, and of what verifies them.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![expect(clippy::print_stdout, reason = "what commands of xtask report")]

mod changes;
#[path = "../../../../bots/guests.rs"]
mod guests;
#[path = "../../../world/tests/it/live/mod.rs"]
mod live;
mod reuse;
mod rounds;
mod tree;

mod slow {
    mod deaths;
    mod field;
    mod folder;
    mod formats;
    mod guests;
    mod life2;
    pub(crate) mod scripts;
    mod threats;
    mod verify;
    mod world_bots;
}

mod night {
    mod editions;
    mod scripts;
}
