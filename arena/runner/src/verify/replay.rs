//! Plays every game again from its header and the bots' bytes, and compares it with its record.

use std::ops::ControlFlow;

use arena_ledger::game_at;
use arena_record::Record;
use arena_referee::compare::{Parting, first, shown};
use arena_rules::Rng;
use arena_tournaments::ScheduledGame;

use super::claimed::Claimed;
use super::{Coverage, Depth, Difference, NotConfirmed, Stop, VerifyError, void};
use crate::host::fixture;
use crate::journal::OnDisk;
use crate::{Ended, Fixture, FolderError, Host, Progress, build_id, in_order, layout};

/// Plays the games again, or a sample of them, and replays the others by the rules. Returns the first that differs, in
/// the order of the schedule, whatever the threads do. Then plays all void games. Calls `seen` after each.
pub(super) fn replay(
    claimed: &Claimed,
    host: &dyn Host,
    depth: Depth,
    threads: usize,
    seen: &mut impl FnMut(Progress),
    coverage: &mut Coverage,
) -> Result<Option<NotConfirmed>, Stop> {
    let Claimed { definition, frozen, plan, course, .. } = claimed;
    let games: Vec<usize> = (0..course.settled.len()).filter(|number| course.settled.has_result(*number)).collect();
    let drawn = draw(&games, depth);
    if matches!(depth, Depth::Sample { .. }) {
        coverage.sampled_from = Some(games.len());
    }
    let void = course.played_void().len();
    let contenders = if games.len() + void == 0 {
        Vec::new()
    } else {
        frozen.load(host, &definition.budgets).map_err(|error| match error {
            FolderError::Refused { name, refusal } if !refusal.code.is_the_machines() => {
                Stop::content(&format!("{}/", layout::ENTRANTS), format!("the bot of {name:?} is refused: {refusal}"))
            }
            error => VerifyError::Folder(error).into(),
        })?
    };
    // The number of platform faults if the game was played again.
    let check = |(number, is_drawn): (usize, bool)| {
        let game = Recorded::read(claimed, number)?;
        if is_drawn {
            game.play_again(host, &fixture(plan, &game.game, &contenders)).map(Some)
        } else {
            game.replay().map(|()| None)
        }
    };
    let mut progress = Progress { played: 0, total: games.len() + void };
    let found = in_order(games.into_iter().zip(drawn), threads, check, |checked| {
        progress.played += 1;
        seen(progress);
        match checked {
            Ok(Some(platform_faults)) => {
                coverage.played += 1;
                coverage.platform_faults += u64::from(platform_faults);
            }
            Ok(None) => coverage.by_rules += 1,
            Err(stop) => return ControlFlow::Break(stop),
        }
        ControlFlow::Continue(())
    });
    if let ControlFlow::Break(stop) = found {
        return Err(stop);
    }
    void::play_again(claimed, host, &contenders, threads, || {
        coverage.void_played += 1;
        progress.played += 1;
        seen(progress);
    })
}

/// A game of the schedule that has a record.
struct Recorded {
    game: ScheduledGame,
    record: Record,
    /// Its line in the journal.
    line: usize,
}

impl Recorded {
    /// Reads a game again.
    fn read(claimed: &Claimed, number: usize) -> Result<Recorded, Stop> {
        let Claimed { file, journal, course, plan, .. } = claimed;
        let line = journal.line(number);
        // Another process may write meanwhile, so this must still be the game from which the standings were derived.
        let changed =
            || Stop::content(layout::JOURNAL, format!("line {line}, game {number}: it changed while it was read"));
        let game = course.settled.game(number).ok_or_else(changed)?;
        let at = journal.places.get(number).ok_or_else(changed)?;
        let ended = game_at(&OnDisk(file), at, number).map_err(|_| changed())?;
        let is_it = plan.check(&game, &ended).is_ok() && course.agrees(number, &ended);
        match ended {
            Ended::Played(record) if is_it => Ok(Recorded { game, record, line }),
            _ => Err(changed()),
        }
    }

    fn replay(&self) -> Result<(), Stop> {
        arena_referee::check(&self.record).map_err(|divergence| {
            let (expected, found) = ("a game by the rules".into(), shown(&divergence.to_string()));
            self.differs(Parting { turn: None, seat: None, what: "the game", expected, found })
        })
    }

    fn play_again(&self, host: &dyn Host, fixture: &Fixture<'_>) -> Result<u32, Stop> {
        let number = self.game.number;
        let finished = host.play(fixture).map_err(|source| VerifyError::Game { number, source })?;
        let played = finished.ended.into_record().map_err(|source| VerifyError::Void { number, source })?;
        first(&played, &self.record).map_or(Ok(finished.platform_faults), |parting| Err(self.differs(parting)))
    }

    fn differs(&self, parting: Parting) -> Stop {
        let Parting { turn, seat, what, expected, found } = parting;
        let build = (self.record.header.build != build_id()).then(|| shown(&self.record.header.build));
        let (file, game, what) =
            (format!("{}, line {}", layout::JOURNAL, self.line), Some(self.game.number), what.into());
        Stop::differs(Difference { file, game, turn, seat, what, expected, found, build })
    }
}

/// For each of these games, whether it is played again.
fn draw(games: &[usize], depth: Depth) -> Vec<bool> {
    let Depth::Sample { games: wanted, seed } = depth else { return vec![true; games.len()] };
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut places: Vec<usize> = (0..games.len()).collect();
    Rng::new(&key, 0).shuffle(&mut places);
    let mut drawn = vec![false; games.len()];
    places.into_iter().take(wanted).for_each(|place| drawn[place] = true);
    drawn
}
