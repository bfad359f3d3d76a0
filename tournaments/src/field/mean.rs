//! Mean shares, how sure they are, and their differences.
//!
//! A share is a part of a whole and often near one of its ends, so its mean is not spread evenly around the truth. Its interval is that
//! of a count: of as many games won as would have the same mean and the same error, by the exact bounds of Clopper and Pearson. The
//! error counts for more where it is known from few games. Source: E. Korn, B. Graubard, "Confidence intervals for proportions with
//! small expected number of positive counts estimated from survey data", Survey Methodology 24 (1998). `coverage` has simulations.
//!
//! Shares that were alike in all games show no error. Then an end is the furthest mean that gives such games with a probability of
//! 2.5 %, whatever the distribution: a game has another share with a chance, and then it is nothing, or all. For shares of nothing
//! these are the bounds of Clopper and Pearson.
//!
//! The error of a difference is that of the differences in each game: entrants of one game share it. It is read by Student's t; whose
//! shares were all alike has the error that its interval would come from.

use crate::certainty::{Compared, QUANTILE_MAX, quantile};
use crate::distributions::{beta_quantile, t_above, t_quantile};
use crate::rating::{Difference, TAIL, Z95};
use crate::standings::{Gap, Share};

/// A mean is at most as sure as after so many games that are won or lost: a tenth of a percent.
const GAMES_MAX: f64 = 1e6;
const WHOLE: f64 = Share::WHOLE as f64;

/// Shares of some games, in millionths.
#[derive(Clone, Default)]
pub(super) struct Shares {
    of: Vec<u64>,
    /// The places of these games among those that count.
    games: Vec<usize>,
}

impl Shares {
    pub(super) fn add(&mut self, game: usize, share: u64) {
        self.of.push(share);
        self.games.push(game);
    }

    pub(super) fn games(&self) -> u32 {
        self.of.len() as u32
    }

    /// Rounded half up; 0 without a game.
    pub(super) fn mean(&self) -> u64 {
        let (sum, games) = (self.of.iter().sum::<u64>(), self.of.len().max(1) as u64);
        (2 * sum + games) / (2 * games)
    }

    fn exact_mean(&self) -> f64 {
        self.of.iter().sum::<u64>() as f64 / self.of.len().max(1) as f64
    }

    /// The share of every game, if it is one.
    fn alike(&self) -> Option<u64> {
        self.of.first().copied().filter(|first| self.of.iter().all(|share| share == first))
    }

    /// The ends of the 95 % interval where all shares were alike, as parts of a whole.
    fn ends_alike(&self) -> Option<[f64; 2]> {
        let mean = self.alike()? as f64 / WHOLE;
        let rest = libm::pow(TAIL, 1.0 / self.of.len() as f64);
        Some([mean * rest, 1.0 - (1.0 - mean) * rest])
    }

    /// The ends of the 95 % interval, as parts of a whole; none below two games.
    fn ends(&self) -> Option<[f64; 2]> {
        let (games, mean) = (self.of.len() as f64, self.exact_mean() / WHOLE);
        if self.of.len() < 2 {
            return None;
        }
        if let Some(ends) = self.ends_alike() {
            return Some(ends);
        }
        let squares = self.of.iter().fold(0.0, |sum, share| {
            let apart = *share as f64 / WHOLE - mean;
            sum + apart * apart
        });
        let variance = squares / (games - 1.0) / games;
        let less = Z95 / t_quantile(TAIL, games - 1.0);
        let alike = libm::fmin(mean * (1.0 - mean) / variance * less * less, GAMES_MAX);
        let (won, lost) = (mean * alike, (1.0 - mean) * alike);
        Some([beta_quantile(TAIL, won, lost + 1.0), beta_quantile(1.0 - TAIL, won + 1.0, lost)])
    }

    /// The mean and its interval, whose ends are rounded to where they hold.
    pub(super) fn share(&self) -> Share {
        let [low, high] = self.ends().map_or([None; 2], |[low, high]| {
            [libm::floor(low * WHOLE), libm::ceil(high * WHOLE)].map(|end| Some(end as u64))
        });
        Share {
            mean: self.mean(),
            low: low.filter(|_| self.alike() != Some(0)),
            high: high.filter(|_| self.alike() != Some(Share::WHOLE)),
        }
    }
}

