//! The qualifying games of newcomers. If more of them are active than an edition has places for, each plays a few games
//! against the game's built-in opponents, and the best are tried in the edition.
//!
//! The games are a tournament like any other, in the form of `arena tournament run`, with a public seed: anybody with
//! the bytes can play the same games and get the same score. They are played once for each core, on the thread of the
//! tournaments and in its turns (`tournaments/schedule.rs`). Before an edition they are at most as many as the edition
//! itself aims at. The scores are written to `DATA/qualifying/EDITION.json` when the field is chosen.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena_files::{read_at_most, write_durably};
use arena_record::{Budgets, EntrantId};
use arena_runner::{Contender, Folder, FolderError, Host, semantics_id};
use arena_tournaments::{Definition, EntrantSpec, FormatSpec, Row, Share, Source, Standings, limits};
use arena_wire::Game;
use serde::{Deserialize, Serialize};

use super::field::{Plan, source};
use super::state::Qualified;
use crate::limits::QUALIFYING_PAIRS;

/// The newcomer's name in the definition of its games.
const NEWCOMER: &str = "newcomer";
/// The seed of these games. All newcomers play with the same one, so that their scores are comparable.
const SEED: u64 = 1;
/// How much of the file is read, in bytes: 100 for each newcomer with a score, of which each edition adds a few
/// thousand.
const WRITTEN_BYTES_MAX: u64 = 16 << 20;

/// The file that is written when a field is chosen.
#[derive(Serialize, Deserialize)]
struct Written {
    /// The semantics id: what the scores depend on besides the bytes.
    semantics: String,
    newcomers: Vec<Qualified>,
}

/// Plays the qualifying games of one game, and keeps their scores.
pub(crate) struct Qualifying {
    game: &'static Game,
    folder: PathBuf,
}

impl Qualifying {
    pub(crate) fn new(game: &'static Game, data: &Path) -> Qualifying {
        Qualifying { game, folder: data.join("qualifying") }
    }

    /// How many newcomers may play before an edition.
    pub(crate) fn newcomers_max(plan: &Plan) -> usize {
        (plan.target() / games(plan).max(1)).max(1)
    }

    /// Plays the games of a bot and returns its score, in millionths. If `pause` breaks, the next call resumes them.
    pub(crate) fn play<B>(
        &self,
        plan: &Plan,
        (id, bytes): (&EntrantId, Vec<u8>),
        host: &Arc<dyn Host>,
        threads: usize,
        mut pause: impl FnMut() -> ControlFlow<B>,
    ) -> Result<ControlFlow<B, u64>, FolderError> {
        let path = self.folder.join(self.game.name());
        let definition = definition(plan, id);
        let bots: BTreeMap<String, Vec<u8>> = match source(id) {
            Source::File(file) => [(file, bytes)].into(),
            Source::Baseline(_) | Source::Gallery(_) => BTreeMap::new(),
        };
        let mut folder = match Folder::open_given(&path, &definition, &bots, host) {
            // The folder is left over from another newcomer or another release.
            Err(error) if error.is_lasting() && !matches!(error, FolderError::Refused { .. }) => {
                remove(&path).map_err(|source| FolderError::Io { action: "remove", path: path.clone(), source })?;
                Folder::open_given(&path, &definition, &bots, host)?
            }
            opened => opened?,
        };
        let played = match folder.run_until(threads, |_| pause())? {
            ControlFlow::Continue(played) => played,
            ControlFlow::Break(pause) => return Ok(ControlFlow::Break(pause)),
        };
        // If that fails, the next newcomer removes it.
        let _ = remove(&path);
        Ok(ControlFlow::Continue(score(&played.standings)))
    }

    /// Writes the newcomers' scores when the field of an edition is chosen; no file if nobody had to qualify.
    pub(crate) fn write(&self, edition: &str, newcomers: &[Qualified]) -> io::Result<()> {
        if newcomers.is_empty() {
            return self.forget(edition);
        }
        fs::create_dir_all(&self.folder)?;
        let written = Written { semantics: semantics_id(self.game.ruleset), newcomers: newcomers.into() };
        write_durably(&self.written(edition), &serde_json::to_vec_pretty(&written)?)
    }

    /// The scores that were written for an edition, if by this release's semantics.
    pub(crate) fn read(&self, edition: &str) -> Vec<Qualified> {
        let bytes = read_at_most(&self.written(edition), WRITTEN_BYTES_MAX).unwrap_or_default();
        let written: Option<Written> = serde_json::from_slice(&bytes).ok();
        let ours = written.filter(|written| written.semantics == semantics_id(self.game.ruleset));
        ours.map_or_else(Vec::new, |written| written.newcomers)
    }

