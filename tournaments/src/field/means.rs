//! Mean shares, and how certain they and the order by them are.
//!
//! **Intervals.** Later games are taken to scatter like those played, and the more the closer a mean is to a half: in
//! proportion to mean * (1 - mean), as where the winner takes everything. An interval has the means from which the
//! observed one is no more than Student's quantile of their standard errors away. So it stays between 0 and 1 and
//! reaches farther towards a half. Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical
//! Inference" (1927), for games that are won or lost.
//!
//! If all n shares were equal, nothing scatters. Then at most 1 - 0.025^(1/n) of all games end otherwise, and in those
//! the share may be anything. A share that was always 0 has no lower end, and one that was always 1 no upper one.
//!
//! **Order.** Differences are from -1 to 1, and are treated in the same way. Besides, one entrant is never surer to be
//! ahead than by the signs: if two are equal, games that tell them apart favour one as often as the other, so n games
//! favour the same with a probability of 2^-n. Source: B. Efron, "Student's t-Test Under Symmetry Conditions" (1969).

use crate::certainty::Compared;
use crate::rating::{TAIL, Z95};
use crate::standings::Share;
use crate::student::{student, student_tail};

/// Where the variance of a mean is at most this, all shares were equal: what is left comes from rounding.
const SAME: f64 = 1e-24;
const WHOLE: f64 = Share::WHOLE as f64;

/// The mean of shares in millionths, rounded half up; 0 without any.
pub(super) fn rounded_mean(shares: &[u64]) -> u64 {
    let (sum, games) = (shares.iter().sum::<u64>(), shares.len().max(1) as u64);
    (2 * sum + games) / (2 * games)
}

/// The mean of the shares of some games, with its interval.
pub(super) fn mean(shares: &[u64]) -> Share {
    let (games, mean) = (shares.len() as f64, exact_mean(shares));
    let squares = shares.iter().fold(0.0, |sum, share| {
        let apart = *share as f64 / WHOLE - mean;
        sum + apart * apart
    });
    let variance = squares / libm::fmax(games * (games - 1.0), 1.0);
    let [low, high] = ends(mean, variance, shares.len()).map(|end| end.map(millionths));
    Share { mean: rounded_mean(shares) as i64, low, high }
}

fn exact_mean(shares: &[u64]) -> f64 {
    shares.iter().sum::<u64>() as f64 / libm::fmax(shares.len() as f64, 1.0) / WHOLE
}

fn millionths(part: f64) -> i64 {
    libm::round(WHOLE * part) as i64
}

/// The ends of the interval of a mean share with this variance, as parts of the whole. None below two games.
fn ends(mean: f64, variance: f64, games: usize) -> [Option<f64>; 2] {
    if games < 2 {
        return [None; 2];
    }
    if variance <= SAME {
        let unseen = 1.0 - libm::pow(TAIL, 1.0 / games as f64);
        let [low, high] = [mean * (1.0 - unseen), mean + (1.0 - mean) * unseen];
        return [(mean > 0.0).then_some(low), (mean < 1.0).then_some(high)];
    }
    let (quantile, room) = (student(Z95, (games - 1) as f64), mean * (1.0 - mean));
    // The square of the interval's half at the observed mean, as a part of its room.
    let wide = quantile * quantile * variance / room;
    let middle = (mean + wide / 2.0) / (1.0 + wide);
    let half = libm::sqrt(wide * room + wide * wide / 4.0) / (1.0 + wide);
    [Some(middle - half), Some(middle + half)]
}

/// The mean shares of all entrants, for comparisons. Entrants of one game share its tally, so their means depend on
/// each other.
pub(super) struct Means(Vec<Mean>);

struct Mean {
    of: f64,
    games: usize,
    /// By game: its part of the mean, and the deviation of its share as a part of the mean's standard error; both 0 for
    /// games that the entrant did not play.
    parts: Vec<[f64; 2]>,
}

/// The difference of two means, as a part of the whole.
struct Between {
    mean: f64,
    variance: f64,
    /// The games of the one that played fewer.
    games: usize,
    /// The number of games that tell the two apart, if each told equally much.
    telling: f64,
}

impl Means {
    /// The means of entrants, each with its shares and the places of their games among `games`.
    pub(super) fn of<'a>(entrants: impl Iterator<Item = (&'a [u64], &'a [usize])>, games: usize) -> Means {
        let mean = |(shares, played): (&[u64], &[usize])| {
            let (count, of) = (shares.len() as f64, exact_mean(shares));
            let mut parts = vec![[0.0; 2]; games];
            for (game, share) in played.iter().zip(shares) {
                let share = *share as f64 / WHOLE;
                parts[*game] = [share / count, (share - of) / libm::sqrt(libm::fmax(count * (count - 1.0), 1.0))];
            }
            Mean { of, games: shares.len(), parts }
        };
        Means(entrants.map(mean).collect())
    }

    fn between(&self, one: usize, other: usize) -> Between {
        let [one, other] = [&self.0[one], &self.0[other]];
        let [mut variance, mut sum, mut squares] = [0.0; 3];
        for ([part, deviation], [its_part, its_deviation]) in one.parts.iter().zip(&other.parts) {
            let (difference, apart) = (part - its_part, deviation - its_deviation);
            variance += apart * apart;
            sum += libm::fabs(difference);
            squares += difference * difference;
        }
        let games = one.games.min(other.games);
        let telling = if squares > 0.0 { libm::fmin(sum * sum / squares, games as f64) } else { 0.0 };
        Between { mean: one.of - other.of, variance, games, telling }
    }

    /// The lead of one entrant over another, with its interval.
    pub(super) fn lead(&self, one: usize, other: usize) -> Share {
        let Between { mean, variance, games, .. } = self.between(one, other);
        let ends = ends((1.0 + mean) / 2.0, variance / 4.0, games);
        let [low, high] = ends.map(|end| end.map(|end| millionths(2.0 * end - 1.0)));
        Share { mean: millionths(mean), low, high }
    }
}

impl Compared for Means {
    fn doubt(&self, one: usize, other: usize) -> f64 {
        let Between { mean, variance, games, telling } = self.between(one, other);
        let ahead = libm::fabs(mean);
        let doubt = if games < 2 {
            0.5
        } else if variance <= SAME {
            // Where an end of the interval would be 0.
            libm::pow(1.0 + ahead, -(games as f64))
        } else {
            let scatter = student_tail(ahead * libm::sqrt((1.0 - ahead * ahead) / variance), games - 1);
            libm::fmax(scatter, libm::exp2(-telling))
        };
        let doubt = libm::fmin(doubt, 0.5);
        if mean < 0.0 { 1.0 - doubt } else { doubt }
    }
}
