//! Figures with intervals, the published figures, and the distance between the two.

use std::fmt;

use super::campaign::{Campaign, Matchup};

/// Normal quantile of a two-sided 95 % interval.
pub(super) const Z95: f64 = 1.96;

/// Games below which an interval tells nothing: it is that of a normal distribution.
pub(super) const GAMES_MIN: f64 = 20.0;

/// The figures of a row, in the order of the published tables. Tables before V2 have no margin.
pub(super) const NAMES: [&str; 6] = ["P1 %", "P2 %", "draw %", "extinct %", "round", "margin"];
/// The number of shares among the figures.
pub(super) const SHARES: usize = 4;

/// The figures of a row.
pub(super) type Figures = [Estimate; NAMES.len()];

/// A mean over games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Estimate {
    pub(super) value: f64,
    /// Standard deviation of one game.
    pub(super) deviation: f64,
    pub(super) games: f64,
}

impl Estimate {
    /// A share in percent. Its error is computed with two more games of either kind, so that even a share of 0 has one.
    /// Source: Agresti, Coull, "Approximate is better than exact", 1998.
    pub(super) fn share(count: f64, games: f64) -> Estimate {
        let near = 100.0 * (count + 2.0) / (games + 4.0);
        Estimate { value: 100.0 * count / games, deviation: (near * (100.0 - near)).sqrt(), games }
    }

    pub(super) fn mean(values: impl Iterator<Item = f64>) -> Estimate {
        let (mut games, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for value in values {
            games += 1.0;
            sum += value;
            squares += value * value;
        }
        let value = sum / games;
        Estimate { value, deviation: (squares / games - value * value).max(0.0).sqrt(), games }
    }

    /// The estimate of `100 - value`.
    pub(super) fn rest(self) -> Estimate {
        Estimate { value: 100.0 - self.value, ..self }
    }

    /// The mean of two estimates of equal weight.
    pub(super) fn with(self, other: Estimate) -> Estimate {
        let value = f64::midpoint(self.value, other.value);
        let error = self.error().hypot(other.error()) / 2.0;
        let games = self.games + other.games;
        Estimate { value, deviation: error * games.sqrt(), games }
    }

    /// The standard error.
    pub(super) fn error(self) -> f64 {
        self.deviation / self.games.sqrt()
    }

    /// Half of the 95 % interval.
    pub(super) fn half(self) -> f64 {
        Z95 * self.error()
    }

    /// Whether it is above a bound; `None` while its interval has both sides of it.
    pub(super) fn is_above(self, bound: f64) -> Option<bool> {
        let ahead = self.value - bound;
        (self.tells() && ahead.abs() > self.half()).then_some(ahead > 0.0)
    }

    /// Whether it is above another, independent one; `None` while the interval of the difference has both signs.
    pub(super) fn exceeds(self, other: Estimate) -> Option<bool> {
        let ahead = self.value - other.value;
        (self.tells() && other.tells() && ahead.abs() > self.half().hypot(other.half())).then_some(ahead > 0.0)
    }

    /// Whether it is within a distance of a value; `None` while only a part of its interval is.
    pub(super) fn is_near(self, of: f64, within: f64) -> Option<bool> {
        let (apart, half) = ((self.value - of).abs(), self.half());
        if apart + half <= within {
            self.tells().then_some(true)
        } else if apart - half > within {
            self.tells().then_some(false)
        } else {
            None
        }
    }

    fn tells(self) -> bool {
        self.games >= GAMES_MIN
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [value, half] = shown(self.value, self.half());
        write!(f, "{value} ± {half}")
    }
}

/// A value, and half of its interval: with one digit, or as many as it takes until the interval is not 0.
pub(super) fn shown(value: f64, half: f64) -> [String; 2] {
    let digits = if half > 0.0 { (1..4).find(|digits| half >= 0.5 * 0.1_f64.powi(*digits)) } else { None };
    let digits = digits.map_or(1, |digits| digits as usize);
    [value, half].map(|figure| format!("{figure:.digits$}"))
}

/// A row of a published table, if it exists: percentages of P1 wins, P2 wins, draws and extinctions, the mean round,
/// the mean margin. Source: RR-001 §6.2, §6.6.
pub(super) fn published(campaign: Campaign, matchup: Matchup) -> Option<&'static [f64]> {
    let table: &[&[f64]; 6] = match campaign {
        Campaign::V5_4 => &[
            &[82.0, 17.0, 2.0, 47.0, 9.6],
            &[53.0, 43.0, 4.0, 6.0, 11.7],
            &[40.0, 56.0, 4.0, 9.0, 11.7],
            &[35.0, 64.0, 1.0, 19.0, 10.9],
            &[21.0, 79.0, 0.0, 23.0, 10.7],
            &[49.0, 48.0, 4.0, 0.0, 12.0],
        ],
        Campaign::V5_5 => &[
            &[76.0, 23.0, 1.0, 53.0, 9.5],
            &[72.0, 27.0, 1.0, 11.0, 11.3],
            &[32.0, 65.0, 3.0, 5.0, 11.8],
            &[30.0, 70.0, 0.0, 16.0, 10.8],
            &[10.0, 89.0, 1.0, 34.0, 10.6],
            &[35.0, 64.0, 1.0, 0.0, 12.0],
        ],
        Campaign::V2 => &[
            &[64.0, 36.0, 1.0, 37.0, 10.1, 15.8],
            &[66.0, 32.0, 3.0, 4.0, 11.8, 19.5],
            &[50.0, 46.0, 4.0, 32.0, 10.8, 13.0],
            &[21.0, 77.0, 2.0, 21.0, 10.9, 18.9],
            &[1.0, 99.0, 0.0, 66.0, 9.2, 28.8],
            &[5.0, 92.0, 3.0, 19.0, 11.0, 23.5],
        ],
    };
    let at = Matchup::PUBLISHED.iter().position(|row| *row == matchup)?;
    Some(table[at])
}

