//! Games that other processes play: a game is one worker's at a time, counts once, and is not what a single worker says
//! that others contradict. A lease of no time at all is over at once, and any other when the test says so.

use std::collections::{BTreeMap, BTreeSet};
use std::slice;
use std::time::Duration;

use arena_record::{EntrantId, Hex};
use arena_store::{
    AccountId, AskedGame, Claim, GAMES_OF_A_CALL_MAX, JOB_BYTES_MAX, Lease, NewEnd, OtherRelease, QueueError,
    QueueFigures, REFUTED_VOIDS_MAX, Store, Taken, TournamentId, VOLUNTEER_FIRST_GAMES, VOLUNTEER_GAMES_MAX, Volunteer,
    WorkerName,
};

use super::{NOW, fixture};

/// Longer than any test takes.
const LONG: u64 = 3_600_000;
/// Over at once.
const OVER: u64 = 0;

fn cup() -> TournamentId {
    TournamentId::parse("cup-1").expect("an id")
}

/// The worker of a name; a number is an account's.
fn worker(name: &str) -> WorkerName {
    match name.parse() {
        Ok(account) => WorkerName::of_volunteer(AccountId(account)),
        Err(_) => WorkerName::parse(name).expect(name),
    }
}

fn key(number: u8) -> Hex<32> {
    Hex([number; 32])
}

fn game(number: u8) -> AskedGame {
    AskedGame {
        key: key(number),
        semantics: "ours".into(),
        build: "1.0".into(),
        job: format!("game {number}"),
        is_sampled: false,
    }
}

async fn ask(store: &Store, numbers: impl IntoIterator<Item = u8>) {
    let games: Vec<AskedGame> = numbers.into_iter().map(game).collect();
    store.ask_games(&cup(), &games).await.expect("asked");
}

/// What a worker gets: numbers of games and their leases.
async fn claim(store: &Store, name: &str, games_max: usize, lease_ms: u64) -> Vec<(u8, Lease)> {
    let Claim { games, .. } = store.claim(&worker(name), &["ours".into()], games_max, lease_ms).await.expect("claimed");
    games.into_iter().map(|claimed| (claimed.lease.key.0[0], claimed.lease)).collect()
}

fn end(lease: &Lease, text: &str) -> NewEnd {
    NewEnd { lease: lease.clone(), is_void: text == "void", is_sampled: false, text: text.into() }
}

async fn submit(store: &Store, name: &str, lease: &Lease, text: &str) -> Taken {
    store.submit_ends(&worker(name), &[end(lease, text)]).await.expect("taken")[0]
}

/// The ends of games, by number.
async fn ends(store: &Store) -> BTreeMap<u8, String> {
    let keys: Vec<Hex<32>> = (0..10).map(key).collect();
    let ends = store.ends(&cup(), &keys).await.expect("readable");
    ends.into_iter().map(|end| (end.key.0[0], end.text)).collect()
}

fn numbers(claimed: &[(u8, Lease)]) -> Vec<u8> {
    claimed.iter().map(|(number, _)| *number).collect()
}

#[tokio::test]
async fn a_game_is_one_workers_until_its_lease_is_over_and_a_late_result_is_no_harm() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    ask(store, 1..=3).await;
    ask(store, 2..=4).await;
    let first = claim(store, "a", 2, LONG).await;
    assert_eq!(numbers(&first), [1, 2], "in the order in which they were asked for");
    let state = store.queue_state().await.expect("readable");
    assert_eq!(state, QueueFigures { waiting: 2, oldest_ms: 0, leased: 2, workers: 1 });
    let short = claim(store, "a", 9, OVER).await;
    assert_eq!(numbers(&short), [3, 4]);
    let again = claim(store, "b", 9, LONG).await;
    assert_eq!(numbers(&again), [3, 4], "what is over is free, and nothing else is");
    assert_eq!((short[0].1.token, again[0].1.token), (1, 2));
    let lost = [short[0].1.clone(), short[1].1.clone()];
    let leases = [lost[0].clone(), first[0].1.clone(), lost[1].clone()];
    assert_eq!(store.renew(&worker("a"), &leases, LONG).await.expect("renewed"), lost);
    // Who was given up for dead was alive.
    assert_eq!(submit(store, "a", &short[0].1, "three").await, Taken::Counts);
    assert_eq!(submit(store, "b", &again[0].1, "three").await, Taken::Counts);
    assert_eq!(submit(store, "b", &again[0].1, "three").await, Taken::Counts, "sent twice");
    assert_eq!(ends(store).await, BTreeMap::from([(3, "three".into())]));
    let state = store.queue_state().await.expect("readable");
    assert_eq!(state, QueueFigures { waiting: 0, oldest_ms: 0, leased: 3, workers: 2 });
    assert_eq!(store.renew(&worker("b"), &[again[0].1.clone()], LONG).await.expect("renewed").len(), 1, "it ended");
    let hashes = store.end_hashes(&cup()).await.expect("readable");
    assert_eq!(hashes.values().filter(|hash| hash.is_some()).count(), 1);
    assert_eq!(hashes.len(), 4);
}

