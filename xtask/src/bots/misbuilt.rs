//! Modules and other files that real toolchains make when an option is wrong or missing, and what `arena check` says of them: the cause that
//! is left to the author. Where a toolchain is large, what it made is taken from a published package.

/// A wrong build in a project of `arena new`.
pub(super) struct Misbuilt {
    pub(super) what: &'static str,
    /// Commands that leave their result in [`FILE`].
    pub(super) script: &'static str,
    /// The verdict's code.
    pub(super) code: &'static str,
    /// Words of its hint; empty where the build is not wrong after all.
    pub(super) hint: &'static str,
}

/// The file that a script leaves.
pub(super) const FILE: &str = "wrong.wasm";

/// The wrong builds in a language, by its name in `arena new --lang`.
pub(super) fn of(language: &str) -> Vec<&'static Misbuilt> {
    let all: &[&[Misbuilt]] = match language {
        "rust" => &[RUST],
        "c" => &[C],
        "zig" => &[ZIG],
        // Its compiler comes by npm, and so do these.
        "assemblyscript" => &[ASSEMBLYSCRIPT, BINARYEN, PUBLISHED],
        _ => &[FILES],
    };
    all.iter().copied().flatten().collect()
}

const RUST: &[Misbuilt] = &[
    Misbuilt {
        what: "a build for debugging",
        script: "cargo build --target wasm32-unknown-unknown; cp target/wasm32-unknown-unknown/debug/*.wasm wrong.wasm",
        code: "too_large",
        hint: "Rust wants --release",
    },
    Misbuilt {
        what: "a program",
        script: "mkdir program; echo 'fn main() {}' > program/main.rs; \
                 rustc --target wasm32-unknown-unknown -O -C strip=debuginfo program/main.rs -o wrong.wasm",
        code: "missing_export",
        hint: "cdylib",
    },
];

macro_rules! c {
    ($($compile:literal)+, $link:literal) => {
        concat!(
            "python3 -m ziglang cc --target=wasm32-freestanding -std=c11 -O2 -g0 ",
            $($compile,)+
            " && python3 -m ziglang wasm-ld --no-entry --stack-first -z stack-size=65536 ",
            $link,
            " -o wrong.wasm wrong.o"
        )
    };
}

/// A bot with one more function, which uses a feature.
macro_rules! feature {
    ($option:literal, $code:literal) => {
        concat!(
            "{ cat bot.c; echo '__attribute__((export_name(\"more\"))) ",
            $code,
            "'; } > more.c && ",
            c!("-mbulk-memory " $option " -c -o wrong.o more.c", "")
        )
    };
}

