//! The table of the languages in which a bot can be started.
//!
//! A new language needs a variant, a row, a folder `sdk/templates/NAME` and its layer over the contract.

use clap::ValueEnum;

/// A language by its name on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[value(rename_all = "lower")]
pub(crate) enum Language {
    Rust,
    C,
    Zig,
    AssemblyScript,
    /// WebAssembly text.
    Wat,
    JavaScript,
    /// JavaScript whose types TypeScript checks.
    TypeScript,
    Python,
}

/// A language's row. Its texts have blanks, `{{word}}`, like the templates.
pub(super) struct Row {
    pub(super) title: &'static str,
    /// The file for the author's code.
    pub(super) source: &'static str,
    /// The function or type in the source that plays a game.
    pub(super) function: &'static str,
    /// The command that builds the module; `None` for a script.
    pub(super) build: Option<&'static str>,
    /// The file of the module after it, or of the script.
    pub(super) module: &'static str,
    /// Requirements before the first command.
    pub(super) needs: &'static str,
    /// The layer over the contract, as a line of the README.
    pub(super) layer: &'static str,
    /// Files and folders of the SDK that are copied, and their destinations.
    pub(super) along: &'static [(&'static str, &'static str)],
}

impl Language {
    /// Its name in `--lang`.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The command that builds a new bot, if it is built.
    pub(crate) const fn build(self) -> Option<&'static str> {
        self.row().build
    }

    pub(super) const fn row(self) -> &'static Row {
        match self {
            Language::Rust => &RUST,
            Language::C => &C,
            Language::Zig => &ZIG,
            Language::AssemblyScript => &ASSEMBLY_SCRIPT,
            Language::Wat => &WAT,
            Language::JavaScript => &JAVA_SCRIPT,
            Language::TypeScript => &TYPE_SCRIPT,
            Language::Python => &PYTHON,
        }
    }
}

const RUST: Row = Row {
    title: "Rust",
    source: "src/lib.rs",
    function: "impl Bot<{{rules}}::Position>",
    build: Some("cargo build --release --target wasm32-unknown-unknown"),
    module: "target/wasm32-unknown-unknown/release/{{library}}.wasm",
    needs: "You need Rust 1.95 or newer and, once, `rustup target add wasm32-unknown-unknown`.",
    layer: "`arena-sdk/`: the SDK, with the referee's own rules. `cargo doc --open --package arena-sdk` shows it.\n\
            - `cargo test` plays the bot against positions of recorded games, `cargo bench` measures a turn: `tests/`, `benches/`.",
    along: &[("rules", "arena-sdk/rules"), ("wire", "arena-sdk/wire"), ("rust", "arena-sdk/rust")],
};

const C: Row = Row {
    title: "C",
    source: "bot.c",
    function: "{{rules}}",
    build: Some("sh build.sh"),
    module: "{{name}}.wasm",
    needs: "You need clang and wasm-ld (Debian: `apt-get install clang lld`), or Python 3 with pip: then `build.sh` fetches a \
            compiler of 100 MB into this folder.",
    layer: "`arena.h`: observations, actions, the log, random numbers, and a board to think on.",
    along: &[("c", "")],
};

const ZIG: Row = Row {
    title: "Zig",
    source: "bot.zig",
    function: "{{camel}}",
    build: Some("sh build.sh"),
    module: "{{name}}.wasm",
    needs: "You need Python 3 with pip: `build.sh` fetches Zig, 100 MB, into this folder.",
    layer: "`arena.zig`: observations, actions, the log, random numbers, and a board to think on.",
    along: &[("zig", "")],
};

const ASSEMBLY_SCRIPT: Row = Row {
    title: "AssemblyScript",
    source: "bot.ts",
    function: "{{camel}}",
    build: Some("npm install && npm run build"),
    module: "{{name}}.wasm",
    needs: "You need Node.js 20 or newer with npm.",
    layer: "`arena.ts`: observations, actions, the log, random numbers, and a board to think on.",
    along: &[("assemblyscript", "")],
};

const WAT: Row = Row {
    title: "WebAssembly text",
    source: "bot.wat",
    function: "${{rules}}",
    build: Some("arena assemble arena.wat bot.wat --output {{name}}.wasm"),
    module: "{{name}}.wasm",
    needs: "You need nothing else.",
    layer: "`arena.wat`: observations, actions, the log, random numbers, and a board to think on.",
    along: &[("wat", "")],
};

const JAVA_SCRIPT: Row = Row {
    title: "JavaScript",
    source: "bot.js",
    function: "{{camel}}",
    build: None,
    module: "bot.js",
    needs: "You need nothing else.",
    layer: "`API.md`: what a bot sees, all functions, and what JavaScript has here; `bot.d.ts`: the same for editors.\n\
            - `arena bundle bot.js && node --test` asks the bot in positions of a recorded game, in Node.js 20 or newer.",
    along: &[
        ("javascript/bot.d.ts", "bot.d.ts"),
        ("javascript/README.md", "API.md"),
        ("templates/rust-games/{{folder}}/tests/recorded.txt", "recorded.txt"),
    ],
};

const TYPE_SCRIPT: Row = Row {
    title: "TypeScript",
    needs: "You need nothing else, and for `npm run check` Node.js 20 or newer with npm.",
    layer: "`npm install && npm run check` has TypeScript check the script, whose types are in comments.\n\
            - `API.md`: what a bot sees, all functions, and what JavaScript has here; `bot.d.ts`: the same for TypeScript.\n\
            - `arena bundle bot.js && node --test` asks the bot in positions of a recorded game, in Node.js 20 or newer.",
    along: &[
        ("templates/javascript/bot.test.mjs", "bot.test.mjs"),
        ("javascript/bot.d.ts", "bot.d.ts"),
        ("javascript/README.md", "API.md"),
        ("templates/rust-games/{{folder}}/tests/recorded.txt", "recorded.txt"),
    ],
    ..JAVA_SCRIPT
};

const PYTHON: Row = Row {
    title: "Python",
    source: "bot.py",
    function: "{{rules}}",
    build: None,
    module: "bot.py",
    needs: "You need nothing else.",
    layer: "`API.md`: what a bot sees, all functions, and what Python (MicroPython) has here; `arena.pyi`: the same for editors.\n\
            - `python3 test_bot.py` asks the bot in positions of a recorded game of Conway's Conquerors, in plain Python, by `arena.py`.",
    along: &[
        ("python/arena.pyi", "arena.pyi"),
        ("python/plain/arena.py", "arena.py"),
        ("python/README.md", "API.md"),
        ("templates/rust-games/{{folder}}/tests/recorded.txt", "recorded.txt"),
    ],
};
