//! Checks the report's findings F1 to F5 and V1 to V5. Verdicts use fair seats; figures with the shared home are shown
//! beside them.

use arena_baselines::conquerors::Tier;
use arena_rules::Seat;

use super::super::verdict::Verdict;
use super::campaign::{Campaign, Matchup, Seating};
use super::figures::{Estimate, GAMES_MIN};
use super::sample::{RUN, Sample};
use super::{Row, Stress, find, fit, reference};

use Campaign::{V2, V5_4, V5_5};
use Seating::{Fair, SharedHome};

const EASY_EASY: Matchup = Matchup::PUBLISHED[0];
const NORMAL_NORMAL: Matchup = Matchup::PUBLISHED[1];
const HARD_HARD: Matchup = Matchup::PUBLISHED[2];
const EASY_NORMAL: Matchup = Matchup::PUBLISHED[3];
const EASY_HARD: Matchup = Matchup::PUBLISHED[4];
const NORMAL_HARD: Matchup = Matchup::PUBLISHED[5];

/// A score at most this many points from one half is a coin flip: about what the report calls one, 52 to 56 %.
const COIN_FLIP: f64 = 6.0;
/// Shares of extinctions up to this are rare: the report calls 9 % rare.
const RARE: f64 = 10.0;
/// The smallest share of wins that is not trivial.
const NONTRIVIAL: f64 = 5.0;
/// What never happened in a sample may happen in less than this share of games, and counts as never.
const NEVER: f64 = 0.1;
/// A number with a single digit is below this.
const TWO_DIGITS: f64 = 10.0;
/// A zone is reached if there are turns with a legal cell in it in more games than this share, in percent.
const REACHED: f64 = 50.0;

/// The thresholds of the verdicts, in a sentence.
pub(super) fn thresholds() -> String {
    format!(
        "A claim holds, or does not, only if its whole interval says so, and that of at least {GAMES_MIN} games; otherwise there are too few \
         games to tell. A coin flip is a score \
         at most {COIN_FLIP} points from one half, near-even at most {} between wins and losses, rare is up to {RARE} %, not trivial from \
         {NONTRIVIAL} %, a single digit below {TWO_DIGITS}, never is less than {NEVER} %, and hard reaches the doubled zone if it can place \
         there in more than {REACHED} % of its games. {}",
        2.0 * COIN_FLIP,
        reference::thresholds()
    )
}

/// Whether the games show that all of these hold; not, as soon as they show that one does not.
fn all_of(claims: &[Option<bool>]) -> Option<bool> {
    if claims.contains(&Some(false)) { Some(false) } else { claims.iter().all(Option::is_some).then_some(true) }
}

/// Whether the games show the opposite.
fn not(claim: Option<bool>) -> Option<bool> {
    claim.map(|holds| !holds)
}

