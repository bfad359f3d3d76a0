//! The manifest: what is frozen when a tournament starts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::string::FromUtf8Error;

use arena_files::{open, read_at_most};
use arena_record::{EntrantId, Hex};
use arena_tournaments::limits::DEFINITION_BYTES_MAX;
use arena_tournaments::{Definition, Entrant, EntrantSpec, Format, Source};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::change::ChangeKind;
use crate::journal::changes;
use crate::plan::{Plan, PlanError, format_of};
use crate::{build_id, layout, semantics_id};

/// The version of the folder's form.
pub(super) const FORM: &str = "arena-tournament/6";
/// The text before the checksum in a manifest.
const CHECKSUM: &str = "\"checksum\": \"";
/// The longest manifest that is read, in bytes: five times as much as 1,024 entrants take.
pub(crate) const MANIFEST_BYTES_MAX: u64 = 1 << 20;

/// What is frozen when a tournament starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    #[serde(rename = "format")]
    form: String,
    pub(crate) ruleset: String,
    pub(crate) semantics: String,
    pub(crate) build: String,
    /// The hash of the definition's text.
    definition: Hex<32>,
    pub(crate) entrants: Vec<ManifestEntrant>,
    schedule: FrozenSchedule,
    /// The first bytes of the SHA-256 of this text with zeros in this place. It protects fields like the build, which
    /// no other hash covers.
    checksum: Hex<8>,
}

/// What all games follow from, besides the entrants.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrozenSchedule {
    format: String,
    seed: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ManifestEntrant {
    pub(crate) name: String,
    pub(crate) id: EntrantId,
}

