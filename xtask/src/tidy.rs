//! A test of the workspace's layers: the allowed dependencies between members, and the members that may use each
//! engine.
//!
//! It reads direct dependencies from `cargo metadata`. It does not check that only edges print: clippy's `print_stdout`
//! does, in every crate with the workspace's lints, which is checked here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

/// The members on which a member may depend.
enum Layer {
    /// These, and in its tests also those in `in_tests`.
    Some { always: &'static [&'static str], in_tests: &'static [&'static str] },
    /// These, and in its tests any.
    AnyInTests(&'static [&'static str]),
    /// Any: it is an edge.
    Any,
}

use Layer::{Any, AnyInTests};

const RULES: &str = "arena-rules";
const WIRE: &str = "arena-wire";
const CLOCK: &str = "arena-clock";
const FILES: &str = "arena-files";
const LIMITS: &str = "arena-limits";
const TEXT: &str = "arena-text";
const RECORD: &str = "arena-record";
const REFEREE: &str = "arena-referee";
const NOTATION: &str = "arena-notation";
const ROOMS: &str = "arena-rooms";
const PEOPLE: &str = "arena-people";
const WORLD: &str = "arena-world";
const SDK: &str = "arena-sdk";
const BASELINES: &str = "arena-baselines";
const METER: &str = "arena-meter";
const CHECK: &str = "arena-check";
const ASSEMBLER: &str = "arena-assembler";
const LEDGER: &str = "arena-ledger";
const SCRIPTS: &str = "arena-scripts";
const SANDBOX: &str = "arena-sandbox";
const ORACLE: &str = "arena-oracle";
const WORKER: &str = "arena-worker";
const TOURNAMENTS: &str = "arena-tournaments";
const SERVICE: &str = "arena-service";
const RELEASED: &str = "arena-released";
const RUNNER: &str = "arena-runner";
const SERVER: &str = "arena-server";
const CLI: &str = "arena";

