//! Logs of sample games.

use arena_store::{LOGGED_VERSIONS_MAX, SAMPLE_LOG_BYTES_MAX, SampleLog, SampleLogError, Verdict, VersionId};

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

#[tokio::test]
async fn only_the_latest_versions_of_a_bot_keep_their_logs() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let log = |text: String| {
        [SampleLog { seat: 0, text, dropped: 0 }, SampleLog { seat: 1, text: String::new(), dropped: 0 }]
    };
    let other = fixture.submit(ada.id, "other", "other").await;
    fixture.store.keep_sample_logs(other.id, &log("other".into())).await.expect("kept");
    let mut versions = Vec::new();
    for number in 0..LOGGED_VERSIONS_MAX + 2 {
        let version = fixture.submit(ada.id, "talker", &number.to_string()).await;
        fixture.judge(&version, Verdict::Accepted).await;
        versions.push(version.id);
    }
    let logged = async || {
        let mut logged = Vec::new();
        for id in &versions {
            if !fixture.store.sample_logs(*id).await.expect("read").is_empty() {
                logged.push(id.number as usize);
            }
        }
        logged
    };
    for id in &versions {
        fixture.store.keep_sample_logs(*id, &log(id.number.to_string())).await.expect("kept");
    }
    let latest: Vec<usize> = (3..=LOGGED_VERSIONS_MAX + 2).collect();
    assert_eq!(logged().await, latest);
    // One that is judged late, although another has no log any more.
    fixture.store.keep_sample_logs(versions[4], &[]).await.expect("kept");
    fixture.store.keep_sample_logs(versions[1], &log("late".into())).await.expect("kept");
    let without_one: Vec<usize> = latest.into_iter().filter(|number| *number != 5).collect();
    assert_eq!(logged().await, without_one, "it is not among the latest");
    // A new version moves the earliest one out before it has a verdict.
    fixture.submit(ada.id, "talker", "a new one").await;
    assert_eq!(logged().await, without_one[1..]);
    assert_eq!(fixture.store.sample_logs(other.id).await.expect("read").len(), 2, "another bot's stay");
}
