//! A site as the command line meets it: started, logged in at, submitted to, stopped and started again.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::assets;
use crate::eventually::eventually_here;
use crate::left_out::left_out;
use crate::process::{Process, finished};
use crate::tls::Authority;

/// Places one cell where four could be placed: loadable, and forfeits its first turn.
const FOUL: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x500000000)))"#;

/// `arena serve`, ended with the test.
struct Server {
    process: Process,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Server {
        Server::run(serve(data, "127.0.0.1:0"))
    }

    fn run(mut command: Command) -> Server {
        let (process, said) = Process::heard("the site", &mut command);
        let address = said.find(|line| Some(line.strip_prefix("listening on ")?.to_owned()));
        Server { process, address }
    }

    /// Asks it to stop, as an operator does, and waits.
    fn stop(mut self) {
        assert!(self.process.stop().success());
    }

    fn read(&self, path: &str) -> Value {
        ureq::get(format!("{}{path}", self.address)).call().unwrap().body_mut().read_json().unwrap()
    }

    /// Its answer to a program with this code or token.
    fn post(&self, path: &str, bearer: &str, body: &Value) -> Value {
        let request = ureq::post(format!("{}{path}", self.address)).header("Authorization", format!("Bearer {bearer}"));
        request.send_json(body).unwrap().body_mut().read_json().unwrap()
    }

    /// The standings, once an edition has these bots.
    fn standings_with(&self, bots: &[&str]) -> Value {
        eventually_here("an edition with these bots", || {
            let standings = self.read("/api/v1/standings");
            let names: Vec<&str> = standings["edition"]["standings"]["rows"]
                .as_array()
                .map(|rows| rows.iter().filter_map(|row| row["name"].as_str()).collect())
                .unwrap_or_default();
            if bots.iter().all(|bot| names.contains(bot)) && names.len() == bots.len() {
                Ok(standings)
            } else {
                Err(standings)
            }
        })
    }
}

fn arena() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.stdin(Stdio::null());
    command
}

/// A site that is up for the test, with the files for its pages in its folder.
fn serve(data: &Path, address: &str) -> Command {
    serve_with(data, address, "conquerors")
}

/// The same with the standing tournament of a game.
fn serve_with(data: &Path, address: &str, game: &str) -> Command {
    let mut command = arena();
    command.arg("serve").arg("--data").arg(data).args(["--listen", address, "--standing", game]);
    command.arg("--assets").arg(assets::copy_into(data));
    command
}

/// The exit code and what was said.
fn said(output: &Output) -> (i32, String) {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code().unwrap(), String::from_utf8(all).unwrap())
}

#[test]
fn a_verdict_says_that_a_bot_does_not_play_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("mason.wasm");
    fs::write(&good, wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap()).unwrap();
    let submit = |server: &Server, who: &str, name: &str| {
        let config = folder.path().join(who);
        let run = |arguments: &[&str]| said(&finished(arena().env("ARENA_CONFIG", &config).args(arguments)));
        if !config.exists() {
            assert_eq!(run(&["login", "--server", &server.address, "--claim", who]).0, 0);
        }
        let (code, text) = run(&["submit", good.to_str().unwrap(), "--name", name]);
        assert_eq!(code, 0, "{text}");
        text
    };
    let server = Server::start(&folder.path().join("data"));
    let text = submit(&server, "Ann", "mine");
    assert!(text.starts_with("accepted: version 1 of mine plays. "), "{text}");
    let text = submit(&server, "Bob", "copy");
    assert!(text.starts_with("accepted: version 1 of copy does not play: ") && text.contains("mine"), "{text}");
    server.stop();

    // A site with the standing tournament of another game.
    let server = Server::run(serve_with(&folder.path().join("other"), "127.0.0.1:0", "life2"));
    let text = submit(&server, "Eve", "mine");
    let why = "it is active, but this site has no standing tournament of its game";
    assert!(text.starts_with(&format!("accepted: version 1 of mine does not play: {why}. ")), "{text}");
    server.stop();
}

