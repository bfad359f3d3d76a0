//! A field without two-seat games: the definition that comes with the arena, and who shares a rank.

use arena_record::EntrantId;
use arena_rules::{BySeat, Reason};
use arena_tournaments::{Definition, Entrant, Field, Format, FormatSpec, GameResult};

const LIFE2: &str = include_str!("../../definitions/life2.toml");

#[test]
fn the_definition_of_life2_has_nine_seats_and_no_pairs() {
    let definition = Definition::parse(LIFE2).expect("complete");
    assert_eq!((definition.options.as_str(), definition.entrants.len()), ("seats=9,coins=1000", 9));
    assert_eq!(definition.format, FormatSpec::Field { games: 8, pairs: 0 });
    assert_eq!(Definition::parse(&definition.to_toml()).as_ref(), Ok(&definition));
    assert_eq!(Definition::parse(&LIFE2.replace("pairs = 0\n", "")), Ok(definition), "the game's default");
    assert!(Definition::parse(&LIFE2.replace("format = \"field\"", "format = \"round-robin\"")).is_err());
}

#[test]
fn equal_scores_share_the_rank() {
    let entrants: Vec<Entrant> =
        ["ant", "bee", "cat"].map(|name| Entrant::new(name, EntrantId::of_bytes(name.as_bytes()))).into();
    let field = Field { seed: 1, seats: 3, games: 4, pairs: 0 };
    let games = field.games(&entrants);
    assert_eq!((games.len(), field.games_max(3)), (4, 4));
    let played = games.iter().map(|game| {
        let tally = BySeat::new(3, |seat| if game.seats[seat] == 1 { 60 } else { 20 });
        let mut digest = [0; 32];
        digest[0] = game.number as u8;
        (game, GameResult { winner: None, forfeits: Vec::new(), tally, digest, reason: Reason::Majority, turns: 200 })
    });
    let table = field.standings(&entrants, &played.collect());
    let ranks: Vec<(&str, u32)> =
        table.rows.iter().map(|row| (row.name.as_str(), row.rank.0.unwrap_or(0) as u32)).collect();
    assert_eq!(ranks, [("bee", 1), ("ant", 2), ("cat", 2)]);
    assert!(table.notes.iter().any(|note| note.text.ends_with("Equal scores share the rank")));
}
