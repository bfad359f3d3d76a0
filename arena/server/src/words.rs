//! What games and tournaments call things: their own words, and on a Spanish page those of `told-words.ftl` and
//! `told-coded.ftl`. A thing is known by its name or code, never by its words.

use std::slice;

use arena_rules::{Reason, Seat};
use arena_service::contests::By;
use arena_store::{GameResult, Phase, VersionState};
use arena_tournaments::{BracketRound, Column, FormatSpec, Lives, Rating, Reached, Value};
use arena_wire::{Call, Game, Point, RoomKind, Zone};

use crate::language::{Language, Message, Text, language};
use crate::text;

/// The note on a version that cannot be judged.
pub(crate) const UNJUDGEABLE: &str = "this site's machine cannot judge it now. That is a fault of the site, not of your \
bot: the operator can see it, and it is tried again within the hour";

/// Words of other crates, or the Spanish ones.
fn told(english: impl Into<Text>, spanish: impl FnOnce() -> Message) -> Text {
    match language() {
        Language::English => english.into(),
        Language::Spanish => spanish()(),
    }
}

/// The same for a thing that has a name or code.
fn named(english: impl Into<Text>, thing: &str, name: &str) -> Text {
    let spanish = match language() {
        Language::English => None,
        Language::Spanish => spanish(thing, name),
    };
    spanish.unwrap_or_else(|| english.into())
}

fn spanish(thing: &str, name: &str) -> Option<Text> {
    text::coded(&code_of(thing, name), |_| Text::default())
}

fn code_of(thing: &str, name: &str) -> String {
    format!("{thing}_{name}").replace('-', "_").to_ascii_uppercase()
}

/// The rules of a game in short, a paragraph each.
pub(crate) fn rules(game: &Game) -> Vec<Text> {
    let rule = |(number, rule): (usize, &&'static str)| named(*rule, "rule", &format!("{}-{number}", game.name()));
    (1..).zip(game.rules).map(rule).collect()
}

/// What a built-in opponent of a game is like.
pub(crate) fn about(game: &Game, opponent: &str, english: &'static str) -> Text {
    named(english, "about", &format!("{}-{opponent}", game.name()))
}

/// The name of a strip of the board.
pub(crate) fn zone(zone: &Zone) -> Text {
    told(zone.name, || match zone.seat {
        Some(Seat(0)) => text::zone_first,
        Some(_) => text::zone_second,
        None => text::zone_neutral,
    })
}

/// A kind of games in rooms.
pub(crate) fn kind(kind: &RoomKind) -> Text {
    named(kind.title, "room-kind", kind.name)
}

/// A tool, by its name.
pub(crate) fn tool(name: &'static str) -> Text {
    named(name, "tool", name)
}

/// Cells as pages write them: `3,4 3,5`.
pub(crate) fn cells(cells: &[Point]) -> String {
    cells.iter().map(|cell| format!("{},{}", cell.row, cell.col)).collect::<Vec<_>>().join(" ")
}

/// What a seat did in a turn of a game.
pub(crate) fn deeds(ruleset: &str, calls: &[Call]) -> String {
    let deed = |call: &Call| match language() {
        Language::English => arena_wire::words(slice::from_ref(call), cells).into(),
        Language::Spanish => spanish_deed(ruleset, call).unwrap_or_default(),
    };
    calls.iter().map(deed).collect::<Vec<_>>().join(", ")
}

fn spanish_deed(ruleset: &str, call: &Call) -> Option<Text> {
    let (from, to) = call.cells.split_at(call.cells.len().min(1));
    let is_forced = call.tool.name == "pass" && ruleset.starts_with("conquerors@");
    let code = code_of("deed", if is_forced { "nothing-possible" } else { call.tool.name });
    let part = |name: &str| {
        if name == "from" {
            from
        } else if name == "to" {
            to
        } else {
            &call.cells
        }
    };
    text::coded(&code, |name| cells(part(name)).into())
}

/// A seat, by its name in the game; a seat that has only a letter keeps it.
pub(crate) fn seat(name: impl Into<Text>) -> Text {
    let name = name.into();
    named(name.clone(), "seat", &name)
}

/// The rule that ended a game.
pub(crate) fn reason(code: &str) -> Text {
    let english = code.replace('_', " ");
    let Some(reason) = Reason::from_code(code) else { return english.into() };
    told(english, || match reason {
        Reason::Majority => text::end_majority,
        Reason::Extinction => text::end_extinction,
        Reason::MutualExtinction => text::end_mutual_extinction,
        Reason::Exhausted => text::end_exhausted,
        Reason::Stalemate => text::end_stalemate,
        Reason::Forfeit => text::end_forfeit,
        Reason::Agreed => text::end_agreed,
    })
}

/// All results, the worst first.
pub(crate) const RESULTS: [GameResult; 3] = [GameResult::Lost, GameResult::Drawn, GameResult::Won];

/// The word for a result in pages and in addresses.
pub(crate) fn result_word(result: &GameResult) -> &'static str {
    match result {
        GameResult::Lost => "lost",
        GameResult::Drawn => "drew",
        GameResult::Won => "won",
    }
}

