//! `cargo xtask prove-toolchain`: runs the real `cargo xtask setup` along both of its ways, in fresh folders under
//! `target/prove-toolchain`, and builds a guest after each.
//!
//! What it proves, and what it does not:
//!
//! * **Debian's packages**: all of it, as on a machine without rustup. The packages are downloaded, std is
//!   built, and a guest with std and link-time optimisation comes out.
//! * **rustup**: that a rustc without the target's std makes us call `rustup target add` with the right
//!   arguments; that we take std from the sysroot afterwards, make no private toolchain, and that plain
//!   cargo then builds a guest, which it could not before. The `rustup` is a stand-in, which links the std
//!   that the first part built into the sysroot. That the real rustup fetches a std that works is rustup's
//!   own affair, and is not shown.
//!
//! In both parts rustc uses a sysroot of links without the target's std, so the proof is the same on a machine that has it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use super::debian;
use super::setup::{FOLDER, NO_RUSTUP, Rustup, Setup};
use super::toolchain::{TARGET, find_std, write_script};
use crate::files::remove_folder;
use crate::process::{find_program, output, run};
use crate::steps::Steps;
use crate::workspace::Workspace;

/// A guest that needs std, so that the build fails if std cannot be linked.
const GUEST: &str = "#[unsafe(no_mangle)]
pub extern \"C\" fn digits(number: u32) -> usize {
    format!(\"{number}\").len()
}
";

const GUEST_MANIFEST: &str = "[package]
name = \"guest\"
edition = \"2024\"

[lib]
crate-type = [\"cdylib\"]

[profile.release]
lto = \"fat\"
panic = \"abort\"

[workspace]
";

/// Every module starts with these bytes.
const WASM_MAGIC: &[u8] = b"\0asm\x01\0\0\0";

/// Runs both proofs; leaves nothing behind if they hold.
///
/// # Errors
/// If a step fails, or does not have its intended effect.
pub(crate) fn prove(workspace: &Workspace) -> Result<()> {
    let folder = workspace.target.join("prove-toolchain");
    remove_folder(&folder)?;
    let proof = Proof { workspace, path: std::env::var_os("PATH").unwrap_or_default(), folder: folder.clone() };
    let steps = Steps::default();
    steps.step("setup with Debian's packages only", || proof.debian())?;
    steps.step("setup with a stand-in for rustup", || proof.rustup())?;
    remove_folder(&folder)?;
    println!("==> both ways hold\n{}", steps.summary());
    Ok(())
}

struct Proof<'a> {
    workspace: &'a Workspace,
    path: OsString,
    folder: PathBuf,
}

