//! Games that other processes play.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use arena_record::Hex;

use super::Model;
use crate::policy::queue::{
    Judged, VOID, Vote, WRONG, checked_count, checked_ends, checked_games, granted, is_freed, is_refuted,
    is_to_be_checked, judge, may_ask, taken, was_held,
};
use crate::queue::{OTHERS_MAX, end_hash};
use crate::{
    AccountId, AskedGame, Claim, Claimed, GameEnd, Lease, NewEnd, OtherRelease, PAGE_MAX, QueueError, StoreError,
    Taken, TournamentId, Volunteer, WorkerName,
};

/// A tournament's game.
type Place = (TournamentId, Hex<32>);

#[derive(Debug, Default)]
pub(super) struct QueueState {
    /// How many games were ever asked for.
    asked: u64,
    games: BTreeMap<Place, QueuedGame>,
    quarantined: BTreeMap<WorkerName, String>,
    /// Games that each volunteer submitted, and those that were verified.
    volunteers: BTreeMap<AccountId, (u64, u64)>,
    /// Games that a volunteer said were void, and one of the site's own workers has played, forgotten ones included.
    refuted: BTreeMap<AccountId, BTreeSet<u64>>,
}

#[derive(Debug)]
struct QueuedGame {
    number: u64,
    asked: AskedGame,
    /// How often it was claimed; also the token of the latest claim.
    token: u64,
    /// Who claimed it last.
    worker: Option<WorkerName>,
    /// Who had claimed it before.
    worker_before: Option<WorkerName>,
    /// When the lease ends; `None` while the game is free.
    leased_until: Option<u64>,
    end: Option<Hex<32>>,
    /// Whether one of the site's own workers must play it, whatever volunteers submit.
    checked: bool,
    /// Whether another of the site's own workers is to play it, once one has.
    sampled: bool,
    /// What workers submitted, in the order of their names.
    votes: Vec<(Vote, String)>,
}

impl QueuedGame {
    /// Whether a worker may claim it, and if so, before or after which others: sampled games first, then those that
    /// nobody holds.
    fn is_free_for(&self, worker: &WorkerName, now_ms: u64) -> Option<u8> {
        let nobodys = self.leased_until.is_none_or(|until| until <= now_ms);
        let volunteers = self.worker.as_ref().is_some_and(|holder| holder.volunteer().is_some());
        let is_played = if worker.volunteer().is_some() { !self.votes.is_empty() } else { self.has_voted(worker) };
        let own = worker.volunteer().is_none();
        match self.end {
            _ if is_played => None,
            None if nobodys => Some(1),
            None => (volunteers && own).then_some(2),
            Some(end) => (self.sampled && own && nobodys && self.is_verified(Some(end))).then_some(0),
        }
    }

    /// How many of the site's own workers have played it.
    fn own_players(&self) -> usize {
        let own = self.votes.iter().filter(|(vote, _)| vote.worker.volunteer().is_none() && !vote.is_void);
        own.map(|(vote, _)| &vote.worker).collect::<BTreeSet<_>>().len()
    }

    /// Whether one of the site's own workers has submitted this end, or any.
    fn is_verified(&self, to: Option<Hex<32>>) -> bool {
        let own = |vote: &Vote| vote.worker.volunteer().is_none() && !vote.is_void;
        self.votes.iter().any(|(vote, _)| own(vote) && to.is_none_or(|to| vote.hash == to))
    }

    fn has_voted(&self, worker: &WorkerName) -> bool {
        self.votes.iter().any(|(vote, _)| vote.worker == *worker)
    }

    /// Whether this is the latest lease, expired or not.
    fn is_held(&self, worker: &WorkerName, token: u64) -> bool {
        self.token == token && self.worker.as_ref() == Some(worker)
    }
}

impl QueueState {
    fn claimant(&self, worker: &WorkerName) -> Result<(), QueueError> {
        may_ask(worker, self.quarantined.get(worker).cloned())
    }

    fn volunteer(&self, account: AccountId) -> Option<Volunteer> {
        let &(games, verified) = self.volunteers.get(&account)?;
        let banned = self.quarantined.get(&WorkerName::of_volunteer(account)).cloned();
        Some(Volunteer { account, games, verified, banned })
    }

    /// Forgets the games of a volunteer whose account is deleted.
    pub(super) fn forget_volunteer(&mut self, account: AccountId) {
        self.volunteers.remove(&account);
        self.refuted.remove(&account);
    }

    fn held(&mut self, worker: &WorkerName, lease: &Lease) -> Option<&mut QueuedGame> {
        let game = self.games.get_mut(&(lease.tournament.clone(), lease.key))?;
        (game.is_held(worker, lease.token) && game.leased_until.is_some()).then_some(game)
    }

