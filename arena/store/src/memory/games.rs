//! The index of games.

use arena_record::EntrantId;
use async_trait::async_trait;

use super::MemoryStore;
use crate::games::checked;
use crate::{
    GameError, GameResult, GamesIndex, IndexedGame, Page, Removed, StoreError, TournamentId, UnixSeconds, Which,
};

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

    async fn games_of(
        &self,
        tournament: &TournamentId,
        entrant: &EntrantId,
        which: &Which,
        page: Page<(GameResult, u32)>,
    ) -> Result<Vec<IndexedGame>, StoreError> {
        let state = self.state()?;
        let games = state.games.get(tournament).into_iter().flat_map(|games| games.values());
        let mut theirs: Vec<IndexedGame> = games.filter(|game| game.is_one(entrant, which)).cloned().collect();
        let key = |game: &IndexedGame| (game.result_of(entrant), game.number);
        theirs.sort_by_key(key);
        Ok(page.of(theirs.into_iter(), |game, after| key(game) > *after))
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