#[test]
fn a_bot_is_submitted_judged_and_rated() {
    let folder = tempfile::tempdir().unwrap();
    let (data, config) = (folder.path().join("data"), folder.path().join("config"));
    let server = Server::start(&data);
    let run = |arguments: &[&str]| said(&finished(arena().env("ARENA_CONFIG", &config).args(arguments)));
    let good = folder.path().join("mason.wasm");
    fs::write(&good, wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap()).unwrap();
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
    let (code, text) = run(&["limits", "--site", &server.address]);
    assert!(code == 0 && text == run(&["limits"]).1, "the operator adjusted none: {text}");
    assert_eq!(run(&["limits", "--site", &server.address, "--json"]), run(&["limits", "--json"]));
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
        let answer = finished(arena().env("ARENA_CONFIG", &config).args(["submit", file, "--name", "mine", "--json"]));
        let answer: Value = serde_json::from_slice(&answer.stdout).unwrap();
        let check: Value = serde_json::from_slice(&finished(arena().args(["check", file, "--json"])).stdout).unwrap();
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

#[test]
fn a_tournament_is_submitted_as_a_file_and_plays_the_bots_whose_bytes_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let (data, config) = (folder.path().join("data"), folder.path().join("config"));
    let server = Server::start(&data);
    let run = |arguments: &[&str]| said(&finished(arena().env("ARENA_CONFIG", &config).args(arguments)));
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let mason = wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap();
    let good = write("mason.wasm", &mason);
    let entrants =
        "[[entrants]]\nname = \"one\"\nfile = \"mason.wasm\"\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n";
    let cup = write("cup.toml", format!("name = \"from home\"\npairs = 1\n{entrants}").as_bytes());
    let (code, text) = run(&["tournament", "submit", &cup]);
    assert!(code == 2 && text.contains("arena login"), "{text}");
    assert_eq!(run(&["login", "--server", &server.address, "--claim", "Ann"]).0, 0);
    let (code, text) = run(&["tournament", "submit", &cup]);
    assert!(code == 2 && text.contains("no bot that plays there has the bytes of "), "{text}");
    assert!(text.contains(&format!("arena submit {good}")), "{text}");
    assert_eq!(run(&["submit", &good, "--name", "mine"]).0, 0);

    let none = write("none.txt", b"# nothing\n");
    let (code, text) = run(&["tournament", "submit", &cup, "--openings", &none]);
    assert!(code == 2 && text.contains("none.txt has no position"), "{text}");
    let unknown = write("unknown.toml", format!("name = \"x\"\nformat = \"lottery\"\n{entrants}").as_bytes());
    let (code, text) = run(&["tournament", "submit", &unknown]);
    assert!(code == 2 && text.contains("unknown.toml") && text.contains("lottery"), "{text}");
    let (code, text) = run(&["tournament", "submit", &cup, "--late", "--json"]);
    let problem: Value = serde_json::from_str(&text).unwrap();
    assert!(code == 1 && problem["detail"].as_str().unwrap().contains("Swiss"), "{text}");

    let (code, text) = run(&["tournament", "submit", &cup]);
    let lines = format!(
        "started cup-1: it begins as soon as the site has time\nfollow it: {}/tournaments/cup-1\n",
        server.address
    );
    assert_eq!((code, text), (0, lines));
    let opened = run(&["tournament", "submit", &cup, "--entry", "open", "--places", "3", "--json"]);
    let opened: Value = serde_json::from_str(&opened.1).unwrap();
    assert_eq!((&opened["id"], &opened["url"]), (&json!("cup-2"), &json!("/tournaments/cup-2")));
    let cup = eventually_here("the end of the tournament", || {
        let cup = server.read("/api/v1/tournaments/cup-1");
        if cup["stage"] == "finished" { Ok(cup) } else { Err(cup) }
    });
    assert_eq!((&cup["name"], &cup["played"]), (&json!("from home"), &json!(2)));
    assert_eq!(server.read("/api/v1/tournaments/cup-2")["stage"], "entry");
    server.stop();
}

