//! Languages of bots besides Rust and WebAssembly text: their compilers, in pinned versions from PyPI and npm, kept in
//! `target/tools`, and how each compiles a file to a module.
//!
//! C is compiled by Zig's clang, so that C and Zig share one download and need nothing else on the machine. A missing
//! compiler is not an error: whatever needs it is skipped, and a line says so and why.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use fs_err as fs;

use crate::files::remove_folder;
use crate::process::{find_on_path, output, run, within};
use crate::web::node;
use crate::workspace::Workspace;

/// The folder of the layers for languages, with the pins of their compilers.
const SDK: &str = "sdk";

/// The time limit of pip, for 100 MB.
const PIP_MAX: Duration = Duration::from_secs(300);

/// A language whose compiler is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Language {
    C,
    Zig,
    AssemblyScript,
}

impl Language {
    pub(crate) const ALL: [Language; 3] = [Language::C, Language::Zig, Language::AssemblyScript];

    /// Its name in `arena new --lang`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Zig => "zig",
            Language::AssemblyScript => "assemblyscript",
        }
    }

    /// The extension of its files.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Zig => "zig",
            Language::AssemblyScript => "ts",
        }
    }
}

/// A compiler's folder, or why it is missing.
type Found = Result<PathBuf>;

/// The available compilers.
pub(crate) struct Compilers {
    root: PathBuf,
    scratch: PathBuf,
    /// A folder for `PYTHONPATH` with the package `ziglang`.
    zig: Found,
    /// A folder with `node_modules`.
    assemblyscript: Found,
}

impl Compilers {
    /// Looks for the compilers, and fetches missing ones.
    ///
    /// # Errors
    /// If the tree has no pins, or `target` cannot be written.
    pub(crate) fn ready(workspace: &Workspace) -> Result<Self> {
        let tools = workspace.target.join("tools");
        let templates = workspace.root.join(SDK).join("templates");
        fs::create_dir_all(&tools)?;
        let assemblyscript = tools.join("assemblyscript");
        Ok(Self {
            root: workspace.root.clone(),
            scratch: tools.clone(),
            zig: install_from_pypi(workspace, &templates.join("zig/requirements.txt")),
            assemblyscript: install_assemblyscript(&assemblyscript, &templates.join("assemblyscript"))
                .map(|()| assemblyscript),
        })
    }

    /// Why a language is missing, in one line for printing; `None` if it is available.
    pub(crate) fn skipped(&self, language: Language, what: &str) -> Option<String> {
        let reason = self.folder(language).as_ref().err()?;
        Some(format!("skipped: {} {what}: {}", language.name(), in_a_line(reason)))
    }

    /// Compiles a source file to a module.
    ///
    /// # Errors
    /// If the language is missing, or the source does not compile.
    pub(crate) fn compile(&self, language: Language, source: &Path, module: &Path) -> Result<()> {
        let folder = self.folder(language).as_ref().map_err(|reason| anyhow!("{reason:#}"))?;
        let mut command = match language {
            Language::C => {
                let object = module.with_extension("o");
                self.compile_c_object(folder, source, &object)?;
                let mut zig = Command::new(folder.join("ziglang").join("zig"));
                zig.args("wasm-ld --no-entry --stack-first -z stack-size=65536 -o".split(' ')).arg(module).arg(object);
                zig
            }
            Language::Zig => {
                let object = module.with_extension("o");
                self.compile_zig_object(folder, source, &object)?;
                let mut zig = zig(folder, "build-exe -fno-strip -fno-entry -rdynamic --stack 65536");
                zig.arg(&object).arg(format!("-femit-bin={}", module.display()));
                zig
            }
            Language::AssemblyScript => {
                let mut asc = Command::new("node");
                asc.arg(folder.join("node_modules/assemblyscript/bin/asc.js"))
                    .arg(source)
                    .args("-O3 --runtime stub --use abort= -o".split(' '))
                    .arg(module);
                asc
            }
        };
        run(command.current_dir(&self.root).envs(self.env()))
    }

    /// The first of two steps, as in the template's build.sh.
    fn compile_c_object(&self, folder: &Path, source: &Path, object: &Path) -> Result<()> {
        let mut zig = Command::new(folder.join("ziglang").join("zig"));
        zig.args("cc --target=wasm32-freestanding -std=c11 -Wall -Wextra -Werror".split(' '))
            .args("-O2 -g0 -mbulk-memory -c -I sdk/c -o".split(' '))
            .arg(object)
            .arg(source);
        run(zig.current_dir(&self.root).envs(self.env()))
    }

