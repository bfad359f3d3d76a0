//! The crates that `cargo install` compiles. In the tree, two of them compile in files from outside their folders, and
//! none is meant for a registry; so a tree is staged in which each crate contains what it needs, and cargo packs that.
//!
//! A crate that compiles in files from elsewhere lists them in its `embedded.txt`; its build script takes them from the
//! tree or, in a package, from `embedded/`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use serde_json::Value;
use toml::Table;

use super::archive;
use super::product::{ABOUT, NAME, Product};
use crate::files::{ending_in, remove_folder};
use crate::process::output;
use crate::workspace::{BUNDLED, ENGINE, ENGINE_MODULES, Workspace};

/// The crate with the command.
pub(crate) const INSTALLED_CRATE: &str = NAME;

/// The crates published for their own sake: the command, and the SDK for bots in Rust. The others are their
/// dependencies.
const PUBLISHED: [&str; 2] = ["arena", "arena-sdk"];

/// The SDK for bots in Rust.
pub(crate) const SDK: &str = "life-arena-sdk";

/// The SDK's crates as published: authors of bots read their documentation.
pub(crate) const SDK_CRATES: [&str; 3] = ["life-arena-rules", "life-arena-wire", SDK];

/// The parts of a crate's folder that are not packed: installing does not need them, and they name files outside the
/// crate.
const LEFT_OUT: [&str; 5] = ["Cargo.toml", "benches", "definitions", "examples", "tests"];

/// The tables of a manifest about parts that are not packed.
const TABLES_LEFT_OUT: [&str; 4] = ["dev-dependencies", "example", "test", "bench"];

/// The folder of a packed crate in which its build script finds files from the tree; and the name of manifests there,
/// because cargo skips folders with a manifest.
const EMBEDDED: &str = "embedded";
const PACKED_MANIFEST: &str = "Cargo.toml.packed";

/// Stages the tree, packs its crates into `crates`, and the whole tree into an archive.
///
/// # Errors
/// If Cargo rejects the staged tree, or a file cannot be read or written.
pub(super) fn make(workspace: &Workspace, product: &Product, out: &Path) -> Result<()> {
    let name = source(&product.version);
    let source = out.join(&name);
    stage(workspace, product, &source)?;
    let mut cargo = workspace.cargo_in(&source);
    // Nothing is compiled here: the test compiles when it installs the crates. Nothing is looked up, since the lock
    // file names all versions.
    cargo.args("package --workspace --no-verify --offline --target-dir".split(' '));
    output(cargo.arg(out.join("target")))?;
    let crates = out.join("crates");
    fs::create_dir_all(&crates)?;
    for file in ending_in(&out.join("target/package"), ".crate")? {
        fs::rename(&file, crates.join(file.file_name().context("a file has a name")?))?;
    }
    remove_folder(&out.join("target"))?;
    archive::tar(out, &name, &out.join(format!("{name}.tar.gz")))
}

/// The name of the staged tree.
pub(crate) fn source(version: &str) -> String {
    format!("{NAME}-{version}-source")
}

fn stage(workspace: &Workspace, product: &Product, source: &Path) -> Result<()> {
    let members = needed(&workspace.metadata)?;
    for (member, package) in &members {
        let manifest = Path::new(package["manifest_path"].as_str().context("a package has a manifest")?);
        let home = manifest.parent().context("a manifest is in a folder")?;
        let folder = source.join(published(member));
        copy_entries(home, &folder, &LEFT_OUT)?;
        fs::copy(workspace.root.join("LICENSE"), folder.join("LICENSE"))?;
        fs::copy(workspace.root.join(ABOUT), folder.join("README.md"))?;
        embed(workspace, &folder)?;
        let mut table = member_manifest(&read(manifest)?, product)?;
        if folder.join("src/lib.rs").is_file() {
            keep_library_name(&mut table, member)?;
        }
        fs::write(folder.join("Cargo.toml"), table.to_string())?;
    }
    // The page's rules and bundled scripts are made by this build, and are not in the tree.
    let embedded = source.join(published("arena-server")).join(EMBEDDED);
    copy_entries(&workspace.root.join(BUNDLED), &embedded.join(BUNDLED), &[".gitignore"])?;
    let engine = embedded.join(ENGINE);
    fs::create_dir_all(&engine)?;
    for module in ENGINE_MODULES {
        fs::copy(workspace.engine().join(module.file), engine.join(module.file))
            .context("the rules for the page are not built")?;
    }
    let names: Vec<&str> = members.keys().map(String::as_str).collect();
    let root = workspace_manifest(&read(&workspace.root.join("Cargo.toml"))?, &names, product)?;
    fs::write(source.join("Cargo.toml"), root.to_string())?;
    fs::copy(workspace.root.join("Cargo.lock"), source.join("Cargo.lock"))?;
    Ok(())
}

