//! Who is behind the ids that records carry, and where a bot's games of one tournament are.

use arena_record::EntrantId;

use crate::error::{Database, number};
use crate::games::{GameRow, folded, game_columns};
use crate::{AccountId, BotName, IndexedGame, Page, Store, StoreError, TournamentId};

/// A version of a bot, as people call it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedVersion {
    /// The bot.
    pub name: BotName,
    /// The version's number, from 1.
    pub number: u32,
    /// Whose bot it is.
    pub account: AccountId,
}

impl Store {
    /// The bot with these bytes. Of several it is the one that was accepted with them first: whoever copied them came
    /// later.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn named(&self, entrant: &EntrantId) -> Result<Option<NamedVersion>, StoreError> {
        let row: Option<(String, i64, i64)> = sqlx::query_as(
            "select b.name, v.number, b.account from versions v join bots b on b.id = v.bot
             where v.entrant = $1 and v.state = 'accepted' order by v.submitted_at, v.bot, v.number limit 1",
        )
        .bind(entrant.as_str().to_owned())
        .fetch_optional(&mut *self.reader().await?)
        .await
        .stored()?;
        row.map(|(name, version, account)| {
            Ok(NamedVersion { name: BotName::stored(name), number: number(version)?, account: AccountId(account) })
        })
        .transpose()
    }

    /// The games of a tournament in which an entrant had a seat, by number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn games_in(
        &self,
        tournament: &TournamentId,
        entrant: &EntrantId,
        page: Page<u32>,
    ) -> Result<Vec<IndexedGame>, StoreError> {
        let limit = page.limit();
        let rows: Vec<GameRow> = sqlx::query_as(concat!(
            "select ",
            game_columns!(),
            " from (select distinct tournament, number from game_seats
                    where entrant = $1 and tournament = $2 and number > $3 order by number limit $4) k
             join games g on g.tournament = k.tournament and g.number = k.number
             join game_seats s on s.tournament = g.tournament and s.number = g.number
             order by g.number, s.seat"
        ))
        .bind(entrant.as_str().to_owned())
        .bind(tournament.as_str())
        .bind(page.key(-1, i64::from))
        .bind(limit)
        .fetch_all(&mut *self.reader().await?)
        .await
        .stored()?;
        Ok(folded(rows)?.into_iter().map(|(_, game)| game).collect())
    }
}