#[test]
fn a_site_with_a_private_certificate_is_trusted_from_the_login_on() {
    if !Command::new("openssl").arg("version").output().is_ok_and(|said| said.status.success()) {
        return left_out("a site with a private certificate needs openssl, to make one");
    }
    let folder = tempfile::tempdir().unwrap();
    let (data, config) = (folder.path().join("data"), folder.path().join("config"));
    let server = Server::start(&data);
    let run = |arguments: &[&str]| said(&finished(arena().env("ARENA_CONFIG", &config).args(arguments)));
    let authority = Authority::new(folder.path().join("own"));
    let behind = server.address.strip_prefix("http://").unwrap().parse().unwrap();
    let address = format!("https://{}", authority.in_front_of(behind));
    let claim = ["login", "--server", &address, "--claim", "Ann"];
    let (code, text) = run(&claim);
    assert!(code == 2 && text.contains("does not trust") && text.contains("`arena login --ca FILE`"), "{text}");
    let trusting = |file: &Path| run(&[&claim[..], &["--ca", file.to_str().unwrap()]].concat());
    let (code, text) = trusting(&authority.key());
    assert!(code == 2 && text.contains("leave private keys out of it"), "{text}");
    let (code, text) = trusting(&authority.certificate());
    assert!(code == 0 && text.contains("as Ann"), "{text}");
    let good = folder.path().join("mason.wasm");
    fs::write(&good, wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap()).unwrap();
    let (code, text) = run(&["submit", good.to_str().unwrap(), "--name", "mine"]);
    assert!(code == 0 && text.starts_with("accepted: version 1 of mine"), "{text}");
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
    assert!(bot.contains(&format!("place {} in", mine["rank"])), "{bot}");
}

#[test]
fn a_site_that_cannot_start_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let first = Server::start(folder.path());
    let (code, text) = said(&finished(&mut serve(folder.path(), "127.0.0.1:0")));
    assert!(code == 2 && text.contains("in use by another process"), "{text}");
    let port = first.address.rsplit(':').next().unwrap();
    let other = tempfile::tempdir().unwrap();
    let (code, text) = said(&finished(&mut serve(other.path(), &format!("127.0.0.1:{port}"))));
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
        let url = format!("{}/static/any/style.css", server.address);
        assert_eq!(ureq::get(url).call().unwrap().body_mut().read_to_string().unwrap(), text);
    }
    server.stop();
    fs::remove_file(&style).unwrap();
    let mut command = arena();
    command.arg("serve").arg("--data").arg(folder.path().join("new")).args(["--listen", "127.0.0.1:0", "--assets"]);
    let (code, text) = said(&finished(command.arg(folder.path().join("assets"))));
    assert!(code == 2 && text.contains("lacks files that pages load: style.css"), "{text}");
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
        let engine = ureq::get(format!("{}/static/any/arena_engine.wasm", server.address)).call();
        assert!(engine.unwrap().body_mut().read_to_vec().unwrap().starts_with(b"\0asm"));
        server.stop();
    } else {
        let served = finished(arena().arg("serve").arg("--data").arg(folder.path()));
        let (code, text) = said(&served);
        assert!(code == 2 && text.contains("run `cargo xtask engine`, then build again"), "{text}");
    }
}

#[test]
fn logging_in_with_a_wrong_code_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let config = folder.path().join("config");
    let mut login = arena();
    login.env("ARENA_CONFIG", &config).args(["login", "--server", &server.address]);
    let (code, text) = said(&finished(&mut login));
    assert!(code == 2 && text.contains("no player code"), "{text}");
    let typed = folder.path().join("typed");
    fs::write(&typed, format!("arena_{}\n", "0".repeat(72))).unwrap();
    login.stdin(fs::File::open(&typed).unwrap());
    let (code, text) = said(&finished(&mut login));
    assert!(code == 2 && text.contains("typing error"), "{text}");
    assert!(!config.join("codes.toml").exists());
    let mut nowhere = arena();
    nowhere.args(["login", "--server", "http://127.0.0.1:9"]).env("ARENA_CONFIG", &config);
    let (code, text) = said(&finished(nowhere.stdin(fs::File::open(&typed).unwrap())));
    assert!(code == 2 && text.contains("cannot reach"), "{text}");
    server.stop();
}

