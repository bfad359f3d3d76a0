//! A match of two contenders: pairs of games over threads, handed on in schedule order.

use std::mem;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Result, ensure};
use arena_record::Record;
use arena_rules::BySeat;
use arena_runner::{Contender, Table};
use arena_sandbox::{WALL_MS_DEFAULT, Wall};
use arena_tournaments::{Entrant, GameResult, Pairs, RoundRobin, ScheduledGame};

use crate::bots;
use crate::game::{GameChoice, match_options};
use crate::parallel;

/// A game that was played.
pub(crate) struct Played {
    pub(crate) game: ScheduledGame,
    pub(crate) result: GameResult,
    pub(crate) record: Record,
}

/// What is to be played.
pub(crate) struct Contest {
    table: Table,
    contenders: [Contender; 2],
    /// The two, by names that differ also when a bot plays itself.
    pub(crate) entrants: Vec<Entrant>,
    /// What a match is: a round robin of two.
    pub(crate) format: RoundRobin,
    /// The games, pair after pair.
    pub(crate) games: Vec<ScheduledGame>,
}

impl Contest {
    /// A match of so many games, rounded up to pairs. Without `options` those of tournaments.
    ///
    /// # Errors
    /// When the game has no such options, or with them more than two seats.
    pub(crate) fn new(
        choice: &GameChoice,
        options: Option<&str>,
        names: [&Path; 2],
        contenders: [Contender; 2],
        seed: u64,
        games: u32,
    ) -> Result<Contest> {
        let game = choice.game;
        let options = options.map_or_else(|| match_options(game), String::from);
        ensure!(game.shape(&options)?.seats == 2, "a match has two seats");
        let table = Table::new(game.ruleset, &options, choice.budgets(), Wall::Milliseconds(WALL_MS_DEFAULT));
        let entrants = entrants(names, &contenders);
        let format = RoundRobin { seed, pairs: games.div_ceil(2) };
        let games = format.games(&entrants);
        Ok(Contest { table, contenders, entrants, format, games })
    }

    /// Plays pair after pair until `pair` breaks. It is given each pair and the fold up to it, in schedule order whatever the
    /// threads; games that were played beyond it are dropped. `ended` is called after each game, in any order.
    ///
    /// # Errors
    /// When a game cannot be played, or `pair` fails.
    pub(crate) fn play(
        &self,
        threads: usize,
        ended: impl Fn() + Sync,
        mut pair: impl FnMut([Played; 2], &Pairs) -> Result<ControlFlow<()>>,
    ) -> Result<Pairs> {
        let (mut pairs, mut half, mut done) = (Pairs::default(), None, Ok(()));
        let mut games = self.games.iter();
        let play = |number: u32| {
            let game = &self.games[number as usize];
            let seats: BySeat<&Contender> = game.seats.clone().map(|entrant| &self.contenders[entrant]);
            self.table.play(game.seed, &seats)
        };
        let mut fold = |record: Record, game: &ScheduledGame| -> Result<ControlFlow<()>> {
            let played = Played { game: game.clone(), result: GameResult::of(&record), record };
            let Some(first) = mem::take(&mut half) else {
                half = Some(played);
                return Ok(ControlFlow::Continue(()));
            };
            let both = [first, played];
            pairs.add(both.each_ref().map(|played| (&played.game, &played.result)));
            pair(both, &pairs)
        };
        parallel::in_order(self.games.len() as u32, threads, play, ended, |record| {
            let Some(game) = games.next() else { return ControlFlow::Break(()) };
            record.map_err(Into::into).and_then(|record| fold(record, game)).unwrap_or_else(|error| {
                done = Err(error);
                ControlFlow::Break(())
            })
        });
        done.map(|()| pairs)
    }
}

fn entrants(names: [&Path; 2], contenders: &[Contender; 2]) -> Vec<Entrant> {
    let [a, b] = names.map(bots::label);
    let b = if a == b { format!("{b}-2") } else { b };
    [a, b].into_iter().zip(contenders).map(|(name, contender)| Entrant { name, id: contender.id() }).collect()
}
