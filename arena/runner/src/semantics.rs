//! What results depend on, as one id for each game, and what built-in opponents are.

use std::collections::BTreeMap;

use arena_baselines::Opponent;
use arena_record::{EntrantId, Hex};
use sha2::{Digest, Sha256};

/// A hash of games under the rules of each game, whoever plays; a test below says which, and plays them again.
const RULES: [(&str, &str); 3] = [("conquerors@2", ""), ("war-of-life@1", ""), ("game-of-game-of-life@1", "")];

/// Names everything a verdict of a game depends on: its rules and start, contract, record, prices, limits. Two results are
/// comparable when their ids are equal. Another game changes nothing here, and no opponent does: headers of games name
/// [their digests](opponent_digests).
pub fn semantics_id(ruleset: &str) -> String {
    id(ruleset, RULES.iter().find(|(name, _)| *name == ruleset).map_or("", |(_, rules)| rules))
}

fn id(ruleset: &str, rules: &str) -> String {
    let text = format!(
        "arena semantics 3\nruleset: {ruleset}\nrules: {rules}\nwire: {}\nrecord: {}\n{}",
        arena_wire::VERSION,
        arena_record::FORMAT,
        arena_sandbox::semantics()
    );
    Hex::<32>(Sha256::digest(text).into()).to_string()
}

/// What the built-in opponents among these entrants are, as headers say it. One that this release does not have is left out,
/// so that no header with it is equal to ours.
pub fn opponent_digests(ruleset: &str, entrants: &[EntrantId]) -> BTreeMap<EntrantId, Hex<32>> {
    let digest = |id: &EntrantId| {
        let (name, version) = id.baseline()?;
        let opponent = Opponent::named(ruleset, &format!("{name}@{version}")).ok()?;
        Some((id.clone(), opponent.digest().parse().ok()?))
    };
    entrants.iter().filter_map(digest).collect()
}

