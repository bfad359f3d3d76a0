//! Tests of the choice, with scripts in place of rustc, rustup, apt-get and cargo.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use fs_err as fs;
use tempfile::TempDir;

use super::choice::{is_by_rustup, run};
use super::setup::{Rustup, Setup};
use super::toolchain::{TARGET, WasmToolchain, write_script};

/// A machine with only the given programs. `$HOUSE` in them is its folder, and `$HOUSE/said` lists their calls.
struct Machine {
    house: TempDir,
    rustup: Rustup,
    /// A program cannot be started while it is open for writing, and a program started by another thread at that moment
    /// inherits the open file: so only one machine exists at a time.
    _alone: MutexGuard<'static, ()>,
}

static ALONE: Mutex<()> = Mutex::new(());

/// Generous: only a program that never ends should reach it.
const PATIENCE: Duration = Duration::from_secs(60);

impl Machine {
    /// A machine with a rustc whose sysroot has no std for the target.
    fn new() -> Result<Self> {
        let machine = Self {
            house: tempfile::tempdir()?,
            rustup: Rustup::Within(PATIENCE),
            _alone: ALONE.lock().unwrap_or_else(PoisonError::into_inner),
        };
        fs::create_dir_all(machine.at("programs"))?;
        fs::create_dir_all(machine.at("sysroot/lib/rustlib/some-host/bin"))?;
        fs::write(machine.at("sysroot/lib/rustlib/some-host/bin/rust-lld"), "")?;
        machine.program("rustc", "echo $HOUSE/sysroot")?;
        Ok(machine)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.house.path().join(path)
    }

    fn program(&self, name: &str, body: &str) -> Result<()> {
        let note = format!("echo {name} \"$*\" >> $HOUSE/said");
        let house = self.house.path().display();
        write_script(&self.at("programs").join(name), &format!("HOUSE='{house}'\nTOOLS=/usr/bin:/bin\n{note}\n{body}"))
    }

    /// Adds programs like Debian's. Before `apt-get update` the lists offer rustc-web of the first version, after it of
    /// the second.
    fn debian(&self, before: &str, after: &str) -> Result<()> {
        fs::write(self.at("offered"), before)?;
        self.program(
            "apt-cache",
            "read -r VERSION < $HOUSE/offered
             [ \"$VERSION\" = none ] && exit 100
             echo \"Version: $VERSION\"
             case $3 in
             rustc-web) echo 'Depends: libstd-rust-web-dev (= 9), gcc';;
             libstd-rust-web-dev) echo 'Depends: libstd-rust-web-9.9 (= 9)';;
             libstd-rust-web-9.9) echo 'Depends: libc6 (>= 2.36), libllvm99 (>= 1) | other';;
             *) exit 100;;
             esac",
        )?;
        self.program(
            "apt-get",
            &format!(
                "case $1 in
                 update) echo '{after}' > $HOUSE/offered;;
                 download) : > one.deb;;
                 esac"
            ),
        )?;
        // Unpacks a rustc that prints its release, with a library beside it.
        self.program(
            "dpkg",
            "PATH=$TOOLS; mkdir -p $3/usr/bin $3/usr/lib/some-host $3/usr/src/rustc-9.9.9 $3/usr/lib/rustlib
             : > $3/usr/lib/some-host/librustc_driver-1.so
             printf '#!/bin/sh\\necho release: 9.9.9\\necho seen $LD_LIBRARY_PATH' > $3/usr/bin/rustc
             chmod +x $3/usr/bin/rustc",
        )?;
        // Builds a std in the folder after `--target-dir`.
        self.program(
            "cargo",
            &format!(
                "PATH=$TOOLS
                 while [ $1 != --target-dir ]; do shift; done
                 mkdir -p $2/{TARGET}/release/deps
                 for crate in libstd-1.rlib libcore-1.rlib libempty-1.rlib libstd-1.rmeta; do
                 : > $2/{TARGET}/release/deps/$crate; done"
            ),
        )
    }

    fn set_up(&self) -> Result<WasmToolchain> {
        run(self.setup())
    }

    fn setup(&self) -> Setup {
        Setup {
            path: self.at("programs").into_os_string(),
            rustc: None,
            cargo: self.at("programs/cargo"),
            root: self.house.path().to_owned(),
            folder: self.at("private"),
            rustup: self.rustup,
        }
    }

    fn refusal(&self) -> Result<String> {
        let refused = self.set_up().err().context("it was set up")?;
        Ok(format!("{refused:#}"))
    }

    /// The number of calls whose arguments start with `start`.
    fn calls(&self, start: &str) -> usize {
        let said = fs::read_to_string(self.at("said")).unwrap_or_default();
        said.lines().filter(|line| line.starts_with(start)).count()
    }

    /// The shell commands that put std in the sysroot.
    fn adding_std() -> String {
        format!(
            "PATH=$TOOLS; mkdir -p $HOUSE/sysroot/lib/rustlib/{TARGET}/lib
             : > $HOUSE/sysroot/lib/rustlib/{TARGET}/lib/libstd-1.rlib"
        )
    }
}

