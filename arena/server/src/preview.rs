//! Pictures of games for previews on other sites: the last board, in the light colours of pages. A finished game never
//! changes.

use arena_record::Record;
use arena_service::pictures;
use arena_wire::{Game, Picture};

/// Size of a preview in pixels: the usual one of Open Graph.
pub(crate) const WIDTH: u32 = 1_200;
pub(crate) const HEIGHT: u32 = 630;
/// Margin at each side, and height of the bar of shares.
const MARGIN: u32 = 36;
const BAR: u32 = 18;
/// Samples in each direction for smoothing edges.
const SAMPLES: u32 = 3;

type Colour = [u8; 3];

// As in `web/static/style.css`; a test compares them.
const PAPER: Colour = [0xfb, 0xfa, 0xf6];
const LINE: Colour = [0xdc, 0xd8, 0xcc];
const NEUTRAL: Colour = [0x15, 0x19, 0x1c];
const ZONES: [Colour; 2] = [[0xe9, 0xf0, 0xfb], [0xfc, 0xec, 0xe6]];
const SEATS: [Colour; 8] = [
    [0x1c, 0x5f, 0xc4],
    [0xc6, 0x3a, 0x1f],
    [0x0b, 0x7a, 0x50],
    [0xa8, 0x72, 0x00],
    [0x7c, 0x3f, 0xb0],
    [0x12, 0x80, 0x9f],
    [0x74, 0x44, 0x1d],
    [0xc2, 0x40, 0x8c],
];

/// Why there is no picture of a game.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PreviewError {
    /// This release does not play it by these rules.
    #[error("this release cannot show the game")]
    OtherRules,
    /// The picture cannot be encoded.
    #[error("the picture cannot be written")]
    Png(#[from] png::EncodingError),
}

/// Draws the last board of a game as a PNG.
///
/// # Errors
/// If this release does not play the game by the record's rules.
pub(crate) fn draw(record: &Record) -> Result<Vec<u8>, PreviewError> {
    let game = Game::named(&record.header.ruleset).map_err(|_| PreviewError::OtherRules)?;
    let last = pictures(record).ok().and_then(|mut pictures| pictures.pop()).ok_or(PreviewError::OtherRules)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&paint(game, &last))?;
    writer.finish()?;
    Ok(bytes)
}

/// The pixels of a board, with the shares of its seats below.
fn paint(game: &Game, board: &Picture) -> Vec<u8> {
    let (rows, cols) = (u32::from(board.rows).max(1), u32::from(board.cols).max(1));
    let room = (WIDTH - 2 * MARGIN, HEIGHT - 3 * MARGIN - BAR);
    let cell = (room.0 / cols).min(room.1 / rows).max(1);
    let (width, height) = (cell * cols, cell * rows);
    let (left, top) = ((WIDTH.saturating_sub(width)) / 2, MARGIN);
    let zones = zones_of(game, cols);
    let bar = HEIGHT - MARGIN - BAR..HEIGHT - MARGIN;
    let mut pixels = Vec::with_capacity((WIDTH * HEIGHT * 3) as usize);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let inside = x >= left && x < left + width && y >= top && y < top + height;
            let colour = if inside {
                let (at, col, row) = ((x - left, y - top), (x - left) / cell, (y - top) / cell);
                let paper = if at.0 % cell == 0 || at.1 % cell == 0 { LINE } else { zones[col as usize] };
                let owner = board.cells.get((row * cols + col) as usize).copied().unwrap_or_default();
                mixed(paper, owner, (at.0 % cell, at.1 % cell), cell)
            } else if bar.contains(&y) && (MARGIN..WIDTH - MARGIN).contains(&x) {
                share_at(board, x - MARGIN, WIDTH - 2 * MARGIN)
            } else {
                PAPER
            };
            pixels.extend(colour);
        }
    }
    pixels
}

/// The background of each column.
fn zones_of(game: &Game, cols: u32) -> Vec<Colour> {
    let mut ground = Vec::new();
    for zone in game.zones {
        let colour = zone.seat.and_then(|seat| ZONES.get(seat.index()).copied()).unwrap_or(PAPER);
        ground.extend(std::iter::repeat_n(colour, usize::from(zone.cols)));
    }
    ground.resize(cols as usize, PAPER);
    ground
}

