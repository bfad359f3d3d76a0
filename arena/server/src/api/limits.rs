//! Every limit that somebody outside can meet, with its unit and reason.

use arena_record::Budgets;
use arena_sandbox as sandbox;
use arena_store::Limits;
use serde::Serialize;
use utoipa::ToSchema;

use crate::limits as server;

/// A limit.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct Limit {
    /// What it is of.
    name: &'static str,
    /// How much.
    value: u64,
    /// Of what.
    unit: &'static str,
    /// Why so much.
    reason: &'static str,
}

/// All limits: of bots, submissions, rooms and requests.
#[utoipa::path(get, path = "/api/v1/limits", responses((status = 200, body = Vec<Limit>)))]
pub(crate) async fn show() -> axum::Json<Vec<Limit>> {
    axum::Json(all())
}

/// The limits of this release.
pub(crate) fn all() -> Vec<Limit> {
    let limit = |(name, value, unit, reason)| Limit { name, value, unit, reason };
    bots().into_iter().chain(modules()).chain(quotas()).chain(requests()).map(limit).collect()
}

type Row = (&'static str, u64, &'static str, &'static str);

fn bots() -> Vec<Row> {
    let Budgets { fuel_per_move, fuel_at_start, memory_bytes, module_bytes } = Budgets::DEFAULT;
    vec![
        ("fuel_per_move", fuel_per_move, "fuel", "about 20 times what the built-in opponents use"),
        ("fuel_at_start", fuel_at_start, "fuel", "building tables once may cost a few turns' worth"),
        ("memory_bytes", memory_bytes, "bytes", "fits the processor's cache, so that loads have a bounded cost"),
        ("module_bytes", module_bytes, "bytes", "bounds the time to compile"),
        ("stack_bytes", sandbox::STACK_BYTES_MAX as u64, "bytes", "a deeper recursion is a forfeit"),
        ("action_bytes", sandbox::ACTION_BYTES_MAX.into(), "bytes", "the host copies no more of an answer"),
        ("log_lines", sandbox::LOG_LINES_MAX as u64, "lines a game", "what a person reads"),
        ("log_bytes", sandbox::LOG_BYTES_MAX as u64, "bytes a game", "what a person reads"),
        ("log_call_fuel", sandbox::LOG_CALL_FUEL, "fuel a line", "logging costs what it costs us"),
        ("log_byte_fuel", sandbox::LOG_BYTE_FUEL, "fuel a byte", "logging costs what it costs us"),
        (
            "wall_ms_per_call",
            sandbox::WALL_MS_DEFAULT,
            "milliseconds",
            "protects the machine only: a call that takes longer is never scored, its game is played again",
        ),
    ]
}

fn modules() -> Vec<Row> {
    let compile = "bounds the time to compile";
    vec![
        ("functions", sandbox::FUNCTIONS_MAX.into(), "of a module", "each costs compile time, even an empty one"),
        ("function_body_bytes", sandbox::BODY_BYTES_MAX, "bytes", "compile time grows faster than it"),
        ("locals", sandbox::LOCALS_MAX, "of a function", compile),
        ("locals_total", sandbox::LOCALS_TOTAL_MAX, "of a module", compile),
        ("nesting", sandbox::NESTING_MAX as u64, "blocks", compile),
        ("branch_targets", sandbox::BRANCH_TARGETS_MAX, "of a module", compile),
        (
            "locals_by_control",
            sandbox::LOCALS_BY_CONTROL_MAX,
            "of a function",
            "what the register allocator's work grows with",
        ),
        ("locals_by_control_total", sandbox::LOCALS_BY_CONTROL_TOTAL_MAX, "of a module", compile),
        ("types", sandbox::TYPES_MAX.into(), "of a module", "bounds the check itself"),
        ("globals", sandbox::GLOBALS_MAX.into(), "of a module", "each is initialised for every game"),
        ("exports", sandbox::EXPORTS_MAX.into(), "of a module", "a bot needs three"),
        ("imports", sandbox::IMPORTS_MAX.into(), "of a module", "there is one to import"),
        ("tables", sandbox::TABLES_MAX.into(), "of a module", "they are memory that memory_bytes does not count"),
        (
            "table_elements",
            sandbox::TABLE_ELEMENTS_MAX,
            "of a table",
            "they are memory that memory_bytes does not count",
        ),
        ("segments", sandbox::SEGMENTS_MAX.into(), "of a module, each kind", "each is applied for every game"),
        ("custom_bytes", sandbox::CUSTOM_BYTES_MAX as u64, "bytes", "names and producers do nothing in a game"),
    ]
}

fn quotas() -> Vec<Row> {
    let Limits {
        sessions_per_account_max,
        bots_per_account_max,
        versions_per_bot_per_day_max,
        versions_per_bot_max,
        open_rooms_max,
        events_per_room_max,
        ..
    } = Limits::DEFAULT;
    vec![
        (
            "bots",
            bots_per_account_max.into(),
            "of an account",
            "the games of the standing tournament grow with their square",
        ),
        (
            "versions_per_day",
            versions_per_bot_per_day_max.into(),
            "of a bot within 24 hours",
            "each costs a compilation and two games; `arena check` judges at home as often as you like",
        ),
        ("versions", versions_per_bot_max.into(), "of a bot", "all are kept"),
        ("sessions", sessions_per_account_max.into(), "of an account", "one more signs out the oldest browser"),
        ("open_rooms", open_rooms_max.into(), "of the arena", "each is held in memory"),
        ("room_events", events_per_room_max.into(), "of a room", "bounds what is read to rebuild it"),
        ("name_bytes", arena_store::NAME_BYTES_MAX as u64, "bytes of a bot's name", "fits a row of the standings"),
        ("display_name_chars", arena_store::DISPLAY_NAME_CHARS_MAX as u64, "characters", "fits a row of the standings"),
    ]
}

fn requests() -> Vec<Row> {
    vec![
        ("connections", server::CONNECTIONS_MAX as u64, "at once", "each costs memory and a descriptor"),
        ("head_seconds", server::HEAD_DEADLINE.as_secs(), "seconds", "longer is not a browser"),
        ("head_bytes", server::HEAD_BYTES_MAX as u64, "bytes", "the longest we know has under 2,000"),
        ("body_seconds", server::BODY_DEADLINE.as_secs(), "seconds", "the whole body, however steadily it trickles"),
        (
            "body_bytes",
            server::BODY_BYTES_MAX as u64,
            "bytes of JSON or of a form",
            "the longest we know has under 300",
        ),
        ("answer_seconds", server::ANSWER_DEADLINE.as_secs(), "seconds", "waiting for a verdict takes longest"),
        ("write_seconds", server::WRITE_DEADLINE.as_secs(), "seconds", "who does not read for so long is gone"),
        ("message_bytes", server::MESSAGE_BYTES_MAX as u64, "bytes on a socket", "a turn has under 200"),
        (
            "messages_burst",
            server::MESSAGES_BURST.into(),
            "messages of a socket at once",
            "a person sends one each few seconds",
        ),
        (
            "messages_per_second",
            server::MESSAGES_PER_SECOND.into(),
            "messages a second",
            "a person sends one each few seconds",
        ),
        ("silence_seconds", server::SILENCE_MAX.as_secs(), "seconds", "a socket that answers no ping is gone"),
        ("rows", server::ROWS_MAX.into(), "rows of a list", "bounds the time and memory of a request"),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn limits_have_different_names_and_say_why() {
        let all = all();
        let names: BTreeSet<&str> = all.iter().map(|limit| limit.name).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().all(|limit| limit.value > 0 && !limit.unit.is_empty() && !limit.reason.is_empty()));
    }
}
