//! Printing and parsing are inverse, and any other text is refused.

use arena_notation::{
    NOTATION_BYTES_MAX, ParseGameError, cell_text, game_text, parse_cell, parse_game, parse_position, parse_turn,
    position_text, turn_text,
};
use arena_record::{Budgets, EntrantId, ForfeitCode, Header, Hex, RECORD_BYTES_MAX, Record};
use arena_referee::{Failure, Fault, Player, Reply, Started, check, play};
use arena_rules::conquerors::{
    Action, Board, ByColour, Cell, Colour, Opening, Options, Plane, Position, ROUNDS, Setup, Start, Target, Turn,
    TurnDraft,
};
use arena_rules::{BySeat, Rng, Ruleset};
use arena_wire::Protocol;
use arena_wire::conquerors::Observation;
use proptest::prelude::*;

const DOCUMENT: &str = include_str!("../../NOTATION.md");

/// The first fenced block of the document below this heading.
fn block(heading: &str) -> &'static str {
    let (_, after) = DOCUMENT.split_once(&format!("## {heading}\n")).expect("the heading");
    let (_, after) = after.split_once("```\n").expect("a block");
    after.split_once("```\n").expect("its end").0
}

/// A player that acts legally or fails, as its random numbers say.
struct Random(Rng);

impl Random {
    fn fault(&mut self) -> Failure {
        let codes = ForfeitCode::ALL;
        let details = ["", "plain words", "\"quoted\\\" ; [not a tag]", "two\nlines\r\u{7f}\u{85}\u{2028}é", "1. m3@5"];
        let (code, detail) = (codes[self.0.below(codes.len() as u32) as usize], details[self.0.below(5) as usize]);
        Failure::Own(Fault { code, detail: detail.into() })
    }

    fn fuel(&mut self) -> Option<u64> {
        let large = u64::from(self.0.word()) << 32 | u64::from(self.0.word());
        [None, Some(0), Some(12_345), Some(large)][self.0.below(4) as usize]
    }
}

impl Player for Random {
    fn start(&mut self, _observation_len: usize, _fuel: u64) -> Result<Started, Failure> {
        if self.0.below(20) == 0 {
            return Err(self.fault());
        }
        Ok(Started { fuel: self.fuel() })
    }

    fn turn(&mut self, observation: &[u8], most: u64) -> Result<Reply, Failure> {
        if self.0.below(40) == 0 {
            return Err(self.fault());
        }
        let seen = Observation::decode(observation).expect("the referee shows observations");
        let action = random_action(&mut self.0, &seen.position, seen.colour());
        Ok(Reply { action: Position::encode_action(&action), fuel: self.fuel().map(|fuel| fuel.min(most)) })
    }
}

/// A legal action: mostly cells side by side, sometimes the bomb or the skip.
fn random_action(rng: &mut Rng, position: &Position, mover: Colour) -> Action {
    let whole = match rng.below(10) {
        0 => Some(Action::Skip),
        1 | 2 => Some(Action::Bomb(Target { row: rng.below(26) as u8, col: rng.below(28) as u8 })),
        _ => None,
    };
    let legal = |action: &Action| position.check(mover.seat(), action).is_ok();
    if let Some(action) = whole.filter(legal) {
        return action;
    }
    let mut draft = TurnDraft::new(position, mover.seat()).expect("it is the mover's turn");
    while !draft.placeable().is_empty() {
        let near =
            draft.placed().iter().fold(Plane::EMPTY, |near, cell| near | Plane::square(*cell)) & draft.placeable();
        let from = if near.is_empty() { draft.placeable() } else { near };
        let cell = from.cells().nth(rng.below(from.count()) as usize).expect("it is not empty");
        draft.place(cell.into()).expect("it is legal");
    }
    let others = [Action::Skip, Action::Bomb(Target { row: 0, col: 0 }), Action::Pass];
    let placed = draft.finish().map(|turn| Action::from(&turn));
    placed.ok().or_else(|| others.into_iter().find(legal)).expect("something is always legal")
}

