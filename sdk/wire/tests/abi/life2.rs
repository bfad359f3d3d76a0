//! Life2.

use arena_rules::life2::{
    Action, Bases, CELLS_A_TURN, GENERATIONS, Length, Options, Position, Side, Slot, Target, Turn, VIEW_SIDE, View,
};
use arena_rules::{BySeat, Rng, Ruleset, Seat, Seed};
use arena_wire::life2::{OBSERVATION_LEN, Observation};
use arena_wire::{GAMES, Protocol};
use proptest::prelude::*;

use crate::document::{ABI, Vector, bytes, number};
use crate::laws;

fn targets(text: &str) -> Vec<Target> {
    let target = |pair: &str| {
        let (row, col) = pair.split_once(',').expect("row,column");
        Target { row: row.parse().expect("a row"), col: col.parse().expect("a column") }
    };
    text.split_whitespace().map(target).collect()
}

fn action(text: &str) -> Action {
    if let Some(look) = text.strip_prefix("look ") {
        let [centre, size, cells @ ..] = &targets(look)[..] else { panic!("a middle and a size") };
        return Action::Look(View::around(*centre, size.row, size.col).expect("in the world"), cells.to_vec());
    }
    if text.is_empty() || text == "pass" { Action::Pass } else { Action::Place(targets(text)) }
}

/// The position after a turn of all seats.
fn after(mut position: Position, actions: &[(Seat, Action)]) -> Position {
    let mut turns: BySeat<Option<Turn>> = BySeat::new(position.seats(), |_| None);
    for (seat, action) in actions {
        turns[*seat] = Some(position.check(*seat, action).expect("legal"));
    }
    position.advance(turns);
    position
}

#[test]
fn the_observation_is_as_written() {
    for vector in Vector::all("life2-observation") {
        let start = Position::start(&Position::parse_options(vector.get("options")).expect("options"), &[0; 32]);
        let turn = vector.under("turn");
        let actions: Vec<_> = turn.into_iter().map(|(seat, text)| (Seat(number(seat) as u8), action(text))).collect();
        let seat_seed = Vector::all("seat-seed")[0].seed("seat_seed");
        let seat = Seat(number(vector.get("seat")) as u8);
        let position = after(start, &actions);
        let look = vector.0.iter().find(|(key, _)| *key == "look");
        let position = match look.map(|(_, view)| action(&format!("look {view}"))) {
            Some(Action::Look(view, _)) => position.looking(view),
            _ => position,
        };
        let bytes = position.observation(seat, &seat_seed);
        assert_eq!(bytes, vector.observation());
        assert_eq!(Observation::decode(&bytes).map(|seen| seen.encode()), Ok(bytes));
    }
    assert!(ABI.contains("\n4,324 bytes: a header of 16"));
    assert_eq!(OBSERVATION_LEN, 4324);
}

#[test]
fn actions_are_as_written() {
    for (text, written) in &Vector::all("life2-actions")[0].0 {
        assert_eq!(Position::encode_action(&action(text)), bytes(written), "{text}");
        assert_eq!(Position::decode_action(&bytes(written)), Ok(action(text)), "{text}");
    }
    for (why, written) in &Vector::all("life2-not-actions")[0].0 {
        assert!(Position::decode_action(&bytes(written)).is_err(), "{why}");
    }
    assert_eq!(Position::pass(), Some(Action::Pass));
}

#[test]
fn starts_are_as_written() {
    for vector in Vector::all("life2-start") {
        let options = Position::parse_options(vector.get("options")).expect("options");
        let position = Position::start(&options, &vector.seed("seed"));
        let bases = (0..options.seats).map(|seat| position.kingdom(Seat(seat)).expect("it stands").base);
        let bases: Vec<Target> = bases.map(|base| Target { row: base.y, col: base.x }).collect();
        assert_eq!(bases, targets(vector.get("bases")));
        assert!((0..options.seats).all(|seat| position.coins(Seat(seat)) == u64::from(options.coins)));
        assert_eq!(position.tally(), BySeat::new(options.seats, |_| 36));
    }
    let stream = u64::from_le_bytes(*b"life2qd1");
    assert!(ABI.contains(&format!("`life2qd1`: {stream:#018x}.")));
}

