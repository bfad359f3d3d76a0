//! The sandbox's fixed limits. Tournaments can change only those in [`arena_record::Budgets`].

use arena_limits::limits;

limits! { pub LIMITS:
    pub FUNCTIONS_MAX: u32 = 4_000, "functions", "of a module", "each costs compile time, even an empty one";
    pub TYPES_MAX: u32 = 1_000, "types", "of a module", "bounds the check itself";
    pub GLOBALS_MAX: u32 = 1_000, "globals", "of a module", "each is initialised for every game";
    pub EXPORTS_MAX: u32 = 64, "exports", "of a module", "a bot needs three";
    pub IMPORTS_MAX: u32 = 16, "imports", "of a module", "there are two to import";
    pub TABLES_MAX: u32 = 2, "tables", "of a module", "they are memory that memory_bytes does not count";
    pub TABLE_ELEMENTS_MAX: u64 = 10_000, "table_elements", "of a table",
        "they are memory that memory_bytes does not count";
    pub SEGMENTS_MAX: u32 = 1_000, "segments", "of a module, each kind", "each is applied for every game";
    pub BODY_BYTES_MAX: u64 = 128 << 10, "function_body_bytes", "bytes", "compile time grows faster than it";
    pub LOCALS_MAX: u64 = 1_000, "locals", "of a function", "each call clears them all; a vector counts twice";
    pub PARAMS_MAX: usize = 100, "params", "of a function", "each call is checked parameter by parameter";
    pub LOCALS_TOTAL_MAX: u64 = 200_000, "locals_total", "of a module", "bounds the time to compile";
    pub NESTING_MAX: usize = 320, "nesting", "blocks", "bounds the time to compile";
    pub BRANCH_TARGETS_MAX: u64 = 20_000, "branch_targets", "of a module", "bounds the time to compile";
    pub OPERANDS_MAX: u32 = 1_000, "operands", "of a function at once", "bounds the time to compile";
    /// Parameters and results of a block, and results of a function: compiled code moves them one by one, and no fuel
    /// pays for that.
    pub CARRIED_MAX: usize = 16, "carried", "of a block, of a call", "each is copied, and copying costs no fuel";
    /// The same, summed over all blocks, branches and calls of a module: the register allocator's work grows with this,
    /// too.
    pub CARRIED_TOTAL_MAX: u64 = 50_000, "carried_total", "of a module", "bounds the time to compile";
    /// Weight of a function, by its time of compiling (`check/bodies.rs`): the compiler's time grows faster than the
    /// sum. The heaviest one that we found in compilers' output, the loop of QuickJS, weighs five sixths of this.
    pub COMPILE_WEIGHT_MAX: u64 = 700_000, "compile_weight", "of a function", "bounds the time to compile";
    /// The same, summed over the module: more than the weight of 1 MiB of usual compilers' output, which is 2 to 4
    /// million.
    pub COMPILE_WEIGHT_TOTAL_MAX: u64 = 4_500_000, "compile_weight_total", "of a module", "bounds the time to compile";
    pub COMPILE_WEIGHT_OF_FUNCTION: u64 = 60, "compile_weight_of_function", "of a function besides its operators",
        "even an empty one is compiled";
    pub COMPILE_WEIGHT_OF_ALIVE: u64 = 2, "compile_weight_of_alive", "of a local or a waiting operand at each branch",
        "what the register allocator's work grows with";
    pub COMPILE_ALIVE_DIVISOR: u64 = 16,
        "compile_alive_divisor", "locals and waiting operands that weigh 1 at each call",
        "they are kept in memory meanwhile";
    /// Values are merged where paths meet: locals that are set in a block, for each branch to its label and its end.
    /// They weigh their number in the function, and the square of it by this: the register allocator's work grows with
    /// the square.
    pub COMPILE_MERGED_DIVISOR: u64 = 1_000,
        "compile_merged_divisor", "for the square of the values that are merged in a function",
        "what the register allocator's work grows with the square of";
    /// A local that is merged often is one value after the other to the compiler, each made from the one before where
    /// an operator overwrites its operand: the squares of how often each is merged weigh their sum by this.
    pub COMPILE_MERGED_OFTEN_DIVISOR: u64 = 300,
        "compile_merged_often_divisor", "for the squares of how often each local of a function is merged, summed",
        "what the register allocator's work grows with the square of, for a local that is changed in place";
    pub CUSTOM_SECTIONS_MAX: u32 = 64, "custom_sections", "of a module", "names and producers do nothing in a game";
    pub CUSTOM_BYTES_MAX: u64 = 64 << 10, "custom_bytes", "bytes", "the same; their names count";
    pub STACK_UNITS_MAX: u32 = arena_meter::STACK_UNITS_MAX, "stack_units", "units of a call and all within it",
        "a deeper recursion is a forfeit";
    pub ACTION_BYTES_MAX: u32 = 4 << 10, "action_bytes", "bytes", "the host copies no more of an answer";
    pub LOG_CALL_FUEL: u64 = arena_meter::LOG_CALL_FUEL, "log_call_fuel", "fuel a line", "the price covers the host's cost";
    pub LOG_BYTE_FUEL: u64 = arena_meter::LOG_BYTE_FUEL, "log_byte_fuel", "fuel a byte", "the price covers the host's cost";
    pub FUEL_CALL_FUEL: u64 = arena_meter::FUEL_CALL_FUEL, "fuel_call_fuel", "fuel a question", "what answering it costs";
    pub LOG_LINES_MAX: usize = 64, "log_lines", "lines a game", "what a person reads";
    pub LOG_BYTES_MAX: usize = 8 << 10, "log_bytes", "bytes a game", "what a person reads";
    pub FRAMES_MAX: usize = 64, "frames", "functions of a failed call", "what a person reads; the innermost";
    /// Bytes that are kept of each one's name: names in a name section may be far longer. A mangled name can be read
    /// only if it is complete, and those of generic Rust have some hundred bytes.
    pub FRAME_NAME_BYTES_MAX: usize = 512, "frame_name_bytes", "bytes of a function's name", "a mangled one, whole";
    pub WALL_MS_DEFAULT: u64 = 10_000, "wall_ms_per_call", "milliseconds",
        "protects the machine only: a call that takes longer is never scored, its game is played again";
}
