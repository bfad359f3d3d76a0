//! Laws of the encoding, for every game and any values.

use std::fmt::Debug;

use arena_rules::{Rng, Seat};
use arena_wire::{Call, Input, Observation, Point, Protocol};
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

/// Encoding and decoding are inverse to each other, and bytes that decode are the only spelling of their value. The same holds for
/// describing and composing.
pub(crate) fn of_actions<P>(action: &P::Action, bytes: &[u8]) -> Result<(), TestCaseError>
where
    P: Protocol<Action: PartialEq + Debug>,
{
    let decoded = P::decode_action(&P::encode_action(action));
    prop_assert_eq!(decoded.as_ref(), Ok(action));
    let calls = P::describe(action);
    prop_assert!(calls.iter().all(|call| P::TOOLS.contains(&call.tool)));
    let composed = P::compose(&calls);
    prop_assert_eq!(composed.as_ref(), Some(action));
    prop_assert!(P::compose(&[]).is_none() && P::compose(&[calls.clone(), calls].concat()).is_none());
    if let Ok(decoded) = P::decode_action(bytes) {
        prop_assert_eq!(P::encode_action(&decoded), bytes);
    }
    Ok(())
}

/// Encoding and decoding are inverse to each other. Changing a byte gives an error, or another observation with exactly these
/// bytes; a part is an error; and random bytes never make the decoder panic.
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

/// The result of checking an action that may be illegal.
fn judged<P: Protocol>(position: &P, seat: Seat, calls: &[Call]) -> Option<P::Checked> {
    position.check(seat, &P::compose(calls)?).ok()
}

/// Taking offered cells until none is left makes a legal action; and each of the given legal actions, found by brute force, or the
/// same turn, can be made like this. A seat that is not asked is offered nothing.
pub(crate) fn of_choices<P>(position: &P, legal: &[(Seat, P::Action)], rng: &mut Rng) -> Result<(), TestCaseError>
where
    P: Protocol<Checked: PartialEq>,
{
    for seat in (0..=position.seats()).map(Seat) {
        for tool in P::TOOLS {
            let mut call = Call::new(*tool, [] as [Point; 0]);
            let next = |call: &Call| position.choices(seat, core::slice::from_ref(call));
            let mut open = next(&call);
            prop_assert!(open.is_empty() || position.awaiting().contains(seat));
            while !open.is_empty() {
                prop_assert!(open.is_sorted() && tool.input != Input::Nothing);
                call.cells.push(open[rng.below(open.len() as u32) as usize]);
                open = next(&call);
            }
            let whole = judged(position, seat, core::slice::from_ref(&call)).is_some();
            prop_assert!(whole || call.cells.is_empty(), "{seat} was offered {call:?}");
            let cells = call.cells.len() as u16;
            prop_assert!(!whole || (tool.input.least()..=tool.input.most()).contains(&cells), "{call:?}");
        }
    }
    let offered = |(seat, action): &&(Seat, P::Action)| {
        P::describe(action).iter().all(|call| {
            (0..call.cells.len()).all(|upto| {
                let before = Call::new(call.tool, call.cells[..upto].iter().copied());
                position.choices(*seat, &[before]).contains(&call.cells[upto])
            })
        })
    };
    let checked = |(seat, action): &(Seat, P::Action)| position.check(*seat, action).ok();
    let (found, rest): (Vec<_>, Vec<_>) = legal.iter().partition(offered);
    for action in rest {
        let turn = checked(action);
        prop_assert!(found.iter().any(|other| other.0 == action.0 && checked(other) == turn), "not offered");
    }
    Ok(())
}
