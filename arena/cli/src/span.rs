//! `arena verify` for spans of a world's life: recomputes their generations from their snapshots, calls and bots, and
//! says what a chain of them proves.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use arena_files::read_at_most;
use arena_record::EntrantId;
use arena_runner::{BotFolder, Host, WorldBots, has_other_line_ends, world_budgets};
use arena_sandbox::WALL_MS_DEFAULT;
use arena_worker::Wall;
use arena_world::{SPAN_BYTES_MAX, Span, SpanError};
use serde::Serialize;

use crate::exit::Exit;
use crate::output::{self, grouped};

/// What only the site of a world knows, as in `--json`.
const SNAPSHOT: &str = "snapshot";
const CALLS: &str = "calls";

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    verdict: &'a str,
    #[serde(flatten)]
    covered: Option<Covered>,
    /// What rests on the word of the world's site.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_word: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

#[derive(Serialize)]
struct Covered {
    from_generation: u64,
    to_generation: u64,
    spans: usize,
    calls: u64,
    /// Bots that could not be asked here: what they did was taken from the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bots_not_asked: Vec<EntrantId>,
}

/// Why spans that are right each on its own are no chain.
enum Broken {
    /// Nothing is known of the generations between two spans.
    Gap { file: String, from: u64, to: u64 },
    /// A span begins with another world than that in which the one before it ends.
    Other { file: String, before: String },
}

/// Why a file is not a span, or not one that follows the rules.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(
        "its line ends are not those that it was written with: git or an editor changed them, so get it again as it was"
    )]
    LineEnds,
    #[error(transparent)]
    Span(SpanError),
}

/// Asks the bots in a folder.
fn asker(bots: Option<BotFolder>, host: Arc<dyn Host>) -> WorldBots {
    let budgets = world_budgets();
    let find = move |id: &EntrantId| {
        let bytes = bots.as_ref()?.find(id, budgets.module_bytes).ok()??;
        host.load(&bytes, &budgets).ok()
    };
    WorldBots::new(Box::new(find), Wall::Milliseconds(WALL_MS_DEFAULT))
}

/// Verifies spans of one world, given in any order.
pub(crate) fn verify(
    paths: &[&PathBuf],
    bots: Option<&BotFolder>,
    host: &Arc<dyn Host>,
    json: bool,
    out: &mut dyn Write,
) -> Result<Exit> {
    let mut spans = Vec::new();
    for path in paths {
        match one(path, bots, host)? {
            Ok(span) => spans.push((path.display().to_string(), span)),
            Err(error) => return refused(path, &error, json, out),
        }
    }
    spans.sort_by_key(|(_, span)| span.from);
    for pair in spans.windows(2) {
        let [(one, earlier), (other, later)] = pair else { continue };
        ensure!(earlier.to <= later.from, "{one} and {other} tell of the same generations: leave one of them out");
    }
    let broken = spans.windows(2).find_map(|pair| {
        let [(before, earlier), (file, later)] = pair else { return None };
        let (file, before) = (file.clone(), before.clone());
        match later.follows(earlier) {
            true => None,
            false if earlier.to == later.from => Some(Broken::Other { file, before }),
            false => Some(Broken::Gap { file, from: earlier.to, to: later.from }),
        }
    });
    judged(&spans, broken, json, out)
}

