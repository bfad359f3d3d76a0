//! A standing tournament whose games other processes play: its results are the bytes that one process comes to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arena_record::{Budgets, EntrantId, Header, Hex};
use arena_referee::{Player, play};
use arena_rules::BySeat;
use arena_runner::{Contender, Ended, Finished, semantics_id};
use arena_service::fleet::{Job, News, NoAnswer, Pace, Share, Source, Worker, end, work};
use arena_service::limits::ELSEWHERE_GAMES;
use arena_service::{Config, Edition, Games, Service};
use arena_store::{Claim, Claimed, Lease, NewEnd, Store, Taken, TournamentId, UnixSeconds, WorkerName};
use arena_worker::{Pool, Wall};
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::{JoinHandle, yield_now};

use super::standing::{place_with_a_bot, results};
use super::{FIRST, Place, STEP, has_played, in_time, is_settled, settled, until_settled};
use crate::eventually::eventually;

/// Longer than a test takes, and over at once.
const LEASES_MS: [u64; 2] = [600_000, 0];

/// Games of the edition: twenty of each of four players in the first seat against each other one.
const GAMES: usize = 4 * 3 * 20;

fn pool(place: &Place) -> Pool {
    Pool::new(env!("CARGO_BIN_EXE_service-test-worker").into(), vec![place.death().into()], 4)
}

/// A service that plays no game of a tournament itself.
async fn open(place: &Place, store: &Arc<Store>) -> Service {
    let (store, data, pool) = (store.clone(), place.data(), pool(place));
    let config = Config {
        clock: place.clock.clone(),
        random: place.random.clone(),
        store,
        data,
        pool,
        standing: vec![FIRST],
        standing_threads: 1,
        bots_per_account: arena_service::limits::BOTS_PER_OWNER_MAX,
        games: Games::Elsewhere,
        volunteers: None,
    };
    Service::open(config).await.expect("a service")
}

fn name(text: &str) -> WorkerName {
    WorkerName::parse(text).expect(text)
}

/// The queue of a store, as a server gives it to one of the site's own workers.
struct OwnQueue {
    store: Arc<Store>,
    name: WorkerName,
    runtime: Handle,
}

/// None of these workers is wrong, and a store in a test answers.
fn answered<T>(answer: Result<T, impl std::error::Error + Send + Sync + 'static>) -> Result<T, NoAnswer> {
    answer.map_err(|error| NoAnswer::Lasting(error.into()))
}

impl Source for OwnQueue {
    async fn claim(&self, semantics: &[String], games_max: usize, lease_ms: u64) -> Result<Claim, NoAnswer> {
        answered(self.store.note_worker(&self.name, 0).await)?;
        answered(self.store.claim(&self.name, semantics, games_max, lease_ms).await)
    }

    async fn renew(&self, leases: &[Lease], lease_ms: u64) -> Result<Vec<Lease>, NoAnswer> {
        answered(self.store.renew(&self.name, leases, lease_ms).await)
    }

    async fn hand_back(&self, leases: &[Lease]) -> Result<(), NoAnswer> {
        answered(self.store.hand_back(&self.name, leases).await)
    }

    async fn submit(&self, ends: &[NewEnd]) -> Result<Vec<Taken>, NoAnswer> {
        answered(self.store.submit_ends(&self.name, ends).await)
    }

    fn module(&self, entrant: &EntrantId) -> Result<Option<Vec<u8>>, NoAnswer> {
        answered(self.runtime.block_on(self.store.module_in_queue(entrant)))
    }
}

/// A worker, until something is sent to it.
struct Works {
    stop: oneshot::Sender<()>,
    task: JoinHandle<u64>,
}

impl Works {
    fn start(place: &Place, store: &Arc<Store>, text: &str) -> Works {
        let (stop, stopped) = oneshot::channel();
        let pace = Pace { places: 2, batch: 4, lease_ms: LEASES_MS[0] };
        let cache = place.folder.path().join(format!("cache of {text}"));
        let source = Arc::new(OwnQueue { store: store.clone(), name: name(text), runtime: Handle::current() });
        let worker = Worker { clock: place.clock.clone(), source, pool: pool(place), pace, cache };
        let task = tokio::spawn(async move {
            let stop = async { drop(stopped.await) };
            work(worker, stop, |_| ()).await.expect("not quarantined")
        });
        Works { stop, task }
    }

