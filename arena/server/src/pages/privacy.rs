//! `/privacy`: what is stored about people, and for how long.

use arena_service::limits::{CONTESTS_KEPT_MAX, GUEST_ROOM_SILENCE_SECONDS_MAX, ROOM_SILENCE_SECONDS_MAX};
use arena_store::{LOGGED_VERSIONS_MAX, Limits};
use askama::Template;
use axum::response::Response;

use super::{Shell, page};
use crate::fuel::grouped;
use crate::identity::Visitor;
use crate::limits::{BAN_HOURS_MAX, CODE_SECONDS, DAY_SECONDS, SESSION_SECONDS, TOKEN_DAYS_MAX};
use crate::problem::Result;

#[derive(Template)]
#[template(path = "privacy.html")]
struct Privacy {
    shell: Shell,
    session_days: i64,
    browsers: u32,
    token_days: u32,
    ban_days: u32,
    code_minutes: i64,
    room_hours: i64,
    guest_room_minutes: i64,
    finished_rooms_mib: u64,
    rated_rooms_mib: u64,
    rated_games: String,
    practice_games: String,
    world_mib: u64,
    tournaments_kept: usize,
    logged_versions: usize,
}

pub(crate) async fn show(visitor: Option<Visitor>) -> Result<Response> {
    page(&Privacy {
        shell: Shell::new(&visitor.unwrap_or_default(), "privacy"),
        session_days: SESSION_SECONDS / DAY_SECONDS,
        browsers: Limits::DEFAULT.browsers_per_account_max,
        token_days: TOKEN_DAYS_MAX,
        ban_days: BAN_HOURS_MAX / 24,
        code_minutes: CODE_SECONDS / 60,
        room_hours: ROOM_SILENCE_SECONDS_MAX / 3_600,
        guest_room_minutes: GUEST_ROOM_SILENCE_SECONDS_MAX / 60,
        finished_rooms_mib: Limits::DEFAULT.finished_room_bytes_max >> 20,
        rated_rooms_mib: Limits::DEFAULT.rated_room_bytes_max >> 20,
        rated_games: grouped(Limits::DEFAULT.rated_games_max.into()),
        practice_games: grouped(Limits::DEFAULT.practice_games_max.into()),
        world_mib: Limits::DEFAULT.world_bytes_max >> 20,
        tournaments_kept: CONTESTS_KEPT_MAX,
        logged_versions: LOGGED_VERSIONS_MAX,
    })
}