#[test]
fn std_that_is_there_is_used_and_nobody_asked() -> Result<()> {
    let machine = Machine::new()?;
    machine.program("rustup", "exit 1")?;
    let std = machine.at("sysroot/lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&std)?;
    fs::write(std.join("libstd-1.rlib"), "")?;
    let toolchain = machine.set_up()?;
    assert_eq!(toolchain.env().count(), 0);
    assert_eq!(machine.calls("rustup"), 0);
    Ok(())
}

#[test]
fn rustup_is_asked_once_and_its_std_needs_no_environment() -> Result<()> {
    let machine = Machine::new()?;
    machine.debian("9.9.9", "9.9.9")?;
    machine.program("rustup", &Machine::adding_std())?;
    let toolchain = machine.set_up()?;
    assert_eq!(toolchain.env().count(), 0);
    machine.set_up()?;
    assert_eq!(machine.calls("rustup target add wasm32-unknown-unknown"), 1);
    assert_eq!(machine.calls("apt"), 0);
    assert!(!machine.at("private").exists());
    Ok(())
}

#[test]
fn a_target_is_by_rustup_only_where_rustup_is_in_charge() -> Result<()> {
    let mut machine = Machine::new()?;
    let which = |place: &str| format!("echo $HOUSE/{place}/bin/rustc");
    machine.program("rustup", &which("sysroot"))?;
    for place in ["sysroot", "another"] {
        fs::create_dir_all(machine.at(place).join("bin"))?;
        fs::write(machine.at(place).join("bin/rustc"), "")?;
    }
    let manifest = machine.at("sysroot/lib/rustlib/multirust-channel-manifest.toml");
    fs::write(&manifest, "")?;
    assert!(!is_by_rustup(&machine.setup())?, "there is no std");
    let std = machine.at("sysroot/lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&std)?;
    fs::write(std.join("libstd-1.rlib"), "")?;
    assert!(is_by_rustup(&machine.setup())?);

    machine.rustup = Rustup::PassedOver;
    assert!(!is_by_rustup(&machine.setup())?, "it is not to be asked");
    machine.rustup = Rustup::Within(PATIENCE);
    for (rustup, why) in [(which("another"), "another rustc is its own"), ("exit 1".into(), "it has no toolchain")] {
        machine.program("rustup", &rustup)?;
        assert!(!is_by_rustup(&machine.setup())?, "{why}");
    }
    machine.program("rustup", &which("sysroot"))?;
    fs::remove_file(&manifest)?;
    assert!(!is_by_rustup(&machine.setup())?, "a toolchain that was only linked");
    fs::remove_file(machine.at("programs/rustup"))?;
    assert!(!is_by_rustup(&machine.setup())?, "there is no rustup");
    Ok(())
}

#[test]
fn a_rustup_that_fails_hangs_or_adds_nothing_is_followed_by_debian() -> Result<()> {
    for (rustup, limit) in [
        ("echo 'no such server' >&2; exit 1", PATIENCE),
        ("exec /usr/bin/tail -f /dev/null", Duration::from_millis(50)),
        ("exit 0", PATIENCE),
    ] {
        let mut machine = Machine::new()?;
        machine.rustup = Rustup::Within(limit);
        machine.debian("9.9.9", "9.9.9")?;
        machine.program("rustup", rustup)?;
        machine.set_up()?;
        assert_eq!(machine.calls("apt-get download"), 1, "{rustup}");
    }
    Ok(())
}

#[test]
fn debians_toolchain_is_made_once_with_its_own_environment() -> Result<()> {
    let mut machine = Machine::new()?;
    machine.rustup = Rustup::PassedOver;
    machine.program("rustup", &Machine::adding_std())?;
    machine.debian("9.9.9+deb1", "none")?;
    let first = machine.set_up()?;
    let env: Vec<_> = first.env().collect();
    let rustc = machine.at("private/rustc").into_os_string();
    let linker = machine.at("sysroot/lib/rustlib/some-host/bin/rust-lld");
    assert_eq!(env, [("RUSTC", &rustc), ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &linker.into_os_string())]);
    let second = machine.set_up()?;
    assert_eq!(first.identity(), second.identity());
    assert_eq!(machine.calls("rustup"), 0);
    assert_eq!(machine.calls("apt-get update"), 0);
    assert_eq!(machine.calls("cargo build"), 1);
    assert_eq!(
        machine.calls(
            "apt-get download rustc-web=9.9.9+deb1 libstd-rust-web-dev=9.9.9+deb1 \
             libstd-rust-web-9.9=9.9.9+deb1 rust-web-src=9.9.9+deb1 libllvm99"
        ),
        1
    );
    Ok(())
}

#[test]
fn only_libraries_stay_and_the_wrapper_finds_them_wherever_the_folder_is() -> Result<()> {
    let mut machine = Machine::new()?;
    machine.rustup = Rustup::PassedOver;
    machine.debian("9.9.9", "none")?;
    machine.set_up()?;
    let std = machine.at("private/root/usr/lib/rustlib").join(TARGET).join("lib");
    let mut files = fs::read_dir(std)?
        .map(|entry| Ok(entry?.file_name().into_string().unwrap_or_default()))
        .collect::<Result<Vec<String>>>()?;
    files.sort();
    assert_eq!(files, ["libcore-1.rlib", "libstd-1.rlib"]);
    assert!(!machine.at("private/root/usr/src").exists());
    assert!(!machine.at("private/debs").exists());
    assert!(!machine.at("private.partial").exists());

    let moved = machine.at("moved elsewhere");
    fs::rename(machine.at("private"), &moved)?;
    let said = crate::process::output(&mut std::process::Command::new(moved.join("rustc")))?;
    let libraries = moved.join("root/usr/lib/some-host");
    assert!(said.contains(&format!("seen {}", libraries.display())), "{said}");
    Ok(())
}

#[test]
fn lists_that_are_stale_are_refreshed() -> Result<()> {
    for stale in ["none", "1.2.3"] {
        let mut machine = Machine::new()?;
        machine.rustup = Rustup::PassedOver;
        machine.debian(stale, "9.9.9")?;
        machine.set_up()?;
        assert_eq!(machine.calls("apt-get update"), 1, "{stale}");
    }
    Ok(())
}

#[test]
fn an_interrupted_or_outdated_folder_is_made_anew() -> Result<()> {
    let mut machine = Machine::new()?;
    machine.rustup = Rustup::PassedOver;
    machine.debian("9.9.9", "none")?;
    // Interrupted during the build: a partial folder without the note.
    fs::create_dir_all(machine.at("private.partial/debs"))?;
    fs::write(machine.at("private.partial/debs/half.deb"), "")?;
    machine.set_up()?;
    assert_eq!(machine.calls("dpkg"), 1, "the half package was unpacked");
    assert_eq!(machine.calls("cargo build"), 1);
    // Built by an earlier xtask, or with a rustc that is too old by now.
    for note in ["arena wasm toolchain 0\n9.9.9\n", "arena wasm toolchain 1\n1.2.3\n"] {
        let before = machine.calls("cargo build");
        fs::write(machine.at("private/made-of"), note)?;
        machine.set_up()?;
        assert_eq!(machine.calls("cargo build"), before + 1, "{note}");
    }
    Ok(())
}

#[test]
fn what_is_missing_is_told_with_what_to_do() -> Result<()> {
    let machine = Machine::new()?;
    assert_eq!(
        machine.refusal()?,
        "bots cannot be built: rustup did not help and there is no apt-get; \
         install Rust from https://rustup.rs, then try again"
    );

    machine.debian("none", "1.2.3")?;
    let refusal = machine.refusal()?;
    assert!(refusal.starts_with("apt offers no rustc-web of version"), "{refusal}");

    machine.program("apt-get", "exit 100")?;
    fs::write(machine.at("offered"), "none")?;
    let refusal = machine.refusal()?;
    assert!(refusal.contains("run `apt-get update` as root"), "{refusal}");

    fs::remove_file(machine.at("sysroot/lib/rustlib/some-host/bin/rust-lld"))?;
    let refusal = machine.refusal()?;
    assert!(refusal.contains("`wasm-ld` is on PATH"), "{refusal}");

    fs::remove_file(machine.at("programs/rustc"))?;
    assert_eq!(machine.refusal()?, "there is no rustc on PATH: install Rust from https://rustup.rs");
    Ok(())
}
