//! What holds for all games.

use arena_record::{Budgets, ForfeitCode};
use arena_rules::{Rng, Seat};
use arena_wire::{Call, GAMES, Game, Point, Protocol, RoomWish, Visitor, options_of, seat_seed};

use crate::document::{ABI, Vector, number, numbers};

#[test]
fn seat_seeds_are_as_written() {
    for vector in Vector::all("seat-seed") {
        let seat = Seat(number(vector.get("seat")) as u8);
        let seed = seat_seed(&vector.seed("game_seed"), seat, vector.get("entrant"));
        assert_eq!(seed, vector.seed("seat_seed"));
    }
}

#[test]
fn the_generator_is_as_written() {
    for vector in Vector::all("chacha8") {
        for (stream, words) in vector.under("stream") {
            let mut rng = Rng::new(&vector.seed("seed"), number(stream));
            for word in words.split_whitespace() {
                assert_eq!(format!("{:08x}", rng.word()), word, "stream {stream}");
            }
        }
    }
    for vector in Vector::all("below") {
        for (n, results) in vector.under("below") {
            let mut rng = Rng::new(&vector.seed("seed"), number(vector.get("stream")));
            let drawn: Vec<u32> = numbers(results).iter().map(|_| rng.below(number(n) as u32)).collect();
            assert_eq!(drawn, numbers(results), "below {n}");
        }
    }
    for vector in Vector::all("shuffle") {
        let shuffled = numbers(vector.get("shuffle"));
        let mut items: Vec<u32> = (0..shuffled.len() as u32).collect();
        Rng::new(&vector.seed("seed"), number(vector.get("stream"))).shuffle(&mut items);
        assert_eq!(items, shuffled);
    }
}

/// A number as the document writes it, with commas between the thousands.
fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[test]
fn codes_and_budgets_are_as_written() {
    for code in ForfeitCode::ALL {
        assert!(ABI.contains(&format!("\n| `{code}` | ")), "{code} is missing");
    }
    let Budgets { fuel_per_move, fuel_at_start, memory_bytes, module_bytes, fuel_per_game: _ } = Budgets::DEFAULT;
    for (what, budget) in [
        ("fuel per turn", fuel_per_move),
        ("fuel at the start: start function, `_initialize` and `arena_observation` together", fuel_at_start),
        ("memory", memory_bytes),
        ("file", module_bytes),
    ] {
        let row = format!("\n| {what} | {}", with_commas(budget));
        assert!(ABI.contains(&row), "the document has no row {row:?}");
    }
}

#[test]
fn the_modules_by_hand_assemble() {
    let (_, rest) = ABI.split_once("```wat\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    wat::parse_str(example).expect("the example in the document");
    wat::parse_str(include_str!("../../../../bots/gallery/mason/bot.wat")).expect("the gallery's mason");
}

/// Whether anybody may see games with these options from the start.
struct IsOpen<'a>(&'a str);

impl Visitor for IsOpen<'_> {
    type Out = bool;

    fn visit<P: Protocol>(self, _: P) -> bool {
        let options = options_of::<P>(self.0).expect("canonical");
        !P::starts_from_seed(&options) && !P::for_study(&options)
    }
}

#[test]
fn rooms_have_what_people_choose_and_nothing_else() {
    for game in GAMES.iter().filter(|game| game.suits_rooms()) {
        let options = |wish: RoomWish| game.room_options(&wish, 7);
        let usual = options(RoomWish::default()).expect("a room");
        assert!(game.is_usual(&usual), "{usual}");
        assert_eq!(game.number_of(&usual), game.has_numbers().then_some(7));
        for kind in game.room_kinds {
            let asked = RoomWish { kind: Some(kind.name.into()), ..RoomWish::default() };
            let made = options(asked.clone()).expect(kind.name);
            assert!(arena_wire::start(game.ruleset, &made, &[0; 32], IsOpen(&made)).expect(&made), "{made}");
            assert_eq!(game.shape(&made).expect(&made).seats, game.room_seats.0);
            assert_eq!((game.room_kind(&made), game.is_usual(&made)), (Some(kind), kind.options.is_none()), "{made}");
            // A number chooses among casual starts, where there are many.
            let numbered = options(RoomWish { number: Some(8), ..asked });
            assert_eq!(numbered.is_some(), kind.options.is_none() && game.has_numbers(), "{made}");
        }
        assert!(game.room_kinds.first().is_none_or(|kind| kind.options.is_none()), "the usual one comes first");
        assert_eq!(options(RoomWish { kind: Some("odd".into()), ..RoomWish::default() }), None);
        assert_eq!(options(RoomWish { seats: Some(game.room_seats.1 + 1), ..RoomWish::default() }), None);
        assert_eq!(options(RoomWish { turns: Some(7), ..RoomWish::default() }), None);
    }
    let of = |game: &str, kind: Option<&str>, number| {
        let wish = RoomWish { kind: kind.map(String::from), number, ..RoomWish::default() };
        Game::named(game).expect("a game").room_options(&wish, 7)
    };
    assert_eq!(of("conquerors", Some("v1"), None).as_deref(), Some(""));
    assert_eq!(of("conquerors", None, Some(1)), None);
    assert_eq!(of("war-of-life", None, Some(u32::MAX)).as_deref(), Some("start=deal:4294967295"));
    assert_eq!(of("war-of-life", Some("deal"), None).as_deref(), Some("start=deal:7"));
    assert_eq!(of("war-of-life", Some("pictured"), None).as_deref(), Some("start=pictured"));
    assert_eq!(of("life2", None, None), None);
}

#[test]
fn every_game_can_be_played_by_two_in_pairs_that_count() {
    for game in GAMES {
        let options = game.match_options().expect(game.ruleset);
        let shape = game.shape(&options).expect(&options);
        assert_eq!((shape.seats, shape.may_count), (2, true), "{}: {options}", game.ruleset);
    }
}

#[test]
fn games_read_and_write_actions_without_a_position() {
    for game in GAMES {
        let names: Vec<&str> = game.tools.iter().map(|tool| tool.name).collect();
        assert!(names.iter().all(|name| game.tools.iter().filter(|tool| tool.name == *name).count() == 1), "{names:?}");
        for tool in game.tools {
            assert_eq!(game.tool(tool.name), Some(*tool));
            let cells = (0..tool.input.least()).map(|at| Point::new(at, at));
            let calls = [Call::new(*tool, cells)];
            let bytes = game.compose(&calls).expect("the fewest cells it can have");
            assert_eq!(game.describe(&bytes).as_deref(), Ok(&calls[..]));
        }
        assert_eq!((game.tool("dance"), game.compose(&[])), (None, None));
        assert!(game.describe(&[]).is_err());
        // Where a byte counts rows it is not cut short.
        let far = Call::new(game.tools[0], (0..game.tools[0].input.least()).map(|_| Point::new(256_u16, 0_u16)));
        let bytes = game.compose(core::slice::from_ref(&far));
        assert!(bytes.is_none_or(|bytes| game.describe(&bytes) == Ok(vec![far])));
    }
}
