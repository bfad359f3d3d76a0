//! The packages installed as a stranger would install them, from files alone, and what they install tried out.
//!
//! They are made around the binary that the tests have built, which is not static: that a release's is static is checked
//! when it is built (`cargo xtask dist`). What is tested is that each package carries a whole arena.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use toml::Table;

use crate::newcomer::{first_block, path_with};
use crate::packages::{self, INSTALLED_CRATE, Tools, files, source};
use crate::process::output;
use crate::workspace::{BUILD, ENGINE, TARGET_DIR, Workspace, remove_folder};

/// How long a server may take to answer on a busy machine.
const ANSWER_SECONDS_MAX: u64 = 60;

/// The page of every package.
const ABOUT: &str = include_str!("../packages/README.md");

/// What a page and the module on it begin with.
const PAGES: [(&str, &[u8]); 2] = [("/", b"<!doctype html>"), ("/static/arena_engine.wasm", b"\0asm")];

/// Dependencies that are compiled once more, because fewer packages ask fewer features of them: quickly, not well.
const COMPILED_AGAIN: [&str; 5] =
    ["cranelift-codegen", "cranelift-frontend", "wasmtime", "wasmtime-internal-cranelift", "wast"];

/// Makes the packages around a binary, installs each in a folder of its own, and tries out what it installed. What a machine
/// has no installer for is skipped, and a line says so.
///
/// # Errors
/// A package cannot be made or installed, or what it installed does not do what the arena does.
pub(crate) fn install_packages(workspace: &Workspace, arena: &Path) -> Result<()> {
    let folder = workspace.target.join("installed");
    remove_folder(&folder)?;
    let out = folder.join("packages");
    let tools = Tools::ready(workspace);
    packages::make(workspace, arena, &tools, &out)?;
    install_binaries(&tools, &out, &folder)?;
    try_installer("cargo", &folder, |folder| cargo(workspace, &out, folder))
}

/// Installs those of the packages in a folder that carry the binary, and tries out what they installed.
///
/// # Errors
/// As [`install_packages`].
pub(crate) fn install_binaries(tools: &Tools, out: &Path, folder: &Path) -> Result<()> {
    match &tools.wheel {
        Ok(_) => try_installer("pip", folder, |folder| pip(out, folder))?,
        Err(reason) => println!("    skipped: pip: {reason}"),
    }
    match &tools.npm {
        Ok(()) => try_installer("npm", folder, |folder| npm(out, folder)),
        Err(reason) => {
            println!("    skipped: npm: {reason}");
            Ok(())
        }
    }
}

/// Installs, and tries out the program that it gives.
fn try_installer(name: &str, folder: &Path, install: impl FnOnce(&Path) -> Result<PathBuf>) -> Result<()> {
    let start = Instant::now();
    let folder = folder.join(name);
    fs::create_dir_all(&folder)?;
    let program = install(&folder).with_context(|| format!("{name} cannot install the arena"))?;
    println!("    {name}: installed after {:.1} s", start.elapsed().as_secs_f64());
    // Not in the tree: there is nothing beside or above it that belongs to the arena.
    let elsewhere = std::env::temp_dir().join(format!("arena-installed-{}", std::process::id()));
    let tried = try_out(&program, &elsewhere).with_context(|| format!("the arena that {name} installed"));
    remove_folder(&elsewhere)?;
    tried
}

/// In a virtual environment, without the registry; by the pip that is there, which takes less time than one of its own.
fn pip(out: &Path, folder: &Path) -> Result<PathBuf> {
    output(Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(folder))?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "--python"]).arg(folder.join("bin/python"));
    pip.args("install --quiet --disable-pip-version-check --no-index".split(' '));
    output(pip.args(files(out, ".whl")?))?;
    Ok(folder.join("bin/arena"))
}

/// In an empty project, without the registry.
fn npm(out: &Path, folder: &Path) -> Result<PathBuf> {
    fs::write(folder.join("package.json"), "{\"private\":true}")?;
    let mut npm = Command::new("npm");
    npm.current_dir(folder).args(["install", "--offline", "--no-audit", "--no-fund"]);
    output(npm.args(files(out, ".tgz")?))?;
    Ok(folder.join("node_modules/.bin/arena"))
}