#[tokio::test]
async fn a_lease_lasts_as_long_as_it_was_given_for_and_a_renewal_from_then_on() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    let almost = || fixture.clock.advance(Duration::from_millis(LONG - 1));
    ask(store, [1]).await;
    let held = claim(store, "a", 1, LONG).await;
    almost();
    assert_eq!(claim(store, "b", 1, LONG).await, []);
    assert_eq!(store.renew(&worker("a"), &[held[0].1.clone()], LONG).await.expect("renewed"), []);
    almost();
    assert_eq!(claim(store, "b", 1, LONG).await, []);
    fixture.clock.advance(Duration::from_millis(1));
    assert_eq!(numbers(&claim(store, "b", 1, LONG).await), [1]);
    assert_eq!(store.renew(&worker("a"), &[held[0].1.clone()], LONG).await.expect("renewed"), [held[0].1.clone()]);
}

#[tokio::test]
async fn games_that_are_handed_back_are_anybodys_at_once() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    ask(store, 1..=2).await;
    let claimed = claim(store, "a", 9, LONG).await;
    assert_eq!(claim(store, "b", 9, LONG).await, []);
    store.hand_back(&worker("b"), &[claimed[0].1.clone()]).await.expect("harmless");
    assert_eq!(claim(store, "b", 9, LONG).await, [], "they are not its to give");
    store.hand_back(&worker("a"), &[claimed[0].1.clone()]).await.expect("handed back");
    assert_eq!(numbers(&claim(store, "b", 9, LONG).await), [1]);
    store.hand_back(&worker("a"), &[claimed[0].1.clone()]).await.expect("harmless");
    assert_eq!(claim(store, "c", 9, LONG).await, [], "an old lease gives nothing back");
}

#[tokio::test]
async fn where_two_workers_differ_a_third_decides_and_all_that_the_liar_said_alone_is_played_again() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    ask(store, 1..=2).await;
    let lies = claim(store, "liar", 2, OVER).await;
    for (number, lease) in &lies {
        assert_eq!(submit(store, "liar", lease, &format!("lie {number}")).await, Taken::Counts);
    }
    assert_eq!(ends(store).await.len(), 2);
    // It counts as long as nobody says otherwise. Somebody had claimed the game, too, and was late.
    ask(store, [3]).await;
    let late = claim(store, "liar", 1, OVER).await;
    let honest = claim(store, "honest", 1, OVER).await;
    assert_eq!(submit(store, "liar", &late[0].1, "lie 3").await, Taken::Counts);
    assert_eq!(submit(store, "honest", &honest[0].1, "three").await, Taken::Disputed);
    assert!(!ends(store).await.contains_key(&3), "nobody's word counts until a third has played it");
    assert_eq!(claim(store, "liar", 9, LONG).await, []);
    assert_eq!(claim(store, "honest", 9, LONG).await, []);
    let third = claim(store, "third", 9, LONG).await;
    assert_eq!(numbers(&third), [3]);
    assert_eq!(submit(store, "third", &third[0].1, "three").await, Taken::Counts);
    assert_eq!(ends(store).await, BTreeMap::from([(3, "three".into())]), "the others are to be played again");
    assert_eq!(numbers(&claim(store, "honest", 9, LONG).await), [1, 2]);
    let quarantined = store.quarantined().await.expect("readable");
    assert_eq!(quarantined.keys().map(WorkerName::as_str).collect::<Vec<_>>(), ["liar"]);
    let refused = store.claim(&worker("liar"), &["ours".into()], 1, LONG).await.expect_err("quarantined");
    assert_eq!(
        refused.to_string(),
        "the worker liar is quarantined: it submitted a game that other workers played otherwise. Repair it, run `arena admin worker add NEW-NAME`, and start it with that token"
    );
    let refused = store.submit_ends(&worker("liar"), &[end(&lies[0].1, "lie 1")]).await;
    assert!(matches!(refused, Err(QueueError::Quarantined { .. })));
}

