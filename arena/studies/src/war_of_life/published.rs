//! The published table. Source: `Strategy_Evaluation.png` in `jkatsioloudes/War-of-Life`.
//!
//! Its inconsistencies are kept. The results of bloodlust-minimax add up to 501 of 500 games, those of
//! minimax-land-grab to 510. In minimax-self-preservation, second wins and draws seem to be exchanged (108 and 5),
//! because the other rows of minimax have few lost games and many drawn ones. Another picture there gives the same
//! results for random-random, but a mean of 11.192 moves where the table has 11.515.

use arena_baselines::war_of_life::{OnePly, Strategy, Terminals};

use super::chi_square::Results;

/// A row of the table.
#[derive(Clone, Copy)]
pub(super) struct Pairing {
    /// Player 1, blue.
    pub(super) first: Strategy,
    /// Player 2, red.
    pub(super) second: Strategy,
    /// The stated number of games.
    pub(super) games: u32,
    won: u32,
    lost: u32,
    drawn: u32,
    /// Mean number of moves of both players.
    pub(super) moves: f64,
    /// Mean time of a game in milliseconds, on a machine of 2013 or so.
    pub(super) milliseconds: f64,
}

impl Pairing {
    pub(super) fn results(&self) -> Results {
        [self.won, self.lost, self.drawn].map(f64::from)
    }

    /// The results with second wins and draws exchanged.
    pub(super) fn exchanged(&self) -> Results {
        let [won, lost, drawn] = self.results();
        [won, drawn, lost]
    }

    pub(super) fn has_minimax(&self) -> bool {
        [self.first, self.second].contains(&MINIMAX)
    }

    pub(super) fn name(&self) -> String {
        format!("{} - {}", self.first.name(), self.second.name())
    }
}

const RANDOM: Strategy = Strategy::Random;
const BLOODLUST: Strategy = Strategy::OnePly(OnePly::Bloodlust);
const SELF: Strategy = Strategy::OnePly(OnePly::SelfPreservation);
const LAND: Strategy = Strategy::OnePly(OnePly::LandGrab);
const MINIMAX: Strategy = Strategy::Minimax(Terminals::Clean);

const fn row(players: [Strategy; 2], games: u32, results: [u32; 3], moves: f64, milliseconds: f64) -> Pairing {
    let ([first, second], [won, lost, drawn]) = (players, results);
    Pairing { first, second, games, won, lost, drawn, moves, milliseconds }
}

/// Every row: players; games; wins of player 1, of player 2, draws; mean moves; mean milliseconds.
pub(super) const PAIRINGS: [Pairing; 25] = [
    row([RANDOM, RANDOM], 1000, [477, 473, 50], 11.515, 16.06),
    row([RANDOM, BLOODLUST], 1000, [169, 778, 53], 7.254, 189.41),
    row([RANDOM, SELF], 1000, [107, 880, 13], 15.084, 411.45),
    row([RANDOM, LAND], 500, [26, 463, 11], 10.572, 591.52),
    row([RANDOM, MINIMAX], 500, [10, 426, 64], 9.42, 15_921.92),
    row([BLOODLUST, RANDOM], 500, [408, 73, 19], 6.898, 753.36),
    row([BLOODLUST, BLOODLUST], 500, [272, 168, 60], 9.158, 1090.68),
    row([BLOODLUST, SELF], 500, [290, 189, 21], 12.324, 1585.52),
    row([BLOODLUST, LAND], 500, [209, 263, 28], 9.18, 1220.7),
    row([BLOODLUST, MINIMAX], 500, [77, 344, 80], 9.066, 6457.74),
    row([SELF, RANDOM], 500, [445, 43, 12], 13.502, 1323.28),
    row([SELF, BLOODLUST], 500, [257, 216, 27], 14.412, 1677.84),
    row([SELF, SELF], 500, [256, 233, 11], 49.26, 8352.7),
    row([SELF, LAND], 500, [108, 383, 9], 27.72, 1375.4),
    row([SELF, MINIMAX], 500, [13, 383, 104], 19.792, 16_743.84),
    row([LAND, RANDOM], 500, [474, 20, 6], 10.798, 388.08),
    row([LAND, BLOODLUST], 500, [340, 137, 23], 9.966, 447.6),
    row([LAND, SELF], 500, [409, 85, 6], 28.232, 1396.6),
    row([LAND, LAND], 500, [244, 242, 14], 21.19, 973.56),
    row([LAND, MINIMAX], 500, [41, 382, 77], 19.762, 19_984.88),
    row([MINIMAX, RANDOM], 500, [444, 0, 56], 8.856, 8809.64),
    row([MINIMAX, BLOODLUST], 500, [416, 12, 72], 9.675, 10_412.12),
    row([MINIMAX, SELF], 500, [387, 108, 5], 18.25, 20_423.94),
    row([MINIMAX, LAND], 500, [475, 20, 15], 16.345, 19_651.71),
    row([MINIMAX, MINIMAX], 100, [55, 43, 2], 80.661, 215_103.2),
];
