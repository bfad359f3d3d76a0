//! The steps from an empty database to the current tables. A released step is never changed; every change is a new
//! step, one for each database.

use std::borrow::Cow;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::connection::{Connection, query};
use crate::error::Result;

/// Version, name and text of a step.
pub(crate) type Step = (i64, &'static str, &'static str);

/// The steps for SQLite, in order. A test compares the list with the folder.
pub(crate) const SQLITE: &[Step] = &[
    (1, "start", include_str!("../../migrations/sqlite/0001_start.sql")),
    (2, "versions_by_entrant", include_str!("../../migrations/sqlite/0002_versions_by_entrant.sql")),
    (3, "game_of_a_bot", include_str!("../../migrations/sqlite/0003_game_of_a_bot.sql")),
    (4, "sample_logs", include_str!("../../migrations/sqlite/0004_sample_logs.sql")),
    (5, "budgets", include_str!("../../migrations/sqlite/0005_budgets.sql")),
    (6, "tokens", include_str!("../../migrations/sqlite/0006_tokens.sql")),
    (7, "operations", include_str!("../../migrations/sqlite/0007_operations.sql")),
    (8, "deletions", include_str!("../../migrations/sqlite/0008_deletions.sql")),
    (9, "secrets", include_str!("../../migrations/sqlite/0009_secrets.sql")),
    (10, "chosen_versions", include_str!("../../migrations/sqlite/0010_chosen_versions.sql")),
    (11, "contests", include_str!("../../migrations/sqlite/0011_contests.sql")),
    (12, "numbers", include_str!("../../migrations/sqlite/0012_numbers.sql")),
    (13, "people_games", include_str!("../../migrations/sqlite/0013_people_games.sql")),
    (14, "queue", include_str!("../../migrations/sqlite/0014_queue.sql")),
    (15, "worlds", include_str!("../../migrations/sqlite/0015_worlds.sql")),
    (16, "annulled_games", include_str!("../../migrations/sqlite/0016_annulled_games.sql")),
    (17, "acts_on_contests", include_str!("../../migrations/sqlite/0017_acts_on_contests.sql")),
    (18, "room_people", include_str!("../../migrations/sqlite/0018_room_people.sql")),
    (19, "volunteers", include_str!("../../migrations/sqlite/0019_volunteers.sql")),
    (20, "rated_rooms", include_str!("../../migrations/sqlite/0020_rated_rooms.sql")),
    (21, "gone", include_str!("../../migrations/sqlite/0021_gone.sql")),
    (22, "operator_sessions", include_str!("../../migrations/sqlite/0022_operator_sessions.sql")),
    (23, "browsers", include_str!("../../migrations/sqlite/0023_browsers.sql")),
    (24, "latest_logs", include_str!("../../migrations/sqlite/0024_latest_logs.sql")),
    (25, "earlier_holders", include_str!("../../migrations/sqlite/0025_earlier_holders.sql")),
    (26, "measures", include_str!("../../migrations/sqlite/0026_measures.sql")),
    (27, "workers", include_str!("../../migrations/sqlite/0027_workers.sql")),
    (28, "results", include_str!("../../migrations/sqlite/0028_results.sql")),
    (29, "refuted_voids", include_str!("../../migrations/sqlite/0029_refuted_voids.sql")),
    (30, "told", include_str!("../../migrations/sqlite/0030_told.sql")),
    (31, "licences", include_str!("../../migrations/sqlite/0031_licences.sql")),
];

