//! A site as the command line meets it: started, logged in at, submitted to, stopped and started again.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod assets;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Places one cell where four could be placed: loadable, and forfeits its first turn.
const FOUL: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x500000000)))"#;

/// `arena serve`, ended with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Server {
        Server::run(serve(data, "127.0.0.1:0"))
    }

    fn run(mut command: Command) -> Server {
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line:?}")).to_owned();
        Server { child, address }
    }

    /// Asks it to stop, as an operator does, and waits.
    fn stop(mut self) {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }

    fn read(&self, path: &str) -> Value {
        ureq::get(format!("{}{path}", self.address)).call().unwrap().body_mut().read_json().unwrap()
    }

    /// The standings, once an edition has these bots.
    fn standings_with(&self, bots: &[&str]) -> Value {
        let since = Instant::now();
        loop {
            let standings = self.read("/api/v1/standings");
            let names: Vec<&str> = standings["edition"]["standings"]["rows"]
                .as_array()
                .map(|rows| rows.iter().filter_map(|row| row["name"].as_str()).collect())
                .unwrap_or_default();
            if bots.iter().all(|bot| names.contains(bot)) && names.len() == bots.len() {
                return standings;
            }
            assert!(since.elapsed() < PATIENCE, "{standings}");
            std::thread::park_timeout(Duration::from_millis(50));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn arena() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A site that is up for the test, with the files for its pages in its folder.
fn serve(data: &Path, address: &str) -> Command {
    let mut command = arena();
    command.arg("serve").arg("--data").arg(data).args(["--listen", address]);
    command.arg("--assets").arg(assets::copy_into(data));
    command
}

/// The exit code and what was said.
fn said(output: &Output) -> (i32, String) {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code().unwrap(), String::from_utf8(all).unwrap())
}

#[test]
fn a_bot_is_submitted_judged_and_rated() {
    let folder = tempfile::tempdir().unwrap();
    let (data, config) = (folder.path().join("data"), folder.path().join("config"));
    let server = Server::start(&data);
    let run = |arguments: &[&str]| said(&arena().env("ARENA_CONFIG", &config).args(arguments).output().unwrap());
    let good = folder.path().join("mason.wasm");
    fs::write(&good, wat::parse_str(include_str!("../../../bots/gallery/mason/bot.wat")).unwrap()).unwrap();
    let good = good.to_str().unwrap();
    let (code, text) = run(&["submit", good, "--name", "mine"]);
    assert!(code == 2 && text.contains("arena login"), "{text}");
    let (code, text) = run(&["login", "--server", &server.address, "--claim", "Ann"]);
    assert!(code == 0 && text.contains("arena_") && text.contains("as Ann"), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(config.join("codes.toml")).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "only its owner reads the code");
    }
    let (code, text) = run(&["submit", good, "--name", "mine"]);
    assert!(code == 0 && text.starts_with("accepted: version 1 of mine"), "{text}");
    let (code, text) = run(&["submit", good, "--name", "mine"]);
    assert!(code == 0 && text.starts_with("accepted, as before: version 1"), "{text}");

    let foul = folder.path().join("foul.wasm");
    fs::write(&foul, wat::parse_str(FOUL).unwrap()).unwrap();
    let junk = folder.path().join("junk.wasm");
    fs::write(&junk, "not a module").unwrap();
    for (file, wanted) in [(&foul, "illegal_move"), (&junk, "not_wasm")] {
        let file = file.to_str().unwrap();
        let (code, text) = run(&["submit", file, "--name", "mine"]);
        assert!(code == 1 && text.contains(&format!("REFUSED, {wanted}: ")) && text.contains("hint: "), "{text}");
        // Word for word what the command line says of the same file.
        let answer = arena().env("ARENA_CONFIG", &config).args(["submit", file, "--name", "mine", "--json"]).output();
        let answer: Value = serde_json::from_slice(&answer.unwrap().stdout).unwrap();
        let check: Value =
            serde_json::from_slice(&arena().args(["check", file, "--json"]).output().unwrap().stdout).unwrap();
        assert_eq!(
            (&answer["code"], &answer["detail"], &answer["hint"]),
            (&check["code"], &check["message"], &check["hint"])
        );
    }
    assert_eq!(server.read("/api/v1/bots/mine")["active"], 1, "a failed version leaves the one before");

    let standings = server.standings_with(&["easy", "normal", "hard", "mine"]);
    same_in_files_api_and_pages(&server, &data, &standings["edition"]);
    let address = server.address.clone();
    server.stop();
    let server = Server::start(&data);
    assert_ne!(server.address, "", "{address}");
    assert_eq!(server.standings_with(&["easy", "normal", "hard", "mine"])["edition"], standings["edition"]);
    let game = &server.read("/api/v1/games?after=10")[0];
    let id = game["id"].as_str().unwrap();
    let record =
        ureq::get(format!("{}/api/v1/games/{id}/record", server.address)).call().unwrap().body_mut().read_to_string();
    let file = folder.path().join("game.json");
    fs::write(&file, record.unwrap()).unwrap();
    let (code, text) = run(&["replay", file.to_str().unwrap()]);
    assert_eq!(code, 0, "{text}");
    server.stop();
}