const C: &[Misbuilt] = &[
    Misbuilt {
        what: "an object file",
        script: "python3 -m ziglang cc --target=wasm32-freestanding -O2 -g0 -c -o wrong.wasm bot.c",
        code: "unknown_import",
        hint: "wasm-ld --no-entry",
    },
    Misbuilt {
        what: "bitcode",
        script: "python3 -m ziglang cc --target=wasm32-freestanding -O2 -g0 -emit-llvm -c -o wrong.wasm bot.c",
        code: "not_wasm",
        hint: "LLVM bitcode",
    },
    Misbuilt {
        what: "a function of the C library",
        script: concat!(
            "{ grep -v '^ARENA_BOT' bot.c; echo 'int puts(const char *);'; \
             echo 'static void loud(arena_observation *seen, arena_action *action) { puts(\"!\"); turn(seen, action); }'; \
             echo 'ARENA_BOT(loud)'; } > loud.c && ",
            c!("-mbulk-memory -c -o wrong.o loud.c", "--allow-undefined")
        ),
        code: "unknown_import",
        hint: "there is no C library",
    },
    Misbuilt {
        what: "a memory of somebody else",
        script: c!("-mbulk-memory -c -o wrong.o bot.c", "--import-memory"),
        code: "unknown_import",
        hint: "leave out --import-memory",
    },
    Misbuilt {
        what: "no ARENA_BOT",
        script: concat!("grep -v '^ARENA_BOT' bot.c > none.c && ", c!("-mbulk-memory -c -o wrong.o none.c", "")),
        code: "missing_export",
        hint: "ARENA_BOT(turn)",
    },
    Misbuilt {
        what: "a constructor in C++",
        script: concat!(
            "echo 'static volatile int pages = 4242; struct Book { int page; Book() : page(pages) {} } book; \
             extern \"C\" int page() { return book.page++; }' > book.cpp && \
             python3 -m ziglang c++ --target=wasm32-freestanding -O2 -g0 -fno-exceptions -fno-rtti -c -o book.o book.cpp && \
             { grep -v '^ARENA_BOT' bot.c; echo 'int page(void);'; \
             echo 'static void mine(arena_observation *seen, arena_action *action) { arena_log_number(\"page\", page()); turn(seen, action); }'; \
             echo 'ARENA_BOT(mine)'; } > reader.c && ",
            c!("-mbulk-memory -c -o wrong.o reader.c", "book.o")
        ),
        code: "command",
        hint: "`ARENA_CONSTRUCTORS`",
    },
    Misbuilt {
        what: "tail calls",
        script: feature!(
            "-mtail-call",
            "int more(int n) { extern int after(int); __attribute__((musttail)) return after(n); } \
             __attribute__((noinline)) int after(int n) { return n * n; }"
        ),
        code: "feature_not_allowed",
        hint: "-mno-tail-call",
    },
    Misbuilt {
        what: "atomics",
        script: feature!("-matomics", "int more(int *n) { return __atomic_fetch_add(n, 1, __ATOMIC_SEQ_CST); }"),
        code: "feature_not_allowed",
        hint: "-matomics",
    },
    Misbuilt {
        what: "relaxed SIMD",
        script: feature!(
            "-msimd128 -mrelaxed-simd",
            "void more(__attribute__((vector_size(16))) float *q) { *q = __builtin_wasm_relaxed_madd_f32x4(q[0], q[1], q[2]); }"
        ),
        code: "feature_not_allowed",
        hint: "plain SIMD (simd128) may stay",
    },
    Misbuilt {
        what: "an exception",
        script: feature!(
            "-mexception-handling",
            "void more(void *p) { __builtin_wasm_throw(0, p); } \
             __asm__(\".tagtype __cpp_exception i32\"); __asm__(\".globl __cpp_exception\"); __asm__(\"__cpp_exception:\");"
        ),
        code: "feature_not_allowed",
        hint: "-fno-exceptions",
    },
    Misbuilt {
        what: "an exception that is linked to nothing",
        script: concat!(
            "{ cat bot.c; echo '__attribute__((export_name(\"more\"))) void more(void *p) { __builtin_wasm_throw(0, p); }'; } > more.c && ",
            c!("-mbulk-memory -mexception-handling -c -o wrong.o more.c", "--allow-undefined")
        ),
        code: "unknown_import",
        hint: "-fno-exceptions",
    },
    Misbuilt {
        what: "pages of one byte",
        script: c!("-mbulk-memory -c -o wrong.o bot.c", "--page-size=1"),
        code: "feature_not_allowed",
        hint: "leave out --page-size",
    },
    Misbuilt {
        what: "wide arithmetic",
        script: feature!(
            "-mwide-arithmetic",
            "unsigned long long more(unsigned long long a, unsigned long long b) { return ((unsigned __int128)a * b) >> 64; }"
        ),
        code: "feature_not_allowed",
        hint: "`wide-arithmetic`",
    },
    Misbuilt {
        what: "references",
        script: feature!("-mreference-types", "__externref_t more(__externref_t one) { return one; }"),
        code: "feature_not_allowed",
        hint: "-mno-reference-types",
    },
];

macro_rules! zig {
    ($options:literal) => {
        concat!(
            "python3 -m ziglang build-exe -target wasm32-freestanding ",
            $options,
            " --stack 65536 --dep arena -Mroot=bot.zig -Marena=arena.zig -femit-bin=wrong.wasm"
        )
    };
}

