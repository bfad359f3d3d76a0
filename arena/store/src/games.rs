//! The index of played games. The folders of tournaments are the truth; this says in which of them a game is.

use std::path::{Component, Path};

use arena_record::{Digest, EntrantId, OutcomeRecord, Record};
use arena_rules::BySeat;
use async_trait::async_trait;

use crate::{GAMES_PER_TOURNAMENT_MAX, Page, StoreError, TournamentId, UnixSeconds};

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

/// Which games of an entrant. By default all of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Which {
    /// Those in which this one had a seat, too.
    pub opponent: Option<EntrantId>,
    /// Those in which the entrant had this seat.
    pub seat: Option<u8>,
    /// Those that came to this for the entrant.
    pub result: Option<GameResult>,
    /// Those that ended so, such as `forfeit`.
    pub reason: Option<String>,
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

    /// Whether the game is one of these of an entrant.
    pub(crate) fn is_one(&self, entrant: &EntrantId, which: &Which) -> bool {
        let mut seats = self.entrants.iter().filter(|(_, other)| *other == entrant).map(|(seat, _)| seat.0);
        seats.any(|seat| which.seat.is_none_or(|wanted| wanted == seat))
            && which.opponent.as_ref().is_none_or(|opponent| self.entrants.values().contains(opponent))
            && which.result.is_none_or(|result| result == self.result_of(entrant))
            && which.reason.as_ref().is_none_or(|reason| *reason == self.outcome.reason)
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

    /// The games of a tournament in which an entrant had a seat: those that it lost come first, then draws, then those that
    /// it won, each by number. A page starts after a result and a number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn games_of(
        &self,
        tournament: &TournamentId,
        entrant: &EntrantId,
        which: &Which,
        page: Page<(GameResult, u32)>,
    ) -> Result<Vec<IndexedGame>, StoreError>;

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