#[tokio::test]
async fn a_worker_that_contradicts_itself_is_wrong_in_any_case() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    ask(store, 1..=2).await;
    let leases = claim(store, "a", 2, LONG).await;
    assert_eq!(submit(store, "a", &leases[0].1, "one").await, Taken::Counts);
    let both = [end(&leases[1].1, "two"), end(&leases[0].1, "another"), end(&leases[1].1, "two")];
    let taken = store.submit_ends(&worker("a"), &both).await.expect("taken");
    assert_eq!(taken, [Taken::Counts, Taken::Wrong, Taken::Wrong]);
    assert_eq!(ends(store).await, BTreeMap::new());
    assert_eq!(numbers(&claim(store, "b", 9, LONG).await), [1, 2]);
}

#[tokio::test]
async fn a_worker_gets_only_games_of_its_own_semantics_and_hears_which_release_others_need() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    let theirs = AskedGame { semantics: "theirs".into(), build: "2.0".into(), ..game(1) };
    store.ask_games(&cup(), &[theirs]).await.expect("asked");
    ask(store, [2]).await;
    let claim = async |semantics: &[&str]| {
        let semantics: Vec<String> = semantics.iter().map(|id| (*id).into()).collect();
        store.claim(&worker("a"), &semantics, 9, OVER).await.expect("claimed")
    };
    let Claim { games, others } = claim(&["ours"]).await;
    assert_eq!((games.len(), games[0].lease.key, others), (1, key(2), vec![]));
    let other = |semantics: &str, build: &str| OtherRelease { semantics: semantics.into(), build: build.into() };
    let nothing = claim(&["old"]).await;
    assert_eq!(nothing.games, []);
    assert_eq!(nothing.others, [other("ours", "1.0"), other("theirs", "2.0")]);
    assert_eq!(claim(&["ours", "theirs"]).await.games.len(), 2);
}

#[tokio::test]
async fn an_ended_game_takes_the_place_of_a_void_one() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    ask(store, [1]).await;
    let first = claim(store, "a", 1, OVER).await;
    let second = claim(store, "b", 1, OVER).await;
    assert_eq!(submit(store, "a", &first[0].1, "void").await, Taken::Counts);
    assert_eq!(ends(store).await[&1], "void");
    assert_eq!(submit(store, "b", &second[0].1, "one").await, Taken::Counts);
    assert_eq!(ends(store).await[&1], "one");
    assert_eq!(store.quarantined().await.expect("readable").len(), 0, "a process that died is no lie");
}

#[tokio::test]
async fn what_is_nobodys_business_is_refused_and_what_nobody_wants_is_forgotten() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    ask(store, [1]).await;
    let none = Lease { tournament: cup(), key: key(1), token: 1 };
    assert_eq!(submit(store, "a", &none, "one").await, Taken::Foreign, "nobody has claimed it");
    let lease = claim(store, "a", 1, LONG).await.remove(0).1;
    for (name, token) in [("b", 1), ("a", 2), ("a", 0)] {
        let foreign = Lease { token, ..lease.clone() };
        assert_eq!(submit(store, name, &foreign, "one").await, Taken::Foreign, "{name} {token}");
    }
    // Nor with the token of an earlier claim.
    ask(store, [2]).await;
    let mut first = Vec::new();
    for name in ["7", "8", "a"] {
        first.extend(claim(store, name, 1, OVER).await);
    }
    let leases: Vec<(u64, u8)> = first.iter().map(|(number, lease)| (lease.token, *number)).collect();
    assert_eq!(leases, [(1, 2), (2, 2), (3, 2)]);
    for (name, number) in [("b", 1), ("a", 1), ("9", 1), ("9", 0), ("8", 0), ("7", 0), ("7", 1)] {
        let taken = submit(store, name, &first[number].1, "two").await;
        assert_eq!(taken, Taken::Foreign, "{name} {number}");
    }
    assert!(!ends(store).await.contains_key(&2));
    assert_eq!(submit(store, "8", &first[1].1, "two").await, Taken::Disputed, "late is no harm");
    let unknown = Lease { key: key(9), ..lease.clone() };
    assert_eq!(submit(store, "a", &unknown, "nine").await, Taken::Unwanted);
    let too_many = vec![lease.clone(); GAMES_OF_A_CALL_MAX + 1];
    assert!(matches!(store.renew(&worker("a"), &too_many, LONG).await, Err(QueueError::TooMany)));
    let long = AskedGame { job: "x".repeat(JOB_BYTES_MAX + 1), ..game(3) };
    assert!(matches!(store.ask_games(&cup(), &[long]).await, Err(QueueError::TooLong(_))));
    let long = end(&lease, &"x".repeat(arena_store::END_BYTES_MAX + 1));
    assert!(matches!(store.submit_ends(&worker("a"), &[long]).await, Err(QueueError::TooLong(_))));

    let bot = EntrantId::of_bytes(b"bot");
    for _ in 0..2 {
        store.keep_for_queue(&cup(), &bot, b"bot").await.expect("kept");
    }
    assert_eq!(store.module_in_queue(&bot).await.expect("readable").as_deref(), Some(&b"bot"[..]));
    store.forget_games(&cup()).await.expect("forgotten");
    assert_eq!(store.module_in_queue(&bot).await.expect("readable"), None);
    assert_eq!(store.end_hashes(&cup()).await.expect("readable"), BTreeMap::new());
    assert_eq!(submit(store, "a", &lease, "one").await, Taken::Unwanted);
}

