//! Compares the contract in `sdk/ABI.md` with the code: every vector is read from the document.
//! Also laws that no vector can show: encoding and decoding are inverse to each other, and no bytes make the decoders panic.

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
