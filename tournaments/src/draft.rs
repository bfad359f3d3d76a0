//! Drafts: definitions as somebody wrote them, in a file, a request or a form. Texts are parsed here and nowhere else.

use std::collections::BTreeSet;

use crate::commitment::Draw;
use crate::definition::Definition;
use crate::entrant_spec::EntrantSpec;
use crate::keys::{Keys, WrittenEntrant};
use crate::limits::{DEFINITION_BYTES_MAX, SEED_MAX};
use crate::problem::{DefinitionError, Problem, within, wrong};
use crate::seeds::Order;
use crate::terms::Terms;

/// A definition that may lack what others add: its seed and entrants.
pub struct Draft<'t> {
    text: &'t str,
    terms: Terms,
    entrants: Vec<EntrantSpec>,
    order: Order,
    seed: Option<u64>,
    draw: Option<Draw>,
}

/// The keys of a definition for which a form has fields. Empty ones have the definition's defaults.
#[derive(Clone, Default, Debug)]
#[expect(missing_docs, reason = "they are named as in definitions")]
pub struct FormKeys {
    pub name: Option<String>,
    pub ruleset: Option<String>,
    pub options: Option<String>,
    pub format: Option<String>,
    pub pairs: Option<u32>,
    pub rounds: Option<u32>,
    /// Built-in opponents that enter.
    pub baselines: Vec<String>,
}

impl FormKeys {
    /// Adds them to the keys of a text, which has none of them.
    fn add_to(self, keys: &mut Keys) -> Result<(), DefinitionError> {
        fn add<T>(field: &'static str, key: &mut Option<T>, given: Option<T>) -> Result<(), DefinitionError> {
            if key.is_some() && given.is_some() {
                return wrong(None, field, Problem::InForm);
            }
            *key = key.take().or(given);
            Ok(())
        }
        add("name", &mut keys.name, self.name)?;
        add("ruleset", &mut keys.ruleset, self.ruleset)?;
        add("options", &mut keys.options, self.options)?;
        add("format", &mut keys.format, self.format)?;
        add("pairs", &mut keys.pairs, self.pairs)?;
        add("rounds", &mut keys.rounds, self.rounds)?;
        let entrant = |name: String| {
            let baseline = Some(name.clone());
            WrittenEntrant { name, baseline, ..WrittenEntrant::default() }
        };
        keys.entrants.extend(self.baselines.into_iter().map(entrant));
        Ok(())
    }
}

impl Draft<'_> {
    /// Parses a text in TOML, with further keys from a form. Errors name their line in the text.
    ///
    /// # Errors
    /// The first error, with its line or field and what would be right.
    pub fn parse(form: FormKeys, text: &str) -> Result<Draft<'_>, DefinitionError> {
        if text.len() > DEFINITION_BYTES_MAX {
            return Err(DefinitionError::TooLong(text.len()));
        }
        let keys: Keys = toml::from_str(text).map_err(|error| DefinitionError::Toml(error.into()))?;
        Draft::of(form, text, keys).map_err(|error| error.in_text(text, None))
    }

    fn of(form: FormKeys, text: &str, mut keys: Keys) -> Result<Draft<'_>, DefinitionError> {
        form.add_to(&mut keys)?;
        let order = Order::of(text, &keys)?;
        let (seed, draw) = (keys.seed.take(), keys.draw.take());
        seed.map_or(Ok(()), |seed| within("seed", seed, 0, SEED_MAX))?;
        let entrants = entrants(text, std::mem::take(&mut keys.entrants))?;
        Ok(Draft { text, terms: Terms::checked(keys)?, entrants, order, seed, draw })
    }

    /// How it wants its entrants sorted, as it is written; `None` if they are in order.
    pub fn sorted_by(&self) -> Option<&'static str> {
        match self.order {
            Order::Given => None,
            Order::Ratings(_) => Some("seeding = \"rating\""),
            Order::File(_) => Some("seeds"),
        }
    }

    /// Its entrants, as they are written.
    pub fn entrants(&self) -> &[EntrantSpec] {
        &self.entrants
    }

    /// Its terms, whether or not enough entrants can play by them.
    pub fn into_terms(self) -> Terms {
        self.terms.sorted()
    }

    /// Its terms and its entrants, best seeded first, if up to `places` entrants can play by them. `read` gives the
    /// text of a file with the order of its seeds, or the reason why it cannot.
    ///
    /// # Errors
    /// The first error, and errors of the file, with their lines.
    pub fn open(
        self,
        places: usize,
        read: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<(Terms, Vec<EntrantSpec>), DefinitionError> {
        let opened = || {
            self.terms.format(self.entrants.len().max(places))?;
            let entrants = self.order.seeded(self.entrants, |entrant| &entrant.name, read)?;
            Ok((self.terms.sorted(), entrants))
        };
        opened().map_err(|error: DefinitionError| error.in_text(self.text, None))
    }

    fn complete(self, read: impl FnOnce(&str) -> Result<String, String>) -> Result<Definition, DefinitionError> {
        let (draw, Some(seed)) = (self.draw, self.seed) else { return wrong(None, "seed", Problem::NoSeed) };
        let (terms, entrants) = self.open(0, read)?;
        terms.definition(entrants, seed, draw)
    }
}

