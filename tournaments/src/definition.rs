//! Definitions: the description of a tournament to be played.

use std::collections::BTreeSet;

use arena_record::Budgets;
use arena_wire::UnknownGame;

use crate::Entrant;
use crate::anchor::{Anchor, AnchorSpec};
use crate::commitment::Draw;
use crate::entrant_spec::EntrantSpec;
use crate::format::Format;
use crate::formats::{FormatError, FormatSpec};
use crate::keys::{Keys, WrittenBudgets, WrittenEntrant};
use crate::limits::{OPENINGS_MAX, OPTIONS_CHARS_MAX, SEED_MAX};
use crate::problem::{DefinitionError, Problem, line, within, wrong};

/// The prefix of an opening in options.
const OPENING_IS: &str = "opening=";

/// A checked definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The tournament's name.
    pub name: String,
    /// Name and version of the ruleset.
    pub ruleset: String,
    /// Its options as canonical text.
    pub options: String,
    /// The openings of pairs, used one after the other instead of the options' own. Empty to go by the options.
    pub openings: Vec<String>,
    /// The seed from which all games' seeds are derived.
    pub seed: u64,
    /// How the seed was drawn; `None` for a bare number, which the definition's author may have chosen.
    pub draw: Option<Draw>,
    /// Who plays whom, and how often.
    pub format: FormatSpec,
    /// The entrants on which ratings are based; `None` for those that the game names.
    pub anchor: Option<AnchorSpec>,
    /// The limits of bots.
    pub budgets: Budgets,
    /// Milliseconds a call may take before the machine is considered at fault. Never scored.
    pub wall_ms_per_move: u64,
    /// The entrants.
    pub entrants: Vec<EntrantSpec>,
}

/// Why a definition cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unplayable {
    /// A ruleset or options that do not exist.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// An opening that such games cannot start from.
    #[error(transparent)]
    Opening(UnknownGame),
    /// Options that are only for studies.
    #[error("games with the options {0:?} are for studies and never count for standings: choose other options")]
    NotForStandings(String),
    /// A format that does not suit such games.
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl Unplayable {
    /// The keys of a definition that it is about; the most likely one first.
    fn keys(&self) -> &'static [&'static str] {
        match self {
            Unplayable::Unknown(UnknownGame::Ruleset(_)) => &["ruleset"],
            Unplayable::Unknown(UnknownGame::Options { .. }) | Unplayable::NotForStandings(_) => {
                &["options", "ruleset"]
            }
            Unplayable::Opening(_) => &["openings"],
            Unplayable::Format(FormatError::NotTwoSeats { .. } | FormatError::TwoSeats) => {
                &["format", "options", "ruleset"]
            }
            Unplayable::Format(FormatError::EmptySeats { .. }) => &["entrants"],
        }
    }
}

impl Definition {
    /// The format with its parameters, if the games of this definition exist, may count, and suit it.
    ///
    /// # Errors
    /// If they do not.
    pub fn to_format(&self) -> Result<Box<dyn Format>, Unplayable> {
        playable(&self.ruleset, (&self.options, &self.openings), self.format, self.seed, self.entrants.len())
    }

    /// The same for a definition that was parsed from `text`: an error names the key, and its line.
    ///
    /// # Errors
    /// As [`to_format`](Definition::to_format).
    pub fn to_format_in(&self, text: &str) -> Result<Box<dyn Format>, DefinitionError> {
        self.to_format()
            .map_err(|why| DefinitionError::about(why.keys(), Problem::Unplayable { why: why.to_string() }, text))
    }

    /// The bots on which ratings are based, if the definition or its game names some. `entrants` are those of the
    /// definition.
    pub fn anchor_of(&self, entrants: &[Entrant]) -> Option<Anchor> {
        let Some(AnchorSpec { entrants: names, rating }) = &self.anchor else { return Anchor::of_game(&self.ruleset) };
        let id =
            |name: &String| entrants.iter().find(|entrant| entrant.name == *name).map(|entrant| entrant.id.clone());
        Some(Anchor { bots: names.iter().filter_map(id).collect(), rating: *rating })
    }

