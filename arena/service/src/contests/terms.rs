//! The terms of a tournament before its field is known: a definition without entrants and seed.

use std::fmt;

use arena_record::Budgets;
use arena_runner::GAMES_MAX;
use arena_tournaments::{
    Definition, DefinitionError, Draft, Draw, EntrantSpec, FormKeys, FormatSpec, Terms, Unplayable, limits,
};
use arena_wire::{GAMES, Game};

use crate::limits::{CONTEST_ENTRANTS_MAX, CONTEST_FUEL_MAX, CONTEST_OPENINGS_BYTES_MAX};
use crate::standing::fuel_and_answers;

/// The terms of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct ContestTerms {
    terms: Terms,
    started: Started,
}

/// Who started a tournament, which bounds the processor time that its games may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Started {
    /// Its account: up to [`CONTEST_FUEL_MAX`].
    ByAccount,
    /// The operator for an account: as at home, up to the games of any tournament.
    ByOperator,
}

/// The most that its games cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cost {
    pub(crate) games: u32,
    pub(crate) fuel: u64,
}

/// Why a text cannot be the terms of a tournament.
#[derive(Debug, thiserror::Error)]
pub enum TermsError {
    /// It is not a definition.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// It is not TOML.
    #[error("this is not a definition: {0}")]
    Toml(String),
    /// A key that a definition may have at home only.
    #[error("a site takes no `{0}`: play such a tournament at home, with `arena tournament run`")]
    Key(&'static str),
    /// A seeding that makes no sense where entrants enter by themselves.
    #[error(
        "a site seeds entrants in the order of entering, or by lot: leave `{0}` out, or write `seeding = \"draw\"`; \
         `arena tournament submit` sorts those that a definition names by its ratings or its file"
    )]
    Seeds(&'static str),
    /// It has its own names for people.
    #[error("a site shows its own names of bots: leave `display` out")]
    Display,
    /// Its openings do not fit into the log.
    #[error(
        "a tournament on a site has at most {CONTEST_OPENINGS_BYTES_MAX} bytes of openings, not {0}: leave some out"
    )]
    Openings(usize),
    /// Its budgets are not the game's.
    #[error("a site plays with the budgets of the game: leave `{0}` out")]
    Budgets(&'static str),
    /// The site does not have the game.
    #[error("this arena has no game {0:?}; it has {names}", names = names())]
    Game(String),
    /// The game cannot be played like this, or not in this format.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// More entrants than a site accepts.
    #[error("a tournament of a site has 2 to {CONTEST_ENTRANTS_MAX} entrants, not {0}")]
    Entrants(usize),
    /// More games than a site plays in a tournament.
    #[error(
        "with {entrants} entrants this is up to {games} games; the fuel of a tournament on a site is enough for {most}: lower `pairs`, `games`, `rounds` or the number of places"
    )]
    TooManyGames {
        /// The number of entrants.
        entrants: usize,
        /// The number of games.
        games: usize,
        /// What the fuel is enough for, if each game takes all that it may.
        most: u64,
    },
}

fn names() -> String {
    GAMES.iter().map(|game| game.ruleset).collect::<Vec<_>>().join(", ")
}

impl ContestTerms {
    /// Parses the text of a definition, and further keys from a form, into terms and the entrants that it names. It
    /// needs neither a seed nor entrants. The site draws the seed, entrants enter by themselves, and budgets are the
    /// game's: such keys may only say what the site does anyway.
    ///
    /// # Errors
    /// When a site does not accept it.
    pub fn parse(form: FormKeys, text: &str) -> Result<(ContestTerms, Vec<EntrantSpec>), TermsError> {
        let draft = Draft::parse(form, text).map_err(|error| match text.parse::<toml::Table>() {
            Err(syntax) if matches!(error, DefinitionError::Toml(_)) => TermsError::Toml(syntax.to_string()),
            _ => error.into(),
        })?;
        if let Some(key) = draft.sorted_by() {
            return Err(TermsError::Seeds(key));
        }
        if draft.entrants().iter().any(|entrant| entrant.display.is_some()) {
            return Err(TermsError::Display);
        }
        // Checked with a full field: what is said of rounds must fit everybody who may enter.
        let (terms, entrants) = draft.open(CONTEST_ENTRANTS_MAX, |_| Err("a site reads no files".into()))?;
        if terms.anchor().is_some() {
            return Err(TermsError::Key("anchor"));
        }
        let game = terms.game().ok_or_else(|| TermsError::Game(terms.ruleset().into()))?;
        if terms.budgets() != Budgets::of(game.allowance) {
            return Err(TermsError::Budgets("budgets"));
        }
        let openings = terms.openings().iter().map(String::len).sum();
        if openings > CONTEST_OPENINGS_BYTES_MAX {
            return Err(TermsError::Openings(openings));
        }
        if terms.wall_ms_per_move() != limits::WALL_MS_DEFAULT {
            return Err(TermsError::Budgets("wall_ms_per_move"));
        }
        Ok((ContestTerms { terms: terms.with_default_budgets(), started: Started::ByAccount }, entrants))
    }

