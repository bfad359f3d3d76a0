//! The example in `arena/record/FORMAT.md` is a real record, and its description of the digest holds.

use arena_record::Record;
use arena_referee::{check, replay};
use arena_rules::Ruleset;
use arena_rules::conquerors::{Colour, Position};
use sha2::{Digest, Sha256};

use crate::players::replayed;

const FORMAT: &str = include_str!("../../../record/FORMAT.md");

/// The only record in the document, with its newline.
fn example() -> String {
    let lines: Vec<&str> = FORMAT.lines().filter(|line| line.starts_with("{\"format\":")).collect();
    let [line] = lines[..] else { panic!("one example, not {}", lines.len()) };
    format!("{line}\n")
}

#[test]
fn the_example_is_a_record_that_replays() {
    let record = Record::parse(&example()).expect("the example is canonical");
    assert_eq!(check(&record), Ok(()));
    assert_eq!(record.to_text(), example());
}

#[test]
fn the_example_is_recomputed_from_its_header() {
    let record = Record::parse(&example()).expect("the example is canonical");
    assert_eq!(replayed(record.header).to_text(), example());
}

/// The digest as the document describes it, step by step, and without the code that makes records.
#[test]
fn the_described_digest_is_the_examples() {
    let record = Record::parse(&example()).expect("the example is canonical");
    let Ok(game) = replay::<Position>(&record) else { panic!("the example replays") };
    let header = &record.header;
    let start =
        [b"arena/game-digest/1", header.ruleset.as_bytes(), header.options.as_bytes(), &state(&game.position(0))];
    let mut digest = step(&[0; 32], b's', &start);
    for (turn, after) in record.turns.iter().zip(game.positions().skip(1)) {
        for play in &turn.plays {
            digest = step(&digest, b'a', &[&[play.seat], &play.action.0]);
        }
        digest = step(&digest, b'p', &[&state(&after)]);
        assert_eq!(digest[..8], turn.digest.0);
    }
    let tally: Vec<u8> = record.outcome.tally.iter().flat_map(|tally| tally.to_le_bytes()).collect();
    let winner = [record.outcome.winner.unwrap_or(0xff)];
    digest = step(&digest, b'e', &[&winner, record.outcome.reason.as_bytes(), &tally]);
    assert_eq!(digest, record.digest.0);
}

fn step(digest: &[u8; 32], kind: u8, parts: &[&[u8]]) -> [u8; 32] {
    let mut bytes = digest.to_vec();
    bytes.push(kind);
    for part in parts {
        bytes.extend((part.len() as u32).to_le_bytes());
        bytes.extend(*part);
    }
    Sha256::digest(&bytes).into()
}

fn state(position: &Position) -> Vec<u8> {
    let (options, cooldown, skip_used) = (position.options(), position.cooldown(), position.skip_used());
    let bits = [options.chain_needs_home, options.weighted_majority, options.shared_home];
    let options = bits.iter().rev().fold(0, |bits, bit| 2 * bits + u8::from(*bit));
    let to_move = position.setup().to_move.seat().0;
    let mut bytes = vec![options, to_move, position.round(), cooldown.blue, cooldown.red];
    bytes.extend([u8::from(skip_used.blue), u8::from(skip_used.red)]);
    for colour in Colour::BOTH {
        let mut rows = [0_u32; 26];
        position.board().of(colour).cells().for_each(|cell| rows[cell.row()] += 1 << cell.col());
        bytes.extend(rows.iter().flat_map(|row| row.to_le_bytes()));
    }
    match position.outcome() {
        None => bytes.push(0),
        Some(outcome) => {
            bytes.extend([1, outcome.winner.map_or(0xff, |seat| seat.0)]);
            bytes.extend(outcome.reason.code().bytes());
        }
    }
    bytes
}
