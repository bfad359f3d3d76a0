//! Plays the built-in bots of Game of Game of Life on one torus, as the founding document's 10,000 games would have.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::Result;
use arena_baselines::game_of_game_of_life::{Strategy, choose};
use arena_rules::game_of_game_of_life::{Options, Position};
use arena_rules::{BySeat, Ruleset, Seat};
use clap::Args;
use serde::Serialize;

use crate::{Common, Games, seat_seed};

/// The name of the result file.
const FILE: &str = "game-of-game-of-life.md";
/// The 95 % point of the normal distribution.
const Z95: f64 = 1.959_964;

/// Its options.
#[derive(Args)]
pub struct GameOfGameOfLife {
    /// Games per field.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,
    /// Seed of the whole study; the same seed gives the same figures.
    #[arg(long, default_value_t = 2020)]
    seed: u64,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Bots on one torus, and what the first controller gave them.
struct Field {
    bots: &'static [Strategy],
    /// Mean share and its standard error, by bot; empty if nobody has played it.
    reference: &'static [(f64, f64)],
    reference_games: u32,
}

/// The fields. The references were played with the controller and the bots published in the answers to the question;
/// `greedy` is BestNowBot there, `safety` SafetyBot, `planner` planBot.
const FIELDS: [Field; 3] = [
    Field {
        bots: &[Strategy::Nothing, Strategy::Random, Strategy::Greedy, Strategy::Safety],
        reference: &[(0.0, 0.0), (0.0, 0.0), (0.052, 0.011), (0.948, 0.011)],
        reference_games: 400,
    },
    Field {
        bots: &[Strategy::Nothing, Strategy::Random, Strategy::Greedy, Strategy::Planner],
        reference: &[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (1.0, 0.0)],
        reference_games: 51,
    },
    Field { bots: &Strategy::ALL, reference: &[], reference_games: 0 },
];

/// The counts of one game: each bot's share of the coloured cells, and how many generations it took.
struct Game {
    shares: Vec<f64>,
    generations: u16,
}

/// Plays one game. Seeds are derived as for real games, and each bot gets a drawn seat.
fn play(bots: &[Strategy], study_seed: u64, game: u32) -> Game {
    let hashed = |what| {
        let names = bots.iter().map(|bot| bot.name());
        crate::seed(crate::GAMES, study_seed, game, [Position::ID, what].into_iter().chain(names))
    };
    let seed = hashed("game");
    let mut seated: Vec<usize> = (0..bots.len()).collect();
    arena_rules::Rng::new(&hashed("seats"), 0).shuffle(&mut seated);
    let options = Options { seats: bots.len() as u8, ..Options::default() };
    let mut position = Position::start(&options, &seed);
    let seeds = BySeat::new(options.seats, |seat: Seat| seat_seed(&seed, seat, bots[seated[seat.index()]].name()));
    let mut generations = 0;
    let outcome = loop {
        if let Some(outcome) = position.outcome() {
            break outcome;
        }
        let awaited = position.awaiting();
        let turns = BySeat::new(options.seats, |seat| {
            let action = choose(&position, seat, bots[seated[seat.index()]], &seeds[seat]);
            awaited.contains(seat).then(|| position.check(seat, &action).ok()).flatten()
        });
        position.advance(turns);
        generations += 1;
    };
    let all: u32 = outcome.tally.values().iter().sum();
    let mut shares = vec![0.0; bots.len()];
    for (seat, cells) in outcome.tally.iter() {
        shares[seated[seat.index()]] = if all == 0 { 0.0 } else { f64::from(*cells) / f64::from(all) };
    }
    Game { shares, generations }
}

/// A bot's place in a field.
#[derive(Serialize)]
struct Line {
    bot: &'static str,
    /// Mean share, in percent.
    share: f64,
    /// Half of its 95 % interval.
    half: f64,
    /// The first controller's mean share, in percent, and half of its 95 % interval.
    reference: Option<(f64, f64)>,
}

impl Line {
    /// Whether the two shares are further apart than the interval of their difference.
    fn is_far(&self) -> bool {
        self.reference.is_some_and(|(share, half)| (share - self.share).abs() > self.half.hypot(half))
    }
}

/// A field after its games.
#[derive(Serialize)]
struct Table {
    games: u32,
    reference_games: u32,
    generations: f64,
    /// Games after which no coloured cell was left.
    nobody: usize,
    /// Best first.
    lines: Vec<Line>,
}

fn table(field: &Field, games: &[Game]) -> Table {
    let count = games.len() as f64;
    let line = |(bot, strategy): (usize, &Strategy)| {
        let mean = games.iter().map(|game| game.shares[bot]).sum::<f64>() / count;
        let squares = games.iter().map(|game| (game.shares[bot] - mean).powi(2)).sum::<f64>();
        let error = (squares / (count - 1.0) / count).sqrt();
        let reference = field.reference.get(bot).map(|(share, error)| (100.0 * share, 100.0 * Z95 * error));
        Line { bot: strategy.name(), share: 100.0 * mean, half: 100.0 * Z95 * error, reference }
    };
    let mut lines: Vec<Line> = field.bots.iter().enumerate().map(line).collect();
    lines.sort_by(|one, other| other.share.total_cmp(&one.share));
    Table {
        games: games.len() as u32,
        reference_games: field.reference_games,
        generations: games.iter().map(|game| f64::from(game.generations)).sum::<f64>() / count,
        nobody: games.iter().filter(|game| game.shares.iter().all(|share| *share == 0.0)).count(),
        lines,
    }
}

const ABOUT: &str = "\
The founding document announces 10,000 games and the highest mean share of the coloured cells, and publishes no result. These are the built-in \
bots by its rules; four of them are bots of its answers, written anew. The first controller is the program that came with the document. It plays other \
rules in some points: a kill has no effect, and a play reaches one cell less far down and right, and not across the edges. A ✗ marks \
a share that is further from the first controller's than the 95 % interval of their difference.";

fn markdown(tables: &[Table], args: &GameOfGameOfLife) -> String {
    let mut text = format!(
        "# Game of Game of Life: its bots on one torus\n\n{ABOUT}\n\nMade by\n\n```\narena study game-of-game-of-life --games {} --seed {} \\\n  \
         --out docs/studies\n```\n",
        args.games, args.seed
    );
    // Writing to a string cannot fail.
    for table in tables {
        let Table { games, reference_games, generations, nobody, lines } = table;
        let names: Vec<&str> = lines.iter().map(|line| line.bot).collect();
        let _ = writeln!(text, "\n## {}\n", names.join(", "));
        let _ = writeln!(text, "| bot | mean share, % | first controller, % |\n| --- | ---: | ---: |");
        for line in lines {
            let reference = line.reference.map_or("-".into(), |(share, half)| format!("{share:.1} ± {half:.1}"));
            let far = if line.is_far() { " ✗" } else { "" };
            let _ = writeln!(text, "| {} | {:.1} ± {:.1}{far} | {reference} |", line.bot, line.share, line.half);
        }
        let of_reference =
            if *reference_games > 0 { format!(", {reference_games} by the first controller") } else { String::new() };
        let _ = writeln!(
            text,
            "\n{games} games{of_reference}; they took {generations:.0} generations on average, and {nobody} ended with no coloured cell. ± is a \
             95 % interval."
        );
    }
    text
}

pub(super) fn run(args: &GameOfGameOfLife, games: &Games, out: &mut dyn Write) -> Result<bool> {
    let field = |field: &Field| table(field, &games.play(args.games, |game| play(field.bots, args.seed, game)));
    let total = FIELDS.len() as u64 * u64::from(args.games);
    let tables: Vec<Table> = games.counted(total, || FIELDS.iter().map(field).collect());
    let text = markdown(&tables, args);
    if args.common.json {
        writeln!(out, "{}", serde_json::to_string(&tables)?)?;
    } else {
        write!(out, "{text}")?;
    }
    args.common.write(&[(FILE.into(), text)])?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_averaged_and_compared_with_the_first_controllers() {
        let field = Field { bots: &Strategy::ALL[..2], reference: &[(0.5, 0.01), (0.2, 0.01)], reference_games: 9 };
        let games: Vec<Game> = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
            .map(|shares| Game { shares: shares.to_vec(), generations: 10 })
            .into();
        let Table { lines, nobody, generations, .. } = table(&field, &games);
        assert_eq!((lines[0].bot, lines[0].share, lines[1].share, nobody), ("nothing", 50.0, 25.0, 1));
        assert!((generations - 10.0).abs() < 1e-9 && !lines[0].is_far() && !lines[1].is_far(), "too few games");
        let sure = Line { bot: "a", share: 50.0, half: 1.0, reference: Some((53.0, 1.0)) };
        assert!(sure.is_far());
    }
}
