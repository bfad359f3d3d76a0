//! Folders of tournaments in rows. Only databases that servers share have these tables.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::Hex;

use super::connection::{Connection, insert, query, values};
use super::error::number;
use super::modules::aside;
use super::queue::{insert_results, list};
use crate::error::{Damage, Result};
use crate::folders::new_version;
use crate::queue::end_hash;
use crate::{FileChange, JournalChange, KeptFolder, KeptLine, Piece, Store, StoreError, TournamentId};

/// The version of a folder; `None` if it is missing.
async fn version_of(folder: &TournamentId, connection: &mut Connection) -> Result<Option<u64>> {
    let row: Option<(i64,)> = query("select version from kept_folders where name = $1")
        .bind(folder.as_str())
        .fetch_optional(connection)
        .await?;
    row.map(|(version,)| number(version)).transpose()
}

/// Lines that are written by one statement.
const LINES_WRITTEN: usize = 500;
/// Lines that are read at once: some hundred kilobytes, and at most 64 MiB.
const LINES_READ: i64 = 64;

/// Writes the texts of results that are not there yet.
async fn write_results(folder: &TournamentId, texts: &[String], writing: &mut Connection) -> Result<()> {
    let hashes: Vec<String> = texts.iter().map(|text| end_hash(text.as_bytes()).to_string()).collect();
    // What workers have submitted is there already, and is not sent again.
    let there: Vec<(String,)> = query(
        "select id.value from json_each($2) id
         where exists (select 1 from results r where r.tournament = $1 and r.hash = id.value)",
    )
    .with(values![folder.as_str(), list(&hashes)])
    .fetch_all(writing)
    .await?;
    let there: BTreeSet<String> = there.into_iter().map(|(hash,)| hash).collect();
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
    let from = i64::try_from(*from).unwrap_or(i64::MAX);
    let cut = query("delete from kept_lines where folder = $1 and line >= $2").with(values![folder.as_str(), from]);
    if cut.execute(writing).await? > 0 {
        let cuts = query("update kept_folders set cuts = cuts + 1 where name = $1").bind(folder.as_str());
        cuts.execute(writing).await?;
    }
    let mut rows = (from..).zip(lines).map(|(place, line)| {
        let bytes = i64::try_from(line.bytes).unwrap_or(i64::MAX);
        let hash = line.hash.to_string();
        vec![folder.as_str().into(), place.into(), line.label.as_str().into(), hash.as_str().into(), bytes.into()]
    });
    let into = "insert into kept_lines (folder, line, label, hash, bytes)";
    while let Some(insert) = insert(into, rows.by_ref().take(LINES_WRITTEN)) {
        insert.execute(writing).await?;
    }
    let lacks = query(
        "select 1 from kept_lines l where l.folder = $1 and l.line >= $2 and not exists (select 1 from results r
            where r.tournament = l.folder and r.hash = l.hash) limit 1",
    );
    Ok(!lacks.with(values![folder.as_str(), from]).exists(writing).await?)
}

