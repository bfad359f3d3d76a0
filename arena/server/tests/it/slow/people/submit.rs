//! `/submit`.

use arena_scripts::Language;

use crate::client::{Ask, get, post};
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

/// A form as browsers send it: parts, each with its head.
pub(super) fn form(parts: &[(&str, &str)]) -> Ask {
    let part =
        |(head, body): &(&str, &str)| format!("--part\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n");
    let body: String = parts.iter().map(part).collect();
    post("/submit", body + "--part--\r\n").with("content-type", "multipart/form-data; boundary=part")
}

/// The form with a text in it.
fn written(text: &str) -> Ask {
    form(&[("name=\"name\"", "mine"), ("name=\"game\"", "life2"), ("name=\"text\"", text)])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_has_an_address_of_its_own() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let file = "name=\"file\"; filename=\"bot.wasm\"\r\nContent-Type: application/wasm";
    let submitted = fixture.ask(form(&[("name=\"name\"", "mine"), (file, "not a module")]).bearer(&ann)).await;
    assert_snapshot("people/submit-sent", &submitted);
    let verdict = fixture.ask(get(submitted.header("location")).bearer(&ann)).await;
    assert_snapshot("people/version-refused", &verdict);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_cannot_be_bundled_says_why_in_the_language_of_the_page() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    for (file, script, detail, spanish) in [
        ("bot.ipynb", "{}", "notebooks are no bots here", "De esta clase de archivo la arena no hace bots."),
        ("bot.py", &"\n".repeat(TEXT_BYTES_MAX + 1), "a script has at most 65536 bytes", "Un script tiene 65"),
    ] {
        let head = format!("name=\"file\"; filename=\"{file}\"");
        let sent = || form(&[("name=\"name\"", "mine"), (&head, script)]).bearer(&ann);
        let refused = fixture.ask(sent()).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (422, "does_not_bundle"));
        assert!(refused.json()["detail"].to_string().contains(detail), "{}", refused.text);
        let page = fixture.ask(sent().with("accept", "text/html").with("accept-language", "es")).await;
        assert!(page.text.contains(spanish), "{}", page.text);
    }
    for language in Language::ALL {
        let empty = post("/api/v1/bots/mine/versions", "").with("content-type", language.media_types()[0]).bearer(&ann);
        assert_eq!(fixture.ask(empty).await.json()["detail"], "the script is empty");
    }
    assert_eq!(fixture.ask(get("/api/v1/bots/mine")).await.status, 404, "nothing was kept");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_is_written_is_refused_where_it_is_written() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let parts = [("name=\"name\"", "mine"), ("name=\"language\"", "javascript"), ("name=\"text\"", "")];
    let refused = fixture.ask(form(&parts).bearer(&ann).with("accept", "text/html")).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("id=\"write-problem\"") && refused.text.contains("data-language=\"javascript\""));
    assert_eq!(fixture.ask(form(&parts).bearer(&ann)).await.code(), "does_not_bundle");
    fixture.end().await;
}

/// Bytes of a text, at most.
const TEXT_BYTES_MAX: usize = 64 << 10;

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_does_not_assemble_is_there_again_with_the_place() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let wrong = written("\r\n;; </textarea> & more\r\n(func $turn\r\n  (call $oops))").bearer(&ann);
    let refused = fixture.ask(wrong.clone().with("accept", "text/html")).await;
    assert_snapshot("people/submit-written", &refused);
    assert_eq!(fixture.ask(wrong).await.code(), "does_not_assemble");
    let spanish = written("(oops)").bearer(&ann).with("accept", "text/html").with("accept-language", "es");
    assert!(fixture.ask(spanish).await.text.contains("Línea 1, columna 2: "));
    // The layer calls what the text lacks.
    let without_turn = fixture.ask(written("(func $other)").bearer(&ann)).await;
    let detail = without_turn.json()["detail"].to_string();
    assert!(detail.contains("needs (func $turn ...), which is called at arena.wat:"), "{detail}");
    assert_eq!(fixture.ask(get("/api/v1/bots/mine")).await.status, 404, "nothing was kept");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_a_version_like_a_file_behind_the_layer_or_alone() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    // What no bot may have: a verdict that needs no worker.
    let padded = |bytes: usize| ["(module)", &" ".repeat(bytes - "(module)".len())].concat();
    let longest = padded(TEXT_BYTES_MAX);
    let code =
        |page: &str| page.split("class=\"code\">").nth(1).and_then(|rest| rest.split('<').next()).map(str::to_owned);
    let texts = [
        ("(func $turn) (memory 1)", "feature_not_allowed"),
        ("(module)", "missing_export"),
        (longest.as_str(), "missing_export"),
    ];
    for (text, wanted) in texts {
        let taken = fixture.ask(written(text).bearer(&ann)).await;
        // A version that is refused takes no number.
        let place = "/bots/mine/versions/1";
        assert_eq!((taken.status.as_u16(), taken.header("location")), (303, place), "{}", taken.text);
        let page = fixture.ask(get(place).bearer(&ann)).await.text;
        assert_eq!(code(&page).as_deref(), Some(wanted), "{page}");
    }
    let longer = fixture.ask(written(&padded(TEXT_BYTES_MAX + 1)).bearer(&ann)).await;
    assert_eq!((longer.status.as_u16(), longer.code().as_str()), (413, "text_too_long"));
    fixture.end().await;
}
