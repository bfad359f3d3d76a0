//! Every format in a folder: stopped, resumed by more threads, and verified with every pairing of later rounds derived
//! again.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use arena_record::Record;
use arena_rules::{BySeat, Rng};
use arena_runner::{
    Archive, Contender, Depth, Ended, Finding, Folder, GameTerms, Host, InProcess, Survey, verify_folder,
};
use arena_sandbox::Sandbox;
use arena_tournaments::Definition;
use arena_worker::Wall;

use crate::tree::files;

/// Bytes of each format's folder that the tests change, one after the other.
const MUTATIONS: u64 = 30;
/// `cargo xtask tamper` makes this many times more changes in its folder of one format than in each of these.
const SHARE: u64 = 20;
const FIELD: &str = "format = \"field\"\ngames = 4\noptions = \"seats=3\"";
const FORMATS: [&str; 8] = [
    "format = \"round-robin\"\npairs = 1\ncycles = 2\ntable = \"berger\"\ntie-breaks = [\"head-to-head\"]",
    "format = \"round-robin\"\npairs = 1\nstop = { top = 1, confidence = 0.6, max-pairs = 16 }",
    "format = \"gauntlet\"\npairs = 2",
    "format = \"swiss\"\npairs = 1",
    "format = \"knockout\"\npairs = 1\nfurther-pairs = 2",
    "format = \"double-knockout\"\npairs = 1\nfurther-pairs = 1\nseeding = \"draw\"",
    "format = \"ladder\"\nrounds = 4",
    "format = \"ladder\"\nstop = { top = 1, confidence = 0.6, max-pairs = 5 }",
];

fn definition(format: &str) -> Definition {
    let (ruleset, entrants) = match format {
        FIELD => ("game-of-game-of-life@1", vec!["nothing", "random", "greedy", "safety"]),
        _ => ("war-of-life@1", vec!["random", "bloodlust", "self-preservation", "land-grab", "bloodlust"]),
    };
    let entrant =
        |(number, name): (usize, &&str)| format!("[[entrants]]\nname = \"{name}-{number}\"\nbaseline = \"{name}\"\n");
    let entrants: String = entrants.iter().enumerate().map(entrant).collect();
    let head = format!("name = \"formats\"\nruleset = \"{ruleset}\"\nseed = 5\n");
    Definition::parse(&format!("{head}{format}\n{entrants}")).unwrap()
}

