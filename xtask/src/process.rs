//! Runs other programs: on our terminal, quietly to get their output, and with a time limit.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

/// The maximum number of output lines of a failed program that an error repeats.
const LINES_REPEATED_MAX: usize = 20;

/// How long a program whose time is up has to clean up before it is killed.
const GRACE_SECONDS: u64 = 10;

/// How `timeout` ends when the time is up; when it had to kill the program, as one that was killed.
pub(crate) const TIME_IS_UP: [i32; 2] = [124, 128 + 9];

/// The first file `name` in the folders of `path` (a value like that of `PATH`).
pub(crate) fn find_program(name: &str, path: &OsStr) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(path).map(|folder| folder.join(&file)).find(|candidate| candidate.is_file())
}

/// The program that a shell would start by this name.
pub(crate) fn find_on_path(name: &str) -> Option<PathBuf> {
    find_program(name, &std::env::var_os("PATH").unwrap_or_default())
}

/// A program that is ended, with those that it starts, when a time is up: its exit code is then one of [`TIME_IS_UP`].
pub(crate) fn within(limit: Duration, program: impl AsRef<OsStr>) -> Command {
    // By its path: the program may see another `PATH`.
    let mut timeout = Command::new(find_on_path("timeout").unwrap_or_else(|| "timeout".into()));
    timeout.arg(format!("--kill-after={GRACE_SECONDS}")).arg(limit.as_secs_f64().to_string()).arg(program);
    timeout
}

/// Runs a program on our own terminal.
///
/// # Errors
/// If the program does not start, or does not succeed.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", shown(command));
    }
    Ok(())
}

/// Runs a program on our terminal, and returns the wanted lines of its standard output and how it ended.
///
/// # Errors
/// If the program does not start, or its output cannot be read.
pub(crate) fn run_and_keep(
    command: &mut Command,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<(Vec<String>, Result<()>)> {
    let started = command.stdout(Stdio::piped()).spawn();
    let mut child = started.with_context(|| format!("cannot start {}", shown(command)))?;
    let mut kept = Vec::new();
    for line in BufReader::new(child.stdout.take().context("the pipe just asked for")?).lines() {
        let line = line.with_context(|| format!("cannot read what {} says", shown(command)))?;
        println!("{line}");
        if is_wanted(&line) {
            kept.push(line);
        }
    }
    let status = child.wait().context("cannot wait for a program")?;
    let ended = if status.success() { Ok(()) } else { Err(anyhow!("{} failed ({status})", shown(command))) };
    Ok((kept, ended))
}

/// Runs a program silently and gives what it wrote to its standard output.
///
/// # Errors
/// As [`run`]; the error repeats the end of what the program wrote to its standard error.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {}", shown(command)))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = said.lines().filter(|line| !line.is_empty()).collect();
        let end = &lines[lines.len().saturating_sub(LINES_REPEATED_MAX)..];
        let separator = if end.is_empty() { "" } else { ":\n" };
        bail!("{} failed ({}){separator}{}", shown(command), output.status, end.join("\n"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The program's file name and its arguments, as a person would type them.
fn shown(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let mut words = vec![program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    format!("`{}`", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wanted_lines_are_kept_whatever_the_end() -> Result<()> {
        let script = |end: &str| format!("echo one; echo BELOW two; {end}");
        for (end, succeeds) in [("exit 0", true), ("exit 3", false)] {
            let mut command = Command::new("sh");
            let (kept, ended) = run_and_keep(command.args(["-c", &script(end)]), |line| line.contains("BELOW"))?;
            assert_eq!((kept, ended.is_ok()), (vec!["BELOW two".to_owned()], succeeds), "{end}");
        }
        Ok(())
    }
}
