//! Rated games between people: who plays them is said before, and they are on the leaderboard after.

use arena_people::Span;
use arena_store::UnixSeconds;
use serde_json::{Value, json};

use super::people::played;
use crate::client::{Answer, Ask, get, post, post_json};
use crate::fixture::{Fixture, OPERATOR, fixture};

/// An account in a browser.
struct Person {
    code: String,
    cookies: String,
}

impl Person {
    async fn arrive(fixture: &Fixture, name: &str) -> Person {
        Person::signs_in(fixture, fixture.account(name).await).await
    }

    /// In a browser that nobody has used yet.
    async fn signs_in(fixture: &Fixture, code: String) -> Person {
        let session = fixture.ask(post("/session", format!("code={code}")).form()).await;
        Person { code, cookies: session.cookies().join("; ") }
    }

    /// The cookie that tells its browser from others.
    fn browser(&self) -> &str {
        self.cookies.split("; ").find(|cookie| cookie.starts_with("arena_browser=")).expect("it is known")
    }

    /// Ten games that it won against `easy`, in rooms from a number on.
    async fn practises(&self, fixture: &Fixture, first: u8) {
        let account = fixture.owner(&self.code).await;
        for number in first..first + 10 {
            played(fixture, number, account, true).await;
        }
    }

    fn sends(&self, ask: Ask) -> Ask {
        ask.form().with("cookie", self.cookies.clone())
    }

    fn sees(&self, path: &str) -> Ask {
        get(path).with("cookie", self.cookies.clone())
    }
}

