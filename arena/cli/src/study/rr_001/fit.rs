//! Which seating the published tables fit.

use super::Row;
use super::campaign::{Campaign, Seating};
use super::figures::{NAMES, Z95, distance, published};

/// How the published figures of a campaign lie to ours in one seating.
pub(super) struct Fit {
    pub(super) seating: Seating,
    pub(super) figures: usize,
    /// Those within the 95 % interval of the difference, were their rows the shortest and the longest that the report allows.
    pub(super) within: [usize; 2],
    /// Root of the mean square of the distances in standard errors, were the rows the longest; 1 is chance.
    pub(super) spread: f64,
    /// The figures that are outside even were their rows the shortest.
    pub(super) outside: Vec<Outside>,
}

/// A published figure that does not fit.
pub(super) struct Outside {
    pub(super) matchup: String,
    pub(super) figure: &'static str,
    pub(super) published: f64,
    pub(super) ours: f64,
}

/// The fit of a campaign in a seating; `None` where it was not played.
pub(super) fn fit(rows: &[Row], campaign: Campaign, seating: Seating) -> Option<Fit> {
    let [fewest, most] = campaign.published_games();
    let mut fit = Fit { seating, figures: 0, within: [0; 2], spread: 0.0, outside: Vec::new() };
    let mut squares = 0.0;
    for row in rows.iter().filter(|row| (row.campaign, row.seating) == (campaign, seating)) {
        let Some(published) = published(campaign, row.matchup) else { continue };
        for (figure, (ours, published)) in row.sample.figures().into_iter().zip(published).enumerate() {
            let [short, long] = [fewest, most].map(|games| distance(figure, ours, *published, games));
            fit.figures += 1;
            fit.within[0] += usize::from(short <= Z95);
            fit.within[1] += usize::from(long <= Z95);
            squares += long * long;
            if short > Z95 {
                let (matchup, figure) = (row.matchup.name(), NAMES[figure]);
                fit.outside.push(Outside { matchup, figure, published: *published, ours: ours.value });
            }
        }
    }
    fit.spread = (squares / fit.figures as f64).sqrt();
    (fit.figures > 0).then_some(fit)
}

impl Fit {
    /// The fit in a sentence.
    pub(super) fn sentence(&self, campaign: Campaign) -> String {
        let [fewest, most] = campaign.published_games();
        format!(
            "{}: {} of {} published figures lie within the 95 % interval were each row {fewest} games, {} were it {most}; \
             root mean square distance {:.1} standard errors (at {most} games; chance alone gives at most 1)",
            self.seating.words(),
            self.within[0],
            self.figures,
            self.within[1],
            self.spread
        )
    }
}
