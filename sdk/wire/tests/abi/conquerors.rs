//! Conway's Conquerors.

use std::collections::BTreeSet;

use arena_rules::conquerors::{
    Action, Board, ByColour, CELLS, Cell, Colour, OPENING_CELLS_MAX, OPENING_CELLS_MIN, OPENING_NAMED_MAX,
    OPENING_TURNS_MAX, OPENING_TURNS_MIN, PLACEMENTS, Plane, Position, Refusal, Setup, Start, Target,
};
use arena_rules::{Rng, Ruleset, Seat, Seed};
use arena_wire::conquerors::{OBSERVATION_LEN, Observation};
use arena_wire::{ObservationError, Point, Protocol, words};
use proptest::prelude::*;

use crate::document::{ABI, Vector, bytes, number, numbers};
use crate::laws;

fn targets(text: &str) -> Vec<Target> {
    let target = |pair: &str| {
        let (row, col) = pair.split_once(',').expect("row,column");
        Target { row: row.parse().expect("a row"), col: col.parse().expect("a column") }
    };
    text.split_whitespace().map(target).collect()
}

/// The action that a line such as `bomb 25,27` names.
fn action(text: &str) -> Action {
    let (kind, cells) = text.split_once(' ').unwrap_or((text, ""));
    let cells = targets(cells);
    match kind {
        "place" => Action::Place(cells),
        "bomb" => Action::Bomb(cells[0]),
        "skip" => Action::Skip,
        "pass" => Action::Pass,
        other => panic!("no kind of action: {other}"),
    }
}

fn plane(text: &str) -> Plane {
    targets(text).iter().fold(Plane::EMPTY, |mut plane, target| {
        plane.insert(Cell::new(target.row, target.col).expect("on the board"));
        plane
    })
}

/// The header, which has the same length in all games.
const HEADER_LEN: usize = OBSERVATION_LEN - CELLS;

#[test]
fn a_byte_that_stands_for_no_cell_is_named() {
    let bytes = Position::start(&Start::default(), &[0; 32]).observation(Seat(0), &[0; 32]);
    for at in HEADER_LEN..OBSERVATION_LEN {
        for byte in [3, 4, 0x80, 0x81, 0x82, 0xff] {
            let mut wrong = bytes.clone();
            wrong[at] = byte;
            assert_eq!(Observation::decode(&wrong), Err(ObservationError::Byte(at)), "{byte}");
        }
    }
}

#[test]
fn the_observation_is_as_written() {
    for vector in Vector::all("observation") {
        let pair = |key| <[u32; 2]>::try_from(numbers(vector.get(key))).expect("blue's and red's");
        let [cooldown, skip_used] = ["cooldown", "skip_used"].map(pair);
        let colour = Colour::of(Seat(number(vector.get("seat")) as u8)).expect("a seat");
        let setup = Setup {
            options: Position::parse_options(vector.get("options")).expect("options").options,
            board: Board::new(ByColour { blue: plane(vector.get("blue")), red: plane(vector.get("red")) })
                .expect("no cell has two colours"),
            to_move: colour,
            round: number(vector.get("round")) as u8,
            cooldown: ByColour { blue: cooldown[0] as u8, red: cooldown[1] as u8 },
            skip_used: ByColour { blue: skip_used[0] == 1, red: skip_used[1] == 1 },
        };
        let position = setup.position().expect("a position");
        assert_eq!(u64::from(position.ply()), number(vector.get("ply")));
        let seat_seed = Vector::all("seat-seed")[0].seed("seat_seed");
        let observation = Observation { position, seat: colour.seat(), seat_seed };
        assert_eq!(observation.encode(), vector.observation());
        assert_eq!(Observation::decode(&vector.observation()), Ok(observation));
    }
}