/// A claim in a sentence.
fn said(claim: Option<bool>, [yes, no]: [&'static str; 2]) -> &'static str {
    match claim {
        Some(true) => yes,
        Some(false) => no,
        None => "is not told by so few games",
    }
}

/// A finding of the report, and what we found.
pub(super) struct Finding {
    pub(super) name: &'static str,
    /// The report's claim in short.
    pub(super) claim: &'static str,
    pub(super) verdict: Verdict,
    pub(super) text: String,
}

/// The findings about the campaigns and seatings that were played, the report's and ours.
pub(super) fn all(rows: &[Row], stress: Option<&Stress>) -> Vec<Finding> {
    let played = Played(rows);
    let findings = [
        engine(&played),
        order(&played),
        f1(&played),
        f2(&played),
        f3(&played),
        f4(&played),
        f5(&played),
        v1(&played),
        v2(&played),
        v3(&played),
        v4(&played, stress),
        v5(&played),
    ];
    let seatings = Campaign::ALL.map(|campaign| seating(&played, campaign));
    findings.into_iter().chain(seatings).flatten().collect()
}

/// Whether V2 is played here as by another engine.
fn engine(played: &Played) -> Option<Finding> {
    let (verdict, text) = reference::verdict(played.0)?;
    Some(Finding { name: "Engine", claim: "ours: V2 is played here as by an independent engine.", verdict, text })
}

/// Whether the stronger tier wins more in either order of seats.
fn order(played: &Played) -> Option<Finding> {
    let mut claims = Vec::new();
    let mut against = Vec::new();
    for weaker_first in [EASY_NORMAL, EASY_HARD, NORMAL_HARD] {
        for matchup in [weaker_first, weaker_first.swapped()] {
            let first = played.row(V2, Fair, matchup)?.lead().is_above(0.0);
            let stronger = if matchup == weaker_first { not(first) } else { first };
            claims.push(stronger);
            against.extend((stronger == Some(false)).then(|| matchup.name()));
        }
    }
    let claim = all_of(&claims);
    Some(Finding {
        name: "Order",
        claim: "ours: easy < normal < hard by wins under V2, in either order of seats.",
        verdict: Verdict::of(&[claim]),
        text: match claim {
            Some(true) => "the stronger tier wins more in all six.".into(),
            Some(false) => format!("the stronger tier does not win more in {}.", against.join(", ")),
            None => "the interval of some lead has both signs.".into(),
        },
    })
}

/// Which seating a campaign's table fits.
fn seating(played: &Played, campaign: Campaign) -> Option<Finding> {
    let fits = Seating::ALL.map(|seating| fit::fit(played.0, campaign, seating));
    let [Some(fair), Some(shared)] = fits else { return None };
    let (verdict, text) = fit::nearer(&[fair, shared])?.into_verdict();
    let (name, claim) = match campaign {
        V5_4 => ("Seats v5.4", "ours: the table of v5.4 fits a shared home more than fair seats."),
        V5_5 => ("Seats v5.5", "ours: the table of v5.5 fits a shared home more than fair seats."),
        V2 => ("Seats v2", "ours: the table of v2 fits a shared home more than fair seats."),
    };
    Some(Finding { name, claim, verdict, text })
}

/// The rows that were played.
struct Played<'a>(&'a [Row]);

impl Played<'_> {
    fn row(&self, campaign: Campaign, seating: Seating, matchup: Matchup) -> Option<&Sample> {
        find(self.0, campaign, seating, matchup)
    }

    /// The score of the stronger tier, with equal weight for both orders of seats. Only fair seats have both.
    fn stronger(&self, campaign: Campaign, matchup: Matchup) -> Option<Estimate> {
        let second = self.row(campaign, Fair, matchup)?.score().rest();
        Some(second.with(self.row(campaign, Fair, matchup.swapped())?.score()))
    }

    /// A share in fair seats and, if it was played, with the shared home, in words.
    fn both(
        &self,
        campaign: Campaign,
        matchup: Matchup,
        of: impl Fn(&Sample) -> Estimate,
    ) -> Option<(Estimate, String)> {
        let fair = of(self.row(campaign, Fair, matchup)?);
        let shared = self.row(campaign, SharedHome, matchup).map(of);
        let shared = shared.map_or(String::new(), |shared| format!(" (shared home {shared})"));
        Some((fair, format!("{fair}{shared}")))
    }
}

fn extinctions(sample: &Sample) -> Estimate {
    sample.figures()[3]
}

fn f1(played: &Played) -> Option<Finding> {
    let [normal, hard, top] = [EASY_NORMAL, EASY_HARD, NORMAL_HARD].map(|matchup| played.stronger(V5_4, matchup));
    let (normal, hard, top) = (normal?, hard?, top?);
    let ordered = all_of(&[normal, hard, top].map(|score| score.is_above(50.0)));
    let flat = top.is_near(50.0, COIN_FLIP);
    Some(Finding {
        name: "F1",
        claim: "v5.4: the ladder is correct, steep from easy to normal, nearly flat from normal to hard.",
        verdict: Verdict::of(&[ordered, all_of(&[flat, normal.exceeds(top)])]),
        text: format!(
            "the stronger tier scores {normal} % of the points in easy-normal, {hard} % in easy-hard and {top} % in \
             normal-hard, seats balanced: the order {}, and the step from normal to hard {}.",
            said(ordered, ["holds", "does not hold"]),
            said(flat, ["is nearly flat", "is not flat"]),
        ),
    })
}

/// The finding is about parameters, not figures, but their effect can be played.
fn f2(played: &Played) -> Option<Finding> {
    let top = played.stronger(V5_4, NORMAL_HARD)?;
    Some(Finding {
        name: "F2",
        claim: "v5.4: normal and hard differ in noise, pool and enemy harm alone.",
        verdict: Verdict::InPart,
        text: format!(
            "the three differences are as stated, but TR-001 §3.3 gives a fourth: hard thinks of the bomb with probability 0.6, \
             normal with 0.35. Together they are worth {top} % of the points to hard, seats balanced."
        ),
    })
}

