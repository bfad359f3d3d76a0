//! A site, workers and their database on machines that stop, on lines that drop, duplicate, reorder, delay and are cut,
//! with clocks of their own.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::convert::Infallible;
use std::fmt;
use std::time::Duration;

use arena_clock::Clock;
use arena_record::Hex;
use arena_rules::Rng;
use arena_service::Games;
use arena_service::fleet::{Call, Hashes, Pace, PollState, Question, Reconciled, WorkerState};
use arena_store::{
    AccountId, AskedGame, Claim, Claimed, GameEnd, Lease, Limits, NewEnd, QueueError, Store, Taken, TournamentId,
    UnixSeconds, WorkerName,
};
use sha2::{Digest as _, Sha256};
use tokio::runtime::{Builder, Runtime};

/// Machines fail until then, in milliseconds.
const TROUBLED_MS: u64 = 30_000;
/// All is played by then, or something is lost.
const END_MS: u64 = 1_800_000;
/// How long a node waits for an answer, by its own clock.
const PATIENCE_MS: u64 = 1_000;
/// How often the site looks, by its own clock.
const LOOKS_MS: u64 = 100;
/// Games that the site asks for at once.
const WINDOW: usize = 8;
/// Lines of what happened that are kept.
const LINES: usize = 60;
const SEMANTICS: &str = "ours";
/// One of so many games is sampled: far more than a site has compared, so that each seed has some.
const SAMPLED_OF: u8 = 5;
/// For how long a worker that asks for nothing is waited for, in seconds: longer than a machine fails.
const THERE_SECONDS: i64 = 60;

/// Of so many games one is void, where none of the site's own workers lies: the third word that a lie needs may be
/// lacking then.
const VOID_OF: u32 = 20;

/// What happens, for the count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fate {
    Game,
    Void,
    Dropped,
    Duplicated,
    Crash,
    Pause,
    Cut,
    HandedBack,
    Lost,
    Late,
    Disputed,
    Compared,
    Quarantined,
    Banned,
    TakenBack,
}

impl Fate {
    pub(crate) const EVERY: [Fate; 15] = [
        Fate::Game,
        Fate::Void,
        Fate::Dropped,
        Fate::Duplicated,
        Fate::Crash,
        Fate::Pause,
        Fate::Cut,
        Fate::HandedBack,
        Fate::Lost,
        Fate::Late,
        Fate::Disputed,
        Fate::Compared,
        Fate::Quarantined,
        Fate::Banned,
        Fate::TakenBack,
    ];
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fate::Game => "games",
            Fate::Void => "of them void",
            Fate::Dropped => "messages dropped",
            Fate::Duplicated => "messages duplicated",
            Fate::Crash => "machines killed",
            Fate::Pause => "machines stopped for a while",
            Fate::Cut => "lines cut",
            Fate::HandedBack => "leases handed back",
            Fate::Lost => "leases lost",
            Fate::Late => "late results",
            Fate::Disputed => "disputes",
            Fate::Compared => "sampled games that two played",
            Fate::Quarantined => "workers quarantined",
            Fate::Banned => "volunteers banned",
            Fate::TakenBack => "games taken back from the journal",
        })
    }
}

/// What a node asks of the database.
#[derive(Clone, Debug)]
enum Request {
    Worker(Call),
    Site(Question),
    /// Whether what was journalled stands.
    Hashes,
}

/// What the database answers.
#[derive(Clone, Debug)]
enum Answer {
    Claimed(Vec<Claimed>),
    Renewed(Vec<Lease>),
    Submitted(Vec<NewEnd>),
    HandedBack(Vec<Lease>),
    Asked(TournamentId, Vec<AskedGame>),
    Ends(TournamentId, Vec<Hex<32>>, Vec<GameEnd>),
    Hashes {
        /// Sampled games that another worker is still to play.
        awaited: usize,
        hashes: BTreeMap<Hex<32>, Option<Hex<32>>>,
        caught: BTreeSet<WorkerName>,
    },
    /// The worker gets nothing any more.
    Out,
}

/// A message between a node and the database. Only its sender's life of that time takes an answer.
#[derive(Clone, Debug)]
struct Envelope<T> {
    node: usize,
    life: u32,
    id: u64,
    what: T,
}

