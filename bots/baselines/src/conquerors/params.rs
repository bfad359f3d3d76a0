//! The parameters of the tiers, in twentieths of a point where they are not whole points.

/// The strength of a baseline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tier {
    /// Sloppy: much noise, picks from the top quarter.
    Easy,
    /// Sound: little noise, picks from the top tenth.
    Normal,
    /// Plans its four cells together, looking one generation ahead.
    Hard,
}

impl Tier {
    /// All tiers, weakest first.
    pub const ALL: [Tier; 3] = [Tier::Easy, Tier::Normal, Tier::Hard];

    /// `easy`, `normal` or `hard`.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Easy => "easy",
            Tier::Normal => "normal",
            Tier::Hard => "hard",
        }
    }

    /// The tier with this name.
    pub fn from_name(name: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|tier| tier.name() == name)
    }
}

/// How many of the scored cells a greedy pick chooses from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pool {
    /// One in this many cells, rounded down, and at least one.
    OneIn(u32),
    /// This many cells.
    Top(u32),
}

/// The parameters of one tier, in points unless the name says twentieths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TierParams {
    /// Weight of the change of own cells in the window, lambda.
    pub(super) own_weight: i32,
    /// Weight of the loss of enemy cells in the window, mu.
    pub(super) harm_weight: i32,
    /// Further weight of that loss from round 7 on against a colony of at most 12 cells, kappa.
    pub(super) killer_weight: i32,
    /// Noise is uniform below this, nu.
    pub(super) noise_twentieths: u32,
    /// Noise of a block position is uniform below this.
    pub(super) block_noise_twentieths: u32,
    /// A cell in the enemy's home, early and late.
    pub(super) invasion_early: i32,
    /// The same from a certain round on.
    pub(super) invasion_late: i32,
    /// That round.
    pub(super) invasion_late_from: u8,
    pub(super) pool: Pool,
    /// Chance of considering the bomb in a turn from round 7 on.
    pub(super) bomb_chance_twentieths: u32,
    /// Enemy cells a bomb must hit.
    pub(super) bomb_hits_min: i32,
    /// Points a bomb must be worth.
    pub(super) bomb_value_min: i32,
    /// Whether the four cells are planned together.
    pub(super) plans: bool,
    /// Whether cells and bombs are valued by the meaning of zones under V2: the home anchor, the chain, doubled cells. Source: RR-001
    /// §5.4.
    pub(super) zone_aware: bool,
    pub(super) open: Open,
}

/// Points that the reports leave open, for studies of how much they matter. The default is what the released game does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    /// The weight of a block's place, relative to its noise: 1.
    pub block_place_weight: i32,
    /// The weight of the noise of a block's place: 1.
    pub block_noise_weight: u32,
    /// The value of a cell with three own neighbours by its shape, in points: 0. The reports give it for 0, 1, 2 and more than 3.
    pub three_neighbours: i32,
    /// The minimum distance of a bomb's centre from the edge: 1.
    pub bomb_margin: u8,
    /// The value of a cell at home under V2, by the own cells there: up to 2, 4, 9, and more.
    pub anchor: [i32; 4],
    /// The value of a cell that completes the chain under V2: 8.
    pub chain_builder: i32,
    /// What the bomb of V2 pays for an own cell at home, beyond any own cell, in twentieths: 50.
    pub bomb_anchor_twentieths: i32,
    /// How many of the best cells hard plans with, at least one: 14.
    pub shortlist: usize,
    /// The value of the next board to hard's plan if its home is empty: -30.
    pub home_lost: i32,
    /// The same for neutral ground held from home: 4.
    pub neutral_held: i32,
    /// The same, in addition, for the whole chain held: 10.
    pub chain_held: i32,
}

impl Open {
    /// The released game.
    pub const RELEASED: Open = Open {
        block_place_weight: 1,
        block_noise_weight: 1,
        three_neighbours: 0,
        bomb_margin: 1,
        anchor: [12, 4, 0, -3],
        chain_builder: 8,
        bomb_anchor_twentieths: 50,
        shortlist: 14,
        home_lost: -30,
        neutral_held: 4,
        chain_held: 10,
    };
}

impl TierParams {
    /// The same tier without noise, as in test vectors.
    pub fn without_noise(mut self) -> TierParams {
        self.noise_twentieths = 0;
        self.block_noise_twentieths = 0;
        self
    }
}

/// The parameters of all three tiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Params {
    easy: TierParams,
    normal: TierParams,
    hard: TierParams,
}

