//! Definitions: the description of a tournament to be played.

use std::collections::BTreeSet;

use arena_record::Budgets;
use arena_wire::{GAMES, UnknownGame};
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::Entrant;
use crate::anchor::Anchor;
use crate::commitment::Draw;
use crate::format::Format;
use crate::formats::{FormatError, FormatSpec};
use crate::keys::{Keys, WrittenStop};
use crate::limits::*;
use crate::problem::{DefinitionError, Problem, wrong};
use crate::seeds::Order;

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

/// Entrants whose mean rating is given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorSpec {
    /// Their names.
    pub entrants: Vec<String>,
    /// Their mean rating, in Elo points.
    #[serde(default)]
    pub rating: i32,
}

/// An entrant as the definition names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntrantSpec {
    /// Its name in files, and in tables for people unless it has another one there.
    pub name: String,
    /// Its name in tables for people, if different.
    pub display: Option<String>,
    /// Its source.
    pub source: Source,
}

/// The source of an entrant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A built-in opponent by name.
    Baseline(String),
    /// A bot of the gallery by name: its released module.
    Gallery(String),
    /// A bot's file, relative to the definition.
    File(String),
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

/// A definition in its written form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    #[serde(default = "default_ruleset")]
    ruleset: String,
    #[serde(default)]
    options: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    openings: Vec<String>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    format: Option<Spanned<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    games: Option<Spanned<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pairs: Option<Spanned<u32>>,
    #[serde(default, rename = "further-pairs", skip_serializing_if = "Option::is_none")]
    further_pairs: Option<Spanned<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounds: Option<Spanned<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cycles: Option<Spanned<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    table: Option<Spanned<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seeding: Option<Spanned<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seeds: Option<Spanned<String>>,
    #[serde(default, rename = "tie-breaks", skip_serializing_if = "Option::is_none")]
    tie_breaks: Option<Spanned<Vec<String>>>,
    #[serde(default = "default_wall")]
    wall_ms_per_move: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stop: Option<Spanned<WrittenStop>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    anchor: Option<Spanned<AnchorSpec>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    draw: Option<Draw>,
    #[serde(default)]
    budgets: WrittenBudgets,
    #[serde(default)]
    entrants: Vec<WrittenEntrant>,
}

