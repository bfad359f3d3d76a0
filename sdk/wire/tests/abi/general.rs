//! What holds for all games.

use arena_record::{Budgets, ForfeitCode};
use arena_rules::{Rng, Seat};
use arena_wire::{Call, GAMES, Point, seat_seed};

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
        ("fuel at the start: start function and `arena_observation` together", fuel_at_start),
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
