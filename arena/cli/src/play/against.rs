//! `arena play A B --against FIELD`: which of two bots does better against others.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use arena_record::EntrantId;
use arena_rules::BySeat;
use arena_runner::{Contender, GameTerms, in_order};
use arena_sandbox::WALL_MS_DEFAULT;
use arena_tournaments::limits::EACH_ENTRANTS_MAX;
use arena_tournaments::{
    Advantage, Against, COMPARED, Comparison, Entrant, GAMES_OF_AN_OPENING, GameResult, ScheduledGame, Source, isolated,
};
use arena_worker::Wall;
use serde::Serialize;

use super::{GAMES_DEFAULT, Play, STOPPING};
use crate::exit::Exit;
use crate::game::match_options;
use crate::interrupt::Interrupt;
use crate::{bots, output, progress, strength, tournament};

/// What `--json` prints.
#[derive(Serialize)]
struct Compared<'a> {
    a: &'a str,
    a_id: &'a EntrantId,
    b: &'a str,
    b_id: &'a EntrantId,
    field: Vec<OfField<'a>>,
    openings: u32,
    openings_repeated: u32,
    /// A's lead over B as a part of the points; null if there are too few games.
    ahead: Option<f64>,
    ahead_low: Option<f64>,
    ahead_high: Option<f64>,
    /// The probability that A is better.
    superiority: Option<f64>,
    interrupted: bool,
    sentence: String,
}

/// The scores of both against one of the field; null until a game counts.
#[derive(Serialize)]
struct OfField<'a> {
    name: &'a str,
    id: &'a EntrantId,
    a: Option<f64>,
    b: Option<f64>,
}

pub(super) fn run(args: &Play, field: &str, out: &mut dyn Write) -> Result<Exit> {
    let threads = args.threads.count();
    let host = bots::host(threads)?;
    let game = args.choice.game;
    let options = args.options.clone().unwrap_or_else(|| match_options(game));
    ensure!(game.shape(&options)?.seats == 2, "a match has two seats");
    let paths: Vec<PathBuf> = [args.a.clone(), args.b.clone()].into_iter().chain(opponents(field)?).collect();
    let budgets = args.choice.budgets();
    let contenders = paths.iter().map(|path| bots::contender(path, game.ruleset, &*host, &budgets));
    let contenders: Vec<Contender> = contenders.collect::<Result<_>>()?;
    let entrants = entrants(&paths, &contenders)?;
    let terms = GameTerms::new(game.ruleset, &options, budgets, Wall::Milliseconds(WALL_MS_DEFAULT));
    let format = Against { seed: args.seed, openings: args.games.unwrap_or(GAMES_DEFAULT).div_ceil(2) };
    let games = format.games(&entrants);

    let interrupt = Interrupt::listen(STOPPING)?;
    let bar = progress::bar(games.len() as u64, "games");
    let mut comparison = Comparison::against(entrants.len() - COMPARED);
    let (mut four, mut interrupted): (Vec<(&ScheduledGame, GameResult)>, bool) = (Vec::new(), false);
    let play = |game| -> Result<(&ScheduledGame, GameResult)> {
        let game: &ScheduledGame = game;
        let seats: BySeat<&Contender> = game.seats.clone().map(|entrant| &contenders[entrant]);
        Ok((game, GameResult::of(&host.play(&terms.game(game.seed, &seats))?.ended.into_record()?)))
    };
    let flow = in_order(&games, threads, play, |played| {
        match played {
            Ok(played) => four.push(played),
            Err(error) => return ControlFlow::Break(Err(error)),
        }
        if let [a, b, c, d] = &four[..] {
            comparison.add([a, b, c, d].map(|(game, result)| (*game, result)));
            four.clear();
            bar.inc(GAMES_OF_AN_OPENING as u64);
            if let Some(Advantage { mean, half_interval, .. }) = comparison.advantage() {
                let [mean, half] = [mean, half_interval].map(|part| part as f64 / 100.0);
                bar.set_message(format!("; {mean:+.1} ± {half:.1} % of the points"));
            }
            interrupted = interrupt.is_heard() && bar.position() < games.len() as u64;
        }
        if interrupted { ControlFlow::Break(Ok(())) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    if let ControlFlow::Break(Err(error)) = flow {
        return Err(error);
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&json(&entrants, &comparison, interrupted))?)?;
    } else {
        explain(out, &entrants, &comparison, interrupted)?;
    }
    Ok(if interrupted { Exit::Interrupted } else { Exit::Yes })
}

/// The files and names of a field.
fn opponents(field: &str) -> Result<Vec<PathBuf>> {
    if Path::new(field).extension().is_none_or(|ending| ending != "toml") {
        let names: Vec<PathBuf> = field.split(',').map(|name| name.trim().into()).collect();
        ensure!(
            names.iter().all(|name| !name.as_os_str().is_empty()),
            "--against takes opponents separated by single commas"
        );
        return Ok(names);
    }
    let (definition, base) = tournament::definition(Path::new(field))?;
    let path = |source: Source| match source {
        Source::Baseline(name) | Source::Gallery(name) => name.into(),
        Source::File(file) => base.join(file),
    };
    Ok(definition.entrants.into_iter().map(|entrant| path(entrant.source)).collect())
}

/// The two and their field, by names that differ. Neither meets itself in the field, which would show nothing.
fn entrants(paths: &[PathBuf], contenders: &[Contender]) -> Result<Vec<Entrant>> {
    let most = EACH_ENTRANTS_MAX - COMPARED;
    ensure!(paths.len() - COMPARED <= most, "a field has {most} opponents at most");
    let mut entrants: Vec<Entrant> = Vec::new();
    for (path, contender) in paths.iter().zip(contenders) {
        let (name, id) = (bots::label(path), contender.id());
        if entrants.len() >= COMPARED && entrants.iter().any(|known| known.id == id) {
            bail!("{} appears twice: A, B and every bot of the field must differ", output::text(&name));
        }
        let times =
            entrants.iter().filter(|known| known.name == name || known.name.starts_with(&format!("{name}-"))).count();
        let name = if entrants.iter().any(|known| known.name == name) { format!("{name}-{}", times + 1) } else { name };
        entrants.push(Entrant::new(name, id));
    }
    let [a, b, ..] = &entrants[..] else { bail!("there is nothing to compare: name two bots") };
    ensure!(a.id != b.id, "A and B are the same bot, byte for byte");
    Ok(entrants)
}

fn json<'a>(entrants: &'a [Entrant], comparison: &Comparison, interrupted: bool) -> Compared<'a> {
    let part = |ten_thousandths: i64| ten_thousandths as f64 / 10_000.0;
    let against = |(opponent, entrant): (usize, &'a Entrant)| {
        let scores = comparison.scores(opponent).map(|scores| scores.map(|score| part(score.into())));
        OfField { name: &entrant.name, id: &entrant.id, a: scores.map(|[a, _]| a), b: scores.map(|[_, b]| b) }
    };
    let advantage = comparison.advantage();
    let of = |value: fn(Advantage) -> i64| advantage.map(|advantage| part(value(advantage)));
    let (a, b) = (&*entrants[0].name, &*entrants[1].name);
    Compared {
        a,
        a_id: &entrants[0].id,
        b,
        b_id: &entrants[1].id,
        field: entrants[COMPARED..].iter().enumerate().map(against).collect(),
        openings: comparison.openings(),
        openings_repeated: comparison.repeated(),
        ahead: of(|advantage| advantage.mean),
        ahead_low: of(|advantage| advantage.mean - advantage.half_interval),
        ahead_high: of(|advantage| advantage.mean + advantage.half_interval),
        superiority: of(|advantage| advantage.superiority.into()),
        interrupted,
        sentence: comparison.sentence([a, b]),
    }
}

