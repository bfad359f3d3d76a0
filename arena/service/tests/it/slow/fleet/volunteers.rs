//! What a page promises about forgers, held against forgers.

use arena_record::Hex;
use arena_rules::Rng;
use arena_service::fleet::Share;
use arena_store::{
    AccountId, AskedGame, GAMES_OF_A_CALL_MAX, Limits, NewEnd, Store, TournamentId, VOLUNTEER_FIRST_GAMES, WorkerName,
};

use crate::cluster;

/// Forgers of each kind, each an account of its own, unless `ARENA_FORGERS` says how many: at night four times as many.
const FORGERS: u32 = 100;
/// How many standard deviations a count of them may be off: once in 15,000.
const DEVIATIONS: f64 = 4.0;

/// How many of the forgers stay undetected that forge so many games after their first ones.
async fn undetected(forgers: u32, share: Share, forged: u8, rng: &mut Rng) -> u32 {
    let store = Store::in_memory(Limits::DEFAULT).await.expect("a store");
    let (cup, semantics) = (TournamentId::parse("cup-1").expect("an id"), ["ours".to_owned()]);
    let own = WorkerName::parse("own").expect("a name");
    let first = VOLUNTEER_FIRST_GAMES as u8;
    let mut undetected = 0;
    for number in 1..=forgers {
        let forger = WorkerName::of_volunteer(AccountId(number.into()));
        for (games, is_forged) in [(first, false), (forged, true)] {
            let asked = |key: u8| AskedGame {
                key: Hex([key; 32]),
                semantics: semantics[0].clone(),
                build: "1.0".into(),
                job: "a game".into(),
                is_sampled: false,
            };
            let asked: Vec<AskedGame> = (0..games).map(asked).collect();
            store.ask_games(&cup, &asked).await.expect("asked");
            for worker in [&forger, &own] {
                let claim = store.claim(worker, &semantics, games.into(), 60_000).await.expect("claimed");
                let word = if is_forged && *worker == forger { "forged" } else { "played" };
                let ends = claim.games.into_iter().map(|claimed| NewEnd {
                    lease: claimed.lease,
                    is_void: false,
                    is_sampled: share.falls_on(u64::from(rng.word()) << 32),
                    text: word.into(),
                });
                store.submit_ends(worker, &ends.collect::<Vec<_>>()).await.expect("taken");
            }
            store.forget_games(&cup).await.expect("forgotten");
        }
        undetected += u32::from(!store.quarantined().await.expect("readable").contains_key(&forger));
    }
    undetected
}

/// Tests run beside each other, so each share has one of its own.
async fn as_many_stay_undetected(share: &str, forged: u8) {
    let setting = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u32>().expect("a number"));
    let forgers = setting("ARENA_FORGERS").unwrap_or(FORGERS);
    let mut rng = Rng::new(&[23; 32], setting("ARENA_SEED").unwrap_or(1).into());
    let share: Share = share.parse().expect("a share");
    let chance = share.undetected(forged.into());
    let (expected, found) = (f64::from(forgers) * chance, undetected(forgers, share, forged, &mut rng).await);
    let deviation = (f64::from(forgers) * chance * (1.0 - chance)).sqrt();
    let off = (f64::from(found) - expected).abs();
    assert!(off <= DEVIATIONS * deviation, "{share}, {forged} games: {found} of {forgers}, {expected} expected");
}

#[tokio::test]
async fn as_many_forgers_stay_undetected_as_the_page_says() {
    as_many_stay_undetected("0.1", 10).await;
}

#[tokio::test]
async fn as_many_that_forge_one_game_stay_undetected_as_the_page_says() {
    as_many_stay_undetected("0.1", 1).await;
}

#[tokio::test]
async fn as_many_that_forge_fifty_games_stay_undetected_as_the_page_says() {
    as_many_stay_undetected("0.02", 50).await;
}

