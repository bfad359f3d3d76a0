//! Names of limits, for metrics and refusals.

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
    Archives,
}

impl LimitKind {
    /// Whether it is held for a while, rather than used up.
    pub(crate) const fn is_held(self) -> bool {
        matches!(
            self,
            LimitKind::Connections | LimitKind::Sockets | LimitKind::Polls | LimitKind::Waiting | LimitKind::Archives
        )
    }

    /// Whether it is a share of what is created. The others are shares of trying: a refused request was a try.
    pub(crate) const fn is_of_creating(self) -> bool {
        matches!(
            self,
            LimitKind::Accounts | LimitKind::Rooms | LimitKind::Uploads | LimitKind::Kilobytes | LimitKind::Tournaments
        )
    }

    /// What is taken, as words of a sentence.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            LimitKind::Connections => "connections",
            LimitKind::Sockets => "sockets",
            LimitKind::Requests => "requests",
            LimitKind::Accounts => "new accounts",
            LimitKind::Sessions => "sign-ins",
            LimitKind::Rooms => "new rooms",
            LimitKind::Uploads => "submissions",
            LimitKind::Kilobytes => "kilobytes of modules",
            LimitKind::Replays => "games played again",
            LimitKind::Tournaments => "changes of tournaments",
            LimitKind::Plies => "turns",
            LimitKind::Joins => "attempts to join a game",
            LimitKind::Calls => "calls of worlds",
            LimitKind::Cells => "cells that are placed in worlds",
            LimitKind::Seats => "changes of who plays in worlds",
            LimitKind::Polls => "requests that wait for a room",
            LimitKind::Waiting => "rooms that wait for others",
            LimitKind::Archives => "archives that are sent at once",
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
