//! Scripts beside the same bot in Rust: what a game costs, and a verdict.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arena_record::Budgets;
use arena_rules::Ruleset;
use arena_rules::conquerors::Position;
use arena_runner::{GameTerms, Host};
use arena_scripts::module_of;
use arena_wire::Game;
use arena_worker::Wall;

use crate::ARENA;
use crate::cpu::{per_unit_here, seconds_of};
use crate::games::{play, run, workers};

/// The bot in Rust, which `cargo xtask bench` builds.
const IN_RUST: &str = "target/guests/wasm32-unknown-unknown/guest/examples/thinker.wasm";
/// The same in other languages.
pub(crate) const SCRIPTS: [(&str, &str); 2] =
    [("JavaScript", "bots/gallery/thinker/bot.js"), ("Python", "bots/gallery/ponderer/bot.py")];
/// Games between two looks at the clock.
const GAMES: u64 = 4;

/// What a bot costs, in seconds of processor time.
pub(crate) struct Costs {
    /// A game against itself, in workers.
    pub(crate) game: f64,
    /// A worker that is ready to play it.
    pub(crate) compiling: f64,
    /// `arena check`.
    pub(crate) verdict: f64,
}

/// The bot in Rust.
pub(crate) fn in_rust() -> Costs {
    Costs::of(&root().join(IN_RUST))
}

/// A script of [`SCRIPTS`].
pub(crate) fn script(path: &str) -> Costs {
    Costs::of(&root().join(path))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Costs {
    fn of(path: &Path) -> Costs {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}; run this as `cargo xtask bench`"));
        let module = module_of(path, bytes).expect("a bot");
        let terms = Game::named(Position::ID).expect("a game").ranked;
        let terms = GameTerms::new(Position::ID, terms, Budgets::DEFAULT, Wall::Milliseconds(10_000));
        let (host, seed) = (workers(2), Cell::new(0));
        let before = seconds_of(std::process::id());
        let bot = host.load(&module, &Budgets::DEFAULT).expect("a bot of ours");
        let compiling = seconds_of(std::process::id()) - before;
        let game = per_unit_here(|| {
            (0..GAMES).for_each(|_| drop(play(&host, &terms, &seed, [&bot; 2])));
            GAMES
        });
        let verdict = per_unit_here(|| {
            run(Command::new(ARENA).arg("check").arg(path));
            1
        });
        Costs { game, compiling, verdict }
    }
}
