//! The log: its level and its form, and the escaping that keeps foreign text in it from moving a terminal's cursor or
//! beginning a line. It goes to standard error. Only `arena serve` and `arena worker` write one by default.

use std::io::{self, Write};
use std::panic;

use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::output;

/// The variable that sets the level where there is no flag.
const LEVEL: &str = "ARENA_LOG";
/// How much is logged. Each has what those before it have.
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
/// The start of the targets of all our crates.
const OURS: &str = "arena";
/// The most detailed level of other crates: in more detail, some log data that was sent to us.
const OTHERS: LevelFilter = LevelFilter::WARN;

/// The start of the targets of the databases' driver. What goes wrong with a database we log ourselves, with its cause;
/// the driver would add statements and notices that say nothing to an operator.
const DRIVER: &str = "sqlx";

/// The flags of a command that logs.
#[derive(Args)]
#[command(next_help_heading = "Log, on standard error")]
pub(crate) struct Logging {
    /// What to log: problems (warn, the default); also verdicts, rooms and editions (info); every request (debug);
    /// every generation of a world (trace). The environment variable ARENA_LOG sets it for every command.
    #[arg(long = "log-level", value_name = "LEVEL",
        value_parser = PossibleValuesParser::new(LEVELS).try_map(|level| level.parse::<LevelFilter>()))]
    level: Option<LevelFilter>,
    /// Log lines for people, or a line of JSON for each event.
    #[arg(long = "log-format", value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Also log the addresses of requests.
    #[arg(long = "log-addresses")]
    pub(crate) addresses: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[cfg(feature = "site")]
impl Logging {
    /// The level, from the flag, the environment or the default.
    pub(crate) fn level(&self) -> Result<LevelFilter> {
        match self.level {
            Some(level) => Ok(level),
            None => Ok(from_environment()?.unwrap_or(LevelFilter::WARN)),
        }
    }
}

fn from_environment() -> Result<Option<LevelFilter>> {
    let Some(text) = std::env::var_os(LEVEL) else { return Ok(None) };
    let level = LEVELS.iter().find(|level| text.eq_ignore_ascii_case(level)).and_then(|level| level.parse().ok());
    level.map(Some).with_context(|| format!("{LEVEL} is not off, error, warn, info, debug or trace"))
}

/// Starts a log if the environment asks for one.
pub(crate) fn set_up_from_environment() -> Result<()> {
    if let Some(level) = from_environment()? {
        set_up(level, Format::Text);
    }
    Ok(())
}

/// Starts the log of this process. From then on it includes panics.
pub(crate) fn set_up(level: LevelFilter, format: Format) {
    if level == LevelFilter::OFF {
        return;
    }
    let others = Targets::new().with_default(level.min(OTHERS)).with_target(DRIVER, LevelFilter::OFF);
    let filter = others.with_target(OURS, level);
    let lines = fmt::layer().with_ansi(false).log_internal_errors(false).with_writer(move || Lines(format));
    match format {
        Format::Text => tracing_subscriber::registry().with(filter).with(lines).init(),
        Format::Json => tracing_subscriber::registry().with(filter).with(lines.json().with_current_span(false)).init(),
    }
    panic::set_hook(Box::new(|panicked| {
        let thread = std::thread::current();
        let place = panicked.location().map(ToString::to_string);
        tracing::error!(thread = thread.name(), place, panic = panicked.payload_as_str(), "panicked");
    }));
}

/// Writes an event as one line.
struct Lines(Format);

impl Write for Lines {
    /// Takes a whole event, which the layer writes at once.
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        io::stderr().write_all(line(&String::from_utf8_lossy(event), self.0).as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// The line of an event, with control and invisible characters escaped.
fn line(event: &str, format: Format) -> String {
    let event = event.trim_end_matches('\n');
    let escaped = match format {
        Format::Text => output::text(event),
        Format::Json => output::json(event),
    };
    escaped + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_whatever_is_in_it() {
        let hostile = "a\u{1b}[31m\r\n\u{9b}2J\u{202e}\u{301}";
        let text = line(&format!("{hostile}\n"), Format::Text);
        assert_eq!(text, "a\\u{1b}[31m\\r\\n\\u{9b}2J\\u{202e}\\u{301}\n");
        let json = serde_json::json!({ "message": hostile }).to_string();
        let line = line(&json, Format::Json);
        assert!(line.ends_with('\n') && line.trim_end().chars().all(|letter| matches!(letter, ' '..='~')), "{line}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&line).ok(), serde_json::from_str(&json).ok());
    }
}
