//! What keeps a store from being opened, each in a sentence that says what to do.

use std::error::Error;
use std::sync::Arc;

use arena_store::{AccountError, ConnectError, DisplayName, Limits, Store, StoreError, UnixSeconds};

use super::cluster::{cluster, is_there};
use super::{fresh, open_at, patient};
use crate::eventually::eventually;

/// Limits with which a server that is not there is soon given up.
const HASTY: Limits = Limits { wait_ms_max: 100, ..Limits::DEFAULT };

/// Why a store is not opened by a server that is there, and the sentence.
async fn refused(url: &str) -> (ConnectError, String) {
    refused_with(url, patient(Limits::DEFAULT)).await
}

async fn refused_with(url: &str, limits: Limits) -> (ConnectError, String) {
    let error = Store::connect_with(url, limits).await.err().expect("a refusal");
    let said = error.to_string();
    let mut causes = vec![said.clone()];
    let mut cause = error.source();
    while let Some(one) = cause {
        causes.push(one.to_string());
        cause = one.source();
    }
    assert!(!causes.iter().any(|cause| cause.contains("hunter2")), "a password is in {causes:?}");
    (error, said)
}

#[tokio::test]
async fn a_wrong_address_is_one_sentence() {
    for url in ["arena", "http://localhost/arena", "postgres://arena@localhost:99999/arena"] {
        let (error, said) = refused(url).await;
        assert!(matches!(error, ConnectError::Address(_)), "{url}: {error:?}");
        assert!(said.contains("postgres://USER:PASSWORD@HOST:PORT/DATABASE"), "{said}");
    }
    // Port 1 of this machine: nobody listens there.
    let (error, said) = refused_with("postgres://arena:hunter2@127.0.0.1:1/arena", HASTY).await;
    assert!(matches!(error, ConnectError::NoServer { .. }), "{error:?}");
    assert_eq!(said, "no PostgreSQL answers at 127.0.0.1:1: is it running, and does it listen there?");
    let (error, _) = refused_with("postgres://arena:hunter2@localhost/arena?host=/nowhere", HASTY).await;
    assert!(matches!(error, ConnectError::NoServer { .. }), "{error:?}");
}

#[tokio::test]
async fn a_wrong_password_or_database_is_one_sentence() {
    if !is_there() {
        return;
    }
    cluster().sql("postgres", "create role locked login password 'right'");
    cluster().make_database("locked", None);
    cluster().sql("locked", "grant create on schema public to locked");
    let (error, said) = refused(&cluster().url_as("locked:hunter2", "locked")).await;
    assert!(matches!(error, ConnectError::Refused { .. }), "{error:?}");
    assert!(said.contains("does not let locked in"), "{said}");
    let (error, _) = refused(&cluster().url_as("nobody_here", "postgres")).await;
    assert!(matches!(error, ConnectError::Refused { .. }), "{error:?}");
    let (error, said) = refused(&cluster().url("not_there")).await;
    assert!(matches!(error, ConnectError::NoDatabase { .. }), "{error:?}");
    assert!(said.ends_with("make it with `createdb not_there`"), "{said}");
    open_at(&cluster().url_as("locked:right", "locked"), Limits::DEFAULT).await.ping().await.expect("it answers");
}

#[tokio::test]
async fn a_database_of_another_release_is_not_touched() {
    if !is_there() {
        return;
    }
    let url = fresh().await;
    let name = url.split(['/', '?']).nth(3).expect("a name");
    let row = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
               values (9999, 'later', true, '', 0)";
    cluster().sql(name, row);
    let (error, said) = refused(&url).await;
    assert!(matches!(error, ConnectError::Newer(_)), "{error:?}");
    assert_eq!(said, format!("the database {name} was written by a later release; use that one"));
    cluster().sql(name, "delete from _sqlx_migrations where version = 9999; update _sqlx_migrations set checksum = ''");
    let (error, _) = refused(&url).await;
    assert!(matches!(error, ConnectError::Store(StoreError::Damaged(_))), "{error:?}");
}

#[tokio::test]
async fn a_store_that_is_opened_to_read_is_not_written() {
    if !is_there() {
        return;
    }
    let url = fresh().await;
    let name = |name| DisplayName::parse(name).expect("a name");
    let own = open_at(&url, Limits::DEFAULT).await;
    let (ada, _) = own.create_account(&name("Ada"), UnixSeconds(0)).await.expect("an account");
    let store = eventually("the store to open", async || Store::connect_to_read(&url).await).await;
    assert!(store.account(ada.id).await.expect("readable").is_some());
    let refused = store.create_account(&name("Bea"), UnixSeconds(0)).await;
    assert!(matches!(refused, Err(AccountError::Store(_))), "{refused:?}");
    Arc::new(store).close().await;
    let empty = cluster().database(None);
    let look = async || match Store::connect_to_read(&empty).await {
        Err(ConnectError::NoStore(_)) => Ok(()),
        other => Err(format!("{:?}", other.err())),
    };
    eventually("the database to have no store", look).await;
}

#[tokio::test]
async fn a_database_that_keeps_texts_in_another_form_is_not_used() {
    if !is_there() {
        return;
    }
    cluster().sql("postgres", "create database latin encoding 'LATIN1' template template0");
    let (error, said) = refused(&cluster().url("latin")).await;
    assert!(matches!(error, ConnectError::Encoding { .. }), "{error:?}");
    assert!(said.contains("createdb --encoding UTF8"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_tables_are_made_once_by_the_first_to_come() {
    if !is_there() {
        return;
    }
    let url = cluster().database(None);
    let openers: Vec<_> = (0..8)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { open_at(&url, Limits::DEFAULT).await.ping().await })
        })
        .collect();
    for opener in openers {
        opener.await.expect("no panic").expect("it answers");
    }
}

#[tokio::test]
async fn the_disk_of_the_folder_is_looked_at_although_the_rows_are_elsewhere() {
    if !is_there() {
        return;
    }
    let (url, folder) = (fresh().await, tempfile::tempdir().expect("a folder"));
    let limits = Limits { free_disk_bytes_min: u64::MAX, ..patient(Limits::DEFAULT) };
    let name = DisplayName::parse("Ada").expect("a name");
    let store = Store::connect_to_serve_with(&url, folder.path(), limits).await.expect("a store");
    assert!(matches!(store.has_space(), Err(StoreError::NoSpace)));
    let refused = store.create_account(&name, UnixSeconds(0)).await;
    assert!(matches!(refused, Err(AccountError::Store(StoreError::NoSpace))), "{refused:?}");
    Arc::new(store).close().await;
    let store = Store::connect_to_serve_with(&url, folder.path(), patient(Limits::DEFAULT)).await.expect("a store");
    store.has_space().expect("there is some");
    store.create_account(&name, UnixSeconds(0)).await.expect("an account");
}
