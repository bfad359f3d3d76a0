//! Folders of tournaments in rows. Only databases that servers share have these tables.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::Hex;

use super::columns::{list, values};
use super::connection::{Connection, insert, query};
use super::modules::aside;
use super::queue::insert_results;
use crate::error::{Damage, Result};
use crate::folders::new_version;
use crate::queue::end_hash;
use crate::{FileChange, JournalChange, KeptFolder, KeptLine, NewLine, Piece, Store, TournamentId};

/// Lines that are written by one statement.
const LINES_WRITTEN: usize = 500;
/// Lines that are read at once: some hundred kilobytes, and at most 64 MiB.
const LINES_READ: i64 = 64;

/// Writes the texts of results that are not there yet.
async fn write_results(folder: &TournamentId, texts: &[String], writing: &mut Connection) -> Result<()> {
    let hashes: Vec<String> = texts.iter().map(|text| end_hash(text.as_bytes()).to_string()).collect();
    // What workers have submitted is there already, and is not sent again.
    let there = query(
        "select id.value from json_each($2) id
         where exists (select 1 from results r where r.tournament = $1 and r.hash = id.value)",
    )
    .with(values![folder, list(&hashes)])
    .fetch_values(writing)
    .await?;
    let there: BTreeSet<String> = there.into_iter().collect();
    let new = hashes.into_iter().zip(texts).filter(|(hash, _)| !there.contains(hash));
    if let Some(insert) = insert_results(new.map(|(hash, text)| (folder.as_str(), hash, text.as_str()))) {
        insert.execute(writing).await?;
    }
    Ok(())
}

/// Changes a journal; `false` if a result was forgotten.
async fn write_lines(
    folder: &TournamentId,
    JournalChange { from, lines, results, .. }: &JournalChange,
    writing: &mut Connection,
) -> Result<bool> {
    write_results(folder, results, writing).await?;
    let cut = query("delete from kept_lines where folder = $1 and line >= $2").with(values![folder, *from]);
    if cut.execute(writing).await? > 0 {
        query("update kept_folders set cuts = cuts + 1 where name = $1").bind(folder).execute(writing).await?;
    }
    let row = |(place, line): (u64, &NewLine)| values![folder, place, &*line.label, &line.hash, line.bytes].into();
    let mut rows = (*from..).zip(lines).map(row);
    let into = "insert into kept_lines (folder, line, label, hash, bytes)";
    while let Some(insert) = insert(into, rows.by_ref().take(LINES_WRITTEN)) {
        insert.execute(writing).await?;
    }
    let lacks = query(
        "select 1 from kept_lines l where l.folder = $1 and l.line >= $2 and not exists (select 1 from results r
            where r.tournament = l.folder and r.hash = l.hash) limit 1",
    );
    Ok(!lacks.with(values![folder, *from]).exists(writing).await?)
}

