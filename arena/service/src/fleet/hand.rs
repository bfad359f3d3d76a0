//! A worker's side of the queue, as a pure state machine: what to ask next, from what was answered and what was played. It reads no
//! clock; the time is the worker's own, and may be wrong: when a lease is over is for the database to say.

use std::collections::{BTreeSet, VecDeque};

use arena_store::{Claimed, GAMES_OF_A_CALL_MAX, Lease, NewEnd};

/// How long games wait to be submitted together, in milliseconds.
const SUBMIT_EVERY_MS: u64 = 200;
/// The shortest and the longest pause before a queue is asked again that had no games, in milliseconds.
const IDLE_MS: (u64, u64) = (100, 1_000);
/// The same when it did not answer.
const TROUBLE_MS: (u64, u64) = (100, 5_000);
/// How long a worker claims nothing that could not play a game, in milliseconds: another is to have it.
const UNABLE_MS: u64 = 5_000;

/// How a worker works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Games that it plays at once.
    pub places: usize,
    /// Games that it claims at once.
    pub batch: usize,
    /// How long a lease is, in milliseconds. It is prolonged three times as often.
    pub lease_ms: u64,
}

/// The next thing to ask the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Call {
    /// At most so many games.
    Claim(usize),
    /// To prolong these leases.
    Renew(Vec<Lease>),
    /// To take what came of games.
    Submit(Vec<NewEnd>),
    /// To give these games to others.
    HandBack(Vec<Lease>),
    /// Nothing before this moment, unless a game is played.
    Wait(u64),
    /// Nothing any more.
    Stop,
}

/// A worker.
#[derive(Clone, Debug)]
pub struct Hand {
    pace: Pace,
    /// Claimed, and not begun.
    ready: VecDeque<Claimed>,
    playing: BTreeSet<Lease>,
    /// Played, and not submitted.
    ended: VecDeque<NewEnd>,
    /// What it could not play.
    unable: Vec<Lease>,
    /// Since when the first of those that ended waits.
    ended_since: u64,
    renew_at: u64,
    claim_at: u64,
    /// When it asks again after trouble.
    ask_at: u64,
    /// Claims without a game in a row, and calls without an answer.
    idle: u32,
    troubles: u32,
    stopping: bool,
}

/// The pause after so many failures in a row, at least one.
fn pause((shortest, longest): (u64, u64), failures: u32) -> u64 {
    (shortest << failures.saturating_sub(1).min(16)).min(longest)
}

impl Hand {
    /// A worker that has no game yet.
    pub fn new(pace: Pace) -> Hand {
        Hand {
            pace,
            ready: VecDeque::new(),
            playing: BTreeSet::new(),
            ended: VecDeque::new(),
            unable: Vec::new(),
            ended_since: 0,
            renew_at: 0,
            claim_at: 0,
            ask_at: 0,
            idle: 0,
            troubles: 0,
            stopping: false,
        }
    }

    /// How it works.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// A game to begin, if there is a place for it.
    pub fn begin(&mut self) -> Option<Claimed> {
        if self.stopping || self.playing.len() >= self.pace.places {
            return None;
        }
        let claimed = self.ready.pop_front()?;
        self.playing.insert(claimed.lease.clone());
        Some(claimed)
    }

    /// A game was played.
    pub fn played(&mut self, end: NewEnd, now: u64) {
        self.playing.remove(&end.lease);
        if self.ended.is_empty() {
            self.ended_since = now;
        }
        self.ended.push_back(end);
    }

    /// A game cannot be played here.
    pub fn unable(&mut self, lease: Lease, now: u64) {
        self.playing.remove(&lease);
        self.unable.push(lease);
        (self.idle, self.claim_at) = (0, now + UNABLE_MS);
    }

    /// Begins nothing any more, and gives back what it has.
    pub fn stop(&mut self) {
        self.stopping = true;
        self.ask_at = 0;
    }

    /// What it has: claimed, being played or not submitted.
    fn held(&self) -> impl Iterator<Item = &Lease> {
        let ready = self.ready.iter().map(|claimed| &claimed.lease);
        ready.chain(&self.playing).chain(self.ended.iter().map(|end| &end.lease))
    }

    /// What to ask next. The same again until it was answered or [failed](Hand::failed).
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
        let more = GAMES_OF_A_CALL_MAX.saturating_sub(held).min(batch);
        let wants = self.ready.len() < places && more > 0;
        if wants && now >= self.claim_at {
            return Call::Claim(more);
        }
        let moments = [(held > 0, self.renew_at), (!self.ended.is_empty(), submit_at), (wants, self.claim_at)];
        let next = moments.into_iter().filter(|(counts, _)| *counts).map(|(_, at)| at).min();
        Call::Wait(next.unwrap_or(now + IDLE_MS.1))
    }

    /// Games may have been asked for: who found none looks again.
    pub fn rung(&mut self, now: u64) {
        if self.idle > 0 {
            self.claim_at = self.claim_at.min(now);
        }
    }

    /// Games were claimed: some, or none.
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
        self.ready.extend(games);
    }

    /// Leases were prolonged but for those that are lost: of these, what has not begun never does.
    pub fn renewed(&mut self, lost: &[Lease], now: u64) {
        self.troubles = 0;
        self.renew_at = now + self.pace.lease_ms / 3;
        self.ready.retain(|claimed| !lost.contains(&claimed.lease));
    }

    /// These were submitted, whatever became of them.
    pub fn submitted(&mut self, ends: &[NewEnd]) {
        self.troubles = 0;
        self.ended.retain(|end| !ends.contains(end));
    }

    /// These were handed back.
    pub fn handed_back(&mut self, leases: &[Lease]) {
        self.troubles = 0;
        self.ready.retain(|claimed| !leases.contains(&claimed.lease));
        self.playing.retain(|lease| !leases.contains(lease));
        self.unable.retain(|lease| !leases.contains(lease));
    }

    /// The queue did not answer: whatever was asked happened or did not.
    pub fn failed(&mut self, now: u64) {
        self.troubles += 1;
        self.ask_at = now + pause(TROUBLE_MS, self.troubles);
    }

    /// How often in a row the queue did not answer.
    pub fn troubles(&self) -> u32 {
        self.troubles
    }
}
