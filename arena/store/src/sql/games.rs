//! The index of games in tables: one row for each game, and one for each of its seats.

use std::collections::BTreeMap;

use arena_record::{EntrantId, OutcomeRecord};
use arena_rules::BySeat;

use super::columns::{Row, Value, list, values};
use super::connection::{Connection, insert, query};
use crate::error::{Damage, Result};
use crate::games::checked;
use crate::{
    BotId, GameError, GameResult, IndexedGame, Order, Page, PlayedGame, Player, Removed, Results, Store, StoreError,
    TournamentId, UnixSeconds, Which,
};

/// Rows of one insert: two statements and some hundred kilobytes at a time.
const ROWS_PER_INSERT: usize = 500;

/// The columns of [`GameRow`] for a game `g`. Seats are aggregated into one value: separate rows would be decoded one
/// by one.
macro_rules! game_columns {
    () => {
        "g.number, g.winner, g.reason, g.digest, g.path,
         (select string_agg(s.entrant || ' ' || s.tally, ',' order by s.seat) from game_seats s
          where s.tournament = g.tournament and s.number = g.number)"
    };
}

/// Games `g`, with the rest of the statement.
macro_rules! select_games {
    ($($rest:expr),+ $(,)?) => {
        concat!("select ", game_columns!(), " from games g ", $($rest),+)
    };
}

/// The columns of `game_columns`.
type GameColumns = (u32, Option<u8>, String, Vec<u8>, String, String);

/// The place of the tournament in the list, the player's id in the game, and the game.
type PlayedRow = (usize, EntrantId, u32, Option<u8>, String, Vec<u8>, String, String);

/// The index of games.
///
/// Indexing the same games again changes nothing. Of concurrent calls for one tournament, the games of one call remain,
/// never some of each.
impl Store {
    /// Replaces all games of a tournament in the index, in one step: readers see the old ones or the new ones. Other
    /// writes may wait meanwhile, up to some seconds for [`GAMES_PER_TOURNAMENT_MAX`](crate::GAMES_PER_TOURNAMENT_MAX)
    /// games.
    ///
    /// # Errors
    /// When these cannot be the games of one tournament.
    pub async fn reindex(&self, tournament: &TournamentId, games: &[IndexedGame]) -> Result<(), GameError> {
        checked(games)?;
        let mut writing = self.writing().await?;
        delete_games(&mut writing, tournament).await?;
        insert_games(&mut writing, tournament, games).await?;
        Ok(writing.commit().await?)
    }

