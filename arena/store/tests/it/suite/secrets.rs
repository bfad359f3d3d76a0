//! Secrets of draws.

use super::fixture;

#[tokio::test]
async fn a_secret_stays_until_it_is_forgotten() {
    let fixture = fixture().await;
    let store = &fixture.store;
    for number in 1..=3 {
        assert_eq!(store.secret("one", number, [number as u8; 32]).await.expect("kept"), [number as u8; 32]);
        assert_eq!(store.secret("one", number, [99; 32]).await.expect("kept"), [number as u8; 32], "not the new one");
    }
    assert_eq!(store.secret("two", 1, [7; 32]).await.expect("kept"), [7; 32], "of another series");
    for _ in 0..2 {
        store.forget_secrets("one", 2).await.expect("forgotten");
    }
    for (series, number, kept) in [("one", 1, 50), ("one", 2, 50), ("one", 3, 3), ("two", 1, 7)] {
        assert_eq!(store.secret(series, number, [50; 32]).await.expect("kept"), [kept; 32], "{series} {number}");
    }
}
