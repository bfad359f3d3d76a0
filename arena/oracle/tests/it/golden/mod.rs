//! Every line of the golden vectors of Conway's Conquerors: facts computed by the original game.
//!
//! The files lie in `sdk/rules/tests/golden/conquerors`, where the fast implementation's tests read them too. A
//! failing test prints file and line.

mod baselines;
mod leaderboard;
mod refusals;
mod rules;
mod vectors;
