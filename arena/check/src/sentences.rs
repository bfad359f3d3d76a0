//! Why bytes are not a bot, and what its author can do about it, in sentences. Each hint names the cause that is left
//! when it has been followed, and the option of the compiler that removes it.

arena_record::sentences! {
    /// All sentences about modules.
    pub SENTENCES:
    NOT_WASM = "this is not a WebAssembly file: it does not begin with \\0asm";
    NOT_VERSION_1 = "this is not WebAssembly of version 1";
    FEATURE = "a feature that bots may not use: {feature}";
    BROKEN = "broken WebAssembly: {why}";
    NOT_LINKED = "this is an object file, which is not linked yet";
    A_LIBRARY = "this is a shared library, which another module would load";
    UNKNOWN_IMPORT = "the import {name} does not exist here; a bot may import arena::log (i32, i32) and \
        arena::fuel () -> i64, nothing else";
    IMPORT_TYPE = "the import {name} has another type; a bot may import arena::log (i32, i32) and \
        arena::fuel () -> i64, nothing else";
    IMPORT_KIND = "the import {name} is a function; a bot may import arena::log (i32, i32) and \
        arena::fuel () -> i64, nothing else";
    HAS_START = "it exports `_start`: it is a program that runs once, and a bot is called in each turn";
    HAS_CONSTRUCTORS = "it exports `__wasm_call_ctors`, which nobody calls: its constructors would not run";
    IS_WRAPPED = "its exports all begin alike, as a linker wraps them to run constructors in each call: what it sets \
        does not last from turn to turn";
    EXPORT_MISSING = "the export `{name}` is missing";
    OTHER_MEMORY = "the export `memory` is missing; there is a memory named `{name}`";
    EXPORT_TYPE = "the export `{name}` has another type: it must be (i32) -> {result}";
    EXPORT_KIND = "the export `{name}` is no function: it must be (i32) -> {result}";
    INITIALISER_TYPE = "the export `{name}` is not a function () -> ()";
    FILE_TOO_LARGE = "the file has {bytes} bytes; {most} are allowed";
    TABLE_TOO_LARGE = "a table of {elements} elements; {most} are allowed";
    MEMORY_TOO_LARGE = "a memory of {bytes} bytes at the start; {most} are allowed";
    TOO_MANY_TYPES = "{count} types; {most} are allowed";
    TOO_MANY_IMPORTS = "{count} imports; {most} are allowed";
    TOO_MANY_FUNCTIONS = "{count} functions; {most} are allowed";
    TOO_MANY_TABLES = "{count} tables; {most} are allowed";
    TOO_MANY_GLOBALS = "{count} globals; {most} are allowed";
    TOO_MANY_ELEMENT_SEGMENTS = "{count} element segments; {most} are allowed";
    TOO_MANY_DATA_SEGMENTS = "{count} data segments; {most} are allowed";
    TOO_MANY_EXPORTS = "{count} exports; {most} are allowed";
    TOO_MANY_CUSTOM_SECTIONS = "{count} custom sections; {most} are allowed";
    CUSTOM_BYTES = "more than {most} bytes of custom sections";
    FUNCTION_TYPE = "a function type with {counted_parameters} and {counted_results}; {parameters_max} and \
        {results_max} are allowed";
    BODY_BYTES = "a function of {bytes} bytes; {most} are allowed";
    LOCALS = "{counted_locals} in a function, {all} up to here, a vector counting twice; {most} and {most_in_all} are \
        allowed";
    NESTING = "blocks nested more than {most} deep";
    BRANCH_TARGETS = "more than {most} targets of branch tables";
    OPERANDS = "more than {most} operands on the stack";
    BLOCK_VALUES = "a block with {values} parameters and results; {most} are allowed";
    CARRIED = "more than {most} values carried by blocks, branches and calls";
    COMPILE_WEIGHT = "code that weighs more than {most} in a function, or {most_in_all} in all";
    DOES_NOT_COMPILE = "the module does not compile: {why}";
    COMPILE_SECONDS = "the module took more than {seconds} s of processor time to compile";
    COMPILE_MEMORY = "the module took more than {mebibytes} MiB of memory to compile";
    ENDS_COMPILER = "the module ends the compiler ({how})";
    DIES = "the process or the engine that it runs in fails each time it plays a sample game";

    COMPONENT = "this is a component: give the core module that it is made from, without WASI and its adapter (cargo \
        build --target wasm32-unknown-unknown, not cargo component or componentize)";
    OTHER_VERSION = "build for plain wasm32, WebAssembly of version 1";
    OBJECT = "link it: clang without -c, or wasm-ld --no-entry; `arena new` has projects that do";
    SHARED_LIBRARY = "link it as a program of its own: without -shared and -fPIC, in Emscripten without SIDE_MODULE \
        and MAIN_MODULE";
    GO = "Go's runtime needs WASI or JavaScript, and more than 1 MiB, which no option changes: TinyGo makes bots, \
        with -target wasm-unknown";
    BINDGEN = "a crate wants a browser (js-sys, web-sys, rand's wasm_js): leave it out, and draw with `seen.rng()`";
    EMSCRIPTEN = "built by Emscripten for its JavaScript: -sSTANDALONE_WASM --no-entry leaves that out, and printing \
        and exceptions must go, too; the C project of `arena new` needs no Emscripten";
    WASI = "built for WASI, which is not here: Rust wants --target wasm32-unknown-unknown, clang --target=wasm32 \
        -nostdlib, Zig -target wasm32-freestanding, Emscripten no printing and no files; interpreters with WASI \
        inside cannot play";
    HOST_IN_TINYGO = "built for WASI or for a web page, which are not here: TinyGo wants -target wasm-unknown";
    WASM4 = "built for WASM-4, which is another console: keep your own code, and start from `arena new`";
    MOONBIT = "MoonBit's println asks for a host that is not here: leave it out, and declare `arena.log` if you need \
        it";
    BULK_MEMORY = "build with -mbulk-memory, which copies without a library";
    IMPORTED_MEMORY = "the memory must be the module's own, exported as `memory`: leave out --import-memory (clang, \
        wasm-ld, Zig) or --importMemory (AssemblyScript)";
    IMPORTED_TABLE = "the table must be the module's own: leave out --import-table (wasm-ld) or --importTable \
        (AssemblyScript), and link the module completely";
    IMPORTED_GLOBAL = "this is set by a loader that is not here: link the module completely, not as \
        position-independent code";
    UNDEFINED_FUNCTION = "a function of this name is declared but not defined: there is no C library, and only \
        arena.log and arena.fuel are imported";
    FORGOTTEN_IN_RUST = "did you forget `arena_sdk::bot!(Mine);`, at the end of src/lib.rs? Its crate-type must have \
        \"cdylib\"";
    FORGOTTEN_IN_C = "did you forget `ARENA_BOT(turn)`, at the end of the file?";
    FORGOTTEN_IN_TINYGO = "export the two functions with `//go:wasmexport arena_observation` and `//go:wasmexport \
        arena_turn`; ABI.md of every project has the contract";
    FORGOTTEN = "did you forget what exports the bot? Rust: `arena_sdk::bot!(Mine);`; C: `ARENA_BOT(turn)`; Zig: \
        `comptime { arena.bot(turn); }` and -rdynamic; AssemblyScript: `export { arena_observation, arena_turn } from \
        \"./arena\";`; ABI.md of every project has the contract";
    NO_MEMORY = "export the memory as `memory`: clang, wasm-ld and Zig do so unless it is imported; WebAssembly text: \
        (memory (export \"memory\") 1)";
    WRONG_TYPE = "addresses and lengths are 32 bits wide, the answer of arena_turn is 64; ABI.md of every project has \
        the contract";
    WRONG_INITIALISER = "it is called once, before the contract's functions: give it no parameters and no results, or \
        another name";
    CONSTRUCTORS = "export `_initialize`, which the arena calls once, and call the constructors there: in C and C++ \
        write `ARENA_CONSTRUCTORS` after `ARENA_BOT(turn)`; with a WASI SDK or zig cc -mexec-model=reactor \
        -Wl,-z,stack-size=65536, with Emscripten -sSTANDALONE_WASM --no-entry; a set-up of your own asks first whether \
        it has run";
    CONSTRUCTORS_IN_RUST = "call `__wasm_call_ctors` once, in an `_initialize` of your own, which the arena calls first: \
        #[unsafe(no_mangle)] extern \"C\" fn _initialize(), with unsafe extern \"C\" { fn __wasm_call_ctors(); }; or \
        leave out what has a link_section of .init_array";
    START = "build a library: Zig with -fno-entry, clang with -Wl,--no-entry, AssemblyScript with --exportStart \
        _initialize; what must run once, before the first call, is exported as `_initialize`";
    START_IN_RUST = "build a library: src/lib.rs with crate-type \"cdylib\", not src/main.rs";
    START_IN_C = "build with -nostdlib -Wl,--no-entry, or with a WASI SDK or zig cc with -mexec-model=reactor \
        -Wl,-z,stack-size=65536; what must run once, before the first call, is exported as `_initialize`";
    START_IN_TINYGO = "build with -target wasm-unknown, or with -buildmode=c-shared";
    DEBUG_BUILD = "this is a build with debug information: Rust wants --release, Zig -O ReleaseFast, C -O2 -g0, \
        AssemblyScript -O3";
    EXCEPTIONS = "build without exceptions: C++ with -fno-exceptions, Rust with panic = \"abort\"";
    LARGE = "optimise for size, leave unused code and large tables out, and strip names: code beyond 1 MiB compiles \
        too slowly";
    NATIVE = "this was built for a computer, not for WebAssembly: with cargo add --target wasm32-unknown-unknown, \
        with clang --target=wasm32, and give the .wasm file";
    BITCODE = "this is LLVM bitcode (.bc): compile and link it, with clang --target=wasm32 -nostdlib -Wl,--no-entry";
    SOURCE = "this is a program's source: give the .wasm file that its build produces, or a script in JavaScript or \
        Python by a name that ends in .js or .py (in the API, as text/javascript or text/x-python)";
    PAGE = "this is a web page, perhaps of an error: download the file itself";
    OBJECT_LIBRARY = "this is a library of object files: link it to a module, with clang --target=wasm32 or with cargo";
    GZIP = "this is compressed (gzip): unpack it";
    BZIP2 = "this is compressed (bzip2): unpack it";
    ZSTD = "this is compressed (zstd): unpack it";
    ZIP = "this is a .zip archive: give the .wasm file in it";
    GIT_LFS = "this is a pointer of Git LFS, not the file: `git lfs pull` fetches it";
    BASE64 = "this is base64: decode it (`base64 -d`)";
    DATA_URI = "this is a data: URI: decode what follows the comma as base64";
    HEX = "this is hexadecimal text: turn it into bytes (`xxd -r -p`, or `xxd -r` where lines have numbers)";
    JAVA = "this is a class of Java, whose machine is not here: AssemblyScript is the nearest language";
    DOCUMENT = "this is a document: give the .wasm file that the build produces, or a script as plain text (.js, .py)";
    JSON = "this is JSON: give the .wasm file that the build produces";
    EMPTY = "the file is empty: build it again";
    WASM_TEXT = "this is WebAssembly text, it seems: `arena assemble` makes the module, which is what to check";
    EXPORTS_ALL = "export the contract's three alone: leave out --export-all (wasm-ld), -rdynamic exports what Zig \
        exports";
    IMPORT_ONCE = "import arena.log and arena.fuel once each";
    STRIP = "strip debug information: -g0, or `wasm-strip`";
    MORE_THAN_ANY = "leave unused code out; this is more than any compiler makes of a bot";
    MERGE_DATA = "put the data together: linkers do, with --merge-data-segments";
    LEAVE_OUT = "leave unused code out: link-time optimisation and one codegen unit help";
    NO_THREADS = "build without threads: leave out -pthread and -matomics, in Rust the target feature `atomics`, and in \
        AssemblyScript --enable threads and --sharedMemory";
    NO_TAIL_CALLS = "build without tail calls: clang -mno-tail-call, Rust without the target feature `tail-call`";
    NO_RELAXED_SIMD = "build without relaxed SIMD, whose results differ between machines; plain SIMD (simd128) may \
        stay";
    NO_REFERENCES = "build without reference types: clang -mno-reference-types, Rust without wasm-bindgen, \
        AssemblyScript without externref; only funcref may stay";
    NO_GC = "compilers to WebAssembly GC make no bots: use a language with its own memory, in MoonBit --target wasm";
    NO_FUNCTION_REFERENCES = "compilers to WebAssembly GC make no bots: use a language with its own memory";
    NO_MEMORY64 = "build for wasm32, not for wasm64";
    ONE_MEMORY = "build with one memory, and do not merge modules (wasm-merge)";
    NO_PAGE_SIZE = "leave out --page-size: a page has 64 KiB";
    NO_EXTENDED_CONST = "build without extended-const: clang -mno-extended-const, Rust -C \
        target-feature=-extended-const, and not as position-independent code";
    NO_WIDE_ARITHMETIC = "build without wide arithmetic: clang -mno-wide-arithmetic, Rust and Zig without the target \
        feature `wide-arithmetic`";
    NO_STACK_SWITCHING = "build without stack switching: no operation of a bot may wait";
    ALLOWED_FEATURES = "build for plain wasm32: ABI.md has the features that bots may use";
    NO_SEED = "Math.random asks for a seed, and there is none: use `any.rng`";
    NO_CLOCK = "there is no clock: count boards";
    NO_ABORT = "build with `--use abort=`, as the project's package.json does";
    NO_EXIT = "a bot cannot exit: return from the turn";
    NO_CONSOLE = "there is no console: use `log` of ./arena";
    FOR_NOT_WASM = "give the .wasm file that the build produces, not its source or an archive";
    FOR_TOO_LARGE = "build in release mode, optimise for size and strip names and debug information";
    FOR_INVALID_MODULE = "the file is damaged or cut short; build it again";
    FOR_FEATURE_NOT_ALLOWED = "build for plain wasm32 without threads, exceptions, GC or 64-bit memory";
    FOR_UNKNOWN_IMPORT = "build for wasm32-unknown-unknown (no WASI, no JavaScript); the only imports \
        are arena.log(i32, i32) and arena.fuel() -> i64";
    FOR_MISSING_EXPORT = "export `memory`, `arena_observation` (i32) -> i32 and `arena_turn` (i32) -> i64; ABI.md of \
        every project has the contract";
    FOR_COMMAND = "build a library: what must run once, before the first call, is exported as `_initialize`";
    FOR_MEMORY_TOO_LARGE = "lower the initial memory: the stack with -Wl,-z,stack-size=65536 (clang, zig cc) or --stack \
        65536 (Zig), --initialMemory and --memoryBase (AssemblyScript), and large arrays";
    FOR_TABLE_TOO_LARGE = "lower the table's minimum";
    FOR_TOO_COMPLEX = "split the function, or compile it with less inlining";
    FOR_COMPILE_BUDGET = "split large functions and leave unused code out";
    FOR_COMPILE_FAILED = "please report this module: it passed every check";
    FOR_ENGINE_CRASH = "please report this module: no bot should be able to do that (SECURITY.md)";
    EXPORT_MEMORY = "export the memory as `memory`";
}
