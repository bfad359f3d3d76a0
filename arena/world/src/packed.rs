//! A compact form of a state: runs of equal bytes are written once.
//!
//! A byte `n` below 128 is followed by `n + 1` literal bytes; a byte `n` from 128 on is followed by one byte that
//! stands for a run of `n - 125`, so 3 to 130. Most of a world is ground of one owner without living cells.

use arena_record::Bytes;
use serde::{Deserialize, Serialize};

use crate::STATE_BYTES_MAX;

/// The most literal bytes in a row.
const PLAIN_MAX: usize = 128;
/// The lengths of a run.
const EQUAL: std::ops::RangeInclusive<usize> = 3..=130;
/// The offset of a run's length.
const EQUAL_FROM: usize = 125;

/// Packed bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Packed(Bytes);

impl Packed {
    /// Packs bytes. Equal bytes have equal packed forms.
    pub fn of(bytes: &[u8]) -> Packed {
        let (mut packed, mut plain, mut at) = (Vec::new(), Vec::new(), 0);
        while at < bytes.len() {
            let equal = bytes[at..].iter().take(*EQUAL.end()).take_while(|byte| **byte == bytes[at]).count();
            if EQUAL.contains(&equal) {
                flush(&mut plain, &mut packed);
                packed.extend([(equal + EQUAL_FROM) as u8, bytes[at]]);
                at += equal;
            } else {
                plain.push(bytes[at]);
                at += 1;
            }
        }
        flush(&mut plain, &mut packed);
        Packed(Bytes(packed))
    }

    /// Unpacks the bytes; `None` if [`Packed::of`] would pack them differently, or they are more than
    /// [`STATE_BYTES_MAX`].
    pub fn unpack(&self) -> Option<Vec<u8>> {
        let (mut bytes, mut rest) = (Vec::new(), self.0.0.as_slice());
        while let Some((count, after)) = rest.split_first() {
            let count = usize::from(*count);
            if count < PLAIN_MAX {
                let (plain, after) = after.split_at_checked(count + 1)?;
                bytes.extend_from_slice(plain);
                rest = after;
            } else {
                let (byte, after) = after.split_first()?;
                bytes.resize(bytes.len() + count - EQUAL_FROM, *byte);
                rest = after;
            }
            if bytes.len() > STATE_BYTES_MAX {
                return None;
            }
        }
        (Packed::of(&bytes) == *self).then_some(bytes)
    }
}

fn flush(plain: &mut Vec<u8>, packed: &mut Vec<u8>) {
    for part in plain.chunks(PLAIN_MAX) {
        packed.push((part.len() - 1) as u8);
        packed.extend_from_slice(part);
    }
    plain.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out() {
        for (first, second) in [(0, 1), (1, 3), (2, 2), (127, 3), (128, 0), (129, 130), (0, 131), (300, 400)] {
            let mut bytes: Vec<u8> = (0..first).map(|number: u32| (number % 251) as u8).collect();
            bytes.resize(bytes.len() + second, 9);
            let packed = Packed::of(&bytes);
            assert_eq!(packed.unpack(), Some(bytes), "{first}, {second}");
        }
        assert!(Packed::of(&[0; 1_000]).0.0.len() < 20);
    }

    #[test]
    fn other_packings_and_too_much_do_not() {
        let packed = |bytes: &[u8]| Packed(Bytes(bytes.to_vec())).unpack();
        assert_eq!(packed(&[2, 7, 7, 7]), None, "three equal bytes as they are");
        assert_eq!(packed(&[1, 7]), None, "too short");
        assert_eq!(packed(&[200]), None, "no byte");
        assert_eq!(Packed::of(&vec![0; STATE_BYTES_MAX]).unpack().map(|bytes| bytes.len()), Some(STATE_BYTES_MAX));
        assert_eq!(Packed::of(&vec![0; STATE_BYTES_MAX + 1]).unpack(), None);
    }
}
