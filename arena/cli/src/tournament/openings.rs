//! Openings from a file of positions: `--openings FILE`.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use arena_files::read_text;
use arena_notation::parse_position;
use arena_rules::Ruleset;
use arena_rules::conquerors::{Opening, Options, Position, Start};
use arena_tournaments::limits::DEFINITION_BYTES_MAX;
use arena_wire::Protocol;

/// The first characters of comments, which a line may end with.
const COMMENTS: [char; 2] = ['#', ';'];
/// Whether a text is one of a kind.
type IsOne = fn(&str) -> bool;

/// Files of patterns that other programs write, by how they begin.
const PATTERNS: [(IsOne, &str); 4] = [
    (|text| text.starts_with("#Life 1.05") || text.starts_with("#Life 1.06"), "Life 1.05 or 1.06"),
    (|text| text.starts_with("[M2]"), "Golly's macrocell format"),
    (|text| text.starts_with("!Name"), "plain cells"),
    (|text| text.lines().find(|line| !line.starts_with('#')).is_some_and(is_rle), "RLE"),
];

/// Whether a line is the head of a pattern in RLE: `x = 3, y = 3, rule = B3/S23`.
fn is_rle(line: &str) -> bool {
    let line: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
    line.starts_with("x=") && line.contains(",y=")
}

/// The openings in a file, for games of a ruleset with these options: one position per line, in notation.
pub(super) fn openings(path: &Path, ruleset: &str, options: &str) -> Result<Vec<String>> {
    let file = path.display();
    ensure!(ruleset == Position::ID, "{file}: openings are positions of {}, and this is {ruleset}", Position::ID);
    let text = read_text(path, DEFINITION_BYTES_MAX as u64);
    let text = text.with_context(|| format!("cannot read the openings {file}"))?;
    if let Some(form) = PATTERNS.iter().find(|(begins, _)| begins(&text)).map(|(_, form)| form) {
        bail!(
            "{file} is a pattern in {form}, and openings are positions in notation: `arena record to-text` writes some"
        );
    }
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split(COMMENTS).next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let opening = opening(line, options).with_context(|| format!("{file}, line {}: no opening", number + 1))?;
        openings.push(opening);
    }
    ensure!(!openings.is_empty(), "{file} has no position: write one in each line, as `arena record to-text` does");
    Ok(openings)
}

fn opening(line: &str, options: &str) -> Result<String> {
    let position = parse_position(line)?;
    let rules: Options = *position.options();
    let opening = Opening::named(*position.board());
    let Some(opening) = opening else { bail!("`cells`: each colour has 1 to 24 living cells, and lives on by itself") };
    let start = Start { options: rules, opening };
    ensure!(
        Position::start(&start, &[0; 32]) == position,
        "an opening is a position before the first turn: blue moves in round 1, no bomb cools, nobody has skipped"
    );
    let (text, wanted) = (opening.to_string(), options.split(",opening=").next().unwrap_or_default());
    let own = Position::options_text(&rules.into());
    ensure!(own == wanted, "`rules` are {own:?}, and the tournament's are {wanted:?}");
    Ok(text)
}
