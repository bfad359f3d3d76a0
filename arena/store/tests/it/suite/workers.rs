//! The site's own workers and their tokens.

use std::time::Duration;

use arena_store::{AccessToken, Credential, NotASecret, OwnWorker, WorkerError, WorkerName, WorkerToken};

use super::{NOW, fixture, later};

fn name(text: &str) -> WorkerName {
    WorkerName::parse(text).expect(text)
}

#[tokio::test]
async fn a_workers_token_is_its_own_until_it_is_revoked() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let token = store.add_worker(&name("ant"), NOW).await.expect("a name");
    let other = store.add_worker(&name("bee"), NOW).await.expect("a name");
    assert!(matches!(store.add_worker(&name("ant"), NOW).await, Err(WorkerError::NameTaken)));
    let ant = OwnWorker { name: name("ant"), created_at: NOW, used_at: None, quarantined: None };
    let typed = WorkerToken::parse(&format!(" {}\n", token.expose())).expect("its own text");
    assert_eq!(store.worker_by_token(&typed).await.expect("read"), Some(ant.clone()));
    fixture.clock.advance(Duration::from_secs(9));
    store.note_worker(&name("ant"), 5).await.expect("noted");
    fixture.clock.advance(Duration::from_secs(4));
    store.note_worker(&name("ant"), 5).await.expect("noted already");
    let ant = OwnWorker { used_at: Some(later(9)), ..ant };
    let bee = OwnWorker { name: name("bee"), created_at: NOW, used_at: None, quarantined: None };
    assert_eq!(store.workers().await.expect("read"), [ant, bee.clone()]);
    assert!(store.revoke_worker(&name("ant")).await.expect("revoked"));
    assert!(!store.revoke_worker(&name("ant")).await.expect("nothing to revoke"));
    assert_eq!(store.worker_by_token(&token).await.expect("read"), None);
    assert_eq!(store.worker_by_token(&other).await.expect("read"), Some(bee));
    let again = store.add_worker(&name("ant"), later(20)).await.expect("its name is free");
    assert_ne!(again.expose(), token.expose());
}

#[tokio::test]
async fn a_worker_that_was_wrong_gets_no_token_of_the_same_name() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let token = store.add_worker(&name("ant"), NOW).await.expect("a name");
    store.quarantine(&name("ant"), "it lied").await.expect("quarantined");
    let known = store.worker_by_token(&token).await.expect("read").expect("its name");
    assert_eq!(known.quarantined.as_deref(), Some("it lied"));
    store.revoke_worker(&name("ant")).await.expect("revoked");
    let refused = store.add_worker(&name("ant"), NOW).await;
    assert!(matches!(refused, Err(WorkerError::Quarantined(reason)) if reason == "it lied"));
}

#[tokio::test]
async fn workers_tokens_are_told_from_those_of_accounts() {
    let fixture = fixture().await;
    let token = fixture.store.add_worker(&name("ant"), NOW).await.expect("a name").expose();
    assert!(matches!(Credential::parse(&token), Ok(Credential::Worker(_))));
    assert_eq!(AccessToken::parse(&token).err(), Some(NotASecret::AccessToken));
    let renamed = token.replacen("arena_worker_", "arena_token_", 1);
    assert_eq!(Credential::parse(&renamed).err(), Some(NotASecret::Checksum), "the checksums differ by kind");
    assert_eq!(Credential::parse(&token[..50]).err(), Some(NotASecret::WorkerToken));
}
