//! `arena tournament` for organisers: changes, inspection, export, games reused from another folder.

use std::fs;
use std::path::Path;

use arena_released::Released;

use crate::left_out::left_out;
use crate::program::{arena, code, err, json, out};
use crate::tree::files;

/// Things that a build in a fresh clone cannot do.
const NO_PAGE: &str =
    "a tournament as a page needs the modules of pages; `cargo xtask engine`, then a build, makes them";

const DEFINITION: &str = r#"name = "a cup"
ruleset = "war-of-life@1"
seed = 3
format = "swiss"
pairs = 1
rounds = 3
[[entrants]]
name = "random"
baseline = "random"
[[entrants]]
name = "land-grab"
baseline = "land-grab"
[[entrants]]
name = "minimax"
baseline = "minimax"
"#;

#[test]
fn an_organiser_lets_in_takes_out_and_looks_on_and_verify_says_so() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (file, cup) = (at("cup.toml"), at("cup"));
    fs::write(&file, DEFINITION).unwrap();
    assert_eq!(code(&arena(&["tournament", "run", &file, "--out", &cup])), 0);
    // As an interruption after the first round leaves it.
    let journal = place.path().join("cup/journal");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(
        &journal,
        text.split_inclusive('\n').filter(|line| line.contains(" 0 {") || line.contains(" 1 {")).collect::<String>(),
    )
    .unwrap();
    fs::remove_file(place.path().join("cup/index")).unwrap();
    fs::remove_dir_all(place.path().join("cup/results")).unwrap();

    let told = out(&arena(&["tournament", "add", &cup, "late", "--baseline", "bloodlust", "--reason", "a slow post"]));
    assert!(told.starts_with("late enters before round 2: a slow post\nplay on: "), "{told}");
    let told = out(&arena(&["tournament", "withdraw", &cup, "minimax", "--reason", "\u{202e}why"]));
    assert!(told.starts_with("minimax is withdrawn before round 2: \\u{202e}why\n"), "{told}");
    let again = arena(&["tournament", "withdraw", &cup, "minimax", "--reason", "why"]);
    assert_eq!(code(&again), 2);
    let words = "cup: \"minimax\" is withdrawn already";
    assert!(err(&again).contains("cannot change the tournament in ") && err(&again).contains(words), "{}", err(&again));
    // A source is one of three, and a reason is given.
    for wrong in [&["add", &cup, "x", "--reason", "y"][..], &["disqualify", &cup, "late"]] {
        assert_eq!(code(&arena(&[&["tournament"], wrong].concat())), 2);
    }
    let told = out(&arena(&["tournament", "status", &cup]));
    assert!(told.contains("a cup: swiss, 4 entrants") && told.contains("round 2 has not begun"), "{told}");
    let status = json(&arena(&["tournament", "status", &cup, "--json"]));
    assert_eq!((&status["games_played"], &status["is_over"]), (&2.into(), &false.into()));
    assert_eq!(status["changes"][0]["what"], "added");

    let told = out(&arena(&["tournament", "resume", &cup]));
    assert!(told.contains("WITHDRAWN") && told.contains("late"), "{told}");
    assert!(out(&arena(&["tournament", "standings", &cup])).lines().all(|line| told.contains(line)));
    let verified = arena(&["verify", &cup]);
    let told = out(&verified);
    assert_eq!(code(&verified), 0, "{told}");
    let [changes, judged, verdict] = ["the organiser's: late enters", "no computer can tell", "is identical"]
        .map(|words| told.find(words).unwrap_or_else(|| panic!("{words} is not in {told}")));
    assert!(changes < judged && judged < verdict, "{told}");
    assert_eq!(json(&arena(&["verify", &cup, "--json"]))["changes"][1]["name"], "minimax");

    let exported = arena(&["tournament", "export", &cup, &at("cup.notation")]);
    assert_eq!(code(&exported), 2);
    let words = "only Conquerors has a notation, and these are games of War of Life";
    assert!(err(&exported).contains(words), "{}", err(&exported));

    // The same cup with another entrant plays only what is new.
    let more = at("more.toml");
    fs::write(&more, format!("{DEFINITION}[[entrants]]\nname = \"grab\"\nbaseline = \"land-grab\"\n")).unwrap();
    let told = out(&arena(&["tournament", "run", &more, "--out", &at("more"), "--from", &cup]));
    assert!(
        told.contains("taken from other folders: ") && told.contains("replayed by the rules alone; --prove"),
        "{told}"
    );
    let refused = arena(&["tournament", "run", &more, "--out", &at("other"), "--from", &at("nowhere")]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("nowhere"), "{}", err(&refused));
}

