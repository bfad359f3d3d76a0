//! Zones: what a cell in them is worth, and which of them a player may place into.

use crate::board::{Board, BySeat, COLUMNS, Cell, EMPTY, Player, all_cells};

/// Columns of each home: blue's 0..=7, red's 20..=27. Source: RR-001 §2.3.
pub const HOME_WIDTH: usize = 8;
const _: () = assert!(2 * HOME_WIDTH < COLUMNS, "the homes leave a neutral zone");

/// What distinguishes the rule sets this crate can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The chain into the enemy's home needs a live cell in the own home too (V2); v5.4 asks for the other two only.
    /// Source: RR-001 §2.3 against TR-001 §2.2.
    pub home_clause: bool,
    /// After the last round the weighted scores decide (V2), else the raw counts (v5.4).
    pub weighted_majority: bool,
    /// For a study only: blue's reach is red's, with columns 20..=27 as its home and 0..=7 as the enemy's. Scores do
    /// not change: blue's cells in columns 20..=27 still count double.
    pub shared_home: bool,
}

impl Options {
    /// The rules of RR-001 ("V2").
    pub const V2: Options = Options { home_clause: true, weighted_majority: true, shared_home: false };
    /// The rules of TR-001 ("v5.4").
    pub const V5_4: Options = Options { home_clause: false, weighted_majority: false, shared_home: false };
}

/// A third of the board, seen by one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// The player's own.
    Home,
    /// The middle, columns 8..=19.
    Neutral,
    /// The opponent's home.
    Enemy,
}

/// The zone of a column, with homes where the scores see them: blue's on the left, red's on the right.
pub(crate) fn standard_zone(player: Player, column: usize) -> Zone {
    let on_the_left = column < HOME_WIDTH;
    let on_the_right = column >= COLUMNS - HOME_WIDTH;
    match player {
        Player::Blue if on_the_left => Zone::Home,
        Player::Blue if on_the_right => Zone::Enemy,
        Player::Red if on_the_right => Zone::Home,
        Player::Red if on_the_left => Zone::Enemy,
        _ => Zone::Neutral,
    }
}

/// Weighted scores: a cell in the opponent's home counts 2, any other 1. Source: RR-001 §2.3, Weighted scoring.
pub fn scores(board: &Board) -> BySeat<u32> {
    let mut scores = BySeat::default();
    for cell in all_cells() {
        for player in [Player::Blue, Player::Red] {
            if board[cell.row][cell.column] == player.colour() {
                let worth = if standard_zone(player, cell.column) == Zone::Enemy { 2 } else { 1 };
                *scores.of_mut(player) += worth;
            }
        }
    }
    scores
}

/// The zone of a column as the rules of reach see it: like the scores do, but for [`Options::shared_home`].
pub fn zone(player: Player, column: usize, options: Options) -> Zone {
    if options.shared_home { standard_zone(Player::Red, column) } else { standard_zone(player, column) }
}

/// Where a player may place, besides its home, which is always open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The neutral zone is open.
    pub neutral: bool,
    /// The enemy's home is open.
    pub enemy: bool,
}

impl Reach {
    /// Whether a zone is open.
    pub fn contains(self, zone: Zone) -> bool {
        match zone {
            Zone::Home => true,
            Zone::Neutral => self.neutral,
            Zone::Enemy => self.enemy,
        }
    }
}

/// What a player reaches on the board as it is now. Ask again before every single placement: a cell placed this turn
/// counts as live. Source: RR-001 §2.3, Territory.
pub fn zones(board: &Board, player: Player, options: Options) -> Reach {
    let holds = |wanted: Zone| {
        all_cells()
            .any(|cell| board[cell.row][cell.column] == player.colour() && zone(player, cell.column, options) == wanted)
    };
    let home = holds(Zone::Home);
    Reach { neutral: home, enemy: holds(Zone::Neutral) && holds(Zone::Enemy) && (home || !options.home_clause) }
}

/// The cells a player may place into now: the empty ones of the zones it reaches, row-major.
pub fn legal_cells(board: &Board, player: Player, options: Options) -> Vec<Cell> {
    let reach = zones(board, player, options);
    all_cells()
        .filter(|cell| board[cell.row][cell.column] == EMPTY)
        .filter(|cell| reach.contains(zone(player, cell.column, options)))
        .collect()
}
