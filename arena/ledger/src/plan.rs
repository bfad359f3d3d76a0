//! The plan of a tournament, from its definition and frozen entrants: who plays whom, and on what terms.

use std::collections::BTreeMap;

use arena_record::{Budgets, Header, Hex};
use arena_referee::Divergence;
use arena_rules::Seat;
use arena_tournaments::limits::ENTRANTS_MAX;
use arena_tournaments::{
    Anchor, Definition, Draw, Entrant, EntrantSpec, Format, Leave, ScheduledGame, Secret, Settled, Source, Stage,
    Standings, Unplayable,
};
use sha2::{Digest as _, Sha256};

use crate::change::{CHANGES_MAX, Change, ChangeError, ChangeKind};
use crate::{Ended, GAMES_MAX, Terms};

/// Separates these hashes from all others.
const OPENING_TAG: &[u8] = b"arena/opening/1";

/// The plan of a tournament.
pub struct Plan {
    /// The tournament's name.
    title: Option<String>,
    /// How long a turn may take on a machine, in milliseconds, if that is bounded.
    pub wall_ms: Option<u64>,
    /// The bots on which ratings are based.
    pub anchor: Option<Anchor>,
    /// All entrants, late ones last.
    pub entrants: Vec<Entrant>,
    /// Changes since the start, each with its line in the journal.
    pub changes: Vec<(usize, Change)>,
    /// The format's maximum of entrants.
    entrants_max: usize,
    /// Schedules the games.
    pub format: Box<dyn Format>,
    /// The draw of the seed, if it was drawn.
    pub draw: Option<Draw>,
    /// The definition, if each round has a seed of its own.
    chained: Option<Definition>,
    /// The formats of the later rounds that are drawn, which differ in their seeds.
    later: Vec<Box<dyn Format>>,
    terms: Terms,
    /// The terms of cage games.
    cage_terms: Terms,
    /// The terms with each opening, if the definition names openings.
    openings: Vec<Terms>,
}

/// Why a definition cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// Its games do not exist, may not count, or do not fit its format.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// It has more games than a tournament may have.
    #[error("this definition asks for {0} games; at most {GAMES_MAX} are played in one tournament: lower `pairs`")]
    TooManyGames(usize),
}

/// Why a game does not belong to a tournament.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// Its number is too high.
    #[error("there is no such game in the schedule")]
    NotScheduled,
    /// Its header has other entrants, another seed or other terms.
    #[error("its seed, bots, budgets or options are not those of this game in the schedule")]
    OtherHeader,
    /// It convicts a seat that cannot have killed a process, or convicts one twice.
    #[error("this game cannot be void in that way")]
    Void,
    /// It does not follow the rules.
    #[error(transparent)]
    Rules(#[from] Box<Divergence>),
    /// One of its entrants had left.
    #[error("an entrant in it had left before its round")]
    Left,
    /// The journal has it already.
    #[error("it appears twice")]
    Twice,
}

impl Plan {
    /// The plan of a definition with these entrants, in its format, for games that `build` plays.
    pub fn new(definition: &Definition, entrants: Vec<Entrant>, format: Box<dyn Format>, build: &str) -> Plan {
        let with = |options: &str| Terms::new(build, &definition.ruleset, options, definition.budgets);
        let openings = definition.openings.iter().map(|opening| with(&definition.options_from(opening))).collect();
        let terms = with(&definition.options);
        let entrants_max = definition.format.entrants_max();
        let chained = definition.draw.filter(|draw| draw.chain).map(|_| definition.clone());
        let (title, anchor) = (Some(definition.name.clone()), definition.anchor_of(&entrants));
        Plan {
            title,
            anchor,
            wall_ms: Some(definition.wall_ms_per_move),
            draw: definition.draw,
            chained,
            entrants_max,
            openings,
            ..Plan::on(terms, entrants, format)
        }
    }

    /// A plan on given terms.
    pub fn on(terms: Terms, entrants: Vec<Entrant>, format: Box<dyn Format>) -> Plan {
        let cage_terms = terms.duel();
        let (changes, entrants_max) = (Vec::new(), ENTRANTS_MAX);
        let (chained, later, openings) = (None, Vec::new(), Vec::new());
        Plan {
            title: None,
            anchor: None,
            wall_ms: None,
            entrants,
            changes,
            entrants_max,
            format,
            draw: None,
            chained,
            later,
            terms,
            cage_terms,
            openings,
        }
    }

