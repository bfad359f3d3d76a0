//! A test of the documents: the length of the two main ones and of comments, and the links between files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err as fs;
use pulldown_cmark::{Event, Options, Parser, Tag};

/// Documents to read in one go, and the maximum number of lines of each.
const LINES_MAX: [(&str, usize); 2] = [("README.md", 120), ("ARCHITECTURE.md", 200)];

/// The maximum length of their lines and of those of comments, in characters: it fits beside an editor's file tree.
const LINE_CHARS_MAX: usize = 120;

/// Folders of fetched or built files.
const NOT_OURS: [&str; 4] = ["target", "node_modules", "out", ".git"];

fn root() -> Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask stands in the root")
}

/// All files under a folder whose names end so.
fn documents(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !path.is_symlink() && !NOT_OURS.contains(&name) {
            documents(&path, endings, found)?;
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    Ok(())
}

/// The links of a text to neighbouring files, each with the heading that it names, if any.
fn links(text: &str) -> Vec<(String, Option<String>)> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
        .filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url),
            _ => None,
        })
        .filter(|link| !link.contains("://") && !link.starts_with("mailto:"))
        .map(|link| match link.split_once('#') {
            Some((file, heading)) => (file.to_owned(), Some(heading.to_owned())),
            None => (link.into_string(), None),
        })
        .collect()
}

/// The anchors of a text's headings: lower case, hyphens for spaces, and otherwise only letters and digits.
fn headings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(pulldown_cmark::TagEnd::Heading(_)) => found.extend(heading.take()),
            Event::Text(part) | Event::Code(part) => {
                let Some(heading) = &mut heading else { continue };
                let kept = part.chars().filter(|char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_'));
                heading.extend(kept.flat_map(char::to_lowercase).map(|char| if char == ' ' { '-' } else { char }));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn the_first_documents_are_short() -> Result<()> {
    for (file, lines_max) in LINES_MAX {
        let text = fs::read_to_string(root()?.join(file))?;
        let lines = text.lines().count();
        assert!(lines <= lines_max, "{file} has {lines} lines; {lines_max} are allowed");
        for (index, line) in text.lines().enumerate() {
            let chars = line.chars().count();
            assert!(chars <= LINE_CHARS_MAX, "{file}:{}: {chars} characters", index + 1);
        }
    }
    Ok(())
}

/// Where comments have lines of limited length. The numbers of lines are in what bots are compiled from, and so in
/// their hashes.
const WRAPPED: [&str; 5] = ["arena", "fuzz", "tournaments", "web", "xtask"];

/// Modules that the bundle step makes of messages.
const MADE: &str = "web/static/text";

/// The lines of comments that are too long, from 1, but for those that cannot be broken: of tables, examples and types.
fn long_comments(text: &str, is_script: bool) -> Vec<usize> {
    let mut in_example = false;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end();
        let code = line.trim_start();
        // A type before code on the same line is part of that.
        let is_whole = code.split_once("*/").is_none_or(|(_, code)| code.is_empty());
        let in_block =
            || ["/*", "* "].iter().find_map(|begin| code.strip_prefix(begin)).filter(|_| is_script && is_whole);
        let Some(comment) = code.strip_prefix("//").or_else(in_block) else {
            in_example = false;
            continue;
        };
        let comment = comment.trim_start_matches(['/', '!', '*']).trim_start();
        let is_fence = comment.starts_with("```");
        in_example ^= is_fence;
        let chars: Vec<char> = line.chars().collect();
        let ends_type = is_script && chars.iter().rposition(|char| *char == '}').is_some_and(|at| at >= LINE_CHARS_MAX);
        let is_whole = in_example || is_fence || comment.starts_with('|') || ends_type;
        if chars.len() > LINE_CHARS_MAX && !is_whole {
            found.push(index + 1);
        }
    }
    found
}

#[test]
fn comments_are_as_short_as_documents() -> Result<()> {
    let mut files = Vec::new();
    for folder in WRAPPED {
        documents(&root()?.join(folder), &[".rs", ".mjs", ".js"], &mut files)?;
    }
    let made = root()?.join(MADE);
    files.retain(|file| !file.starts_with(&made));
    let mut long = Vec::new();
    for file in &files {
        let is_script = file.extension().is_some_and(|extension| extension != "rs");
        let lines = long_comments(&fs::read_to_string(file)?, is_script);
        long.extend(lines.into_iter().map(|line| format!("{}:{line}", file.display())));
    }
    assert!(files.len() > 500, "only {} files", files.len());
    assert!(long.is_empty(), "comments of more than {LINE_CHARS_MAX} characters:\n{}", long.join("\n"));
    Ok(())
}

#[test]
fn comments_that_can_be_broken_are_found() {
    let long = "word ".repeat(30);
    let of = |text: String, is_script| long_comments(&text, is_script);
    assert_eq!(of(format!("    /// {long}\nlet x = \"// {long}\";\n//! {long}"), false), [1, 3]);
    assert_eq!(of(format!("/// ```\n/// {long}\n/// ```\n/// | {long} |\n * {long}"), false), [0; 0]);
    assert_eq!(of(format!("/**\n * {long}\n * @type {{{long}}} */\n/** {long} */\n* 2 {long}"), true), [2, 4, 5]);
}

#[test]
fn links_between_files_lead_to_files_and_headings() -> Result<()> {
    let mut files = Vec::new();
    documents(root()?, &[".md"], &mut files)?;
    let mut broken = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file)?;
        for (link, heading) in links(&text) {
            let target = if link.is_empty() {
                file.clone()
            } else {
                file.parent().context("a file is in a folder")?.join(&link)
            };
            let is_there = match &heading {
                None => target.exists(),
                Some(heading) => fs::read_to_string(&target).is_ok_and(|text| headings(&text).contains(heading)),
            };
            if !is_there {
                broken.push(format!("{}: {link}#{}", file.display(), heading.unwrap_or_default()));
            }
        }
    }
    assert!(files.len() > 20, "only {} documents", files.len());
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
    Ok(())
}

#[test]
fn links_and_headings_are_read_as_they_are_shown() {
    let text = "# A `b`-c, d!\n\n[here](#a), [there](x/y.md#z) ![seen](p.gif) <https://a.b> [out](https://c.d)\n";
    let link = |file: &str, heading: Option<&str>| (file.to_owned(), heading.map(str::to_owned));
    assert_eq!(links(text), [link("", Some("a")), link("x/y.md", Some("z")), link("p.gif", None)]);
    assert_eq!(headings(text), ["a-b-c-d"]);
}
