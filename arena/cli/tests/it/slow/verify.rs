//! Tournaments that are stopped, resumed and computed again, and bots in the middle of their games: as a person or a
//! script meets them.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arena_record::{Budgets, Bytes, EntrantId, Hex};
use arena_rooms::{Clock, Door, Event, Opened, PersonId, Proposal, Room, RoomCode, RoomId, Seated, Seating, Table};
use arena_rules::life2::{Account, Call, Rates, Side, World};
use arena_runner::{Contender, Ended, FindBot, Host, InProcess, VoidGame, WorldBots, world_budgets};
use arena_sandbox::Sandbox;
use arena_sdk::{Observation, Protocol, Ruleset, Seat, conquerors, game_of_game_of_life, life2, testing, war_of_life};
use arena_wire::{GAMES, Game, RoomWish};
use arena_worker::Wall;
use arena_world::Machine;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::eventually::eventually_here;
use crate::live::Live;
use crate::process::output;
use crate::program::{arena, code, err, json, out};
use crate::settler;

/// Logs, places the first block of its home, then one cell too few.
const BOT: &str = r#"(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1)
    (data (i32.const 0) "\01\01\04\0c\03\0c\04\0d\03\0d\04")
    (data (i32.const 32) "\01\01\04\0c\17\0c\18\0d\17\0d\18")
    (data (i32.const 64) "I am \1b[31mhere")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64)
        (call $log (i32.const 64) (i32.const 14))
        (if (result i64) (i32.load8_u (i32.const 1026))
            (then (i64.const 0xb00000020)) (else (i64.const 0xb00000000)))))"#;

/// Places one cell where four could be placed.
const QUITTER: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x500000000)))"#;

fn definition(pairs: u32) -> String {
    format!(
        "name = \"t\"\noptions = \"chain_needs_home,weighted_majority\"\nseed = 5\npairs = {pairs}\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n\
         [[entrants]]\nname = \"builder\"\nfile = \"builder.wasm\"\n"
    )
}

struct Place(tempfile::TempDir);

impl Place {
    /// With a definition and its bot.
    fn new(pairs: u32) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        fs::write(place.path("builder.wasm"), wat::parse_str(BOT).unwrap()).unwrap();
        fs::write(place.path("t.toml"), definition(pairs)).unwrap();
        place
    }

    fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: impl AsRef<Path>) -> String {
        self.path(name).to_str().unwrap().into()
    }

    /// Plays it to its end.
    fn played(pairs: u32) -> Place {
        let place = Place::new(pairs);
        let run = arena(&["tournament", "run", &place.text("t.toml"), "--out", &place.text("t")]);
        assert_eq!(code(&run), 0, "{}", err(&run));
        assert!(out(&run).contains("games lost to the machine: 0 of"), "{}", out(&run));
        place
    }
}