impl Definition {
    /// Parses a definition from TOML.
    ///
    /// # Errors
    /// The first error, with its line or field and what would be right.
    pub fn parse(text: &str) -> Result<Definition, DefinitionError> {
        Definition::parse_with(text, |_| Err("there is no folder to read a file from".into()))
    }

    /// Parses a definition that may name a file with the order of its seeds. `read` gives the text of a file, or the
    /// reason why it cannot. The result keeps only the order of the entrants, not the file or ratings that it came
    /// from.
    ///
    /// # Errors
    /// As [`parse`](Definition::parse), and errors of the file, with their lines.
    pub fn parse_with(
        text: &str,
        read: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<Definition, DefinitionError> {
        let draft = Draft::parse(FormKeys::default(), text)?;
        draft.complete(read).map_err(|error| error.in_text(text, None))
    }
}

/// The entrants of a text. None may be shown under another's name.
fn entrants(text: &str, written: Vec<WrittenEntrant>) -> Result<Vec<EntrantSpec>, DefinitionError> {
    let spec =
        |(place, written): (usize, WrittenEntrant)| written.spec().map_err(|error| error.in_text(text, Some(place)));
    let entrants = written.into_iter().enumerate().map(spec).collect::<Result<Vec<_>, _>>()?;
    let mut names = BTreeSet::new();
    let named = entrants.iter().enumerate().map(|(place, one)| (place, "entrants.name", Some(&one.name)));
    let shown = entrants.iter().enumerate().map(|(place, one)| (place, "entrants.display", one.display.as_ref()));
    for (place, field, name) in named.chain(shown) {
        if let Some(twice) = name.filter(|name| !names.insert(*name)) {
            let error = wrong(None, field, Problem::Twice { given: twice.clone() });
            return error.map_err(|error: DefinitionError| error.in_text(text, Some(place)));
        }
    }
    Ok(entrants)
}

#[cfg(test)]
mod tests {
    use arena_record::Budgets;
    use arena_rules::Ruleset;
    use arena_rules::conquerors::Position;
    use arena_wire::Protocol;

    use super::*;
    use crate::limits::*;
    use crate::{Anchor, Entrant, FormatSpec, Source};

    const SMALL: &str = "name = \"t\"\nseed = 1\npairs = 2\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n[[entrants]]\nname = \"mine\"\nfile = \"mine.wasm\"\n";

    fn parse(text: &str) -> Result<Definition, String> {
        Definition::parse(text).map_err(|error| error.to_string())
    }

    /// The small definition with lines inserted before its entrants.
    fn with(lines: &str) -> Result<Definition, String> {
        parse(&SMALL.replacen("[[entrants]]", &format!("{lines}\n[[entrants]]"), 1))
    }

    #[test]
    fn defaults_are_written_out_and_read_back() {
        let definition = parse(SMALL).expect("it is complete");
        assert_eq!(definition.budgets, Budgets::DEFAULT);
        assert_eq!(definition.wall_ms_per_move, WALL_MS_DEFAULT);
        assert_eq!(definition.entrants[1].source, Source::File("mine.wasm".into()));
        let text = definition.to_toml();
        assert_eq!(parse(&text), Ok(definition));
        assert!(text.contains("fuel_per_move = 50000000"), "{text}");
    }

    #[test]
    fn the_complete_text_keeps_its_spelling() {
        // Folders are recognised by a hash of this text, so any change of spelling would make existing folders
        // unusable.
        let wanted = "name = \"t\"\nruleset = \"conquerors@2\"\noptions = \"chain_needs_home,weighted_majority,opening=symmetric:8\"\nseed = 1\n\
            format = \"round-robin\"\npairs = 2\nwall_ms_per_move = 10000\n\n[budgets]\nfuel_per_move = 50000000\nfuel_at_start = 100000000\n\
            memory_bytes = 4194304\nmodule_bytes = 1048576\n\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n\n\
            [[entrants]]\nname = \"mine\"\nfile = \"mine.wasm\"\n";
        assert_eq!(parse(SMALL).expect("it is complete").to_toml(), wanted);
    }

    #[test]
    fn what_is_played_by_default_exists_and_has_an_opening() {
        let options = Position::parse_options(Position::RANKED).expect("canonical options of the default ruleset");
        assert_eq!(Position::ID, Keys::default().ruleset());
        assert!(Position::starts_from_seed(&options) && Position::may_count(&options));
        let empty = with("options = \"chain_needs_home,weighted_majority\"").expect("an opening is a choice");
        assert_eq!(empty.options, "chain_needs_home,weighted_majority");
        assert_eq!(parse(&empty.to_toml()), Ok(empty));
    }

