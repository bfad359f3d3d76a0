//! What results depend on, as one id for each game, and the digests of built-in opponents.

use std::collections::BTreeMap;

use arena_baselines::Opponent;
use arena_record::{EntrantId, Hex};
use sha2::{Digest, Sha256};

/// A hash of games under each game's rules, independent of opponents. A test below defines and recomputes them.
const RULES: [(&str, &str); 4] = [
    ("conquerors@2", "eed5969717f25317b805d4c0ba2d69d1f72ee5dc58935b04d908cf262bad1a44"),
    ("war-of-life@1", "f3bb5dfbe5b0d597f7d829031d9049b6884192c08e971c19eac9a1cc6e1fab5a"),
    ("game-of-game-of-life@1", "64c7d769521e86a6c00fb0b84169e6372ad64633d185c87812f2746e6fd9d332"),
    ("life2@2", "99a699013ca119e0294ceb1274d30bf23045dc701c744b5a094eb6c29be19b69"),
];

/// The semantics id of a game: it covers everything that results depend on, namely rules and start, contract, record,
/// meter, prices and limits. Results with equal ids are comparable. It covers neither other games nor opponents, since
/// headers of games contain [their digests](opponent_digests).
pub fn semantics_id(ruleset: &str) -> String {
    id(ruleset, RULES.iter().find(|(name, _)| *name == ruleset).map_or("", |(_, rules)| rules))
}

fn id(ruleset: &str, rules: &str) -> String {
    let text = format!(
        "arena semantics 3\nruleset: {ruleset}\nrules: {rules}\nwire: {}\nrecord: {}\n{}",
        arena_wire::VERSION,
        arena_record::FORMAT,
        arena_check::semantics()
    );
    Hex::<32>(Sha256::digest(text).into()).to_string()
}

