//! The texts for people's clocks in forms and in the API: `none`, `turn-60`, `game-600-5`, in seconds.

use crate::text;
use arena_rooms::Clock;
use arena_service::OpenRoomError;

/// The clocks that forms offer.
pub(crate) const OFFERED: [&str; 5] = ["game-600-5", "game-180-2", "turn-30", "turn-300", "none"];

/// Parses a clock's text; `None` is the clock of `none`.
pub(crate) fn parse(text: &str) -> Result<Option<Clock>, OpenRoomError> {
    let seconds = |text: &str| -> Result<u32, OpenRoomError> {
        let seconds: u32 = text.parse().map_err(|_| OpenRoomError::Clock)?;
        seconds.checked_mul(1_000).ok_or(OpenRoomError::Clock)
    };
    let clock = match text.split('-').collect::<Vec<_>>()[..] {
        ["none"] => return Ok(None),
        ["turn", each] => Clock::Turn { ms: seconds(each)? },
        ["game", all, increment] => Clock::Game { ms: seconds(all)?, increment_ms: seconds(increment)? },
        _ => return Err(OpenRoomError::Clock),
    };
    if clock.is_sound() { Ok(Some(clock)) } else { Err(OpenRoomError::Clock) }
}

/// The text of a clock.
pub(crate) fn text(clock: Option<Clock>) -> String {
    match clock {
        None => "none".into(),
        Some(Clock::Turn { ms }) => format!("turn-{}", ms / 1_000),
        Some(Clock::Game { ms, increment_ms }) => format!("game-{}-{}", ms / 1_000, increment_ms / 1_000),
    }
}

/// A clock in words.
pub(crate) fn words(clock: Option<Clock>) -> String {
    match clock {
        None => text::lobby_as_much_time_as_you().into(),
        Some(Clock::Turn { ms }) => text::lobby_clock_a_turn(span(ms)).into(),
        Some(Clock::Game { ms, increment_ms: 0 }) => text::lobby_clock_for_the_game(span(ms)).into(),
        Some(Clock::Game { ms, increment_ms }) => text::lobby_clock_with_increment(span(increment_ms), span(ms)).into(),
    }
}

fn span(ms: u32) -> String {
    let seconds = ms / 1_000;
    if seconds >= 60 && seconds.is_multiple_of(60) { format!("{} min", seconds / 60) } else { format!("{seconds} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_what_is_shown() {
        for asked in OFFERED {
            assert_eq!(parse(asked).map(text).ok().as_deref(), Some(asked));
        }
        for bad in ["", "turn", "turn-", "turn-4", "turn-3601", "game-600", "game-600-61", "game-4294968-5", "week-1"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