fn f3(played: &Played) -> Option<Finding> {
    let (hard, hard_text) = played.both(V5_4, HARD_HARD, extinctions)?;
    let (mixed, mixed_text) = played.both(V5_4, NORMAL_HARD, extinctions)?;
    let bombs = played.row(V5_4, Fair, HARD_HARD)?.bombs();
    Some(Finding {
        name: "F3",
        claim: "v5.4: games of high tiers rarely end by extinction (hard-hard 9 %, normal-hard 0 %).",
        verdict: Verdict::of(&[hard, mixed].map(|share| not(share.is_above(RARE)))),
        text: format!(
            "extinctions end {hard_text} % of hard-hard and {mixed_text} % of normal-hard. Both players of hard-hard together throw \
             {bombs} bombs a game."
        ),
    })
}

fn f4(played: &Played) -> Option<Finding> {
    let wins = |sample: &Sample| sample.figures()[0];
    let (normal, normal_text) = played.both(V5_4, EASY_NORMAL, wins)?;
    let (hard, hard_text) = played.both(V5_4, EASY_HARD, wins)?;
    Some(Finding {
        name: "F4",
        claim: "v5.4: easy wins some games against higher tiers (35 % against normal, 21 % against hard).",
        verdict: Verdict::of(&[normal, hard].map(|share| share.is_above(NONTRIVIAL))),
        text: format!("moving first, easy wins {normal_text} % against normal and {hard_text} % against hard."),
    })
}

fn f5(played: &Played) -> Option<Finding> {
    let lead = |matchup| played.both(V5_4, matchup, Sample::lead);
    let ((easy, easy_text), (normal, normal_text), (hard, hard_text)) =
        (lead(EASY_EASY)?, lead(NORMAL_NORMAL)?, lead(HARD_HARD)?);
    Some(Finding {
        name: "F5",
        claim: "v5.4: the first player is ahead at easy and normal, the second at hard.",
        verdict: Verdict::of(&[easy.is_above(0.0), normal.is_above(0.0), not(hard.is_above(0.0))]),
        text: format!(
            "wins of the first player less those of the second, in percent of the games: {easy_text} in easy-easy, {normal_text} \
             in normal-normal, {hard_text} in hard-hard."
        ),
    })
}

fn v1(played: &Played) -> Option<Finding> {
    let second = |sample: &Sample| sample.figures()[1];
    let (easy_before, _) = played.both(V5_5, EASY_HARD, second)?;
    let (normal_before, _) = played.both(V5_5, NORMAL_HARD, second)?;
    let (easy, easy_text) = played.both(V2, EASY_HARD, second)?;
    let (normal, normal_text) = played.both(V2, NORMAL_HARD, second)?;
    let above = |matchup| played.stronger(V2, matchup).and_then(|score| score.is_above(50.0));
    let steep = all_of(&[EASY_NORMAL, EASY_HARD, NORMAL_HARD].map(above));
    Some(Finding {
        name: "V1",
        claim: "v2: the ladder stays monotone, and hard wins more than in v5.5 (easy-hard 89 to 99 %, normal-hard 64 to 92 %).",
        verdict: Verdict::of(&[steep, easy.exceeds(easy_before), normal.exceeds(normal_before)]),
        text: format!(
            "the order {}; hard, moving second, wins {easy_text} % against easy (v5.5: {easy_before}) and {normal_text} % against \
             normal (v5.5: {normal_before}).",
            said(steep, ["holds in both orders of seats together", "does not hold"])
        ),
    })
}

fn v2(played: &Played) -> Option<Finding> {
    let margin = |sample: &Sample| sample.figures()[5];
    let (before, before_text) = played.both(V5_5, EASY_HARD, margin)?;
    let (after, after_text) = played.both(V2, EASY_HARD, margin)?;
    let row = played.row(V2, Fair, EASY_HARD)?;
    let (easy, hard) = (row.invaded(Seat(0)), row.invaded(Seat(1)));
    let (_, mirror) = played.both(V2, HARD_HARD, |sample| sample.invaded(Seat(1)))?;
    let single = not(before.is_above(TWO_DIGITS));
    Some(Finding {
        name: "V2",
        claim: "v2: weighted margins widen (easy-hard 28.8 against single digits in v5.5), because hard reaches the doubled zone \
                and weaker tiers rarely do.",
        verdict: Verdict::of(&[after.exceeds(before), single, hard.exceeds(easy), hard.is_above(REACHED)]),
        text: format!(
            "the mean margin of easy-hard is {after_text}; in v5.5 it is {before_text} cells{}. Hard can place in the enemy's home at \
             some turn in {hard} % of these games, easy in {easy} %; in hard-hard the second player in {mirror} %.",
            if single == Some(false) { ", no single digit" } else { "" }
        ),
    })
}