#[tokio::test]
async fn of_workers_that_claim_at_once_each_game_is_one_workers() {
    let fixture = fixture().await;
    ask(&fixture.store, 0..40).await;
    let claims = (0..8).map(|number| {
        let store = fixture.store.clone();
        tokio::spawn(async move {
            let mut own = Vec::new();
            while let [(number, _), ..] = claim(&store, &format!("w{number}"), 1, LONG).await.as_slice() {
                own.push(*number);
            }
            own
        })
    });
    let mut all = Vec::new();
    for claimed in claims.collect::<Vec<_>>() {
        all.extend(claimed.await.expect("no panic"));
    }
    assert_eq!(all.len(), 40);
    assert_eq!(all.into_iter().collect::<BTreeSet<u8>>().len(), 40);
}

/// A tournament in which a volunteer has played so many games, and a worker of the site's own the same.
async fn trusted(store: &Store, volunteer: &str, games: u64) {
    let proven = TournamentId::parse("proven").expect("an id");
    for first in (0..games).step_by(GAMES_OF_A_CALL_MAX) {
        let numbers = first..games.min(first + GAMES_OF_A_CALL_MAX as u64);
        let game = |number: u64| AskedGame { key: Hex([number as u8; 32]), ..game(0) };
        let asked: Vec<AskedGame> = numbers.map(game).collect();
        store.ask_games(&proven, &asked).await.expect("asked");
        for name in [volunteer, "own"] {
            for (_, lease) in claim(store, name, GAMES_OF_A_CALL_MAX, LONG).await {
                assert_ne!(submit(store, name, &lease, "played").await, Taken::Wrong);
            }
        }
    }
    store.forget_games(&proven).await.expect("forgotten");
}

#[tokio::test]
async fn the_first_games_of_a_volunteer_count_only_when_the_sites_own_have_played_them() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    ask(store, [1]).await;
    let first = claim(store, "7", 1, LONG).await;
    assert_eq!(submit(store, "7", &first[0].1, "one").await, Taken::Disputed);
    assert_eq!(ends(store).await, BTreeMap::new());
    assert_eq!(claim(store, "8", 9, LONG).await, [], "no volunteer plays what somebody has played");
    let own = claim(store, "own", 9, LONG).await;
    assert_eq!(submit(store, "own", &own[0].1, "one").await, Taken::Counts);
    assert_eq!(ends(store).await, BTreeMap::from([(1, "one".into())]));
    trusted(store, "7", VOLUNTEER_FIRST_GAMES - 1).await;
    let known = Volunteer { account: AccountId(7), games: 50, verified: 50, banned: None };
    assert_eq!(store.volunteers().await.expect("readable"), slice::from_ref(&known));
    assert_eq!(store.volunteer(AccountId(7)).await.expect("readable"), Some(known));
    assert_eq!(store.volunteer(AccountId(8)).await.expect("readable"), None);

    // From here on its word counts, but where it was drawn to be checked, and where it says that a game is void.
    ask(store, 2..=4).await;
    let later = claim(store, "7", 3, LONG).await;
    assert_eq!(submit(store, "7", &later[0].1, "two").await, Taken::Counts);
    let drawn = NewEnd { is_sampled: true, ..end(&later[1].1, "three") };
    assert_eq!(store.submit_ends(&worker("7"), &[drawn]).await.expect("taken"), [Taken::Disputed]);
    assert_eq!(submit(store, "7", &later[2].1, "void").await, Taken::Disputed);
    assert_eq!(ends(store).await, BTreeMap::from([(1, "one".into()), (2, "two".into())]));
    assert_eq!(numbers(&claim(store, "own", 9, LONG).await), [3, 4]);
}

