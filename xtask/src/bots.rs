//! The bots of the tree: built for WebAssembly in every language, and tried out as a newcomer would do.

pub(crate) mod guests;
pub(crate) mod interpreters;
pub(crate) mod languages;
pub(crate) mod modules;
pub(crate) mod newcomer;
pub(crate) mod recording;
pub(crate) mod release;
mod sources;
pub(crate) mod trial;
mod unwind;
