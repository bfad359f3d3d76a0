//! The whole leaderboard: one fold over finished games.

use std::collections::BTreeMap;

use arena_rooms::{PersonId, RoomId};
use arena_rules::BySeat;

use crate::careers::Careers;
use crate::ledger::Ledger;
use crate::strengths::Strengths;
use crate::{Day, Finished, Moment, Side, Span, Strength, Table, Unrated, Verdict};

/// What follows from all games that were finished. Equal games in any order make equal leaderboards.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct People {
    last: Option<Moment>,
    careers: Careers,
    ledger: Ledger,
    strengths: BTreeMap<String, Strengths>,
}

/// A game that should have been folded earlier, or was: the leaderboard has to be [folded](People::fold) again. It is as before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a later game has been counted already")]
pub struct OutOfOrder;

impl People {
    /// Folds games in the order in which they ended, in whatever order they come. Of several of one room that ended in the same
    /// second, the last that comes is taken.
    pub fn fold<'a>(games: impl IntoIterator<Item = &'a Finished>) -> People {
        let ordered: BTreeMap<Moment, &Finished> = games.into_iter().map(|game| (game.moment(), game)).collect();
        let mut people = People::default();
        for game in ordered.into_values() {
            people.take(game);
        }
        people
    }

    /// Takes in one more game.
    ///
    /// # Errors
    /// When it does not come after all that were taken in.
    pub fn add(&mut self, game: &Finished) -> Result<Verdict, OutOfOrder> {
        if self.last.is_some_and(|last| last >= game.moment()) { Err(OutOfOrder) } else { Ok(self.take(game)) }
    }

    /// Whether a game that begins now, of these players in these seats, may be rated. Its own browsers count as well as those in
    /// which the players finished games before.
    ///
    /// # Errors
    /// Why it may not.
    pub fn admits(&self, sides: &BySeat<Side>) -> Result<(), Unrated> {
        self.careers.admits(sides)
    }

    /// How many games an account has finished in a browser against built-in opponents, of the [`PRACTICE_GAMES_MIN`](crate::PRACTICE_GAMES_MIN) that
    /// rated games with people take.
    pub fn practice_games(&self, person: PersonId) -> u32 {
        self.careers.practice_games(person)
    }

    /// Whether a game counts; `None` when it was not taken in.
    pub fn verdict(&self, room: &RoomId) -> Option<Verdict> {
        self.ledger.verdict(room)
    }

    /// The table of a game, by its name without a version; `None` while none of its games of that time counts.
    pub fn table(&self, game: &str, span: Span) -> Option<&Table> {
        self.ledger.table(game, span)
    }

    /// How strong those of these are at a game who played people, on a day that is not before that of the last game.
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
