//! What the sentences of the guide name between backticks for a reader to type: it is run, too, in a block of some chapter.

use anyhow::{Context, Result, bail, ensure};

use super::chapter::{self, Kind};

/// Programs that a sentence of the guide may tell a reader to run. What it names has to be in a block of some chapter, so
/// that it is run.
const PROGRAMS: [&str; 12] =
    ["apt-get", "arena", "cargo", "clang", "curl", "git", "npm", "npx", "pip", "python3", "rustup", "sh"];

/// What runs the commands of the guide, and so is not among them.
const RUNNERS: [&str; 2] = ["cargo xtask guide", "cargo xtask test"];

/// Looks in the blocks of all chapters for what the sentences of any name. A chapter is its name and its text.
///
/// # Errors
/// A command or an option is in no block.
pub(super) fn ensure_run(chapters: &[(String, String)]) -> Result<()> {
    let mut run: Vec<String> = RUNNERS.map(str::to_owned).to_vec();
    for (name, text) in chapters {
        for block in chapter::blocks(text).with_context(|| name.clone())? {
            let Kind::Console(session) = block.kind else { continue };
            run.extend(session.into_iter().map(|step| step.command));
        }
    }
    for (name, text) in chapters {
        for named in named_commands(text).with_context(|| name.clone())? {
            if !run.iter().any(|run| named.is_in(run)) {
                bail!("{name}, line {}: no block of the guide runs `{}`", named.line, named.words.join(" "));
            }
        }
    }
    Ok(())
}

/// What a sentence of a chapter names between backticks that a reader could type.
struct Named<'a> {
    /// Where it stands, from 1.
    line: usize,
    /// A program's name and more, or an option.
    words: Vec<&'a str>,
}

/// The commands and options that the sentences of a chapter name: spans that begin with one of [`PROGRAMS`] and say more than
/// its name, and spans that begin with `--`.
///
/// # Errors
/// A span goes on in the next line, where it would not be seen as what it is.
fn named_commands(text: &str) -> Result<Vec<Named<'_>>> {
    let mut named = Vec::new();
    let mut is_block = false;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            is_block = !is_block;
        } else if !is_block {
            ensure!(line.matches('`').count().is_multiple_of(2), "line {}: a span ends where it begins", index + 1);
            let spans = line.split('`').skip(1).step_by(2).map(|span| span.split_whitespace().collect::<Vec<_>>());
            let typed = spans.filter(|words| match words[..] {
                [first, _, ..] if PROGRAMS.contains(&first) => true,
                [first, ..] => first.starts_with("--"),
                [] => false,
            });
            named.extend(typed.map(|words| Named { line: index + 1, words }));
        }
    }
    Ok(named)
}

impl Named<'_> {
    /// Whether a command has these words, in this order, among its own.
    fn is_in(&self, command: &str) -> bool {
        let mut given = command.split_whitespace();
        self.words.iter().all(|word| given.any(|next| next == *word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_commands_and_options() -> Result<()> {
        let text =
            "`arena` and `arena check`, then `--sprt 0,9`.\n```console\n$ `arena new`\n```\n`bot.c`: `cargo  doc`";
        let named = named_commands(text)?;
        let found: Vec<(usize, &[&str])> = named.iter().map(|named| (named.line, &named.words[..])).collect();
        assert_eq!(found, [(1, &["arena", "check"][..]), (1, &["--sprt", "0,9"]), (5, &["cargo", "doc"])]);
        let [check, sprt, doc] = &named[..] else { unreachable!("three were found") };
        assert!(check.is_in("arena check bot.wasm") && check.is_in("cd a && arena --quiet check"));
        assert!(!check.is_in("arena play") && !check.is_in("check arena"));
        assert!(sprt.is_in("arena play a b --sprt 0,9 --games 2") && !sprt.is_in("arena play a b --sprt 0,90"));
        assert!(doc.is_in("cargo doc"));
        assert!(named_commands("an `arena\ncheck`").is_err());
        Ok(())
    }

    #[test]
    fn what_is_named_is_run_in_a_block_of_any_chapter() {
        let chapter = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let blocks = chapter("a.md", "```console\n$ arena play a b --games 2\n```\n");
        for good in ["`arena play`", "`--games`", "`arena --games 2`", "`cargo xtask test`", "`cargo` and `play`"] {
            assert!(ensure_run(&[chapter("b.md", good), blocks.clone()]).is_ok(), "{good}");
        }
        for bad in ["`arena check`", "`--seed`", "`rustup target add x`", "`arena play b a`"] {
            assert!(ensure_run(&[blocks.clone(), chapter("b.md", bad)]).is_err(), "{bad}");
        }
    }
}
