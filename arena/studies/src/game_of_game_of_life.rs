//! Plays the built-in bots of Game of Game of Life on one torus, as the founding document's 10,000 games would have.

use std::fmt::{self, Write as _};
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
/// The 95 % point of the normal distribution, and the part of it beyond each end.
const Z95: f64 = 1.959_964;
const TAIL: f64 = 0.025;

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

/// A mean share with its 95 % interval, in percent.
#[derive(Serialize)]
struct Share {
    mean: f64,
    /// How far the interval reaches.
    down: f64,
    up: f64,
}

impl Share {
    /// The share with this mean and standard error, as parts of the whole. Where no game differed from another, chance
    /// may have left out up to 1 - 0.025^(1/games) of them, with any share: the rule of a tournament's fields.
    fn new(mean: f64, error: f64, games: u32) -> Share {
        let [down, up] = if error > 0.0 {
            [Z95 * error; 2]
        } else {
            let unseen = 1.0 - TAIL.powf(1.0 / f64::from(games));
            [mean * unseen, (1.0 - mean) * unseen]
        };
        Share { mean: 100.0 * mean, down: 100.0 * down, up: 100.0 * up }
    }

    /// Whether it is further from another one than the interval of their difference.
    fn is_far(&self, other: &Share) -> bool {
        let (low, high) = if self.mean < other.mean { (self, other) } else { (other, self) };
        high.mean - low.mean > low.up.hypot(high.down)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Share { mean, down, up } = self;
        if down == up {
            write!(f, "{mean:.1} ± {up:.1}")
        } else if *down == 0.0 {
            write!(f, "{mean:.1}, at most {:.1}", mean + up)
        } else if *up == 0.0 {
            write!(f, "{mean:.1}, at least {:.1}", mean - down)
        } else {
            write!(f, "{mean:.1} -{down:.1} +{up:.1}")
        }
    }
}

/// A bot's place in a field.
#[derive(Serialize)]
struct Line {
    bot: &'static str,
    share: Share,
    /// What the first controller gave it.
    reference: Option<Share>,
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
        let reference = field.reference.get(bot);
        let reference = reference.map(|(share, error)| Share::new(*share, *error, field.reference_games));
        Line { bot: strategy.name(), share: Share::new(mean, error, games.len() as u32), reference }
    };
    let mut lines: Vec<Line> = field.bots.iter().enumerate().map(line).collect();
    lines.sort_by(|one, other| other.share.mean.total_cmp(&one.share.mean));
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
            let Line { bot, share, reference } = line;
            let far = if reference.as_ref().is_some_and(|reference| share.is_far(reference)) { " ✗" } else { "" };
            let reference = reference.as_ref().map_or("-".into(), Share::to_string);
            let _ = writeln!(text, "| {bot} | {share}{far} | {reference} |");
        }
        let of_reference =
            if *reference_games > 0 { format!(", {reference_games} by the first controller") } else { String::new() };
        let _ = writeln!(
            text,
            "\n{games} games{of_reference}; they took {generations:.0} generations on average, and {nobody} ended with no coloured cell. ± is a \
             95 % interval; a share that was the same in all games has one, too, as in the standings of a field."
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
        let far = |line: &Line| line.reference.as_ref().is_some_and(|reference| line.share.is_far(reference));
        assert_eq!((lines[0].bot, lines[0].share.mean, lines[1].share.mean, nobody), ("nothing", 50.0, 25.0, 1));
        assert!((generations - 10.0).abs() < 1e-9 && !far(&lines[0]) && !far(&lines[1]), "too few games");
        assert!(Share::new(0.5, 0.005, 9).is_far(&Share::new(0.53, 0.005, 9)));
    }

    #[test]
    fn games_that_were_all_alike_leave_others_possible() {
        let (all, most) = (Share::new(1.0, 0.0, 51), Share::new(0.977, 0.0015, 1_000));
        assert_eq!(all.to_string(), "100.0, at least 93.0");
        assert!(!most.is_far(&all) && !all.is_far(&most), "51 games do not rule out 97.7 %");
        assert!(most.is_far(&Share::new(1.0, 0.0, 1_000)), "1,000 do");
        assert_eq!(Share::new(0.0, 0.0, 1_000).to_string(), "0.0, at most 0.4");
        assert_eq!(Share::new(0.948, 0.011, 400).to_string(), "94.8 ± 2.2");
    }
}
