//! What holds in every game, checked on random play and on random positions: of Conquerors, where a module does not say otherwise.

mod board;
mod ending;
mod game_of_game_of_life;
mod legality;
mod life2;
mod life2_window;
mod opening;
mod play;
mod symmetry;
