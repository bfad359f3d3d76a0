//! `/tournaments`.

use crate::client::{get, post};
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_is_started_by_a_form_and_has_a_page() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    assert_snapshot("people/tournaments-none", &fixture.ask(get("/tournaments")).await);
    assert_snapshot("people/tournament-new-stranger", &fixture.ask(get("/tournaments/new")).await);
    assert_snapshot("people/tournament-new", &fixture.ask(get("/tournaments/new").bearer(&ann)).await);
    let form = |name: &str, format: &str| {
        let rest = "game=conquerors&pairs=1&entry=open&invited=&places=4&until=&bots=&reserved=easy%2C+normal&keys=";
        let sent = post("/tournaments/new", format!("name={name}&format={format}&{rest}")).form();
        sent.with("accept", "text/html").bearer(&ann)
    };
    let refused = fixture.ask(form("x", "cup")).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("`") || refused.text.contains("format"), "{}", refused.text);
    assert_snapshot("people/tournament-refused", &refused);
    let opened = fixture.ask(form("%3Cscript%3Ealert(1)%3C%2Fscript%3E", "swiss")).await;
    assert_snapshot("people/tournament-opened", &opened);
    let page = fixture.ask(get(opened.header("location")).bearer(&ann)).await;
    assert!(!page.text.contains("<script>alert"), "a name is text");
    assert_snapshot("people/tournament", &page);
    assert_snapshot("people/tournaments", &fixture.ask(get("/tournaments")).await);
    let cancel = post("/tournaments/cup-1/cancellation", "reason=no+time").form().bearer(&ann);
    assert_snapshot("people/tournament-cancelled", &fixture.ask(cancel).await);
    let send = |path: &str, body: &str| post(path, body).form().bearer(&ann);
    for (name, path, body) in [
        ("entered", "/tournaments/cup-1/entries", "bot=mine"),
        ("withdrawn", "/tournaments/cup-1/withdrawals", "bot=mine&reason=late"),
        ("started", "/tournaments/cup-1/start", ""),
        ("challenged", "/bots/easy/challenges", "bot=mine&games=2"),
    ] {
        assert_snapshot(&format!("people/tournament-{name}"), &fixture.ask(send(path, body)).await);
    }
    fixture.end().await;
}
