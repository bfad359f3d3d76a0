//! `/lobby` and rooms that wait, as people see them.

use crate::client::{Answer, get, post};
use crate::fixture::fixture;
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

/// The cookies of the guest that an answer makes.
fn cookie(answer: &Answer) -> String {
    answer.cookies().join("; ")
}

#[tokio::test(flavor = "multi_thread")]
async fn two_guests_find_each_other_by_forms_alone() {
    let fixture = fixture().await;
    assert_snapshot("people/lobby", &fixture.ask(get("/lobby")).await);
    let opened = fixture.ask(post("/lobby", "door=private&seat=0&clock=game-600-5&chat=on").form()).await;
    assert_snapshot("people/lobby-opened", &opened);
    let (room, ann) = (opened.header("location").to_owned(), cookie(&opened));
    let waiting = fixture.ask(get(&room).with("cookie", &ann)).await;
    let code = waiting.text.split("id=\"code\" class=\"code\">").nth(1).expect("a code");
    let code = code.split('<').next().expect("a code").to_owned();
    assert_snapshot_of("people/waiting", &waiting, &waiting.text.replace(&code, "abc234"));
    let linked = fixture.ask(get(&format!("/lobby?room={code}"))).await;
    assert!(linked.text.contains(&format!("value=\"{code}\"")), "the link opens the form with its code");
    assert_snapshot("people/lobby-unknown-code", &fixture.ask(post("/lobby/joins", "code=zzzzzz").form()).await);

    // A typed code leads to the room's terms, and takes no seat.
    let typed = || post("/lobby/joins", format!("code={code}")).form();
    let found = fixture.ask(typed()).await;
    assert_eq!((found.status.as_u16(), found.header("location")), (303, room.as_str()));

    // Who comes without a code sees that somebody waits, and for which game, and sits down.
    let seen = fixture.ask(get(&room)).await;
    assert!(seen.text.contains("10 min + 5 s a turn, with a chat."), "{}", seen.text);
    assert!(seen.text.contains("Sit down and play") && !seen.text.contains(&code), "the code is for who has a seat");
    let seated = fixture.ask(post(&format!("{room}/seat"), "seat=1").form()).await;
    assert_snapshot("people/lobby-seated", &seated);
    let begun = fixture.ask(get(&room).with("cookie", &ann)).await;
    assert!(begun.text.contains("id=\"draw\"") && begun.text.contains("guest – guest"), "{}", begun.text);
    let again = post(&format!("{room}/seat"), "seat=1").form().with("cookie", cookie(&seated));
    assert_eq!(fixture.ask(again).await.code(), "already_seated");
    assert_eq!(fixture.ask(typed()).await.header("location"), room, "who comes late watches");
    let leave = || post(&format!("{room}/leave"), "").form();
    assert_eq!(fixture.ask(leave().with("cookie", &ann)).await.code(), "started");

    let paired = fixture.ask(post("/lobby/pairings", "game=war-of-life").form()).await;
    assert_snapshot("people/lobby-paired", &paired);
    let leave = post(&format!("{}/leave", paired.header("location")), "").form().with("cookie", cookie(&paired));
    assert_snapshot("people/lobby-left", &fixture.ask(leave).await);
    let closed = fixture.ask(get(paired.header("location"))).await;
    assert!(closed.text.contains("This room is closed"), "{}", closed.text);

    // A form sends what is left empty, too.
    let asks = |wish: &str| fixture.ask(post("/lobby", format!("door=private&clock=none&{wish}")).form());
    for (wish, options) in
        [("game=conquerors&kind=v1&number=", ""), ("game=war-of-life&kind=&number=+7+", "start=deal:7")]
    {
        let opened = asks(wish).await;
        assert_eq!(opened.status, 303, "{wish}: {}", opened.text);
        let state = fixture.ask(get(&format!("/api/v1{}", opened.header("location")))).await.json();
        assert_eq!(state["options"], options, "{wish}");
    }
    for wish in ["kind=pictured&number=", "game=war-of-life&number=many", "game=war-of-life&number=4294967296"] {
        let refused = asks(wish).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (422, "no_such_rooms"), "{wish}");
    }

    // Who has nobody to play with puts a bot into the seat that is open.
    let opened = fixture.ask(post("/lobby", "door=private&seat=0&clock=none").form()).await;
    let (room, ann) = (opened.header("location").to_owned(), cookie(&opened));
    let bot = post(&format!("{room}/bots"), "opponent=easy&seat=all").form().with("cookie", &ann);
    assert_snapshot("people/lobby-bots", &fixture.ask(bot).await);
    let begun = fixture.ask(get(&room).with("cookie", &ann)).await;
    assert!(begun.text.contains("guest – easy"), "{}", begun.text);
    fixture.end().await;
}
