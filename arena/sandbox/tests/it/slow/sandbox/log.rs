//! What a bot may log, and what it costs.

use arena_record::ForfeitCode::{BadPointer, FuelExhausted};
use arena_referee::Player;
use arena_sandbox::{LOG_BYTE_FUEL, LOG_BYTES_MAX, LOG_CALL_FUEL, LOG_LINES_MAX};

use super::bots::{OBSERVATION, PLENTY, doing, fuel_of, own, player, start, started, wasm};

fn log(address: u32, length: u32) -> String {
    format!("(call $log (i32.const {address}) (i32.const {length}))")
}

/// Lines kept and lines dropped after one turn of this.
fn logged(instructions: &str) -> (Vec<String>, u64) {
    let mut player = started(&doing(
        "(data (i32.const 0) \"0123456789\") (data (i32.const 100) \"\\ff\\80ok\\c3\\a9\\n\")",
        instructions,
    ));
    player.turn(&OBSERVATION, PLENTY).unwrap_or_else(|failure| panic!("{failure:?}"));
    (player.left().log.lines().to_vec(), player.left().log.dropped())
}

#[test]
fn lines_are_kept_in_order() {
    let (lines, dropped) = logged(&[log(0, 3), log(3, 0), log(5, 5)].concat());
    assert_eq!((lines, dropped), (vec!["012".into(), String::new(), "56789".into()], 0));
}

#[test]
fn broken_text_is_replaced() {
    assert_eq!(logged(&log(100, 7)).0, ["\u{fffd}\u{fffd}oké\n"]);
    assert_eq!(logged(&log(100, 5)).0, ["\u{fffd}\u{fffd}ok\u{fffd}"]);
}

#[test]
fn so_many_lines_are_kept() {
    for (count, kept, dropped) in [(LOG_LINES_MAX, LOG_LINES_MAX, 0), (LOG_LINES_MAX + 1, LOG_LINES_MAX, 1)] {
        let (lines, more) = logged(&log(0, 1).repeat(count));
        assert_eq!((lines.len(), more), (kept, dropped as u64));
    }
}

#[test]
fn so_many_bytes_are_kept() {
    let most = LOG_BYTES_MAX as u32;
    let lengths = |lengths: &[u32]| {
        let (lines, dropped) = logged(&lengths.iter().map(|length| log(1_000, *length)).collect::<String>());
        (lines.iter().map(|line| line.len() as u32).collect::<Vec<_>>(), dropped)
    };
    assert_eq!(lengths(&[most]), (vec![most], 0));
    assert_eq!(lengths(&[most + 1]), (vec![], 1));
    assert_eq!(lengths(&[most - 1, 1]), (vec![most - 1, 1], 0));
    // A line that does not fit is dropped whole; a shorter one after it still fits.
    assert_eq!(lengths(&[most - 1, 2, 1, 1]), (vec![most - 1, 1], 2));
}

#[test]
fn the_limits_are_of_a_game() {
    let mut player = started(&doing("", &log(0, 1).repeat(40)));
    for (kept, dropped) in [(40, 0), (64, 16), (64, 56)] {
        player.turn(&OBSERVATION, PLENTY).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!((player.left().log.lines().len(), player.left().log.dropped()), (kept, dropped));
    }
    start(&mut player).expect("it starts again");
    assert_eq!((player.left().log.lines().len(), player.left().log.dropped()), (0, 0));
}

#[test]
fn a_call_costs_its_price_and_each_byte_its() {
    assert_eq!((LOG_CALL_FUEL, LOG_BYTE_FUEL), (200, 2));
    // A constant costs 1, a call 25; the host's price comes on top.
    let nothing = fuel_of(&doing("", ""));
    for length in [0, 1, 2, 100, 4_096, 65_536] {
        let fuel = fuel_of(&doing("", &log(0, length)));
        assert_eq!(fuel - nothing, 1 + 1 + 25 + 200 + 2 * u64::from(length), "{length} bytes");
    }
    // Lines that are dropped cost the same.
    assert_eq!(fuel_of(&doing("", &log(0, 9).repeat(100))) - nothing, 100 * (27 + 200 + 18));
}

#[test]
fn a_log_that_cannot_be_paid_is_not_written() {
    let bytes = doing("", &[log(0, 3), log(0, 3_000)].concat());
    // After the last line one constant is left to pay, and one unit must be left at the end.
    let need = fuel_of(&bytes);
    for (fuel, lines) in [(need, 2), (need - 1, 2), (need - 2, 2), (need - 3, 1), (300, 1), (100, 0)] {
        let mut player = started(&bytes);
        let played = player.turn(&OBSERVATION, fuel);
        if fuel == need {
            assert_eq!(played.map(|reply| reply.fuel), Ok(Some(need)));
        } else {
            assert_eq!(own(played).code, FuelExhausted, "on {fuel}");
        }
        assert_eq!(player.left().log.lines().len(), lines, "on {fuel} of {need}");
    }
}

#[test]
fn the_price_is_asked_before_the_address_is_looked_at() {
    for (address, length) in [(0, u32::MAX), (u32::MAX, u32::MAX), (65_536, 1), (65_537, 0), (0, 65_537), (u32::MAX, 1)]
    {
        let bytes = doing("", &log(address, length));
        let dear = started(&bytes).turn(&OBSERVATION, 200);
        assert_eq!(own(dear).code, FuelExhausted);
        let rich = started(&bytes).turn(&OBSERVATION, 10_000_000_000);
        assert_eq!(own(rich).code, BadPointer, "{length} bytes at {address}");
    }
    // No bytes at the end of the memory are all in memory.
    assert_eq!(logged(&log(65_536, 0)), (vec![String::new()], 0));
}

#[test]
fn what_was_logged_before_a_failure_is_kept() {
    let mut failed = started(&doing("", &format!("{} (unreachable)", log(0, 2))));
    own(failed.turn(&OBSERVATION, PLENTY));
    assert_eq!(failed.left().log.lines().len(), 1);

    let at_start = |then: &str| {
        wasm(&format!(
            r#"(import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1) (data (i32.const 0) "hello")
            (func $first (call $log (i32.const 0) (i32.const 5))) (start $first)
            (func (export "arena_observation") (param i32) (result i32) {then})
            (func (export "arena_turn") (param i32) (result i64) (call $log (i32.const 1) (i32.const 1)) (i64.const 0))"#
        ))
    };
    let mut broken = player(&at_start("(unreachable)"));
    own(start(&mut broken));
    assert_eq!(broken.left().log.lines(), ["hello"]);
    let mut whole = started(&at_start("(i32.const 0)"));
    assert_eq!(whole.left().log.lines(), ["hello"]);
    whole.turn(&OBSERVATION, PLENTY).unwrap_or_else(|failure| panic!("{failure:?}"));
    // By then the observation is where the text was.
    assert_eq!(whole.left().log.lines(), ["hello", "n"]);
}