/// Half a unit of a figure's last printed digit: the largest error of rounding.
fn rounding(figure: usize) -> f64 {
    if figure < SHARES { 0.5 } else { 0.05 }
}

/// The distance of a published figure from ours in standard errors of the difference, if its row has `games` games. The
/// error of rounding is subtracted, and no standard error is taken as less than it. For a share, both samples have the
/// error of the pooled one.
pub(super) fn distance(figure: usize, ours: Estimate, published: f64, games: f64) -> f64 {
    let deviation = if figure < SHARES {
        let pooled = (ours.value * ours.games + published * games) / (ours.games + games);
        (pooled * (100.0 - pooled)).max(0.0).sqrt()
    } else {
        ours.deviation
    };
    let error = deviation * (1.0 / ours.games + 1.0 / games).sqrt();
    let apart = ((ours.value - published).abs() - rounding(figure)).max(0.0);
    apart / error.max(rounding(figure))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_interval_above_nothing_is_shown_as_nothing() {
        assert_eq!(Estimate::share(0.0, 10_000.0).to_string(), "0.00 ± 0.03");
        assert_eq!(Estimate::share(50.0, 100.0).to_string(), "50.0 ± 9.8");
        assert_eq!(shown(2.0, 0.0), ["2.0", "0.0"]);
    }

    #[test]
    fn shares_and_means_have_the_errors_of_textbooks() {
        let share = Estimate::share(50.0, 100.0);
        assert!((share.error() - 5.0).abs() < 1e-9 && (share.half() - 9.8).abs() < 1e-9);
        let mean = Estimate::mean([1.0, 3.0].into_iter());
        assert!((mean.value - 2.0).abs() < 1e-9 && (mean.deviation - 1.0).abs() < 1e-9);
        let both = share.with(share);
        assert!((both.value - 50.0).abs() < 1e-9 && (both.error() - 5.0 / 2.0_f64.sqrt()).abs() < 1e-9);
        assert!((share.rest().value - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_claim_is_told_only_by_the_whole_interval() {
        // 50 of 100: 40.2 to 59.8.
        let share = Estimate::share(50.0, 100.0);
        assert_eq!([40.0, 45.0, 60.0].map(|bound| share.is_above(bound)), [Some(true), None, Some(false)]);
        let other = |count| Estimate::share(count, 100.0);
        assert_eq!([70.0, 60.0, 30.0].map(|count| share.exceeds(other(count))), [Some(false), None, Some(true)]);
        assert_eq!([10.0, 6.0].map(|within| share.is_near(50.0, within)), [Some(true), None]);
        assert_eq!(share.is_near(70.0, 10.0), Some(false));
        let few = Estimate::mean([1.0; 19].into_iter());
        assert_eq!([few.is_above(0.0), few.exceeds(share), few.is_near(1.0, 1.0)], [None; 3]);
    }

    #[test]
    fn distances_count_standard_errors_beyond_rounding() {
        let ours = Estimate::share(5_000.0, 10_000.0);
        assert_eq!(distance(0, ours, 50.4, 200.0), 0.0);
        let far = distance(0, ours, 60.5, 200.0);
        assert!((far - 10.0 / (50.0 * (1.0_f64 / 10_000.0 + 1.0 / 200.0).sqrt())).abs() < 0.01, "{far}");
        assert!(distance(0, ours, 60.5, 50.0) < far);
        assert!(distance(0, Estimate::share(0.0, 100.0), 1.0, 50.0) > 0.0);
        assert!(Estimate::share(0.0, 100.0).half() > 1.0);
    }

    /// The figures in a row of a table add up to all games, within rounding.
    #[test]
    fn every_row_of_the_published_tables_is_whole() {
        for campaign in Campaign::ALL {
            for matchup in Matchup::PUBLISHED {
                let row = published(campaign, matchup).expect("it is published");
                assert_eq!(row.len(), if campaign == Campaign::V2 { 6 } else { 5 });
                assert!((row[..3].iter().sum::<f64>() - 100.0).abs() <= 1.5, "{campaign:?} {matchup:?}");
            }
            assert_eq!(published(campaign, Matchup::PUBLISHED[3].swapped()), None);
        }
    }
}
