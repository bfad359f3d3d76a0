//! Plays void games again: a process's death is an event on one machine, and could be claimed by a forger.

use std::ops::ControlFlow;

use arena_ledger::{Course, Summary};
use arena_record::OutcomeRecord;
use arena_tournaments::{ScheduledGame, Standings};
use serde::Serialize;

use super::claimed::Claimed;
use super::{Stop, VerifyError};
use crate::host::fixture;
use crate::{Contender, Ended, Finished, Host, in_order};

/// Void games that are not void here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotConfirmed {
    /// The games, in schedule order.
    pub games: Vec<OtherEnd>,
    /// The standings if their results here counted. For these, games that were not played because of a quarantine are
    /// played, too.
    pub standings: Standings,
}

/// A void game that ends differently here.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OtherEnd {
    /// Its number in the schedule.
    pub game: usize,
    /// Its line in the journal.
    pub line: usize,
    /// Its entrants, by name.
    pub entrants: Vec<String>,
    /// Its outcome here; `None` if it is void here, too, but through deaths of other bots.
    pub outcome: Option<OutcomeRecord>,
}

/// Plays the void games again. Calls `seen` after each.
pub(super) fn play_again(
    claimed: &Claimed,
    host: &dyn Host,
    contenders: &[Contender],
    threads: usize,
    mut seen: impl FnMut(),
) -> Result<Option<NotConfirmed>, Stop> {
    let Claimed { course, journal, plan, .. } = claimed;
    if course.played_void().is_empty() {
        return Ok(None);
    }
    let mut here = course.clone();
    let void = course.played_void().keys().copied().collect();
    let mut games = Vec::new();
    play(claimed, course, void, host, contenders, threads, |number, ended| {
        seen();
        if course.agrees(number, ended) {
            return;
        }
        here.replace_void(number, ended);
        let entrants = course.settled.seated(number).map(|entrant| plan.entrants[entrant].name.clone()).collect();
        let outcome = ended.record().map(|record| record.outcome.clone());
        games.push(OtherEnd { game: number, line: journal.line(number), entrants, outcome });
    })?;
    if games.is_empty() {
        return Ok(None);
    }
    here.settle(plan);
    while !here.open.is_empty() && claimed.course.is_over() {
        let mut ended = Vec::new();
        play(claimed, &here, here.open.clone(), host, contenders, threads, |number, end| {
            ended.push((number, end.clone()));
        })?;
        ended.iter().for_each(|(number, end)| here.keep(*number, end));
        here.settle(plan);
    }
    Ok(Some(NotConfirmed { games, standings: Summary::of(plan, &here).standings }))
}

/// Plays games of a course, and passes on their results in order.
fn play(
    claimed: &Claimed,
    course: &Course,
    numbers: Vec<usize>,
    host: &dyn Host,
    contenders: &[Contender],
    threads: usize,
    mut ended: impl FnMut(usize, &Ended),
) -> Result<(), Stop> {
    let games = numbers.into_iter().filter_map(|number| course.settled.game(number));
    let work = |game: ScheduledGame| (game.number, host.play(&fixture(&claimed.plan, &game, contenders)));
    let flow = in_order(games, threads, work, |(number, finished)| match finished {
        Ok(Finished { ended: end, .. }) => {
            ended(number, &end);
            ControlFlow::Continue(())
        }
        Err(source) => ControlFlow::Break(VerifyError::Game { number, source }.into()),
    });
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(stop) => Err(stop),
    }
}
