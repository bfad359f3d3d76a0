//! Terms: what a tournament plays by, before its field and its seed are known.

use arena_record::Budgets;
use arena_wire::Game;
use toml::Table;

use crate::anchor::AnchorSpec;
use crate::commitment::Draw;
use crate::definition::{Definition, Unplayable, check_openings, playable};
use crate::entrant_spec::EntrantSpec;
use crate::format::Format;
use crate::formats::FormatSpec;
use crate::keys::{Keys, WrittenEntrant};
use crate::limits::*;
use crate::problem::{DefinitionError, Problem, line, within, wrong};

/// A definition without its entrants and seed. What was left out when it was written stays open: the game's defaults
/// and those of the format, which depend on the number of entrants.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms(Keys);

impl Terms {
    /// The terms of a definition's keys, checked as far as they do not depend on the entrants, which are not among
    /// them.
    pub(crate) fn checked(keys: Keys) -> Result<Terms, DefinitionError> {
        let terms = Terms(keys);
        let Some(name) = &terms.0.name else { return wrong(None, "name", Problem::NoName) };
        line("name", name, 1, NAME_CHARS_MAX)?;
        line("ruleset", terms.ruleset(), 1, ID_CHARS_MAX)?;
        line("options", terms.options(), 0, OPTIONS_CHARS_MAX)?;
        check_openings(terms.openings())?;
        within("wall_ms_per_move", terms.wall_ms_per_move(), WALL_MS_MIN, WALL_MS_MAX)?;
        let Budgets { fuel_per_move, fuel_per_game, fuel_at_start, memory_bytes, module_bytes } = terms.budgets();
        within("budgets.fuel_per_move", fuel_per_move, 1, FUEL_MAX)?;
        fuel_per_game.map_or(Ok(()), |fuel| within("budgets.fuel_per_game", fuel, 1, FUEL_MAX))?;
        within("budgets.fuel_at_start", fuel_at_start, 1, FUEL_MAX)?;
        within("budgets.memory_bytes", memory_bytes, MEMORY_PAGE_BYTES, MEMORY_BYTES_MAX)?;
        within("budgets.module_bytes", module_bytes, 1, MODULE_BYTES_MAX)?;
        if memory_bytes % MEMORY_PAGE_BYTES != 0 {
            return wrong(None, "budgets.memory_bytes", Problem::NotPages);
        }
        Ok(terms)
    }

    /// The same terms, for entrants that are in order already.
    pub(crate) fn sorted(self) -> Terms {
        Terms(self.0.sorted())
    }

    /// The tournament's name.
    pub fn name(&self) -> &str {
        self.0.name.as_deref().unwrap_or_default()
    }

    /// Name and version of the ruleset.
    pub fn ruleset(&self) -> &str {
        self.0.ruleset()
    }

    /// The game, if this release has it.
    pub fn game(&self) -> Option<&'static Game> {
        self.0.game()
    }

    /// The options of its games; by default those for standings.
    pub fn options(&self) -> &str {
        self.0.options.as_deref().or(self.game().map(|game| game.ranked)).unwrap_or_default()
    }

    /// The openings of pairs; none to go by the options.
    pub fn openings(&self) -> &[String] {
        self.0.openings.as_deref().unwrap_or_default()
    }

    /// The entrants on which ratings are based; `None` for those that the game names.
    pub fn anchor(&self) -> Option<&AnchorSpec> {
        self.0.anchor.as_ref()
    }

    /// The limits of bots; by default the game's.
    pub fn budgets(&self) -> Budgets {
        let own = self.game().map_or(Budgets::DEFAULT, |game| Budgets::of(game.allowance));
        self.0.budgets.as_ref().map_or(own, |written| written.or(own))
    }

    /// Milliseconds a call may take before the machine is considered at fault.
    pub fn wall_ms_per_move(&self) -> u64 {
        self.0.wall_ms_per_move.unwrap_or(WALL_MS_DEFAULT)
    }

    /// The number of rounds, if one was written.
    pub fn rounds(&self) -> Option<u32> {
        self.0.rounds
    }

    /// The same terms with another number of rounds.
    #[must_use]
    pub fn with_rounds(&self, rounds: u32) -> Terms {
        Terms(Keys { rounds: Some(rounds), ..self.0.clone() })
    }

    /// The same terms with these openings.
    ///
    /// # Errors
    /// If there are too many, or one is repeated.
    pub fn with_openings(self, openings: Vec<String>) -> Result<Terms, DefinitionError> {
        check_openings(&openings)?;
        Ok(Terms(Keys { openings: Some(openings), ..self.0 }))
    }

    /// The same terms with the default budgets and the default wall time.
    #[must_use]
    pub fn with_default_budgets(self) -> Terms {
        Terms(Keys { budgets: None, wall_ms_per_move: None, ..self.0 })
    }

    /// The format with the defaults for this many entrants.
    ///
    /// # Errors
    /// If that many cannot play by these terms.
    pub fn format(&self, entrants: usize) -> Result<FormatSpec, DefinitionError> {
        self.0.spec(entrants)
    }

    /// The format as played by this many entrants, with any seed; only what does not depend on the seed has a meaning.
    ///
    /// # Errors
    /// If such games do not exist, do not count, or do not suit the format.
    pub fn playable(&self, format: FormatSpec, entrants: usize) -> Result<Box<dyn Format>, Unplayable> {
        playable(self.ruleset(), (self.options(), self.openings()), format, 0, entrants)
    }

    /// The definition of a tournament of these entrants, best seeded first, with this seed.
    ///
    /// # Errors
    /// If they cannot play by these terms.
    pub fn definition(
        &self,
        entrants: Vec<EntrantSpec>,
        seed: u64,
        draw: Option<Draw>,
    ) -> Result<Definition, DefinitionError> {
        let format = self.format(entrants.len())?;
        if draw.is_some_and(|draw| draw.chain) && !format.has_late_entry() {
            return wrong(None, "draw.chain", Problem::Chain);
        }
        self.anchor().map_or(Ok(()), |anchor| check_anchor(anchor, &entrants, format))?;
        Ok(Definition {
            name: self.name().into(),
            ruleset: self.ruleset().into(),
            options: self.options().into(),
            openings: self.openings().into(),
            seed,
            draw,
            format,
            anchor: self.anchor().cloned(),
            budgets: self.budgets(),
            wall_ms_per_move: self.wall_ms_per_move(),
            entrants,
        })
    }

    /// The text of a definition with these terms and entrants, and without a seed. It has the keys that were written,
    /// by name.
    ///
    /// # Panics
    /// Never: all fields are plain values.
    pub fn to_toml(&self, entrants: &[EntrantSpec]) -> String {
        let keys = Keys { entrants: entrants.iter().map(WrittenEntrant::of).collect(), ..self.0.clone() };
        let table = Table::try_from(keys).expect("strings and numbers always serialise");
        toml::to_string(&table).expect("strings and numbers always serialise")
    }
}

fn check_anchor(anchor: &AnchorSpec, entrants: &[EntrantSpec], format: FormatSpec) -> Result<(), DefinitionError> {
    let why = |why: String| wrong(None, "anchor", Problem::Anchor { why });
    let AnchorSpec { entrants: names, rating } = anchor;
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
    Ok(())
}
