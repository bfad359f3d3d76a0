//! Editions of a standing tournament, one after the other, with bots that play.

use std::sync::Arc;

use arena_runner::{Folder, Host, InProcess};
use arena_sandbox::Sandbox;
use arena_tournaments::{Definition, Rating, Value};

/// Editions, with a seed each.
const EDITIONS: usize = 20;
/// The bots that are in all of them, unchanged; the first three are the anchor.
const BUILT_IN: [&str; 3] = ["easy", "normal", "hard"];
const UNTOUCHED: [&str; 5] = ["easy", "normal", "hard", "scatter", "mason"];
/// The bots that come and go: who is in an edition is not in the next one.
const OTHERS: [&[&str]; 3] = [&["gardener"], &["raider", "beekeeper"], &["farmer"]];
/// Percent of the differences between two editions that may be outside their interval, which holds 95 of 100 of one
/// that is chance alone. Games of bots are not transitive: who else plays moves a rating.
const OUTSIDE_MAX: usize = 10;

fn definition(edition: usize, night: usize) -> Definition {
    let entrant = |name: &&str| {
        let kind = if BUILT_IN.contains(name) { "baseline" } else { "gallery" };
        format!("[[entrants]]\nname = \"{name}\"\n{kind} = \"{name}\"\n")
    };
    let entrants: String = UNTOUCHED.iter().chain(OTHERS[edition % OTHERS.len()]).map(entrant).collect();
    Definition::parse(&format!(
        "name = \"editions\"\nseed = {}\npairs = 10\n{entrants}",
        night * EDITIONS + edition + 1
    ))
    .unwrap()
}

#[test]
fn bots_that_nobody_changed_keep_their_ratings_while_others_come_and_go() {
    let host: Arc<dyn Host> = Arc::new(InProcess::new(Sandbox::new().unwrap()));
    let scratch = tempfile::tempdir().unwrap();
    let (mut outside, mut all) = (0, 0);
    let mut before: Option<[Rating; UNTOUCHED.len()]> = None;
    // Each night has other seeds.
    let night = std::env::var("ARENA_NIGHT_SEED").map_or(0, |seed| seed.parse().unwrap());
    for edition in 0..EDITIONS {
        let path = scratch.path().join(edition.to_string());
        let (mut folder, _) = Folder::open(&path, &definition(edition, night), scratch.path(), &host).unwrap();
        let standings = folder.run(2, |_| {}).unwrap().standings;
        let anchor = standings.total("anchor").map(ToString::to_string);
        assert_eq!(anchor.as_deref(), Some("0 in the mean of easy@1, normal@1, hard@1"));
        let now = UNTOUCHED.map(|name| {
            let row = standings.rows.iter().find(|row| row.name == name).unwrap();
            let Some(Value::Rating(rating)) = standings.value(row, "rating") else { panic!("{name} has a rating") };
            *rating
        });
        let half = |rating: Rating| Some((rating.high()? - rating.low()?) as f64 / 2.0);
        for (one, other) in before.iter().flatten().zip(now) {
            let Some((one_half, other_half)) = half(*one).zip(half(other)) else { continue };
            let apart = (other.tenths().unwrap() - one.tenths().unwrap()) as f64;
            all += 1;
            outside += usize::from(apart.abs() > one_half.hypot(other_half));
        }
        before = Some(now);
    }
    println!("{outside} of {all} differences of untouched bots left their interval");
    assert!(all > 60 && 100 * outside <= OUTSIDE_MAX * all, "{outside} of {all}");
}