/// Notes which release and engine produced a result.
pub fn build_id() -> String {
    format!("arena {} {}", env!("CARGO_PKG_VERSION"), arena_sandbox::build())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::fmt::Write as _;

    use arena_record::{Budgets, ForfeitCode};
    use arena_referee::{Fault, Referee, Reply};
    use arena_rules::conquerors::{Opening, Options, Position, Start, Target, TurnDraft};
    use arena_rules::{BySeat, Rng, Ruleset, Seat, conquerors, game_of_game_of_life, war_of_life};
    use arena_sandbox::Wall;
    use arena_wire::{GAMES, Game, Protocol};

    use super::*;
    use crate::{Contender, Table};

    /// Games that the digest of a game's rules is made of, for each kind of options.
    const WALKS: u8 = 24;
    /// Games that an opponent's digest is made of, casual ones and as many ranked ones: enough for it to meet chance.
    const SEEDS: u8 = 4;

    fn sha256(text: &str) -> String {
        Hex::<32>(Sha256::digest(text).into()).to_string()
    }

    /// A game in which legal actions can be drawn.
    trait Walked: Protocol {
        /// Options beside the casual and the ranked ones, so that all rules are reached.
        const MORE: &'static [&'static str];

        /// Any legal action of a seat that is awaited.
        fn any(&self, seat: Seat, rng: &mut Rng) -> Self::Action;
    }

    impl Walked for conquerors::Position {
        const MORE: &'static [&'static str] =
            &["", "weighted_majority", "chain_needs_home", "chain_needs_home,weighted_majority,opening=turns:4"];

        fn any(&self, seat: Seat, rng: &mut Rng) -> conquerors::Action {
            let draft = || TurnDraft::new(self, seat).unwrap();
            let centre = Target { row: rng.below(26) as u8, col: rng.below(28) as u8 };
            match rng.below(8) {
                0 if draft().skip().is_ok() => return conquerors::Action::Skip,
                1 | 2 if draft().bomb(centre).is_ok() => return conquerors::Action::Bomb(centre),
                _ => {}
            }
            let mut draft = draft();
            while !draft.placeable().is_empty() {
                let open = draft.placeable();
                // Cells close to the last one live longer than scattered ones.
                let near = |cell: &conquerors::Cell| {
                    let close = |one: usize, other: usize| one.abs_diff(other) <= 1;
                    let last = draft.placed().last();
                    last.is_none_or(|last| close(cell.row(), last.row()) && close(cell.col(), last.col()))
                };
                let cells: Vec<_> = open.cells().filter(near).collect();
                let cells = if cells.is_empty() { open.cells().collect() } else { cells };
                draft.place(cells[rng.below(cells.len() as u32) as usize].into()).unwrap();
            }
            match draft.finish() {
                Ok(turn) => (&turn).into(),
                Err(_) if self.check(seat, &conquerors::Action::Skip).is_ok() => conquerors::Action::Skip,
                Err(_) => conquerors::Action::Pass,
            }
        }
    }

    impl Walked for war_of_life::Position {
        const MORE: &'static [&'static str] = &[];

        fn any(&self, seat: Seat, rng: &mut Rng) -> war_of_life::Action {
            let count = self.moves(seat).count() as u32;
            self.moves(seat).nth(rng.below(count) as usize).unwrap().into()
        }
    }

    impl Walked for game_of_game_of_life::Position {
        const MORE: &'static [&'static str] =
            &["seats=2,generations=50", "seats=3,lots=fixed,generations=100", "seats=9,generations=100"];

        fn any(&self, seat: Seat, rng: &mut Rng) -> game_of_game_of_life::Action {
            use game_of_game_of_life::{Action, Target};

            let reach: Vec<_> = self.board().reach(seat).cells().collect();
            match rng.below(4) {
                0 => Action::Pass,
                1 => Action::Cell(Target { row: rng.below(12) as u8, col: rng.below(12) as u8 }),
                _ => Action::Cell(reach[rng.below(reach.len() as u32) as usize].into()),
            }
        }
    }

    /// Games under a game's rules, by their digests: legal actions drawn from seeds, and now and then a seat that fails or a
    /// person's word.
    fn rules<P: Walked>() -> String {
        let mut text = String::new();
        for options in [P::CASUAL, P::RANKED].iter().chain(P::MORE) {
            for seed in 0..WALKS {
                let mut rng = Rng::new(&[seed; 32], 0);
                let start = P::start(&P::parse_options(options).unwrap(), &[seed; 32]);
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
                        let action = P::encode_action(&game.position().any(seat, &mut rng));
                        game.submit(seat, Reply { action, fuel: None }).unwrap();
                    }
                }
                let _ = writeln!(text, "{options} {seed} {}", Hex(game.digest().unwrap()));
            }
        }
        sha256(&text)
    }

    /// Games that an opponent plays against itself, by their digests.
    fn opponent(game: &Game, opponent: Opponent) -> String {
        let contender = Contender::Baseline(opponent);
        let mut text = String::new();
        for options in [game.casual, game.ranked] {
            let table = Table::new(game.ruleset, options, Budgets::of(game.allowance), Wall::None);
            let seats = game.shape(options).unwrap().seats;
            for seed in 0..SEEDS {
                let record = table.play([seed; 32], &BySeat::new(seats, |_| &contender)).unwrap();
                let _ = writeln!(text, "{options} {seed} {}", record.digest);
            }
        }
        sha256(&text)
    }

    /// Results are comparable exactly while these stay. A difference means that results from before are not; when that is
    /// intended, because prices or limits changed or with a new version of the ruleset, the new digest goes into [`RULES`] and
    /// the new id here.
    #[test]
    fn every_game_is_judged_as_it_always_was() {
        let rules = [
            rules::<conquerors::Position>(),
            rules::<war_of_life::Position>(),
            rules::<game_of_game_of_life::Position>(),
        ];
        let now = GAMES.iter().zip(rules).map(|(game, rules)| {
            let id = id(game.ruleset, &rules);
            (game.ruleset, rules, id)
        });
        let pinned = [("conquerors@2", ""), ("war-of-life@1", ""), ("game-of-game-of-life@1", "")];
        let pinned =
            pinned.iter().zip(RULES).map(|((ruleset, id), (_, rules))| (*ruleset, rules.to_owned(), (*id).to_owned()));
        assert_eq!(now.collect::<Vec<_>>(), pinned.collect::<Vec<_>>());
    }

    /// A version of an opponent stays as it was released. What is to play otherwise gets a version of its own, and its digest
    /// goes beside it.
    #[test]
    fn every_opponent_plays_as_its_digest_says() {
        for game in GAMES {
            for built_in in Opponent::versions(game.ruleset) {
                assert_eq!(opponent(game, built_in), built_in.digest(), "{built_in:?}");
            }
        }
    }

    /// Hash of the boards that a fixed set of openings and seeds starts from: every opening from a hundred seeds. An opening
    /// belongs to a ruleset's options and its boards follow from a game's seed, so a change of the draws is a change of every
    /// such game, and of the ruleset's version.
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
}