/// Recomputes one span.
fn one(path: &Path, bots: Option<&BotFolder>, host: &Arc<dyn Host>) -> Result<Result<Span, Refused>> {
    let shown = path.display();
    let bytes = read_at_most(path, SPAN_BYTES_MAX as u64).with_context(|| format!("cannot read {shown}"))?;
    if has_other_line_ends(&bytes) {
        return Ok(Err(Refused::LineEnds));
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{shown} is not text"))?;
    Ok(Span::verify(&text, &mut asker(bots.cloned(), host.clone())).map_err(Refused::Span))
}

/// Says why a span is not one, or differs.
fn refused(path: &Path, error: &Refused, json: bool, out: &mut dyn Write) -> Result<Exit> {
    let (exit, verdict) = match error {
        Refused::LineEnds => (Exit::Damaged, "line_ends"),
        Refused::Span(SpanError::Differs { .. }) => (Exit::No, "differs"),
        Refused::Span(SpanError::OtherForm(_)) => (Exit::OtherRelease, "other_form"),
        Refused::Span(_) => (Exit::Damaged, "damaged"),
    };
    let (file, why) = (path.display().to_string(), output::text(&error.to_string()));
    if json {
        let (file, why) = (Some(file), Some(why));
        let report = Report { verdict, covered: None, by_word: Vec::new(), code: None, file, why };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(exit);
    }
    match exit {
        _ if matches!(error, Refused::LineEnds) => writeln!(out, "{file}: {why}")?,
        Exit::OtherRelease => writeln!(out, "{file} needs another release: {why}")?,
        Exit::No => writeln!(out, "{file} DIFFERS\n  {why}")?,
        _ => writeln!(out, "{file} is DAMAGED\n  {why}")?,
    }
    Ok(exit)
}

/// Says what spans prove that are right each on its own.
fn judged(spans: &[(String, Span)], broken: Option<Broken>, json: bool, out: &mut dyn Write) -> Result<Exit> {
    let (Some((first, begin)), Some((_, end))) = (spans.first(), spans.last()) else { return Ok(Exit::Yes) };
    let mut taken: Vec<EntrantId> = Vec::new();
    for bot in spans.iter().flat_map(|(_, span)| &span.taken) {
        if !taken.contains(bot) {
            taken.push(bot.clone());
        }
    }
    let is_first = begin.is_first();
    let (exit, verdict, code) = match &broken {
        Some(Broken::Other { .. }) => (Exit::No, "differs", None),
        Some(Broken::Gap { .. }) => (Exit::Incomplete, "incomplete", Some("gap")),
        None if !taken.is_empty() => (Exit::NotConfirmed, "not_confirmed", None),
        None if !is_first => (Exit::Incomplete, "incomplete", Some(SNAPSHOT)),
        None => (Exit::Yes, "identical", None),
    };
    let calls: u64 = spans.iter().map(|(_, span)| span.calls).sum();
    let mut by_word = Vec::new();
    by_word.extend((!is_first || broken.is_some()).then_some(SNAPSHOT));
    by_word.extend((calls > 0).then_some(CALLS));
    if json {
        let covered = Covered {
            from_generation: begin.from,
            to_generation: end.to,
            spans: spans.len(),
            calls,
            bots_not_asked: taken,
        };
        let file = broken.map(|(Broken::Gap { file, .. } | Broken::Other { file, .. })| file);
        let report = Report { verdict, covered: Some(covered), by_word, code, file, why: None };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(exit);
    }
    let generations: u64 = spans.iter().map(|(_, span)| span.to - span.from).sum();
    let generations = output::count(generations as usize, "generation");
    let [from, to] = [begin.from, end.to].map(grouped);
    let calls_in_words = output::count(calls as usize, "call");
    let many = spans.len() > 1;
    let snapshots = if many { "their snapshots" } else { "its snapshot" };
    writeln!(out, "computed again from {snapshots}: {generations} ({from} to {to}) and {calls_in_words}")?;
    let what = if many { format!("the chain of {} spans", spans.len()) } else { first.clone() };
    match &broken {
        Some(Broken::Other { file, before }) => {
            writeln!(out, "{file} DIFFERS\n  it begins with another world than that in which {before} ends")?;
            return Ok(exit);
        }
        Some(Broken::Gap { file, from, to }) => {
            let [from, to] = [*from, *to].map(grouped);
            writeln!(out, "the spans are no chain: none of them tells of generations {from} to {to}, before {file}")?;
        }
        None if many => {
            writeln!(out, "each span begins with the world and the bots with which the one before it ends")?
        }
        None => {}
    }
    if !taken.is_empty() {
        writeln!(out, "NOT CONFIRMED: these bots were not asked again; what they did is taken from the file:")?;
        for bot in taken {
            writeln!(out, "  {bot}")?;
        }
        writeln!(out, "give a folder with their files by --bots; a site has each at /api/v1/modules/HASH")?;
    }
    if !is_first {
        writeln!(
            out,
            "the snapshot of generation {from} rests on the word of the world's site; spans before it, as far as the site has them, \
             prove it if they are verified together"
        )?;
    }
    if calls > 0 {
        writeln!(out, "that people made these calls rests on the word of the world's site")?;
    }
    match exit {
        Exit::Yes => {
            writeln!(out, "{what} is identical: every answer and every digest is the same, from the empty world on")?
        }
        Exit::Incomplete if broken.is_none() => writeln!(out, "{what}: nothing differs from that snapshot on")?,
        _ => {}
    }
    Ok(exit)
}
