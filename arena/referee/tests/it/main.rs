//! Whole games: played, recorded, replayed, forfeited, and told from records that were tampered with.

mod bank;
mod forfeits;
mod format;
mod people;
mod players;
mod playing;
mod tampering;
mod window;