    /// Terms from the store, as this crate wrote them.
    pub(crate) fn stored(text: &str, started: Started) -> Option<ContestTerms> {
        let terms = Draft::parse(FormKeys::default(), text).ok()?.into_terms();
        Some(ContestTerms { terms, started })
    }

    /// The same terms, started by somebody else.
    #[must_use]
    pub(crate) fn started(self, started: Started) -> ContestTerms {
        ContestTerms { started, ..self }
    }

    /// The tournament's name.
    pub fn name(&self) -> &str {
        self.terms.name()
    }

    /// The game, if this release has it.
    pub fn game(&self) -> Option<&'static Game> {
        self.terms.game()
    }

    /// The format that this many entrants play, if they can.
    pub fn format(&self, entrants: usize) -> Option<FormatSpec> {
        self.terms.format(entrants).ok()
    }

    /// Whether its format allows entry between rounds.
    pub(crate) fn has_late_entry(&self) -> bool {
        self.format(CONTEST_ENTRANTS_MAX).is_some_and(FormatSpec::has_late_entry)
    }

    /// Fewest entrants of a game: as many as a game has seats.
    pub(crate) fn least(&self) -> usize {
        let shape = self.game().and_then(|game| game.shape(self.terms.options()).ok());
        shape.map_or(2, |shape| usize::from(shape.seats).max(2))
    }

    /// The most that the games of this many entrants cost.
    ///
    /// # Errors
    /// When this many cannot play by these terms, or the games are more than a site plays.
    pub(crate) fn cost(&self, entrants: usize) -> Result<Cost, TermsError> {
        if !(limits::ENTRANTS_MIN..=CONTEST_ENTRANTS_MAX).contains(&entrants) {
            return Err(TermsError::Entrants(entrants));
        }
        let format = self.terms.playable(self.terms.format(entrants)?, entrants)?;
        let games = format.games_max(entrants);
        let game = self.game().ok_or_else(|| TermsError::Game(self.terms.ruleset().into()))?;
        let shape = arena_wire::shape(game.ruleset, self.terms.options()).map_err(Unplayable::from)?;
        let (fuel, _) = fuel_and_answers(game, &shape);
        let enough = match self.started {
            Started::ByAccount => CONTEST_FUEL_MAX / fuel.max(1),
            Started::ByOperator => u64::MAX,
        };
        let most = enough.min(GAMES_MAX as u64);
        if games as u64 > most {
            return Err(TermsError::TooManyGames { entrants, games, most });
        }
        Ok(Cost { games: games as u32, fuel: fuel.saturating_mul(games as u64) })
    }

    /// Whether this many entrants can play by these terms, and a site plays that many games.
    ///
    /// # Errors
    /// The reason if not.
    pub fn check(&self, entrants: usize) -> Result<(), TermsError> {
        self.cost(entrants).map(|_| ())
    }

    /// These terms, with fewer rounds if this many entrants cannot play as many.
    fn fitting(&self, entrants: usize) -> ContestTerms {
        let of = |rounds| ContestTerms { terms: self.terms.with_rounds(rounds), started: self.started };
        let mut fewer = (1..=self.terms.rounds().unwrap_or(0)).rev().map(of);
        fewer.find(|terms| terms.cost(entrants).is_ok()).unwrap_or_else(|| self.clone())
    }

    /// The definition of a tournament of these entrants, drawn from a secret that this reveals.
    ///
    /// # Errors
    /// As [`cost`](ContestTerms::cost).
    pub(crate) fn definition(
        &self,
        entrants: Vec<EntrantSpec>,
        seed: u64,
        draw: Draw,
    ) -> Result<(Definition, Cost), TermsError> {
        let fitting = self.fitting(entrants.len());
        let cost = fitting.cost(entrants.len())?;
        Ok((fitting.terms.definition(entrants, seed, Some(draw))?, cost))
    }
}

