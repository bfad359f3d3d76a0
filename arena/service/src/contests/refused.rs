//! Why nothing was done with a tournament.

use arena_limits::{Kind, Refusal, Refused};
use arena_store::{ActError, ContestError, StoreError};

use super::state::Illegal;
use super::terms::TermsError;
use crate::limits::{CONTEST_ENTRANTS_MAX, CONTEST_ENTRY_DAYS_MAX};

/// Why nothing was done with a tournament.
#[derive(Debug, thiserror::Error)]
pub enum ContestRefused {
    /// Its terms are wrong.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// It cannot happen now.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The store refuses it: a quota.
    #[error(transparent)]
    Quota(#[from] ContestError),
    /// An operator's act was refused.
    #[error(transparent)]
    Act(#[from] ActError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such bot.
    #[error("no bot called {0:?} plays")]
    NoSuchBot(String),
    /// An opponent that comes with the arena cannot be taken out.
    #[error("{0:?} has a reserved place and stays: cancel the tournament, and start another one without it")]
    Reserved(String),
    /// The bot belongs to somebody else.
    #[error("{0:?} is not your bot")]
    NotYourBot(String),
    /// The bot plays another game.
    #[error("{bot:?} plays {game:?}, which is not this tournament's game")]
    OtherGame {
        /// The bot.
        bot: String,
        /// Its game.
        game: String,
    },
    /// Two entrants have the same name.
    #[error("{0:?} is entered twice")]
    Twice(String),
    /// The date has passed, or is too far off.
    #[error("entry has to close within the next {CONTEST_ENTRY_DAYS_MAX} days")]
    Date,
    /// Fewer places than entrants, or too many.
    #[error("there are {least} to {CONTEST_ENTRANTS_MAX} places, not {given}")]
    Places {
        /// The fewest.
        least: usize,
        /// What was asked for.
        given: u32,
    },
    /// Bots cannot enter this one after its start.
    #[error(
        "bots can enter after the start only in a Swiss tournament or a ladder whose entry is open or by invitation"
    )]
    NoLateEntry,
    /// Too few take part to start.
    #[error("a tournament of this game begins with at least {0} entrants")]
    TooFew(usize),
    /// Only the organiser may.
    #[error("only the account that started a tournament may do this")]
    NotYours,
}

impl Refused for ContestRefused {
    fn refusal(&self) -> Refusal {
        match self {
            ContestRefused::Terms(_) => {
                Kind::Invalid.says("bad_tournament", "/guide/site#a-tournament-without-a-site explains a definition")
            }
            ContestRefused::Illegal(error) => error.refusal(),
            ContestRefused::Quota(error) => error.refusal(),
            ContestRefused::Act(error) => error.refusal(),
            ContestRefused::Store(error) => error.refusal(),
            ContestRefused::NoSuchBot(_) => Kind::NotFound
                .says("no_such_bot", "a bot plays once one of its versions is accepted, until it is withdrawn"),
            ContestRefused::Reserved(_) => Kind::Conflict.says("reserved", "its organiser cancels it on its page"),
            ContestRefused::NotYourBot(_) => {
                Kind::Forbidden.says("not_your_bot", "others enter their bots themselves: open entry, or invite them")
            }
            ContestRefused::OtherGame { .. } => Kind::Conflict.says("other_game", "choose a bot that plays its game"),
            ContestRefused::Twice(_) => Kind::Conflict.says("twice", "each entrant needs its own name"),
            ContestRefused::Date => Kind::Invalid.says("bad_date", "dates are in UTC"),
            ContestRefused::Places { .. } => Kind::Invalid.says("bad_tournament", "choose another number of places"),
            ContestRefused::NoLateEntry => {
                Kind::Invalid.says("bad_tournament", "end entry at the start, or choose another format")
            }
            ContestRefused::TooFew(_) => Kind::Invalid.says("bad_tournament", "enter more bots first"),
            ContestRefused::NotYours => Kind::Forbidden.says("not_yours", "ask the organiser"),
        }
    }
}