/// The steps for PostgreSQL. A new one only adds: while servers are upgraded one after the other, the previous release
/// works beside it. For the same reason every statement names its columns.
pub(crate) const POSTGRES: &[Step] = &[
    (1, "start", include_str!("../../migrations/postgres/0001_start.sql")),
    (2, "queue", include_str!("../../migrations/postgres/0002_queue.sql")),
    (3, "servers", include_str!("../../migrations/postgres/0003_servers.sql")),
    (4, "room_people", include_str!("../../migrations/postgres/0004_room_people.sql")),
    (5, "volunteers", include_str!("../../migrations/postgres/0005_volunteers.sql")),
    (6, "rated_rooms", include_str!("../../migrations/postgres/0006_rated_rooms.sql")),
    (7, "gone", include_str!("../../migrations/postgres/0007_gone.sql")),
    (8, "folders", include_str!("../../migrations/postgres/0008_folders.sql")),
    (9, "operator_sessions", include_str!("../../migrations/postgres/0009_operator_sessions.sql")),
    (10, "browsers", include_str!("../../migrations/postgres/0010_browsers.sql")),
    (11, "lean_queue", include_str!("../../migrations/postgres/0011_lean_queue.sql")),
    (12, "earlier_holders", include_str!("../../migrations/postgres/0012_earlier_holders.sql")),
    (13, "short_lists", include_str!("../../migrations/postgres/0013_short_lists.sql")),
    (14, "measures", include_str!("../../migrations/postgres/0014_measures.sql")),
    (15, "workers", include_str!("../../migrations/postgres/0015_workers.sql")),
    (16, "results", include_str!("../../migrations/postgres/0016_results.sql")),
    (17, "refuted_voids", include_str!("../../migrations/postgres/0017_refuted_voids.sql")),
    (18, "told", include_str!("../../migrations/postgres/0018_told.sql")),
    (19, "licences", include_str!("../../migrations/postgres/0019_licences.sql")),
    // `cargo xtask rolling` plays a tournament with a build that has it and one that has not.
    #[cfg(arena_later)]
    (9999, "later", include_str!("../../migrations/later.sql")),
];

/// The version of the current tables.
pub(crate) const fn latest(steps: &[Step]) -> i64 {
    steps[steps.len() - 1].0
}

/// Runs all steps. Not made by `sqlx::migrate!`, which would build sqlx's macros and the database a second time for one
/// list. If several processes start at once, one of them runs the steps.
pub(crate) fn migrator(steps: &[Step]) -> Migrator {
    let step = |(version, name, text): &Step| {
        Migration::new(*version, Cow::Borrowed(*name), MigrationType::Simple, text.into_sql_str(), false)
    };
    Migrator::with_migrations(steps.iter().map(step).collect())
}