/// Files, API and pages are made of the same standings.
fn same_in_files_api_and_pages(server: &Server, data: &Path, edition: &Value) {
    let text = |path: &str| {
        ureq::get(format!("{}{path}", server.address)).call().unwrap().body_mut().read_to_string().unwrap()
    };
    let folder = data.join("tournaments").join(edition["tournament"].as_str().unwrap());
    let file = fs::read_to_string(folder.join("results/standings.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    let (entrants, rows) = (&file["entrants"].as_array().unwrap(), &edition["standings"]["rows"].as_array().unwrap());
    assert_eq!(entrants.len(), rows.len());
    let page = text("/standings");
    for (entrant, row) in entrants.iter().zip(rows.iter()) {
        for column in ["rank", "name", "id", "void", "quarantined"] {
            assert_eq!(row[column], entrant[column], "{column}");
        }
        let values = &row["values"];
        for column in ["played", "games", "wins", "draws", "losses", "points", "by_seat", "forfeits"] {
            assert_eq!(values[column], entrant[column], "{column}");
        }
        for (end, column) in [("value", "rating"), ("low", "rating_low"), ("high", "rating_high")] {
            assert_eq!(values["rating"][end], entrant[column], "{column}");
        }
        assert!(page.contains(&format!("data-bot=\"{}\"", row["name"].as_str().unwrap())));
        // Whole points, halves away from zero; who won or lost every game has none.
        let Some(rating) = entrant["rating"].as_f64() else { continue };
        let tenths = (10.0 * rating).round() as i64;
        assert!(page.contains(&format!("<b>{}</b>", (tenths + 5 * tenths.signum()) / 10)), "{page}");
    }
    assert_eq!(edition["standings"]["totals"]["games_played"], file["games_played"]);
    assert_eq!(edition["standings"]["crosstable"].as_array().map(Vec::len), Some(rows.len()));
    let mine = rows.iter().find(|row| row["name"] == "mine").unwrap();
    assert_eq!(server.read("/api/v1/bots/mine")["place"], *mine);
    let bot = text("/bots/mine");
    assert!(bot.contains(&format!("place {} of", mine["rank"])), "{bot}");
}

#[test]
fn a_site_that_cannot_start_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let first = Server::start(folder.path());
    let (code, text) = said(&serve(folder.path(), "127.0.0.1:0").output().unwrap());
    assert!(code == 2 && text.contains("in use by another process"), "{text}");
    let port = first.address.rsplit(':').next().unwrap();
    let other = tempfile::tempdir().unwrap();
    let (code, text) = said(&serve(other.path(), &format!("127.0.0.1:{port}")).output().unwrap());
    assert!(code == 2 && text.contains("cannot listen on 127.0.0.1"), "{text}");
    first.stop();
}

#[test]
fn pages_are_served_from_a_folder_and_one_without_their_files_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let style = folder.path().join("assets/style.css");
    for text in ["body { color: red }", "body { color: blue }"] {
        fs::write(&style, text).unwrap();
        let url = format!("{}/static/style.css", server.address);
        assert_eq!(ureq::get(url).call().unwrap().body_mut().read_to_string().unwrap(), text);
    }
    server.stop();
    fs::remove_file(&style).unwrap();
    let mut command = arena();
    command.arg("serve").arg("--data").arg(folder.path().join("new")).args(["--listen", "127.0.0.1:0", "--assets"]);
    let (code, text) = said(&command.arg(folder.path().join("assets")).output().unwrap());
    assert!(code == 2 && text.contains("has not all files that pages load: without style.css"), "{text}");
    assert!(!folder.path().join("new").exists(), "nothing was begun");
}

#[test]
fn a_build_without_the_rules_for_the_page_serves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/engine/built/arena_engine.wasm");
    if engine.is_file() {
        // This build has them, and needs no folder.
        let mut command = arena();
        command.arg("serve").arg("--data").arg(folder.path()).args(["--listen", "127.0.0.1:0"]);
        let server = Server::run(command);
        let engine = ureq::get(format!("{}/static/arena_engine.wasm", server.address)).call();
        assert!(engine.unwrap().body_mut().read_to_vec().unwrap().starts_with(b"\0asm"));
        server.stop();
    } else {
        let served = arena().arg("serve").arg("--data").arg(folder.path()).output().unwrap();
        let (code, text) = said(&served);
        assert!(code == 2 && text.contains("run `cargo xtask engine`"), "{text}");
    }
}

#[test]
fn logging_in_with_a_wrong_code_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let config = folder.path().join("config");
    let mut login = arena();
    login.env("ARENA_CONFIG", &config).args(["login", "--server", &server.address]);
    let (code, text) = said(&login.output().unwrap());
    assert!(code == 2 && text.contains("no player code"), "{text}");
    let typed = folder.path().join("typed");
    fs::write(&typed, format!("arena_{}\n", "0".repeat(72))).unwrap();
    login.stdin(fs::File::open(&typed).unwrap());
    let (code, text) = said(&login.output().unwrap());
    assert!(code == 2 && text.contains("typing error"), "{text}");
    assert!(!config.join("codes.toml").exists());
    let (code, text) = said(
        &arena()
            .args(["login", "--server", "http://127.0.0.1:9"])
            .env("ARENA_CONFIG", &config)
            .stdin(fs::File::open(&typed).unwrap())
            .output()
            .unwrap(),
    );
    assert!(code == 2 && text.contains("cannot reach"), "{text}");
    server.stop();
}
