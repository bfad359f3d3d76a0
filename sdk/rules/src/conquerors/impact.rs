//! What placing a cell would do to its neighbourhood within one generation, for all cells of the board at once.

use super::board::{RowSums, any, exactly_one};
use super::plane::{ROW_MASK, ROWS};
use super::{Board, Cell, Colour};

/// Eight columns in the bytes of a word, four words a row.
type Bytes = [u64; 4];

const ONES: u64 = 0x0101_0101_0101_0101;
/// What a byte of a sum holds for "no change": 25 cells of the window and 8 neighbours, each counted from 1 ...
const BIAS: i8 = 25 + 8 + 1;

/// For every dead cell: by how much the cells of each side in the 5 x 5 window around it would change in one
/// generation if a cell were placed there. The window is cut at the edges; the placed cell counts as living before.
/// Source: RR-001 §5.1.
///
/// A placed cell changes only its own fate and those of its eight neighbours, each of which sees one more neighbour.
/// So the window's change without the placement (a box sum) plus the neighbours' changes of fate (a ring sum) plus the
/// cell's own fate gives the answer. All sums run over bytes packed in words.
#[derive(Clone, Debug)]
pub struct Impacts {
    own: [Bytes; ROWS],
    enemy: [Bytes; ROWS],
    neighbours: [Bytes; ROWS],
}

impl Impacts {
    /// The impacts of placements by `colour` on `board`.
    pub fn of(board: &Board, colour: Colour) -> Impacts {
        let own = board.of(colour).rows();
        let enemy = board.of(colour.other()).rows();
        let fates = fates(own, enemy);
        let mut impacts = Impacts {
            own: changes(&fates.own),
            enemy: changes(&fates.enemy),
            neighbours: ring_sums(&own.map(spread), 0),
        };
        for row in 0..ROWS {
            let stays = spread(fates.stays[row]);
            let (own_born, enemy_born) = (spread(fates.own.born[row]), spread(fates.enemy.born[row]));
            for word in 0..4 {
                // ... plus the cell's own fate, also counted from 1: a birth in the cell itself is lost by placing there.
                impacts.own[row][word] += stays[word] + ONES - own_born[word];
                impacts.enemy[row][word] += ONES - enemy_born[word];
            }
        }
        impacts
    }

    /// Change of the placing side's cells. Meaningful for dead cells only.
    pub fn own(&self, cell: Cell) -> i8 {
        // The placed cell counts as living before the generation.
        byte(&self.own, cell) as i8 - BIAS - 1
    }

    /// Change of the other side's cells. Meaningful for dead cells only.
    pub fn enemy(&self, cell: Cell) -> i8 {
        byte(&self.enemy, cell) as i8 - BIAS
    }

    /// Living cells of the placing side among the eight neighbours.
    pub fn own_neighbours(&self, cell: Cell) -> u8 {
        byte(&self.neighbours, cell)
    }
}

fn byte(rows: &[Bytes; ROWS], cell: Cell) -> u8 {
    (rows[cell.row()][cell.col() / 8] >> (cell.col() % 8 * 8)) as u8
}

/// What one more own neighbour, or the generation alone, does to the cells of one side.
struct SideFates {
    /// Dead cells that come to life.
    born: [u32; ROWS],
    /// Living cells that die.
    dies: [u32; ROWS],
    /// Cells that this side gets only with one more neighbour of the placing side.
    gained: [u32; ROWS],
    /// Cells that this side loses with one more neighbour of the placing side.
    lost: [u32; ROWS],
}

struct Fates {
    own: SideFates,
    enemy: SideFates,
    /// Dead cells where a placed cell would survive.
    stays: [u32; ROWS],
}

fn fates(own: &[u32; ROWS], enemy: &[u32; ROWS]) -> Fates {
    const NONE: [u32; ROWS] = [0; ROWS];
    let side = || SideFates { born: NONE, dies: NONE, gained: NONE, lost: NONE };
    let mut fates = Fates { own: side(), enemy: side(), stays: NONE };
    let (mut sums, mut own_sums) = (RowSums::EMPTY, RowSums::EMPTY);
    for row in 0..ROWS {
        sums.set(row, own[row] | enemy[row]);
        own_sums.set(row, own[row]);
    }
    for row in 0..ROWS {
        let living = own[row] | enemy[row];
        let dead = !living & ROW_MASK;
        let count = sums.count_around(row, living);
        let own_count = own_sums.count_around(row, own[row]);
        let one_pair = exactly_one(count.pairs);
        let one = count.odd & !any(count.pairs);
        let two = one_pair & !count.odd;
        let three = one_pair & count.odd;
        let some_own = own_count.odd | any(own_count.pairs);
        // Among three parents "two or more" is a set pair; among two, a single own one makes two together with the placed cell.
        let most_own = any(own_count.pairs);
        let (born, joined) = (dead & three, dead & two);
        fates.own.born[row] = born & most_own;
        fates.enemy.born[row] = born & !most_own;
        fates.own.dies[row] = own[row] & !one_pair;
        fates.enemy.dies[row] = enemy[row] & !one_pair;
        fates.own.gained[row] = own[row] & one | joined & some_own;
        fates.enemy.gained[row] = enemy[row] & one | joined & !some_own;
        fates.own.lost[row] = own[row] & three | born & most_own;
        fates.enemy.lost[row] = enemy[row] & three | born & !most_own;
        fates.stays[row] = dead & one_pair;
    }
    fates
}

