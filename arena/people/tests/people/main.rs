//! The leaderboard of people: its formula, who may be rated, its laws, and what can be gained by farming.

mod admission;
mod farming;
mod games;
mod laws;
mod points;
