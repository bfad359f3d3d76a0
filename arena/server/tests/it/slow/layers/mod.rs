//! What holds for every address: the layers of `router()` in `src/router.rs`, and the limits of connections.

mod costs;
mod gone;
mod keys;
mod limits;
mod measured;
mod once;
mod problems;
mod queries;
mod refusals;
mod safety;
mod strangers;
mod texts;
mod words;