#[test]
fn limits_are_as_written() {
    assert_eq!(Position::ALLOWANCE.fuel_per_move, 10_000_000);
    assert!(ABI.contains("10,000,000 in Life2"));
    assert_eq!((CELLS_A_TURN, VIEW_SIDE, GENERATIONS, Position::TURNS_MAX), (60, 64, 6_000, 200));
    assert!(ABI.contains("A turn places at most 60 cells") && ABI.contains("After 6,000 generations (`majority`)"));
}

#[test]
fn options_have_one_text() {
    for seats in 2..=9 {
        for (coins, bases, length, tail) in [
            (1, Bases::Shuffled, Length::Full, ""),
            (1_000, Bases::Fixed, Length::Full, ",bases=fixed"),
            (12_000, Bases::Fixed, Length::Short, ",bases=fixed,generations=600"),
            (60, Bases::Shuffled, Length::Short, ",generations=600"),
        ] {
            let options = Options { seats, coins, bases, length };
            let text = format!("seats={seats},coins={coins}{tail}");
            assert_eq!(Position::parse_options(&text), Some(options));
            assert_eq!(Position::options_text(&options), text);
            assert_eq!(Position::starts_from_seed(&options), bases == Bases::Shuffled);
            assert_eq!(Position::may_count(&options), length == Length::Full);
            let duel = (seats > 2).then_some(Options { seats: 2, ..options });
            assert_eq!(Position::duel(&options), duel);
        }
    }
    for other in [
        "",
        "seats=9",
        "seats=1,coins=5",
        "seats=10,coins=5",
        "seats=2,coins=0",
        "seats=2,coins=12001",
        "seats=2,coins=01",
        "seats=+2,coins=1",
        "coins=1,seats=2",
        "seats=2,coins=5,generations=600,bases=fixed",
        "seats=2,coins=5,generations=6000",
    ] {
        assert_eq!(Position::parse_options(other), None, "{other}");
    }
    let ranked = Position::parse_options(Position::RANKED).expect("canonical");
    let casual = Position::parse_options(Position::CASUAL).expect("canonical");
    assert!(Position::starts_from_seed(&ranked) && !Position::starts_from_seed(&casual));
    assert_eq!((ranked.seats, casual.seats), (3, 2));
    assert!(GAMES.iter().any(|game| game.ruleset == Position::ID && game.tag == Position::TAG));
}

/// Some cells on a seat's ground, no more than it can pay for; mostly close together, so that they live.
fn some_cells(position: &Position, seat: Seat, rng: &mut Rng) -> Action {
    let Some(slot) = Slot::new(seat.0 + 1) else { return Action::Pass };
    let ground: Vec<Target> = position.world().ground().of(slot).map(Target::from).collect();
    let from = rng.below(ground.len() as u32) as usize;
    let legal = ground[from..].iter().take(40).filter(|_| rng.below(2) == 0);
    let legal = legal.filter(|cell| position.may_place(seat, **cell).is_ok()).copied();
    let cells: Vec<Target> = legal.take(position.coins(seat).min(12) as usize).collect();
    if cells.is_empty() { Action::Pass } else { Action::Place(cells) }
}

/// A position that a game of drawn turns reaches; some seats may have forfeited.
fn any_position() -> impl Strategy<Value = Position> {
    (2..=9_u8, 1..400_u32, any::<Seed>(), 0..5_u8).prop_map(|(seats, coins, seed, turns)| {
        let length = if seed[0] % 2 == 0 { Length::Full } else { Length::Short };
        let mut position = Position::start(&Options { seats, coins, bases: Bases::Shuffled, length }, &seed);
        let mut rng = Rng::new(&seed, 0);
        for _ in 0..turns {
            let awaiting = position.awaiting();
            let actions: Vec<_> = awaiting.iter().map(|seat| (seat, some_cells(&position, seat, &mut rng))).collect();
            position = after(position, &actions);
        }
        position
    })
}

fn any_action() -> impl Strategy<Value = Action> {
    let target = any::<(u16, u16)>().prop_map(|(row, col)| Target { row, col });
    prop_oneof![Just(Action::Pass), prop::collection::vec(target, 1..70).prop_map(Action::Place)]
}