const ZIG: &[Misbuilt] = &[
    Misbuilt {
        what: "a build for debugging",
        script: zig!("-O Debug -fno-entry -rdynamic"),
        code: "too_many",
        hint: "Zig -O ReleaseFast",
    },
    Misbuilt {
        what: "ReleaseSafe with its debug information",
        script: zig!("-O ReleaseSafe -fno-entry -rdynamic"),
        code: "too_many",
        hint: "Zig -O ReleaseFast",
    },
    Misbuilt { what: "ReleaseFast", script: zig!("-O ReleaseFast -fno-entry -rdynamic"), code: "accepted", hint: "" },
    Misbuilt { what: "ReleaseSmall", script: zig!("-O ReleaseSmall -fno-entry -rdynamic"), code: "accepted", hint: "" },
    Misbuilt {
        what: "no exports",
        script: zig!("-O ReleaseFast -fno-entry"),
        code: "missing_export",
        hint: "-rdynamic",
    },
    Misbuilt {
        what: "a memory of somebody else",
        script: zig!("-O ReleaseFast -fno-entry -rdynamic --import-memory"),
        code: "unknown_import",
        hint: "leave out --import-memory",
    },
    Misbuilt {
        what: "a program for WASI",
        script: "echo 'pub fn main() void {}' > program.zig; \
                 python3 -m ziglang build-exe -target wasm32-wasi -O ReleaseFast program.zig -femit-bin=wrong.wasm",
        code: "unknown_import",
        hint: "Zig -target wasm32-freestanding",
    },
];

macro_rules! assemblyscript {
    ($rest:literal) => {
        concat!("node_modules/.bin/asc --runtime stub -o wrong.wasm ", $rest)
    };
}

const ASSEMBLYSCRIPT: &[Misbuilt] = &[
    Misbuilt {
        what: "its own abort",
        script: assemblyscript!("-O3 bot.ts"),
        code: "unknown_import",
        hint: "--use abort=",
    },
    Misbuilt {
        what: "chance of the browser",
        script: concat!(
            "{ cat bot.ts; echo 'export function dice(): f64 { return Math.random(); }'; } > dice.ts && ",
            assemblyscript!("-O3 --use abort= dice.ts")
        ),
        code: "unknown_import",
        hint: "any.rng",
    },
    Misbuilt {
        what: "a memory of somebody else",
        script: assemblyscript!("-O3 --use abort= --importMemory bot.ts"),
        code: "unknown_import",
        hint: "--importMemory (AssemblyScript)",
    },
    Misbuilt {
        what: "a program",
        script: assemblyscript!("-O3 --use abort= --exportStart _start bot.ts"),
        code: "command",
        hint: "--exportStart _initialize",
    },
    Misbuilt {
        what: "an initialiser",
        script: assemblyscript!("-O3 --use abort= --exportStart _initialize bot.ts"),
        code: "accepted",
        hint: "",
    },
    Misbuilt {
        what: "a cartridge of WASM-4",
        script: concat!(
            "{ echo '@external(\"env\", \"blit\") declare function blit(sprite: usize, x: i32, y: i32, width: u32, height: u32, \
             flags: u32): void;'; echo 'export function update(): void { blit(0x19a0, 76, 76, 8, 8, 0); }'; } > cartridge.ts && ",
            assemblyscript!(
                "-O3 --use abort= --importMemory --initialMemory 1 --maximumMemory 1 --zeroFilledMemory --noExportMemory cartridge.ts"
            )
        ),
        code: "unknown_import",
        hint: "WASM-4",
    },
    Misbuilt {
        what: "a build for debugging",
        script: assemblyscript!("-O0 --debug --use abort= bot.ts"),
        code: "accepted",
        hint: "",
    },
];

macro_rules! published {
    ($package:literal, $file:literal) => {
        concat!("tar xzOf \"$(npm pack --silent ", $package, " | tail -n 1)\" package/", $file, " > wrong.wasm")
    };
}

