//! `--games`: more games than the sample ones, with openings as in tournaments.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Result;
use arena_record::{Budgets, ForfeitCode, Record};
use arena_rules::Seat;
use arena_runner::{Contender, Host, Spread};
use clap::Args;
use serde::Serialize;

use super::field;
use crate::contest::{Contest, Played};
use crate::game::GameChoice;
use crate::output::{self, count, grouped};
use crate::parallel::Threads;
use crate::recorded::game_file;
use crate::{bots, progress};

/// Games if only the opponent is named.
const GAMES_DEFAULT: u32 = 20;

#[derive(Args)]
pub(super) struct TrialArgs {
    /// Also play this many games, in pairs, from openings drawn as in tournaments; boards are fuller there than in the
    /// sample games [default with --against: 20].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    games: Option<u32>,
    /// The opponent of these games: a .wasm file, or an opponent by its name
    /// [default with --games: the strongest built-in one].
    #[arg(long, value_name = "BOT")]
    against: Option<PathBuf>,
    #[command(flatten)]
    pub(super) threads: Threads,
}

/// The results of these games.
#[derive(Default, Serialize)]
pub(super) struct Trial {
    opponent: String,
    games: usize,
    won: usize,
    drawn: usize,
    lost: usize,
    /// The bot's turns.
    turns: usize,
    /// Fuel of the turns; a turn that ran out of fuel counts with all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fuel: Option<Spread>,
    forfeits: Vec<TrialForfeit>,
}

/// A forfeit of the bot.
#[derive(Serialize)]
struct TrialForfeit {
    /// The game's number, from 0, as in a match with the same seed.
    game: usize,
    /// The turn, from 1; none before the first turn.
    turn: Option<usize>,
    code: ForfeitCode,
    /// The reason, escaped.
    rule: String,
}

impl TrialArgs {
    /// Whether these games were asked for.
    pub(super) fn is_asked(&self) -> bool {
        self.games.is_some() || self.against.is_some()
    }

    /// Plays the games.
    ///
    /// # Errors
    /// If there is no such opponent, or the machine failed.
    pub(super) fn play(
        &self,
        host: &dyn Host,
        bot: (&Path, &Contender),
        choice: &GameChoice,
        seed: u64,
    ) -> Result<Trial> {
        let strongest = || Contender::usual(choice.game.ruleset).last().unwrap_or_default().into();
        let against = self.against.clone().unwrap_or_else(strongest);
        let opponent = bots::contender(&against, choice.game.ruleset, host, &choice.budgets())?;
        let names = [bot.0, &*against];
        let games = self.games.unwrap_or(GAMES_DEFAULT);
        let contest = Contest::new(choice, None, names, [bot.1.clone(), opponent], seed, games)?;
        let bar = progress::bar(contest.games.len() as u64, "games");
        let mut trial = Trial { opponent: against.display().to_string(), ..Trial::default() };
        let mut turn_fuel = Vec::new();
        contest.play(host, self.threads.count(), |pair, _| {
            for Played { game, record, .. } in pair {
                let own = game.seats.iter().find(|(_, entrant)| **entrant == 0).map_or(Seat(0), |(seat, _)| seat);
                trial.take(game.number, own, &record, &mut turn_fuel);
            }
            bar.inc(2);
            Ok(ControlFlow::Continue(()))
        })?;
        bar.finish_and_clear();
        trial.fuel = Spread::of(&turn_fuel);
        Ok(trial)
    }
}

impl Trial {
    /// Counts a game in which the bot had the seat `own`.
    fn take(&mut self, number: usize, own: Seat, record: &Record, turn_fuel: &mut Vec<u64>) {
        self.games += 1;
        match record.outcome.winner {
            None => self.drawn += 1,
            Some(winner) if winner == own.0 => self.won += 1,
            Some(_) => self.lost += 1,
        }
        let plays = record.turns.iter().flat_map(|turn| &turn.plays).filter(|play| play.seat == own.0);
        let fuel: Vec<u64> = plays.filter_map(|play| play.fuel).collect();
        self.turns += fuel.len();
        turn_fuel.extend(fuel);
        for forfeit in record.forfeits.iter().filter(|forfeit| forfeit.seat == own.0) {
            if forfeit.code == ForfeitCode::FuelExhausted && forfeit.turn.is_some() {
                self.turns += 1;
                turn_fuel.push(record.header.budgets.fuel_per_move);
            }
            let (turn, rule) = (forfeit.turn.map(|turn| usize::from(turn) + 1), output::text(&forfeit.detail));
            self.forfeits.push(TrialForfeit { game: number, turn, code: forfeit.code, rule });
        }
    }

    pub(super) fn explain(&self, out: &mut dyn Write, budgets: &Budgets) -> Result<()> {
        let Trial { opponent, games, won, drawn, lost, turns, fuel, forfeits } = self;
        let games = count(*games, "game");
        field(
            out,
            "games",
            &format!("{games} against {opponent}, from tournament openings: won {won}, drew {drawn}, lost {lost}"),
        )?;
        if let Some(Spread { p50, p99, max }) = fuel {
            let share = super::usage::percent(*max, budgets.fuel_per_move);
            let [p50, p99, max] = [p50, p99, max].map(|fuel| grouped(*fuel));
            let turns = count(*turns, "turn");
            field(out, "", &format!("fuel of {turns}: p50 {p50}, p99 {p99}, max {max}, {share}"))?;
        }
        let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
        for forfeit in forfeits {
            *codes.entry(forfeit.code.as_str()).or_default() += 1;
        }
        let codes: Vec<String> = codes.iter().map(|(code, times)| format!("{times} by {code}")).collect();
        if codes.is_empty() { Ok(()) } else { field(out, "", &format!("forfeits: {}", codes.join(", "))) }
    }

    /// The worst result of these games, if it is bad: a forfeit, and the command that shows it.
    pub(super) fn warning(&self, match_command: &str, debug_command: &str) -> Option<String> {
        let TrialForfeit { game, turn, code, rule } = self.forfeits.first()?;
        let (all, games) = (self.forfeits.len(), count(self.games, "game"));
        let when = turn.map_or_else(|| "before the first turn".into(), |turn| format!("in turn {turn}"));
        let see = turn.map_or_else(String::new, |turn| {
            let record = game_file(*game);
            format!("; `{match_command} --records rec` keeps them, `{debug_command} rec/{record} --turn {turn}` asks it again")
        });
        Some(format!("it forfeits {all} of {games}, first game {game} {when}: {rule} ({code}){see}"))
    }

    /// The arguments of `play` for the same games.
    pub(super) fn as_match(&self, bot: &Path, seed: u64) -> String {
        let seed = if seed == 1 { String::new() } else { format!(" --seed {seed}") };
        format!("play {} {} --games {}{seed}", bot.display(), self.opponent, self.games)
    }
}
