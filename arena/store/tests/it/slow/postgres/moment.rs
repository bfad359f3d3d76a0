//! A database that goes back to a moment, as docs/operating.md says.

use arena_store::Limits;

use super::cluster::{Cluster, is_there};
use super::open_at;
use super::suite::{NOW, display};

const ARCHIVES: &str = "-c wal_level=replica -c archive_mode=on \
    -c archive_command='mkdir -p ../archive && cp %p ../archive/%f'";

#[tokio::test(flavor = "multi_thread")]
async fn a_database_goes_back_to_a_moment_after_its_backup() {
    if !is_there() {
        return;
    }
    let cluster = Cluster::start(ARCHIVES);
    let url = cluster.database(None);
    let store = open_at(&url, Limits::DEFAULT).await;
    let (before, _) = store.create_account(&display("Ada"), NOW).await.expect("an account");
    cluster.back_up();
    let (between, _) = store.create_account(&display("Bea"), NOW).await.expect("an account");
    cluster.sql("postgres", "select pg_create_restore_point('the_mistake')");
    let (after, _) = store.create_account(&display("Cleo"), NOW).await.expect("an account");
    store.close().await;
    cluster.go_back_to("the_mistake");
    let store = open_at(&url, Limits::DEFAULT).await;
    for (account, is_there) in [(before, true), (between, true), (after, false)] {
        assert_eq!(store.account(account.id).await.expect("read").is_some(), is_there, "{account:?}");
    }
    assert_eq!(store.problems().await.expect("readable"), [""; 0]);
    store.close().await;
}
