//! The state machine of a worker, pure: what to ask next, given the answers so far and the games played. It reads no
//! clock. The time is the worker's own and may be wrong: only the database says when a lease is over.

use std::collections::{BTreeSet, VecDeque};

use arena_store::{Claimed, GAMES_OF_A_CALL_MAX, Lease, NewEnd};

/// How long games wait to be submitted together, in milliseconds.
const SUBMIT_EVERY_MS: u64 = 200;
/// The most games in a worker's first claim.
const CLAIM_FIRST: usize = 8;
/// Claims of games that last less than the first of these, in milliseconds, are followed by larger ones, and those that
/// last more than the second by smaller ones: games that take long do not wait at one worker while another has none.
const CLAIM_LASTS_MS: (u64, u64) = (500, 2_000);
/// The shortest and the longest pause after a queue had no games, in milliseconds.
const IDLE_MS: (u64, u64) = (100, 1_000);
/// The same after a queue did not answer.
const TROUBLE_MS: (u64, u64) = (100, 5_000);
/// How long a worker claims nothing after a game that it cannot play, in milliseconds: another worker is to claim it.
const UNABLE_MS: u64 = 5_000;

/// How a worker works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Games played at once.
    pub places: usize,
    /// Games claimed at once, at most.
    pub batch: usize,
    /// The length of a lease in milliseconds. Leases are renewed three times as often.
    pub lease_ms: u64,
}

/// The next thing to ask the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Call {
    /// Claim at most this many games.
    Claim(usize),
    /// Renew these leases.
    Renew(Vec<Lease>),
    /// Submit these results.
    Submit(Vec<NewEnd>),
    /// Hand these games back.
    HandBack(Vec<Lease>),
    /// Ask nothing before this moment, unless a game ends.
    Wait(u64),
    /// Stop: nothing is left to do.
    Stop,
}

/// The state of a worker.
#[derive(Clone, Debug)]
pub struct WorkerState {
    pace: Pace,
    /// Claimed, not begun.
    ready: VecDeque<Claimed>,
    playing: BTreeSet<Lease>,
    /// Played, not submitted.
    ended: VecDeque<NewEnd>,
    /// Games that this worker cannot play.
    unable: Vec<Lease>,
    /// When the first of the games to be submitted ended.
    ended_since: u64,
    renew_at: u64,
    claim_at: u64,
    /// How many games to claim next, and when games were claimed last.
    claim: usize,
    claimed_at: u64,
    /// When to ask again after a failure.
    ask_at: u64,
    /// Claims in a row that gave no game, and calls in a row that got no answer.
    idle: u32,
    troubles: u32,
    stopping: bool,
}

/// The pause after so many failures in a row, at least one.
fn pause((shortest, longest): (u64, u64), failures: u32) -> u64 {
    (shortest << failures.saturating_sub(1).min(16)).min(longest)
}

impl WorkerState {
    /// A worker without games.
    pub fn new(pace: Pace) -> WorkerState {
        WorkerState {
            pace,
            ready: VecDeque::new(),
            playing: BTreeSet::new(),
            ended: VecDeque::new(),
            unable: Vec::new(),
            ended_since: 0,
            renew_at: 0,
            claim_at: 0,
            claim: pace.batch.min(CLAIM_FIRST),
            claimed_at: 0,
            ask_at: 0,
            idle: 0,
            troubles: 0,
            stopping: false,
        }
    }

    /// Its pace.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The next game to begin, if a place is free.
    pub fn begin(&mut self) -> Option<Claimed> {
        if self.stopping || self.playing.len() >= self.pace.places {
            return None;
        }
        let claimed = self.ready.pop_front()?;
        self.playing.insert(claimed.lease.clone());
        Some(claimed)
    }

    /// Notes the result of a game.
    pub fn played(&mut self, end: NewEnd, now: u64) {
        self.playing.remove(&end.lease);
        if self.ended.is_empty() {
            self.ended_since = now;
        }
        self.ended.push_back(end);
    }

    /// Notes that a game cannot be played here.
    pub fn unable(&mut self, lease: Lease, now: u64) {
        self.playing.remove(&lease);
        self.unable.push(lease);
        (self.idle, self.claim_at) = (0, now + UNABLE_MS);
    }

    /// Begins no further game, and hands back what it holds.
    pub fn stop(&mut self) {
        self.stopping = true;
        self.ask_at = 0;
    }

    /// The leases that it holds: claimed, being played or not submitted.
    fn held(&self) -> impl Iterator<Item = &Lease> {
        let ready = self.ready.iter().map(|claimed| &claimed.lease);
        ready.chain(&self.playing).chain(self.ended.iter().map(|end| &end.lease))
    }

