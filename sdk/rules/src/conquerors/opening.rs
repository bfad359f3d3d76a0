//! How a game starts: with the empty board, an opening drawn from its seed, or an opening given cell by cell.
//!
//! From one board, two bots that ignore their seed have only two different games. With an opening they have as many as there
//! are seeds, and the game is still a function of (options, seed). Both games of a pair have the same seed and so the same
//! opening. `sdk/ABI.md` describes the draws, with vectors.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::{
    BOMB_FROM_ROUND, Board, ByColour, Cell, Colour, HOME_COLS, Options, PLACEMENTS, Plane, Position, ROWS, Turn,
    TurnDraft,
};
use crate::{BySeat, Rng, Ruleset, Seed};

/// Cells per colour of a symmetric opening, at least: what a turn places. With fewer, most die at once.
pub const OPENING_CELLS_MIN: u8 = PLACEMENTS;
/// The most cells per colour of a symmetric opening: about half of their patch. With more there are fewer openings, not more.
pub const OPENING_CELLS_MAX: u8 = 12;
/// The fewest turns of an opening of random turns: one round. Openings have whole rounds, so that blue moves first in every game and
/// both have had equally many turns.
pub const OPENING_TURNS_MIN: u8 = 2;
/// The most turns of an opening of random turns: a third of the game, which ends before bombs unlock, so that none is thrown at random.
pub const OPENING_TURNS_MAX: u8 = 8;

/// The most cells per colour of an opening that names its cells: six turns' worth. As text they take less than 160 characters.
pub const OPENING_NAMED_MAX: u32 = 6 * PLACEMENTS as u32;

const _: () = assert!(OPENING_TURNS_MAX < 2 * (BOMB_FROM_ROUND - 1));

/// The generator's stream, which separates these draws from others made with a game's seed.
const STREAM: u64 = u64::from_le_bytes(*b"opening1");
/// Rows and columns of the square that a symmetric opening lies in: small enough that its cells are neighbours.
const PATCH: usize = 5;
/// Columns of blue's home, from the left, that a symmetric opening uses. Without the last column, no cell that blue can place
/// in its first turn is a neighbour of red's opening.
const PATCH_COLS: usize = HOME_COLS - 1;
/// Draws before the board is left empty. At least two in five are good, so no seed ever gets there.
const DRAWS_MAX: u32 = 1_000;

/// Everything that is chosen before a game of Conquerors starts. The default is the current rules from the empty board.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Start {
    /// The rules in force.
    pub options: Options,
    /// What is on the board before the first turn.
    pub opening: Opening,
}

/// Starts from the empty board.
impl From<Options> for Start {
    fn from(options: Options) -> Start {
        Start { options, opening: Opening::default() }
    }
}

/// What is on the board before the first turn. As text: `empty`, `symmetric:N`, `turns:K` or `cells:BLUE/RED`. The default is
/// empty.
///
/// After every opening but the empty one it is blue's turn, no bomb cools, no skip is used, both colours live, and both
/// would live on after a generation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Opening(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one in a game, and a copied one needs no heap")]
enum Kind {
    #[default]
    Empty,
    Symmetric(u8),
    Turns(u8),
    Named(Board),
}

impl Opening {
    /// This many cells of each colour at home, with red's the mirror image of blue's; `None` if that is not
    pub fn symmetric(cells: u8) -> Option<Opening> {
        (OPENING_CELLS_MIN..=OPENING_CELLS_MAX).contains(&cells).then_some(Opening(Kind::Symmetric(cells)))
    }

    /// This many random legal turns; `None` if that is odd or not [`OPENING_TURNS_MIN`]`..=`[`OPENING_TURNS_MAX`].
    pub fn random_turns(turns: u8) -> Option<Opening> {
        let good = (OPENING_TURNS_MIN..=OPENING_TURNS_MAX).contains(&turns) && turns.is_multiple_of(2);
        good.then_some(Opening(Kind::Turns(turns)))
    }

    /// These cells; `None` if a colour has none or more than [`OPENING_NAMED_MAX`], or would die out without a turn.
    pub fn named(board: Board) -> Option<Opening> {
        let live = |board: &Board| Colour::BOTH.map(|colour| board.of(colour).count());
        let good = live(&board).iter().all(|cells| (1..=OPENING_NAMED_MAX).contains(cells));
        (good && live(&board.next()).iter().all(|cells| *cells > 0)).then_some(Opening(Kind::Named(board)))
    }

    /// Whether the board is empty.
    pub fn is_empty(self) -> bool {
        self.0 == Kind::Empty
    }

    /// Whether it is drawn from the seed.
    pub fn is_drawn(self) -> bool {
        matches!(self.0, Kind::Symmetric(_) | Kind::Turns(_))
    }