    /// Removes all games of a tournament from the index, for good: in the same step they are noted as
    /// [gone](Store::gone_since). Does nothing if there are none.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn remove_games(&self, tournament: &TournamentId, now: UnixSeconds) -> Result<()> {
        let mut writing = self.writing().await?;
        if delete_games(&mut writing, tournament).await? > 0 {
            self.note_removed(&mut writing, &Removed::Games(tournament.clone()), now).await?;
        }
        writing.commit().await
    }

    /// How many games of a tournament are in the index.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn games_count(&self, tournament: &TournamentId) -> Result<usize> {
        query("select count(*) from games where tournament = $1")
            .bind(tournament)
            .fetch_value(&mut self.reader().await?)
            .await
    }

    /// The game of a tournament with this number; `None` if it is not indexed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn game(&self, tournament: &TournamentId, number: u32) -> Result<Option<IndexedGame>> {
        query(select_games!("where g.tournament = $1 and g.number = $2"))
            .with(values![tournament, number])
            .fetch_optional(&mut self.reader().await?)
            .await
    }

    /// The games of a tournament by number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn games(&self, tournament: &TournamentId, page: Page<u32>) -> Result<Vec<IndexedGame>> {
        query(select_games!("where g.tournament = $1 and g.number > $2 order by g.number limit $3"))
            .with(values![tournament, page.key(-1, i64::from), page.limit()])
            .fetch_all(&mut self.reader().await?)
            .await
    }

    /// The games of a tournament, the highest number first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn latest_games(&self, tournament: &TournamentId, page: Page<u32>) -> Result<Vec<IndexedGame>> {
        query(select_games!("where g.tournament = $1 and g.number < $2 order by g.number desc limit $3"))
            .with(values![tournament, page.key(i64::MAX, i64::from), page.limit()])
            .fetch_all(&mut self.reader().await?)
            .await
    }

    /// The games of some tournaments, each named once, in which a player had a seat. A page starts after a game, given
    /// by the place of its tournament in the list and its number; after a place beyond the list there is nothing.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn games_of(
        &self,
        player: &Player,
        among: &[TournamentId],
        which: &Which,
        order: Order,
        page: Page<(usize, u32)>,
    ) -> Result<Vec<PlayedGame>> {
        let after = page.key((None, None), |(place, number)| (i64::try_from(place).ok(), Some(i64::from(number))));
        let (ids, bot) = ids_of(player);
        let (others, other_bot) = which.opponent.as_ref().map(ids_of).unzip();
        // SQLite reads the tables of a cross join in the given order, so only the player's games of each tournament are
        // read. The condition on an opponent's id keeps it from looking up each of the opponent's ids, since games have
        // few seats.
        let rows: Vec<PlayedRow> = query(concat!(
            "with ids as (
               select value as id from json_each($1)
               union select entrant from versions where bot = $2 and state = 'accepted'
             ), own as (
               select t.key as place, s.tournament, s.number, min(s.entrant) as entrant
               from ids cross join json_each($3) t cross join game_seats s
               where s.entrant = ids.id and s.tournament = t.value and ($4 is null or s.seat = $4)
               group by t.key, s.tournament, s.number
             ), judged as (
               select own.place, own.tournament, own.number, own.entrant, case
                   when g.winner is null then 1
                   when w.entrant = own.entrant then 2
                   else 0
                 end as result
               from own join games g on g.tournament = own.tournament and g.number = own.number
               left join game_seats w on w.tournament = own.tournament and w.number = own.number and w.seat = g.winner
               where ($5 is null or g.reason = $5)
                 and ($6 is null or exists (select 1 from game_seats o
                   where o.tournament = own.tournament and o.number = own.number and o.entrant || '' in
                     (select value from json_each($6) union all select entrant from versions where bot = $7 and state = 'accepted')))
             ), placed as (
               select place, tournament, number, entrant,
                 case when $8 = 1 then 0 else result end as by_result, case when $8 = 1 then -number else number end as by_number
               from judged where ($9 is null or result = $9)
             ), page as (
               select * from placed where $11 is null or (by_result, place, by_number) >
                 (select by_result, place, by_number from placed where place = $10 and number = $11)
               order by by_result, place, by_number limit $12
             )
             select page.place, page.entrant, ",
            game_columns!(),
            " from page join games g on g.tournament = page.tournament and g.number = page.number
             order by page.by_result, page.place, page.by_number"
        ))
        .with(values![ids, bot, list(among)])
        .with(values![which.seat, which.reason.clone(), others, other_bot.flatten(), order == Order::Latest])
        .with(values![which.result.map(GameResult::rank), after.0, after.1, page.limit()])
        .fetch_all(&mut self.reader().await?)
        .await?;
        let played = |(place, entrant, number, winner, reason, digest, path, seats): PlayedRow| {
            let tournament = among.get(place).ok_or(Damage::Number(place as i64))?.clone();
            Ok(PlayedGame { tournament, entrant, game: Row::of((number, winner, reason, digest, path, seats))? })
        };
        rows.into_iter().map(played).collect()
    }

    /// The results of an entrant in the games of a tournament, by those who played them, too. A game of more than two
    /// seats counts for each of the others.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn results_of(
        &self,
        entrant: &EntrantId,
        tournament: &TournamentId,
    ) -> Result<BTreeMap<EntrantId, Results>> {
        let rows: Vec<(EntrantId, u32, u32, u32)> = query(
            "select other.entrant, count(*) filter (where g.winner = own.seat), count(*) filter (where g.winner is null),
               count(*) filter (where g.winner <> own.seat)
             from game_seats own
             join games g on g.tournament = own.tournament and g.number = own.number
             join game_seats other on other.tournament = own.tournament and other.number = own.number and other.seat <> own.seat
             where own.tournament = $1 and own.entrant = $2 group by other.entrant",
        )
        .with(values![tournament, entrant])
        .fetch_all(&mut self.reader().await?)
        .await?;
        Ok(rows.into_iter().map(|(other, won, drawn, lost)| (other, Results { won, drawn, lost })).collect())
    }

    /// The first of these tournaments in which an entrant had a seat.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn first_played(
        &self,
        entrant: &EntrantId,
        tournaments: &[TournamentId],
    ) -> Result<Option<TournamentId>> {
        let place: Option<usize> = query(
            "select id.key from json_each($1) id where exists
               (select 1 from game_seats where entrant = $2 and tournament = id.value) order by id.key limit 1",
        )
        .with(values![list(tournaments), entrant])
        .find_value(&mut self.reader().await?)
        .await?;
        Ok(place.and_then(|place| tournaments.get(place).cloned()))
    }
}

