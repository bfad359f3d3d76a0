//! Gathers what pages load: every file of `web/static`, and the modules of `web/engine`, if `cargo xtask engine` has
//! made them; and the texts of the guide, with the sources they name. Compiles the messages of `web/text` to functions,
//! for the server and for scripts. Scripts are bundled with what they import, and the style is minified, if `cargo
//! xtask bundle` has made that.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use arena_text::Catalogue;

/// Files and folders of the tree that are compiled in: `xtask/src/packages/crates.rs` reads the list.
const TAKEN: &str = include_str!("embedded.txt");

/// In a package the tree is not around the crate; what is taken from it stands in this folder.
const PACKED: &str = "embedded";

/// Where `cargo xtask` leaves the rules for the page. The folder is always there, so that cargo notices when the module
/// appears.
const BUILT: &str = "web/engine/built";

/// Where it leaves the scripts of pages, bundled, their style, and what they were made of. That folder is always there,
/// too.
const BUNDLED: &str = "web/bundled";
const SOURCES: &str = "sources.txt";

/// The rules for the page, the opponents that play in it, what meters bots, makes them of texts, reads folders and
/// unpacks archives there, and what steps a world. Rules and opponents of games with wide frames stand apart.
const ENGINE: [&str; 10] = [
    "arena_archive.wasm",
    "arena_engine.wasm",
    "arena_engine_wide.wasm",
    "arena_ledger.wasm",
    "arena_meter.wasm",
    "arena_opponents.wasm",
    "arena_opponents_wide.wasm",
    "arena_python.wasm",
    "arena_texts.wasm",
    "arena_world.wasm",
];

/// The warning where they are missing.
const NO_ENGINE: &str = "without the modules that pages need, `arena serve` and exports as HTML are refused: run \
    `cargo xtask engine`, then build again";

/// Where the messages are, and in which folder of `web/static` scripts find them as modules. The build makes these;
/// `cargo xtask bundle` leaves a copy there, for Node.
const MESSAGES: &str = "web/text";
const MODULES: &str = "text";

/// Where the pages are. What else is taken is chapters and sources that the guide shows or names.
const PAGES: &str = "web/";

/// Endings of chapters, their pictures and sources. What else is in their folders stays out.
const TEXTS: [&str; 11] = ["md", "svg", "rs", "c", "h", "zig", "ts", "js", "wat", "py", "pyi"];

fn main() -> Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = match here.join(PACKED) {
        packed if packed.is_dir() => packed,
        _ => here.ancestors().nth(2).context("the crate stands two folders below the root")?.to_owned(),
    };
    // Templates are among them: askama does not tell cargo about new ones.
    for taken in TAKEN.lines() {
        println!("cargo::rerun-if-changed={}", root.join(taken).display());
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let catalogue = Catalogue::read(&root.join(MESSAGES))?;
    fs::write(out.join("text.rs"), catalogue.rust())?;
    catalogue.write_javascript(&out.join(MODULES))?;
    let modules = catalogue.javascript().map(|(name, _)| Path::new(MODULES).join(name));
    let folder = root.join("web/static");
    let mut files = gathered(&folder, |path| !path.starts_with(MODULES))?;
    files.extend(modules.map(|name| (name.clone(), out.join(name))));
    bundle(&root.join(BUNDLED), &mut files)?;
    files.extend(engine(&root));
    let mut texts = Files::new();
    for place in TAKEN.lines().filter(|taken| !taken.starts_with(PAGES)) {
        texts.extend(gathered(&root.join(place), is_text)?.into_iter().map(|(name, path)| {
            if name.as_os_str().is_empty() { (place.into(), path) } else { (Path::new(place).join(name), path) }
        }));
    }
    fs::write(out.join("files.rs"), table("include_bytes", &files)?)?;
    fs::write(out.join("guide.rs"), table("include_str", &texts)?)?;
    Ok(())
}

/// Files by their names, which are paths in a folder.
type Files = BTreeMap<PathBuf, PathBuf>;

/// A slice of names and contents, in the order of the names.
fn table(include: &str, files: &Files) -> Result<String> {
    let mut table = String::from("&[\n");
    for (name, file) in files {
        let name = name.to_str().context("a plain name")?;
        writeln!(table, "    ({name:?}, {include}!({file:?})),")?;
    }
    table.push_str("]\n");
    Ok(table)
}

/// The wanted files at a place: the file that is there, with an empty name, or those in the folder and below.
fn gathered(place: &Path, is_wanted: fn(&Path) -> bool) -> Result<Files> {
    let (mut files, mut open) = (Files::new(), vec![place.to_owned()]);
    while let Some(path) = open.pop() {
        let name = path.strip_prefix(place)?;
        if path.is_dir() {
            for entry in fs::read_dir(&path).with_context(|| format!("cannot read {}", path.display()))? {
                open.push(entry?.path());
            }
        } else if is_wanted(if name.as_os_str().is_empty() { &path } else { name }) {
            files.insert(name.to_owned(), path);
        }
    }
    Ok(files)
}

/// Whether a file is a chapter, its picture or a source.
fn is_text(file: &Path) -> bool {
    file.extension().is_some_and(|ending| TEXTS.iter().any(|text| ending == *text))
}

/// Replaces scripts and the style by their bundles, if these were made of the same sources. Messages stay: a folder of
/// sources that is served in place of the bundles needs them.
fn bundle(bundled: &Path, files: &mut Files) -> Result<()> {
    println!("cargo::rerun-if-changed={}", bundled.display());
    let Ok(made_of) = fs::read_to_string(bundled.join(SOURCES)) else { return Ok(()) };
    let mut found = String::new();
    for (name, source) in files.iter().filter(|(name, _)| is_bundled(name)) {
        let name = name.to_str().context("a plain name")?;
        found += &format!("{name}\n{}", fs::read_to_string(source)?);
    }
    if found == made_of {
        files.retain(|name, _| !is_bundled(name) || name.starts_with(MODULES));
        files.extend(gathered(bundled, is_bundled)?);
    }
    Ok(())
}

/// Whether a file is a script or a style.
fn is_bundled(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "js" || ending == "css")
}

/// The rules for the page. A fresh clone builds without them, and the build says so.
fn engine(root: &Path) -> Files {
    println!("cargo::rerun-if-changed={}", root.join(BUILT).display());
    let modules: Files = ENGINE.map(|module| (module.into(), root.join(BUILT).join(module))).into();
    if modules.values().all(|module| module.is_file()) {
        return modules;
    }
    println!("cargo::warning={NO_ENGINE}");
    Files::new()
}