impl Params {
    /// What the released game plays with; the default everywhere.
    pub const SHIPPED: Params = Params {
        easy: TierParams {
            own_weight: 5,
            harm_weight: 0,
            killer_weight: 0,
            noise_twentieths: 8 * 20,
            block_noise_twentieths: 6 * 20,
            invasion_early: 6,
            invasion_late: 14,
            invasion_late_from: 5,
            pool: Pool::OneIn(4),
            bomb_chance_twentieths: 7,
            bomb_hits_min: 6,
            bomb_value_min: 4,
            plans: false,
            zone_aware: true,
            open: Open::RELEASED,
        },
        normal: TierParams {
            own_weight: 9,
            harm_weight: 2,
            killer_weight: 0,
            noise_twentieths: 3 * 20,
            block_noise_twentieths: 50,
            invasion_early: 6,
            invasion_late: 14,
            invasion_late_from: 5,
            pool: Pool::OneIn(10),
            bomb_chance_twentieths: 7,
            bomb_hits_min: 6,
            bomb_value_min: 4,
            plans: false,
            zone_aware: true,
            open: Open::RELEASED,
        },
        hard: TierParams {
            own_weight: 10,
            harm_weight: 4,
            killer_weight: 6,
            noise_twentieths: 24,
            block_noise_twentieths: 20,
            invasion_early: 6,
            invasion_late: 14,
            invasion_late_from: 5,
            pool: Pool::Top(2),
            bomb_chance_twentieths: 16,
            bomb_hits_min: 5,
            bomb_value_min: 3,
            plans: true,
            zone_aware: true,
            open: Open::RELEASED,
        },
    };

    /// The numbers of RR-001 §5.3 where it gives them, the shipped ones elsewhere. It differs in two: normal does not
    /// value harm, and cells in the enemy's home are worth 1, then 5.
    pub const REPORT: Params = Params {
        easy: TierParams { invasion_early: 1, invasion_late: 5, ..Params::SHIPPED.easy },
        normal: TierParams { harm_weight: 0, invasion_early: 1, invasion_late: 5, ..Params::SHIPPED.normal },
        hard: TierParams { invasion_early: 1, invasion_late: 5, ..Params::SHIPPED.hard },
    };

    /// Version 5.4, which plays by the V1 rules. Source: TR-001 §3.3; RR-001 §5.3 for the bomb of easy and normal.
    pub const V5_4: Params = Params {
        easy: TierParams { invasion_late: 4, invasion_late_from: 6, ..Params::V5_5.easy },
        normal: TierParams { invasion_late: 4, invasion_late_from: 6, ..Params::V5_5.normal },
        hard: TierParams {
            killer_weight: 0,
            invasion_late: 4,
            invasion_late_from: 6,
            bomb_chance_twentieths: 12,
            bomb_hits_min: 6,
            bomb_value_min: 4,
            ..Params::V5_5.hard
        },
    };

    /// Version 5.5, which plays by the V1 rules: hard throws more bombs and hunts weak colonies. Source: RR-001 §5.3, §6.4.
    pub const V5_5: Params = Params {
        easy: TierParams { zone_aware: false, ..Params::REPORT.easy },
        normal: TierParams { zone_aware: false, ..Params::REPORT.normal },
        hard: TierParams { zone_aware: false, plans: false, ..Params::REPORT.hard },
    };

    /// The same with other choices for the points that the reports leave open.
    pub fn with(self, open: Open) -> Params {
        let with = |tier: TierParams| TierParams { open, ..tier };
        Params { easy: with(self.easy), normal: with(self.normal), hard: with(self.hard) }
    }

    /// The same with `other`'s values of harm to the enemy.
    pub fn with_harm_of(self, other: &Params) -> Params {
        let with = |tier: TierParams, other: &TierParams| TierParams { harm_weight: other.harm_weight, ..tier };
        Params {
            easy: with(self.easy, &other.easy),
            normal: with(self.normal, &other.normal),
            hard: with(self.hard, &other.hard),
        }
    }

    /// The same with `other`'s values of cells in the enemy's home.
    pub fn with_invasion_of(self, other: &Params) -> Params {
        let with = |tier: TierParams, other: &TierParams| TierParams {
            invasion_early: other.invasion_early,
            invasion_late: other.invasion_late,
            invasion_late_from: other.invasion_late_from,
            ..tier
        };
        Params {
            easy: with(self.easy, &other.easy),
            normal: with(self.normal, &other.normal),
            hard: with(self.hard, &other.hard),
        }
    }

    /// The parameters of one tier.
    pub fn of(&self, tier: Tier) -> &TierParams {
        match tier {
            Tier::Easy => &self.easy,
            Tier::Normal => &self.normal,
            Tier::Hard => &self.hard,
        }
    }
}
