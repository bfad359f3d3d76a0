//! The campaigns, seatings and matchups that are played.

use arena_baselines::conquerors::{Params, Tier};
use arena_rules::conquerors::Options;
use clap::ValueEnum;

/// One of the report's three measurements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Campaign {
    /// The baseline, before tuning (§6.2).
    V5_4,
    /// After the changes of §6.4 (§6.2).
    V5_5,
    /// The V2 rules and players (§6.6).
    V2,
}

impl Campaign {
    pub(super) const ALL: [Campaign; 3] = [Campaign::V5_4, Campaign::V5_5, Campaign::V2];

    pub(super) fn name(self) -> &'static str {
        match self {
            Campaign::V5_4 => "v5.4",
            Campaign::V5_5 => "v5.5",
            Campaign::V2 => "v2",
        }
    }

    /// The section of the report with its table.
    pub(super) fn section(self) -> &'static str {
        match self {
            Campaign::V5_4 | Campaign::V5_5 => "6.2",
            Campaign::V2 => "6.6",
        }
    }

    /// The smallest and largest number of games in a row of the published table. The report gives no number by row
    /// (§6.1, §6.6).
    pub(super) fn published_games(self) -> [f64; 2] {
        match self {
            Campaign::V5_4 | Campaign::V5_5 => [50.0, 200.0],
            Campaign::V2 => [150.0, 200.0],
        }
    }

    /// Its rules in a seating, and the parameters of its players.
    pub(super) fn play(self, seating: Seating) -> Play {
        let (rules, params) = match self {
            Campaign::V5_4 => (Options::V5, Params::V5_4),
            Campaign::V5_5 => (Options::V5, Params::V5_5),
            Campaign::V2 => (Options::V2, Params::SHIPPED),
        };
        Play { options: Options { shared_home: seating == Seating::SharedHome, ..rules }, params }
    }

    /// The name of one of its tiers among the built-in opponents.
    pub(super) fn player(self, tier: Tier) -> String {
        let release = match self {
            Campaign::V5_4 => "-v54",
            Campaign::V5_5 => "-v55",
            Campaign::V2 => "",
        };
        format!("{}{release}", tier.name())
    }
}

/// The rules and players of a row's games.
#[derive(Clone, Copy)]
pub(super) struct Play {
    pub(super) options: Options,
    pub(super) params: Params,
}

/// The key of a row of the study.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RowKey {
    pub(super) campaign: Campaign,
    pub(super) seating: Seating,
    pub(super) matchup: Matchup,
}

/// Which campaigns to play.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Campaigns {
    /// The baseline: the players of version 5.4 by the V1 rules.
    #[value(name = "v5.4")]
    V5_4,
    /// Tuned: the players of version 5.5 by the V1 rules.
    #[value(name = "v5.5")]
    V5_5,
    /// The V2 rules with today's easy, normal and hard.
    V2,
    /// All three, one after the other, and which of the report's findings hold.
    All,
}

impl Campaigns {
    pub(super) fn list(self) -> &'static [Campaign] {
        match self {
            Campaigns::V5_4 => &[Campaign::V5_4],
            Campaigns::V5_5 => &[Campaign::V5_5],
            Campaigns::V2 => &[Campaign::V2],
            Campaigns::All => &Campaign::ALL,
        }
    }

    pub(super) fn name(self) -> &'static str {
        if let [one] = self.list() { one.name() } else { "all" }
    }
}

/// The side from which each player sees the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Seating {
    /// Each from its own side.
    Fair,
    /// Blue reaches from red's home: colours exchanged, columns not mirrored, as RR-001 §6.1 says it.
    SharedHome,
}

impl Seating {
    pub(super) const ALL: [Seating; 2] = [Seating::Fair, Seating::SharedHome];

    pub(super) fn name(self) -> &'static str {
        match self {
            Seating::Fair => "fair",
            Seating::SharedHome => "shared-home",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Seating::Fair => "fair seats",
            Seating::SharedHome => "shared home",
        }
    }

    /// The letter of the reference to compare with, also used for the seeds of games.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Seating::Fair => "A",
            Seating::SharedHome => "B",
        }
    }
}

/// Which seatings to play.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Seatings {
    /// Both players see the board from their own side; unequal matchups in either order.
    Fair,
    /// Both colonies sit in red's home, as in the published study.
    SharedHome,
    /// Both seatings.
    Both,
}

impl Seatings {
    pub(super) fn list(self) -> &'static [Seating] {
        match self {
            Seatings::Fair => &[Seating::Fair],
            Seatings::SharedHome => &[Seating::SharedHome],
            Seatings::Both => &Seating::ALL,
        }
    }
}

/// Player 1 (blue, first) against player 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Matchup {
    pub(super) first: Tier,
    pub(super) second: Tier,
}

impl Matchup {
    /// The rows of the published tables, in their order.
    pub(super) const PUBLISHED: [Matchup; 6] = [
        Matchup::new(Tier::Easy, Tier::Easy),
        Matchup::new(Tier::Normal, Tier::Normal),
        Matchup::new(Tier::Hard, Tier::Hard),
        Matchup::new(Tier::Easy, Tier::Normal),
        Matchup::new(Tier::Easy, Tier::Hard),
        Matchup::new(Tier::Normal, Tier::Hard),
    ];

    pub(super) const fn new(first: Tier, second: Tier) -> Matchup {
        Matchup { first, second }
    }

    pub(super) fn name(self) -> String {
        format!("{}-{}", self.first.name(), self.second.name())
    }

    pub(super) fn is_mirror(self) -> bool {
        self.first == self.second
    }

    pub(super) fn swapped(self) -> Matchup {
        Matchup { first: self.second, second: self.first }
    }

    /// The rows of the table to play in a seating: in fair seats, unequal matchups in both orders.
    pub(super) fn rows(seating: Seating) -> impl Iterator<Item = Matchup> {
        Matchup::PUBLISHED.into_iter().flat_map(move |matchup| {
            let swapped = (seating == Seating::Fair && !matchup.is_mirror()).then(|| matchup.swapped());
            [Some(matchup), swapped].into_iter().flatten()
        })
    }
}