/// A game of two random players, everything else random as well.
fn random_game(rng: &mut Rng) -> Record {
    let openings =
        [Opening::default(), Opening::symmetric(5).expect("in range"), Opening::random_turns(4).expect("in range")];
    let options = Options {
        chain_needs_home: rng.below(2) == 1,
        weighted_majority: rng.below(2) == 1,
        shared_home: rng.below(8) == 0,
    };
    let start = Start { options, opening: openings[rng.below(3) as usize] };
    let entrants = [
        EntrantId::of_baseline("hard", 1),
        EntrantId::of_bytes(&rng.word().to_le_bytes()),
        EntrantId::of_person(Hex([rng.below(256) as u8; 8])),
    ];
    let notes = ["", "example", "a \"b\" \\ c\n;[]"];
    let header = Header {
        semantics: notes[rng.below(3) as usize].into(),
        build: notes[rng.below(3) as usize].into(),
        ruleset: Position::ID.into(),
        options: Position::options_text(&start),
        budgets: Budgets {
            fuel_per_move: u64::MAX - u64::from(rng.word()),
            fuel_at_start: u64::MAX,
            memory_bytes: u64::MAX,
            ..Budgets::DEFAULT
        },
        seed: Hex(core::array::from_fn(|_| rng.below(256) as u8)),
        entrants: vec![entrants[rng.below(3) as usize].clone(), entrants[rng.below(3) as usize].clone()],
        opponents: Default::default(),
    };
    let mut player = || Random(Rng::new(&[rng.below(256) as u8; 32], rng.word().into()));
    let (mut blue, mut red) = (player(), player());
    let players: [&mut dyn Player; 2] = [&mut blue, &mut red];
    play(header, BySeat::from(players)).expect("no machine fails here")
}

#[test]
fn every_game_is_the_same_record_again_byte_for_byte() {
    let mut rng = Rng::new(&[0x17; 32], 0);
    let (mut forfeits, mut full, mut bombs) = (0, 0, 0);
    for _ in 0..600 {
        let record = random_game(&mut rng);
        let text = game_text(&record).expect("a game by the rules");
        let read = parse_game(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.to_text(), record.to_text());
        // Printing the parsed text gives the same text again.
        assert_eq!(game_text(&read).as_ref(), Ok(&text));
        assert_eq!(Record::parse(&read.to_text()).expect("its own text"), record);
        forfeits += record.forfeits.len();
        full += usize::from(record.outcome.reason == "majority");
        bombs += text.matches('*').count();
    }
    assert!(forfeits > 100 && full > 50 && bombs > 50, "{forfeits} forfeits, {full} full games, {bombs} bombs");
}

#[test]
fn the_documents_game_is_the_formats_example() {
    let format = include_str!("../../../record/FORMAT.md");
    let line = format.lines().find(|line| line.starts_with("{\"format\":")).expect("the format has an example");
    let record = Record::parse(&format!("{line}\n")).expect("it is canonical");
    assert_eq!(game_text(&record).as_deref(), Ok(block("A whole game")));
    assert_eq!(parse_game(block("A whole game")), Ok(record));
}

#[test]
fn the_documents_shortest_game_is_one() {
    let text = block("Written by hand");
    let record = parse_game(text).expect("it is whole");
    assert_eq!(check(&record), Ok(()));
    assert_eq!(record.header.entrants, vec![EntrantId::of_person(Hex([0; 8])); 2]);
    assert_eq!((record.header.budgets, record.header.seed), (Budgets::DEFAULT, Hex([0; 32])));
    assert_eq!(record.outcome.winner, Some(0));
    assert_eq!(record.forfeits[0].code, ForfeitCode::Resigned);
}

