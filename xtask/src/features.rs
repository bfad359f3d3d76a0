//! A test that the arena and its tests share one build: cargo compiles a dependency once for each set of requested
//! features, and the tests depend on more crates than the arena alone. The features that those request of the arena's
//! dependencies are always enabled, in the workspace's manifest.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};

use crate::process::output;
use crate::workspace::{ONE_TOKIO, Workspace};

/// All packages compiled for a choice of packages and kinds of dependencies, with their features.
fn compiled(workspace: &Workspace, choice: &str) -> Result<BTreeSet<String>> {
    let mut cargo = workspace.cargo();
    cargo.args("tree --locked --prefix none --format".split(' ')).arg("{p} [{f}]").args(choice.split(' '));
    // `cargo tree` marks repeated packages in this way.
    Ok(output(&mut cargo)?.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect())
}

#[test]
fn the_arena_and_the_tasks_are_compiled_with_the_features_of_the_whole_workspace() -> Result<()> {
    let workspace = Workspace::here()?;
    let tests = compiled(&workspace, "--workspace --edges normal,build,dev")?;
    let arena = format!("arena --features {ONE_TOKIO}");
    for package in [&arena, &format!("{arena} --no-default-features"), "xtask"] {
        let mut alone = compiled(&workspace, &format!("--package {package} --edges normal,build"))?;
        // The only crate that is compiled more than once: first without its site, so that the demo can start early,
        // then with it, and with the second engine for tests.
        alone.retain(|line| !line.starts_with("arena v"));
        assert!(
            alone.len() > 20 && alone.iter().any(|line| line.starts_with("serde_core ")),
            "{} packages",
            alone.len()
        );
        let twice: Vec<&String> = alone.difference(&tests).collect();
        assert!(twice.is_empty(), "the tests compile these of {package} once more, with other features: {twice:#?}");
    }
    Ok(())
}

/// The dependencies of macros are also in the tests of xtask. `lto = "off"` is recorded for each crate, `false` is not.
#[test]
fn macros_are_compiled_once_for_the_arena_and_its_tests() -> Result<()> {
    let manifest: toml::Table = toml::from_str(&fs_err::read_to_string(Workspace::here()?.root.join("Cargo.toml"))?)?;
    for profile in ["release", "ci"] {
        let lto = manifest["profile"][profile].get("lto");
        assert!(lto.is_none_or(|lto| lto.as_bool() == Some(false)), "{profile}: {lto:?}");
    }
    Ok(())
}

/// `cargo xtask test deny` checks the same list for all targets, if cargo-deny is installed.
#[test]
fn each_second_version_of_a_crate_has_a_reason() -> Result<()> {
    let workspace = Workspace::here()?;
    let mut compiled_versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in compiled(&workspace, "--workspace --edges normal,build,dev")? {
        let mut words = line.split(' ');
        // Members are separated by empty lines.
        let Some((name, version)) = words.next().zip(words.next()) else { continue };
        compiled_versions.entry(name.to_owned()).or_default().insert(version.trim_start_matches('v').to_owned());
    }
    let deny: toml::Table = toml::from_str(&fs_err::read_to_string(workspace.root.join("deny.toml"))?)?;
    for skipped in deny["bans"]["skip"].as_array().context("a list")? {
        let spec = skipped["crate"].as_str().context("a crate")?;
        assert!(skipped["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{spec} has no reason");
        let (name, version) = spec.split_once('@').context("a crate with a version")?;
        let versions = compiled_versions.get_mut(name).with_context(|| format!("{name} is not compiled"))?;
        let before = versions.len();
        versions.retain(|other| !other.starts_with(&format!("{version}.")));
        assert!(
            before > 1 && versions.len() == before - 1,
            "{spec} is not one of several versions: take it off the list"
        );
    }
    compiled_versions.retain(|_, versions| versions.len() > 1);
    assert!(compiled_versions.is_empty(), "several versions, without a reason in deny.toml: {compiled_versions:#?}");
    Ok(())
}
