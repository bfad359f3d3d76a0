//! Plays tournaments: the editions of the standing ones, and those that accounts start. All of them take turns on one thread, so that a site
//! with many games works no more at once than one with a single game. What may happen in them, and what people see of them, is in
//! `standing` and `contests`.

mod contest;
mod edition;
mod paused;
mod schedule;

pub(crate) use schedule::play;
