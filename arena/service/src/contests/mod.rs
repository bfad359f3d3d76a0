//! Tournaments that accounts start. Each is a log in the store and, from its start on, a folder in
//! `DATA/tournaments/cup-N`, in the form of `arena tournament run`. `terms.rs` says what one may be, `state.rs` what
//! may happen in it; `acts.rs` does what people ask for; `view.rs` is what people see meanwhile; and `keep.rs` says
//! which are forgotten. Not here: playing them (`tournaments`) and who asks (`arena_server`).

mod acts;
#[cfg(test)]
mod late;
mod refused;
mod retention;
pub(crate) mod sentences;
mod state;
mod terms;
mod view;

use arena_store::{ContestId, NameError, TournamentId};
use arena_tournaments::{Secret, SecretChain};

use crate::limits::CONTEST_ROUNDS_MAX;

pub use acts::{Contests, NewContest};
pub use refused::ContestRefused;
pub use sentences::CONTEST_SENTENCES;
pub use state::{Admission, By, ContestState, Entrant, Entry, Event, Illegal, Place, Stage};
pub use terms::{ContestTerms, TermsError};
pub use view::{ContestDetails, ContestSnapshot, Meeting};

pub(crate) use retention::surplus;
pub(crate) use state::spec;
pub(crate) use view::{Window, read};

const DAY_SECONDS: i64 = 86_400;

/// What the folders of these tournaments are called, before their numbers.
const PREFIX: &str = "cup-";

/// The secrets that the seeds of a tournament are drawn with, derived from the stored one: a single one, or one for
/// each round where bots may enter between rounds.
pub(crate) fn secrets(stored: [u8; 32], late: bool) -> SecretChain {
    SecretChain::new(Secret(stored), if late { CONTEST_ROUNDS_MAX } else { 1 })
}

/// The tournament's id: the name of its folder, too.
///
/// # Errors
/// Never: its characters are allowed.
pub fn tournament_of(id: ContestId) -> Result<TournamentId, NameError> {
    TournamentId::parse(&format!("{PREFIX}{}", id.0))
}

/// The number of an account's tournament from its id; `None` for any other tournament.
pub fn contest_of(tournament: &str) -> Option<ContestId> {
    let number = tournament.strip_prefix(PREFIX)?.parse().ok().filter(|number| *number > 0)?;
    // Refuses other spellings of the number: each tournament has one name.
    (format!("{PREFIX}{number}") == tournament).then_some(ContestId(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tournament_has_one_name() {
        let id = tournament_of(ContestId(12)).expect("a name");
        assert_eq!((id.as_str(), contest_of(id.as_str())), ("cup-12", Some(ContestId(12))));
        for other in ["cup-", "cup-0", "cup-012", "cup--1", "cup-1x", "standing-1", "Cup-1"] {
            assert_eq!(contest_of(other), None, "{other}");
        }
    }
}
