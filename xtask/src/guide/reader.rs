//! A chapter's reader: a folder, a shell, and programs that keep running in other terminals.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;

use super::chapter::{Ends, Step};
use super::shown::{is_begun, is_said};
use crate::bots::newcomer;

/// The address of a site in chapters. It may be in use on this machine, so it is replaced by another one.
const ADDRESS: &str = "127.0.0.1:8080";

/// The time limit for a program in the background to print the shown output, and to end.
const BACKGROUND_SECONDS_MAX: u64 = 60;

/// The file in which `arena login` keeps codes.
const CONFIG: &str = "ARENA_CONFIG";

/// Tells a shell the file to which it writes its final folder.
const HERE: &str = "GUIDE_HERE";

pub(super) struct Reader {
    /// The folder of the next command.
    here: PathBuf,
    /// A file beside the reader's folder in which a shell reports its final folder.
    ended_in: PathBuf,
    address: String,
    env: Vec<(OsString, OsString)>,
    background: Vec<Background>,
    /// The number of commands run.
    pub(super) commands: usize,
}

/// A program that keeps running. Dropping it stops it.
struct Background {
    command: String,
    child: Child,
    /// Its output lines; closed when it ends.
    lines: Receiver<String>,
}

impl Reader {
    /// A reader in a new, empty folder.
    ///
    /// # Errors
    /// If the folder cannot be created, or no port is free.
    pub(super) fn new(folder: &Path, env: &[(&str, OsString)]) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut env: Vec<(OsString, OsString)> = env.iter().map(|(name, value)| (name.into(), value.clone())).collect();
        env.push((CONFIG.into(), folder.with_extension("config").into()));
        let ended_in = folder.with_extension("here");
        env.push((HERE.into(), ended_in.clone().into()));
        let address = format!("127.0.0.1:{port}");
        Ok(Self { here: folder.to_owned(), ended_in, address, env, background: Vec::new(), commands: 0 })
    }

    /// Saves a file at a path relative to the reader's folder.
    ///
    /// # Errors
    /// If it cannot be written; or if its folder does not exist, which a person would notice, too.
    pub(super) fn save(&self, path: &str, text: &str) -> Result<()> {
        Ok(fs::write(self.here.join(path), text)?)
    }

    /// Runs a command.
    ///
    /// # Errors
    /// If its exit code or output differs from the chapter.
    pub(super) fn run(&mut self, step: &Step) -> Result<()> {
        self.commands += 1;
        match step.ends {
            Ends::With(code) => self.run_to_the_end(step, code),
            Ends::AfterTheChapter => self.begin(step),
        }
    }

    fn run_to_the_end(&mut self, step: &Step, code: i32) -> Result<()> {
        let command = self.here_and_now(&step.command);
        let script = format!("exec 2>&1\n{command}\nstatus=$?\npwd >\"${HERE}\"\nexit $status");
        let output = self.shell(&script).stdin(Stdio::null()).output().context("cannot start a shell")?;
        let said = String::from_utf8_lossy(&output.stdout);
        let ended = output.status.code();
        ensure!(ended == Some(code), "`{}` ended with {ended:?}, not {code}:\n{said}", step.command);
        if !is_said(&self.shown(step), &said, step.roughly) {
            bail!("`{}` says something else:\n{said}\nthan is shown:\n{}", step.command, step.shown.join("\n"));
        }
        self.here = fs::read_to_string(&self.ended_in).context("a shell says where it ended")?.trim_end().into();
        Ok(())
    }

    fn begin(&mut self, step: &Step) -> Result<()> {
        let script = format!("exec 2>&1\nexec {}", self.here_and_now(&step.command));
        let mut child =
            self.shell(&script).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("cannot start a shell")?;
        let stdout = child.stdout.take().context("the pipe just asked for")?;
        let (send, lines) = mpsc::channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(stdout).lines().map_while(Result::ok);
            // The receiver may have been dropped.
            lines.map(|line| send.send(line)).all(|sent| sent.is_ok())
        });
        let background = Background { command: step.command.clone(), child, lines };
        let shown = self.shown(step);
        let mut said = Vec::new();
        let start = Instant::now();
        while !is_begun(&shown, &said, step.roughly) {
            let left = Duration::from_secs(BACKGROUND_SECONDS_MAX).saturating_sub(start.elapsed());
            match background.lines.recv_timeout(left) {
                Ok(line) => said.push(line),
                Err(_) => bail!("`{}` does not say what is shown, but:\n{}", step.command, said.join("\n")),
            }
        }
        self.background.push(background);
        Ok(())
    }

    /// Stops the programs in other terminals with Ctrl-C.
    ///
    /// # Errors
    /// If one does not end.
    pub(super) fn leave(&mut self) -> Result<()> {
        self.background.drain(..).rev().try_for_each(Background::interrupt)
    }

    /// The shown output, with the address of this reader's site.
    fn shown(&self, step: &Step) -> Vec<String> {
        step.shown.iter().map(|line| self.here_and_now(line)).collect()
    }

    fn here_and_now(&self, text: &str) -> String {
        text.replace(ADDRESS, &self.address)
    }

    fn shell(&self, script: &str) -> Command {
        newcomer::shell(&self.here, script, &self.env)
    }
}

impl Background {
    fn interrupt(mut self) -> Result<()> {
        let pid = self.child.id().to_string();
        // The shell's built-in `kill`: some systems have no such program.
        let mut kill = Command::new("sh");
        let status = kill.args(["-c", "kill -s INT \"$0\"", &pid]).status().context("cannot start a shell")?;
        ensure!(status.success(), "`{}` has ended by itself", self.command);
        let start = Instant::now();
        loop {
            let left = Duration::from_secs(BACKGROUND_SECONDS_MAX).saturating_sub(start.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(_) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => bail!("`{}` keeps running after Ctrl-C", self.command),
            }
        }
        self.child.wait().context("cannot wait for a program")?;
        Ok(())
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // It has already ended, unless something went wrong before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(command: &str, shown: &[&str], ends: Ends) -> Step {
        let shown = shown.iter().map(|line| (*line).to_owned()).collect();
        Step { command: command.into(), shown, roughly: false, ends, needs: None }
    }

    #[test]
    fn a_reader_stays_in_its_folder_and_sees_what_is_said() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let mut reader = Reader::new(&folder.path().join("chapter"), &[])?;
        reader.run(&step("mkdir a && cd a", &[], Ends::With(0)))?;
        reader.save("b", "in a file\n")?;
        reader.run(&step("cat b; echo beside >&2", &["in a file", "beside"], Ends::With(0)))?;
        reader.run(&step("false", &[], Ends::With(1)))?;
        assert!(reader.run(&step("false", &[], Ends::With(0))).is_err());
        assert!(reader.run(&step("echo one", &["two"], Ends::With(0))).is_err());
        assert!(reader.save("c/d", "").is_err());
        Ok(())
    }

    #[test]
    fn what_goes_on_ends_by_an_interrupt() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let mut reader = Reader::new(&folder.path().join("chapter"), &[])?;
        // In the background of a shell, these tests and their children ignore Ctrl-C.
        let goes_on = "env --default-signal=INT sh -c 'echo at 127.0.0.1:8080; exec tail -f /dev/null'";
        reader.run(&step(goes_on, &["at 127.0.0.1:8080"], Ends::AfterTheChapter))?;
        reader.leave()?;
        reader.run(&step("true", &[], Ends::AfterTheChapter))?;
        assert!(reader.run(&step("echo else", &["said"], Ends::AfterTheChapter)).is_err());
        Ok(())
    }
}