    /// Asks it to stop; how many games it played.
    async fn stop(self) -> u64 {
        self.stop.send(()).expect("it works");
        self.task.await.expect("no panic")
    }
}

/// A place with a bot, and the edition that one process has played there.
async fn played_alone() -> (Place, Arc<Edition>) {
    let place = place_with_a_bot().await;
    let service = place.open().await;
    let edition = until_settled(&service).await;
    service.close().await;
    (place, edition)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edition_that_workers_play_has_the_bytes_of_one_that_one_process_plays() {
    let (whole, expected) = played_alone().await;
    let shared = place_with_a_bot().await;
    let store = shared.store().await;
    let service = open(&shared, &store).await;
    let one = Works::start(&shared, &store, "one");
    in_time(&shared.clock, service.standing().watch(FIRST), has_played(1, 20)).await;
    // What it had claimed another has at once.
    assert!(one.stop().await > 0);
    let (two, three) = (Works::start(&shared, &store, "two"), Works::start(&shared, &store, "three"));
    let edition = settled(&shared, &service).await;
    assert_eq!(edition.standings, expected.standings);
    assert!(two.stop().await > 0);
    three.stop().await;
    let tournament = edition.tournament.clone();
    assert_eq!(store.end_hashes(&tournament).await.expect("readable").len(), 0, "the queue forgets what is finished");
    service.close().await;
    assert_eq!(results(&shared.edition(1)), results(&whole.edition(1)));
}

/// A game of built-in opponents, in whose seats these play: who they are by the header, or others, which the rules have
/// nothing against. None of a game with a bot in it.
fn played(claimed: &Claimed, who: impl Fn(&EntrantId) -> Contender) -> Option<NewEnd> {
    let job = Job::parse(&claimed.job).expect("a game");
    if job.header.entrants.iter().any(|id| id.hash().is_some()) {
        return None;
    }
    let mut players: Vec<_> = job.header.entrants.iter().map(|id| who(id).player(Wall::None)).collect();
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as _).collect();
    let record = play(job.header, BySeat::from(seated)).expect("a game");
    Some(end(claimed.lease.clone(), &Finished::new(Ended::Played(record), 0)))
}

fn easy(_: &EntrantId) -> Contender {
    Contender::baseline(FIRST.ruleset, "easy").expect("an opponent")
}

fn themselves(id: &EntrantId) -> Contender {
    Contender::of_baseline(FIRST.ruleset, id).expect("an opponent")
}