/// Folders of tournaments. A store at a server keeps them, and one in memory does. One in a folder has no such tables:
/// the tournaments' folders beside it are authoritative, and nobody shares them.
impl Store {
    /// The folders, each with its version.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn kept_folders(&self) -> Result<BTreeMap<TournamentId, u64>> {
        let rows: Vec<(String, i64)> =
            query("select name, version from kept_folders").fetch_all(&mut self.reader().await?).await?;
        let folder = |(name, version): (String, i64)| {
            Ok((TournamentId::parse(&name).map_err(StoreError::damaged)?, number(version)?))
        };
        rows.into_iter().map(folder).collect()
    }

    /// A folder; `None` if it is missing.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn kept_folder(&self, folder: &TournamentId) -> Result<Option<KeptFolder>> {
        let mut reading = self.reading().await?;
        let row: Option<(i64, i64, i64, i64)> = query(
            "select version, cuts, (select count(*) from kept_lines l where l.folder = name),
                (select cast(coalesce(sum(l.bytes), 0) as bigint) from kept_lines l where l.folder = name)
             from kept_folders where name = $1",
        )
        .bind(folder.as_str())
        .fetch_optional(&mut reading)
        .await?;
        let Some((version, cuts, lines, journal_bytes)) = row else { return Ok(None) };
        let rows: Vec<(String, String, i64)> =
            query("select file, hash, bytes from kept_files where folder = $1 order by file, piece")
                .bind(folder.as_str())
                .fetch_all(&mut reading)
                .await?;
        let mut kept = KeptFolder {
            version: number(version)?,
            cuts: number(cuts)?,
            lines: number(lines)?,
            journal_bytes: number(journal_bytes)?,
            files: BTreeMap::new(),
        };
        for (file, hash, bytes) in rows {
            let piece = Piece { hash: hash.parse().map_err(StoreError::damaged)?, bytes: number(bytes)? };
            kept.files.entry(file).or_default().push(piece);
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
        let there = query("select 1 from kept_pieces where hash = $1").bind(piece.hash.to_string());
        if there.exists(&mut self.reader().await?).await? {
            return Ok(piece);
        }
        self.execute(
            query("insert into kept_pieces (hash, content) values ($1, $2) on conflict do nothing")
                .with(values![piece.hash.to_string(), bytes]),
        )
        .await?;
        Ok(piece)
    }

    /// The bytes of a piece of some folder.
    ///
    /// # Errors
    /// When they are missing or damaged, or the store cannot be read.
    pub async fn piece(&self, piece: &Piece) -> Result<Vec<u8>> {
        let row: Option<(Vec<u8>,)> = query("select content from kept_pieces where hash = $1")
            .bind(piece.hash.to_string())
            .fetch_optional(&mut self.reader().await?)
            .await?;
        let Some((bytes,)) = row else { return Err(Damage::Piece(piece.hash).into()) };
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
        let rows: Vec<(String, String, Option<String>)> = query(
            "select l.label, l.hash, (select r.text from results r where r.tournament = l.folder and r.hash = l.hash)
             from kept_lines l where l.folder = $1 and l.line >= $2 order by l.line limit $3",
        )
        .with(values![folder.as_str(), i64::try_from(from).unwrap_or(i64::MAX), LINES_READ])
        .fetch_all(&mut self.reader().await?)
        .await?;
        let line = |(label, hash, text): (String, String, Option<String>)| {
            let hash: Hex<32> = hash.parse().map_err(StoreError::damaged)?;
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
        if version_of(folder, &mut writing).await?.unwrap_or(0) != before {
            return Ok(None);
        }
        query(
            "insert into kept_folders (name, version) values ($1, $2)
             on conflict (name) do update set version = excluded.version",
        )
        .with(values![folder.as_str(), i64::try_from(after).unwrap_or(i64::MAX)])
        .execute(&mut writing)
        .await?;
        for FileChange { file, from, pieces } in changes {
            query("delete from kept_files where folder = $1 and file = $2 and piece >= $3")
                .with(values![folder.as_str(), file.as_str(), *from as i64])
                .execute(&mut writing)
                .await?;
            for (place, piece) in (*from..).zip(pieces) {
                let put = query(
                    "insert into kept_files (folder, file, piece, hash, bytes)
                     select cast($1 as text), cast($2 as text), cast($3 as bigint), hash, cast($5 as bigint)
                     from kept_pieces where hash = $4",
                )
                .bind(folder.as_str())
                .bind(file.as_str())
                .bind(place as i64)
                .bind(piece.hash.to_string())
                .bind(i64::try_from(piece.bytes).unwrap_or(i64::MAX));
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
        query("delete from kept_folders where name = $1").bind(folder.as_str()).execute(&mut writing).await?;
        query("delete from kept_pieces as p where not exists (select 1 from kept_files f where f.hash = p.hash)")
            .execute(&mut writing)
            .await?;
        query(
            "delete from results where tournament = $1 and not exists (select 1 from queued_ends e
                where e.tournament = results.tournament and e.end_hash = results.hash)",
        )
        .bind(folder.as_str())
        .execute(&mut writing)
        .await?;
        writing.commit().await
    }
}
