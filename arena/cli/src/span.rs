//! `arena verify` of a span of a world's life: its generations are computed again from its snapshot and calls.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use arena_files::read_at_most;
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
}

pub(crate) fn verify(path: &Path, json: bool, out: &mut dyn Write) -> Result<Exit> {
    let shown = path.display();
    let bytes = read_at_most(path, SPAN_BYTES_MAX as u64).with_context(|| format!("cannot read {shown}"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{shown} is not text"))?;
    let found = Span::verify(&text);
    let (exit, verdict) = match &found {
        Ok(_) => (Exit::Yes, "identical"),
        Err(SpanError::Differs { .. }) => (Exit::No, "differs"),
        Err(SpanError::OtherForm(_)) => (Exit::OtherRelease, "other_form"),
        Err(_) => (Exit::Damaged, "damaged"),
    };
    if json {
        let why = found.as_ref().err().map(|error| shown::text(&error.to_string()));
        let covered = |Span { from, to, calls }| Covered { from_generation: from, to_generation: to, calls };
        let report = Report { verdict, span: found.ok().map(covered), why };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(exit);
    }
    match found {
        Ok(Span { from, to, calls }) => {
            let [generations, from, to] = [to - from, from, to].map(grouped);
            let calls = shown::count(calls as usize, "call");
            writeln!(out, "computed again from its snapshot: {generations} generations ({from} to {to}) and {calls}")?;
            writeln!(out, "{shown} is identical: every answer and every digest is the same")?;
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
