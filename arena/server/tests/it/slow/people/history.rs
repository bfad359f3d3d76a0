//! How a bot did from edition to edition, on `/bots/NAME`.

use crate::client::get;
use crate::fixture::{fixture, fixture_of};
use crate::snapshot::assert_snapshot_of;

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_played_two_editions_has_a_chart_with_the_latest_first_in_its_table() {
    let fixture = fixture_of(&[3, 4]).await;
    let page = fixture.ask(get("/bots/easy")).await;
    let section = page.text.split("<section id=\"history\"").nth(1).and_then(|rest| rest.split("</section>").next());
    let section = section.expect("its history");
    assert_snapshot_of("people/bot-history", &page, section);
    let at = |edition: &str| section.find(&format!("<tr><td class=\"num\">{edition}</td>")).expect("a row");
    assert!(at("4") < at("3"));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_edition_is_no_history() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/bots/easy")).await;
    assert!(page.status == 200 && !page.text.contains("id=\"history\""), "{}", page.text);
    fixture.end().await;
}
