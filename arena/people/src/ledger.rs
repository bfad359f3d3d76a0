//! Which games count, and the tables that follow.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::Hex;
use arena_rooms::RoomId;

use crate::{Day, Finished, GameMode, Month, PAIR_GAMES_A_DAY_MAX, Table, Who, worth};

/// The period of a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Span {
    /// All games.
    AllTime,
    /// Games that ended in a month.
    Month(Month),
}

/// Whether a game counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It does.
    Counts {
        /// The winner's points before the limit on one partner's part; 0 for a draw or if a built-in opponent won.
        points: u32,
    },
    /// It does not.
    Not(Uncounted),
}

/// Why a game does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Uncounted {
    /// The operator took it out.
    #[error("the operator annulled it")]
    Annulled,
    /// It was not rated.
    #[error("it was not rated")]
    Casual,
    /// Games of this kind are never rated: not two seats, a guest, a bot that is not built in, or one person in both
    /// seats.
    #[error("it is not between two people with accounts, nor between one and a built-in opponent")]
    Kind,
    /// Both sides played it in one browser.
    #[error("both sides played it in one browser")]
    OneBrowser,
    /// The same two have played the same game before, action by action, in the same seats.
    #[error("the same two have played exactly this game before")]
    PlayedBefore,
    /// The same two have played their games that count on that day.
    #[error("the first {PAIR_GAMES_A_DAY_MAX} games of the same two count on a day")]
    DayIsFull,
}

impl Uncounted {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Uncounted::Annulled => "annulled",
            Uncounted::Casual => "casual",
            Uncounted::Kind => "kind",
            Uncounted::OneBrowser => "one_browser",
            Uncounted::PlayedBefore => "played_before",
            Uncounted::DayIsFull => "day_is_full",
        }
    }
}

/// Two players who met, in the order of seats or sorted.
type Pair = [Who; 2];

/// A fold over finished games, in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Ledger {
    /// The day of the last game, and how many games of each pair counted on it.
    today: Option<Day>,
    met: BTreeMap<Pair, u32>,
    /// Games that count, by players in seats and digest.
    played: BTreeSet<(Pair, Hex<32>)>,
    verdicts: BTreeMap<RoomId, Verdict>,
    tables: BTreeMap<String, BTreeMap<Span, Table>>,
}

impl Ledger {
    /// Adds the next game. The returned verdict is also what [`Ledger::verdict`] returns from then on.
    pub(crate) fn add(&mut self, game: &Finished) -> Verdict {
        if self.today != Some(game.day()) {
            self.today = Some(game.day());
            self.met.clear();
        }
        let verdict = match self.pair(game) {
            Err(why) => Verdict::Not(why),
            Ok(seated) => {
                let points = worth(game);
                self.enter(game, &seated, points);
                Verdict::Counts { points }
            }
        };
        self.verdicts.insert(game.room, verdict);
        verdict
    }

    pub(crate) fn verdict(&self, room: &RoomId) -> Option<Verdict> {
        self.verdicts.get(room).copied()
    }

    pub(crate) fn table(&self, game: &str, span: Span) -> Option<&Table> {
        self.tables.get(game)?.get(&span)
    }

    /// The players by seat, if a game may count.
    fn pair(&self, game: &Finished) -> Result<Pair, Uncounted> {
        if game.annulled.is_some() {
            return Err(Uncounted::Annulled);
        }
        if game.terms == GameMode::Casual {
            return Err(Uncounted::Casual);
        }
        let [first, second] = game.pair().ok_or(Uncounted::Kind)?;
        match (&first.who, &second.who) {
            (Who::Account(one), Who::Account(other)) if one != other => {}
            (Who::Account(_), Who::BuiltIn(_)) | (Who::BuiltIn(_), Who::Account(_)) => {}
            _ => return Err(Uncounted::Kind),
        }
        if first.browser.is_some() && first.browser == second.browser {
            return Err(Uncounted::OneBrowser);
        }
        let seated = [first.who.clone(), second.who.clone()];
        if self.met.get(&sorted(&seated)).is_some_and(|games| *games >= PAIR_GAMES_A_DAY_MAX) {
            return Err(Uncounted::DayIsFull);
        }
        if self.played.contains(&(seated.clone(), game.digest)) {
            return Err(Uncounted::PlayedBefore);
        }
        Ok(seated)
    }

    fn enter(&mut self, game: &Finished, seated: &Pair, points: u32) {
        *self.met.entry(sorted(seated)).or_default() += 1;
        self.played.insert((seated.clone(), game.digest));
        let tables = self.tables.entry(game.game().into()).or_default();
        for span in [Span::AllTime, Span::Month(Month::of(game.finished_at))] {
            tables.entry(span).or_default().add(seated, game.outcome.winner, points);
        }
    }
}

fn sorted([one, other]: &Pair) -> Pair {
    if one <= other { [one.clone(), other.clone()] } else { [other.clone(), one.clone()] }
}
