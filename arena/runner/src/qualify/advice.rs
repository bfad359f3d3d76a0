//! Advice to an author about a forfeit in a sample game, from its code and what is known of the call in which it
//! happened.

use std::collections::BTreeMap;

use arena_record::{Forfeit, ForfeitCode, Said};
use arena_sandbox::{FRAMES_MAX, Frame, MemoryRefused, OUT_OF_BOUNDS, UNREACHABLE};
use arena_scripts::Language;
use arena_wire::{GAMES, Game};

use super::script;
use super::sentences::*;
use crate::SampleGame;

/// The beginning of the line that the Rust SDK logs for a panic.
const PANIC: &str = "panicked at ";
/// Logged by bots for a game that they do not play: those in Rust, and those from templates of other languages.
const STRANGER: [&str; 2] = ["does not play the game with tag", "a game that this bot does not know"];
/// The panic of Rust's library on asking for the time.
const NO_CLOCK: &str = "time not implemented on this platform";

/// The hint for a forfeit of a bot, which may be a script.
pub(crate) fn advice(game: &Game, played: &SampleGame, forfeit: &Forfeit, language: Option<Language>) -> Said {
    let last = played.log.last().map_or("", String::as_str);
    if STRANGER.iter().any(|words| last.contains(words)) {
        return ANOTHER_GAME.with(&[("module", &game.name().replace('-', "_"))]);
    }
    match forfeit.code {
        ForfeitCode::Trap if language.is_some_and(|language| script::error_line(language, &played.log).is_some()) => {
            SCRIPT_LOGGED.into()
        }
        ForfeitCode::Trap => trap(played, forfeit, last),
        ForfeitCode::FuelExhausted if forfeit.turn.is_none() => START_FUEL.into(),
        ForfeitCode::FuelExhausted => TURN_FUEL.into(),
        ForfeitCode::StackOverflow => RECURSION.into(),
        ForfeitCode::BadPointer => ADDRESSES.into(),
        ForfeitCode::BadOutput => match other_game(game, played) {
            Some(other) => ACTION_OF_ANOTHER_GAME.with(&[("title", &other.title), ("game", &other.name())]),
            None => ACTIONS.into(),
        },
        ForfeitCode::IllegalMove => RULES.into(),
        ForfeitCode::Resigned | ForfeitCode::OutOfTime => ONLY_PEOPLE.into(),
    }
}

/// Another game whose action the bot's last answer is.
fn other_game(game: &Game, played: &SampleGame) -> Option<&'static Game> {
    let reply = played.calls.last()?.reply.as_ref().ok()?;
    GAMES.iter().find(|other| other.ruleset != game.ruleset && other.describe(&reply.action).is_ok())
}

fn trap(played: &SampleGame, forfeit: &Forfeit, last: &str) -> Said {
    if let Some(MemoryRefused { had, wanted }) = played.memory_refused {
        let (most, more) = (size(played.record.header.budgets.memory_bytes), wanted.saturating_sub(had));
        return MEMORY_REFUSED.with(&[("most", &most), ("more", &more), ("had", &had)]);
    }
    let sentence = match forfeit.detail.as_str() {
        _ if last.starts_with(PANIC) && last.contains(NO_CLOCK) => NO_TIME,
        _ if last.starts_with(PANIC) => PANIC_LOGGED,
        _ if is_recursion(&played.frames) => RECURSION,
        _ if played.log_dropped > 0 => LOG_FULL,
        UNREACHABLE => SILENT_PANIC,
        OUT_OF_BOUNDS => BAD_INDEX,
        _ => LOG_SOMETHING,
    };
    sentence.into()
}

/// Whether so many calls were nested, most of them of a few functions, that the bot's own stack has overflowed.
/// Languages keep a stack in the bot's memory, and the engine does not see its end.
fn is_recursion(frames: &[Frame]) -> bool {
    let mut calls: BTreeMap<u32, usize> = BTreeMap::new();
    for frame in frames {
        *calls.entry(frame.function).or_default() += 1;
    }
    frames.len() == FRAMES_MAX && calls.values().any(|calls| *calls >= FRAMES_MAX / 4)
}

/// A size in MiB, if it is a whole number of them.
fn size(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 20) { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}

#[cfg(test)]
mod tests {
    use arena_rules::Seat;

    use super::*;
    use crate::testing::record;

    fn played(log: &[&str]) -> SampleGame {
        SampleGame {
            seat: Seat(0),
            record: record(1),
            calls: Vec::new(),
            frames: Vec::new(),
            memory_refused: None,
            start_memory_bytes: 0,
            log: log.iter().map(|line| (*line).into()).collect(),
            log_dropped: 0,
        }
    }

    fn trapped(played: &SampleGame, detail: &str) -> String {
        let forfeit = Forfeit { seat: 0, turn: Some(0), code: ForfeitCode::Trap, detail: detail.into() };
        advice(&GAMES[1], played, &forfeit, None).to_string()
    }

    #[test]
    fn a_trap_is_explained_by_what_is_known_of_it() {
        let panic = "panicked at src/lib.rs:7:9:\nindex out of bounds";
        let clock = "panicked at library/std/src/sys/time.rs:13:9:\ntime not implemented on this platform";
        let stranger = "panicked at sdk/rust/src/host.rs:49:9:\nthis bot does not play the game with tag Some(1)";
        for (log, detail, words) in [
            (&[][..], UNREACHABLE, "without a word"),
            (&[], OUT_OF_BOUNDS, "an index or a pointer"),
            (&[], "an integer was divided by zero", "`arena check` shows the log"),
            (&["a line", panic], UNREACHABLE, "the panic in the bot's log says where and why"),
            (&[panic, "a line"], UNREACHABLE, "without a word"),
            (&[clock], UNREACHABLE, "there is no clock"),
            (&[stranger], UNREACHABLE, "implement Bot<war_of_life::Position> and name it in bot!"),
        ] {
            let told = trapped(&played(log), detail);
            assert!(told.contains(words), "{log:?}: {told}");
        }
    }

    #[test]
    fn memory_that_was_refused_is_told_before_anything_else() {
        let refused = MemoryRefused { had: 1 << 20, wanted: 9 << 20 };
        let told = trapped(&SampleGame { memory_refused: Some(refused), ..played(&["panicked at x"]) }, UNREACHABLE);
        assert!(told.starts_with("memory.grow was refused at 4 MiB; the bot asked for 8388608 bytes more"), "{told}");
    }

    #[test]
    fn a_recursion_is_seen_when_every_call_that_is_noted_is_a_few_functions() {
        let frames = |count: u32, functions: u32| -> Vec<Frame> {
            (0..count).map(|number| Frame { function: number % functions, name: None }).collect()
        };
        let most = FRAMES_MAX as u32;
        for (count, functions, is) in [(most, 1, true), (most, 3, true), (most, most, false), (most - 1, 1, false)] {
            let told = trapped(&SampleGame { frames: frames(count, functions), ..played(&[]) }, OUT_OF_BOUNDS);
            assert_eq!(told.contains("a recursion used up the stack"), is, "{count} of {functions}: {told}");
        }
    }

    #[test]
    fn a_full_log_may_have_lost_the_panic() {
        let told = trapped(&SampleGame { log_dropped: 3, ..played(&["chatter"]) }, UNREACHABLE);
        assert!(told.contains("the log was full"), "{told}");
    }
}
