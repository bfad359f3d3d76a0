//! Tests of the binary: its commands, and sites and workers that it runs.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![expect(clippy::print_stdout, reason = "what commands of xtask report")]

mod again;
mod assets;
#[path = "../../../store/tests/it/slow/postgres/cluster.rs"]
mod cluster;
mod disk;
#[path = "../../../tests/left_out.rs"]
mod left_out;
mod line;
#[path = "../../../world/tests/it/live/mod.rs"]
mod live;
mod new;
mod program;
mod record;
mod settler;
mod site;
mod tls;
#[path = "../../../runner/tests/it/tree/mod.rs"]
mod tree;

mod slow {
    mod cli;
    mod doctor;
    mod forgeries;
    mod hints;
    mod not_files;
    mod organise;
    mod play;
    mod rows;
    mod verify;
}

mod heavy {
    mod bombs;
    mod database;
    mod faults;
    mod flooding;
    mod floods;
    mod kill;
    mod kill_cups;
    mod kill_games;
    mod load;
    mod loading;
    mod loads;
    mod logging;
    mod machines;
    mod operating;
    mod serve;
    mod servers;
    mod soak;
    mod watch;
    mod worker;
    mod worlds;
}
