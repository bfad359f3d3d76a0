//! Which results are compared: a share of those of volunteers, the workers that accounts run, and of the site's own
//! workers.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use arena_store::{NewEnd, QueueError, Store, Taken, WorkerName};

use crate::random::Random;

/// The smallest share.
const SHARE_MIN: f64 = 0.01;

/// The share of a volunteer's games that the site's own workers replay, once the volunteer has played
/// [`VOLUNTEER_FIRST_GAMES`](arena_store::VOLUNTEER_FIRST_GAMES): from 0.01 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share(f64);

/// A text that is not a share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the part of volunteers' games that is played again is a number from 0.01 to 1, such as 0.1")]
pub struct NotAShare;

impl FromStr for Share {
    type Err = NotAShare;

    fn from_str(text: &str) -> Result<Share, NotAShare> {
        let part: f64 = text.parse().map_err(|_| NotAShare)?;
        if (SHARE_MIN..=1.0).contains(&part) { Ok(Share(part)) } else { Err(NotAShare) }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Share {
    /// The share of the games of the site's own workers that another of them replays: a machine that is wrong in one
    /// game of ten is found out within 500 with a probability of 63 %, and the others do a fiftieth more.
    pub const OWN: Share = Share(0.02);

    /// The share as a number from 0.01 to 1.
    pub fn part(self) -> f64 {
        self.0
    }

    /// The probability that none of this many forged games is replayed. Each game is drawn independently.
    pub fn undetected(self, games: u32) -> f64 {
        (1.0 - self.0).powf(f64::from(games))
    }

    /// Whether a game is to be replayed, given 64 random bits that nobody could predict.
    pub fn falls_on(self, drawn: u64) -> bool {
        // The upper 53 bits are a number below one, exactly.
        ((drawn >> 11) as f64) * (1.0 / (1_u64 << 53) as f64) < self.0
    }
}

/// What a site does for its volunteers.
#[derive(Clone)]
pub struct Volunteers {
    pub(crate) store: Arc<Store>,
    pub(crate) random: Random,
    /// The share of their games that is replayed.
    pub share: Share,
}

impl Volunteers {
    /// Submits results, some of which are drawn to be replayed. The volunteer must not learn which.
    ///
    /// # Errors
    /// As [`Store::submit_ends`](arena_store::Store::submit_ends).
    pub async fn submit(&self, volunteer: &WorkerName, ends: Vec<NewEnd>) -> Result<Vec<Taken>, QueueError> {
        let mut drawn = Vec::with_capacity(ends.len());
        for end in ends {
            let is_sampled = self.share.falls_on(u64::from_le_bytes(self.random.bytes("samples")?));
            drawn.push(NewEnd { is_sampled, ..end });
        }
        self.store.submit_ends(volunteer, &drawn).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_part_and_of_all_draws_it_falls_on_that_part() {
        for text in ["0", "0.009", "1.1", "-1", "NaN", "inf", "a tenth", ""] {
            assert_eq!(text.parse::<Share>(), Err(NotAShare), "{text}");
        }
        let share: Share = "0.25".parse().expect("a share");
        assert_eq!(share.to_string(), "0.25");
        assert!(share.falls_on(0) && share.falls_on((1 << 62) - 1));
        assert!(!share.falls_on(1 << 62) && !share.falls_on(u64::MAX));
        let all: Share = "1".parse().expect("a share");
        assert!(all.falls_on(u64::MAX));
        assert_eq!((all.undetected(1), share.undetected(0), share.undetected(2)), (0.0, 1.0, 0.5625));
    }
}
