//! Completions for shells and pages of the manual, which a system keeps beside a program. Both are generated from the
//! description of the command line.

use std::io::Write;

use anyhow::{Context, Result};
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;

use crate::Cli;
use crate::exit::Exit;

#[derive(Args)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Args)]
pub(crate) struct Man {
    /// The command to describe, such as `play` or `tournament run` [default: an overview of all commands].
    command: Vec<String>,
}

pub(crate) fn completions(completions: &Completions, out: &mut dyn Write) -> Result<Exit> {
    let mut cli = Cli::command();
    let name = cli.get_name().to_owned();
    // Buffered, because the generator panics if it cannot write, and the reader may close the pipe early.
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut cli, name, &mut script);
    out.write_all(&script)?;
    Ok(Exit::Yes)
}

pub(crate) fn man(man: &Man, out: &mut dyn Write) -> Result<Exit> {
    let command = named(&man.command)?;
    clap_mangen::Man::new(command).render(out)?;
    Ok(Exit::Yes)
}

/// The command with these words after the program's name.
fn named(words: &[String]) -> Result<Command> {
    let mut cli = Cli::command().disable_help_subcommand(true);
    // Sets the full name of every command.
    cli.build();
    let mut command = &cli;
    for word in words {
        let found = command.find_subcommand(word).filter(|found| !found.is_hide_set());
        command = found.with_context(|| format!("there is no command {}", words.join(" ")))?;
    }
    Ok(command.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All commands that help shows, by their words. The arena itself has none.
    fn all(command: &Command, words: &[String], found: &mut Vec<Vec<String>>) {
        found.push(words.to_vec());
        for next in command.get_subcommands().filter(|next| !next.is_hide_set()) {
            all(next, &[words, &[next.get_name().to_owned()]].concat(), found);
        }
    }

    #[test]
    fn every_command_has_a_page_with_its_whole_name_and_all_its_options() -> Result<()> {
        let mut commands = Vec::new();
        all(&Cli::command(), &[], &mut commands);
        assert!(commands.len() > 15, "{commands:?}");
        for words in commands {
            let mut page = Vec::new();
            man(&Man { command: words.clone() }, &mut page)?;
            let page = String::from_utf8(page)?.replace('\\', "");
            let name = [&["arena".to_owned()], &words[..]].concat();
            assert!(page.contains(&name.join("-")) || page.contains(&name.join(" ")), "{name:?}: {page}");
            for option in named(&words)?.get_opts().filter_map(|option| option.get_long()) {
                assert!(page.contains(&format!("--{option}")), "{name:?} has no --{option}: {page}");
            }
        }
        assert!(man(&Man { command: vec!["no-such-command".into()] }, &mut Vec::new()).is_err());
        Ok(())
    }

    #[test]
    fn every_shell_completes_every_command() -> Result<()> {
        let mut commands = Vec::new();
        all(&Cli::command(), &[], &mut commands);
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut script = Vec::new();
            completions(&Completions { shell }, &mut script)?;
            let script = String::from_utf8(script)?;
            for name in commands.iter().flatten() {
                assert!(script.contains(name), "{shell} does not complete {name}");
            }
        }
        Ok(())
    }
}