/// The layer of each member. A bot of the gallery needs no line.
const LAYERS: [(&str, Layer); 36] = [
    (RULES, AnyInTests(&[])),
    (WIRE, AnyInTests(&[RULES])),
    (CLOCK, AnyInTests(&[])),
    (FILES, AnyInTests(&[])),
    (LIMITS, AnyInTests(&[])),
    (TEXT, AnyInTests(&[])),
    (RECORD, AnyInTests(&[RULES, WIRE])),
    (REFEREE, AnyInTests(&[LIMITS, RULES, WIRE, RECORD])),
    (NOTATION, AnyInTests(&[RULES, WIRE, RECORD, REFEREE])),
    (SDK, AnyInTests(&[RULES, WIRE])),
    ("arena-javascript", AnyInTests(&[RULES, WIRE, SDK])),
    ("arena-python", AnyInTests(&[RULES, WIRE, SDK])),
    (BASELINES, Layer::Some { always: &[RULES, WIRE], in_tests: &[SDK] }),
    (ROOMS, AnyInTests(&[LIMITS, RULES, WIRE, RECORD, REFEREE])),
    // The rooms define the names of persons and rooms.
    (PEOPLE, AnyInTests(&[LIMITS, RULES, RECORD, ROOMS])),
    (WORLD, AnyInTests(&[RULES, WIRE, RECORD])),
    (METER, AnyInTests(&[])),
    (SCRIPTS, AnyInTests(&[LIMITS])),
    (CHECK, AnyInTests(&[LIMITS, RECORD, REFEREE, METER])),
    (ASSEMBLER, AnyInTests(&[CHECK])),
    (SANDBOX, AnyInTests(&[WIRE, RECORD, REFEREE, METER, CHECK])),
    (RELEASED, AnyInTests(&[])),
    (TOURNAMENTS, AnyInTests(&[LIMITS, RULES, WIRE, RECORD])),
    (LEDGER, AnyInTests(&[LIMITS, RULES, WIRE, RECORD, REFEREE, BASELINES, CHECK, TOURNAMENTS])),
    (WORKER, AnyInTests(&[LIMITS, RECORD, REFEREE, SANDBOX])),
    (
        RUNNER,
        AnyInTests(&[
            FILES,
            LIMITS,
            RULES,
            WIRE,
            RECORD,
            REFEREE,
            SANDBOX,
            WORKER,
            BASELINES,
            RELEASED,
            TOURNAMENTS,
            LEDGER,
            SCRIPTS,
            WORLD,
            ASSEMBLER,
        ]),
    ),
    ("arena-interpreter", AnyInTests(&[METER, SANDBOX])),
    ("arena-conformance", AnyInTests(&[FILES, RULES, RECORD, REFEREE, BASELINES, SANDBOX])),
    (ORACLE, AnyInTests(&[])),
    ("arena-studies", AnyInTests(&[RULES, WIRE, RECORD, BASELINES, RUNNER, TOURNAMENTS])),
    // The rooms define their ids and the maximum length of a log.
    ("arena-store", AnyInTests(&[CLOCK, FILES, LIMITS, RULES, RECORD, ROOMS])),
    (
        SERVICE,
        AnyInTests(&[
            CLOCK,
            FILES,
            LIMITS,
            RULES,
            WIRE,
            RECORD,
            REFEREE,
            ROOMS,
            PEOPLE,
            WORLD,
            SANDBOX,
            WORKER,
            RUNNER,
            SCRIPTS,
            TOURNAMENTS,
            "arena-store",
        ]),
    ),
    (
        SERVER,
        AnyInTests(&[
            CLOCK,
            FILES,
            LIMITS,
            RULES,
            WIRE,
            RECORD,
            ROOMS,
            PEOPLE,
            WORLD,
            SANDBOX,
            RUNNER,
            SCRIPTS,
            TOURNAMENTS,
            "arena-store",
            SERVICE,
            TEXT,
        ]),
    ),
    (
        "arena-engine",
        AnyInTests(&[RULES, WIRE, RECORD, REFEREE, WORLD, BASELINES, CHECK, ASSEMBLER, SCRIPTS, LEDGER, TOURNAMENTS]),
    ),
    (CLI, Any),
    ("xtask", Layer::Some { always: &[RELEASED, TEXT], in_tests: &[] }),
];

/// A bot of the gallery may use what a stranger's bot can use.
const GALLERY_BOT: Layer = Layer::Some { always: &[SDK], in_tests: &[BASELINES] };

/// External crates that only some members may use, tests included.
const OWNED: [(&str, &[&str]); 7] = [
    ("wasmtime", &[SANDBOX]),
    // The sandbox's tests hold the code's own meter equal in it.
    ("wasmi", &["arena-interpreter", SANDBOX]),
    ("sqlx", &["arena-store"]),
    ("axum", &[SERVER]),
    ("askama", &[SERVER]),
    // Members with operations that may fail because of the machine; the command line decides where logs go.
    ("tracing", &[SERVER, SERVICE, RUNNER, WORKER, CLI]),
    ("tracing-subscriber", &[CLI]),
];

/// Tests of these may use it: they damage what is stored behind the back of the store.
const DAMAGED_IN_TESTS: [(&str, &str); 1] = [(SERVICE, "sqlx")];

/// Members without any engine, runtime, database or server, tests included.
const PURE: [&str; 17] = [
    LIMITS,
    RULES,
    WIRE,
    RECORD,
    REFEREE,
    NOTATION,
    ROOMS,
    PEOPLE,
    WORLD,
    METER,
    SCRIPTS,
    CHECK,
    ASSEMBLER,
    SDK,
    BASELINES,
    TOURNAMENTS,
    LEDGER,
];

/// External crates that pure members never use.
const NEVER_PURE: [&str; 6] = ["wasmtime", "wasmi", "tokio", "sqlx", "axum", "tracing"];