#[test]
fn verify_tells_its_answers_apart() {
    let place = Place::played(3);
    let folder = place.text("t");
    let identical = arena(&["verify", &folder]);
    assert_eq!(code(&identical), 0, "{}", err(&identical));
    assert!(out(&identical).contains("6 of 6 games") && out(&identical).contains("identical"), "{}", out(&identical));

    assert!(out(&identical).contains("the seed is a bare number"), "{}", out(&identical));
    // Names are the organiser's; ids are what was played.
    let id = EntrantId::of_bytes(&fs::read(place.path("builder.wasm")).unwrap()).to_string();
    assert!(out(&identical).contains("names are the organiser's word"), "{}", out(&identical));
    assert!(out(&identical).contains(&format!("\n  builder  {id}\n")), "{}", out(&identical));
    let report = json(&arena(&["verify", &folder, "--json"]));
    assert_eq!((&report["entrants"][1]["id"], &report["by_word"][0]), (&Value::from(id), &Value::from("names")));
    let after = arena(&["verify", &folder, "--after", &folder]);
    assert_eq!(code(&after), 5, "{}", out(&after));
    assert!(out(&after).contains("committed to no secret"), "{}", out(&after));

    let sampled = arena(&["verify", &folder, "--sample", "2", "--json"]);
    assert_eq!((code(&sampled), &json(&sampled)["verdict"]), (7, &Value::from("sampled")));
    assert_eq!(json(&sampled)["by_rules"], 4);
    let chance = json(&sampled)["sample"]["chance_missed"].as_f64().unwrap();
    assert!((chance - 4.0 / 6.0).abs() < 1e-12);
    let seed = json(&sampled)["sample"]["seed"].to_string();
    assert_eq!(json(&sampled)["sample"]["seed_text"], seed, "as text, too: JavaScript rounds the number");
    let again = arena(&["verify", &folder, "--sample", "2", "--sample-seed", &seed]);
    assert!(out(&again).contains("4/6 = 66.7 %") && out(&again).contains(&seed), "{}", out(&again));
    assert!(out(&again).contains("covers 2 games") && !out(&again).contains("identical"), "{}", out(&again));
    assert_eq!(code(&arena(&["verify", &folder, "--sample", "6"])), 0, "a sample of all games is all games");

    let record = format!("{folder}#0");
    let honest = out(&arena(&["record", "to-json", &record]));
    let one = arena(&["verify", &record]);
    assert_eq!(code(&one), 0, "its bots are beside it");
    assert!(out(&one).contains(&format!("{record} is identical")), "{}", out(&one));
    let none = arena(&["verify", &format!("{folder}#6")]);
    assert_eq!(code(&none), 2);
    assert!(err(&none).contains("there is no game 6: the last one is game 5"), "{}", err(&none));
    fs::write(place.path("alone.json"), &honest).unwrap();
    let alone = arena(&["verify", &place.text("alone.json")]);
    assert_eq!(code(&alone), 5, "{}", out(&alone));
    assert!(out(&alone).contains("by the rules alone"), "{}", out(&alone));
    let alone = json(&arena(&["verify", &place.text("alone.json"), "--json"]));
    assert_eq!((&alone["verdict"], &alone["code"]), (&Value::from("incomplete"), &Value::from("no_bots")));
    let bots = place.text("");
    assert_eq!(code(&arena(&["verify", &place.text("alone.json"), "--bots", &bots])), 0);
    assert_eq!(code(&arena(&["verify", &place.text("alone.json"), "--bots", &place.text("t/results")])), 2);

    let at = honest.find("\"fuel\":").unwrap() + 7;
    let forged = format!("{}{}{}", &honest[..at], "9", honest[at..].trim_start_matches(|c: char| c.is_ascii_digit()));
    let forged = forged.replacen("9null", "9", 1);
    let journal = fs::read_to_string(place.path("t/journal")).unwrap();
    let rest = |record: &str| format!("0 {record}");
    let sum = |text: &str| Sha256::digest(text)[..8].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let line = |record: &str| format!("{} {}", sum(&rest(record)), rest(record));
    assert!(journal.contains(&line(&honest)));
    fs::write(place.path("t/journal"), journal.replace(&line(&honest), &line(&forged))).unwrap();
    // The forger's own release makes everything fit.
    assert_eq!(code(&arena(&["tournament", "resume", &folder])), 0);
    let differs = arena(&["verify", &folder]);
    assert_eq!(code(&differs), 1, "{}", out(&differs));
    for word in ["journal, line ", "game 0", "the fuel", "expected", "found"] {
        assert!(out(&differs).contains(word), "{word}: {}", out(&differs));
    }
    assert_eq!(json(&arena(&["verify", &folder, "--json"]))["difference"]["game"], 0);
    assert_eq!(code(&arena(&["verify", &record])), 1);
    fs::write(place.path("t/journal"), &journal).unwrap();
    assert_eq!(code(&arena(&["tournament", "resume", &folder])), 0);

    for (name, words) in [("notes.txt", "not looked at: notes.txt"), (".DS_Store", ".DS_Store (macOS leaves it)")] {
        fs::write(place.path(format!("t/{name}")), "mine").unwrap();
        let foreign = arena(&["verify", &folder]);
        assert_eq!(code(&foreign), 5);
        assert!(out(&foreign).contains(words) && !out(&foreign).contains("DAMAGED"), "{}", out(&foreign));
        assert!(out(&foreign).contains("6 of 6 games") && out(&foreign).contains("remove them"), "{}", out(&foreign));
        let foreign = json(&arena(&["verify", &folder, "--json"]));
        assert_eq!((&foreign["verdict"], &foreign["code"]), (&Value::from("incomplete"), &Value::from("foreign")));
        assert_eq!(foreign["foreign"], Value::from(vec![name]));
        fs::remove_file(place.path(format!("t/{name}"))).unwrap();
    }
    fs::remove_file(place.path("t/results/standings.csv")).unwrap();
    let damaged = arena(&["verify", &folder]);
    assert_eq!(code(&damaged), 3);
    assert!(out(&damaged).contains("DAMAGED") && out(&damaged).contains("results/standings.csv"), "{}", out(&damaged));
    let damaged = json(&arena(&["verify", &folder, "--json"]));
    assert_eq!((&damaged["verdict"], &damaged["code"]), (&Value::from("damaged"), &Value::from("missing")));
    assert_eq!(code(&arena(&["tournament", "resume", &folder])), 0);

    // A record of other semantics: the id is at the start of its header.
    let at = honest.find("\"semantics\":\"").unwrap() + 13;
    let other = format!("{}{}{}", &honest[..at], "0".repeat(64), &honest[at + 64..]);
    fs::write(place.path("other.json"), other).unwrap();
    let other = arena(&["verify", &place.text("other.json")]);
    assert_eq!(code(&other), 4);
    assert!(out(&other).contains("the release that played it: arena "), "{}", out(&other));

    assert_eq!(code(&arena(&["verify", &place.text("nowhere")])), 2);
    assert_eq!(code(&arena(&["verify", &bots])), 2, "a folder without a tournament");
    let help = out(&arena(&["verify", "--help"]));
    for word in [
        "0 identical",
        "1 differs",
        "2 cannot say",
        "3 damaged",
        "4 played under other semantics",
        "5 nothing",
        "6 nothing",
        "7 nothing",
    ] {
        assert!(help.replace('\n', " ").contains(word), "{word}: {help}");
    }
}