/// A module with the exports of a bot and more, by the assembler of Binaryen, which AssemblyScript's compiler brings.
macro_rules! assembled {
    ($more:literal) => {
        concat!(
            "echo '(module (memory (export \"memory\") 1) \
               (func (export \"arena_observation\") (param i32) (result i32) (i32.const 0)) \
               (func (export \"arena_turn\") (param i32) (result i64) (i64.const 0)) ",
            $more,
            ")' > more.wat && node_modules/.bin/wasm-as --all-features -o wrong.wasm more.wat"
        )
    };
}

const BINARYEN: &[Misbuilt] = &[
    Misbuilt {
        what: "two modules merged, each with its memory",
        script: "echo 'export function one(): i32 { return load<i32>(0); }' > other.ts && \
                 node_modules/.bin/asc --runtime stub --use abort= -o other.wasm other.ts && \
                 node_modules/.bin/asc -O3 --runtime stub --use abort= -o own.wasm bot.ts && \
                 node_modules/.bin/wasm-merge --all-features --rename-export-conflicts own.wasm own other.wasm other -o wrong.wasm",
        code: "feature_not_allowed",
        hint: "wasm-merge",
    },
    Misbuilt {
        what: "exceptions",
        script: assembled!("(tag $lost) (func (export \"more\") (throw $lost))"),
        code: "feature_not_allowed",
        hint: "without exceptions",
    },
    Misbuilt {
        what: "typed references to functions",
        script: assembled!(
            "(type $turn (func)) (func (export \"more\") (param (ref null $turn)) (call_ref $turn (local.get 0)))"
        ),
        code: "feature_not_allowed",
        hint: "its own memory",
    },
    Misbuilt {
        what: "constant expressions with arithmetic",
        script: assembled!("(global (export \"more\") i32 (i32.add (i32.const 1) (i32.const 2)))"),
        code: "feature_not_allowed",
        hint: "-mno-extended-const",
    },
    Misbuilt {
        what: "stack switching",
        script: assembled!(
            "(type $turn (func)) (type $later (cont $turn)) (func $one) (elem declare func $one) \
             (func (export \"more\") (drop (cont.new $later (ref.func $one))))"
        ),
        code: "feature_not_allowed",
        hint: "no operation of a bot may wait",
    },
    Misbuilt {
        what: "a 64-bit memory",
        script: "echo '(module (memory (export \"memory\") i64 1) \
                   (func (export \"arena_observation\") (param i32) (result i32) (i32.const 0)) \
                   (func (export \"arena_turn\") (param i32) (result i64) (i64.const 0)))' > more.wat && \
                 node_modules/.bin/wasm-as --all-features -o wrong.wasm more.wat",
        code: "feature_not_allowed",
        hint: "not for wasm64",
    },
];

/// A bot in MoonBit for a target, with its turn.
macro_rules! moonbit {
    ($target:literal, $turn:literal) => {
        concat!(
            "tar xzOf \"$(npm pack --silent @moonbit/moonpad-monaco@0.1.202602255 | tail -n 1)\" package/dist/moonc-worker.js > moonc.cjs && \
             cat > moonbit.mjs << 'END'\n",
            include_str!("moonbit.mjs"),
            "END\n{ ",
            $turn,
            "; echo 'pub fn arena_observation(size : Int) -> Int { size }'; echo 'fn main { () }'; } | node moonbit.mjs ",
            $target,
            " > wrong.wasm"
        )
    };
}

