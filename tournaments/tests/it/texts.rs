//! The texts of small tournaments, byte by byte: folders that were played before must verify after.

use arena_record::{EntrantId, ForfeitCode};
use arena_rules::{BySeat, Seat};
use arena_tournaments::{
    Entrant, Field, Format, GameResult, Leave, Left, RoundRobin, ScheduledGame, Settled, SettledGame,
};

fn entrants(names: &[&str]) -> Vec<Entrant> {
    let make = |name: &&str| Entrant::new(*name, EntrantId::of_bytes(name.as_bytes()));
    names.iter().map(make).collect()
}

/// All games of a format, with ends that follow from their numbers: wins of either seat, draws, forfeits, repeated
/// games. With `quarantine` the first entrant plays none from game 9 on.
fn settled(format: &dyn Format, entrants: &[Entrant], quarantine: bool) -> Settled {
    let mut settled: Settled = format
        .next(entrants, &Settled::default())
        .iter()
        .map(|game| {
            let seats = game.seats.seats();
            let number = game.number;
            let tally = BySeat::new(seats, |seat| ((number + 3) * (usize::from(seat.0) + 2) % 11) as u32);
            let winner = (number % 4 != 3).then(|| Seat((number * 7 / 3 % usize::from(seats)) as u8));
            let codes = [ForfeitCode::Trap, ForfeitCode::FuelExhausted];
            let forfeits = if number % 5 == 1 {
                vec![(Seat(u8::from(winner != Some(Seat(1)))), codes[number % 2])]
            } else {
                vec![]
            };
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&(number as u64 / 3).to_le_bytes());
            (game, GameResult { winner, forfeits, tally, digest, reason: arena_rules::Reason::Majority, turns: 0 })
        })
        .collect();
    if quarantine {
        let taken_out = |(game, result): (ScheduledGame, GameResult)| {
            let is_void = game.number >= 9 && game.seats.values().contains(&0);
            SettledGame { game, result: (!is_void).then_some(result) }
        };
        settled = settled.counted().map(taken_out).collect();
        settled.left.insert(0, Left { from: 9, why: Leave::Quarantined });
    }
    settled
}

/// After a change that is meant: `ARENA_WRITE_SNAPSHOTS=1 cargo test -p arena-tournaments`, and read what changed.
#[test]
fn the_texts_are_these_bytes() {
    let names = entrants(&["ant", "bee", "cat", "long-name-of-a-dog"]);
    let round_robin: &dyn Format = &RoundRobin::new(1, 3);
    let field: &dyn Format = &Field { seed: 1, seats: 3, games: 12, pairs: 1 };
    let mut found = String::new();
    for (format, quarantine) in [(round_robin, false), (round_robin, true), (field, false), (field, true)] {
        let settled = settled(format, &names, quarantine);
        let files =
            format.standings(&names, &settled).files().into_iter().chain(format.reports(None, &names, &settled));
        for (name, text) in files.filter(|(name, _)| !name.ends_with("svg")) {
            found += &format!("== {}, quarantine {quarantine}: {name}\n{text}", format.name());
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/texts/all.txt");
    if std::env::var_os("ARENA_WRITE_SNAPSHOTS").is_some() {
        std::fs::write(path, &found).expect("the folder is there");
    } else {
        assert_eq!(found, include_str!("../texts/all.txt"));
    }
}
