//! Asks the queue for games and looks for their ends: what to ask next, as a pure state machine.

use std::collections::BTreeMap;

use arena_record::Hex;
use arena_store::{AskedGame, GAMES_OF_A_CALL_MAX, GameEnd, TournamentId};

/// A tournament's game.
type Place = (TournamentId, Hex<32>);

/// The next thing to ask the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Ask for these games of a tournament.
    Ask(TournamentId, Vec<AskedGame>),
    /// Look whether these games have ended.
    Look(TournamentId, Vec<Hex<32>>),
    /// Pause: all games were looked at.
    Rest,
}

/// The games that callers wait for.
#[derive(Clone, Default, Debug)]
pub struct PollState {
    /// Games that the queue may not know yet.
    unsent: BTreeMap<Place, AskedGame>,
    waiting: BTreeMap<Place, AskedGame>,
    /// The last game that was looked at since the last rest.
    looked: Option<Place>,
}

impl PollState {
    /// Adds a game that a caller waits for.
    pub fn want(&mut self, tournament: TournamentId, game: AskedGame) {
        self.unsent.insert((tournament, game.key), game);
    }

    /// Whether no caller waits for a game.
    pub fn is_idle(&self) -> bool {
        self.unsent.is_empty() && self.waiting.is_empty()
    }

    /// What to ask next. The same question again until it is answered.
    pub fn question(&mut self) -> Question {
        if let Some(((tournament, _), _)) = self.unsent.first_key_value() {
            let own = self.unsent.iter().take_while(|((of, _), _)| of == tournament).take(GAMES_OF_A_CALL_MAX);
            return Question::Ask(tournament.clone(), own.map(|(_, game)| game.clone()).collect());
        }
        let after = |place: &Place| self.looked.as_ref().is_none_or(|looked| place > looked);
        let mut left = self.waiting.keys().filter(|place| after(place)).peekable();
        let Some((tournament, _)) = left.peek().copied() else {
            self.looked = None;
            return Question::Rest;
        };
        let own = left.take_while(|(of, _)| of == tournament).take(GAMES_OF_A_CALL_MAX);
        Question::Look(tournament.clone(), own.map(|(_, key)| *key).collect())
    }

    /// Notes that the queue knows these games.
    pub fn asked(&mut self, tournament: &TournamentId, games: &[AskedGame]) {
        for game in games {
            if let Some((place, game)) = self.unsent.remove_entry(&(tournament.clone(), game.key)) {
                self.waiting.insert(place, game);
            }
        }
    }

    /// Notes that these games were looked at. Of the ends found, returns those that a caller waits for.
    pub fn looked(&mut self, tournament: &TournamentId, keys: &[Hex<32>], ends: Vec<GameEnd>) -> Vec<GameEnd> {
        self.looked = keys.last().map(|key| (tournament.clone(), *key));
        ends.into_iter().filter(|end| self.waiting.remove(&(tournament.clone(), end.key)).is_some()).collect()
    }

    /// Asks for every game once more: a queue that was restored may have forgotten some.
    pub fn ask_again(&mut self) {
        self.unsent.append(&mut self.waiting);
        self.looked = None;
    }
}
