//! What games and tournaments call things: their own words, and on a Spanish page those of `told-words.ftl`. A thing is
//! known by its name or code, never by its words.

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
fn told(english: impl Into<Text>, spanish: impl FnOnce() -> Option<Message>) -> Text {
    let spanish = match language() {
        Language::English => None,
        Language::Spanish => spanish(),
    };
    spanish.map_or_else(|| english.into(), |spanish| spanish())
}

/// The rules of a game in short, a paragraph each.
pub(crate) fn rules(game: &Game) -> Vec<Text> {
    let spanish = spanish_rules(game.name());
    let rule = |(place, rule): (usize, &&'static str)| told(*rule, || spanish.get(place).copied());
    game.rules.iter().enumerate().map(rule).collect()
}

fn spanish_rules(game: &str) -> &'static [Message] {
    match game {
        "conquerors" => &[
            text::rule_conquerors_1,
            text::rule_conquerors_2,
            text::rule_conquerors_3,
            text::rule_conquerors_4,
            text::rule_conquerors_5,
        ],
        "war-of-life" => &[text::rule_war_of_life_1, text::rule_war_of_life_2],
        "game-of-game-of-life" => {
            &[text::rule_game_of_game_of_life_1, text::rule_game_of_game_of_life_2, text::rule_game_of_game_of_life_3]
        }
        "life2" => {
            &[text::rule_life2_1, text::rule_life2_2, text::rule_life2_3, text::rule_life2_4, text::rule_life2_5]
        }
        _ => &[],
    }
}

/// What a built-in opponent of a game is like.
pub(crate) fn about(game: &Game, opponent: &str, english: &'static str) -> Text {
    told(english, || spanish_about(game.name(), opponent))
}

fn spanish_about(game: &str, opponent: &str) -> Option<Message> {
    Some(match (game, opponent) {
        ("conquerors", "easy") => text::about_conquerors_easy,
        ("conquerors", "normal") => text::about_conquerors_normal,
        ("conquerors", "hard") => text::about_conquerors_hard,
        ("war-of-life", "random") => text::about_war_of_life_random,
        ("war-of-life", "bloodlust") => text::about_war_of_life_bloodlust,
        ("war-of-life", "self-preservation") => text::about_war_of_life_self_preservation,
        ("war-of-life", "land-grab") => text::about_war_of_life_land_grab,
        ("war-of-life", "minimax") => text::about_war_of_life_minimax,
        ("game-of-game-of-life", "nothing") => text::about_game_of_game_of_life_nothing,
        ("game-of-game-of-life", "random") => text::about_game_of_game_of_life_random,
        ("game-of-game-of-life", "greedy") => text::about_game_of_game_of_life_greedy,
        ("game-of-game-of-life", "safety") => text::about_game_of_game_of_life_safety,
        ("game-of-game-of-life", "planner") => text::about_game_of_game_of_life_planner,
        ("life2", "idle") => text::about_life2_idle,
        ("life2", "expander") => text::about_life2_expander,
        ("life2", "besieger") => text::about_life2_besieger,
        _ => return None,
    })
}

/// The name of a strip of the board.
pub(crate) fn zone(zone: &Zone) -> Text {
    told(zone.name, || {
        Some(match zone.seat {
            Some(Seat(0)) => text::zone_first,
            Some(_) => text::zone_second,
            None => text::zone_neutral,
        })
    })
}

/// A kind of games in rooms.
pub(crate) fn kind(kind: &RoomKind) -> Text {
    told(kind.title, || spanish_kind(kind.name))
}

/// A tool, by its name.
pub(crate) fn tool(name: &'static str) -> Text {
    told(name, || spanish_tool(name))
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
    let all = cells(&call.cells);
    Some(match (call.tool.name, &call.cells[..]) {
        ("place", _) => text::deed_place(all),
        ("bomb", _) => text::deed_bomb(all),
        ("cell", _) => text::deed_cell(all),
        ("move", [from, to @ ..]) => text::deed_move(cells(&[*from]), cells(to)),
        ("skip", _) => text::deed_skip(),
        ("pass", _) if ruleset.starts_with("conquerors@") => text::deed_nothing_possible(),
        ("pass", _) => text::deed_pass(),
        _ => return None,
    })
}

/// A seat, by its name in the game; a seat that has only a letter keeps it.
pub(crate) fn seat(name: impl Into<Text>) -> Text {
    let name = name.into();
    let spanish = spanish_seat(&name);
    told(name, || spanish)
}

/// The rule that ended a game.
pub(crate) fn reason(code: &str) -> Text {
    told(code.replace('_', " "), || Reason::from_code(code).map(spanish_reason))
}

