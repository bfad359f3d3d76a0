//! A test of the workflows: they cannot be run here, but the names in them can be checked.

use std::path::Path;

use anyhow::{Context, Result};
use fs_err as fs;
use toml::Table;
use yaml_rust2::{Yaml, YamlLoader};

use crate::commands;
use crate::packages::product::{MACHINES, Machine, REPOSITORY};
use crate::workspace::Workspace;

/// All workflows.
const ALL: [&str; 4] = ["check.yml", "night.yml", "release.yml", "publish.yml"];

/// The length of a full commit hash, by which actions are pinned.
const COMMIT_CHARS: usize = 40;

fn workflow(name: &str) -> Result<(String, Yaml)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask stands in the root")?;
    let text = fs::read_to_string(root.join(".github/workflows").join(name))?;
    let parsed = YamlLoader::load_from_str(&text)?.into_iter().next().context("a workflow is a document")?;
    Ok((text, parsed))
}

fn jobs(workflow: &Yaml) -> Result<Vec<(&str, &Yaml)>> {
    let jobs = workflow["jobs"].as_hash().context("a workflow has jobs")?;
    Ok(jobs.iter().filter_map(|(name, job)| Some((name.as_str()?, job))).collect())
}

/// The values of a key in all steps of all jobs.
fn steps<'a>(workflow: &'a Yaml, key: &str) -> Result<Vec<&'a str>> {
    let jobs = jobs(workflow)?;
    let steps = jobs.iter().filter_map(|(_, job)| job["steps"].as_vec()).flatten();
    Ok(steps.filter_map(|step| step[key].as_str()).collect())
}

#[test]
fn a_workflow_names_commands_that_there_are() -> Result<()> {
    for (file, wanted) in [
        ("check.yml", &["demo", "test", "test"][..]),
        ("night.yml", &["night"][..]),
        ("release.yml", &["test", "dist"][..]),
    ] {
        let (_, workflow) = workflow(file)?;
        let mut named = Vec::new();
        for script in steps(&workflow, "run")? {
            for rest in script.split("cargo xtask ").skip(1) {
                named.push(rest.split_whitespace().next().context("a command is named")?);
            }
        }
        assert_eq!(named, wanted, "{file}");
        assert!(named.iter().all(|name| commands::named(name).is_some()), "{named:?}");
    }
    Ok(())
}

#[test]
fn a_release_is_built_for_the_machines_that_packages_know_after_the_tests() -> Result<()> {
    let (_, release) = workflow("release.yml")?;
    let build = &release["jobs"]["build"];
    let entries = build["strategy"]["matrix"]["include"].as_vec().context("a list of machines")?;
    let targets: Vec<&str> = entries.iter().filter_map(|entry| entry["target"].as_str()).collect();
    assert_eq!(targets, MACHINES.each_ref().map(Machine::static_target));
    assert_eq!(build["needs"].as_str(), Some("test"));
    assert_eq!(release["jobs"]["release"]["needs"].as_str(), Some("build"));
    Ok(())
}

#[test]
fn a_release_is_built_by_the_workspaces_rust_and_says_where_it_is_from() -> Result<()> {
    let (_, release) = workflow("release.yml")?;
    let workspace = Workspace::here()?;
    let ours = workspace.package("arena")?["rust_version"].as_str().context("a version of Rust")?;
    let rust = release["env"]["RUST"].as_str().context("the release names its Rust")?;
    assert!(rust.starts_with(&format!("{ours}.")), "{rust} is not {ours}");
    for file in ["check.yml", "night.yml"] {
        assert_eq!(workflow(file)?.1["env"]["RUST"].as_str(), Some(rust), "{file}");
    }
    let pinned: Table = fs::read_to_string(workspace.root.join("rust-toolchain.toml"))?.parse()?;
    assert_eq!(pinned["toolchain"]["channel"].as_str(), Some(rust));
    assert!(release["env"][REPOSITORY].as_str().is_some());
    let (publish, _) = workflow("publish.yml")?;
    assert!(publish.contains(&format!("rustup toolchain install {rust} ")));
    Ok(())
}

#[test]
fn actions_are_pinned_and_jobs_get_the_least() -> Result<()> {
    for name in ALL {
        let (_, workflow) = workflow(name)?;
        assert_eq!(workflow["permissions"].as_hash().map(|all| all.len()), Some(0), "{name}");
        for action in steps(&workflow, "uses")? {
            let (action, commit) = action.split_once('@').context("an action has a version")?;
            assert!(action.starts_with("actions/"), "{action} is a third party's");
            assert!(commit.len() == COMMIT_CHARS && commit.chars().all(|c| c.is_ascii_hexdigit()), "{action}@{commit}");
        }
        for (job, said) in jobs(&workflow)? {
            assert!(said["timeout-minutes"].as_i64().is_some(), "{job} may run for ever");
            let contents = said["permissions"]["contents"].as_str();
            assert_eq!(contents, Some(if job == "release" { "write" } else { "read" }), "{job}");
        }
    }
    Ok(())
}

#[test]
fn every_push_is_checked_as_a_contributor_would_and_for_advisories() -> Result<()> {
    let (_, check) = workflow("check.yml")?;
    let triggers = check["on"].as_hash().context("a workflow has triggers")?;
    assert_eq!(triggers.keys().map(Yaml::as_str).collect::<Vec<_>>(), [Some("push"), Some("pull_request")]);
    let run = steps(&check, "run")?;
    for wanted in ["cargo build --locked", "cargo test --locked", "cargo xtask test", "cargo xtask test deny"] {
        assert!(run.contains(&wanted), "{wanted}");
    }
    assert!(run.iter().any(|script| script.contains("check advisories")));
    // What the demo leaves can serve a site.
    let place = |words: &str| run.iter().position(|script| script.contains(words)).context(words.to_owned());
    assert_eq!(place("target/ci/arena serve ")?, place("cargo xtask demo")? + 1);
    Ok(())
}

#[test]
fn nothing_is_published_but_by_hand() -> Result<()> {
    for name in ["check.yml", "night.yml", "release.yml"] {
        let (text, _) = workflow(name)?;
        assert!(!text.contains("secrets.") && !text.contains("id-token"), "{name} needs no secret");
    }
    let (_, publish) = workflow("publish.yml")?;
    let triggers = publish["on"].as_hash().context("a workflow has triggers")?;
    assert_eq!(triggers.keys().map(Yaml::as_str).collect::<Vec<_>>(), [Some("workflow_dispatch")]);
    for (job, said) in jobs(&publish)? {
        assert_eq!(said["environment"].as_str(), Some("registries"), "{job}");
    }
    Ok(())
}
