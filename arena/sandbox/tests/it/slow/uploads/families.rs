//! Where uploads come from: each number is one, the same for every caller at any time.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use arbitrary::Unstructured;
use arena_rules::Rng;
use wasm_mutate::WasmMutate;
use wasm_smith::Module;

use super::smith::{like_a_bot, little, of_functions};

/// What wasm-smith is given for a module, in bytes.
const SMITH_BYTES: usize = 700;
/// A mutated or damaged bot of the gallery is compiled if its number is divisible by this: it takes 100 times as long
/// as a small one.
const LARGE_EVERY: u64 = 40;
/// What counts as large, in bytes.
const LARGE_BYTES: usize = 4_000;
/// How hard wasm-mutate tries to change a module.
const MUTATE_FUEL: u64 = 300;

/// A kind of upload.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Family {
    /// Valid modules, of which most keep the contract and the others have what they like.
    Smith,
    /// Bots that wasm-mutate changed and left valid.
    Mutate,
    /// Bots with bits flipped, bytes moved or cut off, and noise.
    Raw,
}

impl Family {
    pub(crate) const ALL: [Family; 3] = [Family::Smith, Family::Mutate, Family::Raw];
}

/// Bytes that somebody sends.
pub(crate) struct Upload {
    pub(crate) family: Family,
    pub(crate) bytes: Vec<u8>,
    /// Whether it is to be compiled and played if it passes the check.
    pub(crate) play: bool,
}

pub(crate) struct Families {
    seed: [u8; 32],
    /// What wasm-smith keeps to: the contract.
    contract: Vec<u8>,
    /// Small modules that are worth changing: between them they have every section and many kinds of instructions.
    small: Vec<Vec<u8>>,
    /// The bots of the gallery.
    large: Vec<Vec<u8>>,
}

impl Families {
    /// `bots` is a folder with the bots of the gallery.
    pub(crate) fn new(seed: u64, bots: &Path) -> Families {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Families { seed: bytes, contract: with("", "(i64.const 0)"), small: small(), large: gallery(bots) }
    }

    /// The upload of this number; none where a generator gave up.
    pub(crate) fn upload(&self, number: u64) -> Option<Upload> {
        let mut rng = Rng::new(&self.seed, number);
        let (family, bytes) = match number % 10 {
            0..2 => (Family::Smith, self.smith(&mut rng)?),
            2..4 => (Family::Mutate, self.mutate(&mut rng)?),
            4..9 => (Family::Raw, self.damage(&mut rng)),
            _ => (Family::Raw, noise(&mut rng)),
        };
        let play = bytes.len() < LARGE_BYTES || (number / 10).is_multiple_of(LARGE_EVERY);
        Some(Upload { family, bytes, play })
    }

    /// A valid module. One of eight has what it likes; the others have the contract's exports and what bots may use.
    fn smith(&self, rng: &mut Rng) -> Option<Vec<u8>> {
        let bytes: Vec<u8> = (0..SMITH_BYTES).map(|_| rng.word() as u8).collect();
        let is_free = rng.below(8) == 0;
        let config = if is_free { little() } else { like_a_bot(&self.contract) };
        let module = Module::new(config, &mut Unstructured::new(&bytes)).ok()?.to_bytes();
        Some(if is_free { module } else { of_functions(&module) })
    }

    /// A bot that wasm-mutate changed once to five times.
    fn mutate(&self, rng: &mut Rng) -> Option<Vec<u8>> {
        let mut bytes = self.original(rng, 100);
        for _ in 0..=rng.below(5) {
            let mut mutate = WasmMutate::default();
            mutate.seed(rng.word().into()).fuel(MUTATE_FUEL).preserve_semantics(rng.below(4) == 0);
            // A mutator that panics has made no upload.
            let changed = catch_unwind(AssertUnwindSafe(|| mutate.run(&bytes).ok()?.next()?.ok())).ok()?;
            bytes = changed.unwrap_or(bytes);
        }
        Some(bytes)
    }