/// The easy and the hard opponent twice each, as untouched templates of a class, and a third that completes the anchor.
#[test]
fn names_of_one_bot_play_games_of_their_own_and_share_an_anchored_rating() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let run = |name: &str, entrants: &[(&str, &str)]| {
        let entrant = |(name, of): &(&str, &str)| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{of}\"\n");
        let text = entrants.iter().map(entrant).collect::<String>();
        fs::write(at(&format!("{name}.toml")), format!("name = \"equal bots\"\nseed = 5\npairs = 4\n{text}")).unwrap();
        json(&arena(&["tournament", "run", &at(&format!("{name}.toml")), "--out", &at(name), "--json"]))
    };
    let twins = [("easy-1", "easy"), ("hard-1", "hard"), ("easy-2", "easy"), ("hard-2", "hard")];
    let found = run("twins", &twins);
    // Both games of a pair are one where a bot meets itself.
    assert_eq!((&found["games_played"], &found["games_counted"]), (&48.into(), &40.into()));
    let of = |name: &str| found["entrants"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone();
    for column in ["rating", "rating_low", "rating_high", "strength"] {
        assert_eq!(of("easy-1")[column], of("easy-2")[column], "{column}");
        assert_eq!(of("hard-1")[column], of("hard-2")[column], "{column}");
    }
    assert_eq!(found["anchor"], "not anchored: \"normal@1\" does not take part");
    let text = fs::read_to_string(place.path().join("twins/results/standings.txt")).unwrap();
    assert!(
        text.contains("equal bytes: 4 entrants, 2 different; ") && text.contains("48 games, 40 distinct"),
        "{text}"
    );
    let fairness = fs::read_to_string(place.path().join("twins/results/fairness.txt")).unwrap();
    assert!(fairness.contains("  one bot under 2 names: hard-1 hard@1, hard-2 hard@1\n"), "{fairness}");
    let games = fs::read_to_string(place.path().join("twins/results/games.csv")).unwrap();
    let seeds: std::collections::BTreeSet<&str> =
        games.lines().skip(1).filter_map(|line| line.split(',').nth(4)).collect();
    assert_eq!(seeds.len(), 24, "no two pairs have the same seed");
    assert!(out(&arena(&["verify", &at("twins")])).contains("is identical"));

    let found = run("anchored", &[&twins[..], &[("normal", "normal")]].concat());
    let anchored = found["anchor"] == "0 in the mean of easy@1, normal@1, hard@1";
    let is_bounded = |name: &str| {
        found["entrants"].as_array().unwrap().iter().any(|row| row["name"] == name && row["rating"].is_f64())
    };
    assert_eq!(anchored, ["easy-1", "normal", "hard-1"].into_iter().all(is_bounded), "{found}");
    if anchored {
        let rating = |name: &str| {
            found["entrants"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap()["rating"].as_f64()
        };
        let sum: f64 = ["easy-1", "normal", "hard-1"].into_iter().filter_map(rating).sum();
        assert!(sum.abs() < 0.31, "rounded to tenths: {sum}");
    }
}

/// Three agents each submit a version of their bot for every round of a season, at times the bytes of somebody else.
/// Each is checked, each round is played with the games of the one before, and comes to what it would come to without
/// them.
#[test]
fn a_season_of_agents_is_checked_and_played_round_by_round() {
    const AGENTS: [&str; 3] = ["ann", "bob", "cid"];
    const ROUNDS: [[&str; 3]; 3] =
        [["mason", "raider", "scatter"], ["raider", "raider", "mason"], ["scatter", "raider", "mason"]];
    const PAIRS: usize = 1;
    let place = tempfile::tempdir().unwrap();
    let at = |name: String| place.path().join(name).to_str().unwrap().to_owned();
    for (round, versions) in ROUNDS.into_iter().enumerate() {
        let mut text = format!("name = \"round {round}\"\nseed = 1\nformat = \"round-robin\"\npairs = {PAIRS}\n");
        for (agent, version) in AGENTS.into_iter().zip(versions) {
            let file = format!("{agent}-{round}.wasm");
            fs::write(at(file.clone()), Released::named("conquerors@2", version).unwrap().bytes).unwrap();
            let checked = json(&arena(&["check", &at(file.clone()), "--json"]));
            assert_eq!(checked["accepted"], true, "{checked}");
            text += &format!("[[entrants]]\nname = \"{agent}\"\nfile = \"{file}\"\n");
        }
        let definition = at(format!("round-{round}.toml"));
        fs::write(&definition, text).unwrap();
        let (dir, anew) = (at(format!("round-{round}")), at(format!("anew-{round}")));
        let run = |out: &str, from: &[&str]| {
            json(&arena(&[&["tournament", "run", &definition, "--out", out, "--json"], from].concat()))
        };
        let before = round.checked_sub(1).map(|before| at(format!("round-{before}")));
        let from: Vec<&str> = before.iter().flat_map(|before| ["--from", before]).collect();
        let (found, plain) = (run(&dir, &from), run(&anew, &[]));
        assert_eq!(found["entrants"], plain["entrants"], "round {round}");
        let mut names: Vec<&str> =
            found["entrants"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, AGENTS);
        let results = |dir: &str| files(&Path::new(dir).join("results"));
        assert_eq!(results(&dir), results(&anew), "round {round}");
        let games = fs::read_to_string(Path::new(&dir).join("results/games.csv")).unwrap();
        assert_eq!(games.lines().count(), 1 + 3 * 2 * PAIRS, "{games}");
    }
}

/// The places of numbers beyond 53 bits that have no text beside them.
fn bare_numbers(value: &serde_json::Value, at: &str, with_text: &mut usize, bare: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, field) in fields {
                let at = format!("{at}.{name}");
                if field.as_u64().is_some_and(|number| number >= 1 << 53) {
                    let text = fields.get(&format!("{name}_text")).and_then(serde_json::Value::as_str);
                    *with_text += usize::from(text == Some(&field.to_string()));
                    bare.extend((text != Some(&field.to_string())).then_some(at));
                } else {
                    bare_numbers(field, &at, with_text, bare);
                }
            }
        }
        serde_json::Value::Array(parts) => {
            for part in parts {
                bare.extend(part.as_u64().is_some_and(|number| number >= 1 << 53).then(|| format!("{at}[]")));
                bare_numbers(part, &format!("{at}[]"), with_text, bare);
            }
        }
        _ => {}
    }
}

