//! Every limit that a visitor can meet, with its unit and reason.

use std::borrow::Cow;

use arena_runner::LimitRow;
use arena_service::limits as service;
use arena_store::Limits;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::limits as server;
use crate::visitors;

/// A limit.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct Limit {
    /// What it limits.
    name: Cow<'static, str>,
    /// The value.
    value: u64,
    /// The unit of the value.
    unit: &'static str,
    /// Why it has this value.
    reason: &'static str,
}

/// All limits: of bots, submissions, rooms and requests.
#[utoipa::path(get, path = "/api/v1/limits", responses((status = 200, body = Vec<Limit>)))]
pub(crate) async fn show(State(app): State<App>) -> axum::Json<Vec<Limit>> {
    let limit = |arena_runner::Limit { name, value, unit, reason }| Limit { name, value, unit, reason };
    axum::Json(all(app.service().standing().bots_per_account()).into_iter().map(limit).collect())
}

/// The limits of this release, with so many bots of an account in an edition.
pub(crate) fn all(bots_per_account: usize) -> Vec<arena_runner::Limit> {
    let own = quotas().into_iter().chain(tournaments(bots_per_account)).chain(requests());
    arena_runner::limits().into_iter().chain(own.map(arena_runner::Limit::from)).chain(visitors::limits()).collect()
}