    /// A bot with bits flipped, or a few bytes changed, moved, doubled or cut off.
    fn damage(&self, rng: &mut Rng) -> Vec<u8> {
        let mut bytes = self.original(rng, 8);
        let flips_only = rng.below(2) == 0;
        for _ in 0..=rng.below(8) {
            let at = 8 + rng.below(bytes.len() as u32 - 8) as usize;
            match rng.below(8) {
                _ if flips_only => bytes[at] ^= 1 << rng.below(8),
                0 => bytes[at] = rng.word() as u8,
                1 => bytes.insert(at, rng.word() as u8),
                2 if bytes.len() > 16 => drop(bytes.remove(at)),
                3 if at > 16 => bytes.truncate(at),
                _ => bytes[at] ^= 1 << rng.below(8),
            }
        }
        bytes
    }

    /// A module to change: one of `large_every` is of the gallery.
    fn original(&self, rng: &mut Rng, large_every: u32) -> Vec<u8> {
        let from = if rng.below(large_every) == 0 { &self.large } else { &self.small };
        from[rng.below(from.len() as u32) as usize].clone()
    }
}

/// Bytes, or a header and bytes, or a header and a section of bytes: one of those that there are, or of some that there
/// are not.
fn noise(rng: &mut Rng) -> Vec<u8> {
    let payload: Vec<u8> = (0..rng.below(128)).map(|_| rng.word() as u8).collect();
    let section = [rng.below(16) as u8, payload.len() as u8];
    match rng.below(4) {
        0 => payload,
        1 => [&b"\0asm\x01\0\0\0"[..], &payload].concat(),
        _ => [&b"\0asm\x01\0\0\0"[..], &section, &payload].concat(),
    }
}

fn wasm(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A bot with one page of memory, further fields, and this body of `arena_turn`.
fn with(fields: &str, body: &str) -> Vec<u8> {
    wasm(&format!(
        r#"(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1) {fields}
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func (export "arena_turn") (param i32) (result i64) {body}))"#
    ))
}

fn small() -> Vec<Vec<u8>> {
    let fields = r#"(table 4 20 funcref) (elem (i32.const 1) func $leaf) (elem func $leaf) (data (i32.const 5) "text")
        (data "passive") (global $g (mut i64) (i64.const -3)) (global f32 (f32.const 1.5))
        (func $leaf (param i32) (result i32) (local.get 0))
        (func $first (global.set $g (i64.const 4))) (start $first)"#;
    let control =
        "(block (loop (br_table 0 1 0 (local.get 0)))) (if (local.get 0) (then (nop)) (else (drop (i32.const 1))))
        (drop (call $leaf (i32.const 3))) (drop (call_indirect (param i32) (result i32) (i32.const 2) (i32.const 1)))";
    let numbers = "(f64.store (i32.const 16) (f64.sqrt (f64.convert_i32_s (local.get 0))))
        (v128.store (i32.const 32) (i32x4.add (v128.const i32x4 1 2 3 4) (v128.load (i32.const 0))))
        (i64.store (i32.const 8) (i64.rotl (global.get $g) (i64.clz (i64.const 77))))
        (memory.fill (i32.const 0) (i32.const 1) (i32.const 9))";
    let calls = "(call $log (i32.const 0) (i32.const 5)) (drop (memory.grow (i32.const 1)))";
    let answer = "(i64.const 0x4_0000_0000)";
    let echo = "(i64.or (i64.const 1024) (i64.shl (i64.extend_i32_u (local.get 0)) (i64.const 32)))";
    let bodies = [("", ""), (fields, control), (fields, numbers), (fields, calls)];
    let mut all: Vec<Vec<u8>> = bodies.map(|(fields, body)| with(fields, &format!("{body} {answer}"))).into();
    all.push(with("", echo));
    all.push(wasm(include_str!("../../../../../../bots/gallery/mason/bot.wat")));
    all
}

fn gallery(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder of bots").flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = entries.collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "wasm"));
    paths.sort();
    paths.into_iter().filter_map(|path| fs::read(path).ok()).collect()
}
