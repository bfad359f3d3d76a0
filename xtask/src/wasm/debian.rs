//! The fallback if the only toolchain server available is Debian's: its rustc-web in a private folder, with std built
//! from its own sources.
//!
//! Built in `FOLDER.partial` and renamed when complete, so an interrupted set-up is simply run again. The folder can be
//! moved: nothing in it contains its own path.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err as fs;

use super::setup::Setup;
use super::toolchain::{TARGET, WasmToolchain, beside, find_named, find_std, write_script};
use crate::files::remove_folder;
use crate::process::{find_program, output};

/// The oldest rustc that compiles the workspace, as `MAJOR.MINOR`.
const RUSTC_OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Increased when folders built earlier can no longer be used.
const FORMAT: &str = "arena wasm toolchain 1";

/// Written last: a folder without it is not complete. Line 1: [`FORMAT`]; line 2: rustc-web's version.
const NOTE: &str = "made-of";

/// The folder into which packages are unpacked.
const ROOT: &str = "root/usr";

const NEXT: &str = "install Rust from https://rustup.rs, then try again";

/// The private toolchain, if it is complete and new enough.
pub(super) fn ready(setup: &Setup, sysroot: &Path) -> Result<Option<WasmToolchain>> {
    let folder = &setup.folder;
    let Ok(note) = fs::read_to_string(folder.join(NOTE)) else {
        return Ok(None);
    };
    let mut lines = note.lines();
    let current = lines.next() == Some(FORMAT) && lines.next().is_some_and(new_enough);
    let Some(std) = find_std(&folder.join(ROOT)).filter(|_| current) else {
        return Ok(None);
    };
    let env = vec![
        ("RUSTC", folder.join("rustc").into()),
        ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker(setup, sysroot)?.into()),
    ];
    WasmToolchain::new(std, env).map(Some)
}

/// Builds the private toolchain.
pub(super) fn build(setup: &Setup, sysroot: &Path) -> Result<()> {
    let apt = Apt::find(setup)?;
    linker(setup, sysroot)?;
    let packages = apt.packages()?;

    let partial = beside(&setup.folder, "partial");
    remove_folder(&partial)?;
    let debs = partial.join("debs");
    fs::create_dir_all(&debs)?;
    println!("    fetching Debian's rustc-web {}", packages.version);
    let mut download = setup.command(&apt.get);
    output(download.current_dir(&debs).arg("download").args(&packages.names))?;
    for deb in fs::read_dir(&debs)? {
        let mut unpack = setup.command(&apt.dpkg);
        output(unpack.arg("-x").arg(deb?.path()).arg(partial.join("root")))?;
    }
    remove_folder(&debs)?;

    write_wrapper(&partial)?;
    println!("    building std for {TARGET}, once (about a minute)");
    build_std(setup, &partial)?;
    for unneeded in ["std", "root/usr/src", "root/usr/share", "root/usr/lib/rustlib/src"] {
        remove_path(&partial.join(unneeded))?;
    }
    fs::write(partial.join(NOTE), format!("{FORMAT}\n{}\n", packages.version))?;
    remove_folder(&setup.folder)?;
    fs::rename(&partial, &setup.folder).context("cannot move the finished toolchain in place")
}

/// The programs of Debian's package system.
struct Apt<'a> {
    setup: &'a Setup,
    get: PathBuf,
    cache: PathBuf,
    dpkg: PathBuf,
}

/// The packages to download.
struct Packages {
    /// Of rustc-web.
    version: String,
    names: Vec<String>,
}

impl<'a> Apt<'a> {
    fn find(setup: &'a Setup) -> Result<Self> {
        let program = |name: &str| {
            find_program(name, &setup.path)
                .with_context(|| format!("bots cannot be built: rustup did not help and there is no {name}; {NEXT}"))
        };
        Ok(Self { setup, get: program("apt-get")?, cache: program("apt-cache")?, dpkg: program("dpkg")? })
    }

    /// Updates the package lists if the present ones offer nothing suitable.
    fn packages(&self) -> Result<Packages> {
        if let Some(packages) = self.offered()? {
            return Ok(packages);
        }
        println!("    refreshing apt's package lists");
        output(self.setup.command(&self.get).arg("update")).context(
            "apt's package lists cannot be refreshed: run `apt-get update` as root, \
             then try again",
        )?;
        self.offered()?.with_context(|| format!("apt offers no rustc-web of version {RUSTC_OLDEST} or newer: {NEXT}"))
    }

    /// The packages, all of one rustc, if apt knows one that is new enough.
    fn offered(&self) -> Result<Option<Packages>> {
        let Some(rustc) = self.show("rustc-web") else {
            return Ok(None);
        };
        let version = field(&rustc, "Version").unwrap_or_default().to_owned();
        if !new_enough(&version) {
            return Ok(None);
        }
        let host = self.show("libstd-rust-web-dev").unwrap_or_default();
        let host = dependency(&host, "libstd-rust-web-")?;
        let llvm = self.show(&host).unwrap_or_default();
        let llvm = dependency(&llvm, "libllvm")?;
        let mut names: Vec<String> = ["rustc-web", "libstd-rust-web-dev", host.as_str(), "rust-web-src"]
            .iter()
            .map(|name| format!("{name}={version}"))
            .collect();
        names.push(llvm);
        Ok(Some(Packages { version, names }))
    }