    /// The tournament's name, if it has one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The standings.
    pub fn standings(&self, settled: &Settled) -> Standings {
        Standings { title: self.title.clone(), ..self.format.standings(&self.entrants, settled) }
    }

    /// The bots' budgets.
    pub fn budgets(&self) -> &Budgets {
        self.terms.budgets()
    }

    /// Applies a change from a line of the journal, the next after those it has. `start` is the hash of the manifest.
    ///
    /// # Errors
    /// When it is not possible. Then nothing is changed.
    pub fn take(&mut self, line: usize, change: Change, start: Hex<32>) -> Result<(), ChangeError> {
        let last = self.changes.last().map(|(_, change)| change);
        if change.after != last.map_or(start, Change::hash) {
            return Err(ChangeError::Chain);
        }
        if last.is_some_and(|last| last.round > change.round) {
            return Err(ChangeError::Started(change.round));
        }
        if self.changes.len() >= CHANGES_MAX {
            return Err(ChangeError::TooManyChanges);
        }
        change.check_reason()?;
        if let ChangeKind::Added { name, display, id } = &change.what {
            let spec = EntrantSpec::new(name.clone(), Source::File(name.clone()));
            let spec = spec.and_then(|spec| spec.displayed(display.clone()));
            spec.map_err(|error| ChangeError::Name(Box::new(error)))?;
            for name in [name].into_iter().chain(display) {
                self.check_entry(name, change.round)?;
            }
            self.entrants.push(Entrant { name: name.clone(), display: display.clone(), id: id.clone() });
        } else if let ChangeKind::Drawn { secret } = &change.what {
            self.later.push(self.drawn_with(secret, change.round)?);
        } else {
            self.check_leave(&change)?;
        }
        self.changes.push((line, change));
        Ok(())
    }

    /// The format for a round; `None` while its seed is not drawn.
    pub fn format_of(&self, round: usize) -> Option<&dyn Format> {
        match round.checked_sub(1).filter(|_| self.chained.is_some()) {
            Some(later) => self.later.get(later).map(|format| &**format),
            None => Some(&*self.format),
        }
    }

    /// The secrets that were revealed since the start, each with its round.
    pub fn secrets(&self) -> impl Iterator<Item = (usize, &Secret)> {
        self.changes.iter().filter_map(|(_, change)| match &change.what {
            ChangeKind::Drawn { secret } => Some((change.round, secret)),
            _ => None,
        })
    }

    /// The last round whose seed is drawn, from 0.
    pub fn drawn(&self) -> usize {
        self.later.len()
    }

    fn drawn_with(&self, secret: &Secret, round: usize) -> Result<Box<dyn Format>, ChangeError> {
        let due = self.chained.as_ref().filter(|_| round == self.drawn() + 1);
        let definition = due.ok_or(ChangeError::NotDue(round))?;
        let first = self.draw.as_ref().map(|draw| &draw.secret);
        let before = self.secrets().last().map(|(_, secret)| secret).or(first);
        if before.map(Secret::as_commitment) != Some(secret.commitment()) {
            return Err(ChangeError::OtherSecret(round));
        }
        let seed = secret.seed(self.present(round).iter().map(|entrant| &entrant.id));
        // It was playable with another seed, so it is with this one.
        definition.format_with(seed).map_err(|_| ChangeError::NotDue(round))
    }

    fn check_entry(&self, name: &str, round: usize) -> Result<(), ChangeError> {
        let (format, count) = (self.format.name(), self.entrants.len() + 1);
        if self.entrants.iter().any(|entrant| entrant.name == name || entrant.shown() == name) {
            return Err(ChangeError::Twice(name.into()));
        }
        if self.chained.is_some() && round <= self.drawn() {
            return Err(ChangeError::Frozen(round));
        }
        if count > self.entrants_max {
            return Err(ChangeError::TooMany { format, most: self.entrants_max });
        }
        if let Some(last) = self.format.last_entry().filter(|last| *last < round) {
            return Err(ChangeError::Closed { format, last });
        }
        match self.format.games_max(count) {
            0..=GAMES_MAX => Ok(()),
            games => Err(ChangeError::TooManyGames(games)),
        }
    }

