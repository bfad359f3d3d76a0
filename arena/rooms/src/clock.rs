//! People's clocks. Time comes in with events and is never read from a clock here.

use arena_record::Hex;
use serde::{Deserialize, Serialize};

use crate::{CLOCK_MS_MAX, CLOCK_MS_MIN, INCREMENT_MS_MAX};

/// How much time each person has. Bots have fuel instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "per", rename_all = "snake_case", deny_unknown_fields)]
pub enum Clock {
    /// The same time for each turn.
    Turn {
        /// For a turn, in milliseconds: [`CLOCK_MS_MIN`] to [`CLOCK_MS_MAX`].
        ms: u32,
    },
    /// For all turns together.
    Game {
        /// At the start, in milliseconds: [`CLOCK_MS_MIN`] to [`CLOCK_MS_MAX`].
        ms: u32,
        /// Added after each turn, in milliseconds: at most [`INCREMENT_MS_MAX`].
        increment_ms: u32,
    },
}

impl Clock {
    /// Whether its times are within their limits.
    pub fn is_sound(self) -> bool {
        let (ms, increment_ms) = match self {
            Clock::Turn { ms } => (ms, 0),
            Clock::Game { ms, increment_ms } => (ms, increment_ms),
        };
        (CLOCK_MS_MIN..=CLOCK_MS_MAX).contains(&ms) && increment_ms <= INCREMENT_MS_MAX
    }

    /// The time on a clock at the start, in milliseconds.
    pub(crate) fn full_ms(self) -> u64 {
        let (Clock::Turn { ms } | Clock::Game { ms, .. }) = self;
        ms.into()
    }

    /// The time on a clock after a turn that ended with `left_ms` left, in milliseconds.
    pub(crate) fn after_turn_ms(self, left_ms: u64) -> u64 {
        match self {
            Clock::Turn { ms } => ms.into(),
            Clock::Game { increment_ms, .. } => left_ms + u64::from(increment_ms),
        }
    }
}

/// Logged with each event: the state of the game after it. A reader recomputes all of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// The digest of the game so far.
    pub digest: Hex<8>,
    /// How long the game has lasted, in milliseconds: since its start, and only while a server ran it.
    pub elapsed_ms: u64,
    /// The time left on each seat's clock, in milliseconds; `null` for seats without one. Empty in rooms without
    /// clocks.
    pub left_ms: Vec<Option<u64>>,
}