/// The published members and all their dependencies in the workspace, by name.
fn needed(metadata: &Value) -> Result<BTreeMap<String, &Value>> {
    let packages = metadata["packages"].as_array().context("cargo metadata has packages")?;
    let mut found = BTreeMap::new();
    let mut open = PUBLISHED.to_vec();
    while let Some(name) = open.pop() {
        let Some(package) = packages.iter().find(|package| package["name"] == name) else { continue };
        if found.insert(name.to_owned(), package).is_some() {
            continue;
        }
        let dependencies = package["dependencies"].as_array().context("a package has dependencies")?;
        let needed = dependencies.iter().filter(|dependency| dependency["kind"] != "dev");
        open.extend(needed.filter_map(|dependency| dependency["name"].as_str()));
    }
    Ok(found)
}

/// A member's name on a registry, where `arena-rules` would be too general.
fn published(member: &str) -> String {
    member.replacen("arena", NAME, 1)
}

/// A member's manifest as published.
fn member_manifest(manifest: &Table, product: &Product) -> Result<Table> {
    let mut manifest = manifest.clone();
    for table in TABLES_LEFT_OUT {
        manifest.remove(table);
    }
    let package = manifest.get_mut("package").and_then(|package| package.as_table_mut()).context("a package")?;
    let name = package["name"].as_str().context("a package has a name")?;
    package.insert("name".into(), published(name).into());
    package.insert("readme".into(), "README.md".into());
    package.remove("publish");
    if let Some(url) = &product.repository {
        package.insert("repository".into(), url.clone().into());
    }
    // The programs include one that tests start.
    let is_left_out = |program: &toml::Value| {
        let path = program.get("path").and_then(|path| path.as_str()).unwrap_or_default();
        LEFT_OUT.iter().any(|folder| Path::new(path).starts_with(folder))
    };
    if let Some(programs) = manifest.get_mut("bin").and_then(|programs| programs.as_array_mut()) {
        programs.retain(|program| !is_left_out(program));
        if programs.is_empty() {
            manifest.remove("bin");
        }
    }
    Ok(manifest)
}

/// Keeps the library's name in the tree, which all examples use.
fn keep_library_name(manifest: &mut Table, member: &str) -> Result<()> {
    let library = manifest.entry("lib").or_insert_with(|| Table::new().into());
    library.as_table_mut().context("a table")?.entry("name").or_insert_with(|| member.replace('-', "_").into());
    Ok(())
}

/// The workspace's manifest with only these members, by path here, and by name once published.
fn workspace_manifest(manifest: &Table, members: &[&str], product: &Product) -> Result<Table> {
    let mut manifest = manifest.clone();
    manifest.remove("profile");
    let workspace = manifest.get_mut("workspace").and_then(|table| table.as_table_mut()).context("a workspace")?;
    workspace.remove("default-members");
    workspace.remove("exclude");
    let names: Vec<toml::Value> = members.iter().map(|member| published(member).into()).collect();
    workspace.insert("members".into(), names.into());
    let package = workspace.get_mut("package").and_then(|table| table.as_table_mut()).context("its package")?;
    package.remove("publish");
    let dependencies = workspace.get_mut("dependencies").and_then(|table| table.as_table_mut());
    let dependencies = dependencies.context("its dependencies")?;
    dependencies.retain(|name, value| value.get("path").is_none() || members.contains(&name));
    for member in members {
        if let Some(dependency) = dependencies.get_mut(*member) {
            let (name, version) = (published(member), format!("={}", product.version));
            let said = [("path", name.clone()), ("package", name), ("version", version)];
            *dependency = said.map(|(key, value)| (key.to_owned(), value.into())).into_iter().collect::<Table>().into();
        }
    }
    Ok(manifest)
}

