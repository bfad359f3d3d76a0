//! The study's table, and its meaning in words.

use std::io::{self, Write};

use arena_baselines::war_of_life::Terminals;
use serde::Serialize;

use super::super::verdict::Verdict;
use super::Row;
use super::chi_square::{DEGREES, Results, chance_above, of_two_samples};

/// Below this probability, the played results do not count as those of the published source.
const CHANCE_MIN: f64 = 0.001;

/// Games of a pairing below which agreement shows nothing: a share may be ten points off by chance.
const GAMES_MIN: u32 = 100;

/// A pairing fits only if it has at least so many times the published number of games: with fewer, what is not ruled
/// out may yet be.
const TIMES_PUBLISHED: u32 = 10;

/// The sum over all pairings without minimax.
pub(super) struct Fit {
    chi_square: f64,
    degrees: u32,
}

impl Fit {
    fn chance(&self) -> f64 {
        chance_above(self.chi_square, self.degrees)
    }

    pub(super) fn is_rejected(&self) -> bool {
        self.chance() < CHANCE_MIN
    }
}

pub(super) fn fit(rows: &[Row]) -> Fit {
    let rows: Vec<&Row> = rows.iter().filter(|row| row.minimax.is_none()).collect();
    Fit { chi_square: rows.iter().map(|row| row.chi_square()).sum(), degrees: DEGREES * rows.len() as u32 }
}

/// Whether the pairings without minimax, taken together, are those of the published source.
fn verdict(rows: &[Row]) -> Verdict {
    if fit(rows).is_rejected() {
        Verdict::DoesNotHold
    } else if rows.iter().any(|row| row.sample.games < GAMES_MIN) {
        Verdict::TooFew
    } else {
        Verdict::Holds
    }
}

/// Whether a pairing could be that of the published source.
fn verdict_of(row: &Row) -> Verdict {
    if row.chance() < CHANCE_MIN {
        Verdict::DoesNotHold
    } else if row.sample.games < TIMES_PUBLISHED * row.pairing.games {
        Verdict::TooFew
    } else {
        Verdict::Holds
    }
}

/// The verdicts on all pairings without minimax together, and on those with minimax one by one.
pub(super) fn verdicts(rows: &[Row]) -> Vec<(String, Verdict)> {
    let with_minimax = rows.iter().filter(|row| row.minimax.is_some());
    let each = with_minimax.map(|row| (format!("{}, {}", row.pairing.name(), way(row.minimax)), verdict_of(row)));
    [("all without minimax".to_owned(), verdict(rows))].into_iter().chain(each).collect()
}

fn way(minimax: Option<Terminals>) -> &'static str {
    match minimax {
        None => "",
        Some(Terminals::Clean) => "clean",
        Some(Terminals::Coursework) => "coursework",
    }
}

/// All rows as one JSON object.
pub(super) fn json(rows: &[Row]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct JsonRow {
        pairing: String,
        minimax: &'static str,
        games: u32,
        p1: u32,
        p2: u32,
        both_extinct: u32,
        stalemate: u32,
        no_move_played: u32,
        exhausted: u32,
        moves: f64,
        shortest: u16,
        longest_not_exhausted: u16,
        chi_square: f64,
    }

    #[derive(Serialize)]
    struct Json {
        rows: Vec<JsonRow>,
        chi_square_without_minimax: f64,
        degrees: u32,
        chance: f64,
    }

    let fit = fit(rows);
    let rows = rows.iter().map(|row| JsonRow {
        pairing: row.pairing.name(),
        minimax: way(row.minimax),
        games: row.sample.games,
        p1: row.sample.won,
        p2: row.sample.lost,
        both_extinct: row.sample.both_extinct,
        stalemate: row.sample.stalemate,
        no_move_played: row.sample.no_move_played,
        exhausted: row.sample.exhausted,
        moves: row.sample.mean_moves(),
        shortest: row.sample.shortest,
        longest_not_exhausted: row.sample.longest,
        chi_square: row.chi_square(),
    });
    let (chi_square_without_minimax, degrees, chance) = (fit.chi_square, fit.degrees, fit.chance());
    serde_json::to_string(&Json { rows: rows.collect(), chi_square_without_minimax, degrees, chance })
}

/// All rows beside the published ones as Markdown, then what they show. Times differ from run to run, so they are left
/// out.
pub(super) fn markdown(rows: &[Row], games: u32, seed: u64) -> io::Result<String> {
    let mut out = Vec::new();
    writeln!(
        out,
        "# War of Life: its strategies against each other\n\nThe evaluation published with the game, played again from random starts. P1 is \
         blue and moves first; shares are in percent of the games. Draws by kind: nobody left, stalemate, no move played (the \
         coursework's minimax), 250 moves. Longest: of the games below 250 moves. Chi-square has {DEGREES} degrees of freedom. Made by\n\n```\n\
         arena study war-of-life --games {games} --seed {seed} --out docs/studies\n```\n"
    )?;
    let head =
        "pairing | games | P1 | P2 | draw | none | stalemate | no move | 250 | moves | shortest | longest | chi-square";
    writeln!(out, "| {head} |\n| ---{} |", " | ---:".repeat(CELLS))?;
    for (published, row) in with_headings(rows) {
        let mut line = |name: String, cells: Cells| writeln!(out, "| {name} | {} |", cells.join(" | "));
        if published {
            line(format!("**{}**, published", row.pairing.name()), published_cells(row))?;
        }
        line(format!("ours {}", way(row.minimax)).trim().into(), own_cells(row))?;
    }
    writeln!(out)?;
    about_pairings_without_minimax(&mut out, rows)?;
    about_minimax(&mut out, rows)?;
    writeln!(out, "\n| played as published | verdict |\n| --- | --- |")?;
    for (name, verdict) in verdicts(rows) {
        writeln!(out, "| {name} | {verdict} |")?;
    }
    Ok(String::from_utf8_lossy(&out).replace("\n  ", "\n- "))
}

