//! The same cases in the other engines: in wasmi, as `arena verify --engine wasmi` plays a game again, and in V8, as
//! pages and `arena-verify` do. Each has its own way to trap and to say so, and all come to one record.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use arena_interpreter::Interpreter;
use arena_record::{Budgets, Bytes, ForfeitCode, Record};
use arena_runner::{Contender, Host, InProcess, LoadError, Qualification, SampleGame, play_once_more, qualify};
use arena_sandbox::Sandbox;
use arena_worker::Wall;
use serde::{Deserialize, Serialize};

use super::rows::{Case, Engine, SEED};
use crate::guests::left_out::left_out;

/// A case, and how it ended in the first engine.
pub(crate) struct Ended {
    pub(crate) what: String,
    pub(crate) case: Case,
    pub(crate) verdict: Qualification,
}

/// What V8 is asked.
#[derive(Serialize)]
struct Asked {
    module: Bytes,
    budgets: Budgets,
    /// A game to be played again; none of a module that the check refuses.
    record: Option<String>,
}

/// What it answers.
#[derive(Deserialize, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Found {
    /// The check's words.
    Refused { message: String },
    /// The same record. Some kinds of traps are called the same there.
    Identical { untold: bool },
    /// Another one, and where.
    Differs { what: String },
    /// No verdict, and why.
    NotChecked { why: String },
}

/// Each case ends as it did in the first engine, but where its row says that an engine gives no verdict.
pub(crate) fn hold_in_others(ended: &[Ended]) {
    let wasmi = InProcess::new(Sandbox::of(Interpreter::new()));
    let records: Vec<Option<Record>> = ended.iter().map(|ended| ended.holds_in_wasmi(&wasmi)).collect();
    hold_in_v8(ended, &records);
}

impl Ended {
    /// The record of its first game; none if it is refused.
    fn holds_in_wasmi(&self, wasmi: &InProcess) -> Option<Record> {
        let what = &self.what;
        let bytes = &self.case.bytes;
        match (&self.verdict, wasmi.load(bytes, &Budgets::DEFAULT)) {
            (Qualification::Played(sample), Ok(bot)) => {
                let game = &sample.games[0];
                assert_eq!(left(&again(game, &bot)), left(game), "{what}, in wasmi");
                Some(game.record.clone())
            }
            (Qualification::Refused(refusal), Err(LoadError::Refused(other))) => {
                assert_eq!(*refusal, other, "{what}, in wasmi");
                None
            }
            (Qualification::Refused(_), Ok(_)) if self.case.fails_in == Some(Engine::Wasmtime) => {
                let verdict = qualify(wasmi, bytes, &arena_wire::GAMES[0], &Budgets::DEFAULT, SEED, Wall::None);
                let Ok(Qualification::Played(sample)) = verdict else { panic!("{what}: refused in wasmi, too") };
                assert_eq!(sample.forfeit(), None, "{what}, in wasmi");
                Some(sample.games[0].record.clone())
            }
            (_, other) => panic!("{what}, in wasmi: {:?}", other.err()),
        }
    }

    /// Whether this is what V8 should find. A later version may do what this one cannot.
    fn is_found(&self, record: Option<&Record>, found: &Found) -> bool {
        match (found, &self.verdict) {
            (Found::Refused { message }, Qualification::Refused(refusal)) => *message == refusal.to_string(),
            (Found::Identical { untold }, _) => {
                let trapped = |record: &Record| record.forfeits.iter().any(|forfeit| forfeit.code == ForfeitCode::Trap);
                !untold || record.is_some_and(trapped)
            }
            (Found::NotChecked { why }, _) => why == "engine" && self.case.fails_in == Some(Engine::V8),
            (Found::Differs { what }, _) => panic!("{}, in V8: {what}", self.what),
            _ => false,
        }
    }
}

/// The same game with its bot in another engine.
fn again(game: &SampleGame, bot: &Contender) -> SampleGame {
    play_once_more(&Arc::new(game.record.clone()), bot, game.seat, Wall::None).unwrap()
}

/// What is left of a game.
fn left(game: &SampleGame) -> (&Record, &[String], u64, u64) {
    (&game.record, &game.log, game.log_dropped, game.memory_bytes())
}

/// Plays all games again in Node, if it and the pages' modules are there.
fn hold_in_v8(ended: &[Ended], records: &[Option<Record>]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_built = folder.join("../../web/engine/built/arena_opponents.wasm").is_file();
    if !is_built || Command::new("node").arg("--version").output().is_err() {
        return left_out("hostile bots in V8 need Node and the pages' modules (`cargo xtask engine`)");
    }
    let mut lines = tempfile::NamedTempFile::new().unwrap();
    for (Ended { case, .. }, record) in ended.iter().zip(records) {
        let record = record.as_ref().map(Record::to_text);
        let asked = Asked { module: Bytes(case.bytes.clone()), budgets: Budgets::DEFAULT, record };
        writeln!(lines, "{}", serde_json::to_string(&asked).unwrap()).unwrap();
    }
    let script: PathBuf = folder.join("tests/rows.mjs");
    let output = Command::new("node").arg(script).arg(lines.path()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().count(), ended.len());
    for ((ended, record), line) in ended.iter().zip(records).zip(said.lines()) {
        let found: Found = serde_json::from_str(line).unwrap();
        assert!(ended.is_found(record.as_ref(), &found), "{}, in V8: {found:?}", ended.what);
    }
}