#[test]
fn a_token_logs_in_and_does_what_its_scope_says() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let post = |path: &str, bearer: &str, body: Value| server.post(path, bearer, &body);
    let claimed = post("/api/v1/accounts", "none", json!({ "name": "Ann" }));
    let code = claimed["code"].as_str().unwrap();
    let bot = folder.path().join("mason.wasm");
    fs::write(&bot, wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap()).unwrap();
    for (scope, wanted) in [("read", 2), ("submit", 0)] {
        let token = post("/api/v1/account/tokens", code, json!({ "name": scope, "scope": scope, "days": 1 }));
        let (typed, config) = (folder.path().join("typed"), folder.path().join(scope));
        fs::write(&typed, token["secret"].as_str().unwrap()).unwrap();
        let mut login = arena();
        login.env("ARENA_CONFIG", &config).args(["login", "--server", &server.address]);
        let (exit, text) = said(&finished(login.stdin(fs::File::open(&typed).unwrap())));
        assert!(exit == 0 && text.contains("as Ann"), "{text}");
        let mut submit = arena();
        submit.env("ARENA_CONFIG", &config).arg("submit").arg(&bot).args(["--name", "mine"]);
        let (exit, text) = said(&finished(&mut submit));
        assert_eq!(exit, wanted, "{text}");
        assert_eq!(text.contains("needs a token with the scope `submit`"), scope == "read", "{text}");
    }
    server.stop();
}

#[test]
fn the_operator_has_a_page_if_the_site_is_given_a_token_that_nobody_guesses() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let file = folder.path().join("token");
    let token = "0123456789abcdef0123456789abcdef";
    let ask = |server: &Server| {
        let request = ureq::get(format!("{}/api/v1/operator", server.address));
        let request = request.header("Authorization", format!("Bearer {token}"));
        request.config().http_status_as_error(false).build().call().unwrap().status().as_u16()
    };
    fs::write(&file, "short").unwrap();
    let mut refused = serve(&data, "127.0.0.1:0");
    let (exit, text) = said(&finished(refused.arg("--operator-token-file").arg(&file)));
    assert!(exit == 2 && text.contains("at least 32") && !text.contains("short"), "{text}");
    fs::write(&file, format!("{token}\n")).unwrap();
    let mut by_file = serve(&data, "127.0.0.1:0");
    by_file.arg("--operator-token-file").arg(&file);
    let mut by_environment = serve(&data, "127.0.0.1:0");
    by_environment.env("ARENA_OPERATOR_TOKEN", token);
    for (command, status) in [(by_file, 200), (by_environment, 200), (serve(&data, "127.0.0.1:0"), 404)] {
        let server = Server::run(command);
        assert_eq!(ask(&server), status);
        server.stop();
    }
}