/// One sentence for each forbidden dependency.
fn violations(metadata: &Value) -> Result<Vec<String>> {
    let packages = list(metadata, "packages")?;
    let members = packages.iter().map(|package| text(package, "name")).collect::<Result<BTreeSet<&str>>>()?;
    let mut found = Vec::new();
    for package in packages {
        let member = text(package, "name")?;
        let Some(layer) = layer(member, text(package, "manifest_path")?) else {
            found.push(format!("{member} has no layer: give it one in xtask/src/tidy.rs"));
            continue;
        };
        for dependency in list(package, "dependencies")? {
            let name = text(dependency, "name")?;
            let in_tests = dependency["kind"] == "dev";
            if members.contains(name) && !allows(&layer, name, in_tests) {
                let how = if in_tests { " in its tests" } else { "" };
                found.push(format!("{member} must not depend on {name}{how}"));
            }
            found.extend(
                OWNED
                    .iter()
                    .filter(|(owned, owners)| *owned == name && !owners.contains(&member))
                    .filter(|(owned, _)| !(in_tests && DAMAGED_IN_TESTS.contains(&(member, owned))))
                    .map(|(owned, owners)| format!("{member} must not name {owned}: only {} may", owners.join(", "))),
            );
            if PURE.contains(&member) && NEVER_PURE.contains(&name) {
                found.push(format!("{member} is pure and must not name {name}"));
            }
        }
    }
    Ok(found)
}

/// The layer of a member, by its name or, for a bot of the gallery, its path.
fn layer(member: &str, manifest: &str) -> Option<Layer> {
    let is_bot = Path::new(manifest).ancestors().nth(2).is_some_and(|folder| folder.ends_with("bots/gallery"));
    let named = LAYERS.into_iter().find_map(|(name, layer)| (name == member).then_some(layer));
    named.or(is_bot.then_some(GALLERY_BOT))
}