fn quotas() -> Vec<LimitRow> {
    let Limits {
        sessions_per_account_max,
        browsers_per_account_max,
        tokens_per_account_max,
        bots_per_account_max,
        versions_per_bot_per_day_max,
        versions_per_bot_max,
        pending_per_account_max,
        pending_max,
        module_bytes_max,
        open_rooms_max,
        open_rooms_per_owner_max,
        finished_room_bytes_max,
        rated_room_bytes_max,
        rated_games_max,
        practice_games_max,
        free_disk_bytes_min,
        events_per_room_max,
        accounts_max,
        contests_per_account_max,
        contests_max,
        contest_games_per_day_max,
        contest_fuel_per_day_max,
        contest_games_max,
        contest_fuel_max,
        worlds_max,
        world_bytes_max,
        gone_max,
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
            "each costs a compilation and its sample games; `arena check` judges at home as often as you like",
        ),
        ("versions", versions_per_bot_max.into(), "of a bot", "all are kept"),
        ("sessions", sessions_per_account_max.into(), "of an account", "one more signs out the oldest browser"),
        (
            "browsers",
            browsers_per_account_max.into(),
            "of an account that are remembered",
            "two accounts of one browser play no rated games with each other",
        ),
        ("tokens", tokens_per_account_max.into(), "of an account", "one for each program and machine of a busy author"),
        ("token_days", server::TOKEN_DAYS_MAX.into(), "days that a token lasts", "a forgotten one expires"),
        ("accounts", accounts_max.into(), "of the arena", "each is a few rows"),
        ("pending", pending_max.into(), "submissions that wait for their verdict", "a quarter of an hour of judging"),
        (
            "pending_per_account",
            pending_per_account_max.into(),
            "submissions of an account that wait",
            "more than an author tries while the first is judged",
        ),
        (
            "judged_at_once",
            service::JUDGE_SLOTS as u64,
            "submissions that are judged at once",
            "accounts take turns; each keeps a core busy",
        ),
        (
            "judged_light_at_least",
            service::JUDGE_RESERVE as u64,
            "of these, for modules that are light to compile",
            "heavy ones go after them, one at a time: they take up to 10 s each",
        ),
        (
            "judged_light_weight",
            service::JUDGE_LIGHT_WEIGHT_MAX,
            "weight of a module that is light to compile",
            "every bot of the gallery is lighter; it compiles in about a second",
        ),
        ("modules_bytes", module_bytes_max, "bytes of all modules", "beyond it nothing new is taken"),
        ("open_rooms", open_rooms_max.into(), "of the arena", "each is held in memory"),
        (
            "open_rooms_per_person",
            open_rooms_per_owner_max.into(),
            "of a person",
            "one or two games are played at once",
        ),
        (
            "waiting_room_seconds",
            service::WAITING_SECONDS_MAX as u64,
            "seconds that the lobby lists a room without an event",
            "then it is closed: nobody wants to play there",
        ),
        ("chat_characters", service::CHAT_CHARS_MAX as u64, "of a message in a room", "a sentence or two"),
        (
            "chat_messages",
            service::CHAT_BURST as u64,
            "messages of a person in a room within 5 seconds",
            "people read them while they play",
        ),
        (
            "room_silence_seconds",
            service::ROOM_SILENCE_SECONDS_MAX as u64,
            "seconds without an event in an account's room",
            "then it is closed, so that others have the place",
        ),
        (
            "guest_room_silence_seconds",
            service::GUEST_ROOM_SILENCE_SECONDS_MAX as u64,
            "seconds without an event in a guest's room",
            "a guest may be gone for good",
        ),
        (
            "room_away_minutes_min",
            service::AWAY_MINUTES_MIN,
            "minutes for which everybody whose turn a game without a clock waits for has been away",
            "after them the others may end it without a result",
        ),
        (
            "room_silence_seconds_min",
            service::ROOM_SILENCE_SECONDS_MIN as u64,
            "seconds without an event",
            "after them a room makes way for another when no place is left, the most silent one first",
        ),
        (
            "thinking",
            service::THINKING_MAX as u64,
            "players in rooms that think at once",
            "each keeps a core busy, usually for less than a second",
        ),
        (
            "thinking_reserve",
            service::THINKING_RESERVE as u64,
            "of these for built-in opponents and games in progress",
            "opening rooms does not hold them up",
        ),
        (
            "finished_rooms_bytes",
            finished_room_bytes_max,
            "bytes of all finished games of rooms, rated ones of two people aside",
            "beyond them the oldest are forgotten",
        ),
        (
            "rated_rooms_bytes",
            rated_room_bytes_max,
            "bytes of all rated games of two people",
            "beyond them the oldest go of the account that has most",
        ),
        (
            "rated_games",
            rated_games_max.into(),
            "rated games of two people that count for the leaderboard",
            "beyond them the oldest go of the account that has most",
        ),
        (
            "practice_games",
            practice_games_max.into(),
            "other games that the leaderboard is made from",
            "beyond them the oldest go of the account that has most",
        ),
        ("free_disk_bytes", free_disk_bytes_min, "free bytes of the disk", "with less, nothing new is taken"),
        ("room_events", events_per_room_max.into(), "of a room", "bounds what is read to rebuild it"),
        (
            "tournaments_per_account",
            contests_per_account_max.into(),
            "of an account that are not over",
            "leaves time for other accounts' tournaments",
        ),
        ("tournaments", contests_max.into(), "of accounts that are not over", "all are looked at after a restart"),
        (
            "tournament_games_per_day",
            contest_games_per_day_max.into(),
            "games of the tournaments that an account starts within 24 hours, at most",
            "leaves time for other accounts' tournaments",
        ),
        (
            "tournament_fuel_per_day",
            contest_fuel_per_day_max,
            "fuel of these games, at most",
            "as much as two editions of a standing tournament",
        ),
        (
            "tournaments_entrants",
            u64::from(contests_max) * service::CONTEST_ENTRANTS_MAX as u64,
            "entrants of all tournaments that are not over, at most",
            "as many tournaments as there may be, each with as many as it may have",
        ),
        (
            "tournaments_games",
            contest_games_max.into(),
            "games of all tournaments that are not over, at most",
            "bounds what is replayed after a restart",
        ),
        ("tournaments_fuel", contest_fuel_max, "fuel of these games, at most", "bounds how long the last one waits"),
        (
            "gone",
            gone_max.into(),
            "things that were removed and whose addresses say since when",
            "beyond them the oldest are forgotten",
        ),
        ("worlds", worlds_max.into(), "of the arena", "each takes a part of a core, for ever"),
        ("world_bytes", world_bytes_max, "bytes of a world's log", "beyond them its oldest spans are forgotten"),
        ("world_wallets", service::WORLD_WALLETS_MAX as u64, "wallets of a world", "all are in every snapshot"),
        (
            "world_calls",
            service::WORLD_CALLS_A_SPAN_MAX.into(),
            "calls in a world within 600 generations",
            "bounds what is computed again to verify them",
        ),
        (
            "world_cells",
            arena_rules::life2::CELLS_A_CALL as u64,
            "cells of a call of place_cells",
            "the first implementation's; one log line of a call fits 13 KiB",
        ),
        ("name_bytes", arena_store::NAME_BYTES_MAX as u64, "bytes of a bot's name", "fits a row of the standings"),
        ("display_name_chars", arena_store::DISPLAY_NAME_CHARS_MAX as u64, "characters", "fits a row of the standings"),
    ]
}

