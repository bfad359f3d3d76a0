//! `/privacy`, and deleting an account by its form.

use crate::client::{get, post};
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_is_a_page_that_every_page_links() {
    let fixture = fixture().await;
    assert_snapshot("people/privacy", &fixture.ask(get("/privacy")).await);
    for path in ["/", "/standings", "/account", "/nowhere"] {
        let page = fixture.ask(get(path).with("accept", "text/html")).await;
        assert!(page.text.contains("href=\"/privacy\""), "{path}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_deleted_by_its_name_typed_and_signed_out() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let session = fixture.ask(post("/session", format!("code={code}")).form()).await;
    let cookie = session.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    let typed = |name: &str| post("/account/deletion", format!("name={name}")).form().with("cookie", cookie.clone());
    let refused = fixture.ask(typed("ann").with("accept", "text/html")).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("nothing was deleted"), "{}", refused.text);
    let foreign = typed("Ann").with("origin", "http://evil.example");
    assert_eq!(fixture.ask(foreign).await.code(), "cross_site");
    let deleted = fixture.ask(typed("Ann")).await;
    assert_snapshot("people/account-deleted", &deleted);
    assert!(deleted.header("set-cookie").contains("Max-Age=0"), "{}", deleted.header("set-cookie"));
    let after = fixture.ask(get("/account").with("cookie", cookie)).await;
    assert!(after.text.contains("Claim a name"), "{}", after.text);
    fixture.end().await;
}
