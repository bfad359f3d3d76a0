//! What a verdict costs, in fuel, charged to the account that submitted the bot, and what compiling costs. Neither
//! depends on a clock.

use arena_record::Budgets;
use arena_runner::{Qualification, sample_fuel_max};
use arena_sandbox::{COMPILE_WEIGHT_TOTAL_MAX, compile_weight};
use arena_wire::Game;

use crate::limits::{JUDGE_COST, JUDGE_LIGHT_WEIGHT_MAX, JUDGE_WEIGHT_FUEL};

/// The most that compiling a module can cost.
pub(crate) const COMPILING_MAX: u64 = JUDGE_WEIGHT_FUEL * COMPILE_WEIGHT_TOTAL_MAX;

/// The most that a verdict on a bot for a game can cost.
pub(super) fn at_most(game: Option<&Game>) -> u64 {
    let fuel = game.map_or(0, |game| sample_fuel_max(game, &Budgets::of(game.allowance)));
    JUDGE_COST.saturating_add(COMPILING_MAX).saturating_add(fuel)
}

/// What this verdict on these bytes cost.
pub(super) fn of(bytes: &[u8], found: &Qualification) -> u64 {
    let played = match found {
        Qualification::Refused(_) => 0,
        Qualification::Played(sample) => sample.fuel_charged(),
    };
    JUDGE_COST.saturating_add(compiling(bytes)).saturating_add(played)
}

/// What compiling these bytes costs. A heavier module is refused before it is compiled.
pub(crate) fn compiling(bytes: &[u8]) -> u64 {
    JUDGE_WEIGHT_FUEL * compile_weight(bytes).min(COMPILE_WEIGHT_TOTAL_MAX)
}

/// Whether these bytes are light to compile, or refused before they are compiled.
pub(super) fn is_light(bytes: &[u8]) -> bool {
    let weight = compile_weight(bytes);
    weight <= JUDGE_LIGHT_WEIGHT_MAX || weight > COMPILE_WEIGHT_TOTAL_MAX
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use arena_runner::{InProcess, qualify};
    use arena_sandbox::{COMPILE_WEIGHT_OF_FUNCTION, Sandbox};
    use arena_worker::Wall;

    use super::*;
    use crate::fair_queue::{FairQueue, Request};
    use crate::judge::SAMPLE_SEED;

    /// A bot that passes, in games that allow it, after this many rounds of a loop in each turn and in its `start`.
    fn passer(turn: u32, start: u32) -> Vec<u8> {
        let burn = |rounds: u32| {
            format!(
                "(local $n i32) (local.set $n (i32.const {rounds}))
                 (loop $again (local.set $n (i32.sub (local.get $n) (i32.const 1)))
                    (br_if $again (i32.gt_s (local.get $n) (i32.const 0))))"
            )
        };
        let text = format!(
            "(module (memory (export \"memory\") 1) (data (i32.const 0) \"\\01\\00\\00\")
             (func (export \"arena_observation\") (param i32) (result i32) {} (i32.const 1024))
             (func (export \"arena_turn\") (param i32) (result i64) {} (i64.const 0x300000000)))",
            burn(start),
            burn(turn)
        );
        wat::parse_str(text).expect("a module")
    }

    fn cost(bytes: &[u8]) -> u64 {
        let game = Game::named("game-of-game-of-life").expect("a game");
        let host = InProcess::new(Sandbox::new().expect("an engine"));
        let found = qualify(&host, bytes, game, &Budgets::of(game.allowance), SAMPLE_SEED, Wall::None);
        let cost = of(bytes, &found.expect("it is judged"));
        assert!(cost <= at_most(Some(game)), "{cost}");
        cost
    }

    #[test]
    fn a_verdict_costs_what_compiling_and_the_sample_games_take() {
        let quick = cost(&passer(1, 1));
        assert!((JUDGE_COST..2 * JUDGE_COST).contains(&quick), "{quick}");
        let slow = cost(&passer(100_000, 1));
        assert!(slow > 10 * quick, "its turns: {slow}, {quick}");
        let started = cost(&passer(1, 1_000_000));
        assert!(started > quick + 2_000_000, "its starts: {started}, {quick}");
        // How much fuel a failing bot used is not known.
        let endless = cost(&passer(u32::MAX >> 1, 1));
        assert!(
            endless > quick + Budgets::of(Game::named("game-of-game-of-life").expect("a game").allowance).fuel_per_move
        );
        let heavy = wat::parse_str(format!("(module (func {}))", "(loop) ".repeat(1_000))).expect("a module");
        assert_eq!(
            cost(&heavy),
            JUDGE_COST + JUDGE_WEIGHT_FUEL * (COMPILE_WEIGHT_OF_FUNCTION + 1_000 * 201 + 1),
            "no bot, but to be compiled"
        );
        assert_eq!(cost(b"no module"), JUDGE_COST);
    }

    #[test]
    fn games_from_an_opening_are_played_from_the_fuel_that_the_other_sample_games_leave() {
        let (game, host) =
            (Game::named("conquerors").expect("a game"), InProcess::new(Sandbox::new().expect("an engine")));
        let budgets = Budgets::of(game.allowance);
        let most = sample_fuel_max(game, &budgets);
        let mason = include_str!("../../../../bots/gallery/mason/bot.wat");
        let locals = "(local $seat i32) (local $at i32)";
        assert_eq!(mason.matches(locals).count(), 1);
        // Rounds of a loop in each turn, of eight units each.
        for (rounds, games) in [(0, 2), (5_500_000, 1)] {
            let burn = format!(
                "{locals} (local $burn i32) (local.set $burn (i32.const {rounds}))
                 (loop $again (local.set $burn (i32.sub (local.get $burn) (i32.const 1)))
                    (br_if $again (i32.gt_s (local.get $burn) (i32.const 0))))"
            );
            let bytes = wat::parse_str(mason.replace(locals, &burn)).expect("a module");
            let found = qualify(&host, &bytes, game, &budgets, SAMPLE_SEED, Wall::None).expect("it is judged");
            let Qualification::Played(sample) = &found else { panic!("a bot") };
            assert_eq!(sample.openings.len(), games, "{rounds}: {} of {most}", sample.fuel_charged());
            assert!(found.objection().is_none() && sample.fuel_charged() <= most, "{rounds}");
        }
    }

    #[test]
    fn an_account_whose_bots_take_long_waits_for_others() {
        let (slow, quick) = (cost(&passer(100_000, 1)), cost(&passer(1, 1)));
        let mut shares = FairQueue::new(1, 0, JUDGE_COST);
        let wish = |key: u32| Request { key, asker: key, weight: NonZeroU32::MIN, cost: at_most(None), reserve: false };
        for _ in 0..20 {
            shares.wait(wish(1), slow);
            shares.wait(wish(2), quick);
        }
        let mut order = Vec::new();
        while let Some((cost, service)) = shares.begin() {
            order.push(cost);
            shares.end(service, cost);
        }
        let first: Vec<&u64> = order.iter().take(12).filter(|cost| **cost == slow).collect();
        assert!(first.len() <= 2, "{order:?}");
    }
}
