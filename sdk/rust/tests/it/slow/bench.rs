//! The benchmark: more work takes more time, and a bot is new in every run.

use std::cell::Cell;
use std::hint::black_box;

use arena_sdk::bench::{Subject, compare};
use arena_sdk::conquerors::{Action, Board, Position, Start};
use arena_sdk::{Bot, Observation, Ruleset, Seat};

fn generations(count: u32) -> impl FnMut() {
    move || {
        for _ in 0..count {
            black_box(black_box(&Board::EMPTY).next());
        }
    }
}

#[test]
fn a_hundred_times_the_work_is_seen() {
    let subjects = vec![Subject::new("one", 1, generations(10)), Subject::new("hundred", 1, generations(1_000))];
    let report = compare(subjects);
    let [first, second] = &report.lines[..] else { panic!("{report}") };
    assert_eq!((first.times_the_first.least, first.times_the_first.most), (1.0, 1.0));
    assert!(second.times_the_first.median > 10.0, "{report}");
    assert!(second.times_the_first.least <= second.times_the_first.median, "{report}");
    let text = report.to_string();
    assert!(text.lines().count() == 3 && text.contains("one") && text.contains("hundred"), "{text}");
}

thread_local! {
    static NEW: Cell<u32> = const { Cell::new(0) };
    static ASKED: Cell<u32> = const { Cell::new(0) };
}

struct Counts;

impl Default for Counts {
    fn default() -> Counts {
        NEW.set(NEW.get() + 1);
        Counts
    }
}

impl Bot for Counts {
    fn turn(&mut self, _seen: &Observation) -> Action {
        ASKED.set(ASKED.get() + 1);
        Action::Skip
    }
}

#[test]
fn a_new_bot_is_shown_all_observations_in_every_run() {
    let position = Position::start(&Start::default(), &[0; 32]);
    let seen = [1, 2, 3].map(|seed| Observation { position: position.clone(), seat: Seat(0), seat_seed: [seed; 32] });
    let report = compare(vec![Subject::bot::<Counts, Position>("counts", &seen)]);
    assert_eq!(report.lines[0].name, "counts");
    assert!(NEW.get() > 0);
    assert_eq!(ASKED.get(), 3 * NEW.get());
}
