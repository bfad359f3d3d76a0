//! The index of games.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::EntrantId;
use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::games::checked;
use crate::{
    GameError, GamesIndex, IndexedGame, Order, Page, PlayedGame, Player, Removed, Results, StoreError, TournamentId,
    UnixSeconds, VersionState, Which,
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

#[async_trait]
impl GamesIndex for MemoryStore {
    async fn reindex(&self, tournament: &TournamentId, games: &[IndexedGame]) -> Result<(), GameError> {
        checked(games)?;
        let games = games.iter().map(|game| (game.number, game.clone())).collect();
        self.state()?.games.insert(tournament.clone(), games);
        Ok(())
    }

    async fn remove_games(&self, tournament: &TournamentId, now: UnixSeconds) -> Result<(), StoreError> {
        let mut state = self.state()?;
        if state.games.remove(tournament).is_some_and(|games| !games.is_empty()) {
            state.note_removed(Removed::Games(tournament.clone()), now, &self.limits);
        }
        Ok(())
    }

    async fn games_count(&self, tournament: &TournamentId) -> Result<usize, StoreError> {
        Ok(self.state()?.games.get(tournament).map_or(0, |games| games.len()))
    }

    async fn game(&self, tournament: &TournamentId, number: u32) -> Result<Option<IndexedGame>, StoreError> {
        Ok(self.state()?.games.get(tournament).and_then(|games| games.get(&number)).cloned())
    }

    async fn games(&self, tournament: &TournamentId, page: Page<u32>) -> Result<Vec<IndexedGame>, StoreError> {
        let state = self.state()?;
        let games = state.games.get(tournament).into_iter().flat_map(|games| games.values().cloned());
        Ok(page.of(games, |game, after| game.number > *after))
    }

    async fn latest_games(&self, tournament: &TournamentId, page: Page<u32>) -> Result<Vec<IndexedGame>, StoreError> {
        let state = self.state()?;
        let games = state.games.get(tournament).into_iter().flat_map(|games| games.values().rev().cloned());
        Ok(page.of(games, |game, after| game.number < *after))
    }

    async fn games_of(
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
        Ok(page.of(theirs.into_iter(), follows).into_iter().map(|(_, played)| played).collect())
    }

    async fn results_of(
        &self,
        entrant: &EntrantId,
        tournament: &TournamentId,
    ) -> Result<BTreeMap<EntrantId, Results>, StoreError> {
        let state = self.state()?;
        let mut results: BTreeMap<EntrantId, Results> = BTreeMap::new();
        for game in state.games.get(tournament).into_iter().flat_map(|games| games.values()) {
            for (own, _) in game.entrants.iter().filter(|(_, seated)| *seated == entrant) {
                for (_, other) in game.entrants.iter().filter(|(seat, _)| *seat != own) {
                    let results = results.entry(other.clone()).or_default();
                    match game.outcome.winner {
                        None => results.drawn += 1,
                        Some(winner) if winner == own.0 => results.won += 1,
                        Some(_) => results.lost += 1,
                    }
                }
            }
        }
        Ok(results)
    }

    async fn first_played(
        &self,
        entrant: &EntrantId,
        tournaments: &[TournamentId],
    ) -> Result<Option<TournamentId>, StoreError> {
        let state = self.state()?;
        let plays = |tournament: &&TournamentId| {
            let mut games = state.games.get(tournament).into_iter().flat_map(|games| games.values());
            games.any(|game| game.entrants.values().contains(entrant))
        };
        Ok(tournaments.iter().find(plays).cloned())
    }
}
