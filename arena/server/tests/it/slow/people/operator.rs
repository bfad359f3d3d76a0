//! `/operator`.

use crate::client::{get, post};
use crate::fixture::{OPERATOR, fixture};
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_signs_in_acts_and_leaves() {
    let fixture = fixture().await;
    fixture.account("Ann").await;
    assert_snapshot("people/operator-door", &fixture.ask(get("/operator")).await);
    let wrong = post("/operator/session", "token=wrong").form().with("accept", "text/html");
    let wrong = fixture.ask(wrong).await;
    assert_eq!(wrong.status, 401);
    assert!(wrong.text.contains("for the operator of the arena"), "{}", wrong.text);
    let signed = fixture.ask(post("/operator/session", format!("token={OPERATOR}")).form()).await;
    assert_snapshot("people/operator-session", &signed);
    let set = signed.header("set-cookie").to_owned();
    for attribute in ["HttpOnly", "SameSite=Strict", "Path=/operator", "Max-Age=43200"] {
        assert!(set.contains(attribute), "{attribute}: {set}");
    }
    assert!(!set.contains(OPERATOR));
    let cookie = set.split(';').next().expect("a cookie").to_owned();
    let act = |body: &str| post("/operator/acts", body).form().with("cookie", cookie.clone());
    let stranger = fixture.ask(post("/operator/acts", "act=drain&reason=x").form()).await;
    assert_eq!(stranger.status, 401);
    let foreign = act("act=drain&reason=x").with("origin", "http://evil.example");
    assert_eq!(fixture.ask(foreign).await.code(), "cross_site");
    let done = fixture.ask(act("act=disable_account&name=Ann&new_name=&reason=it+sent+spam")).await;
    assert_snapshot("people/operator-act", &done);
    let refused = act("act=rename_account&name=Ann&new_name=%3C&reason=x").with("accept", "text/html");
    let refused = fixture.ask(refused).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("one-account"), "on the page of the form");
    let shown = fixture.ask(get("/operator").with("cookie", cookie.clone())).await;
    assert_eq!(shown.header("cache-control"), "no-store");
    let steady: Vec<&str> = shown.text.lines().filter(|line| !line.contains("of the disk are free")).collect();
    assert_snapshot_of("people/operator", &shown, &steady.join("\n"));
    // As its form sends it: without the field that other acts have.
    let started = fixture.ask(act("act=start_world&name=meadow&reason=we+want+one")).await;
    assert_eq!((started.status.as_u16(), started.header("location")), (303, "/operator"), "{}", started.text);
    assert_eq!(fixture.ask(get("/worlds/meadow")).await.status, 200, "it is there");
    let refused = fixture.ask(act("act=start_world&name=a+b&reason=x").with("accept", "text/html")).await;
    assert!(refused.status.is_client_error() && refused.text.contains("one-world"), "on the page of the form");
    let left = fixture.ask(post("/operator/session/end", "").form().with("cookie", cookie.clone())).await;
    assert_snapshot("people/operator-left", &left);
    let after = fixture.ask(get("/operator").with("cookie", cookie)).await;
    assert!(after.text.contains("Operator’s token"), "{}", after.text);
    fixture.end().await;
}
