//! The grid, one generation of it, and what is counted on it.

/// Rows of the board. Source: RR-001 §2.1.
pub const ROWS: usize = 26;
/// Columns of the board. Source: RR-001 §2.1.
pub const COLUMNS: usize = 28;
/// The value of a dead cell; live ones have [`Player::colour`].
pub const EMPTY: u8 = 0;

/// A board: row-major, origin top-left, 0 empty, 1 blue, 2 red.
pub type Board = [[u8; COLUMNS]; ROWS];

/// One of the two sides. Blue moves first and lives on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Player 1.
    Blue,
    /// Player 2.
    Red,
}

impl Player {
    /// The value of this player's cells on a [`Board`].
    pub fn colour(self) -> u8 {
        match self {
            Player::Blue => 1,
            Player::Red => 2,
        }
    }

    /// The other side.
    pub fn opponent(self) -> Player {
        match self {
            Player::Blue => Player::Red,
            Player::Red => Player::Blue,
        }
    }
}

/// One value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BySeat<T> {
    /// Blue's.
    pub blue: T,
    /// Red's.
    pub red: T,
}

impl<T> BySeat<T> {
    /// The value of one side.
    pub fn of(&self, player: Player) -> &T {
        match player {
            Player::Blue => &self.blue,
            Player::Red => &self.red,
        }
    }

    /// The value of one side, to change.
    pub fn of_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::Blue => &mut self.blue,
            Player::Red => &mut self.red,
        }
    }
}

/// A place on the board; nothing says it is inside ([`Cell::is_on_board`] does).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// 0..=25, from the top.
    pub row: usize,
    /// 0..=27, from the left.
    pub column: usize,
}

impl Cell {
    /// Whether the board has such a cell.
    pub fn is_on_board(self) -> bool {
        self.row < ROWS && self.column < COLUMNS
    }
}

/// All 728 cells, row-major.
pub fn all_cells() -> impl Iterator<Item = Cell> {
    (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| Cell { row, column }))
}

/// The cells of the square of `2 * radius + 1` around a cell that lie on the board, row-major, `centre` included.
pub(crate) fn square(centre: Cell, radius: usize) -> impl Iterator<Item = Cell> {
    let rows = centre.row.saturating_sub(radius)..(centre.row + radius + 1).min(ROWS);
    rows.flat_map(move |row| {
        let columns = centre.column.saturating_sub(radius)..(centre.column + radius + 1).min(COLUMNS);
        columns.map(move |column| Cell { row, column })
    })
}

/// How many of the up to eight neighbours of a cell have a colour. Nothing lives outside, nothing wraps.
pub fn neighbours(board: &Board, cell: Cell, colour: u8) -> usize {
    let mut count = 0;
    for row_step in -1isize..=1 {
        for column_step in -1isize..=1 {
            if row_step == 0 && column_step == 0 {
                continue;
            }
            let row = cell.row as isize + row_step;
            let column = cell.column as isize + column_step;
            if row < 0 || row >= ROWS as isize || column < 0 || column >= COLUMNS as isize {
                continue;
            }
            if board[row as usize][column as usize] == colour {
                count += 1;
            }
        }
    }
    count
}

/// What one cell is a generation later: B3/S23, survivors keep their colour, a birth takes the majority's (three
/// parents of two colours never tie). Source: RR-001 §2.2.
pub(crate) fn next_state(board: &Board, cell: Cell) -> u8 {
    let blue = neighbours(board, cell, Player::Blue.colour());
    let red = neighbours(board, cell, Player::Red.colour());
    let now = board[cell.row][cell.column];
    match (now, blue + red) {
        (EMPTY, 3) if blue > red => Player::Blue.colour(),
        (EMPTY, 3) => Player::Red.colour(),
        (EMPTY, _) => EMPTY,
        (_, 2 | 3) => now,
        _ => EMPTY,
    }
}

/// The board one generation later. Source: RR-001 §2.2.
pub fn next(board: &Board) -> Board {
    let mut after = [[EMPTY; COLUMNS]; ROWS];
    for cell in all_cells() {
        after[cell.row][cell.column] = next_state(board, cell);
    }
    after
}

/// Live cells of each side: the measure of extinction. Source: RR-001 §2.3, Termination.
pub fn counts(board: &Board) -> BySeat<u32> {
    let mut counts = BySeat::default();
    for cell in all_cells() {
        match board[cell.row][cell.column] {
            1 => counts.blue += 1,
            2 => counts.red += 1,
            _ => {}
        }
    }
    counts
}

/// The board after a bomb: the 3x3 around the target is empty, clipped at the edges. Source: RR-001 §2.3.
pub fn blast(board: &Board, target: Cell) -> Board {
    let mut after = *board;
    for cell in square(target, 1) {
        after[cell.row][cell.column] = EMPTY;
    }
    after
}

/// The board with the two colours exchanged.
pub(crate) fn swap_colours(board: &Board) -> Board {
    board.map(|row| {
        row.map(|cell| match cell {
            1 => 2,
            2 => 1,
            other => other,
        })
    })
}

/// The board with column `c` at `27 - c`.
pub(crate) fn mirror(board: &Board) -> Board {
    board.map(|mut row| {
        row.reverse();
        row
    })
}

/// The board as 26 rows of 28 characters `.`, `b`, `r`, joined by `/`.
pub fn to_text(board: &Board) -> String {
    let line = |row: &[u8; COLUMNS]| -> String {
        row.iter()
            .map(|cell| match cell {
                1 => 'b',
                2 => 'r',
                _ => '.',
            })
            .collect()
    };
    board.iter().map(line).collect::<Vec<_>>().join("/")
}

/// Reads what [`to_text`] writes; `None` for anything else.
pub fn parse_board(text: &str) -> Option<Board> {
    let mut board = [[EMPTY; COLUMNS]; ROWS];
    let lines: Vec<&str> = text.split('/').collect();
    if lines.len() != ROWS {
        return None;
    }
    for (row, line) in board.iter_mut().zip(lines) {
        if line.len() != COLUMNS {
            return None;
        }
        for (cell, character) in row.iter_mut().zip(line.bytes()) {
            *cell = match character {
                b'.' => EMPTY,
                b'b' => 1,
                b'r' => 2,
                _ => return None,
            };
        }
    }
    Some(board)
}

/// FNV-1a, 64 bits, of a board's text: the digest the golden games are stored with.
pub fn text_fnv1a(board: &Board) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in to_text(board).bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}
