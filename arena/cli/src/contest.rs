//! A match of two contenders: pairs of games over threads, delivered in schedule order.

use std::mem;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Result, ensure};
use arena_record::Record;
use arena_rules::BySeat;
use arena_runner::{Contender, GameTerms, Host, in_order};
use arena_sandbox::WALL_MS_DEFAULT;
use arena_tournaments::{Entrant, GameResult, Pairs, RoundRobin, ScheduledGame};
use arena_worker::Wall;

use crate::bots;
use crate::game::{GameChoice, match_options};

/// A game that was played.
pub(crate) struct Played {
    pub(crate) game: ScheduledGame,
    pub(crate) result: GameResult,
    pub(crate) record: Record,
}

/// A match before it is played.
pub(crate) struct Contest {
    terms: GameTerms,
    contenders: [Contender; 2],
    /// The two, with names that differ even if a bot plays itself.
    pub(crate) entrants: Vec<Entrant>,
    /// The format of a match: a round robin of two.
    pub(crate) format: RoundRobin,
    /// The games, pair after pair.
    pub(crate) games: Vec<ScheduledGame>,
}

impl Contest {
    /// A match of this many games, rounded up to pairs. Without `options` those of tournaments are used.
    ///
    /// # Errors
    /// If the game has no such options, or they give more than two seats.
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
        let terms = GameTerms::new(game.ruleset, &options, choice.budgets(), Wall::Milliseconds(WALL_MS_DEFAULT));
        let entrants = entrants(names, &contenders);
        let format = RoundRobin::new(seed, games.div_ceil(2));
        let games = format.games(&entrants).iter().collect();
        Ok(Contest { terms, contenders, entrants, format, games })
    }

    /// Plays pair after pair until `pair` breaks. `pair` gets each pair and the fold up to it, in schedule order
    /// whatever the number of threads. Games that were played beyond the break are dropped.
    ///
    /// # Errors
    /// If a game cannot be played, or `pair` fails.
    pub(crate) fn play(
        &self,
        host: &dyn Host,
        threads: usize,
        mut pair: impl FnMut([Played; 2], &Pairs) -> Result<ControlFlow<()>>,
    ) -> Result<Pairs> {
        let (mut pairs, mut half) = (Pairs::default(), None);
        let play = |game: &ScheduledGame| -> Result<Played> {
            let seats: BySeat<&Contender> = game.seats.clone().map(|entrant| &self.contenders[entrant]);
            let record = host.play(&self.terms.game(game.seed, &seats))?.ended.into_record()?;
            Ok(Played { game: game.clone(), result: GameResult::of(&record), record })
        };
        let mut fold = |played: Played| -> Result<ControlFlow<()>> {
            let Some(first) = mem::take(&mut half) else {
                half = Some(played);
                return Ok(ControlFlow::Continue(()));
            };
            let both = [first, played];
            pairs.add(both.each_ref().map(|played| (&played.game, &played.result)));
            pair(both, &pairs)
        };
        let flow = in_order(&self.games, threads, play, |played| match played.and_then(&mut fold) {
            Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
            Ok(ControlFlow::Break(())) => ControlFlow::Break(Ok(())),
            Err(error) => ControlFlow::Break(Err(error)),
        });
        match flow {
            ControlFlow::Continue(()) | ControlFlow::Break(Ok(())) => Ok(pairs),
            ControlFlow::Break(Err(error)) => Err(error),
        }
    }
}

fn entrants(names: [&Path; 2], contenders: &[Contender; 2]) -> Vec<Entrant> {
    let [a, b] = names.map(bots::label);
    let b = if a == b { format!("{b}-2") } else { b };
    [a, b].into_iter().zip(contenders).map(|(name, contender)| Entrant::new(name, contender.id())).collect()
}
