//! Finds where two records of a game differ.

use std::fmt;

use arena_limits::counted;
use arena_record::{Budgets, Bytes, Forfeit, Header, OutcomeRecord, Play, Record};
use arena_rules::Seat;

/// Characters of a value that are shown; a forged file may have any number.
const SHOWN_CHARS_MAX: usize = 160;

/// The first difference between a game and its record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parting {
    /// The turn, from 1; `None` outside of turns.
    pub turn: Option<usize>,
    /// The seat concerned, if there is one.
    pub seat: Option<Seat>,
    /// What differs.
    pub what: &'static str,
    /// Its value when played again. Escaped.
    pub expected: String,
    /// Its value in the record. Escaped.
    pub found: String,
}

/// What can differ, and its code.
const CODES: [(&str, &str); 17] = [
    ("the semantics", "semantics"),
    ("the ruleset", "ruleset"),
    ("the options", "options"),
    ("the budgets", "budgets"),
    ("the seed", "seed"),
    ("the entrants", "entrants"),
    ("the built-in opponents' games", "opponents"),
    ("the fuel of the start", "fuel_of_the_start"),
    ("the seat", "seat"),
    ("the action", "action"),
    ("the fuel", "fuel"),
    ("the number of actions", "number_of_actions"),
    ("the digest", "digest"),
    ("the number of turns", "number_of_turns"),
    ("the forfeit", "forfeit"),
    ("the outcome", "outcome"),
    ("the final digest", "final_digest"),
];

impl Parting {
    /// What differs, as a code; `record` for what has none of its own.
    pub fn code(&self) -> &'static str {
        CODES.iter().find(|(what, _)| *what == self.what).map_or("record", |(_, code)| *code)
    }
}

impl fmt::Display for Parting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.turn.map_or(Ok(()), |turn| write!(f, "turn {turn}, "))?;
        self.seat.map_or(Ok(()), |seat| write!(f, "{seat}: "))?;
        write!(f, "{} is {}, and there it is {}", self.what, self.expected, self.found)
    }
}

/// Makes a stranger's text safe to show.
pub fn shown(text: &str) -> String {
    let mut shown: String = text.escape_debug().take(SHOWN_CHARS_MAX).collect();
    if text.escape_debug().nth(SHOWN_CHARS_MAX).is_some() {
        shown.push_str("...");
    }
    shown
}

/// The first difference between `found` and `expected`, in the order in which a game is played. Builds may
/// differ.
pub fn first(expected: &Record, found: &Record) -> Option<Parting> {
    let whole = |what, expected: String, found: String| {
        let (expected, found) = (shown(&expected), shown(&found));
        Some(Parting { turn: None, seat: None, what, expected, found })
    };
    let mut found = found.clone();
    found.header.build.clone_from(&expected.header.build);
    let mut fields = header(&expected.header).into_iter().zip(header(&found.header));
    if let Some(((what, expected), (_, found))) = fields.find(|(ours, theirs)| ours != theirs) {
        return whole(what, expected, found);
    }
    let starts = expected.starts.iter().zip(&found.starts).zip(0..);
    for ((expected, found), seat) in starts {
        if expected != found {
            let (expected, found) = (fuel(*expected), fuel(*found));
            return Some(Parting {
                turn: None,
                seat: Some(Seat(seat)),
                what: "the fuel of the start",
                expected,
                found,
            });
        }
    }
    for (number, (ours, theirs)) in expected.turns.iter().zip(&found.turns).enumerate() {
        let turn = Some(number + 1);
        if let Some(parting) = plays(&ours.plays, &theirs.plays) {
            return Some(Parting { turn, ..parting });
        }
        if ours.digest != theirs.digest {
            let (expected, found) = (ours.digest.to_string(), theirs.digest.to_string());
            return Some(Parting { turn, seat: None, what: "the digest", expected, found });
        }
    }
    if expected.turns.len() != found.turns.len() {
        let turn = Some(expected.turns.len().min(found.turns.len()) + 1);
        let [expected, found] = [expected, &found].map(|record| counted(record.turns.len(), "turn"));
        return Some(Parting { turn, seat: None, what: "the number of turns", expected, found });
    }
    for at in 0..expected.forfeits.len().max(found.forfeits.len()) {
        let (ours, theirs) = (expected.forfeits.get(at), found.forfeits.get(at));
        if ours != theirs {
            let one = ours.or(theirs);
            let turn = one.and_then(|forfeit| forfeit.turn).map(|turn| usize::from(turn) + 1);
            let seat = one.map(|forfeit| Seat(forfeit.seat));
            let (expected, found) = (forfeit(ours), forfeit(theirs));
            return Some(Parting { turn, seat, what: "the forfeit", expected, found });
        }
    }
    if expected.outcome != found.outcome {
        return whole("the outcome", outcome(&expected.outcome), outcome(&found.outcome));
    }
    if expected.digest != found.digest {
        return whole("the final digest", expected.digest.to_string(), found.digest.to_string());
    }
    if found == *expected { None } else { whole("the record", expected.to_text(), found.to_text()) }
}