#[test]
fn every_format_is_played_stopped_resumed_and_verified() {
    let scratch = tempfile::tempdir().unwrap();
    let host: Arc<dyn Host> = Arc::new(InProcess::new(Sandbox::new().unwrap()));
    for (number, format) in FORMATS.iter().enumerate() {
        let definition = definition(format);
        let at = |name: &str| scratch.path().join(format!("{number}-{name}"));
        let open = |path: &Path| Folder::open(path, &definition, scratch.path(), &host).unwrap().0;
        let played = open(&at("whole")).run(1, |_| {}).unwrap();
        assert!(played.games > 8 && played.standings.rows.len() == 5, "{format}");
        let results = files(&at("whole").join("results"));
        let rounds = results.contains_key(Path::new("rounds.txt"));
        assert_eq!(rounds, ["swiss", "knockout", "ladder"].iter().any(|name| format.contains(name)), "{format}");
        // Stopped after every nine games, and resumed with another number of threads each time.
        for threads in (1..=3).cycle() {
            let mut games = 0;
            let stop = |_| {
                games += 1;
                if games < 9 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            if open(&at("stopped")).run_until(threads, stop).unwrap().is_continue() {
                break;
            }
        }
        assert!(files(&at("stopped").join("results")) == results, "{format}");
        let verify = |name: &str| verify_folder(&at(name), None, &*host, Depth::Everything, 2, |_| {}).unwrap().finding;
        assert!(matches!(verify("whole"), Finding::Identical), "{format}: {:?}", verify("whole"));
        // The last game under another game's number does not belong to this tournament.
        let journal = at("stopped").join("journal");
        let bytes = fs::read(&journal).unwrap();
        let last = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        fs::write(&journal, &bytes[..last]).unwrap();
        assert!(!matches!(verify("stopped"), Finding::Identical), "{format}");
    }
}

/// The same header with another game: all seats play as one of the entrants.
fn forged(record: &Record, host: &dyn Host, player: &str) -> Record {
    let header = record.header.clone();
    let contender = Contender::baseline(&header.ruleset, player).unwrap();
    let terms = GameTerms::new(&header.ruleset, &header.options, header.budgets, Wall::None);
    let seats: Vec<&Contender> = header.entrants.iter().map(|_| &contender).collect();
    let mut played = host.play(&terms.game(header.seed.0, &BySeat::from(seats))).unwrap().ended.into_record().unwrap();
    played.header = header;
    played
}

#[test]
fn every_change_and_every_forged_game_is_found_in_every_format() {
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let mutations = number("ARENA_MUTATIONS").map_or(MUTATIONS, |all| all.div_ceil(SHARE));
    let seed = number("ARENA_MUTATION_SEED").unwrap_or(1);
    let host: Arc<dyn Host> = Arc::new(InProcess::new(Sandbox::new().unwrap()));
    let scratch = tempfile::tempdir().unwrap();
    for (stream, format) in FORMATS.iter().chain([&FIELD]).enumerate() {
        let path = scratch.path().join(stream.to_string());
        Folder::open(&path, &definition(format), scratch.path(), &host).unwrap().0.run(2, |_| {}).unwrap();
        let verify = || verify_folder(&path, None, &*host, Depth::Everything, 2, |_| {}).unwrap().finding;
        assert_eq!(verify(), Finding::Identical, "{format}");
        let all = files(&path);
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut rng = Rng::new(&key, stream as u64);
        for mutation in 0..mutations {
            let (name, bytes) = all.iter().nth(rng.below(all.len() as u32) as usize).unwrap();
            let (mut changed, at) = (bytes.clone(), rng.below(bytes.len() as u32) as usize);
            changed[at] = changed[at].wrapping_add(1 + rng.below(255) as u8);
            fs::write(path.join(name), &changed).unwrap();
            let found = verify();
            let is_found = matches!(found, Finding::Damaged { .. } | Finding::Differs(_));
            assert!(is_found, "{format}: mutation {mutation}, byte {at} of {}: {found:?}", name.display());
            fs::write(path.join(name), bytes).unwrap();
        }

        // A forger puts another game into the journal, plays the rounds that follow from it and corrects every
        // checksum.
        let (archive, survey) = (Archive::open(&path).unwrap(), Survey::open(&path).unwrap());
        let games: Vec<_> = survey.games().map(|(game, _)| game).collect();
        let journal = fs::read_to_string(path.join("journal")).unwrap();
        let number_of = |line: &str| line.split(' ').nth(1).unwrap().parse::<usize>().unwrap();
        let mut forgeries = 0;
        let chosen = [0, games.len() / 2, games.len() - 1].map(|place| &games[place]);
        // All are read before the journal is another one.
        let chosen = chosen.map(|game| (game, archive.record(game.number).unwrap()));
        for (game, honest) in chosen {
            let Some(forged) = ["random", "greedy", "land-grab"]
                .into_iter()
                .filter(|player| Contender::baseline(&honest.header.ruleset, player).is_ok())
                .map(|player| forged(&honest, &*host, player))
                .find(|forged| forged.turns != honest.turns)
            else {
                continue;
            };
            let kept = journal.split_inclusive('\n').filter(|line| games[number_of(line)].round <= game.round);
            let forged = Ended::Played(forged).to_line(game.number);
            let lines = kept.map(|line| if number_of(line) == game.number { &forged } else { line });
            fs::write(path.join("journal"), lines.collect::<String>()).unwrap();
            fs::remove_file(path.join("index")).unwrap();
            fs::remove_dir_all(path.join("results")).unwrap();
            Folder::resume(&path, &host).unwrap().0.run(2, |_| {}).unwrap();
            let Finding::Differs(difference) = verify() else { panic!("{format}: {:?}", verify()) };
            assert_eq!(difference.game, Some(game.number), "{format}: {difference:?}");
            forgeries += 1;
        }
        assert!(forgeries > 0, "{format}");
        println!(
            "{}: {mutations} changes of one byte, seed {seed}, and {forgeries} forged games are found",
            format.replace('\n', ", ")
        );
    }
}