    #[test]
    fn every_limit_holds_at_its_edge() {
        let cases = [
            ("wall_ms_per_move", WALL_MS_MIN, WALL_MS_MAX),
            ("budgets.fuel_per_move", 1, FUEL_MAX),
            ("budgets.fuel_at_start", 1, FUEL_MAX),
            ("budgets.memory_bytes", MEMORY_PAGE_BYTES, MEMORY_BYTES_MAX),
            ("budgets.module_bytes", 1, MODULE_BYTES_MAX),
        ];
        for (field, least, most) in cases {
            for good in [least, most] {
                assert!(with(&format!("{field} = {good}")).is_ok(), "{field} = {good}");
            }
            for bad in [least - 1, most + 1] {
                let error = with(&format!("{field} = {bad}")).expect_err("out of range");
                assert!(error.contains(field) && error.contains(&most.to_string()), "{error}");
            }
        }
        for (pairs, good) in [(0, false), (1, true), (PAIRS_MAX, true), (PAIRS_MAX + 1, false)] {
            assert_eq!(parse(&SMALL.replace("pairs = 2", &format!("pairs = {pairs}"))).is_ok(), good, "{pairs}");
        }
        assert!(parse(&SMALL.replace("seed = 1", &format!("seed = {SEED_MAX}"))).is_ok());
        assert!(with("budgets.memory_bytes = 65537").expect_err("no multiple").contains("multiple"));
    }

    #[test]
    fn a_format_has_its_own_keys() {
        let field = with("format = \"field\"\ngames = 6").expect("complete");
        assert_eq!(field.format, FormatSpec::Field { games: 6, pairs: 2 });
        assert!(field.to_toml().contains("format = \"field\"\ngames = 6\npairs = 2\n"), "{}", field.to_toml());
        assert_eq!(parse(&field.to_toml()), Ok(field));
        assert_eq!(with("format = \"round-robin\""), parse(SMALL));
        for (games, good) in [(0, false), (1, true), (FIELD_GAMES_MAX, true), (FIELD_GAMES_MAX + 1, false)] {
            assert_eq!(with(&format!("format = \"field\"\ngames = {games}")).is_ok(), good, "{games}");
        }
        let refused = |text: &str| parse(text).expect_err("no tournament");
        let lines = |lines: &str| with(lines).expect_err("no tournament");
        for (problem, words) in [
            (lines("games = 6"), "line 4: `games` is a key of `format = \"field\"`"),
            (lines("format = \"swis\""), "line 4: `format` is one of \"round-robin\", \"gauntlet\","),
            (
                lines("format = \"ladder\""),
                "line 3: `pairs` is a key of `format = \"round-robin\", \"gauntlet\", \"swiss\",",
            ),
            (
                lines("rounds = 3"),
                "line 4: `rounds` is a key of `format = \"swiss\", \"ladder\"`, and this is \"round-robin\"",
            ),
            (lines("format = \"swiss\"\nrounds = 2"), "line 5: `rounds` is 1 to 1, not 2"),
            (lines("cycles = 3"), "line 4: `cycles` is 1 to 2, not 3"),
            (lines("table = \"square\""), "line 4: `table` is \"circle\" or \"berger\", not \"square\""),
            (lines("tie-breaks = [\"luck\"]"), "line 4: `tie-breaks` are some of \"buchholz\""),
            (lines("stop = { top = 3, max-pairs = 9 }"), "line 4: `stop.top` is 1 to 2"),
            (lines("stop = { top = 1, confidence = 1.0, max-pairs = 9 }"), "line 4: `stop.confidence` is 0.5 to 0.999"),
            (lines("stop = { within = 4, max-pairs = 9 }"), "line 4: `stop.within` is 5 to 1000, not 4"),
            (
                lines("stop = { max-pairs = 9 }"),
                "line 4: `stop` needs `top`, with or without `confidence`, or `within`",
            ),
            (lines("stop = { confidence = 0.9, within = 30, max-pairs = 9 }"), "line 4: `stop` needs `top`, "),
            (lines("stop = { top = 1, max-pairs = 0 }"), "line 4: `stop.max-pairs` is 1 to 100000, not 0"),
            (lines("format = \"knockout\"\nfurther-pairs = 0"), "line 5: `further-pairs` is 1 to 10000, not 0"),
            (lines("format = \"knockout\"\nstop = { top = 1, max-pairs = 9 }"), "line 5: `stop` is a key of"),
            (lines("format = \"field\"\ngames = 0"), "line 5: `games` is 1 to 10000, not 0"),
            (refused(&SMALL.replace("pairs = 2", "pairs = 0")), "line 3: `pairs` is 1 to 10000, not 0"),
            (refused(&SMALL.replace("pairs = 2", "pairs = -1")), "line 3"),
        ] {
            assert!(problem.contains(words), "{problem}");
        }
    }

