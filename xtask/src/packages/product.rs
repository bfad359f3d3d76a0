//! The input of all packages: a binary, its machine, and the metadata.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fs_err as fs;

use crate::files::make_executable;
use crate::process::output;
use crate::workspace::Workspace;

/// The packages' name on every registry: `arena` alone is too general there. The command is always called `arena`.
pub(crate) const NAME: &str = "life-arena";

/// The text of a package's page.
pub(crate) const ABOUT: &str = "xtask/packages/README.md";

/// The URL of the sources, without `.git`, for the pages of packages. They mention none without it.
pub(crate) const REPOSITORY: &str = "ARENA_REPOSITORY";

/// A machine for which binaries are made, and its names in each system.
pub(crate) struct Machine {
    /// Rust's name, Python's and the kernel's.
    pub(crate) arch: &'static str,
    /// Node's.
    pub(crate) node: &'static str,
}

/// The machines of a release.
pub(crate) const MACHINES: [Machine; 2] =
    [Machine { arch: "x86_64", node: "x64" }, Machine { arch: "aarch64", node: "arm64" }];

impl Machine {
    /// The target of a static binary for it.
    pub(crate) fn static_target(&self) -> String {
        format!("{}-unknown-linux-musl", self.arch)
    }
}

/// The product that packages contain.
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
    /// The metadata for packages of a binary, which was built on this machine.
    ///
    /// # Errors
    /// If the file is not a binary, or no packages are made for this machine.
    pub(crate) fn new(workspace: &Workspace, binary: &Path) -> Result<Self> {
        let package = workspace.package("arena")?;
        let said = |key: &str| {
            package[key].as_str().map(str::to_owned).with_context(|| format!("the package arena says no {key}"))
        };
        Ok(Self {
            root: workspace.root.clone(),
            binary: binary.to_owned(),
            machine: machine()?,
            is_static: is_static(binary)?,
            version: said("version")?,
            description: said("description")?,
            license: said("license")?,
            repository: std::env::var(REPOSITORY).ok().filter(|url| !url.is_empty()),
        })
    }

    /// The binary's target: musl for static ones.
    pub(crate) fn target(&self) -> String {
        if self.is_static { self.machine.static_target() } else { format!("{}-unknown-linux-gnu", self.machine.arch) }
    }
}

/// This machine, if packages are made for it.
pub(super) fn machine() -> Result<&'static Machine> {
    let found = MACHINES.iter().find(|machine| machine.arch == std::env::consts::ARCH);
    let known: Vec<&str> = MACHINES.iter().map(|machine| machine.arch).collect();
    found
        .filter(|_| cfg!(target_os = "linux"))
        .with_context(|| format!("packages are made on Linux, on {}", known.join(" or ")))
}

/// Whether a binary runs without shared libraries: it names no program that loads them.
pub(super) fn is_static(binary: &Path) -> Result<bool> {
    let headers = output(Command::new("readelf").args(["--program-headers", "--wide"]).arg(binary))?;
    Ok(!headers.contains("INTERP"))
}

/// Copies the binary to a place in a package, executable for everybody.
pub(crate) fn put_binary(product: &Product, to: &Path) -> Result<()> {
    fs::copy(&product.binary, to)?;
    make_executable(to)
}
