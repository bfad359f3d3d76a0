//! Native code within the walls of a worker: every attempt of `worker-test-escape` is stopped.
#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![expect(clippy::print_stdout, reason = "what a test found")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use arena_worker::walls::WorkerWall;

const ESCAPE: &str = env!("CARGO_BIN_EXE_worker-test-escape");
/// How long a process may take for what it does at once.
const PATIENCE: Duration = Duration::from_secs(120);
/// The number of attempts of the program.
const ATTEMPTS: usize = 27;

/// The result of each attempt: the wall that stopped it, and the error.
type Attempts = BTreeMap<String, (String, String)>;

/// Tries to escape from within these walls. Returns which of them hold, and what stopped each attempt.
fn escape(walls: &[WorkerWall]) -> (String, Attempts) {
    let names: Vec<&str> = walls.iter().map(|wall| wall.into()).collect();
    // The shell leaves a descriptor open, as a careless parent would, and sets a variable, which `env -i` removes.
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "exec /usr/bin/env -i \"$0\" \"$1\" 9</etc/passwd", ESCAPE, &names.join(",")]);
    let output = command.env_clear().current_dir("/").stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (holding, lines) = text.split_once('\n').unwrap();
    let attempts = lines.lines().map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        (fields[0].to_string(), (fields[1].to_string(), fields[2].to_string()))
    });
    (holding.into(), attempts.collect())
}

#[test]
fn nothing_succeeds_within_all_walls() {
    let (holding, attempts) = escape(&WorkerWall::ALL);
    println!("{holding}");
    for (attempt, (by, error)) in &attempts {
        println!("{attempt}: {by}: {error}");
    }
    assert!(!holding.contains("missing"), "{holding}");
    assert_eq!(attempts.len(), ATTEMPTS);
    for (attempt, (by, error)) in &attempts {
        // Reading is allowed, but there is nothing left to read from.
        let expected = if attempt == "read an inherited descriptor" { "descriptors" } else { "seccomp" };
        assert_eq!(by, expected, "{attempt}: {error}");
    }
}

/// Without the strongest wall, each of the others still stops what it is for.
#[test]
fn without_seccomp_the_other_walls_hold() {
    let others: Vec<WorkerWall> = WorkerWall::ALL.into_iter().filter(|wall| *wall != WorkerWall::Seccomp).collect();
    let (holding, attempts) = escape(&others);
    assert!(!holding.contains("missing"), "{holding}");
    assert_eq!(attempts.len(), ATTEMPTS);
    for (attempt, wall) in [
        ("read an inherited descriptor", "descriptors"),
        ("open a file", "limits"),
        ("write a file", "limits"),
        ("make a file of memory", "limits"),
        ("open a socket for TCP", "limits"),
        ("open a socket for UDP", "limits"),
        ("open a pair of sockets", "limits"),
        ("fork", "limits"),
        ("start a thread", "limits"),
        ("start a process with clone3", "limits"),
        ("start a program", "limits"),
        ("signal the parent", "landlock or user"),
        ("trace the parent", "landlock or user"),
        ("read the parent's memory", "landlock or user"),
        ("lift its own limits", "landlock or user"),
        ("become root", "landlock or user"),
        ("mount", "landlock or user"),
        ("become another program", "landlock"),
    ] {
        let (by, error) = &attempts[attempt];
        assert_eq!(by, wall, "{attempt}: {error}");
    }
}

#[test]
fn landlock_alone_leaves_no_path_and_no_port() {
    let (holding, attempts) = escape(&[WorkerWall::NoNewPrivileges, WorkerWall::Landlock]);
    assert_eq!(holding, "holding: no_new_privileges, landlock");
    for attempt in [
        "open a file",
        "list a folder",
        "read the environment",
        "write a file",
        "open a socket for TCP",
        "trace the parent",
        "become another program",
    ] {
        let (by, error) = &attempts[attempt];
        assert_eq!(by, "landlock", "{attempt}: {error}");
    }
}

/// Without walls many attempts succeed, so it is the walls that stop them.
#[test]
fn without_walls_much_succeeds() {
    let (holding, attempts) = escape(&[]);
    assert_eq!(holding, "holding: none");
    for attempt in [
        "read an inherited descriptor",
        "open a file",
        "list a folder",
        "read the environment",
        "write a file",
        "make a file of memory",
        "open a socket for TCP",
        "open a socket for UDP",
        "open a pair of sockets",
        "fork",
        "start a thread",
        "start a process with clone3",
        "start a program",
        "signal the parent",
        "limit the parent",
    ] {
        assert_eq!(attempts[attempt].0, "succeeded", "{attempt}: {}", attempts[attempt].1);
    }
    assert!(!attempts.contains_key("become another program"), "it became one");
}

#[test]
fn a_worker_ends_with_its_parent() {
    let mut parent = Command::new(ESCAPE)
        .args(["environment,parent_death", "parent"])
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = BufReader::new(parent.stdout.take().unwrap());
    let (says, said) = mpsc::channel();
    thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| says.send(line)));
    let next = |what: &str| match said.recv_timeout(PATIENCE) {
        Err(RecvTimeoutError::Timeout) => panic!("waited {PATIENCE:?} for {what}"),
        line => line.ok(),
    };
    for _ in 0..2 {
        assert_eq!(next("both processes").as_deref(), Some("waiting"));
    }
    parent.kill().unwrap();
    parent.wait().unwrap();
    // The pipe ends when no process holds it any more.
    assert_eq!(next("the end of the worker"), None);
}
