//! The steps from an empty file to today's tables. A step that was released is never changed; what is new is a new
//! step.

use std::borrow::Cow;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Version, name and text of each step, in order. A test compares the list with the folder.
const STEPS: [(i64, &str, &str); 2] = [
    (1, "start", include_str!("../migrations/sqlite/0001_start.sql")),
    (2, "versions_by_entrant", include_str!("../migrations/sqlite/0002_versions_by_entrant.sql")),
];

/// All steps. Made here and not by `sqlx::migrate!`, which would build the macros and a second copy of the database for
/// one list.
pub(crate) fn migrator() -> Migrator {
    let step = |(version, name, text): (i64, &'static str, &'static str)| {
        Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, text.into_sql_str(), false)
    };
    Migrator::with_migrations(STEPS.into_iter().map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_a_step() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("plain names"))
            .collect();
        files.sort();
        let steps: Vec<String> = STEPS.iter().map(|(version, name, _)| format!("{version:04}_{name}.sql")).collect();
        assert_eq!(files, steps);
    }
}
