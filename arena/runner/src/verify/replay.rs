//! Every game played again from its header and the bots' bytes, against its record.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use arena_record::Record;
use arena_rules::Rng;
use arena_tournaments::ScheduledGame;

use super::claimed::{Claimed, Line};
use super::compare::{Parting, first, shown};
use super::{Coverage, Depth, Difference, Stop, VerifyError};
use crate::{Fixture, FolderError, Host, Progress, build_id, in_order, layout};

/// Plays the games again, or as many as are drawn; the others are replayed by the rules. The first that differs, in the
/// order of the schedule, whatever the threads. `seen` is called after each.
pub(super) fn replay(
    claimed: &Claimed,
    host: &dyn Host,
    depth: Depth,
    threads: usize,
    seen: &mut impl FnMut(Progress),
    coverage: &mut Coverage,
) -> Result<(), Stop> {
    let Claimed { definition, frozen, plan, journal, course } = claimed;
    let games = journal.games.iter().filter_map(|(number, line)| Recorded::of(course.schedule.get(*number)?, line));
    let games: Vec<Recorded> = games.collect();
    let drawn = draw(games.iter().map(|game| game.number()).collect(), depth);
    if matches!(depth, Depth::Sample { .. }) {
        coverage.sampled_from = Some(games.len());
    }
    let contenders = if drawn.is_empty() {
        Vec::new()
    } else {
        frozen.load(host, &definition.budgets).map_err(|error| match error {
            FolderError::Refused { name, refusal } if !refusal.code.is_the_machines() => {
                Stop::content(&format!("{}/", layout::ENTRANTS), format!("the bot of {name:?} is refused: {refusal}"))
            }
            error => VerifyError::Folder(error).into(),
        })?
    };
    let check = |game: &Recorded| {
        if drawn.contains(&game.number()) {
            game.play_again(host, &plan.fixture(game.game, &contenders)).map(Checked::Played)
        } else {
            game.replay().map(|()| Checked::ByRules)
        }
    };
    let mut progress = Progress { played: 0, total: games.len() };
    let found = in_order(&games, threads, check, |checked| {
        progress.played += 1;
        seen(progress);
        match checked {
            Ok(Checked::Played(platform_faults)) => {
                coverage.played += 1;
                coverage.platform_faults += u64::from(platform_faults);
            }
            Ok(Checked::ByRules) => coverage.by_rules += 1,
            Err(stop) => return ControlFlow::Break(stop),
        }
        ControlFlow::Continue(())
    });
    match found {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(stop) => Err(stop),
    }
}

/// A game that agrees with its record.
enum Checked {
    /// Played again; so often the machine failed.
    Played(u32),
    /// Replayed by the rules.
    ByRules,
}

/// A game of the schedule that has a record.
struct Recorded<'a> {
    game: &'a ScheduledGame,
    record: &'a Record,
    /// Its line in the journal.
    line: usize,
}

impl<'a> Recorded<'a> {
    /// None for a void game.
    fn of(game: &'a ScheduledGame, line: &'a Line) -> Option<Recorded<'a>> {
        Some(Recorded { game, record: line.ended.record()?, line: line.number })
    }

    fn number(&self) -> usize {
        self.game.number
    }

    fn replay(&self) -> Result<(), Stop> {
        arena_referee::check(self.record).map_err(|divergence| {
            let (expected, found) = ("a game by the rules".into(), shown(&divergence.to_string()));
            self.differs(Parting { turn: None, seat: None, what: "the game", expected, found })
        })
    }

    fn play_again(&self, host: &dyn Host, fixture: &Fixture<'_>) -> Result<u32, Stop> {
        let number = self.number();
        let finished = host.play(fixture).map_err(|source| VerifyError::Game { number, source })?;
        let played = finished.ended.into_record().map_err(|source| VerifyError::Void { number, source })?;
        first(&played, self.record).map_or(Ok(finished.platform_faults), |parting| Err(self.differs(parting)))
    }

    fn differs(&self, parting: Parting) -> Stop {
        let Parting { turn, seat, what, expected, found } = parting;
        let build = (self.record.header.build != build_id()).then(|| shown(&self.record.header.build));
        let (file, game, what) = (format!("{}, line {}", layout::JOURNAL, self.line), Some(self.number()), what.into());
        Stop::differs(Difference { file, game, turn, seat, what, expected, found, build })
    }
}

/// Which games are played again.
fn draw(mut numbers: Vec<usize>, depth: Depth) -> BTreeSet<usize> {
    let Depth::Sample { games, seed } = depth else { return numbers.into_iter().collect() };
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    Rng::new(&key, 0).shuffle(&mut numbers);
    numbers.truncate(games);
    numbers.into_iter().collect()
}