/// Folders of tournaments. A store at a server keeps them, and one in memory does. One in a folder has no such tables:
/// the tournaments' folders beside it are authoritative, and nobody shares them.
impl Store {
    /// The folders, each with its version.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn kept_folders(&self) -> Result<BTreeMap<TournamentId, u64>> {
        let rows: Vec<_> = query("select name, version from kept_folders").fetch_all(&mut self.reader().await?).await?;
        Ok(rows.into_iter().collect())
    }

    /// A folder; `None` if it is missing.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn kept_folder(&self, folder: &TournamentId) -> Result<Option<KeptFolder>> {
        let mut reading = self.reading().await?;
        let row = query(
            "select version, cuts, (select count(*) from kept_lines l where l.folder = name),
                (select cast(coalesce(sum(l.bytes), 0) as bigint) from kept_lines l where l.folder = name)
             from kept_folders where name = $1",
        )
        .bind(folder)
        .fetch_optional(&mut reading)
        .await?;
        let Some((version, cuts, lines, journal_bytes)) = row else { return Ok(None) };
        let rows: Vec<(String, Hex<32>, u64)> =
            query("select file, hash, bytes from kept_files where folder = $1 order by file, piece")
                .bind(folder)
                .fetch_all(&mut reading)
                .await?;
        let mut kept = KeptFolder { version, cuts, lines, journal_bytes, files: BTreeMap::new() };
        for (file, hash, bytes) in rows {
            kept.files.entry(file).or_default().push(Piece { hash, bytes });
        }
        Ok(Some(kept))
    }

    /// Keeps the bytes of a piece, at most [`PIECE_BYTES_MAX`](crate::PIECE_BYTES_MAX), for a folder that will soon
    /// refer to it. Until then it may be forgotten.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn keep_piece(&self, bytes: &[u8]) -> Result<Piece> {
        let piece = aside(bytes, Piece::of).await?;
        // Most bots have played before, and a read holds up no writer.
        let there = query("select 1 from kept_pieces where hash = $1").bind(&piece.hash);
        if there.exists(&mut self.reader().await?).await? {
            return Ok(piece);
        }
        let put = query("insert into kept_pieces (hash, content) values ($1, $2) on conflict do nothing");
        self.execute(put.with(values![&piece.hash, bytes])).await?;
        Ok(piece)
    }

    /// The bytes of a piece of some folder.
    ///
    /// # Errors
    /// When they are missing or damaged, or the store cannot be read.
    pub async fn piece(&self, piece: &Piece) -> Result<Vec<u8>> {
        let content = query("select content from kept_pieces where hash = $1").bind(&piece.hash);
        let content = content.find_value(&mut self.reader().await?).await?;
        let bytes: Vec<u8> = content.ok_or(Damage::Piece(piece.hash))?;
        if aside(&bytes, Piece::of).await? == *piece { Ok(bytes) } else { Err(Damage::Piece(piece.hash).into()) }
    }

    /// Keeps the texts of results, as workers submit them, for a journal that will soon name them. More than a few are
    /// kept so, since other writers wait while a transaction writes them; the last go [with the
    /// lines](JournalChange::results).
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn keep_results(&self, folder: &TournamentId, texts: &[String]) -> Result<()> {
        let mut writing = self.writing().await?;
        write_results(folder, texts, &mut writing).await?;
        writing.commit().await
    }

    /// The lines of a journal from this one on, as many as are read at once.
    ///
    /// # Errors
    /// When one is damaged, or the store cannot be read.
    pub async fn kept_lines(&self, folder: &TournamentId, from: u64) -> Result<Vec<KeptLine>> {
        let rows: Vec<(String, Hex<32>, Option<String>)> = query(
            "select l.label, l.hash, (select r.text from results r where r.tournament = l.folder and r.hash = l.hash)
             from kept_lines l where l.folder = $1 and l.line >= $2 order by l.line limit $3",
        )
        .with(values![folder, from, LINES_READ])
        .fetch_all(&mut self.reader().await?)
        .await?;
        let line = |(label, hash, text): (String, Hex<32>, Option<String>)| {
            let text = text.filter(|text| end_hash(text.as_bytes()) == hash).ok_or(Damage::Result(hash))?;
            Ok(KeptLine { label, text })
        };
        rows.into_iter().map(line).collect()
    }

    /// Changes files of a folder with version `before`, or creates the folder if that is 0, and returns the new
    /// version. If the folder has another version, or a piece or a result was forgotten, changes nothing and returns
    /// `None`.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn keep_folder(
        &self,
        folder: &TournamentId,
        before: u64,
        changes: &[FileChange],
        journal: Option<&JournalChange>,
    ) -> Result<Option<u64>> {
        let after = new_version()?;
        let mut writing = self.writing().await?;
        let version = query("select version from kept_folders where name = $1").bind(folder);
        if version.find_value::<u64>(&mut writing).await?.unwrap_or(0) != before {
            return Ok(None);
        }
        query(
            "insert into kept_folders (name, version) values ($1, $2)
             on conflict (name) do update set version = excluded.version",
        )
        .with(values![folder, after])
        .execute(&mut writing)
        .await?;
        for FileChange { file, from, pieces } in changes {
            query("delete from kept_files where folder = $1 and file = $2 and piece >= $3")
                .with(values![folder, file.as_str(), *from])
                .execute(&mut writing)
                .await?;
            for (place, piece) in (*from..).zip(pieces) {
                let put = query(
                    "insert into kept_files (folder, file, piece, hash, bytes)
                     select cast($1 as text), cast($2 as text), cast($3 as bigint), hash, cast($5 as bigint)
                     from kept_pieces where hash = $4",
                )
                .with(values![folder, file.as_str(), place, &piece.hash, piece.bytes]);
                if put.execute(&mut writing).await? == 0 {
                    // Dropping the transaction rolls everything back.
                    return Ok(None);
                }
            }
        }
        if let Some(journal) = journal
            && !write_lines(folder, journal, &mut writing).await?
        {
            return Ok(None);
        }
        writing.commit().await?;
        Ok(Some(after))
    }

    /// Forgets a folder, all pieces that no other folder has, and the results that no worker submitted. Repeating it
    /// changes nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn forget_folder(&self, folder: &TournamentId) -> Result<()> {
        let mut writing = self.writing().await?;
        query("delete from kept_folders where name = $1").bind(folder).execute(&mut writing).await?;
        query("delete from kept_pieces as p where not exists (select 1 from kept_files f where f.hash = p.hash)")
            .execute(&mut writing)
            .await?;
        query(
            "delete from results where tournament = $1 and not exists (select 1 from queued_ends e
                where e.tournament = results.tournament and e.end_hash = results.hash)",
        )
        .bind(folder)
        .execute(&mut writing)
        .await?;
        writing.commit().await
    }
}