/// How a game ended for one of its bots.
pub(crate) fn result(result: &GameResult) -> Text {
    told(result_word(result), || match result {
        GameResult::Won => text::result_won,
        GameResult::Lost => text::result_lost,
        GameResult::Drawn => text::result_drew,
    })
}

/// The word for the state of a version.
pub(crate) fn verdict_word(state: &VersionState) -> &'static str {
    match state {
        VersionState::Pending => "pending",
        VersionState::Accepted => "accepted",
        VersionState::Refused(_) => "refused",
    }
}

/// The verdict on a version.
pub(crate) fn verdict(state: &VersionState) -> Text {
    told(verdict_word(state), || match state {
        VersionState::Pending => text::verdict_pending,
        VersionState::Accepted => text::verdict_accepted,
        VersionState::Refused(_) => text::verdict_refused,
    })
}

/// Why a version has no verdict yet, by the site's fault.
pub(crate) fn unjudgeable() -> Text {
    told(UNJUDGEABLE, || text::verdict_unjudgeable)
}

/// How far a tournament is.
pub(crate) fn stage(phase: &Phase) -> Text {
    told(<&str>::from(phase), || match phase {
        Phase::Entry => text::stage_entry,
        Phase::Playing => text::stage_playing,
        Phase::Over => text::stage_over,
    })
}

/// A tournament's format.
pub(crate) fn format(format: FormatSpec) -> Text {
    told(format.name(), || match format {
        FormatSpec::RoundRobin { .. } => text::format_round_robin,
        FormatSpec::Swiss { .. } => text::format_swiss,
        FormatSpec::Knockout { lives: Lives::One, .. } => text::format_knockout,
        FormatSpec::Knockout { lives: Lives::Two, .. } => text::format_double_knockout,
        FormatSpec::Ladder { .. } => text::format_ladder,
        FormatSpec::Gauntlet { .. } => text::format_gauntlet,
        FormatSpec::Field { .. } => text::format_field,
    })
}

/// The title of a column of standings.
pub(crate) fn column(column: &Column) -> Text {
    named(column.title, "column", column.name)
}

/// The bound of one that won or lost all its games; `None` for other values.
pub(crate) fn rating(value: &Value) -> Option<Text> {
    let bound = |tenths: &i64| Value::Strength(*tenths);
    let spanish = match value {
        Value::Rating(Rating::WonAll { low }) => text::rating_won_all(bound(low)),
        Value::Rating(Rating::LostAll { high }) => text::rating_lost_all(bound(high)),
        _ => return None,
    };
    Some(match language() {
        Language::English => value.to_string().into(),
        Language::Spanish => spanish,
    })
}

/// A round of a bracket.
pub(crate) fn bracket_round(round: BracketRound) -> Text {
    match language() {
        Language::English => round.to_string().into(),
        Language::Spanish => match round {
            BracketRound::Final | BracketRound::Of(2) => text::bracket_final(),
            BracketRound::Of(4) => text::bracket_semi_finals(),
            BracketRound::Of(8) => text::bracket_quarter_finals(),
            BracketRound::Of(sides) => text::bracket_round_of(sides),
            BracketRound::Winners(2) => text::bracket_winners_final(),
            BracketRound::Winners(4) => text::bracket_winners_semi_finals(),
            BracketRound::Winners(8) => text::bracket_winners_quarter_finals(),
            BracketRound::Winners(sides) => text::bracket_winners_round_of(sides),
            BracketRound::Losers(number) => text::bracket_losers_round(number),
            BracketRound::SecondFinal => text::bracket_second_final(),
        },
    }
}

