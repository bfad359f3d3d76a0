//! Scheduled games, packed: a tournament may have 200,000 of them, and some formats schedule all at once.

use arena_rules::{BySeat, Seed};

use crate::{Fate, ScheduledGame, Stage};

/// Games in schedule order. A two-seat game takes 52 bytes if it shares its seed with the next one.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Schedule {
    pub(crate) games: Vec<Packed>,
    /// The seating, game after game.
    seats: Vec<u16>,
    /// Their seeds, each once for consecutive games.
    seeds: Vec<Seed>,
}

/// A game whose seats, seed and result are elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Packed {
    number: u32,
    pub(crate) round: u32,
    pairing: u32,
    pair: u32,
    seats_at: u32,
    seed_at: u32,
    /// `NONE` for a game without a result.
    pub(crate) result_at: u32,
    pub(crate) seats: u8,
    pub(crate) stage: Stage,
    pub(crate) fate: Fate,
}

impl Packed {
    pub(crate) const NONE: u32 = u32::MAX;
}

impl Schedule {
    /// The number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Reserves room for a number of pairs of two-seat games: a growing vector leaves free blocks as large as itself.
    pub(crate) fn reserve(&mut self, pairs: usize) {
        self.games.reserve(2 * pairs);
        self.seats.reserve(4 * pairs);
        self.seeds.reserve(pairs);
    }

    /// The number of seats in all games together.
    pub(crate) fn seats(&self) -> usize {
        self.seats.len()
    }

    /// Adds a game to the end.
    pub fn push(&mut self, game: &ScheduledGame) {
        let ScheduledGame { number, round, pairing, pair, stage, ref seats, seed } = *game;
        let seats_at = self.seats.len() as u32;
        self.seats.extend(seats.values().iter().map(|entrant| *entrant as u16));
        if self.seeds.last() != Some(&seed) {
            self.seeds.push(seed);
        }
        let [number, round, pairing, seed_at] =
            [number, round, pairing, self.seeds.len() - 1].map(|place| place as u32);
        let (seats, fate, result_at) = (seats.seats(), Fate::Open, Packed::NONE);
        self.games.push(Packed { number, round, pairing, pair, seats_at, seed_at, result_at, seats, stage, fate });
    }

    /// Adds all games of another schedule to the end.
    pub fn append(&mut self, later: Schedule) {
        if self.is_empty() {
            *self = later;
            return;
        }
        let (seats, seeds) = (self.seats.len() as u32, self.seeds.len() as u32);
        self.seats.extend(later.seats);
        self.seeds.extend(later.seeds);
        let placed = |game: Packed| Packed { seats_at: seats + game.seats_at, seed_at: seeds + game.seed_at, ..game };
        self.games.extend(later.games.into_iter().map(placed));
    }

    /// The games, in order.
    pub fn iter(&self) -> impl Iterator<Item = ScheduledGame> {
        self.games.iter().map(|game| self.unpacked(game))
    }

    pub(crate) fn seats_of(&self, game: &Packed) -> &[u16] {
        &self.seats[game.seats_at as usize..][..usize::from(game.seats)]
    }

    pub(crate) fn seed_of(&self, game: &Packed) -> &Seed {
        &self.seeds[game.seed_at as usize]
    }

    pub(crate) fn unpacked(&self, game: &Packed) -> ScheduledGame {
        let Packed { number, round, pairing, pair, stage, .. } = *game;
        let [number, round, pairing] = [number, round, pairing].map(|place| place as usize);
        let seats: Vec<usize> = self.seats_of(game).iter().map(|entrant| usize::from(*entrant)).collect();
        let (seats, seed) = (BySeat::from(seats), *self.seed_of(game));
        ScheduledGame { number, round, pairing, pair, stage, seats, seed }
    }
}

impl FromIterator<ScheduledGame> for Schedule {
    fn from_iter<I: IntoIterator<Item = ScheduledGame>>(games: I) -> Schedule {
        let mut schedule = Schedule::default();
        games.into_iter().for_each(|game| schedule.push(&game));
        schedule
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::entrants;
    use crate::{Field, RoundRobin};

    #[test]
    fn what_is_appended_keeps_its_seats() {
        let names = entrants(4);
        let field = Field { seed: 1, seats: 3, games: 5, pairs: 0 }.games(&names);
        let duels = RoundRobin::new(1, 1).games(&names);
        let mut both = Schedule::default();
        both.append(field.clone());
        both.append(duels.clone());
        assert_eq!(both.iter().collect::<Vec<_>>(), field.iter().chain(duels.iter()).collect::<Vec<_>>());
        assert_eq!(both, both.iter().collect());
    }

    #[test]
    fn a_game_of_two_seats_takes_little() {
        assert_eq!(size_of::<Packed>() + 2 * size_of::<u16>() + size_of::<Seed>() / 2, 52);
    }
}
