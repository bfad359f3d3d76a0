//! `arena verify` for a span of a world's life: recomputes its generations from its snapshot, calls and bots.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use arena_files::read_at_most;
use arena_record::EntrantId;
use arena_runner::{BotFolder, Host, WorldBots, world_budgets};
use arena_sandbox::WALL_MS_DEFAULT;
use arena_worker::Wall;
use arena_world::{SPAN_BYTES_MAX, Span, SpanError};
use serde::Serialize;

use crate::exit::Exit;
use crate::shown::{self, grouped};

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    verdict: &'a str,
    #[serde(flatten)]
    span: Option<Covered>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

#[derive(Serialize)]
struct Covered {
    from_generation: u64,
    to_generation: u64,
    calls: u64,
    /// Bots that could not be asked here: what they did was taken from the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bots_not_asked: Vec<EntrantId>,
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

pub(crate) fn verify(
    path: &Path,
    bots: Option<BotFolder>,
    host: Arc<dyn Host>,
    json: bool,
    out: &mut dyn Write,
) -> Result<Exit> {
    let shown = path.display();
    let bytes = read_at_most(path, SPAN_BYTES_MAX as u64).with_context(|| format!("cannot read {shown}"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{shown} is not text"))?;
    let found = Span::verify(&text, &mut asker(bots, host));
    let (exit, verdict) = match &found {
        Ok(Span { taken, .. }) if taken.is_empty() => (Exit::Yes, "identical"),
        Ok(_) => (Exit::NotConfirmed, "not_confirmed"),
        Err(SpanError::Differs { .. }) => (Exit::No, "differs"),
        Err(SpanError::OtherForm(_)) => (Exit::OtherRelease, "other_form"),
        Err(_) => (Exit::Damaged, "damaged"),
    };
    if json {
        let why = found.as_ref().err().map(|error| shown::text(&error.to_string()));
        let covered = |Span { from, to, calls, taken }| Covered {
            from_generation: from,
            to_generation: to,
            calls,
            bots_not_asked: taken,
        };
        let report = Report { verdict, span: found.ok().map(covered), why };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(exit);
    }
    match found {
        Ok(Span { from, to, calls, taken }) => {
            let [generations, from, to] = [to - from, from, to].map(grouped);
            let calls = shown::count(calls as usize, "call");
            writeln!(out, "computed again from its snapshot: {generations} generations ({from} to {to}) and {calls}")?;
            if taken.is_empty() {
                writeln!(out, "{shown} is identical: every answer and every digest is the same")?;
                return Ok(exit);
            }
            writeln!(out, "NOT CONFIRMED: these bots were not asked again; what they did is taken from the file:")?;
            for bot in taken {
                writeln!(out, "  {bot}")?;
            }
            writeln!(out, "give a folder with their files by --bots; a site has each at /api/v1/modules/HASH")?;
        }
        Err(error @ SpanError::OtherForm(_)) => {
            writeln!(out, "{shown} needs another release: {}", shown::text(&error.to_string()))?;
        }
        Err(error @ SpanError::Differs { .. }) => {
            writeln!(out, "{shown} DIFFERS\n  {}", shown::text(&error.to_string()))?;
        }
        Err(error) => writeln!(out, "{shown} is DAMAGED\n  {}", shown::text(&error.to_string()))?,
    }
    Ok(exit)
}
