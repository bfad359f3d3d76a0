//! What a definition and frozen entrants make: who plays whom, and on what terms.

use arena_record::Budgets;
use arena_referee::Divergence;
use arena_rules::Seat;
use arena_sandbox::Wall;
use arena_tournaments::{Definition, Draw, Entrant, Format, ScheduledGame, Stage, Unplayable};

use crate::{Contender, Ended, Fixture, Terms};

/// The most games a tournament may have: what counts of each is held in memory, less than 200 bytes of a game of two seats.
pub const GAMES_MAX: usize = 200_000;

/// What is to be played.
pub(crate) struct Plan {
    pub(crate) entrants: Vec<Entrant>,
    /// Who plays whom.
    pub(crate) format: Box<dyn Format>,
    /// What the seed was drawn from, if nobody chose it.
    pub(crate) draw: Option<Draw>,
    terms: Terms,
    /// Those of the cage.
    cage_terms: Terms,
}

/// Why no tournament can be of a definition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// Its games do not exist, may not count, or cannot be played in its format.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// More games than a tournament may have.
    #[error("this definition asks for {0} games; at most {GAMES_MAX} are played in one tournament: lower `pairs`")]
    TooManyGames(usize),
}

/// Why a game is none of a tournament's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// Its number is too high.
    #[error("there is no such game in the schedule")]
    NotScheduled,
    /// Its header says other entrants, another seed or other terms.
    #[error("it is a game of another tournament")]
    OtherHeader,
    /// It accuses somebody who cannot have killed a process, or twice.
    #[error("no such game can be void in such a way")]
    Void,
    /// It was not played by the rules.
    #[error(transparent)]
    Rules(#[from] Box<Divergence>),
    /// The journal has it already.
    #[error("it is there twice")]
    Twice,
}

impl Plan {
    /// The plan of a tournament of a definition, with these entrants, in its format.
    pub(crate) fn new(definition: &Definition, entrants: Vec<Entrant>, format: Box<dyn Format>) -> Plan {
        let wall = Wall::Milliseconds(definition.wall_ms_per_move);
        let terms = Terms::new(&definition.ruleset, &definition.options, definition.budgets, wall);
        Plan { draw: definition.draw, ..Plan::on(terms, entrants, format) }
    }

    /// A plan on these terms.
    pub(crate) fn on(terms: Terms, entrants: Vec<Entrant>, format: Box<dyn Format>) -> Plan {
        let cage_terms = terms.duel();
        Plan { entrants, format, draw: None, terms, cage_terms }
    }

    /// What bots may use.
    pub(crate) fn budgets(&self) -> &Budgets {
        self.terms.budgets()
    }

    fn terms(&self, game: &ScheduledGame) -> &Terms {
        match game.stage {
            Stage::Main => &self.terms,
            Stage::Cage => &self.cage_terms,
        }
    }

    /// A game of the schedule, to be played by some of these contenders, which are in the order of the entrants.
    pub(crate) fn fixture<'a>(&self, game: &ScheduledGame, contenders: &'a [Contender]) -> Fixture<'a> {
        let seats = game.seats.clone().map(|entrant| &contenders[entrant]);
        self.terms(game).game(game.seed, &seats)
    }

    /// Whether this can be what became of a game of the schedule. By whom it was played is not asked.
    pub(crate) fn check(&self, game: &ScheduledGame, ended: &Ended) -> Result<(), Misfit> {
        let record = match ended {
            Ended::Played(record) => record,
            Ended::Void(void) => {
                // Only a bot's process dies, and each is accused once.
                let is_bot = |seat: Seat| {
                    let entrant = game.seats.get(seat).and_then(|entrant| self.entrants.get(*entrant));
                    entrant.is_some_and(|entrant| entrant.id.hash().is_some())
                };
                let in_order = void.quarantined.windows(2).all(|pair| pair[0] < pair[1]);
                let accused = in_order && void.quarantined.iter().all(|seat| is_bot(Seat(*seat)));
                let has_bot = (0..game.seats.seats()).any(|seat| is_bot(Seat(seat)));
                return if accused && has_bot { Ok(()) } else { Err(Misfit::Void) };
            }
        };
        let ids = game.seats.values().iter().map(|entrant| self.entrants[*entrant].id.clone()).collect();
        let mut expected = self.terms(game).header(game.seed, ids);
        // Another build of the same semantics may go on with a tournament.
        expected.build.clone_from(&record.header.build);
        if record.header == expected { Ok(()) } else { Err(Misfit::OtherHeader) }
    }
}

/// The format of a definition, if it can be played and has not too many games.
pub(crate) fn format_of(definition: &Definition) -> Result<Box<dyn Format>, PlanError> {
    let format = definition.to_format()?;
    let games = format.games_max(definition.entrants.len());
    if games > GAMES_MAX { Err(PlanError::TooManyGames(games)) } else { Ok(format) }
}
