//! Tournaments that accounts start.

use arena_store::{
    AccountId, Act, CONTEST_EVENT_BYTES_MAX, CONTEST_EVENTS_MAX, ContestError, ContestId, Counted, DELETED, Limits,
    NewContest, Page, Phase, Reason,
};

use super::{Fixture, GAME, NOW, fixture, fixture_with, later};

const ENTRY: Counted = Counted { phase: Phase::Entry, games: 10, fuel: 100 };
const PLAYING: Counted = Counted { phase: Phase::Playing, ..ENTRY };
const OVER: Counted = Counted { phase: Phase::Over, ..ENTRY };

fn new(owner: AccountId) -> NewContest<'static> {
    NewContest { owner, name: "cup", game: GAME, event: "opened", secret: [7; 32], counted: ENTRY, by_operator: None }
}

impl Fixture {
    async fn contest(&self, owner: AccountId) -> ContestId {
        self.store.open_contest(&new(owner), NOW).await.expect("a tournament")
    }
}

#[tokio::test]
async fn a_tournament_is_its_log_and_is_listed_newest_first() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    let (first, second) = (fixture.contest(ada.id).await, fixture.contest(bob.id).await);
    assert!(second > first);
    store.append_to_contest(first, 1, "one", &PLAYING, later(5)).await.expect("the next place");
    let (contest, events) = store.contest(first).await.expect("read").expect("it is there");
    assert_eq!((contest.owner_name.as_str(), contest.name.as_str(), contest.game.as_str()), ("Ada", "cup", GAME));
    assert_eq!((contest.counted, contest.opened_at), (PLAYING, NOW));
    let said: Vec<_> = events.iter().map(|event| (event.at, event.event.as_str())).collect();
    assert_eq!(said, [(NOW, "opened"), (later(5), "one")]);
    let listed = async |owner, page| {
        let contests = store.contests(owner, page).await.expect("read");
        contests.into_iter().map(|contest| contest.id).collect::<Vec<_>>()
    };
    assert_eq!(listed(None, Page::first(10)).await, [second, first]);
    assert_eq!(listed(None, Page::after(second, 10)).await, [first]);
    assert_eq!(listed(Some(ada.id), Page::first(10)).await, [first]);
    assert_eq!(store.contest_secret(first).await.expect("read"), Some([7; 32]));
    assert_eq!(store.contest_secret(ContestId(999)).await.expect("read"), None);
    assert!(store.contest(ContestId(999)).await.expect("read").is_none());
}

#[tokio::test]
async fn a_place_is_taken_once_and_nothing_follows_the_end() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let (ada, _) = fixture.account("Ada").await;
    let id = fixture.contest(ada.id).await;
    for seq in [0, 2] {
        let refused = store.append_to_contest(id, seq, "x", &ENTRY, NOW).await;
        assert!(matches!(refused, Err(ContestError::Taken)), "{seq}: {refused:?}");
    }
    let long = "x".repeat(CONTEST_EVENT_BYTES_MAX + 1);
    let refused = store.append_to_contest(id, 1, &long, &ENTRY, NOW).await;
    assert!(matches!(refused, Err(ContestError::EventTooLarge(_))));
    let refused = store.append_to_contest(id, CONTEST_EVENTS_MAX, "x", &ENTRY, NOW).await;
    assert!(matches!(refused, Err(ContestError::Over)));
    assert_eq!(store.contests_under_way().await.expect("read"), [id]);
    store.forget_contest(id, NOW).await.expect("written");
    store.append_to_contest(id, 1, "the end", &OVER, NOW).await.expect("it was not over");
    assert!(store.contests_under_way().await.expect("read").is_empty());
    let refused = store.append_to_contest(id, 2, "x", &ENTRY, NOW).await;
    assert!(matches!(refused, Err(ContestError::Over)));
    let refused = store.append_to_contest(ContestId(999), 1, "x", &ENTRY, NOW).await;
    assert!(matches!(refused, Err(ContestError::NoSuchContest)));
    store.forget_contest(id, NOW).await.expect("written");
    assert!(store.contest(id).await.expect("read").is_none());
    assert!(fixture.contest(ada.id).await > id, "numbers are not given again");
}

#[tokio::test]
async fn quotas_hold_for_an_account_for_a_day_and_for_all() {
    let limits = Limits {
        contests_per_account_max: 2,
        contests_max: 3,
        contest_games_per_day_max: 25,
        contest_fuel_per_day_max: 1_000,
        contest_games_max: 60,
        contest_fuel_max: 1_000,
        ..Limits::DEFAULT
    };
    let fixture = fixture_with(limits).await;
    let store = &fixture.store;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    let (eve, _) = fixture.account("Eve").await;
    let first = fixture.contest(ada.id).await;
    fixture.contest(ada.id).await;
    let refused = store.open_contest(&new(ada.id), NOW).await;
    assert!(matches!(refused, Err(ContestError::TooManyOfAccount(2))), "{refused:?}");
    store.append_to_contest(first, 1, "over", &OVER, NOW).await.expect("ended");
    // Ten games and ten: ten more are too many for today, also of one that is over.
    let refused = store.open_contest(&new(ada.id), later(86_399)).await;
    assert!(matches!(refused, Err(ContestError::TooMuchToday { games: 25, again_in: 1, .. })), "{refused:?}");
    store.open_contest(&new(ada.id), later(86_400)).await.expect("another day");
    // Two are under way, with ten games and a hundred units each.
    for counted in [Counted { games: 41, ..ENTRY }, Counted { fuel: 801, ..ENTRY }] {
        let refused = store.open_contest(&NewContest { counted, ..new(bob.id) }, NOW).await;
        assert!(matches!(refused, Err(ContestError::TooMuch { games: 60, fuel: 1_000 })), "{refused:?}");
    }
    fixture.contest(bob.id).await;
    let refused = store.open_contest(&new(eve.id), NOW).await;
    assert!(matches!(refused, Err(ContestError::TooMany(3))), "{refused:?}");
}

#[tokio::test]
async fn who_is_disabled_or_gone_starts_none() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let (ada, _) = fixture.account("Ada").await;
    let id = fixture.contest(ada.id).await;
    let reason = Reason::parse("a reason").expect("one");
    store.act(&Act::DisableAccount(ada.id), &reason, NOW).await.expect("done");
    assert!(matches!(store.open_contest(&new(ada.id), NOW).await, Err(ContestError::Disabled)));
    store.delete_account(ada.id, NOW).await.expect("deleted");
    assert!(matches!(store.open_contest(&new(ada.id), NOW).await, Err(ContestError::NoSuchAccount)));
    let (contest, _) = store.contest(id).await.expect("read").expect("its log stays");
    assert_eq!(contest.owner_name.as_str(), DELETED);
    assert!(store.problems().await.expect("read").is_empty());
}