fn v3(played: &Played) -> Option<Finding> {
    let (easy_before, easy_before_text) = played.both(V5_5, EASY_HARD, extinctions)?;
    let (easy, easy_text) = played.both(V2, EASY_HARD, extinctions)?;
    let (normal_before, normal_before_text) = played.both(V5_5, NORMAL_HARD, extinctions)?;
    let (normal, normal_text) = played.both(V2, NORMAL_HARD, extinctions)?;
    Some(Finding {
        name: "V3",
        claim: "v2: more extinctions against weaker play than in v5.5 (easy-hard 34 to 66 %, normal-hard 0 to 19 %).",
        verdict: Verdict::of(&[easy.exceeds(easy_before), normal.exceeds(normal_before)]),
        text: format!(
            "easy-hard goes from {easy_before_text} to {easy_text} %, normal-hard from {normal_before_text} to {normal_text} %."
        ),
    })
}

fn v4(played: &Played, stress: Option<&Stress>) -> Option<Finding> {
    let stress = stress?;
    let (mut games, mut lost) = (0.0, 0);
    for row in played.0.iter().filter(|row| row.is_of(V2, Fair)) {
        for (tier, seat) in [(row.key.matchup.first, Seat(0)), (row.key.matchup.second, Seat(1))] {
            if tier == Tier::Hard {
                games += row.sample.games();
                lost += row.sample.unanchored(seat);
            }
        }
    }
    let mirror = played.row(V2, Fair, HARD_HARD)?;
    let share = Estimate::share(lost as f64, games);
    let never = |lost, share: Estimate| if lost > 0 { Some(false) } else { (share.half() < NEVER).then_some(true) };
    Some(Finding {
        name: "V4",
        claim: "v2: hard never loses its home anchor while alive, in the campaign and in a stress test.",
        verdict: Verdict::of(&[never(lost, share), never(stress.lost, stress.share())]),
        text: format!(
            "in {lost} of the {games} games that a seat of hard played in fair seats ({share} %) it lived without a cell at home after \
             some generation; in hard-hard {} times as first player and {} times as second. {}.",
            mirror.unanchored(Seat(0)),
            mirror.unanchored(Seat(1)),
            stress.sentence()
        ),
    })
}

fn v5(played: &Played) -> Option<Finding> {
    let hard = played.row(V2, Fair, HARD_HARD)?;
    let (first, second) = (hard.figures()[0], hard.figures()[1]);
    let (found, expected) = hard.extinctions_by_run()?;
    let (lower, _) = played.row(V2, Fair, NORMAL_NORMAL)?.extinctions_by_run()?;
    let even = hard.lead().is_near(0.0, 2.0 * COIN_FLIP);
    let more_than_chance = found.is_above(expected) == Some(true);
    Some(Finding {
        name: "V5",
        claim: "v2: hard-hard is near-even, and its extinctions vary more from run to run than those of lower tiers.",
        verdict: Verdict::of(&[even, found.exceeds(lower)]),
        text: format!(
            "the first player wins {first} %, the second {second} %. Between runs of {RUN} games the share of extinctions has a \
             standard deviation of {found} points in hard-hard and {lower} in normal-normal; independent games of hard-hard \
             have {expected:.1}, so {}.",
            if more_than_chance {
                "it varies more than chance explains"
            } else {
                "it is chance: a share near one half varies most"
            }
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_said_and_claims_are_joined() {
        let [yes, no, open] = [Some(true), Some(false), None];
        assert_eq!([all_of(&[yes, open]), all_of(&[no, open]), all_of(&[yes, yes])], [None, no, yes]);
        assert!(thresholds().contains("at most 6 points from one half, near-even at most 12 "), "{}", thresholds());
    }
}