/// A list as a single parameter, so that the statement is prepared once for any length. Ids need no escapes.
/// The ids of a player, and the bot whose accepted versions are further ids.
fn ids_of(player: &Player) -> (String, Option<BotId>) {
    match player {
        Player::Ids(ids) => (list(ids), None),
        Player::Bot(bot) => (list([""; 0]), Some(*bot)),
    }
}

/// Removes all games of a tournament from the index, and returns their number.
async fn delete_games(writing: &mut Connection, tournament: &TournamentId) -> Result<u64> {
    query("delete from games where tournament = $1").bind(tournament).execute(writing).await
}

async fn insert_games(writing: &mut Connection, tournament: &TournamentId, games: &[IndexedGame]) -> Result<()> {
    for games in games.chunks(ROWS_PER_INSERT) {
        write(writing, GAMES, game_rows(tournament, games)).await?;
        write(writing, SEATS, seat_rows(tournament, games)).await?;
    }
    Ok(())
}

async fn write(writing: &mut Connection, into: &str, rows: Vec<Vec<Value>>) -> Result<()> {
    match insert(into, rows) {
        Some(insert) => insert.execute(writing).await.map(drop),
        None => Ok(()),
    }
}

const GAMES: &str = "insert into games (tournament, number, winner, reason, digest, path)";

fn game_rows(tournament: &TournamentId, games: &[IndexedGame]) -> Vec<Vec<Value>> {
    let row = |game: &IndexedGame| {
        let IndexedGame { number, outcome: OutcomeRecord { winner, reason, .. }, digest, path, .. } = game;
        values![tournament, *number, *winner, reason.as_str(), digest.as_slice(), path.as_str()].into()
    };
    games.iter().map(row).collect()
}

const SEATS: &str = "insert into game_seats (tournament, number, seat, entrant, tally)";

fn seat_rows(tournament: &TournamentId, games: &[IndexedGame]) -> Vec<Vec<Value>> {
    let mut rows = Vec::new();
    for game in games {
        for ((seat, entrant), tally) in game.entrants.iter().zip(&game.outcome.tally) {
            rows.push(values![tournament, game.number, seat.0, entrant, i64::from(*tally)].into());
        }
    }
    rows
}

impl Row for IndexedGame {
    type Columns = GameColumns;

    fn of((number, winner, reason, digest, path, seats): GameColumns) -> Result<IndexedGame> {
        let (mut entrants, mut tally) = (Vec::new(), Vec::new());
        for seat in seats.split(',') {
            let (entrant, cells) = seat.split_once(' ').ok_or(Damage::Seats)?;
            entrants.push(entrant.parse::<EntrantId>().map_err(StoreError::damaged)?);
            tally.push(cells.parse().map_err(StoreError::damaged)?);
        }
        Ok(IndexedGame {
            number,
            entrants: BySeat::from(entrants),
            outcome: OutcomeRecord { winner, reason, tally },
            digest: digest.try_into().map_err(|digest: Vec<u8>| Damage::Digest(digest.len()))?,
            path,
        })
    }
}