    #[test]
    fn each_format_has_the_defaults_of_an_organiser_and_writes_them_out() {
        let many = |format: &str, count: usize| {
            let entrant = |number| format!("[[entrants]]\nname = \"e{number}\"\nbaseline = \"easy\"\n");
            let entrants = (0..count).map(entrant).collect::<String>();
            let definition = parse(&format!("name = \"t\"\nseed = 1\n{format}\n{entrants}")).expect("complete");
            assert_eq!(parse(&definition.to_toml()).as_ref(), Ok(&definition));
            definition
                .to_toml()
                .lines()
                .skip(4)
                .take_while(|line| !line.starts_with("wall"))
                .collect::<Vec<_>>()
                .join("; ")
        };
        for (lines, wanted) in [
            ("", "format = \"round-robin\"; pairs = 10"),
            ("cycles = 2\ntable = \"berger\"", "format = \"round-robin\"; pairs = 10; cycles = 2; table = \"berger\""),
            ("format = \"gauntlet\"", "format = \"gauntlet\"; pairs = 50"),
            (
                "format = \"swiss\"",
                "format = \"swiss\"; pairs = 4; rounds = 7; tie-breaks = [\"buchholz\", \"sonneborn-berger\", \"head-to-head\"]",
            ),
            ("format = \"swiss\"\ntie-breaks = []", "format = \"swiss\"; pairs = 4; rounds = 7; tie-breaks = []"),
            ("format = \"knockout\"", "format = \"knockout\"; pairs = 4; further-pairs = 8; seeding = \"given\""),
            (
                "format = \"double-knockout\"\nseeding = \"draw\"",
                "format = \"double-knockout\"; pairs = 4; further-pairs = 8; seeding = \"draw\"",
            ),
            ("format = \"ladder\"", "format = \"ladder\"; rounds = 7"),
            ("format = \"field\"", "format = \"field\"; games = 40; pairs = 1"),
        ] {
            assert_eq!(many(lines, 20), wanted);
        }
        assert!(many("format = \"swiss\"", 4).contains("rounds = 3;"), "without a rematch there are no more");
        let stop = "format = \"ladder\"\nstop = { top = 3, max-pairs = 400 }";
        assert_eq!(many(stop, 20), "format = \"ladder\"; rounds = 400");
        let text = parse(&SMALL.replace("pairs = 2", "stop = { top = 1, confidence = 0.99, max-pairs = 400 }"))
            .expect("complete");
        assert!(
            text.to_toml().contains("\n[stop]\ntop = 1\nconfidence = 0.99\nmax-pairs = 400\n"),
            "{}",
            text.to_toml()
        );
        assert_eq!(parse(&text.to_toml()), Ok(text));
        for stop in ["within = 30\nmax-pairs = 400", "top = 1\nconfidence = 0.95\nwithin = 30\nmax-pairs = 400"] {
            let short = format!("stop = {{ {} }}", stop.replace('\n', ", "));
            let text = parse(&SMALL.replace("pairs = 2", &short)).expect("complete").to_toml();
            assert!(text.contains(&format!("\n[stop]\n{stop}\n")), "{text}");
            assert_eq!(parse(&text).map(|definition| definition.to_toml()), Ok(text));
        }
    }

    #[test]
    fn a_format_fits_the_seats_of_its_games() {
        let of = |options: &str, lines: &str| {
            let text = SMALL.replacen(
                "[[entrants]]",
                &format!("ruleset = \"game-of-game-of-life@1\"\noptions = \"{options}\"\n{lines}\n[[entrants]]"),
                1,
            );
            parse(&text)
                .expect("a definition")
                .to_format()
                .map(|format| format.name())
                .map_err(|error| error.to_string())
        };
        let field = "format = \"field\"\ngames = 6";
        assert_eq!(of("seats=2", ""), Ok("round-robin"));
        assert!(of("seats=3", "").expect_err("no pairs").contains("say `format = \"field\"`"));
        assert!(of("seats=2", field).expect_err("no field").contains("say `format = \"round-robin\"`"));
        assert!(of("seats=3", field).expect_err("two entrants").contains("3 seats and there are 2 entrants"));
        assert!(of("seats=99", "").is_err());
    }

