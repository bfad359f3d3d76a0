//! The index of played games. The folders of tournaments are the truth; this says in which of them a game is.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use arena_record::{Digest, EntrantId, OutcomeRecord, Record};
use arena_rules::BySeat;
use async_trait::async_trait;

use crate::{BotId, GAMES_PER_TOURNAMENT_MAX, Page, StoreError, TournamentId, UnixSeconds};

/// The longest path of a tournament's folder, in bytes.
const PATH_BYTES_MAX: usize = 512;

/// A game of a tournament, as far as lists show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexedGame {
    /// Its number in the schedule.
    pub number: u32,
    /// Who played, by seat.
    pub entrants: BySeat<EntrantId>,
    /// How it ended.
    pub outcome: OutcomeRecord,
    /// The digest of what was played.
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

/// What a game came to for somebody who played it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GameResult {
    /// Somebody else won.
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

/// Whose games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Player {
    /// Those of these ids.
    Ids(Vec<EntrantId>),
    /// Those of all versions of a bot that were accepted.
    Bot(BotId),
}

/// Which games of a player. By default all of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Which {
    /// Those in which this one had a seat, too.
    pub opponent: Option<Player>,
    /// Those in which the player had this seat.
    pub seat: Option<u8>,
    /// Those that came to this for the player.
    pub result: Option<GameResult>,
    /// Those that ended so, such as `forfeit`.
    pub reason: Option<String>,
}

/// The order of a list of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Those that were lost, then draws, then those that were won; of each the first tournaments come first, and of these the lowest
    /// numbers.
    #[default]
    LostFirst,
    /// The first tournaments come first, and of these the highest numbers.
    Latest,
}

/// A game of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// Its tournament.
    pub tournament: TournamentId,
    /// As whom the player played it: the first of its ids, if it had several seats.
    pub entrant: EntrantId,
    /// The game.
    pub game: IndexedGame,
}

impl PlayedGame {
    /// What the game came to for the player.
    pub fn result(&self) -> GameResult {
        self.game.result_of(&self.entrant)
    }
}

impl IndexedGame {
    /// What the game came to for an entrant that played it.
    pub fn result_of(&self, entrant: &EntrantId) -> GameResult {
        match self.outcome.winner {
            None => GameResult::Drawn,
            Some(winner) if self.entrants.values().get(usize::from(winner)) == Some(entrant) => GameResult::Won,
            Some(_) => GameResult::Lost,
        }
    }

    /// As whom somebody with these ids played the game, if it is one of these: with somebody of `others`, where the opponent matters.
    pub(crate) fn played_by(
        &self,
        ids: &BTreeSet<EntrantId>,
        others: &BTreeSet<EntrantId>,
        which: &Which,
    ) -> Option<&EntrantId> {
        let own = self.entrants.iter().filter(|(_, entrant)| ids.contains(entrant));
        let own = own.filter(|(seat, _)| which.seat.is_none_or(|wanted| wanted == seat.0));
        own.map(|(_, entrant)| entrant).min().filter(|entrant| {
            (which.opponent.is_none() || self.entrants.values().iter().any(|other| others.contains(other)))
                && which.result.is_none_or(|result| result == self.result_of(entrant))
                && which.reason.as_ref().is_none_or(|reason| *reason == self.outcome.reason)
        })
    }
}

/// Why games are not indexed. The index is as before.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// More than a tournament may have.
    #[error("{0} games are more than the {GAMES_PER_TOURNAMENT_MAX} a tournament may have")]
    TooManyGames(usize),
    /// Two games have one number.
    #[error("two games have the number {0}")]
    Twice(u32),
    /// Entrants and tally have different numbers of seats.
    #[error("game {0} has a tally for other seats than its entrants'")]
    Seats(u32),
    /// A path that could lead out of the folder, or is too long.
    #[error("game {0} has a path that is not one in the folder of tournaments")]
    Path(u32),
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The index of games.
///
/// Indexing the same games again changes nothing. Of concurrent calls for one tournament the games of one are there,
/// never some of each.
#[async_trait]
pub trait GamesIndex: Send + Sync + 'static {
    /// Replaces all games of a tournament in the index, in one step: readers see the old ones or the new ones. Other
    /// writes may wait meanwhile, up to some seconds for [`GAMES_PER_TOURNAMENT_MAX`] games.
    ///
    /// # Errors
    /// When the games cannot be those of one tournament.
    async fn reindex(&self, tournament: &TournamentId, games: &[IndexedGame]) -> Result<(), GameError>;

    /// Removes all games of a tournament from the index, for good: in the same step it is noted that they are
    /// [gone](crate::Gone). Nothing happens where there are none.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn remove_games(&self, tournament: &TournamentId, now: UnixSeconds) -> Result<(), StoreError>;

    /// How many games of a tournament are in the index.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn games_count(&self, tournament: &TournamentId) -> Result<usize, StoreError>;

    /// The game of this number in a tournament; `None` when it is not indexed.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn game(&self, tournament: &TournamentId, number: u32) -> Result<Option<IndexedGame>, StoreError>;

    /// The games of a tournament by number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn games(&self, tournament: &TournamentId, page: Page<u32>) -> Result<Vec<IndexedGame>, StoreError>;

    /// The games of some tournaments, each named once, in which a player had a seat. A page starts after the game of the tournament at a
    /// place with a number; after one that is not in the list comes nothing.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn games_of(
        &self,
        player: &Player,
        among: &[TournamentId],
        which: &Which,
        order: Order,
        page: Page<(usize, u32)>,
    ) -> Result<Vec<PlayedGame>, StoreError>;

    /// The first of some tournaments in which an entrant had a seat.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn first_played(
        &self,
        entrant: &EntrantId,
        tournaments: &[TournamentId],
    ) -> Result<Option<TournamentId>, StoreError>;
}

/// Whether these can be all games of one tournament.
pub(crate) fn checked(games: &[IndexedGame]) -> Result<(), GameError> {
    if games.len() > GAMES_PER_TOURNAMENT_MAX {
        return Err(GameError::TooManyGames(games.len()));
    }
    games.iter().try_for_each(checked_game)?;
    let mut numbers: Vec<u32> = games.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    match numbers.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(twice) => Err(GameError::Twice(twice[0])),
        None => Ok(()),
    }
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
