//! Zones of the board and which of them a player may place in.

use super::{Board, COLS, Colour, Options, Plane};

/// Columns of each home zone; the neutral zone has the rest.
pub const HOME_COLS: usize = 8;

const LEFT: Plane = Plane::columns(0, HOME_COLS);
const MIDDLE: Plane = Plane::columns(HOME_COLS, COLS - HOME_COLS);
const RIGHT: Plane = Plane::columns(COLS - HOME_COLS, COLS);

/// A zone, from one player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zone {
    /// The player's own home.
    Home,
    /// The twelve columns between the homes.
    Neutral,
    /// The opponent's home.
    Enemy,
}

impl Zone {
    /// All zones, nearest first.
    pub const ALL: [Zone; 3] = [Zone::Home, Zone::Neutral, Zone::Enemy];

    /// The cells of a colour's home: columns 0..8 for blue, 20..28 for red.
    pub fn home_of(colour: Colour) -> Plane {
        match colour {
            Colour::Blue => LEFT,
            Colour::Red => RIGHT,
        }
    }

    /// `home`, `neutral` or `enemy`.
    pub fn name(self) -> &'static str {
        match self {
            Zone::Home => "home",
            Zone::Neutral => "neutral",
            Zone::Enemy => "enemy",
        }
    }

    /// The cells of this zone for `colour` under `options`.
    pub fn cells(self, colour: Colour, options: &Options) -> Plane {
        let base = if options.shared_home { Colour::Red } else { colour };
        match self {
            Zone::Home => Zone::home_of(base),
            Zone::Neutral => MIDDLE,
            Zone::Enemy => Zone::home_of(base.other()),
        }
    }
}

/// Which zones a player may place in, on one board. Source: RR-001 §2.3, "Territory as a reachability predicate".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    colour: Colour,
    options: Options,
    neutral: bool,
    enemy: bool,
}

impl Reach {
    /// The reach of `colour` on `board`. Own home is always open; neutral is open with a living cell at home; the
    /// enemy's home is open with a living cell there and in neutral and, by the V2 presence chain, at home.
    pub fn of(board: &Board, colour: Colour, options: &Options) -> Reach {
        let lives_in = |zone: Zone| board.of(colour).meets(&zone.cells(colour, options));
        let home = lives_in(Zone::Home);
        let chain = lives_in(Zone::Neutral) && lives_in(Zone::Enemy) && (home || !options.chain_needs_home);
        Reach { colour, options: *options, neutral: home, enemy: chain }
    }

    /// Whether `zone` is open.
    pub fn is_open(&self, zone: Zone) -> bool {
        match zone {
            Zone::Home => true,
            Zone::Neutral => self.neutral,
            Zone::Enemy => self.enemy,
        }
    }

    /// The open zones, nearest first.
    pub fn zones(&self) -> impl Iterator<Item = Zone> + use<> {
        let reach = *self;
        Zone::ALL.into_iter().filter(move |zone| reach.is_open(*zone))
    }

    /// All cells of the open zones, including living ones.
    pub fn cells(&self) -> Plane {
        self.zones().map(|zone| zone.cells(self.colour, &self.options)).fold(Plane::EMPTY, |all, zone| all | zone)
    }
}
