//! The points that a game gives its winner.

use arena_rules::conquerors::{Opponent, ROUNDS, Win, points};
use arena_rules::{Reason, Seat};

use crate::{Finished, Who};

/// The built-in opponents that are worth less or more than the middle: the weakest and the strongest of each game. By
/// name and not by rank, so that a new opponent does not change points won before. Those made for other rules need
/// none: their games are not rated.
const TIERS: [(&str, &str, Opponent); 6] = [
    ("conquerors", "easy", Opponent::Easy),
    ("conquerors", "hard", Opponent::Hard),
    ("war-of-life", "random", Opponent::Easy),
    ("war-of-life", "minimax", Opponent::Hard),
    ("game-of-game-of-life", "nothing", Opponent::Easy),
    ("game-of-game-of-life", "planner", Opponent::Hard),
];

/// The winner's points in a game of two seats; 0 if nobody won. Games without rounds have no bonus for an early
/// extinction. Source: RR-001 §4.3, through [`points`].
pub fn worth(game: &Finished) -> u32 {
    let (Some(winner), Some(_)) = (game.outcome.winner, game.pair()) else { return 0 };
    let tally = |seat: Seat| game.outcome.tally.get(seat).copied().unwrap_or_default();
    let Some(loser) = game.sides.get(winner.opponent()) else { return 0 };
    points(&Win {
        opponent: opponent(game.game(), &loser.who),
        by_extinction: game.outcome.reason == Reason::Extinction,
        round: game.round.unwrap_or(u32::from(ROUNDS)),
        elapsed_s: game.elapsed_s,
        margin: tally(winner).saturating_sub(tally(winner.opponent())),
    })
}

fn opponent(game: &str, who: &Who) -> Opponent {
    let Who::BuiltIn(id) = who else { return Opponent::Person };
    let name = id.baseline().map_or("", |(name, _)| name);
    let tier = TIERS.into_iter().find(|(of, called, _)| (*of, *called) == (game, name));
    tier.map_or(Opponent::Normal, |(_, _, tier)| tier)
}