fn allows(layer: &Layer, name: &str, test_only: bool) -> bool {
    match layer {
        Any => true,
        AnyInTests(always) => test_only || always.contains(&name),
        Layer::Some { always, in_tests } => always.contains(&name) || (test_only && in_tests.contains(&name)),
    }
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a Vec<Value>> {
    value[key].as_array().with_context(|| format!("cargo metadata has no list {key}"))
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value[key].as_str().with_context(|| format!("cargo metadata has no text {key}"))
}

/// Whether a manifest inherits the workspace's lints.
fn takes_lints(manifest: &str) -> bool {
    manifest
        .lines()
        .skip_while(|line| line.trim() != "[lints]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .any(|line| line.split_whitespace().collect::<String>() == "workspace=true")
}

mod tests {
    use serde_json::json;

    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn the_workspace_keeps_its_layers() -> Result<()> {
        let workspace = Workspace::here()?;
        let found = violations(&workspace.metadata)?;
        assert!(found.is_empty(), "{}", found.join("\n"));
        Ok(())
    }

    #[test]
    fn every_member_takes_the_workspaces_lints() -> Result<()> {
        let workspace = Workspace::here()?;
        for package in list(&workspace.metadata, "packages")? {
            let manifest = text(package, "manifest_path")?;
            assert!(takes_lints(&fs::read_to_string(manifest)?), "{manifest}");
        }
        Ok(())
    }

    #[test]
    fn the_front_page_of_every_member_has_an_example() -> Result<()> {
        let workspace = Workspace::here()?;
        for package in list(&workspace.metadata, "packages")? {
            let targets = list(package, "targets")?;
            let is_front = |target: &&Value| {
                let path = target["src_path"].as_str().unwrap_or_default();
                path.ends_with("/src/lib.rs") || path.ends_with("/src/main.rs")
            };
            let front = targets.iter().find(is_front).context("a library or a program")?;
            let source = fs::read_to_string(text(front, "src_path")?)?;
            let is_in_front = |line: &&str| line.starts_with("//!") || line.is_empty();
            let has_example = source.lines().take_while(is_in_front).any(|line| line.starts_with("//! ```"));
            assert!(has_example, "{} has no example", text(package, "name")?);
        }
        Ok(())
    }

    #[test]
    fn lints_are_only_taken_in_their_own_table() {
        assert!(takes_lints("[package]\n[lints]\nworkspace = true\n"));
        assert!(!takes_lints("[package]\n[lints]\n[other]\nworkspace = true\n"));
        assert!(!takes_lints("[package]\nworkspace = true\n"));
    }

    /// The violations of a workspace in which `member` depends on `dependency`; both names are members if they are
    /// ours.
    fn verdict(member: &str, manifest: &str, dependency: &str, kind: Value) -> Result<Vec<String>> {
        let mut packages = vec![json!({
            "name": member,
            "manifest_path": manifest,
            "dependencies": [{"name": dependency, "kind": kind}],
        })];
        if dependency.starts_with("arena") {
            packages.push(json!({
                "name": dependency,
                "manifest_path": "elsewhere/Cargo.toml",
                "dependencies": [],
            }));
        }
        violations(&json!({ "packages": packages }))
    }

    #[test]
    fn an_edge_upwards_is_found_whatever_its_kind() -> Result<()> {
        for kind in [Value::Null, json!("build")] {
            assert_eq!(
                verdict("arena-rules", "sdk/rules/Cargo.toml", "arena-wire", kind)?,
                ["arena-rules must not depend on arena-wire"]
            );
        }
        let loose = verdict("arena-rules", "x/y/Cargo.toml", "arena-oracle", json!("dev"))?;
        assert!(loose.is_empty(), "{loose:?}");
        assert_eq!(
            verdict("xtask", "xtask/Cargo.toml", "arena-rules", json!("dev"))?,
            ["xtask must not depend on arena-rules in its tests"]
        );
        Ok(())
    }

    #[test]
    fn a_gallery_bot_sees_the_sdk_only() -> Result<()> {
        let manifest = "somewhere/bots/gallery/greedy/Cargo.toml";
        let sdk = verdict("bot-greedy", manifest, "arena-sdk", Value::Null)?;
        assert!(sdk.is_empty(), "{sdk:?}");
        assert_eq!(
            verdict("bot-greedy", manifest, "arena-rules", Value::Null)?,
            ["bot-greedy must not depend on arena-rules"]
        );
        Ok(())
    }

    #[test]
    fn an_owned_crate_has_its_owners() -> Result<()> {
        for (owner, owned) in [(SANDBOX, "wasmtime"), (WORKER, "tracing"), (CLI, "tracing-subscriber")] {
            let owner = verdict(owner, "x/y/Cargo.toml", owned, Value::Null)?;
            assert!(owner.is_empty(), "{owner:?}");
        }
        assert_eq!(verdict(SANDBOX, "x/y/Cargo.toml", "tracing", Value::Null)?.len(), 1);
        assert_eq!(
            verdict("arena-runner", "x/y/Cargo.toml", "wasmtime", json!("dev"))?,
            ["arena-runner must not name wasmtime: only arena-sandbox may"]
        );
        Ok(())
    }

    #[test]
    fn a_pure_crate_names_no_runtime_even_in_tests() -> Result<()> {
        assert_eq!(
            verdict("arena-referee", "x/y/Cargo.toml", "tokio", json!("dev"))?,
            ["arena-referee is pure and must not name tokio"]
        );
        Ok(())
    }

    #[test]
    fn a_member_without_a_layer_is_told() -> Result<()> {
        assert_eq!(
            verdict("arena-novelty", "x/y/Cargo.toml", "rand", Value::Null)?,
            ["arena-novelty has no layer: give it one in xtask/src/tidy.rs"]
        );
        Ok(())
    }
}
