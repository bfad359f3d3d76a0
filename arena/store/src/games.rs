//! The index of played games. The folders of tournaments are the truth; this says where in them a game is.

use std::path::{Component, Path};

use arena_record::{Digest, EntrantId, OutcomeRecord, Record};
use arena_rules::BySeat;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::error::{Database, number};
use crate::{GAMES_PER_TOURNAMENT_MAX, Page, Store, StoreError, TournamentId};

/// Rows of one statement: two statements and some hundred kilobytes at a time.
const ROWS_PER_INSERT: usize = 500;

/// The longest path of a record, in bytes.
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
    /// The file of its record, relative to the folder of all tournaments, with `/` between the parts.
    pub path: String,
}

impl IndexedGame {
    /// The game of a record that is kept at `path`.
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
    #[error("game {0} has a path that is not one of a file in the folder of tournaments")]
    Path(u32),
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The columns of [`GameRow`], of a game `g` and a seat `s` of it.
macro_rules! game_columns {
    () => {
        "g.tournament, g.number, g.winner, g.reason, g.digest, g.path, s.entrant, s.tally"
    };
}
pub(crate) use game_columns;

fn checked(game: &IndexedGame) -> Result<(), GameError> {
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

impl Store {
    /// Replaces all games of a tournament in the index, in one step: readers see the old ones or the new ones. Other
    /// writes wait meanwhile, up to some seconds for [`GAMES_PER_TOURNAMENT_MAX`] games: meant for when a server
    /// starts. While a tournament is played, [`Store::index_game`] follows it.
    ///
    /// # Errors
    /// When the games cannot be those of one tournament.
    pub async fn reindex(&self, tournament: &TournamentId, games: &[IndexedGame]) -> Result<(), GameError> {
        if games.len() > GAMES_PER_TOURNAMENT_MAX {
            return Err(GameError::TooManyGames(games.len()));
        }
        games.iter().try_for_each(checked)?;
        let mut numbers: Vec<u32> = games.iter().map(|game| game.number).collect();
        numbers.sort_unstable();
        if let Some(twice) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(GameError::Twice(twice[0]));
        }
        let mut writing = self.writing().await?;
        sqlx::query("delete from games where tournament = $1")
            .bind(tournament.as_str())
            .execute(&mut *writing)
            .await
            .stored()?;
        insert(&mut writing, tournament, games).await?;
        Ok(writing.commit().await.stored()?)
    }

    /// Adds one game to the index, or replaces it: what the folder says now is what counts.
    ///
    /// # Errors
    /// When it cannot be a game of a tournament.
    pub async fn index_game(&self, tournament: &TournamentId, game: &IndexedGame) -> Result<(), GameError> {
        checked(game)?;
        let mut writing = self.writing().await?;
        sqlx::query("delete from games where tournament = $1 and number = $2")
            .bind(tournament.as_str())
            .bind(i64::from(game.number))
            .execute(&mut *writing)
            .await
            .stored()?;
        insert(&mut writing, tournament, std::slice::from_ref(game)).await?;
        Ok(writing.commit().await.stored()?)
    }

    /// How many games of a tournament are in the index.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn games_count(&self, tournament: &TournamentId) -> Result<usize, StoreError> {
        let (count,): (i64,) = sqlx::query_as("select count(*) from games where tournament = $1")
            .bind(tournament.as_str())
            .fetch_one(&mut *self.reader().await?)
            .await
            .stored()?;
        number(count)
    }

