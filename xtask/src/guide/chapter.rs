//! A chapter's instructions to the reader: its fenced blocks, by the words after their opening fence.
//!
//! | words | what it is |
//! |---|---|
//! | `console` | commands behind `$ `, each followed by what it prints, if anything of it is shown |
//! | `console roughly` | the same, with figures that differ between machines |
//! | `console exit=N` | the same; its commands end with this exit code, not 0 |
//! | `console background` | a command that runs until the end of the chapter |
//! | `console needs=PROGRAM` | commands that are run only where there is such a program |
//! | `console needs=rustup` | commands that are run only where it is rustup that gave cargo its target for WebAssembly |
//! | LANGUAGE `file=PATH` | a listing: lines of that file of the repository |
//! | LANGUAGE `file=PATH save=PLACE` | the same, the whole file; the reader saves it there |
//! | `text` | anything else that is neither source nor command |
//! A command named in a sentence must also be in a block ([`super::named`]).

use anyhow::{Context, Result, bail, ensure};

/// A fenced block of a chapter.
pub(super) struct Block<'a> {
    /// The line of its opening fence, from 1.
    pub(super) line: usize,
    pub(super) kind: Kind,
    pub(super) lines: Vec<&'a str>,
    /// The paragraph before it.
    pub(super) before: String,
}

impl Block<'_> {
    /// Its lines as the text of a file.
    pub(super) fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [*line, "\n"]).collect()
    }
}

pub(super) enum Kind {
    Console(Vec<Step>),
    Listing { file: String, save: Option<String> },
    Text,
}

/// A command, and the output shown to the reader.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) command: String,
    pub(super) shown: Vec<String>,
    pub(super) roughly: bool,
    pub(super) ends: Ends,
    /// A program that may be missing.
    pub(super) needs: Option<String>,
}

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    With(i32),
    AfterTheChapter,
}

/// The fenced blocks of a chapter, in order.
///
/// # Errors
/// If a fence is not closed, or its words are none of those above.
pub(super) fn blocks(text: &str) -> Result<Vec<Block<'_>>> {
    let mut blocks = Vec::new();
    let mut before = String::new();
    let mut is_paragraph = false;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else {
            // An empty line ends a paragraph, which is kept until the next one begins.
            if !is_paragraph && !line.is_empty() {
                before.clear();
            }
            is_paragraph = !line.is_empty();
            before.push_str(line);
            before.push('\n');
            continue;
        };
        ensure!(line.starts_with("```"), "line {}: a fence begins its line", index + 1);
        let mut inner = Vec::new();
        loop {
            match lines.next() {
                Some((_, "```")) => break,
                Some((_, line)) => inner.push(line),
                None => bail!("line {}: the fence is not closed", index + 1),
            }
        }
        let kind = kind(info, &inner).with_context(|| format!("line {}", index + 1))?;
        blocks.push(Block { line: index + 1, kind, lines: inner, before: before.clone() });
    }
    Ok(blocks)
}

/// The kind of a block, by the words after its fence.
fn kind(info: &str, lines: &[&str]) -> Result<Kind> {
    let words: Vec<&str> = info.split_whitespace().collect();
    match words[..] {
        ["text"] => Ok(Kind::Text),
        ["console", ref marks @ ..] => console(marks, lines).map(Kind::Console),
        [_, file, ref save @ ..] => {
            let file = file.strip_prefix("file=").with_context(|| format!("`{info}` is no listing: file=PATH"))?;
            let save = match save {
                [] => None,
                [save] => Some(save.strip_prefix("save=").with_context(|| format!("`{save}` is not save=PLACE"))?),
                _ => bail!("`{info}`: file=PATH save=PLACE is all there is"),
            };
            Ok(Kind::Listing { file: file.to_owned(), save: save.map(str::to_owned) })
        }
        _ => bail!("`{info}` is none of: console, text, LANGUAGE file=PATH"),
    }
}

fn console(marks: &[&str], lines: &[&str]) -> Result<Vec<Step>> {
    let (mut roughly, mut needs, mut ends) = (false, None, Ends::With(0));
    for mark in marks {
        match mark.strip_prefix("exit=") {
            Some(code) => ends = Ends::With(code.parse().with_context(|| format!("`{mark}`"))?),
            None if *mark == "roughly" => roughly = true,
            None if mark.starts_with("needs=") => needs = mark.strip_prefix("needs=").map(str::to_owned),
            None if *mark == "background" => ends = Ends::AfterTheChapter,
            None => bail!("`{mark}` is none of: roughly, exit=N, background, needs=PROGRAM"),
        }
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("$ ") {
            let mut command = command.to_owned();
            while command.ends_with('\\') {
                command.push('\n');
                command.push_str(lines.next().context("a command continues after its last line")?);
            }
            steps.push(Step { command, shown: Vec::new(), roughly, ends, needs: needs.clone() });
        } else {
            let step = steps.last_mut().context("a block of commands begins with `$ `")?;
            step.shown.push((*line).to_owned());
        }
    }
    ensure!(!steps.is_empty(), "there is no command");
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_is_its_blocks() -> Result<()> {
        let text = "Words.\n\nSave this\nas `a.c`:\n\n```c file=x/a.c save=a.c\nint a;\n```\n\nThen:\n\n\
                    ```console roughly exit=1\n$ one \\\n    two\nsays\n$ three\n```\n";
        let found = blocks(text)?;
        let [listing, console] = &found[..] else { bail!("two blocks") };
        assert_eq!((listing.line, &listing.lines[..]), (6, &["int a;"][..]));
        assert!(listing.before.contains("`a.c`") && !listing.before.contains("Words"), "{}", listing.before);
        assert!(matches!(&listing.kind, Kind::Listing { file, save: Some(save) } if file == "x/a.c" && save == "a.c"));
        let Kind::Console(steps) = &console.kind else { bail!("commands") };
        assert_eq!(steps[0].command, "one \\\n    two");
        assert_eq!((&steps[0].shown[..], &steps[1].shown[..]), (&["says".to_owned()][..], &[][..]));
        assert!(steps.iter().all(|step| step.roughly && step.needs.is_none() && step.ends == Ends::With(1)));
        Ok(())
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        let fences = ["", "c", "c a.c", "console loudly", "console exit=x", "c file=a save=b more"];
        for words in fences {
            assert!(blocks(&format!("```{words}\n$ x\n```\n")).is_err(), "{words}");
        }
        for text in ["```text\nnot closed\n", "```console\nno command\n```\n", "```console\n```\n", " ```text\n```\n"] {
            assert!(blocks(text).is_err(), "{text}");
        }
    }
}