#[tokio::test]
async fn a_volunteer_that_differs_from_the_sites_own_is_banned_and_all_that_it_alone_said_is_played_again() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    trusted(store, "7", VOLUNTEER_FIRST_GAMES).await;
    ask(store, 1..=3).await;
    let games = claim(store, "7", 3, LONG).await;
    for (_, lease) in &games[..2] {
        assert_eq!(submit(store, "7", lease, "forged").await, Taken::Counts);
    }
    // One alone of the site's own outweighs any number of accounts.
    let drawn = NewEnd { is_sampled: true, ..end(&games[2].1, "forged") };
    assert_eq!(store.submit_ends(&worker("7"), &[drawn]).await.expect("taken"), [Taken::Disputed]);
    let own = claim(store, "own", 9, LONG).await;
    assert_eq!(numbers(&own), [3]);
    assert_eq!(submit(store, "own", &own[0].1, "three").await, Taken::Counts);
    assert_eq!(ends(store).await, BTreeMap::from([(3, "three".into())]));
    let refused = store.claim(&worker("7"), &["ours".into()], 1, LONG).await.expect_err("banned");
    assert!(matches!(&refused, QueueError::Banned { .. }), "{refused}");
    assert!(refused.to_string().starts_with("this account may no longer play games"), "{refused}");
    assert_eq!(numbers(&claim(store, "8", 9, LONG).await), [1, 2]);
    let [banned] = &store.volunteers().await.expect("readable")[..] else { panic!("one volunteer") };
    assert_eq!((banned.games, banned.verified, banned.banned.is_some()), (53, 50, true));
}

#[tokio::test]
async fn a_volunteer_is_banned_for_the_third_void_game_that_the_sites_own_play_to_a_result() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    trusted(store, "7", VOLUNTEER_FIRST_GAMES).await;
    ask(store, 1..=6).await;
    let games = claim(store, "7", 5, LONG).await;
    for (_, lease) in &games {
        assert_eq!(submit(store, "7", lease, "void").await, Taken::Disputed);
    }
    let is_banned = async || store.volunteer(AccountId(7)).await.expect("readable").expect("known").banned.is_some();
    let own = claim(store, "own", 9, LONG).await;
    assert_eq!(numbers(&own), [1, 2, 3, 4, 5, 6]);
    // A game in which a bot's process dies here, too, says nothing about anybody.
    assert_eq!(submit(store, "own", &own[0].1, "void").await, Taken::Counts);
    for (_, lease) in &own[1..REFUTED_VOIDS_MAX] {
        assert_eq!(submit(store, "own", lease, "played").await, Taken::Counts);
        assert!(!is_banned().await, "its machine may have failed once");
    }
    assert_eq!(submit(store, "own", &own[REFUTED_VOIDS_MAX].1, "played").await, Taken::Counts);
    assert!(is_banned().await);
    let refused = store.claim(&worker("7"), &["ours".into()], 1, LONG).await.expect_err("banned");
    assert!(matches!(&refused, QueueError::Banned { .. }), "{refused}");
    assert_eq!(ends(store).await.len(), 4, "what the site's own have said stands");
}

