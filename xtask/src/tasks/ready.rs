//! Prerequisites of steps: each is made once, as a step of its own, when it is first needed.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::apt;
use crate::bots::guests::{self, Built};
use crate::bots::languages::Compilers;
use crate::nextest::Tests;
use crate::process::run;
use crate::steps::Steps;
use crate::wasm::{self, WasmToolchain};
use crate::web::{self, Scripts};
use crate::workspace::{BUILD, ENGINE_MODULES, ONE_TOKIO, TARGET_DIR, Workspace};

/// The profile that tests, lints and their dependencies share.
pub(crate) const PROFILE: &str = "ci";

/// A proxy in front of two servers, and its package in Debian.
const PROXY: [&str; 2] = ["nginx", "nginx-light"];

/// The announcement of the first build.
const FIRST_BUILD: &str = "building the arena: the first time only, about 300 crates; cargo counts them";
/// The announcement of the first build in two parts.
const FIRST_PART: &str =
    "building the arena without its site: the first time only, about 190 crates; cargo counts them";
const WITHOUT_SITE: &[&str] = &["--no-default-features"];
/// What the demo builds in the end: not the second engine, in which nothing is played.
const WITH_SITE: &[&str] = &["--no-default-features", "--features", "site"];
const SECOND_PART: &str = "building the site: the first time only, up to 130 more crates";

/// The steps so far, and the prerequisites that are ready.
pub(crate) struct Ready<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) steps: Steps,
    toolchain: OnceCell<WasmToolchain>,
    engine: OnceCell<()>,
    bundle: OnceCell<()>,
    compilers: OnceCell<Compilers>,
    arena: OnceCell<PathBuf>,
    proxy: OnceCell<()>,
    browser: OnceCell<Scripts<'a>>,
    tests: OnceCell<Tests<'a>>,
}

impl<'a> Ready<'a> {
    /// Nothing is ready yet.
    pub(crate) fn new(workspace: &'a Workspace) -> Self {
        let steps = Steps::default();
        let (engine, bundle, proxy) = Default::default();
        let (toolchain, compilers, arena, browser, tests) = Default::default();
        Self { workspace, steps, toolchain, engine, bundle, compilers, arena, proxy, browser, tests }
    }

    /// The toolchain that builds for WebAssembly.
    pub(crate) fn toolchain(&self) -> Result<&WasmToolchain> {
        let make = || wasm::toolchain(self.workspace);
        once(&self.toolchain, || self.steps.build("making Rust ready for WebAssembly", make))
    }

    /// The rules for the page, which the server embeds.
    pub(crate) fn engine(&self) -> Result<()> {
        let toolchain = self.toolchain()?;
        let build = || guests::build_engine(self.workspace, toolchain);
        once(&self.engine, || self.steps.build("building the rules for the page", build)).copied()
    }

    /// The pages' scripts, bundled, which the server embeds. Where esbuild cannot be had, it embeds their modules.
    pub(crate) fn bundle(&self) -> Result<()> {
        let bundle = || match web::install_packages(self.workspace) {
            Ok(()) => web::bundle(self.workspace),
            Err(error) => {
                println!("    skipped, so pages load every module by itself: {error:#}");
                Ok(())
            }
        };
        once(&self.bundle, || self.steps.build("bundling the scripts of pages", bundle)).copied()
    }

    /// Every bot whose compiler is available; returns the compilers.
    pub(crate) fn bots(&self) -> Result<&Compilers> {
        let toolchain = self.toolchain()?;
        once(&self.compilers, || {
            let compilers =
                self.steps.build("making C, Zig and AssemblyScript ready", || Compilers::ready(self.workspace))?;
            self.steps.build("building the bots", || {
                let Built { count, skipped } = guests::build(self.workspace, toolchain, &compilers)?;
                for line in skipped {
                    println!("    {line}");
                }
                println!("    {count} bots: {}", self.workspace.shown(&self.workspace.bots()));
                Ok(())
            })?;
            Ok(compilers)
        })
    }

