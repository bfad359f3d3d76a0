//! Browsers, and the sessions in them.

use std::collections::BTreeSet;

use arena_record::Hex;
use arena_store::{AccountError, AccountId, Limits, NotASecret, SessionToken};

use super::{NOW, fixture, fixture_with, later};

#[tokio::test]
async fn a_session_lasts_until_it_expires_or_is_ended() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let token = fixture.store.create_session(ada.id, later(100)).await.expect("a session");
    let cookie = SessionToken::parse(&token.expose()).expect("its own text");
    for (at, open) in [(0, true), (99, true), (100, false), (101, false)] {
        let found = fixture.store.account_by_session(&cookie, later(at)).await.expect("read");
        assert_eq!(found.is_some(), open, "after {at} s");
    }
    let other = fixture.store.create_session(ada.id, later(100)).await.expect("a session");
    fixture.store.end_session(&token).await.expect("ended");
    fixture.store.end_session(&token).await.expect("ended, twice");
    assert_eq!(fixture.store.account_by_session(&token, NOW).await.expect("read"), None);
    assert_eq!(fixture.store.account_by_session(&other, NOW).await.expect("read"), Some(ada));
}

#[tokio::test]
async fn expired_sessions_are_dropped_and_others_are_not() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    for seconds in [10, 20, 30] {
        fixture.store.create_session(ada.id, later(seconds)).await.expect("a session");
    }
    for (at, dropped) in [(9, 0), (20, 2), (20, 0), (30, 1)] {
        assert_eq!(fixture.store.drop_expired_sessions(later(at)).await.expect("written"), dropped, "after {at} s");
    }
}

#[tokio::test]
async fn one_session_too_many_ends_the_one_that_would_expire_first() {
    let fixture = fixture_with(Limits { sessions_per_account_max: 2, ..Limits::DEFAULT }).await;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    let others = fixture.store.create_session(bob.id, later(1)).await.expect("a session");
    let mut tokens = Vec::new();
    for seconds in [300, 100, 200] {
        tokens.push(fixture.store.create_session(ada.id, later(seconds)).await.expect("a session"));
    }
    for (token, open) in tokens.iter().zip([true, false, true]) {
        assert_eq!(fixture.store.account_by_session(token, NOW).await.expect("read").is_some(), open);
    }
    assert!(fixture.store.account_by_session(&others, NOW).await.expect("read").is_some());
}

#[tokio::test]
async fn the_latest_browsers_of_an_account_are_remembered() {
    let fixture = fixture_with(Limits { browsers_per_account_max: 2, ..Limits::DEFAULT }).await;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    let note = async |id: AccountId, browser: u8, at: i64| {
        fixture.store.note_browser(id, Hex([browser; 32]), later(at)).await.expect("noted");
    };
    let known = async |accounts: &[AccountId]| {
        let browsers = fixture.store.browsers_of(accounts).await.expect("read");
        let first = |browsers: &BTreeSet<Hex<32>>| browsers.iter().map(|browser| browser.0[0]).collect::<Vec<u8>>();
        browsers.iter().map(|(id, browsers)| (*id, first(browsers))).collect::<Vec<_>>()
    };
    assert_eq!(known(&[ada.id, bob.id]).await, []);
    note(bob.id, 1, 9).await;
    // The first one again: then the second one was used longest ago.
    for (browser, at) in [(1, 0), (2, 1), (1, 2), (3, 3)] {
        note(ada.id, browser, at).await;
    }
    assert_eq!(known(&[ada.id, bob.id]).await, [(ada.id, vec![1, 3]), (bob.id, vec![1])]);
    assert_eq!(known(&[bob.id]).await, [(bob.id, vec![1])]);
    let nobody = fixture.store.note_browser(AccountId(99_999), Hex([1; 32]), NOW).await;
    assert!(matches!(nobody, Err(AccountError::NoSuchAccount)), "{nobody:?}");
}

#[tokio::test]
async fn there_is_no_session_without_an_account() {
    let fixture = fixture().await;
    let refused = fixture.store.create_session(AccountId(1), later(1)).await;
    assert!(matches!(refused, Err(AccountError::NoSuchAccount)));
    for text in ["", "x", &"0".repeat(63), &"0".repeat(65), &"A".repeat(64)] {
        assert_eq!(SessionToken::parse(text).err(), Some(NotASecret::Token));
    }
    let unknown = SessionToken::parse(&"0".repeat(64)).expect("the form is right");
    assert_eq!(format!("{unknown:?}"), "SessionToken(..)");
    assert_eq!(fixture.store.account_by_session(&unknown, NOW).await.expect("read"), None);
}
