//! Tests of the built-in opponents.

mod game_of_game_of_life;
mod tr_001;
