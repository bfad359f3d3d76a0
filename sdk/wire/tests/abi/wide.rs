//! Frames for large boards.

use arena_rules::{Seat, Seed};
use arena_wire::wide::{Action, CELLS_MAX, Header, Window};
use arena_wire::{ActionError, ObservationError, Point};
use proptest::prelude::*;

use crate::document::{Vector, bytes, number};

/// The action of a line such as `1: 300,7 2,511`.
fn action(text: &str) -> Action {
    let (kind, cells) = text.split_once(':').expect("a kind");
    let point = |pair: &str| {
        let (row, col) = pair.split_once(',').expect("row,column");
        Point { row: row.parse().expect("a row"), col: col.parse().expect("a column") }
    };
    Action::new(kind.parse().expect("a kind"), cells.split_whitespace().map(point).collect()).expect("few cells")
}

#[test]
fn actions_are_as_written() {
    for (text, written) in Vector::all("wide-actions")[0].under("kind") {
        assert_eq!(action(text).encode(), bytes(written), "{text}");
        assert_eq!(Action::decode(&bytes(written)), Ok(action(text)), "{text}");
    }
    for (why, written) in &Vector::all("wide-not-actions")[0].0 {
        assert!(Action::decode(&bytes(written)).is_err(), "{why}");
    }
    assert_eq!(Action::decode(&[1, 1, 0]), Err(ActionError::Short { least: 4, got: 3 }));
}

#[test]
fn the_header_is_as_written() {
    let vector = &Vector::all("wide-observation")[0];
    let at = |name: &str| number(vector.get(name)) as u16;
    let window = Window { top: at("top"), left: at("left"), rows: at("rows"), cols: at("columns") };
    let seat_seed = vector.seed("seat_seed");
    let header = Header { seat: Seat(at("seat") as u8), own: at("own") as u8, turns: at("turns"), window, seat_seed };
    assert_eq!(header.encode(at("tag") as u8), vector.observation());
    assert_eq!(Header::decode(at("tag") as u8, &vector.observation()), Ok(header));
}

fn any_action() -> impl Strategy<Value = Action> {
    let point = any::<(u16, u16)>().prop_map(|(row, col)| Point { row, col });
    (any::<u8>(), prop::collection::vec(point, 0..40))
        .prop_map(|(kind, cells)| Action::new(kind, cells).expect("few cells"))
}

fn any_header() -> impl Strategy<Value = Header> {
    (any::<(u8, u8, u16)>(), any::<(u16, u16, u16, u16)>(), any::<Seed>()).prop_map(
        |((seat, own, turns), (top, left, rows, cols), seat_seed)| Header {
            seat: Seat(seat),
            own,
            turns,
            window: Window { top, left, rows, cols },
            seat_seed,
        },
    )
}

proptest! {
    #[test]
    fn actions_have_one_spelling(action in any_action(), noise in prop::collection::vec(any::<u8>(), 0..20), count in 0..5_u8) {
        prop_assert_eq!(Action::decode(&action.encode()), Ok(action));
        for bytes in [noise.clone(), [&[1, 1, count, 0], &noise[..]].concat()] {
            if let Ok(action) = Action::decode(&bytes) {
                prop_assert_eq!(action.encode(), bytes);
            }
        }
    }

    #[test]
    fn headers_have_one_spelling(header in any_header(), tag in any::<u8>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = header.encode(tag);
        prop_assert_eq!(bytes.len(), Header::LEN);
        prop_assert_eq!(Header::decode(tag, &bytes), Ok(header));
        prop_assert_eq!(Header::decode(tag.wrapping_add(1), &bytes), Err(ObservationError::Byte(1)));
        prop_assert!(Header::decode(tag, &bytes[..at.index(Header::LEN)]).is_err());
        bytes[at.index(Header::LEN)] = byte;
        if let Ok(changed) = Header::decode(tag, &bytes) {
            prop_assert_eq!(changed.encode(tag), bytes);
        }
    }
}

#[test]
fn two_bytes_count_no_further() {
    let mut cells = vec![Point { row: 1, col: 2 }; CELLS_MAX];
    let most = Action::new(1, cells.clone()).expect("as many as two bytes count");
    assert_eq!(Action::decode(&most.encode()), Ok(most));
    cells.push(Point { row: 1, col: 2 });
    assert_eq!(Action::new(1, cells), None);
}
