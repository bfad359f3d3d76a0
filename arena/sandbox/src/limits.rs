//! The sandbox's fixed limits. Tournaments can change only those in [`arena_record::Budgets`].

/// Functions of a module. Each costs compile time, even an empty one.
pub const FUNCTIONS_MAX: u32 = 4_000;
/// Types of a module; bounds the check itself.
pub const TYPES_MAX: u32 = 1_000;
/// Globals of a module; each is initialised for every game.
pub const GLOBALS_MAX: u32 = 1_000;
/// Exports of a module; a bot needs three.
pub const EXPORTS_MAX: u32 = 64;
/// Imports of a module; there is one to import.
pub const IMPORTS_MAX: u32 = 16;
/// Tables of a module.
pub const TABLES_MAX: u32 = 2;
/// Elements of each table; they are memory that `memory_bytes` does not count.
pub const TABLE_ELEMENTS_MAX: u64 = 10_000;
/// Data and element segments of a module, each kind; each is applied for every game.
pub const SEGMENTS_MAX: u32 = 1_000;
/// Bytes of a function's body; compile time grows faster than this.
pub const BODY_BYTES_MAX: u64 = 128 << 10;
/// Parameters and locals of a function, a vector counting twice: a call clears them all for the price of one operator.
pub const LOCALS_MAX: u64 = 1_000;
/// Parameters of a function type: every call of it is validated parameter by parameter, even if it is never executed.
pub const PARAMS_MAX: usize = 100;
/// Parameters and locals of all functions together.
pub const LOCALS_TOTAL_MAX: u64 = 200_000;
/// Nested blocks in a function.
pub const NESTING_MAX: usize = 200;
/// Targets of all branch tables of a module.
pub const BRANCH_TARGETS_MAX: u64 = 20_000;
/// Operands that wait on a function's stack at once: each is held somewhere until it is used.
pub const OPERANDS_MAX: u32 = 1_000;
/// Parameters and results of a block, and results of a function: compiled code moves them one by one, and no fuel pays
/// for that.
pub const CARRIED_MAX: usize = 16;
/// The same, summed over all blocks, branches and calls of a module: the register allocator's work grows with this,
/// too.
pub const CARRIED_TOTAL_MAX: u64 = 50_000;
/// Weight of a function, by its time of compiling (`check/bodies.rs`): the compiler's time grows faster than the sum.
/// The heaviest one that we found in compilers' output, in a codec for pictures, weighs two thirds of this.
pub const COMPILE_WEIGHT_MAX: u64 = 600_000;
/// The same, summed over the module: more than the weight of 1 MiB of usual compilers' output, which is 2 to 4 million.
pub const COMPILE_WEIGHT_TOTAL_MAX: u64 = 4_500_000;
/// Weight of a function besides its operators: even an empty one is compiled, with what calls it from outside.
pub const COMPILE_WEIGHT_OF_FUNCTION: u64 = 60;
/// Weight of each local and each waiting operand at a block, an `else`, a branch and each target of a table: the
/// register allocator keeps track of them.
pub const COMPILE_WEIGHT_OF_ALIVE: u64 = 2;
/// How many locals and waiting operands weigh 1 at each call: they are kept in memory meanwhile.
pub const COMPILE_ALIVE_DIVISOR: u64 = 16;
/// Values are merged where paths meet: locals that are set in a block, for each branch to its label and its end. They
/// weigh their number in the function, and the square of it by this: the register allocator's work grows with the
/// square.
pub const COMPILE_MERGED_DIVISOR: u64 = 1_000;
/// Custom sections (names, producers, debug information) of a module.
pub const CUSTOM_SECTIONS_MAX: u32 = 64;
/// Bytes of all custom sections, including their names; these have no effect in a game.
pub const CUSTOM_BYTES_MAX: u64 = 64 << 10;

/// Stack of a guest in bytes; a deeper recursion is a forfeit.
pub const STACK_BYTES_MAX: usize = 512 << 10;
/// Bytes of an action; the host copies no more.
pub const ACTION_BYTES_MAX: u32 = 4 << 10;

/// Fuel of a call to `arena.log`, before its bytes.
pub const LOG_CALL_FUEL: u64 = 200;
/// Fuel of each byte logged.
pub const LOG_BYTE_FUEL: u64 = 2;
/// Lines of a bot's log that a game keeps.
pub const LOG_LINES_MAX: usize = 64;
/// Bytes of a bot's log that a game keeps.
pub const LOG_BYTES_MAX: usize = 8 << 10;

/// Functions that are recorded when a call fails, the innermost ones.
pub const FRAMES_MAX: usize = 64;
/// Bytes that are kept of each one's name: names in a name section may be far longer. A mangled name can be read only
/// if it is complete, and those of generic Rust have some hundred bytes.
pub const FRAME_NAME_BYTES_MAX: usize = 512;

/// The default wall budget of a call, in milliseconds: far beyond what its fuel allows.
pub const WALL_MS_DEFAULT: u64 = 10_000;