#[test]
fn a_site_is_backed_up_while_it_runs_and_restored() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (data, config) = (folder.path().join("data"), folder.path().join("config"));
    let run = |arguments: &[&str]| said(&finished(arena().env("ARENA_CONFIG", &config).args(arguments)));
    let server = Server::start(&data);
    let bot = path("mason.wasm");
    fs::write(&bot, wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap()).unwrap();
    assert_eq!(run(&["login", "--server", &server.address, "--claim", "Ann"]).0, 0);
    assert_eq!(run(&["submit", &bot, "--name", "mine"]).0, 0);
    let (live, here) = (path("live"), path("data"));
    // An edition with the bot is being played, or is about to.
    let (code, text) = run(&["admin", "backup", "--data", &here, "--to", &live]);
    assert!(code == 0 && text.contains("is backed up in"), "{text}");
    assert!(data.join("backed-up").exists(), "its age is a figure of `/metrics`");
    let (code, text) = run(&["admin", "backup", "--data", &here, "--to", &live]);
    assert!(code == 2 && text.contains("choose a new folder"), "{text}");
    let (code, text) = run(&["admin", "gc", "--data", &here]);
    assert!(code == 2 && text.contains("stop the site first"), "{text}");
    let standings = server.standings_with(&["easy", "normal", "hard", "mine"]);
    server.stop();

    // Games in progress in the backup are played to the same end.
    let (code, text) = run(&["admin", "restore", "--from", &live, "--data", &path("restored")]);
    assert!(code == 0 && text.contains("all as they were"), "{text}");
    let server = Server::start(&folder.path().join("restored"));
    let again = server.standings_with(&["easy", "normal", "hard", "mine"]);
    assert_eq!(again["edition"], standings["edition"]);
    server.stop();

    // At rest, a backup of what was restored from a backup is the same, file by file. Of the database its rows are: it
    // counts in its file how often it was opened.
    let (first, second, copy) = (path("first"), path("second"), path("copy"));
    // Newcomers' results are kept; their games in progress are played again.
    fs::create_dir_all(data.join("qualifying/conquerors")).unwrap();
    for file in ["standing-1.json", "conquerors/journal.jsonl"] {
        fs::write(data.join("qualifying").join(file), "{}").unwrap();
    }
    assert_eq!(run(&["admin", "backup", "--data", &here, "--to", &first]).0, 0);
    assert_eq!(run(&["admin", "restore", "--from", &first, "--data", &copy]).0, 0);
    assert_eq!(run(&["admin", "backup", "--data", &copy, "--to", &second]).0, 0);
    let sums = |folder: &str| {
        let text = fs::read_to_string(Path::new(folder).join("SHA256SUMS")).unwrap();
        text.lines().filter(|line| !line.ends_with("arena.db")).map(|line| format!("{line}\n")).collect::<String>()
    };
    assert_eq!(sums(&first), sums(&second));
    assert!(sums(&first).contains("tournaments/standing-"), "{}", sums(&first));
    assert!(sums(&first).contains("  qualifying/standing-1.json\n"), "{}", sums(&first));
    assert!(!sums(&first).contains("qualifying/conquerors"), "{}", sums(&first));
    let digest = |folder: &str| {
        let (code, text) = run(&["admin", "check", "--data", folder]);
        assert_eq!(code, 0, "{text}");
        text.lines().find(|line| line.contains("sha256:")).map(str::to_owned).unwrap_or_else(|| panic!("{text}"))
    };
    assert_eq!(digest(&copy), digest(&here), "what was restored is what was backed up");

    let (code, text) = run(&["admin", "check", "--data", &copy]);
    assert!(code == 0 && text.contains("is whole"), "{text}");
    let (code, text) = run(&["admin", "gc", "--data", &copy]);
    assert!(code == 0 && text.starts_with("0 modules that nothing refers to"), "{text}");
    let blob = sums(&first).lines().find_map(|line| line.split_once("  blobs/").map(|(_, name)| name.to_owned()));
    let blob = format!("blobs/{}", blob.unwrap());
    fs::write(Path::new(&copy).join(&blob), "x").unwrap();
    let (code, text) = run(&["admin", "check", "--data", &copy]);
    assert!(code == 3 && text.contains("have changed") && text.contains("arena"), "{text}");
    fs::write(Path::new(&first).join(&blob), "x").unwrap();
    let (code, text) = run(&["admin", "restore", "--from", &first, "--data", &path("never")]);
    assert!(code == 2 && text.contains("use another backup"), "{text}");
    fs::remove_file(Path::new(&first).join("SHA256SUMS")).unwrap();
    let (code, text) = run(&["admin", "restore", "--from", &first, "--data", &path("never")]);
    assert!(code == 2 && text.contains("interrupted"), "{text}");
}