fn tournaments(bots_per_account: usize) -> Vec<LimitRow> {
    vec![
        ("edition_fuel", service::EDITION_FUEL, "fuel of an edition's games", "bounds how long an edition is played"),
        ("edition_answers", service::EDITION_ANSWERS, "in an edition's games", "each is 100 bytes of a record"),
        (
            "edition_cells",
            service::EDITION_CELLS,
            "of the boards of an edition's games",
            "a large board takes long to advance",
        ),
        (
            "edition_pairs",
            service::PAIRS_MAX.into(),
            "pairs of games of a pairing",
            "a small field does not need hundreds of them",
        ),
        (
            "field_entrants",
            service::FIELD_ENTRANTS_MAX as u64,
            "of an edition of a game with more than two seats",
            "the two-seat games that break ties grow with their square",
        ),
        (
            "field_bots_per_owner",
            bots_per_account as u64,
            "of an account in an edition",
            "more would take others' places, and could help one of them; the operator may choose another number",
        ),
        (
            "field_bots_per_owner_max",
            service::EDITION_BOTS_PER_OWNER_MAX as u64,
            "of an account in an edition that the operator may allow",
            "all bots that an account may have",
        ),
        (
            "tournament_bots_per_owner",
            service::BOTS_PER_OWNER_MAX as u64,
            "of an account in a tournament of an account",
            "more would take others' places, and could help one of them",
        ),
        (
            "qualifying_pairs",
            service::QUALIFYING_PAIRS.into(),
            "pairs of games of a newcomer against each built-in opponent",
            "where there are more newcomers than places in an edition; they tell who wins from who loses",
        ),
        (
            "tournament_entrants",
            service::CONTEST_ENTRANTS_MAX as u64,
            "of a tournament of an account",
            "a page of them; more play at home",
        ),
        (
            "tournament_fuel",
            service::CONTEST_FUEL_MAX,
            "fuel of the games of a tournament of an account, at most",
            "as much as an edition of a standing tournament",
        ),
        ("challenge_games", service::CHALLENGE_GAMES_MAX.into(), "games of a challenge", "minutes of two cores"),
        (
            "tournament_entries_of_bot",
            service::CONTEST_ENTRIES_OF_BOT_MAX as u64,
            "times that a bot enters a tournament",
            "its author may change their mind",
        ),
        (
            "tournament_entry_days",
            service::CONTEST_ENTRY_DAYS_MAX as u64,
            "days that entry of a tournament is open",
            "a forgotten one expires",
        ),
        (
            "tournament_invited",
            service::CONTEST_INVITED_MAX as u64,
            "accounts that are invited to a tournament",
            "as many as may enter",
        ),
        (
            "tournament_openings_bytes",
            service::CONTEST_OPENINGS_BYTES_MAX as u64,
            "bytes of the openings of a tournament of an account",
            "half of a line of its log, which has its entrants, too",
        ),
        (
            "tournament_events",
            arena_store::CONTEST_EVENTS_MAX.into(),
            "lines of a tournament's log",
            "everybody comes and goes a few times",
        ),
        (
            "tournaments_kept",
            service::CONTESTS_KEPT_MAX as u64,
            "tournaments of accounts that are over",
            "beyond them the oldest are forgotten",
        ),
        ("editions_kept", service::EDITIONS_KEPT_MAX as u64, "of a game", "each has some 100 MB at most"),
        (
            "sample_log_bytes",
            arena_store::SAMPLE_LOG_BYTES_MAX as u64,
            "bytes of a sample game's log",
            "more than a sandbox lets a bot log",
        ),
        (
            "logged_versions",
            arena_store::LOGGED_VERSIONS_MAX as u64,
            "versions of a bot whose sample games' logs are kept",
            "those that an author compares; earlier ones make room",
        ),
    ]
}

