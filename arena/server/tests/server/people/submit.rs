//! `/submit`.

use crate::client::{get, post};
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_form_knows_the_bots_of_an_account() {
    let fixture = fixture().await;
    assert_snapshot("people/submit-stranger", &fixture.ask(get("/submit")).await);
    let ann = fixture.account("Ann").await;
    let owner = fixture.owner(&ann).await;
    fixture.pending(owner, "lifer", "war-of-life@1").await;
    assert_snapshot("people/submit", &fixture.ask(get("/submit").bearer(&ann)).await);
    fixture.end().await;
}

/// A form with a file in it, as browsers send it.
fn form(name: &str, module: &str) -> String {
    let part = |head: &str, body: &str| format!("--part\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n");
    let name = part("name=\"name\"", name);
    let file = part("name=\"file\"; filename=\"bot.wasm\"\r\nContent-Type: application/wasm", module);
    format!("{name}{file}--part--\r\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_has_an_address_of_its_own() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let send = post("/submit", form("mine", "not a module")).with("content-type", "multipart/form-data; boundary=part");
    let submitted = fixture.ask(send.bearer(&ann)).await;
    assert_snapshot("people/submit-sent", &submitted);
    let verdict = fixture.ask(get(submitted.header("location")).bearer(&ann)).await;
    assert_snapshot("people/version-refused", &verdict);
    fixture.end().await;
}