/// How far an entrant came in a bracket.
pub(crate) fn reached(reached: Reached) -> Text {
    match (language(), reached) {
        (_, Reached::Round(round)) => bracket_round(round),
        (_, Reached::Won) => text::standings_won_the_tournament(),
        (Language::English, Reached::PlaysOn) => reached.to_string().into(),
        (Language::Spanish, Reached::PlaysOn) => text::bracket_plays_on(),
    }
}

/// Who did something in a tournament.
pub(crate) fn by(by: By) -> Text {
    told(by.word(), || match by {
        By::Owner => text::by_owner,
        By::Author => text::by_author,
        By::Arena => text::by_arena,
        By::Operator => text::by_operator,
    })
}

#[cfg(test)]
mod tests {
    use arena_record::EntrantId;
    use arena_runner::Contender;
    use arena_service::contests::By;
    use arena_tournaments::{Definition, Entrant, EntrantSpec, Settled};
    use arena_wire::{GAMES, Tool};

    use super::*;
    use crate::language::speaking;

    #[test]
    fn all_that_a_game_calls_something_is_known_in_spanish() {
        for game in GAMES {
            let is_known = |number: usize| spanish("rule", &format!("{}-{number}", game.name())).is_some();
            assert_eq!((1..).take_while(|number| is_known(*number)).count(), game.rules.len(), "{}", game.title);
            for opponent in Contender::built_in(game.ruleset) {
                let is_described = Contender::baseline(game.ruleset, opponent).is_ok_and(|one| !one.about().is_empty());
                let name = format!("{}-{opponent}", game.name());
                assert_eq!(spanish("about", &name).is_some(), is_described, "{}: {opponent}", game.title);
            }
            let tools = game.tools.iter().map(|tool| spanish("tool", tool.name));
            let cells = || [Point { row: 0, col: 0 }, Point { row: 0, col: 1 }];
            let called = |tool: &Tool| spanish_deed(game.ruleset, &Call::new(*tool, cells()));
            assert!(game.tools.iter().all(|tool| called(tool).is_some()), "{}", game.title);
            let kinds = game.room_kinds.iter().map(|kind| spanish("room-kind", kind.name));
            let seats = game.seat_names.iter().map(|seat| spanish("seat", seat));
            assert!(tools.chain(kinds).chain(seats).all(|known| known.is_some()), "{}", game.title);
        }
    }

    #[test]
    fn a_page_in_english_has_the_words_of_the_game() {
        let game = &GAMES[0];
        assert!(rules(game).iter().zip(game.rules).all(|(shown, own)| shown == own));
        assert_ne!(speaking(Language::Spanish, || rules(game)), rules(game));
        assert_eq!(by(By::Arena), By::Arena.word());
    }

    #[test]
    fn every_column_of_standings_of_every_format_is_known_in_spanish() {
        const DUEL: &str = "ruleset = \"war-of-life@1\"";
        const FIELD: &str = "ruleset = \"game-of-game-of-life@1\"\noptions = \"seats=3\"";
        for (game, format) in [
            (DUEL, "round-robin\"\npairs = 2\ntie-breaks = [\"buchholz\", \"sonneborn-berger\", \"head-to-head\"]"),
            (DUEL, "gauntlet\"\npairs = 2"),
            (DUEL, "swiss\"\npairs = 1\nrounds = 2"),
            (DUEL, "knockout\"\npairs = 2"),
            (DUEL, "double-knockout\"\npairs = 2"),
            (DUEL, "ladder\"\nrounds = 3"),
            (FIELD, "field\"\ngames = 4\npairs = 1"),
        ] {
            let field: String =
                (0..5).map(|bot| format!("[[entrants]]\nname = \"bot-{bot}\"\nbaseline = \"random{bot}\"\n")).collect();
            let text = format!("name = \"All\"\nseed = 7\n{game}\nformat = \"{format}\n{field}");
            let definition = Definition::parse(&text).expect("complete");
            let entrant =
                |spec: &EntrantSpec| Entrant::new(spec.name.clone(), EntrantId::of_bytes(spec.name.as_bytes()));
            let entrants: Vec<Entrant> = definition.entrants.iter().map(entrant).collect();
            let standings = definition.to_format().expect("playable").standings(&entrants, &Settled::default());
            let shown = standings.columns.iter().filter(|column| column.is_for_people());
            let unknown: Vec<&str> =
                shown.map(|column| column.name).filter(|name| spanish("column", name).is_none()).collect();
            assert!(unknown.is_empty(), "{format}: {unknown:?}");
        }
    }
}
