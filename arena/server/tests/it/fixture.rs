//! A site at rest: an edition of each game's standing tournament was played before, the same in every test.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use arena_clock::Clock;
use arena_record::{Budgets, EntrantId, Header, Record};
use arena_rooms::RoomId;
use arena_runner::{Archive, Contender, Ended, Folder, Host, Workers, layout};
use arena_server::{Assets, Metrics, OperatorToken, Site, Stop, serve};
use arena_service::{Config, LiveRoom, Random, Service};
use arena_store::{
    AccountId, BotName, IndexedGame, Limits, PlayerCode, SampleLog, Store, TournamentId, UnixSeconds, Verdict,
    VersionId,
};
use arena_tournaments::{Definition, EntrantSpec, FormatSpec, Source, limits};
use arena_wire::{GAMES, Game};
use arena_worker::Pool;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::counted::Counted;
use crate::eventually::eventually_shown;
use crate::made_once::made_once;

/// When what tests put into the store was done: the time, unless a test advances it.
pub(crate) const NOW: UnixSeconds = UnixSeconds(1_800_000_000);

/// What the fixture's operator proves with that it is the operator.
pub(crate) const OPERATOR: &str = "the-token-of-this-fixtures-operator";

/// The bytes of a bot that nobody plays.
pub(crate) const MODULE: &[u8] = b"\0asm of a bot";

/// A server that ends with the test. Its workers cannot start: nothing here plays a module.
pub(crate) struct Fixture {
    pub(crate) address: SocketAddr,
    pub(crate) clock: Clock,
    pub(crate) service: Service,
    pub(crate) store: Arc<Store>,
    /// What the site asks of its store.
    pub(crate) counted: Arc<Counted>,
    pub(crate) metrics: Metrics,
    /// The folder of the site's data.
    pub(crate) data: PathBuf,
    stop: Stop,
    serving: JoinHandle<()>,
    _folder: TempDir,
}

fn no_workers() -> Pool {
    Pool::new(PathBuf::from("no-such-program"), Vec::new(), 0)
}

pub(crate) async fn fixture() -> Fixture {
    fixture_at(1).await
}

/// The same where the latest edition of the first game has this number.
pub(crate) async fn fixture_at(number: u32) -> Fixture {
    fixture_of(&[number]).await
}

/// The same where the first game has editions of these numbers, which are alike.
pub(crate) async fn fixture_of(numbers: &[u32]) -> Fixture {
    fixture_with_editions(numbers, Limits::DEFAULT, |_, _| {}).await
}

/// The same with limits of its store's own.
pub(crate) async fn fixture_with(limits: Limits) -> Fixture {
    fixture_with_editions(&[1], limits, |_, _| {}).await
}

/// The same where the last game of the first game's edition came out otherwise.
pub(crate) async fn fixture_where(last: impl Fn(&mut Record)) -> Fixture {
    let change = |path: &Path, bytes: &mut Vec<u8>| {
        if path == Path::new("standing-1").join(layout::JOURNAL) {
            let from = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').expect("several games") + 1;
            let Ok((number, Ended::Played(mut record))) = Ended::parse_line(&bytes[from..]) else {
                panic!("a played game")
            };
            last(&mut record);
            bytes.truncate(from);
            bytes.extend(Ended::Played(record).to_line(number).into_bytes());
        }
    };
    fixture_with_editions(&[1], Limits::DEFAULT, change).await
}

/// A site without standing tournaments, which never had an edition.
pub(crate) async fn fixture_without_standing() -> Fixture {
    fixture_with_editions(&[], Limits::DEFAULT, |_, _| {}).await
}

/// A site with standing tournaments if the first game has any edition.
async fn fixture_with_editions(numbers: &[u32], limits: Limits, change: impl Fn(&Path, &mut Vec<u8>)) -> Fixture {
    let held: Vec<&Game> = GAMES.iter().filter(|_| !numbers.is_empty()).collect();
    let folder = tempfile::tempdir().expect("a folder");
    for (path, bytes) in EDITIONS.iter().filter(|_| !held.is_empty()) {
        let mut bytes = bytes.clone();
        change(path, &mut bytes);
        let paths = match path.strip_prefix("standing-1") {
            Ok(file) => numbers.iter().map(|number| Path::new(&format!("standing-{number}")).join(file)).collect(),
            Err(_) => vec![path.clone()],
        };
        for path in paths {
            let path = folder.path().join("tournaments").join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, &bytes).expect("written");
        }
    }
    let counted = Arc::<Counted>::default();
    let clock = Clock::manual(Duration::from_secs(NOW.0.unsigned_abs()));
    let store = Store::in_memory(limits).await.expect("a store").with_clock(clock.clone());
    let store = Arc::new(store.with_probe(counted.probe()));
    let (games, volunteers) = (arena_service::Games::Here, Some("0.1".parse().expect("a part")));
    let config = Config {
        clock: clock.clone(),
        random: Random::repeatable(),
        store: store.clone(),
        data: folder.path().into(),
        pool: no_workers(),
        standing: held.clone(),
        standing_threads: 1,
        bots_per_account: arena_service::limits::BOTS_PER_OWNER_MAX,
        games,
        volunteers,
    };
    let service = Service::open(config).await.expect("a service");
    for game in held {
        eventually_shown("its edition", service.standing().watch(game), |standing| standing.edition.is_some()).await;
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, metrics) = (Stop::default(), Metrics::default());
    let site = Site {
        service: service.clone(),
        assets: Assets::embedded(),
        public_url: None,
        secure: false,
        trusted_proxies: Vec::new(),
        operator: Some(OperatorToken::parse(OPERATOR).expect("a token")),
        metrics: metrics.clone(),
        log_addresses: false,
    };
    let serving = tokio::spawn(serve(site, listener, stop.clone()));
    let data = folder.path().into();
    Fixture { address, clock, service, store, counted, metrics, data, stop, serving, _folder: folder }
}

