//! Pipes, sockets and devices in the place of files: every command refuses them at once, and none waits.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::program::{code, err, out};

/// After so many seconds a command has waited for something that never comes. It is stopped then, and the test fails.
const WAITED: &str = "120";
/// What every refusal says.
const WORDS: &str = "a pipe, a socket or a device";

fn arena(arguments: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.args([WAITED, env!("CARGO_BIN_EXE_arena")]).args(arguments).stdin(Stdio::null());
    command.output().unwrap()
}

#[derive(Clone, Copy, Debug)]
enum Thing {
    Pipe,
    Socket,
    Device,
}

impl Thing {
    const ALL: [Thing; 3] = [Thing::Pipe, Thing::Socket, Thing::Device];

    fn make(self, path: &Path) {
        match self {
            Thing::Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            // By way of a shorter path: a socket's has 107 bytes at most.
            Thing::Socket => {
                let place = tempfile::tempdir().unwrap();
                drop(UnixListener::bind(place.path().join("socket")).unwrap());
                fs::rename(place.path().join("socket"), path).unwrap();
            }
            Thing::Device => symlink("/dev/zero", path).unwrap(),
        }
    }
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().into()
    }

    /// A finished tournament in `t`, with a bot, and its definition `t.toml`.
    fn played() -> Place {
        let place = Place::new();
        let entrants =
            "[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n[[entrants]]\nname = \"mason\"\ngallery = \"mason\"\n";
        fs::write(place.path("t.toml"), format!("name = \"t\"\nseed = 5\npairs = 1\n{entrants}")).unwrap();
        let run = arena(&["tournament", "run", &place.text("t.toml"), "--out", &place.text("t")]);
        assert_eq!(code(&run), 0, "{}", err(&run));
        fs::write(place.path("game.json"), arena(&["record", "to-json", &format!("{}#0", place.text("t"))]).stdout)
            .unwrap();
        place
    }
}

#[test]
fn named_on_the_command_line_they_are_refused_by_every_command() {
    let place = Place::played();
    for thing in Thing::ALL {
        let at = place.text(&format!("{thing:?}"));
        thing.make(Path::new(&at));
        let wasm = place.text(&format!("{thing:?}.wasm"));
        thing.make(Path::new(&wasm));
        let (definition, game, new) = (place.text("t.toml"), place.text("game.json"), place.text("new"));
        let vectors = place.text(&format!("{thing:?}-vectors/conquerors"));
        fs::create_dir_all(&vectors).unwrap();
        thing.make(&Path::new(&vectors).join("steps.jsonl"));
        let vectors_of_all = place.text(&format!("{thing:?}-vectors"));
        let commands: &[&[&str]] = &[
            &["verify", &at],
            &["verify", &game, &at],
            &["replay", &at],
            &["record", "show", &at],
            &["record", "to-json", &at],
            &["record", "from-text", &at],
            &["record", "csv", &game, &at],
            &["debug", &wasm, &game, "--turn", "1"],
            &["debug", "mason", &at, "--turn", "1"],
            &["check", &wasm],
            &["play", &wasm, "easy", "--games", "2"],
            &["assemble", &at, "--output", &new],
            &["tournament", "run", &at, "--out", &new],
            &["tournament", "plan", &at],
            &["tournament", "run", &definition, "--openings", &at, "--out", &new],
            &["conformance", &vectors_of_all],
            &["login", "--server", "https://arena.invalid", "--ca", &at],
            &["serve", "--data", &new, "--listen", "127.0.0.1:0", "--operator-token-file", &at],
        ];
        for command in commands {
            let refused = arena(command);
            let said = format!("{}{}", out(&refused), err(&refused));
            // A build without pages says so before it reads a token.
            if command[0] == "serve" && said.contains("cargo xtask engine") {
                continue;
            }
            // Reads only files that it knows the readers of.
            if command[0] == "conformance" && said.contains("no file of vectors") {
                continue;
            }
            assert!(code(&refused) == 2 && said.contains(WORDS), "{thing:?} {command:?}: {} {said}", code(&refused));
        }
        assert!(!Path::new(&new).exists());
    }
}

#[test]
fn in_the_place_of_any_file_of_a_tournament_no_command_waits_for_them() {
    let place = Place::played();
    let honest = place.path("t");
    let bot = fs::read_dir(honest.join("entrants")).unwrap().next().unwrap().unwrap().file_name();
    let bot = format!("entrants/{}", bot.to_str().unwrap());
    let names = ["definition.toml", "manifest.json", "journal", "index", &bot, "results/standings.json", "index.new"];
    for thing in Thing::ALL {
        for name in names {
            let folder = place.path(&format!("{thing:?}-{}", name.replace('/', "-")));
            assert!(Command::new("cp").arg("-r").args([&honest, &folder]).status().unwrap().success());
            let file = folder.join(name);
            if file.exists() {
                fs::remove_file(&file).unwrap();
            }
            thing.make(&file);
            let (dir, first) = (folder.to_str().unwrap(), format!("{}#0", folder.display()));
            let (game, exported) = (place.text("game.json"), place.text("exported.tar.zst"));
            let (definition, honest) = (place.text("t.toml"), honest.to_str().unwrap());
            let new = place.text(&format!("new-{thing:?}-{}", name.replace('/', "-")));
            let whole = arena(&["verify", dir]);
            assert_eq!(code(&whole), 3, "{thing:?} {name}: {}{}", out(&whole), err(&whole));
            assert!(out(&whole).contains("DAMAGED") && out(&whole).contains(name), "{}", out(&whole));
            let commands: &[&[&str]] = &[
                &["verify", &first],
                &["verify", honest, "--after", dir],
                &["verify", &game, "--bots", &format!("{dir}/entrants")],
                &["replay", &first],
                &["record", "to-json", &first],
                &["debug", "mason", &first, "--turn", "1"],
                &["tournament", "status", dir],
                &["tournament", "standings", dir],
                &["tournament", "export", dir, &exported],
                &["tournament", "run", &definition, "--out", &new, "--from", dir],
                &["tournament", "withdraw", dir, "easy", "--reason", "it left"],
                // Last, because it repairs what is derived.
                &["tournament", "resume", dir],
            ];
            for command in commands {
                // Whatever the answer: there is one.
                let answered = arena(command);
                let answer = answered.status.code();
                assert!(matches!(answer, Some(0..=6)), "{thing:?} {name} {command:?}: {answer:?} {}", err(&answered));
            }
        }
    }
}

#[test]
fn in_the_place_of_any_file_of_a_site_no_command_waits_for_them() {
    for name in ["arena.db", "lock", "blobs", "SHA256SUMS"] {
        let place = Place::new();
        let site = place.text("site");
        fs::create_dir(&site).unwrap();
        Thing::Pipe.make(&Path::new(&site).join(name));
        for command in [
            &["admin", "check", "--data", &site][..],
            &["admin", "gc", "--data", &site],
            &["admin", "backup", "--data", &site, "--to", &place.text("backup")],
            &["admin", "restore", "--from", &site, "--data", &place.text("restored")],
        ] {
            let answered = arena(command);
            let answer = answered.status.code();
            assert!(matches!(answer, Some(0..=3)), "{name} {command:?}: {answer:?} {}", err(&answered));
        }
    }
}
