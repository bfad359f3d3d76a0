//! Scripts in both engines: what hostile ones do, what usual ones take, and what a profile takes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use arena_interpreter::Interpreter;
use arena_record::Budgets;
use arena_referee::{Failure, Player, Reply};
use arena_sandbox::{Bot, Sandbox, SandboxPlayer};
use arena_scripts::{Language, SCRIPT_BYTES_MAX, bundle};

/// Deeds, each with how its turn ends; it logs the list of them.
const HOSTILE: [(Language, &str); 2] = [
    (Language::JavaScript, include_str!("../../../../../sdk/javascript/tests/hostile.js")),
    (Language::Python, include_str!("../../../../../sdk/python/tests/hostile.py")),
];

/// Blue's first observation of a game of Conway's Conquerors, but for its board.
const FIRST: [u8; 16] = [1, 1, 0, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
/// Bytes of an observation, and where its board begins.
const LEN: usize = 776;
const BOARD: usize = 48;

/// On a board with so many blue cells.
fn observation(cells: usize) -> Vec<u8> {
    let mut bytes = FIRST.to_vec();
    bytes.resize(LEN, 0);
    bytes[BOARD..BOARD + cells].fill(1);
    bytes
}

fn load(sandbox: &Sandbox, language: Language, script: &str) -> Bot {
    let module = bundle(language, script.as_bytes()).expect("a script");
    sandbox.load(&module, &Budgets::DEFAULT).expect("a bot")
}

fn started(bot: &Bot) -> SandboxPlayer {
    let mut player = SandboxPlayer::new(bot);
    player
        .start(LEN, Budgets::DEFAULT.fuel_at_start)
        .unwrap_or_else(|failure| panic!("{failure:?}: {:?}", player.left().log));
    player
}

/// The turn with this deed in a game of its own, and what it logged.
fn turn(bot: &Bot, deed: usize) -> (Result<Reply, Failure>, Vec<String>) {
    let mut player = started(bot);
    let at_start = player.left().log.lines().len();
    let reply = player.turn(&observation(deed), Budgets::DEFAULT.fuel_per_move);
    (reply, player.left().log.lines()[at_start..].to_vec())
}

/// How a turn ends, in words: its code, and the first line of its error, which names a line of the script.
fn ending((reply, log): &(Result<Reply, Failure>, Vec<String>)) -> String {
    match reply {
        Ok(_) => "done".into(),
        Err(Failure::Own(fault)) => {
            let error = log.iter().find(|line| line.starts_with("bot.")).or(log.last());
            format!("{}; {}", fault.code, error.map_or("", String::as_str))
        }
        Err(Failure::Platform(fault)) => panic!("{fault:?}"),
    }
}

#[test]
fn hostile_scripts_end_as_stated_in_both_engines_and_change_no_game_beside_them() {
    let sandboxes = [Sandbox::new().expect("this machine runs bots"), Sandbox::of(Interpreter::new())];
    for (language, script) in HOSTILE {
        all_end_as_stated(&sandboxes.each_ref().map(|sandbox| load(sandbox, language, script)));
    }
}

fn all_end_as_stated(bots: &[Bot; 2]) {
    let deeds: Vec<String> = started(&bots[0]).left().log.lines().to_vec();
    let honest = |player: &mut SandboxPlayer| player.turn(&observation(0), Budgets::DEFAULT.fuel_per_move);
    let mut alone = started(&bots[0]);
    let expected: Vec<_> = deeds.iter().map(|_| honest(&mut alone)).collect();
    let mut beside = bots.each_ref().map(started);
    let mut wrong = Vec::new();
    for (deed, line) in deeds.iter().enumerate() {
        let (name, stated) = line.rsplit_once(": ").expect("a deed and how it ends");
        let [compiled, interpreted] = bots.each_ref().map(|bot| turn(bot, deed));
        assert_eq!(compiled, interpreted, "{name}");
        let ended = ending(&compiled);
        if !ended.contains(stated) {
            wrong.push(format!("{name}: {ended}, and not {stated}"));
        }
        for player in &mut beside {
            assert_eq!(honest(player), expected[deed], "beside {name}");
        }
    }
    assert!(wrong.is_empty() && deeds.len() > 40, "{} deeds: {wrong:#?}", deeds.len());
}

#[test]
fn scripts_as_long_as_can_be_start_or_fail_by_their_own_fault() {
    let sandbox = Sandbox::of(Interpreter::new());
    let long = |part: &str| part.repeat(SCRIPT_BYTES_MAX / part.len());
    let all: String = ('\u{80}'..=char::MAX).step_by(53).collect();
    let all = &all[..all.floor_char_boundary(SCRIPT_BYTES_MAX - 100)];
    for (script, starts) in [
        (long("["), false),
        (long("("), false),
        (long("{"), false),
        (long("a=>"), false),
        (long("-"), false),
        (long("`${"), false),
        (long("/("), false),
        (long("function a(){"), false),
        (long("\0"), false),
        (long("\u{202e}"), false),
        (format!("function turn() {{}} // {all}"), true),
        (format!("function turn() {{}} const all = `{all}`;"), true),
        (format!("function turn() {{}} {}", "var a = 1;".repeat(6_000)), false),
        (format!("function turn() {{}} const a = [{}];", "1,".repeat(32_000)), false),
    ] {
        let bot = load(&sandbox, Language::JavaScript, &script);
        let mut player = SandboxPlayer::new(&bot);
        match player.start(LEN, Budgets::DEFAULT.fuel_at_start) {
            Err(Failure::Platform(fault)) => panic!("{fault:?}"),
            started => assert_eq!(started.is_ok(), starts, "{script:.20}: {started:?} {:?}", player.left().log),
        }
    }
}

#[test]
fn a_profile_of_a_script_takes_the_fuel_of_its_games() {
    let script = "const seen = [];
        function turn(o) {
          seen.push([...o.legal()].sort(() => o.rng.below(3) - 1)[0]);
          log(fuel(), seen.length);
          return worths(o, candidates(o).slice(0, 9), { generations: 1 })[0] > fuel() ? pass() : best(o, { fuel: fuel() / 90 });
        }";
    let module = bundle(Language::JavaScript, script.as_bytes()).expect("a script");
    let sandbox = Sandbox::of(Interpreter::new());
    let bot = sandbox.load(&module, &Budgets::DEFAULT).expect("a bot");
    let profiled = bot.profiled(&module, Budgets::DEFAULT.memory_bytes).expect("it compiles again");
    let [games, profiles] = [bot, profiled].map(|bot| {
        let mut player = SandboxPlayer::new(&bot);
        let start = player.start(LEN, Budgets::DEFAULT.fuel_at_start);
        let turns = [0, 3, 40].map(|cells| player.turn(&observation(cells), Budgets::DEFAULT.fuel_per_move));
        (start, turns, player.left().log)
    });
    assert!(games.1.iter().all(Result::is_ok), "{games:?}");
    assert_eq!(games, profiles);
}

/// Scripts that log what things take, and one for each language that only answers.
const COSTS: [(Language, &str, &str); 2] = [
    (
        Language::JavaScript,
        include_str!("../../../../../sdk/javascript/tests/costs.js"),
        "function turn(o) { return skip(); }",
    ),
    (Language::Python, include_str!("../../../../../sdk/python/tests/costs.py"), "def turn(o): return skip()"),
];
const COSTS_TABLE: &str = "../../sdk/README.md";
const COSTS_HEAD: &str = "| fuel | JavaScript | Python |\n|---|---|---|\n";

/// With commas between thousands.
fn words(number: u64) -> String {
    let digits = number.to_string();
    let parts: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(|part| str::from_utf8(part).unwrap_or("")).collect();
    parts.join(",")
}

/// What things take in a language.
fn costs(sandbox: &Sandbox, (language, script, short): (Language, &str, &str)) -> Vec<(String, u64)> {
    let bot = load(sandbox, language, short);
    let mut player = SandboxPlayer::new(&bot);
    let start = player.start(LEN, Budgets::DEFAULT.fuel_at_start).expect("it starts");
    let reply = player.turn(&observation(12), Budgets::DEFAULT.fuel_per_move).expect("it answers");
    let mut costs = vec![
        ("the start of a short script".to_owned(), start.fuel.unwrap_or(0)),
        ("a turn that only answers".to_owned(), reply.fuel.unwrap_or(0)),
    ];
    let (reply, log) = turn(&load(sandbox, language, script), 12);
    reply.expect("it answers");
    costs.extend(log.iter().map(|line| {
        let (name, fuel) = line.rsplit_once(": ").expect("a name and fuel");
        (name.to_owned(), fuel.parse().expect("a number"))
    }));
    costs
}

/// `ARENA_BLESS=1` writes the table.
#[test]
fn what_scripts_take_is_in_the_table() {
    let sandbox = Sandbox::of(Interpreter::new());
    let [javascript, python] = COSTS.map(|language| costs(&sandbox, language));
    let mut table = COSTS_HEAD.to_owned();
    for ((name, one), (other_name, other)) in javascript.iter().zip(&python) {
        assert_eq!(name, other_name);
        writeln!(table, "| {name} | {} | {} |", words(*one), words(*other)).expect("text can be written");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(COSTS_TABLE);
    let text = fs::read_to_string(&path).expect("it is there");
    let (before, rest) = text.split_once(COSTS_HEAD).expect("it has the table");
    let (_, after) = rest.split_once("\n\n").expect("something follows");
    let expected = format!("{before}{table}\n{after}");
    if std::env::var_os("ARENA_BLESS").is_some() {
        fs::write(&path, expected).expect("it can be written");
    } else {
        assert_eq!(text, expected);
    }
}
