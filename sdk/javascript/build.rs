//! Compiles QuickJS from the sources in the crate `rquickjs-sys`, for WebAssembly.

use std::path::PathBuf;
use std::process::Command;

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
    build.flag("-isystem").flag(sources.join("vendor/wasi-libc/include")).include(&quickjs);
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