/// Omitted budgets are the game's.
#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct WrittenBudgets {
    fuel_per_move: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fuel_per_game: Option<u64>,
    fuel_at_start: Option<u64>,
    memory_bytes: Option<u64>,
    module_bytes: Option<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEntrant {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<Spanned<i32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gallery: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

impl WrittenEntrant {
    /// Somebody who has not entered yet.
    fn stand_in(number: usize) -> WrittenEntrant {
        let (name, baseline) = (format!(".{number}"), Some("easy".into()));
        WrittenEntrant { name, display: None, rating: None, baseline, gallery: None, file: None }
    }
}

impl WrittenBudgets {
    /// Fills omitted budgets with the game's own.
    fn or(self, own: Budgets) -> Budgets {
        Budgets {
            fuel_per_move: self.fuel_per_move.unwrap_or(own.fuel_per_move),
            fuel_per_game: self.fuel_per_game.or(own.fuel_per_game),
            fuel_at_start: self.fuel_at_start.unwrap_or(own.fuel_at_start),
            memory_bytes: self.memory_bytes.unwrap_or(own.memory_bytes),
            module_bytes: self.module_bytes.unwrap_or(own.module_bytes),
        }
    }
}

/// The default game.
fn default_ruleset() -> String {
    GAMES[0].ruleset.into()
}

fn default_wall() -> u64 {
    WALL_MS_DEFAULT
}

impl Definition {
    /// Parses a definition from TOML.
    ///
    /// # Errors
    /// The first error, with its line or field and what would be right.
    pub fn parse(text: &str) -> Result<Definition, DefinitionError> {
        Definition::parse_with(text, |_| Err("there is no folder to read a file from".into()))
    }

    /// Parses a definition that may name a file with the order of its seeds. `read` gives the text of a file, or the
    /// reason why it cannot. The result keeps only the order of the entrants, not the file or ratings that it came
    /// from.
    ///
    /// # Errors
    /// As [`parse`](Definition::parse), and errors of the file, with their lines.
    pub fn parse_with(
        text: &str,
        read: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<Definition, DefinitionError> {
        Definition::checked(text, |written| written, read).map_err(|error| error.in_text(text, None))
    }

    /// Parses the definition of a tournament that others enter, which may lack a seed and entrants: its seed is then 0,
    /// and stand-ins make the entrants as many as there are `places`.
    ///
    /// # Errors
    /// As [`parse_with`](Definition::parse_with), with lines of `text`.
    pub fn parse_open(
        text: &str,
        places: usize,
        read: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<Definition, DefinitionError> {
        let fill = |mut written: Written| {
            written.seed.get_or_insert(0);
            written.entrants.extend((written.entrants.len()..places).map(WrittenEntrant::stand_in));
            written
        };
        Definition::checked(text, fill, read).map_err(|error| error.in_text(text, None))
    }

    fn checked(
        text: &str,
        fill: impl FnOnce(Written) -> Written,
        read: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<Definition, DefinitionError> {
        if text.len() > DEFINITION_BYTES_MAX {
            return Err(DefinitionError::TooLong(text.len()));
        }
        let written: Written = toml::from_str(text).map_err(|error| DefinitionError::Toml(error.into()))?;
        let present = written.entrants.len();
        let written = fill(written);
        let Written { name, ruleset, options, openings, seed, draw, wall_ms_per_move, budgets, entrants, .. } = written;
        let Written { format, games, pairs, further_pairs, rounds, cycles, table, .. } = written;
        let Written { seeding, seeds, tie_breaks, stop, anchor, .. } = written;
        let order = Order::of(text, &seeding, &seeds, entrants.iter().map(|entrant| entrant.rating.as_ref()))?;
        let keys =
            Keys { format, games, pairs, further_pairs, rounds, cycles, table, seeding, seeds, tie_breaks, stop };
        line("name", &name, 1, NAME_CHARS_MAX)?;
        line("ruleset", &ruleset, 1, ID_CHARS_MAX)?;
        // The full id is required: a definition must keep its meaning when a new version of a game is released.
        let game = GAMES.iter().find(|game| game.ruleset == ruleset);
        let options = options.or_else(|| game.map(|game| game.ranked.into())).unwrap_or_default();
        line("options", &options, 0, OPTIONS_CHARS_MAX)?;
        check_openings(&openings)?;
        let Some(seed) = seed else { return wrong(None, "seed", Problem::NoSeed) };
        within("seed", seed, 0, SEED_MAX)?;
        within("wall_ms_per_move", wall_ms_per_move, WALL_MS_MIN, WALL_MS_MAX)?;
        let budgets = budgets.or(game.map_or(Budgets::DEFAULT, |game| Budgets::of(game.allowance)));
        let Budgets { fuel_per_move, fuel_per_game, fuel_at_start, memory_bytes, module_bytes } = budgets;
        within("budgets.fuel_per_move", fuel_per_move, 1, FUEL_MAX)?;
        fuel_per_game.map_or(Ok(()), |fuel| within("budgets.fuel_per_game", fuel, 1, FUEL_MAX))?;
        within("budgets.fuel_at_start", fuel_at_start, 1, FUEL_MAX)?;
        within("budgets.memory_bytes", memory_bytes, MEMORY_PAGE_BYTES, MEMORY_BYTES_MAX)?;
        within("budgets.module_bytes", module_bytes, 1, MODULE_BYTES_MAX)?;
        if memory_bytes % MEMORY_PAGE_BYTES != 0 {
            return wrong(None, "budgets.memory_bytes", Problem::NotPages);
        }
        if !(ENTRANTS_MIN..=ENTRANTS_MAX).contains(&entrants.len()) {
            return wrong(None, "entrants", Problem::Entrants { given: entrants.len() });
        }
        let format = keys.spec(text, entrants.len(), game.is_none_or(|game| game.cages))?;
        if draw.is_some_and(|draw| draw.chain) && !format.has_late_entry() {
            return wrong(None, "draw.chain", Problem::Chain);
        }
        let entrant = |(place, written)| entrant(written).map_err(|error| error.in_text(text, Some(place)));
        let mut entrants = entrants.into_iter().enumerate().map(entrant).collect::<Result<Vec<_>, _>>()?;
        let mut names = BTreeSet::new();
        // No entrant may be shown under another's name.
        let named = entrants.iter().enumerate().map(|(place, one)| (place, "entrants.name", Some(&one.name)));
        let shown = entrants.iter().enumerate().map(|(place, one)| (place, "entrants.display", one.display.as_ref()));
        for (place, field, name) in named.chain(shown) {
            if let Some(twice) = name.filter(|name| !names.insert(*name)) {
                let error = wrong(None, field, Problem::Twice { given: twice.clone() });
                return error.map_err(|error: DefinitionError| error.in_text(text, Some(place)));
            }
        }
        // Those who have not entered yet come after the others.
        let stand_ins = entrants.split_off(present);
        let mut entrants = order.seeded(entrants, |entrant| &entrant.name, read)?;
        entrants.extend(stand_ins);
        let line = |anchor: &Spanned<AnchorSpec>| Some(1 + text[..anchor.span().start].matches('\n').count());
        let anchor = anchor.map(|anchor| check_anchor(line(&anchor), anchor.into_inner(), &entrants, format));
        let anchor = anchor.transpose()?;
        Ok(Definition {
            name,
            ruleset,
            options,
            openings,
            seed,
            draw,
            format,
            anchor,
            budgets,
            wall_ms_per_move,
            entrants,
        })
    }

    /// The format with its parameters, if the games of this definition exist, may count, and suit it.
    ///
    /// # Errors
    /// If they do not.
    pub fn to_format(&self) -> Result<Box<dyn Format>, Unplayable> {
        let shape = arena_wire::shape(&self.ruleset, &self.options)?;
        if !shape.may_count {
            return Err(Unplayable::NotForStandings(self.options.clone()));
        }
        for opening in &self.openings {
            arena_wire::shape(&self.ruleset, &self.options_from(opening)).map_err(Unplayable::Opening)?;
        }
        Ok(self.format.with(self.seed, shape.seats, self.entrants.len())?)
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
        let others = self.options.split(',').filter(|option| !option.is_empty() && !option.starts_with(OPENING_IS));
        others.map(String::from).chain([format!("{OPENING_IS}{opening}")]).collect::<Vec<_>>().join(",")
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
        let Budgets { fuel_per_move, fuel_per_game, fuel_at_start, memory_bytes, module_bytes } = self.budgets;
        let entrants = self.entrants.iter().map(|entrant| {
            let (name, display) = (entrant.name.clone(), entrant.display.clone());
            let written = WrittenEntrant { name, display, rating: None, baseline: None, gallery: None, file: None };
            match &entrant.source {
                Source::Baseline(tier) => WrittenEntrant { baseline: Some(tier.clone()), ..written },
                Source::Gallery(bot) => WrittenEntrant { gallery: Some(bot.clone()), ..written },
                Source::File(file) => WrittenEntrant { file: Some(file.clone()), ..written },
            }
        });
        let Keys { format, games, pairs, further_pairs, rounds, cycles, table, seeding, tie_breaks, stop, .. } =
            Keys::of(self.format);
        let written = Written {
            name: self.name.clone(),
            ruleset: self.ruleset.clone(),
            options: Some(self.options.clone()),
            openings: self.openings.clone(),
            seed: Some(self.seed),
            format,
            games,
            pairs,
            further_pairs,
            rounds,
            cycles,
            table,
            seeding,
            seeds: None,
            tie_breaks,
            stop,
            anchor: self.anchor.clone().map(|anchor| Spanned::new(0..0, anchor)),
            draw: self.draw,
            wall_ms_per_move: self.wall_ms_per_move,
            budgets: WrittenBudgets {
                fuel_per_move: Some(fuel_per_move),
                fuel_per_game,
                fuel_at_start: Some(fuel_at_start),
                memory_bytes: Some(memory_bytes),
                module_bytes: Some(module_bytes),
            },
            entrants: entrants.collect(),
        };
        toml::to_string(&written).expect("strings and whole numbers always serialise")
    }
}

impl EntrantSpec {
    /// An entrant, if its name and source can be written in a definition.
    ///
    /// # Errors
    /// If they cannot.
    pub fn new(name: String, source: Source) -> Result<EntrantSpec, DefinitionError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if !(1..=ENTRANT_NAME_CHARS_MAX).contains(&name.len()) || !name.chars().all(plain) {
            return wrong(None, "entrants.name", Problem::Name { given: name });
        }
        match &source {
            Source::Baseline(tier) => line("entrants.baseline", tier, 1, ID_CHARS_MAX)?,
            Source::Gallery(bot) => line("entrants.gallery", bot, 1, ID_CHARS_MAX)?,
            Source::File(file) => line("entrants.file", file, 1, FILE_CHARS_MAX)?,
        }
        Ok(EntrantSpec { name, display: None, source })
    }

    /// This entrant with a name for people, if that is one line of letters, digits, plain punctuation and single
    /// spaces.
    ///
    /// # Errors
    /// If it is not.
    pub fn displayed(self, display: Option<String>) -> Result<EntrantSpec, DefinitionError> {
        let plain = |c: char| c.is_alphanumeric() || c.is_ascii_punctuation() || c == ' ';
        let is_good = |name: &String| {
            (1..=DISPLAY_CHARS_MAX).contains(&name.chars().count())
                && name.chars().all(plain)
                && name.split(' ').all(|word| !word.is_empty())
        };
        match display {
            Some(given) if !is_good(&given) => wrong(None, "entrants.display", Problem::Display { given }),
            display => Ok(EntrantSpec { display, ..self }),
        }
    }
}

fn entrant(written: WrittenEntrant) -> Result<EntrantSpec, DefinitionError> {
    let WrittenEntrant { name, display, baseline, gallery, file, .. } = written;
    let source = match (baseline, gallery, file) {
        (Some(tier), None, None) => Source::Baseline(tier),
        (None, Some(bot), None) => Source::Gallery(bot),
        (None, None, Some(file)) => Source::File(file),
        _ => return wrong(None, "entrants", Problem::Source { name }),
    };
    EntrantSpec::new(name, source)?.displayed(display)
}

fn check_anchor(
    line: Option<usize>,
    anchor: AnchorSpec,
    entrants: &[EntrantSpec],
    format: FormatSpec,
) -> Result<AnchorSpec, DefinitionError> {
    let why = |why: String| wrong(line, "anchor", Problem::Anchor { why });
    let AnchorSpec { entrants: names, rating } = &anchor;
    if let FormatSpec::Field { .. } = format {
        return why("a field has shares and no ratings, so leave it out".into());
    }
    if names.is_empty() {
        return why("name one entrant at least".into());
    }
    for (place, name) in names.iter().enumerate() {
        if names[..place].contains(name) {
            return why(format!("{name:?} appears twice"));
        }
        if !entrants.iter().any(|entrant| entrant.name == *name) {
            return why(format!("there is no entrant {name:?}"));
        }
    }
    if !(-ANCHOR_RATING_MAX..=ANCHOR_RATING_MAX).contains(rating) {
        return why(format!("the rating is -{ANCHOR_RATING_MAX} to {ANCHOR_RATING_MAX}, not {rating}"));
    }
    Ok(anchor)
}

fn check_openings(openings: &[String]) -> Result<(), DefinitionError> {
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

fn line(field: &'static str, text: &str, least: usize, most: usize) -> Result<(), DefinitionError> {
    if (least..=most).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
        return Ok(());
    }
    wrong(None, field, Problem::NotOneLine { least, most })
}

fn within(field: &'static str, value: u64, least: u64, most: u64) -> Result<(), DefinitionError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    wrong(None, field, Problem::Range { least, most, given: value })
}

#[cfg(test)]
mod tests {
    use arena_rules::Ruleset;
    use arena_rules::conquerors::Position;
    use arena_wire::Protocol;

    use super::*;

    const SMALL: &str = "name = \"t\"\nseed = 1\npairs = 2\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n[[entrants]]\nname = \"mine\"\nfile = \"mine.wasm\"\n";

    fn parse(text: &str) -> Result<Definition, String> {
        Definition::parse(text).map_err(|error| error.to_string())
    }

    /// The small definition with lines inserted before its entrants.
    fn with(lines: &str) -> Result<Definition, String> {
        parse(&SMALL.replacen("[[entrants]]", &format!("{lines}\n[[entrants]]"), 1))
    }

    #[test]
    fn defaults_are_written_out_and_read_back() {
        let definition = parse(SMALL).expect("it is complete");
        assert_eq!(definition.budgets, Budgets::DEFAULT);
        assert_eq!(definition.wall_ms_per_move, WALL_MS_DEFAULT);
        assert_eq!(definition.entrants[1].source, Source::File("mine.wasm".into()));
        let text = definition.to_toml();
        assert_eq!(parse(&text), Ok(definition));
        assert!(text.contains("fuel_per_move = 50000000"), "{text}");
    }

    #[test]
    fn the_complete_text_keeps_its_spelling() {
        // Folders are recognised by a hash of this text, so any change of spelling would make existing folders
        // unusable.
        let wanted = "name = \"t\"\nruleset = \"conquerors@2\"\noptions = \"chain_needs_home,weighted_majority,opening=symmetric:8\"\nseed = 1\n\
            format = \"round-robin\"\npairs = 2\nwall_ms_per_move = 10000\n\n[budgets]\nfuel_per_move = 50000000\nfuel_at_start = 100000000\n\
            memory_bytes = 4194304\nmodule_bytes = 1048576\n\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n\n\
            [[entrants]]\nname = \"mine\"\nfile = \"mine.wasm\"\n";
        assert_eq!(parse(SMALL).expect("it is complete").to_toml(), wanted);
    }

    #[test]
    fn what_is_played_by_default_exists_and_has_an_opening() {
        let options = Position::parse_options(Position::RANKED).expect("canonical options of the default ruleset");
        assert_eq!(Position::ID, default_ruleset());
        assert!(Position::starts_from_seed(&options) && Position::may_count(&options));
        let empty = with("options = \"chain_needs_home,weighted_majority\"").expect("an opening is a choice");
        assert_eq!(empty.options, "chain_needs_home,weighted_majority");
        assert_eq!(parse(&empty.to_toml()), Ok(empty));
    }

    #[test]
    fn every_limit_holds_at_its_edge() {
        let cases = [
            ("wall_ms_per_move", WALL_MS_MIN, WALL_MS_MAX),
            ("budgets.fuel_per_move", 1, FUEL_MAX),
            ("budgets.fuel_at_start", 1, FUEL_MAX),
            ("budgets.memory_bytes", MEMORY_PAGE_BYTES, MEMORY_BYTES_MAX),
            ("budgets.module_bytes", 1, MODULE_BYTES_MAX),
        ];
        for (field, least, most) in cases {
            for good in [least, most] {
                assert!(with(&format!("{field} = {good}")).is_ok(), "{field} = {good}");
            }
            for bad in [least - 1, most + 1] {
                let error = with(&format!("{field} = {bad}")).expect_err("out of range");
                assert!(error.contains(field) && error.contains(&most.to_string()), "{error}");
            }
        }
        for (pairs, good) in [(0, false), (1, true), (PAIRS_MAX, true), (PAIRS_MAX + 1, false)] {
            assert_eq!(parse(&SMALL.replace("pairs = 2", &format!("pairs = {pairs}"))).is_ok(), good, "{pairs}");
        }
        assert!(parse(&SMALL.replace("seed = 1", &format!("seed = {SEED_MAX}"))).is_ok());
        assert!(with("budgets.memory_bytes = 65537").expect_err("no multiple").contains("multiple"));
    }

    #[test]
    fn a_format_has_its_own_keys() {
        let field = with("format = \"field\"\ngames = 6").expect("complete");
        assert_eq!(field.format, FormatSpec::Field { games: 6, pairs: 2 });
        assert!(field.to_toml().contains("format = \"field\"\ngames = 6\npairs = 2\n"), "{}", field.to_toml());
        assert_eq!(parse(&field.to_toml()), Ok(field));
        assert_eq!(with("format = \"round-robin\""), parse(SMALL));
        for (games, good) in [(0, false), (1, true), (FIELD_GAMES_MAX, true), (FIELD_GAMES_MAX + 1, false)] {
            assert_eq!(with(&format!("format = \"field\"\ngames = {games}")).is_ok(), good, "{games}");
        }
        let refused = |text: &str| parse(text).expect_err("no tournament");
        let lines = |lines: &str| with(lines).expect_err("no tournament");
        for (problem, words) in [
            (lines("games = 6"), "line 4: `games` is a key of `format = \"field\"`"),
            (lines("format = \"swis\""), "line 4: `format` is one of \"round-robin\", \"gauntlet\","),
            (
                lines("format = \"ladder\""),
                "line 3: `pairs` is a key of `format = \"round-robin\", \"gauntlet\", \"swiss\",",
            ),
            (
                lines("rounds = 3"),
                "line 4: `rounds` is a key of `format = \"swiss\", \"ladder\"`, and this is \"round-robin\"",
            ),
            (lines("format = \"swiss\"\nrounds = 2"), "line 5: `rounds` is 1 to 1, not 2"),
            (lines("cycles = 3"), "line 4: `cycles` is 1 to 2, not 3"),
            (lines("table = \"square\""), "line 4: `table` is \"circle\" or \"berger\", not \"square\""),
            (lines("tie-breaks = [\"luck\"]"), "line 4: `tie-breaks` are some of \"buchholz\""),
            (lines("stop = { top = 3, max-pairs = 9 }"), "line 4: `stop.top` is 1 to 2"),
            (lines("stop = { top = 1, confidence = 1.0, max-pairs = 9 }"), "line 4: `stop.confidence` is 0.5 to 0.999"),
            (lines("stop = { within = 4, max-pairs = 9 }"), "line 4: `stop.within` is 5 to 1000, not 4"),
            (
                lines("stop = { max-pairs = 9 }"),
                "line 4: `stop` needs `top`, with or without `confidence`, or `within`",
            ),
            (lines("stop = { confidence = 0.9, within = 30, max-pairs = 9 }"), "line 4: `stop` needs `top`, "),
            (lines("stop = { top = 1, max-pairs = 0 }"), "line 4: `stop.max-pairs` is 1 to 100000, not 0"),
            (lines("format = \"knockout\"\nfurther-pairs = 0"), "line 5: `further-pairs` is 1 to 10000, not 0"),
            (lines("format = \"knockout\"\nstop = { top = 1, max-pairs = 9 }"), "line 5: `stop` is a key of"),
            (lines("format = \"field\"\ngames = 0"), "line 5: `games` is 1 to 10000, not 0"),
            (refused(&SMALL.replace("pairs = 2", "pairs = 0")), "line 3: `pairs` is 1 to 10000, not 0"),
            (refused(&SMALL.replace("pairs = 2", "pairs = -1")), "line 3"),
        ] {
            assert!(problem.contains(words), "{problem}");
        }
    }

    #[test]
    fn each_format_has_the_defaults_of_an_organiser_and_writes_them_out() {
        let many = |format: &str, count: usize| {
            let entrant = |number| format!("[[entrants]]\nname = \"e{number}\"\nbaseline = \"easy\"\n");
            let entrants = (0..count).map(entrant).collect::<String>();
            let definition = parse(&format!("name = \"t\"\nseed = 1\n{format}\n{entrants}")).expect("complete");
            assert_eq!(parse(&definition.to_toml()).as_ref(), Ok(&definition));
            definition
                .to_toml()
                .lines()
                .skip(4)
                .take_while(|line| !line.starts_with("wall"))
                .collect::<Vec<_>>()
                .join("; ")
        };
        for (lines, wanted) in [
            ("", "format = \"round-robin\"; pairs = 10"),
            ("cycles = 2\ntable = \"berger\"", "format = \"round-robin\"; pairs = 10; cycles = 2; table = \"berger\""),
            ("format = \"gauntlet\"", "format = \"gauntlet\"; pairs = 50"),
            (
                "format = \"swiss\"",
                "format = \"swiss\"; pairs = 4; rounds = 7; tie-breaks = [\"buchholz\", \"sonneborn-berger\", \"head-to-head\"]",
            ),
            ("format = \"swiss\"\ntie-breaks = []", "format = \"swiss\"; pairs = 4; rounds = 7; tie-breaks = []"),
            ("format = \"knockout\"", "format = \"knockout\"; pairs = 4; further-pairs = 8; seeding = \"given\""),
            (
                "format = \"double-knockout\"\nseeding = \"draw\"",
                "format = \"double-knockout\"; pairs = 4; further-pairs = 8; seeding = \"draw\"",
            ),
            ("format = \"ladder\"", "format = \"ladder\"; rounds = 7"),
            ("format = \"field\"", "format = \"field\"; games = 40; pairs = 1"),
        ] {
            assert_eq!(many(lines, 20), wanted);
        }
        assert!(many("format = \"swiss\"", 4).contains("rounds = 3;"), "without a rematch there are no more");
        let stop = "format = \"ladder\"\nstop = { top = 3, max-pairs = 400 }";
        assert_eq!(many(stop, 20), "format = \"ladder\"; rounds = 400");
        let text = parse(&SMALL.replace("pairs = 2", "stop = { top = 1, confidence = 0.99, max-pairs = 400 }"))
            .expect("complete");
        assert!(
            text.to_toml().contains("\n[stop]\ntop = 1\nconfidence = 0.99\nmax-pairs = 400\n"),
            "{}",
            text.to_toml()
        );
        assert_eq!(parse(&text.to_toml()), Ok(text));
        for stop in ["within = 30\nmax-pairs = 400", "top = 1\nconfidence = 0.95\nwithin = 30\nmax-pairs = 400"] {
            let short = format!("stop = {{ {} }}", stop.replace('\n', ", "));
            let text = parse(&SMALL.replace("pairs = 2", &short)).expect("complete").to_toml();
            assert!(text.contains(&format!("\n[stop]\n{stop}\n")), "{text}");
            assert_eq!(parse(&text).map(|definition| definition.to_toml()), Ok(text));
        }
    }

    #[test]
    fn a_format_fits_the_seats_of_its_games() {
        let of = |options: &str, lines: &str| {
            let text = SMALL.replacen(
                "[[entrants]]",
                &format!("ruleset = \"game-of-game-of-life@1\"\noptions = \"{options}\"\n{lines}\n[[entrants]]"),
                1,
            );
            parse(&text)
                .expect("a definition")
                .to_format()
                .map(|format| format.name())
                .map_err(|error| error.to_string())
        };
        let field = "format = \"field\"\ngames = 6";
        assert_eq!(of("seats=2", ""), Ok("round-robin"));
        assert!(of("seats=3", "").expect_err("no pairs").contains("say `format = \"field\"`"));
        assert!(of("seats=2", field).expect_err("no field").contains("say `format = \"round-robin\"`"));
        assert!(of("seats=3", field).expect_err("two entrants").contains("3 seats and there are 2 entrants"));
        assert!(of("seats=99", "").is_err());
    }

    #[test]
    fn what_cannot_be_played_is_named_with_its_key_and_line() {
        let said = |lines: &str| {
            let text = SMALL.replacen("[[entrants]]", &format!("{lines}\n[[entrants]]"), 1);
            let definition = parse(&text).expect("a definition");
            definition.to_format_in(&text).map(|format| format.name()).map_err(|error| error.to_string())
        };
        let many = "ruleset = \"game-of-game-of-life@1\"\noptions = \"seats=";
        for (lines, words) in [
            ("ruleset = \"chess@1\"".into(), "line 4: `ruleset` cannot be played: no ruleset \"chess@1\" here"),
            ("\noptions = \"nope\"".into(), "line 5: `options` cannot be played: \"nope\" are not options"),
            (
                "options = \"chain_needs_home,weighted_majority,shared_home\"".into(),
                "line 4: `options` cannot be played: games with the options",
            ),
            ("\nopenings = [\"cells:c3/c3\"]".into(), "line 5: `openings` cannot be played: \"chain_needs_home,"),
            ("format = \"field\"\ngames = 6".into(), "line 4: `format` cannot be played: a field has games of more"),
            (format!("{many}3\""), "line 5: `options` cannot be played: the format \"round-robin\" has games of two"),
            (
                format!("format = \"field\"\n{many}3\""),
                "line 7: `entrants` cannot be played: a game has 3 seats and there are 2 entrants",
            ),
        ] {
            let error = said(&lines).expect_err(&lines);
            assert!(error.starts_with(words), "{error}");
        }
        assert_eq!(said(""), Ok("round-robin"));
    }

    #[test]
    fn what_a_seed_was_drawn_from_is_kept_and_goes_when_another_seed_is_chosen() {
        let (secret, next) = ("ab".repeat(32), "cd".repeat(32));
        let drawn = |draw: &str| parse(&format!("{SMALL}[draw]\n{draw}"));
        let first = drawn(&format!("secret = \"{secret}\"")).expect("a secret alone");
        assert_eq!(first.draw.as_ref().map(|draw| draw.next), Some(None));
        let both = drawn(&format!("secret = \"{secret}\"\nnext = \"{next}\"")).expect("both");
        for definition in [first, both] {
            assert_eq!(parse(&definition.to_toml()), Ok(definition.clone()));
            assert_eq!(definition.with_seed(1), Ok(parse(SMALL).expect("complete")));
        }
        let chain = format!("secret = \"{secret}\"\nchain = true");
        for wrong in [
            "",
            "secret = \"ab\"",
            &format!("next = \"{next}\""),
            &format!("secret = \"{secret}\"\nmore = 1"),
            // A round robin has no late entry.
            &chain,
        ] {
            assert!(drawn(wrong).is_err(), "{wrong}");
        }
        let ladder = parse(&format!("{}[draw]\n{chain}", SMALL.replace("pairs = 2", "format = \"ladder\"")));
        let ladder = ladder.expect("a ladder is entered late");
        assert_eq!(parse(&ladder.to_toml()), Ok(ladder));
    }

    #[test]
    fn an_open_definition_may_lack_its_seed_and_entrants_and_errors_name_its_own_lines() {
        let open = |text: &str, places| {
            Definition::parse_open(text, places, |_| Err(String::new())).map_err(|error| error.to_string())
        };
        assert_eq!(open(SMALL, 2), parse(SMALL));
        let text = format!("# a cup\n\n{}", SMALL.replace("seed = 1\n", ""));
        assert!(parse(&text).expect_err("no seed").starts_with("`seed` is missing"));
        let four = open(&text, 4).expect("complete");
        let small = parse(SMALL).expect("complete");
        assert_eq!((four.seed, four.entrants.len(), &four.entrants[..2]), (0, 4, &small.entrants[..]));
        assert_eq!(parse(&four.to_toml()), Ok(four));
        // An order is that of the named ones, no matter who else will enter.
        let knockout = text.replace("pairs = 2", "format = \"knockout\"\nseeds = \"order\"");
        let seeded = Definition::parse_open(&knockout, 5, |_| Ok("mine\neasy\n".into())).expect("complete");
        let names: Vec<&str> = seeded.entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        assert_eq!(names, ["mine", "easy", ".2", ".3", ".4"]);
        assert!(open("name = \"x\"", 1).expect_err("too few").contains("`entrants` are 2 to 1024"));
        for (from, to, words) in [
            ("pairs = 2", "pairs = 0", "line 4: `pairs` is 1 to 10000, not 0"),
            ("\"mine\"", "\"a b\"", "line 9: `entrants.name` is 1 to 32"),
            ("pairs = 2", "laps = 2", "at line 4"),
        ] {
            let said = open(&text.replacen(from, to, 1), 4).expect_err(to);
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn names_and_numbers_of_entrants_are_bounded() {
        let name = |length: usize| SMALL.replace("\"mine\"", &format!("\"{}\"", "x".repeat(length)));
        assert!(parse(&name(ENTRANT_NAME_CHARS_MAX)).is_ok());
        assert!(parse(&name(ENTRANT_NAME_CHARS_MAX + 1)).is_err());
        assert!(parse(&name(0)).is_err());
        assert!(parse(&SMALL.replace("\"mine\"", "\"a b\"")).is_err());
        assert!(parse(&SMALL.replace("\"mine\"", "\"easy\"")).expect_err("twice").contains("twice"));
        let title = |length: usize| SMALL.replace("\"t\"", &format!("\"{}\"", "x".repeat(length)));
        assert!(parse(&title(NAME_CHARS_MAX)).is_ok() && parse(&title(NAME_CHARS_MAX + 1)).is_err());
        let many = |count: usize| {
            let head = SMALL.split("[[").next().expect("a head");
            let entrant = |number| format!("[[entrants]]\nname = \"e{number}\"\nbaseline = \"easy\"\n");
            head.to_string() + &(0..count).map(entrant).collect::<String>()
        };
        for (count, good) in [(1, false), (2, true), (EACH_ENTRANTS_MAX, true), (EACH_ENTRANTS_MAX + 1, false)] {
            assert_eq!(parse(&many(count)).is_ok(), good, "{count}");
        }
        for (count, good) in [(1, false), (2, true), (ENTRANTS_MAX, true), (ENTRANTS_MAX + 1, false)] {
            let swiss = many(count).replacen("pairs = 2", "format = \"swiss\"", 1);
            assert_eq!(parse(&swiss).is_ok(), good, "{count}");
        }
    }

    #[test]
    fn a_name_for_people_is_one_plain_line_and_nobody_elses() {
        let shown = |display: &str| parse(&SMALL.replace("\"mine\"", &format!("\"mine\"\ndisplay = \"{display}\"")));
        let good = shown("Team Röck & Co.").expect("a name");
        assert_eq!(good.entrants[1].display.as_deref(), Some("Team Röck & Co."));
        assert_eq!(parse(&good.to_toml()), Ok(good));
        assert!(shown(&"é".repeat(DISPLAY_CHARS_MAX)).is_ok());
        for bad in ["", " x", "x ", "a  b", "a\tb", "a\u{202e}b", "a\u{200b}b", &"é".repeat(DISPLAY_CHARS_MAX + 1)] {
            assert!(shown(bad).expect_err(bad).starts_with("line 9: `entrants.display` is 1 to 48 "), "{bad}");
        }
        assert!(shown("easy").expect_err("another's").contains("\"easy\" appears twice"));
    }

    #[test]
    fn entrants_are_seeded_by_ratings_or_by_a_file_and_only_their_order_is_kept() {
        let cup = |lines: &str, ratings: [&str; 3]| {
            let entrant = |(name, rating): (&str, &str)| {
                format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"easy\"\n{rating}\n")
            };
            let entrants: String = ["a", "b", "c"].into_iter().zip(ratings).map(entrant).collect();
            format!("name = \"t\"\nseed = 1\nformat = \"knockout\"\n{lines}\n{entrants}")
        };
        let names = |definition: Result<Definition, String>| {
            definition.map(|definition| {
                assert_eq!(parse(&definition.to_toml()).as_ref(), Ok(&definition), "as it is frozen");
                definition.entrants.iter().map(|entrant| entrant.name.clone()).collect::<String>()
            })
        };
        let rated = cup("seeding = \"rating\"", ["rating = -5", "", "rating = 70"]);
        assert_eq!(names(parse(&rated)), Ok("cab".into()), "who has none stands behind");
        let read = |text: &str, file: Result<&str, &str>| {
            names(
                Definition::parse_with(text, |name| {
                    assert_eq!(name, "seeds.txt");
                    file.map(String::from).map_err(String::from)
                })
                .map_err(|error| error.to_string()),
            )
        };
        let by_file = cup("seeds = \"seeds.txt\"", ["", "", ""]);
        assert_eq!(read(&by_file, Ok("# of last year\nc\n\nstranger\na\nb\n")), Ok("cab".into()));
        assert_eq!(read(&by_file, Ok("rank,name,id\n1,b,x\n2,\"c\",y\n3,a,z\n")), Ok("bca".into()), "standings.csv");
        for (found, words) in [
            (read(&by_file, Err("no such file")), "line 4: `seeds` \"seeds.txt\": no such file"),
            (read(&by_file, Ok("c\na\n")), "line 4: `seeds` \"seeds.txt\": no line names the entrant \"b\""),
            (read(&by_file, Ok("c\na\nb\n\nc\n")), "line 4: `seeds` \"seeds.txt\": line 5: \"c\" appears twice"),
            (names(parse(&by_file)), "there is no folder to read a file from"),
            (names(parse(&cup("seeds = \"x\"\nseeding = \"draw\"", [""; 3]))), "line 4: `seeds` and `seeding` exclude"),
            (names(parse(&cup("", ["rating = 1", "", ""]))), "line 8: `rating` goes with `seeding = \"rating\"`"),
            (
                names(parse(&cup("seeding = \"luck\"", [""; 3]))),
                "line 4: `seeding` is \"given\", \"draw\" or \"rating\"",
            ),
            (
                names(parse(&SMALL.replace("pairs = 2", "seeds = \"x\""))),
                "line 3: `seeds` is a key of `format = \"knockout\"",
            ),
            (
                names(parse(&SMALL.replace("pairs = 2", "seeding = \"rating\""))),
                "line 3: `seeding` is a key of `format = \"knockout\"",
            ),
        ] {
            let said = found.expect_err("not seeded");
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn an_anchor_is_some_of_the_entrants_and_by_default_the_games_own() {
        let definition =
            with("anchor = { entrants = [\"mine\", \"easy\"], rating = -300 }").expect("two of its entrants");
        assert_eq!(parse(&definition.to_toml()).as_ref(), Ok(&definition));
        let id = |name: &str| arena_record::EntrantId::of_bytes(name.as_bytes());
        let entrants = ["easy", "mine"].map(|name| Entrant::new(name, id(name)));
        let anchor = definition.anchor_of(&entrants);
        assert_eq!(anchor, Some(Anchor { bots: vec![id("mine"), id("easy")], rating: -300 }));
        assert_eq!(parse(SMALL).expect("complete").anchor_of(&entrants), Anchor::of_game("conquerors@2"));
        assert!(!parse(SMALL).expect("complete").to_toml().contains("anchor"), "folders without one keep their bytes");
        for (anchor, words) in [
            ("{ entrants = [] }", "name one entrant at least"),
            ("{ entrants = [\"hard\"] }", "there is no entrant \"hard\""),
            ("{ entrants = [\"easy\", \"easy\"] }", "\"easy\" appears twice"),
            ("{ entrants = [\"easy\"], rating = 10001 }", "the rating is -10000 to 10000, not 10001"),
        ] {
            let said = with(&format!("anchor = {anchor}")).expect_err(anchor);
            assert!(
                said.starts_with("line 4: `anchor` is `{ entrants = [...], rating = N }`: ") && said.contains(words),
                "{said}"
            );
        }
        assert!(with("anchor = { entrants = [\"easy\"], rating = 10000 }").is_ok());
        assert!(with("anchor = { entrants = [\"easy\"], ratings = 1 }").expect_err("unknown").contains("ratings"));
        let field = "format = \"field\"\nanchor = { entrants = [\"easy\"] }";
        let field = parse(&SMALL.replacen("pairs = 2", &format!("pairs = 2\n{field}"), 1));
        assert!(field.expect_err("a field").contains("a field has shares and no ratings"));
    }

    #[test]
    fn openings_are_kept_and_take_the_place_of_what_the_options_say() {
        let named = "cells:c3c4d3d4/w23w24x23x24";
        let definition = with(&format!("openings = [\"{named}\", \"turns:2\"]")).expect("two");
        assert_eq!(parse(&definition.to_toml()).as_ref(), Ok(&definition));
        assert_eq!(definition.options, Position::RANKED);
        assert_eq!(definition.options_from(named), format!("chain_needs_home,weighted_majority,opening={named}"));
        assert!(definition.to_format().is_ok());
        for (openings, words) in [
            (r#"["turns:2", "turns:2"]"#, "line 4: `openings` are different: \"turns:2\" appears twice"),
            (r#"[""]"#, "line 4: `openings` is one line of 1 to 256"),
        ] {
            assert!(with(&format!("openings = {openings}")).expect_err(openings).starts_with(words));
        }
        let strange = with("openings = [\"cells:c3/c3\"]").expect("a text").to_format().map(|format| format.name());
        assert!(strange.expect_err("no board").to_string().contains("`opening=cells:BLUE/RED`"));
        let many = |count: usize| (0..count).map(|number| format!("turns:{number}")).collect();
        assert!(definition.clone().with_openings(many(OPENINGS_MAX)).is_ok());
        assert!(definition.with_openings(many(OPENINGS_MAX + 1)).is_err());
    }

    #[test]
    fn texts_are_bounded() {
        let top = |field: &str, length: usize| with(&format!("{field} = '{}'", "é".repeat(length)));
        let third = |key: &str, length: usize| {
            parse(&format!("{SMALL}[[entrants]]\nname = \"third\"\n{key} = '{}'", "é".repeat(length)))
        };
        assert!(top("ruleset", ID_CHARS_MAX).is_ok() && top("ruleset", ID_CHARS_MAX + 1).is_err());
        assert!(top("ruleset", 0).is_err() && top("options", 0).is_ok());
        assert!(top("options", OPTIONS_CHARS_MAX).is_ok() && top("options", OPTIONS_CHARS_MAX + 1).is_err());
        for (key, most) in [("baseline", ID_CHARS_MAX), ("gallery", ID_CHARS_MAX), ("file", FILE_CHARS_MAX)] {
            assert!(third(key, 1).is_ok() && third(key, most).is_ok(), "{key}");
            assert!(third(key, 0).is_err() && third(key, most + 1).is_err(), "{key}");
        }
        assert!(parse(&SMALL.replace("mine.wasm", "mine\\u0000.wasm")).is_err());
        let padded = |bytes: usize| parse(&format!("{SMALL}#{}", "x".repeat(bytes - SMALL.len() - 1)));
        assert!(padded(DEFINITION_BYTES_MAX).is_ok());
        assert!(padded(DEFINITION_BYTES_MAX + 1).expect_err("too long").contains("1048577"));
    }

    #[test]
    fn an_entrant_is_exactly_one_thing() {
        let both = SMALL.replace("file = \"mine.wasm\"", "file = \"mine.wasm\"\nbaseline = \"hard\"");
        let two = both.replace("file", "gallery");
        let neither = SMALL.replace("file = \"mine.wasm\"", "");
        for text in [both, two, neither] {
            assert!(parse(&text).expect_err("not one").contains("exactly one of"));
        }
        let gallery = parse(&SMALL.replace("file = \"mine.wasm\"", "gallery = \"mason\"")).expect("one");
        assert_eq!(gallery.entrants[1].source, Source::Gallery("mason".into()));
        assert_eq!(parse(&gallery.to_toml()), Ok(gallery));
    }

    #[test]
    fn every_field_is_named_with_its_line() {
        for (from, to, words) in [
            ("name = \"t\"", "name = \"\"", "line 1: `name` is one line"),
            ("seed = 1", "seed = 1\nruleset = \"\"", "line 3: `ruleset` is one line"),
            ("seed = 1", "seed = 1\nwall_ms_per_move = 1", "line 3: `wall_ms_per_move` is 100 to "),
            (
                "pairs = 2",
                "pairs = 2\n[budgets]\n\nmemory_bytes = 65537",
                "line 6: `budgets.memory_bytes` is a multiple",
            ),
            ("name = \"mine\"", "name = \"a b\"", "line 8: `entrants.name` is 1 to 32 letters"),
            ("name = \"mine\"", "name = \"easy\"", "line 8: `entrants.name` is different for each entrant"),
            ("file = \"mine.wasm\"", "", "line 7: `entrants` \"mine\" has exactly one of"),
            ("[[entrants]]\nname = \"mine\"\nfile = \"mine.wasm\"\n", "", "line 4: `entrants` are 2 to 1024"),
        ] {
            let said = parse(&SMALL.replacen(from, to, 1)).expect_err(to);
            assert!(said.starts_with(words), "{said}");
        }
    }

    #[test]
    fn unknown_fields_and_broken_toml_name_their_line() {
        assert!(with("laps = 3").expect_err("unknown").contains("laps"));
        assert!(parse("name = ").expect_err("broken").contains("line 1"));
    }
}
