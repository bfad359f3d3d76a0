//! The opponents of Life2: idle, expander, besieger.
//!
//! The last two send gliders, which take the ground that they cross: outwards, or at bases. Each glider starts from the best of
//! some places drawn with the seat's seed.

mod glider;

use arena_rules::life2::{Action, Position};
use arena_rules::{Rng, Seat, Seed};

use crate::{BuiltIn, Opponents};
use glider::Glider;

/// A way to choose actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Places nothing: its base stands, because no enemy is born in it.
    Idle,
    /// Gliders that start far out and go further.
    Expander,
    /// Gliders at the nearest base in their direction; if there is none, as the expander.
    Besieger,
}

impl Strategy {
    /// All of them, weakest first.
    pub const ALL: [Strategy; 3] = [Strategy::Idle, Strategy::Expander, Strategy::Besieger];

    /// Its name in tournaments and commands.
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::Idle => "idle",
            Strategy::Expander => "expander",
            Strategy::Besieger => "besieger",
        }
    }
}

impl Opponents for Position {
    const ALL: &'static [BuiltIn<Position>] = &[
        BuiltIn::first(
            Strategy::Idle.name(),
            "b41c6a5cf9e4c1402c33779dbc70435bda6db85e46198e12840a0424c518d715",
            |position, seat, seed| Some(choose(position, seat, Strategy::Idle, seed)),
        )
        .about("stays at its base"),
        BuiltIn::first(
            Strategy::Expander.name(),
            "d3821e49e8f027c5fe8565242cd32f24d0fab77c2e64a7cdfb25baf18f7df552",
            |position, seat, seed| Some(choose(position, seat, Strategy::Expander, seed)),
        )
        .about("sends gliders outwards, for ground"),
        BuiltIn::first(
            Strategy::Besieger.name(),
            "fcb6a3d1e8fea7f66fd9496cbf0422709ab763ab47c9a6096cf1556b9bc6e7a7",
            |position, seat, seed| Some(choose(position, seat, Strategy::Besieger, seed)),
        )
        .about("sends gliders at the nearest base"),
    ];
}

/// The action of a strategy in `position`, using no more than a bot knows. The same arguments always give the same action.
///
/// The generator is keyed by the seat's seed, its stream the number of turns.
pub fn choose(position: &Position, seat: Seat, strategy: Strategy, seat_seed: &Seed) -> Action {
    let mut rng = Rng::new(seat_seed, position.turns().into());
    let worth = match strategy {
        Strategy::Idle => return Action::Pass,
        Strategy::Expander => outward,
        Strategy::Besieger => at_a_base,
    };
    let best = Glider::some(position, seat, &mut rng).max_by_key(|glider| worth(position, seat, glider));
    best.map_or(Action::Pass, |glider| Action::Place(glider.cells().into()))
}

/// How far out a glider starts, in its direction.
fn outward(position: &Position, seat: Seat, glider: &Glider) -> i32 {
    position.kingdom(seat).map_or(0, |kingdom| glider.lead(kingdom.base))
}

/// For a glider that meets a base, more than [`outward`] ever returns: the more, the sooner it does.
fn at_a_base(position: &Position, seat: Seat, glider: &Glider) -> i32 {
    let enemies = position.world().kingdoms().filter(|(slot, _)| slot.number() != seat.0 + 1);
    let nearest = enemies.filter_map(|(_, kingdom)| glider.meets(kingdom.base)).min();
    nearest.map_or_else(|| outward(position, seat, glider), |cells| 10_000 - cells)
}
