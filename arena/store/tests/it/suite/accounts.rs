//! Accounts and their codes.

use arena_store::{AccountError, AccountId, Limits, NotASecret, PlayerCode};

use super::{NOW, display, fixture, fixture_with, later};

#[tokio::test]
async fn an_account_is_found_by_its_number_and_its_code() {
    let fixture = fixture().await;
    let (ada, code) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    assert_ne!(ada.id, bob.id);
    assert_eq!((ada.name.as_str(), ada.created_at), ("Ada", NOW));
    assert_eq!(fixture.store.account(ada.id).await.expect("read"), Some(ada.clone()));
    let typed = PlayerCode::parse(&format!(" {}\n", code.expose())).expect("its own text");
    assert_eq!(fixture.store.account_by_code(&typed).await.expect("read"), Some(ada));
    let (_, foreign) = super::fixture().await.account("Ada").await;
    assert_eq!(fixture.store.account_by_code(&foreign).await.expect("read"), None);
    assert_eq!(fixture.store.account(AccountId(99_999)).await.expect("read"), None);
}

#[tokio::test]
async fn a_refused_account_leaves_nothing() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let refused = fixture.store.create_account(&display("ADA"), NOW).await;
    assert!(matches!(refused, Err(AccountError::NameTaken)));
    let (bob, _) = fixture.account("Bob").await;
    let refused = fixture.store.rename_account(bob.id, &display("A-da")).await;
    assert!(matches!(refused, Err(AccountError::NameTaken)));
    assert_eq!(fixture.store.account(bob.id).await.expect("read"), Some(bob.clone()));
    assert!(bob.id > ada.id, "numbers increase");
    let refused = fixture.store.create_account(&display("bob"), NOW).await;
    assert!(matches!(refused, Err(AccountError::NameTaken)), "the failed renaming freed nothing");
}

#[tokio::test]
async fn renaming_frees_the_old_name() {
    let fixture = fixture().await;
    let (ada, code) = fixture.account("Ada").await;
    let same = fixture.store.rename_account(ada.id, &display("ADA")).await.expect("her own name");
    assert_eq!(same.name.as_str(), "ADA");
    let renamed = fixture.store.rename_account(ada.id, &display("Countess")).await.expect("a free name");
    assert_eq!(fixture.store.account_by_code(&code).await.expect("read"), Some(renamed));
    fixture.account("Ada").await;
    let nobody = fixture.store.rename_account(AccountId(99_999), &display("Ghost")).await;
    assert!(matches!(nobody, Err(AccountError::NoSuchAccount)));
}

#[tokio::test]
async fn a_replaced_code_and_its_sessions_are_worth_nothing() {
    let fixture = fixture().await;
    let (ada, old) = fixture.account("Ada").await;
    let session = fixture.store.create_session(ada.id, later(60)).await.expect("a session");
    let new = fixture.store.replace_code(ada.id).await.expect("a code");
    assert_eq!(fixture.store.account_by_code(&old).await.expect("read"), None);
    assert_eq!(fixture.store.account_by_session(&session, NOW).await.expect("read"), None);
    assert_eq!(fixture.store.account_by_code(&new).await.expect("read"), Some(ada));
    assert!(matches!(fixture.store.replace_code(AccountId(99_999)).await, Err(AccountError::NoSuchAccount)));
}

#[tokio::test]
async fn accounts_are_made_up_to_the_limit() {
    let fixture = fixture_with(Limits { accounts_max: 2, ..Limits::DEFAULT }).await;
    fixture.account("one").await;
    fixture.account("two").await;
    let refused = fixture.store.create_account(&display("three"), NOW).await;
    assert!(matches!(refused, Err(AccountError::TooManyAccounts)));
}

#[tokio::test]
async fn a_deleted_account_gives_its_place_to_another_one_and_its_number_to_none() {
    let fixture = fixture_with(Limits { accounts_max: 2, ..Limits::DEFAULT }).await;
    let mut numbers = vec![fixture.account("one").await.0.id, fixture.account("two").await.0.id];
    for name in ["three", "four", "five"] {
        let last = *numbers.last().expect("some");
        fixture.store.delete_account(last, NOW).await.expect("deleted");
        let (next, _) = fixture.store.create_account(&display(name), NOW).await.expect("its place is free");
        assert!(!numbers.contains(&next.id), "{next:?} after {numbers:?}");
        numbers.push(next.id);
        let refused = fixture.store.create_account(&display("six"), NOW).await;
        assert!(matches!(refused, Err(AccountError::TooManyAccounts)), "{name}: no other place is");
    }
}

#[tokio::test]
async fn of_many_who_want_a_name_one_gets_it() {
    let fixture = fixture().await;
    let wishes: Vec<_> = ["Ada", "ada", "ADA", "A da", "A-DA", "a_da", "aDa", "adA"]
        .into_iter()
        .map(|name| {
            let store = fixture.store.clone();
            tokio::spawn(async move { store.create_account(&display(name), NOW).await.is_ok() })
        })
        .collect();
    let mut winners = 0;
    for wish in wishes {
        winners += u32::from(wish.await.expect("no panic"));
    }
    assert_eq!(winners, 1);
}

#[tokio::test]
async fn a_code_has_one_recognisable_text() {
    let (_, code) = fixture().await.account("Ada").await;
    let text = code.expose();
    assert!(text.starts_with("arena_") && text.len() == 6 + 64 + 8, "{}", text.len());
    assert_eq!(format!("{code:?}"), "PlayerCode(..)");
    let with = |place: usize, digit: char| -> String {
        text.chars().enumerate().map(|(index, c)| if index == place { digit } else { c }).collect()
    };
    for place in 6..text.len() {
        let digit = if text.as_bytes()[place] == b'0' { '1' } else { '0' };
        assert_eq!(PlayerCode::parse(&with(place, digit)).err(), Some(NotASecret::Checksum), "{place}");
        assert_eq!(PlayerCode::parse(&with(place, 'g')).err(), Some(NotASecret::Form), "{place}");
    }
    let wrong =
        [String::new(), "arena_".into(), text[6..].into(), text.to_uppercase(), format!("{text}0"), "é".repeat(39)];
    for wrong in wrong {
        assert_eq!(PlayerCode::parse(&wrong).err(), Some(NotASecret::Form));
    }
}
