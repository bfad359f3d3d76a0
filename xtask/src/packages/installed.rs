//! Tries out an installed package, away from the rest of the arena.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;

use crate::bots::newcomer::path_with;
use crate::process::output;

/// The time limit for a server's answer on a busy machine.
const ANSWER_SECONDS_MAX: u64 = 60;

/// The page text of every package.
const ABOUT: &str = include_str!("../../packages/README.md");

/// How a page and its module begin. Requests for files of other versions get the current ones.
const PAGES: [(&str, &[u8]); 2] = [("/", b"<!doctype html>"), ("/static/any/arena_engine.wasm", b"\0asm")];

/// A newcomer's steps in an empty folder: a version, the commands of the package's page, a site.
///
/// # Errors
/// If one of them fails or is missing.
pub(super) fn try_out(program: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let version = output(Command::new(program).arg("--version").current_dir(folder))?;
    let expected = format!("arena {}\n", env!("CARGO_PKG_VERSION"));
    ensure!(version.starts_with(&expected), "it says that it is {version:?}");
    let block = ABOUT.split("```").nth(1).context("the page has a block of commands")?;
    output(Command::new("sh").args(["-ec", block]).current_dir(folder).env("PATH", path_with(program)?))?;
    // A crate cannot carry manifests under their own names, so those of a new project are checked.
    output(Command::new(program).args("new in-rust --lang rust".split(' ')).current_dir(folder))?;
    for member in ["rules", "wire", "rust"] {
        let manifest = folder.join("in-rust/arena-sdk").join(member).join("Cargo.toml");
        let manifest = fs::read_to_string(&manifest).with_context(|| format!("the SDK has no {member}/Cargo.toml"))?;
        ensure!(manifest.starts_with("[package]"), "the SDK's {member}/Cargo.toml begins otherwise:\n{manifest}");
    }
    ensure!(folder.join("in-rust/Cargo.lock").is_file(), "a project in Rust has no Cargo.lock");
    let mut site = Site::start(program, folder, &[])?;
    let answered = PAGES.iter().try_for_each(|(page, begin)| site.answers(page, begin));
    site.stop()?;
    answered
}

/// A running `arena serve`.
pub(crate) struct Site {
    child: Child,
    address: String,
}

impl Site {
    /// Starts a site with its data in a folder.
    pub(crate) fn start(program: &Path, folder: &Path, flags: &[&str]) -> Result<Self> {
        let mut serve = Command::new(program);
        serve.current_dir(folder).args("serve --data site --listen 127.0.0.1:0".split(' ')).args(flags);
        let mut child = serve.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("it does not start")?;
        let mut line = String::new();
        let stdout = child.stdout.take().context("the pipe just asked for")?;
        let read = BufReader::new(stdout).read_line(&mut line);
        let address = line.trim().strip_prefix("listening on http://").map(str::to_owned);
        match (read, address) {
            (Ok(_), Some(address)) => Ok(Self { child, address }),
            _ => {
                child.kill()?;
                child.wait()?;
                bail!("`arena serve` says {line:?}, not where it listens")
            }
        }
    }

    /// Whether a page exists and begins as it should.
    fn answers(&mut self, page: &str, begin: &[u8]) -> Result<()> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(ANSWER_SECONDS_MAX)))?;
        write!(stream, "GET {page} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).with_context(|| format!("no answer for {page}"))?;
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").context("an answer has a head")?;
        let (head, body) = (String::from_utf8_lossy(&answer[..end]), &answer[end + 4..]);
        ensure!(head.starts_with("HTTP/1.1 200 ") && body.starts_with(begin), "{page} is answered by {head}");
        Ok(())
    }

    /// The address on which it listens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn stop(mut self) -> Result<()> {
        self.child.kill().context("cannot stop the site")?;
        self.child.wait().context("cannot stop the site")?;
        Ok(())
    }
}