    fn check_leave(&self, change: &Change) -> Result<(), ChangeError> {
        let name = change.name().unwrap_or_default();
        let index = self.entrants.iter().position(|entrant| entrant.name == name);
        let index = index.ok_or_else(|| ChangeError::Unknown(name.into()))?;
        let is_disqualified = matches!(change.what, ChangeKind::Disqualified { .. });
        match self.gone().get(&index) {
            // Misconduct may come to light after a withdrawal.
            Some((_, Leave::Withdrawn)) if is_disqualified => Ok(()),
            Some((_, left)) => Err(ChangeError::Gone { name: name.into(), left: *left }),
            None => Ok(()),
        }
    }

    /// The entrants that had entered before a round.
    pub fn present(&self, round: usize) -> &[Entrant] {
        let late = self.entered().filter(|(_, from)| *from > round).count();
        &self.entrants[..self.entrants.len() - late]
    }

    /// Late entrants, as indices, each with its first round.
    pub fn entered(&self) -> impl Iterator<Item = (usize, usize)> {
        let rounds = || self.changes.iter().filter(|(_, change)| matches!(change.what, ChangeKind::Added { .. }));
        let first = self.entrants.len() - rounds().count();
        rounds().zip(first..).map(|((_, change), entrant)| (entrant, change.round))
    }

    /// Entrants that the organiser took out, as indices, each with the round from which it is out, and how it left.
    pub fn gone(&self) -> BTreeMap<usize, (usize, Leave)> {
        let mut gone = BTreeMap::new();
        for (_, change) in &self.changes {
            let how = match change.what {
                ChangeKind::Added { .. } | ChangeKind::Drawn { .. } => continue,
                ChangeKind::Withdrawn { .. } => Leave::Withdrawn,
                ChangeKind::Disqualified { .. } => Leave::Disqualified,
            };
            if let Some(entrant) = self.entrants.iter().position(|entrant| Some(&*entrant.name) == change.name()) {
                gone.entry(entrant).or_insert((change.round, how)).1 = how;
            }
        }
        gone
    }

    fn terms(&self, game: &ScheduledGame) -> &Terms {
        match game.stage {
            Stage::Main => self.openings.get(self.opening(game)).unwrap_or(&self.terms),
            Stage::Cage => &self.cage_terms,
        }
    }

    /// The opening of a game. The pairs of two entrants go through all openings in turn; the first one follows from the
    /// tournament's seed and the two entrants.
    fn opening(&self, game: &ScheduledGame) -> usize {
        let mut ids: Vec<&str> =
            game.seats.values().iter().map(|entrant| self.entrants[*entrant].id.as_str()).collect();
        ids.sort_unstable();
        let hash = Sha256::new().chain_update(OPENING_TAG).chain_update(self.format.seed().to_le_bytes());
        let hash: [u8; 32] =
            ids.iter().fold(hash, |hash, id| hash.chain_update(id).chain_update([0])).finalize().into();
        let first = u64::from(u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]));
        ((first + u64::from(game.pair)) % self.openings.len().max(1) as u64) as usize
    }

    /// The header of a game of the schedule.
    pub fn header(&self, game: &ScheduledGame) -> Header {
        let ids = game.seats.values().iter().map(|entrant| self.entrants[*entrant].id.clone()).collect();
        self.terms(game).header(game.seed, ids)
    }

    /// Whether this can be the result of a game of the schedule. Which machine played it is not checked.
    pub fn check(&self, game: &ScheduledGame, ended: &Ended) -> Result<(), Misfit> {
        let record = match ended {
            Ended::Played(record) => record,
            Ended::Void(void) => {
                // Only a bot has a process that can die, and each is convicted at most once.
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
        let mut expected = self.header(game);
        // Another build with the same semantics may continue a tournament.
        expected.build.clone_from(&record.header.build);
        if record.header == expected { Ok(()) } else { Err(Misfit::OtherHeader) }
    }
}

/// The format of a definition, if it is playable and not too large.
pub fn format_of(definition: &Definition) -> Result<Box<dyn Format>, PlanError> {
    let format = definition.to_format()?;
    let games = format.games_max(definition.entrants.len());
    if games > GAMES_MAX { Err(PlanError::TooManyGames(games)) } else { Ok(format) }
}