    /// The first of two steps, as in the template's build.sh: linking keeps the names of functions, and the object has
    /// no debug information to keep.
    fn compile_zig_object(&self, folder: &Path, source: &Path, object: &Path) -> Result<()> {
        let mut zig = zig(folder, "build-obj -fstrip --dep arena");
        zig.arg(format!("-Mroot={}", source.display()))
            .arg(format!("-Marena={SDK}/zig/arena.zig"))
            .arg(format!("-femit-bin={}", object.display()));
        run(zig.current_dir(&self.root).envs(self.env()))
    }

    /// The environment in which projects of `arena new` find the compilers: nothing is fetched again, and nothing is
    /// left in the home folder.
    pub(crate) fn env(&self) -> Vec<(&'static str, OsString)> {
        let cache = self.scratch.join("zig-cache").into_os_string();
        let mut env = vec![("ZIG_GLOBAL_CACHE_DIR", cache.clone()), ("ZIG_LOCAL_CACHE_DIR", cache)];
        if let Ok(folder) = &self.zig {
            env.push(("PYTHONPATH", folder.clone().into_os_string()));
        }
        env
    }

    fn folder(&self, language: Language) -> &Found {
        match language {
            Language::C | Language::Zig => &self.zig,
            Language::AssemblyScript => &self.assemblyscript,
        }
    }
}

/// Zig with a command and options, for bots.
fn zig(folder: &Path, arguments: &str) -> Command {
    let mut zig = Command::new(folder.join("ziglang").join("zig"));
    zig.args(arguments.split(' ')).args(["-target", "wasm32-freestanding", "-O", "ReleaseFast"]);
    zig
}

/// The failure and its cause in one line: the first line that mentions an error, or else the last one, because
/// registries' clients print a lot.
pub(crate) fn in_a_line(error: &anyhow::Error) -> String {
    let (what, why) = (error.to_string(), error.root_cause().to_string());
    let telling = why.lines().find(|line| line.to_lowercase().contains("error")).or(why.lines().last());
    match telling {
        Some(line) if what != why => format!("{what}: {line}"),
        _ => what,
    }
}

/// Installs the package of a pin (`NAME==VERSION`) in `target/tools`, unless its folder exists: it gets its name when
/// it is complete. Returns the folder, for `PYTHONPATH`.
///
/// # Errors
/// If there is no pin; or if the package is missing, and must not or cannot be fetched.
pub(crate) fn install_from_pypi(workspace: &Workspace, pin: &Path) -> Result<PathBuf> {
    let pinned = fs::read_to_string(pin)?;
    let name = pinned.trim().replace("==", "-");
    let folder = workspace.target.join("tools").join(&name);
    if folder.is_dir() {
        return Ok(folder);
    }
    let python = wanted("python3")?;
    let part = folder.with_file_name(format!("{name}.part"));
    remove_folder(&part)?;
    let mut pip = within(PIP_MAX, python);
    pip.args("-m pip install --quiet --disable-pip-version-check --no-deps --no-compile --target".split(' '))
        .arg(&part)
        .arg("--requirement")
        .arg(pin);
    output(&mut pip).with_context(|| format!("pip cannot install {}", pinned.trim()))?;
    fs::rename(&part, &folder)?;
    Ok(folder)
}

/// Installs the packages of the template's lock file, unless they are installed.
fn install_assemblyscript(folder: &Path, template: &Path) -> Result<()> {
    if node::packages_are_installed(folder, &template.join("package-lock.json"))? {
        return Ok(());
    }
    wanted("npm")?;
    fs::create_dir_all(folder)?;
    for file in ["package.json", "package-lock.json"] {
        let from = template.join(file);
        fs::copy(&from, folder.join(file))?;
    }
    node::install_packages(folder).context("npm cannot install assemblyscript")
}

/// The path of a program that fetches.
fn wanted(program: &str) -> Result<PathBuf> {
    find_on_path(program).with_context(|| format!("there is no {program} on PATH"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_skipped_with_a_reason_and_no_failure() {
        let missing = || Err(anyhow!("there is no pip"));
        let (root, scratch) = (PathBuf::new(), PathBuf::new());
        let compilers = Compilers { root, scratch, zig: missing(), assemblyscript: missing() };
        for language in Language::ALL {
            let line = format!("skipped: {} bot: there is no pip", language.name());
            assert_eq!(compilers.skipped(language, "bot"), Some(line));
            assert!(compilers.compile(language, Path::new("bot"), Path::new("bot.wasm")).is_err());
        }
    }

    #[test]
    fn a_long_failure_is_told_in_a_line() {
        let failure = anyhow!("`pip install` failed (exit status: 1):\nmuch\nERROR: no such package\nread the log");
        assert_eq!(
            in_a_line(&failure.context("pip cannot install it")),
            "pip cannot install it: ERROR: no such package"
        );
        assert_eq!(in_a_line(&anyhow!("there is no npm")), "there is no npm");
    }
}