fn explain(out: &mut dyn Write, entrants: &[Entrant], comparison: &Comparison, interrupted: bool) -> Result<()> {
    let names: Vec<String> = entrants.iter().map(|entrant| output::text(&entrant.name)).collect();
    let wide = |names: &[String]| names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let (width, cell) = (wide(&names[COMPARED..]).max("against".len()), wide(&names[..COMPARED]).max("100.0 %".len()));
    let (a, b) = names.split_at_checked(1).context("there is nothing to compare: name two bots")?;
    let ids: Vec<&str> = entrants.iter().map(|entrant| entrant.id.short()).collect();
    let id_width = ids[COMPARED..].iter().map(|id| id.len()).max().unwrap_or(0).max("id".len());
    let cell = ids[..COMPARED].iter().map(|id| id.len()).max().unwrap_or(0).max(cell);
    // What keeps a name from turning around what is beside it takes no room.
    let left = |name: &str| format!("{}{:2$}", isolated(name), "", width - name.chars().count());
    let right = |name: &str| format!("{:2$}{}", "", isolated(name), cell - name.chars().count());
    writeln!(
        out,
        "{:<width$}  {:<id_width$}  {}  {}  {:>7}\n{:<width$}  {:<id_width$}  {:>cell$}  {:>cell$}",
        "against",
        "id",
        right(&a[0]),
        right(&b[0]),
        "ahead",
        "",
        "",
        ids[0],
        ids[1]
    )?;
    for (opponent, (name, id)) in names[COMPARED..].iter().zip(&ids[COMPARED..]).enumerate() {
        let name = left(name);
        match comparison.scores(opponent) {
            Some([a, b]) => {
                let [ahead, a, b] = [i64::from(a) - i64::from(b), a.into(), b.into()].map(|part| part as f64 / 100.0);
                writeln!(
                    out,
                    "{name}  {id:<id_width$}  {:>cell$}  {:>cell$}  {ahead:>+7.1}",
                    format!("{a:.1} %"),
                    format!("{b:.1} %")
                )?;
            }
            None => writeln!(out, "{name}  {id:<id_width$}  {:>cell$}  {:>cell$}", "-", "-")?,
        }
    }
    writeln!(out)?;
    if interrupted {
        writeln!(out, "stopped before all games were played")?;
    }
    writeln!(out, "{}", comparison.sentence([&a[0], &b[0]]))?;
    if comparison.repeated() > 0 {
        writeln!(out, "{}", strength::not_counted(comparison.repeated(), "opening"))?;
    }
    writeln!(
        out,
        "each opening is one seed, from which both play a pair with the opponent; every opponent counts alike"
    )?;
    Ok(())
}
