//! The board as a grid of bytes.

/// Cells of a row and of a column.
pub const SIDE: usize = 8;
/// What a cell holds: nothing, or a piece.
pub const EMPTY: u8 = 0;
/// A blue piece.
pub const BLUE: u8 = 1;
/// A red piece.
pub const RED: u8 = 2;

/// Rows from the top, each from the left.
pub type Grid = [[u8; SIDE]; SIDE];

/// From a row and column to a row and column.
pub type Move = [usize; 4];

/// The other colour.
pub fn other(colour: u8) -> u8 {
    if colour == BLUE { RED } else { BLUE }
}

/// Neighbours on the board, row by row.
fn neighbours(row: usize, column: usize) -> Vec<(usize, usize)> {
    let mut cells = Vec::new();
    for down in [-1_i32, 0, 1] {
        for right in [-1_i32, 0, 1] {
            let (r, c) = (row as i32 + down, column as i32 + right);
            let on_board = (0..SIDE as i32).contains(&r) && (0..SIDE as i32).contains(&c);
            if on_board && (down, right) != (0, 0) {
                cells.push((r as usize, c as usize));
            }
        }
    }
    cells
}

/// One generation.
pub fn crank(grid: &Grid) -> Grid {
    let mut next = [[EMPTY; SIDE]; SIDE];
    for row in 0..SIDE {
        for column in 0..SIDE {
            let (mut blue, mut red) = (0, 0);
            for down in -1..=1_i32 {
                for right in -1..=1_i32 {
                    let (r, c) = (row as i32 + down, column as i32 + right);
                    let on_board = (0..SIDE as i32).contains(&r) && (0..SIDE as i32).contains(&c);
                    if !on_board || (down, right) == (0, 0) {
                        continue;
                    }
                    match grid[r as usize][c as usize] {
                        BLUE => blue += 1,
                        RED => red += 1,
                        _ => {}
                    }
                }
            }
            next[row][column] = match (grid[row][column], blue + red) {
                (EMPTY, 3) => {
                    if blue > red {
                        BLUE
                    } else {
                        RED
                    }
                }
                (EMPTY, _) => EMPTY,
                (piece, 2 | 3) => piece,
                _ => EMPTY,
            };
        }
    }
    next
}

/// Every move of a colour, pieces and targets row by row.
pub fn moves(grid: &Grid, colour: u8) -> Vec<Move> {
    let mut all = Vec::new();
    for (row, cells) in grid.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            if *cell == colour {
                let empty = neighbours(row, column).into_iter().filter(|(r, c)| grid[*r][*c] == EMPTY);
                all.extend(empty.map(|(r, c)| [row, column, r, c]));
            }
        }
    }
    all
}

/// The grid after a move and the generation that follows it.
pub fn played(grid: &Grid, [row, column, to_row, to_column]: Move) -> Grid {
    let mut moved = *grid;
    moved[to_row][to_column] = moved[row][column];
    moved[row][column] = EMPTY;
    crank(&moved)
}

/// Pieces of a colour.
pub fn count(grid: &Grid, colour: u8) -> i32 {
    grid.iter().flatten().filter(|cell| **cell == colour).count() as i32
}

/// Rows of `.`, `b` and `r`, joined by `/`.
pub fn to_text(grid: &Grid) -> String {
    let row = |row: &[u8; SIDE]| row.iter().map(|cell| [".", "b", "r"][usize::from(*cell)]).collect::<String>();
    grid.iter().map(row).collect::<Vec<_>>().join("/")
}

/// The grid of such a text; `None` when it is none.
pub fn parse_grid(text: &str) -> Option<Grid> {
    let rows = text.split('/').map(|row| {
        let cells = row.chars().map(|cell| ".br".chars().position(|known| known == cell).map(|place| place as u8));
        cells.collect::<Option<Vec<u8>>>()?.try_into().ok()
    });
    rows.collect::<Option<Vec<[u8; SIDE]>>>()?.try_into().ok()
}
