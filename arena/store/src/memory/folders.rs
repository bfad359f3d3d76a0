//! Folders of tournaments.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::Hex;
use async_trait::async_trait;

use super::MemoryStore;
use crate::error::Damage;
use crate::folders::new_version;
use crate::{FileChange, Folders, KeptFolder, Piece, StoreError, TournamentId};

#[derive(Debug, Default)]
pub(super) struct KeptFolders {
    folders: BTreeMap<TournamentId, KeptFolder>,
    pieces: BTreeMap<Hex<32>, Vec<u8>>,
}

#[async_trait]
impl Folders for MemoryStore {
    async fn kept_folders(&self) -> Result<BTreeMap<TournamentId, u64>, StoreError> {
        let state = self.state()?;
        Ok(state.folders.folders.iter().map(|(name, folder)| (name.clone(), folder.version)).collect())
    }

    async fn kept_folder(&self, folder: &TournamentId) -> Result<Option<KeptFolder>, StoreError> {
        Ok(self.state()?.folders.folders.get(folder).cloned())
    }

    async fn keep_piece(&self, bytes: &[u8]) -> Result<Piece, StoreError> {
        let piece = Piece::of(bytes);
        self.state()?.folders.pieces.insert(piece.hash, bytes.into());
        Ok(piece)
    }

    async fn piece(&self, piece: &Piece) -> Result<Vec<u8>, StoreError> {
        let bytes = self.state()?.folders.pieces.get(&piece.hash).cloned();
        bytes.ok_or_else(|| Damage::Piece(piece.hash).into())
    }

    async fn keep_folder(
        &self,
        folder: &TournamentId,
        before: u64,
        changes: &[FileChange],
    ) -> Result<Option<u64>, StoreError> {
        let mut state = self.state()?;
        let state = &mut state.folders;
        let mut changed = state.folders.get(folder).cloned().unwrap_or_default();
        let mut pieces = changes.iter().flat_map(|change| &change.pieces);
        if changed.version != before || !pieces.all(|piece| state.pieces.contains_key(&piece.hash)) {
            return Ok(None);
        }
        changed.change(changes);
        changed.version = new_version()?;
        let version = changed.version;
        state.folders.insert(folder.clone(), changed);
        Ok(Some(version))
    }

    async fn forget_folder(&self, folder: &TournamentId) -> Result<(), StoreError> {
        let mut state = self.state()?;
        let state = &mut state.folders;
        state.folders.remove(folder);
        let files = state.folders.values().flat_map(|folder| folder.files.values());
        let named: BTreeSet<Hex<32>> = files.flatten().map(|piece| piece.hash).collect();
        state.pieces.retain(|hash, _| named.contains(hash));
        Ok(())
    }
}