/// What is wrong with a manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It is not UTF-8.
    #[error(transparent)]
    NotText(#[from] FromUtf8Error),
    /// It is not JSON of a manifest.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It has another version.
    #[error("its form is {theirs:?}, and this release reads {FORM:?}: use the release that started it, {build:?}")]
    OtherForm {
        /// Its version.
        theirs: String,
        /// The build that wrote it.
        build: String,
    },
    /// Its checksum is wrong.
    #[error("its checksum does not match")]
    Checksum,
    /// It is of another ruleset.
    #[error("its game is not that of its definition")]
    OtherGame,
    /// It has another number of entrants.
    #[error("its entrants are not those of its definition")]
    OtherNumber,
    /// It has another format or seed.
    #[error("its format or seed is not that of its definition")]
    OtherSchedule,
    /// The seed does not follow from the draw.
    #[error("its definition has the seed {seed}, but the secret and the entrants there give {drawn}")]
    OtherSeed {
        /// The definition's seed.
        seed: u64,
        /// The seed that was drawn.
        drawn: u64,
    },
    /// An entrant is not the definition's.
    #[error("its entrant {frozen:?} is not {defined:?} of its definition")]
    OtherEntrant {
        /// Its name in the manifest.
        frozen: String,
        /// Its name in the definition.
        defined: String,
    },
    /// The definition cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

impl Manifest {
    /// A manifest for a tournament started by this build.
    pub(super) fn new(definition: &Definition, format: &dyn Format, entrants: Vec<ManifestEntrant>) -> Manifest {
        let manifest = Manifest {
            form: FORM.into(),
            ruleset: definition.ruleset.clone(),
            semantics: semantics_id(&definition.ruleset),
            build: build_id(),
            definition: sha256(definition.to_toml().as_bytes()),
            entrants,
            schedule: FrozenSchedule::of(format),
            checksum: Hex([0; 8]),
        };
        manifest.sealed()
    }

    /// The manifest with its checksum.
    fn sealed(self) -> Manifest {
        let open = Manifest { checksum: Hex([0; 8]), ..self };
        Manifest { checksum: checksum(&open.to_text()), ..open }
    }

    /// The only text of this manifest.
    pub(crate) fn to_text(&self) -> String {
        // Strings and numbers always serialise.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Parses a manifest. Its checksum is left to [`check_seal`](Manifest::check_seal), because other releases may
    /// compute it in another way.
    pub(crate) fn parse(text: &str) -> Result<Manifest, ManifestError> {
        #[derive(Deserialize)]
        struct Any {
            format: String,
            #[serde(default)]
            build: String,
        }

        let Any { format: theirs, build } = serde_json::from_str(text)?;
        if theirs == FORM {
            Ok(serde_json::from_str(text)?)
        } else if is_sealed(text) {
            Err(ManifestError::OtherForm { theirs, build })
        } else {
            // The seal is neither ours nor another release's, so the text was changed.
            Err(ManifestError::Checksum)
        }
    }

    /// Checks that it is unchanged since it was written.
    pub(crate) fn check_seal(&self) -> Result<(), ManifestError> {
        if self.clone().sealed() == *self { Ok(()) } else { Err(ManifestError::Checksum) }
    }

    /// Whether this text is its definition.
    pub(crate) fn is_of(&self, definition: &[u8]) -> bool {
        self.definition == sha256(definition)
    }

    /// The hash that the first change of its tournament must contain.
    pub(crate) fn hash(&self) -> Hex<32> {
        sha256(self.to_text().as_bytes())
    }

    /// The plan of its tournament.
    ///
    /// # Errors
    /// When it contradicts its definition, or the definition cannot be played.
    pub(crate) fn plan(&self, definition: &Definition) -> Result<Plan, ManifestError> {
        let format = format_of(definition)?;
        self.check(definition, &*format)?;
        let entrant = |(frozen, defined): (&ManifestEntrant, &EntrantSpec)| Entrant {
            name: frozen.name.clone(),
            display: defined.display.clone(),
            id: frozen.id.clone(),
        };
        let entrants = self.entrants.iter().zip(&definition.entrants).map(entrant);
        Ok(Plan::new(definition, entrants.collect(), format))
    }

    /// Checks that everything in it follows from its definition.
    pub(super) fn check(&self, definition: &Definition, format: &dyn Format) -> Result<(), ManifestError> {
        if self.ruleset != definition.ruleset {
            return Err(ManifestError::OtherGame);
        }
        if self.entrants.len() != definition.entrants.len() {
            return Err(ManifestError::OtherNumber);
        }
        if self.schedule != FrozenSchedule::of(format) {
            return Err(ManifestError::OtherSchedule);
        }
        if let Some(draw) = &definition.draw {
            let (seed, drawn) = (definition.seed, draw.secret.seed(self.entrants.iter().map(|entrant| &entrant.id)));
            if seed != drawn {
                return Err(ManifestError::OtherSeed { seed, drawn });
            }
        }
        for (frozen, entrant) in self.entrants.iter().zip(&definition.entrants) {
            let is_it = match &entrant.source {
                // The newest version at the time, or the one in the definition.
                Source::Baseline(name) => frozen
                    .id
                    .baseline()
                    .is_some_and(|(frozen, version)| name == frozen || *name == format!("{frozen}@{version}")),
                Source::Gallery(_) | Source::File(_) => frozen.id.hash().is_some(),
            };
            if frozen.name != entrant.name || !is_it {
                let (frozen, defined) = (frozen.name.clone(), entrant.name.clone());
                return Err(ManifestError::OtherEntrant { frozen, defined });
            }
        }
        Ok(())
    }
}

/// An entrant of a tournament, for display.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownEntrant {
    /// Its name in tables for people.
    pub name: String,
    /// Its id.
    pub id: EntrantId,
    /// Whether it was disqualified, which is marked in its games.
    pub is_disqualified: bool,
}

/// The entrants of the tournament in a folder for display, late ones included; none if there is no tournament. The
/// files are not checked for damage.
pub fn shown_entrants(folder: &Path) -> Vec<ShownEntrant> {
    let entrants = read(folder).map_or_else(Vec::new, |manifest| manifest.entrants);
    let definition = read_at_most(&folder.join(layout::DEFINITION), DEFINITION_BYTES_MAX as u64).ok();
    let definition = definition.and_then(|text| Definition::parse(&String::from_utf8(text).ok()?).ok());
    let displayed: BTreeMap<String, String> = definition
        .into_iter()
        .flat_map(|definition| definition.entrants)
        .filter_map(|entrant| Some((entrant.name, entrant.display?)))
        .collect();
    let journal = open(&folder.join(layout::JOURNAL)).ok();
    let changes = journal.and_then(|journal| changes(&journal).ok()).unwrap_or_default();
    let (mut late, mut disqualified) = (Vec::new(), BTreeSet::new());
    for (_, change) in changes {
        match change.what {
            ChangeKind::Added { name, display, id } => late.push((name, display, id)),
            ChangeKind::Disqualified { name } => {
                disqualified.insert(name);
            }
            ChangeKind::Withdrawn { .. } | ChangeKind::Drawn { .. } => {}
        }
    }
    let first = entrants.into_iter().map(|entrant| {
        let display = displayed.get(&entrant.name).cloned();
        (entrant.name, display, entrant.id)
    });
    let shown = |(name, display, id): (String, Option<String>, EntrantId)| {
        let is_disqualified = disqualified.contains(&name);
        ShownEntrant { name: display.unwrap_or(name), id, is_disqualified }
    };
    first.chain(late).map(shown).collect()
}

/// The semantics id under which the tournament in a folder was started; `None` if there is none, or if it has another
/// form.
pub fn semantics_of(folder: &Path) -> Option<String> {
    read(folder).map(|manifest| manifest.semantics)
}

fn read(folder: &Path) -> Option<Manifest> {
    let bytes = read_at_most(&folder.join(layout::MANIFEST), MANIFEST_BYTES_MAX).ok()?;
    Manifest::parse(&String::from_utf8(bytes).ok()?).ok()
}

impl FrozenSchedule {
    fn of(format: &dyn Format) -> FrozenSchedule {
        FrozenSchedule { format: format.name().into(), seed: format.seed() }
    }
}

/// Whether a manifest's text, of any form, matches the checksum in it.
fn is_sealed(text: &str) -> bool {
    let parts = text.split_once(CHECKSUM).and_then(|(before, rest)| Some((before, rest.split_once('"')?)));
    parts.is_some_and(|(before, (sum, after))| {
        let open = format!("{before}{CHECKSUM}{}\"{after}", Hex([0; 8]));
        checksum(&open).to_string() == sum
    })
}

fn checksum(text: &str) -> Hex<8> {
    let [a, b, c, d, e, f, g, h, ..]: [u8; 32] = Sha256::digest(text).into();
    Hex([a, b, c, d, e, f, g, h])
}

fn sha256(bytes: &[u8]) -> Hex<32> {
    Hex(Sha256::digest(bytes).into())
}