    /// What to ask next. The same call again until it was answered or [failed](WorkerState::failed).
    pub fn next(&self, now: u64) -> Call {
        let Pace { places, batch, lease_ms: _ } = self.pace;
        if now < self.ask_at {
            return Call::Wait(self.ask_at);
        }
        let submit = || Call::Submit(self.ended.iter().take(GAMES_OF_A_CALL_MAX).cloned().collect());
        if self.stopping {
            let held = || self.held().chain(&self.unable).take(GAMES_OF_A_CALL_MAX).cloned().collect::<Vec<Lease>>();
            return match (self.ended.is_empty(), held()) {
                (false, _) => submit(),
                (true, held) if held.is_empty() => Call::Stop,
                (true, held) => Call::HandBack(held),
            };
        }
        if !self.unable.is_empty() {
            return Call::HandBack(self.unable.iter().take(GAMES_OF_A_CALL_MAX).cloned().collect());
        }
        let held = self.held().count();
        if held > 0 && now >= self.renew_at {
            return Call::Renew(self.held().take(GAMES_OF_A_CALL_MAX).cloned().collect());
        }
        let submit_at = self.ended_since + SUBMIT_EVERY_MS;
        let nothing_else = self.ready.is_empty() && self.playing.is_empty();
        if self.ended.len() >= batch || (!self.ended.is_empty() && (nothing_else || now >= submit_at)) {
            return submit();
        }
        let more = GAMES_OF_A_CALL_MAX.saturating_sub(held).min(self.claim);
        let wants = self.ready.len() < places && more > 0;
        if wants && now >= self.claim_at {
            return Call::Claim(more);
        }
        let moments = [(held > 0, self.renew_at), (!self.ended.is_empty(), submit_at), (wants, self.claim_at)];
        let next = moments.into_iter().filter(|(counts, _)| *counts).map(|(_, at)| at).min();
        Call::Wait(next.unwrap_or(now + IDLE_MS.1))
    }

    /// Notes the answer to a claim, which may be empty.
    pub fn claimed(&mut self, games: Vec<Claimed>, now: u64) {
        self.troubles = 0;
        if games.is_empty() {
            self.idle += 1;
            self.claim_at = now + pause(IDLE_MS, self.idle);
            return;
        }
        self.idle = 0;
        if self.held().next().is_none() {
            self.renew_at = now + self.pace.lease_ms / 3;
        }
        let (short, long) = CLAIM_LASTS_MS;
        match now.saturating_sub(self.claimed_at) {
            lasted if lasted < short => self.claim = self.pace.batch.min(2 * self.claim),
            lasted if lasted > long => self.claim = self.pace.places.min(self.pace.batch).max(self.claim / 2),
            _ => {}
        }
        self.claimed_at = now;
        self.ready.extend(games);
    }

    /// Notes that all leases were renewed except the lost ones. Lost games that have not begun are dropped.
    pub fn renewed(&mut self, lost: &[Lease], now: u64) {
        self.troubles = 0;
        self.renew_at = now + self.pace.lease_ms / 3;
        self.ready.retain(|claimed| !lost.contains(&claimed.lease));
    }

    /// Notes that these results were submitted, whatever became of them.
    pub fn submitted(&mut self, ends: &[NewEnd]) {
        self.troubles = 0;
        self.ended.retain(|end| !ends.contains(end));
    }

    /// Notes that these leases were handed back.
    pub fn handed_back(&mut self, leases: &[Lease]) {
        self.troubles = 0;
        self.ready.retain(|claimed| !leases.contains(&claimed.lease));
        self.playing.retain(|lease| !leases.contains(lease));
        self.unable.retain(|lease| !leases.contains(lease));
    }

    /// Notes that the queue did not answer: the call may or may not have taken effect.
    pub fn failed(&mut self, now: u64) {
        self.troubles += 1;
        self.ask_at = now + pause(TROUBLE_MS, self.troubles);
    }

    /// How many calls in a row the queue did not answer.
    pub fn troubles(&self) -> u32 {
        self.troubles
    }
}

#[cfg(test)]
mod tests {
    use arena_record::Hex;
    use arena_store::TournamentId;

    use super::*;

    /// The sizes of a worker's claims if each of its games takes this long.
    fn claims(game_ms: u64) -> Vec<usize> {
        let (mut state, mut now, mut sizes) =
            (WorkerState::new(Pace { places: 2, batch: 32, lease_ms: u64::MAX }), 0, Vec::new());
        while sizes.len() < 8 {
            while state.begin().is_some() {}
            match state.next(now) {
                Call::Claim(size) => {
                    let tournament = TournamentId::parse("t").expect("a name");
                    let lease = |token| Lease { tournament: tournament.clone(), key: Hex([0; 32]), token };
                    let first = 100 * sizes.len() as u64;
                    let claimed = |token| Claimed { lease: lease(token), job: String::new() };
                    state.claimed((first..first + size as u64).map(claimed).collect(), now);
                    sizes.push(size);
                }
                Call::Submit(ends) => state.submitted(&ends),
                Call::Wait(_) => {
                    now += game_ms;
                    for lease in state.playing.clone() {
                        state.played(NewEnd { lease, is_void: false, is_sampled: false, text: String::new() }, now);
                    }
                }
                call => panic!("{call:?}"),
            }
        }
        sizes
    }

    #[test]
    fn games_are_claimed_in_large_batches_only_if_they_are_short() {
        assert_eq!(claims(10).last(), Some(&32));
        assert_eq!(claims(10_000).last(), Some(&2), "as many as it plays at once");
        let between = claims(200);
        assert!(between.last().is_some_and(|size| (4..=16).contains(size)), "{between:?}");
    }
}
