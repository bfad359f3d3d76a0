//! The points that the reports leave open about the players, and how much they matter.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::Result;
use arena_baselines::conquerors::{Open, Params};

use super::campaign::{Campaign, Matchup, Play, RowKey, Seating};
use super::figures::NAMES;
use super::fit::{Fit, fit};
use super::{Row, Rr001};
use crate::Games;

/// The name of the result file.
const FILE: &str = "rr-001-open-points.md";

/// How an open point is changed.
enum Change {
    /// A number of the players that no report gives.
    At(fn(&mut Open)),
    /// A rule, or numbers that reports give.
    By(fn(&mut Play)),
}

use Change::{At, By};

impl Change {
    fn of(&self, mut play: Play) -> Play {
        match self {
            At(change) => {
                let mut open = Open::RELEASED;
                change(&mut open);
                play.params = play.params.with(open);
            }
            By(change) => change(&mut play),
        }
        play
    }
}

const BOTH: &[Campaign] = &[Campaign::V5_4, Campaign::V5_5];
const ONLY_V2: &[Campaign] = &[Campaign::V2];

/// Each open point at one end of its plausible range: the change in words (`none` for the campaign as it is played),
/// the campaigns, and the change.
const CHANGES: [(&str, &[Campaign], Change); 28] = [
    ("none", &Campaign::ALL, By(|_| {})),
    ("a block's place does not matter, only its noise", BOTH, At(|open| open.block_place_weight = 0)),
    ("a block's place counts twice", BOTH, At(|open| open.block_place_weight = 2)),
    ("no noise in a block's place", BOTH, At(|open| open.block_noise_weight = 0)),
    ("twice the noise in a block's place", BOTH, At(|open| open.block_noise_weight = 2)),
    ("+4 for a cell with three own neighbours", BOTH, At(|open| open.three_neighbours = 4)),
    ("-4 for a cell with three own neighbours", BOTH, At(|open| open.three_neighbours = -4)),
    ("bombs at the edge, too", BOTH, At(|open| open.bomb_margin = 0)),
    ("the weighted score decides after round 12", BOTH, By(|play| play.options.weighted_majority = true)),
    (
        "the zone term of TR-001: 4 from round 6",
        &[Campaign::V5_5],
        By(|play| play.params = play.params.with_invasion_of(&Params::V5_4)),
    ),
    ("a cell at home is worth nothing more", ONLY_V2, At(|open| open.anchor = [0; 4])),
    ("a cell at home is worth twice as much", ONLY_V2, At(|open| open.anchor = [24, 8, 0, -6])),
    ("nothing for a cell that completes the chain", ONLY_V2, At(|open| open.chain_builder = 0)),
    ("twice as much for a cell that completes the chain", ONLY_V2, At(|open| open.chain_builder = 16)),
    ("a bomb pays for own cells at home as for others", ONLY_V2, At(|open| open.bomb_anchor_twentieths = 0)),
    ("a bomb pays twice as much more for own cells at home", ONLY_V2, At(|open| open.bomb_anchor_twentieths = 100)),
    ("hard plans with 10 cells", ONLY_V2, At(|open| open.shortlist = 10)),
    ("hard plans with 20 cells", ONLY_V2, At(|open| open.shortlist = 20)),
    ("an empty home costs a plan 10", ONLY_V2, At(|open| open.home_lost = -10)),
    ("an empty home costs a plan 100", ONLY_V2, At(|open| open.home_lost = -100)),
    ("nothing for neutral ground held", ONLY_V2, At(|open| open.neutral_held = 0)),
    ("twice as much for neutral ground held", ONLY_V2, At(|open| open.neutral_held = 8)),
    ("nothing for the chain held", ONLY_V2, At(|open| open.chain_held = 0)),
    ("twice as much for the chain held", ONLY_V2, At(|open| open.chain_held = 20)),
    (
        "harm as in RR-001 §5.3: 0 for normal",
        ONLY_V2,
        By(|play| play.params = play.params.with_harm_of(&Params::REPORT)),
    ),
    (
        "the zone term of RR-001 §5.3: 1, then 5 from round 5",
        ONLY_V2,
        By(|play| play.params = play.params.with_invasion_of(&Params::REPORT)),
    ),
    ("both as in RR-001 §5.3", ONLY_V2, By(|play| play.params = Params::REPORT)),
    ("cells decide after round 12", ONLY_V2, By(|play| play.options.weighted_majority = false)),
];

/// The text before the document's tables.
const ABOUT: &str = "\
The reports give the players to the last constant but for these points. What is played is what the released game does; each change below is \
one end of the plausible range, everything else as it is.

Of versions 5.4 and 5.5:

- **Where a block is stamped** (TR-001 §3.2: \"own home zone preferred, vertically centered, away from walls and from enemy cells within \
distance 2-3, plus difficulty-scaled noise\"). Played: home +8, 0.35 a row off the middle, wall -3, enemy cell within two cells -2, noise up to \
6, 2.5 and 1 points. Range: these preferences nought and twice, the noise nought and twice.
- **A cell with three own neighbours** (the shape prior names 0, 1-2 and 4 or more). Played: 0. Range: -4 to +4, the values beside it.
- **A bomb's centre at the edge.** Played: never. Range: there, too.
- **What decided full games of the harness.** TR-001 §2.4 counts cells, and RR-001 §6.6 says that the weighted score came with V2. Played: cells. \
Range: the weighted score, under which cells in columns 20 to 27 are blue's twice with the shared home.
- **The zone term of v5.5.** TR-001 §3.3 pays 4 from round 6, RR-001 §5.3 pays 5 from round 5, and §6.4 does not list the change. Played: RR-001's \
for v5.5. Range: TR-001's.

Of V2, whose report describes in words what its zones mean to the players (RR-001 §5.4, §5.5):

- **A cell at home**, an anchor. Played: +12 with up to two own cells there, +4 with up to four, -3 from ten on. Range: nought and twice.
- **A cell that completes the chain.** Played: +8. Range: nought and twice.
- **The bomb's own cells at home**, \"an extra cost\". Played: 2.5 beyond the 1.5 of any own cell. Range: nought and twice.
- **Hard's shortlist**, \"~14\". Played: 14. Range: 10 and 20.
- **Hard's plan**, which \"hard-penalizes\" an empty home and \"rewards\" the chain. Played: -30, +4 for neutral ground held, +10 for the whole \
chain. Range: -10 and -100; nought and twice.
- **Where the report and the released game differ**: harm to the enemy and the zone term. Played: the released game's. Range: the report's.
- **What decided full games of the harness.** Played: the weighted score, as §6.6 says. Range: cells.

Not varied, because they are settled elsewhere: reach is derived anew before each cell (a rule, pinned by vectors); the pools of 25 % and 10 % are \
rounded down; of equal cells the first in row order stands first. The reports also leave open how many games a row of a table is \
(50 to 200), which the documents of the campaigns take into account.
";

/// Plays every change and shows which figures move.
pub(super) fn run(args: &Rr001, games: &Games, out: &mut dyn Write) -> Result<bool> {
    let campaigns = args.campaign.list();
    let mut text =
        format!("# RR-001: open points\n\n{ABOUT}\nMade by\n\n```\n{}\n```\n", args.command(args.campaign.name()));
    let changes = |campaign: Campaign| CHANGES.iter().filter(move |(_, campaigns, _)| campaigns.contains(&campaign));
    let rows: usize = campaigns.iter().map(|campaign| changes(*campaign).count()).sum();
    let rows = rows * args.seating.list().len() * Matchup::PUBLISHED.len();
    let tables = campaigns.iter().flat_map(|campaign| args.seating.list().iter().map(move |s| (*campaign, *s)));
    let table = |(campaign, seating): (Campaign, Seating)| {
        let _ = writeln!(text, "\n## {}, {}\n", campaign.name(), seating.words());
        head(&mut text);
        let mut base = Vec::new();
        for (what, _, change) in changes(campaign) {
            let play = change.of(campaign.play(seating));
            let row = |matchup| args.row(RowKey { campaign, seating, matchup }, &play, games);
            let played: Vec<Row> = Matchup::PUBLISHED.into_iter().map(row).collect();
            line(&mut text, what, &base, &played, (campaign, seating));
            if base.is_empty() {
                base = played;
            }
        }
    };
    games.counted(rows as u64 * u64::from(args.games), || tables.for_each(table));
    let _ = writeln!(
        text,
        "\nMoves are against the first line, the largest over the six matchups, with the matchup; two samples of {} games differ by up to {:.1} \
         points by chance (95 %, at one half, one matchup alone). *Fits*: published figures within the interval if each row of \
         the table is the shortest that the report allows; *distance*: root mean square in standard errors, if it is the longest.",
        args.games,
        196.0 * (0.5 / f64::from(args.games)).sqrt()
    );
    write!(out, "{text}")?;
    args.common.write(&[(FILE.into(), text)])?;
    Ok(true)
}

fn head(text: &mut String) {
    let moves = [0, 1, 3, 4].map(|figure: usize| NAMES[figure]).join(" | ");
    let _ = writeln!(text, "| change | {moves} | fits | distance |\n|---|---:|---:|---:|---:|---:|---:|");
}

/// The largest move of each figure, and the fit of the published table.
fn line(text: &mut String, what: &str, base: &[Row], played: &[Row], (campaign, seating): (Campaign, Seating)) {
    let moves = [0, 1, 3, 4].map(|figure: usize| {
        let moved = base.iter().zip(played).map(|(before, after)| {
            let by = after.sample.figures()[figure].value - before.sample.figures()[figure].value;
            (by, after.key.matchup.name())
        });
        let largest = moved.max_by(|(one, _), (other, _)| one.abs().total_cmp(&other.abs()));
        largest.map_or("-".into(), |(by, matchup)| match format!("{by:+.1}") {
            still if still.ends_with("0.0") && still.len() == "+0.0".len() => "0.0".into(),
            moved => format!("{moved} ({matchup})"),
        })
    });
    let fit = fit(played, campaign, seating);
    let fits = fit.as_ref().map_or(String::new(), |Fit { within, figures, .. }| format!("{} of {figures}", within[0]));
    let distance = fit.map_or(String::new(), |fit| format!("{:.1}", fit.spread));
    let _ = writeln!(text, "| {what} | {} | {fits} | {distance} |", moves.join(" | "));
}
