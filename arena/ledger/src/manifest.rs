//! The manifest: what is frozen when a tournament starts.

use std::string::FromUtf8Error;

use arena_record::{EntrantId, Hex};
use arena_tournaments::{Definition, Entrant, EntrantSpec, Format, Source};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::plan::{Plan, PlanError, format_of};
use crate::semantics::semantics_id;

/// The version of the folder's form.
pub const FORM: &str = "arena-tournament/6";
/// The text before the checksum in a manifest.
const CHECKSUM: &str = "\"checksum\": \"";
/// The longest manifest that is read, in bytes: five times as much as 1,024 entrants take.
pub const MANIFEST_BYTES_MAX: u64 = 1 << 20;

/// What is frozen when a tournament starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    #[serde(rename = "format")]
    form: String,
    /// The game.
    pub ruleset: String,
    /// Its semantics id.
    pub semantics: String,
    /// The build that started it.
    pub build: String,
    /// The hash of the definition's text.
    definition: Hex<32>,
    /// The entrants, as in the definition.
    pub entrants: Vec<ManifestEntrant>,
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

/// An entrant as it was frozen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestEntrant {
    /// Its name.
    pub name: String,
    /// The hash of its bytes, or the built-in opponent that it is.
    pub id: EntrantId,
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
    /// A manifest for a tournament started by a build.
    pub fn new(
        definition: &Definition,
        format: &dyn Format,
        entrants: Vec<ManifestEntrant>,
        build: String,
    ) -> Manifest {
        let manifest = Manifest {
            form: FORM.into(),
            ruleset: definition.ruleset.clone(),
            semantics: semantics_id(&definition.ruleset),
            build,
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
    pub fn to_text(&self) -> String {
        // Strings and numbers always serialise.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Parses a manifest. Its checksum is left to [`check_seal`](Manifest::check_seal), because other releases may
    /// compute it in another way.
    pub fn parse(text: &str) -> Result<Manifest, ManifestError> {
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
    pub fn check_seal(&self) -> Result<(), ManifestError> {
        if self.clone().sealed() == *self { Ok(()) } else { Err(ManifestError::Checksum) }
    }

    /// Whether this text is its definition.
    pub fn is_of(&self, definition: &[u8]) -> bool {
        self.definition == sha256(definition)
    }

    /// The hash that the first change of its tournament must contain.
    pub fn hash(&self) -> Hex<32> {
        sha256(self.to_text().as_bytes())
    }

    /// The plan of its tournament, for games that `build` plays.
    ///
    /// # Errors
    /// When it contradicts its definition, or the definition cannot be played.
    pub fn plan(&self, definition: &Definition, build: &str) -> Result<Plan, ManifestError> {
        let format = format_of(definition)?;
        self.check(definition, &*format)?;
        let entrant = |(frozen, defined): (&ManifestEntrant, &EntrantSpec)| Entrant {
            name: frozen.name.clone(),
            display: defined.display.clone(),
            id: frozen.id.clone(),
        };
        let entrants = self.entrants.iter().zip(&definition.entrants).map(entrant);
        Ok(Plan::new(definition, entrants.collect(), format, build))
    }

    /// Checks that everything in it follows from its definition.
    pub fn check(&self, definition: &Definition, format: &dyn Format) -> Result<(), ManifestError> {
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
