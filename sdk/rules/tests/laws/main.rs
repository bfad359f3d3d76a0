//! What holds in every game of Conquerors, checked on random play and on random positions.

mod board;
mod ending;
mod legality;
mod opening;
mod play;
mod symmetry;