#[test]
fn the_documents_positions_are_positions() {
    let lines: Vec<&str> = block("A position").lines().collect();
    assert_eq!(parse_position(lines[0]), Ok(Position::start(&Start::default(), &[0; 32])));
    for line in lines {
        let position = parse_position(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(position_text(&position).as_deref(), Some(line));
    }
}

#[test]
fn the_documents_turns_are_turns() {
    for line in block("A turn").lines() {
        let action = parse_turn(line.split_whitespace().next().expect("a turn")).expect(line);
        let cells = |turn: &Target| Cell::new(turn.row, turn.col).expect("on the board");
        let turn = match &action {
            Action::Place(targets) => Turn::Place(targets.iter().map(cells).collect()),
            Action::Bomb(centre) => Turn::Bomb(cells(centre)),
            Action::Skip => Turn::Skip,
            Action::Pass => Turn::Pass,
        };
        assert_eq!(Action::from(&turn), action);
        assert_eq!(parse_turn(&turn_text(&turn)), Ok(action));
        assert!(line.starts_with(&turn_text(&turn)), "{line}");
    }
}

#[test]
fn every_cell_has_one_name() {
    for cell in Plane::FULL.cells() {
        assert_eq!(parse_cell(&cell_text(cell)), Some(cell));
    }
    assert_eq!((parse_cell("a0"), parse_cell("z27")), (Cell::new(0, 0), Cell::new(25, 27)));
    for name in ["", "a", "0", "a28", "a00", "a-1", "a+1", "A0", "{0", "aa0", "a0 ", "é0", "a٣"] {
        assert_eq!(parse_cell(name), None, "{name}");
    }
    for text in ["", "Skip", "*", "*m", "**m3", "m3,", ",m3", "m3 m4", "skip,m3", "pass3"] {
        assert!(parse_turn(text).is_err(), "{text:?}");
    }
}

/// A game of one round, with the tags that a test puts before it.
fn small(tags: &str) -> String {
    format!("{tags}\n1. m3,m4,n3,n4 skip\n")
}

fn problem(text: &str) -> String {
    parse_game(text).expect_err(text).to_string()
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let cases = [
        ("1. m3,m4,n3,n4\n   m3,m4,n3,n4", "line 2: red cannot play m3,m4,n3,n4"),
        ("1. m3,m4,n3,n4 m29,m2", "line 1: \"m29\" is not a cell"),
        ("1. m3,m4,n3,n4 dance", "line 1: \"dance\" is not a turn"),
        ("1. m3,m4,n3,n4@", "line 1: \"\" is not an amount of fuel"),
        ("1. m3,m4,n3,n4@007 skip", "line 1: \"007\" is not an amount of fuel"),
        ("2. m3,m4,n3,n4 skip", "line 1: 2. is not here: it is blue's turn in round 1"),
        ("1. m3,m4,n3,n4 1. skip", "line 1: 1. is not here: it is red's turn in round 1"),
        ("1. m3,m4,n3,n4 skip\n2. skip", "line 2: the game is over after turn 2"),
        ("1. m3,m4,n3,n4", "not over after turn 1"),
        ("", "not over after turn 0"),
        ("[Bleu \"person:0000000000000000\"]", "line 1: there is no tag Bleu"),
        ("[Blue \"me\"]", "line 1: \"me\" is not an entrant"),
        ("[Blue \"baseline:easy@1\" \"5x\"]", "line 1: the fuel of a start"),
        ("[Seed \"00\"]", "line 1: \"00\" is not a value of the tag Seed"),
        ("[Options \"opening=empty\"]", "line 1: \"opening=empty\" is not a value"),
        ("[Options \"opening=cells:m3d22/x24\"]", "is not a value of the tag Options: write"),
        ("[Options \"opening=cells:m3d22/x24\"]", "row by row from the top"),
        ("[Ruleset \"conquerors@3\"]", "line 1: \"conquerors@3\" is not a value"),
        ("[Notation \"arena-notation/2\"]", "line 1: \"arena-notation/2\" is not a value"),
        ("[FuelPerMove \"-1\"]", "line 1: \"-1\" is not a value"),
        ("[Seed]", "line 1: the tag Seed has one value"),
        ("[Build \"a\"]\n[Build \"b\"]", "line 2: the tag Build appears twice"),
        ("[Forfeit \"green\" \"1\" \"trap\" \"\"]", "line 1: a forfeit is written"),
        ("[Forfeit \"red\" \"0\" \"trap\" \"\"]", "line 1: a forfeit is written"),
        ("[Forfeit \"red\" \"1\" \"tired\" \"\"]", "line 1: a forfeit is written"),
        ("[Forfeit \"red\" \"1\" \"trap\" \"\"]\n1. m3,m4,n3,n4 skip", "a forfeit of seat 2"),
        ("[Forfeit \"blue\" \"9\" \"trap\" \"\"]\n1. m3,m4,n3,n4 skip", "a forfeit of seat 1"),
        ("[Oops", "line 1: a tag is written"),
    ];
    for (text, wanted) in cases {
        let problem = problem(text);
        assert!(problem.contains(wanted), "{text}\n{problem}");
    }
}

#[test]
fn a_result_or_digest_that_does_not_follow_is_refused() {
    let right = parse_game(&small("")).expect("it is whole");
    let digest = format!("[Digest \"{}\"]", right.digest);
    assert_eq!(parse_game(&small(&format!("{digest}\n[Result \"blue extinction 4:0\"]"))).as_ref(), Ok(&right));
    for tag in [digest.replace("[Digest \"", "[Digest \"0"), "[Result \"red extinction 4:0\"]".into()] {
        assert!(matches!(parse_game(&small(&tag)), Err(ParseGameError::Derived { .. })), "{tag}");
    }
    // Comments, other white space and another order of tags change nothing.
    let loose = "; a game\n1.   m3,m4,n3,n4 ; blue\n\n\t skip;red\n[Build \"\"] ; late\n[Semantics \"\"]";
    assert_eq!(parse_game(loose), Ok(right));
}

#[test]
fn lengths_are_bounded() {
    let detail = |length: usize| {
        format!("[Forfeit \"blue\" \"1\" \"resigned\" \"{}\"]", "\u{7f}".repeat(length).replace('\u{7f}', "\\u{7f}"))
    };
    let empty = parse_game(&detail(0)).expect("a game without a turn").to_text().len();
    let longest = RECORD_BYTES_MAX - empty;
    let record = parse_game(&detail(longest)).expect("just short enough");
    assert_eq!(record.to_text().len(), RECORD_BYTES_MAX);
    let text = game_text(&record).expect("a game by the rules");
    assert!(text.len() <= NOTATION_BYTES_MAX);
    assert_eq!(parse_game(&text), Ok(record));
    assert_eq!(parse_game(&detail(longest + 1)), Err(ParseGameError::RecordTooLong(RECORD_BYTES_MAX + 1)));
    let padded = |bytes: usize| small(";").replace(';', &format!(";{}", " ".repeat(bytes - small(";").len())));
    assert!(parse_game(&padded(NOTATION_BYTES_MAX)).is_ok());
    assert_eq!(parse_game(&padded(NOTATION_BYTES_MAX + 1)), Err(ParseGameError::TooLong(NOTATION_BYTES_MAX + 1)));
}

#[test]
fn a_record_that_is_no_game_has_no_text() {
    let mut record = parse_game(&small("")).expect("it is whole");
    record.outcome.tally[0] += 1;
    assert!(game_text(&record).is_err());
    let mut record = parse_game(&small("")).expect("it is whole");
    record.header.ruleset = "checkers@1".into();
    assert!(game_text(&record).expect_err("another game").to_string().contains("checkers@1"));
}

fn any_position() -> impl Strategy<Value = Position> {
    let plane = || prop::array::uniform26(any::<u32>()).prop_map(Plane::from_rows);
    let dense = any::<bool>();
    let flags = any::<[bool; 6]>();
    (plane(), plane(), plane(), dense, flags, 1..=ROUNDS, 0..=3_u8, 0..=3_u8).prop_map(
        |(blue, red, sparse, dense, [chain, weighted, shared, moves, one, other], round, first, second)| {
            let blue = if dense { blue } else { blue & sparse & red };
            let board = Board::new(ByColour { blue, red: red & !blue }).expect("no cell has two colours");
            let options = Options { chain_needs_home: chain, weighted_majority: weighted, shared_home: shared };
            let setup = Setup {
                options,
                board,
                to_move: if moves { Colour::Blue } else { Colour::Red },
                round,
                cooldown: ByColour { blue: first, red: second },
                skip_used: ByColour { blue: one, red: other },
            };
            setup.position().expect("in range")
        },
    )
}

/// Text that resembles a game.
fn like_a_game() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "1.",
        "2.",
        " ",
        "\n",
        "m3,m4,n3,n4",
        "m23,m24,n23,n24",
        "skip",
        "pass",
        "*m3",
        "@5",
        ";",
        "[",
        "]",
        "\"",
        "\\",
        "Seed",
        "[Build \"x\"]",
        "[Forfeit \"red\" \"start\" \"trap\" \"\"]",
        "[Forfeit \"blue\" \"1\" \"resigned\" \"\"]",
        "é",
        "0",
        "opening=turns:4",
    ]);
    prop::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat())
}