    /// The format with another seed: that of a later round, if each round has its own.
    ///
    /// # Errors
    /// As [`to_format`](Definition::to_format).
    pub fn format_with(&self, seed: u64) -> Result<Box<dyn Format>, Unplayable> {
        Definition { seed, ..self.clone() }.to_format()
    }

    /// The options of games that start from one of [`openings`](Definition::openings).
    pub fn options_from(&self, opening: &str) -> String {
        options_from(&self.options, opening)
    }

    /// The same tournament with these openings. [`to_format`](Definition::to_format) checks whether its games have
    /// them.
    ///
    /// # Errors
    /// If there are too many, or one is repeated.
    pub fn with_openings(self, openings: Vec<String>) -> Result<Definition, DefinitionError> {
        check_openings(&openings)?;
        Ok(Definition { openings, ..self })
    }

    /// The same tournament with another seed, chosen rather than drawn.
    ///
    /// # Errors
    /// If the seed is too large.
    pub fn with_seed(self, seed: u64) -> Result<Definition, DefinitionError> {
        within("seed", seed, 0, SEED_MAX)?;
        Ok(Definition { seed, draw: None, ..self })
    }

    /// The unique complete text of this definition, with all defaults written out; the inverse of
    /// [`parse`](Definition::parse).
    ///
    /// # Panics
    /// Never: all fields are plain values.
    pub fn to_toml(&self) -> String {
        let keys = Keys {
            name: Some(self.name.clone()),
            ruleset: Some(self.ruleset.clone()),
            options: Some(self.options.clone()),
            openings: (!self.openings.is_empty()).then(|| self.openings.clone()),
            seed: Some(self.seed),
            wall_ms_per_move: Some(self.wall_ms_per_move),
            anchor: self.anchor.clone(),
            draw: self.draw,
            budgets: Some(WrittenBudgets::of(self.budgets)),
            entrants: self.entrants.iter().map(WrittenEntrant::of).collect(),
            ..Keys::of(self.format)
        };
        toml::to_string(&keys).expect("strings and whole numbers always serialise")
    }
}

/// The format with its parameters, if games of these options and openings exist, may count, and suit it.
pub(crate) fn playable(
    ruleset: &str,
    (options, openings): (&str, &[String]),
    format: FormatSpec,
    seed: u64,
    entrants: usize,
) -> Result<Box<dyn Format>, Unplayable> {
    let shape = arena_wire::shape(ruleset, options)?;
    if !shape.may_count {
        return Err(Unplayable::NotForStandings(options.into()));
    }
    for opening in openings {
        arena_wire::shape(ruleset, &options_from(options, opening)).map_err(Unplayable::Opening)?;
    }
    Ok(format.with(seed, shape.seats, entrants)?)
}

fn options_from(options: &str, opening: &str) -> String {
    let others = options.split(',').filter(|option| !option.is_empty() && !option.starts_with(OPENING_IS));
    others.map(String::from).chain([format!("{OPENING_IS}{opening}")]).collect::<Vec<_>>().join(",")
}

/// Checks the openings of pairs.
pub(crate) fn check_openings(openings: &[String]) -> Result<(), DefinitionError> {
    if openings.len() > OPENINGS_MAX {
        let (most, given) = (OPENINGS_MAX as u64, openings.len() as u64);
        return wrong(None, "openings", Problem::Range { least: 1, most, given });
    }
    let mut seen = BTreeSet::new();
    for opening in openings {
        line("openings", opening, 1, OPTIONS_CHARS_MAX)?;
        if !seen.insert(opening) {
            return wrong(None, "openings", Problem::OpeningTwice { given: opening.clone() });
        }
    }
    Ok(())
}