/// The digests of the built-in opponents among these entrants, for a header. Opponents that this release lacks are left
/// out, so that no header with one equals ours.
pub fn opponent_digests(ruleset: &str, entrants: &[EntrantId]) -> BTreeMap<EntrantId, Hex<32>> {
    let digest = |id: &EntrantId| {
        let (name, version) = id.baseline()?;
        let opponent = Opponent::named(ruleset, &format!("{name}@{version}")).ok()?;
        Some((id.clone(), opponent.digest().parse().ok()?))
    };
    entrants.iter().filter_map(digest).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::fmt::Write as _;

    use arena_record::{Budgets, ForfeitCode};
    use arena_referee::{Fault, Referee, Reply};
    use arena_rules::conquerors::{Opening, Options, Position, Start};
    use arena_rules::{Rng, Ruleset, Seat};
    use arena_wire::{Call, GAMES, Game, Point, Protocol, Visitor};

    use super::*;
    use crate::Terms;
    use crate::testing::play;

    /// Games in the digest of a game's rules, for each set of options.
    const WALKS: u8 = 24;
    /// Games in an opponent's digest, casual ones and as many ranked ones: enough to meet chance.
    const SEEDS: u8 = 4;
    /// Both, for games with large boards and many turns.
    const WALKS_OF_LONG: u8 = 4;
    const SEEDS_OF_LONG: u8 = 1;

    fn is_long(game: &Game) -> bool {
        game.name() == "life2"
    }

    fn sha256(text: &str) -> String {
        Hex::<32>(Sha256::digest(text).into()).to_string()
    }

    /// A legal action of a seat that is asked, built with the game's tools. Cells are close together, because scattered
    /// ones die.
    fn any_action<P: Protocol>(position: &P, seat: Seat, rng: &mut Rng) -> P::Action {
        let mut tools = P::TOOLS.to_vec();
        rng.shuffle(&mut tools);
        let legal = |call: &Call| {
            let action = P::compose(std::slice::from_ref(call))?;
            position.check(seat, &action).is_ok().then_some(action)
        };
        for tool in tools {
            let mut call = Call { tool, cells: Vec::new() };
            loop {
                if let Some(action) = legal(&call) {
                    return action;
                }
                let next = position.choices(seat, std::slice::from_ref(&call));
                let near = |cell: &&Point| {
                    let close = |one: u16, other: u16| one.abs_diff(other) <= 1;
                    call.cells.last().is_none_or(|last| close(cell.row, last.row) && close(cell.col, last.col))
                };
                let close: Vec<&Point> = next.iter().filter(near).collect();
                let from = if close.is_empty() { next.iter().collect() } else { close };
                if from.is_empty() {
                    break;
                }
                let cell = *from[rng.below(from.len() as u32) as usize];
                call.cells.push(cell);
            }
        }
        panic!("{} awaits {seat}, which can do nothing", P::ID);
    }

    /// A game of legal actions drawn from a seed, in which seats sometimes fail or people end it; with its digest.
    struct Walk<'a> {
        options: &'a str,
        seed: u8,
    }

    impl Visitor for Walk<'_> {
        type Out = String;

        fn visit<P: Protocol>(self, start: P) -> String {
            let Walk { options, seed } = self;
            let mut rng = Rng::new(&[seed; 32], 0);
            let mut game = Referee::new(start, options, &Budgets::of(P::ALLOWANCE));
            let early = if seed % 3 == 0 { rng.below(12) } else { u32::MAX };
            while game.outcome().is_none() {
                if u32::from(game.turn()) == early {
                    let code = ForfeitCode::ALL[usize::from(seed / 3) % ForfeitCode::ALL.len()];
                    let fault = Fault { code, detail: String::new() };
                    let seat = game.awaiting().iter().next().unwrap();
                    let said = if seed % 9 == 0 { game.agree() } else { game.forfeit(seat, fault) };
                    said.unwrap();
                }
                for seat in game.awaiting().iter() {
                    let action = P::encode_action(&any_action(game.position(), seat, &mut rng));
                    game.submit(seat, Reply { action, fuel: None }).unwrap();
                }
            }
            Hex(game.digest().unwrap()).to_string()
        }
    }

    /// Options besides the casual and ranked ones, to reach all rules of a game.
    fn more_options(game: &Game) -> &'static [&'static str] {
        match game.name() {
            "conquerors" => &["", "weighted_majority", "chain_needs_home,weighted_majority,opening=turns:4"],
            "game-of-game-of-life" => &["seats=2,generations=50", "seats=3,lots=fixed,generations=100"],
            "life2" => &["seats=9,coins=60,generations=600"],
            _ => &[],
        }
    }

    /// The digests of games under a game's rules, independent of opponents.
    fn rules(game: &Game) -> String {
        let mut text = String::new();
        for options in [game.casual, game.ranked].iter().chain(more_options(game)) {
            for seed in 0..if is_long(game) { WALKS_OF_LONG } else { WALKS } {
                let digest = arena_wire::start(game.ruleset, options, &[seed; 32], Walk { options, seed }).unwrap();
                let _ = writeln!(text, "{options} {seed} {digest}");
            }
        }
        sha256(&text)
    }

    /// The digests of games that an opponent plays against itself, also under the options that it was made for.
    fn opponent(game: &Game, opponent: Opponent) -> String {
        let id = EntrantId::of_baseline(opponent.name(), opponent.version());
        let mut text = String::new();
        for options in [game.casual, game.ranked].into_iter().chain(opponent.made_for()) {
            let terms = Terms::new("", game.ruleset, options, Budgets::of(game.allowance));
            let seats = game.shape(options).unwrap().seats;
            for seed in 0..if is_long(game) { SEEDS_OF_LONG } else { SEEDS } {
                let record = play(terms.header([seed; 32], vec![id.clone(); seats.into()]));
                let _ = writeln!(text, "{options} {seed} {}", record.digest);
            }
        }
        sha256(&text)
    }

    /// With a new version of one, no later tournament would have an anchor: the game needs another one, and a reason.
    #[test]
    fn every_game_names_built_in_opponents_of_this_release_as_its_anchor() {
        for game in GAMES.iter().filter(|game| game.name() != "tiny-game") {
            assert!(!game.anchor.is_empty(), "{}", game.ruleset);
            for named in game.anchor {
                let mut usual = Opponent::usual(game.ruleset);
                let is_it = |usual: Opponent| format!("{}@{}", usual.name(), usual.version()) == *named;
                assert!(usual.any(is_it), "{}: {named}", game.ruleset);
            }
        }
    }

    /// Hash of the boards from a fixed set of openings and seeds: every opening from a hundred seeds. An opening is
    /// part of a ruleset's options, and its boards follow from a game's seed, so a change of the draws changes every
    /// such game and requires a new version of the ruleset.
    #[test]
    fn openings_are_drawn_as_they_always_were() {
        let openings = (0..=u8::MAX).flat_map(|number| [Opening::symmetric(number), Opening::random_turns(number)]);
        let mut text = String::new();
        for opening in openings.flatten() {
            for seed in 0..100 {
                let start = Start { options: Options::V2, opening };
                let _ = writeln!(text, "{opening} {seed} {}", Position::start(&start, &[seed; 32]).board());
            }
        }
        assert_eq!(sha256(&text), "973ba8149ccab1b7f93874508fd79dbd06b27baedded9b666567a4e77709e17f");
    }

    mod slow {
        use super::*;

        /// Results are comparable exactly as long as these ids do not change. If one changes, earlier results are not
        /// comparable any more. If that is intended, because prices, limits or the ruleset's version changed, enter the
        /// new digest in [`RULES`] and the new id here.
        #[test]
        fn every_game_is_judged_as_it_always_was() {
            let now = GAMES.iter().map(|game| {
                let rules = rules(game);
                let id = id(game.ruleset, &rules);
                (game.ruleset, rules, id)
            });
            let pinned = [
                ("conquerors@2", "4301841da819a6bd4b3aa5f8fdaa7a910fca5ced15fc7aec55ffd722eb1d4b40"),
                ("war-of-life@1", "e3347f0d79814b20f2cc0d6246e905a48b6627d5379afc9c0651bcd88c1621f3"),
                ("game-of-game-of-life@1", "733344d025b1739ba4ff532142ad7beb9fe42b5be8bde56d7996aba50fba5557"),
                ("life2@2", "a7a98c7137172bce1e4fd21f505c4c8eab9bed9a5257bf80e250f0134dc1a924"),
            ];
            let pinned = pinned.iter().zip(RULES);
            let pinned = pinned.map(|((ruleset, id), (_, rules))| (*ruleset, rules.to_owned(), (*id).to_owned()));
            assert_eq!(now.collect::<Vec<_>>(), pinned.collect::<Vec<_>>());
        }

        /// A released version of an opponent never changes. To make it play differently, add a version with its own
        /// digest.
        #[test]
        fn every_opponent_plays_as_its_digest_says() {
            let of_game = |game: &'static Game| Opponent::versions(game.ruleset).map(move |built_in| (game, built_in));
            let all: Vec<_> = GAMES.iter().flat_map(of_game).collect();
            let played: Vec<_> = all.iter().map(|(game, built_in)| (*built_in, opponent(game, *built_in))).collect();
            let said: Vec<_> = all.iter().map(|(_, built_in)| (*built_in, built_in.digest().to_owned())).collect();
            assert_eq!(played, said);
        }
    }
}
