//! A test against circular dependencies between the files of a crate: no module depends on a sibling that depends on
//! it.
//!
//! Siblings are the children of one module, each with everything below it. A module and its own children are not
//! checked: a parent is made of its children, and they may use its definitions.
//!
//! The test reads tokens, not types: `use` declarations and paths that begin with `crate`, `self`, `super` or a child.
//! A re-exported name (`pub use`) leads to the module that defines it. Dependencies through methods alone are not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Known circles: the crate, the modules of the circle, the reason.
const KNOWN: [(&str, &[&str], &str); 2] = [
    (
        "arena-rules",
        &["conquerors::board", "conquerors::draft", "conquerors::opening", "conquerors::position", "conquerors::reach"],
        "frozen with the ruleset: a position makes its draft, and a draft is of a position",
    ),
    (
        "arena-rules",
        &["game_of_game_of_life::plane", "game_of_game_of_life::torus"],
        "frozen with the ruleset: the sides of a board are named where its cells are",
    ),
];

/// A module by its path from the crate's root.
type Module = Vec<String>;

/// A module file's references to others: paths as written.
#[derive(Default)]
struct File {
    /// The paths that it uses.
    used: Vec<Vec<String>>,
    /// Its re-exports, by name.
    handed_on: BTreeMap<String, Vec<String>>,
}

/// The modules of a crate and their references.
#[derive(Default)]
struct Crate(BTreeMap<Module, File>);

impl Crate {
    /// Reads the files under a crate's `src`.
    fn read(src: &Path) -> Result<Crate> {
        let mut files = Crate::default();
        files.read_folder(src, &Module::new())?;
        Ok(files)
    }

    fn read_folder(&mut self, folder: &Path, module: &Module) -> Result<()> {
        for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_stem().and_then(|stem| stem.to_str()).context("a name that is no text")?;
            let own = matches!(name, "lib" | "main" | "mod");
            let module: Module = module.iter().cloned().chain((!own).then(|| name.into())).collect();
            if path.is_dir() {
                self.read_folder(&path, &module)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let tokens = fs::read_to_string(&path)?.parse::<TokenStream>();
                let tokens = tokens.map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
                self.0.entry(module).or_default().take(tokens);
            }
        }
        Ok(())
    }

    /// The module to which a path written in `module` leads; `None` if it is in another crate.
    fn resolve(&self, module: &Module, path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        let child = |of: &Module, name: &String| of.iter().cloned().chain([name.clone()]).collect::<Module>();
        let (mut at, mut rest) = match first.as_str() {
            "crate" => (Module::new(), rest),
            "self" => (module.clone(), rest),
            "super" => (module.split_last()?.1.to_vec(), rest),
            _ if self.0.contains_key(&child(module, first)) => (module.clone(), path),
            _ => return None,
        };
        while let Some((next, after)) = rest.split_first() {
            if next == "super" {
                at.pop()?;
            } else if self.0.contains_key(&child(&at, next)) {
                at = child(&at, next);
            } else if let Some(origin) = self.0.get(&at).and_then(|file| file.handed_on.get(next)) {
                // A name re-exported as itself would be looked up forever.
                let origin = (origin != path).then_some(origin)?;
                return self.resolve(&at, origin);
            } else {
                break;
            }
            rest = after;
        }
        Some(at)
    }

    /// The circles among siblings.
    fn circles(&self) -> Vec<BTreeSet<String>> {
        let mut graph: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (module, file) in &self.0 {
            for path in &file.used {
                let Some(other) = self.resolve(module, path) else { continue };
                let shared = module.iter().zip(&other).take_while(|(one, other)| one == other).count();
                // Neither is below the other: their sibling ancestors are the nodes.
                if shared < module.len().min(other.len()) {
                    graph.entry(module[..=shared].to_vec()).or_default().insert(other[..=shared].to_vec());
                }
            }
        }
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            graph.keys().map(|module| (module, reached(&graph, module))).collect();
        let mut circles = BTreeSet::new();
        for (module, others) in &reached {
            let circle = others.iter().filter(|other| reached.get(*other).is_some_and(|back| back.contains(module)));
            let circle: BTreeSet<String> = circle.map(|module| module.join("::")).collect();
            circles.extend((!circle.is_empty()).then_some(circle));
        }
        circles.into_iter().collect()
    }
}

/// The modules reachable from a module; it contains itself only if it is in a circle.
fn reached<'a>(graph: &'a BTreeMap<Module, BTreeSet<Module>>, from: &Module) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut left: Vec<&Module> = graph.get(from).into_iter().flatten().collect();
    while let Some(module) = left.pop() {
        if found.insert(module) {
            left.extend(graph.get(module).into_iter().flatten());
        }
    }
    found
}