#[test]
fn what_is_not_ours_has_its_own_name_and_a_next_step() {
    let place = Place::new(1);
    for (bytes, words) in [
        (&b"PK\x03\x04.."[..], "a ZIP archive, which `arena verify` does not read: unpack it with `unzip`"),
        (b"\x1f\x8b\x08..", "a file that gzip compressed"),
        (b"7z\xbc\xaf\x27\x1c..", "a 7z archive"),
        (b"<!doctype html>\n<title>Not found</title>", "a web page"),
        (b"{\"code\":\"not_found\"}", "JSON, but not the record of a game"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a text"),
        (b"\0asm\x01\0\0\0", "a WebAssembly module, which `arena verify` does not read: `arena check`"),
        (b"\x80\x81\x82", "no format that this command knows"),
        (b"", "an empty file"),
        (b"\x28\xb5\x2f\xfd\x04\x00\x41\x00\x00hi", "DAMAGED"),
    ] {
        fs::write(place.path("file"), bytes).unwrap();
        let refused = arena(&["verify", &place.text("file")]);
        let said = format!("{}{}", out(&refused), err(&refused));
        assert!(said.contains(words), "{said}");
        assert_eq!(code(&refused), if words == "DAMAGED" { 3 } else { 2 }, "{said}");
    }
    // One file of a folder is not the folder.
    let place = Place::played(1);
    for name in ["manifest.json", "journal", "index", "definition.toml"] {
        let refused = arena(&["verify", &place.text(format!("t/{name}"))]);
        assert!(code(&refused) == 2 && err(&refused).contains("verify the folder"), "{name}: {}", err(&refused));
    }
    // A link that somebody put beside its files is none of them, wherever it is; in the place of one it is damage.
    for (name, expected) in [("foreign", 5), ("results/foreign", 5), ("entrants/foreign", 5), ("results/games.csv", 3)]
    {
        let [at, aside] = [place.path(format!("t/{name}")), place.path("aside")];
        let was = at.exists();
        if was {
            fs::rename(&at, &aside).unwrap();
        }
        std::os::unix::fs::symlink("/etc/hostname", &at).unwrap();
        let checked = arena(&["verify", &place.text("t")]);
        assert_eq!(code(&checked), expected, "{name}: {}{}", out(&checked), err(&checked));
        fs::remove_file(&at).unwrap();
        if was {
            fs::rename(&aside, &at).unwrap();
        }
    }
    let outer = arena(&["verify", &place.text("")]);
    assert!(code(&outer) == 2 && err(&outer).contains("holds no tournament itself: verify "), "{}", err(&outer));
    let two = arena(&["verify", &place.text("t"), &place.text("t")]);
    assert!(code(&two) == 2 && err(&two).contains("only spans"), "{}", err(&two));
    // The folder of a site, or a backup of it.
    fs::create_dir_all(place.path("data/tournaments")).unwrap();
    fs::rename(place.path("t"), place.path("data/tournaments/t")).unwrap();
    let within = format!("holds no tournament itself: verify {}", place.text("data/tournaments/t"));
    let outer = || arena(&["verify", &place.text("data")]);
    assert!(code(&outer()) == 2 && err(&outer()).contains(&within), "{}", err(&outer()));
    fs::create_dir_all(place.path("data/tournaments/u/results")).unwrap();
    assert!(err(&outer()).contains(&format!("{within}, or one of 1 other")), "{}", err(&outer()));
}

#[test]
fn an_archive_is_verified_whoever_packed_it() {
    let place = Place::played(1);
    let site = place.text("cup-1.tar");
    let mut packed = tar::Builder::new(fs::File::create(&site).unwrap());
    packed.mode(tar::HeaderMode::Deterministic);
    // As a site serves it.
    for part in ["manifest.json", "definition.toml", "journal", "index"] {
        packed.append_path_with_name(place.path("t").join(part), Path::new("cup-1").join(part)).unwrap();
    }
    for part in ["entrants", "results"] {
        packed.append_dir_all(Path::new("cup-1").join(part), place.path("t").join(part)).unwrap();
    }
    packed.finish().unwrap();
    let exported = place.text("t.tar.zst");
    assert_eq!(code(&arena(&["tournament", "export", &place.text("t"), &exported])), 0);
    // As people pack it.
    let by_hand = place.text("by-hand.tar");
    let tar = Command::new("tar").args(["-C", &place.text(""), "-cf", &by_hand, "t"]).status();
    assert!(tar.unwrap().success());
    for archive in [&site, &exported, &by_hand] {
        let verified = arena(&["verify", archive]);
        assert_eq!(code(&verified), 0, "{}{}", out(&verified), err(&verified));
        assert!(out(&verified).contains(&format!("{archive} is identical")), "{}", out(&verified));
        let bytes = fs::read(archive).unwrap();
        fs::write(place.path("cut"), &bytes[..bytes.len() / 2]).unwrap();
        let cut = arena(&["verify", &place.text("cut")]);
        assert!(code(&cut) == 3 && out(&cut).contains("DAMAGED"), "{}{}", out(&cut), err(&cut));
        fs::write(place.path("two"), [bytes.as_slice(), &bytes].concat()).unwrap();
        let two = arena(&["verify", &place.text("two")]);
        assert!(code(&two) == 2 && err(&two).contains("a second archive"), "{}{}", out(&two), err(&two));
    }
}

#[test]
fn a_loss_that_a_forger_declared_void_has_an_exit_code_of_its_own() {
    let place = Place::played(1);
    let folder = place.text("t");
    let honest = json(&arena(&["record", "to-json", &format!("{folder}#0")]));
    let entrants = honest["header"]["entrants"].as_array().unwrap();
    let bot = entrants.iter().position(|id| id.as_str().unwrap().starts_with("sha256:")).unwrap();
    // Quarantined, it plays no later game.
    let void = Ended::Void(VoidGame { tries: 3, quarantined: vec![bot as u8] });
    fs::write(place.path("t/journal"), void.to_line(0)).unwrap();
    assert_eq!(code(&arena(&["tournament", "resume", &folder])), 0, "the forger's own release makes everything fit");
    for flags in [&["verify", &folder][..], &["verify", &folder, "--sample", "1"]] {
        let verified = arena(flags);
        assert_eq!(code(&verified), 6, "{}", out(&verified));
        let said = out(&verified);
        assert!(said.contains("1 void game could not be confirmed") && said.contains("game 0"), "{said}");
        assert!(said.contains("the standings if that counted") && !said.contains("identical"), "{said}");
    }
    let verified = json(&arena(&["verify", &folder, "--json"]));
    assert_eq!(verified["verdict"], "void_not_confirmed");
    assert_eq!(verified["not_confirmed"]["games"][0]["game"], 0);
}

/// A kingdom with a blinker, until its first digest.
fn span() -> String {
    let mut machine = Machine::new(World::new(Side::WORLD, Rates::FOUNDING));
    let mut log = machine.opened("a test").to_line();
    for call in [Call::Faucet, Call::Join { x: 60, y: 60 }, Call::Place(vec![(62, 63), (63, 63), (64, 63)])] {
        let event = machine.propose(Account(7), &call).unwrap().unwrap();
        log += &event.to_line();
        machine.apply(&event).unwrap();
    }
    log + &std::iter::repeat_with(|| machine.step()).find_map(|event| event).unwrap().to_line()
}

#[test]
fn a_span_of_a_worlds_life_is_verified_like_a_game() {
    let place = Place(tempfile::tempdir().unwrap());
    let (span, file) = (span(), place.text("span"));
    let verify = |text: &str| {
        fs::write(&file, text).unwrap();
        let (words, report) = (arena(&["verify", &file]), arena(&["verify", &file, "--json"]));
        assert_eq!(code(&words), code(&report));
        (code(&words), out(&words), json(&report))
    };
    let (exit, words, report) = verify(&span);
    assert_eq!(
        (exit, &report["verdict"], &report["calls"]),
        (0, &Value::from("identical"), &Value::from(3)),
        "{words}"
    );
    assert!(words.contains("600 generations (0 to 600) and 3 calls") && words.contains("is identical"), "{words}");
    let (exit, words, report) = verify(&span.replace("[64,63]", "[65,63]"));
    assert_eq!((exit, &report["verdict"]), (1, &Value::from("differs")));
    assert!(words.contains("DIFFERS") && words.contains("line 5: the world has the digest"), "{words}");
    let (exit, words, _) = verify(&span[..span.len() - 1]);
    assert!(exit == 3 && words.contains("line 5") && words.contains("canonical"), "{words}");
    let (exit, words, _) = verify(&span.replace("arena-world/2", "arena-world/3"));
    assert!(exit == 4 && words.contains("needs another release") && words.contains("arena-world/2"), "{words}");
    // A folder of bots changes nothing where none plays.
    fs::write(&file, &span).unwrap();
    let bots = arena(&["verify", &file, "--bots", &place.text("")]);
    assert!(code(&bots) == 0 && out(&bots).contains("is identical"), "{}", err(&bots));
}

/// A span in which the module and a built-in opponent hold kingdoms, as a site writes it that finds the module by this.
fn span_of_bots(find: FindBot) -> String {
    let (mut live, mut players) = (Live::new(), WorldBots::new(find, Wall::None));
    live.seat(1, Some(EntrantId::of_bytes(&settler::module())));
    live.seat(2, Some(EntrantId::of_baseline("expander", 1)));
    // Asked twice, and answered twice.
    for _ in 0..140 {
        live.step(&mut players);
    }
    live.end();
    live.log.concat()
}

#[test]
fn bots_of_a_span_are_asked_again_where_their_files_are() {
    let place = Place(tempfile::tempdir().unwrap());
    let (file, bots, empty) = (place.text("span"), place.text("bots"), place.text("empty"));
    fs::create_dir(&bots).unwrap();
    fs::create_dir(&empty).unwrap();
    fs::write(place.path("bots/settler.wasm"), settler::module()).unwrap();
    let id = EntrantId::of_bytes(&settler::module()).to_string();
    let host = InProcess::new(Sandbox::new().unwrap());
    let honest = span_of_bots(Box::new(move |_| host.load(&settler::module(), &world_budgets()).ok()));
    fs::write(&file, &honest).unwrap();
    let verify = |more: &[&str]| {
        let run = |json: &[&str]| arena(&[&["verify", &file], more, json].concat());
        let (words, report) = (run(&[]), run(&["--json"]));
        assert_eq!(code(&words), code(&report), "{}", err(&words));
        (code(&words), out(&words), json(&report))
    };
    let (exit, words, report) = verify(&["--bots", &bots]);
    assert_eq!((exit, &report["verdict"], &report["to_generation"]), (0, &"identical".into(), &140.into()), "{words}");
    assert!(words.contains("is identical") && report["bots_not_asked"].is_null(), "{words}");
    // Each has taken coins and joined; the module has placed two cells, and the opponent some.
    assert!(report["calls"].as_u64() > Some(2 * 2 + 2), "{report}");

    for more in [&[][..], &["--bots", &empty]] {
        let (exit, words, report) = verify(more);
        assert_eq!((exit, &report["verdict"]), (6, &"not_confirmed".into()), "{words}");
        assert_eq!(report["bots_not_asked"], Value::from(vec![id.clone()]), "built-in opponents are asked anyway");
        assert!(words.contains("NOT CONFIRMED") && words.contains(&id) && words.contains("--bots"), "{words}");
        assert!(!words.contains("identical"), "{words}");
    }

    // A site that says that the module passed: by the rules it may have, so only the module itself shows that it did
    // not.
    let forged = span_of_bots(Box::new(|_| Contender::baseline("life2@2", "idle").ok()));
    fs::write(&file, &forged).unwrap();
    assert_eq!(verify(&[]).0, 6);
    let (exit, words, report) = verify(&["--bots", &bots]);
    assert_eq!((exit, &report["verdict"]), (1, &"differs".into()), "{words}");
    assert!(words.contains("DIFFERS") && words.contains("a bot does this here"), "{words}");
    assert!(report["why"].as_str().unwrap().starts_with("line "), "{report}");
}

/// A game between two people that ends so: the record that a site hands out.
fn of_people(end: &str) -> String {
    const ANN: PersonId = PersonId(Hex([7; 8]));
    const BOB: PersonId = PersonId(Hex([8; 8]));
    let game = Game::named("game-of-game-of-life").unwrap();
    let table = Table {
        host: ANN,
        programs: Vec::new(),
        door: Door::Private,
        code: RoomCode::of([1; RoomCode::CHARS]),
        invited: None,
        seating: Seating::Chosen,
        clock: Some(Clock::Turn { ms: 30_000 }),
        rated: false,
        chat: true,
    };
    let opened = Opened {
        format: Default::default(),
        room: RoomId(Hex([1; 16])),
        semantics: arena_runner::semantics_id(game.ruleset),
        build: arena_runner::build_id(),
        ruleset: game.ruleset.into(),
        options: game.room_options(&RoomWish { turns: Some(50), ..RoomWish::default() }, 0).unwrap(),
        budgets: Budgets::of(game.allowance),
        seed: Hex([5; 32]),
        seats: vec![Seated::Person(ANN), Seated::Person(BOB)],
        opponents: Default::default(),
        starts: vec![None, None],
        browsers: Vec::new(),
        table: Some(table),
    };
    let mut room = Room::open(opened).unwrap();
    let takes = |room: &mut Room, event, ms| room.advance(room.next(event, ms).unwrap());
    while room.outcome().is_none() {
        let ply = room.ply();
        match end {
            "resigned" => takes(&mut room, Event::Resigned { ply, seat: 0 }, 0),
            "out_of_time" => {
                let event = room.flag(room.flagged(30_000).unwrap());
                takes(&mut room, event, 30_000);
            }
            _ => {
                for person in [ANN, BOB] {
                    let pass = arena_rooms::Command { ply, client_seq: 0, action: Bytes(vec![1, 0, 0]) };
                    let proposed = if end == "agreed" { room.draw(person, ply) } else { room.propose(person, &pass) };
                    let Ok(Proposal::Append(event)) = proposed else { panic!("{proposed:?}") };
                    takes(&mut room, event, 0);
                }
            }
        }
    }
    room.record().unwrap().to_text()
}

#[test]
fn what_people_decided_is_said_to_be_the_word_of_their_site() {
    let place = Place(tempfile::tempdir().unwrap());
    let file = place.text("game.json");
    for (end, is_word) in [("resigned", true), ("out_of_time", true), ("agreed", true), ("played", false)] {
        fs::write(&file, of_people(end)).unwrap();
        let (words, report) = (arena(&["verify", &file]), arena(&["verify", &file, "--json"]));
        assert_eq!((code(&words), code(&report)), (5, 5), "{end}: {} {}", out(&words), err(&words));
        assert_eq!(out(&words).contains("rests on the word of their site"), is_word, "{end}: {}", out(&words));
        let report = json(&report);
        let told = if is_word { Value::from(vec![end]) } else { Value::Null };
        assert_eq!((&report["code"], &report["by_word"]), (&Value::from("persons"), &told), "{end}");
    }
}

#[test]
fn ctrl_c_loses_nothing_and_says_how_to_go_on() {
    let place = Place::new(2_000);
    let folder = place.text("t");
    let unstarted = arena(&["tournament", "resume", &folder]);
    assert_eq!(code(&unstarted), 2);
    assert!(err(&unstarted).contains("no tournament has started"), "{}", err(&unstarted));

    let definition = place.text("t.toml");
    let run = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["tournament", "run", &definition, "--out", &folder, "--threads", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines =
        || fs::read(place.path("t/journal")).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count());
    eventually_here("the first games of a tournament", || if lines() < 5 { Err(lines()) } else { Ok(()) });
    rustix::process::kill_process(rustix::process::Pid::from_child(&run), rustix::process::Signal::INT).unwrap();
    let stopped = output("the tournament", run);
    assert_eq!(code(&stopped), 130);
    let kept = lines();
    let said = err(&stopped);
    assert!(said.contains(&format!("interrupted: {kept} of 4000 games kept")), "{kept}: {said}");
    assert!(said.contains(&format!("tournament resume {folder}")), "{said}");
    assert_eq!(code(&arena(&["verify", &folder])), 5, "not finished, and nothing differs");
}

#[test]
fn a_folder_is_gone_on_with_alone_and_its_definition_is_checked() {
    let place = Place::played(2);
    let results = fs::read(place.path("t/results/standings.json")).unwrap();
    fs::remove_dir_all(place.path("t/results")).unwrap();
    let journal = fs::read_to_string(place.path("t/journal")).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    fs::write(place.path("t/journal"), lines[..2].concat()).unwrap();
    fs::remove_file(place.path("t.toml")).unwrap();
    fs::remove_file(place.path("builder.wasm")).unwrap();
    let resumed = arena(&["tournament", "resume", &place.text("t"), "--json"]);
    assert_eq!(code(&resumed), 0, "{}", err(&resumed));
    assert_eq!(resumed.stdout, results);
    assert_eq!(fs::read(place.path("t/results/standings.json")).unwrap(), results);
    fs::write(place.path("t/definition.toml"), definition(3)).unwrap();
    let other = arena(&["tournament", "resume", &place.text("t")]);
    assert_eq!(code(&other), 2);
    assert!(err(&other).contains("definition.toml is damaged"), "{}", err(&other));
}

#[test]
fn a_bot_is_asked_in_the_middle_of_its_game() {
    let place = Place::played(1);
    let first = |number: u32| {
        let record = format!("{}#{number}", place.text("t"));
        let value = json(&arena(&["record", "to-json", &record]));
        (record, value["header"]["entrants"][0].as_str().unwrap().starts_with("sha256"))
    };
    let (record, _) = (0..2).map(first).find(|(_, is_first)| *is_first).unwrap();
    let bot = place.text("builder.wasm");
    let asked = arena(&["debug", &bot, &record, "--turn", "1"]);
    assert_eq!(code(&asked), 0, "{}{}", out(&asked), err(&asked));
    let said = out(&asked);
    for word in
        ["the bot is the one that played", "answers   places (12, 3)", "record    places (12, 3)", "fuel", "the same"]
    {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(said.contains("| I am \\u{1b}[31mhere") && !said.contains('\x1b'), "{said}");

    // Its forfeit, in its second turn: the third of the game.
    let forfeit = arena(&["debug", &bot, &record, "--turn", "3", "--json"]);
    assert_eq!(code(&forfeit), 0, "{}{}", out(&forfeit), err(&forfeit));
    let report = json(&forfeit);
    assert!(report["answer"]["words"].as_str().unwrap().contains("illegal_move"), "{report}");
    assert_eq!((report["log_before"].as_u64(), report["log"].as_array().map(Vec::len)), (Some(1), Some(1)));
    assert!(report["observation"].as_str().unwrap().len() > 1_000);

    // A stronger player continues from there.
    let on = arena(&["debug", "hard", &record, "--turn", "3", "--play-on"]);
    assert_eq!(code(&on), 1, "{}{}", out(&on), err(&on));
    let said = out(&on);
    assert!(said.contains("plays in the place of sha256:"), "{said}");
    assert!(said.contains("played on ") && said.contains("recorded  2 turns: blue forfeits"), "{said}");
    assert!(said.contains("it first differed from the record in turn 1"), "{said}");
    assert!(!said.contains("the opponent first differed"), "{said}");
    fs::write(place.path("quitter.wasm"), wat::parse_str(QUITTER).unwrap()).unwrap();
    let quitter = place.text("quitter.wasm");
    let other = arena(&["debug", "hard", &record, "--turn", "3", "--play-on", "--opponent", &quitter]);
    let said = out(&other);
    assert!(said.contains("the opponent first differed from the record in turn 2"), "{said}");
    assert!(said.contains("against   sha256:") && said.contains("  plays in the place of baseline:easy@1"), "{said}");
    assert!(said.contains("red forfeits in turn 4"), "{said}");

    assert_eq!(code(&arena(&["debug", &bot, &record, "--turn", "4"])), 2);
    assert_eq!(code(&arena(&["debug", &bot, &record, "--turn", "0"])), 2);
}

/// The file that `--save` wrote for a bot in a game, as the SDK reads it, and as the record goes on.
fn saved<G: Protocol>(game: &str, bots: [&str; 2], options: &[&str], seat: &[&str]) -> Vec<Observation<G>> {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_string();
    let games = path("games");
    let play = ["play", bots[0], bots[1], "--game", game, "--games", "2", "--seed", "3", "--records", &games];
    let played = arena(&[&play[..], options].concat());
    assert_eq!(code(&played), 0, "{}", err(&played));
    let (record, file) = (path("games/00000.json"), path("saved.txt"));
    let bot = |record: &str| {
        let value: Value = serde_json::from_slice(&fs::read(record).unwrap()).unwrap();
        let entrant = value["header"]["entrants"][0].as_str().unwrap().to_string();
        bots.into_iter().find(|bot| entrant == format!("baseline:{bot}@1")).unwrap()
    };
    let asked = [&["debug", bot(&record), &record, "--turn", "5", "--save", &file, "--json"], seat].concat();
    let asked = arena(&asked);
    assert_eq!(code(&asked), 0, "{}{}", out(&asked), err(&asked));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# What ") && text.contains("\n# turn 5: in the game, "), "{text}");
    let report = json(&asked);
    assert_eq!(text.lines().last(), report["observation"].as_str(), "{report}");
    testing::observations(&text).unwrap()
}

#[test]
fn what_a_bot_saw_is_saved_for_its_tests_in_every_game() {
    let conquerors = saved::<conquerors::Position>("conquerors", ["easy", "normal"], &[], &[]);
    assert_eq!(conquerors.iter().map(|seen| seen.position.ply()).collect::<Vec<_>>(), [0, 2, 4]);
    let war = saved::<war_of_life::Position>("war-of-life", ["random", "bloodlust"], &[], &[]);
    assert_eq!(war.iter().map(|seen| seen.position.ply()).collect::<Vec<_>>(), [0, 2, 4]);
    let game = "game-of-game-of-life";
    let simultaneous = saved::<game_of_game_of_life::Position>(game, ["greedy", "safety"], &[], &["--seat", "1"]);
    assert_eq!(simultaneous.iter().map(|seen| seen.position.turns_played()).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert!(simultaneous.iter().all(|seen| seen.seat == Seat(0)));
    // A short game is the last part of a full one, and counted so.
    let short = ["--options", "seats=2,coins=1000,generations=600"];
    let window = saved::<life2::Position>("life2", ["idle", "expander"], &short, &["--seat", "1"]);
    assert_eq!(window.iter().map(|seen| seen.position.turns()).collect::<Vec<_>>(), [180, 181, 182, 183, 184]);
    assert!(window.iter().all(|seen| seen.seat == Seat(0)));
    let all =
        [conquerors::Position::ID, war_of_life::Position::ID, game_of_game_of_life::Position::ID, life2::Position::ID];
    assert!(GAMES.iter().all(|game| all.contains(&game.ruleset)), "a game is left out");
}

#[test]
fn where_several_were_asked_somebody_says_who() {
    let place = tempfile::tempdir().unwrap();
    let records = place.path().join("games").to_str().unwrap().to_string();
    let game = ["--game", "game-of-game-of-life", "--games", "2"];
    arena(&[&["play", "greedy", "safety", "--records", &records], &game[..]].concat());
    let record = format!("{records}/00000.json");
    let debug = |more: &[&str]| arena(&[&["debug", "greedy", &record, "--turn", "3"], more].concat());
    assert!(err(&debug(&[])).contains("choose the bot's: --seat 1, 2"));
    for nobody in ["0", "3"] {
        assert!(err(&debug(&["--seat", nobody])).contains("--seat can be 1, 2"));
    }
    let on = debug(&["--seat", "2", "--play-on"]);
    assert!(out(&on).contains("turn 3: seat 2 to move") && out(&on).contains("played on 1000 turns"), "{}", out(&on));
}
