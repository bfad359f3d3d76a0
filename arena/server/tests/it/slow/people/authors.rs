//! `/authors/NUMBER`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn an_author_has_a_page_as_soon_as_there_is_a_bot() {
    let fixture = fixture().await;
    let owner = fixture.owner(&fixture.account("Ann").await).await;
    let page = get(&format!("/authors/{}", owner.0));
    assert_eq!(fixture.ask(page.clone()).await.status, 404, "of who only plays nothing is said");
    fixture.pending(owner, "talker", "conquerors@2").await;
    assert_snapshot("people/author", &fixture.ask(page).await);
    for path in ["/authors/x", "/authors/99999"] {
        assert_eq!(fixture.ask(get(path)).await.status, 404, "{path}");
    }
    fixture.end().await;
}