impl File {
    /// Collects the references of tokens, except those in tests.
    fn take(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut at, mut is_public, mut in_tests) = (0, false, false);
        while at < tokens.len() {
            let end = |is_end: fn(&TokenTree) -> bool| {
                tokens[at..].iter().position(is_end).map_or(tokens.len(), |end| at + end)
            };
            match &tokens[at] {
                TokenTree::Punct(hash) if hash.as_char() == '#' => {
                    in_tests |= tokens.get(at + 1).is_some_and(|attribute| attribute.to_string() == "[cfg (test)]");
                    at += 2;
                    continue;
                }
                _ if in_tests => {
                    let is_end = |token: &TokenTree| token.to_string() == ";" || is_braced(token);
                    (at, in_tests) = (end(is_end) + 1, false);
                    continue;
                }
                TokenTree::Ident(word) if word == "pub" => is_public = true,
                TokenTree::Ident(word) if word == "use" => {
                    let last = end(|token| token.to_string() == ";");
                    self.take_use(&tokens[at + 1..last], &[], is_public);
                    (at, is_public) = (last, false);
                }
                TokenTree::Ident(_) => {
                    let (path, after) = path(&tokens[at..]);
                    if path.len() > 1 {
                        self.used.push(path);
                    }
                    (at, is_public) = (at + after - 1, false);
                }
                TokenTree::Group(group) => self.take(group.stream()),
                _ => {}
            }
            at += 1;
        }
    }

    /// Collects a tree of `use`, whose paths begin with `prefix`.
    fn take_use(&mut self, tree: &[TokenTree], prefix: &[String], is_public: bool) {
        for branch in tree.split(|token| token.to_string() == ",") {
            let (path, after) = path(branch);
            let mut whole = [prefix, &path].concat();
            if let Some(TokenTree::Group(group)) = branch.get(after) {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                self.take_use(&inner, &whole, is_public);
                continue;
            }
            if whole.len() > 1 {
                whole.pop_if(|last| last == "self");
            }
            let renamed = branch.get(after).filter(|word| word.to_string() == "as").and_then(|_| branch.get(after + 1));
            let Some(name) = renamed.map(ToString::to_string).or(whole.last().cloned()) else { continue };
            if is_public {
                self.handed_on.insert(name, whole);
            } else {
                self.used.push(whole);
            }
        }
    }
}

fn is_braced(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// The path at the start of tokens, and its number of tokens, including a final `::`.
fn path(tokens: &[TokenTree]) -> (Vec<String>, usize) {
    let (mut path, mut at) = (Vec::new(), 0);
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        path.push(word.to_string());
        at += 1;
        let colons = tokens.get(at..at + 2).is_some_and(|two| two.iter().all(|token| token.to_string() == ":"));
        if !colons {
            break;
        }
        at += 2;
    }
    (path, at)
}

mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn no_two_files_beside_each_other_go_in_a_circle() -> Result<()> {
        let workspace = Workspace::here()?;
        let packages = workspace.metadata["packages"].as_array().context("packages")?;
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for package in packages {
            let (name, manifest) = (package["name"].as_str().context("a name")?, package["manifest_path"].as_str());
            let src = Path::new(manifest.context("a manifest")?).with_file_name("src");
            for circle in Crate::read(&src)?.circles() {
                let known = KNOWN.iter().position(|(owner, modules, _)| {
                    *owner == name && circle.iter().all(|module| modules.contains(&module.as_str()))
                });
                match known {
                    Some(place) => drop(seen.insert(place)),
                    None => found.push(format!("{name}: {}", circle.into_iter().collect::<Vec<_>>().join(", "))),
                }
            }
        }
        assert!(
            found.is_empty(),
            "files go in a circle; move what they share to one that both use:\n{}",
            found.join("\n")
        );
        let gone = KNOWN.iter().enumerate().filter(|(place, _)| !seen.contains(place));
        let gone: Vec<String> = gone.map(|(_, (name, modules, _))| format!("{name}: {}", modules.join(", "))).collect();
        assert!(gone.is_empty(), "no circles any more; take their lines out of KNOWN:\n{}", gone.join("\n"));
        Ok(())
    }

    /// A crate with these files, by module path.
    fn made_up(files: &[(&str, &str)]) -> Result<Crate> {
        let mut made_up = Crate::default();
        for (module, text) in files {
            let module: Module = module.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
            let tokens = text.parse::<TokenStream>().map_err(|error| anyhow::anyhow!("{text}: {error}"))?;
            made_up.0.entry(module).or_default().take(tokens);
        }
        Ok(made_up)
    }

    fn circles(files: &[(&str, &str)]) -> Result<Vec<String>> {
        let circles = made_up(files)?.circles();
        Ok(circles.into_iter().map(|circle| circle.into_iter().collect::<Vec<_>>().join(" ")).collect())
    }

    #[test]
    fn a_circle_is_found_however_it_is_written() -> Result<()> {
        let root = ("", "mod a; mod b; pub use a::Thing;");
        for (a, b) in [
            ("use crate::b::Other;", "use crate::a::Thing;"),
            ("use crate::{b, c::{self, D}};", "use super::a;"),
            ("fn f() { g(|| crate::b::h()) }", "use crate::Thing as T;"),
            ("fn f() { println!(\"{}\", crate::b::h()) }", "struct S(crate::Thing);"),
        ] {
            assert_eq!(circles(&[root, ("a", a), ("b", b)])?, ["a b"], "{a} {b}");
        }
        let around =
            circles(&[("a", "use crate::b::x;"), ("b::x", "use crate::c;"), ("b", ""), ("c", "use super::a;")])?;
        assert_eq!(around, ["a b c"]);
        Ok(())
    }

    #[test]
    fn parents_tests_comments_and_other_crates_make_none() -> Result<()> {
        for (a, b) in [
            ("use crate::b::Other;", "#[cfg(test)] mod tests { use crate::a::Thing; }"),
            ("use crate::b::Other;", "// use crate::a::Thing;\nconst A: &str = \"crate::a\";"),
            ("use crate::b::Other;", "use std::a; use a::Thing;"),
            ("use crate::b::Other;", "use crate::Root;"),
        ] {
            let found = circles(&[("", "struct Root; fn f() { a::g() }"), ("a", a), ("b", b)])?;
            assert!(found.is_empty(), "{b}: {found:?}");
        }
        let family = circles(&[("a", "mod b; use b::Thing; struct Own;"), ("a::b", "use super::Own;")])?;
        assert!(family.is_empty(), "{family:?}");
        Ok(())
    }
}