#[derive(Clone, Debug)]
enum Event {
    /// A node looks what to do.
    Wake(usize),
    AtDatabase(Envelope<Request>),
    AtNode(Envelope<Answer>),
    /// A game was played to its end.
    Played {
        node: usize,
        life: u32,
        lease: Lease,
    },
    Trouble,
}

struct Node {
    name: WorkerName,
    kind: Kind,
    life: u32,
    /// Its clock runs at so many thousandths of the true one, from this moment.
    rate: u64,
    began_at: u64,
    /// What it waits for: the call's number, and until when by its own clock.
    waits: Option<(u64, u64)>,
    /// No message passes until then.
    cut_until: u64,
    /// It does nothing until then.
    paused_until: u64,
    /// When it looks what to do.
    wakes_at: Option<u64>,
    is_out: bool,
}

enum Kind {
    Site(Site),
    Worker { state: WorkerState, lies: bool },
}

#[derive(Default)]
struct Site {
    asking: PollState,
    /// On the disk: it outlives the process.
    journal: BTreeMap<Hex<32>, String>,
    asked: BTreeSet<Hex<32>>,
    is_resting: bool,
    is_done: bool,
    /// The workers in quarantine when its journal was last compared. The lies of one that is caught later stay: the
    /// tournament is finished.
    caught: BTreeSet<WorkerName>,
}

pub(crate) struct Simulation {
    rng: Rng,
    now: u64,
    runtime: Runtime,
    clock: Clock,
    store: Store,
    nodes: Vec<Node>,
    events: BTreeMap<(u64, u64), Event>,
    made: u64,
    games: Vec<Hex<32>>,
    /// Whose each game is and until when, by what the database said; nothing where it is free.
    held: BTreeMap<Hex<32>, (WorkerName, u64)>,
    tokens: BTreeSet<(Hex<32>, u64)>,
    /// Which of the site's own workers have submitted a sampled game.
    compared: BTreeMap<Hex<32>, BTreeSet<WorkerName>>,
    /// The site's own workers that got games and tell the truth: now, and when the site looked last.
    took_part: [BTreeSet<WorkerName>; 2],
    /// What was lost of a hundred messages, and what came twice.
    loss: u32,
    doubles: u32,
    /// Whether games become void.
    voids: bool,
    /// What happened, if somebody wants to know: it takes most of the time.
    lines: Option<VecDeque<String>>,
    pub(crate) counts: BTreeMap<Fate, u64>,
}

fn cup() -> TournamentId {
    TournamentId::parse("cup-1").expect("an id")
}

fn truth(key: &Hex<32>) -> String {
    format!("the end of {key}")
}

fn void(key: &Hex<32>) -> String {
    format!("{key} is void")
}

fn is_sampled(key: &Hex<32>) -> bool {
    key.0[0].is_multiple_of(SAMPLED_OF)
}

fn hash(text: &str) -> Hex<32> {
    Hex(Sha256::digest(text).into())
}

