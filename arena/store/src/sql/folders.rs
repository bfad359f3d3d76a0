//! Folders of tournaments in rows. Only databases that servers share have these tables.

use std::collections::BTreeMap;

use super::connection::{Connection, query};
use super::error::{Stored, number};
use super::modules::aside;
use crate::error::Damage;
use crate::folders::new_version;
use crate::{FileChange, KeptFolder, Piece, Store, StoreError, TournamentId};

/// The version of a folder; `None` if it is missing.
async fn version_of(folder: &TournamentId, connection: &mut Connection) -> Result<Option<u64>, StoreError> {
    let row: Option<(i64,)> = query("select version from kept_folders where name = $1")
        .bind(folder.as_str())
        .fetch_optional(connection)
        .await
        .stored()?;
    row.map(|(version,)| number(version)).transpose()
}

/// Folders of tournaments. A store at a server keeps them, and one in memory does; where the store is in a folder, the
/// tournaments' folders beside it are authoritative and nothing is kept here.
impl Store {
    /// The folders, each with its version.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn kept_folders(&self) -> Result<BTreeMap<TournamentId, u64>, StoreError> {
        if !self.database.keeps_folders() {
            return Ok(BTreeMap::new());
        }
        let rows: Vec<(String, i64)> =
            query("select name, version from kept_folders").fetch_all(&mut self.reader().await?).await.stored()?;
        let folder = |(name, version): (String, i64)| {
            Ok((TournamentId::parse(&name).map_err(StoreError::damaged)?, number(version)?))
        };
        rows.into_iter().map(folder).collect()
    }

    /// A folder; `None` if it is missing.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn kept_folder(&self, folder: &TournamentId) -> Result<Option<KeptFolder>, StoreError> {
        if !self.database.keeps_folders() {
            return Ok(None);
        }
        let mut reading = self.reading().await?;
        let Some(version) = version_of(folder, &mut reading).await? else { return Ok(None) };
        let rows: Vec<(String, String, i64)> =
            query("select file, hash, bytes from kept_files where folder = $1 order by file, piece")
                .bind(folder.as_str())
                .fetch_all(&mut reading)
                .await
                .stored()?;
        let mut kept = KeptFolder { version, files: BTreeMap::new() };
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
    pub async fn keep_piece(&self, bytes: &[u8]) -> Result<Piece, StoreError> {
        let piece = aside(bytes, Piece::of).await?;
        if !self.database.keeps_folders() {
            return Ok(piece);
        }
        // Most bots have played before, and a read holds up no writer.
        let there = query("select 1 from kept_pieces where hash = $1").bind(piece.hash.to_string());
        if there.exists(&mut self.reader().await?).await.stored()? {
            return Ok(piece);
        }
        let mut writing = self.writing().await?;
        query("insert into kept_pieces (hash, content) values ($1, $2) on conflict do nothing")
            .bind(piece.hash.to_string())
            .bind(bytes)
            .execute(&mut writing)
            .await
            .stored()?;
        writing.commit().await.stored()?;
        Ok(piece)
    }

    /// The bytes of a piece of some folder.
    ///
    /// # Errors
    /// When they are missing or damaged, or the store cannot be read.
    pub async fn piece(&self, piece: &Piece) -> Result<Vec<u8>, StoreError> {
        if !self.database.keeps_folders() {
            return Err(Damage::Piece(piece.hash).into());
        }
        let row: Option<(Vec<u8>,)> = query("select content from kept_pieces where hash = $1")
            .bind(piece.hash.to_string())
            .fetch_optional(&mut self.reader().await?)
            .await
            .stored()?;
        let Some((bytes,)) = row else { return Err(Damage::Piece(piece.hash).into()) };
        if aside(&bytes, Piece::of).await? == *piece { Ok(bytes) } else { Err(Damage::Piece(piece.hash).into()) }
    }

    /// Changes files of a folder with version `before`, or creates the folder if that is 0, and returns the new
    /// version. If the folder has another version or a piece was forgotten, changes nothing and returns `None`.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn keep_folder(
        &self,
        folder: &TournamentId,
        before: u64,
        changes: &[FileChange],
    ) -> Result<Option<u64>, StoreError> {
        if !self.database.keeps_folders() {
            return Ok(None);
        }
        let after = new_version()?;
        let mut writing = self.writing().await?;
        if version_of(folder, &mut writing).await?.unwrap_or(0) != before {
            return Ok(None);
        }
        query(
            "insert into kept_folders (name, version) values ($1, $2)
             on conflict (name) do update set version = excluded.version",
        )
        .bind(folder.as_str())
        .bind(i64::try_from(after).unwrap_or(i64::MAX))
        .execute(&mut writing)
        .await
        .stored()?;
        for FileChange { file, from, pieces } in changes {
            query("delete from kept_files where folder = $1 and file = $2 and piece >= $3")
                .bind(folder.as_str())
                .bind(file.as_str())
                .bind(*from as i64)
                .execute(&mut writing)
                .await
                .stored()?;
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
                if put.execute(&mut writing).await.stored()? == 0 {
                    // Dropping the transaction rolls everything back.
                    return Ok(None);
                }
            }
        }
        writing.commit().await.stored()?;
        Ok(Some(after))
    }

    /// Forgets a folder, and all pieces that no other folder has. Repeating it changes nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn forget_folder(&self, folder: &TournamentId) -> Result<(), StoreError> {
        if !self.database.keeps_folders() {
            return Ok(());
        }
        let mut writing = self.writing().await?;
        query("delete from kept_folders where name = $1").bind(folder.as_str()).execute(&mut writing).await.stored()?;
        query("delete from kept_pieces as p where not exists (select 1 from kept_files f where f.hash = p.hash)")
            .execute(&mut writing)
            .await
            .stored()?;
        writing.commit().await.stored()
    }
}