    fn submit(&mut self, worker: &WorkerName, end: &NewEnd) -> Taken {
        let place = (end.lease.tournament.clone(), end.lease.key);
        let Some(game) = self.games.get_mut(&place) else { return Taken::Unwanted };
        let holders = [&game.worker, &game.worker_before].map(|name| name.as_ref().map(WorkerName::as_str));
        if !was_held(worker, end.lease.token, game.token, holders) {
            return Taken::Foreign;
        }
        let vote = Vote { worker: worker.clone(), hash: end_hash(end.text.as_bytes()), is_void: end.is_void };
        let hash = vote.hash;
        if !game.votes.iter().any(|(known, _)| *known == vote) {
            if let Some(account) = worker.volunteer() {
                let (games, verified) = self.volunteers.entry(account).or_default();
                *games += 1;
                game.checked |= is_to_be_checked(end, *verified);
                *verified += u64::from(!end.is_void && game.is_verified(Some(hash)));
            } else if !end.is_void && !game.is_verified(None) {
                let right = game.votes.iter().filter(|(vote, _)| vote.hash == hash && !vote.is_void);
                for account in right.filter_map(|(vote, _)| vote.worker.volunteer()) {
                    self.volunteers.entry(account).or_default().1 += 1;
                }
            }
            game.votes.push((vote, end.text.clone()));
            game.sampled &= game.own_players() < 2;
            game.votes.sort_by(|(one, _), (other, _)| (&one.worker, one.hash).cmp(&(&other.worker, other.hash)));
        }
        self.settle(vec![place.clone()]);
        let end = self.games.get(&place).and_then(|game| game.end);
        taken(hash, end, self.quarantined.contains_key(worker))
    }

    /// Evaluates the votes on games, and on other games that are affected in turn.
    fn settle(&mut self, mut open: Vec<Place>) {
        while let Some(place) = open.pop() {
            let Some(game) = self.games.get_mut(&place) else { continue };
            let votes: Vec<Vote> = game.votes.iter().map(|(vote, _)| vote.clone()).collect();
            let Judged { end, liars, refuted } = judge(&votes, game.end, game.checked);
            game.end = end;
            let number = game.number;
            if is_freed(&votes, end, game.sampled, game.worker.as_ref().map(WorkerName::as_str)) {
                game.leased_until = None;
            }
            for liar in liars {
                open.extend(self.take_back(&liar, WRONG));
            }
            for worker in refuted {
                let Some(account) = worker.volunteer() else { continue };
                let all = self.refuted.entry(account).or_default();
                all.insert(number);
                if is_refuted(all.len()) {
                    open.extend(self.take_back(&worker, VOID));
                }
            }
        }
    }

    /// Takes back all that a worker submitted; returns the games affected.
    fn take_back(&mut self, worker: &WorkerName, reason: &str) -> Vec<Place> {
        self.quarantined.entry(worker.clone()).or_insert_with(|| reason.into());
        let mut concerned = Vec::new();
        for (place, game) in &mut self.games {
            if game.worker.as_ref() == Some(worker) {
                game.leased_until = None;
            }
            if game.has_voted(worker) {
                game.votes.retain(|(vote, _)| vote.worker != *worker);
                concerned.push(place.clone());
            }
        }
        concerned
    }
}

impl Model {
    pub(crate) async fn ask_games(&self, tournament: &TournamentId, games: &[AskedGame]) -> Result<(), QueueError> {
        checked_games(games)?;
        let mut state = self.state()?;
        let queue = &mut state.queue;
        for game in games {
            let place = (tournament.clone(), game.key);
            if queue.games.contains_key(&place) {
                continue;
            }
            queue.asked += 1;
            let (number, asked) = (queue.asked, game.clone());
            let fresh = QueuedGame {
                number,
                asked,
                token: 0,
                worker: None,
                worker_before: None,
                leased_until: None,
                end: None,
                checked: false,
                sampled: game.is_sampled,
                votes: Vec::new(),
            };
            queue.games.insert(place, fresh);
        }
        Ok(())
    }

    pub(crate) async fn ends(&self, tournament: &TournamentId, keys: &[Hex<32>]) -> Result<Vec<GameEnd>, QueueError> {
        checked_count(keys.len())?;
        let state = self.state()?;
        let ended = |key: &Hex<32>| {
            let game = state.queue.games.get(&(tournament.clone(), *key))?;
            let (vote, text) = game.votes.iter().find(|(vote, _)| Some(vote.hash) == game.end)?;
            Some(GameEnd { key: *key, worker: vote.worker.clone(), text: text.clone() })
        };
        Ok(keys.iter().filter_map(ended).collect())
    }

    pub(crate) async fn end_hashes(
        &self,
        tournament: &TournamentId,
    ) -> Result<BTreeMap<Hex<32>, Option<Hex<32>>>, StoreError> {
        let state = self.state()?;
        let own = state.queue.games.iter().filter(|((of, _), _)| of == tournament);
        Ok(own.map(|((_, key), game)| (*key, game.end)).collect())
    }