#[tokio::test]
async fn as_many_stay_undetected_where_half_of_the_games_are_checked_as_the_page_says() {
    as_many_stay_undetected("0.5", 3).await;
}

#[tokio::test]
async fn nobody_stays_undetected_where_every_game_is_checked() {
    as_many_stay_undetected("1", 1).await;
}

/// How rarely a forger may stay undetected for longer than is promised.
const CHANCE: f64 = 0.000_1;
/// Games that each volunteer claims at once.
const BATCH: usize = 4;

#[tokio::test]
async fn a_forger_among_five_volunteers_is_banned_within_the_promised_games_and_none_of_its_own_count() {
    find_a_forger(&Store::in_memory(Limits::DEFAULT).await.expect("a store")).await;
}

#[tokio::test]
async fn a_forger_is_banned_as_soon_in_a_database() {
    if cluster::is_there() {
        let url = cluster::cluster().database(None);
        find_a_forger(&Store::connect(&url).await.expect("a store")).await;
    }
}

async fn find_a_forger(store: &Store) {
    let mut rng = Rng::new(&[23; 32], 2);
    let share: Share = "0.1".parse().expect("a share");
    let promised = (1..).find(|games| share.undetected(*games) < CHANCE).expect("a number") as usize;
    let (cup, semantics) = (TournamentId::parse("cup-1").expect("an id"), ["ours".to_owned()]);
    let own = WorkerName::parse("own").expect("a name");
    let volunteers: Vec<WorkerName> = (1..=5).map(|number| WorkerName::of_volunteer(AccountId(number))).collect();
    let forger = &volunteers[2];
    let (mut keys, mut forged) = (Vec::new(), 0);
    let mut play = async |worker: &WorkerName, games: usize, word: &str| {
        let claim = store.claim(worker, &semantics, games, 60_000).await.expect("claimed");
        let ends = claim.games.into_iter().map(|claimed| NewEnd {
            lease: claimed.lease,
            is_void: false,
            is_sampled: share.falls_on(u64::from(rng.word()) << 32),
            text: word.into(),
        });
        let ends: Vec<NewEnd> = ends.collect();
        store.submit_ends(worker, &ends).await.expect("taken");
        ends.len()
    };
    while !store.quarantined().await.expect("readable").contains_key(forger) {
        let round = keys.len() / (BATCH * volunteers.len());
        let asked = (0..BATCH * volunteers.len()).map(|game| {
            let mut key = [0; 32];
            key[..8].copy_from_slice(&((keys.len() + game) as u64).to_le_bytes());
            AskedGame {
                key: Hex(key),
                semantics: semantics[0].clone(),
                build: "1.0".into(),
                job: "a game".into(),
                is_sampled: false,
            }
        });
        let asked: Vec<AskedGame> = asked.collect();
        keys.extend(asked.iter().map(|game| game.key));
        store.ask_games(&cup, &asked).await.expect("asked");
        let is_trusted = round * BATCH >= VOLUNTEER_FIRST_GAMES as usize;
        for volunteer in &volunteers {
            let forges = is_trusted && volunteer == forger;
            let games = play(volunteer, BATCH, if forges { "forged" } else { "played" }).await;
            forged += if forges { games } else { 0 };
        }
        while play(&own, GAMES_OF_A_CALL_MAX, "played").await > 0 {}
        assert!(forged < promised + BATCH, "{forged} forged games are undetected, and {promised} were promised");
    }
    // What it alone had said is open again.
    while play(&own, GAMES_OF_A_CALL_MAX, "played").await > 0 {}
    for keys in keys.chunks(GAMES_OF_A_CALL_MAX) {
        let ends = store.ends(&cup, keys).await.expect("readable");
        assert_eq!(ends.len(), keys.len());
        assert!(ends.iter().all(|end| end.text == "played"));
    }
    assert_eq!(store.quarantined().await.expect("readable").keys().collect::<Vec<_>>(), [forger]);
}