/// Copies a crate's files from outside its folder into it.
fn embed(workspace: &Workspace, folder: &Path) -> Result<()> {
    let list = folder.join("embedded.txt");
    if !list.exists() {
        return Ok(());
    }
    for taken in fs::read_to_string(list)?.lines() {
        let (from, to) = (workspace.root.join(taken), folder.join(EMBEDDED).join(taken));
        ensure!(from.exists(), "{taken} is to be embedded, but is not in the tree");
        fs::create_dir_all(to.parent().context("a path in a folder")?)?;
        copy(&from, &to)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        return copy_entries(from, to, &[]);
    }
    let is_manifest = to.ends_with("Cargo.toml");
    let to = if is_manifest { to.with_file_name(PACKED_MANIFEST) } else { to.to_owned() };
    fs::copy(from, &to)?;
    Ok(())
}

fn copy_entries(from: &Path, to: &Path, left_out: &[&str]) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        if !left_out.iter().any(|left_out| name == *left_out) {
            copy(&from.join(&name), &to.join(&name))?;
        }
    }
    Ok(())
}

fn read(manifest: &Path) -> Result<Table> {
    fs::read_to_string(manifest)?.parse().with_context(|| format!("{} is no TOML", manifest.display()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_command_needs_is_packed_and_what_tests_need_is_not() -> Result<()> {
        let package = |name: &str, needs: &[(&str, Value)]| {
            let needs: Vec<Value> = needs.iter().map(|(name, kind)| json!({ "name": name, "kind": kind })).collect();
            json!({ "name": name, "dependencies": needs })
        };
        let metadata = json!({ "packages": [
            package("arena", &[("arena-runner", Value::Null), ("arena-oracle", json!("dev")), ("anyhow", json!("build"))]),
            package("arena-runner", &[("arena-rules", Value::Null)]),
            package("arena-rules", &[("arena-runner", json!("dev"))]),
            package("arena-oracle", &[]),
            package("arena-sdk", &[("arena-wire", Value::Null), ("arena-baselines", json!("dev"))]),
            package("arena-wire", &[("arena-rules", Value::Null)]),
            package("arena-baselines", &[]),
        ]});
        let names: Vec<String> = needed(&metadata)?.into_keys().collect();
        assert_eq!(names, ["arena", "arena-rules", "arena-runner", "arena-sdk", "arena-wire"]);
        Ok(())
    }

    fn product() -> Product {
        Product {
            root: "/tree".into(),
            binary: "/tree/arena".into(),
            machine: &crate::packages::product::MACHINES[0],
            is_static: true,
            version: "1.2.3".into(),
            description: String::new(),
            license: String::new(),
            repository: None,
        }
    }

    #[test]
    fn a_members_manifest_loses_its_tests_and_may_be_published() -> Result<()> {
        let ours: Table = r#"
            bin = [{ name = "runner-test-worker", path = "tests/worker.rs" }]
            package = { name = "arena-runner", publish.workspace = true, version.workspace = true }
            dependencies = { arena-rules.workspace = true }
            dev-dependencies = { tempfile.workspace = true }"#
            .parse()?;
        let expected: Table = r#"
            package = { name = "life-arena-runner", version.workspace = true, readme = "README.md" }
            dependencies = { arena-rules.workspace = true }"#
            .parse()?;
        assert_eq!(member_manifest(&ours, &product())?, expected);
        Ok(())
    }

    #[test]
    fn the_workspace_finds_members_by_their_published_names() -> Result<()> {
        let ours: Table = r#"
            [workspace]
            members = ["arena/runner", "sdk/rules", "arena/oracle"]
            exclude = ["fuzz"]
            package = { version = "1.2.3", publish = false }
            [workspace.dependencies]
            anyhow = "1"
            arena-rules = { path = "sdk/rules" }
            arena-oracle = { path = "arena/oracle" }
            [profile.release]
            debug = false"#
            .parse()?;
        let expected: Table = r#"
            [workspace]
            members = ["life-arena-rules", "life-arena-runner"]
            package = { version = "1.2.3" }
            [workspace.dependencies]
            anyhow = "1"
            arena-rules = { path = "life-arena-rules", package = "life-arena-rules", version = "=1.2.3" }"#
            .parse()?;
        assert_eq!(workspace_manifest(&ours, &["arena-rules", "arena-runner"], &product())?, expected);
        Ok(())
    }
}
