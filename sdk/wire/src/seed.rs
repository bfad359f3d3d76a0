//! Seeds of seats.

use alloc::vec::Vec;

use arena_rules::{Seat, Seed};
use sha2::{Digest, Sha256};

/// Separates these hashes from all others.
const TAG: &[u8] = b"arena/seat-seed/1";

/// The seed that a seat gets: SHA-256 of the tag `arena/seat-seed/1`, the game's seed, the seat as one byte, and the
/// entrant's id. A bot learns neither the game's seed nor its opponent's seed from it.
pub fn seat_seed(game_seed: &Seed, seat: Seat, entrant_id: &str) -> Seed {
    let mut bytes = Vec::from(TAG);
    bytes.extend_from_slice(game_seed);
    bytes.push(seat.0);
    bytes.extend_from_slice(entrant_id.as_bytes());
    Sha256::digest(&bytes).into()
}
