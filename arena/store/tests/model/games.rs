//! The index of games.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::EntrantId;

use super::{Model, State, paged};
use crate::games::checked;
use crate::{
    GameError, IndexedGame, Order, Page, PlayedGame, Player, Removed, StoreError, TournamentId, UnixSeconds,
    VersionState, Which,
};

impl State {
    /// The ids of a player.
    fn ids_of(&self, player: &Player) -> BTreeSet<EntrantId> {
        match player {
            Player::Ids(ids) => ids.iter().cloned().collect(),
            Player::Bot(bot) => {
                let versions = self.bots.get(bot).into_iter().flat_map(|bot| &bot.versions);
                let accepted = versions.filter(|version| version.state == VersionState::Accepted);
                accepted.map(|version| version.entrant.clone()).collect()
            }
        }
    }
}

impl IndexedGame {
    /// The id, among these, under which a player played the game; if `others` matter, only if one of them played it,
    /// too.
    fn played_by(&self, ids: &BTreeSet<EntrantId>, others: &BTreeSet<EntrantId>, which: &Which) -> Option<&EntrantId> {
        let own = self.entrants.iter().filter(|(_, entrant)| ids.contains(entrant));
        let own = own.filter(|(seat, _)| which.seat.is_none_or(|wanted| wanted == seat.0));
        own.map(|(_, entrant)| entrant).min().filter(|entrant| {
            (which.opponent.is_none() || self.entrants.values().iter().any(|other| others.contains(other)))
                && which.result.is_none_or(|result| result == self.result_of(entrant))
                && which.reason.as_ref().is_none_or(|reason| *reason == self.outcome.reason)
        })
    }
}

impl Model {
    pub(crate) async fn reindex(&self, tournament: &TournamentId, games: &[IndexedGame]) -> Result<(), GameError> {
        checked(games)?;
        let games = games.iter().map(|game| (game.number, game.clone())).collect();
        self.state()?.games.insert(tournament.clone(), games);
        Ok(())
    }

    pub(crate) async fn remove_games(&self, tournament: &TournamentId, now: UnixSeconds) -> Result<(), StoreError> {
        let mut state = self.state()?;
        if state.games.remove(tournament).is_some_and(|games| !games.is_empty()) {
            state.note_removed(Removed::Games(tournament.clone()), now, &self.limits);
        }
        Ok(())
    }

    pub(crate) async fn games_count(&self, tournament: &TournamentId) -> Result<usize, StoreError> {
        Ok(self.state()?.games.get(tournament).map_or(0, |games| games.len()))
    }

    pub(crate) async fn game(&self, tournament: &TournamentId, number: u32) -> Result<Option<IndexedGame>, StoreError> {
        Ok(self.state()?.games.get(tournament).and_then(|games| games.get(&number)).cloned())
    }

    pub(crate) async fn games(
        &self,
        tournament: &TournamentId,
        page: Page<u32>,
    ) -> Result<Vec<IndexedGame>, StoreError> {
        let state = self.state()?;
        let games = state.games.get(tournament).into_iter().flat_map(|games| games.values().cloned());
        Ok(paged(page, games, |game, after| game.number > *after))
    }

    pub(crate) async fn latest_games(
        &self,
        tournament: &TournamentId,
        page: Page<u32>,
    ) -> Result<Vec<IndexedGame>, StoreError> {
        let state = self.state()?;
        let games = state.games.get(tournament).into_iter().flat_map(|games| games.values().rev().cloned());
        Ok(paged(page, games, |game, after| game.number < *after))
    }

    pub(crate) async fn games_of(
        &self,
        player: &Player,
        among: &[TournamentId],
        which: &Which,
        order: Order,
        page: Page<(usize, u32)>,
    ) -> Result<Vec<PlayedGame>, StoreError> {
        let state = self.state()?;
        let ids = state.ids_of(player);
        let others = which.opponent.as_ref().map(|opponent| state.ids_of(opponent)).unwrap_or_default();
        let mut theirs = BTreeMap::new();
        let mut keys = BTreeMap::new();
        for (place, tournament) in among.iter().enumerate() {
            for game in state.games.get(tournament).into_iter().flat_map(|games| games.values()) {
                let Some(entrant) = game.played_by(&ids, &others, which) else { continue };
                let key = match order {
                    Order::LostFirst => (game.result_of(entrant).rank(), place, i64::from(game.number)),
                    Order::Latest => (0, place, -i64::from(game.number)),
                };
                keys.insert((place, game.number), key);
                let (tournament, entrant, game) = (tournament.clone(), entrant.clone(), game.clone());
                theirs.insert(key, PlayedGame { tournament, entrant, game });
            }
        }
        let follows =
            |(key, _): &(_, PlayedGame), after: &(usize, u32)| keys.get(after).is_some_and(|after| key > after);
        Ok(paged(page, theirs.into_iter(), follows).into_iter().map(|(_, played)| played).collect())
    }
}
