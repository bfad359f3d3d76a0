//! Every limit of bots, of their processes and of tournaments, for people to read. A site adds its own.

use std::borrow::Cow;

use arena_record::{Budgets, RECORD_BYTES_MAX};
use arena_sandbox as sandbox;
use arena_tournaments::limits as tournament;
use arena_wire::{Allowance, GAMES};
use arena_worker::limits as worker;
use serde::Serialize;

use crate::GAMES_MAX;
use crate::profile::{PROFILE_FUEL, PROFILE_POINTS, PROFILE_POINTS_MIN};

/// A limit, as `arena limits` prints it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Limit {
    /// The name of what it limits.
    pub name: Cow<'static, str>,
    /// The bound, in [`unit`](Limit::unit)s.
    pub value: u64,
    /// What is counted, for example bytes.
    pub unit: &'static str,
    /// Why it is neither lower nor higher.
    pub reason: &'static str,
}

/// Name, value, unit and reason of a limit with a name of its own.
pub type LimitRow = (&'static str, u64, &'static str, &'static str);

impl From<LimitRow> for Limit {
    fn from((name, value, unit, reason): LimitRow) -> Limit {
        Limit { name: name.into(), value, unit, reason }
    }
}

/// The limits of this release. Names are stable.
pub fn limits() -> Vec<Limit> {
    let rows = |rows: Vec<LimitRow>| rows.into_iter().map(Limit::from);
    rows(bots()).chain(allowances()).chain(rows(modules())).chain(rows(workers())).chain(rows(tournaments())).collect()
}

/// Fuel in games without the default budgets. The names end with the game's.
fn allowances() -> impl Iterator<Item = Limit> {
    GAMES.iter().flat_map(|game| {
        let own = |name: &str, fuel: Option<u64>, default: Option<u64>, unit, reason| {
            let value = fuel.filter(|_| fuel != default)?;
            Some(Limit { name: format!("{name}_of_{}", game.name().replace('-', "_")).into(), value, unit, reason })
        };
        let Allowance { fuel_per_move, fuel_per_game } = game.allowance;
        let Budgets { fuel_per_move: a_move, fuel_per_game: a_game, .. } = Budgets::DEFAULT;
        let turn = own("fuel_per_move", Some(fuel_per_move), Some(a_move), "fuel", "this game has its own allowance");
        let bank =
            own("fuel_per_game", fuel_per_game, a_game, "fuel", "a bank for all turns; a seat with none left passes");
        turn.into_iter().chain(bank)
    })
}

fn bots() -> Vec<LimitRow> {
    let Budgets { fuel_per_move, fuel_per_game: _, fuel_at_start, memory_bytes, module_bytes } = Budgets::DEFAULT;
    vec![
        ("fuel_per_move", fuel_per_move, "fuel", "about 20 times what the built-in opponents use"),
        ("fuel_at_start", fuel_at_start, "fuel", "building tables once may cost two turns' worth"),
        ("memory_bytes", memory_bytes, "bytes", "fits the processor's cache, so that loads have a bounded cost"),
        ("module_bytes", module_bytes, "bytes", "bounds the time to compile"),
        ("stack_bytes", sandbox::STACK_BYTES_MAX as u64, "bytes", "a deeper recursion is a forfeit"),
        ("action_bytes", sandbox::ACTION_BYTES_MAX.into(), "bytes", "the host copies no more of an answer"),
        ("log_lines", sandbox::LOG_LINES_MAX as u64, "lines a game", "what a person reads"),
        ("log_bytes", sandbox::LOG_BYTES_MAX as u64, "bytes a game", "what a person reads"),
        ("log_call_fuel", sandbox::LOG_CALL_FUEL, "fuel a line", "the price covers the host's cost"),
        ("log_byte_fuel", sandbox::LOG_BYTE_FUEL, "fuel a byte", "the price covers the host's cost"),
        ("frames", sandbox::FRAMES_MAX as u64, "functions of a failed call", "what a person reads; the innermost"),
        (
            "frame_name_bytes",
            sandbox::FRAME_NAME_BYTES_MAX as u64,
            "bytes of a function's name",
            "a mangled one, whole",
        ),
        (
            "profile_points",
            PROFILE_POINTS,
            "points of a profile",
            "each plays a sample game again up to there; a share is known to some percent",
        ),
        (
            "profile_fuel",
            PROFILE_FUEL,
            "fuel of a profile",
            "calls included, a second or two, thirty times as much where it waits for memory; a bot that uses much is seen at fewer points, unless all are asked for",
        ),
        (
            "profile_points_min",
            PROFILE_POINTS_MIN,
            "points of a profile",
            "fewer say too little; these have to be asked for",
        ),
        (
            "wall_ms_per_call",
            sandbox::WALL_MS_DEFAULT,
            "milliseconds",
            "protects the machine only: a call that takes longer is never scored, its game is played again",
        ),
    ]
}

fn modules() -> Vec<LimitRow> {
    let compile = "bounds the time to compile";
    vec![
        ("functions", sandbox::FUNCTIONS_MAX.into(), "of a module", "each costs compile time, even an empty one"),
        ("function_body_bytes", sandbox::BODY_BYTES_MAX, "bytes", "compile time grows faster than it"),
        ("locals", sandbox::LOCALS_MAX, "of a function", "each call clears them all; a vector counts twice"),
        ("params", sandbox::PARAMS_MAX as u64, "of a function", "each call is checked parameter by parameter"),
        ("locals_total", sandbox::LOCALS_TOTAL_MAX, "of a module", compile),
        ("nesting", sandbox::NESTING_MAX as u64, "blocks", compile),
        ("branch_targets", sandbox::BRANCH_TARGETS_MAX, "of a module", compile),
        ("operands", sandbox::OPERANDS_MAX.into(), "of a function at once", compile),
        ("carried", sandbox::CARRIED_MAX as u64, "of a block, of a call", "each is copied, and copying costs no fuel"),
        ("carried_total", sandbox::CARRIED_TOTAL_MAX, "of a module", compile),
        ("compile_weight", sandbox::COMPILE_WEIGHT_MAX, "of a function", compile),
        ("compile_weight_total", sandbox::COMPILE_WEIGHT_TOTAL_MAX, "of a module", compile),
        (
            "compile_weight_of_function",
            sandbox::COMPILE_WEIGHT_OF_FUNCTION,
            "of a function besides its operators",
            "even an empty one is compiled",
        ),
        (
            "compile_weight_of_alive",
            sandbox::COMPILE_WEIGHT_OF_ALIVE,
            "of a local or a waiting operand at each branch",
            "what the register allocator's work grows with",
        ),
        (
            "compile_alive_divisor",
            sandbox::COMPILE_ALIVE_DIVISOR,
            "locals and waiting operands that weigh 1 at each call",
            "they are kept in memory meanwhile",
        ),
        (
            "compile_merged_divisor",
            sandbox::COMPILE_MERGED_DIVISOR,
            "for the square of the values that are merged in a function",
            "what the register allocator's work grows with the square of",
        ),
        ("types", sandbox::TYPES_MAX.into(), "of a module", "bounds the check itself"),
        ("globals", sandbox::GLOBALS_MAX.into(), "of a module", "each is initialised for every game"),
        ("exports", sandbox::EXPORTS_MAX.into(), "of a module", "a bot needs three"),
        ("imports", sandbox::IMPORTS_MAX.into(), "of a module", "there is one to import"),
        ("tables", sandbox::TABLES_MAX.into(), "of a module", "they are memory that memory_bytes does not count"),
        (
            "table_elements",
            sandbox::TABLE_ELEMENTS_MAX,
            "of a table",
            "they are memory that memory_bytes does not count",
        ),
        ("segments", sandbox::SEGMENTS_MAX.into(), "of a module, each kind", "each is applied for every game"),
        (
            "custom_sections",
            sandbox::CUSTOM_SECTIONS_MAX.into(),
            "of a module",
            "names and producers do nothing in a game",
        ),
        ("custom_bytes", sandbox::CUSTOM_BYTES_MAX, "bytes", "the same; their names count"),
    ]
}

fn workers() -> Vec<LimitRow> {
    vec![
        (
            "worker_text_bytes",
            worker::TEXT_BYTES_MAX as u64,
            "bytes of what a worker says of a failure",
            "those of its own have under 500; longer ones are cut",
        ),
        (
            "compile_cpu_seconds",
            worker::COMPILE_CPU_SECONDS_MAX,
            "seconds of processor time",
            "bots of the gallery take under 0.2, the costliest module known to pass the check 10 in a release build; with more it is refused",
        ),
        (
            "compile_wall_seconds",
            worker::COMPILE_WALL_SECONDS_MAX,
            "seconds",
            "a worker that has not had that processor time by then waits for a busy machine; it is tried again",
        ),
        (
            "recompile_factor",
            worker::RECOMPILE_FACTOR,
            "times these two",
            "an accepted bot is not turned out because the machine is slow today",
        ),
        (
            "compile_tries",
            worker::COMPILE_TRIES.into(),
            "processes",
            "that the machine ended, or let wait; a module that ends its compiler is refused at once",
        ),
        (
            "worker_memory_bytes",
            worker::WORKER_MEMORY_BYTES_MAX,
            "bytes of a process",
            "compiling a module of the largest size takes far less; more is refused",
        ),
        (
            "worker_address_space_bytes",
            worker::ADDRESS_SPACE_BYTES_MAX,
            "bytes of a process",
            "that memory, the program, and 4 GiB that are reserved for each seat and never filled",
        ),
        (
            "worker_stack_bytes",
            worker::WORKER_STACK_BYTES_MIN,
            "bytes of a process, at least",
            "that of a guest, and what the engine and the compiler need; with less no bot is judged",
        ),
        (
            "seats_per_worker",
            worker::SEATS_PER_WORKER_MAX.into(),
            "seats of a bot in a game in one process",
            "each reserves memory of the process's address space",
        ),
        (
            "idle_workers",
            worker::IDLE_WORKERS_MAX as u64,
            "processes of a command or a site",
            "one for each bot of the largest tournament",
        ),
        (
            "verdicts_remembered",
            worker::VERDICTS_MAX as u64,
            "modules of a process that plays",
            "those of the largest tournament, and as many that come and go",
        ),
        (
            "worker_frame_bytes",
            worker::FRAME_BYTES_MAX as u64,
            "bytes of a message between processes",
            "a module of the largest size, and as much again",
        ),
        (
            "unwalled_nanos_per_fuel",
            worker::UNWALLED_NANOS_PER_FUEL,
            "nanoseconds for each unit of fuel",
            "several times the costliest operator; a process that takes longer is broken",
        ),
    ]
}

fn tournaments() -> Vec<LimitRow> {
    let line = "one line";
    vec![
        (
            "entrants",
            tournament::ENTRANTS_MAX as u64,
            "of a tournament",
            "choosing a round of so many takes about a second",
        ),
        (
            "entrants_of_a_round_robin",
            tournament::EACH_ENTRANTS_MAX as u64,
            "of a round robin or a field",
            "more make more pairings than a table can show",
        ),
        ("rounds", tournament::ROUNDS_MAX.into(), "of a Swiss or a ladder", "weights of pairings have room for them"),
        (
            "pairs",
            tournament::PAIRS_MAX.into(),
            "pairs of games of a pairing",
            "narrows intervals to about one Elo point",
        ),
        ("games", GAMES_MAX as u64, "of a tournament", "about 4 kB of the journal each, 200 bytes of memory"),
        (
            "record_bytes",
            RECORD_BYTES_MAX as u64,
            "bytes of a game's record",
            "bounds the work on a file from a stranger",
        ),
        (
            "definition_bytes",
            tournament::DEFINITION_BYTES_MAX as u64,
            "bytes",
            "bounds the work on a file from a stranger",
        ),
        ("tournament_name_chars", tournament::NAME_CHARS_MAX as u64, "characters", line),
        ("entrant_name_chars", tournament::ENTRANT_NAME_CHARS_MAX as u64, "characters", "one column of a table"),
        ("entrant_display_chars", tournament::DISPLAY_CHARS_MAX as u64, "characters", "names of teams are longer"),
        ("openings_of_a_definition", tournament::OPENINGS_MAX as u64, "openings", "more pairs than most pairings have"),
        ("fuel_of_a_definition", tournament::FUEL_MAX, "fuel", "some minutes of a processor"),
        ("memory_bytes_of_a_definition", tournament::MEMORY_BYTES_MAX, "bytes", "what the sandbox reserves"),
        ("module_bytes_of_a_definition", tournament::MODULE_BYTES_MAX, "bytes", "bounds what compiling costs"),
        (
            "wall_ms_of_a_definition",
            tournament::WALL_MS_MAX,
            "milliseconds",
            "more would let a broken machine hang for long",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn limits_have_different_names_and_say_why() {
        let all = limits();
        let names: BTreeSet<&str> = all.iter().map(|limit| &*limit.name).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().all(|limit| limit.value > 0 && !limit.unit.is_empty() && !limit.reason.is_empty()));
    }

    #[test]
    fn a_game_with_an_allowance_of_its_own_is_in_the_list() {
        let all = limits();
        for game in GAMES {
            let Allowance { fuel_per_move, fuel_per_game } = game.allowance;
            let of = |name: &str| {
                let own = format!("{name}_of_{}", game.name().replace('-', "_"));
                all.iter().find(|limit| limit.name == own).or_else(|| all.iter().find(|limit| limit.name == name))
            };
            assert_eq!(of("fuel_per_move").map(|limit| limit.value), Some(fuel_per_move), "{}", game.title);
            assert_eq!(of("fuel_per_game").map(|limit| limit.value), fuel_per_game, "{}", game.title);
        }
        assert!(GAMES.iter().any(|game| game.allowance.fuel_per_game.is_some()), "no game with a bank was looked at");
    }

    /// This file's text names each constant of the files that hold limits.
    #[test]
    fn no_limit_is_forgotten() {
        let here = include_str!("limits.rs");
        let files = [
            ("sandbox", include_str!("../../sandbox/src/limits.rs")),
            ("worker", include_str!("../../worker/src/limits.rs")),
        ];
        for (module, text) in files {
            let constants: Vec<&str> =
                text.lines().filter_map(|line| line.strip_prefix("pub const ")?.split(':').next()).collect();
            assert!(constants.len() > 5, "{module}");
            for constant in constants {
                assert!(here.contains(&format!("{module}::{constant}")), "{module}::{constant} is not in the list");
            }
        }
    }
}