/// The text of a definition without entrants and seed.
impl fmt::Display for ContestTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.terms.to_toml(&[]))
    }
}

#[cfg(test)]
mod tests {
    use arena_tournaments::Secret;

    use super::*;

    fn refused(text: &str) -> String {
        ContestTerms::parse(FormKeys::default(), text).map(|_| ()).expect_err("none that a site takes").to_string()
    }

    #[test]
    fn a_definition_loses_what_the_site_decides_and_keeps_the_rest() {
        let text = "name = \"cup\"\nseed = 7\nformat = \"swiss\"\nrounds = 3\nwall_ms_per_move = 10000\n\
            [[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n[[entrants]]\nname = \"hard\"\nbaseline = \"hard\"\n\
            [[entrants]]\nname = \"a\"\nbaseline = \"easy\"\n[[entrants]]\nname = \"b\"\nbaseline = \"easy\"\n";
        let (terms, entrants) = ContestTerms::parse(FormKeys::default(), text).expect("a definition");
        assert_eq!(entrants.len(), 4);
        let written = terms.to_string();
        let mut lines: Vec<&str> = written.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["format = \"swiss\"", "name = \"cup\"", "rounds = 3"]);
        assert_eq!(ContestTerms::stored(&terms.to_string(), Started::ByAccount), Some(terms.clone()));
        let draw = Draw { secret: Secret([1; 32]), next: None, chain: false };
        let (definition, cost) = terms.definition(entrants.clone(), 9, draw).expect("playable");
        assert_eq!((definition.seed, definition.draw, &definition.entrants), (9, Some(draw), &entrants));
        assert_eq!(Definition::parse(&definition.to_toml()), Ok(definition));
        assert_eq!(cost, terms.cost(4).expect("as many"));
        assert!(cost.games > 0 && cost.fuel > u64::from(cost.games));
    }

    #[test]
    fn openings_and_a_draw_of_seeds_are_as_at_home() {
        let text = "name = \"cup\"\nformat = \"knockout\"\nseeding = \"draw\"\nopenings = [\"cells:c3c4d3d4/w23w24x23x24\"]\n\
            [[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n[[entrants]]\nname = \"hard\"\nbaseline = \"hard\"\n";
        let (terms, entrants) = ContestTerms::parse(FormKeys::default(), text).expect("a definition");
        terms.check(2).expect("playable");
        let draw = Draw { secret: Secret([1; 32]), next: None, chain: false };
        let (definition, _) = terms.definition(entrants, 9, draw).expect("playable");
        assert_eq!(definition.openings, ["cells:c3c4d3d4/w23w24x23x24"]);
        assert!(definition.to_toml().contains("seeding = \"draw\""), "{}", definition.to_toml());
        let wrong = text.replace("c3c4d3d4", "c3c4d3z99");
        assert!(
            ContestTerms::parse(FormKeys::default(), &wrong).map_or(true, |(terms, _)| terms.check(2).is_err()),
            "no such cell"
        );
        let many: Vec<String> =
            (0..900).map(|number| format!("\"cells:c3c4d3d4/w23w24x23x24/{number:012}\"")).collect();
        let said = refused(&format!("name = \"cup\"\nopenings = [{}]", many.join(", ")));
        assert!(said.contains("32768 bytes of openings"), "{said}");
    }

    #[test]
    fn fewer_entrants_than_were_hoped_for_play_fewer_rounds() {
        let entrants = "[[entrants]]\nname = \"a\"\nbaseline = \"easy\"\n[[entrants]]\nname = \"b\"\nbaseline = \"easy\"\n\
            [[entrants]]\nname = \"c\"\nbaseline = \"easy\"\n";
        let (terms, entrants) = ContestTerms::parse(
            FormKeys::default(),
            &format!("name = \"cup\"\nformat = \"swiss\"\nrounds = 5\n{entrants}"),
        )
        .expect("for many");
        assert!(terms.cost(3).is_err(), "a start is refused");
        let draw = Draw { secret: Secret([1; 32]), next: None, chain: false };
        let (definition, _) = terms.definition(entrants, 9, draw).expect("with fewer rounds");
        assert!(definition.to_toml().contains("rounds = 3"), "{}", definition.to_toml());
    }

    #[test]
    fn what_is_wrong_with_terms_is_named() {
        for (text, words) in [
            ("name = ", "not a definition"),
            ("format = \"swiss\"", "name"),
            ("name = \"x\"\nlaps = 3", "laps"),
            ("name = \"x\"\npairs = 0", "`pairs` is 1 to"),
            ("name = \"x\"\nformat = \"swis\"", "`format` is one of"),
            ("name = \"x\"\nformat = \"swiss\"\ngames = 3", "`games` is a key of"),
            ("name = \"x\"\nruleset = \"chess@1\"", "no game \"chess@1\""),
            ("name = \"x\"\nwall_ms_per_move = 100", "leave `wall_ms_per_move` out"),
            ("name = \"x\"\nformat = \"knockout\"\nseeding = \"rating\"", "leave `seeding = \"rating\"` out"),
            ("name = \"x\"\nformat = \"knockout\"\nseeds = \"last.csv\"", "leave `seeds` out"),
            ("name = \"x\"\n[[entrants]]\nname = \"a\"\nrating = 5\nbaseline = \"easy\"", "seeding"),
            ("name = \"x\"\n[[entrants]]\nname = \"a\"\ndisplay = \"A\"\nbaseline = \"easy\"", "leave `display` out"),
            ("name = \"x\"\n[budgets]\nfuel_per_move = 1", "leave `budgets` out"),
        ] {
            let said = refused(text);
            assert!(said.contains(words), "{text:?}: {said}");
        }
    }

    #[test]
    fn errors_name_the_line_that_was_sent() {
        let text =
            "# our cup\n\nname = \"x\"\n\n# quick\npairs = 1\n\n[[entrants]]\nname = \"a\"\nbaseline = \"easy\"\n";
        ContestTerms::parse(FormKeys::default(), text).expect("a definition");
        for (from, to, words) in [
            ("pairs = 1", "pairs = 0", "line 6: `pairs` is 1 to"),
            ("pairs = 1", "games = 1", "line 6: `games` is a key of"),
            ("pairs = 1", "laps = 1", "at line 6"),
            ("\"a\"", "\"a b\"", "line 9: `entrants.name` is"),
        ] {
            let said = refused(&text.replacen(from, to, 1));
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn a_site_plays_so_many_games_and_no_more() {
        let (terms, _) = ContestTerms::parse(FormKeys::default(), "name = \"x\"\npairs = 10000").expect("a definition");
        let said = terms.cost(3).expect_err("too many").to_string();
        assert!(said.contains("60000 games") && said.contains("lower `pairs`"), "{said}");
        for (entrants, good) in [(1, false), (2, true), (CONTEST_ENTRANTS_MAX, true), (CONTEST_ENTRANTS_MAX + 1, false)]
        {
            let (terms, _) = ContestTerms::parse(FormKeys::default(), "name = \"x\"\nformat = \"swiss\"\npairs = 1")
                .expect("a definition");
            assert_eq!(terms.cost(entrants).is_ok(), good, "{entrants}");
        }
    }

    /// The founding document's number of games: more than an account may start, and what an operator may.
    #[test]
    fn ten_thousand_games_of_a_field_are_an_operators() {
        let text = |games: u32| {
            format!(
                "name = \"x\"\nruleset = \"game-of-game-of-life@1\"\noptions = \"seats=5\"\nformat = \"field\"\n\
                 games = {games}\npairs = 1"
            )
        };
        let (terms, _) = ContestTerms::parse(FormKeys::default(), &text(10_000)).expect("a definition");
        let Err(TermsError::TooManyGames { games, most, .. }) = terms.cost(5) else { panic!("too many") };
        assert_eq!((games, most), (10_020, CONTEST_FUEL_MAX / 5_000_000_000), "five banks a game");
        let (fits, _) = ContestTerms::parse(FormKeys::default(), &text(most as u32 - 20)).expect("a definition");
        assert!(fits.cost(5).is_ok());
        let Ok(Cost { games, .. }) = terms.started(Started::ByOperator).cost(5) else { panic!("as at home") };
        assert_eq!(games, 10_020);
    }
}
