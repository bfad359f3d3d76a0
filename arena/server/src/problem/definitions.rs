//! What is wrong with a tournament's definition, in Spanish.

use arena_service::contests::TermsError;
use arena_service::limits::{CONTEST_ENTRANTS_MAX, CONTEST_OPENINGS_BYTES_MAX};
use arena_tournaments::limits::{
    ANCHOR_RATING_MAX, CONFIDENCE_PER_MILLE_MAX, CONFIDENCE_PER_MILLE_MIN, DEFINITION_BYTES_MAX, DISPLAY_CHARS_MAX,
    ENTRANT_NAME_CHARS_MAX, ENTRANTS_MAX, ENTRANTS_MIN, MEMORY_PAGE_BYTES,
};
use arena_tournaments::{DefinitionError, FormatError, Problem, TieBreak, Unplayable};
use arena_wire::{GAMES, UnknownGame};

use super::InSpanish;
use crate::language::Text;
use crate::text::*;

impl InSpanish for TermsError {
    fn in_spanish(&self) -> [Text; 2] {
        let sentence = match self {
            TermsError::Definition(error) => definition(error),
            TermsError::Toml(why) => definition_toml(why),
            TermsError::Seeds(key) => definition_seeds(key),
            TermsError::Display => definition_display(),
            TermsError::Openings(bytes) => definition_openings(bytes, CONTEST_OPENINGS_BYTES_MAX),
            TermsError::Game(game) => definition_game(quoted(game), rulesets(|ruleset| ruleset.to_owned())),
            TermsError::Unplayable(why) => unplayable(why),
            TermsError::Key(key) => refused_terms_key(key),
            TermsError::Budgets(key) => refused_terms_budgets(key),
            TermsError::Entrants(number) => refused_terms_entrants(CONTEST_ENTRANTS_MAX, number),
            TermsError::TooManyGames { entrants, games, most } => refused_terms_too_many_games(entrants, games, most),
        };
        [sentence, hint_bad_tournament()]
    }
}

fn definition(error: &DefinitionError) -> Text {
    match error {
        DefinitionError::TooLong(bytes) => definition_too_long(bytes, DEFINITION_BYTES_MAX),
        // The parser's own words.
        DefinitionError::Toml(why) => definition_toml(why),
        DefinitionError::Field { line: None, field, problem } => definition_field(field, field_problem(problem)),
        DefinitionError::Field { line: Some(line), field, problem } => {
            definition_field_in_line(field, line, field_problem(problem))
        }
    }
}

/// What is wrong with a field, to follow its name. What a file or an anchor lacks is said for all reasons at once.
fn field_problem(problem: &Problem) -> Text {
    match problem {
        Problem::NoName => field_no_name(),
        Problem::NoSeed => field_no_seed(),
        Problem::InForm => field_in_form(),
        Problem::Range { least, most, given } => field_range(given, least, most),
        Problem::Places { most, given } => field_places(given, most),
        Problem::NoGoal => field_no_goal(),
        Problem::Confidence { given } => {
            let [least, most] =
                [CONFIDENCE_PER_MILLE_MIN, CONFIDENCE_PER_MILLE_MAX].map(|mille| f64::from(mille) / 1e3);
            field_confidence(given, least, most)
        }
        Problem::NotOneLine { least, most } => field_not_one_line(least, most),
        Problem::NotPages => field_not_pages(MEMORY_PAGE_BYTES),
        Problem::Format { given } => field_format(quoted(given)),
        Problem::Word { known: [one, other], given } => field_word(quoted(given), quoted(one), quoted(other)),
        Problem::Seeding { given } => field_seeding(quoted(given)),
        Problem::Anchor { .. } => {
            field_anchor("`{ entrants = [...], rating = N }`", -ANCHOR_RATING_MAX, ANCHOR_RATING_MAX)
        }
        Problem::BothSeedings => field_both_seedings(),
        Problem::Chain => field_chain(),
        Problem::WithoutSeeding => field_without_seeding(),
        Problem::Seeds { file, .. } => field_seeds(quoted(file)),
        Problem::TieBreaks { given } => {
            field_tie_breaks(format_args!("{given:?}"), all(TieBreak::ALL.iter().map(|one| quoted(one.name()))))
        }
        Problem::OtherFormat { of, format } => {
            field_other_format(quoted(format), all(of.iter().map(|one| quoted(one))))
        }
        Problem::Entrants { given } => field_entrants(given, ENTRANTS_MIN, ENTRANTS_MAX),
        Problem::TooMany { most, format, given } => field_too_many(quoted(format), given, most),
        Problem::Name { given } => field_name(quoted(given), ENTRANT_NAME_CHARS_MAX),
        Problem::Display { given } => field_display(quoted(given), DISPLAY_CHARS_MAX),
        Problem::OpeningTwice { given } => field_opening_twice(quoted(given)),
        Problem::Unplayable { .. } => field_unplayable(),
        Problem::Twice { given } => field_twice(quoted(given)),
        Problem::Source { name } => field_source(quoted(name)),
    }
}

fn unplayable(why: &Unplayable) -> Text {
    match why {
        Unplayable::Unknown(game) | Unplayable::Opening(game) => match game {
            UnknownGame::Ruleset(id) => definition_ruleset(rulesets(quoted), quoted(id)),
            UnknownGame::Options { text, .. } => definition_options(quoted(text)),
        },
        Unplayable::NotForStandings(options) => definition_not_for_standings(quoted(options)),
        Unplayable::Format(error) => match error {
            FormatError::NotTwoSeats { format, seats } => definition_not_two_seats(quoted(format), seats),
            FormatError::TwoSeats => definition_two_seats(),
            FormatError::EmptySeats { seats, entrants } => definition_empty_seats(entrants, seats),
        },
    }
}

fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn all(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn rulesets(shown: fn(&str) -> String) -> String {
    all(GAMES.iter().map(|game| shown(game.ruleset)))
}

#[cfg(test)]
mod tests {
    use arena_service::contests::ContestTerms;
    use arena_tournaments::FormKeys;

    use super::*;

    #[test]
    fn a_refused_definition_says_in_spanish_where_and_why() {
        let refused = |text: &str| {
            let refused = ContestTerms::parse(FormKeys::default(), text).expect_err("refused");
            let [sentence, _] = refused.in_spanish();
            (refused.to_string(), sentence.into_owned())
        };
        let game = "name = \"Cup\"\nruleset = \"war-of-life@1\"\n";
        for (text, parts) in [
            (format!("{game}format = \"swiss\"\nrounds = 0"), &["`rounds`", "de 1 a 63", "no 0"][..]),
            (format!("{game}format = \"sviss\""), &["`format`", "\"sviss\""]),
            (format!("{game}format = \"round-robin\"\nrounds = 3"), &["`rounds`", "\"round-robin\""]),
            (format!("ruleset = \"war-of-life@1\"\nname = \"{}\"", "x".repeat(65)), &["`name`", "1 a 64 caracteres"]),
            (game.replace("war-of-life@1", "chess@1"), &["chess@1", "conquerors@2"]),
            ("name = ".into(), &["esto no es una definición"]),
        ] {
            let (english, spanish) = refused(&text);
            assert!(parts.iter().all(|part| spanish.contains(part)), "{english}: {spanish}");
            let line = |text: &str, word: &str| text.strip_prefix(word)?.split(':').next().map(str::to_owned);
            assert_eq!(line(&english, "line "), line(&spanish, "línea "), "{english}: {spanish}");
        }
        assert!(unplayable(&Unplayable::Format(FormatError::TwoSeats)).contains("dos bandos"));
    }
}