    /// The arena for tests, with every check enabled, with the rules for the page and bundled scripts; returns its
    /// path. Tests reuse what this compiles, and the other way round: `xtask/src/features.rs`.
    pub(crate) fn arena(&self) -> Result<&Path> {
        self.engine()?;
        self.bundle()?;
        let arena = once(&self.arena, || {
            let arena = self.workspace.arena_of(PROFILE);
            let title = if arena.exists() { "building the arena" } else { FIRST_BUILD };
            self.build(title, self.workspace.lints(&self.workspace.cargo)?, &[])?;
            Ok(arena)
        })?;
        Ok(arena)
    }

    /// The arena as early as possible, for something to look at: without the site's code, unless that is built already.
    /// [`Ready::rest_of_the_arena`] builds the rest.
    pub(crate) fn first_of_the_arena(&self) -> Result<PathBuf> {
        let arena = self.workspace.arena_of(PROFILE);
        if arena.exists() {
            self.build("building the arena", self.workspace.cargo(), WITH_SITE)?;
        } else {
            self.build(FIRST_PART, self.workspace.cargo(), WITHOUT_SITE)?;
        }
        Ok(arena)
    }

    /// Builds what the demo builds first; a warning is an error. The arena for tests stays where it is.
    pub(crate) fn arena_without_site(&self) -> Result<()> {
        let mut cargo = self.workspace.lints(&self.workspace.cargo)?;
        let target = &self.workspace.target;
        cargo.env(BUILD, target).env(TARGET_DIR, target.join("without-site"));
        self.build("building the arena without its site", cargo, WITHOUT_SITE)
    }

    /// Whether [`Ready::first_of_the_arena`] will leave out the site, or the rules for pages, which it embeds.
    pub(crate) fn is_without_site(&self) -> bool {
        let has_engine = ENGINE_MODULES.iter().all(|module| self.workspace.engine().join(module.file).is_file());
        !(has_engine && self.workspace.arena_of(PROFILE).exists())
    }

    /// Builds what [`Ready::first_of_the_arena`] left out; only the command line is compiled twice
    /// (`xtask/src/features.rs`). Returns whether the rules for pages are there: they need a compiler for WebAssembly,
    /// which may be impossible to get here.
    pub(crate) fn rest_of_the_arena(&self) -> Result<bool> {
        let engine = self.engine();
        if let Err(error) = &engine {
            println!("    {error:#}");
        }
        let rest =
            || self.build(SECOND_PART, self.workspace.cargo(), WITH_SITE).map(|()| self.workspace.arena_of(PROFILE));
        once(&self.arena, rest)?;
        Ok(engine.is_ok())
    }

    fn build(&self, title: &str, mut cargo: Command, choice: &[&str]) -> Result<()> {
        cargo.args(["build", "--package", "arena", "--profile", PROFILE, "--features", ONE_TOKIO]).args(choice);
        self.steps.build(title, || run(&mut cargo))
    }

    /// The Rust tests, compiled.
    pub(crate) fn tests(&self) -> Result<&Tests<'a>> {
        self.bundle()?;
        once(&self.tests, || {
            self.steps.build("compiling and linting the tests", || {
                let tests = Tests::ready(self.workspace)?;
                tests.compile(PROFILE)?;
                Ok(tests)
            })
        })
    }

    /// A proxy for tests, if it can be installed; one that lacks it is left out, and says so.
    pub(crate) fn proxy(&self) -> Result<()> {
        let install = || {
            apt::install_if_possible(PROXY);
            Ok(())
        };
        once(&self.proxy, || self.steps.build("making a proxy ready", install)).copied()
    }

    /// Scripts that run the arena in a browser.
    pub(crate) fn browser(&self) -> Result<&Scripts<'a>> {
        let arena = self.arena()?;
        let scripts = || Scripts::ready(self.workspace, arena.to_owned())?.with_browser();
        once(&self.browser, || self.steps.build("making a browser ready", scripts))
    }
}

/// The value of a cell, created first if it is empty.
fn once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(made) = cell.get() {
        return Ok(made);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}