fn spanish_reason(reason: Reason) -> Message {
    match reason {
        Reason::Majority => text::end_majority,
        Reason::Extinction => text::end_extinction,
        Reason::MutualExtinction => text::end_mutual_extinction,
        Reason::Exhausted => text::end_exhausted,
        Reason::Stalemate => text::end_stalemate,
        Reason::Forfeit => text::end_forfeit,
        Reason::Agreed => text::end_agreed,
    }
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
    told(result_word(result), || {
        Some(match result {
            GameResult::Won => text::result_won,
            GameResult::Lost => text::result_lost,
            GameResult::Drawn => text::result_drew,
        })
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
    told(verdict_word(state), || {
        Some(match state {
            VersionState::Pending => text::verdict_pending,
            VersionState::Accepted => text::verdict_accepted,
            VersionState::Refused(_) => text::verdict_refused,
        })
    })
}

/// Why a version has no verdict yet, by the site's fault.
pub(crate) fn unjudgeable() -> Text {
    told(UNJUDGEABLE, || Some(text::verdict_unjudgeable))
}

/// How far a tournament is.
pub(crate) fn stage(phase: &Phase) -> Text {
    told(phase.word(), || {
        Some(match phase {
            Phase::Entry => text::stage_entry,
            Phase::Playing => text::stage_playing,
            Phase::Over => text::stage_over,
        })
    })
}

/// A tournament's format.
pub(crate) fn format(format: FormatSpec) -> Text {
    told(format.name(), || {
        Some(match format {
            FormatSpec::RoundRobin { .. } => text::format_round_robin,
            FormatSpec::Swiss { .. } => text::format_swiss,
            FormatSpec::Knockout { lives: Lives::One, .. } => text::format_knockout,
            FormatSpec::Knockout { lives: Lives::Two, .. } => text::format_double_knockout,
            FormatSpec::Ladder { .. } => text::format_ladder,
            FormatSpec::Gauntlet { .. } => text::format_gauntlet,
            FormatSpec::Field { .. } => text::format_field,
        })
    })
}

/// The title of a column of standings.
pub(crate) fn column(column: &Column) -> Text {
    told(column.title, || spanish_column(column.name))
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
    told(by.word(), || {
        Some(match by {
            By::Owner => text::by_owner,
            By::Author => text::by_author,
            By::Arena => text::by_arena,
            By::Operator => text::by_operator,
        })
    })
}

fn spanish_kind(code: &str) -> Option<Message> {
    Some(match code {
        "v2" => text::room_kind_v2,
        "v1" => text::room_kind_v1,
        "deal" => text::room_kind_deal,
        "pictured" => text::room_kind_pictured,
        "cross" => text::room_kind_cross,
        "checkers" => text::room_kind_checkers,
        "gliders" => text::room_kind_gliders,
        _ => return None,
    })
}

fn spanish_tool(code: &str) -> Option<Message> {
    Some(match code {
        "place" => text::tool_place,
        "bomb" => text::tool_bomb,
        "skip" => text::tool_skip,
        "pass" => text::tool_pass,
        "move" => text::tool_move,
        "cell" => text::tool_cell,
        _ => return None,
    })
}

fn spanish_seat(code: &str) -> Option<Message> {
    Some(match code {
        "blue" => text::seat_blue,
        "red" => text::seat_red,
        _ => return None,
    })
}

fn spanish_column(code: &str) -> Option<Message> {
    Some(match code {
        "score" => text::column_score,
        "rank" => text::column_rank,
        "games" => text::column_games,
        "firsts" => text::column_firsts,
        "cage" => text::column_cage,
        "forfeits" => text::column_forfeits,
        "match_points" => text::column_match_points,
        "byes" => text::column_byes,
        "reached" => text::column_reached,
        "buchholz" => text::column_buchholz,
        "sonneborn_berger" => text::column_sonneborn_berger,
        "head_to_head" => text::column_head_to_head,
        "rating" => text::column_rating,
        "strength" => text::column_strength,
        "wins" => text::column_wins,
        "draws" => text::column_draws,
        "losses" => text::column_losses,
        "points" => text::column_points,
        _ => return None,
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
            assert_eq!(spanish_rules(game.name()).len(), game.rules.len(), "{}", game.title);
            for opponent in Contender::built_in(game.ruleset) {
                let is_described = Contender::baseline(game.ruleset, opponent).is_ok_and(|one| !one.about().is_empty());
                assert_eq!(spanish_about(game.name(), opponent).is_some(), is_described, "{}: {opponent}", game.title);
            }
            let tools = game.tools.iter().map(|tool| spanish_tool(tool.name));
            let cells = || [Point { row: 0, col: 0 }, Point { row: 0, col: 1 }];
            let called = |tool: &Tool| spanish_deed(game.ruleset, &Call::new(*tool, cells()));
            assert!(game.tools.iter().all(|tool| called(tool).is_some()), "{}", game.title);
            let kinds = game.room_kinds.iter().map(|kind| spanish_kind(kind.name));
            let seats = game.seat_names.iter().map(|seat| spanish_seat(seat));
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
                shown.map(|column| column.name).filter(|name| spanish_column(name).is_none()).collect();
            assert!(unknown.is_empty(), "{format}: {unknown:?}");
        }
    }
}
