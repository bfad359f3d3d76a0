//! What programs ask: `api()` in `src/router.rs`.

mod accounts;
mod bots;
mod folders;
mod games;
mod limits;
mod logs;
mod own_bots;
mod rooms;
mod standings;
