//! What programs ask: `api()` in `src/router.rs`.

mod accounts;
mod bots;
mod deletion;
mod games;
mod limits;
mod logs;
mod operator;
mod rooms;
mod standings;
mod tokens;
