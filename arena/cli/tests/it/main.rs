//! Tests of the binary: its commands, and sites and workers that it runs.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![expect(clippy::print_stdout, reason = "what commands of xtask report")]

mod again;
mod assets;
#[path = "../../../store/tests/it/slow/postgres/cluster.rs"]
mod cluster;
mod disk;
#[path = "../../../tests/eventually.rs"]
mod eventually;
#[path = "../../../tests/left_out.rs"]
mod left_out;
mod line;
#[path = "../../../world/tests/it/live/mod.rs"]
mod live;
#[path = "../../../tests/made_once.rs"]
mod made_once;
mod new;
#[path = "../../../sandbox/tests/it/pieces.rs"]
mod pieces;
mod process;
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
    mod engines;
    mod forgeries;
    mod guide;
    mod hints;
    mod not_files;
    mod organise;
    mod play;
    mod plurals;
    mod rows;
    mod scripts;
    mod verify;
}

mod heavy {
    mod bombs;
    mod database;
    mod doors;
    mod faults;
    mod loads;
    mod logging;
    mod operating;
    mod samples;
    mod serve;
    mod servers;
    mod volunteers;
    mod watch;
    mod worker;
}

mod night {
    pub(crate) mod faults;
    mod flooding;
    pub(crate) mod floods;
    pub(crate) mod kill;
    pub(crate) mod kill_cups;
    pub(crate) mod kill_games;
    pub(crate) mod load;
    mod loading;
    pub(crate) mod machines;
    pub(crate) mod servers;
    pub(crate) mod soak;
    pub(crate) mod worlds;
}
