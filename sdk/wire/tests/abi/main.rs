//! The contract as written in `sdk/ABI.md` against the contract as coded: every vector is read out of the document.
//! And laws that no vector can show: encoding and decoding undo each other, and no bytes make the decoders panic.

mod document;
mod laws;

mod general;
mod pictures;
mod wide;

mod conquerors;
mod game_of_game_of_life;
mod life2;
#[cfg(arena_tiny_game)]
mod tiny_game;
mod war_of_life;