    /// A game.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn game(&self, tournament: &TournamentId, number: u32) -> Result<Option<IndexedGame>, StoreError> {
        let rows = sqlx::query_as(concat!(
            "select ",
            game_columns!(),
            " from games g join game_seats s on s.tournament = g.tournament and s.number = g.number
             where g.tournament = $1 and g.number = $2 order by s.seat"
        ))
        .bind(tournament.as_str())
        .bind(i64::from(number))
        .fetch_all(&mut *self.reader().await?)
        .await;
        Ok(folded(rows.stored()?)?.pop().map(|(_, game)| game))
    }

    /// The games of a tournament by number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn games(&self, tournament: &TournamentId, page: Page<u32>) -> Result<Vec<IndexedGame>, StoreError> {
        let limit = page.limit();
        let rows = sqlx::query_as(concat!(
            "select ",
            game_columns!(),
            " from (select * from games where tournament = $1 and number > $2 order by number limit $3) g
             join game_seats s on s.tournament = g.tournament and s.number = g.number order by g.number, s.seat"
        ))
        .bind(tournament.as_str())
        .bind(page.key(-1, i64::from))
        .bind(limit)
        .fetch_all(&mut *self.reader().await?)
        .await;
        Ok(folded(rows.stored()?)?.into_iter().map(|(_, game)| game).collect())
    }

    /// The games in which an entrant had a seat, by tournament and number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn games_of(
        &self,
        entrant: &EntrantId,
        page: Page<(TournamentId, u32)>,
    ) -> Result<Vec<(TournamentId, IndexedGame)>, StoreError> {
        let limit = page.limit();
        let (tournament, number) =
            page.key((String::new(), -1), |(id, number)| (id.as_str().into(), i64::from(number)));
        let rows = sqlx::query_as(concat!(
            "select ",
            game_columns!(),
            " from (select distinct tournament, number from game_seats
                    where entrant = $1 and (tournament, number) > ($2, $3) order by tournament, number limit $4) k
             join games g on g.tournament = k.tournament and g.number = k.number
             join game_seats s on s.tournament = g.tournament and s.number = g.number
             order by g.tournament, g.number, s.seat"
        ))
        .bind(entrant.as_str().to_owned())
        .bind(tournament)
        .bind(number)
        .bind(limit)
        .fetch_all(&mut *self.reader().await?)
        .await;
        folded(rows.stored()?)
    }
}

async fn insert(
    writing: &mut SqliteConnection,
    tournament: &TournamentId,
    games: &[IndexedGame],
) -> Result<(), StoreError> {
    for games in games.chunks(ROWS_PER_INSERT) {
        let mut rows =
            QueryBuilder::<Sqlite>::new("insert into games (tournament, number, winner, reason, digest, path) ");
        rows.push_values(games, |mut row, game| {
            row.push_bind(tournament.as_str())
                .push_bind(i64::from(game.number))
                .push_bind(game.outcome.winner.map(i64::from))
                .push_bind(game.outcome.reason.as_str())
                .push_bind(game.digest.as_slice())
                .push_bind(game.path.as_str());
        });
        rows.build().persistent(false).execute(&mut *writing).await.stored()?;
        let seats = games.iter().flat_map(|game| {
            let tally = game.outcome.tally.iter();
            game.entrants.iter().zip(tally).map(move |((seat, entrant), tally)| (game.number, seat, entrant, *tally))
        });
        let mut rows =
            QueryBuilder::<Sqlite>::new("insert into game_seats (tournament, number, seat, entrant, tally) ");
        rows.push_values(seats, |mut row, (number, seat, entrant, tally)| {
            row.push_bind(tournament.as_str())
                .push_bind(i64::from(number))
                .push_bind(i64::from(seat.0))
                .push_bind(entrant.as_str())
                .push_bind(i64::from(tally));
        });
        rows.build().persistent(false).execute(&mut *writing).await.stored()?;
    }
    Ok(())
}

/// A seat of a game as [`game_columns`] has it.
pub(crate) type GameRow = (String, i64, Option<i64>, String, Vec<u8>, String, String, i64);

/// Games from rows, of which there is one per seat, in the order of games and seats.
pub(crate) fn folded(rows: Vec<GameRow>) -> Result<Vec<(TournamentId, IndexedGame)>, StoreError> {
    let mut games: Vec<(TournamentId, IndexedGame, Vec<EntrantId>)> = Vec::new();
    for (tournament, game, winner, reason, digest, path, entrant, tally) in rows {
        let game = number(game)?;
        let same = games.last().is_some_and(|(id, last, _)| last.number == game && id.as_str() == tournament);
        if !same {
            let winner = winner.map(number).transpose()?;
            let outcome = OutcomeRecord { winner, reason, tally: Vec::new() };
            let digest = digest.try_into().map_err(|_| StoreError::damaged("a digest of another length"))?;
            let entrants = BySeat::from(Vec::new());
            let indexed = IndexedGame { number: game, entrants, outcome, digest, path };
            games.push((TournamentId::stored(tournament), indexed, Vec::new()));
        }
        if let Some((_, last, entrants)) = games.last_mut() {
            entrants.push(entrant.parse().map_err(StoreError::damaged)?);
            last.outcome.tally.push(number(tally)?);
        }
    }
    let whole = |(id, game, entrants)| (id, IndexedGame { entrants: BySeat::from(entrants), ..game });
    Ok(games.into_iter().map(whole).collect())
}
