//! The code's own meter in three engines: one module, one budget, one verdict, log and memory.

use std::fs;
use std::path::{Path, PathBuf};

use arena_sandbox::Sandbox;

use super::PLENTY;
use super::modules::{OBSERVATION, alone};
use super::operands::on_all_operands;
use super::sources::sources;
use super::vectors::{Ends, Game, Vector, game, hold_in_all, hold_in_node};
use crate::guests;

/// Every so many operators in the gate; all at night.
const SAMPLED: usize = 20;
/// Fuel of a call.
const FUEL: u64 = 20_000;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../meter/tests/golden/meter")
}

#[test]
fn the_vectors_hold_in_all_engines_and_are_what_the_rule_says() {
    let bless = std::env::var_os("ARENA_BLESS").is_some();
    let mut all = Vec::new();
    for (file, sources) in sources() {
        let vectors: Vec<Vector> = sources.iter().map(|source| source.vector()).collect();
        let text: String = vectors.iter().map(|vector| serde_json::to_string(vector).expect("text") + "\n").collect();
        let path = golden().join(format!("{file}.jsonl"));
        if bless {
            fs::write(&path, &text).expect("written");
        }
        assert_eq!(fs::read_to_string(&path).expect("vectors"), text, "{file}");
        all.extend(vectors);
    }
    hold_in_all(&all, &[]);
}

#[test]
fn the_vectors_hold_for_players_of_games() {
    let reusing = Sandbox::reusing(1).expect("this machine runs bots");
    for sandbox in [Sandbox::new().expect("this machine runs bots"), reusing] {
        for file in fs::read_dir(golden()).expect("vectors").flatten() {
            for line in fs::read_to_string(file.path()).expect("vectors").lines() {
                let vector: Vector = serde_json::from_str(line).expect("a vector");
                vector.holds_for_a_player(&sandbox);
            }
        }
    }
}

#[test]
fn a_vector_that_is_wrong_is_found_by_node() {
    let (_, sources) = sources().into_iter().next().expect("vectors");
    let mut vector = sources[0].vector();
    vector.games[0][1].ends = Ends::Trap;
    let found = std::panic::catch_unwind(|| hold_in_node(&[vector], &[]));
    // Where there is no Node, nothing is played.
    assert!(found.is_err() || std::process::Command::new("node").arg("--version").output().is_err());
}

#[test]
fn every_operator_alone_does_the_same_in_all_engines() {
    operators_in_all(SAMPLED, 1, 0);
}

/// Every so many operators, so many programs of each, in time and out of fuel; and on all operands.
pub(crate) fn operators_in_all(every: usize, programs: usize, seed: u64) {
    let points = || [FUEL / 3, FUEL / 2].into_iter();
    let vectors: Vec<Vector> =
        alone(every, programs, seed).map(|(name, bytes)| around(&name, &bytes, points())).collect();
    assert!(vectors.len() > 800 / every, "{}", vectors.len());
    hold_in_all(&vectors, &[]);
    let vectors = on_all_operands(every);
    assert!(vectors.len() > 380 / every, "{}", vectors.len());
    hold_in_all(&vectors, &[]);
}

/// A module with plenty of fuel, with just enough and just too little for its start and its turn, and with these.
fn around(what: &str, bytes: &[u8], points: impl Iterator<Item = u64>) -> Vector {
    let on = |start, turn| game(&OBSERVATION, start, turn);
    let whole = Vector::played(what, bytes, vec![on(PLENTY, FUEL)]);
    let used = |call: usize| whole.games[0].get(call).and_then(|call| call.used);
    let (start, turn) = (used(0).unwrap_or(FUEL), used(1).unwrap_or(FUEL));
    let mut games: Vec<Game> = vec![on(PLENTY, FUEL), on(start, turn)];
    games.extend([on(start.saturating_sub(1), turn), on(start, turn.saturating_sub(1))]);
    games.extend(points.flat_map(|point| [on(PLENTY, point % (turn + 2)), on(point % (start + 2), turn)]));
    Vector::played(what, bytes, games)
}

#[test]
fn built_in_opponents_as_guests_do_the_same_in_all_engines() {
    let Some(folder) = guests::folder() else { return };
    for name in ["easy", "gogol-greedy", "life2-idle"] {
        let bytes = fs::read(folder.join(format!("baseline-{name}.wasm"))).expect("a guest");
        // An observation of noughts is refused or answered, by all alike.
        let vector =
            Vector::played(name, &bytes, [PLENTY, 40_000, 5_000].map(|fuel| game(&[0; 776], 50_000_000, fuel)).into());
        hold_in_all(&[vector], &[]);
    }
}
