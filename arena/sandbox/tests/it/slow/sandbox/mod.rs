//! The sandbox, asked with small modules in the text format: what it refuses, how bots fail, and what fuel they are
//! charged.

pub(crate) mod bots;
mod costly;
mod engine;
mod faults;
mod fuel;
mod initialiser;
mod limits;
mod log;
mod memory;
mod profiled;
mod refusals;
pub(crate) mod sweep;
