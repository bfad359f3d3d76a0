//! The index of games.

use arena_record::EntrantId;
use async_trait::async_trait;

use super::MemoryStore;
use crate::games::checked;
use crate::{GameError, GamesIndex, IndexedGame, Page, StoreError, TournamentId};

#[async_trait]
impl GamesIndex for MemoryStore {
    async fn reindex(&self, tournament: &TournamentId, games: &[IndexedGame]) -> Result<(), GameError> {
        checked(games)?;
        let games = games.iter().map(|game| (game.number, game.clone())).collect();
        self.state()?.games.insert(tournament.clone(), games);
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

    async fn games_in(
        &self,
        tournament: &TournamentId,
        entrant: &EntrantId,
        page: Page<u32>,
    ) -> Result<Vec<IndexedGame>, StoreError> {
        let state = self.state()?;
        let games = state.games.get(tournament).into_iter().flat_map(|games| games.values());
        let theirs = games.filter(|game| game.entrants.values().contains(entrant)).cloned();
        Ok(page.of(theirs, |game, after| game.number > *after))
    }
}
