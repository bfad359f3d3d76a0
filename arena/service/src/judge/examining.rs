//! Examines modules, as `arena check` does.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use arena_record::{Budgets, Objection};
use arena_runner::{Qualification, QualifyError, Sample, SampleGame, qualify};
use arena_store::{SampleLog, StoreError};
use arena_wire::Game;
use arena_worker::WorkerError;
use tracing::{error, warn};

use super::{Judge, SAMPLE_SEED, cost};
use crate::core::{WALL, on_a_thread, with_causes};
use crate::limits::JUDGE_TRIES;

/// Why there is no verdict.
pub(super) enum Unjudged {
    MachineFailed,
    Stopped,
}

/// What was found of a module.
pub(super) struct Found {
    pub(super) objection: Option<Objection>,
    pub(super) logs: Vec<SampleLog>,
    pub(super) cost: u64,
    /// The opponent of its sample games, if it was played, and their number.
    pub(super) opponent: Option<&'static str>,
    pub(super) games: usize,
    pub(super) turn_fuel_max: u64,
}

impl Found {
    fn of(bytes: &[u8], found: &Qualification) -> Found {
        let sample = match found {
            Qualification::Played(sample) => Some(sample),
            Qualification::Refused(_) => None,
        };
        Found {
            objection: found.objection(),
            logs: sample.map(logs).unwrap_or_default(),
            cost: cost::of(bytes, found),
            opponent: sample.map(|sample| sample.opponent),
            games: sample.map_or(0, |sample| sample.all().count()),
            turn_fuel_max: sample.and_then(|sample| sample.turn_fuel().into_iter().max()).unwrap_or(0),
        }
    }
}

/// What the bot logged in its sample games, one for each seat: the one from an opening where it forfeited that.
fn logs(sample: &Sample) -> Vec<SampleLog> {
    let log = |game: &SampleGame| SampleLog {
        seat: game.seat.0,
        text: game.log.iter().map(|line| format!("{line}\n")).collect(),
        dropped: game.log_dropped,
    };
    let forfeited = |seat| sample.openings.iter().find(|opening| opening.seat == seat && opening.forfeit().is_some());
    sample.games.iter().map(|game| log(forfeited(game.seat).unwrap_or(game))).collect()
}

impl Judge {
    /// Examines a module as a bot for a game.
    pub(super) async fn examine(
        &self,
        bytes: Arc<[u8]>,
        game: &'static Game,
    ) -> Result<Result<Found, Unjudged>, StoreError> {
        let host = self.core.host();
        let examine = move || {
            for _ in 0..JUDGE_TRIES {
                match qualify(&*host, &bytes, game, &Budgets::of(game.allowance), SAMPLE_SEED, WALL) {
                    Ok(found) => return Some(Found::of(&bytes, &found)),
                    // The pool has tried often enough.
                    Err(QualifyError::Worker(error @ (WorkerError::Hung(_) | WorkerError::Lacking(_)))) => {
                        warn!(
                            cause = with_causes(&error),
                            "the machine is too busy to judge a module, or lacks something"
                        );
                        return None;
                    }
                    Err(error) => warn!(cause = with_causes(&error), "the machine failed while it judged"),
                }
            }
            None
        };
        let examined = on_a_thread("judge", examine)?;
        Ok(match self.core.stopping.run_until_cancelled(examined).await {
            None => Err(Unjudged::Stopped),
            Some(Ok(Some(found))) => Ok(found),
            Some(Ok(None)) => {
                self.counts.faults.fetch_add(1, Ordering::Relaxed);
                Err(Unjudged::MachineFailed)
            }
            Some(Err(_)) => {
                error!("the thread that judges died");
                Err(Unjudged::MachineFailed)
            }
        })
    }
}
