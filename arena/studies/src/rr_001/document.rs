//! The results as Markdown with plots.

use std::fmt::Write as _;

use arena_rules::Seat;

use super::campaign::{Campaign, Campaigns, Matchup, Seating};
use super::figures::{NAMES, Z95, distance, published};
use super::{ParamSet, Row, Rr001, Stress, find, findings, fit, plots, reference};

/// The document about the findings.
pub(super) const FINDINGS: &str = "rr-001-findings.md";

/// A document and plots for each campaign that was played, and a document about the findings unless other numbers were
/// played than the references': the files' names and texts.
pub(super) fn all(rows: &[Row], stress: Option<&Stress>, args: &Rr001) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for campaign in args.campaign.list() {
        let stem = stem(*campaign, args);
        let plots = plots::all(rows, *campaign, &stem);
        files.push((format!("{stem}.md"), campaign_text(rows, stress, *campaign, &plots, args)));
        files.extend(plots.into_iter().map(|plot| (plot.file, plot.svg)));
    }
    if args.campaign == Campaigns::All || args.params == ParamSet::Shipped {
        files.push((FINDINGS.into(), findings_text(rows, stress, &args.command(args.campaign.name()))));
    }
    files
}

fn what(campaign: Campaign) -> &'static str {
    match campaign {
        Campaign::V5_4 => "the baseline: `easy-v54`, `normal-v54` and `hard-v54` by the V1 rules",
        Campaign::V5_5 => "tuned: `easy-v55`, `normal-v55` and `hard-v55` by the V1 rules",
        Campaign::V2 => "`easy`, `normal` and `hard` by the V2 rules",
    }
}

/// What the names of a campaign's files begin with. The two sets of numbers for V2 have documents of their own.
fn stem(campaign: Campaign, args: &Rr001) -> String {
    let report = if plays_report(campaign, args) { "-report" } else { "" };
    format!("rr-001-{}{report}", campaign.name())
}

fn plays_report(campaign: Campaign, args: &Rr001) -> bool {
    campaign == Campaign::V2 && args.params == ParamSet::Report
}

/// Whose numbers the players have.
fn numbers(campaign: Campaign, args: &Rr001) -> &'static str {
    match campaign {
        Campaign::V2 if plays_report(campaign, args) => {
            "The players' numbers are the report's, section 5.3: `normal` does not value harm, and a cell in the enemy's home is worth 1, then 5. \
             The released game has other ones, [played in the other document](rr-001-v2.md)."
        }
        Campaign::V2 => {
            "The players' numbers are the released game's, which built-in players have, too: `normal` values harm at 2, and a cell in the enemy's \
             home is worth 6, then 14. Section 5.3 of the report says 0, and 1, then 5: [played with those](rr-001-v2-report.md)."
        }
        Campaign::V5_4 | Campaign::V5_5 => "The players' numbers are the reports'.",
    }
}

fn campaign_text(
    rows: &[Row],
    stress: Option<&Stress>,
    campaign: Campaign,
    plots: &[plots::Plot],
    args: &Rr001,
) -> String {
    let mut text = String::new();
    let command = args.command(campaign.name());
    let numbers_of = if plays_report(campaign, args) { ", the report's numbers" } else { "" };
    let _ = writeln!(text, "# RR-001, campaign {}{numbers_of}\n", campaign.name());
    for plot in plots {
        let _ = writeln!(text, "![{}]({})\n", plot.alt, plot.file);
    }
    let _ = writeln!(
        text,
        "{}, against each other. The report's table is in section {}. {} Made by\n\n```\n{command}\n```\n",
        capital(what(campaign)),
        campaign.section(),
        numbers(campaign, args)
    );
    let _ = writeln!(
        text,
        "P1 is blue and moves first. In *fair seats* both players see the board from their own side. With the *shared home* blue's \
         board has its colours exchanged and its columns not mirrored, as section 6.1 says it, so that both colonies sit in red's \
         home. Round is min(12, counter); margin is the lead in what decides a full game: {}. Each of our rows is {} games; \
         intervals are 95 %.\n",
        if campaign == Campaign::V2 { "the weighted score" } else { "cells" },
        rows.first().map_or(0.0, |row| row.sample.games()),
    );
    if campaign == Campaign::V2 {
        text += CONSTANTS;
    }
    table(&mut text, rows, campaign);
    fits(&mut text, rows, campaign);
    more(&mut text, rows, campaign);
    if campaign == Campaign::V2 {
        references(&mut text, rows, args);
        if let Some(stress) = stress {
            let _ = writeln!(text, "\n## The stress test of V4\n\n{}.", stress.sentence());
        }
    }
    text
}