    /// The candidate version's description; `None` if apt does not know the package, or fails otherwise, which the next
    /// command will report.
    fn show(&self, package: &str) -> Option<String> {
        let mut command = self.setup.command(&self.cache);
        command.args(["show", "--no-all-versions", package]);
        output(command.env("LC_ALL", "C")).ok()
    }
}

fn field<'a>(description: &'a str, name: &str) -> Option<&'a str> {
    description.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        (found == name).then(|| value.trim())
    })
}

/// The dependency whose package name starts with `start`.
fn dependency(description: &str, start: &str) -> Result<String> {
    field(description, "Depends")
        .unwrap_or_default()
        .split([',', '|'])
        .filter_map(|clause| clause.split_whitespace().next())
        .find(|name| name.starts_with(start))
        .map(str::to_owned)
        .with_context(|| format!("Debian's rustc-web has no {start}* any more: {NEXT}"))
}

fn new_enough(version: &str) -> bool {
    major_minor(version) >= major_minor(RUSTC_OLDEST)
}

/// `(1, 96)` of `1.96.0+dfsg1-1~deb12u2`.
fn major_minor(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// A linker for wasm: the active toolchain's own, which every rustup toolchain has, or one on `PATH`.
fn linker(setup: &Setup, sysroot: &Path) -> Result<PathBuf> {
    let bundled = fs::read_dir(sysroot.join("lib/rustlib"))
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin/rust-lld")))
        .find(|path| path.is_file());
    let on_path = || ["rust-lld", "wasm-ld"].iter().find_map(|name| find_program(name, &setup.path));
    bundled.or_else(on_path).context(
        "there is no linker for WebAssembly: install a recent lld so that `wasm-ld` is on PATH, \
         then try again",
    )
}

/// Writes a wrapper for rustc that sets its library path. It is set for rustc only: LD_LIBRARY_PATH would also affect
/// cargo.
fn write_wrapper(partial: &Path) -> Result<()> {
    let libraries = fs::read_dir(partial.join(ROOT).join("lib"))?
        .filter_map(|entry| entry.ok())
        .find(|entry| find_named(&entry.path(), "librustc_driver-", ".so").is_some())
        .context("Debian's rustc-web has no librustc_driver")?
        .file_name();
    let here = format!("${{0%/*}}/{ROOT}");
    write_script(
        &partial.join("rustc"),
        &format!(
            "LD_LIBRARY_PATH=\"{here}/lib/{}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\" exec \"{here}/bin/rustc\" \"$@\"",
            libraries.display()
        ),
    )
}

/// Builds std as a dependency of an empty crate and puts its libraries where rustc looks for them.
fn build_std(setup: &Setup, partial: &Path) -> Result<()> {
    let rustc = partial.join("rustc");
    let said = output(setup.command(&rustc).arg("-vV")).context("Debian's rustc-web does not start on this machine")?;
    let release = field(&said, "release").context("rustc -vV names no release")?;
    let sources = partial.join(ROOT).join(format!("src/rustc-{release}"));

    let empty = partial.join("std");
    fs::create_dir_all(empty.join("src"))?;
    fs::create_dir_all(empty.join(".cargo"))?;
    fs::write(
        empty.join("Cargo.toml"),
        "[package]\nname = \"empty\"\nedition = \"2024\"\n\n[profile.release]\npanic = \"abort\"\n\n[workspace]\n",
    )?;
    fs::write(empty.join("src/lib.rs"), "#![no_std]\n")?;
    // The dependencies of std come with the sources: no registry is used.
    let vendor = sources.join("library/vendor");
    fs::write(
        empty.join(".cargo/config.toml"),
        format!(
            "[source.crates-io]\nreplace-with = \"vendor\"\n\n[source.vendor]\ndirectory = {:?}\n",
            vendor.display().to_string()
        ),
    )?;
    // Bitcode, so that guests can use link-time optimisation; paths as in rustup's std, so that guests do not reveal
    // where they were built. The sources have two names: their own and the sysroot's link.
    let linked = partial.join(ROOT).join("lib/rustlib/src/rust");
    let flags = [
        "-Cembed-bitcode=yes".to_owned(),
        format!("--remap-path-prefix={}=/rustc/{release}", sources.display()),
        format!("--remap-path-prefix={}=/rustc/{release}", linked.display()),
    ];
    let target = empty.join("target");
    output(
        setup
            .command(&setup.cargo)
            .current_dir(&empty)
            .args(["build", "--release", "--offline", "--target", TARGET])
            .arg("-Zbuild-std=std,panic_abort")
            .arg("--target-dir")
            .arg(&target)
            .env("RUSTC", &rustc)
            .env("RUSTC_BOOTSTRAP", "1")
            .env_remove("RUSTFLAGS")
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")),
    )
    .context("std cannot be built")?;

    let to = partial.join(ROOT).join("lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&to)?;
    for entry in fs::read_dir(target.join(TARGET).join("release/deps"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.extension() == Some(OsStr::new("rlib")) && !starts_with(name, "libempty-") {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

fn starts_with(name: &OsStr, start: &str) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(start))
}

/// Removes a folder or a link, if it exists.
fn remove_path(path: &Path) -> Result<()> {
    if path.is_symlink() {
        return Ok(fs::remove_file(path)?);
    }
    remove_folder(path)
}