    #[test]
    fn what_cannot_be_played_is_named_with_its_key_and_line() {
        let said = |lines: &str| {
            let text = SMALL.replacen("[[entrants]]", &format!("{lines}\n[[entrants]]"), 1);
            let definition = parse(&text).expect("a definition");
            definition.to_format_in(&text).map(|format| format.name()).map_err(|error| error.to_string())
        };
        let many = "ruleset = \"game-of-game-of-life@1\"\noptions = \"seats=";
        for (lines, words) in [
            ("ruleset = \"chess@1\"".into(), "line 4: `ruleset` cannot be played: no ruleset \"chess@1\" here"),
            ("\noptions = \"nope\"".into(), "line 5: `options` cannot be played: \"nope\" are not options"),
            (
                "options = \"chain_needs_home,weighted_majority,shared_home\"".into(),
                "line 4: `options` cannot be played: games with the options",
            ),
            ("\nopenings = [\"cells:c3/c3\"]".into(), "line 5: `openings` cannot be played: \"chain_needs_home,"),
            ("format = \"field\"\ngames = 6".into(), "line 4: `format` cannot be played: a field has games of more"),
            (format!("{many}3\""), "line 5: `options` cannot be played: the format \"round-robin\" has games of two"),
            (
                format!("format = \"field\"\n{many}3\""),
                "line 7: `entrants` cannot be played: a game has 3 seats and there are 2 entrants",
            ),
        ] {
            let error = said(&lines).expect_err(&lines);
            assert!(error.starts_with(words), "{error}");
        }
        assert_eq!(said(""), Ok("round-robin"));
    }

    #[test]
    fn what_a_seed_was_drawn_from_is_kept_and_goes_when_another_seed_is_chosen() {
        let (secret, next) = ("ab".repeat(32), "cd".repeat(32));
        let drawn = |draw: &str| parse(&format!("{SMALL}[draw]\n{draw}"));
        let first = drawn(&format!("secret = \"{secret}\"")).expect("a secret alone");
        assert_eq!(first.draw.as_ref().map(|draw| draw.next), Some(None));
        let both = drawn(&format!("secret = \"{secret}\"\nnext = \"{next}\"")).expect("both");
        for definition in [first, both] {
            assert_eq!(parse(&definition.to_toml()), Ok(definition.clone()));
            assert_eq!(definition.with_seed(1), Ok(parse(SMALL).expect("complete")));
        }
        let chain = format!("secret = \"{secret}\"\nchain = true");
        for wrong in [
            "",
            "secret = \"ab\"",
            &format!("next = \"{next}\""),
            &format!("secret = \"{secret}\"\nmore = 1"),
            // A round robin has no late entry.
            &chain,
        ] {
            assert!(drawn(wrong).is_err(), "{wrong}");
        }
        let ladder = parse(&format!("{}[draw]\n{chain}", SMALL.replace("pairs = 2", "format = \"ladder\"")));
        let ladder = ladder.expect("a ladder is entered late");
        assert_eq!(parse(&ladder.to_toml()), Ok(ladder));
    }

    fn open(text: &str, places: usize) -> Result<(Terms, Vec<EntrantSpec>), String> {
        let draft = Draft::parse(FormKeys::default(), text);
        draft.and_then(|draft| draft.open(places, |_| Ok("mine\neasy\n".into()))).map_err(|error| error.to_string())
    }