/// The version of a database's tables.
pub(crate) async fn version(connection: &mut Connection) -> Result<i64> {
    query("select coalesce(max(version), 0) from _sqlx_migrations").fetch_value(connection).await
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::str::FromStr;

    use arena_record::Hex;
    use sqlx::AssertSqlSafe;
    use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

    use super::*;
    use crate::queue::end_hash;
    use crate::{BotId, BotName, QueueError, Store, StoreError, TournamentId, VersionId};

    /// The store of a database that an earlier release left, with these rows, after the first steps alone.
    async fn upgraded(folder: &Path, last: i64, rows: &[impl AsRef<str>]) -> Store {
        let url = format!("sqlite://{}?mode=rwc", folder.join("arena.db").display());
        let options = SqliteConnectOptions::from_str(&url).expect("an address");
        let old = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("a database");
        let steps = migrator(SQLITE).iter().filter(|step| step.version <= last).cloned().collect();
        Migrator::with_migrations(steps).run(&old).await.expect("the steps of that release");
        for row in rows {
            sqlx::query(AssertSqlSafe(row.as_ref())).execute(&old).await.expect("rows");
        }
        old.close().await;
        Store::open(folder).await.expect("a store")
    }

    #[tokio::test]
    async fn logs_of_all_versions_from_an_earlier_release_become_those_of_the_latest_ten() {
        let folder = tempfile::tempdir().expect("a folder");
        let rows = [
            "insert into accounts (id, name, code_hash, created_at) values (1, 'Ada', zeroblob(32), 0)",
            "insert into bots (id, account, name, name_key, created_at) values (1, 1, 'a', 'a', 0), (2, 1, 'b', 'b', 0)",
            "with recursive n (number) as (select 1 union all select number + 1 from n where number < 12)
             insert into versions (bot, number, entrant, size_bytes, state, submitted_at)
             select b.id, n.number, 'x', 1, 'accepted', 0 from n join bots b on b.id = 1 or n.number <= 3",
            "insert into sample_logs (bot, number, seat, text, dropped) select bot, number, 0, 'hello', 0 from versions",
        ];
        let store = upgraded(folder.path(), 22, &rows).await;
        let mut logged = Vec::new();
        for (bot, number) in (1..=12).map(|number| (1, number)).chain((1..=3).map(|number| (2, number))) {
            let id = VersionId { bot: BotId(bot), number };
            if !store.sample_logs(id).await.expect("read").is_empty() {
                logged.push((bot, number));
            }
        }
        let latest = (3..=12).map(|number| (1, number)).chain((1..=3).map(|number| (2, number)));
        assert_eq!(logged, latest.collect::<Vec<(i64, u32)>>());
    }

    #[tokio::test]
    async fn bots_of_a_store_from_before_there_were_games_to_choose_from_play_the_first_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let rows = [
            "insert into accounts (id, name, code_hash, created_at) values (1, 'Ada', zeroblob(32), 0)",
            "insert into bots (id, account, name, name_key, created_at) values (1, 1, 'old', 'old', 0)",
        ];
        let store = upgraded(folder.path(), 2, &rows).await;
        let bot = store.bot_by_name(&BotName::parse("old").expect("a name")).await.expect("read").expect("the bot");
        assert_eq!(bot.game, "conquerors@2");
    }

    #[tokio::test]
    async fn the_text_of_a_result_that_several_workers_submitted_is_kept_once_and_missed_if_it_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let (text, hash) = ("0 the same", end_hash(b"0 the same"));
        let rows = [
            "insert into queued_games (tournament, key, semantics, build, job, token, end_hash) values
             ('cup-1', 'KEY', 's', 'b', 'job', 2, 'HASH'), ('cup-2', 'KEY', 's', 'b', 'job', 1, 'HASH'),
             ('cup-1', 'OPEN', 's', 'b', 'job', 1, null)",
            "insert into queued_ends (tournament, key, worker, end_hash, is_void, text) values
             ('cup-1', 'KEY', 'one', 'HASH', 0, 'TEXT'), ('cup-1', 'KEY', 'two', 'HASH', 0, 'TEXT'),
             ('cup-1', 'KEY', 'three', 'other', 0, 'another'), ('cup-2', 'KEY', 'one', 'HASH', 0, 'TEXT')",
        ];
        let (key, open) = (Hex([1; 32]), Hex([2; 32]));
        let words = [("KEY", key.to_string()), ("OPEN", open.to_string()), ("HASH", hash.to_string())];
        let words = words.into_iter().chain([("TEXT", text.to_owned())]);
        let row = |row: &str| words.clone().fold(row.to_owned(), |row, (word, value)| row.replace(word, &value));
        let store = upgraded(folder.path(), 27, &rows.map(row)).await;
        let [one, two] = ["cup-1", "cup-2"].map(|cup| TournamentId::parse(cup).expect("a name"));
        for cup in [&one, &two] {
            let ends = store.ends(cup, &[key, open]).await.expect("read");
            assert_eq!(ends.iter().map(|end| (end.key, &*end.text)).collect::<Vec<_>>(), [(key, text)], "{cup}");
        }
        let mut writing = store.writing().await.expect("the writer");
        let kept: Vec<(String, String)> = query("select tournament, text from results order by tournament, text")
            .fetch_all(&mut writing)
            .await
            .expect("results");
        let kept: Vec<(&str, &str)> = kept.iter().map(|(cup, text)| (&**cup, &**text)).collect();
        assert_eq!(kept, [(one.as_str(), text), (one.as_str(), "another"), (two.as_str(), text)]);

        query("delete from results where tournament = 'cup-1'").execute(&mut writing).await.expect("deleted");
        writing.commit().await.expect("written");
        let missing = store.ends(&one, &[key, open]).await;
        assert!(matches!(missing, Err(QueueError::Store(StoreError::Damaged(_)))), "not a game that nobody has played");
    }

    /// What an earlier release relies on is still there: it runs beside this one during an upgrade.
    #[test]
    fn a_new_step_at_a_server_only_adds() {
        const BEFORE: i64 = 8;
        // Moves results to where they are once. No release has served a site without it.
        const RESULTS: i64 = 16;
        let is_new = |version: i64| version > BEFORE && version != RESULTS;
        for (version, name, text) in POSTGRES.iter().filter(|(version, ..)| is_new(*version)) {
            // An index only makes statements quicker.
            let text = text.to_lowercase().replace("drop index ", "");
            for word in ["drop ", "rename ", " type ", "set not null", "update ", "delete from"] {
                assert!(!text.contains(word), "step {version}, {name}: {word}");
            }
        }
    }

    #[test]
    fn every_file_of_the_folders_is_a_step() {
        for (folder, steps) in [("sqlite", SQLITE), ("postgres", POSTGRES)] {
            let folder = format!("{}/migrations/{folder}", env!("CARGO_MANIFEST_DIR"));
            let mut files: Vec<String> = std::fs::read_dir(folder)
                .expect("the folder")
                .map(|entry| entry.expect("an entry").file_name().into_string().expect("plain names"))
                .collect();
            files.sort();
            let steps: Vec<String> =
                steps.iter().map(|(version, name, _)| format!("{version:04}_{name}.sql")).collect();
            assert_eq!(files, steps);
        }
    }
}
