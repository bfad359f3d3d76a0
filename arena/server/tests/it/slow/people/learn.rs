//! `/learn`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn every_lesson_opens_on_a_board() {
    let fixture = fixture().await;
    let all = fixture.ask(get("/learn")).await;
    assert_snapshot("people/learn", &all);
    let lessons = all.text.split("href=\"").filter(|link| link.starts_with("/learn/"));
    let lessons: Vec<&str> = lessons.map(|link| link.split('"').next().expect("an address")).collect();
    assert!(lessons.len() > 10, "{lessons:?}");
    let (alone, lessons): (Vec<&str>, Vec<&str>) = lessons.into_iter().partition(|path| *path == "/learn/life2");
    assert_eq!(alone.len(), 1);
    let world = fixture.ask(get(alone[0])).await;
    assert_snapshot("people/lesson-life2", &world);
    assert!(world.text.contains("data-world=\"\""), "it is in the page alone");
    for path in &lessons {
        let page = fixture.ask(get(path)).await.text;
        assert!(page.contains("data-goal=") && page.contains("data-from="), "{path}");
    }
    let last = fixture.ask(get("/learn/war-of-life/3")).await;
    assert_snapshot("people/lesson", &last);
    assert!(last.text.contains("href=\"/practice?game=war-of-life\""), "{}", last.text);
    let field = fixture.ask(get("/learn/game-of-game-of-life/2")).await.text;
    assert!(field.contains("href=\"/practice?game=game-of-game-of-life\""), "{field}");
    for path in ["/learn/conquerors/0", "/learn/conquerors/99", "/learn/conquerors/x", "/learn/life2/1"] {
        assert_eq!(fixture.ask(get(path)).await.code(), "no_such_lesson", "{path}");
    }
    fixture.end().await;
}
