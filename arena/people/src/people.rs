//! The whole leaderboard: one fold over finished games.

use std::collections::BTreeMap;

use arena_rooms::{PersonId, RoomId};
use arena_rules::BySeat;

use crate::careers::Careers;
use crate::ledger::Ledger;
use crate::strengths::Strengths;
use crate::{Day, Finished, Moment, Side, SignIns, Span, Strength, Table, Unrated, Verdict};

/// The state after all finished games. The same games in any order give equal leaderboards.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct People {
    last: Option<Moment>,
    careers: Careers,
    ledger: Ledger,
    strengths: BTreeMap<String, Strengths>,
}

/// A game that belongs before or among those already folded. The leaderboard is unchanged and must be
/// [folded](People::fold) again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a later game has already been counted")]
pub struct OutOfOrder;

impl People {
    /// Folds games, given in any order, in the order in which they ended. If several games of one room ended in the
    /// same second, the last one given is used.
    pub fn fold<'a>(games: impl IntoIterator<Item = &'a Finished>) -> People {
        let ordered: BTreeMap<Moment, &Finished> = games.into_iter().map(|game| (game.moment(), game)).collect();
        let mut people = People::default();
        for game in ordered.into_values() {
            people.take(game);
        }
        people
    }

    /// Adds one more game.
    ///
    /// # Errors
    /// When it does not come after all games added so far.
    pub fn add(&mut self, game: &Finished) -> Result<Verdict, OutOfOrder> {
        if self.last.is_some_and(|last| last >= game.moment()) { Err(OutOfOrder) } else { Ok(self.take(game)) }
    }

    /// Whether a game between these players in these seats that begins now may be rated. The browsers of this game
    /// count as well as those in which the players finished games or signed in before.
    ///
    /// # Errors
    /// Why it may not.
    pub fn admits(&self, sides: &BySeat<Side>, sign_ins: &SignIns) -> Result<(), Unrated> {
        self.careers.admits(sides, sign_ins)
    }

    /// How many games an account has finished in a browser against built-in opponents; rated games against people
    /// require [`PRACTICE_GAMES_MIN`](crate::PRACTICE_GAMES_MIN).
    pub fn practice_games(&self, person: PersonId) -> u32 {
        self.careers.practice_games(person)
    }

    /// Whether a game counts; `None` if it was not added.
    pub fn verdict(&self, room: &RoomId) -> Option<Verdict> {
        self.ledger.verdict(room)
    }

    /// The table of a game, by its name without a version; `None` while no game of that period counts.
    pub fn table(&self, game: &str, span: Span) -> Option<&Table> {
        self.ledger.table(game, span)
    }

    /// The strengths at a game of those of these people who have played against people, on a day no earlier than that
    /// of the last game.
    pub fn strengths(&self, game: &str, day: Day, persons: &[PersonId]) -> BTreeMap<PersonId, Strength> {
        self.strengths.get(game).map(|strengths| strengths.on(day, persons)).unwrap_or_default()
    }

    fn take(&mut self, game: &Finished) -> Verdict {
        self.last = Some(game.moment());
        self.careers.add(game);
        let verdict = self.ledger.add(game);
        if let (Verdict::Counts { .. }, Some([first, second])) = (verdict, game.pair())
            && let (Some(first), Some(second)) = (first.who.account(), second.who.account())
        {
            let strengths = self.strengths.entry(game.game().into()).or_default();
            strengths.add(game.day(), [first, second], game.outcome.winner.map(|seat| seat.index()));
        }
        verdict
    }
}