impl Fixture {
    /// A room, by the end of its address.
    pub(crate) async fn room(&self, address: &str) -> Arc<LiveRoom> {
        let id: RoomId = address.rsplit('/').next().unwrap_or_default().parse().expect("an id");
        self.service.rooms().room(&id).await.expect("readable").expect("the room")
    }

    /// The owner of a player code.
    pub(crate) async fn owner(&self, code: &str) -> AccountId {
        let code = PlayerCode::parse(code).expect("a code");
        self.service.store().account_by_code(&code).await.expect("read").expect("an account").id
    }

    /// A version that waits for its verdict, which no worker gives.
    pub(crate) async fn pending(&self, owner: AccountId, name: &str, game: &str) -> VersionId {
        let name = BotName::parse(name).expect("a name");
        let submitted = self.service.store().submit(owner, &name, game, MODULE.into(), NOW).await;
        submitted.expect("taken").version().id
    }

    /// A version of an account's bot `talker` that may play.
    pub(crate) async fn accepted(&self, code: &str, module: &[u8]) -> EntrantId {
        self.accepted_as(code, "talker", module).await
    }

    /// The same of another bot.
    pub(crate) async fn accepted_as(&self, code: &str, name: &str, module: &[u8]) -> EntrantId {
        let (owner, name) = (self.owner(code).await, BotName::parse(name).expect("a name"));
        let submitted = self.service.store().submit(owner, &name, "conquerors@2", module.into(), NOW).await;
        let id = submitted.expect("taken").version().id;
        self.service.store().set_verdict(id, Verdict::Accepted).await.expect("pending").entrant
    }

    /// A tournament `cup` of one game: that of an edition, as if its header had said something else.
    pub(crate) async fn cup(&self, change: impl FnOnce(&mut Header)) {
        let [edition, cup] = ["standing-1", "cup"].map(|id| TournamentId::parse(id).expect("an id"));
        let played = self.store.game(&edition, 0).await.expect("read").expect("indexed");
        let archive = Archive::open(&self.service.tournaments().join(&played.path)).expect("finished");
        let mut record = archive.record(0).expect("its record");
        record.header.opponents.clear();
        change(&mut record.header);
        keep(&self.service.tournaments().join("cup"), 0, &record);
        self.store.reindex(&cup, &[IndexedGame::new(0, &record, "cup")]).await.expect("indexed");
    }

    /// What a version logged in its first sample game.
    pub(crate) async fn logged(&self, version: VersionId, text: &str) {
        let log = SampleLog { seat: 1, text: text.into(), dropped: 5 };
        self.service.store().keep_sample_logs(version, &[log]).await.expect("kept");
    }

    pub(crate) async fn end(self) {
        self.stop.now();
        self.serving.await.expect("served");
        self.service.close().await;
    }
}

/// A folder with the record of one game.
pub(crate) fn keep(folder: &Path, number: usize, record: &Record) {
    fs::create_dir(folder).expect("made");
    let line = Ended::Played(record.clone()).to_line(number);
    fs::write(folder.join(layout::JOURNAL), line).expect("written");
    let index = "------------\n".repeat(number) + "000000000000\n";
    fs::write(folder.join(layout::INDEX), index).expect("written");
}

/// The files of the editions, by their paths from the folder of all tournaments.
static EDITIONS: LazyLock<BTreeMap<PathBuf, Vec<u8>>> = LazyLock::new(|| {
    let folder = made_once(env!("CARGO_TARGET_TMPDIR"), "editions-of-all-games", play_editions);
    let mut files = BTreeMap::new();
    gather(&folder, &folder, &mut files);
    files
});

fn play_editions(folder: &Path) {
    let host: Arc<dyn Host> = Arc::new(Workers::new(no_workers()));
    for (number, game) in GAMES.iter().enumerate() {
        // As the service calls them.
        let name = if number == 0 { "standing-1".into() } else { format!("{}-1", game.name()) };
        let edition = Folder::open(&folder.join(name), &definition(game), folder, &host);
        edition.expect("built-in opponents").0.run(1, |_| {}).expect("played");
    }
}

/// All built-in opponents of a game, as in an edition, in as few games as there can be.
fn definition(game: &Game) -> Definition {
    let seats = game.shape(game.ranked).expect("known options").seats;
    let pairs = game.cages.into();
    let entrant = |name: &str| EntrantSpec { name: name.into(), display: None, source: Source::Baseline(name.into()) };
    Definition {
        openings: Vec::new(),
        name: "standing tournament, edition 1".into(),
        ruleset: game.ruleset.into(),
        options: game.ranked.into(),
        seed: 1,
        draw: None,
        format: if seats == 2 { FormatSpec::round_robin(1) } else { FormatSpec::Field { games: 1, pairs } },
        anchor: None,
        budgets: Budgets::of(game.allowance),
        wall_ms_per_move: limits::WALL_MS_DEFAULT,
        entrants: Contender::usual(game.ruleset).map(entrant).collect(),
    }
}

fn gather(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            gather(root, &path, files);
        } else {
            files.insert(path.strip_prefix(root).expect("below").into(), fs::read(&path).expect("read"));
        }
    }
}