fn requests() -> Vec<LimitRow> {
    vec![
        (
            "visitors_known",
            visitors::KEYS_MAX as u64,
            "networks or accounts whose share of one thing is counted",
            "each is 50 bytes; those beyond share one share",
        ),
        (
            "turned_away",
            server::TURNED_AWAY_MAX.into(),
            "connections beyond the limit that get an answer",
            "further ones are closed without an answer",
        ),
        (
            "turned_away_network",
            server::TURNED_AWAY_NETWORK_MAX.into(),
            "connections of a network beyond the limit that get an answer",
            "others want to be told, too",
        ),
        ("head_seconds", server::HEAD_DEADLINE.as_secs(), "seconds", "longer is not a browser"),
        ("head_bytes", server::HEAD_BYTES_MAX as u64, "bytes", "the longest we know has under 2,000"),
        ("body_seconds", server::BODY_DEADLINE.as_secs(), "seconds", "the whole body, however steadily it trickles"),
        (
            "body_bytes",
            server::BODY_BYTES_MAX as u64,
            "bytes of JSON or of a form",
            "the longest we know has under 300",
        ),
        (
            "text_bytes",
            server::TEXT_BYTES_MAX as u64,
            "bytes of WebAssembly text that is written in the page",
            "twelve times the template; the hardest one is assembled in a tenth of a second, to a module like any other",
        ),
        (
            "assembled_at_once",
            server::ASSEMBLED_AT_ONCE_MAX as u64,
            "texts that are assembled at once",
            "each takes a core; others wait for their turn",
        ),
        (
            "games_again_at_once",
            service::LOGS_AT_ONCE_MAX as u64,
            "games that are played again at once",
            "each takes a core; others wait for their turn",
        ),
        ("answer_seconds", server::ANSWER_DEADLINE.as_secs(), "seconds", "waiting for a verdict takes longest"),
        (
            "write_seconds",
            server::WRITE_DEADLINE.as_secs(),
            "seconds",
            "a client that reads nothing for so long is gone",
        ),
        (
            "message_bytes",
            server::MESSAGE_BYTES_MAX as u64,
            "bytes on a socket",
            "a turn has under 200, and a call of 1,000 cells 12,000",
        ),
        (
            "frames_burst",
            server::FRAMES_BURST.into(),
            "frames of a socket at once",
            "a person sends one every few seconds",
        ),
        (
            "frames_per_second",
            server::FRAMES_PER_SECOND.into(),
            "frames a second",
            "a message is one; pings and empty parts count as well",
        ),
        ("silence_seconds", server::SILENCE_MAX.as_secs(), "seconds", "a socket that answers no ping is gone"),
        (
            "archives",
            server::ARCHIVES_AT_ONCE_MAX.into(),
            "archives that are sent at once",
            "each holds a thread as long as its visitor reads",
        ),
        (
            "archives_network",
            server::ARCHIVES_NETWORK_MAX.into(),
            "archives that are sent to a network at once",
            "others want to verify, too",
        ),
        (
            "archive_bytes_per_second",
            server::ARCHIVE_BYTES_PER_SECOND_MIN,
            "bytes a second of an archive",
            "who takes fewer on average keeps others from it",
        ),
        ("rows", server::ROWS_MAX.into(), "rows of a list", "bounds the time and memory of a request"),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn limits_have_different_names_and_say_why() {
        let all = all(service::BOTS_PER_OWNER_MAX);
        let names: BTreeSet<&str> = all.iter().map(|limit| &*limit.name).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().all(|limit| limit.value > 0 && !limit.unit.is_empty() && !limit.reason.is_empty()));
    }
}
