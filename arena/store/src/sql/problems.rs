//! Checks of the stored data.

use arena_record::EntrantId;

use super::connection::{Connection, query};
use super::modules::Modules;
use crate::StoreError;
use crate::error::Result;

/// Problems of a database and of the bytes that it names.
pub(crate) async fn problems(connection: &mut Connection, modules: &Modules) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    if !connection.is_to_server() {
        // Only for SQLite: a server checks its own files, and always enforces foreign keys.
        let lines: Vec<String> = query("pragma integrity_check").fetch_values(connection).await?;
        problems.extend(lines.into_iter().filter(|line| line != "ok"));
        let orphans: Vec<()> = query("pragma foreign_key_check").fetch_all(connection).await?;
        if !orphans.is_empty() {
            problems.push(format!("rows that name others which are not there: {}", orphans.len()));
        }
    }
    // A database that an earlier release created may lack this table.
    let has_folders = "select 1 from pg_tables where schemaname = current_schema() and tablename = 'kept_pieces'";
    if connection.is_to_server() && query(has_folders).exists(connection).await? {
        let changed = query("select hash from kept_pieces where hash <> encode(sha256(content), 'hex') order by hash");
        let changed: Vec<String> = changed.fetch_values(connection).await?;
        let named = |hash| format!("a piece of a tournament's folder has changed: {hash}");
        problems.extend(changed.into_iter().map(named));
    }
    let has_lines = "select 1 from pg_tables where schemaname = current_schema() and tablename = 'kept_lines'";
    if connection.is_to_server() && query(has_lines).exists(connection).await? {
        let changed = query(
            "select l.folder || ', line ' || l.line from kept_lines l where not exists (select 1 from results r
                where r.tournament = l.folder and r.hash = l.hash
                and r.hash = encode(sha256(convert_to(r.text, 'UTF8')), 'hex')) order by l.folder, l.line",
        );
        let changed: Vec<String> = changed.fetch_values(connection).await?;
        problems.extend(changed.into_iter().map(|line| format!("a line of a journal is missing or changed: {line}")));
    }
    let gaps = query("select room from room_events group by room having count(*) <> max(seq) + 1");
    let gaps: Vec<String> = gaps.fetch_values(connection).await?;
    problems.extend(gaps.into_iter().map(|room| format!("the log of room {room} has a gap")));
    for entrant in named(connection).await? {
        match modules.read_over(connection, &entrant).await {
            Ok(_) => {}
            Err(StoreError::Damaged(why)) => problems.push(why.to_string()),
            Err(error) => problems.push(format!("the bytes of {entrant} cannot be read: {error}")),
        }
    }
    Ok(problems)
}

/// The entrants whose bytes are kept, in order.
pub(crate) async fn named(connection: &mut Connection) -> Result<Vec<EntrantId>> {
    let kept = query("select distinct entrant from versions where state <> 'refused'");
    let mut named: Vec<EntrantId> = kept.fetch_values(connection).await?;
    named.sort();
    Ok(named)
}
