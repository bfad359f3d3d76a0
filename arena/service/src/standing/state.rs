//! What is shown of a standing tournament.

use std::collections::BTreeSet;
use std::sync::Arc;

use arena_record::EntrantId;
use arena_runner::{Folder, semantics_id};
use arena_store::{DELETED, TournamentId};
use arena_tournaments::{Draw, Standings};
use arena_wire::Game;
use serde::{Deserialize, Serialize};

use super::history::PastEdition;
use super::older_release::OlderRelease;

/// The state of a game's standing tournament.
#[derive(Clone, Default, Debug)]
pub struct Standing {
    /// Whether editions are played here. Otherwise existing ones are only shown.
    pub held: bool,
    /// The latest finished edition.
    pub edition: Option<Arc<Edition>>,
    /// The finished editions of this release that are kept, oldest first: the latest is the last.
    pub history: Vec<Arc<PastEdition>>,
    /// The latest finished edition with its number, if another release played it; `None` once there is one of this
    /// release.
    pub earlier: Option<(u32, Arc<OlderRelease>)>,
    /// The edition that is being played.
    pub playing: Option<Progress>,
    /// Whether accepted bots wait for an edition that has not begun. Also set while this is not known.
    pub waiting: bool,
    /// Bots without a place in the field, with the reasons; the oldest first.
    pub left_out: Arc<Vec<LeftOut>>,
    /// Newcomers' scores against built-in opponents when the field of the latest edition was chosen, best first.
    pub qualifying: Arc<Vec<Qualified>>,
    /// What keeps the tournament from continuing, or what was wrong with the previous edition; `None` when all is well.
    pub trouble: Option<String>,
}

/// A bot without a place in the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// Its name.
    pub bot: String,
    /// The hash of its bytes.
    pub id: EntrantId,
    /// Why.
    pub why: WhyOut,
}

/// Why a bot has no place in the field.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WhyOut {
    /// It does the same as this bot, whose owner had it first and which plays for both.
    #[error("it does the same as {0}, which plays for both")]
    CopyOf(String),
    /// Its owner has as many others in the field as allowed: these.
    #[error("other bots of its owner have all places of an account: {}; withdrawing one of them makes a place", .0.join(", "))]
    OwnersOthers(Vec<String>),
    /// It is new, and other newcomers come first.
    #[error("there are more newcomers than places, and those that do best against the built-in opponents come first")]
    Newcomer,
    /// It was tried, and others were better.
    #[error("there are better bots than places")]
    Beaten,
}

/// Whether an accepted version that its owner has chosen plays in the next edition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placing {
    /// It plays, as far as is known.
    Plays,
    /// It has no place.
    Out(WhyOut),
    /// Editions of its game are not played here.
    NoTournament,
}

impl Placing {
    /// Why it has no place in a tournament that is held.
    pub fn why_out(self) -> Option<WhyOut> {
        if let Placing::Out(why) = self { Some(why) } else { None }
    }
}

/// A newcomer's result in its qualifying games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Qualified {
    /// Its name.
    pub bot: String,
    /// The hash of its bytes.
    pub id: EntrantId,
    /// Its score, in millionths of the maximum.
    pub score: u64,
    /// Whether it got a place.
    pub plays: bool,
}

/// The progress of an edition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The edition's number.
    pub edition: u32,
    /// Games that were played.
    pub played: usize,
    /// Games of the schedule.
    pub total: usize,
    /// What its seed was drawn from, revealed before the first game.
    pub draw: Option<Draw>,
    /// Bots that were not in the edition before, each with its games so far, in the order of the definition.
    pub newcomers: Vec<(EntrantId, usize)>,
}

/// A finished edition. It is a tournament like any other, in its folder.
#[derive(Clone, Debug)]
pub struct Edition {
    /// Its number, from 1. Numbers of editions that could not be finished are missing.
    pub number: u32,
    /// The tournament's id, such as `standing-7`, which is also its folder's name.
    pub tournament: TournamentId,
    /// The entrants by name, in the order of its definition.
    pub entrants: Vec<(String, EntrantId)>,
    /// The final standings.
    pub standings: Standings,
    /// Games of its schedule; all of them were played.
    pub games: usize,
    /// What its seed was drawn from, with the commitment to the secret of the next edition; `None` if its release did
    /// not draw seeds.
    pub draw: Option<Draw>,
    /// Games that this process played again because the machine failed.
    pub platform_faults: u64,
    /// The semantics id, as in records.
    pub semantics: String,
    /// The build that started it.
    pub build: String,
}

impl Edition {
    /// Removes the names of deleted bots.
    pub(crate) fn without(&mut self, deleted: &BTreeSet<EntrantId>) {
        let entrants = self.entrants.iter_mut().map(|(name, id)| (name, &*id));
        let rows = self.standings.rows.iter_mut().map(|row| (&mut row.name, &row.id));
        for (name, _) in entrants.chain(rows).filter(|(_, id)| deleted.contains(id)) {
            *name = DELETED.into();
        }
    }

    /// The name of the entrant with this id.
    pub fn name(&self, id: &EntrantId) -> Option<&str> {
        self.entrants.iter().find(|(_, entrant)| entrant == id).map(|(name, _)| name.as_str())
    }

    /// The edition of a folder whose games are all played.
    pub(crate) fn of(
        game: &Game,
        number: u32,
        tournament: TournamentId,
        folder: &Folder,
        standings: Standings,
        platform_faults: u64,
    ) -> Edition {
        let entrants = folder.entrants().iter().map(|entrant| (entrant.name.clone(), entrant.id.clone()));
        Edition {
            number,
            tournament,
            entrants: entrants.collect(),
            standings,
            games: folder.progress().total,
            draw: folder.draw(),
            platform_faults,
            // A folder of other semantics would not have opened.
            semantics: semantics_id(game.ruleset),
            build: folder.build().into(),
        }
    }
}
