//! Compiles MicroPython for WebAssembly, from the folder of its sources in `ARENA_MICROPYTHON`.

#[path = "../scripts/libc.rs"]
mod libc;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libc::crate_folder;

/// What is changed in MicroPython, and why.
const CHANGES: &str = "micropython.patch";
/// What is compiled, besides all of `py`.
const EXTRAS: [&str; 3] = ["modheapq", "modre", "modjson"];
/// The makefiles write the date of the day here.
const VERSION: &str =
    "#define MICROPY_GIT_TAG \"v1.25.0\"\n#define MICROPY_GIT_HASH \"\"\n#define MICROPY_BUILD_DATE \"2025-04-15\"\n";

fn main() {
    println!("cargo:rerun-if-changed=src/c");
    println!("cargo:rerun-if-changed={CHANGES}");
    println!("cargo:rerun-if-env-changed=ARENA_MICROPYTHON");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family != "wasm") {
        return;
    }
    let released = PathBuf::from(std::env::var_os("ARENA_MICROPYTHON").expect("cargo xtask interpreters says where"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("Cargo says where to write"));
    let sources = out.join("micropython");
    let _ = fs::remove_dir_all(&sources);
    for folder in ["py", "extmod", "lib/re1.5", "shared/readline"] {
        copy(&released.join(folder), &sources.join(folder));
    }
    let mut patch = Command::new("patch");
    patch.args(["--strip=1", "--fuzz=0", "--batch", "--silent"]).current_dir(&sources);
    patch.stdin(fs::File::open(CHANGES).expect("it is beside this"));
    assert!(patch.status().expect("patch runs").success(), "MicroPython is not what {CHANGES} changes");
    let files = files(&sources);
    let build = build(&sources);
    headers(&sources, &build, &files);
    for object in lowered(build).files(files).file("src/c/tag.s").compile_intermediates() {
        println!("cargo:rustc-link-arg-cdylib={}", object.display());
    }
    println!("cargo:rustc-link-arg-cdylib={}", crate_folder().join("vendor/wasi-libc/lib/libc.a").display());
}

/// Copies the files of a folder, but for folders in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder can be made");
    for entry in fs::read_dir(from).expect("MicroPython has the folder").map(|entry| entry.expect("it can be read")) {
        if entry.path().is_file() {
            fs::write(to.join(entry.file_name()), fs::read(entry.path()).expect("it can be read"))
                .expect("it can be written");
        }
    }
}

/// The C files, always in the same order.
fn files(sources: &Path) -> Vec<PathBuf> {
    let of = |folder: PathBuf| {
        let entries = fs::read_dir(folder).expect("the folder is there");
        entries
            .map(|entry| entry.expect("it can be read").path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "c"))
    };
    let mut files: Vec<PathBuf> = of(sources.join("py")).collect();
    // In place of these are files of ours.
    files.retain(|file| !file.ends_with("map.c") && !file.ends_with("formatfloat.c"));
    files.extend(EXTRAS.map(|name| sources.join("extmod").join(name).with_extension("c")));
    files.extend(of(PathBuf::from("src/c")));
    files.sort();
    files
}

fn build(sources: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build.compiler("clang").warnings(false).opt_level_str("s").debug(false).std("gnu99").define("NDEBUG", None);
    for flag in ["-mbulk-memory", "-msign-ext", "-mnontrapping-fptoint", "-fno-strict-aliasing", "-w"] {
        build.flag(flag);
    }
    build.flag("-isystem").flag(crate_folder().join("vendor/wasi-libc/include"));
    build.include("src/c").include(sources).include(sources.join("generated"));
    build
}

/// With jumps as exceptions of WebAssembly.
fn lowered(mut build: cc::Build) -> cc::Build {
    build.flag("-fwasm-exceptions").flag("-mllvm").flag("-wasm-enable-sjlj");
    build
}

/// Makes the headers with all names, modules and root pointers, by MicroPython's own scripts.
fn headers(sources: &Path, build: &cc::Build, files: &[PathBuf]) {
    let to = sources.join("generated/genhdr");
    fs::create_dir_all(&to).expect("the folder can be made");
    fs::write(to.join("mpversion.h"), VERSION).expect("it can be written");
    let preprocess = |command: &mut Command, input: &str| {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("clang runs");
        child.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("clang reads");
        String::from_utf8(child.wait_with_output().expect("clang ends").stdout).expect("C is text")
    };
    let compiler = build.get_compiler();
    let all = preprocess(compiler.to_command().args(["-DNO_QSTR", "-E"]).args(files), "");
    fs::write(to.join("all.i"), all).expect("it can be written");
    let python = |script: &str, arguments: &[&Path]| {
        let output = Command::new("python3").arg(sources.join("py").join(script)).args(arguments).output();
        let output = output.expect("python3 runs");
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let path = Path::new;
    for kind in ["qstr", "module", "root_pointer"] {
        let (parts, collected) = (to.join(kind), to.join(format!("{kind}.collected")));
        python("makeqstrdefs.py", &[path("split"), path(kind), &to.join("all.i"), &parts, path("_")]);
        python("makeqstrdefs.py", &[path("cat"), path(kind), path("_"), &parts, &collected]);
    }
    let read = |path: PathBuf| fs::read_to_string(path).expect("it can be read");
    let names = read(sources.join("py/qstrdefs.h")) + &read(to.join("qstr.collected"));
    let quoted =
        names.lines().map(|line| if line.starts_with("Q(") { format!("\"{line}\"\n") } else { format!("{line}\n") });
    let names = preprocess(compiler.to_command().args(["-E", "-"]), &quoted.collect::<String>());
    let bare = names.lines().map(|line| {
        line.strip_prefix("\"Q(")
            .and_then(|rest| rest.strip_suffix(")\""))
            .map_or(format!("{line}\n"), |name| format!("Q({name})\n"))
    });
    fs::write(to.join("names.h"), bare.collect::<String>()).expect("it can be written");
    for (script, from, header) in [
        ("makeqstrdata.py", "names.h", "qstrdefs.generated.h"),
        ("makemoduledefs.py", "module.collected", "moduledefs.h"),
        ("make_root_pointers.py", "root_pointer.collected", "root_pointers.h"),
    ] {
        fs::write(to.join(header), python(script, &[&to.join(from)])).expect("it can be written");
    }
}
