//! Names of limits, for metrics and refusals.

use crate::language::Text;
use crate::text;

/// What is limited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum LimitKind {
    Connections,
    Sockets,
    Requests,
    Accounts,
    Sessions,
    Rooms,
    Uploads,
    Checks,
    Kilobytes,
    Replays,
    Tournaments,
    Plies,
    Joins,
    Calls,
    Cells,
    Seats,
    Polls,
    Waiting,
    Checking,
    Archives,
    Forms,
}

impl LimitKind {
    /// Whether it is held for a while, rather than used up.
    pub(crate) const fn is_held(self) -> bool {
        matches!(
            self,
            LimitKind::Connections
                | LimitKind::Sockets
                | LimitKind::Polls
                | LimitKind::Waiting
                | LimitKind::Checking
                | LimitKind::Archives
        )
    }

    /// Whether it is a share of what is created or judged. The others are shares of trying: a refused request was a
    /// try.
    pub(crate) const fn is_of_creating(self) -> bool {
        matches!(
            self,
            LimitKind::Accounts
                | LimitKind::Rooms
                | LimitKind::Uploads
                | LimitKind::Checks
                | LimitKind::Kilobytes
                | LimitKind::Tournaments
        )
    }

    /// What is taken, as words of a sentence.
    pub(crate) fn words(self) -> &'static str {
        self.in_both_languages().0
    }

    /// The same in Spanish.
    pub(crate) fn in_spanish(self) -> Text {
        self.in_both_languages().1()
    }

    fn in_both_languages(self) -> (&'static str, fn() -> Text) {
        match self {
            LimitKind::Connections => ("connections", text::limit_connections),
            LimitKind::Sockets => ("sockets", text::limit_sockets),
            LimitKind::Requests => ("requests", text::limit_requests),
            LimitKind::Accounts => ("new accounts", text::limit_accounts),
            LimitKind::Sessions => ("sign-ins", text::limit_sessions),
            LimitKind::Rooms => ("new rooms", text::limit_rooms),
            LimitKind::Uploads => ("submissions", text::limit_uploads),
            LimitKind::Checks => ("verdicts for guests", text::limit_checks),
            LimitKind::Kilobytes => ("kilobytes of modules", text::limit_kilobytes),
            LimitKind::Replays => ("games played again", text::limit_replays),
            LimitKind::Tournaments => ("changes of tournaments", text::limit_tournaments),
            LimitKind::Plies => ("turns", text::limit_plies),
            LimitKind::Joins => ("attempts to join a game", text::limit_joins),
            LimitKind::Calls => ("calls of worlds", text::limit_calls),
            LimitKind::Cells => ("cells that are placed in worlds", text::limit_cells),
            LimitKind::Seats => ("changes of who plays in worlds", text::limit_seats),
            LimitKind::Polls => ("requests that wait for a room", text::limit_polls),
            LimitKind::Waiting => ("rooms that wait for others", text::limit_waiting),
            LimitKind::Checking => ("verdicts that it waits for", text::limit_checking),
            LimitKind::Archives => ("archives that are sent at once", text::limit_archives),
            LimitKind::Forms => ("forms that were not admitted and come back", text::limit_forms),
        }
    }
}

/// The kind of the share's owner, without a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whose {
    Account,
    Network,
    Everybody,
}

impl Whose {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Whose::Account => "account",
            Whose::Network => "network",
            Whose::Everybody => "everybody",
        }
    }
}
