//! The source of a version on its page, and as the beginning of another bot.

use arena_runner::assembler::assemble_bot;
use arena_scripts::{Language, bundle};
use serde_json::json;

use crate::client::{get, post};
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

const FIRST: &str = "function turn(o) {\n  return best(o); // <b>\n}\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_source_is_shown_under_the_licence_that_its_author_chose_and_to_nobody_else_before() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let second = FIRST.replace("best(o)", "skip()");
    for text in [FIRST, &second] {
        let module = bundle(Language::JavaScript, text.as_bytes()).expect("a script");
        fixture.accepted(&ann, &module).await;
    }
    let page = async |number: u32| fixture.ask(get(&format!("/bots/talker/versions/{number}"))).await.text;
    let fork = || fixture.ask(get("/workshop?bot=talker&version=2"));
    let license = |number: u32, code: &str, form: &str| {
        post(&format!("/bots/talker/versions/{number}/licence"), form).form().bearer(code)
    };
    assert!(!page(2).await.contains("id=\"source\""));
    let refused = fork().await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (404, "no_such_version"), "{}", refused.text);
    let own = fixture.ask(get("/bots/talker/versions/2").bearer(&ann)).await.text;
    assert!(own.contains("id=\"license\"") && own.contains("<option selected>MIT</option>"), "{own}");
    assert!(!own.contains("name=\"shown\" value=\"on\" checked"), "nobody agrees by oversight: {own}");

    let shown = "shown=on&licence=Apache-2.0";
    assert_eq!(fixture.ask(license(2, &bob, shown)).await.status, 403);
    assert_eq!(fixture.ask(license(2, &ann, "shown=on&licence=mine")).await.code(), "bad_licence");
    assert_snapshot("people/version-licence", &fixture.ask(license(2, &ann, shown)).await);
    let version = fixture.ask(get("/api/v1/bots/talker/versions/2")).await.json();
    assert_eq!(version["licence"], "Apache-2.0");
    assert_eq!(version["source"], json!({ "language": "javascript", "text": second }));
    let alone = page(2).await;
    assert!(alone.contains("Apache-2.0") && alone.contains("<span class=\"keyword\">function</span>"), "{alone}");
    assert!(alone.contains("&lt;b&gt;") && !alone.contains("id=\"since\""), "{alone}");
    let begun = fork().await.text;
    assert!(
        begun.contains("// From talker, version 2, by Ann, under the licence Apache-2.0.\nfunction turn"),
        "{begun}"
    );

    assert_eq!(fixture.ask(license(1, &ann, "shown=on&licence=MIT")).await.status, 303);
    let both = page(2).await;
    for line in ["gone\">−   return best(o)", "new\">+   return skip()", "Version 2: no edition yet"] {
        assert!(both.contains(line), "{line}: {both}");
    }
    assert_eq!(fixture.ask(license(2, &ann, "licence=MIT")).await.status, 303);
    assert!(!page(2).await.contains("id=\"source\"") && fork().await.status == 404, "taken back");
    assert!(fixture.ask(get("/api/v1/bots/talker/versions/2")).await.json().get("source").is_none());
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_of_text_is_shown_as_text_and_opens_as_a_whole_one() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    for (number, answer) in [(1, 7), (2, 8)] {
        let text = format!("(module (func $turn (result i32) (; mine ;) (i32.const {answer})))");
        fixture.accepted(&ann, &assemble_bot("", &text).expect("a module")).await;
        let licensed = format!("/bots/talker/versions/{number}/licence");
        let licensed = post(&licensed, "shown=on&licence=MIT").form().bearer(&ann);
        assert_eq!(fixture.ask(licensed).await.status, 303);
    }
    let page = fixture.ask(get("/bots/talker/versions/2")).await.text;
    for shown in
        ["WebAssembly text, shown", "not in a module", "$turn ", "gone\">−     i32.const 7", "new\">+     i32.const 8"]
    {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let version = fixture.ask(get("/api/v1/bots/talker/versions/2")).await.json();
    assert_eq!(version["source"]["language"], "wat");
    assert!(version["source"]["text"].as_str().is_some_and(|text| text.starts_with("(module\n")), "{version}");
    let begun = fixture.ask(get("/workshop?bot=talker&version=2")).await.text;
    let said = ";; From talker, version 2, by Ann, under the licence MIT.\n(module\n";
    assert!(begun.contains(said) && begun.contains("data-language=\"wat\""), "{begun}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_submitted_with_a_licence_says_so_and_what_has_no_source_shows_none() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let submit = |query: &str| {
        let ask = post(&format!("/api/v1/bots/mine/versions?{query}"), FIRST).bearer(&ann);
        fixture.ask(ask.with("content-type", "text/javascript"))
    };
    assert_eq!(submit("licence=mine").await.code(), "bad_licence");
    assert_eq!(submit("licence=MIT").await.json()["licence"], "MIT", "while it waits for the verdict");
    fixture.accepted(&ann, b"\0asm without a script").await;
    let licensed = post("/bots/talker/versions/1/licence", "shown=on&licence=MIT").form().bearer(&ann);
    assert_eq!(fixture.ask(licensed).await.status, 303);
    let page = fixture.ask(get("/bots/talker/versions/1").bearer(&ann)).await.text;
    assert!(!page.contains("id=\"source\"") && !page.contains("id=\"license\""), "{page}");
    fixture.end().await;
}
