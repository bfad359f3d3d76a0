//! The rounds of a tournament, pairing by pairing, as files beside the standings.

use std::fmt::Write as _;

use arena_record::EntrantId;
use serde::Serialize;

use crate::Entrant;
use crate::meetings::Meeting;
use crate::names::Names;

/// A round as shown to people.
pub(crate) struct Round {
    /// Its title.
    pub(crate) title: String,
    /// Its pairings.
    pub(crate) meetings: Vec<Meeting>,
    /// Entrants that advanced, or got the points, without a game.
    pub(crate) byes: Vec<usize>,
}

#[derive(Serialize)]
struct Written<'a> {
    round: &'a str,
    pairings: Vec<Pairing<'a>>,
    byes: Vec<Named<'a>>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    id: &'a EntrantId,
}

#[derive(Serialize)]
struct Pairing<'a> {
    entrants: [Named<'a>; 2],
    /// Points of each in the counted games.
    points: [f64; 2],
    games: u32,
    /// The number of its first game in the schedule.
    first_game: usize,
}

/// The rounds as JSON, one line with a newline, and as text for people.
pub(crate) fn rounds(entrants: &[Entrant], rounds: &[Round]) -> Vec<(&'static str, String)> {
    let named = |entrant: &usize| Named { name: &entrants[*entrant].name, id: &entrants[*entrant].id };
    let pairing = |meeting: &Meeting| Pairing {
        entrants: meeting.entrants.each_ref().map(named),
        points: meeting.half_points.map(|half_points| f64::from(half_points) / 2.0),
        games: meeting.settled,
        first_game: meeting.first,
    };
    let written = rounds.iter().map(|round| Written {
        round: &round.title,
        pairings: round.meetings.iter().map(pairing).collect(),
        byes: round.byes.iter().map(named).collect(),
    });
    let written: Vec<Written<'_>> = written.collect();
    let json = serde_json::to_string(&written).unwrap_or_default() + "\n";
    let names = Names::of(entrants.iter().map(|entrant| (entrant.shown(), &entrant.id)));
    let shown = |entrant: &usize| names.cells(entrants[*entrant].shown(), entrants[*entrant].id.short());
    let mut text = String::new();
    for (number, Round { title, meetings, byes }) in rounds.iter().enumerate() {
        let _ = writeln!(text, "{}{title}", if number == 0 { "" } else { "\n" });
        for meeting in meetings {
            let ([one, other], [own, theirs]) = (meeting.entrants.each_ref().map(shown), pairing(meeting).points);
            let _ = writeln!(text, "  {one}  {own:>5.1} - {theirs:<5.1}  {}", other.trim_end());
        }
        for bye in byes.iter().map(shown) {
            let _ = writeln!(text, "  {bye}  without a game");
        }
    }
    vec![("rounds.json", json), ("rounds.txt", text)]
}
