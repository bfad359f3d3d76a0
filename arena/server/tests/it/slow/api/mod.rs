//! What programs ask: `api()` in `src/router.rs`.

mod accounts;
mod archives;
mod bots;
mod checks;
mod export;
mod folders;
mod games;
mod limits;
mod lobby;
mod logs;
mod operator;
mod own_bots;
mod people;
mod players;
mod profiles;
mod rooms;
mod standings;
mod tokens;
mod tournaments;
mod volunteers;
mod what_if;
mod worlds;