impl Simulation {
    pub(crate) fn new(seed: u64) -> Simulation {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut rng = Rng::new(&key, 23);
        let workers = 3 + rng.below(3) as usize;
        // In half of the seeds one of the site's own lies; in a third there is a volunteer, which lies in half of
        // those.
        let (own_lies, volunteers, volunteer_lies) = match rng.below(6) {
            0 => (false, 0, false),
            1 => (false, 1, false),
            2 => (false, 1, true),
            _ => (true, 0, false),
        };
        let pace = Pace {
            places: 1 + rng.below(3) as usize,
            batch: 1 + rng.below(6) as usize,
            lease_ms: 500 + u64::from(rng.below(4_000)),
        };
        let mut nodes = Vec::new();
        for number in 0..=workers + volunteers {
            let is_volunteer = number > workers;
            let lies = if is_volunteer { volunteer_lies } else { own_lies && number == 1 };
            let kind = match number {
                0 => Kind::Site(Site::default()),
                _ => Kind::Worker { state: WorkerState::new(pace), lies },
            };
            let name = if is_volunteer {
                WorkerName::of_volunteer(AccountId(7))
            } else {
                WorkerName::parse(&format!("w{number}")).expect("a name")
            };
            nodes.push(Node {
                name,
                kind,
                life: 0,
                rate: 700 + u64::from(rng.below(700)),
                began_at: 0,
                waits: None,
                cut_until: 0,
                paused_until: 0,
                wakes_at: None,
                is_out: false,
            });
        }
        let games = (0..20 + rng.below(20) as u8).map(|number| Hex([number; 32])).collect();
        let (loss, doubles) = (rng.below(20), rng.below(20));
        let clock = Clock::manual(Duration::ZERO);
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        let store = runtime.block_on(Store::in_memory(Limits::DEFAULT)).expect("a store").with_clock(clock.clone());
        for node in nodes.iter().skip(1).filter(|node| node.name.volunteer().is_none()) {
            runtime.block_on(store.add_worker(&node.name, UnixSeconds(0))).expect("a name");
        }
        let mut simulation = Simulation {
            rng,
            now: 0,
            runtime,
            store,
            clock,
            nodes,
            events: BTreeMap::new(),
            made: 0,
            games,
            held: BTreeMap::new(),
            tokens: BTreeSet::new(),
            compared: BTreeMap::new(),
            took_part: [const { BTreeSet::new() }; 2],
            loss,
            doubles,
            voids: !own_lies,
            lines: None,
            counts: BTreeMap::new(),
        };
        for node in 0..simulation.nodes.len() {
            simulation.wake_in(node, 0);
        }
        simulation.after(1, Event::Trouble);
        simulation
    }

    /// The same simulation, which remembers what happened last.
    pub(crate) fn told(seed: u64) -> Simulation {
        Simulation { lines: Some(VecDeque::new()), ..Simulation::new(seed) }
    }

    /// What happened last.
    pub(crate) fn last(&self) -> impl Iterator<Item = &String> {
        self.lines.iter().flatten()
    }

    /// Until all is played.
    pub(crate) fn run(&mut self) {
        while !self.is_done() {
            let ((at, _), event) = self.events.pop_first().expect("nodes look again and again");
            assert!(at < END_MS, "not all games ended");
            self.clock.advance(Duration::from_millis(at - self.now));
            self.now = at;
            self.happen(event);
        }
        self.judge();
    }

    fn is_done(&self) -> bool {
        self.nodes.iter().any(|node| matches!(&node.kind, Kind::Site(site) if site.is_done))
    }

    /// What holds in the end.
    fn judge(&mut self) {
        let Kind::Site(Site { journal, caught, .. }) = &self.nodes[0].kind else {
            unreachable!("the first is the site")
        };
        let quarantined = self.runtime.block_on(self.store.quarantined()).expect("readable");
        assert_eq!(journal.len(), self.games.len(), "each game is there once");
        let liar = self.nodes.iter().find(|node| matches!(node.kind, Kind::Worker { lies: true, .. }));
        let is_caught = liar.is_some_and(|liar| caught.contains(&liar.name));
        assert!(
            quarantined.keys().all(|name| liar.is_some_and(|liar| liar.name == *name)),
            "only liars are quarantined"
        );
        for (key, text) in journal {
            // All that this volunteer says is played again: it has not enough games to be trusted.
            let may_lie = liar.is_some_and(|liar| liar.name.volunteer().is_none()) && !is_caught;
            let is_lie = may_lie && text.starts_with("a lie");
            let is_void = self.voids && *text == void(key);
            assert!(*text == truth(key) || is_void || is_lie, "{key} is {text}");
            // Of two that played it at least one tells the truth.
            let played = self.compared.get(key).map_or(0, BTreeSet::len);
            let is_awaited = is_sampled(key) && !self.voids && self.took_part[1].len() > 1;
            assert!(!is_awaited || played > 1, "{key} was to be compared: {played}");
            assert!(!is_sampled(key) || !is_lie || self.took_part[1].is_empty(), "{key} is sampled, and a lie");
        }
        let compared = self.compared.values().filter(|workers| workers.len() > 1).count();
        let voids = journal.iter().filter(|(key, text)| **text == void(key)).count();
        let banned = quarantined.keys().filter(|name| name.volunteer().is_some()).count();
        self.counts.insert(Fate::Game, self.games.len() as u64);
        self.counts.insert(Fate::Void, voids as u64);
        self.counts.insert(Fate::Compared, compared as u64);
        self.counts.insert(Fate::Quarantined, (quarantined.len() - banned) as u64);
        self.counts.insert(Fate::Banned, banned as u64);
        self.counts.retain(|_, count| *count > 0);
    }

