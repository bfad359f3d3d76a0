//! `/workshop`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_may_write_and_run_a_bot_and_an_account_may_submit_it() {
    let fixture = fixture().await;
    assert_snapshot("people/workshop-stranger", &fixture.ask(get("/workshop")).await);
    let ann = fixture.account("Ann").await;
    let owned = fixture.ask(get("/workshop?game=life2").bearer(&ann)).await.text;
    assert!(owned.contains("action=\"/submit?") && owned.contains("<button type=\"submit\">"), "{owned}");
    assert!(owned.contains("arena_opponents_wide.wasm"), "the rules of the game that is written for");
    let text = fixture.ask(get("/workshop?game=life2&language=wat").bearer(&ann)).await.text;
    assert!(owned.contains("data-own=\"bot.js\"") && text.contains("data-own=\"bot.wat\""), "{text}");
    // The interpreter of a language is loaded where that is chosen alone.
    let python = fixture.ask(get("/workshop?language=python")).await.text;
    for (page, maker) in [(&owned, "arena_texts"), (&text, "arena_texts"), (&python, "arena_python")] {
        assert!(page.contains(&format!("/{maker}.wasm\"")), "{page}");
        assert_eq!(page.matches("arena_python.wasm").count(), usize::from(maker == "arena_python"), "{page}");
    }
    assert!(python.contains("data-own=\"bot.py\"") && python.contains("\ndef turn(o):"), "{python}");
    let listed = fixture.ask(get("/workshop?listing=bots/gallery/mason/bot.wat")).await.text;
    assert!(listed.contains("data-own=\"bot.wat\" ") && listed.contains(" data-listed "), "{listed}");
    assert!(listed.contains("\n;; mason: a bot for Conway"), "{listed}");
    let of_another = fixture.ask(get("/workshop?listing=bots/gallery/settler/bot.js")).await.text;
    assert!(of_another.contains("data-game=\"life2\""), "the game that it plays: {of_another}");
    for unknown in ["sdk/wat/arena.wat", "../Cargo.toml", ""] {
        assert_eq!(fixture.ask(get(&format!("/workshop?listing={unknown}"))).await.code(), "no_such_listing");
    }
    assert_eq!(fixture.ask(get("/workshop?game=chess")).await.code(), "no_such_game");
    fixture.end().await;
}