    #[test]
    fn an_open_definition_may_lack_its_seed_and_entrants_and_errors_name_its_own_lines() {
        let text = format!("# a cup\n\n{}", SMALL.replace("seed = 1\n", ""));
        assert!(parse(&text).expect_err("no seed").starts_with("`seed` is missing"));
        let small = parse(SMALL).expect("complete");
        for text in [SMALL, &text] {
            let (terms, entrants) = open(text, 4).expect("four may play");
            assert_eq!(entrants, small.entrants);
            assert_eq!(terms.definition(entrants, 1, None).as_ref(), Ok(&small));
        }
        let knockout = text.replace("pairs = 2", "format = \"knockout\"\nseeds = \"order\"");
        let (terms, seeded) = open(&knockout, 5).expect("complete");
        let names: Vec<&str> = seeded.iter().map(|entrant| entrant.name.as_str()).collect();
        assert_eq!(names, ["mine", "easy"]);
        assert!(!terms.to_toml(&seeded).contains("seeds"), "they are sorted by now");
        assert!(open("name = \"x\"", 1).expect_err("too few").contains("`entrants` are 2 to 1024"));
        for (from, to, words) in [
            ("pairs = 2", "pairs = 0", "line 4: `pairs` is 1 to 10000, not 0"),
            ("\"mine\"", "\"a b\"", "line 9: `entrants.name` is 1 to 32"),
            ("pairs = 2", "laps = 2", "at line 4"),
            ("name = \"t\"\n", "", "`name` is missing"),
        ] {
            let said = open(&text.replacen(from, to, 1), 4).expect_err(to);
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn terms_are_written_as_they_were_given_and_defaults_wait_for_the_number_of_entrants() {
        let given = "name = \"t\"\nformat = \"swiss\"\ntie-breaks = []\nopenings = []\n\
            stop = { max-pairs = 4, top = 1, confidence = 0.9 }\nwall_ms_per_move = 200\nbudgets.fuel_per_move = 5\n";
        let terms = Draft::parse(FormKeys::default(), given).expect("a draft").into_terms();
        let text = terms.to_toml(&[]);
        assert_eq!(text.parse::<toml::Table>(), given.parse::<toml::Table>(), "{text}");
        let again = Draft::parse(FormKeys::default(), &text).expect("a draft").into_terms();
        assert_eq!((again.to_toml(&[]), &again), (text, &terms));
        let (terms, _) = open("name = \"t\"\nformat = \"swiss\"", 64).expect("open");
        let rounds = |entrants| match terms.format(entrants) {
            Ok(FormatSpec::Swiss { rounds, .. }) => rounds,
            other => panic!("{other:?}"),
        };
        assert_eq!([2, 4, 20].map(rounds), [1, 3, 7]);
        assert_eq!(terms.with_rounds(2).rounds(), Some(2));
    }

    #[test]
    fn a_form_gives_keys_that_its_text_has_not() {
        let form = || FormKeys {
            name: Some("t".into()),
            pairs: Some(2),
            baselines: vec!["easy".into()],
            ..FormKeys::default()
        };
        let mine = "seed = 1\n[[entrants]]\nname = \"mine\"\nfile = \"mine.wasm\"\n";
        let draft = Draft::parse(form(), mine).expect("a draft");
        let names: Vec<&str> = draft.entrants().iter().map(|entrant| entrant.name.as_str()).collect();
        assert_eq!(names, ["mine", "easy"]);
        assert_eq!(draft.into_terms(), open(SMALL, 2).expect("the same").0);
        let refused = |form, text| Draft::parse(form, text).map(|_| ()).expect_err("refused").to_string();
        assert!(refused(form(), "\npairs = 2").starts_with("line 2: `pairs` has a field of its own"));
        let long = FormKeys { name: Some("x".repeat(NAME_CHARS_MAX + 1)), ..form() };
        assert!(refused(long, "").starts_with("`name` is one line"));
    }

    #[test]
    fn names_and_numbers_of_entrants_are_bounded() {
        let name = |length: usize| SMALL.replace("\"mine\"", &format!("\"{}\"", "x".repeat(length)));
        assert!(parse(&name(ENTRANT_NAME_CHARS_MAX)).is_ok());
        assert!(parse(&name(ENTRANT_NAME_CHARS_MAX + 1)).is_err());
        assert!(parse(&name(0)).is_err());
        assert!(parse(&SMALL.replace("\"mine\"", "\"a b\"")).is_err());
        assert!(parse(&SMALL.replace("\"mine\"", "\"easy\"")).expect_err("twice").contains("twice"));
        let title = |length: usize| SMALL.replace("\"t\"", &format!("\"{}\"", "x".repeat(length)));
        assert!(parse(&title(NAME_CHARS_MAX)).is_ok() && parse(&title(NAME_CHARS_MAX + 1)).is_err());
        let many = |count: usize| {
            let head = SMALL.split("[[").next().expect("a head");
            let entrant = |number| format!("[[entrants]]\nname = \"e{number}\"\nbaseline = \"easy\"\n");
            head.to_string() + &(0..count).map(entrant).collect::<String>()
        };
        for (count, good) in [(1, false), (2, true), (EACH_ENTRANTS_MAX, true), (EACH_ENTRANTS_MAX + 1, false)] {
            assert_eq!(parse(&many(count)).is_ok(), good, "{count}");
        }
        for (count, good) in [(1, false), (2, true), (ENTRANTS_MAX, true), (ENTRANTS_MAX + 1, false)] {
            let swiss = many(count).replacen("pairs = 2", "format = \"swiss\"", 1);
            assert_eq!(parse(&swiss).is_ok(), good, "{count}");
        }
    }

    #[test]
    fn a_name_for_people_is_one_plain_line_and_nobody_elses() {
        let shown = |display: &str| parse(&SMALL.replace("\"mine\"", &format!("\"mine\"\ndisplay = \"{display}\"")));
        let good = shown("Team Röck & Co.").expect("a name");
        assert_eq!(good.entrants[1].display.as_deref(), Some("Team Röck & Co."));
        assert_eq!(parse(&good.to_toml()), Ok(good));
        assert!(shown(&"é".repeat(DISPLAY_CHARS_MAX)).is_ok());
        for bad in ["", " x", "x ", "a  b", "a\tb", "a\u{202e}b", "a\u{200b}b", &"é".repeat(DISPLAY_CHARS_MAX + 1)] {
            assert!(shown(bad).expect_err(bad).starts_with("line 9: `entrants.display` is 1 to 48 "), "{bad}");
        }
        assert!(shown("easy").expect_err("another's").contains("\"easy\" appears twice"));
    }

    #[test]
    fn entrants_are_seeded_by_ratings_or_by_a_file_and_only_their_order_is_kept() {
        let cup = |lines: &str, ratings: [&str; 3]| {
            let entrant = |(name, rating): (&str, &str)| {
                format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"easy\"\n{rating}\n")
            };
            let entrants: String = ["a", "b", "c"].into_iter().zip(ratings).map(entrant).collect();
            format!("name = \"t\"\nseed = 1\nformat = \"knockout\"\n{lines}\n{entrants}")
        };
        let names = |definition: Result<Definition, String>| {
            definition.map(|definition| {
                assert_eq!(parse(&definition.to_toml()).as_ref(), Ok(&definition), "as it is frozen");
                definition.entrants.iter().map(|entrant| entrant.name.clone()).collect::<String>()
            })
        };
        let rated = cup("seeding = \"rating\"", ["rating = -5", "", "rating = 70"]);
        assert_eq!(names(parse(&rated)), Ok("cab".into()), "who has none stands behind");
        let read = |text: &str, file: Result<&str, &str>| {
            names(
                Definition::parse_with(text, |name| {
                    assert_eq!(name, "seeds.txt");
                    file.map(String::from).map_err(String::from)
                })
                .map_err(|error| error.to_string()),
            )
        };
        let by_file = cup("seeds = \"seeds.txt\"", ["", "", ""]);
        assert_eq!(read(&by_file, Ok("# of last year\nc\n\nstranger\na\nb\n")), Ok("cab".into()));
        assert_eq!(read(&by_file, Ok("rank,name,id\n1,b,x\n2,\"c\",y\n3,a,z\n")), Ok("bca".into()), "standings.csv");
        for (found, words) in [
            (read(&by_file, Err("no such file")), "line 4: `seeds` \"seeds.txt\": no such file"),
            (read(&by_file, Ok("c\na\n")), "line 4: `seeds` \"seeds.txt\": no line names the entrant \"b\""),
            (read(&by_file, Ok("c\na\nb\n\nc\n")), "line 4: `seeds` \"seeds.txt\": line 5: \"c\" appears twice"),
            (names(parse(&by_file)), "there is no folder to read a file from"),
            (names(parse(&cup("seeds = \"x\"\nseeding = \"draw\"", [""; 3]))), "line 4: `seeds` and `seeding` exclude"),
            (names(parse(&cup("", ["rating = 1", "", ""]))), "line 8: `rating` goes with `seeding = \"rating\"`"),
            (
                names(parse(&cup("seeding = \"luck\"", [""; 3]))),
                "line 4: `seeding` is \"given\", \"draw\" or \"rating\"",
            ),
            (
                names(parse(&SMALL.replace("pairs = 2", "seeds = \"x\""))),
                "line 3: `seeds` is a key of `format = \"knockout\"",
            ),
            (
                names(parse(&SMALL.replace("pairs = 2", "seeding = \"rating\""))),
                "line 3: `seeding` is a key of `format = \"knockout\"",
            ),
        ] {
            let said = found.expect_err("not seeded");
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn an_anchor_is_some_of_the_entrants_and_by_default_the_games_own() {
        let definition =
            with("anchor = { entrants = [\"mine\", \"easy\"], rating = -300 }").expect("two of its entrants");
        assert_eq!(parse(&definition.to_toml()).as_ref(), Ok(&definition));
        let id = |name: &str| arena_record::EntrantId::of_bytes(name.as_bytes());
        let entrants = ["easy", "mine"].map(|name| Entrant::new(name, id(name)));
        let anchor = definition.anchor_of(&entrants);
        assert_eq!(anchor, Some(Anchor { bots: vec![id("mine"), id("easy")], rating: -300 }));
        assert_eq!(parse(SMALL).expect("complete").anchor_of(&entrants), Anchor::of_game("conquerors@2"));
        assert!(!parse(SMALL).expect("complete").to_toml().contains("anchor"), "folders without one keep their bytes");
        for (anchor, words) in [
            ("{ entrants = [] }", "name one entrant at least"),
            ("{ entrants = [\"hard\"] }", "there is no entrant \"hard\""),
            ("{ entrants = [\"easy\", \"easy\"] }", "\"easy\" appears twice"),
            ("{ entrants = [\"easy\"], rating = 10001 }", "the rating is -10000 to 10000, not 10001"),
        ] {
            let said = with(&format!("anchor = {anchor}")).expect_err(anchor);
            assert!(
                said.starts_with("line 4: `anchor` is `{ entrants = [...], rating = N }`: ") && said.contains(words),
                "{said}"
            );
        }
        assert!(with("anchor = { entrants = [\"easy\"], rating = 10000 }").is_ok());
        assert!(with("anchor = { entrants = [\"easy\"], ratings = 1 }").expect_err("unknown").contains("ratings"));
        let field = "format = \"field\"\nanchor = { entrants = [\"easy\"] }";
        let field = parse(&SMALL.replacen("pairs = 2", &format!("pairs = 2\n{field}"), 1));
        assert!(field.expect_err("a field").contains("a field has shares and no ratings"));
    }

    #[test]
    fn openings_are_kept_and_take_the_place_of_what_the_options_say() {
        let named = "cells:c3c4d3d4/w23w24x23x24";
        let definition = with(&format!("openings = [\"{named}\", \"turns:2\"]")).expect("two");
        assert_eq!(parse(&definition.to_toml()).as_ref(), Ok(&definition));
        assert_eq!(definition.options, Position::RANKED);
        assert_eq!(definition.options_from(named), format!("chain_needs_home,weighted_majority,opening={named}"));
        assert!(definition.to_format().is_ok());
        for (openings, words) in [
            (r#"["turns:2", "turns:2"]"#, "line 4: `openings` are different: \"turns:2\" appears twice"),
            (r#"[""]"#, "line 4: `openings` is one line of 1 to 256"),
        ] {
            assert!(with(&format!("openings = {openings}")).expect_err(openings).starts_with(words));
        }
        let strange = with("openings = [\"cells:c3/c3\"]").expect("a text").to_format().map(|format| format.name());
        assert!(strange.expect_err("no board").to_string().contains("`opening=cells:BLUE/RED`"));
        let many = |count: usize| (0..count).map(|number| format!("turns:{number}")).collect();
        assert!(definition.clone().with_openings(many(OPENINGS_MAX)).is_ok());
        assert!(definition.with_openings(many(OPENINGS_MAX + 1)).is_err());
    }

    #[test]
    fn texts_are_bounded() {
        let top = |field: &str, length: usize| with(&format!("{field} = '{}'", "é".repeat(length)));
        let third = |key: &str, length: usize| {
            parse(&format!("{SMALL}[[entrants]]\nname = \"third\"\n{key} = '{}'", "é".repeat(length)))
        };
        assert!(top("ruleset", ID_CHARS_MAX).is_ok() && top("ruleset", ID_CHARS_MAX + 1).is_err());
        assert!(top("ruleset", 0).is_err() && top("options", 0).is_ok());
        assert!(top("options", OPTIONS_CHARS_MAX).is_ok() && top("options", OPTIONS_CHARS_MAX + 1).is_err());
        for (key, most) in [("baseline", ID_CHARS_MAX), ("gallery", ID_CHARS_MAX), ("file", FILE_CHARS_MAX)] {
            assert!(third(key, 1).is_ok() && third(key, most).is_ok(), "{key}");
            assert!(third(key, 0).is_err() && third(key, most + 1).is_err(), "{key}");
        }
        assert!(parse(&SMALL.replace("mine.wasm", "mine\\u0000.wasm")).is_err());
        let padded = |bytes: usize| parse(&format!("{SMALL}#{}", "x".repeat(bytes - SMALL.len() - 1)));
        assert!(padded(DEFINITION_BYTES_MAX).is_ok());
        assert!(padded(DEFINITION_BYTES_MAX + 1).expect_err("too long").contains("1048577"));
    }

    #[test]
    fn an_entrant_is_exactly_one_thing() {
        let both = SMALL.replace("file = \"mine.wasm\"", "file = \"mine.wasm\"\nbaseline = \"hard\"");
        let two = both.replace("file", "gallery");
        let neither = SMALL.replace("file = \"mine.wasm\"", "");
        for text in [both, two, neither] {
            assert!(parse(&text).expect_err("not one").contains("exactly one of"));
        }
        let gallery = parse(&SMALL.replace("file = \"mine.wasm\"", "gallery = \"mason\"")).expect("one");
        assert_eq!(gallery.entrants[1].source, Source::Gallery("mason".into()));
        assert_eq!(parse(&gallery.to_toml()), Ok(gallery));
    }

    #[test]
    fn every_field_is_named_with_its_line() {
        for (from, to, words) in [
            ("name = \"t\"", "name = \"\"", "line 1: `name` is one line"),
            ("seed = 1", "seed = 1\nruleset = \"\"", "line 3: `ruleset` is one line"),
            ("seed = 1", "seed = 1\nwall_ms_per_move = 1", "line 3: `wall_ms_per_move` is 100 to "),
            (
                "pairs = 2",
                "pairs = 2\n[budgets]\n\nmemory_bytes = 65537",
                "line 6: `budgets.memory_bytes` is a multiple",
            ),
            ("name = \"mine\"", "name = \"a b\"", "line 8: `entrants.name` is 1 to 32 letters"),
            ("name = \"mine\"", "name = \"easy\"", "line 8: `entrants.name` is different for each entrant"),
            ("file = \"mine.wasm\"", "", "line 7: `entrants` \"mine\" has exactly one of"),
            ("[[entrants]]\nname = \"mine\"\nfile = \"mine.wasm\"\n", "", "line 4: `entrants` are 2 to 1024"),
        ] {
            let said = parse(&SMALL.replacen(from, to, 1)).expect_err(to);
            assert!(said.starts_with(words), "{said}");
        }
    }

    #[test]
    fn unknown_fields_and_broken_toml_name_their_line() {
        assert!(with("laps = 3").expect_err("unknown").contains("laps"));
        assert!(parse("name = ").expect_err("broken").contains("line 1"));
    }
}