    fn note(&mut self, line: impl FnOnce() -> String) {
        if let Some(lines) = &mut self.lines {
            if lines.len() == LINES {
                lines.pop_front();
            }
            lines.push_back(format!("{:>7} {}", self.now, line()));
        }
    }

    fn count(&mut self, fate: Fate, more: u64) {
        *self.counts.entry(fate).or_default() += more;
    }

    fn after(&mut self, ms: u64, event: Event) {
        self.made += 1;
        self.events.insert((self.now + ms, self.made), event);
    }

    /// A node's own clock.
    fn clock(&self, node: usize) -> u64 {
        let Node { rate, began_at, .. } = self.nodes[node];
        (self.now - began_at) * rate / 1_000
    }

    /// Lets a node look what to do, in so many milliseconds or sooner.
    fn wake_in(&mut self, node: usize, ms: u64) {
        let at = self.now + ms;
        if self.nodes[node].wakes_at.is_none_or(|sooner| at < sooner) {
            self.nodes[node].wakes_at = Some(at);
            self.after(ms, Event::Wake(node));
        }
    }

    /// When its clock says this, or a moment later.
    fn wake_at(&mut self, node: usize, moment: u64) {
        let ms = moment.saturating_sub(self.clock(node)) * 1_000 / self.nodes[node].rate + 1;
        self.wake_in(node, ms);
    }

    fn is_troubled(&self) -> bool {
        self.now < TROUBLED_MS
    }