/// What a refused form is answered.
fn refusal(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.code())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rated_game_takes_two_accounts_with_practice_in_two_browsers_and_counts() {
    let fixture = fixture().await;
    let (mut ann, mut bob) = (Person::arrive(&fixture, "Ann").await, Person::arrive(&fixture, "Bob").await);
    let open = |door| post("/lobby", format!("rated=on&door={door}&seat=0&chat=on"));
    let lobby = fixture.ask(ann.sees("/lobby")).await;
    assert!(lobby.text.contains("you have 0") && !lobby.text.contains("name=\"rated\""), "{}", lobby.text);
    assert_eq!(refusal(&fixture.ask(ann.sends(open("public"))).await), (403, "too_little_practice".into()));
    assert_eq!(refusal(&fixture.ask(open("public").form()).await), (403, "guest".into()));
    ann.practises(&fixture, 1).await;
    assert!(fixture.ask(ann.sees("/lobby")).await.text.contains("name=\"rated\""));
    let by_program = |public| post_json("/api/v1/lobby", json!({ "rated": true, "public": public })).bearer(&ann.code);
    assert_eq!(refusal(&fixture.ask(by_program(true)).await), (403, "program_in_rated".into()));
    assert_eq!(refusal(&fixture.ask(by_program(false)).await), (422, "rated_is_public".into()));
    let opened = fixture.ask(ann.sends(open("private"))).await;
    assert_eq!(opened.status, 303, "{}", opened.text);
    let room = opened.header("location").to_owned();
    let browser = opened.cookies();
    assert!(browser.len() == 1 && browser[0].starts_with("arena_browser="), "{browser:?}");
    ann.cookies = format!("{}; {}", ann.cookies, browser[0]);
    assert!(fixture.ask(get("/lobby")).await.text.contains("<b>rated</b>"), "it is public, and said to be rated");

    // The page says beforehand why somebody cannot sit down.
    let sit = || post(&format!("{room}/seat"), "");
    let stranger = fixture.ask(get(&room)).await;
    assert!(stranger.text.contains("Rated games are for people with an account"), "{}", stranger.text);
    assert!(!stranger.text.contains("Sit down and play"));
    assert_eq!(refusal(&fixture.ask(sit().form()).await), (403, "guest".into()));
    let told = fixture.ask(bob.sees(&room)).await;
    assert!(told.text.contains("one of them has 0") && !told.text.contains("Sit down and play"), "{}", told.text);
    assert_eq!(refusal(&fixture.ask(bob.sends(sit())).await), (403, "too_little_practice".into()));
    bob.practises(&fixture, 11).await;
    assert!(fixture.ask(bob.sees(&room)).await.text.contains("Sit down and play"));
    let joining = post_json(&format!("/api/v1{room}/commands"), json!({ "type": "join", "seat": null }));
    assert_eq!(fixture.ask(joining.bearer(&bob.code)).await.code(), "program_in_rated");
    let in_hers = sit().form().with("cookie", format!("{}; {}", bob.cookies, browser[0]));
    assert_eq!(refusal(&fixture.ask(in_hers).await), (403, "one_browser".into()));
    let paired = fixture.ask(bob.sends(post("/lobby/pairings", "game=conquerors"))).await;
    assert_ne!(paired.header("location"), room, "who is paired plays no rated game unasked");
    let seated = fixture.ask(bob.sends(sit())).await;
    assert_eq!(seated.header("location"), room, "{}", seated.text);
    bob.cookies = format!("{}; {}", bob.cookies, seated.cookies()[0]);

    let page = fixture.ask(bob.sees(&room)).await;
    assert!(page.text.contains("id=\"rated\"") && page.text.contains("href=\"/people?game=conquerors\""));
    let resign = post_json(&format!("/api/v1{room}/commands"), json!({ "type": "resign", "ply": 0 }));
    let resigned = fixture.ask(resign.with("cookie", bob.cookies.clone())).await;
    assert_eq!(resigned.json()["type"], "applied", "{}", resigned.text);
    let his_games = fixture.ask(bob.sees("/account")).await.text;
    assert!(his_games.contains(room.trim_start_matches("/rooms/")), "what she opened and he joined: {his_games}");
    let board = fixture
        .service
        .leaderboard()
        .board("conquerors", Span::AllTime, None, UnixSeconds(fixture.service.now().0 + 10))
        .await;
    let board = board.expect("read");
    let line = |name: &str| board.leaders.iter().find(|leader| leader.name.to_string() == name).expect("on it").clone();
    let (hers, his) = (line("Ann"), line("Bob"));
    // Of ten equal wins against `easy`, the first counts.
    assert_eq!((hers.row.won, his.row.won, his.row.lost), (2, 1, 1));
    assert!(hers.strength.expect("rated").rating() > 1_500 && his.strength.expect("rated").rating() < 1_500);

    // What the operator annuls was never played, and can still be watched.
    let game = room.replace("rooms", "games");
    let id = room.trim_start_matches("/rooms/");
    let act = |act, id: &str| post_json("/api/v1/operator/acts", json!({ "act": act, "name": id, "reason": "agreed" }));
    let does = |ask: Ask| fixture.ask(ask.bearer(OPERATOR));
    assert_eq!(does(act("annul_game", "nothing")).await.code(), "no_such_game");
    let annulled = does(act("annul_game", id)).await;
    assert_eq!(annulled.json()["game"], id, "{}", annulled.text);
    assert!(fixture.ask(get(&game)).await.text.contains("The operator annulled this game"));
    assert_eq!(fixture.ask(get(&format!("/api/v1{game}"))).await.json()["annulled"], "agreed");
    let export = fixture.ask(ann.sees("/api/v1/account/export")).await.json();
    let of_room = |game: &&Value| game["room"] == id;
    let exported = export["games"].as_array().expect("games").iter().find(of_room).expect("it is hers").clone();
    let sides = &exported["game"]["sides"];
    assert!(sides[0]["browser"].is_string() && sides[1]["browser"].is_null(), "his browser is his: {exported}");
    assert_eq!(exported["annulled"], "agreed");
    let won = async || {
        let board = fixture
            .service
            .leaderboard()
            .board("conquerors", Span::AllTime, None, UnixSeconds(fixture.service.now().0 + 10))
            .await;
        board.expect("read").leaders[0].row.won
    };
    assert_eq!(won().await, 1);
    assert_eq!(does(act("restore_game", id)).await.status, 200);
    assert_eq!(won().await, 2);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_that_ever_signed_in_in_one_browser_play_no_rated_games_with_each_other() {
    let fixture = fixture().await;
    let (ann, bob) = (Person::arrive(&fixture, "Ann").await, Person::arrive(&fixture, "Bob").await);
    ann.practises(&fixture, 1).await;
    bob.practises(&fixture, 11).await;
    let opened = fixture.ask(ann.sends(post("/lobby", "rated=on&door=public&seat=0&chat=on"))).await;
    assert_eq!(opened.status, 303, "{}", opened.text);
    let room = opened.header("location").to_owned();
    let sit = || post(&format!("{room}/seat"), "");
    assert!(fixture.ask(bob.sees(&room)).await.text.contains("Sit down and play"), "two browsers");

    // He signs in in hers, plays nothing there, and comes back from his own.
    let in_hers = |path: &str, form: String| post(path, form).form().with("cookie", ann.browser());
    let signed_in = fixture.ask(in_hers("/session", format!("code={}", bob.code))).await;
    assert_eq!(signed_in.status, 303, "{}", signed_in.text);
    assert!(signed_in.cookies().iter().any(|cookie| cookie == ann.browser()), "it stays the same browser");
    let told = fixture.ask(bob.sees(&room)).await;
    assert!(told.text.contains("used in one browser") && !told.text.contains("Sit down and play"), "{}", told.text);
    assert_eq!(refusal(&fixture.ask(bob.sends(sit())).await), (403, "one_browser".into()));

    // A name that is claimed there is hers as well.
    let claimed = fixture.ask(in_hers("/account", "name=Second".into())).await.cookies();
    let code = claimed.iter().find_map(|cookie| cookie.strip_prefix("arena_code=")).expect("its code").to_owned();
    let second = Person::signs_in(&fixture, code).await;
    second.practises(&fixture, 21).await;
    assert_ne!(second.browser(), ann.browser());
    assert_eq!(refusal(&fixture.ask(second.sends(sit())).await), (403, "one_browser".into()));

    // With each of them somebody else plays.
    let cleo = Person::arrive(&fixture, "Cleo").await;
    cleo.practises(&fixture, 31).await;
    let seated = fixture.ask(cleo.sends(sit())).await;
    assert_eq!(seated.header("location"), room, "{}", seated.text);
    fixture.end().await;
}