/// From the packed crates, each unpacked. They stand in for a registry's, and what the tests have compiled is used again.
fn cargo(workspace: &Workspace, out: &Path, folder: &Path) -> Result<PathBuf> {
    let mut members = Vec::new();
    for file in files(&out.join("crates"), ".crate")? {
        output(Command::new("tar").arg("-xzf").arg(&file).arg("-C").arg(folder))?;
        members.push(file.file_stem().and_then(|stem| stem.to_str()).context("a plain name")?.to_owned());
    }
    let ours = fs::read_to_string(workspace.root.join("Cargo.toml"))?.parse()?;
    fs::write(folder.join("Cargo.toml"), stand_in(&ours, &members)?.to_string())?;
    let version = workspace.package("arena")?["version"].as_str().context("a version")?;
    fs::copy(out.join(source(version)).join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut cargo = Command::new(&workspace.cargo);
    cargo
        .current_dir(folder)
        .args([
            "install",
            "--quiet",
            "--locked",
            "--offline",
            "--profile",
            "ci",
            "--path",
            &format!("{INSTALLED_CRATE}-{version}"),
        ])
        .args(["--root", "."])
        .env(BUILD, &workspace.target)
        .env(TARGET_DIR, folder.join("target"))
        // The crates have to carry it.
        .env_remove(ENGINE);
    output(&mut cargo)?;
    Ok(folder.join("bin/arena"))
}

/// A workspace of the unpacked crates: each is used where a registry's of its name is asked for. Its profile is that of the
/// tests, so that their dependencies are used again; what has to be compiled is compiled quickly, not well.
fn stand_in(ours: &Table, members: &[String]) -> Result<Table> {
    let mut profile = ours["profile"]["ci"].as_table().context("the profile of the tests")?.clone();
    let packages = profile.get_mut("package").and_then(|packages| packages.as_table_mut()).context("dependencies")?;
    let mut quick = packages["*"].as_table().context("all dependencies")?.clone();
    quick.insert("opt-level".into(), 0.into());
    let mut patch = Table::new();
    for member in members {
        let (name, _) = member.rsplit_once('-').context("a crate's file says its version")?;
        if name != INSTALLED_CRATE {
            patch.insert(name.into(), table("path", member.as_str()).into());
        }
        packages.insert(name.into(), quick.clone().into());
    }
    for name in COMPILED_AGAIN {
        packages.insert(name.into(), quick.clone().into());
    }
    let mut workspace = table("resolver", "3");
    workspace.insert("members".into(), members.to_vec().into());
    let mut root = table("workspace", workspace);
    root.insert("patch".into(), table("crates-io", patch).into());
    root.insert("profile".into(), table("ci", profile).into());
    Ok(root)
}

/// A table with one entry.
fn table(key: &str, value: impl Into<toml::Value>) -> Table {
    Table::from_iter([(key.to_owned(), value.into())])
}

/// Does what a newcomer does, in a folder with nothing in it: a version, what the package's page says, a site.
fn try_out(program: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let version = output(Command::new(program).arg("--version").current_dir(folder))?;
    let expected = format!("arena {}\n", env!("CARGO_PKG_VERSION"));
    ensure!(version.starts_with(&expected), "it says that it is {version:?}");
    let block = first_block(ABOUT)?;
    output(Command::new("sh").args(["-ec", block]).current_dir(folder).env("PATH", path_with(program)?))?;
    // Manifests are what a crate cannot carry under their own names.
    output(Command::new(program).args("new in-rust --lang rust".split(' ')).current_dir(folder))?;
    for member in ["rules", "wire", "rust"] {
        let manifest = folder.join("in-rust/arena-sdk").join(member).join("Cargo.toml");
        let manifest = fs::read_to_string(&manifest).with_context(|| format!("the SDK has no {member}/Cargo.toml"))?;
        ensure!(manifest.starts_with("[package]"), "the SDK's {member}/Cargo.toml begins otherwise:\n{manifest}");
    }
    ensure!(folder.join("in-rust/Cargo.lock").is_file(), "a project in Rust has no Cargo.lock");
    let mut site = Site::start(program, folder)?;
    let answered = PAGES.iter().try_for_each(|(page, begin)| site.answers(page, begin));
    site.stop()?;
    answered
}

/// A running `arena serve`.
struct Site {
    child: Child,
    address: String,
}

impl Site {
    fn start(program: &Path, folder: &Path) -> Result<Self> {
        let mut serve = Command::new(program);
        serve.current_dir(folder).args("serve --data site --listen 127.0.0.1:0".split(' '));
        let mut child = serve.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("it does not start")?;
        let mut line = String::new();
        let stdout = child.stdout.take().context("the pipe just asked for")?;
        let read = BufReader::new(stdout).read_line(&mut line);
        let address = line.trim().strip_prefix("listening on http://").map(str::to_owned);
        match (read, address) {
            (Ok(_), Some(address)) => Ok(Self { child, address }),
            _ => {
                child.kill()?;
                child.wait()?;
                bail!("`arena serve` says {line:?}, not where it listens")
            }
        }
    }

    /// Whether a page is there, and is what it should be.
    fn answers(&mut self, page: &str, begin: &[u8]) -> Result<()> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(ANSWER_SECONDS_MAX)))?;
        write!(stream, "GET {page} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).with_context(|| format!("no answer for {page}"))?;
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").context("an answer has a head")?;
        let (head, body) = (String::from_utf8_lossy(&answer[..end]), &answer[end + 4..]);
        ensure!(head.starts_with("HTTP/1.1 200 ") && body.starts_with(begin), "{page} is answered by {head}");
        Ok(())
    }

    fn stop(mut self) -> Result<()> {
        self.child.kill().context("cannot stop the site")?;
        self.child.wait().context("cannot stop the site")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_installer_its_package_is_skipped_but_a_release_is_not_made() -> Result<()> {
        let tools = Tools { wheel: Err("there is no python3".into()), npm: Err("there is no npm".into()) };
        let folder = tempfile::tempdir()?;
        install_binaries(&tools, folder.path(), folder.path())?;
        assert_eq!(fs::read_dir(folder.path())?.count(), 0);
        let refused = tools.are_all_there().map_err(|error| error.to_string());
        assert_eq!(refused, Err("not all packages can be made: there is no python3".to_owned()));
        Ok(())
    }

    #[test]
    fn the_crates_stand_in_for_a_registrys_and_dependencies_are_compiled_as_in_the_tests() -> Result<()> {
        let ours: Table = r#"
            [profile.ci]
            opt-level = 2
            package."*" = { debug-assertions = false }"#
            .parse()?;
        let root = stand_in(&ours, &["life-arena-rules-0.1.0".to_owned()])?;
        assert_eq!(root["patch"]["crates-io"]["life-arena-rules"]["path"].as_str(), Some("life-arena-rules-0.1.0"));
        let profile = &root["profile"]["ci"];
        assert_eq!(profile["package"]["*"], ours["profile"]["ci"]["package"]["*"]);
        assert_eq!(profile["package"]["life-arena-rules"]["opt-level"].as_integer(), Some(0));
        assert_eq!(profile["opt-level"], ours["profile"]["ci"]["opt-level"]);
        Ok(())
    }
}