    /// Sends a message over a line that may lose it, or bring it late or twice.
    fn send(&mut self, node: usize, event: &Event) {
        let mut copies = 1;
        if self.is_troubled() {
            if self.rng.below(100) < self.loss || self.nodes[node].cut_until > self.now {
                self.count(Fate::Dropped, 1);
                return;
            }
            if self.rng.below(100) < self.doubles {
                self.count(Fate::Duplicated, 1);
                copies = 2;
            }
        }
        for _ in 0..copies {
            let slow = self.is_troubled() && self.rng.below(20) == 0;
            let delay = u64::from(1 + self.rng.below(if slow { 3_000 } else { 40 }));
            self.after(delay, event.clone());
        }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Wake(node) | Event::AtNode(Envelope { node, .. }) | Event::Played { node, .. }
                if self.nodes[node].paused_until > self.now =>
            {
                // What came meanwhile is there when it goes on.
                let ms = self.nodes[node].paused_until - self.now;
                if let Event::Wake(_) = event {
                    self.nodes[node].wakes_at = Some(self.now + ms);
                }
                self.after(ms, event);
            }
            Event::Wake(node) => {
                // Another one was sooner.
                if self.nodes[node].wakes_at == Some(self.now) {
                    self.nodes[node].wakes_at = None;
                    self.act(node);
                }
            }
            Event::AtDatabase(asked) => self.answer(asked),
            Event::AtNode(answer) => self.hear(answer),
            Event::Played { node, life, lease } => self.played(node, life, lease),
            Event::Trouble => self.trouble(),
        }
    }

    /// Something goes wrong with somebody.
    fn trouble(&mut self) {
        if !self.is_troubled() {
            return;
        }
        let node = self.rng.below(self.nodes.len() as u32) as usize;
        let ms = u64::from(100 + self.rng.below(8_000));
        match self.rng.below(4) {
            0 => {
                self.count(Fate::Crash, 1);
                self.note(|| format!("{node} is killed and comes back"));
                self.restart(node);
                self.nodes[node].cut_until = 0;
                self.nodes[node].paused_until = self.now + ms / 4;
                self.wake_in(node, ms / 4);
            }
            1 => {
                self.count(Fate::Pause, 1);
                self.note(|| format!("{node} stands still for {ms} ms"));
                self.nodes[node].paused_until = self.now + ms;
            }
            2 => {
                self.count(Fate::Cut, 1);
                self.note(|| format!("the line of {node} is cut for {ms} ms"));
                self.nodes[node].cut_until = self.now + ms;
            }
            _ => {
                self.note(|| format!("{node} is asked to stop"));
                if let Kind::Worker { state, .. } = &mut self.nodes[node].kind {
                    state.stop();
                }
            }
        }
        let next = u64::from(100 + self.rng.below(3_000));
        self.after(next, Event::Trouble);
    }

    /// A new life of a node: it knows what is on its disk, and its clock begins anew.
    fn restart(&mut self, node: usize) {
        let pace_of = |node: &Node| match &node.kind {
            Kind::Worker { state, .. } => Some(state.pace()),
            Kind::Site(_) => None,
        };
        let pace = pace_of(&self.nodes[node]);
        let now = self.now;
        let it = &mut self.nodes[node];
        it.life += 1;
        it.waits = None;
        it.began_at = now;
        match (&mut it.kind, pace) {
            (Kind::Worker { state, .. }, Some(pace)) => *state = WorkerState::new(pace),
            (Kind::Site(site), _) => {
                site.asking = PollState::default();
                site.asked.clear();
                site.is_resting = false;
            }
            (Kind::Worker { .. }, None) => unreachable!("it has one"),
        }
    }

    /// A node does what is next for it.
    fn act(&mut self, node: usize) {
        let clock = self.clock(node);
        if self.nodes[node].is_out {
            return;
        }
        match self.nodes[node].waits {
            Some((_, until)) if clock < until => {
                self.wake_at(node, until);
                return;
            }
            Some(_) => {
                // No answer came.
                self.nodes[node].waits = None;
                if let Kind::Worker { state, .. } = &mut self.nodes[node].kind {
                    state.failed(clock);
                }
            }
            None => {}
        }
        let request = match &mut self.nodes[node].kind {
            Kind::Worker { state, .. } => {
                let mut begun = Vec::new();
                while let Some(claimed) = state.begin() {
                    begun.push(claimed.lease);
                }
                let next = state.next(clock);
                let life = self.nodes[node].life;
                for lease in begun {
                    let ms = u64::from(10 + self.rng.below(600));
                    self.after(ms, Event::Played { node, life, lease });
                }
                match next {
                    Call::Wait(until) => {
                        self.wake_at(node, until);
                        return;
                    }
                    Call::Stop => {
                        self.note(|| format!("{node} has stopped, and is started again"));
                        self.restart(node);
                        self.wake_in(node, 1);
                        return;
                    }
                    call => Request::Worker(call),
                }
            }
            Kind::Site(site) => match site.next(&self.games) {
                Some(request) => request,
                None => {
                    self.wake_at(node, clock + LOOKS_MS);
                    return;
                }
            },
        };
        self.made += 1;
        let id = self.made;
        self.nodes[node].waits = Some((id, clock + PATIENCE_MS));
        self.wake_at(node, clock + PATIENCE_MS);
        let life = self.nodes[node].life;
        self.send(node, &Event::AtDatabase(Envelope { node, life, id, what: request }));
    }

    fn played(&mut self, node: usize, life: u32, lease: Lease) {
        let clock = self.clock(node);
        let lie = format!("a lie about {} by {node}", lease.key);
        let it = &mut self.nodes[node];
        if it.life != life {
            return;
        }
        if let Kind::Worker { state, lies } = &mut it.kind {
            let (is_lie, is_void) = (*lies && self.rng.below(3) == 0, self.voids && self.rng.below(VOID_OF) == 0);
            let text = match (is_void, is_lie) {
                (true, _) => void(&lease.key),
                (false, true) => lie,
                (false, false) => truth(&lease.key),
            };
            state.played(NewEnd { lease, is_void, is_sampled: false, text }, clock);
        }
        self.act(node);
    }

    /// The database does what it is asked. That is one step: the stores' tests see to it.
    fn answer(&mut self, asked: Envelope<Request>) {
        let Envelope { node, life, id, what } = asked;
        let name = self.nodes[node].name.clone();
        let lease_ms = match &self.nodes[node].kind {
            Kind::Worker { state, .. } => state.pace().lease_ms,
            Kind::Site(_) => 0,
        };
        let store = &self.store;
        let said = if self.lines.is_some() { format!("{what:?}") } else { String::new() };
        let done: Result<Answer, QueueError> = self.runtime.block_on(async {
            if let Request::Worker(_) = what {
                store.note_worker(&name, 0).await?;
            }
            Ok(match what {
                Request::Worker(Call::Claim(games_max)) => {
                    let Claim { games, .. } = store.claim(&name, &[SEMANTICS.into()], games_max, lease_ms).await?;
                    Answer::Claimed(games)
                }
                Request::Worker(Call::Renew(leases)) => {
                    let lost = store.renew(&name, &leases, lease_ms).await?;
                    for lease in leases.iter().filter(|lease| !lost.contains(lease)) {
                        self.held.insert(lease.key, (name.clone(), self.now + lease_ms));
                    }
                    Answer::Renewed(lost)
                }
                Request::Worker(Call::Submit(ends)) => {
                    let before = store.quarantined().await?.len();
                    let taken = store.submit_ends(&name, &ends).await?;
                    for (end, taken) in ends.iter().zip(taken) {
                        // Of a volunteer's, only a game's last two are known.
                        assert!(taken != Taken::Foreign || name.volunteer().is_some(), "a lease was its own");
                        if taken == Taken::Disputed {
                            *self.counts.entry(Fate::Disputed).or_default() += 1;
                        }
                        if is_sampled(&end.lease.key) && !end.is_void && name.volunteer().is_none() {
                            self.compared.entry(end.lease.key).or_default().insert(name.clone());
                        }
                        // Its worker holds the game no longer, or its next claim is seen below.
                        self.held.remove(&end.lease.key);
                        let newer = self.tokens.contains(&(end.lease.key, end.lease.token + 1));
                        *self.counts.entry(Fate::Late).or_default() += u64::from(newer);
                    }
                    if store.quarantined().await?.len() > before {
                        // Whatever it had is free.
                        self.held.clear();
                    }
                    Answer::Submitted(ends)
                }
                Request::Worker(Call::HandBack(leases)) => {
                    store.hand_back(&name, &leases).await?;
                    *self.counts.entry(Fate::HandedBack).or_default() += leases.len() as u64;
                    self.held.retain(|key, _| !leases.iter().any(|lease| lease.key == *key));
                    Answer::HandedBack(leases)
                }
                Request::Worker(Call::Wait(_) | Call::Stop) => unreachable!("nothing is asked then"),
                Request::Site(Question::Ask(tournament, games)) => {
                    store.ask_games(&tournament, &games).await?;
                    Answer::Asked(tournament, games)
                }
                Request::Site(Question::Look(tournament, keys)) => {
                    let ends = store.ends(&tournament, &keys).await?;
                    Answer::Ends(tournament, keys, ends)
                }
                Request::Site(Question::Rest) => unreachable!("nothing is asked then"),
                Request::Hashes => Answer::Hashes {
                    awaited: store.samples_awaited(&cup(), Some(THERE_SECONDS)).await?,
                    hashes: store.end_hashes(&cup()).await?,
                    caught: store.quarantined().await?.into_keys().collect(),
                },
            })
        });
        let answer = match done {
            Ok(answer) => answer,
            Err(QueueError::Quarantined { .. } | QueueError::Banned { .. }) => Answer::Out,
            Err(error) => panic!("{error}"),
        };
        if let Answer::Hashes { .. } = &answer {
            self.took_part[1] = self.took_part[0].clone();
        }
        if let Answer::Claimed(games) = &answer {
            let lies = matches!(self.nodes[node].kind, Kind::Worker { lies: true, .. });
            if !games.is_empty() && !lies && name.volunteer().is_none() {
                self.took_part[0].insert(name.clone());
            }
            for Claimed { lease, .. } in games {
                assert!(self.tokens.insert((lease.key, lease.token)), "a token is given once");
                if let Some((holder, until)) = self.held.insert(lease.key, (name.clone(), self.now + lease_ms)) {
                    let is_lent = holder.volunteer().is_some() && name.volunteer().is_none();
                    assert!(until <= self.now || is_lent, "{} is {holder}'s until {until}", lease.key);
                }
            }
        }
        self.note(|| format!("{node}: {said} -> {answer:?}").chars().take(200).collect());
        self.send(node, &Event::AtNode(Envelope { node, life, id, what: answer }));
    }

    fn hear(&mut self, heard: Envelope<Answer>) {
        let Envelope { node, life, id, what } = heard;
        let clock = self.clock(node);
        let it = &mut self.nodes[node];
        // An answer that is late, or comes twice, is to nobody.
        if it.life != life || it.waits.is_none_or(|(wanted, _)| wanted != id) {
            return;
        }
        it.waits = None;
        let mut fates = Vec::new();
        match (&mut it.kind, what) {
            (Kind::Worker { state, .. }, Answer::Claimed(games)) => state.claimed(games, clock),
            (Kind::Worker { state, .. }, Answer::Renewed(lost)) => {
                fates.push((Fate::Lost, lost.len() as u64));
                state.renewed(&lost, clock);
            }
            (Kind::Worker { state, .. }, Answer::Submitted(ends)) => state.submitted(&ends),
            (Kind::Worker { state, .. }, Answer::HandedBack(leases)) => state.handed_back(&leases),
            (Kind::Worker { .. }, Answer::Out) => it.is_out = true,
            (Kind::Site(site), Answer::Asked(tournament, games)) => site.asking.asked(&tournament, &games),
            (Kind::Site(site), Answer::Ends(tournament, keys, ends)) => {
                for end in site.asking.looked(&tournament, &keys, ends) {
                    let before = site.journal.insert(end.key, end.text);
                    assert_eq!(before, None, "a game ends once");
                }
            }
            (Kind::Site(site), Answer::Hashes { awaited: 0, hashes, caught }) => {
                fates.push((Fate::TakenBack, site.compare(hashes)));
                site.caught = caught;
            }
            (Kind::Site(_), Answer::Hashes { .. }) => {}
            (_, answer) => unreachable!("nobody asked for {answer:?}"),
        }
        fates.into_iter().for_each(|(fate, more)| self.count(fate, more));
        self.act(node);
    }
}

