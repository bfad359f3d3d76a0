//! `arena study`: reproducing published results. Not here: how games are played (`arena_runner`) and what the published players do
//! (`arena_baselines`).

#[cfg(test)]
mod again;
mod game_of_game_of_life;
mod rr_001;
mod verdict;
mod war_of_life;

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;

use crate::exit::Exit;

/// Which published study to reproduce.
#[derive(Subcommand)]
pub(crate) enum Study {
    /// The balance study of Conway's Conquerors (report RR-001 §6): easy, normal and hard of three releases against each other.
    ///
    /// Plays every matchup of a campaign in fair seats, the same with the seats exchanged, and a third time with `shared_home`, a
    /// flaw that the published study of V2 most likely had (the tables of v5.4 and v5.5 do not tell), and shows every published figure next to ours. Those of V2 are also
    /// compared with two references by an independent engine (A: fair seats, 28,000 games a row; B: shared home). Exit code 1 if
    /// any figure that should agree with a reference does not.
    #[command(name = "rr-001")]
    Rr001(rr_001::Rr001),
    /// The evaluation of War of Life's strategies against each other (25 pairings, published with the game).
    ///
    /// Plays every pairing from random starts and compares wins, losses and draws with the published table; those with
    /// minimax twice: with clean values, and with the quirk that the published program most likely had. Exit code 1 if the
    /// pairings without minimax, taken together, do not fit the table.
    #[command(name = "war-of-life")]
    WarOfLife(war_of_life::WarOfLife),
    /// Game of Game of Life's bots on one torus: the games that its founding document announces.
    ///
    /// Plays three fields of built-in bots and compares their mean shares with those by the program that came with the
    /// document, where these are known; it plays other rules in some points.
    #[command(name = "game-of-game-of-life")]
    GameOfGameOfLife(game_of_game_of_life::GameOfGameOfLife),
}

pub(crate) fn run(study: &Study, out: &mut dyn Write) -> Result<Exit> {
    match study {
        Study::Rr001(args) => rr_001::run(args, out),
        Study::WarOfLife(args) => war_of_life::run(args, out),
        Study::GameOfGameOfLife(args) => game_of_game_of_life::run(args, out),
    }
}
