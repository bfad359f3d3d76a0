//! `cargo xtask count`: the amount of product code by folder and language, and the effect of a change on it.
//!
//! A line counts if it contains code, not just space and comments. Documentation is a comment. Not counted are
//!
//! - tests and benchmarks: folders `tests` and `benches`, files `*.test.mjs`, folders that only tests use
//!   ([`product`]), and in Rust whatever is under `#[cfg(test)]` or `#[test]` ([`rust`]), files of such modules
//!   included;
//! - generated text and data: lock files, golden files, JSON, TOML, Markdown. None of them is a counted language
//!   ([`language`]).
//!
//! Rust is read by rustc's own lexer, other languages by their delimiters of comments and strings ([`marks`]).

mod language;
mod marks;
mod product;
mod rust;
#[cfg(test)]
mod sizes;
mod table;
mod tree;

use std::collections::BTreeMap;

use anyhow::{Result, bail};

use self::language::Language;
use self::table::Table;
use self::tree::Tree;
use crate::workspace::Workspace;

/// Lines of code by folder and language.
type Counts = BTreeMap<(String, Language), usize>;

/// `cargo xtask count`, with `--base REV` also of a commit.
///
/// # Errors
/// If Git does not know the commit, or a file cannot be read.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let base = match arguments {
        [] => None,
        [option, base] if option == "--base" => Some(base),
        _ => bail!("this command takes --base REV, but got `{}`", arguments.join(" ")),
    };
    let now = count(&tree::here(workspace)?);
    println!("Product code: lines that hold code, without tests, comments, blank lines, data and generated text.\n");
    match base {
        None => println!("{}", by_language(&now)),
        Some(base) => {
            let before = count(&tree::at(workspace, base)?);
            println!("{}", compared("folder", &before, &now, |(folder, _)| folder.clone()));
            println!("{}", compared("language", &before, &now, |(_, language)| language.name().to_owned()));
        }
    }
    Ok(())
}

/// Counts the files that are product code.
fn count(tree: &Tree) -> Counts {
    let mut counts = Counts::new();
    for file in product::of(&tree.files) {
        let lines = file.language.code_lines(&file.text);
        if lines > 0 {
            *counts.entry((product::folder(&file.path, &tree.crates), file.language)).or_default() += lines;
        }
    }
    counts
}

/// A row for each folder, a column for each language, and sums.
fn by_language(counts: &Counts) -> Table {
    let used: Vec<Language> =
        Language::ALL.into_iter().filter(|language| counts.keys().any(|(_, used)| used == language)).collect();
    let names = used.iter().map(|language| language.name().to_owned());
    let mut table = Table::new([vec!["folder".to_owned()], names.collect(), vec!["all".to_owned()]].concat());
    let rows = sums(counts, |(folder, _)| folder.clone());
    let cells = |lines: &dyn Fn(Language) -> usize, all: usize| {
        used.iter().map(|language| figure(lines(*language))).chain([figure(all)]).collect::<Vec<String>>()
    };
    for (folder, all) in &rows {
        let lines = |language| counts.get(&(folder.clone(), language)).copied().unwrap_or_default();
        table.row(folder, cells(&lines, *all));
    }
    let by_language = sums(counts, |(_, language)| *language);
    table.sum(cells(&|language| by_language.get(&language).copied().unwrap_or_default(), rows.values().sum()));
    table
}

/// A row for each group: before, after, and the difference.
fn compared(title: &str, before: &Counts, after: &Counts, group: fn(&(String, Language)) -> String) -> Table {
    let (before, after) = (sums(before, group), sums(after, group));
    let mut table = Table::new([title, "before", "after", "difference"].map(str::to_owned).to_vec());
    let cells = |before: usize, after: usize| vec![figure(before), figure(after), difference(before, after)];
    let mut groups: Vec<&String> = before.keys().chain(after.keys()).collect();
    groups.sort();
    groups.dedup();
    for group in groups {
        let lines = |counts: &BTreeMap<String, usize>| counts.get(group).copied().unwrap_or_default();
        table.row(group, cells(lines(&before), lines(&after)));
    }
    table.sum(cells(before.values().sum(), after.values().sum()));
    table
}

/// The lines of each group.
fn sums<G: Ord>(counts: &Counts, group: impl Fn(&(String, Language)) -> G) -> BTreeMap<G, usize> {
    let mut sums = BTreeMap::new();
    for (key, lines) in counts {
        *sums.entry(group(key)).or_default() += lines;
    }
    sums
}

/// A number of lines; a dash for zero, so that the others stand out.
fn figure(lines: usize) -> String {
    if lines == 0 { "-".to_owned() } else { lines.to_string() }
}

fn difference(before: usize, after: usize) -> String {
    match after.checked_sub(before) {
        Some(0) => "-".to_owned(),
        Some(more) => format!("+{more}"),
        None => format!("-{}", before - after),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::tree::File;
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let file = |(path, text): &(&str, &str)| {
            let language = Language::of(path).expect("a language");
            File { path: (*path).to_owned(), language, text: (*text).to_owned() }
        };
        Tree { files: files.iter().map(file).collect(), crates: BTreeSet::from(["xtask".to_owned()]) }
    }

    #[test]
    fn a_folder_is_a_row_and_a_language_a_column() {
        let tree = tree(&[
            ("web/static/a.js", "// a\nlet a;\n"),
            ("arena/cli/src/main.rs", "fn main() {\n}\n"),
            ("web/static/b.css", "a {\n  b: c;\n}\n"),
        ]);
        let expected = "\
folder      Rust  JavaScript  CSS  all
arena/cli      2           -    -    2
web/static     -           1    3    4
in all         2           1    3    6
";
        assert_eq!(by_language(&count(&tree)).to_string(), expected);
    }

    #[test]
    fn two_trees_are_compared() {
        let before = count(&tree(&[("xtask/src/a.rs", "fn a() {}\n"), ("sdk/old/a.c", "int a;\n")]));
        let after = count(&tree(&[("xtask/src/a.rs", "fn a() {\n}\n\nfn b() {}\n")]));
        let expected = "\
folder   before  after  difference
sdk/old       1      -          -1
xtask         1      3          +2
in all        2      3          +1
";
        assert_eq!(compared("folder", &before, &after, |(folder, _)| folder.clone()).to_string(), expected);
    }
}