    /// Removes the scores of an edition.
    pub(crate) fn forget(&self, edition: &str) -> io::Result<()> {
        match fs::remove_file(self.written(edition)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn written(&self, edition: &str) -> PathBuf {
        self.folder.join(format!("{edition}.json"))
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The games of a newcomer.
fn definition(plan: &Plan, id: &EntrantId) -> Definition {
    let ruleset = plan.game.ruleset;
    let entrant = |name: &str, source| EntrantSpec { name: name.into(), display: None, source };
    let built_in = Contender::usual(ruleset).map(|name| entrant(name, Source::Baseline(name.into())));
    let entrants: Vec<EntrantSpec> = [entrant(NEWCOMER, source(id))].into_iter().chain(built_in).collect();
    Definition {
        openings: Vec::new(),
        name: "qualifying games".into(),
        ruleset: ruleset.into(),
        options: plan.game.ranked.into(),
        seed: SEED,
        draw: None,
        format: if plan.is_field() {
            // Everybody gets as many games as a game has seats.
            FormatSpec::Field { games: u32::try_from(entrants.len()).unwrap_or(u32::MAX), pairs: 0 }
        } else {
            FormatSpec::Gauntlet { pairs: QUALIFYING_PAIRS, stop: None }
        },
        anchor: None,
        budgets: Budgets::of(plan.game.allowance),
        wall_ms_per_move: limits::WALL_MS_DEFAULT,
        entrants,
    }
}

/// How many games a newcomer plays.
fn games(plan: &Plan) -> usize {
    let built_in = Contender::usual(plan.game.ruleset).count();
    if plan.is_field() { built_in + 1 } else { 2 * QUALIFYING_PAIRS as usize * built_in }
}

/// The newcomer's score: its part of the points, or the mean of its shares.
fn score(standings: &Standings) -> u64 {
    let newcomer = standings.rows.iter().find(|row| row.name == NEWCOMER);
    newcomer.filter(|row| row.left.is_none()).map_or(0, part)
}

fn part(row: &Row) -> u64 {
    use arena_tournaments::Value::{Score, Share as Mean};
    let found = row.values.iter().find_map(|value| match value {
        Mean(share) => u64::try_from(share.mean).ok(),
        Score(tally) => (u64::from(tally.half_points()) * Share::WHOLE).checked_div(2 * u64::from(tally.games())),
        _ => None,
    });
    found.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use arena_runner::InProcess;
    use arena_sandbox::Sandbox;
    use arena_wire::GAMES;

    use super::*;

    /// Forfeits its first turn.
    const LOSER: &str = r#"(module (memory (export "memory") 1)
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func (export "arena_turn") (param i32) (result i64) unreachable))"#;

    fn qualify(game: &'static Game, data: &Path, id: &EntrantId, bytes: &[u8]) -> u64 {
        let host: Arc<dyn Host> = Arc::new(InProcess::new(Sandbox::new().expect("an engine")));
        let (plan, qualifying) = (Plan::of(game).expect("a game"), Qualifying::new(game, data));
        let go_on = || ControlFlow::<()>::Continue(());
        let played = qualifying.play(&plan, (id, bytes.into()), &host, 1, go_on).expect("played");
        played.continue_value().expect("to its end")
    }

    #[test]
    fn newcomers_of_every_game_have_few_games_that_a_definition_says_in_full() {
        for game in GAMES {
            let plan = Plan::of(game).expect("a game");
            let definition = definition(&plan, &EntrantId::of_bytes(b"bot"));
            assert_eq!(Definition::parse(&definition.to_toml()).as_ref(), Ok(&definition), "{}", game.ruleset);
            let format = definition.to_format().expect("playable");
            assert_eq!(format.games_max(definition.entrants.len()), games(&plan), "{}", game.ruleset);
            let all = Qualifying::newcomers_max(&plan) * games(&plan);
            assert!(games(&plan) <= 20 && all <= plan.target().max(games(&plan)), "{}: {all}", game.ruleset);
        }
    }

    #[test]
    fn what_newcomers_came_to_is_read_as_it_was_written_until_it_is_forgotten() {
        let data = tempfile::tempdir().expect("a folder");
        let qualifying = Qualifying::new(&GAMES[0], data.path());
        assert_eq!(qualifying.read("standing-3"), []);
        let id = EntrantId::of_bytes(b"bot");
        let rows = [Qualified { bot: "one".into(), id, score: 9, plays: true }];
        qualifying.write("standing-3", &rows).expect("written");
        assert_eq!(qualifying.read("standing-3"), rows);
        qualifying.write("standing-3", &[]).expect("forgotten");
        qualifying.forget("standing-3").expect("nothing to do");
        assert_eq!(qualifying.read("standing-3"), []);
    }

    mod slow {
        use super::*;

        #[test]
        fn the_same_bytes_have_the_same_score_and_a_better_bot_a_better_one() {
            let data = tempfile::tempdir().expect("a folder");
            let game = &GAMES[0];
            let mason = wat::parse_str(include_str!("../../../../bots/gallery/mason/bot.wat")).expect("a module");
            let id = EntrantId::of_bytes(&mason);
            let score = qualify(game, data.path(), &id, &mason);
            assert_eq!(qualify(game, data.path(), &id, &mason), score);
            let loser = wat::parse_str(LOSER).expect("a module");
            let worse = qualify(game, data.path(), &EntrantId::of_bytes(&loser), &loser);
            assert!(score > worse && score <= Share::WHOLE, "{score} {worse}");
        }
    }
}
