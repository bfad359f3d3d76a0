//! A test of the documents: the length of the two main ones, and the links between files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err as fs;
use pulldown_cmark::{Event, Options, Parser, Tag};

/// Documents to read in one go, and the maximum number of lines of each.
const LINES_MAX: [(&str, usize); 2] = [("README.md", 120), ("ARCHITECTURE.md", 200)];

/// The maximum length of their lines, in characters: it fits beside an editor's file tree.
const LINE_CHARS_MAX: usize = 120;

/// Folders of fetched or built files.
const NOT_OURS: [&str; 4] = ["target", "node_modules", "out", ".git"];

fn root() -> Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask stands in the root")
}

/// All Markdown files under a folder.
fn documents(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !path.is_symlink() && !NOT_OURS.contains(&name) {
            documents(&path, found)?;
        } else if name.ends_with(".md") {
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

#[test]
fn links_between_files_lead_to_files_and_headings() -> Result<()> {
    let mut files = Vec::new();
    documents(root()?, &mut files)?;
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