/// As `/privacy` says.
#[test]
fn a_deleted_bot_keeps_its_name_in_the_folders_of_tournaments_and_on_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let code = server.post("/api/v1/accounts", "none", &json!({ "name": "Ann" }))["code"].as_str().unwrap().to_owned();
    let (bearer, at) = (format!("Bearer {code}"), |path: &str| format!("{}{path}", server.address));
    let module = wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap();
    let submission = ureq::post(at("/api/v1/bots/mine/versions")).header("Authorization", &bearer);
    assert_eq!(submission.header("Content-Type", "application/wasm").send(&module[..]).unwrap().status(), 201);
    let standings = server.standings_with(&["easy", "normal", "hard", "mine"]);
    let tournament = standings["edition"]["tournament"].as_str().unwrap();
    let deletion = ureq::post(at("/api/v1/account/deletion")).header("Authorization", &bearer);
    assert_eq!(deletion.send_json(json!({ "name": "Ann" })).unwrap().status(), 204);
    let shown = server.read("/api/v1/standings").to_string();
    assert!(!shown.contains("\"mine\""), "{shown}");
    let mut answer = ureq::get(at(&format!("/api/v1/tournaments/{tournament}/folder"))).call().unwrap();
    let archive = answer.body_mut().with_config().limit(256 << 20).read_to_vec().unwrap();
    let definition = fs::read(folder.path().join("tournaments").join(tournament).join("definition.toml")).unwrap();
    assert!(String::from_utf8(definition.clone()).unwrap().contains("name = \"mine\""));
    assert!(archive.windows(definition.len()).any(|part| part == definition), "as it was");
    let page = ureq::get(at("/privacy")).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(page.contains("keeps the names that its bots had when it began"), "{page}");
    server.stop();
}

#[test]
fn an_edition_has_as_many_bots_of_an_account_as_the_operator_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (data, config) = (folder.path().join("data"), folder.path().join("config"));
    let run = |arguments: &[&str]| said(&finished(arena().env("ARENA_CONFIG", &config).args(arguments)));
    let submit = |name: &str, more: &str| {
        let mason = include_str!("../../../../../bots/gallery/mason/bot.wat");
        let end = mason.rfind(')').unwrap();
        let file = path(&format!("{name}.wasm"));
        fs::write(&file, wat::parse_str(format!("{} {more})", &mason[..end])).unwrap()).unwrap();
        assert_eq!(run(&["submit", &file, "--name", name]).0, 0);
    };
    for number in ["0", "11"] {
        let (code, text) = run(&["serve", "--data", &path("data"), "--bots-per-account", number]);
        assert!(code == 2 && text.contains("1..=10"), "{text}");
    }
    let mut command = serve(&data, "127.0.0.1:0");
    command.args(["--bots-per-account", "1"]);
    let server = Server::run(command);
    let limits = server.read("/api/v1/limits");
    let limit = limits.as_array().unwrap().iter().find(|limit| limit["name"] == "field_bots_per_owner");
    assert_eq!(limit.unwrap()["value"], 1);
    assert_eq!(run(&["login", "--server", &server.address, "--claim", "Ann"]).0, 0);
    submit("mine", "");
    submit("other", "(func (result i32) (i32.const 7))");
    let first = server.standings_with(&["easy", "normal", "hard", "mine"]);
    eventually_here("a bot that is left out", || {
        let standings = server.read("/api/v1/standings");
        if standings["left_out"] == 1 { Ok(()) } else { Err(standings) }
    });
    server.stop();

    // The edition stays as it is; the next one is chosen with the usual number.
    let tournament = first["edition"]["tournament"].as_str().unwrap();
    let results = data.join("tournaments").join(tournament).join("results/standings.json");
    let before = fs::read_to_string(&results).unwrap();
    let server = Server::start(&data);
    let second = server.standings_with(&["easy", "normal", "hard", "mine", "other"]);
    assert_ne!(second["edition"]["tournament"], tournament);
    assert_eq!(fs::read_to_string(&results).unwrap(), before);
}

