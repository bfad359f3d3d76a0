//! Every format in a folder: stopped, resumed by more threads, and verified with every pairing of later rounds derived again.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

mod tree;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use arena_runner::{Depth, Finding, Folder, Host, InProcess, verify_folder};
use arena_sandbox::Sandbox;
use arena_tournaments::Definition;

use tree::files;

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
    let entrants = ["random", "bloodlust", "self-preservation", "land-grab", "bloodlust"];
    let entrant =
        |(number, name): (usize, &&str)| format!("[[entrants]]\nname = \"{name}-{number}\"\nbaseline = \"{name}\"\n");
    let entrants: String = entrants.iter().enumerate().map(entrant).collect();
    let head = "name = \"formats\"\nruleset = \"war-of-life@1\"\nseed = 5\n";
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
        // The last game under the number of another one is none of this tournament.
        let journal = at("stopped").join("journal");
        let bytes = fs::read(&journal).unwrap();
        let last = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        fs::write(&journal, &bytes[..last]).unwrap();
        assert!(!matches!(verify("stopped"), Finding::Identical), "{format}");
    }
}
