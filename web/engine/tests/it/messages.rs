//! Every phrase that the rules tell has a message for pages, with its numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use arena_baselines::conquerors::Tier;
use arena_referee::{Divergence, Refused};
use arena_rules::conquerors::{Action, Options, Position};
use arena_rules::{BySeat, Phrase, Phrased, Ruleset, Seat, life2};
use arena_wire::{ActionError, GAMES, Protocol, Visitor};

/// The areas with messages of phrases, and what begins their ids.
const AREAS: [&str; 3] = ["rules", "life2", "divergences"];
const IDS: &str = "\nscript-phrase-";

/// What the page's engine tells itself.
const OWN: [(&str, &[&str]); 3] = [("in-turn", &["turn"]), ("answer-missing", &[]), ("cells-not-chosen", &[])];

/// The variables of each message, by the code of its phrase.
fn messages() -> BTreeMap<String, BTreeSet<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../text/en");
    let texts = AREAS.map(|area| fs::read_to_string(folder.join(format!("script-{area}.ftl"))).expect("an area"));
    // A message may continue in indented lines; a comment or another message ends it.
    let messages = texts.iter().flat_map(|text| text.split(IDS).skip(1)).filter_map(|message| {
        let ends = |(at, _): &(usize, &str)| !message[at + 1..].starts_with(' ');
        let end = message.match_indices('\n').find(ends).map_or(message.len(), |(at, _)| at);
        message[..end].split_once(" = ")
    });
    let name = |rest: &str| rest.chars().take_while(char::is_ascii_alphabetic).collect();
    messages.map(|(code, text)| (code.into(), text.split("{ $").skip(1).map(name).collect())).collect()
}

/// The phrases of the notes on a position.
fn notes<P: Protocol>(position: &P) -> Vec<Phrase> {
    let seats = || (0..position.seats()).map(Seat);
    let limits = seats().flat_map(|seat| P::TOOLS.iter().filter_map(move |tool| position.limit(seat, tool)));
    let open = position.awaiting().iter().next().map(|seat| position.open(seat, &[])).unwrap_or_default();
    limits.chain(open).chain(position.clock()).collect()
}

/// Those of a game's start.
struct Start;

impl Visitor for Start {
    type Out = Vec<Phrase>;

    fn visit<P: Protocol>(self, start: P) -> Vec<Phrase> {
        notes(&start)
    }
}

/// Those of whole games of Conquerors, the only game whose notes have other phrases later.
fn of_conquerors() -> impl Iterator<Item = Phrase> {
    let games = (0..4).flat_map(|seed| crate::game([Tier::Hard, Tier::Normal], seed).0);
    let mut skipped = Position::start(&Options::V2.into(), &[0; 32]);
    let skip = skipped.check(Seat(0), &Action::Skip).expect("it has a skip");
    skipped.advance(BySeat::from([Some(skip), None]));
    games.chain([skipped]).flat_map(|position| notes(&position))
}

#[test]
fn every_phrase_has_a_message_with_its_numbers_and_every_message_a_phrase() {
    let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut tell = |code: &str, names: &mut dyn Iterator<Item = &str>| {
        let names: BTreeSet<String> = names.map(str::to_owned).collect();
        assert_eq!(told.entry(code.into()).or_insert_with(|| names.clone()), &names, "{code}");
    };
    let refusals = [
        <Position as Ruleset>::Refusal::CODES,
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
    let starts = GAMES
        .iter()
        .flat_map(|game| arena_wire::start(game.ruleset, game.casual, &[0; 32], Start).expect("a game by the rules"));
    for Phrase { code, numbers } in starts.chain(of_conquerors()) {
        tell(code, &mut numbers.iter().map(|(name, _)| *name));
    }
    let mut messages = messages();
    let mut take = |id: String| assert!(messages.remove(&id).is_some(), "{id}");
    let seats: BTreeSet<&str> = GAMES.iter().flat_map(|game| game.seat_names).copied().collect();
    seats.iter().for_each(|name| take(format!("seat-{name}")));
    for (game, tool) in GAMES.iter().flat_map(|game| game.tools.iter().map(move |tool| (game, tool))) {
        ["", "-purpose", "-done"].iter().for_each(|part| take(format!("tool-{}-{}{part}", game.name(), tool.name)));
    }
    assert_eq!(told, messages);
}