const PUBLISHED: &[Misbuilt] = &[
    Misbuilt {
        what: "Go",
        script: published!("esbuild-wasm@0.28.2", "esbuild.wasm"),
        code: "unknown_import",
        hint: "TinyGo makes bots",
    },
    Misbuilt {
        what: "TinyGo for pages",
        script: published!("sh-syntax@0.7.0", "main.wasm"),
        code: "unknown_import",
        hint: "TinyGo wants -target wasm-unknown",
    },
    Misbuilt {
        what: "Emscripten for its JavaScript, with QuickJS",
        script: published!("@jitl/quickjs-wasmfile-release-sync@0.32.0", "dist/emscripten-module.wasm"),
        code: "unknown_import",
        hint: "-sSTANDALONE_WASM --no-entry",
    },
    Misbuilt {
        what: "wasm-bindgen",
        script: published!("@resvg/resvg-wasm@2.6.2", "index_bg.wasm"),
        code: "unknown_import",
        hint: "a crate wants a browser",
    },
    Misbuilt {
        what: "an adapter of components",
        script: published!("@bytecodealliance/jco@1.35.0", "lib/wasi_snapshot_preview1.reactor.wasm"),
        code: "unknown_import",
        hint: "built for WASI",
    },
    Misbuilt { what: "a component", script: COMPONENT, code: "feature_not_allowed", hint: "this is a component" },
    Misbuilt {
        what: "MoonBit",
        script: moonbit!(
            "wasm",
            "echo 'fn print_char(letter : Int) = \"spectest\" \"print_char\"'; \
             echo 'pub fn arena_turn(size : Int) -> Int64 { print_char(size); 0L }'"
        ),
        code: "unknown_import",
        hint: "MoonBit's println",
    },
    Misbuilt {
        what: "MoonBit for GC",
        script: moonbit!(
            "wasm-gc",
            "echo 'struct Seen { mut size : Int }'; echo 'let seen : Seen = { size: 0 }'; \
             echo 'pub fn arena_turn(size : Int) -> Int64 { seen.size = size; 0L }'"
        ),
        code: "feature_not_allowed",
        hint: "--target wasm",
    },
    Misbuilt {
        what: "TinyGo without the exports of a bot",
        script: published!("@wasm-fmt/gofmt@0.7.3", "gofmt.wasm"),
        code: "missing_export",
        hint: "//go:wasmexport",
    },
    Misbuilt {
        what: "a pointer of Git LFS",
        script: "printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 40304\n' 0 > wrong.wasm",
        code: "not_wasm",
        hint: "git lfs pull",
    },
    Misbuilt {
        what: "a page instead of a file",
        script: published!("swagger-ui-dist@5.29.0", "index.html"),
        code: "not_wasm",
        hint: "web page",
    },
];

/// Unpacks a package of npm where Node finds it.
macro_rules! unpacked {
    ($name:literal, $version:literal) => {
        concat!(
            "mkdir -p node_modules/",
            $name,
            " && tar xzf \"$(npm pack --silent ",
            $name,
            "@",
            $version,
            " | tail -n 1)\" -C node_modules/",
            $name,
            " --strip-components 1 && "
        )
    };
}

const COMPONENT: &str = concat!(
    "echo 'export function turn(size: i32): i32 { return size; }' > core.ts && ",
    "node_modules/.bin/asc --runtime stub -o core.wasm core.ts && ",
    unpacked!("@bytecodealliance/jco-transpile", "0.15.0"),
    unpacked!("@bytecodealliance/preview2-shim", "0.26.0"),
    "{ echo \"import { readFileSync, writeFileSync } from 'node:fs';\"; \
       echo \"import { \\$init, tools } from './node_modules/@bytecodealliance/jco-transpile/vendor/wasm-tools.js';\"; \
       echo \"await \\$init; writeFileSync('wrong.wasm', tools.componentNew(readFileSync('core.wasm'), []));\"; } > component.mjs && \
     node component.mjs"
);

/// Files that are no modules, beside a bot in WebAssembly text, which needs no compiler.
const FILES: &[Misbuilt] = &[
    Misbuilt { what: "a packed file", script: "gzip -c first-bot.wasm > wrong.wasm", code: "not_wasm", hint: "gzip" },
    Misbuilt { what: "base64", script: "base64 first-bot.wasm > wrong.wasm", code: "not_wasm", hint: "base64 -d" },
    Misbuilt { what: "its text", script: "cp bot.wat wrong.wasm", code: "not_wasm", hint: "`arena assemble`" },
    Misbuilt { what: "a script", script: "echo 'print(1)' > wrong.wasm", code: "not_wasm", hint: "scripts" },
    Misbuilt {
        what: "a program of this machine",
        script: "cp \"$(command -v sh)\" wrong.wasm",
        code: "not_wasm",
        hint: "--target",
    },
];
