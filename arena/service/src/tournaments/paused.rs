//! Open folders of tournaments, kept between their turns.

use std::cmp::Reverse;

use arena_store::ContestId;

use crate::limits::PAUSED_FOLDERS_MAX;

/// Folders of tournaments that wait for their next turn. They stay open because opening one replays its games by the
/// rules.
pub(super) struct Paused<T>(Vec<(ContestId, usize, T)>);

impl<T> Paused<T> {
    pub(super) fn new() -> Paused<T> {
        Paused(Vec::new())
    }

    /// Takes out what was kept of a tournament.
    pub(super) fn take(&mut self, id: ContestId) -> Option<T> {
        let place = self.0.iter().position(|(kept, ..)| *kept == id)?;
        Some(self.0.remove(place).2)
    }

    /// Keeps the folder of a tournament that has played `games` games. If there are too many folders, the one that is
    /// cheapest to open again is dropped; among equals the one whose turn comes last, because the others are needed
    /// sooner.
    pub(super) fn keep(&mut self, id: ContestId, games: usize, folder: T) {
        self.0.push((id, games, folder));
        if self.0.len() > PAUSED_FOLDERS_MAX {
            let least = self.0.iter().enumerate().min_by_key(|(place, (_, games, _))| (*games, Reverse(*place)));
            if let Some(place) = least.map(|(place, _)| place) {
                self.0.remove(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tournaments that must be opened again in a later turn of each, of so many that take turns.
    fn opened_again(tournaments: usize) -> Vec<i64> {
        let (mut paused, mut games) = (Paused::new(), 0);
        let mut opened = Vec::new();
        for _ in 0..20 {
            games += 10;
            opened.clear();
            for id in 0..tournaments as i64 {
                if paused.take(ContestId(id)).is_none() {
                    opened.push(id);
                }
                paused.keep(ContestId(id), games, ());
            }
        }
        opened
    }

    #[test]
    fn of_tournaments_that_play_in_turns_only_those_too_many_are_opened_again() {
        assert!(opened_again(PAUSED_FOLDERS_MAX).is_empty());
        assert_eq!(opened_again(PAUSED_FOLDERS_MAX + 2).len(), 2);
    }

    #[test]
    fn the_one_with_the_fewest_games_goes_first() {
        let mut paused = Paused::new();
        for id in 0..PAUSED_FOLDERS_MAX as i64 {
            paused.keep(ContestId(id), if id == 3 { 1 } else { 100 }, id);
        }
        paused.keep(ContestId(99), 50, 99);
        assert_eq!((paused.take(ContestId(3)), paused.take(ContestId(99))), (None, Some(99)));
    }
}
