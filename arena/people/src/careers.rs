//! What is known of accounts when a game begins, which decides whether the game may be rated.

use std::collections::{BTreeMap, BTreeSet};

use arena_limits::{Kind, Refusal, Refused};
use arena_rooms::PersonId;
use arena_rules::{BySeat, Reason, Seat};

use crate::{Browser, Finished, PRACTICE_GAMES_MIN, Side, Who};

/// Why a game cannot be rated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unrated {
    /// It has one seat, or more than two.
    #[error("rated games have two seats")]
    Seats,
    /// A seat is a guest's.
    #[error("rated games are for people with an account")]
    Guest,
    /// A seat belongs to a bot that is not built in, or both seats belong to bots.
    #[error("rated games are between people, or between a person and a built-in opponent")]
    Bot,
    /// One account has both seats.
    #[error("nobody plays a rated game with themselves")]
    SameAccount,
    /// An account has not played enough yet.
    #[error(
        "a rated game between people needs {PRACTICE_GAMES_MIN} finished games of each against built-in opponents; one of them has {finished}"
    )]
    Practice {
        /// The account's seat.
        seat: Seat,
        /// How many games it has finished.
        finished: u32,
    },
    /// Both accounts have played or signed in in the same browser.
    #[error("two accounts that were used in one browser cannot play rated games with each other")]
    OneBrowser,
}

impl Refused for Unrated {
    fn refusal(&self) -> Refusal {
        let unrated = "play an unrated game";
        let (code, hint) = match self {
            Unrated::Seats => ("not_two_seats", unrated),
            Unrated::Guest => ("guest", "claim a name at /account, or play an unrated game"),
            Unrated::Bot => ("bot", unrated),
            Unrated::SameAccount => ("same_account", unrated),
            Unrated::Practice { .. } => {
                ("too_little_practice", "play the built-in opponents at /play, or an unrated game")
            }
            Unrated::OneBrowser => ("one_browser", unrated),
        };
        Kind::Forbidden.says(code, hint)
    }
}

/// The browsers in which accounts have signed in, besides those in which they finished games.
pub type SignIns = BTreeMap<PersonId, BTreeSet<Browser>>;

/// A fold over finished games: the career of each account before it plays rated games. A browser takes as much memory
/// as one game played in it, and no more.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Careers(BTreeMap<PersonId, Career>);

#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Career {
    /// Games finished in a browser against built-in opponents only.
    practice_games: u32,
    /// The browsers in which it played.
    browsers: BTreeSet<Browser>,
}

impl Careers {
    /// Adds a game, rated or not. Annulled games are ignored.
    pub(crate) fn add(&mut self, game: &Finished) {
        if game.annulled.is_some() {
            return;
        }
        for (seat, side) in game.sides.iter() {
            let Some(person) = side.who.account() else { continue };
            let career = self.0.entry(person).or_default();
            career.browsers.extend(side.browser);
            career.practice_games += u32::from(is_practice(game, seat));
        }
    }

    /// Whether a game between these may be rated.
    pub(crate) fn admits(&self, sides: &BySeat<Side>, sign_ins: &SignIns) -> Result<(), Unrated> {
        let [first, second] = sides.values() else { return Err(Unrated::Seats) };
        match (&first.who, &second.who) {
            (Who::Guest, _) | (_, Who::Guest) => Err(Unrated::Guest),
            (Who::Account(_), Who::BuiltIn(_)) | (Who::BuiltIn(_), Who::Account(_)) => Ok(()),
            (Who::Account(one), Who::Account(other)) if one == other => Err(Unrated::SameAccount),
            (Who::Account(_), Who::Account(_)) => {
                self.practised(Seat(0), first)?;
                self.practised(Seat(1), second)?;
                let apart = self.browsers(first, sign_ins).is_disjoint(&self.browsers(second, sign_ins));
                if apart { Ok(()) } else { Err(Unrated::OneBrowser) }
            }
            (Who::Bot | Who::BuiltIn(_), _) | (_, Who::Bot) => Err(Unrated::Bot),
        }
    }

    /// How many games an account has finished in a browser against built-in opponents only.
    pub(crate) fn practice_games(&self, person: PersonId) -> u32 {
        self.0.get(&person).map_or(0, |career| career.practice_games)
    }

    fn practised(&self, seat: Seat, side: &Side) -> Result<(), Unrated> {
        let finished = side.who.account().map_or(0, |person| self.practice_games(person));
        if finished < PRACTICE_GAMES_MIN { Err(Unrated::Practice { seat, finished }) } else { Ok(()) }
    }

    /// The browsers in which an account has signed in, has played or is about to play.
    fn browsers(&self, side: &Side, sign_ins: &SignIns) -> BTreeSet<Browser> {
        let person = side.who.account();
        let played = person.and_then(|person| self.0.get(&person)).map(|career| &career.browsers);
        let signed_in = person.and_then(|person| sign_ins.get(&person));
        played.into_iter().chain(signed_in).flatten().copied().chain(side.browser).collect()
    }
}

/// Whether a game is practice for the account in a seat: it was played in a browser, all others are built-in opponents,
/// and the account did not resign. Otherwise ten resignations would take a minute, and ten games of a program no
/// effort; and accounts without a known browser could not be recognised as the same person's.
fn is_practice(game: &Finished, own: Seat) -> bool {
    let in_browser = game.sides[own].browser.is_some();
    let mut others = game.sides.iter().filter(|(seat, _)| *seat != own).peekable();
    let is_met = others.peek().is_some() && others.all(|(_, side)| matches!(side.who, Who::BuiltIn(_)));
    let gave_up = game.outcome.reason == Reason::Forfeit && game.outcome.winner != Some(own);
    in_browser && is_met && !gave_up
}