/// The store forgets a tournament's games when it is finished, and nobody is to lie twice in each.
#[tokio::test]
async fn games_that_a_volunteer_lies_about_are_counted_over_all_tournaments_and_each_once() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    trusted(store, "7", VOLUNTEER_FIRST_GAMES).await;
    let is_banned = async || store.volunteer(AccountId(7)).await.expect("readable").expect("known").banned.is_some();
    for number in 1..=REFUTED_VOIDS_MAX as u8 {
        assert!(!is_banned().await, "{number}");
        ask(store, [number]).await;
        let lied = claim(store, "7", 1, LONG).await;
        submit(store, "7", &lied[0].1, "void").await;
        // Two own workers, and the volunteer once more: it is one game.
        for own in ["one", "two"] {
            let held = claim(store, own, 1, LONG).await;
            for (_, lease) in &held {
                assert_eq!(submit(store, own, lease, "played").await, Taken::Counts);
            }
        }
        if !is_banned().await {
            submit(store, "7", &lied[0].1, "void").await;
        }
        store.forget_games(&cup()).await.expect("forgotten");
    }
    assert!(is_banned().await);
}

#[tokio::test]
async fn the_oldest_of_the_games_that_wait_has_an_age() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    let oldest = async || store.queue_state().await.expect("readable").oldest_ms;
    assert_eq!(oldest().await, 0, "none waits");
    for number in 1..=2 {
        ask(store, [number]).await;
        fixture.clock.advance(Duration::from_secs(60));
    }
    // Asking again changes nothing.
    ask(store, [1]).await;
    assert_eq!(oldest().await, 120_000);
    let held = claim(store, "a", 1, LONG).await;
    assert_eq!(oldest().await, 60_000, "the first is played");
    store.hand_back(&worker("a"), &[held[0].1.clone()]).await.expect("given back");
    assert_eq!(oldest().await, 120_000, "it has waited all the time");
}

#[tokio::test]
async fn a_volunteer_keeps_games_from_nobody() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    ask(store, 0..VOLUNTEER_GAMES_MAX as u8).await;
    ask(store, [VOLUNTEER_GAMES_MAX as u8]).await;
    let claimed = claim(store, "7", 60, LONG).await;
    assert_eq!((claimed.len(), claim(store, "7", 60, LONG).await.len()), (60, VOLUNTEER_GAMES_MAX - 60));
    assert_eq!(claim(store, "7", 60, LONG).await, [], "as many as one may have");
    // What is free, and beyond that what volunteers have.
    assert_eq!(numbers(&claim(store, "own", 1, OVER).await), [VOLUNTEER_GAMES_MAX as u8]);
    let own = claim(store, "own", 3, LONG).await;
    assert_eq!(numbers(&own), [0, 1, VOLUNTEER_GAMES_MAX as u8]);
    assert_eq!(store.renew(&worker("7"), &[claimed[0].1.clone()], LONG).await.expect("renewed").len(), 1, "it lost it");
    assert_eq!(submit(store, "own", &own[0].1, "zero").await, Taken::Counts);
    assert_eq!(submit(store, "7", &claimed[0].1, "zero").await, Taken::Counts, "late is no harm");
    let [volunteer] = &store.volunteers().await.expect("readable")[..] else { panic!("one volunteer") };
    assert_eq!((volunteer.games, volunteer.verified), (1, 1));
}

/// Sampled games of these numbers.
async fn ask_sampled(store: &Store, numbers: impl IntoIterator<Item = u8>) {
    let sampled = |number| AskedGame { is_sampled: true, ..game(number) };
    store.ask_games(&cup(), &numbers.into_iter().map(sampled).collect::<Vec<_>>()).await.expect("asked");
}

#[tokio::test]
async fn a_sampled_game_counts_at_once_and_is_played_again_by_another_own_worker_before_all_else() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    ask_sampled(store, 1..=3).await;
    ask(store, 4..=6).await;
    let first = claim(store, "a", 3, LONG).await;
    assert_eq!(submit(store, "a", &first[0].1, "one").await, Taken::Counts);
    assert_eq!(submit(store, "a", &first[1].1, "void").await, Taken::Counts);
    assert_eq!(ends(store).await.get(&1).map(String::as_str), Some("one"), "nobody waits for the other worker");
    assert_eq!(numbers(&claim(store, "7", 1, LONG).await), [4], "a volunteer gets what nobody has played");
    assert_eq!(numbers(&claim(store, "a", 1, LONG).await), [5], "nobody plays a game twice");
    let again = claim(store, "b", 2, LONG).await;
    assert_eq!(numbers(&again), [1, 6], "a void game is not one to compare");
    assert_eq!(claim(store, "c", 1, LONG).await.first().map(|(number, _)| *number), Some(4), "it is held");
    // A worker that says the same settles it, together with a game that nobody had played.
    let both = [end(&again[0].1, "one"), end(&again[1].1, "six")];
    assert_eq!(store.submit_ends(&worker("b"), &both).await.expect("taken"), [Taken::Counts; 2]);
    assert_eq!(claim(store, "d", 9, LONG).await, [], "two have played it");
}

