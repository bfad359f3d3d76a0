//! Commands in the guide's sentences: each must also be run in a block of some chapter.

use anyhow::{Context, Result, bail, ensure};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

use super::chapter::{self, Kind};

/// Programs in sentences that are commands, besides those that blocks run.
const PROGRAMS: [&str; 11] =
    ["apt", "apt-get", "clang", "curl", "git", "npx", "pip", "pip3", "python", "python3", "rustup"];

/// The programs that run the guide's commands, and therefore are not among them.
const RUNNERS: [&str; 2] = ["cargo xtask guide", "cargo xtask test"];

/// Separators of commands in one line.
const BETWEEN: [&str; 5] = ["&&", "||", "|", ";", "\n"];

/// Searches the blocks of all chapters for the commands in sentences. A chapter is its name and its text.
///
/// # Errors
/// If a command or an option is in no block, or a chapter has code that is neither a block nor in a sentence.
pub(super) fn ensure_run(chapters: &[(String, String)]) -> Result<()> {
    let mut lines: Vec<String> = RUNNERS.map(str::to_owned).to_vec();
    for (name, text) in chapters {
        for block in chapter::blocks(text).with_context(|| name.clone())? {
            let Kind::Console(session) = block.kind else { continue };
            lines.extend(session.into_iter().map(|step| step.command.replace("\\\n", " ")));
        }
    }
    let run: Vec<Typed> = lines.iter().flat_map(|line| commands(line)).collect();
    let programs: Vec<&str> = run.iter().map(|typed| typed.program).chain(PROGRAMS).collect();
    for (name, text) in chapters {
        for Span { line, code } in spans(text).with_context(|| name.clone())? {
            let is_run = match commands(&code)[..] {
                [Typed { program, ref rest }] if program.starts_with("--") => {
                    let words: Vec<&str> = [program].into_iter().chain(rest.iter().copied()).collect();
                    run.iter().any(|typed| has_in_order(&typed.rest, &words))
                }
                ref named => named
                    .iter()
                    .filter(|named| programs.contains(&named.program) && !named.rest.is_empty())
                    .all(|named| run.iter().any(|run| run.is(named))),
            };
            if !is_run {
                bail!("{name}, line {line}: no block of the guide runs `{code}`");
            }
        }
    }
    Ok(())
}

/// A program call as typed by a reader.
struct Typed<'a> {
    /// Its name, without its folder.
    program: &'a str,
    rest: Vec<&'a str>,
}

impl Typed<'_> {
    /// Whether `other` is the same call with more words: the same program with the same first word, and all other words
    /// in order.
    fn is(&self, other: &Typed) -> bool {
        self.program == other.program
            && self.rest.first() == other.rest.first()
            && has_in_order(&self.rest, &other.rest)
    }
}

/// The commands in a line of shell.
fn commands(line: &str) -> Vec<Typed<'_>> {
    let mut parts = vec![line];
    for between in BETWEEN {
        parts = parts.into_iter().flat_map(|part| part.split(between)).collect();
    }
    parts.into_iter().filter_map(command).collect()
}

/// A command without its prefixes: a prompt, variables, `sudo`.
fn command(part: &str) -> Option<Typed<'_>> {
    let is_before = |word: &&str| matches!(*word, "$" | "sudo") || word.contains('=') && !word.starts_with('-');
    let mut words = part.split_whitespace().skip_while(is_before);
    let program = words.next()?;
    Some(Typed { program: program.rsplit('/').next().unwrap_or(program), rest: words.collect() })
}

/// Whether all of `words` are in `given`, in this order.
fn has_in_order(given: &[&str], words: &[&str]) -> bool {
    let mut given = given.iter();
    words.iter().all(|word| given.any(|next| next == word))
}

/// Code in a sentence.
struct Span {
    /// Its line, from 1.
    line: usize,
    code: String,
}

/// The code in the sentences of a chapter.
///
/// # Errors
/// If there is code that would go unchecked: a block without a fence that [`chapter::blocks`] reads, or HTML.
fn spans(text: &str) -> Result<Vec<Span>> {
    let (mut spans, mut fences) = (Vec::new(), Vec::new());
    for (event, range) in Parser::new(text).into_offset_iter() {
        let line = 1 + text[..range.start].matches('\n').count();
        match event {
            Event::Code(code) => spans.push(Span { line, code: code.into_string() }),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => fences.push(line),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => bail!("line {line}: code without a fence"),
            Event::Html(_) | Event::InlineHtml(_) => bail!("line {line}: HTML"),
            _ => {}
        }
    }
    let read: Vec<usize> = chapter::blocks(text)?.iter().map(|block| block.line).collect();
    ensure!(fences == read, "blocks begin at lines {fences:?}, and are read at lines {read:?}");
    Ok(spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a chapter with this text, beside one that runs something.
    fn ensure_runs(text: &str) -> Result<()> {
        let chapter = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let blocks = "```console\n$ cd a && arena play a b \\\n    --games 2\n$ grep x y | head -n 2\n```\n";
        ensure_run(&[chapter("b.md", text), chapter("a.md", blocks)])
    }

    #[test]
    fn what_a_sentence_names_is_run_in_a_block_of_any_chapter() {
        for good in [
            "`arena play`",
            "`--games`",
            "`--games 2`",
            "`arena play a --games 2`",
            "`A=b arena play`",
            "`cargo xtask test`",
            "`cargo` and `play`",
            "`target/release/arena play`",
            "`head -n 2`",
            "| `a = 1` | `bot.c`, `(call $log (address) (length))` |",
            "`grep x y | head`",
        ] {
            assert!(ensure_runs(good).is_ok(), "{good}");
        }
        for bad in [
            "`arena check`",
            "`--seed`",
            "`rustup target add x`",
            "`arena play b a`",
            "`arena a b`",
            "`cargo test`",
            "`arena head`",
            "`arena y`",
            "`--games 3`",
            "``arena check``",
            "`$ arena check`",
            "`./arena check`",
            "`sudo apt install x`",
            "`A=b arena check`",
            "`head -n 3`",
            "`arena play && arena check`",
            "an `arena\ncheck`",
            "# `arena check`",
            "| a |\n|---|\n| `arena check` |",
            "[`arena check`](x.md)",
        ] {
            assert!(ensure_runs(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn code_that_would_go_unchecked_is_refused() {
        for bad in ["Words.\n\n    arena check\n", "~~~console\n$ arena check\n~~~\n", "<code>arena check</code>"] {
            assert!(ensure_runs(bad).is_err(), "{bad}");
        }
        // A fence with more text on its line does not end a block.
        assert!(ensure_runs("```text\n```not the end\n`arena check`\n```\n").is_ok());
    }
}