#[test]
fn a_site_stops_while_connections_sockets_and_a_room_are_open_and_keeps_what_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    assert_eq!(server.read("/readyz")["status"], "ready");
    let address = server.address.trim_start_matches("http://").to_owned();
    let post = |path: &str, bearer: &str, body: Value| server.post(path, bearer, &body);
    let claimed = post("/api/v1/accounts", "none", json!({ "name": "Ann" }));
    let code = claimed["code"].as_str().unwrap();
    let opened = post("/api/v1/rooms", code, json!({ "opponent": "easy", "seat": 0 }));
    let room = format!("/api/v1/rooms/{}", opened["room"].as_str().unwrap());
    let watched = (0..10).map(|_| {
        let mut stream = TcpStream::connect(&address).unwrap();
        let upgrade = format!(
            "GET {room}/socket HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(upgrade.as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 101");
        stream
    });
    let watched: Vec<TcpStream> = watched.collect();
    // Some have said nothing, some half of a request, some have an answer and stay.
    let opened = (0..30).map(|number| {
        let mut stream = TcpStream::connect(&address).unwrap();
        let said = ["", "GET / HTTP/1.1\r\nHost: loc", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"][number % 3];
        stream.write_all(said.as_bytes()).unwrap();
        if number % 3 == 2 {
            assert!(stream.read(&mut [0; 12]).unwrap() > 0);
        }
        stream
    });
    let opened: Vec<TcpStream> = opened.collect();
    // A block in blue's home: legal in the first turn.
    let turn = json!({ "ply": 0, "client_seq": 1, "action": "0101040a020a030b020b03" });
    post(&format!("{room}/turns"), code, turn);
    // `stop` waits for the end of the process; that its pauses add up to less than five seconds, the compiler checks.
    server.stop();
    drop((opened, watched));
    let server = Server::start(folder.path());
    let state = server.read(&room);
    assert!(state["ply"].as_u64() >= Some(1) && state["outcome"].is_null(), "{state}");
    server.stop();
}

#[test]
fn an_operator_sees_what_is_going_on_and_nobody_who_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = serve(&folder.path().join("data"), "127.0.0.1:0");
    let (process, said) = Process::heard("the site", command.args(["--metrics", "127.0.0.1:0"]));
    let lines: Vec<String> = said.rest().take(3).collect();
    let address = lines[0].strip_prefix("listening on ").unwrap().to_owned();
    let server = Server { process, address };
    let figures = lines[2].strip_prefix("metrics on ").unwrap();
    let figure = |series: &str| -> f64 {
        let text = ureq::get(figures).call().unwrap().body_mut().read_to_string().unwrap();
        let line =
            text.lines().find_map(|line| line.strip_prefix(series)).unwrap_or_else(|| panic!("{series}: {text}"));
        line.trim().parse().unwrap()
    };
    assert!(figure("arena_disk_free_bytes ") > 0.0);
    assert_eq!(figure("arena_verdicts_total{verdict=\"accepted\"} "), 0.0);
    assert_eq!(figure("arena_rooms "), 0.0);
    // A busy machine may have failed already.
    assert!(figure("arena_platform_faults_total ") >= 0.0);
    for games in ["rated", "other"] {
        assert_eq!(figure(&format!("arena_people_games{{games=\"{games}\"}} ")), 0.0);
        assert_eq!(figure(&format!("arena_finished_room_bytes{{games=\"{games}\"}} ")), 0.0);
    }
    for _ in 0..5 {
        server.read("/healthz");
    }
    let secret = ureq::post(format!("{}/api/v1/accounts", server.address)).send_json(json!({ "name": "Canary Bird" }));
    assert!(secret.is_ok(), "{secret:?}");
    assert_eq!(figure("arena_requests_total{status=\"2xx\"} "), 6.0);
    assert!(ureq::get(format!("{}/metrics", server.address)).call().is_err(), "not for everybody");
    assert_eq!(figure("arena_requests_total{status=\"4xx\"} "), 1.0);
    // A network may have this many new accounts; then it is refused, and the refusal is counted.
    let account = |number: u32| {
        ureq::post(format!("{}/api/v1/accounts", server.address))
            .send_json(json!({ "name": format!("Canary {number}") }))
    };
    let refused = (0..1_000).find(|number| account(*number).is_err());
    assert!(refused.is_some());
    assert_eq!(figure("arena_refusals_total{limit=\"new accounts\",whose=\"network\"} "), 1.0);
    let text = ureq::get(figures).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(!text.contains("Canary") && !text.contains("127.0.0"), "{text}");
    assert!(text.contains("arena_edition{game=\"conquerors@2\"}") && text.ends_with("# EOF\n"), "{text}");
    server.stop();
}

