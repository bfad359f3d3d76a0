//! A1, A3, A4: files that are no modules.

use arena_sandbox::RefusalCode::{FeatureNotAllowed, InvalidModule, MissingExport, NotWasm, TooLarge};

use super::bots::{COMPONENT, CONTRACT, MEMORY, custom, honest, leb, section, wasm, with};
use super::rows::Wanted::Refused;
use super::rows::{Case, Proof, Row, case, cases};

const HEADER: &[u8; 8] = b"\0asm\x01\0\0\0";

pub(crate) fn rows() -> Vec<Row> {
    let mutants = Proof::Elsewhere {
        text: include_str!("../../../../../sandbox/tests/it/slow/uploads/mod.rs"),
        test: "uploads_are_bots_or_refused",
    };
    vec![cases("A1", no_modules()), cases("A3", damaged()), Row { id: "A4", proof: mutants }]
}

/// Bytes that are something else.
fn no_modules() -> Vec<Case> {
    let noise: Vec<u8> = (0..5_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let zipped = [b"PK\x03\x04\x14\0\0\0\0\0", &honest()[..]].concat();
    let files: [(&str, &[u8]); 19] = [
        ("nothing", b""),
        ("a zero", b"\0"),
        ("a part of the magic", b"\0as"),
        ("the magic in capitals", b"\0ASM\x01\0\0\0"),
        ("the magic exchanged", b"asm\0\x01\0\0\0"),
        ("text", b"(module)"),
        ("text with fields", include_bytes!("../../../../../../bots/gallery/mason/bot.wat")),
        ("a word", b"hello"),
        ("a script", b"export function arena_turn() { return 0n }"),
        ("a shell script", b"#!/bin/sh\nrm -rf /\n"),
        ("an ELF program", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0"),
        ("a PE program", b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0"),
        ("an archive", b"PK\x03\x04"),
        ("a bot in an archive", &zipped),
        ("a compressed file", b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
        ("another one", b"\x28\xb5\x2f\xfd"),
        ("a mark before the magic", b"\xef\xbb\xbf\0asm\x01\0\0\0"),
        ("zeroes", &[0; 1_000]),
        ("noise", &noise),
    ];
    let mut all: Vec<Case> =
        files.into_iter().map(|(what, bytes)| case(what, bytes.to_vec(), Refused(NotWasm, "\\0asm"))).collect();
    for version in [0_u32, 2, u32::MAX] {
        let bytes = [&b"\0asm"[..], &version.to_le_bytes()].concat();
        all.push(case(format!("version {version}"), bytes, Refused(FeatureNotAllowed, "version 1")));
    }
    all.push(case("a component", COMPONENT.to_vec(), Refused(FeatureNotAllowed, "components")));
    all.push(case("too many zeroes", vec![0; (1 << 20) + 1], Refused(NotWasm, "\\0asm")));
    let large = [honest(), custom("x", &vec![0; 1 << 20])].concat();
    all.push(case("a bot that is too large", large, Refused(TooLarge, "1048576 are allowed")));
    all
}

/// Modules that are cut short or broken.
fn damaged() -> Vec<Case> {
    let whole = honest();
    let half = whole[..whole.len() / 2].to_vec();
    let body = |bytes: &[u8]| {
        let code = section(10, &[&[1][..], &leb(bytes.len()), bytes].concat());
        [&HEADER[..], &section(1, &[1, 0x60, 0, 0]), &section(3, &[1, 0]), &code].concat()
    };
    let broken = [
        ("its first half", half),
        ("a version cut short", b"\0asm\x01\0".to_vec()),
        ("a section past the end", [&HEADER[..], &[1, 100, 0]].concat()),
        ("a length that is too long", [&HEADER[..], &[1, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00, 0]].concat()),
        ("a length that overflows", [&HEADER[..], &[1, 0xff, 0xff, 0xff, 0xff, 0x7f]].concat()),
        ("a count that overflows", [&HEADER[..], &section(1, &[0xff; 5])].concat()),
        ("an unknown section", [&HEADER[..], &section(99, &[])].concat()),
        ("a section twice", [&HEADER[..], &section(1, &[0]), &section(1, &[0])].concat()),
        ("sections out of order", [&HEADER[..], &section(10, &[0]), &section(1, &[0])].concat()),
        ("functions without bodies", [&HEADER[..], &section(3, &[1, 0])].concat()),
        ("a body too short for its end", body(&[0])),
        ("a number of locals that is too long", body(&[1, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7f, 0x0b])),
        ("a zero behind the end", [whole.clone(), vec![0]].concat()),
        ("a section behind the last", [whole.clone(), section(1, &[0])].concat()),
        ("a custom section without a name", [whole, section(0, &[])].concat()),
        ("no result", with("(func (result i32))")),
        ("an empty stack", with("(func (drop))")),
        ("an unknown local", with("(func (local.set 3 (i32.const 0)))")),
        ("an unknown function", with("(func (call 99))")),
        ("an unknown memory", with("(data (memory 3) (i32.const 0) \"\")")),
        ("a start function with a parameter", with("(start 0)")),
        ("one export twice", with("(export \"memory\" (memory 0))")),
    ];
    let mut all: Vec<Case> =
        broken.into_iter().map(|(what, bytes)| case(what, bytes, Refused(InvalidModule, "broken"))).collect();
    // In 32 bits the parser adds this to where it is, and traps.
    let long = [&HEADER[..], &[1, 0xff, 0xff, 0xff, 0xff, 0x0f]].concat();
    all.push(case("a section of 4 GiB", long, Refused(InvalidModule, "broken")));
    all.push(case("a header alone", HEADER.to_vec(), Refused(MissingExport, "`arena_observation`")));
    let data = wasm(&format!("{MEMORY} {CONTRACT} (func) (data (i32.const 0) \"x\")"));
    all.push(case("its last byte", data[..data.len() - 1].to_vec(), Refused(InvalidModule, "broken")));
    all
}