/// A text that parses can be printed, and what is printed parses to the same game.
fn reads_as_one_game_or_nothing(text: &str) -> Result<(), TestCaseError> {
    if let Ok(record) = parse_game(text) {
        let printed = game_text(&record).expect("the referee has checked it");
        prop_assert_eq!(parse_game(&printed), Ok(record));
    }
    Ok(())
}

proptest! {
    #[test]
    fn every_position_is_itself_again(position in any_position()) {
        let text = position_text(&position).expect("it is in play");
        let read = parse_position(&text);
        prop_assert_eq!(read.as_ref(), Ok(&position));
        // Cells may come in any order, but not twice.
        let mut fields: Vec<String> = text.split(' ').map(String::from).collect();
        fields[0] = fields[0].split(',').rev().collect::<Vec<_>>().join(",");
        prop_assert_eq!(parse_position(&fields.join("  ")), Ok(position));
        if fields[0] != "-" {
            fields[0] = format!("{0},{0}", fields[0]);
            prop_assert!(parse_position(&fields.join(" ")).is_err());
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in any::<String>(), like in like_a_game()) {
        for text in [&text, &like] {
            reads_as_one_game_or_nothing(text)?;
            let _ = (parse_position(text), parse_turn(text));
        }
    }

    /// A printed game with one character changed is refused, or is another game in every respect.
    #[test]
    fn a_changed_game_is_refused_or_another_one(seed in any::<u8>(), at in any::<prop::sample::Index>(), with in any::<char>()) {
        let record = random_game(&mut Rng::new(&[seed; 32], 1));
        let text = game_text(&record).expect("a game by the rules");
        let mut characters: Vec<char> = text.chars().collect();
        *at.get_mut(&mut characters) = with;
        reads_as_one_game_or_nothing(&characters.into_iter().collect::<String>())?;
    }
}
