//! The entrants' bytes, frozen when the tournament starts.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use arena_files::read_at_most;
use arena_ledger::{Manifest, ManifestEntrant};
use arena_record::{Budgets, EntrantId};
use arena_released::Released;
use arena_scripts::module_of;
use arena_tournaments::{Definition, Entrant, EntrantSpec, Source};

use super::error::{Damage, FolderError, damaged, io_error};
use crate::{Contender, Host, LoadError, layout};

/// The entrants of a started tournament. Bots are compiled only when there is a game to play, so reading a finished
/// tournament compiles none.
pub(crate) struct Frozen(Vec<FrozenEntrant>);

enum FrozenEntrant {
    BuiltIn(Contender),
    Bot { name: String, bytes: Vec<u8> },
}

/// A bot whose file or released module has changed since the tournament started. The frozen bytes play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The entrant's name.
    pub name: String,
}

/// Where the definition's bots come from.
#[derive(Clone, Copy)]
pub(super) enum Bots<'a> {
    /// From files relative to this folder.
    Files(&'a Path),
    /// From memory, by the file names in the definition.
    Given(&'a BTreeMap<String, Vec<u8>>),
}

impl Bots<'_> {
    /// The module of an entrant; at most one byte more than allowed is read.
    fn read(self, name: &str, file: &str, bytes_max: u64) -> Result<Vec<u8>, FolderError> {
        let missing = |path| move |source| FolderError::MissingBot { name: name.into(), path, source };
        match self {
            Bots::Files(base) => {
                let path = base.join(file);
                let bytes = read_at_most(&path, bytes_max).map_err(missing(path.clone()))?;
                module_of(&path, bytes).map_err(|source| FolderError::NotBundled { name: name.into(), path, source })
            }
            Bots::Given(bots) => {
                let found = bots.get(file).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound));
                found.cloned().map_err(missing(file.into()))
            }
        }
    }
}

/// The bytes of a bot by its id.
pub(super) type BotBytes = (EntrantId, Vec<u8>);

/// The entrants of a definition for its manifest, and the bytes of its bots, each checked by the host.
pub(super) fn freeze(
    definition: &Definition,
    given: Bots<'_>,
    host: &dyn Host,
) -> Result<(Vec<ManifestEntrant>, Vec<BotBytes>), FolderError> {
    let mut entrants = Vec::new();
    let mut bots = Vec::new();
    for entrant in &definition.entrants {
        let (id, bytes) = freeze_one(entrant, definition, given, host)?;
        bots.extend(bytes.map(|bytes| (id.clone(), bytes)));
        entrants.push(ManifestEntrant { name: entrant.name.clone(), id });
    }
    Ok((entrants, bots))
}

/// The id of an entrant, and the bytes if it is a bot, checked by the host.
pub(super) fn freeze_one(
    entrant: &EntrantSpec,
    definition: &Definition,
    given: Bots<'_>,
    host: &dyn Host,
) -> Result<(EntrantId, Option<Vec<u8>>), FolderError> {
    let ruleset = &*definition.ruleset;
    let bytes = match &entrant.source {
        Source::Baseline(name) => return Ok((Contender::baseline(ruleset, name)?.id(), None)),
        Source::Gallery(name) => {
            let unknown = || FolderError::NotInGallery { name: name.clone(), ruleset: ruleset.into() };
            Released::named(ruleset, name).ok_or_else(unknown)?.bytes.to_vec()
        }
        Source::File(file) => given.read(&entrant.name, file, definition.budgets.module_bytes)?,
    };
    let id = host.load(&bytes, &definition.budgets).map_err(not_loaded(&entrant.name))?.id();
    Ok((id, Some(bytes)))
}

/// The bots whose bytes are not those that were frozen.
pub(super) fn changed(definition: &Definition, manifest: &Manifest, base: &Path) -> Vec<Changed> {
    let pairs = definition.entrants.iter().zip(&manifest.entrants);
    let is_other = |bytes: &[u8], frozen: &ManifestEntrant| EntrantId::of_bytes(bytes) != frozen.id;
    pairs
        .filter(|(entrant, frozen)| match &entrant.source {
            Source::Baseline(_) => false,
            Source::Gallery(name) => {
                Released::named(&definition.ruleset, name).is_some_and(|bot| is_other(bot.bytes, frozen))
            }
            Source::File(file) => Bots::Files(base)
                .read(&entrant.name, file, definition.budgets.module_bytes)
                .is_ok_and(|bytes| is_other(&bytes, frozen)),
        })
        .map(|(entrant, _)| Changed { name: entrant.name.clone() })
        .collect()
}

impl Frozen {
    /// The entrants of the tournament in `folder`, with the bytes that were frozen at the start.
    pub(crate) fn read(folder: &Path, entrants: &[Entrant], definition: &Definition) -> Result<Frozen, FolderError> {
        let entrants = entrants.iter().map(|entrant| FrozenEntrant::read(folder, entrant, definition));
        entrants.collect::<Result<_, _>>().map(Frozen)
    }

    /// The entrants, ready to play.
    pub(crate) fn load(&self, host: &dyn Host, budgets: &Budgets) -> Result<Vec<Contender>, FolderError> {
        let load = |entrant: &FrozenEntrant| match entrant {
            FrozenEntrant::BuiltIn(contender) => Ok(contender.clone()),
            FrozenEntrant::Bot { name, bytes } => host.load(bytes, budgets).map_err(not_loaded(name)),
        };
        self.0.iter().map(load).collect()
    }
}

impl FrozenEntrant {
    fn read(folder: &Path, entrant: &Entrant, definition: &Definition) -> Result<FrozenEntrant, FolderError> {
        let Entrant { name, id, .. } = entrant;
        let not_ours = || damaged(&folder.join(layout::MANIFEST))(Damage::NoOpponent(id.clone()));
        if id.baseline().is_some() {
            let contender = Contender::of_baseline(&definition.ruleset, id);
            return contender.map(FrozenEntrant::BuiltIn).ok_or_else(not_ours);
        }
        let file = folder.join(layout::bot_file(id.hash().ok_or_else(not_ours)?));
        let bytes = read_at_most(&file, definition.budgets.module_bytes).map_err(io_error("read", &file))?;
        if EntrantId::of_bytes(&bytes) != *id {
            return Err(damaged(&file)(Damage::OtherBytes));
        }
        Ok(FrozenEntrant::Bot { name: name.clone(), bytes })
    }
}

fn not_loaded(name: &str) -> impl FnOnce(LoadError) -> FolderError + use<> {
    let name = name.into();
    |error| match error {
        LoadError::Refused(refusal) => FolderError::Refused { name, refusal },
        LoadError::Worker(source) => FolderError::Worker { name, source },
    }
}