/// The agreement of V2 with the references, which were made with the released game's numbers.
fn references(text: &mut String, rows: &[Row], args: &Rr001) {
    if args.params == ParamSet::Report {
        return;
    }
    if let Some((verdict, sentence)) = reference::verdict(rows) {
        let _ = writeln!(
            text,
            "\n## Whether it is the same game\n\nThat V2 is played here as by an independent engine **{verdict}**: {sentence} A share of few \
             games has the error of both samples together, a mean the larger of the two known deviations."
        );
    }
}

/// Whose numbers V2 is played with: the two sets side by side.
const CONSTANTS: &str = "\
| constant | the released game | RR-001 §5.3 |
| --- | ---: | ---: |
| weight of harm to the enemy, easy, normal, hard | 0, 2, 4 | 0, 0, 4 |
| a cell in the enemy's home, before round 5 and from then on | 6, 14 | 1, 5 |
| weight of own cells gained, easy, normal, hard | 5, 9, 10 | 5, 9, 10 |
| noise, easy, normal, hard | 8, 3, 1.2 | 8, 3, 1.2 |
| chosen from the best, easy, normal, hard | 25 %, 10 %, 2 | 25 %, 10 %, 2 |
| more for harm to a weak colony from round 7, hard | 6 | 6 |
| chance of a bomb, hard, others | 0.8, 0.35 | 0.8, 0.35 |

The report leaves the other numbers of V2 open: [what they matter](rr-001-open-points.md).

