//! Where in a bot's code a call failed, and the names in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wasmparser::{KnownCustom, Name, Naming, Parser, Payload};
use wasmtime::WasmBacktrace;

use crate::FRAME_NAME_BYTES_MAX;

/// A function that was running when a call failed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// Its number among the functions of the module, imports first; in a profile of an interpreter, the line of its
    /// script, from 1.
    pub function: u32,
    /// Its name in the module's name section, cut to [`FRAME_NAME_BYTES_MAX`] bytes. Hostile text: escape it wherever
    /// it is shown.
    pub name: Option<String>,
}

/// What a function used of the fuel of a game so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Used {
    /// Its number among the functions of the module, imports first.
    pub function: u32,
    /// What it used itself.
    pub alone: u64,
    /// The same with all that it called.
    pub with_calls: u64,
}

/// The names of a module's functions, by number, as [`Frame`] has them.
pub fn names(module: &[u8]) -> BTreeMap<u32, String> {
    let customs = Parser::new(0).parse_all(module).map_while(Result::ok).filter_map(|payload| match payload {
        Payload::CustomSection(section) => Some(section.as_known()),
        _ => None,
    });
    let sections = customs.filter_map(|known| if let KnownCustom::Name(names) = known { Some(names) } else { None });
    let maps = sections.flat_map(|names| names.into_iter().map_while(Result::ok)).filter_map(|name| match name {
        Name::Function(functions) => Some(functions),
        _ => None,
    });
    let named = maps.flat_map(|functions| functions.into_iter().map_while(Result::ok));
    named.map(|Naming { index, name }| (index, cut(name))).collect()
}

/// The names of a module's exports. Hostile text: escape it wherever it is shown.
pub fn exports(module: &[u8]) -> Vec<String> {
    let sections = Parser::new(0).parse_all(module).flatten().filter_map(|payload| match payload {
        Payload::ExportSection(exports) => Some(exports),
        _ => None,
    });
    sections.flat_map(|exports| exports.into_iter().flatten()).map(|export| export.name.into()).collect()
}

fn cut(name: &str) -> String {
    name[..name.floor_char_boundary(FRAME_NAME_BYTES_MAX)].to_string()
}

/// The functions that were running when the engine returned an error, the innermost first.
pub(crate) fn frames(error: &wasmtime::Error) -> Vec<Frame> {
    let Some(trace) = error.downcast_ref::<WasmBacktrace>() else { return Vec::new() };
    let frame = |frame: &wasmtime::FrameInfo| Frame { function: frame.func_index(), name: frame.func_name().map(cut) };
    trace.frames().iter().map(frame).collect()
}

#[cfg(test)]
mod tests {
    use arena_record::Budgets;
    use arena_referee::Player;

    use super::*;
    use crate::{FRAMES_MAX, Sandbox, SandboxPlayer};

    #[test]
    fn frames_and_their_names_are_bounded() -> Result<(), Box<dyn std::error::Error>> {
        // One byte, then characters of two bytes each, so the limit falls within a character.
        let name = format!("a{}", "é".repeat(FRAME_NAME_BYTES_MAX));
        let deep = |calls: usize| {
            format!(
                r#"(module (memory (export "memory") 1)
                (func $deep (@name "{name}") (param i32) (if (i32.eqz (local.get 0)) (then unreachable))
                    (call $deep (i32.sub (local.get 0) (i32.const 1))))
                (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
                (func (export "arena_turn") (param i32) (result i64) (call $deep (i32.const {calls})) (i64.const 0)))"#
            )
        };
        for (calls, noted) in [(0, 2), (FRAMES_MAX - 2, FRAMES_MAX), (FRAMES_MAX - 1, FRAMES_MAX), (1_000, FRAMES_MAX)]
        {
            let bot = Sandbox::new()?.load(&wat::parse_str(deep(calls))?, &Budgets::DEFAULT)?;
            let mut player = SandboxPlayer::new(&bot);
            player.start(1, 1_000).map_err(|failure| format!("{failure:?}"))?;
            assert!(player.left().frames.is_empty());
            assert!(player.turn(&[0], 1_000_000).is_err());
            let innermost = Frame { function: 0, name: Some(name[..FRAME_NAME_BYTES_MAX - 1].into()) };
            let frames = player.left().frames;
            assert_eq!((frames.len(), frames.first()), (noted, Some(&innermost)), "{calls}");
            assert_eq!(frames.iter().any(|frame| frame.function == 2), calls + 2 <= FRAMES_MAX, "{calls}");
        }
        Ok(())
    }
}
