//! What results depend on, as one id for each game.

use arena_record::Hex;
use sha2::{Digest, Sha256};

/// Names everything a verdict of a game depends on: its rules, start and built-in opponents, contract, record, prices,
/// limits. Two results are comparable when their ids are equal. Another game changes nothing here.
pub fn semantics_id(ruleset: &str) -> String {
    id(ruleset, arena_baselines::digest(ruleset))
}

fn id(ruleset: &str, games: &str) -> String {
    let text = format!(
        "arena semantics 2\nruleset: {ruleset}\ngames: {games}\nwire: {}\nrecord: {}\n{}",
        arena_wire::VERSION,
        arena_record::FORMAT,
        arena_sandbox::semantics()
    );
    Hex::<32>(Sha256::digest(text).into()).to_string()
}

/// Notes which release and engine produced a result.
pub fn build_id() -> String {
    format!("arena {} {}", env!("CARGO_PKG_VERSION"), arena_sandbox::build())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use arena_baselines::Opponent;
    use arena_record::Budgets;
    use arena_rules::conquerors::{Opening, Options, Position, Start};
    use arena_rules::{BySeat, Ruleset};
    use arena_sandbox::Wall;
    use arena_wire::{GAMES, Game};

    use super::*;
    use crate::testing::play;
    use crate::{Contender, Terms};

    /// Seeds of games, for each pair of opponents and for each way to take seats: enough for every opponent to meet chance.
    const SEEDS: u8 = 2;

    fn sha256(text: &str) -> String {
        Hex::<32>(Sha256::digest(text).into()).to_string()
    }

    /// Games between the built-in opponents of a game, by their digests: casual ones between all pairs, and ranked ones in
    /// which the opponents take turns in the seats.
    fn digest(game: &Game) -> String {
        let budgets = Budgets::of(game.allowance);
        let opponents: Vec<Contender> = Opponent::all(game.ruleset).map(Contender::Baseline).collect();
        let mut text = String::new();
        let casual = Terms::new(game.ruleset, game.casual, budgets, Wall::None);
        for first in &opponents {
            for second in &opponents {
                for seed in 0..SEEDS {
                    let record = play(&casual, [seed; 32], &BySeat::from([first, second]));
                    let _ = writeln!(text, "{}", record.digest);
                }
            }
        }
        let ranked = Terms::new(game.ruleset, game.ranked, budgets, Wall::None);
        let seats = game.shape(game.ranked).expect("a game").seats;
        for seed in 0..SEEDS {
            let seated = BySeat::new(seats, |seat| &opponents[(seat.index() + usize::from(seed)) % opponents.len()]);
            let record = play(&ranked, [seed; 32], &seated);
            let _ = writeln!(text, "{}", record.digest);
        }
        sha256(&text)
    }

    /// Results are comparable exactly while these stay. A difference means that results from before are not; when that is
    /// intended, because prices or limits changed or with a new version of the ruleset or its opponents, the new digest goes
    /// beside the opponents and the new id here.
    #[test]
    fn every_game_is_played_and_judged_as_it_always_was() {
        let now = GAMES.iter().map(|game| {
            let games = digest(game);
            let id = id(game.ruleset, &games);
            (game.ruleset, games, id)
        });
        let pinned = [
            ("conquerors@2", "00aada424ee4e49b27c231c7e0d5e76330aa6c6ac0e4cd5779b714c55a979873"),
            ("war-of-life@1", "ebd06d2475d9bc1046f7a9fdbdc59adc59b59bcaa9d46f22ea9d52da7ed1ced1"),
            ("game-of-game-of-life@1", "bcbe3fd2af55d6b50384583200ae23d5319e36eedfa98a660d81eca106aa7adc"),
        ];
        let pinned = pinned.map(|(ruleset, id)| (ruleset, arena_baselines::digest(ruleset).into(), id.into()));
        assert_eq!(now.collect::<Vec<_>>(), pinned);
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
