//! Replays a recorded game with one of its bots: what it logged, and what each call used.

use std::sync::Arc;

use arena_record::Record;
use arena_referee::{PlayError, Player, play};
use arena_rules::{BySeat, Seat};
use arena_worker::Wall;

use crate::usage::Metered;
use crate::{Contender, ContenderPlayer, SampleGame};

/// Replays a recorded game with `bot` in one seat; the other seats answer from the record. The resulting record is the
/// same, unless this is another bot.
///
/// # Errors
/// When the machine failed, not the bot.
pub fn play_once_more(record: &Arc<Record>, bot: &Contender, seat: Seat, wall: Wall) -> Result<SampleGame, PlayError> {
    let seats = u8::try_from(record.header.entrants.len()).unwrap_or(u8::MAX);
    let mut own = Metered::new(bot.player(wall));
    let recorded = |at| Contender::Recorded(record.clone(), at).player(Wall::None);
    let mut others: Vec<ContenderPlayer> = (0..seats).map(Seat).filter(|at| *at != seat).map(recorded).collect();
    let mut players: Vec<&mut dyn Player> = others.iter_mut().map(|player| player as _).collect();
    players.insert(seat.index().min(players.len()), &mut own);
    let played = play(record.header.clone(), BySeat::from(players))?;
    Ok(own.into_game(seat, played))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use arena_record::Budgets;
    use arena_released::Released;
    use arena_sandbox::{Sandbox, names};
    use arena_wire::Game;

    use super::*;
    use crate::{
        FunctionUse, InProcess, PROFILE_POINTS, Qualification, costliest, costliest_functions, functions_used, profile,
        qualify,
    };

    #[test]
    fn a_game_played_once_more_is_known_call_by_call_as_when_it_was_played() {
        let host = InProcess::new(Sandbox::new().unwrap());
        let mason = Released::named("conquerors@2", "mason").unwrap();
        let game = Game::named(mason.ruleset).unwrap();
        let qualified = qualify(&host, mason.bytes, game, &Budgets::DEFAULT, 4, Wall::None).unwrap();
        let Qualification::Played(sample) = qualified else { panic!("mason is a bot") };
        for first in &sample.games {
            let record = Arc::new(first.record.clone());
            let again = play_once_more(&record, &sample.bot, first.seat, Wall::None).unwrap();
            assert_eq!(again.record.to_text(), first.record.to_text(), "{}", first.seat);
            let [before, now] =
                [first, &again].map(|game| (game.turn_fuel(), game.start_memory_bytes, game.log.clone()));
            assert_eq!(now, before, "{}", first.seat);
            let fuel: u64 = again.turn_fuel().iter().sum();
            let used = functions_used(mason.bytes, &sample.bot, std::slice::from_ref(&again)).unwrap();
            assert_eq!(used.iter().map(|used| used.alone).sum::<u64>(), fuel);
            assert!(used.iter().all(|used| used.alone <= used.with_calls && used.with_calls <= fuel), "{used:?}");
            assert_eq!(used.iter().map(|used| used.with_calls).max(), Some(fuel), "arena_turn, with all that it calls");
            let profile = profile(mason.bytes, &sample.bot, &[again], None).unwrap().unwrap();
            assert_eq!(profile.stacks.iter().map(|stack| stack.points).sum::<u64>(), PROFILE_POINTS);
            // What is seen at points is what is counted, to some percent.
            let counted = costliest_functions(&used, &names(mason.bytes), usize::MAX);
            for FunctionUse { function, self_percent, total_percent, .. } in costliest(&profile.stacks, 3) {
                let counted = counted.iter().find(|counted| counted.function == function).unwrap();
                let differs = |seen: f64, counted: f64| (seen - counted).abs() > 10.0;
                assert!(!differs(self_percent, counted.self_percent), "{function}: {self_percent}, {counted:?}");
                assert!(!differs(total_percent, counted.total_percent), "{function}: {total_percent}, {counted:?}");
            }
        }
    }
}
