//! What is frozen when a tournament starts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;
use std::string::FromUtf8Error;

use arena_files::read_at_most;
use arena_record::{EntrantId, Hex};
use arena_tournaments::limits::DEFINITION_BYTES_MAX;
use arena_tournaments::{Definition, Entrant, EntrantSpec, Format, Source};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::change::What;
use crate::journal::changes;
use crate::plan::{Plan, PlanError, format_of};
use crate::{build_id, layout, semantics_id};

/// The version of the folder's form.
pub(super) const FORM: &str = "arena-tournament/5";
/// What stands before a manifest's checksum.
const CHECKSUM: &str = "\"checksum\": \"";
/// The longest manifest that is read, in bytes: 1,024 entrants take a fifth of it.
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
    /// The first bytes of the SHA-256 of this text with zeros here: the build above is nobody's hash otherwise.
    checksum: Hex<8>,
}

/// What all games follow from, beside the entrants.
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
    /// It is not the JSON of a manifest.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It has another version.
    #[error("its form is {theirs:?}, and this release reads {FORM:?}: use the release that started it, {build:?}")]
    OtherForm {
        /// Theirs.
        theirs: String,
        /// The build that wrote it.
        build: String,
    },
    /// It was changed.
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
    /// The seed is not what was drawn.
    #[error("its definition has the seed {seed}, but the secret and the entrants there give {drawn}")]
    OtherSeed {
        /// The definition's seed.
        seed: u64,
        /// What was drawn.
        drawn: u64,
    },
    /// An entrant is another one.
    #[error("its entrant {frozen:?} is not {defined:?} of its definition")]
    OtherEntrant {
        /// Its name in the manifest.
        frozen: String,
        /// Its name in the definition.
        defined: String,
    },
    /// What its definition asks for cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

impl Manifest {
    /// The manifest of a tournament of this build.
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

    /// With the checksum that it must have.
    fn sealed(self) -> Manifest {
        let open = Manifest { checksum: Hex([0; 8]), ..self };
        Manifest { checksum: checksum(&open.to_text()), ..open }
    }

    /// The one text of this manifest.
    pub(crate) fn to_text(&self) -> String {
        // Strings and numbers always serialise.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// What a text says. Whether its checksum fits is for [`check_seal`](Manifest::check_seal): another release may seal
    /// otherwise.
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
            // Neither ours nor another release's: somebody changed it.
            Err(ManifestError::Checksum)
        }
    }

    /// Whether it is as it was written.
    pub(crate) fn check_seal(&self) -> Result<(), ManifestError> {
        if self.clone().sealed() == *self { Ok(()) } else { Err(ManifestError::Checksum) }
    }

    /// Whether it names this text as its definition.
    pub(crate) fn is_of(&self, definition: &[u8]) -> bool {
        self.definition == sha256(definition)
    }

    /// What the first change of its tournament has to name.
    pub(crate) fn hash(&self) -> Hex<32> {
        sha256(self.to_text().as_bytes())
    }

    /// The plan of its tournament.
    ///
    /// # Errors
    /// When it says something else than its definition makes of it, or no tournament can be of the definition.
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

    /// A manifest is only believed where it says what its definition makes of it.
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
                // The version that was the newest then, or the one that was asked for.
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

/// An entrant of a tournament, as people read of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownEntrant {
    /// What it is called in tables for people.
    pub name: String,
    /// What plays.
    pub id: EntrantId,
    /// Whether it was disqualified: its games are marked.
    pub is_disqualified: bool,
}

/// The entrants of the tournament in a folder as people read of them, late ones too; nobody, if there is none. Whether the files are
/// as they were written is not asked.
pub fn shown_entrants(folder: &Path) -> Vec<ShownEntrant> {
    let entrants = read(folder).map_or_else(Vec::new, |manifest| manifest.entrants);
    let definition = read_at_most(&folder.join(layout::DEFINITION), DEFINITION_BYTES_MAX as u64).ok();
    let definition = definition.and_then(|text| Definition::parse(&String::from_utf8(text).ok()?).ok());
    let displayed: BTreeMap<String, String> = definition
        .into_iter()
        .flat_map(|definition| definition.entrants)
        .filter_map(|entrant| Some((entrant.name, entrant.display?)))
        .collect();
    let journal = File::open(folder.join(layout::JOURNAL)).ok();
    let changes = journal.and_then(|journal| changes(&journal).ok()).unwrap_or_default();
    let (mut late, mut disqualified) = (Vec::new(), BTreeSet::new());
    for (_, change) in changes {
        match change.what {
            What::Added { name, display, id } => late.push((name, display, id)),
            What::Disqualified { name } => {
                disqualified.insert(name);
            }
            What::Withdrawn { .. } | What::Drawn { .. } => {}
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

/// The semantics id that the tournament in a folder was started under; `None` if there is none, or in another form.
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

/// Whether the text of a manifest of any form has the checksum that is in it.
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
