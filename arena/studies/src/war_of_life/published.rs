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

const fn row(players: [Strategy; 2], games: u32, results: [u32; 3], moves: f64) -> Pairing {
    let ([first, second], [won, lost, drawn]) = (players, results);
    Pairing { first, second, games, won, lost, drawn, moves }
}

/// Every row: players; games; wins of player 1, of player 2, draws; mean moves.
pub(super) const PAIRINGS: [Pairing; 25] = [
    row([RANDOM, RANDOM], 1000, [477, 473, 50], 11.515),
    row([RANDOM, BLOODLUST], 1000, [169, 778, 53], 7.254),
    row([RANDOM, SELF], 1000, [107, 880, 13], 15.084),
    row([RANDOM, LAND], 500, [26, 463, 11], 10.572),
    row([RANDOM, MINIMAX], 500, [10, 426, 64], 9.42),
    row([BLOODLUST, RANDOM], 500, [408, 73, 19], 6.898),
    row([BLOODLUST, BLOODLUST], 500, [272, 168, 60], 9.158),
    row([BLOODLUST, SELF], 500, [290, 189, 21], 12.324),
    row([BLOODLUST, LAND], 500, [209, 263, 28], 9.18),
    row([BLOODLUST, MINIMAX], 500, [77, 344, 80], 9.066),
    row([SELF, RANDOM], 500, [445, 43, 12], 13.502),
    row([SELF, BLOODLUST], 500, [257, 216, 27], 14.412),
    row([SELF, SELF], 500, [256, 233, 11], 49.26),
    row([SELF, LAND], 500, [108, 383, 9], 27.72),
    row([SELF, MINIMAX], 500, [13, 383, 104], 19.792),
    row([LAND, RANDOM], 500, [474, 20, 6], 10.798),
    row([LAND, BLOODLUST], 500, [340, 137, 23], 9.966),
    row([LAND, SELF], 500, [409, 85, 6], 28.232),
    row([LAND, LAND], 500, [244, 242, 14], 21.19),
    row([LAND, MINIMAX], 500, [41, 382, 77], 19.762),
    row([MINIMAX, RANDOM], 500, [444, 0, 56], 8.856),
    row([MINIMAX, BLOODLUST], 500, [416, 12, 72], 9.675),
    row([MINIMAX, SELF], 500, [387, 108, 5], 18.25),
    row([MINIMAX, LAND], 500, [475, 20, 15], 16.345),
    row([MINIMAX, MINIMAX], 100, [55, 43, 2], 80.661),
];