fn plays(ours: &[Play], theirs: &[Play]) -> Option<Parting> {
    for (ours, theirs) in ours.iter().zip(theirs) {
        let seat = Some(Seat(ours.seat));
        let parting = |what, expected, found| Some(Parting { turn: None, seat, what, expected, found });
        if ours.seat != theirs.seat {
            return parting("the seat", Seat(ours.seat).to_string(), Seat(theirs.seat).to_string());
        }
        if ours.action != theirs.action {
            return parting("the action", hex(&ours.action), hex(&theirs.action));
        }
        if ours.fuel != theirs.fuel {
            return parting("the fuel", fuel(ours.fuel), fuel(theirs.fuel));
        }
    }
    if ours.len() == theirs.len() {
        return None;
    }
    let [expected, found] = [ours, theirs].map(|plays| counted(plays.len(), "action"));
    Some(Parting { turn: None, seat: None, what: "the number of actions", expected, found })
}

/// The fields of a header that must agree, in words.
fn header(header: &Header) -> [(&'static str, String); 7] {
    let Header { semantics, build: _, ruleset, options, budgets, seed, entrants, opponents } = header;
    let entrants: Vec<&str> = entrants.iter().map(|id| id.as_str()).collect();
    let opponents: Vec<String> = opponents.iter().map(|(id, digest)| format!("{} {digest}", id.as_str())).collect();
    [
        ("the semantics", semantics.clone()),
        ("the ruleset", ruleset.clone()),
        ("the options", options.clone()),
        ("the budgets", budgets_in_words(budgets)),
        ("the seed", seed.to_string()),
        ("the entrants", entrants.join(", ")),
        ("the built-in opponents' games", opponents.join(", ")),
    ]
}

fn budgets_in_words(budgets: &Budgets) -> String {
    let Budgets { fuel_per_move, fuel_per_game, fuel_at_start, memory_bytes, module_bytes } = budgets;
    let bank = fuel_per_game.map_or_else(|| "no bank".into(), |fuel| format!("{fuel} fuel a game"));
    format!(
        "{fuel_per_move} fuel a move, {bank}, {fuel_at_start} fuel at the start, {memory_bytes} bytes of memory, \
         {module_bytes} bytes of module"
    )
}

fn outcome(outcome: &OutcomeRecord) -> String {
    let OutcomeRecord { winner, reason, tally } = outcome;
    let winner = winner.map_or_else(|| "a draw".into(), |seat| format!("{} wins", Seat(seat)));
    let tally: Vec<String> = tally.iter().map(u32::to_string).collect();
    format!("{winner} by {}, {}", reason.replace('_', " "), tally.join(":"))
}

fn hex(bytes: &Bytes) -> String {
    shown(&bytes.0.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

fn fuel(fuel: Option<u64>) -> String {
    fuel.map_or_else(|| "no fuel".into(), |fuel| fuel.to_string())
}

fn forfeit(forfeit: Option<&Forfeit>) -> String {
    forfeit.map_or_else(|| "none".into(), |forfeit| shown(&forfeit.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the format's description.
    fn example() -> Record {
        let text = include_str!("../../record/FORMAT.md");
        let line = text.lines().find(|line| line.starts_with("{\"format\":")).expect("an example");
        Record::parse(&format!("{line}\n")).expect("a record")
    }

    #[test]
    fn what_differs_is_said_in_words() {
        let expected = example();
        let mut other_outcome = expected.clone();
        other_outcome.outcome = OutcomeRecord { winner: None, reason: "mutual_extinction".into(), tally: vec![0, 7] };
        let mut other_seed = expected.clone();
        other_seed.header.seed.0[0] ^= 1;
        let mut other_budget = expected.clone();
        other_budget.header.budgets.fuel_per_move += 1;
        for (found, what, words) in [
            (&other_outcome, "the outcome", "a draw by mutual extinction, 0:7"),
            (&other_seed, "the seed", "ab"),
            (&other_budget, "the budgets", "50000001 fuel a move, no bank"),
        ] {
            let Some(parting) = first(&expected, found) else { panic!("{what} differs") };
            assert_eq!(parting.what, what);
            assert!(parting.found.contains(words) && parting.found != parting.expected, "{parting:?}");
            assert!(!parting.found.contains('{'), "{parting:?}");
        }
    }
}