/// The first position, and the turns that led to it, of an opening and a seed.
#[test]
fn openings_are_as_written() {
    for vector in Vector::all("opening") {
        let start = Position::parse_options(vector.get("options")).expect("options");
        let seed = vector.seed("seed");
        let position = Position::start(&start, &seed);
        assert_eq!(u64::from(position.ply()), number(vector.get("ply")));
        assert_eq!(*position.board().of(Colour::Blue), plane(vector.get("blue")));
        assert_eq!(*position.board().of(Colour::Red), plane(vector.get("red")));
        let turns = start.opening.turns(&start.options, &seed);
        assert_eq!(turns.len() as u64, number(vector.get("ply")));
        for (turn, at) in turns.iter().zip(1..) {
            assert_eq!(Action::from(turn), Action::Place(targets(vector.get(&format!("turn {at}")))));
        }
    }
    let stream = u64::from_le_bytes(*b"opening1");
    assert!(ABI.contains(&format!("`opening1`: {stream:#018x}.")));
    let range = |least: u8, most: u8| format!("{least} to {most}");
    assert!(ABI.contains(&format!("at home, {};", range(OPENING_CELLS_MIN, OPENING_CELLS_MAX))));
    assert!(ABI.contains(&format!("empty board, {},", range(OPENING_TURNS_MIN, OPENING_TURNS_MAX))));
    assert!(ABI.contains(&format!("1 to {OPENING_NAMED_MAX} of each colour")) && ABI.contains(NAMED));
}

#[test]
fn the_length_is_as_written() {
    assert!(ABI.contains(&format!("{OBSERVATION_LEN} bytes: a header")));
}

const NAMED: &str = "opening=cells:c3c4d3d4/w23w24x23x24";

#[test]
fn options_have_one_text() {
    let openings = ["", "opening=symmetric:4", "opening=symmetric:12", "opening=turns:2", "opening=turns:8", NAMED];
    let mut texts = BTreeSet::new();
    for bits in 0..8 {
        for opening in openings {
            let names = ["chain_needs_home", "weighted_majority", "shared_home"];
            let flags = (0..3).filter(|bit| bits >> bit & 1 == 1).map(|bit| names[bit]);
            let text = flags.chain((!opening.is_empty()).then_some(opening)).collect::<Vec<_>>().join(",");
            let start = Position::parse_options(&text).expect(&text);
            assert_eq!(Position::options_text(&start), text);
            assert_eq!(Position::starts_from_seed(&start), !opening.is_empty() && opening != NAMED);
            assert_eq!(Position::may_count(&start), bits == 3);
            assert_eq!(Position::for_study(&start), bits >= 4);
            // Bots see the rules as options, and the opening on the board.
            assert_eq!(Position::start(&start, &[1; 32]).options(), &start.options);
            texts.insert(text);
        }
    }
    assert_eq!(texts.len(), 8 * openings.len());
    for other in [
        "opening=empty",
        "opening=symmetric:3",
        "opening=symmetric:13",
        "opening=symmetric:08",
        "opening=turns:3",
        "opening=turns:10",
        "opening=symmetric:8,chain_needs_home",
        "opening=symmetric:8,opening=turns:2",
        "chain_needs_home,opening=",
        "chain_needs_home, opening=turns:2",
        "chain_needs_homeopening=turns:2",
        ",opening=turns:2",
    ] {
        assert_eq!(Position::parse_options(other), None, "{other}");
    }
}

#[test]
fn actions_are_as_written() {
    for (text, written) in &Vector::all("actions")[0].0 {
        assert_eq!(Position::encode_action(&action(text)), bytes(written), "{text}");
        assert_eq!(Position::decode_action(&bytes(written)), Ok(action(text)), "{text}");
    }
    for (why, written) in &Vector::all("not-actions")[0].0 {
        assert!(Position::decode_action(&bytes(written)).is_err(), "{why}");
    }
}

fn any_plane() -> impl Strategy<Value = Plane> {
    prop::array::uniform26(any::<u32>()).prop_map(Plane::from_rows)
}

fn any_observation() -> impl Strategy<Value = Observation> {
    let flags = any::<(bool, bool, bool, bool)>();
    (any_plane(), any_plane(), flags, 0..8_usize, 1..=12_u8, (0..=3_u8, 0..=3_u8), any::<Seed>()).prop_map(
        |(blue, red, (blue_moves, mine, blue_used, red_used), options, round, cooldown, seat_seed)| {
            let colour = |is_blue| if is_blue { Colour::Blue } else { Colour::Red };
            let names = ["chain_needs_home", "weighted_majority", "shared_home"];
            let set: Vec<&str> = (0..3).filter(|bit| options >> bit & 1 == 1).map(|bit| names[bit]).collect();
            let setup = Setup {
                options: Position::parse_options(&set.join(",")).expect("canonical").options,
                board: Board::new(ByColour { blue, red: red & !blue }).expect("no cell has two colours"),
                to_move: colour(blue_moves),
                round,
                cooldown: ByColour { blue: cooldown.0, red: cooldown.1 },
                skip_used: ByColour { blue: blue_used, red: red_used },
            };
            Observation { position: setup.position().expect("in range"), seat: colour(mine).seat(), seat_seed }
        },
    )
}