/// Of the site in `fixtures/data-0.1.0.tar.gz`.
const ADAS_CODE: &str = "arena_f93825b762168bb61e62e86a1363431c43a11b27d7c57e4bf4d3cfe8e58d0c278da57ebf";
const ADAS_ROOM: &str = "3702ff43f1347070f2b9a458a1acf44c";

#[test]
fn the_data_of_the_first_release_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let archive = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/data-0.1.0.tar.gz");
    assert!(Command::new("tar").args(["-xzf", archive, "-C"]).arg(folder.path()).status().unwrap().success());
    let data = folder.path().join("data");
    let server = Server::start(&data);

    // Its standings are shown, marked, until an edition of this release is finished.
    let earlier = eventually_here("the earlier standings", || {
        let standings = server.read("/api/v1/standings");
        assert!(standings["edition"].is_null(), "{standings}");
        if standings["earlier"].is_null() { Err(standings) } else { Ok(standings["earlier"].clone()) }
    });
    let table = fs::read_to_string(data.join("tournaments/standing-2/results/standings.txt")).unwrap();
    assert_eq!((&earlier["number"], earlier["table"].as_str()), (&2.into(), Some(&*table)));
    assert!(earlier["build"].as_str().unwrap().starts_with("arena 0.1.0 "), "{earlier}");
    let text = |path: &str| {
        ureq::get(format!("{}{path}", server.address)).call().unwrap().body_mut().read_to_string().unwrap()
    };
    let page = text("/standings");
    assert!(
        page.contains("played by another release, arena 0.1.0 ") && page.contains("won 110, drew 4, lost 126"),
        "{page}"
    );

    // Everything that people had is theirs.
    let account = ureq::get(format!("{}/api/v1/account", server.address));
    let account = account.header("Authorization", format!("Bearer {ADAS_CODE}")).call().unwrap().body_mut().read_json();
    assert_eq!(account.map(|account: Value| account["name"].clone()).unwrap(), "Ada");
    let bot = server.read("/api/v1/bots/mason");
    assert_eq!((&bot["owner"], &bot["active"], &bot["game"]), (&"Ada".into(), &1.into(), &"conquerors@2".into()));
    let version = server.read("/api/v1/bots/mason/versions/1");
    assert_eq!(version["state"], "accepted", "{version}");
    let hash = version["entrant"].as_str().unwrap().trim_start_matches("sha256:");
    let module = ureq::get(format!("{}/api/v1/modules/{hash}", server.address))
        .header("Authorization", format!("Bearer {ADAS_CODE}"))
        .call();
    let module = module.unwrap().body_mut().read_to_vec().unwrap();
    let mason = wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap();
    assert_eq!(module, mason);
    let room = server.read(&format!("/api/v1/rooms/{ADAS_ROOM}"));
    assert!(!room["outcome"].is_null(), "{room}");

    let standings = server.standings_with(&["easy", "normal", "hard", "mason"]);
    assert!(standings["earlier"].is_null(), "{standings}");
    assert_eq!(standings["edition"]["number"], 3);
    assert!(!text("/standings").contains("another release"));
    server.stop();
    let (code, text) = said(&finished(arena().args(["admin", "check", "--data"]).arg(&data)));
    assert!(code == 0 && text.contains("is of another release, arena 0.1.0 "), "{text}");
}
