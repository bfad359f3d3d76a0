//! Decides which seating the published tables fit.

use arena_baselines::conquerors::Tier;

use super::super::verdict::Verdict;
use super::Row;
use super::campaign::{Campaign, Seating};
use super::figures::{NAMES, Z95, distance, published};
use super::reference::GAMES_MIN;

/// The agreement of a campaign's published figures with ours in one seating.
pub(super) struct Fit {
    pub(super) seating: Seating,
    pub(super) figures: usize,
    /// Our games in its shortest row.
    games_min: f64,
    /// Figures within the 95 % interval of the difference, if rows are as short, and as long, as the report allows.
    pub(super) within: [usize; 2],
    /// Of the figures in rows without hard, how many are within the first, and how many there are.
    without_hard: [usize; 2],
    /// Root mean square of the distances in standard errors, if rows are as long as possible; 1 is chance.
    pub(super) spread: f64,
    /// Figures that are outside even if rows are as short as possible.
    pub(super) outside: Vec<Outside>,
}

/// A published figure that does not fit.
pub(super) struct Outside {
    pub(super) matchup: String,
    pub(super) figure: &'static str,
    pub(super) published: f64,
    pub(super) ours: f64,
}

/// The fit of a campaign in a seating; `None` if it was not played.
pub(super) fn fit(rows: &[Row], campaign: Campaign, seating: Seating) -> Option<Fit> {
    let [fewest, most] = campaign.published_games();
    let mut fit = Fit {
        seating,
        figures: 0,
        games_min: f64::INFINITY,
        within: [0; 2],
        without_hard: [0; 2],
        spread: 0.0,
        outside: Vec::new(),
    };
    let mut squares = 0.0;
    for row in rows.iter().filter(|row| row.is_of(campaign, seating)) {
        let Some(published) = published(campaign, row.key.matchup) else { continue };
        fit.games_min = fit.games_min.min(row.sample.games());
        for (figure, (ours, published)) in row.sample.figures().into_iter().zip(published).enumerate() {
            let [short, long] = [fewest, most].map(|games| distance(figure, ours, *published, games));
            fit.figures += 1;
            fit.within[0] += usize::from(short <= Z95);
            fit.within[1] += usize::from(long <= Z95);
            if ![row.key.matchup.first, row.key.matchup.second].contains(&Tier::Hard) {
                fit.without_hard[0] += usize::from(short <= Z95);
                fit.without_hard[1] += 1;
            }
            squares += long * long;
            if short > Z95 {
                let (matchup, figure) = (row.key.matchup.name(), NAMES[figure]);
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
            "{}: {} of {} published figures lie within the 95 % interval if each row is {fewest} games ({} of {} in the rows without \
             hard), {} if it is {most}; root mean square distance {:.1} standard errors, if it is {most} (chance alone gives at most 1)",
            self.seating.words(),
            self.within[0],
            self.figures,
            self.without_hard[0],
            self.without_hard[1],
            self.within[1],
            self.spread
        )
    }
}

/// The seating that a table fits more, by both measures: figures within the interval, and the distance.
pub(super) struct Nearer<'a> {
    /// `None` if the measures disagree.
    pub(super) fit: Option<&'a Fit>,
    /// Whether the rows are long enough to tell.
    told: bool,
    pub(super) text: String,
}

/// Compares both seatings; `None` if only one was played.
pub(super) fn nearer(fits: &[Fit]) -> Option<Nearer<'_>> {
    let [fair, shared] = fits else { return None };
    let told = fair.games_min.min(shared.games_min) >= GAMES_MIN;
    let (more, less) = if shared.within[0] > fair.within[0] { (shared, fair) } else { (fair, shared) };
    let agree = more.within[0] > less.within[0] && more.spread < less.spread;
    let words = more.seating.words();
    let (within, figures, fewer) = (more.within[0], more.figures, less.within[0]);
    let text = if !told {
        format!("Below {GAMES_MIN} games a row it cannot be told which seating fits more.")
    } else if !agree {
        format!(
            "Neither seating fits every figure, and the measures disagree on which fits more: {within} of {figures} against {fewer} for the \
             {words}, at a distance of {:.1} against {:.1}.",
            more.spread, less.spread
        )
    } else if within == figures {
        format!("The table fits the {words}.")
    } else {
        let verb = if words.ends_with('s') { "fit" } else { "fits" };
        format!(
            "Neither seating fits every figure; the {words} {verb} more: {within} of {figures} against {fewer}, at a distance of {:.1} \
             against {:.1}.",
            more.spread, less.spread
        )
    };
    Some(Nearer { fit: (told && agree).then_some(more), told, text })
}

impl Nearer<'_> {
    /// Whether it is the shared home.
    pub(super) fn into_verdict(self) -> (Verdict, String) {
        let verdict = match self.fit.map(|fit| fit.seating) {
            _ if !self.told => Verdict::TooFew,
            Some(Seating::SharedHome) => Verdict::Holds,
            Some(Seating::Fair) => Verdict::DoesNotHold,
            None => Verdict::InPart,
        };
        (verdict, self.text)
    }
}