/// A bot's observation in such a position.
fn any_observation() -> impl Strategy<Value = Observation> {
    (any_position(), any::<prop::sample::Index>(), any::<Seed>()).prop_map(|(position, seat, seat_seed)| {
        let seat = Seat(seat.index(position.seats().into()) as u8);
        Observation::decode(&position.observation(seat, &seat_seed)).expect("just encoded")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn actions_keep_the_laws(
        action in any_action(),
        noise in prop_oneof![laws::bytes_like_an_action(3, 3, 14), prop::collection::vec(any::<u8>(), 0..64)],
    ) {
        laws::of_actions::<Position>(&action, &noise)?;
    }

    #[test]
    fn observations_keep_the_laws(
        observation in any_observation(),
        change in (any::<prop::sample::Index>(), any::<u8>()),
        noise in prop::collection::vec(any::<u8>(), 0..=700),
    ) {
        laws::of_observations(observation, change, &noise)?;
    }

    /// A bot's observation agrees with the position: its view, every kingdom's counts, and which cells it may place.
    #[test]
    fn what_is_seen_is_there(position in any_position(), seat in any::<prop::sample::Index>(), seed in any::<Seed>()) {
        let seat = Seat(seat.index(position.seats().into()) as u8);
        let bytes = position.observation(seat, &seed);
        let seen = Observation::decode(&bytes).expect("just encoded");
        prop_assert_eq!(seen.encode(), bytes);
        let (known, all) = (&seen.position, &position);
        prop_assert_eq!((known.seats(), known.turns(), known.view(seat)), (all.seats(), all.turns(), all.view(seat)));
        prop_assert_eq!(&known.census()[1..], &all.census()[1..]);
        prop_assert_eq!(known.tally(), all.tally());
        let corner = position.view(seat);
        for (down, right) in (0..VIEW_SIDE).flat_map(|down| (0..VIEW_SIDE).map(move |right| (down, right))) {
            let cell = Side::WORLD.cell(Side::WORLD.index(arena_rules::life2::Cell { x: corner.x + right, y: corner.y + down }));
            prop_assert_eq!(known.world().ground().owner(cell), all.world().ground().owner(cell));
            prop_assert_eq!(known.may_place(seat, cell.into()), all.may_place(seat, cell.into()));
        }
        let action = some_cells(known, seat, &mut Rng::new(&seed, 1));
        prop_assert!(!known.awaiting().contains(seat) || all.check(seat, &action).is_ok());
    }

    /// Equal positions have equal states, and different ones have different states. Forfeits are in the state, and hidden from bots.
    #[test]
    fn a_state_is_a_position(first in any_position(), second in any_position(), out in 0..10_u8) {
        prop_assert_eq!(first.state() == second.state(), first == second);
        let mut lost = first.clone();
        lost.forfeit(Seat(out));
        prop_assert_eq!(lost.state() == first.state(), lost == first);
        prop_assert_eq!(lost.observation(Seat(0), &[0; 32]), first.observation(Seat(0), &[0; 32]));
    }

    #[test]
    fn what_is_offered_is_what_is_legal(position in any_position(), seed in any::<Seed>()) {
        let mut rng = Rng::new(&seed, 2);
        let drawn = |_| position.awaiting().iter().map(|seat| (seat, some_cells(&position, seat, &mut rng))).collect::<Vec<_>>();
        let legal: Vec<_> = (0..2).flat_map(drawn).collect();
        laws::of_choices(&position, &legal, &mut Rng::new(&seed, 0))?;
    }

    /// Each block of a picture belongs to the kingdom that has most of its ground.
    #[test]
    fn a_picture_shows_whose_the_ground_is(position in any_position(), row in 0..64_u16, col in 0..64_u16) {
        let picture = position.picture();
        prop_assert_eq!((picture.rows, picture.cols, picture.cells.len()), (64, 64, 64 * 64));
        let mut counts = [0; 10];
        for cell in (0..64_u16).map(|at| arena_rules::life2::Cell { x: 8 * col + at % 8, y: 8 * row + at / 8 }) {
            counts[position.world().ground().owner(cell).map_or(0, |slot| usize::from(slot.number()))] += 1;
        }
        let shown = usize::from(picture.cells[usize::from(row) * 64 + usize::from(col)]);
        let most = counts[1..].iter().copied().max().unwrap_or(0);
        prop_assert_eq!(if shown == 0 { 0 } else { counts[shown] }, most);
        prop_assert_eq!(shown == 0, most == 0);
        prop_assert_eq!(picture.tally, position.tally());
    }
}
