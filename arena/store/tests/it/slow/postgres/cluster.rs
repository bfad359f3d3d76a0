//! A server of PostgreSQL of the test's own: started from the installed programs in a folder that goes away with the
//! test, however the test ends. Where there are no such programs, plain `cargo test` leaves out the tests that need
//! them, and says so.
#![allow(dead_code, reason = "each test file uses what it needs")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use crate::left_out::left_out;

const VERSION_MIN: u32 = 15;

/// Where Debian and Fedora put the programs: a folder for each version.
const FOLDERS: [&str; 2] = ["/usr/lib/postgresql", "/usr/pgsql"];

/// Starts a server in the folder `$1` with the programs in `$2`, says so, and ends it when nobody holds the other end
/// of the pipe any more: the kernel closes that however the test ends. The folder goes with it.
const GUARD: &str = r#"
trap '' INT TERM HUP
cd "$1" || exit 1
{
  "$2/initdb" --pgdata data --username arena --auth trust --encoding UTF8 --no-locale --no-sync &&
  { echo 'local all locked,shut scram-sha-256'; cat data/pg_hba.conf; } > hba && mv hba data/pg_hba.conf &&
  "$2/pg_ctl" start --wait --pgdata data --log server.log --options "-c listen_addresses= -c unix_socket_directories=$1 \
    -c max_connections=600 -c shared_buffers=64MB -c fsync=off -c full_page_writes=off -c autovacuum=off $3"
} > start.log 2>&1 < /dev/null && echo ready || cat start.log server.log
read -r _
"$2/pg_ctl" stop --pgdata data --mode immediate > stop.log 2>&1
rm -rf "$1"
"#;

/// Puts the backup `base` into the place of the data, with the programs in `$1`, and lets the server go on from it up
/// to the moment `$2`.
const GO_BACK: &str = r#"
set -e
"$1/pg_ctl" stop --pgdata data
cp data/postmaster.opts base
printf '%s\n' "restore_command = 'cp ../archive/%f %p'" "recovery_target_name = '$2'" "recovery_target_action = 'promote'" \
  "hot_standby = off" > base/postgresql.auto.conf
touch base/recovery.signal
mv data lost
mv base data
"$1/pg_ctl" restart --wait --log server.log --pgdata data
"#;

/// Names the folder of a server that outlives this process: tests that run in processes of their own share one.
const SHARED: &str = "ARENA_TEST_CLUSTER";

/// A running server.
pub(crate) struct Cluster {
    folder: PathBuf,
    programs: PathBuf,
    user: Option<(u32, u32)>,
    databases: AtomicU32,
    /// While its input is open, the server runs. Of a shared one, the process that started it has that.
    guard: Option<Child>,
}

/// Whether this machine has PostgreSQL; if not, a line says that the test is left out.
///
/// # Panics
/// When there is none in `cargo xtask test`, which leaves out nothing.
pub(crate) fn is_there() -> bool {
    let there = programs().is_some();
    if !there {
        let thread = thread::current();
        let test = thread.name().unwrap_or("a test");
        let needed = format!("PostgreSQL {VERSION_MIN} or later (Debian: `apt-get install postgresql`)");
        assert!(std::env::var_os("ARENA_BOTS_DIR").is_none(), "{test} needs {needed}");
        left_out(&format!("{test} needs {needed}"));
    }
    there
}

/// The server that tests share: those of this process, or of all where one is started for them.
pub(crate) fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| match std::env::var_os(SHARED) {
        Some(folder) => Cluster::at(folder.into()),
        None => Cluster::start(""),
    })
}

impl Cluster {
    /// Starts a server, with more words for its command line, in a folder for temporary files.
    ///
    /// # Panics
    /// On a machine without PostgreSQL; [`is_there`] says whether it has one.
    pub(crate) fn start(options: &str) -> Cluster {
        Cluster::start_in(&std::env::temp_dir(), options)
    }

    /// One that runs already.
    fn at(folder: PathBuf) -> Cluster {
        let programs = programs().expect("the programs of PostgreSQL");
        Cluster { folder, programs, user: ordinary_user(), databases: AtomicU32::new(0), guard: None }
    }

    /// The same in this folder, such as one on a disk of its own.
    pub(crate) fn start_in(place: &Path, options: &str) -> Cluster {
        let programs = programs().expect("the programs of PostgreSQL");
        let user = ordinary_user();
        let folder = tempfile::Builder::new().prefix("arena-pg-").tempdir_in(place).expect("a folder").keep();
        if let Some((uid, gid)) = user {
            chown(&folder, Some(uid), Some(gid)).expect("the folder belongs to the server's user");
        }
        let mut guard = Command::new("sh");
        guard.args(["-c", GUARD, "guard"]).arg(&folder).arg(&programs).arg(options);
        let mut guard = as_user(&mut guard, user)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut said = BufReader::new(guard.stdout.take().expect("a pipe"));
        let mut line = String::new();
        said.read_line(&mut line).expect("a line");
        let cluster = Cluster { folder, programs, user, databases: AtomicU32::new(0), guard: Some(guard) };
        if line != "ready\n" {
            drop(cluster);
            let rest: Vec<String> = said.lines().map_while(Result::ok).collect();
            panic!("PostgreSQL does not start: {line}{}", rest.join("\n"));
        }
        cluster
    }

    /// What [`SHARED`] names.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The address of a database, for the user who may do everything.
    pub(crate) fn url(&self, database: &str) -> String {
        self.url_as("arena", database)
    }