    pub(crate) async fn forget_games(&self, tournament: &TournamentId) -> Result<(), StoreError> {
        let mut state = self.state()?;
        state.queue.games.retain(|(of, _), _| of != tournament);
        Ok(())
    }

    pub(crate) async fn claim(
        &self,
        worker: &WorkerName,
        semantics: &[String],
        games_max: usize,
        lease_ms: u64,
    ) -> Result<Claim, QueueError> {
        checked_count(games_max)?;
        let mut state = self.state()?;
        let queue = &mut state.queue;
        queue.claimant(worker)?;
        let now_ms = self.now_ms();
        let is_held = |game: &&QueuedGame| {
            game.worker.as_ref() == Some(worker) && game.leased_until.is_some_and(|until| until > now_ms)
        };
        let held = queue.games.values().filter(is_held).count();
        let (games_max, lease_ms) = granted(worker, held, games_max, lease_ms);
        let (mut free, mut others) = (Vec::new(), BTreeSet::new());
        for (place, game) in &mut queue.games {
            let AskedGame { semantics: its, build, .. } = &game.asked;
            let nobodys = game.end.is_none() && game.leased_until.is_none_or(|until| until <= now_ms);
            if !semantics.contains(its) {
                if nobodys {
                    others.insert(OtherRelease { semantics: its.clone(), build: build.clone() });
                }
            } else if let Some(turn) = game.is_free_for(worker, now_ms) {
                free.push((turn, game.number, place, game));
            }
        }
        free.sort_by_key(|(turn, number, ..)| (*turn, *number));
        free.truncate(games_max);
        free.sort_by_key(|(_, number, ..)| *number);
        let mut games = Vec::new();
        for (_, _, (tournament, key), game) in free {
            game.token += 1;
            game.worker_before = game.worker.replace(worker.clone());
            game.leased_until = Some(now_ms + lease_ms);
            let lease = Lease { tournament: tournament.clone(), key: *key, token: game.token };
            games.push(Claimed { lease, job: game.asked.job.clone() });
        }
        let others = if games.is_empty() { others.into_iter().take(OTHERS_MAX).collect() } else { Vec::new() };
        Ok(Claim { games, others })
    }

    pub(crate) async fn renew(
        &self,
        worker: &WorkerName,
        leases: &[Lease],
        lease_ms: u64,
    ) -> Result<Vec<Lease>, QueueError> {
        checked_count(leases.len())?;
        let mut state = self.state()?;
        let queue = &mut state.queue;
        queue.claimant(worker)?;
        let until = self.now_ms() + granted(worker, 0, 0, lease_ms).1;
        let mut lost = Vec::new();
        for lease in leases {
            match queue.held(worker, lease) {
                Some(game) => game.leased_until = Some(until),
                None => lost.push(lease.clone()),
            }
        }
        Ok(lost)
    }

    pub(crate) async fn hand_back(&self, worker: &WorkerName, leases: &[Lease]) -> Result<(), QueueError> {
        checked_count(leases.len())?;
        let mut state = self.state()?;
        for lease in leases {
            if let Some(game) = state.queue.held(worker, lease) {
                game.leased_until = None;
            }
        }
        Ok(())
    }

    pub(crate) async fn submit_ends(&self, worker: &WorkerName, ends: &[NewEnd]) -> Result<Vec<Taken>, QueueError> {
        checked_ends(ends)?;
        let mut state = self.state()?;
        let queue = &mut state.queue;
        queue.claimant(worker)?;
        let mut taken = Vec::new();
        for end in ends {
            // Earlier ends of this same call may have shown that the worker is wrong.
            let is_out = queue.quarantined.contains_key(worker);
            taken.push(if is_out { Taken::Wrong } else { queue.submit(worker, end) });
        }
        Ok(taken)
    }

    pub(crate) async fn quarantine(&self, worker: &WorkerName, reason: &str) -> Result<(), StoreError> {
        let mut state = self.state()?;
        let concerned = state.queue.take_back(worker, reason);
        state.queue.settle(concerned);
        Ok(())
    }

    pub(crate) async fn quarantined(&self) -> Result<BTreeMap<WorkerName, String>, StoreError> {
        Ok(self.state()?.queue.quarantined.clone())
    }

    pub(crate) async fn volunteers(&self) -> Result<Vec<Volunteer>, StoreError> {
        let state = self.state()?;
        let accounts = state.queue.volunteers.keys();
        let mut volunteers: Vec<Volunteer> = accounts.filter_map(|&account| state.queue.volunteer(account)).collect();
        volunteers.sort_by_key(|volunteer| (Reverse(volunteer.games), volunteer.account));
        volunteers.truncate(PAGE_MAX as usize);
        Ok(volunteers)
    }
}
