//! Pictures: windows, and what changes between two.

use arena_rules::{BySeat, Rng};
use arena_wire::wide::Window;
use arena_wire::{Delta, Picture};
use proptest::prelude::*;

/// Rows and columns of the largest board that pictures are made for.
const LARGEST: u16 = 512;

/// Two pictures of a board that share most of their cells.
fn two() -> impl Strategy<Value = (Picture, Picture)> {
    (0..40_u16, 0..40_u16, 0..=16_usize).prop_flat_map(|(rows, cols, seats)| {
        let area = usize::from(rows) * usize::from(cols);
        let cell = prop_oneof![Just(0), 1..=16_u8, Just(Picture::NEUTRAL)];
        let tally = || prop::collection::vec(any::<u32>(), seats);
        let changes = prop::collection::vec((any::<prop::sample::Index>(), cell.clone()), 0..200);
        (prop::collection::vec(cell, area), changes, tally(), tally()).prop_map(move |(cells, changes, old, new)| {
            let before = Picture { rows, cols, cells, tally: BySeat::from(old) };
            let mut after = Picture { tally: BySeat::from(new), ..before.clone() };
            for (at, owner) in changes.into_iter().filter(|_| area > 0) {
                after.cells[at.index(area)] = owner;
            }
            (before, after)
        })
    })
}

proptest! {
    #[test]
    fn a_delta_leads_from_one_picture_to_the_other((before, after) in two()) {
        let delta = before.delta(&after).expect("one board");
        let changed = before.cells.iter().zip(&after.cells).filter(|(old, new)| old != new).count();
        prop_assert_eq!(delta.changes().len(), changed);
        let bytes = delta.encode();
        let most = 1 + 4 * usize::from(after.tally.seats()) + 2 * changed + before.cells.len() / 128;
        prop_assert!(bytes.len() <= most, "{} bytes, not {most}", bytes.len());
        let decoded = Delta::decode(&bytes);
        prop_assert_eq!(decoded.as_ref(), Some(&delta));
        prop_assert_eq!(delta.tally(), &after.tally);
        prop_assert_eq!(delta.apply(before.clone()), Some(after));
        // A picture without the last changed cell belongs to another board.
        if let Some((last, _)) = delta.changes().last() {
            let smaller = Picture { cells: before.cells[..*last as usize].to_vec(), ..before };
            prop_assert_eq!(delta.apply(smaller), None);
        }
    }

    #[test]
    fn no_bytes_are_two_deltas(noise in prop::collection::vec(any::<u8>(), 0..60), seats in 0..3_u8) {
        for bytes in [noise.clone(), [&[seats], &noise[..]].concat()] {
            if let Some(delta) = Delta::decode(&bytes) {
                prop_assert_eq!(delta.encode(), bytes);
            }
        }
    }

    #[test]
    fn a_window_shows_its_part_of_the_board(
        (picture, _) in two(),
        (top, left, rows, cols) in (0..50_u16, 0..50_u16, 0..50_u16, 0..50_u16),
    ) {
        let window = Window { top, left, rows, cols };
        let fits = u32::from(top + rows) <= picture.rows.into() && u32::from(left + cols) <= picture.cols.into();
        prop_assert_eq!(window.fits(picture.rows, picture.cols), fits);
        let part = picture.window(window);
        prop_assert_eq!(part.is_some(), fits);
        let Some(part) = part else { return Ok(()) };
        prop_assert_eq!(&part.tally, &picture.tally);
        prop_assert_eq!((part.rows, part.cols, part.cells.len()), (rows, cols, window.area()));
        for (point, owner) in window.points().zip(&part.cells) {
            let at = usize::from(point.row) * usize::from(picture.cols) + usize::from(point.col);
            prop_assert_eq!(picture.cells[at], *owner);
        }
        prop_assert_eq!(picture.window(Window::whole(picture.rows, picture.cols)), Some(picture));
    }
}

/// If a tenth of a board of 512 x 512 cells changes, a delta has a quarter of the bytes.
#[test]
fn a_delta_of_a_large_board_is_small() {
    let mut rng = Rng::new(&[5; 32], 0);
    let mut cells = |share: u32| (0..512 * 512).map(|_| u8::from(rng.below(100) < share)).collect::<Vec<u8>>();
    let (old, change) = (cells(30), cells(10));
    let picture = |cells| Picture { rows: LARGEST, cols: LARGEST, cells, tally: BySeat::from([1, 2]) };
    let new = old.iter().zip(&change).map(|(old, change)| old ^ change).collect();
    let (before, after) = (picture(old), picture(new));
    let delta = before.delta(&after).expect("one board");
    let bytes = delta.encode();
    assert!(4 * bytes.len() < before.cells.len(), "{} bytes", bytes.len());
    assert_eq!(Delta::decode(&bytes).and_then(|delta| delta.apply(before.clone())), Some(after));
    let corner = Window { top: 448, left: 412, rows: 64, cols: 100 };
    let part = before.window(corner).expect("on the board");
    assert_eq!(part.cells.last(), before.cells.last());
    assert_eq!(part.cells[0], before.cells[448 * 512 + 412]);
}

#[test]
fn boards_of_different_sizes_have_no_delta() {
    let picture = |rows, cols| Picture { rows, cols, cells: vec![0; 12], tally: BySeat::from([0, 0]) };
    assert_eq!(picture(3, 4).delta(&picture(4, 3)), None);
    let far = Window { top: u16::MAX, left: 0, rows: u16::MAX, cols: 1 };
    assert!(!far.fits(u16::MAX, u16::MAX) && picture(3, 4).window(far).is_none());
}

#[test]
fn a_number_has_one_spelling() {
    // No seats, one change: `0` in one group is allowed, in two it is not, and neither are more than 32 bits.
    for (bytes, good) in [
        (&[0, 0, 1][..], true),
        (&[0, 0x80, 0, 1], false),
        (&[0, 0x80, 1, 1], true),
        (&[0, 0xff, 0xff, 0xff, 0xff, 0x0f, 1], false),
        (&[0, 0xfe, 0xff, 0xff, 0xff, 0x0f, 1], true),
        (&[0, 0xff, 0xff, 0xff, 0xff, 0x1f, 1], false),
        (&[0, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 1], false),
        (&[0, 0], false),
        (&[17], false),
        (&[1, 0, 0, 0], false),
        (&[], false),
    ] {
        assert_eq!(Delta::decode(bytes).is_some(), good, "{bytes:?}");
    }
}
