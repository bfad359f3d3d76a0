//! Advice to an author about a forfeit in a sample game, from its code and what is known of the call in which it
//! happened.

use std::collections::BTreeMap;

use arena_record::{Forfeit, ForfeitCode};
use arena_sandbox::{FRAMES_MAX, Frame, MemoryRefused, OUT_OF_BOUNDS, UNREACHABLE};
use arena_wire::{GAMES, Game};

use crate::SampleGame;

/// The beginning of the line that the Rust SDK logs for a panic.
const PANIC: &str = "panicked at ";
/// Logged by bots for a game that they do not play: those in Rust, and those from templates of other languages.
const STRANGER: [&str; 2] = ["does not play the game with tag", "a game that this bot does not know"];
/// The panic of Rust's library on asking for the time.
const NO_CLOCK: &str = "time not implemented on this platform";

const CONTRACT: &str = "ABI.md of every project";

/// The hint for a forfeit.
pub(crate) fn advice(game: &Game, played: &SampleGame, forfeit: &Forfeit) -> String {
    let last = played.log.last().map_or("", String::as_str);
    if STRANGER.iter().any(|words| last.contains(words)) {
        let module = game.name().replace('-', "_");
        return format!(
            "the bot plays another game: say which with `--game`. To play this one too, in Rust implement \
             Bot<{module}::Position> and name it in bot!; in other languages write a turn of it"
        );
    }
    match forfeit.code {
        ForfeitCode::Trap => trap(played, forfeit, last),
        ForfeitCode::FuelExhausted if forfeit.turn.is_none() => {
            "do less in the start; tables can be made at compile time, or one by one in the first turns".into()
        }
        ForfeitCode::FuelExhausted => {
            "search less in a turn, or count your own work and stop; `arena check` shows where the fuel goes".into()
        }
        ForfeitCode::StackOverflow => recursion(),
        ForfeitCode::BadPointer => {
            format!("addresses are bytes from the start of the exported memory; {CONTRACT} has the calls")
        }
        ForfeitCode::BadOutput => match other_game(game, played) {
            Some(other) => format!(
                "these bytes are an action of {}: say which game the bot plays, with `--game {}`",
                other.title,
                other.name()
            ),
            None => format!("{CONTRACT} has the bytes of every action; the layers of the SDK write them"),
        },
        ForfeitCode::IllegalMove => format!(
            "{CONTRACT} has the rules; in Rust `Position::check` says what is wrong with an action before it is returned"
        ),
        ForfeitCode::Resigned | ForfeitCode::OutOfTime => "only people can lose so".into(),
    }
}

/// Another game whose action the bot's last answer is.
fn other_game(game: &Game, played: &SampleGame) -> Option<&'static Game> {
    let reply = played.calls.last()?.reply.as_ref().ok()?;
    GAMES.iter().find(|other| other.ruleset != game.ruleset && other.describe(&reply.action).is_ok())
}

fn trap(played: &SampleGame, forfeit: &Forfeit, last: &str) -> String {
    if let Some(MemoryRefused { had, wanted }) = played.memory_refused {
        let (most, more) = (played.record.header.budgets.memory_bytes, wanted.saturating_sub(had));
        return format!(
            "memory.grow was refused at {}; the bot asked for {more} bytes more than the {had} it had: keep less at once",
            size(most)
        );
    }
    if last.starts_with(PANIC) {
        if last.contains(NO_CLOCK) {
            return "there is no clock, because verdicts come from fuel: count boards, and stop after a fixed number"
                .into();
        }
        return "the panic in the bot's log says where and why".into();
    }
    if is_recursion(&played.frames) {
        return recursion();
    }
    if played.log_dropped > 0 {
        return "the log was full, so a panic may have said why in a line that was dropped: log less".into();
    }
    match forfeit.detail.as_str() {
        UNREACHABLE => "a panic or an assertion without a word: log something before it; `arena check` shows the log",
        OUT_OF_BOUNDS => {
            "an index or a pointer out of bounds, most likely: log something before it; `arena check` shows the log"
        }
        _ => "log something before it; `arena check` shows the log",
    }
    .into()
}

fn recursion() -> String {
    "a recursion used up the stack: recurse less deeply, or keep a list of what is still to do".into()
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
        advice(&GAMES[1], played, &forfeit)
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
