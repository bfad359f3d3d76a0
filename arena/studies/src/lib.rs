//! `arena study`: published results of the games, played again. Not here: how a game is played on one thread or many
//! (`arena_runner`), and what the published players do (`arena_baselines`).
//!
//! ```
//! use clap::Parser;
//! use indicatif::ProgressBar;
//!
//! #[derive(Parser)]
//! struct Command {
//!     #[command(subcommand)]
//!     study: arena_studies::Study,
//! }
//!
//! let command = Command::parse_from(["study", "game-of-game-of-life", "--games", "2", "--json"]);
//! let mut out = Vec::new();
//! assert!(arena_studies::run(&command.study, ProgressBar::hidden(), &mut out)?);
//! assert!(out.starts_with(b"[{\"games\":2,"));
//! # Ok::<(), anyhow::Error>(())
//! ```

#[cfg(test)]
mod again;
mod fisher;
mod game_of_game_of_life;
mod rr_001;
mod verdict;
mod war_of_life;

use std::convert::Infallible;
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Result};
use arena_record::EntrantId;
use arena_rules::{Seat, Seed};
use arena_runner::in_order;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use sha2::{Digest, Sha256};

/// What seeds of games are hashed with.
const GAMES: &str = "arena/study-seed/1";

/// Which published study to reproduce.
#[derive(Subcommand)]
pub enum Study {
    /// The balance study of Conway's Conquerors (report RR-001 §6): easy, normal and hard of three releases against
    /// each other.
    ///
    /// Plays every matchup of a campaign in fair seats, the same with the seats exchanged, and a third time with
    /// `shared_home`, a flaw that the published study of V2 most likely had (the tables of v5.4 and v5.5 do not tell),
    /// and shows every published figure next to ours. Those of V2 are also compared with two references by an
    /// independent engine (A: fair seats, 28,000 games a row; B: shared home). Exit code 1 if any figure that should
    /// agree with a reference does not.
    #[command(name = "rr-001")]
    Rr001(rr_001::Rr001),
    /// The evaluation of War of Life's strategies against each other (25 pairings, published with the game).
    ///
    /// Plays every pairing from random starts and compares wins, losses and draws with the published table; those with
    /// minimax twice: with clean values, and with the quirk that the published program most likely had. Exit code 1 if
    /// the pairings without minimax, taken together, do not fit the table.
    #[command(name = "war-of-life")]
    WarOfLife(war_of_life::WarOfLife),
    /// Game of Game of Life's bots on one torus: the games that its founding document announces.
    ///
    /// Plays three fields of built-in bots and compares their mean shares with those by the program that came with the
    /// document, where these are known; it plays other rules in some points.
    #[command(name = "game-of-game-of-life")]
    GameOfGameOfLife(game_of_game_of_life::GameOfGameOfLife),
}

/// What every study takes.
#[derive(Args)]
struct Common {
    /// Worker threads [default: all cores]. The results do not depend on their number.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object instead of tables, without times, which always differ.
    #[arg(long)]
    json: bool,
    /// Also write the results as Markdown into this folder, with plots (SVG) if there are any, and without times.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Common {
    /// Writes files into the folder, if one was given.
    fn write(&self, files: &[(String, String)]) -> Result<()> {
        let Some(folder) = &self.out else { return Ok(()) };
        let write = || {
            fs::create_dir_all(folder)?;
            files.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
        };
        write().with_context(|| format!("cannot write the results into {}", folder.display()))
    }
}

/// Games on several threads, and a bar that counts them.
struct Games {
    threads: usize,
    bar: ProgressBar,
}

impl Games {
    fn new(common: &Common, bar: ProgressBar) -> Games {
        let all = || thread::available_parallelism().map_or(1, usize::from);
        Games { threads: common.threads.map_or_else(all, usize::from), bar }
    }

    /// Does what plays so many games, and shows the bar meanwhile.
    fn counted<T>(&self, total: u64, play: impl FnOnce() -> T) -> T {
        self.bar.set_length(total);
        let played = play();
        self.bar.finish_and_clear();
        played
    }

    /// Plays the games below a number. The results are in order, whatever the number of threads.
    fn play<T: Send>(&self, count: u32, game: impl Fn(u32) -> T + Sync) -> Vec<T> {
        let mut results = Vec::new();
        let ControlFlow::Continue(()) = in_order(0..count, self.threads, game, |result| {
            results.push(result);
            self.bar.inc(1);
            ControlFlow::<Infallible>::Continue(())
        });
        results
    }
}

/// A game's seed, derived from the study's as those of real games are.
fn seed<'a>(domain: &str, study: u64, game: u32, parts: impl IntoIterator<Item = &'a str>) -> Seed {
    let hasher = Sha256::new().chain_update(domain).chain_update(study.to_le_bytes()).chain_update(game.to_le_bytes());
    parts.into_iter().fold(hasher, |hasher, part| hasher.chain_update(part)).finalize().into()
}

/// The seed of a built-in player in a game.
fn seat_seed(game: &Seed, seat: Seat, player: &str) -> Seed {
    arena_wire::seat_seed(game, seat, EntrantId::of_baseline(player, 1).as_str())
}

/// Makes a study, and says whether the figures agree that should. The bar counts games.
///
/// # Errors
/// If the results cannot be written.
pub fn run(study: &Study, bar: ProgressBar, out: &mut dyn Write) -> Result<bool> {
    match study {
        Study::Rr001(args) => rr_001::run(args, &Games::new(&args.common, bar), out),
        Study::WarOfLife(args) => war_of_life::run(args, &Games::new(&args.common, bar), out),
        Study::GameOfGameOfLife(args) => game_of_game_of_life::run(args, &Games::new(&args.common, bar), out),
    }
}