#[test]
fn every_number_beyond_53_bits_leaves_with_a_text_beside_it() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    // The largest seed that a definition takes.
    let seed = i64::MAX.to_string();
    let entrants = ["easy", "normal"].map(|name| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n"));
    let file = at("cup.toml");
    fs::write(&file, format!("name = \"a cup\"\nseed = {seed}\npairs = 1\n{}", entrants.concat())).unwrap();
    fs::write(at("bot.wasm"), wat::parse_str(BOT).unwrap()).unwrap();
    let (cup, bot) = (at("cup"), at("bot.wasm"));
    let game = format!("{cup}#0");
    let mut answers = Vec::new();
    for command in [
        &["tournament", "plan", &file][..],
        &["tournament", "run", &file, "--out", &cup],
        &["tournament", "status", &cup],
        &["tournament", "standings", &cup],
        &["verify", &cup],
        &["verify", &cup, "--sample", "1", "--sample-seed", &seed],
        &["verify", &game],
        &["play", "easy", "normal", "--games", "2", "--seed", &seed],
        &["play", "easy", "normal", "--games", "2", "--seed", &seed, "--against", "hard"],
        &["check", &bot, "--seed", &seed],
        &["debug", "hard", &game, "--turn", "2"],
        &["study", "rr-001", "--games", "1", "--seed", &seed],
        &["study", "war-of-life", "--games", "1", "--seed", &seed],
        &["study", "game-of-game-of-life", "--games", "2", "--seed", &seed],
        &["limits"],
    ] {
        let ran = arena(&[command, &["--json"]].concat());
        assert!(code(&ran) != 2, "{command:?}: {}", err(&ran));
        answers.push((command.join(" "), json(&ran)));
    }
    for entry in fs::read_dir(place.path().join("cup/results")).unwrap().map(Result::unwrap) {
        if entry.path().extension().is_some_and(|extension| extension == "json") {
            let text = fs::read_to_string(entry.path()).unwrap();
            answers.push((entry.path().display().to_string(), serde_json::from_str(&text).unwrap()));
        }
    }
    let (mut with_text, mut bare) = (0, Vec::new());
    for (whence, answer) in &answers {
        bare_numbers(answer, whence, &mut with_text, &mut bare);
    }
    assert!(bare.is_empty(), "{bare:#?}");
    assert!(with_text > 0, "a sample's seed");
}

