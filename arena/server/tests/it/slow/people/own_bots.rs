//! The forms of `/bots/NAME` that are its owner's.

use arena_store::Verdict;

use crate::client::{Ask, get, post};
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_bots_page_lets_its_owner_manage_it_and_shows_nobody_else_how() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let owner = fixture.owner(&ann).await;
    let version = fixture.pending(owner, "talker", "conquerors@2").await;
    fixture.service.store().set_verdict(version, Verdict::Accepted).await.expect("pending");
    let form = |path: &str, body: &str| post(path, body).form().with("accept", "text/html");
    let own = |ask: Ask| fixture.ask(ask.bearer(&ann));
    let page = own(get("/bots/talker")).await;
    assert_snapshot("people/bot-own", &page);
    assert!(!fixture.ask(get("/bots/talker").bearer(&bob)).await.text.contains("manage"));
    let stranger = fixture.ask(form("/bots/talker/delete", "name=talker").bearer(&bob)).await;
    assert_eq!(stranger.status, 403);
    assert_snapshot("people/bot-chosen", &own(form("/bots/talker/active", "version=")).await);
    assert!(fixture.ask(get("/bots/talker")).await.text.contains("Its owner has withdrawn it"));
    assert!(own(get("/bots/talker/versions/1")).await.text.contains("The bot is withdrawn"));
    let badly = own(form("/bots/talker/active", "version=two")).await;
    let again =
        badly.text.split("id=\"choose\"").nth(1).and_then(|rest| rest.split("</form>").next()).expect("its form");
    assert!(badly.status == 404 && again.contains("no accepted version of this number"), "{again}");
    assert_eq!(own(form("/bots/talker/active", "version=1")).await.status, 303);
    assert_snapshot("people/bot-renamed", &own(form("/bots/talker/name", "name=mine")).await);
    let other = own(form("/bots/mine/delete", "name=talker")).await;
    assert_eq!(other.status, 422, "{}", other.text);
    let form_again = other.text.split("id=\"delete\"").nth(1).and_then(|rest| rest.split("</form>").next());
    let form_again = form_again.unwrap_or_else(|| panic!("no form: {}", other.text));
    assert!(form_again.contains("data-refused") && form_again.contains("value=\"talker\""), "{form_again}");
    assert_snapshot("people/bot-deleted", &own(form("/bots/mine/delete", "name=mine")).await);
    assert_eq!(fixture.ask(get("/bots/mine")).await.status, 404);
    fixture.end().await;
}
