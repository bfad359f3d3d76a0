//! The index of played games. The folders of tournaments are authoritative; the index says which of them a game is in.

use std::path::{Component, Path};

use arena_record::{Digest, EntrantId, OutcomeRecord, Record};
use arena_rules::BySeat;

use crate::{BotId, GAMES_PER_TOURNAMENT_MAX, StoreError, TournamentId};

/// The longest path of a tournament's folder, in bytes.
const PATH_BYTES_MAX: usize = 512;

/// A game of a tournament, with what lists show of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexedGame {
    /// Its number in the schedule.
    pub number: u32,
    /// Who played, by seat.
    pub entrants: BySeat<EntrantId>,
    /// How it ended.
    pub outcome: OutcomeRecord,
    /// The digest of its record.
    pub digest: Digest,
    /// The folder of its tournament, relative to the folder of all tournaments, with `/` between the parts.
    pub path: String,
}

impl IndexedGame {
    /// The game of a record that is kept in the folder `path`.
    pub fn new(number: u32, record: &Record, path: impl Into<String>) -> IndexedGame {
        IndexedGame {
            number,
            entrants: BySeat::from(record.header.entrants.clone()),
            outcome: record.outcome.clone(),
            digest: record.digest.0,
            path: path.into(),
        }
    }
}

/// The result of a game for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GameResult {
    /// Another seat won.
    Lost,
    /// Nobody won.
    Drawn,
    /// It won.
    Won,
}

impl GameResult {
    /// Its place in the order of lists.
    pub(crate) fn rank(self) -> i64 {
        match self {
            GameResult::Lost => 0,
            GameResult::Drawn => 1,
            GameResult::Won => 2,
        }
    }
}

/// A player's results, counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Results {
    /// Games it won.
    pub won: u32,
    /// Games that nobody won.
    pub drawn: u32,
    /// Games that another seat won.
    pub lost: u32,
}

/// A player of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Player {
    /// Any of these ids.
    Ids(Vec<EntrantId>),
    /// A bot, as all of its versions that were ever accepted.
    Bot(BotId),
}

/// Selects games of a player. By default all of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Which {
    /// Games in which this player had a seat, too.
    pub opponent: Option<Player>,
    /// Those in which the player had this seat.
    pub seat: Option<u8>,
    /// Games with this result for the player.
    pub result: Option<GameResult>,
    /// Games that ended for this reason, such as `forfeit`.
    pub reason: Option<String>,
}

/// The order of a list of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Lost games, then draws, then won games; within each in the order of tournaments, then by number.
    #[default]
    LostFirst,
    /// In the order of tournaments, then by number, the highest first.
    Latest,
}

/// A game of one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// Its tournament.
    pub tournament: TournamentId,
    /// The id under which the player played it: the first of its ids, if it had several seats.
    pub entrant: EntrantId,
    /// The game.
    pub game: IndexedGame,
}

impl PlayedGame {
    /// The result for the player.
    pub fn result(&self) -> GameResult {
        self.game.result_of(&self.entrant)
    }
}

impl IndexedGame {
    /// The result for an entrant that played it.
    pub fn result_of(&self, entrant: &EntrantId) -> GameResult {
        match self.outcome.winner {
            None => GameResult::Drawn,
            Some(winner) if self.entrants.values().get(usize::from(winner)) == Some(entrant) => GameResult::Won,
            Some(_) => GameResult::Lost,
        }
    }
}

/// Why games were not indexed. The index is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// More games than a tournament may have.
    #[error("{0} games are more than the {GAMES_PER_TOURNAMENT_MAX} a tournament may have")]
    TooManyGames(usize),
    /// Two games have the same number.
    #[error("two games have the number {0}")]
    Twice(u32),
    /// Entrants and tally have different numbers of seats.
    #[error("game {0} has a tally for other seats than its entrants'")]
    Seats(u32),
    /// A path that could lead out of the folder, or is too long.
    #[error("game {0} has a path that is not one in the folder of tournaments")]
    Path(u32),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Checks that these can be all games of one tournament.
pub(crate) fn checked(games: &[IndexedGame]) -> Result<(), GameError> {
    if games.len() > GAMES_PER_TOURNAMENT_MAX {
        return Err(GameError::TooManyGames(games.len()));
    }
    games.iter().try_for_each(checked_game)?;
    let mut numbers: Vec<u32> = games.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    let twice = numbers.windows(2).find(|pair| pair[0] == pair[1]);
    twice.map_or(Ok(()), |twice| Err(GameError::Twice(twice[0])))
}

fn checked_game(game: &IndexedGame) -> Result<(), GameError> {
    if game.outcome.tally.len() != usize::from(game.entrants.seats()) {
        return Err(GameError::Seats(game.number));
    }
    let mut parts = Path::new(&game.path).components();
    let inside = parts.all(|part| matches!(part, Component::Normal(_)));
    if !inside || game.path.is_empty() || game.path.len() > PATH_BYTES_MAX {
        return Err(GameError::Path(game.number));
    }
    Ok(())
}