const BOT: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x500000000)))"#;

#[test]
fn a_tournament_is_estimated_warned_about_and_handed_on_in_every_form() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    for name in ["one.wasm", "two.wasm"] {
        fs::write(at(name), wat::parse_str(BOT).unwrap()).unwrap();
    }
    let entrants = "[[entrants]]\nname = \"-1-1\"\nbaseline = \"easy\"\n";
    let file = at("match.toml");
    let files = ["one", "two"].map(|name| format!("[[entrants]]\nname = \"{name}\"\nfile = \"{name}.wasm\"\n"));
    fs::write(&file, format!("name = \"<b>a match\"\nseed = 3\npairs = 2\n{entrants}{}", files.concat())).unwrap();
    let plan = json(&arena(&["tournament", "plan", &file, "--json"]));
    assert_eq!((&plan["games_at_most"], &plan["entrants"]), (&12.into(), &3.into()));
    assert!(plan["sampled"].as_u64().unwrap() > 0 && plan["fuel_at_most"].as_u64().unwrap() > 0, "{plan}");
    assert_eq!(plan["fuel_at_most_text"], plan["fuel_at_most"].to_string());
    assert!(out(&arena(&["tournament", "plan", &file])).contains("games at most  12\n"));

    let dir = at("dir");
    let ran = arena(&["tournament", "run", &file, "--out", &dir]);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
    assert!(err(&ran).contains("warning: one and two have equal bytes"), "{}", err(&ran));
    let twins = at("twins.toml");
    let twin = |name: &str| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"easy\"\n");
    fs::write(&twins, format!("name = \"twins\"\nseed = 3\npairs = 1\n{}{}", twin("a"), twin("b"))).unwrap();
    let twins = err(&arena(&["tournament", "run", &twins, "--out", &at("twins")]));
    assert!(twins.contains("warning: a and b are one opponent under two names"), "{twins}");
    assert!(err(&ran).contains("warning: `arena check` refuses the bot of one"), "{}", err(&ran));
    let games = fs::read_to_string(place.path().join("dir/results/games.csv")).unwrap();
    assert_eq!(games.lines().count(), 1 + 12);
    let is_formula = |field: &str| field.trim_matches('"').starts_with(['=', '+', '-', '@']);
    for line in games.lines().chain(out(&arena(&["record", "csv", &format!("{dir}#0")])).lines()) {
        assert!(!line.split(',').any(is_formula), "{line}");
    }
    assert!(out(&arena(&["record", "to-text", &format!("{dir}#0")])).contains("] ; "));

    for (name, words) in [
        ("x.md", "| # | bot |"),
        ("x.csv", "rank,name,id,"),
        ("x.games.csv", "number,round,"),
        ("x.json", "{\"entrants\":["),
        ("x.txt", "  #  bot"),
        ("x.notation", "; game 11\n"),
    ] {
        let exported = arena(&["tournament", "export", &dir, &at(name)]);
        assert_eq!(code(&exported), 0, "{}", err(&exported));
        assert!(fs::read_to_string(at(name)).unwrap().contains(words), "{name}");
    }
    assert_eq!(code(&arena(&["tournament", "export", &dir, &at("x.doc")])), 2);
    let page = arena(&["tournament", "export", &dir, &at("x.html")]);
    if code(&page) == 0 {
        let page = fs::read_to_string(at("x.html")).unwrap();
        assert!(page.contains("a match</h1>") && !page.contains("<b>a match"), "a title is text");
        assert_eq!(page.matches("<button type=\"button\" data-record=").count(), 12);
        assert!(!page.contains("src=\"") && !page.contains("href=\"/"), "nothing is fetched");
    } else {
        assert!(err(&page).contains("lacks the modules that pages need"), "{}", err(&page));
        left_out(NO_PAGE);
    }
    let archive = at("x.tar.zst");
    assert_eq!(code(&arena(&["tournament", "export", &dir, &archive])), 0);
    let verified = arena(&["verify", &archive]);
    assert_eq!(code(&verified), 0, "{}{}", out(&verified), err(&verified));
    assert!(out(&verified).contains("x.tar.zst is identical"), "{}", out(&verified));
    let bytes = fs::read(&archive).unwrap();
    fs::write(&archive, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(code(&arena(&["verify", &archive])), 3);
}