/// All games that a site asks for at once, which a worker claims for so long. A site asks for them as its threads come
/// to it, in the order of the schedule: the first forty may all be of a pairing with a bot in it, and the first claims
/// find but a few.
async fn claimed(store: &Store, worker: &str, lease_ms: u64) -> Vec<Claimed> {
    let semantics = [semantics_id(FIRST.ruleset)];
    let mut games = BTreeMap::new();
    let look = async || {
        let claim = store.claim(&name(worker), &semantics, ELSEWHERE_GAMES, lease_ms).await.expect("not quarantined");
        games.extend(claim.games.into_iter().map(|claimed| (claimed.lease.key, claimed)));
        if games.len() < ELSEWHERE_GAMES { Err(format!("{} games", games.len())) } else { Ok(()) }
    };
    eventually("all games that are asked for at once", look).await;
    games.into_values().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_liar_is_found_out_and_its_games_are_played_again_before_an_edition_is_finished() {
    let (whole, expected) = played_alone().await;
    let shared = place_with_a_bot().await;
    let store = shared.store().await;
    let service = open(&shared, &store).await;
    // Whose leases are over when the liar has the same games.
    let late = claimed(&store, "late", LEASES_MS[1]).await;
    let games = claimed(&store, "liar", LEASES_MS[0]).await;
    let lies: Vec<NewEnd> = games.iter().filter_map(|claimed| played(claimed, easy)).collect();
    let truths: Vec<NewEnd> = late.iter().filter_map(|claimed| played(claimed, themselves)).collect();
    let truth =
        truths.iter().find(|truth| lies.iter().any(|lie| lie.lease.key == truth.lease.key && lie.text != truth.text));
    let taken = store.submit_ends(&name("liar"), &lies).await.expect("taken");
    assert!(lies.len() > 2, "two pairings in which only one has a bot: {} games", lies.len());
    assert_eq!(taken, vec![Taken::Counts; lies.len()], "nobody knows better");
    in_time(&shared.clock, service.standing().watch(FIRST), has_played(1, lies.len())).await;
    let taken = store.submit_ends(&name("late"), &[truth.expect("a lie").clone()]).await.expect("taken");
    assert_eq!(taken, [Taken::Disputed]);
    let one = Works::start(&shared, &store, "one");
    let finished = settled(&shared, &service).await;
    assert_eq!((finished.number, &finished.standings), (1, &expected.standings));
    let quarantined = store.quarantined().await.expect("readable");
    assert_eq!(quarantined.keys().map(WorkerName::as_str).collect::<Vec<_>>(), ["liar"]);
    one.stop().await;
    service.close().await;
    assert_eq!(results(&shared.edition(1)), results(&whole.edition(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edition_waits_until_another_worker_has_played_the_sampled_games() {
    let (whole, expected) = played_alone().await;
    let shared = place_with_a_bot().await;
    let store = shared.store().await;
    let now = || UnixSeconds(shared.clock.unix_seconds());
    for worker in ["one", "two"] {
        store.add_worker(&name(worker), now()).await.expect("a name");
    }
    let service = open(&shared, &store).await;
    // It takes part, and has nothing to play yet.
    claimed(&store, "two", LEASES_MS[1]).await;
    let one = Works::start(&shared, &store, "one");
    let tournament = TournamentId::parse("standing-1").expect("an id");
    let look = async || {
        shared.clock.advance(STEP);
        store.note_worker(&name("two"), 0).await.expect("noted");
        let ended = store.end_hashes(&tournament).await.expect("readable");
        let open = ended.values().filter(|end| end.is_none()).count();
        let awaited = store.samples_awaited(&tournament, Some(0)).await.expect("readable");
        let is_played = ended.len() == GAMES && open == 0 && awaited > 0;
        if is_played { Ok(awaited) } else { Err(format!("{} games, {open} open, {awaited} awaited", ended.len())) }
    };
    let awaited = eventually("games that all have ends, and sampled ones among them", look).await;
    assert!(one.stop().await >= GAMES as u64);
    let two = Works::start(&shared, &store, "two");
    let edition = settled(&shared, &service).await;
    assert_eq!(edition.standings, expected.standings);
    assert!(two.stop().await >= awaited as u64, "the share of {} games", Share::OWN);
    service.close().await;
    assert_eq!(results(&shared.edition(1)), results(&whole.edition(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edition_is_finished_although_a_worker_that_is_there_never_plays_the_sampled_games() {
    let (whole, expected) = played_alone().await;
    let shared = place_with_a_bot().await;
    let store = shared.store().await;
    for worker in ["one", "two"] {
        store.add_worker(&name(worker), UnixSeconds(shared.clock.unix_seconds())).await.expect("a name");
    }
    let service = open(&shared, &store).await;
    // It takes part, asks for more all the time, and plays nothing.
    claimed(&store, "two", LEASES_MS[1]).await;
    let one = Works::start(&shared, &store, "one");
    let tournament = TournamentId::parse("standing-1").expect("an id");
    let mut waited = Duration::ZERO;
    let look = async || {
        store.note_worker(&name("two"), 0).await.expect("noted");
        let ended = store.end_hashes(&tournament).await.expect("readable");
        let is_played = ended.len() == GAMES && ended.values().all(Option::is_some);
        shared.clock.advance(if is_played { 20 * STEP } else { STEP });
        waited += if is_played { 20 * STEP } else { Duration::ZERO };
        let shown = service.standing().watch(FIRST).borrow().clone();
        shown.edition.clone().filter(|_| is_settled(&shown)).ok_or_else(|| format!("{} games", ended.len()))
    };
    let edition = eventually("an edition", look).await;
    assert_eq!(edition.standings, expected.standings);
    assert!(waited >= Duration::from_secs(9 * 60), "it waited {waited:?}");
    one.stop().await;
    service.close().await;
    assert_eq!(results(&shared.edition(1)), results(&whole.edition(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_were_taken_back_are_played_here_once_no_worker_plays_any_more() {
    let (whole, expected) = played_alone().await;
    let shared = place_with_a_bot().await;
    let store = shared.store().await;
    let service = open(&shared, &store).await;
    let games = claimed(&store, "liar", LEASES_MS[0]).await;
    let lies: Vec<NewEnd> = games.iter().filter_map(|claimed| played(claimed, easy)).collect();
    store.submit_ends(&name("liar"), &lies).await.expect("taken");
    in_time(&shared.clock, service.standing().watch(FIRST), has_played(1, lies.len())).await;
    store.quarantine(&name("liar"), "it lied").await.expect("quarantined");
    service.close().await;
    drop(store);

    let free = async || Store::open(&shared.data()).await.map(drop);
    eventually("the last task to drop the store, which frees the folder", free).await;
    let service = shared.open().await;
    let finished = until_settled(&service).await;
    assert_eq!((finished.number, &finished.standings), (1, &expected.standings));
    service.close().await;
    assert_eq!(results(&shared.edition(1)), results(&whole.edition(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_a_game_quarantines_who_submitted_it_and_is_never_journalled() {
    let place = place_with_a_bot().await;
    let store = place.store().await;
    let service = open(&place, &store).await;
    let semantics = [semantics_id(FIRST.ruleset)];
    let mut said = Vec::new();
    for (worker, text) in [("misspelt", "nonsense".to_owned()), ("other", String::new())] {
        let look = async || {
            let claim = store.claim(&name(worker), &semantics, 1, LEASES_MS[0]).await.expect("not quarantined");
            claim.games.into_iter().next()
        };
        let claimed = eventually("a game", look).await;
        let text = if text.is_empty() { another_game(&claimed) } else { text };
        let end = NewEnd { lease: claimed.lease, is_void: false, is_sampled: false, text };
        store.submit_ends(&name(worker), &[end]).await.expect("taken");
        let look = async || {
            place.clock.advance(STEP);
            store.quarantined().await.expect("readable").remove(&name(worker))
        };
        said.push(eventually("a quarantine", look).await);
    }
    assert_eq!(said, ["the record cannot be read: it has no checksum", "the record is of another game"]);
    let works = Works::start(&place, &store, "one");
    let standing = in_time(&place.clock, service.standing().watch(FIRST), is_settled).await;
    assert_eq!(standing.edition.as_ref().map(|edition| edition.games), Some(GAMES));
    works.stop().await;
    service.close().await;
}

/// What came of a game with another seed.
fn another_game(claimed: &Claimed) -> String {
    let mut job = Job::parse(&claimed.job).expect("a game");
    job.header.seed = Hex([99; 32]);
    let mut players =
        [easy(&job.header.entrants[0]), easy(&job.header.entrants[1])].map(|easy| easy.player(Wall::None));
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as _).collect();
    let record = play(job.header, BySeat::from(seated)).expect("a game");
    Ended::Played(record).to_line(0)
}

/// Renewals of a lease that is lost, before the bytes of the game's bot are there.
const RENEWALS: usize = 3;

/// A queue that gives a game away once, and has given it to another whenever its lease is to be renewed.
struct Loses {
    game: Mutex<Option<Claimed>>,
    renewals: watch::Sender<usize>,
    runtime: Handle,
}

impl Loses {
    async fn until_renewed(&self) {
        let mut renewals = self.renewals.subscribe();
        drop(renewals.wait_for(|renewals| *renewals >= RENEWALS).await);
    }
}

impl Source for Loses {
    async fn claim(&self, _: &[String], _: usize, _: u64) -> Result<Claim, NoAnswer> {
        let games = self.game.lock().expect("no panic").take();
        Ok(Claim { games: games.into_iter().collect(), others: Vec::new() })
    }

    async fn renew(&self, leases: &[Lease], _: u64) -> Result<Vec<Lease>, NoAnswer> {
        self.renewals.send_modify(|renewals| *renewals += 1);
        yield_now().await;
        Ok(leases.to_vec())
    }

    async fn hand_back(&self, _: &[Lease]) -> Result<(), NoAnswer> {
        Ok(())
    }

    async fn submit(&self, ends: &[NewEnd]) -> Result<Vec<Taken>, NoAnswer> {
        Ok(vec![Taken::Unwanted; ends.len()])
    }

    /// The game is being played until then.
    fn module(&self, _: &EntrantId) -> Result<Option<Vec<u8>>, NoAnswer> {
        self.runtime.block_on(self.until_renewed());
        Ok(None)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_loses_a_lease_says_so_once() {
    let place = Place::new();
    let header = Header {
        semantics: semantics_id(FIRST.ruleset),
        build: "1.0".into(),
        ruleset: FIRST.ruleset.into(),
        options: String::new(),
        budgets: Budgets::DEFAULT,
        seed: Hex([7; 32]),
        entrants: vec![EntrantId::of_bytes(b"nobody has them"); 2],
        opponents: BTreeMap::new(),
    };
    let asked = Job::new(header, Wall::None).asked();
    let lease = Lease { tournament: TournamentId::parse("cup-1").expect("an id"), key: asked.key, token: 1 };
    let game = Mutex::new(Some(Claimed { lease, job: asked.job }));
    let source = Arc::new(Loses { game, renewals: watch::Sender::new(0), runtime: Handle::current() });
    let queue = source.clone();
    // Leases that are over at once, and renewed whenever nothing else is to be done.
    let pace = Pace { places: 1, batch: 1, lease_ms: LEASES_MS[1] };
    let cache = place.folder.path().join("cache");
    let worker = Worker { clock: place.clock.clone(), source, pool: pool(&place), pace, cache };
    let lost = Mutex::new(Vec::new());
    let told = |news| {
        if let News::Lost(games) = news {
            lost.lock().expect("no panic").push(games);
        }
    };
    work(worker, queue.until_renewed(), told).await.expect("it is not refused");
    assert_eq!(*lost.lock().expect("no panic"), [1]);
}

/// A queue that takes what it is asked, and never answers.
struct Deaf {
    called: Notify,
}

impl Deaf {
    async fn never<T>(&self) -> Result<T, NoAnswer> {
        self.called.notify_one();
        std::future::pending().await
    }
}

impl Source for Deaf {
    async fn claim(&self, _: &[String], _: usize, _: u64) -> Result<Claim, NoAnswer> {
        self.never().await
    }

    async fn renew(&self, _: &[Lease], _: u64) -> Result<Vec<Lease>, NoAnswer> {
        self.never().await
    }

    async fn hand_back(&self, _: &[Lease]) -> Result<(), NoAnswer> {
        self.never().await
    }

    async fn submit(&self, _: &[NewEnd]) -> Result<Vec<Taken>, NoAnswer> {
        self.never().await
    }

    /// It gives no games away.
    fn module(&self, _: &EntrantId) -> Result<Option<Vec<u8>>, NoAnswer> {
        Ok(None)
    }
}

#[tokio::test]
async fn a_worker_that_waits_for_a_queue_that_never_answers_stops_when_it_is_asked_to() {
    let place = Place::new();
    let source = Arc::new(Deaf { called: Notify::new() });
    let queue = source.clone();
    let pace = Pace { places: 1, batch: 1, lease_ms: LEASES_MS[0] };
    let cache = place.folder.path().join("cache");
    let worker = Worker { clock: place.clock.clone(), source, pool: pool(&place), pace, cache };
    let works = tokio::spawn(async move { work(worker, queue.called.notified(), |_| ()).await });
    let stopped = async || {
        place.clock.advance(STEP);
        works.is_finished()
    };
    eventually("the worker to stop", stopped).await;
    assert_eq!(works.await.expect("no panic").expect("it is not refused"), 0);
}
