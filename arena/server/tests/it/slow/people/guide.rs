//! `/guide`: every link of every chapter leads somewhere, and what is not there says so.

use std::collections::{BTreeMap, BTreeSet};

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

/// The values of an attribute in a page.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    html.split(&opening).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_link_of_the_guide_is_dead() {
    let fixture = fixture().await;
    let mut pages = BTreeMap::new();
    let mut links = BTreeSet::from(["/guide".to_owned()]);
    while let Some(link) = links.pop_first() {
        let path = link.split('#').next().unwrap_or_default();
        if !pages.contains_key(path) {
            let answer = fixture.ask(get(path)).await;
            assert_eq!(answer.status, 200, "{link}");
            if path.starts_with("/guide") && answer.header("content-type").starts_with("text/html") {
                for found in values(&answer.text, "href") {
                    assert!(found.starts_with(['/', '#']), "{path}: {found} leads away");
                    let whole = if found.starts_with('#') { format!("{path}{found}") } else { found.to_owned() };
                    links.insert(whole);
                }
            }
            pages.insert(path.to_owned(), answer.text);
        }
        if let Some((path, anchor)) = link.split_once('#') {
            assert!(values(&pages[path], "id").contains(&anchor), "no {anchor} in {path}");
        }
        links.retain(|link| link.contains('#') || !pages.contains_key(link));
    }
    for path in ["/guide/abi", "/guide/wat", "/guide/gallery", "/guide/files/sdk/c/arena.h"] {
        assert!(pages.contains_key(path), "nothing leads to {path}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chapter_is_a_page_and_a_source_is_text() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/guide/wat")).await;
    assert!(page.header("content-type").starts_with("text/html"));
    for inline in ["<script>", " style=", " onclick=", "javascript:"] {
        assert!(!page.text.contains(inline), "{inline}");
    }
    let source = fixture.ask(get("/guide/files/guide/bots/wat/bot.wat")).await;
    assert_eq!(source.header("content-type"), "text/plain; charset=utf-8");
    assert!(source.text.contains("(module"));
    let folder = fixture.ask(get("/guide/")).await;
    assert_eq!(folder.status, 308);
    assert_eq!(folder.header("location"), "/guide");
    for missing in
        ["/guide/nothing", "/guide/README", "/guide/files/Cargo.toml", "/guide/files/../Cargo.toml", "/guide/files/"]
    {
        let answer = fixture.ask(get(missing).with("accept", "text/html")).await;
        assert_eq!(answer.status, 404, "{missing}");
        assert!(answer.text.contains("no_such_"), "{missing}");
    }
    fixture.end().await;
}

/// A page without the chapter in it: that is Markdown of the repository, and reviewed there.
fn around(page: &str) -> String {
    let (before, rest) = page.split_once("<main").expect("a main part");
    let (_, after) = rest.split_once("</main>").expect("its end");
    format!("{before}<main>[the chapter]</main>{after}")
}

#[tokio::test(flavor = "multi_thread")]
async fn chapters_stand_in_the_same_page() {
    let fixture = fixture().await;
    for (name, path) in [("guide", "/guide"), ("guide-chapter", "/guide/wat")] {
        let page = fixture.ask(get(path)).await;
        assert_snapshot_of(&format!("people/{name}"), &page, &around(&page.text));
    }
    assert_snapshot("people/guide-moved", &fixture.ask(get("/guide/")).await);
    let file = fixture.ask(get("/guide/files/guide/bots/wat/bot.wat")).await;
    assert_eq!(file.text, include_str!("../../../../../../guide/bots/wat/bot.wat"));
    assert_snapshot_of("people/guide-file", &file, "[the file]");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guide_is_searched() {
    let fixture = fixture().await;
    let found = fixture.ask(get("/guide/search?q=seat+seed")).await;
    assert_snapshot_of("people/guide-search", &found, &around(&found.text));
    assert!(found.text.contains("<a href=\"/guide/abi#") && found.text.contains("<mark>"), "{}", found.text);
    let hostile = fixture.ask(get("/guide/search?q=%3Cscript%3Ex")).await;
    assert!(hostile.text.contains("&#60;script&#62;x") && !hostile.text.contains("<script>x"), "{}", hostile.text);
    fixture.end().await;
}