impl Site {
    /// What to ask next; nothing for a while.
    fn next(&mut self, games: &[Hex<32>]) -> Option<Request> {
        if self.is_done {
            return None;
        }
        let waiting = self.asked.iter().filter(|key| !self.journal.contains_key(key)).count();
        let open = games.iter().filter(|key| !self.journal.contains_key(key) && !self.asked.contains(key));
        let open: Vec<Hex<32>> = open.take(WINDOW.saturating_sub(waiting)).copied().collect();
        for key in open {
            self.asked.insert(key);
            let (semantics, build, job) = (SEMANTICS.into(), "1.0".into(), format!("game {key}"));
            let asked = AskedGame { key, semantics, build, job, is_sampled: is_sampled(&key) };
            self.asking.want(cup(), asked);
        }
        if std::mem::take(&mut self.is_resting) {
            return self.asking.is_idle().then_some(Request::Hashes);
        }
        match self.asking.question() {
            Question::Rest => {
                self.is_resting = self.journal.len() == games.len();
                None
            }
            question => Some(Request::Site(question)),
        }
    }

    /// Sees whether what was journalled stands; how many games do not.
    fn compare(&mut self, hashes: BTreeMap<Hex<32>, Option<Hex<32>>>) -> u64 {
        let journal = self.journal.iter().map(|(key, text)| Ok::<_, Infallible>((*key, hash(text))));
        let Ok(stands) = Reconciled::compare(journal, Hashes::new(hashes, Games::Elsewhere));
        let hashes = match stands {
            Reconciled::Whole => {
                self.is_done = true;
                return 0;
            }
            Reconciled::Open(_) => return 0,
            Reconciled::Wrong(hashes) => hashes,
        };
        let before = self.journal.len();
        self.journal.retain(|key, text| !hashes.is_wrong(key, hash(text)));
        self.asked.retain(|key| self.journal.contains_key(key));
        (before - self.journal.len()) as u64
    }
}
