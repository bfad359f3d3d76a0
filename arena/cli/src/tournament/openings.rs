//! Openings from a file of positions: `--openings FILE`.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use arena_files::read_at_most;
use arena_notation::parse_position;
use arena_rules::Ruleset;
use arena_rules::conquerors::{Opening, Options, Position, Start};
use arena_tournaments::Definition;
use arena_tournaments::limits::DEFINITION_BYTES_MAX;
use arena_wire::Protocol;

/// The first characters of lines that are skipped.
const COMMENTS: [char; 2] = ['#', ';'];

/// The definition with the openings from a file: one position per line, in notation.
pub(super) fn with_openings(definition: Definition, file: Option<&Path>) -> Result<Definition> {
    let Some(path) = file else { return Ok(definition) };
    let file = path.display();
    ensure!(
        definition.ruleset == Position::ID,
        "{file}: openings are positions of {}, and this is {}",
        Position::ID,
        definition.ruleset
    );
    let bytes = read_at_most(path, DEFINITION_BYTES_MAX as u64);
    let bytes = bytes.with_context(|| format!("cannot read the openings {file}"))?;
    ensure!(
        bytes.len() <= DEFINITION_BYTES_MAX,
        "{file} has more than {DEFINITION_BYTES_MAX} bytes: is it the right file?"
    );
    let text = String::from_utf8(bytes).with_context(|| format!("{file} is not text"))?;
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(COMMENTS) {
            continue;
        }
        let opening = opening(line, &definition).with_context(|| format!("{file}, line {}: no opening", number + 1))?;
        openings.push(opening);
    }
    ensure!(!openings.is_empty(), "{file} has no position: write one in each line, as `arena record to-text` does");
    definition.with_openings(openings).with_context(|| file.to_string())
}

fn opening(line: &str, definition: &Definition) -> Result<String> {
    let position = parse_position(line)?;
    let rules: Options = *position.options();
    let opening = Opening::named(*position.board());
    let Some(opening) = opening else { bail!("`cells`: each colour has 1 to 24 living cells, and lives on by itself") };
    let start = Start { options: rules, opening };
    ensure!(
        Position::start(&start, &[0; 32]) == position,
        "an opening is a position before the first turn: blue moves in round 1, no bomb cools, nobody has skipped"
    );
    let (text, wanted) = (opening.to_string(), definition.options.split(",opening=").next().unwrap_or_default());
    let own = Position::options_text(&rules.into());
    ensure!(own == wanted, "`rules` are {own:?}, and the tournament's are {wanted:?}");
    Ok(text)
}
