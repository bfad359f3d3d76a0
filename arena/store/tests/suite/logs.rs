//! Logs of sample games.

use arena_store::{SAMPLE_LOG_BYTES_MAX, SampleLog, SampleLogError, VersionId};

use super::fixture;

#[tokio::test]
async fn logs_of_sample_games_are_kept_with_their_version_and_up_to_a_limit() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let version = fixture.submit(ada.id, "talker", "one").await;
    assert_eq!(fixture.store.sample_logs(version.id).await.expect("read"), []);
    let log = |seat, text: &str| SampleLog { seat, text: text.into(), dropped: 3 };
    let long = "é".repeat(SAMPLE_LOG_BYTES_MAX);
    for logs in [vec![log(0, "first\n<b>\n"), log(1, "")], vec![log(0, "again\n"), log(1, &long)]] {
        fixture.store.keep_sample_logs(version.id, &logs).await.expect("kept");
    }
    let kept = fixture.store.sample_logs(version.id).await.expect("read");
    assert_eq!(kept, [log(0, "again\n"), log(1, &long[..SAMPLE_LOG_BYTES_MAX])]);
    let nothing = VersionId { number: 2, ..version.id };
    for logs in [&kept[..], &[]] {
        let refused = fixture.store.keep_sample_logs(nothing, logs).await;
        assert!(matches!(refused, Err(SampleLogError::NoSuchVersion)), "{refused:?}");
    }
    let twice = fixture.store.keep_sample_logs(version.id, &[log(1, "a"), log(0, "b"), log(1, "c")]).await;
    assert!(matches!(twice, Err(SampleLogError::SeatTwice(1))), "{twice:?}");
    assert_eq!(fixture.store.sample_logs(version.id).await.expect("read"), kept, "a refused call changed nothing");
    fixture.store.keep_sample_logs(version.id, &[log(2, "a\0b")]).await.expect("kept");
    assert_eq!(fixture.store.sample_logs(version.id).await.expect("read"), [log(2, "a\u{fffd}b")], "and no zeros");
}