#[tokio::test]
async fn a_sampled_game_stays_with_the_worker_that_compares_it_although_others_submit_it() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    ask_sampled(store, [1]).await;
    let late = claim(store, "late", 1, OVER).await;
    let first = claim(store, "a", 1, LONG).await;
    submit(store, "a", &first[0].1, "one").await;
    let again = claim(store, "b", 1, LONG).await;
    submit(store, "a", &first[0].1, "one").await;
    assert_eq!(claim(store, "c", 1, LONG).await, [], "sent twice, it takes nothing from another");
    assert_eq!(store.renew(&worker("b"), &[again[0].1.clone()], LONG).await.expect("renewed"), []);
    submit(store, "late", &late[0].1, "one").await;
    assert_eq!(store.renew(&worker("b"), &[again[0].1.clone()], LONG).await.expect("renewed").len(), 1, "compared");
}

#[tokio::test]
async fn a_sampled_game_that_another_worker_plays_otherwise_is_decided_by_a_third() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    ask_sampled(store, [1]).await;
    ask(store, [2]).await;
    for (_, lease) in claim(store, "liar", 2, LONG).await {
        assert_eq!(submit(store, "liar", &lease, "lie").await, Taken::Counts);
    }
    let again = claim(store, "b", 9, LONG).await;
    assert_eq!(numbers(&again), [1]);
    assert_eq!(submit(store, "b", &again[0].1, "truth").await, Taken::Disputed);
    let third = claim(store, "c", 9, LONG).await;
    assert_eq!(submit(store, "c", &third[0].1, "truth").await, Taken::Counts);
    assert_eq!(ends(store).await, BTreeMap::from([(1, "truth".into())]), "what the liar alone said is taken back");
    assert!(store.quarantined().await.expect("readable").contains_key(&worker("liar")));
}

#[tokio::test]
async fn a_sampled_game_is_awaited_while_another_worker_is_there_that_could_play_it() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    for name in ["a", "b"] {
        store.add_worker(&worker(name), NOW).await.expect("a name");
    }
    let awaited = async || store.samples_awaited(&cup(), Some(0)).await.expect("readable");
    ask_sampled(store, 1..=3).await;
    let first = claim(store, "a", 2, LONG).await;
    for (_, lease) in &first {
        submit(store, "a", lease, "played").await;
    }
    assert_eq!(awaited().await, 0, "nobody else is there");
    store.note_worker(&worker("a"), 0).await.expect("noted");
    store.note_worker(&worker("b"), 0).await.expect("noted");
    assert_eq!(awaited().await, 0, "and took part in the tournament");
    let again = claim(store, "b", 9, LONG).await;
    assert_eq!((numbers(&again), awaited().await), (vec![1, 2, 3], 2));
    submit(store, "b", &again[0].1, "played").await;
    assert_eq!(awaited().await, 1);
    fixture.clock.advance(Duration::from_secs(1));
    assert_eq!(awaited().await, 0, "it is silent since");
    let ever = async || store.samples_awaited(&cup(), None).await.expect("readable");
    assert_eq!(ever().await, 1, "it was there");
    submit(store, "b", &again[1].1, "void").await;
    assert_eq!(ever().await, 0, "it has tried");
    store.revoke_worker(&worker("a")).await.expect("revoked");
    submit(store, "b", &again[2].1, "played").await;
    assert_eq!(ever().await, 0, "the other one is gone");
}

#[tokio::test]
async fn a_worker_without_its_token_holds_nothing_and_keeps_what_it_has_submitted() {
    let fixture = fixture().await;
    let store = &*fixture.store;
    store.add_worker(&worker("a"), NOW).await.expect("a name");
    ask(store, [1, 2]).await;
    let held = claim(store, "a", 9, LONG).await;
    submit(store, "a", &held[0].1, "one").await;
    assert_eq!(claim(store, "b", 9, LONG).await, [], "all are held or played");
    store.revoke_worker(&worker("a")).await.expect("revoked");
    assert_eq!(numbers(&claim(store, "b", 9, LONG).await), [2]);
    assert_eq!(ends(store).await, BTreeMap::from([(1, "one".into())]));
}
