//! A refusal: whose share is used up, and when to retry.

use std::fmt;
use std::time::Duration;

use arena_limits::{Kind, Refusal, Refused};

use super::Key;
use crate::language::Text;
use crate::limit_kind::LimitKind;
use crate::problem::InSpanish;
use crate::text;

const HINT: &str = "/api/v1/limits has the limits of accounts and networks";

/// A used-up share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) struct UsedUp {
    pub(crate) what: LimitKind,
    pub(crate) key: Key,
    /// Time until the request would succeed, if nobody else takes it before. For held things, the time until an
    /// abandoned one is released.
    pub(crate) after: Duration,
}

impl UsedUp {
    /// Whole seconds to wait, at least one.
    pub(crate) fn seconds(&self) -> u64 {
        (self.after.as_secs() + u64::from(self.after.subsec_nanos() > 0)).max(1)
    }
}

impl fmt::Display for UsedUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, seconds) = (self.what.words(), self.seconds());
        if self.what.is_held() {
            let whose = match self.key {
                Key::Account(_) => "your account",
                Key::Network(_) => "your network",
                Key::Everybody | Key::Others | Key::Around(_) => "this arena",
            };
            return write!(
                f,
                "{whose} has as many {words} as it may: close one; one that was left behind ends within {seconds} s"
            );
        }
        match self.key {
            Key::Account(_) => write!(f, "your account has had its share of {words}; try again in {seconds} s"),
            Key::Network(_) => write!(f, "your network has had its share of {words}; try again in {seconds} s"),
            Key::Everybody | Key::Others | Key::Around(_) => {
                write!(f, "more {words} are asked for than this arena has; try again in {seconds} s")
            }
        }
    }
}

impl Refused for UsedUp {
    fn refusal(&self) -> Refusal {
        let refusal = match self.key {
            Key::Account(_) | Key::Network(_) => Kind::TooMany.says("too_many", HINT),
            Key::Everybody | Key::Others | Key::Around(_) => Kind::Busy.says("busy", HINT),
        };
        refusal.again_in(self.seconds()).counted()
    }
}

impl InSpanish for UsedUp {
    fn in_spanish(&self) -> [Text; 2] {
        let (whose, what) = match self.key {
            Key::Account(_) => (text::limit_of_account(), self.what.in_spanish()),
            Key::Network(_) => (text::limit_of_network(), self.what.in_spanish()),
            Key::Everybody | Key::Others | Key::Around(_) => return [text::refused_busy(), text::hint_busy()],
        };
        if self.what.is_held() {
            [text::refused_too_many_at_once(self.seconds(), what, whose), text::hint_too_many_at_once()]
        } else {
            [text::refused_too_many(self.seconds(), what, whose), text::hint_too_many()]
        }
    }
}

#[cfg(test)]
mod tests {
    use arena_store::AccountId;

    use super::super::table::{ARCHIVES, AT_ONCE, RATES, TURNED_AWAY, at_once};
    use super::*;
    use crate::limits::{ARCHIVE_SECONDS, PING_EVERY, SILENCE_MAX, WRITE_DEADLINE};

    #[test]
    fn what_is_limited_at_once_is_held_and_nothing_else_is() {
        assert!(AT_ONCE.iter().chain([&ARCHIVES, &TURNED_AWAY]).all(|row| row.what.is_held()));
        assert!(RATES.iter().all(|row| !row.what.is_held()));
    }

    #[test]
    fn an_archive_that_is_left_behind_ends_as_soon_as_its_refusal_says() {
        let refusal = UsedUp { what: LimitKind::Archives, key: Key::Account(AccountId(1)), after: ARCHIVES.free_after };
        let said = format!("close one; one that was left behind ends within {ARCHIVE_SECONDS} s");
        assert!(refusal.to_string().ends_with(&said), "{refusal}");
        // Who takes nothing is cut off, however much of it was sent before.
        assert!(WRITE_DEADLINE < ARCHIVES.free_after);
    }

    #[test]
    fn a_socket_that_is_left_behind_ends_as_soon_as_its_refusal_says() {
        // Silence is noticed with the first ping after it has lasted too long.
        let noticed = (1..).map(|number| PING_EVERY * number).find(|since| *since > SILENCE_MAX);
        assert!(noticed.is_some_and(|noticed| noticed <= at_once(LimitKind::Sockets).free_after));
    }

    #[test]
    fn what_is_held_is_not_said_to_come_back_by_itself() {
        let refusal = |what| UsedUp { what, key: Key::Account(AccountId(1)), after: Duration::from_millis(24_500) };
        assert_eq!(refusal(LimitKind::Plies).to_string(), "your account has had its share of turns; try again in 25 s");
        assert_eq!(
            refusal(LimitKind::Sockets).to_string(),
            "your account has as many sockets as it may: close one; one that was left behind ends within 25 s"
        );
        let spanish = |what| refusal(what).in_spanish()[0].to_string();
        assert_eq!(
            spanish(LimitKind::Plies),
            "tu cuenta ha agotado su parte de turnos; inténtalo otra vez dentro de 25 segundos"
        );
        assert_eq!(
            spanish(LimitKind::Sockets),
            "tu cuenta ha llegado a su máximo de sockets: cierra uno; lo que se abandona termina en 25 segundos \
             como máximo"
        );
    }
}
