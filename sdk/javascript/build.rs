//! Compiles QuickJS from the sources in the crate `rquickjs-sys`, for WebAssembly.

use std::path::PathBuf;
use std::process::Command;

/// Changes of QuickJS, so that each error has a line of its own: out of fuel above all, in a loop of plain arithmetic. It notes the
/// places of calls and properties only: now those of statements, too. And it would be asked to stop after it has jumped, when the
/// place is lost: now before.
const CHANGES: [(&str, &str); 4] = [
    ("switch(tok = s->token.val) {", "emit_source_loc(s);\n    switch(tok = s->token.val) {"),
    (
        "pc += (int32_t)get_u32(pc);\n            if (unlikely(js_poll_interrupts(ctx)))\n                goto exception;",
        "if (unlikely(js_poll_interrupts(ctx)))\n                goto exception;\n            pc += (int32_t)get_u32(pc);",
    ),
    (
        "pc += (int16_t)get_u16(pc);\n            if (unlikely(js_poll_interrupts(ctx)))\n                goto exception;",
        "if (unlikely(js_poll_interrupts(ctx)))\n                goto exception;\n            pc += (int16_t)get_u16(pc);",
    ),
    (
        "pc += (int8_t)pc[0];\n            if (unlikely(js_poll_interrupts(ctx)))\n                goto exception;",
        "if (unlikely(js_poll_interrupts(ctx)))\n                goto exception;\n            pc += (int8_t)pc[0];",
    ),
];

fn main() {
    println!("cargo:rerun-if-changed=src/engine.c");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family != "wasm") {
        return;
    }
    let sources = sources();
    let quickjs = sources.join("quickjs");
    let mut build = cc::Build::new();
    build.compiler("clang").warnings(false).opt_level_str("z").debug(false);
    build.define("NDEBUG", None).define("_GNU_SOURCE", None).define("QUICKJS_NG_BUILD", None);
    // The target is no Emscripten, but that is what has no threads, processes and modes of rounding.
    build.define("EMSCRIPTEN", "1").define("FE_DOWNWARD", "0").define("FE_UPWARD", "0");
    for flag in ["-mbulk-memory", "-msign-ext", "-mnontrapping-fptoint", "-fno-strict-aliasing", "-w"] {
        build.flag(flag);
    }
    let changed = PathBuf::from(std::env::var_os("OUT_DIR").expect("Cargo says where to write")).join("changed");
    std::fs::create_dir_all(&changed).expect("the folder can be made");
    let mut engine = std::fs::read_to_string(quickjs.join("quickjs.c")).expect("QuickJS is there");
    for (from, to) in CHANGES {
        assert_eq!(engine.matches(from).count(), 1, "QuickJS has another {from}");
        engine = engine.replace(from, to);
    }
    std::fs::write(changed.join("quickjs.c"), engine).expect("the file can be written");
    build.flag("-isystem").flag(sources.join("vendor/wasi-libc/include")).include(&changed).include(&quickjs);
    build.file("src/engine.c").file(sources.join("wasm-shim/shim.c"));
    build.files(["libregexp.c", "libunicode.c", "dtoa.c"].map(|name| quickjs.join(name)));
    // Objects need no program that makes archives. Theirs come before what the libc has of the same names.
    for object in build.compile_intermediates() {
        println!("cargo:rustc-link-arg-cdylib={}", object.display());
    }
    println!("cargo:rustc-link-arg-cdylib={}", sources.join("vendor/wasi-libc/lib/libc.a").display());
}

/// The folder of the crate, which Cargo has fetched but not compiled.
fn sources() -> PathBuf {
    let cargo = std::env::var_os("CARGO").expect("Cargo says where it is");
    let output = Command::new(cargo).args(["metadata", "--format-version", "1", "--offline"]).output();
    let metadata = String::from_utf8(output.expect("Cargo runs").stdout).expect("Cargo writes JSON");
    let (before, _) = metadata
        .split_once("/Cargo.toml\",\"metadata\":null,\"publish\":null,\"authors\":[\"Mees Delzenne")
        .expect("rquickjs-sys is fetched");
    let (_, folder) = before.rsplit_once("\"manifest_path\":\"").expect("a package has a manifest");
    PathBuf::from(folder)
}