impl Proof<'_> {
    /// The folder of the first part's private toolchain.
    fn private(&self) -> PathBuf {
        self.folder.join("debian/toolchain")
    }

    fn debian(&self) -> Result<()> {
        let programs = self.folder.join("debian/programs");
        let sysroot = self.folder.join("debian/sysroot");
        let rustc = find_program("rustc", &self.path).context("there is no rustc on PATH")?;
        let said = output(Command::new(&rustc).args(["--print", "sysroot"]))?;
        link_without_target(Path::new(said.trim_end()), &sysroot)?;
        fs::create_dir_all(&programs)?;
        write_rustc(&programs, &rustc, &sysroot)?;

        let path = self.path_with(&programs)?;
        run(self.xtask_setup(&path, &self.private()).env(NO_RUSTUP, "1"))?;
        let setup = Setup {
            path: path.clone(),
            rustc: None,
            cargo: self.workspace.cargo.clone(),
            root: self.workspace.root.clone(),
            folder: self.private(),
            rustup: Rustup::PassedOver,
        };
        let toolchain = debian::ready(&setup, &sysroot)?.context("setup made no toolchain")?;
        let guest = self.folder.join("debian/guest");
        build_guest(self.cargo(&path).envs(toolchain.env()), &guest)
    }

    fn rustup(&self) -> Result<()> {
        let programs = self.folder.join("rustup/programs");
        let sysroot = self.folder.join("rustup/sysroot");
        let std = self.private().join("root/usr");
        link_without_target(&std, &sysroot)?;
        fs::create_dir_all(&programs)?;
        write_rustc(&programs, &self.private().join("rustc"), &sysroot)?;
        // A rustup toolchain includes its linker; Debian's does not.
        let active = self.folder.join("debian/sysroot/lib/rustlib");
        for host in fs::read_dir(active)? {
            let linker = host?.path().join("bin/rust-lld");
            if linker.is_file() {
                link(&linker, &programs.join("rust-lld"))?;
            }
        }
        let in_sysroot = Path::new("lib/rustlib").join(TARGET);
        write_script(
            &programs.join("rustup"),
            &format!(
                "[ \"$*\" = \"target add {TARGET}\" ] && ln -s '{}' '{}'",
                std.join(&in_sysroot).display(),
                sysroot.join(&in_sysroot).display()
            ),
        )?;

        let path = self.path_with(&programs)?;
        let guest = self.folder.join("rustup/guest");
        let before = build_guest(&mut self.cargo(&path), &guest);
        let before = before.err().context("a guest was built before std was there: this would prove nothing")?;
        ensure!(format!("{before:#}").contains("can't find crate for `std`"), "{before:#}");
        let private = self.folder.join("rustup/toolchain");
        run(self.xtask_setup(&path, &private).env_remove(NO_RUSTUP))?;
        ensure!(find_std(&sysroot).is_some(), "rustup was not called");
        ensure!(!private.exists(), "a private toolchain was made in vain");
        build_guest(&mut self.cargo(&path), &guest)
    }

    fn path_with(&self, programs: &Path) -> Result<OsString> {
        let rest = std::env::split_paths(&self.path);
        Ok(std::env::join_paths(std::iter::once(programs.to_owned()).chain(rest))?)
    }

    /// This program's own `setup`, as a user runs it.
    fn xtask_setup(&self, path: &OsString, private: &Path) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap_or_else(|_| "xtask".into()));
        command.arg("setup").env("PATH", path).env(FOLDER, private).env_remove("RUSTC");
        command
    }

    fn cargo(&self, path: &OsString) -> Command {
        let mut command = Command::new(&self.workspace.cargo);
        command
            .env("PATH", path)
            .env_remove("RUSTC")
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER");
        command
    }
}

/// Writes a rustc that uses another sysroot.
fn write_rustc(programs: &Path, rustc: &Path, sysroot: &Path) -> Result<()> {
    let (rustc, sysroot) = (rustc.display(), sysroot.display());
    write_script(&programs.join("rustc"), &format!("exec '{rustc}' --sysroot '{sysroot}' \"$@\""))
}

/// Builds the guest in a folder with the cargo given.
fn build_guest(cargo: &mut Command, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), GUEST_MANIFEST)?;
    fs::write(folder.join("src/lib.rs"), GUEST)?;
    output(
        cargo
            .current_dir(folder)
            .args(["build", "--release", "--offline", "--target", TARGET])
            .args(["--target-dir", "target"]),
    )?;
    let module = folder.join("target").join(TARGET).join("release/guest.wasm");
    let bytes = fs::read(&module)?;
    ensure!(bytes.starts_with(WASM_MAGIC), "the guest is not a module");
    println!("    a guest of {} bytes", bytes.len());
    Ok(())
}

/// Makes a sysroot of links to all of another except the target's std.
fn link_without_target(sysroot: &Path, to: &Path) -> Result<()> {
    let rustlib = Path::new("lib/rustlib");
    fs::create_dir_all(to.join(rustlib))?;
    link_all_but(sysroot, to, "lib")?;
    link_all_but(&sysroot.join("lib"), &to.join("lib"), "rustlib")?;
    link_all_but(&sysroot.join(rustlib), &to.join(rustlib), TARGET)
}

fn link_all_but(from: &Path, to: &Path, but: &str) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_name() != but {
            link(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Result<()> {
    std::os::unix::fs::symlink(from, to).with_context(|| format!("cannot link {}", to.display()))
}

#[cfg(not(unix))]
fn link(_from: &Path, _to: &Path) -> Result<()> {
    anyhow::bail!("the proof is for systems with apt-get")
}
