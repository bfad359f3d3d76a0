//! The plots of one small tournament, byte by byte, and what holds for all.

use arena_record::EntrantId;
use arena_rules::Seat;
use arena_tournaments::{Entrant, Field, Format, GameResult, RoundRobin, Settled, Standings};

/// Standings of games that end by their numbers.
fn played(names: &[&str], pairs: u32) -> Standings {
    let make = |name: &&str| Entrant::new(*name, EntrantId::of_bytes(name.as_bytes()));
    let entrants: Vec<Entrant> = names.iter().map(make).collect();
    let format = RoundRobin::new(1, pairs);
    let games = format.games(&entrants);
    let games = games.iter().map(|game| {
        let [first, second] = *game.seats.values() else { panic!("two seats") };
        let winner = match game.number % 5 {
            0 => None,
            4 => Some(Seat(0)),
            _ => Some(Seat(u8::from(first > second))),
        };
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&(game.number as u64).to_le_bytes());
        (
            game,
            GameResult {
                winner,
                forfeits: Vec::new(),
                tally: arena_rules::BySeat::from([0, 0]),
                digest,
                reason: arena_rules::Reason::Majority,
                turns: 0,
            },
        )
    });
    format.standings(&entrants, &games.collect())
}

/// The crosstable and the ratings.
fn plots(standings: &Standings) -> [String; 2] {
    [standings.crosstable_svg(), standings.ratings_svg()].map(|plot| plot.expect("a round robin has both"))
}

const HOSTILE: &str = "<script>alert(\"1\")</script>&'\u{1b}";

/// After a change that is meant: `ARENA_WRITE_SNAPSHOTS=1 cargo test -p arena-tournaments`, and look at the pictures.
#[test]
fn the_plots_are_these_bytes() {
    let standings = played(&["ant", "bee", "cat", HOSTILE], 8);
    let [crosstable, ratings] = plots(&standings);
    for (name, text, wanted) in [
        ("crosstable", crosstable, include_str!("../plots/crosstable.svg")),
        ("ratings", ratings, include_str!("../plots/ratings.svg")),
    ] {
        if std::env::var_os("ARENA_WRITE_SNAPSHOTS").is_some() {
            let path = format!("{}/tests/plots/{name}.svg", env!("CARGO_MANIFEST_DIR"));
            std::fs::write(path, &text).expect("the folder is there");
        } else {
            assert_eq!(text, wanted, "{name}.svg");
        }
    }
}

#[test]
fn pictures_say_what_was_played_and_by_how_many() {
    let mut standings = played(&["ant", "bee", "cat"], 2);
    for (title, shown) in [(HOSTILE.to_owned(), "&lt;script&gt;"), ("long ".repeat(40), "long long")] {
        standings.title = Some(title);
        for plot in plots(&standings) {
            assert!(plot.contains(shown) && plot.contains(", 3 entrants</text>"), "{plot}");
            assert!(!plot.contains("<script>") && !plot.contains(&"long ".repeat(20)), "{plot}");
            tags(&plot);
        }
    }
}

/// Every tag of a text that must be XML, in order: names of opened and closed elements.
fn tags(text: &str) -> Vec<&str> {
    let mut rest = text;
    let mut found = Vec::new();
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').expect("a tag ends");
        assert!(!tag.contains('<'), "{tag}");
        found.push(tag);
        rest = after;
    }
    found
}

#[test]
fn the_plots_are_well_formed_whatever_entrants_are_called() {
    let long = "x".repeat(300);
    for names in [&["ant", HOSTILE, "]]>", &long][..], &["a", HOSTILE], &["one"], &[]] {
        let standings = played(names, 2);
        for text in [standings.crosstable_svg(), standings.ratings_svg()].into_iter().flatten() {
            let mut open = Vec::new();
            for tag in tags(&text) {
                let name = tag.split([' ', '/']).next().unwrap_or_default();
                match tag.strip_prefix('/') {
                    Some(closed) => assert_eq!(open.pop(), Some(closed), "{text}"),
                    None if tag.ends_with('/') => {}
                    None => open.push(name),
                }
                let known = ["svg", "title", "desc", "style", "text", "g", "rect", "line", "path", "circle", ""];
                assert!(known.contains(&name), "{tag}");
            }
            assert!(open.is_empty(), "{open:?}");
            assert!(text.chars().all(|character| character == '\n' || !character.is_control()));
            assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
        }
    }
}

/// Colour is never the only sign: every score and every rating is a text, and every name.
#[test]
fn the_plots_say_in_text_what_they_show() {
    let standings = played(&["ant", "bee", "cat"], 8);
    let [crosstable, ratings] = plots(&standings);
    for row in &standings.rows {
        assert!(
            crosstable.contains(&format!(">{}</text>", row.name)) && ratings.contains(&format!(">{}</text>", row.name))
        );
    }
    let cells = standings.crosstable.iter().flatten().flatten().filter(|tally| tally.games() > 0);
    let labelled = crosstable.matches("<rect ").count();
    assert_eq!(cells.count(), labelled);
    assert_eq!(crosstable.matches("<title>").count(), labelled + standings.rows.len());
    assert_eq!(ratings.matches(" ± ").count(), 2 * standings.rows.len());
    for text in [&crosstable, &ratings] {
        assert!(text.contains("prefers-color-scheme:dark") && text.contains("role=\"img\""));
    }
}

#[test]
fn the_ratings_of_two_are_not_drawn() {
    let drawn = |names: &[&str]| {
        let standings = played(names, 2);
        let files: Vec<&str> = standings.files().into_iter().map(|(name, _)| name).collect();
        let intervals = standings.stretches().into_iter().flatten().count();
        (files.contains(&"ratings.svg"), files.contains(&"scores.svg"), intervals)
    };
    assert_eq!(drawn(&["ant", "bee"]), (false, false, 0), "a sentence has their one figure");
    assert_eq!(drawn(&["ant", "bee", "cat"]), (true, false, 3));
}

#[test]
fn the_shares_of_a_field_are_drawn_as_ratings_are() {
    let make = |name: &&str| Entrant::new(*name, EntrantId::of_bytes(name.as_bytes()));
    let entrants: Vec<Entrant> = ["ant", "bee", "cat", HOSTILE].iter().map(make).collect();
    let field = Field { seed: 1, seats: 3, games: 12, pairs: 0 };
    let games = field.next(&entrants, &Settled::default());
    let result = |game: arena_tournaments::ScheduledGame| {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&(game.number as u64).to_le_bytes());
        let tally = game.seats.clone().map(|entrant| (30 * (4 - entrant) + game.number) as u32);
        let reason = arena_rules::Reason::Majority;
        (game, GameResult { winner: None, forfeits: Vec::new(), tally, digest, reason, turns: 0 })
    };
    let standings = field.standings(&entrants, &games.iter().map(result).collect());
    let scores = standings.scores_svg().expect("a field has shares");
    tags(&scores);
    assert!(scores.contains(">ant</text>") && !scores.contains("<script>"), "{scores}");
    assert_eq!(scores.matches(" ± ").count(), 2 * standings.rows.len());
    assert_eq!(scores.matches("<circle ").count(), standings.rows.len());
    // Shares are at least 0, so the axis begins there.
    assert!(scores.contains("text-anchor=\"middle\">0</text>") && !scores.contains(">-"), "{scores}");
    let names: Vec<&str> = standings.files().into_iter().map(|(name, _)| name).collect();
    assert!(names.contains(&"scores.svg") && !names.contains(&"ratings.svg"), "{names:?}");
    assert_eq!(played(&["ant", "bee"], 2).scores_svg(), None);
}