    /// The first position of a game with this opening and seed.
    pub(super) fn position(self, options: &Options, seed: &Seed) -> Position {
        match self.0 {
            Kind::Empty => Position::empty(options),
            Kind::Symmetric(cells) => Position::with_board(options, symmetric(cells, seed)),
            Kind::Turns(turns) => played(turns, options, seed).0,
            Kind::Named(board) => Position::with_board(options, board),
        }
    }

    /// The turns that lead from the empty board to the first position, blue's first; none unless the opening consists of
    /// turns.
    pub fn turns(self, options: &Options, seed: &Seed) -> Vec<Turn> {
        match self.0 {
            Kind::Turns(turns) => played(turns, options, seed).1,
            Kind::Empty | Kind::Symmetric(_) | Kind::Named(_) => Vec::new(),
        }
    }
}

/// The board of a symmetric opening.
fn symmetric(cells: u8, seed: &Seed) -> Board {
    let mut rng = Rng::new(seed, STREAM);
    (0..DRAWS_MAX).find_map(|_| symmetric_draw(cells, &mut rng)).unwrap_or(Board::EMPTY)
}

/// Draws a place for the patch, then its cells in random order, the first of which live; `None` if they die out.
fn symmetric_draw(cells: u8, rng: &mut Rng) -> Option<Board> {
    let top = rng.below((ROWS - PATCH + 1) as u32) as usize;
    let left = rng.below((PATCH_COLS - PATCH + 1) as u32) as usize;
    let mut patch: [usize; PATCH * PATCH] = core::array::from_fn(|index| index);
    rng.shuffle(&mut patch);
    let mut blue = Plane::EMPTY;
    for index in &patch[..usize::from(cells)] {
        let (row, col) = (top + index / PATCH, left + index % PATCH);
        blue.insert(Cell::new(row as u8, col as u8)?);
    }
    let board = Board::new(ByColour { blue, red: blue.mirrored() })?;
    board.next().of(Colour::Blue).meets(&Plane::columns(0, PATCH_COLS)).then_some(board)
}

/// The position after random turns, and these turns.
fn played(turns: u8, options: &Options, seed: &Seed) -> (Position, Vec<Turn>) {
    let mut rng = Rng::new(seed, STREAM);
    let found = (0..DRAWS_MAX).find_map(|_| turns_draw(turns, options, &mut rng));
    found.unwrap_or_else(|| (Position::empty(options), Vec::new()))
}

/// Plays random turns; `None` once the game is over, or if a colour would die out after the last turn without
/// another one.
fn turns_draw(turns: u8, options: &Options, rng: &mut Rng) -> Option<(Position, Vec<Turn>)> {
    let (mut position, mut played) = (Position::empty(options), Vec::new());
    for _ in 0..turns {
        let turn = random_placement(&position, rng)?;
        let mover = position.to_move()?.seat();
        position.advance(BySeat::new(2, |seat| (seat == mover).then(|| turn.clone())));
        played.push(turn);
        position.to_move()?;
    }
    let next = position.board().next().counts();
    (next.blue > 0 && next.red > 0).then_some((position, played))
}

/// Four cells: the first is any legal one, each further one a legal neighbour of those before it, or any legal one if there
/// is no such neighbour; all equally likely. `None` if four cells cannot be placed.
fn random_placement(position: &Position, rng: &mut Rng) -> Option<Turn> {
    let mut draft = TurnDraft::new(position, position.to_move()?.seat()).ok()?;
    for _ in 0..PLACEMENTS {
        let legal = draft.placeable();
        let beside = draft.placed().iter().fold(Plane::EMPTY, |beside, cell| beside | Plane::square(*cell)) & legal;
        let from = if beside.is_empty() { legal } else { beside };
        let chosen = from.cells().nth(rng.below(from.count()) as usize)?;
        draft.place(chosen.into()).ok()?;
    }
    draft.finish().ok()
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Empty => write!(f, "empty"),
            Kind::Symmetric(cells) => write!(f, "symmetric:{cells}"),
            Kind::Turns(turns) => write!(f, "turns:{turns}"),
            Kind::Named(board) => {
                f.write_str("cells:")?;
                for colour in Colour::BOTH {
                    f.write_str(if colour == Colour::BOTH[0] { "" } else { "/" })?;
                    for cell in board.of(colour).cells() {
                        write!(f, "{}{}", char::from(b'a' + cell.row() as u8), cell.col())?;
                    }
                }
                Ok(())
            }
        }
    }
}

/// A text that is not an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseOpeningError;

