//! The packages for `npm`: one per machine with just the binary, one that lists them as optional and starts the one
//! that npm chose, and the verifier for Node, without a binary. Nothing is downloaded or run during the installation.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use fs_err as fs;
use serde_json::{Map, Value, json};

use super::product::{ABOUT, MACHINES, Machine, NAME, Product, put_binary};
use crate::process::output;

/// The command of the main package: it becomes the binary (exec), so that signals and exit codes are the binary's own.
const START: &str = "xtask/packages/arena.sh";

/// The verifier's folder, and the script that makes what is built of it.
const VERIFIER: &str = "web/verify";
const VERIFIER_BUILD: &str = "web/tests/verifier.mjs";
const BUILT: &str = "built";

/// The name of a machine's package.
fn platform(machine: &Machine) -> String {
    format!("{NAME}-linux-{}", machine.node)
}

/// Makes all three packages in a folder. The modules and scripts of pages are there.
///
/// # Errors
/// If there is no Node or npm, or a file cannot be read or written.
pub(super) fn make(product: &Product, scratch: &Path, out: &Path) -> Result<()> {
    let own = platform(product.machine);
    let folder = scratch.join(&own);
    let mut manifest = manifest(product, &own);
    manifest.insert("description".into(), json!(format!("The binary of {NAME} for Linux on {}", product.machine.node)));
    manifest.insert("cpu".into(), json!([product.machine.node]));
    manifest.insert("files".into(), json!(["arena"]));
    fs::create_dir_all(&folder)?;
    put_binary(product, &folder.join("arena"))?;
    pack(product, &manifest, &folder, out)?;

    let folder = scratch.join(NAME);
    let mut manifest = self::manifest(product, NAME);
    let optional: Map<String, Value> =
        MACHINES.iter().map(|machine| (platform(machine), json!(product.version))).collect();
    manifest.insert("cpu".into(), MACHINES.iter().map(|machine| machine.node).collect());
    manifest.insert("bin".into(), json!({ "arena": "arena.sh" }));
    manifest.insert("files".into(), json!(["arena.sh"]));
    manifest.insert("optionalDependencies".into(), optional.into());
    fs::create_dir_all(&folder)?;
    let start = fs::read_to_string(product.root.join(START))?;
    fs::write(folder.join("arena.sh"), start)?;
    pack(product, &manifest, &folder, out)?;
    verifier(product, scratch, out)
}

/// Makes the verifier's package: its own manifest has what differs from the others'.
fn verifier(product: &Product, scratch: &Path, out: &Path) -> Result<()> {
    output(Command::new("node").current_dir(&product.root).arg(VERIFIER_BUILD))?;
    let name = format!("{NAME}-verify");
    let (own, folder) = (product.root.join(VERIFIER), scratch.join(&name));
    let mut manifest = manifest(product, &name);
    manifest.remove("os");
    manifest.extend(serde_json::from_slice::<Map<String, Value>>(&fs::read(own.join("package.json"))?)?);
    fs::create_dir_all(folder.join(BUILT))?;
    for folder_of_files in [Path::new(""), Path::new(BUILT)] {
        for file in fs::read_dir(own.join(folder_of_files))? {
            let file = file?;
            if file.file_type()?.is_file() {
                fs::copy(file.path(), folder.join(folder_of_files).join(file.file_name()))?;
            }
        }
    }
    pack(product, &manifest, &folder, out)
}

/// The fields that both manifests share.
fn manifest(product: &Product, name: &str) -> Map<String, Value> {
    let mut manifest = Map::from_iter([
        ("name".into(), json!(name)),
        ("version".into(), json!(product.version)),
        ("description".into(), json!(product.description)),
        ("license".into(), json!(product.license)),
        ("os".into(), json!(["linux"])),
    ]);
    if let Some(url) = &product.repository {
        manifest.insert("repository".into(), json!({ "type": "git", "url": format!("git+{url}.git") }));
    }
    manifest
}

fn pack(product: &Product, manifest: &Map<String, Value>, folder: &Path, out: &Path) -> Result<()> {
    fs::write(folder.join("package.json"), serde_json::to_vec(manifest)?)?;
    fs::copy(product.root.join(ABOUT), folder.join("README.md"))?;
    fs::copy(product.root.join("LICENSE"), folder.join("LICENSE"))?;
    let mut npm = Command::new("npm");
    output(npm.current_dir(folder).args(["pack", "--offline", "--pack-destination"]).arg(out)).map(drop)
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn the_command_knows_every_machines_package() -> Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask stands in the root")?;
        let start = fs::read_to_string(root.join(START))?;
        assert!(start.contains(&format!("/{NAME}-linux-$machine/arena")));
        for machine in &MACHINES {
            assert!(start.contains(&format!("{}) machine={} ;;", machine.arch, machine.node)), "{}", machine.arch);
        }
        Ok(())
    }
}
