//! Laws of the bytes of every game, of whatever values it has.

use std::fmt::Debug;

use arena_wire::{Observation, Protocol};
use proptest::prelude::*;

/// Bytes before the seed, in every game.
const HEADER: usize = 16;

/// Random bytes that often begin like an action with a kind below `kinds`, some `cells`, and fewer than `rest` bytes after.
pub(crate) fn bytes_like_an_action(kinds: u8, cells: u8, rest: usize) -> impl Strategy<Value = Vec<u8>> {
    let header = (0..=2_u8, 0..kinds, 0..cells);
    (header, prop::collection::vec(any::<u8>(), 0..rest)).prop_map(|((version, kind, cells), rest)| {
        let mut bytes = vec![version, kind, cells];
        bytes.extend(rest);
        bytes
    })
}

/// Encoding and decoding undo each other, and what decodes is the only spelling of what it decodes to.
pub(crate) fn of_actions<P>(action: &P::Action, bytes: &[u8]) -> Result<(), TestCaseError>
where
    P: Protocol<Action: PartialEq + Debug>,
{
    let decoded = P::decode_action(&P::encode_action(action));
    prop_assert_eq!(decoded.as_ref(), Ok(action));
    if let Ok(decoded) = P::decode_action(bytes) {
        prop_assert_eq!(P::encode_action(&decoded), bytes);
    }
    Ok(())
}

/// Encoding and decoding undo each other; with one byte changed to anything it is refused, or another observation with
/// exactly these bytes; a part of it is none; and no noise makes the decoder panic.
pub(crate) fn of_observations<P>(
    observation: Observation<P>,
    (at, byte): (prop::sample::Index, u8),
    noise: &[u8],
) -> Result<(), TestCaseError>
where
    P: Protocol + PartialEq + Debug,
{
    let mut bytes = observation.encode();
    prop_assert_eq!(bytes.len(), observation.position.observation_len());
    prop_assert_eq!(Observation::decode(&bytes), Ok(observation));
    prop_assert!(Observation::<P>::decode(&bytes[..at.index(bytes.len())]).is_err());
    let _ = Observation::<P>::decode(noise);
    // The header and what follows the seed are where a byte can be wrong: each change is tried in both.
    for at in [at.index(bytes.len()), at.index(HEADER)] {
        let kept = std::mem::replace(&mut bytes[at], byte);
        if let Ok(decoded) = Observation::<P>::decode(&bytes) {
            prop_assert_eq!(decoded.encode(), &bytes[..]);
        }
        bytes[at] = kept;
    }
    Ok(())
}
