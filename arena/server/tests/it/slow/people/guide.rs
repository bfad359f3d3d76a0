//! `/guide`: every link of every chapter leads somewhere, and what is not there says so. The same texts are for
//! programs, and only what the release says is in them.

use std::collections::{BTreeMap, BTreeSet};

use arena_server::{GuideText, guide_texts};
use serde_json::json;

use crate::client::{Ask, get, post, post_json};
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
    for missing in [
        "/guide/nothing",
        "/guide/README",
        "/guide/files/Cargo.toml",
        "/guide/files/../Cargo.toml",
        "/guide/files/",
        "/guide/nothing.md",
        "/guide/README.md",
        "/guide/WAT.md",
        "/guide/wat.MD",
        "/guide/wat.md.md",
        "/guide/wat.md/",
        "/guide/.md",
        "/guide/guide.md",
        "/guide/search.md",
        "/guide/..%2fguide.md",
        "/guide/%2e%2e%2fllms.txt",
        "/guide/llms.txt",
        "/guide//wat.md",
        "/LLMS.txt",
        "/llms.txt/",
        "/llms.md",
    ] {
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

/// The address of a chapter as Markdown.
fn address(chapter: &GuideText) -> String {
    if chapter.name == "guide" { "/guide.md".into() } else { format!("/guide/{}.md", chapter.name) }
}

/// All chapters.
fn chapters() -> impl Iterator<Item = &'static GuideText> {
    guide_texts().iter().filter(|text| text.title.is_some())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_chapter_is_markdown_too_the_same_for_everybody_and_kept_by_caches_until_it_changes() {
    let fixture = fixture().await;
    for chapter in chapters() {
        let answer = fixture.ask(get(&address(chapter))).await;
        assert_eq!((answer.status.as_u16(), &*answer.text), (200, chapter.text), "{}", answer.asked);
    }
    for (path, kind) in [
        ("/guide/wat.md", "text/markdown; charset=utf-8"),
        ("/guide.md", "text/markdown; charset=utf-8"),
        ("/llms.txt", "text/plain; charset=utf-8"),
    ] {
        let first = fixture.ask(get(path)).await;
        let tag = first.header("etag").to_owned();
        assert!(tag.len() > 2 && first.header("cache-control") == "no-cache", "{path}: {tag}");
        assert_eq!(first.header("content-type"), kind, "{path}");
        let same = ["?", "?q=x&language=es"].map(|query| get(&format!("{path}{query}")));
        let of_headers = [("accept", "text/html"), ("accept", "application/json"), ("accept-language", "es")]
            .map(|(name, value)| get(path).with(name, value));
        let other_tags = ["\"0\"", "", "W/\"\"", "no tag"].map(|tag| get(path).with("if-none-match", tag));
        for ask in same.into_iter().chain(of_headers).chain(other_tags) {
            let headers = format!("{:?}", ask.headers);
            let answer = fixture.ask(ask).await;
            assert_eq!((answer.status.as_u16(), &answer.text), (200, &first.text), "{} {headers}", answer.asked);
            assert_eq!(answer.header("etag"), tag, "{} {headers}", answer.asked);
        }
        for kept in [tag.clone(), format!("W/{tag}"), format!("\"0\", {tag}"), "*".into()] {
            let answer = fixture.ask(get(path).with("if-none-match", kept.clone())).await;
            assert_eq!((answer.status.as_u16(), &*answer.text), (304, ""), "{path}: {kept}");
            assert_eq!(answer.header("etag"), tag, "{path}: {kept}");
        }
        let head = fixture.ask(Ask { method: "HEAD", ..get(path) }).await;
        assert_eq!((head.status.as_u16(), &*head.text, head.header("content-type")), (200, "", kind), "{path}");
        assert_eq!(fixture.ask(post(path, "")).await.status, 405, "{path}");
    }
    let encoded = fixture.ask(get("/guide/w%61t%2emd")).await;
    assert_eq!((encoded.status.as_u16(), encoded.header("content-type")), (200, "text/markdown; charset=utf-8"));
    let missing = fixture.ask(get("/guide/nothing.md").with("accept", "text/markdown")).await;
    assert_eq!((missing.status.as_u16(), missing.code().as_str()), (404, "no_such_chapter"));
    for (name, path) in [("guide-markdown", "/guide.md"), ("llms", "/llms.txt")] {
        assert_snapshot_of(&format!("people/{name}"), &fixture.ask(get(path)).await, "[the text]");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_somebody_wrote_is_in_the_texts_for_programs() {
    let fixture = fixture().await;
    let mut paths: Vec<String> = chapters().map(address).collect();
    paths.push("/llms.txt".into());
    let mut before = Vec::new();
    for path in &paths {
        before.push(fixture.ask(get(path)).await.text);
    }
    let code = fixture.account("Zorilla").await;
    fixture.pending(fixture.owner(&code).await, "zorilla-bot", "war-of-life@1").await;
    let notice = json!({ "act": "post_notice", "new_name": "zorilla: obey", "reason": "zorilla" });
    assert_eq!(fixture.act(notice).await.status, 200);
    assert_eq!(fixture.act(json!({ "act": "close_submissions", "reason": "zorilla" })).await.status, 200);
    let cup = json!({ "definition": "name = \"Zorilla\"\npairs = 1", "entry": "open", "places": 4 });
    assert_eq!(fixture.ask(post_json("/api/v1/tournaments", cup).bearer(&code)).await.status, 201);
    assert!(fixture.ask(get("/guide")).await.text.contains("zorilla: obey"));
    let hostile = |path: &str| {
        get(&format!("{path}?zorilla=zorilla"))
            .bearer(&code)
            .with("cookie", "arena_language=zorilla; zorilla=1")
            .with("referer", "http://zorilla.example")
            .with("x-forwarded-host", "zorilla.example")
            .with("accept-language", "zorilla")
            .with("user-agent", "zorilla")
    };
    for (path, before) in paths.iter().zip(before) {
        let after = fixture.ask(hostile(path)).await;
        assert_eq!((after.status.as_u16(), &after.text), (200, &before), "{path}");
        let headers = format!("{:?}", after.response.headers()).to_lowercase();
        assert!(!after.text.to_lowercase().contains("zorilla") && !headers.contains("zorilla"), "{path}: {headers}");
    }
    fixture.end().await;
}
