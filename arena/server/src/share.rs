//! Names of limits, for metrics and refusals.

/// What is limited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum What {
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

impl What {
    /// Whether it is held for a while, rather than used up.
    pub(crate) const fn is_held(self) -> bool {
        matches!(self, What::Connections | What::Sockets | What::Polls | What::Waiting | What::Archives)
    }

    /// What is taken, as words of a sentence.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            What::Connections => "connections",
            What::Sockets => "sockets",
            What::Requests => "requests",
            What::Accounts => "new accounts",
            What::Sessions => "sign-ins",
            What::Rooms => "new rooms",
            What::Uploads => "submissions",
            What::Kilobytes => "kilobytes of modules",
            What::Replays => "games played again",
            What::Tournaments => "changes of tournaments",
            What::Plies => "turns",
            What::Joins => "attempts to join a game",
            What::Calls => "calls of worlds",
            What::Cells => "cells that are placed in worlds",
            What::Seats => "changes of who plays in worlds",
            What::Polls => "requests that wait for a room",
            What::Waiting => "rooms that wait for others",
            What::Archives => "archives that are sent at once",
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