/// The figures of a row: games, results, draws by kind, moves, the shortest and the longest game, chi-square.
type Cells = [String; CELLS];
const CELLS: usize = 12;

/// Each row, and whether it is the first of its pairing.
fn with_headings(rows: &[Row]) -> impl Iterator<Item = (bool, &Row)> {
    let names = |row: &Row| row.pairing.name();
    let is_first = move |at: usize| at == 0 || names(&rows[at - 1]) != names(&rows[at]);
    rows.iter().enumerate().map(move |(at, row)| (is_first(at), row))
}

fn shares(results: Results) -> [String; 3] {
    let all: f64 = results.iter().sum();
    results.map(|count| format!("{:.1}", 100.0 * count / all))
}

fn published_cells(row: &Row) -> Cells {
    let pairing = row.pairing;
    let ([won, lost, drawn], none) = (shares(pairing.results()), String::new);
    let (moves, games) = (format!("{:.2}", pairing.moves), pairing.games.to_string());
    [games, won, lost, drawn, none(), none(), none(), none(), moves, none(), none(), none()]
}

fn own_cells(row: &Row) -> Cells {
    let sample = &row.sample;
    let ([won, lost, drawn], kinds) = (shares(sample.results()), sample.draws());
    let [none, stalemate, no_move, exhausted] = kinds.map(|share| format!("{share:.1}"));
    let [games, shortest, longest] =
        [sample.games, sample.shortest.into(), sample.longest.into()].map(|n| n.to_string());
    let (moves, chi_square) = (format!("{:.2}", sample.mean_moves()), format!("{:.1}", row.chi_square()));
    [games, won, lost, drawn, none, stalemate, no_move, exhausted, moves, shortest, longest, chi_square]
}

fn about_pairings_without_minimax(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    let fit = fit(rows);
    writeln!(
        out,
        "{}: the pairings without minimax differ from the published results by a chi-square of {:.1} on {} degrees of freedom",
        match verdict(rows) {
            Verdict::Holds | Verdict::InPart => "Reproduced",
            Verdict::DoesNotHold => "NOT reproduced",
            Verdict::TooFew => "Too few games to tell",
        },
        fit.chi_square,
        fit.degrees
    )?;
    writeln!(
        out,
        "(two samples, Pearson's test of homogeneity; by chance it would be larger with probability {:.3}, and is rejected below \
         {CHANCE_MIN}; to be reproduced takes {GAMES_MIN} games of each pairing).",
        fit.chance()
    )
}

/// How many rows with one variant of minimax fit the published ones, in words.
fn fitting(rows: &[Row], terminals: Terminals) -> String {
    let of = |verdict| {
        let rows = rows.iter().filter(|row| row.minimax == Some(terminals));
        rows.filter(|row| verdict_of(row) == verdict).count()
    };
    let few = match of(Verdict::TooFew) {
        0 => String::new(),
        few => format!(", and {few} have too few games to tell"),
    };
    format!("{} fit and {} do not{few}", of(Verdict::Holds), of(Verdict::DoesNotHold))
}

fn about_minimax(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    writeln!(
        out,
        "\nThe pairings with minimax: by the coursework's way of valuing moves that leave the opponent without an answer, {}; by the clean \
         way, {}",
        fitting(rows, Terminals::Coursework),
        fitting(rows, Terminals::Clean)
    )?;
    writeln!(
        out,
        "(each by itself, by Fisher's exact test of each kind of result, at the same chance; to fit takes {TIMES_PUBLISHED} times the published games). The coursework forgets such moves, plays another in their place, and where all are"
    )?;
    writeln!(
        out,
        "such, none: that is where its many draws come from. Clean minimax wins these games. It is what plays here."
    )?;
    for row in rows.iter().filter(|row| row.minimax == Some(Terminals::Coursework)) {
        if verdict_of(row) != Verdict::DoesNotHold {
            continue;
        }
        let exchanged = of_two_samples(row.sample.results(), row.pairing.exchanged());
        let sum: f64 = row.pairing.results().iter().sum();
        let stated = f64::from(row.pairing.games);
        let why = if chance_above(exchanged, DEGREES) >= CHANCE_MIN {
            format!("it fits ({exchanged:.1}) if second wins and draws changed places in print")
        } else if sum > stated {
            format!("its printed results sum up to {sum} of {stated} games")
        } else {
            "why is not known".into()
        };
        writeln!(out, "  {} does not fit the coursework's way ({:.1}): {why}.", row.pairing.name(), row.chi_square())?;
    }
    Ok(())
}