/// A pixel of a cell: the mark over the ground, in proportion to the area that the mark covers.
fn mixed(ground: Colour, owner: u8, at: (u32, u32), cell: u32) -> Colour {
    let (colour, seat) = match owner {
        0 => return ground,
        Picture::NEUTRAL => (NEUTRAL, None),
        seat => (SEATS[usize::from(seat - 1) % SEATS.len()], Some(seat - 1)),
    };
    let point = |offset: u32, sample: u32| {
        // Measured from the cell's centre, in half cells.
        ((2 * (offset * SAMPLES + sample) + 1) as f32 / (SAMPLES * cell) as f32) - 1.0
    };
    let samples = (0..SAMPLES).flat_map(|y| (0..SAMPLES).map(move |x| (x, y)));
    let covered = samples.filter(|(x, y)| is_in_mark(seat, point(at.0, *x), point(at.1, *y))).count() as u32;
    let mix = |ground: u8, ink: u8| {
        ((u32::from(ground) * (SAMPLES * SAMPLES - covered) + u32::from(ink) * covered) / (SAMPLES * SAMPLES)) as u8
    };
    std::array::from_fn(|at| mix(ground[at], colour[at]))
}

/// Whether a point of a cell is in a seat's mark: a disc, a diamond or a square; from the ninth seat on, their
/// outlines.
fn is_in_mark(seat: Option<u8>, x: f32, y: f32) -> bool {
    let Some(seat) = seat else { return x.abs().max(y.abs()) < 0.9 };
    let far = match seat % 3 {
        0 => x.hypot(y) / 0.8,
        1 => (x.abs() + y.abs()) / 0.95,
        _ => x.abs().max(y.abs()) / 0.7,
    };
    far < 1.0 && (usize::from(seat) < SEATS.len() || far > 0.6)
}

/// The colour of the bar of shares at a place.
fn share_at(board: &Picture, at: u32, width: u32) -> Colour {
    let sum: u64 = board.tally.values().iter().map(|tally| u64::from(*tally)).sum();
    let mut before = 0;
    for (seat, tally) in board.tally.values().iter().enumerate() {
        before += u64::from(*tally);
        if u64::from(at) * sum < before * u64::from(width) {
            return SEATS[seat % SEATS.len()];
        }
    }
    LINE
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use arena_rules::BySeat;

    use super::*;

    #[test]
    fn the_colours_are_those_of_the_pages() {
        let style = include_str!("../../../web/static/style.css");
        let light = style.split("prefers-color-scheme: dark").next().unwrap();
        let named = |name: &str, [red, green, blue]: Colour| {
            let wanted = format!("--{name}: #{red:02x}{green:02x}{blue:02x};");
            assert!(light.contains(&wanted), "{wanted}");
        };
        named("paper", PAPER);
        named("line", LINE);
        named("neutral", NEUTRAL);
        named("zone-0", ZONES[0]);
        named("zone-1", ZONES[1]);
        for (seat, colour) in SEATS.into_iter().enumerate() {
            named(&format!("seat-{seat}"), colour);
        }
    }

    #[test]
    fn a_board_of_any_shape_is_drawn_and_its_cells_have_their_colours() {
        let game = &arena_wire::GAMES[0];
        for (rows, cols) in [(26, 28), (1, 1), (64, 64), (8, 512), (512, 8)] {
            let mut cells = vec![0; rows * cols];
            cells[rows * cols / 2] = 1;
            let tally = BySeat::from(vec![3_u32, 1]);
            let board = Picture { rows: rows as u16, cols: cols as u16, cells, tally };
            let pixels = paint(game, &board);
            assert_eq!(pixels.len(), (WIDTH * HEIGHT * 3) as usize, "{rows} x {cols}");
            let has = |colour: Colour| pixels.chunks(3).any(|pixel| pixel == colour);
            assert!(has(SEATS[0]) && has(SEATS[1]) && has(PAPER), "{rows} x {cols}");
        }
    }
}
