//! Bots as text and as bytes. The honest one is mason of the gallery, and most hostile ones are mason with a deed.

/// The gallery's hand-written bot.
/// An empty component.
pub(crate) const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

const MASON: &str = include_str!("../../../../../../bots/gallery/mason/bot.wat");
/// How its turn begins.
const TURN: &str = r#"(func (export "arena_turn") (param $length i32) (result i64)"#;
/// Where it keeps the observation.
const OBSERVATION: u32 = 1_024;
/// A place in its memory that it leaves alone.
pub(crate) const FREE: u32 = 0x4000;

/// A page of memory, as most fixtures have it.
pub(crate) const MEMORY: &str = r#"(memory (export "memory") 1)"#;
/// The two functions of the contract; the answer is no action.
pub(crate) const CONTRACT: &str = r#"(func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x4_0000_0000))"#;

/// The bytes of a module with these fields.
pub(crate) fn wasm(fields: &str) -> Vec<u8> {
    wat::parse_str(format!("(module {fields})")).unwrap_or_else(|error| panic!("{error}: {fields:.300}"))
}

/// A module that keeps the contract, with further fields. None of them has a name: names are bytes of a custom section.
pub(crate) fn with(fields: &str) -> Vec<u8> {
    wasm(&format!("{MEMORY} {CONTRACT} {fields}"))
}

/// mason itself.
pub(crate) fn honest() -> Vec<u8> {
    wat::parse_str(MASON).unwrap()
}

/// mason with further fields and another turn; its own one is `$honest`.
pub(crate) fn turning(fields: &str, turn: &str) -> Vec<u8> {
    let (before, after) = MASON.split_once("(module").unwrap();
    assert!(after.contains(TURN), "mason's turn looks otherwise");
    let mason = after.replace(TURN, "(func $honest (param $length i32) (result i64)");
    let mason = mason.trim_end().strip_suffix(')').unwrap();
    let text = format!(
        r#"{before}(module (import "arena" "log" (func $log (param i32 i32))) {mason} {fields}
        (func (export "arena_turn") (param i32) (result i64) (local $i i32) {turn}))"#
    );
    wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// mason, which does this first in each turn: instructions that leave nothing. `$i` is a local of theirs.
pub(crate) fn doing(fields: &str, deed: &str) -> Vec<u8> {
    turning(fields, &format!("{deed} (call $honest (local.get 0))"))
}

/// mason, whose turns of these numbers (from 0) are something else: instructions that leave the answer.
pub(crate) fn at_turns(fields: &str, deeds: &[(usize, String)]) -> Vec<u8> {
    let count = "(global.set $turns (i32.add (global.get $turns) (i32.const 1)))";
    let deeds = deeds.iter().map(|(turn, answer)| {
        format!("(if (i32.eq (global.get $turns) (i32.const {})) (then (return {answer})))", turn + 1)
    });
    let fields = format!("(global $turns (mut i32) (i32.const 0)) {fields}");
    doing(&fields, &format!("{count} {}", deeds.collect::<String>()))
}

/// What a turn returns for an action at an address.
pub(crate) fn at(address: u32, length: u32) -> String {
    format!("(i64.const {})", u64::from(length) << 32 | u64::from(address))
}

/// A field that puts bytes into memory.
pub(crate) fn data(address: u32, bytes: &[u8]) -> String {
    let text: String = bytes.iter().map(|byte| format!("\\{byte:02x}")).collect();
    format!("(data (i32.const {address}) \"{text}\")")
}

/// mason, which answers these bytes in its turn of this number, as blue and as red.
pub(crate) fn answering_at(turn: usize, blue: &[u8], red: &[u8]) -> Vec<u8> {
    let red_at = FREE + 0x2000;
    let fields = [data(FREE, blue), data(red_at, red)].concat();
    let seat = format!("(i32.load8_u (i32.const {}))", OBSERVATION + 2);
    let answer = format!(
        "(if (result i64) {seat} (then {}) (else {}))",
        at(red_at, red.len() as u32),
        at(FREE, blue.len() as u32)
    );
    at_turns(&fields, &[(turn, answer)])
}

/// A bot that answers these bytes, whatever it is asked.
pub(crate) fn answering(action: &[u8]) -> Vec<u8> {
    answering_at(0, action, action)
}

/// A section: its id, its length, its bytes.
pub(crate) fn section(id: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![id];
    bytes.extend(leb(payload.len()));
    bytes.extend(payload);
    bytes
}

/// A number in LEB128.
pub(crate) fn leb(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A custom section.
pub(crate) fn custom(name: &str, payload: &[u8]) -> Vec<u8> {
    section(0, &[&leb(name.len()), name.as_bytes(), payload].concat())
}
