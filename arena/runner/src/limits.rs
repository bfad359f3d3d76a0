//! Every limit of bots, of their processes and of tournaments, for people to read. A site adds its own.

use arena_limits::{Limit, limits};
use arena_record::{Budgets, RECORD_BYTES_MAX};
use arena_wire::{Allowance, GAMES};

limits! { LIMITS:
    pub PROFILE_POINTS: u64 = 100, "profile_points", "points of a profile",
        "each plays a sample game again up to there; a share is known to some percent";
    pub(crate) PROFILE_FUEL: u64 = 8_000_000_000, "profile_fuel", "fuel of a profile",
        "calls included, a second or two, thirty times as much where it waits for memory; a bot that uses much is seen at fewer points, unless all are asked for";
    pub(crate) PROFILE_POINTS_MIN: u64 = 10, "profile_points_min", "points of a profile",
        "fewer say too little; these have to be asked for";
}

/// The limits of this release. Names are stable.
pub fn limits() -> Vec<Limit> {
    let lists = [
        arena_sandbox::LIMITS,
        LIMITS,
        arena_scripts::LIMITS,
        arena_ledger::LIMITS,
        arena_worker::limits::LIMITS,
        arena_tournaments::limits::LIMITS,
    ];
    games().into_iter().chain(allowances()).chain(lists.concat()).collect()
}

/// What rules and records declare for every game.
fn games() -> [Limit; 5] {
    let Budgets { fuel_per_move, fuel_per_game: _, fuel_at_start, memory_bytes, module_bytes } = Budgets::DEFAULT;
    [
        Limit::new("fuel_per_move", fuel_per_move, "fuel", "about 20 times what the built-in opponents use"),
        Limit::new("fuel_at_start", fuel_at_start, "fuel", "building tables once may cost two turns' worth"),
        Limit::new(
            "memory_bytes",
            memory_bytes,
            "bytes",
            "fits the processor's cache, so that loads have a bounded cost",
        ),
        Limit::new("module_bytes", module_bytes, "bytes", "bounds the time to compile"),
        Limit::new(
            "record_bytes",
            RECORD_BYTES_MAX as u64,
            "bytes of a game's record",
            "bounds the work on a file from a stranger",
        ),
    ]
}

/// Fuel in games without the default budgets. The names end with the game's.
fn allowances() -> impl Iterator<Item = Limit> {
    GAMES.iter().flat_map(|game| {
        let own = |name: &str, fuel: Option<u64>, default: Option<u64>, unit, reason| {
            let value = fuel.filter(|_| fuel != default)?;
            Some(Limit::named(format!("{name}_of_{}", game.name().replace('-', "_")), value, unit, reason))
        };
        let Allowance { fuel_per_move, fuel_per_game } = game.allowance;
        let Budgets { fuel_per_move: a_move, fuel_per_game: a_game, .. } = Budgets::DEFAULT;
        let turn = own("fuel_per_move", Some(fuel_per_move), Some(a_move), "fuel", "this game has its own allowance");
        let bank =
            own("fuel_per_game", fuel_per_game, a_game, "fuel", "a bank for all turns; a seat with none left passes");
        turn.into_iter().chain(bank)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use arena_ledger::{GAMES_MAX, JOURNAL_BYTES_MAX};
    use arena_rules::BySeat;
    use arena_rules::game_of_game_of_life::SEATS_MAX;
    use arena_tournaments::limits::FIELD_GAMES_MAX;
    use arena_worker::Wall;

    use super::*;
    use crate::testing::play;
    use crate::{Contender, GameTerms};

    /// Bytes that a bot's fuel takes in a record, instead of the `null` of a player that is not metered.
    const FUEL_BYTES: usize = 8;

    #[test]
    fn as_many_games_as_there_may_be_fit_the_journal_of_an_archive() {
        // Those with large boards are played in `tests/it/slow/life2.rs`.
        for game in GAMES.iter().filter(|game| game.cells_a_turn == 0) {
            let two = game.match_options();
            let most = (game.ruleset == "game-of-game-of-life@1").then(|| format!("seats={SEATS_MAX}"));
            for options in [Some(game.ranked.to_owned()), two, most].into_iter().flatten() {
                let terms = GameTerms::new(game.ruleset, &options, Budgets::DEFAULT, Wall::None);
                let name = Contender::built_in(game.ruleset).nth(1).expect("a built-in opponent");
                let player = Contender::baseline(game.ruleset, name).expect("one of them");
                let seats = usize::from(game.shape(&options).expect("a game").seats);
                let record = play(terms.game([1; 32], &BySeat::from(vec![&player; seats])));
                let answers: usize = record.turns.iter().map(|turn| turn.plays.len()).sum();
                let bytes = (record.to_text().len() + answers * FUEL_BYTES) as u64;
                let games = if seats > 2 { u64::from(FIELD_GAMES_MAX) } else { GAMES_MAX as u64 };
                assert!(games * bytes <= JOURNAL_BYTES_MAX, "{options}: {games} games of {bytes} bytes");
            }
        }
    }

    #[test]
    fn limits_have_different_names_and_say_why() {
        let all = limits();
        let names: BTreeSet<&str> = all.iter().map(|limit| &*limit.name).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().all(|limit| limit.value > 0 && !limit.unit.is_empty() && !limit.reason.is_empty()));
    }

    #[test]
    fn a_game_with_an_allowance_of_its_own_is_in_the_list() {
        let all = limits();
        for game in GAMES {
            let Allowance { fuel_per_move, fuel_per_game } = game.allowance;
            let of = |name: &str| {
                let own = format!("{name}_of_{}", game.name().replace('-', "_"));
                all.iter().find(|limit| limit.name == own).or_else(|| all.iter().find(|limit| limit.name == name))
            };
            assert_eq!(of("fuel_per_move").map(|limit| limit.value), Some(fuel_per_move), "{}", game.title);
            assert_eq!(of("fuel_per_game").map(|limit| limit.value), fuel_per_game, "{}", game.title);
        }
        assert!(GAMES.iter().any(|game| game.allowance.fuel_per_game.is_some()), "no game with a bank was looked at");
    }

    /// Outside of [`limits!`] a constant would be missing in the list.
    #[test]
    fn no_limit_is_forgotten() {
        let files = [
            ("check", include_str!("../../check/src/limits.rs")),
            ("worker", include_str!("../../worker/src/limits.rs")),
        ];
        for (module, text) in files {
            assert!(text.matches("\n    pub ").count() > 5 && !text.contains("\npub const "), "{module}");
        }
    }
}
