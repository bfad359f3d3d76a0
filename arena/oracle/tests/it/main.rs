//! Tests of the plain rules, and of the fast ones against them.

mod game_of_game_of_life;
mod golden;
mod laws;
mod plain;
mod war_of_life;

mod slow {
    mod agreement;
    mod life2;
}