/// The mean shares of all entrants, to be compared.
pub(super) struct Means<'a> {
    of: Vec<&'a Shares>,
    /// Of each entrant by game, how far its share is from its mean, as a part of the mean's error; 0 where it did not play.
    parts: Vec<Vec<f64>>,
}

impl<'a> Means<'a> {
    /// Those in so many games.
    pub(super) fn of(shares: impl Iterator<Item = &'a Shares>, games: usize) -> Means<'a> {
        let of: Vec<&Shares> = shares.collect();
        let parts = of.iter().map(|shares| {
            let (count, mean) = (shares.of.len() as f64, shares.exact_mean());
            let mut parts = vec![0.0; games];
            for (game, share) in shares.games.iter().zip(&shares.of) {
                parts[*game] = (*share as f64 - mean) / libm::sqrt(count * libm::fmax(count - 1.0, 1.0));
            }
            parts
        });
        Means { parts: parts.collect(), of }
    }

    /// The difference of two with its standard error and degrees of freedom; none where one has less than two games.
    fn measured(&self, one: usize, other: usize) -> Option<(Difference, f64)> {
        let [own, others] = [one, other].map(|entrant| self.of[entrant]);
        let games = own.games().min(others.games());
        if games < 2 {
            return None;
        }
        let (estimate, degrees) = (own.exact_mean() - others.exact_mean(), f64::from(games - 1));
        let parts = self.parts[one].iter().zip(&self.parts[other]);
        let mut variance = parts.fold(0.0, |sum, (one, other)| sum + (one - other) * (one - other));
        // The ends at which the two would be level.
        let ends = if estimate < 0.0 { [1, 0] } else { [0, 1] };
        for (shares, end) in [own, others].into_iter().zip(ends) {
            if let Some(ends) = shares.ends_alike() {
                let error = (shares.exact_mean() - WHOLE * ends[end]) / t_quantile(TAIL, degrees);
                variance += error * error;
            }
        }
        Some((Difference { estimate, error: libm::sqrt(variance) }, degrees))
    }

    /// How far one is ahead of another. Where one of them has a bound, it is a bound, too; where both are open on the same side, there is
    /// none.
    pub(super) fn gap(&self, one: usize, other: usize) -> Gap {
        let mean = libm::round(self.of[one].exact_mean() - self.of[other].exact_mean()) as i64;
        let unknown = Gap::Share { mean, low: None, high: None };
        let Some((Difference { estimate, error }, degrees)) = self.measured(one, other) else { return unknown };
        let half = t_quantile(TAIL, degrees) * error;
        let (low, high) = (libm::floor(estimate - half) as i64, libm::ceil(estimate + half) as i64);
        let is_all = |entrant: usize, share: u64| self.of[entrant].alike() == Some(share);
        match [(one, other), (other, one)].map(|(above, below)| is_all(above, Share::WHOLE) || is_all(below, 0)) {
            [true, true] => unknown,
            [true, false] => Gap::Share { mean, low: Some(low), high: None },
            [false, true] => Gap::Share { mean, low: None, high: Some(high) },
            [false, false] => Gap::Share { mean, low: Some(low), high: Some(high) },
        }
    }
}

impl Compared for Means<'_> {
    /// With an error by which the difference is as unlikely for a normal value as it is by Student's t.
    fn difference(&self, one: usize, other: usize) -> Difference {
        let Some((Difference { estimate, error }, degrees)) = self.measured(one, other) else {
            return Difference { estimate: 0.0, error: f64::INFINITY };
        };
        let away = libm::fabs(estimate);
        let deviations = quantile(t_above(away / error, degrees));
        let is_plain = error <= 0.0 || deviations <= 0.0 || deviations >= QUANTILE_MAX;
        Difference { estimate, error: if is_plain { error } else { away / deviations } }
    }
}