#[test]
fn bad_input_is_refused_with_file_line_and_key_before_anything_is_played() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let file = at("bad.toml");
    let (first, _) = DEFINITION.split_once("[[entrants]]").unwrap();
    let cases = [
        (DEFINITION.replace("\"swiss\"", "\"swis\""), "line 4: `format` is one of \"round-robin\", "),
        (DEFINITION.replace("rounds = 3", "laps = 3"), "line 6"),
        (DEFINITION.replace("rounds = 3", "cycles = 2"), "line 6: `cycles` is a key of `format = \"round-robin\"`"),
        (DEFINITION.replace("pairs = 1", "pairs = 0"), "line 5: `pairs` is 1 to 10000, not 0"),
        (format!("{first}[[entrants]]\nname = \"a\"\nbaseline = \"random\"\n"), "line 7: `entrants` are 2 to 1024"),
        (
            DEFINITION.replace("\"swiss\"", "\"knockout\"").replace("rounds = 3", "seeds = \"none.txt\""),
            "line 6: `seeds` \"none.txt\": ",
        ),
        (DEFINITION.replace("war-of-life@1", "chess@1"), "line 2: `ruleset` cannot be played: no ruleset \"chess@1\""),
        (
            DEFINITION.replace("rounds = 3", "options = \"nope\""),
            "line 6: `options` cannot be played: \"nope\" are not options",
        ),
        (DEFINITION.replace("rounds = 3", "openings = [\"here\"]"), "line 6: `openings` cannot be played: "),
        (
            DEFINITION.replace("\"swiss\"", "\"field\"").replace("rounds = 3", "games = 3"),
            "line 4: `format` cannot be played: a field has games of more than two seats",
        ),
    ];
    for (text, words) in cases {
        fs::write(&file, &text).unwrap();
        for command in ["run", "plan"] {
            let refused = arena(&["tournament", command, &file]);
            assert_eq!(code(&refused), 2, "{words}");
            let said = err(&refused);
            assert!(said.contains("bad.toml is not a tournament: ") && said.contains(words), "{said}");
            assert!(out(&refused).is_empty() && !place.path().join("out").exists());
        }
    }
}

