//! The golden vectors. Source: runs of the original games; see `sdk/rules/tests/golden/README.md`.

use std::path::Path;
use std::sync::LazyLock;

use arena_conformance::{ConformanceError, FileReport, Vectors, all_agree};
use arena_sandbox::Sandbox;

static SANDBOX: LazyLock<Sandbox> = LazyLock::new(|| Sandbox::new().expect("this machine runs bots"));

fn check_folder(folder: &Path) -> Result<Vec<FileReport>, ConformanceError> {
    Ok(Vectors::read(folder)?.check(&SANDBOX))
}

const FILES: [(&str, usize); 19] = [
    ("conquerors/block", 67),
    ("conquerors/bomb", 300),
    ("conquerors/cpuscore", 450),
    ("conquerors/evolve", 167),
    ("conquerors/games", 115),
    ("conquerors/illegal", 67),
    ("conquerors/impact", 100),
    ("conquerors/pick", 200),
    ("conquerors/plan", 138),
    ("conquerors/reach", 166),
    ("conquerors/score", 914),
    ("game_of_game_of_life/step", 105),
    ("life2/api", 26),
    ("life2/step", 19),
    ("war_of_life/crank", 134),
    ("war_of_life/games", 32),
    ("war_of_life/minimax", 27),
    ("war_of_life/moves", 157),
    ("war_of_life/strategy", 180),
];

fn golden() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/rules/tests/golden")
}

#[test]
fn every_golden_line_agrees() {
    let reports = check_folder(&golden()).expect("the vectors are in the repository");
    let reports: Vec<_> = reports.into_iter().filter(|report| report.file != "README.md").collect();
    for report in &reports {
        let lines = report.lines.as_ref().unwrap_or_else(|| panic!("{} has no reader", report.file));
        assert_eq!(lines.first_difference, None, "{}", report.file);
    }
    let found: Vec<_> = reports
        .iter()
        .map(|report| (report.file.clone(), report.lines.as_ref().map_or(0, |lines| lines.total)))
        .collect();
    assert_eq!(found, FILES.map(|(name, lines)| (format!("{name}.jsonl"), lines)));
    assert!(all_agree(&reports));
}

#[test]
fn a_wrong_line_is_named_and_unknown_files_are_listed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let game = folder.path().join("conquerors");
    std::fs::create_dir(&game).expect("a folder");
    let evolve = std::fs::read_to_string(golden().join("conquerors/evolve.jsonl")).expect("vectors");
    let first = evolve.lines().next().expect("a line");
    let wrong = first.replacen("\"next\":\".", "\"next\":\"b", 1);
    assert_ne!(first, wrong);
    std::fs::write(game.join("evolve.jsonl"), format!("{first}\n\n{wrong}\nnonsense\n")).expect("written");
    std::fs::write(game.join("tea.jsonl"), "{}\n").expect("written");

    for checked in [folder.path(), &game] {
        let reports = check_folder(checked).expect("readable");
        let lines = reports[0].lines.as_ref().expect("evolve is known");
        assert_eq!((lines.total, lines.agreed), (3, 1));
        assert!(matches!(&lines.first_difference, Some((3, why)) if why.starts_with("next: wanted")));
        assert_eq!(reports[1].lines, None);
        assert!(!all_agree(&reports));
    }
}

#[test]
fn a_folder_without_vectors_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let error = check_folder(folder.path()).expect_err("nothing to check");
    assert!(error.to_string().contains("no file of vectors"), "{error}");
}

#[test]
fn a_line_of_the_meter_is_held_to_all_its_fields() {
    let meter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../meter/tests/golden/meter");
    let reports = check_folder(&meter).expect("vectors");
    assert!(all_agree(&reports), "{reports:#?}");
    let line = std::fs::read_to_string(meter.join("calls.jsonl")).expect("vectors");
    let line = line.lines().find(|line| line.contains("a line of 16 bytes")).expect("a line with a log");
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("meter")).expect("a folder");
    let used = |from, to| line.replacen(from, to, 1);
    for (what, wrong) in [
        ("ends", used("\"ends\":\"in_time\",\"used\":261", "\"ends\":\"trap\",\"used\":261")),
        ("used", used("\"used\":261", "\"used\":260")),
        ("value", used("\"value\":\"1024\"", "\"value\":\"1025\"")),
        ("memory_bytes", used("\"memory_bytes\":65536", "\"memory_bytes\":131072")),
        ("memory", used("\"memory\":\"d", "\"memory\":\"e")),
        ("log", used("\"log\":[\"00", "\"log\":[\"01")),
    ] {
        assert_ne!(line, wrong, "{what}");
        std::fs::write(folder.path().join("meter/calls.jsonl"), wrong).expect("written");
        let reports = check_folder(folder.path()).expect("readable");
        let difference = reports[0].lines.as_ref().and_then(|lines| lines.first_difference.as_ref());
        assert!(
            difference.is_some_and(|(_, why)| why.contains(&format!(": {what}: wanted"))),
            "{what}: {difference:?}"
        );
    }
}
