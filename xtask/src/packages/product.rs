//! What packages are made around: a binary, its machine, and what is said of it everywhere.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err as fs;

use super::elf;
use crate::files::make_executable;
use crate::workspace::Workspace;

/// What the packages are called, on every registry: `arena` alone says too little there. The command is `arena` everywhere.
pub(crate) const NAME: &str = "life-arena";

/// What a package's page says.
pub(crate) const ABOUT: &str = "xtask/packages/README.md";

/// Says where the sources are, for those who read a package's page: a URL without `.git`. Nothing is said without it.
pub(crate) const REPOSITORY: &str = "ARENA_REPOSITORY";

/// A machine that binaries are made for, and what each system calls it.
pub(crate) struct Machine {
    /// In the header of a program (`e_machine`).
    pub(crate) number: u16,
    /// Rust's name, Python's and the kernel's.
    pub(crate) arch: &'static str,
    /// Node's.
    pub(crate) node: &'static str,
}

/// The machines of a release.
pub(crate) const MACHINES: [Machine; 2] =
    [Machine { number: 62, arch: "x86_64", node: "x64" }, Machine { number: 183, arch: "aarch64", node: "arm64" }];

impl Machine {
    /// What a static binary for it is built for.
    pub(crate) fn static_target(&self) -> String {
        format!("{}-unknown-linux-musl", self.arch)
    }
}

/// What all packages are made around.
pub(crate) struct Product {
    pub(crate) root: PathBuf,
    pub(crate) binary: PathBuf,
    pub(crate) machine: &'static Machine,
    pub(crate) is_static: bool,
    pub(crate) version: String,
    pub(crate) description: String,
    pub(crate) license: String,
    pub(crate) repository: Option<String>,
}

impl Product {
    /// What packages say about a binary.
    ///
    /// # Errors
    /// The binary is none, or for a machine that no package knows.
    pub(crate) fn new(workspace: &Workspace, binary: &Path) -> Result<Self> {
        let program = elf::read(binary)?;
        let machine = MACHINES.iter().find(|machine| machine.number == program.machine);
        let package = workspace.package("arena")?;
        let said = |key: &str| {
            package[key].as_str().map(str::to_owned).with_context(|| format!("the package arena says no {key}"))
        };
        Ok(Self {
            root: workspace.root.clone(),
            binary: binary.to_owned(),
            machine: machine.with_context(|| format!("no package is for the machine {}", program.machine))?,
            is_static: program.is_static,
            version: said("version")?,
            description: said("description")?,
            license: said("license")?,
            repository: std::env::var(REPOSITORY).ok().filter(|url| !url.is_empty()),
        })
    }

    /// What the binary was built for: a static one is musl's.
    pub(crate) fn target(&self) -> String {
        if self.is_static { self.machine.static_target() } else { format!("{}-unknown-linux-gnu", self.machine.arch) }
    }
}

/// Puts the binary where a package wants it, to be run by anybody.
pub(crate) fn put_binary(product: &Product, to: &Path) -> Result<()> {
    fs::copy(&product.binary, to)?;
    make_executable(to)
}
