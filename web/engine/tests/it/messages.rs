//! Every phrase that the rules tell has a message for pages, with its numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use arena_referee::{Divergence, Refused};
use arena_rules::{Phrase, Phrased, Rng, Ruleset, Seats, life2};
use arena_wire::{ActionError, Call, GAMES, Protocol, Visitor};

/// The areas with messages of phrases, and what begins their ids.
const AREAS: [&str; 3] = ["rules", "life2", "divergences"];
const IDS: &str = "script-phrase-";

/// What pages tell in phrases by themselves: names of seats and tools, and what a turn in the making lacks.
const NAMES: [&str; 2] = ["seat-", "tool-"];
const OWN: [(&str, &[&str]); 3] = [("in-turn", &["turn"]), ("answer-missing", &[]), ("cells-not-chosen", &[])];

/// Games of each kind: enough to see every zone opened.
const GAMES_OF_EACH: u8 = 12;

/// The variables of each message, by the code of its phrase.
fn messages() -> BTreeMap<String, BTreeSet<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../text/en");
    let texts = AREAS.map(|area| fs::read_to_string(folder.join(format!("script-{area}.ftl"))).expect("an area"));
    let messages =
        texts.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix(IDS)?.split_once(" = "));
    let name = |rest: &str| rest.chars().take_while(char::is_ascii_alphabetic).collect();
    messages.map(|(code, text)| (code.into(), text.split("{ $").skip(1).map(name).collect())).collect()
}

/// The phrases of notes in a game of a few turns, in which seats use each tool when they may.
struct Notes<'a>(u8, &'a mut Vec<Phrase>);

impl Visitor for Notes<'_> {
    type Out = ();

    fn visit<P: Protocol>(self, mut position: P) {
        let Notes(seed, told) = self;
        let mut rng = Rng::new(&[seed; 32], 0);
        while position.outcome().is_none() && position.turns_played() < 60 {
            let awaiting = position.awaiting();
            for seat in awaiting.iter() {
                told.extend(P::TOOLS.iter().filter_map(|tool| position.limit(seat, tool)));
                told.extend(position.open(seat, &[]));
            }
            told.extend(position.clock());
            let turns = arena_rules::BySeat::new(position.seats(), |seat| turn(&position, awaiting, seat, &mut rng));
            position.advance(turns);
        }
    }
}

/// A legal turn of a seat, with a tool that is not the usual one if it may use one.
fn turn<P: Protocol>(position: &P, awaiting: Seats, seat: arena_rules::Seat, rng: &mut Rng) -> Option<P::Checked> {
    let made = |tool: &arena_wire::Tool| {
        let mut calls = vec![Call::new(*tool, [] as [arena_wire::Point; 0])];
        loop {
            let choices = position.choices(seat, &calls);
            if choices.is_empty() {
                return position.check(seat, &P::compose(&calls)?).ok();
            }
            calls[0].cells.push(choices[rng.below(choices.len() as u32) as usize]);
        }
    };
    awaiting.contains(seat).then(|| P::TOOLS.iter().rev().find_map(made)).flatten()
}

#[test]
fn every_phrase_has_a_message_with_its_numbers_and_every_message_a_phrase() {
    let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut tell = |code: &str, names: &mut dyn Iterator<Item = &str>| {
        let names: BTreeSet<String> = names.map(str::to_owned).collect();
        assert_eq!(told.entry(code.into()).or_insert_with(|| names.clone()), &names, "{code}");
    };
    let refusals = [
        <arena_rules::conquerors::Position as Ruleset>::Refusal::CODES,
        <arena_rules::war_of_life::Position as Ruleset>::Refusal::CODES,
        <arena_rules::game_of_game_of_life::Position as Ruleset>::Refusal::CODES,
        <life2::Position as Ruleset>::Refusal::CODES,
        life2::Refusal::CODES,
        ActionError::CODES,
        Refused::CODES,
        Divergence::CODES,
        &OWN,
    ];
    for (code, names) in refusals.into_iter().flatten() {
        tell(code, &mut names.iter().copied());
    }
    let mut notes = Vec::new();
    for game in GAMES {
        for seed in 0..GAMES_OF_EACH {
            arena_wire::start(game.ruleset, game.casual, &[0; 32], Notes(seed, &mut notes)).expect("a game");
        }
    }
    for Phrase { code, numbers } in &notes {
        tell(code, &mut numbers.iter().map(|(name, _)| *name));
    }
    let mut messages = messages();
    for game in GAMES {
        for name in game.seat_names {
            assert!(messages.contains_key(&format!("seat-{name}")), "{name}");
        }
        for tool in game.tools {
            let code = format!("tool-{}-{}", game.name(), tool.name);
            for id in [code.clone(), format!("{code}-purpose"), format!("{code}-done")] {
                assert!(messages.contains_key(&id), "{id}");
            }
        }
    }
    messages.retain(|code, _| !NAMES.iter().any(|name| code.starts_with(name)));
    assert_eq!(told, messages);
}
