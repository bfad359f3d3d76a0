//! Bytes as an action and as options of every game, and as changes to an observation: refused, or something that is
//! spelt in exactly these bytes. An action that is read can be judged and played.
#![no_main]

use arena_rules::{BySeat, Seat};
use arena_wire::{GAMES, Protocol, Visitor, start};
use libfuzzer_sys::fuzz_target;

struct Bytes<'a>(&'a [u8]);

impl Visitor for Bytes<'_> {
    type Out = ();

    fn visit<P: Protocol>(self, first: P) {
        let Bytes(bytes) = self;
        if let Ok(action) = P::decode_action(bytes) {
            assert!(P::encode_action(&action) == bytes);
            let composed = P::compose(&P::describe(&action)).map(|action| P::encode_action(&action));
            assert!(composed.as_deref() == Some(bytes));
            play(first.clone(), &action);
        }
        let seen = changed(first.observation(Seat(0), &[7; 32]), bytes);
        if let Ok(observation) = P::observe(&seen) {
            assert!(observation.encode() == seen);
            let _ = observation.position.outcome();
        }
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        if let Some(options) = P::parse_options(text) {
            assert_eq!(P::options_text(&options), text);
        }
    }
}

/// An observation with some bytes replaced: where (two bytes), and by what (one).
fn changed(mut observation: Vec<u8>, changes: &[u8]) -> Vec<u8> {
    let len = observation.len();
    for change in changes.chunks_exact(3) {
        observation[usize::from(u16::from_le_bytes([change[0], change[1]])) % len] = change[2];
    }
    observation
}

/// Gives the action to the first seat that may act, as a referee does.
fn play<P: Protocol>(mut position: P, action: &P::Action) {
    let Some(mover) = (0..position.seats()).map(Seat).find(|seat| position.awaiting().contains(*seat)) else { return };
    if let Ok(checked) = position.check(mover, action) {
        position.advance(BySeat::new(position.seats(), |seat| (seat == mover).then(|| checked.clone())));
    }
}

fuzz_target!(|bytes: &[u8]| {
    for game in GAMES {
        assert!(start(game.ruleset, game.casual, &[0; 32], Bytes(bytes)).is_ok(), "{} starts", game.ruleset);
    }
});