    /// The same for another user: a name, or a name and a password.
    pub(crate) fn url_as(&self, user: &str, database: &str) -> String {
        format!("postgres://{user}@localhost/{database}?host={}", self.folder.display())
    }

    /// Makes a database, a copy of another if one is named, and returns its address.
    pub(crate) fn database(&self, template: Option<&str>) -> String {
        let (process, number) = (std::process::id(), self.databases.fetch_add(1, Ordering::Relaxed));
        let name = format!("test_{process}_{number}");
        self.make_database(&name, template);
        self.url(&name)
    }

    /// Makes a database of this name.
    pub(crate) fn make_database(&self, name: &str, template: Option<&str>) {
        // A copy wants its template alone.
        let _one = self.lock("copying");
        self.sql("postgres", &format!("create database {name} template {}", template.unwrap_or("template0")));
    }

    /// Waits until no other process has this lock. It ends with the file.
    pub(crate) fn lock(&self, name: &str) -> File {
        let file = File::create(self.folder.join(format!("{name}.lock"))).expect("a file");
        file.lock().expect("a lock");
        file
    }

    /// Whether a database of this name is there.
    pub(crate) fn has_database(&self, name: &str) -> bool {
        !self.sql("postgres", &format!("select 1 from pg_database where datname = '{name}'")).is_empty()
    }

    /// Has statements done.
    pub(crate) fn sql(&self, database: &str, statements: &str) -> String {
        self.try_sql(database, statements).unwrap_or_else(|said| panic!("{said}"))
    }

    /// The same where they may not be; what the server says then.
    pub(crate) fn try_sql(&self, database: &str, statements: &str) -> Result<String, String> {
        let output = self
            .program("psql")
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1"])
            .args([
                "--host",
                self.folder.to_str().expect("a plain path"),
                "--username",
                "arena",
                "--command",
                statements,
            ])
            .arg(database)
            .output()
            .expect("psql");
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(String::from_utf8(output.stdout).expect("text").trim().to_owned())
    }

    /// Kills the server as a power cut would, and starts it again.
    pub(crate) fn crash_and_restart(&self) {
        let mut restart = self.program("pg_ctl");
        restart.args(["restart", "--mode", "immediate", "--wait", "--log", "server.log", "--pgdata", "data"]);
        // Not through a pipe: the server would hold its other end.
        let done = restart.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("pg_ctl");
        assert!(done.success(), "{}", fs::read_to_string(self.folder.join("server.log")).unwrap_or_default());
    }

    /// The process of which all others of the server are children.
    pub(crate) fn process(&self) -> u32 {
        let lines = fs::read_to_string(self.folder.join("data/postmaster.pid")).expect("it runs");
        lines.lines().next().and_then(|line| line.trim().parse().ok()).expect("a process")
    }

    /// Copies the server's folder while it runs, as the backup that it can go back from.
    pub(crate) fn back_up(&self) {
        let socket = self.folder.to_str().expect("a plain path");
        let mut copy = self.program("pg_basebackup");
        copy.args(["--username", "arena", "--checkpoint", "fast", "--pgdata", "base", "--host", socket]);
        done(copy.output().expect("pg_basebackup"));
    }

    /// Stops the server, and starts it from the backup with what it archived, up to a moment that was named.
    pub(crate) fn go_back_to(&self, moment: &str) {
        let mut script = Command::new("sh");
        script.args(["-c", GO_BACK, "go back"]).arg(&self.programs).arg(moment);
        as_user(&mut script, self.user).current_dir(&self.folder).stdin(Stdio::null());
        // Not through a pipe: the server would hold its other end.
        let done = script.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("a shell");
        assert!(done.success(), "{}", fs::read_to_string(self.folder.join("server.log")).unwrap_or_default());
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        as_user(&mut command, self.user).current_dir(&self.folder).stdin(Stdio::null()).stderr(Stdio::piped());
        command
    }
}

impl Drop for Cluster {
    /// The server that all tests share is never dropped: its guard ends it after the process.
    fn drop(&mut self) {
        let Some(guard) = &mut self.guard else { return };
        drop(guard.stdin.take());
        guard.wait().expect("the guard ends");
    }
}

fn done(output: Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn as_user(command: &mut Command, user: Option<(u32, u32)>) -> &mut Command {
    match user {
        Some((uid, gid)) => command.uid(uid).gid(gid),
        None => command,
    }
}

/// The folder of the installed programs, the newest if there are several.
fn programs() -> Option<PathBuf> {
    let newest =
        FOLDERS.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten().filter_map(|entry| {
            let version = entry.file_name().to_str()?.parse::<u32>().ok()?;
            let programs = entry.path().join("bin");
            (version >= VERSION_MIN && programs.join("initdb").exists()).then_some((version, programs))
        });
    newest.max().map(|(_, programs)| programs)
}

/// Who runs the server when the test is root, whom PostgreSQL does not run for.
fn ordinary_user() -> Option<(u32, u32)> {
    let is_root = rustix::process::geteuid().is_root();
    let users = fs::read_to_string(Path::new("/etc/passwd")).unwrap_or_default();
    let ids = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2).map(|field| field.parse().ok());
        Some((fields.next()??, fields.next()??))
    };
    let found = || ["postgres", "nobody"].into_iter().find_map(ids).expect("a user postgres or nobody");
    is_root.then(found)
}