impl fmt::Display for ParseOpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "an opening is `empty`, `symmetric:N` with {OPENING_CELLS_MIN} to {OPENING_CELLS_MAX} cells a colour, \
             `turns:K` with {OPENING_TURNS_MIN} to {OPENING_TURNS_MAX} turns, an even number, or `cells:BLUE/RED` with 1 to \
             {OPENING_NAMED_MAX} cells a colour, such as a0 and z27, row by row"
        )
    }
}

impl core::error::Error for ParseOpeningError {}

impl FromStr for Opening {
    type Err = ParseOpeningError;

    fn from_str(text: &str) -> Result<Opening, ParseOpeningError> {
        let opening = match text.split_once(':') {
            None => (text == "empty").then(Opening::default),
            Some(("symmetric", cells)) => cells.parse().ok().and_then(Opening::symmetric),
            Some(("turns", turns)) => turns.parse().ok().and_then(Opening::random_turns),
            Some(("cells", cells)) => cells.split_once('/').and_then(|(blue, red)| {
                let cells = ByColour { blue: named_cells(blue)?, red: named_cells(red)? };
                Board::new(cells).and_then(Opening::named)
            }),
            Some(_) => None,
        };
        // Rust also parses `+8` and `08` as numbers, which are not canonical.
        opening.filter(|opening| same_text(opening, text)).ok_or(ParseOpeningError)
    }
}

/// Cells by name, a letter and a number each.
fn named_cells(mut text: &str) -> Option<Plane> {
    let mut plane = Plane::EMPTY;
    while let Some(row) = text.bytes().next() {
        let rest = text.get(1..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        plane.insert(Cell::new(row.checked_sub(b'a')?, rest[..digits].parse().ok()?)?);
        text = &rest[digits..];
    }
    Some(plane)
}

fn same_text(opening: &Opening, text: &str) -> bool {
    use alloc::string::ToString as _;
    opening.to_string() == text
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString as _};

    use super::*;

    #[test]
    fn cells_that_are_named_are_the_board_of_every_seed() {
        let text = "cells:c3c4d3d4/w23w24x23x24";
        let opening: Opening = text.parse().expect("two blocks");
        assert_eq!(opening.to_string(), text);
        assert!(!opening.is_drawn() && !opening.is_empty());
        for seed in [[0; 32], [7; 32]] {
            let position = opening.position(&Options::V2, &seed);
            let cells = position.board().of(Colour::Blue).cells().map(|cell| (cell.row(), cell.col()));
            assert_eq!(
                cells.map(|(row, col)| (row as u8, col as u8)).collect::<Vec<_>>(),
                [(2, 3), (2, 4), (3, 3), (3, 4)]
            );
            assert_eq!((position.ply(), opening.turns(&Options::V2, &seed)), (0, Vec::new()));
        }
        let many = |cells: u32| {
            (0..cells).map(|at| alloc::format!("{}{}", char::from(b'a' + at as u8), 3)).collect::<String>()
        };
        assert!(alloc::format!("cells:{}/w23w24x23x24", many(OPENING_NAMED_MAX)).parse::<Opening>().is_ok());
        for bad in [
            "cells:",
            "cells:/",
            "cells:c3c4d3d4/",
            "cells:c3/w23w24x23x24",
            "cells:c4c3d3d4/w23w24x23x24",
            "cells:c3c4d3d4/c3w24x23x24",
            "cells:c03c4d3d4/w23w24x23x24",
            "cells:c3c4d3d4/w23w24x23x28",
            "cells:C3c4d3d4/w23w24x23x24",
            "cells:c3c4d3d4é/w23w24x23x24",
            "cells:c3c3c4d3d4/w23w24x23x24",
            &alloc::format!("cells:{}/w23w24x23x24", many(OPENING_NAMED_MAX + 1)),
        ] {
            assert_eq!(bad.parse::<Opening>(), Err(ParseOpeningError), "{bad}");
        }
    }

    /// A thousand draws are enough: at least two in five are good, and 0.6^1000 is below 10^-200.
    #[test]
    fn many_draws_are_good() {
        let mut rng = Rng::new(&[0; 32], 0);
        for cells in OPENING_CELLS_MIN..=OPENING_CELLS_MAX {
            let good = (0..1_000).filter(|_| symmetric_draw(cells, &mut rng).is_some()).count();
            assert!(good > 400, "{good} of 1,000 with {cells} cells");
        }
        for turns in (OPENING_TURNS_MIN..=OPENING_TURNS_MAX).step_by(2) {
            let good = (0..1_000).filter(|_| turns_draw(turns, &Options::V2, &mut rng).is_some()).count();
            assert!(good > 400, "{good} of 1,000 with {turns} turns");
        }
    }
}