/// Window sums of changes without the placement, plus ring sums of changes by the placement, both counted from 1 for each cell.
fn changes(side: &SideFates) -> [Bytes; ROWS] {
    let signed = |plus: &[u32; ROWS], minus: &[u32; ROWS]| -> [Bytes; ROWS] {
        core::array::from_fn(|row| {
            let (plus, minus) = (spread(plus[row]), spread(minus[row]));
            core::array::from_fn(|word| ONES + plus[word] - minus[word])
        })
    };
    let mut sums = box_sums(&signed(&side.born, &side.dies));
    let ring = ring_sums(&signed(&side.gained, &side.lost), ONES);
    for (sum, ring) in sums.iter_mut().zip(&ring) {
        sum.iter_mut().zip(ring).for_each(|(sum, ring)| *sum += ring);
    }
    sums
}

/// Each bit of a row as a byte of 0 or 1.
fn spread(row: u32) -> Bytes {
    core::array::from_fn(|word| {
        let bits = u64::from(row >> (8 * word) & 0xff).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
        (bits + 0x7f * ONES) >> 7 & ONES
    })
}

/// The row moved right by `by` columns; `fill` comes in at the edge.
fn shifted_right(row: &Bytes, by: u32, fill: u64) -> Bytes {
    let mut before = fill;
    core::array::from_fn(|word| {
        let moved = row[word] << (8 * by) | before >> (64 - 8 * by);
        before = row[word];
        moved
    })
}

/// The row moved by `by` columns to the left.
fn shifted_left(row: &Bytes, by: u32, fill: u64) -> Bytes {
    core::array::from_fn(|word| {
        let after = if word + 1 < row.len() { row[word + 1] } else { fill };
        row[word] >> (8 * by) | after << (64 - 8 * by)
    })
}

fn add(a: &mut Bytes, b: &Bytes) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
}

/// Sums over the 5 x 5 window around each cell; beyond the board every cell is 1.
fn box_sums(cells: &[Bytes; ROWS]) -> [Bytes; ROWS] {
    let horizontal: [Bytes; ROWS] = core::array::from_fn(|row| {
        let mut sum = cells[row];
        for by in 1..=2 {
            add(&mut sum, &shifted_right(&cells[row], by, ONES));
            add(&mut sum, &shifted_left(&cells[row], by, ONES));
        }
        sum
    });
    vertical_sums(&horizontal, 2, [5 * ONES; 4])
}

/// Sums over the eight neighbours of each cell; beyond the board every cell is `edge` (a byte in every column).
fn ring_sums(cells: &[Bytes; ROWS], edge: u64) -> [Bytes; ROWS] {
    let horizontal: [Bytes; ROWS] = core::array::from_fn(|row| {
        let mut sum = cells[row];
        add(&mut sum, &shifted_right(&cells[row], 1, edge));
        add(&mut sum, &shifted_left(&cells[row], 1, edge));
        sum
    });
    let mut sums = vertical_sums(&horizontal, 1, [3 * edge; 4]);
    for (sum, centre) in sums.iter_mut().zip(cells) {
        sum.iter_mut().zip(centre).for_each(|(sum, centre)| *sum -= centre);
    }
    sums
}

/// Sums over the rows up to `reach` above and below; a row beyond the board is `edge`.
fn vertical_sums(rows: &[Bytes; ROWS], reach: usize, edge: Bytes) -> [Bytes; ROWS] {
    core::array::from_fn(|row| {
        let mut sum = rows[row];
        for by in 1..=reach {
            add(&mut sum, row.checked_sub(by).map_or(&edge, |above| &rows[above]));
            add(&mut sum, rows.get(row + by).unwrap_or(&edge));
        }
        sum
    })
}
