//! A workspace in which the packed crates replace those of a registry.

use anyhow::{Context, Result};
use toml::Table;

use super::crates::{INSTALLED_CRATE, SDK};

/// The manifest of a workspace of the unpacked crates: each replaces the registry's crate of its name. Its profile is
/// that of the tests, so that their dependencies are reused; the crates themselves are compiled quickly, without
/// optimisation.
///
/// # Errors
/// If the workspace has no such profile, or a crate's file name no version.
pub(super) fn stand_in(ours: &Table, members: &[String]) -> Result<Table> {
    let mut profile = ours["profile"]["ci"].as_table().context("the profile of the tests")?.clone();
    let packages = profile.get_mut("package").and_then(|packages| packages.as_table_mut()).context("dependencies")?;
    let mut quick = packages["*"].as_table().context("all dependencies")?.clone();
    quick.insert("opt-level".into(), 0.into());
    let mut patch = Table::new();
    for member in members {
        let (name, _) = member.rsplit_once('-').context("a crate's file says its version")?;
        // A patch for a crate on which no other one depends would be unused.
        if ![INSTALLED_CRATE, SDK].contains(&name) {
            patch.insert(name.into(), table("path", member.as_str()).into());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

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
