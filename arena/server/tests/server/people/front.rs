//! `/`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

#[tokio::test(flavor = "multi_thread")]
async fn the_front_page_has_the_doors_the_top_of_the_standings_and_its_style() {
    let fixture = fixture().await;
    let answer = fixture.ask(get("/")).await;
    let (before, style) = answer.text.split_once("<style>").expect("no file is waited for");
    let (style, behind) = style.split_once("</style>").expect("an end");
    assert_snapshot_of("people/front", &answer, &format!("{before}<style></style>{behind}"));
    let policy = answer.header("content-security-policy");
    let source = format!("style-src 'self' 'sha256-{}';", STANDARD.encode(Sha256::digest(style)));
    assert!(policy.contains(&source), "{policy}");
    // It is the file that other pages ask for, but for where the font is.
    let font = before.split('"').find(|part| part.ends_with(".woff2")).expect("it is asked for early");
    assert!(!before.contains("stylesheet"));
    let file = fixture.ask(get(&font.replace("atkinson.woff2", "style.css"))).await;
    assert_eq!(style, file.text.replace("url(atkinson.woff2)", &format!("url({font})")));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_a_page() {
    let fixture = fixture().await;
    assert_snapshot("people/problem", &fixture.ask(get("/nowhere").with("accept", "text/html")).await);
    fixture.end().await;
}