fn any_action() -> impl Strategy<Value = Action> {
    let target = any::<(u8, u8)>().prop_map(|(row, col)| Target { row, col });
    prop_oneof![
        Just(Action::Pass),
        Just(Action::Skip),
        target.clone().prop_map(Action::Bomb),
        prop::collection::vec(target, 0..256).prop_map(Action::Place),
    ]
}

proptest! {
    #[test]
    fn actions_keep_the_laws(action in any_action(), noise in prop_oneof![laws::bytes_like_an_action(6, 6, 12), prop::collection::vec(any::<u8>(), 0..64)]) {
        laws::of_actions::<Position>(&action, &noise)?;
    }

    #[test]
    fn observations_keep_the_laws(
        observation in any_observation(),
        change in (any::<prop::sample::Index>(), prop_oneof![0..20_u8, Just(255_u8), any::<u8>()]),
        noise in prop::collection::vec(any::<u8>(), 0..=OBSERVATION_LEN + 1),
    ) {
        laws::of_observations(observation, change, &noise)?;
    }

    /// Placements are too many for brute force, so every possible next cell of a random one is tried.
    #[test]
    fn what_is_offered_is_what_is_legal(Observation { position, seat_seed, .. } in any_observation()) {
        let mut rng = Rng::new(&seat_seed, 0);
        let mover = position.to_move().expect("in play").seat();
        let all: Vec<Target> = (0..=26).flat_map(|row| (0..=28).map(move |col| Target { row, col })).collect();
        let accepts = |action: &Action| match position.check(mover, action) {
            Err(Refusal::TooFewCells(_)) => matches!(action, Action::Place(_)),
            judged => judged.is_ok(),
        };
        let mut placed = Vec::new();
        loop {
            let next = |cell: &&Target| accepts(&Action::Place([&placed[..], &[**cell]].concat()));
            let open: Vec<Target> = all.iter().filter(next).copied().collect();
            let offered = position.choices(mover, &Position::describe(&Action::Place(placed.clone())));
            prop_assert_eq!(offered, open.iter().map(|cell| (*cell).into()).collect::<Vec<Point>>());
            if open.is_empty() {
                break;
            }
            placed.push(open[rng.below(open.len() as u32) as usize]);
        }
        prop_assert!(placed.len() <= usize::from(PLACEMENTS));
        let others = all.iter().map(|cell| Action::Bomb(*cell)).chain([Action::Skip, Action::Pass, Action::Place(placed)]);
        let seated = others.flat_map(|action| [(Seat(0), action.clone()), (Seat(1), action)]);
        let legal: Vec<_> = seated.filter(|(seat, action)| position.check(*seat, action).is_ok()).collect();
        laws::of_choices(&position, &legal, &mut rng)?;
    }
}

#[test]
fn a_turn_reads_as_a_sentence() {
    let list =
        |cells: &[Point]| cells.iter().map(|Point { row, col }| format!("{row}/{col}")).collect::<Vec<_>>().join(" ");
    for (text, said) in [
        ("place 12,3 12,4", "places 12/3 12/4"),
        ("place", "places"),
        ("bomb 25,27", "bombs the square around 25/27"),
        ("skip", "skips"),
        ("pass", "can do nothing"),
    ] {
        assert_eq!(words(&Position::describe(&action(text)), list), said);
    }
    let step = arena_rules::war_of_life::Action {
        from: arena_rules::war_of_life::Target { row: 2, col: 3 },
        to: arena_rules::war_of_life::Target { row: 1, col: 3 },
    };
    assert_eq!(words(&arena_rules::war_of_life::Position::describe(&step), list), "moves 2/3 to 1/3");
}
