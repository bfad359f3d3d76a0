//! The figures to compare with. Percentages of player 1 wins, player 2 wins, draws and extinctions; then mean round and
//! mean margin.

use arena_baselines::conquerors::Tier;

use super::Matchup;

/// One row of a table.
#[derive(Clone, Copy)]
pub(super) struct Figures {
    pub(super) first: f64,
    pub(super) second: f64,
    pub(super) draw: f64,
    pub(super) extinction: f64,
    pub(super) round: f64,
    pub(super) margin: f64,
}

/// The three tables for one matchup.
pub(super) struct References {
    /// RR-001 §6.6, 150-200 games.
    pub(super) published: Figures,
    /// Fair seats, by an independent engine.
    pub(super) fair: Figures,
    /// Standard deviation of a game's round and margin in fair seats.
    pub(super) fair_deviation: (f64, f64),
    /// Colours swapped and nothing mirrored, by the same engine.
    pub(super) shared_home: Figures,
}

/// Games behind each row of the fair table, and of the other one.
pub(super) const FAIR_GAMES: f64 = 28_000.0;
pub(super) const SHARED_HOME_GAMES: f64 = 1_080.0;

const fn figures([first, second, draw, extinction, round, margin]: [f64; 6]) -> Figures {
    Figures { first, second, draw, extinction, round, margin }
}

const fn matchup(first: Tier, second: Tier) -> Matchup {
    Matchup { first, second }
}

/// Every row of the published table.
pub(super) const MATCHUPS: [(Matchup, References); 6] = [
    (
        matchup(Tier::Easy, Tier::Easy),
        References {
            published: figures([64.0, 36.0, 1.0, 37.0, 10.1, 15.8]),
            fair: figures([49.2, 49.2, 1.7, 59.5, 8.87, 10.2]),
            fair_deviation: (3.27, 7.7),
            shared_home: figures([59.7, 38.2, 2.1, 45.1, 10.1, 15.3]),
        },
    ),
    (
        matchup(Tier::Normal, Tier::Normal),
        References {
            published: figures([66.0, 32.0, 3.0, 4.0, 11.8, 19.5]),
            fair: figures([44.8, 53.4, 1.8, 15.8, 11.20, 14.4]),
            fair_deviation: (2.17, 10.7),
            shared_home: figures([62.7, 35.5, 1.9, 4.9, 11.8, 19.6]),
        },
    ),
    (
        matchup(Tier::Hard, Tier::Hard),
        References {
            published: figures([50.0, 46.0, 4.0, 32.0, 10.8, 13.0]),
            fair: figures([35.4, 62.6, 2.0, 40.8, 11.17, 14.9]),
            fair_deviation: (1.42, 10.7),
            shared_home: figures([39.6, 55.1, 5.3, 73.6, 9.9, 14.0]),
        },
    ),
    (
        matchup(Tier::Easy, Tier::Normal),
        References {
            published: figures([21.0, 77.0, 2.0, 21.0, 10.9, 18.9]),
            fair: figures([17.0, 82.0, 1.0, 41.1, 9.95, 17.3]),
            fair_deviation: (3.02, 12.5),
            shared_home: figures([15.3, 83.1, 1.7, 25.3, 11.1, 19.8]),
        },
    ),
    (
        matchup(Tier::Easy, Tier::Hard),
        References {
            published: figures([1.0, 99.0, 0.0, 66.0, 9.2, 28.8]),
            fair: figures([6.8, 92.4, 0.8, 70.9, 9.41, 21.4]),
            fair_deviation: (2.72, 12.2),
            shared_home: figures([0.9, 98.6, 0.5, 78.2, 9.1, 24.9]),
        },
    ),
    (
        matchup(Tier::Normal, Tier::Hard),
        References {
            published: figures([5.0, 92.0, 3.0, 19.0, 11.0, 23.5]),
            fair: figures([23.7, 74.7, 1.6, 31.7, 11.14, 17.6]),
            fair_deviation: (1.90, 12.2),
            shared_home: figures([9.8, 89.0, 1.2, 42.8, 10.9, 20.6]),
        },
    ),
];
