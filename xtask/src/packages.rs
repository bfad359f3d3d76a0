//! Packages that carry the arena: an archive, and what `pip`, `npm` and `cargo` install. A release and the test that
//! installs them make them here, by the same steps, around different binaries.
//!
//! | in the folder | for |
//! |---|---|
//! | `arena-VERSION-TARGET.tar.gz` | unpacking, and `cargo binstall` |
//! | `life_arena-VERSION-py3-none-PLATFORM.whl` | `pip install` |
//! | `life-arena-VERSION.tgz`, `life-arena-linux-MACHINE-VERSION.tgz` | `npm install`, both together |
//! | `crates/NAME-VERSION.crate` | a registry of crates |
//! | `life-arena-VERSION-source/`, and as `.tar.gz` | `cargo install --path`, `cargo publish --workspace`: what crates are made of |

mod archive;
mod crates;
pub(crate) mod elf;
mod npm;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

pub(crate) use crates::{INSTALLED_CRATE, source};

use crate::languages::in_a_line;
use crate::process::find_program;
use crate::workspace::{Workspace, remove_folder};

/// What the packages are called, on every registry: `arena` alone says too little there. The command is `arena` everywhere.
pub(crate) const NAME: &str = "life-arena";

/// What a package's page says.
const ABOUT: &str = "xtask/packages/README.md";

/// Says where the sources are, for those who read a package's page: a URL without `.git`. Nothing is said without it.
pub(crate) const REPOSITORY: &str = "ARENA_REPOSITORY";

/// A machine that binaries are made for, and what each system calls it.
pub(crate) struct Machine {
    /// In the header of a program (`e_machine`).
    number: u16,
    /// Rust's name, Python's and the kernel's.
    pub(crate) arch: &'static str,
    /// Node's.
    node: &'static str,
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
struct Product {
    root: PathBuf,
    binary: PathBuf,
    machine: &'static Machine,
    is_static: bool,
    version: String,
    description: String,
    license: String,
    repository: Option<String>,
}

impl Product {
    /// # Errors
    /// The binary is none, or for a machine that no package knows.
    fn new(workspace: &Workspace, binary: &Path) -> Result<Self> {
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
    fn target(&self) -> String {
        if self.is_static { self.machine.static_target() } else { format!("{}-unknown-linux-gnu", self.machine.arch) }
    }
}

/// What a machine may be without, or why it is: whoever has all of them makes all packages.
pub(crate) struct Tools {
    /// A folder with PyPA's `wheel`: no wheel without it.
    pub(crate) wheel: Result<PathBuf, String>,
    /// npm: no packages for it without.
    pub(crate) npm: Result<(), String>,
}

impl Tools {
    /// Looks for the tools, and fetches what can be fetched.
    pub(crate) fn ready(workspace: &Workspace) -> Self {
        let npm = find_program("npm", &std::env::var_os("PATH").unwrap_or_default());
        Self {
            wheel: wheel::tool(workspace).map_err(|error| in_a_line(&error)),
            npm: npm.map(drop).ok_or_else(|| "there is no npm on PATH".to_owned()),
        }
    }

    /// Whether all packages can be made, as a release needs.
    ///
    /// # Errors
    /// A tool is missing.
    pub(crate) fn are_all_there(&self) -> Result<()> {
        match self.wheel.as_ref().err().or(self.npm.as_ref().err()) {
            Some(reason) => bail!("not all packages can be made: {reason}"),
            None => Ok(()),
        }
    }
}

/// Makes all packages that the tools allow around a binary, in a folder that is emptied before.
///
/// # Errors
/// The binary is none that packages know, a tool fails, or a file cannot be read or written.
pub(crate) fn make(workspace: &Workspace, binary: &Path, tools: &Tools, out: &Path) -> Result<()> {
    let product = Product::new(workspace, binary)?;
    remove_folder(out)?;
    let scratch = out.join("scratch");
    fs::create_dir_all(&scratch)?;
    archive::make(&product, &scratch, out)?;
    if let Ok(tool) = &tools.wheel {
        wheel::make(&product, tool, &scratch, out)?;
    }
    if tools.npm.is_ok() {
        npm::make(&product, &scratch, out)?;
    }
    remove_folder(&scratch)?;
    crates::make(workspace, &product, out)
}

/// The files of a folder whose names end in something.
///
/// # Errors
/// It cannot be read.
pub(crate) fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Puts the binary where a package wants it, to be run by anybody, whatever this machine's mask is.
fn put_binary(product: &Product, to: &Path) -> Result<()> {
    fs::copy(&product.binary, to).with_context(|| format!("cannot write {}", to.display()))?;
    #[cfg(unix)]
    fs::set_permissions(to, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}