";

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn line(text: &mut String, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().collect();
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

/// Every published figure next to ours.
fn table(text: &mut String, rows: &[Row], campaign: Campaign) {
    let [fewest, _] = campaign.published_games();
    line(text, ["matchup".into(), "source".into()].into_iter().chain(NAMES.map(String::from)));
    line(text, (0..NAMES.len() + 2).map(|column| if column < 2 { "---".into() } else { "---:".into() }));
    for matchup in Matchup::PUBLISHED {
        let printed = published(campaign, matchup).unwrap_or_default();
        let cells = (0..NAMES.len()).map(|figure| printed.get(figure).map_or("-".into(), f64::to_string));
        line(text, [format!("**{}**", matchup.name()), "published".into()].into_iter().chain(cells));
        for seating in Seating::ALL {
            if let Some(sample) = find(rows, campaign, seating, matchup) {
                let cells = sample.figures().into_iter().enumerate().map(|(figure, ours)| {
                    let far = printed.get(figure).is_some_and(|printed| distance(figure, ours, *printed, fewest) > Z95);
                    format!("{ours}{}", if far { " ✗" } else { "" })
                });
                line(text, [String::new(), seating.words().into()].into_iter().chain(cells));
            }
            let swapped = matchup.swapped();
            if let Some(sample) = find(rows, campaign, seating, swapped).filter(|_| !matchup.is_mirror()) {
                let cells = sample.figures().map(|ours| ours.to_string());
                line(text, [swapped.name(), seating.words().into()].into_iter().chain(cells));
            }
        }
    }
    let _ = writeln!(
        text,
        "\n✗: the published figure is further from ours than the 95 % interval of their difference, even if its row is {fewest} games, \
         the fewest that the report allows.\n"
    );
}

/// The seating that the table fits.
fn fits(text: &mut String, rows: &[Row], campaign: Campaign) {
    let _ = writeln!(text, "## Which seating fits\n");
    let fits: Vec<fit::Fit> =
        Seating::ALL.into_iter().filter_map(|seating| fit::fit(rows, campaign, seating)).collect();
    for fit in &fits {
        let _ = writeln!(text, "- {}.", capital(&fit.sentence(campaign)));
    }
    if let Some(nearer) = fit::nearer(&fits) {
        let outside = nearer.fit.map_or(&[][..], |fit| &fit.outside);
        let head = if outside.is_empty() { "" } else { " What does not fit it:\n" };
        let _ = writeln!(text, "\n**{}**{head}", nearer.text);
        for fit::Outside { matchup, figure, published, ours } in outside {
            let _ = writeln!(text, "- {matchup}: {figure} is {published} in print, {ours:.1} here.");
        }
    }
    let _ = writeln!(text);
}

/// Figures that the report's tables lack: points with balanced seats, bombs, invasions, lost homes.
fn more(text: &mut String, rows: &[Row], campaign: Campaign) {
    let _ = writeln!(text, "## More of the same games\n");
    let head = [
        "matchup",
        "seating",
        "P1 score %",
        "bombs a game",
        "P1 invades %",
        "P2 invades %",
        "P1 homeless",
        "P2 homeless",
    ];
    line(text, head.map(String::from));
    line(text, (0..head.len()).map(|column| if column < 2 { "---".into() } else { "---:".into() }));
    for row in rows.iter().filter(|row| row.key.campaign == campaign) {
        let sample = &row.sample;
        let figures = [sample.score(), sample.bombs(), sample.invaded(Seat(0)), sample.invaded(Seat(1))];
        let homeless = [Seat(0), Seat(1)].map(|seat| sample.unanchored(seat).to_string());
        let cells = figures.map(|figure| figure.to_string()).into_iter().chain(homeless);
        line(text, [row.key.matchup.name(), row.key.seating.words().into()].into_iter().chain(cells));
    }
    let _ = writeln!(
        text,
        "\nA draw is half a point. *Invades*: games in which the seat could place in the enemy's home at one of its turns. *Homeless*: \
         games in which it lived without a cell at home after some generation."
    );
}

fn findings_text(rows: &[Row], stress: Option<&Stress>, command: &str) -> String {
    let mut text = String::from("# RR-001: what holds of its findings\n\n");
    line(&mut text, ["finding".into(), "verdict".into(), "what we found".into()]);
    line(&mut text, ["---".into(), "---".into(), "---".into()]);
    let findings = findings::all(rows, stress);
    for finding in &findings {
        let claim = format!("**{}** {}", finding.name, finding.claim);
        line(&mut text, [claim, format!("**{}**", finding.verdict), capital(&finding.text)]);
    }
    let _ = writeln!(
        text,
        "\nVerdicts go by games in fair seats; ± is a 95 % interval. {} Claims are the report's in short; those without a number are ours. Figures, plots and the seating that \
         each table fits: [v5.4](rr-001-v5.4.md), [v5.5](rr-001-v5.5.md), [v2](rr-001-v2.md). How much what the reports leave open \
         matters: [open points](rr-001-open-points.md). Made by\n\n```\n{command}\n```\n",
        findings::thresholds()
    );
    let _ = writeln!(text, "## Which seating each table fits\n");
    for campaign in Campaign::ALL {
        let fits: Vec<fit::Fit> =
            Seating::ALL.into_iter().filter_map(|seating| fit::fit(rows, campaign, seating)).collect();
        for fit in &fits {
            let _ = writeln!(text, "- {}, {}.", campaign.name(), fit.sentence(campaign));
        }
        if let Some(nearer) = fit::nearer(&fits) {
            let _ = writeln!(text, "  **{}**", nearer.text);
        }
    }
    text
}