#[test]
fn games_start_from_the_positions_of_a_file_and_verify_knows_them() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (definition, openings, dir) = (at("t.toml"), at("openings.txt"), at("dir"));
    let entrants = ["easy", "normal"].map(|name| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n"));
    fs::write(&definition, format!("name = \"t\"\nseed = 3\npairs = 3\n{}", entrants.concat())).unwrap();
    let rules = "blue 1 0,0 - chain_needs_home,weighted_majority";
    let good = [format!("c3,c4,d3,d4 w23,w24,x23,x24 {rules}"), format!("m1,m2,n1,n2 m25,m26,n25,n26 {rules}")];
    // As an editor of Windows leaves it, with a comment, and without a newline at its end.
    let text = format!("\u{feff}# two blocks each\r\n{} # my favourite\r\n\r\n\t{}", good[0], good[1]);
    fs::write(&openings, text).unwrap();
    let run = |out: &str| arena(&["tournament", "run", &definition, "--openings", &openings, "--out", out]);
    let ran = run(&dir);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
    let header =
        |game: usize| json(&arena(&["record", "to-json", &format!("{dir}#{game}")]))["header"]["options"].clone();
    let found: Vec<String> = (0..6).map(|game| header(game).as_str().unwrap().to_owned()).collect();
    let blocks = ["opening=cells:c3c4d3d4/w23w24x23x24", "opening=cells:m1m2n1n2/m25m26n25n26"];
    assert!(found.iter().all(|options| blocks.iter().any(|block| options.ends_with(block))), "{found:?}");
    assert!(found[0] == found[1] && found[2] == found[3] && found[0] != found[2] && found[0] == found[4], "{found:?}");
    let verified = arena(&["verify", &dir]);
    assert_eq!(code(&verified), 0, "{}", out(&verified));
    // They are in the folder, not in the file.
    fs::remove_file(&openings).unwrap();
    assert_eq!(code(&arena(&["tournament", "resume", &dir])), 0);

    let missing = run(&at("other"));
    assert_eq!(code(&missing), 2);
    assert!(err(&missing).contains("cannot read the openings ") && err(&missing).contains("openings.txt"));
    for (line, words) in [
        (good[0].replace("c3,", "c30,"), "c30"),
        (good[0].replace("blue 1", "red 1"), "an opening is a position before the first turn"),
        (good[0].replace("c3,c4,d3,d4", "c3"), "lives on by itself"),
        (good[0].replace("chain_needs_home,", ""), "`rules` are "),
        ("c3".into(), "a position has seven fields"),
    ] {
        fs::write(&openings, format!("{}\n{line}\n", good[1])).unwrap();
        let refused = run(&at("other"));
        assert_eq!(code(&refused), 2, "{line}");
        let said = err(&refused);
        assert!(said.contains("openings.txt, line 2") && said.contains(words), "{said}");
    }
    for (pattern, words) in [
        ("#N Glider\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n", "is a pattern in RLE"),
        ("#Life 1.06\n0 -1\n1 0\n", "is a pattern in Life 1.05 or 1.06"),
        ("[M2] (golly 4.2)\n", "is a pattern in Golly's macrocell format"),
        ("!Name: Glider\n.O\n", "is a pattern in plain cells"),
        ("", "has no position"),
    ] {
        fs::write(&openings, pattern).unwrap();
        let refused = run(&at("other"));
        assert!(code(&refused) == 2 && err(&refused).contains(words), "{pattern}: {}", err(&refused));
    }
    for (bytes, words) in [(&b"\xff\xfec\0"[..], "save it as UTF-8"), (b"\x80", "not text in UTF-8")] {
        fs::write(&openings, bytes).unwrap();
        assert!(err(&run(&at("other"))).contains(words), "{words}");
    }
    assert!(!place.path().join("other").exists());
}

#[test]
fn games_of_a_disqualified_entrant_are_marked_wherever_they_are_shown() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (file, cup) = (at("cup.toml"), at("cup"));
    let entrants = ["easy", "normal"].map(|name| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n"));
    fs::write(&file, format!("name = \"a cup\"\nseed = 3\npairs = 1\n{}", entrants.concat())).unwrap();
    assert_eq!(code(&arena(&["tournament", "run", &file, "--out", &cup])), 0);
    let game = format!("{cup}#0");
    let mark = "normal (disqualified)";
    assert!(!out(&arena(&["record", "to-text", &game])).contains(mark));
    assert_eq!(code(&arena(&["tournament", "disqualify", &cup, "normal", "--reason", "it is copied"])), 0);
    assert_eq!(code(&arena(&["tournament", "resume", &cup])), 0);
    for shown in
        [&["record", "to-text", &game][..], &["record", "show", &game], &["record", "csv", &game], &["replay", &game]]
    {
        let told = out(&arena(shown));
        assert!(told.contains(mark) && !told.contains("easy (dis"), "{shown:?}: {told}");
    }
    for form in ["cup.notation", "cup.html"] {
        let exported = arena(&["tournament", "export", &cup, &at(form)]);
        if err(&exported).contains("cargo xtask engine") {
            left_out(NO_PAGE);
            continue;
        }
        assert_eq!(code(&exported), 0, "{form}: {}", err(&exported));
        let text = fs::read_to_string(at(form)).unwrap();
        assert!(text.contains(mark), "{form}");
        // Where things are on this disk stays here.
        assert!(!text.contains(place.path().to_str().unwrap()), "{form}");
        assert!(form != "cup.html" || text.contains("<code>arena verify cup</code>"));
    }
}
