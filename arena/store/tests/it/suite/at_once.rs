//! Many callers at once: limits hold, numbers are given once, and everybody learns what became of the own call.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use arena_store::{
    AccountError, GameError, Limits, Page, RoomError, Store, Submission, SubmitError, Verdict, VerdictError,
    VersionState,
};

use super::{GAME, NOW, TERMS, bot_name, bytes, display, fixture, fixture_with, later, refused, room_id, terms};

const CALLERS: u32 = 16;

/// Makes a call for each of many callers at once; what they learnt, in their order.
async fn at_once<T, F>(store: &Arc<Store>, call: impl Fn(Arc<Store>, u32) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let calls: Vec<_> = (0..CALLERS).map(|caller| tokio::spawn(call(store.clone(), caller))).collect();
    let mut learnt = Vec::new();
    for call in calls {
        learnt.push(call.await.expect("no panic"));
    }
    learnt
}

/// How many calls succeeded; all others must have failed as `wanted` says.
fn successes<T, E: std::fmt::Debug>(learnt: &[Result<T, E>], wanted: impl Fn(&E) -> bool) -> usize {
    let failures = learnt.iter().filter_map(|learnt| learnt.as_ref().err());
    failures.for_each(|error| assert!(wanted(error), "{error:?}"));
    learnt.iter().filter(|learnt| learnt.is_ok()).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_more_accounts_are_made_than_may_be() {
    let fixture = fixture_with(Limits { accounts_max: 5, ..Limits::DEFAULT }).await;
    let learnt = at_once(&fixture.store, |store, caller| async move {
        store.create_account(&display(&format!("player {caller}")), NOW).await
    });
    let made = successes(&learnt.await, |error| matches!(error, AccountError::TooManyAccounts));
    assert_eq!(made, 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_more_sessions_are_open_than_may_be() {
    let fixture = fixture_with(Limits { sessions_per_account_max: 3, ..Limits::DEFAULT }).await;
    let (ada, _) = fixture.account("Ada").await;
    let learnt = at_once(&fixture.store, |store, caller| async move {
        store.create_session(ada.id, later(1 + i64::from(caller))).await.expect("a session")
    });
    let mut open = 0;
    for token in learnt.await {
        open += usize::from(fixture.store.account_by_session(&token, NOW).await.expect("read").is_some());
    }
    assert_eq!(open, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_more_bots_are_made_than_may_be() {
    let fixture = fixture_with(Limits { bots_per_account_max: 3, ..Limits::DEFAULT }).await;
    let (ada, _) = fixture.account("Ada").await;
    let learnt = at_once(&fixture.store, |store, caller| async move {
        store.submit(ada.id, &bot_name(&format!("bot-{caller}")), GAME, bytes("one"), NOW).await
    });
    let made = successes(&learnt.await, |error| matches!(error, SubmitError::TooManyBots(3)));
    let bots = fixture.store.bots_of(ada.id, Page::first(100)).await.expect("read");
    assert_eq!((made, bots.len()), (3, 3));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_name_that_many_accounts_want_belongs_to_one() {
    let fixture = fixture().await;
    let mut accounts = Vec::new();
    for caller in 0..CALLERS {
        accounts.push(fixture.account(&format!("player {caller}")).await.0.id);
    }
    let learnt = at_once(&fixture.store, |store, caller| {
        let account = accounts[caller as usize];
        async move { store.submit(account, &bot_name("wanted"), GAME, bytes("one"), NOW).await }
    });
    let made = successes(&learnt.await, |error| matches!(error, SubmitError::NameTaken));
    assert_eq!(made, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn versions_are_numbered_without_gaps_up_to_their_limit() {
    for (limits, wanted) in [
        (Limits { versions_per_bot_per_day_max: 5, ..Limits::DEFAULT }, 5),
        (Limits { versions_per_bot_max: 7, ..Limits::DEFAULT }, 7),
    ] {
        let fixture = fixture_with(limits).await;
        let (ada, _) = fixture.account("Ada").await;
        let learnt = at_once(&fixture.store, |store, caller| async move {
            store.submit(ada.id, &bot_name("racer"), GAME, bytes(&format!("content {caller}")), NOW).await
        });
        let learnt = learnt.await;
        let full = |error: &SubmitError| {
            matches!(error, SubmitError::TooManyToday { max: 5, .. } | SubmitError::TooManyVersions(7))
        };
        assert_eq!(successes(&learnt, full), wanted);
        let mut numbers: Vec<u32> = learnt.iter().flatten().map(|taken| taken.version().id.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=wanted as u32).collect::<Vec<_>>());
        for taken in learnt.iter().flatten() {
            let module = fixture.store.module(&taken.version().entrant).await.expect("its bytes");
            assert!(module.starts_with(b"content "));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_submission_that_is_sent_many_times_is_taken_once_although_it_reaches_a_limit() {
    for round in 0..8 {
        let limits = Limits { bots_per_account_max: 1, versions_per_bot_per_day_max: 1, ..Limits::DEFAULT };
        let fixture = fixture_with(limits).await;
        let (ada, _) = fixture.account("Ada").await;
        let learnt = at_once(&fixture.store, |store, _| async move {
            store.submit(ada.id, &bot_name("eager"), GAME, bytes("one"), NOW).await
        });
        let learnt = learnt.await;
        assert_eq!(successes(&learnt, |_| false), CALLERS as usize, "round {round}");
        let new = learnt.iter().flatten().filter(|taken| matches!(taken, Submission::New(_))).count();
        assert_eq!(new, 1, "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_first_verdict_stands() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let version = fixture.submit(ada.id, "bot-x", "one").await;
    let learnt = at_once(&fixture.store, |store, caller| {
        let verdict = if caller % 2 == 0 { Verdict::Accepted } else { refused() };
        async move { store.set_verdict(version.id, verdict).await }
    });
    let learnt = learnt.await;
    let given = successes(&learnt, |error| matches!(error, VerdictError::AlreadyJudged));
    assert_eq!(given, CALLERS as usize / 2, "those who said the same");
    let kept = fixture.store.version(version.id).await.expect("read").expect("the version");
    assert_ne!(kept.state, VersionState::Pending);
    assert!(learnt.iter().flatten().all(|version| *version == kept));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_more_rooms_are_open_than_may_be() {
    let fixture = fixture_with(Limits { open_rooms_max: 4, ..Limits::DEFAULT }).await;
    let learnt = at_once(&fixture.store, |store, caller| async move {
        store.create_room(&room_id(caller.into()), "start", &terms(caller as u8), NOW).await
    });
    let opened = successes(&learnt.await, |error| matches!(error, RoomError::TooManyRooms { .. }));
    let open = fixture.store.open_rooms(Page::first(100)).await.expect("read");
    assert_eq!((opened, open.len()), (4, 4));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_room_that_many_open_starts_once() {
    let fixture = fixture().await;
    let learnt = at_once(&fixture.store, |store, caller| async move {
        store.create_room(&room_id(1), &format!("start {}", caller % 2), &TERMS, NOW).await
    });
    let opened = successes(&learnt.await, |error| matches!(error, RoomError::RoomExists));
    assert_eq!(opened, CALLERS as usize / 2, "those who wanted the same start");
    assert_eq!(fixture.events(&room_id(1)).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_appended_after_the_end() {
    let fixture = fixture().await;
    let id = fixture.room(1).await;
    let learnt = at_once(&fixture.store, |store, caller| async move {
        if caller == CALLERS / 2 {
            store.finish_room(&id, &[], NOW).await.expect("finished");
        }
        let mut appended = 0;
        for seq in 1..20 {
            match store.append(&id, seq, &format!("{caller} at {seq}"), NOW).await {
                Ok(_) => appended += 1,
                Err(RoomError::Taken) => {}
                Err(RoomError::Finished) => break,
                Err(error) => panic!("{error}"),
            }
        }
        appended
    });
    let appended: usize = learnt.await.into_iter().sum();
    let events = fixture.events(&id).await;
    assert_eq!(events.len(), 1 + appended);
    for _ in 0..2 {
        let late = fixture.store.append(&id, events.len() as u32, "late", NOW).await;
        assert!(matches!(late, Err(RoomError::Finished)), "{late:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_index_is_that_of_one_caller() {
    let fixture = fixture().await;
    let cup = arena_store::TournamentId::parse("cup").expect("an id");
    let learnt = at_once(&fixture.store, |store, caller| {
        let cup = cup.clone();
        async move {
            let mut games: Vec<_> = (0..10 + caller).map(super::games::game).collect();
            games.iter_mut().for_each(|game| game.outcome.reason = caller.to_string());
            store.reindex(&cup, &games).await
        }
    });
    assert_eq!(successes(&learnt.await, |_: &GameError| false), CALLERS as usize);
    let games = fixture.store.games(&cup, Page::first(100)).await.expect("read");
    let mut writers: BTreeMap<&str, usize> = BTreeMap::new();
    for game in &games {
        *writers.entry(game.outcome.reason.as_str()).or_default() += 1;
    }
    let [(writer, count)] = writers.into_iter().collect::<Vec<_>>()[..] else { panic!("{games:?}") };
    assert_eq!(count, 10 + writer.parse::<usize>().expect("a caller"));
}
