//! The baselines' numbers, and the fixed-point scale they are on.

/// One twentieth of a point, in units. Every constant of the baselines is a whole number of twentieths; the 16 bits
/// below are for noise.
pub const TWENTIETH: i64 = 65_536;
/// One point, in units.
pub const POINT: i64 = 20 * TWENTIETH;

/// Strength of a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tier {
    /// One cell at a time, much noise, a large pool.
    Easy,
    /// One cell at a time, some noise, a small pool.
    Normal,
    /// Plans whole turns.
    Hard,
}

impl Tier {
    /// All three, weakest first.
    pub const ALL: [Tier; 3] = [Tier::Easy, Tier::Normal, Tier::Hard];

    /// Points a cell gained in the 5x5 window is worth (lambda). Source: RR-001 §5.3.
    pub(crate) fn own_gain_points(self) -> i64 {
        match self {
            Tier::Easy => 5,
            Tier::Normal => 9,
            Tier::Hard => 10,
        }
    }

    /// Upper end of a cell score's noise in twentieths (nu: 8, 3, 1.2 points). Source: RR-001 §5.3.
    pub(crate) fn cell_noise_twentieths(self) -> i64 {
        match self {
            Tier::Easy => 160,
            Tier::Normal => 60,
            Tier::Hard => 24,
        }
    }

    /// Upper end of a block's noise in twentieths (6, 2.5, 1 points). Source: the shipped client.
    pub(crate) fn block_noise_twentieths(self) -> i64 {
        match self {
            Tier::Easy => 120,
            Tier::Normal => 50,
            Tier::Hard => 20,
        }
    }

    /// How many of `n` (at least 1) candidates, best first, a greedy pick chooses from. Source: RR-001 §5.3, rounded
    /// as the shipped client does.
    pub(crate) fn pool(self, n: usize) -> usize {
        match self {
            Tier::Easy => (n / 4).max(1),
            Tier::Normal => (n / 10).max(1),
            Tier::Hard => n.min(2),
        }
    }

    /// Chance to think of a bomb, in twentieths (0.35, 0.35, 0.8). Source: RR-001 §5.3.
    pub(crate) fn bomb_chance_twentieths(self) -> u64 {
        match self {
            Tier::Easy | Tier::Normal => 7,
            Tier::Hard => 16,
        }
    }

    /// Enemy cells a bomb has to hit at least. Source: RR-001 §5.3.
    pub(crate) fn bomb_hits_min(self) -> i64 {
        match self {
            Tier::Easy | Tier::Normal => 6,
            Tier::Hard => 5,
        }
    }

    /// Value a bomb has to have at least, in points. Source: RR-001 §5.3.
    pub(crate) fn bomb_value_min_points(self) -> i64 {
        match self {
            Tier::Easy | Tier::Normal => 4,
            Tier::Hard => 3,
        }
    }
}

/// The numbers in which the report and the shipped client differ. Where the report gives none, both sets have the
/// client's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// What normal earns for an enemy cell lost in the window (its mu), in points.
    pub normal_harm_points: i64,
    /// Bonus of a cell in the enemy's home from round 5 on, in points.
    pub enemy_zone_late_points: i64,
    /// The same before round 5.
    pub enemy_zone_early_points: i64,
}

impl Params {
    /// The shipped client's numbers.
    pub const SHIPPED: Params =
        Params { normal_harm_points: 2, enemy_zone_late_points: 14, enemy_zone_early_points: 6 };
    /// The report's numbers. Source: RR-001 §5.3.
    pub const REPORT: Params = Params { normal_harm_points: 0, enemy_zone_late_points: 5, enemy_zone_early_points: 1 };

    /// What an enemy cell lost in the window earns (mu), in points. Source: RR-001 §5.3 but for normal.
    pub(crate) fn harm_points(&self, tier: Tier) -> i64 {
        match tier {
            Tier::Easy => 0,
            Tier::Normal => self.normal_harm_points,
            Tier::Hard => 4,
        }
    }
}

impl Default for Params {
    fn default() -> Params {
        Params::SHIPPED
    }
}

/// Noise below `limit_twentieths` twentieths out of one draw, in units.
pub fn noise(draw: u32, limit_twentieths: i64) -> i64 {
    (i64::from(draw) * (limit_twentieths * TWENTIETH)) >> 32
}

/// An index below `n` out of one draw.
pub fn index_below(draw: u32, n: usize) -> usize {
    ((u64::from(draw) * n as u64) >> 32) as usize
}
